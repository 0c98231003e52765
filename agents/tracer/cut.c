/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/cut.c -- a tree of calls without those that are too small to be seen.
 *
 * A page that has millions of calls takes a browser seconds, and nobody sees most of them.
 * So calls that are too small a part of the whole become a part of their caller: a walk
 * leaves them out together with what they called.
 */
#include "agents/tracer/tracer.h"

static uint64_t
value_of(const struct cut *cut, const struct node *node)
{
    return cut->compares && node->calls > node->total ? node->calls : node->total;
}

uint32_t
cut_next(const struct cut *cut, uint32_t node, uint32_t root, uint32_t *depth)
{
    uint32_t next = calltree_next(node, root, depth);

    while (next != 0 && value_of(cut, calltree_at(next)) < cut->least)
        next = calltree_skip(next, root, depth);
    return next;
}

struct node
cut_own(const struct cut *cut, const struct node *node)
{
    struct node own = *node;

    for (uint32_t c = node->child; c != 0; c = calltree_at(c)->sibling)
        if (value_of(cut, calltree_at(c)) >= cut->least) {
            own.total -= calltree_at(c)->total;
            if (cut->compares)
                own.calls -= calltree_at(c)->calls;
        }
    return own;
}

/* What is left below a root, and how much its first calls have. */
static void
add_tree(const struct cut *cut, uint32_t root, uint64_t *count, uint64_t *whole)
{
    uint32_t at = root, depth = 0;

    while ((at = cut_next(cut, at, root, &depth)) != 0) {
        ++*count;
        if (depth == 1)
            *whole += value_of(cut, calltree_at(at));
    }
}

void
cut_choose(struct cut *cut)
{
    uint64_t whole = 0;

    cut->least = 0;
    for (uint64_t parts = 1000000; ; parts /= 2) {
        uint64_t count = 0, sum = 0;

        if (cut->root != 0)
            add_tree(cut, cut->root, &count, &sum);
        else
            for (const struct track *t = NULL; (t = store_next_track(t)) != NULL; )
                add_tree(cut, t->root, &count, &sum);
        if (cut->least == 0)
            whole = sum;
        if (count <= PAGE_NODES || parts == 0)
            return;
        cut->least = whole / parts + 1;
    }
}
