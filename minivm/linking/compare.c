/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/compare.c -- comparing the class files of two versions of a class.
 *
 * Names are symbols, so they are compared by address, whatever constants hold them.
 * Bytecode is compared instruction by instruction: two instructions are the same if
 * they have the same bytes, or refer to constants that mean the same.
 */

#include "linking/compare.h"

#include <string.h>

#include "classfile/opcode.h"
#include "linking/loader.h"
#include "runtime/vm.h"

/* ---- what a new version may not change ---- */

/* Returns the name of the Class constant with that index, or NULL for index 0, which an
   attribute has that is missing. */
static const struct symbol *
name_or_null(const struct classfile *file, unsigned index)
{
    return index ? cf_name(file, index) : NULL;
}

/* Returns true if both lists of Class constants have the same names, in any order.  No
   list names a class twice, so it is enough to look in one direction and to count. */
static bool
same_names(const struct classfile *a, const uint16_t *in_a, unsigned a_count,
           const struct classfile *b, const uint16_t *in_b, unsigned b_count)
{
    for (unsigned i = 0; i < a_count; i++)
        if (!class_list_has(b, in_b, b_count, cf_name(a, in_a[i])))
            return false;
    return a_count == b_count;
}

/* Returns true if a new version of c with that superclass or superinterface would be
   its own supertype: super is c, or a loaded subtype of it. */
static bool
is_subtype_of_class(const struct class *c, const struct symbol *super)
{
    struct class *found;

    if (super == c->name)
        return true;
    found = super ? class_find_loaded(c->loader, super) : NULL;
    return found && class_is_subtype(found, (struct class *)(uintptr_t)c);
}

/* Returns true if the superclass or a superinterface that file names would make c its
   own supertype. */
static bool
is_circular(const struct class *c, const struct classfile *file)
{
    if (is_subtype_of_class(c, file->super_class))
        return true;
    for (unsigned i = 0; i < file->interface_count; i++)
        if (is_subtype_of_class(c, cf_name(file, file->interfaces[i])))
            return true;
    return false;
}

/* The components of a record have to be the same, in the same order, as the attribute
   Record has them; a class that is no record must not become one. */
static bool
same_components(const struct classfile *a, const struct classfile *b)
{
    for (unsigned i = 0; i < a->component_count && i < b->component_count; i++) {
        const struct cf_record_component *x = &a->components[i], *y = &b->components[i];

        if (x->name != y->name || x->descriptor != y->descriptor
            || x->signature != y->signature)
            return false;
    }
    return a->is_record == b->is_record && a->component_count == b->component_count;
}

/* The attributes NestHost, NestMembers, Record and PermittedSubclasses have to stay as
   they are (JVM TI "Redefine Classes"). */
static bool
same_attributes(const struct classfile *a, const struct classfile *b)
{
    return name_or_null(a, a->nest_host) == name_or_null(b, b->nest_host)
           && a->has_nest_members == b->has_nest_members
           && same_names(a, a->nest_members, a->nest_member_count, b, b->nest_members,
                         b->nest_member_count)
           && same_components(a, b)
           && a->has_permitted_subclasses == b->has_permitted_subclasses
           && same_names(a, a->permitted_subclasses, a->permitted_count, b,
                         b->permitted_subclasses, b->permitted_count);
}

/* The order of the fields has to stay, too, since JVM TI's heap functions number fields
   by it (jvmtiHeapReferenceInfoField). */
static bool
same_fields(const struct classfile *a, const struct classfile *b)
{
    for (unsigned i = 0; i < a->field_count && i < b->field_count; i++) {
        const struct cf_field *x = &a->fields[i], *y = &b->fields[i];

        if (x->name != y->name || x->descriptor != y->descriptor
            || x->access_flags != y->access_flags)
            return false;
    }
    return a->field_count == b->field_count;
}

/* Returns true if a method with these flags may be added and deleted.  Only HotSpot's
   option -XX:+AllowRedefinitionToAddDeleteMethods allows that, for private methods that
   are static or final. */
static bool
may_be_added_or_deleted(unsigned access_flags)
{
    return the_vm->options.add_delete_methods && access_flags & ACC_PRIVATE
           && access_flags & (ACC_STATIC | ACC_FINAL);
}

static bool
has_method(const struct classfile *file, const struct method *m)
{
    for (unsigned i = 0; i < file->method_count; i++)
        if (file->methods[i].name == m->name
            && file->methods[i].descriptor == m->descriptor)
            return true;
    return false;
}

/* Returns true if all methods of c that file does not have may be deleted. */
static bool
may_delete_missing(const struct class *c, const struct classfile *file)
{
    for (uint32_t i = 0; i < c->method_count; i++) {
        const struct method *m = class_method(c, i);

        if (!(m->flags & METHOD_DELETED) && !may_be_added_or_deleted(m->access_flags)
            && !has_method(file, m))
            return false;
    }
    return true;
}

/* Compares the methods that c has now with those of file.  Returns REDEFINE_DONE, or
   why file is refused; an added method is reported before a deleted one, and that
   before changed flags. */
static enum redefine_result
check_methods(const struct class *c, const struct classfile *file)
{
    enum redefine_result result = REDEFINE_DONE;
    unsigned found = 0;

    for (unsigned i = 0; i < file->method_count; i++) {
        const struct cf_method *fresh = &file->methods[i];
        const struct method *m = class_own_method(c, fresh->name, fresh->descriptor);

        /* m is NULL for a method that is new. */
        found += m != NULL;
        if (!m && !may_be_added_or_deleted(fresh->access_flags))
            return REDEFINE_METHOD_ADDED;
        if (m && m->access_flags != fresh->access_flags)
            result = REDEFINE_METHOD_MODIFIERS;
    }
    /* A class file counts methods by 16 bits, and so do we with those of all
       versions. */
    if (c->method_count + file->method_count - found > UINT16_MAX)
        return REDEFINE_METHOD_ADDED;
    /* found counts the methods of c that file has, too.  If that is all of them, none
       was deleted. */
    return found < c->pool->file->method_count && !may_delete_missing(c, file)
               ? REDEFINE_METHOD_DELETED
               : result;
}

