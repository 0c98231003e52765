/* SPDX-License-Identifier: MIT */
/* minivm/vm/exception.h -- throwing, and stack traces (JLS 11).
 *
 * A thrown exception is self->exception until somebody handles or clears it.  A C
 * function that fails returns NULL/false with it set and throws nothing over it. */

#ifndef MINIVM_VM_EXCEPTION_H
#define MINIVM_VM_EXCEPTION_H

#include "vm/thread.h"
#include "vm/wellknown.h"

/* Throw a new exception; format is text_printf's with standard UTF-8 (NULL: no
   message); cause may be NULL.  Always leaves something pending; c NULL: what is.
   Nothing while the first classes are missing, see exception_first.  All
   that return void * answer NULL, for the function to return that fails:
   return THROW(…); */
void *throw_class_caused(struct thread *self, struct class *c, struct object *cause,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
#define throw_class(self, c, ...) throw_class_caused((self), (c), NULL, __VA_ARGS__)
/* The same of a well-known class. */
#define throw_caused(self, which, cause, ...) \
    throw_class_caused((self), error_class((self), (which)), (cause), __VA_ARGS__)
#define throw_new(self, which, ...) throw_caused((self), (which), NULL, __VA_ARGS__)
/* A well-known class of errors; NULL with the error pending. */
struct class *error_class(struct thread *self, enum known_class which);
/* What was thrown first before Java code could run, or "". */
const char *exception_first(void);
/* Make this one pending. */
void throw_object(struct thread *self, struct object *exception);
/* THROW(self, NullPointerException, "…"). */
#define THROW(self, name, ...) throw_new((self), KNOWN_CLASS_##name, __VA_ARGS__)
#define THROW0(self, name) throw_new((self), KNOWN_CLASS_##name, NULL)

void *throw_out_of_memory(struct thread *self, const char *what);
void *throw_stack_overflow(struct thread *self);
/* What a bootstrap method or a class initializer threw, which is pending: an Error
   stays, all else is wrapped in an error of that class (JVMS 5.4.3.6, 5.5). */
void throw_wrapped(struct thread *self, enum known_class which,
                   enum known_method constructor);

/*
 * Texts of a message, freed when the block ends that has TEXTS:
 *     TEXTS(t);
 *     THROW(self, LinkageError, "library %s", own(&t, name_of(l)));
 */
struct texts {
    char **at;
    size_t count;
};
void texts_release(struct texts *t);
/* Take text, which is mem_alloc'd. */
const char *own(struct texts *t, char *text);
#define TEXTS(t) struct texts t __attribute__((cleanup(texts_release))) = { 0 }

static inline bool
exception_pending(const struct thread *self)
{
    return __builtin_expect(self->exception != NULL, 0);
}

/* Take the pending exception off the thread (NULL when none). */
static inline struct object *
exception_take(struct thread *self)
{
    struct object *e = self->exception;
    self->exception = NULL;
    return e;
}

/* Throwable.fillInStackTrace: records frames (without those of the exception's own
   constructors, hidden frames, and reflection as HotSpot does). */
void exception_fill_in(struct thread *self, struct object *throwable);
int32_t exception_depth(struct thread *self, struct object *throwable);
/* Fills StackTraceElement objects of the array from the backtrace. */
bool exception_elements(struct thread *self, struct object *throwable,
                        struct object *elements);
/* The newest recorded frame; false when there is none, or its method is hidden. */
bool exception_top(const struct vm *vm, const struct object *throwable,
                   struct code **code, int32_t *bci);
/* Set one StackTraceElement from a code version and bytecode index. */
bool exception_element(struct thread *self, struct object *element, struct code *code,
                       int32_t bci);
/* "\tat Class.method(module@version/File.java:12)\n", as in a stack trace. */
struct buf;
void code_print(struct buf *out, const struct code *code, int32_t bci);
/* "Exception in thread …" the way the VM prints when nobody else can. */
void exception_print(struct thread *self, struct object *throwable);

/* A new java.lang.Integer etc. (java.lang.invoke's and reflection's boxing), by
   descriptor character; NULL with an exception pending. */
struct object *box_value(struct thread *self, char type, union slot value);
/* The primitive in a box: its descriptor character, or 0 when it is none. */
char unbox_value(const struct vm *vm, const struct object *box, union slot *value);
/* A field or array element of that type (Z B C S I J F D L), as if it were volatile. */
union slot value_load(const void *place, char type);
void value_store(void *place, char type, union slot value);

/* JEP 358: the text of a NullPointerException at that place, or NULL; mem_free. */
char *helpful_null_message(const struct code *code, int32_t bci);

#endif
