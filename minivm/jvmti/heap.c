/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap.c -- JVM TI "Heap": walks over objects and references; heap_walk.h
 * describes a walk.
 *
 * FollowReferences goes through the graph with a stack: an object that is reached first
 * is marked and pushed, and what is popped is visited, which means that each of its
 * references is reported to the agent and the object at its other end is reached.  The
 * callback decides by its result whether the walk goes on there (JVMTI_VISIT_OBJECTS)
 * or ends. */

#include "jvmti/heap_walk.h"

#include "classfile/classfile.h"
#include "linking/ids.h"
#include "linking/loader.h"
#include "linking/resolve.h"
#include "linking/unload.h"
#include "runtime/frame.h"
#include "threads/continuation.h"
#include "threads/safepoint.h"

/* ---- what was reached ---- */

/* Marks o and puts it on the stack, unless it was reached before.  Returns false, with
   the walk over, if memory is short. */
static inline bool
reach(struct walk *w, struct object *o)
{
    struct buf *stack = &w->reached;

    if (!heap_walk_mark(&w->marks, o))
        return true;
    if (__builtin_expect(stack->length == stack->capacity, 0)
        && !buf_try_reserve(stack, sizeof o))
        return walk_fail(w, JVMTI_ERROR_OUT_OF_MEMORY);
    *(struct object **)(stack->data + stack->length) = o;
    stack->length += sizeof o;
    return true;
}

/* Tells the processor that o, which may be NULL, is going to be reached. */
static inline void
prefetch_reach(const struct walk *w, const struct object *o)
{
    heap_walk_prefetch(&w->marks, o);
    tag_prefetch(w->env->tags, o);
}

/* ---- references ---- */

/* Stores the tags of the referrer and of what it refers to after a callback.  What is
   told of the referrer is set anew then: its class may be the object whose tag has
   changed. */
static bool
write_tags(struct walk *w, struct view *to)
{
    struct object *from = w->visited.object;

    if (!view_write(w, to) || (to->object != from && !view_write(w, &w->visited)))
        return false;
    if (from)
        view_set(w, &w->visited, from);
    return true;
}

/* Reports a reference from the visited object, or from a root, to o, which is reached
   then unless the callback says otherwise.  Returns false if the walk is over.  An
   object that the filters leave out is reached all the same (JVM TI "Heap Filter
   Flags").  If the object refers to itself, the callback gets one pointer twice, so
   that its two tags are one.  o is not NULL. */
static inline bool
report_reference(struct walk *w, jvmtiHeapReferenceKind kind,
                 const jvmtiHeapReferenceInfo *info, struct object *o)
{
    jint flags = JVMTI_VISIT_OBJECTS;
    struct view *from = &w->visited, to;

    if (w->report) {
        view_set(w, &to, o);
        if (view_passes(w, &to))
            flags = w->report(kind, info, to.class_tag, from->class_tag, view_size(&to),
                              &to.tag,
                              !from->object       ? NULL
                              : from->object == o ? &to.tag
                                                  : &from->tag,
                              view_length(&to), w->user_data);
        if ((to.tag != to.stored_tag || from->tag != from->stored_tag)
            && !write_tags(w, &to))
            return false;
    }
    if (flags & JVMTI_VISIT_ABORT)
        w->is_over = true;
    return !w->is_over && (!(flags & JVMTI_VISIT_OBJECTS) || reach(w, o));
}

/* Reports a reference of the visited object, unless it is NULL, as report_reference
   does; false when the walk is over.  index is the number of the field, array element
   or constant; -1 for kinds of references that have none. */
static inline bool
report_optional(struct walk *w, jvmtiHeapReferenceKind kind, jint index,
                struct object *to)
{
    /* The members array and constant_pool of the union have the index in the same
       place. */
    const jvmtiHeapReferenceInfo info = { .field.index = index };

    return !to || report_reference(w, kind, index >= 0 ? &info : NULL, to);
}

/* The visit_ functions report the references of the visited object, by what it is, and
   return false if the walk is over.  This one is for the fields of one list of c. */
static bool
visit_fields(struct walk *w, struct object *o, jvmtiHeapReferenceKind kind,
             struct class *c, enum heap_field_list list)
{
    const struct heap_fields *fields = heap_fields_get(w, c);

    if (!fields)
        return false;
    FOR_EACH_HEAP_FIELD(f, fields, list)
    if (!report_optional(w, kind, f->index,
                         OBJECT_FIELD(struct object *, o, f->offset)))
        return false;
    return true;
}

/* Prefetches each element some steps before it is reported: marking it will read the
   object. */
