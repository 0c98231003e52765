/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify_member.c -- field access and calls (JVMS 4.10.1.9).
 *
 * verify_field and verify_invoke pop what the descriptor of the member says, then the
 * receiver, and push the result.  A function that returns false has decided the result
 * of the verification (verifier.h).  Two rules make up the rest of the file.
 *
 * A protected member of a superclass in another package may only be used on objects of
 * the class being verified or its subclasses (JVMS 4.10.1.8): check_receiver.
 *
 * Calls of <init> initialize an object: all copies of its uninitialized type in the
 * frame become its class (JVMS 4.10.1.9, invokespecial): verify_init.  A handler that
 * covers a call of super() or this() may see an object that will never be initialized;
 * check_handlers_throw makes sure that such a handler does not return normally.
 */

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

/* Checks that the object has this class, or a subclass, if the member is a protected
   one of a superclass in another package (JVMS 4.10.1.8).  Asks the hook, which knows
   the superclasses. */
static bool
check_protected(struct verifier *v, const struct cf_member *member, bool is_field,
                struct vorigin object, const char *message)
{
    struct vorigin self = vorigin_of(FROM_CONTEXT, 0, this_type(v));
    int is_elsewhere = v->hooks->protected_elsewhere(v->hooks->context,
                                                     member->class_name, member->name,
                                                     member->descriptor, is_field);

    if (is_elsewhere < 0)
        v->result->status = VERIFY_FAILED;
    return is_elsewhere == 0
           || (is_elsewhere > 0 && verifier_require(v, object, self, true, message));
}

/* Checks the receiver of a field access or call, whose type has been popped last. */
static bool
check_receiver(struct verifier *v, const struct cf_member *member, bool is_field,
               const struct vtype *receiver, const char *message)
{
    struct vtype self = this_type(v);

    if (vtype_equals(receiver, &self) || member->class_name->bytes[0] == '[')
        return true;
    /* An array's clone is public (JLS 10.7), though the constant names Object's. */
    if (!is_field && member->class_name == v->object && member->name == v->clone
        && vtype_is_array(receiver))
        return true;
    return check_protected(v, member, is_field, verifier_popped(v), message);
}

/* Returns true if the class being verified itself declares the field. */
static bool
is_own_field(const struct verifier *v, const struct cf_member *member)
{
    return member->class_name == v->cf->this_class
           && cf_find_field(v->cf, member->name, member->descriptor) != NULL;
}

/* Pops the receiver of putfield.  A constructor may set fields of its own class before
   it calls super() (JVMS 4.10.1.9, putfield). */
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
    found = verifier_popped(v);
    found.type = *receiver;
    return verifier_require(v, found, vorigin_of(FROM_POOL, in->index, wanted), false,
                            "Bad type on operand stack in putfield");
}

/* On the stack of putfield the value is above the receiver, so it is popped first.  An
   array has no fields; as in HotSpot only the instance instructions are refused for
   that here, as resolution finds no static field either. */
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
                                  (struct vorigin){ 0 },
                                  "Expecting reference to class "
                                  "in class %s at constant pool index %u",
                                  v->class_name, in->index);
    if (!descriptor_field(member.descriptor, &descriptor))
        return verifier_fail_code(v, "Bad field descriptor");
    count = vtype_of_descriptor(v, &descriptor, types);
    if (v->result->status != VERIFY_OK || (put && !verifier_pop_types(v, types, count)))
        return false;
    if (!is_static
        && !(put ? pop_putfield_receiver(v, in, &member, &receiver)
                 : verifier_pop(v, holder, &receiver)))
        return false;
    if (!is_static
        && !check_receiver(v, &member, true, &receiver,
                           put ? "Bad access to protected data in putfield"
                               : "Bad access to protected data in getfield"))
        return false;
    return put || verifier_push_types(v, types, count);
}

/*
 * A depth-first search over the instructions.  Instructions that have been found but
 * not looked at are a stack, linked through `next`; they are denoted by bci + 1, so
 * that 0 means that an instruction has not been found.  code_length + 1 is the bottom
 * of the stack.
 */
struct search {
    /* By bci: the instruction below it on the stack. */
    uint32_t *next;
    uint32_t top;
};

/* Pushes the instruction at bci unless it was found before; a bci outside of the code
   is left to the check of the instruction that leads there. */
static void
visit(const struct verifier *v, struct search *s, int64_t bci)
{
    if (bci < 0 || bci >= v->m->code_length || s->next[bci] != 0)
        return;
    s->next[bci] = s->top;
    s->top = (uint32_t)bci + 1;
}

/* Pushes all instructions that may be executed after this one. */
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

/* Whether no path from bci leads to a return instruction: 1 or 0, or -1 if memory runs
   out.  The method is a constructor, so `return` is the only such instruction. */
static int
never_returns(struct verifier *v, uint32_t bci)
{
    struct search s = { verifier_alloc(v, v->m->code_length, sizeof *s.next),
                        v->m->code_length + 1 };
    struct instruction in;

    if (!s.next)
        return -1;
    visit(v, &s, bci);
    while (s.top <= v->m->code_length) {
        uint32_t at = s.top - 1;

        s.top = s.next[at];
        /* A bad target is an error, but it is reported when its instruction is
           checked. */
        if (v->starts[at] == 0
            || !opcode_decode(v->m->code, v->m->code_length, at, &in))
            continue;
        if (in.opcode == OP_return)
            return 0;
        visit_successors(v, &s, &in);
    }
    return 1;
}

