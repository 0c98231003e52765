/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/vtable.h -- building the vtable of a new class (JVMS 5.4.5).
 *
 * A struct class ends with its vtable, so the table is built before the struct is
 * allocated, and its length tells the size.  Only make.c calls this.
 */

#ifndef MINIVM_LINKING_VTABLE_H
#define MINIVM_LINKING_VTABLE_H

#include "linking/class.h"

/* A class that is about to be made, and its vtable. */
struct vtable_maker {
    /* What the caller fills in. */
    struct thread *self;
    struct loader *loader;
    struct package *package;
    const struct classfile *file;
    struct class *super;    /* NULL: the class is java.lang.Object */
    struct method *methods; /* in the order of the file's */
    /* The table, which the caller frees (mem_free), also when vtable_make fails; NULL
       before. */
    struct method **slots;
    uint32_t length;
};

/*
 * Builds the vtable of a class that is no interface: k->slots and k->length, and
 * vtable_index in the methods that get a slot.  Returns false with
 * IncompatibleClassChangeError pending if a method overrides a final one.
 */
bool vtable_make(struct vtable_maker *k);

#endif
