/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/threads.c -- the stacks of threads, which are known before the walk.
 *
 * JVM TI lists platform threads only (JVM TI "Get All Stack Traces").  Virtual threads are
 * objects on the heap: a pass over it gives them their numbers, which are tags, and by these
 * they are asked for, some at a time, since there may be a million of them.  Most of these
 * wait in the same place, so what a frame is called is looked up once for a place.
 */
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 1 << 14, AT_ONCE = 256, PLACES = 1024 };

/* What is needed while threads are looked for. */
struct search {
    struct model *model;
    uint32_t classes[2];        /* those of virtual threads; 0: not loaded */
    jlong *tags;                /* of virtual threads */
    uint32_t count, capacity;
    struct frame places[PLACES];        /* the last frames, by place; method NULL: none */
};

/* -- frames -- */

static void
describe(struct model *model, struct frame *frame, const jvmtiFrameInfo *info)
{
    jvmtiEnv *jvmti = model->jvmti;
    TF_SCOPED struct tf_scope scope;
    char *name, *signature, *source;
    jclass class = NULL;

    memset(frame, 0, sizeof *frame);
    frame->method = info->method;
    frame->location = info->location;
    tf_scope_open(&scope, jvmti, NULL, 0);
    tf_scope_own(&scope, &name);
    tf_scope_own(&scope, &signature);
    tf_scope_own(&scope, &source);
    if (TF_CALL(jvmti, GetMethodName, (jvmti, info->method, &name, &signature, NULL))) {
        frame->name = model_string(model, name);
        frame->signature = model_string(model, signature);
    }
    if (TF_CALL(jvmti, GetMethodDeclaringClass, (jvmti, info->method, &class))) {
        frame->class = model_class_number(model, class);
        if ((*jvmti)->GetSourceFileName(jvmti, class, &source) == JVMTI_ERROR_NONE)
            frame->source = model_string(model, source);
        (*model->jni)->DeleteLocalRef(model->jni, class);
    }
    frame->line = info->location == -1 ? -3 : tf_line_of(jvmti, info->method,
                                                         info->location);
    if (frame->line == 0)
        frame->line = -1;
}

static struct frame
frame_at(struct search *s, const jvmtiFrameInfo *info)
{
    uint64_t key = (uint64_t)(uintptr_t)info->method ^ (uint64_t)info->location << 20;
    struct frame *place = &s->places[(key * 0x9e3779b97f4a7c15u >> 32) % PLACES];

    if (place->method != info->method || place->location != info->location)
        describe(s->model, place, info);
    return *place;
}

/* -- threads -- */

static bool
add_thread(struct search *s, const jvmtiStackInfo *info)
{
    struct model *model = s->model;
    struct thread *thread;

    if (model->thread_count == model->thread_capacity) {
        uint32_t wanted = 2 * model->thread_capacity + 64;
        struct thread *larger = realloc(model->threads, wanted * sizeof *larger);

        if (larger == NULL)
            return false;
        model->threads = larger;
        model->thread_capacity = wanted;
    }
    thread = &model->threads[model->thread_count];
    memset(thread, 0, sizeof *thread);
    thread->number = model_object(model, info->thread);
    thread->frames = calloc((size_t)info->frame_count + 1, sizeof *thread->frames);
    if (thread->frames == NULL)
        return false;
    for (jint i = 0; i < info->frame_count; i++)
        thread->frames[thread->frame_count++] = frame_at(s, &info->frame_buffer[i]);
    model->thread_count++;
    return true;
}

static bool
add_platform_threads(struct search *s)
{
    struct model *model = s->model;
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;
    bool room = true;

    if (!TF_CALL(model->jvmti, GetAllStackTraces,
                 (model->jvmti, DEEPEST, &stacks, &count)))
        return false;
    for (jint i = 0; i < count; i++) {
        room = room && add_thread(s, &stacks[i]);
        (*model->jni)->DeleteLocalRef(model->jni, stacks[i].thread);
    }
    tf_deallocate(model->jvmti, stacks);
    model->no_memory |= !room;
    return room;
}

/* -- virtual threads -- */

