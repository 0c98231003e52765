/* SPDX-License-Identifier: MIT */
/* tck/agent/heap.c -- chapter Heap: tags, and the edges of a known graph. */
#include "tck/agent/heap_walk.h"

#include <string.h>

/* -- tags -- */

TCK_CASE("heap", tag_initial, "GetTag.behaviour.untagged", "Get Tag", 277)
{
    jlong value = 1;

    NEED("can_tag_objects");
    CALL(GetTag, stage_object(t), &value);
    SAME(0, value);
}

TCK_CASE("heap", tag_replaced, "SetTag.behaviour.replaces", "Set Tag", 279)
{
    jobject object = stage_object(t);
    jlong value;

    NEED("can_tag_objects");
    CALL(SetTag, object, 0x7fffffffffffffff);
    CALL(GetTag, object, &value);
    SAME(0x7fffffffffffffff, value);
    CALL(SetTag, object, -5);
    CALL(GetTag, object, &value);
    SAME(-5, value);
    CALL(SetTag, object, 0);
    CALL(GetTag, object, &value);
    SAME(0, value);
}

TCK_CASE("heap", tag_survives, "SetTag.behaviour.survives-collection", "Set Tag", 280)
{
    jobject object = stage_object(t);
    jlong value;

    NEED("can_tag_objects");
    CALL(SetTag, object, 444);
    for (int i = 0; i < 3; i++)
        CALL(ForceGarbageCollection);
    CALL(GetTag, object, &value);
    SAME(444, value);
    CALL(SetTag, object, 0);
}

TCK_CASE("heap", tag_per_object, "SetTag.behaviour.per-object", "Set Tag", 279)
{
    jobject a = stage_object(t), b = stage_object(t);
    jlong value;

    NEED("can_tag_objects");
    CALL(SetTag, a, 1);
    CALL(GetTag, b, &value);
    SAME(0, value);
    CALL(SetTag, a, 0);
}

TCK_CASE("heap", tag_per_env, "SetTag.behaviour.per-environment", "Heap", 224)
{
    jobject object = stage_object(t);
    jvmtiEnv *env;
    jvmtiError error;
    jlong value = -1;

    NEED("can_tag_objects");
    env = tck_new_env(t);
    TRUE(env != NULL);
    error = (*env)->AddCapabilities(env, &(jvmtiCapabilities){ .can_tag_objects = 1 });
    if (error == JVMTI_ERROR_NOT_AVAILABLE) {
        tck_skip(t, "only one environment can hold can_tag_objects, or from OnLoad on");
        CALL_ON(env, DisposeEnvironment);
        return;
    }
    SAME(JVMTI_ERROR_NONE, error);
    CALL(SetTag, object, 12);
    CALL_ON(env, GetTag, object, &value);
    SAME(0, value);
    CALL_ON(env, SetTag, object, 13);
    CALL(GetTag, object, &value);
    SAME(12, value);
    CALL(SetTag, object, 0);
    CALL_ON(env, DisposeEnvironment);
}

TCK_CASE("heap", with_tags, "GetObjectsWithTags.behaviour.objects",
         "Get Objects With Tags", 281)
{
    jobject a = stage_object(t), b = stage_object(t), c = stage_object(t), *objects;
    jlong wanted[2] = { 0x100000501, 0x100000502 }, *tags;
    jint count;
    int seen_a = 0, seen_b = 0;

    NEED("can_tag_objects");
    walk_tag(t, a, 0x100000501);
    walk_tag(t, b, 0x100000502);
    walk_tag(t, c, 0x100000503);
    CALL(GetObjectsWithTags, 2, wanted, &count, &objects, &tags);
    SAME(2, count);
    for (jint i = 0; i < count; i++) {
        if ((*t->jni)->IsSameObject(t->jni, objects[i], a)) {
            SAME(0x100000501, tags[i]);
            seen_a++;
        } else if ((*t->jni)->IsSameObject(t->jni, objects[i], b)) {
            SAME(0x100000502, tags[i]);
            seen_b++;
        }
    }
    SAME(1, seen_a);
    SAME(1, seen_b);
    CALL(Deallocate, (unsigned char *)objects);
    CALL(Deallocate, (unsigned char *)tags);
    CALL(GetObjectsWithTags, 2, wanted, &count, NULL, NULL);
    SAME(2, count);
    walk_tag(t, a, 0);
    walk_tag(t, b, 0);
    walk_tag(t, c, 0);
}

