/* SPDX-License-Identifier: MIT */
/* minivm/interp/translate.c -- bytecode to internal instructions, one pass. */

#include "interp/translate.h"

#include <string.h>

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/vm.h"

const uint8_t op_units[OP_COUNT] = {
#define OP(name, units) [OP_##name] = (units),
#include "interp/ops.def"
#undef OP
};

#define START(name, op) const union insn insn_##name[] = { { { OP_##op, 0, 0, 0 } } };
START(translate, TRANSLATE) START(native, NATIVE) START(abstract, ABSTRACT)
START(exit, EXIT) START(intrinsic, INTRINSIC) START(mh_basic, MH_BASIC)
START(mh_static, MH_STATIC) START(mh_special, MH_SPECIAL) START(mh_virtual, MH_VIRTUAL)
START(mh_interface, MH_INTERFACE) START(error, LINK_ERROR)

/* ---- loads, stores, arithmetic ---- */

static void
store(struct translator *t, unsigned local)
{
    int to = reg_local(t, local);
    struct entry e = pop_entry(t);
    int64_t producer = t->last_dest;

    stack_kill_local(t, local);
    if (e.kind == ENTRY_CONST) {
        emit_constant(t, to, e.value);
    } else if (e.kind == ENTRY_SLOT && producer >= 0 && producer == t->last_dest
               && !t->settles && t->out->units[producer].a == reg_operand(t->depth)) {
        /* The value was just made: let its maker write the local. */
        t->out->units[producer].a = (int16_t)to;
        t->last_dest = -1;
    } else {
        emit_move(t, to, e.kind == ENTRY_COPY ? e.reg : reg_operand(t->depth));
    }
}

/* By int's bytecode: the form with a constant of 16 bits as its right operand, which
   long's form follows. */
static const uint16_t immediate_op[256] = {
    [OP_iadd] = OP_IADD_C, [OP_isub] = OP_IADD_C, [OP_imul] = OP_IMUL_C,
    [OP_idiv] = OP_IDIV_C, [OP_irem] = OP_IREM_C, [OP_ishl] = OP_ISHL_C,
    [OP_ishr] = OP_ISHR_C, [OP_iushr] = OP_IUSHR_C, [OP_iand] = OP_IAND_C,
    [OP_ior] = OP_IOR_C, [OP_ixor] = OP_IXOR_C,
};

static bool
immediate_form(uint8_t opcode, int64_t value, enum op *op, int *c)
{
    bool is_long = opcode & 1; /* int's bytecodes are even */
    int family = opcode - is_long;

    *op = (enum op)(immediate_op[family] + is_long);
    *c = (int)value;
    if (family == OP_isub) /* an addition */
        *c = -*c;
    else if (family == OP_ishl || family == OP_ishr || family == OP_iushr)
        *c &= is_long ? 63 : 31;
    else if (family == OP_idiv || family == OP_irem)
        return value != 0 && value != -1;
    return immediate_op[family] != 0 && *c == (int16_t)*c;
}

/* Of those that have such a form. */
static bool
is_commutative(uint8_t opcode)
{
    int family = opcode & ~1;

    return family == OP_iadd || family == OP_imul || family >= OP_iand;
}

/* What becomes of a bytecode that only takes operands and leaves a result. */
static enum op
simple_op(uint8_t opcode)
{
    static const uint16_t elements[] = {
        OP_IALOAD, OP_LALOAD, OP_IALOAD, OP_LALOAD, OP_LALOAD, OP_BALOAD, OP_CALOAD,
        OP_SALOAD, OP_IASTORE, OP_LASTORE, OP_IASTORE, OP_LASTORE, OP_AASTORE,
        OP_BASTORE, OP_CASTORE, OP_SASTORE,
    };

    if (opcode >= OP_iaload && opcode <= OP_saload)
        return (enum op)elements[opcode - OP_iaload];
    if (opcode >= OP_iastore && opcode <= OP_sastore)
        return (enum op)elements[8 + opcode - OP_iastore];
    if (opcode >= OP_iadd && opcode <= OP_lxor)
        return (enum op)(OP_IADD + opcode - OP_iadd);
    if (opcode >= OP_i2l && opcode <= OP_dcmpg)
        return (enum op)(OP_I2L + opcode - OP_i2l);
    return opcode == OP_arraylength ? OP_ARRAYLENGTH : OP_NOP;
}

