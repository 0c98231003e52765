/* SPDX-License-Identifier: MIT */
/* layer/block.h -- the blocks of memory that agents have from JVM TI. */
#ifndef LAYER_BLOCK_H
#define LAYER_BLOCK_H

#include "layer/check.h"

/* A block that the agent has.  Addresses are kept inverted: the search for pointers at the
   exit must not find ours. */
struct block {
    uintptr_t hidden;
    size_t size;                /* 0: unknown, and the memory is the VM's */
    size_t extent;              /* as far as it is known: size, or what members point to */
    struct interpose_env *env;
    const char *function, *param;
    struct stack stack;
    bool is_taken;              /* out of the table, after block_list_last */
    struct block *next;
};

/* Add a block that a call has given in this parameter. */
void block_add(const struct interpose_call *call, const char *param, void *address,
               size_t size);
/* Take it out of the table; NULL if it is not there.  It goes to block_free. */
struct block *block_take(const void *address);
/* NULL is fine. */
void block_free(struct block *block);
/* Copy the block that an address is in the middle of; false if there is none. */
bool block_find_around(uintptr_t address, struct block *copy);
/* Those of an environment, or of all for NULL, in an array that is the caller's to free,
   and their number.  NULL if memory is short. */
const struct block **block_list(const struct interpose_env *env, size_t *count);
/* The same of all blocks, at the exit, while threads of agents may run still: the rows stay
   from here on. */
const struct block **block_list_last(size_t *count);
/* Is it in the table still? */
bool block_is_there(const struct block *block);
/* Tell of what was written before the beginning or behind the end of a block, unless it was
   taken out since block_list_last. */
void block_check_last(const struct block *block);
/* The same of a block that the caller has taken. */
void block_check(const struct block *block);

/* result.c: the results of a call become blocks. */
void result_adopt(const struct interpose_call *call);

#endif
