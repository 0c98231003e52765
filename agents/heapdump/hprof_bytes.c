/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/hprof_bytes.c -- numbers, records and segments of an HPROF file.
 *
 * Objects stand in segments, records whose length comes first.  So a segment is collected
 * until the next sub-record has no room in it; one that is larger than all of the room has
 * a segment of its own, whose length is known before.
 */
#include "agents/heapdump/hprof.h"

#include <string.h>

/* -- bytes -- */

void
hprof_store(unsigned char *to, uint64_t value, unsigned size)
{
    while (size > 0) {
        to[--size] = (unsigned char)value;
        value >>= 8;
    }
}

void
hprof_out(struct hprof *h, const void *bytes, size_t length)
{
    if (!h->failed && !output_bytes(h->out, bytes, length))
        h->failed = true;
}

void
hprof_record_head(struct hprof *h, int tag, uint64_t length)
{
    unsigned char head[9] = { (unsigned char)tag };

    hprof_store(head + 5, length, 4);
    hprof_out(h, head, sizeof head);
}

void
hprof_record(struct hprof *h, int tag, struct tf_buffer *body)
{
    if (body->failed)
        h->model->no_memory = h->failed = true;
    hprof_record_head(h, tag, body->length);
    hprof_out(h, body->bytes, body->length);
    tf_buffer_clear(body);
}

void
hprof_end_segment(struct hprof *h)
{
    if (h->used > 0 && !h->alone)
        hprof_record_head(h, SEGMENT, h->used);
    hprof_out(h, h->segment, h->used);
    h->used = 0;
    h->alone = false;
}

/* Begin a sub-record of so many bytes; all of them have to follow. */
void
hprof_begin(struct hprof *h, uint64_t size)
{
    if (h->alone || h->used + size > ROOM)
        hprof_end_segment(h);
    if (size > ROOM) {
        hprof_record_head(h, SEGMENT, size);
        h->alone = true;
    }
}

/* Room for size bytes of the sub-record, to be filled at once. */
static unsigned char *
room(struct hprof *h, size_t size)
{
    unsigned char *at;

    if (h->used + size > ROOM) {
        hprof_out(h, h->segment, h->used);
        h->used = 0;
    }
    at = h->segment + h->used;
    h->used += size;
    return at;
}

void
hprof_put(struct hprof *h, uint64_t value, unsigned size)
{
    hprof_store(room(h, size), value, size);
}

void
hprof_put_bytes(struct hprof *h, const unsigned char *bytes, size_t length)
{
    while (length > 0) {
        size_t part = length < ROOM / 2 ? length : ROOM / 2;

        memcpy(room(h, part), bytes, part);
        bytes += part;
        length -= part;
    }
}

/* -- types -- */

int
hprof_type_code(char type)
{
    static const char letters[] = "L Z C F D B S I J ";
    static const unsigned char codes[] = {
        TYPE_OBJECT, 4, 5, 6, 7, 8, 9, TYPE_INT, 11
    };

    return codes[(strchr(letters, type) - letters) / 2];
}

unsigned
hprof_type_size(char type)
{
    return type == 'Z' || type == 'B' ? 1 : type == 'C' || type == 'S' ? 2
        : type == 'I' || type == 'F' ? 4 : 8;
}
