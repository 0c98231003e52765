/* SPDX-License-Identifier: MIT */
/* tck/agent/event_callback.c -- callbacks, their tables and environments. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stddef.h>
#include <string.h>

/* -- callbacks and environments -- */

/* How often a class that the case loads was told; threads of the VM load theirs. */
static int
loads(jvmtiEnv *env)
{
    return record_matches(env, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;");
}

TCK_CASE("event-values", callbacks_null, "SetEventCallbacks.behaviour.null-removes-all",
         "Set Event Callbacks", 469)
{
    RECORDING(JVMTI_EVENT_CLASS_LOAD);
    CALL(SetEventCallbacks, NULL, 0);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    SAME(0, loads(t->jvmti));
}

static jvmtiEventCallbacks volatile_callbacks;
/* Calls for a class that the calling thread loads. */
static int copied_calls;
static pthread_t loading;

static void JNICALL
count_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    (void)env, (void)jni, (void)thread, (void)klass;
    if (pthread_equal(pthread_self(), loading) != 0)
        copied_calls++;
}

/* Load a class; returns how often count_load() was called by this thread meanwhile. */
static int
loads_counted(struct tck *t)
{
    loading = pthread_self();
    copied_calls = 0;
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    return copied_calls;
}

TCK_CASE("event-values", callbacks_short, "SetEventCallbacks.behaviour.short-structure",
         "Set Event Callbacks", 470)
{
    /* As far as ClassFileLoadHook: what stands behind it is no callback, then. */
    jvmtiEventCallbacks callbacks;

    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassLoad = count_load;
    CALL(SetEventCallbacks, &callbacks, (jint)offsetof(jvmtiEventCallbacks, ClassLoad));
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    SAME(0, loads_counted(t));
    CALL(SetEventCallbacks, &callbacks, sizeof callbacks);
    TRUE(loads_counted(t) > 0);
    record_quiet(t);
}

TCK_CASE("event-values", callbacks_copied, "SetEventCallbacks.behaviour.copied",
         "Set Event Callbacks", 471)
{
    memset(&volatile_callbacks, 0, sizeof volatile_callbacks);
    volatile_callbacks.ClassLoad = count_load;
    CALL(SetEventCallbacks, &volatile_callbacks, sizeof volatile_callbacks);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    volatile_callbacks.ClassLoad = NULL;
    TRUE(loads_counted(t) > 0);
    record_quiet(t);
}

TCK_CASE("event-values", callbacks_replace, "SetEventCallbacks.behaviour.replaces-all",
         "Set Event Callbacks", 468)
{
    jvmtiEventCallbacks callbacks;

    RECORDING(JVMTI_EVENT_CLASS_PREPARE);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassLoad = count_load;
    CALL(SetEventCallbacks, &callbacks, sizeof callbacks);
    TRUE(loads_counted(t) > 0);
    record_quiet(t);
    SAME(0, loads(t->jvmti));
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Loaded;"));
}

TCK_CASE("event-values", callbacks_later, "SetEventCallbacks.behaviour.order-of-calls",
         "Set Event Callbacks", 472)
{
    record_clear();
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    record_also(t, t->jvmti);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;"));
}

TCK_CASE("event-values", env_order, "Events.behaviour.order-of-environments",
         "Handling Events", 568)
{
    jvmtiEnv *second = tck_new_env(t);
    int a, b;

    TRUE(second != NULL);
    RECORDING(JVMTI_EVENT_CLASS_LOAD);
    record_also(t, second);
    CALL_ON(second, SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    a = record_find(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;", 0);
    b = record_find(second, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;", 0);
    CALL_ON(second, DisposeEnvironment);
    TRUE(a >= 0);
    TRUE(b > a);
}

TCK_CASE("event-values", disposed_silent,
         "DisposeEnvironment.behaviour.no-further-events",
         "Dispose Environment", 547)
{
    jvmtiEnv *second = tck_new_env(t);

    TRUE(second != NULL);
    record_start(t, second);
    CALL_ON(second, SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    CALL_ON(second, DisposeEnvironment);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    SAME(0, loads(second));
}

TCK_CASE("event-values", same_thread, "Events.behaviour.synchronous", "Handling Events",
         562)
{
    int at;

    RECORDING(JVMTI_EVENT_CLASS_LOAD);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;", 0);
    record_quiet(t);
    TRUE(at >= 0);
    TRUE(pthread_equal(record_at(at)->thread, pthread_self()) != 0);
}
