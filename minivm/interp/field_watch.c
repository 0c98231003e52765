/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/field_watch.c -- JVM TI "Watched Field".
 *
 * A quickened access to a field does not look whether the field is watched, so watching
 * costs nothing while nobody does it.  When the first watch of a field is set, the
 * world stops; every method that has a quickened access to it is translated anew, with
 * an instruction that looks, which translate emits since f->watched is set before
 * (GETFIELD_Q and the like, which quicken again only while the field is not watched);
 * and frames that run the old translations change to the new ones (osr.c).
 */

#include "interp/debugging.h"

#include "base/bytes.h"
#include "classfile/opcode.h"
#include "interp/interp.h"
#include "interp/translation.h"
#include "linking/loader.h"
#include "linking/resolve.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

/* Returns true if op is an access to a field that does not look whether the field is
   watched. */
static bool
is_quickened_access(enum op op)
{
    return (op >= OP_GETFIELD_B && op <= OP_PUTFIELD_VOL_Z)
           || (op >= OP_GETSTATIC_B && op <= OP_PUTSTATIC_VOL_Z);
}

/* Does constant number index of pool name f?  Until it is resolved, a constant of the
   same name and type may. */
static bool
may_name_field(const struct cpool *pool, unsigned index, const struct field *f)
{
    const struct field *resolved = resolved_field(pool, index);
    struct cf_member member = cf_member(pool->file, index);

    return member.name == f->name && member.descriptor == f->descriptor
           && (resolved == f || !resolved);
}

/* Does t, a translation of version, have a quickened access to f? */
static bool
has_quickened_access(const struct method_version *version, const struct translation *t,
                     const struct field *f)
{
    for (uint32_t i = 0; i < t->bci_map_count; i++) {
        const uint8_t *at = version->info->code + t->bci_map[i].bci;
        uint32_t word = t->bci_map[i].word;

        if (at[0] >= OP_getstatic && at[0] <= OP_putfield
            && may_name_field(version->pool, get_u2(at + 1), f)
            && is_quickened_access(
                (enum op)t->words[translation_main_word(t, word)].op))
            return true;
    }
    return false;
}

struct watch_scan {
    const struct field *field;
    bool has_memory; /* false when a translation could not be made */
};

/*
 * Replaces version's translation by a new one.  f->watched is set already: because of
 * it translate emits an instruction that looks for every access to f, while accesses to
 * other fields may be quick at once.  The old translation stays behind the new one,
 * since frames still run it.  Clears scan->has_memory, and changes nothing, when there
 * is no memory.
 */
static void
translate_again(struct method_version *version, struct watch_scan *scan)
{
    struct translation *old = version->translation;
    struct translation *t = translate(NULL, version, NORMAL_TRANSLATION);

    if (!t) {
        scan->has_memory = false;
        return;
    }
    t->older = old;
    atomic_store_explicit(&version->translation, t, memory_order_release);
    if (version->start == old->words)
        atomic_store_explicit(&version->start, t->words, memory_order_release);
}

/* For classes_visit, with a struct watch_scan as the context: translates those methods
   of c anew that have a quickened access to the field. */
static void
scan_class(void *context, struct class *c)
{
    struct watch_scan *scan = context;

    for (uint32_t i = 0; i < c->method_count; i++)
        for (struct method_version *version = method_version(class_method(c, i));
             version; version = version->previous)
            if (version->translation
                && has_quickened_access(version, version->translation, scan->field))
                translate_again(version, scan);
}

/*
 * Makes kinds (FIELD_WATCH_…) the watches of f.  The world is stopped.  Returns false,
 * and watches nothing, when memory is short.  To look through the code of all classes
 * takes half a millisecond in a small program; agents watch many fields, mostly as
 * soon as the class is prepared and nobody has accessed them, so f->is_quick saves
 * most of it.
 */
static bool
set_watches(struct vm *vm, struct field *f, unsigned kinds)
{
    struct watch_scan scan = { f, true };
    bool was_watched = f->watched != 0;

    f->watched = (uint8_t)kinds;
    if (f->is_quick && !was_watched) {
        classes_visit(vm, WITHOUT_ARRAYS, scan_class, &scan);
        frames_replace_all(vm, NULL);
        /* Without memory some of the quickened accesses are still there. */
        f->is_quick = !scan.has_memory;
    }
    if (!scan.has_memory)
        f->watched = 0;
    intrinsics_count_watches(vm, f->class, (f->watched != 0) - was_watched);
    return scan.has_memory;
}

/* If the bit of kind is not what it is to be, it is toggled. */
enum watch_change
field_change_watch(struct thread *self, struct field *f, unsigned kind, bool set)
{
    enum watch_change result = WATCH_UNCHANGED;

    world_stop(self, "field watch");
    if (set != ((f->watched & kind) != 0))
        result = set_watches(self->vm, f, f->watched ^ kind) ? WATCH_CHANGED
                                                             : WATCH_NO_MEMORY;
    world_resume(self);
    return result;
}
