/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify_insn.c -- the instructions one by one (JVMS 4.10.1.9).
 *
 * verify_instruction, at the end, tells the instructions apart.  Most of them only pop
 * and push what their row of the opcode table says (verify_by_table); a jump also
 * checks its targets.  Those whose effect depends on a local, on an array's type, on a
 * constant or on the operands themselves have functions before it.
 *
 * Types are popped in the order in which HotSpot pops them, since that decides which
 * error is reported if there are several.  A function that returns false has decided
 * the result of the verification (verifier.h).
 */

#include <stdio.h>
#include <string.h>

#include "classfile/parse.h"
#include "classfile/verifier.h"

/* Pops both slots of a long or double; types[0] is the type of the lower slot, types[1]
   that of the upper one, which is on top.  The lower slot is checked first, so that an
   error is about it, as in HotSpot: the top is left out for a moment, and put back with
   the lower slot when that is right, so that both are popped in order. */
static bool
pop_wide(struct verifier *v, const struct vtype types[2])
{
    v->current.stack_size -= v->current.stack_size > 0;
    if (!verifier_pop(v, types[0], NULL))
        return false;
    v->current.stack_size += 2;
    return verifier_pop_types(v, types, 2);
}

/* Pops the values that a row of the opcode table lists. */
static bool
pop_letters(struct verifier *v, const char *letters)
{
    struct vtype types[2];

    for (size_t i = strlen(letters); i > 0; i--) {
        unsigned count = vtypes_of_kind(vkind_of_letter(letters[i - 1]), types);

        if (count == 2 ? !pop_wide(v, types) : !verifier_pop(v, types[0], NULL))
            return false;
    }
    return true;
}

/* Pushes a value by its letter in the opcode table, which is NUL if there is none. */
static bool
push_letter(struct verifier *v, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (letter == '\0')
        return true;
    /* Unless both slots fit, none is pushed, because the message shows the operands. */
    if (v->current.stack_size + count > v->m->max_stack)
        return verifier_fail_overflow(v);
    return verifier_push_types(v, types, count);
}

/* Refuses an instruction whose local does not exist.  Returns false. */
static bool
fail_local(struct verifier *v, uint32_t index, const char *message)
{
    return verifier_fail_at(v, FAULT_LOCAL_INDEX, index, "%s", message);
}

/* Checks that a local is assignable to `want`. */
static bool
check_local(struct verifier *v, uint32_t index, struct vtype want)
{
    struct vorigin found = { FROM_LOCALS, index, v->current.locals[index],
                             &v->current };

    return verifier_require(v, found, vorigin_of(FROM_CONTEXT, 0, want), false,
                            "Bad local variable type");
}

/* The load instructions; the letter is that of the type.  What aload pushes is the
   type that the local has, as the letter A stands for any reference. */
static bool
load(struct verifier *v, const struct instruction *in, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 2) {
        if (in->index + 1u >= v->current.locals_size)
            return fail_local(v, in->index, "get long/double overflows locals");
        if (!check_local(v, in->index, types[0])
            || !check_local(v, in->index + 1u, types[1]))
            return false;
    } else {
        if (in->index >= v->m->max_locals)
            return fail_local(v, in->index, "Local variable table overflow");
        if (!check_local(v, in->index, types[0]))
            return false;
        types[0] = v->current.locals[in->index];
    }
    return verifier_push_types(v, types, count);
}

/* If the local at index is one slot of a long or double, its other slot becomes V_TOP,
   since the local is about to be overwritten (JVMS 4.10.1.7, modifyLocalVariable). */
static void
invalidate_halves(struct vframe *f, uint32_t max, uint32_t index)
{
    enum vkind kind = f->locals[index].kind;

    if (vkind_is_wide(kind) && index + 1 < max)
        f->locals[index + 1] = vtype_of(V_TOP);
    if (vkind_is_upper(kind) && index > 0)
        f->locals[index - 1] = vtype_of(V_TOP);
}

