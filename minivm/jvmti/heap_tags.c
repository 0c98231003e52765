/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_tags.c -- JVM TI "Heap": tags, and the event Object Free. */

#include "jvmti/heap_tags.h"

#include <stdlib.h>
#include <string.h>

#include "jvmti/deliver.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- the table ---- */

static void
free_table(struct tag_table *t)
{
    span_release(&t->memory);
    mem_free(t->counts);
    buf_release(&t->freed);
    mem_free(t);
}

static struct tag_table *
new_table(const struct vm *vm)
{
    struct tag_table *t = mem_try_calloc(1, sizeof *t);
    size_t size;

    if (t == NULL)
        return NULL;
    heap_range(vm->heap, &t->heap, &size);
    if (span_reserve(&t->memory, size / OBJECT_DISTANCE * sizeof *t->tags)
        && (t->counts = mem_try_calloc(t->memory.reserved / sizeof *t->tags / TAG_PAGE,
                                       sizeof *t->counts)) != NULL) {
        t->tags = (jlong *)t->memory.base;
        return t;
    }
    free_table(t);
    return NULL;
}

static jvmtiError
make_room(struct jvmti_env *env, const struct object *o)
{
    LOCK(&the_vm->jvmti->leaf_mutex);
    struct tag_table *t = env->tags;

    if (!atomic_load(&env->is_alive))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    if (t == NULL)
        __atomic_store_n(&env->tags, t = new_table(the_vm), __ATOMIC_RELEASE);
    if (t == NULL || !span_commit(&t->memory, (tag_place(t, o) + 1) * sizeof *t->tags))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    __atomic_store_n(&t->committed, t->memory.committed / sizeof *t->tags,
                     __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

jvmtiError
tag_set(struct jvmti_env *env, const struct object *o, jlong tag)
{
    struct tag_table *t = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);

    if (t == NULL
        || tag_place(t, o) >= __atomic_load_n(&t->committed, __ATOMIC_ACQUIRE)) {
        if (tag == 0)
            return JVMTI_ERROR_NONE;
        TRY(make_room(env, o));
        t = env->tags;
    }
    size_t place = tag_place(t, o);
    jlong old = __atomic_exchange_n(&t->tags[place], tag, __ATOMIC_RELEASE);
    if ((old != 0) != (tag != 0))
        __atomic_fetch_add(&t->counts[place / TAG_PAGE], tag != 0 ? 1 : -1u,
                           __ATOMIC_RELAXED);
    return JVMTI_ERROR_NONE;
}

/* The places with a tag, passing by pages without any. */
#define FOR_EACH_TAG(t, place) \
    for (size_t page_ = 0; page_ < (t)->committed; page_ += TAG_PAGE) \
        if (__atomic_load_n(&(t)->counts[page_ / TAG_PAGE], __ATOMIC_RELAXED) != 0) \
            for (size_t place = page_; place < page_ + TAG_PAGE; place++) \
                if (__atomic_load_n(&(t)->tags[place], __ATOMIC_RELAXED) != 0)

/* Others may be using the table, but not while the world is stopped. */
void
jvmti_release_tags(struct jvmti_env *env)
{
    struct thread *self = current_thread;
    struct tag_table *t;

    world_stop(self, "tags of an environment");
    t = env->tags;
    env->tags = NULL;
    world_resume(self);
    if (t != NULL)
        free_table(t);
}

/* ---- dead objects ---- */

static void
send_freed(struct thread *self, struct jvmti_env *env, jvmtiEventObjectFree callback,
           jlong tag)
{
    struct outcall call;

    outcall_begin(self, &call, "ObjectFree", (void (*)(void))callback);
    callback(&env->handle, tag);
    outcall_end(self, &call);
}

/* ObjectFree is sent when the world goes on, by the thread that collected: an agent may
   hold a raw monitor in another thread while that waits for the collection, and ask for
   it in the event.  Only when there is no memory to note the tag, the event is sent at
   once. */
static void
note_freed(struct jvmti_env *env, struct tag_table *t, jlong tag)
{
    if (buf_try_reserve(&t->freed, sizeof tag))
        buf_append(&t->freed, &tag, sizeof tag);
    else
        send_freed(current_thread, env, env->callbacks.ObjectFree, tag);
}

void
tags_drop_dead(void *part, struct heap *heap)
{
    FOR_EACH_ENV((struct vm *)part, env) {
        struct tag_table *t = env->tags;
        bool is_wanted = env->callbacks.ObjectFree != NULL
                         && env_wants(env, current_thread, EVENT_INDEX(OBJECT_FREE));

        if (t == NULL)
            continue;
        FOR_EACH_TAG(t, place) {
            const void *o = t->heap + place * OBJECT_DISTANCE;
            if (heap_is_live(heap, o))
                continue;
            if (is_wanted)
                note_freed(env, t, t->tags[place]);
            t->tags[place] = 0;
            t->counts[place / TAG_PAGE]--;
        }
    }
}

/* Takes what is due to be sent; something is when its length is not 0, and then the
   calling thread counts as a sender. */
static struct buf
take_freed(struct thread *self, struct tag_table *t)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    LOCK(&jvmti->mutex);
    struct buf freed = t->freed;

    t->freed = (struct buf){ 0 };
    if (freed.length > 0 && self->jvmti->free_depth++ == 0)
        jvmti->free_senders++;
    return freed;
}

