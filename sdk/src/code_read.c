/* SPDX-License-Identifier: MIT */
/* sdk/src/code_read.c -- takes a Code attribute apart (JVMS 4.7.3). */
#include "classfile_impl.h"

#include <string.h>

struct decoder {
    struct tf_code *code;
    struct reader r;
    const unsigned char *start;
    uint32_t length;
    struct tf_insn **insns;     /* by offset; NULL inside of instructions */
    struct tf_insn **labels;    /* by offset, made when something refers to it */
};

static void *
fail(struct decoder *d, const char *problem)
{
    return tf_class_fail(d->code->owner, "%s.%s: %s", d->code->method->name,
                         d->code->method->descriptor, problem);
}

/* The label at an offset, which must be the start of an instruction or, with `at_end`,
   the end of the code; NULL if it is not. */
static struct tf_insn *
find_label(struct decoder *d, uint32_t offset, bool at_end)
{
    struct tf_insn *label;

    if (offset > d->length || (offset == d->length && !at_end))
        return NULL;
    if (d->labels[offset] == NULL && d->insns[offset] != NULL) {
        label = tf_emit_label(d->code, d->insns[offset]);
        if (label != NULL)
            label->offset = (long)offset;
        d->labels[offset] = label;
    }
    return d->labels[offset];
}

static struct tf_insn *
need_label(struct decoder *d, uint32_t offset, bool at_end)
{
    struct tf_insn *label = find_label(d, offset, at_end);

    if (label == NULL)
        fail(d, "an offset inside of an instruction or outside of the code");
    return label;
}

/* -- instructions; targets stay offsets until all instructions are known -- */

static struct tf_switch *
read_switch(struct decoder *d, struct tf_insn *insn)
{
    struct tf_class *c = d->code->owner;
    struct tf_switch *cases = (struct tf_switch *)tf_class_allocate(c, sizeof *cases);
    int64_t count;

    while ((d->r.at - d->start) % 4 != 0 && !c->failed)
        tf_read_u1(&d->r);
    insn->operand = (int32_t)tf_read_u4(&d->r);
    if (cases == NULL || c->failed)
        return NULL;
    if (insn->opcode == TF_OP_TABLESWITCH) {
        cases->low = (int32_t)tf_read_u4(&d->r);
        count = (int64_t)(int32_t)tf_read_u4(&d->r) - cases->low + 1;
    } else
        count = (int32_t)tf_read_u4(&d->r);
    if (count < 0 || count > (d->r.end - d->r.at) / 4)
        return (struct tf_switch *)fail(d, "a switch with a bad count");
    cases->count = (uint32_t)count;
    cases->targets = (struct tf_insn **)tf_class_allocate(c, ((size_t)count + 1)
                                                         * sizeof *cases->targets);
    /* Keys, and for now the offsets behind them. */
    cases->keys = (int32_t *)tf_class_allocate(c, (2 * (size_t)count + 1)
                                               * sizeof *cases->keys);
    for (uint32_t i = 0; !c->failed && i < cases->count; i++) {
        if (insn->opcode == TF_OP_LOOKUPSWITCH)
            cases->keys[i] = (int32_t)tf_read_u4(&d->r);
        cases->keys[cases->count + i] = (int32_t)tf_read_u4(&d->r);
    }
    return cases;
}

static void
read_wide(struct decoder *d, struct tf_insn *insn)
{
    enum operand_format format;

    insn->wide = true;
    insn->opcode = (int)tf_read_u1(&d->r);
    format = tf_opcode_format(insn->opcode);
    insn->operand = (int32_t)tf_read_u2(&d->r);
    if (format == FORMAT_IINC)
        insn->second = (int16_t)tf_read_u2(&d->r);
    else if (format != FORMAT_LOCAL)
        fail(d, "wide before an instruction that has no wide form");
}

