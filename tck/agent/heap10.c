/* SPDX-License-Identifier: MIT */
/* tck/agent/heap10.c -- chapter Heap (1.0). */
#include "tck/lib/stage.h"

#include <string.h>

#define GRAPH "Ltck/Graph;"

enum { ROOT = 9101, A, B, ARRAY };

struct visit {
    jvmtiObjectReferenceKind kind;
    jlong from, to;
    jint index;
    jlong size;
};

static struct visit visits[8192];
static int visit_count, roots_after, root_kinds[32], stack_kinds[32];
static jvmtiIterationControl answer;
static bool references_began;

/* Where the next visit goes; untagged objects only fill half the table. */
static struct visit *
next_visit(bool tagged)
{
    static struct visit dropped;
    const int limit = (int)(sizeof visits / sizeof visits[0]);

    return visit_count < (tagged ? limit : limit / 2) ? &visits[visit_count++] : &dropped;
}

static jvmtiIterationControl JNICALL
on_reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
             jlong referrer_tag, jint index, void *data)
{
    struct visit *v = next_visit(referrer_tag != 0 || *tag_ptr != 0);

    (void)class_tag, (void)data;
    references_began = true;
    v->kind = kind;
    v->from = referrer_tag;
    v->to = *tag_ptr;
    v->index = index;
    v->size = size;
    return answer;
}

static jvmtiIterationControl JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, void *data)
{
    struct visit *v = next_visit(*tag_ptr != 0);

    (void)class_tag, (void)data;
    v->to = *tag_ptr;
    v->size = size;
    return answer;
}

static jvmtiIterationControl JNICALL
on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr, void *data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)data;
    if (kind < 32)
        root_kinds[kind]++;
    roots_after += references_began;
    return answer;
}

static jvmtiIterationControl JNICALL
on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
         jlong thread_tag, jint depth, jmethodID method, jint slot, void *data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)thread_tag, (void)depth;
    (void)method, (void)slot, (void)data;
    if (kind < 32)
        stack_kinds[kind]++;
    roots_after += references_began;
    return answer;
}

static void
tag(struct tck *t, jobject object, jlong value)
{
    tck_want(t, "SetTag", JVMTI_ERROR_NONE, (*t->jvmti)->SetTag(t->jvmti, object, value));
}

static void
reset(void)
{
    visit_count = roots_after = 0;
    references_began = false;
    memset(root_kinds, 0, sizeof root_kinds);
    memset(stack_kinds, 0, sizeof stack_kinds);
    answer = JVMTI_ITERATION_CONTINUE;
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

/* Build the graph and tag its objects. */
static jobject
build(struct tck *t)
{
    jobject root = stage_call(t, "tck/Graph", "build", "()" GRAPH);
    jobjectArray parts = stage_call(t, "tck/Graph", "children",
                                    "(" GRAPH ")[Ljava/lang/Object;", root);

    reset();
    forget(t, ROOT, ARRAY);
    tag(t, root, ROOT);
    for (jint i = 0; i < 3; i++)
        tag(t, (*t->jni)->GetObjectArrayElement(t->jni, parts, i), A + i);
    return root;
}

static int
count_visits(jvmtiObjectReferenceKind kind, jlong from, jlong to)
{
    int count = 0;

    for (int i = 0; i < visit_count; i++)
        count += visits[i].kind == kind && visits[i].from == from && visits[i].to == to;
    return count;
}

TCK_CASE("heap10", reachable,
         "IterateOverObjectsReachableFromObject.behaviour.references",
         "Iterate Over Objects Reachable From Object", 294)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    SAME(2, count_visits(JVMTI_REFERENCE_FIELD, ROOT, A));
    SAME(1, count_visits(JVMTI_REFERENCE_FIELD, ROOT, ARRAY));
    SAME(1, count_visits(JVMTI_REFERENCE_FIELD, ROOT, B));
    SAME(1, count_visits(JVMTI_REFERENCE_ARRAY_ELEMENT, ARRAY, B));
}

TCK_CASE("heap10", reachable_index,
         "IterateOverObjectsReachableFromObject.behaviour.index",
         "Iterate Over Objects Reachable From Object", 296)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    for (int i = 0; i < visit_count; i++) {
        if (visits[i].from == ARRAY && visits[i].to == B)
            SAME(0, visits[i].index);
        if (visits[i].from == ARRAY && visits[i].to == ROOT)
            SAME(2, visits[i].index);
        if (visits[i].kind == JVMTI_REFERENCE_CLASS)
            SAME(-1, visits[i].index);
    }
}

TCK_CASE("heap10", reachable_ignore,
         "IterateOverObjectsReachableFromObject.behaviour.ignore",
         "Iterate Over Objects Reachable From Object", 295)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    answer = JVMTI_ITERATION_IGNORE;
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    TRUE(visit_count > 0);
    for (int i = 0; i < visit_count; i++)
        SAME(ROOT, visits[i].from);
}

