/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap10.c -- JVM TI "Heap (1.0)": the deprecated walks. */

#include "jvmti/heap_walk.h"
#include "vm/frame.h"

struct callbacks10 {
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback reference;
    jvmtiHeapObjectCallback object;
};

static enum walk_next
next_of(jvmtiIterationControl control)
{
    return control == JVMTI_ITERATION_CONTINUE ? WALK_FOLLOW
           : control == JVMTI_ITERATION_IGNORE ? WALK_IGNORE : WALK_ABORT;
}

/* Its kinds have the numbers of today's, but for the superclass, which it has none
   for: like a class, a superclass is what the referrer's type is made of. */
static enum walk_next
report_edge(struct walk *w, jvmtiHeapReferenceKind kind, jint index, struct view *to,
            jlong *referrer_tag)
{
    const struct callbacks10 *callbacks = w->callbacks;

    return next_of(callbacks->reference(
        kind == JVMTI_HEAP_REFERENCE_SUPERCLASS ? JVMTI_REFERENCE_CLASS
                                                : (jvmtiObjectReferenceKind)kind,
        to->class_tag, view_size(to), &to->tag, *referrer_tag, index, w->user_data));
}

static enum walk_next
report_root(struct walk *w, const struct root_info *info, struct view *to)
{
    const struct callbacks10 *callbacks = w->callbacks;
    jvmtiHeapRootKind kind = (jvmtiHeapRootKind)info->kind;
    const struct frame *frame = info->frame;

    if (info->kind != ROOT_STACK_LOCAL && info->kind != ROOT_JNI_LOCAL)
        return callbacks->root == NULL
                   ? WALK_FOLLOW
                   : next_of(callbacks->root(kind, to->class_tag, view_size(to),
                                             &to->tag, w->user_data));
    if (callbacks->stack == NULL)
        return WALK_FOLLOW;
    return next_of(callbacks->stack(
        kind, to->class_tag, view_size(to), &to->tag,
        tag_get(w->env->tags, info->thread->object), (jint)info->depth,
        frame != NULL ? (jmethodID)code_id(frame->code) : NULL, info->slot,
        w->user_data));
}

jvmtiError
jvmti_IterateOverObjectsReachableFromObject(
    struct jvmti_env *env, struct object *object,
    jvmtiObjectReferenceCallback object_reference_callback, const void *user_data)
{
    const struct callbacks10 callbacks = { .reference = object_reference_callback };
    struct walk w = { .env = env, .user_data = (void *)(uintptr_t)user_data,
                      .callbacks = &callbacks, .edge = report_edge };

    return walk_references(&w, object, false);
}

jvmtiError
jvmti_IterateOverReachableObjects(struct jvmti_env *env,
                                  jvmtiHeapRootCallback heap_root_callback,
                                  jvmtiStackReferenceCallback stack_ref_callback,
                                  jvmtiObjectReferenceCallback object_ref_callback,
                                  const void *user_data)
{
    const struct callbacks10 callbacks = { .root = heap_root_callback,
                                           .stack = stack_ref_callback,
                                           .reference = object_ref_callback };
    struct walk w = { .env = env, .user_data = (void *)(uintptr_t)user_data,
                      .callbacks = &callbacks, .root = report_root,
                      .edge = report_edge };

    return walk_references(&w, NULL, object_ref_callback == NULL);
}

/* klass here also means its subclasses' instances. */
static bool
report_object(void *walk, struct object *o)
{
    struct walk *w = walk;
    const struct callbacks10 *callbacks = w->callbacks;
    struct class *klass = w->klass;
    struct view view;

    if (klass != NULL && klass != object_class(o) && !object_is_instance(o, klass))
        return true;
    view_open(w, &view, o);
    if (view.tag != 0 ? w->filter == JVMTI_HEAP_OBJECT_UNTAGGED
                      : w->filter == JVMTI_HEAP_OBJECT_TAGGED)
        return true;
    jvmtiIterationControl control =
        callbacks->object(view.class_tag, view_size(&view), &view.tag, w->user_data);
    return view_write(w, &view) && next_of(control) != WALK_ABORT;
}

jvmtiError
jvmti_IterateOverInstancesOfClass(struct jvmti_env *env, struct class *klass,
                                  jvmtiHeapObjectFilter object_filter,
                                  jvmtiHeapObjectCallback heap_object_callback,
                                  const void *user_data)
{
    const struct callbacks10 callbacks = { .object = heap_object_callback };
    struct walk w = { .env = env, .user_data = (void *)(uintptr_t)user_data,
                      .callbacks = &callbacks, .klass = klass,
                      .filter = (jint)object_filter };

    return walk_heap(&w, report_object);
}

jvmtiError
jvmti_IterateOverHeap(struct jvmti_env *env, jvmtiHeapObjectFilter object_filter,
                      jvmtiHeapObjectCallback heap_object_callback,
                      const void *user_data)
{
    return jvmti_IterateOverInstancesOfClass(env, NULL, object_filter,
                                             heap_object_callback, user_data);
}
