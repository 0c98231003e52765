/* SPDX-License-Identifier: MIT */
/* minivm/interp/calls.c -- entering and leaving methods off the fast path. */

#include "interp/interp.h"

#include <string.h>

#include "base/bytes.h"
#include "base/events.h"
#include "classfile/opcode.h"
#include "interp/force.h"
#include "interp/form.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/vm.h"

/* ---- code ---- */

/* The operand stack has two slots more than the class file says: for a call site's
   appendix and for the translator. */
enum { SPARE_OPERANDS = 2 };

void
code_prepare(struct code *code)
{
    const struct method *m = code->method;
    bool has_code = code->info && code->info->has_code;

    code->max_locals = has_code ? code->info->max_locals : m->arg_slots;
    /* The result goes where local 0 is, which must not be the frame's header. */
    if (code->max_locals == 0 && m->return_type != 'V')
        code->max_locals = 1;
    if (code_is_far(code))
        code->max_locals += FAR_SLOTS;
    code->frame_slots =
        FRAME_HEADER + (has_code ? code->info->max_stack : 0u) + SPARE_OPERANDS;
    code->start = m->flags & METHOD_DELETED ? insn_abstract
                  : method_is_native(m) ? insn_native
                  : has_code          ? insn_translate
                                      : insn_abstract;
}

void
code_release(struct code *code)
{
    translation_free(code->translation);
    translation_free(code->plain);
    code->translation = code->plain = NULL;
}

const union insn *
enter_translate(struct thread *self, struct frame *fp)
{
    struct code *code = fp->code;
    bool plain = wants_plain(self, code);

    if (self->poll.hooks == 0 && !plain && !self->vm->library_watches
        && intrinsic_bind(code->method)) {
        atomic_store_explicit(&code->start, insn_intrinsic, memory_order_release);
        return insn_intrinsic;
    }
    struct translation *t = code_form(self, code, plain);

    if (!t)
        return NULL;
    if (!plain)
        atomic_store_explicit(&code->start, t->units, memory_order_release);
    return t->units;
}

void
enter_abstract(struct thread *self, struct frame *fp)
{
    const struct method *m = fp->code->method, *resolved = m;
    const struct object *receiver = frame_locals(fp)[0].ref;
    struct frame *caller = fp->caller;

    if (m->flags & METHOD_DELETED) {
        THROW(self, NoSuchMethodError, "'%pM'", m);
        return;
    }
    if (!frame_is_entry(caller) && caller->code->info) {
        const uint8_t *call = caller->code->info->code + frame_bci(caller);
        /* By a handle, the method is not the call's. */
        if (call[0] == OP_invokevirtual
            && !(resolved = resolve_call(self, caller->code->pool, get_u2(call + 1),
                                         OP_invokevirtual)))
            return;
        if (resolved->flags & METHOD_SIGNATURE_POLYMORPHIC)
            resolved = m;
    }
    throw_abstract(self, receiver ? object_class(receiver) : m->class, resolved, m);
}

const union insn *
call_start(struct thread *self, struct code *code)
{
    const union insn *start = atomic_load_explicit(&code->start, memory_order_acquire);

    if (__builtin_expect(self->poll.hooks == 0, 1))
        return start;
    if (thread_must_leave(self))
        return insn_error;
    if (start->op == OP_INTRINSIC)
        return method_is_native(code->method) ? insn_native : insn_translate;
    if (code->translation && start == code->translation->units
        && wants_plain(self, code))
        return insn_translate;
    return start;
}

struct frame *
call_slow(struct thread *self, struct frame *caller, struct code *code,
          union slot *args)
{
    struct frame *callee = (struct frame *)(args + code->max_locals);

    if (thread_must_leave(self))
        return NULL;
    if ((union slot *)callee + code->frame_slots > self->stack_red)
        return throw_stack_overflow(self);
    callee->caller = caller;
    callee->code = code;
    callee->pc = pc_tag(insn_translate, PC_AT_START);
    self->top = callee;
    /* The intrinsics of method handles are instructions rather than methods. */
    if ((self->poll.hooks & HOOK_METHOD_ENTRY)
        && !(code->method->flags & METHOD_SIGNATURE_POLYMORPHIC))
        EVENT_SEND(EVENT_METHOD_ENTRY, method_entry, self, callee);
    return exception_pending(self) || thread_must_leave(self) ? NULL : callee;
}

/* ---- polls, returns ---- */

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
    bool is_reference = fp->code->method->return_type == 'L', is_forced = false, again;

    if (self->poll.both == 0)
        return RETURN_NORMAL;
    SCOPE(self);
    if (is_reference)
        keep(self, value->ref);
    thread_poll(self);
    /* A listener may ask for another result. */
    do {
        if (thread_must_leave(self)) {
            is_forced = true;
            force_take(self, &again, value);
            if (again)
                return RETURN_REDO;
            if (is_reference)
                keep(self, value->ref);
        }
        if (exception_pending(self))
            return RETURN_THROW;
        if (self->poll.hooks & HOOK_METHOD_EXIT)
            EVENT_SEND(EVENT_METHOD_EXIT, method_exit, self, fp, value);
        if (self->poll.hooks & HOOK_FRAME_POP)
            EVENT_SEND(EVENT_FRAME_POP, frame_pop, self, fp, false);
    } while (thread_must_leave(self));
    if (exception_pending(self))
        return RETURN_THROW;
    if (is_forced)
        monitor_exit_frame(self, fp);
    return RETURN_NORMAL;
}

/* The result stands where the first argument was, which a collection would take for
   what the descriptor says. */
bool
intrinsic_return(struct thread *self, struct frame *fp)
{
    union slot *first = frame_locals(fp), value = { .bits = 0 };
    bool has_result = fp->code->method->return_type != 'V';

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

bool
return_monitors(struct thread *self, struct frame *fp)
{
    const struct method *m = fp->code->method;

    if (self->lock_count && (m->access_flags & ACC_SYNCHRONIZED)
        && self->locks[self->lock_count - 1].frame == fp
        && !monitor_exit(self, self->locks[self->lock_count - 1].object))
        return false;
    if (self->lock_count == 0 || self->locks[self->lock_count - 1].frame != fp)
        return true;
    /* JVMS 2.11.10, structured locking */
    monitor_exit_frame(self, fp);
    return THROW0(self, IllegalMonitorStateException);
}

/* ---- from C ---- */

/* Where the next frame can begin. */
static union slot *
free_area(const struct thread *self)
{
    struct frame *top = self->top;

    if (!top)
        return self->stack;
    if (frame_is_entry(top))
        return (union slot *)top + FRAME_HEADER + top->aux.i;
    return (union slot *)top + top->code->frame_slots;
}

bool
java_call(struct thread *self, struct method *m, const union slot *args,
          union slot *result)
{
    struct code *code = method_code(m);
    union slot *area = free_area(self), *locals = area + FRAME_HEADER;
    struct frame *caller = self->top, *entry = (struct frame *)area;
    struct frame *callee = (struct frame *)(locals + code->max_locals);

    if ((char *)__builtin_frame_address(0) < self->c_stack_limit
        || (union slot *)callee + code->frame_slots > self->stack_red)
        return throw_stack_overflow(self);
    entry->caller = caller;
    entry->pc = insn_exit;
    entry->code = NULL;
    /* How far a call from within the callee's frame pops is its own business; an
       entry frame on top has its result slot only. */
    entry->aux.i = m->arg_slots + 2;
    if (m->arg_slots)
        memcpy(locals, args, m->arg_slots * sizeof *args);
    callee->caller = entry;
    callee->code = code;
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
