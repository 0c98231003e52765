/* SPDX-License-Identifier: MIT */
/* minivm/test/jimage-t.c -- reading images, good and bad. */

#include "base/jimage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "test/archives.h"
#include "test/tap.h"

static void
check_resource(const struct jimage *image, const char *module, const char *name,
               const void *want, size_t want_length, bool copied)
{
    struct jimage_location location;
    struct jimage_data data;
    char *error = NULL;

    if (!ok(jimage_find(image, module, name, &location), "/%s/%s is found", module,
            name))
        return;
    if (!ok(jimage_read(image, &location, &data, &error), "it is read")) {
        diag("%s", error);
        mem_free(error);
        return;
    }
    is_bytes(data.bytes, data.length, want, want_length, "it is right");
    is_int(data.owned != NULL, copied, "%s", copied ? "unpacked" : "in place");
    jimage_data_release(&data);
    ok(data.bytes == NULL && data.length == 0, "it is released");
}

static void
check_class(const struct jimage *image, const char *name, bool copied)
{
    check_resource(image, "java.base", name, sample_class, SAMPLE_CLASS_SIZE, copied);
}

static void
test_good(bool big_endian)
{
    struct buf b = { 0 };
    char *error = NULL;
    struct jimage_location location;
    struct jimage *image;
    size_t at = 0, count = 0, wrong = 0;

    diag("%s-endian", big_endian ? "big" : "little");
    make_sample_image(&b, big_endian);
    image = jimage_open_bytes(b.data, b.length, "test", &error);
    if (!ok(image != NULL, "an image is opened")) {
        diag("%s", error);
        return;
    }
    check_class(image, "java/lang/Object.class", false);
    check_class(image, "java/lang/Zipped.class", true);
    check_class(image, "java/util/Compact.class", true);
    check_class(image, "java/util/Both.class", true);
    check_resource(image, "java.base", "module-info.class", "module", 6, false);
    check_resource(image, "java.base", "java/lang/noextension", "", 0, false);
    check_resource(image, "java.logging", "java/util/logging/a.b.c", "abc", 3, false);
    ok(!jimage_find(image, "java.logging", "java/lang/Object.class", &location),
       "a class is not in another module");
    ok(!jimage_find(image, "java.base", "java/lang/Object", &location)
           && !jimage_find(image, "java.base", "java/lang/Object.class.", &location)
           && !jimage_find(image, "java.base", "", &location)
           && !jimage_find(image, "", "", &location),
       "nor under another name");
    while (jimage_next(image, &at, &location)) {
        struct jimage_data data;

        count++;
        if (jimage_read(image, &location, &data, NULL))
            jimage_data_release(&data);
        else
            wrong++;
    }
    is_int(count, 10, "all resources are visited");
    is_int(wrong, 0, "and read");
    jimage_close(image);
    buf_release(&b);
}

static void
check_declined(const uint8_t *bytes, size_t length, const char *want, const char *what)
{
    /* A block of the exact size lets the sanitizer see an overrun. */
    uint8_t *exact = mem_alloc(length);
    char *error = NULL;
    struct jimage *image;

    memcpy(exact, bytes, length);
    image = jimage_open_bytes(exact, length, "lib/modules", &error);
    ok(image == NULL, "%s is declined", what);
    is_string(error, want, "for the right reason");
    jimage_close(image);
    mem_free(error);
    mem_free(exact);
}

static void
test_bad_headers(void)
{
    struct buf b = { 0 };
    char *error = NULL;

    ok(jimage_open("/nowhere/modules", &error) == NULL, "a missing file is declined");
    is_string(error, "cannot read '/nowhere/modules': No such file or directory",
              "for the right reason");
    mem_free(error);
    ok(jimage_open("/nowhere/modules", NULL) == NULL, "the reason need not be asked");
    ok(jimage_open("/", &error) == NULL, "a directory is declined");
    is_string(error, "cannot read '/': Is a directory", "for the right reason");
    mem_free(error);
    ok(jimage_open("/dev/null", &error) == NULL, "so is a device");
    mem_free(error);
    make_sample_image(&b, false);
    check_declined(b.data, 0, "cannot read 'lib/modules': truncated header",
                   "an empty file");
    check_declined(b.data, 27, "cannot read 'lib/modules': truncated header",
                   "a short file");
    check_declined(b.data, 100, "cannot read 'lib/modules': truncated index",
                   "a file that ends in its index");
    b.data[0] ^= 1;
    check_declined(b.data, b.length, "cannot read 'lib/modules': not an image",
                   "another file");
    b.data[0] ^= 1;
    b.data[4] = 7;
    check_declined(b.data, b.length,
                   "cannot read 'lib/modules': version 1.7 is not known",
                   "a later version");
    b.data[4] = 0;
    memset(b.data + 16, 0xff, 12);
    check_declined(b.data, b.length, "cannot read 'lib/modules': truncated index",
                   "a table larger than memory");
    buf_release(&b);
}

