/* SPDX-License-Identifier: MIT */
/* minivm/test/verify-t.c -- verification by type checking. */

#include "classfile/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "test/assembler.h"
#include "test/tap.h"
#include "test/world.h"

/*
 * The classes of these tests: p/A extends p/Base extends java/lang/Object, q/Far is
 * p/Base's super class as far as protected members go, p/I is an interface.
 */
static int
assignable(void *context, const struct symbol *from, const struct symbol *to)
{
    (void)context;
    if (symbol_equals(to, "lost"))
        return -1;
    if (symbol_equals(to, "p/I"))
        return 1;
    if (symbol_equals(to, "p/Base"))
        return symbol_equals(from, "p/A");
    if (symbol_equals(to, "java/lang/Throwable"))
        return strstr(from->bytes, "Error") != NULL;
    return 0;
}

static int
protected_elsewhere(void *context, const struct symbol *class_name,
                    const struct symbol *name, const struct symbol *descriptor,
                    bool is_field)
{
    (void)context, (void)descriptor, (void)is_field;
    return strcmp(class_name->bytes, "p/Base") == 0 &&
           strncmp(name->bytes, "far", 3) == 0;
}

static const struct verify_hooks hooks = { .assignable = assignable,
                                           .protected_elsewhere = protected_elsewhere };

/* Verify what the assembler has made. */
static struct verify_result
verify(struct assembler *a)
{
    const struct classfile_options options = { .max_major = 61 };
    struct classfile_error error;
    struct verify_result result;
    size_t length;
    uint8_t *bytes = assembler_finish(a, &length);
    struct classfile *cf = classfile_parse(bytes, length, &options, &error);

    if (cf == NULL) {
        diag("%s", error.message);
        exit(1);
    }
    verify_class(cf, &hooks, &result);
    classfile_free(cf);
    mem_free(bytes);
    return result;
}

/* A static method m()V of p/A, with two locals and four operands. */
static struct verify_result
verify_version(unsigned major, const char *code)
{
    struct assembler a;

    assembler_init(&a, "p/A", "p/Base", major);
    assembler_method(&a, ACC_STATIC, "m", "()V", 4, 2, code);
    return verify(&a);
}

static struct verify_result
verify_code(const char *code)
{
    return verify_version(61, code);
}

static struct verify_result
verify_method(unsigned flags, const char *name, const char *descriptor,
              const char *code)
{
    struct assembler a;

    assembler_init(&a, "p/A", "p/Base", 61);
    assembler_field(&a, ACC_PRIVATE, "own", "I");
    assembler_method(&a, flags, name, descriptor, 4, 6, code);
    return verify(&a);
}

static void
check_good(struct verify_result result, const char *what)
{
    if (!ok(result.status == VERIFY_OK, "accepted: %s", what))
        diag("%s", result.message);
    verify_result_release(&result);
}

/* The message is what comes before the details, or the text that follows "Reason:". */
static void
check_bad(struct verify_result result, const char *message, const char *reason)
{
    char *first = mem_strdup(result.message == NULL ? "" : result.message);
    char *found = strstr(first, "Reason:\n    ");
    char *text = first;

    ok(result.status == VERIFY_ERROR, "refused: %s", message);
    if (reason != NULL && ok(found != NULL, "with a reason")) {
        found += strlen("Reason:\n    ");
        is_string(strsep(&found, "\n"), reason, "the right reason");
    }
    is_string(strsep(&text, "\n"), message, "the right message");
    mem_free(first);
    verify_result_release(&result);
}

static void
good(const char *code)
{
    char *line = mem_strdup(code);

    for (char *at = line; *at != '\0'; at++)
        if (*at == '\n')
            *at = ',';
    check_good(verify_code(code), line);
    mem_free(line);
}

static void
bad(const char *code, const char *message, const char *reason)
{
    check_bad(verify_code(code), message, reason);
}

