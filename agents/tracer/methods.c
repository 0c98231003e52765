/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/methods.c -- what is known of methods.
 *
 * A table of hashed ids that is read without a lock.  A larger one takes its place when
 * it fills up; the smaller ones stay, for somebody may be reading them: together they
 * are no larger than the last one.
 */
#include "agents/tracer/tracer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct table {
    size_t mask;
    struct method *slots[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *table;
static struct method **by_number;       /* under lock */
static uint32_t count, capacity;

static size_t
slot_of(const struct table *t, jmethodID id)
{
    return (size_t)(((uintptr_t)id >> 3) * 0x9e3779b97f4a7c15u >> 20) & t->mask;
}

static struct method *
look_up(const struct table *t, jmethodID id)
{
    struct method *method;

    if (t == NULL)
        return NULL;
    for (size_t i = slot_of(t, id);; i = (i + 1) & t->mask) {
        method = __atomic_load_n(&t->slots[i], __ATOMIC_ACQUIRE);
        if (method == NULL || method->id == id)
            return method;
    }
}

static void
insert(struct table *t, struct method *method)
{
    size_t i = slot_of(t, method->id);

    while (t->slots[i] != NULL)
        i = (i + 1) & t->mask;
    __atomic_store_n(&t->slots[i], method, __ATOMIC_RELEASE);
}

static bool
grow(void)
{
    uint32_t wanted = capacity == 0 ? 1024 : capacity * 2;
    struct method **numbers = realloc(by_number, wanted * sizeof *numbers);
    struct table *next;

    if (numbers == NULL)
        return false;
    by_number = numbers;
    next = calloc(1, sizeof *next + 2 * wanted * sizeof *next->slots);
    if (next == NULL)
        return false;
    next->mask = 2 * wanted - 1;
    capacity = wanted;
    for (uint32_t i = 0; i < count; i++)
        insert(next, by_number[i]);
    __atomic_store_n(&table, next, __ATOMIC_RELEASE);
    return true;
}

static struct method *
describe(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id)
{
    struct method *method = calloc(1, sizeof *method);
    struct tf_buffer name = { 0 };
    const char *dot;

    if (method == NULL)
        return NULL;
    method->id = id;
    tf_name_method(&name, jvmti, jni, id, TF_METHOD_SHORT);
    method->short_length = name.length;
    dot = strrchr(tf_buffer_string(&name), '.');
    method->class_length = dot != NULL ? (size_t)(dot - tf_buffer_string(&name)) : 0;
    tf_buffer_clear(&name);
    tf_name_method(&name, jvmti, jni, id, TF_METHOD_PARAMETERS);
    method->name = tf_buffer_take(&name);
    if (method->name == NULL) {
        free(method);
        return NULL;
    }
    return method;
}

/* Put a method into the table; it is freed if another thread was first, whose one is
   the result then, and when memory is short. */
static struct method *
keep(struct method *fresh)
{
    struct method *method;

    pthread_mutex_lock(&lock);
    method = look_up(table, fresh->id);
    if (method == NULL && (count < capacity || grow())) {
        method = fresh;
        method->number = count;
        by_number[count++] = method;
        insert(table, method);
    }
    pthread_mutex_unlock(&lock);
    if (method != fresh) {
        free(fresh->name);
        free(fresh);
    }
    return method;
}

struct method *
method_find(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID id)
{
    const struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    struct method *method = look_up(t, id), *fresh;

    if (method != NULL)
        return method;
    /* The VM is asked outside of the lock: it may stop this thread. */
    fresh = describe(jvmti, jni, id);
    if (fresh == NULL)
        return NULL;
    return keep(fresh);
}

/* A key in place of an id that there is not yet; ids are even, as addresses. */
static jmethodID
key_of(const char *class_name, const char *name, const char *descriptor)
{
    const char *const texts[] = { class_name, ".", name, descriptor };
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < 4; i++)
        for (const char *c = texts[i]; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return (jmethodID)(uintptr_t)(hash | 1);
}

struct method *
method_named(const char *class_name, const char *name, const char *descriptor)
{
    jmethodID key = key_of(class_name, name, descriptor);
    struct method *method = look_up(__atomic_load_n(&table, __ATOMIC_ACQUIRE), key);
    struct tf_buffer text = { 0 };

    if (method != NULL)
        return method;
    method = calloc(1, sizeof *method);
    if (method == NULL)
        return NULL;
    method->id = key;
    tf_buffer_text(&text, class_name);
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] == '/')
            text.bytes[i] = '.';
    method->class_length = text.length;
    tf_buffer_format(&text, ".%s", name);
    method->short_length = text.length;
    tf_name_parameters(&text, descriptor);
    method->name = tf_buffer_take(&text);
    return method->name == NULL ? NULL : keep(method);
}

/* Does a pattern fit the class, the method, or the method with its parameters? */
static bool
fits(char *const *patterns, const struct method *method)
{
    char *klass = strndup(method->name, method->class_length);
    char *name = strndup(method->name, method->short_length);
    bool found = false;

    for (; klass != NULL && name != NULL && *patterns != NULL && !found; patterns++)
        found = tf_name_matches(*patterns, klass) || tf_name_matches(*patterns, name)
            || tf_name_matches(*patterns, method->name);
    free(klass);
    free(name);
    return found;
}

bool
method_wanted(struct method *method, uint32_t session)
{
    uint32_t verdict = __atomic_load_n(&method->verdict, __ATOMIC_RELAXED);

    if (verdict / 2 != session) {
        bool wanted = (config.include == NULL || fits(config.include, method))
            && (config.exclude == NULL || !fits(config.exclude, method));

        verdict = session * 2 + wanted;
        __atomic_store_n(&method->verdict, verdict, __ATOMIC_RELAXED);
    }
    return verdict & 1;
}

/* A pattern may be for a class, or for methods of it: then it begins like the class, or
   the class like it. */
bool
method_class_wanted(const char *class_name)
{
    char *name = strdup(class_name);
    bool wanted = false;

    for (char *c = name; c != NULL && *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
    for (char **p = config.include; name != NULL && p != NULL && *p != NULL && !wanted;
         p++) {
        size_t fixed = strcspn(*p, "*?("), length = strlen(name);

        wanted = strncmp(*p, name, fixed < length ? fixed : length) == 0;
    }
    if (name != NULL && strncmp(name, "tiforge.tracer.", 15) == 0)
        wanted = false;
    free(name);
    return wanted;
}

bool
method_any_included(uint32_t session)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count && !found; i++)
        found = by_number[i]->verdict / 2 == session
            && (config.include == NULL || fits(config.include, by_number[i]));
    pthread_mutex_unlock(&lock);
    return found;
}

const char *
method_name(uint32_t number)
{
    const char *name;

    pthread_mutex_lock(&lock);
    name = by_number[number]->name;
    pthread_mutex_unlock(&lock);
    return name;
}
