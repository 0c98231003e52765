/* SPDX-License-Identifier: MIT */
/* sdk/src/code_write.c -- puts a Code attribute together again (JVMS 4.7.3). */
#include "classfile_impl.h"

#include <string.h>

static void *
fail(struct tf_code *code, const char *problem)
{
    return tf_class_fail(code->owner, "%s.%s: %s", code->method->name,
                         code->method->descriptor, problem);
}

/* -- where each instruction goes -- */

static bool
needs_wide(const struct tf_insn *insn)
{
    return insn->wide || insn->operand > 255
        || (insn->opcode == TF_OP_IINC && (insn->second < -128 || insn->second > 127));
}

static uint32_t
size_of(const struct tf_insn *insn, uint32_t pc)
{
    switch (tf_opcode_format(insn->opcode)) {
    case FORMAT_BYTE: case FORMAT_CP1: case FORMAT_ATYPE: return 2;
    case FORMAT_SHORT: case FORMAT_CP2: return 3;
    case FORMAT_LOCAL: return needs_wide(insn) ? 4 : 2;
    case FORMAT_IINC: return needs_wide(insn) ? 6 : 3;
    /* goto and jsr: `wide` means goto_w and jsr_w. */
    case FORMAT_BRANCH2: return insn->wide ? 5 : 3;
    case FORMAT_BRANCH4: case FORMAT_INTERFACE: case FORMAT_DYNAMIC: return 5;
    case FORMAT_MULTI: return 4;
    case FORMAT_TABLE: return 1 + (3 - pc % 4) + 12 + 4 * insn->cases->count;
    case FORMAT_LOOKUP: return 1 + (3 - pc % 4) + 8 + 8 * insn->cases->count;
    default: return insn->opcode == TF_LABEL ? 0 : 1;
    }
}

/* Place all instructions: the length of the code. */
static uint32_t
place(struct tf_code *code)
{
    uint32_t pc = 0;

    for (struct tf_insn *insn = code->first; insn != NULL; insn = insn->next) {
        insn->pc = pc;
        pc += size_of(insn, pc);
        if (pc > 65535) {
            fail(code, "the code is over 65535 bytes long");
            return 0;
        }
    }
    return pc;
}

/* Make jumps wide that have become too long: was there one? */
static bool
widen(struct tf_code *code)
{
    bool changed = false;

    for (struct tf_insn *insn = code->first; insn != NULL; insn = insn->next) {
        int32_t distance;

        if (tf_opcode_format(insn->opcode) != FORMAT_BRANCH2 || insn->wide)
            continue;
        distance = (int32_t)insn->target->pc - (int32_t)insn->pc;
        if (distance >= -32768 && distance <= 32767)
            continue;
        if (insn->opcode != TF_OP_GOTO && insn->opcode != TF_OP_JSR) {
            /* The other way round it would need a frame that nobody knows. */
            fail(code, "a conditional jump is over 32767 bytes long");
            return false;
        }
        insn->wide = changed = true;
    }
    return changed;
}

/* -- instructions -- */

static void
write_switch(const struct tf_insn *insn, struct tf_buffer *out)
{
    const struct tf_switch *cases = insn->cases;

    for (uint32_t pc = insn->pc + 1; pc % 4 != 0; pc++)
        tf_buffer_u1(out, 0);
    tf_buffer_u4(out, insn->target->pc - insn->pc);
    if (insn->opcode == TF_OP_TABLESWITCH) {
        tf_buffer_u4(out, (uint32_t)cases->low);
        tf_buffer_u4(out, (uint32_t)cases->low + cases->count - 1);
    } else
        tf_buffer_u4(out, cases->count);
    for (uint32_t i = 0; i < cases->count; i++) {
        if (insn->opcode == TF_OP_LOOKUPSWITCH)
            tf_buffer_u4(out, (uint32_t)cases->keys[i]);
        tf_buffer_u4(out, cases->targets[i]->pc - insn->pc);
    }
}

