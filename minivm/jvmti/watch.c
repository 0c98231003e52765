/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/watch.c -- JVM TI "Watched Field".
 *
 * All environments share the watches, as they share the breakpoints. */

#include "interp/form.h"
#include "jvmti/env.h"
#include "vm/safepoint.h"

/* Bits of struct field's watched. */
enum { ACCESS = 1, MODIFICATION = 2 };

static jvmtiError
set_watch(struct field *field, unsigned kind)
{
    if (field->watched & kind)
        return JVMTI_ERROR_DUPLICATE;
    return field_begin_watch(current_thread, field, kind) ? JVMTI_ERROR_NONE
                                                          : JVMTI_ERROR_OUT_OF_MEMORY;
}

/* Instructions that look at watched become quick again when they find it clear. */
static jvmtiError
clear_watch(struct field *field, unsigned kind)
{
    struct thread *self = current_thread;

    if (!(field->watched & kind))
        return JVMTI_ERROR_NOT_FOUND;
    world_stop(self, "field watch");
    field->watched &= (uint8_t)~kind;
    world_resume(self);
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
