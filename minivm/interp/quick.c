/* SPDX-License-Identifier: MIT */
/* minivm/interp/quick.c -- resolving and rewriting instructions. */

#include "interp/interp.h"

#include "base/events.h"
#include "classfile/opcode.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/vm.h"

UNTRACKED void
quick_store(const union insn *pc, union insn first, uint64_t second)
{
    uint64_t *to = (uint64_t *)(uintptr_t)&pc->bits;

    /* The loop reads the operands plainly, behind its acquiring read of the opcode. */
    SHARED_RELEASE(to);
    if (op_units[first.op] == 2)
        __atomic_store_n(&to[1], second, __ATOMIC_RELEASE);
    __atomic_store_n(to, first.bits, __ATOMIC_RELEASE);
}

/* ---- fields ---- */

/* The _B, _C, _S, _I, _J and _Z forms stand together, the _VOL ones behind them. */
enum { FIELD_FORMS = 6 };

static int
field_form(char type)
{
    return type == 'B' ? 0 : type == 'C' ? 1 : type == 'S' ? 2
           : type == 'I' || type == 'F' ? 3 : type == 'Z' ? 5 : 4;
}

void
quick_field(struct field *f, bool put, union insn unit[2])
{
    /* By static, put. */
    static const uint16_t ops[2][2] = {
        { OP_GETFIELD_B, OP_PUTFIELD_B }, { OP_GETSTATIC_B, OP_PUTSTATIC_B },
    };
    bool is_static = field_is_static(f);

    f->is_quick = true;
    unit[0].op = (uint16_t)(ops[is_static][put] + field_form(f->type)
                            + (f->access_flags & ACC_VOLATILE ? FIELD_FORMS : 0));
    if (is_static)
        unit[1].pointer = object_at(f->class->layout.mirror, f->offset);
    else
        unit[0].c = (int16_t)f->offset;
}

/* The field that number index of pool names, by the class that it names: the field may
   be an inherited one. */
static char *
describe_field(const struct cpool *pool, unsigned index)
{
    struct cf_member member = cf_member(pool->file, index);

    return text_printf("%pN.%s", member.class_name->bytes, member.name->bytes);
}

/* JVMS 6.5, putfield and putstatic: who may write a final field. */
static bool
check_final(struct thread *self, const struct code *code, const struct field *f,
            unsigned index)
{
    const struct method *m = code->method;
    const struct cpool *pool = code->pool;
    const char *initializer = field_is_static(f) ? "<clinit>" : "<init>";
    const char *which = field_is_static(f) ? "static" : "non-static";

    if (!(f->access_flags & ACC_FINAL))
        return true;
    if (m->class != f->class)
        return THROW(self, IllegalAccessError, "Update to %s final field %pF attempted "
                     "from a different class (%pC) than the field's declaring class",
                     which, describe_field(pool, index), m->class);
    return symbol_equals(m->name, initializer) || pool->file->major < 53
           || THROW(self, IllegalAccessError, "Update to %s final field %pF attempted "
                    "from a different method (%s) than the initializer method %s ",
                    which, describe_field(pool, index), m->name->bytes, initializer);
}

static bool
check_staticness(struct thread *self, const struct field *f, bool is_static,
                 const struct cpool *pool, unsigned index)
{
    return field_is_static(f) == is_static
           || THROW(self, IncompatibleClassChangeError, "Expected %s field %pF",
                    is_static ? "static" : "non-static", describe_field(pool, index));
}

/* Look at the access each time: the field is watched or far away, its class is being
   initialized, or the form is plain. */
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
        if (put && (f->watched & 2))
            EVENT_SEND(EVENT_FIELD_MODIFICATION, field_modification, self, fp, bci, f,
                       receiver, &slots[at.a]);
        if (!put && (f->watched & 1))
            EVENT_SEND(EVENT_FIELD_ACCESS, field_access, self, fp, bci, f, receiver);
        if (exception_pending(self))
            return false;
    }
    if (thread_must_leave(self))
        return false;
    if (put)
        value_store(object_at(o, f->offset), f->type, slots[at.a]);
    else /* the form may have changed */
        slots[(fp->pc - 1)->a] = value_load(object_at(o, f->offset), f->type);
    return true;
}

static enum quick_outcome
quick_access(struct thread *self, struct frame *fp, const union insn *pc,
             union insn seen)
{
    bool put = seen.op == OP_PUTFIELD_Q || seen.op == OP_PUTFIELD_SLOW
               || seen.op == OP_PUTSTATIC_Q || seen.op == OP_PUTSTATIC_SLOW;
    bool is_static = seen.op > OP_PUTFIELD_SLOW; /* see ops.def */
    struct cpool *pool = fp->code->pool;
    unsigned index = (uint16_t)seen.c;
    struct field *f = resolve_field(self, pool, index);
    union insn unit[2] = { seen, { .bits = 0 } };

    if (!f || !check_staticness(self, f, is_static, pool, index)
        || (put && !check_final(self, fp->code, f, index))
        || (is_static && !class_initialize(self, f->class)))
        return QUICK_FAILED;
    if (seen.op == OP_GETFIELD_SLOW || seen.op == OP_PUTFIELD_SLOW
        || seen.op == OP_GETSTATIC_SLOW || seen.op == OP_PUTSTATIC_SLOW || f->watched
        || (is_static ? !class_is_initialized(f->class) : f->offset > UINT16_MAX))
        return access_field(self, fp, f, put, seen) ? QUICK_DONE : QUICK_FAILED;
    quick_field(f, put, unit);
    quick_store(pc, unit[0], unit[1].bits);
    return QUICK_AGAIN;
}

