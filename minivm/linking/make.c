/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/make.c -- making a struct class from a class file, and its mirror.
 *
 * A struct class ends with its vtable, whose length must be known before it is
 * allocated.  So a struct maker first collects the methods and the vtable (vtable.c);
 * then the class is allocated, and the rest is filled in: supertypes, constant pool,
 * the layout of the fields (layout.c).  Up to then the class's memory is an arena in
 * the maker, which goes over into the class.
 *
 * The classes of primitive types and arrays, which have no file, are made by
 * make_array.c with the help of class_new and class_set_supers.
 */

#include "linking/make.h"

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "diagnostics/exhausted.h"
#include "linking/class_space.h"
#include "linking/layout.h"
#include "linking/loader.h"
#include "linking/module.h"
#include "linking/vtable.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* What is collected before the struct can be allocated. */
struct maker {
    struct vm *vm;
    /* The class's number among the well-known ones (known_number), or negative. */
    int number;
    struct classfile *file;
    struct arena arena;
    struct vtable_maker vtable;
};

static size_t
class_struct_size(uint32_t vtable_length)
{
    return sizeof(struct class) + vtable_length * sizeof(struct method *);
}

/* Returns the type character of a slot for values of that descriptor: 'L' for arrays,
   too. */
static char
slot_type(const char *descriptor)
{
    return *descriptor == '[' ? 'L' : *descriptor;
}

static void
make_fields(struct class *c, const struct classfile *file)
{
    c->field_count = file->field_count;
    c->fields = arena_calloc(&c->arena, c->field_count + 1u, sizeof *c->fields);
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct cf_field *from = &file->fields[i];

        c->fields[i] = (struct field){
            .class = c,
            .name = from->name,
            .descriptor = from->descriptor,
            .access_flags = from->access_flags,
            .index = i,
            .type = slot_type(from->descriptor->bytes),
        };
    }
}

/* ---- methods ---- */

/* Returns the flags of a new method (METHOD_...) that follow from its annotations,
   access flags and name. */
static uint16_t
method_flags(const struct cf_method *from)
{
    uint16_t flags = from->vm_annotations & METHOD_MARKS;

    if (from->access_flags & ACC_SYNCHRONIZED)
        flags |= METHOD_HAS_MONITORS;
    if (symbol_equals(from->name, "<init>") || symbol_equals(from->name, "<clinit>"))
        flags |= METHOD_INITIALIZER;
    return flags;
}

void
version_init(struct method_version *version, struct method *m,
             const struct cf_method *from, struct cpool *pool)
{
    *version = (struct method_version){ .method = m, .info = from, .pool = pool };
    version_prepare(version);
}

/* Fills in m, the method number index of a class.  serial is its number among all
   methods of the VM, which is never used again. */
static void
method_init(struct method *m, const struct cf_method *from, uint32_t index,
            uint32_t serial)
{
    const char *returned = strrchr(from->descriptor->bytes, ')') + 1;

    *m = (struct method){
        .name = from->name,
        .descriptor = from->descriptor,
        .index = index,
        .access_flags = from->access_flags,
        .flags = method_flags(from),
        .arg_slots = from->arg_slots,
        .return_type = slot_type(returned),
        .vtable_index = VTABLE_NONE,
        .serial = serial,
    };
}

/* Makes the methods of the maker's class, which have no struct class yet. */
static void
make_methods(struct maker *k)
{
    uint32_t count = k->file->method_count, serial;

    k->vtable.methods = arena_calloc(&k->arena, count + 1u, sizeof *k->vtable.methods);
    serial = __atomic_fetch_add(&k->vm->method_serial, count, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < count; i++)
        method_init(&k->vtable.methods[i], &k->file->methods[i], i, serial + i + 1);
}

/* A class with more methods than that gets a hash table of them. */
enum { INDEXED_METHODS = 8 };

/*
 * Makes the table by which class_own_method finds methods by name, or makes a larger
 * one when a method was added.  Its entries are a method's index + 1; 0 is an empty
 * one.  Collisions go to the next free entry, and at least half of the entries are
 * free.
 */
