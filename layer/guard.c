/* SPDX-License-Identifier: MIT */
/* layer/guard.c -- memory between two zones. */
#include "layer/guard.h"

#include <string.h>

#include "layer/arena.h"
#include "layer/page.h"

/* A zone keeps the alignment of what arena_new gives. */
#define ZONE 16
#define ZONE_BYTE 0xA5
#define SPOILT_BYTE 0xDD

static bool
has_changed(const unsigned char *bytes, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != byte)
            return true;
    return false;
}

void *
guard_new(size_t size)
{
    char *whole = arena_new(size + 2 * ZONE);

    if (whole == NULL)
        return NULL;
    memset(whole, ZONE_BYTE, ZONE);
    memset(whole + ZONE + size, ZONE_BYTE, ZONE);
    return whole + ZONE;
}

void *
guard_new_page(size_t size)
{
    char *whole = page_new(size + 2 * ZONE);

    if (whole == NULL)
        return NULL;
    memset(whole, ZONE_BYTE, ZONE);
    memset(whole + ZONE + size, ZONE_BYTE, ZONE);
    return whole + ZONE;
}

enum guard_damage
guard_check(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;

    if (has_changed(bytes - ZONE, ZONE, ZONE_BYTE))
        return GUARD_BEFORE;
    return has_changed(bytes + size, ZONE, ZONE_BYTE) ? GUARD_BEHIND : GUARD_WHOLE;
}

void
guard_spoil(void *memory, size_t size)
{
    memset((char *)memory - ZONE, SPOILT_BYTE, size + 2 * ZONE);
}

bool
guard_was_written(const void *memory, size_t size)
{
    return has_changed((const unsigned char *)memory - ZONE, size + 2 * ZONE,
                       SPOILT_BYTE);
}

void
guard_free(void *memory, size_t size)
{
    if (!page_is_ours(memory))
        arena_free((char *)memory - ZONE, size + 2 * ZONE);
}
