/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/translate.c -- bytecode to internal instructions, in one pass.
 *
 * translate analyses the method (classfile/framemap.h), then goes through the bytecode
 * in order.  Bytecode that no path reaches is left out, but a debug translation has a
 * STEP for it.  Most bytecodes become one instruction whose operands are the slots
 * where the abstract operand stack has their operands (operand_stack.c); loads,
 * constants and many stores become none.  In Java's "i = a + b", iload a and iload b
 * push pending copies, iadd becomes IADD with the slots of a and b, and istore makes
 * that IADD write i.
 *
 * Jumps are resolved at the end, when the words of all targets are known.  If a
 * displacement does not fit, everything is done again with long branches.
 */

#include "interp/translator.h"

#include <string.h>

#include "base/mem.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- loads, stores, arithmetic ---- */

/*
 * Translates a store of the top operand in a local: istore, lstore, fstore, dstore,
 * astore and their short forms.  A long or double is in the slot of its first local,
 * and the second one's is unused.  A constant is loaded into the local, a value that
 * the last instruction has made is written there by that instruction itself, and
 * everything else is moved.  Pending copies of the local's old value are made real
 * first.
 */
static void
store(struct translator *t, unsigned local)
{
    int to = local_slot(t, local);
    struct entry e = pop_entry(t);
    int64_t producer = t->last_def;

    stack_materialize_copies(t, local);
    if (e.kind == ENTRY_CONST) {
        emit_constant(t, to, e.value);
    } else if (e.kind == ENTRY_IN_SLOT && producer >= 0 && producer == t->last_def
               && !t->always_materialize
               && t->out->words[producer].a == operand_slot(t->depth)) {
        /* The last instruction has just made the value: let it write the local
           itself. */
        t->out->words[producer].a = (int16_t)to;
        t->last_def = -1;
    } else {
        emit_move(t, to, e.kind == ENTRY_COPY ? e.source : operand_slot(t->depth));
    }
}

/* By the bytecode for int: the instruction with an immediate as its right operand.  The
   one for long follows it (insn.c asserts that). */
static const uint16_t immediate_op[256] = {
    [OP_iadd] = OP_IADD_C, [OP_isub] = OP_IADD_C,   [OP_imul] = OP_IMUL_C,
    [OP_idiv] = OP_IDIV_C, [OP_irem] = OP_IREM_C,   [OP_ishl] = OP_ISHL_C,
    [OP_ishr] = OP_ISHR_C, [OP_iushr] = OP_IUSHR_C, [OP_iand] = OP_IAND_C,
    [OP_ior] = OP_IOR_C,   [OP_ixor] = OP_IXOR_C,
};

/*
 * Returns true if the arithmetic bytecode can have value as its right operand in the
 * instruction, in 16 bits, and sets the instruction and its operand c.  Shift counts
 * are masked as JVMS 6.5 says.  Divisors 0 and -1 are left to the general instruction,
 * which throws, or avoids the overflow of the processor's division.  For bytecodes
 * without such a form *op and *c are of no use.
 */
static bool
immediate_form(uint8_t opcode, int64_t value, enum op *op, int *c)
{
    bool is_long = opcode & 1; /* iadd to ixor for int are even, those for long odd */
    int family = opcode - is_long;

    *op = (enum op)(immediate_op[family] + is_long);
    *c = (int)value;
    if (family == OP_isub) /* an addition of the negated value */
        *c = -*c;
    else if (family == OP_ishl || family == OP_ishr || family == OP_iushr)
        *c &= is_long ? 63 : 31;
    else if (family == OP_idiv || family == OP_irem)
        return value != 0 && value != -1;
    return immediate_op[family] != 0 && *c == (int16_t)*c;
}

/* May the operands of opcode, which has a form with an immediate, be exchanged? */
static bool
is_commutative(uint8_t opcode)
{
    int family = opcode & ~1;

    return family == OP_iadd || family == OP_imul || family >= OP_iand;
}

/* Returns the instruction for a bytecode that only computes: it takes operands and
   leaves one result, or stores into an array.  NOP for all others.  insn.c asserts that
   the instructions are in the order of the bytecodes. */
