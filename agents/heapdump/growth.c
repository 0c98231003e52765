/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/growth.c -- who holds more than in an earlier dump.
 *
 * Objects of two dumps have nothing in common but how they are reached.  So both heaps are
 * put into one tree of ways: from a root, by the names of fields, to objects of a class;
 * all elements of an array are one way, and so are the links of a list, which lead from a
 * class to the same.  Each object is at the end of a shortest way.  What a way leads to is
 * counted before and now.  A holder is where many came to be: the ways are gone down from
 * the roots as long as there is as much as before, one object of a kind and its parts.
 *
 * Statics of classes that stay, and threads, come first; what else is a root is looked at
 * only for what these do not reach, since a local variable mostly refers to something that
 * somebody else holds.  Classes that a program's own loader has defined are no roots: they
 * are there as long as somebody holds their loader, and that one is told.
 */
#include "agents/heapdump/growth.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/heapdump/dump.h"

enum { MOST_WAYS = 1 << 21, LOOK_UP = 12, MOST_DEEP = 400 };

struct way {
    uint32_t parent, label, class;      /* texts; label 0 below the root */
    uint32_t child, sibling, depth;
    bool loads;                         /* leads to class loaders */
    bool links;                         /* and from there to itself */
    uint64_t gain;                      /* bytes that came to it or below, without those
                                           that went */
    uint64_t objects[2], bytes[2];      /* of itself: before, now */
    uint64_t all_objects[2], all[2];    /* with what is below */
};

struct ways {
    struct texts texts;
    struct way *list;                   /* from 1, which is the root */
    uint32_t count, capacity;
    uint32_t *slots, slot_count;
    bool no_memory;
    /* Of the dump that is being counted: */
    struct dump *dump;
    int side;
    uint32_t *way_of;                   /* by object; 0: not met */
    uint32_t *queue, tail;
    uint32_t from;                      /* the way of the object that is looked at */
};

static int64_t
grown(const struct way *w)
{
    return (int64_t)(w->all[1] - w->all[0]);
}

static int64_t
more_objects(const struct way *w)
{
    return (int64_t)(w->objects[1] - w->objects[0]);
}

/* -- the tree -- */

static uint32_t *
slot_of(const struct ways *w, uint32_t parent, uint32_t label, uint32_t class)
{
    uint32_t mask = w->slot_count - 1;
    uint32_t i = ((parent * 0x9e3779b1u + label) * 0x85ebca6bu + class) * 0xc2b2ae35u >> 7
        & mask;

    while (w->slots[i] != 0 && (w->list[w->slots[i]].parent != parent
                                || w->list[w->slots[i]].label != label
                                || w->list[w->slots[i]].class != class))
        i = (i + 1) & mask;
    return &w->slots[i];
}

static bool
grow(struct ways *w)
{
    uint32_t wanted = w->capacity == 0 ? 4096 : 2 * w->capacity;
    struct way *list = realloc(w->list, wanted * sizeof *list);

    if (list != NULL)
        w->list = list;
    free(w->slots);
    w->slots = calloc(2 * (size_t)wanted, sizeof *w->slots);
    w->slot_count = 2 * wanted;
    if (list == NULL || w->slots == NULL) {
        w->no_memory = true;
        return false;
    }
    w->capacity = wanted;
    for (uint32_t i = 2; i <= w->count; i++)
        *slot_of(w, list[i].parent, list[i].label, list[i].class) = i;
    return true;
}

/* Do two ways end in the same step? */
static bool
same_step(const struct ways *w, uint32_t a, uint32_t b)
{
    return w->list[a].label == w->list[b].label && w->list[a].class == w->list[b].class;
}

