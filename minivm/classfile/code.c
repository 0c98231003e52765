/* SPDX-License-Identifier: MIT */
/* minivm/classfile/code.c -- attributes of methods (JVMS 4.7.3 and others). */

#include <stdlib.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "classfile/parse.h"

enum { MAX_CODE_LENGTH = 65535 };

/*
 * The tables of a Code attribute may be split over several attributes.  The first
 * pass over them counts rows and checks lengths, the second fills the arrays.
 */
struct code_parser {
    struct cf_method *m;
    bool filling;
    struct cf_line *lines;
    struct cf_local *locals;
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

        h->start_pc = reader_u2(r);
        h->end_pc = reader_u2(r);
        h->handler_pc = reader_u2(r);
        h->catch_type = reader_u2(r);
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
    if (!c->filling) {
        c->m->line_count += n;
        return true;
    }
    for (; n > 0; n--) {
        struct cf_line *row = &c->lines[c->line_count++];

        row->start_pc = reader_u2(&a->body);
        row->line = reader_u2(&a->body);
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
    unsigned name, type, slot, major = p->cf->major;
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
    if (!p->opts->relaxed && !name_is_field(row->name->bytes, row->name->length, major))
        return parser_fail_as(p, CLASSFILE_FORMAT,
                              "Illegal field name \"%s\" in class %s", row->name->bytes,
                              p->class_name);
    if (typed) {
        row->signature = text;
    } else {
        row->descriptor = text;
        if (!descriptor_is_field(text->bytes, text->length, major))
            return parser_fail_as(p, CLASSFILE_FORMAT, "Field \"%s\" in class %s has "
                                  "illegal signature \"%s\"", row->name->bytes,
                                  p->class_name, text->bytes);
        slot += text->bytes[0] == 'J' || text->bytes[0] == 'D';
    }
    if (slot >= c->m->max_locals)
        return parser_fail(p, "Invalid index %u in %s", row->slot, table);
    return true;
}

static bool
visit_local_table(struct parser *p, struct code_parser *c, struct attribute *a)
{
    unsigned n = reader_u2(&a->body);

    c->m->has_local_table = true;
    if (a->range.length != 2 + 10 * n)
        return parser_fail(p, "%s has wrong length", a->name->bytes);
    if (!c->filling) {
        c->m->local_count += n;
        return true;
    }
    for (; n > 0; n--)
        if (!parse_local(p, c, a, false, &c->locals[c->local_count++]))
            return false;
    return true;
}

static bool
is_same_local(const struct cf_local *a, const struct cf_local *b)
{
    return a->name == b->name && a->start_pc == b->start_pc &&
           a->length == b->length && a->slot == b->slot;
}

static int
compare_locals(const void *left, const void *right)
{
    const struct cf_local *a = *(struct cf_local *const *)left;
    const struct cf_local *b = *(struct cf_local *const *)right;

    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    if (a->start_pc != b->start_pc)
        return a->start_pc < b->start_pc ? -1 : 1;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static bool
duplicate_local(struct parser *p, const char *table, const struct cf_local *row)
{
    return parser_fail(p, "Duplicated %s attribute entry for '%s'", table,
                       row->name->bytes);
}

/* Give each row of the type table to the row of locals that it belongs to. */
static bool
join_types(struct parser *p, struct cf_local *const *sorted, uint32_t count,
           struct attribute *a, struct code_parser *c)
{
    for (unsigned n = reader_u2(&a->body); n > 0; n--) {
        struct cf_local row = { 0 };
        const struct cf_local *key = &row;
        struct cf_local *const *found;

        if (!parse_local(p, c, a, true, &row))
            return false;
        found = bsearch(&key, sorted, count, sizeof *sorted, compare_locals);
        if (found == NULL) {
            if (!p->opts->relaxed)
                return parser_fail_as(p, CLASSFILE_FORMAT,
                                      "LVTT entry for '%s' in class file %s does not "
                                      "match any LVT entry", row.name->bytes,
                                      p->class_name);
            continue;
        }
        if ((*found)->signature != NULL && !p->opts->relaxed)
            return duplicate_local(p, "LocalVariableTypeTable", &row);
        (*found)->signature = row.signature;
    }
    return true;
}

/* The locals in the order of compare_locals, for mem_free; NULL when there is no
   memory. */
static struct cf_local **
sort_locals(struct code_parser *c)
{
    struct cf_local **sorted = mem_try_calloc(c->local_count, sizeof *sorted);

    if (sorted == NULL)
        return NULL;
    for (uint32_t i = 0; i < c->local_count; i++)
        sorted[i] = &c->locals[i];
    qsort(sorted, c->local_count, sizeof *sorted, compare_locals);
    return sorted;
}

static bool
visit_line_or_local(struct parser *p, struct code_parser *c, struct attribute *a)
{
    if (attribute_is(p, a, "LineNumberTable", 0))
        return visit_line_table(p, c, a);
    if (attribute_is(p, a, "LocalVariableTable", 0))
        return visit_local_table(p, c, a);
    if (c->filling)
        return true;
    if (attribute_is(p, a, "LocalVariableTypeTable", VERSION_SIGNATURES)) {
        unsigned n = reader_u2(&a->body);

        return a->range.length == 2 + 10 * n ||
               parser_fail(p, "%s has wrong length", a->name->bytes);
    }
    if (attribute_is(p, a, "StackMapTable", VERSION_STACK_MAPS)) {
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
            !visit_line_or_local(p, c, &a))
            return false;
        else if (a.overrun)
            return attribute_fail_overrun(p, &a, "Code segment has wrong length");
    return true;
}

static bool
join_type_tables(struct parser *p, struct code_parser *c, struct reader *r,
                 struct cf_local *const *sorted)
{
    struct attribute a;

    for (unsigned n = reader_u2(r); n > 0; n--) {
        if (!attribute_next(p, r, "Invalid code attribute name", &a))
            return false;
        if (attribute_is(p, &a, "LocalVariableTypeTable", VERSION_SIGNATURES) &&
            !join_types(p, sorted, c->local_count, &a, c))
            return false;
    }
    return true;
}

static bool
finish_locals(struct parser *p, struct code_parser *c, struct reader *tables)
{
    struct cf_local **sorted = sort_locals(c);
    bool ok = true;

    if (sorted == NULL)
        return parser_no_memory(p);
    for (uint32_t i = 1; i < c->local_count && !p->opts->relaxed && ok; i++)
        if (is_same_local(sorted[i - 1], sorted[i]))
            ok = duplicate_local(p, "LocalVariableTable", sorted[i]);
    ok = ok && join_type_tables(p, c, tables, sorted);
    mem_free(sorted);
    return ok;
}

/* Facts that the interpreter asks before it looks at the code. */
static void
scan_code(struct cf_method *m)
{
    struct instruction in;

    for (uint32_t bci = 0; bci < m->code_length; bci += in.length) {
        if (!opcode_decode(m->code, m->code_length, bci, &in))
            return;
        switch (opcode_table[in.opcode].flow) {
        case FLOW_JSR:
        case FLOW_RET:
            m->has_jsr = true;
            break;
        case FLOW_BRANCH:
        case FLOW_GOTO:
            m->backward_branches |= in.operand <= (int32_t)bci;
            break;
        case FLOW_SWITCH:
            m->backward_branches |= in.default_target <= (int32_t)bci;
            for (uint32_t i = 0; i < in.case_count; i++)
                m->backward_branches |= opcode_case_target(&in, i) <= (int32_t)bci;
            break;
        default:
            break;
        }
    }
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
parse_code(struct parser *p, struct cf_method *m, struct attribute *a)
{
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
    c.filling = true;
    if (!visit_tables(p, &c, &tables))
        return false;
    /* Without a LocalVariableTable nobody looks at the types. */
    if (c.local_count > 0 && !finish_locals(p, &c, &again))
        return false;
    m->lines = c.lines;
    m->locals = c.locals;
    scan_code(m);
    return true;
}

static bool
parse_exceptions(struct parser *p, struct cf_method *m, struct attribute *a)
{
    uint16_t n, *indices;

    if (m->exceptions != NULL)
        return parser_fail(p, "Multiple Exceptions attributes");
    n = reader_u2(&a->body);
    if (a->range.length != 2 + 2u * n)
        return parser_fail(p, "Exceptions attribute has wrong length");
    indices = parser_array(p, n, sizeof *indices);
    if (indices == NULL)
        return false;
    for (unsigned i = 0; i < n; i++) {
        indices[i] = reader_u2(&a->body);
        if (!parser_is_tag(p, indices[i], CF_CLASS))
            return parser_fail(p, "Exception name has bad type at constant pool %u",
                               indices[i]);
    }
    m->exceptions = indices;
    m->exception_count = n;
    return true;
}

static bool
parse_parameters(struct parser *p, struct cf_method *m, struct attribute *a)
{
    struct cf_parameter *rows;
    unsigned n;

    if (m->has_parameters)
        return parser_fail(p, "Multiple MethodParameters attributes");
    n = reader_u1(&a->body);
    if (a->range.length != 1 + 4 * n)
        return parser_fail_as(p, CLASSFILE_FORMAT, "Invalid MethodParameters method "
                              "attribute length %u in class file", a->range.length);
    rows = parser_array(p, n, sizeof *rows);
    if (rows == NULL)
        return false;
    /* Reflection judges the rows: MalformedParametersException. */
    for (unsigned i = 0; i < n; i++) {
        rows[i].name_index = reader_u2(&a->body);
        rows[i].access_flags = reader_u2(&a->body);
    }
    m->has_parameters = true;
    m->parameters = rows;
    m->parameter_count = (uint8_t)n;
    return true;
}

static bool
visit_annotations(struct parser *p, struct cf_method *m, struct attribute *a)
{
    static const char where[] = " for method";

    if (attribute_is(p, a, "RuntimeVisibleAnnotations", VERSION_SIGNATURES)) {
        if (p->opts->privileged)
            m->marks |= parse_marks(p->cf, a->body);
        return attribute_once(p, a, where, &m->annotations);
    }
    if (attribute_is(p, a, "RuntimeVisibleParameterAnnotations", VERSION_SIGNATURES))
        return attribute_once(p, a, where, &m->parameter_annotations);
    if (attribute_is(p, a, "AnnotationDefault", VERSION_SIGNATURES))
        return attribute_once(p, a, where, &m->annotation_default);
    if (attribute_is(p, a, "RuntimeVisibleTypeAnnotations", VERSION_INTERFACE_CODE))
        return attribute_once(p, a, where, &m->type_annotations);
    return true;
}

static bool
visit_method_attribute(struct parser *p, void *owner, struct attribute *a)
{
    struct cf_method *m = owner;

    if (attribute_is(p, a, "Code", 0))
        return parse_code(p, m, a);
    if (attribute_is(p, a, "Exceptions", 0))
        return parse_exceptions(p, m, a);
    if (attribute_is(p, a, "MethodParameters", VERSION_INTERFACE_CODE))
        return parse_parameters(p, m, a);
    if (attribute_is(p, a, "Synthetic", 0))
        return attribute_empty(p, a, "method", &m->synthetic);
    if (attribute_is(p, a, "Deprecated", 0))
        return attribute_empty(p, a, "method", &m->deprecated);
    if (attribute_is(p, a, "Signature", VERSION_SIGNATURES))
        return attribute_signature(p, a, " for method", &m->signature_index,
                                   &m->signature);
    return visit_annotations(p, m, a);
}

bool
parse_method_attributes(struct parser *p, struct cf_method *m)
{
    if (!attribute_table(p, m, visit_method_attribute,
                         "Invalid method attribute name", &m->attributes))
        return false;
    if (!m->has_code && !(m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)))
        return parser_fail(p, "Absent Code attribute in method that is not native or "
                           "abstract");
    return true;
}
