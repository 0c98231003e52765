/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/search.c -- JVM TI "Class Loader Search". */

#include <string.h>
#include <sys/stat.h>

#include "jvmti/env.h"
#include "vm/above.h"
#include "vm/loader.h"
#include "vm/string.h"

static bool
is_file(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

static void
append(char **path, const char *segment)
{
    char *old = *path;

    *path = old != NULL && *old != '\0' ? mem_printf("%s:%s", old, segment)
                                        : mem_strdup(segment);
    mem_free(old);
}

/* In OnLoad a segment may come to exist later; in the live phase it has to be a jar. */
jvmtiError
jvmti_AddToBootstrapClassLoaderSearch(const char *segment)
{
    struct vm *vm = current_thread->vm;
    bool is_early = vm_get_phase(vm) == VM_PHASE_ONLOAD;
    char *error = NULL;

    if (is_early)
        append(&jvmti_property("jdk.boot.class.path.append")->value, segment);
    else if (!is_file(segment))
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    if (boot_append(vm, segment, &error))
        return JVMTI_ERROR_NONE;
    mem_free(error);
    return is_early ? JVMTI_ERROR_NONE : JVMTI_ERROR_ILLEGAL_ARGUMENT;
}

static jvmtiError
append_to_loader(struct thread *self, const char *segment)
{
    union slot loader = { .ref = NULL }, args[2];

    if (!java_call(self, KM(self->vm, ClassLoader_getSystemClassLoader), NULL, &loader))
        return JVMTI_ERROR_INTERNAL;
    struct method *append = class_find_method(
        object_class(loader.ref), symbol_of("appendToClassPathForInstrumentation"),
        symbol_of("(Ljava/lang/String;)V"));
    if (append == NULL)
        return JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED;
    args[0].ref = keep(self, loader.ref);
    args[1].ref = keep(self, string_from_modified(self, segment, strlen(segment)));
    if (args[1].ref == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return java_call(self, append, args, NULL) ? JVMTI_ERROR_NONE
                                               : JVMTI_ERROR_INTERNAL;
}

jvmtiError
jvmti_AddToSystemClassLoaderSearch(const char *segment)
{
    struct thread *self = current_thread;
    struct system_property *path = jvmti_property("java.class.path");

    if (vm_get_phase(self->vm) == VM_PHASE_ONLOAD) {
        if (path == NULL)
            return JVMTI_ERROR_INTERNAL;
        append(&path->value, segment);
        return JVMTI_ERROR_NONE;
    }
    if (!is_file(segment))
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    EXCEPTION_WAITS(self);
    return append_to_loader(self, segment);
}
