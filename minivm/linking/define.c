/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/define.c -- deriving a class from a class file (JVMS 5.3.5).
 *
 * class_define takes the steps of the specification in order: parse the file, load the
 * superclass and the interfaces and check that they may be extended, make the struct
 * class and its mirror, and record the class with its loader.  A struct definition has
 * what one step leaves for the next.  Only the last step makes the class visible to
 * others; when a step before it fails, class_discard gives the class up.
 */

#include <stdio.h>
#include <string.h>

#include "base/events.h"
#include "base/history.h"
#include "base/mem.h"
#include "base/os.h"
#include "diagnostics/exhausted.h"
#include "linking/access.h"
#include "linking/link.h"
#include "linking/loader.h"
#include "linking/loading.h"
#include "linking/make.h"
#include "linking/message.h"
#include "linking/module.h"
#include "linking/nest.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* The state of one definition. */
struct definition {
    struct thread *self;
    struct loader *loader;
    const struct class_definition *d;
    struct class_bytes bytes;  /* what ClassFileLoadHook gets, and has changed */
    struct classfile *file;    /* owned until class_make takes it over; then NULL */
    struct class *super;       /* NULL for Object */
    struct class **interfaces; /* owned; as many as file names */
    bool is_transformed;       /* an agent has replaced the bytes */
};

/* ---- parsing ---- */

/* Throws the exception that fits why the parser has refused the file.  Returns NULL. */
static void *
throw_parse_error(struct thread *self, const struct classfile_error *error)
{
    static const enum known_class errors[] = {
        [CLASSFILE_VERSION] = KNOWN_CLASS_UnsupportedClassVersionError,
        [CLASSFILE_WRONG_NAME] = KNOWN_CLASS_NoClassDefFoundError,
        [CLASSFILE_FORMAT] = KNOWN_CLASS_ClassFormatError,
    };

    if (error->kind == CLASSFILE_NO_MEMORY)
        return throw_exhausted(self, "Metaspace", EXHAUSTED_OOM_ERROR);
    return throw_new(self, errors[error->kind], "%s", error->message);
}

/* Returns the name of a hidden class: that in its file, and a number that no other
   class ever has, in the form of the address that HotSpot appends. */
static const struct symbol *
hidden_name(struct vm *vm, const struct symbol *name)
{
    static const uint64_t first = 0x0000000800000000;
    uint32_t number = __atomic_add_fetch(&vm->class_serial, 1, __ATOMIC_RELAXED);
    char *text = mem_printf("%s+0x%016llx", name->bytes,
                            (unsigned long long)(first + (uint64_t)number * 0x400));
    const struct symbol *hidden = symbol_of(text);

    mem_free(text);
    return hidden;
}

/* Parses the bytes that are left after the agents have seen them.  Returns NULL with
   the error pending.  Files of the boot loader are trusted unless -Xverify:all
   (verify_local), and only the JDK's own loaders may use the JDK's internal
   annotations. */
static struct classfile *
parse_bytes(struct definition *k, const uint8_t *bytes, size_t length)
{
    struct vm *vm = k->self->vm;
    struct classfile_options options = {
        /* A hidden class gets the name that its definer gives. */
        .expected_name = k->d->is_hidden ? NULL : k->d->name,
        .max_major = (uint16_t)vm->profile->max_class_major,
        .relaxed = k->loader->is_boot && !vm->options.verify_local,
        .privileged = k->loader->is_boot || k->loader->is_platform
                      || k->d->has_vm_annotations,
        .strict_names = release_has_strict_names(vm->profile->feature),
        .preview = vm->options.enable_preview,
    };
    struct classfile_error error = { 0 };
    struct classfile *file;

    if (k->d->is_hidden)
        options.hidden_name = hidden_name(vm, k->d->name);
    file = classfile_parse(bytes, length, &options, &error);
    return file ? file : throw_parse_error(k->self, &error);
}

/*
 * Sends ClassFileLoadHook, which may replace the bytes, and parses them.  The event is
 * not sent for hidden classes.  Returns NULL with the error pending, which may be what
 * a hook has thrown.  The parser has copied the bytes, so a changed file is freed here.
 * bytes.initial, the file as the first agent that can retransform saw it, stays
 * allocated on success: set_origin gives it to the constant pool.
 */
