/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/calltree.c -- calls with the same callers, added up.
 *
 * All trees share an array of nodes and a table of hashed (parent, method), so a method
 * with many different callees costs no search.
 */
#include "agents/tracer/tracer.h"

#include <stdlib.h>

static struct node *nodes;      /* from 1 */
static uint32_t *index_of;      /* twice as many slots as nodes; a power of two */
static uint32_t count = 1, capacity;

static uint32_t *
slot_of(uint32_t parent, uint32_t method)
{
    uint32_t mask = 2 * capacity - 1;
    uint32_t i = (parent * 0x9e3779b1u + method) * 0x85ebca6bu >> 3 & mask;

    while (index_of[i] != 0 && (nodes[index_of[i]].parent != parent
                                || nodes[index_of[i]].method != method))
        i = (i + 1) & mask;
    return &index_of[i];
}

static bool
grow(void)
{
    uint32_t wanted = capacity == 0 ? 64 : capacity * 2;
    size_t bytes = wanted * (sizeof *nodes + 2 * sizeof *index_of);
    struct node *larger;
    uint32_t *slots;

    if (wanted > 1u << 30 || (capacity != 0 && bytes > (size_t)config.limit))
        return false;
    larger = realloc(nodes, wanted * sizeof *nodes);
    if (larger == NULL)
        return false;
    nodes = larger;
    slots = calloc(2 * (size_t)wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    free(index_of);
    index_of = slots;
    capacity = wanted;
    for (uint32_t i = 1; i < count; i++)
        if (nodes[i].parent != 0)
            *slot_of(nodes[i].parent, nodes[i].method) = i;
    return true;
}

uint32_t
calltree_node(uint32_t parent, uint32_t method)
{
    if (parent != 0) {
        uint32_t found = *slot_of(parent, method);

        if (found != 0)
            return found;
    }
    if (count >= capacity && !grow())
        return 0;
    nodes[count] = (struct node){ .method = method, .parent = parent };
    if (parent != 0) {
        struct node *above = &nodes[parent];

        *slot_of(parent, method) = count;
        if (above->child == 0)
            above->child = count;
        else
            nodes[above->last_child].sibling = count;
        above->last_child = count;
    }
    return count++;
}

struct node *
calltree_at(uint32_t node)
{
    return &nodes[node];
}

uint32_t
calltree_next(uint32_t node, uint32_t root, uint32_t *depth)
{
    if (nodes[node].child != 0) {
        ++*depth;
        return nodes[node].child;
    }
    return calltree_skip(node, root, depth);
}

uint32_t
calltree_skip(uint32_t node, uint32_t root, uint32_t *depth)
{
    while (node != root && nodes[node].sibling == 0) {
        node = nodes[node].parent;
        --*depth;
    }
    return node == root ? 0 : nodes[node].sibling;
}

uint64_t
calltree_own(const struct node *node)
{
    uint64_t own = node->total;

    for (uint32_t child = node->child; child != 0; child = nodes[child].sibling)
        own -= nodes[child].total;
    return own;
}

void
calltree_add_up(void)
{
    /* A node comes before its children. */
    for (uint32_t i = count; i-- > 1;) {
        struct node *above = &nodes[nodes[i].parent];

        if (nodes[i].parent != 0) {
            above->calls += nodes[i].calls;
            above->total += nodes[i].total;
        }
    }
}

void
calltree_take_apart(void)
{
    /* From the roots on, so that a child still has all of its own. */
    for (uint32_t i = 1; i < count; i++) {
        struct node *above = &nodes[nodes[i].parent];

        if (nodes[i].parent != 0) {
            above->calls -= nodes[i].calls;
            above->total -= nodes[i].total;
        }
    }
}

/* Merge two lists of siblings, each sorted; of equals that of a comes first. */
static uint32_t
merge(uint32_t a, uint32_t b)
{
    uint32_t first = 0, *at = &first;

    while (a != 0 && b != 0) {
        uint32_t *from = nodes[a].total >= nodes[b].total ? &a : &b;

        *at = *from;
        at = &nodes[*from].sibling;
        *from = *at;
    }
    *at = a != 0 ? a : b;
    return first;
}

/* Sort a list of siblings: parts[i] is a sorted list of 2^i of them, or empty. */
static uint32_t
sort_siblings(uint32_t list)
{
    uint32_t parts[32] = { 0 }, sorted = 0;

    while (list != 0) {
        uint32_t one = list, i = 0;

        list = nodes[one].sibling;
        nodes[one].sibling = 0;
        for (; parts[i] != 0; i++) {
            one = merge(parts[i], one);
            parts[i] = 0;
        }
        parts[i] = one;
    }
    for (uint32_t i = 0; i < 32; i++)
        sorted = merge(parts[i], sorted);
    return sorted;
}

void
calltree_sort(uint32_t root)
{
    uint32_t at = root, depth = 0;

    while (at != 0) {
        uint32_t last = nodes[at].child = sort_siblings(nodes[at].child);

        while (last != 0 && nodes[last].sibling != 0)
            last = nodes[last].sibling;
        nodes[at].last_child = last;
        at = calltree_next(at, root, &depth);
    }
}

void
calltree_free(void)
{
    free(nodes);
    free(index_of);
    nodes = NULL;
    index_of = NULL;
    count = 1;
    capacity = 0;
}
