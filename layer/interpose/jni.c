/* SPDX-License-Identifier: MIT */
/* layer/interpose/jni.c -- the JNIEnv that an agent gets, and its calls. */
#include "layer/interpose/wrappers.h"

#include <pthread.h>

/* The table of level 24 has a function more than the header's. */
static struct {
    struct JNINativeInterface_ table;
    jlong (JNICALL *GetStringUTFLengthAsLong)(JNIEnv *env, jstring string);
} wrapped;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static JNIEnv *any_real;

static jlong JNICALL
get_string_utf_length_as_long(JNIEnv *env, jstring string)
{
    union interpose_arg args[] = { { .p = string }, { .j = 0 } };
    struct interpose_jni_call call = { .function = INTERPOSE_JNI_GetStringUTFLengthAsLong,
                                       .args = args,
                                       .caller = __builtin_return_address(0) };

    if (interpose_jni_begin(&call, env)) {
        jlong (JNICALL *real)(JNIEnv *, jstring) =
            ((__typeof__(real) const *)*call.real)[INTERPOSE_JNI_GetStringUTFLengthAsLong];

        call.result.j = real(call.real, args[0].p);
    }
    interpose_jni_end(&call);
    return call.result.j;
}

/* A VM's table ends with the last function of its level. */
static void
fill_table(void)
{
    jint level = (*any_real)->GetVersion(any_real) >> 16;

    interpose_fill_jni(&wrapped.table, level);
    if (level >= 24)
        wrapped.GetStringUTFLengthAsLong = get_string_utf_length_as_long;
}

JNIEnv *
interpose_jni_for(struct interpose_vm *vm, struct interpose_thread *thread, JNIEnv *real)
{
    struct interpose_jni *jni = &thread->jni;

    if (real == NULL || !vm->is_jni_wrapped)
        return real;
    if (jni->real != real || jni->vm != vm) {
        __atomic_store_n(&any_real, real, __ATOMIC_RELAXED);
        pthread_once(&once, fill_table);
        *jni = (struct interpose_jni){ &wrapped.table, real, thread, vm };
    }
    return (JNIEnv *)&jni->functions;
}

bool
interpose_jni_begin(struct interpose_jni_call *call, JNIEnv *env)
{
    call->jni = (struct interpose_jni *)env;
    call->real = call->jni->real;
    call->thread = interpose_thread_self();
    call->result.j = 0;
    call->data = NULL;
    if (!interposed_jni_begin(call))
        return false;
    if (call->function == INTERPOSE_JNI_GetJavaVM && call->args[0].p != NULL) {
        call->result.i = interpose_get_java_vm(call->jni->vm, call->args[0].p);
        return false;
    }
    return true;
}

void
interpose_jni_end(struct interpose_jni_call *call)
{
    interposed_jni_end(call);
}
