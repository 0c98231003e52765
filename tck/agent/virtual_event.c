/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/virtual_event.c -- events of virtual threads, whose thread is the virtual one
 * and not its carrier, and walks of the heap that begin at their frames.
 */
#include "tck/agent/heap_walk.h"
#include "tck/lib/record.h"
#include "tck/lib/stage.h"
#include "tck/lib/virtual.h"

#include <string.h>

#define TCK_EVENT(name, id, section, note) \
    TCK_CASE_IN("virtual-event", name, id, section, note, TCK_LIVE, 21)

/* -- the thread of an event -- */

struct on_thread {
    jvmtiEvent event;
    const char *capability;
    char place;         /* of a thread that makes the event once it is let go */
    const char *method; /* of tck.Virtual, that the event is of; NULL: any */
    enum {
        BEFORE,          /* enabled for all threads, before the thread is started */
        WHILE_UNMOUNTED, /* for all threads, while it is on no carrier */
        ALONE            /* the same, for the thread alone */
    } when;
};

/* What an event needs besides being enabled; undone by with = false. */
static bool
prepare(struct tck *t, const struct on_thread *on, bool with)
{
    jclass k = stage_class(t, "tck/Virtual");
    jfieldID field = stage_field(t, "tck/Virtual", "field", "I", false);
    jvmtiEnv *env = t->jvmti;
    jvmtiError error = JVMTI_ERROR_NONE;

    if (on->event == JVMTI_EVENT_BREAKPOINT) {
        jmethodID method = virtual_method(t, on->method);
        jlocation at = stage_first_location(t, method);

        error = with ? (*env)->SetBreakpoint(env, method, at)
                     : (*env)->ClearBreakpoint(env, method, at);
    } else if (on->event == JVMTI_EVENT_FIELD_ACCESS) {
        error = with ? (*env)->SetFieldAccessWatch(env, k, field)
                     : (*env)->ClearFieldAccessWatch(env, k, field);
    } else if (on->event == JVMTI_EVENT_FIELD_MODIFICATION) {
        error = with ? (*env)->SetFieldModificationWatch(env, k, field)
                     : (*env)->ClearFieldModificationWatch(env, k, field);
    } else if (on->event == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC) {
        error = (*env)->SetHeapSamplingInterval(env, with ? 0 : 512 * 1024);
    }
    return tck_want(t, "what the event needs", JVMTI_ERROR_NONE, error);
}

/* Let it go on to its end; a thread that is to be blocked is let go when it is. */
static bool
perform(struct tck *t, const struct on_thread *on, const struct virtual_thread *v)
{
    if (on->place == 'm') {
        jobject first = stage_get(t, v->stage, "first", "Ljava/lang/Object;");

        (*t->jni)->MonitorEnter(t->jni, first);
        virtual_let_go(t, v);
        virtual_call_int(t, v, "awaitState", 2);
        (*t->jni)->MonitorExit(t->jni, first);
    }
    return virtual_finish(t, v);
}

static bool
is_of_monitor(jvmtiEvent event)
{
    return event == JVMTI_EVENT_MONITOR_WAIT || event == JVMTI_EVENT_MONITOR_WAITED
        || event == JVMTI_EVENT_MONITOR_CONTENDED_ENTER
        || event == JVMTI_EVENT_MONITOR_CONTENDED_ENTERED;
}

