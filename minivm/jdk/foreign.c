/* SPDX-License-Identifier: MIT */
/* minivm/jdk/foreign.c -- the natives of the class library's foreign linker by libffi
 * (java.lang.foreign.Linker, JDK 25).
 *
 * JVM_IsForeignLinkerSupported denies that the VM makes machine code for calls of C
 * functions, and the class library then uses its FallbackLinker: Java code that lays the
 * arguments into memory, and a library of C, "fallbackLinker", that makes the calls by
 * libffi.  No JDK for processors that its VM has machine code for brings that library, so
 * it is here, as one that is linked statically (JNI "Support for Statically Linked
 * Libraries"): JVM_FindLibraryEntry finds its JNI_OnLoad.  A release whose LibFallback has
 * other natives does not get them: the registration fails, and so does the load, as if the
 * library were not there.
 *
 * A downcall is a call of C from Java.  The result of an integral type that is smaller
 * than a word comes as a word from libffi, but Java has memory for its own size only.  For
 * an upcall, of Java from C, libffi makes a function (a closure) that calls `upcall`,
 * which calls LibFallback.doUpcall; there it is the other way round. */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include <ffi.h>

#include "base/log.h"
#include "jdk/jdk.h"

/* The most arguments that a method handle has, and so a downcall. */
enum { MOST_ARGUMENTS = 255 };
/* The bit of CapturableState.ERRNO; this system has no other state to capture. */
enum { CAPTURE_ERRNO = 1 << 2 };

/* For upcalls; set when the library is loaded. */
static JavaVM *java_vm;
static jclass lib_fallback;
static jmethodID do_upcall;

static void *
pointer(jlong address)
{
    return (void *)(uintptr_t)address;
}

static jlong
address(const void *p)
{
    return (jlong)(uintptr_t)p;
}

/* Returns true if libffi has results of the type in a whole word. */
static bool
is_widened(const ffi_type *type)
{
    return type->type != FFI_TYPE_VOID && type->type != FFI_TYPE_STRUCT
           && type->size < sizeof(ffi_arg);
}

/* Returns where the value is in such a word. */
static void *
value_in_word(ffi_arg *word, const ffi_type *type)
{
    bool is_last = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                   && type->type != FFI_TYPE_FLOAT;

    return (char *)word + (is_last ? sizeof *word - type->size : 0);
}

/* ---- downcalls ---- */

/* An argument, or the memory for captured state, that is in an array of the heap.  Java
   has stored the offset in the array in place of the address. */
struct heap_argument {
    jarray array; /* NULL: it is not in the heap */
    char *elements;
};

static jint
call(ffi_cif *cif, void *fn, void *result, void **arguments)
{
    ffi_arg word = 0;
    bool is_word = is_widened(cif->rtype);

    ffi_call(cif, FFI_FN(fn), is_word ? &word : result, arguments);
    jint error = errno;
    if (is_word)
        memcpy(result, value_in_word(&word, cif->rtype), cif->rtype->size);
    return error;
}

static void
do_downcall(JNIEnv *env, jclass c, jlong cif, jlong fn, jlong result, jlong arguments,
            jobject capture_array, jlong capture, jint mask, jobjectArray arrays,
            jint count)
{
    struct heap_argument heap[MOST_ARGUMENTS], captured = { capture_array, NULL };
    void **values = pointer(arguments);
    char *to = pointer(capture);

    (void)c;
    if (!arrays || count > MOST_ARGUMENTS)
        count = 0;
    for (jint i = 0; i < count; i++)
        heap[i].array = (*env)->GetObjectArrayElement(env, arrays, i);
    /* No other function of JNI is called between these and the releases. */
    for (jint i = 0; i < count; i++)
        if (heap[i].array) {
            int64_t *value = values[i];
            heap[i].elements = (*env)->GetPrimitiveArrayCritical(env, heap[i].array,
                                                                 NULL);
            *value += (int64_t)(intptr_t)heap[i].elements;
        }
    if (captured.array) {
        captured.elements = (*env)->GetPrimitiveArrayCritical(env, captured.array,
                                                              NULL);
        to = captured.elements + capture;
    }
    jint error = call(pointer(cif), pointer(fn), pointer(result), values);
    if (mask & CAPTURE_ERRNO)
        memcpy(to, &error, sizeof error);
    if (captured.array)
        (*env)->ReleasePrimitiveArrayCritical(env, captured.array, captured.elements,
                                              0);
    for (jint i = 0; i < count; i++)
        if (heap[i].array)
            (*env)->ReleasePrimitiveArrayCritical(env, heap[i].array, heap[i].elements,
                                                  0);
}

