/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Exceptions.c -- the events Exception and ExceptionCatch of the class
 * Exceptions and of exceptions of its own class, in words. */

#include "check.h"

static jvmtiEnv *ti;
static char story[1000];
static jclass own_class, program;
static jfieldID message_field;

static void
say(const char *text)
{
    strncat(story, text, sizeof story - strlen(story) - 1);
}

static void
say_method(jmethodID method)
{
    char *name;

    if (method == NULL) {
        say("-");
        return;
    }
    (*ti)->GetMethodName(ti, method, &name, NULL, NULL);
    say(name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
}

static void
say_exception(JNIEnv *jni, jobject exception)
{
    if (exception == NULL) {
        say("null");
        return;
    }
    jstring message = (*jni)->GetObjectField(jni, exception, message_field);
    const char *text = (*jni)->GetStringUTFChars(jni, message, NULL);
    say(text);
    (*jni)->ReleaseStringUTFChars(jni, message, text);
}

static bool
is_ours(JNIEnv *jni, jmethodID method)
{
    jclass declaring;

    (*ti)->GetMethodDeclaringClass(ti, method, &declaring);
    return (*jni)->IsSameObject(jni, declaring, program);
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    if (program == NULL || !(*jni)->IsInstanceOf(jni, exception, own_class))
        return;
    say(story[0] ? " throw:" : "throw:");
    say_method(method);
    say(":");
    say_exception(jni, exception);
    say(":");
    say_method(catch_method);
}

static void JNICALL
on_catch(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
         jlocation location, jobject exception)
{
    if (program == NULL || !is_ours(jni, method)
        || (exception != NULL && !(*jni)->IsInstanceOf(jni, exception, own_class)))
        return;
    say(story[0] ? " catch:" : "catch:");
    say_method(method);
    say(":");
    say_exception(jni, exception);
}

JNIEXPORT void JNICALL
Java_Exceptions_begin(JNIEnv *jni, jclass c, jthrowable watched)
{
    jclass throwable = (*jni)->FindClass(jni, "java/lang/Throwable");

    message_field =
        (*jni)->GetFieldID(jni, throwable, "detailMessage", "Ljava/lang/String;");
    if (program == NULL) {
        own_class = (*jni)->NewGlobalRef(jni, (*jni)->GetObjectClass(jni, watched));
        program = (*jni)->NewGlobalRef(jni, c);
    }
    story[0] = '\0';
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION_CATCH, NULL);
}

JNIEXPORT jstring JNICALL
Java_Exceptions_end(JNIEnv *jni, jclass c)
{
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION_CATCH,
                                    NULL);
    return (*jni)->NewStringUTF(jni, story);
}

JNIEXPORT void JNICALL
Java_Exceptions_pass(JNIEnv *jni, jclass c, jobject r)
{
    jclass runnable = (*jni)->FindClass(jni, "java/lang/Runnable");

    (*jni)->CallVoidMethod(jni, r, (*jni)->GetMethodID(jni, runnable, "run", "()V"));
}

static jthrowable
take(JNIEnv *jni)
{
    jthrowable t = (*jni)->ExceptionOccurred(jni);

    (*jni)->ExceptionClear(jni);
    return t;
}

JNIEXPORT void JNICALL
Java_Exceptions_swallow(JNIEnv *jni, jclass c, jobject r)
{
    Java_Exceptions_pass(jni, c, r);
    take(jni);
}

JNIEXPORT void JNICALL
Java_Exceptions_again(JNIEnv *jni, jclass c, jobject r)
{
    Java_Exceptions_pass(jni, c, r);
    (*jni)->Throw(jni, take(jni));
}

JNIEXPORT void JNICALL
Java_Exceptions_other(JNIEnv *jni, jclass c, jobject r, jthrowable t)
{
    Java_Exceptions_pass(jni, c, r);
    take(jni);
    (*jni)->Throw(jni, t);
}

JNIEXPORT void JNICALL
Java_Exceptions_raise(JNIEnv *jni, jclass c, jthrowable t)
{
    (*jni)->Throw(jni, t);
}

JNIEXPORT void JNICALL
Java_Exceptions_inside(JNIEnv *jni, jclass c, jthrowable t)
{
    (*jni)->Throw(jni, t);
    take(jni);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_generate_exception_events = 1 };
    jvmtiEventCallbacks callbacks = { .Exception = on_exception,
                                      .ExceptionCatch = on_catch };

    ti = make_env(vm, JVMTI_VERSION_1_0, &wanted);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return JNI_OK;
}
