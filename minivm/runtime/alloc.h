/* SPDX-License-Identifier: MIT */
/* minivm/runtime/alloc.h -- objects for Java.
 *
 * The heap (heap/heap.h) only says that it is full.  Here its allocation becomes
 * Java's:  when there is no room, the world is stopped and collected, once more with
 * soft references cleared, and then OutOfMemoryError is thrown.  So all that makes an
 * object may stop, collect and run agents' code (JVM TI "Sampled Object Allocation"),
 * and returns NULL with the exception pending when it fails.  New objects are
 * zeroed. */

#ifndef MINIVM_RUNTIME_ALLOC_H
#define MINIVM_RUNTIME_ALLOC_H

#include "runtime/wellknown.h"

struct vm;

/* Returns a new instance of c, which is not abstract, and which the caller has
   initialized or is going to initialize. */
struct object *object_new(struct thread *self, struct class *c);

/* Returns a new instance of a well-known class, which is loaded and initialized first.
   NULL with the exception of that pending, too. */
struct object *object_new_known(struct thread *self, enum known_class which);

/* Returns a new array of the array class c; length is not negative. */
struct object *array_new(struct thread *self, struct class *c, int32_t length);

/* Returns a new array of the array class c; NULL with NegativeArraySizeException
   pending for a length below 0. */
struct object *array_new_checked(struct thread *self, struct class *c, int32_t length);

/*
 * Returns a new array of arrays (JVMS 6.5 "multianewarray").  c is the array class,
 * counts has the lengths of its outer dimensions, as many as dimensions says.  All
 * counts are checked before anything is allocated.
 */
struct object *array_new_multi(struct thread *self, struct class *c, int dimensions,
                               const union slot *counts);

/* Returns a new array of primitives by the character of their type in descriptors: 'B',
   'I' and so on. */
struct object *array_new_primitive(struct thread *self, char type, int32_t length);

/* Object.clone: returns a copy of an array or of an instance of Cloneable; for others
   throws CloneNotSupportedException. */
struct object *object_clone(struct thread *self, struct object *o);

/* Returns a new java.lang.Class object for c, with room for c's static fields.  It is
   not yet linked with c. */
struct object *mirror_new(struct thread *self, struct class *c);

/* Finalizer.register(o): when the constructor of Object returns, or o is a clone (JLS
   12.6).  False with an exception pending. */
bool object_register_finalizer(struct thread *self, struct object *o);

/* Reports JVM TI "VM Object Allocation" for o, which a method without bytecode has
   made.  Returns o, with a handle in the caller's scope.  NULL is reported as
   nothing. */
struct object *object_made_by_vm(struct thread *self, struct object *o);

/* System.identityHashCode: never 0.  It is made of the address, since objects do not
   move. */
int32_t object_identity_hash(const struct object *o);

/* Stops the world and collects; cause is a string constant for the log.  clear_soft:
   all soft references are cleared, too.  Sends the events of the collection, unless
   self had stopped the world before. */
void vm_collect(struct thread *self, const char *cause, bool clear_soft);
enum { KEEP_SOFT_REFERENCES = false, CLEAR_SOFT_REFERENCES = true };

/* Sends the events that a collection leaves for the time when the world goes on (JVM TI
   "Object Free", and ClassUnload); runs agents' code.  A thread that has collected
   while it had the world stopped calls this when it has let the world go on: an agent's
   callback may wait for another thread, which could not run before.  Does nothing while
   self has the world stopped, or is in a transition of a virtual thread. */
void vm_send_collection_events(struct thread *self);

/* Waits, BLOCKED, until the collector has found references for the ReferenceHandler
   (heap_get_and_clear_pending). */
void vm_await_pending(struct thread *self);

#endif
