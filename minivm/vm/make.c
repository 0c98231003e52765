/* SPDX-License-Identifier: MIT */
/* minivm/vm/make.c -- building a struct class, out of a class file or without one, and
 * its mirror. */

#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/exhausted.h"
#include "vm/registry.h"

/* What is known before the size of the struct is: its vtable's length. */
struct maker {
    struct thread *self;
    struct vm *vm;
    struct loader *loader;
    int number;                    /* known_number */
    struct classfile *file;
    struct class *super;
    struct package *package;
    struct arena arena;
    struct method *methods;
    struct method **vtable;
    uint32_t vtable_length;
};

static size_t
class_struct_size(uint32_t vtable_length)
{
    return sizeof(struct class) + vtable_length * sizeof(struct method *);
}

/* ---- fields ---- */

unsigned
type_size(char type)
{
    switch (type) {
    case 'Z': case 'B': return 1;
    case 'C': case 'S': return 2;
    case 'I': case 'F': return 4;
    default: return 8;
    }
}

/*
 * Where fields go: at end, aligned, or in the one gap that the first alignment
 * left.  Sizes come in descending order, so there is never a second gap.
 */
struct space {
    uint32_t end, gap_start, gap_end;
};

static uint32_t
place(struct space *s, uint32_t size)
{
    uint32_t at = (s->end + size - 1) & ~(size - 1);

    if (s->gap_end - s->gap_start >= size
        && ((s->gap_end - size) & ~(size - 1)) >= s->gap_start) {
        s->gap_end = (s->gap_end - size) & ~(size - 1);
        return s->gap_end;
    }
    if (at != s->end) {
        s->gap_start = s->end;
        s->gap_end = at;
    }
    s->end = at + size;
    return at;
}

/* Runs of references under construction; adjacent ones are joined. */
struct runs {
    struct reference_run *at;
    uint32_t count;
};

static void
runs_add(struct runs *r, uint32_t offset)
{
    struct reference_run *last = r->count ? &r->at[r->count - 1] : NULL;

    if (last && last->offset + last->count * 8 == offset)
        last->count++;
    else
        r->at[r->count++] = (struct reference_run){ offset, 1 };
}

/* The collector treats these two of java.lang.ref.Reference by itself. */
static bool
is_collectors(const struct field *f)
{
    const struct class *c = f->class;

    return (symbol_equals(f->name, "referent") || symbol_equals(f->name, "discovered"))
           && known_number(the_vm, c->loader, c->name) == KNOWN_CLASS_Reference;
}

/* Place the instance or static fields of that size: references (0), or primitives. */
static void
place_fields(struct class *c, bool statics, unsigned size, struct space *space,
             struct runs *runs)
{
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct field *f = &c->fields[i];

        if (field_is_static(f) != statics
            || size != (f->type == 'L' ? 0 : type_size(f->type)))
            continue;
        f->offset = place(space, size ? size : 8);
        if (size == 0 && (statics || !is_collectors(f)))
            runs_add(runs, f->offset);
    }
}

/* References go first, then the others by descending size. */
static uint32_t
place_all(struct class *c, bool statics, struct space *space, struct runs *runs)
{
    static const unsigned char sizes[] = { 0, 8, 4, 2, 1 };

    for (size_t i = 0; i < sizeof sizes; i++)
        place_fields(c, statics, sizes[i], space, runs);
    return (space->end + OBJECT_ALIGN - 1) & ~(uint32_t)(OBJECT_ALIGN - 1);
}

/* What the VM adds to a class that it knows. */
static void
place_injected(struct maker *k, struct space *space, struct runs *runs)
{
    const struct profile_field *rows = k->vm->profile->fields;

    for (unsigned i = 0; k->number >= 0 && i < KNOWN_FIELD_COUNT; i++) {
        if (!rows[i].is_injected || (int)rows[i].owner != k->number)
            continue;
        k->vm->known.fields[i] = place(space, 8);
        if (rows[i].descriptor[0] != 'J')
            runs_add(runs, k->vm->known.fields[i]);
    }
}

