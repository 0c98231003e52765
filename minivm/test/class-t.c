/* SPDX-License-Identifier: MIT */
/* minivm/test/class-t.c -- layouts, vtables, selection, subtypes, names, ids. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "test/boot-fixture.h"
#include "test/tap.h"
#include "linking/ids.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "linking/select.h"
#include "runtime/string.h"

static struct thread *self;

static struct class *
boot(const char *name)
{
    return class_load_boot(self, name);
}

static struct class *
define_boot(struct assembler *a)
{
    return define(self, self->vm->boot_loader, a);
}

static const char *
external(const struct class *c)
{
    static char *text;

    mem_free(text);
    return text = class_external_name(c);
}

static const char *
signature(const struct class *c)
{
    static char *text;

    mem_free(text);
    return text = class_signature(c);
}

static void
test_subtypes(void)
{
    struct class *object = boot("java/lang/Object"), *string = boot("java/lang/String");
    struct class *sequence = boot("java/lang/CharSequence");
    struct class *list = boot("java/util/ArrayList"),
                 *iterable = boot("java/lang/Iterable");
    struct class *ints = boot("[I"), *strings = boot("[Ljava/lang/String;");
    struct class *sequences = boot("[[Ljava/lang/CharSequence;");

    ok(class_is_subtype(string, object), "a class is an Object");
    ok(!class_is_subtype(object, string), "an Object is no String");
    ok(class_is_subtype(string, sequence), "a class is what it implements");
    ok(class_is_subtype(list, iterable),
       "interfaces of superclasses and -interfaces count");
    ok(class_is_subtype(sequence, object), "an interface is an Object");
    ok(!class_is_subtype(sequence, iterable), "an interface is not every interface");
    ok(class_is_subtype(ints, object), "an array is an Object");
    ok(class_is_subtype(ints, boot("java/lang/Cloneable")), "an array is Cloneable");
    ok(class_is_subtype(ints, boot("java/io/Serializable")),
       "an array is Serializable");
    ok(!class_is_subtype(ints, sequence), "an array is no other interface");
    ok(!class_is_subtype(ints, boot("[J")), "int[] is no long[]");
    ok(!class_is_subtype(ints, boot("[Ljava/lang/Object;")), "int[] is no Object[]");
    ok(class_is_subtype(strings, boot("[Ljava/lang/CharSequence;")),
       "arrays of references are covariant");
    ok(class_is_subtype(boot("[[I"), boot("[Ljava/lang/Object;")),
       "int[][] is an Object[]");
    ok(class_is_subtype(boot("[[I"), boot("[Ljava/lang/Cloneable;")),
       "int[][] is a Cloneable[]");
    ok(class_is_subtype(sequences, boot("[Ljava/lang/Object;")),
       "an array of arrays is an Object[]");
    ok(!class_is_subtype(strings, sequences), "fewer dimensions do not fit");
    ok(!class_is_subtype(self->vm->known.primitives['I' - 'A'], object),
       "int is no Object");
}

static void
test_deep_chain(void)
{
    char name[16], super[32] = "java/lang/Object";
    struct class *chain[300];
    struct assembler a;

    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "deep/C%d", i);
        assembler_init(&a, name, super, 52);
        chain[i] = define_boot(&a);
        snprintf(super, sizeof super, "%s", name);
    }
    ok(class_is_subtype(chain[299], chain[0]), "300 superclasses up");
    ok(class_is_subtype(chain[299], chain[5]), "to one in the display");
    ok(class_is_subtype(chain[299], chain[260]), "to one beyond the display");
    ok(!class_is_subtype(chain[260], chain[299]), "but not down");
}

static void
test_layout(void)
{
    struct assembler a;
    struct class *c, *d;

    assembler_init(&a, "lay/A", NULL, 52);
    assembler_field(&a, 0, "b", "B");
    assembler_field(&a, 0, "j", "J");
    assembler_field(&a, 0, "r", "Ljava/lang/Object;");
    assembler_field(&a, 0, "i", "I");
    assembler_field(&a, ACC_STATIC, "sr", "Ljava/lang/Object;");
    assembler_field(&a, ACC_STATIC, "sb", "B");
    c = define_boot(&a);
    is_int(own_field(c, "r")->offset, 8, "references come first");
    is_int(own_field(c, "j")->offset, 16, "then by descending size");
    is_int(own_field(c, "i")->offset, 24, "an int");
    is_int(own_field(c, "b")->offset, 28, "a byte");
    is_int(c->layout.instance_size, 32, "the size is rounded up");
    is_int(c->layout.run_count, 1, "one run of references");
    is_int(c->layout.runs[0].offset, 8, "where it begins");

    assembler_init(&a, "lay/B", "lay/A", 52);
    assembler_field(&a, 0, "s", "S");
    assembler_field(&a, 0, "q", "[I");
    assembler_field(&a, 0, "z", "Z");
    d = define_boot(&a);
    is_int(own_field(d, "s")->offset, 30, "a subclass fills the superclass's gap");
    is_int(own_field(d, "z")->offset, 29, "down to the byte");
    is_int(own_field(d, "q")->offset, 32, "and its references are aligned");
    is_int(d->layout.instance_size, 40, "without waste");
    is_int(d->layout.run_count, 2, "inherited and own runs");

    is_int(own_field(c, "sr")->offset, mirror_statics(&KC(self->vm, Class)->layout),
           "statics begin behind Class's own fields");
    is_int(c->static_size, 16, "they take what they need");
    is_int(object_size(c->layout.mirror), own_field(c, "sr")->offset + 16,
           "the mirror has room for them");
    is_int(KC(self->vm, Reference)->layout.kind, LAYOUT_REFERENCE,
           "Reference has its own layout");
    is_int(KC(self->vm, WeakReference)->layout.reference, REFERENCE_WEAK, "and kinds");
}

/* A class with one method m()V. */
static struct class *
with_m(const char *name, const char *super, unsigned flags)
{
    struct assembler a;

    assembler_init(&a, name, super, 52);
    assembler_method(&a, flags, "m", "()V", 0, 1, "return");
    return define_boot(&a);
}

