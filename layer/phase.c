/* SPDX-License-Identifier: MIT */
/*
 * layer/phase.c -- rules about phases and capabilities, and about events that are enabled
 * (JVM TI "Phase", "Capability", "Event Management").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"

/* What could be had in the OnLoad phase, from the first environment on. */
static uint64_t potential_at_load;
static bool was_loaded;      /* an agent was there in Agent_OnLoad */

static uint64_t
bits_of(const jvmtiCapabilities *capabilities)
{
    uint64_t bits;

    memcpy(&bits, capabilities, sizeof bits);
    return bits;
}

static uint64_t
potential_now(const struct interpose_call *call)
{
    jvmtiCapabilities potential = { 0 };

    (*call->real)->GetPotentialCapabilities(call->real, &potential);
    return bits_of(&potential);
}

/* "onload, start or live" */
static void
describe_phases(unsigned phases, char *text, size_t size)
{
    static const struct { jvmtiPhase phase; const char *name; } names[] = {
        { JVMTI_PHASE_ONLOAD, "OnLoad" }, { JVMTI_PHASE_PRIMORDIAL, "primordial" },
        { JVMTI_PHASE_START, "start" }, { JVMTI_PHASE_LIVE, "live" }
    };
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (phases & 1u << names[i].phase)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used > 0 ? " or " : "", names[i].name);
}

static const char *
phase_name(jvmtiPhase phase)
{
    switch (phase) {
    case JVMTI_PHASE_ONLOAD: return "OnLoad";
    case JVMTI_PHASE_PRIMORDIAL: return "primordial";
    case JVMTI_PHASE_START: return "start";
    case JVMTI_PHASE_LIVE: return "live";
    default: return "dead";
    }
}

static void
check_phase_of(const struct interpose_function *f, const struct interpose_call *call)
{
    jvmtiPhase phase = check_phase_for(call->real);
    char allowed[64];

    if ((f->phases & 1u << phase)
        || (phase == JVMTI_PHASE_DEAD && check_is_overtaken(call->thread)))
        return;
    describe_phases(f->phases, allowed, sizeof allowed);
    if (phase == JVMTI_PHASE_DEAD)
        check_found(RULE_PHASE_AFTER_DEATH, f->name,
                    "%s is called after the VMDeath event; it may be called in the %s "
                    "phase", f->name, allowed);
    else
        check_found(RULE_PHASE_WRONG, f->name,
                    "%s is called in the %s phase; it may be called in the %s phase",
                    f->name, phase_name(phase), allowed);
}

/* ---- capabilities ---- */

/* When a capability could be had, or could have been. */
static const char *
when_available(const struct interpose_call *call, uint64_t bit)
{
    if (potential_now(call) & bit)
        return "AddCapabilities would still give it";
    if (potential_at_load & bit)
        return "AddCapabilities could have given it in Agent_OnLoad";
    return "this VM does not have it";
}

static void
check_capabilities(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_env *env = call->env->state;

    for (int i = 0; i < 2 && f->capabilities[i] >= 0; i++) {
        uint64_t bit = (uint64_t)1 << f->capabilities[i];

        env->used |= bit;
        if (!(env->held & bit))
            check_found(RULE_CAPABILITY_MISSING, f->name,
                        "%s needs %s, which the environment does not have; %s", f->name,
                        interpose_capabilities[f->capabilities[i]],
                        when_available(call, bit));
    }
}

static void
refresh(const struct interpose_call *call)
{
    struct check_env *env = call->env->state;
    jvmtiCapabilities held = { 0 };

    if ((*call->real)->GetCapabilities(call->real, &held) == JVMTI_ERROR_NONE)
        env->held = bits_of(&held);
    env->ever_held |= env->held;
}

/* What HotSpot gives in Agent_OnLoad only: all that makes its interpreter or its
   compilers work otherwise. */
