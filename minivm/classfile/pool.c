/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/pool.c -- the constant pool (JVMS 4.4).
 *
 * parse_pool makes three passes.  read_entries reads all entries; each may refer to
 * entries that come later.  check_references then checks that the indices in each entry
 * lead to entries of the right tags.  check_text at last checks names and descriptors,
 * which is left out for trusted files.  A function that returns false has stored the
 * error (parse.h).
 *
 * The table `constant_rules` tells what each tag refers to.  To add a tag whose
 * contents are one or two indices, add it to enum cf_tag and add a row; read_constant
 * and check_references do the rest.  Other contents need a case in read_constant.
 */

#include "classfile/descriptor.h"
#include "classfile/parse.h"

#include <string.h>

#include "base/utf8.h"

/* Reads a Utf8 constant, which becomes a symbol at once. */
static bool
read_utf8(struct parser *p, union cf_const *c)
{
    uint16_t length = reader_u2(&p->in);
    const char *text = (const char *)reader_bytes(&p->in, length);

    if (p->in.bad)
        return parser_truncated(p);
    if (!p->opts->relaxed
        && !mutf8_valid(text, length, p->cf->major >= VERSION_SHORTEST_UTF8))
        return parser_fail(p, "Illegal UTF8 string in constant pool");
    c->utf8 = symbol_try_intern(text, length);
    return c->utf8 || parser_no_memory(p);
}

/* By tag.  A tag whose row is all zero has no index, or is not defined. */
static const struct {
    /* The tags of the constants at the first and at the second index (cf_const.ref.a
       and .ref.b), or 0 if there is no such index or if it is no index of the pool. */
    uint8_t a, b;
    /* The class file version that introduced the tag, or 0. */
    uint8_t since;
} constant_rules[] = {
    [CF_CLASS] = { CF_UTF8, 0, 0 },
    [CF_STRING] = { CF_UTF8, 0, 0 },
    [CF_FIELDREF] = { CF_CLASS, CF_NAME_AND_TYPE, 0 },
    [CF_METHODREF] = { CF_CLASS, CF_NAME_AND_TYPE, 0 },
    [CF_INTERFACE_METHODREF] = { CF_CLASS, CF_NAME_AND_TYPE, 0 },
    [CF_NAME_AND_TYPE] = { CF_UTF8, CF_UTF8, 0 },
    [CF_METHOD_HANDLE] = { 0, 0, VERSION_METHOD_HANDLES },
    [CF_METHOD_TYPE] = { CF_UTF8, 0, VERSION_METHOD_HANDLES },
    [CF_DYNAMIC] = { 0, CF_NAME_AND_TYPE, VERSION_NESTS },
    [CF_INVOKE_DYNAMIC] = { 0, CF_NAME_AND_TYPE, VERSION_METHOD_HANDLES },
    [CF_MODULE] = { CF_UTF8, 0, 0 },
    [CF_PACKAGE] = { CF_UTF8, 0, 0 },
};

enum { TAG_COUNT = sizeof constant_rules / sizeof *constant_rules };

/* Reads the entry behind a tag.  Sets *wide if it takes two indices (JVMS 4.4.5).
   Returns false, with the error noted in p, for a tag that is not known or not of the
   file's version, and for a Utf8 that the file's end cuts off.  Other entries that it
   cuts off read as zeros; so does the tag behind them, which is then refused as that of
   a truncated file, and read_entries looks whether the last one was whole. */
static bool
read_constant(struct parser *p, unsigned tag, union cf_const *c, bool *wide)
{
    unsigned major = p->cf->major;
    uint64_t high;

    if (tag < TAG_COUNT && major < constant_rules[tag].since)
        return parser_fail(p, "Class file version does not support constant tag %u",
                           tag);
    switch (tag) {
    case CF_UTF8: return read_utf8(p, c);
    case CF_INTEGER:
    case CF_FLOAT: c->i = (int32_t)reader_u4(&p->in); return true;
    case CF_LONG:
    case CF_DOUBLE:
        high = reader_u4(&p->in);
        c->j = (int64_t)(high << 32 | reader_u4(&p->in));
        *wide = true;
        return true;
    case CF_METHOD_HANDLE:
        c->ref.a = reader_u1(&p->in);
        c->ref.b = reader_u2(&p->in);
        return true;
    default: break;
    }
    if (tag >= TAG_COUNT || (constant_rules[tag].a == 0 && constant_rules[tag].b == 0)
        || (tag >= CF_MODULE && major < VERSION_MODULES))
        return parser_fail(p, "Unknown constant tag %u", tag);
    /* Only a module-info may have these.  parse_access refuses them, after
       ACC_MODULE. */
    if (tag >= CF_MODULE)
        p->bad_constant = tag;
    c->ref.a = reader_u2(&p->in);
    if (constant_rules[tag].b != 0)
        c->ref.b = reader_u2(&p->in);
    return true;
}

