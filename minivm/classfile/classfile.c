/* SPDX-License-Identifier: MIT */
/* minivm/classfile/classfile.c -- parsing class files (JVMS 4). */

#include "classfile/classfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/parse.h"

enum {
    MAGIC = 0xCAFEBABE,
    PREVIEW_MINOR = 65535,
    MAX_ARG_SLOTS = 255,
    /* The flags that each kind knows; others are ignored (JVMS 4.1, 4.5, 4.6). */
    CLASS_FLAGS = ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT |
                  ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM,
    FIELD_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL |
                  ACC_VOLATILE | ACC_TRANSIENT | ACC_SYNTHETIC | ACC_ENUM,
    METHOD_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL |
                   ACC_SYNCHRONIZED | ACC_BRIDGE | ACC_VARARGS | ACC_NATIVE |
                   ACC_ABSTRACT | ACC_STRICT | ACC_SYNTHETIC
};

bool
parser_fail_as(struct parser *p, enum classfile_error_kind kind, const char *format,
               ...)
{
    va_list args;

    p->err->kind = kind;
    va_start(args, format);
    vsnprintf(p->err->message, sizeof p->err->message, format, args);
    va_end(args);
    return false;
}

bool
parser_truncated(struct parser *p)
{
    return parser_refuse(p, "Truncated class file");
}

bool
parser_fail(struct parser *p, const char *format, ...)
{
    size_t size = sizeof p->err->message, used;
    va_list args;

    if (p->in.bad)
        return parser_truncated(p);
    p->err->kind = CLASSFILE_FORMAT;
    va_start(args, format);
    vsnprintf(p->err->message, size, format, args);
    va_end(args);
    used = strlen(p->err->message);
    snprintf(p->err->message + used, size - used, " in class file %s", p->class_name);
    return false;
}

bool
parser_no_memory(struct parser *p)
{
    return parser_fail_as(p, CLASSFILE_NO_MEMORY, "no memory for class file %s",
                          p->class_name);
}

void *
parser_array(struct parser *p, size_t count, size_t size)
{
    void *memory = arena_try_alloc(&p->cf->arena, count * size + (count == 0));

    if (memory == NULL)
        parser_no_memory(p);
    return memory;
}

void *
parser_rows(struct parser *p, struct reader *r, unsigned count, size_t size,
            bool parse(struct parser *p, struct reader *r, void *row))
{
    char *rows = parser_array(p, count, size);

    for (unsigned i = 0; rows != NULL && i < count; i++)
        if (!parse(p, r, rows + i * size))
            return NULL;
    return rows;
}

uint32_t
parser_offset(const struct parser *p, const uint8_t *at)
{
    return (uint32_t)(at - p->cf->bytes);
}

/* ---- legal access flags (JVMS 4.1, 4.5, 4.6) ---- */

static bool
any(unsigned flags, unsigned of)
{
    return (flags & of) != 0;
}

/* Whether more than one of public, private and protected is set. */
static bool
is_torn(unsigned flags)
{
    unsigned access = flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED);

    return (access & (access - 1)) != 0;
}

bool
check_class_flags(struct parser *p, uint16_t *flags, unsigned known)
{
    unsigned given = *flags & known, major = p->cf->major;
    bool modern = major >= VERSION_SIGNATURES, interface = any(given, ACC_INTERFACE);

    if (any(*flags, ACC_MODULE) && major >= VERSION_MODULES)
        return parser_fail_as(p, CLASSFILE_WRONG_NAME, "%s is not a class because "
                              "access_flag ACC_MODULE is set", p->class_name);
    if (interface && major < VERSION_STACK_MAPS)
        given |= ACC_ABSTRACT;
    *flags = (uint16_t)given;
    if (p->opts->relaxed)
        return true;
    if ((given & (ACC_ABSTRACT | ACC_FINAL)) == (ACC_ABSTRACT | ACC_FINAL) ||
        (interface && !any(given, ACC_ABSTRACT)) ||
        (interface && modern && any(given, ACC_SUPER | ACC_ENUM)) ||
        (!interface && modern && any(given, ACC_ANNOTATION)))
        return parser_refuse(p, "Illegal class modifiers in class %s: 0x%X",
                             p->class_name, given);
    return true;
}

