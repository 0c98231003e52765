/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/loader.c -- loading classes by name (JVMS 5.3).
 *
 * A class is first looked for among those that the loader is recorded for.  If it is
 * not there, the boot loader reads it from its path, with the load recorded so that
 * other threads wait; for any other loader its loadClass method is called, which calls
 * back to define the class (define.c).  What comes out is recorded by loader_record:
 * from then on the loader always has this class for the name.  Array classes are made
 * from their element class.
 */

#include "linking/loader.h"

#include "base/mem.h"
#include "linking/boot_path.h"
#include "linking/class_space.h"
#include "linking/constraints.h"
#include "linking/ids.h"
#include "linking/loading.h"
#include "linking/module.h"
#include "linking/unload.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"
#include "threads/monitor.h"

/* ---- loaders ---- */

/* A loader and its unnamed module, which live equally long, in one block of memory. */
struct loader_block {
    struct loader loader;
    struct module unnamed;
};

/* Makes the struct of a loader.  Others are entered behind the boot loader, which stays
   the first of the list.  The caller holds class_mutex, or makes the boot loader. */
static struct loader *
loader_new(struct vm *vm, struct object *object)
{
    struct loader_block *block = mem_calloc(1, sizeof *block);
    struct loader *l = &block->loader;
    struct loader **at = vm->loaders ? &vm->loaders->next : &vm->loaders;

    l->object = object;
    l->unnamed = &block->unnamed;
    *l->unnamed = (struct module){ .loader = l,
                                   .reads_all_unnamed = true,
                                   .is_open = true };
    l->next = *at;
    *at = l;
    return l;
}

void
loader_init(struct vm *vm)
{
    pthread_cond_init(&vm->class_changed, NULL);
    mutex_init(&vm->class_mutex);
    class_space_init(vm);
    ids_init(vm);
    known_init(vm);
    vm->boot_loader = loader_new(vm, NULL);
    vm->boot_loader->is_boot = vm->boot_loader->is_builtin = true;
    boot_path_init(vm);
    unload_init(vm);
}

/* The struct is in an injected field of the object.  That is read without a lock first;
   if it is NULL it is read again under class_mutex, since another thread may just have
   made the struct. */
struct loader *
loader_of(struct vm *vm, struct object *object)
{
    struct class *c;
    struct loader **field, *l;
    int number;

    if (!object)
        return vm->boot_loader;
    field = object_at(object, KF(vm, ClassLoader_vmLoader));
    l = __atomic_load_n(field, __ATOMIC_ACQUIRE);
    if (l)
        return l;
    LOCK(&vm->class_mutex);
    l = __atomic_load_n(field, __ATOMIC_RELAXED);
    if (l)
        return l;
    l = loader_new(vm, object);
    c = object_class(object);
    number = known_number(vm, c->loader, c->name);
    l->is_platform = number == KNOWN_CLASS_PlatformClassLoader;
    l->is_builtin = l->is_platform || number == KNOWN_CLASS_AppClassLoader;
    __atomic_store_n(field, l, __ATOMIC_RELEASE);
    return l;
}

/* Two threads may do it at the same time: both store the same. */
bool
loader_bind_unnamed_module(struct thread *self, struct loader *l)
{
    struct vm *vm = self->vm;
    struct object *module;

    if (l->is_boot || __atomic_load_n(&l->unnamed->object, __ATOMIC_ACQUIRE))
        return true;
    module = REF_FIELD(vm, l->object, ClassLoader_unnamedModule);
    if (!module)
        return THROW(
            self, InternalError,
            "The unnamed module for ClassLoader %s, is null or "
            "not an instance of java.lang.Module. The class loader has not been "
            "initialized correctly.",
            object_class(l->object)->name->bytes);
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

/* Classes are freed on their own (unload.c), and constraints_leave has released the
   constraints. */
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
    ptrmap_release(&l->unnamed->reads);
    ptrmap_release(&l->needed);
    mem_free(l);
}

/* ---- loading ---- */

struct class *
class_find_loaded(struct loader *l, const struct symbol *name)
{
    LOCK(&the_vm->class_mutex);

    return ptrmap_get(&l->classes, name);
}

/* Keeps the classes of from alive as long as those of l, which may have resolved
   references to them.  Builtin loaders never die, so nothing is recorded for them.  The
   caller holds class_mutex. */
static void
add_needed_loader(struct loader *l, struct loader *from)
{
    if (l == from || l->is_boot || from->is_builtin)
        return;
    ptrmap_put(&l->needed, from, from);
}

