/* SPDX-License-Identifier: MIT */
/* minivm/vm/reflect.c -- java.lang.reflect objects from the VM's structs. */

#include "vm/reflect.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"
#include "vm/vm.h"

/* ---- parts ---- */

static struct object *
new_of(struct thread *self, enum known_class which)
{
    struct class *c = known_class(self, which);

    return c && class_initialize(self, c) ? object_new(self, c) : NULL;
}

static void
set_ref(struct object *o, uint32_t field, struct object *value)
{
    __atomic_store_n(&OBJECT_FIELD(struct object *, o, field), value, __ATOMIC_RELAXED);
}

static struct object *
type_mirror(struct thread *self, const struct class *from,
            const struct descriptor_type *type)
{
    struct class *c = class_of_descriptor(self, from->loader, type->text, type->length);

    return c ? c->layout.mirror : NULL;
}

static struct object *
parameter_types(struct thread *self, const struct method *m)
{
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    struct object *types = keep(self, array_new(self, self->vm->known.class_array,
                                                descriptor_arg_count(m->descriptor)));

    for (int32_t i = 0; types && descriptor_next(&it, &type); i++) {
        struct object *mirror = type_mirror(self, m->class, &type);
        if (!mirror)
            return NULL;
        ARRAY_REFS(types)[i] = mirror;
    }
    return types;
}

static struct object *
exception_types(struct thread *self, const struct code *code)
{
    int32_t count = code->info ? code->info->exception_count : 0;
    struct object *types =
        keep(self, array_new(self, self->vm->known.class_array, count));

    for (int32_t i = 0; types && i < count; i++) {
        struct class *c = resolve_class(self, code->pool, code->info->exceptions[i]);
        if (!c)
            return NULL;
        ARRAY_REFS(types)[i] = c->layout.mirror;
    }
    return types;
}

/* Both fail with an exception pending only; absent parts leave the field null. */
static bool
set_bytes(struct thread *self, struct object *o, uint32_t field, struct cpool *pool,
          struct cf_range range, enum annotation_kind kind)
{
    set_ref(o, field, annotation_bytes(self, pool, range, kind));
    return !exception_pending(self);
}

static bool
set_signature(struct thread *self, struct object *o, uint32_t field,
              const struct symbol *signature)
{
    if (signature)
        set_ref(o, field, string_from_symbol(self, signature));
    return !exception_pending(self);
}

static int32_t
method_modifiers(const struct method *m, const struct code *code)
{
    int32_t flags = m->access_flags & REFLECTED_METHOD_FLAGS;

    return code->info && code->info->synthetic ? flags | ACC_SYNTHETIC : flags;
}

/* ---- methods and constructors ---- */

static struct object *
reflect_constructor(struct thread *self, struct method *m)
{
    struct vm *vm = self->vm;
    const struct code *code = method_code(m);
    const struct cf_method *info = code->info;
    struct object *parameters = parameter_types(self, m);
    struct object *exceptions = parameters ? exception_types(self, code) : NULL;
    struct object *o =
        exceptions ? keep(self, new_of(self, KNOWN_CLASS_Constructor)) : NULL;

    if (!o)
        return NULL;
    set_ref(o, KF(vm, Constructor_clazz), m->class->layout.mirror);
    OBJECT_FIELD(int32_t, o, KF(vm, Constructor_slot)) = (int32_t)m->index;
    set_ref(o, KF(vm, Constructor_parameterTypes), parameters);
    set_ref(o, KF(vm, Constructor_exceptionTypes), exceptions);
    OBJECT_FIELD(int32_t, o, KF(vm, Constructor_modifiers)) = method_modifiers(m, code);
    if (info
        && !(set_signature(self, o, KF(vm, Constructor_signature), info->signature)
             && set_bytes(self, o, KF(vm, Constructor_annotations), code->pool,
                          info->annotations, ANNOTATIONS)
             && set_bytes(self, o, KF(vm, Constructor_parameterAnnotations), code->pool,
                          info->parameter_annotations, PARAMETER_ANNOTATIONS)))
        return NULL;
    return o;
}

static bool
set_method_texts(struct thread *self, struct object *o, const struct method *m,
                 const struct code *code)
{
    struct vm *vm = self->vm;
    const struct cf_method *info = code->info;
    struct object *name = string_intern_symbol(self, m->name);

    if (!name)
        return false;
    set_ref(o, KF(vm, Method_name), name);
    return !info
           || (set_signature(self, o, KF(vm, Method_signature), info->signature)
               && set_bytes(self, o, KF(vm, Method_annotations), code->pool,
                            info->annotations, ANNOTATIONS)
               && set_bytes(self, o, KF(vm, Method_parameterAnnotations), code->pool,
                            info->parameter_annotations, PARAMETER_ANNOTATIONS)
               && set_bytes(self, o, KF(vm, Method_annotationDefault), code->pool,
                            info->annotation_default, ANNOTATION_DEFAULT));
}

struct object *
reflect_method(struct thread *self, struct method *m)
{
    struct vm *vm = self->vm;
    const struct code *code = method_code(m);
    struct descriptor_type type;
    struct object *returned, *o;
    SCOPE(self);

    if (symbol_equals(m->name, "<init>"))
        return reflect_constructor(self, m);
    struct object *parameters = parameter_types(self, m);
    struct object *exceptions = parameters ? exception_types(self, code) : NULL;
    if (!exceptions || !descriptor_return(m->descriptor, &type))
        return NULL;
    returned = type_mirror(self, m->class, &type);
    o = returned ? keep(self, new_of(self, KNOWN_CLASS_Method)) : NULL;
    if (!o)
        return NULL;
    set_ref(o, KF(vm, Method_clazz), m->class->layout.mirror);
    OBJECT_FIELD(int32_t, o, KF(vm, Method_slot)) = (int32_t)m->index;
    set_ref(o, KF(vm, Method_returnType), returned);
    set_ref(o, KF(vm, Method_parameterTypes), parameters);
    set_ref(o, KF(vm, Method_exceptionTypes), exceptions);
    OBJECT_FIELD(int32_t, o, KF(vm, Method_modifiers)) = method_modifiers(m, code);
    return set_method_texts(self, o, m, code) ? o : NULL;
}

