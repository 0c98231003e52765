/* SPDX-License-Identifier: MIT */
/* minivm/test/classfile-t.c -- parsing class files, good and bad. */

#include "classfile/classfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "test/assembler.h"
#include "test/tap.h"
#include "test/world.h"

static struct classfile_options options = { .max_major = 61 };
static struct classfile_error error;

/* Parse and release what the assembler has made. */
static struct classfile *
parse(struct assembler *a)
{
    size_t length;
    uint8_t *bytes = assembler_finish(a, &length);
    struct classfile *cf = classfile_parse(bytes, length, &options, &error);

    mem_free(bytes);
    return cf;
}

static void
refuse(struct assembler *a, enum classfile_error_kind kind, const char *message)
{
    struct classfile *cf = parse(a);

    if (ok(cf == NULL, "refused: %s", message)) {
        is_int(error.kind, kind, "the right error");
        is_string(error.message, message, "the right message");
    }
    classfile_free(cf);
}

static void
refuse_format(struct assembler *a, const char *message)
{
    refuse(a, CLASSFILE_FORMAT, message);
}

static void
begin(struct assembler *a)
{
    assembler_init(a, "p/A", NULL, 61);
}

static void
test_good(void)
{
    struct assembler a;
    struct classfile *cf;
    const struct cf_method *m;

    begin(&a);
    assembler_interface(&a, "java/lang/Runnable");
    assembler_field(&a, ACC_PRIVATE | ACC_STATIC, "count", "J");
    assembler_method(&a, ACC_PUBLIC, "run", "(IJ)V", 2, 5,
                     "L:\n lload 2\n ldc2_w long 7\n lcmp\n ifeq L\n return\n E:\n"
                     ".catch L E L java/lang/Error\n"
                     ".frame L =p/A I J : =java/lang/Error");
    assembler_attribute(&a, "SourceFile", (uint8_t[]){ 0, 1 }, 2);
    cf = parse(&a);
    if (!ok(cf != NULL, "a class file is parsed")) {
        diag("%s", error.message);
        return;
    }
    is_string(cf->this_class->bytes, "p/A", "its name");
    is_string(cf->super_class->bytes, "java/lang/Object", "its super class");
    is_string(cf_name(cf, cf->interfaces[0])->bytes, "java/lang/Runnable",
              "its interface");
    is_int(cf->field_count, 1, "one field");
    is_string(cf->fields[0].descriptor->bytes, "J", "its descriptor");
    is_string(cf->source_file->bytes, "p/A", "its source file");
    ok(find_method(cf, symbol_of("run"), symbol_of("()V")) == NULL,
       "a method is found by its descriptor, too");
    m = find_method(cf, symbol_of("run"), symbol_of("(IJ)V"));
    if (ok(m == &cf->methods[0], "the method is found")) {
        is_int(m->arg_slots, 4, "slots of the arguments with the receiver");
        is_int(m->handler_count, 1, "one handler");
        is_string(cf_name(cf, m->handlers[0].catch_type)->bytes, "java/lang/Error",
                  "what it catches");
        is_int(m->code[0], 0x16, "its code");
        ok(m->stack_map.length > 2, "its StackMapTable");
        is_int(cf_line_at(m, 0), -1, "no line numbers");
    }
    is_int(get_u4(cf->bytes), 0xCAFEBABE, "the bytes are kept");
    ok(cf->cp_range.offset == 10
           && cf->bytes[cf->cp_range.offset + cf->cp_range.length + 1]
                  == (ACC_PUBLIC | ACC_SUPER),
       "and the place of the constant pool");
    classfile_free(cf);
}

