/* SPDX-License-Identifier: MIT */
/* minivm/threads/mutex.h -- short mutexes.
 *
 * A struct mutex guards a structure of the VM for work that is short: who holds one
 * does not stop at a safepoint, does not allocate in the heap, and waits for nothing
 * but another mutex.  So it does not matter whether the holder is IN_VM, and a thread
 * may lock a mutex in any state.  What may take long waits between thread_block_begin
 * and thread_block_end instead (safepoint.h).  Nothing here can fail. */

#ifndef MINIVM_THREADS_MUTEX_H
#define MINIVM_THREADS_MUTEX_H

#include <pthread.h>

struct mutex {
    pthread_mutex_t m;
};

/* A thread that finds the mutex locked spins a little before it sleeps: to sleep and to
   be woken takes longer than the work that the mutex is held for. */
static inline void
mutex_init(struct mutex *m)
{
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    m->m = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
    pthread_mutex_init(&m->m, NULL);
#endif
}

/* Locks m, which the calling thread does not hold, and returns it. */
static inline struct mutex *
mutex_lock(struct mutex *m)
{
    pthread_mutex_lock(&m->m);
    return m;
}

static inline void
mutex_unlock(struct mutex *m)
{
    pthread_mutex_unlock(&m->m);
}

/* For LOCK: unlocks what the variable at m names. */
static inline void
mutex_leave(struct mutex **m)
{
    mutex_unlock(*m);
}

/* Declares that m is locked from here to the end of the block, however that is left. */
#define LOCK(m) \
    struct mutex *mutex_here \
        __attribute__((cleanup(mutex_leave), unused)) = mutex_lock(m)

#endif
