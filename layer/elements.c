/* SPDX-License-Identifier: MIT */
/*
 * layer/elements.c -- rules about characters of strings and elements of arrays (JNI
 * "String Operations", "Array Operations").
 *
 * What a Get... function gives is in a table until its Release... function gets it.  The
 * agent has a copy between two zones (guard.c), so that what it writes beyond is seen and
 * does not damage the VM; the VM's own memory gets the contents at the release.
 */
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"
#include "layer/guard.h"

#define BUCKETS 1024

/* Addresses are kept inverted, as those of memory. */
struct elements {
    uintptr_t hidden;       /* what the agent has */
    void *real;             /* what the VM gave; the same if there is no copy */
    long size;              /* of the copy; -1 for none */
    int function;           /* that gave them */
    jweak owner;            /* the string or array; NULL in a critical region */
    struct stack stack;
    struct elements *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct elements *table[BUCKETS];

/* For each function that gives or takes characters or elements the other one; 0: none. */
static short gives[INTERPOSE_JNI_COUNT], takes[INTERPOSE_JNI_COUNT];

static bool
has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void
elements_start(void)
{
    for (int i = 0; i < INTERPOSE_JNI_COUNT; i++) {
        const struct interpose_jni_function *get = &interpose_jni_functions[i];

        if (get->name == NULL || !has_prefix(get->name, "Get") || get->count != 2
            || strcmp(get->params[1].name, "isCopy") != 0)
            continue;
        for (int k = 0; k < INTERPOSE_JNI_COUNT; k++) {
            const char *name = interpose_jni_functions[k].name;

            if (name != NULL && has_prefix(name, "Release")
                && strcmp(name + strlen("Release"), get->name + strlen("Get")) == 0) {
                gives[i] = (short)k;
                takes[k] = (short)i;
            }
        }
    }
}

bool
elements_is_critical(int function)
{
    return function == INTERPOSE_JNI_GetPrimitiveArrayCritical
        || function == INTERPOSE_JNI_GetStringCritical
        || function == INTERPOSE_JNI_ReleasePrimitiveArrayCritical
        || function == INTERPOSE_JNI_ReleaseStringCritical;
}

/* ---- the table ---- */

static struct elements **
bucket(const void *pointer)
{
    return &table[((uintptr_t)pointer >> 3) * 2654435761u % BUCKETS];
}

/* The newest of them, which is the innermost where the VM gives one address twice; it is
   taken out if that is wanted.  NULL if there is none. */
static struct elements *
find(const void *pointer, bool is_taken)
{
    struct elements **at, *found;

    pthread_mutex_lock(&lock);
    at = bucket(pointer);
    while (*at != NULL && (*at)->hidden != ~(uintptr_t)pointer)
        at = &(*at)->next;
    found = *at;
    if (found != NULL && is_taken)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- what the agent gets ---- */

static size_t
unit_of(const struct interpose_jni_call *call)
{
    switch (call->function) {
    case INTERPOSE_JNI_GetBooleanArrayElements: return sizeof(jboolean);
    case INTERPOSE_JNI_GetByteArrayElements: return sizeof(jbyte);
    case INTERPOSE_JNI_GetCharArrayElements: return sizeof(jchar);
    case INTERPOSE_JNI_GetShortArrayElements: return sizeof(jshort);
    case INTERPOSE_JNI_GetIntArrayElements: return sizeof(jint);
    case INTERPOSE_JNI_GetLongArrayElements: return sizeof(jlong);
    case INTERPOSE_JNI_GetFloatArrayElements: return sizeof(jfloat);
    case INTERPOSE_JNI_GetDoubleArrayElements: return sizeof(jdouble);
    default: return kind_element_size(call->real, call->args[0].p);
    }
}

/* How much a call is about to give; in a critical region nobody may be asked.  Characters
   get a zero more: VMs have it there. */
static long
size_of_next(const struct interpose_jni_call *call)
{
    const struct check_thread *thread = call->thread->state;
    size_t unit;

    if (thread->criticals > 0 || (*call->real)->ExceptionCheck(call->real))
        return -1;
    switch (call->function) {
    case INTERPOSE_JNI_GetStringUTFChars:
        return (long)(*call->real)->GetStringUTFLength(call->real, call->args[0].p) + 1;
    case INTERPOSE_JNI_GetStringChars:
    case INTERPOSE_JNI_GetStringCritical:
        return ((long)(*call->real)->GetStringLength(call->real, call->args[0].p) + 1)
            * (long)sizeof(jchar);
    default:
        unit = unit_of(call);
        return unit == 0 ? -1
            : (long)(*call->real)->GetArrayLength(call->real, call->args[0].p) * (long)unit;
    }
}

/* Give the agent a copy, unless memory is short. */
static void
give_copy(struct interpose_jni_call *call, struct elements *e)
{
    bool is_text = call->function == INTERPOSE_JNI_GetStringChars
        || call->function == INTERPOSE_JNI_GetStringCritical;
    char *copy = e->size >= 0 ? guard_new((size_t)e->size) : NULL;

    if (copy == NULL) {
        e->size = -1;
        return;
    }
    memcpy(copy, e->real, (size_t)e->size - (is_text ? sizeof(jchar) : 0));
    if (is_text)
        memset(copy + e->size - sizeof(jchar), 0, sizeof(jchar));
    call->result.p = copy;
    e->hidden = ~(uintptr_t)copy;
    if (call->args[1].p != NULL)
        *(jboolean *)call->args[1].p = JNI_TRUE;
}

static void
hold(struct interpose_jni_call *call)
{
    const struct check_thread *thread = call->thread->state;
    struct elements *e = malloc(sizeof *e);

    if (e == NULL)
        return;
    e->real = call->result.p;
    e->hidden = ~(uintptr_t)e->real;
    e->size = thread->elements_size;
    e->function = call->function;
    e->owner = elements_is_critical(call->function) ? NULL
        : (*call->real)->NewWeakGlobalRef(call->real, call->args[0].p);
    stack_take_at(&e->stack, call->caller, call);
    give_copy(call, e);
    pthread_mutex_lock(&lock);
    e->next = *bucket(call->result.p);
    *bucket(call->result.p) = e;
    pthread_mutex_unlock(&lock);
}

/* ---- what it gives back ---- */

static void
check_zones(const struct elements *e)
{
    enum guard_damage damage = e->size >= 0
        ? guard_check((void *)~e->hidden, (size_t)e->size) : GUARD_WHOLE;
    const char *name = interpose_jni_functions[e->function].name;

    if (damage != GUARD_WHOLE)
        check_found_at(RULE_REFERENCE_OVERRUN, name, &e->stack, 1,
                       "the agent wrote %s of the %ld bytes that it got from JNI's %s",
                       damage == GUARD_BEFORE ? "before the beginning" : "behind the end",
                       e->size, name);
}

static void
tell_unknown(const struct interpose_jni_call *call, const struct elements *e)
{
    const char *name = interpose_jni_functions[call->function].name;

    if (e == NULL)
        check_found(RULE_REFERENCE_RELEASE_UNKNOWN, name,
                    "JNI's %s gets what no function gave, or what was released before",
                    name);
    else
        check_found(RULE_REFERENCE_RELEASE_UNKNOWN, name,
                    "JNI's %s gets what %s gave, which %s releases", name,
                    interpose_jni_functions[e->function].name,
                    interpose_jni_functions[gives[e->function]].name);
}

static bool
is_owner(const struct interpose_jni_call *call, const struct elements *e)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];

