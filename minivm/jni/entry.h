/* SPDX-License-Identifier: MIT */
/* minivm/jni/entry.h -- how calls of native code come into the VM by JNI, and what the
 * files of this folder share.
 *
 * A JNIEnv is the address of a member of the calling thread (struct thread.jni), which
 * points to the table of functions (table.c).  So a function finds its thread from its
 * first argument, without a thread-local variable.
 *
 * The functions are jni_<Name>; each begins with VM_ENTRY(env): the thread is in the VM
 * until the function returns.  The handles that it makes are released then.  A result
 * that is a reference is a local reference, made with ref_new_local.  A function that
 * throws leaves the exception pending for native code to find.  Since a thread may stop
 * when it enters the VM and when it leaves it, other threads may have collected
 * meanwhile.
 *
 * The JVM_ functions, which the native code of the class library calls (minivm/jdk),
 * begin in the same way.
 *
 * With -Xcheck:jni the table has other functions, which check their arguments first and
 * then call these (check.c). */

#ifndef MINIVM_JNI_ENTRY_H
#define MINIVM_JNI_ENTRY_H

#include <stddef.h>
#include <stdio.h>

#include <jni.h>

#include "base/buf.h"
#include "linking/loader.h"
#include "runtime/refs.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* Returns the thread that a JNIEnv belongs to; see above. */
static inline struct thread *
env_thread(JNIEnv *env)
{
    return (struct thread *)((char *)env - offsetof(struct thread, jni));
}

/* Returns t's JNIEnv. */
static inline JNIEnv *
thread_env(struct thread *t)
{
    return (JNIEnv *)&t->jni;
}

/* The beginning of VM_ENTRY. */
static inline struct handle_scope
vm_entry_begin(struct thread *self)
{
    thread_enter_vm(self);
    return handle_scope_open(self);
}

/* The end of VM_ENTRY, which the compiler calls wherever the function returns. */
static inline void
vm_entry_end(struct handle_scope *entry)
{
    handle_scope_close(entry);
    thread_leave_vm(entry->self);
}

/* Declares self, the calling thread, and moves it into the VM until the function
   returns. */
#define VM_ENTRY(env) \
    struct thread *self __attribute__((unused)) = env_thread(env); \
    struct handle_scope entry_here \
        __attribute__((cleanup(vm_entry_end), unused)) = vm_entry_begin(self)

/* A parameter of a function of a specification that the VM does not need. */
#define UNUSED __attribute__((unused))

/* Returns the class of a jclass, which must be a reference to a java.lang.Class. */
static inline struct class *
ref_class(jclass c)
{
    return class_of_mirror(ref_get(c));
}

/* Returns the loader of a java.lang.ClassLoader object; NULL is the boot loader. */
static inline struct loader *
ref_loader(jobject loader)
{
    return loader_of(the_vm, ref_get(loader));
}

/* Returns a local reference to c's mirror; NULL for NULL, or with OutOfMemoryError
   pending. */
static inline jclass
class_ref(struct thread *self, const struct class *c)
{
    return c ? ref_new_local(self, c->layout.mirror) : NULL;
}

/* Returns a local reference to o; NULL for NULL, or with OutOfMemoryError pending. */
#define object_ref(self, o) ref_new_local((self), (o))

/* ---- the table ---- */

/* Sets vm->jni_functions, the table that the VM's threads point to. */
void jni_init(struct vm *vm);
/* Copies the table, and replaces the pointers in it (JVM TI "JNI Function
   Interception").  Both tables have jni_table_length pointers, as JNI has it in the
   release that the VM serves.  The caller sees to it that no other thread writes at the
   same time; threads may be calling through the table. */
size_t jni_table_length(const struct vm *vm);
void jni_table_read(const struct vm *vm, void **to);
void jni_table_write(const struct vm *vm, void *const *from);
/* The table for -Xcheck:jni. */
const struct JNINativeInterface_ *jni_checked_table(void);

/* ---- values, calls and arrays ---- */

/* Returns the stack slot for a value of JNI, and the value for a slot.  kind is the
   first character of the type's descriptor: one of ZBCSIJFD, else a reference.  A
   boolean is 0 or 1 in both.  The second function makes a local reference of an object;
   it also takes V, which gives 0. */
union slot jni_slot_of_value(char kind, jvalue value);
jvalue jni_value_of_slot(struct thread *self, char kind, union slot slot);

/* Initializes the class of a static member that is used by its id.  The id comes from
   GetStaticMethodID or GetStaticFieldID, which have begun the initialization, or from
   JVM TI, where it may not have begun.  If another thread is at it, this does not wait
   for its end, and a class whose initializer has failed is used as it is.  Returns
   false with an exception pending. */
bool jni_begin_class(struct thread *self, struct class *c);

/* Calls m with arguments out of an array, whose references must be alive; result may be
   NULL.  With is_virtual the receiver's class selects the method; receiver is not
   looked at if m is static.  Returns false with an exception pending. */
bool jni_call_method(struct thread *self, struct method *m, struct object *receiver,
                     const jvalue *args, bool is_virtual, union slot *result);

/* Returns true if the array has count elements from start on; else false with
   ArrayIndexOutOfBoundsException pending. */
bool jni_region_fits(struct thread *self, const struct object *array, jsize start,
                     jsize count);

/* ---- the end by an error ---- */

/* Prints the Java methods that self runs, from the newest to the oldest. */
void jni_print_stack(struct thread *self, FILE *to);
/* Ends the process after an error of native code has been printed; calls the abort hook
   of the invocation interface first. */
_Noreturn void jni_abort(struct thread *self);

/* ---- native methods ---- */

/* Binds a native method to a function; NULL unbinds it.  Sends NativeMethodBind, whose
   callbacks may replace the function. */
void native_bind(struct thread *self, struct method *m, void *fn);

/* Sets the function that looks up native methods in agents' libraries, after all
   others.  fn returns NULL if no agent has a function of that name. */
void native_set_agent_lookup(void *(*fn)(const char *name));

/* Sets the function that returns the prefixes of JVM TI "Set Native Method Prefix" in
   the order in which they are applied, and their number: an array and strings that
   mem_free frees, or NULL if there are none. */
void native_set_prefixes(char **(*fn)(size_t *count));
/* Appends text, of which every character except letters and digits is escaped, to the
   name of a function (JNI "Resolving Native Method Names"); it is in modified UTF-8. */
void native_mangle(struct buf *out, const char *text, size_t length);
/* Returns the method that RegisterNatives means by a name, or NULL.  It is the class's
   own or inherited.  If the method of that name is not native, it may be the wrapper of
   one with prefixes, which is returned then. */
struct method *native_find_method(const struct class *c, const char *name,
                                  const char *descriptor);

#endif
