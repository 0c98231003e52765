/* SPDX-License-Identifier: MIT */
/*
 * minivm/test/translate-t.c -- what bytecode is translated to.
 *
 * A translation is spelled one instruction a line, with the slots that it names: l2 is
 * local 2, s0 operand 0, n1 to n3 are the near slots of a far frame.  Immediates and the
 * bytecodes that jumps go to follow.
 */

#include "interp/translation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "linking/loader.h"
#include "test/boot-fixture.h"
#include "test/tap.h"

static struct thread *self;

static const char *const op_names[OP_COUNT] = {
#define OP(name, words, slots) [OP_##name] = #name,
#include "interp/ops.def"
#undef OP
};

/* ---- methods and their translations ---- */

enum { MAX_STACK = 6 };

_Noreturn static void
bail_out(const char *what)
{
    printf("Bail out! %s: %s\n", what, thrown(self));
    exit(1);
}

/* A static method in a class of its own. */
static struct method_version *
assemble(unsigned flags, const char *descriptor, unsigned max_locals, const char *code)
{
    static unsigned count;
    struct assembler a;
    struct class *c;
    char name[32];

    snprintf(name, sizeof name, "translated/C%u", count++);
    assembler_init(&a, name, NULL, 49);
    assembler_method(&a, ACC_STATIC | flags, "m", descriptor, MAX_STACK, max_locals,
                     code);
    c = define(self, self->vm->boot_loader, &a);
    if (c == NULL)
        bail_out("a class that cannot be defined");
    return method_version(own_method(c, "m", descriptor));
}

/* The translation, which keeps what it promises. */
static struct translation *
translated(struct method_version *version, bool debug)
{
    struct translation *t = translate(self, version, debug);

    if (t == NULL)
        bail_out("a method that cannot be translated");
    translation_check(version, t);
    return t;
}

static void
spell_slot(struct buf *b, const struct method_version *version, int slot)
{
    if (slot >= FRAME_HEADER)
        buf_printf(b, " s%d", slot - FRAME_HEADER);
    else if (version_is_far(version) && slot >= -FAR_SLOTS)
        buf_printf(b, " n%d", -slot);
    else
        buf_printf(b, " l%d", slot + (int)version->max_locals);
}

static void
spell(struct buf *b, const struct method_version *version, const struct translation *t,
      uint32_t word)
{
    const union insn *at = &t->words[word];
    const char *name = op_names[at->op];
    unsigned slots = op_slots[at->op];

    buf_append_string(b, name);
    if (slots & (DEF_A | USE_A))
        spell_slot(b, version, at->a);
    if (slots & USE_B)
        spell_slot(b, version, at->b);
    if (slots & USE_C)
        spell_slot(b, version, at->c);
    if (op_is_conditional_branch((enum op)at->op))
        buf_printf(b, " to %u", translation_bci(t, word + (uint32_t)at->c));
    else if (at->op == OP_GOTO || at->op == OP_JSR)
        buf_printf(b, " to %u", translation_bci(t, word + (uint32_t)at->imm));
    else if (at->op >= OP_IADD_C && at->op <= OP_LXOR_C)
        buf_printf(b, " %d", at->c);
    else if (at->op == OP_CONST)
        buf_printf(b, " %d", at->imm);
    else if (at->op == OP_FAR_GET || at->op == OP_FAR_PUT)
        spell_slot(b, version, at->imm);
    buf_append_string(b, "\n");
}

/* The words of the bytecodes from the one at first on, before the one at end. */
static void
is_translated(struct method_version *version, const struct translation *t,
              uint32_t first, uint32_t end, const char *want, const char *what)
{
    struct buf b;

    buf_init(&b);
    for (uint32_t word = 0; word < t->word_count; word += op_words[t->words[word].op]) {
        uint32_t bci = translation_bci(t, word);
        if (bci >= first && bci < end)
            spell(&b, version, t, word);
    }
    is_string(buf_string(&b), want, "%s", what);
    buf_release(&b);
}

/* All of a method of three int locals, translated normally. */
static void
becomes(const char *descriptor, const char *code, const char *want, const char *what)
{
    struct method_version *version = assemble(0, descriptor, 4, code);
    struct translation *t = translated(version, false);

    is_translated(version, t, 0, UINT32_MAX, want, what);
    translation_free(t);
}

/* ---- tests ---- */

