/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verify_member.c -- field access and calls (JVMS 4.10.1.9). */

#include "base/bytes.h"
#include "classfile/parse.h"
#include "classfile/verifier.h"

bool
verifier_check_constant(struct verifier *v, unsigned index, uint32_t tags)
{
    if (index == 0 || index >= v->cf->cp_count)
        return verifier_fail_at(v, FAULT_CP_INDEX, index,
                                "Illegal constant pool index %u in class %s", index,
                                v->class_name);
    if ((tags >> v->cf->tags[index] & 1) == 0)
        return verifier_fail_at(v, FAULT_CP_INDEX, index,
                                "Illegal type at constant pool entry %u in class %s",
                                index, v->class_name);
    return true;
}

static struct vtype
this_type(const struct verifier *v)
{
    return vtype_object(v->cf->this_class);
}

/*
 * When the member is a protected one of a superclass in another package, the
 * object must be of this class (JVMS 4.10.1.8).
 */
static bool
check_protected(struct verifier *v, const struct cf_member *member, bool is_field,
                struct vorigin object, const char *message)
{
    struct vorigin self = vorigin_of(FROM_CONTEXT, 0, this_type(v));
    int answer = v->hooks->protected_elsewhere(v->hooks->context, member->class_name,
                                               member->name, member->descriptor,
                                               is_field);

    if (answer < 0)
        v->result->status = VERIFY_FAILED;
    return answer == 0 ||
           (answer > 0 && verifier_require(v, object, self, true, message));
}

static bool
check_receiver(struct verifier *v, const struct cf_member *member, bool is_field,
               const struct vtype *receiver, const char *message)
{
    struct vtype self = this_type(v);

    if (vtype_equals(receiver, &self) || member->class_name->bytes[0] == '[')
        return true;
    /* Arrays have a public clone of their own. */
    if (!is_field && member->class_name == v->object && member->name == v->clone &&
        vtype_is_array(receiver))
        return true;
    return check_protected(v, member, is_field, verifier_top(v), message);
}

static bool
is_own_field(const struct verifier *v, const struct cf_member *member)
{
    return member->class_name == v->cf->this_class &&
           cf_find_field(v->cf, member->name, member->descriptor) != NULL;
}

/* A constructor may set its own class's fields before it calls super(). */
static bool
pop_putfield_receiver(struct verifier *v, const struct instruction *in,
                      const struct cf_member *member, struct vtype *receiver)
{
    struct vtype wanted = vtype_object(member->class_name);
    struct vorigin found;

    if (!verifier_pop(v, vtype_of(V_TOP), receiver))
        return false;
    if (receiver->kind == V_UNINITIALIZED_THIS && is_own_field(v, member))
        *receiver = this_type(v);
    found = verifier_top(v);
    found.type = *receiver;
    return verifier_require(v, found, vorigin_of(FROM_POOL, in->index, wanted), false,
                            "Bad type on operand stack in putfield");
}

bool
verify_field(struct verifier *v, const struct instruction *in)
{
    bool is_static = in->opcode == OP_getstatic || in->opcode == OP_putstatic;
    bool put = in->opcode == OP_putstatic || in->opcode == OP_putfield;
    struct vtype types[2], receiver, holder;
    struct descriptor_type descriptor;
    struct cf_member member;
    unsigned count;

    if (!verifier_check_constant(v, in->index, 1u << CF_FIELDREF))
        return false;
    member = cf_member(v->cf, in->index);
    holder = vtype_object(member.class_name);
    if (!is_static && vtype_is_array(&holder))
        return verifier_fail_type(v, vorigin_of(FROM_POOL, in->index, holder),
                                  (struct vorigin){ 0 }, "Expecting reference to class "
                                  "in class %s at constant pool index %u",
                                  v->class_name, in->index);
    if (!descriptor_field(member.descriptor, &descriptor))
        return verifier_fail_code(v, "Bad field descriptor");
    count = vtype_of_descriptor(v, &descriptor, types);
    if (v->result->status != VERIFY_OK || (put && !verifier_pop_types(v, types, count)))
        return false;
    if (!is_static && !(put ? pop_putfield_receiver(v, in, &member, &receiver)
                            : verifier_pop(v, holder, &receiver)))
        return false;
    if (!is_static && !check_receiver(v, &member, true, &receiver,
                                      put ? "Bad access to protected data in putfield"
                                          : "Bad access to protected data in getfield"))
        return false;
    return put || verifier_push_types(v, types, count);
}

/* A search over the code: next[bci] is not 0 when bci has been seen, and what is still
   to be looked at is a list from top on, by bci + 1, until beyond the code. */
struct search {
    uint32_t *next, top;
};

static void
visit(const struct verifier *v, struct search *s, int64_t bci)
{
    if (bci < 0 || bci >= v->m->code_length || s->next[bci] != 0)
        return;
    s->next[bci] = s->top;
    s->top = (uint32_t)bci + 1;
}

