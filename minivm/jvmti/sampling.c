/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/sampling.c -- JVM TI "Heap Monitoring": when the heap takes samples.
 *
 * The heap takes samples while some environment wants SampledObjectAlloc, at the
 * interval that was set last. */

#include "jvmti/env.h"
#include "threads/safepoint.h"

/* Gives the heap the interval that agents asked for if is_wanted, and else ends the
   sampling.  Does nothing if the heap has that interval already. */
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
        /* A thread allocates from its cache without asking the heap.  A stop of the
           world empties all caches, so each thread learns of the interval with its next
           allocation. */
        world_stop(self, "heap sampling");
        world_resume(self);
    }
}

jvmtiError
jvmti_SetHeapSamplingInterval(struct thread *self, jint sampling_interval)
{
    __atomic_store_n(&self->vm->jvmti->sampling_interval, sampling_interval,
                     __ATOMIC_RELAXED);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}