static bool
result_is_wide(uint8_t opcode)
{
    const char *pushes = opcode_table[opcode].pushes;

    return pushes[0] == 'J' || pushes[0] == 'D';
}

static void
binary(struct translator *t, uint8_t opcode)
{
    int64_t value;
    enum op op;
    int b, c = 0;
    bool is_small = top_is_small(t, &value) && immediate_form(opcode, value, &op, &c);

    if (is_small)
        pop_entry(t);
    b = pop_reg(t);
    if (!is_small && is_commutative(opcode) && top_is_small(t, &value)
        && immediate_form(opcode, value, &op, &c)) {
        pop_entry(t);
    } else if (!is_small) {
        op = simple_op(opcode);
        c = b;
        b = pop_reg(t);
    }
    t->last_dest = emit(t, op, push_result(t, result_is_wide(opcode)), b, c);
}

static void
simple(struct translator *t, uint8_t opcode)
{
    enum op op = simple_op(opcode);

    switch (strlen(opcode_table[opcode].pops)) {
    case 1: {
        int b = pop_reg(t);
        t->last_dest = emit(t, op, push_result(t, result_is_wide(opcode)), b, 0);
        break;
    }
    case 2:
        binary(t, opcode);
        break;
    default: { /* into an array */
        int value = pop_reg(t), index = pop_reg(t), array = pop_reg(t);
        emit(t, op, value, array, index);
        break;
    }
    }
}

/* ---- branches ---- */

/* Is the next bytecode an if<cond> that nothing else jumps to? */
static bool
compare_feeds_branch(struct translator *t, uint32_t next, struct instruction *branch)
{
    if (t->settles || next >= t->m->code_length
        || (t->map.flags[next] & (CODE_LEADER | CODE_TARGET | CODE_HANDLER))
        || !opcode_decode(t->m->code, t->m->code_length, next, branch))
        return false;
    return branch->opcode >= OP_ifeq && branch->opcode <= OP_ifle;
}

/* lcmp and friends, perhaps with the branch behind them: how many bytes. */
static uint32_t
compare(struct translator *t, const struct instruction *in)
{
    struct instruction next;
    int64_t value;

    if (!compare_feeds_branch(t, in->bci + in->length, &next)) {
        binary(t, in->opcode);
        return in->length;
    }
    static const uint16_t family[] = { OP_IF_LEQ, OP_IF_FLEQ, OP_IF_FGEQ, OP_IF_DLEQ,
                                       OP_IF_DGEQ };
    enum op op = (enum op)(family[in->opcode - OP_lcmp] + next.opcode - OP_ifeq);
    int right;
    if (in->opcode == OP_lcmp && top_is_small(t, &value)) {
        pop_entry(t);
        right = (int)value;
        op = (enum op)(op - OP_IF_LEQ + OP_IF_LCEQ);
    } else {
        right = pop_reg(t);
    }
    int left = pop_reg(t);
    stack_settle(t);
    emit_branch(t, op, left, right, (uint32_t)next.operand);
    return in->length + next.length;
}

static void
branch(struct translator *t, const struct instruction *in)
{
    int opcode = in->opcode, op, right = 0;
    int64_t value;

    if (opcode <= OP_ifle) {
        op = OP_IF_ICEQ + opcode - OP_ifeq;
    } else if (opcode <= OP_if_icmple && top_is_small(t, &value)) {
        pop_entry(t);
        right = (int)value;
        op = OP_IF_ICEQ + opcode - OP_if_icmpeq;
    } else if (opcode <= OP_if_icmple) {
        right = pop_reg(t);
        op = OP_IF_IEQ + opcode - OP_if_icmpeq;
    } else if (opcode <= OP_if_acmpne) {
        right = pop_reg(t);
        op = OP_IF_AEQ + opcode - OP_if_acmpeq;
    } else {
        op = OP_IFNULL + opcode - OP_ifnull;
    }
    int left = pop_reg(t);
    stack_settle(t);
    emit_branch(t, (enum op)op, left, right, (uint32_t)in->operand);
}

