/* SPDX-License-Identifier: MIT */
/* minivm/jni/lookup.c -- finding a native method's function (JNI "Resolving Native
 * Method Names"). */

#include "jni/entry.h"

#include <dlfcn.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

/* Letters and digits stay; the rest is escaped. */
static void
mangle(struct buf *out, const char *text, size_t length)
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

static char *
short_name(const struct method *m, const struct symbol *name)
{
    struct buf b = { 0 };

    buf_printf(&b, "Java_");
    mangle(&b, m->class->name->bytes, m->class->name->length);
    buf_printf(&b, "_");
    mangle(&b, name->bytes, name->length);
    return buf_steal(&b, NULL);
}

static char *
long_name(const struct method *m, const char *name)
{
    const char *parameters = m->descriptor->bytes + 1;
    struct buf b = { 0 };

    buf_printf(&b, "%s__", name);
    mangle(&b, parameters, (size_t)(strchr(parameters, ')') - parameters));
    return buf_steal(&b, NULL);
}

/* Asks the class library for the function in the libraries that l loaded. */
static void *
ask_loader(struct thread *self, struct loader *l, const char *name)
{
    struct vm *vm = self->vm;
    struct method *find =
        class_own_method(KC(vm, ClassLoader), symbol_of("findNative"),
                         symbol_of("(Ljava/lang/ClassLoader;Ljava/lang/String;)J"));
    union slot args[2], result = { .j = 0 };
    SCOPE(self);

    args[0].ref = l->object;
    args[1].ref = keep(self, string_from_utf8(self, name));
    if (!find || !args[1].ref || !java_call(self, find, args, &result))
        return NULL;
    return (void *)(uintptr_t)result.j;
}

/* Agents' libraries are searched last; the JVM TI floor registers them. */
static void *(*agent_lookup)(const char *name);

void
native_set_agent_lookup(void *(*fn)(const char *name))
{
    agent_lookup = fn;
}

static void *
find_function(struct thread *self, struct loader *l, const char *name)
{
    void *f = NULL;

    if (l->is_boot && self->vm->java_library)
        f = dlsym(self->vm->java_library, name);
    if (!f && vm_get_phase(self->vm) >= VM_PHASE_PRIMORDIAL)
        f = ask_loader(self, l, name);
    if (!f && !exception_pending(self) && agent_lookup)
        f = agent_lookup(name);
    return f;
}

static void *
find_by_name(struct thread *self, const struct method *m,
             const struct symbol *method_name)
{
    TEXTS(t);
    const char *name = own(&t, short_name(m, method_name));
    void *f = find_function(self, m->class->loader, name);

    if (!f && !exception_pending(self))
        f = find_function(self, m->class->loader, own(&t, long_name(m, name)));
    return f;
}

/* ---- prefixes (JVM TI "Set Native Method Prefix") ---- */

static char **(*prefix_source)(size_t *count);

void
native_set_prefixes(char **(*fn)(size_t *count))
{
    prefix_source = fn;
}

static void
take_prefixes(struct texts *prefixes)
{
    if (prefix_source)
        prefixes->at = prefix_source(&prefixes->count);
}

/* The name that prefix was put before, when a method that is not native has it: only
   then the prefix was applied. */
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

void *
native_lookup(struct thread *self, struct method *m)
{
    void *f = find_by_name(self, m, m->name);
    const struct symbol *name = m->name;
    TEXTS(prefixes);

    if (f || exception_pending(self))
        return f;
    take_prefixes(&prefixes);
    /* The one that was applied last stands first. */
    for (size_t i = prefixes.count; i-- > 0 && !f && !exception_pending(self);) {
        const struct symbol *wrapped = wrapped_name(m, name, prefixes.at[i]);
        if (wrapped)
            f = find_by_name(self, m, name = wrapped);
    }
    return f;
}

/* The class's own or one that it inherits: agents and libraries register with the class
   of an object that they have. */
static struct method *
find_method(const struct class *c, const char *name, const struct symbol *descriptor)
{
    const struct symbol *n = symbol_lookup(name, strlen(name));
    struct method *m = NULL;

    for (; n && !m && c; c = c->super)
        m = class_own_method(c, n, descriptor);
    return m;
}

struct method *
native_find_method(const struct class *c, const char *name, const char *descriptor)
{
    const struct symbol *d = symbol_lookup(descriptor, strlen(descriptor));
    struct method *m = d ? find_method(c, name, d) : NULL, *found = m;
    TEXTS(prefixes);
    TEXTS(t);

    /* A prefix was applied only if there is what it wraps: as for automatic look-up. */
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
