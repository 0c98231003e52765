/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/heapdump_roots.c -- the stack traces and roots of a heap dump.
 *
 * The roots on a thread's stack name the thread and the number of the frame in its
 * trace, so the traces are written first, and before all other roots those that say which
 * object each thread is: readers want to know it by then.  Roots of unknown kind stand for
 * what the VM itself refers to.
 *
 * A virtual thread is a thread like others here: its frames are in its own trace, and its
 * carrier's are those below them.  The frames of one that is not mounted are no roots for
 * the collector, which reaches them from the continuation; the dump has no record for what
 * leads there, so they are roots in it, as in HotSpot's.
 *
 * A dump that -XX:+HeapDumpOnOutOfMemoryError asks for is made before the error is
 * thrown.  HotSpot makes its one while the constructor of OutOfMemoryError runs, and
 * readers expect that frame, so it is added to the trace of that thread.
 */

#include "diagnostics/heapdump_parts.h"
#include "linking/loader.h"
#include "threads/continuation.h"
#include "threads/thread_list.h"
#include "threads/virtual_thread.h"

/* Writes the record of a frame with that id, and before it the names that it refers to.
   The line is -1 if it is not known and -3 in a native method (HPROF "STACK FRAME"). */
static void
write_frame(struct dump *d, uint64_t id, const struct method_version *version,
            int32_t bci)
{
    const struct method *m = version->method;
    const struct symbol *source = m->class->source_file;
    int32_t line = version_line(version, bci);

    dump_write_name(d, m->name);
    dump_write_name(d, m->descriptor);
    dump_write_name(d, source);
    hprof_record(&d->h, HPROF_FRAME, 4 * HPROF_ID + 4 + 4);
    hprof_u8(&d->h, id);
    hprof_id(&d->h, m->name);
    hprof_id(&d->h, m->descriptor);
    hprof_id(&d->h, source);
    hprof_u4(&d->h, serial_of(&d->serials, m->class));
    hprof_u4(&d->h, method_is_native(m) ? (uint32_t)-3 : (uint32_t)line);
}

/* Writes the stack trace with that serial number, of the thread with that serial number
   (0 for none): count frames, whose ids are first and those that follow. */
static void
write_trace(struct dump *d, uint32_t serial, uint32_t thread, uint64_t first,
            uint32_t count)
{
    hprof_record(&d->h, HPROF_TRACE, 3 * 4 + count * HPROF_ID);
    hprof_u4(&d->h, serial);
    hprof_u4(&d->h, thread);
    hprof_u4(&d->h, count);
    for (uint32_t i = 0; i < count; i++)
        hprof_u8(&d->h, first + i);
}

/* Returns the constructor that the dump shows as the newest frame of a thread that is
   about to get an OutOfMemoryError, or NULL. */
static const struct method_version *
error_constructor(const struct dump *d)
{
    const struct class *c = KC(d->vm, OutOfMemoryError);
    const struct method *m = c ? class_own_method(c, symbol_of("<init>"),
                                                  symbol_of("()V"))
                               : NULL;

    return m ? method_version(m) : NULL;
}

/* Returns how many frames the dump shows above the newest one of the thread `owner`, which
   t runs. */
static uint32_t
frames_above(const struct dump *d, const struct thread *t, const struct object *owner)
{
    return d->out_of_memory && t == d->self && owner == t->current
                   && error_constructor(d)
               ? 1
               : 0;
}

/* Returns how many of its newest frames the dump does not show of the thread `owner`,
   which t runs: of a carrier the native that has mounted the virtual thread. */
static uint32_t
frames_hidden(const struct thread *t, const struct object *owner)
{
    return t && owner == t->object && thread_carried(t) ? 1 : 0;
}

/* Writes the trace of the thread `owner`, whose newest frame is top or an older one; t is
   what runs it, or NULL.  d->next_frame is the id of the next frame. */
static void
write_stack(struct dump *d, const struct thread *t, const struct object *owner,
            const struct frame *top)
{
    uint64_t first = d->next_frame;

    enumerate(&d->threads, &d->thread_serials, owner);
    if (t && frames_above(d, t, owner))
        write_frame(d, d->next_frame++, error_constructor(d), 0);
    while (top && frame_is_entry(top))
        top = top->caller;
    for (const struct frame *f = top; f; f = frame_older(f))
        write_frame(d, d->next_frame++, f->version, frame_bci(f));
    uint32_t serial = serial_of(&d->thread_serials, owner);
    write_trace(d, NO_TRACE + serial, serial, first, (uint32_t)(d->next_frame - first));
}