/* Everything that can be asked of an image; answers how many resources were read. */
static size_t
use_everything(const uint8_t *bytes, size_t length)
{
    static const char *const names[] = {
        "java/lang/Object.class", "java/lang/Zipped.class", "java/util/Compact.class",
        "java/util/Both.class", "module-info.class", "java/lang/noextension",
    };
    uint8_t *exact = mem_alloc(length);
    struct jimage_location location;
    struct jimage_data data;
    struct jimage *image;
    size_t at = 0, good = 0;

    memcpy(exact, bytes, length);
    image = jimage_open_bytes(exact, length, "damaged", NULL);
    for (size_t i = 0; image != NULL && i < sizeof names / sizeof names[0]; i++)
        if (jimage_find(image, "java.base", names[i], &location)
            && jimage_read(image, &location, &data, NULL)) {
            good++;
            jimage_data_release(&data);
        }
    while (image != NULL && jimage_next(image, &at, &location)) {
        char *error = NULL;

        if (jimage_read(image, &location, &data, &error)) {
            good++;
            jimage_data_release(&data);
        }
        mem_free(error);
    }
    jimage_close(image);
    mem_free(exact);
    return good;
}

static void
test_damage(void)
{
    struct buf b = { 0 };
    size_t whole, good = 0, index_end;

    make_sample_image(&b, true);
    whole = use_everything(b.data, b.length);
    is_int(whole, 16, "an undamaged image is read");
    index_end = 28 + 80;
    for (size_t length = 0; length < b.length; length += length < index_end ? 1 : 13)
        good += use_everything(b.data, length) == whole;
    is_int(good, 0, "a truncated one never as a whole");
    good = 0;
    for (size_t i = 0; i < b.length; i++) {
        uint8_t old = b.data[i];

        /* Not the long string that only fills. */
        if (old == 'f' && i > 0 && b.data[i - 1] == 'f')
            continue;
        b.data[i] = (uint8_t)(old ^ (1 << i % 8));
        good += use_everything(b.data, b.length);
        b.data[i] = (uint8_t)~old;
        good += use_everything(b.data, b.length);
        b.data[i] = old;
    }
    ok(good > 0, "damage in one place spares the others (%zu read)", good);
    buf_release(&b);
}

