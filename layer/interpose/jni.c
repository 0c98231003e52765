/* SPDX-License-Identifier: MIT */
/*
 * layer/interpose/jni.c -- the JNIEnv that an agent gets, and its calls.
 *
 * GetJNIFunctionTable gives the VM's own functions, which the agent may call with the VM's
 * JNIEnv, in functions that it puts into the table, and with ours, in callbacks.  So it
 * gets a few instructions in the place of each, which replace our JNIEnv by the VM's and
 * go on in the function.  They leave all other arguments where they are.
 */
#include "layer/interpose/wrappers.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

/* The table of level 24 has a function more than the header's. */
static struct {
    struct JNINativeInterface_ table;
    jlong (JNICALL *GetStringUTFLengthAsLong)(JNIEnv *env, jstring string);
} wrapped;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static JNIEnv *any_real;

static jlong JNICALL
get_string_utf_length_as_long(JNIEnv *env, jstring string)
{
    union interpose_arg args[] = { { .p = string }, { .j = 0 } };
    struct interpose_jni_call call = { .function = INTERPOSE_JNI_GetStringUTFLengthAsLong,
                                       .args = args,
                                       .caller = __builtin_return_address(0) };

    if (interpose_jni_begin(&call, env)) {
        jlong (JNICALL *real)(JNIEnv *, jstring) =
            ((__typeof__(real) const *)*call.real)[INTERPOSE_JNI_GetStringUTFLengthAsLong];

        call.result.j = real(call.real, args[0].p);
    }
    interpose_jni_end(&call);
    return call.result.j;
}

/* A VM's table ends with the last function of its level. */
static void
fill_table(void)
{
    jint level = (*any_real)->GetVersion(any_real) >> 16;

    interpose_fill_jni(&wrapped.table, level);
    if (level >= 24)
        wrapped.GetStringUTFLengthAsLong = get_string_utf_length_as_long;
}

JNIEnv *
interpose_jni_for(struct interpose_vm *vm, struct interpose_thread *thread, JNIEnv *real)
{
    struct interpose_jni *jni = &thread->jni;

    if (real == NULL || !vm->is_jni_wrapped)
        return real;
    if (jni->real != real || jni->vm != vm) {
        __atomic_store_n(&any_real, real, __ATOMIC_RELAXED);
        pthread_once(&once, fill_table);
        *jni = (struct interpose_jni){ &wrapped.table, real, thread, vm };
    }
    return (JNIEnv *)&jni->functions;
}

bool
interpose_jni_begin(struct interpose_jni_call *call, JNIEnv *env)
{
    call->jni = (struct interpose_jni *)env;
    call->real = call->jni->real;
    call->thread = interpose_thread_self();
    call->result.j = 0;
    call->data = NULL;
    if (!interposed_jni_begin(call))
        return false;
    if (call->function == INTERPOSE_JNI_GetJavaVM && call->args[0].p != NULL) {
        call->result.i = interpose_get_java_vm(call->jni->vm, call->args[0].p);
        return false;
    }
    return true;
}

void
interpose_jni_end(struct interpose_jni_call *call)
{
    interposed_jni_end(call);
}

/* ---- the VM's functions, for both kinds of JNIEnv ---- */

/* A VM's table has so many places. */
static int
place_count(void)
{
    jint level = (*any_real)->GetVersion(any_real) >> 16;

    return level >= 24 ? INTERPOSE_JNI_GetStringUTFLengthAsLong + 1
        : level >= 21 ? INTERPOSE_JNI_IsVirtualThread + 1
                      : INTERPOSE_JNI_GetModule + 1;
}

#ifdef __x86_64__
#define BRIDGE 48u

/* mov (%rdi), %r11; mov $ours, %r10; cmp %r10, %r11; jne 1f; mov 8(%rdi), %rdi;
   1: mov $function, %r11; jmp *%r11 */
static void
write_bridge(unsigned char *code, const void *function)
{
    static const unsigned char text[] = {
        0x4c, 0x8b, 0x1f, 0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0, 0x4d, 0x39, 0xd3, 0x75, 4,
        0x48, 0x8b, 0x7f, offsetof(struct interpose_jni, real), 0x49, 0xbb, 0, 0, 0, 0, 0, 0,
        0, 0, 0x41, 0xff, 0xe3
    };
    const void *ours = &wrapped.table;

    _Static_assert(sizeof text <= BRIDGE, "there is room for the instructions");
    memcpy(code, text, sizeof text);
    memcpy(code + 5, &ours, sizeof ours);
    memcpy(code + 24, &function, sizeof function);
}

void
interpose_jni_table_wrap(void **table)
{
    static unsigned char *last;
    static void *last_functions[INTERPOSE_JNI_COUNT];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int count = any_real != NULL ? place_count() : 0;
    size_t size = (size_t)count * BRIDGE;

    if (count == 0)
        return;
    pthread_mutex_lock(&lock);
    /* They are made again when the table has changed, and never given back. */
    if (last == NULL || memcmp(last_functions, table, (size_t)count * sizeof *table) != 0) {
        void *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          -1, 0);

        last = code != MAP_FAILED ? code : NULL;
        for (int i = 0; last != NULL && i < count; i++)
            if (table[i] != NULL)
                write_bridge(last + i * (long)BRIDGE, table[i]);
        if (last != NULL && mprotect(last, size, PROT_READ | PROT_EXEC) != 0)
            last = NULL;
        memcpy(last_functions, table, (size_t)count * sizeof *table);
    }
    for (int i = INTERPOSE_JNI_GetVersion; last != NULL && i < count; i++)
        if (table[i] != NULL)
            table[i] = last + i * (long)BRIDGE;
    pthread_mutex_unlock(&lock);
}
#else
void
interpose_jni_table_wrap(void **table)
{
    (void)table, (void)place_count;
}
#endif
