/* SPDX-License-Identifier: MIT */
/* minivm/classfile/attributes.c -- attributes of classes and fields (JVMS 4.7). */

#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/parse.h"

/* The flags that InnerClasses knows (JVMS 4.7.6), and HotSpot ACC_SUPER. */
enum {
    INNER_CLASS_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC |
                        ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT |
                        ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM
};

bool
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

bool
attribute_is(const struct parser *p, const struct attribute *a, const char *name,
             unsigned since)
{
    return p->cf->major >= since && symbol_equals(a->name, name);
}

bool
attribute_signature(struct parser *p, struct attribute *a, const char *where,
                    uint16_t *index, const struct symbol **signature)
{
    if (*index != 0)
        return parser_fail(p, "Multiple Signature attributes%s", where);
    if (a->range.length != 2)
        return parser_fail(p, "Wrong size %u for Signature attribute%s",
                           a->range.length, where);
    *index = reader_u2(&a->body);
    if (!parser_is_tag(p, *index, CF_UTF8))
        return parser_fail(p, "Invalid Signature attribute at constant pool index %u",
                           *index);
    *signature = cf_utf8(p->cf, *index);
    return true;
}

bool
attribute_once(struct parser *p, const struct attribute *a, const char *where,
               struct cf_range *range)
{
    if (range->offset != 0)
        return parser_fail(p, "Multiple %s attributes%s", a->name->bytes, where);
    *range = a->range;
    return true;
}

bool
attribute_empty(struct parser *p, const struct attribute *a, const char *where,
                bool *seen)
{
    if (a->range.length != 0)
        return parser_fail(p, "Invalid %s %s attribute length %u", a->name->bytes,
                           where,
                           a->range.length);
    *seen = true;
    return true;
}

bool
attribute_table(struct parser *p, void *owner, attribute_visitor *visit,
                const char *complaint, struct cf_range *range)
{
    struct attribute a;

    range->offset = parser_offset(p, p->in.at);
    for (unsigned n = reader_u2(&p->in); n > 0; n--)
        if (!attribute_next(p, &p->in, complaint, &a) || !visit(p, owner, &a))
            return false;
        else if (a.overrun)
            return parser_truncated(p);
    if (p->in.bad)
        return parser_truncated(p);
    range->length = parser_offset(p, p->in.at) - range->offset;
    return true;
}

/* The constant fits the type of the field (JVMS 4.7.2). */
static bool
is_constant_for(const struct symbol *descriptor, enum cf_tag tag)
{
    switch (descriptor->bytes[0]) {
    case 'J':
        return tag == CF_LONG;
    case 'F':
        return tag == CF_FLOAT;
    case 'D':
        return tag == CF_DOUBLE;
    case 'I':
    case 'S':
    case 'C':
    case 'B':
    case 'Z':
        return tag == CF_INTEGER;
    default:
        return tag == CF_STRING && symbol_equals(descriptor, "Ljava/lang/String;");
    }
}

