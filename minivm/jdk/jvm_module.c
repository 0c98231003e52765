/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_module.c -- JVM_ functions of java.lang.Module.
 *
 * The class library decides which module reads and exports what (Module, ModuleLayer)
 * and tells the VM, which checks accesses by it (JVMS 5.4.4). linking/module.h has the
 * work. */

#include "linking/module.h"

#include "jdk/jvm.h"

/*
 * Module.defineModule0: the module's loader defines the packages, an array of String.
 */
JNIEXPORT void JNICALL
JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open, jstring version,
                 jstring location, jobjectArray packages)
{
    VM_ENTRY(env);

    module_define(self, ref_get(module), is_open, ref_get(version), ref_get(location),
                  ref_get(packages));
}

/*
 * Makes module the one of all boot classes that no named module has; BootLoader calls
 * it once.
 */
JNIEXPORT void JNICALL
JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module)
{
    VM_ENTRY(env);

    module_set_boot_unnamed(self, ref_get(module));
}

/* Module.addExports0: exports the package to one module. */
JNIEXPORT void JNICALL
JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to)
{
    VM_ENTRY(env);

    if (!to)
        THROW(self, NullPointerException, "to_module is null");
    else
        module_add_exports(self, ref_get(from), ref_get(package), ref_get(to), false);
}

/* Module.addExportsToAllUnnamed0. */
JNIEXPORT void JNICALL
JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from, jstring package)
{
    VM_ENTRY(env);

    module_add_exports(self, ref_get(from), ref_get(package), NULL, true);
}

/* Module.addExportsToAll0. */
JNIEXPORT void JNICALL
JVM_AddModuleExportsToAll(JNIEnv *env, jobject from, jstring package)
{
    VM_ENTRY(env);

    module_add_exports(self, ref_get(from), ref_get(package), NULL, false);
}

/* Module.addReads0; a null module stands for all unnamed ones. */
JNIEXPORT void JNICALL
JVM_AddReadsModule(JNIEnv *env, jobject from, jobject to)
{
    VM_ENTRY(env);

    module_add_reads(self, ref_get(from), ref_get(to));
}
