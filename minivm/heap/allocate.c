/* SPDX-License-Identifier: MIT */
/*
 * minivm/heap/allocate.c -- cells for objects, and which of them are samples.
 *
 * A small object is taken from the thread's cache by moving a pointer.  When the run of
 * its size class is empty, the cache is refilled: the block that the run lay in is
 * swept on to its next run of free cells, and when it has no more, the thread gets
 * another block of the class, first from the class's list, then a free one.  The cells
 * of a run are zeroed when the cache gets it.  Objects of medium size go without a
 * cache: under the lock of their class's list they take the next free cell of its first
 * block.  Large objects take free blocks.
 *
 * Before anything is taken its size is added to heap->used, by which the heap knows
 * when the next collection is due and that -Xmx is kept.  A cache adds the bytes of a
 * whole run ahead (cache.reserved) so that it seldom has to.
 *
 * Samples (JVM TI "Sampled Object Allocation") must not slow this down.  So a run is
 * never longer than half the distance to the next sample, and only when a refill finds
 * that the next cell reaches the sample does it hand out that cell alone and marks it.
 */

#include <math.h>

#include "base/os.h"
#include "heap/internal.h"

/* Cells above 512 bytes are mostly whole fractions of a block, which leave little of it
   unused, as far as arrays of 2^n bytes allow. */
/* clang-format off */
const uint16_t heap_cell_size[HEAP_SIZE_CLASSES] = {
    16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128,
    144, 160, 192, 224, 256, 320, 384, 448, 512,
    640, 768, 904, 1056, 1208, 1456, 1768, 2112, 2616, 3120, 3640, 4368, 5456, 6552,
    8192, 9360, 10920, 13104, 16384, 21840, 32768
};

const uint8_t heap_size_class[HEAP_SMALL_MAX / 8 + 1] = {
    0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 16, 16,
    17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19,
    20, 20, 20, 20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 21, 21, 21,
    22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23
};
/* clang-format on */

/* ---- how much may be allocated ---- */

/*
 * Adds up to want bytes, a multiple of cell, to heap->used; want is at least one cell.
 * Returns how many: less when the limit (the trigger of the next collection, or with
 * force the maximum) is near, 0 when it leaves no room for one cell.  Takes no lock:
 * the loop starts again when another thread has changed the sum meanwhile.  Nothing but
 * the sum is passed on by it, so relaxed order is enough.
 */
static size_t
reserve_bytes(struct heap *heap, size_t want, size_t cell, bool force)
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

/* Takes back bytes that reserve_bytes has added and that no object uses. */
static void
unreserve_bytes(struct heap *heap, size_t size)
{
    __atomic_fetch_sub(&heap->used, size, __ATOMIC_RELAXED);
}

/* Counts the bytes of a run, or of one cell, when the cache gets it: in the thread's
   total and on the way to the next sample. */
static void
count_allocated(struct heap_cache *cache, size_t size)
{
    cache->allocated += size;
    cache->sample_left -= (int64_t)size;
}

/* ---- sweeping ---- */

/* A run of free cells, [start, end).  The bytes [start, dirty_end) may contain
   anything; those behind them are zero. */
struct free_run {
    char *start, *end, *dirty_end;
};

/*
 * Sweeps the block from its cursor on: finds the next run of free cells, of up to want
 * bytes and at least one cell, and moves the cursor behind it.  Returns false when the
 * block has no more.  The caller has reserved the bytes, and owns the block or holds
 * the lock of its list.  The run is not zeroed yet (zero_run).
 *
 * A block that was taken into use since the last collection (not b->marked) has only
 * free cells behind its cursor, so no bit is looked at.  The cursor is stored
 * atomically because heap_is_object reads it without a lock.
 */
static bool
sweep_run(struct heap *heap, uint32_t index, size_t want, struct free_run *run)
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
    dirty = block_raise_dirty_end(heap, b, to);
    dirty = dirty < from ? from : dirty > to ? to : dirty;
    *run = (struct free_run){ start + from, start + to, start + dirty };
    return true;
}

/* Makes the cells of a run that sweep_run has found ready for objects.  A Java program that
   has a data race may read the zeros in another thread. */
static void
zero_run(const struct free_run *run)
{
    heap_asan_unpoison(run->start, (size_t)(run->end - run->start));
    shared_zero(run->start, (size_t)(run->dirty_end - run->start));
}