/* Applies a store of the type that the letter names to the current frame: pops it into
   the local.  False when the method is refused. */
static bool
store(struct verifier *v, const struct instruction *in, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 1 ? !verifier_pop(v, types[0], &types[0]) : !pop_wide(v, types))
        return false;
    if (in->index + count > v->m->max_locals)
        return fail_local(v, in->index, "Local variable table overflow");
    for (unsigned i = 0; i < count; i++)
        invalidate_halves(&v->current, v->m->max_locals, in->index + i);
    for (unsigned i = 0; i < count; i++)
        v->current.locals[in->index + i] = types[i];
    if (in->index + count > v->current.locals_size)
        v->current.locals_size = in->index + count;
    v->locals_changed = true;
    return true;
}

/* iinc: the local is an int and stays one. */
static bool
increment(struct verifier *v, const struct instruction *in)
{
    if (in->index >= v->m->max_locals)
        return fail_local(v, in->index, "Local variable table overflow");
    return check_local(v, in->index, vtype_of(V_INT));
}

/* The type of array that an array instruction works on: "" stands for any array of
   references, NULL for an array of boolean or byte. */
static const char *
wanted_array(uint8_t opcode)
{
    static const char *const names[] = { "[I", "[J", "[F", "[D", "", NULL, "[C", "[S" };

    return names[opcode <= OP_saload ? opcode - OP_iaload : opcode - OP_iastore];
}

/* Pops an array of the type that the opcode works on; null will do.  *array becomes its
   type.  An error names the type that was wanted, unless there are two (boolean and
   byte). */
static bool
pop_array(struct verifier *v, uint8_t opcode, struct vtype *array)
{
    const char *want = wanted_array(opcode), *name;
    struct vorigin wanted = { 0 };
    bool good;

    if (!verifier_pop(v, vtype_of(V_ANY_REFERENCE), array))
        return false;
    if (array->kind == V_NULL)
        return true;
    name = array->kind == V_OBJECT ? array->name->bytes : "";
    if (!want)
        good = strcmp(name, "[Z") == 0 || strcmp(name, "[B") == 0;
    else if (want[0] == '\0')
        good = name[0] == '[' && (name[1] == 'L' || name[1] == '[');
    else
        good = strcmp(name, want) == 0;
    if (good)
        return true;
    if (want)
        wanted = vorigin_of(FROM_CONTEXT, 0,
                            want[0] == '\0' ? vtype_of(V_ANY_REFERENCE)
                                            : vtype_object(symbol_of(want)));
    return verifier_fail_type(v, verifier_popped(v), wanted,
                              "Bad type on operand stack in %s",
                              opcode_table[opcode].name);
}

/* iaload to saload: pops index and array, and pushes the element.  For aaload
   that of null is null, as nothing more is known of it. */
static bool
array_load(struct verifier *v, uint8_t opcode)
{
    struct vtype array, element;

    if (!verifier_pop(v, vtype_of(V_INT), NULL) || !pop_array(v, opcode, &array))
        return false;
    if (opcode != OP_aaload)
        return push_letter(v, opcode_table[opcode].pushes[0]);
    if (array.kind == V_NULL)
        return verifier_push(v, array);
    return vtype_of_component(v, array.name, &element) && verifier_push(v, element);
}

/* iastore to sastore: pops value, index and array.  In the opcode table the value is
   the letter behind those of the array and the index. */
static bool
array_store(struct verifier *v, uint8_t opcode)
{
    struct vtype array;

    /* Whether the element fits into the array is checked at run time (JVMS 4.10.1.9,
       aastore). */
    if (opcode == OP_aastore ? !verifier_pop(v, vtype_object(v->object), NULL)
                             : !pop_letters(v, opcode_table[opcode].pops + 2))
        return false;
    return verifier_pop(v, vtype_of(V_INT), NULL) && pop_array(v, opcode, &array);
}

