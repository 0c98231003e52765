/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/wrapper.c -- what calls do before and after their bodies. */

#include "jvmti/env.h"
#include "vm/refs.h"

jvmtiError
jvmti_enter(struct jvmti_call *call)
{
    struct thread *self = current_thread;

    if (self == NULL)
        return JVMTI_ERROR_UNATTACHED_THREAD;
    if (self->run_state == THREAD_IN_VM)
        return JVMTI_ERROR_INTERNAL;
    thread_enter_vm(self);
    call->self = self;
    call->scope = scope_open(self);
    call->results = self->jvmti->results.length;
    return JVMTI_ERROR_NONE;
}

/* Results of a call that failed are not handed out ("Function Return Values"). */
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

void
jvmti_leave(struct jvmti_call *call)
{
    if (call->self == NULL)
        return;
    end_results(call);
    if (call->pinned != NULL)
        thread_unpin(call->pinned);
    scope_close(&call->scope);
    thread_leave_vm(call->self);
}

/* The object of a reference, kept until the call ends, or NULL.  What stands in the
   slot of a deleted one is not aligned, see vm/refs.c. */
static struct object *
kept_object(struct jvmti_call *call, jobject reference)
{
    struct object *o = ref_get(reference);

    return (uintptr_t)o & REF_TAGS ? NULL : keep(call->self, o);
}

jvmtiError
jvmti_resolve_instance(struct jvmti_call *call, jobject reference,
                       enum null_policy null, enum known_class class, jvmtiError error,
                       struct object **result)
{
    struct class *c = call->self->vm->known.classes[class];

    *result = kept_object(call, reference);
    if (*result == NULL)
        return null == NULL_IS_NONE && reference == NULL ? JVMTI_ERROR_NONE : error;
    return object_is_instance(*result, c) ? JVMTI_ERROR_NONE : error;
}

jvmtiError
jvmti_resolve_thread(struct jvmti_call *call, jthread thread, enum null_policy null,
                     enum target_state state, struct target *result)
{
    struct thread *self = call->self;

    *result = (struct target){ 0 };
    if (thread == NULL && null == NULL_IS_NONE)
        return JVMTI_ERROR_NONE;
    if (thread == NULL && null == NULL_IS_CURRENT) {
        *result = (struct target){ keep(self, self->object), self };
        return self->object != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_THREAD;
    }
    TRY(jvmti_resolve_instance(call, thread, NULL_IS_INVALID, KNOWN_CLASS_Thread,
                               JVMTI_ERROR_INVALID_THREAD, &result->object));
    call->pinned = thread_pin(self->vm, result->object);
    result->live = call->pinned;
    return state == TARGET_ALIVE && result->live == NULL ? JVMTI_ERROR_THREAD_NOT_ALIVE
                                                         : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_class(struct jvmti_call *call, jclass klass, enum null_policy null,
                    struct class **result)
{
    struct object *mirror;

    TRY(jvmti_resolve_instance(call, klass, null, KNOWN_CLASS_Class,
                               JVMTI_ERROR_INVALID_CLASS, &mirror));
    *result = mirror != NULL ? class_of_mirror(mirror) : NULL;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_method(jmethodID method, struct code **result)
{
    *result = code_of_id((uintptr_t)method);
    return *result != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_METHODID;
}

jvmtiError
jvmti_resolve_field(struct class *klass, jfieldID field, struct field **result)
{
    *result = field_of_id((uintptr_t)field);
    return *result != NULL && class_is_subtype(klass, (*result)->class)
               ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_FIELDID;
}
