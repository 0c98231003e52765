/* SPDX-License-Identifier: MIT */
/* layer/stack.h -- where in the agent's code something happened. */
#ifndef LAYER_STACK_H
#define LAYER_STACK_H

#include <stddef.h>
#include <stdint.h>

#define STACK_FRAMES 12

/* Return addresses, the innermost first, without those of the layer. */
struct stack {
    int count;
    uintptr_t frames[STACK_FRAMES];
};

/* Get ready: the first stack of a process loads a library. */
void stack_start(void);
/* The calling thread's stack. */
void stack_take(struct stack *stack);
/* The same, quicker where the same stack was taken before: `caller` is the return address
   into the agent and `place` an address in the frame that it called. */
void stack_take_at(struct stack *stack, const void *caller, const void *place);
/* The frame that many places from the innermost one, 0 behind those that a callback or a
   thread of the agent's began with. */
uintptr_t stack_place_frame(const struct stack *stack, int n);
/* Are so many of them the same?  Several, since agents have functions of their own that
   only call on to Allocate and the like. */
#define PLACE_FRAMES 4
_Bool stack_is_same_place(const struct stack *a, const struct stack *b);
/* How many bytes there are from an address in the calling thread's stack to the end of the
   frame that has it; 0 if it is in none, or that cannot be told.  `least` is how many are
   enough. */
size_t stack_room(const void *address, size_t least);
/* A frame as "function+0x12 (libagent.so+0x345)"; the name of its function alone, or of
   its library, are what suppressions compare with.  Frames of the VM and outside of it
   are none of the agent's: false. */
struct frame_text {
    char function[192], library[64], file[320], text[800];
    int line;                   /* with file, by source_add_lines; 0 if it is not known */
};
_Bool stack_frame(uintptr_t frame, struct frame_text *text);
/* The same for frames of any library. */
_Bool stack_frame_any(uintptr_t frame, struct frame_text *text);
/* Is it a frame of the layer? */
_Bool stack_is_own(uintptr_t frame);

#endif
