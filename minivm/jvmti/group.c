/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/group.c -- JVM TI "Thread Group". */

#include "jvmti/env.h"
#include "runtime/above.h"
#include "runtime/string.h"

/* There is one group without a parent, "system", which the VM makes. */
jvmtiError
jvmti_GetTopThreadGroups(struct thread *self, jint *count, jthreadGroup **groups)
{
    struct handle_scope found = handle_scope_open(self);

    handle_new(self, self->vm->system_group);
    return jvmti_locals(&found, count, groups);
}

/* A group without a name, such as one whose constructor has not run, gets NULL for
   it. */
jvmtiError
jvmti_GetThreadGroupInfo(struct thread *self, struct object *group,
                         jvmtiThreadGroupInfo *info)
{
    const struct vm *vm = self->vm;
    struct object *name = REF_FIELD(vm, group, ThreadGroup_name);
    jvmtiThreadGroupInfo all = {
        .max_priority = INT_FIELD(vm, group, ThreadGroup_maxPriority),
        .is_daemon = OBJECT_FIELD(uint8_t, group, KF(vm, ThreadGroup_daemon)) != 0,
    };

    TRY(jvmti_local(self, REF_FIELD(vm, group, ThreadGroup_parent), &all.parent));
    if (name) {
        all.name = string_to_modified(name);
        TRY(jvmti_add_result(all.name));
    }
    *info = all;
    return JVMTI_ERROR_NONE;
}

/* Makes handles for the groups of a group, which the class library finds: since JDK 21
   it keeps most of them by weak references.  If that has thrown, an exception is pending
   afterwards, which the caller's EXCEPTION_WAITS drops. */
static jvmtiError
add_found_subgroups(struct thread *self, struct object *group)
{
    union slot args[1] = { { .ref = group } }, result;

    if (!java_call(self, KM(self->vm, ThreadGroup_subgroupsAsArray), args, &result))
        return object_is_instance(self->exception, KC(self->vm, OutOfMemoryError))
                   ? JVMTI_ERROR_OUT_OF_MEMORY
                   : JVMTI_ERROR_INTERNAL;
    for (int32_t i = 0; i < array_length(result.ref); i++)
        handle_new(self, ARRAY_REFS(result.ref)[i]);
    return JVMTI_ERROR_NONE;
}

/* Makes handles for the groups of a group, from its array.  Java changes the array and
   the count without this thread's knowledge, so neither is taken for consistent with
   the other. */
static void
add_subgroup_handles(struct thread *self, const struct object *group)
{
    struct object *array = REF_FIELD(self->vm, group, ThreadGroup_groups);
    int32_t length = array ? array_length(array) : 0;
    int32_t used = INT_FIELD(self->vm, group, ThreadGroup_ngroups);

    for (int32_t i = 0; i < length && i < used; i++)
        if (ARRAY_REFS(array)[i] != NULL)
            handle_new(self, ARRAY_REFS(array)[i]);
}

/* The live threads of the group itself come first, then its subgroups; each kind has a
   scope of handles. */
jvmtiError
jvmti_GetThreadGroupChildren(struct thread *self, struct object *group,
                             jint *thread_count, jthread **threads, jint *group_count,
                             jthreadGroup **groups)
{
    EXCEPTION_WAITS(self);
    struct handle_scope members = handle_scope_open(self);
    jint member_count, subgroup_count;
    jthread *all_members;
    jthreadGroup *all_subgroups;

    TRY(jvmti_add_thread_handles(self, group));
    TRY(jvmti_locals(&members, &member_count, &all_members));
    struct handle_scope subgroups = handle_scope_open(self);
    if (!KM(self->vm, ThreadGroup_subgroupsAsArray))
        add_subgroup_handles(self, group);
    else
        TRY(add_found_subgroups(self, group));
    TRY(jvmti_locals(&subgroups, &subgroup_count, &all_subgroups));
    *thread_count = member_count;
    *threads = all_members;
    *group_count = subgroup_count;
    *groups = all_subgroups;
    return JVMTI_ERROR_NONE;
}