TCK_CASE("heap", with_tags_none, "GetObjectsWithTags.behaviour.none",
         "Get Objects With Tags", 281)
{
    jlong wanted = 987654321;
    jint count = -1;

    NEED("can_tag_objects");
    CALL(GetObjectsWithTags, 1, &wanted, &count, NULL, NULL);
    SAME(0, count);
}

/* -- following references -- */

TCK_CASE("heap", follow_fields,
         "FollowReferences.behaviour.fields", "Follow References",
         258)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(FIELD, ROOT, A, F_LEFT));
    SAME(1, walk_count_edges(FIELD, ROOT, A, F_RIGHT));
    SAME(1, walk_count_edges(FIELD, ROOT, ARRAY, F_ARRAY));
}

TCK_CASE("heap", follow_inherited, "FollowReferences.behaviour.inherited-field-index",
         "jvmtiHeapReferenceInfoField", 232)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(FIELD, ROOT, B, F_INHERITED));
}

TCK_CASE("heap", follow_elements, "FollowReferences.behaviour.array-elements",
         "Follow References", 260)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(ELEMENT, ARRAY, B, 0));
    SAME(1, walk_count_edges(ELEMENT, ARRAY, ROOT, 2));
    /* The null element between them is not reported. */
    for (int i = 0; i < walk.edge_count; i++)
        TRUE(!(walk.edges[i].from == ARRAY && walk.edges[i].kind == ELEMENT
               && walk.edges[i].index == 1));
}

TCK_CASE("heap", follow_class, "FollowReferences.behaviour.class", "Follow References",
         258)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_CLASS, ROOT, CLASS, -1));
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_CLASS, A, CLASS, -1));
}

TCK_CASE("heap", follow_statics, "FollowReferences.behaviour.static-fields",
         "Follow References", 259)
{
    jobject root;
    jobject shared;

    NEED("can_tag_objects");
    root = walk_build(t);
    shared = stage_static(t, "tck/Graph", "shared", "Ljava/lang/Object;");
    walk_tag(t, shared, 777);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_STATIC_FIELD, CLASS, 777, F_SHARED));
    walk_tag(t, shared, 0);
}

TCK_CASE("heap", follow_super, "FollowReferences.behaviour.superclass-and-interface",
         "Follow References", 259)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    walk_tag(t, stage_class(t, "tck/GraphBase"), 601);
    walk_tag(t, stage_class(t, "tck/GraphConstants"), 602);
    walk_tag(t, stage_class(t, "java/lang/Object"), 603);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    walk_tag(t, stage_class(t, "tck/GraphBase"), 0);
    walk_tag(t, stage_class(t, "tck/GraphConstants"), 0);
    walk_tag(t, stage_class(t, "java/lang/Object"), 0);
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_SUPERCLASS, CLASS, 601, -1));
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_INTERFACE, CLASS, 602, -1));
    /* Object as a superclass is not reported. */
    SAME(0, walk_count_edges(JVMTI_HEAP_REFERENCE_SUPERCLASS, 601, 603, -1));
}

TCK_CASE("heap", follow_loader, "FollowReferences.behaviour.class-loader",
         "Follow References", 259)
{
    jobject root, loader = NULL;

    NEED("can_tag_objects");
    root = walk_build(t);
    CALL(GetClassLoader, stage_class(t, "tck/Graph"), &loader);
    walk_tag(t, loader, 610);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    walk_tag(t, loader, 0);
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_CLASS_LOADER, CLASS, 610, -1));
}