static void
switch_on(struct translator *t, const struct instruction *in)
{
    int reg = pop_reg(t);
    struct translation *out = t->out;

    stack_settle(t);
    if (!GROW(t, out->switches, out->switch_count, t->switch_capacity))
        return;
    struct switch_table *table = &out->switches[out->switch_count++];
    /* Bytecode targets for now; units when all is placed. */
    *table = (struct switch_table){
        .count = in->case_count, .default_offset = in->default_target,
        .cases = mem_try_calloc(in->case_count + 1u, sizeof *table->cases),
    };
    t->failed |= !table->cases;
    for (uint32_t i = 0; !t->failed && i < in->case_count; i++)
        table->cases[i] = (struct switch_case){ opcode_case_key(in, i),
                                                opcode_case_target(in, i) };
    emit_long(t, in->opcode == OP_lookupswitch ? OP_LOOKUPSWITCH : OP_TABLESWITCH, reg,
              0, 0, out->switch_count - 1);
}

static void
return_from(struct translator *t, uint8_t opcode)
{
    struct method *method = t->code->method;
    int to = -(int)t->code->max_locals;

    if (opcode == OP_return && method->name->bytes[0] == '<'
        && method->name->bytes[1] == 'i')
        emit(t, method->class->super ? OP_FENCE : OP_CONSTRUCTED, to, 0, 0);
    int from = opcode == OP_return ? to : pop_reg(t);
    if ((method->flags & METHOD_HAS_MONITORS) || t->has_monitors || t->settles) {
        emit(t, OP_RETURN_SLOW, from, 0, 0);
        return;
    }
    static const char narrow[] = "BCSZ";
    const char *type = strchr(narrow, method->return_type);
    emit(t, opcode == OP_return ? OP_RETURN
            : type              ? (enum op)(OP_RETURN_B + (type - narrow))
                                : OP_RETURN_A,
         from, to, 0);
}

/* ---- one bytecode ---- */

static void
translate_constant(struct translator *t, const struct instruction *in)
{
    union slot value = { .j = in->operand };
    int op = in->opcode;

    if (op >= OP_iconst_m1 && op <= OP_iconst_5)
        value.j = op - OP_iconst_0;
    else if (op == OP_lconst_1)
        value.j = 1;
    else if (op >= OP_fconst_0 && op <= OP_fconst_2)
        value.f = (float)(op - OP_fconst_0);
    else if (op == OP_dconst_1)
        value.d = 1;
    push_constant(t, value.j, result_is_wide(in->opcode));
}

/* Returns how many bytes were consumed. */
static uint32_t
translate_one(struct translator *t, const struct instruction *in)
{
    uint8_t op = in->opcode;

    if (op == OP_nop)
        return in->length;
    if (op >= OP_aconst_null && op <= OP_sipush) {
        translate_constant(t, in);
    } else if (op >= OP_ldc && op <= OP_ldc2_w) {
        translate_ldc(t, in->index);
    } else if (opcode_is_load(op)) {
        push_copy(t, reg_local(t, in->index), result_is_wide(op));
    } else if (opcode_is_store(op)) {
        store(t, in->index);
    } else if (op >= OP_pop && op <= OP_swap) {
        shuffle(t, op);
    } else if (op >= OP_lcmp && op <= OP_dcmpg) {
        return compare(t, in);
    } else if (op == OP_iinc) {
        int local = reg_local(t, in->index);
        stack_kill_local(t, in->index);
        emit(t, OP_IADD_C, local, local, in->operand);
    } else if (simple_op(op) != OP_NOP) {
        simple(t, op);
    } else if (opcode_table[op].flow == FLOW_BRANCH) {
        branch(t, in);
    } else if (op == OP_goto || op == OP_goto_w) {
        stack_settle(t);
        emit_jump(t, OP_GOTO, 0, (uint32_t)in->operand);
    } else if ((op == OP_jsr || op == OP_jsr_w) && t->far_frame) {
        emit_constant(t, push_result(t, false), in->bci + in->length);
        emit_jump(t, OP_GOTO, 0, (uint32_t)in->operand);
    } else if (op == OP_jsr || op == OP_jsr_w) {
        stack_settle(t);
        emit_jump(t, OP_JSR, push_result(t, false), (uint32_t)in->operand);
    } else if (op == OP_ret) {
        stack_settle(t);
        emit(t, OP_RET, reg_local(t, in->index), 0, 0);
    } else if (opcode_is_switch(op)) {
        switch_on(t, in);
    } else if (op >= OP_ireturn && op <= OP_return) {
        return_from(t, op);
    } else if (op >= OP_getstatic && op <= OP_putfield) {
        translate_field(t, op, in->index);
    } else if (op >= OP_invokevirtual && op <= OP_invokedynamic) {
        translate_invoke(t, op, in->index);
    } else {
        translate_object(t, in);
    }
    return in->length;
}

