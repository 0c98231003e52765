/* SPDX-License-Identifier: MIT */
/* gen PRODUCT JVMTI-TABLE JNI-TABLE [IMPLEMENTED] -- write a product of the tables. */
#include "gen.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_WIDTH 88

static const struct product {
    const char *name;
    void (*write)(const struct facts *facts);
} products[] = {
    { "index.txt", gen_index },
    { "jni.h", gen_jni_h },
    { "functions.h", gen_functions_h },
    { "checks.h", gen_checks_h },
    { "jvmti.h", gen_jvmti_h },
    { "tiforge_names.h", gen_names_h },
    { "tiforge_names.c", gen_names_c },
    { "layout.c", gen_layout_c },
    { "explain.txt", gen_explain },
    { "entries.h", gen_entries_h },
    { "entries.c", gen_entries_c },
    { "senders.h", gen_senders_h },
    { "calls.c", gen_calls_c },
    { "callbacks.c", gen_callbacks_c },
    { "interpose_names.h", gen_interpose_h },
    { "interpose_functions.c", gen_interpose_functions_c },
    { "interpose_events.c", gen_interpose_events_c },
    { "interpose_extensions.c", gen_interpose_extensions_c },
    { "interpose_jni.c", gen_interpose_jni_c },
};

void
fail(const char *format, ...)
{
    va_list args;

    fputs("gen: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t length = 0, got;

    if (file == NULL)
        fail("cannot open '%s'", path);
    do {
        bytes = realloc(bytes, length + 65537);
        if (bytes == NULL)
            fail("cannot read '%s': out of memory", path);
        got = fread(bytes + length, 1, 65536, file);
        length += got;
    } while (got > 0);
    if (ferror(file))
        fail("cannot read '%s'", path);
    fclose(file);
    bytes[length] = '\0';
    return bytes;
}

static const cJSON *
read_table(const char *path)
{
    char *bytes = read_file(path);
    const cJSON *table = cJSON_Parse(bytes);

    if (table == NULL)
        fail("'%s' is not JSON near: %.40s", path, cJSON_GetErrorPtr());
    free(bytes);
    return table;
}

static const cJSON *
member(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    if (item == NULL) {
        char *dump = cJSON_Print(object);
        fail("no '%s' in: %.200s", key, dump != NULL ? dump : "");
    }
    return item;
}

const char *
text(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);

    if (!cJSON_IsString(item))
        fail("'%s' is not a string", key);
    return item->valuestring;
}

const char *
text_or_null(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

int
number(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);

    if (!cJSON_IsNumber(item))
        fail("'%s' is not a number", key);
    return (int)item->valuedouble;
}

const cJSON *
list(const cJSON *object, const char *key)
{
    const cJSON *item = member(object, key);

    if (!cJSON_IsArray(item) && !cJSON_IsObject(item))
        fail("'%s' is not a list", key);
    return item;
}

bool
is_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

int
since(const cJSON *object)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "since");

    if (cJSON_IsNumber(item))
        return (int)item->valuedouble;
    return cJSON_IsString(item) ? atoi(item->valuestring) : 1;
}

/* Where to break a line that has room for `room` characters: after the last comma
   or before the last && there, else after the last parenthesis that opens; 0 for
   nowhere. */
static size_t
find_break(const char *line, size_t room)
{
    for (size_t end = room; end > 0; end--)
        if ((line[end - 1] == ',' && line[end] == ' ')
            || strncmp(line + end, " && ", 4) == 0)
            return end;
    for (size_t end = room; end > 0; end--)
        if (line[end - 1] == '(')
            return end;
    return 0;
}

static void
write_line(const char *line)
{
    int indent = (int)strspn(line, " "), column = 0;
    size_t end;

    while (strlen(line) > (size_t)(LINE_WIDTH - column)
           && (end = find_break(line, (size_t)(LINE_WIDTH - column))) > 0) {
        printf("%*s%.*s\n", column, "", (int)end, line);
        line += end;
        line += strspn(line, " ");
        column = indent + 8;
    }
    printf("%*s%s\n", column, "", line);
}

void
put(const char *format, ...)
{
    static char line[4096];
    static size_t used;
    char part[4096];
    va_list args;

    va_start(args, format);
    if (vsnprintf(part, sizeof part, format, args) >= (int)sizeof part)
        fail("too much in one put: %.40s", part);
    va_end(args);
    for (const char *c = part; *c != '\0'; c++) {
        if (used == sizeof line)
            fail("line too long: %.40s", line);
        line[used++] = *c == '\n' ? '\0' : *c;
        if (*c == '\n') {
            write_line(line);
            used = 0;
        }
    }
}

