/* SPDX-License-Identifier: MIT */
/* minivm/runtime/above.h -- what the middle floor calls and a higher floor defines.
 *
 * Linking runs class initializers, exceptions run constructors, loading runs class
 * loaders: all need the interpreter, which is built upon them.  These declarations are
 * the only ones that go upwards.  The functions are called directly, so a program that
 * links the middle floor defines them, too (minivm/test/world.c does for unit
 * tests). */

#ifndef MINIVM_RUNTIME_ABOVE_H
#define MINIVM_RUNTIME_ABOVE_H

#include "linking/class.h"

struct vm;

/* ---- defined by interp ---- */

/*
 * Runs m with the arguments args: as many slots as its descriptor says, the receiver
 * first.  m is the method to run; it is not selected by the receiver's class.  Stores
 * the result in *result, which may be NULL for void.  Returns false with the exception
 * pending.  Stops and collects; the objects in args are kept alive meanwhile.
 */
bool java_call(struct thread *self, struct method *m, const union slot *args,
               union slot *result);

/* Returns the index of the bytecode that a frame of version with the saved pc, tags
   included (frame.h), is at: in front of it if PC_AT_START is set, otherwise in it.  0 if
   pc is in none of the version's translations, as before the first instruction.  Neither
   stops nor collects.  interp/bci_map.c defines it. */
int32_t version_bci_before(const struct method_version *version, const union insn *pc);

/* Gives a new method version its first instruction word: one that translates the method
   when it is called, or calls its native function, or throws: AbstractMethodError for a
   method without a body, NoSuchMethodError for a deleted one (METHOD_DELETED, which is
   set before). */
void version_prepare(struct method_version *version);

/* Frees the translations of the version.  No frame runs it; its start still points into
   them, so it is prepared again (version_prepare) unless it is freed itself. */
void version_release(struct method_version *version);

/* Tells that an agent has changed the class file of c, from the load on or by a new
   version: if c is one of the class library's whose methods C bodies call, or would call
   if they were bytecode, only bytecode runs from now on (interp/intrinsics.c).  Takes the
   class mutex; neither stops nor collects. */
void intrinsics_class_changed(struct vm *vm, const struct class *c);

/* ---- defined by jni ---- */

/* Returns the function of a native method by the names of JNI "Resolving Native Method
   Names", with the prefixes that agents have set, from the libraries of the loader of
   m's class; NULL when there is none, or with an exception pending that the lookup's
   Java code has thrown.  Runs Java code; may stop and collect. */
void *native_lookup(struct thread *self, struct method *m);

/* ---- defined by jdk ---- */

/*
 * Verifies file as the class file of c by type inference (JVMS 4.10.2), which the JDK's
 * libverify does: c has no stack maps, or they have failed and c is of version 50.
 * Returns what libverify's VerifyClassForMajorVersion does: 1 for a good class, 0 for
 * VerifyError, 2 for OutOfMemoryError, 3 for ClassFormatError, with a text in message,
 * of at most size bytes; or leaves an exception pending.  Loads classes; stops and
 * collects.
 */
int class_verify_by_inference(struct thread *self, struct class *c,
                              const struct classfile *file, char *message, size_t size);

#endif
