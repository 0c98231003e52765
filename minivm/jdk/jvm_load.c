/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_load.c -- JVM_ functions that find and define classes, and those
 * about assertions.
 *
 * Each finds or defines by linking/loader.h.  A name comes in as modified UTF-8 with
 * slashes; class_symbol refuses one that is too long to be a class's (JVMS 4.2.1) with
 * the exception that the function is expected to throw.
 *
 * java -ea and -da are answered here: JVM_DesiredAssertionStatus for a class whose
 * static initializer asks, JVM_AssertionStatusDirectives for a class loader of the
 * program, which then keeps the options itself. */

#include <string.h>

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "linking/link.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- finding ---- */

/*
 * Finds a class by name from loader l, and initializes it if init.  Returns NULL with
 * an exception pending; not_found_error selects NoClassDefFoundError rather than
 * ClassNotFoundException for a class that does not exist.  name is modified UTF-8 with
 * slashes.  The handle keeps the class while its initializer runs.
 */
static jclass
find_from(struct thread *self, const char *name, struct loader *l, bool init,
          bool not_found_error)
{
    const struct symbol *s = class_symbol(self, name,
                                          not_found_error
                                              ? KNOWN_CLASS_NoClassDefFoundError
                                              : KNOWN_CLASS_ClassNotFoundException);
    struct class *c = s ? class_load(self, l, s, not_found_error) : NULL;

    handle_new(self, c ? c->layout.mirror : NULL);
    return c && (!init || class_initialize(self, c)) ? class_ref(self, c) : NULL;
}

/*
 * Returns the boot loader's class of that name; NULL, without an exception, if it has
 * none.  name may be NULL.
 */
static struct class *
find_from_boot(struct thread *self, const char *name)
{
    return name && strlen(name) <= SYMBOL_MAX_LENGTH
               ? class_try_load(self, self->vm->boot_loader, symbol_of(name))
               : NULL;
}

/* Finds a class for BootLoader.findClassOrNull; NULL when there is none. */
JNIEXPORT jclass JNICALL
JVM_FindClassFromBootLoader(JNIEnv *env, const char *name)
{
    VM_ENTRY(env);

    return class_ref(self, find_from_boot(self, name));
}

/* Class.forName. */
JNIEXPORT jclass JNICALL
JVM_FindClassFromCaller(JNIEnv *env, const char *name, jboolean init, jobject loader,
                        jclass caller UNUSED)
{
    VM_ENTRY(env);

    return find_from(self, name, ref_loader(loader), init, NOT_FOUND_EXCEPTION);
}

/*
 * Finds a class as code of the class from would; for the verifier and old native code.
 */
JNIEXPORT jclass JNICALL
JVM_FindClassFromClass(JNIEnv *env, const char *name, jboolean init, jclass from)
{
    VM_ENTRY(env);

    return find_from(self, name, from ? ref_class(from)->loader : self->vm->boot_loader,
                     init, NOT_FOUND_ERROR);
}

/*
 * ClassLoader.findLoadedClass: the class for which loader is recorded as an initiating
 * loader (JVMS 5.3), or null.  Loads nothing.
 */
JNIEXPORT jclass JNICALL
JVM_FindLoadedClass(JNIEnv *env, jobject loader, jstring name)
{
    VM_ENTRY(env);
    struct object *text = ref_get(name);
    const struct symbol *s = text ? string_to_symbol(text, DOTS_TO_SLASHES) : NULL;

    return s ? class_ref(self, class_find_loaded(ref_loader(loader), s)) : NULL;
}

/* Class.getPrimitiveClass: the class of int, void and so on, by its Java name. */
JNIEXPORT jclass JNICALL
JVM_FindPrimitiveClass(JNIEnv *env, const char *name)
{
    VM_ENTRY(env);

    for (unsigned i = 0; i < 26; i++) {
        const struct class *c = self->vm->known.primitives[i];
        if (c && symbol_equals(c->name, name))
            return class_ref(self, c);
    }
    return THROW(self, ClassNotFoundException, "%s", name);
}

/* ---- defining ---- */

/*
 * Fills in what the two functions that define a class have in common.  Returns false
 * with NoClassDefFoundError pending when name, which may be NULL, is no name of a
 * class.
 */
