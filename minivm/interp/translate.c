/* SPDX-License-Identifier: MIT */
/* minivm/interp/translate.c -- bytecode to internal instructions, one pass. */

#include "interp/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vm/exception.h"
#include "vm/vm.h"

/* ---- loads, stores, arithmetic ---- */

static void
load(struct translator *t, unsigned local, bool wide)
{
    push_copy(t, reg_local(t, local), wide);
}

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
               && !t->plain && t->units[producer].a == reg_operand(t->depth)) {
        /* The value was just made: let its maker write the local. */
        t->units[producer].a = (int16_t)to;
        t->last_dest = -1;
    } else {
        emit_move(t, to, e.kind == ENTRY_COPY ? e.reg : reg_operand(t->depth));
    }
}

static void
increment(struct translator *t, unsigned local, int32_t by)
{
    stack_kill_local(t, local);
    emit(t, OP_IADD_C, reg_local(t, local), reg_local(t, local), by);
}

static bool
immediate_form(uint8_t opcode, int64_t value, enum op *op, int *c)
{
    bool is_long = (opcode & 1) != 0;

    *c = (int)value;
    switch (opcode) {
    case OP_iadd: case OP_ladd:
        *op = is_long ? OP_LADD_C : OP_IADD_C;
        return true;
    case OP_isub: case OP_lsub:
        *op = is_long ? OP_LADD_C : OP_IADD_C;
        *c = -*c;
        return *c == (int16_t)*c;
    case OP_imul: case OP_lmul:
        *op = is_long ? OP_LMUL_C : OP_IMUL_C;
        return true;
    case OP_idiv: case OP_ldiv:
        *op = is_long ? OP_LDIV_C : OP_IDIV_C;
        return value != 0 && value != -1;
    case OP_irem: case OP_lrem:
        *op = is_long ? OP_LREM_C : OP_IREM_C;
        return value != 0 && value != -1;
    case OP_ishl: case OP_lshl:
        *op = is_long ? OP_LSHL_C : OP_ISHL_C;
        *c &= is_long ? 63 : 31;
        return true;
    case OP_ishr: case OP_lshr:
        *op = is_long ? OP_LSHR_C : OP_ISHR_C;
        *c &= is_long ? 63 : 31;
        return true;
    case OP_iushr: case OP_lushr:
        *op = is_long ? OP_LUSHR_C : OP_IUSHR_C;
        *c &= is_long ? 63 : 31;
        return true;
    case OP_iand: case OP_land:
        *op = is_long ? OP_LAND_C : OP_IAND_C;
        return true;
    case OP_ior: case OP_lor:
        *op = is_long ? OP_LOR_C : OP_IOR_C;
        return true;
    case OP_ixor: case OP_lxor:
        *op = is_long ? OP_LXOR_C : OP_IXOR_C;
        return true;
    default:
        return false;
    }
}

static bool
is_commutative(uint8_t opcode)
{
    switch (opcode) {
    case OP_iadd: case OP_ladd: case OP_imul: case OP_lmul: case OP_iand: case OP_land:
    case OP_ior: case OP_lor: case OP_ixor: case OP_lxor:
        return true;
    default:
        return false;
    }
}

