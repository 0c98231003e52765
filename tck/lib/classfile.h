/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/classfile.h -- just enough of the class file format (JVMS 4) to look things
 * up in one and to change them.
 */
#ifndef TCK_LIB_CLASSFILE_H
#define TCK_LIB_CLASSFILE_H

#include "tck/lib/tck.h"

#include <stddef.h>
#include <stdint.h>

struct classfile {
    const unsigned char *bytes;
    size_t size;
    unsigned pool_count;
    size_t pool[65536];     /* offset of each entry's tag; 0 for unused indices */
    size_t after_pool;
    size_t attributes;      /* offset of the class's attributes_count */
};

/* Look over bytes, which stay the caller's; false when they are not a class file. */
bool classfile_parse(struct classfile *file, const unsigned char *bytes, size_t size);

/* Does the Utf8 entry equal the text? */
bool classfile_utf8_is(const struct classfile *file, unsigned index, const char *text);

/*
 * A copy by malloc with one more class attribute; NULL when memory is short.  The new
 * name goes to the end of the constant pool.
 */
unsigned char *classfile_add_attribute(const struct classfile *file, const char *name,
                                       const void *content, size_t length, jint *size);

/*
 * The Code attribute's bytes of a method: pointer into file, length and max_locals.
 * NULL when there is no such method or no code.
 */
const unsigned char *classfile_code(const struct classfile *file, const char *name,
                                    const char *descriptor, uint32_t *length,
                                    unsigned *max_locals);

#define CLASSFILE_SMAP "SMAP\ntck\n*E\n"

/* A class that has the SourceDebugExtension attribute CLASSFILE_SMAP. */
jclass classfile_smap_class(struct tck *t);

#endif
