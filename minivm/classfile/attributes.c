/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/attributes.c -- reading attributes, and those of fields (JVMS 4.7).
 *
 * attribute_table goes through the attributes of a class, field, method, Code or record
 * component.  For each it looks up the rule in the owner's table and does what the
 * rule's kind says (attribute_rule in parse.h, which also tells how to add an
 * attribute).  A function that returns false has stored the error (parse.h).
 */

#include "classfile/parse.h"

/* Reads the head of the next attribute into *a; `from` goes on behind the attribute.
   message is the error for a name that is no Utf8 (attribute_rules.bad_name). */
static bool
attribute_next(struct parser *p, struct reader *from, const char *message,
               struct attribute *a)
{
    unsigned index = reader_u2(from);
    uint32_t length = reader_u4(from);

    if (from->bad)
        return parser_truncated(p);
    if (!parser_is_tag(p, index, CF_UTF8))
        return parser_fail(p, "%s index %u", message, index);
    a->name = cf_utf8(p->cf, index);
    a->range.offset = parser_offset(p, from->at);
    a->range.length = length;
    a->overrun = reader_left(from) < length;
    a->body = reader_sub(from, a->overrun ? reader_left(from) : length);
    return true;
}

bool
attribute_fail_overrun(struct parser *p, const struct attribute *a, const char *message)
{
    if ((uint64_t)a->range.offset + a->range.length > p->cf->length)
        return parser_truncated(p);
    return parser_fail(p, "%s", message);
}

/* Reads a Signature attribute (JVMS 4.7.9); `where` is attribute_rules.where.  What the
   signature says is not checked: only reflection reads it. */
static bool
parse_signature(struct parser *p, struct attribute *a, const char *where,
                const struct symbol **signature)
{
    if (a->range.length != 2)
        return parser_fail(p, "Wrong size %u for Signature attribute%s",
                           a->range.length, where);
    return parse_utf8(p, &a->body, signature,
                      "Invalid Signature attribute at constant pool index %u");
}

/* Does what the rule says for one attribute of the owner.  The kinds that keep the
   attribute's contents as bytes end up below the switch. */
static bool
apply_rule(struct parser *p, const struct attribute_rules *rules,
           const struct attribute_rule *row, void *owner, struct attribute *a)
{
    void *field = (char *)owner + row->field, *second = (char *)owner + row->second;

    switch (row->kind) {
    case ATTRIBUTE_PARSED:
    case ATTRIBUTE_REPEATED: return row->parse(p, owner, a);
    case ATTRIBUTE_SIGNATURE: return parse_signature(p, a, rules->where, field);
    case ATTRIBUTE_FLAG:
        *(bool *)field = true;
        return a->range.length == 0
               || parser_fail(p, "Invalid %s %s attribute length %u", a->name->bytes,
                              rules->what, a->range.length);
    case ATTRIBUTE_ANNOTATIONS:
        if (p->opts->privileged)
            *(uint16_t *)second |= parse_vm_annotations(p->cf, a->body);
        break;
    case ATTRIBUTE_KEPT: break;
    case ATTRIBUTE_UNUSED: return true;
    }
    *(struct cf_range *)field = a->range;
    return true;
}

/* Finds and applies the rule for the attribute, if there is one.  *seen has a bit for
   each rule that has been applied to the owner before. */
static bool
attribute_apply(struct parser *p, const struct attribute_rules *rules, void *owner,
                struct attribute *a, uint32_t *seen)
{
    const struct attribute_rule *row = rules->rows;
    uint32_t bit = 1;

    while (row->name
           && (p->cf->major < row->since || !symbol_equals(a->name, row->name))) {
        bit <<= 1;
        row++;
    }
    if (!row->name)
        return true;
    if ((*seen & bit) != 0 && row->kind != ATTRIBUTE_REPEATED
        && row->kind != ATTRIBUTE_FLAG)
        return parser_fail(p, "Multiple %s attributes%s", a->name->bytes,
                           row->kind == ATTRIBUTE_PARSED ? "" : rules->where);
    *seen |= bit;
    return apply_rule(p, rules, row, owner, a);
}

/* An attribute that claims too many bytes is refused after its rule was applied, as the
   rule may have found an error that says more (attribute.overrun). */
bool
attribute_table(struct parser *p, struct reader *r, const struct attribute_rules *rules,
                void *owner)
{
    struct attribute a;
    uint32_t seen = 0;

    for (unsigned n = reader_u2(r); n > 0; n--)
        if (!attribute_next(p, r, rules->bad_name, &a)
            || !attribute_apply(p, rules, owner, &a, &seen))
            return false;
        else if (a.overrun)
            return attribute_fail_overrun(p, &a, rules->overrun);
    return !p->in.bad || parser_truncated(p);
}

/* Whether a constant of that tag can initialize a field of that type (JVMS 4.7.2). */
static bool
is_constant_for(const struct symbol *descriptor, enum cf_tag tag)
{
    static const uint8_t tags['Z' - 'A' + 1] = {
        ['B' - 'A'] = CF_INTEGER, ['C' - 'A'] = CF_INTEGER, ['D' - 'A'] = CF_DOUBLE,
        ['F' - 'A'] = CF_FLOAT,   ['I' - 'A'] = CF_INTEGER, ['J' - 'A'] = CF_LONG,
        ['S' - 'A'] = CF_INTEGER, ['Z' - 'A'] = CF_INTEGER,
    };

    if (tag == CF_STRING)
        return symbol_equals(descriptor, "Ljava/lang/String;");
    return descriptor->bytes[0] != '[' && tags[descriptor->bytes[0] - 'A'] == tag;
}

/* Reads ConstantValue into a static field: the index of a constant of the field's type
   (JVMS table 4.7.2-A). */
static bool
parse_constant_value(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_field *f = owner;
    enum cf_tag tag;

    /* The attribute is ignored in a field that is not static (JVMS 4.7.2). */
    if (!(f->access_flags & ACC_STATIC))
        return true;
    if (f->constant_value != 0)
        return parser_fail(p, "Duplicate ConstantValue attribute");
    if (a->range.length != 2)
        return parser_fail(p, "Invalid ConstantValue field attribute length %u",
                           a->range.length);
    f->constant_value = reader_u2(&a->body);
    tag = cf_tag_at(p->cf, f->constant_value);
    if (tag != CF_INTEGER && tag != CF_FLOAT && tag != CF_LONG && tag != CF_DOUBLE
        && tag != CF_STRING)
        return parser_fail(p, "Bad initial value index %u in ConstantValue attribute",
                           f->constant_value);
    if (is_constant_for(f->descriptor, tag))
        return true;
    return parser_fail(p, tag == CF_STRING ? "Bad string initial value"
                                           : "Inconsistent constant value type");
}

const struct attribute_rules field_rules = { "Invalid field attribute",
                                             "",
                                             "field",
                                             " for field",
                                             { REPEATED("ConstantValue", 0,
                                                        parse_constant_value),
                                               FLAG(cf_field, "Synthetic", synthetic),
                                               FLAG(cf_field, "Deprecated", deprecated),
                                               SIGNATURE(cf_field, VERSION_SIGNATURES),
                                               ANNOTATIONS(cf_field),
                                               { .name = NULL } } };
