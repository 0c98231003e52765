/* SPDX-License-Identifier: MIT */
/* tck/agent/capability.c -- chapter Capability. */
#include "tck/lib/stage.h"

#include <string.h>

static bool
is_subset(const jvmtiCapabilities *small, const jvmtiCapabilities *large,
          const char **missing)
{
    for (int i = 0; i < tck_capability_count; i++) {
        if (tck_cap_get(small, i) && !tck_cap_get(large, i)) {
            *missing = tck_capabilities[i].name;
            return false;
        }
    }
    return true;
}

static bool
is_empty(const jvmtiCapabilities *caps)
{
    static const jvmtiCapabilities none;
    const char *name;

    return is_subset(caps, &none, &name);
}

/* An environment of the case's own; the case disposes of it. */
#define OWN_ENV(env)                                                                   \
    jvmtiEnv *env = tck_new_env(t);                                                    \
    if (env == NULL)                                                                   \
        return

/*
 * Two capabilities that the environment can have now, whichever they are: some may be
 * for OnLoad only, or another environment's alone.  False skips the case.
 */
static bool
two_potential(struct tck *t, jvmtiEnv *env, jvmtiCapabilities *a, jvmtiCapabilities *b)
{
    jvmtiCapabilities potential;
    int found = 0;

    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    if (!tck_want(t, "GetPotentialCapabilities", JVMTI_ERROR_NONE,
                  (*env)->GetPotentialCapabilities(env, &potential)))
        return false;
    for (int i = 0; i < tck_capability_count && found < 2; i++)
        if (tck_cap_get(&potential, i))
            tck_cap_set(found++ == 0 ? a : b, i, true);
    if (found < 2)
        tck_skip(t, "a new environment cannot have two capabilities");
    return found == 2;
}

#define TWO_POTENTIAL(env, a, b)                                                       \
    jvmtiCapabilities a, b;                                                            \
                                                                                       \
    if (!two_potential(t, env, &a, &b)) {                                              \
        CALL_ON(env, DisposeEnvironment);                                              \
        return;                                                                        \
    }

/* Does the environment hold what one of the two has, and nothing else? */
static bool
holds_just(const jvmtiCapabilities *held, const jvmtiCapabilities *a,
           const jvmtiCapabilities *b)
{
    for (int i = 0; i < tck_capability_count; i++)
        if (tck_cap_get(held, i) != (tck_cap_get(a, i) || tck_cap_get(b, i)))
            return false;
    return true;
}

TCK_CASE("capability", initial, "GetCapabilities.behaviour.initially-empty",
         "Get Capabilities", 496)
{
    OWN_ENV(env);
    jvmtiCapabilities caps;

    memset(&caps, 0xff, sizeof caps);
    CALL_ON(env, GetCapabilities, &caps);
    CALL_ON(env, DisposeEnvironment);
    TRUE(is_empty(&caps));
}

TCK_CASE_IN("capability", initial_onload,
            "GetCapabilities.behaviour.initially-empty-onload",
            "Environments", 41, TCK_ONLOAD, 11)
{
    OWN_ENV(env);
    jvmtiCapabilities caps;

    memset(&caps, 0xff, sizeof caps);
    CALL_ON(env, GetCapabilities, &caps);
    CALL_ON(env, DisposeEnvironment);
    TRUE(is_empty(&caps));
}

TCK_CASE("capability", potential_includes_held,
         "GetPotentialCapabilities.behaviour.includes-held",
         "Get Potential Capabilities", 501)
{
    jvmtiCapabilities held, potential;
    const char *missing = NULL;

    CALL(GetCapabilities, &held);
    CALL(GetPotentialCapabilities, &potential);
    if (!is_subset(&held, &potential, &missing))
        tck_fail(t, "%s is held but not potential", missing);
}

TCK_CASE("capability", add_all_potential, "AddCapabilities.behaviour.all-potential",
         "Add Capabilities", 504)
{
    OWN_ENV(env);
    jvmtiCapabilities potential, held;
    const char *missing = NULL;

    CALL_ON(env, GetPotentialCapabilities, &potential);
    CALL_ON(env, AddCapabilities, &potential);
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(is_subset(&potential, &held, &missing) && is_subset(&held, &potential, &missing));
}