static void
write_insn(const struct tf_insn *insn, struct tf_buffer *out)
{
    enum operand_format format = tf_opcode_format(insn->opcode);
    bool wide = (format == FORMAT_LOCAL || format == FORMAT_IINC) && needs_wide(insn);
    uint32_t distance = insn->target == NULL ? 0 : insn->target->pc - insn->pc;
    unsigned operand = (unsigned)insn->operand, second = (unsigned)insn->second;

    if (wide)
        tf_buffer_u1(out, TF_OP_WIDE);
    if (format == FORMAT_BRANCH2 && insn->wide) {
        tf_buffer_u1(out, insn->opcode == TF_OP_GOTO ? TF_OP_GOTO_W : TF_OP_JSR_W);
        tf_buffer_u4(out, distance);
        return;
    }
    tf_buffer_u1(out, (unsigned)insn->opcode);
    switch (format) {
    case FORMAT_BYTE: case FORMAT_CP1: case FORMAT_ATYPE:
        tf_buffer_u1(out, operand);
        break;
    case FORMAT_SHORT: case FORMAT_CP2: tf_buffer_u2(out, operand); break;
    case FORMAT_LOCAL: (wide ? tf_buffer_u2 : tf_buffer_u1)(out, operand); break;
    case FORMAT_IINC:
        (wide ? tf_buffer_u2 : tf_buffer_u1)(out, operand);
        (wide ? tf_buffer_u2 : tf_buffer_u1)(out, second);
        break;
    case FORMAT_BRANCH2: tf_buffer_u2(out, distance); break;
    case FORMAT_BRANCH4: tf_buffer_u4(out, distance); break;
    case FORMAT_TABLE: case FORMAT_LOOKUP: write_switch(insn, out); break;
    case FORMAT_INTERFACE:
        tf_buffer_u2(out, operand);
        tf_buffer_u1(out, second);
        tf_buffer_u1(out, 0);
        break;
    case FORMAT_DYNAMIC:
        tf_buffer_u2(out, operand);
        tf_buffer_u2(out, 0);
        break;
    case FORMAT_MULTI:
        tf_buffer_u2(out, operand);
        tf_buffer_u1(out, second);
        break;
    default: break;
    }
}

static void
write_handlers(const struct tf_code *code, struct tf_buffer *out)
{
    unsigned count = 0;

    /* What covers nothing any more is no valid row (JVMS 4.7.3). */
    for (const struct tf_handler *h = code->handlers; h != NULL; h = h->next)
        count += h->start->pc < h->end->pc;
    tf_buffer_u2(out, count);
    for (const struct tf_handler *h = code->handlers; h != NULL; h = h->next)
        if (h->start->pc < h->end->pc) {
            tf_buffer_u2(out, h->start->pc);
            tf_buffer_u2(out, h->end->pc);
            tf_buffer_u2(out, h->handler->pc);
            tf_buffer_u2(out, h->class_index);
        }
}

/* -- tables -- */

static void
write_lines(const struct tf_code *code, struct tf_buffer *out)
{
    unsigned count = 0;

    for (const struct tf_line *line = code->lines; line != NULL; line = line->next)
        count++;
    tf_buffer_u2(out, count);
    for (const struct tf_line *line = code->lines; line != NULL; line = line->next) {
        tf_buffer_u2(out, line->start->pc);
        tf_buffer_u2(out, line->line);
    }
}

static void
write_variables(const struct tf_variable *rows, struct tf_buffer *out)
{
    unsigned count = 0;

    for (const struct tf_variable *row = rows; row != NULL; row = row->next)
        count++;
    tf_buffer_u2(out, count);
    for (; rows != NULL; rows = rows->next) {
        tf_buffer_u2(out, rows->start->pc);
        tf_buffer_u2(out, rows->end->pc - rows->start->pc);
        tf_buffer_u2(out, rows->name_index);
        tf_buffer_u2(out, rows->descriptor_index);
        tf_buffer_u2(out, rows->slot);
    }
}

static void
write_types(struct tf_class *c, struct tf_buffer *out, const struct tf_type *types,
            unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tf_buffer_u1(out, types[i].tag);
        if (types[i].tag == TF_TYPE_OBJECT)
            tf_buffer_u2(out, types[i].class_index != 0 ? types[i].class_index
                         : tf_constant_class(c, types[i].class_name));
        else if (types[i].tag == TF_TYPE_UNINITIALIZED)
            tf_buffer_u2(out, types[i].creation->pc);
    }
}

static bool
same_type(const struct tf_type *a, const struct tf_type *b)
{
    return a->tag == b->tag && a->creation == b->creation
        && (a->tag != TF_TYPE_OBJECT || strcmp(a->class_name, b->class_name) == 0);
}

/* How many of the locals are the same from the first on. */
static unsigned
common_locals(const struct tf_frame *a, const struct tf_frame *b)
{
    unsigned i = 0;

    while (i < a->local_count && i < b->local_count
           && same_type(&a->locals[i], &b->locals[i]))
        i++;
    return i;
}

