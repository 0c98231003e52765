/* SPDX-License-Identifier: MIT */
/*
 * layer/block.c -- the table of the blocks of memory that agents have from JVM TI.
 *
 * Every block that an agent gets, from Allocate or as a result, is in it until it is given
 * back.  If its size is known, what the agent has is a copy with zones of known bytes
 * around it (guard.c).
 */
#include "layer/block.h"

#include <stdlib.h>

#include "layer/guard.h"

#define BUCKETS 16384

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks[BUCKETS];
static size_t block_count;
static bool is_last;            /* block_list_last was called */

static struct block **
bucket(const void *address)
{
    return &blocks[((uintptr_t)address >> 4) * 2654435761u % BUCKETS];
}

/* The frames that the rows of a result point to are in the same block (JVM TI "Get All
   Stack Traces"). */
static size_t
extent_of(const struct interpose_call *call, const char *address)
{
    const jvmtiStackInfo *rows = (const void *)address;
    jint count = call->function == INTERPOSE_GetAllStackTraces ? *(jint *)call->args[2].p
        : call->function == INTERPOSE_GetThreadListStackTraces ? call->args[0].i : 0;
    size_t extent = 0;

    for (jint i = 0; i < count; i++) {
        const char *end = (const char *)(rows[i].frame_buffer + rows[i].frame_count);

        if (end > address && (size_t)(end - address) > extent)
            extent = (size_t)(end - address);
    }
    return extent;
}

void
block_add(const struct interpose_call *call, const char *param, void *address, size_t size)
{
    struct block *block = malloc(sizeof *block);

    if (block == NULL)
        return;
    block->hidden = ~(uintptr_t)address;
    block->size = size;
    block->extent = size > 0 ? size : extent_of(call, address);
    block->env = call->env;
    block->is_taken = false;
    block->function = interpose_functions[call->function].name;
    block->param = param;
    stack_take_at(&block->stack, call->caller, call);
    pthread_mutex_lock(&lock);
    block->next = *bucket(address);
    *bucket(address) = block;
    block_count++;
    pthread_mutex_unlock(&lock);
}

struct block *
block_take(const void *address)
{
    struct block **at, *block;

    pthread_mutex_lock(&lock);
    at = bucket(address);
    while (*at != NULL && (*at)->hidden != ~(uintptr_t)address)
        at = &(*at)->next;
    block = *at;
    if (block != NULL) {
        *at = block->next;
        block->is_taken = true;
        block_count--;
    }
    pthread_mutex_unlock(&lock);
    return block;
}

void
block_free(struct block *block)
{
    bool stays;

    pthread_mutex_lock(&lock);
    stays = is_last;
    pthread_mutex_unlock(&lock);
    if (!stays)
        free(block);
}

bool
block_find_around(uintptr_t address, struct block *copy)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKETS && !found; i++)
        for (struct block *b = blocks[i]; b != NULL && !found; b = b->next)
            if (address > ~b->hidden && address < ~b->hidden + b->extent) {
                *copy = *b;
                found = true;
            }
    pthread_mutex_unlock(&lock);
    return found;
}

bool
block_has(const void *address)
{
    struct block block;

    return block_find_around((uintptr_t)address, &block);
}

size_t
block_size(const void *pointer)
{
    const struct block *block;
    size_t size;

    pthread_mutex_lock(&lock);
    block = *bucket(pointer);
    while (block != NULL && block->hidden != ~(uintptr_t)pointer)
        block = block->next;
    size = block != NULL ? block->size : 0;
    pthread_mutex_unlock(&lock);
    return size;
}

/* The caller holds the lock. */
static const struct block **
list(const struct interpose_env *env, size_t *count)
{
    const struct block **list = malloc((block_count + 1) * sizeof *list);

    *count = 0;
    for (int i = 0; i < BUCKETS && list != NULL; i++)
        for (const struct block *b = blocks[i]; b != NULL; b = b->next)
            if (env == NULL || b->env == env)
                list[(*count)++] = b;
    return list;
}

const struct block **
block_list(const struct interpose_env *env, size_t *count)
{
    const struct block **result;

    pthread_mutex_lock(&lock);
    result = list(env, count);
    pthread_mutex_unlock(&lock);
    return result;
}

const struct block **
block_list_last(size_t *count)
{
    const struct block **result;

    pthread_mutex_lock(&lock);
    is_last = true;
    result = list(NULL, count);
    pthread_mutex_unlock(&lock);
    return result;
}

bool
block_is_there(const struct block *block)
{
    bool result;

    pthread_mutex_lock(&lock);
    result = !block->is_taken;
    pthread_mutex_unlock(&lock);
    return result;
}

static void
tell_damage(const struct block *block, enum guard_damage damage)
{
    if (damage != GUARD_WHOLE)
        check_found_at(RULE_MEMORY_OVERRUN, block->function, &block->stack, 1,
                       "the agent wrote %s of %zu bytes that it got from %s",
                       damage == GUARD_BEFORE ? "before the beginning" : "behind the end",
                       block->size, block->function);
}

static enum guard_damage
damage_of(const struct block *block)
{
    return block->size > 0 ? guard_check((void *)~block->hidden, block->size) : GUARD_WHOLE;
}

void
block_check(const struct block *block)
{
    tell_damage(block, damage_of(block));
}

/* What is taken out is given up without the lock, so it is there for as long as we hold
   that. */
void
block_check_last(const struct block *block)
{
    enum guard_damage damage = GUARD_WHOLE;

    pthread_mutex_lock(&lock);
    if (!block->is_taken)
        damage = damage_of(block);
    pthread_mutex_unlock(&lock);
    tell_damage(block, damage);
}