/* A frame_chain_fn: t's frames as a platform thread, or those of the virtual thread that
   it runs. */
static void
write_chain(void *context, struct thread *t, struct frame *top)
{
    struct object *owner = thread_chain_owner(t, top);

    write_stack(context, t, owner, frames_hidden(t, owner) ? thread_own_top(t) : top);
}

static void
write_unmounted(void *context, struct continuation *c)
{
    write_stack(context, NULL, c->thread_object, c->saved.top);
}

void
dump_write_threads(struct dump *d)
{
    d->next_frame = 1;
    write_trace(d, NO_TRACE, 0, 0, 0);
    FOR_EACH_THREAD(d->vm, t)
        if (!t->is_hidden && t->object && !t->is_exiting)
            thread_visit_chains(t, write_chain, d);
    continuations_visit_unmounted(d->vm, write_unmounted, d);
}

/* ---- roots ---- */

/* Writes a root with its object and as many of the two numbers as `numbers` says. */
static void
write_root(struct dump *d, enum hprof_subrecord tag, const struct object *o,
           unsigned numbers, uint32_t first, uint32_t second)
{
    hprof_subrecord(&d->h, 1 + HPROF_ID + numbers * 4);
    hprof_u1(&d->h, tag);
    hprof_id(&d->h, o);
    if (numbers > 0)
        hprof_u4(&d->h, first);
    if (numbers > 1)
        hprof_u4(&d->h, second);
}

/* Writes a root for heap_visit_roots; context is the struct dump.  A root of a thread
   that is not in the dump, or of no thread, becomes one of unknown kind.  That a thread is
   alive was written before. */
static void
on_root(void *context, struct object *o, const struct root_info *info)
{
    struct dump *d = context;
    const struct object *owner = info->owner    ? info->owner
                                 : info->thread ? info->thread->object
                                                : NULL;
    uint32_t serial = owner ? serial_of(&d->thread_serials, owner) : 0;
    enum root_kind kind = info->kind;
    bool is_of_frame = kind == ROOT_STACK_LOCAL || kind == ROOT_JNI_LOCAL;
    uint32_t frame = UINT32_MAX; /* none */

    if (info->frame && info->thread)
        frame = info->depth + frames_above(d, info->thread, owner)
                - frames_hidden(info->thread, owner);
    else if (info->frame)
        frame = info->depth;
    if (is_of_frame && serial == 0)
        kind = ROOT_OTHER;
    switch (kind) {
    case ROOT_JNI_GLOBAL:
        hprof_subrecord(&d->h, 1 + 2 * HPROF_ID);
        hprof_u1(&d->h, HPROF_ROOT_JNI_GLOBAL);
        hprof_id(&d->h, o);
        /* The id of the reference itself, which no reader uses. */
        hprof_u8(&d->h, 0);
        break;
    case ROOT_SYSTEM_CLASS:
        write_root(
            d, dump_is_class_id(d, o) ? HPROF_ROOT_STICKY_CLASS : HPROF_ROOT_UNKNOWN, o,
            0, 0, 0);
        break;
    case ROOT_MONITOR: write_root(d, HPROF_ROOT_MONITOR, o, 0, 0, 0); break;
    case ROOT_STACK_LOCAL:
        write_root(d, HPROF_ROOT_JAVA_FRAME, o, 2, serial, frame);
        break;
    case ROOT_JNI_LOCAL:
        write_root(d, HPROF_ROOT_JNI_LOCAL, o, 2, serial, frame);
        break;
    case ROOT_THREAD:
        if (!ptrmap_has(&d->thread_serials, o))
            write_root(d, HPROF_ROOT_UNKNOWN, o, 0, 0, 0);
        break;
    default: write_root(d, HPROF_ROOT_UNKNOWN, o, 0, 0, 0); break;
    }
}

static void
write_unmounted_roots(void *context, struct continuation *c)
{
    frames_visit_roots(NULL, c->thread_object, c->saved.top, on_root, context);
}

void
dump_write_roots(struct dump *d)
{
    struct object *const *threads = (struct object *const *)(const void *)
                                        d->threads.data;
    uint32_t count = (uint32_t)(d->threads.length / sizeof *threads);

    for (uint32_t i = 0; i < count; i++)
        write_root(d, HPROF_ROOT_THREAD, threads[i], 2, i + 1, NO_TRACE + i + 1);
    heap_visit_roots(d->vm->heap, on_root, d);
    continuations_visit_unmounted(d->vm, write_unmounted_roots, d);
}
