/* SPDX-License-Identifier: MIT */
/* tck/agent/heap.c -- chapter Heap: tags, and the edges of a known graph. */
#include "tck/lib/stage.h"

#include <string.h>

#define GRAPH "Ltck/Graph;"

/* Tags of the graph's objects, see Graph.build(). */
enum { ROOT = 9001, A, B, ARRAY, CLASS };

/* Indices of Graph's fields: the interface's one comes first, then those of the
 * superclass (JVM TI jvmtiHeapReferenceInfoField). */
enum { F_INHERITED = 1, F_LEFT, F_NUMBER, F_RIGHT, F_ARRAY, F_SHARED, F_COUNT };

struct edge {
    jvmtiHeapReferenceKind kind;
    jlong from, to;
    jint index;
    jint length;
    jlong size;
    jlong class_tag;
    bool self;          /* referrer_tag_ptr == tag_ptr */
    bool info;
};

static struct edge edges[4096];
static int edge_count;
static jint answer;     /* what the callbacks return */
static jlong prune;     /* the object with this tag is not followed */
static void *seen_data;

static struct { jlong tag; jint index; jvmtiPrimitiveType type; jvalue value;
                jvmtiHeapReferenceKind kind; } fields[64];
static int field_count;
static struct { jlong tag; jint count; jvmtiPrimitiveType type; jint first[8]; } arrays[16];
static int array_count;
static struct { jlong tag; jint length; jchar text[32]; } strings[16];
static int string_count;

/* Where the next edge goes; edges among untagged objects only fill half the table. */
static struct edge *
next_edge(bool tagged)
{
    static struct edge dropped;
    const int limit = (int)(sizeof edges / sizeof edges[0]);

    return edge_count < (tagged ? limit : limit / 2) ? &edges[edge_count++] : &dropped;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag_ptr,
             jlong *referrer_tag_ptr, jint length, void *data)
{
    jlong from = referrer_tag_ptr == NULL ? 0 : *referrer_tag_ptr;
    struct edge *e = next_edge(from != 0 || *tag_ptr != 0);

    (void)referrer_class_tag;
    seen_data = data;
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->from = from;
    e->to = *tag_ptr;
    e->self = referrer_tag_ptr == tag_ptr;
    e->info = info != NULL;
    e->index = -1;
    if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD)
        e->index = info->field.index;
    else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        e->index = info->array.index;
    e->length = length;
    e->size = size;
    e->class_tag = class_tag;
    if (*tag_ptr == prune && prune != 0)
        return 0;
    return answer;
}

static jint JNICALL
on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
         jlong class_tag, jlong *tag_ptr, jvalue value, jvmtiPrimitiveType type,
         void *data)
{
    (void)class_tag, (void)data;
    if (*tag_ptr != 0 && field_count < 64) {
        fields[field_count].tag = *tag_ptr;
        fields[field_count].index = info->field.index;
        fields[field_count].type = type;
        fields[field_count].kind = kind;
        fields[field_count++].value = value;
    }
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count,
         jvmtiPrimitiveType type, const void *elements, void *data)
{
    (void)class_tag, (void)size, (void)data;
    if (*tag_ptr != 0 && array_count < 16) {
        arrays[array_count].tag = *tag_ptr;
        arrays[array_count].count = count;
        arrays[array_count].type = type;
        if (type == JVMTI_PRIMITIVE_TYPE_INT && count <= 8)
            memcpy(arrays[array_count].first, elements, (size_t)count * sizeof(jint));
        array_count++;
    }
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *text, jint length,
          void *data)
{
    (void)class_tag, (void)size, (void)data;
    if (*tag_ptr != 0 && string_count < 16) {
        strings[string_count].tag = *tag_ptr;
        strings[string_count].length = length;
        if (length <= 32)
            memcpy(strings[string_count].text, text, (size_t)length * sizeof *text);
        string_count++;
    }
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *data)
{
    struct edge *e = next_edge(*tag_ptr != 0);

    seen_data = data;
    memset(e, 0, sizeof *e);
    e->to = *tag_ptr;
    e->length = length;
    e->size = size;
    e->class_tag = class_tag;
    return answer;
}

