/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/heap_tags.c -- JVM TI "Heap": tags, and the event ObjectFree.
 *
 * heap_tags.h describes the table.  The life of a tag: SetTag or a heap callback sets
 * it (tag_set); a collection finds the object dead and removes it (tags_drop_dead),
 * noting it in tag_table.freed; when the world goes on, the first thread that comes to
 * vm_send_collection_events, which need not be the one that collected, sends the events
 * (jvmti_on_object_free), or a heap walk sends them before it begins. */

#include "jvmti/heap_tags.h"

#include <stdlib.h>
#include <string.h>

#include "jvmti/deliver.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"

/* ---- the table ---- */

/* Frees a table, also one that new_table could not complete. */
static void
free_table(struct tag_table *t)
{
    span_release(&t->memory);
    mem_free(t->counts);
    buf_release(&t->freed);
    mem_free(t);
}

/* Returns an empty table, for the whole range of the heap; NULL if memory or addresses
   are short. */
static struct tag_table *
new_table(const struct vm *vm)
{
    struct tag_table *t = mem_try_calloc(1, sizeof *t);
    size_t size;

    if (!t)
        return NULL;
    heap_range(vm->heap, &t->heap, &size);
    if (span_reserve(&t->memory, size / OBJECT_DISTANCE * sizeof *t->tags)
        && (t->counts = mem_try_calloc(t->memory.reserved / sizeof *t->tags / TAG_PAGE,
                                       sizeof *t->counts))
               != NULL) {
        t->tags = (jlong *)t->memory.base;
        return t;
    }
    free_table(t);
    return NULL;
}

/* Makes env's table if there is none, and commits its memory up to o's index.  Two
   threads that tag at once both get here, and the lock lets the second find the table.
   Returns INVALID_ENVIRONMENT if env was disposed of, whose table would never be
   freed. */
static jvmtiError
make_room(struct jvmti_env *env, const struct object *o)
{
    LOCK(&the_vm->jvmti->leaf_mutex);
    struct tag_table *t = env->tags;

    if (!atomic_load(&env->is_alive))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    if (!t)
        __atomic_store_n(&env->tags, t = new_table(the_vm), __ATOMIC_RELEASE);
    if (!t || !span_commit(&t->memory, (tag_index(t, o) + 1) * sizeof *t->tags))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    __atomic_store_n(&t->committed, t->memory.committed / sizeof *t->tags,
                     __ATOMIC_RELEASE);
    return JVMTI_ERROR_NONE;
}

/* Sets the tag of o in env; 0 removes it.  No tag is stored beyond what is committed,
   so removing one there is nothing to do.  If several threads set one tag, the exchange
   tells each what it has replaced, so that the count of the page stays right. */
jvmtiError
tag_set(struct jvmti_env *env, const struct object *o, jlong tag)
{
    struct tag_table *t = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);

    if (!t || tag_index(t, o) >= __atomic_load_n(&t->committed, __ATOMIC_ACQUIRE)) {
        if (tag == 0)
            return JVMTI_ERROR_NONE;
        TRY(make_room(env, o));
        t = env->tags;
    }
    size_t index = tag_index(t, o);
    jlong old = __atomic_exchange_n(&t->tags[index], tag, __ATOMIC_RELEASE);
    if ((old != 0) != (tag != 0))
        __atomic_fetch_add(&t->counts[index / TAG_PAGE], tag != 0 ? 1 : -1u,
                           __ATOMIC_RELAXED);
    return JVMTI_ERROR_NONE;
}

/* Runs its statement for each index with a tag, passing by the pages without any. */
#define FOR_EACH_TAG(t, index) \
    for (size_t page_ = 0; page_ < (t)->committed; page_ += TAG_PAGE) \
        if (__atomic_load_n(&(t)->counts[page_ / TAG_PAGE], __ATOMIC_RELAXED) != 0) \
            for (size_t index = page_; index < page_ + TAG_PAGE; index++) \
                if (__atomic_load_n(&(t)->tags[index], __ATOMIC_RELAXED) != 0)