static bool
check_field_flags(struct parser *p, unsigned flags)
{
    const unsigned constant = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
    unsigned others = ACC_PRIVATE | ACC_PROTECTED | ACC_VOLATILE | ACC_TRANSIENT;
    bool legal;

    if (p->opts->relaxed || p->in.bad)
        return true;
    if (p->is_interface) {
        if (p->cf->major >= VERSION_SIGNATURES)
            others |= ACC_ENUM;
        legal = (flags & constant) == constant && !any(flags, others);
    } else {
        legal = !is_torn(flags) && (flags & (ACC_FINAL | ACC_VOLATILE)) !=
                                       (ACC_FINAL | ACC_VOLATILE);
    }
    return legal || parser_refuse(p, "Illegal field modifiers in class %s: 0x%X",
                                  p->class_name, flags);
}

/* ACC_STRICT means something in versions 46 to 60 only. */
static bool
is_strict(const struct parser *p, unsigned flags)
{
    return any(flags, ACC_STRICT) && p->cf->major >= VERSION_STRICT &&
           p->cf->major <= VERSION_RECORDS;
}

static bool
is_legal_interface_method(const struct parser *p, unsigned flags)
{
    unsigned major = p->cf->major;
    bool abstract = any(flags, ACC_ABSTRACT);

    if (major >= VERSION_INTERFACE_CODE)
        return any(flags, ACC_PUBLIC) != any(flags, ACC_PRIVATE) &&
               !any(flags, ACC_NATIVE | ACC_PROTECTED | ACC_FINAL | ACC_SYNCHRONIZED) &&
               !(abstract && (any(flags, ACC_PRIVATE | ACC_STATIC) ||
                              is_strict(p, flags)));
    if (!any(flags, ACC_PUBLIC) || !abstract ||
        any(flags, ACC_STATIC | ACC_FINAL | ACC_NATIVE))
        return false;
    return major < VERSION_SIGNATURES ||
           !any(flags, ACC_PRIVATE | ACC_PROTECTED | ACC_SYNCHRONIZED | ACC_STRICT);
}

static bool
is_legal_class_method(const struct parser *p, unsigned flags, bool initializer)
{
    bool modern = p->cf->major >= VERSION_SIGNATURES;

    if (is_torn(flags))
        return false;
    if (initializer)
        return !any(flags, ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE |
                               ACC_ABSTRACT) &&
               !(modern && any(flags, ACC_BRIDGE));
    if (!any(flags, ACC_ABSTRACT))
        return true;
    return !any(flags, ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC) &&
           !(modern && (any(flags, ACC_SYNCHRONIZED) || is_strict(p, flags)));
}

/* A class initializer has only the flags that mean something there; it must say
   that it is static since version 51 (JVMS 4.6). */
static bool
settle_clinit_flags(struct parser *p, struct cf_method *m)
{
    unsigned flags = m->access_flags;

    if (p->cf->major < VERSION_METHOD_HANDLES)
        flags = ACC_STATIC;
    else if (any(flags, ACC_STATIC))
        flags &= ACC_STATIC | (p->cf->major <= VERSION_RECORDS ? ACC_STRICT : 0);
    else
        return parser_fail(p, "Method <clinit> is not static");
    m->access_flags = (uint16_t)flags;
    return true;
}

static bool
check_method_flags(struct parser *p, struct cf_method *m)
{
    unsigned flags = m->access_flags;
    bool legal;

    if (symbol_equals(m->name, "<clinit>"))
        return settle_clinit_flags(p, m);
    if (p->opts->relaxed)
        return true;
    legal = p->is_interface
                ? is_legal_interface_method(p, flags)
                : is_legal_class_method(p, flags, symbol_equals(m->name, "<init>"));
    return legal || parser_refuse(p, "Method %s in class %s has illegal modifiers: "
                                  "0x%X", m->name->bytes, p->class_name, flags);
}

