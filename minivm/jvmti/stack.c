/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/stack.c -- JVM TI "Stack Frame": traces, places, popping. */

#include "jvmti/stack.h"

#include "base/mem.h"
#include "interp/force.h"
#include "vm/refs.h"
#include "vm/safepoint.h"

struct frame *
stack_frame_at(const struct thread *t, jint depth)
{
    struct frame *f = thread_top_frame(t);

    while (f != NULL && depth-- > 0)
        f = frame_older(f);
    return f;
}

jint
stack_depth_of(const struct thread *t, const struct frame *frame)
{
    jint depth = 0;

    for (const struct frame *f = thread_top_frame(t); f != NULL; f = frame_older(f)) {
        if (f == frame)
            return depth;
        depth++;
    }
    return -1;
}

static jint
count_frames(const struct thread *t)
{
    jint count = 0;

    for (const struct frame *f = thread_top_frame(t); f != NULL; f = frame_older(f))
        count++;
    return count;
}

static jvmtiFrameInfo
frame_info(const struct frame *f)
{
    return (jvmtiFrameInfo){ (jmethodID)code_id(f->code), frame_bci(f) };
}

/* ---- one thread ---- */

struct trace {
    jint start, max;
    jvmtiFrameInfo *rows;
    jint count;                    /* of rows; GetFrameCount: of frames */
    jvmtiError error;
};

static void
take_trace(struct thread *t, void *arg)
{
    struct trace *trace = arg;
    jint start = trace->start;

    if (start < 0) {
        start += count_frames(t);
        if (start < 0) {
            trace->error = JVMTI_ERROR_ILLEGAL_ARGUMENT;
            return;
        }
    }
    const struct frame *f = stack_frame_at(t, start);
    if (f == NULL && start > 0) {
        trace->error = JVMTI_ERROR_ILLEGAL_ARGUMENT;
        return;
    }
    for (; f != NULL && trace->count < trace->max; f = frame_older(f))
        trace->rows[trace->count++] = frame_info(f);
}

jvmtiError
jvmti_GetStackTrace(const struct jvmti_target *thread, jint start_depth,
                    jint max_frame_count, jvmtiFrameInfo *frame_buffer, jint *count_ptr)
{
    struct trace trace = { .start = start_depth, .max = max_frame_count,
                           .rows = frame_buffer };

    if (!handshake(current_thread, thread->live, take_trace, &trace))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (trace.error == JVMTI_ERROR_NONE)
        *count_ptr = trace.count;
    return trace.error;
}

static void
take_count(struct thread *t, void *arg)
{
    *(jint *)arg = count_frames(t);
}

jvmtiError
jvmti_GetFrameCount(const struct jvmti_target *thread, jint *count_ptr)
{
    jint count;

    if (!handshake(current_thread, thread->live, take_count, &count))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    *count_ptr = count;
    return JVMTI_ERROR_NONE;
}

struct location {
    jint depth;
    jvmtiFrameInfo info;
    bool is_found;
};

static void
take_location(struct thread *t, void *arg)
{
    struct location *l = arg;
    const struct frame *f = stack_frame_at(t, l->depth);

    l->is_found = f != NULL;
    if (l->is_found)
        l->info = frame_info(f);
}

jvmtiError
jvmti_GetFrameLocation(const struct jvmti_target *thread, jint depth,
                       jmethodID *method_ptr, jlocation *location_ptr)
{
    struct location l = { .depth = depth };

    if (!handshake(current_thread, thread->live, take_location, &l))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    if (!l.is_found)
        return JVMTI_ERROR_NO_MORE_FRAMES;
    *method_ptr = l.info.method;
    *location_ptr = l.info.location;
    return JVMTI_ERROR_NONE;
}

/* ---- Pop Frame ---- */

struct pop {
    const struct thread *asker;
    jvmtiError error;
};

