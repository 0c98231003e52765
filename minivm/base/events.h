/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/events.h -- how the VM reports events to JVM TI.
 *
 * The rooms of the VM report what happens (a class is loaded, a method is entered), and
 * JVM TI, an upper floor that they must not include, sends it to agents.  So the
 * dependency is turned around: this header declares a table of function pointers, one
 * for each event, which the JVM TI floor fills when the first agent is loaded.
 *
 * Nearly always nobody wants an event, so reporting one must cost next to nothing: the
 * word events_wanted has a bit for each event, set while some environment has it
 * enabled anywhere, and EVENT_SEND tests that bit before it calls.  Which environments
 * get the event, for which threads and in which phase, is up to the receiver.
 *
 *     EVENT_SEND(EVENT_CLASS_LOAD, class_load, self, c);
 *
 * An agent's callback may run arbitrary native and Java code.  So a hook that has a
 * parameter `self` may stop for a safepoint and collect: its caller holds no lock of
 * the VM and keeps the objects that it needs in handles.  The hooks without it are
 * called while the world is stopped.
 */

#ifndef MINIVM_BASE_EVENTS_H
#define MINIVM_BASE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread;
struct class;
struct method;
struct field;
struct object;
struct frame;
struct loader;
union slot;

/* The bits of events_wanted.  Their numbers are those of JVM TI's events (JVM TI "Event
   Index") less the lowest one, JVMTI_MIN_EVENT_TYPE_VAL, so that the JVM TI floor
   computes the word from its own masks; jvmti/event.c asserts that they are equal.
   Events that the VM never reports are left out.  Class unloading is an extension
   event, numbered behind the others. */
enum event_bit {
    EVENT_VM_INIT,
    EVENT_VM_DEATH,
    EVENT_THREAD_START,
    EVENT_THREAD_END,
    EVENT_CLASS_FILE_LOAD,
    EVENT_CLASS_LOAD,
    EVENT_CLASS_PREPARE,
    EVENT_VM_START,
    EVENT_EXCEPTION,
    EVENT_EXCEPTION_CATCH,
    EVENT_SINGLE_STEP,
    EVENT_FRAME_POP,
    EVENT_BREAKPOINT,
    EVENT_FIELD_ACCESS,
    EVENT_FIELD_MODIFICATION,
    EVENT_METHOD_ENTRY,
    EVENT_METHOD_EXIT,
    EVENT_NATIVE_METHOD_BIND,
    EVENT_DYNAMIC_CODE = 20,
    EVENT_DATA_DUMP,
    EVENT_MONITOR_WAIT = 23,
    EVENT_MONITOR_WAITED,
    EVENT_MONITOR_CONTENDED,
    EVENT_MONITOR_ENTERED,
    EVENT_RESOURCE_EXHAUSTED = 30,
    EVENT_GC_START,
    EVENT_GC_FINISH,
    EVENT_OBJECT_FREE,
    EVENT_VM_OBJECT_ALLOC,
    EVENT_SAMPLED_ALLOC = 36,
    EVENT_VIRTUAL_THREAD_START,
    EVENT_VIRTUAL_THREAD_END,
    /* What only extensions of JVM TI tell, in the order of enum extension_event
       (jvmti/env.h). */
    EVENT_CLASS_UNLOAD,
    EVENT_VIRTUAL_THREAD_MOUNT,
    EVENT_VIRTUAL_THREAD_UNMOUNT
};

/* A class file on its way through the agents (JVM TI "Class File Load Hook"). */
struct class_bytes {
    /* The class that is redefined or retransformed; NULL at the first definition. */
    struct class *redefined;
    struct loader *loader;
    /* NULL if the definition does not give a name. */
    const char *name;
    struct object *protection_domain;
    /* Retransformation: only agents that can retransform get the event, and those that
       cannot have had their say at the definition. */
    bool again;
    /* The class file before the first agent saw it, and then as the last one left
       it. */
    const uint8_t *bytes;
    size_t length;
    /* Result: the bytes if an agent replaced them, else NULL.  The caller frees them
       (mem_free). */
    uint8_t *changed;
    /* Result: if agents that can retransform have changed the class file, what the
       first of them saw, where a retransformation will begin; else NULL.  The caller
       frees it (mem_free). */
    uint8_t *initial;
    size_t initial_length;
};

