/* SPDX-License-Identifier: MIT */
/*
 * entries.h and entries.c: minivm's table of JVM TI functions.
 *
 * For each function of the facts this writes a wrapper, entry_<Name>, to which the
 * table points.  It checks the environment, the phase and the capabilities, then each
 * argument by its kind, and calls the body, jvmti_<Name>, which a person has written in
 * minivm/jvmti.  The body's parameters follow from the facts, too: a reference or an id
 * arrives as what it names, for example a jclass as struct class *.
 *
 * The list minivm/jvmti/implemented.txt says which bodies exist and what else each of
 * them gets or returns.  minivm/jvmti/wrapper.h tells the way of a call.
 */
#include "gen.h"

#include <ctype.h>
#include <string.h>

/*
 * The kinds of parameters that name something of the VM.  type is what the body gets,
 * resolver the function of wrapper.h that finds it.  class is the class of which an
 * object must be an instance; it is NULL where the resolver knows it.
 */
static const struct kind {
    const char *name, *type, *resolver, *class;
} resolved_kinds[] = {
    { "thread", "const struct target *", "jvmti_resolve_thread", NULL },
    { "class", "struct class *", "jvmti_resolve_class", NULL },
    { "method", "struct method_version *", "jvmti_resolve_method", NULL },
    { "field", "struct field *", "jvmti_resolve_field", NULL },
    { "object", "struct object *", "jvmti_resolve_instance", "Object" },
    { "group", "struct object *", "jvmti_resolve_instance", "ThreadGroup" },
    { "module", "struct object *", "jvmti_resolve_instance", "Module" },
    { "loader", "struct object *", "jvmti_resolve_instance", "ClassLoader" },
    { "monitor", "struct monitor *", "jvmti_resolve_monitor", NULL },
};

static const struct kind *
resolved_kind(const cJSON *param)
{
    for (size_t i = 0; i < sizeof resolved_kinds / sizeof *resolved_kinds; i++)
        if (strcmp(text(param, "kind"), resolved_kinds[i].name) == 0)
            return &resolved_kinds[i];
    return NULL;
}

static bool
has_kind(const cJSON *param, const char *kind)
{
    return strcmp(text(param, "kind"), kind) == 0;
}

/* Returns the text behind name in its line of the list of implemented functions, or
   NULL if the list has no such line. */
static const char *
implemented(const struct facts *facts, const char *name)
{
    size_t length = strlen(name);
    const char *at = facts->implemented;

    if (at == NULL)
        fail("this product needs the list of implemented functions");
    while ((at = strstr(at, name)) != NULL) {
        if ((at == facts->implemented || at[-1] == '\n')
            && strchr(" \n", at[length]) != NULL)
            return at + length;
        at += length;
    }
    return NULL;
}

static bool
is_implemented(const struct facts *facts, const char *name)
{
    return implemented(facts, name) != NULL;
}

/* Returns true if the function's line of the list has the mark, a word with a space
   before it, behind the function's name.  The head of the list explains the marks. */
static bool
has_mark(const struct facts *facts, const cJSON *function, const char *mark)
{
    const char *rest = implemented(facts, text(function, "name"));
    const char *at = rest != NULL ? strstr(rest, mark) : NULL;

    return at != NULL && (size_t)(at - rest) < strcspn(rest, "\n");
}

/* Returns the parameter whose value the body returns, which is the last one of a
   function with the mark "value"; NULL for other functions, whose bodies return a
   jvmtiError. */
static const cJSON *
returned(const struct facts *facts, const cJSON *function)
{
    const cJSON *param = list(function, "parameters")->child;

    if (!has_mark(facts, function, " value"))
        return NULL;
    while (param->next != NULL)
        param = param->next;
    return param;
}

/* Returns true if the body gets the argument.  It does not get the class in front of a
   field, which serves only to check the field. */
static bool
takes(const struct facts *facts, const cJSON *function, const cJSON *param)
{
    return !has_kind(param, "rest") && param != returned(facts, function)
           && !(has_kind(param, "class") && param->next != NULL
                && has_kind(param->next, "field"));
}

/* Fills table with the functions by their slots, those of later levels that are
   implemented as well, and returns the last slot.  The header has no names for these. */
static int
all_by_slot(const struct facts *facts, const cJSON *table[256])
{
    int last = functions_by_slot(facts, table);

    for EACH(function, list(facts->jvmti, "later"))
        if (is_implemented(facts, text(function, "name")))
            table[number(function, "number")] = function;
    return last;
}

static bool
is_later(const cJSON *function)
{
    return cJSON_GetObjectItemCaseSensitive(function, "slot") != NULL;
}

/* ---- the header ---- */