/* ---- the parts of the file ---- */

static bool
check_version(struct parser *p)
{
    unsigned major = p->cf->major, minor = p->cf->minor, max = p->opts->max_major;
    const char *name = p->class_name;

    if (major < VERSION_CLASS_FLOOR)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with an "
                              "invalid major version", name, major, minor);
    if (major > max)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s has been compiled by a more recent version of the "
                              "Java Runtime (class file version %u.%u), this version "
                              "of the Java Runtime only recognizes class file versions "
                              "up to %u.0", name, major, minor, max);
    if (major < VERSION_PREVIEW || minor == 0)
        return true;
    if (minor != PREVIEW_MINOR)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with an "
                              "invalid non-zero minor version", name, major, minor);
    if (major != max)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with preview "
                              "features that are unsupported. This version of the Java "
                              "Runtime only recognizes preview features for class file "
                              "version %u.%u", name, major, minor, max, PREVIEW_MINOR);
    if (!p->opts->preview)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "Preview features are not enabled for %s (class file "
                              "version %u.%u). Try running with '--enable-preview'",
                              name, major, minor);
    return true;
}

static bool
parse_head(struct parser *p)
{
    uint32_t magic = reader_u4(&p->in);

    p->cf->minor = reader_u2(&p->in);
    p->cf->major = reader_u2(&p->in);
    if (p->in.bad)
        return parser_truncated(p);
    if (magic != MAGIC)
        return parser_fail(p, "Incompatible magic value %u", magic);
    return check_version(p);
}

static bool
parse_access(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->access_flags = reader_u2(&p->in);
    if (p->in.bad)
        return parser_truncated(p);
    if (!check_class_flags(p, &cf->access_flags, CLASS_FLAGS))
        return false;
    p->is_interface = (cf->access_flags & ACC_INTERFACE) != 0;
    /* ACC_MODULE has been reported first. */
    return p->bad_constant == 0 ||
           parser_fail(p, "Unknown constant tag %u", p->bad_constant);
}

static bool
parse_names(struct parser *p)
{
    struct classfile *cf = p->cf;
    const struct symbol *name;
    unsigned super;

    cf->this_index = reader_u2(&p->in);
    super = reader_u2(&p->in);
    if (!parser_require(p, cf->this_index, CF_CLASS,
                        "Invalid this class index %u in constant pool"))
        return false;
    name = cf_utf8(cf, p->consts[cf->this_index].ref.a);
    cf->this_class = p->opts->hidden_name != NULL ? p->opts->hidden_name : name;
    if (p->opts->expected_name != NULL && name != p->opts->expected_name)
        return parser_fail_as(p, CLASSFILE_WRONG_NAME, "%s (wrong name: %s)",
                              p->opts->expected_name->bytes, name->bytes);
    p->class_name = name->bytes;
    if (name->length == 0 || name->bytes[0] == '[')
        return parser_fail(p, "Bad class name");

    if (super == 0 && symbol_equals(name, "java/lang/Object"))
        return true;
    if (!parser_require(p, super, CF_CLASS, "Invalid superclass index %u"))
        return false;
    cf->super_class = cf_name(cf, super);
    if (cf->super_class->length == 0 || cf->super_class->bytes[0] == '[')
        return parser_fail(p, "Bad superclass name");
    if (p->is_interface && !symbol_equals(cf->super_class, "java/lang/Object"))
        return parser_fail(p, "Interfaces must have java.lang.Object as superclass");
    return true;
}

