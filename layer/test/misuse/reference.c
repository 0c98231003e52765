/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/reference.c -- references, strings and arrays. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>
#include <stdlib.h>

static void
use_deleted(struct misuse *m)
{
    jobject local = (*m->jni)->NewLocalRef(m->jni, m->thread);

    if (!m->right)
        (*m->jni)->DeleteLocalRef(m->jni, local);
    (*m->jni)->GetObjectClass(m->jni, local);
    if (m->right)
        (*m->jni)->DeleteLocalRef(m->jni, local);
}

/* A text where Java code needs a String; its address has the low bits of a global
   reference. */
static void
pass_text(struct misuse *m)
{
    static char text[16] __attribute__((aligned(8))) = "..a name";
    JNIEnv *jni = m->jni;
    jmethodID set = (*jni)->GetMethodID(jni, (*jni)->GetObjectClass(jni, m->thread),
                                        "setName", "(Ljava/lang/String;)V");

    (*jni)->CallVoidMethod(jni, m->thread, set,
                           m->right ? (void *)(*jni)->NewStringUTF(jni, text + 2)
                                    : (void *)(text + 2));
}

static void
use_deleted_global(struct misuse *m)
{
    jobject global = (*m->jni)->NewGlobalRef(m->jni, m->thread);
    jint state;

    if (!m->right)
        (*m->jni)->DeleteGlobalRef(m->jni, global);
    (*m->jvmti)->GetThreadState(m->jvmti, global, &state);
    if (m->right)
        (*m->jni)->DeleteGlobalRef(m->jni, global);
}

/* An argument of VMInit, in a later callback of the same thread. */
static jthread kept;

static void
keep(struct misuse *m)
{
    kept = m->thread;
}

static void JNICALL
on_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
    static bool is_done;
    jint state;

    (void)class;
    if (kept == NULL || is_done || (misuse_now->right && thread == NULL))
        return;
    is_done = true;
    (*jvmti)->GetThreadState(jvmti, misuse_now->right ? thread : kept, &state);
    (void)jni;
}

static void
watch_prepares(struct misuse *m)
{
    misuse_callbacks.ClassPrepare = on_prepare;
    misuse_enable(m, JVMTI_EVENT_CLASS_PREPARE);
}

static void
make_locals(struct misuse *m)
{
    if (m->right)
        (*m->jni)->EnsureLocalCapacity(m->jni, 100);
    for (int i = 0; i < 100; i++)
        (*m->jni)->NewLocalRef(m->jni, m->thread);
}

static void
pass_null(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, m->right ? "java/lang/Thread"
                                                          : "not/There");

    if (class == NULL)
        (*m->jni)->ExceptionClear(m->jni);
    (*m->jni)->GetMethodID(m->jni, class, "run", "()V");
}

static void
delete_wrongly(struct misuse *m)
{
    jobject global = (*m->jni)->NewGlobalRef(m->jni, m->thread);

    if (m->right)
        (*m->jni)->DeleteGlobalRef(m->jni, global);
    else
        (*m->jni)->DeleteLocalRef(m->jni, global);
}

static void
get_chars(struct misuse *m)
{
    jstring string = (*m->jni)->NewStringUTF(m->jni, "text");
    const char *text = (*m->jni)->GetStringUTFChars(m->jni, string, NULL);

    if (m->right)
        (*m->jni)->ReleaseStringUTFChars(m->jni, string, text);
}

static void
release_unknown(struct misuse *m)
{
    jintArray array = (*m->jni)->NewIntArray(m->jni, 4);
    jint *elements = (*m->jni)->GetIntArrayElements(m->jni, array, NULL);

    (*m->jni)->ReleaseIntArrayElements(m->jni, array, elements, 0);
    if (!m->right)
        (*m->jni)->ReleaseIntArrayElements(m->jni, array, elements, JNI_ABORT);
}

static void
call_in_critical(struct misuse *m)
{
    jintArray array = (*m->jni)->NewIntArray(m->jni, 4);
    jint *elements = (*m->jni)->GetPrimitiveArrayCritical(m->jni, array, NULL);

    if (!m->right)
        (*m->jni)->GetArrayLength(m->jni, array);
    elements[0] = 1;
    (*m->jni)->ReleasePrimitiveArrayCritical(m->jni, array, elements, 0);
    if (m->right)
        (*m->jni)->GetArrayLength(m->jni, array);
}

static void
make_globals(struct misuse *m)
{
    for (int i = 0; i < 1000; i++) {
        jobject global = (*m->jni)->NewGlobalRef(m->jni, m->thread);

        if (m->right)
            (*m->jni)->DeleteGlobalRef(m->jni, global);
    }
}

