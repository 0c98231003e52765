/* SPDX-License-Identifier: MIT */
/* minivm/test/assembler.c -- class files out of text. */

#include "test/assembler.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/mem.h"
#include "classfile/classfile.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"
#include "test/archives.h"

enum { MAX_WORDS = 64, MAX_LABELS = 64 };

void
assembler_init(struct assembler *a, const char *name, const char *super, unsigned major)
{
    memset(a, 0, sizeof *a);
    a->pool_count = 1;
    a->major = major;
    a->access_flags = ACC_PUBLIC | ACC_SUPER;
    a->this_index = assembler_class(a, name);
    a->super_index = assembler_class(a, super != NULL ? super : "java/lang/Object");
}

/* The length of the constant at `at`, tag included. */
static size_t
constant_length(const uint8_t *at)
{
    switch (at[0]) {
    case CF_UTF8:
        return 3 + (size_t)get_u2(at + 1);
    case CF_CLASS:
    case CF_STRING:
    case CF_METHOD_TYPE:
    case CF_MODULE:
    case CF_PACKAGE:
        return 3;
    case CF_METHOD_HANDLE:
        return 4;
    case CF_LONG:
    case CF_DOUBLE:
        return 9;
    default:
        return 5;
    }
}

unsigned
assembler_constant(struct assembler *a, int tag, const void *operands, size_t length)
{
    unsigned index = 1;

    for (size_t at = 0; at < a->pool.length; index++) {
        const uint8_t *entry = a->pool.data + at;
        size_t size = constant_length(entry);

        if (entry[0] == tag && size == length + 1 &&
            memcmp(entry + 1, operands, length) == 0)
            return index;
        index += entry[0] == CF_LONG || entry[0] == CF_DOUBLE;
        at += size;
    }
    buf_append_u1(&a->pool, (uint8_t)tag);
    buf_append(&a->pool, operands, length);
    a->pool_count += tag == CF_LONG || tag == CF_DOUBLE ? 2 : 1;
    return index;
}

unsigned
assembler_utf8(struct assembler *a, const char *text)
{
    size_t length = strlen(text);
    struct buf b = { 0 };
    unsigned index;

    buf_append_u2(&b, (uint16_t)length);
    buf_append(&b, text, length);
    index = assembler_constant(a, CF_UTF8, b.data, b.length);
    buf_release(&b);
    return index;
}

/* A constant of two indices, or of one when second is negative. */
static unsigned
constant_of_indices(struct assembler *a, int tag, unsigned first, int second)
{
    uint8_t operands[4];

    put_u2(operands, (uint16_t)first);
    put_u2(operands + 2, (uint16_t)second);
    return assembler_constant(a, tag, operands, second < 0 ? 2 : 4);
}

unsigned
assembler_class(struct assembler *a, const char *name)
{
    return constant_of_indices(a, CF_CLASS, assembler_utf8(a, name), -1);
}

unsigned
assembler_name_and_type(struct assembler *a, const char *name, const char *descriptor)
{
    unsigned first = assembler_utf8(a, name);

    return constant_of_indices(a, CF_NAME_AND_TYPE, first,
                               (int)assembler_utf8(a, descriptor));
}

unsigned
assembler_member(struct assembler *a, int tag, const char *class_name, const char *name,
                 const char *descriptor)
{
    unsigned first = assembler_class(a, class_name);

    return constant_of_indices(a, tag, first,
                               (int)assembler_name_and_type(a, name, descriptor));
}

void
assembler_interface(struct assembler *a, const char *name)
{
    buf_append_u2(&a->interfaces, (uint16_t)assembler_class(a, name));
    a->interface_count++;
}

void
assembler_field(struct assembler *a, unsigned flags, const char *name,
                const char *descriptor)
{
    buf_append_u2(&a->fields, (uint16_t)flags);
    buf_append_u2(&a->fields, (uint16_t)assembler_utf8(a, name));
    buf_append_u2(&a->fields, (uint16_t)assembler_utf8(a, descriptor));
    buf_append_u2(&a->fields, 0);
    a->field_count++;
}

void
assembler_attribute(struct assembler *a, const char *name, const void *contents,
                    size_t length)
{
    buf_append_u2(&a->attributes, (uint16_t)assembler_utf8(a, name));
    append_u4(&a->attributes, (uint32_t)length);
    if (length > 0)
        buf_append(&a->attributes, contents, length);
    a->attribute_count++;
}

/* The code of one method; the text is read twice, labels are known the second
   time. */
struct method_text {
    struct assembler *a;
    struct buf code, handlers, maps;
    unsigned handler_count, map_count;
    long last_map;                     /* bci of the map before, -1 at first */
    bool raw_map;
    struct {
        char name[16];
        uint32_t bci;
    } labels[MAX_LABELS];
    unsigned label_count;
    bool final;                        /* the second time */
    unsigned word_count, at;
    char *words[MAX_WORDS];
};

