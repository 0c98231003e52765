/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/virtual.c -- JVM TI "Suspend All Virtual Threads", "Resume All Virtual
 * Threads".
 *
 * Each of the two does what SuspendThread or ResumeThread does for every live virtual
 * thread that is not in the agent's list of exceptions, and it sets a mode for those
 * that start later (jvmti_vm.starts_suspended): after the first one a virtual thread is
 * suspended when it starts, until it is resumed.  An exception may be a thread that has
 * not started yet.  It keeps the state that it would have had at its start; where that
 * is not what the mode says, it is in jvmti_vm.unlike_mode until it starts.
 *
 * The mode is set before the live threads are gone through, and a starting thread is in
 * the list of threads before the mode is applied to it (vm->thread_starts): so it is
 * found by at least one of the two. */

#include "jvmti/env.h"
#include "threads/suspend.h"
#include "threads/thread_list.h"

/* Returns true if o is one of the objects. */
static bool
is_among(struct object *const *objects, size_t count, const struct object *o)
{
    for (size_t i = 0; i < count; i++)
        if (objects[i] == o)
            return true;
    return false;
}

/* Returns true if a virtual thread would be suspended at its start.  The caller holds
   the mutex. */
static bool
would_start_suspended(const struct jvmti_vm *jvmti, const struct object *thread_object)
{
    return jvmti->starts_suspended
           != is_among(jvmti->unlike_mode, jvmti->unlike_mode_count, thread_object);
}

/* Sets the mode.  The exceptions, for which there are handles since the scope was
   opened, keep what they are if they have not started. */
static jvmtiError
set_mode(struct vm *vm, bool suspended, const struct handle_scope *except)
{
    struct jvmti_vm *jvmti = vm->jvmti;
    size_t given = handle_scope_count(except), count = 0;
    struct object **unlike = NULL, **before;

    if (given != 0 && !(unlike = mem_try_alloc(given * sizeof *unlike)))
        return JVMTI_ERROR_OUT_OF_MEMORY;
    mutex_lock(&jvmti->mutex);
    for (size_t i = 0; i < given; i++) {
        struct object *o = handle_scope_objects(except)[i];
        struct target target = { .object = o, .live = thread_of_object(o) };

        if (jvmti_GetThreadState(&target) == 0
            && would_start_suspended(jvmti, o) != suspended)
            unlike[count++] = o;
    }
    before = jvmti->unlike_mode;
    jvmti->unlike_mode = unlike;
    jvmti->unlike_mode_count = count;
    jvmti->starts_suspended = suspended;
    mutex_unlock(&jvmti->mutex);
    mem_free(before);
    return JVMTI_ERROR_NONE;
}

/* Makes handles for the threads of an agent's list, each of which has to be a virtual
   thread.  The struct jvmti_call only says in which thread the handles are made. */
static jvmtiError
resolve_exceptions(struct thread *self, jint count, const jthread *list)
{
    struct jvmti_call call = { .self = self };
    struct object *o;

    for (jint i = 0; i < count; i++)
        TRY(jvmti_resolve_instance(&call, list[i], NULL_IS_INVALID,
                                   KNOWN_CLASS_BaseVirtualThread,
                                   JVMTI_ERROR_INVALID_THREAD, &o));
    return JVMTI_ERROR_NONE;
}

/* Returns true if t is a virtual thread that is no exception. */
static bool
is_meant(const struct thread *t, const struct handle_scope *except)
{
    const struct object *o = t->object;

    return o && thread_object_is_virtual(t->vm, o)
           && !is_among(handle_scope_objects(except), handle_scope_count(except), o);
}

/* The calling thread is suspended last, since it could not suspend the others any
   more. */
jvmtiError
jvmti_SuspendAllVirtualThreads(struct thread *self, jint except_count,
                               const jthread *except_list)
{
    struct handle_scope except = handle_scope_open(self);
    struct vm *vm = self->vm;

    TRY(resolve_exceptions(self, except_count, except_list));
    TRY(set_mode(vm, true, &except));
    for (struct thread *t = thread_next(vm, NULL); t; t = thread_next(vm, t))
        if (t != self && is_meant(t, &except))
            thread_suspend(self, t);
    if (is_meant(self, &except))
        thread_suspend(self, self);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_ResumeAllVirtualThreads(struct thread *self, jint except_count,
                              const jthread *except_list)
{
    struct handle_scope except = handle_scope_open(self);
    struct vm *vm = self->vm;

    TRY(resolve_exceptions(self, except_count, except_list));
    TRY(set_mode(vm, false, &except));
    for (struct thread *t = thread_next(vm, NULL); t; t = thread_next(vm, t))
        if (is_meant(t, &except))
            thread_resume(t);
    return JVMTI_ERROR_NONE;
}

/* The hook vm->thread_starts: suspends t at its start if it is a virtual thread and the
   mode says so.  t runs nothing yet, so nobody is waited for; it stops as soon as it
   enters the VM. */
void
jvmti_on_thread_starts(struct thread *t)
{
    struct jvmti_vm *jvmti = t->vm->jvmti;

    if (!thread_object_is_virtual(t->vm, t->object))
        return;
    LOCK(&jvmti->mutex);
    if (would_start_suspended(jvmti, t->object))
        attention_set(t, ATTENTION_SUSPEND);
    for (size_t i = jvmti->unlike_mode_count; i-- > 0;)
        if (jvmti->unlike_mode[i] == t->object)
            jvmti->unlike_mode[i] = jvmti->unlike_mode[--jvmti->unlike_mode_count];
}

void
jvmti_visit_unlike_mode(const struct jvmti_vm *jvmti, heap_root_fn *visit,
                        void *context)
{
    for (size_t i = 0; i < jvmti->unlike_mode_count; i++)
        root_visit(visit, context, jvmti->unlike_mode[i], ROOT_OTHER, NULL);
}
