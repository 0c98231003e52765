/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/timer.c -- JVM TI "Timers". */

#include "base/os.h"
#include "jvmti/env.h"

/* The widest range of a clock: 64 bits of nanoseconds. */
jvmtiError
jvmti_GetCurrentThreadCpuTimerInfo(jvmtiTimerInfo *info)
{
    *info = (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_TOTAL_CPU };
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadCpuTimerInfo(jvmtiTimerInfo *info)
{
    return jvmti_GetCurrentThreadCpuTimerInfo(info);
}

jvmtiError
jvmti_GetTimerInfo(jvmtiTimerInfo *info)
{
    *info = (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_ELAPSED };
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetCurrentThreadCpuTime(jlong *nanos)
{
    *nanos = os_thread_cpu_nanos();
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadCpuTime(const struct target *thread, jlong *result)
{
    int64_t nanos;

    nanos = thread->live == current_thread ? os_thread_cpu_nanos()
                                           : os_thread_cpu_nanos_of(thread->live->pthread);
    if (nanos < 0)
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *result = nanos;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetTime(jlong *nanos)
{
    *nanos = os_nanos();
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetAvailableProcessors(jint *count)
{
    *count = os_processor_count();
    return JVMTI_ERROR_NONE;
}
