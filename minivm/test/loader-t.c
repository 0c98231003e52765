/* SPDX-License-Identifier: MIT */
/* minivm/test/loader-t.c -- definition, loading through loaders, constraints,
 * unloading. */

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "linking/access.h"
#include "linking/constraints.h"
#include "linking/ids.h"
#include "linking/loader.h"
#include "linking/module.h"
#include "linking/unload.h"
#include "runtime/vm.h"
#include "test/boot-fixture.h"
#include "test/tap.h"

static struct thread *self;

static struct class *
define_simple(struct loader *l, const char *name, const char *super)
{
    struct assembler a;

    assembler_init(&a, name, super, 52);
    return define(self, l, &a);
}

/* ---- definition (JVMS 5.3.5) ---- */

static void
test_definition(void)
{
    struct loader *boot = self->vm->boot_loader;
    struct class_definition d = { .name = symbol_of("def/Other") };
    struct assembler a;
    struct class *c;
    uint8_t *bytes;
    const char *text;

    assembler_init(&a, "def/Named", NULL, 52);
    bytes = assembler_finish(&a, &d.length);
    d.bytes = bytes;
    ok(class_define(self, boot, &d) == NULL, "a class with another name");
    is_string(thrown(self),
              "java/lang/NoClassDefFoundError: def/Other (wrong name: def/Named)",
              "is refused");
    d.length = 20;
    ok(class_define(self, boot, &d) == NULL, "half a class file");
    is_string(thrown(self), "java/lang/ClassFormatError: Truncated class file",
              "is truncated");
    mem_free(bytes);
    assembler_init(&a, "def/New", NULL, 99);
    ok(define(self, boot, &a) == NULL, "a class file of a later release");
    text = thrown(self);
    ok(strncmp(text, "java/lang/UnsupportedClassVersionError: ", 40) == 0,
       "is too new: %s", text);
    ok(define_simple(boot, "def/I", "java/lang/Runnable") == NULL,
       "an interface as the superclass");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: class def.I has interface "
              "java.lang.Runnable as super class",
              "is refused");
    ok(define_simple(boot, "def/S", "java/lang/String") == NULL, "a final superclass");
    is_string(thrown(self),
              "java/lang/IncompatibleClassChangeError: class def.S cannot inherit from "
              "final class java.lang.String",
              "is refused");
    assembler_init(&a, "def/Imp", NULL, 52);
    assembler_interface(&a, "java/lang/Object");
    ok(define(self, boot, &a) == NULL, "a class as an interface");
    is_string(
        thrown(self),
        "java/lang/IncompatibleClassChangeError: class def.Imp can not implement "
        "java.lang.Object, because it is not an interface (java.lang.Object is in "
        "module java.base of loader 'bootstrap')",
        "is refused");
    c = define_simple(boot, "def/Twice", NULL);
    ok(c != NULL && define_simple(boot, "def/Twice", NULL) == NULL,
       "a second definition");
    is_string(thrown(self),
              "java/lang/LinkageError: loader 'bootstrap' attempted duplicate class "
              "definition for def.Twice. (def.Twice is in module java.base of loader "
              "'bootstrap')",
              "is refused");
    ok(class_find_loaded(boot, symbol_of("def/Twice")) == c, "and the first one stays");
    ok(define_simple(boot, "def/Sup", "def/Nowhere") == NULL, "a missing superclass");
    is_string(thrown(self), "java/lang/NoClassDefFoundError: def/Nowhere", "is missed");
}

static void
test_arrays(void)
{
    struct class *c = class_load_boot(self, "[[Ljava/util/List;");

    ok(c != NULL && c->dimensions == 2, "an array class");
    ok(c->element == class_load_boot(self, "[Ljava/util/List;"), "and its component");
    ok(c->bottom == class_load_boot(self, "java/util/List"), "and its element");
    ok(OBJECT_FIELD(struct object *, c->layout.mirror,
                    KF(self->vm, Class_componentType))
           == c->element->layout.mirror,
       "which Java sees too");
    ok(class_load_boot(self, "[V") == NULL, "no array of void");
    thrown(self);
    ok(class_load_boot(self, "[Lno/Such;") == NULL, "nor of what is missing");
    is_string(thrown(self), "java/lang/NoClassDefFoundError: [Lno/Such;", "as it says");
}

/* ---- loaders ---- */

static struct loader *first, *second;
static struct class *answer; /* what loads of its name give */
static int calls;