static bool
parse_constant_value(struct parser *p, struct cf_field *f, struct attribute *a)
{
    enum cf_tag tag;

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

static bool
visit_field_attribute(struct parser *p, void *owner, struct attribute *a)
{
    static const char where[] = " for field";
    struct cf_field *f = owner;

    /* Ignored in a field that is not static (JVMS 4.7.2). */
    if (attribute_is(p, a, "ConstantValue", 0))
        return !(f->access_flags & ACC_STATIC) || parse_constant_value(p, f, a);
    if (attribute_is(p, a, "Synthetic", 0))
        return attribute_empty(p, a, "field", &f->synthetic);
    if (attribute_is(p, a, "Deprecated", 0))
        return attribute_empty(p, a, "field", &f->deprecated);
    if (attribute_is(p, a, "Signature", VERSION_SIGNATURES))
        return attribute_signature(p, a, where, &f->signature_index, &f->signature);
    if (attribute_is(p, a, "RuntimeVisibleAnnotations", VERSION_SIGNATURES)) {
        if (p->opts->privileged)
            f->marks |= parse_marks(p->cf, a->body);
        return attribute_once(p, a, where, &f->annotations);
    }
    if (attribute_is(p, a, "RuntimeVisibleTypeAnnotations", VERSION_INTERFACE_CODE))
        return attribute_once(p, a, where, &f->type_annotations);
    return true;
}

bool
parse_field_attributes(struct parser *p, struct cf_field *f)
{
    return attribute_table(p, f, visit_field_attribute, "Invalid field attribute",
                           &f->attributes);
}

/* An array of class indices, each checked; what names it in messages. */
static bool
parse_class_list(struct parser *p, struct attribute *a, const char *what,
                 uint16_t *count, const uint16_t **list)
{
    uint16_t n = reader_u2(&a->body), *indices;

    if (a->range.length != 2 + 2u * n)
        return parser_fail(p, "Wrong %s attribute length", a->name->bytes);
    indices = parser_array(p, n, sizeof *indices);
    if (indices == NULL)
        return false;
    for (unsigned i = 0; i < n; i++) {
        indices[i] = reader_u2(&a->body);
        if (!parser_is_tag(p, indices[i], CF_CLASS))
            return parser_fail(p, "%s class_info_index %u has bad constant type", what,
                               indices[i]);
    }
    *count = n;
    *list = indices;
    return true;
}

static bool
parse_inner_class(struct parser *p, struct reader *r, struct cf_inner_class *inner)
{
    inner->inner_class = reader_u2(r);
    inner->outer_class = reader_u2(r);
    inner->inner_name = reader_u2(r);
    inner->access_flags = reader_u2(r);
    if (inner->inner_class != 0 && !parser_is_tag(p, inner->inner_class, CF_CLASS))
        return parser_fail(p, "inner_class_info_index %u has bad constant type",
                           inner->inner_class);
    if (inner->outer_class != 0) {
        if (!parser_is_tag(p, inner->outer_class, CF_CLASS))
            return parser_fail(p, "outer_class_info_index %u has bad constant type",
                               inner->outer_class);
        if (cf_name(p->cf, inner->outer_class)->bytes[0] == '[')
            return parser_fail(p, "Outer class is an array class");
    }
    if (inner->inner_name != 0 && !parser_is_tag(p, inner->inner_name, CF_UTF8))
        return parser_fail(p, "inner_name_index %u has bad constant type",
                           inner->inner_name);
    if (!p->opts->relaxed && inner->inner_class == inner->outer_class)
        return parser_fail(p, "Class is both outer and inner class");
    if ((inner->access_flags & ACC_MODULE) != 0 && p->cf->major >= VERSION_MODULES)
        return parser_fail_module(p);
    inner->access_flags &= INNER_CLASS_FLAGS;
    if ((inner->access_flags & ACC_INTERFACE) != 0 &&
        p->cf->major < VERSION_STACK_MAPS)
        inner->access_flags |= ACC_ABSTRACT;
    return check_class_flags(p, inner->access_flags);
}

static bool
parse_inner_classes(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;
    struct cf_inner_class *rows;
    uint16_t n;

    if (cf->has_inner_classes)
        return parser_fail(p, "Multiple InnerClasses attributes");
    cf->has_inner_classes = true;
    n = reader_u2(&a->body);
    if (a->range.length != 2 + 8u * n)
        return parser_fail(p, "Wrong InnerClasses attribute length");
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!parse_inner_class(p, &a->body, &rows[i]))
            return false;
    cf->inner_classes = rows;
    cf->inner_class_count = n;
    return true;
}

