/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/boot_path.h -- where the boot loader finds class files.
 *
 * The path has the modules of the class library's run-time image, what --patch-module
 * puts before a module, and what is appended by -Xbootclasspath/a and JVM TI.  Its
 * entries never go away.
 */

#ifndef MINIVM_LINKING_BOOT_PATH_H
#define MINIVM_LINKING_BOOT_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/jimage.h"

struct symbol;
struct vm;

/* The bytes of a class file that boot_find has found. */
struct boot_bytes {
    const uint8_t *bytes;
    size_t length;
    char *source; /* where they are from, for -verbose:class; owned */
    /* The index of an appended entry as boot_source takes it, else -1. */
    int32_t path_index;
    struct jimage_data image; /* what bytes points into, if that is the image */
    void *owned;              /* what bytes points into otherwise, else NULL */
};

/* Makes the path of the options -Xbootclasspath/a and --patch-module. */
void boot_path_init(struct vm *vm);

/*
 * Appends a directory or archive to the path (JVM TI "Add To Bootstrap Class Loader
 * Search").  Returns false with the reason in *error, which the caller frees with
 * mem_free; error may be NULL.
 */
bool boot_append(struct vm *vm, const char *path, char **error);

/* Returns the path of the appended entry with that index, or NULL if there is none.
   The text lives as long as the VM. */
const char *boot_source(const struct vm *vm, int32_t index);

/* Finds the file of the class with that internal name.  If it returns true, *found has
   the bytes, and the caller calls boot_bytes_release in the end.  Returns false if
   there is none.  Takes class_mutex for a moment; reads files, but throws nothing. */
bool boot_find(struct vm *vm, const struct symbol *name, struct boot_bytes *found);
void boot_bytes_release(struct boot_bytes *found);

#endif
