/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/nest.c -- nests: classes that share their private members (JVMS 5.4.4).
 *
 * A member class names its host in the NestHost attribute, and the host lists its
 * members in NestMembers; both must agree, and both classes be in one run-time package.
 * Otherwise the class is the host of a nest of its own, and no error is thrown; the
 * reason is kept, since the message of a later IllegalAccessError tells it
 * (lookup.c).  The host is looked for when it is first needed, and kept in the class.
 */

#include "linking/nest.h"

#include "base/mem.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "linking/resolve.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* Returns the class that the NestHost attribute of c names, if that lists c as a
   member.  If not, returns c, and in *error the reason, which the caller frees.  Returns
   NULL with the exception pending if it says nothing about the classes, as
   OutOfMemoryError does: the host may be resolved another time. */
static struct class *
resolve_nest_host(struct thread *self, struct class *c, char **error)
{
    unsigned index = c->pool->file->nest_host;
    struct class *host = resolve_class(self, c->pool, index);
    struct object *message;

    if (!host) {
        struct class *errors = known_class(self, KNOWN_CLASS_LinkageError);
        struct object *thrown = self->exception;

        if (!errors || !object_is_instance(thrown, errors))
            return NULL;
        exception_take(self);
        message = REF_FIELD(self->vm, thrown, Throwable_detailMessage);
        *error = message_printf(
            "Nest host resolution of %pC with host %s failed: %pC%s%pU", c,
            cf_name(c->pool->file, index)->bytes, object_class(thrown),
            message ? ": " : "", message);
        return c;
    }
    bool elsewhere = class_is_array(host) || host->primitive
                     || !class_same_package(c, host);
    if (!elsewhere
        && class_list_has(host->pool->file, host->pool->file->nest_members,
                          host->pool->file->nest_member_count, c->name))
        return host;
    *error = message_printf("Type %pC (loader: %pL) is not a nest member of type %pC "
                            "(loader: %pL): %s",
                            c, c->loader, host, host->loader,
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
    if (!c->pool || c->pool->file->nest_host == 0)
        return c;
    HANDLE_SCOPE(self);
    struct object *pending = handle_new(self, exception_take(self));
    host = resolve_nest_host(self, c, &error);
    mutex_lock(&the_vm->class_mutex);
    /* If another thread has stored a reason, that one stays. */
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
