/* SPDX-License-Identifier: MIT */
/* minivm/jni/lookup.c -- finding a native method's function (JNI "Resolving Native
 * Method Names"). */

#include "jni/jni_floor.h"

#include <dlfcn.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

/* Letters and digits stay; the rest is escaped.  False for a name that no function
   can have: "_0" to "_3" after a separator would look like an escape. */
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
short_name(const struct method *m)
{
    struct buf b;

    buf_init(&b);
    buf_printf(&b, "Java_");
    mangle(&b, m->class->name->bytes, m->class->name->length);
    buf_printf(&b, "_");
    mangle(&b, m->name->bytes, m->name->length);
    buf_append_u1(&b, 0);
    return (char *)buf_steal(&b, NULL);
}

static char *
long_name(const struct method *m, const char *name)
{
    struct buf b;
    const char *parameters = m->descriptor->bytes + 1;

    buf_init(&b);
    buf_printf(&b, "%s__", name);
    mangle(&b, parameters, (size_t)(strchr(parameters, ')') - parameters));
    buf_append_u1(&b, 0);
    return (char *)buf_steal(&b, NULL);
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

void *
native_lookup(struct thread *self, struct method *m)
{
    char *name = short_name(m);
    void *f = find_function(self, m->class->loader, name);

    if (!f && !exception_pending(self)) {
        char *longer = long_name(m, name);
        f = find_function(self, m->class->loader, longer);
        mem_free(longer);
    }
    mem_free(name);
    return f;
}