static bool
is_for_load_only(const char *name)
{
    static const char *const names[] = {
        "can_generate_field_modification_events", "can_generate_field_access_events",
        "can_get_owned_monitor_info", "can_get_current_contended_monitor",
        "can_pop_frame", "can_get_source_debug_extension",
        "can_access_local_variables", "can_maintain_original_method_order",
        "can_generate_single_step_events", "can_generate_exception_events",
        "can_generate_frame_pop_events", "can_generate_breakpoint_events",
        "can_generate_method_entry_events", "can_generate_method_exit_events",
        "can_force_early_return", "can_get_owned_monitor_stack_depth_info",
        "can_generate_early_vmstart", "can_generate_early_class_hook_events",
        NULL
    };

    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* An agent that is there from the start should not ask in the live phase; one that is
   attached can do nothing about it. */
static void
check_late(const struct interpose_call *call)
{
    uint64_t wanted;

    if (!was_loaded || check_phase() != JVMTI_PHASE_LIVE || call->args[0].p == NULL)
        return;
    wanted = bits_of(call->args[0].p) & ~((struct check_env *)call->env->state)->held;
    for (int i = 0; i < interpose_capability_count; i++)
        if ((wanted & (uint64_t)1 << i) && is_for_load_only(interpose_capabilities[i]))
            check_found(RULE_CAPABILITY_LATE, "AddCapabilities",
                        "%s is asked for in the live phase; HotSpot gives it in "
                        "Agent_OnLoad only", interpose_capabilities[i]);
}

static void
tell_refused(const struct interpose_call *call)
{
    uint64_t wanted = bits_of(call->args[0].p), potential = potential_now(call);

    for (int i = 0; i < interpose_capability_count; i++)
        if (wanted & ~potential & (uint64_t)1 << i)
            check_found(RULE_CAPABILITY_UNAVAILABLE, "AddCapabilities",
                        "AddCapabilities gives none of the wanted capabilities, since "
                        "%s cannot be had now", interpose_capabilities[i]);
}

/* HotSpot stores as many bytes as its capabilities take, and the agent may pass all of the
   structure to AddCapabilities. */
static void
clear_rest(jvmtiCapabilities *given)
{
    uint64_t bits = bits_of(given) & (((uint64_t)1 << (interpose_capability_count + 4)) - 1);

    memset(given, 0, sizeof *given);
    memcpy(given, &bits, sizeof bits);
}

/* ---- events ---- */

static const struct interpose_event_facts *
event_facts(int number)
{
    int i = number - JVMTI_MIN_EVENT_TYPE_VAL;

    return i >= 0 && i < INTERPOSE_EVENT_COUNT && interpose_events[i].name != NULL
        ? &interpose_events[i] : NULL;
}

static void
check_notification(const struct interpose_call *call)
{
    struct check_env *env = call->env->state;
    const struct interpose_event_facts *event = event_facts(call->args[1].i);

    if (event == NULL || call->args[0].i != JVMTI_ENABLE)
        return;
    if (event->capability >= 0) {
        uint64_t bit = (uint64_t)1 << event->capability;

        env->used |= bit;
        if (!(env->held & bit))
            check_found(RULE_CAPABILITY_EVENT_MISSING, "SetEventNotificationMode",
                        "%s is enabled without %s; %s", event->name,
                        interpose_capabilities[event->capability],
                        when_available(call, bit));
    }
    if (call->args[2].p != NULL && !event->is_thread_scoped)
        check_found(RULE_EVENT_NOT_FOR_A_THREAD, "SetEventNotificationMode",
                    "%s is enabled for one thread; it is an event of the whole VM",
                    event->name);
}

static void
note_callbacks(struct interpose_env *env)
{
    struct check_env *state = env->state;

    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        if (interpose_events[i].name != NULL
            && *(void **)((char *)&env->callbacks + interpose_events[i].offset) != NULL)
            state->ever_called_back |= (uint64_t)1 << i;
}

/* ---- calls ---- */

bool
phase_begin(struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];

    if (call->env->is_disposed) {
        if (!check_is_outlived(call->thread))
            check_found(RULE_PHASE_AFTER_DISPOSE, f->name,
                        "%s is called with an environment that was disposed of", f->name);
        call->error = JVMTI_ERROR_INVALID_ENVIRONMENT;
        return false;
    }
    if (potential_at_load == 0) {
        potential_at_load = potential_now(call);
        was_loaded = check_phase() == JVMTI_PHASE_ONLOAD;
    }
    if (call->function == INTERPOSE_AddCapabilities)
        check_late(call);
    check_phase_of(f, call);
    check_capabilities(call);
    if (call->function == INTERPOSE_SetEventNotificationMode)
        check_notification(call);
    return true;
}

void
phase_end(struct interpose_call *call)
{
    struct check_env *env = call->env->state;
    uint64_t event;

    switch (call->function) {
    case INTERPOSE_AddCapabilities:
        if (call->error == JVMTI_ERROR_NOT_AVAILABLE)
            tell_refused(call);
        refresh(call);
        break;
    case INTERPOSE_RelinquishCapabilities:
        refresh(call);
        break;
    case INTERPOSE_GetCapabilities:
    case INTERPOSE_GetPotentialCapabilities:
        if (call->error == JVMTI_ERROR_NONE)
            clear_rest(call->args[0].p);
        break;
    case INTERPOSE_SetEventNotificationMode:
        if (call->args[0].i != JVMTI_ENABLE || event_facts(call->args[1].i) == NULL)
            break;
        event = (uint64_t)1 << (call->args[1].i - JVMTI_MIN_EVENT_TYPE_VAL);
        env->ever_asked_for |= event;
        if (call->error == JVMTI_ERROR_NONE)
            env->ever_enabled |= event;
        break;
    case INTERPOSE_SetEventCallbacks:
        if (call->error == JVMTI_ERROR_NONE)
            note_callbacks(call->env);
        break;
    default:
        break;
    }
}

/* ---- the end of an environment ---- */

/* Capabilities that some function or event requires; whether others are of use cannot be
   seen from the calls. */
static uint64_t
required_by_something(void)
{
    uint64_t bits = 0;

    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        for (int k = 0; interpose_functions[i].name != NULL && k < 2
                        && interpose_functions[i].capabilities[k] >= 0; k++)
            bits |= (uint64_t)1 << interpose_functions[i].capabilities[k];
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        if (interpose_events[i].name != NULL && interpose_events[i].capability >= 0)
            bits |= (uint64_t)1 << interpose_events[i].capability;
    return bits;
}

void
phase_env_ended(struct interpose_env *env)
{
    struct check_env *state = env->state;
    uint64_t unused = state->ever_held & ~state->used & required_by_something();
    char names[1024] = "";
    size_t used = 0;

    for (int i = 0; i < interpose_capability_count; i++)
        if (unused & (uint64_t)1 << i && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", interpose_capabilities[i]);
    if (unused != 0)
        check_found_at(RULE_CAPABILITY_UNUSED, "AddCapabilities", NULL, 1,
                       "capabilities that were had and never used, and may slow down the "
                       "program: %s", names);
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++) {
        uint64_t bit = (uint64_t)1 << i;

        if (state->ever_enabled & ~state->ever_called_back & bit)
            check_found_at(RULE_EVENT_NO_CALLBACK, "SetEventNotificationMode", NULL, 1,
                           "%s was enabled and never had a callback",
                           interpose_events[i].name);
        if (state->ever_called_back & ~state->ever_asked_for & bit)
            check_found_at(RULE_EVENT_NEVER_ENABLED, "SetEventCallbacks", NULL, 1,
                           "%s has a callback and was never enabled",
                           interpose_events[i].name);
    }
}
