/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/readers/zip.c -- libFuzzer target for the zip reader. */

#include "base/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* What any archive that opens must keep to. */
static void
use(const struct zip *z)
{
    struct zip_entry entry, found;
    size_t at = 0, steps = 0, length;
    volatile uint8_t touched = 0;
    uint8_t *data;

    while (zip_next(z, &at, &entry)) {
        char *error = NULL;

        steps++;
        if (!zip_find(z, entry.name, entry.name_length, &found)
            || found.name_length != entry.name_length
            || memcmp(found.name, entry.name, entry.name_length) != 0)
            fatal("entry %zu is not found by its name", steps);
        if (!zip_read(z, &entry, &data, &length, &error)) {
            if (error == NULL)
                fatal("entry %zu fails without a reason", steps);
            mem_free(error);
            continue;
        }
        if (length != entry.size || data[length] != 0)
            fatal("entry %zu has %zu bytes", steps, length);
        for (size_t i = 0; i < length; i++)
            touched = data[i];
        mem_free(data);
    }
    (void)touched;
}

/* The archive is a file in memory, opened by its name in /proc. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int fd = -1;
    static char path[64];
    char *error = NULL;
    struct zip *z;

    if (fd < 0) {
        fd = memfd_create("zip", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, length, 0) != (ssize_t)length)
        fatal("cannot write %zu bytes: %m", length);
    z = zip_open(path, &error);
    if (z != NULL)
        use(z);
    else if (error == NULL)
        fatal("no archive and no reason");
    mem_free(error);
    zip_close(z);
    return 0;
}
