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

struct target {
    uintptr_t start, end;
    bool is_found;
};

/* Mapped of its own, so that the search can leave it out, between two pages without
   access, so that the kernel makes it part of no other mapping. */
struct reach {
    size_t size, count;
    uintptr_t least, most;
    struct target targets[];
};

static uintptr_t words[CHUNK * PAGE / sizeof(uintptr_t)];

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

    *target = (struct target){ start, start + (size > 0 ? size : 1), false };
    if (start < reach->least)
        reach->least = start;
    if (target->end > reach->most)
        reach->most = target->end;
}

static int
compare(const void *a, const void *b)
{
    const struct target *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* The last block that begins at the address or before it. */
static struct target *
find(const struct reach *reach, uintptr_t address)
{
    size_t low = 0, high = reach->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (reach->targets[middle].start <= address)
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

/* ---- stacks that are left out ---- */

static struct {
    uintptr_t pointers[MOST_STACKS];    /* where threads' stacks are now */
    int count;
    uintptr_t agents[MOST_STACKS];      /* in stacks that have frames of agents */
    int agent_count;
} stacks;

/* The stack pointer of a thread that waits in the kernel; 0 for one that runs. */
static uintptr_t
stack_pointer(const char *thread)
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
    return count > 2 ? values[count - 2] : 0;
}

static void
add_agent_stack(struct interpose_thread *thread, void *data)
{
    const struct check_thread *state = thread->state;

    (void)data;
    if (stacks.agent_count == MOST_STACKS)
        return;
    if (thread->event != NULL)
        stacks.agents[stacks.agent_count++] = (uintptr_t)thread->event;
    else if (state != NULL && state->stack_place != 0)
        stacks.agents[stacks.agent_count++] = state->stack_place;
}

static void
find_stacks(void)
{
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;

    stacks.count = stacks.agent_count = 0;
    stacks.pointers[stacks.count++] = (uintptr_t)&folder;
    while (folder != NULL && (entry = readdir(folder)) != NULL
           && stacks.count < MOST_STACKS)
        if (entry->d_name[0] != '.')
            stacks.pointers[stacks.count++] = stack_pointer(entry->d_name);
    if (folder != NULL)
        closedir(folder);
    interpose_each_thread(add_agent_stack, NULL);
}

static bool
is_left_out(uintptr_t start, uintptr_t end)
{
    for (int i = 0; i < stacks.agent_count; i++)
        if (stacks.agents[i] >= start && stacks.agents[i] < end)
            return false;
    for (int i = 0; i < stacks.count; i++)
        if (stacks.pointers[i] >= start && stacks.pointers[i] < end)
            return true;
    return false;
}

/* ---- memory ---- */

static void
search_words(struct reach *reach, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] >= reach->least && words[i] < reach->most) {
            struct target *target = find(reach, words[i]);

            if (target != NULL && words[i] < target->end)
                target->is_found = true;
        }
}

static void
search_pages(struct reach *reach, uintptr_t start, size_t pages)
{
    struct iovec to = { words, pages * PAGE }, from = { (void *)start, pages * PAGE };
    ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

    if (got > 0)
        search_words(reach, (size_t)got / sizeof words[0]);
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
            search_pages(reach, start + first * PAGE, run);
        }
        start += pages * PAGE;
    }
}

void
reach_search(struct reach *reach)
{
    FILE *maps;
    int pagemap;
    char line[512], mode[8];
    unsigned long start, end;

    if (reach->count == 0)
        return;
    maps = fopen("/proc/self/maps", "r");
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    qsort(reach->targets, reach->count, sizeof reach->targets[0], compare);
    find_stacks();
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && mode[0] == 'r'
            && mode[1] == 'w' && !((uintptr_t)reach >= start && (uintptr_t)reach < end)
            && !((uintptr_t)words >= start && (uintptr_t)words < end)
            && end - start < SHADOW && !is_left_out(start, end))
            search_mapping(reach, start, end, pagemap);
    if (maps != NULL)
        fclose(maps);
    if (pagemap >= 0)
        close(pagemap);
}
