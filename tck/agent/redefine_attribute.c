/* SPDX-License-Identifier: MIT */
/* tck/agent/redefine_attribute.c -- attributes of a class that redefinition must keep. */
#include "tck/lib/classfile.h"
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

/* A class and an attribute that it has. */
struct kept {
    const char *klass;
    const char *attribute;
};

/* Give the attribute a name that no VM knows, so that the class has it no longer. */
static bool
rename_attribute(unsigned char *bytes, jint size, const char *attribute)
{
    struct classfile *file = malloc(sizeof *file);
    bool renamed = false;

    if (file != NULL && classfile_parse(file, bytes, (size_t)size))
        for (unsigned i = 1; i < file->pool_count && !renamed; i++)
            if (classfile_utf8_is(file, i, attribute)) {
                /* The text follows the entry's tag and its length of two bytes. */
                bytes[file->pool[i] + 3] = 'x';
                renamed = true;
            }
    free(file);
    return renamed;
}

static void
drop_attribute(struct tck *t, const void *data)
{
    const struct kept *kept = data;
    jvmtiClassDefinition definition = { NULL, 0, NULL };
    unsigned char *bytes;
    jvmtiError same, changed = JVMTI_ERROR_NONE;
    bool renamed;

    NEED("can_redefine_classes");
    definition.klass = stage_class(t, kept->klass);
    bytes = stage_bytes(t, kept->klass, &definition.class_byte_count);
    if (bytes == NULL)
        return;
    definition.class_bytes = bytes;
    same = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    renamed = rename_attribute(bytes, definition.class_byte_count, kept->attribute);
    if (renamed)
        changed = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    free(bytes);
    tck_want(t, "RedefineClasses(its own bytes)", JVMTI_ERROR_NONE, same);
    TRUE(renamed);
    tck_want(t, "RedefineClasses(without the attribute)",
             JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED, changed);
}

/* The classes are of release 17, whose class files can say all four. */
#define KEPT(name, id, klass, attribute)                                               \
    static const struct kept name = { klass, attribute };                              \
    TCK_CASE_DATA("redefine", drop_##name, "RedefineClasses.behaviour.keeps-" id,      \
                  "Redefine Classes", 397, TCK_LIVE, 17, drop_attribute, &name)

KEPT(nest_host, "nest-host", "tck/Shape$Circle", "NestHost");
KEPT(nest_members, "nest-members", "tck/Shape", "NestMembers");
KEPT(record, "record", "tck/Shape$Circle", "Record");
KEPT(permitted, "permitted-subclasses", "tck/Shape", "PermittedSubclasses");