static void
read_insn(struct decoder *d, struct tf_insn *insn)
{
    struct reader *r = &d->r;

    insn->opcode = (int)tf_read_u1(r);
    switch (tf_opcode_format(insn->opcode)) {
    case FORMAT_NONE: case FORMAT_L0: case FORMAT_L1: case FORMAT_L2: case FORMAT_L3:
        break;
    case FORMAT_BYTE: insn->operand = (int8_t)tf_read_u1(r); break;
    case FORMAT_SHORT: case FORMAT_BRANCH2:
        insn->operand = (int16_t)tf_read_u2(r);
        break;
    case FORMAT_CP1: case FORMAT_LOCAL: case FORMAT_ATYPE:
        insn->operand = (int32_t)tf_read_u1(r);
        break;
    case FORMAT_CP2: insn->operand = (int32_t)tf_read_u2(r); break;
    case FORMAT_IINC:
        insn->operand = (int32_t)tf_read_u1(r);
        insn->second = (int8_t)tf_read_u1(r);
        break;
    case FORMAT_BRANCH4: insn->operand = (int32_t)tf_read_u4(r); break;
    case FORMAT_TABLE: case FORMAT_LOOKUP: insn->cases = read_switch(d, insn); break;
    case FORMAT_INTERFACE:
        insn->operand = (int32_t)tf_read_u2(r);
        insn->second = (int32_t)tf_read_u1(r);
        tf_read_u1(r);
        break;
    case FORMAT_DYNAMIC:
        insn->operand = (int32_t)tf_read_u2(r);
        tf_read_u2(r);
        break;
    case FORMAT_MULTI:
        insn->operand = (int32_t)tf_read_u2(r);
        insn->second = (int32_t)tf_read_u1(r);
        break;
    case FORMAT_WIDE: read_wide(d, insn); break;
    default: fail(d, "an unknown opcode");
    }
}

static void
read_insns(struct decoder *d)
{
    struct tf_code *code = d->code;

    d->r.what = "code";
    while (d->r.at < d->r.end && !code->owner->failed) {
        long offset = d->r.at - d->start;
        struct tf_insn *insn = tf_emit(code, code->last, TF_OP_NOP);

        if (insn == NULL)
            return;
        insn->offset = offset;
        d->insns[offset] = insn;
        read_insn(d, insn);
    }
}

static void
resolve_targets(struct decoder *d)
{
    struct tf_class *c = d->code->owner;

    for (struct tf_insn *insn = d->code->first; insn != NULL && !c->failed;
         insn = insn->next) {
        enum operand_format format = tf_opcode_format(insn->opcode);
        struct tf_switch *cases = insn->cases;

        if (format != FORMAT_BRANCH2 && format != FORMAT_BRANCH4 && cases == NULL)
            continue;
        insn->target = need_label(d, (uint32_t)(insn->offset + insn->operand), false);
        insn->operand = 0;
        for (uint32_t i = 0; cases != NULL && i < cases->count && !c->failed; i++)
            cases->targets[i] = need_label(
                d, (uint32_t)(insn->offset + cases->keys[cases->count + i]), false);
    }
}

static void
read_handlers(struct decoder *d, struct reader *r)
{
    struct tf_handler **end = &d->code->handlers;

    for (unsigned count = tf_read_u2(r); count > 0 && !r->c->failed; count--) {
        struct tf_handler *handler =
            (struct tf_handler *)tf_class_allocate(r->c, sizeof *handler);
        unsigned start = tf_read_u2(r), stop = tf_read_u2(r), target = tf_read_u2(r);

        if (handler == NULL)
            break;
        handler->class_index = tf_read_u2(r);
        handler->start = need_label(d, start, false);
        handler->end = need_label(d, stop, true);
        handler->handler = need_label(d, target, false);
        *end = handler;
        end = &handler->next;
    }
}

/* -- tables.  Rows of debug tables that point nowhere are left out, as VMs let them
      pass. -- */

static void
read_lines(struct decoder *d, struct reader *r)
{
    struct tf_line **end = &d->code->lines;

    while (*end != NULL)
        end = &(*end)->next;
    for (unsigned count = tf_read_u2(r); count > 0 && !r->c->failed; count--) {
        struct tf_line *line = (struct tf_line *)tf_class_allocate(r->c, sizeof *line);
        struct tf_insn *label = find_label(d, tf_read_u2(r), false);
        unsigned number = tf_read_u2(r);

        if (line == NULL || label == NULL)
            continue;
        line->start = label;
        line->line = number;
        *end = line;
        end = &line->next;
    }
}