static void
test_stack(void)
{
    good("return");
    good("iconst_0\n iconst_1\n iadd\n pop\n return");
    bad("iadd\n return", "Operand stack underflow", "Attempt to pop empty stack.");
    bad("iconst_0\n fconst_0\n iadd\n pop\n return", "Bad type on operand stack",
        "Type float (current frame, stack[1]) is not assignable to integer");
    bad("lconst_0\n lconst_0\n iconst_0\n return", "Operand stack overflow",
        "Exceeded max stack size.");
    bad("lconst_0\n pop\n return", "Bad type on operand stack",
        "Type long_2nd (current frame, stack[1]) is not assignable to category1 type");
    good("lconst_0\n pop2\n return");
    good("lconst_0\n dup2\n pop2\n pop2\n return");
    bad("iconst_0\n lconst_0\n swap\n return", "Bad type on operand stack", NULL);
    bad("iconst_0\n lconst_0\n dup_x1\n return", "Bad type on operand stack", NULL);
    good("iconst_0\n fconst_1\n aconst_null\n dup_x2\n pop\n pop2\n pop\n return");
    good("lconst_0\n iconst_1\n dup_x2\n pop\n pop2\n pop\n return");
    bad("nop", "Control flow falls through code end", "Error exists in the bytecode");
    bad("byte 0xfe\n return", "Bad instruction", "Error exists in the bytecode");
    bad("jsr L\n L:\n return", "Bad instruction: a8", NULL);
}

static void
test_locals(void)
{
    good("iconst_0\n istore 1\n iinc 1 5\n iload 1\n pop\n return");
    bad("iload 0\n return", "Bad local variable type",
        "Type top (current frame, locals[0]) is not assignable to integer");
    bad("iconst_0\n istore 2\n return", "Local variable table overflow",
        "Local index 2 is invalid");
    bad("lconst_0\n lstore 1\n return", "Local variable table overflow", NULL);
    good("lconst_0\n lstore 0\n lload 0\n pop2\n return");
    bad("lconst_0\n lstore 0\n iconst_0\n istore 1\n lload 0\n return",
        "Bad local variable type",
        "Type top (current frame, locals[0]) is not assignable to long");
    bad("fconst_0\n fstore 0\n iinc 0 1\n return", "Bad local variable type", NULL);
    good("aconst_null\n astore 0\n wide aload 0\n pop\n return");
}

static void
test_branches(void)
{
    good("iconst_0\n ifeq L\n nop\n L:\n return\n .frame L");
    bad("iconst_0\n ifeq L\n nop\n L:\n return",
        "Expecting a stackmap frame at branch target 5",
        "Expected stackmap frame at this location.");
    bad("iconst_0\n ifeq L\n iconst_0\n istore 0\n L:\n return\n .frame L I",
        "Inconsistent stackmap frames at branch target 7",
        "Type top (current frame, locals[0]) is not assignable to integer (stack map, "
        "locals[0])");
    bad("goto L\n nop\n L:\n return\n .frame L", "Expecting a stack map frame", NULL);
    good("goto L\n M:\n nop\n L:\n return\n .frame M\n .frame L");
    bad("iconst_0\n iconst_0\n ifeq L\n pop\n L:\n return\n .frame L",
        "Inconsistent stackmap frames at branch target 6",
        "Current frame's stack size doesn't match stackmap.");
    bad("nop\n L:\n return\n .frame L I", "Instruction type does not match stack map",
        NULL);
    good("iconst_0\n tableswitch 3 D L M\n D:\n L:\n M:\n return\n .frame D");
    bad("iconst_0\n lookupswitch D 5 D 5 D\n D:\n return\n .frame D",
        "Bad lookupswitch instruction", NULL);
    bad("fconst_0\n tableswitch 0 D D\n D:\n return\n .frame D",
        "Bad type on operand stack", NULL);
    good("L:\n goto_w L\n .frame L");
    good("aconst_null\n aconst_null\n if_acmpeq L\n L:\n return\n .frame L");
}

