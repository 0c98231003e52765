/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_library.c -- JVM_ functions for shared libraries, raw monitors and
 * formatted output, and those about class data sharing.
 *
 * The JDK's C code (libjava, libzip, libinstrument and others) calls these.  Its
 * threads are in native code then, and some are not attached to the VM at all, so that
 * most functions here neither enter the VM nor have a JNIEnv.
 *
 * Class data sharing (an archive of parsed classes that is mapped at the start) does
 * not exist in this VM.  The functions about it say that no archive is used or written;
 * the class library then does without. */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/history.h"
#include "base/log.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"

/* ---- libraries (called by threads that are in native code) ---- */

/*
 * Opens a shared library for System.load; returns its handle, or NULL with
 * UnsatisfiedLinkError pending unless throws is false.  (The first JDKs 17 did not pass
 * that, and want the error.)  The thread stays in native code, since the library's
 * initializers run, and enters the VM only to throw.
 */
JNIEXPORT void *JNICALL
JVM_LoadLibrary(const char *name, jboolean throws)
{
    struct thread *self = current_thread;
    char *error = NULL;
    void *handle = os_library_open(name, &error);

    if (!handle && throws) {
        thread_enter_vm(self);
        THROW(self, UnsatisfiedLinkError, "%s: %s", name, error);
        thread_leave_vm(self);
    } else if (handle) {
        history_add(HISTORY_LIBRARIES, "Loaded shared library %s", name);
    }
    mem_free(error);
    return handle;
}

JNIEXPORT void JNICALL
JVM_UnloadLibrary(void *handle)
{
    dlclose(handle);
}

/* Returns the address of a symbol of the library, or NULL.  The library that the VM has in
   itself is in every one, however libjvm was loaded. */
JNIEXPORT void *JNICALL
JVM_FindLibraryEntry(void *handle, const char *name)
{
    void *entry = dlsym(handle, name);

    if (!entry && strcmp(name, "JNI_OnLoad_fallbackLinker") == 0)
        entry = (void *)(uintptr_t)JNI_OnLoad_fallbackLinker;
    return entry;
}

/*
 * Returns true if there is a version of JNI with that number and the VM's release has
 * it.
 */
JNIEXPORT jboolean JNICALL
JVM_IsSupportedJNIVersion(jint version)
{
    static const jint known[] = { JNI_VERSION_1_1, JNI_VERSION_1_2, JNI_VERSION_1_4,
                                  JNI_VERSION_1_6, JNI_VERSION_1_8, JNI_VERSION_9,
                                  JNI_VERSION_10,  JNI_VERSION_19,  JNI_VERSION_20,
                                  JNI_VERSION_21,  0x00180000 /* 24 */ };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == version)
            return version <= the_vm->profile->jni_version;
    return JNI_FALSE;
}

/*
 * Converts a path, in place, to the form that this system has; it has that form
 * already.
 */
JNIEXPORT char *JNICALL
JVM_NativePath(char *path)
{
    return path;
}

/* ---- raw monitors of libzip ----
 *
 * These are recursive mutexes that threads enter in native code, attached or not; they
 * are not the raw monitors of JVM TI. */

/* Returns a new monitor, or NULL when there is no memory. */
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

/* Returns 0, or an error number of pthread_mutex_lock. */
JNIEXPORT jint JNICALL
JVM_RawMonitorEnter(void *monitor)
{
    return pthread_mutex_lock(monitor);
}

JNIEXPORT void JNICALL
JVM_RawMonitorExit(void *monitor)
{
    pthread_mutex_unlock(monitor);
}

/* ---- formatted output ---- */

/*
 * Formats into size bytes at to, and always ends them with a NUL.  Returns the length,
 * or -1 when the text does not fit.
 */
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

/*
 * Prints by the vfprintf hook of JNI_CreateJavaVM's options, if one was given (JNI "The
 * Invocation API"), else by vfprintf itself.
 */
