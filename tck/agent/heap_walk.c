/* SPDX-License-Identifier: MIT */
/* tck/agent/heap_walk.c -- the graph and the callbacks: see heap_walk.h. */
#include "tck/agent/heap_walk.h"

#include <string.h>

struct heap_walk walk;

/* What is told about a reference of that kind. */
static void
note_info(struct edge *e, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info)
{
    if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
        e->index = info->field.index;
    } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
        e->index = info->array.index;
    } else if (kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL) {
        e->index = info->constant_pool.index;
    } else if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
        e->thread_tag = info->stack_local.thread_tag;
        e->thread_id = info->stack_local.thread_id;
        e->depth = info->stack_local.depth;
        e->method = info->stack_local.method;
        e->location = info->stack_local.location;
        e->slot = info->stack_local.slot;
    } else if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
        e->thread_tag = info->jni_local.thread_tag;
        e->thread_id = info->jni_local.thread_id;
        e->depth = info->jni_local.depth;
        e->method = info->jni_local.method;
    }
}

static void
see_data(void *data)
{
    walk.mixed_data |= walk.data_calls++ > 0 && data != walk.seen_data;
    walk.seen_data = data;
}

/* Where the next edge goes; edges among untagged objects only fill half the table. */
static struct edge *
next_edge(bool tagged)
{
    static struct edge dropped;
    const int limit = (int)(sizeof walk.edges / sizeof walk.edges[0]);

    return walk.edge_count < (tagged ? limit : limit / 2)
               ? &walk.edges[walk.edge_count++]
               : &dropped;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag_ptr,
             jlong *referrer_tag_ptr, jint length, void *data)
{
    jlong from = referrer_tag_ptr == NULL ? 0 : *referrer_tag_ptr;
    struct edge *e = next_edge(from != 0 || *tag_ptr != 0);

    see_data(data);
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->from = from;
    e->to = *tag_ptr;
    e->root = referrer_tag_ptr == NULL;
    e->self = referrer_tag_ptr == tag_ptr;
    e->info = info != NULL;
    e->index = -1;
    if (info != NULL)
        note_info(e, kind, info);
    e->length = length;
    e->size = size;
    e->class_tag = class_tag;
    e->referrer_class_tag = referrer_class_tag;
    if (*tag_ptr == walk.prune && walk.prune != 0)
        return 0;
    return walk.answer;
}

static jint JNICALL
on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
         jlong class_tag, jlong *tag_ptr, jvalue value, jvmtiPrimitiveType type,
         void *data)
{
    see_data(data);
    walk.value_calls++;
    if (*tag_ptr != 0 && walk.field_count < 64) {
        walk.fields[walk.field_count].tag = *tag_ptr;
        walk.fields[walk.field_count].class_tag = class_tag;
        walk.fields[walk.field_count].index = info == NULL ? -1 : info->field.index;
        walk.fields[walk.field_count].type = type;
        walk.fields[walk.field_count].kind = kind;
        walk.fields[walk.field_count++].value = value;
    }
    return walk.value_answer;
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count,
         jvmtiPrimitiveType type, const void *elements, void *data)
{
    see_data(data);
    walk.value_calls++;
    if (*tag_ptr != 0 && walk.array_count < 16) {
        walk.arrays[walk.array_count].tag = *tag_ptr;
        walk.arrays[walk.array_count].class_tag = class_tag;
        walk.arrays[walk.array_count].size = size;
        walk.arrays[walk.array_count].count = count;
        walk.arrays[walk.array_count].type = type;
        if (type == JVMTI_PRIMITIVE_TYPE_INT && count <= 8)
            memcpy(walk.arrays[walk.array_count].first, elements,
                   (size_t)count * sizeof(jint));
        walk.array_count++;
    }
    return walk.value_answer;
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *text, jint length,
          void *data)
{
    see_data(data);
    walk.value_calls++;
    if (*tag_ptr != 0 && walk.string_count < 16) {
        walk.strings[walk.string_count].tag = *tag_ptr;
        walk.strings[walk.string_count].class_tag = class_tag;
        walk.strings[walk.string_count].size = size;
        walk.strings[walk.string_count].length = length;
        if (length <= 32)
            memcpy(walk.strings[walk.string_count].text, text,
                   (size_t)length * sizeof *text);
        walk.string_count++;
    }
    return walk.value_answer;
}

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *data)
{
    struct edge *e = next_edge(*tag_ptr != 0);

    see_data(data);
    memset(e, 0, sizeof *e);
    e->to = *tag_ptr;
    e->length = length;
    e->size = size;
    e->class_tag = class_tag;
    return walk.answer;
}

const jvmtiHeapCallbacks walk_reference_callbacks = {
    .heap_reference_callback = on_reference
};
const jvmtiHeapCallbacks walk_value_callbacks = {
    .primitive_field_callback = on_field, .array_primitive_value_callback = on_array,
    .string_primitive_value_callback = on_string
};
const jvmtiHeapCallbacks walk_object_callbacks = {
    .heap_iteration_callback = on_object
};

void
walk_reset(void)
{
    walk.edge_count = walk.field_count = walk.array_count = walk.string_count = 0;
    walk.answer = walk.value_answer = JVMTI_VISIT_OBJECTS;
    walk.value_calls = 0;
    walk.prune = 0;
    walk.seen_data = NULL;
    walk.data_calls = 0;
    walk.mixed_data = false;
}

void
walk_tag(struct tck *t, jobject object, jlong value)
{
    tck_want(t, "SetTag", JVMTI_ERROR_NONE,
             (*t->jvmti)->SetTag(t->jvmti, object, value));
}

void
walk_forget(struct tck *t, jlong first, jlong last)
{
    for (jlong value = first; value <= last; value++) {
        jobject *objects = NULL;
        jint count = 0;

        (*t->jvmti)->GetObjectsWithTags(t->jvmti, 1, &value, &count, &objects, NULL);
        for (jint i = 0; i < count; i++) {
            walk_tag(t, objects[i], 0);
            (*t->jni)->DeleteLocalRef(t->jni, objects[i]);
        }
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)objects);
    }
}

jobject
walk_build(struct tck *t)
{
    jobject root = stage_call(t, "tck/Graph", "build", "()" GRAPH);
    jobjectArray parts = stage_call(t, "tck/Graph", "children",
                                    "(" GRAPH ")[Ljava/lang/Object;", root);

    walk_reset();
    walk_forget(t, ROOT, CLASS);
    walk_tag(t, root, ROOT);
    for (jint i = 0; i < 3; i++)
        walk_tag(t, (*t->jni)->GetObjectArrayElement(t->jni, parts, i), A + i);
    walk_tag(t, stage_class(t, "tck/Graph"), CLASS);
    return root;
}

int
walk_count_edges(jvmtiHeapReferenceKind kind, jlong from, jlong to, jint index)
{
    int count = 0;

    for (int i = 0; i < walk.edge_count; i++)
        count += walk.edges[i].kind == kind && walk.edges[i].from == from
                 && walk.edges[i].to == to && walk.edges[i].index == index;
    return count;
}