static enum op
simple_op(uint8_t opcode)
{
    static const uint16_t elements[] = {
        OP_IALOAD,  OP_LALOAD,  OP_IALOAD,  OP_LALOAD,  OP_LALOAD,  OP_BALOAD,
        OP_CALOAD,  OP_SALOAD,  OP_IASTORE, OP_LASTORE, OP_IASTORE, OP_LASTORE,
        OP_AASTORE, OP_BASTORE, OP_CASTORE, OP_SASTORE,
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

/* Returns true if the bytecode pushes a long or double, of two slots. */
static bool
result_is_wide(uint8_t opcode)
{
    const char *pushes = opcode_table[opcode].pushes;

    return pushes[0] == 'J' || pushes[0] == 'D';
}

void
translate_binary(struct translator *t, uint8_t opcode)
{
    int64_t value;
    enum op op;
    int b, c = 0;
    bool is_immediate = top_is_immediate(t, &value)
                        && immediate_form(opcode, value, &op, &c);

    if (is_immediate)
        pop_entry(t);
    b = pop_slot(t);
    if (!is_immediate && is_commutative(opcode) && top_is_immediate(t, &value)
        && immediate_form(opcode, value, &op, &c)) {
        pop_entry(t);
    } else if (!is_immediate) {
        op = simple_op(opcode);
        c = b;
        b = pop_slot(t);
    }
    t->last_def = emit(t, op, push_result(t, result_is_wide(opcode)), b, c);
}

/* Translates a bytecode that simple_op knows; how many values it pops says of which
   kind it is. */
static void
simple(struct translator *t, uint8_t opcode)
{
    enum op op = simple_op(opcode);

    switch (strlen(opcode_table[opcode].pops)) {
    case 1: {
        int b = pop_slot(t);
        t->last_def = emit(t, op, push_result(t, result_is_wide(opcode)), b, 0);
        break;
    }
    case 2: translate_binary(t, opcode); break;
    default: { /* into an array */
        int value = pop_slot(t), index = pop_slot(t), array = pop_slot(t);
        emit(t, op, value, array, index);
        break;
    }
    }
}

/* ---- one bytecode ---- */

/* Translates aconst_null to sipush.  The operand of bipush and sipush is the value;
   aconst_null and the zeros have operand 0, whose bits are zero for every type. */
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

/* Translates the bytecode in.  Returns how many bytes were consumed: more than its own
   length if the next one is part of the instruction (compare). */
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
        push_copy(t, local_slot(t, in->index), result_is_wide(op));
    } else if (opcode_is_store(op)) {
        store(t, in->index);
    } else if (op >= OP_pop && op <= OP_swap) {
        stack_bytecode(t, op);
    } else if (op >= OP_lcmp && op <= OP_dcmpg) {
        return translate_compare(t, in);
    } else if (op == OP_iinc) {
        int local = local_slot(t, in->index);
        stack_materialize_copies(t, in->index);
        emit(t, OP_IADD_C, local, local, in->operand);
    } else if (simple_op(op) != OP_NOP) {
        simple(t, op);
    } else if (opcode_table[op].flow == FLOW_BRANCH) {
        translate_branch(t, in);
    } else if (op == OP_goto || op == OP_goto_w) {
        stack_materialize(t);
        emit_jump(t, OP_GOTO, 0, (uint32_t)in->operand);
    } else if ((op == OP_jsr || op == OP_jsr_w) && t->far_frame) {
        /* A FAR_PUT behind a JSR would run after the subroutine, too late: so the
           return address is stored first, and a GOTO jumps. */
        emit_constant(t, push_result(t, NARROW), in->bci + in->length);
        emit_jump(t, OP_GOTO, 0, (uint32_t)in->operand);
    } else if (op == OP_jsr || op == OP_jsr_w) {
        stack_materialize(t);
        emit_jump(t, OP_JSR, push_result(t, NARROW), (uint32_t)in->operand);
    } else if (op == OP_ret) {
        stack_materialize(t);
        emit(t, OP_RET, local_slot(t, in->index), 0, 0);
    } else if (opcode_is_switch(op)) {
        translate_switch(t, in);
    } else if (op >= OP_ireturn && op <= OP_return) {
        translate_return(t, op);
    } else if (op >= OP_getstatic && op <= OP_putfield) {
        translate_field(t, op, in->index);
    } else if (op >= OP_invokevirtual && op <= OP_invokedynamic) {
        translate_invoke(t, op, in->index);
    } else {
        translate_object(t, in);
    }
    return in->length;
}

/* The STEP in front of t->bci in a debug translation. */
static void
emit_step(struct translator *t)
{
    emit(t, OP_STEP, (int16_t)t->bci, 0, (t->map.flags[t->bci] & CODE_LOOP) != 0);
}

/* Emits everything; jumps are left to resolve_fixups and resolve_switches.  Sets
   t->failed without memory. */
