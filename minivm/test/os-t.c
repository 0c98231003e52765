/* SPDX-License-Identifier: MIT */
/* minivm/test/os-t.c -- the operating system's services. */

#include "base/os.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "test/tap.h"

static atomic_bool release_burner;

static void *
burn(void *data)
{
    (void)data;
    while (!release_burner)
        ;
    return NULL;
}

static void
test_time(void)
{
    int64_t start = os_nanos(), now, cpu = os_thread_cpu_nanos(), of;
    pthread_t thread;

    ok(start > 0, "there is a clock");
    while (os_thread_cpu_nanos() - cpu < 3000000)
        ;
    now = os_nanos();
    ok(now - start >= 3000000, "it moves on");
    ok(os_wall_nanos() / 1000000000 > 1700000000, "the date is after 2023");
    ok(os_thread_user_nanos() >= 0, "threads burn time in user mode");
    if (pthread_create(&thread, NULL, burn, NULL) != 0)
        return;
    while ((of = os_thread_cpu_nanos_of(thread)) < 1000000 && of >= 0)
        ;
    ok(of >= 1000000, "another thread's time is told");
    release_burner = true;
    pthread_join(thread, NULL);
}

static void
test_machine(void)
{
    size_t page = os_page_size();

    ok(page >= 4096 && (page & (page - 1)) == 0, "pages are %zu bytes", page);
    ok(os_processor_count() >= 1, "%d processors", os_processor_count());
    ok(os_physical_memory() >= 16 << 20, "%llu bytes of memory",
       (unsigned long long)os_physical_memory());
}

static void
check_range(uint8_t *at, size_t size, const char *what)
{
    size_t page = os_page_size();

    if (!ok(at != NULL, "%s is reserved", what))
        return;
    ok(os_commit(at + page, page), "a page of it is committed");
    is_int(at[page] | at[2 * page - 1], 0, "and zero");
    memset(at + page, 0xaa, page);
    ok(os_commit(at, size), "all of it is committed");
    is_int(at[page], 0xaa, "the page stays as it was");
    at[0] = at[size - 1] = 1;
    is_int(at[0] + at[size - 1], 2, "the ends are there");
    os_release(at, size);
}

static void
test_memory(void)
{
    size_t page = os_page_size(), size = 64 * page;
    uint8_t *at, *low[2];

    check_range(os_reserve(size), size, "address space");
    for (size_t alignment = page; alignment <= 64 << 20; alignment *= 8) {
        at = os_reserve_aligned(size, alignment);
        is_int((uintptr_t)at & (alignment - 1), 0, "alignment to %zu", alignment);
        check_range(at, size, "an aligned range");
    }
    low[0] = os_reserve_low(size);
    low[1] = os_reserve_low(size);
    ok((uintptr_t)low[0] + size <= (uintptr_t)1 << 32, "a low range is below 4 GiB");
    ok((uintptr_t)low[1] + size <= (uintptr_t)1 << 32, "and a second one");
    ok(low[0] + size <= low[1] || low[1] + size <= low[0], "beside the first");
    check_range(low[0], size, "a low range");
    check_range(low[1], size, "a second low range");
    low[0] = os_reserve_low((size_t)256 << 20);
    ok(low[0] != NULL, "256 MiB fit below 4 GiB");
    if (low[0] != NULL)
        os_release(low[0], (size_t)256 << 20);
    ok(os_reserve_low((size_t)5 << 30) == NULL, "5 GiB do not");
    ok(os_reserve(SIZE_MAX) == NULL, "nor does everything fit anywhere");
    ok(os_reserve_aligned(SIZE_MAX - (1 << 20), 1 << 21) == NULL, "aligned or not");
}

static char *
temporary(const char *name, const void *bytes, size_t length)
{
    const char *dir = getenv("TMPDIR");
    char *path = mem_printf("%s/os-t-%d-%s", dir == NULL ? "/tmp" : dir, (int)getpid(),
                            name);
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        diag("cannot write %s", path);
    return path;
}

static void
test_files(void)
{
    char *path = temporary("a", "one\0two", 7), *empty = temporary("b", "", 0);
    char *error = NULL, *text;
    size_t length = 99;

    text = os_read_file(path, &length, &error);
    is_bytes(text, length, "one\0two", 7, "a file is read whole");
    is_int(text[7], 0, "with a NUL behind");
    mem_free(text);
    text = os_read_file(empty, &length, NULL);
    ok(text != NULL && length == 0, "so is an empty one");
    mem_free(text);
    text = os_read_file("/proc/self/status", &length, NULL);
    ok(text != NULL && length > 100 && strstr(text, "Pid:") != NULL,
       "and one whose size is not known before");
    mem_free(text);
    ok(os_read_file("/nowhere/at/all", &length, &error) == NULL,
       "a missing one is not");
    is_string(error, "No such file or directory", "for that reason");
    mem_free(error);
    error = NULL;
    ok(os_read_file("/", &length, &error) == NULL, "nor is a directory");
    is_string(error, "Is a directory", "for that reason");
    mem_free(error);

    unlink(path);
    unlink(empty);
    mem_free(path);
    mem_free(empty);
}

static void
test_libraries(void)
{
    void *library = os_library_open("libz.so.1", NULL), *self;
    char *error = NULL;

    ok(library != NULL, "a library is loaded");
    ok(library != NULL && dlsym(library, "crc32") != NULL,
       "it has symbols");
    ok(library != NULL && dlsym(library, "no_such_symbol") == NULL,
       "but not any");
    if (library != NULL)
        dlclose(library);
    self = os_library_open(NULL, &error);
    ok(self != NULL && dlsym(self, "malloc") != NULL,
       "the process itself is one");
    ok(os_library_open("/nowhere/libnothing.so", &error) == NULL,
       "a missing one fails");
    ok(error != NULL && strstr(error, "/nowhere/libnothing.so") != NULL,
       "and the reason names it");
    mem_free(error);
}

int
main(void)
{
    test_time();
    test_machine();
    test_memory();
    test_files();
    test_libraries();
    return done_testing();
}