TCK_CASE("heap10", reachable_abort,
         "IterateOverObjectsReachableFromObject.behaviour.abort",
         "Iterate Over Objects Reachable From Object", 295)
{
    jobject root;

    NEED("can_tag_objects");
    root = build(t);
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    SAME(1, visit_count);
}

TCK_CASE("heap10", roots_first, "IterateOverReachableObjects.behaviour.roots-first",
         "Iterate Over Reachable Objects", 297)
{
    NEED("can_tag_objects");
    reset();
    CALL(IterateOverReachableObjects, on_root, on_stack, on_reference, NULL);
    TRUE(references_began);
    SAME(0, roots_after);
}

TCK_CASE("heap10", root_kinds, "IterateOverReachableObjects.behaviour.root-kinds",
         "Iterate Over Reachable Objects", 300)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_IGNORE;
    CALL(IterateOverReachableObjects, on_root, on_stack, NULL, NULL);
    TRUE(root_kinds[JVMTI_HEAP_ROOT_JNI_GLOBAL] > 0);
    TRUE(root_kinds[JVMTI_HEAP_ROOT_SYSTEM_CLASS] > 0);
    TRUE(root_kinds[JVMTI_HEAP_ROOT_THREAD] > 0);
    SAME(0, root_kinds[JVMTI_HEAP_ROOT_STACK_LOCAL]);
    SAME(0, root_kinds[JVMTI_HEAP_ROOT_JNI_LOCAL]);
    TRUE(stack_kinds[JVMTI_HEAP_ROOT_STACK_LOCAL]
         + stack_kinds[JVMTI_HEAP_ROOT_JNI_LOCAL] > 0);
    SAME(0, stack_kinds[JVMTI_HEAP_ROOT_JNI_GLOBAL]);
}

TCK_CASE("heap10", roots_only, "IterateOverReachableObjects.behaviour.roots-only",
         "Iterate Over Reachable Objects", 299)
{
    NEED("can_tag_objects");
    reset();
    CALL(IterateOverReachableObjects, on_root, NULL, NULL, NULL);
    TRUE(root_kinds[JVMTI_HEAP_ROOT_SYSTEM_CLASS] > 0);
    SAME(0, visit_count);
}

static bool
visited(jlong value)
{
    for (int i = 0; i < visit_count; i++)
        if (visits[i].to == value)
            return true;
    return false;
}

TCK_CASE("heap10", heap_tagged, "IterateOverHeap.behaviour.tagged", "Iterate Over Heap",
         301)
{
    NEED("can_tag_objects");
    build(t);
    CALL(IterateOverHeap, JVMTI_HEAP_OBJECT_TAGGED, on_object, NULL);
    TRUE(visited(ROOT) && visited(A) && visited(B) && visited(ARRAY));
    for (int i = 0; i < visit_count; i++)
        TRUE(visits[i].to != 0);
}

TCK_CASE("heap10", heap_untagged, "IterateOverHeap.behaviour.untagged",
         "Iterate Over Heap", 301)
{
    NEED("can_tag_objects");
    build(t);
    CALL(IterateOverHeap, JVMTI_HEAP_OBJECT_UNTAGGED, on_object, NULL);
    TRUE(visit_count > 0);
    for (int i = 0; i < visit_count; i++)
        SAME(0, visits[i].to);
}

TCK_CASE("heap10", heap_abort, "IterateOverHeap.behaviour.abort", "Heap (1.0)", 289)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverHeap, JVMTI_HEAP_OBJECT_EITHER, on_object, NULL);
    SAME(1, visit_count);
}

TCK_CASE("heap10", instances, "IterateOverInstancesOfClass.behaviour.subclasses",
         "Iterate Over Instances Of Class", 303)
{
    jobject sub;

    NEED("can_tag_objects");
    build(t);
    sub = stage_call(t, "tck/Graph", "sub", "()Ljava/lang/Object;");
    tag(t, sub, 9200);
    CALL(IterateOverInstancesOfClass, stage_class(t, "tck/Graph"),
         JVMTI_HEAP_OBJECT_TAGGED, on_object, NULL);
    TRUE(visited(9200));
    TRUE(visited(ROOT) && visited(A) && visited(B));
    TRUE(!visited(ARRAY));
    tag(t, sub, 0);
}

TCK_CASE("heap10", instance_size, "IterateOverInstancesOfClass.behaviour.size",
         "Heap (1.0)", 289)
{
    jobject root;
    jlong size;

    NEED("can_tag_objects");
    root = build(t);
    CALL(GetObjectSize, root, &size);
    CALL(IterateOverInstancesOfClass, stage_class(t, "tck/Graph"),
         JVMTI_HEAP_OBJECT_TAGGED, on_object, NULL);
    for (int i = 0; i < visit_count; i++)
        if (visits[i].to == ROOT)
            SAME(size, visits[i].size);
}