static void
run_on_thread(struct tck *t, const void *data)
{
    const struct on_thread *on = data;
    struct virtual_thread v, other;
    jmethodID method = on->method == NULL ? NULL : virtual_method(t, on->method);
    jint hash, monitor, count = 0;
    bool done;

    NEED(on->capability);
    /* What two threads do on the same carriers. */
    if (!virtual_start(t, on->place, &other) || !virtual_create(t, on->place, 0, &v))
        return;
    hash = record_hash(t, v.thread);
    /* The library may wait for monitors of its own. */
    monitor = is_of_monitor(on->event)
        ? record_hash(t, stage_get(t, v.stage, "first", "Ljava/lang/Object;")) : 0;
    if (on->when != BEFORE && !virtual_begin(t, &v))
        return;
    record_start(t, t->jvmti);
    if (!prepare(t, on, true))
        return;
    done = record_enable(t, t->jvmti, on->event, on->when == ALONE ? v.thread : NULL)
        && (on->when != BEFORE || virtual_begin(t, &v)) && perform(t, on, &v)
        && (on->when != ALONE || perform(t, on, &other));
    record_quiet(t);
    if (!prepare(t, on, false) || !done)
        return;
    for (int i = 0; i < record_count(); i++) {
        if (on->when == ALONE)
            SAME(hash, record_at(i)->hash2);
        count += record_at(i)->hash2 == hash
                 && (method == NULL || record_at(i)->method == method)
                 && (monitor == 0 || record_at(i)->hash == monitor);
        if (method != NULL && record_at(i)->method == method)
            SAME(hash, record_at(i)->hash2);
    }
    if (on->event == JVMTI_EVENT_SINGLE_STEP
        || on->event == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC)
        TRUE(count > 0);
    else
        SAME(1, count);
}

#define ON_THREAD(name, number, capability, place, method, section) \
    static const struct on_thread before_##name = { JVMTI_EVENT_##number, capability, \
                                                    place, method, BEFORE }; \
    TCK_CASE_DATA("virtual-event", name, #name ".behaviour.virtual-thread", section, \
                  677, TCK_LIVE, 21, run_on_thread, &before_##name)

/* The same, enabled while the thread is on no carrier. */
#define LATER(name, number, capability, place, method) \
    static const struct on_thread later_##name = { JVMTI_EVENT_##number, capability, \
                                                   place, method, WHILE_UNMOUNTED }; \
    TCK_CASE_DATA("virtual-event", name##_later, #name ".event.virtual-unmounted", \
                  "Set Event Notification Mode", 475, TCK_LIVE, 21, run_on_thread, \
                  &later_##name)

/* The same, enabled for one of two threads that do the same. */
#define FOR_ONE(name, number, capability, place, method) \
    static const struct on_thread alone_##name = { JVMTI_EVENT_##number, capability, \
                                                   place, method, ALONE }; \
    TCK_CASE_DATA("virtual-event", name##_alone, #name ".event.virtual-thread", \
                  "Set Event Notification Mode", 474, TCK_LIVE, 21, run_on_thread, \
                  &alone_##name)

ON_THREAD(Breakpoint, BREAKPOINT, "can_generate_breakpoint_events", 'c', "callee",
          "Breakpoint");
ON_THREAD(SingleStep, SINGLE_STEP, "can_generate_single_step_events", 'c', "callee",
          "Single Step");
ON_THREAD(MethodEntry, METHOD_ENTRY, "can_generate_method_entry_events", 'c', "callee",
          "Method Entry");
ON_THREAD(MethodExit, METHOD_EXIT, "can_generate_method_exit_events", 'y', "yielding",
          "Method Exit");
ON_THREAD(FieldAccess, FIELD_ACCESS, "can_generate_field_access_events", 'f', "perform",
          "Field Access");
ON_THREAD(FieldModification, FIELD_MODIFICATION,
          "can_generate_field_modification_events", 'f', "perform",
          "Field Modification");
ON_THREAD(Exception, EXCEPTION, "can_generate_exception_events", 't', "fail",
          "Exception");
ON_THREAD(ExceptionCatch, EXCEPTION_CATCH, "can_generate_exception_events", 't',
          "perform", "Exception Catch");
ON_THREAD(MonitorWait, MONITOR_WAIT, "can_generate_monitor_events", 'w', NULL,
          "Monitor Wait");
ON_THREAD(MonitorWaited, MONITOR_WAITED, "can_generate_monitor_events", 'w', NULL,
          "Monitor Waited");
ON_THREAD(MonitorContendedEnter, MONITOR_CONTENDED_ENTER, "can_generate_monitor_events",
          'm', NULL, "Monitor Contended Enter");
ON_THREAD(MonitorContendedEntered, MONITOR_CONTENDED_ENTERED,
          "can_generate_monitor_events", 'm', NULL, "Monitor Contended Entered");
ON_THREAD(SampledObjectAlloc, SAMPLED_OBJECT_ALLOC,
          "can_generate_sampled_object_alloc_events", 'a', NULL,
          "Sampled Object Allocation");

LATER(Breakpoint, BREAKPOINT, "can_generate_breakpoint_events", 'c', "callee");
LATER(SingleStep, SINGLE_STEP, "can_generate_single_step_events", 'c', "callee");
LATER(MethodEntry, METHOD_ENTRY, "can_generate_method_entry_events", 'y', "yielding");
LATER(MethodExit, METHOD_EXIT, "can_generate_method_exit_events", 'c', "callee");
LATER(FieldModification, FIELD_MODIFICATION, "can_generate_field_modification_events",
      'f', "perform");
LATER(ExceptionCatch, EXCEPTION_CATCH, "can_generate_exception_events", 't', "perform");
LATER(MonitorWait, MONITOR_WAIT, "can_generate_monitor_events", 'w', NULL);

FOR_ONE(Breakpoint, BREAKPOINT, "can_generate_breakpoint_events", 'c', "callee");
FOR_ONE(SingleStep, SINGLE_STEP, "can_generate_single_step_events", 'c', "callee");
FOR_ONE(MethodEntry, METHOD_ENTRY, "can_generate_method_entry_events", 'y', "yielding");
FOR_ONE(MethodExit, METHOD_EXIT, "can_generate_method_exit_events", 'c', "callee");
FOR_ONE(FieldModification, FIELD_MODIFICATION, "can_generate_field_modification_events",
        'f', "perform");
FOR_ONE(ExceptionCatch, EXCEPTION_CATCH, "can_generate_exception_events", 't',
        "perform");
FOR_ONE(MonitorWait, MONITOR_WAIT, "can_generate_monitor_events", 'w', NULL);

/* The class is loaded and prepared by the virtual thread. */
static void
run_class(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    struct virtual_thread v;
    int at;

    if (!virtual_start(t, 'l', &v))
        return;
    RECORDING(*event);
    if (!virtual_finish(t, &v))
        return;
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, *event, NULL, "Ltck/Loaded;"));
    at = record_find(t->jvmti, *event, NULL, "Ltck/Loaded;", 0);
    SAME(record_hash(t, v.thread), record_at(at)->hash2);
}

