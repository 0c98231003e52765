/* SPDX-License-Identifier: MIT */
/* The natives of NativeCalls.java. */
#include <jni.h>
#include <stdint.h>
#include <string.h>

#define N(type, name) JNIEXPORT type JNICALL Java_NativeCalls_##name

static jint
triple(JNIEnv *env, jclass c, jint x)
{
    (void)env;
    (void)c;
    return 3 * x;
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    JNINativeMethod m = { "registered", "(I)I", (void *)triple };

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    (*env)->RegisterNatives(env, (*env)->FindClass(env, "NativeCalls"), &m, 1);
    return JNI_VERSION_1_8;
}

N(jint, add)(JNIEnv *env, jclass c, jint a, jint b)
{
    (void)env;
    (void)c;
    return (jint)((unsigned)a + (unsigned)b);
}

N(jlong, mixed)(JNIEnv *env, jclass cls, jboolean z, jbyte b, jchar c, jshort s, jint i,
                jlong l, jfloat f, jdouble d, jint i2, jlong l2, jfloat f2, jdouble d2,
                jfloat f3, jdouble d3, jfloat f4, jdouble d4, jfloat f5, jbyte b2, jobject o)
{
    double sum = f + 3 * d + 5 * f2 + 7 * d2 + 11 * f3 + 13 * d3 + 17 * f4 + 19 * d4
        + 23 * f5;

    (void)cls;
    return z + 2 * b + 3 * c + 5 * s + 7 * i + 11 * l + 13 * i2 + 17 * l2 + 19 * b2
        + (jlong)(2 * sum) + (*env)->GetStringLength(env, o);
}

N(jfloat, half)(JNIEnv *env, jclass c, jfloat f)
{
    (void)env;
    (void)c;
    return f / 2;
}

N(jdouble, scale)(JNIEnv *env, jclass c, jdouble d, jfloat f)
{
    (void)env;
    (void)c;
    return d * f;
}

N(jboolean, not)(JNIEnv *env, jclass c, jboolean z)
{
    (void)env;
    (void)c;
    return !z;
}

N(jbyte, nextByte)(JNIEnv *env, jclass c, jbyte b)
{
    (void)env;
    (void)c;
    return (jbyte)(b + 1);
}

N(jchar, nextChar)(JNIEnv *env, jclass c, jchar x)
{
    (void)env;
    (void)c;
    return (jchar)(x + 1);
}

N(jshort, nextShort)(JNIEnv *env, jclass c, jshort s)
{
    (void)env;
    (void)c;
    return (jshort)(s + 1);
}

N(jstring, describe)(JNIEnv *env, jobject self, jstring prefix)
{
    jclass c = (*env)->GetObjectClass(env, self);
    jfieldID count = (*env)->GetFieldID(env, c, "count", "I");
    jmethodID concat;
    jstring text = (*env)->NewStringUTF(env, "#");
    jclass string = (*env)->FindClass(env, "java/lang/String");
    jmethodID value = (*env)->GetStaticMethodID(env, string, "valueOf",
                                                "(I)Ljava/lang/String;");
    jobject number = (*env)->CallStaticObjectMethod(env, string, value,
                                                    (*env)->GetIntField(env, self, count));

    concat = (*env)->GetMethodID(env, string, "concat",
                                 "(Ljava/lang/String;)Ljava/lang/String;");
    text = (*env)->CallObjectMethod(env, prefix, concat, text);
    return (*env)->CallObjectMethod(env, text, concat, number);
}

N(void, bump)(JNIEnv *env, jobject self, jint by)
{
    jclass c = (*env)->GetObjectClass(env, self);
    jfieldID count = (*env)->GetFieldID(env, c, "count", "I");
    jfieldID ratio = (*env)->GetFieldID(env, c, "ratio", "D");
    jfieldID shared = (*env)->GetStaticFieldID(env, c, "shared", "Ljava/lang/String;");

    (*env)->SetIntField(env, self, count, (*env)->GetIntField(env, self, count) + by);
    (*env)->SetDoubleField(env, self, ratio, 4 * (*env)->GetDoubleField(env, self, ratio));
    (*env)->SetStaticObjectField(env, c, shared, (*env)->NewStringUTF(env, "set by C"));
}

