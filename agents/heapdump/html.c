/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/html.c -- the page: what keeps memory alive, and since which dump.
 *
 * Of the dominator tree the page has the objects that retain most, PAGE_OBJECTS at
 * most; what is smaller is a sum in its dominator.  The links of a long chain would take
 * all places, each of them retaining nearly what the one before it does, so only its first
 * is there.  For each object, and for that of each class that retains most, the page has a
 * shortest path from a root, whose objects may be small ones; a search in breadth finds
 * it.  The histogram counts all that is strongly reachable.  agents/page/heap.js draws it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agents/heapdump/growth.h"
#include "agents/heapdump/heapdump.h"
#include "agents/page/heap.html.h"
#include "agents/page/heap.js.h"
#include "agents/page/style.css.h"

enum { PAGE_OBJECTS = 20000, PATH_OBJECTS = 60000, PATH_LENGTH = 100 };
#define NOWHERE UINT32_MAX

struct page {
    const struct graph *g;
    struct output *out;
    const uint32_t *order, *dominator;
    uint32_t reached;
    uint64_t *retained;         /* by vertex, in units */
    uint32_t *vertex_of;        /* by node; NOWHERE for what is not reached */
    uint32_t *parent, *label;   /* by node: on a shortest path from the root */
    uint32_t *index_of;         /* by node: its place in the page, + 1 */
    uint32_t *shown;            /* nodes of the page */
    uint32_t count, kept;       /* of shown: all, those of the dominator tree */
    uint32_t *largest;          /* by class: the vertex of its object that retains most;
                                   0 for none */
};

static void
put_string(struct output *out, const char *text)
{
    struct tf_buffer printable = { 0 }, json = { 0 };

    tf_buffer_printable(&printable, text, strlen(text));
    tf_buffer_text(&json, "\"");
    for (const char *c = tf_buffer_string(&printable); *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            tf_buffer_format(&json, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == '<')
            tf_buffer_format(&json, "\\u%04x", (unsigned)*c);
        else
            tf_buffer_add(&json, c, 1);
    tf_buffer_text(&json, "\"");
    output_bytes(out, json.bytes, json.length);
    tf_buffer_release(&json);
    tf_buffer_release(&printable);
}

/* -- what is shown -- */

static void
add_up(struct page *p)
{
    for (uint32_t v = 0; v < p->reached; v++) {
        p->retained[v] = p->g->size[p->order[v]];
        p->vertex_of[p->order[v]] = v;
    }
    for (uint32_t v = p->reached; v-- > 1;)
        p->retained[p->dominator[v]] += p->retained[v];
}

/* A search in breadth from the root of roots; `queue` has room for all nodes. */
static void
find_paths(struct page *p, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;

    for (uint32_t n = 0; n < p->g->nodes; n++)
        p->parent[n] = NOWHERE;
    p->parent[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        uint32_t node = queue[head++], start = p->g->start[node];
        uint32_t count = start == 0 ? 0 : p->g->edges[start];

        for (uint32_t e = start + 1; e <= start + count; e++) {
            uint32_t to = p->g->edges[e];

            if (p->parent[to] != NOWHERE)
                continue;
            p->parent[to] = node;
            p->label[to] = p->g->labels[e];
            queue[tail++] = to;
        }
    }
}

/* Is it a link of a chain: of the class of its dominator, which has little besides? */
static bool
is_link(const struct page *p, uint32_t v)
{
    uint32_t above = p->dominator[v];

    return above != 0 && p->retained[v] > p->retained[above] - p->retained[above] / 16
        && p->order[v] >= p->g->model->class_count
        && p->order[above] >= p->g->model->class_count
        && graph_class(p->g, p->order[v]) == graph_class(p->g, p->order[above]);
}

/* The least that an object of the page retains, in units. */
static uint64_t
least_retained(const struct page *p)
{
    uint64_t least = p->retained[0], count = 0;

    while (least > 1) {
        uint64_t lower = least - least / 4 - 1;

        count = 0;
        for (uint32_t v = 0; v < p->reached; v++)
            count += p->retained[v] >= lower && !is_link(p, v);
        if (count > PAGE_OBJECTS)
            break;
        least = lower;
    }
    return least;
}

static void
show(struct page *p, uint32_t node)
{
    if (p->index_of[node] == 0) {
        p->shown[p->count++] = node;
        p->index_of[node] = p->count;
    }
}

/* The place of the nearest dominator that the page's tree has. */
static uint32_t
shown_dominator(const struct page *p, uint32_t v)
{
    uint32_t index;

    do {
        v = p->dominator[v];
        index = p->index_of[p->order[v]];
    } while (index == 0 || index > p->kept);
    return index - 1;
}

static void
find_largest(struct page *p)
{
    for (uint32_t v = 1; v < p->reached; v++) {
        uint32_t node = p->order[v];
        uint32_t *largest = &p->largest[graph_class(p->g, node) - p->g->model->classes];

        if (*largest == 0 || p->retained[v] > p->retained[*largest])
            *largest = v;
    }
}

/* Those that retain much, by vertex, so that a dominator comes before what it dominates;
   the largest of each class; then those on the paths to them. */
static void
choose(struct page *p)
{
    uint64_t least = least_retained(p);
    uint32_t ends;

    for (uint32_t v = 0; v < p->reached && p->count < PAGE_OBJECTS; v++)
        if (p->retained[v] >= least && !is_link(p, v))
            show(p, p->order[v]);
    p->kept = p->count;
    find_largest(p);
    for (uint32_t c = 1; c < p->g->model->class_count && p->count < PATH_OBJECTS; c++)
        if (p->largest[c] != 0)
            show(p, p->order[p->largest[c]]);
    ends = p->count;
    for (uint32_t i = 1; i < ends; i++) {
        uint32_t node = p->shown[i];

        for (uint32_t step = 0; step < PATH_LENGTH && p->count < PATH_OBJECTS
             && p->index_of[p->parent[node]] == 0; step++) {
            node = p->parent[node];
            show(p, node);
        }
    }
}

/* -- texts -- */

/* How `node` is referred to on its path. */
static void
put_label(const struct page *p, uint32_t node)
{
    char *text = graph_label(p->g, p->parent[node], p->label[node]);

    put_string(p->out, text != NULL ? text : "?");
    free(text);
}

static void
put_nodes(const struct page *p)
{
    output_format(p->out, ",\n\"nodes\":[");
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t node = p->shown[i], v = p->vertex_of[node];
        uint32_t above = p->index_of[p->parent[node]];

        /* Class, class object, shallow, retained, dominator, parent on the path; -1 for
           none, and -2 for a parent that is too far away. */
        output_format(p->out, "%s%" PRIu32 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRId64
                      ",%" PRId64, i == 0 ? "" : ",\n",
                      node < p->g->model->class_count && node != 0 ? node
                      : (uint32_t)(graph_class(p->g, node) - p->g->model->classes),
                      node != 0 && node < p->g->model->class_count,
                      (uint64_t)p->g->size[node] * UNIT, p->retained[v] * UNIT,
                      i == 0 || i >= p->kept ? (int64_t)-1
                      : (int64_t)shown_dominator(p, v),
                      i == 0 ? (int64_t)-1 : above == 0 ? (int64_t)-2
                      : (int64_t)above - 1);
    }
    output_format(p->out, "],\n\"labels\":[");
    for (uint32_t i = 0; i < p->count; i++) {
        output_format(p->out, i == 0 ? "" : ",\n");
        if (i == 0)
            put_string(p->out, "");
        else
            put_label(p, p->shown[i]);
    }
    output_format(p->out, "]");
}

