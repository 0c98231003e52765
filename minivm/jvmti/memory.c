/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/memory.c -- JVM TI "Memory Management". */

#include "jvmti/env.h"

/* A size of 0 gives NULL, which Deallocate takes.  malloc refuses more than half of the
   addresses anyway. */
jvmtiError
jvmti_Allocate(jlong size, unsigned char **mem)
{
    unsigned char *allocated = NULL;

    if (size < 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if ((uint64_t)size > SIZE_MAX / 2)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (size != 0 && !(allocated = mem_try_alloc((size_t)size)))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    *mem = allocated;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_Deallocate(unsigned char *mem)
{
    mem_free(mem);
    return JVMTI_ERROR_NONE;
}
