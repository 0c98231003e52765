/* SPDX-License-Identifier: MIT */
/*
 * minivm/base/os.c -- time, files, libraries, address space, and the limits of the
 * machine.
 *
 * Address space is reserved as a private anonymous mapping without access, which takes
 * no memory, and committed by allowing access; the system provides a page when it is
 * first written.  The limits of a container are read from the files of its control
 * groups (cgroups(7)), in both versions.
 */

#include "base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"

static const int64_t NANOS = 1000000000;

/* Returns the clock's time in nanoseconds, or -1 when there is no such clock. */
static int64_t
clock_nanos(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return -1;
    return now.tv_sec * NANOS + now.tv_nsec;
}

int64_t
os_nanos(void)
{
    return clock_nanos(CLOCK_MONOTONIC);
}

int64_t
os_wall_nanos(void)
{
    return clock_nanos(CLOCK_REALTIME);
}

int64_t
os_thread_cpu_nanos(void)
{
    return clock_nanos(CLOCK_THREAD_CPUTIME_ID);
}

int64_t
os_thread_user_nanos(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return -1;
    return usage.ru_utime.tv_sec * NANOS + usage.ru_utime.tv_usec * 1000;
}

int64_t
os_thread_cpu_nanos_of(pthread_t thread)
{
    clockid_t clock;

    return pthread_getcpuclockid(thread, &clock) != 0 ? -1 : clock_nanos(clock);
}

/* Stores the system's text for an error number, unless error is NULL.  Also sets errno,
   where %m reads it. */
static void
set_error(char **error, int number)
{
    errno = number;
    if (error)
        *error = mem_printf("%m");
}

/* Opens a file for reading.  Returns the descriptor, or -1 with *error. */
static int
open_file(const char *path, char **error)
{
    int fd = TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC));

    if (fd < 0)
        set_error(error, errno);
    return fd;
}

char *
os_read_file(const char *path, size_t *length, char **error)
{
    int number = 0, fd = open_file(path, error);
    struct buf b = { 0 };
    ssize_t n;

    if (fd < 0)
        return NULL;
    do {
        n = -1;
        /* The error if there is no room; read sets its own.  One byte stays free for
           the NUL. */
        errno = ENOMEM;
        if (buf_try_reserve(&b, 4096))
            n = TEMP_FAILURE_RETRY(
                read(fd, b.data + b.length, b.capacity - b.length - 1));
        if (n < 0)
            number = errno;
        else
            b.length += (size_t)n;
    } while (n > 0);
    close(fd);
    if (number == 0)
        return buf_steal(&b, length);
    buf_release(&b);
    set_error(error, number);
    return NULL;
}

/* Other kinds of files have no size that means anything: a folder is reported as such,
   a device or a pipe as "No such device". */
int
os_open_regular(const char *path, size_t *size, char **error)
{
    int number = 0, fd = open_file(path, error);
    struct stat status;

    if (fd < 0)
        return -1;
    if (fstat(fd, &status) != 0)
        number = errno;
    else if (!S_ISREG(status.st_mode))
        number = S_ISDIR(status.st_mode) ? EISDIR : ENODEV;
    if (number != 0) {
        close(fd);
        set_error(error, number);
        return -1;
    }
    *size = (size_t)status.st_size;
    return fd;
}

/* With RTLD_LAZY a library that refers to functions that do not exist can be loaded and
   used, as long as it does not call them. */
void *
os_library_open(const char *name, char **error)
{
    void *library = dlopen(name, RTLD_LAZY);

    if (!library && error) {
        const char *text = dlerror();

        *error = mem_strdup(text ? text : "cannot be loaded");
    }
    return library;
}

size_t
os_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns size rounded up to whole pages, or 0 when that overflows. */
static size_t
whole_pages(size_t size)
{
    size_t page = os_page_size();

    return size > SIZE_MAX - page ? 0 : (size + page - 1) & ~(page - 1);
}

/* The flags of a mapping that only reserves addresses. */
enum { RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

size_t
os_reservable(size_t size, unsigned part)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
        || limit.rlim_cur / part > size)
        return size;
    return limit.rlim_cur / part;
}

void
os_share_malloc(void)
{
#ifdef M_ARENA_MAX
    if (os_reservable(SIZE_MAX, 1) < SIZE_MAX)
        mallopt(M_ARENA_MAX, 1);
#endif
}

void *
os_reserve(size_t size)
{
    size_t bytes = whole_pages(size);
    void *at = bytes == 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_NONE, RESERVED, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* Reserves so much more that an aligned range of the size must be in it, and gives back
   what is before and behind that.  The system's ranges begin at a page anyway, so
   alignment - page bytes more are enough. */
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
    if (!at)
        return NULL;
    before = -(uintptr_t)at & (alignment - 1);
    if (before != 0)
        munmap(at, before);
    if (alignment - page > before)
        munmap(at + before + bytes, alignment - page - before);
    return at + before;
}

