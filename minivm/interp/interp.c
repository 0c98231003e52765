/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/interp.c -- the loop that runs internal instructions.
 *
 * Instructions.  The loop does not run bytecode but what the translator has made of
 * it: words of eight bytes with an opcode and three operands (insn.h, ops.def).
 * Operands name slots relative to the frame pointer, so a frame's slots are the
 * registers of a register machine: SLOT(fp, pc->a) is the slot that operand a names.
 *
 * Dispatch.  Each instruction has a label do_NAME.  There is no loop in the C program:
 * the code of an instruction ends with DISPATCH, which reads the opcode of the next
 * one, takes its label from a table and jumps there (computed goto, an extension of
 * gcc and clang; the technique is called token-threaded code).  So every instruction
 * has an indirect jump of its own, and the processor predicts each by what usually
 * follows that instruction.  The compiler must not merge the jumps: local.mk has the
 * options for that.
 *
 * Code.  Most instructions follow a pattern, such as "a = b op c"; they have a row each
 * in handlers.def.  loop.h has the patterns and the small parts that all code is made
 * of.  The code of the others is here.
 *
 * Registers.  pc, the instruction, and fp, the frame, are locals that stay in
 * registers.  Nobody else sees them, so the loop writes fp->pc before it calls anything
 * that may look: save_pc where the operands are in their slots,
 * save_pc_without_operands where the instruction throws or returns and they do not
 * matter.  After such a call RESUME unwinds if it has failed with an exception pending;
 * leaves the frame if an agent has asked for that (force.h); and reads pc again, because
 * on-stack replacement (osr.c) may have moved the frame to another translation
 * meanwhile.  self->top is the frame that runs.
 *
 * Calls.  Frames are on the thread's Java stack, and Java methods that call each other
 * do not use the C stack.  A call copies nothing: the arguments, which the caller has
 * put into its topmost operand slots, are the callee's first locals, and the callee's
 * frame is behind them (runtime/frame.h has a picture).
 *
 *      caller:  locals | header | operands ... arguments
 *      callee:                                 locals ... | header | operands
 *
 * The result goes into the callee's local 0, which is where the caller's operand stack
 * expects it.  A return loads the frame of the caller, and its pc from there. What a
 * method does when it is called is told by its first instruction: translated code, or
 * one that translates it, or that calls native code or a C body (version.c).
 *
 * Quickening.  An instruction whose constant is not resolved shares the label do_Q,
 * where quicken (quicken.c) resolves it and rewrites it to another instruction, which
 * is run next and needs no look at the constant any more.  Other threads may run the
 * same words, so the opcode is loaded with acquire order: who sees the new opcode sees
 * its operands.
 *
 * Polls.  Returns and backward branches look at one word of struct thread (poll),
 * which is not 0 if the thread is to stop or if somebody wants to hear of events;
 * everything then happens in a function out of line (calls.c).
 *
 * Memory model.  Accesses to the heap are relaxed atomics, which do not tear (JLS
 * 17.6, 17.7); those of volatile fields are sequentially consistent.
 */

#include "interp/interp.h"

#include "interp/loop.h"
#include "linking/initialize.h"
#include "linking/message.h"
#include "linking/select.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/monitor.h"

