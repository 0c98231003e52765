/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/jni.c -- JVM TI "JNI Function Interception".
 *
 * All threads share one table, which is changed in place: a JNIEnv that was read
 * before sees the change too.  The VM itself never calls through it. */

#include "jni/jni_floor.h"
#include "jvmti/env.h"

jvmtiError
jvmti_SetJNIFunctionTable(const jniNativeInterface *function_table)
{
    struct jvmti_vm *jvmti = current_thread->vm->jvmti;

    mutex_lock(&jvmti->mutex);
    jni_table_write(function_table);
    mutex_unlock(&jvmti->mutex);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetJNIFunctionTable(jniNativeInterface **function_table)
{
    struct jvmti_vm *jvmti = current_thread->vm->jvmti;
    jniNativeInterface *copy;

    TRY(jvmti_alloc(sizeof *copy, &copy));
    mutex_lock(&jvmti->mutex);
    jni_table_read(copy);
    mutex_unlock(&jvmti->mutex);
    *function_table = copy;
    return JVMTI_ERROR_NONE;
}
