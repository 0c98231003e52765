/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/watch.c -- JVM TI "Watched Field".
 *
 * All environments share the watches, as they share the breakpoints. */

#include "interp/debugging.h"
#include "jvmti/env.h"

/* Returns JVM TI's error for what came of setting (set) or clearing something. */
jvmtiError
watch_error(enum watch_change change, bool set)
{
    switch (change) {
    case WATCH_CHANGED: return JVMTI_ERROR_NONE;
    case WATCH_UNCHANGED: return set ? JVMTI_ERROR_DUPLICATE : JVMTI_ERROR_NOT_FOUND;
    case WATCH_NO_BYTECODE: return JVMTI_ERROR_INVALID_LOCATION;
    case WATCH_NO_MEMORY: break;
    }
    return JVMTI_ERROR_OUT_OF_MEMORY;
}

/* Sets or clears a watch; kind is FIELD_WATCH_ACCESS or FIELD_WATCH_MODIFICATION.
   Stops the world. */
static jvmtiError
change_watch(struct thread *self, struct field *field, unsigned kind, bool set)
{
    return watch_error(field_change_watch(self, field, kind, set), set);
}

jvmtiError
jvmti_SetFieldAccessWatch(struct thread *self, struct field *field)
{
    return change_watch(self, field, FIELD_WATCH_ACCESS, true);
}

jvmtiError
jvmti_ClearFieldAccessWatch(struct thread *self, struct field *field)
{
    return change_watch(self, field, FIELD_WATCH_ACCESS, false);
}

jvmtiError
jvmti_SetFieldModificationWatch(struct thread *self, struct field *field)
{
    return change_watch(self, field, FIELD_WATCH_MODIFICATION, true);
}

jvmtiError
jvmti_ClearFieldModificationWatch(struct thread *self, struct field *field)
{
    return change_watch(self, field, FIELD_WATCH_MODIFICATION, false);
}