static const jvmtiHeapCallbacks reference_callbacks = {
    .heap_reference_callback = on_reference
};
static const jvmtiHeapCallbacks value_callbacks = {
    .primitive_field_callback = on_field, .array_primitive_value_callback = on_array,
    .string_primitive_value_callback = on_string
};
static const jvmtiHeapCallbacks object_callbacks = {
    .heap_iteration_callback = on_object
};

static void
reset(void)
{
    edge_count = field_count = array_count = string_count = 0;
    answer = JVMTI_VISIT_OBJECTS;
    prune = 0;
    seen_data = NULL;
}

static void
tag(struct tck *t, jobject object, jlong value)
{
    tck_want(t, "SetTag", JVMTI_ERROR_NONE, (*t->jvmti)->SetTag(t->jvmti, object, value));
}

/* Take the tags of an earlier case's graph away, which may not be collected yet. */
static void
forget(struct tck *t, jlong first, jlong last)
{
    for (jlong value = first; value <= last; value++) {
        jobject *objects = NULL;
        jint count = 0;

        (*t->jvmti)->GetObjectsWithTags(t->jvmti, 1, &value, &count, &objects, NULL);
        for (jint i = 0; i < count; i++) {
            tag(t, objects[i], 0);
            (*t->jni)->DeleteLocalRef(t->jni, objects[i]);
        }
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)objects);
    }
}

/* Build the graph and tag its objects; its class too. */
static jobject
build(struct tck *t)
{
    jobject root = stage_call(t, "tck/Graph", "build", "()" GRAPH);
    jobjectArray parts = stage_call(t, "tck/Graph", "children",
                                    "(" GRAPH ")[Ljava/lang/Object;", root);

    reset();
    forget(t, ROOT, CLASS);
    tag(t, root, ROOT);
    for (jint i = 0; i < 3; i++)
        tag(t, (*t->jni)->GetObjectArrayElement(t->jni, parts, i), A + i);
    tag(t, stage_class(t, "tck/Graph"), CLASS);
    return root;
}

static int
count_edges(jvmtiHeapReferenceKind kind, jlong from, jlong to, jint index)
{
    int count = 0;

    for (int i = 0; i < edge_count; i++)
        count += edges[i].kind == kind && edges[i].from == from && edges[i].to == to
            && edges[i].index == index;
    return count;
}

#define FIELD JVMTI_HEAP_REFERENCE_FIELD
#define ELEMENT JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT

#define FOLLOW(filter, klass, root, callbacks)                                         \
    CALL(FollowReferences, filter, klass, root, callbacks, NULL)

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
    jvmtiEnv *env = tck_new_env(t);
    jlong value = -1;

    NEED("can_tag_objects");
    TRUE(env != NULL);
    CALL_ON(env, AddCapabilities, &(jvmtiCapabilities){ .can_tag_objects = 1 });
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
    jlong wanted[2] = { 501, 502 }, *tags;
    jint count;
    int seen_a = 0, seen_b = 0;

    NEED("can_tag_objects");
    tag(t, a, 501);
    tag(t, b, 502);
    tag(t, c, 503);
    CALL(GetObjectsWithTags, 2, wanted, &count, &objects, &tags);
    SAME(2, count);
    for (jint i = 0; i < count; i++) {
        if ((*t->jni)->IsSameObject(t->jni, objects[i], a)) {
            SAME(501, tags[i]);
            seen_a++;
        } else if ((*t->jni)->IsSameObject(t->jni, objects[i], b)) {
            SAME(502, tags[i]);
            seen_b++;
        }
    }
    SAME(1, seen_a);
    SAME(1, seen_b);
    CALL(Deallocate, (unsigned char *)objects);
    CALL(Deallocate, (unsigned char *)tags);
    CALL(GetObjectsWithTags, 2, wanted, &count, NULL, NULL);
    SAME(2, count);
    tag(t, a, 0);
    tag(t, b, 0);
    tag(t, c, 0);
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
    root = build(t);
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(FIELD, ROOT, A, F_LEFT));
    SAME(1, count_edges(FIELD, ROOT, A, F_RIGHT));
    SAME(1, count_edges(FIELD, ROOT, ARRAY, F_ARRAY));
}

