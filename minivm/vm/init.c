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
    struct object *message =
        OBJECT_FIELD(struct object *, thrown, KF(vm, Throwable_detailMessage));
    struct object *name =
        self->object ? OBJECT_FIELD(struct object *, self->object, KF(vm, Thread_name))
                     : NULL;
    char *class_name = class_external_name(object_class(thrown));
    char *message_text = message ? string_to_utf8(message) : NULL;
    char *thread_name = name ? string_to_utf8(name) : mem_strdup("main");
    char *text =
        mem_printf("Exception %s%s%s [in thread \"%s\"]", class_name,
                   message ? ": " : "", message ? message_text : "", thread_name);

    mem_free(class_name);
    mem_free(message_text);
    mem_free(thread_name);
    return text;
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
    char *text = describe_failure(self, thrown);

    THROW(self, ExceptionInInitializerError, "%s", text);
    mem_free(text);
    error = keep(self, exception_take(self));
    if (object_class(error) != KC(vm, ExceptionInInitializerError))
        return NULL;
    OBJECT_FIELD(struct object *, error, KF(vm, Throwable_stackTrace)) = elements;
    OBJECT_FIELD(struct object *, error, KF(vm, Throwable_backtrace)) = NULL;
    return error;
}

static void
throw_erroneous(struct thread *self, struct class *c)
{
    char *name = class_external_name(c);
    struct object *cause = c->init_error;

    if (cause)
        throw_caused(self, KNOWN_CLASS_NoClassDefFoundError, cause,
                     "Could not initialize class %s", name);
    else
        THROW(self, NoClassDefFoundError, "Could not initialize class %s", name);
    mem_free(name);
}

/* ---- the procedure ---- */

enum init_claim { INIT_MINE, INIT_DONE, INIT_ERRONEOUS, INIT_BUSY };

static enum init_claim
try_claim(struct thread *self, struct class *c)
{
    enum init_claim answer;

    mutex_lock(&self->vm->class_mutex);
    switch (class_state(c)) {
    case CLASS_INITIALIZED:
        answer = INIT_DONE;
        break;
    case CLASS_ERRONEOUS:
        answer = INIT_ERRONEOUS;
        break;
    case CLASS_INITIALIZING:
        answer = c->init_thread == self ? INIT_DONE : INIT_BUSY;
        break;
    default:
        c->init_thread = self;
        atomic_store_explicit(&c->state, CLASS_INITIALIZING, memory_order_release);
        answer = INIT_MINE;
        break;
    }
    mutex_unlock(&self->vm->class_mutex);
    return answer;
}

static void
wait_for_other(struct thread *self, struct class *c)
{
    struct vm *vm = self->vm;

    atomic_store_explicit(&self->wait, WAIT_CLASS_INIT, memory_order_relaxed);
    thread_block_begin(self);
    mutex_lock(&vm->class_mutex);
    while (class_state(c) == CLASS_INITIALIZING)
        pthread_cond_wait(&vm->registry->changed, &vm->class_mutex.m);
    mutex_unlock(&vm->class_mutex);
    thread_block_end(self);
    atomic_store_explicit(&self->wait, WAIT_NONE, memory_order_relaxed);
}

static enum init_claim
claim(struct thread *self, struct class *c)
{
    enum init_claim answer;

    while ((answer = try_claim(self, c)) == INIT_BUSY)
        wait_for_other(self, c);
    return answer;
}

static void
end_claim(struct thread *self, struct class *c, enum class_state state)
{
    mutex_lock(&self->vm->class_mutex);
    c->init_thread = NULL;
    atomic_store_explicit(&c->state, state, memory_order_release);
    pthread_cond_broadcast(&self->vm->registry->changed);
    mutex_unlock(&self->vm->class_mutex);
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

/* Steps 10 and 11: what is no Error comes wrapped. */
static void
wrap_exception(struct thread *self)
{
    struct vm *vm = self->vm;
    struct object *thrown = self->exception, *wrapper;
    struct class *c;
    union slot args[2];

    if (object_is_instance(thrown, KC(vm, Error)))
        return;
    (void)exception_take(self);
    c = known_class(self, KNOWN_CLASS_ExceptionInInitializerError);
    if (c == NULL || !class_initialize(self, c))
        return;
    wrapper = keep(self, object_new(self, c));
    if (wrapper == NULL)
        return;
    args[0].ref = wrapper;
    args[1].ref = thrown;
    if (java_call(self, KM(vm, ExceptionInInitializerError_init), args, NULL))
        throw_object(self, wrapper);
}

/* cause: what the initializer threw, or what a supertype's initialization did. */
static void
fail(struct thread *self, struct class *c, struct object *cause)
{
    struct object *thrown = keep(self, exception_take(self));
    struct object *error = make_init_error(self, cause);

    c->init_error = error;
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
        wrap_exception(self);
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
    switch (claim(self, c)) {
    case INIT_DONE:
        return true;
    case INIT_MINE:
        return initialize(self, c);
    default:
        throw_erroneous(self, c);
        return false;
    }
}
