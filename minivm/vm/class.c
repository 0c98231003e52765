/* SPDX-License-Identifier: MIT */
/* minivm/vm/class.c -- subtypes, lookup of members, names. */

#include "vm/class.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/exception.h"
#include "vm/module.h"
#include "vm/string.h"
#include "vm/vm.h"

/* ---- subtypes ---- */

bool
class_is_subclass(const struct class *c, const struct class *super)
{
    if (class_is_interface(super))
        return c == super;
    if (super->depth < 8)
        return c->supers[super->depth] == super;
    while (c && c != super)
        c = c->super;
    return c != NULL;
}

static bool
implements(const struct class *c, const struct class *interface)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i] == interface)
            return true;
    return false;
}

/* JVMS 6.5 instanceof: S an array, T an array of the same depth or less. */
static bool
array_is_subtype(struct class *from, struct class *to)
{
    while (class_is_array(from) && class_is_array(to)) {
        from = from->element;
        to = to->element;
    }
    if (class_is_array(to))
        return false;
    if (class_is_array(from))
        return to->super == NULL && !to->primitive
               && (!class_is_interface(to) || implements(from, to));
    return from == to || (!from->primitive && class_is_subtype(from, to));
}

bool
class_is_subtype_slow(struct class *from, struct class *to)
{
    if (from == to)
        return true;
    if (atomic_load_explicit(&from->last_subtype_hit, memory_order_relaxed) == to)
        return true;
    bool yes = class_is_array(to) ? class_is_array(from) && array_is_subtype(from, to)
               : class_is_interface(to) ? implements(from, to)
                                        : class_is_subclass(from, to);
    if (yes)
        atomic_store_explicit(&from->last_subtype_hit, to, memory_order_relaxed);
    return yes;
}

bool
class_same_package(const struct class *a, const struct class *b)
{
    return a->loader == b->loader && a->package == b->package;
}

bool
class_list_has(const struct classfile *file, const uint16_t *indices, unsigned count,
               const struct symbol *name)
{
    for (unsigned i = 0; i < count; i++)
        if (cf_name(file, indices[i]) == name)
            return true;
    return false;
}

/* ---- members ---- */

static bool
is_named(const struct method *m, const struct symbol *name,
         const struct symbol *descriptor)
{
    return m->name == name && m->descriptor == descriptor
           && !(m->flags & METHOD_DELETED);
}

struct method *
class_own_method(const struct class *c, const struct symbol *name,
                 const struct symbol *descriptor)
{
    if (c->method_index == NULL) {
        for (uint32_t i = 0; i < c->method_count; i++)
            if (is_named(class_method(c, i), name, descriptor))
                return class_method(c, i);
        return NULL;
    }
    /* Places hold the method's index + 1; 0 ends the search. */
    for (uint32_t at = name->hash;; at++) {
        uint32_t i = c->method_index[at & c->method_index_mask];

        if (i == 0)
            return NULL;
        if (is_named(class_method(c, i - 1), name, descriptor))
            return class_method(c, i - 1);
    }
}

struct field *
class_own_field(const struct class *c, const struct symbol *name,
                const struct symbol *descriptor)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].name == name && c->fields[i].descriptor == descriptor)
            return &c->fields[i];
    return NULL;
}

struct field *
class_find_field(struct class *c, const struct symbol *name,
                 const struct symbol *descriptor)
{
    for (; c; c = c->super) {
        struct field *f = class_own_field(c, name, descriptor);

        for (uint32_t i = 0; f == NULL && i < c->interface_count; i++)
            f = class_find_field(c->interfaces[i], name, descriptor);
        if (f)
            return f;
    }
    return NULL;
}

/* What the superinterfaces of a class have for a name (JVMS 5.4.3.3). */
struct maximal {
    struct method *concrete;       /* the first maximally-specific one with a body */
    struct method *any;            /* the first one at all, not private or static */
    uint32_t concrete_count;
};

bool
class_is_maximal(const struct class *c, const struct method *m)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        const struct class *other = c->all_interfaces[i];
        const struct method *below;

        if (other == m->class || !implements(other, m->class))
            continue;
        below = class_own_method(other, m->name, m->descriptor);
        if (below && !(below->access_flags & (ACC_PRIVATE | ACC_STATIC)))
            return false;
    }
    return true;
}

static struct maximal
find_maximal(const struct class *c, const struct symbol *name,
             const struct symbol *descriptor)
{
    struct maximal found = { 0 };

    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        struct method *m = class_own_method(c->all_interfaces[i], name, descriptor);

        if (m == NULL || (m->access_flags & (ACC_PRIVATE | ACC_STATIC)))
            continue;
        if (found.any == NULL)
            found.any = m;
        if (!method_is_abstract(m) && class_is_maximal(c, m)
            && found.concrete_count++ == 0)
            found.concrete = m;
    }
    return found;
}

