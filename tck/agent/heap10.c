/* SPDX-License-Identifier: MIT */
/* tck/agent/heap10.c -- chapter Heap (1.0). */
#include "tck/lib/stage.h"

#include <string.h>

#define GRAPH "Ltck/Graph;"

/* A tag is a jlong: all of it counts. */
__extension__ enum { ROOT = 0x100009101, A, B, ARRAY };

struct visit {
    jvmtiObjectReferenceKind kind;
    jlong from, to;
    jint index;
    jlong size, class_tag;
};

/* A root, or a local of a frame. */
struct root {
    jvmtiHeapRootKind kind;
    jlong tag, size, class_tag, thread_tag;
    jint depth, slot;
    jmethodID method;
    bool local;
};

static struct root roots[256];     /* those of tagged objects */
static int root_count, root_calls;
static void *seen_data;

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

    seen_data = data;
    v->class_tag = class_tag;
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

    seen_data = data;
    v->class_tag = class_tag;
    v->to = *tag_ptr;
    v->size = size;
    return answer;
}

static void
note_root(struct root root)
{
    root_calls++;
    if (root.tag != 0 && root_count < (int)(sizeof roots / sizeof roots[0]))
        roots[root_count++] = root;
}

static jvmtiIterationControl JNICALL
on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr, void *data)
{
    seen_data = data;
    note_root((struct root){ .kind = kind, .tag = *tag_ptr, .size = size,
                             .class_tag = class_tag });
    if (kind < 32)
        root_kinds[kind]++;
    roots_after += references_began;
    return answer;
}

