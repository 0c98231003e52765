/* SPDX-License-Identifier: MIT */
/* tck/agent/event_values.c -- what the other events tell, by value; callbacks. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* -- memory -- */

TCK_CASE("event-values", gc_pairs, "GarbageCollectionStart.behaviour.paired",
         "Garbage Collection Start", 668)
{
    bool open = false;
    int told = 0, pairs = 0, count;

    NEED("can_generate_garbage_collection_events");
    RECORDING(JVMTI_EVENT_GARBAGE_COLLECTION_START);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
         NULL);
    /* A collection may be under way before both are enabled. */
    CALL(ForceGarbageCollection);
    record_clear();
    for (int i = 0; i < 3; i++)
        CALL(ForceGarbageCollection);
    count = record_count();
    record_quiet(t);
    for (int i = 0; i < count; i++) {
        jvmtiEvent event = record_at(i)->event;

        if (event == JVMTI_EVENT_GARBAGE_COLLECTION_START) {
            told++;
            TRUE(!open);
            open = true;
        } else if (event == JVMTI_EVENT_GARBAGE_COLLECTION_FINISH) {
            /* The first may belong to one that began before the records were cleared. */
            TRUE(open || told == 0);
            pairs += open;
            told++;
            open = false;
        }
    }
    if (told == 0)
        tck_skip(t, "the VM's collector does not stop the world");
    else
        TRUE(pairs > 0);
}

/* An array that clone() makes, and what was recorded of it; NULL where the case does not
   apply or has failed. */
static const struct record *
allocate_in_vm(struct tck *t, jobject *array)
{
    jmethodID clone = stage_method(t, "java/lang/Object", "clone", "()Ljava/lang/Object;",
                                   false);
    jintArray from = (*t->jni)->NewIntArray(t->jni, 4);
    int at = 0;

    record_start(t, t->jvmti);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL))
        return NULL;
    *array = (*t->jni)->CallObjectMethod(t->jni, from, clone);
    record_quiet(t);
    /* By its identity, since the class is to be judged. */
    while (at < record_count() && record_at(at)->hash != record_hash(t, *array))
        at++;
    if (at < record_count())
        return record_at(at);
    if (record_own_matches(t->jvmti, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL, "[I") == 0)
        tck_skip(t, "the VM does not count clone() among its own allocations");
    else
        tck_fail(t, "the event of the array is about another object");
    return NULL;
}

TCK_CASE("event-values", vm_alloc_class, "VMObjectAlloc.behaviour.class",
         "VM Object Allocation", 778)
{
    const struct record *r;
    jobject array;
    int told = 0;

    NEED("can_generate_vm_object_alloc_events");
    r = allocate_in_vm(t, &array);
    if (r == NULL)
        return;
    TEXT("[I", r->text);
    SAME(record_hash(t, (*t->jni)->GetObjectClass(t->jni, array)), r->hash3);
    for (int at = 0; at < record_count(); at++)
        told += record_at(at)->hash == r->hash;
    SAME(1, told);
}

TCK_CASE("event-values", vm_alloc_size, "VMObjectAlloc.behaviour.size",
         "VM Object Allocation", 660)
{
    const struct record *r;
    jobject array;
    jlong before;

    NEED("can_generate_vm_object_alloc_events");
    before = stage_size(t, (*t->jni)->NewIntArray(t->jni, 4));
    r = allocate_in_vm(t, &array);
    if (r != NULL)
        TRUE(stage_size_fits(t, array, before, r->a));
}

TCK_CASE("event-values", vm_alloc_every, "VMObjectAlloc.behaviour.every-allocation",
         "VM Object Allocation", 659)
{
    jmethodID clone = stage_method(t, "java/lang/Object", "clone", "()Ljava/lang/Object;",
                                   false);
    jintArray array = (*t->jni)->NewIntArray(t->jni, 4);
    int count;

    NEED("can_generate_vm_object_alloc_events");
    RECORDING(JVMTI_EVENT_VM_OBJECT_ALLOC);
    for (int i = 0; i < 4; i++)
        (*t->jni)->CallObjectMethod(t->jni, array, clone);
    record_quiet(t);
    count = record_own_matches(t->jvmti, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL, "[I");
    if (count == 0)
        tck_skip(t, "the VM does not count clone() among its own allocations");
    else
        SAME(4, count);
}