/* Behind the superclass's fields. */
static void
lay_out_instance(struct maker *k, struct class *c)
{
    enum { INJECTED = 8 };         /* more than any class has */
    struct class *super = c->super;
    struct space space = { super ? super->instance_end : sizeof(struct object), 0, 0 };
    uint32_t inherited = super ? super->layout.run_count : 0;
    struct runs runs = { arena_calloc(&c->arena, inherited + c->field_count + INJECTED,
                                      sizeof *runs.at),
                         inherited };

    for (uint32_t i = 0; i < inherited; i++)
        runs.at[i] = super->layout.runs[i];
    place_injected(k, &space, &runs);
    c->layout.instance_size = place_all(c, false, &space, &runs);
    c->instance_end = space.end;
    c->layout.runs = runs.at;
    c->layout.run_count = runs.count;
}

void
class_lay_out_statics(struct vm *vm, struct class *c)
{
    uint32_t start = mirror_statics(&KC(vm, Class)->layout);
    struct space space = { start, 0, 0 };
    struct runs runs = {
        arena_calloc(&c->arena, c->field_count + 1u, sizeof *runs.at), 0
    };

    c->static_size = place_all(c, true, &space, &runs) - start;
    c->static_runs = runs.at;
    c->static_run_count = runs.count;
}

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
            .class = c, .name = from->name, .descriptor = from->descriptor,
            .access_flags = from->access_flags, .index = i,
            .type = slot_type(from->descriptor->bytes),
        };
    }
}

/* ---- methods ---- */

static uint16_t
method_flags(const struct cf_method *from)
{
    uint16_t flags = from->marks & METHOD_MARKS;

    if (from->access_flags & ACC_SYNCHRONIZED)
        flags |= METHOD_HAS_MONITORS;
    if (symbol_equals(from->name, "<init>") || symbol_equals(from->name, "<clinit>"))
        flags |= METHOD_INITIALIZER;
    return flags;
}

void
code_init(struct code *code, struct method *m, const struct cf_method *from,
          struct cpool *pool)
{
    *code = (struct code){ .method = m, .info = from, .pool = pool };
    code_prepare(code);
}

static void
method_init(struct method *m, const struct cf_method *from, uint32_t index,
            uint32_t serial)
{
    const char *returned = strrchr(from->descriptor->bytes, ')') + 1;

    *m = (struct method){
        .name = from->name, .descriptor = from->descriptor, .index = index,
        .access_flags = from->access_flags, .flags = method_flags(from),
        .arg_slots = from->arg_slots, .return_type = slot_type(returned),
        .vtable_index = VTABLE_NONE, .serial = serial,
    };
}

static void
make_methods(struct maker *k)
{
    uint32_t count = k->file->method_count, serial;

    k->methods = arena_calloc(&k->arena, count + 1u, sizeof *k->methods);
    serial = __atomic_fetch_add(&k->vm->method_serial, count, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < count; i++)
        method_init(&k->methods[i], &k->file->methods[i], i, serial + i + 1);
}

enum { INDEXED_METHODS = 8 };

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

/* ---- the vtable ---- */

static bool
is_virtual(const struct method *m)
{
    return !(m->access_flags & (ACC_STATIC | ACC_PRIVATE))
           && !(m->flags & METHOD_INITIALIZER);
}

/* JVMS 5.4.5, without the transitive rule. */
static bool
can_override(const struct maker *k, const struct method *old)
{
    return (old->access_flags & (ACC_PUBLIC | ACC_PROTECTED))
           || (old->class->loader == k->loader && old->class->package == k->package);
}

static void
set_slot(struct maker *k, struct method *m, uint32_t slot)
{
    k->vtable[slot] = m;
    if (m->vtable_index == VTABLE_NONE)
        m->vtable_index = (int32_t)slot;
    else if (m->vtable_index != (int32_t)slot)
        m->flags |= METHOD_MANY_SLOTS;
}

