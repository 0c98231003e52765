/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/breakpoint.c -- breakpoints and single steps.
 *
 * The debug translation has a STEP in front of each bytecode.  A breakpoint is a mark
 * in one of these; a single step is reported by every STEP of a thread that wants
 * them.  The number of its breakpoints stands in the method version: while it is not
 * 0, calls begin in the debug translation, and when it becomes 1, frames that run
 * already change to it (osr.c).
 */

#include "interp/debugging.h"

#include "base/events.h"
#include "interp/interp.h"
#include "interp/translation.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

/* A STEP has the bytecode's index in a, the mark of a breakpoint in b, and in c whether
   a loop begins here: only there a frame leaves the debug translation when nothing
   wants it any more.  The pc is read again at the end, since a listener may have caused
   on-stack replacement. */
const union insn *
step_hooks(struct thread *self, struct frame *fp, const union insn *pc)
{
    uint32_t bci = (uint16_t)pc->a;

    fp->pc = pc_tag(pc, PC_AT_START);
    if (pc->c && !wants_debug_translation(self, fp->version)) {
        const struct translation *t = version_translation(self, fp->version,
                                                          NORMAL_TRANSLATION);
        return t ? t->words + translation_word(t, bci) : NULL;
    }
    /* JVM TI "Multiple Co-located Events": single step comes before breakpoint. */
    if (self->poll.hooks & HOOK_SINGLE_STEP)
        EVENT_SEND(EVENT_SINGLE_STEP, single_step, self, fp, bci);
    if (__atomic_load_n(&pc->b, __ATOMIC_RELAXED) && !exception_pending(self)
        && !thread_must_leave(self))
        EVENT_SEND(EVENT_BREAKPOINT, breakpoint, self, fp, bci);
    return exception_pending(self) || thread_must_leave(self) ? NULL
                                                              : pc_untag(fp->pc) + 1;
}

/* Sets or clears the breakpoint in step, a STEP of version.  Returns whether that
   changed anything.  The class mutex is held. */
static bool
mark_step(struct method_version *version, union insn *step, bool set)
{
    if ((step->b != 0) == set)
        return false;
    __atomic_store_n(&step->b, set, __ATOMIC_RELAXED);
    atomic_fetch_add(&version->breakpoints, set ? 1 : -1);
    return true;
}

/* Calls that begin after version_choose_start run the debug translation.  Frames that
   run already change to it while the world is stopped; that is needed for the first
   breakpoint only, since with others set they have changed before. */
enum watch_change
version_change_breakpoint(struct thread *self, struct method_version *version,
                          uint32_t bci, bool set)
{
    struct translation *debug = version_translation(NULL, version, DEBUG_TRANSLATION);
    uint32_t word = debug ? translation_word(debug, bci) : UINT32_MAX;

    if (word == UINT32_MAX)
        return debug ? WATCH_NO_BYTECODE : WATCH_NO_MEMORY;
    mutex_lock(&self->vm->class_mutex);
    bool changes = mark_step(version, &debug->words[word], set);
    bool is_first = changes && set && version->breakpoints == 1;
    if (changes)
        version_choose_start(version);
    mutex_unlock(&self->vm->class_mutex);
    if (!changes)
        return WATCH_UNCHANGED;
    intrinsics_count_watches(self->vm, version->method->class, set ? 1 : -1);
    if (is_first) {
        world_stop(self, "breakpoint");
        frames_replace_all(self->vm, version);
        world_resume(self);
    }
    return WATCH_CHANGED;
}

/* Clears all breakpoints of version, and returns how many it had.  The class mutex is
   held. */
static int
clear_breakpoints(struct method_version *version)
{
    const struct translation *debug = version->debug_translation;
    int cleared = 0;

    for (uint32_t i = 0; version->breakpoints && i < debug->bci_map_count; i++)
        cleared += mark_step(version, &debug->words[debug->bci_map[i].word], false);
    if (cleared)
        version_choose_start(version);
    return cleared;
}

/* The versions before the current one are included, since frames may still run them.
   intrinsics_count_watches takes the class mutex itself, so it comes last. */
void
class_clear_breakpoints(struct thread *self, struct class *c)
{
    int cleared = 0;

    mutex_lock(&self->vm->class_mutex);
    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct method_version *version = method_version(class_method(c, i));
             version; version = version->previous)
            cleared += clear_breakpoints(version);
    mutex_unlock(&self->vm->class_mutex);
    intrinsics_count_watches(self->vm, c, -cleared);
}
