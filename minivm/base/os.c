/* SPDX-License-Identifier: MIT */
/* minivm/base/os.c -- time, files and libraries. */

#include "base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static const int64_t NANOS = 1000000000;

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

static void
set_error(char **error, int number)
{
    errno = number;
    if (error != NULL)
        *error = mem_printf("%m");
}

static int
open_file(const char *path, char **error)
{
    int fd;

    do
        fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        set_error(error, errno);
    return fd;
}

/* Reads to the end of the file; 0 or an error number. */
static int
read_all(int fd, struct buf *b)
{
    for (;;) {
        ssize_t n;

        if (!buf_try_reserve(b, 4096))
            return ENOMEM;
        /* One byte stays free for the NUL. */
        n = read(fd, b->data + b->length, b->capacity - b->length - 1);
        if (n == 0)
            return 0;
        if (n > 0)
            b->length += (size_t)n;
        else if (errno != EINTR)
            return errno;
    }
}

char *
os_read_file(const char *path, size_t *length, char **error)
{
    struct buf b = { 0 };
    int number, fd = open_file(path, error);

    if (fd < 0)
        return NULL;
    number = read_all(fd, &b);
    close(fd);
    if (number != 0) {
        buf_release(&b);
        set_error(error, number);
        return NULL;
    }
    return buf_steal(&b, length);
}

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

bool
map_open(struct file_map *map, const char *path, char **error)
{
    size_t size;
    int fd = os_open_regular(path, &size, error);
    const void *at = "";

    if (fd < 0)
        return false;
    if (size > 0)
        at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        set_error(error, errno);
    close(fd);
    *map = (struct file_map){ at, size };
    return at != MAP_FAILED;
}

void
map_close(struct file_map *map)
{
    if (map->length != 0)
        munmap((void *)map->data, map->length);
    *map = (struct file_map){ (const uint8_t *)"", 0 };
}

void *
os_library_open(const char *name, char **error)
{
    void *library = dlopen(name, RTLD_LAZY);

    if (library == NULL && error != NULL) {
        const char *text = dlerror();

        *error = mem_strdup(text == NULL ? "cannot be loaded" : text);
    }
    return library;
}

void *
os_library_symbol(void *library, const char *symbol)
{
    return dlsym(library, symbol);
}

void
os_library_close(void *library)
{
    dlclose(library);
}