static void
test_truncation(void)
{
    struct assembler a;
    size_t length;
    uint8_t *bytes;
    bool all = true;

    begin(&a);
    assembler_field(&a, ACC_PUBLIC, "f", "I");
    assembler_method(&a, ACC_PUBLIC, "m", "()V", 0, 1, "return");
    bytes = assembler_finish(&a, &length);
    for (size_t n = 0; n < length; n++) {
        uint8_t *copy = mem_alloc(n + 1); /* for the sanitizer */
        struct classfile *cf;

        memcpy(copy, bytes, n);
        cf = classfile_parse(copy, n, &options, &error);
        all = all && cf == NULL && error.kind == CLASSFILE_FORMAT
              && strcmp(error.message, "Truncated class file") == 0;
        if (!all)
            diag("at %zu: %s", n, cf != NULL ? "accepted" : error.message);
        classfile_free(cf);
        mem_free(copy);
        if (!all)
            break;
    }
    ok(all, "a class file cut anywhere is truncated");
    bytes = mem_realloc(bytes, length + 1);
    bytes[length] = 0;
    ok(classfile_parse(bytes, length + 1, &options, &error) == NULL, "a byte too many");
    is_string(error.message, "Extra bytes at the end of class file p/A", "is extra");
    bytes[0] = 'P';
    ok(classfile_parse(bytes, length, &options, &error) == NULL, "magic");
    is_string(error.message,
              "Incompatible magic value 1358871230 in class file <Unknown>",
              "must be right");
    mem_free(bytes);
}

static void
test_versions(void)
{
    struct assembler a;
    struct classfile *cf;

    assembler_init(&a, "A", NULL, 99);
    options.expected_name = symbol_of("A");
    refuse(&a, CLASSFILE_VERSION,
           "A has been compiled by a more recent version of the Java Runtime (class "
           "file "
           "version 99.0), this version of the Java Runtime only recognizes class file "
           "versions up to 61.0");
    assembler_init(&a, "A", NULL, 44);
    refuse(&a, CLASSFILE_VERSION,
           "A (class file version 44.0) was compiled with an invalid major version");
    assembler_init(&a, "A", NULL, 61);
    a.minor = 65535;
    refuse(&a, CLASSFILE_VERSION,
           "Preview features are not enabled for A (class file version 61.65535). Try "
           "running with '--enable-preview'");
    assembler_init(&a, "A", NULL, 61);
    a.minor = 65535;
    options.preview = true;
    cf = parse(&a);
    ok(cf != NULL, "accepted with --enable-preview");
    classfile_free(cf);
    assembler_init(&a, "A", NULL, 60);
    a.minor = 65535;
    refuse(&a, CLASSFILE_VERSION,
           "A (class file version 60.65535) was compiled with preview features that "
           "are "
           "unsupported. This version of the Java Runtime only recognizes preview "
           "features for class file version 61.65535");
    options.preview = false;
    assembler_init(&a, "A", NULL, 58);
    a.minor = 3;
    refuse(&a, CLASSFILE_VERSION,
           "A (class file version 58.3) was compiled with an invalid non-zero minor "
           "version");
    assembler_init(&a, "A", NULL, 45);
    a.minor = 3;
    cf = parse(&a);
    ok(cf != NULL, "45.3 is fine");
    classfile_free(cf);
    options.expected_name = NULL;
}

