/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/bci_map.c -- which bytecode a word belongs to, and where one begins.
 *
 * A translation has a list of pairs of word and bytecode index (bci), ascending in
 * both. Both directions are binary searches in it.  Stack walks ask for the bytecode
 * of a word so often that the first one makes an array with the answer for every word.
 *
 * A saved pc stands behind the instruction that the frame is at, or, tagged with
 * PC_AT_START, in front of it (runtime/frame.h).  subroutine_return and
 * subroutine_word are here, too: the return address of jsr is a bytecode index, so
 * that it stays good when the frame changes to another translation.
 */

#include "interp/translation.h"

#include "base/mem.h"
#include "classfile/opcode.h"
#include "interp/interp.h"
#include "runtime/above.h"

/* Makes the array bcis of t, one element for each word, and publishes it.  Of several
   threads that do so at a time the first one's stays, and all return that.  Returns
   NULL when memory is short, and the caller searches. */
static const uint16_t *
make_bcis(struct translation *t)
{
    uint16_t *bcis = mem_try_alloc(t->word_count * sizeof *bcis), *none = NULL;
    uint32_t entry = 0;

    for (uint32_t word = 0; bcis && word < t->word_count; word++) {
        /* The last entry that begins at this word or before it. */
        while (entry + 1 < t->bci_map_count && t->bci_map[entry + 1].word <= word)
            entry++;
        bcis[word] = (uint16_t)t->bci_map[entry].bci;
    }
    if (!atomic_compare_exchange_strong(&t->bcis, &none, bcis)) {
        mem_free(bcis);
        bcis = none;
    }
    return bcis;
}

uint32_t
translation_bci(const struct translation *t, uint32_t word)
{
    const uint16_t *bcis = atomic_load_explicit(&t->bcis, memory_order_acquire);

    if (bcis || (bcis = make_bcis((struct translation *)(uintptr_t)t)) != NULL)
        return bcis[word];
    uint32_t behind = translation_bci_entry(t, word + 1, BY_WORD);
    return t->bci_map[behind ? behind - 1 : 0].bci;
}

uint32_t
translation_bci_entry(const struct translation *t, uint32_t value, bool by_bci)
{
    uint32_t low = 0, high = t->bci_map_count;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct bci_entry *p = &t->bci_map[middle];
        if ((by_bci ? p->bci : p->word) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t
translation_word(const struct translation *t, uint32_t bci)
{
    uint32_t i = translation_bci_entry(t, bci, BY_BCI);

    return i < t->bci_map_count && t->bci_map[i].bci == bci ? t->bci_map[i].word
                                                            : UINT32_MAX;
}

/* A pc just behind the last word is that of a frame at the last instruction.  Older
   translations of the version are searched, too: frames may still run them. */
const struct translation *
translation_containing(const struct method_version *version, const union insn *pc)
{
    const struct translation *t = version->debug_translation;

    if (t && pc >= t->words && pc <= t->words + t->word_count)
        return t;
    for (t = version->translation; t; t = t->older)
        if (pc >= t->words && pc <= t->words + t->word_count)
            return t;
    return NULL;
}

int32_t
version_bci_before(const struct method_version *version, const union insn *pc)
{
    const union insn *at = pc_untag(pc);
    const struct translation *t = translation_containing(version, at);

    if (!t)
        return 0;
    uint32_t word = (uint32_t)(at - t->words);
    /* pc stands behind a word of the instruction that the frame is at. */
    if (!((uintptr_t)pc & PC_AT_START))
        return (int32_t)translation_bci(t, word ? word - 1 : 0);
    /* The frame is in front of word.  If a block begins there, bytecodes without an
       instruction may share the word, and the frame is before the first of them.
       Otherwise the frame is at a call that is to be run again (PopFrame), which stands
       behind the words that put its arguments in place. */
    uint32_t i = translation_bci_entry(t, word, BY_WORD);
    return i < t->bci_map_count && t->bci_map[i].word == word
               ? (int32_t)t->bci_map[i].bci
               : (int32_t)translation_bci(t, word);
}

/* Returns true if op only prepares the work of a bytecode, by moving operands to where
   it finds them, or is a STEP. */
static bool
is_preparation(enum op op)
{
    return op == OP_MOVE || op == OP_MOVE2 || op == OP_CONST || op == OP_CONST64
           || op == OP_FAR_GET || op == OP_FAR_PUT || op == OP_STEP;
}

/* The words of a bytecode end where those of the next entry of the map begin.  Opcodes
   are read atomically, since another thread may quicken the instruction. */
uint32_t
translation_main_word(const struct translation *t, uint32_t first)
{
    uint32_t next = translation_bci_entry(t, first + 1, BY_WORD);
    uint32_t end = next < t->bci_map_count ? t->bci_map[next].word : t->word_count;
    uint32_t main_word = UINT32_MAX, last = first;

    for (uint32_t word = first; word < end; word += op_words[t->words[word].op]) {
        last = word;
        if (!is_preparation(
                (enum op)__atomic_load_n(&t->words[word].op, __ATOMIC_ACQUIRE)))
            main_word = word;
    }
    return main_word != UINT32_MAX ? main_word : last;
}

/* A jsr has 3 bytes, a jsr_w has 5.  pc is not tagged, and is that of the JSR
   itself. */
int64_t
subroutine_return(const struct frame *fp, const union insn *pc)
{
    const struct translation *t = translation_containing(fp->version, pc);
    uint32_t bci = translation_bci(t, (uint32_t)(pc - t->words));

    return bci + (fp->version->info->code[bci] == OP_jsr ? 3 : 5);
}

const union insn *
subroutine_word(const struct frame *fp, const union insn *pc, int64_t bci)
{
    const struct translation *t = translation_containing(fp->version, pc);

    return t->words + translation_word(t, (uint32_t)bci);
}
