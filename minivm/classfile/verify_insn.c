/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verify_insn.c -- the instructions one by one (JVMS 4.10.1.9). */

#include <stdio.h>
#include <string.h>

#include "classfile/parse.h"
#include "classfile/verifier.h"

/* Both halves of a long or double at once, and the lower one is complained about. */
static bool
pop_wide(struct verifier *v, const struct vtype types[2])
{
    v->now.stack_size -= v->now.stack_size > 0;
    if (!verifier_pop(v, types[0], NULL))
        return false;
    v->now.stack_size += 2;
    return verifier_pop_types(v, types, 2);
}

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

static bool
push_letter(struct verifier *v, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (letter == '\0')
        return true;
    /* Both halves fit or none is pushed: the message shows the operands. */
    if (v->now.stack_size + count > v->m->max_stack)
        return verifier_fail_overflow(v);
    return verifier_push_types(v, types, count);
}

static bool
fail_local(struct verifier *v, uint32_t index, const char *message)
{
    return verifier_fail_at(v, FAULT_LOCAL_INDEX, index, "%s", message);
}

static bool
check_local(struct verifier *v, uint32_t index, struct vtype want)
{
    struct vorigin found = { FROM_LOCALS, index, v->now.locals[index], &v->now };

    return verifier_require(v, found, vorigin_of(FROM_CONTEXT, 0, want), false,
                            "Bad local variable type");
}

static bool
load(struct verifier *v, const struct instruction *in, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 2) {
        if (in->index + 1u >= v->now.locals_size)
            return fail_local(v, in->index, "get long/double overflows locals");
        if (!check_local(v, in->index, types[0]) ||
            !check_local(v, in->index + 1u, types[1]))
            return false;
    } else {
        if (in->index >= v->m->max_locals)
            return fail_local(v, in->index, "Local variable table overflow");
        if (!check_local(v, in->index, types[0]))
            return false;
        if (in->index >= v->now.locals_size)
            v->now.locals_size = in->index + 1u;
        types[0] = v->now.locals[in->index];
    }
    return verifier_push_types(v, types, count);
}

/* A half whose other half is overwritten is of no use any more. */
static void
spoil_halves(struct vframe *f, uint32_t max, uint32_t index)
{
    enum vkind kind = f->locals[index].kind;

    if (vkind_is_wide(kind) && index + 1 < max)
        f->locals[index + 1] = vtype_of(V_TOP);
    if (vkind_is_upper(kind) && index > 0)
        f->locals[index - 1] = vtype_of(V_TOP);
}

static bool
store(struct verifier *v, const struct instruction *in, char letter)
{
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 1 ? !verifier_pop(v, types[0], &types[0])
                   : !pop_wide(v, types))
        return false;
    if (in->index + count > v->m->max_locals)
        return fail_local(v, in->index, "Local variable table overflow");
    for (unsigned i = 0; i < count; i++)
        spoil_halves(&v->now, v->m->max_locals, in->index + i);
    for (unsigned i = 0; i < count; i++)
        v->now.locals[in->index + i] = types[i];
    if (in->index + count > v->now.locals_size)
        v->now.locals_size = in->index + count;
    v->locals_changed = true;
    return true;
}

static bool
increment(struct verifier *v, const struct instruction *in)
{
    if (in->index >= v->m->max_locals)
        return fail_local(v, in->index, "Local variable table overflow");
    return check_local(v, in->index, vtype_of(V_INT));
}

/* The type of array that an array instruction wants; "" for any of references,
   NULL for boolean or byte. */
static const char *
wanted_array(uint8_t opcode)
{
    static const char *const names[] = { "[I", "[J", "[F", "[D", "", NULL, "[C", "[S" };

    return names[opcode <= OP_saload ? opcode - OP_iaload : opcode - OP_iastore];
}

