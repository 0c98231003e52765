/* SPDX-License-Identifier: MIT */
/* minivm/jni/table.c -- the table of JNI functions, and JNI "Version Information",
 * "Java VM Interface". */

#include <string.h>

#include "jni/entry.h"
#include "jni/functions.h"
#include "runtime/string.h"

/* JNI "GetStringUTFLengthAsLong", which came with JDK 24: what GetStringUTFLength cannot
   tell of a string of more than 2 GB. */
static jlong JNICALL
string_utf_length_as_long(JNIEnv *env, jstring string)
{
    VM_ENTRY(env);

    return (jlong)string_modified_length(ref_get(string));
}

/* The table that every JNIEnv of the process points to.  It is a variable of the
   process and not of a VM: its address is what native code has.  Our jni.h is that of
   level 21, so what came later stands behind it. */
static struct {
    struct JNINativeInterface_ functions;
    jlong(JNICALL *GetStringUTFLengthAsLong)(JNIEnv *env, jstring string);
} table = { JNI_TABLE, string_utf_length_as_long };

enum {
    LENGTH_OF_21 = sizeof table.functions / sizeof(void *),
    LENGTH_OF_24 = sizeof table / sizeof(void *),
    VERSION_24 = 0x00180000 /* GetVersion's */
};

size_t
jni_table_length(const struct vm *vm)
{
    return vm->profile->jni_version < VERSION_24 ? LENGTH_OF_21 : LENGTH_OF_24;
}

void
jni_table_read(const struct vm *vm, void **to)
{
    memcpy(to, &table, jni_table_length(vm) * sizeof *to);
}

/* Each pointer is stored as a whole, since threads call through the table meanwhile. */
static void
write_table(void *const *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        __atomic_store_n((void **)&table + i, from[i], __ATOMIC_RELEASE);
}

void
jni_table_write(const struct vm *vm, void *const *from)
{
    write_table(from, jni_table_length(vm));
}

void
jni_init(struct vm *vm)
{
    if (vm->options.check_jni)
        write_table((void *const *)jni_checked_table(), LENGTH_OF_21);
    vm->jni_functions = &table.functions;
}

jint JNICALL
jni_GetVersion(JNIEnv *env)
{
    return env_thread(env)->vm->profile->jni_version;
}

jint JNICALL
jni_GetJavaVM(JNIEnv *env, JavaVM **vm)
{
    *vm = (JavaVM *)&env_thread(env)->vm->jni_invoke;
    return JNI_OK;
}