TCK_CASE("heap", follow_inherited, "FollowReferences.behaviour.inherited-field-index",
         "Heap", 232)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(FIELD, ROOT, B, F_INHERITED));
}

TCK_CASE("heap", follow_elements, "FollowReferences.behaviour.array-elements",
         "Follow References", 260)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(ELEMENT, ARRAY, B, 0));
    SAME(1, count_edges(ELEMENT, ARRAY, ROOT, 2));
    /* The null element between them is not reported. */
    for (int i = 0; i < edge_count; i++)
        TRUE(!(edges[i].from == ARRAY && edges[i].kind == ELEMENT && edges[i].index == 1));
}

TCK_CASE("heap", follow_class, "FollowReferences.behaviour.class", "Follow References",
         258)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_CLASS, ROOT, CLASS, -1));
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_CLASS, A, CLASS, -1));
}

TCK_CASE("heap", follow_statics, "FollowReferences.behaviour.static-fields",
         "Follow References", 259)
{
    jobject root;
    jobject shared;

    NEED("can_tag_objects");
    root = build(t);
    shared = stage_static(t, "tck/Graph", "shared", "Ljava/lang/Object;");
    tag(t, shared, 777);
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_STATIC_FIELD, CLASS, 777, F_SHARED));
    tag(t, shared, 0);
}

TCK_CASE("heap", follow_super, "FollowReferences.behaviour.superclass-and-interface",
         "Follow References", 259)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    tag(t, stage_class(t, "tck/GraphBase"), 601);
    tag(t, stage_class(t, "tck/GraphConstants"), 602);
    tag(t, stage_class(t, "java/lang/Object"), 603);
    FOLLOW(0, NULL, root, &reference_callbacks);
    tag(t, stage_class(t, "tck/GraphBase"), 0);
    tag(t, stage_class(t, "tck/GraphConstants"), 0);
    tag(t, stage_class(t, "java/lang/Object"), 0);
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_SUPERCLASS, CLASS, 601, -1));
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_INTERFACE, CLASS, 602, -1));
    /* Object as a superclass is not reported. */
    SAME(0, count_edges(JVMTI_HEAP_REFERENCE_SUPERCLASS, 601, 603, -1));
}

TCK_CASE("heap", follow_loader, "FollowReferences.behaviour.class-loader",
         "Follow References", 259)
{
    jobject root, loader = NULL;

    NEED("can_tag_objects");
    root = build(t);
    CALL(GetClassLoader, stage_class(t, "tck/Graph"), &loader);
    tag(t, loader, 610);
    FOLLOW(0, NULL, root, &reference_callbacks);
    tag(t, loader, 0);
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_CLASS_LOADER, CLASS, 610, -1));
}

TCK_CASE("heap", follow_lengths, "FollowReferences.behaviour.length-and-size",
         "jvmtiHeapReferenceCallback", 243)
{
    jobject root;
    jlong size;

    NEED("can_tag_objects");
    root = build(t);
    CALL(GetObjectSize, root, &size);
    FOLLOW(0, NULL, root, &reference_callbacks);
    for (int i = 0; i < edge_count; i++) {
        if (edges[i].to == ARRAY)
            SAME(3, edges[i].length);
        if (edges[i].to == ROOT || edges[i].to == A) {
            SAME(-1, edges[i].length);
            SAME(size, edges[i].size);
            SAME(CLASS, edges[i].class_tag);
        }
    }
}

TCK_CASE("heap", follow_info, "FollowReferences.behaviour.reference-info",
         "jvmtiHeapReferenceCallback", 239)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &reference_callbacks);
    for (int i = 0; i < edge_count; i++) {
        switch (edges[i].kind) {
        case JVMTI_HEAP_REFERENCE_FIELD:
        case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT:
        case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
            TRUE(edges[i].info);
            break;
        case JVMTI_HEAP_REFERENCE_CLASS:
        case JVMTI_HEAP_REFERENCE_CLASS_LOADER:
        case JVMTI_HEAP_REFERENCE_SUPERCLASS:
        case JVMTI_HEAP_REFERENCE_INTERFACE:
            TRUE(!edges[i].info);
            break;
        default:
            break;
        }
    }
}

