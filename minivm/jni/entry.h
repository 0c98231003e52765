/* SPDX-License-Identifier: MIT */
/* minivm/jni/entry.h -- how foreign code's calls come into the VM.
 *
 * Every JNI and JVM_ function begins with VM_ENTRY(env): the thread is IN_VM until
 * the function returns, and what it keeps is let go then.  A result that is a
 * reference is made with ref_new_local before. */

#ifndef MINIVM_JNI_ENTRY_H
#define MINIVM_JNI_ENTRY_H

#include <stddef.h>

#include <jni.h>

#include "vm/refs.h"
#include "vm/vm.h"

#define JVM_EXPORT __attribute__((visibility("default")))

static inline struct thread *
env_thread(JNIEnv *env)
{
    return (struct thread *)((char *)env - offsetof(struct thread, jni));
}

static inline JNIEnv *
thread_env(struct thread *t)
{
    return (JNIEnv *)&t->jni;
}

static inline struct scope
vm_entry_begin(struct thread *self)
{
    thread_enter_vm(self);
    return scope_open(self);
}

static inline void
vm_entry_end(struct scope *entry)
{
    scope_close(entry);
    thread_leave_vm(entry->self);
}

/* Declares self. */
#define VM_ENTRY(env) \
    struct thread *self __attribute__((unused)) = env_thread(env); \
    struct scope entry_here __attribute__((cleanup(vm_entry_end), unused)) = \
        vm_entry_begin(self)

/* A parameter that foreign code passes and the VM does not need. */
#define UNUSED __attribute__((unused))

/* Functions that answer a value; that do so in the VM, where self is; that act. */
#define JVM_PLAIN(type, function, parameters, value) \
JNIEXPORT type JNICALL \
function parameters \
{ \
    return value; \
}
#define JVM_VALUE(type, function, parameters, value) \
JNIEXPORT type JNICALL \
function parameters \
{ \
    VM_ENTRY(env); \
    return value; \
}
#define JVM_ACTION(function, parameters, action) \
JNIEXPORT void JNICALL \
function parameters \
{ \
    VM_ENTRY(env); \
    action; \
}

/* The class of a jclass, which must be one. */
static inline struct class *
ref_class(jclass c)
{
    return class_of_mirror(ref_get(c));
}

/* A local reference to c's mirror; NULL for NULL. */
static inline jclass
class_ref(struct thread *self, const struct class *c)
{
    return c ? ref_new_local(self, c->layout.mirror) : NULL;
}

static inline jobject
object_ref(struct thread *self, struct object *o)
{
    return ref_new_local(self, o);
}

#endif
