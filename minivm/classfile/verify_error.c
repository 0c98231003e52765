/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify_error.c -- the messages of VerifyErrors.
 *
 * A message has a first line that says what is wrong, and then details: where, the
 * reason, the current frame and the map that it was compared with, the bytecodes, the
 * exception table and the StackMapTable.  The layout is HotSpot's, since programs and
 * people search these messages.  verifier_fail collects all of it; each print_...
 * function appends one part.
 */

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/parse.h"
#include "classfile/verifier.h"

static const char *const kind_names[] = {
    [V_TOP] = "top",
    [V_INT] = "integer",
    [V_FLOAT] = "float",
    [V_LONG] = "long",
    [V_LONG_2ND] = "long_2nd",
    [V_DOUBLE] = "double",
    [V_DOUBLE_2ND] = "double_2nd",
    [V_NULL] = "null",
    [V_UNINITIALIZED_THIS] = "uninitializedThis",
    [V_BOOLEAN] = "boolean",
    [V_BYTE] = "byte",
    [V_SHORT] = "short",
    [V_CHAR] = "char",
    [V_ANY_REFERENCE] = "reference type",
    [V_ANY_CATEGORY1] = "category1 type",
    [V_ANY_CATEGORY2] = "category2 type",
    [V_ANY_CATEGORY2_2ND] = "category2_2nd type",
};

/* Prints a verification type: "'java/lang/String'", "integer", "uninitialized 12". */
static void
print_type(struct buf *b, const struct vtype *t)
{
    switch (t->kind) {
    case V_OBJECT: buf_printf(b, "'%s'", t->name->bytes); break;
    case V_UNINITIALIZED: buf_printf(b, "uninitialized %u", t->bci); break;
    default: buf_append_string(b, kind_names[t->kind]);
    }
}

/* Prints a type and where it comes from. */
static void
print_origin(struct buf *b, const struct vorigin *o)
{
    static const char *const origins[] = {
        [FROM_NOWHERE] = "",
        [FROM_LOCALS] = " (current frame, locals[%u])",
        [FROM_STACK] = " (current frame, stack[%u])",
        [FROM_MAP_LOCALS] = " (stack map, locals[%u])",
        [FROM_MAP_STACK] = " (stack map, stack[%u])",
        [FROM_POOL] = " (constant pool %u)",
        [FROM_SIGNATURE] = " (from method signature)",
        [FROM_CONTEXT] = "",
        [FROM_FRAME] = "",
    };

    print_type(b, &o->type);
    buf_printf(b, origins[o->kind], o->index);
}

/* Prints the method, the bci and the opcode there.  The bci may be the end of the code,
   when control falls through it. */
static void
print_location(struct buf *b, const struct verifier *v, uint32_t bci)
{
    const char *name = "<invalid>";

    if (bci < v->m->code_length) {
        name = opcode_table[v->m->code[bci]].name;
        if (!name)
            name = "<illegal>";
    }
    buf_printf(b, "  Location:\n    %s.%s%s @%u: %s\n", v->cf->this_class->bytes,
               v->m->name->bytes, v->m->descriptor->bytes, bci, name);
}

/* Prints what went wrong.  For types that is the one that was found and, if there is
   one, the one that was wanted; a reason with %u is about a constant or local, whose
   index is found.index. */
static void
print_reason(struct buf *b, const struct vcontext *c)
{
    static const char *const reasons[] = {
        [FAULT_CODE] = "Error exists in the bytecode",
        [FAULT_FLAGS] = "Current frame's flags are not assignable to stack map "
                        "frame's.",
        [FAULT_CP_INDEX] = "Constant pool index %u is invalid",
        [FAULT_LOCAL_INDEX] = "Local index %u is invalid",
        [FAULT_STACK_SIZE] = "Current frame's stack size doesn't match stackmap.",
        [FAULT_OVERFLOW] = "Exceeded max stack size.",
        [FAULT_UNDERFLOW] = "Attempt to pop empty stack.",
        [FAULT_MISSING_MAP] = "Expected stackmap frame at this location.",
        [FAULT_BAD_MAP] = "Invalid stackmap specification.",
    };
    bool is_wanted = c->wanted.kind != FROM_NOWHERE;

    buf_append_string(b, "  Reason:\n    ");
    if (c->fault == FAULT_TYPE) {
        buf_append_string(b, is_wanted ? "Type " : "Invalid type: ");
        print_origin(b, &c->found);
        if (is_wanted) {
            buf_append_string(b, " is not assignable to ");
            print_origin(b, &c->wanted);
        }
    } else {
        buf_printf(b, reasons[c->fault], c->found.index);
    }
    buf_append_string(b, "\n");
}