struct method *
reflected_method(const struct vm *vm, const struct object *reflected)
{
    bool is_method = object_class(reflected) == KC(vm, Method);
    struct class *c = class_of_mirror(
        OBJECT_FIELD(struct object *, reflected,
                     is_method ? KF(vm, Method_clazz) : KF(vm, Constructor_clazz)));
    int32_t slot = OBJECT_FIELD(int32_t, reflected,
                                is_method ? KF(vm, Method_slot)
                                          : KF(vm, Constructor_slot));

    return &c->methods[slot];
}

/* ---- fields ---- */

const struct cf_field *
field_info(const struct field *f, const struct cpool *pool)
{
    return cf_find_field(pool->file, f->name, f->descriptor);
}

/* Final fields that setAccessible does not make writable (Field.trustedFinal). */
static bool
is_trusted_final(const struct field *f)
{
    return (f->access_flags & ACC_FINAL)
           && (field_is_static(f) || (f->class->flags & CLASS_IS_HIDDEN)
               || f->class->pool->file->is_record);
}

static bool
set_field_texts(struct thread *self, struct object *o, const struct field *f)
{
    struct vm *vm = self->vm;
    struct cpool *pool = f->class->pool;
    const struct cf_field *info = field_info(f, pool);
    struct object *name = string_intern_symbol(self, f->name);

    if (!name)
        return false;
    set_ref(o, KF(vm, Field_name), name);
    return !info
           || (set_signature(self, o, KF(vm, Field_signature), info->signature)
               && set_bytes(self, o, KF(vm, Field_annotations), pool, info->annotations,
                            ANNOTATIONS));
}

struct object *
reflect_field(struct thread *self, struct field *f)
{
    struct vm *vm = self->vm;
    const struct cf_field *info = field_info(f, f->class->pool);
    int32_t flags = f->access_flags & REFLECTED_FIELD_FLAGS;
    SCOPE(self);

    struct class *type = class_of_descriptor(self, f->class->loader,
                                             f->descriptor->bytes, f->descriptor->length);
    struct object *o = type ? keep(self, new_of(self, KNOWN_CLASS_Field)) : NULL;
    if (!o)
        return NULL;
    if (info && info->synthetic)
        flags |= ACC_SYNTHETIC;
    set_ref(o, KF(vm, Field_clazz), f->class->layout.mirror);
    OBJECT_FIELD(int32_t, o, KF(vm, Field_slot)) = (int32_t)f->index;
    set_ref(o, KF(vm, Field_type), type->layout.mirror);
    OBJECT_FIELD(int32_t, o, KF(vm, Field_modifiers)) = flags;
    OBJECT_FIELD(uint8_t, o, KF(vm, Field_trustedFinal)) = is_trusted_final(f);
    return set_field_texts(self, o, f) ? o : NULL;
}

struct field *
reflected_field(const struct vm *vm, const struct object *reflected)
{
    struct class *c =
        class_of_mirror(OBJECT_FIELD(struct object *, reflected, KF(vm, Field_clazz)));

    return &c->fields[OBJECT_FIELD(int32_t, reflected, KF(vm, Field_slot))];
}

/* ---- record components ---- */

/* The component's accessor, or NULL without exception when the class has none. */
static struct object *
accessor_of(struct thread *self, struct class *c, const struct cf_record_component *r)
{
    char *text = mem_printf("()%s", r->descriptor->bytes);
    size_t length = strlen(text);
    struct method *m = length > SYMBOL_MAX_LENGTH
                           ? NULL
                           : class_own_method(c, r->name, symbol_intern(text, length));

    mem_free(text);
    return m && !method_is_static(m) ? reflect_method(self, m) : NULL;
}

struct object *
reflect_component(struct thread *self, struct class *c, struct cpool *pool,
                  const struct cf_record_component *r)
{
    struct vm *vm = self->vm;
    SCOPE(self);

    struct class *type = class_of_descriptor(self, c->loader, r->descriptor->bytes,
                                             r->descriptor->length);
    struct object *o =
        type ? keep(self, new_of(self, KNOWN_CLASS_RecordComponent)) : NULL;
    struct object *name = o ? string_intern_symbol(self, r->name) : NULL;
    if (!name)
        return NULL;
    set_ref(o, KF(vm, RecordComponent_clazz), c->layout.mirror);
    set_ref(o, KF(vm, RecordComponent_name), name);
    set_ref(o, KF(vm, RecordComponent_type), type->layout.mirror);
    set_ref(o, KF(vm, RecordComponent_accessor), accessor_of(self, c, r));
    if (exception_pending(self)
        || !set_signature(self, o, KF(vm, RecordComponent_signature), r->signature)
        || !set_bytes(self, o, KF(vm, RecordComponent_annotations), pool, r->annotations,
                      ANNOTATIONS)
        || !set_bytes(self, o, KF(vm, RecordComponent_typeAnnotations), pool,
                      r->type_annotations, TYPE_ANNOTATIONS))
        return NULL;
    return o;
}
