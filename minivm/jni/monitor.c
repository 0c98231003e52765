/* SPDX-License-Identifier: MIT */
/* minivm/jni/monitor.c -- JNI "Monitor Operations". */

#include "jni/entry.h"
#include "jni/functions.h"

#include "runtime/exception.h"
#include "threads/monitor.h"

/* The NULL says that no Java frame enters the monitor, so it is left by MonitorExit or
   at the end of the thread only. */
jint JNICALL
jni_MonitorEnter(JNIEnv *env, jobject obj)
{
    VM_ENTRY(env);
    struct object *o = ref_get(obj);

    if (!o)
        THROW0(self, NullPointerException);
    return o && monitor_enter(self, o, NULL) ? JNI_OK : JNI_ERR;
}

jint JNICALL
jni_MonitorExit(JNIEnv *env, jobject obj)
{
    VM_ENTRY(env);
    struct object *o = ref_get(obj);

    if (!o)
        THROW0(self, NullPointerException);
    return o && monitor_exit(self, o) ? JNI_OK : JNI_ERR;
}