/* Where a reference leads from a way. */
static uint32_t
way_to(struct ways *w, uint32_t from, uint32_t label, uint32_t class)
{
    uint32_t *slot, at = from;

    /* A link of a list, or of a tree, is where its neighbour is; a cycle of several
       classes comes back to where it was, if its last two steps are the same. */
    for (int i = 0; i < LOOK_UP && at > 1; i++, at = w->list[at].parent)
        if (w->list[at].class == class
            && (i == 0 || (w->list[at].label == label
                           && same_step(w, w->list[at].parent, from)))) {
            w->list[at].links = true;
            return at;
        }
    if (w->count + 1 >= w->capacity && !grow(w))
        return from;
    slot = slot_of(w, from, label, class);
    if (*slot != 0)
        return *slot;
    if (w->count >= MOST_WAYS || w->list[from].depth >= MOST_DEEP)
        return from;
    *slot = ++w->count;
    w->list[w->count] = (struct way){
        .parent = from, .label = label, .class = class, .sibling = w->list[from].child,
        .depth = w->list[from].depth + 1
    };
    w->list[from].child = w->count;
    return w->count;
}

/* -- counting a dump -- */

/* "class p.C" of a class itself. */
static uint32_t
class_text(struct ways *w, uint32_t object)
{
    const struct dump *d = w->dump;
    uint32_t class = dump_class_of(d, object), number;
    struct tf_buffer text = { 0 };

    if (class == 0) {
        class = d->objects[object].class;
        return class == 0 ? 0 : d->classes[class].name;
    }
    tf_buffer_format(&text, "class %s", w->texts.list[d->classes[class].name]);
    number = texts_number(&w->texts, tf_buffer_string(&text), text.length);
    tf_buffer_release(&text);
    return number;
}

static void
meet(void *argument, uint32_t label, uint32_t object)
{
    struct ways *w = argument;
    uint32_t class, way;

    if (w->way_of[object] != 0 || w->dump->objects[object].at == 0)
        return;
    class = class_text(w, object);
    way = way_to(w, w->from, label, class);
    w->way_of[object] = way;
    w->queue[w->tail++] = object;
    w->list[way].objects[w->side]++;
    w->list[way].bytes[w->side] += dump_size(w->dump, object);
    if (w->dump->objects[object].class != 0 && dump_class_of(w->dump, object) == 0
        && w->dump->classes[w->dump->objects[object].class].loads)
        w->list[way].loads = true;
}

/* Is it a class loader that is there as long as the VM is? */
static bool
is_builtin_loader(const struct dump *d, uint32_t object)
{
    uint32_t class = d->objects[object].class;

    return class != 0 && dump_class_of(d, object) == 0
        && strncmp(d->texts->list[d->classes[class].name],
                   "jdk/internal/loader/ClassLoaders$", 33) == 0;
}

/* Is it such a loader, or a class of one? */
static bool
stays(const struct dump *d, uint32_t object)
{
    uint32_t class = dump_class_of(d, object), loader;

    if (class == 0)
        return is_builtin_loader(d, object);
    if (d->classes[class].loader == 0)
        return true;
    loader = dump_object(d, d->classes[class].loader);
    return loader != 0 && is_builtin_loader(d, loader);
}

/* The roots of a kind, and all that they reach and nothing before them did. */
static void
count_from(struct ways *w, unsigned roots, const char *label)
{
    uint32_t number = label == NULL ? 0 : texts_number(&w->texts, label, strlen(label));
    uint32_t head = w->tail, hidden;
    struct dump *d = w->dump;

    w->from = 1;
    for (uint32_t i = 1; i <= d->object_count; i++)
        if (label == NULL ? stays(d, i) : (roots >> d->objects[i].root & 1) != 0)
            meet(w, number, i);
    if (label == NULL) {
        number = texts_number(&w->texts, "a thread", 8);
        for (uint32_t i = 1; i <= d->object_count; i++)
            if (d->objects[i].root == ROOT_THREAD)
                meet(w, number, i);
    }
    /* What fields do not reach may be reached by way of a class or its loader. */
    for (hidden = head; hidden < w->tail && !w->no_memory && !d->failed; ) {
        bool fields = head < w->tail;
        uint32_t object = w->queue[fields ? head++ : hidden++];

        w->from = w->way_of[object];
        (fields ? dump_fields : dump_hidden)(d, object, meet, w);
    }
}

