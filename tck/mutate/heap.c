/* SPDX-License-Identifier: MIT */
/* tck/mutate/heap.c -- one fault in the callbacks of the heap functions, see heap.h. */
#include "tck/mutate/mutate.h"

#include <stdlib.h>
#include <string.h>

/* The fault: CALLBACK and WHAT; of a function that only one of the wrappers is for. */
static const char *faulty_callback, *faulty_change;

/* The agent's callbacks, as the functions were given them, and those in their place. */
struct agent {
    const jvmtiHeapCallbacks *heap;
    jvmtiHeapCallbacks ours;
    jvmtiHeapObjectCallback object;
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback reference;
    void *data;
};

static bool
is_faulty(const char *callback)
{
    return strcmp(callback, faulty_callback) == 0;
}

/* Is this what is changed?  Notes that the fault was reached. */
static bool
changes(const char *callback, const char *what)
{
    if (!is_faulty(callback) || strcmp(what, faulty_change) != 0)
        return false;
    mutate_reached();
    return true;
}

/* How often the agent is called. */
static int
times(const char *callback)
{
    static int calls;

    if (changes(callback, "doubled"))
        return 2;
    if (is_faulty(callback) && strcmp(faulty_change, "dropped") == 0 && ++calls % 2 == 0) {
        mutate_reached();
        return 0;
    }
    return 1;
}

/* A tag that is read differently; what the agent stores there is lost. */
static jlong *
tag(const char *callback, const char *what, jlong *where, jlong *copy)
{
    if (where != NULL && *where != (jint)*where && changes(callback, "narrow")) {
        *copy = (jint)*where;
        return copy;
    }
    if (where == NULL || !changes(callback, what))
        return where;
    *copy = *where + 1;
    return copy;
}

/* What the VM is told: that all is to be visited, if the agent said less. */
static jint
visit(const char *callback, jint answer)
{
    if ((answer & (JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS)) != JVMTI_VISIT_OBJECTS
        && changes(callback, "resumed"))
        return JVMTI_VISIT_OBJECTS;
    return answer;
}

static jvmtiIterationControl
go_on(const char *callback, jvmtiIterationControl answer)
{
    return answer != JVMTI_ITERATION_CONTINUE && changes(callback, "resumed")
        ? JVMTI_ITERATION_CONTINUE : answer;
}

static void
change_info(jvmtiHeapReferenceKind kind, jvmtiHeapReferenceInfo *info)
{
    static const char name[] = "heap_reference";

    switch (kind) {
    case JVMTI_HEAP_REFERENCE_FIELD:
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        info->field.index += changes(name, "field.index");
        break;
    case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT:
        info->array.index += changes(name, "array.index");
        break;
    case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
        info->constant_pool.index += changes(name, "constant_pool.index");
        break;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
        info->stack_local.thread_tag += changes(name, "stack.thread_tag");
        info->stack_local.depth += changes(name, "stack.depth");
        info->stack_local.location += changes(name, "stack.location");
        info->stack_local.slot += changes(name, "stack.slot");
        if (changes(name, "stack.method"))
            info->stack_local.method = NULL;
        break;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
        info->jni_local.thread_tag += changes(name, "native.thread_tag");
        info->jni_local.depth += changes(name, "native.depth");
        if (info->jni_local.method != NULL && changes(name, "native.method"))
            info->jni_local.method = NULL;
        break;
    default:
        break;
    }
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag_ptr,
             jlong *referrer_tag_ptr, jint length, void *data)
{
    static const char name[] = "heap_reference";
    const struct agent *agent = data;
    jvmtiHeapReferenceInfo changed;
    jlong copy, referrer_copy;
    jint answer = JVMTI_VISIT_OBJECTS;

    if (info != NULL) {
        changed = *info;
        change_info(kind, &changed);
        info = &changed;
    }
    kind += changes(name, "reference_kind");
    class_tag += changes(name, "class_tag");
    referrer_class_tag += changes(name, "referrer_class_tag");
    size += changes(name, "size");
    length += changes(name, "length");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    referrer_tag_ptr = tag(name, "referrer_tag_ptr", referrer_tag_ptr, &referrer_copy);
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->heap->heap_reference_callback(kind, info, class_tag,
                                                      referrer_class_tag, size, tag_ptr,
                                                      referrer_tag_ptr, length, data);
    return visit(name, answer);
}

