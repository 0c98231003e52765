/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/heap_values.c -- chapter Heap: values of fields, arrays and strings, walks
 * over all objects, and what may be called in the callbacks.
 */
#include "tck/agent/heap_walk.h"

#include <string.h>

/* -- values -- */

/* One of the callbacks for values ends the walk, wherever it is called from. */
static void
run_value_abort(struct tck *t, const void *data)
{
    const char *what = data;
    jvmtiHeapCallbacks one;

    NEED("can_tag_objects");
    /* There is something to tell of, however the VM keeps its strings. */
    stage_call(t, "tck/Graph", "ints", "()[I");
    stage_string(t);
    memset(&one, 0, sizeof one);
    if (strstr(what, "field") != NULL)
        one.primitive_field_callback = walk_value_callbacks.primitive_field_callback;
    else if (strstr(what, "array") != NULL)
        one.array_primitive_value_callback =
            walk_value_callbacks.array_primitive_value_callback;
    else
        one.string_primitive_value_callback =
            walk_value_callbacks.string_primitive_value_callback;
    walk_reset();
    walk.value_answer = JVMTI_VISIT_ABORT;
    if (strncmp(what, "follow", 6) == 0)
        CALL(FollowReferences, 0, NULL, NULL, &one, NULL);
    else
        CALL(IterateThroughHeap, 0, NULL, &one, NULL);
    SAME(1, walk.value_calls);
}

#define VALUE_ABORT(function, kind, what) \
    TCK_CASE_DATA("heap", function##_abort_##kind, \
                  #function ".behaviour.abort-" #kind, "Heap", 228, TCK_LIVE, 11, \
                  run_value_abort, what)

VALUE_ABORT(FollowReferences, field, "follow field");
VALUE_ABORT(FollowReferences, array, "follow array");
VALUE_ABORT(FollowReferences, string, "follow string");
VALUE_ABORT(IterateThroughHeap, field, "iterate field");
VALUE_ABORT(IterateThroughHeap, array, "iterate array");
VALUE_ABORT(IterateThroughHeap, string, "iterate string");

/* Walk with the callbacks for values over the graph, an array and a string. */
static void
run_values(struct tck *t, const void *data)
{
    static const jchar text[] = { 't', 'c', 'k' };
    bool follows = data != NULL;
    jobject root, ints, string, list;
    int numbers = 0, counts = 0;

    NEED("can_tag_objects");
    root = walk_build(t);
    ints = stage_call(t, "tck/Graph", "ints", "()[I");
    string = (*t->jni)->NewString(t->jni, text, 3);
    list = (*t->jni)->NewObjectArray(t->jni, 3, stage_class(t, "java/lang/Object"),
                                     root);
    (*t->jni)->SetObjectArrayElement(t->jni, list, 1, ints);
    (*t->jni)->SetObjectArrayElement(t->jni, list, 2, string);
    walk_tag(t, ints, 0x100000710);
    walk_tag(t, string, 0x100000711);
    walk_tag(t, stage_class(t, "[I"), 0x100000712);
    walk_tag(t, stage_class(t, "java/lang/String"), 0x100000713);
    walk_tag(t, stage_class(t, "java/lang/Class"), 0x100000714);
    if (follows)
        CALL(FollowReferences, 0, NULL, list, &walk_value_callbacks, &counts);
    else
        CALL(IterateThroughHeap, JVMTI_HEAP_FILTER_UNTAGGED, NULL,
             &walk_value_callbacks, &counts);
    walk_forget(t, 0x100000710, 0x100000714);
    TRUE(walk.seen_data == &counts && !walk.mixed_data);
    for (int i = 0; i < walk.field_count; i++) {
        if (walk.fields[i].tag == ROOT && walk.fields[i].index == F_NUMBER) {
            numbers++;
            SAME(CLASS, walk.fields[i].class_tag);
            SAME(JVMTI_PRIMITIVE_TYPE_INT, walk.fields[i].type);
            SAME(17, walk.fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_FIELD, walk.fields[i].kind);
        } else if (walk.fields[i].tag == CLASS && walk.fields[i].index == F_COUNT) {
            counts++;
            SAME(0x100000714, walk.fields[i].class_tag);
            SAME(JVMTI_PRIMITIVE_TYPE_INT, walk.fields[i].type);
            SAME(23, walk.fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_STATIC_FIELD, walk.fields[i].kind);
        }
    }
    SAME(1, numbers);
    SAME(1, counts);
    SAME(1, walk.array_count);
    SAME(0x100000710, walk.arrays[0].tag);
    SAME(0x100000712, walk.arrays[0].class_tag);
    SAME(3, walk.arrays[0].count);
    SAME(JVMTI_PRIMITIVE_TYPE_INT, walk.arrays[0].type);
    SAME(-2, walk.arrays[0].first[1]);
    SAME(1, walk.string_count);
    SAME(0x100000711, walk.strings[0].tag);
    SAME(0x100000713, walk.strings[0].class_tag);
    SAME(3, walk.strings[0].length);
    SAME('c', walk.strings[0].text[1]);
}

