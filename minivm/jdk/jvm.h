/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm.h -- what the sources of this folder share.
 *
 * The class library reaches the VM in three ways, and this folder has the VM's side of
 * each:
 *
 * - JVM_ functions: the JDK's own libraries (libjava, libzip, libverify and others)
 * import them from libjvm (symbol version SUNWprivate_1.1).  Their names and types are
 * the JDK's.  Nobody else calls them, so no header declares them; what one does is said
 * at its definition.  They take and return JNI references, begin with VM_ENTRY
 * (jni/entry.h), and may stop, collect and run Java code if they have a JNIEnv.
 * - Natives of java.base that are C bodies (interp/interp.h): they work on slots,
 * without JNI references.  natives.c registers them.
 * - The table of functions that libmanagement asks for (jmm.h), and the listener for
 * tools of other processes (attach.h).
 *
 * Functions with a struct thread *self may stop at a safepoint and collect, which moves
 * nothing but frees what no handle, frame or static field refers to: an object that is
 * needed longer has a handle (handle_new), which lives until the caller's handle scope
 * ends.  They report an error by a pending exception, and NULL or false. */

#ifndef MINIVM_JDK_JVM_H
#define MINIVM_JDK_JVM_H

#include "base/mem.h"
#include "base/os.h"
#include "interp/interp.h"
#include "jni/entry.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "threads/thread_list.h"

/* ---- java.c: making objects; each result has a handle in the caller's scope ---- */

/* The C body of natives that have nothing to do here, such as registerNatives. */
intrinsic_fn native_nothing;

/*
 * Returns a new object of c, which it initializes; NULL with an exception pending.  c
 * may be NULL with an exception pending already, so that calls can be nested.
 */
struct object *java_new(struct thread *self, struct class *c);

/*
 * Returns a new array of length elements of the class element, which may be NULL as
 * above.
 */
struct object *java_new_array(struct thread *self, struct class *element,
                              size_t length);

/* Stores o in array, which is one of references; returns false if o is NULL. */
bool java_array_store(struct object *array, size_t index, struct object *o);

/*
 * Returns a new object of c, made by the constructor with that descriptor; NULL with an
 * exception pending.  args[0] is for the object, the arguments stand behind it.
 */
struct object *java_construct(struct thread *self, struct class *c,
                              const char *descriptor, union slot *args);

/*
 * Returns an array, of elements of the class element, of the objects that self has made
 * handles for since self->handle_count was mark.  Returns NULL with an exception
 * pending, also one that was pending before.
 */
struct object *array_from_handles(struct thread *self, struct class *element,
                                  size_t mark);

/* Returns a String[] of the strings that self has made handles for since
   self->handle_count was mark; NULL as array_from_handles. */
static inline struct object *
strings_from_handles(struct thread *self, size_t mark)
{
    return array_from_handles(self, KC(self->vm, String), mark);
}

/*
 * Makes the named module and what it requires part of the boot layer; it was not
 * resolved at the start when nothing required it.  False with an exception pending.
 */
bool java_load_module(struct thread *self, const char *name);

/* ---- threads ---- */

/* Returns true if t is a thread that Java code may see. */
static inline bool
thread_is_visible(const struct thread *t)
{
    return !t->is_hidden && t->object;
}

/* Returns true if t is a platform thread that Java code may see: the class library's
   lists of threads have no virtual ones. */
static inline bool
thread_is_listed(const struct thread *t)
{
    return thread_is_visible(t) && !thread_object_is_virtual(t->vm, t->object);
}

/* The end of PINNED. */
static inline void
unpin_thread(struct thread **t)
{
    if (*t)
        thread_unpin(*t);
}

/*
 * Declares t, the live thread of the java.lang.Thread thread_object, or NULL if it has
 * ended or was not started, and keeps it from being freed until the block ends.
 */
