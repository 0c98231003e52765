/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/translate_pool.c -- bytecodes that name constants of the pool.
 *
 * A constant that is resolved already gives the resolved form of the instruction at
 * once, and a field of the method's own class can be found without loading anything.
 * All others become instructions marked OP_Q in ops.def, which are resolved when they
 * first run (quicken.c).  Those may load classes, stop and collect, so all operands
 * are materialized before them; before a resolved one most need not be.
 */

#include "interp/translator.h"

#include "classfile/descriptor.h"
#include "interp/interp.h"
#include "linking/resolve.h"
#include "runtime/vm.h"

/* Numbers become pending constants, as those of iconst do.  All others are resolved
   when they first run; of these only a dynamic constant may be a long or double. */
void
translate_ldc(struct translator *t, unsigned index)
{
    const union cf_const *c = &t->cf->consts[index];
    bool wide = false;

    switch (cf_tag_at(t->cf, index)) {
    case CF_INTEGER:
    case CF_FLOAT: push_constant(t, c->i, NARROW); return;
    case CF_LONG:
    case CF_DOUBLE: push_constant(t, c->j, WIDE); return;
    case CF_DYNAMIC: {
        char type = cf_member(t->cf, index).descriptor->bytes[0];
        wide = type == 'J' || type == 'D';
        break;
    }
    default: break;
    }
    stack_materialize(t);
    emit_long(t, OP_LDC_Q, push_result(t, wide), (int)index, 0, 0);
}

/* Returns the field of a constant if it is resolved, or declared by the method's own
   class under the name that the constant has; else NULL.  Loads and throws nothing.
   The name of a hidden class is not the one in its file, so names decide nothing
   there. */
static struct field *
peek_field(struct translator *t, unsigned index)
{
    struct field *f = resolved_field(t->pool, index);
    struct cf_member ref = cf_member(t->cf, index);

    if (f)
        return f;
    if (ref.class_name != t->cf->this_class
        || (t->pool->class->flags & CLASS_IS_HIDDEN))
        return NULL;
    return class_own_field(t->pool->class, ref.name, ref.descriptor);
}

/* The resolved form is only used where no check is left to be made: quick_access
   (quicken.c) makes them all.  If it is not, the instruction may stop, so the stack is
   materialized. */
void
translate_field(struct translator *t, uint8_t opcode, unsigned index)
{
    /* By debug, is_static and put.  A debug translation never has quickened
       accesses. */
    static const uint16_t ops[2][2][2] = {
        { { OP_GETFIELD_Q, OP_PUTFIELD_Q }, { OP_GETSTATIC_Q, OP_PUTSTATIC_Q } },
        { { OP_GETFIELD_SLOW, OP_PUTFIELD_SLOW },
          { OP_GETSTATIC_SLOW, OP_PUTSTATIC_SLOW } },
    };
    char type = cf_member(t->cf, index).descriptor->bytes[0];
    bool wide = type == 'J' || type == 'D';
    bool put = opcode == OP_putfield || opcode == OP_putstatic;
    bool is_static = opcode == OP_getstatic || opcode == OP_putstatic;
    struct field *f = t->debug ? NULL : peek_field(t, index);
    int object, value;
    union insn word[2];

    if (f
        && (field_is_static(f) != is_static || (put && (f->access_flags & ACC_FINAL))
            || (is_static && !class_is_initialized(f->class)) || f->watched
            || (!is_static && f->offset > UINT16_MAX)))
        f = NULL;
    if (!f)
        stack_materialize(t);
    value = put ? pop_slot(t) : 0;
    object = is_static ? 0 : pop_slot(t);
    int a = put ? value : push_result(t, wide);
    word[0] = (union insn){ { ops[t->debug][is_static][put], (int16_t)a,
                              (int16_t)object, (int16_t)index } };
    word[1].bits = 0;
    if (f)
        quick_field(f, put, word);
    enum op op = (enum op)word[0].op;
    uint32_t at = op_words[op] == 2
                      ? emit_long(t, op, a, object, word[0].c, word[1].bits)
                      : emit(t, op, a, object, word[0].c);
    if (!put)
        t->last_def = at;
}

