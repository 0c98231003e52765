/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_module.c -- JVM_ functions of java.lang.Module. */

#include "vm/module.h"

#include "jdk/jvm.h"
#include "vm/string.h"

static char *
text_of(jstring s)
{
    struct object *o = ref_get(s);

    return o ? string_to_modified(o) : NULL;
}

/* The package's name, with '/' for '.'. */
static char *
package_name(const struct object *s)
{
    char *name = string_to_modified(s);

    for (char *p = name; *p; p++)
        if (*p == '.')
            *p = '/';
    return name;
}

JNIEXPORT void JNICALL
JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open, jstring version,
                 jstring location, jobjectArray packages)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(packages);
    int32_t count = array ? array_length(array) : 0;
    TEXTS(names);
    TEXTS(others);

    if (!module) {
        THROW(self, NullPointerException, "Null module object");
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        const struct object *s = ARRAY_REFS(array)[i];
        if (!s) {
            THROW(self, IllegalArgumentException, "Bad package name");
            return;
        }
        own(&names, package_name(s));
    }
    module_define(self, ref_get(module), is_open, own(&others, text_of(version)),
                  own(&others, text_of(location)), (const char *const *)names.at,
                  names.count);
}

JNIEXPORT void JNICALL
JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module)
{
    VM_ENTRY(env);

    if (!module)
        THROW(self, NullPointerException, "Null module object");
    else
        module_set_boot_unnamed(self, ref_get(module));
}

static void
add_exports(JNIEnv *env, jobject from, jstring package, jobject to, bool all_unnamed)
{
    VM_ENTRY(env);

    if (!from) {
        THROW(self, NullPointerException, "from_module is null");
    } else if (!package) {
        THROW(self, NullPointerException, "package is null");
    } else {
        TEXTS(t);
        module_add_exports(self, ref_get(from), own(&t, package_name(ref_get(package))),
                           ref_get(to), all_unnamed);
    }
}

JNIEXPORT void JNICALL
JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to)
{
    if (!to) {
        VM_ENTRY(env);
        THROW(self, NullPointerException, "to_module is null");
        return;
    }
    add_exports(env, from, package, to, false);
}

JNIEXPORT void JNICALL
JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from, jstring package)
{
    add_exports(env, from, package, NULL, true);
}

JNIEXPORT void JNICALL
JVM_AddModuleExportsToAll(JNIEnv *env, jobject from, jstring package)
{
    add_exports(env, from, package, NULL, false);
}

/* to null: every unnamed module. */
JNIEXPORT void JNICALL
JVM_AddReadsModule(JNIEnv *env, jobject from, jobject to)
{
    VM_ENTRY(env);

    if (!from)
        THROW(self, NullPointerException, "from_module is null");
    else
        module_add_reads(self, ref_get(from), ref_get(to));
}
