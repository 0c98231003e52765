/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/timer.c -- JVM TI "Timers". */

#include "base/os.h"
#include "jvmti/env.h"

/* All clocks count 64 bits of nanoseconds and neither jump nor wrap around. */

jvmtiTimerInfo
jvmti_GetCurrentThreadCpuTimerInfo(void)
{
    return (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_TOTAL_CPU };
}

jvmtiTimerInfo
jvmti_GetThreadCpuTimerInfo(void)
{
    return jvmti_GetCurrentThreadCpuTimerInfo();
}

jvmtiTimerInfo
jvmti_GetTimerInfo(void)
{
    return (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_ELAPSED };
}

/* Returns true if the calling thread is a virtual one.  It may be in native code, or
   not attached: its object stays what it is. */
static bool
caller_is_virtual(void)
{
    const struct object *o = current_thread ? current_thread->current : NULL;

    return o && thread_object_is_virtual(current_thread->vm, o);
}

/* A virtual thread has no clock of its own (JVM TI "Get Current Thread CPU Time").  A
   thread that is not attached has one. */
jvmtiError
jvmti_GetCurrentThreadCpuTime(jlong *nanos)
{
    if (caller_is_virtual())
        return JVMTI_ERROR_UNSUPPORTED_OPERATION;
    *nanos = os_thread_cpu_nanos();
    return JVMTI_ERROR_NONE;
}

/* A thread that has ended meanwhile has no clock any more, which makes
   os_thread_cpu_nanos_of negative. */
jvmtiError
jvmti_GetThreadCpuTime(const struct target *thread, jlong *result)
{
    int64_t nanos;

    if (thread_object_is_virtual(the_vm, thread->object))
        return JVMTI_ERROR_UNSUPPORTED_OPERATION;
    nanos = thread->live == current_thread
                ? os_thread_cpu_nanos()
                : os_thread_cpu_nanos_of(thread->live->pthread);
    if (nanos < 0)
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *result = nanos;
    return JVMTI_ERROR_NONE;
}

jlong
jvmti_GetTime(void)
{
    return os_nanos();
}

jint
jvmti_GetAvailableProcessors(void)
{
    return vm_processor_count(the_vm);
}
