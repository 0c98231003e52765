/* SPDX-License-Identifier: MIT */
/*
 * layer/page.h -- memory on pages of their own, which nobody can use any more once it was
 * given back: what does so all the same is told of.
 */
#ifndef LAYER_PAGE_H
#define LAYER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/stack.h"

/* Get ready; the VM has its handler of SIGSEGV already. */
void page_start(void);
/* So many bytes on a page of their own; NULL if that is too much, or there is none. */
void *page_new(size_t size);
/* Did page_new give the memory, or what it is in? */
bool page_is_ours(const void *memory);
/* Give it back: `function` is what the agent got it from, and `freed` where it has given it
   back. */
void page_free(void *memory, const char *function, const struct stack *freed);
/* The same of what was shown to the agent: `function` is what it was an argument of, which
   has returned. */
void page_hide(void *memory, const char *function);
/* Tell of uses since the last call; quick if there are none. */
void page_tell(void);
/* How many uses have not been told yet: for the report of a crash. */
int page_untold(void);

#endif
