/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/calls.c -- entering and leaving methods off the loop's fast path.
 *
 * The loop pushes and pops frames itself as long as nothing else wants to know.  Any
 * need makes one of its few tests fail and brings it here: thread->limit, which the
 * end of the Java stack and the wish for MethodEntry events both lower, for calls;
 * thread->poll, in which safepoints, handshakes and all hooks (thread.h) have bits,
 * for returns and backward branches.
 *
 * java_call is the way in the other direction, from C into the loop.  It pushes an
 * entry frame, whose only instruction ends the loop, with the callee's frame above it.
 */

#include "interp/interp.h"

#include <string.h>

#include "base/bytes.h"
#include "base/events.h"
#include "classfile/opcode.h"
#include "interp/force.h"
#include "interp/translation.h"
#include "linking/resolve.h"
#include "linking/select.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"

/* fp is the frame of the abstract or deleted method itself, which was entered like any
   other. */
void
enter_abstract(struct thread *self, struct frame *fp)
{
    const struct method *m = fp->version->method, *resolved = m;
    const struct object *receiver = frame_locals(fp)[0].ref;
    struct frame *caller = fp->caller;

    if (m->flags & METHOD_DELETED) {
        THROW(self, NoSuchMethodError, "'%pM'", m);
        return;
    }
    if (!frame_is_entry(caller) && caller->version->info) {
        const uint8_t *call = caller->version->info->code + frame_bci(caller);
        /* The message names the method that the call resolved to.  A call through a
           method handle names another method, so then it is the one selected. */
        if (call[0] == OP_invokevirtual
            && !(resolved = resolve_call(self, caller->version->pool, get_u2(call + 1),
                                         OP_invokevirtual)))
            return;
        if (resolved->flags & METHOD_SIGNATURE_POLYMORPHIC)
            resolved = m;
    }
    throw_abstract_method_error(self, receiver ? object_class(receiver) : m->class,
                                resolved, m);
}

/* The frame of a call that is about to begin has insn_translate as its pc, which stands
   for bytecode 0 (version_bci_before).  If caller has to be left (thread_must_leave),
   the call is not made at all. */
struct frame *
call_slow(struct thread *self, struct frame *caller, struct method_version *version,
          union slot *args)
{
    struct frame *callee = (struct frame *)(args + version->max_locals);

    if (thread_must_leave(self))
        return NULL;
    if ((union slot *)callee + version->frame_slots > self->stack_red)
        return throw_stack_overflow(self);
    callee->caller = caller;
    callee->version = version;
    callee->pc = pc_tag(insn_translate, PC_AT_START);
    self->top = callee;
    /* The intrinsics of method handles are instructions rather than methods. */
    if ((self->poll.hooks & HOOK_METHOD_ENTRY)
        && !(version->method->flags & METHOD_SIGNATURE_POLYMORPHIC))
        EVENT_SEND(EVENT_METHOD_ENTRY, method_entry, self, callee);
    return exception_pending(self) || thread_must_leave(self) ? NULL : callee;
}

/* ---- polls and returns ---- */

/* The frame's pc is read again, since on-stack replacement may have changed it. */
const union insn *
poll_branch(struct thread *self, struct frame *fp, const union insn *target)
{
    fp->pc = pc_tag(target, PC_AT_START);
    thread_poll_slow(self);
    return exception_pending(self) || thread_must_leave(self) ? NULL : pc_untag(fp->pc);
}

enum return_outcome
return_hooks(struct thread *self, struct frame *fp, union slot *value)
{
    bool is_reference = fp->version->method->return_type == 'L';
    bool is_forced = false, again;

    if (self->poll.both == 0)
        return RETURN_NORMAL;
    HANDLE_SCOPE(self);
    if (is_reference)
        handle_new(self, value->ref);
    thread_poll(self);
    /* A listener may ask to leave the frame with another result, which the listeners
       then have to be told, too. */
    do {
        if (thread_must_leave(self)) {
            is_forced = true;
            force_take(self, &again, value);
            if (again)
                return RETURN_REDO;
            if (is_reference)
                handle_new(self, value->ref);
        }
        if (exception_pending(self))
            return RETURN_THROW;
        if (self->poll.hooks & HOOK_METHOD_EXIT)
            EVENT_SEND(EVENT_METHOD_EXIT, method_exit, self, fp, value);
        if (self->poll.hooks & HOOK_FRAME_POP)
            EVENT_SEND(EVENT_FRAME_POP, frame_pop, self, fp, POPPED_BY_RETURN);
    } while (thread_must_leave(self));
    if (exception_pending(self))
        return RETURN_THROW;
    /* ForceEarlyReturn leaves the monitors that the method has entered; without it a
       method that still has some is at fault (return_monitors). */
    if (is_forced)
        monitor_exit_frame(self, fp);
    return RETURN_NORMAL;
}

