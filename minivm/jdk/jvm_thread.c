/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_thread.c -- JVM_ functions of java.lang.Thread.
 *
 * A Thread object's struct thread may end at any time.  PINNED looks it up and keeps it
 * from being freed until the end of the block; a thread that has ended, or that has not
 * been started, is NULL.
 *
 * The stack of another thread is read in a handshake: that thread stops at a safepoint,
 * or is kept from leaving the one it is at, while capture_requested_trace runs.  It
 * allocates nothing in the heap; the Java objects are made afterwards. */

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "runtime/backtrace.h"
#include "runtime/start.h"
#include "threads/continuation.h"
#include "threads/monitor.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"
#include "threads/virtual_thread.h"

/* ---- Thread ---- */

/* Thread.start0 (runtime/start.h). */
JNIEXPORT void JNICALL
JVM_StartThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);

    thread_start(self, ref_get(thread));
}

/* Thread.stop0: throws throwable in thread. */
JNIEXPORT void JNICALL
JVM_StopThread(JNIEnv *env, jobject thread, jobject throwable)
{
    VM_ENTRY(env);
    PINNED(t, self, ref_get(thread));

    if (!throwable)
        THROW0(self, NullPointerException);
    else if (t == self)
        throw_object(self, ref_get(throwable));
    else if (t)
        thread_stop(self, t, ref_get(throwable));
}

/* Thread.suspend0. */
JNIEXPORT void JNICALL
JVM_SuspendThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    PINNED(t, self, ref_get(thread));

    if (t)
        thread_suspend(self, t);
}

/* Thread.resume0. */
JNIEXPORT void JNICALL
JVM_ResumeThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    PINNED(t, self, ref_get(thread));

    if (t)
        thread_resume(t);
}

/* Thread.interrupt0 (JLS 17.2.3). */
JNIEXPORT void JNICALL
JVM_Interrupt(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    PINNED(t, self, ref_get(thread));

    if (t)
        thread_interrupt(t);
}

/*
 * Thread.setPriority0: accepted and ignored, as the JDK's VM does.  A time-sharing
 * thread of Linux has only a nice value, which an ordinary user could not lower again.
 */
JNIEXPORT void JNICALL
JVM_SetThreadPriority(JNIEnv *env UNUSED, jobject thread UNUSED, jint priority UNUSED)
{
}

/* Thread.yield. */
JNIEXPORT void JNICALL
JVM_Yield(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    thread_yield(self);
}

/* Thread.sleepNanos0 of JDK 25: as JVM_Sleep, in nanoseconds. */
JNIEXPORT void JNICALL
JVM_SleepNanos(JNIEnv *env, jclass cls UNUSED, jlong nanos)
{
    VM_ENTRY(env);

    if (nanos < 0)
        THROW(self, IllegalArgumentException, "nanosecond timeout value out of range");
    else
        thread_sleep(self, nanos);
}

/* Thread.sleep (JLS 17.3) takes milliseconds, but Thread.sleep0 of JDK 21 nanoseconds. */
JNIEXPORT void JNICALL
JVM_Sleep(JNIEnv *env, jclass cls, jlong time)
{
    if (KM(env_thread(env)->vm, Thread_sleep0)) {
        JVM_SleepNanos(env, cls, time);
        return;
    }
    VM_ENTRY(env);
    int64_t nanos;

    if (time < 0) {
        THROW(self, IllegalArgumentException, "timeout value is negative");
        return;
    }
    if (__builtin_mul_overflow(time, INT64_C(1000000), &nanos))
        nanos = INT64_MAX;
    thread_sleep(self, nanos);
}

/* Thread.currentThread. */
JNIEXPORT jobject JNICALL
JVM_CurrentThread(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    return object_ref(self, self->current);
}

/* Thread.holdsLock. */
JNIEXPORT jboolean JNICALL
JVM_HoldsLock(JNIEnv *env, jclass cls UNUSED, jobject object)
{
    VM_ENTRY(env);

    if (!object)
        THROW0(self, NullPointerException);
    return object && monitor_is_held(self, ref_get(object));
}

/* Thread.setNativeName: the name that tools such as ps show. */
JNIEXPORT void JNICALL
JVM_SetNativeThreadName(JNIEnv *env, jobject thread, jstring name)
{
    VM_ENTRY(env);
    TEXTS(t);

    /* Threads that foreign code made keep the name that they came with. */
    if (ref_get(thread) == self->object && !self->is_attached_by_jni && name)
        thread_set_native_name(own(&t, string_to_utf8(ref_get(name))));
}

/* ---- all threads ---- */

/* Thread.getThreads. */
JNIEXPORT jobjectArray JNICALL
JVM_GetAllThreads(JNIEnv *env, jclass unused UNUSED)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    size_t mark = self->handle_count;

    /* Agents' threads are not visible to Java (JVM TI "Run Agent Thread"). */
    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        if (thread_is_listed(t) && !t->is_agent_thread)
            handle_new(self, t->object);
    threads_unlock(vm);
    return object_ref(self, array_from_handles(self, KC(vm, Thread), mark));
}

/* ---- stack traces of other threads ---- */

/*
 * Records the frames from top on, at most limit, in trace, which is all 0 before; those
 * that stack traces hide are among them if with_hidden is true.  The first loop only
 * counts them.  A handle of self for each frame's class keeps the method versions.
 */