static const uint16_t binary_op[256] = {
    [OP_iadd] = OP_IADD, [OP_ladd] = OP_LADD, [OP_fadd] = OP_FADD, [OP_dadd] = OP_DADD,
    [OP_isub] = OP_ISUB, [OP_lsub] = OP_LSUB, [OP_fsub] = OP_FSUB, [OP_dsub] = OP_DSUB,
    [OP_imul] = OP_IMUL, [OP_lmul] = OP_LMUL, [OP_fmul] = OP_FMUL, [OP_dmul] = OP_DMUL,
    [OP_idiv] = OP_IDIV, [OP_ldiv] = OP_LDIV, [OP_fdiv] = OP_FDIV, [OP_ddiv] = OP_DDIV,
    [OP_irem] = OP_IREM, [OP_lrem] = OP_LREM, [OP_frem] = OP_FREM, [OP_drem] = OP_DREM,
    [OP_ishl] = OP_ISHL, [OP_lshl] = OP_LSHL, [OP_ishr] = OP_ISHR, [OP_lshr] = OP_LSHR,
    [OP_iushr] = OP_IUSHR, [OP_lushr] = OP_LUSHR, [OP_iand] = OP_IAND,
    [OP_land] = OP_LAND, [OP_ior] = OP_IOR, [OP_lor] = OP_LOR, [OP_ixor] = OP_IXOR,
    [OP_lxor] = OP_LXOR, [OP_lcmp] = OP_LCMP, [OP_fcmpl] = OP_FCMPL,
    [OP_fcmpg] = OP_FCMPG, [OP_dcmpl] = OP_DCMPL, [OP_dcmpg] = OP_DCMPG
};

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
    int c;

    if (top_is_small(t, &value) && immediate_form(opcode, value, &op, &c)) {
        pop_entry(t);
        int b = pop_reg(t);
        int a = push_result(t, result_is_wide(opcode));
        emit_to(t, op, a, b, c);
        return;
    }
    int right = pop_reg(t);
    if (is_commutative(opcode) && top_is_small(t, &value)
        && immediate_form(opcode, value, &op, &c)) {
        pop_entry(t);
        int a = push_result(t, result_is_wide(opcode));
        emit_to(t, op, a, right, c);
        return;
    }
    int left = pop_reg(t);
    int a = push_result(t, result_is_wide(opcode));
    emit_to(t, (enum op)binary_op[opcode], a, left, right);
}

static const uint16_t unary_op[256] = {
    [OP_ineg] = OP_INEG, [OP_lneg] = OP_LNEG, [OP_fneg] = OP_FNEG, [OP_dneg] = OP_DNEG,
    [OP_i2l] = OP_I2L, [OP_i2f] = OP_I2F, [OP_i2d] = OP_I2D, [OP_l2i] = OP_L2I,
    [OP_l2f] = OP_L2F, [OP_l2d] = OP_L2D, [OP_f2i] = OP_F2I, [OP_f2l] = OP_F2L,
    [OP_f2d] = OP_F2D, [OP_d2i] = OP_D2I, [OP_d2l] = OP_D2L, [OP_d2f] = OP_D2F,
    [OP_i2b] = OP_I2B, [OP_i2c] = OP_I2C, [OP_i2s] = OP_I2S,
    [OP_arraylength] = OP_ARRAYLENGTH
};

static void
unary(struct translator *t, uint8_t opcode)
{
    int b = pop_reg(t);
    int a = push_result(t, result_is_wide(opcode));

    emit_to(t, (enum op)unary_op[opcode], a, b, 0);
}

static const uint16_t array_op[256] = {
    [OP_iaload] = OP_IALOAD, [OP_laload] = OP_LALOAD, [OP_faload] = OP_IALOAD,
    [OP_daload] = OP_LALOAD, [OP_aaload] = OP_LALOAD, [OP_baload] = OP_BALOAD,
    [OP_caload] = OP_CALOAD, [OP_saload] = OP_SALOAD, [OP_iastore] = OP_IASTORE,
    [OP_lastore] = OP_LASTORE, [OP_fastore] = OP_IASTORE, [OP_dastore] = OP_LASTORE,
    [OP_aastore] = OP_AASTORE, [OP_bastore] = OP_BASTORE, [OP_castore] = OP_CASTORE,
    [OP_sastore] = OP_SASTORE
};

static void
array_load(struct translator *t, uint8_t opcode)
{
    int index = pop_reg(t), array = pop_reg(t);
    int a = push_result(t, opcode == OP_laload || opcode == OP_daload);

    emit_to(t, (enum op)array_op[opcode], a, array, index);
}

static void
array_store(struct translator *t, uint8_t opcode)
{
    int value = pop_reg(t), index = pop_reg(t), array = pop_reg(t);

    emit(t, (enum op)array_op[opcode], value, array, index);
}

