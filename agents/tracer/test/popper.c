/* SPDX-License-Identifier: MIT */
/* agents/tracer/test/popper.c -- the agent whose Popped.pop ends a call unseen. */
#include <string.h>

#include <tiforge/tiforge.h>

static jvmtiEnv *environment;

JNIEXPORT void JNICALL
Java_Popped_pop(JNIEnv *jni, jclass klass, jthread thread)
{
    (void)klass;
    if (!TF_CALL(environment, SuspendThread, (environment, thread))
        || !TF_CALL(environment, PopFrame, (environment, thread))
        || !TF_CALL(environment, ResumeThread, (environment, thread)))
        (*jni)->FatalError(jni, "the frame is not popped");
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiCapabilities required;

    environment = agent->jvmti;
    memset(&required, 0, sizeof required);
    required.can_suspend = 1;
    required.can_pop_frame = 1;
    return tf_capabilities_add(environment, &required, NULL, NULL) ? TF_RUN : TF_FAILED;
}

TF_AGENT("popper", JVMTI_VERSION_1_0, start);
