/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/class_attributes.c -- attributes of classes (JVMS 4.7).
 *
 * class_rules, in the middle, is the table of all attributes that a class may have; the
 * functions before it read them.  What can only be judged when all of them are known is
 * checked in parse_class_attributes: whether constants refer to bootstrap methods that
 * exist, and whether InnerClasses contradicts itself.  A function that returns false or
 * NULL has stored the error (parse.h).
 */

#include "base/mem.h"
#include "classfile/parse.h"

/* The flags of a row of InnerClasses (JVMS 4.7.6); ACC_SUPER is kept because HotSpot
   does. */
enum {
    INNER_CLASS_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC
                        | ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT
                        | ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM
};

/* Reads an attribute that is a list of classes: NestMembers, PermittedSubclasses.
   message is that of parse_classes. */
static bool
parse_class_list(struct parser *p, struct attribute *a, const char *message,
                 uint16_t *count, const uint16_t **list)
{
    *count = reader_u2(&a->body);
    if (a->range.length != 2 + 2u * *count)
        return parser_fail(p, "Wrong %s attribute length", a->name->bytes);
    *list = parse_classes(p, &a->body, *count, message);
    return *list != NULL;
}

/* Reads a row of InnerClasses.  outer_class and inner_name may be 0, for a class that
   is no member or that is anonymous (JVMS 4.7.6). */
static bool
parse_inner_class(struct parser *p, struct reader *r, void *row)
{
    struct cf_inner_class *inner = row;

    reader_u2s(r, inner, sizeof *inner);
    if (!parser_require(p, inner->inner_class, CF_CLASS,
                        "inner_class_info_index %u has bad constant type"))
        return false;
    if (inner->outer_class != 0
        && !parser_require(p, inner->outer_class, CF_CLASS,
                           "outer_class_info_index %u has bad constant type"))
        return false;
    if (inner->outer_class != 0 && cf_name(p->cf, inner->outer_class)->bytes[0] == '[')
        return parser_fail(p, "Outer class is an array class");
    if (inner->inner_name != 0
        && !parser_require(p, inner->inner_name, CF_UTF8,
                           "inner_name_index %u has bad constant type"))
        return false;
    if (!p->opts->relaxed && inner->inner_class == inner->outer_class)
        return parser_fail(p, "Class is both outer and inner class");
    return check_class_flags(p, &inner->access_flags, INNER_CLASS_FLAGS);
}

/* Reads InnerClasses (JVMS 4.7.6).  In files below version 49 its length need not
   be right, as HotSpot has it. */
static bool
parse_inner_classes(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    cf->inner_class_count = reader_u2(&a->body);
    if (a->body.bad)
        return parser_truncated(p);
    if (p->cf->major >= VERSION_SIGNATURES
        && a->range.length != 2 + 8u * cf->inner_class_count)
        return parser_fail(p, "Wrong InnerClasses attribute length");
    cf->inner_classes = parser_rows(p, &a->body, cf->inner_class_count,
                                    sizeof *cf->inner_classes, parse_inner_class);
    return cf->inner_classes;
}

/* Reads EnclosingMethod (JVMS 4.7.7): a class, and the name and type of one of its
   methods, or 0 if the class is not directly in a method. */
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
                          "attribute")
           && (cf->enclosing_method == 0
               || parser_require(
                   p, cf->enclosing_method, CF_NAME_AND_TYPE,
                   "Invalid or out-of-bounds method index in EnclosingMethod "
                   "attribute"));
}

/* The tags of loadable constants, which may be arguments of a bootstrap method (JVMS
   table 4.4-C). */
static const uint32_t loadable_tags = 1u << CF_INTEGER | 1u << CF_FLOAT | 1u << CF_LONG
                                      | 1u << CF_DOUBLE | 1u << CF_CLASS
                                      | 1u << CF_STRING | 1u << CF_METHOD_HANDLE
                                      | 1u << CF_METHOD_TYPE | 1u << CF_DYNAMIC;

/* Reads a row of BootstrapMethods (JVMS 4.7.23): a method handle and its static
   arguments. */
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
    for (unsigned i = 0; args && i < method->arg_count; i++) {
        args[i] = reader_u2(r);
        if ((loadable_tags >> cf_tag_at(p->cf, args[i]) & 1) == 0)
            return parser_fail(p, "argument_index %u has bad constant type", args[i]);
    }
    return args;
}

