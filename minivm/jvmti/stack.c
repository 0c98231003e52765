/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/stack.c -- JVM TI "Stack Frame": traces, places, popping. */

#include "jvmti/env.h"

#include "interp/force.h"
#include "vm/safepoint.h"

struct frame *
stack_frame_at(const struct thread *t, jint depth)
{
    struct frame *f = thread_top_frame(t);

    while (f != NULL && depth-- > 0)
        f = frame_older(f);
    return f;
}

jvmtiError
stack_frame_for(const struct thread *t, const struct thread *asker, jint depth,
                struct frame **frame)
{
    if (t != asker && !thread_is_suspended(t))
        return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    *frame = stack_frame_at(t, depth);
    return *frame != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_NO_MORE_FRAMES;
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

struct trace {
    jint start, max;
    jvmtiFrameInfo *rows;
    jint count;                    /* of rows */
};

static jvmtiError
take_trace(struct thread *t, struct thread *asker, void *arg)
{
    struct trace *trace = arg;
    jint start = trace->start < 0 ? trace->start + count_frames(t) : trace->start;
    const struct frame *f = start < 0 ? NULL : stack_frame_at(t, start);

    (void)asker;
    if (f == NULL && start != 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    for (; f != NULL && trace->count < trace->max; f = frame_older(f))
        trace->rows[trace->count++] =
            (jvmtiFrameInfo){ (jmethodID)code_id(f->code), frame_bci(f) };
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetStackTrace(const struct target *thread, jint start_depth, jint max_frame_count,
                    jvmtiFrameInfo *frame_buffer, jint *count)
{
    struct trace trace = { .start = start_depth, .max = max_frame_count,
                           .rows = frame_buffer };

    TRY(jvmti_ask(thread, take_trace, &trace));
    *count = trace.count;
    return JVMTI_ERROR_NONE;
}

static jvmtiError
take_count(struct thread *t, struct thread *asker, void *arg)
{
    (void)asker;
    *(jint *)arg = count_frames(t);
    return JVMTI_ERROR_NONE;
}

JVMTI_BODY(jvmtiError, jvmti_GetFrameCount, (const struct target *thread, jint *count),
           jvmti_ask(thread, take_count, count))

jvmtiError
jvmti_GetFrameLocation(const struct target *thread, jint depth, jmethodID *method,
                       jlocation *location)
{
    jvmtiFrameInfo row;
    struct trace trace = { .start = depth, .max = 1, .rows = &row };
    jvmtiError error = jvmti_ask(thread, take_trace, &trace);

    if (trace.count == 0)
        return error == JVMTI_ERROR_THREAD_NOT_ALIVE ? error
                                                     : JVMTI_ERROR_NO_MORE_FRAMES;
    *method = row.method;
    *location = row.location;
    return JVMTI_ERROR_NONE;
}

static jvmtiError
pop_frame(struct thread *t, struct thread *asker, void *arg)
{
    struct frame *f;

    (void)arg;
    TRY(stack_frame_for(t, asker, 0, &f));
    if (frame_older(f) == NULL)
        return JVMTI_ERROR_NO_MORE_FRAMES;
    if (!force_again(t))
        return JVMTI_ERROR_OPAQUE_FRAME;
    jvmti_drop_pops(t, f);
    return JVMTI_ERROR_NONE;
}

JVMTI_BODY(jvmtiError, jvmti_PopFrame, (const struct target *thread),
           jvmti_ask(thread, pop_frame, NULL))

/* ---- several threads, all at one instant ---- */

/* The world is stopped: the frames stay as they are.  One block of memory, since the
   agent frees one: the stack infos, then all frames. */
static jvmtiError
take_all(const struct scope *threads, jint max, jvmtiStackInfo **result)
{
    size_t count = scope_count(threads), total = 0;
    char *block;

    for (size_t i = 0; i < count; i++) {
        const struct thread *t = thread_of_object(scope_objects(threads)[i]);
        jint frames = t != NULL ? count_frames(t) : 0;
        total += (size_t)(frames < max ? frames : max);
    }
    TRY(jvmti_alloc(count * sizeof(jvmtiStackInfo) + total * sizeof(jvmtiFrameInfo) + 1,
                    &block));
    jvmtiStackInfo *infos = (jvmtiStackInfo *)block;
    jvmtiFrameInfo *rows = (jvmtiFrameInfo *)(block + count * sizeof *infos);
    for (size_t i = 0; i < count; i++) {
        struct object *o = scope_objects(threads)[i];
        struct target target = { o, thread_of_object(o) };
        struct trace trace = { .max = max, .rows = rows };
        if (target.live != NULL)
            take_trace(target.live, NULL, &trace);
        infos[i] = (jvmtiStackInfo){ .state = jvmti_GetThreadState(&target),
                                     .frame_buffer = rows,
                                     .frame_count = trace.count };
        rows += trace.count;
        TRY(jvmti_local(o, &infos[i].thread));
    }
    *result = infos;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetAllStackTraces(jint max_frame_count, jvmtiStackInfo **stack_info, jint *count)
{
    struct scope found = scope_open(current_thread);

    world_stop(found.self, "GetAllStackTraces");
    jvmtiError error = jvmti_keep_threads(found.self, NULL);
    if (error == JVMTI_ERROR_NONE)
        error = take_all(&found, max_frame_count, stack_info);
    world_resume(found.self);
    if (error == JVMTI_ERROR_NONE)
        *count = (jint)scope_count(&found);
    return error;
}

jvmtiError
jvmti_GetThreadListStackTraces(jint thread_count, const jthread *thread_list,
                               jint max_frame_count, jvmtiStackInfo **stack_info)
{
    struct scope given = scope_open(current_thread);
    struct jvmti_call call = { .self = given.self };
    struct object *o;

    for (jint i = 0; i < thread_count; i++)
        TRY(jvmti_resolve_instance(&call, thread_list[i], NULL_IS_INVALID,
                                   KNOWN_CLASS_Thread, JVMTI_ERROR_INVALID_THREAD, &o));
    world_stop(given.self, "GetThreadListStackTraces");
    jvmtiError error = take_all(&given, max_frame_count, stack_info);
    world_resume(given.self);
    return error;
}
