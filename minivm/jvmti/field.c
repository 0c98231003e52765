/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/field.c -- JVM TI "Field". */

#include "jvmti/env.h"

static const struct cf_field *
info_of(const struct field *f)
{
    return &f->class->pool->file->fields[f->index];
}

jvmtiError
jvmti_GetFieldName(struct field *field, char **name_ptr, char **signature_ptr,
                   char **generic_ptr)
{
    const struct symbol *generic = info_of(field)->signature;

    return jvmti_copy_names((const char *[]){ field->name->bytes, field->descriptor->bytes,
                                              generic ? generic->bytes : NULL },
                            (char **[]){ name_ptr, signature_ptr, generic_ptr });
}

jvmtiError
jvmti_GetFieldDeclaringClass(struct field *field, jclass *declaring_class_ptr)
{
    return jvmti_local(field->class->layout.mirror, declaring_class_ptr);
}

jvmtiError
jvmti_GetFieldModifiers(struct field *field, jint *modifiers_ptr)
{
    *modifiers_ptr = field->access_flags;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsFieldSynthetic(struct field *field, jboolean *is_synthetic_ptr)
{
    *is_synthetic_ptr =
        (field->access_flags & ACC_SYNTHETIC) != 0 || info_of(field)->synthetic;
    return JVMTI_ERROR_NONE;
}