TCK_CASE("capability", add_accumulates, "AddCapabilities.behaviour.accumulates",
         "Add Capabilities", 504)
{
    OWN_ENV(env);
    TWO_POTENTIAL(env, one, other);
    jvmtiCapabilities held;

    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(env, AddCapabilities, &other);
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(holds_just(&held, &one, &other));
}

TCK_CASE("capability", add_twice, "AddCapabilities.behaviour.held-already",
         "Add Capabilities", 506)
{
    OWN_ENV(env);
    TWO_POTENTIAL(env, one, other);
    jvmtiCapabilities held;

    (void)other;
    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(holds_just(&held, &one, &one));
}

TCK_CASE("capability", add_all_or_nothing, "AddCapabilities.behaviour.all-or-nothing",
         "Add Capabilities", 505)
{
    OWN_ENV(env);
    jvmtiCapabilities potential, wanted, held;
    bool all = true;

    CALL_ON(env, GetPotentialCapabilities, &potential);
    memset(&wanted, 0, sizeof wanted);
    for (int i = 0; i < tck_capability_count; i++) {
        if (tck_capabilities[i].since > t->level)
            continue;
        all = all && tck_cap_get(&potential, i);
        tck_cap_set(&wanted, i, true);
    }
    if (all) {
        tck_skip(t, "every capability can be had");
    } else {
        WANT_ON(NOT_AVAILABLE, env, AddCapabilities, &wanted);
        CALL_ON(env, GetCapabilities, &held);
        TRUE(is_empty(&held));
    }
    CALL_ON(env, DisposeEnvironment);
}

TCK_CASE("capability", relinquish, "RelinquishCapabilities.behaviour.others-stay",
         "Relinquish Capabilities", 507)
{
    OWN_ENV(env);
    TWO_POTENTIAL(env, one, other);
    jvmtiCapabilities held;

    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(env, AddCapabilities, &other);
    CALL_ON(env, RelinquishCapabilities, &one);
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(holds_just(&held, &other, &other));
}

TCK_CASE("capability", relinquish_missing, "RelinquishCapabilities.behaviour.not-held",
         "Relinquish Capabilities", 507)
{
    OWN_ENV(env);
    jvmtiCapabilities held;

    CALL_ON(env, RelinquishCapabilities, &(jvmtiCapabilities){ .can_tag_objects = 1 });
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(is_empty(&held));
}

TCK_CASE("capability", relinquished_function,
         "RelinquishCapabilities.behaviour.function-needs-it-again",
         "Relinquish Capabilities", 696)
{
    OWN_ENV(env);
    jobject object = stage_object(t);
    jvmtiError error;

    NEED("can_tag_objects");
    error = (*env)->AddCapabilities(env, &(jvmtiCapabilities){ .can_tag_objects = 1 });
    if (error == JVMTI_ERROR_NOT_AVAILABLE) {
        tck_skip(t, "only one environment can hold can_tag_objects, or from OnLoad on");
        CALL_ON(env, DisposeEnvironment);
        return;
    }
    SAME(JVMTI_ERROR_NONE, error);
    CALL_ON(env, SetTag, object, 5);
    CALL_ON(env, RelinquishCapabilities, &(jvmtiCapabilities){ .can_tag_objects = 1 });
    WANT_ON(MUST_POSSESS_CAPABILITY, env, SetTag, object, 6);
    CALL_ON(env, DisposeEnvironment);
}

