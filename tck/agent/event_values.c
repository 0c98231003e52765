/* SPDX-License-Identifier: MIT */
/* tck/agent/event_values.c -- what the other events tell, by value; callbacks. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmethodID
method(struct tck *t, const char *name, const char *signature)
{
    return stage_method(t, "tck/Events", name, signature, true);
}

/* -- classes -- */

TCK_CASE("event-values", load_status,
         "ClassLoad.behaviour.members-not-yet", "Class Load",
         615)
{
    int at;

    RECORDING(JVMTI_EVENT_CLASS_LOAD);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;", 0);
    TRUE(at >= 0);
    SAME(record_own_hash(t), record_at(at)->hash2);
    /* Not prepared: the members cannot be asked for. */
    SAME(0, record_at(at)->a & JVMTI_CLASS_STATUS_PREPARED);
    SAME(-1, record_at(at)->b);
}

TCK_CASE("event-values", prepare_status, "ClassPrepare.behaviour.members-available",
         "Class Prepare", 616)
{
    int at;

    RECORDING(JVMTI_EVENT_CLASS_PREPARE);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Loaded;", 0);
    TRUE(at >= 0);
    TRUE((record_at(at)->a & JVMTI_CLASS_STATUS_PREPARED) != 0);
    SAME(0, record_at(at)->a & JVMTI_CLASS_STATUS_INITIALIZED);
    SAME(3, record_at(at)->b);   /* <init>, method, <clinit> */
}