static void
test_class_head(void)
{
    struct assembler a;
    struct classfile *cf;

    assembler_init(&a, "p/B", NULL, 61);
    options.expected_name = symbol_of("p/A");
    refuse(&a, CLASSFILE_WRONG_NAME, "p/A (wrong name: p/B)");
    options.expected_name = NULL;

    begin(&a);
    a.access_flags = ACC_FINAL | ACC_ABSTRACT;
    refuse_format(&a, "Illegal class modifiers in class <Unknown>: 0x410");
    begin(&a);
    a.access_flags = ACC_INTERFACE;
    refuse_format(&a, "Illegal class modifiers in class <Unknown>: 0x200");
    begin(&a);
    a.access_flags = ACC_MODULE;
    refuse(&a, CLASSFILE_WRONG_NAME,
           "<Unknown> is not a class because access_flag ACC_MODULE is set");
    begin(&a);
    a.super_index = 0;
    refuse_format(&a, "Invalid superclass index 0 in class file p/A");
    begin(&a);
    a.this_index = 1;
    refuse_format(&a, "Invalid this class index 1 in constant pool in class file "
                      "<Unknown>");
    assembler_init(&a, "[I", NULL, 61);
    refuse_format(&a, "Bad class name in class file [I");
    assembler_init(&a, "p.A", NULL, 61);
    refuse_format(&a, "Illegal class name \"p.A\" in class file <Unknown>");
    assembler_init(&a, "A", "B", 61);
    a.access_flags = ACC_INTERFACE | ACC_ABSTRACT;
    refuse_format(&a,
                  "Interfaces must have java.lang.Object as superclass in class file "
                  "A");
    begin(&a);
    assembler_interface(&a, "I");
    assembler_interface(&a, "I");
    refuse_format(&a, "Duplicate interface name \"I\" in class file p/A");

    begin(&a);
    options.hidden_name = symbol_of("p/A+0x1");
    cf = parse(&a);
    if (ok(cf != NULL, "a hidden class"))
        is_string(cf_name(cf, cf->this_index)->bytes, "p/A+0x1", "has its own name");
    classfile_free(cf);
    options.hidden_name = NULL;
}

static void
test_fields(void)
{
    struct assembler a;

    begin(&a);
    assembler_field(&a, ACC_PUBLIC | ACC_PRIVATE, "f", "I");
    refuse_format(&a, "Illegal field modifiers in class p/A: 0x3");
    begin(&a);
    assembler_field(&a, ACC_FINAL | ACC_VOLATILE, "f", "I");
    refuse_format(&a, "Illegal field modifiers in class p/A: 0x50");
    begin(&a);
    assembler_field(&a, 0, "f", "V");
    refuse_format(&a, "Field \"f\" in class p/A has illegal signature \"V\"");
    begin(&a);
    assembler_field(&a, 0, "f;", "I");
    refuse_format(&a, "Illegal field name \"f;\" in class p/A");
    begin(&a);
    assembler_field(&a, 0, "f", "I");
    assembler_field(&a, 0, "g", "I");
    assembler_field(&a, 0, "f", "I");
    refuse_format(&a,
                  "Duplicate field name \"f\" with signature \"I\" in class file p/A");
    assembler_init(&a, "A", NULL, 61);
    a.access_flags = ACC_INTERFACE | ACC_ABSTRACT;
    assembler_field(&a, ACC_PUBLIC, "f", "I");
    refuse_format(&a, "Illegal field modifiers in class A: 0x1");
}