/*
 * Checks that the handlers that cover the current instruction, a call of super() or
 * this(), never return.  If one did, the caller of the constructor would get an object
 * that has not been initialized.
 */
static bool
check_handlers_throw(struct verifier *v)
{
    for (unsigned i = 0; i < v->m->handler_count; i++) {
        const struct cf_handler *h = &v->m->handlers[i];
        int never = 1;

        if (v->current.bci >= h->start_pc && v->current.bci < h->end_pc)
            never = never_returns(v, h->handler_pc);
        if (never == 0)
            verifier_fail_code(v, "Bad <init> method call from after the start of a "
                                  "try block");
        if (never <= 0)
            return false;
    }
    return true;
}

/* Replaces an uninitialized type by the class in the whole frame, since all copies
   refer to the object that <init> has initialized (JVMS 4.10.1.9, invokespecial:
   substitute).  The handlers must accept the changed locals from now on. */
static void
replace_type(struct verifier *v, struct vtype old, struct vtype new)
{
    for (uint32_t i = 0; i < v->m->max_locals; i++)
        if (vtype_equals(&v->current.locals[i], &old))
            v->current.locals[i] = new;
    for (uint32_t i = 0; i < v->current.stack_size; i++)
        if (vtype_equals(&v->current.stack[i], &old))
            v->current.stack[i] = new;
    v->locals_changed = true;
    if (old.kind == V_UNINITIALIZED_THIS)
        v->current.this_uninit = false;
}

/* A call of super() or this(): the constructor must be one of this class or of its
   direct superclass.  Handlers that cover the call are checked here with the locals as
   they are before it, and by verify_at with those after it; both times with
   flagThisUninit, since the exception may come before the constructor is done. */
static bool
init_this(struct verifier *v, const struct cf_member *member, struct vtype type)
{
    struct vtype self = this_type(v), target = vtype_object(member->class_name);

    if (member->class_name != v->cf->this_class
        && member->class_name != v->cf->super_class)
        return verifier_fail_type(v, vorigin_of(FROM_CONTEXT, 0, target),
                                  vorigin_of(FROM_CONTEXT, 0, self),
                                  "Bad <init> method call");
    if (!check_handlers_throw(v) || !verifier_check_handlers(v, true))
        return false;
    replace_type(v, type, self);
    return true;
}

/* A call of the constructor of an object that new has made; type.bci is that of the
   new, whose constant is the class.  The constructor must be one of exactly that
   class. */
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
        return verifier_fail_type(
            v, vorigin_of(FROM_POOL, index, made),
            vorigin_of(FROM_POOL, in->index, vtype_object(member->class_name)),
            "Call to wrong <init> method");
    if (!check_protected(v, member, false, vorigin_of(FROM_POOL, index, made),
                         "Bad access to protected <init> method"))
        return false;
    if (!verifier_check_handlers(v, false))
        return false;
    replace_type(v, type, made);
    return true;
}

/* invokespecial of <init>; the arguments have been popped. */
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
    return verifier_fail_type(v, verifier_popped(v), (struct vorigin){ 0 },
                              "Bad operand type when invoking <init>");
}

/* The tags of the constants that the instruction may refer to (JVMS 6.5), as bits. */
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

/* Checks the operand bytes behind the index. */
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

/* Checks that invokespecial names this class, a superclass or a direct superinterface
   (JVMS 4.10.1.9, invokespecial). */
static bool
check_special(struct verifier *v, const struct instruction *in,
              const struct cf_member *member)
{
    struct vtype self = this_type(v), target = vtype_object(member->class_name);
    int fits;

    if (member->class_name == v->cf->this_class
        || member->class_name == v->cf->super_class)
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

/* Checks that a method whose name begins with < is <init> and called by
   invokespecial. */
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

/* Pops the arguments, the last one first. */
static bool
pop_arguments(struct verifier *v, const struct symbol *descriptor, int slots)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct vtype few[24], *types = few;
    struct descriptor_type type;
    unsigned count = 0;

    if ((size_t)slots > sizeof few / sizeof few[0])
        types = verifier_alloc(v, (size_t)slots, sizeof *types);
    if (!types)
        return false;
    while (descriptor_next(&it, &type))
        count += vtype_of_descriptor(v, &type, types + count);
    return v->result->status == VERIFY_OK && verifier_pop_types(v, types, count);
}

/* Pops the receiver and checks it.  invokespecial may only call methods on an object of
   this class or a subclass (JVMS 4.10.1.9, invokespecial); in other calls it must be
   assignable to the class that the constant names, where anything is assignable to an
   interface. */
static bool
pop_receiver(struct verifier *v, const struct instruction *in,
             const struct cf_member *member, bool *this_uninit)
{
    struct vtype receiver;

    if (member->name == v->init)
        return verify_init(v, in, member, this_uninit);
    if (in->opcode == OP_invokespecial)
        return verifier_pop(v, this_type(v), NULL);
    return verifier_pop(v, vtype_object(member->class_name), &receiver)
           && (in->opcode != OP_invokevirtual
               || check_receiver(v, member, false, &receiver,
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
    if (!check_operands(v, in, slots) || !check_callee(v, in, &member)
        || !pop_arguments(v, member.descriptor, slots))
        return false;
    if (in->opcode != OP_invokestatic && in->opcode != OP_invokedynamic
        && !pop_receiver(v, in, &member, this_uninit))
        return false;
    count = vtype_of_descriptor(v, &result, types);
    return v->result->status == VERIFY_OK && verifier_push_types(v, types, count);
}
