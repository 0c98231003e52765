/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/breakpoint.c -- JVM TI "Breakpoint".
 *
 * All environments share the breakpoints: an instruction has one or none. */

#include "interp/debugging.h"
#include "jvmti/env.h"

/* Sets or clears the breakpoint at a bytecode of a version of a method.  Frames that
   run older versions which are equivalent to it (not obsolete) run the same method (JVM
   TI "Obsolete Methods"), so those versions get the breakpoint, too.  What the agent is
   told is the result for version itself. */
static jvmtiError
change_breakpoint(struct thread *self, struct method_version *version,
                  jlocation location, bool set)
{
    const struct cf_method *info = version->info;

    if (!info || !info->has_code || location < 0 || location >= info->code_length)
        return JVMTI_ERROR_INVALID_LOCATION;
    for (struct method_version *old = version->previous; old && !old->is_obsolete;
         old = old->previous)
        if (version_change_breakpoint(self, old, (uint32_t)location, set)
            == WATCH_NO_MEMORY)
            return JVMTI_ERROR_OUT_OF_MEMORY;
    return watch_error(
        version_change_breakpoint(self, version, (uint32_t)location, set), set);
}

jvmtiError
jvmti_SetBreakpoint(struct thread *self, struct method_version *method,
                    jlocation location)
{
    return change_breakpoint(self, method, location, true);
}

jvmtiError
jvmti_ClearBreakpoint(struct thread *self, struct method_version *method,
                      jlocation location)
{
    return change_breakpoint(self, method, location, false);
}