static bool
parse_enclosing_method(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (cf->enclosing_class != 0)
        return parser_fail(p, "Multiple EnclosingMethod attributes");
    if (a->range.length != 4)
        return parser_fail(p, "Wrong EnclosingMethod attribute length %u",
                           a->range.length);
    cf->enclosing_class = reader_u2(&a->body);
    cf->enclosing_method = reader_u2(&a->body);
    if (cf->enclosing_class == 0)
        return parser_fail(p, "Invalid class index in EnclosingMethod attribute");
    if (!parser_is_tag(p, cf->enclosing_class, CF_CLASS))
        return parser_fail(p, "Invalid or out-of-bounds class index in "
                           "EnclosingMethod attribute");
    if (cf->enclosing_method != 0 &&
        !parser_is_tag(p, cf->enclosing_method, CF_NAME_AND_TYPE))
        return parser_fail(p, "Invalid or out-of-bounds method index in "
                           "EnclosingMethod attribute");
    return true;
}

/* Whether the entry may be an argument of a bootstrap method (JVMS 4.4). */
static bool
is_loadable(const struct parser *p, unsigned index)
{
    switch (cf_tag_at(p->cf, index)) {
    case CF_INTEGER:
    case CF_FLOAT:
    case CF_LONG:
    case CF_DOUBLE:
    case CF_CLASS:
    case CF_STRING:
    case CF_METHOD_HANDLE:
    case CF_METHOD_TYPE:
    case CF_DYNAMIC:
        return true;
    default:
        return false;
    }
}

static bool
parse_bootstrap_method(struct parser *p, struct reader *r,
                       struct cf_bootstrap_method *row)
{
    uint16_t *args;

    row->method_handle = reader_u2(r);
    row->arg_count = reader_u2(r);
    if (r->bad || reader_left(r) < 2u * row->arg_count)
        return parser_fail(p, "Invalid BootstrapMethods num_bootstrap_methods or "
                           "num_bootstrap_arguments value");
    if (!parser_is_tag(p, row->method_handle, CF_METHOD_HANDLE))
        return parser_fail(p, "bootstrap_method_index %u has bad constant type",
                           row->method_handle);
    args = parser_array(p, row->arg_count, sizeof *args);
    if (args == NULL)
        return false;
    for (unsigned i = 0; i < row->arg_count; i++) {
        args[i] = reader_u2(r);
        if (!is_loadable(p, args[i]))
            return parser_fail(p, "argument_index %u has bad constant type", args[i]);
    }
    row->args = args;
    return true;
}

static bool
parse_bootstrap_methods(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;
    struct cf_bootstrap_method *rows;
    uint16_t n;

    if (cf->bootstrap_methods != NULL)
        return parser_fail(p, "Multiple BootstrapMethods attributes");
    n = reader_u2(&a->body);
    if (a->body.bad)
        return parser_fail(p, "Invalid BootstrapMethods attribute length %u",
                           a->range.length);
    if (reader_left(&a->body) < 4u * n)
        return parser_fail(p, "Invalid BootstrapMethods num_bootstrap_methods or "
                           "num_bootstrap_arguments value");
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!parse_bootstrap_method(p, &a->body, &rows[i]))
            return false;
    if (reader_left(&a->body) != 0)
        return parser_fail(p, "Bad length on BootstrapMethods");
    cf->bootstrap_methods = rows;
    cf->bootstrap_count = n;
    return true;
}

static bool
visit_component_attribute(struct parser *p, void *owner, struct attribute *a)
{
    static const char where[] = " for Record component";
    struct cf_record_component *c = owner;

    if (attribute_is(p, a, "Signature", 0))
        return attribute_signature(p, a, where, &c->signature_index, &c->signature);
    if (attribute_is(p, a, "RuntimeVisibleAnnotations", 0))
        return attribute_once(p, a, where, &c->annotations);
    if (attribute_is(p, a, "RuntimeVisibleTypeAnnotations", 0))
        return attribute_once(p, a, where, &c->type_annotations);
    return true;
}

