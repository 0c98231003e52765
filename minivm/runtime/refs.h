/* SPDX-License-Identifier: MIT */
/* minivm/runtime/refs.h -- references as foreign code holds them (JNI "Global and Local
 * References").
 *
 * Foreign code never sees the address of an object, only a reference: the address of a
 * slot that holds the object's address.  The two low bits of a reference say of which
 * kind it is.  Slots of local references lie in a table of the thread, in the arguments
 * of a native frame (the interpreter passes the addresses of the operands), or in that
 * frame's aux.  Slots of global and of weak references lie in two tables of the VM.
 *
 * This module owns the tables.  It enumerates the references as roots of the collector
 * and clears weak ones whose object has died.  The JNI, the interpreter's calls of
 * native methods and JVM TI's callbacks use it.  A thread uses only its own local
 * references; the tables of the VM have a mutex. */

#ifndef MINIVM_RUNTIME_REFS_H
#define MINIVM_RUNTIME_REFS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/ref_table.h"

struct frame;
struct object;
struct thread;
struct vm;

/* A jobject; this floor does not see jni.h. */
typedef void *ref;

enum ref_tag { REF_LOCAL = 0, REF_WEAK = 1, REF_GLOBAL = 2, REF_TAGS = 3 };

/* A native method that is under way.  This is on the C stack of the interpreter.  Local
   references that are newer than refs belong to the method, unless a newer native
   method has them. */
struct native_invocation {
    struct native_invocation *older;
    const struct frame *frame; /* on the Java stack */
    struct ref_frame refs;
    /* An exception that Java threw was caught: for JVM TI "Exception Catch". */
    bool has_caught;

    /* The rest is for -Xcheck:jni. */

    /* The JNI function after which nobody has asked for an exception yet, or NULL. */
    const char *unchecked;
    /* Critical sections that the method is in (JNI "GetPrimitiveArrayCritical"). */
    uint32_t criticals;
    /* How many local references it may have (JNI "EnsureLocalCapacity"). */
    size_t capacity;
};

/* The capacity without EnsureLocalCapacity. */
enum { LOCAL_CAPACITY = 16 };

/* Returns r's object.  NULL for NULL and for a weak reference whose object has died. */
static inline struct object *
ref_get(ref r)
{
    return r ? *(struct object **)((uintptr_t)r & ~(uintptr_t)REF_TAGS) : NULL;
}

static inline enum ref_tag
ref_tag(ref r)
{
    return (enum ref_tag)((uintptr_t)r & REF_TAGS);
}

/* ---- local references: all functions take the calling thread ---- */

/* Returns a new local reference in the newest frame.  NULL when o is NULL, and NULL
   with OutOfMemoryError pending when there is no memory. */
ref ref_new_local(struct thread *self, struct object *o);

/* Deletes r (JNI "DeleteLocalRef").  Does nothing when r is no reference of the table,
   for example an argument of the native method. */
void ref_delete_local(struct thread *self, ref r);

/* Returns whether r is a local slot of self that was given and not deleted. */
bool ref_is_local(const struct thread *self, ref r);

/* Returns how many local references the native method that runs holds. */
size_t ref_live(const struct thread *self);

/* Begins a frame around a call of foreign code; the caller keeps what it returns and
   hands it to ref_frame_end.  Calls nest. */
struct ref_frame ref_frame_begin(struct thread *self);

/* Deletes all references that are newer than the frame, and ends frames that foreign
   code has pushed since then and has not popped. */
void ref_frame_end(struct thread *self, struct ref_frame frame);

/* JNI "PushLocalFrame".  False when there is no memory; no exception is pending
   then. */
bool ref_push_frame(struct thread *self);

/* JNI "PopLocalFrame".  False when no frame was pushed in the current native method. */
bool ref_pop_frame(struct thread *self);

/* ---- global and weak references ---- */

/* Returns a new reference of the kind tag, REF_GLOBAL or REF_WEAK.  NULL when o is
   NULL, and NULL with OutOfMemoryError pending when there is no memory. */
ref ref_new_shared(struct thread *self, struct object *o, enum ref_tag tag);
#define ref_new_global(self, o) ref_new_shared((self), (o), REF_GLOBAL)
#define ref_new_weak(self, o) ref_new_shared((self), (o), REF_WEAK)

/* Deletes r, which is of the kind tag; does nothing when it was deleted already.  Any
   thread may call this, in any state, as long as the world cannot be collected
   meanwhile. */
void ref_delete_shared(struct vm *vm, ref r, enum ref_tag tag);
#define ref_delete_global(vm, r) ref_delete_shared((vm), (r), REF_GLOBAL)
#define ref_delete_weak(vm, r) ref_delete_shared((vm), (r), REF_WEAK)

/* Returns whether r is a global or weak slot that was given and not deleted. */
bool ref_is_valid_global(struct vm *vm, ref r);

/* ---- life ---- */

/* Makes the VM's tables and registers them with the heap. */
void refs_init(struct vm *vm);

/* Frees the local references of t, which ends: it runs no more and is in no list. */
void refs_release_thread(struct thread *t);

#endif