/* Pops two slots, which are one long or double or two other values; the type of the
   slot on top tells which.  types[0] becomes that type, types[1] the one below. */
static bool
pop_pair(struct verifier *v, struct vtype types[2])
{
    const struct vtype one = vtype_of(V_ANY_CATEGORY1);
    enum vkind below;

    if (!verifier_pop(v, vtype_of(V_TOP), &types[0]))
        return false;
    below = vkind_is_upper(types[0].kind) ? V_ANY_CATEGORY2 : V_ANY_CATEGORY1;
    if (below == V_ANY_CATEGORY1 && !vtype_assignable(v, &types[0], &one, false))
        return verifier_fail_type(v, verifier_popped(v), (struct vorigin){ 0 },
                                  "Bad type on operand stack in %s",
                                  opcode_table[v->m->code[v->current.bci]].name);
    return verifier_pop(v, vtype_of(below), &types[1]);
}

/* pop, dup, swap and the others like them (opcode_shuffles).  All slots are popped
   first, from the top of the stack down; the table counts them from the bottom up. */
static bool
shuffle(struct verifier *v, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    /* The slots that are popped, from the top of the stack down. */
    struct vtype slots[4], *next = slots;

    for (const char *g = s->groups; *g != '\0'; next += *g++ - '0')
        if (*g == '1' ? !verifier_pop(v, vtype_of(V_ANY_CATEGORY1), next)
                      : !pop_pair(v, next))
            return false;
    for (unsigned i = 0; i < s->pushes; i++)
        if (!verifier_push(v, slots[s->pops - 1 - s->from[i]]))
            return false;
    return true;
}

/* ldc, ldc_w and ldc2_w. */
static bool
push_constant(struct verifier *v, const struct instruction *in)
{
    const uint32_t wide = 1u << CF_LONG | 1u << CF_DOUBLE;
    const uint32_t narrow = 1u << CF_INTEGER | 1u << CF_FLOAT | 1u << CF_STRING
                            | 1u << CF_CLASS | 1u << CF_METHOD_HANDLE
                            | 1u << CF_METHOD_TYPE;
    uint32_t tags = in->opcode == OP_ldc2_w ? wide : narrow;
    struct descriptor_type type;
    struct vtype types[2];
    unsigned count;

    if (!verifier_check_constant(v, in->index, tags | 1u << CF_DYNAMIC))
        return false;
    if (!descriptor_field(cf_constant_type(v->cf, in->index), &type))
        return verifier_fail_code(v, "Bad descriptor of a dynamic constant");
    count = vtype_of_descriptor(v, &type, types);
    if (v->result->status != VERIFY_OK)
        return false;
    /* A dynamic constant has the wrong size for the instruction.  This call fails: the
       tag is not among `wide`. */
    if ((count == 2) != (in->opcode == OP_ldc2_w))
        return verifier_check_constant(v, in->index, wide);
    return verifier_push_types(v, types, count);
}

/* Checks the padding of a switch: class files below version 51 must have zeros there,
   as the JVMS demanded up to Java 6. */
static bool
check_padding(struct verifier *v, const struct instruction *in)
{
    if (v->cf->major >= VERSION_METHOD_HANDLES)
        return true;
    for (uint32_t at = in->bci + 1; at % 4 != 0; at++)
        if (v->m->code[at] != 0)
            return verifier_fail_code(v, "Nonzero padding byte in lookupswitch or "
                                         "tableswitch");
    return true;
}

/* tableswitch and lookupswitch.  The keys of a lookupswitch must ascend (JVMS
   4.9.1). */
static bool
verify_switch(struct verifier *v, const struct instruction *in)
{
    if (!check_padding(v, in) || !verifier_pop(v, vtype_of(V_INT), NULL))
        return false;
    for (uint32_t i = 1; in->opcode == OP_lookupswitch && i < in->case_count; i++)
        if (opcode_case_key(in, i - 1) >= opcode_case_key(in, i))
            return verifier_fail_code(v, "Bad lookupswitch instruction");
    return stackmap_check_targets(v, in);
}

