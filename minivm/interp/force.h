/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/force.h -- frames that are left before their time: JVM TI "Pop Frame"
 * and "Force Early Return".
 *
 * A request only notes the frame in struct thread (forced_frame).  Its thread leaves
 * the frame when it goes on, before any other instruction of it: behind every slow
 * path of the loop, at polls, in events and in front of handlers, wherever it sees
 * that thread_must_leave(self) holds.  Only the newest frame can be left, and one
 * request can wait at a time.
 */

#ifndef MINIVM_INTERP_FORCE_H
#define MINIVM_INTERP_FORCE_H

#include "threads/thread.h"

/* Returns true if f cannot be left, and its locals cannot be set, where it is: it is
   native, has no bytecode, or C code runs in its place (JVMTI_ERROR_OPAQUE_FRAME). */
bool frame_is_opaque(const struct frame *f);

/*
 * Ask t, which is self, or stopped, or in a handshake, to leave its newest frame.
 * force_pop: and to run the caller's call again, with the arguments as they are now.
 * force_return: as if the method returned value, which has its return type. Return
 * false, and ask nothing, if that cannot be done or another request waits.
 */
bool force_pop(struct thread *t);
bool force_return(struct thread *t, union slot value);

/*
 * The second half, when thread_must_leave(self): takes the request, and forgets a
 * pending exception.  If *again is set, the newest frame is popped, and its caller is
 * on top with its pc at the call.  Otherwise *value is the result, if the method has
 * one, and the frame is yet to be popped.
 */
void force_take(struct thread *self, bool *again, union slot *value);
/*
 * To be called only while thread_must_leave(self) is true of the newest frame.  Leaves
 * that frame, with everything that belongs to it: events, monitors, the
 * result in its place.  Returns the frame that goes on at its pc; NULL if a listener
 * threw, with that exception pending in the frame, which is still on top.
 */
struct frame *force_leave(struct thread *self);

#endif
