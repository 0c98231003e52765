/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/interp.h -- the interpreter's loop and what it calls.
 *
 * The loop (interp.c) runs frames; everything that is rare is a C function declared
 * here that the loop calls: entering and leaving methods when something wants to know,
 * the resolution of constants, exceptions, native methods, method handles.  The rest
 * of the VM enters by java_call (runtime/above.h), and jdk and jni register C bodies
 * of methods.
 *
 * All functions here that take self may stop at a safepoint and collect, unless their
 * contract says that they do not.  They find fp->pc written, so that walks of the
 * stack and collections see where the frame is.  After one of them returns, the frame
 * may be in another translation (its pc says where), and thread_must_leave(self) may
 * hold (force.h). "Throws" means that an exception is pending in self->exception.
 */

#ifndef MINIVM_INTERP_INTERP_H
#define MINIVM_INTERP_INTERP_H

#include "interp/insn.h"
#include "runtime/wellknown.h"
#include "threads/thread.h"

/*
 * Runs fp, the frame of a method that was just pushed above an entry frame, until that
 * entry frame is on top again.  Returns true, and the result stands where fp's local 0
 * was; or false with an exception pending.
 */
bool interp_loop(struct thread *self, struct frame *fp);

/* ---- calls (calls.c, version.c) ---- */

/*
 * A call that the loop's fast path declined, because the Java stack is full or a hook
 * wants to know: checks what is left of the stack, pushes version's frame above
 * caller, and sends MethodEntry.  args is the first argument, local 0 of the new
 * frame.  Returns NULL if it throws or if a frame must be left (thread_must_leave);
 * the new frame may be on top in either case.
 */
struct frame *call_slow(struct thread *self, struct frame *caller,
                        struct method_version *version, union slot *args);
/* Returns the first instruction to run in a new frame of version, which differs from
   version->start while self has hooks.  Neither stops nor collects. */
const union insn *call_start(struct thread *self, struct method_version *version);

/* Runs OP_TRANSLATE: translates fp's method, or binds its C body if it has one and
   nobody watches.  Returns the first instruction, or NULL and throws. */
const union insn *enter_translate(struct thread *self, struct frame *fp);
/* Runs OP_ABSTRACT: throws AbstractMethodError, or NoSuchMethodError for a method that
   a redefinition has deleted. */
void enter_abstract(struct thread *self, struct frame *fp);
/* Runs OP_NATIVE: calls the native method of fp, whose result goes to local 0.  Returns
   false and throws if the function cannot be found or throws (native.c). */
bool native_invoke(struct thread *self, struct frame *fp);

/* ---- returns and polls (calls.c) ---- */

/* The last argument of the event FramePop: what pops the frame. */
enum { POPPED_BY_RETURN = false, POPPED_BY_EXCEPTION = true };

enum return_outcome {
    RETURN_NORMAL, /* pop the frame */
    RETURN_THROW,  /* an exception is pending */
    RETURN_REDO    /* the frame is popped, and its caller runs its call again */
};
/*
 * Does what is due before fp returns *value, which has its method's type: polls, sends
 * MethodExit and FramePop, honours PopFrame and ForceEarlyReturn.  Keeps *value alive,
 * and may change it.
 */
enum return_outcome return_hooks(struct thread *self, struct frame *fp,
                                 union slot *value);
/* return_hooks for a method with a C body, whose result is in local 0 already.  Returns
   false and throws, or true for both other outcomes. */
bool intrinsic_return(struct thread *self, struct frame *fp);
/* The C body of fp's method has returned false.  Returns the bytecode's first
   instruction if the body has declined, or NULL with an exception pending. */
const union insn *intrinsic_failed(struct thread *self, struct frame *fp);
/* Leaves the monitor of a synchronized method at its return.  If fp holds others that
   it should have left, leaves them all, and returns false with
   IllegalMonitorStateException (JVMS 2.11.10). */
bool return_monitors(struct thread *self, struct frame *fp);

/* Returns an int as a method of that return type returns it, narrowed for Z, B, C and S
   (JVMS 6.5 "ireturn"); the value for any other type is unchanged. */
