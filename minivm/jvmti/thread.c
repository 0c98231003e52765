/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/thread.c -- JVM TI "Thread". */

#include "jni/entry.h"
#include "jvmti/env.h"
#include "vm/above.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"
#include "vm/string.h"

/* ---- queries ---- */

JVMTI_BODY(jvmtiError, jvmti_GetCurrentThread, (jthread *thread),
           jvmti_local(current_thread->object, thread))

jvmtiError
jvmti_keep_threads(struct thread *self, const struct object *group)
{
    size_t count;
    struct thread **list = thread_list(self->vm, false, &count);

    if (list == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        struct object *o = list[i]->object;
        if (o != NULL && thread_of_object(o) == list[i]
            && (group == NULL
                || (!list[i]->is_agent_thread
                    && REF_FIELD(self->vm, o, Thread_group) == group)))
            keep(self, o);
    }
    thread_list_release(list, count);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetAllThreads(jint *count, jthread **threads)
{
    struct scope found = scope_open(current_thread);

    TRY(jvmti_keep_threads(found.self, NULL));
    return jvmti_locals(&found, count, threads);
}

/* Thread.threadStatus of a thread that is not alive: 0 is new. */
jint
jvmti_GetThreadState(const struct target *thread)
{
    const struct vm *vm = current_thread->vm;
    int32_t status = INT_FIELD(vm, thread->object, Thread_threadStatus);

    if (thread->live != NULL)
        return (jint)thread_jvmti_state(thread->live);
    return status == 0 ? 0 : JVMTI_THREAD_STATE_TERMINATED;
}

jvmtiError
jvmti_GetThreadInfo(const struct target *thread, jvmtiThreadInfo *info)
{
    const struct vm *vm = current_thread->vm;
    struct object *o = thread->object;
    struct object *name = REF_FIELD(vm, o, Thread_name);
    jvmtiThreadInfo all = {
        .priority = INT_FIELD(vm, o, Thread_priority),
        .is_daemon = OBJECT_FIELD(uint8_t, o, KF(vm, Thread_daemon)) != 0,
    };

    TRY(jvmti_local(REF_FIELD(vm, o, Thread_group), &all.thread_group));
    TRY(jvmti_local(REF_FIELD(vm, o, Thread_contextClassLoader),
                    &all.context_class_loader));
    TRY(name != NULL ? jvmti_result(string_to_modified(name), &all.name)
                     : jvmti_copy("", &all.name));
    *info = all;
    return JVMTI_ERROR_NONE;
}

/* ---- suspension ---- */

jvmtiError
jvmti_SuspendThread(const struct target *thread)
{
    struct thread *t = thread->live;

    if (thread_suspend(current_thread, t))
        return JVMTI_ERROR_NONE;
    LOCK(&t->lock);
    return t->is_ended ? JVMTI_ERROR_THREAD_NOT_ALIVE : JVMTI_ERROR_THREAD_SUSPENDED;
}

JVMTI_BODY(jvmtiError, jvmti_ResumeThread, (const struct target *thread),
           thread_resume(current_thread, thread->live)
               ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_SUSPENDED)

/* One element of a list. */
static jvmtiError
for_one(jthread thread, jvmtiError (*act)(const struct target *target))
{
    struct jvmti_call call = { .self = current_thread };
    struct target target;
    jvmtiError error =
        jvmti_resolve_thread(&call, thread, NULL_IS_INVALID, TARGET_ALIVE, &target);

    if (error == JVMTI_ERROR_NONE)
        error = act(&target);
    if (call.pinned != NULL)
        thread_unpin(call.pinned);
    return error;
}

/* The calling thread comes last: the others are to be suspended by then. */
jvmtiError
jvmti_SuspendThreadList(jint request_count, const jthread *request_list,
                        jvmtiError *results)
{
    jint own = -1;

    for (jint i = 0; i < request_count; i++) {
        if (ref_get(request_list[i]) != current_thread->object)
            results[i] = for_one(request_list[i], jvmti_SuspendThread);
        else if (own >= 0)
            results[i] = JVMTI_ERROR_THREAD_SUSPENDED;
        else
            own = i;
    }
    if (own >= 0)
        results[own] = for_one(request_list[own], jvmti_SuspendThread);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_ResumeThreadList(jint request_count, const jthread *request_list,
                       jvmtiError *results)
{
    for (jint i = 0; i < request_count; i++)
        results[i] = for_one(request_list[i], jvmti_ResumeThread);
    return JVMTI_ERROR_NONE;
}

/* Without virtual threads there is none to except. */
#define ALL_VIRTUAL(function) \
    JVMTI_BODY(jvmtiError, function, \
               (jint except_count, const jthread *except_list UNUSED), \
               except_count == 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD)

ALL_VIRTUAL(jvmti_SuspendAllVirtualThreads)
ALL_VIRTUAL(jvmti_ResumeAllVirtualThreads)

/* ---- signals ---- */

jvmtiError
jvmti_StopThread(const struct target *thread, struct object *exception)
{
    struct thread *self = current_thread;

    if (!object_is_instance(exception, KC(self->vm, Throwable)))
        return JVMTI_ERROR_INVALID_OBJECT;
    thread_stop(self, thread->live, exception);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_InterruptThread(const struct target *thread)
{
    struct thread *self = current_thread;
    EXCEPTION_WAITS(self);
    struct method *interrupt =
        class_find_method(object_class(thread->object), symbol_of("interrupt"),
                          symbol_of("()V"));
    union slot receiver = { .ref = thread->object };

    /* Interruptible channels and selectors hang on the Java method. */
    if (interrupt == NULL || !java_call(self, interrupt, &receiver, NULL)) {
        thread_mark_interrupted(thread->live);
        thread_interrupt(thread->live);
    }
    return JVMTI_ERROR_NONE;
}

/* ---- monitors ---- */

/* What a thread owns is kept by the asker, which waits meanwhile. */
struct owned {
    struct scope found;
    jvmtiMonitorStackDepthInfo *rows; /* as many; mem_free */
};

static bool
is_listed(const struct scope *found, const struct object *o)
{
    for (size_t i = 0; i < scope_count(found); i++)
        if (scope_objects(found)[i] == o)
            return true;
    return false;
}

static jvmtiError
keep_owned(struct thread *t, struct thread *asker, void *arg)
{
    struct owned *owned = arg;

    owned->rows = mem_try_calloc(t->lock_count + 1u, sizeof *owned->rows);
    if (owned->rows == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = t->lock_count; i-- > 0;) {
        struct object *o = t->locks[i].object;
        uint32_t oldest = 0;
        if (!monitor_owns_entry(t, &t->locks[i]) || is_listed(&owned->found, o))
            continue;
        /* A monitor is held from its oldest entry on. */
        while (t->locks[oldest].object != o)
            oldest++;
        owned->rows[scope_count(&owned->found)].stack_depth =
            stack_depth_of(t, t->locks[oldest].frame);
        keep(asker, o);
    }
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetOwnedMonitorInfo(const struct target *thread, jint *count,
                          jobject **owned_monitors)
{
    struct owned owned = { .found = scope_open(current_thread) };

    TRY(jvmti_ask(thread, keep_owned, &owned));
    mem_free(owned.rows);
    return jvmti_locals(&owned.found, count, owned_monitors);
}

jvmtiError
jvmti_GetOwnedMonitorStackDepthInfo(const struct target *thread,
                                    jint *monitor_info_count,
                                    jvmtiMonitorStackDepthInfo **monitor_info)
{
    struct owned owned = { .found = scope_open(current_thread) };
    size_t count;

    TRY(jvmti_ask(thread, keep_owned, &owned));
    TRY(jvmti_result(owned.rows, monitor_info));
    count = scope_count(&owned.found);
    for (size_t i = 0; i < count; i++)
        TRY(jvmti_local(scope_objects(&owned.found)[i], &owned.rows[i].monitor));
    *monitor_info_count = (jint)count;
    return JVMTI_ERROR_NONE;
}

static jvmtiError
find_contended(struct thread *t, struct thread *asker, void *arg)
{
    *(struct object **)arg = keep(asker, monitor_contended(t));
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetCurrentContendedMonitor(const struct target *thread, jobject *monitor)
{
    struct object *o;

    TRY(jvmti_ask(thread, find_contended, &o));
    return jvmti_local(o, monitor);
}

/* ---- agent threads ---- */

struct agent_start {
    struct jvmti_env *env;
    jvmtiStartFunction proc;
    void *arg;
};

static void
run_agent(struct thread *self, void *arg)
{
    struct agent_start start = *(struct agent_start *)arg;

    mem_free(arg);
    struct ref_mark mark = ref_mark(self);
    thread_begin_callout(self);
    start.proc(&start.env->handle, thread_env(self), start.arg);
    thread_end_callout(self);
    ref_release(self, mark);
}

jvmtiError
jvmti_RunAgentThread(struct jvmti_env *env, const struct target *thread,
                     jvmtiStartFunction proc, const void *arg, jint priority)
{
    struct thread *self = current_thread;
    struct agent_start *start;
    EXCEPTION_WAITS(self);

    if (jvmti_GetThreadState(thread) != 0)
        return JVMTI_ERROR_INVALID_THREAD;
    TRY(jvmti_alloc(sizeof *start, &start));
    *start = (struct agent_start){ env, proc, (void *)(uintptr_t)arg };
    if (thread_start_internal(self, thread->object, NULL, run_agent, start, priority))
        return JVMTI_ERROR_NONE;
    return JVMTI_ERROR_OUT_OF_MEMORY;
}

/* ---- local storage ---- */

jvmtiError
jvmti_SetThreadLocalStorage(struct jvmti_env *env, const struct target *thread,
                            const void *data)
{
    struct env_thread *e = env_thread_find(thread->live, env);

    if (e == NULL && data != NULL && (e = env_thread_make(thread->live, env)) == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (e != NULL)
        __atomic_store_n(&e->storage, (void *)(uintptr_t)data, __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

void *
jvmti_GetThreadLocalStorage(struct jvmti_env *env, const struct target *thread)
{
    const struct env_thread *e = env_thread_find(thread->live, env);

    return e != NULL ? __atomic_load_n(&e->storage, __ATOMIC_ACQUIRE) : NULL;
}
