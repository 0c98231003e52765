/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/quicken.c -- quickening: resolving and rewriting instructions.
 *
 * The translator may not load classes or run Java code, so what is not resolved yet
 * becomes an instruction marked OP_Q in ops.def that names its constant.  When it
 * first runs, it comes here: the constant is resolved (JVMS 5.4.3), which may load and
 * initialize classes, and the instruction is rewritten into its resolved form, which
 * the loop runs without C.  Some are never rewritten, because something has to be
 * looked at each time: an access to a watched field, or to a class that this thread is
 * initializing, for which other threads have to wait (JVMS 5.5).
 *
 * Several threads may quicken the same instruction.  They come to the same result,
 * since resolution gives all of them the same, except at call sites; there the first
 * one to store wins.  The instruction that a thread found (seen) decides what it does;
 * pc may hold another one by then.
 */

#include "interp/interp.h"

#include "base/events.h"
#include "classfile/opcode.h"
#include "linking/initialize.h"
#include "linking/message.h"
#include "linking/resolve.h"
#include "runtime/boxing.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

UNTRACKED void
quick_store(const union insn *pc, union insn first, uint64_t second)
{
    uint64_t *to = (uint64_t *)(uintptr_t)&pc->bits;

    /* The loop loads the opcode with acquire order, and then the operands and
       the second word plainly: it sees those that belong to the opcode that it
       has loaded. */
    SHARED_RELEASE(to);
    if (op_words[first.op] == 2)
        __atomic_store_n(&to[1], second, __ATOMIC_RELEASE);
    __atomic_store_n(to, first.bits, __ATOMIC_RELEASE);
}

/* ---- fields ---- */

/* Six forms by type, and the same six for volatile fields behind them (ops.def). */
enum { FIELD_FORMS = OP_GETFIELD_VOL_B - OP_GETFIELD_B };

/* Returns the distance in ops.def from the form _B of an access to that for a field of
   type, Z B C S I J F D L.  All of 64 bits, references too, share one. */
static int
field_form(char type)
{
    switch (type) {
    case 'B': return OP_GETFIELD_B - OP_GETFIELD_B;
    case 'C': return OP_GETFIELD_C - OP_GETFIELD_B;
    case 'S': return OP_GETFIELD_S - OP_GETFIELD_B;
    case 'I':
    case 'F': return OP_GETFIELD_I - OP_GETFIELD_B;
    case 'Z': return OP_GETFIELD_Z - OP_GETFIELD_B;
    default: return OP_GETFIELD_J - OP_GETFIELD_B;
    }
}

void
quick_field(struct field *f, bool put, union insn word[2])
{
    /* By is_static and put. */
    static const uint16_t ops[2][2] = {
        { OP_GETFIELD_B, OP_PUTFIELD_B },
        { OP_GETSTATIC_B, OP_PUTSTATIC_B },
    };
    bool is_static = field_is_static(f);

    f->is_quick = true;
    word[0].op = (uint16_t)(ops[is_static][put] + field_form(f->type)
                            + (f->access_flags & ACC_VOLATILE ? FIELD_FORMS : 0));
    if (is_static)
        word[1].pointer = object_at(f->class->layout.mirror, f->offset);
    else
        word[0].c = (int16_t)f->offset;
}

/* From this version of class files on a final field may be written by initializers
   only. */
enum { FIRST_STRICT_FINAL_VERSION = 53 };

/* Returns true if version's method may write f, which the constant with that index
   names; a final field only in the class that declares it, and for class files of
   version 53 and above only in its initializer, <init> or <clinit> (JVMS 6.5
   "putfield", "putstatic").  Otherwise throws IllegalAccessError. */
