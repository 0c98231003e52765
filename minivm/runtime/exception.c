/* SPDX-License-Identifier: MIT */
/* minivm/runtime/exception.c -- throwing from C.
 *
 * An exception is made as Java would: an object is allocated, and its constructor is
 * called, which records the stack trace (backtrace.c).
 *
 * Three errors must be thrown when there is nothing left to make them of.
 * OutOfMemoryError has prepared objects, one per message; while there is memory, a copy
 * with a stack trace is thrown instead.  StackOverflowError gets a reserve of the Java
 * stack.  And before the first classes are there, nothing is thrown, but the text of
 * the first error is kept: exception_first. */

#include "runtime/exception.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "linking/initialize.h"
#include "linking/message.h"
#include "linking/module.h"
#include "runtime/above.h"
#include "runtime/backtrace.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- throwing ---- */

void
throw_object(struct thread *self, struct object *exception)
{
    self->exception = exception;
}

/*
 * Returns a new throwable with the message (NULL: none), or NULL with an exception
 * pending.  Its class's constructor () is called when there is no message, else, or
 * when there is none of that kind, its constructor (String).  A class with neither gets
 * what the constructor of Throwable would do.
 */
static struct object *
make_throwable(struct thread *self, struct class *c, const char *message)
{
    struct vm *vm = self->vm;
    HANDLE_SCOPE(self);

    if (!class_initialize(self, c))
        return NULL;
    struct object *text = NULL;
    if (message) {
        text = handle_new(self, string_from_utf8(self, message));
        if (!text)
            return NULL;
    }
    struct object *e = handle_new(self, object_new(self, c));
    if (!e)
        return NULL;
    const struct symbol *init = symbol_of("<init>");
    union slot args[2] = { { .ref = e }, { .ref = text } };
    struct method *m = message ? NULL : class_own_method(c, init, symbol_of("()V"));
    if (!m)
        m = class_own_method(c, init, symbol_of("(Ljava/lang/String;)V"));
    if (m)
        return java_call(self, m, args, NULL) ? e : NULL;
    REF_FIELD(vm, e, Throwable_detailMessage) = text;
    REF_FIELD(vm, e, Throwable_cause) = e;
    exception_fill_in(self, e);
    return e;
}

/* The first error before Java code could run.  It tells more than what could be made of
   it: the class of the exception or String may be missing.  Global, since a VM is about
   to fail that nobody can ask any more. */
static char first_error[512];

/* The class that error_class was asked for last, as a name for first_error when that
   class could not be loaded.  Global for the same reason. */
static const char *last_class;

/* Keeps the text if it is the first one.  c is NULL if the class of the error could not
   be loaded. */
static void
note_first(const struct class *c, const char *message)
{
    const char *name = c ? c->name->bytes : last_class;

    if (first_error[0] == '\0')
        snprintf(first_error, sizeof first_error, "%s%s%s", name ? name : "error",
                 message ? ": " : "", message ? message : "");
}

const char *
exception_first(void)
{
    return first_error;
}

/* Returns whether the classes are there that every exception is made of. */
static bool
can_throw(const struct vm *vm)
{
    return KC(vm, Object) && KC(vm, Class) && KC(vm, String) && KC(vm, Throwable);
}

/* last_class and is_looking are for the start, while classes may be missing. */
struct class *
error_class(struct thread *self, enum known_class which)
{
    struct class *c = self->vm->known.classes[which];
    /* To load the class may fail, which throws an error of the same class: in a class
       library that is cut off there is none.  Then we do not ask for it again. */
    static _Thread_local bool is_looking;

    if (c)
        return c;
    last_class = self->vm->profile->class_names[which];
    if (is_looking || !can_throw(self->vm))
        return NULL;
    is_looking = true;
    c = known_class(self, which);
    is_looking = false;
    return c;
}

/* In the phases up to the primordial one the text is also kept by note_first, in case
   the VM fails to start.  The cause is stored in the field directly, since few
   constructors take one. */
void *
throw_class_caused(struct thread *self, struct class *c, struct object *cause,
                   const char *format, ...)
{
    char *message = NULL;
    struct object *e;
    va_list args;
    HANDLE_SCOPE(self);

    if (format) {
        va_start(args, format);
        message = message_vprintf(format, args);
        va_end(args);
    }
    if (vm_get_phase(self->vm) <= VM_PHASE_PRIMORDIAL)
        note_first(c, message);
    if (!c || !can_throw(self->vm)) {
        mem_free(message);
        return NULL;
    }
    handle_new(self, cause);
    self->exception = NULL;
    e = handle_new(self, make_throwable(self, c, message));
    mem_free(message);
    if (!e)
        return NULL; /* what went wrong instead is pending */
    if (cause)
        REF_FIELD(self->vm, e, Throwable_cause) = cause;
    self->exception = e;
    return NULL;
}

