/* SPDX-License-Identifier: MIT */
/* agents/heapdump/test/dominators-t.c -- dominators beside their definition. */
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static unsigned tests;

static void
point(bool good, const char *name)
{
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests, name);
}

struct small_graph {
    uint32_t count, start[MOST], edges[MOST * (MOST + 1) + 1];
    bool edge[MOST][MOST];
};

/* The lists that dominators wants; some nodes have none. */
static void
make_lists(struct small_graph *g)
{
    uint32_t end = 1;

    for (uint32_t from = 0; from < g->count; from++) {
        uint32_t at = end++;

        for (uint32_t to = 0; to < g->count; to++)
            if (g->edge[from][to])
                g->edges[end++] = to;
        g->edges[at] = end - at - 1;
        g->start[from] = at;
        if (g->edges[at] == 0 && from % 2 == 0) {
            g->start[from] = 0;
            end = at;
        }
    }
}

static void
reach(const struct small_graph *g, uint32_t from, uint32_t without, bool *seen)
{
    if (from == without || seen[from])
        return;
    seen[from] = true;
    for (uint32_t to = 0; to < g->count; to++)
        if (g->edge[from][to])
            reach(g, to, without, seen);
}

/* Does a dominate b: is b out of reach without a? */
static bool
dominates(const struct small_graph *g, uint32_t a, uint32_t b)
{
    bool seen[MOST] = { false };

    reach(g, 0, a, seen);
    return !seen[b];
}

/* The immediate dominator is dominated by all other ones. */
static bool
is_immediate(const struct small_graph *g, uint32_t node, uint32_t dominator)
{
    if (dominator == node || !dominates(g, dominator, node))
        return false;
    for (uint32_t other = 0; other < g->count; other++)
        if (other != node && dominates(g, other, node)
            && !dominates(g, other, dominator))
            return false;
    return true;
}

static bool
is_right(struct small_graph *g)
{
    uint32_t *order, *dominator, reached, want = 0;
    bool seen[MOST] = { false }, right;

    make_lists(g);
    reach(g, 0, MOST, seen);
    for (uint32_t i = 0; i < g->count; i++)
        want += seen[i];
    if (!dominators(g->count, g->start, g->edges, &order, &dominator, &reached))
        return false;
    right = reached == want && order[0] == 0;
    for (uint32_t v = 1; right && v < reached; v++)
        right = seen[order[v]] && dominator[v] < v
            && is_immediate(g, order[v], order[dominator[v]]);
    free(order);
    free(dominator);
    return right;
}

static bool
random_graphs(unsigned percent)
{
    struct small_graph g;

    for (int i = 0; i < 400; i++) {
        memset(&g, 0, sizeof g);
        g.count = 1 + (uint32_t)(rand() % MOST);
        for (uint32_t from = 0; from < g.count; from++)
            for (uint32_t to = 0; to < g.count; to++)
                g.edge[from][to] = (unsigned)rand() % 100 < percent;
        if (!is_right(&g))
            return false;
    }
    return true;
}

/* A list so long that recursion would not end well; all elements point back to the
   first one, and its last to the middle. */
static bool
long_list(void)
{
    enum { LENGTH = 2000000 };
    uint32_t *start = calloc(LENGTH, sizeof *start);
    uint32_t *edges = calloc(3 * (size_t)LENGTH + 1, sizeof *edges);
    uint32_t *order, *dominator, reached;
    bool right = true;

    for (uint32_t i = 0; i < LENGTH; i++) {
        uint32_t *list = &edges[start[i] = 3 * i + 1];

        list[0] = 2;
        list[1] = i + 1 < LENGTH ? i + 1 : LENGTH / 2;
        list[2] = 1;
    }
    if (!dominators(LENGTH, start, edges, &order, &dominator, &reached))
        return false;
    for (uint32_t v = 1; right && v < reached; v++)
        right = order[v] == v && dominator[v] == v - 1;
    free(order);
    free(dominator);
    free(start);
    free(edges);
    return right && reached == LENGTH;
}

int
main(void)
{
    srand(7);
    point(random_graphs(3), "random graphs with few edges");
    point(random_graphs(6), "random graphs with some more");
    point(random_graphs(20), "random graphs with many");
    point(long_list(), "a list of two million elements");
    printf("1..%u\n", tests);
    return 0;
}
