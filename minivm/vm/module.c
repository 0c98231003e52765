/* SPDX-License-Identifier: MIT */
/* minivm/vm/module.c -- run-time modules and packages. */

#include "vm/module.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/registry.h"
#include "vm/string.h"

/* All of this is guarded by class_mutex. */

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

static const struct symbol *
package_name(const struct symbol *class_name)
{
    const char *end = strrchr(class_name->bytes, '/');

    return symbol_intern(class_name->bytes,
                         end ? (size_t)(end - class_name->bytes) : 0);
}

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

static bool
java_base_is_defined(const struct vm *vm)
{
    return vm->java_base->object != NULL;
}

struct package *
package_of(struct thread *self, struct loader *l, const struct symbol *class_name)
{
    const struct symbol *name = package_name(class_name);
    struct vm *vm = self->vm;
    bool is_early = l->is_boot && !java_base_is_defined(vm);
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

/* ---- readability and exports ---- */

bool
module_reads(const struct module *from, const struct module *to)
{
    if (from == to || from->name == NULL || to == the_vm->java_base)
        return true;
    LOCK(&the_vm->class_mutex);
    return (to->name == NULL && from->reads_all_unnamed)
           || ptrmap_has(&from->reads, to);
}

bool
package_exported_to(const struct package *p, const struct module *to)
{
    if (p->module == to || p->module->name == NULL || p->module->is_open)
        return true;
    LOCK(&the_vm->class_mutex);
    return p->exported_all || (to->name == NULL && p->exported_all_unnamed)
           || ptrmap_has(&p->exports, to);
}

/* ---- definition ---- */

struct module *
module_of_object(const struct object *module)
{
    return OBJECT_FIELD(struct module *, module, KF(the_vm, Module_vmModule));
}

static void
set_mirror_module(void *context, struct class *c)
{
    struct module *m = context;

    if (c->module == m && c->layout.mirror)
        REF_FIELD(the_vm, c->layout.mirror, Class_module) = m->object;
}

/* Classes that were loaded before the Module object existed. */
static void
fix_up_mirrors(struct vm *vm, struct module *m)
{
    classes_visit(vm, true, set_mirror_module, m);
    for (unsigned i = 0; i < 26; i++)
        if (vm->known.primitives[i])
            set_mirror_module(m, vm->known.primitives[i]);
}

static void
set_object(struct vm *vm, struct module *m, struct object *object)
{
    m->object = object;
    OBJECT_FIELD(struct module *, object, KF(vm, Module_vmModule)) = m;
}

/* A module to be, taken from the arguments. */
struct request {
    struct thread *self;
    struct object *object;
    struct loader *loader;
    const struct symbol *name, *version, *location;
    const struct symbol **packages;
    size_t package_count;
};

static const struct symbol *
symbol_or_null(const char *text)
{
    return text && strlen(text) <= SYMBOL_MAX_LENGTH ? symbol_of(text) : NULL;
}

static bool
is_prohibited(const struct loader *l, const char *name)
{
    return !l->is_boot && !l->is_platform && strncmp(name, "java", 4) == 0
           && (name[4] == '/' || name[4] == '\0');
}

/* Names come with dots from Java, with slashes from agents. */
static char *
slashed_name(const char *name)
{
    char *text = mem_strdup(name);

    for (char *at = text; (at = strchr(at, '.')) != NULL;)
        *at = '/';
    return text;
}

static bool
take_package(struct request *r, const char *text)
{
    const struct symbol *name = NULL;
    char *slashed;
    TEXTS(t);

    if (text == NULL)
        return THROW(r->self, IllegalArgumentException, "Bad package name");
    slashed = slashed_name(text);
    own(&t, slashed);
    if (*slashed && *slashed != '['
        && name_is_class(slashed, strlen(slashed),
                         (unsigned)r->self->vm->profile->max_class_major))
        name = symbol_or_null(slashed);
    if (name == NULL)
        return THROW(
            r->self, IllegalArgumentException,
            "Invalid package name: %s for module: %s", slashed, r->name->bytes);
    if (is_prohibited(r->loader, slashed))
        return THROW(
            r->self, IllegalArgumentException,
            "Class loader (instance of): %s tried to define prohibited package "
            "name: %s",
            own(&t, loader_describe(r->loader)), slashed);
    r->packages[r->package_count++] = name;
    return true;
}

static bool
take_request(struct request *r, const char *version, const char *location,
             const char *const *packages, size_t count)
{
    struct vm *vm = r->self->vm;
    struct object *name;

    if (r->object == NULL)
        return THROW(r->self, NullPointerException, "Null module object");
    if (!object_is_instance(r->object, KC(vm, Module)))
        return THROW(r->self, IllegalArgumentException,
                     "module is not an instance of type java.lang.Module");
    name = REF_FIELD(vm, r->object, Module_name);
    r->name = name ? string_to_symbol(name, false) : NULL;
    if (r->name == NULL)
        return THROW(r->self, IllegalArgumentException, "Module name cannot be null");
    r->loader = loader_of(r->self, REF_FIELD(vm, r->object, Module_loader));
    if (r->loader == NULL)
        return false;
    r->version = symbol_or_null(version);
    r->location = symbol_or_null(location);
    r->packages = mem_calloc(count + 1, sizeof *r->packages);
    for (size_t i = 0; i < count; i++)
        if (!take_package(r, packages[i]))
            return false;
    return true;
}

/* Under class_mutex: why the module cannot be, as a new text, or NULL. */
static char *
find_conflict(const struct request *r)
{
    if (ptrmap_has(&r->loader->modules, r->name))
        return mem_printf("Module %s is already defined", r->name->bytes);
    for (size_t i = 0; i < r->package_count; i++) {
        const struct package *p = ptrmap_get(&r->loader->packages, r->packages[i]);

        if (p && p->module->name)
            return mem_printf(
                "Package %s for module %s is already in another module, %s, "
                "defined to the class loader",
                p->name->bytes, r->name->bytes, p->module->name->bytes);
        if (p)
            return mem_printf(
                "Package %s for module %s is already in the unnamed module "
                "defined to the class loader",
                p->name->bytes, r->name->bytes);
    }
    return NULL;
}

static void
add_module(struct request *r, bool is_open)
{
    struct module *m = mem_calloc(1, sizeof *m);

    *m = (struct module){ .name = r->name, .version = r->version, .is_open = is_open,
                          .location = r->location, .loader = r->loader };
    ptrmap_put(&r->loader->modules, m->name, m);
    for (size_t i = 0; i < r->package_count; i++)
        package_new(r->loader, r->packages[i], m);
    set_object(r->self->vm, m, r->object);
}

static bool
define_other(struct request *r, bool is_open)
{
    struct vm *vm = r->self->vm;
    char *conflict;
    TEXTS(t);

    mutex_lock(&vm->class_mutex);
    conflict = find_conflict(r);
    if (conflict == NULL)
        add_module(r, is_open);
    mutex_unlock(&vm->class_mutex);
    return conflict == NULL
           || THROW(r->self, IllegalStateException, "%s", own(&t, conflict));
}

static bool
define_java_base(struct request *r)
{
    struct vm *vm = r->self->vm;
    struct module *m = vm->java_base;

    if (java_base_is_defined(vm))
        return THROW(r->self, InternalError, "Module java.base is already defined");
    if (!r->loader->is_boot)
        return THROW(r->self, IllegalArgumentException,
                     "Class loader must be the boot class loader");
    mutex_lock(&vm->class_mutex);
    m->version = r->version;
    m->location = r->location;
    for (size_t i = 0; i < r->package_count; i++)
        if (!ptrmap_has(&r->loader->packages, r->packages[i]))
            package_new(r->loader, r->packages[i], m);
    set_object(vm, m, r->object);
    mutex_unlock(&vm->class_mutex);
    fix_up_mirrors(vm, m);
    return true;
}

bool
module_define(struct thread *self, struct object *module, bool is_open,
              const char *version, const char *location, const char *const *packages,
              size_t count)
{
    struct request r = { .self = self, .object = module };
    bool done = false;

    if (take_request(&r, version, location, packages, count))
        done = r.name == self->vm->java_base->name ? define_java_base(&r)
                                                   : define_other(&r, is_open);
    mem_free(r.packages);
    return done;
}

/* ---- changes ---- */

static struct module *
known_module(struct thread *self, struct object *object, const char *otherwise)
{
    struct vm *vm = self->vm;
    struct module *m = NULL;

    if (object_is_instance(object, KC(vm, Module))) {
        /* An unnamed one is met with its loader, which may not have loaded yet. */
        struct object *loader = OBJECT_FIELD(struct object *, object,
                                             KF(vm, Module_loader));
        if (loader && !OBJECT_FIELD(struct object *, object, KF(vm, Module_name))
            && !loader_of(self, loader))
            return NULL;
        m = module_of_object(object);
    }
    return m ? m : THROW(self, IllegalArgumentException, "%s", otherwise);
}

bool
module_add_reads(struct thread *self, struct object *from, struct object *to)
{
    struct module *reader, *read = NULL;

    if (from == NULL)
        return THROW(self, NullPointerException, "from_module is null");
    reader = known_module(self, from, "from_module is not valid");
    if (reader == NULL)
        return false;
    if (to && (read = known_module(self, to, "to_module is invalid")) == NULL)
        return false;
    LOCK(&self->vm->class_mutex);
    if (read == NULL)
        reader->reads_all_unnamed = true;
    else
        ptrmap_put(&reader->reads, read, read);
    return true;
}

static struct package *
exported_package(struct thread *self, struct module *m, const char *name)
{
    TEXTS(t);
    const char *slashed = own(&t, slashed_name(name));
    struct package *p;

    if (m->name == NULL)
        return NULL;
    p = package_find(m->loader, symbol_of(slashed));
    if (p && p->module == m)
        return p;
    return THROW(self, IllegalArgumentException,
                 "Package %s not found in from_module %s", slashed, m->name->bytes);
}

bool
module_add_exports(struct thread *self, struct object *from, const char *package,
                   struct object *to, bool all_unnamed)
{
    struct module *exporter, *target = NULL;
    struct package *p;

    if (from == NULL || package == NULL)
        return THROW(self, NullPointerException, "%s is null",
                     from ? "package" : "from_module");
    exporter = known_module(self, from, "from_module cannot be found");
    if (exporter == NULL
        || (to && (target = known_module(self, to, "to_module is invalid")) == NULL))
        return false;
    p = exported_package(self, exporter, package);
    if (p == NULL)
        return !exception_pending(self);
    LOCK(&self->vm->class_mutex);
    if (all_unnamed)
        p->exported_all_unnamed = true;
    else if (target)
        ptrmap_put(&p->exports, target, target);
    else
        p->exported_all = true;
    return true;
}

bool
module_set_boot_unnamed(struct thread *self, struct object *module)
{
    struct module *m = self->vm->boot_unnamed;

    if (module == NULL || !object_is_instance(module, KC(self->vm, Module)))
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

/* By the class library, so that Module.canRead knows too. */
void
module_transformed(struct thread *self, struct module *m)
{
    struct object *pending;
    struct class *modules;
    struct method *add;
    union slot arg;

    m->is_transformed = true;
    if (m->name == NULL || m->reads_helpers || vm_get_phase(self->vm) < VM_PHASE_START)
        return;
    m->reads_helpers = true;
    pending = keep(self, exception_take(self));
    modules = class_load_boot(self, "jdk/internal/module/Modules");
    add = modules == NULL || !class_initialize(self, modules)
              ? NULL
              : class_own_method(modules, symbol_of("transformedByAgent"),
                                 symbol_of("(Ljava/lang/Module;)V"));
    arg.ref = m->object;
    if (add != NULL)
        java_call(self, add, &arg, NULL);
    self->exception = pending;
}
