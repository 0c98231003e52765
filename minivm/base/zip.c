/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/zip.c -- reading zip and jar files (APPNOTE 6.3).
 *
 * An archive ends with a record that says where its directory is; it is searched from
 * the end, since a comment may follow it.  zip_open reads the whole directory into
 * memory and builds a hash table over its names.  The content of an entry is read and
 * inflated when it is asked for.
 */

#include "base/zip.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/os.h"

/* The offset of an entry in the directory and the hash of its name.  next is the index
   of the next slot in the same chain of the hash table, or 0. */
struct slot {
    uint32_t at;
    uint32_t hash;
    uint32_t next;
};

/*
 * The directory is kept as it is in the file; slots[1..count] refer to its entries, in
 * its order, and heads[hash & mask] is the first slot of a chain.  The file is read by
 * pread, which needs no lock, and which returns an error when somebody has truncated
 * the file, where access to a mapping would raise a signal.
 */
struct zip {
    int fd;
    uint8_t *directory;
    size_t directory_size;
    /* The number of bytes before the archive, as in a self-extracting program. */
    uint64_t prefix;
    /* Where the directory starts, and so the entries end. */
    uint64_t directory_at;
    struct slot *slots;
    uint32_t *heads;
    size_t count;
    size_t mask;
};

/*
 * The records, in little-endian order, and the offsets that are read (APPNOTE 4.3):
 *
 *     directory entry   8 flags, 10 method, 16 CRC, 20 compressed size, 24 size; the
 *                       lengths of 28 name, 30 extra fields and 32 comment, which
 *                       follow it in this order; 42 offset of the local header
 *     local header      26 length of the name, 28 length of the extra fields; they
 *                       follow it, and then the entry's data
 *     end record        10 number of entries, 12 size of the directory, 16 its offset,
 *                       20 length of the comment that follows
 *     zip64 locator     8 offset of the zip64 end record; stands before the end record
 *     zip64 end record  40 size of the directory, 48 its offset
 */
enum {
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    HEADER_SIZE = 46,
    LOCAL_SIZE = 30,
    MAX_COMMENT = 0xffff,
    EXTRA_ZIP64 = 1,
    FLAG_ENCRYPTED = 1,
    STORED = 0,
    DEFLATED = 8
};

#define END_SIGNATURE 0x06054b50u
#define END64_SIGNATURE 0x06064b50u
#define LOCATOR64_SIGNATURE 0x07064b50u
#define HEADER_SIGNATURE 0x02014b50u
#define LOCAL_SIGNATURE 0x04034b50u

/* The largest directory that is read: more than any archive needs, and little enough
   for the 32 bits of an offset. */
static const uint64_t MAX_DIRECTORY = 1u << 30;

