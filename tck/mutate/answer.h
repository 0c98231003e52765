/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/answer.h -- which of a function's results the faults stuck, last, order and
 * longer are for.
 */
#ifndef TCK_MUTATE_ANSWER_H
#define TCK_MUTATE_ANSWER_H

#include "tck/lib/table.h"

#include <string.h>

/* A value that what goes in decides: one that never changes would be as right. */
static inline bool
mutate_can_be_stuck(const struct tck_function *f, const struct tck_param *p)
{
    static const char types[] = "|jint*|jlong*|jlocation*|jboolean*|jfloat*|jdouble*|"
                                "jmethodID*|jvmtiPhase*|";
    char key[64] = "|";
    bool decided = false;

    for (int i = 0; i < f->nparams; i++)
        decided = decided
                  || (!f->params[i].out && strcmp(f->params[i].type, "jint") != 0);
    strncat(key, p->type, sizeof key - 3);
    strcat(key, "|");
    return p->out && decided && strstr(types, key) != NULL;
}

/* The size of an element, of those that own no memory; 0 for any other. */
static inline size_t
mutate_element_size(const char *type)
{
    static const struct {
        const char *type;
        size_t size;
    } elements[] = { { "jobject**", sizeof(jobject) },
                     { "jclass**", sizeof(jclass) },
                     { "jthread**", sizeof(jthread) },
                     { "jthreadGroup**", sizeof(jthreadGroup) },
                     { "jmethodID**", sizeof(jmethodID) },
                     { "jfieldID**", sizeof(jfieldID) },
                     { "jlong**", sizeof(jlong) },
                     { "unsigned char**", 1 },
                     { "jvmtiFrameInfo*", sizeof(jvmtiFrameInfo) },
                     { "jvmtiLineNumberEntry**", sizeof(jvmtiLineNumberEntry) },
                     { "jvmtiMonitorStackDepthInfo**",
                       sizeof(jvmtiMonitorStackDepthInfo) } };

    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        if (strcmp(elements[i].type, type) == 0)
            return elements[i].size;
    return 0;
}

static inline bool
mutate_has_order(const struct tck_function *f, const struct tck_param *p)
{
    static const char *const ordered[] = { "GetStackTrace.frame_buffer",
                                           "GetBytecodes.bytecodes_ptr",
                                           "GetConstantPool.constant_pool_bytes_ptr",
                                           "GetObjectsWithTags.object_result_ptr",
                                           "GetObjectsWithTags.tag_result_ptr",
                                           "GetClassFields.fields_ptr" };
    size_t length = strlen(f->name);

    for (size_t i = 0; i < sizeof ordered / sizeof ordered[0]; i++)
        if (strncmp(ordered[i], f->name, length) == 0 && ordered[i][length] == '.'
            && strcmp(ordered[i] + length + 1, p->name) == 0)
            return true;
    return false;
}

/* Text that the agent may read to its end. */
static inline bool
mutate_can_be_longer(const struct tck_param *p)
{
    return p->out && strcmp(p->type, "char**") == 0;
}

#endif