TCK_CASE("heap", follow_lengths, "FollowReferences.behaviour.length-and-class",
         "jvmtiHeapReferenceCallback", 243)
{
    jobject root;
    int arrays = 0, graphs = 0;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    for (int i = 0; i < walk.edge_count; i++) {
        if (walk.edges[i].to == ARRAY) {
            arrays++;
            SAME(3, walk.edges[i].length);
        }
        if (walk.edges[i].to == ROOT || walk.edges[i].to == A) {
            graphs++;
            SAME(-1, walk.edges[i].length);
            SAME(CLASS, walk.edges[i].class_tag);
        }
    }
    TRUE(arrays > 0 && graphs > 0);
}

static void
check_infos(struct tck *t)
{
    for (int i = 0; i < walk.edge_count; i++) {
        switch (walk.edges[i].kind) {
        case JVMTI_HEAP_REFERENCE_FIELD:
        case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT:
        case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
        case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
        case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
            TRUE(walk.edges[i].info);
            break;
        case JVMTI_HEAP_REFERENCE_OTHER:
            /* There is a structure for other references, "reserved for future use". */
            break;
        default:
            TRUE(!walk.edges[i].info);
        }
    }
}

TCK_CASE("heap", follow_info, "FollowReferences.behaviour.reference-info",
         "jvmtiHeapReferenceCallback", 239)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    check_infos(t);
    walk_reset();
    walk.answer = 0;
    FOLLOW(0, NULL, NULL, &walk_reference_callbacks);
    check_infos(t);
}

TCK_CASE("heap", follow_pruned,
         "FollowReferences.behaviour.pruned", "Follow References",
         262)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    walk.prune = ARRAY;
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk_count_edges(FIELD, ROOT, ARRAY, F_ARRAY));
    SAME(0, walk_count_edges(ELEMENT, ARRAY, B, 0));
    SAME(1, walk_count_edges(FIELD, ROOT, B, F_INHERITED));
}

TCK_CASE("heap", follow_abort, "FollowReferences.behaviour.abort", "Heap", 228)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    walk.answer = JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS;
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    SAME(1, walk.edge_count);
}

TCK_CASE("heap", follow_class_filter, "FollowReferences.behaviour.klass",
         "Follow References", 264)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, stage_class(t, "tck/Graph"), root, &walk_reference_callbacks);
    TRUE(walk.edge_count > 0);
    for (int i = 0; i < walk.edge_count; i++)
        SAME(CLASS, walk.edges[i].class_tag);
    /* What leads through the array is visited all the same. */
    SAME(1, walk_count_edges(ELEMENT, ARRAY, B, 0));
}

TCK_CASE("heap", follow_tagged_filter, "FollowReferences.behaviour.filter-tagged",
         "Heap", 227)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(JVMTI_HEAP_FILTER_TAGGED, NULL, root, &walk_reference_callbacks);
    TRUE(walk.edge_count > 0);
    for (int i = 0; i < walk.edge_count; i++)
        SAME(0, walk.edges[i].to);
    walk_reset();
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, root, &walk_reference_callbacks);
    TRUE(walk.edge_count > 0);
    for (int i = 0; i < walk.edge_count; i++)
        TRUE(walk.edges[i].to != 0);
    SAME(1, walk_count_edges(FIELD, ROOT, A, F_LEFT));
}

TCK_CASE("heap", follow_class_tag_filter,
         "FollowReferences.behaviour.filter-class-tagged",
         "Heap", 227)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(JVMTI_HEAP_FILTER_CLASS_TAGGED, NULL, root, &walk_reference_callbacks);
    for (int i = 0; i < walk.edge_count; i++)
        SAME(0, walk.edges[i].class_tag);
    SAME(1, walk_count_edges(FIELD, ROOT, ARRAY, F_ARRAY));
    walk_reset();
    FOLLOW(JVMTI_HEAP_FILTER_CLASS_UNTAGGED, NULL, root, &walk_reference_callbacks);
    for (int i = 0; i < walk.edge_count; i++)
        TRUE(walk.edges[i].class_tag != 0);
    SAME(1, walk_count_edges(FIELD, ROOT, A, F_LEFT));
}

