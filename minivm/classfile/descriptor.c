/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/descriptor.c -- descriptors and names (JVMS 4.2, 4.3).
 *
 * scan_type reads one type and is below all other functions.  Those that check a
 * descriptor look at the class names in it as well (check_type); those that take a
 * checked descriptor apart do not.
 */

#include "classfile/descriptor.h"

#include <string.h>

enum {
    MAX_DIMENSIONS = 255,
    /* The class file version since which names need not be Java identifiers. */
    FIRST_UNQUALIFIED_NAMES = 49
};

/*
 * Sets *type to the type that begins at `at`, and returns the address behind it, or
 * NULL if there is no type.  The characters of a class name are not checked, and V is a
 * type here: the caller knows whether void is allowed.
 */
static const char *
scan_type(const char *at, const char *end, struct descriptor_type *type)
{
    const char *start = at, *semicolon;

    while (at < end && *at == '[')
        at++;
    if (at == end || at - start > MAX_DIMENSIONS)
        return NULL;
    type->dimensions = (uint8_t)(at - start);
    type->kind = *at++;
    if (type->kind == 'L') {
        semicolon = memchr(at, ';', (size_t)(end - at));
        if (!semicolon || semicolon == at)
            return NULL;
        at = semicolon + 1;
    } else if (type->kind == 'V' ? type->dimensions != 0
                                 : memchr("BCDFIJSZ", type->kind, 8) == NULL) {
        return NULL;
    }
    if (type->dimensions != 0)
        type->kind = '[';
    type->text = start;
    type->length = (uint16_t)(at - start);
    return at;
}

/*
 * Whether text is a name for class files below version 49: it consists of letters and
 * digits of Java and begins with a letter.  The name of a class may have slashes too,
 * where HotSpot only demands that no two of them are neighbours.
 */
static bool
is_old_name(const char *text, size_t length, bool is_class)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool letter = c >= 0x80 || c == '_' || c == '$'
                      || (unsigned)((c | 0x20) - 'a') < 26;
        bool slash = is_class && c == '/' && (i == 0 || text[i - 1] != '/');

        if (!letter && !slash && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0;
}

/* By character, where names may not have it (JVMS 4.2.2). */
enum { IN_NAMES = 1, IN_METHODS = 2 };
static const uint8_t forbidden[256] = {
    ['.'] = IN_NAMES, [';'] = IN_NAMES,   ['['] = IN_NAMES,
    ['/'] = IN_NAMES, ['<'] = IN_METHODS, ['>'] = IN_METHODS,
};

/* Whether text is an unqualified name (JVMS 4.2.2): not empty and without the forbidden
   characters, or a Java identifier in an old file. */
static bool
is_name(const char *text, size_t length, unsigned major, bool is_method)
{
    unsigned found = 0;

    if (major < FIRST_UNQUALIFIED_NAMES)
        return is_old_name(text, length, false);
    for (size_t i = 0; i < length; i++)
        found |= forbidden[(uint8_t)text[i]];
    return length > 0 && (found & (is_method ? IN_NAMES | IN_METHODS : IN_NAMES)) == 0;
}

/* Whether text is the name of a class in internal form (JVMS 4.2.1), not of an
   array. */
static bool
is_internal_name(const char *text, size_t length, unsigned major)
{
    char before = '/';

    if (major < FIRST_UNQUALIFIED_NAMES)
        return is_old_name(text, length, true);
    /* Unqualified names with slashes between them; none is empty. */
    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (c == '/' ? before == '/' : (forbidden[(uint8_t)c] & IN_NAMES) != 0)
            return false;
        before = c;
    }
    return before != '/';
}

/* The address behind the type that begins at `at`, or NULL if it is malformed or
   void. */
static const char *
check_type(const char *at, const char *end, unsigned major)
{
    struct descriptor_type type;
    const char *next = scan_type(at, end, &type);
    const char *class_name;

    if (!next || type.kind == 'V')
        return NULL;
    class_name = type.text + type.dimensions;
    if (*class_name == 'L'
        && !is_internal_name(class_name + 1, (size_t)(next - class_name) - 2, major))
        return NULL;
    return next;
}

bool
descriptor_is_field(const char *text, size_t length, unsigned major)
{
    return check_type(text, text + length, major) == text + length && length > 0;
}

