/* SPDX-License-Identifier: MIT */
/*
 * layer/reach.c -- which blocks of memory does anything in the process still point to?
 *
 * Other threads run meanwhile and may unmap what is read, so memory is copied by the
 * kernel, which fails where there is none.  Pages that nobody has touched are left out,
 * as /proc/self/pagemap tells: a Java heap is mostly such.
 */
#include "layer/reach.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "layer/check.h"

#define PAGE 4096u
#define CHUNK 256u      /* pages that are read at once */
#define MOST_STACKS 4096
/* What a sanitizer maps for itself: no program has so much. */
#define SHADOW (1ul << 40)

/* Addresses are kept inverted: what sorts and looks them up leaves copies in memory that
   is searched. */
struct target {
    uintptr_t hidden;
    size_t size;
    bool is_found;
};

/* Mapped of its own, so that the search can leave it out, between two pages without
   access, so that the kernel makes it part of no other mapping. */
struct reach {
    size_t size, count;
    uintptr_t least, most;
    uintptr_t words[CHUNK * PAGE / sizeof(uintptr_t)];      /* what was read */
    struct target targets[];
};

struct reach *
reach_new(size_t count)
{
    size_t size = sizeof(struct reach) + (count + 1) * sizeof(struct target);
    struct reach *reach;
    char *pages;

    size = (size + PAGE - 1) / PAGE * PAGE;
    pages = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mprotect(pages + PAGE, size, PROT_READ | PROT_WRITE) != 0) {
        munmap(pages, size + 2 * PAGE);
        return NULL;
    }
    reach = (struct reach *)(pages + PAGE);
    reach->size = size;
    reach->least = UINTPTR_MAX;
    return reach;
}

void
reach_free(struct reach *reach)
{
    if (reach != NULL)
        munmap((char *)reach - PAGE, reach->size + 2 * PAGE);
}

void
reach_add(struct reach *reach, uintptr_t start, size_t size)
{
    struct target *target = &reach->targets[reach->count++];

    *target = (struct target){ ~start, size > 0 ? size : 1, false };
    if (start < reach->least)
        reach->least = start;
    if (start + target->size > reach->most)
        reach->most = start + target->size;
}

static int
compare(const void *a, const void *b)
{
    const struct target *x = a, *y = b;

    return (x->hidden < y->hidden) - (x->hidden > y->hidden);
}

/* The last block that begins at the address or before it. */
static struct target *
find(const struct reach *reach, uintptr_t address)
{
    size_t low = 0, high = reach->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (reach->targets[middle].hidden >= ~address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? (struct target *)&reach->targets[low - 1] : NULL;
}

bool
reach_is_found(const struct reach *reach, uintptr_t start)
{
    const struct target *target = find(reach, start);

    return target != NULL && target->is_found;
}

/* ---- words ---- */

static void
search_words(struct reach *reach, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t word = reach->words[i];

        if (word >= reach->least && word < reach->most) {
            struct target *target = find(reach, word);

            if (target != NULL && word < ~target->hidden + target->size)
                target->is_found = true;
        }
    }
}

/* ---- stacks ---- */

static struct {
    uintptr_t here;                     /* where this thread's ends */
    uintptr_t pointers[MOST_STACKS];    /* where others are now */
    int count;
    uintptr_t agents[MOST_STACKS];      /* in stacks that have frames of agents */
    int agent_count;
} stacks;

/* The stack pointer of a thread that waits in the kernel, and what it has given to it,
   which may be in its registers only; 0 for one that runs. */
static uintptr_t
stack_pointer(struct reach *reach, const char *thread)
{
    char path[64], text[256], *at;
    uintptr_t values[9] = { 0 };
    FILE *file;
    int count = 0;

    snprintf(path, sizeof path, "/proc/self/task/%.20s/syscall", thread);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    /* NUMBER ARGUMENT... SP PC, or "running" */
    if (fgets(text, sizeof text, file) == NULL)
        text[0] = '\0';
    fclose(file);
    for (at = strtok(text, " \n"); at != NULL && count < 9; at = strtok(NULL, " \n"))
        values[count++] = strtoull(at, NULL, 16);
    memcpy(reach->words, values, sizeof values);
    search_words(reach, (size_t)count);
    return count > 2 ? values[count - 2] : 0;
}