TCK_CASE("capability", per_environment, "AddCapabilities.behaviour.per-environment",
         "Environments", 41)
{
    OWN_ENV(env);
    OWN_ENV(other);
    TWO_POTENTIAL(env, one, more);
    jvmtiCapabilities held;

    (void)more;
    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(other, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    CALL_ON(other, DisposeEnvironment);
    TRUE(is_empty(&held));
}

TCK_CASE("capability", empty_sets, "AddCapabilities.behaviour.empty-set",
         "Add Capabilities", 504)
{
    OWN_ENV(env);
    jvmtiCapabilities none, held;

    memset(&none, 0, sizeof none);
    CALL_ON(env, AddCapabilities, &none);
    CALL_ON(env, RelinquishCapabilities, &none);
    CALL_ON(env, GetCapabilities, &held);
    CALL_ON(env, DisposeEnvironment);
    TRUE(is_empty(&held));
}

TCK_CASE("capability", timer_goes_along,
         "GetPotentialCapabilities.behaviour.current-thread-cpu-time",
         "Get Current Thread CPU Time", 515)
{
    jvmtiCapabilities potential;

    CALL(GetPotentialCapabilities, &potential);
    TRUE(!potential.can_get_thread_cpu_time
         || potential.can_get_current_thread_cpu_time);
}

/* A capability that only one environment can hold is held by t->jvmti. */
static int
exclusive_capability(struct tck *t, jvmtiEnv *other)
{
    jvmtiCapabilities potential;

    if ((*other)->GetPotentialCapabilities(other, &potential) != JVMTI_ERROR_NONE)
        return -1;
    for (int i = 0; i < tck_capability_count; i++)
        if (tck_cap_get(&t->held, i) && !tck_cap_get(&potential, i))
            return i;
    return -1;
}

/* What t->jvmti holds another environment can add just when it is told so. */
TCK_CASE_IN("capability", exclusive,
            "GetPotentialCapabilities.behaviour.exclusive-absent",
            "Get Potential Capabilities", 502, TCK_ONLOAD, 11)
{
    for (int i = 0; i < tck_capability_count; i++) {
        jvmtiCapabilities potential, wanted;
        jvmtiError error;
        OWN_ENV(env);

        memset(&wanted, 0, sizeof wanted);
        tck_cap_set(&wanted, i, true);
        CALL_ON(env, GetPotentialCapabilities, &potential);
        error = (*env)->AddCapabilities(env, &wanted);
        CALL_ON(env, DisposeEnvironment);
        if (tck_cap_get(&t->held, i))
            tck_want(t, tck_capabilities[i].name,
                     tck_cap_get(&potential, i) ? JVMTI_ERROR_NONE
                                                : JVMTI_ERROR_NOT_AVAILABLE, error);
    }
}

TCK_CASE_IN("capability", exclusive_released,
            "RelinquishCapabilities.behaviour.exclusive-becomes-available",
            "Relinquish Capabilities", 509, TCK_ONLOAD, 11)
{
    OWN_ENV(env);
    int cap = exclusive_capability(t, env);
    jvmtiCapabilities one;

    if (cap < 0) {
        tck_skip(t, "no capability is exclusive");
    } else {
        memset(&one, 0, sizeof one);
        tck_cap_set(&one, cap, true);
        CALL(RelinquishCapabilities, &one);
        CALL_ON(env, AddCapabilities, &one);
        CALL_ON(env, RelinquishCapabilities, &one);
        CALL(AddCapabilities, &one);
    }
    CALL_ON(env, DisposeEnvironment);
}

TCK_CASE_IN("capability", exclusive_disposed,
            "DisposeEnvironment.behaviour.relinquishes-capabilities",
            "Dispose Environment", 546, TCK_ONLOAD, 11)
{
    OWN_ENV(env);
    int cap = exclusive_capability(t, env);
    jvmtiCapabilities one;

    if (cap < 0) {
        tck_skip(t, "no capability is exclusive");
        CALL_ON(env, DisposeEnvironment);
        return;
    }
    memset(&one, 0, sizeof one);
    tck_cap_set(&one, cap, true);
    CALL(RelinquishCapabilities, &one);
    CALL_ON(env, AddCapabilities, &one);
    CALL_ON(env, DisposeEnvironment);
    CALL(AddCapabilities, &one);
}

/* -- each capability by itself: add, hold, relinquish -- */

static void
add_and_relinquish(struct tck *t, jvmtiEnv *env, int cap, const jvmtiCapabilities *one)
{
    jvmtiCapabilities held;

    CALL_ON(env, AddCapabilities, one);
    CALL_ON(env, GetCapabilities, &held);
    for (int i = 0; i < tck_capability_count; i++)
        SAME(i == cap, tck_cap_get(&held, i));
    CALL_ON(env, RelinquishCapabilities, one);
    CALL_ON(env, GetCapabilities, &held);
    TRUE(is_empty(&held));
}

static void
run_single(struct tck *t, const void *data)
{
    const char *name = data;
    int cap = tck_cap_index(name);
    jvmtiCapabilities potential, one;
    bool exclusive;
    OWN_ENV(env);

    memset(&one, 0, sizeof one);
    tck_cap_set(&one, cap, true);
    CALL_ON(env, GetPotentialCapabilities, &potential);
    exclusive = !tck_cap_get(&potential, cap) && tck_cap_get(&t->held, cap);
    if (exclusive)
        CALL(RelinquishCapabilities, &one);
    else if (!tck_cap_get(&potential, cap)
             /* What is not even potential cannot be had. */
             && tck_want(t, "AddCapabilities(one that is not potential)",
                         JVMTI_ERROR_NOT_AVAILABLE, (*env)->AddCapabilities(env, &one)))
        tck_skip(t, "the VM does not offer it");
    if (!t->skipped && !t->failed)
        add_and_relinquish(t, env, cap, &one);
    CALL_ON(env, DisposeEnvironment);
    if (exclusive)
        CALL(AddCapabilities, &one);
}

#define SINGLE(name, since)                                                            \
    TCK_CASE_DATA("capability", single_##name, "AddCapabilities.behaviour." #name,     \
                  "Add Capabilities", 510, TCK_ONLOAD, since, run_single, #name)

SINGLE(can_tag_objects, 11);
SINGLE(can_generate_field_modification_events, 11);
SINGLE(can_generate_field_access_events, 11);
SINGLE(can_get_bytecodes, 11);
SINGLE(can_get_synthetic_attribute, 11);
SINGLE(can_get_owned_monitor_info, 11);
SINGLE(can_get_current_contended_monitor, 11);
SINGLE(can_get_monitor_info, 11);
SINGLE(can_pop_frame, 11);
SINGLE(can_redefine_classes, 11);
SINGLE(can_signal_thread, 11);
SINGLE(can_get_source_file_name, 11);
SINGLE(can_get_line_numbers, 11);
SINGLE(can_get_source_debug_extension, 11);
SINGLE(can_access_local_variables, 11);
SINGLE(can_maintain_original_method_order, 11);
SINGLE(can_generate_single_step_events, 11);
SINGLE(can_generate_exception_events, 11);
SINGLE(can_generate_frame_pop_events, 11);
SINGLE(can_generate_breakpoint_events, 11);
SINGLE(can_suspend, 11);
SINGLE(can_redefine_any_class, 11);
SINGLE(can_get_current_thread_cpu_time, 11);
SINGLE(can_get_thread_cpu_time, 11);
SINGLE(can_generate_method_entry_events, 11);
SINGLE(can_generate_method_exit_events, 11);
SINGLE(can_generate_all_class_hook_events, 11);
SINGLE(can_generate_compiled_method_load_events, 11);
SINGLE(can_generate_monitor_events, 11);
SINGLE(can_generate_vm_object_alloc_events, 11);
SINGLE(can_generate_native_method_bind_events, 11);
SINGLE(can_generate_garbage_collection_events, 11);
SINGLE(can_generate_object_free_events, 11);
SINGLE(can_force_early_return, 11);
SINGLE(can_get_owned_monitor_stack_depth_info, 11);
SINGLE(can_get_constant_pool, 11);
SINGLE(can_set_native_method_prefix, 11);
SINGLE(can_retransform_classes, 11);
SINGLE(can_retransform_any_class, 11);
SINGLE(can_generate_resource_exhaustion_heap_events, 11);
SINGLE(can_generate_resource_exhaustion_threads_events, 11);
SINGLE(can_generate_early_vmstart, 11);
SINGLE(can_generate_early_class_hook_events, 11);
SINGLE(can_generate_sampled_object_alloc_events, 11);
SINGLE(can_support_virtual_threads, 21);
