/* SPDX-License-Identifier: MIT */
/* Two methods of the class library call Calls.count() when they are entered: from their
 * classes' load on if the property "early" is set, otherwise when Java asks for it.  And
 * breakpoints in others are counted. */

#include <tiforge/buffer.h>
#include <tiforge/classfile.h>
#include <tiforge/tiforge.h>

#include "check.h"

static jvmtiEnv *ti;
static jint hits; /* of breakpoints */

/* What is changed.  Other methods of the class library call both. */
static const struct {
    const char *class_name, *name, *descriptor;
} targets[] = {
    { "java/lang/StringLatin1", "equals", "([B[B)Z" },
    { "jdk/internal/vm/Continuation", "setMounted", "(Z)V" },
};

static bool
is_target(const char *class_name, const struct tf_member *m)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(class_name, targets[i].class_name) == 0
            && (m == NULL
                || (strcmp(m->name, targets[i].name) == 0
                    && strcmp(m->descriptor, targets[i].descriptor) == 0)))
            return true;
    return false;
}

static void JNICALL
on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
         jobject domain, jint length, const unsigned char *bytes, jint *new_length,
         unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };

    if (name == NULL || !is_target(name, NULL))
        return;
    struct tf_class *c = tf_class_parse(bytes, (size_t)length);
    for (struct tf_member *m = tf_class_methods(c); m; m = m->next) {
        if (is_target(name, m)) {
            struct tf_code *code = tf_class_code(c, m);
            tf_emit_call(code, code->first, TF_OP_INVOKESTATIC, "Calls", "count", "()V",
                         false);
        }
    }
    if (tf_class_write(c, &out)
        && (*env)->Allocate(env, (jlong)out.length, new_bytes) == JVMTI_ERROR_NONE) {
        memcpy(*new_bytes, out.bytes, out.length);
        *new_length = (jint)out.length;
    }
    tf_buffer_release(&out);
    tf_class_free(c);
}

static void
enable_hook(void)
{
    check_int("enable",
              (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                              JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL),
              JVMTI_ERROR_NONE);
}

JNIEXPORT jint JNICALL
Java_LibraryBodies_retransform(JNIEnv *jni, jclass self, jclass c)
{
    enable_hook();
    return (*ti)->RetransformClasses(ti, 1, &c);
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    hits++;
}

/* Sets or clears a breakpoint in the only method of that name.  Returns how many hits
   there were since the last call. */
JNIEXPORT jint JNICALL
Java_LibraryBodies_breakpoint(JNIEnv *jni, jclass self, jclass c, jstring name,
                              jboolean set)
{
    const char *wanted = (*jni)->GetStringUTFChars(jni, name, NULL);
    jmethodID *methods = NULL;
    jint count = 0, found = 0, before = hits;

    (*ti)->GetClassMethods(ti, c, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *method = NULL;
        (*ti)->GetMethodName(ti, methods[i], &method, NULL, NULL);
        if (strcmp(method, wanted) == 0) {
            found++;
            check_int("breakpoint",
                      set ? (*ti)->SetBreakpoint(ti, methods[i], 0)
                          : (*ti)->ClearBreakpoint(ti, methods[i], 0),
                      JVMTI_ERROR_NONE);
        }
        (*ti)->Deallocate(ti, (unsigned char *)method);
    }
    check_int("found", found, 1);
    (*ti)->Deallocate(ti, (unsigned char *)methods);
    (*jni)->ReleaseStringUTFChars(jni, name, wanted);
    (*ti)->SetEventNotificationMode(ti, set ? JVMTI_ENABLE : JVMTI_DISABLE,
                                    JVMTI_EVENT_BREAKPOINT, NULL);
    hits = 0;
    return before;
}

/* The folder of Calls is in that of the program. */
static void
append_folder(void)
{
    char *program = NULL, path[4096];

    (*ti)->GetSystemProperty(ti, "java.class.path", &program);
    snprintf(path, sizeof path, "%s/LibraryBodies.boot", program);
    (*ti)->Deallocate(ti, (unsigned char *)program);
    check_int("append", (*ti)->AddToBootstrapClassLoaderSearch(ti, path),
              JVMTI_ERROR_NONE);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_class,
                                      .Breakpoint = on_breakpoint };
    jvmtiCapabilities capabilities = { .can_generate_all_class_hook_events = 1,
                                       .can_generate_breakpoint_events = 1,
                                       .can_retransform_classes = 1,
                                       .can_retransform_any_class = 1 };
    static const jvmtiCapabilities early = {
        .can_generate_early_class_hook_events = 1
    };
    char *property = NULL;

    ti = make_env(vm, JVMTI_VERSION_11, &capabilities);
    append_folder();
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    if ((*ti)->GetSystemProperty(ti, "early", &property) == JVMTI_ERROR_NONE) {
        check_int("early", (*ti)->AddCapabilities(ti, &early), JVMTI_ERROR_NONE);
        enable_hook();
    }
    (*ti)->Deallocate(ti, (unsigned char *)property);
    return JNI_OK;
}