static void
test_objects(void)
{
    good("new p/X\n dup\n invokespecial p/X <init> ()V\n invokevirtual p/X m ()V\n"
         "return");
    bad("new p/X\n invokevirtual p/X m ()V\n return", "Bad type on operand stack",
        "Type uninitialized 0 (current frame, stack[0]) is not assignable to 'p/X'");
    bad("new p/X\n invokespecial p/Y <init> ()V\n return",
        "Call to wrong <init> method",
        NULL);
    bad("aconst_null\n invokespecial p/X <init> ()V\n return",
        "Bad operand type when invoking <init>", NULL);
    bad("new [I\n pop\n return", "Illegal new instruction", NULL);
    bad("aconst_null\n invokevirtual p/X <init> ()V\n return",
        "Illegal call to internal method", NULL);
    good("L:\n new p/X\n dup\n M:\n invokespecial p/X <init> ()V\n pop\n return\n"
         ".frame M : *L *L");
    bad("L:\n new p/X\n dup\n M:\n invokespecial p/X <init> ()V\n pop\n return\n"
        ".frame M : *L =p/X", "Instruction type does not match stack map", NULL);
    good("aconst_null\n checkcast p/A\n invokevirtual p/Base m ()V\n return");
    bad("aconst_null\n checkcast p/Base\n invokevirtual p/A m ()V\n return",
        "Bad type on operand stack",
        "Type 'p/Base' (current frame, stack[0]) is not assignable to 'p/A'");
    good("aconst_null\n checkcast p/Base\n invokeinterface p/I m ()V\n return");
    bad("iconst_0\n checkcast p/A\n pop\n return", "Bad type on operand stack", NULL);
    good("aconst_null\n instanceof p/A\n pop\n return");
    good("aconst_null\n monitorenter\n return");
    good("aconst_null\n athrow");
    bad("aconst_null\n checkcast p/A\n athrow", "Bad type on operand stack", NULL);
}

static void
test_arrays(void)
{
    good("iconst_1\n newarray 10\n iconst_0\n iaload\n pop\n return");
    bad("iconst_1\n newarray 3\n pop\n return", "Illegal newarray instruction", NULL);
    bad("iconst_1\n newarray 10\n iconst_0\n faload\n pop\n return",
        "Bad type on operand stack in faload",
        "Type '[I' (current frame, stack[0]) is not assignable to '[F'");
    bad("iconst_1\n newarray 10\n iconst_0\n baload\n pop\n return",
        "Bad type on operand stack in baload",
        "Invalid type: '[I' (current frame, stack[0])");
    good("aconst_null\n iconst_0\n baload\n pop\n return");
    good("iconst_1\n anewarray p/A\n iconst_0\n aaload\n invokevirtual p/A m ()V\n"
         "return");
    good("iconst_1\n anewarray p/A\n invokestatic p/X m ([Lp/Base;)V\n return");
    bad("iconst_1\n anewarray p/Base\n invokestatic p/X m ([Lp/A;)V\n return",
        "Bad type on operand stack", NULL);
    good("iconst_1\n anewarray [I\n invokestatic p/X m ([Ljava/lang/Object;)V\n "
         "return");
    good("iconst_1\n anewarray [I\n invokestatic p/X m ([Ljava/lang/Cloneable;)V\n"
         "return");
    bad("iconst_1\n anewarray [I\n invokestatic p/X m ([Lp/I;)V\n return",
        "Bad type on operand stack", NULL);
    bad("iconst_1\n newarray 8\n invokestatic p/X m ([Z)V\n return",
        "Bad type on operand stack", NULL);
    good("iconst_1\n iconst_1\n multianewarray [[I 2\n pop\n return");
    bad("iconst_1\n multianewarray [[I 3\n pop\n return",
        "Illegal dimension in multianewarray instruction: 3", NULL);
    bad("iconst_1\n multianewarray p/A 1\n pop\n return",
        "Illegal constant pool index in multianewarray instruction", NULL);
    bad("ldc string s\n arraylength\n pop\n return",
        "Bad type on operand stack in arraylength", NULL);
    good("iconst_1\n anewarray p/A\n iconst_0\n ldc string s\n aastore\n return");
}

static void
test_constants(void)
{
    good("ldc int 5\n pop\n ldc float 5\n pop\n ldc string s\n pop\n ldc class p/X\n"
         "pop\n ldc2_w long 5\n pop2\n return");
    bad("ldc long 5\n pop2\n return",
        "Illegal type at constant pool entry 7 in class p.A",
        "Constant pool index 7 is invalid");
    bad("ldc2_w int 5\n pop2\n return",
        "Illegal type at constant pool entry 7 in class p.A", NULL);
    bad("ldc_w #999\n pop\n return", "Illegal constant pool index 999 in class p.A",
        NULL);
    bad("getstatic #1\n return", "Illegal type at constant pool entry 1 in class p.A",
        NULL);
    bad("aconst_null\n invokeinterface #0 x ()V\n return",
        "Illegal constant pool index 0 in class p.A", NULL);
}

