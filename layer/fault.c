/* SPDX-License-Identifier: MIT */
/*
 * layer/fault.c -- has calls of the agent fail, so that its handling of errors is seen to
 * work.
 *
 * A first run records the functions that the agent calls.  Each of the next ones is told
 * a function, an error and a number: that call is left out and gives the error (tiforge
 * test --faults).  Errors that only a mistake of the agent could bring are none to be
 * tried, nor are functions for whose failure there is nothing that an agent could do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/log.h>

#include <tiforge_names.h>

#include "layer/check.h"

static long counts[INTERPOSE_FUNCTION_COUNT];

/* The call that is to fail. */
static int fault_function = -1;
static jvmtiError fault_error;
static long fault_number;

static int
find_function(const char *name)
{
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        if (interpose_functions[i].name != NULL
            && strcmp(interpose_functions[i].name, name) == 0)
            return i;
    return -1;
}

/* "WRONG_PHASE" */
static jvmtiError
find_error(const char *name)
{
    for (int i = 1; i <= JVMTI_ERROR_MAX; i++) {
        const char *full = tiforge_error_name((jvmtiError)i);

        if (full != NULL && strcmp(full + strlen("JVMTI_ERROR_"), name) == 0)
            return (jvmtiError)i;
    }
    return JVMTI_ERROR_NONE;
}

bool
fault_set(const char *text)
{
    char function[64], error[64];

    if (sscanf(text, "%63[^:]:%63[^:]:%ld", function, error, &fault_number) == 3
        && (fault_error = find_error(error)) != JVMTI_ERROR_NONE
        && (fault_function = find_function(function)) >= 0 && fault_number > 0)
        return true;
    tf_error("a fault is FUNCTION:ERROR:NUMBER, not '%s'", text);
    return false;
}

bool
fault_begin(struct interpose_call *call)
{
    long number;

    if (fault_function < 0 && check_options.record == NULL)
        return true;
    number = __atomic_add_fetch(&counts[call->function], 1, __ATOMIC_RELAXED);
    if (call->function != fault_function || number != fault_number)
        return true;
    call->error = fault_error;
    return false;
}

/* ---- the record ---- */

static bool
is_to_be_tried(int function)
{
    return function != INTERPOSE_Deallocate && function != INTERPOSE_RawMonitorExit
        && function != INTERPOSE_DisposeEnvironment;
}

/* Can it come to an agent that makes no mistake? */
static bool
can_come(jvmtiError error)
{
    switch (error) {
    case JVMTI_ERROR_NULL_POINTER:
    case JVMTI_ERROR_INVALID_MONITOR:
    case JVMTI_ERROR_NOT_MONITOR_OWNER:
    case JVMTI_ERROR_INVALID_EVENT_TYPE:
    case JVMTI_ERROR_INVALID_ENVIRONMENT:
    case JVMTI_ERROR_ILLEGAL_ARGUMENT:
    case JVMTI_ERROR_INVALID_PRIORITY:
    case JVMTI_ERROR_INVALID_SLOT:
    case JVMTI_ERROR_TYPE_MISMATCH:
        return false;
    default:
        return true;
    }
}

static void
record(FILE *file, int function)
{
    const struct interpose_function *f = &interpose_functions[function];

    for (const jvmtiError *e = f->errors; *e != JVMTI_ERROR_NONE; e++)
        if (can_come(*e) && *e != JVMTI_ERROR_OUT_OF_MEMORY)
            fprintf(file, "%s %s %ld\n", f->name,
                    tiforge_error_name(*e) + strlen("JVMTI_ERROR_"), counts[function]);
    /* Universal errors (JVM TI "Universal Errors"), of which these may come any time. */
    for (int i = 0; i < f->count; i++)
        if (f->params[i].is_allocated || f->params[i].has_fields) {
            fprintf(file, "%s OUT_OF_MEMORY %ld\n", f->name, counts[function]);
            break;
        }
    fprintf(file, "%s INTERNAL %ld\n", f->name, counts[function]);
}

/* For the program's end in a callback (stress.c). */
static void
record_events(struct interpose_env *env, void *data)
{
    const struct check_env *state = env->state;

    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        if (state->costs[i].count > 0)
            fprintf(data, "event %s %lld\n", interpose_events[i].name,
                    state->costs[i].count);
}

void
fault_at_exit(void)
{
    FILE *file = check_options.record != NULL ? fopen(check_options.record, "a") : NULL;

    if (file == NULL)
        return;
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        if (counts[i] > 0 && is_to_be_tried(i))
            record(file, i);
    interpose_each_env(record_events, file);
    fclose(file);
}