static void
index_methods(struct class *c)
{
    uint32_t size = 16;

    if (c->method_count <= INDEXED_METHODS)
        return;
    while (size < c->method_count * 2)
        size *= 2;
    c->method_index = arena_calloc(&c->arena, size, sizeof *c->method_index);
    c->method_index_mask = size - 1;
    for (uint32_t i = 0; i < c->method_count; i++) {
        uint32_t at = class_method(c, i)->name->hash;

        while (c->method_index[at & c->method_index_mask])
            at++;
        c->method_index[at & c->method_index_mask] = (uint16_t)(i + 1);
    }
}

struct method *
class_add_method(struct vm *vm, struct class *c, const struct cf_method *from)
{
    struct method *m = arena_calloc(&c->arena, 1, sizeof *m), **added;
    uint32_t serial = __atomic_add_fetch(&vm->method_serial, 1, __ATOMIC_RELAXED);

    method_init(m, from, c->method_count, serial);
    m->class = c;
    added = arena_calloc(&c->arena, c->added_count + 1u, sizeof *added);
    if (c->added_count)
        memcpy(added, c->added_methods, c->added_count * sizeof *added);
    added[c->added_count++] = m;
    c->added_methods = added;
    c->method_count++;
    index_methods(c);
    return m;
}

/* ---- supertypes ---- */

/* Adds an interface, if it is not there yet.  seen is NULL while they are few, and the
   list is searched. */
static void
add_interface(struct class *c, struct ptrmap *seen, struct class *interface)
{
    if (seen) {
        if (ptrmap_put(seen, interface, interface))
            return;
    } else {
        for (uint32_t i = 0; i < c->all_interface_count; i++)
            if (c->all_interfaces[i] == interface)
                return;
    }
    c->all_interfaces[c->all_interface_count++] = interface;
}

/* Up to so many superinterfaces add_interface searches the list; above, a map. */
enum { COMPARED_INTERFACES = 64 };

/* Collects all superinterfaces of c: those of the superclass, then each direct one with
   its own. */
static void
collect_interfaces(struct class *c)
{
    struct class *super = c->super;
    struct ptrmap map = { 0 }, *seen;
    uint32_t most = super ? super->all_interface_count : 0;

    if (c->interface_count == 0) {
        if (super) {
            c->all_interfaces = super->all_interfaces;
            c->all_interface_count = super->all_interface_count;
        }
        return;
    }
    for (uint32_t i = 0; i < c->interface_count; i++)
        most += 1 + c->interfaces[i]->all_interface_count;
    seen = most > COMPARED_INTERFACES ? &map : NULL;
    c->all_interfaces = arena_calloc(&c->arena, most, sizeof *c->all_interfaces);
    for (uint32_t i = 0; super && i < super->all_interface_count; i++)
        add_interface(c, seen, super->all_interfaces[i]);
    for (uint32_t i = 0; i < c->interface_count; i++) {
        add_interface(c, seen, c->interfaces[i]);
        for (uint32_t j = 0; j < c->interfaces[i]->all_interface_count; j++)
            add_interface(c, seen, c->interfaces[i]->all_interfaces[j]);
    }
    ptrmap_release(&map);
}

void
class_set_supers(struct vm *vm, struct class *c, struct class *super)
{
    if (class_is_interface(c)) {
        c->supers[0] = KC(vm, Object);
        return;
    }
    c->super = super;
    if (super) {
        memcpy(c->supers, super->supers, sizeof c->supers);
        c->depth = (uint8_t)(super->depth == UINT8_MAX ? UINT8_MAX : super->depth + 1);
    }
    if (c->depth < 8)
        c->supers[c->depth] = c;
}

/* ---- the class ---- */

/* Returns how the collector treats instances of c: as which kind of
   java.lang.ref.Reference, if any. */
static enum reference_kind
reference_kind(const struct class *c, int number)
{
    switch (number) {
    case KNOWN_CLASS_SoftReference: return REFERENCE_SOFT;
    case KNOWN_CLASS_WeakReference: return REFERENCE_WEAK;
    case KNOWN_CLASS_FinalReference: return REFERENCE_FINAL;
    case KNOWN_CLASS_PhantomReference: return REFERENCE_PHANTOM;
    case KNOWN_CLASS_Reference: return REFERENCE_OTHER;
    default: break;
    }
    return c->super && c->super->layout.kind == LAYOUT_REFERENCE
               ? (enum reference_kind)c->super->layout.reference
               : REFERENCE_NONE;
}

