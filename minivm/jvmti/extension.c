/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/extension.c -- JVM TI "Extension Mechanism".
 *
 * GetHeapStatistics and ClassUnload are this VM's own.  Names of unloaded classes are
 * noted while the collection has the world stopped, and the event is sent when it goes
 * on.  Which virtual thread a carrier runs, and the events for its mounts, have the ids
 * and the types that HotSpot gives them, for agents that look for those.
 * doc/extensions.md says for agents what each does. */

#include <stdarg.h>
#include <string.h>

#include "jvmti/deliver.h"
#include "threads/continuation.h"

enum { PARAMS_MAX = 5, ERRORS_MAX = 2 };

/* What agents are told of an extension.  The errors are those of a function. */
struct extension {
    jvmtiExtensionFunction function;
    const char *id, *description;
    jint param_count, error_count;
    jvmtiParamInfo params[PARAMS_MAX];
    jvmtiError errors[ERRORS_MAX];
};

/* ---- functions ---- */

/* GetHeapStatistics.  Each argument is a jlong *; NULL for a number that the agent does
   not ask for.  It touches no object, so it need not enter the VM. */
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

/* Returns the virtual thread that a platform thread runs, or NULL.  A virtual thread is
   refused with INVALID_THREAD. */
static jvmtiError
virtual_thread_of(struct thread *self, const struct target *thread,
                  struct object **result)
{
    VIRTUAL_THREADS_HELD(self);
    if (thread_object_is_virtual(self->vm, thread->object))
        return JVMTI_ERROR_INVALID_THREAD;
    struct continuation *c = thread_carried(thread->live);
    *result = c ? c->thread_object : NULL;
    return JVMTI_ERROR_NONE;
}

/* Returns the platform thread that runs a virtual thread, or NULL.  Any other thread is
   refused with INVALID_THREAD, one that is bound included: it has no carrier. */
static jvmtiError
carrier_of(struct thread *self, const struct target *thread, struct object **result)
{
    VIRTUAL_THREADS_HELD(self);
    if (!thread_object_is_carried(self->vm, thread->object))
        return JVMTI_ERROR_INVALID_THREAD;
    struct continuation *c = virtual_thread_continuation(self->vm, thread->object);
    *result = c && c->thread ? c->thread->object : NULL;
    return JVMTI_ERROR_NONE;
}

/* GetVirtualThread(jthread thread, jthread *virtual_thread_ptr).  NULL stands for the
   carrier of the current thread, or for the current thread that has none. */
static jvmtiError JNICALL
get_virtual_thread(jvmtiEnv *handle, ...)
{
    struct jvmti_env *env;
    struct jvmti_call call JVMTI_CALL;
    struct target target;
    struct object *found = NULL;
    va_list args;

    va_start(args, handle);
    jthread thread = va_arg(args, jthread);
    jthread *result = va_arg(args, jthread *);
    va_end(args);
    TRY(jvmti_check(handle, PHASE_LIVE, &env));
    REQUIRE(env, can_support_virtual_threads);
    if (!result)
        return JVMTI_ERROR_NULL_POINTER;
    TRY(jvmti_enter(&call));
    if (thread)
        TRY(jvmti_resolve_thread(&call, thread, NULL_IS_INVALID, TARGET_ALIVE,
                                 &target));
    else
        target = (struct target){ call.self->object, call.self, false };
    TRY(virtual_thread_of(call.self, &target, &found));
    return call.error = jvmti_local(call.self, found, result);
}

/* GetCarrierThread(jthread virtual_thread, jthread *thread_ptr).  NULL stands for the
   current thread. */
static jvmtiError JNICALL
get_carrier_thread(jvmtiEnv *handle, ...)
{
    struct jvmti_env *env;
    struct jvmti_call call JVMTI_CALL;
    struct target target;
    struct object *found = NULL;
    va_list args;

    va_start(args, handle);
    jthread thread = va_arg(args, jthread);
    jthread *result = va_arg(args, jthread *);
    va_end(args);
    TRY(jvmti_check(handle, PHASE_LIVE, &env));
    REQUIRE(env, can_support_virtual_threads);
    if (!result)
        return JVMTI_ERROR_NULL_POINTER;
    TRY(jvmti_enter(&call));
    TRY(jvmti_resolve_thread(&call, thread, NULL_IS_CURRENT, TARGET_ANY, &target));
    TRY(carrier_of(call.self, &target, &found));
    return call.error = jvmti_local(call.self, found, result);
}

