/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/code.c -- attributes of methods (JVMS 4.7.3 and others).
 *
 * method_rules, at the end, is the table of the attributes of methods, and code_rules
 * that of the attributes inside of Code.  A function that returns false or NULL has
 * stored the error (parse.h).
 *
 * LineNumberTable, LocalVariableTable and LocalVariableTypeTable may each come several
 * times in one Code attribute.  Their rows are therefore collected in buffers of the
 * parser, and become arrays of the class file when the Code attribute has been read.
 * Each row of a LocalVariableTypeTable belongs to the row of the same variable in a
 * LocalVariableTable, which may come later; the type tables are read last, when the
 * locals are sorted and a row can be found by bisection (add_signatures).
 */

#include <stdlib.h>
#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/parse.h"

enum { MAX_CODE_LENGTH = 65535 };

/* Appends a row to a buffer of the parser. */
static bool
add_row(struct parser *p, struct buf *table, const void *row, size_t size)
{
    if (!buf_try_reserve(table, size))
        return parser_no_memory(p);
    buf_append(table, row, size);
    return true;
}

/* The rows of a buffer as an array that the class file owns; NULL if memory runs out
   (parser_no_memory). */
static void *
copy_rows(struct parser *p, const struct buf *table)
{
    void *rows = parser_array(p, table->length, 1);

    if (rows && table->length != 0)
        memcpy(rows, table->data, table->length);
    return rows;
}

/* Reads the exception table, whose ranges must lie within the code and not be empty
   (JVMS 4.7.3).  That instructions begin there is the verifier's to check. */
static bool
parse_handlers(struct parser *p, struct cf_method *m, struct reader *r)
{
    uint16_t n = reader_u2(r);
    struct cf_handler *rows;

    if (r->bad || reader_left(r) < 8u * n)
        return parser_truncated(p);
    rows = parser_array(p, n, sizeof *rows);
    if (!rows)
        return false;
    for (unsigned i = 0; i < n; i++) {
        struct cf_handler *h = &rows[i];

        reader_u2s(r, h, sizeof *h);
        if (h->start_pc >= h->end_pc || h->end_pc > m->code_length)
            return parser_fail(p, "Illegal exception table range");
        if (h->handler_pc >= m->code_length)
            return parser_fail(p, "Illegal exception table handler");
        if (h->catch_type != 0 && !parser_is_tag(p, h->catch_type, CF_CLASS))
            return parser_fail(p,
                               "Catch type in exception table has bad constant type");
    }
    m->handlers = rows;
    m->handler_count = n;
    return true;
}

/* Reads a LineNumberTable into p->lines (JVMS 4.7.12). */
static bool
parse_line_table(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;
    unsigned n = reader_u2(&a->body);

    m->has_line_table = true;
    if (a->range.length != 2 + 4 * n)
        return parser_fail(p, "LineNumberTable attribute has wrong length");
    for (; n > 0; n--) {
        struct cf_line row;

        reader_u2s(&a->body, &row, sizeof row);
        if (row.start_pc >= m->code_length)
            return parser_fail(p, "Invalid pc in LineNumberTable");
        if (!add_row(p, &p->lines, &row, sizeof row))
            return false;
    }
    return true;
}

/* Reads a row of LocalVariableTable or, if `typed`, of LocalVariableTypeTable: the
   range of code in which the variable has a value, its name, its type and its slot
   (JVMS 4.7.13).  The last two are a descriptor, whose slots must be locals of the
   method, or a signature, which is not checked. */
static bool
parse_local(struct parser *p, const struct cf_method *m, struct attribute *a,
            bool typed, struct cf_local *row)
{
    unsigned name, type, slot;
    const char *table = a->name->bytes;
    const struct symbol *text;

    row->start_pc = reader_u2(&a->body);
    row->length = reader_u2(&a->body);
    name = reader_u2(&a->body);
    type = reader_u2(&a->body);
    slot = row->slot = reader_u2(&a->body);
    if (row->start_pc >= m->code_length)
        return parser_fail(p, "Invalid start_pc %u in %s", row->start_pc, table);
    if ((uint32_t)row->start_pc + row->length > m->code_length)
        return parser_fail(p, "Invalid length %u in %s", row->length, table);
    if (!parser_is_tag(p, name, CF_UTF8))
        return parser_fail(p, "Name index %u in %s has bad constant type", name, table);
    if (!parser_is_tag(p, type, CF_UTF8))
        return parser_fail(p, "Signature index %u in %s has bad constant type", type,
                           table);
    row->name = cf_utf8(p->cf, name);
    text = cf_utf8(p->cf, type);
    if (!check_name(p, row->name, false))
        return false;
    if (typed) {
        row->signature = text;
    } else {
        row->descriptor = text;
        if (!check_field_type(p, row->name, text))
            return false;
        slot += descriptor_kind_slots(text->bytes[0]) - 1;
    }
    if (slot >= m->max_locals)
        return parser_fail(p, "Invalid index %u in %s", row->slot, table);
    return true;
}

