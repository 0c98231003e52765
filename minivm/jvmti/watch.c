/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/watch.c -- JVM TI "Watched Field".
 *
 * All environments share the watches, as they share the breakpoints. */

#include "interp/form.h"
#include "jvmti/env.h"

/* Bits of struct field's watched. */
enum { ACCESS = 1, MODIFICATION = 2 };

static jvmtiError
set_watch(struct field *field, unsigned kind)
{
    if (field->watched & kind)
        return JVMTI_ERROR_DUPLICATE;
    return field_watch(current_thread, field, field->watched | kind)
               ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

static jvmtiError
clear_watch(struct field *field, unsigned kind)
{
    if (!(field->watched & kind))
        return JVMTI_ERROR_NOT_FOUND;
    field_watch(current_thread, field, field->watched & ~kind);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_SetFieldAccessWatch(struct jvmti_env *env, struct class *klass,
                          struct field *field)
{
    (void)env;
    (void)klass;
    return set_watch(field, ACCESS);
}

jvmtiError
jvmti_ClearFieldAccessWatch(struct jvmti_env *env, struct class *klass,
                            struct field *field)
{
    (void)env;
    (void)klass;
    return clear_watch(field, ACCESS);
}

jvmtiError
jvmti_SetFieldModificationWatch(struct jvmti_env *env, struct class *klass,
                                struct field *field)
{
    (void)env;
    (void)klass;
    return set_watch(field, MODIFICATION);
}

jvmtiError
jvmti_ClearFieldModificationWatch(struct jvmti_env *env, struct class *klass,
                                  struct field *field)
{
    (void)env;
    (void)klass;
    return clear_watch(field, MODIFICATION);
}