/* -- classes -- */

static void
put_classes(const struct page *p, const struct old_dump *old)
{
    struct model *model = p->g->model;

    for (uint32_t c = 0; c < model->class_count; c++)
        model->classes[c].objects = model->classes[c].object_bytes = 0;
    for (uint32_t v = 1; v < p->reached; v++) {
        struct class *class = (struct class *)graph_class(p->g, p->order[v]);

        class->objects++;
        class->object_bytes += (uint64_t)p->g->size[p->order[v]] * UNIT;
    }
    output_format(p->out, ",\n\"classes\":[\"\"");
    for (uint32_t c = 1; c < model->class_count; c++) {
        char *name = class_java_name(&model->classes[c]);

        output_format(p->out, ",\n");
        put_string(p->out, name != NULL ? name : "?");
        free(name);
    }
    output_format(p->out, "],\n\"histogram\":[0,0");
    for (uint32_t c = 1; c < model->class_count; c++)
        output_format(p->out, ",%" PRIu64 ",%" PRIu64,
                      model->classes[c].wanted ? model->classes[c].objects : 0,
                      model->classes[c].wanted ? model->classes[c].object_bytes : 0);
    /* Numbers of nodes; 0 for none. */
    output_format(p->out, "],\n\"largest\":[0");
    for (uint32_t c = 1; c < model->class_count; c++) {
        uint32_t index = p->largest[c] == 0 ? 0 : p->index_of[p->order[p->largest[c]]];

        output_format(p->out, ",%" PRIu32, index == 0 ? 0 : index - 1);
    }
    output_format(p->out, "]");
    if (model->config->compare == NULL)
        return;
    output_format(p->out, ",\n\"compare\":");
    put_string(p->out, model->config->compare);
    output_format(p->out, ",\n\"old\":[0");
    for (uint32_t c = 1; c < model->class_count; c++) {
        const struct old_class *before =
            old_dump_find(old, model->strings[model->classes[c].name]);

        output_format(p->out, ",%" PRIu64, before == NULL ? 0 : before->objects);
    }
    output_format(p->out, "]");
}

