/* SPDX-License-Identifier: MIT */
/* minivm/interp/unwind.c -- exceptions: throwing from the loop, finding handlers. */

#include "interp/interp.h"

#include "base/events.h"
#include "interp/force.h"
#include "interp/form.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/vm.h"

/* ---- what the loop throws ---- */

void *
throw_index(struct thread *self, const struct object *array, int32_t index)
{
    return THROW(self, ArrayIndexOutOfBoundsException,
                 "Index %d out of bounds for length %d", index, array_length(array));
}

struct object *
new_array_checked(struct thread *self, struct class *c, int32_t length)
{
    if (length < 0)
        return THROW(self, NegativeArraySizeException, "%d", length);
    return array_new(self, c, length);
}

static struct object *
multi_array(struct thread *self, struct class *c, int dimensions,
            const union slot *counts)
{
    struct object *array = array_new(self, c, counts[0].i);

    if (!array || dimensions == 1)
        return array;
    SCOPE(self);
    keep(self, array);
    for (int32_t i = 0; i < counts[0].i; i++) {
        struct object *row = multi_array(self, c->element, dimensions - 1, counts + 1);
        if (!row)
            return NULL;
        __atomic_store_n(&ARRAY_REFS(array)[i], row, __ATOMIC_RELAXED);
    }
    return array;
}

struct object *
new_multi_array(struct thread *self, struct class *c, int dimensions,
                const union slot *counts)
{
    for (int i = 0; i < dimensions; i++)
        if (counts[i].i < 0)
            return THROW(self, NegativeArraySizeException, "%d", counts[i].i);
    return multi_array(self, c, dimensions, counts);
}

/* ---- handlers ---- */

/*
 * The index of fp's handler for the exception at bci, -1 when there is none.  A
 * catch type that cannot be resolved replaces the exception by its error, whose
 * handler is then looked for from the next row on, as HotSpot does.
 */
static int
find_handler(struct thread *self, struct frame *fp, uint32_t bci,
             struct object **exception)
{
    const struct cf_method *m = fp->code->info;

    for (int i = 0; m && i < m->handler_count; i++) {
        const struct cf_handler *h = &m->handlers[i];
        if (bci < h->start_pc || bci >= h->end_pc)
            continue;
        if (h->catch_type == 0)
            return i;
        struct class *c = resolve_class(self, fp->code->pool, h->catch_type);
        if (!c) {
            *exception = exception_take(self);
            keep(self, *exception);
            continue;
        }
        if (object_is_instance(*exception, c))
            return i;
    }
    return -1;
}

/* Where the exception will be caught, for the Exception event; NULL: nowhere in
   this thread's Java frames. */
static struct frame *
predict_catch(struct thread *self, struct frame *fp, struct object *exception,
              uint32_t *bci)
{
    for (struct frame *f = fp; f; f = f->caller) {
        if (frame_is_entry(f) || frame_is_native(f))
            continue;
        int i = find_handler(self, f, (uint32_t)frame_bci(f), &exception);
        if (i >= 0) {
            *bci = f->code->info->handlers[i].handler_pc;
            return f;
        }
    }
    return NULL;
}

/* Answers what is thrown: a listener may throw another. */
static struct object *
report_throw(struct thread *self, struct frame *fp, struct object *exception)
{
    uint32_t catch_bci = 0;
    struct frame *catcher = predict_catch(self, fp, exception, &catch_bci);
    int32_t bci = frame_bci(fp);

    EVENT_SEND(EVENT_EXCEPTION, exception, self, fp, bci < 0 ? 0 : (uint32_t)bci,
               exception, catcher, catch_bci);
    return exception_pending(self) ? keep(self, exception_take(self)) : exception;
}

/* Continue at handler number i. */
static struct frame *
enter_handler(struct thread *self, struct frame *fp, int i, struct object *exception)
{
    struct code *code = fp->code;
    const struct translation *t = code_form(self, code, wants_plain(self, code));

    if (!t)
        return NULL;
    frame_operands(fp)[0].ref = exception;
    fp->pc = pc_tag(t->units + t->handlers[i], PC_AT_START);
    self->top = fp;
    EVENT_SEND(EVENT_EXCEPTION_CATCH, exception_catch, self, fp,
               code->info->handlers[i].handler_pc, exception);
    fp->pc = pc_untag(fp->pc);
    return fp;
}

/* fp is left by an exception, unless a listener has it go on in another way: false.  It
   may throw another, too. */
static bool
leave_frame(struct thread *self, struct frame *fp, struct object **exception)
{
    self->top = fp;
    if (self->poll.hooks & HOOK_METHOD_EXIT)
        EVENT_SEND(EVENT_METHOD_EXIT, method_exit, self, fp, NULL);
    if (self->poll.hooks & HOOK_FRAME_POP)
        EVENT_SEND(EVENT_FRAME_POP, frame_pop, self, fp, true);
    if (thread_must_leave(self))
        return false;
    if (exception_pending(self))
        *exception = keep(self, exception_take(self));
    if (self->lock_count && self->locks[self->lock_count - 1].frame == fp)
        monitor_exit_frame(self, fp);
    self->exception = NULL;
    return true;
}

struct frame *
interp_unwind(struct thread *self, struct frame *fp)
{
    SCOPE(self);
    struct object *exception = keep(self, exception_take(self));
    struct frame *at;

    if (event_wanted(EVENT_EXCEPTION) && !frame_is_entry(fp)
        && !thread_must_leave(self))
        exception = report_throw(self, fp, exception);
    while (!frame_is_entry(fp)) {
        if (thread_must_leave(self)) {
            if ((at = force_leave(self)) != NULL)
                return at;
            exception = keep(self, exception_take(self));
        }
        if (!frame_is_native(fp)) {
            /* The operands are dead from here on. */
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
                exception = keep(self, exception_take(self));
            }
        }
        if (leave_frame(self, fp, &exception))
            fp = fp->caller;
    }
    self->top = fp;
    self->exception = exception;
    return NULL;
}
