/* SPDX-License-Identifier: MIT */
/* minivm/runtime/npe.c -- helpful NullPointerException messages (JEP 358).
 *
 * The message has two parts.  What could not be done, such as 'Cannot read field "next"',
 * is told by the instruction that threw.  What was null, such as 'because
 * "<local1>.head" is null', is told by the instruction that pushed the operand: a load
 * of a local variable, a field, an array element or a call.
 *
 * To find that one, a walk notes for each operand in front of each instruction its
 * source, the bytecode index of the instruction that pushed it.  The walk goes through
 * the code in order.  Code that is only reached by a jump back has no operands yet when
 * the walk comes by, so the walk is repeated as long as new instructions are reached.
 * It ends when it comes to the instruction that threw and knows its operands.  It does
 * not go on until nothing changes any more: HotSpot does not either, and the messages
 * are to be the same. */

#include "runtime/backtrace.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "classfile/descriptor.h"
#include "classfile/framemap.h"

enum {
    /* Stands for the source of an operand that different instructions push, depending on
       the way that control takes. */
    UNKNOWN = -1,
    /* How deep an expression is described, as in HotSpot. */
    MAX_DETAIL = 5,
    /* The walk gives up when it has noted so many operands, in a very large method. */
    MAX_ENTRIES = 1000000,
    /* Marks, in an abstract frame, the operands that were there before the instruction;
       no kind of slot has this value. */
    NOT_PUSHED = UINT8_MAX
};

/* The operands before an instruction: source[i] is the bytecode index of the
   instruction that pushed operand i. */
struct operands {
    /* Bit i: local variable i, up to 63, may have been stored to before the
       instruction. */
    uint64_t written;
    uint32_t depth;
    int32_t source[];
};

/* The walk through one method. */
struct analysis {
    const struct method_version *version;
    const struct cf_method *info;
    const struct classfile *file;
    struct arena arena;
    /* By bytecode index: the operands in front of the instruction, or NULL if the walk has
       not reached it yet. */
    struct operands **at;
    /* The operands in front of the present instruction, then those behind it. */
    struct operands *now;
    /* Used for each instruction alone, to find out which operands it pushes. */
    struct abstract_frame frame;
    /* How many operands were noted in all. */
    uint32_t entries;
    /* In this round the walk has reached an instruction for the first time. */
    bool added;
    /* No further round is needed: all instructions were reached when the walk came to
       them, or it has come to the one that threw. */
    bool complete;
};

/* ---- the walk ---- */

static struct operands *
new_operands(struct analysis *a, uint32_t depth)
{
    return arena_alloc(&a->arena, sizeof(struct operands) + depth * sizeof(int32_t));
}

/* Copies the operands and what was stored to; there must be room in `to`. */
static void
copy(struct operands *to, const struct operands *from)
{
    memcpy(to, from, sizeof *to + from->depth * sizeof(int32_t));
}

/* Notes that control reaches bci with the operands a->now.  If it has reached bci before
   with as many operands, those at bci and a->now both become what they have in common:
   a source that differs is unknown. */
static void
reach(struct analysis *a, int64_t bci)
{
    struct operands *old, *now = a->now;

    if (bci < 0 || bci >= (int64_t)a->info->code_length)
        return;
    old = a->at[bci];
    if (old && old->depth == now->depth) {
        now->written |= old->written;
        for (uint32_t i = 0; i < now->depth; i++)
            if (now->source[i] != old->source[i])
                now->source[i] = UNKNOWN;
    } else {
        a->added |= !old;
        a->entries += now->depth;
        old = a->at[bci] = new_operands(a, now->depth);
    }
    copy(old, now);
}

/* Notes that a local variable is stored to.  Those above 63 are not noted: was_written
   takes them all for stored to. */
static void
wrote(struct analysis *a, uint32_t local)
{
    if (local < 64)
        a->now->written |= UINT64_C(1) << local;
}

static bool
was_written(const struct operands *o, uint32_t local)
{
    return local >= 64 || (o->written >> local & 1);
}

/* The effect of pop, dup, swap and the like: which of the operands that the instruction
   takes stand there afterwards. */
static void
shuffle(struct analysis *a, uint8_t opcode)
{
    const struct opcode_shuffle *s = &opcode_shuffles[opcode - OP_pop];
    int32_t taken[4], *base;

    if (a->now->depth < s->pops)
        return;
    base = a->now->source + a->now->depth - s->pops;
    memcpy(taken, base, s->pops * sizeof *taken);
    for (uint32_t i = 0; i < s->pushes; i++)
        base[i] = taken[s->from[i]];
    a->now->depth += s->pushes - s->pops;
}

static bool
is_call(uint8_t opcode)
{
    return opcode >= OP_invokevirtual && opcode <= OP_invokeinterface;
}