TCK_CASE("heap", follow_pruned,
         "FollowReferences.behaviour.pruned", "Follow References",
         262)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    prune = ARRAY;
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, count_edges(FIELD, ROOT, ARRAY, F_ARRAY));
    SAME(0, count_edges(ELEMENT, ARRAY, B, 0));
    SAME(1, count_edges(FIELD, ROOT, B, F_INHERITED));
}

TCK_CASE("heap", follow_abort, "FollowReferences.behaviour.abort", "Heap", 228)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    answer = JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS;
    FOLLOW(0, NULL, root, &reference_callbacks);
    SAME(1, edge_count);
}

TCK_CASE("heap", follow_class_filter, "FollowReferences.behaviour.klass",
         "Follow References", 264)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, stage_class(t, "tck/Graph"), root, &reference_callbacks);
    TRUE(edge_count > 0);
    for (int i = 0; i < edge_count; i++)
        SAME(CLASS, edges[i].class_tag);
    /* What leads through the array is visited all the same. */
    SAME(1, count_edges(ELEMENT, ARRAY, B, 0));
}

TCK_CASE("heap", follow_tagged_filter, "FollowReferences.behaviour.filter-tagged",
         "Heap", 227)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(JVMTI_HEAP_FILTER_TAGGED, NULL, root, &reference_callbacks);
    for (int i = 0; i < edge_count; i++)
        SAME(0, edges[i].to);
    reset();
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, root, &reference_callbacks);
    TRUE(edge_count > 0);
    for (int i = 0; i < edge_count; i++)
        TRUE(edges[i].to != 0);
    SAME(1, count_edges(FIELD, ROOT, A, F_LEFT));
}

TCK_CASE("heap", follow_class_tag_filter,
         "FollowReferences.behaviour.filter-class-tagged",
         "Heap", 227)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(JVMTI_HEAP_FILTER_CLASS_TAGGED, NULL, root, &reference_callbacks);
    for (int i = 0; i < edge_count; i++)
        SAME(0, edges[i].class_tag);
    reset();
    FOLLOW(JVMTI_HEAP_FILTER_CLASS_UNTAGGED, NULL, root, &reference_callbacks);
    TRUE(edge_count > 0);
    for (int i = 0; i < edge_count; i++)
        TRUE(edges[i].class_tag != 0);
}

TCK_CASE("heap", follow_data,
         "FollowReferences.behaviour.user-data", "Follow References",
         268)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    CALL(FollowReferences, 0, NULL, root, &reference_callbacks, &edge_count);
    TRUE(seen_data == &edge_count);
    CALL(FollowReferences, 0, NULL, root, &reference_callbacks, NULL);
    TRUE(seen_data == NULL);
}

TCK_CASE("heap", follow_no_callback, "FollowReferences.behaviour.null-callback",
         "Follow References", 265)
{
    static const jvmtiHeapCallbacks none;
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &none);
    SAME(0, edge_count);
    /* Nothing is reported, but everything is visited. */
    FOLLOW(0, NULL, root, &value_callbacks);
    TRUE(field_count > 0);
}

static const struct edge *
root_edge(jvmtiHeapReferenceKind kind)
{
    for (int i = 0; i < edge_count; i++)
        if (edges[i].kind == kind)
            return &edges[i];
    return NULL;
}

TCK_CASE("heap", follow_roots, "FollowReferences.behaviour.heap-roots",
         "Follow References", 254)
{
    const struct edge *e;

    NEED("can_tag_objects");
    reset();
    answer = 0;    /* the roots alone */
    FOLLOW(0, NULL, NULL, &reference_callbacks);
    TRUE(edge_count > 0);
    for (int i = 0; i < edge_count; i++)
        SAME(0, edges[i].from);
    e = root_edge(JVMTI_HEAP_REFERENCE_SYSTEM_CLASS);
    TRUE(e != NULL);
    e = root_edge(JVMTI_HEAP_REFERENCE_JNI_GLOBAL);
    TRUE(e != NULL);
}

