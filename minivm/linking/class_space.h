/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/class_space.h -- the memory of struct class.
 *
 * An object's header names its class by 32 bits, so every struct class has to lie below
 * 4 GiB.  This module reserves one range of addresses there when the VM starts, and
 * gives out zeroed blocks of it.  Only make.c allocates and frees.  All functions take
 * class_mutex; none stops or collects.
 */

#ifndef MINIVM_LINKING_CLASS_SPACE_H
#define MINIVM_LINKING_CLASS_SPACE_H

#include <stdbool.h>
#include <stddef.h>

struct vm;

/* Reserves the range: 512 MiB, or what the system grants.  Ends the process with a
   message when there is no address space below 4 GiB at all. */
void class_space_init(struct vm *vm);

/* Returns size zeroed bytes, aligned to a cache line, or NULL when the space is
   full. */
void *class_space_alloc(struct vm *vm, size_t size);

/* Gives back a block of class_space_alloc; size is what was asked for. */
void class_space_free(struct vm *vm, void *block, size_t size);

/* Returns true if address may be the start of a block that was ever given out.  Takes
   no lock: it is for checks while the world is stopped. */
bool class_space_has(const struct vm *vm, const void *address);

#endif
