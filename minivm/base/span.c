/* SPDX-License-Identifier: MIT */
/* minivm/base/span.c -- reserved address space whose beginning is committed. */

#include "base/span.h"

#include "base/os.h"

/* The least to commit at once.  Committing costs a system call but no memory, which
   the system provides when a page is first accessed. */
#define COMMIT_STEP ((size_t)1 << 20)

bool
span_reserve(struct span *span, size_t size)
{
    size = (size + SPAN_ALIGNMENT - 1) & ~(SPAN_ALIGNMENT - 1);
    *span = (struct span){ os_reserve_aligned(size, SPAN_ALIGNMENT), size, 0 };
    return span->base;
}

/* Tries a whole step first, and if the system has not so much, what was asked for. */
bool
span_commit(struct span *span, size_t size)
{
    size_t page = os_page_size();
    size_t step = span->committed / 8 + COMMIT_STEP;
    size_t want = span->committed + step > size ? span->committed + step : size;
    size_t old = span->committed;

    if (size <= old)
        return true;
    want = (want + page - 1) & ~(page - 1);
    size = (size + page - 1) & ~(page - 1);
    if (want > span->reserved)
        want = span->reserved;
    if (!os_commit(span->base + old, want - old)) {
        want = size;
        if (!os_commit(span->base + old, want - old))
            return false;
    }
    span->committed = want;
    return true;
}

void
span_release(struct span *span)
{
    if (span->base)
        os_release(span->base, span->reserved);
    *span = (struct span){ NULL, 0, 0 };
}
