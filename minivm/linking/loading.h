/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/loading.h -- which classes are being loaded, and by whom (JVMS 5.3).
 *
 * A load in progress is a (loader, name) pair that one thread works on.  Recording them
 * finds classes that are their own superclass (JVMS 5.3.5, ClassCircularityError), lets
 * one thread at a time load a boot class, and keeps threads that wait for each other's
 * loads from doing so forever.  A struct load lies on the stack of its thread.
 *
 * The header also has the condition that goes with class_mutex: it is signalled when a
 * load, a redefinition, or the linking or initialization of a class has ended.
 */

#ifndef MINIVM_LINKING_LOADING_H
#define MINIVM_LINKING_LOADING_H

#include <stdbool.h>

struct class;
struct loader;
struct symbol;
struct thread;
struct vm;

struct load {
    struct loader *loader;
    const struct symbol *name;
    struct thread *thread;
    struct load *waits_for; /* another thread's load, or NULL */
    struct load *next;
};

/*
 * Records that self begins to load or define load->name by load->loader.  If wait is
 * true and another thread is at the same pair, waits for the end of that first; then
 * self may stop meanwhile.  Returns false with ClassCircularityError pending if self is
 * at that pair already or would wait for itself.
 */
bool load_begin(struct thread *self, struct load *load, bool wait);

/* Ends what load_begin has recorded, and wakes who waits for it. */
void load_end(struct thread *self, struct load *load);

/* Returns true if self is loading or defining name by l. */
bool load_is_recursive(struct thread *self, const struct loader *l,
                       const struct symbol *name);

/*
 * Waits until class_state_changed is called; may also return without that, so the
 * caller tests its condition in a loop.  class_mutex is held by the caller, released
 * while it waits, and held again on return.  The world may stop meanwhile.
 */
void class_state_wait(struct thread *self);

/* Wakes every thread in class_state_wait.  The caller holds class_mutex. */
void class_state_changed(struct vm *vm);

#endif