static struct cf_member
member_at(const struct analysis *a, const struct instruction *in)
{
    return cf_member(a->file, in->index);
}

/*
 * Changes a->now, the operands in front of an instruction, to those behind it.  To find out
 * which operands the instruction pushes, it is executed on an abstract frame in which
 * all operands are NOT_PUSHED: those with another kind afterwards are new.  A checkcast
 * counts as no instruction, so that the message describes what was cast.
 */
static void
apply(struct analysis *a, const struct instruction *in)
{
    const uint8_t *kinds = a->frame.kinds + a->info->max_locals;

    if (in->opcode >= OP_pop && in->opcode <= OP_swap) {
        shuffle(a, in->opcode);
    } else if (in->opcode != OP_checkcast) {
        memset(a->frame.kinds + a->info->max_locals, NOT_PUSHED, a->now->depth);
        a->frame.depth = a->now->depth;
        if (abstract_execute(a->file, a->info, &a->frame, in)
            && opcode_table[in->opcode].flow == FLOW_JSR)
            abstract_push(a->info, &a->frame, SLOT_RETURN_ADDRESS);
        a->now->depth = a->frame.depth;
        for (uint32_t i = 0; i < a->now->depth; i++)
            if (kinds[i] != NOT_PUSHED)
                a->now->source[i] = (int32_t)in->bci;
    }
    if (opcode_is_store(in->opcode) || in->opcode == OP_iinc) {
        wrote(a, in->index);
        if (opcode_table[in->opcode].pops[0] == 'J'
            || opcode_table[in->opcode].pops[0] == 'D')
            wrote(a, in->index + 1u);
    }
}

/* Notes that control reaches the instructions that may run next with a->now. */
static void
follow(struct analysis *a, const struct instruction *in)
{
    enum opcode_flow flow = (enum opcode_flow)opcode_table[in->opcode].flow;

    if (flow == FLOW_NEXT || flow == FLOW_BRANCH || flow == FLOW_JSR)
        reach(a, (int64_t)in->bci + in->length);
    if (flow == FLOW_BRANCH || flow == FLOW_GOTO || flow == FLOW_JSR)
        reach(a, in->operand);
    if (flow == FLOW_SWITCH) {
        for (uint32_t i = 0; i < in->case_count; i++)
            reach(a, opcode_case_target(in, i));
        reach(a, in->default_target);
    }
}

/* Notes that control reaches all handlers.  There is one operand, the exception, and the
   handler's first instruction stands for its source. */
static void
reach_handlers(struct analysis *a)
{
    for (unsigned i = 0; i < a->info->handler_count; i++) {
        uint32_t pc = a->info->handlers[i].handler_pc;
        if (a->at[pc])
            continue;
        a->at[pc] = new_operands(a, 1);
        a->at[pc]->depth = 1;
        a->at[pc]->source[0] = (int32_t)pc;
    }
}

/* Walks through the code until it comes to the instruction at stop and knows its operands,
   or until nothing new is reached.  a->at has what it has found. */
static void
analyse(struct analysis *a, uint32_t stop)
{
    struct instruction in;

    a->now = new_operands(a, a->info->max_stack + 2u);
    a->frame.kinds = arena_calloc(&a->arena,
                                  (size_t)a->info->max_locals + a->info->max_stack, 1);
    a->at[0] = new_operands(a, 0);
    reach_handlers(a);
    a->added = true;
    while (!a->complete && a->added) {
        a->complete = true;
        a->added = false;
        for (uint32_t bci = 0; bci < a->info->code_length; bci += in.length) {
            if (bci == stop && bci > 0 && a->at[bci]) {
                a->complete = true;
                break;
            }
            if (!opcode_decode(a->info->code, a->info->code_length, bci, &in)
                || a->entries > MAX_ENTRIES)
                return;
            if (!a->at[bci]) {
                a->complete = false;
                continue;
            }
            copy(a->now, a->at[bci]);
            apply(a, &in);
            follow(a, &in);
        }
    }
}

/* ---- names ---- */

/* Appends the external name of a class; Object and String without their package. */
static void
put_class(struct buf *b, const char *name, size_t length)
{
    if (length == 16
        && (memcmp(name, "java/lang/Object", 16) == 0
            || memcmp(name, "java/lang/String", 16) == 0)) {
        name += 10;
        length -= 10;
    }
    for (size_t i = 0; i < length; i++)
        buf_append_u1(b, name[i] == '/' ? '.' : (uint8_t)name[i]);
}

/* Appends the type as Java writes it: "int", "Object[]", "java.util.List".  As in
   put_class, Object and String have no package. */
