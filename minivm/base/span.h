/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/span.h -- tables that grow in place: reserved address space whose
 * beginning is committed, that is, has memory behind it.
 *
 * A span never moves, so that pointers into it stay valid while it grows, and a part
 * that was never committed costs address space alone.  The heap keeps its cells and its
 * tables in spans; so do the tables of monitors, of JVM TI's ids and of its tags.  A
 * span has no lock: its owner lets one thread commit at a time.  Nothing here stops or
 * collects.
 */
#ifndef MINIVM_BASE_SPAN_H
#define MINIVM_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

/* [base, base + committed) may be accessed; all zeroes is a span without a range. */
struct span {
    char *base;
    size_t reserved, committed; /* bytes */
};

/*
 * Reserves size bytes, rounded up to SPAN_ALIGNMENT, at a multiple of SPAN_ALIGNMENT,
 * and commits none.  Returns false when the address space has no such range; the span
 * is not to be used then.
 */
#define SPAN_ALIGNMENT ((size_t)64 << 10)
bool span_reserve(struct span *span, size_t size);

/*
 * Makes the first size bytes accessible; new memory is zero.  size must not exceed
 * span->reserved.  Commits more than was asked for where it can, in steps that grow
 * with the span, to save system calls.  Returns false, and leaves the span as it is,
 * when the system has no memory.
 */
bool span_commit(struct span *span, size_t size);

/* Gives the range back to the system; the span is all zeroes afterwards. */
void span_release(struct span *span);

#endif
