/* SPDX-License-Identifier: MIT */
/* tck/mutate/capability.c -- a VM that lacks capabilities: see mutate.h. */
#include "tck/mutate/mutate.h"

#include <string.h>

bool
mutate_parse_lacked(const char *names, jvmtiCapabilities *lacked)
{
    bool all = strcmp(names, "all") == 0;
    size_t found = 0;

    for (int i = 0; i < tck_capability_count; i++) {
        const char *name = tck_capabilities[i].name;
        const char *at = strstr(names, name);
        size_t length = strlen(name);
        char before = at == NULL || at == names ? '+' : at[-1];
        bool named = at != NULL && before == '+'
                     && (at[length] == '+' || at[length] == '\0');

        if (all || named)
            tck_cap_set(lacked, i, true);
        found += named ? length + 1 : 0;
    }
    return all || found == strlen(names) + 1;
}

bool
mutate_lacks_begin(struct interpose_call *call, const jvmtiCapabilities *lacked)
{
    const jvmtiCapabilities *wanted = call->args[0].p;

    if (call->function != INTERPOSE_AddCapabilities || wanted == NULL)
        return true;
    for (int i = 0; i < tck_capability_count; i++) {
        if (tck_cap_get(lacked, i) && tck_cap_get(wanted, i)) {
            mutate_reached();
            call->error = JVMTI_ERROR_NOT_AVAILABLE;
            return false;
        }
    }
    return true;
}

void
mutate_lacks_end(struct interpose_call *call, const jvmtiCapabilities *lacked)
{
    jvmtiCapabilities *potential = call->args[0].p;

    if (call->function != INTERPOSE_GetPotentialCapabilities || !call->is_made
        || call->error != JVMTI_ERROR_NONE)
        return;
    mutate_reached();
    for (int i = 0; i < tck_capability_count; i++)
        if (tck_cap_get(lacked, i))
            tck_cap_set(potential, i, false);
}
