/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/object.c -- JVM TI "Object". */

#include "jvmti/env.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

JVMTI_BODY(jlong, jvmti_GetObjectSize, (struct object *object),
           (jlong)object_size(object))
JVMTI_BODY(jint, jvmti_GetObjectHashCode, (struct object *object),
           object_identity_hash(object))

/* Local references to the threads' objects. */
static jvmtiError
thread_locals(struct thread *const *threads, size_t count, jint *result_count,
              jthread **result)
{
    struct scope found = scope_open(current_thread);

    for (size_t i = 0; i < count; i++)
        keep(found.self, threads[i]->object);
    return jvmti_locals(&found, result_count, result);
}

static jvmtiError
fill_usage(const struct monitor_usage *usage, jvmtiMonitorUsage *info)
{
    *info = (jvmtiMonitorUsage){ .owner = NULL };
    if (usage->owner != NULL) {
        info->entry_count = usage->entry_count;
        TRY(jvmti_local(usage->owner->object, &info->owner));
    }
    TRY(thread_locals(usage->waiters, usage->waiter_count, &info->waiter_count,
                      &info->waiters));
    return thread_locals(usage->notify_waiters, usage->notify_waiter_count,
                         &info->notify_waiter_count, &info->notify_waiters);
}

jvmtiError
jvmti_GetObjectMonitorUsage(struct object *object, jvmtiMonitorUsage *info)
{
    struct thread *self = current_thread;
    struct monitor_usage usage;
    jvmtiError error = JVMTI_ERROR_OUT_OF_MEMORY;

    world_stop(self, "GetObjectMonitorUsage");
    if (monitor_get_usage(self->vm, object, &usage)) {
        error = fill_usage(&usage, info);
        monitor_usage_release(&usage);
    }
    world_resume(self);
    return error;
}
