/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/field.c -- JVM TI "Field". */

#include "jvmti/env.h"

/* Returns what the class file says of the field. */
static const struct cf_field *
info_of(const struct field *f)
{
    return &f->class->pool->file->fields[f->index];
}

jvmtiError
jvmti_GetFieldName(struct field *field, char **name, char **signature, char **generic)
{
    TRY(jvmti_copy_symbol(field->name, name));
    TRY(jvmti_copy_symbol(field->descriptor, signature));
    return jvmti_copy_symbol(info_of(field)->signature, generic);
}

jvmtiError
jvmti_GetFieldDeclaringClass(struct thread *self, struct field *field,
                             jclass *declaring_class)
{
    return jvmti_local(self, field->class->layout.mirror, declaring_class);
}

jint
jvmti_GetFieldModifiers(struct field *field)
{
    return field->access_flags;
}

/* A field is synthetic by its access flag, or by an attribute in older class files
   (JVMS 4.7.8). */
jboolean
jvmti_IsFieldSynthetic(struct field *field)
{
    return (field->access_flags & ACC_SYNTHETIC) != 0 || info_of(field)->synthetic;
}