void
put_declaration(const char *type, const char *name)
{
    size_t stars = strlen(type);

    while (stars > 0 && type[stars - 1] == '*')
        stars--;
    put("%.*s %s%s", (int)stars, type, type + stars, name);
}

void
put_parameters(const cJSON *params, bool others)
{
    for EACH(param, params) {
        if (others || param != params->child)
            put(", ");
        if (strcmp(text(param, "type"), "...") == 0)
            put("...");
        else
            put_declaration(text(param, "type"), text(param, "name"));
    }
}

const char *
parameter_name(const char *declaration)
{
    const char *name = declaration + strlen(declaration);

    while (name > declaration && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    return name;
}

/* Copy pattern to out with {T} replaced by the type's name and {t} by its C type. */
static void
expand(char *out, size_t size, const char *pattern, const char *name, const char *ctype)
{
    size_t used = 0;

    while (*pattern != '\0') {
        const char *part = NULL;

        if (strncmp(pattern, "{T}", 3) == 0)
            part = name;
        else if (strncmp(pattern, "{t}", 3) == 0)
            part = ctype;
        if (used + (part != NULL ? strlen(part) : 1) >= size)
            fail("'%s' is too long", pattern);
        if (part != NULL) {
            strcpy(out + used, part);
            used += strlen(part);
            pattern += 3;
        } else
            out[used++] = *pattern++;
    }
    out[used] = '\0';
}

/* The entry for one type of its family; returns the slot after it. */
static int
expand_entry(const cJSON *entry, int slot, const char *name, const char *ctype,
             void each(const struct jni_function *function))
{
    static const char forms[] = ".VA";
    struct jni_function function = { .slot = slot, .since = since(entry) };
    bool has_forms = is_true(entry, "forms");
    size_t length;

    expand(function.name, sizeof function.name - 1, text(entry, "name"), name, ctype);
    expand(function.returns, sizeof function.returns, text(entry, "returns"), name, ctype);
    for EACH(param, list(entry, "params")) {
        if (function.count == 4)
            fail("'%s' has too many parameters", function.name);
        expand(function.params[function.count++], sizeof function.params[0],
               param->valuestring, name, ctype);
    }
    length = strlen(function.name);
    for (int i = 0; i < (has_forms ? 3 : 1); i++) {
        if (has_forms) {
            function.form = forms[i];
            function.name[length] = forms[i] == '.' ? '\0' : forms[i];
            function.name[length + 1] = '\0';
        }
        each(&function);
        function.slot++;
    }
    return function.slot;
}

void
each_jni_function(const struct facts *facts,
                  void each(const struct jni_function *function))
{
    int slot = number(facts->jni, "reserved_slots");

    for EACH(entry, list(facts->jni, "functions")) {
        const char *family = text_or_null(entry, "each");

        if (number(entry, "slot") != slot)
            fail("'%s' is not in slot %d", text(entry, "name"), slot);
        if (family == NULL) {
            slot = expand_entry(entry, slot, "", "", each);
            continue;
        }
        for EACH(type, list(list(facts->jni, "sets"), family))
            slot = expand_entry(entry, slot, type->valuestring,
                                text(list(facts->jni, "types"), type->valuestring), each);
    }
}

int
functions_by_slot(const struct facts *facts, const cJSON *table[256])
{
    int last = 0;

    memset(table, 0, 256 * sizeof *table);
    for EACH(function, list(facts->jvmti, "functions")) {
        int slot = number(function, "number");

        if (slot < 1 || slot > 255 || table[slot] != NULL)
            fail("slot %d of '%s' is taken or out of range", slot,
                 text(function, "name"));
        table[slot] = function;
        if (slot > last)
            last = slot;
    }
    return last;
}

int
main(int argc, char **argv)
{
    struct facts facts = { 0 };

    if (argc < 4)
        fail("usage: gen PRODUCT JVMTI-TABLE JNI-TABLE [IMPLEMENTED]");
    facts.jvmti = read_table(argv[2]);
    facts.jni = read_table(argv[3]);
    if (argc > 4)
        facts.implemented = read_file(argv[4]);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (strcmp(products[i].name, argv[1]) == 0) {
            products[i].write(&facts);
            if (fflush(stdout) != 0 || ferror(stdout))
                fail("cannot write '%s'", argv[1]);
            return 0;
        }
    fail("no product '%s'", argv[1]);
}
