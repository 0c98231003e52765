/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_module.c -- JVM_ functions of java.lang.Module. */

#include "vm/module.h"

#include "jdk/jvm.h"

JVM_ACTION(JVM_DefineModule,
           (JNIEnv *env, jobject module, jboolean is_open, jstring version,
            jstring location, jobjectArray packages),
           module_define(self, ref_get(module), is_open, ref_get(version),
                         ref_get(location), ref_get(packages)))

JVM_ACTION(JVM_SetBootLoaderUnnamedModule, (JNIEnv *env, jobject module),
           module_set_boot_unnamed(self, ref_get(module)))

JNIEXPORT void JNICALL
JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to)
{
    VM_ENTRY(env);

    if (!to)
        THROW(self, NullPointerException, "to_module is null");
    else
        module_add_exports(self, ref_get(from), ref_get(package), ref_get(to), false);
}

JVM_ACTION(JVM_AddModuleExportsToAllUnnamed,
           (JNIEnv *env, jobject from, jstring package),
           module_add_exports(self, ref_get(from), ref_get(package), NULL, true))

JVM_ACTION(JVM_AddModuleExportsToAll, (JNIEnv *env, jobject from, jstring package),
           module_add_exports(self, ref_get(from), ref_get(package), NULL, false))

/* to null: every unnamed module. */
JVM_ACTION(JVM_AddReadsModule, (JNIEnv *env, jobject from, jobject to),
           module_add_reads(self, ref_get(from), ref_get(to)))