static struct method *
run_m(struct class *receiver, struct class *declared)
{
    return class_select(receiver, own_method(declared, "m", "()V"));
}

static void
test_vtable(void)
{
    struct class *a = with_m("p/A", NULL, 0), *b = with_m("q/B", "p/A", ACC_PUBLIC);
    struct class *c = with_m("p/C", "q/B", ACC_PUBLIC);
    struct class *d = with_m("r/D", "p/C", ACC_PUBLIC);
    struct class *s = with_m("p/S", "p/A", ACC_PRIVATE);

    ok(run_m(b, a) == own_method(a, "m", "()V"),
       "a package-private method is not overridden from elsewhere");
    ok(run_m(c, a) == own_method(c, "m", "()V"),
       "but from its own package, further down");
    ok(run_m(c, b) == own_method(c, "m", "()V"), "and so is the public one between");
    ok(run_m(d, a) == own_method(d, "m", "()V"), "overriding is transitive");
    ok(run_m(d, b) == own_method(d, "m", "()V"), "in all slots");
    ok(run_m(s, a) == own_method(a, "m", "()V"), "a private method overrides nothing");
    is_int(own_method(s, "m", "()V")->vtable_index, VTABLE_NONE, "and has no slot");
    with_m("p/F", "p/A", ACC_PUBLIC | ACC_FINAL);
    with_m("p/G", "p/F", ACC_PUBLIC);
    is_string(
        thrown(self),
        "java/lang/IncompatibleClassChangeError: class p.G overrides final method "
        "p.F.m()V",
        "a final method is not overridden");
}

static struct class *
interface_with_m(const char *name, const char *super, const char *code)
{
    struct assembler a;

    assembler_init(&a, name, NULL, 52);
    a.access_flags = ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT;
    if (super)
        assembler_interface(&a, super);
    assembler_method(&a, code ? ACC_PUBLIC : ACC_PUBLIC | ACC_ABSTRACT, "m", "()V", 0,
                     1, code);
    return define_boot(&a);
}

