/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/unwind.c -- exceptions: the search for a handler (JVMS 2.10).
 *
 * Any instruction that fails leaves its exception in self->exception and jumps to the
 * loop's label unwind, which calls interp_unwind.  That takes the frames one by one,
 * from the newest on, up to the entry frame of this loop: a frame with a handler goes
 * on there, and all others are popped, which leaves their monitors and reports
 * MethodExit and FramePop.  What C code called the loop gets the exception if there is
 * no handler.
 *
 * Listeners of the events may throw, which replaces the exception, and may ask for
 * PopFrame or ForceEarlyReturn (force.h), which ends the search.
 */

#include "interp/interp.h"

#include "base/events.h"
#include "interp/force.h"
#include "interp/translation.h"
#include "linking/resolve.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/monitor.h"

/*
 * Returns the index of fp's handler for *exception, thrown at bci, or -1 if there is
 * none. A catch type that cannot be resolved replaces *exception by the error of its
 * resolution, whose handler is then searched from the next row on, as HotSpot does.
 * Resolution may load classes, so this may stop and collect.
 */
static int
find_handler(struct thread *self, struct frame *fp, uint32_t bci,
             struct object **exception)
{
    const struct cf_method *m = fp->version->info;

    for (int i = 0; m && i < m->handler_count; i++) {
        const struct cf_handler *h = &m->handlers[i];
        if (bci < h->start_pc || bci >= h->end_pc)
            continue;
        if (h->catch_type == 0)
            return i;
        struct class *c = resolve_class(self, fp->version->pool, h->catch_type);
        if (!c) {
            *exception = exception_take(self);
            handle_new(self, *exception);
            continue;
        }
        if (object_is_instance(*exception, c))
            return i;
    }
    return -1;
}

/* Returns the frame that will catch the exception, with the handler's bytecode
   index in *bci, for JVM TI's event Exception; NULL if none of this thread's
   Java frames will. */
static struct frame *
predict_catch(struct thread *self, struct frame *fp, struct object *exception,
              uint32_t *bci)
{
    for (struct frame *f = fp; f; f = f->caller) {
        if (frame_is_entry(f) || frame_is_native(f))
            continue;
        int i = find_handler(self, f, (uint32_t)frame_bci(f), &exception);
        if (i >= 0) {
            *bci = f->version->info->handlers[i].handler_pc;
            return f;
        }
    }
    return NULL;
}

/* Sends the event Exception, which JVM TI drops if it has reported this exception
   before (jvmti/deliver.c).  Returns the exception to go on with, which is another one,
   with a handle, if the listener threw. */
static struct object *
report_throw(struct thread *self, struct frame *fp, struct object *exception)
{
    uint32_t catch_bci = 0;
    struct frame *catcher = predict_catch(self, fp, exception, &catch_bci);
    int32_t bci = frame_bci(fp);

    EVENT_SEND(EVENT_EXCEPTION, exception, self, fp, bci < 0 ? 0 : (uint32_t)bci,
               exception, catcher, catch_bci);
    return exception_pending(self) ? handle_new(self, exception_take(self)) : exception;
}

/*
 * Makes fp go on at its handler number i: the exception becomes the only operand, and
 * the pc is that of the handler.  Returns fp, or NULL with an exception pending if
 * there is no memory for the translation; the listener of ExceptionCatch may leave one
 * pending, too.  During the event the frame counts as in front of the handler
 * (PC_AT_START).
 */
static struct frame *
enter_handler(struct thread *self, struct frame *fp, int i, struct object *exception)
{
    struct method_version *version = fp->version;
    const struct translation *t = version_translation(
        self, version, wants_debug_translation(self, version));

    if (!t)
        return NULL;
    frame_operands(fp)[0].ref = exception;
    fp->pc = pc_tag(t->words + t->handlers[i], PC_AT_START);
    self->top = fp;
    EVENT_SEND(EVENT_EXCEPTION_CATCH, exception_catch, self, fp,
               version->info->handlers[i].handler_pc, exception);
    fp->pc = pc_untag(fp->pc);
    return fp;
}

/* Does what is due when fp is popped by *exception.  Returns false if a listener asked
   for another way to leave the frame (thread_must_leave).  If the listener threw,
   *exception becomes what it threw. */
static bool
leave_frame(struct thread *self, struct frame *fp, struct object **exception)
{
    self->top = fp;
    if (self->poll.hooks & HOOK_METHOD_EXIT)
        EVENT_SEND(EVENT_METHOD_EXIT, method_exit, self, fp, NULL);
    if (self->poll.hooks & HOOK_FRAME_POP)
        EVENT_SEND(EVENT_FRAME_POP, frame_pop, self, fp, POPPED_BY_EXCEPTION);
    if (thread_must_leave(self))
        return false;
    if (exception_pending(self))
        *exception = handle_new(self, exception_take(self));
    if (self->lock_count && self->locks[self->lock_count - 1].frame == fp)
        monitor_exit_frame(self, fp);
    self->exception = NULL;
    return true;
}

struct frame *
interp_unwind(struct thread *self, struct frame *fp)
{
    HANDLE_SCOPE(self);
    struct object *exception = handle_new(self, exception_take(self));
    struct frame *at;

    if (event_wanted(EVENT_EXCEPTION) && !frame_is_entry(fp)
        && !thread_must_leave(self))
        exception = report_throw(self, fp, exception);
    while (!frame_is_entry(fp)) {
        if (thread_must_leave(self)) {
            if ((at = force_leave(self)) != NULL)
                return at;
            exception = handle_new(self, exception_take(self));
        }
        if (!frame_is_native(fp)) {
            /* From here on a collection must not look at the operands: they are
               dead. */
            uint32_t bci = (uint32_t)frame_bci(fp);
            fp->pc = pc_tag(fp->pc, PC_NO_OPERANDS);
            self->top = fp;
            int i = find_handler(self, fp, bci, &exception);
            if (i >= 0) {
                at = enter_handler(self, fp, i, exception);
                if (thread_must_leave(self))
                    continue;
                if (at && !exception_pending(self))
                    return at;
                exception = handle_new(self, exception_take(self));
            }
        }
        /* If a listener has asked for PopFrame or ForceEarlyReturn of fp, the loop
           comes back to it and forces it to leave. */
        if (leave_frame(self, fp, &exception))
            fp = fp->caller;
    }
    self->top = fp;
    self->exception = exception;
    return NULL;
}