static bool
visit_elements(struct walk *w, struct object *o)
{
    struct object **elements = ARRAY_REFS(o);
    jint length = array_length(o);

    for (jint i = 0; i < length; i++) {
        if (i + 16 < length)
            prefetch_reach(w, elements[i + 16]);
        if (!report_optional(w, JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, i, elements[i]))
            return false;
    }
    return true;
}

/* Returns the object of a resolved constant, or NULL: the mirror of a class, or an
   object that Java code has got.  A dynamic constant of a primitive type is kept in a
   box that no Java code sees, so that is not reported. */
static struct object *
constant(const struct cpool *pool, unsigned index)
{
    struct class *c;
    char kind;

    switch (cf_tag_at(pool->file, index)) {
    case CF_CLASS: c = resolved_class(pool, index); return c ? c->layout.mirror : NULL;
    case CF_DYNAMIC:
        kind = cf_member(pool->file, index).descriptor->bytes[0];
        return kind == 'L' || kind == '[' ? resolved_object(pool, index) : NULL;
    case CF_STRING:
    case CF_METHOD_TYPE:
    case CF_METHOD_HANDLE: return resolved_object(pool, index);
    default: return NULL;
    }
}

/* Reports the constants that are resolved by now. */
static bool
visit_constants(struct walk *w, const struct cpool *pool)
{
    for (unsigned i = 1; i < pool->file->cp_count; i++)
        if (!report_optional(w, JVMTI_HEAP_REFERENCE_CONSTANT_POOL, (jint)i,
                             constant(pool, i)))
            return false;
    return true;
}

/* For a class that is no array and no primitive type.  Before a class is prepared its
   fields have no order (GetClassFields), and its constants are not resolved except for
   the class. */
static bool
visit_definition(struct walk *w, struct object *mirror, struct class *c)
{
    bool is_prepared = class_state(c) != CLASS_LOADED;

    if (is_prepared && c->pool && !visit_constants(w, c->pool))
        return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!report_optional(w, JVMTI_HEAP_REFERENCE_INTERFACE, -1,
                             c->interfaces[i]->layout.mirror))
            return false;
    return !is_prepared
           || visit_fields(w, mirror, JVMTI_HEAP_REFERENCE_STATIC_FIELD, c,
                           STATIC_REFERENCES);
}

/* For a mirror: it stands for the class, whose references are reported instead of those
   of the fields of java.lang.Class (JVM TI "Follow References"). */
static bool
visit_class(struct walk *w, struct object *mirror)
{
    struct class *c = class_of_mirror(mirror);

    if (!c || c->primitive)
        return true;
    if (c->super && c->super != KC(w->vm, Object)
        && !report_optional(w, JVMTI_HEAP_REFERENCE_SUPERCLASS, -1,
                            c->super->layout.mirror))
        return false;
    return report_optional(w, JVMTI_HEAP_REFERENCE_CLASS_LOADER, -1, c->loader->object)
           && report_optional(w, JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN, -1,
                              REF_FIELD(w->vm, mirror, Class_protectionDomain))
           && report_optional(w, JVMTI_HEAP_REFERENCE_SIGNERS, -1,
                              REF_FIELD(w->vm, mirror, Class_signers))
           && (class_is_array(c) || visit_definition(w, mirror, c));
}

/* The heap numbers its kinds of roots as JVM TI "Heap Root Kind" does. */
_Static_assert((int)ROOT_JNI_GLOBAL == JVMTI_HEAP_ROOT_JNI_GLOBAL
                   && (int)ROOT_SYSTEM_CLASS == JVMTI_HEAP_ROOT_SYSTEM_CLASS
                   && (int)ROOT_MONITOR == JVMTI_HEAP_ROOT_MONITOR
                   && (int)ROOT_STACK_LOCAL == JVMTI_HEAP_ROOT_STACK_LOCAL
                   && (int)ROOT_JNI_LOCAL == JVMTI_HEAP_ROOT_JNI_LOCAL
                   && (int)ROOT_THREAD == JVMTI_HEAP_ROOT_THREAD
                   && (int)ROOT_OTHER == JVMTI_HEAP_ROOT_OTHER,
               "root kinds differ from JVM TI's");

/* Returns the java.lang.Thread of a struct thread; NULL for none. */
static const struct object *
thread_object_of(const struct thread *t)
{
    return t ? t->object : NULL;
}

/* Reports a root, for heap_visit_roots.  enum root_kind has the numbers of JVM TI "Heap
   Root Kind"; those of "Heap Reference Kind" are in the same order and begin with
   JNI_GLOBAL.  The struct for a local variable of JNI is the beginning of the one for
   the stack, so that one is filled for both.  heap_visit_roots cannot be stopped, so
   the roots that follow an abort are passed by.  The other kinds of roots have no info:
   their callback gets NULL. */