void
stack_trace_capture(struct thread *self, const struct frame *top, size_t limit,
                    bool with_hidden, struct stack_trace *trace)
{
    size_t depth = 0;

    for (const struct frame *f = top; f && depth < limit; f = frame_older(f))
        depth += with_hidden || !frame_is_hidden(f);
    trace->frames = mem_try_alloc((depth + 1) * sizeof *trace->frames);
    if (!trace->frames)
        return;
    for (const struct frame *f = top; trace->count < depth; f = frame_older(f)) {
        if (!with_hidden && frame_is_hidden(f))
            continue;
        trace->frames[trace->count++] = (struct stack_trace_frame){ f->version,
                                                                    frame_bci(f) };
        handle_new(self, f->version->method->class->layout.mirror);
    }
}

/*
 * Returns trace as a StackTraceElement[]; NULL with an exception pending.  The frames
 * stay the caller's, to be freed.
 */
struct object *
stack_trace_elements(struct thread *self, const struct stack_trace *trace)
{
    struct class *c = known_class(self, KNOWN_CLASS_StackTraceElement);

    if (!trace->frames)
        return throw_out_of_memory(self, "stack trace");
    struct object *array = c && class_initialize(self, c)
                               ? java_new_array(self, c, trace->count)
                               : NULL;
    for (size_t i = 0; array && i < trace->count; i++) {
        const struct stack_trace_frame *p = &trace->frames[i];
        struct object *element = object_new(self, c);
        if (!java_array_store(array, i, element)
            || !exception_element(self, element, p->version, p->bci))
            return NULL;
    }
    return array;
}

/* The argument of capture_requested_trace. */
struct trace_request {
    struct thread *requester;    /* which waits for the handshake's end */
    const struct object *thread; /* the java.lang.Thread; kept alive by requester */
    bool with_hidden;            /* frames that stack traces hide */
    bool is_here;                /* it is one of those that the thread at hand is */
    struct stack_trace trace;
};

/* Returns true if t has frames of the java.lang.Thread.  A virtual thread that is just
   being mounted or unmounted may be the current thread of its carrier and have none
   there. */
static bool
has_frames_of(const struct thread *t, const struct object *thread)
{
    const struct continuation *c;

    if (!thread_object_is_carried(t->vm, thread))
        return thread == t->object;
    c = virtual_thread_continuation(t->vm, thread);
    return c && c->thread == t;
}

/* The handshake operation: records the frames that t has for the java.lang.Thread: those
   of the virtual thread that is mounted on it, or its own below that. */
static void
capture_requested_trace(struct thread *t, void *arg)
{
    struct trace_request *request = arg;

    request->is_here = has_frames_of(t, request->thread);
    if (request->is_here)
        stack_trace_capture(request->requester,
                            request->thread == t->object ? thread_own_top(t)
                                                         : thread_top_frame(t),
                            SIZE_MAX, request->with_hidden, &request->trace);
}

/* Returns the platform thread that runs the java.lang.Thread: itself, or the carrier that
   a virtual thread is mounted on; NULL if none does. */
static struct object *
carrier_of(const struct vm *vm, struct object *thread)
{
    if (!thread || !thread_object_is_carried(vm, thread))
        return thread;
    return OBJECT_FIELD(struct object *, thread, KF(vm, VirtualThread_carrierThread));
}

/*
 * Thread.getStackTrace0 of JDK 21 and later: a StackTraceElement[], or null for a thread
 * that is not alive, has no frames, or is a virtual thread that is not mounted, whose
 * frames the class library then walks itself.
 */
JNIEXPORT jobject JNICALL
JVM_GetStackTrace(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    struct object *carrier = carrier_of(self->vm, ref_get(thread));
    PINNED(t, self, carrier);
    struct trace_request request = { .requester = self, .thread = ref_get(thread) };
    struct object *elements = NULL;

    if (t && handshake(self, t, capture_requested_trace, &request) && request.is_here
        && (request.trace.count || !request.trace.frames))
        elements = stack_trace_elements(self, &request.trace);
    mem_free(request.trace.frames);
    return object_ref(self, elements);
}

/*
 * Thread.dumpThreads, for getStackTrace and getAllStackTraces: a StackTraceElement[]
 * for each of threads, null for one that is not alive.  As on other VMs it has frames
 * that getStackTrace0 does not have, those of lambda forms and hidden classes.
 */
JNIEXPORT jobjectArray JNICALL
JVM_DumpThreads(JNIEnv *env, jclass cls UNUSED, jobjectArray threads)
{
    VM_ENTRY(env);
    struct object *from = ref_get(threads);

    if (!from)
        return THROW0(self, NullPointerException);
    if (array_length(from) == 0)
        return THROW0(self, IllegalArgumentException);
    struct object *traces = java_new_array(
        self, class_array_of(self, KC(self->vm, StackTraceElement)),
        (size_t)array_length(from));
    for (int32_t i = 0; traces && i < array_length(from); i++) {
        HANDLE_SCOPE(self);
        PINNED(t, self, ARRAY_REFS(from)[i]);
        struct trace_request request = { .requester = self,
                                         .thread = ARRAY_REFS(from)[i],
                                         .with_hidden = WITH_HIDDEN_FRAMES };
        if (t && handshake(self, t, capture_requested_trace, &request))
            ARRAY_REFS(traces)[i] = stack_trace_elements(self, &request.trace);
        mem_free(request.trace.frames);
        if (exception_pending(self))
            return NULL;
    }
    return object_ref(self, traces);
}
