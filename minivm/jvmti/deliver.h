/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.h -- how an event goes out to the agents' callbacks.
 *
 * 1.  Something happens in the VM.  The code there calls EVENT_SEND (base/events.h): if
 *    the event's bit of events_wanted is set, some environment may want to hear of it,
 *    and the function in event_hooks is called.
 * 2.  That function belongs to this floor.  For many events it is a generated sender,
 *    send_<Event> of senders.h; where there is more to decide it is a function
 *    on_<event> of deliver.c or of the files that are named at the end of this header.
 * 3.  The sender opens a delivery for the calling thread, makes local references and
 *    ids for what it reports, and calls the callback of every environment that wants
 *    the event for this thread, from the oldest environment to the newest:
 *
 *        DELIVERY(d, self);
 *        jobject o = delivery_ref(&d, object);
 *        SEND(d, VM_OBJECT_ALLOC, VMObjectAlloc, d.jni, d.thread, o, ...);
 *
 * 4.  The callback runs in native state, so other threads may stop the world meanwhile
 *    and the callback may call JVM TI and JNI.
 * 5.  At the end of its block the delivery deletes the local references.  An exception
 *    that was pending before the event is pending again; if a callback has thrown one,
 *    that one takes its place.
 *
 * The events of the collector are different: the world is stopped while their callbacks
 * run, so there are no references and the thread stays in the VM (deliver.c).
 *
 * All functions here are called by the thread that the event is about.  A delivery may
 * stop, collect and run Java code, so the caller holds no lock. */

#ifndef MINIVM_JVMTI_DELIVER_H
#define MINIVM_JVMTI_DELIVER_H

#include "base/events.h"
#include "jni/entry.h"
#include "jvmti/env.h"
#include "linking/ids.h"
#include "threads/downcall.h"

enum { JVMTI_EVENT_COUNT = JVMTI_MAX_EVENT_TYPE_VAL - JVMTI_MIN_EVENT_TYPE_VAL + 1 };

/* One event on its way to the callbacks; a local variable of its sender. */
struct delivery {
    struct thread *self;
    JNIEnv *jni;
    /* The calling thread; NULL before it has a java.lang.Thread. */
    jthread thread;
    /* Where the delivery's local references and handles begin. */
    struct ref_frame refs;
    size_t handles;
    /* The exception to be pending at the end; a handle keeps it alive. */
    struct object *pending;
};

/* Begins the delivery d of self: sets a pending exception aside, and begins the local
   references, of which the first is to the thread. */
static inline void
delivery_begin(struct delivery *d, struct thread *self)
{
    d->self = self;
    d->jni = thread_env(self);
    d->handles = self->handle_count;
    d->pending = handle_new(self, self->exception);
    self->exception = NULL;
    d->refs = ref_frame_begin(self);
    d->thread = ref_new_local(self, self->current);
}

/* Ends the delivery: deletes its local references and handles, and makes the exception
   that was set aside, or that a callback has thrown, pending. */
static inline void
delivery_end(struct delivery *d)
{
    ref_frame_end(d->self, d->refs);
    d->self->exception = d->pending;
    d->self->handle_count = d->handles;
}

/* Returns a local reference to o that the delivery deletes, NULL for NULL.  If memory
   is short, it is NULL with an exception pending. */
static inline jobject
delivery_ref(const struct delivery *d, struct object *o)
{
    return o ? ref_new_local(d->self, o) : NULL;
}

/* Declares d and begins the delivery; it ends with the block. */
#define DELIVERY(d, thread_) \
    struct delivery d __attribute__((cleanup(delivery_end))); \
    delivery_begin(&d, (thread_))

/* Returns true if env wants the event, whichever thread it is about.  event is the
   event's number less 50 (EVENT_INDEX). */
static inline bool
env_wants_of_all(const struct jvmti_env *env, unsigned event)
{
    return atomic_load_explicit(&env->active, memory_order_acquire) >> event & 1;
}

/* Returns true if the event is to be sent to env for t, which is the calling thread.
   In a transition of a virtual thread none is. */
