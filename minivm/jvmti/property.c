/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/property.c -- JVM TI "System Properties". */

#include <string.h>

#include "jvmti/env.h"

struct system_property *
jvmti_property(const char *key)
{
    struct system_property *p = the_vm->options.properties;

    while (p != NULL && strcmp(p->key, key) != 0)
        p = p->next;
    return p;
}

jvmtiError
jvmti_GetSystemProperties(jint *count, char ***properties)
{
    size_t n = 0;
    char **keys;

    for (struct system_property *p = the_vm->options.properties; p; p = p->next)
        n++;
    TRY(jvmti_alloc((n + 1) * sizeof *keys, &keys));
    *properties = keys;
    *count = (jint)n;
    for (struct system_property *p = the_vm->options.properties; p; p = p->next)
        TRY(jvmti_copy(p->key, keys++));
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetSystemProperty(const char *property, char **value)
{
    const struct system_property *p = jvmti_property(property);

    if (p == NULL || p->value == NULL)
        return JVMTI_ERROR_NOT_AVAILABLE;
    return jvmti_copy(p->value, value);
}

jvmtiError
jvmti_SetSystemProperty(const char *property, const char *value)
{
    struct system_property *p = jvmti_property(property);
    char *copy;

    if (p == NULL || !p->writable)
        return JVMTI_ERROR_NOT_AVAILABLE;
    if (value == NULL)
        return JVMTI_ERROR_NONE;
    TRY(jvmti_copy(value, &copy));
    mem_free(p->value);
    p->value = copy;
    return JVMTI_ERROR_NONE;
}