#define PINNED(t, self, thread_object) \
    struct thread *t __attribute__((cleanup(unpin_thread))) = \
        (thread_object) ? thread_pin((self)->vm, (thread_object)) : NULL

/* ---- jvm_thread.c: stack traces ---- */

struct stack_trace {
    struct stack_trace_frame {
        struct method_version *version;
        int32_t bci;
    } * frames; /* newest first; mem_free; NULL: there was no memory */
    size_t count;
};

enum { WITHOUT_HIDDEN_FRAMES = false, WITH_HIDDEN_FRAMES = true };

/*
 * Fills trace with the frames of methods from top on, at most limit; with_hidden: also
 * those that stack traces hide.  Their thread must not run meanwhile: it is self, in a
 * handshake with self, a picture, or the world is stopped.
 * Makes a handle of self for each frame's class, so that the method versions stay.
 * Collects nothing.
 */
void stack_trace_capture(struct thread *self, const struct frame *top, size_t limit,
                         bool with_hidden, struct stack_trace *trace);

/* Returns trace as a StackTraceElement[]; NULL with an exception pending. */
struct object *stack_trace_elements(struct thread *self,
                                    const struct stack_trace *trace);

/* ---- jvm_array.c: conversions that reflection does ---- */

/*
 * Widens *value from one primitive type to another (JLS 5.1.2), given by descriptor
 * characters; false with IllegalArgumentException pending when that is no widening.
 */
bool widen_value(struct thread *self, union slot *value, char from, char to);

/*
 * Stores the primitive in box, widened to the type to, in *value; false with
 * IllegalArgumentException pending, also when box is NULL or no box.
 */
bool unbox_widened(struct thread *self, const struct object *box, char to,
                   union slot *value);

/* ---- natives, each table with the classes that they belong to ---- */

extern const struct intrinsic handle_natives[], perf_natives[], unsafe_natives[],
    unsafe_access_natives[], continuation_natives[], virtual_thread_natives[];

/*
 * Runs body, which accesses memory at an address from Java that may be any number; a
 * mapped file may also have shrunk meanwhile.  When the access faults, body is left,
 * and the result is false with InternalError pending (unsafe_access.c).
 */
bool unsafe_guard(struct thread *self, union slot *args, intrinsic_fn *body);

/*
 * Makes the MemberName name stand for m, called on an instance of m's class
 * (handle_natives.c).  False with an exception pending.
 */
bool member_name_fill(struct thread *self, struct object *name, struct method *m);

/* Returns a new ResolvedMethodName of m, without a handle; NULL with an exception
   pending. */
struct object *resolved_method_name(struct thread *self, struct method *m);

/* Returns MemberName.flags of m but for the kind of reference: its access flags, what it
   is, and its annotations. */
int32_t member_name_flags(const struct method *m);

/*
 * Makes the counters' file, or memory of the process where there can be none, and adds
 * the counters that the JDK's tools ask for (perf.c).  vm->options are complete,
 * vm->heap exists.
 */
void perf_init(struct vm *vm);

/* ---- signals.c ---- */

/*
 * Makes the dispatcher act as if the signal had come; nothing happens with -Xrs.  It is
 * a signal handler, too, so any thread may call it at any time.
 */
void signals_notify(int number);

/* ---- management_thread.c ---- */

/*
 * Returns the Thread that owns o; NULL if o is no ownable synchronizer
 * (java.util.concurrent.locks.AbstractOwnableSynchronizer), or free.  o may be NULL.
 */
struct object *exclusive_owner(const struct vm *vm, const struct object *o);

/* ---- jvm_stack.c ---- */

/*
 * Reflection.getCallerClass, whose frame must be self's newest one, and whose caller
 * must be marked as caller-sensitive.  Returns the class that called that caller, with
 * frames of reflection left out; NULL when there is none, as below JNI, or with
 * InternalError pending when the caller is not marked.
 */
struct class *caller_class(struct thread *self);

#endif