TCK_CASE("heap", follow_jni_global, "FollowReferences.behaviour.jni-global",
         "Follow References", 269)
{
    jobject object = stage_object(t), global = (*t->jni)->NewGlobalRef(t->jni, object);

    NEED("can_tag_objects");
    reset();
    answer = 0;
    tag(t, object, 650);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &reference_callbacks);
    (*t->jni)->DeleteGlobalRef(t->jni, global);
    tag(t, object, 0);
    SAME(1, count_edges(JVMTI_HEAP_REFERENCE_JNI_GLOBAL, 0, 650, -1));
}

TCK_CASE("heap", follow_jni_local, "FollowReferences.behaviour.jni-local",
         "Follow References", 269)
{
    jobject object = stage_object(t);

    NEED("can_tag_objects");
    reset();
    answer = 0;
    tag(t, object, 651);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &reference_callbacks);
    tag(t, object, 0);
    TRUE(count_edges(JVMTI_HEAP_REFERENCE_JNI_LOCAL, 0, 651, -1) >= 1);
}

TCK_CASE("heap", follow_stack_local, "FollowReferences.behaviour.stack-local",
         "Follow References", 269)
{
    jthread thread = stage_start(t, 'V');

    NEED("can_tag_objects");
    reset();
    answer = 0;
    tag(t, thread, 652);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &reference_callbacks);
    tag(t, thread, 0);
    TRUE(count_edges(JVMTI_HEAP_REFERENCE_STACK_LOCAL, 0, 652, -1) >= 1);
}

TCK_CASE("heap", follow_thread, "FollowReferences.behaviour.thread-root",
         "Follow References", 269)
{
    jthread thread = stage_start(t, 'V');

    NEED("can_tag_objects");
    reset();
    answer = 0;
    tag(t, thread, 653);
    FOLLOW(JVMTI_HEAP_FILTER_UNTAGGED, NULL, NULL, &reference_callbacks);
    tag(t, thread, 0);
    TRUE(count_edges(JVMTI_HEAP_REFERENCE_THREAD, 0, 653, -1) >= 1);
}

/* -- values -- */