TCK_CASE_DATA("heap", follow_all_values, "FollowReferences.behaviour.value-callbacks",
              "Heap", 682, TCK_LIVE, 11, run_values, "follow");
TCK_CASE_DATA("heap", iterate_all_values,
              "IterateThroughHeap.behaviour.value-callbacks", "Heap", 682, TCK_LIVE, 11,
              run_values, NULL);

static void
run_sizes(struct tck *t, const void *data)
{
    jobject ints, string, list;
    jlong array_size, string_size;

    NEED("can_tag_objects");
    walk_reset();
    ints = stage_call(t, "tck/Graph", "ints", "()[I");
    string = stage_string(t);
    list = (*t->jni)->NewObjectArray(t->jni, 2, stage_class(t, "java/lang/Object"), ints);
    (*t->jni)->SetObjectArrayElement(t->jni, list, 1, string);
    array_size = stage_size(t, ints);
    string_size = stage_size(t, string);
    walk_tag(t, ints, 0x100000715);
    walk_tag(t, string, 0x100000716);
    if (data != NULL)
        FOLLOW(0, NULL, list, &walk_value_callbacks);
    else
        CALL(IterateThroughHeap, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &walk_value_callbacks,
             NULL);
    walk_forget(t, 0x100000715, 0x100000716);
    SAME(1, walk.array_count);
    SAME(1, walk.string_count);
    TRUE(stage_size_fits(t, ints, array_size, walk.arrays[0].size));
    TRUE(stage_size_fits(t, string, string_size, walk.strings[0].size));
}

TCK_CASE_DATA("heap", follow_value_sizes, "FollowReferences.behaviour.value-sizes",
              "Heap", 737, TCK_LIVE, 11, run_sizes, "follow");
TCK_CASE_DATA("heap", iterate_value_sizes, "IterateThroughHeap.behaviour.value-sizes",
              "Heap", 737, TCK_LIVE, 11, run_sizes, NULL);

/* Eight numbers, each told once: none is left out, none comes twice. */
static void
run_every_field(struct tck *t, const void *data)
{
    int seen[8] = { 0 };
    jobjectArray list;

    NEED("can_tag_objects");
    walk_build(t);
    list = (*t->jni)->NewObjectArray(t->jni, 8, stage_class(t, "tck/Graph"), NULL);
    for (jint i = 0; i < 8; i++) {
        jobject graph = stage_call(t, "tck/Graph", "sub", "()Ljava/lang/Object;");

        walk_tag(t, graph, 720 + i);
        (*t->jni)->SetObjectArrayElement(t->jni, list, i, graph);
    }
    if (data != NULL)
        FOLLOW(0, NULL, list, &walk_value_callbacks);
    else
        CALL(IterateThroughHeap, JVMTI_HEAP_FILTER_UNTAGGED, NULL,
             &walk_value_callbacks, NULL);
    walk_forget(t, 720, 727);
    for (int i = 0; i < walk.field_count; i++)
        if (walk.fields[i].tag >= 720 && walk.fields[i].tag < 728)
            seen[walk.fields[i].tag - 720]++;
    for (int i = 0; i < 8; i++)
        SAME(1, seen[i]);
}

TCK_CASE_DATA("heap", follow_every_field, "FollowReferences.behaviour.every-field-once",
              "Heap", 682, TCK_LIVE, 11, run_every_field, "follow");
TCK_CASE_DATA("heap", iterate_every_field,
              "IterateThroughHeap.behaviour.every-field-once", "Heap", 682, TCK_LIVE,
              11, run_every_field, NULL);