/* Is c jdk.internal.vm.Continuation or a class below it? */
static bool
is_continuation(const struct maker *k, const struct class *c)
{
    return k->number == KNOWN_CLASS_Continuation
           || (c->super && c->super->layout.kind == LAYOUT_CONTINUATION);
}

/* Decides what instances of c are to the collector, and lays out their fields.  An
   interface has no instances. */
static void
set_layout(struct maker *k, struct class *c)
{
    struct layout *layout = &c->layout;

    layout->kind = LAYOUT_NONE;
    if (class_is_interface(c))
        return;
    layout->reference = (uint8_t)reference_kind(c, k->number);
    layout->kind = layout->reference != REFERENCE_NONE ? LAYOUT_REFERENCE
                   : k->number == KNOWN_CLASS_Class    ? LAYOUT_MIRROR
                   : is_continuation(k, c)             ? LAYOUT_CONTINUATION
                                                       : LAYOUT_INSTANCE;
    layout->has_finalizer = c->super
                            && (k->file->has_finalizer
                                || c->super->layout.has_finalizer);
    class_lay_out_instance(k->vm, c, k->number);
}

/* Sets the flags of c that follow from its name and its superclasses, and marks the
   signature-polymorphic methods of MethodHandle and VarHandle (JVMS 2.9.3: native, and
   with one array of Object as variable arguments). */
static void
set_flags(struct maker *k, struct class *c)
{
    struct class *cloneable = KC(k->vm, Cloneable);

    if (k->number == KNOWN_CLASS_MagicAccessorImpl)
        c->flags |= CLASS_SKIPS_CHECKS;
    if (c->super)
        c->flags |= c->super->flags & CLASS_SKIPS_CHECKS;
    if (cloneable && class_is_subtype(c, cloneable))
        c->flags |= CLASS_IS_CLONEABLE;
    if (k->number != KNOWN_CLASS_MethodHandle && k->number != KNOWN_CLASS_VarHandle)
        return;
    c->flags |= CLASS_IS_POLYMORPHIC;
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];

        if ((m->access_flags & (ACC_NATIVE | ACC_VARARGS)) == (ACC_NATIVE | ACC_VARARGS)
            && strncmp(m->descriptor->bytes, "([Ljava/lang/Object;)", 21) == 0)
            m->flags |= METHOD_SIGNATURE_POLYMORPHIC;
    }
}

struct class *
class_new(struct thread *self, uint32_t vtable_length)
{
    struct vm *vm = self->vm;
    struct class *c = class_space_alloc(vm, class_struct_size(vtable_length));

    if (!c)
        return throw_exhausted(self, "Compressed class space", EXHAUSTED_OOM_ERROR);
    c->vtable_length = vtable_length;
    return c;
}

/*
 * Fills in c, which class_new has allocated with the length of the maker's vtable.
 * k->arena, with the methods in it, and the class file become c's; interfaces, the
 * direct superinterfaces, is copied.  The mirror is made later.  Cannot fail: the arena
 * ends the process when there is no memory.
 */
static void
fill_class(struct maker *k, struct class *c, struct class **interfaces)
{
    struct classfile *file = k->file;

    if (k->vtable.length)
        memcpy(c->vtable, k->vtable.slots, k->vtable.length * sizeof *c->vtable);
    c->arena = k->arena;
    c->methods = k->vtable.methods;
    c->method_count = file->method_count;
    c->name = file->this_class;
    c->loader = k->vtable.loader;
    c->package = k->vtable.package;
    c->module = k->vtable.package->module;
    c->access_flags = file->access_flags;
    c->source_file = file->source_file;
    c->bottom = c;
    c->interface_count = file->interface_count;
    c->interfaces = arena_calloc(&c->arena, c->interface_count + 1u,
                                 sizeof *interfaces);
    for (uint32_t i = 0; i < c->interface_count; i++)
        c->interfaces[i] = interfaces[i];
    class_set_supers(k->vm, c, k->vtable.super);
    collect_interfaces(c);
    c->pool = cpool_new(c, file);
    for (uint32_t i = 0; i < c->method_count; i++)
        c->methods[i].class = c;
    index_methods(c);
    make_fields(c, file);
    set_layout(k, c);
    if (k->vm->has_mirrors)
        class_lay_out_statics(k->vm, c);
    set_flags(k, c);
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];
        version_init(&m->first, m, &file->methods[i], c->pool);
        m->version = &m->first;
    }
}

