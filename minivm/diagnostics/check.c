/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/check.c -- a test of the VM's invariants.
 *
 * heap/check.c tests what concerns the heap alone.  Here is what needs knowledge of
 * classes and threads:
 *
 *   - every root leads to an object; for locals and operands of frames that also tests
 *     the frame maps, which say what slots hold references;
 *   - the frames of a thread lie in order on its Java stack, each at a bytecode of its
 *     method;
 *   - a thread holds the locks that it has noted as held;
 *   - an object with an inflated monitor and that monitor refer to each other;
 *   - a loader has the classes that it has defined, and a class and its Class object
 *     refer to each other.
 */
#include "diagnostics/check.h"

#include "base/log.h"
#include "linking/class_space.h"
#include "linking/loader.h"
#include "runtime/vm.h"
#include "threads/monitor_table.h"
#include "threads/thread_list.h"

/* Returns true if layout lies in the memory of classes and belongs to one that is not
   unloaded. */
static bool
is_class(const struct layout *layout)
{
    const struct class *c = (const struct class *)layout;

    return class_space_has(the_vm, layout) && !(c->flags & CLASS_IS_UNLOADED);
}

/* What the callbacks of visits to roots and objects are told: the arguments of
   vm_check. */
struct root_check {
    struct vm *vm;
    const char *when;
};

/* Checks for heap_visit_roots that a root leads to an object.  A root in a frame is
   there because the frame map says that the slot holds a reference. */
static void
check_root(void *context, struct object *o, const struct root_info *info)
{
    const struct root_check *c = context;
    const struct frame *f = info->frame;

    if (heap_is_object(c->vm->heap, o))
        return;
    if (f)
        fatal("%s: slot %d of %s.%s%s at %d is %p, which is no object", c->when,
              info->slot, f->version->method->class->name->bytes,
              f->version->method->name->bytes, f->version->method->descriptor->bytes,
              info->bci, (void *)o);
    fatal("%s: a root of kind %d is %p, which is no object", c->when, (int)info->kind,
          (void *)o);
}

/* Checks that each frame of the thread lies within its Java stack and below the frame
   that it has called, which was pushed later at a higher address, and that its bytecode
   index is one of its method.  Entry frames and native methods have no bytecode.  Frames
   below a mounted continuation are on other stacks and are not looked at. */
static void
check_frames(const struct thread *t, const char *when)
{
    const union slot *end = t->stack_end;

    for (const struct frame *f = t->top; f; f = f->caller) {
        const union slot *at = (const union slot *)f;

        if (at < t->stack || at >= end)
            fatal("%s: thread %u has a frame at %p, outside of its stack or above its "
                  "callee",
                  when, t->serial, (const void *)f);
        end = at;
        if (at == t->stack && t->continuation)
            break;
        if (frame_is_entry(f) || !f->version->info || !f->version->info->has_code)
            continue;
        if (frame_bci(f) < 0 || (uint32_t)frame_bci(f) >= f->version->info->code_length)
            fatal("%s: thread %u is at %d in %s.%s%s", when, t->serial, frame_bci(f),
                  f->version->method->class->name->bytes,
                  f->version->method->name->bytes,
                  f->version->method->descriptor->bytes);
    }
}

/* Checks that the entries of the thread's lock stack are objects whose monitors it
   holds, except for one that it has left to wait in Object.wait
   (monitor_owns_entry). */
static void
check_locks(const struct vm *vm, const struct thread *t, const char *when)
{
    for (uint32_t i = 0; i < t->lock_count; i++) {
        const struct held_lock *lock = &t->locks[i];

        if (!heap_is_object(vm->heap, lock->object))
            fatal("%s: thread %u holds the lock of %p, which is no object", when,
                  t->serial, (void *)lock->object);
        if (monitor_owns_entry(t, lock) && !monitor_is_held(t, lock->object))
            fatal("%s: thread %u does not hold the lock of %p, as it believes", when,
                  t->serial, (void *)lock->object);
    }
}

/* Checks that each inflated monitor and the lock word of its object name each other,
   and that the table counts as many as are in use; others have no object. */
static void
check_monitors(const struct vm *vm, const char *when)
{
    const struct monitor_table *table = vm->monitors;
    size_t count = 0;

    for (uint32_t i = 0; i < table->used; i++) {
        const struct monitor *m = table_at(table, i);
        uint32_t word;

        if (m->index != i)
            fatal("%s: monitor %u says that it is %u", when, i, m->index);
        if (m->object == NULL)
            continue;
        count++;
        if (!heap_is_object(vm->heap, m->object))
            fatal("%s: monitor %u is that of %p, which is no object", when, i,
                  (void *)m->object);
        word = lock_word(m->object);
        if ((word & LOCK_TAG) != LOCK_INFLATED || word_monitor(vm, word) != m)
            fatal("%s: monitor %u is that of %p, whose lock word is %#x", when, i,
                  (void *)m->object, word);
    }
    if (count != table->count)
        fatal("%s: %zu monitors are in use, and %zu are counted", when, count,
              table->count);
}

/* Checks for heap_iterate that the lock word of an object leads to no monitor but its
   own.  The word's upper 30 bits are the monitor's index in the table.  Returns true,
   so that the iteration goes on. */
static bool
check_lock_word(void *context, struct object *o)
{
    const struct root_check *c = context;
    uint32_t word = lock_word(o);

    if ((word & LOCK_TAG) == LOCK_INFLATED
        && (word >> 2 >= c->vm->monitors->used
            || word_monitor(c->vm, word)->object != o))
        fatal("%s: the lock word %#x of %p leads to another's monitor", c->when, word,
              (void *)o);
    return true;
}

/* Checks that the list of a loader's classes has only classes that it has defined, and
   that each class and its Class object name each other. */
static void
check_classes(const struct vm *vm, const char *when)
{
    for (const struct loader *l = vm->loaders; l; l = l->next)
        for (const struct class *c = l->defined; c; c = c->next_in_loader) {
            if (!is_class(&c->layout) || c->loader != l)
                fatal("%s: a loader has the class %p, which is not its own", when,
                      (const void *)c);
            if (c->layout.mirror
                && (!heap_is_object(vm->heap, c->layout.mirror)
                    || class_of_mirror(c->layout.mirror) != c))
                fatal("%s: the mirror of %s is not its own", when, c->name->bytes);
        }
}

void
vm_check(struct vm *vm, const char *when)
{
    struct root_check c = { vm, when };

    heap_check(vm->heap, when, is_class);
    heap_visit_roots(vm->heap, check_root, &c);
    check_classes(vm, when);
    check_monitors(vm, when);
    heap_iterate(vm->heap, check_lock_word, &c);
    FOR_EACH_THREAD(vm, t) {
        check_frames(t, when);
        check_locks(vm, t, when);
    }
}
