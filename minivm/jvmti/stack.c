/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/stack.c -- JVM TI "Stack Frame": traces, locations, PopFrame.
 *
 * The frames of another thread are looked at in a handshake with it, so that they stay
 * as they are meanwhile.  For several threads the world is stopped instead, since all
 * traces are to be of one moment.  Entry frames, which stand where C code called Java,
 * are in no trace: thread_top_frame and frame_older pass by them. */

#include "jvmti/env.h"

#include "interp/force.h"
#include "linking/ids.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* Returns the newest frame of t that agents see, or NULL: the natives by which
   transitions of virtual threads end, in which VirtualThreadStart is sent, are not. */
static struct frame *
stack_top(const struct thread *t)
{
    struct frame *f = thread_top_frame(t);

    while (f && (f->version->method->flags & METHOD_MOUNT_TRANSITION))
        f = frame_older(f);
    return f;
}

struct frame *
stack_frame_at(const struct thread *t, jint depth)
{
    struct frame *f = stack_top(t);

    while (f && depth-- > 0)
        f = frame_older(f);
    return f;
}

jvmtiError
stack_frame_for(const struct thread *t, const struct thread *requester, jint depth,
                struct frame **frame)
{
    if (t != requester && !thread_is_suspended(t))
        return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    *frame = stack_frame_at(t, depth);
    return *frame ? JVMTI_ERROR_NONE : JVMTI_ERROR_NO_MORE_FRAMES;
}

/* Returns the depth of frame in t's stack, 0 for the newest; -1 if it is not there. */
jint
stack_depth_of(const struct thread *t, const struct frame *frame)
{
    jint depth = 0;

    for (const struct frame *f = stack_top(t); f; f = frame_older(f)) {
        if (f == frame)
            return depth;
        depth++;
    }
    return -1;
}

/* Returns how many frames t has, entry frames left out.  t is the calling thread,
   stopped or in a handshake. */
static jint
count_frames(const struct thread *t)
{
    jint count = 0;

    for (const struct frame *f = stack_top(t); f; f = frame_older(f))
        count++;
    return count;
}

/* The argument of take_trace. */
struct trace {
    /* The depth of the first row; it counts from the oldest frame if it is negative. */
    jint start;
    jint max;
    jvmtiFrameInfo *rows; /* room for max */
    jint count;           /* of the rows that were filled */
};

/* The operation of a handshake: fills the rows of a trace.  A start that is the number
   of frames or more, or lies before the oldest frame, gives ILLEGAL_ARGUMENT, except
   that 0 is right for a thread without frames, too.  requester may be NULL. */
static jvmtiError
take_trace(struct thread *t, struct thread *requester, void *arg)
{
    struct trace *trace = arg;
    jint start = trace->start < 0 ? trace->start + count_frames(t) : trace->start;
    const struct frame *f = start < 0 ? NULL : stack_frame_at(t, start);

    (void)requester;
    if (!f && start != 0)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    for (; f && trace->count < trace->max; f = frame_older(f))
        trace->rows[trace->count++] = (jvmtiFrameInfo){
            (jmethodID)version_id(f->version), frame_bci(f)
        };
    return JVMTI_ERROR_NONE;
}

/* The rows are written to the agent's buffer at once, in the handshake, since it has
   room for max_frame_count of them. */
jvmtiError
jvmti_GetStackTrace(struct thread *self, const struct target *thread, jint start_depth,
                    jint max_frame_count, jvmtiFrameInfo *frame_buffer, jint *count)
{
    struct trace trace = { .start = start_depth,
                           .max = max_frame_count,
                           .rows = frame_buffer };

    TRY(jvmti_handshake(self, thread, take_trace, &trace));
    *count = trace.count;
    return JVMTI_ERROR_NONE;
}

