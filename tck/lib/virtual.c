/* SPDX-License-Identifier: MIT */
#include "tck/lib/virtual.h"

#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_THREADS 16
#define MAX_FRAMES 256

/* Global references to the threads of the running case. */
static struct virtual_thread made[MAX_THREADS];
static int made_count;
/* The monitor that the case's thread holds in order to block another on it; or NULL. */
static jobject held;

static const struct {
    const char *name, *signature;
} methods[] = { { "run", "()V" },
                { "outer", "(I)V" },
                { "middle", "()V" },
                { "hold", "(IJFDLjava/lang/Object;)V" },
                { "take", "(IJFDLjava/lang/Object;)V" },
                { "park", "()V" },
                { "callBack", "()V" },
                { "block", "()V" },
                { "callee", "(I)I" },
                { "yielding", "()I" },
                { "fail", "()V" },
                { "perform", "(IJFDLjava/lang/Object;)V" },
                { "parkAgain", "()V" },
                { "answerInt", "()I" },
                { "answerLong", "()J" },
                { "answerFloat", "()F" },
                { "answerDouble", "()D" },
                { "answerObject", "()Ljava/lang/Object;" } };

jmethodID
virtual_method(struct tck *t, const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, name) == 0)
            return stage_method(t, "tck/Virtual", name, methods[i].signature, false);
    tck_fail(t, "no method tck.Virtual.%s", name);
    return NULL;
}

/* Did a call of Java go well? */
static bool
went_well(struct tck *t, const char *what)
{
    if (!(*t->jni)->ExceptionCheck(t->jni))
        return true;
    (*t->jni)->ExceptionDescribe(t->jni);
    (*t->jni)->ExceptionClear(t->jni);
    tck_fail(t, "%s threw an exception", what);
    return false;
}

static jmethodID
instance_method(struct tck *t, const char *name, const char *signature)
{
    return stage_method(t, "tck/Virtual", name, signature, false);
}

void
virtual_call(struct tck *t, const struct virtual_thread *v, const char *name)
{
    (*t->jni)->CallVoidMethod(t->jni, v->stage, instance_method(t, name, "()V"));
    went_well(t, name);
}

void
virtual_call_int(struct tck *t, const struct virtual_thread *v, const char *name,
                 jint value)
{
    (*t->jni)->CallVoidMethod(t->jni, v->stage, instance_method(t, name, "(I)V"),
                              value);
    went_well(t, name);
}

bool
virtual_create(struct tck *t, char place, int more, struct virtual_thread *v)
{
    v->thread = NULL;
    v->stage = stage_call(t, "tck/Virtual", "create", "(II)Ltck/Virtual;", (jint)place,
                          (jint)more);
    if (v->stage == NULL || made_count == MAX_THREADS) {
        tck_fail(t, "no virtual thread could be made");
        return false;
    }
    v->thread = stage_get(t, v->stage, "thread", "Ljava/lang/Thread;");
    made[made_count++] = (struct virtual_thread){
        (*t->jni)->NewGlobalRef(t->jni, v->stage),
        (*t->jni)->NewGlobalRef(t->jni, v->thread)
    };
    return true;
}

bool
virtual_begin(struct tck *t, struct virtual_thread *v)
{
    virtual_call(t, v, "start");
    return !t->failed;
}

bool
virtual_start_deeper(struct tck *t, char place, int more, struct virtual_thread *v)
{
    if (!virtual_create(t, place, more, v))
        return false;
    if (place == 'B') {
        held = (*t->jni)->NewGlobalRef(
            t->jni, stage_get(t, v->stage, "first", "Ljava/lang/Object;"));
        (*t->jni)->MonitorEnter(t->jni, held);
    }
    return virtual_begin(t, v);
}

bool
virtual_start(struct tck *t, char place, struct virtual_thread *v)
{
    return virtual_start_deeper(t, place, 0, v);
}

