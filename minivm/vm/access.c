/* SPDX-License-Identifier: MIT */
/* minivm/vm/access.c -- access control (JVMS 5.4.4). */

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/registry.h"
#include "vm/string.h"

enum access_result {
    ACCESS_OK, ACCESS_NOT_READABLE, ACCESS_NOT_EXPORTED, ACCESS_DENIED
};

/* Compilers before 8 were lax about classes of one origin, and the JDK's VM lets
   their class files be. */
enum { STRICT_ACCESS_VERSION = 52 };

static bool
is_relaxed(const struct class *from, const struct class *to)
{
    return from->loader == to->loader && from->loader->is_builtin && from->pool
           && to->pool && from->pool->file->major < STRICT_ACCESS_VERSION
           && to->pool->file->major < STRICT_ACCESS_VERSION;
}

static enum access_result
check_class(struct class *from, struct class *to)
{
    const struct class *bottom = to->bottom;

    if (from == bottom || bottom->primitive || class_same_package(from, bottom)
        || from->flags & CLASS_SKIPS_CHECKS)
        return ACCESS_OK;
    if (!(bottom->access_flags & ACC_PUBLIC))
        return is_relaxed(from, bottom) ? ACCESS_OK : ACCESS_DENIED;
    if (from->module == bottom->module || bottom->module == NULL)
        return ACCESS_OK;
    if (!module_reads(from->module, bottom->module))
        return ACCESS_NOT_READABLE;
    return package_exported_to(bottom->package, from->module) ? ACCESS_OK
                                                              : ACCESS_NOT_EXPORTED;
}

bool
access_class(struct class *from, struct class *to)
{
    return check_class(from, to) == ACCESS_OK;
}

/* "module m", or "unnamed module @0x1b2c". */
static char *
describe_module(const struct module *m)
{
    int32_t hash = m->object ? object_identity_hash(m->object) : 0;

    return m->name ? text_printf("module %s", m->name->bytes)
                   : text_printf("unnamed module @0x%x", (unsigned)hash);
}

char *
access_class_module_message(struct class *from, struct class *to)
{
    enum access_result result = check_class(from, to);
    const struct module *mine = from->module, *its = to->bottom->module;
    char *why;

    if (result == ACCESS_NOT_READABLE)
        why = text_printf("%pF does not read %pF", describe_module(mine),
                          describe_module(its));
    else if (result == ACCESS_NOT_EXPORTED)
        why = text_printf("%pF does not export %pN to %pF", describe_module(its),
                          to->bottom->package->name->bytes, describe_module(mine));
    else
        return NULL;
    return text_printf("class %pC (in %pF) cannot access class %pC (in %pF) because "
                       "%pF", from, describe_module(mine), to->bottom,
                       describe_module(its), why);
}

char *
access_class_message(struct class *from, struct class *to)
{
    char *text = access_class_module_message(from, to);

    return text ? text
                : text_printf("failed to access class %pC from class %pC (%pF)", to,
                              from, class_describe_places(to, from));
}

/* ---- nests (JVMS 5.4.4) ---- */

/* The host; c and in *error why there is none; NULL with what may not stick thrown. */
static struct class *
resolve_nest_host(struct thread *self, struct class *c, char **error)
{
    unsigned index = c->pool->file->nest_host;
    struct class *host = resolve_class(self, c->pool, index);
    struct object *message;

    if (host == NULL) {
        struct class *errors = known_class(self, KNOWN_CLASS_LinkageError);
        struct object *thrown = self->exception;

        /* Other errors are about the VM's state, not about the class. */
        if (!errors || !object_is_instance(thrown, errors))
            return NULL;
        exception_take(self);
        message = REF_FIELD(self->vm, thrown, Throwable_detailMessage);
        *error = text_printf(
            "Nest host resolution of %pC with host %s failed: %pC%s%pF", c,
            cf_name(c->pool->file, index)->bytes, object_class(thrown),
            message ? ": " : "", message ? string_to_utf8(message) : NULL);
        return c;
    }
    bool elsewhere =
        class_is_array(host) || host->primitive || !class_same_package(c, host);
    if (!elsewhere && class_list_has(host->pool->file, host->pool->file->nest_members,
                                     host->pool->file->nest_member_count, c->name))
        return host;
    *error = text_printf("Type %pC (loader: %pL) is not a nest member of type %pC "
                         "(loader: %pL): %s", c, c->loader, host, host->loader,
                         elsewhere ? "types are in different packages"
                                   : "current type is not listed as a nest member");
    return c;
}

struct class *
class_nest_host(struct thread *self, struct class *c)
{
    struct class *host = atomic_load_explicit(&c->nest_host, memory_order_acquire);
    char *error = NULL;

    if (host)
        return host;
    if (c->pool == NULL || c->pool->file->nest_host == 0)
        return c;
    SCOPE(self);
    struct object *pending = keep(self, exception_take(self));
    host = resolve_nest_host(self, c, &error);
    mutex_lock(&the_vm->class_mutex);
    /* The first reason stays. */
    if (c->nest_host_error)
        mem_free(error);
    else
        c->nest_host_error = error;
    mutex_unlock(&the_vm->class_mutex);
    if (host)
        atomic_store_explicit(&c->nest_host, host, memory_order_release);
    if (pending)
        self->exception = pending;
    return host ? host : c;
}

/* ---- members ---- */

static bool
is_protected_ok(struct class *from, const struct class *declaring,
                struct class *resolved, bool is_static)
{
    if (class_same_package(from, declaring))
        return true;
    if (!class_is_subclass(from, declaring))
        return false;
    /* The verifier ties the receiver to from; here the reference's class (JVMS
       5.4.4, 4.10.1.8). */
    return is_static || from == resolved || class_is_subclass(resolved, from)
           || class_is_subclass(from, resolved);
}

bool
access_member(struct class *from, struct class *declaring, struct class *resolved,
              uint16_t flags)
{
    if (from == NULL || from == declaring || flags & ACC_PUBLIC
        || from->flags & CLASS_SKIPS_CHECKS)
        return true;
    if (flags & ACC_PRIVATE) {
        struct thread *self = current_thread;
        struct class *host = class_nest_host(self, from);
        bool is_same = host == class_nest_host(self, declaring);

        if (exception_pending(self) || is_same)
            return !exception_pending(self);
    } else if (flags & ACC_PROTECTED) {
        if (is_protected_ok(from, declaring, resolved, flags & ACC_STATIC))
            return true;
    } else if (class_same_package(from, declaring)) {
        return true;
    }
    return is_relaxed(from, declaring);
}
