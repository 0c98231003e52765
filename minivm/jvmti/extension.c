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
    va_list args;

    TRY(jvmti_check(handle, PHASE_START | PHASE_LIVE, &env));
    struct heap_usage usage = heap_get_usage(the_vm->heap);
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
describe(const struct extension *x, char **id, char **description,
         jvmtiParamInfo **params)
{
    TRY(jvmti_copy(x->id, id));
    TRY(jvmti_copy(x->description, description));
    TRY(jvmti_copy_bytes(x->params, (size_t)x->param_count * sizeof **params, params));
    for (jint i = 0; i < x->param_count; i++)
        TRY(jvmti_copy(x->params[i].name, &(*params)[i].name));
    return JVMTI_ERROR_NONE;
}

/* There is one of each. */
#define LIST_OF_ONE(function, info_type, extension, ...) \
jvmtiError \
function(jint *count, info_type **list) \
{ \
    info_type *info; \
    TRY(jvmti_alloc(sizeof *info, &info)); \
    *info = (info_type){ __VA_ARGS__, .param_count = (extension).param_count }; \
    TRY(describe(&(extension), &info->id, &info->short_description, &info->params)); \
    *count = 1; \
    *list = info; \
    return JVMTI_ERROR_NONE; \
}

LIST_OF_ONE(jvmti_GetExtensionFunctions, jvmtiExtensionFunctionInfo, heap_statistics,
            .func = get_heap_statistics)
LIST_OF_ONE(jvmti_GetExtensionEvents, jvmtiExtensionEventInfo, class_unload,
            .extension_event_index = CLASS_UNLOAD)

/* Names of classes that are gone, oldest first and each with its NUL, until somebody is
   told; guarded by the leaf mutex. */
static struct buf unloaded;

/* While the world is stopped: what it costs is paid only when somebody listens. */
void
jvmti_on_class_free(struct class *c)
{
    size_t size = c->name->length + 1u;

    if (!event_wanted(EVENT_CLASS_UNLOAD))
        return;
    LOCK(&the_vm->jvmti->leaf_mutex);
    if (buf_try_reserve(&unloaded, size))
        buf_append(&unloaded, c->name->bytes, size);
}

static void
send_unloaded(struct delivery *d, const char *name)
{
    FOR_EACH_ENV(d->self->vm, env) {
        jvmtiExtensionEvent callback =
            __atomic_load_n(&env->extension_callback, __ATOMIC_ACQUIRE);
        if (callback == NULL || jvmti_phase(env) != VM_PHASE_LIVE)
            continue;
        struct outcall call;
        outcall_begin(d->self, &call, "ClassUnload", (void (*)(void))callback);
        delivery_leave(d);
        callback(&env->handle, d->jni, name);
        delivery_enter(d);
        outcall_end(d->self, &call);
    }
}

void
jvmti_on_class_unload(struct thread *self)
{
    mutex_lock(&self->vm->jvmti->leaf_mutex);
    struct buf names = unloaded;
    unloaded = (struct buf){ 0 };
    mutex_unlock(&self->vm->jvmti->leaf_mutex);
    if (names.length == 0)
        return;
    DELIVERY(d, self);
    for (size_t at = 0; at < names.length; at += strlen((char *)names.data + at) + 1)
        send_unloaded(&d, (char *)names.data + at);
    buf_release(&names);
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