TCK_CASE("heap", follow_data,
         "FollowReferences.behaviour.user-data", "Follow References",
         268)
{
    jobject root;

    NEED("can_tag_objects");
    root = walk_build(t);
    CALL(FollowReferences, 0, NULL, root, &walk_reference_callbacks, &walk.edge_count);
    TRUE(walk.seen_data == &walk.edge_count && !walk.mixed_data);
    walk_reset();
    CALL(FollowReferences, 0, NULL, root, &walk_reference_callbacks, NULL);
    TRUE(walk.data_calls > 0 && walk.seen_data == NULL && !walk.mixed_data);
}

TCK_CASE("heap", follow_no_callback, "FollowReferences.behaviour.null-callback",
         "Follow References", 265)
{
    static const jvmtiHeapCallbacks none;
    jobject root;
    int found = 0;

    NEED("can_tag_objects");
    root = walk_build(t);
    FOLLOW(0, NULL, root, &none);
    SAME(0, walk.edge_count);
    /* No reference is reported, but the objects that they lead to are visited. */
    FOLLOW(0, NULL, root, &walk_value_callbacks);
    for (int i = 0; i < walk.field_count; i++)
        found += walk.fields[i].index == F_NUMBER
            && (walk.fields[i].tag == A || walk.fields[i].tag == B);
    SAME(2, found);
}

TCK_CASE("heap", follow_roots, "FollowReferences.behaviour.heap-roots",
         "jvmtiHeapReferenceCallback", 240)
{
    NEED("can_tag_objects");
    walk_reset();
    walk.answer =
        0; /* the roots alone; of which kinds there are any is the VM's affair */
    FOLLOW(0, NULL, NULL, &walk_reference_callbacks);
    TRUE(walk.edge_count > 0);
    for (int i = 0; i < walk.edge_count; i++) {
        TRUE(walk.edges[i].root);
        SAME(0, walk.edges[i].referrer_class_tag);
        TRUE(walk.edges[i].kind >= JVMTI_HEAP_REFERENCE_JNI_GLOBAL);
    }
    /* A reference from an object has a referrer, though that has no tag. */
    walk_reset();
    FOLLOW(0, NULL, stage_call(t, "tck/Graph", "build", "()" GRAPH),
           &walk_reference_callbacks);
    TRUE(walk.edge_count > 0);
    for (int i = 0; i < walk.edge_count; i++)
        if (walk.edges[i].kind < JVMTI_HEAP_REFERENCE_JNI_GLOBAL)
            TRUE(!walk.edges[i].root);
}

TCK_CASE("heap", follow_jni_global, "FollowReferences.behaviour.jni-global",
         "Follow References", 254)
{
    jobject object = stage_object(t), global = (*t->jni)->NewGlobalRef(t->jni, object);

    NEED("can_tag_objects");
    walk_reset();
    walk.answer = 0;
    walk_tag(t, object, 650);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    (*t->jni)->DeleteGlobalRef(t->jni, global);
    walk_tag(t, object, 0);
    SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 0, 650, -1));
}

/* Is the object told to be a root of that kind? */
static void
check_root(struct tck *t, jobject object, jvmtiHeapReferenceKind kind)
{
    walk_reset();
    walk.answer = 0;
    walk_tag(t, object, 650);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, object, 0);
    TRUE(walk_count_edges(kind, 0, 650, -1) >= 1);
}

TCK_CASE("heap", follow_system_class, "FollowReferences.behaviour.system-class",
         "Follow References", 793)
{
    jclass object = stage_class(t, "java/lang/Object");

    NEED("can_tag_objects");
    check_root(t, object, JVMTI_HEAP_REFERENCE_SYSTEM_CLASS);
}

TCK_CASE("heap", follow_jni_local, "FollowReferences.behaviour.jni-local",
         "Follow References", 254)
{
    jobject object = stage_object(t);

    NEED("can_tag_objects");
    check_root(t, object, JVMTI_HEAP_REFERENCE_JNI_LOCAL);
}

