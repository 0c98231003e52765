/* SPDX-License-Identifier: MIT */
/* minivm/interp/interp.c -- the loop.
 *
 * pc and fp live in registers; fp->pc is written where somebody may look.  A
 * handler that leaves the loop's fast path saves it as AT (operands in place) and
 * takes it BACK, or as DEAD (it throws or returns, operands do not matter).  Heap
 * accesses are relaxed atomics (JLS 17.6, 17.7); volatile ones are sequentially
 * consistent. */

#include "interp/interp.h"

#include <math.h>

#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/vm.h"

#define unlikely(x) __builtin_expect(!!(x), 0)

#define R(n) (((union slot *)fp)[n])
#define A R(pc->a)
#define B R(pc->b)
#define C R(pc->c)
/* The operand that a call's arguments, or counts, begin with. */
#define ARGUMENTS (&R(FRAME_HEADER + (uint16_t)pc->a))
#define DISPATCH() goto *table[__atomic_load_n(&pc->op, __ATOMIC_ACQUIRE)]
#define NEXT(n) \
    do { \
        pc += (n); \
        DISPATCH(); \
    } while (0)
#define AT() (fp->pc = pc + 1)
/* Behind AT() and a call that may have stopped: the frame's form may be another, or an
   agent has asked to leave it. */
#define BACK() \
    do { \
        if (unlikely(thread_must_leave(self))) \
            goto unwind; \
        pc = fp->pc - 1; \
    } while (0)
#define DEAD() (fp->pc = pc_tag(pc + 1, PC_NO_OPERANDS))
/* A call that may stop, and fails with an exception pending. */
#define SLOW(call) \
    do { \
        AT(); \
        if (unlikely(!(call))) \
            goto unwind; \
        BACK(); \
    } while (0)

/* The object o that a slot refers to; the field of it that pc names. */
#define OBJECT(slot) \
    do { \
        o = (slot).ref; \
        if (unlikely(!o)) \
            goto throw_null; \
    } while (0)
#define FIELD object_at(o, (uint16_t)pc->c)

#define GET(type, p) __atomic_load_n((type *)(p), __ATOMIC_RELAXED)
#define PUT(type, p, v) __atomic_store_n((type *)(p), (type)(v), __ATOMIC_RELAXED)
#define GET_VOL(type, p) __atomic_load_n((type *)(p), __ATOMIC_SEQ_CST)
#define PUT_VOL(type, p, v) __atomic_store_n((type *)(p), (type)(v), __ATOMIC_SEQ_CST)

/* Java's conversions saturate, NaN is 0 (JLS 5.1.3). */
static int32_t
to_int(double d)
{
    return d >= 2147483647.0 ? INT32_MAX : d > -2147483649.0 ? (int32_t)d
           : d != d          ? 0
                             : INT32_MIN;
}

static int64_t
to_long(double d)
{
    return d >= 9223372036854775807.0   ? INT64_MAX
           : d >= -9223372036854775808.0 ? (int64_t)d
           : d != d                      ? 0
                                         : INT64_MIN;
}

