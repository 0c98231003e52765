/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_thread.c -- JVM_ functions of Thread, and Object's of monitors. */

#include <stdio.h>

#include "base/mem.h"
#include "jdk/signals.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"
#include "vm/string.h"

/* ---- Thread ---- */

JNIEXPORT void JNICALL
JVM_StartThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    thread_start(self, ref_get(thread));
}

JNIEXPORT void JNICALL
JVM_StopThread(JNIEnv *env, jobject thread, jobject throwable)
{
    VM_ENTRY(env);
    struct thread *t;

    if (!throwable) {
        THROW0(self, NullPointerException);
        return;
    }
    t = thread_pin(self->vm, ref_get(thread));
    if (t == self)
        throw_object(self, ref_get(throwable));
    else if (t)
        thread_stop(self, t, ref_get(throwable));
    if (t)
        thread_unpin(t);
}

JNIEXPORT jboolean JNICALL
JVM_IsThreadAlive(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    return thread_of_object(ref_get(thread)) != NULL;
}

JNIEXPORT void JNICALL
JVM_SuspendThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    struct thread *t = thread_pin(self->vm, ref_get(thread));

    if (t) {
        thread_suspend(self, t);
        thread_unpin(t);
    }
}

JNIEXPORT void JNICALL
JVM_ResumeThread(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    struct thread *t = thread_pin(self->vm, ref_get(thread));

    if (t) {
        thread_resume(self, t);
        thread_unpin(t);
    }
}

JNIEXPORT void JNICALL
JVM_SetThreadPriority(JNIEnv *env, jobject thread, jint priority)
{
    VM_ENTRY(env);
    struct thread *t = thread_pin(self->vm, ref_get(thread));

    if (t) {
        thread_set_priority(t, priority);
        thread_unpin(t);
    }
}

JNIEXPORT void JNICALL
JVM_Yield(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    (void)cls;
    thread_yield(self);
}

JNIEXPORT void JNICALL
JVM_Sleep(JNIEnv *env, jclass cls, jlong millis)
{
    VM_ENTRY(env);
    int64_t nanos;

    (void)cls;
    if (millis < 0) {
        THROW(self, IllegalArgumentException, "timeout value is negative");
        return;
    }
    if (__builtin_mul_overflow(millis, INT64_C(1000000), &nanos))
        nanos = INT64_MAX;
    thread_sleep(self, nanos);
}

JNIEXPORT jobject JNICALL
JVM_CurrentThread(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    (void)cls;
    return ref_new_local(self, self->object);
}

JNIEXPORT void JNICALL
JVM_Interrupt(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    struct thread *t = thread_pin(self->vm, ref_get(thread));

    if (t) {
        thread_interrupt(t);
        thread_unpin(t);
    }
}

JNIEXPORT jboolean JNICALL
JVM_HoldsLock(JNIEnv *env, jclass cls, jobject object)
{
    VM_ENTRY(env);
    (void)cls;
    if (!object) {
        THROW0(self, NullPointerException);
        return JNI_FALSE;
    }
    return monitor_is_held(self, ref_get(object));
}

JNIEXPORT void JNICALL
JVM_SetNativeThreadName(JNIEnv *env, jobject thread, jstring name)
{
    VM_ENTRY(env);
    char *text;

    /* Threads that foreign code made keep the name that they came with. */
    if (ref_get(thread) != self->object || self->is_attached_by_jni || !name)
        return;
    text = string_to_utf8(ref_get(name));
    thread_set_native_name(text);
    mem_free(text);
}

/* ---- all threads ---- */

/* NULL with the exception pending. */
static struct object *
new_array_of(struct thread *self, struct class *element, size_t length)
{
    struct class *c = class_array_of(self, element);

    return c ? keep(self, array_new(self, c, (int32_t)length)) : NULL;
}

JNIEXPORT jobjectArray JNICALL
JVM_GetAllThreads(JNIEnv *env, jclass unused)
{
    VM_ENTRY(env);
    struct object *array;
    struct thread **list;
    size_t count, mark = self->handle_count, kept = 0;

    (void)unused;
    list = thread_list(self->vm, false, &count);
    if (!list) {
        throw_out_of_memory(self, "JVM_GetAllThreads");
        return NULL;
    }
    /* One may end at any time, and then has no object. */
    for (size_t i = 0; i < count; i++) {
        struct object *o = list[i]->object;
        /* Agents' threads are not visible to Java (JVM TI "Run Agent Thread"). */
        if (o && !list[i]->is_agent_thread) {
            keep(self, o);
            kept++;
        }
    }
    thread_list_release(list, count);
    array = new_array_of(self, KC(self->vm, Thread), kept);
    if (!array)
        return NULL;
    for (size_t i = 0; i < kept; i++)
        ARRAY_REFS(array)[i] = self->handles[mark + i];
    return ref_new_local(self, array);
}