/* Pop an array, as the opcode wants it. */
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
    if (want == NULL)
        good = strcmp(name, "[Z") == 0 || strcmp(name, "[B") == 0;
    else if (want[0] == '\0')
        good = name[0] == '[' && (name[1] == 'L' || name[1] == '[');
    else
        good = strcmp(name, want) == 0;
    if (good)
        return true;
    if (want != NULL)
        wanted = vorigin_of(FROM_CONTEXT, 0,
                            want[0] == '\0' ? vtype_of(V_ANY_REFERENCE)
                                            : vtype_object(symbol_of(want)));
    return verifier_fail_type(v, verifier_top(v), wanted,
                              "Bad type on operand stack in %s",
                              opcode_table[opcode].name);
}

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

static bool
array_store(struct verifier *v, uint8_t opcode)
{
    struct vtype array;

    /* What the array takes is checked when it happens (JVMS 4.10.1.9 aastore). */
    if (opcode == OP_aastore ? !verifier_pop(v, vtype_object(v->object), NULL)
                             : !pop_letters(v, opcode_table[opcode].pops + 2))
        return false;
    return verifier_pop(v, vtype_of(V_INT), NULL) && pop_array(v, opcode, &array);
}

/* Pop two slots, of one value or of two; types[0] was on top. */
static bool
pop_pair(struct verifier *v, struct vtype types[2])
{
    const struct vtype one = vtype_of(V_ANY_CATEGORY1);
    enum vkind below;

    if (!verifier_pop(v, vtype_of(V_TOP), &types[0]))
        return false;
    below = vkind_is_upper(types[0].kind) ? V_ANY_CATEGORY2 : V_ANY_CATEGORY1;
    if (below == V_ANY_CATEGORY1 && !vtype_assignable(v, &types[0], &one, false))
        return verifier_fail_type(v, verifier_top(v), (struct vorigin){ 0 },
                                  "Bad type on operand stack in %s",
                                  opcode_table[v->m->code[v->now.bci]].name);
    return verifier_pop(v, vtype_of(below), &types[1]);
}

static bool
shuffle(struct verifier *v, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    struct vtype slots[4], *next = slots; /* from the top down */

    for (const char *g = s->groups; *g != '\0'; next += *g++ - '0')
        if (*g == '1' ? !verifier_pop(v, vtype_of(V_ANY_CATEGORY1), next)
                      : !pop_pair(v, next))
            return false;
    for (unsigned i = 0; i < s->leaves; i++)
        if (!verifier_push(v, slots[s->takes - 1 - s->from[i]]))
            return false;
    return true;
}

static bool
push_constant(struct verifier *v, const struct instruction *in)
{
    const uint32_t wide = 1u << CF_LONG | 1u << CF_DOUBLE;
    const uint32_t narrow = 1u << CF_INTEGER | 1u << CF_FLOAT | 1u << CF_STRING |
                            1u << CF_CLASS | 1u << CF_METHOD_HANDLE |
                            1u << CF_METHOD_TYPE;
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
    /* A dynamic constant of the other size. */
    if ((count == 2) != (in->opcode == OP_ldc2_w))
        return verifier_check_constant(v, in->index, wide);
    return verifier_push_types(v, types, count);
}

/* Classes below 51 must have zeroes there (JVMS 4.10.1 as of Java 6). */
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

static bool
return_void(struct verifier *v)
{
    if (v->return_type.kind != V_TOP)
        return verifier_fail_code(v, "Method expects a return value");
    if (v->m->name == v->init && v->now.this_uninit)
        return verifier_fail_code(v, "Constructor must call super() or this() before "
                                  "return");
    return true;
}

static bool
return_value(struct verifier *v, char letter)
{
    struct vorigin wanted = { .place = FROM_SIGNATURE, .type = v->return_type };
    struct vtype types[2];
    unsigned count = vtypes_of_kind(vkind_of_letter(letter), types);

    if (count == 2 && !verifier_pop(v, types[1], NULL))
        return false;
    if (!verifier_pop(v, types[0], &types[0]))
        return false;
    if (v->return_type.kind == V_TOP)
        return verifier_fail_type(v, verifier_top(v), wanted,
                                  "Method does not expect a return value");
    return verifier_require(v, verifier_top(v), wanted, false, "Bad return type");
}

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

