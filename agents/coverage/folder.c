/* SPDX-License-Identifier: MIT */
/* agents/coverage/folder.c -- classes of files, which nobody loaded. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "coverage.h"

struct unit *
unit_of(struct tf_class *c, const void *bytes, size_t length)
{
    return unit_new(tf_class_name(c), tf_class_source(c),
                    hash_bytes(HASH_START, bytes, length));
}

static bool
is_known(const struct units *units, size_t count, const char *name)
{
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = (low + high) / 2;
        int order = strcmp(units->list[middle]->name, name);

        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Add the class of a file, with nothing executed. */
static void
add_file(struct units *units, const char *path, size_t known, const void *argument,
         wanted_class *wanted)
{
    FILE *in = fopen(path, "rb");
    struct tf_buffer file = { 0 };
    char block[8192];
    size_t got;
    struct tf_class *c;
    struct unit *unit = NULL;

    while (in != NULL && (got = fread(block, 1, sizeof block, in)) > 0)
        tf_buffer_add(&file, block, got);
    if (in == NULL || ferror(in))
        tf_warning("cannot read '%s'", path);
    if (in != NULL)
        fclose(in);
    c = tf_class_parse(file.bytes, file.length);
    if (c != NULL && tf_class_error(c) == NULL && !filter_skips_class(c)
        && wanted(argument, tf_class_name(c), false)
        && !is_known(units, known, tf_class_name(c))) {
        unit = unit_of(c, file.bytes, file.length);
        if (unit != NULL && (!unit_analyze(unit, c, PROBES_NONE, 0)
                             || unit->probe_count == 0 || !units_add(units, unit)))
            unit_free(unit);
    }
    tf_class_free(c);
    tf_buffer_release(&file);
}

void
units_add_folder(struct units *units, const char *folder, size_t known,
                 const void *argument, wanted_class *wanted)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (dir == NULL)
        tf_warning("cannot read '%s': %s", folder, strerror(errno));
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        char *path = NULL;
        struct stat status;

        if (entry->d_name[0] == '.'
            || asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
            continue;
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
            units_add_folder(units, path, known, argument, wanted);
        else if (length > 6 && strcmp(entry->d_name + length - 6, ".class") == 0)
            add_file(units, path, known, argument, wanted);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
}
