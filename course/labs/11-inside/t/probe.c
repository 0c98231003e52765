/* SPDX-License-Identifier: MIT */
/* The marking's own agent: says what the two functions of the VM answer. */
#include "lab.h"

#include <dlfcn.h>

static char *class_name, *folder;

/* In the submission's VM these are there, in others not (watch.c). */
static void
ask_vm(const char *function, int argument)
{
    void (*f)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, function);

    if (f != NULL)
        f(argument);
}

#define RUNNING 30

static void
say_name(jvmtiEnv *jvmti, const char *what, jmethodID method, jlocation location)
{
    char *name = NULL;

    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        say("%s %s pc %lld", what, name, (long long)location);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void
say_error(jvmtiEnv *jvmti, const char *what, const char *about, jvmtiError error)
{
    char *name = NULL;

    if (CALL(GetErrorName, jvmti, error, &name))
        say("%s %s%s", what, about, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

static void
say_table(jvmtiEnv *jvmti, jmethodID method)
{
    jvmtiLineNumberEntry *table = NULL;
    char *name = NULL, about[300];
    jint rows = 0;
    jvmtiError error = (*jvmti)->GetLineNumberTable(jvmti, method, &rows, &table);

    if (CALL(GetMethodName, jvmti, method, &name, NULL, NULL)) {
        snprintf(about, sizeof about, "%s ", name);
        say_error(jvmti, "method", about, error);
        for (jint i = 0; error == JVMTI_ERROR_NONE && i < rows; i++)
            say("row %s pc %lld line %d", name, (long long)table[i].start_location,
                (int)table[i].line_number);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

static void
say_tables(jvmtiEnv *jvmti, jclass klass)
{
    jmethodID *methods = NULL;
    jint count = 0;

    if (!CALL(GetClassMethods, jvmti, klass, &count, &methods))
        return;
    for (jint i = 0; i < count; i++)
        say_table(jvmti, methods[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

static void
say_trace(jvmtiEnv *jvmti, const char *what, jthread thread, jint start, jint max)
{
    jvmtiFrameInfo frames[200];
    jint count = 0;
    jvmtiError error = (*jvmti)->GetStackTrace(jvmti, thread, start, max, frames, &count);

    if (error != JVMTI_ERROR_NONE)
        say_error(jvmti, what, "", error);
    for (jint i = 0; error == JVMTI_ERROR_NONE && i < count; i++)
        say_name(jvmti, what, frames[i].method, frames[i].location);
}

/* A table of a method that has one, while there is no memory for it. */
static void
say_short(jvmtiEnv *jvmti, jclass klass)
{
    jvmtiLineNumberEntry *table = NULL;
    jmethodID *methods = NULL;
    jint count = 0, rows = 0;
    jvmtiError error = JVMTI_ERROR_INTERNAL;

    if (!CALL(GetClassMethods, jvmti, klass, &count, &methods))
        return;
    for (jint i = 0; i < count; i++) {
        char *name = NULL;

        if (CALL(GetMethodName, jvmti, methods[i], &name, NULL, NULL)
            && strcmp(name, "main") == 0) {
            ask_vm("JVM_LabShortOfMemory", 1);
            error = (*jvmti)->GetLineNumberTable(jvmti, methods[i], &rows, &table);
            ask_vm("JVM_LabShortOfMemory", 0);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
    say_error(jvmti, "short", "", error);
}

/* The program's thread calls left1, which calls left2 and so on to left5, and returns;
   then right1 with its four, and so on for ever.  Is this a stack that it can have? */
static bool
is_whole(jvmtiEnv *jvmti, const jvmtiFrameInfo *frames, jint count, bool *is_inside)
{
    char before = '\0';
    int expected = 0;
    bool ok = true;

    for (jint i = 0; i < count && ok; i++) {
        char *name = NULL;
        size_t length;

        if ((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL)
            != JVMTI_ERROR_NONE)
            return false;
        length = strlen(name);
        if (strncmp(name, "left", 4) == 0 || strncmp(name, "right", 5) == 0) {
            ok = before == '\0' || (before == name[0] && name[length - 1] == expected);
            before = name[0];
            expected = name[length - 1] - 1;
            *is_inside = true;
        } else
            ok = before == '\0' || expected == '0' || expected == 0;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    }
    return ok && (before == '\0' || expected == '0');
}

/* Asks again and again for the stack of a thread that runs, as slowly as can be. */
static void
say_running(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiFrameInfo frames[50];
    bool is_inside = false;
    int whole = 0;

    for (int i = 0; i < RUNNING; i++) {
        jint count = 0;
        jvmtiError error;

        ask_vm("JVM_LabSleep", 100);
        error = (*jvmti)->GetStackTrace(jvmti, thread, 0, 50, frames, &count);
        ask_vm("JVM_LabSleep", 0);
        whole += error == JVMTI_ERROR_NONE && is_whole(jvmti, frames, count, &is_inside);
    }
    say("running %d of %d whole%s", whole, RUNNING, is_inside ? "" : ", all empty");
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jthread *threads = NULL;
    jint count = 0;
    jvmtiThreadInfo info;

    if (!CALL(GetThreadInfo, jvmti, thread, &info) || strcmp(info.name, "look") != 0
        || !CALL(GetAllThreads, jvmti, &count, &threads))
        return;
    for (jint i = 0; i < count; i++)
        if (!CALL(GetThreadInfo, jvmti, threads[i], &info))
            continue;
        else if (strcmp(info.name, "waits") == 0)
            say_trace(jvmti, "other", threads[i], 0, 200);
        else if (strcmp(info.name, "runs") == 0)
            say_running(jvmti, threads[i]);
    say_short(jvmti, (*jni)->FindClass(jni, class_name));
    say_tables(jvmti, (*jni)->FindClass(jni, class_name));
    say_tables(jvmti, (*jni)->FindClass(jni, "Without"));
}

/* Gives the class Old its second version, while a method of the first one runs, and says
   which methods of the stack are obsolete now. */
static void
say_obsolete(jvmtiEnv *jvmti, jclass klass)
{
    unsigned char bytes[10000];
    char path[1000];
    jvmtiClassDefinition definition = { .klass = klass, .class_bytes = bytes };
    jvmtiFrameInfo frames[200];
    jint count = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/Old.2", folder);
    file = fopen(path, "rb");
    if (file == NULL)
        return;
    definition.class_byte_count = (jint)fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (!CALL(RedefineClasses, jvmti, 1, &definition)
        || !CALL(GetStackTrace, jvmti, NULL, 0, 200, frames, &count))
        return;
    for (jint i = 0; i < count; i++) {
        jboolean is_obsolete = JNI_FALSE;

        if (CALL(IsMethodObsolete, jvmti, frames[i].method, &is_obsolete))
            say("version %d %s", (int)i, is_obsolete ? "obsolete" : "current");
    }
}

/* The exceptions that say: look at my own stack. */
static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catcher, jlocation where)
{
    char *signature = NULL;
    jint depth = 0;

    (void)location, (void)catcher, (void)where;
    if (!CALL(GetClassSignature, jvmti, (*jni)->GetObjectClass(jni, exception),
              &signature, NULL))
        return;
    if (strcmp(signature, "LLookOld;") == 0) {
        jclass klass;

        if (CALL(GetMethodDeclaringClass, jvmti, method, &klass))
            say_obsolete(jvmti, klass);
    }
    if (strcmp(signature, "LLook;") != 0
        || !CALL(GetFrameCount, jvmti, thread, &depth)) {
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        return;
    }
    say_trace(jvmti, "trace", NULL, 0, 200);
    say_trace(jvmti, "from-one", NULL, 1, 200);
    say_trace(jvmti, "last-two", NULL, -2, 200);
    say_trace(jvmti, "three", NULL, 0, 3);
    say_trace(jvmti, "beyond", NULL, depth, 3);
    say_trace(jvmti, "before", NULL, -depth - 1, 3);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni, (void)thread;
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_init, .ThreadStart = on_thread_start, .Exception = on_exception
    };
    jvmtiCapabilities capabilities = {
        .can_generate_exception_events = 1, .can_get_line_numbers = 1,
        .can_maintain_original_method_order = 1, .can_redefine_classes = 1
    };
    jvmtiEnv *jvmti;

    (void)reserved;
    class_name = strdup(options);
    folder = strchr(class_name, ',');
    if (folder == NULL)
        return JNI_ERR;
    *folder++ = '\0';
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
