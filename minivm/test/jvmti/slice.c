/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/slice.c -- an agent that says what it is told of one program; the
 * same on every VM. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jvmti.h>

static jvmtiEnv *ti;
static long entries, exits, loads, prepares, hooks;

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    entries++;
}

static void JNICALL
on_exit_(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean thrown,
         jvalue value)
{
    char *name;

    exits++;
    if ((*env)->GetMethodName(env, method, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return;
    if (!strcmp(name, "sliceInt"))
        printf("sliceInt: thrown %d value %d\n", thrown, value.i);
    if (!strcmp(name, "sliceThrow"))
        printf("sliceThrow: thrown %d\n", thrown);
    (*env)->Deallocate(env, (unsigned char *)name);
}

static void JNICALL
on_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    loads++;
}

static void JNICALL
on_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
        jobject domain, jint length, const unsigned char *bytes, jint *new_length,
        unsigned char **new_bytes)
{
    hooks++;
    if (name && !strcmp(name, "Slice"))
        printf("hook: %s %02x%02x loader %d\n", name, bytes[0], bytes[1], loader != NULL);
}

static void
describe_methods(jclass klass)
{
    jint count, frames;
    jmethodID *methods;
    jvmtiFrameInfo info[2];

    (*ti)->GetClassMethods(ti, klass, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *name, *signature;
        jint locals, arguments, lines;
        jvmtiLineNumberEntry *table;
        (*ti)->GetMethodName(ti, methods[i], &name, &signature, NULL);
        (*ti)->GetMaxLocals(ti, methods[i], &locals);
        (*ti)->GetArgumentsSize(ti, methods[i], &arguments);
        (*ti)->GetLineNumberTable(ti, methods[i], &lines, &table);
        printf("  %s%s locals %d arguments %d lines %d first %d\n", name, signature,
               locals, arguments, lines, table[0].line_number);
    }
    printf("start beyond the stack: %d\n",
           (*ti)->GetStackTrace(ti, NULL, 1000, 2, info, &frames));
}

static void JNICALL
on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature;
    jint status;

    prepares++;
    (*env)->GetClassSignature(env, klass, &signature, NULL);
    if (!strcmp(signature, "LSlice;")) {
        (*env)->GetClassStatus(env, klass, &status);
        printf("prepared %s status %d\n", signature, status);
        describe_methods(klass);
    }
    (*env)->Deallocate(env, (unsigned char *)signature);
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni)
{
    jvmtiPhase phase;

    (*env)->GetPhase(env, &phase);
    printf("VMStart phase %d\n", phase);
}

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;
    jint state;

    (*env)->GetThreadInfo(env, thread, &info);
    (*env)->GetThreadState(env, thread, &state);
    printf("VMInit %s priority %d daemon %d state %x\n", info.name, info.priority,
           info.is_daemon, state);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, thread);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, thread);
}

static void JNICALL
on_death(jvmtiEnv *env, JNIEnv *jni)
{
    printf("VMDeath entries %d balance %d loads %d prepares %d hooks %d\n",
           entries > 100, labs(entries - exits) < 50, loads > 10, prepares > 10,
           hooks > 10);
    printf("dispose %d", (*env)->DisposeEnvironment(env));
    printf(", again %d\n", (*env)->DisposeEnvironment(env));
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent on[] = {
        JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK
    };
    jvmtiEventCallbacks callbacks = {
        .VMStart = on_start, .VMInit = on_init, .VMDeath = on_death,
        .ClassLoad = on_load, .ClassPrepare = on_prepare,
        .ClassFileLoadHook = on_hook, .MethodEntry = on_entry, .MethodExit = on_exit_
    };
    jvmtiCapabilities wanted;
    void *none;

    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("version 99: %d\n", (*vm)->GetEnv(vm, &none, 0x30630000));
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    printf("without capability: %d\n",
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY,
                                           NULL));
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_method_entry_events = 1;
    wanted.can_generate_method_exit_events = 1;
    wanted.can_get_line_numbers = 1;
    wanted.can_maintain_original_method_order = 1;
    printf("capabilities: %d\n", (*ti)->AddCapabilities(ti, &wanted));
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, on[i], NULL);
    return JNI_OK;
}
