/* SPDX-License-Identifier: MIT */
/* The class-file module on classes made here; rewriter.t has real ones. */
#include <stdlib.h>

#include <tiforge/classfile.h>

#include "tap.h"

/* class p/C extends java/lang/Object, version 52, without members. */
static const unsigned char empty_class[] =
    "\xca\xfe\xba\xbe\0\0\0\x34\0\5"
    "\1\0\3p/C" "\7\0\1" "\1\0\20java/lang/Object" "\7\0\3"
    "\0\x21\0\2\0\4\0\0\0\0\0\0\0\0";

static struct tf_class *
make(void)
{
    return tf_class_parse(empty_class, sizeof empty_class - 1);
}

static struct tf_code *
add_method(struct tf_class *c, const char *name, const char *descriptor)
{
    struct tf_member *method =
        tf_class_add_method(c, TF_ACC_PUBLIC | TF_ACC_STATIC, name, descriptor);

    return tf_class_code(c, method);
}

/* The class written and parsed again. */
static struct tf_class *
again(struct tf_class *c)
{
    struct tf_buffer out;
    struct tf_class *copy;

    tf_buffer_init(&out);
    if (!ok(tf_class_write(c, &out), "the class can be written"))
        printf("# %s\n", tf_class_error(c));
    copy = tf_class_parse(out.bytes != NULL ? (void *)out.bytes : (void *)"", out.length);
    ok(tf_class_error(copy) == NULL, "and read again");
    tf_buffer_release(&out);
    tf_class_free(c);
    return copy;
}

static void
test_header(void)
{
    struct tf_class *c = make();
    struct tf_buffer out;

    ok(tf_class_error(c) == NULL, "an empty class");
    is_text(tf_class_name(c), "p/C", "its name");
    is_text(tf_class_super(c), "java/lang/Object", "its superclass");
    is_int(tf_class_version(c), 52, "its version");
    is_int(tf_class_access(c), 0x21, "its flags");
    ok(tf_class_interface(c, 0) == NULL && tf_class_source(c) == NULL
       && tf_class_methods(c) == NULL, "what it has not");
    tf_buffer_init(&out);
    ok(tf_class_write(c, &out) && out.length == sizeof empty_class - 1
       && memcmp(out.bytes, empty_class, out.length) == 0, "it is written as it was");
    tf_buffer_release(&out);
    tf_class_free(c);
}

static void
test_constants(void)
{
    struct tf_class *c = make();
    const char *owner, *name, *descriptor;
    unsigned method = tf_constant_method(c, "p/D", "m", "()V", true), after;

    is_int(tf_constant_utf8(c, "p/C"), 1, "an equal entry is found");
    is_int(tf_constant_class(c, "java/lang/Object"), 4, "a class, too");
    is_int(tf_constant_method(c, "p/D", "m", "()V", true), method, "a method, too");
    ok(tf_constant_method(c, "p/D", "m", "()V", false) != method, "another kind is not");
    is_int(tf_constant_tag(c, method), 11, "the tag of an interface's method");
    ok(tf_constant_member(c, method, &owner, &name, &descriptor), "its parts");
    is_text(owner, "p/D", "owner");
    is_text(name, "m", "name");
    is_text(descriptor, "()V", "descriptor");
    after = tf_constant_long(c, -1) + 2;
    is_int(tf_constant_integer(c, 5), after, "a long takes two");
    is_text(tf_constant_text(c, tf_constant_string(c, "s")), "s", "a string");
    ok(tf_constant_text(c, 0) == NULL && tf_constant_text(c, 70000) == NULL
       && !tf_constant_member(c, 1, NULL, NULL, NULL), "wrong indices");
    for (int i = 0; i < 70000 && tf_class_error(c) == NULL; i++)
        tf_constant_integer(c, i);
    is_text(tf_class_error(c), "the constant pool is full", "at 65535 it is full");
    tf_class_free(c);
}

/* `nops` bytes between a jump and its target. */
static struct tf_class *
far_jump(int opcode, int nops)
{
    struct tf_class *c = make();
    struct tf_code *code = add_method(c, "far", "()V");
    struct tf_insn *end = tf_emit_label(code, code->last);

    tf_frame_initial(code, end);
    if (opcode != TF_OP_GOTO)
        tf_emit(code, end, TF_OP_ICONST_0);
    tf_emit_jump(code, end, opcode, end);
    for (int i = 0; i < nops; i++)
        tf_emit(code, end, TF_OP_NOP);
    tf_emit(code, code->last, TF_OP_RETURN);
    tf_code_reserve(code, 1);
    return c;
}

