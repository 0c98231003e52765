/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap10.c -- JVM TI "Heap (1.0)": the deprecated walks, each made of the
 * one that took its place. */

#include "jvmti/env.h"

struct callbacks10 {
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback reference;
    jvmtiHeapObjectCallback object;
    const void *user_data;
};

/* The kinds have the numbers of today's, but for the superclass, which there was none
   for: like a class, a superclass is what the referrer's type is made of.  Roots had
   an enumeration of their own.  What is told of a stack's local begins with what is
   told of a JNI one, and both have a slot. */
static jint JNICALL
report_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                 jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
                 jlong *referrer_tag, jint length, void *callbacks)
{
    enum { ROOTS = JVMTI_HEAP_REFERENCE_JNI_GLOBAL - JVMTI_HEAP_ROOT_JNI_GLOBAL };
    const struct callbacks10 *c = callbacks;
    void *user_data = (void *)(uintptr_t)c->user_data;
    jvmtiIterationControl control = JVMTI_ITERATION_CONTINUE;

    (void)referrer_class_tag;
    (void)length;
    if (referrer_tag != NULL)
        control = c->reference(
            kind == JVMTI_HEAP_REFERENCE_SUPERCLASS ? JVMTI_REFERENCE_CLASS
                                                    : (jvmtiObjectReferenceKind)kind,
            class_tag, size, tag, *referrer_tag, info != NULL ? info->field.index : -1,
            user_data);
    else if (info == NULL && c->root != NULL)
        control = c->root(kind - ROOTS, class_tag, size, tag, user_data);
    else if (info != NULL && c->stack != NULL)
        control = c->stack(kind - ROOTS, class_tag, size, tag,
                           info->stack_local.thread_tag, info->stack_local.depth,
                           info->stack_local.method, info->stack_local.slot, user_data);
    if (control == JVMTI_ITERATION_ABORT)
        return JVMTI_VISIT_ABORT;
    /* Who does not ask for references is told of the roots alone. */
    return control == JVMTI_ITERATION_CONTINUE && c->reference != NULL
               ? JVMTI_VISIT_OBJECTS : 0;
}

static jvmtiError
follow(struct jvmti_env *env, struct object *from, const struct callbacks10 *callbacks)
{
    static const jvmtiHeapCallbacks adapter = {
        .heap_reference_callback = report_reference
    };

    return jvmti_FollowReferences(env, 0, NULL, from, &adapter, callbacks);
}

jvmtiError
jvmti_IterateOverObjectsReachableFromObject(
    struct jvmti_env *env, struct object *object,
    jvmtiObjectReferenceCallback object_reference_callback, const void *user_data)
{
    return follow(env, object,
                  &(struct callbacks10){ .reference = object_reference_callback,
                                         .user_data = user_data });
}

jvmtiError
jvmti_IterateOverReachableObjects(struct jvmti_env *env,
                                  jvmtiHeapRootCallback heap_root_callback,
                                  jvmtiStackReferenceCallback stack_ref_callback,
                                  jvmtiObjectReferenceCallback object_ref_callback,
                                  const void *user_data)
{
    return follow(env, NULL,
                  &(struct callbacks10){ heap_root_callback, stack_ref_callback,
                                         object_ref_callback, NULL, user_data });
}

static jint JNICALL
report_object(jlong class_tag, jlong size, jlong *tag, jint length, void *callbacks)
{
    const struct callbacks10 *c = callbacks;

    (void)length;
    return c->object(class_tag, size, tag, (void *)(uintptr_t)c->user_data)
                   == JVMTI_ITERATION_ABORT ? JVMTI_VISIT_ABORT : 0;
}

/* klass here also means its subclasses' instances. */
jvmtiError
jvmti_IterateOverInstancesOfClass(struct jvmti_env *env, struct class *klass,
                                  jvmtiHeapObjectFilter object_filter,
                                  jvmtiHeapObjectCallback heap_object_callback,
                                  const void *user_data)
{
    static const jvmtiHeapCallbacks adapter = {
        .heap_iteration_callback = report_object
    };
    const struct callbacks10 callbacks = { .object = heap_object_callback,
                                           .user_data = user_data };
    jint filter = object_filter == JVMTI_HEAP_OBJECT_TAGGED ? JVMTI_HEAP_FILTER_UNTAGGED
                  : object_filter == JVMTI_HEAP_OBJECT_UNTAGGED
                      ? JVMTI_HEAP_FILTER_TAGGED : 0;

    return jvmti_iterate_heap(env, filter, klass, true, &adapter, &callbacks);
}

jvmtiError
jvmti_IterateOverHeap(struct jvmti_env *env, jvmtiHeapObjectFilter object_filter,
                      jvmtiHeapObjectCallback heap_object_callback,
                      const void *user_data)
{
    return jvmti_IterateOverInstancesOfClass(env, NULL, object_filter,
                                             heap_object_callback, user_data);
}