static void
visit_root(void *walk, struct object *o, const struct root_info *root)
{
    struct walk *w = walk;
    bool is_local = root->kind == ROOT_STACK_LOCAL || root->kind == ROOT_JNI_LOCAL;
    const struct object *thread = !is_local     ? NULL
                                  : root->owner ? root->owner
                                                : thread_object_of(root->thread);
    const struct frame *frame = root->frame;
    jvmtiHeapReferenceInfo info;

    if (is_local)
        info.stack_local = (jvmtiHeapReferenceInfoStackLocal){
            .thread_tag = tag_get(w->env->tags, thread),
            .thread_id = thread ? LONG_FIELD(w->vm, thread, Thread_tid) : 0,
            .depth = (jint)root->depth,
            .method = frame ? (jmethodID)version_id(frame->version) : NULL,
            .location = root->bci,
            .slot = root->slot,
        };
    if (!w->is_over)
        report_reference(w,
                         JVMTI_HEAP_REFERENCE_JNI_GLOBAL - JVMTI_HEAP_ROOT_JNI_GLOBAL
                             + root->kind,
                         is_local ? &info : NULL, o);
}

/* Visits a continuation (threads/continuation.h): if it is not mounted, what is in its
   frames is reported as that of other frames, which are roots, but only now that it was
   reached.  Those by which it yields are nobody's.  Roots are told outside of any object:
   so this comes when all of o itself was. */
static bool
visit_continuation(struct walk *w, struct object *o)
{
    const struct continuation *c = continuation_of(w->vm, o);
    struct thread picture;

    if (!c || c->thread)
        return true;
    virtual_thread_picture(&picture, w->vm, c->thread_object, c);
    w->visited.object = NULL;
    frames_visit_roots(NULL, c->thread_object, picture.top, visit_root, w);
    for (uint32_t i = 0; i < picture.lock_count; i++)
        root_visit(visit_root, w, picture.locks[i].object, ROOT_MONITOR, NULL);
    return !w->is_over;
}

/* Visits an object: reports its references, then its values.  Values are reported only
   if the object passes the filters.  Returns false if the walk is over. */
static bool
visit(struct walk *w, struct object *o)
{
    const struct layout *layout = object_layout(o);

    if (w->report || w->wants_values)
        view_set(w, &w->visited, o);
    if (layout->kind == LAYOUT_MIRROR) {
        if (!visit_class(w, o))
            return false;
    } else {
        if (!report_optional(w, JVMTI_HEAP_REFERENCE_CLASS, -1, layout->mirror))
            return false;
        if (layout->kind == LAYOUT_REFERENCE_ARRAY
                ? !visit_elements(w, o)
                : layout->kind != LAYOUT_PRIMITIVE_ARRAY
                      && !visit_fields(w, o, JVMTI_HEAP_REFERENCE_FIELD,
                                       object_class(o), REFERENCES))
            return false;
    }
    if (w->wants_values && view_passes(w, &w->visited) && !walk_report_values(w))
        return false;
    return layout->kind != LAYOUT_CONTINUATION || visit_continuation(w, o);
}

/* Tells the processor what o, which is in the cache already, refers to: o is going to
   be visited. */
static inline void
prefetch_fields(const struct walk *w, const struct object *o)
{
    const struct layout *layout = object_layout(o);

    if (layout->kind != LAYOUT_INSTANCE)
        return;
    for (uint32_t i = 0; i < layout->run_count; i++)
        for (uint32_t k = 0; k < layout->runs[i].count; k++)
            prefetch_reach(w, OBJECT_FIELD(struct object *, o,
                                           layout->runs[i].offset + k * sizeof o));
}

/* Visits all that was reached, until nothing is left.  Most of the time of a walk goes
   into waiting for memory, so objects pass through a queue: one that is taken off the
   stack is prefetched, and when it has come nearer to the front, so is what it refers
   to.  w->is_over says afterwards whether it ended early.  The numbers first,
   prefetched and last count the objects that have left the queue, were prefetched with
   what they refer to, and have entered the queue. */