static bool
check_final(struct thread *self, const struct method_version *version,
            const struct field *f, unsigned index)
{
    const struct method *m = version->method;
    const struct cpool *pool = version->pool;
    const char *initializer = field_is_static(f) ? "<clinit>" : "<init>";
    const char *which = field_is_static(f) ? "static" : "non-static";
    struct cf_member member;

    if (!(f->access_flags & ACC_FINAL))
        return true;
    member = cf_member(pool->file, index);
    if (m->class != f->class)
        return THROW(self, IllegalAccessError,
                     "Update to %s final field %pN.%s attempted from a different class "
                     "(%pC) than the field's declaring class",
                     which, member.class_name->bytes, member.name->bytes, m->class);
    return symbol_equals(m->name, initializer)
           || pool->file->major < FIRST_STRICT_FINAL_VERSION
           || THROW(self, IllegalAccessError,
                    "Update to %s final field %pN.%s attempted from a different method "
                    "(%s) than the initializer method %s ",
                    which, member.class_name->bytes, member.name->bytes, m->name->bytes,
                    initializer);
}

/* Returns true if f is static as the bytecode says; otherwise throws
   IncompatibleClassChangeError (JVMS 6.5).  index is that of the constant, for the
   message. */
static bool
check_staticness(struct thread *self, const struct field *f, bool is_static,
                 const struct cpool *pool, unsigned index)
{
    struct cf_member member;

    if (field_is_static(f) == is_static)
        return true;
    member = cf_member(pool->file, index);
    return THROW(self, IncompatibleClassChangeError, "Expected %s field %pN.%s",
                 is_static ? "static" : "non-static", member.class_name->bytes,
                 member.name->bytes);
}

/*
 * Does the access to f itself, with its events.  This is for fields that are watched or
 * whose offset does not fit into the instruction, for classes that are being
 * initialized, and for the debug translation.  at is the instruction as it was found;
 * put: it writes.  Returns false if it throws, or if a listener has asked to leave the
 * frame: then the access is not made.
 */
static bool
access_field(struct thread *self, struct frame *fp, struct field *f, bool put,
             union insn at)
{
    union slot *slots = (union slot *)fp;
    struct object *receiver = field_is_static(f) ? NULL : slots[at.b].ref;
    struct object *o = field_is_static(f) ? f->class->layout.mirror : receiver;

    if (!o)
        return throw_null_pointer(self);
    if (f->watched) {
        uint32_t bci = (uint32_t)frame_bci(fp);
        if (put && (f->watched & FIELD_WATCH_MODIFICATION))
            EVENT_SEND(EVENT_FIELD_MODIFICATION, field_modification, self, fp, bci, f,
                       receiver, &slots[at.a]);
        if (!put && (f->watched & FIELD_WATCH_ACCESS))
            EVENT_SEND(EVENT_FIELD_ACCESS, field_access, self, fp, bci, f, receiver);
        if (exception_pending(self))
            return false;
    }
    if (thread_must_leave(self))
        return false;
    if (put)
        value_store(object_at(o, f->offset), f->type, slots[at.a]);
    else /* a listener may have caused on-stack replacement, so at.a may be stale */
        slots[(fp->pc - 1)->a] = value_load(object_at(o, f->offset), f->type);
    return true;
}

/* Runs an access to a field: checks what JVMS 6.5 demands of it, initializes the class
   of a static field, and rewrites the instruction, or makes the access itself where it
   has to be looked at each time. */
static enum quick_outcome
quick_access(struct thread *self, struct frame *fp, const union insn *pc,
             union insn seen)
{
    bool put = seen.op == OP_PUTFIELD_Q || seen.op == OP_PUTFIELD_SLOW
               || seen.op == OP_PUTSTATIC_Q || seen.op == OP_PUTSTATIC_SLOW;
    bool is_static = seen.op == OP_GETSTATIC_Q || seen.op == OP_GETSTATIC_SLOW
                     || seen.op == OP_PUTSTATIC_Q || seen.op == OP_PUTSTATIC_SLOW;
    bool is_slow = seen.op == OP_GETFIELD_SLOW || seen.op == OP_PUTFIELD_SLOW
                   || seen.op == OP_GETSTATIC_SLOW || seen.op == OP_PUTSTATIC_SLOW;
    struct cpool *pool = fp->version->pool;
    unsigned index = (uint16_t)seen.c;
    struct field *f = resolve_field(self, pool, index);
    union insn word[2] = { seen, { .bits = 0 } };

