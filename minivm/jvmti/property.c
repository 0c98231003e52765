/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/property.c -- JVM TI "System Properties". */

#include <string.h>

#include "base/mem.h"
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
jvmti_GetSystemProperties(jint *count_ptr, char ***property_ptr)
{
    size_t count = 0, at = 0;
    char **keys;

    for (struct system_property *p = the_vm->options.properties; p; p = p->next)
        count++;
    TRY(jvmti_alloc((count + 1) * sizeof *keys, &keys));
    for (struct system_property *p = the_vm->options.properties; p; p = p->next) {
        if (jvmti_copy(p->key, &keys[at]) != JVMTI_ERROR_NONE) {
            while (at-- > 0)
                jvmti_free(keys[at]);
            jvmti_free(keys);
            return JVMTI_ERROR_OUT_OF_MEMORY;
        }
        at++;
    }
    *count_ptr = (jint)count;
    *property_ptr = keys;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetSystemProperty(const char *property, char **value_ptr)
{
    const struct system_property *p = jvmti_property(property);

    if (p == NULL || p->value == NULL)
        return JVMTI_ERROR_NOT_AVAILABLE;
    return jvmti_copy(p->value, value_ptr);
}

jvmtiError
jvmti_SetSystemProperty(const char *property, const char *value_ptr)
{
    struct system_property *p = jvmti_property(property);
    char *copy;

    if (p == NULL || !p->writable)
        return JVMTI_ERROR_NOT_AVAILABLE;
    if (value_ptr == NULL)
        return JVMTI_ERROR_NONE;
    TRY(jvmti_copy(value_ptr, &copy));
    mem_free(p->value);
    p->value = copy;
    return JVMTI_ERROR_NONE;
}