static void
test_jumps(void)
{
    struct tf_class *c = again(far_jump(TF_OP_GOTO, 32764));
    struct tf_code *code = tf_class_code(c, tf_class_find_method(c, "far", NULL));
    struct tf_buffer out;

    is_int(code->first->opcode, TF_OP_GOTO, "32767 bytes are a goto");
    is_int(code->first->target->offset, 32767, "to its target");
    tf_class_free(c);
    c = again(far_jump(TF_OP_GOTO, 32765));
    code = tf_class_code(c, tf_class_find_method(c, "far", NULL));
    is_int(code->first->opcode, TF_OP_GOTO_W, "more are a goto_w");
    is_int(code->first->target->offset, 32770, "to its target");
    ok(code->first->target->frame != NULL, "where the frame is");
    tf_class_free(c);
    tf_buffer_init(&out);
    c = far_jump(TF_OP_IFEQ, 32765);
    ok(!tf_class_write(c, &out), "a conditional jump that is too long is an error");
    is_text(tf_class_error(c), "far.()V: a conditional jump is over 32767 bytes long",
            "which says so");
    tf_class_free(c);
    c = far_jump(TF_OP_GOTO, 65531);
    ok(!tf_class_write(c, &out), "and so is too much code");
    is_text(tf_class_error(c), "far.()V: the code is over 65535 bytes long",
            "which says so");
    tf_class_free(c);
    tf_buffer_release(&out);
}

static void
test_operands(void)
{
    struct tf_class *c = make();
    struct tf_code *code = add_method(c, "f", "(JI)I");
    struct tf_insn *insn;
    static const int want[] = {
        TF_OP_ICONST_M1, TF_OP_BIPUSH, TF_OP_SIPUSH, TF_OP_LDC, TF_OP_ILOAD, TF_OP_ISTORE,
        TF_OP_IINC, TF_OP_IINC, TF_OP_LCONST_1, TF_OP_LDC2_W, TF_OP_LDC_W,
        TF_OP_INVOKEINTERFACE, TF_OP_IRETURN
    };
    size_t i = 0;

    is_int(code->max_locals, 3, "a method's parameters are its first locals");
    is_int(tf_code_local(code, 2), 3, "a new local comes behind them");
    is_int(code->max_locals, 5, "and takes its slots");
    tf_emit_int(code, code->last, -1);
    tf_emit_int(code, code->last, -128);
    tf_emit_int(code, code->last, 32767);
    tf_emit_int(code, code->last, 32768);
    tf_emit_operand(code, code->last, TF_OP_ILOAD, 255);
    tf_emit_operand(code, code->last, TF_OP_ISTORE, 256);
    tf_emit_iinc(code, code->last, 2, -128);
    tf_emit_iinc(code, code->last, 2, 1000);
    tf_emit_long(code, code->last, 1);
    tf_emit_long(code, code->last, 2);
    while (tf_constant_integer(c, 100000 + (int)i) < 300)
        i++;
    tf_emit_string(code, code->last, "text");
    tf_emit_call(code, code->last, TF_OP_INVOKEINTERFACE, "p/I", "m", "(JLp/C;[D)V", true);
    tf_emit(code, code->last, TF_OP_IRETURN);
    c = again(c);
    code = tf_class_code(c, tf_class_find_method(c, "f", "(JI)I"));
    i = 0;
    for (insn = code->first; insn != NULL; insn = insn->next)
        if (insn->opcode != TF_LABEL && (i >= 13 || insn->opcode != want[i++]))
            break;
    ok(insn == NULL && i == 13, "each value in its shortest form");
    insn = code->first->next;
    is_int(insn->operand, -128, "a byte");
    is_int((insn = insn->next)->operand, 32767, "a short");
    is_int((insn = insn->next->next)->operand, 255, "a local");
    ok((insn = insn->next)->operand == 256 && insn->wide, "a wide one");
    is_int((insn = insn->next)->second, -128, "an increment");
    ok((insn = insn->next)->second == 1000 && insn->wide, "a wide one");
    insn = code->last->prev->prev;
    is_int(insn->second, 5, "slots of an interface call");
    is_text(tf_opcode_name(insn->opcode), "invokeinterface", "the name of an opcode");
    ok(tf_opcode_name(TF_LABEL) == NULL && tf_opcode_name(0xfe) == NULL, "no opcodes");
    tf_class_free(c);
}

