/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/thread.c -- JVM TI "Thread". */

#include "base/mem.h"
#include "jni/entry.h"
#include "jvmti/env.h"
#include "jvmti/stack.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"
#include "vm/string.h"

/* ---- queries ---- */

jvmtiError
jvmti_GetCurrentThread(jthread *thread_ptr)
{
    return jvmti_local(current_thread->object, thread_ptr);
}

/* Live threads' objects, kept; the caller frees. */
jvmtiError
jvmti_live_threads(struct thread *self, bool (*takes)(const struct thread *t, void *arg),
                   void *arg, struct object ***result, size_t *result_count)
{
    size_t count, taken = 0;
    struct thread **list = thread_list(self->vm, false, &count);
    struct object **objects = mem_try_calloc(count + 1, sizeof *objects);

    if (list == NULL || objects == NULL) {
        thread_list_release(list, list != NULL ? count : 0);
        mem_free(objects);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        if (list[i]->object != NULL && thread_of_object(list[i]->object) == list[i]
            && takes(list[i], arg))
            objects[taken++] = keep(self, list[i]->object);
    thread_list_release(list, count);
    *result = objects;
    *result_count = taken;
    return JVMTI_ERROR_NONE;
}

static bool
any_thread(const struct thread *t, void *arg)
{
    (void)t;
    (void)arg;
    return true;
}

jvmtiError
jvmti_GetAllThreads(jint *threads_count_ptr, jthread **threads_ptr)
{
    struct object **objects;
    size_t count;

    TRY(jvmti_live_threads(current_thread, any_thread, NULL, &objects, &count));
    jvmtiError error = jvmti_locals(objects, count, threads_ptr);
    if (error == JVMTI_ERROR_NONE)
        *threads_count_ptr = (jint)count;
    mem_free(objects);
    return error;
}

/* Thread.threadStatus of a thread that is not alive: 0 is new. */
jint
jvmti_thread_state(const struct jvmti_target *target)
{
    const struct vm *vm = current_thread->vm;
    int32_t status = OBJECT_FIELD(int32_t, target->object, KF(vm, Thread_threadStatus));

    if (target->live != NULL)
        return (jint)thread_jvmti_state(target->live);
    return status == 0 ? 0 : JVMTI_THREAD_STATE_TERMINATED;
}

jvmtiError
jvmti_GetThreadState(const struct jvmti_target *thread, jint *thread_state_ptr)
{
    *thread_state_ptr = jvmti_thread_state(thread);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadInfo(const struct jvmti_target *thread, jvmtiThreadInfo *info_ptr)
{
    const struct vm *vm = current_thread->vm;
    struct object *o = thread->object;
    struct object *name = OBJECT_FIELD(struct object *, o, KF(vm, Thread_name));
    jvmtiThreadInfo info = {
        .priority = OBJECT_FIELD(int32_t, o, KF(vm, Thread_priority)),
        .is_daemon = OBJECT_FIELD(uint8_t, o, KF(vm, Thread_daemon)) != 0,
    };

    TRY(jvmti_local(OBJECT_FIELD(struct object *, o, KF(vm, Thread_group)),
                    &info.thread_group));
    TRY(jvmti_local(OBJECT_FIELD(struct object *, o, KF(vm, Thread_contextClassLoader)),
                    &info.context_class_loader));
    if (name != NULL)
        info.name = string_to_modified(name);
    else
        TRY(jvmti_copy("", &info.name));
    *info_ptr = info;
    return JVMTI_ERROR_NONE;
}

/* ---- suspension ---- */

static jvmtiError
suspend(const struct jvmti_target *target)
{
    struct thread *t = target->live;
    bool has_ended;

    if (t == NULL)
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (thread_suspend(current_thread, t))
        return JVMTI_ERROR_NONE;
    pthread_mutex_lock(&t->lock);
    has_ended = t->is_ended;
    pthread_mutex_unlock(&t->lock);
    return has_ended ? JVMTI_ERROR_THREAD_NOT_ALIVE : JVMTI_ERROR_THREAD_SUSPENDED;
}

static jvmtiError
resume(const struct jvmti_target *target)
{
    if (target->live == NULL)
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return thread_resume(current_thread, target->live)
               ? JVMTI_ERROR_NONE : JVMTI_ERROR_THREAD_NOT_SUSPENDED;
}

jvmtiError
jvmti_SuspendThread(const struct jvmti_target *thread)
{
    return suspend(thread);
}

jvmtiError
jvmti_ResumeThread(const struct jvmti_target *thread)
{
    return resume(thread);
}

/* One element of a list; with is_self, the calling thread is only reported there. */
static jvmtiError
for_one(jthread thread, jvmtiError (*act)(const struct jvmti_target *target),
        bool *is_self)
{
    struct jvmti_call call = { .self = current_thread };
    struct jvmti_target target;
    jvmtiError error =
        jvmti_resolve_thread(&call, thread, NULL_IS_INVALID, TARGET_ALIVE, &target);

    if (error == JVMTI_ERROR_NONE) {
        if (is_self != NULL && target.live == current_thread)
            *is_self = true;
        else
            error = act(&target);
    }
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
        bool is_self = false;
        results[i] = for_one(request_list[i], suspend, &is_self);
        if (is_self && own >= 0)
            results[i] = JVMTI_ERROR_THREAD_SUSPENDED;
        else if (is_self)
            own = i;
    }
    if (own >= 0)
        results[own] = for_one(request_list[own], suspend, NULL);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_ResumeThreadList(jint request_count, const jthread *request_list,
                       jvmtiError *results)
{
    for (jint i = 0; i < request_count; i++)
        results[i] = for_one(request_list[i], resume, NULL);
    return JVMTI_ERROR_NONE;
}

/* Without virtual threads there is none to except. */
static jvmtiError
all_virtual(jint except_count)
{
    return except_count == 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
}

jvmtiError
jvmti_SuspendAllVirtualThreads(jint except_count, const jthread *except_list)
{
    (void)except_list;
    return all_virtual(except_count);
}

jvmtiError
jvmti_ResumeAllVirtualThreads(jint except_count, const jthread *except_list)
{
    (void)except_list;
    return all_virtual(except_count);
}

/* ---- signals ---- */

jvmtiError
jvmti_StopThread(const struct jvmti_target *thread, struct object *exception)
{
    struct thread *self = current_thread;

    if (!object_is_instance(exception, KC(self->vm, Throwable)))
        return JVMTI_ERROR_INVALID_OBJECT;
    thread_stop(self, thread->live, exception);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_InterruptThread(const struct jvmti_target *thread)
{
    struct thread *self = current_thread;
    struct object *pending = keep(self, exception_take(self));
    struct method *interrupt =
        class_find_method(object_class(thread->object), symbol_of("interrupt"),
                          symbol_of("()V"));
    union slot receiver = { .ref = thread->object };

    /* Interruptible channels and selectors hang on the Java method. */
    if (interrupt == NULL || !java_call(self, interrupt, &receiver, NULL)) {
        thread_mark_interrupted(thread->live);
        thread_interrupt(thread->live);
    }
    self->exception = pending;
    return JVMTI_ERROR_NONE;
}

/* ---- monitors ---- */

struct owned {
    struct thread *asker;
    struct object **objects;
    jint *depths;
    size_t count;
    bool is_short;
};

static bool
is_listed(const struct owned *owned, const struct object *o)
{
    for (size_t i = 0; i < owned->count; i++)
        if (owned->objects[i] == o)
            return true;
    return false;
}

/* In a handshake; the asker waits, so its scope can take the objects. */
static void
collect_owned(struct thread *t, void *arg)
{
    struct owned *owned = arg;

    owned->objects = mem_try_calloc(t->lock_count + 1, sizeof *owned->objects);
    owned->depths = mem_try_calloc(t->lock_count + 1, sizeof *owned->depths);
    owned->is_short = owned->objects == NULL || owned->depths == NULL;
    for (uint32_t i = t->lock_count; i-- > 0 && !owned->is_short;) {
        const struct held_lock *lock = &t->locks[i];
        if (!monitor_owns_entry(t, lock) || is_listed(owned, lock->object))
            continue;
        /* A monitor is held from its oldest entry on. */
        uint32_t oldest = i;
        for (uint32_t k = 0; k < i; k++)
            if (t->locks[k].object == lock->object) {
                oldest = k;
                break;
            }
        owned->depths[owned->count] = stack_depth_of(t, t->locks[oldest].frame);
        owned->objects[owned->count++] = keep(owned->asker, lock->object);
    }
}

static jvmtiError
owned_by(const struct jvmti_target *thread, struct owned *owned)
{
    *owned = (struct owned){ .asker = current_thread };
    if (!handshake(current_thread, thread->live, collect_owned, owned))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return owned->is_short ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_NONE;
}

static void
release_owned(struct owned *owned)
{
    mem_free(owned->objects);
    mem_free(owned->depths);
}

jvmtiError
jvmti_GetOwnedMonitorInfo(const struct jvmti_target *thread,
                          jint *owned_monitor_count_ptr, jobject **owned_monitors_ptr)
{
    struct owned owned;
    jvmtiError error = owned_by(thread, &owned);

    if (error == JVMTI_ERROR_NONE)
        error = jvmti_locals(owned.objects, owned.count, owned_monitors_ptr);
    if (error == JVMTI_ERROR_NONE)
        *owned_monitor_count_ptr = (jint)owned.count;
    release_owned(&owned);
    return error;
}

jvmtiError
jvmti_GetOwnedMonitorStackDepthInfo(const struct jvmti_target *thread,
                                    jint *monitor_info_count_ptr,
                                    jvmtiMonitorStackDepthInfo **monitor_info_ptr)
{
    struct owned owned;
    jvmtiMonitorStackDepthInfo *rows = NULL;
    jvmtiError error = owned_by(thread, &owned);

    if (error == JVMTI_ERROR_NONE)
        error = jvmti_alloc(owned.count * sizeof *rows, &rows);
    for (size_t i = 0; i < owned.count && error == JVMTI_ERROR_NONE; i++) {
        rows[i].stack_depth = owned.depths[i];
        error = jvmti_local(owned.objects[i], &rows[i].monitor);
    }
    if (error == JVMTI_ERROR_NONE) {
        *monitor_info_count_ptr = (jint)owned.count;
        *monitor_info_ptr = rows;
    } else {
        jvmti_free(rows);
    }
    release_owned(&owned);
    return error;
}

struct contended {
    struct thread *asker;
    struct object *object;
};

static void
find_contended(struct thread *t, void *arg)
{
    struct contended *c = arg;

    c->object = keep(c->asker, monitor_contended(t));
}

jvmtiError
jvmti_GetCurrentContendedMonitor(const struct jvmti_target *thread,
                                 jobject *monitor_ptr)
{
    struct contended c = { .asker = current_thread };

    if (!handshake(current_thread, thread->live, find_contended, &c))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return jvmti_local(c.object, monitor_ptr);
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
    thread_leave_vm(self);
    start.proc(&start.env->handle, thread_env(self), start.arg);
    thread_enter_vm(self);
    ref_release(self, mark);
}

jvmtiError
jvmti_RunAgentThread(struct jvmti_env *env, const struct jvmti_target *thread,
                     jvmtiStartFunction proc, const void *arg, jint priority)
{
    struct thread *self = current_thread;
    struct object *pending = keep(self, exception_take(self));
    struct agent_start *start;

    if (jvmti_thread_state(thread) != 0) {
        self->exception = pending;
        return JVMTI_ERROR_INVALID_THREAD;
    }
    start = mem_try_alloc(sizeof *start);
    bool started = false;
    if (start != NULL) {
        *start = (struct agent_start){ env, proc, (void *)(uintptr_t)arg };
        started = thread_start_internal(self, thread->object, NULL, run_agent, start,
                                        priority);
    }
    if (!started)
        mem_free(start);
    self->exception = pending;
    return started ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

/* ---- local storage ---- */

jvmtiError
jvmti_SetThreadLocalStorage(struct jvmti_env *env, const struct jvmti_target *thread,
                            const void *data)
{
    struct env_thread *e = env_thread_find(thread->live, env);

    if (e == NULL && data != NULL && (e = env_thread_make(thread->live, env)) == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (e != NULL)
        __atomic_store_n(&e->storage, (void *)(uintptr_t)data, __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadLocalStorage(struct jvmti_env *env, const struct jvmti_target *thread,
                            void **data_ptr)
{
    const struct env_thread *e = env_thread_find(thread->live, env);

    *data_ptr = e != NULL ? __atomic_load_n(&e->storage, __ATOMIC_ACQUIRE) : NULL;
    return JVMTI_ERROR_NONE;
}