/* ---- branches ---- */

/* Is the next bytecode an if<cond> that nothing else jumps to? */
static bool
compare_feeds_branch(struct translator *t, uint32_t next, struct instruction *branch)
{
    if (t->plain || next >= t->m->code_length
        || (t->map.flags[next] & (CODE_LEADER | CODE_TARGET | CODE_HANDLER))
        || !opcode_decode(t->m->code, t->m->code_length, next, branch))
        return false;
    return branch->opcode >= OP_ifeq && branch->opcode <= OP_ifle;
}

/* lcmp and friends with the branch behind them; true when that was consumed. */
static bool
compare(struct translator *t, const struct instruction *in)
{
    struct instruction branch;
    int64_t value;

    if (!compare_feeds_branch(t, in->bci + in->length, &branch)) {
        binary(t, in->opcode);
        return false;
    }
    static const uint16_t family[] = { OP_IF_LEQ, OP_IF_FLEQ, OP_IF_FGEQ, OP_IF_DLEQ,
                                       OP_IF_DGEQ };
    enum op op = (enum op)(family[in->opcode - OP_lcmp] + branch.opcode - OP_ifeq);
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
    emit_branch(t, op, left, right, (uint32_t)branch.operand);
    return true;
}

static void
branch_zero(struct translator *t, const struct instruction *in)
{
    int reg = pop_reg(t);

    stack_settle(t);
    emit_branch(t, (enum op)(OP_IF_ICEQ + in->opcode - OP_ifeq), reg, 0,
                (uint32_t)in->operand);
}

static void
branch_int(struct translator *t, const struct instruction *in)
{
    int condition = in->opcode - OP_if_icmpeq;
    int64_t value;

    if (top_is_small(t, &value)) {
        pop_entry(t);
        int left = pop_reg(t);
        stack_settle(t);
        emit_branch(t, (enum op)(OP_IF_ICEQ + condition), left, (int)value,
                    (uint32_t)in->operand);
        return;
    }
    int right = pop_reg(t), left = pop_reg(t);
    stack_settle(t);
    emit_branch(t, (enum op)(OP_IF_IEQ + condition), left, right,
                (uint32_t)in->operand);
}

static void
branch_reference(struct translator *t, const struct instruction *in)
{
    if (in->opcode == OP_ifnull || in->opcode == OP_ifnonnull) {
        int reg = pop_reg(t);
        stack_settle(t);
        emit_branch(t, in->opcode == OP_ifnull ? OP_IFNULL : OP_IFNONNULL, reg, 0,
                    (uint32_t)in->operand);
        return;
    }
    int right = pop_reg(t), left = pop_reg(t);
    stack_settle(t);
    emit_branch(t, in->opcode == OP_if_acmpeq ? OP_IF_AEQ : OP_IF_ANE, left, right,
                (uint32_t)in->operand);
}

static void
switch_on(struct translator *t, const struct instruction *in)
{
    int reg = pop_reg(t);
    bool lookup = in->opcode == OP_lookupswitch;

    stack_settle(t);
    t->switches = translator_grow(t, t->switches, &t->switch_capacity, t->switch_count,
                                  sizeof *t->switches);
    if (t->failed)
        return;
    struct switch_table *table = &t->switches[t->switch_count];
    *table = (struct switch_table){ .low = in->low, .count = in->case_count,
                                    .is_lookup = lookup };
    table->offsets = mem_try_calloc(in->case_count + 1u, sizeof(int32_t));
    table->keys = lookup ? mem_try_calloc(in->case_count + 1u, sizeof(int32_t)) : NULL;
    t->switch_count++;
    if (!table->offsets || (lookup && !table->keys)) {
        t->failed = true;
        return;
    }
    /* Bytecode targets for now; units when all is placed. */
    table->default_offset = in->default_target;
    for (uint32_t i = 0; i < in->case_count; i++) {
        table->offsets[i] = opcode_case_target(in, i);
        if (lookup)
            table->keys[i] = opcode_case_key(in, i);
    }
    emit(t, lookup ? OP_LOOKUPSWITCH : OP_TABLESWITCH, reg, 0, 0);
    emit_second(t, t->switch_count - 1);
}

