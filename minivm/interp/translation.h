/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/translation.h -- what a method version's bytecode was translated to.
 *
 * A method version (linking/class.h) has up to two translations, each made when it is
 * first needed.  The normal translation is the fast one.  The debug translation has a
 * STEP in front of every bytecode, also of those that nothing reaches, keeps the
 * operand stack in its slots between any two bytecodes, and quickens no access to
 * fields; breakpoints and single steps work on it.  A frame changes from one to the
 * other wherever it is stopped, which is called on-stack replacement (osr.c), and
 * returns from the debug translation at the head of a loop.
 *
 * A translation belongs to its version and lives as long.  One that a newer
 * translation has replaced stays, too, since frames may still run it.  Its words
 * change by quickening and breakpoints only, its maps never, so all threads read it
 * without a lock.
 *
 * Functions without self neither stop nor collect.
 */

#ifndef MINIVM_INTERP_TRANSLATION_H
#define MINIVM_INTERP_TRANSLATION_H

#include "interp/insn.h"
#include "threads/thread.h"

/* The words from this one on, up to that of the next entry, were made for the bytecode
   at bci.  A bytecode that needed no instruction has no entry, except where a block
   begins: then it shares its word with the next entry. */
struct bci_entry {
    uint32_t word, bci;
};

struct translation {
    struct translation *older; /* replaced by this one; frames may still run it */
    union insn *words;
    uint32_t word_count;
    struct bci_entry *bci_map; /* by ascending bci, and by ascending word */
    uint32_t bci_map_count;
    uint16_t *_Atomic bcis; /* the bci of each word; NULL until it is asked for */
    uint32_t *handlers;     /* the word of each exception handler of the class file */
    struct switch_table *switches;
    uint32_t switch_count;
    bool is_debug;
};

/*
 * Translates version, which has bytecode.  Returns NULL with OutOfMemoryError or
 * VerifyError pending; with self NULL, without an exception.  Calls no Java code, but
 * the creation of an exception may collect.  The caller owns the translation until it
 * is published in the version.
 */
struct translation *translate(struct thread *self, struct method_version *version,
                              bool debug);
/* For the parameter debug: which of the two translations is meant. */
enum { NORMAL_TRANSLATION = false, DEBUG_TRANSLATION = true };
/* Frees t, which may be NULL, and those that it has replaced. */
void translation_free(struct translation *t);

/*
 * Returns the version's normal or debug translation, and makes it if there is none; of
 * two threads that do, the second takes the first one's.  Returns NULL as translate
 * does.
 */
struct translation *version_translation(struct thread *self,
                                        struct method_version *version, bool debug);
/* Must frames of version that self runs have the debug translation?  That is so while
   the version has breakpoints or self reports single steps. */
bool wants_debug_translation(const struct thread *self,
                             const struct method_version *version);
/* Sets where calls of version begin from now on, after a change of its breakpoints or
   of what is watched in the class library.  The class mutex is held. */
void version_choose_start(struct method_version *version);

/* ---- between words and bytecodes (bci_map.c) ---- */

/* The index in bci_map of the first entry whose word, or with by_bci whose bci, is at
   least value; bci_map_count if there is none. */
uint32_t translation_bci_entry(const struct translation *t, uint32_t value,
                               bool by_bci);
enum { BY_WORD = false, BY_BCI = true };
/* The word where the bytecode at bci begins, UINT32_MAX if the map does not have it: a
   debug translation knows all bytecodes, a normal one those that produced words. */
uint32_t translation_word(const struct translation *t, uint32_t bci);
/* The bytecode that word was made for. */
uint32_t translation_bci(const struct translation *t, uint32_t word);
/* The version's translation that pc, without tags, points into or just behind; NULL for
   one of the shared instructions of insn.h. */
const struct translation *translation_containing(const struct method_version *version,
                                                 const union insn *pc);
/*
 * The word of the instruction that does the work of a bytecode, of whose words first
 * is the first: not one that moves operands into their slots, nor a STEP.  If all
 * words are such, the last (a resolved ldc is a CONST64).
 */
uint32_t translation_main_word(const struct translation *t, uint32_t first);

/* ---- checking (check.c) ---- */

/* Ends the process with a message if t, a translation of version, contradicts
   itself. */
void translation_check(const struct method_version *version,
                       const struct translation *t);

#endif