static void
test_methods(void)
{
    struct assembler a;
    char long_descriptor[300];

    begin(&a);
    assembler_method(&a, ACC_ABSTRACT | ACC_FINAL, "m", "()V", 0, 0, NULL);
    refuse_format(&a, "Method m in class p/A has illegal modifiers: 0x410");
    begin(&a);
    assembler_method(&a, ACC_PUBLIC, "m", "()V", 0, 0, NULL);
    refuse_format(&a,
                  "Absent Code attribute in method that is not native or abstract in "
                  "class file p/A");
    begin(&a);
    assembler_method(&a, ACC_NATIVE, "m", "()V", 0, 1, "return");
    refuse_format(&a, "Code attribute in native or abstract methods in class file p/A");
    begin(&a);
    assembler_method(&a, 0, "m", "(J)V", 0, 2, "return");
    refuse_format(&a, "Arguments can't fit into locals in class file p/A");
    begin(&a);
    assembler_method(&a, 0, "m", "()V", 0, 1, "");
    refuse_format(&a, "Invalid method Code length 0 in class file p/A");
    begin(&a);
    assembler_method(&a, 0, "m", "(I", 0, 1, "return");
    refuse_format(&a, "Method \"m\" in class p/A has illegal signature \"(I\"");
    begin(&a);
    assembler_method(&a, 0, "<init>", "()I", 0, 1, "return");
    refuse_format(&a, "Method \"<init>\" in class p/A has illegal signature \"()I\"");
    begin(&a);
    assembler_method(&a, 0, "<clinit>", "()V", 0, 1, "return");
    refuse_format(&a, "Method <clinit> is not static in class file p/A");
    begin(&a);
    assembler_method(&a, ACC_STATIC, "<clinit>", "(I)V", 0, 1, "return");
    refuse_format(&a,
                  "Method \"<clinit>\" in class p/A has illegal signature \"(I)V\"");
    begin(&a);
    assembler_method(&a, 0, "m", "(L;)V", 0, 2, "return");
    refuse_format(&a, "Class name is empty or contains illegal character in descriptor "
                      "in class file p/A");
    begin(&a);
    assembler_method(&a, ACC_STATIC, "m", "()V", 0, 0, "return");
    assembler_method(&a, ACC_STATIC, "m", "()V", 0, 0, "return");
    refuse_format(&a,
                  "Duplicate method name \"m\" with signature \"()V\" in class file "
                  "p/A");
    memset(long_descriptor, 'I', sizeof long_descriptor);
    long_descriptor[0] = '(';
    memcpy(long_descriptor + 256, ")V", 3);
    begin(&a);
    assembler_method(&a, ACC_ABSTRACT, "m", long_descriptor, 0, 0, NULL);
    refuse_format(&a, "Too many arguments in method signature in class file p/A");
    begin(&a);
    assembler_method(&a, 0, "m", "()V", 0, 1,
                     "A:\n return\n B:\n nop\n .catch B A A any");
    refuse_format(&a, "Illegal exception table range in class file p/A");
    begin(&a);
    a.access_flags = ACC_INTERFACE | ACC_ABSTRACT;
    assembler_method(&a, ACC_PUBLIC, "<init>", "()V", 0, 1, "return");
    refuse_format(&a, "Interface cannot have a method named <init>, class file p/A");
    assembler_init(&a, "A", NULL, 51);
    a.access_flags = ACC_INTERFACE | ACC_ABSTRACT;
    assembler_method(&a, ACC_PUBLIC, "m", "()V", 0, 1, "return");
    refuse_format(&a, "Method m in class A has illegal modifiers: 0x1");
}

/* One constant of the given tag and four operand bytes, appended to a good class. */
static void
refuse_constant(unsigned major, int tag, unsigned first, unsigned second,
                const char *message)
{
    struct assembler a;
    uint8_t operands[4];

    assembler_init(&a, "A", NULL, major);
    put_u2(operands, (uint16_t)first);
    put_u2(operands + 2, (uint16_t)second);
    assembler_constant(&a, tag, operands, 4);
    refuse_format(&a, message);
}