N(jint, sum)(JNIEnv *env, jclass c, jintArray a)
{
    jsize n = (*env)->GetArrayLength(env, a);
    jint *p = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    jint total = n;

    (void)c;
    for (jsize i = 0; i < n; i++)
        total += p[i];
    (*env)->ReleasePrimitiveArrayCritical(env, a, p, JNI_ABORT);
    return total;
}

N(jbyteArray, reverse)(JNIEnv *env, jclass c, jbyteArray a)
{
    jsize n = (*env)->GetArrayLength(env, a);
    jbyteArray result = (*env)->NewByteArray(env, n);
    jbyte *p = (*env)->GetByteArrayElements(env, a, NULL);

    (void)c;
    for (jsize i = 0; i < n; i++)
        (*env)->SetByteArrayRegion(env, result, n - 1 - i, 1, p + i);
    (*env)->ReleaseByteArrayElements(env, a, p, JNI_ABORT);
    return result;
}

N(jobjectArray, split)(JNIEnv *env, jclass c, jstring s, jchar at)
{
    jsize n = (*env)->GetStringLength(env, s), parts = 1, from = 0, k = 0;
    const jchar *p = (*env)->GetStringChars(env, s, NULL);
    jobjectArray result;

    (void)c;
    for (jsize i = 0; i < n; i++)
        parts += p[i] == at;
    result = (*env)->NewObjectArray(env, parts,
                                    (*env)->FindClass(env, "java/lang/String"), NULL);
    for (jsize i = 0; i <= n; i++) {
        if (i == n || p[i] == at) {
            jstring part = (*env)->NewString(env, p + from, i - from);

            (*env)->SetObjectArrayElement(env, result, k++, part);
            (*env)->DeleteLocalRef(env, part);
            from = i + 1;
        }
    }
    (*env)->ReleaseStringChars(env, s, p);
    return result;
}

static void
run(JNIEnv *env, jobject r)
{
    jclass c = (*env)->GetObjectClass(env, r);

    (*env)->CallVoidMethod(env, r, (*env)->GetMethodID(env, c, "run", "()V"));
}

N(jobject, call)(JNIEnv *env, jclass c, jobject r, jint times)
{
    jclass integer = (*env)->FindClass(env, "java/lang/Integer");

    (void)c;
    for (jint i = 0; i < times; i++) {
        run(env, r);
        if ((*env)->ExceptionCheck(env))
            return NULL;
    }
    return (*env)->NewObject(env, integer, (*env)->GetMethodID(env, integer, "<init>", "(I)V"),
                             times);
}

N(void, fail)(JNIEnv *env, jclass c, jstring type, jstring message)
{
    const char *t = (*env)->GetStringUTFChars(env, type, NULL);
    const char *m = (*env)->GetStringUTFChars(env, message, NULL);
    jclass e = (*env)->FindClass(env, t);

    (void)c;
    if (e != NULL)
        (*env)->ThrowNew(env, e, m);
    (*env)->ReleaseStringUTFChars(env, type, t);
    (*env)->ReleaseStringUTFChars(env, message, m);
}

N(jboolean, catches)(JNIEnv *env, jclass c, jobject r)
{
    jthrowable t;

    (void)c;
    run(env, r);
    t = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    return t != NULL && !(*env)->ExceptionCheck(env);
}

N(jint, version)(JNIEnv *env, jclass c)
{
    (void)c;
    return (*env)->GetVersion(env);
}

N(jobject, make)(JNIEnv *env, jclass c, jclass what, jint n)
{
    jvalue arg = { .i = n };

    (void)c;
    return (*env)->NewObjectA(env, what, (*env)->GetMethodID(env, what, "<init>", "(I)V"),
                              &arg);
}

N(jlong, hold)(JNIEnv *env, jclass c, jobject o)
{
    (void)c;
    return (jlong)(intptr_t)(*env)->NewGlobalRef(env, o);
}

N(jobject, held)(JNIEnv *env, jclass c, jlong ref, jboolean delete)
{
    jobject o = (*env)->NewLocalRef(env, (jobject)(intptr_t)ref);

    (void)c;
    if (delete)
        (*env)->DeleteGlobalRef(env, (jobject)(intptr_t)ref);
    return o;
}

