/* SPDX-License-Identifier: MIT */
/*
 * layer/leak.c -- memory that agents never gave back.
 *
 * What an environment has when it is disposed of is lost, unless the agent has another one.
 * At the exit those blocks are lost that nothing in the process points to (reach.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/block.h"
#include "layer/reach.h"

/* Leaks of one function's parameter at one place. */
struct leak {
    const struct block *block;
    bool is_lost;
    long count;
    size_t size;
};

/* By the frames of the places, so that those of one are beside each other, and by the
   parameter. */
static int
compare_places(const void *a, const void *b)
{
    const struct block *x = ((const struct leak *)a)->block;
    const struct block *y = ((const struct leak *)b)->block;

    for (int i = 0; i < PLACE_FRAMES; i++) {
        uintptr_t p = stack_place_frame(&x->stack, i), q = stack_place_frame(&y->stack, i);

        if (p != q)
            return p > q ? 1 : -1;
    }
    return strcmp(x->param, y->param);
}

/* ": 40 bytes", as far as it is known. */
static const char *
bytes_text(size_t size, char *text, size_t room)
{
    if (size == 0)
        text[0] = '\0';
    else
        snprintf(text, room, ": %zu byte%s", size, size == 1 ? "" : "s");
    return text;
}

/* Tell of leaks, once for each place.  All blocks that are left of a place are among the
   `count`, those that are `lost` are told of. */
static void
tell_leaks(enum check_rule rule, struct leak *leaks, size_t count, const char *why)
{
    if (count == 0)
        return;
    qsort(leaks, count, sizeof *leaks, compare_places);
    for (size_t i = 0, next; i < count; i = next) {
        struct leak sum = { leaks[i].block, false, 0, 0 };
        long all = 0;
        char bytes[40], left[60] = "";

        for (next = i; next < count && compare_places(&leaks[i], &leaks[next]) == 0;
             next++) {
            all++;
            if (!leaks[next].is_lost)
                continue;
            sum.block = leaks[next].block;
            sum.count++;
            sum.size += leaks[next].block->size;
        }
        if (sum.count == 0)
            continue;
        /* What is in memory by chance looks like a pointer, too. */
        if (all > sum.count)
            snprintf(left, sizeof left, ", of %ld that are there still", all);
        check_found_at(rule, sum.block->function, &sum.block->stack, sum.count,
                       "%s%ld block%s that %s allocated in '%s' %s %s%s%s",
                       all > sum.count ? "at least " : "", sum.count,
                       sum.count == 1 ? "" : "s", sum.block->function, sum.block->param,
                       sum.count == 1 ? "was" : "were", why,
                       bytes_text(sum.size, bytes, sizeof bytes), left);
    }
}

static struct leak *
collect(const struct interpose_env *env, size_t *count)
{
    const struct block **blocks = env != NULL ? block_list(env, count)
                                              : block_list_last(count);
    struct leak *leaks = blocks != NULL ? malloc((*count + 1) * sizeof *leaks) : NULL;

    for (size_t i = 0; leaks != NULL && i < *count; i++)
        leaks[i] = (struct leak){ blocks[i], true, 1, blocks[i]->size };
    if (leaks == NULL)
        *count = 0;
    free(blocks);
    return leaks;
}

struct search {
    const struct interpose_env *env;
    bool has_other;
};

static void
look_for_other(struct interpose_env *env, void *data)
{
    struct search *search = data;

    if (env->vm == search->env->vm && env != search->env)
        search->has_other = true;
}

/* Another environment of the agent may still free the memory. */
void
leak_disposed(struct interpose_env *env)
{
    struct search search = { env, false };
    struct leak *leaks;
    size_t count;

    interpose_each_env(look_for_other, &search);
    if (search.has_other)
        return;
    leaks = collect(env, &count);
    tell_leaks(RULE_MEMORY_LEAK_AT_DISPOSE, leaks, count,
               "not deallocated before the agent's last environment was disposed "
               "of");
    for (size_t i = 0; i < count; i++)
        block_free(block_take((void *)~leaks[i].block->hidden));
    free(leaks);
}

/* What leak_collect has found, until leak_at_exit. */
static struct leak *left;
static size_t left_count;

size_t
leak_collect(void)
{
    left = collect(NULL, &left_count);
    return left != NULL ? left_count : 0;
}

void
leak_add_to(struct reach *reach)
{
    for (size_t i = 0; left != NULL && i < left_count; i++)
        reach_add(reach, ~left[i].block->hidden, left[i].block->size);
}

void
leak_at_exit(const struct reach *reach)
{
    for (size_t i = 0; left != NULL && i < left_count; i++)
        block_check_last(left[i].block);
    for (size_t i = 0; left != NULL && i < left_count; i++)
        left[i].is_lost = block_is_there(left[i].block)
            && !reach_is_found(reach, ~left[i].block->hidden);
    if (left != NULL)
        tell_leaks(RULE_MEMORY_LEAK, left, left_count, "never deallocated");
    free(left);
}