JNIEXPORT int
jio_vfprintf(FILE *to, const char *format, va_list args)
{
    typedef jint(JNICALL * print_fn)(FILE *, const char *, va_list);
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

/*
 * Returns libzip, which libjimage asks for to unpack resources of a compressed image.
 */
JNIEXPORT void *JNICALL
JVM_LoadZipLibrary(void)
{
    static void *handle;
    TEXTS(t);
    void *loaded = __atomic_load_n(&handle, __ATOMIC_ACQUIRE);

    if (!loaded) {
        loaded = dlopen(
            own(&t, mem_printf("%s/lib/libzip.so", the_vm->options.java_home)),
            RTLD_LAZY);
        if (!loaded)
            fatal("%s", dlerror());
        __atomic_store_n(&handle, loaded, __ATOMIC_RELEASE);
    }
    return loaded;
}

/* The JDK's libraries are files of their own, not parts of this one. */
JNIEXPORT jboolean JNICALL
JVM_IsStaticallyLinked(void)
{
    return JNI_FALSE;
}

/* ---- class data sharing: there is no archive ---- */

/* CDS.getCDSConfigStatus of JDK 25: a set of bits, of which none holds. */
JNIEXPORT jint JNICALL
JVM_GetCDSConfigStatus(void)
{
    return 0;
}

/* VMManagementImpl.endAOTRecording of JDK 25's updates: nothing was being recorded. */
JNIEXPORT jboolean JNICALL
JVM_AOTEndRecording(JNIEnv *env UNUSED)
{
    return JNI_FALSE;
}

/* No archive, so that none of its classes needs a barrier. */
JNIEXPORT jboolean JNICALL
JVM_NeedsClassInitBarrierForCDS(JNIEnv *env UNUSED, jclass cls UNUSED)
{
    return JNI_FALSE;
}

/* No archive is in use. */
JNIEXPORT jboolean JNICALL
JVM_IsSharingEnabled(JNIEnv *env UNUSED)
{
    return JNI_FALSE;
}

/* No archive is written. */
JNIEXPORT jboolean JNICALL
JVM_IsCDSDumpingEnabled(JNIEnv *env UNUSED)
{
    return JNI_FALSE;
}

/* No list of classes for an archive is written. */
JNIEXPORT jboolean JNICALL
JVM_IsDumpingClassList(JNIEnv *env UNUSED)
{
    return JNI_FALSE;
}

/*
 * The seed by which collections order their elements while an archive is written, so
 * that the archive is reproducible. 0 says that none is written: ImmutableCollections
 * draws a salt of its own.
 */
JNIEXPORT jlong JNICALL
JVM_GetRandomSeedForDumping(void)
{
    return 0;
}

/* Sets a class's static fields from the archive: there are none. */
JNIEXPORT void JNICALL
JVM_InitializeFromArchive(JNIEnv *env UNUSED, jclass cls UNUSED)
{
}

JNIEXPORT void JNICALL
JVM_DefineArchivedModules(JNIEnv *env UNUSED, jobject platform UNUSED,
                          jobject system UNUSED)
{
}

JNIEXPORT void JNICALL
JVM_LogLambdaFormInvoker(JNIEnv *env UNUSED, jstring line UNUSED)
{
}

/* Throws what the functions do that would write an archive. */
static void
throw_no_archive(struct thread *self)
{
    THROW(self, UnsupportedOperationException, "class data sharing is not supported");
}

JNIEXPORT void JNICALL
JVM_DumpClassListToFile(JNIEnv *env, jstring file UNUSED)
{
    VM_ENTRY(env);

    throw_no_archive(self);
}

JNIEXPORT void JNICALL
JVM_DumpDynamicArchive(JNIEnv *env, jstring file UNUSED)
{
    VM_ENTRY(env);

    throw_no_archive(self);
}

JNIEXPORT void JNICALL
JVM_RegisterLambdaProxyClassForArchiving(
    JNIEnv *env UNUSED, jclass caller UNUSED, jstring name UNUSED,
    jobject factory_type UNUSED, jobject method_type UNUSED, jobject member UNUSED,
    jobject instantiated_type UNUSED, jclass lambda UNUSED)
{
}

JNIEXPORT jclass JNICALL
JVM_LookupLambdaProxyClassFromArchive(JNIEnv *env UNUSED, jclass caller UNUSED,
                                      jstring name UNUSED, jobject factory_type UNUSED,
                                      jobject method_type UNUSED, jobject member UNUSED,
                                      jobject instantiated_type UNUSED)
{
    return NULL;
}