/* JVMS 5.4.3.3, step 2: one method of that name, native, varargs, (Object[]). */
static struct method *
find_polymorphic(const struct class *c, const struct symbol *name)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (class_method(c, i)->name == name
            && (class_method(c, i)->flags & METHOD_SIGNATURE_POLYMORPHIC))
            return class_method(c, i);
    return NULL;
}

static struct method *
find_in_interfaces(const struct class *c, const struct symbol *name,
                   const struct symbol *descriptor)
{
    struct maximal found = find_maximal(c, name, descriptor);

    return found.concrete_count == 1 ? found.concrete : found.any;
}

struct method *
class_find_method(struct class *c, const struct symbol *name,
                  const struct symbol *descriptor)
{
    struct method *m;

    if (c->flags & CLASS_IS_POLYMORPHIC && (m = find_polymorphic(c, name)))
        return m;
    for (struct class *s = c; s; s = s->super)
        if ((m = class_own_method(s, name, descriptor)) != NULL)
            return m;
    return find_in_interfaces(c, name, descriptor);
}

struct method *
class_find_interface_method(struct class *c, const struct symbol *name,
                            const struct symbol *descriptor)
{
    struct method *m = class_own_method(c, name, descriptor);

    if (m == NULL) {
        m = class_own_method(KC(the_vm, Object), name, descriptor);
        if (m && (m->access_flags & (ACC_PUBLIC | ACC_STATIC)) != ACC_PUBLIC)
            m = NULL;
    }
    return m ? m : find_in_interfaces(c, name, descriptor);
}

/* ---- selection for interface methods (JVMS 5.4.6) ---- */

static struct method *
select_uncached(struct class *c, struct method *m)
{
    struct maximal found;

    if (method_is_private(m))
        return m;
    for (struct class *s = c; s; s = s->super) {
        struct method *mine = class_own_method(s, m->name, m->descriptor);

        if (mine && !(mine->access_flags & (ACC_PRIVATE | ACC_STATIC)))
            return mine;
    }
    found = find_maximal(c, m->name, m->descriptor);
    return found.concrete_count == 1 ? found.concrete : NULL;
}

static void
cache_selection(struct class *c, struct method *m, struct method *target)
{
    struct itable_entry *_Atomic *table, *_Atomic *chain, *e;
    LOCK(&the_vm->class_mutex);

    table = __atomic_load_n(&c->itable, __ATOMIC_RELAXED);
    if (table == NULL) {
        table = arena_calloc(&c->arena, ITABLE_SLOTS, sizeof *table);
        __atomic_store_n(&c->itable, table, __ATOMIC_RELEASE);
    }
    if (class_interface_method(c, m))
        return;
    chain = &table[m->serial % ITABLE_SLOTS];
    e = arena_alloc(&c->arena, sizeof *e);
    *e = (struct itable_entry){ m, target, *chain };
    atomic_store_explicit(chain, e, memory_order_release);
}

struct method *
class_select_interface(struct class *c, struct method *m)
{
    struct method *target = class_interface_method(c, m);

    if (target)
        return target;
    target = select_uncached(c, m);
    /* One that select_method refuses must come to it each time. */
    if (target && target->access_flags & (ACC_PUBLIC | ACC_PRIVATE))
        cache_selection(c, m, target);
    return target;
}

/* ---- names ---- */

char *
dotted_name(const char *name)
{
    char *text = mem_strdup(name);

    for (char *at = text; (at = strchr(at, '/')) != NULL;)
        *at = '.';
    return text;
}

/* A hidden class's last '+' stands for the '/' before its suffix. */
char *
class_external_name(const struct class *c)
{
    char *text = dotted_name(c->name->bytes), *plus;

    if ((c->bottom->flags & CLASS_IS_HIDDEN) && (plus = strrchr(text, '+')) != NULL)
        *plus = '/';
    return text;
}

char *
class_descriptor(const struct class *c)
{
    size_t length = c->name->length, before = class_is_array(c) ? 0 : 1;
    char *text = mem_alloc(length + 3);

    if (c->primitive)
        return memcpy(text, (char[]){ c->primitive, '\0' }, 2);
    /* Agents ask all the time: no printf. */
    text[0] = 'L';
    memcpy(text + before, c->name->bytes, length);
    memcpy(text + before + length, ";", 2);
    text[2 * before + length] = '\0';
    return text;
}

/* A hidden class has '.' where its name has '+': the signature of JVM TI
   GetClassSignature is Lpkg/Name.0x1234; then. */