static void
put_body_head(const struct facts *facts, const cJSON *function)
{
    const cJSON *value = returned(facts, function);
    const char *separator = "", *type = value ? text(value, "type") : "jvmtiError*";

    put("%.*s jvmti_%s(", (int)strlen(type) - 1, type, text(function, "name"));
    if (has_mark(facts, function, " self")) {
        put("struct thread *self");
        separator = ", ";
    }
    if (has_mark(facts, function, " env")) {
        put("%sstruct jvmti_env *env", separator);
        separator = ", ";
    }
    for EACH(param, list(function, "parameters")) {
        const struct kind *kind = resolved_kind(param);

        if (!takes(facts, function, param))
            continue;
        put("%s", separator);
        separator = ", ";
        if (kind != NULL)
            put("%s%s", kind->type, text(param, "name"));
        else
            put_declaration(text(param, "type"), text(param, "name"));
    }
    put(separator[0] == '\0' ? "void)" : ")");
}

void
gen_entries_h(const struct facts *facts)
{
    const cJSON *table[256];
    int slots = all_by_slot(facts, table);

    put("/* SPDX-License-Identifier: MIT */\n"
        "/* entries.h -- the function table and the bodies behind it, in the order of\n"
        " * the slots.  Generated from sdk/spec/jvmti-21.json. */\n"
        "#ifndef MINIVM_JVMTI_ENTRIES_H\n"
        "#define MINIVM_JVMTI_ENTRIES_H\n"
        "\n"
        "#include <stdbool.h>\n"
        "\n"
        "#include <jvmti.h>\n"
        "\n"
        "struct class;\n"
        "struct method_version;\n"
        "struct field;\n"
        "struct jvmti_env;\n"
        "struct target;\n"
        "struct object;\n"
        "struct monitor;\n"
        "struct thread;\n"
        "\n"
        "/* What the facts say of an event. */\n"
        "struct jvmti_event_info {\n"
        "    const char *name;          /* NULL: no event has this number */\n"
        "    int capability;            /* bit in jvmtiCapabilities, or -1 */\n"
        "    unsigned phases;           /* PHASE_ bits in which it may be sent */\n"
        "    bool thread_scoped;        /* may be switched for one thread */\n"
        "    bool implemented;\n"
        "};\n"
        "\n"
        "/* Indexed by event number minus JVMTI_MIN_EVENT_TYPE_VAL. */\n"
        "extern const struct jvmti_event_info jvmti_event_infos[];\n"
        "/* The capabilities whose functions and events all exist. */\n"
        "extern const jvmtiCapabilities jvmti_implemented_capabilities;\n"
        "extern const struct jvmtiInterface_1_ jvmti_function_table;\n"
        "\n");
    for (int i = 1; i <= slots; i++)
        if (table[i] != NULL) {
            put_body_head(facts, table[i]);
            put(";\n");
        }
    put("\n#endif\n");
}

/* ---- the wrappers ---- */

static void
put_phases(const cJSON *phases)
{
    for EACH(phase, phases) {
        put("%sPHASE_", phase != phases->child ? " | " : "");
        for (const char *c = phase->valuestring; *c != '\0'; c++)
            put("%c", toupper((unsigned char)*c));
    }
}

static void
put_refusal(const char *error)
{
    put("        return %s;\n", error);
}

/* Writes the check that an argument is a value of its enumeration: one comparison with
   each value, or a function's call for the two long enumerations. */
static void
put_enum_check(const struct facts *facts, const cJSON *param)
{
    const char *name = text(param, "name"), *type = text(param, "type");
    const cJSON *group = NULL;

    put("    if (");
    if (strcmp(type, "jvmtiEvent") == 0)
        put("!jvmti_is_event(%s)", name);
    else if (strcmp(type, "jvmtiError") == 0)
        put("tiforge_error_name(%s) == NULL", name);
    else {
        group = list(list(facts->jvmti, "enums"), type);
        for EACH(value, list(group, "values"))
            put("%s%s != %s", value != list(group, "values")->child ? " && " : "", name,
                value->string);
    }
    put(")\n");
    put_refusal(text(param, "error"));
}

/* Writes the negation of a comparison for equality: `count != 0` for `count == 0`. */
static void
put_negated(const char *condition)
{
    const char *equal = strstr(condition, "==");

    if (equal == NULL)
        fail("cannot negate '%s'", condition);
    put("%.*s!=%s", (int)(equal - condition), condition, equal + 2);
}

/* Writes the check of an argument that is no reference: a pointer that must not be
   NULL, an enumeration, or a number with a range. */