static const char *
next_word(struct method_text *t)
{
    if (t->at == t->word_count)
        fatal("too few operands behind '%s'", t->words[0]);
    return t->words[t->at++];
}

static long
next_number(struct method_text *t)
{
    return strtol(next_word(t), NULL, 0);
}

static uint32_t
label_bci(struct method_text *t, const char *name)
{
    for (unsigned i = 0; i < t->label_count; i++)
        if (strcmp(t->labels[i].name, name) == 0)
            return t->labels[i].bci;
    if (t->final)
        fatal("no label '%s'", name);
    return 0;
}

static void
define_label(struct method_text *t, const char *name)
{
    if (t->final)
        return;
    if (t->label_count == MAX_LABELS)
        fatal("too many labels");
    strncpy(t->labels[t->label_count].name, name, sizeof t->labels[0].name - 1);
    t->labels[t->label_count++].bci = (uint32_t)t->code.length;
}

static unsigned
loadable_constant(struct method_text *t, const char *what)
{
    const char *word = next_word(t);
    uint8_t bytes[8];
    int64_t value;

    if (strcmp(what, "class") == 0)
        return assembler_class(t->a, word);
    if (strcmp(what, "string") == 0)
        return constant_of_indices(t->a, CF_STRING, assembler_utf8(t->a, word), -1);
    value = strtoll(word, NULL, 0);
    for (int i = 0; i < 4; i++)
        put_u2(bytes + 2 * i, (uint16_t)(value >> (48 - 16 * i)));
    if (strcmp(what, "int") == 0)
        return assembler_constant(t->a, CF_INTEGER, bytes + 4, 4);
    if (strcmp(what, "float") == 0)
        return assembler_constant(t->a, CF_FLOAT, bytes + 4, 4);
    return assembler_constant(t->a, what[0] == 'l' ? CF_LONG : CF_DOUBLE, bytes, 8);
}

/* The constant that the instruction names. */
static unsigned
next_constant(struct method_text *t, uint8_t opcode)
{
    const char *first = next_word(t), *name, *descriptor;
    int tag = CF_METHODREF;

    if (first[0] == '#')
        return (unsigned)strtoul(first + 1, NULL, 0);
    if (opcode == OP_ldc || opcode == OP_ldc_w || opcode == OP_ldc2_w)
        return loadable_constant(t, first);
    if (opcode < OP_getstatic || opcode > OP_invokedynamic)
        return assembler_class(t->a, first);
    name = next_word(t);
    descriptor = next_word(t);
    if (opcode == OP_invokedynamic)
        return constant_of_indices(t->a, CF_INVOKE_DYNAMIC,
                                   (unsigned)strtoul(first, NULL, 0),
                                   (int)assembler_name_and_type(t->a, name,
                                                                descriptor));
    if (opcode <= OP_putfield)
        tag = CF_FIELDREF;
    else if (opcode == OP_invokeinterface)
        tag = CF_INTERFACE_METHODREF;
    return assembler_member(t->a, tag, first, name, descriptor);
}

static void
put_switch(struct method_text *t, uint8_t opcode, uint32_t bci)
{
    long low = opcode == OP_tableswitch ? next_number(t) : 0;
    uint32_t other = label_bci(t, next_word(t)), count = t->word_count - t->at;

    while (t->code.length % 4 != 0)
        buf_append_u1(&t->code, 0);
    append_u4(&t->code, other - bci);
    if (opcode == OP_tableswitch) {
        append_u4(&t->code, (uint32_t)low);
        append_u4(&t->code, (uint32_t)low + count - 1);
    } else {
        append_u4(&t->code, count / 2);
    }
    while (t->at < t->word_count) {
        if (opcode == OP_lookupswitch)
            append_u4(&t->code, (uint32_t)next_number(t));
        append_u4(&t->code, label_bci(t, next_word(t)) - bci);
    }
}

static int
find_opcode(const char *name)
{
    for (int i = 0; i < 256; i++)
        if (opcode_table[i].name != NULL && strcmp(opcode_table[i].name, name) == 0)
            return i;
    fatal("no instruction '%s'", name);
}

static void
put_local(struct method_text *t, uint8_t opcode, bool wide)
{
    long index = next_number(t);
    bool iinc = opcode == OP_iinc;
    long amount = iinc ? next_number(t) : 0;

    if (wide) {
        buf_append_u2(&t->code, (uint16_t)index);
        if (iinc)
            buf_append_u2(&t->code, (uint16_t)amount);
    } else {
        buf_append_u1(&t->code, (uint8_t)index);
        if (iinc)
            buf_append_u1(&t->code, (uint8_t)amount);
    }
}