static inline int32_t
narrowed(int32_t value, char type)
{
    return type == 'Z'   ? value & 1
           : type == 'B' ? (int8_t)value
           : type == 'C' ? (uint16_t)value
           : type == 'S' ? (int16_t)value
                         : value;
}

/* Polls at a backward branch to target.  Returns where to go on, perhaps in another
   translation; NULL if it throws or the frame must be left. */
const union insn *poll_branch(struct thread *self, struct frame *fp,
                              const union insn *target);

/* Runs a STEP of the debug translation: sends SingleStep and Breakpoint, or goes back
   to the normal translation where nothing wants the other any more.  Returns where to
   go on; NULL if it throws or the frame must be left (breakpoint.c). */
const union insn *step_hooks(struct thread *self, struct frame *fp,
                             const union insn *pc);

/* The return address that the JSR at pc leaves is the index of the bytecode behind it,
   good in all translations; and the word of such an index in the translation of pc.
   Neither stops nor collects (bci_map.c). */
int64_t subroutine_return(const struct frame *fp, const union insn *pc);
const union insn *subroutine_word(const struct frame *fp, const union insn *pc,
                                  int64_t bci);

/* ---- exceptions (unwind.c) ---- */

/*
 * self->exception is pending in fp, or fp must be left (thread_must_leave).  Pops
 * frames until one has a handler, and returns that frame, its pc at the handler and
 * the exception on its operand stack; or one that goes on otherwise, since PopFrame or
 * ForceEarlyReturn asked for it.  Returns NULL, with the exception pending and the
 * entry frame on top, if there is none.
 */
struct frame *interp_unwind(struct thread *self, struct frame *fp);

#define throw_null_pointer(self) THROW0((self), NullPointerException)

/* ---- quickening (quicken.c) ---- */

enum quick_outcome {
    QUICK_FAILED = false, /* it throws, or the frame must be left */
    QUICK_AGAIN = true,   /* rewritten, perhaps by another thread: run it again */
    QUICK_DONE            /* its work is done, but it was not rewritten */
};
/*
 * Runs an instruction marked OP_Q in ops.def: resolves what the instruction at pc
 * names and rewrites it into its resolved form; or does its work, if that has to be
 * looked at each time.
 */
enum quick_outcome quicken(struct thread *self, struct frame *fp, const union insn *pc);
/* Turns word[0], an access to a field with its slots set, into the resolved form for f,
   which is not watched and, if it is no static field, has an offset below 64 KiB; sets
   word[1] for static fields. */
void quick_field(struct field *f, bool put, union insn word[2]);
/* Stores a resolved instruction over the one at pc: second word first, if it has one,
   so that other threads see one form or the other. */
void quick_store(const union insn *pc, union insn first, uint64_t second);

/* ---- method handles (method_handles.c) ---- */

/* Is m, a signature-polymorphic method (JVMS 2.9.3), one of the five intrinsics:
   invokeBasic, linkToStatic, linkToSpecial, linkToVirtual, linkToInterface? */
bool method_handle_is_intrinsic(const struct method *m);
/* Returns the method that runs such an intrinsic at a descriptor; each is made once and
   never freed.  Takes the class mutex. */
struct method *method_handle_intrinsic(struct thread *self, struct method *declared,
                                       const struct symbol *descriptor);
/* Returns the method that the intrinsic instruction op calls, whose frame is fp; NULL
   and throws NullPointerException, or what selection throws. */
struct method *method_handle_target(struct thread *self, struct frame *fp, enum op op);
/* Returns the method that a resolved java.lang.invoke.MemberName stands for, or NULL.
   Neither stops nor collects. */
struct method *member_name_target(const struct thread *self,
                                  const struct object *member);

/*
 * Link a call by upcalls to java.lang.invoke (JVMS 6.5): an invokevirtual of declared,
 * which is MethodHandle.invoke, invokeExact or a VarHandle's method, and an
 * invokedynamic.  index is that of the constant in pool.  Return a call site that
 * lives as long as the pool's class, or NULL and throw.
 */
struct call_site *link_invokehandle(struct thread *self, struct cpool *pool,
                                    unsigned index, struct method *declared);
struct call_site *link_invokedynamic(struct thread *self, struct cpool *pool,
                                     unsigned index);

/* ---- C bodies of methods (intrinsics.c) ---- */