#define BAD_INDEX "Invalid constant pool index %u"

/* Refuses the constant at index, to which a MethodHandle refers; `what` is what its
   kind allows.  Returns false. */
static bool
bad_member(struct parser *p, unsigned index, const char *what)
{
    enum cf_tag tag = cf_tag_at(p->cf, index);

    if (tag != CF_FIELDREF && tag != CF_METHODREF && tag != CF_INTERFACE_METHODREF)
        return parser_fail(p, BAD_INDEX, index);
    return parser_refuse(p, "Invalid constant pool index %u in class file %s (not %s)",
                         index, p->class_name, what);
}

/* Checks that a MethodHandle refers to a constant that its kind allows (JVMS 4.4.8). */
static bool
check_handle(struct parser *p, unsigned i)
{
    unsigned kind = p->consts[i].ref.a, member = p->consts[i].ref.b;
    enum cf_tag tag = cf_tag_at(p->cf, member);

    if (kind < REF_GET_FIELD || kind > REF_INVOKE_INTERFACE)
        return parser_fail(p, "Bad method handle kind at constant pool index %u", i);
    if (kind <= REF_PUT_STATIC)
        return tag == CF_FIELDREF || bad_member(p, member, "a field");
    if (kind == REF_INVOKE_INTERFACE)
        return tag == CF_INTERFACE_METHODREF
               || bad_member(p, member, "an interface method");
    if (tag == CF_INTERFACE_METHODREF && p->cf->major >= VERSION_INTERFACE_CODE
        && (kind == REF_INVOKE_STATIC || kind == REF_INVOKE_SPECIAL))
        return true;
    return tag == CF_METHODREF || bad_member(p, member, "a method");
}

/* Checks that entry i refers to entries of the right tags.  The whole VM relies on it,
   so trusted files are checked as well. */
static bool
check_references(struct parser *p, unsigned i)
{
    unsigned a = p->consts[i].ref.a, b = p->consts[i].ref.b, tag = p->tags[i];

    if (tag == CF_METHOD_HANDLE)
        return check_handle(p, i);
    if ((tag == CF_DYNAMIC || tag == CF_INVOKE_DYNAMIC) && (int)a > p->max_bootstrap)
        p->max_bootstrap = (int)a;
    return (constant_rules[tag].a == 0
            || parser_require(p, a, (enum cf_tag)constant_rules[tag].a, BAD_INDEX))
           && (constant_rules[tag].b == 0
               || parser_require(p, b, (enum cf_tag)constant_rules[tag].b, BAD_INDEX));
}

/* Whether the first error in a malformed descriptor is in the name of a class, for
   which HotSpot has another message. */
static bool
has_bad_class_name(const char *at)
{
    for (const char *end; *at != '\0' && strchr("()[BCDFIJLSVZ", *at) != NULL; at++) {
        if (*at != 'L')
            continue;
        end = strchr(at, ';');
        if (!end)
            return false;
        if (!descriptor_is_field(at, (size_t)(end - at) + 1, VERSION_SIGNATURES))
            return true;
        at = end;
    }
    return false;
}

bool
parser_fail_signature(struct parser *p, const char *what, const struct symbol *name,
                      const struct symbol *descriptor)
{
    if (p->cf->major >= VERSION_SIGNATURES && has_bad_class_name(descriptor->bytes))
        return parser_fail(p, "Class name is empty or contains illegal character in "
                              "descriptor");
    return parser_refuse(p, "%s \"%s\" in class %s has illegal signature \"%s\"", what,
                         name->bytes, p->class_name, descriptor->bytes);
}

/* Checks that the Utf8 at index is not empty. */
static bool
require_text(struct parser *p, unsigned index)
{
    return cf_utf8(p->cf, index)->length > 0
           || parser_refuse(p,
                            "Illegal zero length constant pool entry at %u in class %s",
                            index, p->class_name);
}

/* Checks the name and the descriptor of a NameAndType (JVMS 4.4.6). */
static bool
check_name_and_type(struct parser *p, unsigned i)
{
    const struct symbol *name = cf_utf8(p->cf, p->consts[i].ref.a);
    const struct symbol *descriptor = cf_utf8(p->cf, p->consts[i].ref.b);
    bool is_method = descriptor->bytes[0] == '(';

    if (!require_text(p, p->consts[i].ref.b) || !require_text(p, p->consts[i].ref.a))
        return false;
    if (!check_name(p, name, is_method))
        return false;
    if (is_method)
        return descriptor_is_method(descriptor->bytes, descriptor->length, p->cf->major)
               || parser_fail_signature(p, "Method", name, descriptor);
    return descriptor_is_field(descriptor->bytes, descriptor->length, p->cf->major)
           || parser_fail_signature(p, "Field", name, descriptor);
}

