/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/jni.c -- JVM TI "JNI Function Interception".
 *
 * All threads share one table, which is changed in place: a JNIEnv that was read
 * before sees the change too.  The VM itself never calls through it. */

#include "jni/entry.h"
#include "jvmti/env.h"

jvmtiError
jvmti_SetJNIFunctionTable(const jniNativeInterface *function_table)
{
    LOCK(&the_vm->jvmti->mutex);

    jni_table_write(function_table);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetJNIFunctionTable(jniNativeInterface **function_table)
{
    LOCK(&the_vm->jvmti->mutex);

    TRY(jvmti_alloc(sizeof **function_table, function_table));
    jni_table_read(*function_table);
    return JVMTI_ERROR_NONE;
}