static void
put_type(struct buf *b, const struct descriptor_type *type)
{
    const char *element = type->text + type->dimensions;

    if (*element == 'L')
        put_class(b, element + 1, type->length - type->dimensions - 2u);
    else
        buf_append_string(b, descriptor_primitive_name(*element));
    for (unsigned i = 0; i < type->dimensions; i++)
        buf_append_string(b, "[]");
}

/* Appends the method that a call instruction names: "Main.find(String, int[])". */
static void
put_method(const struct analysis *a, struct buf *b, const struct instruction *in)
{
    struct cf_member m = member_at(a, in);
    struct descriptor_iter it = descriptor_parameters(m.descriptor);
    struct descriptor_type type;
    const char *separator = "";

    put_class(b, m.class_name->bytes, m.class_name->length);
    buf_printf(b, ".%s(", m.name->bytes);
    while (descriptor_next(&it, &type)) {
        buf_append_string(b, separator);
        put_type(b, &type);
        separator = ", ";
    }
    buf_append_string(b, ")");
}

/* Returns the number, from 1, of the parameter that is in the local slot when the
   method begins; 0 when there is none. */
static unsigned
parameter_number(const struct method *m, uint32_t slot)
{
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;
    uint32_t at = method_is_static(m) ? 0 : 1;

    for (unsigned number = 1; descriptor_next(&it, &type); number++) {
        uint32_t slots = descriptor_kind_slots(type.kind);
        if (slot >= at && slot < at + slots)
            return number;
        at += slots;
    }
    return 0;
}

/* Appends the name of a local variable at bci: from LocalVariableTable, or made up. */
static void
put_local(const struct analysis *a, struct buf *b, uint32_t bci, uint32_t slot,
          bool is_unwritten)
{
    const struct method *m = a->version->method;

    for (uint32_t i = 0; i < a->info->local_count; i++) {
        const struct cf_local *l = &a->info->locals[i];
        if (l->slot == slot && bci >= l->start_pc
            && bci < (uint32_t)l->start_pc + l->length) {
            buf_append_string(b, l->name->bytes);
            return;
        }
    }
    unsigned parameter = parameter_number(m, slot);
    if (!method_is_static(m) && slot == 0 && is_unwritten)
        buf_append_string(b, "this");
    else if (is_unwritten && parameter)
        buf_printf(b, "<parameter%u>", parameter);
    else
        buf_printf(b, "<local%u>", slot);
}

/* ---- what was null ---- */

static const char because[] = " because \"";

static bool put_source(struct analysis *a, struct buf *b, uint32_t bci,
                       uint32_t operand, int detail, bool is_index);

/* Appends "array[index]" for the instruction at bci, which loads an array element.  An
   array that cannot be described is "<array>", an index "...". */
static void
put_element(struct analysis *a, struct buf *b, uint32_t bci, int detail, bool is_index)
{
    if (!put_source(a, b, bci, 1, detail - 1, is_index))
        buf_append_string(b, "<array>");
    buf_append_string(b, "[");
    if (!put_source(a, b, bci, 0, detail, true))
        buf_append_string(b, "...");
    buf_append_string(b, "]");
}

/*
 * Appends a description of `in`, the instruction that pushed an operand: the name of a
 * local variable or field, a constant, an array element, a called method.  Returns
 * false, with nothing appended, for other instructions.
 *
 * o has the operands before the instruction that takes the operand; it knows whether a
 * local was stored to until then: without a LocalVariableTable only a local that was
 * not can be called a parameter or "this".  detail says how many levels deep the
 * description may go (put_source).  is_index is true within the index of an array
 * element, where the words "because ..." are not put again.
 */
static bool
put_instruction(struct analysis *a, struct buf *b, const struct instruction *in,
                const struct operands *o, int detail, bool is_index)
{
    struct cf_member m;

    if (opcode_is_load(in->opcode)) {
        put_local(a, b, in->bci, in->index, !was_written(o, in->index));
        return true;
    }
    switch (in->opcode) {
    case OP_aconst_null: buf_append_string(b, "null"); return true;
    case OP_iconst_m1:
    case OP_iconst_0:
    case OP_iconst_1:
    case OP_iconst_2:
    case OP_iconst_3:
    case OP_iconst_4:
    case OP_iconst_5: buf_printf(b, "%d", in->opcode - OP_iconst_0); return true;
    case OP_bipush:
    case OP_sipush: buf_printf(b, "%d", in->operand); return true;
    case OP_getstatic:
        m = member_at(a, in);
        put_class(b, m.class_name->bytes, m.class_name->length);
        buf_printf(b, ".%s", m.name->bytes);
        return true;
    case OP_getfield:
        if (put_source(a, b, in->bci, 0, detail - 1, is_index))
            buf_append_string(b, ".");
        buf_append_string(b, member_at(a, in).name->bytes);
        return true;
    case OP_iaload:
    case OP_aaload: put_element(a, b, in->bci, detail, is_index); return true;
    case OP_invokevirtual:
    case OP_invokespecial:
    case OP_invokestatic:
    case OP_invokeinterface: put_method(a, b, in); return true;
    default: return false;
    }
}

