/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/group.c -- JVM TI "Thread Group". */

#include "jvmti/env.h"
#include "jvmti/stack.h"
#include "vm/string.h"

jvmtiError
jvmti_GetTopThreadGroups(jint *group_count_ptr, jthreadGroup **groups_ptr)
{
    struct scope found = scope_open(current_thread);

    keep(found.self, found.self->vm->system_group);
    return jvmti_locals(&found, group_count_ptr, groups_ptr);
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

static void
keep_subgroups(struct thread *self, const struct object *group)
{
    const struct vm *vm = self->vm;
    struct object *array =
        OBJECT_FIELD(struct object *, group, KF(vm, ThreadGroup_groups));
    int32_t length = array != NULL ? array_length(array) : 0;
    int32_t used = OBJECT_FIELD(int32_t, group, KF(vm, ThreadGroup_ngroups));

    for (int32_t i = 0; i < length && i < used; i++)
        if (ARRAY_REFS(array)[i] != NULL)
            keep(self, ARRAY_REFS(array)[i]);
}

jvmtiError
jvmti_GetThreadGroupChildren(struct object *group, jint *thread_count_ptr,
                             jthread **threads_ptr, jint *group_count_ptr,
                             jthreadGroup **groups_ptr)
{
    struct scope threads = scope_open(current_thread);
    jthread *thread_refs;
    jint thread_count;

    TRY(jvmti_keep_threads(threads.self, group));
    TRY(jvmti_locals(&threads, &thread_count, &thread_refs));
    struct scope groups = scope_open(threads.self);
    keep_subgroups(groups.self, group);
    jvmtiError error = jvmti_locals(&groups, group_count_ptr, groups_ptr);
    if (error != JVMTI_ERROR_NONE) {
        jvmti_free(thread_refs);
        return error;
    }
    *thread_count_ptr = thread_count;
    *threads_ptr = thread_refs;
    return JVMTI_ERROR_NONE;
}
