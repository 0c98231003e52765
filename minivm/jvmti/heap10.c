/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap10.c -- JVM TI "Heap (1.0)": the deprecated functions.
 *
 * Each walk is made by the function that took its place (heap.c), with a callback of
 * this file that translates what that function reports and calls the agent's
 * callback. */

#include "jvmti/env.h"

/* The agent's callbacks; those of the other functions are NULL. */
struct callbacks10 {
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback reference;
    jvmtiHeapObjectCallback object;
    const void *user_data;
};

/* jvmtiHeapRootKind has the same kinds of roots in the same order as
   jvmtiHeapReferenceKind, but begins with another number. */
enum {
    ROOT_KIND_DISTANCE = JVMTI_HEAP_REFERENCE_JNI_GLOBAL - JVMTI_HEAP_ROOT_JNI_GLOBAL
};
_Static_assert(JVMTI_HEAP_ROOT_OTHER + ROOT_KIND_DISTANCE == JVMTI_HEAP_REFERENCE_OTHER
                   && JVMTI_HEAP_ROOT_STACK_LOCAL + ROOT_KIND_DISTANCE
                          == JVMTI_HEAP_REFERENCE_STACK_LOCAL,
               "roots have the same order in both enumerations");

/* Returns the kind of a reference as Heap (1.0) has it.  The numbers are the same, but
   there is no kind for a superclass.  That is reported as JVMTI_REFERENCE_CLASS: the
   referrer is a class object there, too, whose type is what it refers to. */
static jvmtiObjectReferenceKind
reference_kind(jvmtiHeapReferenceKind kind)
{
    return kind == JVMTI_HEAP_REFERENCE_SUPERCLASS ? JVMTI_REFERENCE_CLASS
                                                   : (jvmtiObjectReferenceKind)kind;
}

/* The callback for FollowReferences.  A reference without a referrer_tag comes from a
   root.  A root has an info if it is a local variable of the stack or of JNI: then it
   is told to the callback for the stack.  The struct for JNI locals is the beginning of
   the one for stack locals, so stack_local serves for both; JNI locals have no
   location, and their slot is what visit_root of heap.c has set.  c->reference is not
   NULL when something refers to the object, since objects are visited only then (the
   result below). */
static jint JNICALL
report_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                 jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
                 jlong *referrer_tag, jint length, void *callbacks)
{
    const struct callbacks10 *c = callbacks;
    void *user_data = (void *)(uintptr_t)c->user_data;
    jvmtiIterationControl control = JVMTI_ITERATION_CONTINUE;

    (void)referrer_class_tag;
    (void)length;
    if (referrer_tag)
        control = c->reference(reference_kind(kind), class_tag, size, tag,
                               *referrer_tag, info ? info->field.index : -1, user_data);
    else if (!info && c->root)
        control = c->root(kind - ROOT_KIND_DISTANCE, class_tag, size, tag, user_data);
    else if (info && c->stack)
        control = c->stack(kind - ROOT_KIND_DISTANCE, class_tag, size, tag,
                           info->stack_local.thread_tag, info->stack_local.depth,
                           info->stack_local.method, info->stack_local.slot, user_data);
    if (control == JVMTI_ITERATION_ABORT)
        return JVMTI_VISIT_ABORT;
    /* An agent without a callback for references is told of the roots only, so what
       they refer to need not be visited. */
    return control == JVMTI_ITERATION_CONTINUE && c->reference ? JVMTI_VISIT_OBJECTS
                                                               : 0;
}

/* Walks the references from an object, or from the roots if from is NULL. */
static jvmtiError
follow_references(struct thread *self, struct jvmti_env *env, struct object *from,
                  const struct callbacks10 *callbacks)
{
    static const jvmtiHeapCallbacks adapter = {
        .heap_reference_callback = report_reference
    };

    return jvmti_FollowReferences(self, env, 0, NULL, from, &adapter, callbacks);
}

jvmtiError
jvmti_IterateOverObjectsReachableFromObject(
    struct thread *self, struct jvmti_env *env, struct object *object,
    jvmtiObjectReferenceCallback object_reference_callback, const void *user_data)
{
    const struct callbacks10 callbacks = { .reference = object_reference_callback,
                                           .user_data = user_data };

    return follow_references(self, env, object, &callbacks);
}

jvmtiError
jvmti_IterateOverReachableObjects(struct thread *self, struct jvmti_env *env,
                                  jvmtiHeapRootCallback heap_root_callback,
                                  jvmtiStackReferenceCallback stack_ref_callback,
                                  jvmtiObjectReferenceCallback object_ref_callback,
                                  const void *user_data)
{
    const struct callbacks10 callbacks = { .root = heap_root_callback,
                                           .stack = stack_ref_callback,
                                           .reference = object_ref_callback,
                                           .user_data = user_data };

    return follow_references(self, env, NULL, &callbacks);
}

/* The callback for the iteration over objects. */
static jint JNICALL
report_object(jlong class_tag, jlong size, jlong *tag, jint length, void *callbacks)
{
    const struct callbacks10 *c = callbacks;

    (void)length;
    return c->object(class_tag, size, tag, (void *)(uintptr_t)c->user_data)
                   == JVMTI_ITERATION_ABORT
               ? JVMTI_VISIT_ABORT
               : 0;
}

/* Unlike with IterateThroughHeap, the instances of klass's subclasses are visited,
   too. */
jvmtiError
jvmti_IterateOverInstancesOfClass(struct thread *self, struct jvmti_env *env,
                                  struct class *klass,
                                  jvmtiHeapObjectFilter object_filter,
                                  jvmtiHeapObjectCallback heap_object_callback,
                                  const void *user_data)
{
    static const jvmtiHeapCallbacks adapter = {
        .heap_iteration_callback = report_object
    };
    const struct callbacks10 callbacks = { .object = heap_object_callback,
                                           .user_data = user_data };
    /* A flag of a heap filter names the objects that are left out. */
    jint filter = object_filter == JVMTI_HEAP_OBJECT_TAGGED ? JVMTI_HEAP_FILTER_UNTAGGED
                  : object_filter == JVMTI_HEAP_OBJECT_UNTAGGED
                      ? JVMTI_HEAP_FILTER_TAGGED
                      : 0;

    return jvmti_iterate_heap(self, env, filter, klass, WITH_SUBCLASSES, &adapter,
                              &callbacks);
}

jvmtiError
jvmti_IterateOverHeap(struct thread *self, struct jvmti_env *env,
                      jvmtiHeapObjectFilter object_filter,
                      jvmtiHeapObjectCallback heap_object_callback,
                      const void *user_data)
{
    return jvmti_IterateOverInstancesOfClass(self, env, NULL, object_filter,
                                             heap_object_callback, user_data);
}