static bool
verify_newarray(struct verifier *v, const struct instruction *in)
{
    static const char *const names[] = { "[Z", "[C", "[F", "[D", "[B", "[S", "[I",
                                         "[J" };

    if (in->operand < 4 || in->operand > 11)
        return verifier_fail_code(v, "Illegal newarray instruction");
    return verifier_pop(v, vtype_of(V_INT), NULL) &&
           verifier_push(v, vtype_object(symbol_of(names[in->operand - 4])));
}

static bool
verify_anewarray(struct verifier *v, const struct instruction *in)
{
    const struct symbol *element, *array;
    size_t length;
    char *text;

    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS) ||
        !verifier_pop(v, vtype_of(V_INT), NULL))
        return false;
    element = cf_name(v->cf, in->index);
    length = element->length + 1u + 2 * (element->bytes[0] != '[');
    if (strspn(element->bytes, "[") >= 255)
        return verifier_fail_code(v, "Illegal anewarray instruction, array has more "
                                  "than 255 dimensions");
    if (length > SYMBOL_MAX_LENGTH)
        return verifier_fail_code(v, "Illegal anewarray instruction, name is too long");
    text = verifier_alloc(v, length + 1, 1);
    if (text == NULL)
        return false;
    snprintf(text, length + 1, element->bytes[0] == '[' ? "[%s" : "[L%s;",
             element->bytes);
    array = symbol_try_intern(text, length);
    if (array == NULL)
        return verifier_no_memory(v);
    return verifier_push(v, vtype_object(array));
}

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
        return verifier_fail_code(v, "Illegal dimension in multianewarray instruction: "
                                  "%d", in->operand);
    for (int i = 0; i < in->operand; i++)
        if (!verifier_pop(v, vtype_of(V_INT), NULL))
            return false;
    return verifier_push(v, type);
}

static bool
verify_cast(struct verifier *v, const struct instruction *in)
{
    if (!verifier_check_constant(v, in->index, 1u << CF_CLASS) ||
        !verifier_pop(v, vtype_object(v->object), NULL))
        return false;
    if (in->opcode == OP_instanceof)
        return push_letter(v, 'I');
    return verifier_push(v, vtype_object(cf_name(v->cf, in->index)));
}

static bool
verify_arraylength(struct verifier *v)
{
    struct vtype type;

    if (!verifier_pop(v, vtype_of(V_ANY_REFERENCE), &type))
        return false;
    if (type.kind != V_NULL && !vtype_is_array(&type))
        return verifier_fail_type(v, verifier_top(v), (struct vorigin){ 0 },
                                  "Bad type on operand stack in arraylength");
    return push_letter(v, 'I');
}

/* What the row of the opcode table says. */
static bool
verify_plain(struct verifier *v, const struct instruction *in)
{
    const struct opcode_info *info = &opcode_table[in->opcode];

    return pop_letters(v, info->pops) && push_letter(v, info->pushes[0]) &&
           stackmap_check_targets(v, in);
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
    case OP_aconst_null:
        return verifier_push(v, vtype_of(V_NULL));
    case OP_iinc:
        return increment(v, in);
    case OP_new:
        return verify_new(v, in);
    case OP_newarray:
        return verify_newarray(v, in);
    case OP_anewarray:
        return verify_anewarray(v, in);
    case OP_multianewarray:
        return verify_multianewarray(v, in);
    case OP_arraylength:
        return verify_arraylength(v);
    case OP_athrow:
        return verifier_pop(v, vtype_object(v->throwable), NULL);
    case OP_checkcast:
    case OP_instanceof:
        return verify_cast(v, in);
    case OP_tableswitch:
    case OP_lookupswitch:
        return verify_switch(v, in);
    case OP_return:
        return return_void(v);
    case OP_jsr:
    case OP_jsr_w:
    case OP_ret:
        return verifier_fail_code(v, "Bad instruction: %02x", op);
    default:
        return verify_plain(v, in);
    }
}
