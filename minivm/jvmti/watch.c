/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/watch.c -- JVM TI "Watched Field".
 *
 * All environments share the watches, as they share the breakpoints. */

#include "interp/form.h"
#include "jvmti/env.h"

/* Bits of struct field's watched. */
enum { ACCESS = 1, MODIFICATION = 2 };

jvmtiError
watch_error(int change, bool set)
{
    return change != WATCH_AS_BEFORE ? (jvmtiError)change
           : set ? JVMTI_ERROR_DUPLICATE : JVMTI_ERROR_NOT_FOUND;
}

static jvmtiError
change(struct field *field, unsigned kind, bool set)
{
    return watch_error(field_change_watch(current_thread, field, kind, set), set);
}

JVMTI_BODY(jvmtiError, jvmti_SetFieldAccessWatch, (struct field *field),
           change(field, ACCESS, true))
JVMTI_BODY(jvmtiError, jvmti_ClearFieldAccessWatch, (struct field *field),
           change(field, ACCESS, false))
JVMTI_BODY(jvmtiError, jvmti_SetFieldModificationWatch, (struct field *field),
           change(field, MODIFICATION, true))
JVMTI_BODY(jvmtiError, jvmti_ClearFieldModificationWatch, (struct field *field),
           change(field, MODIFICATION, false))
