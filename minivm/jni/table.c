/* SPDX-License-Identifier: MIT */
/* minivm/jni/table.c -- the table of JNI functions, and JNI "Version Information",
 * "Java VM Interface". */

#include "jni/entry.h"
#include "jni/functions.h"

/* The table that every JNIEnv of the process points to.  It is a variable of the
   process and not of a VM: its address is what native code has. */
static struct JNINativeInterface_ table = JNI_TABLE;

enum { TABLE_SLOTS = sizeof table / sizeof(void *) };

void
jni_table_read(struct JNINativeInterface_ *to)
{
    *to = table;
}

/* Each pointer is stored as a whole, since threads call through the table meanwhile. */
void
jni_table_write(const struct JNINativeInterface_ *from)
{
    for (int i = 0; i < TABLE_SLOTS; i++)
        __atomic_store_n((void **)&table + i, ((void *const *)from)[i],
                         __ATOMIC_RELEASE);
}

void
jni_init(struct vm *vm)
{
    if (vm->options.check_jni)
        jni_table_write(jni_checked_table());
    vm->jni_functions = &table;
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
