/* SPDX-License-Identifier: MIT */
/* minivm/test/zip-t.c -- reading zip files, good and bad. */

#include "base/zip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "test/archives.h"
#include "test/tap.h"

/* A file in memory, opened by its name in /proc. */
static int file_fd;
static char path[64];
static char large[100000];

static struct member members[] = {
    { "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n", 22, false },
    { "a/", "", 0, false },
    { "a/b.class", large, sizeof large, true },
    { "a/empty", "", 0, true },
    { "caf\xc3\xa9", "accent", 6, true },
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static void
write_file(const void *bytes, size_t length)
{
    if (ftruncate(file_fd, 0) != 0
        || pwrite(file_fd, bytes, length, 0) != (ssize_t)length) {
        perror(path);
        exit(1);
    }
}

static bool
find(const struct zip *z, const char *name, struct zip_entry *entry)
{
    return zip_find(z, name, strlen(name), entry);
}

static void
check_members(const struct zip *z, const char *what)
{
    struct zip_entry entry;
    size_t length, at = 0, steps = 0, wrong = 0;
    char *error = NULL;
    uint8_t *data;

    for (size_t i = 0; i < MEMBERS; i++) {
        if (!ok(find(z, members[i].name, &entry), "%s: '%s' is found", what,
                members[i].name))
            continue;
        if (!ok(zip_read(z, &entry, &data, &length, &error), "%s: it is read", what)) {
            diag("%s", error);
            mem_free(error);
            continue;
        }
        is_bytes(data, length, members[i].bytes, members[i].length, "%s: it is right",
                 what);
        is_int(data[length], 0, "%s: it has a NUL behind", what);
        mem_free(data);
    }
    for (; zip_next(z, &at, &entry); steps++)
        wrong += entry.name_length != strlen(members[steps].name)
                 || memcmp(entry.name, members[steps].name, entry.name_length) != 0
                 || entry.size != members[steps].length;
    is_int(steps, MEMBERS, "%s: all entries are visited", what);
    is_int(wrong, 0, "%s: in the order of the directory", what);
    ok(!find(z, "a/b.clas", &entry) && !find(z, "a/b.class/", &entry)
           && !find(z, "", &entry),
       "%s: what is not there is not found", what);
}

static void
test_good(void)
{
    static const struct {
        const char *what;
        struct zip_options options;
    } cases[] = {
        { "plain", { 0 } },
        { "zip64", { .zip64 = true } },
        { "with a comment", { .comment = "some words" } },
        { "with an end record in the comment",
          { .comment = "PK\5\6................PK\5\6" } },
        { "with a program before it", { .prefix = "#!/bin/sh\nexec it\n" } },
        { "zip64 with something before it",
          { .zip64 = true, .prefix = "", .comment = "c" } },
        { "with something after it", { .suffix = "\n\n" } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf b = { 0 };
        char *error = NULL;
        struct zip *z;

        make_zip(&b, members, MEMBERS, &cases[i].options);
        write_file(b.data, b.length);
        z = zip_open(path, &error);
        if (ok(z != NULL, "%s: it is opened", cases[i].what))
            check_members(z, cases[i].what);
        else
            diag("%s", error);
        zip_close(z);
        mem_free(error);
        buf_release(&b);
    }
}

static void
test_duplicates(void)
{
    static const struct member twice[] = {
        { "x", "first", 5, false },
        { "y", "other", 5, false },
        { "x", "last", 4, false },
    };
    struct buf b = { 0 };
    struct zip_entry entry;
    uint8_t *data = NULL;
    size_t length = 0, at = 0;
    struct zip *z;

    make_zip(&b, twice, 3, &(struct zip_options){ 0 });
    write_file(b.data, b.length);
    z = zip_open(path, NULL);
    if (ok(z != NULL && find(z, "x", &entry)
               && zip_read(z, &entry, &data, &length, NULL),
           "a name that is there twice is found"))
        is_bytes(data, length, "last", 4, "as the last of its name");
    mem_free(data);
    zip_close(z);
    buf_release(&b);
    make_zip(&b, NULL, 0, &(struct zip_options){ 0 });
    write_file(b.data, b.length);
    z = zip_open(path, NULL);
    ok(z != NULL && !zip_next(z, &at, &entry) && !find(z, "x", &entry),
       "an empty archive");
    zip_close(z);
    buf_release(&b);
}

/* Opening the bytes fails with that error. */
static void
check_declined(const void *bytes, size_t length, const char *want, const char *what)
{
    char *error = NULL;
    struct zip *z;

    write_file(bytes, length);
    z = zip_open(path, &error);
    ok(z == NULL, "%s is declined", what);
    is_string(error, want, "for the right reason");
    zip_close(z);
    mem_free(error);
}

/* Reading the entry of these bytes fails with that error. */
static void
check_unreadable(const struct buf *b, const char *name, const char *want,
                 const char *what)
{
    struct zip_entry entry;
    char *error = NULL;
    uint8_t *data;
    size_t length;
    struct zip *z;

    write_file(b->data, b->length);
    z = zip_open(path, &error);
    if (ok(z != NULL && find(z, name, &entry), "%s: the entry is there", what)) {
        ok(!zip_read(z, &entry, &data, &length, &error), "%s: but not readable", what);
        is_string(error, want, "for the right reason");
    }
    zip_close(z);
    mem_free(error);
}

/* Where the directory's header of a member of one_member's archive starts. */
static size_t
make_one(struct buf *b, const struct member *member)
{
    size_t at;

    buf_clear(b);
    make_zip(b, member, 1, &(struct zip_options){ 0 });
    for (at = b->length - 4; memcmp(b->data + at, "PK\1\2", 4) != 0;)
        at--;
    return at;
}

static void
test_bad_archives(void)
{
    struct buf b = { 0 };
    size_t end, at;
    char *error = NULL;

    ok(zip_open("/nowhere/x.jar", &error) == NULL, "a missing file is declined");
    is_string(error, "No such file or directory", "for the right reason");
    mem_free(error);
    error = NULL;
    ok(zip_open("/", &error) == NULL, "so is a directory");
    is_string(error, "Is a directory", "for the right reason");
    mem_free(error);
    ok(zip_open("/nowhere/x.jar", NULL) == NULL, "the reason need not be asked");
    check_declined("", 0, "empty file", "an empty file");
    check_declined("PK\5\6", 4, "not a zip file", "a very short file");
    check_declined(large, sizeof large, "not a zip file", "any other file");

    at = make_one(&b, &members[0]);
    end = b.length - 22;
    b.data[end + 12]--;
    check_declined(b.data, b.length, "bad entry 1 in the central directory",
                   "a directory that begins elsewhere");
    b.data[end + 12]++;
    b.data[end + 15] = 1;
    check_declined(b.data, b.length, "bad size of the central directory",
                   "a directory larger than the file");
    b.data[end + 15] = 0;
    b.data[end + 19] = 1;
    check_declined(b.data, b.length, "bad offset of the central directory",
                   "a directory behind the file");
    b.data[end + 19] = 0;
    b.data[at + 28] = 0xff;
    check_declined(b.data, b.length, "bad entry 1 in the central directory",
                   "an entry with too long a name");
    buf_release(&b);

    make_zip(&b, members, MEMBERS, &(struct zip_options){ .zip64 = true });
    end = b.length - 22 - 20;
    b.data[end + 9] = 0xff;
    check_declined(b.data, b.length, "bad zip64 end record",
                   "a zip64 end record outside the file");
    buf_release(&b);
}

static void
test_bad_entries(void)
{
    const struct member *packed = &members[2];
    struct buf b = { 0 };
    size_t at = make_one(&b, packed);

    b.data[at + 8] |= 1;
    check_unreadable(&b, packed->name, "the entry is encrypted", "encrypted");
    at = make_one(&b, packed);
    b.data[at + 10] = 12;
    check_unreadable(&b, packed->name, "compression method 12 is not known", "bzip2");
    at = make_one(&b, packed);
    b.data[at + 16] ^= 1;
    check_unreadable(&b, packed->name, "the entry's checksum is wrong", "checksum");
    at = make_one(&b, packed);
    b.data[at + 24]++;
    check_unreadable(&b, packed->name, "the entry's compressed data is damaged",
                     "one byte more than there is");
    at = make_one(&b, packed);
    b.data[at + 24]--;
    check_unreadable(&b, packed->name, "the entry's compressed data is damaged",
                     "one byte less than there is");
    at = make_one(&b, packed);
    b.data[at + 27] = 0x7f;
    check_unreadable(&b, packed->name, "the entry's compressed data is damaged",
                     "a size that no such data can have");
    at = make_one(&b, packed);
    memset(b.data + at + 24, 0xff, 4);
    check_unreadable(&b, packed->name, "the entry is too large", "4 GiB");
    at = make_one(&b, packed);
    b.data[at + 22] = 1;
    check_unreadable(&b, packed->name, "the entry's data is outside the file",
                     "data that overruns the directory");
    at = make_one(&b, packed);
    b.data[at + 45] = 1;
    check_unreadable(&b, packed->name, "the entry's header is outside the file",
                     "a header outside");
    at = make_one(&b, packed);
    b.data[at + 42] = 1;
    check_unreadable(&b, packed->name, "the entry has no header", "a header elsewhere");
    at = make_one(&b, packed);
    b.data[40]++;
    b.data[60] ^= 0x55;
    check_unreadable(&b, packed->name, "the entry's compressed data is damaged",
                     "damaged data");
    at = make_one(&b, &members[0]);
    b.data[at + 24]++;
    check_unreadable(&b, members[0].name, "the entry's sizes differ",
                     "two sizes for stored data");
    buf_release(&b);
}

/* Opens and reads whatever there is; the sanitizers and the CRC judge. */
static size_t
read_everything(void)
{
    struct zip *z = zip_open(path, NULL);
    struct zip_entry entry;
    size_t at = 0, good = 0;

    while (z != NULL && zip_next(z, &at, &entry)) {
        uint8_t *data;
        size_t length;

        if (zip_read(z, &entry, &data, &length, NULL)) {
            good++;
            mem_free(data);
        }
    }
    zip_close(z);
    return good;
}

static void
test_damage(void)
{
    struct buf b = { 0 };
    size_t good = 0;

    make_zip(&b, members, MEMBERS, &(struct zip_options){ .zip64 = true });
    for (size_t length = 0; length < b.length; length++) {
        write_file(b.data, length);
        good += read_everything();
    }
    is_int(good, 0, "a truncated archive is never opened");
    for (size_t i = 0; i < b.length; i++) {
        uint8_t old = b.data[i];

        b.data[i] = (uint8_t)(old ^ (1 << i % 8));
        write_file(b.data, b.length);
        good += read_everything();
        b.data[i] = old;
    }
    ok(good > b.length && good < b.length * MEMBERS,
       "a flipped bit spares the other entries (%zu of %zu read)", good,
       b.length * MEMBERS);
    buf_release(&b);
}

/* A jar that shrinks while it is open gives an error, no signal. */
static void
test_shrinking(void)
{
    struct buf b = { 0 };
    struct zip_entry entry;
    char *error = NULL;
    uint8_t *data;
    size_t length;
    struct zip *z;

    make_zip(&b, members, MEMBERS, &(struct zip_options){ 0 });
    write_file(b.data, b.length);
    z = zip_open(path, NULL);
    if (ftruncate(file_fd, 10) != 0)
        perror(path);
    ok(find(z, "a/b.class", &entry), "the directory of an open archive stays");
    ok(!zip_read(z, &entry, &data, &length, &error), "its truncated entry does not");
    is_string(error, "truncated", "for the right reason");
    mem_free(error);
    zip_close(z);
    buf_release(&b);
}

static void *
read_often(void *data)
{
    struct zip *z = data;
    size_t wrong = 0;

    for (int i = 0; i < 300; i++) {
        const struct member *member = &members[i % MEMBERS];
        struct zip_entry entry;
        uint8_t *bytes;
        size_t length;

        if (!find(z, member->name, &entry)
            || !zip_read(z, &entry, &bytes, &length, NULL)) {
            wrong++;
            continue;
        }
        wrong += length != member->length || memcmp(bytes, member->bytes, length) != 0;
        mem_free(bytes);
    }
    return (void *)wrong;
}

static void
test_threads(void)
{
    struct buf b = { 0 };
    pthread_t threads[4];
    size_t wrong = 0;
    struct zip *z;

    make_zip(&b, members, MEMBERS, &(struct zip_options){ 0 });
    write_file(b.data, b.length);
    z = zip_open(path, NULL);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, read_often, z) != 0)
            return;
    for (int i = 0; i < 4; i++) {
        void *result;

        pthread_join(threads[i], &result);
        wrong += (size_t)result;
    }
    is_int(wrong, 0, "threads read one archive at the same time");
    zip_close(z);
    buf_release(&b);
}

