/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/timer.c -- JVM TI "Timers". */

#include "base/os.h"
#include "jvmti/env.h"

/* The widest range of a clock: 64 bits of nanoseconds. */
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

jlong
jvmti_GetCurrentThreadCpuTime(void)
{
    return os_thread_cpu_nanos();
}

jvmtiError
jvmti_GetThreadCpuTime(const struct target *thread, jlong *result)
{
    int64_t nanos = thread->live == current_thread
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
    return os_processor_count();
}
