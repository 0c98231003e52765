/* SPDX-License-Identifier: MIT */
/* tck/agent/event_memory.c -- what the events of allocation and collection tell, by value. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <string.h>
#include <time.h>

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
         "VM Object Allocation", 791)
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
    int count = 0;

    NEED("can_generate_sampled_object_alloc_events");
    CALL(SetHeapSamplingInterval, 0);
    RECORDING(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
    /* "It might take various number of allocations" until it is so for each. */
    for (int i = 0; i < 100 && count != 2000; i++) {
        record_clear();
        stage_call_void(t, "tck/Events", "allocate", "()V");
        count = record_own_matches(t->jvmti, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL, "[J");
    }
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
    /* Another thread may allocate while the heap is full, and have one of its own. */
    SAME(1, record_own_matches(t->jvmti, JVMTI_EVENT_RESOURCE_EXHAUSTED, NULL, NULL));
    at = record_next_own(0);
    TRUE(at >= 0);
    SAME(JVMTI_RESOURCE_EXHAUSTED_OOM_ERROR | JVMTI_RESOURCE_EXHAUSTED_JAVA_HEAP,
         record_at(at)->a);
    TRUE(record_at(at)->text[0] != '\0');
}
