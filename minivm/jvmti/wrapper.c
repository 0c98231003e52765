/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/wrapper.c -- what the generated wrappers do before and after a body. */

#include <tiforge_names.h>

#include "jvmti/env.h"
#include "linking/ids.h"
#include "runtime/refs.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

bool
jvmti_is_event(jvmtiEvent event)
{
    return tiforge_event_name(event)
           || ((int)event >= EXTENSION_INDEX_FIRST
               && (int)event < JVMTI_MIN_EVENT_TYPE_VAL);
}

/* Sets *env to the environment of the handle, or returns the error: it is none, or the
   VM is in a phase in which the function must not be called.  The thread is in native
   code and may be unknown to the VM. */
jvmtiError
jvmti_check(jvmtiEnv *handle, unsigned phases, struct jvmti_env **env)
{
    struct vm *vm = the_vm;

    *env = vm && handle ? jvmti_env_of_handle(vm->jvmti, handle) : NULL;
    if (!*env || !atomic_load_explicit(&(*env)->is_alive, memory_order_acquire))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    return phases & (1u << jvmti_phase(*env)) ? JVMTI_ERROR_NONE
                                              : JVMTI_ERROR_WRONG_PHASE;
}

/* Moves the calling thread into the VM for a call of an agent, or returns an error.  A
   thread that is in the VM already is in a callback of a stop of the world.  call->self
   stays NULL on failure, so that jvmti_leave does nothing. */
jvmtiError
jvmti_enter(struct jvmti_call *call)
{
    struct thread *self = current_thread;

    if (!self)
        return JVMTI_ERROR_UNATTACHED_THREAD;
    if (self->run_state == THREAD_IN_VM)
        return JVMTI_ERROR_INTERNAL;
    thread_enter_vm(self);
    call->self = self;
    call->scope = handle_scope_open(self);
    call->results = self->jvmti->results.length;
    return JVMTI_ERROR_NONE;
}

void
jvmti_point_slow(void)
{
    schedule_point(current_thread);
}

/* Ends the list of this call's results.  Those of a failed call are freed here, since
   the agent is not given them (JVM TI "Function Return Values").  call->results is the
   length of the list when this call began: what lies behind it belongs to this call,
   and what is before it to older calls of the thread, in whose event callbacks this one
   was made. */
static void
end_results(const struct jvmti_call *call)
{
    struct buf *results = &call->self->jvmti->results;
    void **first = (void **)(results->data + call->results);

    if (call->error != JVMTI_ERROR_NONE)
        for (void **p = first; p < (void **)(results->data + results->length); p++)
            mem_free(*p);
    results->length = call->results;
}

/* Ends a call: frees its results if it failed, ends its handles and its pin, and moves
   the thread back to native code.  The compiler calls it wherever the wrapper returns
   (JVMTI_CALL). */
void
jvmti_leave(struct jvmti_call *call)
{
    if (!call->self)
        return;
    end_results(call);
    if (call->pinned)
        thread_unpin(call->pinned);
    handle_scope_close(&call->scope);
    thread_leave_vm(call->self);
}

/* Returns the object that a reference names, with a handle, or NULL.  The slot of a
   deleted reference holds the link of a free list instead of an object.  Such a link
   has its low bits set (runtime/refs.c), which no object's address has.  A reference to
   a weak global whose object has died gives NULL, too. */
static struct object *
referenced_object(struct jvmti_call *call, jobject reference)
{
    struct object *o = ref_get(reference);

    return (uintptr_t)o & REF_TAGS ? NULL : handle_new(call->self, o);
}

/* Sets *result to the object of the reference, with a handle, if that is an instance of
   the class; NULL is fine only with NULL_IS_NONE.  Returns `error` otherwise. */
jvmtiError
jvmti_resolve_instance(struct jvmti_call *call, jobject reference,
                       enum null_policy null, enum known_class class, jvmtiError error,
                       struct object **result)
{
    struct class *c = call->self->vm->known.classes[class];

    *result = referenced_object(call, reference);
    if (!*result)
        return null == NULL_IS_NONE && !reference ? JVMTI_ERROR_NONE : error;
    return object_is_instance(*result, c) ? JVMTI_ERROR_NONE : error;
}

/* Sets *result to the thread that an agent's argument names: the java.lang.Thread, and
   its struct thread if it is alive.  The pin keeps the struct thread, not the thread:
   it may end at any time while call goes on.  The current thread needs none.  Before it
   has a java.lang.Thread, the current thread is an invalid one. */
jvmtiError
jvmti_resolve_thread(struct jvmti_call *call, jthread thread, enum null_policy null,
                     enum target_state state, struct target *result)
{
    struct thread *self = call->self;

    result->object = NULL;
    result->live = NULL;
    result->is_carried = false;
    if (!thread && null == NULL_IS_NONE)
        return JVMTI_ERROR_NONE;
    if (!thread && null == NULL_IS_CURRENT) {
        result->object = handle_new(self, self->current);
        result->live = self;
        return self->current ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
    }
    TRY(jvmti_resolve_instance(call, thread, NULL_IS_INVALID, KNOWN_CLASS_Thread,
                               JVMTI_ERROR_INVALID_THREAD, &result->object));
    target_find(self, result->object, result);
    if (result->live != self && !result->is_carried)
        result->live = call->pinned = thread_pin(self->vm, result->object);
    return state == TARGET_ALIVE && !target_is_alive(result)
               ? JVMTI_ERROR_THREAD_NOT_ALIVE
               : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_class(struct jvmti_call *call, jclass klass, enum null_policy null,
                    struct class **result)
{
    struct object *mirror;

    TRY(jvmti_resolve_instance(call, klass, null, KNOWN_CLASS_Class,
                               JVMTI_ERROR_INVALID_CLASS, &mirror));
    *result = mirror ? class_of_mirror(mirror) : NULL;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_method(jmethodID method, struct method_version **result)
{
    *result = version_of_id((uintptr_t)method);
    return *result ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_METHODID;
}

jvmtiError
jvmti_resolve_field(struct class *klass, jfieldID field, struct field **result)
{
    *result = field_of_id((uintptr_t)field);
    return *result && class_is_subtype(klass, (*result)->class)
               ? JVMTI_ERROR_NONE
               : JVMTI_ERROR_INVALID_FIELDID;
}
