/* SPDX-License-Identifier: MIT */
/*
 * layer/thread.c -- rules about threads: attaching them and suspending them (JVM TI
 * "Thread"; JNI "The Invocation API").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"

/* Threads that the agent has suspended and not resumed. */
struct suspended {
    jweak thread;
    char name[64];
    struct stack stack;
    struct suspended *next;
};
static struct suspended *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static JNIEnv *
real_jni(void)
{
    void *env = NULL;

    return (*check_real_vm)->GetEnv(check_real_vm, &env, JNI_VERSION_1_2) == JNI_OK
        ? env : NULL;
}

/* ---- attaching ---- */

/* May the thread not be attached here?  At the start it is only about to be. */
static bool
is_early(void)
{
    jvmtiPhase phase = check_phase();

    return phase == JVMTI_PHASE_ONLOAD || phase == JVMTI_PHASE_PRIMORDIAL
        || phase == JVMTI_PHASE_DEAD;
}

static void
check_attached(const struct interpose_call *call)
{
    const char *name = interpose_functions[call->function].name;

    if (call->thread->event != NULL || call->thread->restricted > 0
        || real_jni() != NULL || is_early())
        return;
    check_found(RULE_THREAD_UNATTACHED, name,
                "%s is called on a thread that is not attached to the VM", name);
}

void
interposed_attached(struct interpose_vm *vm, struct interpose_thread *thread,
                    bool is_daemon, void *caller)
{
    struct check_thread *state = thread->state;

    (void)vm, (void)caller;
    state->is_daemon = is_daemon;
    local_reset(state);
    __atomic_store_n(&state->stack_place, (uintptr_t)&state, __ATOMIC_RELAXED);
    stack_take(&state->attached_at);
    __atomic_store_n(&state->is_attached_by_agent, true, __ATOMIC_RELEASE);
    check_thread_mark(thread);
    if (!is_daemon)
        progress_watch_end();
}

/* Java methods that the thread has called. */
static bool
runs_java(void)
{
    jint count = 0;

    return check_phase() == JVMTI_PHASE_LIVE
        && (*check_jvmti)->GetFrameCount(check_jvmti, NULL, &count) == JVMTI_ERROR_NONE
        && count > 0;
}

bool
interposed_detaching(struct interpose_vm *vm, struct interpose_thread *thread)
{
    const struct check_thread *state = thread->state;

    if (interpose_real_jni(vm) == NULL
        || (state->is_attached_by_agent && thread->event == NULL && !runs_java()))
        return true;
    if (thread->event != NULL)
        check_found(RULE_THREAD_DETACHED_JAVA, "DetachCurrentThread",
                    "DetachCurrentThread is called in the callback of %s, which returns to "
                    "the VM", thread->event->facts->name);
    else
        check_found(RULE_THREAD_DETACHED_JAVA, "DetachCurrentThread",
                    "DetachCurrentThread is called on a thread that the agent has not "
                    "attached, or that Java code runs on");
    return false;
}

bool
interposed_destroying(struct interpose_thread *thread)
{
    if (thread->event == NULL && !runs_java())
        return true;
    check_found(RULE_THREAD_DESTROYS_VM, "DestroyJavaVM",
                "DestroyJavaVM is called %s%s: it waits for this thread to end",
                thread->event != NULL ? "in the callback of " : "where Java code runs",
                thread->event != NULL ? thread->event->facts->name : "");
    return false;
}

void
interposed_detached(struct interpose_vm *vm, struct interpose_thread *thread)
{
    struct check_thread *state = thread->state;

    (void)vm;
    __atomic_store_n(&state->is_attached_by_agent, false, __ATOMIC_RELAXED);
    state->is_marked = false;
    local_reset(state);
}

void
interposed_thread_ended(struct interpose_thread *thread)
{
    struct check_thread *state = thread->state;

    if (state->is_attached_by_agent)
        check_found_at(RULE_THREAD_ENDED_ATTACHED, "AttachCurrentThread",
                       &state->attached_at, 1,
                       "a thread of the agent ended attached, without "
                       "DetachCurrentThread");
    __atomic_store_n(&state->is_attached_by_agent, false, __ATOMIC_RELAXED);
}

/* Let the layer's environment know the record of the calling thread. */
void
check_thread_mark(struct interpose_thread *thread)
{
    struct check_thread *state = thread->state;

    if (state->is_marked || thread->restricted > 0
        || (thread->event != NULL && !thread->event->facts->has_jni)
        || check_phase() != JVMTI_PHASE_LIVE)
        return;
    state->is_marked =
        (*check_jvmti)->SetThreadLocalStorage(check_jvmti, NULL, state)
        == JVMTI_ERROR_NONE;
}