/* Nobody can ask to pop or leave such a frame (frame_is_opaque), so return_hooks does
   not return RETURN_REDO here. */
bool
intrinsic_return(struct thread *self, struct frame *fp)
{
    union slot *first = frame_locals(fp), value = { .bits = 0 };
    bool has_result = fp->version->method->return_type != 'V';

    /* The result stands where the first argument was.  A collection would take it for
       what the descriptor says about the argument, so it moves away meanwhile. */
    if (has_result) {
        value = *first;
        first->bits = 0;
    }
    fp->pc = pc_tag(fp->pc, PC_NO_OPERANDS);
    if (return_hooks(self, fp, &value) == RETURN_THROW)
        return false;
    if (has_result)
        *first = value;
    return true;
}

const union insn *
intrinsic_failed(struct thread *self, struct frame *fp)
{
    const struct translation *t;

    if (!self->intrinsic_declined)
        return NULL;
    self->intrinsic_declined = false;
    t = version_translation(self, fp->version, false);
    return t ? t->words : NULL;
}

/* The first step leaves the newest monitor of the frame, which is that of the
   synchronized method if the method has left all others.  If one of the frame's is left
   then, the method has kept a monitor that it entered itself. */
bool
return_monitors(struct thread *self, struct frame *fp)
{
    const struct method *m = fp->version->method;

    if (self->lock_count && (m->access_flags & ACC_SYNCHRONIZED)
        && self->locks[self->lock_count - 1].frame == fp
        && !monitor_exit(self, self->locks[self->lock_count - 1].object))
        return false;
    if (self->lock_count == 0 || self->locks[self->lock_count - 1].frame != fp)
        return true;
    /* There is another monitor that the method has entered: JVMS 2.11.10, the first
       rule of structured locking. */
    monitor_exit_frame(self, fp);
    return THROW0(self, IllegalMonitorStateException);
}

/* ---- from C ---- */

/* Returns the first slot of the thread's Java stack behind its newest frame. */
static union slot *
free_area(const struct thread *self)
{
    struct frame *top = self->top;

    if (!top)
        return self->stack;
    if (frame_is_entry(top))
        return (union slot *)top + FRAME_HEADER + top->aux.i;
    return (union slot *)top + top->version->frame_slots;
}

/* Lays an entry frame and the callee's frame behind the newest frame, copies the
   arguments into the callee's locals, and runs the loop until the entry frame is on top
   again.  Each call takes some of the C stack, too, so both stacks are tested. */
bool
java_call(struct thread *self, struct method *m, const union slot *args,
          union slot *result)
{
    struct method_version *version = method_version(m);
    union slot *area = free_area(self), *locals = area + FRAME_HEADER;
    struct frame *caller = self->top, *entry = (struct frame *)area;
    struct frame *callee = (struct frame *)(locals + version->max_locals);

    if ((char *)__builtin_frame_address(0) < self->c_stack_limit
        || (union slot *)callee + version->frame_slots > self->stack_red)
        return throw_stack_overflow(self);
    entry->caller = caller;
    entry->pc = insn_exit;
    entry->version = NULL;
    /* The entry frame may be the newest one while the arguments or the result behind it
       are in use: an intrinsic of method handles pops its frame before it calls its
       target.  free_area begins behind them. */
    entry->aux.i = m->arg_slots + 2;
    if (m->arg_slots)
        memcpy(locals, args, m->arg_slots * sizeof *args);
    callee->caller = entry;
    callee->version = version;
    callee->pc = pc_tag(insn_translate, PC_AT_START);
    self->top = callee;
    if (self->poll.hooks & HOOK_METHOD_ENTRY)
        EVENT_SEND(EVENT_METHOD_ENTRY, method_entry, self, callee);
    bool done = !exception_pending(self) && interp_loop(self, callee);
    if (done && result)
        *result = locals[0];
    self->top = caller;
    return done;
}