static void
test_pool(void)
{
    struct classfile *cf;
    struct assembler a;
    uint8_t handle[3] = { 10, 0, 1 };
    uint8_t bad_text[5] = { 0, 3, 'a', 0, 'b' };
    uint8_t dynamic[4] = { 0, 0, 0, 0 };

    refuse_constant(61, 2, 0, 0, "Unknown constant tag 2 in class file <Unknown>");
    refuse_constant(61, CF_FIELDREF, 9, 9,
                    "Invalid constant pool index 9 in class file <Unknown>");
    refuse_constant(61, CF_NAME_AND_TYPE, 2, 1,
                    "Invalid constant pool index 2 in class file <Unknown>");
    refuse_constant(50, CF_INVOKE_DYNAMIC, 0, 0,
                    "Class file version does not support constant tag 18 in class file "
                    "<Unknown>");
    refuse_constant(54, CF_DYNAMIC, 0, 0,
                    "Class file version does not support constant tag 17 in class file "
                    "<Unknown>");
    begin(&a);
    assembler_constant(&a, CF_METHOD_HANDLE, handle, 3);
    refuse_format(&a, "Bad method handle kind at constant pool index 5 in class file "
                      "<Unknown>");
    begin(&a);
    assembler_constant(&a, CF_UTF8, bad_text, 5);
    refuse_format(&a, "Illegal UTF8 string in constant pool in class file <Unknown>");
    begin(&a);
    assembler_constant(&a, CF_LONG, "12345678", 8);
    a.pool_count--;
    refuse_format(&a, "Invalid constant pool entry 6 in class file <Unknown>");
    begin(&a);
    assembler_member(&a, CF_METHODREF, "A", "m", "I");
    refuse_format(&a, "Method \"m\" in class <Unknown> has illegal signature \"I\"");
    begin(&a);
    assembler_member(&a, CF_FIELDREF, "A", "f", "()V");
    refuse_format(&a, "Field \"f\" in class <Unknown> has illegal signature \"()V\"");
    begin(&a);
    assembler_name_and_type(&a, "m;", "()V");
    refuse_format(&a, "Illegal method name \"m;\" in class <Unknown>");
    begin(&a);
    assembler_name_and_type(&a, "m", "(I");
    refuse_format(&a, "Method \"m\" in class <Unknown> has illegal signature \"(I\"");
    begin(&a);
    assembler_member(&a, CF_METHODREF, "A", "<init>", "()I");
    refuse_format(&a,
                  "Method \"<init>\" in class <Unknown> has illegal signature \"()I\"");
    begin(&a);
    assembler_name_and_type(&a, "<init>", "()I");
    cf = parse(&a);
    ok(cf != NULL, "what no method has may be named <init> and return an int");
    classfile_free(cf);
    begin(&a);
    assembler_name_and_type(&a, "f", "Q");
    refuse_format(&a, "Field \"f\" in class <Unknown> has illegal signature \"Q\"");
    begin(&a);
    put_u2(dynamic + 2, (uint16_t)assembler_name_and_type(&a, "m", "()V"));
    assembler_constant(&a, CF_INVOKE_DYNAMIC, dynamic, 4);
    refuse_format(&a, "Missing BootstrapMethods attribute in class file p/A");
    begin(&a);
    assembler_constant(&a, CF_MODULE, "\0\1", 2);
    refuse_format(&a, "Unknown constant tag 19 in class file <Unknown>");
    begin(&a);
    a.pool_count = 0;
    refuse_format(&a, "Illegal constant pool size 0 in class file <Unknown>");
}

/* Append a class constant, though there may be one of that name. */
static void
another_class(struct assembler *a, unsigned name)
{
    buf_append_u1(&a->pool, CF_CLASS);
    buf_append_u2(&a->pool, (uint16_t)name);
    a->pool_count++;
}

/* Append an InnerClasses attribute of so many bytes, and check how many rows are kept. */
static void
inner_classes(struct assembler *a, const char *bytes, size_t length, unsigned kept,
              const char *name)
{
    struct classfile *cf;

    assembler_attribute(a, "InnerClasses", bytes, length);
    cf = parse(a);
    ok(cf != NULL && cf->inner_class_count == kept, "%s", name);
    classfile_free(cf);
}

