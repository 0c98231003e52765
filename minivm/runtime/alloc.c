/* SPDX-License-Identifier: MIT */
/* minivm/runtime/alloc.c -- objects for Java: allocate, else collect, else throw.
 *
 * The fast way takes a cell of the thread's own cache.  The slow way asks the heap;
 * then collects and asks again; then collects with soft references cleared, which is
 * the last thing to try before OutOfMemoryError (JVMS 6.3).  A thread that waited for
 * another thread's collection does not collect once more. */

#include "base/events.h"
#include "base/hash.h"
#include "base/history.h"
#include "base/os.h"
#include "diagnostics/check.h"
#include "diagnostics/exhausted.h"
#include "diagnostics/heapdump.h"
#include "linking/initialize.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* As in HotSpot.  Longer arrays have an error of their own. */
enum { ARRAY_LENGTH_MAX = INT32_MAX - 2 };

/* ---- collection ---- */

/* For collect_since: collect in any case. */
#define ANY_COLLECTIONS UINT64_MAX

/* Notes the last collection for crash reports, and writes -Xlog:gc in HotSpot's
   form. */
static void
log_collection(const struct vm *vm, const char *cause)
{
    const struct heap_usage *before = &vm->last_collection.before;
    const struct heap_usage *after = &vm->last_collection.after;
    long micros = (vm->last_collection.end - vm->last_collection.start) / 1000;

    history_add(HISTORY_COLLECTIONS, "GC(%zu) %s: %zuK of %zuK used, %zuK after it",
                (size_t)before->collections, cause, before->used >> 10,
                before->committed >> 10, after->used >> 10);
    if (log_wanted(LOG_GC, LOG_INFO))
        vm_log(LOG_GC, LOG_INFO, "GC(%zu) Pause Full (%s) %zuM->%zuM(%zuM) %ld.%03dms",
               (size_t)before->collections, cause, before->used >> 20,
               after->used >> 20, after->committed >> 20, micros / 1000,
               (int)(micros % 1000));
}

/*
 * Collects, unless another thread has done so while self waited to stop the world: then
 * there were more collections than seen, the number that the caller has read before.
 * With ANY_COLLECTIONS it always collects.  cause is for the log.
 *
 * GC_START and GC_FINISH are sent while the world is stopped, as JVM TI demands.  The
 * events at the end may run agents' code and are sent when it runs again; they are sent
 * by a thread that has not collected, too, since nobody may have sent them yet.
 */
static void
collect_since(struct thread *self, uint64_t seen, const char *cause, bool clear_soft)
{
    struct vm *vm = self->vm;

    world_stop(self, cause);
    if (seen == ANY_COLLECTIONS || heap_get_usage(vm->heap).collections == seen) {
        if (vm->options.dump_before_gc)
            heap_dump_by_options(self, false);
        EVENT_SEND(EVENT_GC_START, gc_start);
        if (vm->options.check_before_gc)
            vm_check(vm, "before a collection");
        vm->last_collection.before = heap_get_usage(vm->heap);
        if (log_wanted(LOG_GC_START, LOG_INFO))
            vm_log(LOG_GC_START, LOG_INFO, "GC(%zu) Pause Full (%s)",
                   (size_t)vm->last_collection.before.collections, cause);
        vm->last_collection.start = os_nanos();
        heap_collect(vm->heap, clear_soft);
        vm->last_collection.end = os_nanos();
        if (vm->options.check_after_gc)
            vm_check(vm, "after a collection");
        vm->last_collection.cause = cause;
        vm->last_collection.after = heap_get_usage(vm->heap);
        log_collection(vm, cause);
        if (vm->after_collection)
            vm->after_collection(vm);
        if (vm->options.dump_after_gc)
            heap_dump_by_options(self, false);
        EVENT_SEND(EVENT_GC_FINISH, gc_finish);
    }
    world_resume(self);
    /* Wakes the ReferenceHandler, which waits in vm_await_pending. */
    if (heap_has_pending(vm->heap)) {
        LOCK(&vm->pending_mutex);
        pthread_cond_broadcast(&vm->pending_changed);
    }
    vm_send_collection_events(self);
}

void
vm_send_collection_events(struct thread *self)
{
    if (world_is_stopped_by(self) || self->in_transition)
        return;
    EVENT_SEND(EVENT_OBJECT_FREE, object_free, self);
    EVENT_SEND(EVENT_CLASS_UNLOAD, class_unload, self);
}