static bool
parse_component(struct parser *p, struct reader *r, struct cf_record_component *c)
{
    unsigned major = p->cf->major;
    struct attribute a;

    c->name_index = reader_u2(r);
    c->descriptor_index = reader_u2(r);
    if (!parser_is_tag(p, c->name_index, CF_UTF8))
        return parser_fail(p, "Invalid constant pool index %u for name in Record "
                           "attribute", c->name_index);
    if (!parser_is_tag(p, c->descriptor_index, CF_UTF8))
        return parser_fail(p, "Invalid constant pool index %u for descriptor in Record "
                           "attribute", c->descriptor_index);
    c->name = cf_utf8(p->cf, c->name_index);
    c->descriptor = cf_utf8(p->cf, c->descriptor_index);
    if (!p->opts->relaxed && !name_is_field(c->name->bytes, c->name->length, major))
        return parser_fail_as(p, CLASSFILE_FORMAT,
                              "Illegal field name \"%s\" in class %s", c->name->bytes,
                              p->class_name);
    if (!descriptor_is_field(c->descriptor->bytes, c->descriptor->length, major))
        return parser_fail_as(p, CLASSFILE_FORMAT,
                              "Field \"%s\" in class %s has illegal signature \"%s\"",
                              c->name->bytes, p->class_name, c->descriptor->bytes);
    for (unsigned n = reader_u2(r); n > 0; n--)
        if (!attribute_next(p, r, "Invalid Record attribute name", &a) ||
            !visit_component_attribute(p, c, &a))
            return false;
        else if (a.overrun)
            return attribute_fail_overrun(p, &a, "Record attribute has wrong length");
    return true;
}

static bool
parse_record(struct parser *p, struct attribute *a)
{
    struct cf_record_component *rows;
    uint16_t n;

    if (p->cf->is_record)
        return parser_fail(p, "Multiple Record attributes");
    p->cf->is_record = true;
    n = reader_u2(&a->body);
    if (reader_left(&a->body) < 6u * n)
        return parser_fail(p, "Record attribute has wrong length");
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (!parse_component(p, &a->body, &rows[i]))
            return false;
    if (a->body.bad || reader_left(&a->body) != 0)
        return parser_fail(p, "Record attribute has wrong length");
    p->cf->components = rows;
    p->cf->component_count = n;
    return true;
}

static bool
parse_nest_host(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (cf->nest_host != 0)
        return parser_fail(p, "Multiple NestHost attributes");
    if (cf->has_nest_members)
        return parser_fail(p, "Conflicting NestMembers and NestHost attributes");
    if (a->range.length != 2)
        return parser_fail(p, "Wrong NestHost attribute length");
    cf->nest_host = reader_u2(&a->body);
    if (!parser_is_tag(p, cf->nest_host, CF_CLASS))
        return parser_fail(p, "Nest-host class_info_index %u has bad constant type",
                           cf->nest_host);
    return true;
}

static bool
parse_nest_members(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (cf->has_nest_members)
        return parser_fail(p, "Multiple NestMembers attributes");
    if (cf->nest_host != 0)
        return parser_fail(p, "Conflicting NestHost and NestMembers attributes");
    cf->has_nest_members = true;
    return parse_class_list(p, a, "Nest member", &cf->nest_member_count,
                            &cf->nest_members);
}

static bool
parse_permitted(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (cf->has_permitted_subclasses)
        return parser_fail(p, "Multiple PermittedSubclasses attributes");
    if ((cf->access_flags & ACC_FINAL) != 0)
        return parser_fail_as(p, CLASSFILE_FORMAT, "PermittedSubclasses attribute in "
                              "final class file %s", p->class_name);
    cf->has_permitted_subclasses = true;
    return parse_class_list(p, a, "Permitted subclass", &cf->permitted_count,
                            &cf->permitted_subclasses);
}

static bool
parse_source_file(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (cf->source_file_index != 0)
        return parser_fail(p, "Multiple SourceFile attributes");
    if (a->range.length != 2)
        return parser_fail(p, "Wrong SourceFile attribute length");
    cf->source_file_index = reader_u2(&a->body);
    if (!parser_is_tag(p, cf->source_file_index, CF_UTF8))
        return parser_fail(p, "Invalid SourceFile attribute at constant pool index %u",
                           cf->source_file_index);
    cf->source_file = cf_utf8(cf, cf->source_file_index);
    return true;
}

