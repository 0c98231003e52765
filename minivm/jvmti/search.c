/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/search.c -- JVM TI "Class Loader Search". */

#include <string.h>
#include <sys/stat.h>

#include "jvmti/env.h"
#include "linking/boot_path.h"
#include "linking/loader.h"
#include "runtime/above.h"
#include "runtime/string.h"

/* Returns true if there is a file of that name that is no directory. */
static bool
is_file(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

/* Appends a segment to *path, an allocated class path that may be NULL. */
static void
append(char **path, const char *segment)
{
    char *old = *path;

    *path = old && *old != '\0' ? mem_printf("%s:%s", old, segment)
                                : mem_strdup(segment);
    mem_free(old);
}

/* In OnLoad a segment need not exist yet, and the property shows it too; in the live
   phase it has to be a jar.  The property is always there: the VM has made it.  A
   segment that cannot be read is an error in the live phase only. */
jvmtiError
jvmti_AddToBootstrapClassLoaderSearch(const char *segment)
{
    struct vm *vm = the_vm;
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

/* Calls the method that a system class loader has for this purpose (JVM TI "Add To
   System Class Loader Search").  self is in the live phase.  Returns
   CLASS_LOADER_UNSUPPORTED if there is no such method.  An exception may be pending
   afterwards, which the caller's EXCEPTION_WAITS drops. */
static jvmtiError
append_to_loader(struct thread *self, const char *segment)
{
    union slot loader = { .ref = NULL }, args[2];

    if (!java_call(self, KM(self->vm, ClassLoader_getSystemClassLoader), NULL, &loader))
        return JVMTI_ERROR_INTERNAL;
    struct method *append = class_find_method(
        object_class(loader.ref), symbol_of("appendToClassPathForInstrumentation"),
        symbol_of("(Ljava/lang/String;)V"));
    if (!append)
        return JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED;
    args[0].ref = handle_new(self, loader.ref);
    args[1].ref = handle_new(self,
                             string_from_modified(self, segment, strlen(segment)));
    if (!args[1].ref)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return java_call(self, append, args, NULL) ? JVMTI_ERROR_NONE
                                               : JVMTI_ERROR_INTERNAL;
}

/* In the OnLoad phase no loader exists, so the property from which it will be made is
   changed.  Later the loader is asked. */
jvmtiError
jvmti_AddToSystemClassLoaderSearch(struct thread *self, const char *segment)
{
    struct system_property *path = jvmti_property("java.class.path");

    if (vm_get_phase(self->vm) == VM_PHASE_ONLOAD) {
        if (!path)
            return JVMTI_ERROR_INTERNAL;
        append(&path->value, segment);
        return JVMTI_ERROR_NONE;
    }
    if (!is_file(segment))
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    EXCEPTION_WAITS(self);
    return append_to_loader(self, segment);
}
