/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/class.c -- JVM TI "Class": queries; see redefine.c for the rest. */

#include <string.h>

#include "base/mem.h"
#include "jvmti/env.h"
#include "vm/loader.h"

/* ---- which classes there are ---- */

struct class_list {
    struct thread *self;
    struct object **mirrors;       /* kept by self's scope as well */
    size_t count, capacity;
    bool is_short;                 /* of memory */
};

/* Loaded ones have a mirror; class_mutex is held. */
static void
collect_class(void *context, struct class *c)
{
    struct class_list *list = context;

    if (c->layout.mirror == NULL || (c->flags & CLASS_IS_UNLOADED) || list->is_short)
        return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 1024;
        void *grown = mem_try_realloc(list->mirrors, capacity * sizeof *list->mirrors);
        if (grown == NULL) {
            list->is_short = true;
            return;
        }
        list->mirrors = grown;
        list->capacity = capacity;
    }
    list->mirrors[list->count++] = keep(list->self, c->layout.mirror);
}

static jvmtiError
finish_list(struct class_list *list, jint *count, jclass **classes)
{
    jvmtiError error = list->is_short
                           ? JVMTI_ERROR_OUT_OF_MEMORY
                           : jvmti_locals(list->mirrors, list->count, classes);

    if (error == JVMTI_ERROR_NONE)
        *count = (jint)list->count;
    mem_free(list->mirrors);
    return error;
}

jvmtiError
jvmti_GetLoadedClasses(jint *class_count_ptr, jclass **classes_ptr)
{
    struct class_list list = { .self = current_thread };

    classes_visit(list.self->vm, true, collect_class, &list);
    return finish_list(&list, class_count_ptr, classes_ptr);
}

jvmtiError
jvmti_GetClassLoaderClasses(struct object *initiating_loader, jint *class_count_ptr,
                            jclass **classes_ptr)
{
    struct class_list list = { .self = current_thread };

    loader_visit_initiated(list.self->vm, loader_of(list.self, initiating_loader),
                           collect_class, &list);
    return finish_list(&list, class_count_ptr, classes_ptr);
}

/* ---- names ---- */

static const struct classfile *
file_of(const struct class *c)
{
    return c->pool != NULL ? c->pool->file : NULL;
}

