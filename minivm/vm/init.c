/* SPDX-License-Identifier: MIT */
/* minivm/vm/init.c -- class initialization (JVMS 5.5). */

#include "base/mem.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/registry.h"
#include "vm/string.h"

/* ---- what is remembered of a failure ---- */

static struct object *
stack_trace_of(struct thread *self, struct object *thrown)
{
    struct method *m = KM(self->vm, Throwable_getStackTrace);
    union slot args = { .ref = thrown }, result = { .ref = NULL };

    if (!java_call(self, class_select(object_class(thrown), m), &args, &result))
        (void)exception_take(self);
    return result.ref;
}

static char *
describe_failure(struct thread *self, struct object *thrown)
{
    struct vm *vm = self->vm;
    struct object *message = REF_FIELD(vm, thrown, Throwable_detailMessage);
    struct object *thread = self->object;
    struct object *name = thread ? REF_FIELD(vm, thread, Thread_name) : NULL;
    TEXTS(t);

    return mem_printf("Exception %s%s%s [in thread \"%s\"]",
                      named(&t, object_class(thrown)), message ? ": " : "",
                      message ? own(&t, string_to_utf8(message)) : "",
                      name ? own(&t, string_to_utf8(name)) : "main");
}

/*
 * An ExceptionInInitializerError with the stack of what was thrown: the cause of
 * each later NoClassDefFoundError.  It must not hold the exception itself, which
 * may keep anything alive.  NULL when there is no memory for it.
 */
static struct object *
make_init_error(struct thread *self, struct object *thrown)
{
    struct vm *vm = self->vm;
    struct object *elements = keep(self, stack_trace_of(self, thrown)), *error;
    TEXTS(t);

    THROW(self, ExceptionInInitializerError, "%s",
          own(&t, describe_failure(self, thrown)));
    error = keep(self, exception_take(self));
    if (object_class(error) != KC(vm, ExceptionInInitializerError))
        return NULL;
    REF_FIELD(vm, error, Throwable_stackTrace) = elements;
    REF_FIELD(vm, error, Throwable_backtrace) = NULL;
    return error;
}

static bool
throw_erroneous(struct thread *self, struct class *c)
{
    TEXTS(t);

    return throw_caused(self, KNOWN_CLASS_NoClassDefFoundError, c->init_error,
                        "Could not initialize class %s",
                        named(&t, c));
}

/* ---- the procedure ---- */

/* Steps 1 to 6: must self do it?  Else it is done, failed, or self is at it. */
static bool
claim(struct thread *self, struct class *c)
{
    LOCK(&self->vm->class_mutex);

    while (class_state(c) == CLASS_INITIALIZING && c->init_thread != self) {
        atomic_store(&self->wait, WAIT_CLASS_INIT);
        registry_wait(self);
        atomic_store(&self->wait, WAIT_NONE);
    }
    if (class_state(c) >= CLASS_INITIALIZING)
        return false;
    c->init_thread = self;
    atomic_store_explicit(&c->state, CLASS_INITIALIZING, memory_order_release);
    return true;
}

static void
end_claim(struct thread *self, struct class *c, enum class_state state)
{
    LOCK(&self->vm->class_mutex);

    c->init_thread = NULL;
    atomic_store_explicit(&c->state, state, memory_order_release);
    pthread_cond_broadcast(&self->vm->registry->changed);
}

static bool
declares_default(const struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (!(c->methods[i].access_flags & (ACC_STATIC | ACC_ABSTRACT)))
            return true;
    return false;
}

static bool
inherits_default(const struct class *c)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (declares_default(c->all_interfaces[i]))
            return true;
    return false;
}

/* Step 7: superinterfaces count only when they have default methods, each after
   those that it extends. */
static bool
initialize_interfaces(struct thread *self, struct class *c)
{
    if (!inherits_default(c))
        return true;
    for (uint32_t i = 0; i < c->interface_count; i++) {
        struct class *interface = c->interfaces[i];

        if (class_is_initialized(interface))
            continue;
        if (!initialize_interfaces(self, interface))
            return false;
        if (declares_default(interface) && !class_initialize(self, interface))
            return false;
    }
    return true;
}

static bool
run_initializer(struct thread *self, struct class *c)
{
    struct method *m;

    if (!c->pool->file->has_clinit)
        return true;
    m = class_own_method(c, symbol_of("<clinit>"), symbol_of("()V"));
    return m == NULL || !method_is_static(m) || java_call(self, m, NULL, NULL);
}

/* cause: what the initializer threw, or what a supertype's initialization did. */
static void
fail(struct thread *self, struct class *c, struct object *cause)
{
    struct object *thrown = keep(self, exception_take(self));

    c->init_error = make_init_error(self, cause);
    self->exception = thrown;
    end_claim(self, c, CLASS_ERRONEOUS);
}

static bool
initialize(struct thread *self, struct class *c)
{
    struct object *cause;

    if (!class_is_interface(c)
        && ((c->super && !class_initialize(self, c->super))
            || !initialize_interfaces(self, c))) {
        fail(self, c, keep(self, self->exception));
        return false;
    }
    if (!run_initializer(self, c)) {
        cause = keep(self, self->exception);
        /* Steps 10 and 11: what is no Error comes wrapped. */
        throw_wrapped(self, KNOWN_CLASS_ExceptionInInitializerError,
                      KNOWN_METHOD_ExceptionInInitializerError_init);
        fail(self, c, cause);
        return false;
    }
    end_claim(self, c, CLASS_INITIALIZED);
    return true;
}

bool
class_initialize_slow(struct thread *self, struct class *c)
{
    SCOPE(self);

    keep(self, c->layout.mirror);
    if (!c_stack_left(self) || !class_link(self, c))
        return false;
    if (claim(self, c))
        return initialize(self, c);
    return class_state(c) != CLASS_ERRONEOUS || throw_erroneous(self, c);
}