static void
put_plain_check(const struct facts *facts, const cJSON *param)
{
    const char *name = text(param, "name");
    bool nullable = is_true(param, "nullable");

    if (has_kind(param, "enum"))
        put_enum_check(facts, param);
    else if (has_kind(param, "count") || has_kind(param, "max")
             || has_kind(param, "depth") || has_kind(param, "slot")) {
        put("    if (%s < 0)\n", name);
        put_refusal(text(param, "error"));
    } else if (has_kind(param, "priority")) {
        put("    if (%s < JVMTI_THREAD_MIN_PRIORITY || %s > JVMTI_THREAD_MAX_PRIORITY)\n",
            name, name);
        put_refusal(text(param, "error"));
    } else if (nullable && text_or_null(param, "null_when") != NULL) {
        put("    if (");
        put_negated(text(param, "null_when"));
        put(" && %s == NULL)\n", name);
        put_refusal("JVMTI_ERROR_NULL_POINTER");
    } else if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(param, "nullable"))) {
        put("    if (%s == NULL)\n", name);
        put_refusal("JVMTI_ERROR_NULL_POINTER");
    }
}

/* Returns the constant of wrapper.h for what NULL means as the argument. */
static const char *
null_policy(const cJSON *param)
{
    if (is_true(param, "null_is_value"))
        return "NULL_IS_NONE";
    if (!is_true(param, "nullable"))
        return "NULL_IS_INVALID";
    return text_or_null(param, "null_means") != NULL ? "NULL_IS_CURRENT" : "NULL_IS_NONE";
}

/* Writes the call of the resolver for a reference or an id. */
static void
put_resolution(const cJSON *function, const cJSON *param, const struct kind *kind)
{
    const char *name = text(param, "name");

    put("    TRY(%s(", kind->resolver);
    if (has_kind(param, "thread"))
        put("&call, %s, %s, %s, ", name, null_policy(param),
            is_true(param, "alive") ? "TARGET_ALIVE" : "TARGET_ANY");
    else if (has_kind(param, "field")) {
        const cJSON *class = list(function, "parameters")->child;

        if (!has_kind(class, "class"))
            fail("the field of '%s' has no class", text(function, "name"));
        put("vm_%s, %s, ", text(class, "name"), name);
    } else if (has_kind(param, "method") || has_kind(param, "monitor"))
        put("%s, ", name);
    else {
        put("&call, %s, %s, ", name, null_policy(param));
        if (kind->class != NULL)
            put("KNOWN_CLASS_%s, %s, ", kind->class, text(param, "error"));
    }
    put("&vm_%s));\n", name);
}

static bool
has_resolved(const cJSON *function)
{
    for EACH(param, list(function, "parameters"))
        if (resolved_kind(param) != NULL)
            return true;
    return false;
}

static void
put_locals(const cJSON *function, bool enters)
{
    put("    struct jvmti_env *env;\n");
    put(enters ? "    struct jvmti_call call JVMTI_CALL;\n"
               : "    bool point JVMTI_POINT;\n");
    for EACH(param, list(function, "parameters")) {
        const struct kind *kind = resolved_kind(param);

        if (has_kind(param, "thread"))
            put("    struct target vm_%s;\n", text(param, "name"));
        else if (kind != NULL)
            put("    %svm_%s;\n", kind->type, text(param, "name"));
    }
    put("\n");
}

static void
put_body_call(const struct facts *facts, const cJSON *function, bool enters)
{
    const char *separator = "";
    const cJSON *value = returned(facts, function);

    put("    BODY(%d);\n", number(function, "number"));
    if (value != NULL)
        put("    *%s = ", text(value, "name"));
    else
        put(enters ? "    return call.error = " : "    return ");
    put("jvmti_%s(", text(function, "name"));
    if (has_mark(facts, function, " self")) {
        put(enters ? "call.self" : "current_thread");
        separator = ", ";
    }
    if (has_mark(facts, function, " env")) {
        put("%senv", separator);
        separator = ", ";
    }
    for EACH(param, list(function, "parameters"))
        if (takes(facts, function, param)) {
            put("%s%s%s%s", separator, has_kind(param, "thread") ? "&" : "",
                resolved_kind(param) != NULL ? "vm_" : "", text(param, "name"));
            separator = ", ";
        }
    put(value ? ");\n    return JVMTI_ERROR_NONE;\n" : ");\n");
}

/* Writes the end of a wrapper whose body does not exist. */
static void
put_no_body(const cJSON *params)
{
    for EACH(param, params)
        if (!has_kind(param, "rest"))
            put("    (void)%s;\n", text(param, "name"));
    put("    return JVMTI_ERROR_NOT_AVAILABLE;\n");
}

/* Writes the whole wrapper.  A function that may be called from a heap callback does
   not enter the VM, since it would wait there for the walk that calls it; so it cannot
   resolve references either, except raw monitors, which are no objects. */