/* ---- descriptions ---- */

/* clang-format off */
#define OUT_LONG(name) { (char *)name, JVMTI_KIND_OUT, JVMTI_TYPE_JLONG, JNI_TRUE }
#define IN_PTR(name, type) { (char *)name, JVMTI_KIND_IN_PTR, type, JNI_FALSE }
#define IN_THREAD(name, null) { (char *)name, JVMTI_KIND_IN, JVMTI_TYPE_JTHREAD, null }
#define OUT_THREAD(name) { (char *)name, JVMTI_KIND_OUT, JVMTI_TYPE_JTHREAD, JNI_FALSE }
/* clang-format on */

/* Those about virtual threads come last: JDK 17 has none. */
static const struct extension functions[] = {
    { get_heap_statistics,
      "tiforge.functions.GetHeapStatistics",
      "Tell the size of the heap and what its collections have cost.",
      5,
      0,
      { OUT_LONG("used"), OUT_LONG("committed"), OUT_LONG("maximum"),
        OUT_LONG("collections"), OUT_LONG("nanoseconds") },
      { 0 } },
    { get_virtual_thread,
      "com.sun.hotspot.functions.GetVirtualThread",
      "Tell the virtual thread that a platform thread runs.",
      2,
      2,
      { IN_THREAD("thread", JNI_TRUE), OUT_THREAD("virtual_thread_ptr") },
      { JVMTI_ERROR_MUST_POSSESS_CAPABILITY, JVMTI_ERROR_INVALID_THREAD } },
    { get_carrier_thread,
      "com.sun.hotspot.functions.GetCarrierThread",
      "Tell the platform thread that runs a virtual thread.",
      2,
      2,
      { IN_THREAD("virtual_thread", JNI_TRUE), OUT_THREAD("thread_ptr") },
      { JVMTI_ERROR_MUST_POSSESS_CAPABILITY, JVMTI_ERROR_INVALID_THREAD } }
};

/* By enum extension_event. */
static const struct extension events[EXTENSION_EVENT_COUNT] = {
    { NULL,
      "tiforge.events.ClassUnload",
      "Sent after a collection for each class that it has unloaded.",
      2,
      0,
      { IN_PTR("jni_env", JVMTI_TYPE_JNIENV), IN_PTR("name", JVMTI_TYPE_CCHAR) },
      { 0 } },
    { NULL,
      "com.sun.hotspot.events.VirtualThreadMount",
      "Sent by a virtual thread when it has been mounted.",
      2,
      0,
      { IN_PTR("jni_env", JVMTI_TYPE_JNIENV), IN_THREAD("virtual_thread", JNI_FALSE) },
      { 0 } },
    { NULL,
      "com.sun.hotspot.events.VirtualThreadUnmount",
      "Sent by a virtual thread before it is unmounted.",
      2,
      0,
      { IN_PTR("jni_env", JVMTI_TYPE_JNIENV), IN_THREAD("virtual_thread", JNI_FALSE) },
      { 0 } }
};

static bool
has_virtual_threads(void)
{
    return the_vm->profile->class_names[KNOWN_CLASS_BaseVirtualThread] != NULL;
}

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
    size_t count = has_virtual_threads() ? sizeof functions / sizeof *functions : 1;
    jvmtiExtensionFunctionInfo *info;

    TRY(JVMTI_ALLOC(count, &info));
    for (size_t i = 0; i < count; i++) {
        const struct extension *x = &functions[i];
        info[i] = (jvmtiExtensionFunctionInfo){ .func = x->function,
                                                .param_count = x->param_count,
                                                .error_count = x->error_count };
        TRY(describe(x, &info[i].id, &info[i].short_description, &info[i].params));
        TRY(JVMTI_ALLOC((size_t)x->error_count, &info[i].errors));
        if (x->error_count != 0)
            memcpy(info[i].errors, x->errors,
                   (size_t)x->error_count * sizeof *x->errors);
    }
    *extension_count = (jint)count;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetExtensionEvents(jint *extension_count, jvmtiExtensionEventInfo **extensions)
{
    size_t count = has_virtual_threads() ? EXTENSION_EVENT_COUNT : 1;
    jvmtiExtensionEventInfo *info;

    TRY(JVMTI_ALLOC(count, &info));
    for (size_t i = 0; i < count; i++) {
        const struct extension *x = &events[i];
        info[i] = (jvmtiExtensionEventInfo){
            .extension_event_index = EXTENSION_INDEX_FIRST + (jint)i,
            .param_count = x->param_count
        };
        TRY(describe(x, &info[i].id, &info[i].short_description, &info[i].params));
    }
    *extension_count = (jint)count;
    *extensions = info;
    return JVMTI_ERROR_NONE;
}

