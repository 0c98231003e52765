/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/check.c -- a check of translations, for tests of the VM.
 *
 * It runs on each new translation under -XX:+VerifyAfterGC.  The words must be a
 * sequence of whole instructions.  Branches, switches, handlers and the entries of the
 * bci map must lead to the first word of one.  And a look-up in the map must give back
 * what the entry says, in both directions, because stack walks, breakpoints and
 * exceptions go by it.
 */
#include "interp/translation.h"

#include "base/log.h"
#include "base/mem.h"

struct check {
    const struct method_version *version;
    const struct translation *t;
    bool *begins; /* by word: an instruction begins here */
};

/* Ends the process with a message that says what is wrong at that word. */
_Noreturn static void
fail(const struct check *c, const char *what, uint32_t word)
{
    const struct method *m = c->version->method;

    fatal("the translation of %s.%s%s: %s at word %u of %u", m->class->name->bytes,
          m->name->bytes, m->descriptor->bytes, what, word, c->t->word_count);
}

/* Checks that a jump at word, over offset words, leads to the beginning of an
   instruction. */
static void
check_target(const struct check *c, uint32_t word, int32_t offset)
{
    int64_t target = (int64_t)word + offset;

    if (target < 0 || target >= c->t->word_count || !c->begins[target])
        fail(c, "a branch to nowhere", word);
}

/* Notes where instructions begin. */
static void
find_beginnings(const struct check *c)
{
    uint32_t word = 0;

    while (word < c->t->word_count) {
        if (c->t->words[word].op >= OP_COUNT)
            fail(c, "no instruction", word);
        c->begins[word] = true;
        word += op_words[c->t->words[word].op];
    }
    if (word != c->t->word_count)
        fail(c, "half an instruction", word);
}

/* Checks the targets of the instruction that begins at word, if it is a jump. */
static void
check_branch(const struct check *c, uint32_t word)
{
    const union insn *at = &c->t->words[word];

    if (op_is_conditional_branch((enum op)at->op))
        check_target(c, word, at->c);
    else if (at->op == OP_GOTO || at->op == OP_JSR)
        check_target(c, word, at->imm);
    else if (at->op == OP_TABLESWITCH || at->op == OP_LOOKUPSWITCH) {
        const struct switch_table *table = at[1].pointer;

        check_target(c, word, table->default_offset);
        for (uint32_t i = 0; i < table->count; i++)
            check_target(c, word, table->cases[i].offset);
    }
}

/* Checks that the entries of the bci map are in order, lead to beginnings of
   instructions, and are found again by a look-up in both directions. */
static void
check_bci_map(const struct check *c)
{
    const struct translation *t = c->t;

    for (uint32_t i = 0; i < t->bci_map_count; i++) {
        const struct bci_entry *p = &t->bci_map[i];

        if (p->bci >= c->version->info->code_length)
            fail(c, "an entry behind the bytecode", p->word);
        if (p->word > t->word_count || (p->word < t->word_count && !c->begins[p->word]))
            fail(c, "an entry inside an instruction", p->word);
        if (i > 0 && (p->word < p[-1].word || p->bci <= p[-1].bci))
            fail(c, "entries out of order", p->word);
        /* The first bytecodes of a block, if they needed no instruction, share the word
           of the next entry, and the word belongs to the last of them. */
        if (p->word < t->word_count
            && (i + 1 == t->bci_map_count || p[1].word > p->word)
            && translation_bci(t, p->word) != p->bci)
            fail(c, "a word that belongs to another bytecode", p->word);
        if (translation_word(t, p->bci) != p->word)
            fail(c, "a bytecode that is elsewhere", p->word);
    }
}

void
translation_check(const struct method_version *version, const struct translation *t)
{
    struct check c = { version, t, mem_calloc(t->word_count + 1u, sizeof(bool)) };

    find_beginnings(&c);
    for (uint32_t word = 0; word < t->word_count; word += op_words[t->words[word].op])
        check_branch(&c, word);
    check_bci_map(&c);
    for (uint32_t i = 0; i < version->info->handler_count; i++)
        if (t->handlers[i] != UINT32_MAX
            && (t->handlers[i] >= t->word_count || !c.begins[t->handlers[i]]))
            fail(&c, "a handler inside an instruction", t->handlers[i]);
    mem_free(c.begins);
}