bool
interp_loop(struct thread *self, struct frame *fp)
{
    static const void *const table[] = {
#define OP(name, units) &&do_##name,
#define OP_Q(name, units) &&do_Q,
#include "interp/ops.def"
#undef OP
    };
    const union insn *pc;
    struct method *m;
    struct code *code;
    struct frame *callee;
    union slot *args;
    struct object *o;

    pc = call_start(self, fp->code);
    DISPATCH();

    /* ---- beginnings ---- */

do_TRANSLATE:
    AT();
    pc = enter_translate(self, fp);
    if (unlikely(!pc))
        goto unwind;
    DISPATCH();
do_ABSTRACT:
    AT();
    enter_abstract(self, fp);
    goto unwind;
do_LINK_ERROR:
    goto unwind;
do_NATIVE:
    if (unlikely(intrinsic_bind(fp->code->method)))
        goto do_INTRINSIC;
    if (unlikely(!native_invoke(self, fp)))
        goto unwind;
    goto pop;
do_INTRINSIC:
    AT();
    m = fp->code->method;
    if (unlikely(!m->intrinsic(self, frame_locals(fp))))
        goto unwind;
    if (unlikely(GET(uint64_t, &self->poll.both)) && !intrinsic_return(self, fp))
        goto unwind;
    goto pop;
do_EXIT:
    self->top = fp;
    return true;
do_MH_BASIC:
do_MH_STATIC:
do_MH_SPECIAL:
do_MH_VIRTUAL:
do_MH_INTERFACE:
    AT();
    m = handle_target(self, fp, (enum op)pc->op);
    if (unlikely(!m))
        goto unwind;
    args = frame_locals(fp);
    fp = fp->caller;
    self->top = fp;
    goto enter;
do_SYNC_ENTER:
    m = fp->code->method;
    o = method_is_static(m) ? m->class->layout.mirror : frame_locals(fp)[0].ref;
    if (unlikely(!monitor_enter_fast(self, o, fp)))
        SLOW(monitor_enter(self, o, fp));
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
    A = B;
    NEXT(1);
do_MOVE2: {
    union slot *to = &A;
    to[0] = B;
    to[1] = C;
    NEXT(1);
}
do_CONST:
    A.j = pc->imm;
    NEXT(1);
do_CONST64:
    A.bits = pc[1].bits;
    NEXT(2);
do_FAR_GET:
    A = R(pc->imm);
    NEXT(1);
do_FAR_PUT:
    R(pc->imm) = A;
    NEXT(1);

    /* ---- arithmetic ---- */

#define COMPUTE(name, to, left, right, expression) \
do_##name: { \
    const __typeof__(left) x = (left); \
    const __typeof__(right) y = (right); \
    to = (expression); \
    NEXT(1); \
}
#define BINARY(name, member, expression) \
    COMPUTE(name, A.member, B.member, C.member, expression)
#define BINARY_C(name, member, expression) \
    COMPUTE(name, A.member, B.member, (int)pc->c, expression)
#define SHIFT(name, member, mask, expression) \
    COMPUTE(name, A.member, B.member, C.i & (mask), expression)
#define COMPARE(name, member, expression) \
    COMPUTE(name, A.i, B.member, C.member, expression)