/* Arrays and strings as well: side by side, so that a walk tells them one by one. */
static void
run_every_array(struct tck *t, const void *data)
{
    static const jchar text[] = { 't', 'c', 'k' };
    int seen_arrays[6] = { 0 }, seen_strings[6] = { 0 };
    jobjectArray list;

    NEED("can_tag_objects");
    walk_reset();
    list = (*t->jni)->NewObjectArray(t->jni, 12, stage_class(t, "java/lang/Object"),
                                     NULL);
    for (jint i = 0; i < 6; i++) {
        jobject array = stage_call(t, "tck/Graph", "ints", "()[I");
        jobject string = (*t->jni)->NewString(t->jni, text, 3);

        walk_tag(t, array, 730 + i);
        walk_tag(t, string, 740 + i);
        (*t->jni)->SetObjectArrayElement(t->jni, list, i, array);
        (*t->jni)->SetObjectArrayElement(t->jni, list, 6 + i, string);
    }
    if (data != NULL)
        FOLLOW(0, NULL, list, &walk_value_callbacks);
    else
        CALL(IterateThroughHeap, JVMTI_HEAP_FILTER_UNTAGGED, NULL,
             &walk_value_callbacks, NULL);
    walk_forget(t, 730, 745);
    for (int i = 0; i < walk.array_count; i++)
        if (walk.arrays[i].tag >= 730 && walk.arrays[i].tag < 736)
            seen_arrays[walk.arrays[i].tag - 730]++;
    for (int i = 0; i < walk.string_count; i++)
        if (walk.strings[i].tag >= 740 && walk.strings[i].tag < 746)
            seen_strings[walk.strings[i].tag - 740]++;
    for (int i = 0; i < 6; i++) {
        SAME(1, seen_arrays[i]);
        SAME(1, seen_strings[i]);
    }
}

TCK_CASE_DATA("heap", follow_every_array, "FollowReferences.behaviour.every-array-once",
              "Heap", 682, TCK_LIVE, 11, run_every_array, "follow");
TCK_CASE_DATA("heap", iterate_every_array,
              "IterateThroughHeap.behaviour.every-array-once", "Heap", 682, TCK_LIVE,
              11, run_every_array, NULL);

TCK_CASE("heap", primitive_fields, "FollowReferences.behaviour.primitive-fields",
         "jvmtiPrimitiveFieldCallback", 248)
{
    jobject root;
    bool found = false, found_static = false;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_value_callbacks);
    for (int i = 0; i < walk.field_count; i++) {
        if (walk.fields[i].tag == ROOT && walk.fields[i].index == F_NUMBER) {
            found = true;
            SAME(JVMTI_PRIMITIVE_TYPE_INT, walk.fields[i].type);
            SAME(17, walk.fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_FIELD, walk.fields[i].kind);
        } else if (walk.fields[i].tag == CLASS && walk.fields[i].index == F_COUNT) {
            found_static = true;
            SAME(23, walk.fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_STATIC_FIELD, walk.fields[i].kind);
        }
    }
    TRUE(found);
    TRUE(found_static);
}

TCK_CASE("heap", primitive_array, "FollowReferences.behaviour.primitive-array",
         "jvmtiArrayPrimitiveValueCallback", 251)
{
    jobject array = stage_call(t, "tck/Graph", "ints", "()[I");

    NEED("can_tag_objects");
    walk_reset();
    walk_tag(t, array, 660);
    FOLLOW(0, NULL, array, &walk_value_callbacks);
    walk_tag(t, array, 0);
    SAME(1, walk.array_count);
    SAME(660, walk.arrays[0].tag);
    SAME(3, walk.arrays[0].count);
    SAME(JVMTI_PRIMITIVE_TYPE_INT, walk.arrays[0].type);
    SAME(1, walk.arrays[0].first[0]);
    SAME(-2, walk.arrays[0].first[1]);
    SAME(3, walk.arrays[0].first[2]);
}

static void
string_value(struct tck *t, const jchar *text, jint length)
{
    jobject string = (*t->jni)->NewString(t->jni, text, length);

    walk_reset();
    walk_tag(t, string, 661);
    FOLLOW(0, NULL, string, &walk_value_callbacks);
    walk_tag(t, string, 0);
    SAME(1, walk.string_count);
    SAME(length, walk.strings[0].length);
    for (jint i = 0; i < length; i++)
        SAME(text[i], walk.strings[0].text[i]);
}

