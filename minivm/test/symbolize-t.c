/* SPDX-License-Identifier: MIT */
/* minivm/test/symbolize-t.c -- names for native addresses, and spans of memory. */

#include "base/symbolize.h"

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"
#include "test/tap.h"

static int counter = 1;

/* Static and not inlined: only the symbol table of the file knows its name. */
static __attribute__((noinline)) int
count_up(int by)
{
    return counter += by;
}

static void
test_functions(void)
{
    uintptr_t address = (uintptr_t)&count_up;
    struct symbolized s;

    is_int(count_up(1), 2, "the function is used");
    ok(symbolize(address, &s), "the address of a function is mapped");
    ok(s.is_mapped && s.is_readable && s.is_executable && !s.is_writable,
       "its mapping can be read and executed");
    ok(s.start <= address && address < s.end, "the mapping contains it");
    is_string(s.symbol, "count_up", "a static function has a name");
    is_int(s.symbol_offset, 0, "the address is the function's beginning");
    ok(s.file[0] == '/' && !strchr(symbolize_library(&s), '/')
           && strstr(s.file, symbolize_library(&s)),
       "the library's name is the end of its path");
    uintptr_t offset = s.offset;
    symbolize(address + 1, &s);
    is_string(s.symbol, "count_up", "one byte on it is the same function");
    is_int(s.symbol_offset, 1, "at offset 1");
    is_int(s.offset, offset + 1, "and the file's own address is one more");
    ok(symbolize_mapping(address, &s) && s.symbol[0] == '\0' && s.is_executable,
       "without the symbol the mapping alone is told");
    ok(symbolize((uintptr_t)&getpid, &s)
           && strncmp(symbolize_library(&s), "lib", 3) == 0,
       "a function of another library belongs to that one");
}

/* Maps a copy of this program whose string tables claim to be by high bytes further
   on, stores where its code of the address is there, and returns the copy; NULL on
   failure. */
static void *
map_copy(uintptr_t address, uint64_t by, uintptr_t *copied)
{
    char path[] = "/tmp/symbolize-t.XXXXXX";
    struct symbolized s;
    struct stat st;
    int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);

    *copied = 0;
    symbolize(address, &s);
    if (from < 0 || to < 0 || fstat(from, &st) != 0
        || sendfile(to, from, NULL, (size_t)st.st_size) != st.st_size)
        return NULL;
    char *copy = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_SHARED, to, 0);
    ElfW(Ehdr) *header = (void *)copy;
    ElfW(Shdr) *sections = (void *)(copy + header->e_shoff);
    ElfW(Phdr) *segments = (void *)(copy + header->e_phoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_STRTAB)
            sections[i].sh_offset += by;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && s.offset >= segments[i].p_vaddr
            && s.offset < segments[i].p_vaddr + segments[i].p_filesz)
            *copied = (uintptr_t)copy + segments[i].p_offset + s.offset
                      - segments[i].p_vaddr;
    close(from);
    close(to);
    return copy;
}

/* An offset behind the end of the file is not followed, whatever its low bits. */
static void
test_broken_files(void)
{
    const uint64_t by[] = { 0, (uint64_t)1 << 31, (uint64_t)1 << 32 };
    uintptr_t copied;
    struct symbolized s;

    for (int i = 0; i < 3; i++) {
        void *copy = map_copy((uintptr_t)&count_up, by[i], &copied);

        ok(copy && copied && symbolize(copied, &s), "a copy of the program is mapped");
        is_string(s.symbol, i == 0 ? "count_up" : "",
                  i == 0 ? "its functions have names"
                         : "names behind its end have not");
        unlink(s.file);
    }
}

static void
test_memory(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *page = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct symbolized s;
    int local = 0;

    ok(symbolize((uintptr_t)&local, &s) && s.is_writable && !s.is_executable,
       "the stack can be written and not executed");
    is_string(s.symbol, "", "and has no function");
    ok(symbolize((uintptr_t)page, &s) && !s.is_readable && s.file[0] == '\0',
       "memory without a file and access");
    ok(s.offset == (uintptr_t)page - s.start, "is counted from its mapping's start");
    munmap(page, size);
    ok(!symbolize((uintptr_t)page, &s) && !s.is_mapped,
       "after munmap nothing is there");
    ok(!symbolize(0, &s), "nor at NULL");
}

static void
test_span(void)
{
    struct span span;
    char *base;

    if (!ok(span_reserve(&span, (1 << 20) + 1), "address space for a span"))
        return;
    base = span.base;
    is_int(span.reserved, (1 << 20) + SPAN_ALIGNMENT, "its size is rounded up");
    is_int((uintptr_t)base % SPAN_ALIGNMENT, 0, "its beginning is aligned");
    is_int(span.committed, 0, "it has no memory yet");
    ok(span_commit(&span, 1) && span.committed >= 1, "memory for its first byte");
    base[0] = 7;
    size_t committed = span.committed;
    ok(span_commit(&span, 1) && span.committed == committed,
       "which it has from then on");
    ok(span_commit(&span, span.reserved), "memory for all of it");
    is_int(span.committed, span.reserved, "and no more");
    ok(span.base == base && base[0] == 7, "it has neither moved nor changed");
    is_int(base[span.reserved - 1], 0, "new memory is zero");
    span_release(&span);
    ok(!span.base && span.reserved == 0 && span.committed == 0,
       "nothing is left of it");
    ok(!span_reserve(&span, SIZE_MAX / 2), "no address space for a span that large");
}

int
main(void)
{
    test_functions();
    test_broken_files();
    test_memory();
    test_span();
    return done_testing();
}