/* ---- ClassUnload ---- */

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

/* Calls env's callback for an extension event, if it has one that is not turned off. */
#define SEND_EXTENSION(d, env, event, name, ...) \
    do { \
        jvmtiExtensionEvent callback_ = __atomic_load_n( \
            &(env)->extension_callbacks[event], __ATOMIC_ACQUIRE); \
        if (callback_ \
            && __atomic_load_n(&(env)->extensions_on, __ATOMIC_RELAXED) \
                   & (1u << (event))) { \
            struct agent_call call_; \
            agent_call_begin((d).self, &call_, (name), (void (*)(void))callback_); \
            delivery_leave(&(d)); \
            callback_(&(env)->handle, __VA_ARGS__); \
            delivery_enter(&(d)); \
            agent_call_end((d).self, &call_); \
        } \
    } while (0)

/* Calls the callbacks for one unloaded class.  The event has a bit in events_wanted, by
   which jvmti_on_class_free looks, but none in an environment's mask of active events:
   an environment gets it if it has set a callback. */
static void
send_unloaded(struct delivery *d, const char *name)
{
    FOR_EACH_ENV(d->self->vm, env)
    {
        if (jvmti_phase(env) == VM_PHASE_LIVE)
            SEND_EXTENSION(*d, env, EXTENSION_CLASS_UNLOAD, "ClassUnload", d->jni,
                           name);
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

/* ---- mounts of virtual threads ---- */

/* Sends an event about the virtual thread that self runs.  The class library is in the
   middle of a change of threads and cannot take an exception: one that a callback has
   thrown is dropped. */
static void
send_mount(struct thread *self, enum extension_event event, const char *name)
{
    DELIVERY(d, self);
    struct object *before = d.pending;

    FOR_EACH_ENV(self->vm, env)
    {
        if (jvmti_phase(env) == VM_PHASE_LIVE)
            SEND_EXTENSION(d, env, event, name, d.jni, d.thread);
    }
    d.pending = before;
}

void
jvmti_on_virtual_thread_mount(struct thread *self)
{
    send_mount(self, EXTENSION_VIRTUAL_THREAD_MOUNT, "VirtualThreadMount");
}

void
jvmti_on_virtual_thread_unmount(struct thread *self)
{
    send_mount(self, EXTENSION_VIRTUAL_THREAD_UNMOUNT, "VirtualThreadUnmount");
}

/* ---- enabling ---- */

/* Turns an event of env on or off; without a callback it is off all the same. */
static void
turn(struct jvmti_env *env, unsigned event, bool on)
{
    if (on && __atomic_load_n(&env->extension_callbacks[event], __ATOMIC_RELAXED))
        __atomic_fetch_or(&env->extensions_on, 1u << event, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&env->extensions_on, ~(1u << event), __ATOMIC_RELAXED);
}

/* "Setting the callback and enabling the event are a single operation" (JVM TI "Set
   Extension Event Callback"). */
jvmtiError
jvmti_SetExtensionEventCallback(struct thread *self, struct jvmti_env *env,
                                jint extension_event_index,
                                jvmtiExtensionEvent callback)
{
    jint event = extension_event_index - EXTENSION_INDEX_FIRST;

    if (event < 0 || event >= (has_virtual_threads() ? EXTENSION_EVENT_COUNT : 1))
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    __atomic_store_n(&env->extension_callbacks[event], callback, __ATOMIC_RELEASE);
    turn(env, (unsigned)event, true);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_set_extension_mode(struct thread *self, struct jvmti_env *env,
                         jvmtiEventMode mode, jvmtiEvent index, bool for_one_thread)
{
    if (for_one_thread)
        return JVMTI_ERROR_NONE;
    turn(env, (unsigned)index - EXTENSION_INDEX_FIRST, mode == JVMTI_ENABLE);
    jvmti_update_events(self);
    return JVMTI_ERROR_NONE;
}
