/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/object.c -- JVM TI "Object". */

#include "jvmti/env.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"

jlong
jvmti_GetObjectSize(struct object *object)
{
    return (jlong)object_size(object);
}

jint
jvmti_GetObjectHashCode(struct object *object)
{
    return object_identity_hash(object);
}

/* Returns true if the description of a monitor's use has to name the thread: since level
   25 it names platform threads only. */
static bool
is_shown(const struct thread *t)
{
    return jvmti_level() < 25 || !thread_object_is_virtual(t->vm, t->current);
}

/* Makes an array of local references to the threads' objects. */
static jvmtiError
thread_locals(struct thread *self, struct thread *const *threads, size_t count,
              jint *result_count, jthread **result)
{
    struct handle_scope found = handle_scope_open(self);

    for (size_t i = 0; i < count; i++)
        if (is_shown(threads[i]))
            handle_new(self, threads[i]->current);
    return jvmti_locals(&found, result_count, result);
}

/* Shows the VM's description of a monitor's use to the agent.  The world is stopped.
   entry_count stays 0 for a monitor whose owner is not shown. */
static jvmtiError
fill_usage(struct thread *self, const struct monitor_usage *usage,
           jvmtiMonitorUsage *info)
{
    *info = (jvmtiMonitorUsage){ .owner = NULL };
    if (usage->owner && is_shown(usage->owner)) {
        info->entry_count = usage->entry_count;
        TRY(jvmti_local(self, usage->owner_object, &info->owner));
    }
    TRY(thread_locals(self, usage->waiters, usage->waiter_count, &info->waiter_count,
                      &info->waiters));
    return thread_locals(self, usage->notify_waiters, usage->notify_waiter_count,
                         &info->notify_waiter_count, &info->notify_waiters);
}

/* The world is stopped, so that the owner and the threads that wait are all of one
   moment. */
jvmtiError
jvmti_GetObjectMonitorUsage(struct thread *self, struct object *object,
                            jvmtiMonitorUsage *info)
{
    struct monitor_usage usage;
    jvmtiError error = JVMTI_ERROR_OUT_OF_MEMORY;

    world_stop(self, "GetObjectMonitorUsage");
    if (monitor_get_usage(self->vm, object, &usage)) {
        error = fill_usage(self, &usage, info);
        monitor_usage_release(&usage);
    }
    world_resume(self);
    return error;
}