/* Frees the tags of env, which was disposed of.  Other threads may be using the table,
   but none does while the world is stopped. */
void
jvmti_release_tags(struct thread *self, struct jvmti_env *env)
{
    struct tag_table *t;

    world_stop(self, "tags of an environment");
    t = env->tags;
    env->tags = NULL;
    world_resume(self);
    if (t)
        free_table(t);
}

/* ---- dead objects ---- */

/* Calls the callback for one tag, in whatever state the thread is.  callback is not
   NULL.  With the world stopped the thread is in the VM, and otherwise in native
   state. */
static void
send_freed(struct thread *self, struct jvmti_env *env, jvmtiEventObjectFree callback,
           jlong tag)
{
    struct agent_call call;

    agent_call_begin(self, &call, "ObjectFree", (void (*)(void))callback);
    callback(&env->handle, tag);
    agent_call_end(self, &call);
}

/* Notes that ObjectFree is due for a tag.  It is not sent at once, with the world
   stopped: the callback may ask for a raw monitor whose owner waits for the end of the
   collection.  Only if there is no memory for the note is the event sent here. */
static void
note_freed(struct jvmti_env *env, struct tag_table *t, jlong tag)
{
    if (buf_try_reserve(&t->freed, sizeof tag))
        buf_append(&t->freed, &tag, sizeof tag);
    else
        send_freed(current_thread, env, env->callbacks.ObjectFree, tag);
}

/* Called by the collector after marking, with the world stopped; part is the VM.
   Removes the tags of dead objects, and notes those for which ObjectFree is due.  The
   tags of pages without any are not looked at, so a collection does not take longer for
   the range of a table that is large but nearly empty.  The address o may be in front
   of the object that has the tag: an index stands for OBJECT_DISTANCE bytes, in which
   at most one object begins, and heap_is_live takes any of these addresses. */
void
tags_drop_dead(void *part, struct heap *heap)
{
    FOR_EACH_ENV((struct vm *)part, env)
    {
        struct tag_table *t = env->tags;
        bool is_wanted = env->callbacks.ObjectFree
                         && env_wants(env, current_thread, EVENT_INDEX(OBJECT_FREE));

        if (!t)
            continue;
        FOR_EACH_TAG(t, index)
        {
            const void *o = t->heap + index * OBJECT_DISTANCE;
            if (heap_is_live(heap, o))
                continue;
            if (is_wanted)
                note_freed(env, t, t->tags[index]);
            t->tags[index] = 0;
            t->counts[index / TAG_PAGE]--;
        }
    }
}

/* Takes the tags that are noted in a table, for the caller to send.  If there are any,
   the calling thread counts as a sender until end_sending.  free_depth is more than 0
   if a callback of ObjectFree has caused the collection: the thread is counted once. */
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

/* Ends what take_freed began, and wakes the walks that wait for the senders. */
static void
end_sending(struct thread *self)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    LOCK(&jvmti->mutex);

    if (--self->jvmti->free_depth == 0 && --jvmti->free_senders == 0)
        pthread_cond_broadcast(&jvmti->free_sent);
}

/* Sends ObjectFree for the tags that tags_drop_dead has noted.  The hook of the event:
   a collection is over and the world goes on.  The callback is read anew for each tag,
   since one of them may set another or none.  Events whose callback is gone are
   lost. */
void
jvmti_on_object_free(struct thread *self)
{
    struct vm *vm = self->vm;

    FOR_EACH_ENV(vm, env)
    {
        struct tag_table *t = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);
        struct buf freed;

        if (!t)
            continue;
        freed = take_freed(self, t);
        if (freed.length == 0)
            continue;
        thread_begin_downcall(self);
        for (size_t i = 0; i < freed.length / sizeof(jlong); i++) {
            jvmtiEventObjectFree callback = __atomic_load_n(&env->callbacks.ObjectFree,
                                                            __ATOMIC_RELAXED);
            if (callback)
                send_freed(self, env, callback, ((jlong *)freed.data)[i]);
        }
        thread_end_downcall(self);
        end_sending(self);
        buf_release(&freed);
    }
}

