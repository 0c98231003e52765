/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/link.c -- verification and preparation (JVMS 5.4.1, 5.4.2).
 *
 * The verifier (classfile/verify.h) knows no classes.  It asks by hooks whether one
 * name is assignable to another, for which classes are loaded here.  Class files older
 * than version 50, and those of version 50 that fail, are verified by the JDK's own
 * libverify.
 */

#include "linking/link.h"

#include "base/events.h"
#include "base/mem.h"
#include "classfile/verify.h"
#include "diagnostics/exhausted.h"
#include "linking/constraints.h"
#include "linking/initialize.h"
#include "linking/loader.h"
#include "linking/resolve.h"
#include "runtime/above.h"
#include "runtime/boxing.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- the verifier's hooks ---- */

/* The context of the hooks. */
struct verification {
    struct thread *self;
    struct class *class;
    const struct classfile *file; /* that of class, or one that is to replace it */
};

/* Returns the class of a name in the class file that is being verified, or NULL with
   the error pending. */
static struct class *
mentioned(struct verification *v, const struct symbol *name)
{
    if (name == v->class->name)
        return v->class;
    return class_load(v->self, v->class->loader, name, NOT_FOUND_ERROR);
}

/* verify_hooks.assignable: returns 1 if a value of class from is assignable to class
   to, 0 if not, -1 with the error pending.  Interfaces count as Object (JVMS
   4.10.1.2). */
static int
assignable(void *context, const struct symbol *from, const struct symbol *to)
{
    struct verification *v = context;
    struct class *target = mentioned(v, to), *source;

    if (!target)
        return -1;
    if (class_is_interface(target))
        return 1;
    source = mentioned(v, from);
    if (!source)
        return -1;
    return class_is_subtype(source, target);
}

/*
 * verify_hooks.protected_elsewhere: returns 1 if the member is protected and declared
 * by a superclass of another package: then the verifier allows access only through the
 * class itself and its subclasses (JVMS 4.10.1.8).  The member is one that the class
 * file refers to in class_name.  Returns 0 if that is no superclass of the class, or if
 * no superclass declares the member.  It loads nothing, so it cannot fail.
 */
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
        const struct method *m = is_field ? NULL
                                          : class_own_method(c, name, descriptor);

        if (f || m)
            return ((f ? f->access_flags : m->access_flags) & ACC_PROTECTED)
                   && !class_same_package(c, v->class);
    }
    return 0;
}

/* verify_hooks.verified_meanwhile: returns true if loading for the verifier has linked
   the class, so that no verdict is needed any more.  A class loader's Java code may do
   that in the same thread.  A file that is to replace the class's own needs its own
   verdict. */
static bool
verified_meanwhile(void *context)
{
    struct verification *v = context;

    return v->file == v->class->pool->file && class_state(v->class) >= CLASS_LINKED;
}

/* ---- verification ---- */

/* Classes of the boot and platform loader are verified with -Xverify:all only
   (verify_local), those of others unless -Xverify:none (verify_remote). */
static bool
needs_verification(const struct vm *vm, const struct class *c)
{
    if (c->flags & CLASS_SKIPS_CHECKS)
        return false;
    return c->flags & CLASS_IS_TRUSTED ? vm->options.verify_local
                                       : vm->options.verify_remote;
}

/* Throws the error for a verdict that is not VERIFY_OK.  If a hook has failed, the
   error is that hook's, which is pending.  Returns false. */
static bool
throw_verify(struct thread *self, enum verify_status status, const char *message)
{
    if (exception_pending(self))
        return false;
    if (status == VERIFY_NO_MEMORY)
        return throw_exhausted(self, "Metaspace", EXHAUSTED_OOM_ERROR);
    return throw_new(self,
                     status == VERIFY_FORMAT ? KNOWN_CLASS_ClassFormatError
                                             : KNOWN_CLASS_VerifyError,
                     "%s", message ? message : "");
}

/* Verifies a file by type inference (JVMS 4.10.2), with libverify: one of a version
   without stack maps, or one of version 50 whose stack maps have failed.  answer is 1
   for a good class; the table has what the other values mean.  Returns false with the
   error pending. */
static bool
verify_old(struct thread *self, struct class *c, const struct classfile *file)
{
    static const enum verify_status statuses[] = { VERIFY_ERROR, VERIFY_OK,
                                                   VERIFY_NO_MEMORY, VERIFY_FORMAT };
    char message[1024] = "";
    int answer = class_verify_by_inference(self, c, file, message, sizeof message);

    return (answer == 1 && !exception_pending(self))
           || throw_verify(self, statuses[answer], message);
}

/* Class files have a StackMapTable from this version on (JVMS 4.10). */
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
        .allows_long_empty_map = release_allows_long_empty_maps(
            self->vm->profile->feature),
    };
    struct verify_result result;
    bool good;

    if (file->major < FIRST_STACK_MAP_VERSION)
        return verify_old(self, c, file);
    verify_class(file, &hooks, &result);
    good = result.status == VERIFY_OK;
    /* A hook that has failed has left its error pending, which is final. */
    if (!good && result.fail_over && !exception_pending(self))
        good = verify_old(self, c, file);
    else if (!good)
        throw_verify(self, result.status, result.message);
    verify_result_release(&result);
    return good;
}

/* ---- preparation ---- */

/* Stores the ConstantValue of a static field (JVMS 4.7.2), which is the constant with
   that index.  A String is resolved for it.  Returns false with the error pending. */
static bool
set_constant(struct thread *self, struct class *c, const struct field *f,
             unsigned index)
{
    union slot value = { .j = c->pool->file->consts[index].j };

    if (f->type == 'L' && !(value.ref = resolve_object(self, c->pool, index)))
        return false;
    value_store(object_at(c->layout.mirror, f->offset), f->type, value);
    return true;
}

/* Prepares a class (JVMS 5.4.2): its static fields are zero already, and those with a
   ConstantValue get it here.  False with an exception pending. */
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

/* Links the superclass and the direct superinterfaces.  False with an exception
   pending. */
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

bool
class_link(struct thread *self, struct class *c)
{
    bool good;

    if (class_state(c) >= CLASS_LINKED)
        return true;
    HANDLE_SCOPE(self);
    handle_new(self, c->layout.mirror);
    if (!c_stack_left(self) || !link_supers(self, c))
        return false;
    /* False says that another thread has linked c meanwhile, or that self is linking
       it, in a call that led here through Java code. */
    if (!init_lock(self, c, CLASS_LINKED))
        return true;
    good = (!needs_verification(self->vm, c) || class_verify(self, c, c->pool->file))
           && constraints_add_overriding(self, c) && prepare(self, c);
    /* After a failure the class is as it was before, and the next attempt verifies
       again.  The event is sent without the lock, since an agent may do anything in
       it. */
    init_unlock(self, c, good ? CLASS_LINKED : CLASS_LOADED);
    if (good)
        EVENT_SEND(EVENT_CLASS_PREPARE, class_prepare, self, c);
    return good;
}
