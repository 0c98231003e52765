/* SPDX-License-Identifier: MIT */
/*
 * tck/gen/gen.c -- turns the facts table into C data and mechanical cases.
 *
 * usage: gen FACTS.json OUTPUT.c
 */
#include "tck/gen/gen.h"
#include "tck/gen/rules.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cJSON *facts;
static FILE *out;
static const char *input_name;

/* The cases are collected here while the rows are written to out. */
static FILE *cases;

void
die(const char *format, ...)
{
    va_list args;

    fprintf(stderr, "gen: %s: ", input_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

const cJSON *
get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    if (item == NULL)
        die("missing member '%s'", key);
    return item;
}

const char *
get_string(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static int
get_int(const cJSON *object, const char *key)
{
    const cJSON *item = get(object, key);

    if (!cJSON_IsNumber(item))
        die("member '%s' is not a number", key);
    return item->valueint;
}

/* Levels before 11 cannot be told apart by an agent that asks for 11. */
static int
level_of(const char *since)
{
    int level = atoi(since);

    return level < 11 ? 11 : level;
}

static const char *
short_error(const char *name)
{
    return strncmp(name, "JVMTI_ERROR_", 12) == 0 ? name + 12 : name;
}

static int
index_of(const char *list, const char *name)
{
    const cJSON *item;
    int i = 0;

    cJSON_ArrayForEach(item, get(facts, list)) {
        if (strcmp(get_string(item, "name"), name) == 0)
            return i;
        i++;
    }
    return -1;
}

static unsigned
phase_bits(const cJSON *list)
{
    static const struct { const char *name; unsigned bits; } names[] = {
        { "onload", 1 }, { "primordial", 2 }, { "start", 4 }, { "live", 8 },
        { "any", 15 }
    };
    const cJSON *item;
    unsigned bits = 0;

    cJSON_ArrayForEach(item, list) {
        size_t i = 0;

        while (i < 5 && strcmp(names[i].name, item->valuestring) != 0)
            i++;
        if (i == 5)
            die("unknown phase '%s'", item->valuestring);
        bits |= names[i].bits;
    }
    return bits;
}

static void
slug(const char *text, char *to)
{
    bool gap = false;

    for (; *text != '\0'; text++) {
        if (isalnum((unsigned char)*text)) {
            if (gap)
                *to++ = '-';
            gap = false;
            *to++ = (char)tolower((unsigned char)*text);
        } else {
            gap = true;
        }
    }
    *to = '\0';
}

char
representation(const char *type)
{
    if (strchr(type, '*') != NULL)
        return 'p';
    if (strcmp(type, "jlong") == 0 || strcmp(type, "jlocation") == 0)
        return 'j';
    if (strcmp(type, "jfloat") == 0)
        return 'f';
    if (strcmp(type, "jdouble") == 0)
        return 'd';
    if (strcmp(type, "jint") == 0 || strcmp(type, "jboolean") == 0
        || strcmp(type, "jvmtiEvent") == 0 || strcmp(type, "jvmtiEventMode") == 0
        || strcmp(type, "jvmtiError") == 0 || strcmp(type, "jvmtiVerboseFlag") == 0
        || strcmp(type, "jvmtiHeapObjectFilter") == 0)
        return 'i';
    return 'p';
}

bool
is_ellipsis(const cJSON *param)
{
    return strcmp(get_string(param, "type"), "...") == 0;
}

static bool
is_later(const cJSON *function)
{
    return cJSON_HasObjectItem(function, "slot");
}

void
put_entry(FILE *to, const char *table, const cJSON *function)
{
    const cJSON *param;

    if (!is_later(function)) {
        fprintf(to, "%s->%s", table, get_string(function, "name"));
        return;
    }
    fputs("((jvmtiError (JNICALL *)(jvmtiEnv *", to);
    cJSON_ArrayForEach(param, get(function, "parameters"))
        fprintf(to, ", %s", get_string(param, "type"));
    fprintf(to, "))%s->reserved%d)", table, get_int(function, "number"));
}

static void
write_thunk(const cJSON *function)
{
    const char *name = get_string(function, "name");
    const cJSON *param;
    int i = 0;

    fprintf(out, "static jvmtiError\ncall_%s(jvmtiEnv *env, const union tck_arg *a)\n"
            "{\n    (void)a;\n", name);
    /* A VM of a lower level, judged by this one, has nothing there. */
    if (is_later(function))
        fprintf(out, "    if ((*env)->reserved%d == NULL)\n"
                "        return JVMTI_ERROR_NOT_AVAILABLE;\n", get_int(function, "number"));
    fputs("    return ", out);
    put_entry(out, "(*env)", function);
    fputs("(env", out);
    cJSON_ArrayForEach(param, get(function, "parameters")) {
        const char *type = get_string(param, "type");

        if (is_ellipsis(param))
            continue;
        fprintf(out, ", (%s)a[%d].%c", type, i++, representation(type));
    }
    fprintf(out, ");\n}\n\n");
}

static const char *
null_kind(const cJSON *param)
{
    const cJSON *nullable = get(param, "nullable");

    if (cJSON_IsTrue(nullable))
        return "NULL_OK";
    if (cJSON_IsFalse(nullable))
        return "NULL_ERROR";
    return strcmp(nullable->valuestring, "unknown") == 0 ? "NULL_UNKNOWN" : "NULL_NA";
}

static void
write_function(const cJSON *function)
{
    const cJSON *param, *cap, *caps = get(get(function, "capabilities"), "required");
    char chapter[80];
    int count = 0, ncaps = 0;

    slug(get_string(function, "category"), chapter);
    fprintf(out, "    { \"%s\", \"%s\", \"%s\", %d, %d, %u, %s, { ",
            get_string(function, "name"), get_string(function, "title"), chapter,
            get_int(function, "number"), level_of(get_string(function, "since")),
            phase_bits(get(function, "phase")),
            strcmp(get_string(function, "callback_safe"), "yes") == 0
                ? "true" : "false");
    cJSON_ArrayForEach(cap, caps) {
        fprintf(out, "%d, ", index_of("capabilities", cap->valuestring));
        ncaps++;
    }
    fprintf(out, "%s }, ", ncaps == 0 ? "-1, -1" : ncaps == 1 ? "-1" : "");
    cJSON_ArrayForEach(param, get(function, "parameters"))
        count += !is_ellipsis(param);
    fprintf(out, "%d,\n      {", count);
    cJSON_ArrayForEach(param, get(function, "parameters")) {
        const char *dir = get_string(param, "dir");

        if (is_ellipsis(param))
            continue;
        fprintf(out, " { \"%s\", \"%s\", '%c', %s, %s, %s },\n       ",
                get_string(param, "name"), get_string(param, "type"),
                representation(get_string(param, "type")), null_kind(param),
                strcmp(dir, "in") == 0 ? "false" : "true",
                strcmp(dir, "allocated-out") == 0 ? "true" : "false");
    }
    if (count == 0)
        fprintf(out, " { 0 }");
    fprintf(out, "},\n      call_%s },\n", get_string(function, "name"));
}

static void
write_functions(void)
{
    const cJSON *function;
    int count = 0;

    cJSON_ArrayForEach(function, get(facts, "functions"))
        write_thunk(function);
    fprintf(out, "const struct tck_function tck_functions[] = {\n");
    cJSON_ArrayForEach(function, get(facts, "functions")) {
        write_function(function);
        count++;
    }
    fprintf(out, "};\nconst int tck_function_count = %d;\n\n", count);
}

static void
write_events(void)
{
    const cJSON *event, *param;
    int count = 0;

    fprintf(out, "const struct tck_event tck_events[] = {\n");
    cJSON_ArrayForEach(event, get(facts, "events")) {
        const char *cap = get_string(event, "capability");

        fprintf(out, "    { \"%s\", \"%s\", %s, %d, %u, %d, %s, %d, {\n",
                get_string(event, "name"), get_string(event, "title"),
                get_string(event, "const"), level_of(get_string(event, "since")),
                phase_bits(get(event, "phase")),
                cap == NULL ? -1 : index_of("capabilities", cap),
                cJSON_IsTrue(get(event, "thread_scoped")) ? "true" : "false",
                cJSON_GetArraySize(get(event, "params")));
        cJSON_ArrayForEach(param, get(event, "params"))
            fprintf(out, "        { \"%s\", \"%s\" },\n", get_string(param, "name"),
                    get_string(param, "type"));
        fprintf(out, "    } },\n");
        count++;
    }
    fprintf(out, "};\nconst int tck_event_count = %d;\n\n", count);
}

static void
write_capabilities(void)
{
    const cJSON *cap;
    int count = 0;

    fprintf(out, "const struct tck_capability tck_capabilities[] = {\n");
    cJSON_ArrayForEach(cap, get(facts, "capabilities")) {
        fprintf(out, "    { \"%s\", %d },\n", get_string(cap, "name"),
                level_of(get_string(cap, "since")));
        count++;
    }
    fprintf(out, "};\nconst int tck_capability_count = %d;\n\n", count);

    fprintf(out, "void\ntck_cap_set(jvmtiCapabilities *caps, int index, bool on)\n"
            "{\n    switch (index) {\n");
    count = 0;
    cJSON_ArrayForEach(cap, get(facts, "capabilities"))
        fprintf(out, "    case %d: caps->%s = on; break;\n", count++,
                get_string(cap, "name"));
    fprintf(out, "    }\n}\n\n"
            "bool\ntck_cap_get(const jvmtiCapabilities *caps, int index)\n"
            "{\n    switch (index) {\n");
    count = 0;
    cJSON_ArrayForEach(cap, get(facts, "capabilities"))
        fprintf(out, "    case %d: return caps->%s;\n", count++,
                get_string(cap, "name"));
    fprintf(out, "    }\n    return false;\n}\n\n");
}

static void
write_errors(void)
{
    const cJSON *error;
    int count = 0;

    fprintf(out, "const struct tck_error tck_errors[] = {\n");
    cJSON_ArrayForEach(error, get(facts, "errors")) {
        fprintf(out, "    { \"%s\", %s, '%c' },\n", short_error(error->string),
                error->string, get_string(error, "class")[0]);
        count++;
    }
    fprintf(out, "};\nconst int tck_error_count = %d;\n\n", count);
}

/* A row of an error table, with what the rules ask for. */
struct row {
    const cJSON *function;
    int function_index;
    const char *error;
    const char *arg;
    const char *type;
    int arg_index;
    const char *cap;
    int since;            /* the level that has the row */
    int repeat;           /* 2 for the second row with the same error and argument */
    char id[200];
};

static const cJSON *
find_param(const cJSON *function, const char *name, int *index)
{
    const cJSON *param;
    int i = 0;

    cJSON_ArrayForEach(param, get(function, "parameters")) {
        if (strcmp(get_string(param, "name"), name) == 0) {
            *index = i;
            return param;
        }
        i++;
    }
    die("%s: no parameter '%s'", get_string(function, "name"), name);
    return NULL;
}

static void
write_case(const char *id, int function, const char *fault, int arg, int cap,
           const char *expect, const char *accept, unsigned phase, int since)
{
    fprintf(cases, "    { \"%s\", %d, FAULT_%s, %d, %d,\n"
            "      JVMTI_ERROR_%s, JVMTI_ERROR_%s, %u, %d },\n",
            id, function, fault, arg, cap, expect, accept == NULL ? expect : accept,
            phase, since);
}

static bool
matches(const char *pattern, const char *value)
{
    return pattern == NULL || (value != NULL && strcmp(pattern, value) == 0);
}

/* The phase in which errors of a function are provoked: live if it may be. */
static unsigned
error_phase(const cJSON *function)
{
    return (phase_bits(get(function, "phase")) & 8) != 0 ? 8 : 1;
}

/* By rule: whether it has met a row.  One that meets none names what is not there. */
static bool applied[RULES_MAX];

static void
check_rules(void)
{
    for (const struct rule *rule = rules; rule->error != NULL; rule++)
        if (!applied[rule - rules])
            die("rule %d of rules.c (%s, %s) meets no row of the error tables",
                (int)(rule - rules), rule->function == NULL ? "any" : rule->function,
                rule->error);
}

/*
 * What is as good as the rule's error, or NULL.  A thread that was not started, or that has
 * ended, is not suspended either, and the text does not say which error comes first.  That of
 * StopThread is for virtual threads alone.
 */
static const char *
accepted(const struct rule *rule, const cJSON *function)
{
    const cJSON *error;

    if (rule->accept != NULL || strcmp(rule->error, "THREAD_NOT_ALIVE") != 0
        || strcmp(get_string(function, "name"), "StopThread") == 0)
        return rule->accept;
    cJSON_ArrayForEach(error, get(function, "errors"))
        if (strcmp(short_error(get_string(error, "error")), "THREAD_NOT_SUSPENDED") == 0)
            return "THREAD_NOT_SUSPENDED";
    return NULL;
}

static int
apply_rules(const struct row *row, bool named)
{
    int count = 0, since = row->since;

    for (const struct rule *rule = rules; rule->error != NULL; rule++) {
        char id[300];

        if ((rule->function != NULL) != named
            || !matches(rule->function, get_string(row->function, "name"))
            || !matches(rule->error, row->error)
            || !matches(rule->arg, row->arg == NULL ? "-" : row->arg)
            || !matches(rule->type, row->type))
            continue;
        count++;
        applied[rule - rules] = true;
        if (rule->fault == NULL)
            continue;
        snprintf(id, sizeof id, "%s%s%s", row->id, rule->variant == NULL ? "" : ".",
                 rule->variant == NULL ? "" : rule->variant);
        write_case(id, row->function_index, rule->fault, row->arg_index, -1,
                   row->error, accepted(rule, row->function), error_phase(row->function),
                   rule->since > since ? rule->since : since);
        /* The first general rule that fits is the one, unless it is a variant. */
        if (rule->variant == NULL)
            break;
    }
    return count;
}

static void
row_cases(const struct row *row)
{
    if (row->cap != NULL) {
        if (strcmp(row->cap, "per-event") != 0)
            write_case(row->id, row->function_index, "CAPABILITY", -1,
                       index_of("capabilities", row->cap), row->error, NULL,
                       error_phase(row->function), row->since);
        return;
    }
    if (row->repeat > 1)
        return;
    if (apply_rules(row, true) == 0)
        apply_rules(row, false);
}

static int
same_before(const cJSON *errors, const cJSON *error)
{
    const cJSON *other;
    const char *arg = get_string(error, "arg");
    int count = 1;

    cJSON_ArrayForEach(other, errors) {
        const char *other_arg = get_string(other, "arg");

        if (other == error)
            break;
        if (strcmp(get_string(other, "error"), get_string(error, "error")) == 0
            && cJSON_HasObjectItem(other, "field") == cJSON_HasObjectItem(error, "field")
            && !cJSON_HasObjectItem(error, "capability")
            && (arg == NULL) == (other_arg == NULL)
            && (arg == NULL || strcmp(arg, other_arg) == 0))
            count++;
    }
    return count;
}

static char
class_of(const char *error)
{
    return get_string(get(get(facts, "errors"), error), "class")[0];
}

static void
write_row(struct row *row, const cJSON *error)
{
    const char *name = get_string(row->function, "name");
    const char *field = get_string(error, "field");
    const char *since = get_string(error, "since");
    int length;

    row->error = short_error(get_string(error, "error"));
    row->arg = get_string(error, "arg");
    row->cap = get_string(error, "capability");
    row->type = NULL;
    row->arg_index = -1;
    if (row->arg != NULL)
        row->type = get_string(find_param(row->function, row->arg, &row->arg_index),
                               "type");
    row->since = level_of(get_string(row->function, "since"));
    if (since != NULL && level_of(since) > row->since)
        row->since = level_of(since);
    row->repeat = same_before(get(row->function, "errors"), error);
    length = snprintf(row->id, sizeof row->id, "%s.error.%s", name, row->error);
    if (row->cap != NULL && strcmp(row->cap, "per-event") != 0)
        length += snprintf(row->id + length, sizeof row->id - length, ".%s", row->cap);
    else if (row->arg != NULL)
        length += snprintf(row->id + length, sizeof row->id - length, ".%s", row->arg);
    if (field != NULL)
        length += snprintf(row->id + length, sizeof row->id - length, ".%s", field);
    if (row->repeat > 1)
        snprintf(row->id + length, sizeof row->id - length, ".%d", row->repeat);
    fprintf(out, "    { \"%s\", %d, '%c' },\n", row->id, row->function_index,
            class_of(get_string(error, "error")));
    if (field != NULL)
        write_case(row->id, row->function_index, "NULL_FIELD", row->arg_index, -1,
                   row->error, NULL, 8, 11);
    else
        row_cases(row);
}

static void
write_rows(void)
{
    const cJSON *function, *error;
    struct row row = { 0 };
    int count = 0;

    fprintf(out, "const struct tck_row tck_rows[] = {\n");
    cJSON_ArrayForEach(function, get(facts, "functions")) {
        row.function = function;
        cJSON_ArrayForEach(error, get(function, "errors")) {
            write_row(&row, error);
            count++;
        }
        row.function_index++;
    }
    fprintf(out, "};\nconst int tck_row_count = %d;\n\n", count);
}

/* NULL where the text allows it, and where it is silent. */
static void
null_cases(const cJSON *function, int index)
{
    const cJSON *param;
    const char *name = get_string(function, "name");
    int i = 0, since = level_of(get_string(function, "since"));

    cJSON_ArrayForEach(param, get(function, "parameters")) {
        const cJSON *nullable = get(param, "nullable");
        const char *type = get_string(param, "type");
        char id[200];

        /* Suspending oneself takes a second thread: see tck/agent/thread.c. */
        if (strcmp(name, "SuspendThread") == 0) {
            continue;
        } else if (cJSON_IsTrue(nullable)) {
            snprintf(id, sizeof id, "%s.nullable.%s", name, get_string(param, "name"));
            write_case(id, index, "NULL", i, -1, "NONE", NULL, error_phase(function),
                       since);
        } else if (cJSON_IsString(nullable) && strcmp(nullable->valuestring, "unknown") == 0
                   && strcmp(type, "jthread") != 0 && strcmp(type, "jmethodID") != 0
                   && strcmp(type, "jfieldID") != 0
                   && strcmp(type, "jrawMonitorID") != 0) {
            bool value = strcmp(get_string(param, "name"), "value") == 0;
            const char *error = short_error(get_string(param, "invalid_ref_error"));

            snprintf(id, sizeof id, "%s.null.%s", name, get_string(param, "name"));
            write_case(id, index, "NULL", i, -1, value ? "NONE" : error,
                       value ? error : "NULL_POINTER", 8, since);
        }
        i++;
    }
}

static void
phase_cases(const cJSON *function, int index)
{
    static const char *const names[] = { "onload", "primordial", "start", "live", "dead" };
    unsigned allowed = phase_bits(get(function, "phase"));
    const char *name = get_string(function, "name");

    for (int i = 0; i < 5; i++) {
        char id[200];

        snprintf(id, sizeof id, "%s.phase.%s", name, names[i]);
        if ((allowed & 1u << i) != 0)
            write_case(id, index, "NONE", -1, -1, "NONE", NULL, 1u << i,
                       level_of(get_string(function, "since")));
        else if (i < 4 || allowed != 15)
            write_case(id, index, "WRONG_PHASE", -1, -1, "WRONG_PHASE", NULL, 1u << i,
                       level_of(get_string(function, "since")));
    }
}

static void
universal_cases(const cJSON *function, int index)
{
    const char *name = get_string(function, "name");
    int since = level_of(get_string(function, "since"));
    bool safe = strcmp(get_string(function, "callback_safe"), "yes") == 0;
    char id[200];

    if (error_phase(function) != 8)
        return;
    /* What may be called in a collector's callback may be called on threads that the
     * VM never attached, so there an implementation need not look. */
    snprintf(id, sizeof id, "%s.universal.UNATTACHED_THREAD", name);
    write_case(id, index, "UNATTACHED", -1, -1, "UNATTACHED_THREAD",
               safe ? "NONE" : NULL, 8, since);
    snprintf(id, sizeof id, "%s.universal.INVALID_ENVIRONMENT", name);
    write_case(id, index, "DISPOSED", -1, -1, "INVALID_ENVIRONMENT", NULL, 8, since);
}

static void
event_cases(void)
{
    const cJSON *event;
    int function = index_of("functions", "SetEventNotificationMode"), i = 0;

    cJSON_ArrayForEach(event, get(facts, "events")) {
        const char *cap = get_string(event, "capability");
        int since = level_of(get_string(event, "since"));
        char id[200];

        if (cap != NULL) {
            snprintf(id, sizeof id, "SetEventNotificationMode.error."
                     "MUST_POSSESS_CAPABILITY.%s", get_string(event, "name"));
            write_case(id, function, "EVENT_CAPABILITY", i,
                       index_of("capabilities", cap), "MUST_POSSESS_CAPABILITY", NULL,
                       8, since);
        }
        if (!cJSON_IsTrue(get(event, "thread_scoped"))) {
            snprintf(id, sizeof id, "SetEventNotificationMode.error."
                     "ILLEGAL_ARGUMENT.%s", get_string(event, "name"));
            write_case(id, function, "EVENT_THREAD", i,
                       cap == NULL ? -1 : index_of("capabilities", cap),
                       "ILLEGAL_ARGUMENT", NULL, 8, since);
        }
        i++;
    }
}

static void
copy_cases(void)
{
    char line[1024];
    int lines = 0;

    rewind(cases);
    fprintf(out, "const struct tck_mech tck_mechs[] = {\n");
    while (fgets(line, sizeof line, cases) != NULL) {
        fputs(line, out);
        lines++;
    }
    fprintf(out, "};\nconst int tck_mech_count = %d;\n", lines / 2);
}

static void
read_facts(void)
{
    FILE *file = fopen(input_name, "rb");
    long size;
    char *text;

    if (file == NULL)
        die("%s", strerror(errno));
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = malloc(size + 1);
    if (text == NULL || fread(text, 1, size, file) != (size_t)size)
        die("cannot read it");
    text[size] = '\0';
    fclose(file);
    facts = cJSON_Parse(text);
    if (facts == NULL)
        die("not JSON near '%.20s'", cJSON_GetErrorPtr());
    free(text);
}

/* The kit tests functions of later levels as well, on VMs that have them. */
static void
join_later(void)
{
    cJSON *later = cJSON_GetObjectItemCaseSensitive(facts, "later"), *function;

    while ((function = cJSON_DetachItemFromArray(later, 0)) != NULL)
        cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(facts, "functions"),
                             function);
}

int
main(int argc, char **argv)
{
    const cJSON *function;
    int index = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: gen FACTS.json OUTPUT.c\n");
        return 2;
    }
    input_name = argv[1];
    read_facts();
    join_later();
    out = fopen(argv[2], "w");
    cases = tmpfile();
    if (out == NULL || cases == NULL)
        die("cannot write '%s': %s", argv[2], strerror(errno));
    fprintf(out, "/* Generated from the facts table by tck/gen. */\n"
            "#include \"tck/lib/table.h\"\n\n");
    write_functions();
    write_events();
    write_capabilities();
    write_errors();
    write_rows();
    check_rules();
    cJSON_ArrayForEach(function, get(facts, "functions")) {
        null_cases(function, index);
        phase_cases(function, index);
        universal_cases(function, index);
        index++;
    }
    event_cases();
    copy_cases();
    cJSON_Delete(facts);
    if (fclose(out) != 0)
        die("cannot write '%s': %s", argv[2], strerror(errno));
    return 0;
}
