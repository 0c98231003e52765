/* SPDX-License-Identifier: MIT */
/* minivm/test/link-t.c -- preparation, initialization, resolution, access. */

#include <stdio.h>
#include <string.h>

#include "classfile/opcode.h"
#include "test/boot-fixture.h"
#include "test/tap.h"
#include "linking/initialize.h"
#include "linking/link.h"
#include "linking/loader.h"
#include "linking/nest.h"
#include "linking/resolve.h"

static struct thread *self;

static struct class *
define_boot(struct assembler *a)
{
    return define(self, self->vm->boot_loader, a);
}

static int32_t
static_int(const struct class *c, const char *name)
{
    return OBJECT_FIELD(int32_t, c->layout.mirror, own_field(c, name)->offset);
}

/* ---- initialization (JVMS 5.5) ---- */

/* A class whose initializer counts in init/Log.n and notes when it ran. */
static struct class *
counted(const char *name, const char *super, const char *interface, unsigned flags)
{
    struct assembler a;
    char code[256];

    assembler_init(&a, name, super, 52);
    if (interface)
        assembler_interface(&a, interface);
    a.access_flags |= flags;
    assembler_field(&a, ACC_PUBLIC | ACC_STATIC, "at", "I");
    if (flags & ACC_INTERFACE)
        assembler_method(&a, ACC_PUBLIC, "d", "()V", 0, 1, "return");
    snprintf(code, sizeof code,
             "getstatic init/Log n I\n"
             "iconst_1\n"
             "iadd\n"
             "dup\n"
             "putstatic init/Log n I\n"
             "putstatic %s at I\n"
             "return\n",
             name);
    assembler_method(&a, ACC_STATIC, "<clinit>", "()V", 2, 0, code);
    return define_boot(&a);
}

static void
test_order(void)
{
    struct assembler a;
    struct class *top, *i, *j, *c;

    assembler_init(&a, "init/Log", NULL, 52);
    assembler_field(&a, ACC_PUBLIC | ACC_STATIC, "n", "I");
    define_boot(&a);
    top = counted("init/Top", NULL, NULL, 0);
    i = counted("init/I", NULL, NULL, ACC_INTERFACE | ACC_ABSTRACT);
    j = counted("init/J", NULL, "init/I", ACC_INTERFACE | ACC_ABSTRACT);
    c = counted("init/C", "init/Top", "init/J", 0);
    ok(class_initialize(self, c), "a class is initialized");
    is_int(static_int(top, "at"), 1, "first its superclass");
    is_int(static_int(i, "at"), 2,
           "then interfaces with default methods, outermost first");
    is_int(static_int(j, "at"), 3, "then those that extend them");
    is_int(static_int(c, "at"), 4, "then itself");
    ok(class_initialize(self, c) && static_int(c, "at") == 4, "and never again");
}

static struct class *
failing(const char *name, const char *what)
{
    struct assembler a;
    char code[256];

    assembler_init(&a, name, NULL, 52);
    snprintf(code, sizeof code,
             "new %s\ndup\nldc string boom\n"
             "invokespecial %s <init> (Ljava/lang/String;)V\nathrow\n",
             what, what);
    assembler_method(&a, ACC_STATIC, "<clinit>", "()V", 3, 0, code);
    return define_boot(&a);
}

static struct object *
cause_of(const struct object *e)
{
    return OBJECT_FIELD(struct object *, e, KF(self->vm, Throwable_cause));
}

static void
test_failure(void)
{
    struct class *c = failing("init/Bad", "java/lang/IllegalStateException");
    struct object *e;
    HANDLE_SCOPE(self);

    ok(!class_initialize(self, c), "an initializer that throws");
    e = handle_new(self, self->exception);
    is_string(thrown(self), "java/lang/ExceptionInInitializerError", "comes wrapped");
    is_string(object_class(cause_of(e))->name->bytes, "java/lang/IllegalStateException",
              "with the exception as the cause");
    is_int(class_state(c), CLASS_ERRONEOUS, "the class is erroneous");
    ok(!class_initialize(self, c), "from then on");
    e = handle_new(self, self->exception);
    is_string(thrown(self),
              "java/lang/NoClassDefFoundError: Could not initialize class init.Bad",
              "it cannot be initialized");
    self->exception = cause_of(e);
    is_string(thrown(self),
              "java/lang/ExceptionInInitializerError: Exception "
              "java.lang.IllegalStateException: boom [in thread \"main\"]",
              "and the cause says why");
    c = failing("init/Worse", "java/lang/InternalError");
    ok(!class_initialize(self, c), "an Error in an initializer");
    is_string(thrown(self), "java/lang/InternalError: boom", "is thrown as it is");
}