static jint JNICALL
on_iteration(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *data)
{
    static const char name[] = "heap_iteration";
    const struct agent *agent = data;
    jlong copy;
    jint answer = JVMTI_VISIT_OBJECTS;

    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    length += changes(name, "length");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->heap->heap_iteration_callback(class_tag, size, tag_ptr, length,
                                                      data);
    /* An iteration goes no deeper: only its end can be lost. */
    return (answer & JVMTI_VISIT_ABORT) != 0 ? visit(name, answer) : answer;
}

static jint JNICALL
on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
         jlong class_tag, jlong *tag_ptr, jvalue value, jvmtiPrimitiveType type,
         void *data)
{
    static const char name[] = "primitive_field";
    const struct agent *agent = data;
    jvmtiHeapReferenceInfo changed = *info;
    jlong copy;
    jint answer = JVMTI_VISIT_OBJECTS;

    changed.field.index += changes(name, "index");
    kind += changes(name, "kind");
    class_tag += changes(name, "class_tag");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    value.j ^= changes(name, "value");
    type = changes(name, "value_type") ? JVMTI_PRIMITIVE_TYPE_BOOLEAN : type;
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->heap->primitive_field_callback(kind, &changed, class_tag, tag_ptr,
                                                       value, type, data);
    return (answer & JVMTI_VISIT_ABORT) != 0 ? visit(name, answer) : answer;
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count,
         jvmtiPrimitiveType type, const void *elements, void *data)
{
    static const char name[] = "array_primitive_value";
    const struct agent *agent = data;
    jlong copy, none[1] = { 0 };
    jint answer = JVMTI_VISIT_OBJECTS;

    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    /* One fewer, since there is no element more. */
    count -= count > 0 && changes(name, "element_count");
    if (count > 0 && changes(name, "elements")) {
        elements = none;
        count = 1;
    }
    type = changes(name, "element_type") ? JVMTI_PRIMITIVE_TYPE_BOOLEAN : type;
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->heap->array_primitive_value_callback(class_tag, size, tag_ptr,
                                                             count, type, elements, data);
    return (answer & JVMTI_VISIT_ABORT) != 0 ? visit(name, answer) : answer;
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *value, jint length,
          void *data)
{
    static const char name[] = "string_primitive_value";
    static const jchar other[1] = { 0xffff };
    const struct agent *agent = data;
    jlong copy;
    jint answer = JVMTI_VISIT_OBJECTS;

    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    length -= length > 0 && changes(name, "value_length");
    if (length > 0 && changes(name, "value")) {
        value = other;
        length = 1;
    }
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->heap->string_primitive_value_callback(class_tag, size, tag_ptr,
                                                              value, length, data);
    return (answer & JVMTI_VISIT_ABORT) != 0 ? visit(name, answer) : answer;
}

static jvmtiIterationControl JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, void *data)
{
    static const char name[] = "heap_object";
    const struct agent *agent = data;
    jvmtiIterationControl answer = JVMTI_ITERATION_CONTINUE;
    jlong copy;

    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->object(class_tag, size, tag_ptr, data);
    return go_on(name, answer);
}

static jvmtiIterationControl JNICALL
on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr, void *data)
{
    static const char name[] = "heap_root";
    const struct agent *agent = data;
    jvmtiIterationControl answer = JVMTI_ITERATION_CONTINUE;
    jlong copy;

    kind += changes(name, "root_kind");
    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->root(kind, class_tag, size, tag_ptr, data);
    return go_on(name, answer);
}

static jvmtiIterationControl JNICALL
on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
         jlong thread_tag, jint depth, jmethodID method, jint slot, void *data)
{
    static const char name[] = "stack_ref";
    const struct agent *agent = data;
    jvmtiIterationControl answer = JVMTI_ITERATION_CONTINUE;
    jlong copy;

    kind += changes(name, "root_kind");
    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    thread_tag += changes(name, "thread_tag");
    depth += changes(name, "depth");
    method = method != NULL && changes(name, "method") ? NULL : method;
    slot += changes(name, "slot");
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->stack(kind, class_tag, size, tag_ptr, thread_tag, depth, method,
                              slot, data);
    return go_on(name, answer);
}