static const jvmtiEvent class_load = JVMTI_EVENT_CLASS_LOAD,
                        class_prepare = JVMTI_EVENT_CLASS_PREPARE,
                        thread_start = JVMTI_EVENT_THREAD_START,
                        thread_end = JVMTI_EVENT_THREAD_END;

TCK_CASE_DATA("virtual-event", class_load, "ClassLoad.behaviour.virtual-thread",
              "Class Load", 677, TCK_LIVE, 21, run_class, &class_load);
TCK_CASE_DATA("virtual-event", class_prepare, "ClassPrepare.behaviour.virtual-thread",
              "Class Prepare", 677, TCK_LIVE, 21, run_class, &class_prepare);

/* -- begin and end -- */

/* A platform thread has such an event, and a virtual one has not. */
static void
run_not_sent(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    struct virtual_thread v;
    jthread platform;
    int count = 0;

    RECORDING(*event);
    if (!virtual_ended(t, &v))
        return;
    platform = stage_ended(t);
    /* It may be seen to have ended before its event comes. */
    record_await(t->jvmti, *event, NULL, record_hash(t, platform));
    record_quiet(t);
    for (int i = 0; i < record_count(); i++) {
        TRUE(record_at(i)->hash2 != record_hash(t, v.thread));
        count += record_at(i)->hash2 == record_hash(t, platform);
    }
    SAME(1, count);
}

TCK_CASE_DATA("virtual-event", no_thread_start, "ThreadStart.behaviour.not-virtual",
              "Thread Start", 605, TCK_LIVE, 21, run_not_sent, &thread_start);
TCK_CASE_DATA("virtual-event", no_thread_end, "ThreadEnd.behaviour.not-virtual",
              "Thread End", 610, TCK_LIVE, 21, run_not_sent, &thread_end);

/* The index of the first record of an event on the thread, or -1. */
static int
find_on(jint hash, jvmtiEvent event, jmethodID method)
{
    int at = -1;

    while ((at = record_find(tck.jvmti, event, method, NULL, at + 1)) >= 0)
        if (record_at(at)->hash2 == hash)
            return at;
    return -1;
}