static void
return_from(struct translator *t, uint8_t opcode)
{
    struct method *method = t->code->method;
    int to = -(int)t->code->max_locals;

    if (opcode == OP_return && method->name->bytes[0] == '<'
        && method->name->bytes[1] == 'i')
        emit(t, OP_FENCE, 0, 0, 0);
    int from = opcode == OP_return ? to : pop_reg(t);
    if ((method->flags & METHOD_HAS_MONITORS) || t->has_monitors || t->plain) {
        emit(t, OP_RETURN_SLOW, from, to, method->return_type);
        return;
    }
    enum op op = OP_RETURN_A;
    switch (method->return_type) {
    case 'V': op = OP_RETURN; break;
    case 'B': op = OP_RETURN_B; break;
    case 'C': op = OP_RETURN_C; break;
    case 'S': op = OP_RETURN_S; break;
    case 'Z': op = OP_RETURN_Z; break;
    default: break;
    }
    emit(t, op, from, to, 0);
}

/* ---- one bytecode ---- */

static unsigned
implied_local(uint8_t opcode, uint8_t first)
{
    return (unsigned)(opcode - first) & 3;
}

static void
translate_local(struct translator *t, const struct instruction *in)
{
    uint8_t op = in->opcode;

    if (op >= OP_iload && op <= OP_aload)
        load(t, in->index, op == OP_lload || op == OP_dload);
    else if (op >= OP_iload_0 && op <= OP_aload_3)
        load(t, implied_local(op, OP_iload_0),
             (op >= OP_lload_0 && op <= OP_lload_3)
                 || (op >= OP_dload_0 && op <= OP_dload_3));
    else if (op >= OP_istore && op <= OP_astore)
        store(t, in->index);
    else
        store(t, implied_local(op, OP_istore_0));
}

static void
translate_constant(struct translator *t, const struct instruction *in)
{
    uint8_t op = in->opcode;
    float f;
    double d;
    uint64_t bits;
    int32_t bits32;

    if (op == OP_aconst_null) {
        push_constant(t, 0, false);
    } else if (op <= OP_iconst_5) {
        push_constant(t, op - OP_iconst_0, false);
    } else if (op <= OP_lconst_1) {
        push_constant(t, op - OP_lconst_0, true);
    } else if (op <= OP_fconst_2) {
        f = (float)(op - OP_fconst_0);
        memcpy(&bits32, &f, sizeof bits32);
        push_constant(t, bits32, false);
    } else if (op <= OP_dconst_1) {
        d = (double)(op - OP_dconst_0);
        memcpy(&bits, &d, sizeof bits);
        push_constant(t, (int64_t)bits, true);
    } else {
        push_constant(t, in->operand, false);
    }
}

/* The return address is the next bytecode's index, whatever the form. */
static void
jump_subroutine(struct translator *t, const struct instruction *in)
{
    stack_settle(t);
    int reg = push_result(t, false);
    emit_imm(t, OP_JSR, reg, 0);
    t->fixups = translator_grow(t, t->fixups, &t->fixup_capacity, t->fixup_count,
                                sizeof *t->fixups);
    if (!t->failed)
        t->fixups[t->fixup_count++] =
            (struct fixup){ t->unit_count - 1, (uint32_t)in->operand, true };
}

