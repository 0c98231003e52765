/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/memory.c -- JVM TI "Memory Management". */

#include "jvmti/env.h"

jvmtiError
jvmti_Allocate(struct jvmti_env *env, jlong size, unsigned char **mem_ptr)
{
    (void)env;
    if (size < 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if ((uint64_t)size > SIZE_MAX / 2)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return jvmti_alloc((size_t)size, mem_ptr);
}

jvmtiError
jvmti_Deallocate(struct jvmti_env *env, unsigned char *mem)
{
    (void)env;
    jvmti_free(mem);
    return JVMTI_ERROR_NONE;
}