TCK_CASE("event-values", load_then_prepare, "ClassPrepare.behaviour.after-ClassLoad",
         "Class Prepare", 618)
{
    int load, prepare;

    RECORDING(JVMTI_EVENT_CLASS_PREPARE);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    load = record_find(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;", 0);
    prepare = record_find(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Loaded;", 0);
    TRUE(load >= 0);
    TRUE(prepare > load);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;"));
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Loaded;"));
}

/* Whether loading links as well is up to the VM; the event tells what the status tells. */
TCK_CASE("event-values", load_without_link, "ClassPrepare.behaviour.not-before-linking",
         "Class Prepare", 616)
{
    jclass k;
    jint status = 0;

    RECORDING(JVMTI_EVENT_CLASS_PREPARE);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL);
    k = stage_call(t, "tck/Events", "loadOnly", "()Ljava/lang/Class;");
    CALL(GetClassStatus, k, &status);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Loaded;"));
    SAME((status & JVMTI_CLASS_STATUS_PREPARED) != 0,
         record_matches(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Loaded;"));
}

TCK_CASE("event-values", hook_values, "ClassFileLoadHook.behaviour.parameters",
         "Class File Load Hook", 620)
{
    jclass k;
    jobject loader;
    int at;

    RECORDING(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Loaded", 0);
    TRUE(at >= 0);
    CALL(GetClassLoader, k, &loader);
    SAME(0, record_at(at)->hash);
    SAME(record_hash(t, loader), record_at(at)->hash2);
    SAME((jint)0xcafebabe, (jint)record_at(at)->b);
}

TCK_CASE("event-values", hook_length, "ClassFileLoadHook.behaviour.length",
         "Class File Load Hook", 632)
{
    jint size = 0;
    unsigned char *bytes = stage_bytes(t, "tck/Loaded", &size);
    int at;

    free(bytes);
    RECORDING(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Loaded", 0);
    TRUE(at >= 0);
    SAME(size, record_at(at)->a);
}

TCK_CASE("event-values", hook_domain, "ClassFileLoadHook.behaviour.protection-domain",
         "Class File Load Hook", 678)
{
    jclass k, klass = stage_class(t, "java/lang/Class");
    jmethodID get = (*t->jni)->GetMethodID(t->jni, klass, "getProtectionDomain",
                                           "()Ljava/security/ProtectionDomain;");
    int at;

    RECORDING(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Loaded", 0);
    TRUE(at >= 0);
    SAME(record_hash(t, (*t->jni)->CallObjectMethod(t->jni, k, get)), record_at(at)->hash3);
}

/* -- monitors -- */

static jobject
lock(struct tck *t)
{
    return stage_static(t, "tck/Events", "LOCK", "Ljava/lang/Object;");
}

/* The first record of the event on the lock, or -1: the library's own threads wait, too. */
static int
first(struct tck *t, jvmtiEvent event)
{
    jint hash = record_hash(t, lock(t));

    for (int i = 0; i < record_count(); i++)
        if (record_at(i)->event == event && record_at(i)->hash == hash)
            return i;
    return -1;
}

/* How often the event was told of the lock. */
static int
times(struct tck *t, jvmtiEvent event)
{
    jint hash = record_hash(t, lock(t));
    int count = 0;

    for (int i = 0; i < record_count(); i++)
        count += record_at(i)->event == event && record_at(i)->hash == hash;
    return count;
}

TCK_CASE("event-values", wait_values,
         "MonitorWait.behaviour.parameters", "Monitor Wait",
         654)
{
    int at;

    NEED("can_generate_monitor_events");
    RECORDING(JVMTI_EVENT_MONITOR_WAIT);
    stage_call_void(t, "tck/Events", "waitShortly", "()V");
    record_quiet(t);
    at = first(t, JVMTI_EVENT_MONITOR_WAIT);
    TRUE(at >= 0);
    SAME(1, record_at(at)->a);
    SAME(record_hash(t, lock(t)), record_at(at)->hash);
    SAME(record_own_hash(t), record_at(at)->hash2);
    SAME(1, times(t, JVMTI_EVENT_MONITOR_WAIT));
}

TCK_CASE("event-values", waited_timed_out, "MonitorWaited.behaviour.timed-out",
         "Monitor Waited", 655)
{
    int at = -1;

    NEED("can_generate_monitor_events");
    RECORDING(JVMTI_EVENT_MONITOR_WAITED);
    /* A thread may wake up for no reason before its time is out, but not each time. */
    for (int i = 0; i < 50; i++) {
        record_clear();
        stage_call_void(t, "tck/Events", "waitShortly", "()V");
        at = first(t, JVMTI_EVENT_MONITOR_WAITED);
        TRUE(at >= 0);
        SAME(1, times(t, JVMTI_EVENT_MONITOR_WAITED));
        if (record_at(at)->a == JNI_TRUE)
            break;
    }
    record_quiet(t);
    SAME(JNI_TRUE, record_at(at)->a);
    SAME(record_hash(t, lock(t)), record_at(at)->hash);
}

TCK_CASE("event-values", waited_notified, "MonitorWaited.behaviour.notified",
         "Monitor Waited", 655)
{
    int wait, waited;

    NEED("can_generate_monitor_events");
    RECORDING(JVMTI_EVENT_MONITOR_WAITED);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_WAIT, NULL);
    stage_call_void(t, "tck/Events", "waitForNotify", "()V");
    record_quiet(t);
    wait = first(t, JVMTI_EVENT_MONITOR_WAIT);
    waited = first(t, JVMTI_EVENT_MONITOR_WAITED);
    TRUE(wait >= 0);
    TRUE(waited > wait);
    SAME(0, record_at(wait)->a);
    SAME(JNI_FALSE, record_at(waited)->a);
}

TCK_CASE("event-values", contended_values, "MonitorContendedEnter.behaviour.parameters",
         "Monitor Contended Enter", 652)
{
    int enter, entered;

    NEED("can_generate_monitor_events");
    RECORDING(JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
         NULL);
    stage_call_void(t, "tck/Events", "contend", "()V");
    record_quiet(t);
    enter = first(t, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    entered = first(t, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
    TRUE(enter >= 0);
    TRUE(entered > enter);
    SAME(record_hash(t, lock(t)), record_at(enter)->hash);
    SAME(record_own_hash(t), record_at(enter)->hash2);
    SAME(record_hash(t, lock(t)), record_at(entered)->hash);
    SAME(record_own_hash(t), record_at(entered)->hash2);
    SAME(1, times(t, JVMTI_EVENT_MONITOR_CONTENDED_ENTER));
    SAME(1, times(t, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED));
}
/* -- threads and binding -- */

TCK_CASE("event-values", thread_start_order, "ThreadStart.behaviour.before-run",
         "Thread Start", 605)
{
    int start, entry, end;

    NEED("can_generate_method_entry_events");
    RECORDING(JVMTI_EVENT_THREAD_START);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL);
    stage_call_void(t, "tck/Events", "runThread", "()V");
    record_await(t->jvmti, JVMTI_EVENT_THREAD_END, "tck-probe", 0);
    record_quiet(t);
    start = record_find(t->jvmti, JVMTI_EVENT_THREAD_START, NULL, "tck-probe", 0);
    entry = record_find(t->jvmti, JVMTI_EVENT_METHOD_ENTRY, method(t, "step", "(I)I"),
                        NULL, 0);
    end = record_find(t->jvmti, JVMTI_EVENT_THREAD_END, NULL, "tck-probe", 0);
    TRUE(start >= 0);
    TRUE(entry > start);
    TRUE(end > entry);
    TRUE(pthread_equal(record_at(start)->thread, record_at(entry)->thread) != 0);
    TRUE(pthread_equal(record_at(start)->thread, record_at(end)->thread) != 0);
}

TCK_CASE("event-values", thread_end_last, "ThreadEnd.behaviour.last-on-thread",
         "Thread End", 610)
{
    int end;

    NEED("can_generate_method_exit_events");
    RECORDING(JVMTI_EVENT_THREAD_END);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL);
    stage_call_void(t, "tck/Events", "runThread", "()V");
    record_await(t->jvmti, JVMTI_EVENT_THREAD_END, "tck-probe", 0);
    record_quiet(t);
    end = record_find(t->jvmti, JVMTI_EVENT_THREAD_END, NULL, "tck-probe", 0);
    TRUE(end >= 0);
    for (int i = end + 1; i < record_count(); i++)
        TRUE(record_at(i)->hash2 != record_at(end)->hash2);
}

TCK_CASE("event-values", thread_start_twice,
         "ThreadStart.behaviour.once", "Thread Start",
         605)
{
    RECORDING(JVMTI_EVENT_THREAD_START);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    stage_call_void(t, "tck/Events", "runThread", "()V");
    record_await(t->jvmti, JVMTI_EVENT_THREAD_END, "tck-probe", 0);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_THREAD_START, NULL, "tck-probe"));
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_THREAD_END, NULL, "tck-probe"));
}

static int bind_calls;

static void JNICALL
bind_first(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    bind_calls += 1;
}

static void JNICALL
bind_second(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    bind_calls += 100;
}

TCK_CASE("event-values", bind_address, "NativeMethodBind.behaviour.address",
         "Native Method Bind", 593)
{
    jclass k = stage_class(t, "tck/Events");
    JNINativeMethod natives = { (char *)"toBind", (char *)"()V", (void *)bind_first };
    jmethodID m = method(t, "toBind", "()V");

    NEED("can_generate_native_method_bind_events");
    (*t->jni)->UnregisterNatives(t->jni, k);
    RECORDING(JVMTI_EVENT_NATIVE_METHOD_BIND);
    (*t->jni)->RegisterNatives(t->jni, k, &natives, 1);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_NATIVE_METHOD_BIND, m, NULL));
    THE(r, JVMTI_EVENT_NATIVE_METHOD_BIND, m, 0);
    SAME((jlong)(size_t)bind_first, r->a);
}

