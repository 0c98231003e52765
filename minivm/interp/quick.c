/* SPDX-License-Identifier: MIT */
/* minivm/interp/quick.c -- resolving and rewriting instructions. */

#include "interp/quick.h"

#include "base/events.h"
#include "classfile/opcode.h"
#include "interp/interp.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/vm.h"

UNTRACKED void
quick_store(union insn *pc, union insn first, uint64_t second)
{
    /* The loop reads the operands plainly, behind its acquiring read of the opcode. */
    SHARED_RELEASE(pc);
    if (op_units[first.op] == 2)
        __atomic_store_n(&pc[1].bits, second, __ATOMIC_RELEASE);
    __atomic_store_n(&pc->bits, first.bits, __ATOMIC_RELEASE);
}

/* ---- fields ---- */

/* Position of a type among the _B _C _S _I _J forms; Z has one of its own. */
static int
field_width(char type)
{
    return type == 'C' ? 1 : type == 'S' ? 2 : type == 'I' || type == 'F' ? 3
           : type == 'Z' || type == 'B' ? 0 : 4;
}

void
quick_field(const struct field *f, bool put, union insn unit[2])
{
    /* By static, put, volatile. */
    static const uint16_t ops[2][2][2] = {
        { { OP_GETFIELD_B, OP_GETFIELD_VOL_B }, { OP_PUTFIELD_B, OP_PUTFIELD_VOL_B } },
        { { OP_GETSTATIC_B, OP_GETSTATIC_VOL_B },
          { OP_PUTSTATIC_B, OP_PUTSTATIC_VOL_B } },
    };
    static const uint16_t boolean_ops[2][2] = {
        { OP_PUTFIELD_Z, OP_PUTFIELD_VOL_Z }, { OP_PUTSTATIC_Z, OP_PUTSTATIC_VOL_Z },
    };
    bool is_static = field_is_static(f);
    bool is_volatile = (f->access_flags & ACC_VOLATILE) != 0;

    unit[0].op = (uint16_t)(ops[is_static][put][is_volatile] + field_width(f->type));
    if (put && f->type == 'Z')
        unit[0].op = boolean_ops[is_static][is_volatile];
    if (is_static)
        unit[1].pointer = object_at(f->class->layout.mirror, f->offset);
    else
        unit[0].c = (int16_t)f->offset;
}

/* JVMS 6.5, putfield and putstatic: who may write a final field. */
static bool
check_final(struct thread *self, const struct method *m, const struct field *f)
{
    const char *initializer = field_is_static(f) ? "<clinit>" : "<init>";
    const char *which = field_is_static(f) ? "static" : "non-static";
    TEXTS(t);

    if (!(f->access_flags & ACC_FINAL))
        return true;
    if (m->class != f->class)
        return THROW(self, IllegalAccessError, "Update to %s final field %s.%s "
                     "attempted from a different class (%s) than the field's declaring "
                     "class", which, own(&t, class_external_name(f->class)),
                     f->name->bytes, own(&t, class_external_name(m->class)));
    return symbol_equals(m->name, initializer) || m->code->pool->file->major < 53
           || THROW(self, IllegalAccessError, "Update to %s final field %s.%s "
                    "attempted from a different method (%s) than the initializer "
                    "method %s ", which, own(&t, class_external_name(f->class)),
                    f->name->bytes, m->name->bytes, initializer);
}

static bool
check_staticness(struct thread *self, const struct field *f, bool is_static)
{
    TEXTS(t);

    return field_is_static(f) == is_static
           || THROW(self, IncompatibleClassChangeError, "Expected %s field %s.%s",
                    is_static ? "static" : "non-static",
                    own(&t, class_external_name(f->class)), f->name->bytes);
}

