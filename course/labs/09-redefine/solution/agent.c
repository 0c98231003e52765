/* SPDX-License-Identifier: MIT */
/* Lab 9: hot swap. */
#include "lab.h"

static char folder[2000];

/* The bytes of a file, which the caller frees; NULL if it cannot be read. */
static unsigned char *
read_file(const char *name, jint *size)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = file != NULL ? malloc(1 << 20) : NULL;

    if (bytes != NULL)
        *size = (jint)fread(bytes, 1, 1 << 20, file);
    if (file != NULL)
        fclose(file);
    return bytes;
}

/* The loaded class of a signature, as a local reference, or NULL. */
static jclass
find_class(jvmtiEnv *jvmti, JNIEnv *jni, const char *wanted)
{
    jclass *classes = NULL, found = NULL;
    jint count = 0;

    if (!CALL(GetLoadedClasses, jvmti, &count, &classes))
        return NULL;
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;

        if (found == NULL && CALL(GetClassSignature, jvmti, classes[i], &signature, NULL)
            && strcmp(signature, wanted) == 0)
            found = classes[i];
        else
            (*jni)->DeleteLocalRef(jni, classes[i]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    return found;
}

static void
swap(jvmtiEnv *jvmti, JNIEnv *jni, const char *name, int version)
{
    char file[3000], signature[300], *text = NULL;
    jvmtiClassDefinition definition;
    unsigned char *bytes;
    jvmtiError error;

    snprintf(file, sizeof file, "%s/%s.%d", folder, name, version);
    snprintf(signature, sizeof signature, "L%s;", name);
    definition.klass = find_class(jvmti, jni, signature);
    bytes = read_file(file, &definition.class_byte_count);
    if (definition.klass == NULL || bytes == NULL) {
        fprintf(stderr, "no class or no file for %s\n", name);
        free(bytes);
        return;
    }
    definition.class_bytes = bytes;
    error = (*jvmti)->RedefineClasses(jvmti, 1, &definition);
    if (error == JVMTI_ERROR_NONE)
        say("swapped %s %d", name, version);
    else {
        (*jvmti)->GetErrorName(jvmti, error, &text);
        say("refused %s %d %s", name, version, text);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)text);
    }
    free(bytes);
}

/* A line for a frame, if its class has no package. */
static void
say_frame(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    char *signature = NULL, *name = NULL;
    jboolean obsolete = JNI_FALSE;
    jclass klass;

    if (!CALL(GetMethodDeclaringClass, jvmti, method, &klass))
        return;
    if (CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && strchr(signature, '/') == NULL
        && CALL(GetMethodName, jvmti, method, &name, NULL, NULL)
        && CALL(IsMethodObsolete, jvmti, method, &obsolete))
        say("frame %s %s", obsolete ? "obsolete" : "current", name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, klass);
}

/* Is it the thread's name? */
static bool
has_name(jvmtiEnv *jvmti, jthread thread, const char *wanted)
{
    jvmtiThreadInfo info;
    bool result;

    if (!CALL(GetThreadInfo, jvmti, thread, &info))
        return false;
    result = strcmp(info.name, wanted) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return result;
}

static void
show_stack(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiFrameInfo frames[500];
    jthread *threads = NULL;
    jint count = 0, frame_count = 0;

    if (!CALL(GetAllThreads, jvmti, &count, &threads))
        return;
    for (jint i = 0; i < count; i++)
        if (has_name(jvmti, threads[i], "main")
            && CALL(GetStackTrace, jvmti, threads[i], 0, 500, frames, &frame_count))
            for (jint j = 0; j < frame_count; j++)
                say_frame(jvmti, jni, frames[j].method);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;
    jvmtiPhase phase;
    char class[200];
    int version;

    if (!CALL(GetPhase, jvmti, &phase) || phase != JVMTI_PHASE_LIVE
        || !CALL(GetThreadInfo, jvmti, thread, &info))
        return;
    if (sscanf(info.name, "swap %199s %d", class, &version) == 2)
        swap(jvmti, jni, class, version);
    else if (strcmp(info.name, "stack") == 0)
        show_stack(jvmti, jni);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    if (options != NULL && strncmp(options, "dir=", 4) == 0)
        snprintf(folder, sizeof folder, "%s", options + 4);
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_redefine_classes = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ThreadStart = on_thread_start;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_THREAD_START, NULL))
        return JNI_ERR;
    return JNI_OK;
}
