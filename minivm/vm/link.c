/* SPDX-License-Identifier: MIT */
/* minivm/vm/link.c -- verification, preparation and initialization (JVMS 5.4, 5.5). */

#include "vm/link.h"

#include "base/events.h"
#include "base/mem.h"
#include "classfile/verify.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/exhausted.h"
#include "vm/registry.h"
#include "vm/string.h"

/* ---- what the verifier asks ---- */

struct verification {
    struct thread *self;
    struct class *class;
    const struct classfile *file;
};

/* A name that the class being verified mentions; NULL with the error pending. */
static struct class *
mentioned(struct verification *v, const struct symbol *name)
{
    if (name == v->class->name)
        return v->class;
    return class_load(v->self, v->class->loader, name, true);
}

static int
assignable(void *context, const struct symbol *from, const struct symbol *to)
{
    struct verification *v = context;
    struct class *target = mentioned(v, to), *source;

    if (target == NULL)
        return -1;
    if (class_is_interface(target))
        return 1;
    source = mentioned(v, from);
    if (source == NULL)
        return -1;
    return class_is_subtype(source, target);
}

static int
protected_elsewhere(void *context, const struct symbol *class_name,
                    const struct symbol *name, const struct symbol *descriptor,
                    bool is_field)
{
    struct verification *v = context;
    const struct class *c = v->class->super;

    while (c && c->name != class_name)
        c = c->super;
    for (; c; c = c->super) {
        const struct field *f = is_field ? class_own_field(c, name, descriptor) : NULL;
        const struct method *m =
            is_field ? NULL : class_own_method(c, name, descriptor);

        if (f || m)
            return ((f ? f->access_flags : m->access_flags) & ACC_PROTECTED)
                   && !class_same_package(c, v->class);
    }
    return 0;
}

static bool
verified_meanwhile(void *context)
{
    struct verification *v = context;

    return v->file == v->class->pool->file && class_state(v->class) >= CLASS_LINKED;
}

/* ---- verification ---- */

static bool
needs_verification(const struct vm *vm, const struct class *c)
{
    if (c->flags & CLASS_SKIPS_CHECKS)
        return false;
    return c->flags & CLASS_IS_TRUSTED ? vm->options.verify_local
                                       : vm->options.verify_remote;
}

static bool
throw_verify(struct thread *self, enum verify_status status, const char *message)
{
    if (exception_pending(self))
        return false;
    if (status == VERIFY_NO_MEMORY)
        return throw_exhausted(self, "Metaspace", EXHAUSTED_OOM_ERROR);
    return throw_new(self, status == VERIFY_FORMAT ? KNOWN_CLASS_ClassFormatError
                                                   : KNOWN_CLASS_VerifyError,
                     "%s", message ? message : "");
}

/* The JDK's own library judges files without stack maps (JVMS 4.10.2). */
static bool
verify_old(struct thread *self, struct class *c, const struct classfile *file)
{
    static const enum verify_status statuses[] = {
        VERIFY_ERROR, VERIFY_OK, VERIFY_NO_MEMORY, VERIFY_FORMAT
    };
    char message[1024] = "";
    int answer = class_verify_by_inference(self, c, file, message, sizeof message);

    return (answer == 1 && !exception_pending(self))
           || throw_verify(self, statuses[answer], message);
}

enum { FIRST_STACK_MAP_VERSION = 50 };

bool
class_verify(struct thread *self, struct class *c, const struct classfile *file)
{
    struct verification v = { self, c, file };
    const struct verify_hooks hooks = {
        .context = &v,
        .assignable = assignable,
        .protected_elsewhere = protected_elsewhere,
        .verified_meanwhile = verified_meanwhile,
    };
    struct verify_result result;
    bool good;

    if (file->major < FIRST_STACK_MAP_VERSION)
        return verify_old(self, c, file);
    verify_class(file, &hooks, &result);
    good = result.status == VERIFY_OK;
    if (!good && result.fail_over && !exception_pending(self))
        good = verify_old(self, c, file);
    else if (!good)
        throw_verify(self, result.status, result.message);
    verify_result_release(&result);
    return good;
}

/* ---- preparation ---- */

static bool
set_constant(struct thread *self, struct class *c, const struct field *f,
             unsigned index)
{
    union slot value = { .j = c->pool->file->consts[index].j };

    if (f->type == 'L' && (value.ref = resolve_object(self, c->pool, index)) == NULL)
        return false;
    value_store(object_at(c->layout.mirror, f->offset), f->type, value);
    return true;
}

static bool
prepare(struct thread *self, struct class *c)
{
    for (uint32_t i = 0; i < c->field_count; i++) {
        unsigned constant = c->pool->file->fields[i].constant_value;

        if (constant && field_is_static(&c->fields[i])
            && !set_constant(self, c, &c->fields[i], constant))
            return false;
    }
    return true;
}

/* ---- linking ---- */

