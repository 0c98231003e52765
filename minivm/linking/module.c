/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/module.c -- run-time modules and packages.
 *
 * The functions that java.lang.Module calls take their arguments apart first, which may
 * throw, and then change the tables under class_mutex.
 *
 * At start there are two steps.  Classes are loaded before java.base is defined, and
 * count as java.base's.  Its definition names its packages; classes of other packages,
 * which came from an appended path, then move to the boot loader's unnamed module, and
 * the mirrors of all get their Module object.
 */

#include "linking/module.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

void
module_init(struct vm *vm)
{
    struct module *base = mem_calloc(1, sizeof *base);

    base->name = symbol_of("java.base");
    base->loader = vm->boot_loader;
    ptrmap_put(&vm->boot_loader->modules, base->name, base);
    vm->java_base = base;
    vm->boot_unnamed = vm->boot_loader->unnamed;
}

/* ---- packages ---- */

/* Returns the name of the package in the internal name of a class: what is in front of
   the last '/', or the empty symbol for the unnamed package. */
static const struct symbol *
package_name(const struct symbol *class_name)
{
    const char *end = strrchr(class_name->bytes, '/');

    return symbol_intern(class_name->bytes,
                         end ? (size_t)(end - class_name->bytes) : 0);
}

/* Makes a package and enters it in the table of l.  The caller holds class_mutex and
   has looked there for it. */
static struct package *
package_new(struct loader *l, const struct symbol *name, struct module *module)
{
    struct package *p = mem_calloc(1, sizeof *p);

    p->name = name;
    p->module = module;
    p->class_path_index = -1;
    ptrmap_put(&l->packages, name, p);
    return p;
}

struct package *
package_of(struct thread *self, struct loader *l, const struct symbol *class_name)
{
    const struct symbol *name = package_name(class_name);
    struct vm *vm = self->vm;
    bool is_early = l->is_boot && !vm->java_base->object;
    struct package *p;
    LOCK(&vm->class_mutex);

    p = ptrmap_get(&l->packages, name);
    return p ? p : package_new(l, name, is_early ? vm->java_base : l->unnamed);
}

struct package *
package_find(struct loader *l, const struct symbol *name)
{
    LOCK(&the_vm->class_mutex);

    return ptrmap_get(&l->packages, name);
}

/* Classes of one package are loaded by several threads. */
void
package_note_class(struct package *p, int32_t path_index)
{
    LOCK(&the_vm->class_mutex);

    p->has_classes = true;
    if (path_index >= 0 && p->class_path_index < 0)
        p->class_path_index = path_index;
}

bool
package_source(const struct package *p, int32_t *path_index)
{
    LOCK(&the_vm->class_mutex);

    *path_index = p->class_path_index;
    return p->has_classes;
}

/* ---- readability and exports ---- */

/* Returns true if m is the unnamed module of the boot or of the application loader,
   where agents have the classes that their instrumentation calls (see
   module_transformed). */
static bool
is_for_helpers(const struct module *m)
{
    return !m->name && m->loader->is_builtin && !m->loader->is_platform;
}

bool
module_reads(const struct module *from, const struct module *to)
{
    if (from == to || !from->name || to == the_vm->java_base)
        return true;
    LOCK(&the_vm->class_mutex);
    return (!to->name && from->reads_all_unnamed)
           || (from->is_transformed && is_for_helpers(to))
           || ptrmap_has(&from->reads, to);
}

bool
package_exported_to(const struct package *p, const struct module *to)
{
    if (p->module == to || !p->module->name || p->module->is_open)
        return true;
    LOCK(&the_vm->class_mutex);
    return p->exported_all || (!to->name && p->exported_all_unnamed)
           || ptrmap_has(&p->exports, to);
}

/* ---- definition ---- */

/* For classes_visit, with a module as the context: stores its Module object in the
   mirror of c if c is of that module and has a mirror yet. */
static void
set_mirror_module(void *context, struct class *c)
{
    struct module *m = context;

    if (c->module == m && c->layout.mirror)
        REF_FIELD(the_vm, c->layout.mirror, Class_module) = m->object;
}

/* Stores the Module object of m in the mirrors of classes that were loaded before it
   existed.  Primitive classes are in no loader's table, so they are done besides. */
