/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_module.c -- JVM_ functions of java.lang.Module. */

#include "vm/module.h"

#include <string.h>

#include "base/mem.h"
#include "interp/interp.h"
#include "jdk/jvm.h"
#include "vm/exception.h"
#include "vm/string.h"

static char *
text_of(jstring s)
{
    struct object *o = ref_get(s);

    return o ? string_to_modified(o) : NULL;
}

static void
free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mem_free(names[i]);
    mem_free(names);
}

/* The strings of packages with '/' for '.'; NULL with an exception pending. */
static char **
package_names(struct thread *self, struct object *packages, size_t *count)
{
    size_t length = packages ? (size_t)array_length(packages) : 0;
    char **names = mem_calloc(length + 1, sizeof *names);

    for (*count = 0; *count < length; ++*count) {
        struct object *s = ARRAY_REFS(packages)[*count];
        if (!s) {
            free_names(names, *count);
            THROW(self, IllegalArgumentException, "Bad package name");
            return NULL;
        }
        names[*count] = string_to_modified(s);
        for (char *p = names[*count]; *p; p++)
            if (*p == '.')
                *p = '/';
    }
    return names;
}

JNIEXPORT void JNICALL
JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open, jstring version,
                 jstring location, jobjectArray packages)
{
    VM_ENTRY(env);
    size_t count;

    if (!module) {
        THROW(self, NullPointerException, "Null module object");
        return;
    }
    char **names = package_names(self, ref_get(packages), &count);
    if (!names)
        return;
    char *version_text = text_of(version), *location_text = text_of(location);
    module_define(self, ref_get(module), is_open, version_text, location_text,
                  (const char *const *)names, count);
    mem_free(version_text);
    mem_free(location_text);
    free_names(names, count);
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
        char *name = text_of(package);
        for (char *p = name; *p; p++)
            if (*p == '.')
                *p = '/';
        module_add_exports(self, ref_get(from), name, ref_get(to), all_unnamed);
        mem_free(name);
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