/* ---- upcalls ---- */

/* Stores the value of that type as libffi wants results. */
static void
store_widened(void *result, const ffi_type *type, const void *value)
{
    ffi_arg *word = result;

    switch (type->type) {
    case FFI_TYPE_UINT8: *word = *(const uint8_t *)value; break;
    case FFI_TYPE_UINT16: *word = *(const uint16_t *)value; break;
    case FFI_TYPE_UINT32: *word = *(const uint32_t *)value; break;
    case FFI_TYPE_SINT8: *word = (ffi_arg) * (const int8_t *)value; break;
    case FFI_TYPE_SINT16: *word = (ffi_arg) * (const int16_t *)value; break;
    case FFI_TYPE_SINT32: *word = (ffi_arg) * (const int32_t *)value; break;
    default: memcpy(result, value, type->size); break;
    }
}

/* The function of each closure; target is a global reference to a method handle.  A thread
   that Java does not know is attached for the call. */
static void
upcall(ffi_cif *cif, void *result, void **arguments, void *target)
{
    JNIEnv *env = NULL;
    ffi_arg word = 0;
    bool is_word = is_widened(cif->rtype);
    bool attached = (*java_vm)->GetEnv(java_vm, (void **)&env, JNI_VERSION_1_8)
                    != JNI_OK;

    if (attached
        && (*java_vm)->AttachCurrentThreadAsDaemon(java_vm, (void **)&env, NULL)
               != JNI_OK)
        fatal("a thread that calls Java by a stub of java.lang.foreign cannot be "
              "attached");
    (*env)->CallStaticVoidMethod(env, lib_fallback, do_upcall,
                                 address(is_word ? &word : result), address(arguments),
                                 target);
    /* doUpcall catches what the method throws, and ends the VM. */
    if ((*env)->ExceptionCheck(env))
        (*env)->FatalError(env, "exception in an upcall of java.lang.foreign");
    if (is_word)
        store_widened(result, cif->rtype, &word);
    if (attached)
        (*java_vm)->DetachCurrentThread(java_vm);
}

/* Stores the addresses of the closure, of its code, and of the target's reference. */
static jint
create_closure(JNIEnv *env, jclass c, jlong cif, jobject target, jlongArray addresses)
{
    void *code = NULL;
    ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &code);
    jobject global = closure ? (*env)->NewGlobalRef(env, target) : NULL;
    ffi_status status = global ? ffi_prep_closure_loc(closure, pointer(cif), upcall,
                                                      global, code)
                               : FFI_BAD_ABI;

    (void)c;
    if (status == FFI_OK) {
        const jlong values[] = { address(closure), address(code), address(global) };
        (*env)->SetLongArrayRegion(env, addresses, 0, 3, values);
        return status;
    }
    if (global)
        (*env)->DeleteGlobalRef(env, global);
    if (closure)
        ffi_closure_free(closure);
    return status;
}

static void
free_closure(JNIEnv *env, jclass c, jlong closure, jlong global)
{
    (void)c;
    ffi_closure_free(pointer(closure));
    (*env)->DeleteGlobalRef(env, pointer(global));
}

/* ---- descriptions of calls ---- */

static jint
prepare(JNIEnv *env, jclass c, jlong cif, jint abi, jint count, jlong result,
        jlong arguments)
{
    (void)env, (void)c;
    return ffi_prep_cif(pointer(cif), (ffi_abi)abi, (unsigned)count, pointer(result),
                        pointer(arguments));
}

static jint
prepare_variadic(JNIEnv *env, jclass c, jlong cif, jint abi, jint fixed, jint count,
                 jlong result, jlong arguments)
{
    (void)env, (void)c;
    return ffi_prep_cif_var(pointer(cif), (ffi_abi)abi, (unsigned)fixed,
                            (unsigned)count, pointer(result), pointer(arguments));
}

static jint
struct_offsets(JNIEnv *env, jclass c, jint abi, jlong type, jlong offsets)
{
    (void)env, (void)c;
    return ffi_get_struct_offsets((ffi_abi)abi, pointer(type), pointer(offsets));
}

/* ---- constants ---- */

#define CONSTANT(name, type, value) \
    static type get_##name(JNIEnv *env, jclass c) \
    { \
        (void)env, (void)c; \
        return (value); \
    }

