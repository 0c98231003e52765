/* SPDX-License-Identifier: MIT */
/* sdk/src/capability.c -- asking for capabilities. */
#include <tiforge/capability.h>

#include <stdio.h>
#include <string.h>

#include <tiforge/agent.h>
#include <tiforge/log.h>
#include <tiforge_names.h>

static bool
is_empty(const jvmtiCapabilities *set)
{
    static const jvmtiCapabilities none;

    return memcmp(set, &none, sizeof none) == 0;
}

/* Those of a that b has not, or that it has. */
static jvmtiCapabilities
select_from(const jvmtiCapabilities *a, const jvmtiCapabilities *b, int had)
{
    jvmtiCapabilities result;

    memset(&result, 0, sizeof result);
    for (int i = 0; i < TIFORGE_CAPABILITY_COUNT; i++)
        if (tiforge_capability_get(a, i) && !!tiforge_capability_get(b, i) == had)
            tiforge_capability_set(&result, i, 1);
    return result;
}

bool
tf_capabilities_include(const jvmtiCapabilities *set, const jvmtiCapabilities *subset)
{
    jvmtiCapabilities missing = select_from(subset, set, 0);

    return is_empty(&missing);
}

const char *
tf_capabilities_text(const jvmtiCapabilities *set, char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = '\0';
    for (int i = 0; i < TIFORGE_CAPABILITY_COUNT && used < size; i++)
        if (tiforge_capability_get(set, i))
            used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                     used > 0 ? ", " : "", tiforge_capability_name(i));
    return buffer;
}

static jvmtiError
add(jvmtiEnv *jvmti, const jvmtiCapabilities *set)
{
    return is_empty(set) ? JVMTI_ERROR_NONE : (*jvmti)->AddCapabilities(jvmti, set);
}

bool
tf_capabilities_add(jvmtiEnv *jvmti, const jvmtiCapabilities *required,
                    const jvmtiCapabilities *wanted, jvmtiCapabilities *got)
{
    static const jvmtiCapabilities none;
    jvmtiCapabilities potential, set;
    char names[1024];

    if (!TF_CALL(jvmti, GetPotentialCapabilities, (jvmti, &potential)))
        return false;
    if (required == NULL)
        required = &none;
    set = select_from(required, &potential, 0);
    if (!is_empty(&set)) {
        tf_error("this VM does not offer %s now",
                 tf_capabilities_text(&set, names, sizeof names));
        return false;
    }
    if (!tf_check(jvmti, add(jvmti, required), "AddCapabilities"))
        return false;
    if (wanted == NULL)
        wanted = &none;
    set = select_from(wanted, &potential, 1);
    /* Another environment may have taken one meanwhile: then each for itself. */
    if (add(jvmti, &set) != JVMTI_ERROR_NONE)
        for (int i = 0; i < TIFORGE_CAPABILITY_COUNT; i++) {
            jvmtiCapabilities one = none;

            tiforge_capability_set(&one, i, tiforge_capability_get(&set, i));
            (void)add(jvmti, &one);
        }
    set = select_from(wanted, &potential, 0);
    if (!is_empty(&set))
        tf_debug("not offered: %s", tf_capabilities_text(&set, names, sizeof names));
    return got == NULL || TF_CALL(jvmti, GetCapabilities, (jvmti, got));
}

int
tf_capabilities_choose(jvmtiEnv *jvmti, const jvmtiCapabilities *sets, size_t count)
{
    jvmtiCapabilities potential;

    if (!TF_CALL(jvmti, GetPotentialCapabilities, (jvmti, &potential)))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (tf_capabilities_include(&potential, &sets[i])
            && add(jvmti, &sets[i]) == JVMTI_ERROR_NONE)
            return (int)i;
    return -1;
}
