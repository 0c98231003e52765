/* SPDX-License-Identifier: MIT */
/* minivm/classfile/attributes.c -- attributes of classes and fields (JVMS 4.7). */

#include <string.h>

#include "base/mem.h"
#include "classfile/parse.h"

/* The flags that InnerClasses knows (JVMS 4.7.6), and HotSpot ACC_SUPER. */
enum {
    INNER_CLASS_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC |
                        ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT |
                        ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM,
    MAX_NESTING = 64                   /* of annotations */
};

/* The JDK's own annotations (JVMS 4.7.16). */
static const struct {
    const char *descriptor;
    uint16_t mark;
} known[] = {
    { "Ljdk/internal/vm/annotation/Hidden;", CF_MARK_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Hidden;", CF_MARK_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Compiled;", CF_MARK_LAMBDA_COMPILED },
    { "Ljdk/internal/reflect/CallerSensitive;", CF_MARK_CALLER_SENSITIVE },
    { "Ljdk/internal/vm/annotation/ForceInline;", CF_MARK_FORCE_INLINE },
    { "Ljdk/internal/vm/annotation/DontInline;", CF_MARK_DONT_INLINE },
    { "Ljdk/internal/vm/annotation/IntrinsicCandidate;", CF_MARK_INTRINSIC },
    { "Ljdk/internal/vm/annotation/Stable;", CF_MARK_STABLE },
    { "Ljdk/internal/vm/annotation/Contended;", CF_MARK_CONTENDED },
    { "Ljdk/internal/vm/annotation/ReservedStackAccess;", CF_MARK_RESERVED_STACK },
    { "Ljdk/internal/misc/ScopedMemoryAccess$Scoped;", CF_MARK_SCOPED },
    { "Ljdk/internal/vm/annotation/TrustFinalFields;", CF_MARK_TRUSTED_FINAL },
    { "Ljdk/internal/vm/annotation/ChangesCurrentThread;", CF_MARK_CHANGES_THREAD },
    { "Ljdk/internal/vm/annotation/JvmtiMountTransition;", CF_MARK_MOUNT_TRANSITION },
};

static void skip_annotation(struct reader *r, int depth);

/* Skip an element_value; nonsense sets r->bad. */
static void
skip_value(struct reader *r, int depth)
{
    char tag = (char)reader_u1(r);

    if (depth > MAX_NESTING) {
        r->bad = true;
    } else if (tag == '[') {
        for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--)
            skip_value(r, depth + 1);
    } else if (tag == '@') {
        reader_bytes(r, 2);
        skip_annotation(r, depth + 1);
    } else if (tag == 'e') {
        reader_bytes(r, 4);
    } else if (tag != 0 && strchr("BCDFIJSZsc", tag) != NULL) {
        reader_bytes(r, 2);
    } else {
        r->bad = true;
    }
}

/* Skip the element-value pairs of an annotation whose type has been read. */
static void
skip_annotation(struct reader *r, int depth)
{
    for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--) {
        reader_bytes(r, 2);
        skip_value(r, depth);
    }
}

/* The marks that a RuntimeVisibleAnnotations attribute sets, 0 when it is malformed. */
static uint16_t
parse_marks(const struct classfile *cf, struct reader body)
{
    uint16_t marks = 0;

    for (unsigned n = reader_u2(&body); n > 0 && !body.bad; n--) {
        unsigned type = reader_u2(&body);

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (cf_tag_at(cf, type) == CF_UTF8 &&
                symbol_equals(cf_utf8(cf, type), known[i].descriptor))
                marks |= known[i].mark;
        skip_annotation(&body, 0);
    }
    return body.bad ? 0 : marks;
}

static bool
attribute_next(struct parser *p, struct reader *from, const char *complaint,
               struct attribute *a)
{
    unsigned index = reader_u2(from);
    uint32_t length = reader_u4(from);