static void
test_returns(void)
{
    check_good(verify_method(ACC_STATIC, "m", "()Z", "iconst_0\n ireturn"),
               "an int is a boolean");
    check_bad(verify_method(ACC_STATIC, "m", "()I", "return"),
              "Method expects a return value", NULL);
    check_bad(verify_method(ACC_STATIC, "m", "()V", "iconst_0\n ireturn"),
              "Method does not expect a return value", NULL);
    check_bad(verify_method(ACC_STATIC, "m", "()Z", "fconst_0\n freturn"),
              "Bad return type",
              "Type float (current frame, stack[0]) is not assignable to boolean (from "
              "method signature)");
    check_bad(verify_method(ACC_STATIC, "m", "(Lp/Base;)Lp/A;", "aload 0\n areturn"),
              "Bad return type",
              "Type 'p/Base' (current frame, stack[0]) is not assignable to 'p/A' "
              "(from "
              "method signature)");
    check_good(verify_method(0, "m", "(JD)J", "lload 1\n lreturn"), "a long");
}

static void
test_constructors(void)
{
    check_good(verify_method(0, "<init>", "()V",
                             "aload 0\n invokespecial p/Base <init> ()V\n return"),
               "super()");
    check_bad(verify_method(0, "<init>", "()V", "return"),
              "Constructor must call super() or this() before return", NULL);
    check_bad(verify_method(0, "<init>", "()V",
                            "aload 0\n invokespecial p/X <init> ()V\n return"),
              "Bad <init> method call", NULL);
    check_good(verify_method(0, "<init>", "()V",
                             "aload 0\n iconst_0\n putfield p/A own I\n"
                             "aload 0\n invokespecial p/A <init> ()V\n return"),
               "a field of its own is set before super()");
    check_bad(verify_method(0, "<init>", "()V",
                            "aload 0\n iconst_0\n putfield p/A other I\n"
                            "aload 0\n invokespecial p/A <init> (I)V\n return"),
              "Bad type on operand stack in putfield", NULL);
    check_bad(verify_method(0, "<init>", "()V",
                            "A:\n aload 0\n invokespecial p/Base <init> ()V\n B:\n"
                            "return\n H:\n return\n .catch A B H any\n"
                            ".frame H U : =java/lang/Throwable"),
              "Bad <init> method call from after the start of a try block", NULL);
    check_bad(verify_method(0, "<init>", "()V",
                            "A:\n aload 0\n invokespecial p/Base <init> ()V\n B:\n"
                            "return\n H:\n athrow\n .catch A B H any\n"
                            ".frame H U : =java/lang/Throwable"),
              "Stack map does not match the one at exception handler 6", NULL);
    check_bad(verify_method(0, "<init>", "()V",
                            "iconst_0\n ifeq L\n aload 0\n"
                            "invokespecial p/Base <init> ()V\n L:\n return\n .frame L "
                            "T"),
              "Inconsistent stackmap frames at branch target 9",
              "Current frame's flags are not assignable to stack map frame's.");
}

static void
test_handlers(void)
{
    good("A:\n nop\n B:\n return\n H:\n pop\n return\n .catch A B H java/lang/Error\n"
         ".frame H : =java/lang/Error");
    bad("A:\n nop\n B:\n return\n H:\n pop\n return\n .catch A B H p/X\n .frame H : "
        "=p/X",
        "Catch type is not a subclass of Throwable in exception handler 2", NULL);
    bad("A:\n nop\n B:\n return\n H:\n pop\n return\n .catch A B H any\n .frame H I :"
        " =java/lang/Throwable",
        "Stack map does not match the one at exception handler 2", NULL);
    bad("A:\n nop\n B:\n return\n H:\n pop\n return\n .catch A B H any",
        "Expecting a stackmap frame at branch target 2", NULL);
    /* The store itself cannot throw with the local set. */
    bad("A:\n iconst_0\n istore 0\n B:\n nop\n return\n H:\n pop\n return\n"
        ".catch A B H any\n .frame H I : =java/lang/Throwable",
        "Stack map does not match the one at exception handler 5", NULL);
}

