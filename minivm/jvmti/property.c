/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/property.c -- JVM TI "System Properties". */

#include <string.h>

#include "jvmti/env.h"

struct system_property *
jvmti_property(const char *key)
{
    struct system_property *p = the_vm->options.properties;

    while (p && strcmp(p->key, key) != 0)
        p = p->next;
    return p;
}

/* The array has one element more than there are properties, so that it is never NULL.
   The properties are those that the VM has given the class library, or will. */
jvmtiError
jvmti_GetSystemProperties(jint *count, char ***properties)
{
    size_t n = 0;
    char **keys;

    for (struct system_property *p = the_vm->options.properties; p; p = p->next)
        n++;
    TRY(JVMTI_ALLOC(n + 1, &keys));
    n = 0;
    for (struct system_property *p = the_vm->options.properties; p; p = p->next)
        TRY(jvmti_copy(p->key, &keys[n++]));
    *properties = keys;
    *count = (jint)n;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetSystemProperty(const char *property, char **value)
{
    const struct system_property *p = jvmti_property(property);

    if (!p || !p->value)
        return JVMTI_ERROR_NOT_AVAILABLE;
    return jvmti_copy(p->value, value);
}

/* Possible in OnLoad only, where no other thread reads the properties.  A NULL value
   sets nothing and only asks whether the property could be set. */
jvmtiError
jvmti_SetSystemProperty(const char *property, const char *value)
{
    struct system_property *p = jvmti_property(property);
    char *copy;

    if (!p || !p->writable)
        return JVMTI_ERROR_NOT_AVAILABLE;
    if (!value)
        return JVMTI_ERROR_NONE;
    if (!(copy = mem_try_strdup(value)))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    mem_free(p->value);
    p->value = copy;
    return JVMTI_ERROR_NONE;
}