enum redefine_result
version_check_allowed(const struct class *c, const struct classfile *file)
{
    const struct classfile *old = c->pool->file;

    if (is_circular(c, file))
        return REDEFINE_CIRCULAR;
    if (old->super_class != file->super_class
        || !same_names(old, old->interfaces, old->interface_count, file,
                       file->interfaces, file->interface_count))
        return REDEFINE_HIERARCHY;
    if (!same_attributes(old, file))
        return REDEFINE_ATTRIBUTE;
    if (old->access_flags != file->access_flags)
        return REDEFINE_CLASS_MODIFIERS;
    if (!same_fields(old, file))
        return REDEFINE_SCHEMA;
    return check_methods(c, file);
}

/* ---- equivalent methods ---- */

/* How deep dynamic constants are compared that are arguments of each other's bootstrap
   methods.  Beyond that they count as different: a class file may make a circle of
   them. */
enum { DEEPEST_CONSTANT = 16 };

static bool same_constant(const struct classfile *a, unsigned i,
                          const struct classfile *b, unsigned j, int depth);

/* Returns whether bootstrap methods i of a and j of b are the same method handle with
   the same arguments. */
static bool
same_bootstrap(const struct classfile *a, unsigned i, const struct classfile *b,
               unsigned j, int depth)
{
    const struct cf_bootstrap_method *x, *y;

    if (i >= a->bootstrap_count || j >= b->bootstrap_count)
        return false;
    x = &a->bootstrap_methods[i];
    y = &b->bootstrap_methods[j];
    if (x->arg_count != y->arg_count
        || !same_constant(a, x->method_handle, b, y->method_handle, depth))
        return false;
    for (unsigned k = 0; k < x->arg_count; k++)
        if (!same_constant(a, x->args[k], b, y->args[k], depth))
            return false;
    return true;
}

/* Returns whether the two constants name the same class, name and descriptor.  Dynamic
   constants name no class, and cf_member has NULL for it on both sides. */
static bool
same_member(const struct classfile *a, unsigned i, const struct classfile *b,
            unsigned j)
{
    struct cf_member x = cf_member(a, i), y = cf_member(b, j);

    return x.class_name == y.class_name && x.name == y.name
           && x.descriptor == y.descriptor;
}

/*
 * Returns whether constant i of a means the same as constant j of b: the tag and the
 * value, or the names that it leads to, are equal.  Numbers are compared by their bits.
 * depth is how many dynamic constants it is nested in.  Kinds of constants that no
 * bytecode refers to count as different.
 */
static bool
same_constant(const struct classfile *a, unsigned i, const struct classfile *b,
              unsigned j, int depth)
{
    const union cf_const *x = &a->consts[i], *y = &b->consts[j];

    if (cf_tag_at(a, i) != cf_tag_at(b, j) || depth == DEEPEST_CONSTANT)
        return false;
    switch (cf_tag_at(a, i)) {
    case CF_INTEGER:
    case CF_FLOAT: return x->i == y->i;
    case CF_LONG:
    case CF_DOUBLE: return x->j == y->j;
    case CF_CLASS:
    case CF_STRING:
    case CF_METHOD_TYPE: return cf_name(a, i) == cf_name(b, j);
    case CF_FIELDREF:
    case CF_METHODREF:
    case CF_INTERFACE_METHODREF: return same_member(a, i, b, j);
    case CF_METHOD_HANDLE:
        return x->ref.a == y->ref.a && same_member(a, x->ref.b, b, y->ref.b);
    case CF_DYNAMIC:
    case CF_INVOKE_DYNAMIC:
        return same_member(a, i, b, j)
               && same_bootstrap(a, x->ref.a, b, y->ref.a, depth + 1);
    default: return false;
    }
}

bool
version_is_equivalent(const struct method_version *version,
                      const struct classfile *file, const struct cf_method *m)
{
    /* The formats of instructions that refer to a constant. */
    enum {
        WITH_CONSTANT = 1 << FORMAT_CP1 | 1 << FORMAT_CP2 | 1 << FORMAT_INTERFACE
                        | 1 << FORMAT_DYNAMIC | 1 << FORMAT_MULTI
    };
    const struct cf_method *old = version->info;
    struct instruction x, y;

    /* Methods without bytecode, native and abstract ones, are equivalent.  code_length
       is 0 for them. */
    if (old->code_length != m->code_length || !m->has_code)
        return old->has_code == m->has_code && old->code_length == m->code_length;
    for (uint32_t bci = 0; bci < m->code_length; bci += x.length) {
        if (!opcode_decode(old->code, old->code_length, bci, &x)
            || !opcode_decode(m->code, m->code_length, bci, &y) || x.opcode != y.opcode
            || x.length != y.length)
            return false;
        /* operand is what the instruction has besides the constant's index, such as the
           dimensions of multianewarray. */
        if (1 << opcode_table[x.opcode].format & WITH_CONSTANT
                ? x.operand != y.operand
                      || !same_constant(version->pool->file, x.index, file, y.index, 0)
                : memcmp(old->code + bci, m->code + bci, x.length) != 0)
            return false;
    }
    return true;
}
