/* SPDX-License-Identifier: MIT */
/* The natives of NativeThreads.java. */
#include <jni.h>
#include <pthread.h>
#include <stddef.h>

struct job {
    JavaVM *vm;
    jobject runnable;
    const char *name;
    int daemon;
    int result;
};

static void *
body(void *arg)
{
    struct job *job = arg;
    JavaVMAttachArgs args = { JNI_VERSION_1_8, (char *)job->name, NULL };
    JNIEnv *env;
    jclass c;

    if ((*job->vm)->GetEnv(job->vm, (void **)&env, JNI_VERSION_1_8) != JNI_EDETACHED) {
        job->result = -1;
        return NULL;
    }
    if ((job->daemon ? (*job->vm)->AttachCurrentThreadAsDaemon(job->vm, (void **)&env, &args)
         : (*job->vm)->AttachCurrentThread(job->vm, (void **)&env, &args)) != JNI_OK) {
        job->result = -2;
        return NULL;
    }
    c = (*env)->GetObjectClass(env, job->runnable);
    (*env)->CallVoidMethod(env, job->runnable, (*env)->GetMethodID(env, c, "run", "()V"));
    job->result = (*env)->ExceptionCheck(env) ? 2 : 1;
    (*env)->ExceptionClear(env);
    if ((*job->vm)->DetachCurrentThread(job->vm) != JNI_OK)
        job->result = -3;
    if ((*job->vm)->GetEnv(job->vm, (void **)&env, JNI_VERSION_1_8) != JNI_EDETACHED)
        job->result = -4;
    return NULL;
}

JNIEXPORT jint JNICALL
Java_NativeThreads_run(JNIEnv *env, jclass c, jobject runnable, jstring name, jboolean daemon,
                       jboolean leave)
{
    struct job job = { .daemon = daemon };
    pthread_t thread;

    (void)c;
    (void)leave;
    (*env)->GetJavaVM(env, &job.vm);
    job.runnable = (*env)->NewGlobalRef(env, runnable);
    job.name = (*env)->GetStringUTFChars(env, name, NULL);
    pthread_create(&thread, NULL, body, &job);
    pthread_join(thread, NULL);
    (*env)->ReleaseStringUTFChars(env, name, job.name);
    (*env)->DeleteGlobalRef(env, job.runnable);
    return job.result;
}

JNIEXPORT jboolean JNICALL
Java_NativeThreads_attachedHere(JNIEnv *env, jclass c)
{
    JavaVM *vm;
    JNIEnv *same;

    (void)c;
    (*env)->GetJavaVM(env, &vm);
    return (*vm)->GetEnv(vm, (void **)&same, JNI_VERSION_1_8) == JNI_OK && same == env
        && (*vm)->AttachCurrentThread(vm, (void **)&same, NULL) == JNI_OK && same == env;
}
