/* SPDX-License-Identifier: MIT */
/* minivm/test/descriptor-t.c -- descriptors, names and the opcode table. */

#include "classfile/descriptor.h"

#include <string.h>

#include "base/mem.h"
#include "classfile/opcode.h"
#include "test/tap.h"

static void
test_fields(void)
{
    static const char *const good[] = { "I", "Z", "J", "[I", "Ljava/lang/String;",
                                        "[[[Lp/A;", "LA;", "L-1 (;" };
    static const char *const bad[] = { "", "V", "[V", "[", "L;", "LA", "Ljava//A;",
                                       "L/A;",
                                       "LA/;", "II", "X", "LA.B;", "L[A;", "LA;I",
                                           "(I)V" };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ok(descriptor_is_field(good[i], strlen(good[i]), 61), "'%s' is a field's",
           good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!descriptor_is_field(bad[i], strlen(bad[i]), 61), "'%s' is none", bad[i]);
    ok(!descriptor_is_field("L-1;", 4, 48), "'L-1;' is none before version 49");
    ok(descriptor_is_field("L\xc3\xa9;", 4, 48), "letters beyond ASCII are");
}

static void
test_dimensions(void)
{
    char text[300];

    memset(text, '[', sizeof text);
    text[255] = 'I';
    ok(descriptor_is_field(text, 256, 61), "255 dimensions");
    text[255] = '[';
    text[256] = 'I';
    ok(!descriptor_is_field(text, 257, 61), "256 dimensions are too many");
}

static void
test_methods(void)
{
    static const char *const good[] = { "()V", "(IJ[D)Ljava/lang/Object;", "(LA;)[I",
                                        "(L(V);)LA)B;" };
    static const char *const bad[] = { "", "(", "()", "()VV", "(V)V", "V", "()X", "(I",
                                       "(LA)V", "()LA", "I()V", "([)V" };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ok(descriptor_is_method(good[i], strlen(good[i]), 61), "'%s' is a method's",
           good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!descriptor_is_method(bad[i], strlen(bad[i]), 61), "'%s' is none", bad[i]);
}

static void
test_walk(void)
{
    const struct symbol *s = symbol_of("(IJ[[DLjava/lang/String;Z)Lp/R;");
    struct descriptor_iter it = descriptor_parameters(s);
    struct descriptor_type type;
    char kinds[16] = "";
    size_t n = 0, length;
    const char *name;

    while (descriptor_next(&it, &type)) {
        kinds[n++] = type.kind;
        if (type.kind == '[')
            is_int(type.dimensions, 2, "dimensions are counted");
        if (type.kind == 'L') {
            name = descriptor_class_text(&type, &length);
            is_bytes(name, length, "java/lang/String", 16, "a class is named");
        }
    }
    is_string(kinds, "IJ[LZ", "the parameters come in order");
    ok(descriptor_return(s, &type) && type.kind == 'L' && type.length == 5,
       "the return type is found");
    is_int(descriptor_arg_slots(s), 6, "a long takes two slots");
    is_int(descriptor_arg_count(s), 5, "parameters are counted");
    is_int(descriptor_arg_slots(symbol_of("(IX)V")), -1,
           "a bad descriptor has no count");
    ok(!descriptor_return(symbol_of("(I"), &type), "nor a return type");
    ok(descriptor_return(symbol_of("()LA)B;"), &type) && type.kind == 'L',
       "a parenthesis may be in a name");
    is_int(descriptor_kind_slots('D') + descriptor_kind_slots('I') +
               descriptor_kind_slots('V'), 3, "slots by kind");
}

static bool
method(const char *name, unsigned major)
{
    return name_is_method(name, strlen(name), major);
}

static void
test_names(void)
{
    ok(method("<init>", 61) && method("<clinit>", 45), "<init> and <clinit>");
    ok(!method("<other>", 61) && !method("a<b", 61), "no other name with <");
    ok(method("a-b c", 61) && !method("a-b", 48), "nearly anything since version 49");
    ok(!method("a.b", 61) && !method("a;", 61) && !method("a/b", 61) &&
           !method("a[", 61) && !method("", 61), "but . ; / [ and nothing");
    ok(name_is_field("<x>", 3, 61) && !name_is_field("9a", 2, 48), "fields likewise");
    ok(!name_is_field("a\0.b", 4, 61), "a zero byte hides nothing");
    ok(name_is_class("java/lang/A", 11, 61) && name_is_class("[[I", 3, 61) &&
           name_is_class("[LA;", 4, 61), "classes and arrays");
    ok(!name_is_class("[A", 2, 61) && !name_is_class("a//b", 4, 61) &&
           !name_is_class("", 0, 61) && !name_is_class("LA;", 3, 61), "and no others");
}

static void
test_opcodes(void)
{
    int count = 0;

    for (int i = 0; i < 256; i++)
        count += opcode_table[i].name != NULL;
    is_int(count, OPCODE_COUNT + 1, "202 opcodes and breakpoint");
    is_string(opcode_table[0x00].name, "nop", "the first");
    is_string(opcode_table[0xc9].name, "jsr_w", "the last");
    is_string(opcode_table[OP_lshl].pops, "JI", "operands of lshl");
    is_string(opcode_table[OP_dcmpg].pushes, "I", "result of dcmpg");
}

static void
test_decode(void)
{
    static const uint8_t code[] = {
        0x10, 0xfe,                                     /*  0 bipush -2 */
        0xc4, 0x84, 0x01, 0x00, 0xff, 0xff,             /*  2 wide iinc 256 -1 */
        0xa7, 0xff, 0xf8,                               /*  8 goto 0 */
        0xaa, 0, 0, 0, 11, 0, 0, 0, 3, 0, 0, 0, 4,      /* 11 tableswitch */
        0xff, 0xff, 0xff, 0xf5, 0, 0, 0, 1,
        0xc4, 0x00,                                     /* 32 wide nop */
        0xb9, 0, 1,                                     /* 34 cut */
    };
    struct instruction in;

    ok(opcode_decode(code, sizeof code, 0, &in) && in.operand == -2 && in.length == 2,
       "bipush");
    ok(opcode_decode(code, sizeof code, 2, &in) && in.wide && in.index == 256 &&
           in.operand == -1 && in.opcode == OP_iinc && in.length == 6, "wide iinc");
    ok(opcode_decode(code, sizeof code, 8, &in) && in.operand == 0,
       "a target is a bci");
    ok(opcode_decode(code, sizeof code, 11, &in) && in.case_count == 2 &&
           in.default_target == 22 && in.length == 21, "tableswitch");
    ok(opcode_case_key(&in, 1) == 4 && opcode_case_target(&in, 0) == 0 &&
           opcode_case_target(&in, 1) == 12, "its cases");
    ok(!opcode_decode(code, sizeof code, 32, &in), "wide widens only some");
    ok(!opcode_decode(code, sizeof code, 34, &in), "an instruction must not be cut");
    ok(!opcode_decode(code, 30, 11, &in), "nor a switch");
    ok(!opcode_decode((const uint8_t *)"\xca", 1, 0, &in) &&
           !opcode_decode((const uint8_t *)"\xcb", 1, 0, &in), "nor unknown");
}

int
main(void)
{
    test_fields();
    test_dimensions();
    test_methods();
    test_walk();
    test_names();
    test_opcodes();
    test_decode();
    return done_testing();
}