CONSTANT(init, jboolean, JNI_TRUE)
CONSTANT(sizeof_cif, jlong, (jlong)sizeof(ffi_cif))
CONSTANT(default_abi, jint, FFI_DEFAULT_ABI)
CONSTANT(struct_tag, jshort, FFI_TYPE_STRUCT)
CONSTANT(void, jlong, address(&ffi_type_void))
CONSTANT(uint8, jlong, address(&ffi_type_uint8))
CONSTANT(sint8, jlong, address(&ffi_type_sint8))
CONSTANT(uint16, jlong, address(&ffi_type_uint16))
CONSTANT(sint16, jlong, address(&ffi_type_sint16))
CONSTANT(uint32, jlong, address(&ffi_type_uint32))
CONSTANT(sint32, jlong, address(&ffi_type_sint32))
CONSTANT(uint64, jlong, address(&ffi_type_uint64))
CONSTANT(sint64, jlong, address(&ffi_type_sint64))
CONSTANT(float, jlong, address(&ffi_type_float))
CONSTANT(double, jlong, address(&ffi_type_double))
CONSTANT(pointer, jlong, address(&ffi_type_pointer))
CONSTANT(sizeof_short, jint, sizeof(short))
CONSTANT(sizeof_int, jint, sizeof(int))
CONSTANT(sizeof_long, jint, sizeof(long))
CONSTANT(sizeof_wchar, jint, sizeof(wchar_t))
CONSTANT(alignof_long_long, jint, _Alignof(long long))
CONSTANT(alignof_double, jint, _Alignof(double))

#define NATIVE(name, descriptor, fn) \
    { \
        (char *)(uintptr_t)(name), (char *)(uintptr_t)(descriptor), (void *)(fn) \
    }

static const JNINativeMethod natives[] = {
    NATIVE("init", "()Z", get_init),
    NATIVE("sizeofCif", "()J", get_sizeof_cif),
    NATIVE("createClosure", "(JLjava/lang/Object;[J)I", create_closure),
    NATIVE("freeClosure", "(JJ)V", free_closure),
    NATIVE("doDowncall", "(JJJJLjava/lang/Object;JI[Ljava/lang/Object;I)V",
           do_downcall),
    NATIVE("ffi_prep_cif", "(JIIJJ)I", prepare),
    NATIVE("ffi_prep_cif_var", "(JIIIJJ)I", prepare_variadic),
    NATIVE("ffi_get_struct_offsets", "(IJJ)I", struct_offsets),
    NATIVE("ffi_default_abi", "()I", get_default_abi),
    NATIVE("ffi_type_struct", "()S", get_struct_tag),
    NATIVE("ffi_type_void", "()J", get_void),
    NATIVE("ffi_type_uint8", "()J", get_uint8),
    NATIVE("ffi_type_sint8", "()J", get_sint8),
    NATIVE("ffi_type_uint16", "()J", get_uint16),
    NATIVE("ffi_type_sint16", "()J", get_sint16),
    NATIVE("ffi_type_uint32", "()J", get_uint32),
    NATIVE("ffi_type_sint32", "()J", get_sint32),
    NATIVE("ffi_type_uint64", "()J", get_uint64),
    NATIVE("ffi_type_sint64", "()J", get_sint64),
    NATIVE("ffi_type_float", "()J", get_float),
    NATIVE("ffi_type_double", "()J", get_double),
    NATIVE("ffi_type_pointer", "()J", get_pointer),
    NATIVE("ffi_sizeof_short", "()I", get_sizeof_short),
    NATIVE("ffi_sizeof_int", "()I", get_sizeof_int),
    NATIVE("ffi_sizeof_long", "()I", get_sizeof_long),
    NATIVE("ffi_sizeof_wchar", "()I", get_sizeof_wchar),
    NATIVE("alignof_long_long", "()I", get_alignof_long_long),
    NATIVE("alignof_double", "()I", get_alignof_double),
};

JNIEXPORT jint JNICALL
JNI_OnLoad_fallbackLinker(JavaVM *vm, void *reserved)
{
    JNIEnv *env = NULL;
    jclass c;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    c = (*env)->FindClass(env, "jdk/internal/foreign/abi/fallback/LibFallback");
    java_vm = vm;
    lib_fallback = c ? (*env)->NewGlobalRef(env, c) : NULL;
    do_upcall = c ? (*env)->GetStaticMethodID(env, c, "doUpcall",
                                              "(JJLjava/lang/invoke/MethodHandle;)V")
                  : NULL;
    if (do_upcall && lib_fallback
        && (*env)->RegisterNatives(env, c, natives, sizeof natives / sizeof *natives)
               == JNI_OK)
        return JNI_VERSION_1_8;
    (*env)->ExceptionClear(env);
    return JNI_ERR;
}