    if (!f || !check_staticness(self, f, is_static, pool, index)
        || (put && !check_final(self, fp->version, f, index))
        || (is_static && !class_initialize(self, f->class)))
        return QUICK_FAILED;
    if (is_slow || f->watched
        || (is_static ? !class_is_initialized(f->class) : f->offset > UINT16_MAX))
        return access_field(self, fp, f, put, seen) ? QUICK_DONE : QUICK_FAILED;
    quick_field(f, put, word);
    quick_store(pc, word[0], word[1].bits);
    return QUICK_AGAIN;
}

/* ---- constants ---- */

/* Runs an ldc: resolves the constant, whose object the pool keeps alive, and rewrites
   the instruction into one with the value.  Returns QUICK_AGAIN or QUICK_FAILED, like
   the functions below that return bool. */
static bool
quick_ldc(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    union insn first = { { OP_CONST64, seen.a, 0, 0 } };
    union slot value = { .bits = 0 };
    char type;

    if (!resolve_loadable(self, fp->version->pool, (uint16_t)seen.b, &value, &type))
        return false;
    quick_store(pc, first, value.bits);
    return true;
}

/* ---- calls ---- */

/* Returns true if a call of m has to look at the receiver's vtable: not if m has no
   slot there, or is final or of a final class, so that nothing can override it. */
static bool
needs_selection(const struct method *m)
{
    return m->vtable_index >= 0
           && !((m->access_flags | m->class->access_flags) & ACC_FINAL);
}

/* Rewrites a call into the resolved form for m, which resolution has found.
   INVOKESPECIAL is the form that calls exactly m, also for invokevirtual of a method
   that nothing overrides.  Returns false when the initialization of m's class
   throws. */
static bool
quicken_call(struct thread *self, const union insn *pc, union insn seen,
             struct method *m)
{
    union insn first = seen;

    first.op = OP_INVOKESPECIAL;
    if (seen.op == OP_INVOKESTATIC_Q) {
        if (!class_initialize(self, m->class))
            return false;
        /* While this thread initializes the class, others must still wait. */
        first.op = class_is_initialized(m->class) ? OP_INVOKESTATIC
                                                  : OP_INVOKESTATIC_INIT;
    } else if (seen.op != OP_INVOKESPECIAL_Q) {
        /* An abstract class's method may be declared by an interface only. */
        if (class_is_interface(m->class) && !(m->access_flags & ACC_PRIVATE)) {
            first.op = OP_INVOKEINTERFACE;
            first.b = seen.op == OP_INVOKEVIRTUAL_Q;
        } else if (needs_selection(m)) {
            first.op = OP_INVOKEVIRTUAL;
            first.b = (int16_t)m->vtable_index;
        }
    }
    quick_store(pc, first, (uintptr_t)m);
    return true;
}

/* Rewrites a call into the form for site, unless another thread was faster: all threads
   must run the same site (JVMS 5.4.3.6), and nobody has seen this thread's yet.
   Returns false if site is NULL: linking has failed, with the error pending. */
static bool
quick_site(const union insn *pc, union insn first, const struct call_site *site)
{
    uint16_t seen = first.op;

    if (!site)
        return false;
    first.op = seen == OP_INVOKEDYNAMIC_Q ? OP_INVOKEDYNAMIC : OP_INVOKEHANDLE;
    LOCK(&the_vm->class_mutex);
    if (__atomic_load_n(&pc->op, __ATOMIC_RELAXED) == seen)
        quick_store(pc, first, (uintptr_t)site);
    return true;
}

/* Returns the bytecode that op, an unresolved call, was translated from. */
static uint8_t
call_bytecode(enum op op)
{
    return op == OP_INVOKESTATIC_Q    ? OP_invokestatic
           : op == OP_INVOKESPECIAL_Q ? OP_invokespecial
           : op == OP_INVOKEVIRTUAL_Q ? OP_invokevirtual
                                      : OP_invokeinterface;
}

/* Runs a call: resolves the method and rewrites the instruction.  A call of a
   signature-polymorphic method is one of an intrinsic, or gets a call site like an
   invokedynamic. */
