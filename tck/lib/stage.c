/* SPDX-License-Identifier: MIT */
#include "tck/lib/stage.h"

#include "tck/lib/virtual.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_THREADS 64

/* Global references to the threads of the running case. */
static jobject started[MAX_THREADS];
static int started_count;
static jobject virtual_thread;

/* What a virtual thread does on its visit to the agent. */
static struct {
    void (*call)(JNIEnv *jni, void *data);
    void *data;
} visit;

/* A native thread that attaches itself and waits. */
static struct bare {
    pthread_t id;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool running, ready, go, suspended;
    JavaVM *vm;
    jobject thread;
} bare = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

jclass
stage_class(struct tck *t, const char *name)
{
    jclass klass = (*t->jni)->FindClass(t->jni, name);

    if (klass == NULL) {
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "no class %s", name);
    }
    return klass;
}

jmethodID
stage_method(struct tck *t, const char *klass, const char *name, const char *signature,
             bool is_static)
{
    jclass k = stage_class(t, klass);
    jmethodID id;

    if (k == NULL)
        return NULL;
    id = is_static ? (*t->jni)->GetStaticMethodID(t->jni, k, name, signature)
                   : (*t->jni)->GetMethodID(t->jni, k, name, signature);
    if (id == NULL) {
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "no method %s.%s%s", klass, name, signature);
    }
    return id;
}

jlocation
stage_first_location(struct tck *t, jmethodID method)
{
    jlocation first = 0, last;

    (*t->jvmti)->GetMethodLocation(t->jvmti, method, &first, &last);
    return first;
}

jfieldID
stage_field(struct tck *t, const char *klass, const char *name, const char *signature,
            bool is_static)
{
    jclass k = stage_class(t, klass);
    jfieldID id;

    if (k == NULL)
        return NULL;
    id = is_static ? (*t->jni)->GetStaticFieldID(t->jni, k, name, signature)
                   : (*t->jni)->GetFieldID(t->jni, k, name, signature);
    if (id == NULL) {
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "no field %s.%s", klass, name);
    }
    return id;
}

static void
check(struct tck *t, const char *what)
{
    if ((*t->jni)->ExceptionCheck(t->jni)) {
        (*t->jni)->ExceptionDescribe(t->jni);
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "%s threw an exception", what);
    }
}

jobject
stage_call(struct tck *t, const char *klass, const char *name, const char *signature, ...)
{
    jmethodID id = stage_method(t, klass, name, signature, true);
    jobject result;
    va_list args;

    if (id == NULL)
        return NULL;
    va_start(args, signature);
    result = (*t->jni)->CallStaticObjectMethodV(t->jni, stage_class(t, klass), id, args);
    va_end(args);
    check(t, name);
    return result;
}

jlong
stage_call_long(struct tck *t, const char *klass, const char *name,
                const char *signature, ...)
{
    jmethodID id = stage_method(t, klass, name, signature, true);
    char type = signature[strlen(signature) - 1];
    jlong result = 0;
    jclass k;
    va_list args;

    if (id == NULL)
        return 0;
    k = stage_class(t, klass);
    va_start(args, signature);
    if (type == 'J')
        result = (*t->jni)->CallStaticLongMethodV(t->jni, k, id, args);
    else if (type == 'Z')
        result = (*t->jni)->CallStaticBooleanMethodV(t->jni, k, id, args);
    else
        result = (*t->jni)->CallStaticIntMethodV(t->jni, k, id, args);
    va_end(args);
    check(t, name);
    return result;
}

void
stage_call_void(struct tck *t, const char *klass, const char *name,
                const char *signature, ...)
{
    jmethodID id = stage_method(t, klass, name, signature, true);
    va_list args;

    if (id == NULL)
        return;
    va_start(args, signature);
    (*t->jni)->CallStaticVoidMethodV(t->jni, stage_class(t, klass), id, args);
    va_end(args);
    check(t, name);
}

void
stage_adopt(struct tck *t, jthread thread)
{
    if (thread != NULL && started_count < MAX_THREADS)
        started[started_count++] = (*t->jni)->NewGlobalRef(t->jni, thread);
}

jthread
stage_start(struct tck *t, char place)
{
    jthread thread = stage_call(t, "tck/Stage", "launch", "(I)Ltck/Stage;", (jint)place);

    stage_adopt(t, thread);
    return thread;
}

/* The case is skipped where threads cannot be suspended. */
static void
suspend(struct tck *t, const char *call, jthread thread)
{
    NEED("can_suspend");
    tck_want(t, call, JVMTI_ERROR_NONE, (*t->jvmti)->SuspendThread(t->jvmti, thread));
}

jthread
stage_suspended(struct tck *t, char place)
{
    jthread thread = stage_start(t, place);

    if (thread != NULL)
        suspend(t, "SuspendThread(stage)", thread);
    return thread;
}

jthread
stage_unstarted(struct tck *t, char place)
{
    return stage_call(t, "tck/Stage", "create", "(I)Ltck/Stage;", (jint)place);
}

