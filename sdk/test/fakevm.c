/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>

#include "fakevm.h"

#include <pthread.h>
#include <string.h>

#include <tiforge_names.h>

struct fake fake;

void *
fake_allocate(size_t size)
{
    fake.allocated++;
    return malloc(size);
}

static jvmtiError JNICALL
deallocate(jvmtiEnv *env, unsigned char *memory)
{
    (void)env;
    fake.deallocated += memory != NULL;
    free(memory);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
get_error_name(jvmtiEnv *env, jvmtiError error, char **name)
{
    (void)env;
    if (tiforge_error_name(error) == NULL)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    *name = strcpy((char *)fake_allocate(64), tiforge_error_name(error));
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
get_version(jvmtiEnv *env, jint *version)
{
    (void)env;
    *version = fake.version;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
set_mode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...)
{
    (void)env, (void)mode, (void)thread;
    fake.events[fake.event_count++ % 8] = event;
    return fake.enable_error;
}

static jvmtiError JNICALL
get_potential(jvmtiEnv *env, jvmtiCapabilities *set)
{
    (void)env;
    *set = fake.potential;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
get_phase(jvmtiEnv *env, jvmtiPhase *phase)
{
    (void)env;
    *phase = fake.phase;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
get_held(jvmtiEnv *env, jvmtiCapabilities *set)
{
    (void)env;
    *set = fake.held;
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
add(jvmtiEnv *env, const jvmtiCapabilities *set)
{
    int count = 0;

    (void)env;
    for (int i = 0; i < TIFORGE_CAPABILITY_COUNT; i++)
        count += tiforge_capability_get(set, i) != 0;
    if (fake.refuse > 0 && count >= fake.refuse)
        return JVMTI_ERROR_NOT_AVAILABLE;
    for (int i = 0; i < TIFORGE_CAPABILITY_COUNT; i++)
        if (tiforge_capability_get(set, i))
            tiforge_capability_set(&fake.held, i, 1);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
create_monitor(jvmtiEnv *env, const char *name, jrawMonitorID *monitor)
{
    (void)env, (void)name;
    *monitor = (jrawMonitorID)fake_allocate(1);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL
destroy_monitor(jvmtiEnv *env, jrawMonitorID monitor)
{
    return deallocate(env, (unsigned char *)monitor);
}

static jvmtiError JNICALL
wait_monitor(jvmtiEnv *env, jrawMonitorID monitor, jlong millis)
{
    (void)env, (void)monitor, (void)millis;
    return fake.wait_error;
}

struct agent_thread {
    jvmtiStartFunction run;
    const void *argument;
};

static void *
run_thread(void *argument)
{
    struct agent_thread thread = *(struct agent_thread *)argument;

    free(argument);
    thread.run(&fake_jvmti, &fake_jni, (void *)thread.argument);
    return NULL;
}

static jvmtiError JNICALL
run_agent_thread(jvmtiEnv *env, jthread thread, jvmtiStartFunction run,
                 const void *argument, jint priority)
{
    struct agent_thread *agent = (struct agent_thread *)malloc(sizeof *agent);
    pthread_t id;

    (void)env, (void)thread, (void)priority;
    agent->run = run;
    agent->argument = argument;
    fake.threads++;
    pthread_create(&id, NULL, run_thread, agent);
    pthread_detach(id);
    return JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ jvmti_table = {
    .SetEventNotificationMode = set_mode, .Deallocate = deallocate,
    .GetErrorName = get_error_name, .GetPhase = get_phase,
    .GetVersionNumber = get_version, .GetPotentialCapabilities = get_potential, .GetCapabilities = get_held,
    .AddCapabilities = add, .CreateRawMonitor = create_monitor,
    .DestroyRawMonitor = destroy_monitor, .RawMonitorWait = wait_monitor,
    .RunAgentThread = run_agent_thread
};
jvmtiEnv fake_jvmti = &jvmti_table;

static jint JNICALL
push_frame(JNIEnv *env, jint capacity)
{
    (void)env, (void)capacity;
    if (fake.no_frame)
        return JNI_ERR;
    __atomic_fetch_add(&fake.frames, 1, __ATOMIC_RELAXED);
    return JNI_OK;
}

static jobject JNICALL
pop_frame(JNIEnv *env, jobject result)
{
    (void)env;
    __atomic_fetch_add(&fake.popped, 1, __ATOMIC_RELAXED);
    return result;
}

static void JNICALL
delete_local(JNIEnv *env, jobject object)
{
    (void)env;
    fake.deleted += object != NULL;
}

static jboolean JNICALL
exception_check(JNIEnv *env)
{
    (void)env;
    return fake.no_frame;
}

static void JNICALL
exception_clear(JNIEnv *env)
{
    (void)env;
}

static jclass JNICALL
find_class(JNIEnv *env, const char *name)
{
    (void)env;
    return (jclass)(void *)name;
}

static jmethodID JNICALL
get_method(JNIEnv *env, jclass klass, const char *name, const char *descriptor)
{
    (void)env, (void)klass, (void)descriptor;
    return (jmethodID)(void *)name;
}

static jstring JNICALL
new_string(JNIEnv *env, const char *text)
{
    (void)env;
    return (jstring)(void *)text;
}

static jobject JNICALL
new_object(JNIEnv *env, jclass klass, jmethodID method, ...)
{
    (void)env, (void)method;
    return (jobject)klass;
}

static const struct JNINativeInterface_ jni_table = {
    .PushLocalFrame = push_frame, .PopLocalFrame = pop_frame,
    .DeleteLocalRef = delete_local, .ExceptionCheck = exception_check,
    .ExceptionClear = exception_clear, .FindClass = find_class, .GetMethodID = get_method,
    .NewStringUTF = new_string, .NewObject = new_object
};
JNIEnv fake_jni = &jni_table;
