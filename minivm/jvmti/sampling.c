/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/sampling.c -- JVM TI "Heap Monitoring": when the heap takes samples. */

#include "jvmti/env.h"
#include "vm/safepoint.h"

void
jvmti_update_sampling(struct thread *self, bool is_wanted)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    size_t interval;
    bool is_change;

    mutex_lock(&jvmti->mutex);
    interval = is_wanted ? (size_t)__atomic_load_n(&jvmti->sampling_interval,
                                                   __ATOMIC_RELAXED)
                         : HEAP_NO_SAMPLING;
    is_change = interval != jvmti->sampling_now;
    if (is_change)
        heap_set_sampling(self->vm->heap, interval);
    jvmti->sampling_now = interval;
    mutex_unlock(&jvmti->mutex);
    if (is_change) {
        /* Empties the caches, so that the next allocation of every thread asks. */
        world_stop(self, "heap sampling");
        world_resume(self);
    }
}

jvmtiError
jvmti_SetHeapSamplingInterval(jint sampling_interval)
{
    __atomic_store_n(&current_thread->vm->jvmti->sampling_interval, sampling_interval,
                     __ATOMIC_RELAXED);
    jvmti_update_events(current_thread);
    return JVMTI_ERROR_NONE;
}
