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

struct package *
package_of(struct thread *self, struct loader *l, const struct symbol *class_name)
{
    const struct symbol *name = package_name(class_name);
    struct vm *vm = self->vm;
    bool is_early = l->is_boot && vm->java_base->object == NULL;
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

/* Is m the unnamed module of the boot or of the application loader, where agents have
   the classes that their code calls? */
static bool
is_for_helpers(const struct module *m)
{
    return m->name == NULL && m->loader->is_builtin && !m->loader->is_platform;
}

bool
module_reads(const struct module *from, const struct module *to)
{
    if (from == to || from->name == NULL || to == the_vm->java_base)
        return true;
    LOCK(&the_vm->class_mutex);
    return (to->name == NULL && from->reads_all_unnamed)
           || (from->is_transformed && is_for_helpers(to))
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
    struct module module;
    const struct symbol **packages;
    int32_t package_count;
};

static const struct symbol *
symbol_or_null(const struct object *text)
{
    return text ? string_to_symbol(text, false) : NULL;
}

static bool
is_prohibited(const struct loader *l, const char *name)
{
    return !l->is_boot && !l->is_platform && strncmp(name, "java", 4) == 0
           && (name[4] == '/' || name[4] == '\0');
}

static bool
take_package(struct request *r, const struct object *text)
{
    const struct loader *l = r->module.loader;
    const struct symbol *name = text ? string_to_symbol(text, true) : NULL;

    if (text == NULL)
        return THROW(r->self, IllegalArgumentException, "Bad package name");
    if (name == NULL || *name->bytes == '\0' || *name->bytes == '['
        || !name_is_class(name->bytes, name->length,
                          (unsigned)r->self->vm->profile->max_class_major))
        return THROW(r->self, IllegalArgumentException,
                     "Invalid package name: %pF for module: %s",
                     name ? mem_strdup(name->bytes) : string_to_modified(text),
                     r->module.name->bytes);
    if (is_prohibited(l, name->bytes))
        return THROW(
            r->self, IllegalArgumentException,
            "Class loader (instance of): %pL tried to define prohibited package "
            "name: %s", l, name->bytes);
    r->packages[r->package_count++] = name;
    return true;
}

static bool
take_request(struct request *r, const struct object *packages)
{
    struct vm *vm = r->self->vm;
    int32_t count = packages ? array_length(packages) : 0;

    if (r->object == NULL)
        return THROW(r->self, NullPointerException, "Null module object");
    if (!object_is_instance(r->object, KC(vm, Module)))
        return THROW(r->self, IllegalArgumentException,
                     "module is not an instance of type java.lang.Module");
    r->module.name = symbol_or_null(REF_FIELD(vm, r->object, Module_name));
    if (r->module.name == NULL)
        return THROW(r->self, IllegalArgumentException, "Module name cannot be null");
    r->module.loader = loader_of(vm, REF_FIELD(vm, r->object, Module_loader));
    if (!loader_is_made(r->self, r->module.loader))
        return false;
    r->packages = mem_calloc((size_t)count + 1, sizeof *r->packages);
    for (int32_t i = 0; i < count; i++)
        if (!take_package(r, ARRAY_REFS(packages)[i]))
            return false;
    return true;
}

/* Under class_mutex: why the module cannot be, as a new text, or NULL. */
static char *
find_conflict(const struct request *r)
{
    const struct module *m = &r->module;

    if (ptrmap_has(&m->loader->modules, m->name))
        return text_printf("Module %s is already defined", m->name->bytes);
    for (int32_t i = 0; i < r->package_count; i++) {
        const struct package *p = ptrmap_get(&m->loader->packages, r->packages[i]);

        if (p)
            return text_printf(
                "Package %s for module %s is already in %s%s%s defined to the class "
                "loader", p->name->bytes, m->name->bytes,
                p->module->name ? "another module, " : "the unnamed module",
                p->module->name ? p->module->name->bytes : "",
                p->module->name ? "," : "");
    }
    return NULL;
}

/* Under class_mutex. */
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

static bool
define_other(struct request *r)
{
    struct vm *vm = r->self->vm;
    char *conflict;

    mutex_lock(&vm->class_mutex);
    conflict = find_conflict(r);
    if (conflict == NULL) {
        struct module *m = mem_calloc(1, sizeof *m);

        *m = r->module;
        add_module(r, m);
    }
    mutex_unlock(&vm->class_mutex);
    return conflict == NULL || THROW(r->self, IllegalStateException, "%pF", conflict);
}

static void
take_module_of_package(void *context, struct class *c)
{
    if (c->package && c->loader == context)
        c->module = c->package->module;
}

/* All that was loaded until now counted as java.base's.  What came from an appended
   path is in the unnamed module if java.base has no such package. */
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
    classes_visit(vm, true, take_module_of_package, boot);
}

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
    struct request r = {
        .self = self, .object = module,
        .module = { .is_open = is_open, .version = symbol_or_null(version),
                    .location = symbol_or_null(location) }
    };
    bool done = false;

    if (take_request(&r, packages))
        done = r.module.name == self->vm->java_base->name ? define_java_base(&r)
                                                          : define_other(&r);
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
            && !loader_is_made(self, loader_of(vm, loader)))
            return NULL;
        m = OBJECT_FIELD(struct module *, object, KF(vm, Module_vmModule));
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
    if (reader && to)
        read = known_module(self, to, "to_module is invalid");
    if (reader == NULL || (to && read == NULL))
        return false;
    LOCK(&self->vm->class_mutex);
    if (read == NULL)
        reader->reads_all_unnamed = true;
    else
        ptrmap_put(&reader->reads, read, read);
    return true;
}

bool
module_add_exports(struct thread *self, struct object *from, struct object *package,
                   struct object *to, bool all_unnamed)
{
    struct module *exporter, *target = NULL;
    const struct symbol *name;
    struct package *p;

    if (from == NULL || package == NULL)
        return THROW(self, NullPointerException, "%s is null",
                     from ? "package" : "from_module");
    exporter = known_module(self, from, "from_module cannot be found");
    if (exporter && to)
        target = known_module(self, to, "to_module is invalid");
    if (exporter == NULL || (to && target == NULL))
        return false;
    if (exporter->name == NULL)
        return true;
    name = string_to_symbol(package, true);
    p = name ? package_find(exporter->loader, name) : NULL;
    if (p == NULL || p->module != exporter)
        return THROW(self, IllegalArgumentException,
                     "Package %pF not found in from_module %s",
                     name ? mem_strdup(name->bytes) : string_to_modified(package),
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

bool
module_set_boot_unnamed(struct thread *self, struct object *module)
{
    struct module *m = self->vm->boot_unnamed;

    if (module == NULL)
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

/* Its reading comes from the flag; what Java code has to do for Module.canRead may
   itself be transformed and need that. */
void
module_transformed(struct thread *self, struct module *m)
{
    struct vm *vm = self->vm;
    union slot arg = { .ref = m->object };
    struct object *pending;
    bool tell;

    mutex_lock(&vm->class_mutex);
    m->is_transformed = true;
    tell = m->name && !m->java_knows && vm_get_phase(vm) >= VM_PHASE_START;
    m->java_knows |= tell;
    mutex_unlock(&vm->class_mutex);
    if (!tell)
        return;
    pending = keep(self, exception_take(self));
    if (!java_call_named(self, class_load_boot(self, "jdk/internal/module/Modules"),
                         "transformedByAgent", "(Ljava/lang/Module;)V", &arg, NULL))
        m->java_knows = false;
    self->exception = pending;
}
