/* SPDX-License-Identifier: MIT */
/* minivm/vm/above.h -- what vm calls and a higher floor defines. */

#ifndef MINIVM_VM_ABOVE_H
#define MINIVM_VM_ABOVE_H

#include "vm/class.h"

/*
 * Run m with args (arg_slots slots, receiver first; selected already, not by
 * vtable).  The result goes to *result (may be NULL for void).  Returns false
 * with the exception pending.  May stop and collect; args are kept alive.
 * interp defines it.
 */
bool java_call(struct thread *self, struct method *m, const union slot *args,
               union slot *result);

/* The bytecode index of internal instruction pc in code, where pc is the one
   after the instruction meant.  interp defines it. */
int32_t code_bci_before(const struct code *code, const union insn *pc);

/* Give a new code its first instruction (translate, native, abstract). interp. */
void code_prepare(struct code *code);

/* Free what interp hangs on code and pool.  interp defines it. */
void code_release(struct code *code);

/* Look a native method's function up (JNI naming, agents' libraries; prefixes) in
   the libraries of its class's loader.  NULL when absent, without exception.
   jni defines it. */
void *native_lookup(struct thread *self, struct method *m);

/*
 * Verify file as c's, which has no stack maps or whose stack maps failed at
 * version 50, with the JDK's libverify.  Answers what its
 * VerifyClassForMajorVersion does: 1 good, 0 VerifyError, 2 out of memory, 3
 * ClassFormatError, with text in message; or leaves an exception pending.  jdk
 * defines it.
 */
int class_verify_by_inference(struct thread *self, struct class *c,
                              const struct classfile *file, char *message, size_t size);

#endif
