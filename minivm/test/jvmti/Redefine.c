/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Redefine.c -- new versions of classes: four environments, whose
 * hooks are told by the program what to do. */

#include <stdarg.h>
#include <stdint.h>

#include "check.h"

enum { ENVS = 4, INCAPABLE = 2, TOO_LATE = 3, CLASSES = 8 };

static jvmtiEnv *envs[ENVS];
static char digits[ENVS + 1] = "0123";
static char hooked[64];        /* the class that the hooks are about */
static char text[20000];
static size_t text_length;

static void
say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_length += (size_t)vsnprintf(text + text_length, sizeof text - text_length,
                                     format, args);
    va_end(args);
}

static jstring
said(JNIEnv *jni)
{
    jstring s = (*jni)->NewStringUTF(jni, text);

    text_length = 0;
    text[0] = '\0';
    return s;
}

/* ---- hooks ---- */

static int
env_number(const jvmtiEnv *env)
{
    for (int i = 0; i < ENVS; i++)
        if (envs[i] == env)
            return i;
    return -1;
}

/* Puts the environment's digit for the first '.' after "steps:". */
static void JNICALL
on_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
        jobject domain, jint length, const unsigned char *bytes, jint *new_length,
        unsigned char **new_bytes)
{
    int number = env_number(env);
    unsigned char *at, *end;

    if (name == NULL || strcmp(name, hooked))
        return;
    say("%d%s%s%s ", number, redefined != NULL ? "r" : "", loader != NULL ? "l" : "",
        domain != NULL ? "d" : "");
    if (digits[number] == '-')
        return;
    (*env)->Allocate(env, length, new_bytes);
    memcpy(*new_bytes, bytes, (size_t)length);
    *new_length = length;
    end = *new_bytes + length - 10;
    for (at = *new_bytes; at < end && memcmp(at, "steps:", 6); at++)
        continue;
    while (at < end && *at != '.')
        at++;
    *at = (unsigned char)digits[number];
}

JNIEXPORT void JNICALL
Java_Redefiner_hook(JNIEnv *jni, jclass c, jstring name)
{
    hooked[0] = '\0';
    if (name != NULL)
        (*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name),
                                   hooked);
}

