/* SPDX-License-Identifier: MIT */
/* minivm/base/events.h -- how the VM tells an upper floor what happens.
 *
 * The JVM TI floor fills the table and keeps the masks; the VM tests one bit and
 * calls.  With nobody listening a hook costs that test.  A mask bit says that some
 * environment wants the event; the receiver sorts out which and for what thread. */

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

/* Bits of events_wanted: the numbers of JVM TI's events less 50, for those that the VM
   reports, and behind them the extension event. */
enum event_bit {
    EVENT_VM_INIT, EVENT_VM_DEATH, EVENT_THREAD_START, EVENT_THREAD_END,
    EVENT_CLASS_FILE_LOAD, EVENT_CLASS_LOAD, EVENT_CLASS_PREPARE, EVENT_VM_START,
    EVENT_EXCEPTION, EVENT_EXCEPTION_CATCH, EVENT_SINGLE_STEP, EVENT_FRAME_POP,
    EVENT_BREAKPOINT, EVENT_FIELD_ACCESS, EVENT_FIELD_MODIFICATION,
    EVENT_METHOD_ENTRY, EVENT_METHOD_EXIT, EVENT_NATIVE_METHOD_BIND,
    EVENT_DYNAMIC_CODE = 20, EVENT_DATA_DUMP,
    EVENT_MONITOR_WAIT = 23, EVENT_MONITOR_WAITED,
    EVENT_MONITOR_CONTENDED, EVENT_MONITOR_ENTERED,
    EVENT_RESOURCE_EXHAUSTED = 30, EVENT_GC_START, EVENT_GC_FINISH, EVENT_OBJECT_FREE,
    EVENT_VM_OBJECT_ALLOC, EVENT_SAMPLED_ALLOC = 36,
    EVENT_CLASS_UNLOAD = 39
};

/* A class file on its way through the agents. */
struct class_bytes {
    struct class *redefined;       /* NULL at the first definition */
    struct loader *loader;
    const char *name;              /* or NULL */
    struct object *protection_domain;
    bool again;                    /* retransformation: for those who can only */
    const uint8_t *bytes;          /* as they came; then as they went out */
    size_t length;
    uint8_t *changed;              /* result, the caller frees it by mem_free: bytes
                                      when an agent replaced them, else NULL */
    uint8_t *initial;              /* result, likewise: what those saw first who can
                                      retransform, if they changed it */
    size_t initial_length;
};

/*
 * The listeners.  A pointer may be NULL while nobody fills it; call through
 * EVENT_SEND only.  "blocks" below means that Java code may run, so the caller
 * holds no VM lock and keeps its references in a scope.
 */
struct event_hooks {
    void (*vm_start)(struct thread *self);
    void (*vm_init)(struct thread *self, struct object *thread_object);
    void (*vm_death)(struct thread *self);
    void (*thread_start)(struct thread *self);
    void (*thread_end)(struct thread *self);
    /* A class file is about to be parsed; blocks. */
    void (*class_file_load)(struct thread *self, struct class_bytes *bytes);
    void (*class_load)(struct thread *self, struct class *c);
    void (*class_prepare)(struct thread *self, struct class *c);
    void (*method_entry)(struct thread *self, struct frame *frame);
    /* result is NULL when the frame leaves by an exception. */
    void (*method_exit)(struct thread *self, struct frame *frame,
                        const union slot *result);
    void (*frame_pop)(struct thread *self, struct frame *frame, bool by_exception);
    void (*single_step)(struct thread *self, struct frame *frame, uint32_t bci);
    void (*breakpoint)(struct thread *self, struct frame *frame, uint32_t bci);
    void (*field_access)(struct thread *self, struct frame *frame, uint32_t bci,
                         struct field *field, struct object *object);
    void (*field_modification)(struct thread *self, struct frame *frame,
                               uint32_t bci, struct field *field,
                               struct object *object, const union slot *value);
    /* catch_frame is NULL when nothing catches it. */
    void (*exception)(struct thread *self, struct frame *frame, uint32_t bci,
                      struct object *exception, struct frame *catch_frame,
                      uint32_t catch_bci);
    void (*exception_catch)(struct thread *self, struct frame *frame, uint32_t bci,
                            struct object *exception);
    /* Foreign code clears the pending exception. */
    void (*exception_clear)(struct thread *self);
    /* May change the address that is about to be bound. */
    void (*native_method_bind)(struct thread *self, struct method *method,
                               void **address);
    void (*monitor_wait)(struct thread *self, struct object *object, int64_t millis);
    void (*monitor_waited)(struct thread *self, struct object *object,
                           bool timed_out);
    void (*monitor_contended_enter)(struct thread *self, struct object *object);
    void (*monitor_contended_entered)(struct thread *self, struct object *object);
    void (*data_dump)(struct thread *self);
    void (*gc_start)(void);            /* world stopped: callback-safe only */
    void (*gc_finish)(void);
    void (*object_free)(struct thread *self); /* the world goes on after a collection */
    void (*class_unload)(struct thread *self); /* after a collection; blocks */
    void (*vm_object_alloc)(struct thread *self, struct object *object, size_t size);
    void (*sampled_alloc)(struct thread *self, struct object *object, size_t size);
    void (*resource_exhausted)(struct thread *self, int flags, const char *text);
};

/* Written with release order by the JVM TI floor, read relaxed by everyone. */
extern uint64_t events_wanted;
extern struct event_hooks event_hooks;

static inline bool
event_wanted(enum event_bit bit)
{
    return __builtin_expect(
        (__atomic_load_n(&events_wanted, __ATOMIC_RELAXED) >> bit) & 1,
        0);
}

#define EVENT_SEND(bit, hook, ...) \
    do { \
        if (event_wanted(bit) && event_hooks.hook) \
            event_hooks.hook(__VA_ARGS__); \
    } while (0)

#endif
