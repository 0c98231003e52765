/* SPDX-License-Identifier: MIT */
/* minivm/vm/refs.h -- references as foreign code holds them (JNI "Global and Local
 * References").
 *
 * A reference is the address of a slot with the object; its low bits say what kind
 * it is.  Local slots are in chunks of the thread, in the arguments of a native
 * frame (the interpreter passes the addresses of the slots), or in its aux. */

#ifndef MINIVM_VM_REFS_H
#define MINIVM_VM_REFS_H

#include "vm/thread.h"

typedef void *ref;             /* jobject, without jni.h */

enum ref_tag { REF_LOCAL = 0, REF_WEAK = 1, REF_GLOBAL = 2, REF_TAGS = 3 };

/* The object; NULL for NULL and for a cleared weak reference. */
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

/* A new local reference in the newest local frame; NULL for NULL, and with
   OutOfMemoryError pending. */
ref ref_new_local(struct thread *self, struct object *o);
void ref_delete_local(struct thread *self, ref r);
/* Is r a local slot of self that was given and not deleted? */
bool ref_is_local(const struct thread *self, ref r);

/* Where the references of what self calls next begin. */
struct ref_mark ref_mark(struct thread *self);

/* A foreign function that a native frame is running: references newer than the mark
   are of that frame, unless they are of a newer one's. */
struct native_refs {
    struct native_refs *older;
    const struct frame *frame;
    struct ref_mark mark;
    bool has_caught;               /* an exception that Java threw; JVM TI */

    /* for -Xcheck:jni */
    const char *unchecked;         /* the call after which nobody asked for an exception */
    uint32_t criticals;            /* critical sections that it is in */
    size_t capacity;               /* of local references that it may have */
};
enum { LOCAL_CAPACITY = 16 };      /* without EnsureLocalCapacity */

/* The local references of the foreign function that runs. */
size_t ref_live(const struct thread *self);

/* Lets go of all that is newer. */
void ref_release(struct thread *self, struct ref_mark mark);

/* PushLocalFrame, PopLocalFrame; false when memory is short, or nothing to pop. */
bool ref_push_frame(struct thread *self);
bool ref_pop_frame(struct thread *self);

/* tag: REF_GLOBAL or REF_WEAK.  NULL with OutOfMemoryError pending when memory is
   short. */
ref ref_new_shared(struct thread *self, struct object *o, enum ref_tag tag);
#define ref_new_global(self, o) ref_new_shared((self), (o), REF_GLOBAL)
#define ref_new_weak(self, o) ref_new_shared((self), (o), REF_WEAK)
/* Any thread, any state that may not collect meanwhile. */
void ref_delete_shared(struct vm *vm, ref r, enum ref_tag tag);
#define ref_delete_global(vm, r) ref_delete_shared((vm), (r), REF_GLOBAL)
#define ref_delete_weak(vm, r) ref_delete_shared((vm), (r), REF_WEAK)
/* Is r a global or weak slot that was given and not deleted? */
bool ref_is_valid_global(struct vm *vm, ref r);

void refs_init(struct vm *vm);             /* roots and weak part */
void refs_release_thread(struct thread *t);

#endif