    if (from->bad)
        return parser_truncated(p);
    if (!parser_is_tag(p, index, CF_UTF8))
        return parser_fail(p, "%s index %u", complaint, index);
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

static bool
apply_rule(struct parser *p, const struct attribute_rules *rules,
           const struct attribute_rule *row, void *owner, struct attribute *a)
{
    void *field = (char *)owner + row->field, *second = (char *)owner + row->second;

    switch (row->kind) {
    case ATTRIBUTE_PARSED:
    case ATTRIBUTE_REPEATED:
        return row->parse(p, owner, a);
    case ATTRIBUTE_SIGNATURE:
        return parse_signature(p, a, rules->where, field);
    case ATTRIBUTE_FLAG:
        *(bool *)field = true;
        return a->range.length == 0 ||
               parser_fail(p, "Invalid %s %s attribute length %u", a->name->bytes,
                           rules->what, a->range.length);
    case ATTRIBUTE_MARKED:
        if (p->opts->privileged)
            *(uint16_t *)second |= parse_marks(p->cf, a->body);
        break;
    case ATTRIBUTE_KEPT:
        break;
    case ATTRIBUTE_UNUSED:
        return true;
    }
    *(struct cf_range *)field = a->range;
    return true;
}

/* Applies the rule for the attribute, if there is one; *seen has a bit for each that
   has been applied before. */
static bool
attribute_apply(struct parser *p, const struct attribute_rules *rules, void *owner,
                struct attribute *a, uint32_t *seen)
{
    const struct attribute_rule *row = rules->rows;
    uint32_t bit = 1;