    if (e->owner == NULL
        || (*call->real)->IsSameObject(call->real, e->owner, call->args[0].p))
        return true;
    check_found(RULE_REFERENCE_RELEASE_UNKNOWN, f->name,
                "JNI's %s gets what is of another %s", f->name, f->params[0].name);
    return false;
}

/* Elements have a mode, characters none. */
static bool
check_mode(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    jint mode = f->count == 3 ? call->args[2].i : 0;

    if (mode == 0 || mode == JNI_COMMIT || mode == JNI_ABORT)
        return true;
    check_found(RULE_REFERENCE_RELEASE_MODE, f->name,
                "JNI's %s gets the mode %d, which is none of 0, JNI_COMMIT and JNI_ABORT",
                f->name, (int)mode);
    return false;
}

/* Put the agent's contents into the VM's memory, and pass that. */
static void
put_back(struct interpose_jni_call *call, const struct elements *e, jint mode)
{
    bool has_mode = interpose_jni_functions[call->function].count == 3;

    check_zones(e);
    if (e->size >= 0 && has_mode && mode != JNI_ABORT)
        memcpy(e->real, (void *)~e->hidden, (size_t)e->size);
    call->args[1].p = e->real;
}

static bool
release(struct interpose_jni_call *call)
{
    bool has_mode = interpose_jni_functions[call->function].count == 3;
    jint mode;
    struct elements *e = find(call->args[1].p, false);
    bool is_good;

    if (e == NULL || gives[e->function] != call->function) {
        tell_unknown(call, e);
        return false;
    }
    /* A mode that is none counts as 0, so that the VM has its memory back. */
    if (!check_mode(call))
        call->args[2].i = 0;
    mode = has_mode ? call->args[2].i : 0;
    is_good = is_owner(call, e);
    if (is_good)
        put_back(call, e, mode);
    if (mode == JNI_COMMIT)
        return is_good;
    e = find((void *)~e->hidden, true);
    if (e == NULL)
        return false;
    (*call->real)->DeleteWeakGlobalRef(call->real, e->owner);
    if (e->size >= 0)
        guard_free((void *)~e->hidden, (size_t)e->size);
    free(e);
    return is_good;
}

bool
elements_freed_by_agent(const char *function, void *pointer, void *copy, size_t size)
{
    struct elements *e = find(pointer, true);

    if (e == NULL)
        return false;
    check_found(RULE_MEMORY_FREE, function,
                "%s%s was given memory of JNI's %s, which %s releases", function,
                function[0] == 'd' ? "" : "()", interpose_jni_functions[e->function].name,
                interpose_jni_functions[gives[e->function]].name);
    if (copy != NULL && e->size >= 0)
        memcpy(copy, pointer, (size_t)e->size < size ? (size_t)e->size : size);
    free(e);
    return true;
}

/* ---- calls ---- */

bool
elements_begin(struct interpose_jni_call *call)
{
    struct check_thread *thread = call->thread->state;

    if (takes[call->function] != 0)
        return release(call);
    if (gives[call->function] != 0)
        thread->elements_size = size_of_next(call);
    return true;
}

void
elements_end(struct interpose_jni_call *call)
{
    struct check_thread *thread = call->thread->state;

    if (elements_is_critical(call->function)) {
        if (takes[call->function] != 0)
            thread->criticals -= thread->criticals > 0;
        else
            thread->criticals += call->result.p != NULL;
    }
    if (gives[call->function] != 0 && call->result.p != NULL)
        hold(call);
}

void
elements_at_exit(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKETS; i++)
        for (const struct elements *e = table[i]; e != NULL; e = e->next) {
            const char *name = interpose_jni_functions[e->function].name;

            check_zones(e);
            check_found_at(RULE_REFERENCE_NOT_RELEASED, name, &e->stack, 1,
                           "what %s gave was never released", name);
        }
    pthread_mutex_unlock(&lock);
}