/* ---- suspending ---- */

static bool
is_current(jthread thread)
{
    JNIEnv *jni = real_jni();
    jthread current;
    bool same;

    if (thread == NULL)
        return true;
    if (jni == NULL
        || (*check_jvmti)->GetCurrentThread(check_jvmti, &current) != JVMTI_ERROR_NONE)
        return false;
    same = (*jni)->IsSameObject(jni, thread, current);
    (*jni)->DeleteLocalRef(jni, current);
    return same;
}

static void
name_of(jthread thread, char *name, size_t size)
{
    JNIEnv *jni = real_jni();
    jvmtiThreadInfo info;

    name[0] = '\0';
    if (jni == NULL
        || (*check_jvmti)->GetThreadInfo(check_jvmti, thread, &info)
            != JVMTI_ERROR_NONE)
        return;
    snprintf(name, size, "%s", info.name != NULL ? info.name : "");
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

static void
check_suspension(jthread thread)
{
    const struct check_thread *state;
    const char *monitor;
    char name[64];

    if (check_phase() != JVMTI_PHASE_LIVE)
        return;
    if (is_current(thread))
        check_found(RULE_THREAD_SUSPENDS_ITSELF, "SuspendThread",
                    "a thread suspends itself: only another one can make it go on");
    else if (monitor_is_held(check_thread_self(), &monitor))
        check_found(RULE_MONITOR_HELD_OVER_SUSPENSION, "SuspendThread",
                    "a thread is suspended by one that holds raw monitor '%s'", monitor);
    state = check_thread_of(thread);
    if (state == NULL || !monitor_is_held(state, &monitor))
        return;
    name_of(thread, name, sizeof name);
    check_found(RULE_MONITOR_HELD_BY_SUSPENDED, "SuspendThread",
                "thread \"%s\" is suspended while it holds raw monitor '%s'", name,
                monitor);
}

static void
add_suspended(jthread thread)
{
    JNIEnv *jni = real_jni();
    struct suspended *s = calloc(1, sizeof *s);
    struct check_thread *state = check_thread_of(thread);

    if (state != NULL)
        __atomic_store_n(&state->suspended, 1, __ATOMIC_RELAXED);
    progress_watch_monitors();
    if (s == NULL || jni == NULL || thread == NULL
        || (s->thread = (*jni)->NewWeakGlobalRef(jni, thread)) == NULL) {
        free(s);
        return;
    }
    name_of(thread, s->name, sizeof s->name);
    stack_take(&s->stack);
    pthread_mutex_lock(&lock);
    s->next = list;
    list = s;
    pthread_mutex_unlock(&lock);
}

/* Has the agent suspended threads?  They may be about to be resumed. */
bool
thread_any_suspended(void)
{
    return __atomic_load_n(&list, __ATOMIC_RELAXED) != NULL;
}

/* Take out the thread, if it is there, and those that the collector has taken. */
static void
remove_suspended(jthread thread)
{
    JNIEnv *jni = real_jni();
    struct check_thread *state = check_thread_of(thread);
    struct suspended *all, *rest = NULL, *next;

    if (state != NULL)
        __atomic_store_n(&state->suspended, 0, __ATOMIC_RELAXED);
    if (jni == NULL || thread == NULL)
        return;
    /* JNI may block at a safepoint, so the list is taken out of the lock. */
    pthread_mutex_lock(&lock);
    all = list;
    list = NULL;
    pthread_mutex_unlock(&lock);
    for (; all != NULL; all = next) {
        next = all->next;
        if ((*jni)->IsSameObject(jni, all->thread, thread)
            || (*jni)->IsSameObject(jni, all->thread, NULL)) {
            (*jni)->DeleteWeakGlobalRef(jni, all->thread);
            free(all);
        } else {
            all->next = rest;
            rest = all;
        }
    }
    pthread_mutex_lock(&lock);
    while (rest != NULL) {
        next = rest->next;
        rest->next = list;
        list = rest;
        rest = next;
    }
    pthread_mutex_unlock(&lock);
}

static void
tell_result(const char *function, jvmtiError error)
{
    if (error == JVMTI_ERROR_THREAD_SUSPENDED)
        check_found(RULE_THREAD_SUSPENDED_TWICE, function,
                    "%s of a thread that is suspended already: one ResumeThread makes it "
                    "go on", function);
    else if (error == JVMTI_ERROR_THREAD_NOT_SUSPENDED)
        check_found(RULE_THREAD_RESUME_NOT_SUSPENDED, function,
                    "%s of a thread that is not suspended", function);
}

/* What StopThread has a thread throw: HotSpot takes any object. */
static bool
check_thrown(struct interpose_call *call)
{
    JNIEnv *jni = real_jni();

    if (call->args[1].p == NULL || jni == NULL || !check_may_ask(call->thread)
        || kind_fits(jni, call->args[1].p, "jthrowable"))
        return true;
    check_found(RULE_REFERENCE_WRONG_KIND, "StopThread",
                "StopThread gets in 'exception' an object that is not below Throwable");
    call->error = JVMTI_ERROR_INVALID_OBJECT;
    return false;
}

bool
thread_begin(struct interpose_call *call)
{
    struct check_thread *state = call->thread->state;

    /* Outside of callbacks it is the agent's own thread that calls. */
    if (call->thread->event == NULL && call->thread->restricted == 0
        && state->loading == NULL)
        __atomic_store_n(&state->stack_place, (uintptr_t)call, __ATOMIC_RELAXED);
    check_attached(call);
    switch (call->function) {
    case INTERPOSE_SuspendThread:
        check_suspension(call->args[0].p);
        break;
    case INTERPOSE_SuspendThreadList:
        for (jint i = 0; call->args[1].p != NULL && i < call->args[0].i; i++)
            check_suspension(((const jthread *)call->args[1].p)[i]);
        break;
    case INTERPOSE_StopThread:
        return check_thrown(call);
    default:
        break;
    }
    return true;
}

void
thread_end(struct interpose_call *call)
{
    const char *name = interpose_functions[call->function].name;
    const jthread *threads;
    const jvmtiError *results;

    switch (call->function) {
    case INTERPOSE_SuspendThread:
        tell_result(name, call->error);
        if (call->error == JVMTI_ERROR_NONE)
            add_suspended(call->args[0].p);
        break;
    case INTERPOSE_ResumeThread:
        tell_result(name, call->error);
        if (call->error == JVMTI_ERROR_NONE)
            remove_suspended(call->args[0].p);
        break;
    case INTERPOSE_SuspendThreadList:
    case INTERPOSE_ResumeThreadList:
        threads = call->args[1].p;
        results = call->args[2].p;
        for (jint i = 0; call->error == JVMTI_ERROR_NONE && i < call->args[0].i; i++) {
            tell_result(name, results[i]);
            if (results[i] != JVMTI_ERROR_NONE)
                continue;
            if (call->function == INTERPOSE_SuspendThreadList)
                add_suspended(threads[i]);
            else
                remove_suspended(threads[i]);
        }
        break;
    default:
        if (call->error == JVMTI_ERROR_THREAD_NOT_SUSPENDED)
            check_found(RULE_THREAD_NOT_SUSPENDED, name,
                        "%s is called for a thread that is not suspended", name);
        break;
    }
}

/* ---- the end ---- */

static void
tell_suspended(struct suspended *s)
{
    check_found_at(RULE_THREAD_NEVER_RESUMED, "SuspendThread", &s->stack, 1,
                   "thread \"%s\" was suspended and never resumed", s->name);
}

/* After the agent's VMDeath: which threads are suspended still?  Later JNI cannot be
   asked. */
void
thread_at_death(void)
{
    JNIEnv *jni = real_jni();
    struct suspended *all, *next;

    pthread_mutex_lock(&lock);
    all = list;
    list = NULL;
    pthread_mutex_unlock(&lock);
    for (; all != NULL; all = next) {
        jthread thread = jni != NULL ? (*jni)->NewLocalRef(jni, all->thread) : NULL;
        jint state = 0;

        next = all->next;
        if (thread != NULL
            && (*check_jvmti)->GetThreadState(check_jvmti, thread, &state)
                == JVMTI_ERROR_NONE && (state & JVMTI_THREAD_STATE_SUSPENDED))
            tell_suspended(all);
        free(all);
    }
}

bool
thread_is_attached(const struct check_thread *state)
{
    return __atomic_load_n(&state->is_attached_by_agent, __ATOMIC_ACQUIRE);
}

static void
tell_attached(struct interpose_thread *thread, void *data)
{
    const struct check_thread *state = thread->state;
    const struct check_thread **found = data;

    if (*found == NULL && thread_is_attached(state) && !state->is_daemon)
        *found = state;
}

void
thread_at_exit(void)
{
    const struct check_thread *attached = NULL;

    interpose_each_thread(tell_attached, &attached);
    if (attached != NULL)
        check_found_at(RULE_THREAD_ATTACHED_AT_EXIT, "AttachCurrentThread",
                       &attached->attached_at, 1,
                       "a thread that the agent attached is attached still");
    for (struct suspended *s = list; s != NULL; s = s->next)
        tell_suspended(s);
}