/* The attributes whose contents others read. */
static bool
visit_raw_attribute(struct parser *p, struct attribute *a)
{
    struct classfile *cf = p->cf;

    if (attribute_is(p, a, "SourceDebugExtension", 0))
        return attribute_once(p, a, "", &cf->source_debug_extension);
    if (attribute_is(p, a, "RuntimeVisibleAnnotations", VERSION_SIGNATURES)) {
        if (p->opts->privileged)
            cf->marks |= parse_marks(cf, a->body);
        return attribute_once(p, a, "", &cf->annotations);
    }
    if (attribute_is(p, a, "RuntimeVisibleTypeAnnotations", VERSION_INTERFACE_CODE))
        return attribute_once(p, a, "", &cf->type_annotations);
    if (attribute_is(p, a, "Module", VERSION_MODULES))
        return attribute_once(p, a, "", &cf->module);
    if (attribute_is(p, a, "ModulePackages", VERSION_MODULES))
        return attribute_once(p, a, "", &cf->module_packages);
    if (attribute_is(p, a, "ModuleMainClass", VERSION_MODULES))
        return attribute_once(p, a, "", &cf->module_main_class);
    return true;
}

static bool
visit_class_attribute(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if (attribute_is(p, a, "SourceFile", 0))
        return parse_source_file(p, a);
    if (attribute_is(p, a, "InnerClasses", 0))
        return parse_inner_classes(p, a);
    if (attribute_is(p, a, "Synthetic", 0))
        return attribute_empty(p, a, "classfile", &cf->synthetic);
    if (attribute_is(p, a, "Deprecated", 0))
        return attribute_empty(p, a, "classfile", &cf->deprecated);
    if (attribute_is(p, a, "Signature", VERSION_SIGNATURES))
        return attribute_signature(p, a, "", &cf->signature_index, &cf->signature);
    if (attribute_is(p, a, "EnclosingMethod", VERSION_SIGNATURES))
        return parse_enclosing_method(p, a);
    if (attribute_is(p, a, "BootstrapMethods", VERSION_METHOD_HANDLES))
        return parse_bootstrap_methods(p, a);
    if (attribute_is(p, a, "NestHost", VERSION_NESTS))
        return parse_nest_host(p, a);
    if (attribute_is(p, a, "NestMembers", VERSION_NESTS))
        return parse_nest_members(p, a);
    if (attribute_is(p, a, "Record", VERSION_RECORDS))
        return parse_record(p, a);
    if (attribute_is(p, a, "PermittedSubclasses", VERSION_SEALED))
        return parse_permitted(p, a);
    return visit_raw_attribute(p, a);
}

/* No class twice as an inner class (JVMS 4.7.6). */
static bool
check_inner_classes(struct parser *p)
{
    const struct classfile *cf = p->cf;
    bool dup = false;
    struct pair_set set;

    if (!pair_set_init(&set, cf->inner_class_count))
        return parser_no_memory(p);
    for (unsigned i = 0; i < cf->inner_class_count && !dup; i++) {
        const struct cf_inner_class *row = &cf->inner_classes[i];
        uint64_t rest = (uint64_t)row->outer_class << 32 |
                        (uint64_t)row->inner_name << 16 |
                        row->access_flags;

        dup = row->inner_class != 0 &&
              !pair_set_add(&set, cf_name(cf, row->inner_class), rest);
    }
    pair_set_release(&set);
    return !dup || parser_fail(p, "Duplicate entry in InnerClasses attribute");
}

bool
parse_class_attributes(struct parser *p)
{
    struct classfile *cf = p->cf;

    if (!attribute_table(p, cf, visit_class_attribute,
                         "Attribute name has bad constant pool", &cf->attributes))
        return false;
    if (p->max_bootstrap >= 0 && cf->bootstrap_methods == NULL)
        return parser_fail(p, "Missing BootstrapMethods attribute");
    if (p->max_bootstrap >= cf->bootstrap_count)
        return parser_fail(p, "Short length on BootstrapMethods");
    return p->opts->relaxed || cf->inner_class_count < 2 || check_inner_classes(p);
}
