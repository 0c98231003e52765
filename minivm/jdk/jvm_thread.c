/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_thread.c -- JVM_ functions of Thread. */

#include "jdk/jvm.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- Thread ---- */

JVM_ACTION(JVM_StartThread, (JNIEnv *env, jobject thread),
           thread_start(self, ref_get(thread)))

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

/* A function that does something to t, unless that thread has ended. */
#define THREAD_ACTION(name, parameters, action) \
JNIEXPORT void JNICALL \
name parameters \
{ \
    VM_ENTRY(env); \
    PINNED(t, self, ref_get(thread)); \
    if (t) \
        action; \
}
THREAD_ACTION(JVM_SuspendThread, (JNIEnv *env, jobject thread), thread_suspend(self, t))
THREAD_ACTION(JVM_ResumeThread, (JNIEnv *env, jobject thread), thread_resume(self, t))
THREAD_ACTION(JVM_Interrupt, (JNIEnv *env, jobject thread), thread_interrupt(t))

/* Time-sharing threads of Linux have only a nice value, which an ordinary user cannot
   lower again: accepted and ignored, as the JDK's VM does. */
JNIEXPORT void JNICALL
JVM_SetThreadPriority(JNIEnv *env UNUSED, jobject thread UNUSED, jint priority UNUSED)
{
}

JVM_ACTION(JVM_Yield, (JNIEnv *env, jclass cls UNUSED), thread_yield(self))

JNIEXPORT void JNICALL
JVM_Sleep(JNIEnv *env, jclass cls UNUSED, jlong millis)
{
    VM_ENTRY(env);
    int64_t nanos;

    if (millis < 0) {
        THROW(self, IllegalArgumentException, "timeout value is negative");
        return;
    }
    if (__builtin_mul_overflow(millis, INT64_C(1000000), &nanos))
        nanos = INT64_MAX;
    thread_sleep(self, nanos);
}

JVM_VALUE(jobject, JVM_CurrentThread, (JNIEnv *env, jclass cls UNUSED),
          object_ref(self, self->object))

JNIEXPORT jboolean JNICALL
JVM_HoldsLock(JNIEnv *env, jclass cls UNUSED, jobject object)
{
    VM_ENTRY(env);

    if (!object)
        THROW0(self, NullPointerException);
    return object && monitor_is_held(self, ref_get(object));
}

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

JNIEXPORT jobjectArray JNICALL
JVM_GetAllThreads(JNIEnv *env, jclass unused UNUSED)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    size_t mark = self->handle_count;

    /* Agents' threads are not visible to Java (JVM TI "Run Agent Thread"). */
    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        if (thread_is_visible(t) && !t->is_agent_thread)
            keep(self, t->object);
    threads_unlock(vm);
    return object_ref(self, java_kept(self, KC(vm, Thread), mark));
}

/* ---- Thread.getStackTrace and getAllStackTraces ---- */

void
trace_take(struct thread *self, const struct thread *t, size_t limit,
           struct trace *trace)
{
    size_t depth = 0;

    for (struct frame *f = thread_top_frame(t); f && depth < limit; f = frame_older(f))
        depth++;
    trace->places = mem_try_alloc((depth + 1) * sizeof *trace->places);
    if (!trace->places)
        return;
    for (struct frame *f = thread_top_frame(t); trace->count < depth;
         f = frame_older(f)) {
        trace->places[trace->count++] = (struct trace_place){ f->code, frame_bci(f) };
        keep(self, f->code->method->class->layout.mirror);
    }
}

struct object *
trace_elements(struct thread *self, const struct trace *trace)
{
    struct class *c = known_class(self, KNOWN_CLASS_StackTraceElement);

    if (!trace->places)
        return throw_out_of_memory(self, "stack trace");
    struct object *array =
        c && class_initialize(self, c) ? java_new_array(self, c, trace->count) : NULL;
    for (size_t i = 0; array && i < trace->count; i++) {
        const struct trace_place *p = &trace->places[i];
        struct object *element = object_new(self, c);
        if (!java_put(array, i, element)
            || !exception_element(self, element, p->code, p->bci))
            return NULL;
    }
    return array;
}

struct asked_trace {
    struct thread *by;             /* waits */
    struct trace trace;
};

static void
take_asked(struct thread *t, void *arg)
{
    struct asked_trace *asked = arg;

    trace_take(asked->by, t, SIZE_MAX, &asked->trace);
}

/* Nulls for threads that are not alive. */
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
        SCOPE(self);
        PINNED(t, self, ARRAY_REFS(from)[i]);
        struct asked_trace asked = { .by = self };
        if (t && handshake(self, t, take_asked, &asked))
            ARRAY_REFS(traces)[i] = trace_elements(self, &asked.trace);
        mem_free(asked.trace.places);
        if (exception_pending(self))
            return NULL;
    }
    return object_ref(self, traces);
}
