/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/debugging.h -- breakpoints, watched fields, and the on-stack
 * replacement that both need.  JVM TI is their only user.
 *
 * Watching costs nothing while nobody watches.  A breakpoint is a mark in the debug
 * translation of a method version (translation.h), which runs only where something
 * wants it; a watched field is accessed by instructions that look each time, instead
 * of quickened ones.  Either change moves the frames that run already to the
 * translation that is right from then on.
 */

#ifndef MINIVM_INTERP_DEBUGGING_H
#define MINIVM_INTERP_DEBUGGING_H

#include "linking/class.h"
#include "threads/thread.h"

/* What came of setting or clearing a breakpoint or a field watch. */
enum watch_change {
    WATCH_CHANGED,
    WATCH_UNCHANGED,   /* it was set, or was not set, already */
    WATCH_NO_BYTECODE, /* no bytecode begins at that index */
    WATCH_NO_MEMORY    /* nothing was changed */
};

/*
 * Sets or clears the breakpoint at a bytecode of version, which has bytecode.  The
 * first breakpoint of a version stops the world, so that running frames meet it, too;
 * self is in the VM and holds no lock.  Breakpoints stay as long as the version does.
 */
enum watch_change version_change_breakpoint(struct thread *self,
                                            struct method_version *version,
                                            uint32_t bci, bool set);
/* Clears all breakpoints in all versions of the methods of c, as redefinition of a
   class does (JVM TI "Redefine Classes").  Takes the class mutex. */
void class_clear_breakpoints(struct thread *self, struct class *c);

/*
 * Sets or clears a watch of f; kind is FIELD_WATCH_ACCESS or FIELD_WATCH_MODIFICATION.
 * From now on every access by bytecode reports it, also of methods that run already.
 * Stops the world; self is in the VM and holds no lock.
 */
enum watch_change field_change_watch(struct thread *self, struct field *f,
                                     unsigned kind, bool set);

/*
 * On-stack replacement: lets t's frames (of version only, or of all if that is NULL)
 * go on in the debug translation where something wants it, and in the newest normal
 * translation otherwise.  t is self, or stopped, or in a handshake.  Makes
 * translations where they are missing; returns false when memory was short and some
 * frames stayed as they were.
 */
bool frames_replace_translation(struct thread *t, const struct method_version *only);

/* The same for all threads and all unmounted continuations.  The world is stopped. */
bool frames_replace_all(struct vm *vm, const struct method_version *only);

#endif