/* return: only in a method that returns nothing, and in a constructor only when `this`
   is initialized (JVMS 4.10.1.9, return). */
static bool
return_void(struct verifier *v)
{
    if (v->return_type.kind != V_TOP)
        return verifier_fail_code(v, "Method expects a return value");
    if (v->m->name == v->init && v->current.this_uninit)
        return verifier_fail_code(v, "Constructor must call super() or this() before "
                                     "return");
    return true;
}

/* ireturn to areturn: the value, whose type the letter names, must be assignable to the
   method's return type. */
static bool
return_value(struct verifier *v, char letter)
{
    struct vorigin wanted = { .kind = FROM_SIGNATURE, .type = v->return_type };
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 2 && !verifier_pop(v, types[1], NULL))
        return false;
    if (!verifier_pop(v, types[0], &types[0]))
        return false;
    if (v->return_type.kind == V_TOP)
        return verifier_fail_type(v, verifier_popped(v), wanted,
                                  "Method does not expect a return value");
    return verifier_require(v, verifier_popped(v), wanted, false, "Bad return type");
}

/* new pushes an uninitialized type, which is told from others by the bci of the new;
   verify_init finds the class again by it.  That the frame before has no such type
   (JVMS 4.10.1.9, new) is not checked, as no reachable frame can have it: nothing else
   makes it, so it is not there when control comes here first. */
static bool
verify_new(struct verifier *v, const struct instruction *in)
{
    struct vtype type;

    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS))
        return false;
    type = vtype_object(cf_name(v->cf, in->index));
    if (vtype_is_array(&type))
        return verifier_fail_type(v, vorigin_of(FROM_POOL, in->index, type),
                                  (struct vorigin){ 0 }, "Illegal new instruction");
    return verifier_push(v, (struct vtype){ V_UNINITIALIZED, in->bci, NULL });
}

/* newarray: the operand is the element's type, 4 to 11 (JVMS table 6.5.newarray-A). */
static bool
verify_newarray(struct verifier *v, const struct instruction *in)
{
    static const char *const names[] = {
        "[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"
    };

    if (in->operand < 4 || in->operand > 11)
        return verifier_fail_code(v, "Illegal newarray instruction");
    return verifier_pop(v, vtype_of(V_INT), NULL)
           && verifier_push(v, vtype_object(symbol_of(names[in->operand - 4])));
}

/* anewarray: pushes the type of an array of the class or array that the constant names,
   by making the array's name: "[Ljava/lang/String;" or "[[I".  It may have 255
   dimensions at most (JVMS 4.9.1). */
static bool
verify_anewarray(struct verifier *v, const struct instruction *in)
{
    const struct symbol *element, *array;
    size_t length;
    char *text;

    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS)
        || !verifier_pop(v, vtype_of(V_INT), NULL))
        return false;
    element = cf_name(v->cf, in->index);
    length = element->length + 1u + 2 * (element->bytes[0] != '[');
    if (strspn(element->bytes, "[") >= 255)
        return verifier_fail_code(v, "Illegal anewarray instruction, array has more "
                                     "than 255 dimensions");
    if (length > SYMBOL_MAX_LENGTH)
        return verifier_fail_code(v, "Illegal anewarray instruction, name is too long");
    text = verifier_alloc(v, length + 1, 1);
    if (!text)
        return false;
    snprintf(text, length + 1, element->bytes[0] == '[' ? "[%s" : "[L%s;",
             element->bytes);
    array = symbol_try_intern(text, length);
    if (!array)
        return verifier_no_memory(v);
    return verifier_push(v, vtype_object(array));
}

/* multianewarray: pops the lengths of so many dimensions as the operand says, at least
   one and no more than the array has. */
