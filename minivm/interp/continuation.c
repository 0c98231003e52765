/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/continuation.c -- running and leaving continuations (JEP 444).
 *
 * Continuation.run of the class library calls the native enterSpecial, and
 * Continuation.yield the native doYield.  Each of both methods consists of one
 * instruction of the loop, which comes here and then goes on with the newest frame of
 * another stack:
 *
 *      enterSpecial, at first     the frame of Continuation.enter on a new stack, above
 *                                 an entry frame whose instruction is CONT_EXIT
 *      doYield                    returns 0 in the frame of enterSpecial that mounted
 *      enterSpecial, afterwards   returns 0 in the frame of doYield that yielded
 *      CONT_EXIT                  returns in the frame of enterSpecial, as doYield does;
 *                                 the continuation has ended
 *
 * A virtual thread that has to wait for a monitor, or is in Object.wait, is unmounted, too
 * (threads/monitor_virtual.c): its newest frame is then the one that enters, or that of
 * wait0, which has an instruction of its own.  enterSpecial, afterwards, goes on with the
 * operation where it was left, and returns again at once if it has to wait once more.
 *
 * An exception that leaves Continuation.enter ends the continuation, too, and goes on in
 * the frame of enterSpecial.
 *
 * A continuation cannot be left while C code that was called from it is under way, since
 * that has frames on the C stack.  The loop that mounted a continuation is then not the
 * one that runs, which the address of its C frame tells.  doYield returns why it could
 * not yield, by the numbers of Continuation.pinnedReason.
 */

#include "threads/continuation.h"

#include "interp/debugging.h"
#include "interp/interp.h"
#include "linking/loader.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/monitor.h"
#include "threads/suspend.h"
#include "threads/virtual_thread.h"

/* Results of doYield. */
enum { YIELDED = 0, PINNED_CRITICAL = 2, PINNED_NATIVE = 3, PINNED_MONITOR = 4 };

/* KM is NULL while a class is not loaded, and where the release has none such. */
const union insn *
continuation_native_start(struct method *m)
{
    const struct vm *vm = the_vm;

    if (!vm || !vm->options.continuations)
        return insn_native;
    if (m == KM(vm, Object_wait0))
        return vm->profile->monitors_unmount ? insn_cont_wait : insn_native;
    if (m != KM(vm, Continuation_enterSpecial) && m != KM(vm, Continuation_doYield))
        return insn_native;
    /* Stack traces show neither, as on other VMs, where they are no methods. */
    __atomic_or_fetch(&m->flags, METHOD_HIDDEN, __ATOMIC_RELAXED);
    return m == KM(vm, Continuation_doYield) ? insn_cont_yield : insn_cont_enter;
}

void
continuation_bind(struct vm *vm)
{
    struct method *methods[] = { KM(vm, Continuation_enterSpecial),
                                 KM(vm, Continuation_doYield), KM(vm, Object_wait0) };

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        atomic_store_explicit(&method_version(methods[i])->start,
                              continuation_native_start(methods[i]),
                              memory_order_release);
}

/* Lays the first two frames of c: the entry frame, and Continuation.enter(Continuation c,
   boolean isContinue), which has the arguments of enterSpecial but the last. */
static void
lay_first_frames(struct thread *self, struct continuation *c, struct object *object)
{
    struct method_version *version = method_version(KM(self->vm, Continuation_enter));
    struct frame *entry = (struct frame *)c->saved.stack;
    union slot *locals = frame_operands(entry);
    struct frame *callee = (struct frame *)(locals + version->max_locals);

    entry->version = NULL;
    entry->pc = insn_cont_exit;
    entry->aux.i = version->method->arg_slots;
    locals[0].ref = object;
    locals[1].i = false;
    callee->caller = entry;
    callee->version = version;
    callee->pc = pc_tag(insn_translate, PC_AT_START);
    c->saved.top = callee;
}

/* Returns the virtual thread that is being mounted, or NULL: self has it as the current
   thread already. */
static struct object *
mounting(const struct thread *self, bool is_virtual)
{
    return is_virtual && thread_object_is_virtual(self->vm, self->current)
               ? self->current
               : NULL;
}