static void
read_field(const struct field *f, const struct object *o, union slot *to)
{
    void *p = object_at(o, f->offset);
    int order = __ATOMIC_SEQ_CST;

    switch (f->type) {
    case 'Z': case 'B':
        to->i = __atomic_load_n((int8_t *)p, order);
        break;
    case 'C':
        to->i = __atomic_load_n((uint16_t *)p, order);
        break;
    case 'S':
        to->i = __atomic_load_n((int16_t *)p, order);
        break;
    case 'I': case 'F':
        to->i = __atomic_load_n((int32_t *)p, order);
        break;
    default:
        to->j = __atomic_load_n((int64_t *)p, order);
        break;
    }
}

#define STORE(type, value) \
    (f->access_flags & ACC_VOLATILE \
         ? __atomic_store_n((type *)p, (type)(value), __ATOMIC_SEQ_CST) \
         : __atomic_store_n((type *)p, (type)(value), __ATOMIC_RELAXED))

static void
write_field(const struct field *f, struct object *o, const union slot *from)
{
    void *p = object_at(o, f->offset);

    switch (f->type) {
    case 'Z':
        STORE(int8_t, from->i & 1);
        break;
    case 'B':
        STORE(int8_t, from->i);
        break;
    case 'C': case 'S':
        STORE(int16_t, from->i);
        break;
    case 'I': case 'F':
        STORE(int32_t, from->i);
        break;
    default:
        STORE(int64_t, from->j);
        break;
    }
}

static bool
is_put(const union insn *pc)
{
    return pc->op == OP_PUTFIELD_Q || pc->op == OP_PUTFIELD_SLOW
           || pc->op == OP_PUTSTATIC_Q || pc->op == OP_PUTSTATIC_SLOW;
}

/* Resolve, check, report to watchers and do the access at pc. */
static struct field *
access_field(struct thread *self, struct frame *fp, const union insn *pc,
             unsigned index)
{
    bool put = is_put(pc), is_static = pc->op > OP_PUTFIELD_SLOW; /* see ops.def */
    union slot *slots = (union slot *)fp;
    struct field *f = resolve_field(self, fp->code->pool, index);
    struct object *o;

    if (!f || !check_staticness(self, f, is_static)
        || (put && !check_final(self, fp->code->method, f))
        || (is_static && !class_initialize(self, f->class)))
        return NULL;
    o = is_static ? f->class->layout.mirror : slots[pc->b].ref;
    if (!o)
        return throw_null_pointer(self);
    if (f->watched) {
        uint32_t bci = (uint32_t)frame_bci(fp);
        struct object *reported = is_static ? NULL : o;
        if (put && (f->watched & 2))
            EVENT_SEND(EVENT_FIELD_MODIFICATION, field_modification, self, fp, bci, f,
                       reported, &slots[pc->a]);
        if (!put && (f->watched & 1))
            EVENT_SEND(EVENT_FIELD_ACCESS, field_access, self, fp, bci, f, reported);
        if (exception_pending(self))
            return NULL;
    }
    if (thread_must_leave(self))
        return NULL;
    if (put)
        write_field(f, o, &slots[pc->a]);
    else
        read_field(f, o, &slots[(fp->pc - 1)->a]); /* the form may have changed */
    return f;
}

/* _Q keeps the constant's index in c; so does _SLOW. */
bool
slow_field_access(struct thread *self, struct frame *fp, const union insn *pc)
{
    return access_field(self, fp, pc, (uint16_t)pc->c) != NULL;
}

bool
quick_field_access(struct thread *self, struct frame *fp, union insn *pc, bool *again)
{
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };
    union insn unit[2] = { seen, { .bits = 0 } };

    *again = seen.op != OP_GETFIELD_Q && seen.op != OP_PUTFIELD_Q
             && seen.op != OP_GETSTATIC_Q && seen.op != OP_PUTSTATIC_Q;
    if (*again)
        return true; /* another thread was faster */
    struct field *f = access_field(self, fp, &seen, (uint16_t)seen.c);

    if (!f)
        return false;
    /* A site with its field watched keeps its _Q form, which looks each time. */
    if (f->watched || (field_is_static(f) ? !class_is_initialized(f->class)
                                          : f->offset > UINT16_MAX)
        || (is_put(&seen) && (f->access_flags & ACC_FINAL)
            && fp->code->method->class != f->class))
        return true;
    quick_field(f, is_put(&seen), unit);
    quick_store(pc, unit[0], unit[1].bits);
    return true;
}

