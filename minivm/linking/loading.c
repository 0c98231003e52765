/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/loading.c -- loads in progress.
 *
 * vm->loads is a list of all of them, the newest first; class_mutex guards it and its
 * members.  A thread may have several, one inside of the other, as a superclass is
 * loaded during the definition of its subclass: it works on its newest one.
 */

#include "linking/loading.h"

#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* pthread_cond_wait has locked class_mutex when it returns.  It is unlocked for
   thread_block_end, which waits while the world is stopped: the thread that has stopped
   it may want class_mutex. */
void
class_state_wait(struct thread *self)
{
    struct vm *vm = self->vm;

    thread_block_begin(self);
    pthread_cond_wait(&vm->class_changed, &vm->class_mutex.m);
    mutex_unlock(&vm->class_mutex);
    thread_block_end(self);
    mutex_lock(&vm->class_mutex);
}

void
class_state_changed(struct vm *vm)
{
    pthread_cond_broadcast(&vm->class_changed);
}

enum { BY_OTHERS = false, BY_SELF = true };

/* Returns a load of the same loader and name as like, by the thread, or, if by_self is
   false, by any other one; NULL if there is none. */
static struct load *
find_load(struct vm *vm, const struct load *like, struct thread *by, bool by_self)
{
    for (struct load *at = vm->loads; at; at = at->next)
        if (at->loader == like->loader && at->name == like->name
            && (at->thread == by) == by_self)
            return at;
    return NULL;
}

/* Returns the load that the thread has begun last, which is the one it is busy with. */
static struct load *
newest_load(struct vm *vm, const struct thread *by)
{
    struct load *at = vm->loads;

    while (at && at->thread != by)
        at = at->next;
    return at;
}

/* Returns true if self would wait for itself if it waited for the load other: goes from
   the thread of other to the load that this thread waits for, and so on.  The end is a
   thread that does not wait, or self.  There is no circle without self, since each
   thread has made this test before it waited. */
static bool
would_deadlock(struct vm *vm, struct load *other, struct thread *self)
{
    while (other) {
        struct load *waiting = newest_load(vm, other->thread);

        if (other->thread == self)
            return true;
        other = waiting ? waiting->waits_for : NULL;
    }
    return false;
}

/* The test repeats after each wait, since a third thread may have begun the same load.
   mine is the load that self is busy with; that it waits is written there for the
   would_deadlock of other threads.  A self without a load cannot be part of a
   circle. */
bool
load_begin(struct thread *self, struct load *load, bool wait)
{
    struct vm *vm = self->vm;
    struct load *mine, *other;
    bool good;

    load->thread = self;
    mutex_lock(&self->vm->class_mutex);
    mine = newest_load(vm, self);
    good = !find_load(vm, load, self, BY_SELF);
    while (good && wait && (other = find_load(vm, load, self, BY_OTHERS)) != NULL) {
        good = !would_deadlock(vm, other, self);
        if (mine)
            mine->waits_for = other;
        if (good)
            class_state_wait(self);
        if (mine)
            mine->waits_for = NULL;
    }
    if (good) {
        load->next = vm->loads;
        vm->loads = load;
    }
    mutex_unlock(&self->vm->class_mutex);
    return good || THROW(self, ClassCircularityError, "%s", load->name->bytes);
}

/* Those who wait for this load must not refer to it any more: it lies on the stack of a
   function that returns now.  They are woken and look again. */
void
load_end(struct thread *self, struct load *load)
{
    struct vm *vm = self->vm;
    struct load **at = &vm->loads;
    LOCK(&self->vm->class_mutex);

    while (*at != load)
        at = &(*at)->next;
    *at = load->next;
    for (struct load *other = vm->loads; other; other = other->next)
        if (other->waits_for == load)
            other->waits_for = NULL;
    class_state_changed(vm);
}

bool
load_is_recursive(struct thread *self, const struct loader *l,
                  const struct symbol *name)
{
    struct load like = { .loader = (struct loader *)(uintptr_t)l, .name = name };
    LOCK(&self->vm->class_mutex);

    return find_load(self->vm, &like, self, BY_SELF) != NULL;
}