static void
test_attributes(void)
{
    struct assembler a;
    struct classfile *cf;

    begin(&a);
    assembler_attribute(&a, "Module", "\0\1", 2);
    assembler_attribute(&a, "Module", NULL, 0);
    cf = parse(&a);
    ok(cf != NULL, "attributes that mean nothing in a class are left alone");
    classfile_free(cf);
    begin(&a);
    assembler_attribute(&a, "SourceFile", "\0\2", 2);
    refuse_format(&a, "Invalid SourceFile attribute at constant pool index 2 in class "
                      "file p/A");
    begin(&a);
    assembler_attribute(&a, "SourceFile", "\0\1", 2);
    assembler_attribute(&a, "SourceFile", "\0\1", 2);
    refuse_format(&a, "Multiple SourceFile attributes in class file p/A");
    begin(&a);
    assembler_attribute(&a, "RuntimeInvisibleAnnotations", "\0", 2);
    assembler_attribute(&a, "RuntimeInvisibleAnnotations", "\0", 2);
    refuse_format(&a, "Multiple RuntimeInvisibleAnnotations attributes in class file "
                      "p/A");
    begin(&a);
    assembler_attribute(&a, "InnerClasses", "\0\1\0\0\0\2\0\1\0\1", 10);
    refuse_format(&a, "inner_class_info_index 0 has bad constant type in class file "
                      "p/A");
    begin(&a);
    assembler_attribute(&a, "NestHost", "\0\4", 2);
    assembler_attribute(&a, "NestMembers", "\0\0", 2);
    refuse_format(&a,
                  "Conflicting NestHost and NestMembers attributes in class file p/A");
    begin(&a);
    assembler_attribute(&a, "InnerClasses", "\0\1\0\2\0\2\0\1\0", 9);
    refuse_format(&a, "Wrong InnerClasses attribute length in class file p/A");
    begin(&a);
    assembler_attribute(&a, "InnerClasses", "\0\1\0\2\0\2\0\1\0\1", 10);
    refuse_format(&a, "Class is both outer and inner class in class file p/A");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    inner_classes(&a, "\0\2\0\6\0\2\0\1\0\1\0\6\0\0\0\1\0\1", 18, 0,
                  "InnerClasses with two rows of one class is left out");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    inner_classes(&a, "\0\2\0\6\0\2\0\1\0\1\0\2\0\6\0\1\0\1", 18, 0,
                  "InnerClasses with classes in each other is left out");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    another_class(&a, 5);             /* 7 */
    inner_classes(&a, "\0\2\0\6\0\2\0\1\0\1\0\2\0\7\0\1\0\1", 18, 0,
                  "even if one of them is named by two constants");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    another_class(&a, 5);             /* 7 */
    inner_classes(&a, "\0\2\0\6\0\0\0\1\0\1\0\7\0\6\0\1\0\1", 18, 0,
                  "and the second is a member of the first");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    another_class(&a, 5);             /* 7 */
    (void)assembler_class(&a, "p/C"); /* 9 */
    inner_classes(&a, "\0\3\0\6\0\0\0\1\0\1\0\11\0\6\0\1\0\1\0\7\0\11\0\1\0\1", 26, 0,
                  "or of a member of the first");
    begin(&a);
    (void)assembler_class(&a, "p/B"); /* 6 */
    inner_classes(&a, "\0\2\0\6\0\2\0\1\0\1\0\2\0\4\0\1\0\1", 18, 2,
                  "a chain of them is not");
    for (unsigned major = 48; major < 50; major++) {
        assembler_init(&a, "p/A", NULL, major);
        assembler_attribute(&a, "InnerClasses", "\0\2\0\4\0\2\0\1\0\1\0\4\0\2\0\1\0\1",
                            18);
        if (major == 49) {
            refuse_format(&a, "Duplicate entry in InnerClasses attribute in class file "
                              "p/A");
            continue;
        }
        cf = parse(&a);
        ok(cf != NULL && cf->inner_class_count == 0,
           "before version 49 a row that comes twice is no error");
        classfile_free(cf);
    }
    begin(&a);
    assembler_attribute(&a, "Synthetic", NULL, 0);
    cf = parse(&a);
    ok(cf != NULL && (cf->access_flags & ACC_SYNTHETIC) != 0,
       "a class is synthetic by the attribute, too");
    classfile_free(cf);
    begin(&a);
    assembler_attribute(&a, "EnclosingMethod", "\0\0\0\0", 4);
    refuse_format(&a, "Invalid class index in EnclosingMethod attribute in class file "
                      "p/A");
    begin(&a);
    assembler_attribute(&a, "BootstrapMethods", "\0\1\0\1\0\0", 6);
    refuse_format(&a,
                  "bootstrap_method_index 1 has bad constant type in class file p/A");
    begin(&a);
    assembler_attribute(&a, "Record", "\0\1\0\2\0\1\0\0", 8);
    refuse_format(&a, "Invalid constant pool index 2 for name in Record attribute in "
                      "class file p/A");
    begin(&a);
    a.access_flags |= ACC_FINAL;
    assembler_attribute(&a, "PermittedSubclasses", "\0\0", 2);
    refuse_format(&a, "PermittedSubclasses attribute in final class file p/A");
}