static inline uint32_t
le2(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t
le4(const uint8_t *at)
{
    return le2(at) | le2(at + 2) << 16;
}

static inline uint64_t
le8(const uint8_t *at)
{
    return le4(at) | (uint64_t)le4(at + 4) << 32;
}

/* Stores the message in *error, for the caller to free, unless error is NULL.  Always
   returns false, so that callers can return it. */
__attribute__((format(printf, 2, 3))) static bool
fail(char **error, const char *format, ...)
{
    va_list args;

    if (error) {
        va_start(args, format);
        *error = mem_vprintf(format, args);
        va_end(args);
    }
    return false;
}

static bool
fail_memory(char **error)
{
    return fail(error, "Cannot allocate memory");
}

/* Reads exactly size bytes of the file from the offset on; fewer are an error. */
static bool
read_at(int fd, void *to, size_t size, uint64_t at, char **error)
{
    uint8_t *next = to;

    while (size > 0) {
        ssize_t n = TEMP_FAILURE_RETRY(pread(fd, next, size, (off_t)at));

        if (n == 0)
            return fail(error, "truncated");
        if (n < 0)
            return fail(error, "%m");
        next += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* What the records at the end of the archive say of its directory. */
struct end {
    /* Where in the file the record stands that follows the directory: the end record,
       or the zip64 end record if there is one. */
    uint64_t at;
    /* The directory's length, and where it begins, counted from the start of the
       archive, which need not be that of the file (zip.prefix). */
    uint64_t size;
    uint64_t offset;
};

/*
 * Replaces the numbers in *end by those of a zip64 end record, if there is one before
 * the end record and a field of that (the number of entries, the size or the offset of
 * the directory) is at its maximum, which refers to the other.  Returns true, with *end
 * as it was, if there is none; false with *error if it is damaged.
 */
static bool
read_end64(int fd, const uint8_t *record, struct end *end, char **error)
{
    uint8_t bytes[END64_SIZE];
    uint64_t at;

    if (le2(record + 10) != 0xffff && le4(record + 12) != 0xffffffff
        && le4(record + 16) != 0xffffffff)
        return true;
    if (end->at < LOCATOR64_SIZE)
        return true;
    if (!read_at(fd, bytes, LOCATOR64_SIZE, end->at - LOCATOR64_SIZE, error))
        return false;
    if (le4(bytes) != LOCATOR64_SIGNATURE)
        return true;
    at = le8(bytes + 8);
    if (at > end->at - LOCATOR64_SIZE || end->at - LOCATOR64_SIZE - at < END64_SIZE)
        return fail(error, "bad zip64 end record");
    if (!read_at(fd, bytes, END64_SIZE, at, error))
        return false;
    if (le4(bytes) != END64_SIGNATURE)
        return fail(error, "bad zip64 end record");
    *end = (struct end){ at, le8(bytes + 40), le8(bytes + 48) };
    return true;
}

/*
 * Returns true if the record at tail[i] is the end record: if its comment ends with the
 * file or, when something was appended to the archive, if there is a directory entry
 * where it says.
 */
static bool
is_end(int fd, const uint8_t *tail, size_t i, size_t size, uint64_t at)
{
    const uint8_t *record = tail + i;
    uint8_t signature[4];

    if (le4(record) != END_SIGNATURE || i + END_SIZE + le2(record + 20) > size)
        return false;
    if (i + END_SIZE + le2(record + 20) == size)
        return true;
    return le4(record + 12) <= at
           && read_at(fd, signature, 4, at - le4(record + 12), NULL)
           && le4(signature) == HEADER_SIGNATURE;
}

/* Searches the end record from behind, since a comment may follow it. */
static bool
find_end(int fd, uint64_t file_size, struct end *end, char **error)
{
    size_t size = END_SIZE + MAX_COMMENT;
    uint8_t *tail;
    bool found = false, good;

    if (file_size < END_SIZE)
        return fail(error, file_size == 0 ? "empty file" : "not a zip file");
    if (size > file_size)
        size = (size_t)file_size;
    tail = mem_alloc(size);
    good = read_at(fd, tail, size, file_size - size, error);
    for (size_t i = size - END_SIZE + 1; good && !found && i-- > 0;) {
        const uint8_t *record = tail + i;
        uint64_t at = file_size - size + i;

        if (!is_end(fd, tail, i, size, at))
            continue;
        found = true;
        *end = (struct end){ at, le4(record + 12), le4(record + 16) };
        good = read_end64(fd, record, end, error);
    }
    mem_free(tail);
    if (good && !found)
        return fail(error, "not a zip file");
    return good;
}

/* Returns the size of the directory entry at bytes; 0 when there is none. */
static size_t
entry_size(const uint8_t *bytes, size_t left)
{
    size_t size;

    if (left < HEADER_SIZE || le4(bytes) != HEADER_SIGNATURE)
        return 0;
    size = HEADER_SIZE + le2(bytes + 28) + le2(bytes + 30) + le2(bytes + 32);
    return size > left ? 0 : size;
}

/* Fills in the slots and the hash table; returns false with *error when an entry is
   damaged.  No entry is smaller than its header, so the size of the directory bounds
   the number of slots, whatever the archive claims.  A later entry of a name comes
   before an earlier one in their chain, so zip_find finds the last one. */
static bool
index_entries(struct zip *z, char **error)
{
    size_t size, most = z->directory_size / HEADER_SIZE, buckets = 16;

    while (buckets < most)
        buckets *= 2;
    z->mask = buckets - 1;
    z->slots = mem_try_calloc(most + 1, sizeof *z->slots);
    z->heads = mem_try_calloc(buckets, sizeof *z->heads);
    if (!z->slots || !z->heads)
        return fail_memory(error);
    for (size_t at = 0; at < z->directory_size; at += size) {
        const uint8_t *header = z->directory + at;
        uint32_t hash, *head;

        size = entry_size(header, z->directory_size - at);
        if (size == 0)
            return fail(error, "bad entry %zu in the central directory", z->count + 1);
        hash = hash_bytes(header + HEADER_SIZE, le2(header + 28));
        head = &z->heads[hash & z->mask];
        z->slots[++z->count] = (struct slot){ (uint32_t)at, hash, *head };
        *head = (uint32_t)z->count;
    }
    return true;
}

/*
 * Finds the directory, reads it into memory and indexes it.  Offsets in an archive
 * count from its start, which need not be that of the file (a self-extracting program
 * stands before it).  As the directory ends where the record behind it begins, its true
 * position is known, and the difference is z->prefix.  On failure the caller closes z.
 */
static bool
read_directory(struct zip *z, size_t file_size, char **error)
{
    struct end end = { 0 };

    if (!find_end(z->fd, file_size, &end, error))
        return false;
    if (end.size > end.at || end.size > MAX_DIRECTORY)
        return fail(error, "bad size of the central directory");
    z->directory_at = end.at - end.size;
    if (end.offset > z->directory_at)
        return fail(error, "bad offset of the central directory");
    z->prefix = z->directory_at - end.offset;
    z->directory_size = (size_t)end.size;
    z->directory = mem_try_alloc(z->directory_size);
    if (!z->directory)
        return fail_memory(error);
    return read_at(z->fd, z->directory, z->directory_size, z->directory_at, error)
           && index_entries(z, error);
}

struct zip *
zip_open(const char *path, char **error)
{
    size_t size;
    int fd = os_open_regular(path, &size, error);
    struct zip *z;

    if (fd < 0)
        return NULL;
    z = mem_calloc(1, sizeof *z);
    z->fd = fd;
    if (!read_directory(z, size, error)) {
        zip_close(z);
        return NULL;
    }
    return z;
}

void
zip_close(struct zip *z)
{
    if (!z)
        return;
    close(z->fd);
    mem_free(z->directory);
    mem_free(z->slots);
    mem_free(z->heads);
    mem_free(z);
}

/* Reads a field from the zip64 extra field if its 32 bits are all set, which means that
   it is there. */
static void
widen(uint64_t *field, const uint8_t **at, const uint8_t *end)
{
    if (*field != 0xffffffff || end - *at < 8)
        return;
    *field = le8(*at);
    *at += 8;
}

/* Replaces the sizes and the offset of the entry by those of its zip64 extra field, if
   it has one.  [at, end) are its extra fields, each a tag and a size of 2 bytes, then
   the content; after a damaged one the rest is ignored. */
static void
read_extra(struct zip_entry *entry, const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 4) {
        size_t size = le2(at + 2);
        const uint8_t *field = at + 4;

        if (size > (size_t)(end - field))
            return;
        if (le2(at) == EXTRA_ZIP64) {
            widen(&entry->size, &field, at + 4 + size);
            widen(&entry->compressed_size, &field, at + 4 + size);
            widen(&entry->header_offset, &field, at + 4 + size);
            return;
        }
        at = field + size;
    }
}

/* Describes the directory entry of a slot, which index_entries has checked to lie
   within the directory. */
static void
read_entry(const struct zip *z, size_t slot, struct zip_entry *entry)
{
    const uint8_t *header = z->directory + z->slots[slot].at;
    const uint8_t *name = header + HEADER_SIZE;

    *entry = (struct zip_entry){
        .name = (const char *)name,
        .name_length = le2(header + 28),
        .flags = (uint16_t)le2(header + 8),
        .method = (uint16_t)le2(header + 10),
        .crc = le4(header + 16),
        .compressed_size = le4(header + 20),
        .size = le4(header + 24),
        .header_offset = le4(header + 42),
    };
    name += entry->name_length;
    read_extra(entry, name, name + le2(header + 30));
}

bool
zip_find(const struct zip *z, const char *name, size_t length, struct zip_entry *entry)
{
    uint32_t hash = hash_bytes(name, length);

    for (uint32_t i = z->heads[hash & z->mask]; i != 0; i = z->slots[i].next) {
        const uint8_t *header = z->directory + z->slots[i].at;

        if (z->slots[i].hash == hash && le2(header + 28) == length
            && memcmp(header + HEADER_SIZE, name, length) == 0) {
            read_entry(z, i, entry);
            return true;
        }
    }
    return false;
}

bool
zip_next(const struct zip *z, size_t *cursor, struct zip_entry *entry)
{
    if (*cursor >= z->count)
        return false;
    read_entry(z, ++*cursor, entry);
    return true;
}

/* Stores the offset of the entry's data.  It follows the entry's local header, in which
   name and extra fields may have other lengths than in the directory. */
static bool
find_data(const struct zip *z, const struct zip_entry *entry, uint64_t *at,
          char **error)
{
    uint8_t header[LOCAL_SIZE];
    uint64_t start = z->prefix + entry->header_offset;

    if (entry->header_offset > z->directory_at - z->prefix
        || z->directory_at - start < LOCAL_SIZE)
        return fail(error, "the entry's header is outside the file");
    if (!read_at(z->fd, header, sizeof header, start, error))
        return false;
    if (le4(header) != LOCAL_SIGNATURE)
        return fail(error, "the entry has no header");
    start += LOCAL_SIZE + le2(header + 26) + le2(header + 28);
    if (start > z->directory_at || entry->compressed_size > z->directory_at - start)
        return fail(error, "the entry's data is outside the file");
    *at = start;
    return true;
}

/* Inflates from[0, from_size), which must give exactly size bytes; both fit into 32
   bits (check_entry).  Entries have no zlib header, which the negative window size
   says. */
static bool
inflate_all(const uint8_t *from, size_t from_size, uint8_t *to, size_t size,
            char **error)
{
    z_stream stream = { 0 };
    int status;

    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return fail_memory(error);
    stream.next_in = (Bytef *)from;
    stream.avail_in = (uInt)from_size;
    stream.next_out = to;
    stream.avail_out = (uInt)size;
    status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (status == Z_MEM_ERROR)
        return fail_memory(error);
    if (status != Z_STREAM_END || stream.avail_out != 0)
        return fail(error, "the entry's compressed data is damaged");
    return true;
}

/* Reads the entry into data, which has room for entry->size bytes and a NUL. */
static bool
read_data(const struct zip *z, const struct zip_entry *entry, uint64_t at,
          uint8_t *data, char **error)
{
    size_t packed_size = (size_t)entry->compressed_size;
    uint8_t *packed;
    bool good;

    if (entry->method == STORED)
        return read_at(z->fd, data, packed_size, at, error);
    packed = mem_try_alloc(packed_size);
    if (!packed)
        return fail_memory(error);
    good = read_at(z->fd, packed, packed_size, at, error)
           && inflate_all(packed, packed_size, data, (size_t)entry->size, error);
    mem_free(packed);
    return good;
}

/* Refuses what cannot be read, before memory is allocated for it. */
static bool
check_entry(const struct zip_entry *entry, char **error)
{
    if ((entry->flags & FLAG_ENCRYPTED) != 0)
        return fail(error, "the entry is encrypted");
    if (entry->method != STORED && entry->method != DEFLATED)
        return fail(error, "compression method %d is not known", entry->method);
    if (entry->size > ZIP_MAX_ENTRY_SIZE || entry->compressed_size > ZIP_MAX_ENTRY_SIZE)
        return fail(error, "the entry is too large");
    if (entry->method == STORED && entry->size != entry->compressed_size)
        return fail(error, "the entry's sizes differ");
    /* No deflated byte stands for more than 1032. */
    if (entry->size / 1032 > entry->compressed_size)
        return fail(error, "the entry's compressed data is damaged");
    return true;
}

bool
zip_read(const struct zip *z, const struct zip_entry *entry, uint8_t **data,
         size_t *length, char **error)
{
    uint8_t *bytes;
    uint64_t at = 0;

    if (!check_entry(entry, error) || !find_data(z, entry, &at, error))
        return false;
    bytes = mem_try_alloc((size_t)entry->size + 1);
    if (!bytes)
        return fail_memory(error);
    if (!read_data(z, entry, at, bytes, error)) {
        mem_free(bytes);
        return false;
    }
    if (crc32(0, bytes, (uInt)entry->size) != entry->crc) {
        mem_free(bytes);
        return fail(error, "the entry's checksum is wrong");
    }
    bytes[entry->size] = 0;
    *data = bytes;
    *length = (size_t)entry->size;
    return true;
}
