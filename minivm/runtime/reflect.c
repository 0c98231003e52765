/* SPDX-License-Identifier: MIT */
/* minivm/runtime/reflect.c -- java.lang.reflect objects from the VM's structures.
 *
 * Each object is allocated and its fields are set here, without a constructor: the
 * fields are those of the JDK's classes (jdk/known.def).  Absent parts stay null. */

#include "runtime/reflect.h"

#include <string.h>

#include "base/mem.h"
#include "linking/method_type.h"
#include "linking/resolve.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- parts ---- */

/* Stores a reference in the field of o at that offset, whole, as Java's own stores
   are. */
static void
set_ref(struct object *o, uint32_t field, struct object *value)
{
    __atomic_store_n(&OBJECT_FIELD(struct object *, o, field), value, __ATOMIC_RELAXED);
}

/* Returns a Class[] of the exceptions that the method declares, with a handle, or NULL
   with the error pending. */
static struct object *
exception_types(struct thread *self, const struct method_version *version)
{
    int32_t count = version->info ? version->info->exception_count : 0;
    struct object *types = handle_new(
        self, array_new(self, self->vm->known.class_array, count));

    for (int32_t i = 0; types && i < count; i++) {
        struct class *c = resolve_class(self, version->pool,
                                        version->info->exceptions[i]);
        if (!c)
            return NULL;
        ARRAY_REFS(types)[i] = c->layout.mirror;
    }
    return types;
}

/* Stores the bytes of an attribute in a field, unless an exception is pending.  The
   field stays null when the attribute is absent, or when that fails with an
   exception. */
static void
set_bytes(struct thread *self, struct object *o, uint32_t field, struct cpool *pool,
          struct cf_range range, enum annotation_kind kind)
{
    if (!exception_pending(self))
        set_ref(o, field, annotation_bytes(self, pool, range, kind));
}

/* Stores a Signature attribute as a String in the field of o at that offset.  Nothing
   is stored if signature is NULL, the attribute being absent, or if an exception is
   pending. */
static void
set_signature(struct thread *self, struct object *o, uint32_t field,
              const struct symbol *signature)
{
    if (signature && !exception_pending(self))
        set_ref(o, field, string_from_symbol(self, signature));
}

/* ---- methods and constructors ---- */

