/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/rawmonitor.c -- JVM TI "Raw Monitor". */

#include "jvmti/env.h"
#include "vm/monitor.h"

static const jvmtiError errors[] = {
    [RAW_DONE] = JVMTI_ERROR_NONE,
    [RAW_NOT_OWNED] = JVMTI_ERROR_NOT_MONITOR_OWNER,
    [RAW_INTERRUPTED] = JVMTI_ERROR_INTERRUPT,
    [RAW_DEAD] = JVMTI_ERROR_INVALID_MONITOR,
};

jvmtiError
jvmti_resolve_monitor(jrawMonitorID monitor, struct monitor **result)
{
    *result = raw_monitor_of_id(the_vm, (uintptr_t)monitor);
    if (*result == NULL)
        return JVMTI_ERROR_INVALID_MONITOR;
    return current_thread != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNATTACHED_THREAD;
}

jvmtiError
jvmti_CreateRawMonitor(const char *name, jrawMonitorID *monitor)
{
    uintptr_t id = raw_monitor_new(the_vm);

    (void)name;
    if (id == 0)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    *monitor = (jrawMonitorID)id;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_DestroyRawMonitor(struct monitor *monitor)
{
    return errors[raw_monitor_free(current_thread, monitor)];
}

jvmtiError
jvmti_RawMonitorEnter(struct monitor *monitor)
{
    return errors[raw_monitor_enter(current_thread, monitor)];
}

jvmtiError
jvmti_RawMonitorExit(struct monitor *monitor)
{
    return errors[raw_monitor_exit(current_thread, monitor)];
}

jvmtiError
jvmti_RawMonitorWait(struct monitor *monitor, jlong millis)
{
    return errors[raw_monitor_wait(current_thread, monitor, millis)];
}

jvmtiError
jvmti_RawMonitorNotify(struct monitor *monitor)
{
    return errors[raw_monitor_wake(current_thread, monitor, false)];
}

jvmtiError
jvmti_RawMonitorNotifyAll(struct monitor *monitor)
{
    return errors[raw_monitor_wake(current_thread, monitor, true)];
}