static void
print_types(struct buf *b, const char *what, const struct vtype *types, uint32_t count)
{
    buf_printf(b, "    %s: {", what);
    for (uint32_t i = 0; i < count; i++) {
        buf_append_string(b, i == 0 ? " " : ", ");
        print_type(b, &types[i]);
    }
    buf_append_string(b, " }\n");
}

/* Prints a frame.  The current frame has the operands from before the instruction, as
   far as the instruction has not overwritten them. */
static void
print_frame(struct buf *b, const struct verifier *v, const char *title,
            const struct vframe *f)
{
    if (!f)
        return;
    buf_printf(b, "  %s:\n    bci: @%u\n    flags: {%s }\n", title, f->bci,
               f->this_uninit ? " flagThisUninit" : "");
    print_types(b, "locals", f->locals, f->locals_size);
    print_types(b, "stack", f->stack,
                f == &v->current ? v->stack_size_before : f->stack_size);
}

/* Prints the code in hexadecimal, 16 bytes a line.  The last line is filled up with
   blanks; if the code ends with a full line, one without bytes follows. */
static void
print_bytecode(struct buf *b, const struct cf_method *m)
{
    uint32_t limit = (m->code_length + 16) / 16 * 16;

    buf_append_string(b, "  Bytecode:\n");
    for (uint32_t i = 0; i < limit; i++) {
        if (i % 16 == 0)
            buf_printf(b, "    %07x:", i);
        if (i % 2 == 0)
            buf_append_string(b, " ");
        if (i < m->code_length)
            buf_printf(b, "%02x", m->code[i]);
        else
            buf_append_string(b, "  ");
        if (i % 16 == 15)
            buf_append_string(b, "\n");
    }
}

static void
print_handlers(struct buf *b, const struct cf_method *m)
{
    if (m->handler_count == 0)
        return;
    buf_append_string(b, "  Exception Handler Table:\n");
    for (unsigned i = 0; i < m->handler_count; i++)
        buf_printf(b, "    bci [%u, %u] => handler: %u\n", m->handlers[i].start_pc,
                   m->handlers[i].end_pc, m->handlers[i].handler_pc);
}

/* Prints count verification_type_infos as they are in the class file.  Tags 7 and 8
   have an operand of two bytes. */
static void
print_items(struct buf *b, struct reader *r, unsigned count)
{
    static const char *const formats[] = { "Top",
                                           "Integer",
                                           "Float",
                                           "Double",
                                           "Long",
                                           "Null",
                                           "UninitializedThis",
                                           "Object[#%u]",
                                           "Uninitialized[#%u]" };

    for (unsigned i = 0; i < count && !r->bad; i++) {
        unsigned tag = reader_u1(r);

        if (i > 0)
            buf_append_string(b, ",");
        if (tag < sizeof formats / sizeof formats[0])
            buf_printf(b, formats[tag], tag >= 7 ? reader_u2(r) : 0);
        else
            buf_printf(b, "BAD:%u", tag);
    }
}

/* Prints a frame as it is in the class file.  *at is the bci of the frame before it (-1
   before the first one) and becomes that of this one: offset_delta + 1 behind it, where
   types below 128 have the offset_delta in their lower six bits.  Returns false if it
   is malformed. */