TCK_CASE("heap", primitive_string, "FollowReferences.behaviour.string",
         "jvmtiStringPrimitiveValueCallback", 252)
{
    static const jchar latin[] = { 't', 'c', 'k', 0xe9 };

    NEED("can_tag_objects");
    string_value(t, latin, 4);
}

TCK_CASE("heap", primitive_string_wide, "FollowReferences.behaviour.string-wide",
         "jvmtiStringPrimitiveValueCallback", 252)
{
    static const jchar wide[] = { 0x20ac, 0xd83d, 0xde00, 0 };

    NEED("can_tag_objects");
    string_value(t, wide, 4);
}

/* -- the whole heap -- */

#define ITERATE(filter, klass, callbacks)                                              \
    CALL(IterateThroughHeap, filter, klass, callbacks, NULL)

TCK_CASE("heap", iterate_class, "IterateThroughHeap.behaviour.exact-class",
         "Iterate Through Heap", 273)
{
    jobject root, sub;
    int found = 0;

    NEED("can_tag_objects");
    root = walk_build(t);
    sub = stage_call(t, "tck/Graph", "sub", "()Ljava/lang/Object;");
    walk_tag(t, sub, 670);
    ITERATE(0, stage_class(t, "tck/Graph"), &walk_object_callbacks);
    (void)root;
    for (int i = 0; i < walk.edge_count; i++) {
        SAME(CLASS, walk.edges[i].class_tag);
        TRUE(walk.edges[i].to != 670);
        found += walk.edges[i].to == ROOT || walk.edges[i].to == A
                 || walk.edges[i].to == B;
    }
    SAME(3, found);
    walk_tag(t, sub, 0);
}

/* ROOT has a tag, and its class has one; ARRAY has one, and its class has none. */
TCK_CASE("heap", iterate_filters, "IterateThroughHeap.behaviour.filters", "Heap", 227)
{
    static const struct {
        jint filter;
        bool untagged, root, array;
    } filters[] = { { 0, true, true, true },
                    { JVMTI_HEAP_FILTER_TAGGED, true, false, false },
                    { JVMTI_HEAP_FILTER_UNTAGGED, false, true, true },
                    { JVMTI_HEAP_FILTER_CLASS_TAGGED, true, false, true },
                    { JVMTI_HEAP_FILTER_CLASS_UNTAGGED, false, true, false } };

    NEED("can_tag_objects");
    walk_build(t);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        bool untagged = false, root = false, array = false;

        walk_reset();
        ITERATE(filters[i].filter, NULL, &walk_object_callbacks);
        for (int k = 0; k < walk.edge_count; k++) {
            /* An untagged object of a tagged class says nothing about the filters. */
            untagged = untagged
                       || (walk.edges[k].to == 0 && walk.edges[k].class_tag == 0);
            root = root || walk.edges[k].to == ROOT;
            array = array || walk.edges[k].to == ARRAY;
        }
        SAME(filters[i].untagged, untagged);
        SAME(filters[i].root, root);
        SAME(filters[i].array, array);
    }
}

/* The record of the object with that tag; NULL fails the case. */
static const struct edge *
the_object(struct tck *t, jlong value)
{
    for (int i = 0; i < walk.edge_count; i++)
        if (walk.edges[i].to == value)
            return &walk.edges[i];
    tck_fail(t, "the tagged object was not visited");
    return NULL;
}

TCK_CASE("heap", iterate_values, "IterateThroughHeap.behaviour.length",
         "jvmtiHeapIterationCallback", 235)
{
    jobject array = stage_call(t, "tck/Graph", "ints", "()[I");
    const struct edge *e;

    NEED("can_tag_objects");
    walk_build(t);
    walk_tag(t, array, 671);
    ITERATE(JVMTI_HEAP_FILTER_UNTAGGED, NULL, &walk_object_callbacks);
    walk_tag(t, array, 0);
    e = the_object(t, 671);
    TRUE(e != NULL);
    SAME(3, e->length);
    e = the_object(t, ROOT);
    TRUE(e != NULL);
    SAME(-1, e->length);
}

