/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/class.c -- JVM TI "Class": queries; see redefine.c for the rest. */

#include <string.h>

#include "jvmti/env.h"
#include "vm/loader.h"

/* ---- which classes there are ---- */

/* Loaded ones have a mirror; class_mutex is held. */
static void
keep_mirror(void *self, struct class *c)
{
    if (c->layout.mirror != NULL && !(c->flags & CLASS_IS_UNLOADED))
        keep(self, c->layout.mirror);
}

jvmtiError
jvmti_GetLoadedClasses(jint *count, jclass **classes)
{
    struct scope found = scope_open(current_thread);

    classes_visit(found.self->vm, true, keep_mirror, found.self);
    return jvmti_locals(&found, count, classes);
}

jvmtiError
jvmti_GetClassLoaderClasses(struct object *initiating_loader, jint *count,
                            jclass **classes)
{
    struct thread *self = current_thread;
    struct loader *loader = loader_of(self->vm, initiating_loader);
    struct scope found = scope_open(self);

    loader_visit_initiated(self->vm, loader, keep_mirror, self);
    return jvmti_locals(&found, count, classes);
}

/* ---- names ---- */

static const struct classfile *
file_of(const struct class *c)
{
    return c->pool != NULL ? c->pool->file : NULL;
}

jvmtiError
jvmti_GetClassSignature(struct class *klass, char **signature, char **generic)
{
    const struct classfile *file = file_of(klass);

    TRY(jvmti_copy_symbol(file != NULL ? file->signature : NULL, generic));
    return signature == NULL ? JVMTI_ERROR_NONE
                             : jvmti_result(class_signature(klass), signature);
}

jvmtiError
jvmti_GetSourceFileName(struct class *klass, char **source_name)
{
    if (klass->source_file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    return jvmti_copy_symbol(klass->source_file, source_name);
}

jvmtiError
jvmti_GetSourceDebugExtension(struct class *klass, char **source_debug_extension)
{
    const struct classfile *file = file_of(klass);
    char *text;

    if (file == NULL || file->source_debug_extension.offset == 0)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    const struct cf_range *range = &file->source_debug_extension;
    TRY(jvmti_alloc(range->length + 1, &text));
    memcpy(text, file->bytes + range->offset, range->length);
    text[range->length] = '\0';
    *source_debug_extension = text;
    return JVMTI_ERROR_NONE;
}

/* ---- state and kind ---- */

jint
jvmti_GetClassStatus(struct class *klass)
{
    enum { LINKED = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED };
    static const jint states[] = {
        [CLASS_LOADED] = 0,
        [CLASS_LINKED] = LINKED,
        [CLASS_INITIALIZING] = LINKED,
        [CLASS_INITIALIZED] = LINKED | JVMTI_CLASS_STATUS_INITIALIZED,
        [CLASS_ERRONEOUS] = LINKED | JVMTI_CLASS_STATUS_ERROR,
    };

    return klass->primitive ? JVMTI_CLASS_STATUS_PRIMITIVE
           : class_is_array(klass) ? JVMTI_CLASS_STATUS_ARRAY
                                   : states[class_state(klass)];
}

static bool
has_members(const struct class *c)
{
    return !c->primitive && !class_is_array(c);
}

/* Arrays and primitives ask for no preparation; others must have come that far. */
static jvmtiError
check_prepared(const struct class *c)
{
    return has_members(c) && class_state(c) == CLASS_LOADED
               ? JVMTI_ERROR_CLASS_NOT_PREPARED : JVMTI_ERROR_NONE;
}

/* A nested class's flags are those of its InnerClasses row (JVMS 4.7.6). */
static uint16_t
inner_flags(const struct class *c)
{
    const struct classfile *file = file_of(c);

    for (int i = 0; file != NULL && i < file->inner_class_count; i++)
        if (cf_name(file, file->inner_classes[i].inner_class) == file->this_class)
            return file->inner_classes[i].access_flags;
    return c->access_flags;
}

jint
jvmti_GetClassModifiers(struct class *klass)
{
    const struct class *bottom = class_is_array(klass) ? klass->bottom : klass;
    jint flags;

    flags = bottom->primitive ? ACC_PUBLIC : inner_flags(bottom);
    if (klass->primitive || class_is_array(klass))
        flags = (flags & ~ACC_INTERFACE) | ACC_FINAL | ACC_ABSTRACT;
    return flags & ~ACC_SUPER;
}

JVMTI_BODY(jboolean, jvmti_IsInterface, (struct class *klass),
           has_members(klass) && class_is_interface(klass))
JVMTI_BODY(jboolean, jvmti_IsArrayClass, (struct class *klass), class_is_array(klass))

jvmtiError
jvmti_GetClassLoader(struct class *klass, jobject *classloader)
{
    const struct class *c = class_is_array(klass) ? klass->bottom : klass;

    return jvmti_local(c->loader != NULL ? c->loader->object : NULL, classloader);
}

/* ---- members ---- */

/* Most often the orders are the same: a redefinition may have changed the file's. */
static struct method *
method_in_file(const struct class *c, const struct cf_method *info, unsigned index)
{
    struct method *m = class_method(c, index);

    return m->name == info->name && m->descriptor == info->descriptor
                   && !(m->flags & METHOD_DELETED)
               ? m : class_own_method(c, info->name, info->descriptor);
}

jvmtiError
jvmti_GetClassMethods(struct class *klass, jint *method_count, jmethodID **methods)
{
    const struct classfile *file = file_of(klass);
    unsigned count = file != NULL ? file->method_count : 0;
    jmethodID *ids;

    TRY(check_prepared(klass));
    TRY(jvmti_alloc(count * sizeof *ids, &ids));
    for (unsigned i = 0; i < count; i++)
        ids[i] = (jmethodID)method_id(method_in_file(klass, &file->methods[i], i));
    *method_count = (jint)count;
    *methods = ids;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetClassFields(struct class *klass, jint *count, jfieldID **fields)
{
    jfieldID *ids;

    TRY(check_prepared(klass));
    TRY(jvmti_alloc(klass->field_count * sizeof *ids, &ids));
    for (uint32_t i = 0; i < klass->field_count; i++)
        ids[i] = (jfieldID)field_id(&klass->fields[i]);
    *count = (jint)klass->field_count;
    *fields = ids;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetImplementedInterfaces(struct class *klass, jint *count, jclass **interfaces)
{
    struct scope found = scope_open(current_thread);

    TRY(check_prepared(klass));
    for (uint32_t i = 0; has_members(klass) && i < klass->interface_count; i++)
        keep(found.self, klass->interfaces[i]->layout.mirror);
    return jvmti_locals(&found, count, interfaces);
}

/* ---- the class file ---- */

jvmtiError
jvmti_GetClassVersionNumbers(struct class *klass, jint *minor_version,
                             jint *major_version)
{
    const struct classfile *file = file_of(klass);

    if (file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    *minor_version = file->minor;
    *major_version = file->major;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetConstantPool(struct class *klass, jint *count, jint *byte_count,
                      unsigned char **bytes)
{
    const struct classfile *file = file_of(klass);

    if (file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_copy_bytes(file->bytes + file->cp_range.offset, file->cp_range.length,
                         bytes));
    *count = file->cp_count;
    *byte_count = (jint)file->cp_range.length;
    return JVMTI_ERROR_NONE;
}

JVMTI_BODY(jboolean, jvmti_IsModifiableClass, (struct class *klass),
           has_members(klass) && !(klass->flags & CLASS_IS_HIDDEN))
