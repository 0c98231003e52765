/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/dominators.c -- immediate dominators of a large graph.
 *
 * Semidominators by path compression as Lengauer and Tarjan have them, then immediate
 * dominators by walking up from each vertex's parent ("SEMI-NCA", Georgiadis): it needs
 * no buckets, so a vertex costs 28 bytes and an edge 4.  Nothing recurses: lists of a
 * million elements are common.
 */
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Vertices are numbered in the order of the search, by which all arrays but `number`
   are. */
struct search {
    uint32_t count;
    const uint32_t *start, *edges;
    uint32_t *number;       /* by node; NONE when it was not reached */
    uint32_t *order;        /* the node */
    uint32_t *parent;       /* compressed as vertices are done */
    uint32_t *semi, *label, *dominator;
    uint32_t *from, *predecessors;  /* those of v: [from[v], from[v + 1]) */
    uint32_t *stack, stack_size;
    uint32_t reached;
};

static uint32_t *
numbers_new(uint64_t count)
{
    return malloc((count + 1) * sizeof(uint32_t));
}

static uint32_t
degree(const struct search *s, uint32_t node)
{
    return s->start[node] == 0 ? 0 : s->edges[s->start[node]];
}

static uint32_t
enter(struct search *s, uint32_t node, uint32_t parent)
{
    uint32_t v = s->reached++;

    s->number[node] = v;
    s->order[v] = node;
    s->parent[v] = s->dominator[v] = parent;
    s->label[v] = 0;        /* the next edge, while the search is here */
    return v;
}

static void
search(struct search *s)
{
    uint32_t v;

    memset(s->number, 0xff, s->count * sizeof *s->number);
    v = enter(s, 0, 0);
    for (;;) {
        uint32_t node = s->order[v];

        if (s->label[v] < degree(s, node)) {
            uint32_t to = s->edges[s->start[node] + 1 + s->label[v]++];

            if (s->number[to] == NONE)
                v = enter(s, to, v);
        } else if (v == 0)
            break;
        else
            v = s->parent[v];
    }
}

/* Sort the edges between reached vertices by where they lead. */
static bool
find_predecessors(struct search *s)
{
    s->from = calloc((size_t)s->reached + 2, sizeof *s->from);
    if (s->from == NULL)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < s->reached; v++) {
            const uint32_t *list = &s->edges[s->start[s->order[v]]];

            for (uint32_t i = degree(s, s->order[v]); i > 0; i--) {
                uint32_t to = s->number[list[i]];

                if (pass == 0)
                    s->from[to + 2]++;
                else
                    s->predecessors[s->from[to + 1]++] = v;
            }
        }
        if (pass > 0)
            break;
        for (uint32_t v = 1; v <= s->reached; v++)
            s->from[v + 1] += s->from[v];
        s->predecessors = numbers_new(s->from[s->reached + 1]);
        if (s->predecessors == NULL)
            return false;
    }
    return true;
}

static bool
push(struct search *s, uint32_t depth, uint32_t v)
{
    if (depth == s->stack_size) {
        uint32_t size = s->stack_size * 2 + 64;
        uint32_t *grown = realloc(s->stack, size * sizeof *grown);

        if (grown == NULL)
            return false;
        s->stack = grown;
        s->stack_size = size;
    }
    s->stack[depth] = v;
    return true;
}

/* The vertex of least semidominator on the way up from v to those that are not linked,
   which are lower than `linked`; NONE when memory is short. */
static uint32_t
evaluate(struct search *s, uint32_t v, uint32_t linked)
{
    uint32_t depth = 0, above, best;

    if (s->parent[v] < linked)
        return s->label[v];
    do {
        if (!push(s, depth++, v))
            return NONE;
        v = s->parent[v];
    } while (s->parent[v] >= linked);
    above = v;
    best = s->label[v];
    while (depth > 0) {
        v = s->stack[--depth];
        s->parent[v] = s->parent[above];
        if (s->semi[best] < s->semi[s->label[v]])
            s->label[v] = best;
        else
            best = s->label[v];
        above = v;
    }
    return s->label[v];
}

static bool
find_dominators(struct search *s)
{
    for (uint32_t v = 0; v < s->reached; v++)
        s->label[v] = s->semi[v] = v;
    for (uint32_t v = s->reached; v-- > 1;) {
        s->semi[v] = s->parent[v];
        for (uint32_t i = s->from[v]; i < s->from[v + 1]; i++) {
            uint32_t best = evaluate(s, s->predecessors[i], v + 1);

            if (best == NONE)
                return false;
            if (s->semi[best] < s->semi[v])
                s->semi[v] = s->semi[best];
        }
    }
    for (uint32_t v = 1; v < s->reached; v++)
        while (s->dominator[v] > s->semi[v])
            s->dominator[v] = s->dominator[s->dominator[v]];
    return true;
}

bool
dominators(uint32_t count, const uint32_t *start, const uint32_t *edges,
           uint32_t **order, uint32_t **dominator, uint32_t *reached)
{
    struct search s = {
        .count = count, .start = start, .edges = edges, .number = numbers_new(count),
        .order = numbers_new(count), .parent = numbers_new(count),
        .semi = numbers_new(count), .label = numbers_new(count),
        .dominator = numbers_new(count)
    };
    bool done = s.number != NULL && s.order != NULL && s.parent != NULL
        && s.semi != NULL && s.label != NULL && s.dominator != NULL;

    if (done) {
        search(&s);
        done = find_predecessors(&s) && find_dominators(&s);
    }
    free(s.number);
    free(s.parent);
    free(s.semi);
    free(s.label);
    free(s.from);
    free(s.predecessors);
    free(s.stack);
    if (!done) {
        free(s.order);
        free(s.dominator);
        return false;
    }
    *order = s.order;
    *dominator = s.dominator;
    *reached = s.reached;
    return true;
}