bool
parser_unique(struct parser *p, unsigned count,
              struct key key(const struct classfile *cf, unsigned i),
              const char *complaint)
{
    bool unique = true;
    size_t size = 8;
    struct key *set;

    if (p->opts->relaxed || count < 2)
        return true;
    while (size < count * 2)
        size *= 2;
    set = mem_try_calloc(size, sizeof *set);
    if (set == NULL)
        return parser_no_memory(p);
    for (unsigned i = 0; i < count && unique; i++) {
        struct key k = key(p->cf, i);
        size_t at;

        if (k.a == NULL)
            continue;
        at = (k.a->hash * 31u + ((uintptr_t)k.b ^ k.c) / 8 * 0x9e3779b1u) & (size - 1);
        while (set[at].a != NULL
               && (set[at].a != k.a || set[at].b != k.b || set[at].c != k.c))
            at = (at + 1) & (size - 1);
        if (set[at].a != NULL)
            unique = parser_fail(p, complaint, k.a->bytes, k.b ? k.b->bytes : "");
        set[at] = k;
    }
    mem_free(set);
    return unique;
}

static struct key
interface_key(const struct classfile *cf, unsigned i)
{
    return (struct key){ cf_name(cf, cf->interfaces[i]), NULL, 0 };
}

static struct key
field_key(const struct classfile *cf, unsigned i)
{
    return (struct key){ cf->fields[i].name, cf->fields[i].descriptor, 0 };
}

static struct key
method_key(const struct classfile *cf, unsigned i)
{
    return (struct key){ cf->methods[i].name, cf->methods[i].descriptor, 0 };
}

bool
parser_require(struct parser *p, unsigned index, enum cf_tag tag, const char *complaint)
{
    return parser_is_tag(p, index, tag) || parser_fail(p, complaint, index);
}

const uint16_t *
parse_classes(struct parser *p, struct reader *r, unsigned count, const char *complaint)
{
    uint16_t *indices = parser_array(p, count, sizeof *indices);

    for (unsigned i = 0; indices != NULL && i < count; i++) {
        indices[i] = reader_u2(r);
        if (!parser_require(p, indices[i], CF_CLASS, complaint))
            return NULL;
    }
    return indices;
}

bool
parse_utf8(struct parser *p, struct reader *r, const struct symbol **utf8,
           const char *complaint)
{
    unsigned index = reader_u2(r);

    if (!parser_require(p, index, CF_UTF8, complaint))
        return false;
    *utf8 = cf_utf8(p->cf, index);
    return true;
}

bool
check_name(struct parser *p, const struct symbol *name, bool is_method)
{
    return p->opts->relaxed ||
           (is_method ? name_is_method : name_is_field)(name->bytes, name->length,
                                                        p->cf->major) ||
           parser_refuse(p, "Illegal %s name \"%s\" in class %s",
                         is_method ? "method" : "field", name->bytes, p->class_name);
}

bool
check_field_type(struct parser *p, const struct symbol *name,
                 const struct symbol *descriptor)
{
    return descriptor_is_field(descriptor->bytes, descriptor->length, p->cf->major) ||
           illegal_signature(p, "Field", name, descriptor);
}

static bool
parse_interfaces(struct parser *p)
{
    uint16_t count = reader_u2(&p->in);
    struct classfile *cf = p->cf;

    if (reader_left(&p->in) < 2u * count)
        return parser_truncated(p);
    if (count > 0 && cf->super_class == NULL)
        return parser_fail(p, "java.lang.Object cannot implement an interface");
    cf->interfaces = parse_classes(p, &p->in, count,
                                   "Interface name has bad constant pool index %u");
    if (cf->interfaces == NULL)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (cf_name(cf, cf->interfaces[i])->bytes[0] == '[')
            return parser_fail(p, "Bad interface name");
    cf->interface_count = count;
    return parser_unique(p, count, interface_key, "Duplicate interface name \"%s\"");
}

/* The fields or methods, as many as the file says; NULL after a complaint. */
static void *
parse_members(struct parser *p, uint16_t *count, size_t size,
              bool parse(struct parser *p, struct reader *r, void *member))
{
    *count = reader_u2(&p->in);
    if (reader_left(&p->in) >= 8u * *count)
        return parser_rows(p, &p->in, *count, size, parse);
    parser_truncated(p);
    return NULL;
}

