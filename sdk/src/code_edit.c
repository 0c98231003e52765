/* SPDX-License-Identifier: MIT */
/* sdk/src/code_edit.c -- changes code that was taken apart. */
#include "classfile_impl.h"

#include <string.h>

/* -- instructions -- */

static struct tf_insn *
insert(struct tf_code *code, struct tf_insn *at, int opcode)
{
    struct tf_insn *insn =
        (struct tf_insn *)tf_class_allocate(code->owner, sizeof *insn);

    if (insn == NULL)
        return NULL;
    insn->opcode = opcode;
    insn->offset = -1;
    insn->next = at;
    insn->prev = at != NULL ? at->prev : code->last;
    *(insn->prev != NULL ? &insn->prev->next : &code->first) = insn;
    *(at != NULL ? &at->prev : &code->last) = insn;
    return insn;
}

struct tf_insn *
tf_emit(struct tf_code *code, struct tf_insn *at, int opcode)
{
    if (code == NULL || at == NULL || code->owner->failed)
        return NULL;
    return insert(code, at, opcode);
}

/* Only the first label of a method has nothing to stand before. */
struct tf_insn *
tf_emit_label(struct tf_code *code, struct tf_insn *at)
{
    if (code == NULL || code->owner->failed || (at == NULL && code->last != NULL))
        return NULL;
    return insert(code, at, TF_LABEL);
}

struct tf_insn *
tf_emit_operand(struct tf_code *code, struct tf_insn *at, int opcode, int32_t operand)
{
    struct tf_insn *insn = tf_emit(code, at, opcode);

    if (insn == NULL)
        return NULL;
    if (opcode == TF_OP_LDC && operand > 255)
        insn->opcode = TF_OP_LDC_W;
    insn->operand = operand;
    return insn;
}

struct tf_insn *
tf_emit_iinc(struct tf_code *code, struct tf_insn *at, unsigned local,
             int32_t increment)
{
    struct tf_insn *insn = tf_emit_operand(code, at, TF_OP_IINC, (int32_t)local);

    if (insn != NULL)
        insn->second = increment;
    return insn;
}

struct tf_insn *
tf_emit_int(struct tf_code *code, struct tf_insn *at, int32_t value)
{
    if (value >= -1 && value <= 5)
        return tf_emit(code, at, TF_OP_ICONST_0 + value);
    if (value >= -128 && value <= 127)
        return tf_emit_operand(code, at, TF_OP_BIPUSH, value);
    if (value >= -32768 && value <= 32767)
        return tf_emit_operand(code, at, TF_OP_SIPUSH, value);
    if (code == NULL)
        return NULL;
    return tf_emit_operand(code, at, TF_OP_LDC,
                           (int32_t)tf_constant_integer(code->owner, value));
}

struct tf_insn *
tf_emit_long(struct tf_code *code, struct tf_insn *at, int64_t value)
{
    if (code == NULL)
        return NULL;
    if (value == 0 || value == 1)
        return tf_emit(code, at, TF_OP_LCONST_0 + (int)value);
    return tf_emit_operand(code, at, TF_OP_LDC2_W,
                           (int32_t)tf_constant_long(code->owner, value));
}

struct tf_insn *
tf_emit_string(struct tf_code *code, struct tf_insn *at, const char *text)
{
    return code == NULL ? NULL
        : tf_emit_operand(code, at, TF_OP_LDC,
                          (int32_t)tf_constant_string(code->owner, text));
}

struct tf_insn *
tf_emit_class(struct tf_code *code, struct tf_insn *at, int opcode, const char *name)
{
    return code == NULL ? NULL
        : tf_emit_operand(code, at, opcode,
                          (int32_t)tf_constant_class(code->owner, name));
}

struct tf_insn *
tf_emit_field(struct tf_code *code, struct tf_insn *at, int opcode, const char *owner,
              const char *name, const char *descriptor)
{
    return code == NULL ? NULL
        : tf_emit_operand(code, at, opcode,
                          (int32_t)tf_constant_field(code->owner, owner, name,
                                                     descriptor));
}

struct tf_insn *
tf_emit_call(struct tf_code *code, struct tf_insn *at, int opcode, const char *owner,
             const char *name, const char *descriptor, bool of_interface)
{
    struct tf_insn *insn = code == NULL ? NULL
        : tf_emit_operand(code, at, opcode,
                          (int32_t)tf_constant_method(code->owner, owner, name,
                                                      descriptor, of_interface));

    if (insn != NULL && opcode == TF_OP_INVOKEINTERFACE)
        insn->second = (int32_t)tf_argument_slots(descriptor) + 1;
    return insn;
}

struct tf_insn *
tf_emit_jump(struct tf_code *code, struct tf_insn *at, int opcode,
             struct tf_insn *label)
{
    struct tf_insn *insn = label == NULL ? NULL : tf_emit(code, at, opcode);

    if (insn != NULL)
        insn->target = label;
    return insn;
}

void
tf_code_remove(struct tf_code *code, struct tf_insn *insn)
{
    if (insn == NULL || insn->opcode == TF_LABEL)
        return;
    *(insn->prev != NULL ? &insn->prev->next : &code->first) = insn->next;
    insn->next->prev = insn->prev;      /* a label ends the code */
}

void
tf_code_reserve(struct tf_code *code, unsigned more)
{
    if (code != NULL && code->reserved < more)
        code->reserved = more;
}

unsigned
tf_code_local(struct tf_code *code, unsigned slots)
{
    unsigned local = code == NULL ? 0 : code->max_locals;

    if (code != NULL)
        code->max_locals += slots;
    return local;
}

void
tf_code_catch(struct tf_code *code, struct tf_insn *start, struct tf_insn *end,
              struct tf_insn *handler, const char *name)
{
    struct tf_handler **link, *row;