static jint JNICALL
meet(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    struct search *s = data;

    (void)size;
    (void)length;
    if (class_tag == 0
        || (class_tag != s->classes[0] && class_tag != s->classes[1]))
        return JVMTI_VISIT_OBJECTS;
    if (s->count == s->capacity) {
        uint32_t wanted = 2 * s->capacity + 64;
        jlong *larger = realloc(s->tags, wanted * sizeof *larger);

        if (larger == NULL) {
            s->model->no_memory = true;
            return JVMTI_VISIT_ABORT;
        }
        s->tags = larger;
        s->capacity = wanted;
    }
    if (*tag == 0) {
        *tag = (jlong)s->model->next++;
        s->model->known = s->model->next;
    }
    s->tags[s->count++] = *tag;
    return JVMTI_VISIT_OBJECTS;
}

/* Add those with these tags that have a stack: others have ended, or wait to start. */
static bool
add_some(struct search *s, const jlong *tags, jint tag_count)
{
    struct model *model = s->model;
    jobject *threads = NULL;
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;
    bool room = true;

    if ((*model->jni)->PushLocalFrame(model->jni, 2 * AT_ONCE) != JNI_OK) {
        tf_clear_exception(model->jni, "PushLocalFrame");
        model->no_memory = true;
        return false;
    }
    if (TF_CALL(model->jvmti, GetObjectsWithTags,
                (model->jvmti, tag_count, tags, &count, &threads, NULL))
        && count > 0
        && TF_CALL(model->jvmti, GetThreadListStackTraces,
                   (model->jvmti, count, threads, DEEPEST, &stacks)))
        for (jint i = 0; room && i < count; i++)
            if (stacks[i].frame_count > 0)
                room = add_thread(s, &stacks[i]);
    tf_deallocate(model->jvmti, stacks);
    tf_deallocate(model->jvmti, threads);
    (*model->jni)->PopLocalFrame(model->jni, NULL);
    model->no_memory |= !room;
    return room;
}

static bool
add_virtual_threads(struct search *s)
{
    struct model *model = s->model;
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = meet };
    bool good;

    for (uint32_t i = 1; i < model->class_count; i++) {
        const char *signature = model->classes[i].signature;

        if (signature == NULL || model->classes[i].loader != 0)
            continue;
        if (strcmp(signature, "Ljava/lang/VirtualThread;") == 0)
            s->classes[0] = i;
        /* Of VMs without continuations. */
        else if (strcmp(signature, "Ljava/lang/ThreadBuilders$BoundVirtualThread;") == 0)
            s->classes[1] = i;
    }
    if (s->classes[0] == 0 && s->classes[1] == 0)
        return true;
    good = TF_CALL(model->jvmti, IterateThroughHeap,
                   (model->jvmti, 0, NULL, &callbacks, s))
        && !model->no_memory;
    for (uint32_t at = 0; good && at < s->count; at += AT_ONCE)
        good = add_some(s, s->tags + at,
                        (jint)(s->count - at < AT_ONCE ? s->count - at : AT_ONCE));
    free(s->tags);
    return good;
}

/* -- the whole -- */

/* Where the thread with this number is in the index, or would be. */
static uint32_t *
index_slot(const struct model *model, uint64_t number)
{
    uint32_t mask = model->thread_index_size - 1, at = (uint32_t)number & mask;

    while (model->thread_index[at] != 0
           && model->threads[model->thread_index[at] - 1].number != number)
        at = (at + 1) & mask;
    return &model->thread_index[at];
}

static bool
make_index(struct model *model)
{
    uint32_t size = 64;

    while (size < 2 * model->thread_count)
        size *= 2;
    model->thread_index = calloc(size, sizeof *model->thread_index);
    if (model->thread_index == NULL) {
        model->no_memory = true;
        return false;
    }
    model->thread_index_size = size;
    for (uint32_t i = 0; i < model->thread_count; i++)
        *index_slot(model, model->threads[i].number) = i + 1;
    return true;
}

bool
threads_find(struct model *model)
{
    struct search *s = calloc(1, sizeof *s);
    bool good;

    threads_release(model);
    if (s == NULL) {
        model->no_memory = true;
        return false;
    }
    s->model = model;
    good = add_platform_threads(s) && add_virtual_threads(s) && make_index(model)
        && !model->no_memory;
    free(s);
    return good;
}

void
threads_release(struct model *model)
{
    for (uint32_t i = 0; i < model->thread_count; i++)
        free(model->threads[i].frames);
    free(model->threads);
    free(model->thread_index);
    model->threads = NULL;
    model->thread_index = NULL;
    model->thread_count = model->thread_capacity = model->thread_index_size = 0;
}

uint32_t
threads_number(const struct model *model, jlong tag)
{
    return tag == 0 || model->thread_index_size == 0 ? 0
        : *index_slot(model, NUMBER_OF(tag));
}