static jvmtiIterationControl JNICALL
on_edge(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
        jlong referrer_tag, jint index, void *data)
{
    static const char name[] = "object_ref";
    const struct agent *agent = data;
    jvmtiIterationControl answer = JVMTI_ITERATION_CONTINUE;
    jlong copy;

    kind += changes(name, "reference_kind");
    class_tag += changes(name, "class_tag");
    size += changes(name, "size");
    tag_ptr = tag(name, "tag_ptr", tag_ptr, &copy);
    referrer_tag += changes(name, "referrer_tag");
    index += changes(name, "referrer_index");
    data = changes(name, "user_data") ? &copy : agent->data;
    for (int n = times(name); n > 0; n--)
        answer = agent->reference(kind, class_tag, size, tag_ptr, referrer_tag, index,
                                  data);
    return go_on(name, answer);
}

/* -- the functions -- */

/* Callbacks of ours in the place of those that the agent has. */
static jvmtiHeapCallbacks
around(const jvmtiHeapCallbacks *theirs)
{
    jvmtiHeapCallbacks ours = *theirs;

    if (ours.heap_reference_callback != NULL)
        ours.heap_reference_callback = on_reference;
    if (ours.heap_iteration_callback != NULL)
        ours.heap_iteration_callback = on_iteration;
    if (ours.primitive_field_callback != NULL)
        ours.primitive_field_callback = on_field;
    if (ours.array_primitive_value_callback != NULL)
        ours.array_primitive_value_callback = on_array;
    if (ours.string_primitive_value_callback != NULL)
        ours.string_primitive_value_callback = on_string;
    return ours;
}

/* The new callbacks, and the agent's and its data in the place of the data. */
static void
adapt_table(struct agent *agent, union interpose_arg *callbacks, union interpose_arg *data)
{
    agent->heap = callbacks->p;
    agent->data = data->p;
    if (agent->heap == NULL)
        return;
    agent->ours = around(agent->heap);
    callbacks->p = &agent->ours;
    data->p = agent;
}

static void *
replaced(void *theirs, void *ours)
{
    return theirs != NULL ? ours : NULL;
}

void *
mutate_heap_adapt(struct interpose_call *call, const char *callback, const char *change)
{
    struct agent *agent = calloc(1, sizeof *agent);
    union interpose_arg *args = call->args;

    if (agent == NULL)
        return NULL;
    faulty_callback = callback;
    faulty_change = change;
    switch (call->function) {
    case INTERPOSE_FollowReferences:
        adapt_table(agent, &args[3], &args[4]);
        break;
    case INTERPOSE_IterateThroughHeap:
        adapt_table(agent, &args[2], &args[3]);
        break;
    case INTERPOSE_IterateOverReachableObjects:
        agent->root = (jvmtiHeapRootCallback)args[0].p;
        agent->stack = (jvmtiStackReferenceCallback)args[1].p;
        agent->reference = (jvmtiObjectReferenceCallback)args[2].p;
        agent->data = args[3].p;
        args[0].p = replaced(args[0].p, (void *)on_root);
        args[1].p = replaced(args[1].p, (void *)on_stack);
        args[2].p = replaced(args[2].p, (void *)on_edge);
        args[3].p = agent;
        break;
    case INTERPOSE_IterateOverObjectsReachableFromObject:
        agent->reference = (jvmtiObjectReferenceCallback)args[1].p;
        agent->data = args[2].p;
        args[1].p = replaced(args[1].p, (void *)on_edge);
        args[2].p = agent;
        break;
    case INTERPOSE_IterateOverHeap:
    case INTERPOSE_IterateOverInstancesOfClass: {
        int i = call->function == INTERPOSE_IterateOverHeap ? 1 : 2;

        agent->object = (jvmtiHeapObjectCallback)args[i].p;
        agent->data = args[i + 1].p;
        args[i].p = replaced(args[i].p, (void *)on_object);
        args[i + 1].p = agent;
        break;
    }
    default:
        break;
    }
    return agent;
}
