/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Groups.c -- GetThreadGroupChildren, for Groups.java. */

#include "check.h"

static jvmtiEnv *ti;

/* The group has one thread and two groups, in any order. */
JNIEXPORT void JNICALL
Java_Groups_run(JNIEnv *jni, jclass c, jthreadGroup group, jthreadGroup first,
                jthreadGroup second, jthread member, jboolean pending)
{
    jint thread_count = -1, group_count = -1, found = 0;
    jthread *threads = NULL;
    jthreadGroup *groups = NULL;
    jvmtiError error;

    if (pending)
        (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"),
                         "pending");
    error = (*ti)->GetThreadGroupChildren(ti, group, &thread_count, &threads,
                                          &group_count, &groups);
    if (!check_int(pending ? "while an exception is pending" : "succeeds", error, 0))
        return;
    if (check_int("one thread", thread_count, 1))
        check("that one", (*jni)->IsSameObject(jni, threads[0], member));
    for (jint i = 0; i < group_count; i++)
        found += (*jni)->IsSameObject(jni, groups[i], first)
                     ? 1
                     : (*jni)->IsSameObject(jni, groups[i], second) ? 2 : 100;
    check_int("two groups", group_count, 2);
    check_int("those two", found, 3);
    (*ti)->Deallocate(ti, (unsigned char *)threads);
    (*ti)->Deallocate(ti, (unsigned char *)groups);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    ti = make_env(vm, JVMTI_VERSION_11, NULL);
    return JNI_OK;
}