static void
put_wrapper(const struct facts *facts, const cJSON *function)
{
    const cJSON *params = list(function, "parameters");
    const cJSON *phases = list(function, "phase");
    bool enters = strcmp(text(function, "callback_safe"), "yes") != 0;

    put("/* %d %s */\n"
        "static jvmtiError JNICALL\n"
        "entry_%s(jvmtiEnv *handle", number(function, "number"), text(function, "title"),
        text(function, "name"));
    put_parameters(params, true);
    put(")\n{\n");
    put_locals(function, enters);
    put("    TRY(jvmti_check(handle, ");
    put_phases(phases);
    put(", &env));\n");
    for EACH(capability, list(list(function, "capabilities"), "required"))
        put("    REQUIRE(env, %s);\n", capability->valuestring);
    for EACH(param, params)
        put_plain_check(facts, param);
    if (enters)
        put("    TRY(jvmti_enter(&call));\n");
    if (!enters && has_resolved(function))
        for EACH(param, params)
            if (resolved_kind(param) != NULL && !has_kind(param, "monitor"))
                fail("'%s' is callback safe and cannot resolve a reference",
                     text(function, "name"));
    for EACH(param, params)
        if (resolved_kind(param) != NULL)
            put_resolution(function, param, resolved_kind(param));
    if (is_implemented(facts, text(function, "name")))
        put_body_call(facts, function, enters);
    else
        put_no_body(params);
    put("}\n\n");
}

/* ---- tables ---- */

static void
put_event_infos(const struct facts *facts)
{
    put("const struct jvmti_event_info jvmti_event_infos[] = {\n");
    for EACH(event, list(facts->jvmti, "events")) {
        const cJSON *required = list(list(event, "capabilities"), "required");

        put("    [%s - JVMTI_MIN_EVENT_TYPE_VAL] = {\n"
            "        .name = \"%s\",\n", text(event, "const"), text(event, "name"));
        put("        .capability = %d,\n", required->child == NULL ? -1
            : capability_bit(facts, required->child->valuestring));
        put("        .phases = ");
        put_phases(list(event, "phase"));
        put(",\n        .thread_scoped = %s,\n        .implemented = %s,\n    },\n",
            is_true(event, "thread_scoped") ? "true" : "false",
            is_implemented(facts, text(event, "name")) ? "true" : "false");
    }
    put("};\n\n");
}

/* Returns true if all items, which are functions or events, that require the capability
   are implemented.  Sets *any to true if at least one item requires it. */
static bool
all_implemented(const struct facts *facts, const cJSON *items, const char *capability,
                bool *any)
{
    for EACH(item, items)
        for EACH(required, list(list(item, "capabilities"), "required"))
            if (strcmp(required->valuestring, capability) == 0) {
                *any = true;
                if (!is_implemented(facts, text(item, "name")))
                    return false;
            }
    return true;
}

/* Writes the set of capabilities for which everything that requires them exists.  One
   that no function or event requires must be in the list of implemented names. */
static void
put_capabilities(const struct facts *facts)
{
    put("const jvmtiCapabilities jvmti_implemented_capabilities = {\n");
    for EACH(capability, list(facts->jvmti, "capabilities")) {
        const char *name = text(capability, "name");
        bool any = false;

        if (all_implemented(facts, list(facts->jvmti, "functions"), name, &any)
            && all_implemented(facts, list(facts->jvmti, "events"), name, &any)
            && (any || is_implemented(facts, name)))
            put("    .%s = 1,\n", name);
    }
    put("};\n\n");
}

void
gen_entries_c(const struct facts *facts)
{
    const cJSON *table[256];
    int slots = all_by_slot(facts, table);

    put("/* SPDX-License-Identifier: MIT */\n"
        "/* Generated from sdk/spec/jvmti-21.json: the checks before each body. */\n"
        "#include \"jvmti/entries.h\"\n"
        "\n"
        "#include <tiforge_names.h>\n"
        "\n"
        "#include \"jvmti/wrapper.h\"\n"
        "\n");
    for (int i = 1; i <= slots; i++)
        if (table[i] != NULL)
            put_wrapper(facts, table[i]);
    put("const struct jvmtiInterface_1_ jvmti_function_table = {\n");
    for (int i = 1; i <= slots; i++)
        if (table[i] != NULL && is_later(table[i]))
            put("    .reserved%d = (void *)entry_%s,\n", i, text(table[i], "name"));
        else if (table[i] != NULL)
            put("    .%s = entry_%s,\n", text(table[i], "name"), text(table[i], "name"));
    put("};\n\n");
    put_event_infos(facts);
    put_capabilities(facts);
}