TCK_CASE("event-values", free_tag, "ObjectFree.behaviour.tag", "Object Free", 665)
{
    const struct timespec pause = { 0, 1000000 };
    enum { DROPPED = 8 };
    jobject kept = stage_object(t);
    jweak gone[DROPPED];
    jlong first = 0x100000802;
    int found[DROPPED] = { 0 }, waiting = DROPPED, collected = 0;
    bool is_gone[DROPPED] = { false };

    NEED("can_generate_object_free_events");
    NEED("can_tag_objects");
    CALL(SetTag, kept, first - 1);
    for (int i = 0; i < DROPPED; i++) {
        jobject dropped = stage_object(t);

        gone[i] = (*t->jni)->NewWeakGlobalRef(t->jni, dropped);
        CALL(SetTag, dropped, first + i);
        (*t->jni)->DeleteLocalRef(t->jni, dropped);
    }
    RECORDING(JVMTI_EVENT_OBJECT_FREE);
    /* A collector may leave some for long: what it has collected is to be told. */
    for (int i = 0; i < 1000 && (waiting > 0 || collected < (i < 20 ? DROPPED : 1)); i++) {
        CALL(ForceGarbageCollection);
        nanosleep(&pause, NULL);   /* it may be told by another thread */
        waiting = collected = 0;
        memset(found, 0, sizeof found);
        for (int n = 0; n < DROPPED; n++) {
            is_gone[n] = (*t->jni)->IsSameObject(t->jni, gone[n], NULL);
            collected += is_gone[n];
        }
        for (int k = 0; k < record_count(); k++)
            for (int n = 0; n < DROPPED; n++)
                found[n] += record_at(k)->a == first + n;
        for (int n = 0; n < DROPPED; n++)
            waiting += is_gone[n] && found[n] == 0;
    }
    record_quiet(t);
    for (int n = 0; n < DROPPED; n++) {
        (*t->jni)->DeleteWeakGlobalRef(t->jni, gone[n]);
        if (is_gone[n])
            SAME(1, found[n]);
        else
            TRUE(found[n] <= 1);
    }
    if (collected == 0)
        tck_skip(t, "the VM did not collect an object that nothing refers to");
    for (int k = 0; k < record_count(); k++)
        TRUE(record_at(k)->a != first - 1);
    CALL(SetTag, kept, 0);
}

/* Of the arrays that Events.allocate() makes. */
#define SAMPLED 64

/* The record of a sampled array; NULL where the case has failed. */
static const struct record *
sample(struct tck *t)
{
    int at = -1;

    if (!tck_want(t, "SetHeapSamplingInterval", JVMTI_ERROR_NONE,
                  (*t->jvmti)->SetHeapSamplingInterval(t->jvmti, 0)))
        return NULL;
    record_start(t, t->jvmti);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL))
        return NULL;
    for (int i = 0; i < 10; i++)
        stage_call_void(t, "tck/Events", "allocate", "()V");
    record_quiet(t);
    tck_want(t, "SetHeapSamplingInterval", JVMTI_ERROR_NONE,
             (*t->jvmti)->SetHeapSamplingInterval(t->jvmti, 512 * 1024));
    do
        at = record_find(t->jvmti, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL, "[J", at + 1);
    while (at >= 0 && !record_is_own(record_at(at)));
    if (at < 0)
        tck_fail(t, "no array was sampled");
    return at < 0 ? NULL : record_at(at);
}

TCK_CASE("event-values", sample_values, "SampledObjectAlloc.behaviour.parameters",
         "Sampled Object Allocation", 663)
{
    const struct record *r;

    NEED("can_generate_sampled_object_alloc_events");
    r = sample(t);
    if (r == NULL)
        return;
    SAME(record_own_hash(t), r->hash2);
    SAME(record_hash(t, stage_class(t, "[J")), r->hash3);
}