/*
 * Continuation.isStarted and isEmpty look at a StackChunk, which in other VMs has the
 * frames while they are not mounted.  Ours has none: the object is there once the
 * continuation has yielded, and sp says whether it counts as empty.
 *
 * Some releases compare sp with the field bottom, others, updates of one release among
 * them, with size less argsize.  All of these stay 0, so an sp of 0 is empty for each of
 * them, and a smaller one is not.
 */
enum { SP_EMPTY = 0, SP_WITH_FRAMES = -1 };

/* object is a Continuation, which need not have a chunk. */
static void
set_chunk(const struct vm *vm, const struct object *object, int32_t sp)
{
    struct object *chunk = REF_FIELD(vm, object, Continuation_tail);

    if (chunk)
        INT_FIELD(vm, chunk, StackChunk_sp) = sp;
}

/* Leaves the innermost continuation, which is going to be continued. */
static void
leave(struct thread *self)
{
    struct continuation *c = thread_unmount(self);

    set_chunk(self->vm, c->object, SP_WITH_FRAMES);
    continuation_yielded(self->vm, c);
}

/* Returns false if the outcome is that an exception is pending. */
static bool
unmount_if_it_waits(struct thread *self, enum monitor_outcome outcome)
{
    if (outcome == MONITOR_UNMOUNTS)
        leave(self);
    return outcome != MONITOR_FAILED;
}

/* Throws OutOfMemoryError in the thread that wants to mount the continuation.  A virtual
   thread could not be run later either: the class library takes it for running, and
   nobody would schedule it.  So its continuation counts as ended, then the thread ends as
   well, and who waits for that goes on. */
static bool
throw_no_stack(struct thread *self, struct object *object, bool is_virtual)
{
    struct vm *vm = self->vm;

    if (is_virtual) {
        set_chunk(vm, object, SP_EMPTY);
        OBJECT_FIELD(uint8_t, object, KF(vm, Continuation_done)) = true;
    }
    return throw_out_of_memory(self, "the stack of a continuation");
}

bool
continuation_enter(struct thread *self, struct frame *fp, const void *loop)
{
    const union slot *args = frame_locals(fp);
    struct object *object = args[0].ref;
    struct continuation *c;

    if (!object)
        return throw_null_pointer(self);
    c = continuation_of(self->vm, object);
    if (c && c->thread)
        return THROW(self, IllegalStateException, "the continuation is mounted");
    if (!c) {
        c = continuation_new(self, object, args[2].i != 0, mounting(self, args[2].i));
        if (!c)
            return throw_no_stack(self, object, args[2].i);
    }
    if (!continuation_unpack(self, c))
        return throw_no_stack(self, object, args[2].i);
    if (!c->saved.top)
        lay_first_frames(self, c, object);
    ((struct frame *)c->saved.stack)->caller = c->is_virtual ? NULL : fp;
    c->loop = loop;
    thread_mount(self, c);
    set_chunk(self->vm, object, SP_EMPTY);
    /* Somebody may have begun to step through this thread meanwhile. */
    if (self->poll.hooks & HOOK_SINGLE_STEP)
        frames_replace_translation(self, NULL);
    return !c->waiter || unmount_if_it_waits(self, monitor_resume(self));
}

/* Is there C code above the first frame of c, which is mounted on self?  Each call of Java
   from C has an entry frame. */
static bool
has_called_out(const struct thread *self, const struct continuation *c)
{
    const struct frame *f = self->top;

    for (const struct continuation *above = self->continuation; above != c;
         above = above->below)
        f = above->saved.top;
    while (!frame_is_entry(f))
        f = f->caller;
    return f->pc != insn_cont_exit;
}

/* Returns true if c must not be left because of monitors that it has entered; locks is
   how many are on the lock stack that c uses.  A virtual thread takes its own along, as
   of the release whose class library expects that. */
static bool
is_held_by_locks(const struct thread *self, const struct continuation *c,
                 uint32_t locks)
{
    return c->is_virtual ? locks != 0 && !self->vm->profile->monitors_unmount
                         : locks != c->saved_locks.count;
}