static struct classfile *
parse(struct definition *k)
{
    const struct class_definition *d = k->d;
    struct class_bytes *b = &k->bytes;
    struct classfile *file = NULL;

    *b = (struct class_bytes){ .loader = k->loader,
                               .bytes = d->bytes,
                               .name = d->name ? d->name->bytes : NULL,
                               .protection_domain = d->protection_domain,
                               .length = d->length };
    if (!d->is_hidden)
        EVENT_SEND(EVENT_CLASS_FILE_LOAD, class_file_load, k->self, b);
    if (!exception_pending(k->self))
        file = parse_bytes(k, b->bytes, b->length);
    k->is_transformed = b->changed != NULL;
    mem_free(b->changed);
    if (!file)
        mem_free(b->initial);
    return file;
}

/* Refuses classes of packages java.* unless the boot or platform loader defines
   them. */
static bool
check_package(struct definition *k)
{
    const struct symbol *name = k->file->this_class;

    if (k->loader->is_boot || k->loader->is_platform
        || strncmp(name->bytes, "java/", 5) != 0)
        return true;
    return THROW(k->self, SecurityException, "Prohibited package name: %pN",
                 package_of(k->self, k->loader, name)->name->bytes);
}

/* ---- supertypes ---- */

/* Throws IncompatibleClassChangeError; relation stands between the names of the class
   and of the other one. */
static bool
throw_incompatible(struct definition *k, const struct class *other,
                   const char *relation)
{
    return THROW(k->self, IncompatibleClassChangeError, "class %pN %s %pC",
                 k->file->this_class->bytes, relation, other);
}

/* Returns true if super is not sealed, or permits the class as a subclass: it names it,
   and both are in the same module, and in the same package unless the class is public
   (JVMS 5.3.5). */
static bool
is_permitted(struct definition *k, const struct class *super)
{
    const struct classfile *sealed = super->pool->file;
    struct package *package;

    if (!sealed->has_permitted_subclasses)
        return true;
    package = package_of(k->self, k->loader, k->file->this_class);
    return package->module == super->module
           && (k->file->access_flags & ACC_PUBLIC || package == super->package)
           && class_list_has(sealed, sealed->permitted_subclasses,
                             sealed->permitted_count, k->file->this_class);
}

/* Loads the superclass, if the file names one, and checks that it may be extended: it
   is a class, neither final nor sealed against this one.  Returns false with the error
   pending.  The mirror is a handle because nothing else keeps the superclass alive
   until the new class refers to it. */
static bool
load_super(struct definition *k)
{
    struct class *super;

    if (!k->file->super_class)
        return true;
    super = class_load(k->self, k->loader, k->file->super_class, NOT_FOUND_ERROR);
    if (!super)
        return false;
    k->super = super;
    handle_new(k->self, super->layout.mirror);
    if (class_is_interface(super))
        return THROW(k->self, IncompatibleClassChangeError,
                     "class %pN has interface %pC as super class",
                     k->file->this_class->bytes, super);
    if (super->access_flags & ACC_FINAL || class_is_array(super))
        return throw_incompatible(k, super, "cannot inherit from final class");
    if (!is_permitted(k, super))
        return throw_incompatible(k, super, "cannot inherit from sealed class");
    return true;
}

/* Loads the superinterfaces that the file names into k->interfaces, and checks that
   each is an interface and not sealed against this class.  Returns false with the error
   pending; class_define frees the array in any case.  The mirrors are handles because
   nothing else keeps the interfaces alive until the new class refers to them. */
