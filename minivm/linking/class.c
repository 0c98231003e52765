/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/class.c -- subtypes, lookup of members, names.
 *
 * A superclass is found by its depth in the array supers.  Interfaces and arrays are
 * searched, with the last success remembered.  Selection of interface methods is
 * remembered in the itable, a small hash table that each class fills as methods are
 * called.
 */

#include "linking/class.h"

#include <string.h>

#include "base/mem.h"
#include "linking/loader.h"
#include "linking/message.h"
#include "runtime/vm.h"

/* ---- subtypes ---- */

/* supers[] decides if super is at most SUPERS_LENGTH - 1 below Object.  Deeper classes
   are not in it, so the superclasses are gone through.  An interface is nobody's
   superclass, though it has depth 0 like Object. */
bool
class_is_subclass(const struct class *c, const struct class *super)
{
    if (class_is_interface(super))
        return c == super;
    if (super->depth < SUPERS_LENGTH)
        return c->supers[super->depth] == super;
    while (c && c != super)
        c = c->super;
    return c != NULL;
}

/* Returns true if interface is a superinterface of c, direct or not.  No class is its
   own superinterface. */
static bool
implements(const struct class *c, const struct class *interface)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i] == interface)
            return true;
    return false;
}

/* Applies the rules of JVMS 6.5 "instanceof" to an array type from: it is a subtype of
   Object, Cloneable and Serializable, and of each array type whose components are
   primitive and the same, or references of which that rule holds again. */
static bool
array_is_subtype(struct class *from, struct class *to)
{
    /* Compare the types that are left when as many dimensions as both have are taken
       off. */
    while (class_is_array(from) && class_is_array(to)) {
        from = from->element;
        to = to->element;
    }
    if (class_is_array(to))
        return false;
    if (class_is_array(from))
        /* to is no array: it has to be Object, the only class without a superclass, or
           one of the two interfaces. */
        return !to->super && !to->primitive
               && (!class_is_interface(to) || implements(from, to));
    return from == to || (!from->primitive && class_is_subtype(from, to));
}

/* The general case of class_is_subtype, behind its test of supers[].  last_subtype_hit
   needs no order or lock: it is only compared, and only with a class that the caller
   knows to be alive; unload.c clears it when it names a class that dies. */
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

/*
 * The last step of type_accepts: the type is the class or interface of that name, and c
 * is neither primitive nor of fewer dimensions.  When the loader has recorded a class
 * of that name, that class decides.  Otherwise loading would be needed to be certain,
 * and JVM TI must not load here; c is taken if it or one of its supertypes has the
 * name.
 */
static bool
class_name_accepts(struct loader *l, const struct symbol *name, struct class *c,
                   bool lenient)
{
    struct class *wanted = class_find_loaded(l, name);

    if (wanted)
        return class_is_subtype(c, wanted) || (lenient && class_is_interface(wanted));
    if (lenient)
        return true;
    for (const struct class *at = c; at; at = at->super)
        if (at->name == name)
            return true;
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (c->all_interfaces[i]->name == name)
            return true;
    return false;
}

/* Takes one dimension off text and c as long as text has any, and compares what is
   left.  Where text is a class's name ("Lname;"), a name that is no symbol is that of
   no class in the process, so only a lenient caller accepts c then. */
bool
type_accepts(struct loader *l, const char *text, size_t length, struct class *c,
             bool lenient)
{
    for (; *text == '['; text++, length--) {
        if (!class_is_array(c))
            return false;
        c = c->element;
    }
    if (*text != 'L')
        return c->primitive == *text;
    const struct symbol *name = symbol_lookup(text + 1, length - 2);
    return !c->primitive && (!name ? lenient : class_name_accepts(l, name, c, lenient));
}

/* ---- members ---- */

unsigned
type_size(char type)
{
    switch (type) {
    case 'Z':
    case 'B': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    default: return 8;
    }
}

