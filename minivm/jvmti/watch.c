/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/watch.c -- JVM TI "Watched Field".
 *
 * All environments share the watches, as they share the breakpoints. */

#include "interp/form.h"
#include "jvmti/env.h"

/* Bits of struct field's watched. */
enum { ACCESS = 1, MODIFICATION = 2 };

static jvmtiError
change(struct field *field, unsigned kind, bool set)
{
    switch (field_change_watch(current_thread, field, kind, set)) {
    case WATCH_CHANGED:
        return JVMTI_ERROR_NONE;
    case WATCH_AS_BEFORE:
        return set ? JVMTI_ERROR_DUPLICATE : JVMTI_ERROR_NOT_FOUND;
    default:
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
}

JVMTI_BODY(jvmtiError, jvmti_SetFieldAccessWatch, (struct field *field),
           change(field, ACCESS, true))
JVMTI_BODY(jvmtiError, jvmti_ClearFieldAccessWatch, (struct field *field),
           change(field, ACCESS, false))
JVMTI_BODY(jvmtiError, jvmti_SetFieldModificationWatch, (struct field *field),
           change(field, MODIFICATION, true))
JVMTI_BODY(jvmtiError, jvmti_ClearFieldModificationWatch, (struct field *field),
           change(field, MODIFICATION, false))