struct class *
class_make(struct thread *self, struct loader *l, struct classfile *file,
           struct class *super, struct class **interfaces)
{
    bool is_interface = file->access_flags & ACC_INTERFACE;
    struct maker k = { .vm = self->vm,
                       .number = known_number(self->vm, l, file->this_class),
                       .file = file,
                       .vtable = { .self = self,
                                   .loader = l,
                                   .package = package_of(self, l, file->this_class),
                                   .file = file,
                                   .super = is_interface ? NULL : super } };
    struct class *c = NULL;

    make_methods(&k);
    if (is_interface || vtable_make(&k.vtable))
        c = class_new(self, k.vtable.length);
    if (c) {
        fill_class(&k, c, interfaces);
    } else {
        arena_release(&k.arena);
        classfile_free(file);
    }
    mem_free(k.vtable.slots);
    return c;
}

/* ---- mirrors ---- */

bool
class_make_mirror(struct thread *self, struct class *c,
                  struct object *protection_domain, struct object *class_data)
{
    struct vm *vm = self->vm;
    struct object *mirror;
    HANDLE_SCOPE(self);

    handle_new(self, protection_domain);
    handle_new(self, class_data);
    mirror = mirror_new(self, c);
    if (!mirror)
        return false;
    OBJECT_FIELD(struct class *, mirror, KF(vm, Class_vmClass)) = c;
    REF_FIELD(vm, mirror, Class_protectionDomain) = protection_domain;
    REF_FIELD(vm, mirror, Class_classLoader) = c->loader->object;
    REF_FIELD(vm, mirror, Class_module) = c->module ? c->module->object : NULL;
    REF_FIELD(vm, mirror, Class_classData) = class_data;
    if (c->element)
        REF_FIELD(vm, mirror, Class_componentType) = c->element->layout.mirror;
    if (KF(vm, Class_modifiers))
        OBJECT_FIELD(uint16_t, mirror,
                     KF(vm, Class_modifiers)) = (uint16_t)class_modifiers(c);
    if (KF(vm, Class_primitive))
        OBJECT_FIELD(uint8_t, mirror, KF(vm, Class_primitive)) = c->primitive != 0;
    __atomic_store_n(&c->layout.mirror, mirror, __ATOMIC_RELEASE);
    return true;
}

/* ---- freeing ---- */

/* Frees what the versions of c's methods, replaced ones too, own besides the arena. */
static void
release_versions(struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct method_version *version = method_version(class_method(c, i));
             version; version = version->previous) {
            version_release(version);
            frame_forget_version(version);
        }
}

void
class_free(struct vm *vm, struct class *c)
{
    struct cpool *pool = c->pool, *previous;

    release_versions(c);
    for (; pool; pool = previous) {
        previous = pool->previous;
        cpool_free(pool);
    }
    mem_free(c->nest_host_error);
    arena_release(&c->arena);
    class_space_free(vm, c, class_struct_size(c->vtable_length));
}

/* Others may know the mirror: ClassLoader.addClass has entered it in the loader's list
   before the definition has failed, and heap walks find it.  So the class stays with
   its loader until the mirror is garbage. */
void
class_discard(struct vm *vm, struct class *c)
{
    if (!c->layout.mirror) {
        class_free(vm, c);
        return;
    }
    LOCK(&vm->class_mutex);
    c->flags |= CLASS_IS_DISCARDED;
    c->next_in_loader = c->loader->defined;
    c->loader->defined = c;
}