static bool
parse_field(struct parser *p, struct reader *r, void *row)
{
    struct cf_field *f = row;

    f->access_flags = reader_u2(r) & FIELD_FLAGS;
    return check_field_flags(p, f->access_flags) &&
           parse_utf8(p, r, &f->name,
                      "Invalid constant pool index %u for field name") &&
           parse_utf8(p, r, &f->descriptor,
                      "Invalid constant pool index %u for field signature") &&
           check_name(p, f->name, false) &&
           check_field_type(p, f->name, f->descriptor) &&
           attribute_table(p, r, &field_rules, f);
}

static bool
parse_fields(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->fields = parse_members(p, &cf->field_count, sizeof *cf->fields, parse_field);
    return cf->fields != NULL &&
           parser_unique(p, cf->field_count, field_key,
                         "Duplicate field name \"%s\" with signature \"%s\"");
}

/* Name, flags and descriptor together decide what is legal. */
static bool
check_method_head(struct parser *p, struct cf_method *m)
{
    const struct symbol *name = m->name, *descriptor = m->descriptor;
    unsigned major = p->cf->major;
    bool special = name->length > 0 && name->bytes[0] == '<';
    int slots;

    if (!check_name(p, name, true))
        return false;
    if (p->is_interface && symbol_equals(name, "<init>"))
        return parser_refuse(p, "Interface cannot have a method named <init>, class "
                             "file %s", p->class_name);
    if (!descriptor_is_method(descriptor->bytes, descriptor->length, major) ||
        (special && descriptor->bytes[descriptor->length - 1] != 'V') ||
        /* Initializers have no parameters since version 51 (JVMS 2.9.2). */
        (major >= VERSION_METHOD_HANDLES && symbol_equals(name, "<clinit>") &&
         !symbol_equals(descriptor, "()V")))
        return illegal_signature(p, "Method", name, descriptor);
    if (!check_method_flags(p, m))
        return false;
    slots = descriptor_arg_slots(descriptor) + !(m->access_flags & ACC_STATIC);
    if (slots < 0 || slots > MAX_ARG_SLOTS)
        return parser_fail(p, "Too many arguments in method signature");
    m->arg_slots = (uint16_t)slots;
    return true;
}

static void
note_special_method(struct parser *p, const struct cf_method *m)
{
    if (symbol_equals(m->name, "<clinit>") && symbol_equals(m->descriptor, "()V"))
        p->cf->has_clinit = true;
    if (symbol_equals(m->name, "finalize") && symbol_equals(m->descriptor, "()V") &&
        !(m->access_flags & ACC_STATIC) &&
        !(m->code_length == 1 && m->code != NULL && m->code[0] == 0xb1))
        p->cf->has_finalizer = true;
}

static bool
parse_method(struct parser *p, struct reader *r, void *row)
{
    struct cf_method *m = row;

    m->access_flags = reader_u2(r);
    if (!parse_utf8(p, r, &m->name,
                    "Illegal constant pool index %u for method name") ||
        !parse_utf8(p, r, &m->descriptor,
                    "Illegal constant pool index %u for method signature") ||
        !check_method_head(p, m))
        return false;
    m->access_flags &= METHOD_FLAGS;
    if (!attribute_table(p, r, &method_rules, m))
        return false;
    if (!m->has_code && !(m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)))
        return parser_fail(p, "Absent Code attribute in method that is not native or "
                           "abstract");
    note_special_method(p, m);
    return true;
}

static bool
parse_methods(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->methods = parse_members(p, &cf->method_count, sizeof *cf->methods,
                                parse_method);
    return cf->methods != NULL &&
           parser_unique(p, cf->method_count, method_key,
                         "Duplicate method name \"%s\" with signature \"%s\"");
}

static bool
parse_all(struct parser *p)
{
    if (!parse_head(p) || !parse_pool(p) || !parse_access(p) || !parse_names(p) ||
        !parse_interfaces(p) || !parse_fields(p) || !parse_methods(p) ||
        !parse_class_attributes(p))
        return false;
    if (reader_left(&p->in) != 0)
        return parser_refuse(p, "Extra bytes at the end of class file %s",
                             p->class_name);
    return true;
}