/* ---- Thread.getStackTrace and getAllStackTraces ---- */

struct place {
    struct code *code;
    int32_t bci;
};

struct snapshot {
    struct thread *asks;           /* waits, and keeps the classes alive */
    struct place *places;
    size_t count, capacity;
    bool is_complete;
};

static void
take_snapshot(struct thread *t, void *arg)
{
    struct snapshot *s = arg;

    for (struct frame *f = thread_top_frame(t); f; f = frame_older(f)) {
        if (s->count == s->capacity) {
            size_t capacity = s->capacity ? s->capacity * 2 : 64;
            struct place *places =
                mem_try_realloc(s->places, capacity * sizeof *places);
            if (!places)
                return;
            s->places = places;
            s->capacity = capacity;
        }
        s->places[s->count++] = (struct place){ f->code, frame_bci(f) };
        keep(s->asks, f->code->method->class->layout.mirror);
    }
    s->is_complete = true;
}

/* The StackTraceElement[] of a snapshot; NULL with the exception pending. */
static struct object *
make_elements(struct thread *self, const struct snapshot *s)
{
    struct class *element_class = KC(self->vm, StackTraceElement);
    struct object *array = new_array_of(self, element_class, s->count);

    for (size_t i = 0; array && i < s->count; i++) {
        struct object *element = object_new(self, element_class);
        if (!element)
            return NULL;
        ARRAY_REFS(array)[i] = element;
        if (!exception_element(self, element, s->places[i].code, s->places[i].bci))
            return NULL;
    }
    return array;
}

/* *result stays NULL for a thread that is not alive; false with the exception
   pending. */
static bool
stack_trace_of(struct thread *self, struct object *thread, struct object **result)
{
    struct snapshot s = { .asks = self };
    struct thread *t = thread ? thread_pin(self->vm, thread) : NULL;
    bool alive = t && handshake(self, t, take_snapshot, &s);

    if (t)
        thread_unpin(t);
    if (alive && s.is_complete)
        *result = make_elements(self, &s);
    else if (alive)
        throw_out_of_memory(self, "stack trace");
    mem_free(s.places);
    return !exception_pending(self);
}

JNIEXPORT jobjectArray JNICALL
JVM_DumpThreads(JNIEnv *env, jclass cls, jobjectArray threads)
{
    VM_ENTRY(env);
    struct object *from = ref_get(threads), *traces;
    struct class *row;

    (void)cls;
    if (!from) {
        THROW0(self, NullPointerException);
        return NULL;
    }
    if (array_length(from) == 0) {
        THROW0(self, IllegalArgumentException);
        return NULL;
    }
    if (!class_initialize(self, KC(self->vm, StackTraceElement)))
        return NULL;
    row = class_array_of(self, KC(self->vm, StackTraceElement));
    traces = row ? new_array_of(self, row, (size_t)array_length(from)) : NULL;
    for (int32_t i = 0; traces && i < array_length(from); i++) {
        SCOPE(self);
        struct object *trace = NULL;
        if (!stack_trace_of(self, ARRAY_REFS(from)[i], &trace))
            return NULL;
        ARRAY_REFS(traces)[i] = trace;
    }
    return ref_new_local(self, traces);
}

JNIEXPORT void JNICALL
JVM_DumpAllStacks(JNIEnv *env, jclass unused)
{
    VM_ENTRY(env);
    struct buf out;

    (void)unused;
    buf_init(&out);
    thread_dump(self, &out, DUMP_HEAP);
    fputs(buf_string(&out), stdout);
    fflush(stdout);
    buf_release(&out);
}

/* ---- Object ---- */

JNIEXPORT void JNICALL
JVM_MonitorWait(JNIEnv *env, jobject object, jlong millis)
{
    VM_ENTRY(env);
    monitor_wait(self, ref_get(object), millis);
}

JNIEXPORT void JNICALL
JVM_MonitorNotify(JNIEnv *env, jobject object)
{
    VM_ENTRY(env);
    monitor_notify(self, ref_get(object));
}

JNIEXPORT void JNICALL
JVM_MonitorNotifyAll(JNIEnv *env, jobject object)
{
    VM_ENTRY(env);
    monitor_notify_all(self, ref_get(object));
}