static void
test_handlers(void)
{
    struct tf_class *c = make();
    struct tf_code *code = add_method(c, "f", "()V");
    struct tf_insn *start = tf_emit_label(code, code->last), *end, *nop;

    nop = tf_emit(code, code->last, TF_OP_NOP);
    tf_emit(code, code->last, TF_OP_RETURN);
    end = tf_emit_label(code, code->last);
    tf_frame_handler(code, end, "p/E");
    tf_emit(code, code->last, TF_OP_ATHROW);
    tf_code_catch(code, start, end, end, "p/E");
    tf_code_catch(code, end, end, end, NULL);
    tf_code_reserve(code, 1);
    tf_code_remove(code, nop);
    tf_code_remove(code, start);
    c = again(c);
    code = tf_class_code(c, tf_class_find_method(c, "f", NULL));
    ok(code->handlers != NULL && code->handlers->next == NULL,
       "a handler that covers nothing is left out");
    is_int(code->handlers->end->offset, 1, "removed code is gone");
    is_text(tf_constant_text(c, code->handlers->class_index), "p/E", "what it catches");
    ok(code->handlers->handler->frame != NULL
       && code->handlers->handler->frame->stack_count == 1, "its frame");
    is_int(code->max_stack, 1, "the stack");
    tf_class_free(c);
}

/* A class with some of everything. */
static void
write_rich_class(struct tf_buffer *out)
{
    struct tf_class *c = make();
    struct tf_code *code = add_method(c, "f", "(JLp/C;[D)V");
    struct tf_insn *end = tf_emit_label(code, code->last);

    tf_frame_initial(code, end);
    tf_emit_class(code, end, TF_OP_NEW, "p/D");
    tf_emit(code, end, TF_OP_POP);
    tf_emit_int(code, end, 100000);
    tf_emit_jump(code, end, TF_OP_IFEQ, end);
    tf_emit_field(code, end, TF_OP_GETSTATIC, "p/C", "x", "I");
    tf_emit(code, end, TF_OP_POP);
    tf_emit(code, code->last, TF_OP_RETURN);
    tf_code_catch(code, code->first, end, end, NULL);
    tf_class_add_field(c, TF_ACC_STATIC, "x", "I");
    tf_class_write(c, out);
    tf_class_free(c);
}

/* Input that is damaged gives an error or a class, never more. */
static void
survive(const unsigned char *bytes, size_t length)
{
    struct tf_class *c = tf_class_parse(bytes, length);
    struct tf_buffer out;

    for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next)
        if (m->name != NULL && m->descriptor != NULL)
            tf_class_code(c, m);
    tf_buffer_init(&out);
    tf_class_write(c, &out);
    tf_buffer_release(&out);
    tf_class_free(c);
}

static void
test_damage(void)
{
    struct tf_buffer out;
    struct tf_class *c;
    unsigned char *bytes;
    unsigned refused = 0;

    tf_buffer_init(&out);
    write_rich_class(&out);
    for (size_t length = 0; length < out.length; length++) {
        /* A copy of that length, so that reading behind it is seen. */
        bytes = (unsigned char *)malloc(length + 1);
        memcpy(bytes, out.bytes, length);
        c = tf_class_parse(bytes, length);
        refused += tf_class_error(c) != NULL;
        tf_class_free(c);
        free(bytes);
    }
    is_int(refused, out.length, "each shorter file is refused");
    bytes = (unsigned char *)malloc(out.length);
    for (size_t at = 0; at < out.length; at++)
        for (int value = 0; value < 256; value++) {
            memcpy(bytes, out.bytes, out.length);
            bytes[at] = (unsigned char)value;
            survive(bytes, out.length);
        }
    ok(true, "each byte may have each value");
    free(bytes);
    tf_buffer_release(&out);
    c = tf_class_parse("\xca\xfe\xba\xbe\0\0\0\x34\0\2\5\0\0\0\0\0\0\0\0\0\1\0\0\0\0"
                       "\0\0\0\0\0\0\0\0", 33);
    is_text(tf_class_error(c), "a long at the end of the constant pool",
            "a long needs two indices");
    tf_class_free(c);
}

int
main(void)
{
    test_header();
    test_constants();
    test_jumps();
    test_operands();
    test_handlers();
    test_damage();
    return tap_done();
}