/* A jar of the JDK: every entry has the right checksum. */
static void
test_jar(void)
{
    const char *jdk = getenv("JDK17");
    struct zip_entry entry;
    char *jar, *error = NULL;
    struct zip *z;
    size_t at = 0, wrong = 0;

    if (jdk == NULL || *jdk == '\0') {
        skip("JDK17 names no JDK");
        return;
    }
    jar = mem_printf("%s/lib/jrt-fs.jar", jdk);
    z = zip_open(jar, &error);
    ok(z != NULL, "a jar of the JDK is opened");
    while (z != NULL && zip_next(z, &at, &entry)) {
        uint8_t *data;
        size_t length;

        if (zip_read(z, &entry, &data, &length, NULL))
            mem_free(data);
        else
            wrong++;
    }
    is_int(wrong, 0, "all are read");
    ok(z != NULL && find(z, "META-INF/MANIFEST.MF", &entry), "the manifest among them");
    zip_close(z);
    mem_free(error);
    mem_free(jar);
}

int
main(void)
{
    uint32_t random = 1;

    file_fd = memfd_create("zip-t", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file_fd);
    /* Compressible, but not to nothing. */
    for (size_t i = 0; i < sizeof large; i++) {
        random = random * 1103515245 + 12345;
        large[i] = (char)(i % 100 < 99 ? i / 100 : random >> 24);
    }
    test_good();
    test_duplicates();
    test_bad_archives();
    test_bad_entries();
    test_damage();
    test_shrinking();
    test_threads();
    test_jar();
    close(file_fd);
    return done_testing();
}
