/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/osr.c -- on-stack replacement: frames change to another translation.
 *
 * This needs no map of values.  Wherever a thread can be stopped, its operand stack
 * stands in its slots, in all translations alike: what the translator keeps pending is
 * only a promise that a slot need not be written yet, and it is settled before such an
 * instruction.  So a frame that is stopped in one translation goes on in another at
 * the same point of the same bytecode, and only its pc has to be computed anew.
 */

#include "interp/debugging.h"

#include "interp/translation.h"
#include "runtime/above.h"
#include "threads/continuation.h"

/*
 * Changes the pc of f, which is in the translation `from`, to the same point of `to`.
 * The point is one of three:
 *   - in front of a bytecode (PC_AT_START): at its first word, or past that at its main
 *     word, the instruction that does the bytecode's work;
 *   - behind SYNC_ENTER, with which every translation of a synchronized method begins;
 *   - in or behind the main word, which was interrupted: as far from the main word of
 *     `to` as from that of `from`.
 * A frame that throws or returns is left alone, because it never looks at its
 * instructions again, and so is one at a bytecode that one of the translations does
 * not know.
 */
static void
replace_translation(struct frame *f, const struct translation *from,
                    const struct translation *to)
{
    unsigned tags = (unsigned)((uintptr_t)f->pc & PC_TAGS);
    uint32_t word = (uint32_t)(pc_untag(f->pc) - from->words), target;
    uint32_t bci = (uint32_t)version_bci_before(f->version, f->pc);
    uint32_t from_first = translation_word(from, bci);
    uint32_t to_first = translation_word(to, bci);

    if ((tags & PC_NO_OPERANDS) || from_first == UINT32_MAX || to_first == UINT32_MAX)
        return;
    if (tags & PC_AT_START)
        target = word == from_first || to->is_debug
                     ? to_first
                     : translation_main_word(to, to_first);
    else if (word <= from_first) /* behind SYNC_ENTER, which all have as their first */
        target = word;
    else
        target = translation_main_word(to, to_first) + word
                 - translation_main_word(from, from_first);
    f->pc = pc_tag(to->words + target, tags);
}

/* The argument of replace_chain. */
struct replacement {
    const struct method_version *only;
    bool done;
};

/* A frame_chain_fn.  Nobody steps through the frames of an unmounted continuation until a
   thread mounts it (continuation_enter). */
static void
replace_chain(void *context, struct thread *t, struct frame *top)
{
    struct replacement *r = context;

    for (struct frame *f = top; f; f = f->caller) {
        if (frame_is_entry(f) || frame_is_native(f)
            || (r->only && f->version != r->only))
            continue;
        const struct translation *from = translation_containing(f->version,
                                                                pc_untag(f->pc));
        if (!from)
            continue;
        /* A frame in the debug translation without need leaves it by itself, at the
           next head of a loop (step_hooks). */
        bool debug = from->is_debug
                     || (t ? wants_debug_translation(t, f->version)
                           : f->version->breakpoints != 0);
        const struct translation *to = version_translation(NULL, f->version, debug);
        if (!to)
            r->done = false;
        else if (to != from)
            replace_translation(f, from, to);
    }
}

bool
frames_replace_translation(struct thread *t, const struct method_version *only)
{
    struct replacement r = { only, true };

    thread_visit_chains(t, replace_chain, &r);
    return r.done;
}

bool
frames_replace_all(struct vm *vm, const struct method_version *only)
{
    struct replacement r = { only, true };

    frames_visit_chains(vm, replace_chain, &r);
    return r.done;
}
