/* SPDX-License-Identifier: MIT */
/* Every class that is loaded from the start phase on, and once the VM is initialized
 * all that were there before, calls the class Tracker when a method is entered and
 * left. */

#include <pthread.h>

#include <tiforge/buffer.h>
#include <tiforge/classfile.h>
#include <tiforge/tiforge.h>

#include "check.h"

static jvmtiEnv *ti;

/* What went wrong, for Java. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char failures[2000];

static void
fail(const char *class, const char *what)
{
    pthread_mutex_lock(&mutex);
    size_t length = strlen(failures);
    snprintf(failures + length, sizeof failures - length, "%s: %s; ", class, what);
    pthread_mutex_unlock(&mutex);
}

/* Classes by the first letters of their names, which stand for modules well enough. */
static struct {
    const char *prefix, *module;
    int transformed;
} places[] = {
    { "java/util/logging/", "java.logging", 0 },
    { "com/sun/org/apache/xerces/", "java.xml", 0 },
    { "java/sql/", "java.sql", 0 },
    { "java/", "java.base", 0 },
};
enum { PLACES = sizeof places / sizeof places[0] };

static void
count(const char *name)
{
    for (int i = 0; i < PLACES; i++)
        if (strncmp(name, places[i].prefix, strlen(places[i].prefix)) == 0) {
            __atomic_add_fetch(&places[i].transformed, 1, __ATOMIC_RELAXED);
            return;
        }
}

static void
call(struct tf_code *code, struct tf_insn *at, const char *name)
{
    tf_emit_call(code, at, TF_OP_INVOKESTATIC, "Tracker", name, "()V", false);
}

static void
instrument(struct tf_code *code)
{
    struct tf_insn *first = code->first, *next;

    for (struct tf_insn *i = code->first; i; i = next) {
        next = i->next;
        if (i->opcode >= TF_OP_IRETURN && i->opcode <= TF_OP_RETURN)
            call(code, i, "leave");
    }
    call(code, first, "enter");
}

static void JNICALL
on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader,
         const char *name, jobject domain, jint length, const unsigned char *bytes,
         jint *new_length, unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };

    if (name != NULL && strcmp(name, "Tracker") == 0)
        return;
    struct tf_class *c = tf_class_parse(bytes, (size_t)length);
    for (struct tf_member *m = tf_class_methods(c); m; m = m->next) {
        struct tf_code *code = tf_class_code(c, m);
        if (code != NULL)
            instrument(code);
    }
    if (!tf_class_write(c, &out))
        fail(tf_class_name(c), tf_class_error(c));
    else if ((*env)->Allocate(env, (jlong)out.length, new_bytes) == JVMTI_ERROR_NONE) {
        memcpy(*new_bytes, out.bytes, out.length);
        *new_length = (jint)out.length;
        count(tf_class_name(c));
    }
    tf_buffer_release(&out);
    tf_class_free(c);
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni)
{
    check("start-phase-class", (*jni)->FindClass(jni, "java/util/IdentityHashMap"));
}

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jint count = 0, modifiable = 0;
    jclass *classes = NULL;
    jclass tracker = (*jni)->FindClass(jni, "Tracker");

    jfieldID engaged = (*jni)->GetStaticFieldID(jni, tracker, "isEngaged", "Z");
    (*jni)->SetStaticBooleanField(jni, tracker, engaged, JNI_TRUE);
    (*env)->GetLoadedClasses(env, &count, &classes);
    for (jint i = 0; i < count; i++) {
        jboolean is = JNI_FALSE;
        (*env)->IsModifiableClass(env, classes[i], &is);
        if (is && !(*jni)->IsSameObject(jni, classes[i], tracker))
            classes[modifiable++] = classes[i];
    }
    check_int("retransform", (*env)->RetransformClasses(env, modifiable, classes),
              JVMTI_ERROR_NONE);
    (*env)->Deallocate(env, (unsigned char *)classes);
}

JNIEXPORT jint JNICALL
Java_Instrumented_transformed(JNIEnv *jni, jclass c, jobject module)
{
    jclass of = (*jni)->GetObjectClass(jni, module);
    jstring name = (*jni)->CallObjectMethod(
        jni, module, (*jni)->GetMethodID(jni, of, "getName", "()Ljava/lang/String;"));
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    int transformed = -1;

    for (int i = 0; i < PLACES; i++)
        if (strcmp(text, places[i].module) == 0)
            transformed = places[i].transformed;
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return transformed;
}

JNIEXPORT jstring JNICALL
Java_Instrumented_failures(JNIEnv *jni, jclass c)
{
    return (*jni)->NewStringUTF(jni, failures);
}

/* The folder of Tracker is in that of the program. */
static void
append_folder(void)
{
    char *program = NULL, path[4096];

    (*ti)->GetSystemProperty(ti, "java.class.path", &program);
    snprintf(path, sizeof path, "%s/Instrumented.boot", program);
    (*ti)->Deallocate(ti, (unsigned char *)program);
    check_int("append", (*ti)->AddToBootstrapClassLoaderSearch(ti, path),
              JVMTI_ERROR_NONE);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_class,
                                      .VMStart = on_start, .VMInit = on_init };
    jvmtiCapabilities capabilities = { .can_generate_all_class_hook_events = 1,
                                       .can_retransform_classes = 1,
                                       .can_retransform_any_class = 1 };
    static const jvmtiEvent events[] = { JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                         JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT };

    static const jvmtiCapabilities early = { .can_generate_early_class_hook_events = 1,
                                             .can_generate_early_vmstart = 1 };
    char *property = NULL;

    ti = make_env(vm, JVMTI_VERSION_11, &capabilities);
    if ((*ti)->GetSystemProperty(ti, "early", &property) == JVMTI_ERROR_NONE)
        check_int("early", (*ti)->AddCapabilities(ti, &early), JVMTI_ERROR_NONE);
    (*ti)->Deallocate(ti, (unsigned char *)property);
    append_folder();
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL);
    return JNI_OK;
}
