/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/stack.h -- what the chapters about threads and frames share. */

#ifndef MINIVM_JVMTI_STACK_H
#define MINIVM_JVMTI_STACK_H

#include "jvmti/env.h"
#include "vm/frame.h"

/* t is self, stopped or in a handshake in all of these. */
/* The frame at a depth, or NULL when there are not as many. */
struct frame *stack_frame_at(const struct thread *t, jint depth);
/* The same for asker; THREAD_NOT_SUSPENDED for another thread that runs, then
   NO_MORE_FRAMES. */
jvmtiError stack_frame_for(const struct thread *t, const struct thread *asker,
                           jint depth, struct frame **frame);
/* The depth of frame, -1 when it is none of t's (or NULL). */
jint stack_depth_of(const struct thread *t, const struct frame *frame);

/* Forget who wants to hear of frame's end. */
void jvmti_drop_pops_of(struct thread *t, const struct frame *frame);

/* Keep the objects of the live threads, or of those in group. */
jvmtiError jvmti_keep_threads(struct thread *self, const struct object *group);

#endif