/* Takes a free block and divides it into cells of the class.  Returns its index, or
   NO_BLOCK when there is none.  Nothing refers to the block yet: the caller puts it
   into the list of the class or, with owned, gives it to a thread's cache. */
static uint32_t
new_cell_block(struct heap *heap, unsigned size_class, bool owned)
{
    uint32_t index;

    pthread_mutex_lock(&heap->block_lock);
    index = blocks_allocate(heap, 1);
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

/* Returns the index of a block of the class that the caller's cache owns from now on,
   or NO_BLOCK when there is none.  It may have no free cell left: a block in the list
   has cells behind its cursor, but all of them may be marked. */
static uint32_t
acquire_block(struct heap *heap, unsigned size_class)
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

/* ---- cells without a cache ---- */

/* Returns one zeroed cell of a block that stays in the list of its class, or NULL;
   force means what it means to heap_allocate.  With may_extend a free block is added to
   an empty list.  A block that turns out to have no free cell leaves the list; the next
   collection puts it back if it has some then. */
static char *
allocate_shared(struct heap *heap, unsigned size_class, bool force, bool may_extend)
{
    struct class_list *list = &heap->lists[size_class];
    size_t cell = heap_cell_size[size_class];
    bool done = false;
    struct free_run run;

    if (reserve_bytes(heap, cell, cell, force) == 0)
        return NULL;
    pthread_mutex_lock(&list->lock);
    while (!done) {
        if (list->first == NO_BLOCK && may_extend)
            list->first = new_cell_block(heap, size_class, false);
        if (list->first == NO_BLOCK)
            break;
        done = sweep_run(heap, list->first, cell, &run);
        if (!done)
            list->first = heap->blocks[list->first].next;
    }
    pthread_mutex_unlock(&list->lock);
    if (!done) {
        unreserve_bytes(heap, cell);
        return NULL;
    }
    zero_run(&run);
    return run.start;
}

/* Returns a cell of the next larger class that has one, or NULL: the last resort when
   there is neither a cell of this class nor a free block.  It may use memory up to the
   maximum, as only a caller with force gets here. */
static char *
allocate_larger_cell(struct heap *heap, unsigned size_class)
{
    char *cell = NULL;

    while (!cell && ++size_class < HEAP_SIZE_CLASSES)
        cell = allocate_shared(heap, size_class, true, false);
    return cell;
}

/* Returns a zeroed cell for an object above HEAP_SMALL_MAX and up to MEDIUM_MAX bytes,
   or NULL; the smallest size class for such objects is HEAP_SMALL_CLASSES. */
static char *
allocate_medium(struct heap *heap, size_t size, bool force)
{
    unsigned i = HEAP_SMALL_CLASSES;
    char *cell;

    while (heap_cell_size[i] < size)
        i++;
    cell = allocate_shared(heap, i, force, true);
    return !cell && force ? allocate_larger_cell(heap, i) : cell;
}

/* Returns zeroed blocks for an object above MEDIUM_MAX bytes, or NULL.  Of each block
   only the part that was ever written (below dirty_end) has to be cleared. */
static char *
allocate_large(struct heap *heap, size_t size, bool force)
{
    size_t pages = (size + ((size_t)1 << LARGE_SHIFT) - 1) >> LARGE_SHIFT;
    size_t bytes = pages << LARGE_SHIFT;
    uint32_t first, count;

    if (pages >= UINT32_MAX || reserve_bytes(heap, bytes, bytes, force) == 0)
        return NULL;
    count = large_blocks((uint32_t)pages);
    pthread_mutex_lock(&heap->block_lock);
    first = blocks_allocate(heap, count);
    if (first != NO_BLOCK) {
        for (uint32_t i = 1; i < count; i++)
            heap->blocks[first + i].state = BLOCK_REST;
        heap->blocks[first].pages = (uint32_t)pages;
        heap->blocks[first].state = BLOCK_LARGE;
    }
    pthread_mutex_unlock(&heap->block_lock);
    if (first == NO_BLOCK) {
        unreserve_bytes(heap, bytes);
        return NULL;
    }
    heap_asan_unpoison(block_start(heap, first), bytes);
    for (uint32_t i = first; i < first + count; i++) {
        size_t left = bytes - ((size_t)(i - first) << BLOCK_SHIFT);
        uint32_t end = (uint32_t)(left < BLOCK_SIZE ? left : BLOCK_SIZE);
        uint32_t dirty = block_raise_dirty_end(heap, &heap->blocks[i], end);

        shared_zero(block_start(heap, i), dirty < end ? dirty : end);
    }
    return block_start(heap, first);
}

/* ---- samples ---- */

/* The interval is stored before the epoch, with release order, so that a cache that
   sees the new epoch (apply_sampling_setting) reads the new interval. */
void
heap_set_sampling(struct heap *heap, size_t interval)
{
    __atomic_store_n(&heap->sample_interval, interval, __ATOMIC_RELAXED);
    __atomic_fetch_add(&heap->sample_epoch, 1, __ATOMIC_RELEASE);
}

/* Returns a random distance to the next sample, whose mean is the interval; INT64_MAX
   when nothing is to be sampled.  Since it is distributed exponentially, each allocated
   byte is equally likely to be the one that is sampled, whatever the pattern of the
   program's allocations is. */
static int64_t
random_distance(struct heap *heap, struct heap_cache *cache)
{
    size_t interval = __atomic_load_n(&heap->sample_interval, __ATOMIC_RELAXED);
    const double two_to_53 = 9007199254740992.0;
    uint64_t x = cache->random;
    double uniform, distance;

    if (interval == HEAP_NO_SAMPLING)
        return INT64_MAX;
    if (interval == 0)
        return 0;
    /* The generator is xorshift64*; see Marsaglia, "Xorshift RNGs", and Vigna. */
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    cache->random = x;
    x *= 0x2545F4914F6CDD1Du;
    /* The upper 53 bits give a number between 0 and 1 that is neither. */
    uniform = ((double)(x >> 11) + 0.5) / two_to_53;
    distance = -log(uniform) * (double)interval;
    return distance < 1e18 ? (int64_t)distance : INT64_MAX;
}

/* Starts afresh if heap_set_sampling was called since the cache last looked. */
static void
apply_sampling_setting(struct heap *heap, struct heap_cache *cache)
{
    uint32_t epoch = __atomic_load_n(&heap->sample_epoch, __ATOMIC_ACQUIRE);

    if (epoch != cache->sample_epoch) {
        heap_cache_flush(heap, cache);
        cache->sample_epoch = epoch;
        cache->sample_left = random_distance(heap, cache);
    }
}

/* Returns how many bytes the runs of the cache still have. */
static size_t
unused_bytes(const struct heap_cache *cache)
{
    size_t unused = 0;

    for (unsigned i = 0; i < HEAP_SMALL_CLASSES; i++)
        unused += (size_t)(cache->runs[i].limit - cache->runs[i].next);
    return unused;
}

/* Returns true if an allocation of size bytes reaches the next sample.  The bytes that
   are left in the runs were counted as allocated; when that alone seems to reach the
   sample, the cache is flushed and the question is asked again with the exact
   number. */
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

/* All runs begin as empty ones without a block.  The state of the generator must not be
   0, from which it would never leave. */
void
heap_cache_init(struct heap *heap, struct heap_cache *cache)
{
    uint64_t seed = (uint64_t)(uintptr_t)cache ^ (uint64_t)os_nanos();

    *cache = (struct heap_cache){ .sample_left = INT64_MAX,
                                  .random = seed * 0x9E3779B97F4A7C15u | 1 };
    apply_sampling_setting(heap, cache);
}

/* Returns the index of the block that a run lies in; NO_BLOCK before the cache has got
   the first run of the class. */
static uint32_t
run_block(const struct heap *heap, const struct heap_run *run)
{
    return !run->limit ? NO_BLOCK : block_index(heap, run->limit - 1);
}

/* Gives the rest of a run back by moving the cursor of its block to where the rest
   begins, and gives up the block, which goes into the list of its class if it has cells
   behind the cursor.  The bytes of the rest are added to cache->reserved, which
   heap_cache_flush gives back when all runs are flushed. */
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
        cache->reserved += unused;
        cache->allocated -= unused;
        cache->sample_left += (int64_t)unused;
        __atomic_store_n(&b->cursor, (uint32_t)(run->next - block_start(heap, index)),
                         __ATOMIC_RELAXED);
        heap_asan_poison(run->next, unused);
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
    for (unsigned i = 0; i < HEAP_SMALL_CLASSES; i++)
        flush_run(heap, cache, i);
    unreserve_bytes(heap, cache->reserved);
    cache->reserved = 0;
}

