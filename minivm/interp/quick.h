/* SPDX-License-Identifier: MIT */
/* minivm/interp/quick.h -- quick forms of instructions, once resolved. */

#ifndef MINIVM_INTERP_QUICK_H
#define MINIVM_INTERP_QUICK_H

#include "interp/insn.h"
#include "vm/thread.h"

/* Turn the field access in unit[0] (slots set) into its quick form for f, which is not
   watched and whose offset has 16 bits; statics get unit[1] too. */
void quick_field(const struct field *f, bool put, union insn unit[2]);

/* Store a quickened instruction over the one at pc, second unit first. */
void quick_store(union insn *pc, union insn first, uint64_t second);

/*
 * The slow paths of _Q instructions: resolve what pc names and rewrite it.  False
 * with the exception pending.  The frame's pc is exact.
 */
bool quick_ldc(struct thread *self, struct frame *fp, union insn *pc);
/* *again: another thread rewrote it meanwhile; nothing was done. */
bool quick_field_access(struct thread *self, struct frame *fp, union insn *pc,
                        bool *again);
bool quick_invoke(struct thread *self, struct frame *fp, union insn *pc);
bool quick_new(struct thread *self, struct frame *fp, union insn *pc);
bool quick_type(struct thread *self, struct frame *fp, union insn *pc);

/* Field accesses that are looked at each time: watched, final, huge, or while the
   class is being initialized.  Does the access. */
bool slow_field_access(struct thread *self, struct frame *fp, const union insn *pc);

#endif
