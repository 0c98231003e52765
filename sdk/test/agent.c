/* SPDX-License-Identifier: MIT */
/* An agent as authors write it for the JDK's headers; headers.t compiles it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jni.h>
#include <jvmti.h>

static jvmtiEnv *jvmti;
static jrawMonitorID lock;
static jint calls;

static void
check(jvmtiError error, const char *what)
{
    char *name = NULL;

    if (error == JVMTI_ERROR_NONE)
        return;
    (*jvmti)->GetErrorName(jvmti, error, &name);
    fprintf(stderr, "%s: %s\n", what, name != NULL ? name : "?");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void JNICALL
on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jclass string = (*jni)->FindClass(jni, "java/lang/String");
    jmethodID value_of = (*jni)->GetStaticMethodID(jni, string, "valueOf",
                                                   "(J)Ljava/lang/String;");
    jobject text = (*jni)->CallStaticObjectMethod(jni, string, value_of, (jlong)7);
    const char *chars = (*jni)->GetStringUTFChars(jni, text, NULL);
    jvmtiThreadInfo info;

    check((*env)->GetThreadInfo(env, thread, &info), "GetThreadInfo");
    printf("%s %s\n", info.name, chars);
    (*jni)->ReleaseStringUTFChars(jni, text, chars);
    (*env)->Deallocate(env, (unsigned char *)info.name);
    check((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION,
                                           NULL), "SetEventNotificationMode");
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    jvmtiFrameInfo frames[16];
    jint count;

    (void)jni, (void)method, (void)exception, (void)catch_method;
    (*env)->RawMonitorEnter(env, lock);
    calls++;
    (*env)->RawMonitorExit(env, lock);
    check((*env)->GetStackTrace(env, thread, 0, 16, frames, &count), "GetStackTrace");
    printf("%ld %ld %d\n", location, catch_location, count);
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag_ptr,
             jlong *referrer_tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)referrer_class_tag, (void)tag_ptr, (void)length;
    (void)referrer_tag_ptr;
    if (kind == JVMTI_HEAP_REFERENCE_FIELD)
        *(jlong *)user_data += size + info->field.index;
    return JVMTI_VISIT_OBJECTS;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiHeapCallbacks heap = { .heap_reference_callback = &on_reference };

    (void)options, (void)reserved, (void)heap;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof(capabilities));
    capabilities.can_generate_exception_events = 1;
    check((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities");
    check((*jvmti)->CreateRawMonitor(jvmti, "lock", &lock), "CreateRawMonitor");
    memset(&callbacks, 0, sizeof(callbacks));
    callbacks.VMInit = &on_vm_init;
    callbacks.Exception = &on_exception;
    check((*jvmti)->SetEventCallbacks(jvmti, &callbacks, (jint)sizeof(callbacks)),
          "SetEventCallbacks");
    check((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                                             (jthread)NULL), "SetEventNotificationMode");
    return JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
}