static void
fix_up_mirrors(struct vm *vm, struct module *m)
{
    classes_visit(vm, WITH_ARRAYS, set_mirror_module, m);
    for (unsigned i = 0; i < 26; i++)
        if (vm->known.primitives[i])
            set_mirror_module(m, vm->known.primitives[i]);
}

/* Connects m with its Module object, in both directions.  The caller holds
   class_mutex. */
static void
set_object(struct vm *vm, struct module *m, struct object *object)
{
    m->object = object;
    OBJECT_FIELD(struct module *, object, KF(vm, Module_vmModule)) = m;
}

/* A module that is to be defined, taken from the arguments of module_define. */
struct request {
    struct thread *self;
    struct object *object;          /* the java.lang.Module */
    struct module module;           /* what the new struct module will begin as */
    const struct symbol **packages; /* owned */
    int32_t package_count;          /* those that were taken so far */
};

static const struct symbol *
symbol_or_null(const struct object *text)
{
    return text ? string_to_symbol(text, KEEP_DOTS) : NULL;
}

/* Returns true if l may not define the package of that name: java and those below it
   are for the boot and platform loader. */
static bool
is_prohibited(const struct loader *l, const char *name)
{
    return !l->is_boot && !l->is_platform && strncmp(name, "java", 4) == 0
           && (name[4] == '/' || name[4] == '\0');
}

/* Checks the name of one package and adds it to the request.  text is a String, or
   NULL.  Returns false with IllegalArgumentException pending. */
static bool
take_package(struct request *r, const struct object *text)
{
    const struct loader *l = r->module.loader;
    const struct symbol *name = text ? string_to_symbol(text, DOTS_TO_SLASHES) : NULL;

    if (!text)
        return THROW(r->self, IllegalArgumentException, "Bad package name");
    TEXTS(t);
    if (!name || *name->bytes == '\0' || *name->bytes == '['
        || !name_is_class(name->bytes, name->length,
                          (unsigned)r->self->vm->profile->max_class_major))
        return THROW(r->self, IllegalArgumentException,
                     "Invalid package name: %s for module: %s",
                     name ? name->bytes : own(&t, string_to_modified(text)),
                     r->module.name->bytes);
    if (is_prohibited(l, name->bytes))
        return THROW(
            r->self, IllegalArgumentException,
            "Class loader (instance of): %pL tried to define prohibited package "
            "name: %s",
            l, name->bytes);
    r->packages[r->package_count++] = name;
    return true;
}

/* Checks the Module object and the String[] packages, and fills in the rest of the
   request.  Returns false with an exception pending; module_define frees the array in
   any case. */
static bool
take_request(struct request *r, const struct object *packages)
{
    struct vm *vm = r->self->vm;
    int32_t count = packages ? array_length(packages) : 0;

    if (!r->object)
        return THROW(r->self, NullPointerException, "Null module object");
    if (!object_is_instance(r->object, KC(vm, Module)))
        return THROW(r->self, IllegalArgumentException,
                     "module is not an instance of type java.lang.Module");
    r->module.name = symbol_or_null(REF_FIELD(vm, r->object, Module_name));
    if (!r->module.name)
        return THROW(r->self, IllegalArgumentException, "Module name cannot be null");
    r->module.loader = loader_of(vm, REF_FIELD(vm, r->object, Module_loader));
    if (!loader_bind_unnamed_module(r->self, r->module.loader))
        return false;
    r->packages = mem_calloc((size_t)count + 1, sizeof *r->packages);
    for (int32_t i = 0; i < count; i++)
        if (!take_package(r, ARRAY_REFS(packages)[i]))
            return false;
    return true;
}

/* Returns why the module cannot be defined, as a text that the caller frees, or NULL.
   The caller holds class_mutex. */
static char *
find_conflict(const struct request *r)
{
    const struct module *m = &r->module;

    if (ptrmap_has(&m->loader->modules, m->name))
        return message_printf("Module %s is already defined", m->name->bytes);
    for (int32_t i = 0; i < r->package_count; i++) {
        const struct package *p = ptrmap_get(&m->loader->packages, r->packages[i]);

        if (p)
            return message_printf(
                "Package %s for module %s is already in %s%s%s defined to the class "
                "loader",
                p->name->bytes, m->name->bytes,
                p->module->name ? "another module, " : "the unnamed module",
                p->module->name ? p->module->name->bytes : "",
                p->module->name ? "," : "");
    }
    return NULL;
}

/* Enters m and its packages in the tables of its loader.  The caller holds
   class_mutex. */