TCK_CASE("heap", follow_stack_local, "FollowReferences.behaviour.stack-local",
         "Follow References", 254)
{
    jthread thread = stage_start(t, 'V');

    NEED("can_tag_objects");
    check_root(t, thread, JVMTI_HEAP_REFERENCE_STACK_LOCAL);
}

TCK_CASE("heap", follow_thread, "FollowReferences.behaviour.thread-root",
         "Follow References", 694)
{
    jthread thread = stage_start(t, 'V');

    NEED("can_tag_objects");
    check_root(t, thread, JVMTI_HEAP_REFERENCE_THREAD);
}

/* The edge of a kind to the object with that tag; NULL fails the case. */
static const struct edge *
the_edge(struct tck *t, jvmtiHeapReferenceKind kind, jlong to)
{
    for (int i = 0; i < walk.edge_count; i++)
        if (walk.edges[i].kind == kind && walk.edges[i].to == to)
            return &walk.edges[i];
    tck_fail(t, "expected a reference of kind %d to the tagged object", (int)kind);
    return NULL;
}

TCK_CASE("heap", follow_class_tags, "FollowReferences.behaviour.class-tags",
         "jvmtiHeapReferenceCallback", 681)
{
    jobject root;
    const struct edge *e;

    NEED("can_tag_objects");
    root = walk_build(t);
    walk_tag(t, stage_class(t, "[Ljava/lang/Object;"), 620);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    walk_tag(t, stage_class(t, "[Ljava/lang/Object;"), 0);
    e = the_edge(t, FIELD, A);
    TRUE(e != NULL);
    SAME(CLASS, e->class_tag);
    SAME(CLASS, e->referrer_class_tag);
    e = the_edge(t, FIELD, ARRAY);
    TRUE(e != NULL);
    SAME(620, e->class_tag);
    SAME(CLASS, e->referrer_class_tag);
    e = the_edge(t, ELEMENT, B);
    TRUE(e != NULL);
    SAME(CLASS, e->class_tag);
    SAME(620, e->referrer_class_tag);
}

TCK_CASE("heap", follow_root_class_tag, "FollowReferences.behaviour.root-class-tag",
         "jvmtiHeapReferenceCallback", 240)
{
    jobject global[8];

    NEED("can_tag_objects");
    walk_reset();
    walk.answer = 0;
    walk_tag(t, stage_class(t, "tck/Model"), CLASS);
    for (int i = 0; i < 8; i++) {
        jobject object = stage_object(t);

        global[i] = (*t->jni)->NewGlobalRef(t->jni, object);
        walk_tag(t, object, 700 + i);
    }
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, stage_class(t, "tck/Model"), 0);
    walk_forget(t, 700, 707);
    for (int i = 0; i < 8; i++)
        (*t->jni)->DeleteGlobalRef(t->jni, global[i]);
    for (int i = 0; i < 8; i++) {
        const struct edge *e = the_edge(t, JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 700 + i);

        TRUE(e != NULL);
        SAME(CLASS, e->class_tag);
        SAME(0, e->referrer_class_tag);
        SAME(1, walk_count_edges(JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 0, 700 + i, -1));
    }
}

TCK_CASE("heap", follow_sizes, "FollowReferences.behaviour.size",
         "jvmtiHeapReferenceCallback", 737)
{
    jobject root, array;
    const struct edge *e;
    jlong root_size, array_size;

    NEED("can_tag_objects");
    root = walk_build(t);
    array = stage_get(t, root, "array", "[Ljava/lang/Object;");
    root_size = stage_size(t, root);
    array_size = stage_size(t, array);
    FOLLOW(0, NULL, root, &walk_reference_callbacks);
    e = the_edge(t, FIELD, ARRAY);
    TRUE(e != NULL);
    TRUE(stage_size_fits(t, array, array_size, e->size));
    e = the_edge(t, ELEMENT, ROOT);
    TRUE(e != NULL);
    TRUE(stage_size_fits(t, root, root_size, e->size));
}

