/* SPDX-License-Identifier: MIT */
/*
 * What the marking links into the submission's VM.  The lab's own agent (probe.c) finds
 * the two functions by their names, which the VM's library exports since they begin with
 * JVM_; they change how the submission's code runs.
 *
 * The linker leads each call of jvmti_alloc, which JVMTI_ALLOC makes, to the function
 * here (--wrap), and each access to memory of the submission's files sleeps (accesses.c).
 */
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

int lab_sleep_us;
static __thread bool is_short;

void *__real_jvmti_alloc(size_t size);
void *__wrap_jvmti_alloc(size_t size);
JNIEXPORT void JVM_LabSleep(int microseconds);
JNIEXPORT void JVM_LabShortOfMemory(int yes);

void *
__wrap_jvmti_alloc(size_t size)
{
    return is_short ? NULL : __real_jvmti_alloc(size);
}

/* Each access of the submission's code sleeps so long; 0: none does. */
void
JVM_LabSleep(int microseconds)
{
    __atomic_store_n(&lab_sleep_us, microseconds, __ATOMIC_SEQ_CST);
}

/* The calling thread gets no memory for an agent's results. */
void
JVM_LabShortOfMemory(int yes)
{
    is_short = yes != 0;
}