static bool
link_supers(struct thread *self, struct class *c)
{
    if (c->super && !class_link(self, c->super))
        return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!class_link(self, c->interfaces[i]))
            return false;
    return true;
}

/*
 * One thread at a time links or initializes a class (JVMS 5.5, steps 1 to 6): must
 * self, until c is in that state?  Else it is, failed, or self is at it.
 */
static bool
claim(struct thread *self, struct class *c, enum class_state goal)
{
    LOCK(&self->vm->class_mutex);

    while (c->worker && c->worker != self && class_state(c) < goal) {
        atomic_store(&self->wait, goal == CLASS_LINKED ? WAIT_NONE : WAIT_CLASS_INIT);
        registry_wait(self);
        atomic_store(&self->wait, WAIT_NONE);
    }
    if (class_state(c) >= goal || c->worker)
        return false;
    c->worker = self;
    if (goal == CLASS_INITIALIZED)
        atomic_store_explicit(&c->state, CLASS_INITIALIZING, memory_order_release);
    return true;
}

static void
end_claim(struct thread *self, struct class *c, enum class_state state)
{
    LOCK(&self->vm->class_mutex);

    c->worker = NULL;
    atomic_store_explicit(&c->state, state, memory_order_release);
    pthread_cond_broadcast(&self->vm->registry->changed);
}

bool
class_link(struct thread *self, struct class *c)
{
    bool good;

    if (class_state(c) >= CLASS_LINKED)
        return true;
    SCOPE(self);
    keep(self, c->layout.mirror);
    if (!c_stack_left(self) || !link_supers(self, c))
        return false;
    if (!claim(self, c, CLASS_LINKED))
        return true;
    good = (!needs_verification(self->vm, c) || class_verify(self, c, c->pool->file))
           && check_override_constraints(self, c) && prepare(self, c);
    end_claim(self, c, good ? CLASS_LINKED : CLASS_LOADED);
    if (good)
        EVENT_SEND(EVENT_CLASS_PREPARE, class_prepare, self, c);
    return good;
}

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
    struct object *message = REF_FIELD(vm, thrown, Throwable_detailMessage);
    struct object *thread = self->object;
    struct object *name = thread ? REF_FIELD(vm, thread, Thread_name) : NULL;

    THROW(self, ExceptionInInitializerError,
          "Exception %pC%s%pF [in thread \"%pF\"]", object_class(thrown),
          message ? ": " : "", message ? string_to_utf8(message) : NULL,
          name ? string_to_utf8(name) : mem_strdup("main"));
    error = keep(self, exception_take(self));
    if (object_class(error) != KC(vm, ExceptionInInitializerError))
        return NULL;
    REF_FIELD(vm, error, Throwable_stackTrace) = elements;
    REF_FIELD(vm, error, Throwable_backtrace) = NULL;
    return error;
}

/* ---- initialization (JVMS 5.5) ---- */

static bool
declares_default(const struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (!(class_method(c, i)->access_flags & (ACC_STATIC | ACC_ABSTRACT)))
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

/* Step 7: superinterfaces count only when they have default methods, each after those
   that it extends; one that is initialized says nothing about these. */
static bool
initialize_interfaces(struct thread *self, struct class *c)
{
    if (!inherits_default(c))
        return true;
    for (uint32_t i = 0; i < c->interface_count; i++) {
        struct class *interface = c->interfaces[i];

        if (!initialize_interfaces(self, interface)
            || (!class_is_initialized(interface) && declares_default(interface)
                && !class_initialize(self, interface)))
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
    if (claim(self, c, CLASS_INITIALIZED))
        return initialize(self, c);
    return class_state(c) != CLASS_ERRONEOUS
           || throw_caused(self, KNOWN_CLASS_NoClassDefFoundError, c->init_error,
                           "Could not initialize class %pC", c);
}

bool
java_call_named(struct thread *self, struct class *c, const char *name,
                const char *descriptor, const union slot *args, union slot *result)
{
    struct method *m;

    if (c == NULL || !class_initialize(self, c))
        return false;
    m = class_own_method(c, symbol_of(name), symbol_of(descriptor));
    if (m == NULL)
        return THROW(self, NoSuchMethodError, "%s.%s%s", c->name->bytes, name,
                     descriptor);
    return java_call(self, m, args, result);
}

bool
class_may_have_instances(struct thread *self, const struct class *c, bool error)
{
    if (c == KC(self->vm, Class))
        return throw_new(self,
                         error ? KNOWN_CLASS_IllegalAccessError
                                  : KNOWN_CLASS_IllegalAccessException,
                         "%pC", c);
    if (c->primitive && !error)
        return THROW0(self, InstantiationException);
    return (!class_is_array(c) && !(c->access_flags & (ACC_ABSTRACT | ACC_INTERFACE)))
           || throw_new(self,
                        error ? KNOWN_CLASS_InstantiationError
                                 : KNOWN_CLASS_InstantiationException,
                        "%pC", c);
}