/* Count what a dump's roots reach as before (0) or now (1). */
static bool
count_dump(struct ways *w, const char *path, int side)
{
    struct dump dump;
    bool good = dump_read(&dump, path, &w->texts);

    if (!good)
        return false;
    w->dump = &dump;
    w->side = side;
    w->tail = 0;
    w->way_of = calloc((size_t)dump.object_count + 1, sizeof *w->way_of);
    w->queue = calloc((size_t)dump.object_count + 1, sizeof *w->queue);
    w->no_memory |= w->way_of == NULL || w->queue == NULL;
    if (!w->no_memory) {
        count_from(w, 0, NULL);
        count_from(w, 1u << ROOT_GLOBAL | 1u << ROOT_SYSTEM_CLASS,
                   "a global reference of JNI");
        count_from(w, 1u << ROOT_FRAME, "a local variable");
        count_from(w, 1u << ROOT_OTHER, "something in the VM");
    }
    good = !w->no_memory && !dump.failed;
    free(w->way_of);
    free(w->queue);
    dump_release(&dump);
    return good;
}

static void
add_up(struct ways *w)
{
    for (uint32_t i = w->count; i >= 1; i--) {
        struct way *at = &w->list[i], *above = &w->list[at->parent];

        if (at->bytes[1] > at->bytes[0])
            at->gain += at->bytes[1] - at->bytes[0];
        above->gain += at->gain;
        for (int side = 0; side < 2; side++) {
            at->all[side] += at->bytes[side];
            at->all_objects[side] += at->objects[side];
            if (i > 1) {
                above->all[side] += at->all[side];
                above->all_objects[side] += at->all_objects[side];
            }
        }
    }
}

/* -- rows -- */

/* "java.lang.String[]", "class p.C". */
static void
put_class(struct tf_buffer *text, const char *name)
{
    struct tf_buffer signature = { 0 };

    if (strncmp(name, "class ", 6) == 0) {
        tf_buffer_text(text, "class ");
        name += 6;
    }
    if (*name == '[')
        tf_name_type(text, name);
    else {
        tf_buffer_format(&signature, "L%s;", name);
        tf_name_type(text, tf_buffer_string(&signature));
        tf_buffer_release(&signature);
    }
}

/* "class p.C, registry -> p.Registry, sessions -> java.util.HashMap". */
static char *
path_of(const struct ways *w, uint32_t way)
{
    uint32_t *path = calloc((size_t)w->list[way].depth + 1, sizeof *path), count = 0;
    struct tf_buffer text = { 0 };

    for (uint32_t at = way; path != NULL && at > 1; at = w->list[at].parent)
        path[count++] = at;
    while (count-- > 0) {
        const struct way *at = &w->list[path[count]];

        if (at->label != 0 && at->parent > 1)
            tf_buffer_format(&text, ", %s -> ", w->texts.list[at->label]);
        else if (at->label != 0)
            tf_buffer_format(&text, "%s -> ", w->texts.list[at->label]);
        if (at->class != 0)
            put_class(&text, w->texts.list[at->class]);
        else
            tf_buffer_text(&text, "?");
    }
    free(path);
    return tf_buffer_take(&text);
}

/* A list is met from both of its ends.  Is it the other end of the last row's? */
static bool
add_to_row(struct growth *g, const struct ways *w, uint32_t way)
{
    const struct way *at = &w->list[way];
    struct growth_row *row = g->row_count == 0 ? NULL : &g->rows[g->row_count - 1];

    if (!at->links || row == NULL || row->parent != at->parent
        || row->class != at->class || !row->links)
        return false;
    row->before += at->objects[0];
    row->now += at->objects[1];
    row->bytes += grown(at);
    row->more += (int64_t)(at->all_objects[1] - at->all_objects[0]);
    return true;
}