static bool
verify_multianewarray(struct verifier *v, const struct instruction *in)
{
    struct vtype type;

    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS))
        return false;
    type = vtype_object(cf_name(v->cf, in->index));
    if (!vtype_is_array(&type))
        return verifier_fail_type(v, vorigin_of(FROM_POOL, in->index, type),
                                  (struct vorigin){ 0 },
                                  "Illegal constant pool index in "
                                  "multianewarray instruction");
    if (in->operand < 1 || strspn(type.name->bytes, "[") < (size_t)in->operand)
        return verifier_fail_code(v,
                                  "Illegal dimension in multianewarray instruction: "
                                  "%d",
                                  in->operand);
    for (int i = 0; i < in->operand; i++)
        if (!verifier_pop(v, vtype_of(V_INT), NULL))
            return false;
    return verifier_push(v, type);
}

/* checkcast and instanceof: any initialized reference may be tested. */
static bool
verify_cast(struct verifier *v, const struct instruction *in)
{
    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS)
        || !verifier_pop(v, vtype_object(v->object), NULL))
        return false;
    if (in->opcode == OP_instanceof)
        return push_letter(v, 'I');
    return verifier_push(v, vtype_object(cf_name(v->cf, in->index)));
}

/* arraylength: pops an array of any type, or null. */
static bool
verify_arraylength(struct verifier *v)
{
    struct vtype type;

    if (!verifier_pop(v, vtype_of(V_ANY_REFERENCE), &type))
        return false;
    if (type.kind != V_NULL && !vtype_is_array(&type))
        return verifier_fail_type(v, verifier_popped(v), (struct vorigin){ 0 },
                                  "Bad type on operand stack in arraylength");
    return push_letter(v, 'I');
}

/* Does what the row of the opcode table says, and checks the targets of a jump. */
static bool
verify_by_table(struct verifier *v, const struct instruction *in)
{
    const struct opcode_info *info = &opcode_table[in->opcode];

    return pop_letters(v, info->pops) && push_letter(v, info->pushes[0])
           && stackmap_check_targets(v, in);
}

bool
verify_instruction(struct verifier *v, const struct instruction *in, bool *this_uninit)
{
    const struct opcode_info *info = &opcode_table[in->opcode];
    uint8_t op = in->opcode;

    if (opcode_is_load(op))
        return load(v, in, info->pushes[0]);
    if (opcode_is_store(op))
        return store(v, in, info->pops[0]);
    if (op >= OP_iaload && op <= OP_saload)
        return array_load(v, op);
    if (op >= OP_iastore && op <= OP_sastore)
        return array_store(v, op);
    if (op >= OP_pop && op <= OP_swap)
        return shuffle(v, op);
    if (op >= OP_ireturn && op <= OP_areturn)
        return return_value(v, info->pops[0]);
    if (op >= OP_ldc && op <= OP_ldc2_w)
        return push_constant(v, in);
    if (op >= OP_getstatic && op <= OP_putfield)
        return verify_field(v, in);
    if (op >= OP_invokevirtual && op <= OP_invokedynamic)
        return verify_invoke(v, in, this_uninit);
    switch (op) {
    case OP_aconst_null: return verifier_push(v, vtype_of(V_NULL));
    case OP_iinc: return increment(v, in);
    case OP_new: return verify_new(v, in);
    case OP_newarray: return verify_newarray(v, in);
    case OP_anewarray: return verify_anewarray(v, in);
    case OP_multianewarray: return verify_multianewarray(v, in);
    case OP_arraylength: return verify_arraylength(v);
    case OP_athrow: return verifier_pop(v, vtype_object(v->throwable), NULL);
    case OP_checkcast:
    case OP_instanceof: return verify_cast(v, in);
    case OP_tableswitch:
    case OP_lookupswitch: return verify_switch(v, in);
    case OP_return: return return_void(v);
    case OP_jsr:
    case OP_jsr_w:
    case OP_ret: return verifier_fail_code(v, "Bad instruction: %02x", op);
    default: return verify_by_table(v, in);
    }
}
