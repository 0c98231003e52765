/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/jni.c -- JVM TI "JNI Function Interception".
 *
 * All threads share one table (jni/table.c), which is changed in place, so a change is
 * seen also through a JNIEnv that native code has read before.  The VM itself never
 * calls through the table.  The mutex keeps two agents from changing it at once. */

#include "jni/entry.h"
#include "jvmti/env.h"

jvmtiError
jvmti_SetJNIFunctionTable(const jniNativeInterface *function_table)
{
    LOCK(&the_vm->jvmti->mutex);

    jni_table_write(the_vm, (void *const *)function_table);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetJNIFunctionTable(jniNativeInterface **function_table)
{
    void **copy;
    LOCK(&the_vm->jvmti->mutex);

    TRY(JVMTI_ALLOC(jni_table_length(the_vm), &copy));
    jni_table_read(the_vm, copy);
    *function_table = (jniNativeInterface *)copy;
    return JVMTI_ERROR_NONE;
}
