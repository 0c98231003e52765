/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/zip.h -- reading zip and jar files.
 *
 * Nothing here stops or collects.
 */
#ifndef MINIVM_BASE_ZIP_H
#define MINIVM_BASE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An open archive.  Its directory is in memory and its file is open for reading.  The
 * archive may be malicious: each number in it is checked before it is used.  Any thread
 * may read an open archive; no other one may use it when zip_close is called.
 */
struct zip;

/* One file of the archive.  name lives as long as the archive. */
struct zip_entry {
    /* UTF-8, or whatever the archiver wrote; no NUL follows. */
    const char *name;
    size_t name_length;
    uint64_t size;
    uint64_t compressed_size;
    uint64_t header_offset;
    uint32_t crc;
    /* 0: stored, 8: deflated; zip_read refuses others. */
    uint16_t method;
    /* The general purpose bits (APPNOTE 4.4.4); the lowest one: encrypted. */
    uint16_t flags;
};

/* zip_read refuses entries that claim to be larger, as no class is. */
#define ZIP_MAX_ENTRY_SIZE ((uint64_t)1 << 31)

/*
 * Opens an archive.  When the file cannot be opened or is none, returns NULL and stores
 * the reason without the name, such as "No such file or directory" or "not a zip file",
 * which the caller frees (mem_free).  error may be NULL here and below.
 */
struct zip *zip_open(const char *path, char **error);
void zip_close(struct zip *z);

/* Finds the entry of exactly this name; the last one if there are several, as in the
   JDK. */
bool zip_find(const struct zip *z, const char *name, size_t length,
              struct zip_entry *entry);
/* Stores the next entry in the order of the directory, or returns false at the end.
   *cursor is 0 before the first call. */
bool zip_next(const struct zip *z, size_t *cursor, struct zip_entry *entry);

/*
 * Stores the content of the entry, inflated and compared with its size and CRC, with a
 * NUL behind it that *length does not count; the caller frees it (mem_free).  Returns
 * false with *error when it is damaged or cannot be read.
 */
bool zip_read(const struct zip *z, const struct zip_entry *entry, uint8_t **data,
              size_t *length, char **error);

#endif