/* The code and the slot that belong to the local, as one number to compare. */
static uint64_t
local_key(const struct cf_local *l)
{
    return (uint64_t)l->start_pc << 32 | (uint64_t)l->length << 16 | l->slot;
}

/* The order of parser.sorted: two rows are equal if they describe the same variable. */
static int
compare_locals(const void *left, const void *right)
{
    const struct cf_local *a = *(struct cf_local *const *)left;
    const struct cf_local *b = *(struct cf_local *const *)right;
    uint64_t x = local_key(a), y = local_key(b);

    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return (x > y) - (x < y);
}

/* Refuses a table that describes a variable twice. */
static bool
duplicate_local(struct parser *p, const char *table, const struct cf_local *row)
{
    return parser_fail(p, "Duplicated %s attribute entry for '%s'", table,
                       row->name->bytes);
}

/* Whether it is an error to describe a local twice: not in old files. */
static bool
rejects_duplicate_locals(const struct parser *p)
{
    return !p->opts->relaxed && p->cf->major >= VERSION_SIGNATURES;
}

/* Reads a row of a LocalVariableTypeTable and adds its signature to the local that it
   describes. */
static bool
add_signature(struct parser *p, const struct cf_method *m, struct attribute *a)
{
    struct cf_local row = { 0 }, **found;
    const struct cf_local *key = &row;

    if (!parse_local(p, m, a, true, &row))
        return false;
    /* Without a LocalVariableTable, the signatures describe nothing. */
    if (m->local_count == 0)
        return true;
    found = bsearch(&key, p->sorted.data, m->local_count, sizeof key, compare_locals);
    if (!found)
        return p->opts->relaxed
               || parser_refuse(p,
                                "LVTT entry for '%s' in class file %s does not match "
                                "any LVT entry",
                                row.name->bytes, p->class_name);
    if ((*found)->signature && !p->opts->relaxed)
        return duplicate_local(p, "LocalVariableTypeTable", &row);
    (*found)->signature = row.signature;
    return true;
}

/* Sorts the locals, refuses duplicates, and adds all signatures.  What is sorted are
   pointers to the locals (p->sorted), since m->locals keeps the order of the file. */
static bool
add_signatures(struct parser *p, const struct cf_method *m, struct cf_local *locals)
{
    struct attribute *tables = (struct attribute *)p->type_tables.data;
    struct cf_local **sorted;

    for (uint32_t i = 0; i < m->local_count; i++)
        if (!add_row(p, &p->sorted, &(struct cf_local *){ &locals[i] }, sizeof locals))
            return false;
    sorted = (struct cf_local **)p->sorted.data;
    if (sorted)
        qsort(sorted, m->local_count, sizeof *sorted, compare_locals);
    for (uint32_t i = 1; i < m->local_count && rejects_duplicate_locals(p); i++)
        if (compare_locals(&sorted[i - 1], &sorted[i]) == 0)
            return duplicate_local(p, "LocalVariableTable", sorted[i]);
    for (size_t i = 0; i < p->type_tables.length / sizeof *tables; i++)
        for (unsigned n = reader_u2(&tables[i].body); n > 0; n--)
            if (!add_signature(p, m, &tables[i]))
                return false;
    return true;
}

/* Checks that the length of a LocalVariableTable or LocalVariableTypeTable is right. */
static bool
check_local_table(struct parser *p, const struct attribute *a)
{
    struct reader body = a->body;

    return a->range.length == 2 + 10u * reader_u2(&body)
           || parser_fail(p, "%s has wrong length", a->name->bytes);
}

/* Reads a LocalVariableTable into p->locals. */
static bool
parse_locals(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;

    if (!check_local_table(p, a))
        return false;
    for (unsigned n = reader_u2(&a->body); n > 0; n--) {
        struct cf_local row = { 0 };

        if (!parse_local(p, m, a, false, &row)
            || !add_row(p, &p->locals, &row, sizeof row))
            return false;
    }
    return true;
}

/* LocalVariableTypeTable: saved, to be read when all locals are known. */
static bool
save_type_table(struct parser *p, void *owner, struct attribute *a)
{
    (void)owner;
    return check_local_table(p, a) && add_row(p, &p->type_tables, a, sizeof *a);
}

