/* SPDX-License-Identifier: MIT */
/* minivm/classfile/parse.h -- shared by the files of the class file parser. */

#ifndef MINIVM_CLASSFILE_PARSE_H
#define MINIVM_CLASSFILE_PARSE_H

#include "base/bytes.h"
#include "classfile/classfile.h"

/* Class file versions that brought something (JVMS tables 4.4-B, 4.7-C). */
enum {
    VERSION_STRICT = 46,               /* ACC_STRICT counts until 60 */
    VERSION_CLASS_FLOOR = 45,
    VERSION_SHORTEST_UTF8 = 48,
    VERSION_SIGNATURES = 49,           /* annotations, enums, varargs too */
    VERSION_STACK_MAPS = 50,
    VERSION_METHOD_HANDLES = 51,
    VERSION_INTERFACE_CODE = 52,       /* type annotations, MethodParameters too */
    VERSION_MODULES = 53,
    VERSION_NESTS = 55,                /* CONSTANT_Dynamic too */
    VERSION_PREVIEW = 56,
    VERSION_RECORDS = 60,
    VERSION_SEALED = 61
};

/*
 * The state of one parse.  Every function that checks answers false after
 * parser_fail, with *err filled; the caller only passes that on.
 */
struct parser {
    struct reader in;                  /* the whole file */
    struct classfile *cf;
    const struct classfile_options *opts;
    struct classfile_error *err;
    const char *class_name;            /* for messages */
    uint8_t *tags;                     /* cf->tags and consts, writable */
    union cf_const *consts;
    unsigned bad_constant;             /* a Module or Package tag seen, or 0 */
    bool is_interface;
    int max_bootstrap;                 /* highest index that a constant uses, or -1 */
};

/* A message about the file, with HotSpot's ending "in class file NAME".  A file
   that ended too early is called truncated, whatever looked wrong first. */
bool parser_fail(struct parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with the message as it is, and any kind. */
bool parser_fail_as(struct parser *p, enum classfile_error_kind kind,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));
bool parser_no_memory(struct parser *p);
bool parser_truncated(struct parser *p);
bool parser_fail_module(struct parser *p);

/* Zeroed memory that the class file owns; NULL after parser_no_memory. */
void *parser_array(struct parser *p, size_t count, size_t size);

/* A set of pairs, for the search of duplicates; room for count of them. */
struct pair_set {
    struct pair {
        const struct symbol *a;        /* NULL: empty */
        uint64_t b;
    } *slots;
    size_t mask;
};

bool pair_set_init(struct pair_set *set, size_t count);
void pair_set_release(struct pair_set *set);
/* False when the pair is there already. */
bool pair_set_add(struct pair_set *set, const struct symbol *a, uint64_t b);

/* Where at stands in the file. */
uint32_t parser_offset(const struct parser *p, const uint8_t *at);

static inline bool
parser_is_tag(const struct parser *p, unsigned index, enum cf_tag tag)
{
    return cf_tag_at(p->cf, index) == tag;
}

/*
 * An attribute: its name and a reader of its contents, the outer reader behind it.
 * With overrun it claims more than there is; it is looked at all the same, since a
 * length that its contents contradict is the better message, and refused then.
 */
struct attribute {
    const struct symbol *name;
    struct reader body;
    struct cf_range range;
    bool overrun;
};

/* complaint names the owner of an attribute whose name is bad. */
bool attribute_next(struct parser *p, struct reader *from, const char *complaint,
                    struct attribute *a);
/* An attribute inside another overruns it, or even the file. */
bool attribute_fail_overrun(struct parser *p, const struct attribute *a,
                            const char *message);
/* The attribute is name, and the class file is new enough to have it. */
bool attribute_is(const struct parser *p, const struct attribute *a, const char *name,
                  unsigned since);

/* Contents shared by several owners; where says which in messages. */
bool attribute_signature(struct parser *p, struct attribute *a, const char *where,
                         uint16_t *index, const struct symbol **signature);
bool attribute_once(struct parser *p, const struct attribute *a, const char *where,
                    struct cf_range *range);
bool attribute_empty(struct parser *p, const struct attribute *a, const char *where,
                     bool *seen);

/* Visit the attributes of owner, which p->in has reached; *range becomes the
   whole table. */
typedef bool attribute_visitor(struct parser *p, void *owner, struct attribute *a);
bool attribute_table(struct parser *p, void *owner, attribute_visitor *visit,
                     const char *complaint, struct cf_range *range);

bool parse_pool(struct parser *p);
bool parse_class_attributes(struct parser *p);
bool parse_field_attributes(struct parser *p, struct cf_field *f);
bool parse_method_attributes(struct parser *p, struct cf_method *m);

/* The marks that a RuntimeVisibleAnnotations attribute sets, 0 when it is
   malformed. */
uint16_t parse_marks(const struct classfile *cf, struct reader body);

bool check_class_flags(struct parser *p, unsigned flags);
bool check_field_flags(struct parser *p, unsigned flags);
bool check_method_flags(struct parser *p, struct cf_method *m);

#endif