/* Reads BootstrapMethods (JVMS 4.7.23), whose rows must fill it.  Whether constants
   refer to rows beyond its end is checked in parse_class_attributes. */
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
    if (!cf->bootstrap_methods)
        return false;
    return reader_left(&a->body) == 0
           || parser_fail(p, "Bad length on BootstrapMethods");
}

static const struct attribute_rules component_rules = {
    "Invalid Record attribute name",
    "Record attribute has wrong length",
    "component",
    " for Record component",
    { SIGNATURE(cf_record_component, 0),
      KEPT(cf_record_component, "RuntimeVisibleAnnotations", 0, annotations),
      KEPT(cf_record_component, "RuntimeVisibleTypeAnnotations", 0, type_annotations),
      UNUSED_ONCE("RuntimeInvisibleAnnotations"),
      UNUSED_ONCE("RuntimeInvisibleTypeAnnotations"),
      { .name = NULL } }
};

/* Reads a component of a record: name, descriptor and attributes (JVMS 4.7.30). */
static bool
parse_component(struct parser *p, struct reader *r, void *row)
{
    struct cf_record_component *c = row;

    return parse_utf8(p, r, &c->name,
                      "Invalid constant pool index %u for name in "
                      "Record attribute")
           && parse_utf8(p, r, &c->descriptor,
                         "Invalid constant pool index %u for "
                         "descriptor in Record attribute")
           && check_name(p, c->name, false)
           && check_field_type(p, c->name, c->descriptor)
           && attribute_table(p, r, &component_rules, c);
}

/* Reads Record (JVMS 4.7.30), whose components must fill it.  Each takes 6 bytes at
   least, so a number of them that the attribute has no room for is refused before
   memory is taken. */
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
    if (!cf->components)
        return false;
    return (!a->body.bad && reader_left(&a->body) == 0)
           || parser_fail(p, "%s", component_rules.overrun);
}

/* Reads NestHost (JVMS 4.7.28).  A class is the host of a nest or a member of one, so
   it may not have NestMembers too, in whichever order they come. */
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

/* Reads NestMembers (JVMS 4.7.29), which excludes NestHost (parse_nest_host). */
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

/* Reads PermittedSubclasses (JVMS 4.7.31): the class is sealed, so it must not be
   final. */
static bool
parse_permitted(struct parser *p, void *owner, struct attribute *a)
{
    struct classfile *cf = owner;

    if ((cf->access_flags & ACC_FINAL) != 0)
        return parser_refuse(p, "PermittedSubclasses attribute in final class file %s",
                             p->class_name);
    cf->has_permitted_subclasses = true;
    return parse_class_list(p, a,
                            "Permitted subclass class_info_index %u has bad "
                            "constant type",
                            &cf->permitted_count, &cf->permitted_subclasses);
}

/* Reads SourceFile (JVMS 4.7.10): the index of a Utf8 that names the file. */
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
    "Attribute name has bad constant pool",
    "",
    "classfile",
    "",
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

/* What must not be the same in two rows of InnerClasses (JVMS 4.7.6). */
static struct key
inner_class_key(const struct classfile *cf, unsigned i)
{
    const struct cf_inner_class *row = &cf->inner_classes[i];

    return (struct key){ row->inner_class == 0 ? NULL : cf_name(cf, row->inner_class),
                         NULL,
                         (uint64_t)row->outer_class << 32
                             | (uint64_t)row->inner_name << 16 | row->access_flags };
}

/* Where the row of InnerClasses whose class has that name is in the hash table: its
   number, counted from 1, or 0 where it would be.  first_row has a power of two elements,
   of which at least half are 0; names are equal only if they are the same symbol. */
static uint16_t *
find_inner_class(const struct classfile *cf, uint16_t *first_row, unsigned size,
                 const struct symbol *name)
{
    unsigned at = name->hash & (size - 1);

    while (first_row[at] != 0
           && cf_name(cf, cf->inner_classes[first_row[at] - 1].inner_class) != name)
        at = (at + 1) & (size - 1);
    return &first_row[at];
}

