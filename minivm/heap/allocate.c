/* SPDX-License-Identifier: MIT */
/* minivm/heap/allocate.c -- cells for objects, and which of them are samples. */

#include <math.h>

#include "base/os.h"
#include "heap/internal.h"

/* Behind the small ones mostly whole fractions of a block, as far as arrays of 2^n
   bytes allow. */
const uint16_t heap_cell_size[CELL_CLASSES] = {
    16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128,
    144, 160, 192, 224, 256, 320, 384, 448, 512,
    640, 768, 904, 1056, 1208, 1456, 1768, 2112, 2616, 3120, 3640, 4368, 5456, 6552,
    8192, 9360, 10920, 13104, 16384, 21840, 32768
};

/* The smallest class for each size in words of 8 bytes. */
const uint8_t heap_size_class[HEAP_SMALL_MAX / 8 + 1] = {
    0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 16, 16,
    17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19,
    20, 20, 20, 20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 21, 21, 21,
    22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23
};

/* ---- what the maximum allows ---- */

/* Count up to want bytes in units of cell; the result is what was granted. */
static size_t
count_used(struct heap *heap, size_t want, size_t cell, bool force)
{
    size_t limit = force ? heap->options.maximum : heap->trigger;
    size_t used = __atomic_load_n(&heap->used, __ATOMIC_RELAXED), grant;

    do {
        if (used > limit || limit - used < cell)
            return 0;
        grant = (limit - used) / cell * cell;
        if (grant > want)
            grant = want;
    } while (!__atomic_compare_exchange_n(&heap->used, &used, used + grant, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return grant;
}

static void
uncount_used(struct heap *heap, size_t size)
{
    __atomic_fetch_sub(&heap->used, size, __ATOMIC_RELAXED);
}

static void
count_allocated(struct heap_cache *cache, size_t size)
{
    cache->allocated += size;
    cache->sample_left -= (int64_t)size;
}

/* ---- free cells of a block ---- */

/* Cells [start, end) for the caller, of which [start, dirty) must be cleared. */
struct cut {
    char *start, *end, *dirty;
};

/* Moves the cursor over the next run of free cells, up to want bytes (at least a
   cell); false when there is none.  The caller has counted them. */
static bool
cut_run(struct heap *heap, uint32_t index, size_t want, struct cut *cut)
{
    struct block *b = &heap->blocks[index];
    uint32_t cell = (uint32_t)heap_cell_size[b->size_class];
    uint32_t end = cells_end(cell), from = b->cursor, to, dirty;
    char *start = block_start(heap, index);

    if (b->marked)
        while (from < end && is_marked(heap, start + from))
            from += cell;
    if (from == end) {
        __atomic_store_n(&b->cursor, end, __ATOMIC_RELAXED);
        return false;
    }
    if (want < end - from)
        end = from + (uint32_t)(want - want % cell);
    to = b->marked ? from + cell : end;
    while (to < end && !is_marked(heap, start + to))
        to += cell;
    __atomic_store_n(&b->cursor, to, __ATOMIC_RELAXED);
    dirty = block_soil(heap, b, to);
    dirty = dirty < from ? from : dirty > to ? to : dirty;
    *cut = (struct cut){ start + from, start + to, start + dirty };
    return true;
}

static void
clear_cut(const struct cut *cut)
{
    HEAP_SHOW(cut->start, (size_t)(cut->end - cut->start));
    memset(cut->start, 0, (size_t)(cut->dirty - cut->start));
}

/* A block for cells that nothing else refers to, or NO_BLOCK. */
static uint32_t
new_cell_block(struct heap *heap, unsigned size_class, bool owned)
{
    uint32_t index;

    pthread_mutex_lock(&heap->block_lock);
    index = blocks_take(heap, 1);
    if (index != NO_BLOCK) {
        struct block *b = &heap->blocks[index];

        b->size_class = (uint8_t)size_class;
        b->owned = owned;
        b->marked = false;
        b->cursor = 0;
        b->next = NO_BLOCK;
        b->state = BLOCK_CELLS;
    }
    pthread_mutex_unlock(&heap->block_lock);
    return index;
}

/* A block with free cells that now belongs to the caller, or NO_BLOCK. */
static uint32_t
own_block(struct heap *heap, unsigned size_class)
{
    struct class_list *list = &heap->lists[size_class];
    uint32_t index;

    pthread_mutex_lock(&list->lock);
    index = list->first;
    if (index != NO_BLOCK) {
        list->first = heap->blocks[index].next;
        heap->blocks[index].owned = true;
    }
    pthread_mutex_unlock(&list->lock);
    return index != NO_BLOCK ? index : new_cell_block(heap, size_class, true);
}

/* One cell of a block that stays in its list; may_extend: take a new block. */
static char *
take_shared(struct heap *heap, unsigned size_class, bool force, bool may_extend)
{
    struct class_list *list = &heap->lists[size_class];
    size_t cell = heap_cell_size[size_class];
    bool done = false;
    struct cut cut;

    if (count_used(heap, cell, cell, force) == 0)
        return NULL;
    pthread_mutex_lock(&list->lock);
    while (!done) {
        if (list->first == NO_BLOCK && may_extend)
            list->first = new_cell_block(heap, size_class, false);
        if (list->first == NO_BLOCK)
            break;
        done = cut_run(heap, list->first, cell, &cut);
        if (!done)
            list->first = heap->blocks[list->first].next;
    }
    pthread_mutex_unlock(&list->lock);
    if (!done) {
        uncount_used(heap, cell);
        return NULL;
    }
    clear_cut(&cut);
    return cut.start;
}

/* The last resort: blocks of this class and free blocks are used up, but a larger
   cell may be left. */
static char *
take_larger(struct heap *heap, unsigned size_class)
{
    char *cell = NULL;

    while (cell == NULL && ++size_class < CELL_CLASSES)
        cell = take_shared(heap, size_class, true, false);
    return cell;
}

static char *
take_medium(struct heap *heap, size_t size, bool force)
{
    unsigned i = HEAP_CLASSES;
    char *cell;

    while (heap_cell_size[i] < size)
        i++;
    cell = take_shared(heap, i, force, true);
    return cell == NULL && force ? take_larger(heap, i) : cell;
}

static char *
take_large(struct heap *heap, size_t size, bool force)
{
    size_t pages = (size + ((size_t)1 << LARGE_SHIFT) - 1) >> LARGE_SHIFT;
    size_t bytes = pages << LARGE_SHIFT;
    uint32_t first, count;

    if (pages >= UINT32_MAX || count_used(heap, bytes, bytes, force) == 0)
        return NULL;
    count = large_blocks((uint32_t)pages);
    pthread_mutex_lock(&heap->block_lock);
    first = blocks_take(heap, count);
    if (first != NO_BLOCK) {
        for (uint32_t i = 1; i < count; i++)
            heap->blocks[first + i].state = BLOCK_REST;
        heap->blocks[first].pages = (uint32_t)pages;
        heap->blocks[first].state = BLOCK_LARGE;
    }
    pthread_mutex_unlock(&heap->block_lock);
    if (first == NO_BLOCK) {
        uncount_used(heap, bytes);
        return NULL;
    }
    HEAP_SHOW(block_start(heap, first), bytes);
    for (uint32_t i = first; i < first + count; i++) {
        size_t left = bytes - ((size_t)(i - first) << BLOCK_SHIFT);
        uint32_t end = (uint32_t)(left < BLOCK_SIZE ? left : BLOCK_SIZE);
        uint32_t dirty = block_soil(heap, &heap->blocks[i], end);

        memset(block_start(heap, i), 0, dirty < end ? dirty : end);
    }
    return block_start(heap, first);
}

/* ---- samples ---- */

void
heap_set_sampling(struct heap *heap, size_t interval)
{
    __atomic_store_n(&heap->sample_interval, interval, __ATOMIC_RELAXED);
    __atomic_fetch_add(&heap->sample_epoch, 1, __ATOMIC_RELEASE);
}

/* Distances that are distributed exponentially make every byte equally likely to
   be met, whatever the program's pattern. */
static int64_t
draw_distance(struct heap *heap, struct heap_cache *cache)
{
    size_t interval = __atomic_load_n(&heap->sample_interval, __ATOMIC_RELAXED);
    uint64_t x = cache->random;
    double distance;

    if (interval == HEAP_NO_SAMPLING)
        return INT64_MAX;
    if (interval == 0)
        return 0;
    x ^= x >> 12;              /* xorshift64* */
    x ^= x << 25;
    x ^= x >> 27;
    cache->random = x;
    x *= 0x2545F4914F6CDD1Du;
    distance = -log(((double)(x >> 11) + 0.5) / 9007199254740992.0) * (double)interval;
    return distance < 1e18 ? (int64_t)distance : INT64_MAX;
}

static void
follow_setting(struct heap *heap, struct heap_cache *cache)
{
    uint32_t epoch = __atomic_load_n(&heap->sample_epoch, __ATOMIC_ACQUIRE);

    if (epoch != cache->sample_epoch) {
        heap_cache_flush(heap, cache);
        cache->sample_epoch = epoch;
        cache->sample_left = draw_distance(heap, cache);
    }
}

/* Bytes in the runs. */
static size_t
unused_bytes(const struct heap_cache *cache)
{
    size_t unused = 0;

    for (unsigned i = 0; i < HEAP_CLASSES; i++)
        unused += (size_t)(cache->runs[i].limit - cache->runs[i].next);
    return unused;
}

/* Does an allocation of size bytes reach the sample?  Bytes in the runs count as
   allocated until it comes close. */
static bool
reaches_sample(struct heap *heap, struct heap_cache *cache, size_t size)
{
    if (cache->sample_left >= (int64_t)size)
        return false;
    if (unused_bytes(cache) > 0)
        heap_cache_flush(heap, cache);
    return cache->sample_left < (int64_t)size;
}

/* ---- caches ---- */

void
heap_cache_init(struct heap *heap, struct heap_cache *cache)
{
    uint64_t seed = (uint64_t)(uintptr_t)cache ^ (uint64_t)os_nanos();

    *cache = (struct heap_cache){ .sample_left = INT64_MAX,
                                  .random = seed * 0x9E3779B97F4A7C15u | 1 };
    follow_setting(heap, cache);
}

/* The block out of which a run was cut; a run has no block before its first. */
static uint32_t
run_block(const struct heap *heap, const struct heap_run *run)
{
    return run->limit == NULL ? NO_BLOCK : block_index(heap, run->limit - 1);
}

static void
flush_run(struct heap *heap, struct heap_cache *cache, unsigned size_class)
{
    struct heap_run *run = &cache->runs[size_class];
    struct class_list *list = &heap->lists[size_class];
    uint32_t index = run_block(heap, run);
    size_t unused = (size_t)(run->limit - run->next);
    struct block *b;

    if (index == NO_BLOCK)
        return;
    b = &heap->blocks[index];
    if (unused > 0) {
        cache->credit += unused;
        cache->allocated -= unused;
        cache->sample_left += (int64_t)unused;
        __atomic_store_n(&b->cursor, (uint32_t)(run->next - block_start(heap, index)),
                         __ATOMIC_RELAXED);
        HEAP_HIDE(run->next, unused);
    }
    *run = (struct heap_run){ NULL, NULL };
    pthread_mutex_lock(&list->lock);
    b->owned = false;
    if (b->cursor < cells_end(heap_cell_size[size_class])) {
        b->next = list->first;
        list->first = index;
    }
    pthread_mutex_unlock(&list->lock);
}

void
heap_cache_flush(struct heap *heap, struct heap_cache *cache)
{
    for (unsigned i = 0; i < HEAP_CLASSES; i++)
        flush_run(heap, cache, i);
    uncount_used(heap, cache->credit);
    cache->credit = 0;
}

uint64_t
heap_cache_allocated(const struct heap_cache *cache)
{
    return cache->allocated - unused_bytes(cache);
}

/* Give the empty run of a class up to want bytes; false when there are none. */
static bool
refill(struct heap *heap, struct heap_cache *cache, unsigned size_class, size_t want,
       bool force)
{
    struct heap_run *run = &cache->runs[size_class];
    size_t cell = heap_cell_size[size_class];
    uint32_t index = run_block(heap, run);
    struct cut cut;

    if (cache->credit < cell)
        cache->credit += count_used(heap, heap->run_max > cell ? heap->run_max : cell,
                                    cell, force);
    if (cache->credit < cell)
        return false;
    if (want > cache->credit)
        want = cache->credit;
    while (index == NO_BLOCK || !cut_run(heap, index, want, &cut)) {
        if (index != NO_BLOCK)
            heap->blocks[index].owned = false;
        index = own_block(heap, size_class);
        if (index == NO_BLOCK) {
            *run = (struct heap_run){ NULL, NULL };
            return false;
        }
    }
    clear_cut(&cut);
    want = (size_t)(cut.end - cut.start);
    *run = (struct heap_run){ cut.start, cut.end };
    cache->credit -= want;
    count_allocated(cache, want);
    return true;
}

static char *
take_small(struct heap *heap, struct heap_cache *cache, unsigned size_class, bool force)
{
    struct heap_run *run = &cache->runs[size_class];
    size_t cell = heap_cell_size[size_class], want = heap->run_max;
    bool sampled = false;
    char *p = NULL;

    if (run->next == run->limit) {
        sampled = reaches_sample(heap, cache, cell);
        if (cache->sample_left < 2 * (int64_t)want)
            want = (size_t)cache->sample_left / 2;
        if (sampled || want < cell)
            want = cell;
        if (!refill(heap, cache, size_class, want, force)) {
            p = force ? take_larger(heap, size_class) : NULL;
            if (p == NULL)
                return NULL;
            count_allocated(cache, cell);
        }
    }
    if (p == NULL) {
        p = run->next;
        run->next = p + cell;
    }
    if (sampled) {
        cache->sample_left = draw_distance(heap, cache);
        cache->sampled = true;
    }
    return p;
}

/* Medium and large objects: size counts, whatever the cell. */
static char *
take_big(struct heap *heap, struct heap_cache *cache, size_t size, bool force)
{
    char *p = size <= MEDIUM_MAX ? take_medium(heap, size, force)
                                 : take_large(heap, size, force);

    if (p == NULL)
        return NULL;
    cache->allocated += size;
    if (reaches_sample(heap, cache, size)) {
        cache->sample_left = draw_distance(heap, cache);
        cache->sampled = true;
    } else {
        cache->sample_left -= (int64_t)size;
    }
    return p;
}

struct object *
heap_allocate(struct heap *heap, struct heap_cache *cache, struct layout *layout,
              size_t size, bool force)
{
    struct object *o;

    follow_setting(heap, cache);
    if (size <= HEAP_SMALL_MAX)
        o = (struct object *)take_small(heap, cache, heap_size_class[(size + 7) / 8],
                                        force);
    else
        o = (struct object *)take_big(heap, cache, size, force);
    if (o != NULL)
        o->layout_ref = (uint32_t)(uintptr_t)layout;
    return o;
}

struct object *
heap_allocate_mirror(struct heap *heap, struct heap_cache *cache,
                     struct layout *class_layout, size_t size, bool force)
{
    struct object *o = heap_allocate(heap, cache, class_layout, size, force);

    if (o != NULL)
        OBJECT_FIELD(uint64_t, o, class_layout->instance_size) = size;
    return o;
}