static bool
set_definition(struct thread *self, struct class_definition *d, const char *name,
               const jbyte *bytes, jsize length, jobject domain)
{
    d->bytes = (const uint8_t *)bytes;
    d->length = (size_t)length;
    d->protection_domain = ref_get(domain);
    if (!name)
        return true;
    d->name = class_symbol(self, name, KNOWN_CLASS_NoClassDefFoundError);
    return d->name != NULL;
}

/*
 * ClassLoader.defineClass; source is where the class came from, for -Xlog:class+load.
 */
JNIEXPORT jclass JNICALL
JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader,
                          const jbyte *bytes, jsize length, jobject domain,
                          const char *source)
{
    VM_ENTRY(env);
    struct class_definition d = { .source = source };

    if (!set_definition(self, &d, name, bytes, length, domain))
        return NULL;
    return class_ref(self, class_define(self, ref_loader(loader), &d));
}

/*
 * The flags of JVM_LookupDefineClass; the numbers are those of
 * MethodHandleNatives.Constants.
 */
enum define_flag {
    DEFINE_NESTMATE = 1,
    DEFINE_HIDDEN = 2,
    DEFINE_STRONG = 4,
    DEFINE_VM_ANNOTATIONS = 8
};

/*
 * Returns true if the flags go together; false with IllegalArgumentException pending.
 * flags is a set of enum define_flag.  An ordinary class has to be strong and may have
 * none of the privileges of a hidden one.
 */
static bool
check_lookup_define(struct thread *self, jclass lookup, int flags, jobject class_data)
{
    const char *wrong = NULL;

    if (!lookup)
        wrong = "Lookup class is null";
    else if (flags & DEFINE_HIDDEN)
        return true;
    else if (flags & DEFINE_NESTMATE)
        wrong = "dynamic nestmate is only applicable to hidden class";
    else if (!(flags & DEFINE_STRONG))
        wrong = "an ordinary class must be strongly referenced by its defining loader";
    else if (flags & DEFINE_VM_ANNOTATIONS)
        wrong = "vm annotations only allowed for hidden classes";
    else if (class_data)
        wrong = "classData is only applicable for hidden classes";
    return !wrong || THROW(self, IllegalArgumentException, "%s", wrong);
}

/*
 * Lookup.defineClass and Lookup.defineHiddenClass.  A hidden class has no name by which
 * another class could find it, may be a nestmate of the lookup class, and is unloaded
 * before its loader unless it is strong.  The new class is linked, or initialized if
 * init.  The package is compared after the definition, since the class file says what
 * it is.
 */
JNIEXPORT jclass JNICALL
JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *bytes,
                      jsize length, jobject domain, jboolean init, int flags,
                      jobject class_data)
{
    VM_ENTRY(env);
    struct class_definition d = { .source = "__JVM_LookupDefineClass__",
                                  .is_hidden = (flags & DEFINE_HIDDEN) != 0,
                                  .is_strong = (flags & DEFINE_STRONG) != 0,
                                  .is_nestmate = (flags & DEFINE_NESTMATE) != 0,
                                  .has_vm_annotations = (flags & DEFINE_VM_ANNOTATIONS)
                                                        != 0,
                                  .class_data = ref_get(class_data) };

    if (!check_lookup_define(self, lookup, flags, class_data)
        || !set_definition(self, &d, name, bytes, length, domain))
        return NULL;
    d.host = ref_class(lookup);
    struct class *c = class_define(self, d.host->loader, &d);
    if (!c)
        return NULL;
    handle_new(self, c->layout.mirror);
    if ((!d.is_hidden || d.is_nestmate) && !class_same_package(d.host, c))
        return THROW(self, IllegalArgumentException,
                     "Lookup class and defined class are in different packages");
    if (!(init ? class_initialize(self, c) : class_link(self, c)))
        return NULL;
    return class_ref(self, c);
}

/* ---- assertions (java -ea, -da, -esa) ---- */

/*
 * Returns the last option on the command line that names the class or package name, of
 * length bytes with slashes, since a later option overrides an earlier one.  With name
 * NULL it returns the last one for all classes, as -ea alone; NULL when there is no
 * such option.  is_package says whether name is a package's.
 */
