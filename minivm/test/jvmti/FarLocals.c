/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/FarLocals.c -- slots that 16 bits do not reach. */

#include "check.h"

static jvmtiEnv *ti;
static jmethodID again, far_run;
static int entries, steps;
static jint early_value;

JNIEXPORT void JNICALL
Java_FarLocals_check(JNIEnv *jni, jclass c, jstring name, jboolean ok)
{
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);

    check(text, ok);
    (*jni)->ReleaseStringUTFChars(jni, name, text);
}

/* The frame of Far.run is below this one and look's. */
JNIEXPORT void JNICALL
Java_FarLocals_look(JNIEnv *jni, jclass c, jint slot, jint number)
{
    enum { DEPTH = 2 };
    jint i = 0, max = 0;
    jlong j = 0;
    jdouble d = 0;
    jfloat f = 0;
    jobject o = NULL;
    jmethodID method;
    jlocation location;
    const jlong big = 1LL << 40;
    jint error;

    (*ti)->GetFrameLocation(ti, NULL, DEPTH, &method, &location);
    (*ti)->GetMaxLocals(ti, method, &max);
    check_int("max_locals", max, 65535);
    check_int("GetLocalInt", (*ti)->GetLocalInt(ti, NULL, DEPTH, slot, &i), 0);
    check_int("int", i, number);
    check_int("GetLocalLong", (*ti)->GetLocalLong(ti, NULL, DEPTH, slot + 1, &j), 0);
    check_int("long", j, 1);
    check_int("GetLocalFloat", (*ti)->GetLocalFloat(ti, NULL, DEPTH, slot + 3, &f), 0);
    check("float", f == 1);
    error = (*ti)->GetLocalObject(ti, NULL, DEPTH, slot + 4, &o);
    check_int("GetLocalObject", error, 0);
    c = (*jni)->FindClass(jni, "java/lang/String");
    check("object", o != NULL && (*jni)->IsInstanceOf(jni, o, c));
    check_int("GetLocalDouble", (*ti)->GetLocalDouble(ti, NULL, DEPTH, 65533, &d), 0);
    check("double", d == 1);
    check_int("behind the last", (*ti)->GetLocalInt(ti, NULL, DEPTH, 65535, &i),
              JVMTI_ERROR_INVALID_SLOT);
    error = (*ti)->SetLocalInt(ti, NULL, DEPTH, slot, number + 100);
    check_int("SetLocalInt", error, 0);
    check_int("SetLocalLong", (*ti)->SetLocalLong(ti, NULL, DEPTH, slot + 1, big), 0);
    (*ti)->GetLocalLong(ti, NULL, DEPTH, slot + 1, &j);
    check_int("changed long", j, big);
}

JNIEXPORT jint JNICALL
Java_FarLocals_entered(JNIEnv *jni, jclass c)
{
    return entries;
}

JNIEXPORT void JNICALL
Java_FarLocals_setSteps(JNIEnv *jni, jclass c, jboolean on)
{
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                    JVMTI_EVENT_SINGLE_STEP, NULL);
    if (on)
        entries = 0;
    else if (steps)
        check("steps in the frame", steps > 32000 && steps < 33000);
    if (!again) {
        again = (*jni)->GetStaticMethodID(jni, c, "again", "(I)I");
        (*ti)->SetBreakpoint(ti, again, 0);
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    }
}

JNIEXPORT void JNICALL
Java_FarLocals_redefine(JNIEnv *jni, jclass c, jclass target, jbyteArray file)
{
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    jvmtiClassDefinition definition = {
        .klass = target,
        .class_byte_count = (*jni)->GetArrayLength(jni, file),
        .class_bytes = (const unsigned char *)bytes,
    };

    check_int("RedefineClasses", (*ti)->RedefineClasses(ti, 1, &definition), 0);
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
}

/* At its next visit of location, Far.run returns value. */
JNIEXPORT void JNICALL
Java_FarLocals_leaveEarly(JNIEnv *jni, jclass c, jclass target, jint location,
                          jint value)
{
    early_value = value;
    far_run = (*jni)->GetStaticMethodID(jni, target, "run", "(ILjava/lang/Object;)I");
    check_int("SetBreakpoint", (*ti)->SetBreakpoint(ti, far_run, location), 0);
}

/* Steps are counted in Far only. */
static void JNICALL
on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
        jlocation location)
{
    jint max = 0;

    (*env)->GetMaxLocals(env, method, &max);
    steps += max == 65535;
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    if (method == far_run) {
        check_int("ClearBreakpoint", (*env)->ClearBreakpoint(env, method, location), 0);
        check_int("ForceEarlyReturnInt",
                  (*env)->ForceEarlyReturnInt(env, thread, early_value), 0);
    } else if (++entries == 1) {
        (*env)->PopFrame(env, thread);
    }
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities capabilities = {
        .can_access_local_variables = 1,
        .can_pop_frame = 1,
        .can_force_early_return = 1,
        .can_redefine_classes = 1,
        .can_generate_single_step_events = 1,
        .can_generate_breakpoint_events = 1,
    };
    const jvmtiEventCallbacks callbacks = { .SingleStep = on_step,
                                            .Breakpoint = on_breakpoint };

    ti = make_env(vm, JVMTI_VERSION_1_2, &capabilities);
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return JNI_OK;
}