TCK_CASE("event-values", sample_object, "SampledObjectAlloc.behaviour.object",
         "Sampled Object Allocation", 663)
{
    bool told = false;

    NEED("can_generate_sampled_object_alloc_events");
    CALL(SetHeapSamplingInterval, 0);
    /* It may take some allocations until the new interval counts. */
    for (int i = 0; i < 10; i++)
        stage_call_void(t, "tck/Events", "allocate", "()V");
    RECORDING(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
    for (int i = 0; i < 4000 && !told; i++) {
        jobject kept;

        record_clear();
        stage_call_void(t, "tck/Events", "allocateOne", "()V");
        kept = stage_static(t, "tck/Events", "sink", "Ljava/lang/Object;");
        for (int k = 0; k < record_count(); k++)
            told = told || record_at(k)->hash == record_hash(t, kept);
        (*t->jni)->DeleteLocalRef(t->jni, kept);
    }
    record_quiet(t);
    CALL(SetHeapSamplingInterval, 512 * 1024);
    TRUE(told);
}

TCK_CASE("event-values", sample_size, "SampledObjectAlloc.behaviour.size",
         "Sampled Object Allocation", 777)
{
    const struct record *r;
    jlong before;

    NEED("can_generate_sampled_object_alloc_events");
    before = stage_size(t, (*t->jni)->NewLongArray(t->jni, SAMPLED));
    r = sample(t);
    if (r == NULL)
        return;
    /* That of any such array, but for what an estimate may have changed. */
    TRUE(stage_size_fits(t, (*t->jni)->NewLongArray(t->jni, SAMPLED), before, r->a));
}

TCK_CASE("event-values", sample_every, "SetHeapSamplingInterval.behaviour.zero",
         "Set Heap Sampling Interval", 559)
{
    int count;

    NEED("can_generate_sampled_object_alloc_events");
    CALL(SetHeapSamplingInterval, 0);
    RECORDING(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
    for (int i = 0; i < 10; i++)
        stage_call_void(t, "tck/Events", "allocate", "()V");
    record_clear();
    stage_call_void(t, "tck/Events", "allocate", "()V");
    count = record_own_matches(t->jvmti, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL, "[J");
    record_quiet(t);
    CALL(SetHeapSamplingInterval, 512 * 1024);
    SAME(2000, count);
}

TCK_CASE("event-values", exhausted_flags, "ResourceExhausted.behaviour.flags",
         "Resource Exhausted", 656)
{
    int at;

    NEED("can_generate_resource_exhaustion_heap_events");
    RECORDING(JVMTI_EVENT_RESOURCE_EXHAUSTED);
    if (!stage_call_long(t, "tck/Events", "exhaust", "()I")) {
        tck_skip(t, "the heap is too large to be exhausted");
        record_quiet(t);
        return;
    }
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_RESOURCE_EXHAUSTED, NULL, NULL, 0);
    TRUE(at >= 0);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_RESOURCE_EXHAUSTED, NULL, NULL));
    SAME(JVMTI_RESOURCE_EXHAUSTED_OOM_ERROR | JVMTI_RESOURCE_EXHAUSTED_JAVA_HEAP,
         record_at(at)->a);
    TRUE(record_at(at)->text[0] != '\0');
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

/* -- compiled code -- */

TCK_CASE("event-values", compiled_told, "CompiledMethodLoad.behaviour.of-compiled-code",
         "Generate Events", 764)
{
    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    record_quiet(t);
    TRUE(record_count() > 0);
    for (int i = 0; i < record_count(); i++) {
        TRUE(record_at(i)->method != NULL);
        TRUE(record_at(i)->a > 0);
    }
}

TCK_CASE("event-values", compiled_map, "CompiledMethodLoad.behaviour.address-map",
         "Compiled Method Load", 679)
{
    NEED_BYTECODE_INDICES;
    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    record_quiet(t);
    if (record_count() == 0)
        tck_skip(t, "the VM has none to report");
    for (int i = 0; i < record_count(); i++)
        TRUE(!record_at(i)->bad_map);
}

/* Is all of it in memory that may be executed?  It may lie in several mappings. */
static bool
is_code(jlong start, jlong length)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long at = (unsigned long)start, end = (unsigned long)(start + length), from, to;
    char line[512], rights[5];

    /* They are listed by their addresses. */
    while (maps != NULL && at < end && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 && rights[2] == 'x'
            && from <= at && at < to)
            at = to;
    if (maps != NULL)
        fclose(maps);
    return at >= end;
}