bool
descriptor_is_method(const char *text, size_t length, unsigned major)
{
    const char *at = text, *end = text + length;

    if (at == end || *at++ != '(')
        return false;
    while (at < end && *at != ')') {
        at = check_type(at, end, major);
        if (!at)
            return false;
    }
    if (at == end)
        return false;
    at++;
    if (end - at == 1 && *at == 'V')
        return true;
    return at < end && check_type(at, end, major) == end;
}

bool
name_is_field(const char *text, size_t length, unsigned major)
{
    return is_name(text, length, major, false);
}

bool
name_is_method(const char *text, size_t length, unsigned major)
{
    if (length > 0 && text[0] == '<')
        return (length == 6 && memcmp(text, "<init>", 6) == 0)
               || (length == 8 && memcmp(text, "<clinit>", 8) == 0);
    return is_name(text, length, major, true);
}

bool
name_is_class(const char *text, size_t length, unsigned major)
{
    if (length > 0 && text[0] == '[')
        return descriptor_is_field(text, length, major);
    return is_internal_name(text, length, major);
}

struct descriptor_iter
descriptor_parameters(const struct symbol *descriptor)
{
    const char *text = descriptor->bytes;
    struct descriptor_iter it = { text, text + descriptor->length };

    it.at = descriptor->length > 0 && text[0] == '(' ? text + 1 : it.end;
    return it;
}

bool
descriptor_next(struct descriptor_iter *it, struct descriptor_type *type)
{
    const char *next;

    if (it->at >= it->end || *it->at == ')')
        return false;
    next = scan_type(it->at, it->end, type);
    if (!next || type->kind == 'V') {
        it->at = it->end;
        return false;
    }
    it->at = next;
    return true;
}

/* The walk over the parameters ends at the ')', behind which the return type must be
   all that follows; at the end of the text when the descriptor is malformed. */
bool
descriptor_return(const struct symbol *descriptor, struct descriptor_type *type)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);

    while (descriptor_next(&it, type))
        ;
    return it.at < it.end && scan_type(it.at + 1, it.end, type) == it.end;
}

bool
descriptor_field(const struct symbol *descriptor, struct descriptor_type *type)
{
    const char *end = descriptor->bytes + descriptor->length;

    return scan_type(descriptor->bytes, end, type) == end && type->kind != 'V';
}

/* The number of parameters or, with `slots`, of their slots; -1 if the descriptor is
   malformed. */
static int
count_parameters(const struct symbol *descriptor, bool slots)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct descriptor_type type;
    int count = 0;

    while (descriptor_next(&it, &type))
        count += slots ? (int)descriptor_kind_slots(type.kind) : 1;
    return it.at < it.end && *it.at == ')' ? count : -1;
}

int
descriptor_arg_slots(const struct symbol *descriptor)
{
    return count_parameters(descriptor, true);
}

int
descriptor_arg_count(const struct symbol *descriptor)
{
    return count_parameters(descriptor, false);
}

const char *
descriptor_primitive_name(char kind)
{
    static const char *const names[] = {
        ['B' - 'A'] = "byte",  ['C' - 'A'] = "char", ['D' - 'A'] = "double",
        ['F' - 'A'] = "float", ['I' - 'A'] = "int",  ['J' - 'A'] = "long",
        ['S' - 'A'] = "short", ['V' - 'A'] = "void", ['Z' - 'A'] = "boolean",
    };

    return names[kind - 'A'];
}

/* Appends a type as it is written in Java. */
static void
print_type(struct buf *b, const struct descriptor_type *type)
{
    const char *text = type->text + type->dimensions;

    if (*text != 'L')
        buf_append_string(b, descriptor_primitive_name(*text));
    else
        for (text++; *text != ';'; text++)
            buf_append(b, *text == '/' ? "." : text, 1);
    for (unsigned i = 0; i < type->dimensions; i++)
        buf_append_string(b, "[]");
}

void
descriptor_print_field(struct buf *b, const struct symbol *descriptor)
{
    struct descriptor_type type;

    if (scan_type(descriptor->bytes, descriptor->bytes + descriptor->length, &type))
        print_type(b, &type);
}

void
descriptor_print_method(struct buf *b, const char *holder, const char *name,
                        const struct symbol *descriptor)
{
    struct descriptor_iter it = descriptor_parameters(descriptor);
    struct descriptor_type type;
    const char *separator = "";

    if (descriptor_return(descriptor, &type))
        print_type(b, &type);
    buf_printf(b, " %s%s%s(", holder ? holder : "", holder ? "." : "", name);
    for (; descriptor_next(&it, &type); separator = ", ") {
        buf_append_string(b, separator);
        print_type(b, &type);
    }
    buf_append_string(b, ")");
}
