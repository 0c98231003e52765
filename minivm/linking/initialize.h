/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/initialize.h -- initialization of classes (JVMS 5.5), and the lock
 * that lets one thread at a time link or initialize a class.
 */

#ifndef MINIVM_LINKING_INITIALIZE_H
#define MINIVM_LINKING_INITIALIZE_H

#include "linking/class.h"

/* Does what class_initialize does, for a class that is not initialized.  Callers use
   class_initialize. */
bool class_initialize_slow(struct thread *self, struct class *c);

/*
 * Links and initializes c, after its superclass and the superinterfaces that have
 * default methods.  Returns true at once if c is initialized, or if self is
 * initializing it.  If another thread is, waits for it.  Runs Java code; may stop and
 * collect.  Returns false with the error pending.
 */
static inline bool
class_initialize(struct thread *self, struct class *c)
{
    return class_is_initialized(c) || class_initialize_slow(self, c);
}

/*
 * Takes the initialization lock of c, of which there is one for each class, if c has
 * not reached state goal yet: CLASS_LINKED, or CLASS_INITIALIZED, for which the state
 * becomes CLASS_INITIALIZING.  Waits while another thread has the lock; self may stop
 * meanwhile. Returns true if self now has the lock and has to do the work, and then
 * calls init_unlock.  Returns false if there is nothing to do: c has reached goal, its
 * initialization has failed, or self has the lock already.
 */
bool init_lock(struct thread *self, struct class *c, enum class_state goal);

/* Releases the lock of init_lock, sets the state, and wakes the threads that wait. */
void init_unlock(struct thread *self, struct class *c, enum class_state state);

/*
 * Checks that c may have instances (JLS 8.1.1.1, JVMS 6.5 "new").  Returns false with
 * an exception pending if c is an interface, abstract, an array or primitive class, or
 * java.lang.Class: an InstantiationError or IllegalAccessError if error is true, else
 * the exception of that name.
 */
bool class_may_have_instances(struct thread *self, const struct class *c, bool error);
enum { THROW_EXCEPTION = false, THROW_ERROR = true };

#endif