static void
add_agent_stack(struct interpose_thread *thread, void *data)
{
    const struct check_thread *state = thread->state;
    uintptr_t place = __atomic_load_n(&state->stack_place, __ATOMIC_RELAXED);

    (void)data;
    if (stacks.agent_count == MOST_STACKS)
        return;
    if (thread->event != NULL)
        stacks.agents[stacks.agent_count++] = (uintptr_t)thread->event;
    else if (place != 0)
        stacks.agents[stacks.agent_count++] = place;
}

static void
find_stacks(struct reach *reach, uintptr_t here)
{
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    char own[20];

    snprintf(own, sizeof own, "%d", (int)gettid());
    stacks.count = stacks.agent_count = 0;
    stacks.here = here;
    while (folder != NULL && (entry = readdir(folder)) != NULL
           && stacks.count < MOST_STACKS)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, own) != 0)
            stacks.pointers[stacks.count++] = stack_pointer(reach, entry->d_name);
    if (folder != NULL)
        closedir(folder);
    interpose_each_thread(add_agent_stack, NULL);
}

/* Where what counts begins in a mapping: at its end if it is the stack of a thread that
   runs no code of an agent.  Of this thread's stack, dead frames are left out; what other
   threads have in registers they may have saved there in a call before. */
static uintptr_t
first_of(uintptr_t start, uintptr_t end)
{
    bool is_here = stacks.here >= start && stacks.here < end, is_stack = is_here;

    for (int i = 0; i < stacks.agent_count; i++)
        if (stacks.agents[i] >= start && stacks.agents[i] < end)
            return is_here && stacks.agents[i] >= stacks.here ? stacks.here : start;
    for (int i = 0; i < stacks.count && !is_stack; i++)
        is_stack = stacks.pointers[i] >= start && stacks.pointers[i] < end;
    return is_stack ? end : start;
}

/* ---- memory ---- */

static void
search_bytes(struct reach *reach, uintptr_t start, size_t size)
{
    struct iovec to = { reach->words, size }, from = { (void *)start, size };
    ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

    if (got > 0)
        search_words(reach, (size_t)got / sizeof reach->words[0]);
}

/* Present or swapped, by the bits of /proc/self/pagemap. */
static bool
is_touched(uint64_t entry)
{
    return (entry >> 62) != 0;
}

static void
search_mapping(struct reach *reach, uintptr_t start, uintptr_t end, int pagemap)
{
    uint64_t entries[CHUNK];

    if (start % PAGE != 0) {
        search_bytes(reach, start, PAGE - start % PAGE);
        start += PAGE - start % PAGE;
    }
    while (start < end) {
        size_t pages = (end - start) / PAGE < CHUNK ? (end - start) / PAGE : CHUNK;
        size_t first = 0, run;

        if (pread(pagemap, entries, pages * sizeof entries[0],
                  (off_t)(start / PAGE * sizeof entries[0]))
            != (ssize_t)(pages * sizeof entries[0]))
            memset(entries, 0xff, sizeof entries);
        for (; first < pages; first += run) {
            run = 1;
            if (!is_touched(entries[first]))
                continue;
            while (first + run < pages && is_touched(entries[first + run]))
                run++;
            search_bytes(reach, start + first * PAGE, run * PAGE);
        }
        start += pages * PAGE;
    }
}

/* Not a part of reach_search, so that its frame is below all that is in that one's. */
static __attribute__((noinline)) void
search_all(struct reach *reach)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    char line[512], mode[8];
    unsigned long start, end;

    find_stacks(reach, (uintptr_t)__builtin_frame_address(0));
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && mode[0] == 'r'
            && mode[1] == 'w' && !((uintptr_t)reach >= start && (uintptr_t)reach < end)
            && end - start < SHADOW)
            search_mapping(reach, first_of(start, end), end, pagemap);
    if (maps != NULL)
        fclose(maps);
    if (pagemap >= 0)
        close(pagemap);
}

void
reach_search(struct reach *reach)
{
    if (reach->count == 0)
        return;
    qsort(reach->targets, reach->count, sizeof reach->targets[0], compare);
    /* What callers have in registers comes to this frame. */
    __builtin_unwind_init();
    search_all(reach);
}