/*
 * m takes over all slots that old has: being overridden is transitive, so a slot
 * of a package-private method goes with the public method that overrode it.
 */
static void
take_slots(struct maker *k, struct method *m, struct method *old)
{
    if (old->vtable_index == VTABLE_NONE)
        return;
    if (old->flags & METHOD_MANY_SLOTS)
        for (uint32_t i = 0; i < k->super->vtable_length; i++)
            if (k->super->vtable[i] == old)
                set_slot(k, m, i);
    set_slot(k, m, (uint32_t)old->vtable_index);
}

static bool
override_in_supers(struct maker *k, struct method *m)
{
    for (struct class *s = k->super; s; s = s->super) {
        struct method *old = class_own_method(s, m->name, m->descriptor);

        if (old == NULL || !is_virtual(old) || !can_override(k, old))
            continue;
        if (old->access_flags & ACC_FINAL)
            return THROW(k->self, IncompatibleClassChangeError,
                         "class %pN overrides final method %pC.%s%s",
                         k->file->this_class->bytes, old->class, m->name->bytes,
                         m->descriptor->bytes);
        take_slots(k, m, old);
    }
    return true;
}

/* Overridden methods keep their slots; what is final and overrides nothing is
   called directly and gets none. */
static bool
build_vtable(struct maker *k)
{
    bool final_class = (k->file->access_flags & ACC_FINAL) != 0;
    uint32_t inherited = k->super ? k->super->vtable_length : 0;

    k->vtable = mem_alloc((inherited + k->file->method_count + 1) * sizeof *k->vtable);
    if (inherited)
        memcpy(k->vtable, k->super->vtable, inherited * sizeof *k->vtable);
    k->vtable_length = inherited;
    for (uint32_t i = 0; i < k->file->method_count; i++) {
        struct method *m = &k->methods[i];

        if (!is_virtual(m))
            continue;
        if (!override_in_supers(k, m))
            return false;
        if (m->vtable_index == VTABLE_NONE && !final_class
            && !(m->access_flags & ACC_FINAL))
            set_slot(k, m, k->vtable_length++);
    }
    return true;
}

/* ---- supertypes ---- */

/* Adds an interface once; few are compared one by one. */
static void
add_interface(struct class *c, struct ptrmap *seen, struct class *interface)
{
    if (seen != NULL) {
        if (ptrmap_put(seen, interface, interface))
            return;
    } else {
        for (uint32_t i = 0; i < c->all_interface_count; i++)
            if (c->all_interfaces[i] == interface)
                return;
    }
    c->all_interfaces[c->all_interface_count++] = interface;
}

enum { COMPARED_INTERFACES = 64 };

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

static void
set_supers(struct vm *vm, struct class *c, struct class *super)
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

/* ---- the whole ---- */

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

static void
set_layout(struct maker *k, struct class *c)
{
    struct layout *layout = &c->layout;

    layout->kind = LAYOUT_NONE;
    if (class_is_interface(c))
        return;
    layout->reference = (uint8_t)reference_kind(c, k->number);
    layout->kind = layout->reference != REFERENCE_NONE  ? LAYOUT_REFERENCE
                   : k->number == KNOWN_CLASS_Class ? LAYOUT_MIRROR
                                                    : LAYOUT_INSTANCE;
    layout->has_finalizer =
        c->super && (k->file->has_finalizer || c->super->layout.has_finalizer);
    lay_out_instance(k, c);
}

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

static struct class *
new_class(struct thread *self, uint32_t vtable_length)
{
    struct vm *vm = self->vm;
    struct class *c = class_space_alloc(vm, class_struct_size(vtable_length));

    if (c == NULL)
        return throw_exhausted(self, "Compressed class space", EXHAUSTED_OOM_ERROR);
    c->vtable_length = vtable_length;
    return c;
}

