/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/field.c -- JVM TI "Field". */

#include "jvmti/env.h"

static const struct cf_field *
info_of(const struct field *f)
{
    return &f->class->pool->file->fields[f->index];
}

jvmtiError
jvmti_GetFieldName(struct field *field, char **name, char **signature,
                   char **generic)
{
    TRY(jvmti_copy_symbol(field->name, name));
    TRY(jvmti_copy_symbol(field->descriptor, signature));
    return jvmti_copy_symbol(info_of(field)->signature, generic);
}

JVMTI_BODY(jvmtiError, jvmti_GetFieldDeclaringClass,
           (struct field *field, jclass *declaring_class),
           jvmti_local(field->class->layout.mirror, declaring_class))
JVMTI_BODY(jint, jvmti_GetFieldModifiers, (struct field *field), field->access_flags)
JVMTI_BODY(jboolean, jvmti_IsFieldSynthetic, (struct field *field),
           (field->access_flags & ACC_SYNTHETIC) != 0 || info_of(field)->synthetic)