static bool
load_interfaces(struct definition *k)
{
    const struct classfile *file = k->file;

    if (file->interface_count)
        k->interfaces = mem_calloc(file->interface_count, sizeof *k->interfaces);
    for (unsigned i = 0; i < file->interface_count; i++) {
        struct class *c = class_load(
            k->self, k->loader, cf_name(file, file->interfaces[i]), NOT_FOUND_ERROR);

        if (!c)
            return false;
        handle_new(k->self, c->layout.mirror);
        if (!class_is_interface(c))
            return THROW(k->self, IncompatibleClassChangeError,
                         "class %pN can not implement %pC, because it is not an "
                         "interface (%pP)",
                         file->this_class->bytes, c, c);
        if (!is_permitted(k, c))
            return throw_incompatible(k, c,
                                      file->access_flags & ACC_INTERFACE
                                          ? "cannot extend sealed interface"
                                          : "cannot implement sealed interface");
        k->interfaces[i] = c;
    }
    return true;
}

/* Throws IllegalAccessError: super, a superclass or superinterface, is not accessible
   to c.  Returns false. */
static bool
super_access_failed(struct thread *self, struct class *c, struct class *super)
{
    bool is_super = !class_is_interface(super);
    bool is_abstract = is_super && super->access_flags & ACC_ABSTRACT;
    char *text = access_class_module_message(c, super);
    TEXTS(t);

    if (text)
        return THROW(self, IllegalAccessError, "%s check failed: %s",
                     is_super ? "superclass access" : "superinterface", own(&t, text));
    return THROW(self, IllegalAccessError, "class %pC cannot access its %s%s %pC (%pT)",
                 c, is_abstract ? "abstract " : "",
                 is_super ? "superclass" : "superinterface", super,
                 CLASS_PAIR(c, super));
}

/* Refuses subclasses of the JDK's jdk.internal.reflect, which may skip verification and
   access checks, unless the JDK's own DelegatingClassLoader defines them. */
static bool
check_reflection_super(struct thread *self, struct class *c)
{
    if (c->loader->is_boot || !c->super->loader->is_boot
        || !symbol_equals(c->super->package->name, "jdk/internal/reflect")
        || symbol_equals(object_class(c->loader->object)->name,
                         "jdk/internal/reflect/DelegatingClassLoader"))
        return true;
    return THROW(self, IllegalAccessError,
                 "class %pC loaded by %pL cannot access "
                 "jdk/internal/reflect superclass %pC",
                 c, c->loader, c->super);
}

/* Checks that c has access to its direct supertypes (JVMS 5.3.5).  Returns false with
   IllegalAccessError pending. */
static bool
check_super_access(struct thread *self, struct class *c)
{
    if (c->super
        && (!check_reflection_super(self, c)
            || (!access_class(c, c->super) && !super_access_failed(self, c, c->super))))
        return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!access_class(c, c->interfaces[i]))
            return super_access_failed(self, c, c->interfaces[i]);
    return true;
}

/* ---- the class ---- */

/* Sets what follows from who has defined the class and how.  The class's own constant
   of itself is resolved here: for a hidden class loading by name would not find it. */
static void
set_origin(struct definition *k, struct class *c)
{
    const struct class_definition *d = k->d;

    if (d->is_hidden)
        c->flags |= CLASS_IS_HIDDEN;
    /* Stack traces leave the frames of hidden classes out (JEP 371). */
    for (uint32_t i = 0; d->is_hidden && i < c->method_count; i++)
        c->methods[i].flags |= METHOD_HIDDEN;
    if (d->is_hidden && !d->is_strong)
        c->flags |= CLASS_IS_WEAK;
    if (k->loader->is_boot || k->loader->is_platform)
        c->flags |= CLASS_IS_TRUSTED;
    c->pool->entries[c->pool->file->this_index] = c;
    c->pool->initial = k->bytes.initial;
    c->pool->initial_length = k->bytes.initial_length;
    k->bytes.initial = NULL;
}

/* Calls ClassLoader.addClass, by which the loader's object keeps its classes alive.
   The boot loader has no object, and a weak class must be able to die first.  Returns
   false with what the method has thrown pending. */
static bool
call_add_class(struct thread *self, struct class *c)
{
    union slot args[2] = { { .ref = c->loader->object }, { .ref = c->layout.mirror } };

    if (c->loader->is_boot || c->flags & CLASS_IS_WEAK)
        return true;
    return java_call(self, KM(self->vm, ClassLoader_addClass), args, NULL);
}

