/* SPDX-License-Identifier: MIT */
/* minivm/jni/lookup.c -- finding a native method's function (JNI "Resolving Native
 * Method Names").
 *
 * A method's function has a name made of the class's and the method's names; if there
 * is no function of that short name, a long name is tried, which has the types of the
 * parameters, too.  The boot loader's methods are looked up in the JDK's libjava; then
 * the class library is asked, which has loaded the libraries of each class loader; then
 * the agents.  If a method has no function, the prefixes of JVM TI "Set Native Method
 * Prefix" are taken off its name one after the other. */

#include "jni/entry.h"

#include <dlfcn.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/string.h"

/* Appends text, a name in modified UTF-8, as JNI escapes it in the names of functions:
   letters and digits stay, and every other character becomes _ with a digit or with its
   number in hexadecimal. */
void
native_mangle(struct buf *out, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        uint16_t c = mutf8_next(&text, end);
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            buf_printf(out, "%c", c);
        else if (c == '/')
            buf_printf(out, "_");
        else if (c == '_')
            buf_printf(out, "_1");
        else if (c == ';')
            buf_printf(out, "_2");
        else if (c == '[')
            buf_printf(out, "_3");
        else
            buf_printf(out, "_0%04x", c);
    }
}

/* Returns Java_<class>_<method>; mem_free. */
static char *
short_name(const struct method *m, const struct symbol *name)
{
    struct buf b = { 0 };

    buf_printf(&b, "Java_");
    native_mangle(&b, m->class->name->bytes, m->class->name->length);
    buf_printf(&b, "_");
    native_mangle(&b, name->bytes, name->length);
    return buf_steal(&b, NULL);
}

/* Returns <short name>__<types of the parameters>; mem_free. */
static char *
long_name(const struct method *m, const char *name)
{
    const char *parameters = m->descriptor->bytes + 1;
    struct buf b = { 0 };

    buf_printf(&b, "%s__", name);
    native_mangle(&b, parameters, (size_t)(strchr(parameters, ')') - parameters));
    return buf_steal(&b, NULL);
}

/* Asks the class library for the function in the libraries that the classes of m's
   loader have loaded.  Returns NULL if there is none, or with an exception pending.  As
   of JDK 25 the class library also wants to know the class and the method's name, for
   its warning of restricted methods. */
static void *
ask_loader(struct thread *self, const struct method *m, const char *name)
{
    struct vm *vm = self->vm;
    struct method *find = KM(vm, ClassLoader_findNative);
    union slot args[4], result = { .j = 0 };
    HANDLE_SCOPE(self);

    args[0].ref = m->class->loader->object;
    args[1].ref = handle_new(self, string_from_utf8(self, name));
    if (!find && args[1].ref) {
        find = KM(vm, ClassLoader_findNativeFor);
        args[2].ref = args[1].ref;
        args[1].ref = m->class->layout.mirror;
        args[3].ref = handle_new(self, string_from_symbol(self, m->name));
        if (!args[3].ref)
            return NULL;
    }
    if (!args[1].ref || !java_call(self, find, args, &result))
        return NULL;
    return (void *)(uintptr_t)result.j;
}

/* The lookup in the agents' libraries, and below the source of the prefixes, are set by
   the JVM TI floor, which stands above this one.  They are variables since a process
   has one such floor. */
static void *(*agent_lookup)(const char *name);

void
native_set_agent_lookup(void *(*fn)(const char *name))
{
    agent_lookup = fn;
}

/* Returns the function of that name for m, or NULL.  java_library,
   libjava, has most of the boot loader's natives and may be asked before Java runs.  In
   the OnLoad phase there is no class library to ask yet.  NULL may come with an
   exception pending. */
static void *
find_function(struct thread *self, const struct method *m, const char *name)
{
    void *f = NULL;

    if (m->class->loader->is_boot && self->vm->java_library)
        f = dlsym(self->vm->java_library, name);
    if (!f && vm_get_phase(self->vm) >= VM_PHASE_PRIMORDIAL)
        f = ask_loader(self, m, name);
    if (!f && !exception_pending(self) && agent_lookup)
        f = agent_lookup(name);
    return f;
}

