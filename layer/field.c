/* SPDX-License-Identifier: MIT */
/* layer/field.c -- records of the classes of fields. */
#include "layer/field.h"

#include <stdint.h>
#include <stdlib.h>

#include "layer/check.h"

#define BUCKETS 8192
#define SEEN 65536
/* Of an id that came from so many classes nobody knows: the ids of HotSpot's instance
   fields are few, and those of a class are looked for among all. */
#define MOST_CLASSES 32

/* Records are never freed nor changed. */
struct record {
    jfieldID id;
    bool is_static;
    jweak class;
    struct record *next;
};
static struct record *records[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A bit for the hash of each id that came otherwise. */
static unsigned char given_otherwise[SEEN / 8];
static bool has_ended;

static size_t
otherwise_bit(const void *id)
{
    return ((uintptr_t)id >> 2) * 2654435761u % SEEN;
}

void
field_note_otherwise(const void *id)
{
    size_t bit = otherwise_bit(id);

    __atomic_fetch_or(&given_otherwise[bit / 8], (unsigned char)(1u << bit % 8),
                      __ATOMIC_RELAXED);
}

bool
field_came_otherwise(const void *id)
{
    size_t bit = otherwise_bit(id);

    return __atomic_load_n(&has_ended, __ATOMIC_RELAXED)
        || (__atomic_load_n(&given_otherwise[bit / 8], __ATOMIC_RELAXED) >> bit % 8 & 1);
}

void
field_end(void)
{
    __atomic_store_n(&has_ended, true, __ATOMIC_RELAXED);
}

static struct record **
bucket(const void *id)
{
    return &records[((uintptr_t)id >> 2) * 2654435761u % BUCKETS];
}

struct known_field
field_find(JNIEnv *jni, jfieldID id, jclass class)
{
    const struct record *r = __atomic_load_n(bucket(id), __ATOMIC_ACQUIRE);
    struct known_field known = { .is_there = false };

    for (; r != NULL && !known.fits; r = r->next) {
        jclass owner = r->id == id ? (*jni)->NewLocalRef(jni, r->class) : NULL;

        if (r->id == id && !known.is_there) {
            known.is_there = true;
            known.is_static = r->is_static;
        }
        if (owner == NULL)
            continue;
        known.is_static = r->is_static;
        known.is_loaded = true;
        known.fits = (*jni)->IsAssignableFrom(jni, class, owner);
        (*jni)->DeleteLocalRef(jni, owner);
    }
    return known;
}

static void
add(JNIEnv *jni, jclass owner, jfieldID id, bool is_static)
{
    struct record *r = malloc(sizeof *r);

    if (r == NULL)
        return;
    *r = (struct record){ id, is_static, (*jni)->NewWeakGlobalRef(jni, owner), NULL };
    pthread_mutex_lock(&lock);
    r->next = *bucket(id);
    __atomic_store_n(bucket(id), r, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

void
field_given(JNIEnv *jni, jclass class, jfieldID id, bool is_static)
{
    jclass owner;

    if (field_find(jni, id, class).fits
        || (*check_jvmti)->GetFieldDeclaringClass(check_jvmti, class, id, &owner)
            != JVMTI_ERROR_NONE)
        return;
    add(jni, owner, id, is_static);
    (*jni)->DeleteLocalRef(jni, owner);
}

/* True if one of the records is the class's, or there are many. */
static bool
is_recorded(JNIEnv *jni, jclass class, jfieldID id)
{
    int count = 0;

    for (const struct record *r = __atomic_load_n(bucket(id), __ATOMIC_ACQUIRE); r != NULL;
         r = r->next) {
        if (r->id != id)
            continue;
        if ((*jni)->IsSameObject(jni, r->class, class))
            return true;
        if (++count == MOST_CLASSES) {
            field_note_otherwise(id);
            return true;
        }
    }
    return false;
}

void
field_given_by_class(JNIEnv *jni, jclass class, jfieldID id)
{
    jint modifiers = 0;

    if (field_came_otherwise(id) || is_recorded(jni, class, id))
        return;
    (*check_jvmti)->GetFieldModifiers(check_jvmti, class, id, &modifiers);
    add(jni, class, id, (modifiers & 0x8) != 0);
}
