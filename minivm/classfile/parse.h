/* SPDX-License-Identifier: MIT */
/* minivm/classfile/parse.h -- shared by the files of the class file parser. */

#ifndef MINIVM_CLASSFILE_PARSE_H
#define MINIVM_CLASSFILE_PARSE_H

#include "base/buf.h"
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
    VERSION_INTERFACE_CODE = 52,
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
    /* Of a method: struct cf_line, struct cf_local, pointers to the locals in order,
       and its LocalVariableTypeTables as struct attribute. */
    struct buf lines, locals, sorted, type_tables;
};

/* A message about the file, with HotSpot's ending "in class file NAME".  A file
   that ended too early is called truncated, whatever looked wrong first. */
bool parser_fail(struct parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with the message as it is, and any kind. */
bool parser_fail_as(struct parser *p, enum classfile_error_kind kind,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A ClassFormatError with the message as it is. */
#define parser_refuse(p, ...) parser_fail_as((p), CLASSFILE_FORMAT, __VA_ARGS__)
bool parser_no_memory(struct parser *p);
bool parser_truncated(struct parser *p);

/* Zeroed memory that the class file owns; NULL after parser_no_memory. */
void *parser_array(struct parser *p, size_t count, size_t size);

/* The same, filled with rows that parse makes out of r; NULL after a complaint. */
void *parser_rows(struct parser *p, struct reader *r, unsigned count, size_t size,
                  bool parse(struct parser *p, struct reader *r, void *row));

/* What two of the same things have in common; a is NULL for what equals nothing, b may
   be. */
struct key {
    const struct symbol *a, *b;
    uint64_t c;
};

/* No two of count things have the same key, or the file is trusted; the complaint may
   have places for the key's symbols. */
bool parser_unique(struct parser *p, unsigned count,
                   struct key key(const struct classfile *cf, unsigned i),
                   const char *complaint);

/* Where at stands in the file. */
uint32_t parser_offset(const struct parser *p, const uint8_t *at);

static inline bool
parser_is_tag(const struct parser *p, unsigned index, enum cf_tag tag)
{
    return cf_tag_at(p->cf, index) == tag;
}

/* That the constant at index has the tag; the complaint may have a place for the
   index. */
bool parser_require(struct parser *p, unsigned index, enum cf_tag tag,
                    const char *complaint);

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

/* An attribute inside another overruns it, or even the file. */
bool attribute_fail_overrun(struct parser *p, const struct attribute *a,
                            const char *message);

/* What becomes of an attribute of a class, field, method or record component; offsets
   are those of the struct that describes it, the owner. */
struct attribute_rule {
    const char *name;
    uint8_t since;                     /* the version that brought it */
    enum {
        ATTRIBUTE_PARSED,              /* by parse, once */
        ATTRIBUTE_REPEATED,            /* by parse, as often as it comes */
        ATTRIBUTE_KEPT,                /* contents to the cf_range at field, once */
        ATTRIBUTE_MARKED,              /* the same, and annotations to the marks */
        ATTRIBUTE_UNUSED,              /* not looked at, once */
        ATTRIBUTE_FLAG,                /* empty; the bool at field */
        ATTRIBUTE_SIGNATURE            /* the symbol at field, once */
    } kind;
    uint16_t field, second;
    bool (*parse)(struct parser *p, void *owner, struct attribute *a);
};

#define PARSED(name, since, parse) { name, since, ATTRIBUTE_PARSED, 0, 0, parse }
#define REPEATED(name, since, parse) { name, since, ATTRIBUTE_REPEATED, 0, 0, parse }
#define KEPT(owner, name, since, field) \
    { name, since, ATTRIBUTE_KEPT, offsetof(struct owner, field), 0, NULL }
#define UNUSED_ONCE(name) { name, VERSION_SIGNATURES, ATTRIBUTE_UNUSED, 0, 0, NULL }
#define ANNOTATIONS(owner) \
    { "RuntimeVisibleAnnotations", VERSION_SIGNATURES, ATTRIBUTE_MARKED, \
      offsetof(struct owner, annotations), offsetof(struct owner, marks), NULL }, \
    KEPT(owner, "RuntimeVisibleTypeAnnotations", VERSION_SIGNATURES, \
         type_annotations), \
    UNUSED_ONCE("RuntimeInvisibleAnnotations"), \
    UNUSED_ONCE("RuntimeInvisibleTypeAnnotations")
#define FLAG(owner, name, field) \
    { name, 0, ATTRIBUTE_FLAG, offsetof(struct owner, field), 0, NULL }
#define SIGNATURE(owner, since) \
    { "Signature", since, ATTRIBUTE_SIGNATURE, offsetof(struct owner, signature), 0, \
      NULL }

/* complaint is about a bad name, overrun about a length, what and where are parts of
   messages. */
struct attribute_rules {
    const char *complaint, *overrun, *what, *where;
    struct attribute_rule rows[];      /* the last has no name */
};

extern const struct attribute_rules field_rules, method_rules;

/* All attributes of owner, which r has reached. */
bool attribute_table(struct parser *p, struct reader *r,
                     const struct attribute_rules *rules, void *owner);

/* count indices of Class constants; NULL after complaint, which has a place for the
   index. */
const uint16_t *parse_classes(struct parser *p, struct reader *r, unsigned count,
                              const char *complaint);
/* The Utf8 whose index is next, in the same way. */
bool parse_utf8(struct parser *p, struct reader *r, const struct symbol **utf8,
                const char *complaint);
/* Refuses the descriptor of a field or method ("Field", "Method") of that name. */
bool illegal_signature(struct parser *p, const char *what, const struct symbol *name,
                       const struct symbol *descriptor);
/* The name of a field, local or method is legal, as is a field's descriptor. */
bool check_name(struct parser *p, const struct symbol *name, bool is_method);
bool check_field_type(struct parser *p, const struct symbol *name,
                      const struct symbol *descriptor);

bool parse_pool(struct parser *p);
bool parse_class_attributes(struct parser *p);

/* These also take away what means nothing; known are the flags that do. */
bool check_class_flags(struct parser *p, uint16_t *flags, unsigned known);

#endif