N(jint, monitor)(JNIEnv *env, jclass c, jobject o, jboolean enter)
{
    (void)c;
    return enter ? (*env)->MonitorEnter(env, o) : (*env)->MonitorExit(env, o);
}

N(jobject, direct)(JNIEnv *env, jclass c, jint n)
{
    static char memory[64];

    (void)c;
    memset(memory, 7, sizeof memory);
    return (*env)->NewDirectByteBuffer(env, memory, n);
}

N(jint, depth)(JNIEnv *env, jclass c, jint n)
{
    return (*env)->CallStaticIntMethod(env, c,
                                       (*env)->GetStaticMethodID(env, c, "back", "(I)I"), n);
}

N(jstring, utf)(JNIEnv *env, jclass c, jstring s)
{
    char buf[100], hex[201];
    jsize n = (*env)->GetStringUTFLength(env, s);

    (void)c;
    (*env)->GetStringUTFRegion(env, s, 0, (*env)->GetStringLength(env, s), buf);
    for (jsize i = 0; i < n; i++) {
        hex[2 * i] = "0123456789abcdef"[(buf[i] >> 4) & 15];
        hex[2 * i + 1] = "0123456789abcdef"[buf[i] & 15];
    }
    hex[2 * n] = '\0';
    return (*env)->NewStringUTF(env, hex);
}

N(jboolean, same)(JNIEnv *env, jclass c, jobject a, jobject b, jclass k)
{
    (void)c;
    return (*env)->IsSameObject(env, a, b) && (*env)->IsInstanceOf(env, a, k)
        && (*env)->IsAssignableFrom(env, k, (*env)->GetSuperclass(env, k));
}

N(jint, locals)(JNIEnv *env, jclass c, jint n)
{
    jobject last = NULL;

    (void)c;
    if ((*env)->EnsureLocalCapacity(env, n) != 0)
        return -1;
    for (jint i = 0; i < n; i++)
        last = (*env)->NewStringUTF(env, "local");
    for (int i = 0; i < 100; i++) {
        (*env)->PushLocalFrame(env, 100);
        for (int k = 0; k < 100; k++)
            (*env)->NewObjectArray(env, 10, c, NULL);
        last = (*env)->PopLocalFrame(env, (*env)->NewLocalRef(env, last));
    }
    return (*env)->GetStringLength(env, last) * 1000 + n;
}

N(jint, virtual)(JNIEnv *env, jobject self, jint x)
{
    jclass c = (*env)->FindClass(env, "LNativeCalls;"); /* a descriptor will do */
    jmethodID m = (*env)->GetMethodID(env, c, "plus", "(I)I");

    return 1000 * (*env)->CallIntMethod(env, self, m, x)
        + (*env)->CallNonvirtualIntMethod(env, self, c, m, x);
}

N(jclass, find)(JNIEnv *env, jclass c, jstring name)
{
    const char *text = name ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
    jclass found = (*env)->FindClass(env, text);

    (void)c;
    if (text)
        (*env)->ReleaseStringUTFChars(env, name, text);
    return found;
}

N(jclass, define)(JNIEnv *env, jclass c, jstring name, jbyteArray file)
{
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    jbyte *bytes = (*env)->GetByteArrayElements(env, file, NULL);
    jclass made = (*env)->DefineClass(env, text, NULL, bytes,
                                      (*env)->GetArrayLength(env, file));

    (void)c;
    (*env)->ReleaseByteArrayElements(env, file, bytes, JNI_ABORT);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return made;
}

N(jbyte, region)(JNIEnv *env, jclass c, jbyteArray a, jint start, jint count)
{
    jbyte bytes[3] = { 7, 8, 9 };

    (void)c;
    (*env)->GetByteArrayRegion(env, a, start, count, bytes);
    return bytes[0];
}

static jclass slow;
static jmethodID one;
static jfieldID number;

N(void, remember)(JNIEnv *env, jclass c, jclass k)
{
    (void)c;
    slow = (*env)->NewGlobalRef(env, k);
    one = (*env)->GetStaticMethodID(env, slow, "one", "()I");
    number = (*env)->GetStaticFieldID(env, slow, "number", "I");
}

N(jint, remembered)(JNIEnv *env, jclass c)
{
    (void)c;
    return 10 * (*env)->GetStaticIntField(env, slow, number)
        + (*env)->CallStaticIntMethod(env, slow, one);
}