/* A collection takes what only the weak reference refers to. */
static void
use_cleared(struct misuse *m)
{
    jstring string = (*m->jni)->NewStringUTF(m->jni, "text");
    jweak weak = (*m->jni)->NewWeakGlobalRef(m->jni, string);

    if (!m->right)
        (*m->jni)->DeleteLocalRef(m->jni, string);
    (*m->jvmti)->ForceGarbageCollection(m->jvmti);
    (*m->jni)->GetStringLength(m->jni, weak);
    (*m->jni)->DeleteWeakGlobalRef(m->jni, weak);
}

static void
take_object_for_class(struct misuse *m)
{
    jclass class = (*m->jni)->GetObjectClass(m->jni, m->thread);

    (*m->jni)->GetMethodID(m->jni, m->right ? class : m->thread, "run", "()V");
}

static void
take_bytes_for_ints(struct misuse *m)
{
    jarray array = m->right ? (jarray)(*m->jni)->NewIntArray(m->jni, 4)
                            : (jarray)(*m->jni)->NewByteArray(m->jni, 4);
    jint element = 0;

    (*m->jni)->GetIntArrayRegion(m->jni, array, 0, 1, &element);
}

static void
throw_string(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, m->right ? "java/lang/Error"
                                                         : "java/lang/String");

    (*m->jni)->ThrowNew(m->jni, class, "text");
    (*m->jni)->ExceptionClear(m->jni);
}

static void
release_other(struct misuse *m)
{
    jstring one = (*m->jni)->NewStringUTF(m->jni, "text");
    jstring other = (*m->jni)->NewStringUTF(m->jni, "other");
    const char *text = (*m->jni)->GetStringUTFChars(m->jni, one, NULL);

    (*m->jni)->ReleaseStringUTFChars(m->jni, m->right ? one : other, text);
}

static void
leave_frame(struct misuse *m)
{
    (*m->jni)->PushLocalFrame(m->jni, 4);
    if (m->right)
        (*m->jni)->PopLocalFrame(m->jni, NULL);
}

static int has_ended;

static void JNICALL
get_threads(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    for (int i = 0; i < 300; i++) {
        jthread *threads;
        jint count;

        misuse_must((*jvmti)->GetAllThreads(jvmti, &count, &threads), "GetAllThreads");
        for (jint k = 0; k < count && misuse_now->right; k++)
            (*jni)->DeleteLocalRef(jni, threads[k]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
    }
    (void)arg;
    misuse_signal(&has_ended, 1);
}

static void
run_thread(struct misuse *m)
{
    misuse_thread(m, get_threads, NULL);
    misuse_await(&has_ended, 1);
}

static void
write_beyond(struct misuse *m)
{
    jintArray array = (*m->jni)->NewIntArray(m->jni, 10);
    jint *elements = (*m->jni)->GetIntArrayElements(m->jni, array, NULL), first = -1;

    for (int i = 0; i < (m->right ? 10 : 11); i++)
        elements[i] = i + 7;
    (*m->jni)->ReleaseIntArrayElements(m->jni, array, elements, JNI_COMMIT);
    elements[0] = 70;
    (*m->jni)->ReleaseIntArrayElements(m->jni, array, elements, 0);
    /* What was written has come to the array. */
    (*m->jni)->GetIntArrayRegion(m->jni, array, 0, 1, &first);
    misuse_must(first == 70 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL, "the elements");
}

static void
write_beyond_critical(struct misuse *m)
{
    jbyteArray array = (*m->jni)->NewByteArray(m->jni, 16);
    jbyte *elements = (*m->jni)->GetPrimitiveArrayCritical(m->jni, array, NULL), last = 0;

    elements[m->right ? 15 : 16] = 1;
    elements[15] = 3;
    (*m->jni)->ReleasePrimitiveArrayCritical(m->jni, array, elements, 0);
    (*m->jni)->GetByteArrayRegion(m->jni, array, 15, 1, &last);
    misuse_must(last == 3 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL, "the elements");
}

static void
write_characters(struct misuse *m)
{
    jstring string = (*m->jni)->NewStringUTF(m->jni, "text");
    const char *text = (*m->jni)->GetStringUTFChars(m->jni, string, NULL);

    if (!m->right)
        ((char *)text)[5] = '/';
    (*m->jni)->ReleaseStringUTFChars(m->jni, string, text);
}

static void
release_by_length(struct misuse *m)
{
    jintArray array = (*m->jni)->NewIntArray(m->jni, 4);
    jint *elements = (*m->jni)->GetIntArrayElements(m->jni, array, NULL);

    (*m->jni)->ReleaseIntArrayElements(m->jni, array, elements, m->right ? JNI_ABORT : 4);
}

static void
release_as_chars(struct misuse *m)
{
    jstring string = (*m->jni)->NewStringUTF(m->jni, "text");
    const jchar *text = (*m->jni)->GetStringChars(m->jni, string, NULL);

    if (!m->right)
        (*m->jni)->ReleaseStringUTFChars(m->jni, string, (const char *)text);
    (*m->jni)->ReleaseStringChars(m->jni, string, text);
}

/* The place of the last one is written over, so that no copy of it is left. */
static jobject newest;

static void JNICALL
on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    if (misuse_now->right && newest != NULL)
        (*jni)->DeleteGlobalRef(jni, newest);
    newest = (*jni)->NewGlobalRef(jni, thread);
}

