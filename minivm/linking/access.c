/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/access.c -- access control (JVMS 5.4.4).
 *
 * A check of a class first looks at the cheap reasons to allow it, then at modules, and
 * says which rule refused, since the messages differ.  Private members are accessible
 * within a nest, so a check may resolve nest hosts (nest.c).
 */

#include "linking/access.h"

#include "linking/loader.h"
#include "linking/message.h"
#include "linking/module.h"
#include "linking/nest.h"
#include "runtime/exception.h"

enum access_result {
    ACCESS_OK,
    ACCESS_NOT_READABLE,
    ACCESS_NOT_EXPORTED,
    ACCESS_DENIED
};

/* Class files before this version (JDK 8) of the same builtin loader may access what is
   not theirs, as in HotSpot: old compilers made such files. */
enum { STRICT_ACCESS_VERSION = 52 };

static bool
is_relaxed(const struct class *from, const struct class *to)
{
    return from->loader == to->loader && from->loader->is_builtin && from->pool
           && to->pool && from->pool->file->major < STRICT_ACCESS_VERSION
           && to->pool->file->major < STRICT_ACCESS_VERSION;
}

/* Returns whether to is accessible to from, or which rule refuses. */
static enum access_result
check_class(struct class *from, struct class *to)
{
    const struct class *bottom = to->bottom;

    if (from == bottom || bottom->primitive || class_same_package(from, bottom)
        || from->flags & CLASS_SKIPS_CHECKS)
        return ACCESS_OK;
    if (!(bottom->access_flags & ACC_PUBLIC))
        return is_relaxed(from, bottom) ? ACCESS_OK : ACCESS_DENIED;
    if (from->module == bottom->module || !bottom->module)
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

char *
access_class_module_message(struct class *from, struct class *to)
{
    enum access_result result = check_class(from, to);
    const struct class *bottom = to->bottom;
    const struct module *mine = from->module, *its = bottom->module;

    if (result == ACCESS_NOT_READABLE)
        return message_printf("class %pC (in %pQ) cannot access class %pC (in %pQ) "
                              "because %pQ does not read %pQ",
                              from, mine, bottom, its, mine, its);
    if (result == ACCESS_NOT_EXPORTED)
        return message_printf("class %pC (in %pQ) cannot access class %pC (in %pQ) "
                              "because %pQ does not export %pN to %pQ",
                              from, mine, bottom, its, its,
                              bottom->package->name->bytes, mine);
    return NULL;
}

char *
access_class_message(struct class *from, struct class *to)
{
    char *text = access_class_module_message(from, to);

    return text ? text
                : message_printf("failed to access class %pC from class %pC (%pT)", to,
                                 from, CLASS_PAIR(to, from));
}

bool
check_class_access(struct thread *self, struct class *from, struct class *c)
{
    TEXTS(t);

    return access_class(from, c)
           || THROW(self, IllegalAccessError, "%s",
                    own(&t, access_class_message(from, c->bottom)));
}

/* ---- members ---- */

/* Returns true if a protected member of declaring is accessible to from. */
static bool
is_protected_ok(struct class *from, const struct class *declaring,
                struct class *resolved, bool is_static)
{
    if (class_same_package(from, declaring))
        return true;
    if (!class_is_subclass(from, declaring))
        return false;
    /* JVMS 5.4.4: the class of the reference must be from, or a super- or subclass of
       it. The verifier checks the receiver itself (JVMS 4.10.1.8). */
    return is_static || from == resolved || class_is_subclass(resolved, from)
           || class_is_subclass(from, resolved);
}

bool
access_member(struct thread *self, struct class *from, struct class *declaring,
              struct class *resolved, uint16_t flags)
{
    if (!from || from == declaring || flags & ACC_PUBLIC
        || from->flags & CLASS_SKIPS_CHECKS)
        return true;
    if (flags & ACC_PRIVATE) {
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