static void
test_protected(void)
{
    good("aconst_null\n checkcast p/A\n getfield p/Base far I\n pop\n return");
    bad("aconst_null\n checkcast p/Base\n getfield p/Base far I\n pop\n return",
        "Bad access to protected data in getfield",
        "Type 'p/Base' (current frame, stack[0]) is not assignable to 'p/A'");
    good("aconst_null\n checkcast p/Base\n getfield p/Base near I\n pop\n return");
    bad("aconst_null\n checkcast p/Base\n iconst_0\n putfield p/Base far I\n return",
        "Bad access to protected data in putfield", NULL);
    bad("aconst_null\n checkcast p/Base\n invokevirtual p/Base far ()V\n return",
        "Bad access to protected data in invokevirtual", NULL);
    good("aconst_null\n getfield p/Base far I\n pop\n return");
}

static void
test_calls(void)
{
    good("iconst_0\n lconst_0\n invokestatic p/X m (IJ)I\n pop\n return");
    bad("lconst_0\n iconst_0\n invokestatic p/X m (IJ)V\n return",
        "Bad type on operand stack", NULL);
    bad("aconst_null\n byte 0xb9\n byte 0 2 1 0\n return",
        "Illegal type at constant pool entry 2 in class p.A", NULL);
    check_good(verify_method(0, "m", "()V", "aload 0\n invokespecial p/Base m ()V\n"
                             "return"), "super.m()");
    check_bad(verify_method(0, "m", "()V",
                            "aload 0\n invokespecial p/X m ()V\n return"),
              "Bad invokespecial instruction: current class isn't assignable to "
              "reference "
              "class.", NULL);
    check_bad(verify_method(0, "m", "(Lp/Base;)V",
                            "aload 1\n invokespecial p/Base m ()V\n return"),
              "Bad type on operand stack", NULL);
}

static void
test_invokedynamic(void)
{
    struct verify_result result;
    struct assembler a;
    unsigned member;
    uint8_t handle[3] = { REF_INVOKE_STATIC, 0, 0 };
    uint8_t bootstrap[6] = { 0, 1, 0, 0, 0, 0 };

    for (int zero = 0; zero < 2; zero++) {
        assembler_init(&a, "p/A", "p/Base", 61);
        member = assembler_member(&a, CF_METHODREF, "B", "b", "()V");
        handle[2] = (uint8_t)member;
        bootstrap[3] = (uint8_t)assembler_constant(&a, CF_METHOD_HANDLE, handle, 3);
        assembler_attribute(&a, "BootstrapMethods", bootstrap, 6);
        assembler_method(&a, ACC_STATIC, "m", "()V", 2, 0,
                         zero ? "iconst_0\n invokedynamic 0 x (I)Lp/I;\n"
                                "invokeinterface p/I m ()V\n return"
                              : "iconst_0\n invokedynamic 0 x (J)V\n return");
        result = verify(&a);
        if (zero)
            check_good(result, "invokedynamic");
        else
            check_bad(result, "Bad type on operand stack", NULL);
    }
}

static void
test_table_format(void)
{
    static const struct {
        const char *map, *message;
        bool fail_over;
    } cases[] = {
        { "000100", NULL, false },
        { "0001", "StackMapTable format error: access beyond the end of attribute",
          false },
        { "000100ff", "StackMapTable format error: wrong attribute size", false },
        { "000180", "StackMapTable format error: access beyond the end of attribute",
          false },
        { "0001800000", "StackMapTable format error: reserved frame type", false },
        { "00014009", "StackMapTable format error: bad verification type", false },
        { "000140070001", "StackMapTable format error: bad class index", false },
        { "000140080000", "StackMapTable format error: bad offset for Uninitialized in "
          "method 'void p.A.m()'", true },
        { "0001f80000",
          "StackMapTable format error: bad type array size in method 'void "
          "p.A.m()'", true },
        { "0001fe0000010101",
          "StackMapTable format error: bad type array size in method "
          "'void p.A.m()'", true },
    };
    struct verify_result result;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char code[100] = "return\n .raw-map ";

        strcat(code, cases[i].map);
        result = verify_version(50, code);
        is_int(result.status, cases[i].message != NULL ? VERIFY_FORMAT : VERIFY_OK,
               "table %s", cases[i].map);
        is_string(result.message, cases[i].message, "the message");
        is_int(result.fail_over, cases[i].fail_over, "a second try or not");
        verify_result_release(&result);
        result = verify_version(51, code);
        ok(!result.fail_over, "never since version 51");
        verify_result_release(&result);
    }
    result = verify_version(61, "return\n .raw-map empty");
    is_int(result.status, VERIFY_OK, "a table without a length is none");
    verify_result_release(&result);
    result = verify_version(50, "iconst_0\n return\n nop");
    ok(result.fail_over, "a VerifyError may have a second try");
    verify_result_release(&result);
    bad("iconst_0\n pop\n sipush 5\n pop\n return\n .raw-map 000103",
        "StackMapTable error: bad offset", "Invalid stackmap specification.");
}