/* a is the number of the operand that becomes the callee's local 0, where the result
   stands afterwards. */
void
translate_invoke(struct translator *t, uint8_t opcode, unsigned index)
{
    struct cf_member ref = cf_member(t->cf, index);
    int arg_slots = descriptor_arg_slots(ref.descriptor);
    struct descriptor_type result;
    /* In the order of the bytecodes invokevirtual to invokedynamic. */
    static const uint16_t ops[] = { OP_INVOKEVIRTUAL_Q, OP_INVOKESPECIAL_Q,
                                    OP_INVOKESTATIC_Q, OP_INVOKEINTERFACE_Q,
                                    OP_INVOKEDYNAMIC_Q };

    descriptor_return(ref.descriptor, &result);
    if (opcode != OP_invokestatic && opcode != OP_invokedynamic)
        arg_slots++;
    stack_materialize(t);
    t->depth -= arg_slots;
    emit_long(t, (enum op)ops[opcode - OP_invokevirtual], t->depth, 0, (int)index, 0);
    if (result.kind != 'V')
        push_result(t, result.kind == 'J' || result.kind == 'D');
}

/* Translates newarray and anewarray.  The array classes of primitive types are known;
   that of anewarray is resolved when it first runs. */
static void
new_array(struct translator *t, const struct instruction *in)
{
    /* By the operand of newarray: the element's type (JVMS table 6.5.newarray-A). */
    static const char types[] = "    ZCFDBSIJ";

    stack_materialize(t);
    int length = pop_slot(t);
    int a = push_result(t, NARROW);
    if (in->opcode == OP_newarray)
        emit_long(t, OP_NEWARRAY, a, length, 0,
                  (uintptr_t)the_vm->known.primitive_arrays[types[in->operand] - 'A']);
    else
        emit_long(t, OP_ANEWARRAY_Q, a, length, in->index, 0);
}

void
translate_object(struct translator *t, const struct instruction *in)
{
    struct class *c;
    int slot;

    switch (in->opcode) {
    case OP_new:
        stack_materialize(t);
        emit_long(t, OP_NEW_Q, push_result(t, NARROW), 0, in->index, 0);
        break;
    case OP_newarray:
    case OP_anewarray: new_array(t, in); break;
    case OP_multianewarray:
        stack_materialize(t);
        t->depth -= in->operand;
        emit_long(t, OP_MULTIANEWARRAY_Q, t->depth, in->operand, in->index, 0);
        push_result(t, NARROW);
        break;
    case OP_athrow:
        slot = pop_slot(t);
        emit(t, OP_ATHROW, slot, 0, 0);
        break;
    case OP_checkcast: {
        c = t->debug ? NULL : resolved_class(t->pool, in->index);
        if (!c)
            stack_materialize(t);
        struct entry e = pop_entry(t);
        if (e.kind == ENTRY_CONST && e.value == 0) { /* null passes every cast */
            push_constant(t, 0, NARROW);
            break;
        }
        slot = e.kind == ENTRY_COPY ? e.source : operand_slot(t->depth);
        emit_long(t, c ? OP_CHECKCAST : OP_CHECKCAST_Q, slot, 0, in->index,
                  (uintptr_t)c);
        if (e.kind == ENTRY_COPY)
            push_copy(t, slot, NARROW);
        else
            push_result(t, NARROW);
        break;
    }
    case OP_instanceof:
        c = t->debug ? NULL : resolved_class(t->pool, in->index);
        if (!c)
            stack_materialize(t);
        slot = pop_slot(t);
        t->last_def = emit_long(t, c ? OP_INSTANCEOF : OP_INSTANCEOF_Q,
                                push_result(t, NARROW), slot, in->index, (uintptr_t)c);
        break;
    case OP_monitorenter:
    case OP_monitorexit:
        stack_materialize(t);
        slot = pop_slot(t);
        emit(t, in->opcode == OP_monitorenter ? OP_MONITORENTER : OP_MONITOREXIT, slot,
             0, 0);
        break;
    default: t->failed = true; break;
    }
}
