/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/search.c -- JVM TI "Class Loader Search". */

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "jvmti/env.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/loader.h"
#include "vm/string.h"

static bool
exists(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0;
}

static bool
is_directory(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* In OnLoad a segment may come to exist later; in the live phase it has to be a jar. */
jvmtiError
jvmti_AddToBootstrapClassLoaderSearch(const char *segment)
{
    struct vm *vm = current_thread->vm;
    char *error = NULL;

    if (vm_get_phase(vm) == VM_PHASE_ONLOAD) {
        char *old = vm->options.boot_append;
        vm->options.boot_append =
            old != NULL ? mem_printf("%s:%s", old, segment) : mem_strdup(segment);
        mem_free(old);
    } else if (!exists(segment) || is_directory(segment)) {
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    }
    if (!boot_append(vm, segment, &error)) {
        mem_free(error);
        return vm_get_phase(vm) == VM_PHASE_ONLOAD ? JVMTI_ERROR_NONE
                                                   : JVMTI_ERROR_ILLEGAL_ARGUMENT;
    }
    return JVMTI_ERROR_NONE;
}

static jvmtiError
append_to_property(struct vm *vm, const char *segment)
{
    for (struct system_property *p = vm->options.properties; p; p = p->next) {
        if (strcmp(p->key, "java.class.path") != 0)
            continue;
        char *old = p->value;
        p->value = old != NULL && *old != '\0' ? mem_printf("%s:%s", old, segment)
                                               : mem_strdup(segment);
        mem_free(old);
        return JVMTI_ERROR_NONE;
    }
    return JVMTI_ERROR_INTERNAL;
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
    return java_call(self, append, args, NULL) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL;
}

jvmtiError
jvmti_AddToSystemClassLoaderSearch(const char *segment)
{
    struct thread *self = current_thread;
    jvmtiError error;

    if (vm_get_phase(self->vm) == VM_PHASE_ONLOAD)
        return append_to_property(self->vm, segment);
    if (!exists(segment) || is_directory(segment))
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    struct object *pending = keep(self, exception_take(self));
    error = append_to_loader(self, segment);
    self->exception = pending;
    return error;
}