/* An empty class file with its copy of the bytes. */
static struct classfile *
classfile_new(const uint8_t *bytes, size_t length)
{
    struct classfile *cf = mem_try_calloc(1, sizeof *cf);
    uint8_t *copy = cf == NULL ? NULL : arena_try_alloc(&cf->arena, length);

    if (copy == NULL) {
        mem_free(cf);
        return NULL;
    }
    if (length > 0)
        memcpy(copy, bytes, length);
    cf->bytes = copy;
    cf->length = length;
    return cf;
}

struct classfile *
classfile_parse(const uint8_t *bytes, size_t length,
                const struct classfile_options *opts, struct classfile_error *err)
{
    struct parser p = { .opts = opts, .err = err, .max_bootstrap = -1 };
    bool ok;

    memset(err, 0, sizeof *err);
    p.class_name = opts->expected_name == NULL ? "<Unknown>"
                                               : opts->expected_name->bytes;
    if (length > INT32_MAX) {
        parser_fail(&p, "More than 2 GB");
        return NULL;
    }
    p.cf = classfile_new(bytes, length);
    if (p.cf == NULL) {
        parser_no_memory(&p);
        return NULL;
    }
    p.in = reader_of(p.cf->bytes, length);
    ok = parse_all(&p);
    buf_release(&p.lines);
    buf_release(&p.locals);
    buf_release(&p.sorted);
    buf_release(&p.type_tables);
    if (ok)
        return p.cf;
    classfile_free(p.cf);
    return NULL;
}

void
classfile_free(struct classfile *cf)
{
    if (cf != NULL)
        arena_release(&cf->arena);
    mem_free(cf);
}

struct cf_member
cf_member(const struct classfile *cf, unsigned index)
{
    const union cf_const *c = &cf->consts[index];
    const union cf_const *type = &cf->consts[c->ref.b];
    struct cf_member m = { .name = cf_utf8(cf, type->ref.a),
                           .descriptor = cf_utf8(cf, type->ref.b) };

    if (cf->tags[index] == CF_DYNAMIC || cf->tags[index] == CF_INVOKE_DYNAMIC) {
        m.bootstrap = c->ref.a;
    } else {
        m.class_index = c->ref.a;
        m.class_name = cf_name(cf, c->ref.a);
    }
    return m;
}

const struct symbol *
cf_constant_type(const struct classfile *cf, unsigned index)
{
    static const char *const types[CF_PACKAGE + 1] = {
        [CF_INTEGER] = "I",
        [CF_FLOAT] = "F",
        [CF_LONG] = "J",
        [CF_DOUBLE] = "D",
        [CF_CLASS] = "Ljava/lang/Class;",
        [CF_STRING] = "Ljava/lang/String;",
        [CF_METHOD_HANDLE] = "Ljava/lang/invoke/MethodHandle;",
        [CF_METHOD_TYPE] = "Ljava/lang/invoke/MethodType;",
    };
    enum cf_tag tag = cf_tag_at(cf, index);

    if (tag == CF_DYNAMIC)
        return cf_member(cf, index).descriptor;
    return types[tag] == NULL ? NULL : symbol_of(types[tag]);
}

const struct cf_field *
cf_find_field(const struct classfile *cf, const struct symbol *name,
              const struct symbol *descriptor)
{
    for (unsigned i = 0; i < cf->field_count; i++)
        if (cf->fields[i].name == name && cf->fields[i].descriptor == descriptor)
            return &cf->fields[i];
    return NULL;
}

/* Rows may come in any order: the first that begins at bci, else the last of
   those that begin closest before it. */
int
cf_line_at(const struct cf_method *m, uint32_t bci)
{
    const struct cf_line *best = NULL;

    for (uint32_t i = 0; i < m->line_count; i++) {
        const struct cf_line *row = &m->lines[i];

        if (row->start_pc == bci)
            return row->line;
        if (row->start_pc <= bci && (best == NULL || row->start_pc >= best->start_pc))
            best = row;
    }
    return best != NULL ? best->line : -1;
}