/*
 * A method's body in C.  args are the arguments, receiver first, as the method's
 * locals; the result goes to args[0].  Returns false and throws.  The thread is in the
 * VM.  A reference stays alive across a stop while it stands in args and the
 * descriptor says that there is one; everything else needs a handle.
 */
typedef bool intrinsic_fn(struct thread *self, union slot *args);

/*
 * A C body that stands for bytecode may leave a call to it, for instance one that has
 * to throw: it returns this before it has changed anything, and the bytecode runs.
 */
static inline bool
intrinsic_decline(struct thread *self)
{
    self->intrinsic_declined = true;
    return false;
}

struct intrinsic {
    const char *name, *descriptor;
    intrinsic_fn *fn;
    struct releases releases; /* of the JDK whose method this is */
};

/*
 * Give methods of the boot class of that name C bodies: to native methods instead of a
 * library's function, to others instead of their bytecode while nobody watches them.
 * The row behind the last one has a NULL name; the table must outlive the VM.  Called
 * before classes are loaded.
 */
void intrinsics_register(const char *class_name, const struct intrinsic *rows);
/* Give methods of several classes C bodies, under the conditions of
   intrinsics_register: a row INTRINSICS_OF begins each class's rows, and the last row
   is all NULL. */
void intrinsics_register_all(const struct intrinsic *rows);
/* clang-format off */
#define INTRINSICS_OF(class_name) { NULL, class_name, NULL, { 0, 0 } }
#define C_BODIES_END { NULL, NULL, NULL, { 0, 0 } }
/* A row: of all releases of the JDK, or of those from since to until, both included
   (runtime/wellknown.h: release_is_in), for a method that others do not have or whose
   bytecode does something else there. */
#define C_BODY(name, descriptor, fn) { name, descriptor, fn, { 0, 0 } }
#define C_BODY_IN(since, until, name, descriptor, fn) \
    { name, descriptor, fn, { since, until } }
/* clang-format on */

/* Calls fn for each row that was registered, with the class's name. */
void intrinsics_visit(void (*fn)(void *context, const char *class_name,
                                 const struct intrinsic *row),
                      void *context);

/* Looks for a C body of m, once per method.  Returns whether it has one.  Neither stops
   nor collects. */
bool intrinsic_bind(struct method *m);

/* ---- continuations: continuation.c ---- */

/* Returns what calls of the native m begin with: an instruction of the loop for
   Continuation.enterSpecial and doYield and for Object.wait0, and insn_native for others
   and where there are no continuations. */
const union insn *continuation_native_start(struct method *m);

/* Makes calls of those methods begin there.  The class Continuation is loaded. */
void continuation_bind(struct vm *vm);

/*
 * The instructions.  fp is the frame of the native method, and loop an address in the C
 * frame of the caller's loop.  continuation_enter and continuation_yield make another
 * frame the newest one, which the loop goes on with; continuation_yield stays in fp if
 * the continuation is pinned, with the reason as its result.  They return false with an
 * exception pending in fp.  continuation_exit ends the continuation that self runs: the
 * newest frame is then that of enterSpecial.
 */
bool continuation_enter(struct thread *self, struct frame *fp, const void *loop);
bool continuation_yield(struct thread *self, struct frame *fp, const void *loop);
/* monitor_enter and monitor_wait, which make the frame of enterSpecial the newest one if the
   virtual thread has to wait and can be unmounted. */
bool continuation_monitor_enter(struct thread *self, struct object *o, struct frame *fp,
                                const void *loop);
bool continuation_wait(struct thread *self, struct frame *fp, const void *loop);
void continuation_exit(struct thread *self);

/* Returns why c, which is mounted on self, could not yield now, by the numbers of
   Continuation.pinnedReason; 0 if it could. */
int continuation_pinned_reason(const struct thread *self, const struct continuation *c);

/* Registers the C bodies that belong to the interpreter itself. */
void intrinsics_init(void);

/* Counts by more breakpoints and watched fields of class c.  C bodies of Java methods
   do not run while any class of the boot loader has one, since they would hide it.
   Takes the class mutex. */
void intrinsics_count_watches(struct vm *vm, const struct class *c, int by);

#endif