/* Checks that the descriptor of a member constant is one of a field or of a method, as
   its tag demands, that its name is allowed, and that <init> returns void (JVMS 4.4.2).
   A call site of invokedynamic may not be named so, which verification tells (JVMS
   4.9.1). */
static bool
check_member(struct parser *p, unsigned i)
{
    enum cf_tag tag = (enum cf_tag)p->tags[i];
    struct cf_member m = cf_member(p->cf, i);
    bool method = m.descriptor->bytes[0] == '(';

    if (tag == CF_FIELDREF || tag == CF_DYNAMIC)
        return !method || parser_fail_signature(p, "Field", m.name, m.descriptor);
    if (!method)
        return parser_fail_signature(p, "Method", m.name, m.descriptor);
    if (tag != CF_METHODREF || m.name->bytes[0] != '<')
        return true;
    if (!symbol_equals(m.name, "<init>"))
        return parser_fail(p, "Bad method name at constant pool index %u",
                           p->consts[p->consts[i].ref.b].ref.a);
    /* The descriptor may be malformed still: its NameAndType may come later. */
    return (m.descriptor->length > 2
            && memcmp(m.descriptor->bytes + m.descriptor->length - 2, ")V", 2) == 0)
           || parser_fail_signature(p, "Method", m.name, m.descriptor);
}

/* Checks that <init> is named by newInvokeSpecial and by no other kind (JVMS 4.4.8). */
static bool
check_handle_name(struct parser *p, unsigned i)
{
    unsigned kind = p->consts[i].ref.a, member = p->consts[i].ref.b;
    bool init;

    if (kind < REF_INVOKE_VIRTUAL)
        return true;
    init = symbol_equals(cf_member(p->cf, member).name, "<init>");
    if (kind == REF_NEW_INVOKE_SPECIAL && !init)
        return parser_fail(p, "Bad constructor name at constant pool index %u", member);
    if (kind != REF_NEW_INVOKE_SPECIAL && init)
        return parser_fail(p, "Bad method name at constant pool index %u", member);
    return true;
}

/* Checks the names and descriptors that entry i refers to. */
static bool
check_text(struct parser *p, unsigned i)
{
    const struct symbol *s;

    switch ((enum cf_tag)p->tags[i]) {
    case CF_CLASS:
        s = cf_utf8(p->cf, p->consts[i].ref.a);
        return (name_is_class(s->bytes, s->length, p->cf->major)
                && !(p->opts->strict_names && s->bytes[s->length - 1] == '/'))
               || parser_refuse(p, "Illegal class name \"%s\" in class file %s",
                                s->bytes, p->class_name);
    case CF_METHOD_TYPE:
        s = cf_utf8(p->cf, p->consts[i].ref.a);
        return descriptor_is_method(s->bytes, s->length, p->cf->major)
               || parser_fail_signature(p, "Method", symbol_of("type"), s);
    case CF_NAME_AND_TYPE: return check_name_and_type(p, i);
    case CF_FIELDREF:
    case CF_METHODREF:
    case CF_INTERFACE_METHODREF:
    case CF_DYNAMIC:
    case CF_INVOKE_DYNAMIC: return check_member(p, i);
    case CF_METHOD_HANDLE: return check_handle_name(p, i);
    default: return true;
    }
}

/* Reads all entries.  A long or double takes its own index and the next one (JVMS
   4.4.5), which stays CF_UNUSABLE and must exist. */
static bool
read_entries(struct parser *p)
{
    for (unsigned i = 1; i < p->cf->cp_count; i++) {
        uint8_t tag = reader_u1(&p->in);
        bool wide = false;

        if (!read_constant(p, tag, &p->consts[i], &wide))
            return false;
        p->tags[i] = tag;
        if (wide && ++i == p->cf->cp_count)
            return parser_fail(p, "Invalid constant pool entry %u", i);
    }
    return !p->in.bad || parser_truncated(p);
}

/* The class file gets the tables before they are filled, as the checks of entries look
   at others by way of cf_tag_at and the like.  An entry that was not read yet has the
   tag CF_UNUSABLE. */
bool
parse_pool(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->cp_count = reader_u2(&p->in);
    if (cf->cp_count == 0)
        return parser_fail(p, "Illegal constant pool size %u", cf->cp_count);
    p->tags = parser_array(p, cf->cp_count, sizeof *p->tags);
    p->consts = parser_array(p, cf->cp_count, sizeof *p->consts);
    if (!p->tags || !p->consts)
        return false;
    cf->tags = p->tags;
    cf->consts = p->consts;
    cf->cp_range.offset = parser_offset(p, p->in.at);
    if (!read_entries(p))
        return false;
    cf->cp_range.length = parser_offset(p, p->in.at) - cf->cp_range.offset;

    for (unsigned i = 1; i < cf->cp_count; i++)
        if (!check_references(p, i))
            return false;
    for (unsigned i = 1; !p->opts->relaxed && i < cf->cp_count; i++)
        if (!check_text(p, i))
            return false;
    return true;
}