static struct class *
implementor(const char *name, const char *first, const char *second)
{
    struct assembler a;

    assembler_init(&a, name, NULL, 52);
    assembler_interface(&a, first);
    if (second)
        assembler_interface(&a, second);
    return define_boot(&a);
}

static void
test_selection(void)
{
    struct class *i = interface_with_m("i/I", NULL, "return");
    struct class *j = interface_with_m("i/J", "i/I", "return");
    struct class *k = interface_with_m("i/K", NULL, "return");
    struct class *abstract = interface_with_m("i/L", "i/I", NULL), *c;
    struct method *im = own_method(i, "m", "()V");
    struct assembler a;

    c = implementor("i/C1", "i/I", NULL);
    ok(class_select_interface(c, im) == im, "an inherited default method");
    ok(class_interface_method(c, im) == im, "is found in the cache afterwards");
    c = implementor("i/C2", "i/I", "i/J");
    ok(class_select_interface(c, im) == own_method(j, "m", "()V"),
       "the maximally-specific one wins");
    c = implementor("i/C3", "i/I", "i/K");
    ok(class_select_interface(c, im) == NULL, "two conflict");
    ok(select_method(self, c, im) == NULL, "and the call fails");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: Conflicting default methods: "
              "i/I.m i/K.m",
              "with both named");
    c = implementor("i/C4", "i/L", NULL);
    ok(class_select_interface(c, im) == NULL, "an abstract one hides a default");
    ok(select_method(self, c, im) == NULL, "and the call fails");
    is_string(
        thrown(self),
        self->vm->profile->feature >= 25
            ? "java/lang/AbstractMethodError: Method i/C4.m()V is abstract"
            : "java/lang/AbstractMethodError: Receiver class i.C4 does not define or "
              "inherit an implementation of the resolved method 'void m()' of "
              "interface i.I.",
        "as HotSpot says it");
    ok(select_method(self, KC(self->vm, String), im) == NULL, "no implementation");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: Class java.lang.String does not "
              "implement the requested interface i.I",
              "is an incompatible change");
    assembler_init(&a, "i/C6", NULL, 52);
    assembler_interface(&a, "i/I");
    assembler_method(&a, 0, "m", "()V", 0, 1, "return");
    c = define_boot(&a);
    for (int n = 0; n < 2; n++) {
        ok(select_method(self, c, im) == NULL, "an implementation that is not public");
        is_string(thrown(self), "java/lang/IllegalAccessError: 'void i.C6.m()'",
                  "is refused each time");
    }
    ok(class_find_method(implementor("i/C5", "i/L", "i/K"), symbol_of("m"),
                         symbol_of("()V"))
           == own_method(k, "m", "()V"),
       "resolution prefers the only one with a body");
    (void)abstract;
}

static void
test_names(void)
{
    is_string(external(boot("java/util/Map$Entry")), "java.util.Map$Entry", "a class");
    is_string(external(boot("[[Ljava/lang/String;")), "[[Ljava.lang.String;",
              "an array");
    is_string(external(boot("[J")), "[J", "a primitive array");
    is_string(external(self->vm->known.primitives['Z' - 'A']), "boolean",
              "a primitive");
    is_string(signature(boot("java/lang/String")), "Ljava/lang/String;", "a signature");
    is_string(signature(boot("[[I")), "[[I", "of an array");
    is_string(signature(self->vm->known.primitives['D' - 'A']), "D", "of a primitive");
}