static void
read_variables(struct decoder *d, struct reader *r, struct tf_variable **end)
{
    while (*end != NULL)
        end = &(*end)->next;
    for (unsigned count = tf_read_u2(r); count > 0 && !r->c->failed; count--) {
        struct tf_variable *row =
            (struct tf_variable *)tf_class_allocate(r->c, sizeof *row);
        unsigned start = tf_read_u2(r), length = tf_read_u2(r);
        unsigned name = tf_read_u2(r), descriptor = tf_read_u2(r), slot = tf_read_u2(r);

        if (row == NULL)
            break;
        row->start = find_label(d, start, true);
        row->end = find_label(d, start + length, true);
        row->name_index = name;
        row->descriptor_index = descriptor;
        row->slot = slot;
        if (row->start != NULL && row->end != NULL) {
            *end = row;
            end = &row->next;
        }
    }
}

/* -- stack map frames (JVMS 4.7.4) -- */

static void
read_types(struct decoder *d, struct reader *r, struct tf_type *types, unsigned count)
{
    for (unsigned i = 0; i < count && !r->c->failed; i++) {
        unsigned tag = tf_read_u1(r), offset;

        if (tag > TF_TYPE_UNINITIALIZED) {
            fail(d, "an unknown type in a stack map frame");
            return;
        }
        types[i].tag = (enum tf_type_tag)tag;
        if (tag == TF_TYPE_OBJECT) {
            types[i].class_index = tf_read_u2(r);
            types[i].class_name = tf_constant_text(r->c, types[i].class_index);
            if (tf_constant_tag(r->c, types[i].class_index) != 7
                || types[i].class_name == NULL)
                fail(d, "a stack map frame with a bad class");
        } else if (tag == TF_TYPE_UNINITIALIZED) {
            offset = tf_read_u2(r);
            types[i].creation = offset < d->length ? d->insns[offset] : NULL;
            if (types[i].creation == NULL || types[i].creation->opcode != TF_OP_NEW)
                fail(d, "a stack map frame with a bad offset of `new`");
        }
    }
}

/* `count` types, of which there is at least a byte each. */
static struct tf_type *
new_types(struct decoder *d, const struct reader *r, unsigned count, unsigned known)
{
    if (count - known > (size_t)(r->end - r->at))
        return (struct tf_type *)fail(d, "a truncated stack map frame");
    return (struct tf_type *)tf_class_allocate(r->c, (count + 1)
                                                     * sizeof(struct tf_type));
}

/* The next frame; `before` is the one that it is a difference to. */
static struct tf_frame *
read_frame(struct decoder *d, struct reader *r, unsigned kind,
           const struct tf_frame *before)
{
    struct tf_frame *frame = (struct tf_frame *)tf_class_allocate(r->c, sizeof *frame);
    unsigned locals = before->local_count, kept = locals, stack = 0;

    if (kind == 255) {
        locals = tf_read_u2(r);
        kept = 0;
    } else if (kind >= 252)
        locals += kind - 251;
    else if (kind >= 248 && kind < 251) {
        if (locals < 251 - kind)
            return (struct tf_frame *)fail(d, "a chop frame without locals to chop");
        kept = locals -= 251 - kind;
    } else if (kind != 251 && kind >= 64)
        stack = 1;
    if (frame == NULL || (frame->locals = new_types(d, r, locals, kept)) == NULL)
        return NULL;
    frame->local_count = locals;
    memcpy(frame->locals, before->locals, kept * sizeof *frame->locals);
    read_types(d, r, frame->locals + kept, locals - kept);
    frame->stack_count = kind == 255 ? tf_read_u2(r) : stack;
    if ((frame->stack = new_types(d, r, frame->stack_count, 0)) == NULL)
        return NULL;
    read_types(d, r, frame->stack, frame->stack_count);
    return r->c->failed ? NULL : frame;
}