static const struct attribute_rules code_rules = {
    "Invalid code attribute name",
    "Code segment has wrong length",
    "",
    "",
    { REPEATED("LineNumberTable", 0, parse_line_table),
      REPEATED("LocalVariableTable", 0, parse_locals),
      REPEATED("LocalVariableTypeTable", VERSION_SIGNATURES, save_type_table),
      KEPT(cf_method, "StackMapTable", VERSION_STACK_MAPS, stack_map),
      { .name = NULL } }
};

/* Reads a Code attribute up to its attributes. */
static bool
parse_code_header(struct parser *p, struct cf_method *m, struct reader *r)
{
    m->has_code = true;
    m->max_stack = reader_u2(r);
    m->max_locals = reader_u2(r);
    m->code_length = reader_u4(r);
    if (r->bad)
        return parser_truncated(p);
    if (m->arg_slots > m->max_locals)
        return parser_fail(p, "Arguments can't fit into locals");
    if (m->code_length == 0 || m->code_length > MAX_CODE_LENGTH)
        return parser_fail(p, "Invalid method Code length %u", m->code_length);
    m->code = reader_bytes(r, m->code_length);
    if (!m->code)
        return parser_truncated(p);
    return parse_handlers(p, m, r);
}

/* Reads a Code attribute (JVMS 4.7.3).  The buffers of the parser may still have the
   tables of the method before.  The attribute must end where its last part does; a body
   that ran out of bytes is an overrun, too. */
static bool
parse_code(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;
    struct cf_local *locals;

    if ((m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)) != 0)
        return parser_fail(p, "Code attribute in native or abstract methods");
    buf_clear(&p->lines);
    buf_clear(&p->locals);
    buf_clear(&p->sorted);
    buf_clear(&p->type_tables);
    if (!parse_code_header(p, m, &a->body)
        || !attribute_table(p, &a->body, &code_rules, m))
        return false;
    if (a->body.bad || reader_left(&a->body) != 0)
        return attribute_fail_overrun(p, a, code_rules.overrun);
    m->line_count = (uint32_t)(p->lines.length / sizeof *m->lines);
    m->lines = copy_rows(p, &p->lines);
    m->local_count = (uint32_t)(p->locals.length / sizeof *m->locals);
    m->locals = locals = copy_rows(p, &p->locals);
    p->cf->has_locals |= m->local_count > 0;
    if (!m->lines || !locals)
        return false;
    return add_signatures(p, m, locals);
}

/* Reads Exceptions (JVMS 4.7.5): the classes that the method declares to throw. */
static bool
parse_exceptions(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;

    m->exception_count = reader_u2(&a->body);
    if (a->range.length != 2 + 2u * m->exception_count)
        return parser_fail(p, "Exceptions attribute has wrong length");
    m->exceptions = parse_classes(p, &a->body, m->exception_count,
                                  "Exception name has bad type at constant pool %u");
    return m->exceptions;
}

/* Reads MethodParameters (JVMS 4.7.24). */
static bool
parse_parameters(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;
    struct cf_parameter *rows;
    unsigned n = reader_u1(&a->body);

    if (a->range.length != 1 + 4 * n)
        return parser_refuse(p,
                             "Invalid MethodParameters method attribute length %u "
                             "in class file",
                             a->range.length);
    rows = parser_array(p, n, sizeof *rows);
    if (!rows)
        return false;
    /* The rows are not checked: reflection throws MalformedParametersException. */
    reader_u2s(&a->body, rows, n * sizeof *rows);
    m->has_parameters = true;
    m->parameters = rows;
    m->parameter_count = (uint8_t)n;
    return true;
}

const struct attribute_rules method_rules = {
    "Invalid method attribute name",
    "",
    "method",
    " for method",
    { PARSED("Code", 0, parse_code),
      PARSED("Exceptions", 0, parse_exceptions),
      PARSED("MethodParameters", 0, parse_parameters),
      FLAG(cf_method, "Synthetic", synthetic),
      FLAG(cf_method, "Deprecated", deprecated),
      SIGNATURE(cf_method, VERSION_SIGNATURES),
      ANNOTATIONS(cf_method),
      UNUSED_ONCE("RuntimeInvisibleParameterAnnotations"),
      KEPT(cf_method, "RuntimeVisibleParameterAnnotations", VERSION_SIGNATURES,
           parameter_annotations),
      KEPT(cf_method, "AnnotationDefault", VERSION_SIGNATURES, annotation_default),
      { .name = NULL } }
};