TCK_CASE("heap", primitive_fields, "FollowReferences.behaviour.primitive-fields",
         "jvmtiPrimitiveFieldCallback", 248)
{
    jobject root;
    bool found = false, found_static = false;

    NEED("can_tag_objects");
    root = build(t);
    FOLLOW(0, NULL, root, &value_callbacks);
    for (int i = 0; i < field_count; i++) {
        if (fields[i].tag == ROOT && fields[i].index == F_NUMBER) {
            found = true;
            SAME(JVMTI_PRIMITIVE_TYPE_INT, fields[i].type);
            SAME(17, fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_FIELD, fields[i].kind);
        } else if (fields[i].tag == CLASS && fields[i].index == F_COUNT) {
            found_static = true;
            SAME(23, fields[i].value.i);
            SAME(JVMTI_HEAP_REFERENCE_STATIC_FIELD, fields[i].kind);
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
    reset();
    tag(t, array, 660);
    FOLLOW(0, NULL, array, &value_callbacks);
    tag(t, array, 0);
    SAME(1, array_count);
    SAME(660, arrays[0].tag);
    SAME(3, arrays[0].count);
    SAME(JVMTI_PRIMITIVE_TYPE_INT, arrays[0].type);
    SAME(1, arrays[0].first[0]);
    SAME(-2, arrays[0].first[1]);
    SAME(3, arrays[0].first[2]);
}

static void
string_value(struct tck *t, const jchar *text, jint length)
{
    jobject string = (*t->jni)->NewString(t->jni, text, length);

    reset();
    tag(t, string, 661);
    FOLLOW(0, NULL, string, &value_callbacks);
    tag(t, string, 0);
    SAME(1, string_count);
    SAME(length, strings[0].length);
    for (jint i = 0; i < length; i++)
        SAME(text[i], strings[0].text[i]);
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
    root = build(t);
    sub = stage_call(t, "tck/Graph", "sub", "()Ljava/lang/Object;");
    tag(t, sub, 670);
    ITERATE(0, stage_class(t, "tck/Graph"), &object_callbacks);
    (void)root;
    for (int i = 0; i < edge_count; i++) {
        SAME(CLASS, edges[i].class_tag);
        TRUE(edges[i].to != 670);
        found += edges[i].to == ROOT || edges[i].to == A || edges[i].to == B;
    }
    SAME(3, found);
    tag(t, sub, 0);
}

TCK_CASE("heap", iterate_values, "IterateThroughHeap.behaviour.size-and-length",
         "jvmtiHeapIterationCallback", 235)
{
    jobject array = stage_call(t, "tck/Graph", "ints", "()[I");
    jlong size;

    NEED("can_tag_objects");
    reset();
    tag(t, array, 671);
    CALL(GetObjectSize, array, &size);
    ITERATE(JVMTI_HEAP_FILTER_UNTAGGED, NULL, &object_callbacks);
    for (int i = 0; i < edge_count; i++) {
        if (edges[i].to == 671) {
            SAME(3, edges[i].length);
            SAME(size, edges[i].size);
            tag(t, array, 0);
            return;
        }
    }
    tck_fail(t, "the tagged array was not visited");
}

TCK_CASE("heap", iterate_unreachable, "IterateThroughHeap.behaviour.unreachable",
         "Iterate Through Heap", 271)
{
    NEED("can_tag_objects");
    reset();
    stage_call_void(t, "tck/Graph", "dropped", "()V");
    ITERATE(0, stage_class(t, "tck/Graph$Dropped"), &object_callbacks);
    SAME(1, edge_count);
    CALL(ForceGarbageCollection);
    reset();
    ITERATE(0, stage_class(t, "tck/Graph$Dropped"), &object_callbacks);
    SAME(0, edge_count);
}

TCK_CASE("heap", iterate_abort, "IterateThroughHeap.behaviour.abort", "Heap", 274)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_VISIT_ABORT;
    ITERATE(0, NULL, &object_callbacks);
    SAME(1, edge_count);
}

TCK_CASE("heap", iterate_interface, "IterateThroughHeap.behaviour.interface",
         "Iterate Through Heap", 273)
{
    NEED("can_tag_objects");
    build(t);
    ITERATE(0, stage_class(t, "tck/GraphConstants"), &object_callbacks);
    SAME(0, edge_count);
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
    root = build(t);
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
    build(t);
    CALL(IterateThroughHeap, 0, stage_class(t, "tck/Graph"), &object_callbacks, &answer);
    TRUE(seen_data == &answer);
}

TCK_CASE("heap", iterate_class_objects, "IterateThroughHeap.behaviour.class-objects",
         "Heap", 231)
{
    jclass k = stage_class(t, "java/lang/Class");
    bool found = false;

    NEED("can_tag_objects");
    build(t);
    tag(t, k, 690);
    ITERATE(JVMTI_HEAP_FILTER_UNTAGGED, NULL, &object_callbacks);
    tag(t, k, 0);
    for (int i = 0; i < edge_count; i++) {
        if (edges[i].to == CLASS) {
            SAME(690, edges[i].class_tag);
            found = true;
        }
    }
    TRUE(found);
}

/* -- callback-safe functions, called where only they may be -- */

static jrawMonitorID safe_monitor;
static jvmtiError safe_errors[12];

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
    return JVMTI_VISIT_ABORT;
}

/* A case per function, so that a VM's report names it. */
static void
run_safe(struct tck *t, const void *data)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = calling };
    size_t index = (size_t)data - 1;

    NEED("can_tag_objects");
    build(t);
    safe_errors[index] = JVMTI_ERROR_INTERNAL;
    CALL(IterateThroughHeap, 0, stage_class(t, "tck/Graph"), &callbacks, t->jvmti);
    SAME(JVMTI_ERROR_NONE, safe_errors[index]);
    CALL(SetEnvironmentLocalStorage, NULL);
}

#define SAFE(function, index)                                                          \
    TCK_CASE_DATA("heap", safe_##function, #function ".behaviour.in-heap-callback",    \
                  "Heap", 226, TCK_LIVE, 11, run_safe, (const void *)(index + 1))

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
