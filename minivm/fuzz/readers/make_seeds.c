/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/readers/make_seeds.c -- writes what the fuzz targets begin with: into the
 * folders zip and jimage, which must be there, of the given one. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "test/archives.h"

static bool
write_seed(const char *dir, const char *name, struct buf *b)
{
    char *path = mem_printf("%s/%s", dir, name);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(b->data, 1, b->length, file) == b->length;

    if (file != NULL && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "cannot write '%s': %s\n", path, strerror(errno));
    mem_free(path);
    buf_release(b);
    return good;
}

int
main(int argc, char **argv)
{
    static const struct member members[] = {
        { "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n", 22, false },
        { "a/", "", 0, false },
        { "a/B.class", sample_class, SAMPLE_CLASS_SIZE, true },
    };
    struct buf b = { 0 };
    bool good = true;

    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds DIR\n");
        return 2;
    }
    make_zip(&b, members, 3, &(struct zip_options){ .comment = "c" });
    good = write_seed(argv[1], "zip/plain", &b) && good;
    make_zip(&b, members, 3, &(struct zip_options){ .zip64 = true });
    good = write_seed(argv[1], "zip/zip64", &b) && good;
    make_zip(&b, members, 1, &(struct zip_options){ .prefix = "#!", .suffix = "\n" });
    good = write_seed(argv[1], "zip/around", &b) && good;
    make_sample_image(&b, false);
    good = write_seed(argv[1], "jimage/little", &b) && good;
    make_sample_image(&b, true);
    good = write_seed(argv[1], "jimage/big", &b) && good;
    return good ? 0 : 1;
}