static void
pop_frame(struct thread *t, void *arg)
{
    struct pop *pop = arg;
    const struct frame *f = thread_top_frame(t);

    if (t != pop->asker && !thread_is_suspended(t))
        pop->error = JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    else if (f == NULL || frame_older(f) == NULL)
        pop->error = JVMTI_ERROR_NO_MORE_FRAMES;
    else if (!force_again(t))
        pop->error = JVMTI_ERROR_OPAQUE_FRAME;
    else
        jvmti_drop_pops_of(t, f);
}

jvmtiError
jvmti_PopFrame(const struct jvmti_target *thread)
{
    struct pop pop = { .asker = current_thread };

    return handshake(current_thread, thread->live, pop_frame, &pop)
               ? pop.error : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

/* ---- several threads, all at one instant ---- */

/* The world is stopped: the frames stay as they are.  One block of memory, since the
   agent frees one: the stack infos, then all frames. */
static jvmtiError
take_all(struct object *const *objects, size_t count, jint max, jvmtiStackInfo **result)
{
    size_t total = 0;
    char *block;

    for (size_t i = 0; i < count; i++) {
        const struct thread *t = thread_of_object(objects[i]);
        jint frames = t != NULL ? count_frames(t) : 0;
        total += (size_t)(frames < max ? frames : max);
    }
    TRY(jvmti_alloc(count * sizeof(jvmtiStackInfo) + total * sizeof(jvmtiFrameInfo) + 1,
                    &block));
    jvmtiStackInfo *infos = (jvmtiStackInfo *)block;
    jvmtiFrameInfo *rows = (jvmtiFrameInfo *)(block + count * sizeof *infos);
    for (size_t i = 0; i < count; i++) {
        struct jvmti_target target = { objects[i], thread_of_object(objects[i]) };
        struct trace trace = { .max = max, .rows = rows };
        if (target.live != NULL)
            take_trace(target.live, &trace);
        infos[i] = (jvmtiStackInfo){ .state = jvmti_thread_state(&target),
                                     .frame_buffer = rows,
                                     .frame_count = trace.count };
        rows += trace.count;
        jvmtiError error = jvmti_local(objects[i], &infos[i].thread);
        if (error != JVMTI_ERROR_NONE) {
            jvmti_free(block);
            return error;
        }
    }
    *result = infos;
    return JVMTI_ERROR_NONE;
}

static bool
any_thread(const struct thread *t, void *arg)
{
    (void)t;
    (void)arg;
    return true;
}

jvmtiError
jvmti_GetAllStackTraces(jint max_frame_count, jvmtiStackInfo **stack_info_ptr,
                        jint *thread_count_ptr)
{
    struct thread *self = current_thread;
    struct object **objects = NULL;
    size_t count = 0;

    world_stop(self, "GetAllStackTraces");
    jvmtiError error = jvmti_live_threads(self, any_thread, NULL, &objects, &count);
    if (error == JVMTI_ERROR_NONE)
        error = take_all(objects, count, max_frame_count, stack_info_ptr);
    world_resume(self);
    if (error == JVMTI_ERROR_NONE)
        *thread_count_ptr = (jint)count;
    mem_free(objects);
    return error;
}

jvmtiError
jvmti_GetThreadListStackTraces(jint thread_count, const jthread *thread_list,
                               jint max_frame_count, jvmtiStackInfo **stack_info_ptr)
{
    struct thread *self = current_thread;
    struct object **objects = mem_try_calloc((size_t)thread_count + 1, sizeof *objects);

    if (objects == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < thread_count; i++) {
        objects[i] = keep(self, ref_get(thread_list[i]));
        if (objects[i] == NULL || !object_is_instance(objects[i], KC(self->vm, Thread))) {
            mem_free(objects);
            return JVMTI_ERROR_INVALID_THREAD;
        }
    }
    world_stop(self, "GetThreadListStackTraces");
    jvmtiError error =
        take_all(objects, (size_t)thread_count, max_frame_count, stack_info_ptr);
    world_resume(self);
    mem_free(objects);
    return error;
}