static void
test_operands(void)
{
    becomes("(II)V", "iload 0\n iload 1\n iadd\n istore 2\n return",
            "IADD l2 l0 l1\nRETURN\n",
            "operands are read, and results written, in place");
    becomes("(I)I", "iload 0\n ireturn", "RETURN_A l0\n",
            "a local is returned in place");
    becomes("(I)I", "iload 0\n iinc 0 1\n ireturn",
            "MOVE s0 l0\nIADD_C l0 l0 1\nRETURN_A s0\n",
            "a pending copy is materialized before its local changes");
    becomes("(I)I", "iload 0\n iinc 1 1\n ireturn", "IADD_C l1 l1 1\nRETURN_A l0\n",
            "but not before another local changes");
    becomes("(I)I", "iload 0\n ineg\n dup\n imul\n ireturn",
            "INEG s0 l0\nIMUL s0 s0 s0\nRETURN_A s0\n", "dup is a pending copy");
    becomes("(II)I", "iload 0\n iload 1\n swap\n isub\n ireturn",
            "ISUB s0 l1 l0\nRETURN_A s0\n", "swap of pending copies emits nothing");
    becomes("(II)I", "iload 0\n ineg\n iload 1\n ineg\n swap\n isub\n ireturn",
            "INEG s0 l0\nINEG s1 l1\nMOVE s6 s1\nMOVE s1 s0\nMOVE s0 s6\n"
            "ISUB s0 s0 s1\nRETURN_A s0\n",
            "swap of values in their slots takes the spare slot");
    becomes("(I)B", "iload 0\n ireturn", "RETURN_B l0\n", "a byte's return narrows");
}

static void
test_immediates(void)
{
    becomes("(I)I", "iload 0\n iconst_5\n iadd\n ireturn",
            "IADD_C s0 l0 5\nRETURN_A s0\n", "a constant is an immediate");
    becomes("(I)I", "iconst_5\n iload 0\n iadd\n ireturn",
            "IADD_C s0 l0 5\nRETURN_A s0\n", "on either side of an addition");
    becomes("(I)I", "iconst_5\n iload 0\n isub\n ireturn",
            "CONST s0 5\nISUB s0 s0 l0\nRETURN_A s0\n", "but not of a subtraction");
    becomes("(I)I", "iload 0\n iconst_5\n isub\n ireturn",
            "IADD_C s0 l0 -5\nRETURN_A s0\n", "a constant is subtracted by addition");
    becomes("(I)I", "iload 0\n sipush -32768\n isub\n ireturn",
            "CONST s1 -32768\nISUB s0 l0 s1\nRETURN_A s0\n",
            "unless its opposite needs more than 16 bits");
    becomes("(J)J", "lload 0\n ldc2_w long 7\n ldiv\n lreturn",
            "LDIV_C s0 l0 7\nRETURN_A s0\n", "longs have immediates, too");
    becomes("(I)I", "iload 0\n iconst_0\n idiv\n ireturn",
            "CONST s1 0\nIDIV s0 l0 s1\nRETURN_A s0\n", "0 is no immediate divisor");
    becomes("(I)I", "iload 0\n iconst_m1\n irem\n ireturn",
            "CONST s1 -1\nIREM s0 l0 s1\nRETURN_A s0\n", "nor is -1");
    becomes("(I)I", "iload 0\n bipush 33\n ishl\n ireturn",
            "ISHL_C s0 l0 1\nRETURN_A s0\n", "shift counts are masked");
}

static void
test_branches(void)
{
    becomes("(J)V", "lload 0\n lconst_1\n lcmp\n ifge L\n iinc 2 1\n L:\n return",
            "IF_LCGE l0 to 10\nIADD_C l2 l2 1\nRETURN\n",
            "a comparison and its branch are one instruction");
    becomes("(I)V", "L:\n iinc 0 -1\n iload 0\n ifne L\n return",
            "IADD_C l0 l0 -1\nIF_ICNE l0 to 0\nRETURN\n", "a loop");
    becomes("(I)I", "iload 0\n iload 0\n ifeq L\n iinc 0 1\n L:\n ireturn",
            "MOVE s0 l0\nIF_ICEQ l0 to 10\nIADD_C l0 l0 1\nRETURN_A s0\n",
            "operands are in their slots where a block ends");
}

/* ifeq over so many swaps of one byte and three words each. */
static void
check_reach(unsigned swaps, const char *want, const char *what)
{
    struct method_version *version;
    struct translation *t;
    struct buf b;

    buf_init(&b);
    buf_append_string(&b, "iload 0\n ineg\n iload 0\n ineg\n iload 0\n ifeq L\n");
    for (unsigned i = 0; i < swaps; i++)
        buf_append_string(&b, "swap\n");
    buf_append_string(&b, "L:\n return");
    version = assemble(0, "(I)V", 1, buf_string(&b));
    buf_release(&b);
    t = translated(version, false);
    is_translated(version, t, 6, 9, want, what);
    translation_free(t);
}

static void
test_long_branches(void)
{
    check_reach(10000, "IF_ICEQ l0 to 10011\n", "30,000 words are within reach");
    check_reach(11000, "IF_ICNE l0 to 11\nGOTO to 11011\n",
                "over 33,000 words goes a long branch");
}

static void
test_handlers(void)
{
    struct method_version *version = assemble(
        ACC_SYNCHRONIZED, "()V", 1,
        "A:\n nop\n iinc 0 1\n B:\n return\n H:\n pop\n return\n"
        ".catch A B H any");
    struct translation *t = translated(version, false);

    is_int(t->words[0].op, OP_SYNC_ENTER, "a synchronized method locks first");
    is_int(translation_word(t, 0), 1, "bytecode 0 begins behind that");
    is_int(t->handlers[0], translation_word(t, 5), "a handler's word is known");
    is_int(t->words[t->handlers[0]].op, OP_RETURN_SLOW,
           "a return checks the monitors of a synchronized method");
    translation_free(t);
}

