/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/parse.h -- what the files of the class file parser share (JVMS 4).
 *
 * Only minivm/classfile includes this header; the rest of the VM uses classfile.h.  The
 * parser goes through the file once, from front to end:
 *
 *   classfile.c         the outline of the file, its fields and methods, and the errors
 *   pool.c              the constant pool
 *   access_flags.c      which flags are legal together
 *   attributes.c        how attributes are read by tables of rules, and those of fields
 *   code.c              the attributes of methods and of Code
 *   class_attributes.c  the attributes of classes
 *   annotations.c       the annotations that mean something to the VM
 *
 * Names: parse_x reads x from the file and checks it; check_x judges what has been
 * read.  Both return false (or NULL) if the file is refused or memory runs out.  The
 * error has been stored by parser_fail or one of its variants by then, and the caller
 * only passes the false on.  Reading past the end of the file yields zeros and sets
 * reader.bad, so that it is enough to look at that once for each structure
 * (base/bytes.h).
 *
 * Which checks there are, in which order they are made, and the messages follow
 * HotSpot, so that both VMs refuse a file for the same reason.
 *
 * The parser runs on one thread; it blocks nowhere, calls no Java and does not collect.
 */

#ifndef MINIVM_CLASSFILE_PARSE_H
#define MINIVM_CLASSFILE_PARSE_H

#include "base/buf.h"
#include "base/bytes.h"
#include "classfile/classfile.h"

/* The class file versions that introduced something (JVMS tables 4.4-B and 4.7-C). */
enum {
    /* The oldest version there is. */
    VERSION_OLDEST = 45,
    /* ACC_STRICT has a meaning from here to 60. */
    VERSION_STRICT = 46,
    /* Modified UTF-8 must be in its shortest form. */
    VERSION_SHORTEST_UTF8 = 48,
    /* Signatures; annotations, enums and methods with varargs too. */
    VERSION_SIGNATURES = 49,
    VERSION_STACK_MAPS = 50,
    /* Method handles and invokedynamic. */
    VERSION_METHOD_HANDLES = 51,
    /* Methods of interfaces may have code. */
    VERSION_INTERFACE_CODE = 52,
    VERSION_MODULES = 53,
    /* Nest mates; CONSTANT_Dynamic too. */
    VERSION_NESTS = 55,
    /* The minor version tells whether preview features are used. */
    VERSION_PREVIEW = 56,
    VERSION_RECORDS = 60,
    VERSION_SEALED = 61
};

/* The state of one parse. */
struct parser {
    /* The whole file; it moves forward as the file is read. */
    struct reader in;
    struct classfile *cf;
    const struct classfile_options *opts;
    struct classfile_error *err;
    /* The class, as messages name it. */
    const char *class_name;
    /* cf->tags and cf->consts, while they may still be written. */
    uint8_t *tags;
    union cf_const *consts;
    /* CF_MODULE or CF_PACKAGE if such a constant has been met, else 0. */
    unsigned bad_constant;
    bool is_interface;
    /* The highest index into BootstrapMethods that a constant uses, or -1. */
    int max_bootstrap;

    /* Tables of the method that is being parsed, which may consist of several
       attributes: struct cf_line, struct cf_local, pointers to the locals in sorted
       order, and its LocalVariableTypeTables as struct attribute.  See code.c. */
    struct buf lines, locals, sorted, type_tables;
};

/* ---- errors ---- */

/*
 * Store a ClassFormatError, followed by HotSpot's " in class file NAME".  If the file
 * has ended too early, the message says so instead, because what has been read since is
 * zero.  Returns false, like all functions of this kind.
 */