static bool
print_raw_frame(struct buf *b, struct reader *r, int *at)
{
    /* Each kind of frame with the last of its types (JVMS 4.7.4); one kind is
       reserved. */
    static const struct {
        unsigned last;
        const char *name;
    } kinds[] = {
        { 63, "same_frame" },    { 127, "same_locals_1_stack_item_frame" },
        { 246, NULL },           { 247, "same_locals_1_stack_item_extended" },
        { 250, "chop_frame" },   { 251, "same_frame_extended" },
        { 254, "append_frame" }, { 255, "full_frame" },
    };
    unsigned type = reader_u1(r), kind = 0;
    size_t start;

    while (kinds[kind].last < type)
        kind++;
    if (r->bad || !kinds[kind].name)
        return false;
    *at += type < 128 ? (int)type % 64 + 1 : reader_u2(r) + 1;
    buf_printf(b, "%s(@%d", kinds[kind].name, *at);
    start = b->length;
    if (type >= 64 && type <= 247) {
        buf_append_string(b, ",");
        print_items(b, r, 1);
    } else if (type > 247 && type < 251) {
        buf_printf(b, ",%u", 251 - type);
    } else if (type > 251 && type < 255) {
        buf_append_string(b, ",");
        print_items(b, r, type - 251);
    } else if (type == 255) {
        buf_append_string(b, ",{");
        print_items(b, r, reader_u2(r));
        buf_append_string(b, "},{");
        print_items(b, r, reader_u2(r));
        buf_append_string(b, "}");
    }
    if (r->bad) {
        b->length = start;
        buf_append_string(b, "), output truncated, Stackmap exceeds table size.");
        return false;
    }
    buf_append_string(b, ")\n");
    return true;
}

/* Prints the StackMapTable, up to the first frame that is malformed. */
static void
print_stack_map(struct buf *b, const struct verifier *v)
{
    const struct cf_range *range = &v->m->stack_map;
    struct reader r;
    int at = -1;

    if (range->offset == 0)
        return;
    buf_append_string(b, "  Stackmap Table:\n");
    r = reader_of(v->cf->bytes + range->offset, range->length);
    for (unsigned n = reader_u2(&r); n > 0; n--) {
        buf_append_string(b, "    ");
        if (!print_raw_frame(b, &r, &at))
            return;
    }
}

static void
print_details(struct buf *b, const struct verifier *v, const struct vcontext *c)
{
    buf_append_string(b, "\nException Details:\n");
    print_location(b, v, c->bci);
    print_reason(b, c);
    print_frame(b, v, "Current Frame", c->found.frame);
    print_frame(b, v, "Stackmap Frame", c->wanted.frame);
    print_bytecode(b, v->m);
    print_handlers(b, v->m);
    print_stack_map(b, v);
}

/* Decides the result; the message, which the result owns, is what is in b.  fail_over
   allows a second try by type inference, which only a file of version 50 may have (JVMS
   4.10).  A second error takes the place of the first. */
static void
set_result(struct verifier *v, enum verify_status status, struct buf *b, bool fail_over)
{
    mem_free(v->result->message);
    v->result->status = status;
    v->result->message = (char *)buf_steal(b, NULL);
    v->result->fail_over = fail_over && v->cf->major < VERSION_METHOD_HANDLES;
}

bool
verifier_fail(struct verifier *v, const struct vcontext *context, const char *format,
              ...)
{
    struct buf b = { 0 };
    va_list args;

    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    print_details(&b, v, context);
    set_result(v, VERIFY_ERROR, &b, true);
    return false;
}

bool
verifier_fail_format(struct verifier *v, bool final, const char *format, ...)
{
    struct buf b = { 0 };
    va_list args;

    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    if (!final) {
        buf_append_string(&b, " in method '");
        descriptor_print_method(&b, v->class_name, v->m->name->bytes, v->m->descriptor);
        buf_append_string(&b, "'");
    }
    set_result(v, VERIFY_FORMAT, &b, !final);
    return false;
}

bool
verifier_no_memory(struct verifier *v)
{
    v->result->status = VERIFY_NO_MEMORY;
    return false;
}

void
verify_result_release(struct verify_result *result)
{
    mem_free(result->message);
    memset(result, 0, sizeof *result);
}
