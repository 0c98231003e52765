/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/env.c -- environments of JVM TI, their calls and their events.
 *
 * An environment that was disposed of is never freed: an agent may call with it still,
 * which the client has to see before the VM reads memory that it has given back.  A VM may
 * even send it an event that was on its way meanwhile; the agent does not get that.
 */
#include "layer/interpose/wrappers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Environments that are not disposed of, and those that are.  They are added and moved
   under the lock and read without it: one that was moved keeps its `next`, and has another
   link for the second list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct interpose_env *envs, *disposed;

/* The wrappers, and empty slots where the VM has them. */
static jvmtiInterface_1 wrapped;

static struct interpose_env *
find(jvmtiEnv *real)
{
    struct interpose_env *env = __atomic_load_n(&envs, __ATOMIC_ACQUIRE);

    while (env != NULL && env->real != real)
        env = __atomic_load_n(&env->next, __ATOMIC_ACQUIRE);
    return env;
}

static struct interpose_env *
find_disposed(jvmtiEnv *real)
{
    struct interpose_env *env = __atomic_load_n(&disposed, __ATOMIC_ACQUIRE);

    while (env != NULL && env->real != real)
        env = env->next_disposed;
    return env;
}

struct interpose_env *
interpose_env_find(jvmtiEnv *real)
{
    struct interpose_env *env = find(real);

    if (env == NULL)
        env = find_disposed(real);
    if (env == NULL) {
        fprintf(stderr, "tiforge: an event came in an environment that is not known\n");
        abort();
    }
    return env;
}

struct interpose_env *
interpose_env_for(struct interpose_vm *vm, jvmtiEnv *real, jint version, bool is_new)
{
    struct interpose_env *env = is_new ? NULL : find(real);

    if (env != NULL)
        return env;
    env = calloc(1, sizeof *env);
    if (env == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    if (wrapped.Allocate == NULL) {
        jvmtiInterface_1 table = **real;

        interpose_fill_functions(&table);
        wrapped = table;
    }
    env->functions = &wrapped;
    env->real = real;
    env->vm = vm;
    env->next = envs;
    __atomic_store_n(&envs, env, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    interposed_env_made(env, version);
    return env;
}

void
interpose_each_env(void each(struct interpose_env *env, void *data), void *data)
{
    for (struct interpose_env *env = __atomic_load_n(&envs, __ATOMIC_ACQUIRE);
         env != NULL; env = __atomic_load_n(&env->next, __ATOMIC_ACQUIRE))
        each(env, data);
}

/* The VM has disposed of it and may use the address again: newer environments are found
   first. */
static void
move_to_disposed(struct interpose_env *env)
{
    struct interpose_env **at = &envs;

    pthread_mutex_lock(&lock);
    env->next_disposed = disposed;
    __atomic_store_n(&disposed, env, __ATOMIC_RELEASE);
    while (*at != NULL && *at != env)
        at = &(*at)->next;
    if (*at == env)
        __atomic_store_n(at, env->next, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

/* ---- calls ---- */

/* The agent's callbacks are kept here, member by member, because events may come
   meanwhile; the VM gets ours for those that are there. */
static bool
adapt_callbacks(struct interpose_call *call)
{
    const jvmtiEventCallbacks *given = call->args[0].p;
    jint size = call->args[1].i;
    jvmtiEventCallbacks agents = { 0 };
    void **from = (void **)&agents, **to = (void **)&call->env->callbacks;
    jvmtiEventCallbacks *wrappers;

    if (size < 0)
        return true;
    wrappers = call->storage = malloc(sizeof *wrappers);
    if (wrappers == NULL) {
        call->error = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (given != NULL)
        memcpy(&agents, given,
               (size_t)size < sizeof agents ? (size_t)size : sizeof agents);
    *wrappers = agents;
    interpose_fill_callbacks(wrappers);
    for (size_t i = 0; i < sizeof agents / sizeof *to; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    if (given != NULL)
        call->args[0].p = wrappers;
    return true;
}

/* What has to be changed in the arguments so that the agent's code is called through
   our wrappers. */
static bool
adapt(struct interpose_call *call)
{
    switch (call->function) {
    case INTERPOSE_SetEventCallbacks:
        return adapt_callbacks(call);
    case INTERPOSE_RunAgentThread:
        return interpose_agent_thread_adapt(call);
    case INTERPOSE_FollowReferences:
    case INTERPOSE_IterateThroughHeap:
    case INTERPOSE_IterateOverHeap:
    case INTERPOSE_IterateOverInstancesOfClass:
    case INTERPOSE_IterateOverReachableObjects:
    case INTERPOSE_IterateOverObjectsReachableFromObject:
        return interpose_heap_adapt(call);
    case INTERPOSE_SetExtensionEventCallback:
        interpose_extension_event_adapt(call);
        break;
    default:
        break;
    }
    return true;
}

bool
interpose_call_begin(struct interpose_call *call, jvmtiEnv *env)
{
    call->env = (struct interpose_env *)env;
    call->real = call->env->real;
    call->thread = interpose_thread_self();
    call->error = JVMTI_ERROR_NONE;
    call->data = call->storage = NULL;
    call->is_made = interposed_call_begin(call) && adapt(call);
    return call->is_made;
}

void
interpose_call_end(struct interpose_call *call)
{
    if (call->is_made && call->function == INTERPOSE_DisposeEnvironment
        && call->error == JVMTI_ERROR_NONE) {
        __atomic_store_n(&call->env->is_disposed, true, __ATOMIC_RELEASE);
        move_to_disposed(call->env);
    }
    if (call->is_made && call->error == JVMTI_ERROR_NONE
        && call->function == INTERPOSE_GetExtensionFunctions)
        interpose_extensions_wrap(call);
    if (call->is_made && call->error == JVMTI_ERROR_NONE
        && call->function == INTERPOSE_GetJNIFunctionTable)
        interpose_jni_table_wrap(*(void ***)call->args[0].p);
    free(call->storage);
    interposed_call_end(call);
}

/* ---- events ---- */

int
interpose_event_begin(struct interpose_event *event, jvmtiEnv *real, JNIEnv *jni)
{
    struct interpose_thread *thread = interpose_thread_self();

    event->env = interpose_env_find(real);
    event->thread = thread;
    event->jni = interpose_jni_for(event->env->vm, thread, jni);
    event->outer = thread->event;
    thread->event = event;
    event->is_late = __atomic_load_n(&event->env->is_disposed, __ATOMIC_ACQUIRE);
    return event->is_late ? 0 : interposed_event_begin(event);
}

void
interpose_event_end(struct interpose_event *event)
{
    if (!event->is_late)
        interposed_event_end(event);
    event->thread->event = event->outer;
}