static bool
add_row(struct growth *g, const struct ways *w, uint32_t way, bool loader)
{
    uint32_t *count = loader ? &g->loader_count : &g->row_count;
    struct growth_row **rows = loader ? &g->loaders : &g->rows, *larger;
    const struct way *at = &w->list[way];
    struct tf_buffer name = { 0 };

    if (!loader && add_to_row(g, w, way))
        return true;
    if ((*count & (*count - 1)) == 0) {
        larger = realloc(*rows, (*count == 0 ? 1 : 2 * (size_t)*count) * sizeof *larger);
        if (larger == NULL)
            return false;
        *rows = larger;
    }
    if (at->class != 0)
        put_class(&name, w->texts.list[at->class]);
    (*rows)[(*count)++] = (struct growth_row){
        .before = at->objects[0], .now = at->objects[1], .bytes = grown(at),
        .more = (int64_t)(at->all_objects[1] - at->all_objects[0]),
        .name = tf_buffer_take(&name), .path = path_of(w, way),
        .parent = at->parent, .class = at->class, .links = at->links
    };
    return (*rows)[*count - 1].name != NULL && (*rows)[*count - 1].path != NULL;
}

/* Is there one of its parts that has most of what it has more? */
static bool
leads_on(const struct ways *w, uint32_t way)
{
    for (uint32_t c = w->list[way].child; c != 0; c = w->list[c].sibling)
        if (2 * w->list[c].gain >= w->list[way].gain)
            return true;
    return false;
}

/* How many loaders more there are of a class, however they are reached. */
static int64_t
more_of_class(const struct ways *w, uint32_t class)
{
    int64_t more = 0;

    for (uint32_t i = 2; i <= w->count; i++)
        if (w->list[i].loads && w->list[i].class == class)
            more += more_objects(&w->list[i]);
    return more;
}

/* In the order of the tree; a way that leads on is gone down instead of being told. */
static bool
find_rows(struct growth *g, const struct ways *w)
{
    bool good = true;

    for (uint32_t at = w->list[1].child, next; at != 0 && good; at = next) {
        const struct way *way = &w->list[at];

        next = 0;
        if (way->gain > 0) {
            if (grown(way) <= 0 || (more_objects(way) <= 1 && leads_on(w, at)))
                next = way->child;
            else
                good = add_row(g, w, at, false);
        }
        for (; next == 0 && at > 1; at = w->list[at].parent)
            next = w->list[at].sibling;
    }
    for (uint32_t i = 2; i <= w->count && good; i++)
        if (w->list[i].loads && more_objects(&w->list[i]) > 0
            && more_of_class(w, w->list[i].class) > 0)
            good = add_row(g, w, i, true);
    return good;
}

static int
by_bytes(const void *a, const void *b)
{
    const struct growth_row *x = a, *y = b;

    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : strcmp(x->path, y->path);
}

static int
by_objects(const void *a, const void *b)
{
    const struct growth_row *x = a, *y = b;
    uint64_t more = x->now - x->before, others = y->now - y->before;

    return more != others ? (more < others ? 1 : -1) : strcmp(x->path, y->path);
}

bool
growth_find(struct growth *g, const char *before, const char *now)
{
    struct ways w = { .count = 0 };
    bool good = grow(&w);

    memset(g, 0, sizeof *g);
    if (good) {
        w.count = 1;
        w.list[0] = w.list[1] = (struct way){ 0 };
        good = count_dump(&w, before, 0) && count_dump(&w, now, 1);
    }
    if (good) {
        add_up(&w);
        g->bytes = grown(&w.list[1]);
        g->objects = (int64_t)(w.list[1].all_objects[1] - w.list[1].all_objects[0]);
        w.no_memory = !find_rows(g, &w);
    }
    if (w.no_memory) {
        tf_error("out of memory");
        good = false;
    }
    free(w.list);
    free(w.slots);
    texts_release(&w.texts);
    if (!good)
        growth_release(g);
    else {
        if (g->row_count > 0)
            qsort(g->rows, g->row_count, sizeof *g->rows, by_bytes);
        if (g->loader_count > 0)
            qsort(g->loaders, g->loader_count, sizeof *g->loaders, by_objects);
    }
    return good;
}