static jvmtiIterationControl JNICALL
on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
         jlong thread_tag, jint depth, jmethodID method, jint slot, void *data)
{
    seen_data = data;
    note_root((struct root){ .kind = kind, .tag = *tag_ptr, .size = size,
                             .class_tag = class_tag, .thread_tag = thread_tag,
                             .depth = depth, .slot = slot, .method = method,
                             .local = true });
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
    visit_count = roots_after = root_count = root_calls = 0;
    seen_data = NULL;
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

/*
 * Of a Graph's own fields: one field of an interface and one of a superclass come before
 * them.  Where among those two the inherited one stands the text leaves open: it sums "the
 * index of the field in the directly declared class" and the number of fields in all
 * superclasses and superinterfaces, and does not say of which class these are.
 */
enum { LEFT = 2, RIGHT = 4 };

TCK_CASE("heap10", reachable_index,
         "IterateOverObjectsReachableFromObject.behaviour.index",
         "Iterate Over Objects Reachable From Object", 296)
{
    jobject root;
    int left = 0, right = 0;

    NEED("can_tag_objects");
    root = build(t);
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    for (int i = 0; i < visit_count; i++) {
        if (visits[i].from == ROOT && visits[i].to == A) {
            left += visits[i].index == LEFT;
            right += visits[i].index == RIGHT;
        }
        if (visits[i].from == ROOT && visits[i].to == B)
            TRUE(visits[i].index >= 0 && visits[i].index < LEFT);
        if (visits[i].from == ARRAY && visits[i].to == B)
            SAME(0, visits[i].index);
        if (visits[i].from == ARRAY && visits[i].to == ROOT)
            SAME(2, visits[i].index);
        if (visits[i].kind == JVMTI_REFERENCE_CLASS)
            SAME(-1, visits[i].index);
    }
    SAME(1, left);
    SAME(1, right);
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
    jobject global;

    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_IGNORE;
    global = (*t->jni)->NewGlobalRef(t->jni, stage_object(t));
    CALL(IterateOverReachableObjects, on_root, on_stack, NULL, NULL);
    (*t->jni)->DeleteGlobalRef(t->jni, global);
    TRUE(root_kinds[JVMTI_HEAP_ROOT_JNI_GLOBAL] > 0);
    TRUE(stack_kinds[JVMTI_HEAP_ROOT_STACK_LOCAL]
         + stack_kinds[JVMTI_HEAP_ROOT_JNI_LOCAL] > 0);
    /* Each callback has the kinds that are its own. */
    for (int kind = 0; kind < 32; kind++)
        SAME(0, kind == JVMTI_HEAP_ROOT_STACK_LOCAL || kind == JVMTI_HEAP_ROOT_JNI_LOCAL
             ? root_kinds[kind] : stack_kinds[kind]);
}

TCK_CASE("heap10", roots_only, "IterateOverReachableObjects.behaviour.roots-only",
         "Iterate Over Reachable Objects", 299)
{
    NEED("can_tag_objects");
    reset();
    CALL(IterateOverReachableObjects, on_root, NULL, NULL, NULL);
    TRUE(root_calls > 0);
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

/* -- sizes -- */

/* The size of the graph's root, in what the callbacks were told; how often. */
static int
check_sizes(struct tck *t, jobject root, jlong before)
{
    int found = 0;

    for (int i = 0; i < visit_count; i++) {
        if (visits[i].to == ROOT) {
            found++;
            stage_size_fits(t, root, before, visits[i].size);
        }
    }
    for (int i = 0; i < root_count; i++) {
        if (roots[i].tag == ROOT) {
            found++;
            stage_size_fits(t, root, before, roots[i].size);
        }
    }
    return found;
}

static void
run_sizes(struct tck *t, const void *data)
{
    const char *how = data;
    jobject root, global;
    jlong size;

    NEED("can_tag_objects");
    root = build(t);
    global = (*t->jni)->NewGlobalRef(t->jni, root);
    size = stage_size(t, root);
    if (strcmp(how, "heap") == 0)
        CALL(IterateOverHeap, JVMTI_HEAP_OBJECT_TAGGED, on_object, NULL);
    else if (strcmp(how, "instances") == 0)
        CALL(IterateOverInstancesOfClass, stage_class(t, "tck/Graph"),
             JVMTI_HEAP_OBJECT_TAGGED, on_object, NULL);
    else if (strcmp(how, "reachable") == 0)
        CALL(IterateOverObjectsReachableFromObject, root, on_reference, NULL);
    else if (strcmp(how, "roots") == 0)
        CALL(IterateOverReachableObjects, on_root, NULL, NULL, NULL);
    else if (strcmp(how, "locals") == 0)
        CALL(IterateOverReachableObjects, NULL, on_stack, NULL, NULL);
    else
        CALL(IterateOverReachableObjects, NULL, NULL, on_reference, NULL);
    (*t->jni)->DeleteGlobalRef(t->jni, global);
    TRUE(check_sizes(t, root, size) > 0);
}

#define SIZES(name, id, how)                                                           \
    TCK_CASE_DATA("heap10", name, id, "Heap (1.0)", 737, TCK_LIVE, 11, run_sizes, how)

SIZES(heap_sizes, "IterateOverHeap.behaviour.size", "heap");
SIZES(instances_sizes, "IterateOverInstancesOfClass.behaviour.size", "instances");
SIZES(reachable_sizes, "IterateOverObjectsReachableFromObject.behaviour.size",
      "reachable");
SIZES(root_sizes, "IterateOverReachableObjects.behaviour.root-size", "roots");
SIZES(local_sizes, "IterateOverReachableObjects.behaviour.local-size", "locals");
SIZES(reference_sizes, "IterateOverReachableObjects.behaviour.reference-size",
      "references");

/* -- what the callbacks are told -- */

TCK_CASE("heap10", reachable_values,
         "IterateOverObjectsReachableFromObject.behaviour.class-tag",
         "Heap (1.0)", 683)
{
    jobject root;
    int found = 0, data = 0;

    NEED("can_tag_objects");
    root = build(t);
    tag(t, stage_class(t, "tck/Graph"), 9110);
    CALL(IterateOverObjectsReachableFromObject, root, on_reference, &data);
    tag(t, stage_class(t, "tck/Graph"), 0);
    TRUE(seen_data == &data);
    for (int i = 0; i < visit_count; i++) {
        if (visits[i].from == ROOT && visits[i].to == A) {
            found++;
            SAME(9110, visits[i].class_tag);
        }
    }
    SAME(2, found);
}

/* Each instance once, with what belongs to it. */
static void
run_instances(struct tck *t, const void *data)
{
    int found[3] = { 0 };

    NEED("can_tag_objects");
    build(t);
    tag(t, stage_class(t, "tck/Graph"), 9111);
    if (data != NULL)
        CALL(IterateOverHeap, JVMTI_HEAP_OBJECT_TAGGED, on_object, found);
    else
        CALL(IterateOverInstancesOfClass, stage_class(t, "tck/Graph"),
             JVMTI_HEAP_OBJECT_TAGGED, on_object, found);
    tag(t, stage_class(t, "tck/Graph"), 0);
    TRUE(seen_data == found);
    for (int i = 0; i < visit_count; i++) {
        if (visits[i].to >= (jlong)ROOT && visits[i].to <= (jlong)B) {
            found[visits[i].to - ROOT]++;
            SAME(9111, visits[i].class_tag);
        }
    }
    for (int i = 0; i < 3; i++)
        SAME(1, found[i]);
}

TCK_CASE_DATA("heap10", heap_values, "IterateOverHeap.behaviour.class-tag",
              "Heap (1.0)", 683, TCK_LIVE, 11, run_instances, "heap");
TCK_CASE_DATA("heap10", instances_values,
              "IterateOverInstancesOfClass.behaviour.class-tag", "Heap (1.0)",
              683, TCK_LIVE, 11, run_instances, NULL);

TCK_CASE("heap10", instances_abort, "IterateOverInstancesOfClass.behaviour.abort",
         "Heap (1.0)", 684)
{
    NEED("can_tag_objects");
    build(t);
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverInstancesOfClass, stage_class(t, "tck/Graph"),
         JVMTI_HEAP_OBJECT_EITHER, on_object, NULL);
    SAME(1, visit_count);
}

/* The record of an object as a root of that kind, and how many there are. */
static const struct root *
find_root(jvmtiHeapRootKind kind, jlong value, int *count)
{
    const struct root *found = NULL;

    *count = 0;
    for (int i = 0; i < root_count; i++) {
        if (roots[i].tag == value && roots[i].kind == kind) {
            ++*count;
            found = &roots[i];
        }
    }
    return found;
}

TCK_CASE("heap10", system_roots, "IterateOverReachableObjects.behaviour.system-class",
         "Heap (1.0)", 793)
{
    int count;

    NEED("can_tag_objects");
    reset();
    tag(t, stage_class(t, "java/lang/Object"), 0x100009119);
    answer = JVMTI_ITERATION_IGNORE;
    CALL(IterateOverReachableObjects, on_root, NULL, NULL, NULL);
    tag(t, stage_class(t, "java/lang/Object"), 0);
    find_root(JVMTI_HEAP_ROOT_SYSTEM_CLASS, 0x100009119, &count);
    TRUE(count >= 1);
}

TCK_CASE("heap10", global_roots, "IterateOverReachableObjects.behaviour.jni-global",
         "Heap (1.0)", 683)
{
    jobject global[8];
    int count;

    NEED("can_tag_objects");
    reset();
    tag(t, stage_class(t, "tck/Model"), 9112);
    for (int i = 0; i < 8; i++) {
        jobject object = stage_object(t);

        global[i] = (*t->jni)->NewGlobalRef(t->jni, object);
        tag(t, object, 0x100009120 + i);
    }
    answer = JVMTI_ITERATION_IGNORE;
    CALL(IterateOverReachableObjects, on_root, NULL, NULL, global);
    tag(t, stage_class(t, "tck/Model"), 0);
    forget(t, 0x100009120, 0x100009127);
    for (int i = 0; i < 8; i++)
        (*t->jni)->DeleteGlobalRef(t->jni, global[i]);
    TRUE(seen_data == global);
    for (int i = 0; i < 8; i++) {
        const struct root *r = find_root(JVMTI_HEAP_ROOT_JNI_GLOBAL, 0x100009120 + i,
                                         &count);

        SAME(1, count);
        SAME(9112, r->class_tag);
        TRUE(!r->local);
    }
}

TCK_CASE("heap10", local_roots, "IterateOverReachableObjects.behaviour.stack-local",
         "Heap (1.0)", 683)
{
    jthread thread;
    jmethodID method;
    jlocation location;
    int found = 0;

    NEED("can_tag_objects");
    NEED("can_suspend");
    thread = stage_suspended(t, 'V');
    CALL(GetFrameLocation, thread, 0, &method, &location);
    reset();
    answer = JVMTI_ITERATION_IGNORE;
    tag(t, thread, 0x100009130);
    tag(t, stage_class(t, "tck/Stage"), 0x100009131);
    CALL(IterateOverReachableObjects, NULL, on_stack, NULL, &found);
    tag(t, thread, 0);
    tag(t, stage_class(t, "tck/Stage"), 0);
    TRUE(seen_data == &found);
    for (int i = 0; i < root_count; i++) {
        const struct root *r = &roots[i];

        if (r->tag != 0x100009130)
            continue;
        SAME(0x100009131, r->class_tag);
        if (r->kind != JVMTI_HEAP_ROOT_STACK_LOCAL || r->method != method)
            continue;
        SAME(0x100009130, r->thread_tag);
        SAME(0, r->depth);
        /* One of its other locals is the same object, and perhaps an operand, whose number
           may be any. */
        found += r->slot == STAGE_SLOT_STAGE;
    }
    TRUE(found >= 1);
}

TCK_CASE("heap10", native_roots, "IterateOverReachableObjects.behaviour.jni-local",
         "Heap (1.0)", 683)
{
    const struct root *r;
    jmethodID method;
    jlocation location;
    jthread self;
    int count;

    NEED("can_tag_objects");
    CALL(GetCurrentThread, &self);
    CALL(GetFrameLocation, NULL, 0, &method, &location);
    reset();
    answer = JVMTI_ITERATION_IGNORE;
    tag(t, self, 0x100009149);
    for (int i = 0; i < 8; i++)
        tag(t, stage_object(t), 0x100009140 + i);
    CALL(IterateOverReachableObjects, NULL, on_stack, NULL, NULL);
    forget(t, 0x100009140, 0x100009149);
    for (int i = 0; i < 8; i++) {
        r = find_root(JVMTI_HEAP_ROOT_JNI_LOCAL, 0x100009140 + i, &count);
        SAME(1, count);
        SAME(0x100009149, r->thread_tag);
        SAME(0, r->depth);
        TRUE(r->method == method);
    }
}

TCK_CASE("heap10", reachable_values_all,
         "IterateOverReachableObjects.behaviour.references", "Heap (1.0)", 683)
{
    jobject root, global;
    int left = 0, element = 0;

    NEED("can_tag_objects");
    root = build(t);
    global = (*t->jni)->NewGlobalRef(t->jni, root);
    tag(t, stage_class(t, "tck/Graph"), 9113);
    /* The roots alone are needed to get at what they refer to. */
    CALL(IterateOverReachableObjects, NULL, NULL, on_reference, &left);
    tag(t, stage_class(t, "tck/Graph"), 0);
    (*t->jni)->DeleteGlobalRef(t->jni, global);
    TRUE(seen_data == &left);
    for (int i = 0; i < visit_count; i++) {
        const struct visit *v = &visits[i];

        if (v->from == ROOT && v->to == A) {
            left++;
            SAME(JVMTI_REFERENCE_FIELD, v->kind);
            SAME(9113, v->class_tag);
        } else if (v->from == ARRAY && v->to == B) {
            element++;
            SAME(JVMTI_REFERENCE_ARRAY_ELEMENT, v->kind);
            SAME(0, v->index);
        }
    }
    SAME(2, left);
    SAME(1, element);
}

TCK_CASE("heap10", root_abort, "IterateOverReachableObjects.behaviour.abort-at-root",
         "Heap (1.0)", 684)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverReachableObjects, on_root, on_stack, on_reference, NULL);
    SAME(1, root_calls);
    SAME(0, visit_count);
}

TCK_CASE("heap10", stack_abort, "IterateOverReachableObjects.behaviour.abort-at-local",
         "Heap (1.0)", 684)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverReachableObjects, NULL, on_stack, NULL, NULL);
    SAME(1, root_calls);
}

TCK_CASE("heap10", edge_abort, "IterateOverReachableObjects.behaviour.abort-at-reference",
         "Heap (1.0)", 684)
{
    NEED("can_tag_objects");
    reset();
    answer = JVMTI_ITERATION_ABORT;
    CALL(IterateOverReachableObjects, NULL, NULL, on_reference, NULL);
    SAME(1, visit_count);
}
