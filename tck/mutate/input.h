/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/input.h -- what can be changed of that which goes into a function, for the
 * faults FUNCTION.in.PARAMETER and FUNCTION.narrow.PARAMETER; see input.c for how.
 *
 * Not all can: without memory that is large enough, or with an address that nobody has,
 * it would be the agent that is broken and not the VM.
 */
#ifndef TCK_MUTATE_INPUT_H
#define TCK_MUTATE_INPUT_H

#include "tck/lib/table.h"

#include <string.h>

enum mutate_input {
    MUTATE_IN_NOT,
    MUTATE_IN_COUNT,  /* one less */
    MUTATE_IN_HALF,   /* of a time or a size, which one less does not change */
    MUTATE_IN_NUMBER, /* one more */
    MUTATE_IN_FILTER, /* no filter */
    MUTATE_IN_LONG,
    MUTATE_IN_FLOAT, /* of the other sign */
    MUTATE_IN_DOUBLE,
    MUTATE_IN_THREAD,      /* the calling one in the place of another */
    MUTATE_IN_CLASS,       /* Object */
    MUTATE_IN_OBJECT,      /* the class Object */
    MUTATE_IN_METHOD,      /* Object.hashCode */
    MUTATE_IN_TEXT,        /* begins later */
    MUTATE_IN_POINTER,     /* that is only handed back: 8 bytes on */
    MUTATE_IN_CAPABILITIES /* all but the first one */
};

static inline enum mutate_input
mutate_input_of(const struct tck_param *p)
{
    static const struct {
        const char *type;
        enum mutate_input input;
    } types[] = { { "jint", MUTATE_IN_NUMBER },
                  { "jvmtiEvent", MUTATE_IN_NUMBER },
                  { "jvmtiEventMode", MUTATE_IN_NUMBER },
                  { "jvmtiError", MUTATE_IN_NUMBER },
                  { "jvmtiHeapObjectFilter", MUTATE_IN_NUMBER },
                  { "jlong", MUTATE_IN_LONG },
                  { "jlocation", MUTATE_IN_LONG },
                  { "jfloat", MUTATE_IN_FLOAT },
                  { "jdouble", MUTATE_IN_DOUBLE },
                  { "jthread", MUTATE_IN_THREAD },
                  { "jclass", MUTATE_IN_CLASS },
                  { "jobject", MUTATE_IN_OBJECT },
                  { "jmethodID", MUTATE_IN_METHOD },
                  { "const char*", MUTATE_IN_TEXT },
                  { "const jvmtiCapabilities*", MUTATE_IN_CAPABILITIES } };

    if (p->out || strcmp(p->name, "size") == 0)
        return MUTATE_IN_NOT;
    /* The name of a raw monitor is for people. */
    if (strcmp(p->type, "const char*") == 0 && strcmp(p->name, "name") == 0)
        return MUTATE_IN_NOT;
    if (strcmp(p->name, "data") == 0)
        return MUTATE_IN_POINTER;
    if (strcmp(p->name, "heap_filter") == 0)
        return MUTATE_IN_FILTER;
    if (strcmp(p->name, "millis") == 0 || strcmp(p->name, "size_of_callbacks") == 0)
        return MUTATE_IN_HALF;
    if (strcmp(p->type, "jint") == 0 && strstr(p->name, "count") != NULL)
        return MUTATE_IN_COUNT;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].type, p->type) == 0)
            return types[i].input;
    return MUTATE_IN_NOT;
}

/* A number of 64 bits that is the agent's own, so that each of them counts. */
static inline bool
mutate_can_be_narrow(const struct tck_param *p)
{
    return strcmp(p->type, p->out ? "jlong*" : "jlong") == 0
           && (strncmp(p->name, "tag", 3) == 0 || strncmp(p->name, "value", 5) == 0);
}

#endif
