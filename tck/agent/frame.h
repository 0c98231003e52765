/* SPDX-License-Identifier: MIT */
/* tck/agent/frame.h -- what the cases about frames and those about locals share. */
#ifndef TCK_AGENT_FRAME_H
#define TCK_AGENT_FRAME_H

#include "tck/lib/tck.h"

/*
 * A suspended thread in a method of tck.Frames: its launch() says which for the letter.  The
 * case is skipped where none can be suspended, and NULL returned; NULL fails it otherwise.
 * The reference is local to the case.
 */
jthread in_frames(struct tck *t, char which);

/* What the float or double that a tck.Stage computed came to at its end. */
jdouble double_result(struct tck *t, jthread thread);

#endif