/* Returns how many bytes were consumed. */
static uint32_t
translate_one(struct translator *t, const struct instruction *in)
{
    struct instruction branch;
    uint8_t op = in->opcode;

    if (op == OP_nop)
        return in->length;
    if (op >= OP_aconst_null && op <= OP_sipush) {
        translate_constant(t, in);
    } else if (op >= OP_ldc && op <= OP_ldc2_w) {
        translate_ldc(t, in->index);
    } else if ((op >= OP_iload && op <= OP_aload_3)
               || (op >= OP_istore && op <= OP_astore_3)) {
        translate_local(t, in);
    } else if (op >= OP_iaload && op <= OP_saload) {
        array_load(t, op);
    } else if (op >= OP_iastore && op <= OP_sastore) {
        array_store(t, op);
    } else if (op >= OP_pop && op <= OP_swap) {
        duplicate(t, op);
    } else if (op >= OP_lcmp && op <= OP_dcmpg) {
        if (compare(t, in)) {
            opcode_decode(t->m->code, t->m->code_length, in->bci + in->length,
                          &branch);
            return in->length + branch.length;
        }
    } else if (op == OP_iinc) {
        increment(t, in->index, in->operand);
    } else if (unary_op[op]) {
        unary(t, op);
    } else if (binary_op[op]) {
        binary(t, op);
    } else if (op >= OP_ifeq && op <= OP_ifle) {
        branch_zero(t, in);
    } else if (op >= OP_if_icmpeq && op <= OP_if_icmple) {
        branch_int(t, in);
    } else if (op == OP_if_acmpeq || op == OP_if_acmpne || op == OP_ifnull
               || op == OP_ifnonnull) {
        branch_reference(t, in);
    } else if (op == OP_goto || op == OP_goto_w) {
        stack_settle(t);
        emit_goto(t, (uint32_t)in->operand);
    } else if (op == OP_jsr || op == OP_jsr_w) {
        jump_subroutine(t, in);
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

static bool
falls_through(uint8_t opcode)
{
    uint8_t flow = opcode_table[opcode].flow;

    return flow == FLOW_NEXT || flow == FLOW_BRANCH || flow == FLOW_JSR;
}

static void
emit_step(struct translator *t)
{
    emit(t, OP_STEP, (int16_t)t->bci, 0, (t->map.flags[t->bci] & CODE_LOOP) != 0);
}

static void
translate_code(struct translator *t)
{
    struct instruction in;
    bool open = false;         /* the instruction before runs on into this one */

    for (uint32_t i = 0; i < t->m->code_length; i++)
        if ((t->map.flags[i] & CODE_REACHED) && t->m->code[i] == OP_monitorenter)
            t->has_monitors = true;
    if (t->code->method->access_flags & ACC_SYNCHRONIZED) {
        emit(t, OP_SYNC_ENTER, 0, 0, 0);
        t->place_count = 0;    /* bytecode 0 begins behind it */
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
            if (t->place_count && t->places[t->place_count - 1].unit == t->unit_count)
                emit(t, OP_NOP, 0, 0, 0);
            t->bci = bci;
            t->labels[bci] = t->unit_count;
            t->last_dest = -1;
            stack_reset(t);
            emit_place(t);
        }
        t->bci = bci;
        if (t->plain) {
            t->labels[bci] = t->unit_count;
            emit_step(t);
        }
        bci += translate_one(t, &in);
        open = falls_through(in.opcode);
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
            t->units[f->unit].imm = offset;
        else if (offset == (int16_t)offset)
            t->units[f->unit].c = (int16_t)offset;
        else
            return false;
    }
    return true;
}

static void
resolve_switches(struct translator *t)
{
    for (uint32_t u = 0; u < t->unit_count; u += op_units[t->units[u].op]) {
        if (t->units[u].op != OP_TABLESWITCH && t->units[u].op != OP_LOOKUPSWITCH)
            continue;
        struct switch_table *table = &t->switches[t->units[u + 1].bits];
        t->units[u + 1].pointer = table;
        table->default_offset =
            (int32_t)t->labels[table->default_offset] - (int32_t)u;
        for (uint32_t i = 0; i < table->count; i++)
            table->offsets[i] = (int32_t)t->labels[table->offsets[i]] - (int32_t)u;
    }
}

static void
translator_release(struct translator *t, bool keep_output)
{
    if (!keep_output) {
        for (uint32_t i = 0; i < t->switch_count; i++) {
            mem_free(t->switches[i].offsets);
            mem_free(t->switches[i].keys);
        }
        mem_free(t->switches);
        mem_free(t->units);
        mem_free(t->places);
    }
    mem_free(t->labels);
    mem_free(t->fixups);
    mem_free(t->stack);
}

static struct translation *
finish(struct translator *t)
{
    struct translation *out = mem_try_calloc(1, sizeof *out);
    uint32_t *handlers = mem_try_calloc(t->m->handler_count + 1u, sizeof *handlers);

    if (!out || !handlers) {
        mem_free(out);
        mem_free(handlers);
        return NULL;
    }
    for (uint32_t i = 0; i < t->m->handler_count; i++)
        handlers[i] = t->labels[t->m->handlers[i].handler_pc];
    resolve_switches(t);
    *out = (struct translation){
        .units = t->units, .unit_count = t->unit_count, .places = t->places,
        .place_count = t->place_count, .handlers = handlers, .switches = t->switches,
        .switch_count = t->switch_count, .is_plain = t->plain
    };
    return out;
}

/* One attempt; *again is set when branches need more reach. */
static struct translation *
attempt(struct code *code, const struct framemap_code *map,
        bool plain, bool far, bool *again)
{
    const struct cf_method *m = code->info;
    struct translator t = { .code = code, .cf = code->pool->file, .m = m,
                            .pool = code->pool, .map = *map, .plain = plain,
                            .far = far, .last_dest = -1 };
    struct translation *out = NULL;

    t.labels = mem_try_alloc(m->code_length * sizeof *t.labels);
    t.stack = mem_try_calloc(m->max_stack + 8u, sizeof *t.stack);
    if (t.labels && t.stack) {
        memset(t.labels, 0xff, m->code_length * sizeof *t.labels);
        translate_code(&t);
        if (!t.failed) {
            *again = !resolve_fixups(&t);
            if (!*again)
                out = finish(&t);
        }
    }
    translator_release(&t, out != NULL);
    return out;
}

struct translation *
translate(struct thread *self, struct code *code, bool plain)
{
    struct framemap_code map;
    bool again = false;

    if (code->max_locals > INT16_MAX || code->frame_slots > INT16_MAX) {
        if (self)
            THROW(self, InternalError,
              "method %s.%s%s has a frame of more than %d locals or operands",
              code->method->class->name->bytes, code->method->name->bytes,
              code->method->descriptor->bytes, INT16_MAX);
        return NULL;
    }
    switch (framemap_analyze(code->pool->file, code->info, &map)) {
    case FRAMEMAP_OK:
        break;
    case FRAMEMAP_BAD_CODE:
        if (self)
            THROW(self, VerifyError, "(class: %s, method: %s signature: %s) Bad code at %u",
              code->method->class->name->bytes, code->method->name->bytes,
              code->method->descriptor->bytes, map.error_bci);
        return NULL;
    default:
        if (self)
            throw_out_of_memory(self, "translated code");
        return NULL;
    }
    struct translation *out = attempt(code, &map, plain, false, &again);
    if (again)
        out = attempt(code, &map, plain, true, &again);
    framemap_release(&map);
    if (!out && self && !exception_pending(self))
        throw_out_of_memory(self, "translated code");
    return out;
}

void
translation_free(struct translation *t)
{
    if (!t)
        return;
    translation_free(t->older);
    for (uint32_t i = 0; i < t->switch_count; i++) {
        mem_free(t->switches[i].offsets);
        mem_free(t->switches[i].keys);
    }
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
    uint32_t place = 0;

    if (bcis || (bcis = make_bcis((struct translation *)(uintptr_t)t)) != NULL)
        return bcis[unit];
    while (place + 1 < t->place_count && t->places[place + 1].unit <= unit)
        place++;
    return t->places[place].bci;
}

uint32_t
translation_unit(const struct translation *t, uint32_t bci)
{
    uint32_t low = 0, high = t->place_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->places[middle].bci < bci)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->place_count && t->places[low].bci == bci ? t->places[low].unit
                                                             : UINT32_MAX;
}
