/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/hprof.c -- writing the records of a heap dump.
 *
 * Everything goes through one buffer, which is flushed when it is full.  While a
 * segment is open its beginning must stay in the buffer, since its length is stored
 * there at its end; so hprof_subrecord ends it before it would be flushed.
 */

#include "base/hprof.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/os.h"

/* The size of what a record begins with: tag, time and length. */
enum { HEAD = 1 + 4 + 4 };

/* ---- the file ---- */

/* Writes at least a part of the bytes, and stores how many.  Returns false when that
   failed, with the reason in h->error. */
static bool
write_some(struct hprof *h, const uint8_t *bytes, size_t length, size_t *done)
{
    ssize_t n;

    errno = 0;
    if (h->gz)
        n = gzwrite(h->gz, bytes, (unsigned)length);
    else
        n = write(h->fd, bytes, length);
    if (n <= 0 && errno != EINTR)
        h->error = errno ? errno : EIO;
    *done = n > 0 ? (size_t)n : 0;
    return !h->error;
}

/* Empties the buffer into the file; after an error the bytes are dropped.  No segment
   may be open. */
static void
flush(struct hprof *h)
{
    size_t at = 0, done;

    while (!h->error && at < h->used
           && write_some(h, h->buffer + at, h->used - at, &done))
        at += done;
    h->written += h->used;
    h->used = 0;
}

/* The header is the name of the format with a NUL, the size of ids, and the time in
   milliseconds since 1970.  The file can only be read by its owner, as a dump may have
   passwords in it.  zlib takes the level of compression as a digit of the mode. */
bool
hprof_open(struct hprof *h, const char *path, bool overwrite, int level)
{
    static const char magic[] = "JAVA PROFILE 1.0.2";
    char mode[8];

    *h = (struct hprof){
        .fd = open(
            path, O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL), 0600)
    };
    if (h->fd < 0)
        return false;
    h->buffer = mem_try_alloc(HPROF_BUFFER);
    snprintf(mode, sizeof mode, "wb%d", level);
    if (h->buffer && level > 0)
        h->gz = gzdopen(h->fd, mode);
    if (!h->buffer || (level > 0 && !h->gz)) {
        mem_free(h->buffer);
        close(h->fd);
        unlink(path);
        errno = ENOMEM;
        return false;
    }
    hprof_bytes(h, magic, sizeof magic);
    hprof_u4(h, HPROF_ID);
    hprof_u8(h, (uint64_t)(os_wall_nanos() / 1000000));
    return true;
}

/* Ends the open segment, if there is one: stores its length, the last four bytes of the
   record's head, now that it is known. */
static void
end_segment(struct hprof *h)
{
    if (h->segment)
        hprof_store_u4(h->buffer + h->segment - 4, (uint32_t)(h->used - h->segment));
    h->segment = 0;
}

int
hprof_close(struct hprof *h, uint64_t *bytes)
{
    struct stat status;
    /* gzclose closes the other descriptor, and the size is known only then. */
    int copy = dup(h->fd);

    end_segment(h);
    flush(h);
    errno = 0;
    if ((h->gz ? gzclose(h->gz) != Z_OK : close(h->fd) != 0) && !h->error)
        h->error = errno ? errno : EIO;
    *bytes = h->written;
    if (h->gz && copy >= 0 && fstat(copy, &status) == 0)
        *bytes = (uint64_t)status.st_size;
    if (copy >= 0)
        close(copy);
    mem_free(h->buffer);
    return h->error;
}

/* ---- records ---- */

/* Writes what each record begins with. */
static void
head(struct hprof *h, enum hprof_record tag, uint32_t length)
{
    hprof_u1(h, tag);
    /* The time: microseconds since that of the header. */
    hprof_u4(h, 0);
    hprof_u4(h, length);
}

void
hprof_record(struct hprof *h, enum hprof_record tag, uint32_t length)
{
    end_segment(h);
    head(h, tag, length);
}

/* A sub-record that fits goes into the open segment; else a new segment begins.  One
   that is too long for the buffer has a segment to itself, whose length is size; it is
   not open, so the buffer may be flushed while it is written.  For other segments the
   length here is provisional (end_segment). */
void
hprof_subrecord(struct hprof *h, uint64_t size)
{
    bool is_long = HEAD + size > HPROF_BUFFER;

    if (h->segment && h->used + size <= HPROF_BUFFER)
        return;
    end_segment(h);
    if (!is_long && h->used + HEAD + size > HPROF_BUFFER)
        flush(h);
    head(h, HPROF_SEGMENT, (uint32_t)size);
    if (!is_long)
        h->segment = h->used;
}

/* ---- what is in them ---- */

uint8_t
hprof_type(char type)
{
    /* Each letter stands at the index that is HPROF's number: 2 is an object, 4 a
       boolean, and so on to 11, a long. */
    static const char letters[] = "..L.ZCFDBSIJ";

    return (uint8_t)(strchr(letters, type) - letters);
}

/* There is always room, as flush empties the buffer also after an error.  When it is
   flushed here no segment is open: hprof_subrecord has seen to that. */
uint8_t *
hprof_room(struct hprof *h, size_t size)
{
    uint8_t *at;

    if (h->used + size > HPROF_BUFFER)
        flush(h);
    at = h->buffer + h->used;
    h->used += size;
    return at;
}

/* Any number of bytes, in parts that the buffer has room for. */
void
hprof_bytes(struct hprof *h, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length > 0) {
        size_t part = length < HPROF_BUFFER / 4 ? length : HPROF_BUFFER / 4;
        memcpy(hprof_room(h, part), at, part);
        at += part;
        length -= part;
    }
}

void
hprof_value(struct hprof *h, const void *at, unsigned size)
{
    uint8_t *to = hprof_room(h, size);

    switch (size) {
    case 1: *to = *(const uint8_t *)at; break;
    case 2: hprof_store_u2(to, *(const uint16_t *)at); break;
    case 4: hprof_store_u4(to, *(const uint32_t *)at); break;
    default: hprof_store_u8(to, *(const uint64_t *)at); break;
    }
}

void
hprof_values(struct hprof *h, const void *at, size_t count, unsigned size)
{
    if (size == 1)
        hprof_bytes(h, at, count);
    else
        for (size_t i = 0; i < count; i++)
            hprof_value(h, (const char *)at + i * size, size);
}
