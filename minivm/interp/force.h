/* SPDX-License-Identifier: MIT */
/* minivm/interp/force.h -- frames that are left before their time: JVM TI "Pop Frame"
 * and "Force Early Return".
 *
 * A request only notes the frame (thread.forced_frame); its thread leaves it when it
 * goes on, before any other instruction of it: behind every slow path of the loop, at
 * polls, in events and in front of handlers. */

#ifndef MINIVM_INTERP_FORCE_H
#define MINIVM_INTERP_FORCE_H

#include "vm/thread.h"

/* Can f not be left, or its locals not be set, at this place?  It is native, has no
   bytecode, or C code runs in place of it. */
bool frame_is_opaque(const struct frame *f);

/*
 * Ask t, which is self or in a handshake, to leave its newest frame: to run its
 * caller's invoke again with the arguments as they are now; or with value, which has
 * the result's type.  False when that cannot be done, or another request waits.
 */
bool force_again(struct thread *t);
bool force_return(struct thread *t, union slot value);

/*
 * The listeners have been told and thread_must_leave(self): leave the newest frame.
 * With *again its caller is on top then, its pc at the invoke; otherwise *value is the
 * result, if the method has one.  The request is done with, as is a pending exception.
 */
void force_take(struct thread *self, bool *again, union slot *value);
/* The whole of it, events and monitors too: the frame that goes on at its pc; NULL with
   an exception of a listener pending in the frame. */
struct frame *force_leave(struct thread *self);

/* Is an object of class c good for a variable of the type text, as l sees it?  With
   is_loose, as far as the verifier would see to it: interfaces take every object, and
   so does a class that l has not met. */
bool type_takes(struct loader *l, const char *text, size_t length, struct class *c,
                bool is_loose);

#endif