uint64_t
heap_cache_allocated(const struct heap_cache *cache)
{
    return cache->allocated - unused_bytes(cache);
}

/*
 * Gives the empty run of a class up to want bytes, at least a cell.  Returns false when
 * the bytes cannot be reserved (force is heap_allocate's) or there is no block with
 * free cells; the run stays empty then.  The block that the run lay in is swept on
 * first.  When it has no more free cells it is given up, and is in no list until the
 * next collection.
 */
static bool
refill(struct heap *heap, struct heap_cache *cache, unsigned size_class, size_t want,
       bool force)
{
    struct heap_run *run = &cache->runs[size_class];
    size_t cell = heap_cell_size[size_class];
    uint32_t index = run_block(heap, run);
    struct free_run found;

    if (cache->reserved < cell)
        cache->reserved += reserve_bytes(
            heap, heap->run_max > cell ? heap->run_max : cell, cell, force);
    if (cache->reserved < cell)
        return false;
    if (want > cache->reserved)
        want = cache->reserved;
    while (index == NO_BLOCK || !sweep_run(heap, index, want, &found)) {
        if (index != NO_BLOCK)
            heap->blocks[index].owned = false;
        index = acquire_block(heap, size_class);
        if (index == NO_BLOCK) {
            *run = (struct heap_run){ NULL, NULL };
            return false;
        }
    }
    zero_run(&found);
    want = (size_t)(found.end - found.start);
    *run = (struct heap_run){ found.start, found.end };
    cache->reserved -= want;
    count_allocated(cache, want);
    return true;
}

