/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/class.c -- JVM TI "Class": the queries.
 *
 * What the class file says is answered from the parsed class file of the newest version
 * (struct classfile), which stays in memory as long as the class.  Arrays and primitive
 * types have none: a function either has an answer for them or returns the error that
 * the specification names.  RedefineClasses and RetransformClasses are in
 * redefine.c. */

#include <string.h>

#include "jvmti/env.h"
#include "linking/ids.h"
#include "linking/loader.h"

/* ---- which classes there are ---- */

/* Makes a handle for the mirror of a class in the visiting thread; a class without a
   mirror is still being made and not loaded yet.  Called with class_mutex held. */
static void
add_mirror_handle(void *self, struct class *c)
{
    if (c->layout.mirror && !(c->flags & CLASS_IS_UNLOADED))
        handle_new(self, c->layout.mirror);
}

jvmtiError
jvmti_GetLoadedClasses(struct thread *self, jint *count, jclass **classes)
{
    struct handle_scope found = handle_scope_open(self);

    classes_visit(self->vm, WITH_ARRAYS, add_mirror_handle, self);
    return jvmti_locals(&found, count, classes);
}

jvmtiError
jvmti_GetClassLoaderClasses(struct thread *self, struct object *initiating_loader,
                            jint *count, jclass **classes)
{
    struct loader *loader = loader_of(self->vm, initiating_loader);
    struct handle_scope found = handle_scope_open(self);

    loader_visit_initiated(self->vm, loader, add_mirror_handle, self);
    return jvmti_locals(&found, count, classes);
}

/* ---- names ---- */

/* Returns the class file of a class; NULL for arrays and primitive types. */
static const struct classfile *
file_of(const struct class *c)
{
    return c->pool ? c->pool->file : NULL;
}

jvmtiError
jvmti_GetClassSignature(struct class *klass, char **signature, char **generic)
{
    const struct classfile *file = file_of(klass);
    char *text;

    TRY(jvmti_copy_symbol(file ? file->signature : NULL, generic));
    if (!signature)
        return JVMTI_ERROR_NONE;
    text = class_signature(klass);
    TRY(jvmti_add_result(text));
    *signature = text;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetSourceFileName(struct class *klass, char **source_name)
{
    if (!klass->source_file)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    return jvmti_copy_symbol(klass->source_file, source_name);
}

/* The attribute has no NUL at its end, the result does.  An offset of 0 means that
   there is none. */
jvmtiError
jvmti_GetSourceDebugExtension(struct class *klass, char **source_debug_extension)
{
    const struct classfile *file = file_of(klass);
    char *text;

    if (!file || file->source_debug_extension.offset == 0)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    const struct cf_range *range = &file->source_debug_extension;
    TRY(JVMTI_ALLOC(range->length + 1, &text));
    memcpy(text, file->bytes + range->offset, range->length);
    text[range->length] = '\0';
    *source_debug_extension = text;
    return JVMTI_ERROR_NONE;
}

/* ---- state and kind ---- */

/* A class is verified and prepared at once, when it is linked, so there is no state
   with one of the two. */
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

    return klass->primitive        ? JVMTI_CLASS_STATUS_PRIMITIVE
           : class_is_array(klass) ? JVMTI_CLASS_STATUS_ARRAY
                                   : states[class_state(klass)];
}

/* Returns true if the class is no array and no primitive type. */
static bool
has_members(const struct class *c)
{
    return !c->primitive && !class_is_array(c);
}

/* Returns CLASS_NOT_PREPARED for a class that is not linked yet, and NONE for a linked
   one and for arrays and primitive types, which have no preparation. */
static jvmtiError
check_prepared(const struct class *c)
{
    return has_members(c) && class_state(c) == CLASS_LOADED
               ? JVMTI_ERROR_CLASS_NOT_PREPARED
               : JVMTI_ERROR_NONE;
}

