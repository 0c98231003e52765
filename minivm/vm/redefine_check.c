/* SPDX-License-Identifier: MIT */
/* minivm/vm/redefine_check.c -- what a new version of a class may change. */

#include <string.h>

#include "classfile/opcode.h"
#include "vm/loader.h"
#include "vm/redefine.h"

/* ---- names that two class files list ---- */

static const struct symbol *
name_or_null(const struct classfile *file, unsigned index)
{
    return index ? cf_name(file, index) : NULL;
}

/* The same names in any order; class files do not repeat them. */
static bool
same_names(const struct classfile *a, const uint16_t *in_a, unsigned a_count,
           const struct classfile *b, const uint16_t *in_b, unsigned b_count)
{
    for (unsigned i = 0; i < a_count; i++)
        if (!class_list_has(b, in_b, b_count, cf_name(a, in_a[i])))
            return false;
    return a_count == b_count;
}

/* ---- class ---- */

/* Would loading super for c need c itself? */
static bool
leads_back(const struct class *c, const struct symbol *super)
{
    struct class *found;

    if (super == c->name)
        return true;
    found = super ? class_find_loaded(c->loader, super) : NULL;
    return found && class_is_subtype(found, (struct class *)(uintptr_t)c);
}

static bool
is_circular(const struct class *c, const struct classfile *file)
{
    if (leads_back(c, file->super_class))
        return true;
    for (unsigned i = 0; i < file->interface_count; i++)
        if (leads_back(c, cf_name(file, file->interfaces[i])))
            return true;
    return false;
}

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

/* NestHost, NestMembers, Record and PermittedSubclasses must stay. */
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

/* ---- members ---- */

/* Their order is part of it: the heap functions number fields. */
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

static enum redefine_result
check_methods(const struct class *c, const struct classfile *file)
{
    enum redefine_result result = REDEFINE_DONE;

    for (unsigned i = 0; i < file->method_count; i++) {
        const struct cf_method *fresh = &file->methods[i];
        const struct method *m = class_own_method(c, fresh->name, fresh->descriptor);

        if (m == NULL)
            return REDEFINE_METHOD_ADDED;
        if (m->access_flags != fresh->access_flags)
            result = REDEFINE_METHOD_MODIFIERS;
    }
    return file->method_count < c->pool->file->method_count ? REDEFINE_METHOD_DELETED
                                                            : result;
}

enum redefine_result
redefine_check(const struct class *c, const struct classfile *file)
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

/* ---- equivalence ---- */

/* Bootstrap methods may take constants that have bootstrap methods; a file may make
   a circle of them. */
enum { DEEPEST_CONSTANT = 16 };

static bool same_constant(const struct classfile *a, unsigned i,
                          const struct classfile *b, unsigned j, int depth);

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

static bool
same_member(const struct classfile *a, unsigned i, const struct classfile *b,
            unsigned j)
{
    struct cf_member x = cf_member(a, i), y = cf_member(b, j);

    return x.class_name == y.class_name && x.name == y.name
           && x.descriptor == y.descriptor;
}

static bool
same_constant(const struct classfile *a, unsigned i, const struct classfile *b,
              unsigned j, int depth)
{
    const union cf_const *x = &a->consts[i], *y = &b->consts[j];

    if (cf_tag_at(a, i) != cf_tag_at(b, j) || depth == DEEPEST_CONSTANT)
        return false;
    switch (cf_tag_at(a, i)) {
    case CF_INTEGER: case CF_FLOAT:
        return x->i == y->i;
    case CF_LONG: case CF_DOUBLE:
        return x->j == y->j;
    case CF_CLASS: case CF_STRING: case CF_METHOD_TYPE:
        return cf_name(a, i) == cf_name(b, j);
    case CF_FIELDREF: case CF_METHODREF: case CF_INTERFACE_METHODREF:
        return same_member(a, i, b, j);
    case CF_METHOD_HANDLE:
        return x->ref.a == y->ref.a && same_member(a, x->ref.b, b, y->ref.b);
    case CF_DYNAMIC: case CF_INVOKE_DYNAMIC:
        return same_member(a, i, b, j)
               && same_bootstrap(a, x->ref.a, b, y->ref.a, depth + 1);
    default:
        return false;
    }
}

static bool
names_constant(uint8_t opcode)
{
    switch (opcode_table[opcode].format) {
    case FORMAT_CP1: case FORMAT_CP2: case FORMAT_INTERFACE: case FORMAT_DYNAMIC:
    case FORMAT_MULTI:
        return true;
    default:
        return false;
    }
}

bool
redefine_is_equivalent(const struct code *code, const struct classfile *file,
                       const struct cf_method *m)
{
    const struct cf_method *old = code->info;
    struct instruction x, y;

    if (old->code_length != m->code_length || !m->has_code)
        return old->has_code == m->has_code && old->code_length == m->code_length;
    for (uint32_t bci = 0; bci < m->code_length; bci += x.length) {
        if (!opcode_decode(old->code, old->code_length, bci, &x)
            || !opcode_decode(m->code, m->code_length, bci, &y)
            || x.opcode != y.opcode || x.length != y.length)
            return false;
        if (names_constant(x.opcode)
                ? x.operand != y.operand
                      || !same_constant(code->pool->file, x.index, file, y.index, 0)
                : memcmp(old->code + bci, m->code + bci, x.length) != 0)
            return false;
    }
    return true;
}
