#!/bin/sh
# SPDX-License-Identifier: MIT
#
# -Xcheck:jni: a library that does one thing wrong gets the same complaint, and the same
# end, from the JDK's own VM and from minivm.

top_builddir=${top_builddir:-$PWD}
work=$top_builddir/minivm/test/checkjni.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
minivm=$top_builddir/minivm/minivm
include=$(cd "$top_builddir/sdk/include" && pwd)

rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
cat > Checks.java <<'EOJ'
public class Checks {
    long field;
    void method() { }
    static native void run(int what, Object other, int[] ints, long[] longs);

    public static void main(String[] args) {
        System.loadLibrary("checks");
        try {
            run(Integer.parseInt(args[0]), new Checks(), new int[4], new long[4]);
        } catch (NoSuchFieldError e) {
            System.out.println("caught");
        }
        System.out.println("end");
    }
}
EOJ
cat > checks.c <<'EOC'
#include <jni.h>
#include <pthread.h>

static JavaVM *vm;

static void *
stranger(void *env)
{
    JNIEnv *own;

    (*vm)->AttachCurrentThread(vm, (void **)&own, NULL);
    (*(JNIEnv *)env)->FindClass(env, "Checks");
    return NULL;
}

JNIEXPORT void JNICALL
Java_Checks_run(JNIEnv *env, jclass c, jint what, jobject o, jintArray ints,
                jlongArray longs)
{
    jfieldID field = (*env)->GetFieldID(env, c, "field", "J");
    jmethodID method = (*env)->GetMethodID(env, c, "method", "()V");
    jobject global = (*env)->NewGlobalRef(env, o);
    jint *p;
    pthread_t t;

    switch (what) {
    case 0:
        (*env)->GetFieldID(env, c, "none", "J");
        (*env)->FindClass(env, "Checks");
        break;
    case 1:
        (*env)->CallVoidMethod(env, o, method);
        (*env)->CallVoidMethod(env, o, method);
        break;
    case 2:
        (*env)->CallVoidMethod(env, o, method);
        (*env)->ExceptionCheck(env);
        (*env)->CallVoidMethod(env, o, method);
        break;
    case 3:
        (*env)->DeleteGlobalRef(env, global);
        (*env)->GetObjectClass(env, global);
        break;
    case 4: (*env)->GetSuperclass(env, NULL); break;
    case 5: (*env)->GetSuperclass(env, o); break;
    case 6: (*env)->GetStringLength(env, o); break;
    case 7: (*env)->GetArrayLength(env, (jarray)o); break;
    case 8: (*env)->GetIntArrayElements(env, (jintArray)longs, NULL); break;
    case 9: (*env)->GetIntField(env, o, field); break;
    case 10: (*env)->CallVoidMethod(env, ints, method); break;
    case 11:
    case 12:
        p = (*env)->GetIntArrayElements(env, ints, NULL);
        p[0] = 7;
        p[what == 11 ? 3 : 4] = 8;
        (*env)->ReleaseIntArrayElements(env, ints, p, 0);
        break;
    case 13:
        p = (*env)->GetPrimitiveArrayCritical(env, ints, NULL);
        (*env)->FindClass(env, "Checks");
        (*env)->ReleasePrimitiveArrayCritical(env, ints, p, JNI_ABORT);
        break;
    case 14:
        (*env)->GetJavaVM(env, &vm);
        pthread_create(&t, NULL, stranger, env);
        pthread_join(t, NULL);
        break;
    case 15:
        (*env)->FindClass(env, "LChecks;");
        (*env)->ExceptionClear(env);
        break;
    case 16: (*env)->GetObjectArrayElement(env, (jobjectArray)ints, 0); break;
    case 17: (*env)->FindClass(env, "a\xff"); break;
    }
}
EOC
"$home/bin/javac" -d . Checks.java && ${CC:-cc} -shared -fPIC -I"$include" -o libchecks.so \
    checks.c -lpthread || exit 1

# complaints JAVA CASE: what is said, without the stack, and the exit code.  G1
# pins regions since JDK 22 and does not know of critical sections any more.
complaints()
{
    (ulimit -c 0
    timeout 60 "$1" -XX:+UseSerialGC -Xcheck:jni -Djava.library.path=. -cp . Checks "$2" \
        > out 2>&1
    code=$?
    sed 's/checked_jni_//' out | grep -a 'in native method:\|^Warning: \|^caught\|^end'
    echo "exit code $code")
}

echo 1..19
number=0
for name in pending unchecked checked deleted null-class no-class no-string no-array \
    other-element other-field other-object in-bounds overrun critical other-thread \
    descriptor no-object-array no-utf8; do
    complaints "$home/bin/java" $number > expected
    complaints "$minivm" $number > actual
    if diff expected actual > diff; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        sed 's/^/# /' diff
    fi
    number=$((number + 1))
done
"$minivm" -verbose:jni -Djava.library.path=. -cp . Checks 2 | sed 's/^.*\[jni/[jni/' > actual
if grep -qF '[jni,resolve] [Dynamic-linking native method Checks.run ... JNI]' actual &&
    grep -qF '[jni,resolve] [Registering JNI native method java.lang.System.nanoTime]' actual
then echo "ok - -verbose:jni"; else echo "not ok - -verbose:jni"; fi