void
vm_collect(struct thread *self, const char *cause, bool clear_soft)
{
    collect_since(self, ANY_COLLECTIONS, cause, clear_soft);
}

void
vm_await_pending(struct thread *self)
{
    struct vm *vm = self->vm;

    thread_block_begin(self);
    mutex_lock(&vm->pending_mutex);
    while (!heap_has_pending(vm->heap))
        pthread_cond_wait(&vm->pending_changed, &vm->pending_mutex.m);
    mutex_unlock(&vm->pending_mutex);
    thread_block_end(self);
}

/* ---- the slow path ---- */

enum { UNTIL_TRIGGER = false, UNTIL_FULL = true };

/* Takes a cell of the heap, without collecting.  With force false returns NULL also
   when a collection is due, with force true only when there is no room. */
static struct object *
try_allocate(struct thread *self, struct layout *layout, size_t size, bool force)
{
    struct heap *heap = self->vm->heap;

    return layout->kind == LAYOUT_MIRROR
               ? heap_allocate_mirror(heap, &self->cache, layout, size, force)
               : heap_allocate(heap, &self->cache, layout, size, force);
}

/* Takes a cell and collects as the first comment of this file says.  Returns NULL with
   OutOfMemoryError pending.  The number of collections is read before the first try: if
   it has changed when self has stopped the world, another thread has made room
   meanwhile. */
static struct object *
allocate(struct thread *self, struct layout *layout, size_t size)
{
    struct vm *vm = self->vm;
    struct object *o;
    uint64_t seen;

    if (heap_stress_due(vm->heap))
        vm_collect(self, "GCStress", KEEP_SOFT_REFERENCES);
    seen = heap_get_usage(vm->heap).collections;
    o = try_allocate(self, layout, size, UNTIL_TRIGGER);
    if (!o) {
        collect_since(self, seen, "Allocation Failure", KEEP_SOFT_REFERENCES);
        o = try_allocate(self, layout, size, UNTIL_FULL);
    }
    if (!o) {
        vm_collect(self, "Last ditch collection", CLEAR_SOFT_REFERENCES);
        o = try_allocate(self, layout, size, UNTIL_FULL);
    }
    return o ? o
             : throw_exhausted(self, "Java heap space",
                               EXHAUSTED_OOM_ERROR | EXHAUSTED_JAVA_HEAP);
}

/* Sends JVM TI SampledObjectAlloc for o, a well-formed object of that many bytes, if
   the heap has picked its allocation as a sample; so agents' code may run.  Returns o,
   and cannot fail. */
static struct object *
report_sample(struct thread *self, struct object *o, size_t size)
{
    if (__builtin_expect(self->cache.sampled, 0)) {
        HANDLE_SCOPE(self);
        handle_new(self, o);
        self->cache.sampled = false;
        EVENT_SEND(EVENT_SAMPLED_ALLOC, sampled_alloc, self, o, size);
    }
    return o;
}

bool
object_register_finalizer(struct thread *self, struct object *o)
{
    union slot arg = { .ref = o };

    if (self->vm->options.no_finalization)
        return true;
    HANDLE_SCOPE(self);
    handle_new(self, o);
    return class_initialize(self, KC(self->vm, Finalizer))
           && java_call(self, KM(self->vm, Finalizer_register), &arg, NULL);
}

/* ---- kinds of objects ---- */

/* An object out of the cache is never a sample (JVM TI "Sampled Object Allocation"):
   the heap decides that when it refills the cache. */
struct object *
object_new(struct thread *self, struct class *c)
{
    size_t size = c->layout.instance_size;
    struct object *o = NULL;

    if (size <= HEAP_SMALL_MAX)
        o = heap_allocate_small(&self->cache, &c->layout,
                                heap_size_class[(size + 7) / 8]);
    if (o)
        return o;
    o = allocate(self, &c->layout, size);
    return o ? report_sample(self, o, size) : NULL;
}

struct object *
object_new_known(struct thread *self, enum known_class which)
{
    struct class *c = known_class(self, which);

    return c && class_initialize(self, c) ? object_new(self, c) : NULL;
}

/* The length is stored before report_sample, since agents may look at the array
   there. */
struct object *
array_new(struct thread *self, struct class *c, int32_t length)
{
    size_t size = array_size(&c->layout, length);
    struct object *o = NULL;

    if (__builtin_expect(length > ARRAY_LENGTH_MAX, 0))
        return throw_exhausted(self, "Requested array size exceeds VM limit",
                               EXHAUSTED_OOM_ERROR);
    if (size <= HEAP_SMALL_MAX)
        o = heap_allocate_small(&self->cache, &c->layout,
                                heap_size_class[(size + 7) / 8]);
    if (o) {
        ((struct array *)o)->length = length;
        return o;
    }
    o = allocate(self, &c->layout, size);
    if (!o)
        return NULL;
    ((struct array *)o)->length = length;
    return report_sample(self, o, size);
}

