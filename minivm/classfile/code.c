/* SPDX-License-Identifier: MIT */
/* minivm/classfile/code.c -- attributes of methods (JVMS 4.7.3 and others). */

#include <stdlib.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/parse.h"

enum { MAX_CODE_LENGTH = 65535 };

/*
 * The tables of a Code attribute may be split over several attributes.  The first
 * pass over them counts rows and checks lengths, the second fills the arrays, the
 * third gives the locals their generic types.
 */
struct code_parser {
    struct cf_method *m;
    enum { COUNT, FILL, JOIN } pass;
    struct cf_line *lines;
    struct cf_local *locals, **sorted;
    uint32_t line_count, local_count;  /* filled so far */
};

static bool
parse_handlers(struct parser *p, struct cf_method *m, struct reader *r)
{
    uint16_t n = reader_u2(r);
    struct cf_handler *rows;

    if (r->bad || reader_left(r) < 8u * n)
        return parser_truncated(p);
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
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

static bool
visit_line_table(struct parser *p, struct code_parser *c, struct attribute *a)
{
    unsigned n = reader_u2(&a->body);

    c->m->has_line_table = true;
    if (a->range.length != 2 + 4 * n)
        return parser_fail(p, "LineNumberTable attribute has wrong length");
    if (c->pass == COUNT)
        c->m->line_count += n;
    for (; n > 0 && c->pass == FILL; n--) {
        struct cf_line *row = &c->lines[c->line_count++];

        reader_u2s(&a->body, row, sizeof *row);
        if (row->start_pc >= c->m->code_length)
            return parser_fail(p, "Invalid pc in LineNumberTable");
    }
    return true;
}

/* A row of LocalVariableTable or, typed, of LocalVariableTypeTable, whose last
   column is a signature that nobody checks. */
static bool
parse_local(struct parser *p, struct code_parser *c, struct attribute *a, bool typed,
            struct cf_local *row)
{
    unsigned name, type, slot;
    const char *table = a->name->bytes;
    const struct symbol *text;

    row->start_pc = reader_u2(&a->body);
    row->length = reader_u2(&a->body);
    name = reader_u2(&a->body);
    type = reader_u2(&a->body);
    slot = row->slot = reader_u2(&a->body);
    if (row->start_pc >= c->m->code_length)
        return parser_fail(p, "Invalid start_pc %u in %s", row->start_pc, table);
    if ((uint32_t)row->start_pc + row->length > c->m->code_length)
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
    if (slot >= c->m->max_locals)
        return parser_fail(p, "Invalid index %u in %s", row->slot, table);
    return true;
}

/* Where and in which slot the local is, in one number. */
static uint64_t
local_place(const struct cf_local *l)
{
    return (uint64_t)l->start_pc << 32 | (uint64_t)l->length << 16 | l->slot;
}

static int
compare_locals(const void *left, const void *right)
{
    const struct cf_local *a = *(struct cf_local *const *)left;
    const struct cf_local *b = *(struct cf_local *const *)right;
    uint64_t x = local_place(a), y = local_place(b);

    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return (x > y) - (x < y);
}

static bool
duplicate_local(struct parser *p, const char *table, const struct cf_local *row)
{
    return parser_fail(p, "Duplicated %s attribute entry for '%s'", table,
                       row->name->bytes);
}

/* Give a row of the type table to the row of locals that it belongs to. */
static bool
join_type(struct parser *p, struct code_parser *c, struct attribute *a)
{
    struct cf_local row = { 0 }, **found;
    const struct cf_local *key = &row;

    if (!parse_local(p, c, a, true, &row))
        return false;
    found = bsearch(&key, c->sorted, c->local_count, sizeof key, compare_locals);
    if (found == NULL)
        return p->opts->relaxed ||
               parser_refuse(p, "LVTT entry for '%s' in class file %s does not match "
                             "any LVT entry", row.name->bytes, p->class_name);
    if ((*found)->signature != NULL && !p->opts->relaxed)
        return duplicate_local(p, "LocalVariableTypeTable", &row);
    (*found)->signature = row.signature;
    return true;
}

/* LocalVariableTable or, typed, LocalVariableTypeTable. */
static bool
visit_locals(struct parser *p, struct code_parser *c, struct attribute *a, bool typed)
{
    unsigned n = reader_u2(&a->body);

    if (a->range.length != 2 + 10 * n)
        return parser_fail(p, "%s has wrong length", a->name->bytes);
    c->m->has_local_table |= !typed;
    if (c->pass == COUNT && !typed)
        c->m->local_count += n;
    for (; n > 0 && c->pass == (typed ? JOIN : FILL); n--)
        if (typed ? !join_type(p, c, a)
                  : !parse_local(p, c, a, false, &c->locals[c->local_count++]))
            return false;
    return true;
}

static bool
visit_table(struct parser *p, struct code_parser *c, struct attribute *a)
{
    if (attribute_is(p, a, "LineNumberTable", 0))
        return visit_line_table(p, c, a);
    if (attribute_is(p, a, "LocalVariableTable", 0))
        return visit_locals(p, c, a, false);
    if (attribute_is(p, a, "LocalVariableTypeTable", VERSION_SIGNATURES))
        return visit_locals(p, c, a, true);
    if (c->pass == COUNT && attribute_is(p, a, "StackMapTable", VERSION_STACK_MAPS)) {
        if (c->m->stack_map.offset != 0)
            return parser_fail(p, "Multiple StackMapTable attributes");
        c->m->stack_map = a->range;
    }
    return true;
}

static bool
visit_tables(struct parser *p, struct code_parser *c, struct reader *r)
{
    struct attribute a;

    for (unsigned n = reader_u2(r); n > 0; n--)
        if (!attribute_next(p, r, "Invalid code attribute name", &a) ||
            !visit_table(p, c, &a))
            return false;
        else if (a.overrun)
            return attribute_fail_overrun(p, &a, "Code segment has wrong length");
    return true;
}

static bool
finish_locals(struct parser *p, struct code_parser *c, struct reader *tables)
{
    bool ok = true;

    c->sorted = mem_try_calloc(c->local_count, sizeof *c->sorted);
    if (c->sorted == NULL)
        return parser_no_memory(p);
    for (uint32_t i = 0; i < c->local_count; i++)
        c->sorted[i] = &c->locals[i];
    qsort(c->sorted, c->local_count, sizeof *c->sorted, compare_locals);
    for (uint32_t i = 1; i < c->local_count && !p->opts->relaxed && ok; i++)
        if (compare_locals(&c->sorted[i - 1], &c->sorted[i]) == 0)
            ok = duplicate_local(p, "LocalVariableTable", c->sorted[i]);
    c->pass = JOIN;
    ok = ok && visit_tables(p, c, tables);
    mem_free(c->sorted);
    return ok;
}

static bool
parse_code_head(struct parser *p, struct cf_method *m, struct reader *r)
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
    if (m->code == NULL)
        return parser_truncated(p);
    return parse_handlers(p, m, r);
}