/* Was the thread that a VirtualThreadStart names the current one? */
static bool start_is_current;

static void
note_current(jvmtiEnv *env, JNIEnv *jni, const struct record *record)
{
    jthread current = NULL;
    jint hash = 0;

    if (record->event != JVMTI_EVENT_VIRTUAL_THREAD_START)
        return;
    (*env)->GetCurrentThread(env, &current);
    (*env)->GetObjectHashCode(env, current, &hash);
    start_is_current = start_is_current && hash == record->hash2
        && (*jni)->IsVirtualThread(jni, current);
}

TCK_EVENT(start_first, "VirtualThreadStart.behaviour.virtual-before-run",
          "Virtual Thread Start", 611)
{
    struct virtual_thread v;
    jint hash;
    int start, run;

    NEED("can_support_virtual_threads");
    NEED("can_generate_method_entry_events");
    if (!virtual_create(t, 'P', 0, &v))
        return;
    hash = record_hash(t, v.thread);
    start_is_current = true;
    RECORDING(JVMTI_EVENT_VIRTUAL_THREAD_START);
    record_set_hook(note_current);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_METHOD_ENTRY, NULL)
        || !virtual_begin(t, &v))
        return;
    record_disable(t, t->jvmti, JVMTI_EVENT_METHOD_ENTRY, NULL);
    start = find_on(hash, JVMTI_EVENT_VIRTUAL_THREAD_START, NULL);
    run = find_on(hash, JVMTI_EVENT_METHOD_ENTRY, virtual_method(t, "run"));
    TRUE(start >= 0);
    TRUE(run > start);
    /* "Sent on the newly started virtual thread", on whatever carrier. */
    TRUE(start_is_current);
    virtual_finish(t, &v);
    record_quiet(t);
}

TCK_EVENT(end_last, "VirtualThreadEnd.behaviour.virtual-after-run",
          "Virtual Thread End", 612)
{
    struct virtual_thread v;
    jint hash;
    int end, run;

    NEED("can_support_virtual_threads");
    NEED("can_generate_method_exit_events");
    if (!virtual_create(t, 'P', 0, &v))
        return;
    hash = record_hash(t, v.thread);
    RECORDING(JVMTI_EVENT_VIRTUAL_THREAD_END);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_METHOD_EXIT, NULL)
        || !virtual_begin(t, &v))
        return;
    record_clear();     /* of all that the start has called */
    if (!virtual_finish(t, &v))
        return;
    record_await(t->jvmti, JVMTI_EVENT_VIRTUAL_THREAD_END, NULL, hash);
    record_quiet(t);
    run = find_on(hash, JVMTI_EVENT_METHOD_EXIT, virtual_method(t, "run"));
    end = find_on(hash, JVMTI_EVENT_VIRTUAL_THREAD_END, NULL);
    TRUE(run >= 0);
    TRUE(end > run);
}

/* Parking and going on is neither a start nor an end. */
static void
run_mounts(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    struct virtual_thread v;
    jint hash;
    int count = 0;

    NEED("can_support_virtual_threads");
    RECORDING(*event);
    if (!virtual_start(t, 'y', &v))
        return;
    hash = record_hash(t, v.thread);
    if (!virtual_finish(t, &v))
        return;
    record_await(t->jvmti, *event, NULL, hash);
    record_quiet(t);
    for (int i = 0; i < record_count(); i++)
        count += record_at(i)->hash2 == hash;
    SAME(1, count);
}

static const jvmtiEvent virtual_start_event = JVMTI_EVENT_VIRTUAL_THREAD_START,
                        virtual_end_event = JVMTI_EVENT_VIRTUAL_THREAD_END;

TCK_CASE_DATA("virtual-event", start_mounts,
              "VirtualThreadStart.behaviour.virtual-not-when-mounted",
              "Virtual Thread Start", 611, TCK_LIVE, 21, run_mounts,
              &virtual_start_event);