static struct object *
delegate(struct thread *t, struct object *loader, const char *name)
{
    struct class *c;
    char *slashed = mem_strdup(name);

    (void)loader;
    calls++;
    for (char *at = slashed; *at; at++)
        if (*at == '.')
            *at = '/';
    if (answer && symbol_equals(answer->name, slashed))
        c = answer;
    else if (strcmp(name, "cyc.A") == 0)
        c = define_simple(first, "cyc/A", "cyc/B");
    else if (strcmp(name, "cyc.B") == 0)
        c = define_simple(first, "cyc/B", "cyc/A");
    else
        c = class_try_load(t, t->vm->boot_loader, symbol_of(slashed));
    mem_free(slashed);
    return c ? c->layout.mirror : NULL;
}

static void
test_loading(void)
{
    struct class *c = class_load(self, first, symbol_of("java/util/Map"),
                                 NOT_FOUND_ERROR);
    int before = calls;

    ok(c && c->loader->is_boot, "a loader delegates");
    ok(class_load(self, first, symbol_of("java/util/Map"), NOT_FOUND_ERROR) == c
           && calls == before,
       "and is asked once");
    ok(class_load(self, first, symbol_of("un/Known"), NOT_FOUND_ERROR) == NULL,
       "NULL is no class");
    is_string(thrown(self), "java/lang/NoClassDefFoundError: un/Known",
              "so it is missing");
    ok(class_load(self, first, symbol_of("cyc/A"), NOT_FOUND_ERROR) == NULL,
       "classes that extend each other");
    is_string(thrown(self), "java/lang/ClassCircularityError: cyc/A", "are refused");
    ok(define_simple(first, "java/util/Mine", NULL) == NULL, "a class of java.util");
    is_string(thrown(self),
              "java/lang/SecurityException: Prohibited package name: java.util",
              "is the platform's alone");
}

static void
test_constraints(void)
{
    const struct symbol *name = symbol_of("x/Shared");
    const struct symbol *descriptor = symbol_of("Lx/Shared;");
    struct class *mine, *other;

    ok(!constraints_add(self->vm, first, second, descriptor), "two loaders must agree");
    mine = define_simple(first, "x/Shared", NULL);
    ok(mine != NULL, "the first one defines the class");
    other = define_simple(second, "x/Shared", NULL);
    ok(other == NULL, "the second one may not define another");
    ok(strstr(thrown(self),
              "java/lang/LinkageError: loader constraint violation: loader ")
           != NULL,
       "LinkageError");
    answer = mine;
    ok(class_load(self, second, name, NOT_FOUND_ERROR) == mine, "but it may delegate");
    ok(define_simple(first, "x/Own", NULL) && define_simple(second, "x/Own", NULL),
       "without a constraint each has its own");
    ok(constraints_add(self->vm, first, second, symbol_of("(ILx/Own;)V")),
       "and then it is too late for one");
}

static void
test_modules(void)
{
    struct module *m = self->vm->java_base;
    struct class *own = class_find_loaded(first, symbol_of("x/Own"));
    char *text;

    ok(KC(self->vm, String)->module == m, "boot classes are in java.base");
    ok(first->unnamed->name == NULL, "a loader has an unnamed module");
    ok(own->module == first->unnamed, "its classes are in that");
    ok(module_reads(first->unnamed, m) && module_reads(m, m), "which reads java.base");
    ok(access_class(own, KC(self->vm, String)), "public classes are in reach");
    KC(self->vm, String)->package->exported_all = false;
    ok(!access_class(own, KC(self->vm, String)), "when their package is exported");
    text = access_class_message(own, KC(self->vm, String));
    ok(strstr(text,
              "because module java.base does not export java.lang to unnamed module "
              "@0x")
           != NULL,
       "as the message says: %s", text);
    mem_free(text);
    KC(self->vm, String)->package->exported_all = true;
}

/* ---- unloading ---- */

static int freed;

static void
count_freed(struct class *c)
{
    (void)c;
    freed++;
}

static void
define_and_forget(uintptr_t *id)
{
    struct loader *l;
    struct class *c;
    struct assembler a;
    HANDLE_SCOPE(self);

    l = make_loader(self, delegate);
    assembler_init(&a, "gone/A", NULL, 52);
    assembler_method(&a, ACC_PUBLIC | ACC_STATIC, "m", "()V", 0, 0, "return");
    c = define(self, l, &a);
    class_array_of(self, c);
    *id = method_id(own_method(c, "m", "()V"));
    ok(method_of_id(*id) != NULL, "a method of a class that will go");
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    handle_new(self, c->layout.mirror);
}

