/* SPDX-License-Identifier: MIT */
/* minivm/jni/entry.h -- how foreign code's calls come into the VM, the JNI table, and
 * native method lookup.
 *
 * Every JNI and JVM_ function begins with VM_ENTRY(env): the thread is IN_VM until
 * the function returns, and what it keeps is let go then.  A result that is a
 * reference is made with ref_new_local before. */

#ifndef MINIVM_JNI_ENTRY_H
#define MINIVM_JNI_ENTRY_H

#include <stddef.h>
#include <stdio.h>

#include <jni.h>

#include "vm/loader.h"
#include "vm/refs.h"
#include "vm/vm.h"

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

/* The loader of a java.lang.ClassLoader object; NULL is the boot loader. */
static inline struct loader *
ref_loader(jobject loader)
{
    return loader_of(the_vm, ref_get(loader));
}

/* A local reference to c's mirror; NULL for NULL. */
static inline jclass
class_ref(struct thread *self, const struct class *c)
{
    return c ? ref_new_local(self, c->layout.mirror) : NULL;
}

#define object_ref(self, o) ref_new_local((self), (o))

/* ---- the table and natives ---- */

/* Give the VM the table that all its threads have. */
void jni_init(struct vm *vm);
/* Copy it, and replace what is in it (JVM TI "JNI Function Interception"); callers
   keep others from writing meanwhile. */
void jni_table_read(struct JNINativeInterface_ *to);
void jni_table_write(const struct JNINativeInterface_ *from);

/* Statics by their ids: GetStaticMethodID and GetStaticFieldID have begun the class's
   initialization, so nobody waits for its end; ids of JVM TI come earlier. */
bool jni_begin_class(struct thread *self, struct class *c);

/* Has the array these elements?  False with ArrayIndexOutOfBoundsException pending. */
bool jni_region_fits(struct thread *self, const struct object *array, jsize start,
                     jsize count);

/* Call m with arguments out of an array; result may be NULL.  Exceptions stay
   pending.  is_virtual selects by the receiver's class. */
bool jni_call_method(struct thread *self, struct method *m, struct object *receiver,
                     const jvalue *args, bool is_virtual, union slot *result);

/* The Java methods that run, for messages; the end after one. */
void jni_print_stack(struct thread *self, FILE *to);
_Noreturn void jni_abort(struct thread *self);
/* The table for -Xcheck:jni. */
const struct JNINativeInterface_ *jni_checked_table(void);

/* Bind a native method; fn NULL unbinds. */
void native_bind(struct thread *self, struct method *m, void *fn);

/* Native methods are looked up in agents' libraries last; fn answers NULL when no
   agent has the name. */
void native_set_agent_lookup(void *(*fn)(const char *name));

/* The prefixes of JVM TI "Set Native Method Prefix" in the order in which they are
   applied; fn answers NULL when there are none, else copies that mem_free frees. */
void native_set_prefixes(char **(*fn)(size_t *count));
/* The method, own or inherited, that RegisterNatives means by a name: native, or else
   wrapped under prefixes; NULL when there is none. */
struct method *native_find_method(const struct class *c, const char *name,
                                  const char *descriptor);

/* The primitive types: X(Name, type, type of a variadic argument, jvalue member, slot
   member, descriptor). */
#define JNI_PRIMITIVES(X) \
    X(Boolean, jboolean, jint, z, i, 'Z') X(Byte, jbyte, jint, b, i, 'B') \
    X(Char, jchar, jint, c, i, 'C') X(Short, jshort, jint, s, i, 'S') \
    X(Int, jint, jint, i, i, 'I') X(Long, jlong, jlong, j, j, 'J') \
    X(Float, jfloat, jdouble, f, f, 'F') X(Double, jdouble, jdouble, d, d, 'D')

#endif