TCK_CASE("event-values", code_values, "DynamicCodeGenerated.behaviour.parameters",
         "Dynamic Code Generated", 680)
{
    RECORDING(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    CALL(GenerateEvents, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    record_quiet(t);
    if (record_count() == 0)
        tck_skip(t, "the VM has none to report");
    for (int i = 0; i < record_count(); i++) {
        TRUE(record_at(i)->text[0] != '\0');
        TRUE(record_at(i)->a > 0);
        TRUE(is_code(record_at(i)->b, record_at(i)->a));
    }
}

/* In one request no code is told twice; what is compiled meanwhile comes elsewhere. */
static void
run_once_each(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    int told = 0;

    if (*event == JVMTI_EVENT_COMPILED_METHOD_LOAD)
        NEED("can_generate_compiled_method_load_events");
    RECORDING(*event);
    CALL(GenerateEvents, *event);
    record_quiet(t);
    for (int i = 0; i < record_count(); i++) {
        const struct record *a = record_at(i);

        if (pthread_equal(a->thread, pthread_self()) == 0)
            continue;
        told++;
        for (int k = 0; k < i; k++) {
            const struct record *b = record_at(k);

            TRUE(a->b != b->b || a->a != b->a || a->method != b->method
                 || strcmp(a->text, b->text) != 0 || !record_is_own(b));
        }
    }
    if (told == 0)
        tck_skip(t, "the VM has none to report");
}

static const jvmtiEvent compiled_event = JVMTI_EVENT_COMPILED_METHOD_LOAD,
    code_event = JVMTI_EVENT_DYNAMIC_CODE_GENERATED;

TCK_CASE_DATA("event-values", compiled_once, "CompiledMethodLoad.behaviour.once-each",
              "Generate Events", 765, TCK_LIVE, 11, run_once_each, &compiled_event);
TCK_CASE_DATA("event-values", code_once, "DynamicCodeGenerated.behaviour.once-each",
              "Generate Events", 765, TCK_LIVE, 11, run_once_each, &code_event);

/* Have a method of a class of its own compiled; false: it was not. */
static bool
compile_loaded(struct tck *t)
{
    const struct timespec pause = { 0, 1000000 };
    jclass k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    jmethodID m = (*t->jni)->GetStaticMethodID(t->jni, k, "method", "()I");

    for (int i = 0; i < 10000; i++) {
        for (int n = 0; n < 1000; n++)
            (*t->jni)->CallStaticIntMethod(t->jni, k, m);
        if (record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, m, NULL, 0) >= 0)
            break;
        nanosleep(&pause, NULL);
    }
    (*t->jni)->DeleteLocalRef(t->jni, k);
    return record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, m, NULL, 0) >= 0;
}

/* The last record before the one at index of code at the same address, or NULL. */
static const struct record *
before_at(int index)
{
    for (int i = index - 1; i >= 0; i--)
        if (record_at(i)->b == record_at(index)->b)
            return record_at(i);
    return NULL;
}

TCK_CASE("event-values", uncompiled, "CompiledMethodUnload.behaviour.of-loaded-code",
         "Compiled Method Unload", 766)
{
    const struct timespec pause = { 0, 5000000 };
    int unloaded = -1, count;

    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
         NULL);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    if (!compile_loaded(t))
        tck_skip(t, "the VM does not compile what often runs");
    for (int i = 0; i < 500 && unloaded < 0 && !t->skipped; i++) {
        CALL(ForceGarbageCollection);
        nanosleep(&pause, NULL);
        unloaded = record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_UNLOAD, NULL, NULL,
                               0);
    }
    record_quiet(t);
    if (unloaded < 0 && !t->skipped)
        tck_skip(t, "the VM kept what it had compiled");
    count = record_count();
    for (int i = 0; i < count; i++) {
        const struct record *r = record_at(i), *loaded = before_at(i);

        if (r->event != JVMTI_EVENT_COMPILED_METHOD_UNLOAD)
            continue;
        TRUE(loaded != NULL);
        SAME(JVMTI_EVENT_COMPILED_METHOD_LOAD, loaded->event);
        TRUE(loaded->method == r->method);
    }
}