/* Returns the function for m as if m had the name method_name, or NULL.  The long name
   is tried second (JNI "Resolving Native Method Names").  NULL may come with an
   exception pending. */
static void *
find_by_name(struct thread *self, const struct method *m,
             const struct symbol *method_name)
{
    TEXTS(t);
    const char *name = own(&t, short_name(m, method_name));
    void *f = find_function(self, m, name);

    if (!f && !exception_pending(self))
        f = find_function(self, m, own(&t, long_name(m, name)));
    return f;
}

/* ---- prefixes (JVM TI "Set Native Method Prefix") ---- */

static char **(*prefix_source)(size_t *count);

void
native_set_prefixes(char **(*fn)(size_t *count))
{
    prefix_source = fn;
}

/* Gets the agents' prefixes, which *prefixes owns then.  The environments may change
   theirs meanwhile; these are copies. */
static void
take_prefixes(struct texts *prefixes)
{
    if (prefix_source)
        prefixes->at = prefix_source(&prefixes->count);
}

/* Returns what is left of the name without the prefix, if the class has a method of
   that name and descriptor which is not native: the wrapper that calls m.  Otherwise
   NULL: the agent has not applied its prefix to m. */
static const struct symbol *
wrapped_name(const struct method *m, const struct symbol *name, const char *prefix)
{
    size_t length = strlen(prefix);
    const struct symbol *rest;
    const struct method *wrapper;

    if (length >= name->length || memcmp(name->bytes, prefix, length) != 0)
        return NULL;
    rest = symbol_lookup(name->bytes + length, name->length - length);
    wrapper = rest ? class_own_method(m->class, rest, m->descriptor) : NULL;
    return wrapper && !method_is_native(wrapper) ? rest : NULL;
}

/* Returns the function that a native method is to be bound to.  Each prefix that can be
   taken off the name is, and the function is looked for by what is left, since an agent
   wraps a native method by renaming it.  Returns NULL if there is none, or with an
   exception pending, which the class library's lookup has thrown. */
void *
native_lookup(struct thread *self, struct method *m)
{
    void *f = find_by_name(self, m, m->name);
    const struct symbol *name = m->name;
    TEXTS(prefixes);

    if (f || exception_pending(self))
        return f;
    take_prefixes(&prefixes);
    /* The prefix that was applied last stands first in the name. */
    for (size_t i = prefixes.count; i-- > 0 && !f && !exception_pending(self);) {
        const struct symbol *wrapped = wrapped_name(m, name, prefixes.at[i]);
        if (wrapped)
            f = find_by_name(self, m, name = wrapped);
    }
    return f;
}

/* Returns the method of that name, which the class has declared or inherited: agents
   and libraries register methods with the class of an object that they have.
   descriptor is not NULL.  A name that no class has is no symbol. */
static struct method *
find_method(const struct class *c, const char *name, const struct symbol *descriptor)
{
    const struct symbol *n = symbol_lookup(name, strlen(name));
    struct method *m = NULL;

    for (; n && !m && c; c = c->super)
        m = class_own_method(c, n, descriptor);
    return m;
}

/* Returns the method that RegisterNatives means by a name, or NULL.  If no native
   method can be found by the prefixes, the method of the name itself is returned, so
   that the caller can say that it is not native. */
struct method *
native_find_method(const struct class *c, const char *name, const char *descriptor)
{
    const struct symbol *d = symbol_lookup(descriptor, strlen(descriptor));
    struct method *m = d ? find_method(c, name, d) : NULL, *found = m;
    TEXTS(prefixes);
    TEXTS(t);

    /* Follow the prefixes from the wrapper to the native method, as long as the class
       has a method of the longer name. */
    if (!m || method_is_native(m))
        return m;
    take_prefixes(&prefixes);
    for (size_t i = 0; i < prefixes.count && !(found && method_is_native(found)); i++) {
        const char *trial = own(&t, mem_printf("%s%s", prefixes.at[i], name));
        struct method *wrapper = find_method(c, trial, d);
        if (wrapper) {
            found = wrapper;
            name = trial;
        }
    }
    return found && method_is_native(found) ? found : m;
}