/*
 * Appends a description of an operand (0: the top) of the instruction at bci.  Returns
 * false, with nothing appended, when nothing can be said, or when detail, the number of
 * levels that are left, is 0.  The outermost call has MAX_DETAIL; unless is_index, it
 * puts the words that lead to the description ("because ...") in front.
 */
static bool
put_source(struct analysis *a, struct buf *b, uint32_t bci, uint32_t operand,
           int detail, bool is_index)
{
    const struct operands *o = a->at[bci];
    struct instruction in;
    size_t before = b->length;

    if (detail <= 0 || !o || operand >= o->depth)
        return false;
    int32_t source = o->source[o->depth - 1 - operand];
    if (source == UNKNOWN
        || !opcode_decode(a->info->code, a->info->code_length, (uint32_t)source, &in))
        return false;
    if (detail == MAX_DETAIL && !is_index)
        buf_append_string(b, is_call(in.opcode) ? " because the return value of \""
                                                : because);
    if (put_instruction(a, b, &in, o, detail, is_index))
        return true;
    b->length = before;
    return false;
}

/* ---- what could not be done ---- */

/* Returns the word for the element type of an instruction that loads or stores one. */
static const char *
element_word(uint8_t opcode)
{
    static const char *const words[] = { "int",    "long",         "float", "double",
                                         "object", "byte/boolean", "char",  "short" };

    return words[opcode >= OP_iastore ? opcode - OP_iastore : opcode - OP_iaload];
}

/* Appends what the instruction could not do.  Returns which operand was null, 0 for the
   top; -1 when the instruction cannot have thrown the exception. */
static int
put_action(struct analysis *a, struct buf *b, const struct instruction *in)
{
    static const char *const plain[] = {
        [OP_arraylength] = "Cannot read the array length",
        [OP_athrow] = "Cannot throw exception",
        [OP_monitorenter] = "Cannot enter synchronized block",
        [OP_monitorexit] = "Cannot exit synchronized block",
    };
    struct cf_member m;

    if (in->opcode >= OP_iaload && in->opcode <= OP_saload) {
        buf_printf(b, "Cannot load from %s array", element_word(in->opcode));
        return 1;
    }
    if (in->opcode >= OP_iastore && in->opcode <= OP_sastore) {
        buf_printf(b, "Cannot store to %s array", element_word(in->opcode));
        return in->opcode == OP_lastore || in->opcode == OP_dastore ? 3 : 2;
    }
    switch (in->opcode) {
    case OP_arraylength:
    case OP_athrow:
    case OP_monitorenter:
    case OP_monitorexit: buf_append_string(b, plain[in->opcode]); return 0;
    case OP_getfield:
        buf_printf(b, "Cannot read field \"%s\"", member_at(a, in).name->bytes);
        return 0;
    case OP_putfield:
        m = member_at(a, in);
        buf_printf(b, "Cannot assign field \"%s\"", m.name->bytes);
        return (int)descriptor_kind_slots(m.descriptor->bytes[0]);
    case OP_invokevirtual:
    case OP_invokespecial:
    case OP_invokeinterface:
        m = member_at(a, in);
        if (symbol_equals(m.name, "<init>"))
            return -1;
        buf_append_string(b, "Cannot invoke \"");
        put_method(a, b, in);
        buf_append_string(b, "\"");
        return descriptor_arg_slots(m.descriptor);
    default: return -1;
    }
}

char *
helpful_null_message(const struct method_version *version, int32_t bci)
{
    struct analysis a = { .version = version, .info = version->info };
    struct instruction in;
    struct buf b;
    int operand = -1;

    if (!version->info || !version->info->code || bci < 0
        || symbol_equals(version->method->class->name,
                         "jdk/internal/reflect/NativeConstructorAccessorImpl"))
        return NULL;
    a.file = version->pool->file;
    buf_init(&b);
    a.at = arena_calloc(&a.arena, a.info->code_length, sizeof *a.at);
    if (opcode_decode(a.info->code, a.info->code_length, (uint32_t)bci, &in)) {
        analyse(&a, (uint32_t)bci);
        operand = put_action(&a, &b, &in);
        if (operand >= 0
            && put_source(&a, &b, (uint32_t)bci, (uint32_t)operand, MAX_DETAIL, false))
            buf_append_string(&b, "\" is null");
    }
    arena_release(&a.arena);
    if (operand < 0) {
        buf_release(&b);
        return NULL;
    }
    return buf_steal(&b, NULL);
}