    if (code == NULL || start == NULL || end == NULL || handler == NULL)
        return;
    row = (struct tf_handler *)tf_class_allocate(code->owner, sizeof *row);
    if (row == NULL)
        return;
    row->start = start;
    row->end = end;
    row->handler = handler;
    row->class_index = name == NULL ? 0 : tf_constant_class(code->owner, name);
    for (link = &code->handlers; *link != NULL; link = &(*link)->next)
        ;
    *link = row;
}

/* -- frames -- */

/* The length of the first type of a descriptor; 0 at its end. */
static size_t
type_length(const char *descriptor)
{
    size_t length = strspn(descriptor, "[");

    if (descriptor[length] == 'L')
        length += strcspn(descriptor + length, ";");
    return descriptor[length] == '\0' ? 0 : length + 1;
}

unsigned
tf_argument_slots(const char *descriptor)
{
    unsigned slots = 0;
    size_t length;

    for (const char *at = descriptor + 1; *at != ')' && (length = type_length(at)) > 0;
         at += length)
        slots += *at == 'J' || *at == 'D' ? 2 : 1;
    return slots;
}

/* The type of an argument; text is `length` bytes of a descriptor. */
static struct tf_type
argument_type(struct tf_class *c, const char *text, size_t length)
{
    struct tf_type type = { TF_TYPE_INT, 0, NULL, NULL };
    char *name;

    switch (*text) {
    case 'J': type.tag = TF_TYPE_LONG; break;
    case 'F': type.tag = TF_TYPE_FLOAT; break;
    case 'D': type.tag = TF_TYPE_DOUBLE; break;
    case 'L': case '[':
        type.tag = TF_TYPE_OBJECT;
        if (*text == 'L') {
            text++;
            length -= 2;
        }
        name = (char *)tf_class_allocate(c, length + 1);
        if (name != NULL)
            memcpy(name, text, length);
        type.class_name = name;
        break;
    default: break;
    }
    return type;
}

struct tf_frame *
tf_frame_of_arguments(struct tf_code *code)
{
    struct tf_class *c = code->owner;
    const struct tf_member *method = code->method;
    struct tf_frame *frame = (struct tf_frame *)tf_class_allocate(c, sizeof *frame);
    struct tf_type *at;
    size_t length;

    if (frame == NULL)
        return NULL;
    length = tf_argument_slots(method->descriptor) + 1;
    at = (struct tf_type *)tf_class_allocate(c, length * sizeof *at);
    if (at == NULL)
        return NULL;
    frame->locals = at;
    if (!(method->access & TF_ACC_STATIC)) {
        bool uninitialized = strcmp(method->name, "<init>") == 0
            && strcmp(tf_class_name(c), "java/lang/Object") != 0;

        at->tag = uninitialized ? TF_TYPE_UNINITIALIZED_THIS : TF_TYPE_OBJECT;
        at->class_index = uninitialized ? 0 : c->this_index;
        at++->class_name = uninitialized ? NULL : tf_class_name(c);
    }
    for (const char *text = method->descriptor + 1;
         *text != ')' && (length = type_length(text)) > 0; text += length)
        *at++ = argument_type(c, text, length);
    frame->local_count = (unsigned)(at - frame->locals);
    frame->stack = at;
    return c->failed ? NULL : frame;
}

void
tf_frame_initial(struct tf_code *code, struct tf_insn *label)
{
    if (label != NULL)
        label->frame = tf_frame_of_arguments(code);
}

void
tf_frame_handler(struct tf_code *code, struct tf_insn *label, const char *name)
{
    struct tf_frame *frame;

    if (label == NULL)
        return;
    frame = (struct tf_frame *)tf_class_allocate(code->owner, sizeof *frame
                                                              + sizeof *frame->stack);
    if (frame == NULL)
        return;
    frame->stack_count = 1;
    frame->locals = frame->stack = (struct tf_type *)(frame + 1);
    frame->stack->tag = TF_TYPE_OBJECT;
    frame->stack->class_index = tf_constant_class(code->owner, name);
    frame->stack->class_name = tf_constant_text(code->owner, frame->stack->class_index);
    label->frame = frame;
}

void
tf_frame_copy(struct tf_code *code, struct tf_insn *label, const struct tf_insn *other)
{
    (void)code;
    if (label != NULL && other != NULL)
        label->frame = other->frame;    /* frames are never changed */
}

/* -- looking around -- */

struct tf_insn *
tf_code_after_super(struct tf_code *code)
{
    struct tf_insn *insn = code == NULL ? NULL : code->first;
    unsigned created = 0;

    if (insn == NULL || strcmp(code->method->name, "<init>") != 0)
        return insn;
    /* Objects that are made for the call's arguments have constructors called, too: as
       often as there was a `new`. */
    for (; insn != NULL; insn = insn->next) {
        const char *name;

        if (insn->opcode == TF_OP_NEW)
            created++;
        else if (insn->opcode == TF_OP_INVOKESPECIAL
                 && tf_constant_member(code->owner, (unsigned)insn->operand, NULL,
                                       &name, NULL)
                 && name != NULL && strcmp(name, "<init>") == 0 && created-- == 0)
            return insn->next;
    }
    return NULL;
}

unsigned
tf_code_line(const struct tf_code *code, const struct tf_insn *insn)
{
    const struct tf_line *best = NULL;

    while (insn != NULL && insn->offset < 0)
        insn = insn->next;
    for (const struct tf_line *line = code->lines; insn != NULL && line != NULL;
         line = line->next)
        if (line->start->offset <= insn->offset
            && (best == NULL || line->start->offset >= best->start->offset))
            best = line;
    return best == NULL ? 0 : best->line;
}