TCK_CASE_DATA("virtual-event", end_mounts,
              "VirtualThreadEnd.behaviour.virtual-not-when-unmounted",
              "Virtual Thread End", 612, TCK_LIVE, 21, run_mounts, &virtual_end_event);

/* -- the heap -- */

/* Tags the object that hold() has in a local, which nothing else refers to. */
static bool
tag_local(struct tck *t, const struct virtual_thread *v, jint depth, jlong tag)
{
    jobject local = NULL;

    tck_want(t, "GetLocalObject(virtual thread)", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetLocalObject(t->jvmti, v->thread, depth,
                                         VIRTUAL_SLOT_OBJECT, &local));
    if (local == NULL)
        return false;
    walk_reset();
    walk_tag(t, local, tag);
    (*t->jni)->DeleteLocalRef(t->jni, local);
    return !t->failed;
}

/* It is a root of the walk: a local of the frame of hold(). */
static void
run_roots(struct tck *t, const void *data)
{
    jmethodID method = virtual_method(t, "hold");
    struct virtual_thread v;
    jint depth;
    int found = 0;

    NEED("can_tag_objects");
    NEED("can_access_local_variables");
    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    depth = virtual_depth(t, v.thread, method);
    if (!tag_local(t, &v, depth, 9100))
        return;
    walk_tag(t, v.thread, 9101);
    CALL(FollowReferences, 0, NULL, NULL, &walk_reference_callbacks, NULL);
    for (int i = 0; i < walk.edge_count; i++) {
        const struct edge *e = &walk.edges[i];

        if (e->to != 9100 || e->kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL)
            continue;
        found++;
        TRUE(e->method == method);
        SAME(VIRTUAL_SLOT_OBJECT, e->slot);
        SAME(depth, e->depth);
        SAME(9101, e->thread_tag);
    }
    walk_tag(t, v.thread, 0);
    SAME(1, found);
}

TCK_CASE_DATA("virtual-event", roots_unmounted,
              "FollowReferences.behaviour.virtual-unmounted",
              "jvmtiHeapReferenceInfoStackLocal", 768, TCK_LIVE, 21, run_roots, "P");
TCK_CASE_DATA("virtual-event", roots_mounted,
              "FollowReferences.behaviour.virtual-mounted",
              "jvmtiHeapReferenceInfoStackLocal", 768, TCK_LIVE, 21, run_roots, "M");
TCK_CASE_DATA("virtual-event", roots_pinned,
              "FollowReferences.behaviour.virtual-pinned",
              "jvmtiHeapReferenceInfoStackLocal", 768, TCK_LIVE, 21, run_roots, "X");

/* A collection that takes what nothing refers to leaves the local alone. */
TCK_EVENT(collected, "ForceGarbageCollection.behaviour.virtual-unmounted",
          "Set Tag", 280)
{
    struct virtual_thread v;
    jlong tag = 9102, garbage = 9103;
    jobject *objects, *none, dropped;
    jint count, left = -1;

    NEED("can_tag_objects");
    NEED("can_access_local_variables");
    NEED("can_suspend");
    if (!virtual_suspended(t, 'P', &v)
        || !tag_local(t, &v, virtual_depth(t, v.thread, virtual_method(t, "hold")),
                      tag))
        return;
    CALL(ResumeThread, v.thread);
    for (int i = 0; i < 50; i++) {
        dropped = stage_object(t);
        walk_tag(t, dropped, garbage);
        (*t->jni)->DeleteLocalRef(t->jni, dropped);
    }
    /* "As complete as possible": not each of them need be found by the first. */
    for (int i = 0; i < 20 && (left < 0 || left == 50); i++) {
        CALL(ForceGarbageCollection);
        CALL(GetObjectsWithTags, 1, &garbage, &left, &none, NULL);
        CALL(Deallocate, (unsigned char *)none);
    }
    TRUE(left < 50);
    CALL(GetObjectsWithTags, 1, &tag, &count, &objects, NULL);
    SAME(1, count);
    virtual_finish(t, &v);
    TRUE((*t->jni)->IsSameObject(
        t->jni, objects[0],
        stage_get(t, v.stage, "objectResult", "Ljava/lang/Object;")));
    CALL(Deallocate, (unsigned char *)objects);
}