static void
finish(struct maker *k, struct class *c, struct class **interfaces)
{
    struct classfile *file = k->file;
    struct code *codes;

    if (k->vtable_length)
        memcpy(c->vtable, k->vtable, k->vtable_length * sizeof *c->vtable);
    c->arena = k->arena;
    c->methods = k->methods;
    c->method_count = file->method_count;
    c->name = file->this_class;
    c->loader = k->loader;
    c->package = k->package;
    c->module = k->package->module;
    c->access_flags = file->access_flags;
    c->source_file = file->source_file;
    c->bottom = c;
    c->interface_count = file->interface_count;
    c->interfaces =
        arena_calloc(&c->arena, c->interface_count + 1u, sizeof *interfaces);
    for (uint32_t i = 0; i < c->interface_count; i++)
        c->interfaces[i] = interfaces[i];
    set_supers(k->vm, c, k->super);
    collect_interfaces(c);
    c->pool = cpool_new(c, file);
    for (uint32_t i = 0; i < c->method_count; i++)
        c->methods[i].class = c;
    index_methods(c);
    make_fields(c, file);
    set_layout(k, c);
    if (k->vm->registry->is_booted)
        class_lay_out_statics(k->vm, c);
    set_flags(k, c);
    codes = arena_calloc(&c->arena, c->method_count + 1u, sizeof *codes);
    for (uint32_t i = 0; i < c->method_count; i++) {
        code_init(&codes[i], &c->methods[i], &file->methods[i], c->pool);
        c->methods[i].code = &codes[i];
    }
}

struct class *
class_make(struct thread *self, struct loader *l, struct classfile *file,
           struct class *super, struct class **interfaces)
{
    struct maker k = { .self = self, .vm = self->vm, .loader = l, .file = file };
    struct class *c = NULL;

    k.number = known_number(self->vm, l, file->this_class);
    k.super = file->access_flags & ACC_INTERFACE ? NULL : super;
    k.package = package_of(self, l, file->this_class);
    make_methods(&k);
    if (file->access_flags & ACC_INTERFACE || build_vtable(&k))
        c = new_class(self, k.vtable_length);
    if (c) {
        finish(&k, c, interfaces);
    } else {
        arena_release(&k.arena);
        classfile_free(file);
    }
    mem_free(k.vtable);
    return c;
}

/* ---- primitives and arrays ---- */

struct class *
class_make_primitive(struct thread *self, char type)
{
    struct vm *vm = self->vm;
    struct class *c = new_class(self, 0);

    if (c == NULL)
        out_of_memory("no room below 4 GiB for classes");
    c->name = symbol_of(descriptor_primitive_name(type));
    c->primitive = type;
    c->bottom = c;
    c->loader = vm->boot_loader;
    c->module = vm->java_base;
    c->state = CLASS_INITIALIZED;
    c->access_flags = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    return c;
}

static const struct symbol *
array_name(const struct class *element)
{
    char *text = text_printf("[%pF", class_descriptor(element));
    const struct symbol *name =
        strlen(text) <= SYMBOL_MAX_LENGTH ? symbol_of(text) : NULL;

    mem_free(text);
    return name;
}

