/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.c -- the system properties that the VM sets. */

#include "jdk/properties.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#if defined(__x86_64__)
#    define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#    define MULTIARCH "aarch64-linux-gnu"
#endif

#ifdef MULTIARCH
#    define LIBRARY_PATH \
        "/usr/java/packages/lib:/usr/lib/" MULTIARCH "/jni:/lib/" MULTIARCH \
        ":/usr/lib/" MULTIARCH ":/usr/lib/jni:/lib:/usr/lib"
#else
#    define LIBRARY_PATH "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib"
#endif

const char minivm_version[] = PACKAGE_VERSION;

struct system_property *
property_find(const struct vm_options *o, const char *key)
{
    struct system_property *p = o->properties;

    while (p && strcmp(p->key, key) != 0)
        p = p->next;
    return p;
}

const char *
property_value(const struct vm_options *o, const char *key)
{
    const struct system_property *p = property_find(o, key);

    return p ? p->value : NULL;
}

/*
 * Adds a property or replaces its value; takes value over.  A new property becomes the
 * first of the list, and may be written.
 */
struct system_property *
property_set(struct vm_options *o, const char *key, char *value)
{
    struct system_property *p = property_find(o, key);

    if (!p) {
        p = mem_alloc(sizeof *p);
        *p = (struct system_property){ .key = mem_strdup(key),
                                       .writable = true,
                                       .next = o->properties };
        o->properties = p;
    }
    mem_free(p->value);
    p->value = value;
    return p;
}

char *
vm_arguments(const struct vm_options *o)
{
    struct buf b = { 0 };

    for (size_t i = 0; i < o->vm_arg_count; i++)
        buf_printf(&b, "%s%s", i ? " " : "", o->vm_args[i]);
    return buf_steal(&b, NULL);
}

/* Sets what the command line and agents may set themselves; takes value over. */
static void
set_default(struct vm_options *o, const char *key, char *value)
{
    if (property_find(o, key))
        mem_free(value);
    else
        property_set(o, key, value);
}

/*
 * Returns java.library.path (mem_free): LD_LIBRARY_PATH and the folders of a Debian
 * JDK.
 */
static char *
library_path(void)
{
    const char *first = getenv("LD_LIBRARY_PATH");

    return first && *first ? mem_printf("%s:%s", first, LIBRARY_PATH)
                           : mem_strdup(LIBRARY_PATH);
}

/* Sets what the command line may not; takes value over. */
static void
set_fixed(struct vm_options *o, const char *key, char *value)
{
    property_set(o, key, value)->writable = false;
}

/*
 * Adds the VM's properties to those of the command line.  The fixed ones replace what
 * that says; the others only stand in for what it does not say.
 */
void
properties_init(struct vm *vm)
{
    static const char *const fixed[][2] = {
        { "java.vm.specification.name", "Java Virtual Machine Specification" },
        { "java.vm.specification.vendor", "Oracle Corporation" },
        { "java.vm.version", minivm_version },
        { "java.vm.name", "tiforge minivm" },
        { "java.vm.vendor", "tiforge" },
        { "java.vm.info", "interpreted mode" },
        { "jdk.debug", "release" }
    };
    struct vm_options *o = &vm->options;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        set_fixed(o, fixed[i][0], mem_strdup(fixed[i][1]));
    set_fixed(o, "java.vm.specification.version",
              mem_printf("%d", vm->profile->feature));
    set_fixed(o, "java.home", mem_strdup(o->java_home));
    if (o->max_direct_memory)
        set_fixed(o, "sun.nio.MaxDirectMemorySize",
                  mem_printf("%zu", o->max_direct_memory));
    /* The class library keeps it for its loaders. */
    set_fixed(o, "jdk.boot.class.path.append",
              mem_strdup(o->boot_append ? o->boot_append : ""));
    set_default(o, "sun.boot.library.path", mem_printf("%s/lib", o->java_home));
    set_default(o, "java.library.path", library_path());
    set_default(o, "java.class.path", mem_strdup(""));
}