/* While the VM starts, no error is prepared yet.  If none can be made either, the
   process ends here, with HotSpot's message. */
static _Noreturn void
end_start(const char *error)
{
    printf("Error occurred during initialization of VM\n%s\n", error);
    exit(1);
}

/* Throws OutOfMemoryError before there are prepared ones.  If String is not loaded, or
   if making the error runs out of memory again, nothing is left but to end the
   process. */
static void *
throw_early(struct thread *self, const char *what)
{
    if (self->throwing_out_of_memory || !KC(self->vm, String))
        end_start("java.lang.OutOfMemoryError");
    self->throwing_out_of_memory = true;
    THROW(self, OutOfMemoryError, "%s", what);
    self->throwing_out_of_memory = false;
    return NULL;
}

void *
throw_out_of_memory(struct thread *self, const char *what)
{
    struct vm *vm = self->vm;
    struct object *prepared = strcmp(what, "Java heap space") == 0
                                  ? vm->out_of_memory_heap
                              : strncmp(what, "Requested array", 15) == 0
                                  ? vm->out_of_memory_array
                                  : vm->out_of_memory_metaspace;
    struct object *fresh = NULL;
    HANDLE_SCOPE(self);

    if (!prepared)
        return throw_early(self, what);
    self->exception = NULL;
    /* The copy has a stack trace.  If there is no memory for one, or we are at it
       already, the prepared object is thrown itself. */
    if (!self->throwing_out_of_memory) {
        self->throwing_out_of_memory = true;
        fresh = handle_new(self, object_clone(self, prepared));
        self->exception = NULL;
        if (fresh)
            exception_fill_in(self, fresh);
        self->throwing_out_of_memory = false;
    }
    self->exception = fresh ? fresh : prepared;
    return NULL;
}

void *
throw_array_index(struct thread *self, const struct object *array, int32_t index)
{
    return THROW(self, ArrayIndexOutOfBoundsException,
                 "Index %d out of bounds for length %d", index, array_length(array));
}

void *
throw_stack_overflow(struct thread *self)
{
    union slot *red = self->stack_red;
    char *c_limit = self->c_stack_limit;

    /* The error is made on the reserve; its class is initialized at start-up.  Here the
       reserve is in use already: to make the error overflowed the stack, too. */
    if (red == self->stack_end) {
        if (!self->vm->stack_overflow)
            end_start("java.lang.StackOverflowError");
        self->exception = self->vm->stack_overflow;
        return NULL;
    }
    /* Calls may use the reserve, and all of the C stack, while the error is made.
       limit is the same as stack_red, unless it is NULL because of hooks, and then
       stays NULL. */
    self->stack_red = self->stack_end;
    self->c_stack_limit = NULL;
    if (self->limit)
        self->limit = self->stack_red;
    THROW0(self, StackOverflowError);
    self->stack_red = red;
    self->c_stack_limit = c_limit;
    if (self->limit)
        self->limit = red;
    return NULL;
}

/* If the wrapper cannot be made, or its constructor throws, that is pending. */
void
throw_wrapped(struct thread *self, enum known_class which,
              enum known_method constructor)
{
    struct object *thrown = self->exception, *wrapper;
    HANDLE_SCOPE(self);

    if (thrown == NULL || object_is_instance(thrown, KC(self->vm, Error)))
        return;
    handle_new(self, exception_take(self));
    wrapper = handle_new(self, object_new_known(self, which));
    if (wrapper == NULL)
        return;
    union slot args[2] = { { .ref = wrapper }, { .ref = thrown } };
    if (java_call(self, self->vm->known.methods[constructor], args, NULL))
        self->exception = wrapper;
}

void
texts_release(struct texts *t)
{
    while (t->count > 0)
        mem_free(t->at[--t->count]);
    mem_free(t->at);
}

/* NULL is kept in the list, too: mem_free takes it. */
const char *
own(struct texts *t, char *text)
{
    t->at = mem_realloc(t->at, (t->count + 1) * sizeof *t->at);
    return t->at[t->count++] = text;
}
