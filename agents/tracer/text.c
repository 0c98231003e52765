/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/text.c -- the result as a text: the hottest methods, then each thread's
 * calls under their callers.
 *
 * A caller has at least what its callees have.  So the calls of a thread that have the
 * most, or more than a part of all, are a tree, too: options can cut a long text without
 * a gap in it.
 */
#include "agents/tracer/tracer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Deeper calls stand no further to the right, but say how deep they are. */
enum { INDENTED = 100, HOT_METHODS = 10 };

/* -- hot methods -- */

struct hot {
    uint64_t own, total, calls;
    uint32_t method;
    uint32_t open;              /* calls of it that the walk is in */
};

struct hot_list {
    struct hot *list;           /* by method */
    uint32_t capacity;
    uint32_t *path;             /* methods by depth */
    uint32_t path_capacity, depth;
    bool failed;
};

static bool
make_room(struct hot_list *h, uint32_t method, uint32_t depth)
{
    if (method >= h->capacity) {
        uint32_t wanted = method + method / 2 + 256;
        struct hot *larger = realloc(h->list, wanted * sizeof *larger);

        if (larger == NULL)
            return false;
        memset(larger + h->capacity, 0, (wanted - h->capacity) * sizeof *larger);
        h->list = larger;
        h->capacity = wanted;
    }
    if (depth >= h->path_capacity) {
        uint32_t wanted = depth + depth / 2 + 256;
        uint32_t *larger = realloc(h->path, wanted * sizeof *larger);

        if (larger == NULL)
            return false;
        h->path = larger;
        h->path_capacity = wanted;
    }
    return true;
}

static void
go_up(struct hot_list *h, uint32_t depth)
{
    for (; h->depth > depth; h->depth--)
        h->list[h->path[h->depth - 1]].open--;
}

/* A method that calls itself has the time of its outermost call only. */
static void
add_call(struct hot_list *h, const struct node *node, uint32_t depth)
{
    struct hot *hot;

    go_up(h, depth - 1);
    if (h->failed || !make_room(h, node->method, depth)) {
        h->failed = true;
        return;
    }
    hot = &h->list[node->method];
    hot->method = node->method;
    hot->own += calltree_own(node);
    hot->calls += node->calls;
    if (hot->open++ == 0)
        hot->total += node->total;
    h->path[depth - 1] = node->method;
    h->depth = depth;
}

static int
hotter(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;

    return x->own != y->own ? (x->own < y->own ? 1 : -1)
        : x->total != y->total ? (x->total < y->total ? 1 : -1)
        : (x->method > y->method) - (x->method < y->method);
}

static double
part_of(uint64_t value, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)value / (double)whole;
}

/* Nanoseconds as milliseconds, exactly. */
static void
put_time(FILE *stream, uint64_t time)
{
    fprintf(stream, " %9" PRIu64 ".%06" PRIu64, time / 1000000, time % 1000000);
}

/* The list of methods that took the most themselves; false when memory is short. */
static bool
write_hot(FILE *stream, uint64_t whole, bool sampled)
{
    uint64_t rows = config.top < 0 ? HOT_METHODS : config.top == 0 ? UINT64_MAX
        : (uint64_t)config.top;
    struct hot_list h = { 0 };

    for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; ) {
        uint32_t at = t->root, depth = 0;

        while ((at = calltree_next(at, t->root, &depth)) != 0)
            add_call(&h, calltree_at(at), depth);
        if (!h.failed)
            go_up(&h, 0);
    }
    if (!h.failed) {
        if (h.capacity > 0)
            qsort(h.list, h.capacity, sizeof *h.list, hotter);
        fputs(sampled ? "\nhottest methods\n       own      %    samples      %  method\n"
              : "\nhottest methods\n         self ms      %         total ms      calls"
              "  method\n", stream);
        for (uint32_t i = 0; i < h.capacity && i < rows && h.list[i].own > 0
             && part_of(h.list[i].own, whole) >= (double)config.min; i++) {
            const struct hot *hot = &h.list[i];

            if (sampled)
                fprintf(stream, "%10" PRIu64 " %6.2f %10" PRIu64 " %6.2f", hot->own,
                        part_of(hot->own, whole), hot->total, part_of(hot->total, whole));
            else {
                put_time(stream, hot->own);
                fprintf(stream, " %6.2f", part_of(hot->own, whole));
                put_time(stream, hot->total);
                fprintf(stream, " %10" PRIu64, hot->calls);
            }
            fprintf(stream, "  %s\n", method_name(hot->method));
        }
    }
    free(h.list);
    free(h.path);
    return !h.failed;
}

/* -- calls under their callers -- */

/* Which calls of a thread are told. */
struct cutoff {
    uint64_t least;             /* what a call has at least */
    uint64_t equal;             /* so many of those that have just that, the first ones */
};