char *
class_signature(const struct class *c)
{
    char *text = class_descriptor(c), *plus;

    if ((c->bottom->flags & CLASS_IS_HIDDEN) && (plus = strrchr(text, '+')) != NULL)
        *plus = '.';
    return text;
}

struct class *
class_of_mirror(const struct object *mirror)
{
    return OBJECT_FIELD(struct class *, mirror, KF(the_vm, Class_vmClass));
}

/* ---- texts of messages ---- */

static char *
describe_loader(const struct object *loader)
{
    const struct object *name;

    if (loader == NULL)
        return mem_strdup("'bootstrap'");
    name = REF_FIELD(the_vm, loader, ClassLoader_nameAndId);
    return name ? string_to_utf8(name)
                : text_printf("%pC @%x", object_class(loader),
                              (unsigned)object_identity_hash(loader));
}

static bool
shows_version(const struct module *m)
{
    return m->version
           && !(m->location
                && (strncmp(m->location->bytes, "jrt:/java.", 10) == 0
                    || strncmp(m->location->bytes, "jrt:/jdk.", 9) == 0));
}

static char *
describe_place(const struct class *c, const char *is)
{
    const struct module *m = c->bottom->module;
    const struct loader *l = c->bottom->loader;

    if (m == NULL || m->name == NULL)
        return text_printf("%pC %s in unnamed module of loader %pL", c, is, l);
    return text_printf("%pC %s in module %s%s%s of loader %pL", c, is, m->name->bytes,
                       shows_version(m) ? "@" : "",
                       shows_version(m) ? m->version->bytes : "", l);
}

static char *
describe_method(const struct method *m)
{
    struct buf b = { 0 };
    char *holder = class_external_name(m->class);

    descriptor_put_method(&b, holder, m->name->bytes, m->descriptor);
    mem_free(holder);
    return buf_steal(&b, NULL);
}

static char *
describe_signature(const struct method *m)
{
    struct buf b = { 0 };

    descriptor_put_method(&b, NULL, m->name->bytes, m->descriptor);
    return buf_steal(&b, NULL);
}

static char *
describe_origin(const struct class *c)
{
    const struct object *loader = c->loader->object;

    if (c->loader->is_builtin)
        return describe_place(c, "is");
    return text_printf("%pP, parent loader %pF", c,
                       describe_loader(REF_FIELD(the_vm, loader, ClassLoader_parent)));
}

char *
class_describe_places(const struct class *a, const struct class *b)
{
    return a->bottom->module == b->bottom->module
               ? text_printf("%pC and %pF", a, describe_place(b, "are"))
               : text_printf("%pP; %pP", a, b);
}

/* What %p and that letter stand for. */
static char *
describe(char letter, void *value)
{
    const struct class *c = value;
    const struct method *m = value;
    bool is_abstract = letter == 'K' && c->access_flags & ACC_ABSTRACT;

    switch (letter) {
    case 'C': return class_external_name(c);
    case 'F': return value ? value : mem_strdup("");
    case 'I': case 'K':
        return mem_strdup(class_is_interface(c) ? "interface"
                          : is_abstract         ? "abstract class"
                                                : "class");
    case 'L': return describe_loader(((const struct loader *)value)->object);
    case 'M': return describe_method(m);
    case 'N': return dotted_name(value);
    case 'O': return describe_origin(c);
    case 'P': return describe_place(c, "is");
    case 'S': return describe_signature(m);
    default: fatal("a message has %%p%c", letter);
    }
}

char *
text_vprintf(const char *format, va_list args)
{
    struct buf b = { 0 };

    for (;;) {
        size_t length = strcspn(format, "%");
        char one[16], type;

        buf_append(&b, format, length);
        format += length;
        if (*format == '\0')
            return buf_steal(&b, NULL);
        length = strspn(format + 1, ".*0123456789lz") + 2;
        type = format[length - 1];
        snprintf(one, sizeof one, "%.*s", (int)length, format);
        if (type == 'p') {
            char *text = describe(format[length++], va_arg(args, void *));

            buf_append_string(&b, text);
            mem_free(text);
        } else if (type == 's' && strchr(one, '*')) {
            int precision = va_arg(args, int);

            buf_printf(&b, one, precision, va_arg(args, const char *));
        } else if (type == 's') {
            buf_printf(&b, one, va_arg(args, const char *));
        } else if (one[length - 2] == 'l' || one[length - 2] == 'z') {
            buf_printf(&b, one, va_arg(args, long));
        } else {
            buf_printf(&b, one, va_arg(args, int));
        }
        format += length;
    }
}

char *
text_printf(const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    text = text_vprintf(format, args);
    va_end(args);
    return text;
}