/* Throws LinkageError: l is about to have c, but a loader constraint demands the class
   other for that name (JVMS 5.3.4).  The second message names the loader that has
   recorded other, the first one is for l itself. */
static bool
throw_violation(struct thread *self, struct loader *l, struct class *c,
                struct class *other)
{
    if (other == c || other->loader == l)
        return THROW(self, LinkageError,
                     "loader constraint violation: loader %pL wants to load %pK %pC. "
                     "(%pO)",
                     l, c, c, c);
    return THROW(self, LinkageError,
                 "loader constraint violation: loader %pL wants to load %pK %pC. A "
                 "different %pK with the same name was previously loaded by %pL. (%pO)",
                 l, c, c, other, other->loader, other);
}

/* The exception is thrown after class_mutex is released: making it loads classes. */
bool
loader_record(struct thread *self, struct loader *l, const struct symbol *name,
              struct class *c)
{
    struct class *known, *conflict = NULL;

    mutex_lock(&self->vm->class_mutex);
    known = ptrmap_get(&l->classes, name);
    if (!known)
        conflict = constraints_record(l, name, c);
    if (!known && !conflict) {
        ptrmap_put(&l->classes, name, c);
        add_needed_loader(l, c->loader);
    }
    mutex_unlock(&self->vm->class_mutex);
    if (conflict)
        return throw_violation(self, l, c, conflict);
    return !known || known == c
           || THROW(self, LinkageError,
                    "loader %pL attempted duplicate %pK definition for %pC. (%pO)", l,
                    c, c, c);
}

/*
 * Loads a class by the boot loader.  Returns NULL if it has none of that name, with
 * nothing pending, or with the error pending if its definition failed.  The second look
 * for the class finds one that another thread has loaded while load_begin waited.  The
 * package remembers for java.lang.BootLoader that it has classes and where the first
 * one came from.
 */
static struct class *
load_from_boot(struct thread *self, const struct symbol *name)
{
    struct loader *l = self->vm->boot_loader;
    struct load load = { .loader = l, .name = name };
    struct class_definition d = { .name = name, .load_begun = true };
    struct boot_bytes found;
    struct class *c;

    if (!load_begin(self, &load, true))
        return NULL;
    c = class_find_loaded(l, name);
    if (!c && boot_find(self->vm, name, &found)) {
        d.bytes = found.bytes;
        d.length = found.length;
        d.source = found.source;
        c = class_define(self, l, &d);
        if (c)
            package_note_class(c->package, found.path_index);
        boot_bytes_release(&found);
    }
    load_end(self, &load);
    return c;
}

/* Calls loadClass of the loader's object with the name in the form a.b.C.  Returns the
   Class object or NULL, with what the method has thrown pending or nothing. */
static struct object *
call_load_class(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct method *m = KM(self->vm, ClassLoader_loadClass);
    union slot args[2], result = { .ref = NULL };
    HANDLE_SCOPE(self);

    args[0].ref = handle_new(self, l->object);
    args[1].ref = handle_new(self, string_from_symbol_dotted(self, name));
    if (args[1].ref)
        java_call(self, class_select(object_class(l->object), m), args, &result);
    return exception_pending(self) ? NULL : result.ref;
}

/*
 * Loads a class by the loadClass method of l, and records l as an initiating loader of
 * it.  Returns NULL if that fails: with the error pending, or with nothing pending if
 * the method returns null or a class of another name.  If self is defining this class
 * by l, the method is not called but ClassCircularityError thrown: the definition needs
 * the class itself as a supertype.
 */
static struct class *
load_by_upcall(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct object *mirror;
    struct class *c;

    if (load_is_recursive(self, l, name))
        return THROW(self, ClassCircularityError, "%s", name->bytes);
    mirror = call_load_class(self, l, name);
    if (!mirror)
        return NULL;
    HANDLE_SCOPE(self);
    handle_new(self, mirror);
    c = class_of_mirror(mirror);
    /* A primitive class may have the name that was asked for, such as int, and is not
       it. */
    if (c->name != name || c->primitive)
        return NULL;
    return loader_record(self, l, name, c) ? c : NULL;
}

/*
 * Loads a class by a loader other than the boot loader.  Returns as load_by_upcall
 * does.  The class is looked for again once the monitor is held, since another thread
 * may have loaded it meanwhile.  What is pending is put aside while the monitor is
 * exited; that cannot fail, unless Java code has exited the monitor more often than it
 * entered it.
 */
