/* SPDX-License-Identifier: MIT */
/*
 * tiforge/monitor.h -- raw monitors (JVM TI "Raw Monitors").
 *
 * A raw monitor rather than a mutex where a thread may wait long: the VM knows that the
 * thread waits and can stop it for a collection.  All functions are callback safe; the
 * error of each is logged.
 */
#ifndef TIFORGE_MONITOR_H
#define TIFORGE_MONITOR_H

#include <stdbool.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tf_monitor {
    jvmtiEnv *jvmti;
    jrawMonitorID id;
};

/* OnLoad or live phase.  name is copied by the VM. */
bool tf_monitor_init(struct tf_monitor *monitor, jvmtiEnv *jvmti, const char *name);
/* Nobody may be inside but the caller, who may. */
void tf_monitor_release(struct tf_monitor *monitor);

bool tf_monitor_enter(struct tf_monitor *monitor);
void tf_monitor_exit(struct tf_monitor *monitor);

enum tf_waited { TF_WAITED, TF_INTERRUPTED, TF_WAIT_FAILED };

/*
 * Wait for a notification, `milliseconds` at most, 0 for ever.  JVM TI does not tell a
 * notification from the end of the time and wakes without reason, too: wait in a loop
 * over a condition.  TF_INTERRUPTED: Thread.interrupt.
 */
enum tf_waited tf_monitor_wait(struct tf_monitor *monitor, jlong milliseconds);
void tf_monitor_notify(struct tf_monitor *monitor);
void tf_monitor_notify_all(struct tf_monitor *monitor);

#ifdef __cplusplus
}

namespace tiforge {

class lock {
public:
    explicit lock(tf_monitor &monitor) : monitor_(monitor)
    {
        tf_monitor_enter(&monitor_);
    }
    ~lock() { tf_monitor_exit(&monitor_); }
    lock(const lock &) = delete;
    lock &operator=(const lock &) = delete;

private:
    tf_monitor &monitor_;
};

}
#endif

#endif