TCK_CASE("heap", iterate_sizes, "IterateThroughHeap.behaviour.size",
         "jvmtiHeapIterationCallback", 737)
{
    jobject array = stage_call(t, "tck/Graph", "ints", "()[I");
    const struct edge *e;
    jlong size;

    NEED("can_tag_objects");
    walk_reset();
    walk_tag(t, array, 671);
    size = stage_size(t, array);
    ITERATE(JVMTI_HEAP_FILTER_UNTAGGED, NULL, &walk_object_callbacks);
    walk_tag(t, array, 0);
    e = the_object(t, 671);
    TRUE(e != NULL);
    TRUE(stage_size_fits(t, array, size, e->size));
}

/* Each time a new one; a VM may collect it before the walk all the same. */
TCK_CASE("heap", iterate_unreachable, "IterateThroughHeap.behaviour.unreachable",
         "Iterate Through Heap", 271)
{
    NEED("can_tag_objects");
    walk_reset();
    for (int i = 0; i < 20 && walk.edge_count == 0; i++) {
        stage_call_void(t, "tck/Graph", "dropped", "()V");
        ITERATE(0, stage_class(t, "tck/Graph$Dropped"), &walk_object_callbacks);
    }
    if (walk.edge_count == 0)
        tck_skip(t, "no object that nothing refers to is left when the walk begins");
}

/* "The garbage collection is as complete as possible": whatever a conservative collector
   takes for references, it is not all of these. */
TCK_CASE("heap", collects, "ForceGarbageCollection.behaviour.collects",
         "Force Garbage Collection", 738)
{
    enum { COUNT = 100 };
    const jlong mark = 0x100000717;
    jclass k = stage_class(t, "tck/Graph$Dropped");
    jmethodID make = stage_method(t, "tck/Graph$Dropped", "<init>", "()V", false);
    jint count = -1;

    NEED("can_tag_objects");
    for (int i = 0; i < COUNT; i++) {
        jobject object = (*t->jni)->NewObject(t->jni, k, make);

        walk_tag(t, object, mark);
        (*t->jni)->DeleteLocalRef(t->jni, object);
    }
    CALL(ForceGarbageCollection);
    CALL(GetObjectsWithTags, 1, &mark, &count, NULL, NULL);
    walk_forget(t, mark, mark);
    TRUE(count < COUNT);
}

TCK_CASE("heap", iterate_abort, "IterateThroughHeap.behaviour.abort", "Heap", 274)
{
    NEED("can_tag_objects");
    walk_reset();
    walk.answer = JVMTI_VISIT_ABORT;
    ITERATE(0, NULL, &walk_object_callbacks);
    SAME(1, walk.edge_count);
}

TCK_CASE("heap", iterate_interface, "IterateThroughHeap.behaviour.interface",
         "Iterate Through Heap", 273)
{
    NEED("can_tag_objects");
    walk_build(t);
    ITERATE(0, stage_class(t, "tck/GraphConstants"), &walk_object_callbacks);
    SAME(0, walk.edge_count);
}

static jint JNICALL
tagging(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *data)
{
    (void)class_tag, (void)size, (void)length, (void)data;
    *tag_ptr = *tag_ptr == ROOT ? 0 : 680;
    return JVMTI_VISIT_OBJECTS;
}

TCK_CASE("heap", iterate_tags, "IterateThroughHeap.behaviour.tagging-in-callback",
         "Heap", 230)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = tagging };
    jobject root, sub;
    jlong value;

    NEED("can_tag_objects");
    root = walk_build(t);
    ITERATE(0, stage_class(t, "tck/Graph"), &callbacks);
    CALL(GetTag, root, &value);
    SAME(0, value);
    sub = stage_get(t, root, "left", GRAPH);
    CALL(GetTag, sub, &value);
    SAME(680, value);
}

TCK_CASE("heap", iterate_data, "IterateThroughHeap.behaviour.user-data",
         "Iterate Through Heap", 268)
{
    NEED("can_tag_objects");
    walk_build(t);
    CALL(IterateThroughHeap, 0, stage_class(t, "tck/Graph"), &walk_object_callbacks,
         &walk.answer);
    TRUE(walk.seen_data == &walk.answer && !walk.mixed_data);
    walk_reset();
    ITERATE(0, stage_class(t, "tck/Graph"), &walk_object_callbacks);
    TRUE(walk.data_calls > 0 && walk.seen_data == NULL && !walk.mixed_data);
}