jthread
stage_ended(struct tck *t)
{
    return stage_call(t, "tck/Stage", "ended", "()Ltck/Stage;");
}

jthread
stage_virtual(struct tck *t)
{
    jthread thread = stage_call(t, "tck/Stage", "startVirtual", "()Ljava/lang/Thread;");

    if (thread != NULL)
        virtual_thread = (*t->jni)->NewGlobalRef(t->jni, thread);
    else
        tck_fail(t, "no virtual thread could be started");
    return thread;
}

void
stage_on_virtual(struct tck *t, void (*call)(JNIEnv *jni, void *data), void *data)
{
    visit.call = call;
    visit.data = data;
    if (!stage_call_long(t, "tck/Stage", "visitVirtual", "()Z"))
        tck_fail(t, "no virtual thread could be started");
}

/* Resume it whatever state it is in: a case that failed may have left it suspended. */
static void
resume(struct tck *t, jthread thread)
{
    jint state;

    if ((*t->jvmti)->GetThreadState(t->jvmti, thread, &state) == JVMTI_ERROR_NONE
        && (state & JVMTI_THREAD_STATE_SUSPENDED) != 0)
        (*t->jvmti)->ResumeThread(t->jvmti, thread);
}

void
stage_finish(struct tck *t, jthread thread)
{
    resume(t, thread);
    if (!stage_call_long(t, "tck/Stage", "finish", "(Ltck/Stage;)Z", thread))
        tck_fail(t, "a thread did not end after it was let go");
}

static void *
bare_main(void *data)
{
    JavaVMAttachArgs args = { JNI_VERSION_1_8, (char *)"bare", NULL };
    JNIEnv *jni;
    jvmtiEnv *jvmti = data;
    jthread thread = NULL;

    (*bare.vm)->AttachCurrentThreadAsDaemon(bare.vm, (void **)&jni, &args);
    (*jvmti)->GetCurrentThread(jvmti, &thread);
    pthread_mutex_lock(&bare.lock);
    bare.thread = (*jni)->NewGlobalRef(jni, thread);
    bare.ready = true;
    pthread_cond_broadcast(&bare.changed);
    while (!bare.go)
        pthread_cond_wait(&bare.changed, &bare.lock);
    pthread_mutex_unlock(&bare.lock);
    (*jni)->DeleteGlobalRef(jni, bare.thread);
    (*bare.vm)->DetachCurrentThread(bare.vm);
    return NULL;
}

jthread
stage_bare(struct tck *t, bool suspended)
{
    bare.vm = t->vm;
    bare.ready = bare.go = false;
    bare.suspended = suspended;
    if (pthread_create(&bare.id, NULL, bare_main, t->jvmti) != 0) {
        tck_fail(t, "cannot start a native thread");
        return NULL;
    }
    bare.running = true;
    pthread_mutex_lock(&bare.lock);
    while (!bare.ready)
        pthread_cond_wait(&bare.changed, &bare.lock);
    pthread_mutex_unlock(&bare.lock);
    if (suspended)
        suspend(t, "SuspendThread(native thread)", bare.thread);
    return (*t->jni)->NewLocalRef(t->jni, bare.thread);
}

static void
bare_end(struct tck *t)
{
    resume(t, bare.thread);
    pthread_mutex_lock(&bare.lock);
    bare.go = true;
    pthread_cond_broadcast(&bare.changed);
    pthread_mutex_unlock(&bare.lock);
    pthread_join(bare.id, NULL);
    bare.running = false;
}

void
stage_release_all(struct tck *t)
{
    if (t->jni == NULL || t->phase != TCK_LIVE)
        return;
    if ((*t->jni)->ExceptionCheck(t->jni)) {
        (*t->jni)->ExceptionDescribe(t->jni);
        (*t->jni)->ExceptionClear(t->jni);
        tck_fail(t, "a Java exception was left pending");
    }
    while (started_count > 0) {
        jobject thread = started[--started_count];

        stage_finish(t, thread);
        (*t->jni)->DeleteGlobalRef(t->jni, thread);
    }
    if (virtual_thread != NULL) {
        resume(t, virtual_thread);
        stage_call_void(t, "tck/Stage", "endVirtual", "(Ljava/lang/Thread;)V",
                        virtual_thread);
        (*t->jni)->DeleteGlobalRef(t->jni, virtual_thread);
        virtual_thread = NULL;
    }
    virtual_release_all(t);
    if (bare.running)
        bare_end(t);
}

jobject
stage_string(struct tck *t)
{
    return (*t->jni)->NewStringUTF(t->jni, "a string");
}

jobject
stage_object(struct tck *t)
{
    jmethodID id = stage_method(t, "tck/Model", "<init>", "()V", false);
    jobject object = (*t->jni)->NewObject(t->jni, stage_class(t, "tck/Model"), id);

    check(t, "new Model()");
    return object;
}

