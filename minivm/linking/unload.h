/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/unload.h -- what classes keep alive, and their unloading (JLS 12.7).
 *
 * The collector finds the mirrors of dead classes.  They are unlinked from their
 * loaders in the same stop, and freed by the next collection, when no garbage object is
 * left whose header names them.
 */

#ifndef MINIVM_LINKING_UNLOAD_H
#define MINIVM_LINKING_UNLOAD_H

struct class;
struct vm;

/* Tells the heap which objects classes refer to and which mirrors are roots, and asks
   to be called by each collection. */
void unload_init(struct vm *vm);

/* Registers a function that is called for every class that is unloaded, before it is
   freed, while the world is stopped.  There is room for eight. */
void class_add_free_hook(void (*hook)(struct class *c));

#endif