TCK_CASE("event-values", bind_unbind, "NativeMethodBind.behaviour.not-for-unbinding",
         "Native Method Bind", 595)
{
    jclass k = stage_class(t, "tck/Events");
    JNINativeMethod natives = { (char *)"toBind", (char *)"()V", (void *)bind_first };

    NEED("can_generate_native_method_bind_events");
    (*t->jni)->RegisterNatives(t->jni, k, &natives, 1);
    RECORDING(JVMTI_EVENT_NATIVE_METHOD_BIND);
    (*t->jni)->UnregisterNatives(t->jni, k);
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_NATIVE_METHOD_BIND,
                           method(t, "toBind", "()V"), NULL));
}

static void JNICALL
redirect(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID m, void *address,
         void **new_address)
{
    (void)env, (void)jni, (void)thread, (void)m;
    if (address == (void *)bind_first)
        *new_address = (void *)bind_second;
}

TCK_CASE("event-values", bind_redirect, "NativeMethodBind.behaviour.redirect",
         "Native Method Bind", 594)
{
    jclass k = stage_class(t, "tck/Events");
    JNINativeMethod natives = { (char *)"toBind", (char *)"()V", (void *)bind_first };
    jvmtiEventCallbacks callbacks;

    NEED("can_generate_native_method_bind_events");
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.NativeMethodBind = redirect;
    (*t->jni)->UnregisterNatives(t->jni, k);
    CALL(SetEventCallbacks, &callbacks, sizeof callbacks);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
    (*t->jni)->RegisterNatives(t->jni, k, &natives, 1);
    record_quiet(t);
    bind_calls = 0;
    stage_call_void(t, "tck/Events", "toBind", "()V");
    SAME(100, bind_calls);
}
