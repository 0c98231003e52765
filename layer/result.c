/* SPDX-License-Identifier: MIT */
/*
 * layer/result.c -- the memory that functions of JVM TI give to agents: which results are
 * blocks, and how large each is.
 *
 * If the size is known, the agent gets a copy and the VM has its own block back at once.
 */
#include <stdlib.h>
#include <string.h>

#include "layer/block.h"
#include "layer/guard.h"

static size_t
element_size(const char *type)
{
    static const struct { const char *type; size_t size; } sizes[] = {
        { "unsigned char**", 1 },
        { "jlong**", sizeof(jlong) },
        { "jvmtiLineNumberEntry**", sizeof(jvmtiLineNumberEntry) },
        { "jvmtiLocalVariableEntry**", sizeof(jvmtiLocalVariableEntry) },
        { "jvmtiMonitorStackDepthInfo**", sizeof(jvmtiMonitorStackDepthInfo) },
        { "jvmtiExtensionFunctionInfo**", sizeof(jvmtiExtensionFunctionInfo) },
        { "jvmtiExtensionEventInfo**", sizeof(jvmtiExtensionEventInfo) },
    };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].type, type) == 0)
            return sizes[i].size;
    return sizeof(void *);
}

/* As far as the facts tell it; 0 if they do not. */
static size_t
result_size(const struct interpose_call *call, int i)
{
    const struct interpose_param *param =
        &interpose_functions[call->function].params[i];
    const jint *count;

    if (call->function == INTERPOSE_Allocate)
        return (size_t)call->args[0].j;
    if (strcmp(param->type, "char**") == 0)
        return strlen(*(char **)call->args[i].p) + 1;
    if (param->count_arg < 0)
        return 0;
    count = call->args[param->count_arg].p;
    return count != NULL && *count > 0 ? (size_t)*count * element_size(param->type) : 0;
}

/* The first blocks, and then one of so many, are on pages of their own: that costs more,
   and tells of each use of them once they are given back. */
#define PAGED_FIRST 256
#define PAGED_EACH 32

static char *
copy_for(size_t size)
{
    static long count;
    long number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    char *copy = number < PAGED_FIRST || number % PAGED_EACH == 0 ? guard_new_page(size)
                                                                  : NULL;

    return copy != NULL ? copy : guard_new(size);
}

/* Give the agent a copy of the block at *place, unless memory is short. */
static void
adopt(const struct interpose_call *call, const char *param, void *place, size_t size)
{
    void *real = *(void **)place;
    char *copy = size > 0 ? copy_for(size) : NULL;

    if (copy != NULL) {
        memcpy(copy, real, size);
        *(void **)place = copy;
        (*check_jvmti)->Deallocate(check_jvmti, real);
    }
    block_add(call, param, *(void **)place, copy != NULL ? size : 0);
}

static void
adopt_text(const struct interpose_call *call, const char *field, char **text)
{
    if (*text != NULL)
        adopt(call, field, text, strlen(*text) + 1);
}

static void
adopt_array(const struct interpose_call *call, const char *field, void *place,
            jint count, size_t size)
{
    if (*(void **)place != NULL)
        adopt(call, field, place, count > 0 ? (size_t)count * size : 0);
}

static void
adopt_params(const struct interpose_call *call, jvmtiParamInfo **params, jint count)
{
    adopt_array(call, "params", params, count, sizeof **params);
    for (jint i = 0; i < count; i++)
        adopt_text(call, "name", &(*params)[i].name);
}

/* What the members of a result point to (JVM TI: the description of each). */
static void
adopt_fields(const struct interpose_call *call, void *result)
{
    switch (call->function) {
    case INTERPOSE_GetThreadInfo:
        adopt_text(call, "name", &((jvmtiThreadInfo *)result)->name);
        break;
    case INTERPOSE_GetThreadGroupInfo:
        adopt_text(call, "name", &((jvmtiThreadGroupInfo *)result)->name);
        break;
    case INTERPOSE_GetObjectMonitorUsage: {
        jvmtiMonitorUsage *usage = result;

        adopt_array(call, "waiters", &usage->waiters, usage->waiter_count,
                    sizeof(jthread));
        adopt_array(call, "notify_waiters", &usage->notify_waiters,
                    usage->notify_waiter_count, sizeof(jthread));
        break;
    }
    case INTERPOSE_GetLocalVariableTable: {
        jvmtiLocalVariableEntry *entries = *(jvmtiLocalVariableEntry **)result;

        for (jint i = 0; i < *(jint *)call->args[1].p; i++) {
            adopt_text(call, "name", &entries[i].name);
            adopt_text(call, "signature", &entries[i].signature);
            adopt_text(call, "generic_signature", &entries[i].generic_signature);
        }
        break;
    }
    case INTERPOSE_GetSystemProperties:
        for (jint i = 0; i < *(jint *)call->args[0].p; i++)
            adopt_text(call, "property", &(*(char ***)result)[i]);
        break;
    case INTERPOSE_GetExtensionFunctions: {
        jvmtiExtensionFunctionInfo *infos = *(jvmtiExtensionFunctionInfo **)result;

        for (jint i = 0; i < *(jint *)call->args[0].p; i++) {
            adopt_text(call, "id", &infos[i].id);
            adopt_text(call, "short_description", &infos[i].short_description);
            adopt_params(call, &infos[i].params, infos[i].param_count);
            adopt_array(call, "errors", &infos[i].errors, infos[i].error_count,
                        sizeof(jvmtiError));
        }
        break;
    }
    case INTERPOSE_GetExtensionEvents: {
        jvmtiExtensionEventInfo *infos = *(jvmtiExtensionEventInfo **)result;

        for (jint i = 0; i < *(jint *)call->args[0].p; i++) {
            adopt_text(call, "id", &infos[i].id);
            adopt_text(call, "short_description", &infos[i].short_description);
            adopt_params(call, &infos[i].params, infos[i].param_count);
        }
        break;
    }
    default:
        break;
    }
}

void
result_adopt(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];

    for (int i = 0; i < f->count; i++) {
        void *result = call->args[i].p;

        if (!f->params[i].is_out || result == NULL)
            continue;
        if (f->params[i].is_allocated && *(void **)result != NULL)
            adopt(call, f->params[i].name, result, result_size(call, i));
        if (f->params[i].has_fields
            && (!f->params[i].is_allocated || *(void **)result != NULL))
            adopt_fields(call, result);
    }
}