/*
 * Returns a cell of the cache for a small object, or NULL; sets cache->sampled when the
 * object is a sample.  Only an allocation that finds its run empty can be one.  So a
 * new run gets at most half of the bytes that are left to the next sample, since runs
 * of other classes may be refilled meanwhile, and at the sample itself one cell.
 */
static char *
allocate_small(struct heap *heap, struct heap_cache *cache, unsigned size_class,
               bool force)
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
            p = force ? allocate_larger_cell(heap, size_class) : NULL;
            if (!p)
                return NULL;
            count_allocated(cache, cell);
        }
    }
    if (!p) {
        p = run->next;
        run->next = p + cell;
    }
    if (sampled) {
        cache->sample_left = random_distance(heap, cache);
        cache->sampled = true;
    }
    return p;
}

/* Allocates an object of medium or large size.  What counts for samples is its own
   size, not that of its cell. */
static char *
allocate_big(struct heap *heap, struct heap_cache *cache, size_t size, bool force)
{
    char *p = size <= MEDIUM_MAX ? allocate_medium(heap, size, force)
                                 : allocate_large(heap, size, force);

    if (!p)
        return NULL;
    cache->allocated += size;
    if (reaches_sample(heap, cache, size)) {
        cache->sample_left = random_distance(heap, cache);
        cache->sampled = true;
    } else {
        cache->sample_left -= (int64_t)size;
    }
    return p;
}

/* A changed setting of samples is noticed here, so it counts from the next allocation
   on that heap_allocate_small does not serve. */
struct object *
heap_allocate(struct heap *heap, struct heap_cache *cache, struct layout *layout,
              size_t size, bool force)
{
    struct object *o;

    apply_sampling_setting(heap, cache);
    if (size <= HEAP_SMALL_MAX)
        o = (struct object *)allocate_small(heap, cache,
                                            heap_size_class[(size + 7) / 8], force);
    else
        o = (struct object *)allocate_big(heap, cache, size, force);
    if (o)
        o->layout_ref = (uint32_t)(uintptr_t)layout;
    return o;
}

struct object *
heap_allocate_mirror(struct heap *heap, struct heap_cache *cache,
                     struct layout *class_layout, size_t size, bool force)
{
    struct object *o = heap_allocate(heap, cache, class_layout, size, force);

    if (o)
        OBJECT_FIELD(uint64_t, o, class_layout->instance_size) = size;
    return o;
}