TCK_CASE("heap", iterate_class_objects, "IterateThroughHeap.behaviour.class-objects",
         "Heap", 231)
{
    jclass k = stage_class(t, "java/lang/Class");
    bool found = false;

    NEED("can_tag_objects");
    walk_build(t);
    walk_tag(t, k, 690);
    ITERATE(JVMTI_HEAP_FILTER_UNTAGGED, NULL, &walk_object_callbacks);
    walk_tag(t, k, 0);
    for (int i = 0; i < walk.edge_count; i++) {
        if (walk.edges[i].to == CLASS) {
            SAME(690, walk.edges[i].class_tag);
            found = true;
        }
    }
    TRUE(found);
}

/* -- callback-safe functions, called where only they may be -- */

static jrawMonitorID safe_monitor;
static jvmtiError safe_errors[15];
static bool safe_waits;   /* and asks for the processor time, whatever comes of it */

static jint JNICALL
calling(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *data)
{
    jvmtiEnv *env = data;
    unsigned char *mem = NULL;
    jrawMonitorID made = NULL;
    jvmtiTimerInfo info;
    void *storage;
    jlong time;

    (void)class_tag, (void)size, (void)tag_ptr, (void)length;
    safe_errors[0] = (*env)->Allocate(env, 32, &mem);
    safe_errors[1] = (*env)->Deallocate(env, mem);
    safe_errors[2] = (*env)->CreateRawMonitor(env, "in a callback", &made);
    safe_errors[3] = (*env)->RawMonitorEnter(env, made);
    safe_errors[4] = (*env)->RawMonitorNotify(env, made);
    safe_errors[5] = (*env)->RawMonitorNotifyAll(env, made);
    safe_errors[6] = (*env)->RawMonitorExit(env, made);
    safe_errors[7] = (*env)->DestroyRawMonitor(env, made);
    safe_errors[8] = (*env)->SetEnvironmentLocalStorage(env, &safe_monitor);
    safe_errors[9] = (*env)->GetEnvironmentLocalStorage(env, &storage);
    safe_errors[10] = (*env)->GetTimerInfo(env, &info);
    safe_errors[11] = (*env)->GetTime(env, &time);
    if (!safe_waits)
        return JVMTI_VISIT_ABORT;
    (*env)->RawMonitorEnter(env, safe_monitor);
    safe_errors[12] = (*env)->RawMonitorWait(env, safe_monitor, 1);
    (*env)->RawMonitorExit(env, safe_monitor);
    safe_errors[13] = (*env)->GetCurrentThreadCpuTimerInfo(env, &info);
    safe_errors[14] = (*env)->GetCurrentThreadCpuTime(env, &time);
    return JVMTI_VISIT_ABORT;
}

/* A case per function, so that a VM's report names it. */
static void
run_safe(struct tck *t, const void *data)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = calling };
    size_t index = (size_t)data - 1;

    NEED("can_tag_objects");
    if (index >= 13)
        NEED("can_get_current_thread_cpu_time");
    walk_build(t);
    CALL(CreateRawMonitor, "waited for in a callback", &safe_monitor);
    safe_errors[index] = JVMTI_ERROR_INTERNAL;
    safe_waits = index >= 12;
    CALL(IterateThroughHeap, 0, stage_class(t, "tck/Graph"), &callbacks, t->jvmti);
    SAME(JVMTI_ERROR_NONE, safe_errors[index]);
    CALL(SetEnvironmentLocalStorage, NULL);
    CALL(DestroyRawMonitor, safe_monitor);
}

#define SAFE(function, index)                                                          \
    TCK_CASE_DATA("heap", safe_##function, #function ".behaviour.in-heap-callback",    \
                  "Heap", 674, TCK_LIVE, 11, run_safe, (const void *)(index + 1))

SAFE(Allocate, 0);
SAFE(Deallocate, 1);
SAFE(CreateRawMonitor, 2);
SAFE(RawMonitorEnter, 3);
SAFE(RawMonitorNotify, 4);
SAFE(RawMonitorNotifyAll, 5);
SAFE(RawMonitorExit, 6);
SAFE(DestroyRawMonitor, 7);
SAFE(SetEnvironmentLocalStorage, 8);
SAFE(GetEnvironmentLocalStorage, 9);
SAFE(GetTimerInfo, 10);
SAFE(GetTime, 11);
SAFE(RawMonitorWait, 12);
SAFE(GetCurrentThreadCpuTimerInfo, 13);
SAFE(GetCurrentThreadCpuTime, 14);
