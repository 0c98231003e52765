/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/group.c -- JVM TI "Thread Group". */

#include "jvmti/env.h"
#include "vm/string.h"

jvmtiError
jvmti_GetTopThreadGroups(jint *count, jthreadGroup **groups)
{
    struct scope found = scope_open(current_thread);

    keep(found.self, found.self->vm->system_group);
    return jvmti_locals(&found, count, groups);
}

jvmtiError
jvmti_GetThreadGroupInfo(struct object *group, jvmtiThreadGroupInfo *info)
{
    const struct vm *vm = current_thread->vm;
    struct object *name = REF_FIELD(vm, group, ThreadGroup_name);
    jvmtiThreadGroupInfo all = {
        .max_priority = INT_FIELD(vm, group, ThreadGroup_maxPriority),
        .is_daemon = OBJECT_FIELD(uint8_t, group, KF(vm, ThreadGroup_daemon)) != 0,
    };

    TRY(jvmti_local(REF_FIELD(vm, group, ThreadGroup_parent), &all.parent));
    if (name != NULL)
        TRY(jvmti_result(string_to_modified(name), &all.name));
    *info = all;
    return JVMTI_ERROR_NONE;
}

static void
keep_subgroups(struct thread *self, const struct object *group)
{
    struct object *array = REF_FIELD(self->vm, group, ThreadGroup_groups);
    int32_t length = array != NULL ? array_length(array) : 0;
    int32_t used = INT_FIELD(self->vm, group, ThreadGroup_ngroups);

    for (int32_t i = 0; i < length && i < used; i++)
        if (ARRAY_REFS(array)[i] != NULL)
            keep(self, ARRAY_REFS(array)[i]);
}

jvmtiError
jvmti_GetThreadGroupChildren(struct object *group, jint *thread_count,
                             jthread **threads, jint *group_count,
                             jthreadGroup **groups)
{
    struct scope members = scope_open(current_thread);

    TRY(jvmti_keep_threads(members.self, group));
    TRY(jvmti_locals(&members, thread_count, threads));
    struct scope subgroups = scope_open(members.self);
    keep_subgroups(members.self, group);
    return jvmti_locals(&subgroups, group_count, groups);
}
