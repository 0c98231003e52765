/* SPDX-License-Identifier: MIT */
/* minivm/vm/loader.c -- loading classes by name (JVMS 5.3). */

#include "vm/loader.h"

#include "base/mem.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/monitor.h"
#include "vm/registry.h"
#include "vm/string.h"

/* ---- loaders ---- */

static struct loader *
loader_new(struct vm *vm, struct object *object)
{
    struct loader *l = mem_calloc(1, sizeof *l);
    struct loader **place = vm->loaders ? &vm->loaders->next : &vm->loaders;

    l->object = object;
    l->unnamed = mem_calloc(1, sizeof *l->unnamed);
    *l->unnamed =
        (struct module){ .loader = l, .reads_all_unnamed = true, .is_open = true };
    l->next = *place;
    *place = l;
    return l;
}

void
loader_init(struct vm *vm)
{
    vm->registry = mem_calloc(1, sizeof *vm->registry);
    pthread_cond_init(&vm->registry->changed, NULL);
    mutex_init(&vm->class_mutex);
    class_space_init(vm);
    ids_init(vm);
    known_init(vm);
    vm->boot_loader = loader_new(vm, NULL);
    vm->boot_loader->is_boot = vm->boot_loader->is_builtin = true;
    boot_init(vm);
    unload_init(vm);
}

struct loader *
loader_of(struct vm *vm, struct object *object)
{
    struct class *c;
    struct loader **place, *l;
    int number;

    if (object == NULL)
        return vm->boot_loader;
    place = object_at(object, KF(vm, ClassLoader_vmLoader));
    l = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (l)
        return l;
    LOCK(&vm->class_mutex);
    l = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (l)
        return l;
    l = loader_new(vm, object);
    c = object_class(object);
    number = known_number(vm, c->loader, c->name);
    l->is_platform = number == KNOWN_CLASS_PlatformClassLoader;
    l->is_builtin = l->is_platform || number == KNOWN_CLASS_AppClassLoader;
    __atomic_store_n(place, l, __ATOMIC_RELEASE);
    return l;
}

bool
loader_is_made(struct thread *self, struct loader *l)
{
    struct vm *vm = self->vm;
    struct object *module;

    if (l->is_boot || __atomic_load_n(&l->unnamed->object, __ATOMIC_ACQUIRE))
        return true;
    module = REF_FIELD(vm, l->object, ClassLoader_unnamedModule);
    if (module == NULL)
        return THROW(
            self, InternalError, "The unnamed module for ClassLoader %s, is null or "
            "not an instance of java.lang.Module. The class loader has not been "
            "initialized correctly.", object_class(l->object)->name->bytes);
    OBJECT_FIELD(struct module *, module, KF(vm, Module_vmModule)) = l->unnamed;
    __atomic_store_n(&l->unnamed->object, module, __ATOMIC_RELEASE);
    return true;
}

static void
free_module(struct module *m)
{
    ptrmap_release(&m->reads);
    mem_free(m);
}

void
loader_free(struct loader *l)
{
    struct ptrmap_entry *e;

    ptrmap_release(&l->classes);
    for (size_t at = 0; (e = ptrmap_next(&l->packages, &at)) != NULL;) {
        ptrmap_release(&((struct package *)e->value)->exports);
        mem_free(e->value);
    }
    ptrmap_release(&l->packages);
    for (size_t at = 0; (e = ptrmap_next(&l->modules, &at)) != NULL;)
        free_module(e->value);
    ptrmap_release(&l->modules);
    free_module(l->unnamed);
    ptrmap_release(&l->needed);
    mem_free(l);
}

/* ---- loads under way ---- */

void
registry_wait(struct thread *self)
{
    struct vm *vm = self->vm;

    thread_block_begin(self);
    pthread_cond_wait(&vm->registry->changed, &vm->class_mutex.m);
    mutex_unlock(&vm->class_mutex);
    thread_block_end(self);
    mutex_lock(&vm->class_mutex);
}

static struct load *
find_load(struct class_registry *r, const struct load *like, struct thread *by,
          bool by_self)
{
    for (struct load *at = r->loads; at; at = at->next)
        if (at->loader == like->loader && at->name == like->name
            && (at->thread == by) == by_self)
            return at;
    return NULL;
}

static struct load *
newest_load(struct class_registry *r, const struct thread *by)
{
    struct load *at = r->loads;

    while (at && at->thread != by)
        at = at->next;
    return at;
}

/* Would self, if it waited for other, wait for itself? */
static bool
would_deadlock(struct class_registry *r, struct load *other, struct thread *self)
{
    while (other) {
        struct load *waiting = newest_load(r, other->thread);

        if (other->thread == self)
            return true;
        other = waiting ? waiting->waits_for : NULL;
    }
    return false;
}

