/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/module.c -- JVM TI "Module".
 *
 * A java.lang.Module is what Java code sees of a module, and a struct module is what
 * the VM checks accesses by.  To change a module, this file calls the methods that the
 * class library has for agents, jdk.internal.module.Modules, which change both. */

#include "linking/module.h"

#include <string.h>

#include "jni/entry.h"
#include "jvmti/env.h"
#include "linking/loader.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "runtime/string.h"

/* Makes a handle for the object of a module in the visiting thread; a module without an
   object is not known to Java yet.  Called with class_mutex held. */
static void
add_module_handle(void *self, struct module *m)
{
    if (m->object)
        handle_new(self, m->object);
}

jvmtiError
jvmti_GetAllModules(struct thread *self, jint *count, jobject **modules)
{
    struct handle_scope found = handle_scope_open(self);

    modules_visit(self->vm, add_module_handle, self);
    return jvmti_locals(&found, count, modules);
}

/* A package of the unnamed module, or one that the loader has not, gives NULL.  A name
   that is too long for a symbol is no package's. */
jvmtiError
jvmti_GetNamedModule(struct thread *self, struct object *class_loader,
                     const char *package_name, jobject *module)
{
    size_t length = strlen(package_name);
    struct package *p = NULL;

    if (length <= SYMBOL_MAX_LENGTH)
        p = package_find(loader_of(self->vm, class_loader),
                         symbol_intern(package_name, length));
    return jvmti_local(self, p && p->module->name ? p->module->object : NULL, module);
}

/* Calls jdk.internal.module.Modules.<name> with count objects, and returns the error
   for the exception that it throws.  The caller keeps the objects alive.  If the class
   cannot be loaded, an exception is pending, too. */
static jvmtiError
call_modules(struct thread *self, const char *name, const char *descriptor,
             struct object *const *objects, size_t count)
{
    EXCEPTION_WAITS(self);
    struct class *modules = class_load_boot(self, "jdk/internal/module/Modules");
    union slot args[3];

    for (size_t i = 0; i < count; i++)
        args[i].ref = objects[i];
    if (java_call_named(self, modules, name, descriptor, args, NULL))
        return JVMTI_ERROR_NONE;
    const struct object *e = self->exception;
    return !e ? JVMTI_ERROR_INTERNAL
           : object_is_instance(e, KC(self->vm, IllegalArgumentException))
               ? JVMTI_ERROR_ILLEGAL_ARGUMENT
           : object_is_instance(e, KC(self->vm, OutOfMemoryError))
               ? JVMTI_ERROR_OUT_OF_MEMORY
               : JVMTI_ERROR_INTERNAL;
}

/* Calls addExports or addOpens of Modules.  The package's name is in Java's form, with
   dots. */
static jvmtiError
change_package(struct thread *self, const char *name, struct object *module,
               const char *package, struct object *to_module)
{
    EXCEPTION_WAITS(self);
    struct object *text = handle_new(
        self, string_from_modified(self, package, strlen(package)));

    if (!text)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    return call_modules(self, name,
                        "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V",
                        (struct object *[]){ module, text, to_module }, 3);
}

jvmtiError
jvmti_AddModuleReads(struct thread *self, struct object *module,
                     struct object *to_module)
{
    return call_modules(self, "addReads", "(Ljava/lang/Module;Ljava/lang/Module;)V",
                        (struct object *[]){ module, to_module }, 2);
}

jvmtiError
jvmti_AddModuleExports(struct thread *self, struct object *module, const char *pkg_name,
                       struct object *to_module)
{
    return change_package(self, "addExports", module, pkg_name, to_module);
}

jvmtiError
jvmti_AddModuleOpens(struct thread *self, struct object *module, const char *pkg_name,
                     struct object *to_module)
{
    return change_package(self, "addOpens", module, pkg_name, to_module);
}

jvmtiError
jvmti_AddModuleUses(struct thread *self, struct object *module, struct class *service)
{
    return call_modules(self, "addUses", "(Ljava/lang/Module;Ljava/lang/Class;)V",
                        (struct object *[]){ module, service->layout.mirror }, 2);
}

jvmtiError
jvmti_AddModuleProvides(struct thread *self, struct object *module,
                        struct class *service, struct class *impl_class)
{
    /* An unnamed module is left as it is (JVM TI "Add Module Provides"), but the class
       library would add the service to the catalog of the module's loader. */
    if (!REF_FIELD(self->vm, module, Module_name))
        return JVMTI_ERROR_NONE;
    return call_modules(self, "addProvides",
                        "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V",
                        (struct object *[]){ module, service->layout.mirror,
                                             impl_class->layout.mirror },
                        3);
}

jboolean
jvmti_IsModifiableModule(struct object *module)
{
    (void)module;
    return JNI_TRUE;
}