static void
visit_successors(const struct verifier *v, struct search *s,
                 const struct instruction *in)
{
    for (uint32_t i = 0; i < opcode_target_count(in); i++)
        visit(v, s, opcode_target(in, i));
    if (opcode_falls_through(in->opcode))
        visit(v, s, (int64_t)in->bci + in->length);
    for (unsigned i = 0; i < v->m->handler_count; i++)
        if (in->bci >= v->m->handlers[i].start_pc && in->bci < v->m->handlers[i].end_pc)
            visit(v, s, v->m->handlers[i].handler_pc);
}

/* Whether no path from bci leads to a return: then an exception out of the call to
   super() never hands out an object half made.  -1 without memory. */
static int
never_returns(struct verifier *v, uint32_t bci)
{
    struct search s = { verifier_alloc(v, v->m->code_length, sizeof *s.next),
                        v->m->code_length + 1 };
    struct instruction in;

    if (s.next == NULL)
        return -1;
    visit(v, &s, bci);
    while (s.top <= v->m->code_length) {
        uint32_t at = s.top - 1;

        s.top = s.next[at];
        /* A bad target is reported when its instruction is looked at. */
        if (v->starts[at] == 0 ||
            !opcode_decode(v->m->code, v->m->code_length, at, &in))
            continue;
        if (in.opcode == OP_return)
            return 0;
        visit_successors(v, &s, &in);
    }
    return 1;
}

static bool
check_handlers_throw(struct verifier *v)
{
    for (unsigned i = 0; i < v->m->handler_count; i++) {
        const struct cf_handler *h = &v->m->handlers[i];
        int never = 1;

        if (v->now.bci >= h->start_pc && v->now.bci < h->end_pc)
            never = never_returns(v, h->handler_pc);
        if (never == 0)
            verifier_fail_code(v, "Bad <init> method call from after the start of a "
                               "try block");
        if (never <= 0)
            return false;
    }
    return true;
}

/* Every copy of old is initialized now. */
static void
replace_type(struct verifier *v, struct vtype old, struct vtype new)
{
    for (uint32_t i = 0; i < v->m->max_locals; i++)
        if (vtype_equals(&v->now.locals[i], &old))
            v->now.locals[i] = new;
    for (uint32_t i = 0; i < v->now.stack_size; i++)
        if (vtype_equals(&v->now.stack[i], &old))
            v->now.stack[i] = new;
    v->locals_changed = true;
    if (old.kind == V_UNINITIALIZED_THIS)
        v->now.this_uninit = false;
}

/* super() or this(). */
static bool
init_this(struct verifier *v, const struct cf_member *member, struct vtype type)
{
    struct vtype self = this_type(v), target = vtype_object(member->class_name);

    if (member->class_name != v->cf->this_class &&
        member->class_name != v->cf->super_class)
        return verifier_fail_type(v, vorigin_of(FROM_CONTEXT, 0, target),
                                  vorigin_of(FROM_CONTEXT, 0, self),
                                  "Bad <init> method call");
    if (!check_handlers_throw(v) || !verifier_check_handlers(v, true))
        return false;
    replace_type(v, type, self);
    return true;
}

/* The constructor of an object that new made. */
static bool
init_new(struct verifier *v, const struct instruction *in,
         const struct cf_member *member, struct vtype type)
{
    unsigned index = get_u2(v->m->code + type.bci + 1);
    struct vtype made;

    if (!verifier_check_constant(v, index, 1u << CF_CLASS))
        return false;
    made = vtype_object(cf_name(v->cf, index));
    if (made.name != member->class_name)
        return verifier_fail_type(v, vorigin_of(FROM_POOL, index, made),
                                  vorigin_of(FROM_POOL, in->index,
                                             vtype_object(member->class_name)),
                                  "Call to wrong <init> method");
    if (!check_protected(v, member, false, vorigin_of(FROM_POOL, index, made),
                         "Bad access to protected <init> method"))
        return false;
    if (!verifier_check_handlers(v, false))
        return false;
    replace_type(v, type, made);
    return true;
}

static bool
verify_init(struct verifier *v, const struct instruction *in,
            const struct cf_member *member, bool *this_uninit)
{
    struct vtype type;

    if (!verifier_pop(v, vtype_of(V_ANY_REFERENCE), &type))
        return false;
    if (type.kind == V_UNINITIALIZED_THIS) {
        *this_uninit = true;
        return init_this(v, member, type);
    }
    if (type.kind == V_UNINITIALIZED)
        return init_new(v, in, member, type);
    return verifier_fail_type(v, verifier_top(v), (struct vorigin){ 0 },
                              "Bad operand type when invoking <init>");
}