static void
emit_step(struct translator *t)
{
    emit(t, OP_STEP, (int16_t)t->bci, 0, (t->map.flags[t->bci] & CODE_LOOP) != 0);
}

static void
translate_code(struct translator *t)
{
    struct translation *out = t->out;
    struct instruction in;
    bool open = false;         /* the instruction before runs on into this one */

    for (uint32_t i = 0; i < t->m->code_length; i++)
        if ((t->map.flags[i] & CODE_REACHED) && t->m->code[i] == OP_monitorenter)
            t->has_monitors = true;
    if (t->code->method->access_flags & ACC_SYNCHRONIZED) {
        emit(t, OP_SYNC_ENTER, 0, 0, 0);
        t->out->place_count = 0;    /* bytecode 0 begins behind it */
    }
    for (uint32_t bci = 0; bci < t->m->code_length && !t->failed;) {
        if (!opcode_decode(t->m->code, t->m->code_length, bci, &in)) {
            t->failed = true;
            return;
        }
        uint8_t flags = t->map.flags[bci];
        if (!(flags & CODE_REACHED)) {
            t->bci = bci;
            if (t->plain)
                emit_step(t);
            bci += in.length;
            open = false;
            continue;
        }
        if (flags & CODE_LEADER || bci == 0) {
            if (open)
                stack_settle(t);
            /* A frame that stands here is told from one at an empty block before. */
            if (out->place_count
                && out->places[out->place_count - 1].unit == out->unit_count)
                emit(t, OP_NOP, 0, 0, 0);
            t->bci = bci;
            t->labels[bci] = t->out->unit_count;
            t->last_dest = -1;
            stack_reset(t);
            emit_place(t);
        }
        t->bci = bci;
        if (t->plain) {
            t->labels[bci] = t->out->unit_count;
            emit_step(t);
        }
        bci += translate_one(t, &in);
        open = opcode_falls_through(in.opcode)
               || opcode_table[in.opcode].flow == FLOW_JSR;
    }
}

/* ---- putting it together ---- */

static bool
resolve_fixups(struct translator *t)
{
    for (uint32_t i = 0; i < t->fixup_count; i++) {
        struct fixup *f = &t->fixups[i];
        int32_t offset = (int32_t)t->labels[f->bci] - (int32_t)f->unit;
        if (f->is_far)
            t->out->units[f->unit].imm = offset;
        else if (offset == (int16_t)offset)
            t->out->units[f->unit].c = (int16_t)offset;
        else
            return false;
    }
    return true;
}

static void
resolve_switches(struct translator *t)
{
    union insn *units = t->out->units;

    for (uint32_t u = 0; u < t->out->unit_count; u += op_units[units[u].op]) {
        if (units[u].op != OP_TABLESWITCH && units[u].op != OP_LOOKUPSWITCH)
            continue;
        struct switch_table *table = &t->out->switches[units[u + 1].bits];
        units[u + 1].pointer = table;
        table->default_offset =
            (int32_t)t->labels[table->default_offset] - (int32_t)u;
        for (uint32_t i = 0; i < table->count; i++)
            table->cases[i].offset =
                (int32_t)t->labels[table->cases[i].offset] - (int32_t)u;
    }
}