/* Makes the class visible: to those who ask its loader, and to walks over all classes.
   Returns false with LinkageError pending, and registers nothing, if the loader has a
   class of that name or a constraint forbids it. */
static bool
register_class(struct thread *self, struct class *c)
{
    struct vm *vm = self->vm;

    if (!(c->flags & CLASS_IS_HIDDEN) && !loader_record(self, c->loader, c->name, c))
        return false;
    mutex_lock(&vm->class_mutex);
    c->next_in_loader = c->loader->defined;
    c->loader->defined = c;
    if (!c->loader->representative && !(c->flags & CLASS_IS_WEAK))
        c->loader->representative = c;
    vm->classes_loaded++;
    mutex_unlock(&vm->class_mutex);
    if (c->loader->is_boot)
        known_resolve_class(vm, c);
    return true;
}

/* Notes the class in the history that jcmd's VM.events prints, and writes a line of
   -verbose:class in HotSpot's form; source NULL: it was defined from bytes in memory. */
static void
log_load(const struct class *c, const char *source)
{
    history_add_name(HISTORY_LOADED, "Loading class", NULL, c->name);
    if (log_wanted(LOG_CLASS_LOAD, LOG_INFO))
        vm_log(LOG_CLASS_LOAD, LOG_INFO, "%pC source: %s", c,
               source                       ? source
               : c->flags & CLASS_IS_HIDDEN ? "__JVM_LookupDefineClass__"
                                            : "__JVM_DefineClass__");
}

/*
 * Makes the class from its parsed file, which is the class's then, with its mirror, and
 * registers it with the loader; then sends ClassLoad.  NULL with an exception pending
 * when that fails; what was made is discarded then.
 */
static struct class *
make(struct definition *k)
{
    struct thread *self = k->self;
    struct classfile *file = k->file;
    struct class *c;
    bool good;

    /* class_make takes the file over, also when it fails. */
    k->file = NULL;
    c = class_make(self, k->loader, file, k->super, k->interfaces);
    if (!c)
        return NULL;
    set_origin(k, c);
    good = check_super_access(self, c)
           && (!self->vm->has_mirrors
               || class_make_mirror(self, c, k->d->protection_domain,
                                    k->d->class_data));
    handle_new(self, c->layout.mirror);
    if (good && k->d->is_hidden && k->d->is_nestmate)
        c->nest_host = class_nest_host(self, k->d->host);
    /* A duplicate, or a class that addClass has refused, is given up. */
    if (!good || exception_pending(self) || !call_add_class(self, c)
        || !register_class(self, c)) {
        class_discard(self->vm, c);
        return NULL;
    }
    if (k->is_transformed) {
        module_transformed(self, c->module);
        intrinsics_class_changed(self->vm, c);
    }
    log_load(c, k->d->source);
    EVENT_SEND(EVENT_CLASS_LOAD, class_load, self, c);
    return c;
}

/*
 * d->load_begun says that load_from_boot has recorded the load; any other definition is
 * recorded here, so that a class which is its own superclass is found.  load_begin does
 * not wait then: two threads may define the same name, and register_class lets the
 * first one succeed.  A hidden class is linked before it is returned (JEP 371); if that
 * fails it stays defined, but nobody gets it.
 */
struct class *
class_define(struct thread *self, struct loader *l, const struct class_definition *d)
{
    struct definition k = { .self = self, .loader = l, .d = d };
    struct load load = { .loader = l };
    struct class *c = NULL;
    bool begun;
    HANDLE_SCOPE(self);

    if (!loader_bind_unnamed_module(self, l))
        return NULL;
    handle_new(self, d->protection_domain);
    handle_new(self, d->class_data);
    handle_new(self, l->object);
    k.file = parse(&k);
    if (!k.file)
        return NULL;
    load.name = k.file->this_class;
    begun = d->load_begun || load_begin(self, &load, false);
    if (begun && check_package(&k) && load_super(&k) && load_interfaces(&k))
        c = make(&k);
    if (begun && !d->load_begun)
        load_end(self, &load);
    mem_free(k.interfaces);
    mem_free(k.bytes.initial);
    classfile_free(k.file);
    return c && d->is_hidden && !class_link(self, c) ? NULL : c;
}
