/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/classfile.c -- parsing class files (JVMS 4).
 *
 * classfile_parse copies the bytes and goes through them once, in the order of the file
 * (parse_all): magic number and version, constant pool, flags, names, interfaces,
 * fields, methods, attributes of the class.  Each part is checked as soon as it has
 * been read, in the order in which HotSpot checks it, so that a file with several
 * errors is refused for the same one.  parse.h tells which part is read in which file.
 * A function that returns false or NULL has stored the error.
 *
 * At the end are the functions that take a parsed file apart: cf_member and others.
 */

#include "classfile/classfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "classfile/parse.h"

enum {
    MAGIC = 0xCAFEBABE,
    PREVIEW_MINOR = 65535,
    MAX_ARG_SLOTS = 255,
    /* The flags of classes, fields and methods; other bits are ignored (JVMS 4.1, 4.5,
       4.6). */
    CLASS_FLAGS = ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT
                  | ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM,
    FIELD_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL
                  | ACC_VOLATILE | ACC_TRANSIENT | ACC_SYNTHETIC | ACC_ENUM,
    METHOD_FLAGS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL
                   | ACC_SYNCHRONIZED | ACC_BRIDGE | ACC_VARARGS | ACC_NATIVE
                   | ACC_ABSTRACT | ACC_STRICT | ACC_SYNTHETIC
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

    if (!memory)
        parser_no_memory(p);
    return memory;
}

void *
parser_rows(struct parser *p, struct reader *r, unsigned count, size_t size,
            bool parse(struct parser *p, struct reader *r, void *row))
{
    char *rows = parser_array(p, count, size);

    for (unsigned i = 0; rows && i < count; i++)
        if (!parse(p, r, rows + i * size))
            return NULL;
    return rows;
}

uint32_t
parser_offset(const struct parser *p, const uint8_t *at)
{
    return (uint32_t)(at - p->cf->bytes);
}

/*
 * Checks the class file version (JVMS 4.1): from 45 up to the newest that the release
 * of the class library knows.  Since version 56 the minor version is 0, or 65535 for a
 * file that uses preview features; those are accepted in the newest version only, and
 * with --enable-preview.
 */
static bool
check_version(struct parser *p)
{
    unsigned major = p->cf->major, minor = p->cf->minor, max = p->opts->max_major;
    const char *name = p->class_name;

    if (major < VERSION_OLDEST)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with an "
                              "invalid major version",
                              name, major, minor);
    if (major > max)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s has been compiled by a more recent version of the "
                              "Java Runtime (class file version %u.%u), this version "
                              "of the Java Runtime only recognizes class file versions "
                              "up to %u.0",
                              name, major, minor, max);
    if (major < VERSION_PREVIEW || minor == 0)
        return true;
    if (minor != PREVIEW_MINOR)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with an "
                              "invalid non-zero minor version",
                              name, major, minor);
    if (major != max)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "%s (class file version %u.%u) was compiled with preview "
                              "features that are unsupported. This version of the Java "
                              "Runtime only recognizes preview features for class file "
                              "version %u.%u",
                              name, major, minor, max, PREVIEW_MINOR);
    if (!p->opts->preview)
        return parser_fail_as(p, CLASSFILE_VERSION,
                              "Preview features are not enabled for %s (class file "
                              "version %u.%u). Try running with '--enable-preview'",
                              name, major, minor);
    return true;
}

/* Reads the first 8 bytes.  A file that does not even have these is truncated, whatever
   its magic number is. */
static bool
parse_magic_and_version(struct parser *p)
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

/* Reads and checks access_flags. */
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
    /* Constants of modules are refused here and not in pool.c: if ACC_MODULE is set,
       then HotSpot reports that. */
    return p->bad_constant == 0
           || parser_fail(p, "Unknown constant tag %u", p->bad_constant);
}

/*
 * Reads and checks this_class and super_class.  The name must be the one that the
 * definer expects, if it expects one.  A hidden class has another name than its file
 * says from here on (classfile_options.hidden_name).  Only Object has no superclass,
 * and an interface has Object (JVMS 4.1).
 */
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
    cf->this_class = p->opts->hidden_name ? p->opts->hidden_name : name;
    if (p->opts->expected_name && name != p->opts->expected_name)
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