static void
test_hooks(void)
{
    struct verify_result result;

    result = verify_code("aconst_null\n checkcast p/A\n getfield lost f I\n pop\n "
                         "return");
    is_int(result.status, VERIFY_FAILED, "a hook that fails ends it");
    ok(result.message == NULL, "without a message");
    verify_result_release(&result);
}

static void
test_details(void)
{
    struct verify_result result =
        verify_method(0, "m", "(I)V",
                      "iload 1\n ifeq L\n aload 0\n iload 1\n iadd\n pop\n"
                      "L:\n return\n H:\n athrow\n .catch L H H java/lang/Error\n"
                      ".frame L =p/A I\n .frame H =p/A I : =java/lang/Error");

    is_string(result.message,
              "Bad type on operand stack\n"
              "Exception Details:\n"
              "  Location:\n"
              "    p/A.m(I)V @9: iadd\n"
              "  Reason:\n"
              "    Type 'p/A' (current frame, stack[0]) is not assignable to integer\n"
              "  Current Frame:\n"
              "    bci: @9\n"
              "    flags: { }\n"
              "    locals: { 'p/A', integer }\n"
              "    stack: { 'p/A', integer }\n"
              "  Bytecode:\n"
              "    0000000: 1501 9900 0919 0015 0160 57b1 bf       \n"
              "  Exception Handler Table:\n"
              "    bci [11, 12] => handler: 12\n"
              "  Stackmap Table:\n"
              "    full_frame(@11,{Object[#2],Integer},{})\n"
              "    full_frame(@12,{Object[#2],Integer},{Object[#10]})\n",
              "the details are HotSpot's");
    verify_result_release(&result);
}

/* javac's classes pass, with the true hierarchy. */
static void
test_jdk(void)
{
    const char *path = world_image_path();
    unsigned count = 0, failed = 0;
    struct jimage_location location;
    struct world w;
    size_t cursor = 0;

    if (path == NULL || !world_init(&w, path, NULL)) {
        skip("no JDK");
        return;
    }
    while (jimage_next(w.image, &cursor, &location)) {
        struct verify_result result;
        const struct classfile *cf;
        char *name;

        if (strcmp(location.module, "java.base") != 0 ||
            strcmp(location.extension, "class") != 0)
            continue;
        name = mem_printf("%s/%s", location.parent, location.base);
        cf = world_find(&w, symbol_of(name));
        mem_free(name);
        if (cf == NULL || cf->super_class == NULL)
            continue;
        world_verify(&w, cf, &result);
        count++;
        if (result.status != VERIFY_OK) {
            failed++;
            diag("%s: %s", cf->this_class->bytes,
                 result.message != NULL ? result.message : w.missing->bytes);
        }
        verify_result_release(&result);
    }
    world_release(&w);
    ok(count > 5000, "%u classes of java.base", count);
    is_int(failed, 0, "all of them verify");
}

int
main(void)
{
    test_stack();
    test_locals();
    test_branches();
    test_objects();
    test_arrays();
    test_constants();
    test_returns();
    test_constructors();
    test_handlers();
    test_protected();
    test_calls();
    test_invokedynamic();
    test_table_format();
    test_hooks();
    test_details();
    test_jdk();
    return done_testing();
}