jobject
stage_static(struct tck *t, const char *klass, const char *name, const char *signature)
{
    jfieldID id = stage_field(t, klass, name, signature, true);

    return id == NULL ? NULL : (*t->jni)->GetStaticObjectField(
        t->jni, stage_class(t, klass), id);
}

jclass
stage_primitive(struct tck *t)
{
    return stage_static(t, "java/lang/Integer", "TYPE", "Ljava/lang/Class;");
}

jobject
stage_get(struct tck *t, jobject object, const char *name, const char *signature)
{
    jclass klass = (*t->jni)->GetObjectClass(t->jni, object);
    jfieldID id = (*t->jni)->GetFieldID(t->jni, klass, name, signature);

    check(t, name);
    return id == NULL ? NULL : (*t->jni)->GetObjectField(t->jni, object, id);
}

jlong
stage_get_long(struct tck *t, jobject object, const char *name)
{
    jclass klass = (*t->jni)->GetObjectClass(t->jni, object);
    jfieldID id = (*t->jni)->GetFieldID(t->jni, klass, name, "J");
    bool is_int = id == NULL;

    if (is_int) {
        (*t->jni)->ExceptionClear(t->jni);
        id = (*t->jni)->GetFieldID(t->jni, klass, name, "I");
        check(t, name);
    }
    if (id == NULL)
        return 0;
    return is_int ? (*t->jni)->GetIntField(t->jni, object, id)
                  : (*t->jni)->GetLongField(t->jni, object, id);
}

jlong
stage_size(struct tck *t, jobject object)
{
    jlong size = 0;

    tck_want(t, "GetObjectSize", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetObjectSize(t->jvmti, object, &size));
    return size;
}

bool
stage_size_fits(struct tck *t, jobject object, jlong before, jlong told)
{
    jlong now = stage_size(t, object);
    jlong least = before < now ? before : now, most = before < now ? now : before;

    if (told < least || told > most)
        tck_fail(t, "the callback was told the size %lld, GetObjectSize tells %lld to %lld",
                 (long long)told, (long long)least, (long long)most);
    return !t->failed;
}

unsigned char *
stage_bytes(struct tck *t, const char *klass, jint *count)
{
    jstring name = (*t->jni)->NewStringUTF(t->jni, klass);
    jbyteArray array = stage_call(t, "tck/Host", "bytes", "(Ljava/lang/String;)[B", name);
    unsigned char *bytes;

    if (array == NULL) {
        tck_fail(t, "no class file of %s", klass);
        return NULL;
    }
    *count = (*t->jni)->GetArrayLength(t->jni, array);
    bytes = malloc(*count);
    if (bytes != NULL)
        (*t->jni)->GetByteArrayRegion(t->jni, array, 0, *count, (jbyte *)bytes);
    return bytes;
}

/* -- natives of tck.Stage, bound by name -- */

static void
set_flag(JNIEnv *jni, jobject stage, const char *name)
{
    jclass klass = (*jni)->GetObjectClass(jni, stage);

    (*jni)->SetBooleanField(jni, stage, (*jni)->GetFieldID(jni, klass, name, "Z"),
                            JNI_TRUE);
}

JNIEXPORT void JNICALL
Java_tck_Stage_block(JNIEnv *jni, jobject stage)
{
    jclass klass = (*jni)->GetObjectClass(jni, stage);
    jfieldID go = (*jni)->GetFieldID(jni, klass, "go", "Z");
    struct timespec pause = { 0, 1000000 };

    set_flag(jni, stage, "here");
    while (!(*jni)->GetBooleanField(jni, stage, go))
        nanosleep(&pause, NULL);
}

JNIEXPORT void JNICALL
Java_tck_Stage_callBack(JNIEnv *jni, jobject stage)
{
    jclass klass = (*jni)->GetObjectClass(jni, stage);
    jmethodID spin = (*jni)->GetStaticMethodID(
        jni, klass, "spinV", "(Ltck/Stage;IJFDLjava/lang/Object;)V");

    (*jni)->CallStaticVoidMethod(jni, klass, spin, stage, (jint)11, (jlong)22,
                                 (jdouble)3.5, (jdouble)4.25, stage);
}

JNIEXPORT void JNICALL
Java_tck_Stage_visit(JNIEnv *jni, jclass klass)
{
    (void)klass;
    visit.call(jni, visit.data);
}

bool
stage_awaits(struct tck *t, jthread thread, jobject monitor)
{
    const struct timespec pause = { 0, 2000000 };

    for (int i = 0; i < 2500; i++) {
        jobject told = NULL;
        bool is_wanted;

        if (!tck_want(t, "GetCurrentContendedMonitor", JVMTI_ERROR_NONE,
                      (*t->jvmti)->GetCurrentContendedMonitor(t->jvmti, thread, &told)))
            return false;
        is_wanted = (*t->jni)->IsSameObject(t->jni, told, monitor);
        if (told != NULL)
            (*t->jni)->DeleteLocalRef(t->jni, told);
        if (is_wanted)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}