bool
load_begin(struct thread *self, struct load *load, bool wait)
{
    struct class_registry *r = self->vm->registry;
    struct load *mine, *other;
    bool good;

    load->thread = self;
    mutex_lock(&self->vm->class_mutex);
    mine = newest_load(r, self);
    good = !find_load(r, load, self, true);
    while (good && wait && (other = find_load(r, load, self, false)) != NULL) {
        good = !would_deadlock(r, other, self);
        if (mine)
            mine->waits_for = other;
        if (good)
            registry_wait(self);
        if (mine)
            mine->waits_for = NULL;
    }
    if (good) {
        load->next = r->loads;
        r->loads = load;
    }
    mutex_unlock(&self->vm->class_mutex);
    return good || THROW(self, ClassCircularityError, "%s", load->name->bytes);
}

void
load_end(struct thread *self, struct load *load)
{
    struct class_registry *r = self->vm->registry;
    struct load **at = &r->loads;
    LOCK(&self->vm->class_mutex);

    while (*at != load)
        at = &(*at)->next;
    *at = load->next;
    for (struct load *other = r->loads; other; other = other->next)
        if (other->waits_for == load)
            other->waits_for = NULL;
    pthread_cond_broadcast(&r->changed);
}

/* ---- loading ---- */

struct class *
class_find_loaded(struct loader *l, const struct symbol *name)
{
    LOCK(&the_vm->class_mutex);

    return ptrmap_get(&l->classes, name);
}

/* Our classes may have linked to those of from: keep them together. */
static void
need_loader(struct loader *l, struct loader *from)
{
    if (l == from || l->is_boot || from->is_builtin)
        return;
    ptrmap_put(&l->needed, from, from);
}

static bool
throw_violation(struct thread *self, struct loader *l, struct class *c,
                struct class *other)
{
    if (other == c || other->loader == l)
        return THROW(self, LinkageError,
                     "loader constraint violation: loader %pL wants to load %pK %pC. "
                     "(%pO)", l, c, c, c);
    return THROW(self, LinkageError,
                 "loader constraint violation: loader %pL wants to load %pK %pC. A "
                 "different %pK with the same name was previously loaded by %pL. (%pO)",
                 l, c, c, other, other->loader, other);
}

bool
loader_record(struct thread *self, struct loader *l, const struct symbol *name,
              struct class *c)
{
    struct class *known, *conflict = NULL;

    mutex_lock(&self->vm->class_mutex);
    known = ptrmap_get(&l->classes, name);
    if (known == NULL)
        conflict = constraints_record(l, name, c);
    if (known == NULL && conflict == NULL) {
        ptrmap_put(&l->classes, name, c);
        need_loader(l, c->loader);
    }
    mutex_unlock(&self->vm->class_mutex);
    if (conflict)
        return throw_violation(self, l, c, conflict);
    return known == NULL || known == c
           || THROW(self, LinkageError,
                    "loader %pL attempted duplicate %pK definition for %pC. (%pO)", l,
                    c, c, c);
}

static struct class *
load_from_boot(struct thread *self, const struct symbol *name)
{
    struct loader *l = self->vm->boot_loader;
    struct load load = { .loader = l, .name = name };
    struct class_definition d = { .name = name, .is_noted = true };
    struct boot_bytes found;
    struct class *c;

    if (!load_begin(self, &load, true))
        return NULL;
    c = class_find_loaded(l, name);
    if (c == NULL && boot_find(self->vm, name, &found)) {
        d.bytes = found.bytes;
        d.length = found.length;
        d.source = found.source;
        c = class_define(self, l, &d);
        if (c)
            c->package->has_classes = true;
        if (c && found.path_index >= 0 && c->package->class_path_index < 0)
            c->package->class_path_index = found.path_index;
        boot_bytes_release(&found);
    }
    load_end(self, &load);
    return c;
}

static struct object *
call_load_class(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct method *m = KM(self->vm, ClassLoader_loadClass);
    union slot args[2], result = { .ref = NULL };
    SCOPE(self);

    args[0].ref = keep(self, l->object);
    args[1].ref = keep(self, string_from_symbol_dotted(self, name));
    if (args[1].ref)
        java_call(self, class_select(object_class(l->object), m), args, &result);
    return exception_pending(self) ? NULL : result.ref;
}

static bool
is_being_defined(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct load like = { .loader = l, .name = name };
    LOCK(&self->vm->class_mutex);

    return find_load(self->vm->registry, &like, self, true) != NULL;
}

static struct class *
load_by_upcall(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct object *mirror;
    struct class *c;

    if (is_being_defined(self, l, name))
        return THROW(self, ClassCircularityError, "%s", name->bytes);
    mirror = call_load_class(self, l, name);
    if (mirror == NULL)
        return NULL;
    SCOPE(self);
    keep(self, mirror);
    c = class_of_mirror(mirror);
    if (c->name != name || c->primitive)
        return NULL;
    return loader_record(self, l, name, c) ? c : NULL;
}

