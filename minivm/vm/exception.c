/* SPDX-License-Identifier: MIT */
/* minivm/vm/exception.c -- throwing from C, and what a stack trace holds.
 *
 * Throwable.backtrace is an Object[2]: a long[] with a code version's address and
 * a bytecode index for each frame, and an Object[] of the frames' classes, which
 * keeps them from being unloaded. */

#include "vm/exception.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/above.h"
#include "vm/link.h"
#include "vm/module.h"
#include "vm/string.h"
#include "vm/vm.h"

/* ---- throwing ---- */

void
throw_object(struct thread *self, struct object *exception)
{
    self->exception = exception;
}

/* A new throwable with a message: runs no constructor but what super() would do,
   fillInStackTrace.  The JDK's own constructors have no other effect for the
   classes that the VM throws; those that have are made by calling them. */
static struct object *
make_throwable(struct thread *self, struct class *c, const char *message)
{
    struct vm *vm = self->vm;
    SCOPE(self);

    if (!class_initialize(self, c))
        return NULL;
    struct object *text = NULL;
    if (message) {
        text = keep(self, string_from_utf8(self, message));
        if (!text)
            return NULL;
    }
    struct object *e = keep(self, object_new(self, c));
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

/* Before the first classes are there, an error about them is more than what could be
   made of it: its class or String may be missing. */
static char first_error[512];
static const char *last_class;         /* that was asked for */

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

/* Are the classes there that every exception is made of? */
static bool
can_throw(const struct vm *vm)
{
    return KC(vm, Object) && KC(vm, Class) && KC(vm, String) && KC(vm, Throwable);
}

struct class *
error_class(struct thread *self, enum known_class which)
{
    struct class *c = self->vm->known.classes[which];
    /* An error about the error's own class must not ask for it again: a class library
       that is cut off has neither. */
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

void *
throw_class_caused(struct thread *self, struct class *c, struct object *cause,
                   const char *format, ...)
{
    char *message = NULL;
    struct object *e;
    va_list args;
    SCOPE(self);

    /* Once: it frees what the format says so of. */
    if (format) {
        va_start(args, format);
        message = text_vprintf(format, args);
        va_end(args);
    }
    if (vm_get_phase(self->vm) <= VM_PHASE_PRIMORDIAL)
        note_first(c, message);
    if (!c || !can_throw(self->vm)) {
        mem_free(message);
        return NULL;
    }
    keep(self, cause);
    self->exception = NULL;
    e = keep(self, make_throwable(self, c, message));
    mem_free(message);
    if (!e)
        return NULL; /* what went wrong instead is pending */
    if (cause)
        REF_FIELD(self->vm, e, Throwable_cause) = cause;
    self->exception = e;
    return NULL;
}

/* When the VM starts no error is prepared yet; it is the end if none can be made. */
static _Noreturn void
end_start(const char *error)
{
    printf("Error occurred during initialization of VM\n%s\n", error);
    exit(1);
}

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
    SCOPE(self);

    if (!prepared)
        return throw_early(self, what);
    self->exception = NULL;
    /* A copy has a stack trace; without memory for one, the original. */
    if (!self->throwing_out_of_memory) {
        self->throwing_out_of_memory = true;
        fresh = keep(self, object_clone(self, prepared));
        self->exception = NULL;
        if (fresh)
            exception_fill_in(self, fresh);
        self->throwing_out_of_memory = false;
    }
    self->exception = fresh ? fresh : prepared;
    return NULL;
}

void *
throw_stack_overflow(struct thread *self)
{
    union slot *red = self->stack_red;
    char *c_limit = self->c_stack_limit;

    /* The reserve is for making the error: its class is initialized at start-up.  But
       making it may fail so often that the reserve is used up, too. */
    if (red == self->stack_end) {
        if (!self->vm->stack_overflow)
            end_start("java.lang.StackOverflowError");
        self->exception = self->vm->stack_overflow;
        return NULL;
    }
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

void
throw_wrapped(struct thread *self, enum known_class which,
              enum known_method constructor)
{
    struct object *thrown = self->exception, *wrapper;
    SCOPE(self);

    if (thrown == NULL || object_is_instance(thrown, KC(self->vm, Error)))
        return;
    keep(self, exception_take(self));
    wrapper = keep(self, object_new_known(self, which));
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

const char *
own(struct texts *t, char *text)
{
    t->at = mem_realloc(t->at, (t->count + 1) * sizeof *t->at);
    return t->at[t->count++] = text;
}

/* ---- boxes ---- */

static const struct {
    char type;
    enum known_class class;
    enum known_field value;
} boxes[] = {
    { 'Z', KNOWN_CLASS_Boolean, KNOWN_FIELD_Boolean_value },
    { 'B', KNOWN_CLASS_Byte, KNOWN_FIELD_Byte_value },
    { 'C', KNOWN_CLASS_Character, KNOWN_FIELD_Character_value },
    { 'S', KNOWN_CLASS_Short, KNOWN_FIELD_Short_value },
    { 'I', KNOWN_CLASS_Integer, KNOWN_FIELD_Integer_value },
    { 'J', KNOWN_CLASS_Long, KNOWN_FIELD_Long_value },
    { 'F', KNOWN_CLASS_Float, KNOWN_FIELD_Float_value },
    { 'D', KNOWN_CLASS_Double, KNOWN_FIELD_Double_value },
};

enum { BOX_COUNT = sizeof boxes / sizeof *boxes };

#define LOAD(type) __atomic_load_n((const type *)place, __ATOMIC_SEQ_CST)
#define STORE(type, value) __atomic_store_n((type *)place, (type)(value), __ATOMIC_SEQ_CST)

union slot
value_load(const void *place, char type)
{
    union slot value = { .bits = 0 };

    switch (type) {
    case 'Z': value.i = LOAD(uint8_t) != 0; break;
    case 'B': value.i = LOAD(int8_t); break;
    case 'C': value.i = LOAD(uint16_t); break;
    case 'S': value.i = LOAD(int16_t); break;
    case 'I': case 'F': value.i = LOAD(int32_t); break;
    default: value.j = LOAD(int64_t); break;
    }
    return value;
}

void
value_store(void *place, char type, union slot value)
{
    switch (type) {
    case 'Z': STORE(int8_t, value.i & 1); break;
    case 'B': STORE(int8_t, value.i); break;
    case 'C': case 'S': STORE(int16_t, value.i); break;
    case 'I': case 'F': STORE(int32_t, value.i); break;
    default: STORE(int64_t, value.j); break;
    }
}

struct object *
box_value(struct thread *self, char type, union slot value)
{
    const struct known *known = &self->vm->known;

    for (unsigned i = 0; i < BOX_COUNT; i++) {
        if (boxes[i].type != type)
            continue;
        struct object *o = object_new_known(self, boxes[i].class);
        if (o)
            value_store(object_at(o, known->fields[boxes[i].value]), type, value);
        return o;
    }
    return THROW(self, InternalError, "cannot box type '%c'", type);
}

char
unbox_value(const struct vm *vm, const struct object *box, union slot *value)
{
    for (unsigned i = 0; box && i < BOX_COUNT; i++) {
        if (object_class(box) != vm->known.classes[boxes[i].class])
            continue;
        *value = value_load(object_at(box, vm->known.fields[boxes[i].value]),
                            boxes[i].type);
        return boxes[i].type;
    }
    return 0;
}
