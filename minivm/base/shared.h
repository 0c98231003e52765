/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/shared.h -- memory that threads read and write without a lock, on
 * purpose.
 *
 * Java programs may have data races, and their meaning is defined (JLS 17.4.5): a
 * reference may get from one thread to another without a lock, and with it the first
 * contents of the object.  Plain accesses to aligned words behave on our processors as
 * Java's memory model wants.  In builds with ThreadSanitizer these macros tell it that
 * the accesses are meant, so that it reports only the others.
 */

#ifndef MINIVM_BASE_SHARED_H
#define MINIVM_BASE_SHARED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SANITIZE_THREAD__

#    include <sanitizer/tsan_interface.h>

/* The type of a variable that is accessed so. */
#    define SHARED(type) _Atomic(type)
/* Declares a function whose accesses ThreadSanitizer ignores. */
#    define UNTRACKED __attribute__((no_sanitize("thread"), noinline))
/* What this thread did before is visible to one that reads *address with acquire
   order. */
#    define SHARED_RELEASE(address) __tsan_release(address)

/* As memchr, but no access is reported. */
UNTRACKED static __attribute__((unused)) void *
shared_find(const void *bytes, int byte, size_t size)
{
    const volatile uint8_t *at = bytes;

    for (size_t i = 0; i < size; i++)
        if (at[i] == (uint8_t)byte)
            return (uint8_t *)(uintptr_t)bytes + i;
    return NULL;
}

/* As memset with 0, but no access is reported.  address and size are multiples of 8. */
UNTRACKED static __attribute__((unused)) void
shared_zero(void *address, size_t size)
{
    volatile uint64_t *at = address;

    for (size_t i = 0; i < size / sizeof *at; i++)
        at[i] = 0;
}

/* Moves the bytes in words of the type and returns from the function, if everything is
   aligned to it.  It belongs to shared_move, whose parameters it uses. */
#    define SHARED_MOVE_BY(type) \
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

/* As memmove, but no word is torn and no access is reported. */
UNTRACKED static __attribute__((unused)) void
shared_move(void *to, const void *from, size_t size)
{
    SHARED_MOVE_BY(uint64_t)
    SHARED_MOVE_BY(uint32_t)
    SHARED_MOVE_BY(uint16_t)
    SHARED_MOVE_BY(uint8_t)
}

#else

#    define SHARED(type) type
#    define UNTRACKED
#    define SHARED_RELEASE(address) ((void)0)
#    define shared_move memmove
#    define shared_find memchr
#    define shared_zero(address, size) memset(address, 0, size)

#endif
#endif
