/* SPDX-License-Identifier: MIT */
/* minivm/vm/link.c -- verification and preparation (JVMS 5.4.1, 5.4.2). */

#include "vm/link.h"

#include "base/events.h"
#include "classfile/verify.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/registry.h"

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

/* The JDK's own library judges files without stack maps (JVMS 4.10.2). */
static bool
verify_old(struct thread *self, struct class *c, const struct classfile *file)
{
    char message[1024] = "";
    int answer = class_verify_by_inference(self, c, file, message, sizeof message);

    if (exception_pending(self))
        return false;
    if (answer == 1)
        return true;
    if (answer == 2)
        return throw_out_of_memory(self, "Metaspace");
    return throw_new(self, answer == 3 ? KNOWN_CLASS_ClassFormatError
                                       : KNOWN_CLASS_VerifyError, "%s", message);
}

static void
throw_verify_result(struct thread *self, const struct verify_result *result)
{
    if (result->status == VERIFY_NO_MEMORY)
        throw_out_of_memory(self, "Metaspace");
    else if (!exception_pending(self))
        throw_new(self, result->status == VERIFY_FORMAT ? KNOWN_CLASS_ClassFormatError
                                                        : KNOWN_CLASS_VerifyError,
                  "%s", result->message ? result->message : "");
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
        throw_verify_result(self, &result);
    verify_result_release(&result);
    return good;
}

/* ---- preparation ---- */

static bool
set_constant(struct thread *self, struct class *c, const struct field *f,
             unsigned index)
{
    union slot value = { .j = c->pool->file->consts[index].j };

    if (f->type == 'L' && (value.ref = resolve_string(self, c->pool, index)) == NULL)
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

/* ---- the whole ---- */

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

/* Must self do it?  Else it is done, or self is at it. */
static bool
claim(struct thread *self, struct class *c)
{
    LOCK(&self->vm->class_mutex);

    while (c->link_thread && c->link_thread != self)
        registry_wait(self);
    if (class_state(c) >= CLASS_LINKED || c->link_thread)
        return false;
    c->link_thread = self;
    return true;
}

static void
end_claim(struct thread *self, struct class *c, bool linked)
{
    LOCK(&self->vm->class_mutex);

    c->link_thread = NULL;
    if (linked)
        atomic_store_explicit(&c->state, CLASS_LINKED, memory_order_release);
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
    if (!claim(self, c))
        return true;
    good = (!needs_verification(self->vm, c) || class_verify(self, c, c->pool->file))
           && check_override_constraints(self, c) && prepare(self, c);
    end_claim(self, c, good);
    if (good)
        EVENT_SEND(EVENT_CLASS_PREPARE, class_prepare, self, c);
    return good;
}
