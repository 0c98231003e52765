/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/reference.c -- references, strings and arrays. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>

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

const struct misuse_case reference_cases[] = {
    { .rule = "reference.stale", .init = use_deleted },
    { .rule = "reference.kept", .load = watch_prepares, .init = keep },
    { .rule = "reference.local-overflow", .init = make_locals },
    { .rule = "reference.null", .init = pass_null },
    { .rule = "reference.wrong-delete", .init = delete_wrongly },
    { .rule = "reference.not-released", .init = get_chars },
    { .rule = "reference.release-unknown", .init = release_unknown },
    { .rule = "reference.critical-call", .init = call_in_critical },
    { .rule = "reference.global-growth", .init = make_globals },
    { .rule = NULL }
};
