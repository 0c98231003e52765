/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/extension.c -- JVM TI "Extension Mechanism".
 *
 * There is one extension function, GetHeapStatistics, and one extension event,
 * ClassUnload; doc/extensions.md says for agents what they do.  Names of unloaded
 * classes are noted while the collection has the world stopped, and the event is sent
 * when it goes on. */

#include <stdarg.h>
#include <string.h>

#include "jvmti/deliver.h"

/* The largest number of parameters, and the index of the extension event. */
enum { PARAMS_MAX = 5, CLASS_UNLOAD = 1 };

/* What agents are told of an extension. */
struct extension {
    const char *id, *description;
    jint param_count;
    jvmtiParamInfo params[PARAMS_MAX];
};

/* The extension function.  Each argument is a jlong *; NULL for a number that the agent
   does not ask for.  It touches no object, so it need not enter the VM. */
static jvmtiError JNICALL
get_heap_statistics(jvmtiEnv *handle, ...)
{
    struct jvmti_env *env;
    va_list args;

    TRY(jvmti_check(handle, PHASE_START | PHASE_LIVE, &env));
    struct heap_usage usage = heap_get_usage(the_vm->heap);
    const jlong values[PARAMS_MAX] = { (jlong)usage.used, (jlong)usage.committed,
                                       (jlong)usage.maximum, (jlong)usage.collections,
                                       (jlong)usage.nanoseconds };
    va_start(args, handle);
    for (int i = 0; i < PARAMS_MAX; i++) {
        jlong *to = va_arg(args, jlong *);
        if (to)
            *to = values[i];
    }
    va_end(args);
    return JVMTI_ERROR_NONE;
}

/* clang-format off */
#define OUT_LONG(name) { (char *)name, JVMTI_KIND_OUT, JVMTI_TYPE_JLONG, JNI_TRUE }
#define IN_PTR(name, type) { (char *)name, JVMTI_KIND_IN_PTR, type, JNI_FALSE }
/* clang-format on */

static const struct extension heap_statistics = {
    "tiforge.functions.GetHeapStatistics",
    "Tell the size of the heap and what its collections have cost.",
    5,
    { OUT_LONG("used"), OUT_LONG("committed"), OUT_LONG("maximum"),
      OUT_LONG("collections"), OUT_LONG("nanoseconds") }
};

static const struct extension class_unload = {
    "tiforge.events.ClassUnload",
    "Sent after a collection for each class that it has unloaded.",
    2,
    { IN_PTR("jni_env", JVMTI_TYPE_JNIENV), IN_PTR("name", JVMTI_TYPE_CCHAR) }
};

/* Copies what agents are told of an extension into result memory.  Returns
   OUT_OF_MEMORY; the wrapper frees what was made until then. */
static jvmtiError
describe(const struct extension *x, char **id, char **description,
         jvmtiParamInfo **params)
{
    size_t count = (size_t)x->param_count;

    TRY(jvmti_copy(x->id, id));
    TRY(jvmti_copy(x->description, description));
    TRY(JVMTI_ALLOC(count, params));
    memcpy(*params, x->params, count * sizeof **params);
    for (size_t i = 0; i < count; i++)
        TRY(jvmti_copy(x->params[i].name, &(*params)[i].name));
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetExtensionFunctions(jint *extension_count,
                            jvmtiExtensionFunctionInfo **extensions)
{
    jvmtiExtensionFunctionInfo *info;

    TRY(JVMTI_ALLOC(1, &info));
    *info = (jvmtiExtensionFunctionInfo){ .func = get_heap_statistics,
                                          .param_count = heap_statistics.param_count };
    TRY(describe(&heap_statistics, &info->id, &info->short_description, &info->params));
    *extension_count = 1;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetExtensionEvents(jint *extension_count, jvmtiExtensionEventInfo **extensions)
{
    jvmtiExtensionEventInfo *info;

    TRY(JVMTI_ALLOC(1, &info));
    *info = (jvmtiExtensionEventInfo){ .extension_event_index = CLASS_UNLOAD,
                                       .param_count = class_unload.param_count };
    TRY(describe(&class_unload, &info->id, &info->short_description, &info->params));
    *extension_count = 1;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

/* The names of unloaded classes for which the event is due, from the oldest to the
   newest, each with its NUL.  Guarded by the leaf mutex.  It is a variable of this file
   and not of struct jvmti_vm since no other file needs it, and a process has one VM. */
static struct buf unloaded;

/* The hook, registered by class_add_free_hook, for a class that a collection unloads,
   with the world stopped: notes its name.  Without memory for the name the event is
   lost. */
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

/* Calls the callbacks for one unloaded class.  The event has a bit in events_wanted, by
   which jvmti_on_class_free looks, but none in an environment's mask of active events:
   an environment gets it if it has set a callback. */
static void
send_unloaded(struct delivery *d, const char *name)
{
    FOR_EACH_ENV(d->self->vm, env)
    {
        jvmtiExtensionEvent callback = __atomic_load_n(&env->extension_callback,
                                                       __ATOMIC_ACQUIRE);
        if (!callback || jvmti_phase(env) != VM_PHASE_LIVE)
            continue;
        struct agent_call call;
        agent_call_begin(d->self, &call, "ClassUnload", (void (*)(void))callback);
        delivery_leave(d);
        callback(&env->handle, d->jni, name);
        delivery_enter(d);
        agent_call_end(d->self, &call);
    }
}

/* The hook for the time after a collection: sends ClassUnload for each name that was
   noted, in whichever thread comes first to vm_send_collection_events.  The names are
   taken over under the mutex, and sent without it. */
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
jvmti_SetExtensionEventCallback(struct thread *self, struct jvmti_env *env,
                                jint extension_event_index,
                                jvmtiExtensionEvent callback)
{
    if (extension_event_index != CLASS_UNLOAD)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    __atomic_store_n(&env->extension_callback, callback, __ATOMIC_RELEASE);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}
