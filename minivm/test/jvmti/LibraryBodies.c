/* SPDX-License-Identifier: MIT */
/* java.lang.StringLatin1.equals(byte[], byte[]) calls Calls.count() when it is entered:
 * from its load on if the property "early" is set, otherwise when Java asks for it. */

#include <tiforge/buffer.h>
#include <tiforge/classfile.h>
#include <tiforge/tiforge.h>

#include "check.h"

static jvmtiEnv *ti;

static void JNICALL
on_class(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
         jobject domain, jint length, const unsigned char *bytes, jint *new_length,
         unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };

    if (name == NULL || strcmp(name, "java/lang/StringLatin1") != 0)
        return;
    struct tf_class *c = tf_class_parse(bytes, (size_t)length);
    for (struct tf_member *m = tf_class_methods(c); m; m = m->next) {
        if (strcmp(m->name, "equals") == 0 && strcmp(m->descriptor, "([B[B)Z") == 0) {
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

JNIEXPORT void JNICALL
Java_LibraryBodies_retransform(JNIEnv *jni, jclass self, jclass c)
{
    enable_hook();
    check_int("retransform", (*ti)->RetransformClasses(ti, 1, &c), JVMTI_ERROR_NONE);
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
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_class };
    jvmtiCapabilities capabilities = { .can_generate_all_class_hook_events = 1,
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
