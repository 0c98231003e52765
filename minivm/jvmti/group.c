/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/group.c -- JVM TI "Thread Group". */

#include "base/mem.h"
#include "jvmti/env.h"
#include "jvmti/stack.h"
#include "vm/string.h"

jvmtiError
jvmti_GetTopThreadGroups(jint *group_count_ptr, jthreadGroup **groups_ptr)
{
    TRY(jvmti_locals(&current_thread->vm->system_group, 1, groups_ptr));
    *group_count_ptr = 1;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadGroupInfo(struct object *group, jvmtiThreadGroupInfo *info_ptr)
{
    const struct vm *vm = current_thread->vm;
    struct object *name = OBJECT_FIELD(struct object *, group, KF(vm, ThreadGroup_name));
    jvmtiThreadGroupInfo info = {
        .max_priority = OBJECT_FIELD(int32_t, group, KF(vm, ThreadGroup_maxPriority)),
        .is_daemon = OBJECT_FIELD(uint8_t, group, KF(vm, ThreadGroup_daemon)) != 0,
    };

    TRY(jvmti_local(OBJECT_FIELD(struct object *, group, KF(vm, ThreadGroup_parent)),
                    &info.parent));
    if (name != NULL)
        info.name = string_to_modified(name);
    *info_ptr = info;
    return JVMTI_ERROR_NONE;
}

static bool
is_in_group(const struct thread *t, void *arg)
{
    return !t->is_agent_thread
           && OBJECT_FIELD(struct object *, t->object, KF(t->vm, Thread_group)) == arg;
}

/* The direct subgroups, kept; mem_free. */
static jvmtiError
child_groups(struct thread *self, struct object *group, struct object ***result,
             size_t *result_count)
{
    const struct vm *vm = self->vm;
    struct object *array =
        keep(self, OBJECT_FIELD(struct object *, group, KF(vm, ThreadGroup_groups)));
    int32_t length = array != NULL ? array_length(array) : 0;
    int32_t used = OBJECT_FIELD(int32_t, group, KF(vm, ThreadGroup_ngroups));
    size_t count = 0;

    *result = mem_try_calloc((size_t)length + 1, sizeof **result);
    if (*result == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < length && i < used; i++)
        if (ARRAY_REFS(array)[i] != NULL)
            (*result)[count++] = keep(self, ARRAY_REFS(array)[i]);
    *result_count = count;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetThreadGroupChildren(struct object *group, jint *thread_count_ptr,
                             jthread **threads_ptr, jint *group_count_ptr,
                             jthreadGroup **groups_ptr)
{
    struct thread *self = current_thread;
    struct object **threads = NULL, **groups = NULL;
    size_t thread_count = 0, group_count = 0;
    jthread *thread_refs = NULL;
    jthreadGroup *group_refs = NULL;
    jvmtiError error;

    error = jvmti_live_threads(self, is_in_group, group, &threads, &thread_count);
    if (error == JVMTI_ERROR_NONE)
        error = child_groups(self, group, &groups, &group_count);
    if (error == JVMTI_ERROR_NONE)
        error = jvmti_locals(threads, thread_count, &thread_refs);
    if (error == JVMTI_ERROR_NONE)
        error = jvmti_locals(groups, group_count, &group_refs);
    mem_free(threads);
    mem_free(groups);
    if (error != JVMTI_ERROR_NONE) {
        jvmti_free(thread_refs);
        return error;
    }
    *thread_count_ptr = (jint)thread_count;
    *threads_ptr = thread_refs;
    *group_count_ptr = (jint)group_count;
    *groups_ptr = group_refs;
    return JVMTI_ERROR_NONE;
}