static void
put_interface_call(struct method_text *t)
{
    const char *descriptor = t->words[t->word_count - 1];

    buf_append_u2(&t->code, (uint16_t)next_constant(t, OP_invokeinterface));
    buf_append_u1(&t->code, (uint8_t)(descriptor_arg_slots(symbol_of(descriptor)) + 1));
    buf_append_u1(&t->code, 0);
}

static void
put_instruction(struct method_text *t)
{
    uint32_t bci = (uint32_t)t->code.length;
    uint8_t opcode = (uint8_t)find_opcode(next_word(t));
    bool wide = opcode == OP_wide;

    buf_append_u1(&t->code, opcode);
    if (wide) {
        opcode = (uint8_t)find_opcode(next_word(t));
        buf_append_u1(&t->code, opcode);
    }
    switch (opcode_table[opcode].format) {
    case FORMAT_BYTE:
    case FORMAT_ATYPE:
        buf_append_u1(&t->code, (uint8_t)next_number(t));
        break;
    case FORMAT_SHORT:
        buf_append_u2(&t->code, (uint16_t)next_number(t));
        break;
    case FORMAT_CP1:
        buf_append_u1(&t->code, (uint8_t)next_constant(t, opcode));
        break;
    case FORMAT_CP2:
        buf_append_u2(&t->code, (uint16_t)next_constant(t, opcode));
        break;
    case FORMAT_MULTI:
        buf_append_u2(&t->code, (uint16_t)next_constant(t, opcode));
        buf_append_u1(&t->code, (uint8_t)next_number(t));
        break;
    case FORMAT_DYNAMIC:
        buf_append_u2(&t->code, (uint16_t)next_constant(t, opcode));
        buf_append_u2(&t->code, 0);
        break;
    case FORMAT_INTERFACE:
        put_interface_call(t);
        break;
    case FORMAT_LOCAL:
    case FORMAT_IINC:
        put_local(t, opcode, wide);
        break;
    case FORMAT_BRANCH2:
        buf_append_u2(&t->code, (uint16_t)(label_bci(t, next_word(t)) - bci));
        break;
    case FORMAT_BRANCH4:
        append_u4(&t->code, label_bci(t, next_word(t)) - bci);
        break;
    case FORMAT_TABLE:
    case FORMAT_LOOKUP:
        put_switch(t, opcode, bci);
        break;
    default:
        break;
    }
}

static void
put_handler(struct method_text *t)
{
    for (int i = 0; i < 3; i++)
        buf_append_u2(&t->handlers, (uint16_t)label_bci(t, next_word(t)));
    if (strcmp(t->words[t->at], "any") == 0)
        buf_append_u2(&t->handlers, 0);
    else
        buf_append_u2(&t->handlers, (uint16_t)assembler_class(t->a, next_word(t)));
    t->handler_count++;
}

static void
put_map_type(struct method_text *t, const char *word)
{
    static const char letters[] = "TIFDJNU";

    if (word[0] == '=') {
        buf_append_u1(&t->maps, 7);
        buf_append_u2(&t->maps, (uint16_t)assembler_class(t->a, word + 1));
    } else if (word[0] == '*') {
        buf_append_u1(&t->maps, 8);
        buf_append_u2(&t->maps, (uint16_t)label_bci(t, word + 1));
    } else if (strchr(letters, word[0]) != NULL) {
        buf_append_u1(&t->maps, (uint8_t)(strchr(letters, word[0]) - letters));
    } else {
        fatal("no type '%s'", word);
    }
}

static void
put_map(struct method_text *t)
{
    uint32_t bci = label_bci(t, next_word(t));
    unsigned colon = t->at;

    while (colon < t->word_count && strcmp(t->words[colon], ":") != 0)
        colon++;
    buf_append_u1(&t->maps, 255);
    buf_append_u2(&t->maps, (uint16_t)(bci - (uint32_t)(t->last_map + 1)));
    buf_append_u2(&t->maps, (uint16_t)(colon - t->at));
    while (t->at < colon)
        put_map_type(t, next_word(t));
    if (colon < t->word_count)
        t->at++;
    buf_append_u2(&t->maps, (uint16_t)(t->word_count - t->at));
    while (t->at < t->word_count)
        put_map_type(t, next_word(t));
    t->last_map = bci;
    t->map_count++;
}

static void
put_raw_map(struct method_text *t)
{
    const char *hex = next_word(t);
    char byte[3] = "";

    t->raw_map = true;
    if (strcmp(hex, "empty") == 0)
        return;
    for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
        memcpy(byte, hex, 2);
        buf_append_u1(&t->maps, (uint8_t)strtoul(byte, NULL, 16));
    }
}