/*
 * Tries ranges from 4 GiB downwards, since the program, its heap and what else was
 * linked to low addresses begin at the bottom and grow upwards.
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
        /* The next address would be below the bottom, or wrap around zero. */
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
os_discard(void *at, size_t size)
{
    madvise(at, whole_pages(size), MADV_DONTNEED);
}

void
os_release(void *at, size_t size)
{
    if (munmap(at, whole_pages(size)) != 0)
        fatal("cannot give back %zu bytes of address space: %m", size);
}

/*
 * Returns the path of this process in the hierarchy of control groups of that
 * controller (version 1), or in the unified one (version 2) if controller is "".  NULL
 * when there is none.  The caller frees it (mem_free).
 */
static char *
cgroup_path(const char *controller)
{
    char *text = os_read_file("/proc/self/cgroup", NULL, NULL);
    char *rest = text, *line, *names, *name, *path = NULL;

    /* Lines look like "4:cpu,cpuacct:/path", the unified one like "0::/path". */
    while (!path && (line = strsep(&rest, "\n")) != NULL) {
        strsep(&line, ":");
        names = strsep(&line, ":");
        while (line && !path && (name = strsep(&names, ",")) != NULL)
            if (strcmp(name, controller) == 0)
                path = mem_strdup(line);
    }
    mem_free(text);
    return path;
}

/*
 * Returns the least of limit and the numbers that parse finds (0: none) in that file of
 * each group, from the process's own one up to the root, since all of them apply.  In a
 * container the path may belong to a tree that is mounted elsewhere; then only the file
 * in the root directory is found, which is the container's own group.
 */
static uint64_t
group_limit(const char *mount, const char *controller, const char *file,
            uint64_t parse(const char *text), uint64_t limit)
{
    char *path = cgroup_path(controller);

    while (path) {
        char *name = mem_printf("%s%s/%s", mount, path, file);
        char *text = os_read_file(name, NULL, NULL);
        char *slash = strrchr(path, '/');
        uint64_t found = text ? parse(text) : 0;

        if (found != 0 && found < limit)
            limit = found;
        mem_free(text);
        mem_free(name);
        if (!slash)
            break;
        *slash = '\0';
    }
    mem_free(path);
    return limit;
}

/* Parses "MICROSECONDS PERIOD" or "max PERIOD"; returns the number of processors,
   rounded up, or 0 for no limit. */
static uint64_t
parse_cpu_max(const char *text)
{
    long long quota, period;

    if (sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0)
        return 0;
    return (uint64_t)((quota - 1) / period + 1);
}

/* Returns the number of processors of the affinity mask (sched_setaffinity(2)). */
static int
affine_processors(void)
{
    /* The set must be at least as large as the kernel's, whose size cannot be asked
       for. */
    enum { MOST = 1 << 16 };
    size_t bytes = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = CPU_ALLOC(MOST);
    int count = 0;

    if (set && sched_getaffinity(0, bytes, set) == 0)
        count = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    if (count < 1)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count;
}

int
os_processor_count(void)
{
    return (int)group_limit("/sys/fs/cgroup", "", "cpu.max", parse_cpu_max,
                            (uint64_t)affine_processors());
}

/* Parses a number of bytes, or "max", for which it returns 0. */
static uint64_t
parse_memory_max(const char *text)
{
    return strtoull(text, NULL, 10);
}

uint64_t
os_physical_memory(void)
{
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * os_page_size();

    bytes = group_limit("/sys/fs/cgroup", "", "memory.max", parse_memory_max, bytes);
    return group_limit("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes",
                       parse_memory_max, bytes);
}

/* ---- commands ---- */

char *
os_expand_pid(const char *text)
{
    struct buf b = { 0 };

    for (const char *p = text; *p; p++)
        if (p[0] == '%' && (p[1] == 'p' || p[1] == '%')) {
            if (*++p == 'p')
                buf_printf(&b, "%d", (int)getpid());
            else
                buf_append_u1(&b, '%');
        } else {
            buf_append_u1(&b, (uint8_t)*p);
        }
    return buf_steal(&b, NULL);
}

bool
os_run_command(const char *command)
{
    char name[] = "sh", option[] = "-c";
    char *args[] = { name, option, (char *)(uintptr_t)command, NULL };
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int error;

    /* The command must not inherit the signals that the calling thread blocks. */
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn(&child, "/bin/sh", NULL, &attributes, args, environ);
    posix_spawnattr_destroy(&attributes);
    while (error == 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    errno = error;
    return error == 0;
}