int
continuation_pinned_reason(const struct thread *self, const struct continuation *c)
{
    uint32_t locks = self->lock_count;

    for (const struct continuation *above = self->continuation; above != c;
         above = above->below)
        locks = above->saved_locks.count;
    if (c->pins)
        return PINNED_CRITICAL;
    if (has_called_out(self, c))
        return PINNED_NATIVE;
    return is_held_by_locks(self, c, locks) ? PINNED_MONITOR : YIELDED;
}

/* Returns false, with an exception pending, if there is no memory for the StackChunk. */
static bool
make_chunk(struct thread *self, struct object *object)
{
    struct vm *vm = self->vm;
    struct object *chunk;

    if (REF_FIELD(vm, object, Continuation_tail))
        return true;
    HANDLE_SCOPE(self);
    handle_new(self, object);
    chunk = object_new_known(self, KNOWN_CLASS_StackChunk);
    if (!chunk)
        return false;
    REF_FIELD(vm, object, Continuation_tail) = chunk;
    return true;
}

/* The same for c when it yields, which is the innermost one.  Where virtual threads take
   monitors along, others may be left with them, too, although isPinned denies it. */
static bool
is_held_at_yield(const struct thread *self, const struct continuation *c)
{
    return !self->vm->profile->monitors_unmount
           && is_held_by_locks(self, c, self->lock_count);
}

bool
continuation_yield(struct thread *self, struct frame *fp, const void *loop)
{
    struct continuation *c = self->continuation;
    int reason = !c || c->loop != loop       ? PINNED_NATIVE
                 : c->pins                   ? PINNED_CRITICAL
                 : is_held_at_yield(self, c) ? PINNED_MONITOR
                                             : YIELDED;

    if (reason != YIELDED) {
        frame_locals(fp)[0].i = reason;
        return true;
    }
    if (!make_chunk(self, c->object))
        return false;
    if (is_held_by_locks(self, c, self->lock_count)
        && !continuation_keep_locks(self, c)) {
        frame_locals(fp)[0].i = PINNED_MONITOR;
        return true;
    }
    frame_locals(fp)[0].i = YIELDED;
    leave(self);
    return true;
}

/* Returns true if self runs a virtual thread that can be unmounted when it has to wait
   for a monitor.  It cannot in the midst of a yield or of the end of one, when its state
   is not RUNNING (VirtualThread.state); nor when somebody wants it to do something that
   the wait would put off. */
static bool
can_unmount(const struct thread *self, const void *loop)
{
    enum { STATE_RUNNING = 2 };
    const struct vm *vm = self->vm;
    const struct continuation *c = self->continuation;

    return c && vm->profile->monitors_unmount && c->loop == loop && c->pins == 0
           && c->thread_object && self->current == c->thread_object
           && INT_FIELD(vm, c->thread_object, VirtualThread_state) == STATE_RUNNING
           && !atomic_load_explicit(&self->in_transition, memory_order_relaxed)
           && !thread_is_stopped(self) && !thread_must_leave(self)
           && !exception_pending(self);
}

/* The same, and makes what has to be made for that; o, which may be NULL, stays alive. */
static bool
prepare_unmount(struct thread *self, struct object *o, const void *loop)
{
    if (!can_unmount(self, loop))
        return false;
    HANDLE_SCOPE(self);
    handle_new(self, o);
    if (make_chunk(self, self->continuation->object))
        return true;
    /* Without memory it waits as it is. */
    exception_take(self);
    return false;
}

bool
continuation_monitor_enter(struct thread *self, struct object *o, struct frame *fp,
                           const void *loop)
{
    if (!self->continuation || !prepare_unmount(self, o, loop))
        return monitor_enter(self, o, fp);
    return unmount_if_it_waits(self, monitor_enter_unmounting(self, o, fp));
}

bool
continuation_wait(struct thread *self, struct frame *fp, const void *loop)
{
    const union slot *args = frame_locals(fp);

    if (!prepare_unmount(self, NULL, loop))
        return monitor_wait(self, args[0].ref, args[1].j);
    return unmount_if_it_waits(self,
                               monitor_wait_unmounting(self, args[0].ref, args[1].j));
}

void
continuation_exit(struct thread *self)
{
    struct continuation *c = self->continuation;

    /* JNI may have left some. */
    if (c->is_virtual)
        monitor_exit_all(self);
    thread_unmount(self);
    continuation_free(self, c);
}