enum { GROWTH_ROWS = 50 };

static void
put_growth_rows(struct output *out, const char *name, const struct growth_row *rows,
                uint32_t count)
{
    output_format(out, ",\n\"%s\":[", name);
    for (uint32_t i = 0; i < count && i < GROWTH_ROWS; i++) {
        output_format(out, "%s[", i == 0 ? "" : ",\n");
        put_string(out, rows[i].name);
        output_format(out, ",");
        put_string(out, rows[i].path);
        output_format(out, ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRId64 "]",
                      rows[i].before, rows[i].now, rows[i].more, rows[i].bytes);
    }
    output_format(out, "]");
}

/* Who holds more than before; nothing where that is not known. */
static void
put_growth(struct output *out, const struct growth *growth, long long min)
{
    if (growth == NULL)
        return;
    output_format(out, ",\n\"growth\":{\"bytes\":%" PRId64 ",\"objects\":%" PRId64,
                  growth->bytes, growth->objects);
    put_growth_rows(out, "rows", growth->rows, growth_large(growth, min));
    put_growth_rows(out, "loaders", growth->loaders, growth->loader_count);
    output_format(out, "}");
}

static void
put_page(const struct page *p, const struct old_dump *old)
{
    output_format(p->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                  "<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n"
                  "<title>Heap</title>\n<style>\n");
    output_bytes(p->out, page_style, sizeof page_style - 1);
    output_format(p->out, "</style>\n</head>\n");
    output_bytes(p->out, page_heap, sizeof page_heap - 1);
    output_format(p->out, "<script type=\"application/json\" id=\"data\">\n{"
                  "\"bytes\":%" PRIu64 ",\"objects\":%" PRIu32 ",\"weak\":%" PRIu32
                  ",\"kept\":%" PRIu32, p->retained[0] * UNIT, p->reached - 1,
                  p->g->nodes - p->reached, p->kept);
    put_growth(p->out, p->g->model->growth, p->g->model->config->min);
    put_classes(p, old);
    put_nodes(p);
    output_format(p->out, "}\n</script>\n<script>\n");
    output_bytes(p->out, page_heap_js, sizeof page_heap_js - 1);
    output_format(p->out, "</script>\n</body>\n</html>\n");
}

static bool
write_page(const struct graph *g, struct output *out, const uint32_t *order,
           const uint32_t *dominator, uint32_t reached)
{
    struct page p = { .g = g, .out = out, .order = order, .dominator = dominator,
                      .reached = reached };
    const char *path = g->model->config->compare;
    struct old_dump old = { 0 };
    uint32_t *queue = malloc(g->nodes * sizeof *queue);
    bool good;

    p.retained = malloc(reached * sizeof *p.retained);
    p.vertex_of = malloc(g->nodes * sizeof *p.vertex_of);
    p.parent = malloc(g->nodes * sizeof *p.parent);
    p.label = calloc(g->nodes, sizeof *p.label);
    p.index_of = calloc(g->nodes, sizeof *p.index_of);
    p.shown = malloc((PATH_OBJECTS + PAGE_OBJECTS) * sizeof *p.shown);
    p.largest = calloc(g->model->class_count, sizeof *p.largest);
    good = queue != NULL && p.retained != NULL && p.vertex_of != NULL
        && p.parent != NULL && p.label != NULL && p.index_of != NULL && p.shown != NULL
        && p.largest != NULL;
    /* What cannot be read has been told; the page is there without it. */
    if (good && path != NULL)
        (void)old_dump_read(&old, path);
    if (good) {
        add_up(&p);
        progress_tell(&g->model->progress, "looking for paths from roots", 0, 0);
        find_paths(&p, queue);
        choose(&p);
        put_page(&p, &old);
    }
    old_dump_release(&old);
    free(queue);
    free(p.retained);
    free(p.vertex_of);
    free(p.parent);
    free(p.label);
    free(p.index_of);
    free(p.shown);
    free(p.largest);
    return good;
}

/* The growth is that of a dump, which is made first; what it cannot tell has been logged,
   and the page is there without it. */
bool
html_write(struct model *model, struct output *out)
{
    const struct config *config = model->config;
    struct growth *growth = calloc(1, sizeof *growth);
    bool good;

    if (growth == NULL) {
        tf_error("out of memory");
        return false;
    }
    if (config->compare != NULL && config->include == NULL && config->exclude == NULL) {
        if (growth_since(growth, model, config->compare))
            model->growth = growth;
        model_forget_objects(model);
    }
    good = !model->stale && graph_write(model, out, write_page);
    model->growth = NULL;
    growth_release(growth);
    free(growth);
    return good;
}
