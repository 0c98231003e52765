/* SPDX-License-Identifier: MIT */
/* minivm/test/mem-t.c -- native memory, fatal errors, buffers and arenas. */

#include "base/mem.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/log.h"
#include "test/tap.h"

/* Runs body in a child; stores what it wrote to standard error. */
static int
child_status(void (*body)(void), char *text, size_t size)
{
    size_t length = 0;
    int ends[2], status;
    ssize_t n;
    pid_t pid;

    if (pipe(ends) != 0 || (pid = fork()) < 0)
        fatal("no child: %m");
    if (pid == 0) {
        struct rlimit none = { 0, 0 };

        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = '\0';
    close(ends[0]);
    waitpid(pid, &status, 0);
    return status;
}

static void
die(void)
{
    fatal("%s of %d", "the end", 7);
}

static void
complain(void)
{
    warn("mind the %s", "gap");
}

static void
grow_too_far(void)
{
    struct buf b = { 0 };

    buf_append_u1(&b, 1);
    buf_reserve(&b, SIZE_MAX);
}

static void
multiply_too_far(void)
{
    struct arena a = { 0 };
    volatile size_t count = SIZE_MAX / 4;

    arena_calloc(&a, count, 8);
}

static void
test_fatal(void)
{
    char text[512];
    int status = child_status(die, text, sizeof text);

    ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "fatal aborts");
    is_string(text, "minivm: fatal: the end of 7\n", "and says why");
    is_int(child_status(complain, text, sizeof text), 0, "warn goes on");
    is_string(text, "minivm: warning: mind the gap\n", "and says what");
    ok(WIFSIGNALED(child_status(grow_too_far, text, sizeof text)),
       "a buffer as large as the address space is fatal");
    ok(strstr(text, "a buffer of 1 bytes cannot grow by") != NULL, "and says so");
    status = child_status(multiply_too_far, text, sizeof text);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
       "an overflowing product ends the process with exit code 1");
    ok(strstr(text, "minivm: out of memory: no ") == text, "and says so");
}

static void
test_blocks(void)
{
    uint8_t *zeroes = mem_calloc(100, 3), *empty = mem_alloc(0), *again;
    char *copy = mem_strndup("abcdef", 3), *whole = mem_strndup("ab", 9);
    char *text = mem_printf("%d-%s", 42, "x"), *dup = mem_strdup("");
    bool all = true;

    for (int i = 0; i < 300; i++)
        all = all && zeroes[i] == 0;
    ok(all, "calloc answers zeroes");
    memset(zeroes, 7, 300);
    zeroes = mem_realloc(zeroes, 3000);
    is_int(zeroes[299], 7, "realloc keeps the bytes");
    ok(empty != NULL, "zero bytes have an address");
    again = mem_realloc(NULL, 0);
    ok(again != NULL && again != empty, "of their own");
    is_string(copy, "abc", "strndup cuts");
    is_string(whole, "ab", "strndup stops at the NUL");
    is_string(text, "42-x", "printf formats");
    is_string(dup, "", "strdup of nothing");
    mem_free(zeroes);
    mem_free(empty);
    mem_free(again);
    mem_free(copy);
    mem_free(whole);
    mem_free(text);
    mem_free(dup);
    mem_free(NULL);
}

static void
test_try(void)
{
    volatile size_t huge = SIZE_MAX / 2;
    uint8_t *block = NULL;
    char *text = NULL;

#ifdef TIFORGE_MALLOC_FAIL
    int failed = 0, wrong = 0;

    for (int i = 1; i <= 30; i++) {
        void *p = mem_try_alloc(8);

        failed += p == NULL;
        wrong += (p == NULL) != (i % 3 == 0);
        mem_free(p);
    }
    is_int(failed, 10, "every third allocation fails");
    is_int(wrong, 0, "and no other");
    ok((block = mem_try_calloc(2, 2)) != NULL, "calloc counts");
    ok((text = mem_try_strdup("x")) != NULL, "strdup counts");
    ok(mem_try_strdup("y") == NULL, "strdup fails when its turn comes");
    mem_free(block);
    mem_free(text);
    for (int i = 0; i < 2; i++)
        mem_free(mem_try_alloc(1));
    ok(mem_try_realloc(NULL, 9) == NULL, "and so does realloc");
    block = mem_alloc(1);
    text = NULL;
#else
    block = mem_try_alloc(16);
    ok(block != NULL, "try_alloc answers a block");
    text = mem_try_strdup("007");
    is_string(text, "007", "try_strdup copies");
#endif
    ok(mem_try_calloc(huge, 4) == NULL, "an overflowing product is no memory");
    mem_free(block);
    mem_free(text);
}

