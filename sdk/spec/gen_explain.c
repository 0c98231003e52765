/* SPDX-License-Identifier: MIT */
/*
 * explain.txt: what `tiforge explain` prints.  Each entry begins with a line "@NAME
 * NUMBER..." of the words that it is found by.  Advice is written by hand: a file of
 * entries that begin alike.
 */
#include "gen.h"

#include <ctype.h>
#include <string.h>

#define WIDTH 80

/* Words of a list, wrapped; the first line begins with head, the others with blanks. */
static void
put_list(const char *head, const cJSON *words, const char *none)
{
    int column = printf("  %-14s", head);

    if (words == NULL || words->child == NULL)
        printf("%s", none);
    else
        for EACH(word, words) {
            const char *name = cJSON_IsString(word) ? word->valuestring
                : text(word, "name");

            if (word != words->child) {
                bool full = column + (int)strlen(name) + 3 > WIDTH;

                column = full ? printf(",\n%16s", "") - 2 : column + printf(", ");
            }
            column += printf("%s", name);
        }
    putchar('\n');
}

bool
put_advice(const struct facts *facts, const char *name)
{
    char head[128];
    const char *at;

    snprintf(head, sizeof head, "\n@%s\n", name);
    at = facts->implemented == NULL ? NULL : strstr(facts->implemented, head);
    if (at == NULL)
        return false;
    printf("\n");
    for (at += strlen(head); *at != '\0' && *at != '@'; at++) {
        if (at[-1] == '\n' && *at != '\n')
            printf("  ");
        if (*at != '\n' || at[1] != '@')
            putchar(*at);
    }
    if (at[-1] != '\n' || *at == '@')
        putchar('\n');
    return true;
}

static void
put_parameter(const cJSON *param)
{
    const char *dir = text(param, "dir"), *size = text_or_null(param, "size");
    const char *meaning = text_or_null(param, "null_means");

    printf("    %-22s %s", text(param, "name"),
           strcmp(dir, "in") == 0 ? "in"
           : strcmp(dir, "out") == 0 ? "out" : "out (Deallocate)");
    if (size != NULL)
        printf(", %s elements", size);
    if (is_true(param, "local_refs"))
        printf(", local references");
    if (cJSON_IsTrue(cJSON_GetObjectItem(param, "allocated_fields"))
        || cJSON_IsArray(cJSON_GetObjectItem(param, "allocated_fields")))
        printf(", its fields, too");
    if (meaning != NULL)
        printf("; NULL is the %s", meaning);
    else if (cJSON_IsTrue(cJSON_GetObjectItem(param, "nullable")))
        printf("; may be NULL");
    if (is_true(param, "alive"))
        printf("; must be alive");
    putchar('\n');
}

/* The table knows conditions as short tags. */
static void
put_error(const cJSON *error)
{
    const char *arg = text_or_null(error, "arg"), *cond = text_or_null(error, "cond");

    if (cond != NULL)
        cond = strcmp(cond, "lt 0") == 0 ? "negative"
            : strcmp(cond, "null") == 0 ? "NULL" : cond;
    printf(arg != NULL || cond != NULL ? "    %-22s %s%s%s" : "    %s",
           text(error, "error") + strlen("JVMTI_ERROR_"), arg != NULL ? arg : "",
           arg != NULL && cond != NULL ? ": " : "", cond != NULL ? cond : "");
    if (text_or_null(error, "since") != NULL)
        printf(" (since %s)", text(error, "since"));
    putchar('\n');
}

static void
put_function(const struct facts *facts, const cJSON *function)
{
    const cJSON *capabilities = list(function, "capabilities");
    const char *name = text(function, "name");

    printf("@%s %d\n", name, number(function, "number"));
    printf("%s: %s, function %d, since %s\n\n", name, text(function, "category"),
           number(function, "number"), text(function, "since"));
    printf("    jvmtiError %s(jvmtiEnv *env", name);
    for EACH(param, list(function, "parameters")) {
        const char *type = text(param, "type");
        size_t stars = strlen(type);

        while (stars > 0 && type[stars - 1] == '*')
            stars--;
        if (strcmp(type, "...") == 0)
            printf(", ...");
        else
            printf(",\n        %.*s %s%s", (int)stars, type, type + stars,
                   text(param, "name"));
    }
    printf(")\n\n");
    put_list("Phases", list(function, "phase"), "any");
    put_list("Requires", list(capabilities, "required"), "no capability");
    if (list(capabilities, "optional")->child != NULL)
        put_list("Better with", list(capabilities, "optional"), "");
    printf("  %-14s%s\n", "Callbacks",
           strcmp(text(function, "callback_safe"), "yes") == 0
           ? "safe in heap and garbage collection callbacks"
           : "not allowed in heap and garbage collection callbacks");
    if (list(function, "parameters")->child != NULL)
        printf("  Parameters\n");
    for EACH(param, list(function, "parameters"))
        if (strcmp(text(param, "type"), "...") != 0)
            put_parameter(param);
    printf("  Errors, beside those of every function\n");
    /* Where the specification has two reasons that the table does not tell apart, one is
       enough. */
    for EACH(error, list(function, "errors"))
        if (error->prev->next == NULL || !cJSON_Compare(error, error->prev, true))
            put_error(error);
    if (list(function, "errors")->child == NULL)
        printf("    none\n");
    (void)put_advice(facts, name);
}

