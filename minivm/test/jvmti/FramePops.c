/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/FramePops.c -- the agent of FramePops.java, with two environments: each
 * asks for FramePop, and may ask again in its callback. */

#include "check.h"

static jvmtiEnv *environments[2];
static jthread noted;   /* whose events are written down */
static jmethodID about; /* the method whose ends are */
static jint again = -1; /* the depth that a callback asks for; -1: for none */
static char text[400];
static jint results[8]; /* of the requests that callbacks made */
static jint result_count;

static void JNICALL
on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown)
{
    char *name = NULL;
    size_t length = strlen(text);

    if (noted == NULL || !(*jni)->IsSameObject(jni, thread, noted))
        return;
    (*env)->GetMethodName(env, method, &name, NULL, NULL);
    snprintf(text + length, sizeof text - length, "%d:%s%s ", env == environments[1],
             name, thrown ? "!" : "");
    (*env)->Deallocate(env, (unsigned char *)name);
    if (again >= 0 && method == about && result_count < 8)
        results[result_count++] = (*env)->NotifyFramePop(env, NULL, again);
}

/* Asks for the caller's frame in the environment. */
JNIEXPORT jint JNICALL
Java_FramePops_ask(JNIEnv *jni, jclass c, jint environment)
{
    return (*environments[environment])
        ->NotifyFramePop(environments[environment], NULL, 1);
}

/* Begins to note events of the calling thread; callbacks for the method ask again for the
   frame at that depth. */
JNIEXPORT void JNICALL
Java_FramePops_begin(JNIEnv *jni, jclass c, jstring method, jstring type, jint depth)
{
    const char *name = (*jni)->GetStringUTFChars(jni, method, NULL);
    const char *descriptor = (*jni)->GetStringUTFChars(jni, type, NULL);
    jthread current = NULL;

    about = (*jni)->GetStaticMethodID(jni, c, name, descriptor);
    (*jni)->ReleaseStringUTFChars(jni, method, name);
    (*jni)->ReleaseStringUTFChars(jni, type, descriptor);
    text[0] = '\0';
    result_count = 0;
    again = depth;
    (*environments[0])->GetCurrentThread(environments[0], &current);
    noted = (*jni)->NewGlobalRef(jni, current);
}

/* Ends that; returns what was noted, and the results of the requests. */
JNIEXPORT jstring JNICALL
Java_FramePops_take(JNIEnv *jni, jclass c)
{
    size_t length = strlen(text);

    (*jni)->DeleteGlobalRef(jni, noted);
    noted = NULL;
    for (jint i = 0; i < result_count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d ",
                                   results[i]);
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jint JNICALL
Java_FramePops_leaveEarly(JNIEnv *jni, jclass c, jthread t, jint value)
{
    return (*environments[0])->ForceEarlyReturnInt(environments[0], t, value);
}

JNIEXPORT jint JNICALL
Java_FramePops_suspend(JNIEnv *jni, jclass c, jthread t, jboolean on)
{
    return on ? (*environments[0])->SuspendThread(environments[0], t)
              : (*environments[0])->ResumeThread(environments[0], t);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities capabilities[2] = {
        { .can_generate_frame_pop_events = 1,
          .can_suspend = 1,
          .can_force_early_return = 1 },
        /* Some VMs give the others to one environment only. */
        { .can_generate_frame_pop_events = 1 },
    };
    const jvmtiEventCallbacks callbacks = { .FramePop = on_pop };

    for (int i = 0; i < 2; i++) {
        if ((*vm)->GetEnv(vm, (void **)&environments[i], JVMTI_VERSION_11) != JNI_OK
            || (*environments[i])->AddCapabilities(environments[i], &capabilities[i]))
            return JNI_ERR;
        (*environments[i])
            ->SetEventCallbacks(environments[i], &callbacks, sizeof callbacks);
        (*environments[i])
            ->SetEventNotificationMode(environments[i], JVMTI_ENABLE,
                                       JVMTI_EVENT_FRAME_POP, NULL);
    }
    return JNI_OK;
}