static const struct assertion_option *
find_assertion(const struct vm_options *o, bool is_package, const char *name,
               size_t length)
{
    const struct assertion_option *found = NULL;

    for (const struct assertion_option *a = o->assertions; a; a = a->next)
        if (name ? a->name && a->is_package == is_package && strlen(a->name) == length
                       && memcmp(a->name, name, length) == 0
                 : !a->name)
            found = a;
    return found;
}

/*
 * Returns the status of classes that no option names and that are not the boot
 * loader's.  That is what -ea or -da alone says, and false without either.
 */
static bool
user_default(const struct vm_options *o)
{
    const struct assertion_option *a = find_assertion(o, false, NULL, 0);

    return a && a->enable;
}

/*
 * Returns the option that decides for the class name: the one that names it, else its
 * package, else the innermost enclosing package that an option names (-ea:p...); NULL
 * when none does.  The unnamed package, whose option is -ea:..., has the empty name.
 */
static const struct assertion_option *
assertion_for(const struct vm_options *o, const struct symbol *name)
{
    const struct assertion_option *a = find_assertion(o, false, name->bytes,
                                                      name->length);
    const char *end = strrchr(name->bytes, '/');

    if (!a && !end)
        return find_assertion(o, true, "", 0);
    for (; !a && end; end = memrchr(name->bytes, '/', (size_t)(end - name->bytes)))
        a = find_assertion(o, true, name->bytes, (size_t)(end - name->bytes));
    return a;
}

/*
 * Class.desiredAssertionStatus0: whether assertions of cls are to be enabled when it is
 * initialized. -esa and -dsa decide for classes of the boot loader.
 */
JNIEXPORT jboolean JNICALL
JVM_DesiredAssertionStatus(JNIEnv *env, jclass unused UNUSED, jclass cls)
{
    VM_ENTRY(env);
    const struct vm_options *o = &self->vm->options;
    const struct class *c = ref_class(cls);

    if (c->primitive || class_is_array(c))
        return JNI_FALSE;
    const struct assertion_option *a = assertion_for(o, c->name);
    if (a)
        return a->enable;
    return c->loader->is_boot ? o->system_assertions : user_default(o);
}

/*
 * Stores the options for packages, or those for classes, in the directives o: a
 * String[] of names with dots at names_field and a boolean[] at enabled_field (offsets
 * in o).  Returns false with an exception pending.  packages says which of the two.
 * The names are in the order of the command line.
 */
static bool
set_directives(struct thread *self, struct object *o, bool packages,
               uint32_t names_field, uint32_t enabled_field)
{
    const struct assertion_option *a;
    int32_t count = 0, at = 0;

    for (a = self->vm->options.assertions; a; a = a->next)
        count += a->name && a->is_package == packages;
    struct object *enabled = handle_new(self, array_new_primitive(self, 'Z', count));
    size_t mark = self->handle_count;
    for (a = self->vm->options.assertions; enabled && a; a = a->next) {
        if (!a->name || a->is_package != packages)
            continue;
        TEXTS(t);
        ARRAY_BYTES(enabled)[at++] = a->enable;
        handle_new(self, string_from_utf8(self, own(&t, dotted_name(a->name))));
    }
    struct object *names = strings_from_handles(self, mark);
    if (!names)
        return false;
    OBJECT_FIELD(struct object *, o, names_field) = names;
    OBJECT_FIELD(struct object *, o, enabled_field) = enabled;
    return true;
}

/* ClassLoader.retrieveDirectives: all options, as an AssertionStatusDirectives. */
JNIEXPORT jobject JNICALL
JVM_AssertionStatusDirectives(JNIEnv *env, jclass unused UNUSED)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    struct object *o = java_new(
        self, known_class(self, KNOWN_CLASS_AssertionStatusDirectives));

    if (!o
        || !set_directives(self, o, false, KF(vm, AssertionStatusDirectives_classes),
                           KF(vm, AssertionStatusDirectives_classEnabled))
        || !set_directives(self, o, true, KF(vm, AssertionStatusDirectives_packages),
                           KF(vm, AssertionStatusDirectives_packageEnabled)))
        return NULL;
    OBJECT_FIELD(uint8_t, o,
                 KF(vm, AssertionStatusDirectives_deflt)) = user_default(&vm->options);
    return object_ref(self, o);
}
