/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/deliver.h -- how an event gets to the agents' callbacks.
 *
 * A sender opens a delivery, makes local references for what it reports, and calls the
 * callback of every environment that wants the event for this thread, oldest first:
 *
 *     DELIVERY(d, self);
 *     jobject o = delivery_ref(&d, object);
 *     SEND(d, VM_OBJECT_ALLOC, VMObjectAlloc, d.jni, d.thread, o, …);
 *
 * Those of senders.h, one for each event, are made from the table.  Callbacks run in
 * native state.  The references are let go at the end.  An exception that was pending
 * is kept across all of them; one that a callback leaves pending takes its place. */

#ifndef MINIVM_JVMTI_DELIVER_H
#define MINIVM_JVMTI_DELIVER_H

#include "base/events.h"
#include "jni/entry.h"
#include "jvmti/env.h"

enum { JVMTI_EVENT_COUNT = JVMTI_MAX_EVENT_TYPE_VAL - JVMTI_MIN_EVENT_TYPE_VAL + 1 };

struct delivery {
    struct thread *self;
    JNIEnv *jni;
    jthread thread;                /* the calling one; NULL before it has an object */
    struct ref_mark refs;
    size_t kept;
    struct object *pending;
};

static inline void
delivery_begin(struct delivery *d, struct thread *self)
{
    d->self = self;
    d->jni = thread_env(self);
    d->kept = self->handle_count;
    d->pending = keep(self, self->exception);
    self->exception = NULL;
    d->refs = ref_mark(self);
    d->thread = ref_new_local(self, self->object);
}

static inline void
delivery_end(struct delivery *d)
{
    ref_release(d->self, d->refs);
    d->self->exception = d->pending;
    d->self->handle_count = d->kept;
}

static inline jobject
delivery_ref(const struct delivery *d, struct object *o)
{
    return o != NULL ? ref_new_local(d->self, o) : NULL;
}

#define DELIVERY(d, thread_) \
    struct delivery d __attribute__((cleanup(delivery_end))); \
    delivery_begin(&d, (thread_))

/* Is the event, by its number minus 50, to be sent to env for t? */
static inline bool
env_wants(const struct jvmti_env *env, const struct thread *t, unsigned event)
{
    if (atomic_load_explicit(&env->active, memory_order_acquire) >> event & 1)
        return true;
    if (atomic_load_explicit(&t->jvmti->first, memory_order_relaxed) == NULL)
        return false;
    const struct env_thread *e = env_thread_find(t, env);
    return e != NULL
           && (atomic_load_explicit(&e->active, memory_order_acquire) >> event & 1);
}

static inline void
delivery_leave(struct delivery *d)
{
    thread_begin_callout(d->self);
}

static inline void
delivery_enter(struct delivery *d)
{
    thread_end_callout(d->self);
    if (__builtin_expect(d->self->exception != NULL, 0)) {
        d->pending = keep(d->self, d->self->exception);
        d->self->exception = NULL;
    }
}

#define EVENT_INDEX(event) (JVMTI_EVENT_##event - JVMTI_MIN_EVENT_TYPE_VAL)

/* Calls env's callback, which SetEventCallbacks may take away meanwhile. */
#define SEND_ONE(d, env, member, ...) \
    do { \
        __typeof__((env)->callbacks.member) callback_ = \
            __atomic_load_n(&(env)->callbacks.member, __ATOMIC_RELAXED); \
        if (callback_ != NULL) { \
            struct outcall call_; \
            outcall_begin((d).self, &call_, #member, (void (*)(void))callback_); \
            delivery_leave(&(d)); \
            callback_(&(env)->handle __VA_OPT__(,) __VA_ARGS__); \
            delivery_enter(&(d)); \
            outcall_end((d).self, &call_); \
        } \
    } while (0)

#define SEND(d, event, member, ...) \
    FOR_EACH_ENV((d).self->vm, env_) \
        if (env_wants(env_, (d).self, EVENT_INDEX(event))) \
            SEND_ONE(d, env_, member __VA_OPT__(,) __VA_ARGS__)

/* What env is told as the JNI environment: none in the primordial phase. */
static inline JNIEnv *
delivery_jni(const struct delivery *d, const struct jvmti_env *env)
{
    return jvmti_phase(env) == VM_PHASE_PRIMORDIAL ? NULL : d->jni;
}

/* frame may be NULL. */
static inline jmethodID
delivery_method(const struct frame *frame)
{
    return frame != NULL ? (jmethodID)code_id(frame->code) : NULL;
}

/* A Java value in a stack slot, as JNI has it; references become local ones.  A slot
   that is NULL gives 0. */
jvalue delivery_value(const struct delivery *d, char type, const union slot *slot);

/* The hooks that other files have. */
void jvmti_on_frame_pop(struct thread *self, struct frame *frame, bool by_exception);
void jvmti_on_object_free(struct thread *self);      /* heap_tags.c */
void jvmti_on_class_free(struct class *c);           /* extension.c */
void jvmti_on_class_unload(struct thread *self);

#endif