/* The offset of a field that Constructor (is_init) and Method both have. */
#define EXECUTABLE(vm, is_init, name) \
    ((is_init) ? KF((vm), Constructor_##name) : KF((vm), Method_##name))

/* The version of the method is read once, so that a redefinition meanwhile does not mix
   two class files.  The parts that allocate set nothing once an exception is pending,
   and the end looks for one. */
struct object *
reflect_method(struct thread *self, struct method *m)
{
    struct vm *vm = self->vm;
    const struct method_version *version = method_version(m);
    const struct cf_method *info = version->info;
    bool is_init = symbol_equals(m->name, "<init>");
    struct object *o, *returned;
    HANDLE_SCOPE(self);

    /* Not checked for access: reflection shows types that the class cannot use. */
    struct object *parameters = parameter_mirrors(self, m->class, m->descriptor,
                                                  UNCHECKED, &returned);
    struct object *exceptions = parameters ? exception_types(self, version) : NULL;
    if (!exceptions)
        return NULL;
    o = object_new_known(self, is_init ? KNOWN_CLASS_Constructor : KNOWN_CLASS_Method);
    if (!handle_new(self, o))
        return NULL;
    set_ref(o, EXECUTABLE(vm, is_init, clazz), m->class->layout.mirror);
    OBJECT_FIELD(int32_t, o, EXECUTABLE(vm, is_init, slot)) = (int32_t)m->index;
    set_ref(o, EXECUTABLE(vm, is_init, parameterTypes), parameters);
    set_ref(o, EXECUTABLE(vm, is_init, exceptionTypes), exceptions);
    OBJECT_FIELD(int32_t, o, EXECUTABLE(vm, is_init, modifiers)) =
        (m->access_flags & REFLECTED_METHOD_FLAGS)
        | (info && info->synthetic ? ACC_SYNTHETIC : 0);
    if (!is_init) {
        set_ref(o, KF(vm, Method_name), string_intern_symbol(self, m->name));
        set_ref(o, KF(vm, Method_returnType), returned);
    }
    if (info) {
        set_signature(self, o, EXECUTABLE(vm, is_init, signature), info->signature);
        set_bytes(self, o, EXECUTABLE(vm, is_init, annotations), version->pool,
                  info->annotations, ANNOTATIONS);
        set_bytes(self, o, EXECUTABLE(vm, is_init, parameterAnnotations), version->pool,
                  info->parameter_annotations, PARAMETER_ANNOTATIONS);
    }
    if (info && !is_init)
        set_bytes(self, o, KF(vm, Method_annotationDefault), version->pool,
                  info->annotation_default, ANNOTATION_DEFAULT);
    return exception_pending(self) ? NULL : o;
}

/* The index (slot) is that of class_method, which redefinition does not change. */
struct method *
reflected_method(const struct vm *vm, const struct object *reflected)
{
    bool is_init = object_class(reflected) != KC(vm, Method);
    uint32_t clazz = EXECUTABLE(vm, is_init, clazz);
    uint32_t slot = EXECUTABLE(vm, is_init, slot);
    struct class *c = class_of_mirror(OBJECT_FIELD(struct object *, reflected, clazz));

    return class_method(c, OBJECT_FIELD(uint32_t, reflected, slot));
}

/* ---- fields ---- */

const struct cf_field *
field_info(const struct field *f, const struct cpool *pool)
{
    return cf_find_field(pool->file, f->name, f->descriptor);
}

bool
field_is_trusted_final(const struct field *f)
{
    return (f->access_flags & ACC_FINAL)
           && (field_is_static(f) || (f->class->flags & CLASS_IS_HIDDEN)
               || f->class->pool->file->is_record);
}

struct object *
reflect_field(struct thread *self, struct field *f)
{
    struct vm *vm = self->vm;
    struct cpool *pool = f->class->pool;
    const struct cf_field *info = field_info(f, pool);
    int32_t flags = f->access_flags & REFLECTED_FIELD_FLAGS;
    HANDLE_SCOPE(self);

    struct class *type = class_of_descriptor(
        self, f->class->loader, f->descriptor->bytes, f->descriptor->length);
    struct object *o = type
                           ? handle_new(self, object_new_known(self, KNOWN_CLASS_Field))
                           : NULL;
    if (!o)
        return NULL;
    if (info && info->synthetic)
        flags |= ACC_SYNTHETIC;
    set_ref(o, KF(vm, Field_clazz), f->class->layout.mirror);
    INT_FIELD(vm, o, Field_slot) = (int32_t)f->index;
    set_ref(o, KF(vm, Field_type), type->layout.mirror);
    INT_FIELD(vm, o, Field_modifiers) = flags;
    OBJECT_FIELD(uint8_t, o, KF(vm, Field_trustedFinal)) = field_is_trusted_final(f);
    set_ref(o, KF(vm, Field_name), string_intern_symbol(self, f->name));
    if (info) {
        set_signature(self, o, KF(vm, Field_signature), info->signature);
        set_bytes(self, o, KF(vm, Field_annotations), pool, info->annotations,
                  ANNOTATIONS);
    }
    return exception_pending(self) ? NULL : o;
}

struct field *
reflected_field(const struct vm *vm, const struct object *reflected)
{
    struct class *c = class_of_mirror(REF_FIELD(vm, reflected, Field_clazz));

    return &c->fields[INT_FIELD(vm, reflected, Field_slot)];
}

/* ---- record components ---- */

/* Returns the Method that reads the component r of the record c; NULL when the class
   has none, or with an exception pending. */
static struct object *
accessor_of(struct thread *self, struct class *c, const struct cf_record_component *r)
{
    const struct symbol *type = r->descriptor;

    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = class_method(c, i);

        if (m->name == r->name && !method_is_static(m)
            && strncmp(m->descriptor->bytes, "()", 2) == 0
            && strcmp(m->descriptor->bytes + 2, type->bytes) == 0)
            return reflect_method(self, m);
    }
    return NULL;
}

struct object *
reflect_component(struct thread *self, struct class *c, struct cpool *pool,
                  const struct cf_record_component *r)
{
    struct vm *vm = self->vm;
    HANDLE_SCOPE(self);

    struct class *type = class_of_descriptor(self, c->loader, r->descriptor->bytes,
                                             r->descriptor->length);
    struct object *o = type ? handle_new(
                           self, object_new_known(self, KNOWN_CLASS_RecordComponent))
                            : NULL;
    if (!o)
        return NULL;
    set_ref(o, KF(vm, RecordComponent_clazz), c->layout.mirror);
    set_ref(o, KF(vm, RecordComponent_type), type->layout.mirror);
    set_ref(o, KF(vm, RecordComponent_accessor), accessor_of(self, c, r));
    if (!exception_pending(self))
        set_ref(o, KF(vm, RecordComponent_name), string_intern_symbol(self, r->name));
    set_signature(self, o, KF(vm, RecordComponent_signature), r->signature);
    set_bytes(self, o, KF(vm, RecordComponent_annotations), pool, r->annotations,
              ANNOTATIONS);
    set_bytes(self, o, KF(vm, RecordComponent_typeAnnotations), pool,
              r->type_annotations, TYPE_ANNOTATIONS);
    return exception_pending(self) ? NULL : o;
}