static void
add_module(struct request *r, struct module *m)
{
    m->version = r->module.version;
    m->location = r->module.location;
    ptrmap_put(&m->loader->modules, m->name, m);
    for (int32_t i = 0; i < r->package_count; i++)
        if (!ptrmap_has(&m->loader->packages, r->packages[i]))
            package_new(m->loader, r->packages[i], m);
    set_object(r->self->vm, m, r->object);
}

/* Defines a module other than java.base.  The exception is made after class_mutex is
   released, since that loads classes.  Returns false with it pending. */
static bool
define_other(struct request *r)
{
    struct vm *vm = r->self->vm;
    char *conflict;
    TEXTS(t);

    mutex_lock(&vm->class_mutex);
    conflict = find_conflict(r);
    if (!conflict) {
        struct module *m = mem_calloc(1, sizeof *m);

        *m = r->module;
        add_module(r, m);
    }
    mutex_unlock(&vm->class_mutex);
    return !conflict || THROW(r->self, IllegalStateException, "%s", own(&t, conflict));
}

/* For classes_visit, with a loader as the context: gives a class of that loader the
   module that its package has now.  Classes without a package are primitive ones and
   their arrays, which stay in java.base. */
static void
take_module_of_package(void *context, struct class *c)
{
    if (c->package && c->loader == context)
        c->module = c->package->module;
}

/* Moves the packages that java.base does not have, and their classes, to the unnamed
   module.  Until now all that was loaded counted as java.base's. */
static void
leave_java_base(struct request *r)
{
    struct vm *vm = r->self->vm;
    struct loader *boot = vm->boot_loader;
    struct ptrmap_entry *e;

    mutex_lock(&vm->class_mutex);
    for (size_t at = 0; (e = ptrmap_next(&boot->packages, &at)) != NULL;)
        ((struct package *)e->value)->module = boot->unnamed;
    for (int32_t i = 0; i < r->package_count; i++) {
        struct package *p = ptrmap_get(&boot->packages, r->packages[i]);

        if (p)
            p->module = vm->java_base;
    }
    mutex_unlock(&vm->class_mutex);
    classes_visit(vm, WITH_ARRAYS, take_module_of_package, boot);
}

/* Defines java.base, whose struct module_init has made.  Only the thread that starts the
   VM does so, before main and before there are other threads.  Whether the request calls
   the module open does not matter: java.base is not.  The boot loader's unnamed module
   may have its Module object already or get it later, by module_set_boot_unnamed; each of
   the two gives the mirrors what there is by then.  Returns false with an exception
   pending if java.base was defined before, or for a Module of another loader. */
static bool
define_java_base(struct request *r)
{
    struct vm *vm = r->self->vm;

    if (vm->java_base->object)
        return THROW(r->self, InternalError, "Module java.base is already defined");
    if (!r->module.loader->is_boot)
        return THROW(r->self, IllegalArgumentException,
                     "Class loader must be the boot class loader");
    mutex_lock(&vm->class_mutex);
    add_module(r, vm->java_base);
    mutex_unlock(&vm->class_mutex);
    leave_java_base(r);
    fix_up_mirrors(vm, vm->java_base);
    fix_up_mirrors(vm, vm->boot_unnamed);
    return true;
}

bool
module_define(struct thread *self, struct object *module, bool is_open,
              const struct object *version, const struct object *location,
              const struct object *packages)
{
    struct request r = { .self = self,
                         .object = module,
                         .module = { .is_open = is_open,
                                     .version = symbol_or_null(version),
                                     .location = symbol_or_null(location) } };
    bool done = false;

    if (take_request(&r, packages))
        done = r.module.name == self->vm->java_base->name ? define_java_base(&r)
                                                          : define_other(&r);
    mem_free(r.packages);
    return done;
}

/* ---- changes ---- */

/*
 * Returns the module of a Module object, which must not be NULL.  When the object is no
 * Module, or one that was never defined, the result is NULL with an
 * IllegalArgumentException of that message pending.  It is NULL with InternalError
 * pending when the object is the unnamed module of a loader whose constructor has not
 * run (loader_bind_unnamed_module).
 */