/* ---- preparation ---- */

static void
test_constants(void)
{
    struct class *c = class_load_boot(self, "java/lang/Long");
    const struct field *f = own_field(c, "MIN_VALUE");

    ok(class_link(self, c), "a class is linked");
    is_int(OBJECT_FIELD(int64_t, c->layout.mirror, f->offset), INT64_MIN,
           "ConstantValue is there before initialization");
    ok(!class_is_initialized(c), "which has not happened");
}

/* ---- resolution ---- */

static struct class *
caller(const char *name)
{
    struct assembler a;

    assembler_init(&a, name, NULL, 55);
    assembler_member(&a, CF_FIELDREF, "res/Target", "x", "I");
    assembler_member(&a, CF_METHODREF, "res/Target", "no", "(I[J)V");
    assembler_member(&a, CF_METHODREF, "res/Target", "p", "()V");
    assembler_class(&a, "res/Missing");
    assembler_member(&a, CF_METHODREF, "res/Target", "s", "()V");
    assembler_member(&a, CF_INTERFACE_METHODREF, "res/Target", "s", "()V");
    assembler_member(&a, CF_FIELDREF, "res/Target", "none", "I");
    return define_boot(&a);
}

static unsigned
member_index(const struct class *c, enum cf_tag tag, const char *name)
{
    const struct classfile *file = c->pool->file;

    for (unsigned i = 1; i < file->cp_count; i++)
        if (cf_tag_at(file, i) == tag
            && symbol_equals(
                tag == CF_CLASS ? cf_name(file, i) : cf_member(file, i).name, name))
            return i;
    return 0;
}

static void
test_resolution(void)
{
    struct assembler a;
    struct class *target, *c, *other;
    unsigned x, no, p, missing, s, si, none;

    assembler_init(&a, "res/Target", NULL, 55);
    assembler_field(&a, ACC_PRIVATE, "x", "I");
    assembler_method(&a, ACC_PRIVATE, "p", "()V", 0, 1, "return");
    assembler_method(&a, ACC_PUBLIC | ACC_STATIC, "s", "()V", 0, 0, "return");
    target = define_boot(&a);
    c = caller("res/Caller");
    x = member_index(c, CF_FIELDREF, "x");
    no = member_index(c, CF_METHODREF, "no");
    p = member_index(c, CF_METHODREF, "p");
    s = member_index(c, CF_METHODREF, "s");
    si = member_index(c, CF_INTERFACE_METHODREF, "s");
    none = member_index(c, CF_FIELDREF, "none");
    missing = member_index(c, CF_CLASS, "res/Missing");

    for (int i = 0; i < 2; i++) {
        ok(resolve_field(self, c->pool, x) == NULL, "a private field");
        is_string(
            thrown(self),
            "java/lang/IllegalAccessError: class res.Caller tried to access private "
            "field res.Target.x (res.Caller and res.Target are in module java.base "
            "of loader 'bootstrap')",
            "is out of reach, each time");
        ok(resolve_class(self, c->pool, missing) == NULL, "a missing class");
        is_string(thrown(self), "java/lang/NoClassDefFoundError: res/Missing",
                  "is missed each time");
    }
    assembler_init(&a, "res/Missing", NULL, 55);
    other = define_boot(&a);
    ok(other != NULL && resolve_class(self, c->pool, missing) == NULL,
       "even when the class is there meanwhile");
    thrown(self);
    ok(resolve_call(self, c->pool, p, OP_invokevirtual) == NULL, "a private method");
    is_string(thrown(self),
              "java/lang/IllegalAccessError: class res.Caller tried to access private "
              "method 'void res.Target.p()' (res.Caller and res.Target are in module "
              "java.base of loader 'bootstrap')",
              "too");
    ok(resolve_call(self, c->pool, no, OP_invokevirtual) == NULL, "no such method");
    is_string(thrown(self),
              "java/lang/NoSuchMethodError: 'void res.Target.no(int, long[])'",
              "is told in Java's words");
    ok(resolve_field(self, c->pool, none) == NULL, "no such field");
    is_string(thrown(self),
              self->vm->profile->feature >= 21
                  ? "java/lang/NoSuchFieldError: Class res.Target does not have member "
                    "field 'int none'"
                  : "java/lang/NoSuchFieldError: none",
              "by its name");
    ok(resolve_call(self, c->pool, s, OP_invokevirtual) == NULL,
       "a static method where another is wanted");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: Expecting non-static method "
              "'void res.Target.s()'",
              "is an incompatible change");
    ok(resolve_call(self, c->pool, s, OP_invokestatic)
           == own_method(target, "s", "()V"),
       "and resolves for invokestatic");
    ok(resolve_call(self, c->pool, si, OP_invokeinterface) == NULL,
       "a class where an interface is wanted");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: Found class res.Target, but "
              "interface was expected",
              "is one as well");
}