static void
test_switches(void)
{
    struct method_version *version = assemble(
        0, "(I)V", 1,
        "iload 0\n lookupswitch D -5 L 70000 M\n L:\n iinc 0 1\n M:\n"
        "iinc 0 2\n D:\n return");
    struct translation *t = translated(version, false);
    const struct switch_table *table = t->words[1].pointer;

    is_int(t->words[0].op, OP_LOOKUPSWITCH, "a switch");
    is_int(table->count, 2, "has its cases");
    is_int(translation_bci(t, (uint32_t)table->cases[0].offset), 28, "the first");
    is_int(table->cases[1].key, 70000, "the second's key");
    is_int(translation_bci(t, (uint32_t)table->cases[1].offset), 31, "the second");
    is_int(translation_bci(t, (uint32_t)table->default_offset), 34, "and the default");
    translation_free(t);
}

/* Stack walks and on-stack replacement go by the maps. */
static void
test_bci_map(void)
{
    struct method_version *version = assemble(
        0, "(II)V", 2,
        "iload 0\n iload 1\n invokestatic translated/X m (II)V\n"
        "iload 0\n ifeq L\n nop\n L:\n return");
    struct translation *t = translated(version, false);
    uint32_t call = translation_word(t, 4);

    is_int(t->words[call].op, OP_MOVE2, "a call's first word puts arguments in place");
    is_int(t->words[translation_main_word(t, call)].op, OP_INVOKESTATIC_Q,
           "its main word is the call");
    is_int(translation_bci(t, call + 1), 4, "all words of the call belong to it");
    is_int(translation_bci(t, call + 2), 4, "the last, too");
    ok(translation_word(t, 7) == UINT32_MAX, "a load without words is not in the map");
    is_int(t->words[translation_word(t, 9)].op, OP_IF_ICEQ, "the branch is");
    translation_free(t);
}

static void
test_debug(void)
{
    static const uint32_t begins[] = { 0, 2, 4, 5, 7, 10, 11 };
    struct method_version *version = assemble(
        0, "(II)I", 3,
        "iload 0\n iload 1\n iadd\n istore 2\n goto L\n nop\n L:\n"
        "iload 2\n ireturn");
    struct translation *t = translated(version, true);
    unsigned steps = 0;

    ok(t->is_debug, "a debug translation");
    for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++) {
        uint32_t word = translation_word(t, begins[i]);
        steps += word != UINT32_MAX && t->words[word].op == OP_STEP
                 && (uint16_t)t->words[word].a == begins[i]
                 && translation_bci(t, word) == begins[i];
    }
    is_int(steps, sizeof begins / sizeof *begins,
           "has a STEP for every bytecode, also for those that nothing reaches");
    is_translated(version, t, 0, 7,
                  "STEP\nMOVE s0 l0\nSTEP\nMOVE s1 l1\nSTEP\nIADD s0 s0 s1\n"
                  "STEP\nMOVE l2 s0\n",
                  "and keeps the operand stack in its slots");
    translation_free(t);

    version = assemble(0, "(I)V", 1, "L:\n iinc 0 -1\n iload 0\n ifne L\n return");
    t = translated(version, true);
    is_int(t->words[translation_word(t, 0)].c, 1,
           "the STEP at a loop's head leads back to the normal translation");
    is_int(t->words[translation_word(t, 3)].c, 0, "others do not");
    translation_free(t);
}

static void
test_far_frames(void)
{
    struct method_version *version = assemble(
        0, "(I)V", 40000,
        "wide iload 0\n ineg\n wide istore 1\n wide iload 39999\n"
        "wide istore 39998\n return");
    struct translation *t = translated(version, false);

    is_translated(version, t, 0, UINT32_MAX,
                  "FAR_GET n2 l0\nMOVE s0 n2\nINEG s0 s0\nMOVE n1 s0\nFAR_PUT n1 l1\n"
                  "MOVE s0 l39999\nMOVE l39998 s0\nFAR_GET n1 l0\nRETURN_SLOW n1\n",
                  "far slots are copied from and to near ones");
    translation_free(t);
}

static void
test_bad_code(void)
{
    struct method_version *version = assemble(0, "()V", 1, "pop\n return");

    ok(translate(self, version, NORMAL_TRANSLATION) == NULL,
       "bad bytecode has no translation");
    ok(strstr(thrown(self), "java/lang/VerifyError: (class: translated/C") != NULL,
       "but a VerifyError");
    ok(translate(NULL, version, NORMAL_TRANSLATION) == NULL && self->exception == NULL,
       "which is not made without a thread");
}

int
main(void)
{
    self = boot_fixture();
    HANDLE_SCOPE(self);
    test_operands();
    test_immediates();
    test_branches();
    test_long_branches();
    test_handlers();
    test_switches();
    test_bci_map();
    test_debug();
    test_far_frames();
    test_bad_code();
    return done_testing();
}
