/* SPDX-License-Identifier: MIT */
/* minivm/interp/interp.h -- the loop and what it calls. */

#ifndef MINIVM_INTERP_INTERP_H
#define MINIVM_INTERP_INTERP_H

#include "interp/insn.h"
#include "vm/thread.h"

/*
 * Run from the callee's frame fp (pushed) until its entry frame is back on top.
 * The result stands where the callee's local 0 was.  False with the exception
 * pending and the entry frame on top.
 */
bool interp_loop(struct thread *self, struct frame *fp);

/* ---- slow paths (calls.c, unwind.c) ---- */

/*
 * A call that the fast path declined: the stack is full or hooks want to know.
 * Pushes m's frame above caller; NULL with the exception pending.
 */
struct frame *call_slow(struct thread *self, struct frame *caller, struct code *code,
                        union slot *args);
/* The first instruction to run in a new frame of code. */
const union insn *call_start(struct thread *self, struct code *code);

/*
 * Before fp returns value (by type of its method): polls, reports MethodExit and
 * FramePop, honours PopFrame and ForceEarlyReturn (*value may change).  False with
 * an exception pending.
 */
enum return_outcome { RETURN_NORMAL, RETURN_THROW, RETURN_REDO };
enum return_outcome return_hooks(struct thread *self, struct frame *fp,
                                 union slot *value);
/* return_hooks for a method with a C body, whose result is in local 0 already. */
bool intrinsic_return(struct thread *self, struct frame *fp);
/* An int as a method of that type returns it; whatever is no int stays. */
static inline int32_t
narrowed(int32_t value, char type)
{
    return type == 'Z'   ? value & 1
           : type == 'B' ? (int8_t)value
           : type == 'C' ? (uint16_t)value
           : type == 'S' ? (int16_t)value
                         : value;
}

/* Leave the monitors of fp, which may hold others than it should.  False with
   IllegalMonitorStateException pending. */
bool return_monitors(struct thread *self, struct frame *fp);

/*
 * self->exception is pending in fp: find its handler.  The frame that goes on, its
 * pc at the handler and the exception on its operand stack; or NULL when the entry
 * frame was reached (it is on top then).
 */
struct frame *interp_unwind(struct thread *self, struct frame *fp);

/* Translate fp's code if it is not yet and answer its first unit; NULL with the
   exception pending. */
const union insn *enter_translate(struct thread *self, struct frame *fp);
void enter_abstract(struct thread *self, struct frame *fp);
/* Run the native method of fp; its result goes to local 0. */
bool native_invoke(struct thread *self, struct frame *fp);

/* jsr's return address is the index of the bytecode behind it, good in every form; the
   unit of such a one, in the form that pc is in. */
int64_t subroutine_return(const struct frame *fp, const union insn *pc);
const union insn *subroutine_unit(const struct frame *fp, const union insn *pc,
                                  int64_t bci);

/* The poll of a backward branch to target; answers where to go on (the form may
   change), NULL with an async exception pending. */
const union insn *poll_branch(struct thread *self, struct frame *fp,
                              const union insn *target);

/* A STEP unit's work: breakpoint and single-step events.  Answers where to go on (the
   form may change), NULL with an exception pending. */
const union insn *step_hooks(struct thread *self, struct frame *fp,
                             const union insn *pc);

/* ---- quick forms of instructions, once resolved (quick.c) ---- */

/* Turn the field access in unit[0] (slots set) into its quick form for f, which is not
   watched and whose offset has 16 bits; statics get unit[1] too. */
void quick_field(struct field *f, bool put, union insn unit[2]);
/* Store a quickened instruction over the one at pc, second unit first. */
void quick_store(const union insn *pc, union insn first, uint64_t second);
/*
 * The slow path of _Q instructions: resolve what pc names and rewrite it; where that
 * has to be looked at each time, and for _SLOW ones, do the work.  fp's pc is exact.
 */
enum quick_outcome {
    QUICK_FAILED = false,          /* with the exception pending */
    QUICK_AGAIN = true,            /* rewritten, perhaps by another thread */
    QUICK_DONE
};
enum quick_outcome quicken(struct thread *self, struct frame *fp, const union insn *pc);

/* ---- throwing, arrays (unwind.c) ---- */

#define throw_null_pointer(self) THROW0((self), NullPointerException)
void *throw_index(struct thread *self, const struct object *array, int32_t index);

/* new, newarray… with everything checked; NULL with an exception pending. */
struct object *new_multi_array(struct thread *self, struct class *c, int dimensions,
                               const union slot *counts);
struct object *new_array_checked(struct thread *self, struct class *c, int32_t length);

/* ---- method handles (handles.c) ---- */

/* Is m, which is signature polymorphic, one of them? */
bool handle_is_intrinsic(const struct method *m);
/* The method that implements a signature-polymorphic intrinsic (invokeBasic,
   linkToStatic…) at a descriptor; NULL with an exception pending. */
struct method *handle_intrinsic(struct thread *self, struct method *declared,
                                const struct symbol *descriptor);
/* Link invokehandle and invokedynamic sites (JVMS 6.5). */
struct call_site *link_handle(struct thread *self, struct cpool *pool, unsigned index,
                              struct method *declared);
struct call_site *link_dynamic(struct thread *self, struct cpool *pool, unsigned index);
/* The target of a MemberName. */
struct method *member_target(const struct thread *self, const struct object *member);
/* The method a MH_ instruction calls, given its frame; NULL with an exception
   pending. */
struct method *handle_target(struct thread *self, struct frame *fp, enum op op);

/* ---- C bodies (intrinsics.c) ---- */

/*
 * A method's body in C: arguments in args as on entry, the result goes to args[0].
 * False with an exception pending.  The VM is entered; what must survive a stop is
 * kept by the caller's frame only as long as it stands in args.
 */
typedef bool intrinsic_fn(struct thread *self, union slot *args);

struct intrinsic {
    const char *name, *descriptor;
    intrinsic_fn *fn;
};

/*
 * Give methods of the boot class of that name C bodies: native ones instead of
 * foreign code, others instead of their bytecode while nobody watches them.  Rows
 * end with a NULL name; the table must live on.
 */
void intrinsics_register(const char *class_name, const struct intrinsic *rows);
/* The same for several classes: each one's rows stand behind its INTRINSICS_OF; the
   last row is all NULL. */
void intrinsics_register_all(const struct intrinsic *rows);
#define INTRINSICS_OF(class_name) { NULL, class_name, NULL }

/* A body that is one expression. */
#define INTRINSIC(function, result, expression) \
static bool \
function(struct thread *self, union slot *args) \
{ \
    (void)self; \
    args[0].result = (expression); \
    return true; \
}

/* Looks m up at its first execution; true when it has a C body now. */
bool intrinsic_bind(struct method *m);

void intrinsics_init(void);

#endif