static void
watch_threads(struct misuse *m)
{
    misuse_callbacks.ThreadStart = on_thread;
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

static void
forget_globals(struct misuse *m)
{
    jstring other = (*m->jni)->NewStringUTF(m->jni, "another object");

    /* Very many of one object would be another mistake. */
    for (int i = 0; i < 20; i++)
        on_thread(m->jvmti, m->jni, i % 2 == 0 ? m->thread : other);
}

static void
ask_no_thread(struct misuse *m)
{
    jint state;

    (*m->jvmti)->GetThreadState(m->jvmti, m->right ? m->thread
                                : (*m->jni)->NewStringUTF(m->jni, "no thread"), &state);
}

static void
may_stop(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_signal_thread);
}

/* The right one stops a thread that has ended, which has no effect. */
static void
stop_with_string(struct misuse *m)
{
    jobject thrown = m->right
        ? (*m->jni)->AllocObject(m->jni, (*m->jni)->FindClass(m->jni, "java/lang/Error"))
        : (*m->jni)->NewStringUTF(m->jni, "no throwable");
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Thread");

    (*m->jvmti)->StopThread(m->jvmti, (*m->jni)->AllocObject(m->jni, class), thrown);
}

static void
pass_weak(struct misuse *m)
{
    jweak weak = (*m->jni)->NewWeakGlobalRef(m->jni, m->thread);
    jobject local = (*m->jni)->NewLocalRef(m->jni, weak);
    jint state;

    (*m->jvmti)->GetThreadState(m->jvmti, m->right ? local : weak, &state);
    (*m->jni)->DeleteLocalRef(m->jni, local);
    (*m->jni)->DeleteWeakGlobalRef(m->jni, weak);
}

/* All of them of one object. */
static jobject same[20];

static void
make_same(struct misuse *m)
{
    for (int i = 0; i < 20; i++)
        same[i] = (*m->jni)->NewGlobalRef(m->jni, m->thread);
}

static void
delete_same(struct misuse *m)
{
    for (int i = 0; i < 20 && m->right; i++)
        (*m->jni)->DeleteGlobalRef(m->jni, same[i]);
}

const struct misuse_case reference_cases[] = {
    { .rule = "reference.weak", .init = pass_weak },
    { .rule = "reference.global-growth/same", .init = make_same, .death = delete_same },
    { .rule = "reference.stale", .init = use_deleted },
    { .rule = "reference.stale/text", .init = pass_text },
    { .rule = "reference.stale/global", .init = use_deleted_global },
    { .rule = "reference.kept", .load = watch_prepares, .init = keep },
    { .rule = "reference.local-overflow", .init = make_locals },
    { .rule = "reference.null", .init = pass_null },
    { .rule = "reference.wrong-delete", .init = delete_wrongly },
    { .rule = "reference.not-released", .init = get_chars },
    { .rule = "reference.release-unknown", .init = release_unknown },
    { .rule = "reference.critical-call", .init = call_in_critical },
    { .rule = "reference.global-growth", .init = make_globals },
    { .rule = "reference.cleared", .init = use_cleared },
    { .rule = "reference.wrong-kind", .init = take_object_for_class },
    { .rule = "reference.overrun", .init = write_beyond },
    { .rule = "reference.overrun/critical", .init = write_beyond_critical },
    { .rule = "reference.overrun/text", .init = write_characters },
    { .rule = "reference.release-mode", .init = release_by_length },
    { .rule = "reference.release-unknown/function", .init = release_as_chars },
    { .rule = "reference.global-lost", .load = watch_threads, .init = forget_globals },
    { .rule = "reference.wrong-kind/thread", .init = ask_no_thread },
    { .rule = "reference.wrong-kind/stop", .load = may_stop, .init = stop_with_string },
    { .rule = "reference.wrong-kind/array", .init = take_bytes_for_ints },
    { .rule = "reference.wrong-kind/throwable", .init = throw_string },
    { .rule = "reference.release-unknown/other", .init = release_other },
    { .rule = "reference.frame-left", .init = leave_frame },
    { .rule = "reference.local-growth", .init = run_thread },
    { .rule = NULL }
};
