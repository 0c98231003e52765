/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/data.c -- units in memory and in files.
 *
 * A file: "tiforge coverage 1\n", the number of units, the units, and the FNV-1a hash
 * of all before it in eight bytes.  Numbers are in groups of seven bits, lowest first,
 * the top bit set in all but the last; texts have their length before them.  A unit:
 * name, source (0 for none, else its length + 1), hash in eight bytes, the methods'
 * number, then of each name, descriptor, the items' number and of each item line,
 * instructions and ways; then the bits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"

#define MAGIC "tiforge coverage 1\n"

uint64_t
hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

/* -- units -- */

struct unit *
unit_new(const char *name, const char *source, uint64_t hash)
{
    struct unit *unit = calloc(1, sizeof *unit);

    if (unit == NULL)
        return NULL;
    unit->name = strdup(name);
    unit->source = source == NULL ? NULL : strdup(source);
    unit->hash = hash;
    if (unit->name == NULL || (source != NULL && unit->source == NULL)) {
        unit_free(unit);
        return NULL;
    }
    return unit;
}

void
unit_free(struct unit *unit)
{
    if (unit == NULL)
        return;
    for (uint32_t i = 0; i < unit->method_count; i++) {
        free(unit->methods[i].name);
        free(unit->methods[i].descriptor);
        free(unit->methods[i].items);
    }
    free(unit->methods);
    free(unit->flow.edges);
    free(unit->flow.first);
    free(unit->flow.leader);
    free(unit->hits);
    free(unit->name);
    free(unit->source);
    free(unit);
}

bool
unit_lay_out(struct unit *unit)
{
    uint64_t bits = 0;

    for (uint32_t m = 0; m < unit->method_count; m++)
        for (uint32_t i = 0; i < unit->methods[m].count; i++) {
            unit->methods[m].items[i].bit = (uint32_t)bits;
            bits += 1u + unit->methods[m].items[i].ways;
        }
    if (bits > INT32_MAX)
        return false;
    unit->bit_count = (uint32_t)bits;
    unit->hits = calloc(unit->bit_count / 8 + 1, 1);
    return unit->hits != NULL;
}

static void
set_bit(struct unit *unit, uint32_t bit)
{
    unit->hits[bit >> 3] |= (unsigned char)(1u << (bit & 7));
}

static struct item **
item_index(const struct unit *unit)
{
    struct item **index = calloc(unit->flow.item_count + 1, sizeof(struct item *));
    uint32_t next = 0;

    for (uint32_t m = 0; index != NULL && m < unit->method_count; m++)
        for (uint32_t i = 0; i < unit->methods[m].count; i++)
            index[next++] = &unit->methods[m].items[i];
    return index;
}

static bool
edge_taken(const struct unit *unit, struct item *const *items, int32_t edge,
           const unsigned char *probes)
{
    return edge < 0 ? probes[~edge] != 0 : unit_bit(unit, items[edge]->bit);
}

/* From the end backwards, as most edges lead on; again while something changes. */
void
unit_cover(struct unit *unit, const unsigned char *probes)
{
    const struct flow *flow = &unit->flow;
    struct item **items = item_index(unit);
    bool changed = items != NULL;

    /* Anew: a leader's bits of the last time say nothing about the way to it. */
    memset(unit->hits, 0, unit->bit_count / 8 + 1);
    while (changed) {
        changed = false;
        for (uint32_t i = flow->item_count; i-- > 0;) {
            if (unit_bit(unit, items[i]->bit))
                continue;
            for (uint32_t e = flow->first[i]; e < flow->first[i + 1]; e++)
                if (edge_taken(unit, items, flow->edges[e], probes)) {
                    set_bit(unit, items[i]->bit);
                    changed = true;
                    break;
                }
        }
    }
    for (uint32_t i = 0; items != NULL && i < flow->item_count; i++)
        for (uint32_t e = 0; e < items[i]->ways; e++)
            if (edge_taken(unit, items, flow->edges[flow->first[i] + e], probes))
                set_bit(unit, items[i]->bit + 1 + e);
    /* Copies lend their bits to the leader, which counts for them. */
    for (uint32_t i = 0; items != NULL && i < flow->item_count; i++) {
        uint32_t leader = (uint32_t)flow->leader[i];

        if (leader == i)
            continue;
        for (uint32_t b = 0; b <= items[i]->ways && b <= items[leader]->ways; b++)
            if (unit_bit(unit, items[i]->bit + b))
                set_bit(unit, items[leader]->bit + b);
    }
    free(items);
}

