/* SPDX-License-Identifier: MIT */
/* minivm/base/os_memory.c -- address space and the limits of the machine. */

#include "base/os.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

size_t
os_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* size in whole pages, or 0 when that overflows. */
static size_t
whole_pages(size_t size)
{
    size_t page = os_page_size();

    return size > SIZE_MAX - page ? 0 : (size + page - 1) & ~(page - 1);
}

enum { RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

void *
os_reserve(size_t size)
{
    size_t bytes = whole_pages(size);
    void *at = bytes == 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_NONE, RESERVED, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

void *
os_reserve_aligned(size_t size, size_t alignment)
{
    size_t bytes = whole_pages(size), page = os_page_size(), before;
    uint8_t *at;

    if (alignment <= page)
        return os_reserve(size);
    if (bytes == 0 || bytes > SIZE_MAX - alignment)
        return NULL;
    at = os_reserve(bytes + alignment - page);
    if (at == NULL)
        return NULL;
    before = -(uintptr_t)at & (alignment - 1);
    if (before != 0)
        munmap(at, before);
    if (alignment - page > before)
        munmap(at + before + bytes, alignment - page - before);
    return at + before;
}

/*
 * From the top down: the program, its heap and what else was linked to low
 * addresses grow from the bottom up.
 */
void *
os_reserve_low(size_t size)
{
    const uint64_t top = (uint64_t)1 << 32, bottom = 1 << 20, step = 1 << 22;
    uint64_t bytes = whole_pages(size);

    if (bytes == 0 || bytes > top - bottom)
        return NULL;
    for (uint64_t at = (top - bytes) & ~(uint64_t)0xffff; at >= bottom; at -= step) {
        void *got = mmap((void *)(uintptr_t)at, bytes, PROT_NONE,
                         RESERVED | MAP_FIXED_NOREPLACE, -1, 0);

        if (got == (void *)(uintptr_t)at)
            return got;
        /* A kernel before 4.17 takes the address as a mere hint. */
        if (got != MAP_FAILED)
            munmap(got, bytes);
        else if (errno == ENOMEM)
            return NULL;
        if (at < bottom + step)
            break;
    }
    return NULL;
}

bool
os_commit(void *at, size_t size)
{
    return mprotect(at, whole_pages(size), PROT_READ | PROT_WRITE) == 0;
}

void
os_release(void *at, size_t size)
{
    if (munmap(at, whole_pages(size)) != 0)
        fatal("cannot give back %zu bytes of address space: %m", size);
}

/*
 * The path of this process in the control group hierarchy of the controller
 * (version 1), or in the unified one where controller is ""; NULL when there
 * is none; mem_free.
 */
static char *
cgroup_path(const char *controller)
{
    char *text = os_read_file("/proc/self/cgroup", NULL, NULL), *line, *rest, *path;
    size_t length = strlen(controller);

    /* Lines look like "4:cpu,cpuacct:/path", the unified one like "0::/path". */
    path = NULL;
    for (line = text; line != NULL && path == NULL; line = rest) {
        char *names = strchr(line, ':'), *end;

        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        end = names == NULL ? NULL : strchr(names + 1, ':');
        for (; end != NULL && path == NULL; names = strpbrk(names + 1, ",:")) {
            if (names >= end)
                break;
            if (strncmp(names + 1, controller, length) == 0
                && (names[1 + length] == ',' || names[1 + length] == ':'))
                path = mem_strdup(end + 1);
        }
    }
    mem_free(text);
    return path;
}

/*
 * Calls visit with the text of the file of every group from this process's own
 * up to the root.  The root directory alone is tried last: in a container the
 * path may speak of a tree that is mounted elsewhere.
 */
static void
visit_groups(const char *mount, const char *controller, const char *file,
             void (*visit)(const char *text, void *data), void *data)
{
    char *path = cgroup_path(controller);

    while (path != NULL) {
        char *name = mem_printf("%s%s/%s", mount, path, file);
        char *text = os_read_file(name, NULL, NULL);
        char *slash = strrchr(path, '/');

        if (text != NULL)
            visit(text, data);
        mem_free(text);
        mem_free(name);
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    mem_free(path);
}

/* "MICROSECONDS PERIOD" or "max PERIOD" to a number of processors. */
static void
visit_cpu_max(const char *text, void *data)
{
    int *processors = data;
    long long quota, period;

    if (sscanf(text, "%lld %lld", &quota, &period) == 2 && quota > 0 && period > 0) {
        long long share = (quota + period - 1) / period;

        if (share < *processors)
            *processors = (int)share;
    }
}

static int
affine_processors(void)
{
    /* The set must be as large as the kernel's, whose size is not told. */
    enum { MOST = 1 << 16 };
    size_t bytes = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = CPU_ALLOC(MOST);
    int count = 0;

    if (set != NULL && sched_getaffinity(0, bytes, set) == 0)
        count = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    if (count < 1)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count;
}

int
os_processor_count(void)
{
    int count = affine_processors();

    visit_groups("/sys/fs/cgroup", "", "cpu.max", visit_cpu_max, &count);
    return count < 1 ? 1 : count;
}

static void
visit_memory_max(const char *text, void *data)
{
    uint64_t *bytes = data, limit;
    char *end;

    limit = strtoull(text, &end, 10);
    if (end != text && limit != 0 && limit < *bytes)
        *bytes = limit;
}

uint64_t
os_physical_memory(void)
{
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * os_page_size();

    visit_groups("/sys/fs/cgroup", "", "memory.max", visit_memory_max, &bytes);
    visit_groups("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes",
                 visit_memory_max, &bytes);
    return bytes;
}