/* ---- constants ---- */

bool
quick_ldc(struct thread *self, struct frame *fp, union insn *pc)
{
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };
    union insn first = { { OP_CONST64, seen.a, 0, 0 } };
    union slot value = { .bits = 0 };
    char type;

    if (seen.op != OP_LDC_Q)
        return true; /* another thread was faster */
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
quicken_call(struct thread *self, union insn *pc, union insn seen, struct method *m)
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
quick_site(union insn *pc, union insn first, const struct call_site *site)
{
    uint16_t seen = first.op;

    if (!site)
        return false;
    first.op = OP_INVOKEHANDLE;
    mutex_lock(&the_vm->class_mutex);
    if (__atomic_load_n(&pc->op, __ATOMIC_RELAXED) == seen)
        quick_store(pc, first, (uintptr_t)site);
    mutex_unlock(&the_vm->class_mutex);
    return true;
}

bool
quick_invoke(struct thread *self, struct frame *fp, union insn *pc)
{
    static const uint8_t opcodes[] = { OP_invokestatic, OP_invokespecial,
                                       OP_invokevirtual, OP_invokeinterface };
    struct cpool *pool = fp->code->pool;
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };
    unsigned index = (uint16_t)seen.c;

    if (op_units[seen.op] != 2 || seen.op < OP_INVOKESTATIC_Q)
        return true; /* another thread was faster */
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

static bool
can_instantiate(struct thread *self, struct class *c)
{
    TEXTS(t);

    return (!(c->access_flags & (ACC_ABSTRACT | ACC_INTERFACE))
            && c != KC(self->vm, Class) && !class_is_array(c))
           || THROW(self, InstantiationError, "%s", own(&t, class_external_name(c)));
}

bool
quick_new(struct thread *self, struct frame *fp, union insn *pc)
{
    union insn seen = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };
    union slot *slots = (union slot *)fp;
    struct class *c;

    if (seen.op == OP_NEW_Q) {
        c = resolve_class(self, fp->code->pool, (uint16_t)seen.c);
        if (!c || !can_instantiate(self, c) || !class_initialize(self, c))
            return false;
    } else {
        c = pc[1].pointer;
    }
    struct object *o = object_new(self, c);
    if (!o)
        return false;
    slots[seen.a].ref = o;
    if (seen.op == OP_NEW_Q && class_is_initialized(c)) {
        union insn first = { { OP_NEW_SLOW, seen.a, 0, 0 } };
        if (c->layout.instance_size <= HEAP_SMALL_MAX && !c->layout.has_finalizer) {
            first.op = OP_NEW;
            first.c = heap_size_class[c->layout.instance_size / 8];
        }
        quick_store(pc, first, (uintptr_t)c);
    }
    return true;
}

bool
quick_type(struct thread *self, struct frame *fp, union insn *pc)
{
    union insn first = { .bits = __atomic_load_n(&pc->bits, __ATOMIC_ACQUIRE) };
    unsigned index = (uint16_t)first.c;

    if (first.op != OP_CHECKCAST_Q && first.op != OP_INSTANCEOF_Q
        && first.op != OP_ANEWARRAY_Q && first.op != OP_MULTIANEWARRAY_Q)
        return true; /* another thread was faster */
    struct class *c = resolve_class(self, fp->code->pool, index);
    if (c && first.op == OP_ANEWARRAY_Q)
        c = class_array_of(self, c);
    if (!c)
        return false;
    first.op = first.op == OP_CHECKCAST_Q     ? OP_CHECKCAST
               : first.op == OP_INSTANCEOF_Q  ? OP_INSTANCEOF
               : first.op == OP_ANEWARRAY_Q   ? OP_NEWARRAY
                                              : OP_MULTIANEWARRAY;
    quick_store(pc, first, (uintptr_t)c);
    return true;
}