#define UNARY(name, to, from, expression) \
do_##name: { \
    const __typeof__(B.from) x = B.from; \
    A.to = (expression); \
    NEXT(1); \
}
#define DIVIDE(name, member, op, overflow) \
do_##name: { \
    __typeof__(A.member) x = B.member, y = C.member; \
    if (unlikely(y == 0)) \
        goto throw_division; \
    A.member = unlikely(y == -1) ? (overflow) : x op y; \
    NEXT(1); \
}
/* Overflow wraps around, so it is computed without a sign. */
#define INTEGERS(t, member, type, utype, mask) \
    BINARY(t##ADD, member, (type)((utype)x + (utype)y)) \
    BINARY(t##SUB, member, (type)((utype)x - (utype)y)) \
    BINARY(t##MUL, member, (type)((utype)x * (utype)y)) \
    BINARY(t##AND, member, x & y) \
    BINARY(t##OR, member, x | y) \
    BINARY(t##XOR, member, x ^ y) \
    SHIFT(t##SHL, member, mask, (type)((utype)x << y)) \
    SHIFT(t##SHR, member, mask, x >> y) \
    SHIFT(t##USHR, member, mask, (type)((utype)x >> y)) \
    DIVIDE(t##DIV, member, /, (type)(0 - (utype)x)) \
    DIVIDE(t##REM, member, %, 0) \
    BINARY_C(t##ADD_C, member, (type)((utype)x + (utype)(type)y)) \
    BINARY_C(t##MUL_C, member, (type)((utype)x * (utype)(type)y)) \
    BINARY_C(t##DIV_C, member, x / y) \
    BINARY_C(t##REM_C, member, x % y) \
    BINARY_C(t##AND_C, member, x & y) \
    BINARY_C(t##OR_C, member, x | y) \
    BINARY_C(t##XOR_C, member, x ^ y) \
    BINARY_C(t##SHL_C, member, (type)((utype)x << y)) \
    BINARY_C(t##SHR_C, member, x >> y) \
    BINARY_C(t##USHR_C, member, (type)((utype)x >> y)) \
    UNARY(t##NEG, member, member, (type)(0 - (utype)x))
#define FLOATS(t, member, remainder) \
    BINARY(t##ADD, member, x + y) \
    BINARY(t##SUB, member, x - y) \
    BINARY(t##MUL, member, x * y) \
    BINARY(t##DIV, member, x / y) \
    BINARY(t##REM, member, remainder(x, y)) \
    UNARY(t##NEG, member, member, -x) \
    COMPARE(t##CMPL, member, x > y ? 1 : x == y ? 0 : -1) \
    COMPARE(t##CMPG, member, x < y ? -1 : x == y ? 0 : 1)
    UNARY(I2L, j, i, x)
    UNARY(I2F, f, i, (float)x)
    UNARY(I2D, d, i, x)
    UNARY(L2I, i, j, (int32_t)x)
    UNARY(L2F, f, j, (float)x)
    UNARY(L2D, d, j, (double)x)
    UNARY(F2I, i, f, to_int((double)x))
    UNARY(F2L, j, f, to_long((double)x))
    UNARY(F2D, d, f, (double)x)
    UNARY(D2I, i, d, to_int(x))
    UNARY(D2L, j, d, to_long(x))
    UNARY(D2F, f, d, (float)x)
    UNARY(I2B, i, i, (int8_t)x)
    UNARY(I2C, i, i, (uint16_t)x)
    UNARY(I2S, i, i, (int16_t)x)
    INTEGERS(I, i, int32_t, uint32_t, 31)
    INTEGERS(L, j, int64_t, uint64_t, 63)
    FLOATS(F, f, fmodf)
    FLOATS(D, d, fmod)
    COMPARE(LCMP, j, (x > y) - (x < y))

    /* ---- branches ---- */

#define JUMP(offset) \
    do { \
        int to_ = (offset); \
        pc += to_; \
        if (to_ <= 0 && unlikely(GET(uint32_t, &self->poll.attention))) \
            goto poll; \
        DISPATCH(); \
    } while (0)
#define BRANCH(name, condition) \
do_##name: \
    if (condition) \
        JUMP(pc->c); \
    NEXT(1);
#define CONDITIONS(t, x, y) \
    BRANCH(IF_##t##EQ, (x) == (y)) \
    BRANCH(IF_##t##NE, (x) != (y)) \
    BRANCH(IF_##t##LT, (x) < (y)) \
    BRANCH(IF_##t##GE, (x) >= (y)) \
    BRANCH(IF_##t##GT, (x) > (y)) \
    BRANCH(IF_##t##LE, (x) <= (y))
    CONDITIONS(I, A.i, B.i)
    CONDITIONS(IC, A.i, pc->b)
    CONDITIONS(L, A.j, B.j)
    CONDITIONS(LC, A.j, pc->b)
    /* The result of fcmpl is -1 for NaN, of fcmpg 1. */
#define FLOAT_CONDITIONS(t, m) \
    BRANCH(IF_##t##LEQ, A.m == B.m) \
    BRANCH(IF_##t##LNE, !(A.m == B.m)) \
    BRANCH(IF_##t##LLT, !(A.m >= B.m)) \
    BRANCH(IF_##t##LGE, A.m >= B.m) \
    BRANCH(IF_##t##LGT, A.m > B.m) \
    BRANCH(IF_##t##LLE, !(A.m > B.m)) \
    BRANCH(IF_##t##GEQ, A.m == B.m) \
    BRANCH(IF_##t##GNE, !(A.m == B.m)) \
    BRANCH(IF_##t##GLT, A.m < B.m) \
    BRANCH(IF_##t##GGE, !(A.m < B.m)) \
    BRANCH(IF_##t##GGT, !(A.m <= B.m)) \
    BRANCH(IF_##t##GLE, A.m <= B.m)
    FLOAT_CONDITIONS(F, f)
    FLOAT_CONDITIONS(D, d)
    BRANCH(IF_AEQ, A.ref == B.ref)
    BRANCH(IF_ANE, A.ref != B.ref)
    BRANCH(IFNULL, A.ref == NULL)
    BRANCH(IFNONNULL, A.ref != NULL)
do_GOTO:
    JUMP(pc->imm);
do_TABLESWITCH: {
    const struct switch_table *t = pc[1].pointer;
    uint32_t i = (uint32_t)A.i - (uint32_t)t->cases[0].key;
    JUMP(i < t->count ? t->cases[i].offset : t->default_offset);
}
do_LOOKUPSWITCH: {
    const struct switch_table *t = pc[1].pointer;
    int32_t key = A.i, offset = t->default_offset;
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
    JUMP(offset);
}
do_JSR:
    A.j = subroutine_return(fp, pc);
    JUMP(pc->imm);
do_RET:
    pc = subroutine_unit(fp, pc, A.j);
    DISPATCH();
poll:
    pc = poll_branch(self, fp, pc);
    if (unlikely(!pc))
        goto unwind;
    DISPATCH();

    /* ---- arrays ---- */

#define ELEMENT(index) \
    uint32_t index = (uint32_t)C.i; \
    OBJECT(B); \
    if (unlikely(index >= (uint32_t)array_length(o))) \
        goto throw_bounds;
#define LOAD_ELEMENT(name, type, member) \
do_##name: { \
    ELEMENT(index) \
    A.member = GET(type, (type *)array_data(o) + index); \
    NEXT(1); \
}
#define STORE_ELEMENT(name, type, member) \
do_##name: { \
    ELEMENT(index) \
    PUT(type, (type *)array_data(o) + index, A.member); \
    NEXT(1); \
}
    LOAD_ELEMENT(BALOAD, int8_t, i)
    LOAD_ELEMENT(CALOAD, uint16_t, i)
    LOAD_ELEMENT(SALOAD, int16_t, i)
    LOAD_ELEMENT(IALOAD, int32_t, i)
    LOAD_ELEMENT(LALOAD, int64_t, j)
    STORE_ELEMENT(CASTORE, uint16_t, i)
    STORE_ELEMENT(SASTORE, int16_t, i)
    STORE_ELEMENT(IASTORE, int32_t, i)
    STORE_ELEMENT(LASTORE, int64_t, j)
do_BASTORE: {
    ELEMENT(index)
    int32_t value = A.i;
    if (object_class(o)->element->primitive == 'Z')
        value &= 1; /* JVMS 6.5, bastore */
    PUT(int8_t, ARRAY_BYTES(o) + index, value);
    NEXT(1);
}
do_AASTORE: {
    ELEMENT(index)
    struct object *value = A.ref;
    if (value && unlikely(object_class(o)->element != object_class(value))
        && unlikely(!class_is_subtype(object_class(value), object_class(o)->element))) {
        DEAD();
        THROW(self, ArrayStoreException, "%pC", object_class(value));
        goto unwind;
    }
    PUT(struct object *, ARRAY_REFS(o) + index, value);
    NEXT(1);
}
do_ARRAYLENGTH:
    OBJECT(B);
    A.i = array_length(o);
    NEXT(1);

    /* ---- fields ---- */

#define OBJECT_FIELD_OP(name, access) \
do_##name: { \
    OBJECT(B); \
    access; \
    NEXT(1); \
}
#define STATIC_FIELD_OP(name, access) \
do_##name: \
    access; \
    NEXT(2);
#define GETS(suffix, type, member) \
    OBJECT_FIELD_OP(GETFIELD_##suffix, A.member = GET(type, FIELD)) \
    OBJECT_FIELD_OP(GETFIELD_VOL_##suffix, A.member = GET_VOL(type, FIELD)) \
    STATIC_FIELD_OP(GETSTATIC_##suffix, A.member = GET(type, pc[1].pointer)) \
    STATIC_FIELD_OP(GETSTATIC_VOL_##suffix, A.member = GET_VOL(type, pc[1].pointer))
#define PUTS(suffix, type, value) \
    OBJECT_FIELD_OP(PUTFIELD_##suffix, PUT(type, FIELD, value)) \
    OBJECT_FIELD_OP(PUTFIELD_VOL_##suffix, PUT_VOL(type, FIELD, value)) \
    STATIC_FIELD_OP(PUTSTATIC_##suffix, PUT(type, pc[1].pointer, value)) \
    STATIC_FIELD_OP(PUTSTATIC_VOL_##suffix, PUT_VOL(type, pc[1].pointer, value))
    GETS(B, int8_t, i)
    GETS(Z, int8_t, i)
    GETS(C, uint16_t, i)
    GETS(S, int16_t, i)
    GETS(I, int32_t, i)
    GETS(J, int64_t, j)
    PUTS(B, int8_t, A.i)
    PUTS(Z, int8_t, A.i & 1)
    PUTS(C, uint16_t, A.i)
    PUTS(S, int16_t, A.i)
    PUTS(I, int32_t, A.i)
    PUTS(J, int64_t, A.j)

    /* ---- what is not resolved, or looked at each time ---- */

do_CHECKCAST_Q:
    if (!A.ref) /* null needs no class */
        NEXT(2);
    goto do_Q;
do_INSTANCEOF_Q:
    if (!B.ref) {
        A.i = 0;
        NEXT(2);
    }
do_Q: {
    enum quick_outcome outcome;
    SLOW(outcome = quicken(self, fp, pc));
    NEXT(outcome == QUICK_DONE ? op_units[pc->op] : 0);
}

    /* ---- calls ---- */

do_INVOKESTATIC:
    m = pc[1].method;
    args = ARGUMENTS;
    goto call;
do_INVOKESTATIC_INIT:
    m = pc[1].method;
    AT();
    if (unlikely(!class_initialize(self, m->class)))
        goto unwind;
    if (class_is_initialized(m->class)) {
        union insn first = *pc;
        first.op = OP_INVOKESTATIC;
        quick_store(pc, first, pc[1].bits);
    }
    BACK();
    args = ARGUMENTS;
    goto call;
do_INVOKESPECIAL:
    args = ARGUMENTS;
    OBJECT(*args);
    m = pc[1].method;
    goto call;
do_INVOKEVIRTUAL:
    args = ARGUMENTS;
    OBJECT(*args);
    m = object_class(o)->vtable[(uint16_t)pc->b];
    goto call;
do_INVOKEINTERFACE:
    args = ARGUMENTS;
    OBJECT(*args);
    m = class_interface_method(object_class(o), pc[1].method);
    if (unlikely(!m))
        SLOW(m = select_method(self, object_class(o), pc[1].method));
    goto call;
do_INVOKEHANDLE:
    OBJECT(*ARGUMENTS);
do_INVOKEDYNAMIC: {
    const struct call_site *site = pc[1].pointer;
    m = site->adapter;
    args = ARGUMENTS;
    if (site->appendix)
        args[site->arg_slots].ref = site->appendix;
}
call:
    fp->pc = pc + 2;
enter:
    code = method_code(m);
    callee = (struct frame *)(args + code->max_locals);
    if (unlikely((union slot *)callee + code->frame_slots
                 > GET(union slot *, &self->limit))) {
        callee = call_slow(self, fp, code, args);
        if (!callee)
            goto unwind;
        fp = callee;
        pc = call_start(self, code);
        DISPATCH();
    }
    callee->caller = fp;
    callee->code = code;
    fp = callee;
    self->top = fp;
    pc = atomic_load_explicit(&code->start, memory_order_acquire);
    DISPATCH();

#define RETURN_OP(name, convert) \
do_##name: \
    if (unlikely(GET(uint64_t, &self->poll.both))) \
        goto return_slow; \
    R(pc->b).i = convert(A.i); \
    fp = fp->caller; \
    self->top = fp; \
    pc = fp->pc; \
    DISPATCH();
    RETURN_OP(RETURN_B, (int8_t))
    RETURN_OP(RETURN_C, (uint16_t))
    RETURN_OP(RETURN_S, (int16_t))
    RETURN_OP(RETURN_Z, 1 &)
do_RETURN_A:
    if (unlikely(GET(uint64_t, &self->poll.both)))
        goto return_slow;
    R(pc->b) = A;
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
        if (top->frame == fp
            && (fp->code->method->access_flags & ACC_SYNCHRONIZED)
            && (self->lock_count == 1 || top[-1].frame != fp)
            && monitor_exit_fast(self, top->object))
            goto return_value;
    }
return_slow: {
    union slot value = A;
    DEAD();
    switch (return_hooks(self, fp, &value)) {
    case RETURN_THROW:
        goto unwind;
    case RETURN_REDO:
        fp = self->top;
        pc = pc_untag(fp->pc);
        DISPATCH();
    default:
        break;
    }
    if (!return_monitors(self, fp))
        goto unwind;
    A = value;
}
return_value:
    if (fp->code->method->return_type != 'V') {
        args = frame_locals(fp);
        *args = A;
        args->i = narrowed(args->i, fp->code->method->return_type);
    }
    goto pop;
do_FENCE:
    __atomic_thread_fence(__ATOMIC_RELEASE);
    NEXT(1);
do_CONSTRUCTED:
    o = A.ref;
    if (unlikely(object_layout(o)->has_finalizer))
        SLOW(object_register_finalizer(self, o));
    NEXT(1);
do_ATHROW:
    if (unlikely(!A.ref))
        goto throw_null;
    DEAD();
    throw_object(self, A.ref);
    goto unwind;

    /* ---- objects ---- */

do_NEW:
    o = heap_allocate_small(&self->cache, &pc[1].class->layout, (unsigned)pc->c);
    if (unlikely(!o))
        SLOW(o = object_new(self, pc[1].class));
    A.ref = o;
    NEXT(2);
do_NEWARRAY:
    SLOW(o = new_array_checked(self, pc[1].class, B.i));
    A.ref = o;
    NEXT(2);
do_MULTIANEWARRAY:
    SLOW(o = new_multi_array(self, pc[1].class, pc->b, ARGUMENTS));
    ARGUMENTS->ref = o;
    NEXT(2);
do_CHECKCAST:
    o = A.ref;
    if (o && object_class(o) != pc[1].class
        && unlikely(!class_is_subtype(object_class(o), pc[1].class))) {
        DEAD();
        THROW(self, ClassCastException, "class %pC cannot be cast to class %pC (%pF)",
              object_class(o), pc[1].class,
              class_describe_places(object_class(o), pc[1].class));
        goto unwind;
    }
    NEXT(2);
do_INSTANCEOF:
    o = B.ref;
    A.i = o && class_is_subtype(object_class(o), pc[1].class);
    NEXT(2);
do_MONITORENTER:
    OBJECT(A);
    if (unlikely(!monitor_enter_fast(self, o, fp)))
        SLOW(monitor_enter(self, o, fp));
    NEXT(1);
do_MONITOREXIT:
    OBJECT(A);
    if (unlikely(!monitor_exit_fast(self, o))) {
        AT();
        if (!monitor_is_held(self, o))
            THROW0(self, IllegalMonitorStateException);
        else
            monitor_exit(self, o);
        if (self->exception)
            goto unwind;
        BACK();
    }
    NEXT(1);

    /* ---- exceptions ---- */

throw_null:
    DEAD();
    throw_null_pointer(self);
    goto unwind;
throw_bounds:
    DEAD();
    throw_index(self, B.ref, C.i);
    goto unwind;
throw_division:
    DEAD();
    THROW(self, ArithmeticException, "/ by zero");
unwind:
    fp = interp_unwind(self, self->top);
    if (!fp)
        return false;
    self->top = fp;
    pc = fp->pc;
    DISPATCH();
}
