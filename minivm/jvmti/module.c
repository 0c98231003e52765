/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/module.c -- JVM TI "Module".
 *
 * java.lang.Module keeps what Java sees, struct module what the VM checks; the class
 * library's own functions for agents change both. */

#include "vm/module.h"

#include <string.h>

#include "jni/entry.h"
#include "jvmti/env.h"
#include "vm/above.h"
#include "vm/link.h"
#include "vm/string.h"

/* Under the mutex of classes: nothing stops.  A module without its object is one
   that Java does not know yet. */
static void
keep_module(void *self, struct module *m)
{
    if (m->object != NULL)
        keep(self, m->object);
}

jvmtiError
jvmti_GetAllModules(jint *count, jobject **modules)
{
    struct scope found = scope_open(current_thread);

    modules_visit(found.self->vm, keep_module, found.self);
    return jvmti_locals(&found, count, modules);
}

jvmtiError
jvmti_GetNamedModule(struct object *class_loader, const char *package_name,
                     jobject *module)
{
    size_t length = strlen(package_name);
    struct package *p = NULL;

    if (length <= SYMBOL_MAX_LENGTH)
        p = package_find(loader_of(current_thread->vm, class_loader),
                         symbol_intern(package_name, length));
    return jvmti_local(p != NULL && p->module->name != NULL ? p->module->object : NULL,
                       module);
}

/* Call jdk.internal.module.Modules.name with count arguments. */
static jvmtiError
change(const char *name, const char *descriptor, struct object *const *objects,
       size_t count)
{
    struct thread *self = current_thread;
    EXCEPTION_WAITS(self);
    struct class *modules = class_load_boot(self, "jdk/internal/module/Modules");
    union slot args[3];

    for (size_t i = 0; i < count; i++)
        args[i].ref = objects[i];
    if (java_call_named(self, modules, name, descriptor, args, NULL))
        return JVMTI_ERROR_NONE;
    const struct object *e = self->exception;
    return e == NULL ? JVMTI_ERROR_INTERNAL
           : object_is_instance(e, KC(self->vm, IllegalArgumentException))
               ? JVMTI_ERROR_ILLEGAL_ARGUMENT
           : object_is_instance(e, KC(self->vm, OutOfMemoryError))
               ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_INTERNAL;
}

/* addExports and addOpens; package is in Java's form, with dots. */
static jvmtiError
change_package(const char *name, struct object *module, const char *package,
               struct object *to_module)
{
    struct thread *self = current_thread;
    EXCEPTION_WAITS(self);
    struct object *text =
        keep(self, string_from_modified(self, package, strlen(package)));

    if (text == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return change(name, "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V",
                  (struct object *[]){ module, text, to_module }, 3);
}

jvmtiError
jvmti_AddModuleReads(struct object *module, struct object *to_module)
{
    return change("addReads", "(Ljava/lang/Module;Ljava/lang/Module;)V",
                  (struct object *[]){ module, to_module }, 2);
}

JVMTI_BODY(jvmtiError, jvmti_AddModuleExports,
           (struct object *module, const char *pkg_name, struct object *to_module),
           change_package("addExports", module, pkg_name, to_module))
JVMTI_BODY(jvmtiError, jvmti_AddModuleOpens,
           (struct object *module, const char *pkg_name, struct object *to_module),
           change_package("addOpens", module, pkg_name, to_module))

jvmtiError
jvmti_AddModuleUses(struct object *module, struct class *service)
{
    return change("addUses", "(Ljava/lang/Module;Ljava/lang/Class;)V",
                  (struct object *[]){ module, service->layout.mirror }, 2);
}

jvmtiError
jvmti_AddModuleProvides(struct object *module, struct class *service,
                        struct class *impl_class)
{
    /* The class library would add it to the loader's catalog all the same. */
    if (REF_FIELD(current_thread->vm, module, Module_name) == NULL)
        return JVMTI_ERROR_NONE;
    return change("addProvides",
                  "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V",
                  (struct object *[]){ module, service->layout.mirror,
                                       impl_class->layout.mirror },
                  3);
}

JVMTI_BODY(jboolean, jvmti_IsModifiableModule, (struct object *module UNUSED), JNI_TRUE)
