/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/thread.c -- JVM TI "Thread".
 *
 * A thread has two sides: its java.lang.Thread, which there is before it starts and
 * after it ends, and while it lives its struct thread.  A function gets both as a
 * struct target (wrapper.h).  What a live thread does is asked in a handshake with it.
 * A virtual thread is asked as any other; where the specification has rules of its own
 * for one, thread_object_is_virtual tells.  The functions for all of them are in
 * virtual.c. */

#include "jni/entry.h"
#include "jvmti/env.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "runtime/start.h"
#include "runtime/string.h"
#include "threads/continuation.h"
#include "threads/downcall.h"
#include "threads/monitor.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* The middle floor has names of its own for these numbers: see enum thread_status. */
#define SAME_NUMBER(bit) \
    _Static_assert((int)STATUS_##bit == (int)JVMTI_THREAD_STATE_##bit, #bit)
SAME_NUMBER(ALIVE);
SAME_NUMBER(TERMINATED);
SAME_NUMBER(RUNNABLE);
SAME_NUMBER(WAITING_INDEFINITELY);
SAME_NUMBER(WAITING_WITH_TIMEOUT);
SAME_NUMBER(SLEEPING);
SAME_NUMBER(WAITING);
SAME_NUMBER(IN_OBJECT_WAIT);
SAME_NUMBER(PARKED);
SAME_NUMBER(BLOCKED_ON_MONITOR_ENTER);
SAME_NUMBER(SUSPENDED);
SAME_NUMBER(INTERRUPTED);
SAME_NUMBER(IN_NATIVE);

/* ---- queries ---- */

jvmtiError
jvmti_GetCurrentThread(struct thread *self, jthread *thread)
{
    return jvmti_local(self, self->current, thread);
}

/* Returns the group of a java.lang.Thread; NULL before it is constructed, and in JDK 17
   when it has ended. */
static struct object *
group_of(const struct vm *vm, struct object *thread_object)
{
    struct object *fields = thread_fields(vm, thread_object);

    return fields ? REF_FIELD(vm, fields, Thread_group) : NULL;
}

/* Makes handles of self for the objects of the live platform threads, or of those in
   group if that is not NULL.  The list has pins for its threads, so none is freed here,
   though it may end: then it has no object. */
jvmtiError
jvmti_add_thread_handles(struct thread *self, const struct object *group)
{
    size_t count;
    struct thread **list = thread_list(self->vm, WITHOUT_HIDDEN, &count);

    if (!list)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct object *o = list[i]->object;
        /* A thread that is just starting or ending has an object but is not alive.  The
           threads of agents are in no group of Java's. */
        if (o && thread_of_object(o) == list[i]
            && !thread_object_is_virtual(self->vm, o)
            && (!group
                || (!list[i]->is_agent_thread && group_of(self->vm, o) == group)))
            handle_new(self, o);
    }
    thread_list_release(list, count);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetAllThreads(struct thread *self, jint *count, jthread **threads)
{
    struct handle_scope found = handle_scope_open(self);

    TRY(jvmti_add_thread_handles(self, NULL));
    return jvmti_locals(&found, count, threads);
}

jvmtiError
jvmti_GetThreadState(struct thread *self, const struct target *thread, jint *state)
{
    *state = (jint)target_status_now(self, thread);
    return JVMTI_ERROR_NONE;
}

/* Sets *group to a thread's group, NULL when it has ended.  All virtual threads are in
   a group of the class library's, which they need not refer to. */
static jvmtiError
find_group(struct thread *self, const struct target *thread, jthreadGroup *group)
{
    union slot result;

    if (target_status_now(self, thread) & STATUS_TERMINATED)
        return jvmti_local(self, NULL, group);
    if (!thread_object_is_virtual(self->vm, thread->object))
        return jvmti_local(self, group_of(self->vm, thread->object), group);
    EXCEPTION_WAITS(self);
    if (!java_call_named(self, KC(self->vm, Thread), "virtualThreadGroup",
                         "()Ljava/lang/ThreadGroup;", NULL, &result))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return jvmti_local(self, result.ref, group);
}

/* The objects that are read from the fields of the thread need no handles: nothing
   stops or collects after find_group, except that jvmti_local may when it fails.  A
   virtual thread is a daemon of normal priority, whatever its fields say.  A thread
   without a name shows an empty one.  The pieces are stored in the agent's struct
   together, when all of them were made. */
jvmtiError
jvmti_GetThreadInfo(struct thread *self, const struct target *thread,
                    jvmtiThreadInfo *info)
{
    const struct vm *vm = self->vm;
    struct object *o = thread->object;
    bool is_virtual = thread_object_is_virtual(vm, o);
    struct object *fields = is_virtual ? NULL : thread_fields(vm, o), *name;
    jvmtiThreadInfo all = { .priority = JVMTI_THREAD_NORM_PRIORITY,
                            .is_daemon = is_virtual };

    if (fields) {
        all.priority = INT_FIELD(vm, fields, Thread_priority);
        all.is_daemon = OBJECT_FIELD(uint8_t, fields, KF(vm, Thread_daemon)) != 0;
    }
    TRY(find_group(self, thread, &all.thread_group));
    TRY(jvmti_local(self, REF_FIELD(vm, o, Thread_contextClassLoader),
                    &all.context_class_loader));
    name = REF_FIELD(vm, o, Thread_name);
    all.name = name ? string_to_modified(name) : mem_try_strdup("");
    TRY(jvmti_add_result(all.name));
    *info = all;
    return JVMTI_ERROR_NONE;
}

/* ---- suspension ---- */

/* Sets *result to the continuation if the target is a virtual thread that carriers run;
   otherwise, or if that is the current thread, the struct thread is what is suspended
   and resumed, and *result is NULL. */
static jvmtiError
find_carried(struct thread *self, const struct target *thread,
             struct continuation **result)
{
    *result = NULL;
    return thread->is_carried ? target_continuation(self, thread, result)
                              : JVMTI_ERROR_NONE;
}

/* Is a platform thread the target, and not the virtual one that runs on it? */
static bool
is_platform(const struct target *thread)
{
    return thread->object != thread->live->current;
}

/* Suspends a thread that is held if it moves.  thread_suspend does not say why it did
   nothing, so that is found out afterwards, under the lock that guards is_ended. */
static jvmtiError
suspend(struct thread *self, const struct target *thread)
{
    struct thread *t = thread->live;
    struct continuation *c;

    TRY(find_carried(self, thread, &c));
    if (c                     ? virtual_thread_suspend(self, c)
        : is_platform(thread) ? platform_thread_suspend(self, t)
                              : thread_suspend(self, t))
        return JVMTI_ERROR_NONE;
    if (c)
        return JVMTI_ERROR_THREAD_SUSPENDED;
    LOCK(&t->lock);
    return t->is_ended ? JVMTI_ERROR_THREAD_NOT_ALIVE : JVMTI_ERROR_THREAD_SUSPENDED;
}

/* When it returns, the thread runs no more bytecode; for the current thread it returns
   only when another thread has resumed it. */
jvmtiError
jvmti_SuspendThread(struct thread *self, const struct target *thread)
{
    TARGET_HELD(self, thread);
    return suspend(self, thread);
}

jvmtiError
jvmti_ResumeThread(struct thread *self, const struct target *thread)
{
    TARGET_HELD(self, thread);
    struct continuation *c;

    TRY(find_carried(self, thread, &c));
    return (c                     ? virtual_thread_resume(self->vm, c)
            : is_platform(thread) ? platform_thread_resume(thread->live)
                                  : thread_resume(thread->live))
               ? JVMTI_ERROR_NONE
               : JVMTI_ERROR_THREAD_NOT_SUSPENDED;
}

/* Calls act for one element of an agent's list, with the checks that a wrapper makes
   for a single thread.  Those are that thread is a java.lang.Thread and alive.  The
   struct jvmti_call is not the wrapper's: it only carries the pin for this element,
   which is removed here. */
static jvmtiError
call_for_element(struct thread *self, jthread thread,
                 jvmtiError (*act)(struct thread *self, const struct target *target))
{
    struct jvmti_call call = { .self = self };
    struct target target;
    jvmtiError error = jvmti_resolve_thread(&call, thread, NULL_IS_INVALID,
                                            TARGET_ALIVE, &target);

    if (error == JVMTI_ERROR_NONE)
        error = act(self, &target);
    if (call.pinned)
        thread_unpin(call.pinned);
    return error;
}

/* The calling thread is suspended last, since it could not suspend the others any more.
   If it is in the list twice, the second element finds it suspended. */
jvmtiError
jvmti_SuspendThreadList(struct thread *self, jint request_count,
                        const jthread *request_list, jvmtiError *results)
{
    jint own = -1;

    for (jint i = 0; i < request_count; i++) {
        if (ref_get(request_list[i]) != self->current)
            results[i] = call_for_element(self, request_list[i], jvmti_SuspendThread);
        else if (own >= 0)
            results[i] = JVMTI_ERROR_THREAD_SUSPENDED;
        else
            own = i;
    }
    if (own >= 0)
        results[own] = call_for_element(self, request_list[own], jvmti_SuspendThread);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_ResumeThreadList(struct thread *self, jint request_count,
                       const jthread *request_list, jvmtiError *results)
{
    for (jint i = 0; i < request_count; i++)
        results[i] = call_for_element(self, request_list[i], jvmti_ResumeThread);
    return JVMTI_ERROR_NONE;
}

/* ---- stopping and interrupting ---- */

/* Stops a virtual thread that carriers run and that is held.  Where it is not mounted,
   it is in the middle of a method of the class library that expects no exception. */
static jvmtiError
stop_carried(struct thread *self, const struct target *thread, struct object *exception)
{
    struct continuation *c = virtual_thread_continuation(self->vm, thread->object);

    if (!target_is_alive(thread))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (!virtual_thread_is_suspended(self->vm, c))
        return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    if (!c || !c->thread)
        return JVMTI_ERROR_OPAQUE_FRAME;
    thread_stop(self, c->thread, exception);
    return JVMTI_ERROR_NONE;
}

/* The exception is thrown in the thread at its next safepoint, which may be after this
   returns.  A virtual thread has to be suspended or the calling one.  A platform thread
   that runs a virtual one gets it when that has been unmounted. */
jvmtiError
jvmti_StopThread(struct thread *self, const struct target *thread,
                 struct object *exception)
{
    struct continuation *c;

    if (!object_is_instance(exception, KC(self->vm, Throwable)))
        return JVMTI_ERROR_INVALID_OBJECT;
    TARGET_HELD(self, thread);
    if (thread->is_carried)
        return stop_carried(self, thread, exception);
    c = is_platform(thread) ? thread_carried(thread->live) : NULL;
    if (c) {
        c->async_exception = exception;
        return JVMTI_ERROR_NONE;
    }
    if (thread->live != self && !thread_is_suspended(thread->live)
        && thread_object_is_virtual(self->vm, thread->object))
        return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    thread_stop(self, thread->live, exception);
    return JVMTI_ERROR_NONE;
}

/* Calls Thread.interrupt, since interruptible channels and selectors hear of the
   interrupt there only.  If that fails, the VM's part of it is done here. */
jvmtiError
jvmti_InterruptThread(struct thread *self, const struct target *thread)
{
    EXCEPTION_WAITS(self);
    struct method *interrupt = class_find_method(
        object_class(thread->object), symbol_of("interrupt"), symbol_of("()V"));
    union slot receiver = { .ref = thread->object };

    if ((!interrupt || !java_call(self, interrupt, &receiver, NULL))
        && !thread->is_carried) {
        thread_mark_interrupted(thread->live);
        thread_interrupt(thread->live);
    }
    return JVMTI_ERROR_NONE;
}

/* ---- monitors ---- */

/* The argument of add_owned_handles: a scope of the requester, which gets a handle for
   each monitor's object, and the depths for the same objects (mem_free). */
struct owned_monitors {
    struct handle_scope found;
    jvmtiMonitorStackDepthInfo *rows;
};

/* Returns true if o has a handle in the scope. */
static bool
is_listed(const struct handle_scope *found, const struct object *o)
{
    for (size_t i = 0; i < handle_scope_count(found); i++)
        if (handle_scope_objects(found)[i] == o)
            return true;
    return false;
}

/* Lists the monitors that t owns by Java frames, or by JNI, each once, from the newest
   entry to the oldest; a monitor that is listed is passed over.  The frame of a lock
   that JNI's MonitorEnter has taken is NULL, which gives the depth -1; by_jni tells
   which of the two kinds is listed.  owned->rows has room for all locks of t. */
static void
add_owned_by(struct thread *t, struct thread *requester, struct owned_monitors *owned,
             bool by_jni)
{
    for (uint32_t i = t->lock_count; i-- > 0;) {
        const struct held_lock *lock = &t->locks[i];

        if ((lock->frame == NULL) != by_jni || !monitor_owns_entry(t, lock)
            || is_listed(&owned->found, lock->object))
            continue;
        owned->rows[handle_scope_count(&owned->found)].stack_depth = stack_depth_of(
            t, lock->frame);
        handle_new(requester, lock->object);
    }
}

/* The operation of a handshake: lists the monitors that t owns.  The text does not say
   which depth a monitor has that several frames have entered; as on HotSpot it is that
   of the newest one, and -1 only where no Java frame has entered it.  arg is a struct
   owned_monitors, whose rows are NULL before. */
static jvmtiError
add_owned_handles(struct thread *t, struct thread *requester, void *arg)
{
    struct owned_monitors *owned = arg;

    owned->rows = mem_try_calloc(t->lock_count + 1u, sizeof *owned->rows);
    if (!owned->rows)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    add_owned_by(t, requester, owned, false);
    add_owned_by(t, requester, owned, true);
    return JVMTI_ERROR_NONE;
}

/* The depths are not asked for, so the rows are dropped. */
jvmtiError
jvmti_GetOwnedMonitorInfo(struct thread *self, const struct target *thread, jint *count,
                          jobject **owned_monitors)
{
    struct owned_monitors owned = { .found = handle_scope_open(self) };

    TRY(jvmti_handshake(self, thread, add_owned_handles, &owned));
    mem_free(owned.rows);
    return jvmti_locals(&owned.found, count, owned_monitors);
}

/* The rows become result memory, which the agent frees; the references are filled in
   now, since a handshake operation could not make them. */
jvmtiError
jvmti_GetOwnedMonitorStackDepthInfo(struct thread *self, const struct target *thread,
                                    jint *monitor_info_count,
                                    jvmtiMonitorStackDepthInfo **monitor_info)
{
    struct owned_monitors owned = { .found = handle_scope_open(self) };
    size_t count;

    TRY(jvmti_handshake(self, thread, add_owned_handles, &owned));
    count = handle_scope_count(&owned.found);
    /* An empty list is NULL (JVM TI, "Function Return Values"). */
    if (count == 0) {
        mem_free(owned.rows);
        owned.rows = NULL;
    } else {
        TRY(jvmti_add_result(owned.rows));
    }
    for (size_t i = 0; i < count; i++)
        TRY(jvmti_local(self, handle_scope_objects(&owned.found)[i],
                        &owned.rows[i].monitor));
    *monitor_info_count = (jint)count;
    *monitor_info = owned.rows;
    return JVMTI_ERROR_NONE;
}

/* The operation of a handshake: finds the object that t waits for.  arg is a struct
   object **; the object, or NULL if t waits for none, gets a handle of requester. */
static jvmtiError
find_contended(struct thread *t, struct thread *requester, void *arg)
{
    *(struct object **)arg = handle_new(requester, monitor_contended(t));
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetCurrentContendedMonitor(struct thread *self, const struct target *thread,
                                 jobject *monitor)
{
    struct object *o;

    TRY(jvmti_handshake(self, thread, find_contended, &o));
    return jvmti_local(self, o, monitor);
}

/* ---- agent threads ---- */

/* What run_agent gets; it frees it. */
struct agent_start {
    struct jvmti_env *env;
    jvmtiStartFunction proc;
    void *arg;
};

/* The whole life of an agent's thread: calls the agent's function in native state. */
static void
run_agent(struct thread *self, void *arg)
{
    struct agent_start start = *(struct agent_start *)arg;

    mem_free(arg);
    struct ref_frame refs = ref_frame_begin(self);
    thread_begin_downcall(self);
    start.proc(&start.env->handle, thread_env(self), start.arg);
    thread_end_downcall(self);
    ref_frame_end(self, refs);
}

/* Starts proc in a daemon thread whose java.lang.Thread is given, which must not have
   been started before (state 0). */
jvmtiError
jvmti_RunAgentThread(struct thread *self, struct jvmti_env *env,
                     const struct target *thread, jvmtiStartFunction proc,
                     const void *arg, jint priority)
{
    struct agent_start *start;
    EXCEPTION_WAITS(self);

    if (thread_object_is_virtual(self->vm, thread->object))
        return JVMTI_ERROR_UNSUPPORTED_OPERATION;
    if (target_status_now(self, thread) != STATUS_NEW)
        return JVMTI_ERROR_INVALID_THREAD;
    /* As a result of this call it is freed if the thread cannot be started. */
    TRY(JVMTI_ALLOC(1, &start));
    *start = (struct agent_start){ env, proc, (void *)(uintptr_t)arg };
    if (thread_start_internal(self, thread->object, NULL, run_agent, start, priority))
        return JVMTI_ERROR_NONE;
    return JVMTI_ERROR_OUT_OF_MEMORY;
}

/* ---- local storage ---- */

/* The thread is alive and pinned.  Storing NULL where there is nothing needs no entry,
   so none is made. */
jvmtiError
jvmti_SetThreadLocalStorage(struct thread *self, struct jvmti_env *env,
                            const struct target *thread, const void *data)
{
    TARGET_HELD(self, thread);
    struct jvmti_thread *kept;
    struct env_thread *e;

    TRY(target_data(self, thread, &kept));
    e = env_thread_find(kept, env);
    if (!e && data && !(e = env_thread_make(kept, env)))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (e)
        __atomic_store_n(&e->storage, (void *)(uintptr_t)data, __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadLocalStorage(struct thread *self, struct jvmti_env *env,
                            const struct target *thread, void **data)
{
    TARGET_HELD(self, thread);
    struct jvmti_thread *kept;
    const struct env_thread *e;

    TRY(target_data(self, thread, &kept));
    e = env_thread_find(kept, env);
    *data = e ? __atomic_load_n(&e->storage, __ATOMIC_ACQUIRE) : NULL;
    return JVMTI_ERROR_NONE;
}