/* The keys go into a hash table with open addressing, at most half full. */
bool
parser_unique(struct parser *p, unsigned count,
              struct key key(const struct classfile *cf, unsigned i),
              const char *message)
{
    bool unique = true;
    size_t size = 8;
    struct key *set;

    if (p->opts->relaxed || count < 2)
        return true;
    while (size < count * 2)
        size *= 2;
    set = mem_try_calloc(size, sizeof *set);
    if (!set)
        return parser_no_memory(p);
    for (unsigned i = 0; i < count && unique; i++) {
        struct key k = key(p->cf, i);
        size_t at;

        if (!k.a)
            continue;
        at = (k.a->hash * 31u + ((uintptr_t)k.b ^ k.c) / 8 * 0x9e3779b1u) & (size - 1);
        while (set[at].a && (set[at].a != k.a || set[at].b != k.b || set[at].c != k.c))
            at = (at + 1) & (size - 1);
        if (set[at].a)
            unique = parser_fail(p, message, k.a->bytes, k.b ? k.b->bytes : "");
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
parser_require(struct parser *p, unsigned index, enum cf_tag tag, const char *message)
{
    return parser_is_tag(p, index, tag) || parser_fail(p, message, index);
}

const uint16_t *
parse_classes(struct parser *p, struct reader *r, unsigned count, const char *message)
{
    uint16_t *indices = parser_array(p, count, sizeof *indices);

    for (unsigned i = 0; indices && i < count; i++) {
        indices[i] = reader_u2(r);
        if (!parser_require(p, indices[i], CF_CLASS, message))
            return NULL;
    }
    return indices;
}

bool
parse_utf8(struct parser *p, struct reader *r, const struct symbol **utf8,
           const char *message)
{
    unsigned index = reader_u2(r);

    if (!parser_require(p, index, CF_UTF8, message))
        return false;
    *utf8 = cf_utf8(p->cf, index);
    return true;
}

bool
check_name(struct parser *p, const struct symbol *name, bool is_method)
{
    return p->opts->relaxed
           || (is_method ? name_is_method : name_is_field)(name->bytes, name->length,
                                                           p->cf->major)
           || parser_refuse(p, "Illegal %s name \"%s\" in class %s",
                            is_method ? "method" : "field", name->bytes, p->class_name);
}

bool
check_field_type(struct parser *p, const struct symbol *name,
                 const struct symbol *descriptor)
{
    return descriptor_is_field(descriptor->bytes, descriptor->length, p->cf->major)
           || parser_fail_signature(p, "Field", name, descriptor);
}

/* Reads the direct superinterfaces.  That each is an interface is found out when it is
   loaded; an array cannot be one, nor may one be named twice. */
static bool
parse_interfaces(struct parser *p)
{
    uint16_t count = reader_u2(&p->in);
    struct classfile *cf = p->cf;

    if (reader_left(&p->in) < 2u * count)
        return parser_truncated(p);
    if (count > 0 && !cf->super_class)
        return parser_fail(p, "java.lang.Object cannot implement an interface");
    cf->interfaces = parse_classes(p, &p->in, count,
                                   "Interface name has bad constant pool index %u");
    if (!cf->interfaces)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (cf_name(cf, cf->interfaces[i])->bytes[0] == '[')
            return parser_fail(p, "Bad interface name");
    cf->interface_count = count;
    return parser_unique(p, count, interface_key, "Duplicate interface name \"%s\"");
}

/* Reads the number of fields or methods and then these; returns NULL if one is refused.
   Each takes 8 bytes at least, so a number that the file has no room for is refused
   before memory is taken. */
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

/* Reads a field_info (JVMS 4.5) into a struct cf_field. */
static bool
parse_field(struct parser *p, struct reader *r, void *row)
{
    struct cf_field *f = row;

    f->access_flags = reader_u2(r) & FIELD_FLAGS;
    return check_field_flags(p, f->access_flags)
           && parse_utf8(p, r, &f->name,
                         "Invalid constant pool index %u for field name")
           && parse_utf8(p, r, &f->descriptor,
                         "Invalid constant pool index %u for field signature")
           && check_name(p, f->name, false)
           && check_field_type(p, f->name, f->descriptor)
           && attribute_table(p, r, &field_rules, f);
}

/* Reads all fields; no two may have the same name and descriptor (JVMS 4.5). */
static bool
parse_fields(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->fields = parse_members(p, &cf->field_count, sizeof *cf->fields, parse_field);
    return cf->fields
           && parser_unique(p, cf->field_count, field_key,
                            "Duplicate field name \"%s\" with signature \"%s\"");
}

/* Checks the name, the descriptor and the flags of a method, and counts the slots of
   its arguments, of which there may be 255 (JVMS 4.3.3).  <init> and <clinit> return
   nothing. */
static bool
check_method_declaration(struct parser *p, struct cf_method *m)
{
    const struct symbol *name = m->name, *descriptor = m->descriptor;
    unsigned major = p->cf->major;
    bool special = name->length > 0 && name->bytes[0] == '<';
    int slots;

    if (!check_name(p, name, true))
        return false;
    if (p->is_interface && symbol_equals(name, "<init>"))
        return parser_refuse(p,
                             "Interface cannot have a method named <init>, class "
                             "file %s",
                             p->class_name);
    if (!descriptor_is_method(descriptor->bytes, descriptor->length, major)
        || (special && descriptor->bytes[descriptor->length - 1] != 'V') ||
        /* Initializers have no parameters since version 51 (JVMS 2.9.2). */
        (major >= VERSION_METHOD_HANDLES && symbol_equals(name, "<clinit>")
         && !symbol_equals(descriptor, "()V")))
        return parser_fail_signature(p, "Method", name, descriptor);
    if (!check_method_flags(p, m))
        return false;
    slots = descriptor_arg_slots(descriptor) + !(m->access_flags & ACC_STATIC);
    if (slots < 0 || slots > MAX_ARG_SLOTS)
        return parser_fail(p, "Too many arguments in method signature");
    m->arg_slots = (uint16_t)slots;
    return true;
}

/* Records that the class has a class initializer or a finalizer.  A finalizer that only
   returns is none: objects need not be registered for it. */
static void
note_special_method(struct parser *p, const struct cf_method *m)
{
    if (symbol_equals(m->name, "<clinit>") && symbol_equals(m->descriptor, "()V"))
        p->cf->has_clinit = true;
    if (symbol_equals(m->name, "finalize") && symbol_equals(m->descriptor, "()V")
        && !(m->access_flags & ACC_STATIC)
        && !(m->code_length == 1 && m->code && m->code[0] == OP_return))
        p->cf->has_finalizer = true;
}

/* Reads a method_info (JVMS 4.6) into a struct cf_method.  Flags are judged when the
   name is known, with all bits that the file has; those that mean nothing are cleared
   then.  A method that is neither native nor abstract must have Code; that the others
   have none is checked in parse_code. */
static bool
parse_method(struct parser *p, struct reader *r, void *row)
{
    struct cf_method *m = row;

    m->access_flags = reader_u2(r);
    if (!parse_utf8(p, r, &m->name, "Illegal constant pool index %u for method name")
        || !parse_utf8(p, r, &m->descriptor,
                       "Illegal constant pool index %u for method signature")
        || !check_method_declaration(p, m))
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

/* Reads all methods; no two may have the same name and descriptor (JVMS 4.6). */
static bool
parse_methods(struct parser *p)
{
    struct classfile *cf = p->cf;

    cf->methods = parse_members(p, &cf->method_count, sizeof *cf->methods,
                                parse_method);
    return cf->methods
           && parser_unique(p, cf->method_count, method_key,
                            "Duplicate method name \"%s\" with signature \"%s\"");
}

/* Reads the whole file, which must end where its last structure does. */
static bool
parse_all(struct parser *p)
{
    if (!parse_magic_and_version(p) || !parse_pool(p) || !parse_access(p)
        || !parse_names(p) || !parse_interfaces(p) || !parse_fields(p)
        || !parse_methods(p) || !parse_class_attributes(p))
        return false;
    if (reader_left(&p->in) != 0)
        return parser_refuse(p, "Extra bytes at the end of class file %s",
                             p->class_name);
    return true;
}

/* An empty class file with its own copy of the bytes, or NULL if memory runs out. */
static struct classfile *
classfile_new(const uint8_t *bytes, size_t length)
{
    struct classfile *cf = mem_try_calloc(1, sizeof *cf);
    uint8_t *copy = cf ? arena_try_alloc(&cf->arena, length) : NULL;

    if (!copy) {
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
    p.class_name = opts->expected_name ? opts->expected_name->bytes : "<Unknown>";
    if (length > INT32_MAX) {
        parser_fail(&p, "More than 2 GB");
        return NULL;
    }
    p.cf = classfile_new(bytes, length);
    if (!p.cf) {
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
    if (cf)
        arena_release(&cf->arena);
    mem_free(cf);
}

/* The second index of all these constants is that of a NameAndType; the first is that
   of a class, or the row of BootstrapMethods. */
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
    return types[tag] ? symbol_of(types[tag]) : NULL;
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

/* The row that counts is the first that begins at bci.  If there is none, it is the
   last of those that begin closest before bci. */
int
cf_line_at(const struct cf_method *m, uint32_t bci)
{
    const struct cf_line *best = NULL;

    for (uint32_t i = 0; i < m->line_count; i++) {
        const struct cf_line *row = &m->lines[i];

        if (row->start_pc == bci)
            return row->line;
        if (row->start_pc <= bci && (!best || row->start_pc >= best->start_pc))
            best = row;
    }
    return best ? best->line : -1;
}
