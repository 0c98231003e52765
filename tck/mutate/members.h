/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/members.h -- the members of structures that come out of functions, for the
 * faults FUNCTION.member.PARAMETER/MEMBER: a number is one less or more, a pointer NULL.
 * A maximum is 0, since one more may be as right.  Of an array of structures it is the
 * first that is changed.
 */
#ifndef TCK_MUTATE_MEMBERS_H
#define TCK_MUTATE_MEMBERS_H

#include <jvmti.h>

#include <stddef.h>

enum mutate_member_kind {
    MUTATE_POINTER, MUTATE_BOOLEAN, MUTATE_INT, MUTATE_FEWER, MUTATE_LONG, MUTATE_ZERO,
    MUTATE_FRAME_METHOD, MUTATE_FRAME_LOCATION   /* of the first frame of a list */
};

static const struct {
    const char *type, *member;
    size_t offset;
    enum mutate_member_kind kind;
} mutate_members[] = {
#define M(type, member, kind) { #type, #member, offsetof(type, member), MUTATE_##kind }
    M(jvmtiThreadInfo, name, POINTER),
    M(jvmtiThreadInfo, is_daemon, BOOLEAN),
    M(jvmtiThreadInfo, thread_group, POINTER),
    M(jvmtiThreadInfo, context_class_loader, POINTER),
    M(jvmtiThreadGroupInfo, parent, POINTER),
    M(jvmtiThreadGroupInfo, name, POINTER),
    M(jvmtiThreadGroupInfo, is_daemon, BOOLEAN),
    M(jvmtiFrameInfo, method, POINTER),
    M(jvmtiStackInfo, thread, POINTER),
    M(jvmtiStackInfo, state, INT),
    M(jvmtiStackInfo, frame_count, FEWER),
    { "jvmtiStackInfo", "frame_method", offsetof(jvmtiStackInfo, frame_buffer),
      MUTATE_FRAME_METHOD },
    { "jvmtiStackInfo", "frame_location", offsetof(jvmtiStackInfo, frame_buffer),
      MUTATE_FRAME_LOCATION },
    M(jvmtiMonitorStackDepthInfo, monitor, POINTER),
    M(jvmtiMonitorStackDepthInfo, stack_depth, INT),
    M(jvmtiMonitorUsage, owner, POINTER),
    M(jvmtiMonitorUsage, waiter_count, FEWER),
    M(jvmtiMonitorUsage, notify_waiter_count, FEWER),
    M(jvmtiLineNumberEntry, start_location, LONG),
    M(jvmtiLineNumberEntry, line_number, INT),
    M(jvmtiLocalVariableEntry, start_location, LONG),
    M(jvmtiLocalVariableEntry, length, INT),
    M(jvmtiLocalVariableEntry, name, POINTER),
    M(jvmtiLocalVariableEntry, signature, POINTER),
    M(jvmtiLocalVariableEntry, generic_signature, POINTER),
    M(jvmtiLocalVariableEntry, slot, INT),
    M(jvmtiTimerInfo, max_value, ZERO),
    M(jvmtiTimerInfo, may_skip_forward, BOOLEAN),
    M(jvmtiTimerInfo, may_skip_backward, BOOLEAN),
    M(jvmtiExtensionFunctionInfo, func, POINTER),
    M(jvmtiExtensionFunctionInfo, id, POINTER),
    M(jvmtiExtensionFunctionInfo, short_description, POINTER),
    M(jvmtiExtensionEventInfo, id, POINTER),
    M(jvmtiExtensionEventInfo, short_description, POINTER),
#undef M
};

#endif