bool
interp_loop(struct thread *self, struct frame *fp)
{
    static const void *const table[] = {
#define OP(name, words, slots) &&do_##name,
#define OP_Q(name, words, slots) &&do_Q,
#include "interp/ops.def"
#undef OP
    };
    const union insn *pc;
    struct method *m;
    struct method_version *version;
    struct frame *callee;
    union slot *args;
    struct object *o;
    uint32_t index;
    /* Its address tells this call of the function from others (struct continuation).  That
       of the frame would do, but the compiler then gives up a register for it. */
    char loop = 0;

    pc = call_start(self, fp->version);
    DISPATCH();

    /* ---- the first instructions of methods ---- */

do_TRANSLATE:
    save_pc(fp, pc);
    pc = enter_translate(self, fp);
    if (unlikely(!pc))
        goto unwind;
    DISPATCH();
do_ABSTRACT:
    save_pc(fp, pc);
    enter_abstract(self, fp);
    goto unwind;
do_LINK_ERROR:
    goto unwind;
do_NATIVE:
    if (unlikely(intrinsic_bind(fp->version->method)))
        goto do_INTRINSIC;
    if (unlikely(!native_invoke(self, fp)))
        goto unwind;
    goto pop;
do_INTRINSIC:
    save_pc(fp, pc);
    m = fp->version->method;
    if (unlikely(!__atomic_load_n(&m->intrinsic, __ATOMIC_RELAXED)(self,
                                                                   frame_locals(fp)))) {
        pc = intrinsic_failed(self, fp);
        if (!pc)
            goto unwind;
        DISPATCH();
    }
    if (unlikely(GET(uint64_t, &self->poll.both)) && !intrinsic_return(self, fp))
        goto unwind;
    goto pop;
do_EXIT:
    self->top = fp;
    return true;
    /* The first two make another frame the newest one; what that waits for is done. */
do_CONT_ENTER:
    save_pc(fp, pc);
    if (unlikely(!continuation_enter(self, fp, &loop)))
        goto unwind;
    fp = self->top;
    if (frame_is_native(fp))
        goto native_done;
    /* The first frame of a new continuation, or one that has entered a monitor. */
    if (pc_untag(fp->pc) == insn_translate) {
        pc = call_start(self, fp->version);
        DISPATCH();
    }
    RESUME(self, fp, pc, true);
    NEXT(1);
do_CONT_YIELD:
    save_pc(fp, pc);
    if (unlikely(!continuation_yield(self, fp, &loop)))
        goto unwind;
    fp = self->top;
    goto native_done;
do_CONT_WAIT:
    save_pc(fp, pc);
    if (unlikely(!continuation_wait(self, fp, &loop)))
        goto unwind;
    fp = self->top;
    goto native_done;
do_CONT_EXIT:
    self->top = fp;
    continuation_exit(self);
    fp = self->top;
native_done:
    if (unlikely(GET(uint64_t, &self->poll.both)) && !intrinsic_return(self, fp))
        goto unwind;
    goto pop;
    /* The target gets the intrinsic's arguments in its frame's place: a tail call. */
do_MH_BASIC:
do_MH_STATIC:
do_MH_SPECIAL:
do_MH_VIRTUAL:
do_MH_INTERFACE:
    save_pc(fp, pc);
    m = method_handle_target(self, fp, (enum op)pc->op);
    if (unlikely(!m))
        goto unwind;
    args = frame_locals(fp);
    fp = fp->caller;
    self->top = fp;
    goto enter;
do_SYNC_ENTER:
    m = fp->version->method;
    o = method_is_static(m) ? m->class->layout.mirror : frame_locals(fp)[0].ref;
    if (unlikely(!monitor_enter_fast(self, o, fp)))
        goto enter_monitor;
    NEXT(1);
do_STEP:
    if (unlikely(GET(int32_t, &pc->imm)
                 || (GET(uint32_t, &self->poll.hooks) & HOOK_SINGLE_STEP))) {
        pc = step_hooks(self, fp, pc);
        if (unlikely(!pc))
            goto unwind;
        DISPATCH();
    }
    NEXT(1);

    /* ---- moves and constants ---- */

do_NOP:
    NEXT(1);
do_MOVE:
    SLOT(fp, pc->a) = SLOT(fp, pc->b);
    NEXT(1);
do_MOVE2 : {
    union slot *to = &SLOT(fp, pc->a);
    to[0] = SLOT(fp, pc->b);
    to[1] = SLOT(fp, pc->c);
    NEXT(1);
}
do_CONST:
    SLOT(fp, pc->a).j = pc->imm;
    NEXT(1);
do_CONST64:
    SLOT(fp, pc->a).bits = pc[1].bits;
    NEXT(2);
do_FAR_GET:
    SLOT(fp, pc->a) = SLOT(fp, pc->imm);
    NEXT(1);
do_FAR_PUT:
    SLOT(fp, pc->imm) = SLOT(fp, pc->a);
    NEXT(1);

    /* ---- arithmetic, simple branches, elements and fields ---- */

#include "interp/handlers.def"

    /* ---- other jumps ---- */

do_IFNULL:
    if (!SLOT(fp, pc->a).ref)
        JUMP(self, pc, pc->c);
    NEXT(1);
do_IFNONNULL:
    if (SLOT(fp, pc->a).ref)
        JUMP(self, pc, pc->c);
    NEXT(1);
do_GOTO:
    JUMP(self, pc, pc->imm);
do_TABLESWITCH : {
    const struct switch_table *t = pc[1].pointer;
    uint32_t i = (uint32_t)SLOT(fp, pc->a).i - (uint32_t)t->cases[0].key;
    JUMP(self, pc, i < t->count ? t->cases[i].offset : t->default_offset);
}
do_LOOKUPSWITCH : {
    const struct switch_table *t = pc[1].pointer;
    int32_t key = SLOT(fp, pc->a).i, offset = t->default_offset;
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->cases[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->count && t->cases[low].key == key)
        offset = t->cases[low].offset;
    JUMP(self, pc, offset);
}
do_JSR:
    SLOT(fp, pc->a).j = subroutine_return(fp, pc);
    JUMP(self, pc, pc->imm);
do_RET:
    pc = subroutine_word(fp, pc, SLOT(fp, pc->a).j);
    DISPATCH();
poll:
    pc = poll_branch(self, fp, pc);
    if (unlikely(!pc))
        goto unwind;
    DISPATCH();

    /* ---- arrays ---- */

do_BASTORE:
    o = SLOT(fp, pc->b).ref;
    index = SLOT(fp, pc->c).u;
    if (unlikely(!o))
        goto throw_null;
    if (unlikely(index >= (uint32_t)array_length(o)))
        goto throw_bounds;
    /* Of a boolean only the lowest bit is stored (JVMS 6.5 "bastore"). */
    PUT(int8_t, ARRAY_BYTES(o) + index,
        object_class(o)->element->primitive == 'Z' ? SLOT(fp, pc->a).i & 1
                                                   : SLOT(fp, pc->a).i);
    NEXT(1);
do_AASTORE : {
    struct object *value = SLOT(fp, pc->a).ref;
    o = SLOT(fp, pc->b).ref;
    index = SLOT(fp, pc->c).u;
    if (unlikely(!o))
        goto throw_null;
    if (unlikely(index >= (uint32_t)array_length(o)))
        goto throw_bounds;
    if (value && unlikely(object_class(o)->element != object_class(value))
        && unlikely(!class_is_subtype(object_class(value), object_class(o)->element))) {
        save_pc_without_operands(fp, pc);
        THROW(self, ArrayStoreException, "%pC", object_class(value));
        goto unwind;
    }
    PUT(struct object *, ARRAY_REFS(o) + index, value);
    NEXT(1);
}
do_ARRAYLENGTH:
    o = SLOT(fp, pc->b).ref;
    if (unlikely(!o))
        goto throw_null;
    SLOT(fp, pc->a).i = array_length(o);
    NEXT(1);

    /* ---- unresolved instructions, and those that are looked at each time ---- */

do_CHECKCAST_Q:
    if (!SLOT(fp, pc->a).ref) /* null needs no class */
        NEXT(2);
    goto do_Q;
do_INSTANCEOF_Q:
    if (!SLOT(fp, pc->b).ref) {
        SLOT(fp, pc->a).i = 0;
        NEXT(2);
    }
do_Q : {
    enum quick_outcome outcome;
    save_pc(fp, pc);
    outcome = quicken(self, fp, pc);
    RESUME(self, fp, pc, outcome != QUICK_FAILED);
    NEXT(outcome == QUICK_DONE ? op_words[pc->op] : 0);
}

    /* ---- calls ---- */

do_INVOKESTATIC:
    m = pc[1].method;
    args = first_argument(fp, pc);
    goto call;
do_INVOKESTATIC_INIT:
    m = pc[1].method;
    save_pc(fp, pc);
    if (unlikely(!class_initialize(self, m->class)))
        goto unwind;
    if (class_is_initialized(m->class)) {
        union insn first = *pc;
        first.op = OP_INVOKESTATIC;
        quick_store(pc, first, pc[1].bits);
    }
    RESUME(self, fp, pc, true);
    args = first_argument(fp, pc);
    goto call;
do_INVOKESPECIAL:
    args = first_argument(fp, pc);
    o = args->ref;
    if (unlikely(!o))
        goto throw_null;
    m = pc[1].method;
    goto call;
do_INVOKEVIRTUAL:
    args = first_argument(fp, pc);
    o = args->ref;
    if (unlikely(!o))
        goto throw_null;
    m = object_class(o)->vtable[(uint16_t)pc->b];
    goto call;
do_INVOKEINTERFACE:
    args = first_argument(fp, pc);
    o = args->ref;
    if (unlikely(!o))
        goto throw_null;
    m = class_interface_method(object_class(o), pc[1].method);
    if (unlikely(!m)) {
        save_pc(fp, pc);
        m = select_interface(self, object_class(o), pc[1].method, pc->b);
        RESUME(self, fp, pc, m);
    }
    goto call;
do_INVOKEHANDLE:
    if (unlikely(!first_argument(fp, pc)->ref))
        goto throw_null;
do_INVOKEDYNAMIC : {
    const struct call_site *site = pc[1].pointer;
    m = site->adapter;
    args = first_argument(fp, pc);
    if (site->appendix)
        args[site->arg_slots].ref = site->appendix;
}
    /* m is the method to call, and args are its arguments. */
call:
    fp->pc = pc + 2;
enter:
    version = method_version(m);
    callee = (struct frame *)(args + version->max_locals);
    /* limit is the end of the stack, or NULL while a hook wants to know of calls. */
    if (unlikely((union slot *)callee + version->frame_slots
                 > GET(union slot *, &self->limit))) {
        callee = call_slow(self, fp, version, args);
        if (!callee)
            goto unwind;
        fp = callee;
        pc = call_start(self, version);
        DISPATCH();
    }
    callee->caller = fp;
    callee->version = version;
    fp = callee;
    self->top = fp;
    pc = atomic_load_explicit(&version->start, memory_order_acquire);
    DISPATCH();

do_RETURN_A:
    if (unlikely(GET(uint64_t, &self->poll.both)))
        goto return_slow;
    SLOT(fp, pc->b) = SLOT(fp, pc->a);
pop:
    fp = fp->caller;
    self->top = fp;
    pc = fp->pc;
    DISPATCH();
do_RETURN:
    if (unlikely(GET(uint64_t, &self->poll.both)))
        goto return_slow;
    goto pop;
do_RETURN_SLOW:
    /* The common case: a synchronized method with its one lock. */
    if (!GET(uint64_t, &self->poll.both) && self->lock_count != 0) {
        const struct held_lock *top = &self->locks[self->lock_count - 1];
        if (top->frame == fp && (fp->version->method->access_flags & ACC_SYNCHRONIZED)
            && (self->lock_count == 1 || top[-1].frame != fp)
            && monitor_exit_fast(self, top->object))
            goto return_value;
    }
return_slow : {
    union slot value = SLOT(fp, pc->a);
    save_pc_without_operands(fp, pc);
    switch (return_hooks(self, fp, &value)) {
    case RETURN_THROW: goto unwind;
    case RETURN_REDO:
        fp = self->top;
        pc = pc_untag(fp->pc);
        DISPATCH();
    default: break;
    }
    if (!return_monitors(self, fp))
        goto unwind;
    SLOT(fp, pc->a) = value;
}
return_value:
    if (fp->version->method->return_type != 'V') {
        args = frame_locals(fp);
        *args = SLOT(fp, pc->a);
        args->i = narrowed(args->i, fp->version->method->return_type);
    }
    goto pop;
do_FENCE:
    __atomic_thread_fence(__ATOMIC_RELEASE);
    NEXT(1);
do_CONSTRUCTED:
    o = SLOT(fp, pc->a).ref;
    if (unlikely(object_layout(o)->has_finalizer)) {
        save_pc(fp, pc);
        RESUME(self, fp, pc, object_register_finalizer(self, o));
    }
    NEXT(1);
do_ATHROW:
    if (unlikely(!SLOT(fp, pc->a).ref))
        goto throw_null;
    save_pc_without_operands(fp, pc);
    throw_object(self, SLOT(fp, pc->a).ref);
    goto unwind;

    /* ---- objects ---- */

do_NEW:
    o = heap_allocate_small(&self->cache, &pc[1].class->layout, (unsigned)pc->c);
    if (unlikely(!o)) {
        save_pc(fp, pc);
        o = object_new(self, pc[1].class);
        RESUME(self, fp, pc, o);
    }
    SLOT(fp, pc->a).ref = o;
    NEXT(2);
do_NEWARRAY:
    save_pc(fp, pc);
    o = array_new_checked(self, pc[1].class, SLOT(fp, pc->b).i);
    RESUME(self, fp, pc, o);
    SLOT(fp, pc->a).ref = o;
    NEXT(2);
do_MULTIANEWARRAY:
    save_pc(fp, pc);
    o = array_new_multi(self, pc[1].class, pc->b, first_argument(fp, pc));
    RESUME(self, fp, pc, o);
    first_argument(fp, pc)->ref = o;
    NEXT(2);
do_CHECKCAST:
    o = SLOT(fp, pc->a).ref;
    if (o && object_class(o) != pc[1].class
        && unlikely(!class_is_subtype(object_class(o), pc[1].class))) {
        save_pc_without_operands(fp, pc);
        THROW(self, ClassCastException, "class %pC cannot be cast to class %pC (%pT)",
              object_class(o), pc[1].class, CLASS_PAIR(object_class(o), pc[1].class));
        goto unwind;
    }
    NEXT(2);
do_INSTANCEOF:
    o = SLOT(fp, pc->b).ref;
    SLOT(fp, pc->a).i = o && class_is_subtype(object_class(o), pc[1].class);
    NEXT(2);
do_MONITORENTER:
    o = SLOT(fp, pc->a).ref;
    if (unlikely(!o))
        goto throw_null;
    if (unlikely(!monitor_enter_fast(self, o, fp)))
        goto enter_monitor;
    NEXT(1);
    /* A virtual thread may be unmounted, and goes on behind this instruction then. */
enter_monitor:
    save_pc(fp, pc);
    if (unlikely(!continuation_monitor_enter(self, o, fp, &loop)))
        goto unwind;
    if (unlikely(self->top != fp)) {
        fp = self->top;
        goto native_done;
    }
    RESUME(self, fp, pc, true);
    NEXT(1);
do_MONITOREXIT:
    o = SLOT(fp, pc->a).ref;
    if (unlikely(!o))
        goto throw_null;
    if (unlikely(!monitor_exit_fast(self, o))) {
        save_pc(fp, pc);
        if (!monitor_is_held(self, o))
            THROW0(self, IllegalMonitorStateException);
        else
            monitor_exit(self, o);
        if (self->exception)
            goto unwind;
        RESUME(self, fp, pc, true);
    }
    NEXT(1);

    /* ---- exceptions ---- */

throw_null:
    save_pc_without_operands(fp, pc);
    throw_null_pointer(self);
    goto unwind;
throw_bounds:
    save_pc_without_operands(fp, pc);
    throw_array_index(self, SLOT(fp, pc->b).ref, SLOT(fp, pc->c).i);
    goto unwind;
throw_division:
    save_pc_without_operands(fp, pc);
    THROW(self, ArithmeticException, "/ by zero");
unwind:
    fp = interp_unwind(self, self->top);
    if (!fp) {
        if (self->top->pc != insn_cont_exit)
            return false;
        continuation_exit(self);
        goto unwind;
    }
    self->top = fp;
    pc = fp->pc;
    DISPATCH();
}