bool parser_fail(struct parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Store an error of any kind, with the message as it is. */
bool parser_fail_as(struct parser *p, enum classfile_error_kind kind,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Store a ClassFormatError with the message as it is. */
#define parser_refuse(p, ...) parser_fail_as((p), CLASSFILE_FORMAT, __VA_ARGS__)

bool parser_no_memory(struct parser *p);
bool parser_truncated(struct parser *p);

/* Refuse the descriptor of a field or method of that name; `what` is "Field" or
   "Method". */
bool parser_fail_signature(struct parser *p, const char *what,
                           const struct symbol *name, const struct symbol *descriptor);

/* ---- reading ---- */

/* Zeroed memory for count things of that size, owned by the class file.  Returns NULL
   after parser_no_memory. */
void *parser_array(struct parser *p, size_t count, size_t size);

/* An array of count rows of that size, each filled by `parse` from r.  Returns NULL if
   memory runs out or `parse` refuses a row. */
void *parser_rows(struct parser *p, struct reader *r, unsigned count, size_t size,
                  bool parse(struct parser *p, struct reader *r, void *row));

/* Read count indices of Class constants.  Returns NULL if one is not, with `message`,
   whose %u becomes the index. */
const uint16_t *parse_classes(struct parser *p, struct reader *r, unsigned count,
                              const char *message);

/* Read the index of a Utf8 constant and set *utf8 to it.  Fails with `message`, whose
   %u becomes the index. */
bool parse_utf8(struct parser *p, struct reader *r, const struct symbol **utf8,
                const char *message);

/* The offset in the file of an address in cf->bytes. */
uint32_t parser_offset(const struct parser *p, const uint8_t *at);

/* ---- checks ---- */

/* What identifies an element of a list.  a is NULL if an element is equal to no
   other. */
struct key {
    const struct symbol *a, *b;
    uint64_t c;
};

/* Check that no two of the elements 0 to count - 1 have equal keys; trusted files are
   not checked.  Up to two %s in `message` become the symbols of the key. */
bool parser_unique(struct parser *p, unsigned count,
                   struct key key(const struct classfile *cf, unsigned i),
                   const char *message);

/* Whether the constant at index, which may be out of range, has that tag. */
static inline bool
parser_is_tag(const struct parser *p, unsigned index, enum cf_tag tag)
{
    return cf_tag_at(p->cf, index) == tag;
}

/* Check that the constant at index has that tag; %u in `message` becomes the index. */
bool parser_require(struct parser *p, unsigned index, enum cf_tag tag,
                    const char *message);

/* Check the name of a method, or of a field or local (JVMS 4.2.2), unless the file is
   trusted. */
bool check_name(struct parser *p, const struct symbol *name, bool is_method);

/* Check the descriptor of the field or local of that name (JVMS 4.3.2). */
bool check_field_type(struct parser *p, const struct symbol *name,
                      const struct symbol *descriptor);

/* Clear the flags of a class that are not in `known` and check that the others are
   legal together (JVMS 4.1, 4.7.6). */
bool check_class_flags(struct parser *p, uint16_t *flags, unsigned known);

/* Check that the flags of a field are legal together (JVMS 4.5). */
bool check_field_flags(struct parser *p, unsigned flags);

/* Check that the flags of m, whose name is known, are legal together (JVMS 4.6).  Those
   of a class initializer are cleared where they mean nothing. */
bool check_method_flags(struct parser *p, struct cf_method *m);

/* ---- attributes ---- */

/* An attribute (JVMS 4.7). */
struct attribute {
    const struct symbol *name;
    /* Reads the contents. */
    struct reader body;
    /* Where the contents are; the length is what the file claims. */
    struct cf_range range;
    /*
     * The attribute claims more bytes than there are.  It is parsed all the same, and
     * refused afterwards: if its contents contradict the length too, then the message
     * about that says more.
     */
    bool overrun;
};

/* Refuse an attribute that is longer than what it stands in: as a truncated file if it
   goes beyond the end of the file, else with `message`. */
bool attribute_fail_overrun(struct parser *p, const struct attribute *a,
                            const char *message);

/*
 * What is done with an attribute of some name.  A table of rules (attribute_rules)
 * exists for each kind of structure that has attributes: class_rules, field_rules,
 * method_rules, code_rules and component_rules.  attribute_table goes through the
 * attributes in the file and applies the rule for each.  An attribute without a rule is
 * skipped (JVMS 4.7.1).
 *
 * The struct that describes what has the attributes is called the owner: a struct
 * classfile, cf_field, cf_method (for Code too) or cf_record_component.
 *
 * To add an attribute:
 *  - add a member for what it says to the owner's struct in classfile.h;
 *  - if it is kept as bytes, or is empty, add a row KEPT or FLAG to the table;
 *  - else write parse_x(p, owner, attribute), which reads attribute->body, checks that
 *    attribute->range.length is right and stores the result in the owner, and add a row
 *    PARSED, or REPEATED if JVMS 4.7 allows the attribute several times;
 *  - `since` is the class file version of JVMS table 4.7-C.  In older files the
 *    attribute is skipped.
 */
struct attribute_rule {
    const char *name;
    uint8_t since;
    enum {
        /* Call `parse`.  A second attribute of the name is an error. */
        ATTRIBUTE_PARSED,
        /* Call `parse` for each attribute of the name. */
        ATTRIBUTE_REPEATED,
        /* Store where the contents are in the struct cf_range at `field`; once. */
        ATTRIBUTE_KEPT,
        /* Store the range as ATTRIBUTE_KEPT, and set the bits of known annotations in
           the uint16_t at `second` if the file is privileged. */
        ATTRIBUTE_ANNOTATIONS,
        /* Do nothing, but a second attribute of the name is an error. */
        ATTRIBUTE_UNUSED,
        /* Set the bool at `field`; the attribute must be empty. */
        ATTRIBUTE_FLAG,
        /* Set the symbol at `field` to the signature; once. */
        ATTRIBUTE_SIGNATURE
    } kind;
    /* Offsets of members in the owner. */
    uint16_t field, second;
    bool (*parse)(struct parser *p, void *owner, struct attribute *a);
};

/* The rows of the tables, by kind.  `owner` is the name of the owner's struct. */
/* clang-format off */
#define PARSED(name, since, parse) { name, since, ATTRIBUTE_PARSED, 0, 0, parse }
#define REPEATED(name, since, parse) { name, since, ATTRIBUTE_REPEATED, 0, 0, parse }
#define KEPT(owner, name, since, field) \
    { name, since, ATTRIBUTE_KEPT, offsetof(struct owner, field), 0, NULL }
#define UNUSED_ONCE(name) { name, VERSION_SIGNATURES, ATTRIBUTE_UNUSED, 0, 0, NULL }
#define FLAG(owner, name, field) \
    { name, 0, ATTRIBUTE_FLAG, offsetof(struct owner, field), 0, NULL }
#define SIGNATURE(owner, since) \
    { "Signature", since, ATTRIBUTE_SIGNATURE, offsetof(struct owner, signature), 0, \
      NULL }
/* The four attributes of annotations that classes, fields and methods have in
   common. */
#define ANNOTATIONS(owner) \
    { "RuntimeVisibleAnnotations", VERSION_SIGNATURES, ATTRIBUTE_ANNOTATIONS, \
      offsetof(struct owner, annotations), offsetof(struct owner, vm_annotations), \
      NULL }, \
    KEPT(owner, "RuntimeVisibleTypeAnnotations", VERSION_SIGNATURES, \
         type_annotations), \
    UNUSED_ONCE("RuntimeInvisibleAnnotations"), \
    UNUSED_ONCE("RuntimeInvisibleTypeAnnotations")
/* clang-format on */

/* A table of rules. */
struct attribute_rules {
    /* The error for a name that is no Utf8; " index N" is added. */
    const char *bad_name;
    /* The error for an attribute that is longer than what it stands in. */
    const char *overrun;
    /* What the owner is called in messages: "field", and " for field". */
    const char *what, *where;
    /* The last row has no name. */
    struct attribute_rule rows[];
};

extern const struct attribute_rules field_rules, method_rules;

/* Read all attributes of the owner from r, which has come to their number, and apply
   the rules to them. */
bool attribute_table(struct parser *p, struct reader *r,
                     const struct attribute_rules *rules, void *owner);

/* The bits of enum cf_vm_annotation for the contents of a RuntimeVisibleAnnotations
   attribute; 0 if it is malformed, which is no error (JVMS 4.7.16). */
uint16_t parse_vm_annotations(const struct classfile *cf, struct reader body);

/* ---- parts of the file ---- */

/* Read and check the constant pool (JVMS 4.4). */
bool parse_pool(struct parser *p);

/* Read and check the attributes of the class. */
bool parse_class_attributes(struct parser *p);

#endif
