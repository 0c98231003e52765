/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm.h -- what the natives of this floor share.
 *
 * The JVM_ functions are those that the JDK's own libraries import from the VM
 * (SUNWprivate_1.1).  Their names and types are the JDK's; what they do is said where
 * the class library's documentation does not.  Nobody else calls them, so that no
 * header declares them. */

#ifndef MINIVM_JDK_JVM_H
#define MINIVM_JDK_JVM_H

#include "base/mem.h"
#include "base/os.h"
#include "interp/interp.h"
#include "jni/entry.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

/* The head of a native's body in C (interp/interp.h), which may need self or not. */
#define NATIVE(name) \
    static bool \
    name(struct thread *self UNUSED, union slot *args UNUSED)

/* One that only calls what throws or not. */
#define NATIVE_CALL(name, call) \
NATIVE(name) \
{ \
    return call; \
}

/* The body of natives that have nothing to do here, as registerNatives. */
intrinsic_fn native_nothing;

/* ---- java.c: objects and calls; results are kept by the caller's scope, NULL and
   false mean that an exception is pending ---- */

/* A new object of c, initialized before; an array of elements of that class.  NULL
   also when c is NULL. */
struct object *java_new(struct thread *self, struct class *c);
/* Resolve a module that nobody has required. */
bool java_load_module(struct thread *self, const char *name);
struct object *java_new_array(struct thread *self, struct class *element,
                              size_t length);

/* Store o in array; false when o is NULL. */
bool java_put(struct object *array, size_t index, struct object *o);

/* A new object of c, made by its constructor; args[0] is left for it. */
struct object *java_construct(struct thread *self, struct class *c,
                              const char *descriptor, union slot *args);

/* An array of what was kept since handle_count was mark; NULL with an exception
   pending, which may be older. */
struct object *java_kept(struct thread *self, struct class *element, size_t mark);
#define java_kept_strings(self, mark) java_kept((self), KC((self)->vm, String), (mark))

/* Is t one that Java code knows? */
static inline bool
thread_is_visible(const struct thread *t)
{
    return !t->is_hidden && t->object;
}

/* Declares t, the live thread of a java.lang.Thread, or NULL, for this block. */
static inline void
unpin_thread(struct thread **t)
{
    if (*t)
        thread_unpin(*t);
}

#define PINNED(t, self, thread_object) \
    struct thread *t __attribute__((cleanup(unpin_thread))) = \
        (thread_object) ? thread_pin((self)->vm, (thread_object)) : NULL

/* ---- jvm_thread.c: stack traces ---- */

struct trace {
    struct trace_place {
        struct code *code;
        int32_t bci;
    } *places;                     /* mem_free; NULL: there was no memory */
    size_t count;
};

/* The newest frames of t, which does not run meanwhile; self keeps their classes. */
void trace_take(struct thread *self, const struct thread *t, size_t limit,
                struct trace *trace);
/* The same as StackTraceElement[]. */
struct object *trace_elements(struct thread *self, const struct trace *trace);

/* ---- jvm_array.c: conversions that reflection does ---- */

/*
 * Widen *value from one primitive type to another (JLS 5.1.2), by descriptor
 * character; false with IllegalArgumentException pending when that is no widening.
 */
bool widen_value(struct thread *self, union slot *value, char from, char to);
/* The primitive in a box that is wanted as type to: as above, and for null. */
bool unbox_widened(struct thread *self, const struct object *box, char to,
                   union slot *value);

/* ---- natives of one class (natives.c registers them) ---- */

extern const struct intrinsic handle_natives[], perf_natives[], unsafe_natives[];

/* Make a MemberName stand for m, reached by an instance of m's class (fill_method of
   MethodHandleNatives).  False with the exception pending. */
bool member_name_fill(struct thread *self, struct object *name, struct method *m);

/* Make the counters' file, or memory of our own where there can be none, and add the
   counters that the JDK's tools ask for.  vm->options are complete, vm->heap exists. */
void perf_init(struct vm *vm);

/* ---- jvm_class.c, jvm_stack.c ---- */

/* Reflection.getClassAccessFlags: what the class file says of the class itself. */
jint class_access_flags(const struct class *c);

/* The class that called the method that called Reflection.getCallerClass, which is
   the top frame; NULL without one, or with an exception pending. */
struct class *caller_class(struct thread *self);

#endif
