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
    interval = is_wanted ? (size_t)jvmti->sampling_interval : HEAP_NO_SAMPLING;
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
    struct jvmti_vm *jvmti = current_thread->vm->jvmti;
    bool is_sampling;

    mutex_lock(&jvmti->mutex);
    jvmti->sampling_interval = sampling_interval;
    is_sampling = jvmti->sampling_now != HEAP_NO_SAMPLING;
    mutex_unlock(&jvmti->mutex);
    jvmti_update_sampling(current_thread, is_sampling);
    return JVMTI_ERROR_NONE;
}
