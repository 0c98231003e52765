/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/readers/jimage.c -- libFuzzer target for the image reader. */

#include "base/jimage.h"

#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* A find by the location's own name, which need not find this one. */
static void
find_again(const struct jimage *image, const struct jimage_location *location)
{
    struct jimage_location found;
    struct buf name = { 0 };

    if (*location->parent != '\0')
        buf_printf(&name, "%s/", location->parent);
    buf_append_string(&name, location->base);
    if (*location->extension != '\0')
        buf_printf(&name, ".%s", location->extension);
    if (jimage_find(image, location->module, buf_string(&name), &found)
        && strcmp(found.module, location->module) != 0)
        fatal("'%s' is found in another module", buf_string(&name));
    buf_release(&name);
}

static void
use(const struct jimage *image)
{
    struct jimage_location location;
    size_t at = 0, steps = 0;
    volatile uint8_t touched = 0;

    while (jimage_next(image, &at, &location)) {
        struct jimage_data data;
        char *error = NULL;

        /* Any number of slots may share one huge resource. */
        if (steps++ == 200)
            break;
        find_again(image, &location);
        if (jimage_read(image, &location, &data, &error)) {
            if (data.length != location.size)
                fatal("%zu bytes read", data.length);
            for (size_t i = 0; i < data.length; i++)
                touched = data.bytes[i];
            jimage_data_release(&data);
        } else if (error == NULL) {
            fatal("resource %zu fails without a reason", steps);
        }
        mem_free(error);
    }
    (void)touched;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *error = NULL;
    struct jimage *image = jimage_open_bytes(bytes, length, "image", &error);

    if (image != NULL)
        use(image);
    else if (error == NULL)
        fatal("no image and no reason");
    mem_free(error);
    jimage_close(image);
    return 0;
}