static void
translate_code(struct translator *t)
{
    struct translation *out = t->out;
    struct instruction in;
    bool falls_through = false; /* from the bytecode before into this one */

    for (uint32_t i = 0; i < t->m->code_length; i++)
        if ((t->map.flags[i] & CODE_REACHED) && t->m->code[i] == OP_monitorenter)
            t->has_monitors = true;
    if (t->version->method->access_flags & ACC_SYNCHRONIZED) {
        emit(t, OP_SYNC_ENTER, 0, 0, 0);
        t->out->bci_map_count = 0; /* bytecode 0 begins behind it */
    }
    for (uint32_t bci = 0; bci < t->m->code_length && !t->failed;) {
        if (!opcode_decode(t->m->code, t->m->code_length, bci, &in)) {
            t->failed = true;
            return;
        }
        uint8_t flags = t->map.flags[bci];
        if (!(flags & CODE_REACHED)) {
            t->bci = bci;
            if (t->debug)
                emit_step(t);
            bci += in.length;
            falls_through = false;
            continue;
        }
        if (flags & CODE_LEADER || bci == 0) {
            /* Others may jump to this block, and expect all operands in their slots. */
            if (falls_through)
                stack_materialize(t);
            /* If the block before was empty, both would begin at the same word, and a
               frame at that word could not be told to be in this one. */
            if (out->bci_map_count
                && out->bci_map[out->bci_map_count - 1].word == out->word_count)
                emit(t, OP_NOP, 0, 0, 0);
            t->bci = bci;
            t->labels[bci] = t->out->word_count;
            t->last_def = -1;
            stack_begin_block(t);
            emit_bci_entry(t);
        }
        t->bci = bci;
        if (t->debug) {
            t->labels[bci] = t->out->word_count;
            emit_step(t);
        }
        bci += translate_one(t, &in);
        falls_through = opcode_falls_through(in.opcode)
                        || opcode_table[in.opcode].flow == FLOW_JSR;
    }
}

/* ---- putting it together ---- */

/* Fills in all displacements.  Returns false if one does not fit into 16 bits. */
static bool
resolve_fixups(struct translator *t)
{
    for (uint32_t i = 0; i < t->fixup_count; i++) {
        struct fixup *f = &t->fixups[i];
        int32_t offset = (int32_t)t->labels[f->bci] - (int32_t)f->word;
        if (f->is_imm)
            t->out->words[f->word].imm = offset;
        else if (offset == (int16_t)offset)
            t->out->words[f->word].c = (int16_t)offset;
        else
            return false;
    }
    return true;
}

/* Makes the second words of switches pointers, and the tables' targets
   displacements. */
static void
resolve_switches(struct translator *t)
{
    union insn *words = t->out->words;

    for (uint32_t u = 0; u < t->out->word_count; u += op_words[words[u].op]) {
        if (words[u].op != OP_TABLESWITCH && words[u].op != OP_LOOKUPSWITCH)
            continue;
        struct switch_table *table = &t->out->switches[words[u + 1].bits];
        words[u + 1].pointer = table;
        table->default_offset = (int32_t)t->labels[table->default_offset] - (int32_t)u;
        for (uint32_t i = 0; i < table->count; i++)
            table->cases[i].offset = (int32_t)t->labels[table->cases[i].offset]
                                     - (int32_t)u;
    }
}

enum { SHORT_BRANCHES = false, LONG_BRANCHES = true };

/* Translates with short or long branches.  Returns NULL without memory, or with *again
   set because a short branch does not reach its target.  In labels and handlers
   UINT32_MAX says that no path reaches the bytecode. */
static struct translation *
translate_with(struct method_version *version, const struct framemap_code *map,
               bool debug, bool long_branches, bool *again)
{
    const struct cf_method *m = version->info;
    struct translator t = { .version = version,
                            .cf = version->pool->file,
                            .m = m,
                            .pool = version->pool,
                            .map = *map,
                            .debug = debug,
                            .long_branches = long_branches,
                            .far_frame = version_is_far(version),
                            .always_materialize = debug || version_is_far(version),
                            .last_def = -1 };
    struct translation *out = t.out = mem_try_calloc(1, sizeof *out);

    t.labels = mem_try_alloc(m->code_length * sizeof *t.labels);
    t.stack = mem_try_calloc(m->max_stack + 8u, sizeof *t.stack);
    if (out)
        out->handlers = mem_try_calloc(m->handler_count + 1u, sizeof *out->handlers);
    t.failed = !out || !out->handlers || !t.labels || !t.stack;
    if (!t.failed) {
        memset(t.labels, 0xff, m->code_length * sizeof *t.labels);
        out->is_debug = debug;
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
translate(struct thread *self, struct method_version *version, bool debug)
{
    const struct method *m = version->method;
    struct translation *out = NULL;
    struct framemap_code map;
    enum framemap_status status;
    bool again = false;

    status = framemap_analyze(version->pool->file, version->info, &map);
    if (status == FRAMEMAP_BAD_CODE && self)
        THROW(self, VerifyError, "(class: %s, method: %s signature: %s) Bad code at %u",
              m->class->name->bytes, m->name->bytes, m->descriptor->bytes,
              map.error_bci);
    if (status == FRAMEMAP_OK) {
        out = translate_with(version, &map, debug, SHORT_BRANCHES, &again);
        if (again)
            out = translate_with(version, &map, debug, LONG_BRANCHES, &again);
        framemap_release(&map);
    }
    if (!out && self && !exception_pending(self))
        throw_out_of_memory(self, "translated code");
    if (out && the_vm->options.check_after_gc)
        translation_check(version, out);
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
    mem_free(t->words);
    mem_free(t->bci_map);
    mem_free(t->bcis);
    mem_free(t->handlers);
    mem_free(t);
}
