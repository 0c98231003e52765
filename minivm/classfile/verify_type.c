/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify_type.c -- verification types (JVMS 4.10.1.2).
 *
 * vtype_assignable decides about kinds.  For two objects, names_assignable compares the
 * names of their classes, goes into the components of arrays, and asks a hook if two
 * different classes are left.
 */

#include "classfile/verifier.h"

/* The symbol for a text, or NULL if memory runs out; the result is decided then. */
static const struct symbol *
intern(struct verifier *v, const char *text, size_t length)
{
    const struct symbol *s = symbol_try_intern(text, length);

    if (!s)
        verifier_no_memory(v);
    return s;
}

/* Passes on what a hook returned.  If it failed, that decides the result. */
static int
check_hook(struct verifier *v, int result)
{
    if (result < 0)
        v->result->status = VERIFY_FAILED;
    return result;
}

/* Whether an array is assignable to a class that is not Object: arrays implement
   Cloneable and Serializable (JLS 4.10.3). */
static int
array_assignable(struct verifier *v, const struct symbol *to)
{
    if (!v->hooks->array_assignable)
        return to == v->cloneable || to == v->serializable;
    return check_hook(v, v->hooks->array_assignable(v->hooks->context, to));
}

enum vkind
vkind_of_letter(char letter)
{
    static const uint8_t kinds['Z' - 'A' + 1] = {
        ['A' - 'A'] = V_ANY_REFERENCE, ['B' - 'A'] = V_BYTE,  ['C' - 'A'] = V_CHAR,
        ['D' - 'A'] = V_DOUBLE,        ['F' - 'A'] = V_FLOAT, ['I' - 'A'] = V_INT,
        ['J' - 'A'] = V_LONG,          ['S' - 'A'] = V_SHORT, ['Z' - 'A'] = V_BOOLEAN,
    };

    return letter >= 'A' && letter <= 'Z' ? (enum vkind)kinds[letter - 'A'] : V_TOP;
}

bool
vtype_of_component(struct verifier *v, const struct symbol *array, struct vtype *type)
{
    const char *element = array->bytes + 1;
    size_t length = array->length - 1u;

    /* A name in a trusted file has not been checked: what is no type becomes V_TOP.
       vkind_of_letter knows A as a letter of the opcode table, but no descriptor has
       it. */
    *type = vtype_of(*element == 'A' ? V_TOP : vkind_of_letter(*element));
    if (*element == '[')
        *type = vtype_object(intern(v, element, length));
    else if (*element == 'L' && length >= 3)
        *type = vtype_object(intern(v, element + 1, length - 2));
    return type->kind != V_OBJECT || type->name;
}

static int names_assignable(struct verifier *v, const struct symbol *from,
                            const struct symbol *to, bool member);

/* Whether one array is assignable to another, by the types of their elements. */
static int
components_assignable(struct verifier *v, const struct symbol *from,
                      const struct symbol *to, bool member)
{
    struct vtype a, b;

    if (!vtype_of_component(v, from, &a) || !vtype_of_component(v, to, &b))
        return -1;
    if (a.kind == V_OBJECT && b.kind == V_OBJECT)
        return names_assignable(v, a.name, b.name, member);
    return a.kind == b.kind && a.kind != V_TOP;
}

/*
 * Whether the class or array `from` is assignable to the class or array `to`.
 *
 * The verifier treats interfaces like Object: everything is assignable to an interface
 * (JVMS 4.10.1.2).  There is one exception.  If the class being verified is an
 * interface, `to` may be this interface as the class that the receiver of a protected
 * member must have (JVMS 4.10.1.8), which `member` tells.  A plain Object is not
 * accepted then, or interfaces could call the protected methods of any object.
 */
static int
names_assignable(struct verifier *v, const struct symbol *from, const struct symbol *to,
                 bool member)
{
    if (from == to || to == v->object)
        return 1;
    if (to->bytes[0] != '[') {
        if (from->bytes[0] == '[')
            return array_assignable(v, to);
        if (member && from == v->object && (v->cf->access_flags & ACC_INTERFACE) != 0)
            return 0;
        return check_hook(v, v->hooks->assignable(v->hooks->context, from, to));
    }
    if (from->bytes[0] != '[')
        return 0;
    return components_assignable(v, from, to, member);
}

/* Whether a value of that kind is a reference, an uninitialized object included. */
static bool
is_reference(enum vkind kind)
{
    return kind == V_NULL || kind == V_OBJECT || kind == V_UNINITIALIZED_THIS
           || kind == V_UNINITIALIZED;
}

/* Anything may be where V_TOP is asked for, which has no use.  The kinds that are only
   asked for take several kinds each.  Everything else must be equal, but for objects,
   whose classes are compared. */
int
vtype_assignable(struct verifier *v, const struct vtype *from, const struct vtype *to,
                 bool member)
{
    switch (to->kind) {
    case V_TOP: return 1;
    case V_BOOLEAN:
    case V_BYTE:
    case V_SHORT:
    case V_CHAR: return from->kind == V_INT;
    case V_ANY_REFERENCE: return is_reference(from->kind);
    case V_ANY_CATEGORY1:
        return is_reference(from->kind) || from->kind == V_INT || from->kind == V_FLOAT;
    case V_ANY_CATEGORY2: return from->kind == V_LONG || from->kind == V_DOUBLE;
    case V_ANY_CATEGORY2_2ND:
        return from->kind == V_LONG_2ND || from->kind == V_DOUBLE_2ND;
    case V_OBJECT:
        if (from->kind == V_NULL)
            return 1;
        return from->kind == V_OBJECT && from->name != to->name
                   ? names_assignable(v, from->name, to->name, member)
                   : from->kind == V_OBJECT;
    default: return vtype_equals(from, to);
    }
}

/* boolean, byte, char and short are ints in frames (JVMS 4.10.1.2); their own kinds,
   from V_BOOLEAN on, are for what is asked of elements and results. */
unsigned
vtype_of_descriptor(struct verifier *v, const struct descriptor_type *type,
                    struct vtype types[2])
{
    enum vkind kind = vkind_of_letter(type->kind);

    if (descriptor_kind_is_reference(type->kind)) {
        size_t length;
        const char *name = descriptor_class_text(type, &length);

        types[0] = vtype_object(intern(v, name, length));
        return 1;
    }
    if (type->kind == 'V')
        return 0;
    return vtypes_of_kind(kind >= V_BOOLEAN ? V_INT : kind, types);
}