static void
test_unloading(void)
{
    uint64_t unloaded = self->vm->classes_unloaded;
    uintptr_t id;
    struct class *kept = define_simple(first, "kept/A", NULL);
    HANDLE_SCOPE(self);

    handle_new(self, kept->layout.mirror);
    class_add_free_hook(count_freed);
    define_and_forget(&id);
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    ok(self->vm->classes_unloaded > unloaded && freed > 0,
       "classes go with their loader");
    ok(method_of_id(id) == NULL, "their ids find nothing");
    ok(class_find_loaded(first, symbol_of("kept/A")) == kept, "others stay");
    define_and_forget(&id);
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    ok(method_of_id(id) == NULL, "when it happens again as well");
}

/* The linker leads all calls of ptrmap_next here. */
static uint64_t map_steps;

struct ptrmap_entry *__real_ptrmap_next(const struct ptrmap *m, size_t *cursor);
struct ptrmap_entry *__wrap_ptrmap_next(const struct ptrmap *m, size_t *cursor);

struct ptrmap_entry *
__wrap_ptrmap_next(const struct ptrmap *m, size_t *cursor)
{
    map_steps++;
    return __real_ptrmap_next(m, cursor);
}

/* Steps of a collection that finds so many loaders dead, each with a class and a
   constraint together with first. */
static uint64_t
steps_of_unloading(unsigned count)
{
    uint64_t before;

    for (unsigned i = 0; i < count; i++) {
        struct loader *l;
        HANDLE_SCOPE(self);

        l = make_loader(self, delegate);
        define_simple(l, "gone/B", NULL);
        constraints_add(self->vm, i % 2 ? l : first, i % 2 ? first : l,
                        symbol_of("Lgone/Shared;"));
    }
    before = map_steps;
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    return map_steps - before;
}

static void
test_many_loaders_die(void)
{
    const struct symbol *descriptor = symbol_of("Lgone/Shared;");
    uint64_t few = steps_of_unloading(100), many = steps_of_unloading(1600);
    struct class *shared;
    HANDLE_SCOPE(self);

    ok(many < 32 * few,
       "16 times the dead loaders take about 16 times the steps: "
       "%lu and %lu",
       (unsigned long)few, (unsigned long)many);
    ok(!constraints_add(self->vm, first, second, descriptor),
       "who lives can agree with others still");
    shared = define_simple(second, "gone/Shared", NULL);
    ok(shared && !define_simple(first, "gone/Shared", NULL), "and has to");
    thrown(self);
    answer = shared;
    ok(class_load(self, first, symbol_of("gone/Shared"), NOT_FOUND_ERROR) == shared,
       "see the same class");
}

/* The class of a new loader that is not its first and has resolved that of needed,
   another new one; the caller keeps nothing else. */
static struct class *
make_dependent(struct loader **needed)
{
    struct loader *l;
    struct class *c;
    HANDLE_SCOPE(self);

    *needed = make_loader(self, delegate);
    l = make_loader(self, delegate);
    answer = define_simple(*needed, "need/A", NULL);
    define_simple(l, "need/B", NULL);
    c = define_simple(l, "need/C", NULL);
    ok(class_load(self, l, symbol_of("need/A"), NOT_FOUND_ERROR) == answer,
       "a class of another");
    return c;
}

static bool
is_there(const struct loader *wanted)
{
    const struct loader *l = self->vm->loaders;

    while (l && l != wanted)
        l = l->next;
    return l != NULL;
}

static void
test_needed_loaders_stay(void)
{
    struct loader *needed;
    {
        HANDLE_SCOPE(self);

        handle_new(self, make_dependent(&needed)->layout.mirror);
        vm_collect(self, "test", KEEP_SOFT_REFERENCES);
        ok(is_there(needed), "a class keeps the loaders that its own has asked");
    }
    vm_collect(self, "test", KEEP_SOFT_REFERENCES);
    ok(!is_there(needed), "until it goes itself");
}

int
main(void)
{
    self = boot_fixture();
    HANDLE_SCOPE(self);
    first = make_loader(self, delegate);
    second = make_loader(self, delegate);
    KC(self->vm, Object)->package->exported_all = true;
    test_definition();
    test_arrays();
    test_loading();
    test_constraints();
    test_modules();
    test_unloading();
    test_many_loaders_die();
    test_needed_loaders_stay();
    return done_testing();
}