static bool
parse_code(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;
    struct code_parser c = { .m = m };
    struct reader *r = &a->body, tables, again;

    if (m->has_code)
        return parser_fail(p, "Multiple Code attributes");
    if ((m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)) != 0)
        return parser_fail(p, "Code attribute in native or abstract methods");
    if (!parse_code_head(p, m, r))
        return false;

    tables = again = *r;
    if (!visit_tables(p, &c, r))
        return false;
    if (r->bad || reader_left(r) != 0)
        return attribute_fail_overrun(p, a, "Code segment has wrong length");
    c.lines = parser_array(p, m->line_count, sizeof *c.lines);
    c.locals = parser_array(p, m->local_count, sizeof *c.locals);
    if (c.lines == NULL || c.locals == NULL)
        return false;
    c.pass = FILL;
    if (!visit_tables(p, &c, &tables))
        return false;
    /* Without a LocalVariableTable nobody looks at the types. */
    if (c.local_count > 0 && !finish_locals(p, &c, &again))
        return false;
    m->lines = c.lines;
    m->locals = c.locals;
    return true;
}

static bool
parse_exceptions(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;

    if (m->exceptions != NULL)
        return parser_fail(p, "Multiple Exceptions attributes");
    m->exception_count = reader_u2(&a->body);
    if (a->range.length != 2 + 2u * m->exception_count)
        return parser_fail(p, "Exceptions attribute has wrong length");
    m->exceptions = parse_classes(p, &a->body, m->exception_count,
                                  "Exception name has bad type at constant pool %u");
    return m->exceptions != NULL;
}

static bool
parse_parameters(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;
    struct cf_parameter *rows;
    unsigned n;

    if (m->has_parameters)
        return parser_fail(p, "Multiple MethodParameters attributes");
    n = reader_u1(&a->body);
    if (a->range.length != 1 + 4 * n)
        return parser_refuse(p, "Invalid MethodParameters method attribute length %u "
                             "in class file", a->range.length);
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
        return false;
    /* Reflection judges the rows: MalformedParametersException. */
    reader_u2s(&a->body, rows, n * sizeof *rows);
    m->has_parameters = true;
    m->parameters = rows;
    m->parameter_count = (uint8_t)n;
    return true;
}

static const struct attribute_rules method_rules = {
    "Invalid method attribute name", "method", " for method",
    { PARSED("Code", 0, parse_code),
      PARSED("Exceptions", 0, parse_exceptions),
      PARSED("MethodParameters", VERSION_INTERFACE_CODE, parse_parameters),
      FLAG(cf_method, "Synthetic", synthetic),
      FLAG(cf_method, "Deprecated", deprecated),
      SIGNATURE(cf_method, VERSION_SIGNATURES),
      MARKED(cf_method),
      KEPT(cf_method, "RuntimeVisibleParameterAnnotations", VERSION_SIGNATURES,
           parameter_annotations),
      KEPT(cf_method, "AnnotationDefault", VERSION_SIGNATURES, annotation_default),
      KEPT(cf_method, "RuntimeVisibleTypeAnnotations", VERSION_INTERFACE_CODE,
           type_annotations),
      { .name = NULL } }
};

bool
parse_method_attributes(struct parser *p, struct cf_method *m)
{
    if (!attribute_table(p, &method_rules, m, &m->attributes))
        return false;
    if (!m->has_code && !(m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)))
        return parser_fail(p, "Absent Code attribute in method that is not native or "
                           "abstract");
    return true;
}
