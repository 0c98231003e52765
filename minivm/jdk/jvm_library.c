/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_library.c -- shared libraries, raw monitors, formatted output, and
 * the answers about class data sharing, which this VM does not have. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "base/history.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"

/* ---- libraries (called by threads that are in native code) ---- */

JNIEXPORT void *JNICALL
JVM_LoadLibrary(const char *name)
{
    struct thread *self = current_thread;
    char *error = NULL;
    void *handle = os_library_open(name, &error);

    if (!handle) {
        thread_enter_vm(self);
        THROW(self, UnsatisfiedLinkError, "%s: %s", name, error);
        thread_leave_vm(self);
    } else {
        history_add(HISTORY_LIBRARIES, "Loaded shared library %s", name);
    }
    mem_free(error);
    return handle;
}

JVM_PLAIN(void, JVM_UnloadLibrary, (void *handle), (void)dlclose(handle))
JVM_PLAIN(void *, JVM_FindLibraryEntry, (void *handle, const char *name),
          dlsym(handle, name))

JNIEXPORT jboolean JNICALL
JVM_IsSupportedJNIVersion(jint version)
{
    static const jint known[] = { JNI_VERSION_1_1, JNI_VERSION_1_2, JNI_VERSION_1_4,
                                  JNI_VERSION_1_6, JNI_VERSION_1_8, JNI_VERSION_9,
                                  JNI_VERSION_10, JNI_VERSION_19, JNI_VERSION_20,
                                  JNI_VERSION_21 };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == version)
            return version <= the_vm->profile->jni_version;
    return JNI_FALSE;
}

/* A path in the form of this system, in place: it has that form. */
JVM_PLAIN(char *, JVM_NativePath, (char *path), path)

/* ---- raw monitors of libzip: any thread, attached or not, always in native ---- */

JNIEXPORT void *JNICALL
JVM_RawMonitorCreate(void)
{
    pthread_mutex_t *m = mem_try_alloc(sizeof *m);
    pthread_mutexattr_t recursive;

    if (!m)
        return NULL;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(m, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return m;
}

JNIEXPORT void JNICALL
JVM_RawMonitorDestroy(void *monitor)
{
    pthread_mutex_destroy(monitor);
    mem_free(monitor);
}

JVM_PLAIN(jint, JVM_RawMonitorEnter, (void *monitor), pthread_mutex_lock(monitor))

JVM_PLAIN(void, JVM_RawMonitorExit, (void *monitor),
          (void)pthread_mutex_unlock(monitor))

/* ---- formatted output ---- */

/* Always terminates; -1 when the text does not fit. */
JNIEXPORT int
jio_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
    int length;

    if (size == 0 || size > INT32_MAX)
        return -1;
    length = vsnprintf(to, size, format, args);
    if (length < 0 || (size_t)length >= size) {
        to[size - 1] = '\0';
        return -1;
    }
    return length;
}

JNIEXPORT int
jio_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = jio_vsnprintf(to, size, format, args);
    va_end(args);
    return length;
}

JNIEXPORT int
jio_vfprintf(FILE *to, const char *format, va_list args)
{
    typedef jint (JNICALL *print_fn)(FILE *, const char *, va_list);
    print_fn hook = the_vm ? (print_fn)the_vm->options.vfprintf_hook : NULL;

    return hook ? hook(to, format, args) : vfprintf(to, format, args);
}

JNIEXPORT int
jio_fprintf(FILE *to, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = jio_vfprintf(to, format, args);
    va_end(args);
    return length;
}

/* ---- class data sharing: there is no archive ---- */

JVM_PLAIN(jboolean, JVM_IsSharingEnabled, (JNIEnv *env UNUSED), JNI_FALSE)
JVM_PLAIN(jboolean, JVM_IsCDSDumpingEnabled, (JNIEnv *env UNUSED), JNI_FALSE)
JVM_PLAIN(jboolean, JVM_IsDumpingClassList, (JNIEnv *env UNUSED), JNI_FALSE)

/* 0: the VM is not dumping, ImmutableCollections draws its own salt. */
JVM_PLAIN(jlong, JVM_GetRandomSeedForDumping, (void), 0)
JVM_PLAIN(void, JVM_InitializeFromArchive, (JNIEnv *env UNUSED, jclass cls UNUSED), )
JVM_PLAIN(void, JVM_DefineArchivedModules,
          (JNIEnv *env UNUSED, jobject platform UNUSED, jobject system UNUSED), )
JVM_PLAIN(void, JVM_LogLambdaFormInvoker, (JNIEnv *env UNUSED, jstring line UNUSED), )

#define NO_ARCHIVE(function) \
    JVM_ACTION(function, (JNIEnv *env, jstring file UNUSED), \
               THROW(self, UnsupportedOperationException, \
                     "class data sharing is not supported"))
NO_ARCHIVE(JVM_DumpClassListToFile)
NO_ARCHIVE(JVM_DumpDynamicArchive)

JVM_PLAIN(void, JVM_RegisterLambdaProxyClassForArchiving,
          (JNIEnv *env UNUSED, jclass caller UNUSED, jstring name UNUSED,
           jobject factory_type UNUSED, jobject method_type UNUSED,
           jobject member UNUSED, jobject instantiated_type UNUSED,
           jclass lambda UNUSED), )
JVM_PLAIN(jclass, JVM_LookupLambdaProxyClassFromArchive,
          (JNIEnv *env UNUSED, jclass caller UNUSED, jstring name UNUSED,
           jobject factory_type UNUSED, jobject method_type UNUSED,
           jobject member UNUSED, jobject instantiated_type UNUSED), NULL)
