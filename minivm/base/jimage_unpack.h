/* SPDX-License-Identifier: MIT */
/* minivm/base/jimage_unpack.h -- compressed resources, for jimage.c alone. */
#ifndef MINIVM_BASE_JIMAGE_UNPACK_H
#define MINIVM_BASE_JIMAGE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The image's strings, the last of which ends with a NUL, and its byte order. */
struct jimage_strings {
    const char *bytes;
    size_t length;
    bool big_endian;
};

/*
 * Undoes what jlink's compressors did to a resource of size bytes, one after
 * the other.  The result goes to mem_free; NULL with *why, a constant text, set
 * when the resource is damaged.
 */
uint8_t *jimage_unpack(const struct jimage_strings *strings, const uint8_t *bytes,
                       size_t length, uint64_t size, const char **why);

static inline uint32_t
jimage_u4(const uint8_t *at, bool big_endian)
{
    uint32_t value;

    __builtin_memcpy(&value, at, 4);
    if (big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
        value = __builtin_bswap32(value);
    return value;
}

#endif
