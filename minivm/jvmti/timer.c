/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/timer.c -- JVM TI "Timers". */

#include "base/os.h"
#include "jvmti/env.h"

/* The widest range of a clock: 64 bits of nanoseconds. */
JVMTI_BODY(jvmtiTimerInfo, jvmti_GetCurrentThreadCpuTimerInfo, (void),
           (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_TOTAL_CPU })
JVMTI_BODY(jvmtiTimerInfo, jvmti_GetThreadCpuTimerInfo, (void),
           jvmti_GetCurrentThreadCpuTimerInfo())
JVMTI_BODY(jvmtiTimerInfo, jvmti_GetTimerInfo, (void),
           (jvmtiTimerInfo){ .max_value = INT64_MAX, .kind = JVMTI_TIMER_ELAPSED })
JVMTI_BODY(jlong, jvmti_GetCurrentThreadCpuTime, (void), os_thread_cpu_nanos())

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

JVMTI_BODY(jlong, jvmti_GetTime, (void), os_nanos())
JVMTI_BODY(jint, jvmti_GetAvailableProcessors, (void),
           vm_processor_count(the_vm))
