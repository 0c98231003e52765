/* SPDX-License-Identifier: MIT */
/* minivm/base/zip.h -- reading zip and jar files. */
#ifndef MINIVM_BASE_ZIP_H
#define MINIVM_BASE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An open archive: its directory in memory, its file open for reading.  The
 * archive may be hostile: every number in it is checked before use.  Any
 * thread may read an open archive; zip_close needs it alone.
 */
struct zip;

/* One file of the archive.  name lives as long as the archive. */
struct zip_entry {
    const char *name; /* UTF-8 or whatever the archiver wrote; no NUL behind it */
    size_t name_length;
    uint64_t size;
    uint64_t compressed_size;
    uint64_t header_offset;
    uint32_t crc;
    uint16_t method; /* 0 stored, 8 deflated; zip_read declines others */
    uint16_t flags;
};

/* Entries that declare more are declined by zip_read: no class is as large. */
#define ZIP_MAX_ENTRY_SIZE ((uint64_t)1 << 31)

/*
 * NULL with *error set when the file cannot be opened or is no archive: the
 * reason alone, as "No such file or directory" or "not a zip file"; the caller
 * adds the name and owns the text (mem_free).  error may be NULL here and
 * below.
 */
struct zip *zip_open(const char *path, char **error);
void zip_close(struct zip *z);

/* The entry of exactly this name; of several the last, as the JDK has it. */
bool zip_find(const struct zip *z, const char *name, size_t length,
              struct zip_entry *entry);
/* Steps through the entries in the directory's order; *cursor starts at 0. */
bool zip_next(const struct zip *z, size_t *cursor, struct zip_entry *entry);

/*
 * The entry's bytes, inflated and checked against size and CRC; mem_free, and
 * a NUL behind them that *length does not count.
 */
bool zip_read(const struct zip *z, const struct zip_entry *entry, uint8_t **data,
              size_t *length, char **error);

#endif
