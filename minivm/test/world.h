/* SPDX-License-Identifier: MIT */
/* minivm/test/world.h -- classes of a JDK for the tests of the verifier. */
#ifndef MINIVM_TEST_WORLD_H
#define MINIVM_TEST_WORLD_H

#include "base/hash.h"
#include "base/jimage.h"
#include "classfile/verify.h"

/*
 * Classes by name: those of java.base out of an image, on demand, and those of a
 * directory that stands before it.  It answers the verifier as a VM would.
 */
struct world {
    struct jimage *image;              /* or NULL */
    const char *dir;                   /* or NULL */
    int feature;                       /* the release whose rules hold; 0: the first */
    struct ptrmap classes;             /* struct symbol -> struct classfile, owned */
    const struct classfile *current;   /* the class that is being verified */
    const struct symbol *missing;      /* what a hook did not find, or NULL */
};

/* image is the path of lib/modules or NULL; false with a message on stderr. */
bool world_init(struct world *w, const char *image, const char *dir);
void world_release(struct world *w);

/* NULL when there is no such class. */
const struct classfile *world_find(struct world *w, const struct symbol *name);

/* The method of that name and descriptor, or NULL. */
const struct cf_method *find_method(const struct classfile *cf,
                                    const struct symbol *name,
                                    const struct symbol *descriptor);

/* Whether the super class and the interfaces of cf exist; else w->missing is set. */
bool world_has_supers(struct world *w, const struct classfile *cf);

/* Verify cf, which need not be of the world. */
void world_verify(struct world *w, const struct classfile *cf,
                  struct verify_result *result);

/* The bytes of a file, for mem_free; NULL when it cannot be read. */
uint8_t *read_whole_file(const char *path, size_t *length);

/* JDK17's lib/modules out of the environment; NULL when there is none. */
const char *world_image_path(void);

#endif