static void
visit_reached(struct walk *w)
{
    enum { WAITING = 16, PREFETCHED = 8 };
    struct object *waiting[WAITING];
    unsigned first = 0, prefetched = 0, last = 0;

    while (!w->is_over) {
        for (; w->reached.length > 0 && last - first < WAITING; last++) {
            w->reached.length -= sizeof *waiting;
            waiting[last % WAITING] = *(struct object **)(w->reached.data
                                                          + w->reached.length);
            __builtin_prefetch(waiting[last % WAITING]);
        }
        if (first == last)
            return;
        for (; prefetched != last && prefetched - first < PREFETCHED; prefetched++)
            prefetch_fields(w, waiting[prefetched % WAITING]);
        if (!visit(w, waiting[first++ % WAITING]))
            return;
    }
}

/* ---- the functions ---- */

/* Stops the world and returns a new walk, which walk_end ends.  Before that ObjectFree
   is sent for objects that are dead already (jvmti_stop_for_walk), so that self may
   stop and run agents' code.  callbacks stays the caller's, and has to outlive the
   walk. */
static struct walk
walk_begin(struct thread *self, struct jvmti_env *env, jint heap_filter,
           struct class *klass, const jvmtiHeapCallbacks *callbacks,
           const void *user_data)
{
    jvmti_stop_for_walk(self);
    return (struct walk){
        .env = env,
        .vm = self->vm,
        .callbacks = callbacks,
        .user_data = (void *)(uintptr_t)user_data,
        .klass = klass,
        .filter = heap_filter,
        .report = callbacks->heap_reference_callback,
        .wants_values = callbacks->primitive_field_callback
                        || callbacks->array_primitive_value_callback
                        || callbacks->string_primitive_value_callback,
    };
}

/* Ends a walk and lets the world go on; returns its error. */
static jvmtiError
walk_end(struct thread *self, struct walk *w)
{
    world_resume(self);
    buf_release(&w->reached);
    buf_release(&w->chars);
    return w->error;
}

/* Reports the references that are met on the way from initial_object, and the values of
   the objects.  Without initial_object the walk begins at the roots. */
jvmtiError
jvmti_FollowReferences(struct thread *self, struct jvmti_env *env, jint heap_filter,
                       struct class *klass, struct object *initial_object,
                       const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    struct walk w = walk_begin(self, env, heap_filter, klass, callbacks, user_data);

    if (heap_walk_begin(w.vm->heap, &w.marks)) {
        if (initial_object)
            reach(&w, initial_object);
        else
            heap_visit_roots(w.vm->heap, visit_root, &w);
        visit_reached(&w);
        heap_walk_end(w.vm->heap);
    } else {
        w.error = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    return walk_end(self, &w);
}

/* Visits one object of an iteration, for heap_iterate; returns false if it is over.
   What it is not told of (another class, the filter) is passed by. */
static bool
visit_object(void *walk, struct object *o)
{
    struct walk *w = walk;
    struct view *v = &w->visited;

    if (!walk_wants_class(w, o))
        return true;
    view_set(w, v, o);
    if (!view_passes(w, v))
        return true;
    if (w->callbacks->heap_iteration_callback
        && !walk_goes_on(
            w, w->callbacks->heap_iteration_callback(
                   v->class_tag, view_size(v), &v->tag, view_length(v), w->user_data)))
        return false;
    return !w->wants_values || walk_report_values(w);
}

/* Reports the objects of the heap, or the instances of klass if that is not NULL, to
   the callbacks, with the world stopped.  Unreachable objects that no collection has
   found yet are visited, too. */
jvmtiError
jvmti_iterate_heap(struct thread *self, struct jvmti_env *env, jint heap_filter,
                   struct class *klass, bool with_subclasses,
                   const jvmtiHeapCallbacks *callbacks, const void *user_data)
{
    struct walk w = walk_begin(self, env, heap_filter, klass, callbacks, user_data);

    w.with_subclasses = with_subclasses;
    heap_iterate(w.vm->heap, visit_object, &w);
    return walk_end(self, &w);
}

jvmtiError
jvmti_IterateThroughHeap(struct thread *self, struct jvmti_env *env, jint heap_filter,
                         struct class *klass, const jvmtiHeapCallbacks *callbacks,
                         const void *user_data)
{
    return jvmti_iterate_heap(self, env, heap_filter, klass, WITHOUT_SUBCLASSES,
                              callbacks, user_data);
}

jvmtiError
jvmti_ForceGarbageCollection(struct thread *self)
{
    vm_collect(self, "ForceGarbageCollection", KEEP_SOFT_REFERENCES);
    return JVMTI_ERROR_NONE;
}

void
jvmti_init_heap(struct vm *vm)
{
    vm->jvmti->sampling_interval = 512 << 10;
    vm->jvmti->sampling_now = HEAP_NO_SAMPLING;
    heap_add_part(vm->heap, NULL, tags_drop_dead, vm);
    class_add_free_hook(heap_fields_free);
}