/* Waits until no thread is sending ObjectFree.  self is BLOCKED meanwhile, so a sender
   can stop the world. */
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

/* Returns true if ObjectFree is due for some tag.  The world is stopped. */
static bool
has_freed(struct vm *vm)
{
    FOR_EACH_ENV(vm, env)
    if (env->tags && env->tags->freed.length > 0)
        return true;
    return false;
}

/* Stops the world at a moment at which no ObjectFree is due or being sent.  waits is
   false for a thread that must not wait for the senders: because it is one of them, or
   owns a raw monitor. */
void
jvmti_stop_for_walk(struct thread *self)
{
    bool waits = self->jvmti->free_depth == 0 && !raw_monitor_is_owner(self);

    /* Before the world stops, another thread may collect or begin to send. */
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

jlong
jvmti_GetTag(struct jvmti_env *env, struct object *object)
{
    return tag_get(__atomic_load_n(&env->tags, __ATOMIC_ACQUIRE), object);
}

jvmtiError
jvmti_SetTag(struct jvmti_env *env, struct object *object, jlong tag)
{
    return tag_set(env, object, tag);
}

/* For qsort and bsearch. */
static int
compare_tags(const void *a, const void *b)
{
    jlong x = *(const jlong *)a, y = *(const jlong *)b;

    return x < y ? -1 : x > y;
}

/* Makes handles of self for the objects whose tags are among the wanted ones, which are
   sorted, and appends their tags to found in the same order.  Returns false if memory
   is short. */
static bool
search_tags(struct thread *self, struct tag_table *t, const jlong *wanted, size_t count,
            struct buf *found)
{
    FOR_EACH_TAG(t, index)
    {
        jlong tag = __atomic_load_n(&t->tags[index], __ATOMIC_RELAXED);
        char *at = (char *)(uintptr_t)t->heap + index * OBJECT_DISTANCE;

        if (!bsearch(&tag, wanted, count, sizeof tag, compare_tags))
            continue;
        if (!buf_try_reserve(found, sizeof tag))
            return false;
        buf_append(found, &tag, sizeof tag);
        /* Two addresses have the same index; an object begins at one of them. */
        handle_new(self, heap_is_object(self->vm->heap, at) ? at : at + OBJECT_ALIGN);
    }
    return true;
}

/* The thread does not stop between the search and the handles, so no object that is
   found can be collected. */
jvmtiError
jvmti_GetObjectsWithTags(struct thread *self, struct jvmti_env *env, jint tag_count,
                         const jlong *tags, jint *count, jobject **object_result,
                         jlong **tag_result)
{
    struct tag_table *table = __atomic_load_n(&env->tags, __ATOMIC_ACQUIRE);
    struct handle_scope found = handle_scope_open(self);
    size_t wanted = (size_t)tag_count;
    struct buf found_tags = { 0 };
    jlong *sorted, *result_tags = NULL;

    for (size_t i = 0; i < wanted; i++)
        if (tags[i] == 0)
            return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    sorted = mem_try_calloc(wanted, sizeof *sorted);
    if (!sorted)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    memcpy(sorted, tags, wanted * sizeof *tags);
    qsort(sorted, wanted, sizeof *tags, compare_tags);
    bool is_done = !table || search_tags(self, table, sorted, wanted, &found_tags);
    mem_free(sorted);
    /* An empty list is NULL (JVM TI, "Function Return Values"). */
    if (is_done && tag_result && handle_scope_count(&found) != 0) {
        result_tags = buf_steal(&found_tags, NULL);
        TRY(jvmti_add_result(result_tags));
    }
    buf_release(&found_tags);
    if (!is_done)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    if (object_result)
        TRY(jvmti_locals(&found, count, object_result));
    *count = (jint)handle_scope_count(&found);
    if (tag_result)
        *tag_result = result_tags;
    return JVMTI_ERROR_NONE;
}