static bool
quick_invoke(struct thread *self, struct frame *fp, const union insn *pc,
             union insn seen)
{
    struct cpool *pool = fp->version->pool;
    unsigned index = (uint16_t)seen.c;

    if (seen.op == OP_INVOKEDYNAMIC_Q)
        return quick_site(pc, seen, link_invokedynamic(self, pool, index));
    struct method *m = resolve_call(self, pool, index, call_bytecode((enum op)seen.op));
    if (!m)
        return false;
    if (m->flags & METHOD_SIGNATURE_POLYMORPHIC) {
        if (!method_handle_is_intrinsic(m))
            return quick_site(pc, seen, link_invokehandle(self, pool, index, m));
        m = method_handle_intrinsic(self, m, cf_member(pool->file, index).descriptor);
        if (!m)
            return false;
    }
    return quicken_call(self, pc, seen, m);
}

/* ---- types ---- */

/* Runs a new: resolves and initializes the class, and rewrites the instruction, or
   makes the object itself if the class has to be looked at the next time, too. */
static enum quick_outcome
quick_new(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    struct class *c = resolve_class(self, fp->version->pool, (uint16_t)seen.c);
    union insn first = { { OP_NEW, seen.a, 0, 0 } };

    if (!c || !class_may_have_instances(self, c, THROW_ERROR)
        || !class_initialize(self, c))
        return QUICK_FAILED;
    /* Another thread has to wait for the class that this thread initializes now; and a
       large object costs so much that the look-up does not matter. */
    if (!class_is_initialized(c) || c->layout.instance_size > HEAP_SMALL_MAX) {
        struct object *o = object_new(self, c);
        ((union slot *)fp)[seen.a].ref = o;
        return o ? QUICK_DONE : QUICK_FAILED;
    }
    first.c = heap_size_class[c->layout.instance_size / 8];
    quick_store(pc, first, (uintptr_t)c);
    return QUICK_AGAIN;
}

/* Returns the resolved form of op, which names a class. */
static enum op
resolved_type_op(enum op op)
{
    return op == OP_ANEWARRAY_Q        ? OP_NEWARRAY
           : op == OP_MULTIANEWARRAY_Q ? OP_MULTIANEWARRAY
           : op == OP_CHECKCAST_Q      ? OP_CHECKCAST
                                       : OP_INSTANCEOF;
}

/* Runs an instruction that names a class and does not initialize it.  The class of
   anewarray is that of the elements. */
static bool
quick_type(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    struct class *c = resolve_class(self, fp->version->pool, (uint16_t)seen.c);

    if (c && seen.op == OP_ANEWARRAY_Q)
        c = class_array_of(self, c);
    if (!c)
        return false;
    seen.op = (uint16_t)resolved_type_op((enum op)seen.op);
    quick_store(pc, seen, (uintptr_t)c);
    return true;
}

enum quick_outcome
quicken(struct thread *self, struct frame *fp, const union insn *pc)
{
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };

    switch (seen.op) {
    case OP_LDC_Q: return quick_ldc(self, fp, pc, seen);
    case OP_GETFIELD_Q:
    case OP_PUTFIELD_Q:
    case OP_GETSTATIC_Q:
    case OP_PUTSTATIC_Q:
    case OP_GETFIELD_SLOW:
    case OP_PUTFIELD_SLOW:
    case OP_GETSTATIC_SLOW:
    case OP_PUTSTATIC_SLOW: return quick_access(self, fp, pc, seen);
    case OP_INVOKESTATIC_Q:
    case OP_INVOKESPECIAL_Q:
    case OP_INVOKEVIRTUAL_Q:
    case OP_INVOKEINTERFACE_Q:
    case OP_INVOKEDYNAMIC_Q: return quick_invoke(self, fp, pc, seen);
    case OP_NEW_Q: return quick_new(self, fp, pc, seen);
    case OP_CHECKCAST_Q:
    case OP_INSTANCEOF_Q:
    case OP_ANEWARRAY_Q:
    case OP_MULTIANEWARRAY_Q: return quick_type(self, fp, pc, seen);
    default: return QUICK_AGAIN; /* another thread was faster */
    }
}