/* Which constants the instruction may name (JVMS 6.5). */
static uint32_t
invoke_tags(const struct verifier *v, uint8_t opcode)
{
    if (opcode == OP_invokeinterface)
        return 1u << CF_INTERFACE_METHODREF;
    if (opcode == OP_invokedynamic)
        return 1u << CF_INVOKE_DYNAMIC;
    if (opcode != OP_invokevirtual && v->cf->major >= VERSION_INTERFACE_CODE)
        return 1u << CF_METHODREF | 1u << CF_INTERFACE_METHODREF;
    return 1u << CF_METHODREF;
}

/* The operand bytes behind the index. */
static bool
check_operands(struct verifier *v, const struct instruction *in, int arg_slots)
{
    const uint8_t *code = v->m->code + in->bci;

    if (in->opcode == OP_invokeinterface) {
        if (code[3] != arg_slots + 1)
            return verifier_fail_code(v, "Inconsistent args count operand in "
                                      "invokeinterface");
        if (code[4] != 0)
            return verifier_fail_code(v, "Fourth operand byte of invokeinterface must "
                                      "be zero");
    }
    if (in->opcode == OP_invokedynamic && (code[3] != 0 || code[4] != 0))
        return verifier_fail_code(v, "Third and fourth operand bytes of invokedynamic "
                                  "must be zero");
    return true;
}

/* invokespecial may call this class, its super class and its own interfaces. */
static bool
check_special(struct verifier *v, const struct instruction *in,
              const struct cf_member *member)
{
    struct vtype self = this_type(v), target = vtype_object(member->class_name);
    int fits;

    if (member->class_name == v->cf->this_class ||
        member->class_name == v->cf->super_class)
        return true;
    for (unsigned i = 0; i < v->cf->interface_count; i++)
        if (cf_name(v->cf, v->cf->interfaces[i]) == member->class_name)
            return true;
    fits = vtype_assignable(v, &self, &target, false);
    if (fits == 0)
        return verifier_fail_code(v, "Bad invokespecial instruction: current class "
                                  "isn't assignable to reference class.");
    if (fits > 0 && v->cf->tags[in->index] == CF_INTERFACE_METHODREF)
        return verifier_fail_code(v, "Bad invokespecial instruction: interface method "
                                  "reference is in an indirect superinterface.");
    return fits > 0;
}

static bool
check_callee(struct verifier *v, const struct instruction *in,
             const struct cf_member *member)
{
    if (member->name->bytes[0] == '<') {
        if (in->opcode != OP_invokespecial || member->name != v->init)
            return verifier_fail_code(v, "Illegal call to internal method");
        return true;
    }
    return in->opcode != OP_invokespecial || check_special(v, in, member);
}

/* The arguments, last first. */
static bool
pop_arguments(struct verifier *v, const struct symbol *descriptor, int slots)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct vtype few[24], *types = few;
    struct descriptor_type type;
    unsigned count = 0;

    if ((size_t)slots > sizeof few / sizeof few[0])
        types = verifier_alloc(v, (size_t)slots, sizeof *types);
    if (types == NULL)
        return false;
    while (descriptor_next(&it, &type))
        count += vtype_of_descriptor(v, &type, types + count);
    return v->result->status == VERIFY_OK && verifier_pop_types(v, types, count);
}

static bool
pop_receiver(struct verifier *v, const struct instruction *in,
             const struct cf_member *member, bool *this_uninit)
{
    struct vtype receiver;

    if (member->name == v->init)
        return verify_init(v, in, member, this_uninit);
    if (in->opcode == OP_invokespecial)
        return verifier_pop(v, this_type(v), NULL);
    return verifier_pop(v, vtype_object(member->class_name), &receiver) &&
           (in->opcode != OP_invokevirtual ||
            check_receiver(v, member, false, &receiver,
                           "Bad access to protected data in invokevirtual"));
}

bool
verify_invoke(struct verifier *v, const struct instruction *in, bool *this_uninit)
{
    struct descriptor_type result;
    struct cf_member member;
    struct vtype types[2];
    unsigned count;
    int slots;

    if (!verifier_check_constant(v, in->index, invoke_tags(v, in->opcode)))
        return false;
    member = cf_member(v->cf, in->index);
    slots = descriptor_arg_slots(member.descriptor);
    if (slots < 0 || !descriptor_return(member.descriptor, &result))
        return verifier_fail_code(v, "Bad method descriptor");
    if (!check_operands(v, in, slots) || !check_callee(v, in, &member) ||
        !pop_arguments(v, member.descriptor, slots))
        return false;
    if (in->opcode != OP_invokestatic && in->opcode != OP_invokedynamic &&
        !pop_receiver(v, in, &member, this_uninit))
        return false;
    count = vtype_of_descriptor(v, &result, types);
    return v->result->status == VERIFY_OK && verifier_push_types(v, types, count);
}
