/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/rawmonitor.c -- JVM TI "Raw Monitor".
 *
 * The monitors are in threads/monitor.h.  A jrawMonitorID is an id there, not an
 * address, so one that was destroyed or never was is noticed. */

#include "jvmti/env.h"
#include "threads/monitor.h"

/* The errors for the results of the functions there. */
static const jvmtiError errors[] = {
    [RAW_DONE] = JVMTI_ERROR_NONE,
    [RAW_NOT_OWNED] = JVMTI_ERROR_NOT_MONITOR_OWNER,
    [RAW_INTERRUPTED] = JVMTI_ERROR_INTERRUPT,
    [RAW_DEAD] = JVMTI_ERROR_INVALID_MONITOR,
};

/* The wrapper does not enter the VM for raw monitors, so that they can be used in
   callbacks of the collector, too. */
jvmtiError
jvmti_resolve_monitor(jrawMonitorID monitor, struct monitor **result)
{
    *result = raw_monitor_of_id(the_vm, (uintptr_t)monitor);
    if (!*result)
        return JVMTI_ERROR_INVALID_MONITOR;
    return current_thread ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNATTACHED_THREAD;
}

jvmtiError
jvmti_CreateRawMonitor(const char *name, jrawMonitorID *monitor)
{
    uintptr_t id = raw_monitor_new(the_vm);

    /* The name serves an agent's author; nothing in the VM shows it. */
    (void)name;
    if (id == 0)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    *monitor = (jrawMonitorID)id;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_DestroyRawMonitor(struct thread *self, struct monitor *monitor)
{
    return errors[raw_monitor_free(self, monitor)];
}

jvmtiError
jvmti_RawMonitorEnter(struct thread *self, struct monitor *monitor)
{
    return errors[raw_monitor_enter(self, monitor)];
}

jvmtiError
jvmti_RawMonitorExit(struct thread *self, struct monitor *monitor)
{
    return errors[raw_monitor_exit(self, monitor)];
}

jvmtiError
jvmti_RawMonitorWait(struct thread *self, struct monitor *monitor, jlong millis)
{
    return errors[raw_monitor_wait(self, monitor, millis)];
}

jvmtiError
jvmti_RawMonitorNotify(struct thread *self, struct monitor *monitor)
{
    return errors[raw_monitor_wake(self, monitor, false)];
}

jvmtiError
jvmti_RawMonitorNotifyAll(struct thread *self, struct monitor *monitor)
{
    return errors[raw_monitor_wake(self, monitor, true)];
}