/* A frame in the shortest form that says how it differs from the one before. */
static void
write_frame(struct tf_class *c, struct tf_buffer *out, const struct tf_frame *before,
            const struct tf_frame *frame, unsigned delta)
{
    unsigned same = common_locals(before, frame);
    unsigned more = frame->local_count - same, fewer = before->local_count - same;

    if (more == 0 && fewer == 0 && frame->stack_count <= 1) {
        unsigned base = frame->stack_count * 64;

        tf_buffer_u1(out, delta < 64 ? base + delta : base == 0 ? 251 : 247);
        if (delta >= 64)
            tf_buffer_u2(out, delta);
        write_types(c, out, frame->stack, frame->stack_count);
    } else if (frame->stack_count == 0 && (more == 0 || fewer == 0)
               && more + fewer <= 3) {
        tf_buffer_u1(out, 251 + more - fewer);
        tf_buffer_u2(out, delta);
        write_types(c, out, frame->locals + same, more);
    } else {
        tf_buffer_u1(out, 255);
        tf_buffer_u2(out, delta);
        tf_buffer_u2(out, frame->local_count);
        write_types(c, out, frame->locals, frame->local_count);
        tf_buffer_u2(out, frame->stack_count);
        write_types(c, out, frame->stack, frame->stack_count);
    }
}

/* The rows of StackMapTable: how many. */
static unsigned
write_frames(struct tf_code *code, struct tf_buffer *rows)
{
    const struct tf_frame *before = tf_frame_of_arguments(code);
    unsigned count = 0;
    uint32_t last = 0;

    for (struct tf_insn *insn = code->first; before != NULL && insn != NULL;
         insn = insn->next) {
        /* Of several labels at one place the first one speaks. */
        if (insn->frame == NULL || (count > 0 && insn->pc == last))
            continue;
        write_frame(code->owner, rows, before, insn->frame,
                    count == 0 ? insn->pc : insn->pc - last - 1);
        before = insn->frame;
        last = insn->pc;
        count++;
    }
    return count;
}

/* Fill the attribute of this name, which is added if it is needed and not there. */
static void
store(struct tf_code *code, const char *name, struct tf_buffer *content, bool needed)
{
    struct tf_attribute **link = &code->attributes;
    struct tf_attribute *attribute;

    while (*link != NULL && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    if (*link == NULL && needed) {
        attribute = (struct tf_attribute *)tf_class_allocate(code->owner,
                                                             sizeof *attribute);
        if (attribute != NULL) {
            attribute->name = name;
            attribute->name_index = tf_constant_utf8(code->owner, name);
        }
        *link = attribute;
    }
    attribute = *link;
    if (attribute == NULL) {
        tf_buffer_release(content);
        return;
    }
    attribute->bytes = tf_class_adopt(code->owner, content, &attribute->length);
    /* Further ones of the name went into the first. */
    for (link = &attribute->next; *link != NULL; )
        if (strcmp((*link)->name, name) == 0)
            *link = (*link)->next;
        else
            link = &(*link)->next;
}

static void
store_tables(struct tf_code *code)
{
    struct tf_buffer content, rows;
    unsigned count;

    tf_buffer_init(&content);
    write_lines(code, &content);
    store(code, "LineNumberTable", &content, code->lines != NULL);
    write_variables(code->variables, &content);
    store(code, "LocalVariableTable", &content, code->variables != NULL);
    write_variables(code->variable_types, &content);
    store(code, "LocalVariableTypeTable", &content, code->variable_types != NULL);
    if (code->owner->major < 50)
        return;
    tf_buffer_init(&rows);
    count = write_frames(code, &rows);
    tf_buffer_u2(&content, count);
    tf_buffer_add(&content, rows.bytes, rows.length);
    content.failed |= rows.failed;
    tf_buffer_release(&rows);
    store(code, "StackMapTable", &content, count > 0);
}

bool
tf_code_encode(struct tf_code *code)
{
    struct tf_attribute *attribute =
        tf_attribute_find(code->method->attributes, "Code");
    struct tf_class *c = code->owner;
    struct tf_buffer out;
    uint32_t length;

    do
        length = place(code);
    while (!c->failed && widen(code));
    if (!c->failed && length == 0)
        fail(code, "a method without code");
    if (code->max_stack + code->reserved > 65535 || code->max_locals > 65535)
        fail(code, "over 65535 operands or locals");
    if (c->failed)
        return false;
    tf_buffer_init(&out);
    tf_buffer_u2(&out, code->max_stack + code->reserved);
    tf_buffer_u2(&out, code->max_locals);
    tf_buffer_u4(&out, length);
    for (const struct tf_insn *insn = code->first; insn != NULL; insn = insn->next)
        if (insn->opcode != TF_LABEL)
            write_insn(insn, &out);
    write_handlers(code, &out);
    store_tables(code);
    if (!c->failed)
        tf_write_attributes(&out, code->attributes);
    attribute->bytes = tf_class_adopt(c, &out, &attribute->length);
    return !c->failed;
}