/* Returns true if m has that name and descriptor and was not deleted by a
   redefinition. */
static bool
is_named(const struct method *m, const struct symbol *name,
         const struct symbol *descriptor)
{
    return m->name == name && m->descriptor == descriptor
           && !(m->flags & METHOD_DELETED);
}

/* index_methods in make.c has built the table, which is at most half full, so the
   search ends. */
struct method *
class_own_method(const struct class *c, const struct symbol *name,
                 const struct symbol *descriptor)
{
    if (!c->method_index) {
        for (uint32_t i = 0; i < c->method_count; i++)
            if (is_named(class_method(c, i), name, descriptor))
                return class_method(c, i);
        return NULL;
    }
    /* The table has the index plus 1 of each method; 0 ends the search.  A method whose
       slot was taken stands in the next free one behind it. */
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

/* The order is that of JVMS 5.4.3.2: the class's own fields, those of its direct
   superinterfaces and what they extend, then the same for the superclass. */
struct field *
class_find_field(struct class *c, const struct symbol *name,
                 const struct symbol *descriptor)
{
    for (; c; c = c->super) {
        struct field *f = class_own_field(c, name, descriptor);

        for (uint32_t i = 0; !f && i < c->interface_count; i++)
            f = class_find_field(c->interfaces[i], name, descriptor);
        if (f)
            return f;
    }
    return NULL;
}

/* The methods of a name and descriptor that superinterfaces of a class declare
   (JVMS 5.4.3.3). */
struct maximal {
    struct method *concrete; /* the first maximally-specific one with a body */
    struct method *any;      /* the first one at all, not private or static */
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

/* Goes through all superinterfaces of c for methods of that name and descriptor.  The
   members of the result are NULL and 0 if there are none. */
static struct maximal
find_maximal(const struct class *c, const struct symbol *name,
             const struct symbol *descriptor)
{
    struct maximal found = { 0 };

    for (uint32_t i = 0; i < c->all_interface_count; i++) {
        struct method *m = class_own_method(c->all_interfaces[i], name, descriptor);

        if (!m || (m->access_flags & (ACC_PRIVATE | ACC_STATIC)))
            continue;
        if (!found.any)
            found.any = m;
        if (!method_is_abstract(m) && class_is_maximal(c, m)
            && found.concrete_count++ == 0)
            found.concrete = m;
    }
    return found;
}

/* Returns the signature-polymorphic method of that name, for any descriptor (JVMS
   5.4.3.3, 2.9.3), or NULL. */
static struct method *
find_polymorphic(const struct class *c, const struct symbol *name)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (class_method(c, i)->name == name
            && (class_method(c, i)->flags & METHOD_SIGNATURE_POLYMORPHIC))
            return class_method(c, i);
    return NULL;
}

/* The last steps of method resolution (JVMS 5.4.3.3, 5.4.3.4), after the classes were
   searched: the only maximally-specific method that is not abstract, else any method of
   a superinterface that is neither private nor static; NULL if there is none. */
static struct method *
find_in_interfaces(const struct class *c, const struct symbol *name,
                   const struct symbol *descriptor)
{
    struct maximal found = find_maximal(c, name, descriptor);

    return found.concrete_count == 1 ? found.concrete : found.any;
}

/* The order of JVMS 5.4.3.3: a signature-polymorphic method, then the class and its
   superclasses, then the superinterfaces. */
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

/* The order of JVMS 5.4.3.4: the interface itself, the public instance methods of
   Object, which every interface has implicitly, then the superinterfaces. */
struct method *
class_find_interface_method(struct class *c, const struct symbol *name,
                            const struct symbol *descriptor)
{
    struct method *m = class_own_method(c, name, descriptor);

    if (!m) {
        m = class_own_method(KC(the_vm, Object), name, descriptor);
        if (m && (m->access_flags & (ACC_PUBLIC | ACC_STATIC)) != ACC_PUBLIC)
            m = NULL;
    }
    return m ? m : find_in_interfaces(c, name, descriptor);
}

/* ---- selection for interface methods (JVMS 5.4.6) ---- */

/* Selects the method that an instance of c runs for the interface method m, without the
   itable (JVMS 5.4.6): the first one in c and its superclasses, else the only
   maximally-specific method of the superinterfaces that is not abstract.  The result
   may be abstract if a class declares it so; it is NULL if there is none or several. */
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

/* Enters target in the itable of c for m, unless another thread has done so since the
   caller looked.  Readers take no lock: the table and each entry are stored with
   release order when they are complete, and entries are never changed or removed. */
static void
cache_selection(struct class *c, struct method *m, struct method *target)
{
    struct itable_entry *_Atomic *table, *_Atomic *chain, *e;
    LOCK(&the_vm->class_mutex);

    table = __atomic_load_n(&c->itable, __ATOMIC_RELAXED);
    if (!table) {
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
    /* Without an entry the interpreter's fast path finds nothing and comes here again.
       A method that is neither public nor private is an error of each call, which
       select_method throws; so it does not become an entry. */
    if (target && target->access_flags & (ACC_PUBLIC | ACC_PRIVATE))
        cache_selection(c, m, target);
    return target;
}

/* ---- names ---- */

/* The last '+' in the name of a hidden class stands for the '/' before its number. */
char *
class_external_name(const struct class *c)
{
    char *text = dotted_name(c->name->bytes), *plus;

    if ((c->bottom->flags & CLASS_IS_HIDDEN) && (plus = strrchr(text, '+')) != NULL)
        *plus = '/';
    return text;
}

/* The name of an array class is its descriptor; that of another class stands between
   'L' and ';' there.  Agents ask for this all the time, so it avoids printf. */
char *
class_descriptor(const struct class *c)
{
    size_t length = c->name->length, before = class_is_array(c) ? 0 : 1;
    char *text = mem_alloc(length + 3);

    if (c->primitive)
        return memcpy(text, (char[]){ c->primitive, '\0' }, 2);
    text[0] = 'L';
    memcpy(text + before, c->name->bytes, length);
    memcpy(text + before + length, ";", 2);
    text[2 * before + length] = '\0';
    return text;
}

/* JVM TI "Get Class Signature" has a '.' where the name of a hidden class has its
   '+'. */
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

/* ---- flags, as reflection tells them ---- */

/* The access flags of a class: all but ACC_MODULE (JVMS table 4.1-B). */
enum { WRITTEN_FLAGS = 0x7fff };

bool
class_file_names_itself(const struct classfile *file, unsigned index)
{
    return index != 0 && cf_name(file, index) == file->this_class;
}

const struct cf_inner_class *
class_file_own_entry(const struct classfile *file)
{
    for (unsigned i = 0; file && i < file->inner_class_count; i++)
        if (class_file_names_itself(file, file->inner_classes[i].inner_class))
            return &file->inner_classes[i];
    return NULL;
}

int32_t
class_access_flags(const struct class *c)
{
    return c->primitive ? ACC_ABSTRACT | ACC_FINAL | ACC_PUBLIC
                        : c->access_flags & WRITTEN_FLAGS;
}

/* A member or local class has the flags of its InnerClasses entry, since the class
   file's own cannot say private, protected or static (JVMS 4.7.6).  An array has the
   access flags of its elements' class, and is abstract and final. */
int32_t
class_modifiers(const struct class *c)
{
    const struct cf_inner_class *e = class_file_own_entry(c->pool ? c->pool->file
                                                                  : NULL);

    if (c->primitive)
        return class_access_flags(c);
    if (class_is_array(c))
        return ACC_ABSTRACT | ACC_FINAL
               | (class_modifiers(c->bottom)
                  & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED));
    return (e ? e->access_flags : c->access_flags) & WRITTEN_FLAGS & ~ACC_SUPER;
}
