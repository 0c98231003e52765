/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/breakpoint.c -- JVM TI "Breakpoint".
 *
 * All environments share the breakpoints: an instruction has one at most. */

#include "interp/form.h"
#include "jvmti/env.h"

/* Frames of older versions that are equivalent run the same method (Method, "Obsolete
   Methods"), so those versions have its breakpoints, too. */
static jvmtiError
change(struct code *code, jlocation location, bool set)
{
    const struct cf_method *info = code->info;

    if (info == NULL || !info->has_code || location < 0
        || location >= info->code_length)
        return JVMTI_ERROR_INVALID_LOCATION;
    for (struct code *old = code->previous; old && !old->is_obsolete;
         old = old->previous)
        if (code_change_breakpoint(current_thread, old, (uint32_t)location, set)
            == WATCH_NO_MEMORY)
            return JVMTI_ERROR_OUT_OF_MEMORY;
    return watch_error(
        code_change_breakpoint(current_thread, code, (uint32_t)location, set), set);
}

JVMTI_BODY(jvmtiError, jvmti_SetBreakpoint, (struct code *method, jlocation location),
           change(method, location, true))
JVMTI_BODY(jvmtiError, jvmti_ClearBreakpoint, (struct code *method, jlocation location),
           change(method, location, false))