static inline bool
env_wants(const struct jvmti_env *env, const struct thread *t, unsigned event)
{
    if (__builtin_expect(atomic_load_explicit(&t->in_transition, memory_order_relaxed),
                         0))
        return false;
    if (env_wants_of_all(env, event))
        return true;
    if (!atomic_load_explicit(&t->jvmti->first, memory_order_relaxed))
        return false;
    const struct env_thread *e = env_thread_find(t->jvmti, env);
    return e && (atomic_load_explicit(&e->active, memory_order_acquire) >> event & 1);
}

/* Moves the thread into native code for a callback. */
static inline void
delivery_leave(struct delivery *d)
{
    thread_begin_downcall(d->self);
}

/* Moves the thread back into the VM after a callback, and sets an exception that the
   callback has left pending aside until the delivery ends. */
static inline void
delivery_enter(struct delivery *d)
{
    thread_end_downcall(d->self);
    if (__builtin_expect(d->self->exception != NULL, 0)) {
        d->pending = handle_new(d->self, d->self->exception);
        d->self->exception = NULL;
    }
}

#define EVENT_INDEX(event) (JVMTI_EVENT_##event - JVMTI_MIN_EVENT_TYPE_VAL)

/* Calls env's callback, a member of jvmtiEventCallbacks, if there is one; the arguments
   behind the jvmtiEnv follow.  The pointer is read once, since SetEventCallbacks may
   change it at the same time. */
#define SEND_ONE(d, env, member, ...) \
    do { \
        __typeof__((env)->callbacks.member) callback_ = __atomic_load_n( \
            &(env)->callbacks.member, __ATOMIC_RELAXED); \
        if (callback_) { \
            struct agent_call call_; \
            agent_call_begin((d).self, &call_, #member, (void (*)(void))callback_); \
            delivery_leave(&(d)); \
            callback_(&(env)->handle __VA_OPT__(, ) __VA_ARGS__); \
            delivery_enter(&(d)); \
            agent_call_end((d).self, &call_); \
        } \
    } while (0)

/* Calls the callbacks of all environments that want the event, JVMTI_EVENT_<event>. */
#define SEND(d, event, member, ...) \
    FOR_EACH_ENV((d).self->vm, env_) \
    if (env_wants(env_, (d).self, EVENT_INDEX(event))) \
    SEND_ONE(d, env_, member __VA_OPT__(, ) __VA_ARGS__)

/* Returns what env is told as the JNI environment: NULL in the primordial phase, in
   which JNI must not be used (JVM TI "Class File Load Hook"). */
static inline JNIEnv *
delivery_jni(const struct delivery *d, const struct jvmti_env *env)
{
    return jvmti_phase(env) == VM_PHASE_PRIMORDIAL ? NULL : d->jni;
}

/* Returns the id of the version of the method that the frame runs; NULL for NULL. */
static inline jmethodID
delivery_method(const struct frame *frame)
{
    return frame ? (jmethodID)version_id(frame->version) : NULL;
}

/* Returns the Java value in a stack slot as JNI has it; type is the first character of
   its descriptor.  An object becomes a local reference.  If slot is NULL, the value is
   0. */
static inline jvalue
delivery_value(const struct delivery *d, char type, const union slot *slot)
{
    return slot ? jni_value_of_slot(d->self, type, *slot) : (jvalue){ .j = 0 };
}

/* ---- functions for event_hooks that are in other files than deliver.c ---- */

/* frame_pop.c: the frame of self is left; sends FramePop to those who asked for it. */
void jvmti_on_frame_pop(struct thread *self, struct frame *frame, bool by_exception);
/* heap_tags.c: a collection is over and the world goes on; sends ObjectFree for the
   tagged objects that it found dead. */
void jvmti_on_object_free(struct thread *self);
/* extension.c: a collection unloads a class, with the world stopped; notes its name. */
void jvmti_on_class_free(struct class *c);
/* extension.c: the world goes on; sends the extension event ClassUnload. */
void jvmti_on_class_unload(struct thread *self);
/* extension.c: the virtual thread that self runs has been mounted, or will be
   unmounted; sends the extension event. */
void jvmti_on_virtual_thread_mount(struct thread *self);
void jvmti_on_virtual_thread_unmount(struct thread *self);
/* extension.c: SetEventNotificationMode for the index of an extension event.  A mode for
   one thread changes nothing, since a callback is for all threads. */
jvmtiError jvmti_set_extension_mode(struct thread *self, struct jvmti_env *env,
                                    jvmtiEventMode mode, jvmtiEvent index,
                                    bool for_one_thread);

#endif