static struct class *
load_from_loader(struct thread *self, struct loader *l, const struct symbol *name)
{
    struct class *c;
    /* The monitor of a loader that is not registered as parallel capable is held during
       the load (ClassLoader.registerAsParallelCapable). */
    bool is_parallel = REF_FIELD(self->vm, l->object, ClassLoader_parallelLockMap);
    struct object *lock = is_parallel ? NULL : l->object;
    HANDLE_SCOPE(self);

    if (!loader_bind_unnamed_module(self, l))
        return NULL;
    handle_new(self, l->object);
    if (lock && !monitor_enter(self, lock, NULL))
        return NULL;
    c = class_find_loaded(l, name);
    if (!c)
        c = load_by_upcall(self, l, name);
    if (lock) {
        struct object *pending = handle_new(self, exception_take(self));

        if (!monitor_exit(self, lock))
            (void)exception_take(self);
        self->exception = pending;
    }
    return c;
}

/* From this release on the middle of a long name is left out; this much is shown of its
   begin and end. */
static const struct releases with_omissions = { 25, 0 };
enum { SHOWN = 128 };

const struct symbol *
class_symbol(struct thread *self, const char *name, enum known_class error)
{
    if (!name)
        return throw_new(self, error, "No class name given");
    size_t length = strlen(name);

    if (length > SYMBOL_MAX_LENGTH
        && release_is_in(self->vm->profile->feature, with_omissions))
        return throw_new(self, error,
                         "Class name exceeds maximum length of %d: %.*s ... (%zu "
                         "characters omitted) ... %s",
                         SYMBOL_MAX_LENGTH, SHOWN, name, length - 2 * SHOWN,
                         name + length - SHOWN);
    /* HotSpot cuts messages off after 1023 bytes. */
    if (length > SYMBOL_MAX_LENGTH)
        return throw_new(self, error, "Class name exceeds maximum length of %d: %.979s",
                         SYMBOL_MAX_LENGTH, name);
    return symbol_of(name);
}

enum { MAX_DIMENSIONS = 255 };

/* Returns the array class of that name, such as [I or [[Lx;.  Its innermost element
   class is loaded, and the array classes are made from that.  Returns NULL with nothing
   pending if the name is malformed or the element class is not there; what goes wrong
   otherwise is pending. */
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

/* A loader's code may load a class that makes it load another one, without end, so the
   C stack is watched: then StackOverflowError is pending. */
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

/* Makes an exception pending that says that the class was not found.  If one is pending
   already it stays, unless it is a ClassNotFoundException and an Error is wanted: then
   it becomes the cause of NoClassDefFoundError. */
static void
throw_not_found(struct thread *self, const struct symbol *name, bool not_found_error)
{
    struct object *cause = self->exception;
    HANDLE_SCOPE(self);

    if (cause
        && !(not_found_error && KC(self->vm, ClassNotFoundException)
             && object_is_instance(cause, KC(self->vm, ClassNotFoundException))))
        return;
    handle_new(self, exception_take(self));
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

    if (!c)
        throw_not_found(self, name, not_found_error);
    return c;
}

struct class *
class_load_boot(struct thread *self, const char *name)
{
    return class_load(self, self->vm->boot_loader, symbol_of(name), NOT_FOUND_ERROR);
}

/* ---- walks ---- */

/* Visits c and, if with_arrays, the classes of arrays of it, of each number of
   dimensions that was ever asked for.  c may be NULL: then there is nothing to
   visit. */
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

/* Visits the classes of arrays of primitives, which are in no loader's table. */
static void
visit_primitive_arrays(struct vm *vm, class_visit_fn *visit, void *context)
{
    for (unsigned i = 0; i < 26; i++)
        visit_with_arrays(vm->known.primitive_arrays[i], WITH_ARRAYS, visit, context);
}

/* Discarded classes are in the list of their loader until they are freed, but their
   definition has failed, so nobody is to see them. */
void
classes_visit(struct vm *vm, bool with_arrays, class_visit_fn *visit, void *context)
{
    LOCK(&vm->class_mutex);

    for (struct loader *l = vm->loaders; l; l = l->next)
        for (struct class *c = l->defined; c; c = c->next_in_loader)
            if (!(c->flags & CLASS_IS_DISCARDED))
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
        visit_with_arrays(e->value, WITH_ARRAYS, visit, context);
    visit_primitive_arrays(vm, visit, context);
}