/* Thread.getId() */
static jlong
thread_id(struct tck *t, jthread thread)
{
    jclass k = stage_class(t, "java/lang/Thread");

    return (*t->jni)->CallLongMethod(t->jni, thread,
                                     (*t->jni)->GetMethodID(t->jni, k, "getId", "()J"));
}

TCK_CASE("heap", follow_stack_info, "FollowReferences.behaviour.stack-local-info",
         "jvmtiHeapReferenceInfoStackLocal", 244)
{
    jthread thread;
    jmethodID method;
    jlocation location;
    bool found = false;

    NEED("can_tag_objects");
    NEED("can_suspend");
    thread = stage_suspended(t, 'V');
    CALL(GetFrameLocation, thread, 0, &method, &location);
    walk_reset();
    walk.answer = 0;
    walk_tag(t, thread, 655);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, thread, 0);
    for (int i = 0; i < walk.edge_count; i++) {
        const struct edge *e = &walk.edges[i];

        if (e->kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL || e->to != 655
            || e->method != method)
            continue;
        SAME(655, e->thread_tag);
        SAME(0, e->depth);
        SAME(location, e->location);
        /* One of its other locals is the same object, and perhaps an operand. */
        found = found || e->slot == STAGE_SLOT_STAGE;
    }
    TRUE(found);
}

TCK_CASE("heap", follow_native_info, "FollowReferences.behaviour.jni-local-info",
         "jvmtiHeapReferenceInfoJniLocal", 244)
{
    jobject object = stage_object(t);
    jthread self;
    jmethodID method;
    jlocation location;
    const struct edge *e;

    NEED("can_tag_objects");
    CALL(GetCurrentThread, &self);
    CALL(GetFrameLocation, NULL, 0, &method, &location);
    walk_reset();
    walk.answer = 0;
    walk_tag(t, object, 656);
    walk_tag(t, self, 657);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, object, 0);
    walk_tag(t, self, 0);
    e = the_edge(t, JVMTI_HEAP_REFERENCE_JNI_LOCAL, 656);
    TRUE(e != NULL);
    SAME(657, e->thread_tag);
    SAME(0, e->depth);
    TRUE(e->method == method);
}

/* "The unique thread ID" of a local variable's thread and a local reference's; the text does
   not say that it is the one of java.lang.Thread. */
TCK_CASE("heap", follow_stack_id, "FollowReferences.behaviour.stack-local-thread-id",
         "jvmtiHeapReferenceInfoStackLocal", 779)
{
    jthread thread = stage_start(t, 'V');
    int found = 0;

    NEED("can_tag_objects");
    walk_reset();
    walk.answer = 0;
    walk_tag(t, thread, 658);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, thread, 0);
    for (int i = 0; i < walk.edge_count; i++) {
        const struct edge *e = &walk.edges[i];

        if (e->kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL || e->thread_tag != 658)
            continue;
        found++;
        SAME(thread_id(t, thread), e->thread_id);
    }
    TRUE(found > 0);
}

TCK_CASE("heap", follow_native_id, "FollowReferences.behaviour.jni-local-thread-id",
         "jvmtiHeapReferenceInfoJniLocal", 779)
{
    jobject object = stage_object(t);
    const struct edge *e;
    jthread self;

    NEED("can_tag_objects");
    CALL(GetCurrentThread, &self);
    walk_reset();
    walk.answer = 0;
    walk_tag(t, object, 659);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &walk_reference_callbacks);
    walk_tag(t, object, 0);
    e = the_edge(t, JVMTI_HEAP_REFERENCE_JNI_LOCAL, 659);
    TRUE(e != NULL);
    SAME(thread_id(t, self), e->thread_id);
}

TCK_CASE("heap", follow_roots_abort, "FollowReferences.behaviour.abort-at-root", "Heap",
         228)
{
    NEED("can_tag_objects");
    walk_reset();
    walk.answer = JVMTI_VISIT_ABORT;
    FOLLOW(0, NULL, NULL, &walk_reference_callbacks);
    SAME(1, walk.edge_count);
}
