/* SPDX-License-Identifier: MIT */
/* minivm/vm/link.c -- verification and preparation (JVMS 5.4.1, 5.4.2). */

#include "vm/link.h"

#include "base/events.h"
#include "base/mem.h"
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

static const struct class *
superclass_named(const struct class *c, const struct symbol *name)
{
    for (c = c->super; c; c = c->super)
        if (c->name == name)
            return c;
    return NULL;
}

static int
protected_elsewhere(void *context, const struct symbol *class_name,
                    const struct symbol *name, const struct symbol *descriptor,
                    bool is_field)
{
    struct verification *v = context;

    for (const struct class *c = superclass_named(v->class, class_name); c;
         c = c->super) {
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
    switch (answer) {
    case 1:
        return true;
    case 2:
        throw_out_of_memory(self, "Metaspace");
        break;
    case 3:
        THROW(self, ClassFormatError, "%s", message);
        break;
    default:
        THROW(self, VerifyError, "%s", message);
        break;
    }
    return false;
}

static void
throw_verify_result(struct thread *self, const struct verify_result *result)
{
    const char *message = result->message ? result->message : "";

    switch (result->status) {
    case VERIFY_NO_MEMORY:
        throw_out_of_memory(self, "Metaspace");
        break;
    case VERIFY_FORMAT:
        THROW(self, ClassFormatError, "%s", message);
        break;
    default:
        if (!exception_pending(self))
            THROW(self, VerifyError, "%s", message);
        break;
    }
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
    struct object *mirror = c->layout.mirror, *string;
    const union cf_const *value = &c->pool->file->consts[index];

    switch (f->type) {
    case 'Z': case 'B':
        OBJECT_FIELD(int8_t, mirror, f->offset) = (int8_t)value->i;
        break;
    case 'C': case 'S':
        OBJECT_FIELD(int16_t, mirror, f->offset) = (int16_t)value->i;
        break;
    case 'I': case 'F':
        OBJECT_FIELD(int32_t, mirror, f->offset) = value->i;
        break;
    case 'J': case 'D':
        OBJECT_FIELD(int64_t, mirror, f->offset) = value->j;
        break;
    default:
        string = resolve_string(self, c->pool, index);
        if (string == NULL)
            return false;
        OBJECT_FIELD(struct object *, mirror, f->offset) = string;
        break;
    }
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

/* LINK_MINE when self must do it; LINK_DONE when it is done, or self is at it. */
enum link_claim { LINK_MINE, LINK_DONE };

static enum link_claim
claim(struct thread *self, struct class *c)
{
    struct vm *vm = self->vm;

    for (;;) {
        enum link_claim answer = LINK_DONE;
        bool busy = false;

        mutex_lock(&vm->class_mutex);
        if (class_state(c) < CLASS_LINKED && c->link_thread != self) {
            busy = c->link_thread != NULL;
            answer = LINK_MINE;
            if (!busy)
                c->link_thread = self;
        }
        mutex_unlock(&vm->class_mutex);
        if (!busy)
            return answer;
        thread_block_begin(self);
        mutex_lock(&vm->class_mutex);
        if (c->link_thread)
            pthread_cond_wait(&vm->registry->changed, &vm->class_mutex.m);
        mutex_unlock(&vm->class_mutex);
        thread_block_end(self);
    }
}

static void
end_claim(struct thread *self, struct class *c, bool linked)
{
    struct vm *vm = self->vm;

    mutex_lock(&vm->class_mutex);
    c->link_thread = NULL;
    if (linked)
        atomic_store_explicit(&c->state, CLASS_LINKED, memory_order_release);
    pthread_cond_broadcast(&vm->registry->changed);
    mutex_unlock(&vm->class_mutex);
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
    if (claim(self, c) == LINK_DONE)
        return true;
    good = (!needs_verification(self->vm, c) || class_verify(self, c, c->pool->file))
           && check_override_constraints(self, c) && prepare(self, c);
    end_claim(self, c, good);
    if (good)
        EVENT_SEND(EVENT_CLASS_PREPARE, class_prepare, self, c);
    return good;
}
