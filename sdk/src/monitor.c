/* SPDX-License-Identifier: MIT */
/* sdk/src/monitor.c -- raw monitors. */
#include <tiforge/monitor.h>

#include <tiforge/agent.h>

bool
tf_monitor_init(struct tf_monitor *monitor, jvmtiEnv *jvmti, const char *name)
{
    monitor->jvmti = jvmti;
    monitor->id = NULL;
    return TF_CALL(jvmti, CreateRawMonitor, (jvmti, name, &monitor->id));
}

void
tf_monitor_release(struct tf_monitor *monitor)
{
    if (monitor->id != NULL)
        TF_CALL(monitor->jvmti, DestroyRawMonitor, (monitor->jvmti, monitor->id));
    monitor->id = NULL;
}

bool
tf_monitor_enter(struct tf_monitor *monitor)
{
    return TF_CALL(monitor->jvmti, RawMonitorEnter, (monitor->jvmti, monitor->id));
}

void
tf_monitor_exit(struct tf_monitor *monitor)
{
    TF_CALL(monitor->jvmti, RawMonitorExit, (monitor->jvmti, monitor->id));
}

enum tf_waited
tf_monitor_wait(struct tf_monitor *monitor, jlong milliseconds)
{
    jvmtiEnv *jvmti = monitor->jvmti;
    jvmtiError error = (*jvmti)->RawMonitorWait(jvmti, monitor->id, milliseconds);

    if (error == JVMTI_ERROR_INTERRUPT)
        return TF_INTERRUPTED;
    return tf_check(jvmti, error, "RawMonitorWait") ? TF_WAITED : TF_WAIT_FAILED;
}

void
tf_monitor_notify(struct tf_monitor *monitor)
{
    TF_CALL(monitor->jvmti, RawMonitorNotify, (monitor->jvmti, monitor->id));
}

void
tf_monitor_notify_all(struct tf_monitor *monitor)
{
    TF_CALL(monitor->jvmti, RawMonitorNotifyAll, (monitor->jvmti, monitor->id));
}
