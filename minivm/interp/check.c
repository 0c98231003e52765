/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/check.c -- does a translation keep its promises?
 *
 * Runs on each new translation under -XX:+VerifyAfterGC.  The units must be a row of
 * whole instructions; branches, switches, handlers and places must lead to the first
 * unit of one; and the maps between units and bytecodes must agree with the places in
 * both directions, for stack walks, breakpoints and exceptions go by them.
 */
#include "interp/insn.h"

#include "base/log.h"
#include "base/mem.h"

struct check {
    const struct code *code;
    const struct translation *t;
    bool *begins;              /* by unit: an instruction begins here */
};

_Noreturn static void
fail(const struct check *c, const char *what, uint32_t unit)
{
    const struct method *m = c->code->method;

    fatal("the translation of %s.%s%s: %s at unit %u of %u", m->class->name->bytes,
          m->name->bytes, m->descriptor->bytes, what, unit, c->t->unit_count);
}

static void
check_target(const struct check *c, uint32_t unit, int32_t offset)
{
    int64_t target = (int64_t)unit + offset;

    if (target < 0 || target >= c->t->unit_count || !c->begins[target])
        fail(c, "a branch to nowhere", unit);
}

static void
find_beginnings(const struct check *c)
{
    uint32_t unit = 0;

    while (unit < c->t->unit_count) {
        if (c->t->units[unit].op >= OP_COUNT)
            fail(c, "no instruction", unit);
        c->begins[unit] = true;
        unit += op_units[c->t->units[unit].op];
    }
    if (unit != c->t->unit_count)
        fail(c, "half an instruction", unit);
}

static void
check_branch(const struct check *c, uint32_t unit)
{
    const union insn *at = &c->t->units[unit];

    if (at->op >= OP_IF_IEQ && at->op <= OP_IFNONNULL)
        check_target(c, unit, at->c);
    else if (at->op == OP_GOTO || at->op == OP_JSR)
        check_target(c, unit, at->imm);
    else if (at->op == OP_TABLESWITCH || at->op == OP_LOOKUPSWITCH) {
        const struct switch_table *table = at[1].pointer;

        check_target(c, unit, table->default_offset);
        for (uint32_t i = 0; i < table->count; i++)
            check_target(c, unit, table->cases[i].offset);
    }
}

static void
check_places(const struct check *c)
{
    const struct translation *t = c->t;

    for (uint32_t i = 0; i < t->place_count; i++) {
        const struct place *p = &t->places[i];

        if (p->bci >= c->code->info->code_length)
            fail(c, "a place behind the bytecode", p->unit);
        if (p->unit > t->unit_count || (p->unit < t->unit_count && !c->begins[p->unit]))
            fail(c, "a place inside an instruction", p->unit);
        if (i > 0 && (p->unit < p[-1].unit || p->bci <= p[-1].bci))
            fail(c, "places out of order", p->unit);
        /* Bytecodes that need no instruction share the unit of the next one. */
        if (p->unit < t->unit_count
            && (i + 1 == t->place_count || p[1].unit > p->unit)
            && translation_bci(t, p->unit) != p->bci)
            fail(c, "a unit that belongs to another bytecode", p->unit);
        if (translation_unit(t, p->bci) != p->unit)
            fail(c, "a bytecode that is elsewhere", p->unit);
    }
}

void
translation_check(const struct code *code, const struct translation *t)
{
    struct check c = { code, t, mem_calloc(t->unit_count + 1u, sizeof(bool)) };

    find_beginnings(&c);
    for (uint32_t unit = 0; unit < t->unit_count; unit += op_units[t->units[unit].op])
        check_branch(&c, unit);
    check_places(&c);
    for (uint32_t i = 0; i < code->info->handler_count; i++)
        if (t->handlers[i] != UINT32_MAX
            && (t->handlers[i] >= t->unit_count || !c.begins[t->handlers[i]]))
            fail(&c, "a handler inside an instruction", t->handlers[i]);
    mem_free(c.begins);
}
