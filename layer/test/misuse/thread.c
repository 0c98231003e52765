/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/thread.c -- attaching and suspending. */
#include "layer/test/misuse/misuse.h"

#include <pthread.h>
#include <stddef.h>

static void
run_native(void *(*run)(void *), struct misuse *m)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, m) == 0)
        pthread_join(thread, NULL);
}

static void *
call_unattached(void *data)
{
    struct misuse *m = data;
    jint count;
    void *env;

    if (m->right)
        (*m->vm)->AttachCurrentThread(m->vm, &env, NULL);
    (*m->jvmti)->GetAvailableProcessors(m->jvmti, &count);
    if (m->right)
        (*m->vm)->DetachCurrentThread(m->vm);
    return NULL;
}

static void
unattached(struct misuse *m)
{
    run_native(call_unattached, m);
}

static void *
use_foreign(void *data)
{
    struct misuse *m = data;
    void *env;
    JNIEnv *jni;

    (*m->vm)->AttachCurrentThread(m->vm, &env, NULL);
    jni = m->right ? env : m->jni;
    (*jni)->FindClass(jni, "java/lang/String");
    (*m->vm)->DetachCurrentThread(m->vm);
    return NULL;
}

static void
foreign(struct misuse *m)
{
    run_native(use_foreign, m);
}

static void *
end_attached(void *data)
{
    struct misuse *m = data;
    void *env;

    (*m->vm)->AttachCurrentThreadAsDaemon(m->vm, &env, NULL);
    if (m->right)
        (*m->vm)->DetachCurrentThread(m->vm);
    return NULL;
}

static void
ended(struct misuse *m)
{
    run_native(end_attached, m);
}

static int attached, is_over;

static void *
stay_attached(void *data)
{
    struct misuse *m = data;
    void *env;

    if (m->right)
        (*m->vm)->AttachCurrentThreadAsDaemon(m->vm, &env, NULL);
    else
        (*m->vm)->AttachCurrentThread(m->vm, &env, NULL);
    misuse_signal(&attached, 1);
    misuse_await(&is_over, 1);
    return NULL;
}

static void
stay(struct misuse *m)
{
    pthread_t thread;

    pthread_create(&thread, NULL, stay_attached, m);
    pthread_detach(thread);
    misuse_await(&attached, 1);
}

/* ---- suspending ---- */

static int go_on;

static void JNICALL
sleep_until_told(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jvmti, (void)jni, (void)arg;
    misuse_signal(&attached, 1);
    misuse_await(&go_on, 1);
}

static void
can_suspend(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_suspend);
}

static jthread
suspend_one(struct misuse *m)
{
    jthread thread = misuse_thread(m, sleep_until_told, NULL);

    misuse_await(&attached, 1);
    misuse_must((*m->jvmti)->SuspendThread(m->jvmti, thread), "SuspendThread");
    return thread;
}

static void
never_resume(struct misuse *m)
{
    jthread thread = suspend_one(m);

    if (m->right) {
        misuse_must((*m->jvmti)->ResumeThread(m->jvmti, thread), "ResumeThread");
        misuse_signal(&go_on, 1);
    }
}

static void
resume_twice(struct misuse *m)
{
    jthread thread = suspend_one(m);

    (*m->jvmti)->ResumeThread(m->jvmti, thread);
    if (!m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_signal(&go_on, 1);
}

static void
suspend_twice(struct misuse *m)
{
    jthread thread = suspend_one(m);

    if (!m->right)
        (*m->jvmti)->SuspendThread(m->jvmti, thread);
    (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_signal(&go_on, 1);
}

static void JNICALL
suspend_self(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    struct misuse *m = arg;

    (void)jni;
    misuse_signal(&attached, 1);
    if (!m->right)
        (*jvmti)->SuspendThread(jvmti, NULL);
}

static void
suspends_itself(struct misuse *m)
{
    jthread thread = misuse_thread(m, suspend_self, m);
    jint state = 0;

    misuse_await(&attached, 1);
    while (!m->right && !(state & JVMTI_THREAD_STATE_SUSPENDED))
        (*m->jvmti)->GetThreadState(m->jvmti, thread, &state);
    if (!m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
}

static void
detach_main(struct misuse *m)
{
    void *env;
    bool was_attached = (*m->vm)->GetEnv(m->vm, &env, JNI_VERSION_1_2) == JNI_OK;

    (*m->vm)->AttachCurrentThread(m->vm, &env, NULL);
    if (!was_attached || !m->right)
        (*m->vm)->DetachCurrentThread(m->vm);
}

static void *
use_detached(void *data)
{
    struct misuse *m = data;
    JNIEnv *jni;

    if ((*m->vm)->AttachCurrentThread(m->vm, (void **)&jni, NULL) != JNI_OK)
        return NULL;
    if (m->right)
        (*jni)->GetVersion(jni);
    (*m->vm)->DetachCurrentThread(m->vm);
    if (!m->right)
        (*jni)->GetVersion(jni);
    return NULL;
}

static void
detached(struct misuse *m)
{
    run_native(use_detached, m);
}

static void
destroy_vm(struct misuse *m)
{
    if (!m->right)
        (*m->vm)->DestroyJavaVM(m->vm);
}

static void
can_pop(struct misuse *m)
{
    can_suspend(m);
    MISUSE_CAPABILITY(m, can_pop_frame);
}

/* The thread has no frame that could be popped, but that is another error. */
static void
pop_frame(struct misuse *m)
{
    jthread thread = suspend_one(m);

    if (!m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
    (*m->jvmti)->PopFrame(m->jvmti, thread);
    if (m->right)
        (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_signal(&go_on, 1);
}

const struct misuse_case thread_cases[] = {
    { .rule = "thread.detached-java", .init = detach_main },
    { .rule = "thread.unattached", .init = unattached },
    { .rule = "thread.foreign-jnienv", .init = foreign },
    { .rule = "thread.foreign-jnienv/detached", .init = detached },
    { .rule = "thread.destroys-vm", .init = destroy_vm },
    { .rule = "thread.not-suspended", .load = can_pop, .init = pop_frame },
    { .rule = "thread.ended-attached", .init = ended },
    { .rule = "thread.attached-at-exit", .init = stay },
    { .rule = "thread.attached-at-exit/return", .init = stay },
    { .rule = "thread.never-resumed", .load = can_suspend, .init = never_resume },
    { .rule = "thread.resume-not-suspended", .load = can_suspend, .init = resume_twice },
    { .rule = "thread.suspended-twice", .load = can_suspend, .init = suspend_twice },
    { .rule = "thread.suspends-itself", .load = can_suspend, .init = suspends_itself },
    { .rule = NULL }
};
