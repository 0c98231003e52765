/* SPDX-License-Identifier: MIT */
/* layer/source.h -- frames as the agent's author knows them: files and lines, without what
 * helpers do in between: libtiforge, the C library, the headers' functions in C++. */
#ifndef LAYER_SOURCE_H
#define LAYER_SOURCE_H

#include "layer/stack.h"

/* Add the file and the line to the frames of the stack in one library, the first one's, as
   far as it has tables of lines: a path from the working folder on where the file is below
   that, else the whole one. */
void source_add_lines(const struct stack *stack, struct frame_text *texts, int count);
/* How many of the innermost frames are helpers', linked to the agent or into it; 0 if all
   of them are. */
int source_helpers(const struct frame_text *texts, int count);
/* What to tell of the helper that the agent's line has called, or NULL: nothing. */
const char *source_through(const struct frame_text *helper);
/* The innermost frame of a stack that is no helper's; the innermost one if all are,
   and 0 if there is none.  One thread at a time. */
uintptr_t source_place(const struct stack *stack);

#endif
