/* SPDX-License-Identifier: MIT */
/* The C++ form: inline members, the class hierarchy of references. */
#include <cstdio>
#include <cstring>

#include <jvmti.h>

static jvmtiEnv *jvmti;

static jobjectArray
names(JNIEnv *jni, jclass klass)
{
    jstring first = jni->NewStringUTF("first");
    jobjectArray array = jni->NewObjectArray(1, jni->FindClass("java/lang/String"), first);
    jthrowable thrown = jni->ExceptionOccurred();

    if (thrown != nullptr) {
        jni->ExceptionClear();
        jni->DeleteLocalRef(thrown);
    }
    jmethodID name = jni->GetMethodID(klass, "getName", "()Ljava/lang/String;");
    jobject text = jni->CallObjectMethod(klass, name);
    jni->SetObjectArrayElement(array, 0, static_cast<jstring>(text));
    jni->CallVoidMethod(array, name, 1, 2.0);
    return array;
}

static void JNICALL
on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature;
    jvmtiThreadInfo info;

    if (env->GetClassSignature(klass, &signature, nullptr) != JVMTI_ERROR_NONE)
        return;
    std::printf("%s %d\n", signature, static_cast<int>(jni->GetArrayLength(names(jni, klass))));
    env->Deallocate(reinterpret_cast<unsigned char *>(signature));
    env->GetThreadInfo(thread, &info);
}

extern "C" JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *, void *)
{
    jvmtiEventCallbacks callbacks;

    if (vm->GetEnv(reinterpret_cast<void **>(&jvmti), JVMTI_VERSION_1_1) != JNI_OK)
        return JNI_ERR;
    std::memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassPrepare = on_class_prepare;
    jvmti->SetEventCallbacks(&callbacks, sizeof callbacks);
    jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr);
    return JNI_OK;
}