static void
end_sending(struct thread *self)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    LOCK(&jvmti->mutex);

    if (--self->jvmti->free_depth == 0 && --jvmti->free_senders == 0)
        pthread_cond_broadcast(&jvmti->free_sent);
}

void
jvmti_on_object_free(struct thread *self)
{
    struct vm *vm = self->vm;

    FOR_EACH_ENV(vm, env) {
        struct tag_table *t = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);
        struct buf freed;

        if (t == NULL)
            continue;
        freed = take_freed(self, t);
        if (freed.length == 0)
            continue;
        thread_begin_callout(self);
        for (size_t i = 0; i < freed.length / sizeof(jlong); i++) {
            jvmtiEventObjectFree callback =
                __atomic_load_n(&env->callbacks.ObjectFree, __ATOMIC_RELAXED);
            if (callback != NULL)
                send_freed(self, env, callback, ((jlong *)freed.data)[i]);
        }
        thread_end_callout(self);
        end_sending(self);
        buf_release(&freed);
    }
}

static void
await_senders(struct thread *self)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;

    thread_block_begin(self);
    mutex_lock(&jvmti->mutex);
    while (jvmti->free_senders > 0)
        pthread_cond_wait(&jvmti->free_sent, &jvmti->mutex.m);
    mutex_unlock(&jvmti->mutex);
    thread_block_end(self);
}

/* The world is stopped. */
static bool
has_freed(struct vm *vm)
{
    FOR_EACH_ENV(vm, env)
        if (env->tags != NULL && env->tags->freed.length > 0)
            return true;
    return false;
}

void
jvmti_stop_for_walk(struct thread *self)
{
    bool waits = self->jvmti->free_depth == 0 && !raw_monitor_is_owner(self);

    for (;;) {
        jvmti_on_object_free(self);
        if (waits)
            await_senders(self);
        world_stop(self, "heap walk");
        if (!has_freed(self->vm) && (!waits || self->vm->jvmti->free_senders == 0))
            return;
        world_resume(self);
    }
}

/* ---- the functions ---- */

JVMTI_BODY(jlong, jvmti_GetTag, (struct jvmti_env *env, struct object *object),
           tag_get(__atomic_load_n(&env->tags, __ATOMIC_ACQUIRE), object))
JVMTI_BODY(jvmtiError, jvmti_SetTag,
           (struct jvmti_env *env, struct object *object, jlong tag),
           tag_set(env, object, tag))

static int
compare_tags(const void *a, const void *b)
{
    jlong x = *(const jlong *)a, y = *(const jlong *)b;

    return x < y ? -1 : x > y;
}

/* Keep the objects that have one of the tags, which are sorted, and note their tags;
   false when there is no memory. */
static bool
search_tags(struct tag_table *t, const jlong *wanted, size_t count, struct buf *found)
{
    FOR_EACH_TAG(t, place) {
        jlong tag = __atomic_load_n(&t->tags[place], __ATOMIC_RELAXED);
        char *at = (char *)(uintptr_t)t->heap + place * OBJECT_DISTANCE;

        if (bsearch(&tag, wanted, count, sizeof tag, compare_tags) == NULL)
            continue;
        if (!buf_try_reserve(found, sizeof tag))
            return false;
        buf_append(found, &tag, sizeof tag);
        /* A place has two addresses at which an object may begin. */
        keep(current_thread, heap_is_object(the_vm->heap, at) ? at : at + OBJECT_ALIGN);
    }
    return true;
}

/* Nothing here stops, so what is found stays where it is until it has references. */
jvmtiError
jvmti_GetObjectsWithTags(struct jvmti_env *env, jint tag_count, const jlong *tags,
                         jint *count, jobject **object_result, jlong **tag_result)
{
    struct tag_table *table = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);
    struct scope found = scope_open(current_thread);
    size_t wanted = (size_t)tag_count;
    struct buf found_tags = { 0 };
    jlong *sorted;

    for (size_t i = 0; i < wanted; i++)
        if (tags[i] == 0)
            return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    sorted = mem_try_calloc(wanted + 1, sizeof *sorted);
    if (sorted == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(sorted, tags, wanted * sizeof *tags);
    qsort(sorted, wanted, sizeof *tags, compare_tags);
    bool is_done = table == NULL || search_tags(table, sorted, wanted, &found_tags);
    mem_free(sorted);
    *count = (jint)scope_count(&found);
    if (is_done && tag_result != NULL)
        TRY(jvmti_result(buf_steal(&found_tags, NULL), tag_result));
    buf_release(&found_tags);
    if (is_done && object_result != NULL)
        TRY(jvmti_locals(&found, count, object_result));
    return is_done ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