/* The operation of a handshake: counts the frames. */
static jvmtiError
take_count(struct thread *t, struct thread *requester, void *arg)
{
    (void)requester;
    *(jint *)arg = count_frames(t);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetFrameCount(struct thread *self, const struct target *thread, jint *count)
{
    return jvmti_handshake(self, thread, take_count, count);
}

/* The location of one frame is a trace of one row.  take_trace refuses a depth that is
   too large, as GetStackTrace has to, with another error than this function: so an
   empty trace means NO_MORE_FRAMES, unless the thread has ended.  depth is not
   negative. */
jvmtiError
jvmti_GetFrameLocation(struct thread *self, const struct target *thread, jint depth,
                       jmethodID *method, jlocation *location)
{
    jvmtiFrameInfo row;
    struct trace trace = { .start = depth, .max = 1, .rows = &row };
    jvmtiError error = jvmti_handshake(self, thread, take_trace, &trace);

    if (trace.count == 0)
        return error == JVMTI_ERROR_THREAD_NOT_ALIVE ? error
                                                     : JVMTI_ERROR_NO_MORE_FRAMES;
    *method = row.method;
    *location = row.location;
    return JVMTI_ERROR_NONE;
}

/* The operation of a handshake: asks t to leave its newest frame.  The frame's requests
   of NotifyFramePop are dropped, since PopFrame sends no event.  There must be an older
   frame, since that runs the call again. */
static jvmtiError
pop_frame(struct thread *t, struct thread *requester, void *arg)
{
    struct frame *f;

    (void)arg;
    TRY(stack_frame_for(t, requester, 0, &f));
    if (!frame_older(f))
        return JVMTI_ERROR_NO_MORE_FRAMES;
    if (t->is_picture || !force_pop(t))
        return JVMTI_ERROR_OPAQUE_FRAME;
    jvmti_drop_pop_requests(t, f);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_PopFrame(struct thread *self, const struct target *thread)
{
    return jvmti_handshake(self, thread, pop_frame, NULL);
}

/* ---- several threads, all at one instant ---- */

/* Makes the traces of all threads for whose objects there are handles in the scope.
   The agent frees them as one block of memory: the stack infos come first in it, then
   the rows of all of them.  The world is stopped.  A thread that is not alive has no
   rows.  max is the largest number of rows for one thread; result memory is noted in
   the calling thread, which has stopped the world, so no wrapper but its own frees it.
   *result is set on success only. */
static jvmtiError
take_all(const struct handle_scope *threads, jint max, jvmtiStackInfo **result)
{
    size_t count = handle_scope_count(threads), total = 0;
    struct thread picture;
    char *block;

    for (size_t i = 0; i < count; i++) {
        struct target target;
        target_find(threads->self, handle_scope_objects(threads)[i], &target);
        const struct thread *t = target_look(&target, &picture);
        jint frames = t ? count_frames(t) : 0;
        total += (size_t)(frames < max ? frames : max);
    }
    TRY(JVMTI_ALLOC(count * sizeof(jvmtiStackInfo) + total * sizeof(jvmtiFrameInfo),
                    &block));
    jvmtiStackInfo *infos = (jvmtiStackInfo *)block;
    jvmtiFrameInfo *rows = (jvmtiFrameInfo *)(block + count * sizeof *infos);
    for (size_t i = 0; i < count; i++) {
        struct object *o = handle_scope_objects(threads)[i];
        struct trace trace = { .max = max, .rows = rows };
        struct target target;
        target_find(threads->self, o, &target);
        struct thread *t = target_look(&target, &picture);
        if (t)
            take_trace(t, NULL, &trace);
        infos[i] = (jvmtiStackInfo){ .state = (jint)target_status(&target),
                                     .frame_buffer = rows,
                                     .frame_count = trace.count };
        rows += trace.count;
        TRY(jvmti_local(threads->self, o, &infos[i].thread));
    }
    *result = infos;
    return JVMTI_ERROR_NONE;
}

/* The threads are listed while the world is stopped, so all that are listed have their
   traces taken at that moment. */
jvmtiError
jvmti_GetAllStackTraces(struct thread *self, jint max_frame_count,
                        jvmtiStackInfo **stack_info, jint *count)
{
    struct handle_scope found = handle_scope_open(self);

    VIRTUAL_THREADS_HELD(self);
    world_stop(self, "GetAllStackTraces");
    jvmtiError error = jvmti_add_thread_handles(self, NULL);
    if (error == JVMTI_ERROR_NONE)
        error = take_all(&found, max_frame_count, stack_info);
    world_resume(self);
    if (error == JVMTI_ERROR_NONE)
        *count = (jint)handle_scope_count(&found);
    return error;
}

/* call is not the wrapper's: it only says in which thread the handles are made. */
jvmtiError
jvmti_GetThreadListStackTraces(struct thread *self, jint thread_count,
                               const jthread *thread_list, jint max_frame_count,
                               jvmtiStackInfo **stack_info)
{
    struct handle_scope given = handle_scope_open(self);
    struct jvmti_call call = { .self = self };
    struct object *o;

    /* Each call makes a handle for one thread object. */
    for (jint i = 0; i < thread_count; i++)
        TRY(jvmti_resolve_instance(&call, thread_list[i], NULL_IS_INVALID,
                                   KNOWN_CLASS_Thread, JVMTI_ERROR_INVALID_THREAD, &o));
    VIRTUAL_THREADS_HELD(self);
    world_stop(self, "GetThreadListStackTraces");
    jvmtiError error = take_all(&given, max_frame_count, stack_info);
    world_resume(self);
    return error;
}
