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
    char *texts[3] = { NULL, NULL, NULL };
    jvmtiError error = JVMTI_ERROR_NONE;

    if (name_ptr != NULL)
        error = jvmti_copy(field->name->bytes, &texts[0]);
    if (signature_ptr != NULL && error == JVMTI_ERROR_NONE)
        error = jvmti_copy(field->descriptor->bytes, &texts[1]);
    if (generic_ptr != NULL && generic != NULL && error == JVMTI_ERROR_NONE)
        error = jvmti_copy(generic->bytes, &texts[2]);
    if (error != JVMTI_ERROR_NONE) {
        for (int i = 0; i < 3; i++)
            jvmti_free(texts[i]);
        return error;
    }
    if (name_ptr != NULL)
        *name_ptr = texts[0];
    if (signature_ptr != NULL)
        *signature_ptr = texts[1];
    if (generic_ptr != NULL)
        *generic_ptr = texts[2];
    return JVMTI_ERROR_NONE;
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