static int
larger_first(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* The `top` calls that have the most, of those that have enough. */
static bool
choose_cutoff(struct cutoff *cutoff, uint32_t root, uint64_t whole)
{
    uint64_t *totals, count = 0, all = 0, least = (uint64_t)config.min;
    uint32_t at = root, depth = 0;

    *cutoff = (struct cutoff){
        .least = whole / 100 * least + (whole % 100 * least + 99) / 100,
        .equal = UINT64_MAX
    };
    if (config.top <= 0)
        return true;
    while ((at = calltree_next(at, root, &depth)) != 0)
        all++;
    totals = malloc((all + 1) * sizeof *totals);
    if (totals == NULL)
        return false;
    at = root;
    while ((at = calltree_next(at, root, &depth)) != 0)
        if (calltree_at(at)->total >= cutoff->least)
            totals[count++] = calltree_at(at)->total;
    if (count > (uint64_t)config.top) {
        qsort(totals, count, sizeof *totals, larger_first);
        cutoff->least = totals[config.top - 1];
        for (cutoff->equal = 1; cutoff->equal < (uint64_t)config.top
             && totals[config.top - 1 - (long long)cutoff->equal] == cutoff->least; )
            cutoff->equal++;
    }
    free(totals);
    return true;
}

/* Is a call, the next one in the order of the tree, to be told? */
static bool
is_told(struct cutoff *cutoff, uint64_t total)
{
    if (total == cutoff->least && cutoff->equal > 0) {
        cutoff->equal--;
        return true;
    }
    return total > cutoff->least;
}

static void
write_name(FILE *stream, const struct node *node, uint32_t depth)
{
    fprintf(stream, "  %*s", 2 * (int)(depth <= INDENTED ? depth - 1 : INDENTED), "");
    if (depth > INDENTED)
        fprintf(stream, "[%" PRIu32 "] ", depth);
    fprintf(stream, "%s\n", method_name(node->method));
}

static void
write_node(FILE *stream, const struct node *node, uint32_t depth)
{
    fprintf(stream, "%10" PRIu64 " %8" PRIu64, node->calls, node->thrown);
    put_time(stream, node->total);
    put_time(stream, calltree_own(node));
    write_name(stream, node, depth);
}

static void
write_sampled_node(FILE *stream, const struct node *node, uint32_t depth, uint64_t whole)
{
    fprintf(stream, "%10" PRIu64 " %6.2f %10" PRIu64, node->total,
            part_of(node->total, whole), calltree_own(node));
    write_name(stream, node, depth);
}

/* Of samples the heaviest calls come first; of a trace, what was called first. */
static bool
write_thread(FILE *stream, const struct track *track, uint64_t whole, bool sampled)
{
    uint32_t root = track->root, at = root, depth = 0;
    struct cutoff cutoff;
    uint64_t left_out = 0;

    if (sampled)
        calltree_sort(root);
    if (!choose_cutoff(&cutoff, root, whole))
        return false;
    fprintf(stream, "\nthread \"%s\": %" PRIu64 " %s\n%s", track->name, track->calls,
            sampled ? "samples" : "calls", sampled
            ? "   samples      %        own  method\n"
            : "     calls   thrown         total ms          self ms  method\n");
    while ((at = calltree_next(at, root, &depth)) != 0)
        if (!is_told(&cutoff, calltree_at(at)->total))
            left_out++;
        else if (sampled)
            write_sampled_node(stream, calltree_at(at), depth, whole);
        else
            write_node(stream, calltree_at(at), depth);
    if (left_out > 0)
        fprintf(stream, "(%" PRIu64 " rows that have less are left out)\n", left_out);
    return true;
}

/* What all threads have together. */
static uint64_t
whole_of_all(void)
{
    uint64_t whole = 0;

    for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; )
        for (uint32_t c = calltree_at(t->root)->child; c != 0; c = calltree_at(c)->sibling)
            whole += calltree_at(c)->total;
    return whole;
}

bool
text_write(FILE *stream, uint64_t end, uint64_t lost, uint32_t threads)
{
    bool sampled = config.sample > 0, good;
    uint64_t whole = whole_of_all();

    fprintf(stream, "%" PRIu64 " %s, %" PRIu64 " lost, %" PRIu32 " threads,", store_calls(),
            sampled ? "samples" : "calls", lost, threads);
    put_time(stream, end);
    fputs(" ms\n", stream);
    if (sampled)
        fprintf(stream, "a sample is a thread that was met running, and stands for %.1f ms "
                "of its time: count times that is about what a call took\n"
                "the threads were looked at every %.1f ms\n",
                sampler_interval(end) / 1e6, sampler_look_interval(end) / 1e6);
    good = write_hot(stream, whole, sampled);
    for (struct track *t = NULL; good && (t = store_next_track(t)) != NULL; )
        good = write_thread(stream, t, whole, sampled);
    if (!good)
        tf_error("out of memory");
    return good;
}