/* Resources whose compression lies. */
static void
test_bad_resources(void)
{
    static const struct {
        const char *what, *compressor;
        size_t packed_size, size, location_size;
        const char *bytes;
        size_t length;
        const char *want;
    } cases[] = {
        { "an unknown compressor", "lzma", 4, 4, 4, "abcd", 4, "unknown compression" },
        { "too long a layer", "zip", 5, 4, 4, "abcd", 4, "damaged compression header" },
        { "a huge layer", "zip", 4, (size_t)1 << 40, 4, "abcd", 4,
          "damaged compression header" },
        { "no zlib data", "zip", 4, 4, 4, "abcd", 4, "damaged compressed data" },
        { "a zip bomb's size", "zip", 4, 1 << 30, 4, "abcd", 4,
          "damaged compressed data" },
        { "no class", "compact-cp", 4, 4, 4, "abcd", 4, "damaged constant pool" },
        { "a string outside the strings", "compact-cp", 15, 15, 15,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\2\x17\x7f\xff\xff\xff", 15,
          "damaged constant pool" },
        { "an index of no bytes", "compact-cp", 12, 12, 12,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\2\x17\x81", 12, "damaged constant pool" },
        { "an unknown constant", "compact-cp", 12, 12, 12,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\2\x40x", 12, "damaged constant pool" },
        { "a constant that is cut", "compact-cp", 13, 13, 13,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\2\3\0\0", 13, "damaged constant pool" },
        { "a descriptor without names", "compact-cp", 13, 13, 13,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\2\x19\xa1\xa0", 13, "damaged constant pool" },
        { "another size than the location's", "compact-cp", 10, 10, 11,
          "\xca\xfe\xba\xbe\0\0\0\x3d\0\0", 10, "damaged compression header" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf image_bytes = { 0 }, packed = { 0 };
        struct jimage_location location;
        char *error = NULL, *want;
        struct jimage_data data;
        struct image_maker m;
        struct jimage *image;

        image_init(&m, false);
        /* The descriptor's pattern, at offset 1. */
        image_string(&m, "L;");
        image_layer(&m, &packed, cases[i].compressor, cases[i].bytes, cases[i].length,
                    cases[i].size);
        packed.data[4] = (uint8_t)cases[i].packed_size;
        image_add(&m, "/m/p/C.class", packed.data, packed.length, true,
                  cases[i].location_size);
        image_finish(&m, &image_bytes);
        image = jimage_open_bytes(image_bytes.data, image_bytes.length, "x", &error);
        ok(image != NULL && jimage_find(image, "m", "p/C.class", &location),
           "%s: the resource is there", cases[i].what);
        ok(!jimage_read(image, &location, &data, &error), "but not readable");
        want = mem_printf("cannot read 'x': /m/p/C.class: %s", cases[i].want);
        is_string(error, want, "for the right reason");
        mem_free(want);
        mem_free(error);
        jimage_close(image);
        image_release(&m);
        buf_release(&packed);
        buf_release(&image_bytes);
    }
}

/* Every resource is found under its own name, and every class is one. */
static void
check_image(const struct jimage *image, const char *what)
{
    struct jimage_location location, found;
    size_t at = 0, lost = 0, unread = 0, no_class = 0, classes = 0;
    struct buf name = { 0 };

    while (jimage_next(image, &at, &location)) {
        struct jimage_data data;

        if (*location.parent == '\0' || strcmp(location.extension, "class") != 0)
            continue;
        classes++;
        buf_clear(&name);
        buf_printf(&name, "%s/%s.class", location.parent, location.base);
        lost += !jimage_find(image, location.module, buf_string(&name), &found)
                || found.offset != location.offset;
        if (!jimage_read(image, &location, &data, NULL)) {
            unread++;
            continue;
        }
        no_class += data.length < 24 || memcmp(data.bytes, "\xca\xfe\xba\xbe", 4) != 0;
        jimage_data_release(&data);
    }
    ok(classes > 5000, "%s: it has %zu classes", what, classes);
    is_int(lost, 0, "%s: all are found by name", what);
    is_int(unread, 0, "%s: all are read", what);
    is_int(no_class, 0, "%s: all are class files", what);
    buf_release(&name);
}

static struct jimage *
open_jdk(const char *jdk, const char *what)
{
    char *path = mem_printf("%s/lib/modules", jdk), *error = NULL;
    struct jimage *image = jimage_open(path, &error);

    if (ok(image != NULL, "%s: lib/modules is opened", what))
        check_image(image, what);
    else
        diag("%s", error);
    mem_free(error);
    mem_free(path);
    return image;
}

/* The classes of both are the same, but for those that list the modules. */
static void
compare(const struct jimage *image, const struct jimage *original)
{
    struct jimage_location location, other;
    size_t at = 0, differ = 0, packed = 0;

    while (jimage_next(image, &at, &location)) {
        struct buf name = { 0 };
        struct jimage_data a, b;

        if (strcmp(location.extension, "class") != 0 || *location.parent == '\0'
            || strncmp(location.base, "SystemModules", 13) == 0)
            continue;
        packed += location.compressed_size != 0;
        buf_printf(&name, "%s/%s.class", location.parent, location.base);
        if (!jimage_find(original, location.module, buf_string(&name), &other)
            || !jimage_read(original, &other, &b, NULL)) {
            differ++;
        } else if (!jimage_read(image, &location, &a, NULL)) {
            differ++;
        } else {
            differ += a.length != b.length || memcmp(a.bytes, b.bytes, a.length) != 0;
            jimage_data_release(&a);
        }
        buf_release(&name);
    }
    ok(packed > 1000, "%zu of its classes are compressed", packed);
    is_int(differ, 0, "and unpacked as the JDK has them");
}

/* What the JDK's own jlink compresses, by both compressors. */
static void
test_linked(const char *jdk, const struct jimage *original)
{
    const char *dir = getenv("TMPDIR");
    char *out = mem_printf("%s/jimage-t-%d", dir == NULL ? "/tmp" : dir, (int)getpid());
    char *link = mem_printf("'%s/bin/jlink' -J-Xmx512m --compress=2 --add-modules "
                            "java.base --output '%s' >&2 2>/dev/null",
                            jdk, out);
    char *clean = mem_printf("rm -rf '%s'", out);

    if (system(link) != 0) {
        skip("jlink makes no image");
    } else {
        struct jimage *image = open_jdk(out, "an image of jlink");

        if (image != NULL && original != NULL)
            compare(image, original);
        jimage_close(image);
    }
    if (system(clean) != 0)
        diag("cannot remove %s", out);
    mem_free(out);
    mem_free(link);
    mem_free(clean);
}

static void
test_jdks(void)
{
    const char *jdk17 = getenv("JDK17"), *jdk25 = getenv("JDK25");

    if (jdk17 == NULL || *jdk17 == '\0') {
        skip("JDK17 names no JDK");
    } else {
        struct jimage *image = open_jdk(jdk17, "JDK 17");

        test_linked(jdk17, image);
        jimage_close(image);
    }
    if (jdk25 == NULL || *jdk25 == '\0')
        skip("JDK25 names no JDK");
    else
        jimage_close(open_jdk(jdk25, "JDK 25"));
}

int
main(void)
{
    test_good(false);
    test_good(true);
    test_bad_headers();
    test_bad_resources();
    test_damage();
    test_jdks();
    return done_testing();
}
