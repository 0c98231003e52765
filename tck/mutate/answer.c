/* SPDX-License-Identifier: MIT */
/* tck/mutate/answer.c -- results that are stale, incomplete or in another order. */
#include "tck/mutate/answer.h"
#include "tck/mutate/mutate.h"

#include <pthread.h>

static size_t
size_of(const char *type)
{
    return strcmp(type, "jint*") == 0 || strcmp(type, "jvmtiPhase*") == 0
                   || strcmp(type, "jfloat*") == 0
               ? 4
           : strcmp(type, "jboolean*") == 0 ? 1
                                            : 8;
}

/* What came out of the first call comes out of all. */
static bool
repeat_first_call(const struct tck_param *p, void *where)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned char first[8];
    static bool has_first;
    size_t size = size_of(p->type);
    bool differs;

    pthread_mutex_lock(&lock);
    if (!has_first)
        memcpy(first, where, size);
    has_first = true;
    differs = memcmp(first, where, size) != 0;
    memcpy(where, first, size);
    pthread_mutex_unlock(&lock);
    return differs;
}

static void
exchange(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = a[i];

        a[i] = b[i];
        b[i] = c;
    }
}

/* The last element: a copy of the first, or in its place; false if they are the same. */
static bool
change_last(struct interpose_call *call, const struct tck_param *p, int position,
            bool keep)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    size_t size = mutate_element_size(p->type);
    unsigned char *first = p->allocated ? *(void **)call->args[position].p
                                        : call->args[position].p;
    unsigned char *last;
    jint count = 0;

    for (int i = 0; i < f->count; i++)
        if (f->params[i].is_out && strcmp(f->params[i].type, "jint*") == 0)
            count = *(jint *)call->args[i].p;
    if (count < 2 || first == NULL)
        return false;
    last = first + (size_t)(count - 1) * size;
    if (memcmp(first, last, size) == 0)
        return false;
    if (keep)
        exchange(first, last, size);
    else
        memcpy(last, first, size);
    return true;
}

/* A text that goes on, in memory of its own. */
static bool
make_longer(struct interpose_call *call, char **where)
{
    size_t length = *where == NULL ? 0 : strlen(*where);
    unsigned char *memory;

    if (*where == NULL
        || (*call->real)->Allocate(call->real, (jlong)length + 2, &memory)
               != JVMTI_ERROR_NONE)
        return false;
    memcpy(memory, *where, length);
    memcpy(memory + length, "x", 2);
    (*call->real)->Deallocate(call->real, (unsigned char *)*where);
    *where = (char *)memory;
    return true;
}

void
mutate_answer(struct interpose_call *call, const struct tck_param *param, int position,
              enum mutate_answer what)
{
    void *where = call->args[position].p;
    bool changed = false;

    if (where == NULL)
        return;
    switch (what) {
    case MUTATE_STUCK: changed = repeat_first_call(param, where); break;
    case MUTATE_LAST:
    case MUTATE_ORDER:
        changed = change_last(call, param, position, what == MUTATE_ORDER);
        break;
    case MUTATE_LONGER: changed = make_longer(call, where); break;
    }
    if (changed)
        mutate_reached();
}