/* ---- constants ---- */

static bool
quick_ldc(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    union insn first = { { OP_CONST64, seen.a, 0, 0 } };
    union slot value = { .bits = 0 };
    char type;

    if (!resolve_loadable(self, fp->code->pool, (uint16_t)seen.b, &value, &type))
        return false;
    quick_store(pc, first, value.bits);
    return true;
}

/* ---- calls ---- */

/* Which methods a call of the vtable's entry must find. */
static bool
needs_selection(const struct method *m)
{
    return m->vtable_index >= 0
           && !((m->access_flags | m->class->access_flags) & ACC_FINAL);
}

/* The quick form for m at a resolved site; false when something is pending. */
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
        first.op =
            class_is_initialized(m->class) ? OP_INVOKESTATIC : OP_INVOKESTATIC_INIT;
    } else if (seen.op != OP_INVOKESPECIAL_Q) {
        /* An abstract class's method may be declared by an interface only. */
        if (class_is_interface(m->class) && !(m->access_flags & ACC_PRIVATE)) {
            first.op = OP_INVOKEINTERFACE;
        } else if (needs_selection(m)) {
            first.op = OP_INVOKEVIRTUAL;
            first.b = (int16_t)m->vtable_index;
        }
    }
    quick_store(pc, first, (uintptr_t)m);
    return true;
}

/* The first of several threads has its site stay: nobody is behind the others'. */
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

static bool
quick_invoke(struct thread *self, struct frame *fp, const union insn *pc,
             union insn seen)
{
    static const uint8_t opcodes[] = { OP_invokestatic, OP_invokespecial,
                                       OP_invokevirtual, OP_invokeinterface };
    struct cpool *pool = fp->code->pool;
    unsigned index = (uint16_t)seen.c;

    if (seen.op == OP_INVOKEDYNAMIC_Q)
        return quick_site(pc, seen, link_dynamic(self, pool, index));
    struct method *m =
        resolve_call(self, pool, index, opcodes[seen.op - OP_INVOKESTATIC_Q]);
    if (!m)
        return false;
    if (m->flags & METHOD_SIGNATURE_POLYMORPHIC) {
        if (!handle_is_intrinsic(m))
            return quick_site(pc, seen, link_handle(self, pool, index, m));
        m = handle_intrinsic(self, m, cf_member(pool->file, index).descriptor);
        if (!m)
            return false;
    }
    return quicken_call(self, pc, seen, m);
}

/* ---- types ---- */

static enum quick_outcome
quick_new(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    struct class *c = resolve_class(self, fp->code->pool, (uint16_t)seen.c);
    union insn first = { { OP_NEW, seen.a, 0, 0 } };

    if (!c || !class_may_have_instances(self, c, true) || !class_initialize(self, c))
        return QUICK_FAILED;
    /* One that this thread initializes now, and what makes more work anyway, stays. */
    if (!class_is_initialized(c) || c->layout.instance_size > HEAP_SMALL_MAX) {
        struct object *o = object_new(self, c);
        ((union slot *)fp)[seen.a].ref = o;
        return o ? QUICK_DONE : QUICK_FAILED;
    }
    first.c = heap_size_class[c->layout.instance_size / 8];
    quick_store(pc, first, (uintptr_t)c);
    return QUICK_AGAIN;
}

static bool
quick_type(struct thread *self, struct frame *fp, const union insn *pc, union insn seen)
{
    struct class *c = resolve_class(self, fp->code->pool, (uint16_t)seen.c);

    if (c && seen.op == OP_ANEWARRAY_Q)
        c = class_array_of(self, c);
    if (!c)
        return false;
    seen.op--; /* see ops.def */
    quick_store(pc, seen, (uintptr_t)c);
    return true;
}

enum quick_outcome
quicken(struct thread *self, struct frame *fp, const union insn *pc)
{
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };

    switch (seen.op) {
    case OP_LDC_Q:
        return quick_ldc(self, fp, pc, seen);
    case OP_GETFIELD_Q: case OP_PUTFIELD_Q: case OP_GETSTATIC_Q: case OP_PUTSTATIC_Q:
    case OP_GETFIELD_SLOW: case OP_PUTFIELD_SLOW:
    case OP_GETSTATIC_SLOW: case OP_PUTSTATIC_SLOW:
        return quick_access(self, fp, pc, seen);
    case OP_INVOKESTATIC_Q: case OP_INVOKESPECIAL_Q: case OP_INVOKEVIRTUAL_Q:
    case OP_INVOKEINTERFACE_Q: case OP_INVOKEDYNAMIC_Q:
        return quick_invoke(self, fp, pc, seen);
    case OP_NEW_Q:
        return quick_new(self, fp, pc, seen);
    case OP_CHECKCAST_Q: case OP_INSTANCEOF_Q: case OP_ANEWARRAY_Q:
    case OP_MULTIANEWARRAY_Q:
        return quick_type(self, fp, pc, seen);
    default:
        return QUICK_AGAIN; /* another thread was faster */
    }
}
