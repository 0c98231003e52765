/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/layout.h -- the offsets of fields (layout.c explains how).
 *
 * Called while a class is made, when its struct has its fields and its superclass, and
 * before anybody else sees it.  The lists of reference runs come from the class's
 * arena.  Nothing here stops, collects or fails.
 */

#ifndef MINIVM_LINKING_LAYOUT_H
#define MINIVM_LINKING_LAYOUT_H

#include "linking/class.h"

struct vm;

/*
 * Gives the instance fields of c their offsets, behind those of c->super, which has
 * been laid out.  Sets the size of instances and the reference runs in c->layout, and
 * c->instance_end, where the fields of subclasses begin.  number is that of a
 * well-known class (known_number), or negative: the VM adds fields to some of them.
 */
void class_lay_out_instance(struct vm *vm, struct class *c, int number);

/* Gives the static fields of c their offsets, which lie behind the fields of
   java.lang.Class in the mirror: so that class has to be laid out. */
void class_lay_out_statics(struct vm *vm, struct class *c);

#endif
