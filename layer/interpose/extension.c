/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/extension.c -- extension functions and events (JVM TI "Extension
 * Mechanism").
 *
 * Only their users know their parameters, but all begin with an environment, which has
 * to be changed on the way.  So a wrapper takes as many words and as many doubles as the
 * conventions of x86-64 and AArch64 pass in registers, and some words of the stack, and
 * passes them on: each argument gets to where it was.  A wrapper is a function of the
 * table of generated ones that knows its place in it.
 */
#include "layer/interpose/extension.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jvmtiExtensionFunction functions[INTERPOSE_EXTENSIONS];
static struct {
    struct interpose_env *env;
    jint index;
    jvmtiExtensionEvent callback;
} events[INTERPOSE_EXTENSIONS];

jvmtiError
interpose_extension_call(int place, jvmtiEnv *env, const struct extension_args *a)
{
    struct interpose_env *ours = (struct interpose_env *)env;

    return functions[place](ours->real, a->w[0], a->w[1], a->w[2], a->w[3], a->w[4],
                            a->d[0], a->d[1], a->d[2], a->d[3], a->d[4], a->d[5],
                            a->d[6], a->d[7], a->w[5], a->w[6]);
}

void
interpose_extension_event(int place, jvmtiEnv *real, struct extension_args *a)
{
    struct interpose_env *env = interpose_env_find(real);
    jvmtiExtensionEvent callback;
    JNIEnv *jni;

    callback = __atomic_load_n(&events[place].callback, __ATOMIC_ACQUIRE);
    if (callback == NULL || __atomic_load_n(&env->is_disposed, __ATOMIC_ACQUIRE))
        return;
    jni = interpose_real_jni(env->vm);
    if (jni != NULL && a->w[0] == (uintptr_t)jni)
        a->w[0] = (uintptr_t)interpose_jni_for(env->vm, interpose_thread_self(), jni);
    callback((jvmtiEnv *)&env->functions, a->w[0], a->w[1], a->w[2], a->w[3], a->w[4],
             a->d[0], a->d[1], a->d[2], a->d[3], a->d[4], a->d[5], a->d[6], a->d[7],
             a->w[5], a->w[6]);
}

void
interpose_extensions_wrap(struct interpose_call *call)
{
    jint count = *(jint *)call->args[0].p;
    jvmtiExtensionFunctionInfo *infos = *(jvmtiExtensionFunctionInfo **)call->args[1].p;

    pthread_mutex_lock(&lock);
    for (jint i = 0; i < count; i++) {
        int place = 0;

        while (place < INTERPOSE_EXTENSIONS && functions[place] != NULL
               && functions[place] != infos[i].func)
            place++;
        if (place == INTERPOSE_EXTENSIONS)
            continue;
        functions[place] = infos[i].func;
        infos[i].func = interpose_extension_functions[place];
    }
    pthread_mutex_unlock(&lock);
}

void
interpose_extension_event_adapt(struct interpose_call *call)
{
    jint index = call->args[0].i;
    jvmtiExtensionEvent callback = (jvmtiExtensionEvent)call->args[1].p;
    int place = 0;

    pthread_mutex_lock(&lock);
    while (place < INTERPOSE_EXTENSIONS && events[place].env != NULL
           && (events[place].env != call->env || events[place].index != index))
        place++;
    if (place < INTERPOSE_EXTENSIONS) {
        events[place].env = call->env;
        events[place].index = index;
        __atomic_store_n(&events[place].callback, callback, __ATOMIC_RELEASE);
        if (callback != NULL)
            call->args[1].p = (void *)interpose_extension_events[place];
    }
    pthread_mutex_unlock(&lock);
}
