/* SPDX-License-Identifier: MIT */
/* minivm/test/boot-fixture.c -- a VM with the first classes, before System runs. */

#include "test/boot-fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/os.h"
#include "classfile/classfile.h"
#include "interp/interp.h"
#include "jdk/jdk.h"
#include "linking/boot_classes.h"
#include "runtime/exception.h"
#include "runtime/start.h"
#include "runtime/string.h"
#include "test/tap.h"

/* The classes stay until the process ends.  What leads to them is mapped memory, where
   the search for leaks does not look. */
int __lsan_is_turned_off(void) __attribute__((visibility("default")));

int
__lsan_is_turned_off(void)
{
    return 1;
}

static void
open_library(struct vm *vm)
{
    const char *home = getenv("JDK17");
    char *path, *error = NULL;

    if (home == NULL || *home == '\0')
        skip_all("no JDK");
    path = mem_printf("%s/lib/modules", home);
    vm->modules = jimage_open(path, &error);
    if (vm->modules == NULL)
        skip_all("%s", error);
    vm->options.java_home = mem_strdup(home);
    vm->release = jdk_release(home);
    vm->profile = profile_of(vm->release ? atoi(vm->release) : 0);
    if (vm->profile == NULL)
        skip_all("'%s' is of a release that is not served", home);
    mem_free(path);
}

/* ---- natives that the library would bring ---- */

static bool
fill_in_stack_trace(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

static bool
add_class(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

static bool
get_stack_trace(struct thread *self, union slot *args)
{
    (void)self;
    args[0].ref = NULL;
    return true;
}

static load_fn *loader_loads;

static bool
load_class(struct thread *self, union slot *args)
{
    char *name = string_to_utf8(args[1].ref);

    args[0].ref = loader_loads(self, args[0].ref, name);
    mem_free(name);
    return !exception_pending(self);
}

static void
register_natives(void)
{
    static const struct intrinsic throwable[] = {
        C_BODY("fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in_stack_trace),
        C_BODY("getStackTrace", "()[Ljava/lang/StackTraceElement;", get_stack_trace),
        C_BODIES_END
    };
    static const struct intrinsic class_loader[] = {
        C_BODY("addClass", "(Ljava/lang/Class;)V", add_class), C_BODIES_END
    };
    static const struct intrinsic loader[] = {
        C_BODY("loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", load_class),
        C_BODIES_END
    };

    intrinsics_register("java/lang/Throwable", throwable);
    intrinsics_register("java/lang/ClassLoader", class_loader);
    intrinsics_register("t/Loader", loader);
}

/* Their initializers need more of the library than is there; none of their statics
   matters to the constructors that take a message. */
static void
mark_initialized(struct class *c)
{
    for (; c; c = c->super)
        c->state = CLASS_INITIALIZED;
}

static void
prepare_exceptions(struct thread *self)
{
    for (int i = KNOWN_CLASS_OutOfMemoryError; i < KNOWN_CLASS_Perf; i++)
        mark_initialized(known_class(self, (enum known_class)i));
    mark_initialized(KC(self->vm, String));
}

/* ---- the VM ---- */

struct thread *
boot_fixture(void)
{
    static struct vm vm;
    struct heap_options heap = { .initial = 16 << 20,
                                 .maximum = 128 << 20,
                                 .soft_ms_per_mb = 1000 };
    const char *heap_error;
    char *error = NULL;
    struct thread *self;

    the_vm = &vm;
    vm.options.verify_remote = vm.options.class_unloading = true;
    vm.options.stack_size = 1 << 20;
    vm.start_nanos = (uint64_t)os_nanos();
    open_library(&vm);
    vm.heap = heap_new(&heap, &heap_error);
    if (vm.heap == NULL)
        skip_all("%s", heap_error);
    vm_init_floor(&vm);
    register_natives();
    self = thread_attach_first(&vm);
    if (!classes_boot(self, &error)) {
        printf("Bail out! %s\n", error);
        exit(1);
    }
    prepare_exceptions(self);
    return self;
}

struct class *
define(struct thread *self, struct loader *l, struct assembler *a)
{
    struct class_definition d = { 0 };
    uint8_t *bytes = assembler_finish(a, &d.length);
    struct class *c;

    d.bytes = bytes;
    c = class_define(self, l, &d);
    mem_free(bytes);
    return c;
}

const char *
thrown(struct thread *self)
{
    static char text[1024];
    struct object *e = exception_take(self), *message;
    char *message_text;

    if (e == NULL)
        return "";
    message = OBJECT_FIELD(struct object *, e, KF(self->vm, Throwable_detailMessage));
    message_text = message ? string_to_utf8(message) : mem_strdup("");
    snprintf(text, sizeof text, "%s%s%s", object_class(e)->name->bytes,
             message ? ": " : "", message_text);
    mem_free(message_text);
    return text;
}

static struct class *
loader_class(struct thread *self)
{
    struct class *c = class_find_loaded(self->vm->boot_loader, symbol_of("t/Loader"));
    struct assembler a;

    if (c)
        return c;
    assembler_init(&a, "t/Loader", "java/lang/ClassLoader", 52);
    assembler_method(&a, ACC_PUBLIC | ACC_NATIVE, "loadClass",
                     "(Ljava/lang/String;)Ljava/lang/Class;", 0, 0, NULL);
    c = define(self, self->vm->boot_loader, &a);
    mark_initialized(c);
    return c;
}

struct loader *
make_loader(struct thread *self, load_fn *load)
{
    struct vm *vm = self->vm;
    struct object *o = handle_new(self, object_new(self, loader_class(self)));
    struct object *module = object_new(self, KC(vm, Module));

    OBJECT_FIELD(struct object *, o, KF(vm, ClassLoader_unnamedModule)) = module;
    loader_loads = load;
    return loader_of(self->vm, o);
}

struct method *
own_method(const struct class *c, const char *name, const char *descriptor)
{
    return class_own_method(c, symbol_of(name), symbol_of(descriptor));
}

struct field *
own_field(const struct class *c, const char *name)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (symbol_equals(c->fields[i].name, name))
            return &c->fields[i];
    return NULL;
}