/* A trusted file is not checked for what harms nobody, and never harms us. */
static void
test_relaxed(void)
{
    struct assembler a;
    struct classfile *cf;

    options.relaxed = true;
    begin(&a);
    assembler_field(&a, ACC_PUBLIC | ACC_PRIVATE, "f;", "I");
    assembler_name_and_type(&a, "m;", "(((");
    cf = parse(&a);
    ok(cf != NULL, "names and flags of trusted files are not checked");
    classfile_free(cf);
    refuse_constant(61, CF_FIELDREF, 9, 9,
                    "Invalid constant pool index 9 in class file <Unknown>");
    options.relaxed = false;
}

static unsigned
method_marks(struct world *w, const char *class_name, const char *name,
             const char *descriptor)
{
    struct classfile_options opts = { .max_major = 69, .privileged = true };
    const struct classfile *found = world_find(w, symbol_of(class_name));
    const struct cf_method *m;
    struct classfile *cf;
    unsigned marks;

    cf = classfile_parse(found->bytes, found->length, &opts, &error);
    m = find_method(cf, symbol_of(name), symbol_of(descriptor));
    marks = m == NULL ? 0 : m->vm_annotations;
    classfile_free(cf);
    return marks;
}

/* What javac writes, as the JDK's own classes show it. */
static void
test_jdk(void)
{
    const char *path = world_image_path();
    const struct classfile *cf;
    const struct cf_method *m;
    struct world w;

    if (path == NULL || !world_init(&w, path, NULL)) {
        skip("no JDK");
        return;
    }
    cf = world_find(&w, symbol_of("java/lang/Object"));
    ok(cf != NULL && cf->super_class == NULL, "Object has no super class");
    ok(!cf->has_finalizer, "its empty finalize() does not count");
    ok(method_marks(&w, "java/lang/Object", "hashCode", "()I")
           & CF_ANNOTATION_INTRINSIC,
       "@IntrinsicCandidate");
    ok(method_marks(&w, "java/lang/Class", "forName",
                    "(Ljava/lang/String;)Ljava/lang/Class;")
           & CF_ANNOTATION_CALLER_SENSITIVE,
       "@CallerSensitive");
    is_int(cf->methods[0].vm_annotations, 0, "only if privileged");
    cf = world_find(&w, symbol_of("java/util/HashMap"));
    m = find_method(cf, symbol_of("putVal"),
                    symbol_of("(ILjava/lang/Object;Ljava/lang/Object;ZZ)"
                              "Ljava/lang/Object;"));
    ok(m->has_line_table && cf_line_at(m, 0) > 100, "lines");
    is_int(cf_line_at(m, m->code_length - 1), m->lines[m->line_count - 1].line,
           "the last bytecode is on the last line");
    ok(m->signature != NULL, "a generic signature");
    ok(cf->nest_member_count > 5 && cf->inner_class_count > 5,
       "nest and inner classes");
    is_string(cf->source_file->bytes, "HashMap.java", "source file");
    cf = world_find(&w, symbol_of("java/util/HashMap$Node"));
    is_string(cf_name(cf, cf->nest_host)->bytes, "java/util/HashMap", "nest host");
    cf = world_find(&w, symbol_of("java/util/stream/Collectors"));
    ok(cf->bootstrap_count > 10 && cf->bootstrap_methods[0].arg_count == 3,
       "bootstrap methods");
    cf = world_find(&w, symbol_of("java/lang/Integer"));
    is_int(cf->consts[cf_find_field(cf, symbol_of("MAX_VALUE"), symbol_of("I"))
                          ->constant_value]
               .i,
           0x7fffffff, "a constant value");
    world_release(&w);
}

int
main(void)
{
    test_good();
    test_truncation();
    test_versions();
    test_class_head();
    test_fields();
    test_methods();
    test_pool();
    test_attributes();
    test_relaxed();
    test_jdk();
    return done_testing();
}