/* ---- nests ---- */

static struct class *
nest_class(const char *name, const char *host, const char *member)
{
    struct assembler a;
    unsigned index;
    uint8_t contents[4];

    assembler_init(&a, name, NULL, 55);
    assembler_field(&a, ACC_PRIVATE, "x", "I");
    assembler_member(&a, CF_FIELDREF, "nest/Host", "x", "I");
    index = assembler_class(&a, host ? host : member);
    contents[0] = 0;
    contents[1] = 1;
    contents[2] = (uint8_t)(index >> 8);
    contents[3] = (uint8_t)index;
    if (host)
        assembler_attribute(&a, "NestHost", contents + 2, 2);
    else
        assembler_attribute(&a, "NestMembers", contents, 4);
    return define_boot(&a);
}

static void
test_nests(void)
{
    struct class *host = nest_class("nest/Host", NULL, "nest/Host$In");
    struct class *in = nest_class("nest/Host$In", "nest/Host", NULL);
    struct class *liar = nest_class("nest/Liar", "nest/Host", NULL);
    const char *text;

    ok(class_nest_host(self, in) == host, "a member's nest host");
    ok(class_nest_host(self, host) == host, "a host is its own");
    ok(class_nest_host(self, liar) == liar, "so is who is not on the list");
    ok(resolve_field(self, in->pool, member_index(in, CF_FIELDREF, "x"))
           == own_field(host, "x"),
       "nestmates see private fields");
    ok(resolve_field(self, liar->pool, member_index(liar, CF_FIELDREF, "x")) == NULL,
       "others do not");
    text = thrown(self);
    ok(strstr(text,
              ", (Type nest.Liar (loader: 'bootstrap') is not a nest member of type "
              "nest.Host (loader: 'bootstrap'): current type is not listed as a "
              "nest member)")
           != NULL,
       "and hear why: %s", text);
}

/* ---- verification ---- */

static void
test_verification(void)
{
    struct assembler a;
    struct class *c;

    self->vm->options.verify_local = true;
    assembler_init(&a, "ver/Bad", NULL, 52);
    assembler_method(&a, ACC_PUBLIC | ACC_STATIC, "m", "()I", 1, 0,
                     "aconst_null\nireturn");
    c = define_boot(&a);
    for (int i = 0; i < 2; i++) {
        ok(!class_link(self, c), "bad code does not link");
        ok(strncmp(thrown(self), "java/lang/VerifyError: Bad type on operand stack", 48)
               == 0,
           "VerifyError");
    }
    self->vm->options.verify_local = false;
    ok(class_link(self, c), "unless it is trusted");
}

int
main(void)
{
    self = boot_fixture();
    test_order();
    test_failure();
    test_constants();
    test_resolution();
    test_nests();
    test_verification();
    return done_testing();
}