/* Returns the access flags of a class.  Those of a nested class are in the entry of the
   class file's InnerClasses attribute that is about the class itself (JVMS 4.7.6). */
static uint16_t
inner_flags(const struct class *c)
{
    const struct classfile *file = file_of(c);

    for (int i = 0; file && i < file->inner_class_count; i++)
        if (cf_name(file, file->inner_classes[i].inner_class) == file->this_class)
            return file->inner_classes[i].access_flags;
    return c->access_flags;
}

/*
 * Returns the access flags of a class, for a nested one those of its InnerClasses
 * entry, without ACC_SUPER, which is no modifier.  A primitive type is public, final
 * and abstract.  An array has the flags of its innermost element type, but is final and
 * abstract and no interface.
 */
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

jboolean
jvmti_IsInterface(struct class *klass)
{
    return has_members(klass) && class_is_interface(klass);
}

jboolean
jvmti_IsArrayClass(struct class *klass)
{
    return class_is_array(klass);
}

jvmtiError
jvmti_GetClassLoader(struct thread *self, struct class *klass, jobject *classloader)
{
    const struct class *c = class_is_array(klass) ? klass->bottom : klass;

    return jvmti_local(self, c->loader ? c->loader->object : NULL, classloader);
}

/* ---- members ---- */

/* Returns the method that the class file describes at an index.  The VM's table has it
   at the same index unless a redefinition has changed the order in the file.  The
   result is never NULL: every method of the class file is one of the class. */
static struct method *
method_in_file(const struct class *c, const struct cf_method *info, unsigned index)
{
    struct method *m = class_method(c, index);

    return m->name == info->name && m->descriptor == info->descriptor
                   && !(m->flags & METHOD_DELETED)
               ? m
               : class_own_method(c, info->name, info->descriptor);
}

/* The order is that of the class file (can_maintain_original_method_order). */
jvmtiError
jvmti_GetClassMethods(struct class *klass, jint *method_count, jmethodID **methods)
{
    const struct classfile *file = file_of(klass);
    unsigned count = file ? file->method_count : 0;
    jmethodID *ids;

    TRY(check_prepared(klass));
    TRY(JVMTI_ALLOC(count, &ids));
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
    TRY(JVMTI_ALLOC(klass->field_count, &ids));
    for (uint32_t i = 0; i < klass->field_count; i++)
        ids[i] = (jfieldID)field_id(&klass->fields[i]);
    *count = (jint)klass->field_count;
    *fields = ids;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetImplementedInterfaces(struct thread *self, struct class *klass, jint *count,
                               jclass **interfaces)
{
    struct handle_scope found = handle_scope_open(self);

    TRY(check_prepared(klass));
    for (uint32_t i = 0; has_members(klass) && i < klass->interface_count; i++)
        handle_new(self, klass->interfaces[i]->layout.mirror);
    return jvmti_locals(&found, count, interfaces);
}

/* ---- the class file ---- */

jvmtiError
jvmti_GetClassVersionNumbers(struct class *klass, jint *minor_version,
                             jint *major_version)
{
    const struct classfile *file = file_of(klass);

    if (!file)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    *minor_version = file->minor;
    *major_version = file->major;
    return JVMTI_ERROR_NONE;
}

/* count is constant_pool_count of the class file, one more than the highest index (JVMS
   4.1). */
jvmtiError
jvmti_GetConstantPool(struct class *klass, jint *count, jint *byte_count,
                      unsigned char **bytes)
{
    const struct classfile *file = file_of(klass);

    if (!file)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_copy_bytes(file->bytes + file->cp_range.offset, file->cp_range.length,
                         bytes));
    *count = file->cp_count;
    *byte_count = (jint)file->cp_range.length;
    return JVMTI_ERROR_NONE;
}

jboolean
jvmti_IsModifiableClass(struct class *klass)
{
    return has_members(klass) && !(klass->flags & CLASS_IS_HIDDEN);
}