void
growth_release(struct growth *g)
{
    for (uint32_t i = 0; i < g->row_count; i++) {
        free(g->rows[i].name);
        free(g->rows[i].path);
    }
    for (uint32_t i = 0; i < g->loader_count; i++) {
        free(g->loaders[i].name);
        free(g->loaders[i].path);
    }
    free(g->rows);
    free(g->loaders);
    memset(g, 0, sizeof *g);
}

/* -- of the running program -- */

bool
growth_since(struct growth *g, struct model *model, const char *before)
{
    int file = temporary_file();
    struct output *out = NULL;
    char path[64];
    bool good;

    memset(g, 0, sizeof *g);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    if (file < 0)
        tf_error("there is no place for a temporary file");
    else
        out = output_open(path, false);
    good = out != NULL && hprof_write(model, out);
    if (good)
        good = output_commit(out);
    else if (out != NULL)
        output_discard(out);
    good = good && growth_find(g, before, path);
    if (file >= 0)
        close(file);
    return good;
}

static void
write_row(struct output *out, uint32_t number, const struct growth_row *row)
{
    output_format(out, "%4u: %+14lld %+9lld %11llu %9llu  %s\n      %s\n", number,
                  (long long)row->bytes, (long long)row->more,
                  (unsigned long long)row->before, (unsigned long long)row->now, row->name,
                  row->path);
}

uint32_t
growth_large(const struct growth *g, long long percent)
{
    uint64_t whole = g->bytes < 0 ? (uint64_t)-g->bytes : 0, sum = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < g->row_count; i++)
        sum += (uint64_t)g->rows[i].bytes;
    if (whole < sum)
        whole = sum;
    while (count < g->row_count
           && (double)g->rows[count].bytes * 100 >= (double)whole * (double)percent)
        count++;
    return count;
}

static bool
is_told(uint32_t i, long long top)
{
    return top == 0 || i < (uint64_t)top;
}

bool
growth_text(const struct growth *g, struct output *out, const struct config *config)
{
    uint32_t large = growth_large(g, config->min), small = g->row_count - large;
    int64_t rest = 0;

    output_format(out, "Growth since %s: %+lld bytes, %+lld objects\n"
                  " num          bytes   objects      before       now  what\n"
                  "-------------------------------------------------------\n",
                  config->compare, (long long)g->bytes, (long long)g->objects);
    for (uint32_t i = 0; i < large && is_told(i, config->top); i++)
        write_row(out, i + 1, &g->rows[i]);
    for (uint32_t i = large; i < g->row_count; i++)
        rest += g->rows[i].bytes;
    if (g->row_count == 0)
        output_format(out, "Nothing holds more than before.\n");
    else if (small > 0)
        output_format(out, "Left out: %u with less than %lld %% of the change each, %+lld "
                      "bytes together; min=0 shows them\n", small, config->min,
                      (long long)rest);
    if (g->loader_count > 0)
        output_format(out, "\nClass loaders that came, and who holds them; their classes go "
                      "only with them\n");
    for (uint32_t i = 0; i < g->loader_count && is_told(i, config->top); i++)
        write_row(out, i + 1, &g->loaders[i]);
    return true;
}

bool
growth_write(struct model *model, struct output *out)
{
    const struct config *config = model->config;
    struct growth growth;
    bool good = growth_since(&growth, model, config->compare)
        && growth_text(&growth, out, config);

    growth_release(&growth);
    return good;
}
