/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verify_assign.c -- assignability of verification types
 * (JVMS 4.10.1.2). */

#include "classfile/verifier.h"

static const struct symbol *
intern(struct verifier *v, const char *text, size_t length)
{
    const struct symbol *s = symbol_try_intern(text, length);

    if (s == NULL)
        verifier_no_memory(v);
    return s;
}

static int
ask(struct verifier *v, int answer)
{
    if (answer < 0)
        v->result->status = VERIFY_FAILED;
    return answer;
}

/* Arrays implement Cloneable and Serializable, and no other interface. */
static int
array_assignable(struct verifier *v, const struct symbol *to)
{
    if (v->hooks->array_assignable == NULL)
        return to == v->cloneable || to == v->serializable;
    return ask(v, v->hooks->array_assignable(v->hooks->context, to));
}

enum vkind
vkind_of_letter(char letter)
{
    static const uint8_t kinds['Z' - 'A' + 1] = {
        ['A' - 'A'] = V_ANY_REFERENCE, ['B' - 'A'] = V_BYTE, ['C' - 'A'] = V_CHAR,
        ['D' - 'A'] = V_DOUBLE, ['F' - 'A'] = V_FLOAT, ['I' - 'A'] = V_INT,
        ['J' - 'A'] = V_LONG, ['S' - 'A'] = V_SHORT, ['Z' - 'A'] = V_BOOLEAN,
    };

    return letter >= 'A' && letter <= 'Z' ? (enum vkind)kinds[letter - 'A'] : V_TOP;
}

bool
vtype_of_component(struct verifier *v, const struct symbol *array, struct vtype *type)
{
    const char *element = array->bytes + 1;
    size_t length = array->length - 1u;

    /* A trusted file's nonsense is V_TOP. */
    *type = vtype_of(*element == 'A' ? V_TOP : vkind_of_letter(*element));
    if (*element == '[')
        *type = vtype_object(intern(v, element, length));
    else if (*element == 'L' && length >= 3)
        *type = vtype_object(intern(v, element + 1, length - 2));
    return type->kind != V_OBJECT || type->name != NULL;
}

static int names_assignable(struct verifier *v, const struct symbol *from,
                            const struct symbol *to, bool member);

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
 * Class names, arrays among them.  member: from is the receiver of a protected
 * member and to the class being verified.  An interface counts as Object there,
 * but a plain Object does not count as the interface: it may not reach Object's
 * own protected methods.
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
        return ask(v, v->hooks->assignable(v->hooks->context, from, to));
    }
    if (from->bytes[0] != '[')
        return 0;
    return components_assignable(v, from, to, member);
}

static bool
is_reference(enum vkind kind)
{
    return kind == V_NULL || kind == V_OBJECT || kind == V_UNINITIALIZED_THIS ||
           kind == V_UNINITIALIZED;
}

int
vtype_assignable(struct verifier *v, const struct vtype *from, const struct vtype *to,
                 bool member)
{
    switch (to->kind) {
    case V_TOP:
        return 1;
    case V_BOOLEAN:
    case V_BYTE:
    case V_SHORT:
    case V_CHAR:
        return from->kind == V_INT;
    case V_ANY_REFERENCE:
        return is_reference(from->kind);
    case V_ANY_CATEGORY1:
        return is_reference(from->kind) || from->kind == V_INT || from->kind == V_FLOAT;
    case V_ANY_CATEGORY2:
        return from->kind == V_LONG || from->kind == V_DOUBLE;
    case V_ANY_CATEGORY2_2ND:
        return from->kind == V_LONG_2ND || from->kind == V_DOUBLE_2ND;
    case V_OBJECT:
        if (from->kind == V_NULL)
            return 1;
        return from->kind == V_OBJECT && from->name != to->name
                   ? names_assignable(v, from->name, to->name, member)
                   : from->kind == V_OBJECT;
    default:
        return vtype_equals(from, to);
    }
}

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