struct unit *
unit_copy(const struct unit *unit)
{
    struct unit *copy = unit_new(unit->name, unit->source, unit->hash);

    if (copy == NULL)
        return NULL;
    copy->methods = calloc(unit->method_count + 1, sizeof *copy->methods);
    for (uint32_t m = 0; copy->methods != NULL && m < unit->method_count; m++) {
        const struct method *from = &unit->methods[m];
        struct method *to = &copy->methods[m];

        copy->method_count++;
        to->name = strdup(from->name);
        to->descriptor = strdup(from->descriptor);
        to->items = malloc((from->count + 1) * sizeof *to->items);
        if (to->name == NULL || to->descriptor == NULL || to->items == NULL)
            break;
        to->count = from->count;
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    }
    copy->bit_count = unit->bit_count;
    copy->hits = malloc(unit->bit_count / 8 + 1);
    if (copy->hits == NULL || copy->method_count != unit->method_count) {
        unit_free(copy);
        return NULL;
    }
    memcpy(copy->hits, unit->hits, unit->bit_count / 8 + 1);
    return copy;
}

/* -- lists -- */

bool
units_add(struct units *units, struct unit *unit)
{
    if (units->count == units->capacity) {
        size_t capacity = units->capacity * 2 + 64;
        struct unit **list = realloc(units->list, capacity * sizeof(struct unit *));

        if (list == NULL)
            return false;
        units->list = list;
        units->capacity = capacity;
    }
    units->list[units->count++] = unit;
    return true;
}

/* By name, then by bytes. */
static int
compare(const void *a, const void *b)
{
    const struct unit *x = *(struct unit *const *)a, *y = *(struct unit *const *)b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->hash > y->hash) - (x->hash < y->hash);
}

/* Sort, and make one of those that are equal. */
void
units_sort(struct units *units)
{
    size_t kept = 0;

    if (units->count == 0)
        return;
    qsort(units->list, units->count, sizeof(struct unit *), compare);
    for (size_t i = 1; i < units->count; i++) {
        struct unit *into = units->list[kept], *unit = units->list[i];

        if (compare(&into, &unit) != 0 || into->bit_count != unit->bit_count) {
            units->list[++kept] = unit;
            continue;
        }
        for (uint32_t b = 0; b < unit->bit_count / 8 + 1; b++)
            into->hits[b] |= unit->hits[b];
        unit_free(unit);
    }
    units->count = kept + 1;
}

void
units_release(struct units *units)
{
    for (size_t i = 0; i < units->count; i++)
        unit_free(units->list[i]);
    free(units->list);
    memset(units, 0, sizeof *units);
}

/* -- files -- */

static void
put(struct tf_buffer *out, uint64_t value)
{
    for (; value > 127; value >>= 7)
        tf_buffer_u1(out, (unsigned)(value & 127) | 128);
    tf_buffer_u1(out, (unsigned)value);
}

static void
put_text(struct tf_buffer *out, const char *text)
{
    put(out, strlen(text));
    tf_buffer_text(out, text);
}

static void
put_unit(struct tf_buffer *out, const struct unit *unit)
{
    put_text(out, unit->name);
    put(out, unit->source == NULL ? 0 : strlen(unit->source) + 1);
    if (unit->source != NULL)
        tf_buffer_text(out, unit->source);
    tf_buffer_u8(out, unit->hash);
    put(out, unit->method_count);
    for (uint32_t m = 0; m < unit->method_count; m++) {
        const struct method *method = &unit->methods[m];

        put_text(out, method->name);
        put_text(out, method->descriptor);
        put(out, method->count);
        for (uint32_t i = 0; i < method->count; i++) {
            put(out, method->items[i].line);
            put(out, method->items[i].insns);
            put(out, method->items[i].ways);
        }
    }
    tf_buffer_add(out, unit->hits, unit->bit_count / 8 + 1);
}

void
data_write(const struct units *units, struct tf_buffer *out)
{
    tf_buffer_text(out, MAGIC);
    put(out, units->count);
    for (size_t i = 0; i < units->count; i++)
        put_unit(out, units->list[i]);
    tf_buffer_u8(out, hash_bytes(HASH_START, out->bytes, out->length));
}