struct object *
array_new_checked(struct thread *self, struct class *c, int32_t length)
{
    if (length < 0)
        return THROW(self, NegativeArraySizeException, "%d", length);
    return array_new(self, c, length);
}

/* Allocates the array of counts[0] elements and, recursively, the arrays of the inner
   dimensions.  counts were checked.  Returns NULL with OutOfMemoryError pending; what
   was made so far is garbage then.  The array is a handle, which keeps all rows alive.
   Agents may have got it from a sample, so its elements are stored whole. */
static struct object *
new_nested_arrays(struct thread *self, struct class *c, int dimensions,
                  const union slot *counts)
{
    struct object *array = array_new(self, c, counts[0].i);

    if (!array || dimensions == 1)
        return array;
    HANDLE_SCOPE(self);
    handle_new(self, array);
    for (int32_t i = 0; i < counts[0].i; i++) {
        struct object *row = new_nested_arrays(self, c->element, dimensions - 1,
                                               counts + 1);
        if (!row)
            return NULL;
        __atomic_store_n(&ARRAY_REFS(array)[i], row, __ATOMIC_RELAXED);
    }
    return array;
}

struct object *
array_new_multi(struct thread *self, struct class *c, int dimensions,
                const union slot *counts)
{
    for (int i = 0; i < dimensions; i++)
        if (counts[i].i < 0)
            return THROW(self, NegativeArraySizeException, "%d", counts[i].i);
    return new_nested_arrays(self, c, dimensions, counts);
}

struct object *
array_new_primitive(struct thread *self, char type, int32_t length)
{
    return array_new(self, self->vm->known.primitive_arrays[type - 'A'], length);
}

struct object *
mirror_new(struct thread *self, struct class *c)
{
    struct class *class_class = KC(self->vm, Class);
    size_t size = mirror_statics(&class_class->layout) + (size_t)c->static_size;
    struct object *o = allocate(self, &class_class->layout, size);

    return o ? report_sample(self, o, size) : NULL;
}

/* Copies the 8-byte words of an object from offset start on; the last one may reach
   beyond end, since cells consist of whole words.  Java may write the original
   meanwhile, so no word may be torn (JLS 17.6). */
static void
copy_words(struct object *to, struct object *from, size_t start, size_t end)
{
    for (size_t at = start; at < end; at += 8)
        __atomic_store_n(
            (uint64_t *)object_at(to, at),
            __atomic_load_n((uint64_t *)object_at(from, at), __ATOMIC_RELAXED),
            __ATOMIC_RELAXED);
}

/* A clone is made without a constructor, so the finalizer, which the constructor of
   Object would register, is registered here. */
struct object *
object_clone(struct thread *self, struct object *o)
{
    struct class *c = object_class(o);
    struct object *copy;
    HANDLE_SCOPE(self);

    handle_new(self, o);
    if (class_is_array(c)) {
        copy = array_new(self, c, array_length(o));
        if (copy)
            copy_words(copy, o, ARRAY_BASE, array_size(&c->layout, array_length(o)));
        return object_made_by_vm(self, copy);
    }
    /* The collector would not know of a copied Reference; HotSpot throws, too. */
    if (!(c->flags & CLASS_IS_CLONEABLE) || c->layout.kind == LAYOUT_REFERENCE)
        return THROW(self, CloneNotSupportedException, "%pC", c);
    copy = object_new(self, c);
    if (copy)
        copy_words(copy, o, sizeof *o, c->layout.instance_size);
    if (copy && c->layout.has_finalizer && !object_register_finalizer(self, copy))
        return NULL;
    return object_made_by_vm(self, copy);
}

struct object *
object_made_by_vm(struct thread *self, struct object *o)
{
    if (handle_new(self, o) != NULL)
        EVENT_SEND(EVENT_VM_OBJECT_ALLOC, vm_object_alloc, self, o, object_size(o));
    return o;
}

int32_t
object_identity_hash(const struct object *o)
{
    /* Objects do not move; the low bits of their addresses are zero. */
    int32_t hash = (int32_t)(hash_word((uintptr_t)o >> 3) & 0x7fffffff);

    return hash ? hash : 1;
}