jvmtiError
jvmti_GetClassSignature(struct class *klass, char **signature_ptr, char **generic_ptr)
{
    const struct classfile *file = file_of(klass);
    char *generic = NULL;

    if (generic_ptr != NULL && file != NULL && file->signature != NULL)
        TRY(jvmti_copy(file->signature->bytes, &generic));
    if (signature_ptr != NULL)
        *signature_ptr = class_signature(klass);
    if (generic_ptr != NULL)
        *generic_ptr = generic;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetSourceFileName(struct class *klass, char **source_name_ptr)
{
    if (klass->source_file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    return jvmti_copy(klass->source_file->bytes, source_name_ptr);
}

jvmtiError
jvmti_GetSourceDebugExtension(struct class *klass, char **source_debug_extension_ptr)
{
    const struct classfile *file = file_of(klass);
    char *text;

    if (file == NULL || file->source_debug_extension.offset == 0)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    const struct cf_range *range = &file->source_debug_extension;
    TRY(jvmti_alloc(range->length + 1, &text));
    memcpy(text, file->bytes + range->offset, range->length);
    text[range->length] = '\0';
    *source_debug_extension_ptr = text;
    return JVMTI_ERROR_NONE;
}

/* ---- state and kind ---- */

jvmtiError
jvmti_GetClassStatus(struct class *klass, jint *status_ptr)
{
    if (klass->primitive) {
        *status_ptr = JVMTI_CLASS_STATUS_PRIMITIVE;
        return JVMTI_ERROR_NONE;
    }
    if (class_is_array(klass)) {
        *status_ptr = JVMTI_CLASS_STATUS_ARRAY;
        return JVMTI_ERROR_NONE;
    }
    switch (class_state(klass)) {
    case CLASS_LOADED:
        *status_ptr = 0;
        break;
    case CLASS_LINKED:
    case CLASS_INITIALIZING:
        *status_ptr = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED;
        break;
    case CLASS_INITIALIZED:
        *status_ptr = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED
                      | JVMTI_CLASS_STATUS_INITIALIZED;
        break;
    case CLASS_ERRONEOUS:
        *status_ptr = JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED
                      | JVMTI_CLASS_STATUS_ERROR;
        break;
    }
    return JVMTI_ERROR_NONE;
}

/* Arrays and primitives ask for no preparation; others must have come that far. */
static bool
is_prepared(const struct class *c)
{
    return class_state(c) != CLASS_LOADED;
}

static bool
has_members(const struct class *c)
{
    return !c->primitive && !class_is_array(c);
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

jvmtiError
jvmti_GetClassModifiers(struct class *klass, jint *modifiers_ptr)
{
    const struct class *bottom = class_is_array(klass) ? klass->bottom : klass;
    jint flags;

    flags = bottom->primitive ? ACC_PUBLIC : inner_flags(bottom);
    if (klass->primitive || class_is_array(klass))
        flags = (flags & ~ACC_INTERFACE) | ACC_FINAL | ACC_ABSTRACT;
    *modifiers_ptr = flags & ~ACC_SUPER;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsInterface(struct class *klass, jboolean *is_interface_ptr)
{
    *is_interface_ptr = has_members(klass) && class_is_interface(klass);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsArrayClass(struct class *klass, jboolean *is_array_class_ptr)
{
    *is_array_class_ptr = class_is_array(klass);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetClassLoader(struct class *klass, jobject *classloader_ptr)
{
    const struct class *c = class_is_array(klass) ? klass->bottom : klass;

    return jvmti_local(c->loader != NULL ? c->loader->object : NULL, classloader_ptr);
}

/* ---- members ---- */

/* Most often the two orders are the same: a redefinition may have changed the file's. */
static struct method *
method_in_file(const struct class *c, const struct cf_method *info, unsigned index)
{
    struct method *m = &c->methods[index];

    return m->name == info->name && m->descriptor == info->descriptor
               ? m : class_own_method(c, info->name, info->descriptor);
}

jvmtiError
jvmti_GetClassMethods(struct class *klass, jint *method_count_ptr,
                      jmethodID **methods_ptr)
{
    const struct classfile *file = file_of(klass);
    jmethodID *ids;

    *method_count_ptr = 0;
    *methods_ptr = NULL;
    if (!has_members(klass))
        return JVMTI_ERROR_NONE;
    if (!is_prepared(klass))
        return JVMTI_ERROR_CLASS_NOT_PREPARED;
    TRY(jvmti_alloc(file->method_count * sizeof *ids, &ids));
    for (unsigned i = 0; i < file->method_count; i++)
        ids[i] = (jmethodID)method_id(method_in_file(klass, &file->methods[i], i));
    *method_count_ptr = file->method_count;
    *methods_ptr = ids;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetClassFields(struct class *klass, jint *field_count_ptr, jfieldID **fields_ptr)
{
    jfieldID *ids;

    *field_count_ptr = 0;
    *fields_ptr = NULL;
    if (!has_members(klass))
        return JVMTI_ERROR_NONE;
    if (!is_prepared(klass))
        return JVMTI_ERROR_CLASS_NOT_PREPARED;
    TRY(jvmti_alloc(klass->field_count * sizeof *ids, &ids));
    for (uint32_t i = 0; i < klass->field_count; i++)
        ids[i] = (jfieldID)field_id(&klass->fields[i]);
    *field_count_ptr = (jint)klass->field_count;
    *fields_ptr = ids;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetImplementedInterfaces(struct class *klass, jint *interface_count_ptr,
                               jclass **interfaces_ptr)
{
    uint32_t count = klass->interface_count;
    struct object **mirrors;

    *interface_count_ptr = 0;
    *interfaces_ptr = NULL;
    if (!has_members(klass))
        return JVMTI_ERROR_NONE;
    if (!is_prepared(klass))
        return JVMTI_ERROR_CLASS_NOT_PREPARED;
    TRY(jvmti_alloc(count * sizeof *mirrors, &mirrors));
    for (uint32_t i = 0; i < count; i++)
        mirrors[i] = klass->interfaces[i]->layout.mirror;
    jvmtiError error = jvmti_locals(mirrors, count, interfaces_ptr);
    jvmti_free(mirrors);
    if (error == JVMTI_ERROR_NONE)
        *interface_count_ptr = (jint)count;
    return error;
}

/* ---- the class file ---- */

jvmtiError
jvmti_GetClassVersionNumbers(struct class *klass, jint *minor_version_ptr,
                             jint *major_version_ptr)
{
    const struct classfile *file = file_of(klass);

    if (file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    *minor_version_ptr = file->minor;
    *major_version_ptr = file->major;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetConstantPool(struct class *klass, jint *constant_pool_count_ptr,
                      jint *constant_pool_byte_count_ptr,
                      unsigned char **constant_pool_bytes_ptr)
{
    const struct classfile *file = file_of(klass);
    unsigned char *bytes;

    if (file == NULL)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_alloc(file->cp_range.length, &bytes));
    memcpy(bytes, file->bytes + file->cp_range.offset, file->cp_range.length);
    *constant_pool_count_ptr = file->cp_count;
    *constant_pool_byte_count_ptr = (jint)file->cp_range.length;
    *constant_pool_bytes_ptr = bytes;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsModifiableClass(struct class *klass, jboolean *is_modifiable_class_ptr)
{
    *is_modifiable_class_ptr = has_members(klass) && !(klass->flags & CLASS_IS_HIDDEN);
    return JVMTI_ERROR_NONE;
}
