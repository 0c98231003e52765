/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/heap.c -- callbacks of the heap functions (JVM TI "Heap"): while one
 * runs, its thread is restricted.  A VM may run them on a thread of its own.
 */
#include "layer/interpose/wrappers.h"

#include <stdlib.h>

/* The agent's callbacks, and what they get; ours get it in the place of user_data. */
struct interpose_heap {
    jvmtiHeapCallbacks callbacks, wrapped;
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback object;
    jvmtiHeapObjectCallback each;
    void *user_data;
    int function;
    bool is_told;           /* of a strange answer */
};

/* What a callback may return: flags, or one of three values. */
#define IS_VISIT(result) (((result) & ~(JVMTI_VISIT_OBJECTS | JVMTI_VISIT_ABORT)) == 0)
#define IS_CONTROL(result) ((unsigned)(result) <= JVMTI_ITERATION_IGNORE)

/* Run a callback of the agent with the thread marked. */
#define RESTRICTED(result, is_good, callback, ...) \
    do { \
        struct interpose_thread *thread = interpose_thread_self(); \
        thread->restricted++; \
        (result) = (callback)(__VA_ARGS__); \
        thread->restricted--; \
        if (!is_good(result) && !heap->is_told) { \
            heap->is_told = true; \
            interposed_strange_visit(heap->function, (int)(result)); \
        } \
    } while (0)

static jint JNICALL
iterate(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jint result;

    RESTRICTED(result, IS_VISIT, heap->callbacks.heap_iteration_callback, class_tag, size, tag_ptr,
               length, heap->user_data);
    return result;
}

static jint JNICALL
refer(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
      jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
      jint length, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jint result;

    RESTRICTED(result, IS_VISIT, heap->callbacks.heap_reference_callback, kind, info, class_tag,
               referrer_class_tag, size, tag_ptr, referrer_tag_ptr, length,
               heap->user_data);
    return result;
}

static jint JNICALL
field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
      jlong object_class_tag, jlong *object_tag_ptr, jvalue value,
      jvmtiPrimitiveType value_type, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jint result;

    RESTRICTED(result, IS_VISIT, heap->callbacks.primitive_field_callback, kind, info,
               object_class_tag, object_tag_ptr, value, value_type, heap->user_data);
    return result;
}

static jint JNICALL
array(jlong class_tag, jlong size, jlong *tag_ptr, jint element_count,
      jvmtiPrimitiveType element_type, const void *elements, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jint result;

    RESTRICTED(result, IS_VISIT, heap->callbacks.array_primitive_value_callback, class_tag, size,
               tag_ptr, element_count, element_type, elements, heap->user_data);
    return result;
}

static jint JNICALL
string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *value,
       jint value_length, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jint result;

    RESTRICTED(result, IS_VISIT, heap->callbacks.string_primitive_value_callback, class_tag, size,
               tag_ptr, value, value_length, heap->user_data);
    return result;
}

/* ---- those of level 1.0 ---- */

static jvmtiIterationControl JNICALL
root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
     void *user_data)
{
    struct interpose_heap *heap = user_data;
    jvmtiIterationControl result;

    RESTRICTED(result, IS_CONTROL, heap->root, kind, class_tag, size, tag_ptr, heap->user_data);
    return result;
}

static jvmtiIterationControl JNICALL
stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
      jlong thread_tag, jint depth, jmethodID method, jint slot, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jvmtiIterationControl result;

    RESTRICTED(result, IS_CONTROL, heap->stack, kind, class_tag, size, tag_ptr, thread_tag, depth,
               method, slot, heap->user_data);
    return result;
}

static jvmtiIterationControl JNICALL
object(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
       jlong referrer_tag, jint referrer_index, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jvmtiIterationControl result;

    RESTRICTED(result, IS_CONTROL, heap->object, kind, class_tag, size, tag_ptr, referrer_tag,
               referrer_index, heap->user_data);
    return result;
}

static jvmtiIterationControl JNICALL
each(jlong class_tag, jlong size, jlong *tag_ptr, void *user_data)
{
    struct interpose_heap *heap = user_data;
    jvmtiIterationControl result;

    RESTRICTED(result, IS_CONTROL, heap->each, class_tag, size, tag_ptr, heap->user_data);
    return result;
}

/* Replace the callback in *arg, if there is one, by ours. */
#define REPLACE(arg, member, ours) \
    do { \
        heap->member = (__typeof__(heap->member))(arg).p; \
        if (heap->member != NULL) \
            (arg).p = (void *)(ours); \
    } while (0)

static void
adapt_callbacks(struct interpose_heap *heap, union interpose_arg *arg)
{
    if (arg->p == NULL)
        return;
    heap->callbacks = heap->wrapped = *(const jvmtiHeapCallbacks *)arg->p;
    if (heap->wrapped.heap_iteration_callback != NULL)
        heap->wrapped.heap_iteration_callback = iterate;
    if (heap->wrapped.heap_reference_callback != NULL)
        heap->wrapped.heap_reference_callback = refer;
    if (heap->wrapped.primitive_field_callback != NULL)
        heap->wrapped.primitive_field_callback = field;
    if (heap->wrapped.array_primitive_value_callback != NULL)
        heap->wrapped.array_primitive_value_callback = array;
    if (heap->wrapped.string_primitive_value_callback != NULL)
        heap->wrapped.string_primitive_value_callback = string;
    arg->p = &heap->wrapped;
}

bool
interpose_heap_adapt(struct interpose_call *call)
{
    struct interpose_heap *heap = calloc(1, sizeof *heap);
    union interpose_arg *args = call->args;
    int last = interpose_functions[call->function].count - 1;

    if (heap == NULL) {
        call->error = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    call->storage = heap;
    heap->function = call->function;
    switch (call->function) {
    case INTERPOSE_FollowReferences:
    case INTERPOSE_IterateThroughHeap:
        adapt_callbacks(heap, &args[last - 1]);
        break;
    case INTERPOSE_IterateOverReachableObjects:
        REPLACE(args[0], root, root);
        REPLACE(args[1], stack, stack);
        REPLACE(args[2], object, object);
        break;
    case INTERPOSE_IterateOverObjectsReachableFromObject:
        REPLACE(args[1], object, object);
        break;
    default:
        REPLACE(args[last - 1], each, each);
        break;
    }
    heap->user_data = args[last].p;
    args[last].p = heap;
    return true;
}
