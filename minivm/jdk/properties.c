/* SPDX-License-Identifier: MIT */
/* minivm/jdk/properties.c -- the system properties that the VM sets. */

#include "jdk/properties.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#endif

#ifdef MULTIARCH
#define LIBRARY_PATH \
    "/usr/java/packages/lib:/usr/lib/" MULTIARCH "/jni:/lib/" MULTIARCH \
    ":/usr/lib/" MULTIARCH ":/usr/lib/jni:/lib:/usr/lib"
#else
#define LIBRARY_PATH "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib"
#endif

const char minivm_version[] = PACKAGE_VERSION;

static struct system_property *
find(const struct vm *vm, const char *key)
{
    for (struct system_property *p = vm->options.properties; p; p = p->next)
        if (strcmp(p->key, key) == 0)
            return p;
    return NULL;
}

const char *
property_value(const struct vm *vm, const char *key)
{
    const struct system_property *p = find(vm, key);

    return p ? p->value : NULL;
}

enum property_kind {
    PROPERTY_DEFAULT,              /* the command line and agents may change it */
    PROPERTY_FIXED,
    PROPERTY_INTERNAL              /* known to agents, not to System.getProperties */
};

/* value is taken over. */
static void
set(struct vm *vm, const char *key, char *value, enum property_kind kind)
{
    struct system_property *p = find(vm, key);

    if (p && kind == PROPERTY_DEFAULT) {
        mem_free(value);
        return;
    }
    if (!p) {
        p = mem_calloc(1, sizeof *p);
        p->key = mem_strdup(key);
        p->next = vm->options.properties;
        vm->options.properties = p;
    }
    mem_free(p->value);
    p->value = value;
    p->writable = kind == PROPERTY_DEFAULT;
    p->internal = kind == PROPERTY_INTERNAL;
}

static char *
library_path(void)
{
    const char *first = getenv("LD_LIBRARY_PATH");

    return first && *first ? mem_printf("%s:%s", first, LIBRARY_PATH)
                           : mem_strdup(LIBRARY_PATH);
}

void
properties_init(struct vm *vm)
{
    const char *home = vm->options.java_home;
    const char *append = vm->options.boot_append;

    set(vm, "java.vm.specification.name",
        mem_strdup("Java Virtual Machine Specification"), PROPERTY_FIXED);
    set(vm, "java.vm.specification.vendor", mem_strdup("Oracle Corporation"),
        PROPERTY_FIXED);
    set(vm, "java.vm.specification.version", mem_printf("%d", vm->profile->feature),
        PROPERTY_FIXED);
    set(vm, "java.vm.version", mem_strdup(minivm_version), PROPERTY_FIXED);
    set(vm, "java.vm.name", mem_strdup("tiforge minivm"), PROPERTY_FIXED);
    set(vm, "java.vm.vendor", mem_strdup("tiforge"), PROPERTY_FIXED);
    set(vm, "java.vm.info", mem_strdup("interpreted mode"), PROPERTY_FIXED);
    set(vm, "jdk.debug", mem_strdup("release"), PROPERTY_FIXED);
    set(vm, "jdk.boot.class.path.append", mem_strdup(append ? append : ""),
        PROPERTY_INTERNAL);
    set(vm, "sun.boot.library.path", mem_printf("%s/lib", home), PROPERTY_DEFAULT);
    set(vm, "java.library.path", library_path(), PROPERTY_DEFAULT);
    set(vm, "java.home", mem_strdup(home), PROPERTY_FIXED);
    set(vm, "java.class.path", mem_strdup(""), PROPERTY_DEFAULT);
    if (vm->options.max_direct_memory)
        set(vm, "sun.nio.MaxDirectMemorySize",
            mem_printf("%zu", vm->options.max_direct_memory), PROPERTY_FIXED);
}
