/* SPDX-License-Identifier: MIT */
/* minivm/test/world.c -- classes of a JDK for the tests of the verifier. */

#include "test/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "runtime/wellknown.h"

uint8_t *
read_whole_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct buf b = { 0 };
    size_t n;

    if (file == NULL)
        return NULL;
    do {
        buf_reserve(&b, 65536);
        n = fread(b.data + b.length, 1, 65536, file);
        b.length += n;
    } while (n > 0);
    fclose(file);
    return buf_steal(&b, length);
}

const char *
world_image_path(void)
{
    static char path[4096];
    const char *jdk = getenv("JDK17");

    if (jdk == NULL || jdk[0] == '\0')
        return NULL;
    snprintf(path, sizeof path, "%s/lib/modules", jdk);
    return access(path, R_OK) == 0 ? path : NULL;
}

bool
world_init(struct world *w, const char *image, const char *dir)
{
    char *error = NULL;

    memset(w, 0, sizeof *w);
    w->dir = dir;
    if (image == NULL)
        return true;
    w->image = jimage_open(image, &error);
    if (w->image == NULL)
        fprintf(stderr, "%s\n", error);
    mem_free(error);
    return w->image != NULL;
}

void
world_release(struct world *w)
{
    for (size_t i = 0; w->classes.entries != NULL && i <= w->classes.mask; i++)
        if (w->classes.entries[i].key != NULL)
            classfile_free(w->classes.entries[i].value);
    ptrmap_release(&w->classes);
    if (w->image != NULL)
        jimage_close(w->image);
}

static struct classfile *
parse(const uint8_t *bytes, size_t length)
{
    const struct classfile_options opts = { .max_major = 69, .relaxed = true };
    struct classfile_error err;

    return classfile_parse(bytes, length, &opts, &err);
}

static struct classfile *
load_from_dir(struct world *w, const struct symbol *name)
{
    struct classfile *cf;
    size_t length;
    uint8_t *bytes;
    char *path;

    if (w->dir == NULL)
        return NULL;
    path = mem_printf("%s/%s.class", w->dir, name->bytes);
    bytes = read_whole_file(path, &length);
    mem_free(path);
    if (bytes == NULL)
        return NULL;
    cf = parse(bytes, length);
    mem_free(bytes);
    return cf;
}

static struct classfile *
load_from_image(struct world *w, const struct symbol *name)
{
    struct jimage_location location;
    struct jimage_data data;
    struct classfile *cf = NULL;
    char *path;

    if (w->image == NULL)
        return NULL;
    path = mem_printf("%s.class", name->bytes);
    if (jimage_find(w->image, "java.base", path, &location) &&
        jimage_read(w->image, &location, &data, NULL)) {
        cf = parse(data.bytes, data.length);
        jimage_data_release(&data);
    }
    mem_free(path);
    return cf;
}

const struct classfile *
world_find(struct world *w, const struct symbol *name)
{
    struct classfile *cf = ptrmap_get(&w->classes, name);

    if (cf != NULL)
        return cf;
    cf = load_from_dir(w, name);
    if (cf == NULL)
        cf = load_from_image(w, name);
    /* A file may hold a class of another name. */
    if (cf != NULL && cf->this_class != name) {
        classfile_free(cf);
        cf = NULL;
    }
    if (cf != NULL)
        ptrmap_put(&w->classes, name, cf);
    else
        w->missing = name;
    return cf;
}

static const struct classfile *
find(struct world *w, const struct symbol *name)
{
    if (name == w->current->this_class)
        return w->current;
    return world_find(w, name);
}

static const struct classfile *
super_of(struct world *w, const struct classfile *cf)
{
    return cf->super_class == NULL ? NULL : find(w, cf->super_class);
}

static int
assignable(void *context, const struct symbol *from, const struct symbol *to)
{
    struct world *w = context;
    const struct classfile *cf = find(w, to);

    if (cf == NULL)
        return -1;
    if ((cf->access_flags & ACC_INTERFACE) != 0)
        return 1;
    cf = find(w, from);
    if (cf == NULL)
        return -1;
    for (; cf != NULL; cf = super_of(w, cf))
        if (cf->this_class == to)
            return 1;
    return 0;
}

static int
array_assignable(void *context, const struct symbol *to)
{
    if (find(context, to) == NULL)
        return -1;
    return symbol_equals(to, "java/lang/Cloneable") ||
           symbol_equals(to, "java/io/Serializable");
}

static bool
same_package(const struct symbol *a, const struct symbol *b)
{
    const char *x = strrchr(a->bytes, '/'), *y = strrchr(b->bytes, '/');
    size_t length = x == NULL ? 0 : (size_t)(x - a->bytes);

    return (y == NULL ? 0 : (size_t)(y - b->bytes)) == length &&
           memcmp(a->bytes, b->bytes, length) == 0;
}

const struct cf_method *
find_method(const struct classfile *cf, const struct symbol *name,
            const struct symbol *descriptor)
{
    for (unsigned i = 0; i < cf->method_count; i++)
        if (cf->methods[i].name == name && cf->methods[i].descriptor == descriptor)
            return &cf->methods[i];
    return NULL;
}

static int
flags_of_member(const struct classfile *cf, const struct symbol *name,
                const struct symbol *descriptor, bool is_field)
{
    const struct cf_method *m;
    const struct cf_field *f;

    if (is_field) {
        f = cf_find_field(cf, name, descriptor);
        return f == NULL ? -1 : f->access_flags;
    }
    m = find_method(cf, name, descriptor);
    return m == NULL ? -1 : m->access_flags;
}

static int
protected_elsewhere(void *context, const struct symbol *class_name,
                    const struct symbol *name, const struct symbol *descriptor,
                    bool is_field)
{
    struct world *w = context;
    const struct classfile *cf = super_of(w, w->current);

    while (cf != NULL && cf->this_class != class_name)
        cf = super_of(w, cf);
    for (; cf != NULL; cf = super_of(w, cf)) {
        int flags = flags_of_member(cf, name, descriptor, is_field);

        if (flags >= 0)
            return (flags & ACC_PROTECTED) != 0 &&
                   !same_package(cf->this_class, w->current->this_class);
    }
    return 0;
}

bool
world_has_supers(struct world *w, const struct classfile *cf)
{
    w->current = cf;
    w->missing = NULL;
    if (cf->super_class != NULL && find(w, cf->super_class) == NULL)
        return false;
    for (unsigned i = 0; i < cf->interface_count; i++)
        if (find(w, cf_name(cf, cf->interfaces[i])) == NULL)
            return false;
    return true;
}

void
world_verify(struct world *w, const struct classfile *cf, struct verify_result *result)
{
    struct verify_hooks hooks = { .context = w,
                                  .assignable = assignable,
                                  .array_assignable = array_assignable,
                                  .protected_elsewhere = protected_elsewhere,
                                  .allows_long_empty_map =
                                      release_allows_long_empty_maps(w->feature) };

    w->current = cf;
    w->missing = NULL;
    verify_class(cf, &hooks, result);
}