/* One attempt; *again is set when branches need more reach. */
static struct translation *
attempt(struct code *code, const struct framemap_code *map, bool plain, bool far,
        bool *again)
{
    const struct cf_method *m = code->info;
    struct translator t = { .code = code, .cf = code->pool->file, .m = m,
                            .pool = code->pool, .map = *map, .plain = plain,
                            .far = far, .far_frame = code_is_far(code),
                            .settles = plain || code_is_far(code), .last_dest = -1 };
    struct translation *out = t.out = mem_try_calloc(1, sizeof *out);

    t.labels = mem_try_alloc(m->code_length * sizeof *t.labels);
    t.stack = mem_try_calloc(m->max_stack + 8u, sizeof *t.stack);
    if (out)
        out->handlers = mem_try_calloc(m->handler_count + 1u, sizeof *out->handlers);
    t.failed = !out || !out->handlers || !t.labels || !t.stack;
    if (!t.failed) {
        memset(t.labels, 0xff, m->code_length * sizeof *t.labels);
        out->is_plain = plain;
        translate_code(&t);
    }
    *again = !t.failed && !resolve_fixups(&t);
    if (t.failed || *again) {
        translation_free(out);
        out = NULL;
    } else {
        resolve_switches(&t);
        for (uint32_t i = 0; i < m->handler_count; i++)
            out->handlers[i] = t.labels[m->handlers[i].handler_pc];
    }
    mem_free(t.labels);
    mem_free(t.fixups);
    mem_free(t.stack);
    return out;
}

struct translation *
translate(struct thread *self, struct code *code, bool plain)
{
    const struct method *m = code->method;
    struct translation *out = NULL;
    struct framemap_code map;
    enum framemap_status status;
    bool again = false;

    status = framemap_analyze(code->pool->file, code->info, &map);
    if (status == FRAMEMAP_BAD_CODE && self)
        THROW(self, VerifyError, "(class: %s, method: %s signature: %s) Bad code at %u",
              m->class->name->bytes, m->name->bytes, m->descriptor->bytes,
              map.error_bci);
    if (status == FRAMEMAP_OK) {
        out = attempt(code, &map, plain, false, &again);
        if (again)
            out = attempt(code, &map, plain, true, &again);
        framemap_release(&map);
    }
    if (!out && self && !exception_pending(self))
        throw_out_of_memory(self, "translated code");
    if (out && the_vm->options.check_after_gc)
        translation_check(code, out);
    return out;
}

void
translation_free(struct translation *t)
{
    if (!t)
        return;
    translation_free(t->older);
    for (uint32_t i = 0; i < t->switch_count; i++)
        mem_free(t->switches[i].cases);
    mem_free(t->switches);
    mem_free(t->units);
    mem_free(t->places);
    mem_free(t->bcis);
    mem_free(t->handlers);
    mem_free(t);
}

/* ---- the maps ---- */

static const uint16_t *
make_bcis(struct translation *t)
{
    uint16_t *bcis = mem_try_alloc(t->unit_count * sizeof *bcis), *none = NULL;
    uint32_t place = 0;

    for (uint32_t unit = 0; bcis && unit < t->unit_count; unit++) {
        while (place + 1 < t->place_count && t->places[place + 1].unit <= unit)
            place++;
        bcis[unit] = (uint16_t)t->places[place].bci;
    }
    if (!atomic_compare_exchange_strong(&t->bcis, &none, bcis)) {
        mem_free(bcis);
        bcis = none;
    }
    return bcis;
}

uint32_t
translation_bci(const struct translation *t, uint32_t unit)
{
    const uint16_t *bcis = atomic_load_explicit(&t->bcis, memory_order_acquire);

    if (bcis || (bcis = make_bcis((struct translation *)(uintptr_t)t)) != NULL)
        return bcis[unit];
    uint32_t behind = translation_place(t, unit + 1, false);
    return t->places[behind ? behind - 1 : 0].bci;
}

uint32_t
translation_place(const struct translation *t, uint32_t value, bool by_bci)
{
    uint32_t low = 0, high = t->place_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct place *p = &t->places[middle];
        if ((by_bci ? p->bci : p->unit) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t
translation_unit(const struct translation *t, uint32_t bci)
{
    uint32_t i = translation_place(t, bci, true);

    return i < t->place_count && t->places[i].bci == bci ? t->places[i].unit
                                                         : UINT32_MAX;
}