struct input {
    const unsigned char *at, *end;
    bool bad;
};

static uint64_t
get(struct input *in)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;

        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    in->bad = true;
    return 0;
}

/* A number of things that take at least `size` bytes each. */
static uint32_t
get_count(struct input *in, size_t size)
{
    uint64_t count = get(in);

    if (count > (size_t)(in->end - in->at) / size) {
        in->bad = true;
        return 0;
    }
    return (uint32_t)count;
}

static const unsigned char *
get_bytes(struct input *in, size_t length)
{
    const unsigned char *bytes = in->at;

    if (in->bad || length > (size_t)(in->end - in->at)) {
        in->bad = true;
        return NULL;
    }
    in->at += length;
    return bytes;
}

/* A copy of the next length bytes as a text; NULL when there is none. */
static char *
get_text(struct input *in, size_t length)
{
    const unsigned char *bytes = get_bytes(in, length);
    char *text = bytes == NULL ? NULL : strndup((const char *)bytes, length);

    in->bad |= text == NULL;
    return text;
}

static uint64_t
get_u8(struct input *in)
{
    const unsigned char *bytes = get_bytes(in, 8);
    uint64_t value = 0;

    for (int i = 0; bytes != NULL && i < 8; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void
get_method(struct input *in, struct method *method)
{
    method->name = get_text(in, get_count(in, 1));
    method->descriptor = get_text(in, get_count(in, 1));
    method->count = get_count(in, 3);
    method->items = calloc(method->count + 1u, sizeof *method->items);
    in->bad |= method->items == NULL;
    for (uint32_t i = 0; i < method->count && !in->bad; i++) {
        method->items[i].line = (uint16_t)get(in);
        method->items[i].insns = (uint32_t)get(in);
        method->items[i].ways = (uint16_t)get(in);
    }
}

static struct unit *
get_unit(struct input *in)
{
    struct unit *unit = calloc(1, sizeof *unit);
    const unsigned char *bits;
    uint32_t count;

    if (unit == NULL)
        return NULL;
    unit->name = get_text(in, get_count(in, 1));
    count = get_count(in, 1);
    if (count > 0)
        unit->source = get_text(in, count - 1);
    unit->hash = get_u8(in);
    count = get_count(in, 3);
    unit->methods = calloc(count + 1u, sizeof *unit->methods);
    in->bad |= unit->methods == NULL;
    for (uint32_t m = 0; m < count && !in->bad; m++) {
        unit->method_count++;
        get_method(in, &unit->methods[m]);
    }
    if (!in->bad && unit_lay_out(unit)) {
        bits = get_bytes(in, unit->bit_count / 8 + 1);
        if (bits != NULL) {
            memcpy(unit->hits, bits, unit->bit_count / 8 + 1);
            return unit;
        }
    }
    unit_free(unit);
    return NULL;
}

static bool
parse(struct units *units, const struct tf_buffer *file)
{
    size_t magic = strlen(MAGIC), body;
    struct input in = { NULL, NULL, false }, hash = { NULL, NULL, false };
    struct unit *unit;

    if (file->length < magic + 9 || memcmp(file->bytes, MAGIC, magic) != 0)
        return false;
    body = file->length - 8;
    in.at = file->bytes + magic;
    in.end = hash.at = file->bytes + body;
    hash.end = hash.at + 8;
    if (get_u8(&hash) != hash_bytes(HASH_START, file->bytes, body))
        return false;
    for (uint32_t count = get_count(&in, 1); count > 0; count--) {
        unit = get_unit(&in);
        if (unit == NULL || !units_add(units, unit)) {
            unit_free(unit);
            return false;
        }
    }
    return !in.bad && in.at == in.end;
}

bool
data_read(struct units *units, const char *path)
{
    FILE *in = fopen(path, "rb");
    struct tf_buffer file = { 0 };
    char block[8192];
    size_t got;
    bool good;

    if (in == NULL) {
        tf_error("cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        tf_buffer_add(&file, block, got);
    good = !ferror(in) && !file.failed;
    fclose(in);
    if (!good)
        tf_error("cannot read '%s'", path);
    else if (!(good = parse(units, &file)))
        tf_error("'%s' is damaged, or no data of this agent", path);
    tf_buffer_release(&file);
    return good;
}