static void
put_line(struct method_text *t)
{
    char *first = t->words[0];
    size_t length = strlen(first);

    t->at = 0;
    if (first[length - 1] == ':') {
        first[length - 1] = '\0';
        define_label(t, first);
        return;
    }
    if (first[0] != '.' && strcmp(first, "byte") != 0) {
        put_instruction(t);
        return;
    }
    t->at = 1;
    if (strcmp(first, "byte") == 0)
        while (t->at < t->word_count)
            buf_append_u1(&t->code, (uint8_t)next_number(t));
    else if (strcmp(first, ".catch") == 0)
        put_handler(t);
    else if (strcmp(first, ".frame") == 0)
        put_map(t);
    else if (strcmp(first, ".raw-map") == 0)
        put_raw_map(t);
    else
        fatal("no directive '%s'", first);
}

static void
put_lines(struct method_text *t, const char *text)
{
    char *copy = mem_strdup(text), *rest = copy, *line, *word;

    buf_clear(&t->code);
    buf_clear(&t->handlers);
    buf_clear(&t->maps);
    t->handler_count = t->map_count = 0;
    t->last_map = -1;
    while ((line = strsep(&rest, "\n")) != NULL) {
        t->word_count = 0;
        while ((word = strsep(&line, " ")) != NULL)
            if (word[0] != '\0' && t->word_count < MAX_WORDS)
                t->words[t->word_count++] = word;
        if (t->word_count > 0)
            put_line(t);
    }
    mem_free(copy);
}

/* The Code attribute behind the head of the method. */
static void
put_code(struct method_text *t, unsigned max_stack, unsigned max_locals)
{
    struct buf *out = &t->a->methods;
    size_t map_length = t->maps.length + (t->raw_map ? 0 : 2);
    bool has_map = t->raw_map || t->map_count > 0;
    size_t length = 12 + t->code.length + t->handlers.length +
                    (has_map ? 6 + map_length : 0);

    buf_append_u2(out, (uint16_t)assembler_utf8(t->a, "Code"));
    append_u4(out, (uint32_t)length);
    buf_append_u2(out, (uint16_t)max_stack);
    buf_append_u2(out, (uint16_t)max_locals);
    append_u4(out, (uint32_t)t->code.length);
    buf_append(out, t->code.data, t->code.length);
    buf_append_u2(out, (uint16_t)t->handler_count);
    if (t->handlers.length > 0)
        buf_append(out, t->handlers.data, t->handlers.length);
    buf_append_u2(out, has_map);
    if (!has_map)
        return;
    buf_append_u2(out, (uint16_t)assembler_utf8(t->a, "StackMapTable"));
    append_u4(out, (uint32_t)map_length);
    if (!t->raw_map)
        buf_append_u2(out, (uint16_t)t->map_count);
    buf_append(out, t->maps.data, t->maps.length);
}

void
assembler_method(struct assembler *a, unsigned flags, const char *name,
                 const char *descriptor, unsigned max_stack, unsigned max_locals,
                 const char *code)
{
    struct method_text t = { .a = a };

    buf_append_u2(&a->methods, (uint16_t)flags);
    buf_append_u2(&a->methods, (uint16_t)assembler_utf8(a, name));
    buf_append_u2(&a->methods, (uint16_t)assembler_utf8(a, descriptor));
    buf_append_u2(&a->methods, code != NULL);
    a->method_count++;
    if (code == NULL)
        return;
    put_lines(&t, code);
    t.final = true;
    put_lines(&t, code);
    put_code(&t, max_stack, max_locals);
    buf_release(&t.code);
    buf_release(&t.handlers);
    buf_release(&t.maps);
}

static void
append_table(struct buf *out, unsigned count, struct buf *table)
{
    buf_append_u2(out, (uint16_t)count);
    if (table->length > 0)
        buf_append(out, table->data, table->length);
    buf_release(table);
}

uint8_t *
assembler_finish(struct assembler *a, size_t *length)
{
    struct buf out = { 0 };

    append_u4(&out, 0xCAFEBABE);
    buf_append_u2(&out, (uint16_t)a->minor);
    buf_append_u2(&out, (uint16_t)a->major);
    append_table(&out, a->pool_count, &a->pool);
    buf_append_u2(&out, (uint16_t)a->access_flags);
    buf_append_u2(&out, (uint16_t)a->this_index);
    buf_append_u2(&out, (uint16_t)a->super_index);
    append_table(&out, a->interface_count, &a->interfaces);
    append_table(&out, a->field_count, &a->fields);
    append_table(&out, a->method_count, &a->methods);
    append_table(&out, a->attribute_count, &a->attributes);
    return buf_steal(&out, length);
}
