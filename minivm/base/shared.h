/* SPDX-License-Identifier: MIT */
/* minivm/base/shared.h -- what threads read and write at once, and may.
 *
 * Programs race (JLS 17.4.5): a reference gets from thread to thread without a lock, and
 * with it the first contents of what it refers to.  Aligned words, accessed plainly,
 * behave as the memory model wants it there; ThreadSanitizer is shown in its builds that
 * these accesses mean to be atomic, so that it reports the others. */

#ifndef MINIVM_BASE_SHARED_H
#define MINIVM_BASE_SHARED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SANITIZE_THREAD__

#include <sanitizer/tsan_interface.h>

#define SHARED(type) _Atomic(type)
/* A function whose plain accesses are not looked at. */
#define UNTRACKED __attribute__((no_sanitize("thread"), noinline))
/* What came before is seen behind an acquiring read of the place. */
#define SHARED_RELEASE(place) __tsan_release(place)

#define SHARED_MOVE_BY(type) \
    if (((uintptr_t)to | (uintptr_t)from | size) % sizeof(type) == 0) { \
        volatile type *t = to; \
        const volatile type *f = from; \
        size_t n = size / sizeof(type); \
        if ((uintptr_t)to < (uintptr_t)from) \
            for (size_t i = 0; i < n; i++) \
                t[i] = f[i]; \
        else \
            while (n-- > 0) \
                t[n] = f[n]; \
        return; \
    }

UNTRACKED static __attribute__((unused)) void
shared_move(void *to, const void *from, size_t size)
{
    SHARED_MOVE_BY(uint64_t)
    SHARED_MOVE_BY(uint32_t)
    SHARED_MOVE_BY(uint16_t)
    SHARED_MOVE_BY(uint8_t)
}

#else

#define SHARED(type) type
#define UNTRACKED
#define SHARED_RELEASE(place) ((void)0)
#define shared_move memmove

#endif
#endif
