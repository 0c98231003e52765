/* SPDX-License-Identifier: MIT */
/* minivm/interp/translate_pool.c -- bytecodes that name constants.
 *
 * What is resolved already is translated to its quick form at once; what can be
 * resolved without loading a class is resolved.  The rest becomes a _Q
 * instruction that resolves when it runs and rewrites itself. */

#include "interp/translate.h"

#include "classfile/descriptor.h"
#include "interp/interp.h"
#include "vm/link.h"
#include "vm/vm.h"

void
translate_ldc(struct translator *t, unsigned index)
{
    const union cf_const *c = &t->cf->consts[index];
    bool wide = false;

    switch (cf_tag_at(t->cf, index)) {
    case CF_INTEGER:
    case CF_FLOAT:
        push_constant(t, c->i, false);
        return;
    case CF_LONG:
    case CF_DOUBLE:
        push_constant(t, c->j, true);
        return;
    case CF_DYNAMIC: {
        char type = cf_member(t->cf, index).descriptor->bytes[0];
        wide = type == 'J' || type == 'D';
        break;
    }
    default:
        break;
    }
    stack_settle(t);
    emit_long(t, OP_LDC_Q, push_result(t, wide), (int)index, 0, 0);
}

/* The field, if finding it can load nothing and throw nothing. */
static struct field *
peek_field(struct translator *t, unsigned index)
{
    struct field *f = resolved_entry(t->pool, index);
    struct cf_member ref = cf_member(t->cf, index);

    if (f)
        return f;
    if (ref.class_name != t->cf->this_class
        || (t->pool->class->flags & CLASS_IS_HIDDEN))
        return NULL;
    return class_own_field(t->pool->class, ref.name, ref.descriptor);
}

void
translate_field(struct translator *t, uint8_t opcode, unsigned index)
{
    static const uint16_t ops[2][2][2] = {
        { { OP_GETFIELD_Q, OP_PUTFIELD_Q }, { OP_GETSTATIC_Q, OP_PUTSTATIC_Q } },
        { { OP_GETFIELD_SLOW, OP_PUTFIELD_SLOW },
          { OP_GETSTATIC_SLOW, OP_PUTSTATIC_SLOW } },
    };
    char type = cf_member(t->cf, index).descriptor->bytes[0];
    bool wide = type == 'J' || type == 'D';
    bool put = opcode == OP_putfield || opcode == OP_putstatic;
    bool is_static = opcode == OP_getstatic || opcode == OP_putstatic;
    struct field *f = t->plain ? NULL : peek_field(t, index);
    int object, value;
    union insn unit[2];

    if (f && (field_is_static(f) != is_static
              || (put && (f->access_flags & ACC_FINAL))
              || (is_static && !class_is_initialized(f->class)) || f->watched
              || (!is_static && f->offset > UINT16_MAX)))
        f = NULL;
    if (!f)
        stack_settle(t);
    value = put ? pop_reg(t) : 0;
    object = is_static ? 0 : pop_reg(t);
    int a = put ? value : push_result(t, wide);
    unit[0] = (union insn){ { ops[t->plain][is_static][put], (int16_t)a,
                              (int16_t)object, (int16_t)index } };
    unit[1].bits = 0;
    if (f)
        quick_field(f, put, unit);
    enum op op = (enum op)unit[0].op;
    uint32_t at = op_units[op] == 2 ? emit_long(t, op, a, object, unit[0].c,
                                                unit[1].bits)
                                    : emit(t, op, a, object, unit[0].c);
    if (!put)
        t->last_dest = at;
}

void
translate_invoke(struct translator *t, uint8_t opcode, unsigned index)
{
    struct cf_member ref = cf_member(t->cf, index);
    int arg_slots = descriptor_arg_slots(ref.descriptor);
    struct descriptor_type result;
    static const uint16_t quicken[] = { OP_INVOKEVIRTUAL_Q, OP_INVOKESPECIAL_Q,
                                        OP_INVOKESTATIC_Q, OP_INVOKEINTERFACE_Q,
                                        OP_INVOKEDYNAMIC_Q };

    descriptor_return(ref.descriptor, &result);
    if (opcode != OP_invokestatic && opcode != OP_invokedynamic)
        arg_slots++;
    stack_settle(t);
    t->depth -= arg_slots;
    emit_long(t, (enum op)quicken[opcode - OP_invokevirtual], t->depth, 0,
              (int)index, 0);
    if (result.kind != 'V')
        push_result(t, result.kind == 'J' || result.kind == 'D');
}

static void
new_array(struct translator *t, const struct instruction *in)
{
    static const char types[] = "    ZCFDBSIJ";

    stack_settle(t);
    int length = pop_reg(t);
    int a = push_result(t, false);
    if (in->opcode == OP_newarray)
        emit_long(t, OP_NEWARRAY, a, length, 0,
                  (uintptr_t)the_vm->known
                      .primitive_arrays[types[in->operand] - 'A']);
    else
        emit_long(t, OP_ANEWARRAY_Q, a, length, in->index, 0);
}

void
translate_object(struct translator *t, const struct instruction *in)
{
    struct class *c;
    int reg;

    switch (in->opcode) {
    case OP_new:
        stack_settle(t);
        emit_long(t, OP_NEW_Q, push_result(t, false), 0, in->index, 0);
        break;
    case OP_newarray:
    case OP_anewarray:
        new_array(t, in);
        break;
    case OP_multianewarray:
        stack_settle(t);
        t->depth -= in->operand;
        emit_long(t, OP_MULTIANEWARRAY_Q, t->depth, in->operand, in->index, 0);
        push_result(t, false);
        break;
    case OP_athrow:
        reg = pop_reg(t);
        emit(t, OP_ATHROW, reg, 0, 0);
        break;
    case OP_checkcast: {
        c = t->plain ? NULL : resolved_entry(t->pool, in->index);
        if (!c)
            stack_settle(t);
        struct entry e = pop_entry(t);
        if (e.kind == ENTRY_CONST && e.value == 0) { /* null passes */
            push_constant(t, 0, false);
            break;
        }
        reg = e.kind == ENTRY_COPY ? e.reg : reg_operand(t->depth);
        emit_long(t, c ? OP_CHECKCAST : OP_CHECKCAST_Q, reg, 0, in->index,
                  (uintptr_t)c);
        if (e.kind == ENTRY_COPY)
            push_copy(t, reg, false);
        else
            push_result(t, false);
        break;
    }
    case OP_instanceof:
        c = t->plain ? NULL : resolved_entry(t->pool, in->index);
        if (!c)
            stack_settle(t);
        reg = pop_reg(t);
        t->last_dest = emit_long(t, c ? OP_INSTANCEOF : OP_INSTANCEOF_Q,
                                 push_result(t, false), reg, in->index, (uintptr_t)c);
        break;
    case OP_monitorenter:
    case OP_monitorexit:
        stack_settle(t);
        reg = pop_reg(t);
        emit(t, in->opcode == OP_monitorenter ? OP_MONITORENTER : OP_MONITOREXIT, reg,
             0, 0);
        break;
    default:
        t->failed = true;
        break;
    }
}