bool
virtual_suspended(struct tck *t, char place, struct virtual_thread *v)
{
    if (!tck_has(t, "can_suspend")) {
        tck_skip(t, "the VM does not offer can_suspend");
        return false;
    }
    return virtual_start(t, place, v)
           && tck_want(t, "SuspendThread(virtual thread)", JVMTI_ERROR_NONE,
                       (*t->jvmti)->SuspendThread(t->jvmti, v->thread));
}

bool
virtual_ended(struct tck *t, struct virtual_thread *v)
{
    return virtual_start(t, 'P', v) && virtual_finish(t, v);
}

static void
release_monitor(struct tck *t)
{
    if (held == NULL)
        return;
    (*t->jni)->MonitorExit(t->jni, held);
    (*t->jni)->DeleteGlobalRef(t->jni, held);
    held = NULL;
}

void
virtual_let_go(struct tck *t, const struct virtual_thread *v)
{
    release_monitor(t);
    virtual_call(t, v, "letGo");
}

bool
virtual_finish(struct tck *t, const struct virtual_thread *v)
{
    jint state = 0;
    jboolean ends;

    release_monitor(t);
    if ((*t->jvmti)->GetThreadState(t->jvmti, v->thread, &state) == JVMTI_ERROR_NONE
        && (state & JVMTI_THREAD_STATE_SUSPENDED) != 0)
        (*t->jvmti)->ResumeThread(t->jvmti, v->thread);
    ends = (*t->jni)->CallBooleanMethod(t->jni, v->stage,
                                        instance_method(t, "finish", "()Z"));
    if (!went_well(t, "finish"))
        return false;
    if (!ends)
        tck_fail(t, "a virtual thread did not end after it was let go");
    return ends;
}

void
virtual_release_all(struct tck *t)
{
    while (made_count > 0) {
        struct virtual_thread v = made[--made_count];

        virtual_finish(t, &v);
        (*t->jni)->DeleteGlobalRef(t->jni, v.stage);
        (*t->jni)->DeleteGlobalRef(t->jni, v.thread);
    }
}

jint
virtual_depth(struct tck *t, jthread thread, jmethodID method)
{
    jvmtiFrameInfo frames[MAX_FRAMES];
    jint count = 0;

    tck_want(
        t, "GetStackTrace(virtual thread)", JVMTI_ERROR_NONE,
        (*t->jvmti)->GetStackTrace(t->jvmti, thread, 0, MAX_FRAMES, frames, &count));
    for (jint i = 0; i < count; i++)
        if (frames[i].method == method)
            return i;
    tck_fail(t, "the method has no frame in the virtual thread's stack");
    return -1;
}

/* -- natives of tck.Virtual, bound by name -- */

JNIEXPORT void JNICALL
Java_tck_Virtual_block(JNIEnv *jni, jobject stage)
{
    jclass klass = (*jni)->GetObjectClass(jni, stage);
    jfieldID go = (*jni)->GetFieldID(jni, klass, "go", "Z");
    /* Seldom in the VM, since it is to be found in native code. */
    struct timespec pause = { 0, 20000000 };

    while (!(*jni)->GetBooleanField(jni, stage, go))
        nanosleep(&pause, NULL);
}

JNIEXPORT void JNICALL
Java_tck_Virtual_callBack(JNIEnv *jni, jobject stage)
{
    jclass klass = (*jni)->GetObjectClass(jni, stage), model;
    jmethodID hold = (*jni)->GetMethodID(jni, klass, "hold",
                                         "(IJFDLjava/lang/Object;)V");
    jvalue args[5] = { { .i = 11 }, { .j = 22 }, { .f = 3.5f }, { .d = 4.25 } };

    model = (*jni)->FindClass(jni, "tck/Model");
    args[4].l = (*jni)->NewObject(jni, model,
                                  (*jni)->GetMethodID(jni, model, "<init>", "()V"));
    (*jni)->CallVoidMethodA(jni, stage, hold, args);
}
