/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/extension.c -- JVM TI "Extension Mechanism"; doc/extensions.md says what
 * the extensions do. */

#include <stdarg.h>
#include <string.h>

#include "jvmti/deliver.h"

enum { PARAMS_MAX = 5, CLASS_UNLOAD = 1 };

struct extension {
    const char *id, *description;
    jint param_count;
    jvmtiParamInfo params[PARAMS_MAX];
};

static jvmtiError JNICALL
get_heap_statistics(jvmtiEnv *handle, ...)
{
    struct jvmti_env *env;
    struct heap_usage usage;
    va_list args;

    TRY(jvmti_check(handle, PHASE_START | PHASE_LIVE, &env));
    heap_get_usage(the_vm->heap, &usage);
    const jlong values[PARAMS_MAX] = {
        (jlong)usage.used, (jlong)usage.committed, (jlong)usage.maximum,
        (jlong)usage.collections, (jlong)usage.nanoseconds
    };
    va_start(args, handle);
    for (int i = 0; i < PARAMS_MAX; i++) {
        jlong *to = va_arg(args, jlong *);
        if (to != NULL)
            *to = values[i];
    }
    va_end(args);
    return JVMTI_ERROR_NONE;
}

#define OUT_LONG(name) { (char *)name, JVMTI_KIND_OUT, JVMTI_TYPE_JLONG, JNI_TRUE }
#define IN_PTR(name, type) { (char *)name, JVMTI_KIND_IN_PTR, type, JNI_FALSE }

static const struct extension heap_statistics = {
    "tiforge.functions.GetHeapStatistics",
    "Tell the size of the heap and what its collections have cost.", 5,
    { OUT_LONG("used"), OUT_LONG("committed"), OUT_LONG("maximum"),
      OUT_LONG("collections"), OUT_LONG("nanoseconds") }
};

static const struct extension class_unload = {
    "tiforge.events.ClassUnload",
    "Sent after a collection for each class that it has unloaded.", 2,
    { IN_PTR("jni_env", JVMTI_TYPE_JNIENV), IN_PTR("name", JVMTI_TYPE_CCHAR) }
};

static jvmtiError
copy_params(const struct extension *x, jvmtiParamInfo **result)
{
    jvmtiParamInfo *params;

    TRY(jvmti_alloc((size_t)x->param_count * sizeof *params, &params));
    for (jint i = 0; i < x->param_count; i++) {
        params[i] = x->params[i];
        if (jvmti_copy(x->params[i].name, &params[i].name) != JVMTI_ERROR_NONE) {
            while (i-- > 0)
                mem_free(params[i].name);
            mem_free(params);
            return JVMTI_ERROR_OUT_OF_MEMORY;
        }
    }
    *result = params;
    return JVMTI_ERROR_NONE;
}

/* The texts and parameters of x for info, which is freed unless it gets all of them. */
static jvmtiError
describe(const struct extension *x, void *info, char **id, char **description,
         jvmtiParamInfo **params)
{
    jvmtiError error;

    *description = NULL;
    if ((error = jvmti_copy(x->id, id)) == JVMTI_ERROR_NONE
        && (error = jvmti_copy(x->description, description)) == JVMTI_ERROR_NONE
        && (error = copy_params(x, params)) == JVMTI_ERROR_NONE)
        return JVMTI_ERROR_NONE;
    mem_free(*id);
    mem_free(*description);
    mem_free(info);
    return error;
}

jvmtiError
jvmti_GetExtensionFunctions(jint *count, jvmtiExtensionFunctionInfo **extensions)
{
    jvmtiExtensionFunctionInfo *info;

    TRY(jvmti_alloc(sizeof *info, &info));
    *info = (jvmtiExtensionFunctionInfo){ .func = get_heap_statistics,
                                          .param_count = heap_statistics.param_count };
    TRY(describe(&heap_statistics, info, &info->id, &info->short_description,
                 &info->params));
    *count = 1;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetExtensionEvents(jint *count, jvmtiExtensionEventInfo **extensions)
{
    jvmtiExtensionEventInfo *info;

    TRY(jvmti_alloc(sizeof *info, &info));
    *info = (jvmtiExtensionEventInfo){ .extension_event_index = CLASS_UNLOAD,
                                       .param_count = class_unload.param_count };
    TRY(describe(&class_unload, info, &info->id, &info->short_description,
                 &info->params));
    *count = 1;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

/* Names of classes that are gone, oldest first, until somebody is told; guarded by
   the mutex. */
struct unloaded {
    struct unloaded *next;
    char name[];
};
static struct unloaded *unloaded, **unloaded_end = &unloaded;

/* While the world is stopped: what it costs is paid only when somebody listens. */
void
jvmti_on_class_free(struct class *c)
{
    struct unloaded *u;

    if (!event_wanted(EVENT_CLASS_UNLOAD))
        return;
    u = mem_try_alloc(sizeof *u + c->name->length + 1);
    if (u == NULL)
        return;
    u->next = NULL;
    memcpy(u->name, c->name->bytes, c->name->length + 1u);
    LOCK(&the_vm->jvmti->leaf_mutex);
    *unloaded_end = u;
    unloaded_end = &u->next;
}

static struct unloaded *
take_unloaded(struct vm *vm)
{
    LOCK(&vm->jvmti->leaf_mutex);
    struct unloaded *list = unloaded;

    unloaded = NULL;
    unloaded_end = &unloaded;
    return list;
}

static void
send_unloaded(struct delivery *d, const char *name)
{
    FOR_EACH_ENV(d->self->vm, env) {
        jvmtiExtensionEvent callback =
            __atomic_load_n(&env->extension_callback, __ATOMIC_ACQUIRE);
        if (callback == NULL || jvmti_phase(env) != VM_PHASE_LIVE)
            continue;
        delivery_leave(d);
        callback(&env->handle, d->jni, name);
        delivery_enter(d);
    }
}

void
jvmti_on_class_unload(struct thread *self)
{
    struct unloaded *list = take_unloaded(self->vm), *next;

    if (list == NULL)
        return;
    DELIVERY(d, self);
    for (; list != NULL; list = next) {
        next = list->next;
        send_unloaded(&d, list->name);
        mem_free(list);
    }
}

jvmtiError
jvmti_SetExtensionEventCallback(struct jvmti_env *env, jint extension_event_index,
                                jvmtiExtensionEvent callback)
{
    if (extension_event_index != CLASS_UNLOAD)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    __atomic_store_n(&env->extension_callback, callback, __ATOMIC_RELEASE);
    jvmti_update_events(current_thread);
    return JVMTI_ERROR_NONE;
}