static struct module *
known_module(struct thread *self, struct object *object, const char *message)
{
    struct vm *vm = self->vm;
    struct module *m = NULL;

    if (object_is_instance(object, KC(vm, Module))) {
        /* The unnamed module of a loader that has not loaded anything yet is not
           connected with its object. */
        struct object *loader = OBJECT_FIELD(struct object *, object,
                                             KF(vm, Module_loader));
        if (loader && !OBJECT_FIELD(struct object *, object, KF(vm, Module_name))
            && !loader_bind_unnamed_module(self, loader_of(vm, loader)))
            return NULL;
        m = OBJECT_FIELD(struct module *, object, KF(vm, Module_vmModule));
    }
    return m ? m : THROW(self, IllegalArgumentException, "%s", message);
}

bool
module_add_reads(struct thread *self, struct object *from, struct object *to)
{
    struct module *reader, *read = NULL;

    if (!from)
        return THROW(self, NullPointerException, "from_module is null");
    reader = known_module(self, from, "from_module is not valid");
    if (reader && to)
        read = known_module(self, to, "to_module is invalid");
    if (!reader || (to && !read))
        return false;
    LOCK(&self->vm->class_mutex);
    if (!read)
        reader->reads_all_unnamed = true;
    else
        ptrmap_put(&reader->reads, read, read);
    return true;
}

/* An unnamed module exports everything already, so there is nothing to record for
   it. */
bool
module_add_exports(struct thread *self, struct object *from, struct object *package,
                   struct object *to, bool all_unnamed)
{
    struct module *exporter, *target = NULL;
    const struct symbol *name;
    struct package *p;
    TEXTS(t);

    if (!from || !package)
        return THROW(self, NullPointerException, "%s is null",
                     from ? "package" : "from_module");
    exporter = known_module(self, from, "from_module cannot be found");
    if (exporter && to)
        target = known_module(self, to, "to_module is invalid");
    if (!exporter || (to && !target))
        return false;
    if (!exporter->name)
        return true;
    name = string_to_symbol(package, DOTS_TO_SLASHES);
    p = name ? package_find(exporter->loader, name) : NULL;
    if (!p || p->module != exporter)
        return THROW(self, IllegalArgumentException,
                     "Package %s not found in from_module %s",
                     name ? name->bytes : own(&t, string_to_modified(package)),
                     exporter->name->bytes);
    LOCK(&self->vm->class_mutex);
    if (all_unnamed)
        p->exported_all_unnamed = true;
    else if (target)
        ptrmap_put(&p->exports, target, target);
    else
        p->exported_all = true;
    return true;
}

/* BootLoader's initializer calls this once, when java.lang.Module has made the object.
   The classes of the module that were loaded before have no Module in their mirrors yet;
   later ones take it from m when their mirror is made. */
bool
module_set_boot_unnamed(struct thread *self, struct object *module)
{
    struct module *m = self->vm->boot_unnamed;

    if (!module)
        return THROW(self, NullPointerException, "Null module object");
    if (!object_is_instance(module, KC(self->vm, Module)))
        return THROW(self, IllegalArgumentException,
                     "module is not an instance of java.lang.Module");
    mutex_lock(&self->vm->class_mutex);
    set_object(self->vm, m, module);
    mutex_unlock(&self->vm->class_mutex);
    fix_up_mirrors(self->vm, m);
    return true;
}

void
modules_visit(struct vm *vm, void (*visit)(void *context, struct module *m),
              void *context)
{
    struct ptrmap_entry *e;
    LOCK(&vm->class_mutex);

    for (struct loader *l = vm->loaders; l; l = l->next) {
        visit(context, l->unnamed);
        for (size_t at = 0; (e = ptrmap_next(&l->modules, &at)) != NULL;)
            visit(context, e->value);
    }
}

/* The flag is set before the Java code runs: that code may itself be instrumented, and
   then needs to read the unnamed modules. */
void
module_transformed(struct thread *self, struct module *m)
{
    struct vm *vm = self->vm;
    union slot arg = { .ref = m->object };
    struct object *pending;
    bool tell;

    mutex_lock(&vm->class_mutex);
    m->is_transformed = true;
    tell = m->name && !m->java_notified && vm_get_phase(vm) >= VM_PHASE_START;
    m->java_notified |= tell;
    mutex_unlock(&vm->class_mutex);
    if (!tell)
        return;
    pending = handle_new(self, exception_take(self));
    if (!java_call_named(self, class_load_boot(self, "jdk/internal/module/Modules"),
                         "transformedByAgent", "(Ljava/lang/Module;)V", &arg, NULL))
        m->java_notified = false;
    self->exception = pending;
}