static void
read_frames(struct decoder *d, struct reader *r)
{
    const struct tf_frame *before = tf_frame_of_arguments(d->code);
    uint32_t offset = 0;
    bool first = true;

    for (unsigned count = tf_read_u2(r); count > 0 && before != NULL; count--) {
        unsigned kind = tf_read_u1(r);
        unsigned delta = kind < 64 ? kind : kind < 128 ? kind - 64 : tf_read_u2(r);
        struct tf_frame *frame;
        struct tf_insn *label;

        if (kind >= 128 && kind < 247)
            fail(d, "an unknown kind of stack map frame");
        offset += delta + !first;
        first = false;
        label = r->c->failed ? NULL : need_label(d, offset, false);
        frame = label == NULL ? NULL : read_frame(d, r, kind, before);
        if (frame == NULL)
            return;
        label->frame = frame;
        before = frame;
    }
}

/* -- the whole -- */

static void
read_table(struct decoder *d, struct tf_attribute *attribute)
{
    struct reader r = { d->code->owner, attribute->bytes,
                        attribute->bytes + attribute->length, attribute->name };
    bool known = true;

    if (strcmp(attribute->name, "LineNumberTable") == 0)
        read_lines(d, &r);
    else if (strcmp(attribute->name, "LocalVariableTable") == 0)
        read_variables(d, &r, &d->code->variables);
    else if (strcmp(attribute->name, "LocalVariableTypeTable") == 0)
        read_variables(d, &r, &d->code->variable_types);
    else if (strcmp(attribute->name, "StackMapTable") == 0 && r.c->major >= 50)
        read_frames(d, &r);
    else
        known = false;
    if (known) {
        attribute->bytes = NULL;
        if (r.at != r.end)
            fail(d, "a table that is longer than its rows");
    }
}

static bool
is_dropped(const struct tf_attribute *attribute)
{
    return strcmp(attribute->name, "RuntimeVisibleTypeAnnotations") == 0
        || strcmp(attribute->name, "RuntimeInvisibleTypeAnnotations") == 0;
}

static void
decode(struct decoder *d, const struct tf_attribute *attribute)
{
    struct tf_code *code = d->code;
    struct tf_class *c = code->owner;
    struct reader whole = { c, attribute->bytes, attribute->bytes + attribute->length,
                            "Code attribute" };
    struct tf_attribute **link = &code->attributes;

    code->max_stack = tf_read_u2(&whole);
    code->max_locals = tf_read_u2(&whole);
    d->length = tf_read_u4(&whole);
    d->start = tf_read_bytes(&whole, d->length);
    if (d->start == NULL || d->length == 0 || d->length > 65535) {
        fail(d, "code that is empty, truncated or too long");
        return;
    }
    d->r = (struct reader){ c, d->start, d->start + d->length, "code" };
    d->insns = (struct tf_insn **)tf_class_allocate(c, (d->length + 1)
                                                    * sizeof *d->insns);
    d->labels = (struct tf_insn **)tf_class_allocate(c, (d->length + 1)
                                                     * sizeof *d->labels);
    if (tf_emit_label(code, NULL) == NULL)
        return;
    code->last->offset = (long)d->length;
    d->labels[d->length] = code->last;
    read_insns(d);
    resolve_targets(d);
    read_handlers(d, &whole);
    code->attributes = c->failed ? NULL : tf_read_attributes(&whole);
    while (*link != NULL && !c->failed)
        if (is_dropped(*link))
            *link = (*link)->next;
        else {
            read_table(d, *link);
            link = &(*link)->next;
        }
}

struct tf_code *
tf_class_code(struct tf_class *c, struct tf_member *method)
{
    struct tf_attribute *attribute;
    struct decoder d;

    if (c->failed || method == NULL)
        return NULL;
    if (method->code != NULL)
        return method->code;
    attribute = tf_attribute_find(method->attributes, "Code");
    if (attribute == NULL)
        return NULL;
    memset(&d, 0, sizeof d);
    d.code = (struct tf_code *)tf_class_allocate(c, sizeof *d.code);
    if (d.code == NULL)
        return NULL;
    d.code->owner = c;
    d.code->method = method;
    decode(&d, attribute);
    if (c->failed)
        return NULL;
    method->code = d.code;
    return d.code;
}