/* The number of the first row of that row's outer class, or 0.  first_row is the hash table
   of find_inner_class. */
static unsigned
row_of_outer_class(const struct classfile *cf, uint16_t *first_row, unsigned size,
                   unsigned row)
{
    unsigned outer = cf->inner_classes[row - 1].outer_class;

    return outer == 0 ? 0 : *find_inner_class(cf, first_row, size, cf_name(cf, outer));
}

/*
 * Whether, after the names, a class is a member of itself, perhaps by way of other
 * classes.  first_row is the hash table of find_inner_class, filled by this, and seen has
 * an element for each row; both are zero at first.
 *
 * The second loop goes from each row's class to its outer classes; seen is the row from
 * which it came to a row first, so that a row seen from the same row is in a cycle, and
 * one seen from an earlier row has been followed already.  The third loop does so for
 * classes that several constants name, from their rows behind the first.
 */
static bool
inner_classes_are_circular(const struct classfile *cf, uint16_t *first_row,
                           unsigned size, uint16_t *seen)
{
    for (unsigned i = 0; i < cf->inner_class_count; i++) {
        uint16_t *row = find_inner_class(cf, first_row, size,
                                         cf_name(cf, cf->inner_classes[i].inner_class));

        if (*row == 0)
            *row = (uint16_t)(i + 1);
    }
    for (unsigned i = 1; i <= cf->inner_class_count; i++) {
        unsigned row = i;

        while (row != 0 && seen[row - 1] == 0) {
            seen[row - 1] = (uint16_t)i;
            row = row_of_outer_class(cf, first_row, size, row);
        }
        if (row != 0 && seen[row - 1] == i)
            return true;
    }
    for (unsigned i = 1; i <= cf->inner_class_count; i++) {
        unsigned first = *find_inner_class(
            cf, first_row, size, cf_name(cf, cf->inner_classes[i - 1].inner_class));
        unsigned row = i;

        while (first != i && row != 0) {
            row = row_of_outer_class(cf, first_row, size, row);
            if (row == first)
                return true;
        }
    }
    return false;
}

/* Whether two rows of InnerClasses describe the same class constant.  seen has an element
   for each constant, zero at first. */
static bool
inner_classes_repeat(const struct classfile *cf, uint16_t *seen)
{
    for (unsigned i = 0; i < cf->inner_class_count; i++)
        if (seen[cf->inner_classes[i].inner_class]++ != 0)
            return true;
    return false;
}

/* Drops an InnerClasses attribute that contradicts itself: it need not be consistent
   (JVMS 4.7.6), so the class is accepted, but nobody could follow such rows. */
static bool
drop_inconsistent_inner_classes(struct parser *p)
{
    struct classfile *cf = p->cf;
    unsigned size = 8;
    uint16_t *work;

    if (p->opts->relaxed || cf->inner_class_count == 0)
        return true;
    while (size < 2u * cf->inner_class_count)
        size *= 2;
    work = mem_try_calloc((size_t)cf->cp_count + size + cf->inner_class_count,
                          sizeof *work);
    if (!work)
        return parser_no_memory(p);
    if (inner_classes_repeat(cf, work)
        || inner_classes_are_circular(cf, work + cf->cp_count, size,
                                      work + cf->cp_count + size))
        cf->inner_class_count = 0;
    mem_free(work);
    return true;
}

bool
parse_class_attributes(struct parser *p)
{
    struct classfile *cf = p->cf;

    if (!attribute_table(p, &p->in, &class_rules, cf))
        return false;
    /* The attribute is another way to set the flag (JVMS 4.7.8). */
    if (cf->synthetic)
        cf->access_flags |= ACC_SYNTHETIC;
    if (p->max_bootstrap >= 0 && !cf->bootstrap_methods)
        return parser_fail(p, "Missing BootstrapMethods attribute");
    if (p->max_bootstrap >= cf->bootstrap_count)
        return parser_fail(p, "Short length on BootstrapMethods");
    return (cf->major < VERSION_SIGNATURES
            || parser_unique(p, cf->inner_class_count, inner_class_key,
                             "Duplicate entry in InnerClasses attribute"))
           && drop_inconsistent_inner_classes(p);
}