static struct class *
load_from_loader(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct class *c;
    /* A loader that did not register as parallel capable is locked for the load, as the
       VM always did (ClassLoader.registerAsParallelCapable). */
    bool is_parallel = REF_FIELD(self->vm, l->object, ClassLoader_parallelLockMap);
    struct object *lock = is_parallel ? NULL : l->object;
    SCOPE(self);

    if (!loader_is_made(self, l))
        return NULL;
    keep(self, l->object);
    if (lock && !monitor_enter(self, lock, NULL))
        return NULL;
    c = class_find_loaded(l, name);
    if (c == NULL)
        c = load_by_upcall(self, l, name);
    if (lock) {
        struct object *pending = keep(self, exception_take(self));

        if (!monitor_exit(self, lock))
            (void)exception_take(self);
        self->exception = pending;
    }
    return c;
}

const struct symbol *
class_symbol(struct thread *self, const char *name, enum known_class error)
{
    if (!name)
        return throw_new(self, error, "No class name given");
    /* A message of HotSpot ends after 1023 bytes. */
    if (strlen(name) > SYMBOL_MAX_LENGTH)
        return throw_new(self, error, "Class name exceeds maximum length of %d: %.979s",
                         SYMBOL_MAX_LENGTH, name);
    return symbol_of(name);
}

bool
c_stack_left(struct thread *self)
{
    if ((char *)__builtin_frame_address(0) >= self->c_stack_limit)
        return true;
    return throw_stack_overflow(self);
}

enum { MAX_DIMENSIONS = 255 };

/* [I, [[Lx; and so on: by the class of their innermost elements. */
static struct class *
load_array(struct thread *self, struct loader *l, const struct symbol *name)
{
    const char *at = name->bytes;
    unsigned dimensions = 0;
    struct class *c = NULL;

    while (*at == '[') {
        at++;
        dimensions++;
    }
    size_t left = name->length - dimensions;
    if (dimensions > MAX_DIMENSIONS)
        return NULL;
    if (*at == 'L' && left > 2 && at[left - 1] == ';')
        c = class_try_load(self, l, symbol_intern(at + 1, left - 2));
    else if (left == 1 && *at >= 'A' && *at <= 'Z' && *at != 'V')
        c = self->vm->known.primitives[*at - 'A'];
    while (c && dimensions-- > 0)
        c = class_array_of(self, c);
    return c;
}

struct class *
class_try_load(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct class *c = class_find_loaded(l, name);

    if (c)
        return c;
    if (!c_stack_left(self))
        return NULL;
    if (name->bytes[0] == '[')
        return load_array(self, l, name);
    return l->is_boot ? load_from_boot(self, name) : load_from_loader(self, l, name);
}

/* Nothing was found, or ClassNotFoundException says so and an Error is wanted. */
static void
throw_not_found(struct thread *self, const struct symbol *name, bool not_found_error)
{
    struct object *cause = self->exception;
    SCOPE(self);

    if (cause && !(not_found_error && KC(self->vm, ClassNotFoundException)
                   && object_is_instance(cause, KC(self->vm, ClassNotFoundException))))
        return;
    keep(self, exception_take(self));
    throw_caused(self,
                 not_found_error ? KNOWN_CLASS_NoClassDefFoundError
                                 : KNOWN_CLASS_ClassNotFoundException,
                 cause, "%s", name->bytes);
}

struct class *
class_load(struct thread *self, struct loader *l, const struct symbol *name,
           bool not_found_error)
{
    struct class *c = class_try_load(self, l, name);

    if (c == NULL)
        throw_not_found(self, name, not_found_error);
    return c;
}

struct class *
class_load_boot(struct thread *self, const char *name)
{
    return class_load(self, self->vm->boot_loader, symbol_of(name), true);
}

/* ---- walks ---- */

static void
visit_with_arrays(struct class *c, bool with_arrays, class_visit_fn *visit,
                  void *context)
{
    for (; c; c = atomic_load_explicit(&c->array, memory_order_acquire)) {
        visit(context, c);
        if (!with_arrays)
            break;
    }
}

static void
visit_primitive_arrays(struct vm *vm, class_visit_fn *visit, void *context)
{
    for (unsigned i = 0; i < 26; i++)
        visit_with_arrays(vm->known.primitive_arrays[i], true, visit, context);
}

void
classes_visit(struct vm *vm, bool with_arrays, class_visit_fn *visit, void *context)
{
    LOCK(&vm->class_mutex);

    for (struct loader *l = vm->loaders; l; l = l->next)
        for (struct class *c = l->defined; c; c = c->next_in_loader)
            if (!(c->flags & CLASS_IS_REFUSED))
                visit_with_arrays(c, with_arrays, visit, context);
    if (with_arrays)
        visit_primitive_arrays(vm, visit, context);
}

void
loader_visit_initiated(struct vm *vm, struct loader *l, class_visit_fn *visit,
                       void *context)
{
    struct ptrmap_entry *e;
    LOCK(&vm->class_mutex);

    for (size_t at = 0; (e = ptrmap_next(&l->classes, &at)) != NULL;)
        visit_with_arrays(e->value, true, visit, context);
    visit_primitive_arrays(vm, visit, context);
}
