/* SPDX-License-Identifier: MIT */
/* minivm/runtime/exception.h -- throwing exceptions from C (JLS 11).
 *
 * A thrown exception is pending: it is self->exception until somebody handles or clears
 * it.  A C function that fails returns NULL or false with the exception pending; the
 * callers return likewise, and call nothing that takes `self` before (the interpreter,
 * or JNI, is where exceptions are handled).  To throw loads and initializes classes and
 * calls constructors, so the functions here stop and collect. */

#ifndef MINIVM_RUNTIME_EXCEPTION_H
#define MINIVM_RUNTIME_EXCEPTION_H

#include "runtime/wellknown.h"
#include "threads/handles.h"
#include "threads/thread.h"

/*
 * The functions below that return void * always return NULL, as the result of the
 * function that fails:
 *
 *     return THROW(self, IllegalArgumentException, "no class %s", name);
 */

/*
 * Throws a new exception of class c, in place of what is pending.  format is
 * message_printf's with standard UTF-8 (NULL: no message); cause may be NULL.
 * Something is pending afterwards: this exception, or what went wrong when it was
 * made.  When c is NULL, it could not be loaded, and what is pending stays.  While the
 * first classes are missing nothing is pending afterwards, but exception_first knows of
 * it.
 */
void *throw_class_caused(struct thread *self, struct class *c, struct object *cause,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
#define throw_class(self, c, ...) throw_class_caused((self), (c), NULL, __VA_ARGS__)

/* Throw a new exception of a well-known class (KNOWN_CLASS_LinkageError), which is
   loaded when it is not yet there; the rest is as for throw_class_caused. */
#define throw_caused(self, which, cause, ...) \
    throw_class_caused((self), error_class((self), (which)), (cause), __VA_ARGS__)
#define throw_new(self, which, ...) throw_caused((self), (which), NULL, __VA_ARGS__)

/* Throw a new exception of a well-known class without a cause; name is the class's
   alone, such as LinkageError.  THROW0 gives it no message.  Both have the value
   NULL. */
#define THROW(self, name, ...) throw_new((self), KNOWN_CLASS_##name, __VA_ARGS__)
#define THROW0(self, name) throw_new((self), KNOWN_CLASS_##name, NULL)

/* Returns a well-known class of errors, loaded when it is not yet there; NULL with the
   error pending. */
struct class *error_class(struct thread *self, enum known_class which);

/* Makes exception pending, in place of what is. */
void throw_object(struct thread *self, struct object *exception);

/* Throws an OutOfMemoryError with the message `what`; needs no memory once the VM has
   started.  diagnostics/exhausted.h is for memory that Java has used up. */
void *throw_out_of_memory(struct thread *self, const char *what);

/* Throws StackOverflowError; called when the Java stack or the C stack is used up. */
void *throw_stack_overflow(struct thread *self);

/* Throws ArrayIndexOutOfBoundsException with HotSpot's message. */
void *throw_array_index(struct thread *self, const struct object *array, int32_t index);

/* For what a bootstrap method or a class initializer has thrown, which is pending: an
   Error stays, anything else becomes the cause of a new error of class `which`, made by
   that constructor (JVMS 5.4.3.6, 5.5).  Nothing happens when nothing is pending. */
void throw_wrapped(struct thread *self, enum known_class which,
                   enum known_method constructor);

/* Returns the text of the first error that could not be thrown since the first classes
   were missing; or "".  It is valid for ever. */
const char *exception_first(void);

static inline bool
exception_pending(const struct thread *self)
{
    return __builtin_expect(self->exception != NULL, 0);
}

/* Returns the pending exception, which is not pending any more; NULL when there is
   none. */
static inline struct object *
exception_take(struct thread *self)
{
    struct object *e = self->exception;
    self->exception = NULL;
    return e;
}

/*
 * Allocated texts that the arguments of a message need.  They are freed at the end of
 * the block that has TEXTS:
 *
 *     TEXTS(t);
 *     THROW(self, LinkageError, "library %s", own(&t, name_of(library)));
 */
struct texts {
    char **at;
    size_t count;
};

#define TEXTS(t) struct texts t __attribute__((cleanup(texts_release))) = { 0 }

/* Takes over text, which is from mem_alloc or NULL, and returns it. */
const char *own(struct texts *t, char *text);

/* Frees the texts; TEXTS calls it. */
void texts_release(struct texts *t);

#endif