static void
test_hidden(void)
{
    struct assembler a;
    struct class_definition d = { .name = symbol_of("java/lang/Hid"),
                                  .is_hidden = true };
    struct class *c;
    uint8_t *bytes;
    const char *name;

    assembler_init(&a, "java/lang/Hid", NULL, 60);
    bytes = assembler_finish(&a, &d.length);
    d.bytes = bytes;
    c = class_define(self, self->vm->boot_loader, &d);
    mem_free(bytes);
    name = external(c);
    ok(strncmp(name, "java.lang.Hid/0x", 16) == 0, "a hidden class's name: %s", name);
    ok(strncmp(signature(c), "Ljava/lang/Hid.0x", 17) == 0, "its signature");
    ok(class_find_loaded(self->vm->boot_loader, c->name) == NULL, "nobody finds it");
    is_int(class_state(c), CLASS_LINKED, "it is linked at once");
}

static void
test_ids(void)
{
    struct class *c = with_m("id/A", NULL, ACC_PUBLIC);
    struct method *m = own_method(c, "m", "()V");
    struct field *f = own_field(KC(self->vm, String), "value");
    uintptr_t method = method_id(m), field = field_id(f);

    ok(method != 0 && field != 0, "ids are not 0");
    ok(method_id(m) == method, "a method keeps its id");
    ok(method_of_id(method) == m, "and is found by it");
    ok(field_of_id(field) == f, "so is a field");
    ok(method_of_id(field) == NULL, "a field's id is no method's");
    ok(field_of_id(method) == NULL, "nor the other way round");
    ok(version_of_id(method) == method_version(m), "the current version");
    ok(method_of_id(0) == NULL && method_of_id((uintptr_t)-1) == NULL
           && method_of_id((uintptr_t)m) == NULL,
       "other numbers find nothing");
}

/* ---- texts of messages ---- */

/* What the format makes of one argument; valid until the next call. */
static const char *
message(const char *format, ...)
{
    static char *text;
    va_list args;

    mem_free(text);
    va_start(args, format);
    text = message_vprintf(format, args);
    va_end(args);
    return text;
}

static void
test_messages(void)
{
    struct class *string = KC(self->vm, String), *list = boot("java/util/List");
    struct class *number = boot("java/lang/Number");
    struct method *m = own_method(string, "indexOf", "(Ljava/lang/String;I)I");
    struct method *clone = own_method(KC(self->vm, Object), "clone",
                                      "()Ljava/lang/Object;");
    HANDLE_SCOPE(self);
    struct object *text = handle_new(self, string_from_utf8(self, "t\xc3\xa4xt"));

    is_string(message("%pC", string), "java.lang.String", "a class");
    is_string(message("%pC", boot("[[I")), "[[I", "a class of arrays");
    is_string(message("%pN", "a/b/C"), "a.b.C", "a name in internal form");
    is_string(message("%pM", m), "int java.lang.String.indexOf(java.lang.String, int)",
              "a method");
    is_string(message("%pS", clone), "java.lang.Object clone()", "a method without its class");
    is_string(message("%pK %pK %pK", list, number, string),
              "interface abstract class class", "kinds of classes");
    is_string(message("%pI %pI", list, number), "interface class", "two kinds");
    is_string(message("%pL", self->vm->boot_loader), "'bootstrap'", "a loader");
    is_string(message("%pQ", self->vm->java_base), "module java.base", "a module");
    is_string(message("%pQ", self->vm->boot_unnamed), "unnamed module @0x0",
              "an unnamed module without an object");
    is_string(message("%pP", string),
              "java.lang.String is in module java.base of loader 'bootstrap'",
              "where a class is");
    is_string(message("%pT", CLASS_PAIR(string, list)),
              "java.lang.String and java.util.List are in module java.base of loader "
              "'bootstrap'",
              "where two classes are");
    is_string(message("<%pU|%pU>", text, NULL), "<t\xc3\xa4xt|>",
              "a string and none");
    is_string(message("%d%% %s %.*s %lu %c", 7, "x", 2, "yz-", 5ul, '!'),
              "7% x yz 5 !", "what printf knows");
}

int
main(void)
{
    self = boot_fixture();
    test_messages();
    test_subtypes();
    test_deep_chain();
    test_layout();
    test_vtable();
    test_selection();
    test_names();
    test_hidden();
    test_ids();
    return done_testing();
}
