/* SPDX-License-Identifier: MIT */
/* Lab 8: counters in bytecode. */
#include "lab.h"

#include <tiforge/classfile.h>

#define MAX_JUMPS 10000

static char package[300];       /* "p/" */

static bool
is_wanted(const char *name)
{
    size_t length = strlen(package);

    return name != NULL && strncmp(name, package, length) == 0
        && strchr(name + length, '/') == NULL;
}

static void
insert_hit(struct tf_code *code, struct tf_insn *at, const char *text)
{
    tf_emit_string(code, at, text);
    tf_emit_call(code, at, TF_OP_INVOKESTATIC, "Count", "hit", "(Ljava/lang/String;)V",
                 false);
    tf_code_reserve(code, 1);
}

/* Does the label stand before the instruction? */
static bool
is_backwards(const struct tf_insn *jump)
{
    for (const struct tf_insn *i = jump->prev; i != NULL; i = i->prev)
        if (i == jump->target)
            return true;
    return false;
}

static void
change_method(struct tf_class *c, struct tf_member *method)
{
    struct tf_code *code = tf_class_code(c, method);
    struct tf_insn **jumps;
    char text[600], loop[640];
    size_t count = 0;

    if (code == NULL)
        return;
    jumps = calloc(MAX_JUMPS, sizeof *jumps);
    if (jumps == NULL)
        return;
    snprintf(text, sizeof text, "%s.%s", tf_class_name(c) + strlen(package),
             method->name);
    snprintf(loop, sizeof loop, "%s loop", text);
    for (struct tf_insn *i = code->first; i != NULL; i = i->next)
        if (i->target != NULL && i->cases == NULL && count < MAX_JUMPS
            && is_backwards(i))
            jumps[count++] = i;
    for (size_t i = 0; i < count; i++)
        insert_hit(code, jumps[i], loop);
    insert_hit(code, tf_code_after_super(code), text);
    free(jumps);
}

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
         const char *name, jobject domain, jint length, const unsigned char *bytes,
         jint *new_length, unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };
    unsigned char *memory;
    struct tf_class *c;

    (void)jni;
    (void)loader;
    (void)domain;
    if (redefined != NULL || !is_wanted(name))
        return;
    c = tf_class_parse(bytes, (size_t)length);
    if (c == NULL)
        return;
    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next)
        change_method(c, m);
    if (!tf_class_write(c, &out))
        fprintf(stderr, "%s: %s\n", name, tf_class_error(c));
    else if (CALL(Allocate, jvmti, (jlong)out.length, &memory)) {
        memcpy(memory, out.bytes, out.length);
        *new_bytes = memory;
        *new_length = (jint)out.length;
    }
    tf_buffer_release(&out);
    tf_class_free(c);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *jvmti;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    if (options != NULL && strncmp(options, "package=", 8) == 0)
        snprintf(package, sizeof package, "%s/", options + 8);
    for (char *c = package; *c != '\0'; c++)
        if (*c == '.')
            *c = '/';
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class;
    if (!CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
        return JNI_ERR;
    return JNI_OK;
}