static void
put_event(const struct facts *facts, const cJSON *event)
{
    const char *name = text(event, "name"), *constant = text(event, "const");

    /* Found as VMInit and as VM_INIT. */
    printf("@%s %s %s %d\n", name, constant + strlen("JVMTI_EVENT_"),
           text(event, "callback_typedef"),
           number(event, "number"));
    printf("%s: event %s (%d), since %s\n\n    void %s(", name, constant,
           number(event, "number"), text(event, "since"), name);
    for EACH(param, list(event, "params")) {
        const char *type = text(param, "type");
        size_t stars = strlen(type);

        while (stars > 0 && type[stars - 1] == '*')
            stars--;
        printf("%s\n        %.*s %s%s", param->prev != NULL && param->prev->next != NULL
               ? "," : "", (int)stars, type, type + stars, text(param, "name"));
    }
    printf(")\n\n");
    put_list("Phases", list(event, "phase"), "any");
    put_list("Requires", list(list(event, "capabilities"), "required"),
             "no capability");
    printf("  %-14s%s\n", "Enabled", is_true(event, "thread_scoped")
           ? "for all threads or for one" : "for all threads only");
    (void)put_advice(facts, name);
}

static bool
has_word(const cJSON *words, const char *name)
{
    for EACH(word, words)
        if (cJSON_IsString(word) && strcmp(word->valuestring, name) == 0)
            return true;
    return false;
}

/* A list of the functions, or events, that choose(entry, name) picks. */
static void
put_chosen(const char *head, const cJSON *entries, const char *name,
           bool choose(const cJSON *entry, const char *name))
{
    cJSON *chosen = cJSON_CreateArray();

    for EACH(entry, entries)
        if (choose(entry, name))
            cJSON_AddItemToArray(chosen, cJSON_CreateString(text(entry, "name")));
    if (chosen->child != NULL)
        put_list(head, chosen, "");
    cJSON_Delete(chosen);
}

static bool
requires(const cJSON *entry, const char *name)
{
    return has_word(list(list(entry, "capabilities"), "required"), name);
}

static bool
gains(const cJSON *entry, const char *name)
{
    return has_word(list(list(entry, "capabilities"), "optional"), name);
}

static bool
reports(const cJSON *entry, const char *name)
{
    for EACH(error, list(entry, "errors"))
        if (strcmp(text(error, "error"), name) == 0)
            return true;
    return false;
}

static bool
is_of_phase(const cJSON *entry, const char *name)
{
    const cJSON *phases = list(entry, "phase");

    return has_word(phases, name) || has_word(phases, "any");
}

static void
put_capability(const struct facts *facts, const cJSON *capability)
{
    const char *name = text(capability, "name");

    printf("@%s\n%s: capability, since %s\n\n", name, name, text(capability, "since"));
    put_chosen("Functions", list(facts->jvmti, "functions"), name, requires);
    put_chosen("Events", list(facts->jvmti, "events"), name, requires);
    put_chosen("Improves", list(facts->jvmti, "functions"), name, gains);
    (void)put_advice(facts, name);
}

static void
put_error_entry(const struct facts *facts, const cJSON *error)
{
    const char *name = error->string, *brief = name + strlen("JVMTI_ERROR_");

    printf("@%s %d\n%s: error %d\n\n", brief, number(error, "number"), name,
           number(error, "number"));
    if (is_true(error, "universal"))
        printf("  Every function may answer it.\n");
    else
        put_chosen("Functions", list(facts->jvmti, "functions"), name, reports);
    (void)put_advice(facts, brief);
}

/* "live" of JVMTI_PHASE_LIVE; name has room for 32 characters. */
static void
phase_name(const char *constant, char *name)
{
    for (const char *c = constant + strlen("JVMTI_PHASE_"); *c != '\0'; c++)
        *name++ = (char)tolower((unsigned char)*c);
    *name = '\0';
}

static void
put_phase(const struct facts *facts, const char *constant)
{
    char name[32];

    phase_name(constant, name);
    printf("@%s\n%s: phase %s\n\n", name, constant, name);
    put_chosen("Functions", list(facts->jvmti, "functions"), name, is_of_phase);
    put_chosen("Events", list(facts->jvmti, "events"), name, is_of_phase);
    (void)put_advice(facts, name);
}

static int
count_of_phase(const cJSON *entries, const char *name)
{
    int count = 0;

    for EACH(entry, entries)
        count += is_of_phase(entry, name);
    return count;
}

/* What all phases have in common; the table has them in the order of a VM's life. */
static void
put_phases(const struct facts *facts, const cJSON *phases)
{
    printf("@phase phases\nphase: where a VM is in its life, in this order\n\n");
    for EACH(phase, phases) {
        char name[32];

        phase_name(phase->string, name);
        printf("  %-14s%s: %d functions, %d events\n", name, phase->string,
               count_of_phase(list(facts->jvmti, "functions"), name),
               count_of_phase(list(facts->jvmti, "events"), name));
    }
    (void)put_advice(facts, "phase");
}

void
gen_explain(const struct facts *facts)
{
    const cJSON *phases = list(cJSON_GetObjectItemCaseSensitive(
        list(facts->jvmti, "enums"), "jvmtiPhase"), "values");

    for EACH(function, list(facts->jvmti, "functions"))
        put_function(facts, function);
    for EACH(function, list(facts->jvmti, "later"))
        put_function(facts, function);
    for EACH(event, list(facts->jvmti, "events"))
        put_event(facts, event);
    for EACH(capability, list(facts->jvmti, "capabilities"))
        put_capability(facts, capability);
    for EACH(error, list(facts->jvmti, "errors"))
        put_error_entry(facts, error);
    put_phases(facts, phases);
    for EACH(phase, phases)
        put_phase(facts, phase->string);
    gen_explain_jni(facts);
}
