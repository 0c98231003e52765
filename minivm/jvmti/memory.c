/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/memory.c -- JVM TI "Memory Management". */

#include "jvmti/env.h"

jvmtiError
jvmti_Allocate(jlong size, unsigned char **mem)
{
    if (size < 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if ((uint64_t)size > SIZE_MAX / 2)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    *mem = size != 0 ? mem_try_alloc((size_t)size) : NULL;
    return *mem != NULL || size == 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

jvmtiError
jvmti_Deallocate(unsigned char *mem)
{
    mem_free(mem);
    return JVMTI_ERROR_NONE;
}