/* Arrays are Object's subclasses, Cloneable and Serializable (JLS 10.8). */
static struct class *
make_array(struct thread *self, struct class *element, const struct symbol *name)
{
    struct vm *vm = self->vm;
    struct class *object = KC(vm, Object);
    struct class *c = new_class(self, object->vtable_length);

    if (c == NULL)
        return NULL;
    c->name = name;
    c->element = element;
    c->bottom = element->bottom;
    c->loader = element->loader;
    c->package = element->package;
    c->module = element->module;
    c->state = CLASS_INITIALIZED;
    c->access_flags = (uint16_t)((element->bottom->access_flags & ACC_PUBLIC)
                                 | ACC_FINAL | ACC_ABSTRACT);
    c->flags = (uint16_t)((element->flags & CLASS_IS_WEAK) | CLASS_IS_CLONEABLE);
    c->dimensions = (uint8_t)(element->dimensions + 1);
    c->layout.kind = element->primitive ? LAYOUT_PRIMITIVE_ARRAY
                                        : LAYOUT_REFERENCE_ARRAY;
    c->layout.element_shift =
        (uint8_t)__builtin_ctz(element->primitive ? type_size(element->primitive) : 8);
    c->layout.instance_size = ARRAY_BASE;
    set_supers(vm, c, object);
    c->interface_count = c->all_interface_count = 2;
    c->interfaces = arena_calloc(&c->arena, 2, sizeof *c->interfaces);
    c->interfaces[0] = KC(vm, Cloneable);
    c->interfaces[1] = KC(vm, Serializable);
    c->all_interfaces = c->interfaces;
    memcpy(c->vtable, object->vtable, object->vtable_length * sizeof *c->vtable);
    return c;
}

struct class *
class_array_of(struct thread *self, struct class *element)
{
    struct vm *vm = self->vm;
    struct class *c = atomic_load_explicit(&element->array, memory_order_acquire);
    struct class *other = NULL;
    const struct symbol *name;
    bool good;

    if (c)
        return c;
    name = element->dimensions == 255 ? NULL : array_name(element);
    if (name == NULL)
        return THROW0(self, IllegalArgumentException);
    c = make_array(self, element, name);
    if (c == NULL)
        return NULL;
    good = !vm->registry->is_booted || class_make_mirror(self, c, NULL, NULL);
    if (good && atomic_compare_exchange_strong(&element->array, &other, c))
        return c;
    class_discard(vm, c);
    return other;
}

/* ---- mirrors ---- */

bool
class_make_mirror(struct thread *self, struct class *c,
                  struct object *protection_domain, struct object *class_data)
{
    struct vm *vm = self->vm;
    struct object *mirror;
    SCOPE(self);

    keep(self, protection_domain);
    keep(self, class_data);
    mirror = mirror_new(self, c);
    if (mirror == NULL)
        return false;
    OBJECT_FIELD(struct class *, mirror, KF(vm, Class_vmClass)) = c;
    REF_FIELD(vm, mirror, Class_protectionDomain) = protection_domain;
    REF_FIELD(vm, mirror, Class_classLoader) = c->loader->object;
    REF_FIELD(vm, mirror, Class_module) = c->module ? c->module->object : NULL;
    REF_FIELD(vm, mirror, Class_classData) = class_data;
    if (c->element)
        REF_FIELD(vm, mirror, Class_componentType) = c->element->layout.mirror;
    __atomic_store_n(&c->layout.mirror, mirror, __ATOMIC_RELEASE);
    return true;
}

/* ---- end ---- */

static void
release_codes(struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct code *code = method_code(class_method(c, i)); code;
             code = code->previous) {
            code_release(code);
            frame_forget_code(code);
        }
}

void
class_free(struct vm *vm, struct class *c)
{
    struct cpool *pool = c->pool, *previous;

    release_codes(c);
    for (; pool; pool = previous) {
        previous = pool->previous;
        cpool_free(pool);
    }
    mem_free(c->nest_host_error);
    arena_release(&c->arena);
    class_space_free(vm, c, class_struct_size(c->vtable_length));
}

/* The mirror may have been seen: ClassLoader.addClass has put it into the loader's list
   before the definition failed, and walks over the heap find it.  So the class stays
   with its loader until the mirror is garbage. */
void
class_discard(struct vm *vm, struct class *c)
{
    if (c->layout.mirror == NULL) {
        class_free(vm, c);
        return;
    }
    LOCK(&vm->class_mutex);
    c->flags |= CLASS_IS_REFUSED;
    c->next_in_loader = c->loader->defined;
    c->loader->defined = c;
}