    while (row->name != NULL &&
           (p->cf->major < row->since || !symbol_equals(a->name, row->name))) {
        bit <<= 1;
        row++;
    }
    if (row->name == NULL)
        return true;
    if ((*seen & bit) != 0 && row->kind != ATTRIBUTE_REPEATED &&
        row->kind != ATTRIBUTE_FLAG)
        return parser_fail(p, "Multiple %s attributes%s", a->name->bytes,
                           row->kind == ATTRIBUTE_PARSED ? "" : rules->where);
    *seen |= bit;
    return apply_rule(p, rules, row, owner, a);
}

bool
attribute_table(struct parser *p, struct reader *r, const struct attribute_rules *rules,
                void *owner)
{
    struct attribute a;
    uint32_t seen = 0;

    for (unsigned n = reader_u2(r); n > 0; n--)
        if (!attribute_next(p, r, rules->complaint, &a) ||
            !attribute_apply(p, rules, owner, &a, &seen))
            return false;
        else if (a.overrun)
            return attribute_fail_overrun(p, &a, rules->overrun);
    return !p->in.bad || parser_truncated(p);
}

/* The constant fits the type of the field (JVMS 4.7.2). */
static bool
is_constant_for(const struct symbol *descriptor, enum cf_tag tag)
{
    static const uint8_t tags['Z' - 'A' + 1] = {
        ['B' - 'A'] = CF_INTEGER, ['C' - 'A'] = CF_INTEGER, ['D' - 'A'] = CF_DOUBLE,
        ['F' - 'A'] = CF_FLOAT, ['I' - 'A'] = CF_INTEGER, ['J' - 'A'] = CF_LONG,
        ['S' - 'A'] = CF_INTEGER, ['Z' - 'A'] = CF_INTEGER,
    };

    if (tag == CF_STRING)
        return symbol_equals(descriptor, "Ljava/lang/String;");
    return descriptor->bytes[0] != '[' && tags[descriptor->bytes[0] - 'A'] == tag;
}

static bool
parse_constant_value(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_field *f = owner;
    enum cf_tag tag;

    /* Ignored in a field that is not static (JVMS 4.7.2). */
    if (!(f->access_flags & ACC_STATIC))
        return true;
    if (f->constant_value != 0)
        return parser_fail(p, "Duplicate ConstantValue attribute");
    if (a->range.length != 2)
        return parser_fail(p, "Invalid ConstantValue field attribute length %u",
                           a->range.length);
    f->constant_value = reader_u2(&a->body);
    tag = cf_tag_at(p->cf, f->constant_value);
    if (tag != CF_INTEGER && tag != CF_FLOAT && tag != CF_LONG && tag != CF_DOUBLE &&
        tag != CF_STRING)
        return parser_fail(p, "Bad initial value index %u in ConstantValue attribute",
                           f->constant_value);
    if (is_constant_for(f->descriptor, tag))
        return true;
    return parser_fail(p, tag == CF_STRING ? "Bad string initial value"
                                           : "Inconsistent constant value type");
}

const struct attribute_rules field_rules = {
    "Invalid field attribute", "", "field", " for field",
    { REPEATED("ConstantValue", 0, parse_constant_value),
      FLAG(cf_field, "Synthetic", synthetic),
      FLAG(cf_field, "Deprecated", deprecated),
      SIGNATURE(cf_field, VERSION_SIGNATURES),
      ANNOTATIONS(cf_field),
      { .name = NULL } }
};

/* An attribute that is a list of classes. */
static bool
parse_class_list(struct parser *p, struct attribute *a, const char *complaint,
                 uint16_t *count, const uint16_t **list)
{
    *count = reader_u2(&a->body);
    if (a->range.length != 2 + 2u * *count)
        return parser_fail(p, "Wrong %s attribute length", a->name->bytes);
    *list = parse_classes(p, &a->body, *count, complaint);
    return *list != NULL;
}

static bool
parse_inner_class(struct parser *p, struct reader *r, void *row)
{
    struct cf_inner_class *inner = row;

    reader_u2s(r, inner, sizeof *inner);
    if (!parser_require(p, inner->inner_class, CF_CLASS,
                        "inner_class_info_index %u has bad constant type"))
        return false;
    if (inner->outer_class != 0 &&
        !parser_require(p, inner->outer_class, CF_CLASS,
                        "outer_class_info_index %u has bad constant type"))
        return false;
    if (inner->outer_class != 0 && cf_name(p->cf, inner->outer_class)->bytes[0] == '[')
        return parser_fail(p, "Outer class is an array class");
    if (inner->inner_name != 0 &&
        !parser_require(p, inner->inner_name, CF_UTF8,
                        "inner_name_index %u has bad constant type"))
        return false;
    if (!p->opts->relaxed && inner->inner_class == inner->outer_class)
        return parser_fail(p, "Class is both outer and inner class");
    return check_class_flags(p, &inner->access_flags, INNER_CLASS_FLAGS);
}

static bool
parse_inner_classes(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    cf->inner_class_count = reader_u2(&a->body);
    if (a->body.bad)
        return parser_truncated(p);
    if (p->cf->major >= VERSION_SIGNATURES &&
        a->range.length != 2 + 8u * cf->inner_class_count)
        return parser_fail(p, "Wrong InnerClasses attribute length");
    cf->inner_classes = parser_rows(p, &a->body, cf->inner_class_count,
                                    sizeof *cf->inner_classes, parse_inner_class);
    return cf->inner_classes != NULL;
}

static bool
parse_enclosing_method(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if (a->range.length != 4)
        return parser_fail(p, "Wrong EnclosingMethod attribute length %u",
                           a->range.length);
    cf->enclosing_class = reader_u2(&a->body);
    cf->enclosing_method = reader_u2(&a->body);
    if (cf->enclosing_class == 0)
        return parser_fail(p, "Invalid class index in EnclosingMethod attribute");
    return parser_require(p, cf->enclosing_class, CF_CLASS,
                          "Invalid or out-of-bounds class index in EnclosingMethod "
                          "attribute") &&
           (cf->enclosing_method == 0 ||
            parser_require(p, cf->enclosing_method, CF_NAME_AND_TYPE,
                           "Invalid or out-of-bounds method index in EnclosingMethod "
                           "attribute"));
}

/* The tags that may be arguments of a bootstrap method (JVMS 4.4). */
static const uint32_t loadable_tags =
    1u << CF_INTEGER | 1u << CF_FLOAT | 1u << CF_LONG | 1u << CF_DOUBLE |
    1u << CF_CLASS | 1u << CF_STRING | 1u << CF_METHOD_HANDLE | 1u << CF_METHOD_TYPE |
    1u << CF_DYNAMIC;

static bool
parse_bootstrap_method(struct parser *p, struct reader *r, void *row)
{
    struct cf_bootstrap_method *method = row;
    uint16_t *args;

    method->method_handle = reader_u2(r);
    method->arg_count = reader_u2(r);
    if (r->bad || reader_left(r) < 2u * method->arg_count)
        return parser_fail(p, "Invalid BootstrapMethods num_bootstrap_methods or "
                           "num_bootstrap_arguments value");
    if (!parser_require(p, method->method_handle, CF_METHOD_HANDLE,
                        "bootstrap_method_index %u has bad constant type"))
        return false;
    method->args = args = parser_array(p, method->arg_count, sizeof *args);
    for (unsigned i = 0; args != NULL && i < method->arg_count; i++) {
        args[i] = reader_u2(r);
        if ((loadable_tags >> cf_tag_at(p->cf, args[i]) & 1) == 0)
            return parser_fail(p, "argument_index %u has bad constant type", args[i]);
    }
    return args != NULL;
}

static bool
parse_bootstrap_methods(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    cf->bootstrap_count = reader_u2(&a->body);
    if (a->body.bad)
        return parser_fail(p, "Invalid BootstrapMethods attribute length %u",
                           a->range.length);
    cf->bootstrap_methods = parser_rows(p, &a->body, cf->bootstrap_count,
                                        sizeof *cf->bootstrap_methods,
                                        parse_bootstrap_method);
    if (cf->bootstrap_methods == NULL)
        return false;
    return reader_left(&a->body) == 0 ||
           parser_fail(p, "Bad length on BootstrapMethods");
}

static const struct attribute_rules component_rules = {
    "Invalid Record attribute name", "Record attribute has wrong length", "component",
    " for Record component",
    { SIGNATURE(cf_record_component, 0),
      KEPT(cf_record_component, "RuntimeVisibleAnnotations", 0, annotations),
      KEPT(cf_record_component, "RuntimeVisibleTypeAnnotations", 0, type_annotations),
      UNUSED_ONCE("RuntimeInvisibleAnnotations"),
      UNUSED_ONCE("RuntimeInvisibleTypeAnnotations"),
      { .name = NULL } }
};

static bool
parse_component(struct parser *p, struct reader *r, void *row)
{
    struct cf_record_component *c = row;

    return parse_utf8(p, r, &c->name, "Invalid constant pool index %u for name in "
                      "Record attribute") &&
           parse_utf8(p, r, &c->descriptor, "Invalid constant pool index %u for "
                      "descriptor in Record attribute") &&
           check_name(p, c->name, false) &&
           check_field_type(p, c->name, c->descriptor) &&
           attribute_table(p, r, &component_rules, c);
}

static bool
parse_record(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    cf->is_record = true;
    cf->component_count = reader_u2(&a->body);
    if (reader_left(&a->body) < 6u * cf->component_count)
        return parser_fail(p, "%s", component_rules.overrun);
    cf->components = parser_rows(p, &a->body, cf->component_count,
                                 sizeof *cf->components, parse_component);
    if (cf->components == NULL)
        return false;
    return (!a->body.bad && reader_left(&a->body) == 0) ||
           parser_fail(p, "%s", component_rules.overrun);
}

static bool
parse_nest_host(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if (cf->has_nest_members)
        return parser_fail(p, "Conflicting NestMembers and NestHost attributes");
    if (a->range.length != 2)
        return parser_fail(p, "Wrong NestHost attribute length");
    cf->nest_host = reader_u2(&a->body);
    return parser_require(p, cf->nest_host, CF_CLASS,
                          "Nest-host class_info_index %u has bad constant type");
}

static bool
parse_nest_members(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if (cf->nest_host != 0)
        return parser_fail(p, "Conflicting NestHost and NestMembers attributes");
    cf->has_nest_members = true;
    return parse_class_list(p, a,
                            "Nest member class_info_index %u has bad constant type",
                            &cf->nest_member_count, &cf->nest_members);
}

static bool
parse_permitted(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if ((cf->access_flags & ACC_FINAL) != 0)
        return parser_refuse(p, "PermittedSubclasses attribute in final class file %s",
                             p->class_name);
    cf->has_permitted_subclasses = true;
    return parse_class_list(p, a, "Permitted subclass class_info_index %u has bad "
                            "constant type", &cf->permitted_count,
                            &cf->permitted_subclasses);
}

static bool
parse_source_file(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if (a->range.length != 2)
        return parser_fail(p, "Wrong SourceFile attribute length");
    return parse_utf8(p, &a->body, &cf->source_file,
                      "Invalid SourceFile attribute at constant pool index %u");
}

static const struct attribute_rules class_rules = {
    "Attribute name has bad constant pool", "", "classfile", "",
    { PARSED("SourceFile", 0, parse_source_file),
      PARSED("InnerClasses", 0, parse_inner_classes),
      PARSED("EnclosingMethod", VERSION_SIGNATURES, parse_enclosing_method),
      PARSED("BootstrapMethods", VERSION_METHOD_HANDLES, parse_bootstrap_methods),
      PARSED("NestHost", VERSION_NESTS, parse_nest_host),
      PARSED("NestMembers", VERSION_NESTS, parse_nest_members),
      PARSED("Record", VERSION_RECORDS, parse_record),
      PARSED("PermittedSubclasses", VERSION_SEALED, parse_permitted),
      FLAG(classfile, "Synthetic", synthetic),
      FLAG(classfile, "Deprecated", deprecated),
      SIGNATURE(classfile, VERSION_SIGNATURES),
      ANNOTATIONS(classfile),
      KEPT(classfile, "SourceDebugExtension", 0, source_debug_extension),
      { .name = NULL } }
};

/* A row of InnerClasses, none of which may come twice (JVMS 4.7.6). */
static struct key
inner_class_key(const struct classfile *cf, unsigned i)
{
    const struct cf_inner_class *row = &cf->inner_classes[i];

    return (struct key){ row->inner_class == 0 ? NULL : cf_name(cf, row->inner_class),
                         NULL,
                         (uint64_t)row->outer_class << 32 |
                             (uint64_t)row->inner_name << 16 | row->access_flags };
}

/*
 * Whether rows of InnerClasses contradict each other: two are of the same constant, or a
 * class is in itself by way of others.  ours[constant] is the number of its row, from 1;
 * seen[constant] the row from which the constant was reached first.
 */
static bool
rows_contradict(const struct classfile *cf, uint16_t *ours, uint16_t *seen)
{
    for (unsigned i = 0; i < cf->inner_class_count; i++) {
        const struct cf_inner_class *inner = &cf->inner_classes[i];
        uint16_t *row = &ours[inner->inner_class];

        if (*row != 0 || (inner->outer_class != 0 && cf_name(cf, inner->inner_class) ==
                                                         cf_name(cf, inner->outer_class)))
            return true;
        *row = (uint16_t)(i + 1);
    }
    for (unsigned i = 0; i < cf->inner_class_count; i++) {
        unsigned at = cf->inner_classes[i].inner_class;

        while (at != 0 && ours[at] != 0 && seen[at] == 0) {
            seen[at] = (uint16_t)(i + 1);
            at = cf->inner_classes[ours[at] - 1].outer_class;
        }
        if (at != 0 && seen[at] == i + 1)
            return true;
    }
    return false;
}

/* The VM does not check InnerClasses for consistency (JVMS 4.7.6); an attribute that
   contradicts itself is as if it were not there. */
static bool
drop_contradiction(struct parser *p)
{
    struct classfile *cf = p->cf;
    uint16_t *rows;

    if (p->opts->relaxed || cf->inner_class_count == 0)
        return true;
    rows = mem_try_calloc(2 * (size_t)cf->cp_count, sizeof *rows);
    if (rows == NULL)
        return parser_no_memory(p);
    if (rows_contradict(cf, rows, rows + cf->cp_count))
        cf->inner_class_count = 0;
    mem_free(rows);
    return true;
}

bool
parse_class_attributes(struct parser *p)
{
    struct classfile *cf = p->cf;

    if (!attribute_table(p, &p->in, &class_rules, cf))
        return false;
    /* The attribute says what the flag says (JVMS 4.7.8). */
    if (cf->synthetic)
        cf->access_flags |= ACC_SYNTHETIC;
    if (p->max_bootstrap >= 0 && cf->bootstrap_methods == NULL)
        return parser_fail(p, "Missing BootstrapMethods attribute");
    if (p->max_bootstrap >= cf->bootstrap_count)
        return parser_fail(p, "Short length on BootstrapMethods");
    return (cf->major < VERSION_SIGNATURES ||
            parser_unique(p, cf->inner_class_count, inner_class_key,
                          "Duplicate entry in InnerClasses attribute")) &&
           drop_contradiction(p);
}