/* The functions that JVM TI provides.  A pointer may be NULL, so they are called
   through EVENT_SEND only.  Parameters have the meaning of the event's in the
   specification. */
struct event_hooks {
    void (*vm_start)(struct thread *self);
    void (*vm_init)(struct thread *self, struct object *thread_object);
    void (*vm_death)(struct thread *self);
    void (*thread_start)(struct thread *self);
    void (*thread_end)(struct thread *self);
    /* Of a virtual thread that carriers run: self has it mounted.  For bound ones
       thread_start and thread_end are called. */
    void (*virtual_thread_start)(struct thread *self);
    void (*virtual_thread_end)(struct thread *self);
    /* self runs the virtual thread, from now on or for a moment yet. */
    void (*virtual_thread_mount)(struct thread *self);
    void (*virtual_thread_unmount)(struct thread *self);
    /* A class file is about to be parsed. */
    void (*class_file_load)(struct thread *self, struct class_bytes *bytes);
    void (*class_load)(struct thread *self, struct class *c);
    void (*class_prepare)(struct thread *self, struct class *c);
    void (*method_entry)(struct thread *self, struct frame *frame);
    /* result is NULL if the method ends by an exception. */
    void (*method_exit)(struct thread *self, struct frame *frame,
                        const union slot *result);
    void (*frame_pop)(struct thread *self, struct frame *frame, bool by_exception);
    void (*single_step)(struct thread *self, struct frame *frame, uint32_t bci);
    void (*breakpoint)(struct thread *self, struct frame *frame, uint32_t bci);
    void (*field_access)(struct thread *self, struct frame *frame, uint32_t bci,
                         struct field *field, struct object *object);
    void (*field_modification)(struct thread *self, struct frame *frame, uint32_t bci,
                               struct field *field, struct object *object,
                               const union slot *value);
    /* catch_frame is NULL if nothing will catch the exception. */
    void (*exception)(struct thread *self, struct frame *frame, uint32_t bci,
                      struct object *exception, struct frame *catch_frame,
                      uint32_t catch_bci);
    void (*exception_catch)(struct thread *self, struct frame *frame, uint32_t bci,
                            struct object *exception);
    /* Native code clears the pending exception (JNI "ExceptionClear"), which counts as
       catching it. */
    void (*exception_clear)(struct thread *self);
    /* *address is about to be bound; an agent may change it. */
    void (*native_method_bind)(struct thread *self, struct method *method,
                               void **address);
    void (*monitor_wait)(struct thread *self, struct object *object, int64_t millis);
    void (*monitor_waited)(struct thread *self, struct object *object, bool timed_out);
    void (*monitor_contended_enter)(struct thread *self, struct object *object);
    void (*monitor_contended_entered)(struct thread *self, struct object *object);
    void (*data_dump)(struct thread *self);
    /* The world is stopped: agents may call callback-safe functions only. */
    void (*gc_start)(void);
    void (*gc_finish)(void);
    /* A collection is over and the other threads run again: the receiver reports the
       tagged objects that it freed and the classes that it unloaded. */
    void (*object_free)(struct thread *self);
    void (*class_unload)(struct thread *self);
    void (*vm_object_alloc)(struct thread *self, struct object *object, size_t size);
    void (*sampled_alloc)(struct thread *self, struct object *object, size_t size);
    void (*resource_exhausted)(struct thread *self, int flags, const char *text);
};

/* Both are global because every test of the word is on a hot path, and a process has
   one VM.  The JVM TI floor fills the table first and then stores the word with release
   order; everyone else reads the word with relaxed order. */
extern uint64_t events_wanted;
extern struct event_hooks event_hooks;

/* Returns true if some environment wants the event. */
static inline bool
event_wanted(enum event_bit bit)
{
    return __builtin_expect(
        (__atomic_load_n(&events_wanted, __ATOMIC_RELAXED) >> bit) & 1, 0);
}

/* Calls a hook of the table with the arguments that follow, if the event is wanted.  It
   is a macro because the hooks have different parameters, and so that arguments are
   computed only if they are needed. */
#define EVENT_SEND(bit, hook, ...) \
    do { \
        if (event_wanted(bit) && event_hooks.hook) \
            event_hooks.hook(__VA_ARGS__); \
    } while (0)

#endif