/* A digit, '-' for looking on only, or ' ' to switch the hook off. */
JNIEXPORT void JNICALL
Java_Redefiner_digit(JNIEnv *jni, jclass c, jint env, jchar digit)
{
    digits[env] = (char)digit;
    (*envs[env])->SetEventNotificationMode(envs[env],
                                           digit != ' ' ? JVMTI_ENABLE : JVMTI_DISABLE,
                                           JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
}

JNIEXPORT jstring JNICALL
Java_Redefiner_hookLog(JNIEnv *jni, jclass c)
{
    return said(jni);
}

JNIEXPORT jint JNICALL
Java_Redefiner_addLateCapability(JNIEnv *jni, jclass c)
{
    jvmtiCapabilities late = { .can_retransform_classes = 1 };

    return (jint)(*envs[TOO_LATE])->AddCapabilities(envs[TOO_LATE], &late);
}

/* ---- the functions ---- */

JNIEXPORT jint JNICALL
Java_Redefiner_redefine(JNIEnv *jni, jclass c, jobjectArray classes, jobjectArray files)
{
    jvmtiClassDefinition definitions[CLASSES];
    jint count = (*jni)->GetArrayLength(jni, classes);

    for (jint i = 0; i < count; i++) {
        jbyteArray file = (*jni)->GetObjectArrayElement(jni, files, i);
        jint length = (*jni)->GetArrayLength(jni, file);
        unsigned char *bytes = malloc((size_t)length);
        (*jni)->GetByteArrayRegion(jni, file, 0, length, (jbyte *)bytes);
        definitions[i].klass = (*jni)->GetObjectArrayElement(jni, classes, i);
        definitions[i].class_byte_count = length;
        definitions[i].class_bytes = bytes;
    }
    jvmtiError error = (*envs[0])->RedefineClasses(envs[0], count, definitions);
    for (jint i = 0; i < count; i++) {
        memset((void *)definitions[i].class_bytes, 0,
               (size_t)definitions[i].class_byte_count);
        free((void *)definitions[i].class_bytes);
    }
    return (jint)error;
}

JNIEXPORT jint JNICALL
Java_Redefiner_retransform(JNIEnv *jni, jclass c, jobjectArray classes)
{
    jclass list[CLASSES];
    jint count = (*jni)->GetArrayLength(jni, classes);

    for (jint i = 0; i < count; i++)
        list[i] = (*jni)->GetObjectArrayElement(jni, classes, i);
    return (jint)(*envs[0])->RetransformClasses(envs[0], count, list);
}

JNIEXPORT jboolean JNICALL
Java_Redefiner_isModifiable(JNIEnv *jni, jclass c, jclass klass)
{
    jboolean answer = 2;

    (*envs[0])->IsModifiableClass(envs[0], klass, &answer);
    return answer;
}

/* ---- methods and classes ---- */

JNIEXPORT jlong JNICALL
Java_Redefiner_method(JNIEnv *jni, jclass c, jobject method)
{
    return (jlong)(intptr_t)(*jni)->FromReflectedMethod(jni, method);
}

/* The method of the frame that is depth above this one's caller. */
JNIEXPORT jlong JNICALL
Java_Redefiner_frameMethod(JNIEnv *jni, jclass c, jint depth)
{
    jmethodID method = NULL;
    jlocation location;

    (*envs[0])->GetFrameLocation(envs[0], NULL, depth + 1, &method, &location);
    return (jlong)(intptr_t)method;
}

JNIEXPORT jboolean JNICALL
Java_Redefiner_isObsolete(JNIEnv *jni, jclass c, jlong method)
{
    jboolean answer = 2;

    (*envs[0])->IsMethodObsolete(envs[0], (jmethodID)(intptr_t)method, &answer);
    return answer;
}

static int
line_of(jmethodID method, jlocation location)
{
    jvmtiLineNumberEntry *table;
    jint count;
    int line = -1;

    if ((*envs[0])->GetLineNumberTable(envs[0], method, &count, &table)
        != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        if (table[i].start_location <= location)
            line = table[i].line_number;
    (*envs[0])->Deallocate(envs[0], (unsigned char *)table);
    return line;
}

/* "name:line" of each frame, with '!' when it is obsolete. */
JNIEXPORT jstring JNICALL
Java_Redefiner_frames(JNIEnv *jni, jclass c, jint count)
{
    jvmtiFrameInfo frames[50];
    jint found = 0;

    (*envs[0])->GetStackTrace(envs[0], NULL, 1, count, frames, &found);
    for (jint i = 0; i < found; i++) {
        char *name = NULL;
        (*envs[0])->GetMethodName(envs[0], frames[i].method, &name, NULL, NULL);
        say("%s:%d%s ", name, line_of(frames[i].method, frames[i].location),
            Java_Redefiner_isObsolete(jni, c, (jlong)(intptr_t)frames[i].method) ? "!"
                                                                                : "");
        (*envs[0])->Deallocate(envs[0], (unsigned char *)name);
    }
    return said(jni);
}

/* Name, signature, generic signature, modifiers, bytecode, names of locals. */
JNIEXPORT jstring JNICALL
Java_Redefiner_describe(JNIEnv *jni, jclass c, jlong id)
{
    jvmtiEnv *ti = envs[0];
    jmethodID method = (jmethodID)(intptr_t)id;
    char *name, *signature, *generic;
    jint modifiers, count;
    unsigned char *code;
    jvmtiLocalVariableEntry *locals;

    (*ti)->GetMethodName(ti, method, &name, &signature, &generic);
    (*ti)->GetMethodModifiers(ti, method, &modifiers);
    say("%s%s %s %x", name, signature, generic ? generic : "-", (unsigned)modifiers);
    if ((*ti)->GetBytecodes(ti, method, &count, &code) == JVMTI_ERROR_NONE) {
        say(" code");
        for (jint i = 0; i < count; i++)
            say(" %02x", code[i]);
    }
    if ((*ti)->GetLocalVariableTable(ti, method, &count, &locals) == JVMTI_ERROR_NONE)
        for (jint i = 0; i < count; i++)
            say(" %s", locals[i].name);
    return said(jni);
}

JNIEXPORT jstring JNICALL
Java_Redefiner_methods(JNIEnv *jni, jclass c, jclass klass)
{
    jint count = 0;
    jmethodID *methods = NULL;

    (*envs[0])->GetClassMethods(envs[0], klass, &count, &methods);
    for (jint i = 0; i < count; i++) {
        char *name;
        (*envs[0])->GetMethodName(envs[0], methods[i], &name, NULL, NULL);
        say("%s ", name);
    }
    return said(jni);
}

/* Source file, debug extension, version, number of constants. */
JNIEXPORT jstring JNICALL
Java_Redefiner_classInfo(JNIEnv *jni, jclass c, jclass klass)
{
    jvmtiEnv *ti = envs[0];
    char *source = NULL, *generic = NULL;
    jint minor = -1, major = -1, count = -1, size;
    unsigned char *bytes;

    (*ti)->GetSourceFileName(ti, klass, &source);
    (*ti)->GetClassSignature(ti, klass, NULL, &generic);
    (*ti)->GetClassVersionNumbers(ti, klass, &minor, &major);
    (*ti)->GetConstantPool(ti, klass, &count, &size, &bytes);
    say("%s %s %d.%d %d", source, generic ? generic : "-", major, minor, count);
    return said(jni);
}

JNIEXPORT jint JNICALL
Java_Redefiner_popFrame(JNIEnv *jni, jclass c, jthread thread)
{
    jvmtiError error = (*envs[0])->SuspendThread(envs[0], thread);

    if (error == JVMTI_ERROR_NONE)
        error = (*envs[0])->PopFrame(envs[0], thread);
    (*envs[0])->ResumeThread(envs[0], thread);
    return (jint)error;
}

static int hits;

static void JNICALL
on_breakpoint(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    hits++;
}

JNIEXPORT jint JNICALL
Java_Redefine_hits(JNIEnv *jni, jclass c)
{
    return hits;
}

JNIEXPORT jint JNICALL
Java_Redefine_breakpoint(JNIEnv *jni, jclass c, jclass klass, jstring name,
                         jlong location, jboolean set)
{
    jvmtiEnv *ti = envs[0];
    char method_name[20] = "";

    (*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name),
                               method_name);
    jmethodID method = (*jni)->GetStaticMethodID(jni, klass, method_name, "()V");
    (*ti)->SetEventNotificationMode(ti, set ? JVMTI_ENABLE : JVMTI_DISABLE,
                                    JVMTI_EVENT_BREAKPOINT, NULL);
    return (jint)(set ? (*ti)->SetBreakpoint(ti, method, location)
                      : (*ti)->ClearBreakpoint(ti, method, location));
}

JNIEXPORT jint JNICALL
Java_Target_bound(JNIEnv *jni, jclass c, jint x)
{
    return x + 7;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_hook,
                                      .Breakpoint = on_breakpoint };
    jvmtiCapabilities all = {
        .can_redefine_classes = 1, .can_retransform_classes = 1,
        .can_redefine_any_class = 1, .can_retransform_any_class = 1,
        .can_get_line_numbers = 1, .can_get_bytecodes = 1, .can_get_constant_pool = 1,
        .can_access_local_variables = 1, .can_get_source_file_name = 1,
        .can_maintain_original_method_order = 1, .can_suspend = 1, .can_pop_frame = 1,
        .can_generate_breakpoint_events = 1
    };
    jvmtiCapabilities none = { 0 };

    envs[0] = make_env(vm, JVMTI_VERSION_11, &all);
    all.can_generate_breakpoint_events = 0;
    all.can_suspend = all.can_pop_frame = 0; /* HotSpot gives them to one only */
    envs[1] = make_env(vm, JVMTI_VERSION_11, &all);
    envs[INCAPABLE] = make_env(vm, JVMTI_VERSION_11, &none);
    envs[TOO_LATE] = make_env(vm, JVMTI_VERSION_11, &none);
    for (int i = 0; i < ENVS; i++)
        (*envs[i])->SetEventCallbacks(envs[i], &callbacks, sizeof callbacks);
    return JNI_OK;
}
