/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/version.c -- where calls of a method version begin.
 *
 * version->start is the first instruction of every call, so that the loop needs no
 * test to tell native methods, intrinsics and bytecode apart: it jumps there.  It
 * begins as a shared instruction (insn.h) that does the rest when the method is first
 * called, for example OP_TRANSLATE, and is replaced by the words of a translation
 * then.  Whoever wants calls to begin elsewhere, in the debug translation for
 * instance, changes start.
 */

#include "interp/interp.h"

#include "interp/translation.h"
#include "runtime/above.h"
#include "runtime/vm.h"

/* Operands beyond the class file's max_stack: one for the appendix that a call site
   adds to its arguments, and one in which the translator keeps a value while it
   permutes operands (stack_bytecode in operand_stack.c). */
enum { SPARE_OPERANDS = 2 };

void
version_prepare(struct method_version *version)
{
    const struct method *m = version->method;
    bool has_code = version->info && version->info->has_code;

    version->max_locals = has_code ? version->info->max_locals : m->arg_slots;
    /* The result goes where local 0 is, which must not be the frame's header. */
    if (version->max_locals == 0 && m->return_type != 'V')
        version->max_locals = 1;
    if (version_is_far(version))
        version->max_locals += FAR_SLOTS;
    version->frame_slots = FRAME_HEADER + (has_code ? version->info->max_stack : 0u)
                           + SPARE_OPERANDS;
    version->start = m->flags & METHOD_DELETED ? insn_abstract
                     : method_is_native(m) ? continuation_native_start(version->method)
                     : has_code            ? insn_translate
                                           : insn_abstract;
}

void
version_release(struct method_version *version)
{
    translation_free(version->translation);
    translation_free(version->debug_translation);
    version->translation = version->debug_translation = NULL;
}

/* A translation becomes visible when it is complete, by the compare-and-swap. */
struct translation *
version_translation(struct thread *self, struct method_version *version, bool debug)
{
    struct translation *_Atomic *cell = debug ? &version->debug_translation
                                              : &version->translation;
    struct translation *t = *cell, *none = NULL;

    if (t)
        return t;
    t = translate(self, version, debug);
    if (t && !atomic_compare_exchange_strong(cell, &none, t)) {
        translation_free(t);
        t = none;
    }
    return t;
}

bool
wants_debug_translation(const struct thread *self, const struct method_version *version)
{
    return atomic_load_explicit(&version->breakpoints, memory_order_relaxed) != 0
           || (self->poll.hooks & HOOK_SINGLE_STEP) != 0;
}

/* insn_translate lets the next call decide: enter_translate binds the intrinsic, if
   that may run, or makes or finds the translation. */
void
version_choose_start(struct method_version *version)
{
    const struct translation *t = version->translation;

    if (version->breakpoints)
        t = version->debug_translation;
    else if (__atomic_load_n(&version->method->intrinsic, __ATOMIC_RELAXED))
        t = NULL;

    atomic_store_explicit(&version->start, t ? t->words : insn_translate,
                          memory_order_release);
}

/* The C body is taken if nobody watches what it would hide: no hook of this thread, no
   breakpoint in the method, no watch in the class library.  It becomes where all calls
   of the method begin; intrinsics_count_watches changes that when a watch is set or
   removed.  It counts the watch and then looks which methods have a C body, while we
   store the C body and then look whether there are watches: so one of the two sees what
   the other has stored. */
const union insn *
enter_translate(struct thread *self, struct frame *fp)
{
    struct method_version *version = fp->version;
    bool debug = wants_debug_translation(self, version);

    if (self->poll.hooks == 0 && !debug && !self->vm->library_watches
        && intrinsic_bind(version->method)) {
        atomic_store_explicit(&version->start, insn_intrinsic, memory_order_release);
        if (!atomic_load(&self->vm->library_watches))
            return insn_intrinsic;
        version_choose_start(version);
    }
    struct translation *t = version_translation(self, version, debug);

    if (!t)
        return NULL;
    /* The debug translation may be wanted by this thread alone. */
    if (!debug)
        atomic_store_explicit(&version->start, t->words, memory_order_release);
    return t->words;
}

/* While self has hooks: if a listener of MethodEntry has asked to leave the new frame,
   it goes to insn_error, which unwinds; and if this thread wants the debug translation
   while calls begin in the normal one, it goes to enter_translate. */
const union insn *
call_start(struct thread *self, struct method_version *version)
{
    const union insn *start = atomic_load_explicit(&version->start,
                                                   memory_order_acquire);

    if (__builtin_expect(self->poll.hooks == 0, 1))
        return start;
    if (thread_must_leave(self))
        return insn_error;
    /* A C body reports nothing of what it does, so bytecode runs while hooks listen. */
    if (start->op == OP_INTRINSIC)
        return method_is_native(version->method) ? insn_native : insn_translate;
    if (version->translation && start == version->translation->words
        && wants_debug_translation(self, version))
        return insn_translate;
    return start;
}