static void
test_buf(void)
{
    static const uint8_t want[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    struct buf b;
    uint8_t *bytes;
    size_t length;

    buf_init(&b);
    buf_append_u1(&b, 1);
    buf_append_u2(&b, 0x0203);
    buf_append(&b, "\4\5\6\7\10\11\12\13", 8);
    is_bytes(b.data, b.length, want, sizeof want, "values are big-endian");
    put_u2(b.data + 1, 0xaabb);
    is_bytes(b.data + 1, 3, "\xaa\xbb\x04", 3, "and can be replaced");
    buf_clear(&b);
    buf_append_string(&b, "ab");
    buf_printf(&b, "%d,%s", 12, "cd");
    is_string(buf_string(&b), "ab12,cd", "text is appended");
    is_int(b.length, 7, "its NUL is not counted");
    for (int i = 0; i < 100000; i++)
        buf_append(&b, "xyz", 3);
    is_int(b.length, 300007, "it grows");
    ok(b.data[300006] == 'z' && b.data[7] == 'x', "with its bytes");
    bytes = buf_steal(&b, &length);
    ok(length == 300007 && bytes[length] == 0, "steal ends the bytes with a NUL");
    ok(b.data == NULL && b.length == 0 && b.capacity == 0, "and leaves nothing");
    mem_free(bytes);
    bytes = buf_steal(&b, NULL);
    is_string((char *)bytes, "", "an empty buffer can be stolen");
    mem_free(bytes);
    buf_append(&b, NULL, 0);
    is_int(b.length, 0, "no bytes need no address");
    ok(!buf_try_reserve(&b, SIZE_MAX / 2), "try_reserve fails");
    buf_append_u1(&b, 9);
    ok(!buf_try_reserve(&b, SIZE_MAX), "also where the sum overflows");
    ok(b.length == 1 && b.data[0] == 9, "and leaves the bytes");
    buf_release(&b);
}

static void
test_arena(void)
{
    struct arena a = { 0 };
    uint8_t *blocks[2000];
    size_t sum = 0;
    volatile size_t huge = SIZE_MAX - 3;
    bool zero = true, aligned = true, kept = true;
    char *text;

    for (size_t i = 0; i < 2000; i++) {
        size_t size = i * 7 % 501;

        blocks[i] = arena_alloc(&a, size);
        sum += size;
        aligned = aligned && (uintptr_t)blocks[i] % 8 == 0;
        for (size_t k = 0; k < size; k++)
            zero = zero && blocks[i][k] == 0;
        memset(blocks[i], (int)(i & 0xff), size);
    }
    for (size_t i = 0; i < 2000; i++)
        for (size_t k = 0; k < i * 7 % 501; k++)
            kept = kept && blocks[i][k] == (i & 0xff);
    ok(zero, "an arena's blocks are zeroed");
    ok(aligned, "and 8-aligned");
    ok(kept, "and apart");
    ok(a.footprint >= sum && a.footprint < sum * 3 / 2, "and waste little");
    text = strcpy(arena_alloc(&a, 5), "text");
    memset(arena_calloc(&a, 1000, 1000), 1, 1000000);
    is_string(text, "text", "a large block has a chunk of its own");
    ok(arena_try_alloc(&a, huge) == NULL, "too large a block is none");
    arena_release(&a);
    ok(a.footprint == 0 && a.chunks == NULL, "release empties it");
    ok(arena_alloc(&a, 1) != NULL, "to be used again");
    arena_release(&a);
}

int
main(void)
{
#ifdef TIFORGE_MALLOC_FAIL
    setenv("TIFORGE_FAIL_NTH", "3", 1);
#endif
    test_try();
    test_blocks();
    test_buf();
    test_arena();
    test_fatal();
    return done_testing();
}
