/* SPDX-License-Identifier: MIT */
/* jvmti.h, level 21. */
#include "gen.h"

#include <string.h>

static const char opening[] =
"/* SPDX-License-Identifier: MIT */\n"
"/*\n"
" * jvmti.h -- JVM Tool Interface, level 21.  Generated from sdk/spec/jvmti-21.json.\n"
" *\n"
" * A comment before a member of the function table gives its slot, the phases in which\n"
" * it may be called, the capabilities that it needs, whether a callback of a GC event\n"
" * may call it, and the level that introduced it where that is not 1.0.\n"
" */\n"
"#ifndef _JAVA_JVMTI_H_\n"
"#define _JAVA_JVMTI_H_\n"
"\n"
"#include \"jni.h\"\n"
"\n"
"#ifdef __cplusplus\n"
"extern \"C\" {\n"
"#endif\n"
"\n";

static const char base_types[] =
"struct jvmtiInterface_1_;\n"
"typedef struct jvmtiInterface_1_ jvmtiInterface_1;\n"
"struct _jvmtiEnv;\n"
"#ifdef __cplusplus\n"
"typedef struct _jvmtiEnv jvmtiEnv;\n"
"#else\n"
"typedef const struct jvmtiInterface_1_ *jvmtiEnv;\n"
"#endif\n"
"\n"
"typedef jobject jthread;\n"
"typedef jobject jthreadGroup;\n"
"typedef jlong jlocation;\n"
"struct _jrawMonitorID;\n"
"typedef struct _jrawMonitorID *jrawMonitorID;\n"
"typedef struct JNINativeInterface_ jniNativeInterface;\n"
"\n";

static const char closing[] =
"/* Entry points of an agent library. */\n"
"JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved);\n"
"JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved);\n"
"JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm);\n"
"\n"
"#ifdef __cplusplus\n"
"}\n"
"#endif\n"
"\n"
"#endif\n";

static void
put_versions(const struct facts *facts)
{
    const cJSON *version = list(facts->jvmti, "version");

    put("/* Versions for GetEnv. */\n"
        "enum {\n");
    for EACH(constant, list(facts->jvmti, "versions"))
        put("    %s = %s,\n", text(constant, "name"), text(constant, "value"));
    put("    JVMTI_VERSION = %s\n"
        "};\n\n", text(version, "identifier_21_hex"));
}

static void
put_enums(const struct facts *facts)
{
    for EACH(group, list(facts->jvmti, "enums")) {
        const char *name = text_or_null(group, "typedef");
        const cJSON *values = list(group, "values");

        put("/* %s. */\n%senum {\n", text(group, "label"), name != NULL ? "typedef " : "");
        for EACH(value, values) {
            const char *spelled = text(value, "text");

            put("    %s = ", value->string);
            if (strncmp(spelled, "0x", 2) == 0 && strchr(spelled, ' ') == NULL)
                put("%s", spelled);
            else if (strcmp(text(group, "kind"), "bits") == 0)
                put("0x%04x", (unsigned)number(value, "value"));
            else
                put("%d", number(value, "value"));
            put("%s\n", value->next != NULL ? "," : "");
        }
        put("}%s%s;\n\n", name != NULL ? " " : "", name != NULL ? name : "");
    }
}

static void
put_errors(const cJSON *errors)
{
    int last = 0;

    put("/* Errors. */\n"
        "typedef enum {\n");
    for EACH(error, errors) {
        int value = number(error, "number");

        put("    %s = %d,\n", error->string, value);
        if (value > last)
            last = value;
    }
    put("    JVMTI_ERROR_MAX = %d\n} jvmtiError;\n\n", last);
}

static void
put_event_numbers(const cJSON *events)
{
    int first = 0, last = 0;

    put("/* Events. */\n"
        "typedef enum {\n");
    for EACH(event, events) {
        int value = number(event, "number");

        put("    %s = %d,\n", text(event, "const"), value);
        if (first == 0 || value < first)
            first = value;
        if (value > last)
            last = value;
    }
    put("    JVMTI_MIN_EVENT_TYPE_VAL = %d,\n"
        "    JVMTI_MAX_EVENT_TYPE_VAL = %d\n"
        "} jvmtiEvent;\n\n", first, last);
}

/* `typedef RETURNS (JNICALL *NAME)(PARAMS);` */
static void
put_callback_type(const char *returns, const char *name, const cJSON *params)
{
    put("typedef %s (JNICALL *%s)(", returns, name);
    if (params->child == NULL)
        put("void");
    put_parameters(params, false);
    put(");\n");
}

static void
put_struct_names(const cJSON *structs)
{
    for EACH(item, structs) {
        const char *kind = text(item, "kind");

        put("typedef %s %s %s;\n", kind, item->string, item->string);
    }
    put("\n");
}

static void
put_structs(const cJSON *structs)
{
    for EACH(item, structs) {
        put("%s %s {\n", text(item, "kind"), item->string);
        for EACH(field, list(item, "fields")) {
            put("    ");
            put_declaration(text(field, "type"), text(field, "name"));
            put(";\n");
        }
        put("};\n\n");
    }
}

static void
put_capabilities(const struct facts *facts)
{
    const cJSON *layout = list(facts->jvmti, "capabilities_layout");

    put("/* Capabilities. */\n"
        "typedef struct {\n");
    for EACH(capability, list(facts->jvmti, "capabilities"))
        put("    unsigned int %s : 1;\n", text(capability, "name"));
    for EACH(padding, list(layout, "padding"))
        put("    unsigned int : %d;\n", padding->valueint);
    put("} jvmtiCapabilities;\n\n");
}

static void
put_event_types(const struct facts *facts)
{
    put("/* Event callbacks. */\n"
        "typedef void (JNICALL *jvmtiEventReserved)(void);\n");
    for EACH(event, list(facts->jvmti, "events"))
        put_callback_type("void", text(event, "callback_typedef"), list(event, "params"));
    put("\n");
}

/* The comment before a function: what an agent looks up most. */
static void
put_function_facts(const cJSON *function)
{
    const cJSON *required = list(list(function, "capabilities"), "required");

    put("    /* %d %s; ", number(function, "number"), text(function, "title"));
    for EACH(phase, list(function, "phase"))
        put("%s%s", phase->valuestring, phase->next != NULL ? ", " : "");
    for EACH(capability, required)
        put("%s%s", capability == required->child ? ";\n       " : ", ",
            capability->valuestring);
    if (strcmp(text(function, "callback_safe"), "yes") == 0)
        put("; callback safe");
    if (strcmp(text(function, "since"), "1.0") != 0)
        put("; since %s", text(function, "since"));
    put(" */\n");
}

static void
put_table(const cJSON *const table[256], int slots)
{
    put("/* The function table. */\n"
        "struct jvmtiInterface_1_ {\n");
    for (int i = 1; i <= slots; i++) {
        if (table[i] == NULL) {
            put("\n    /* %d */\n    void *reserved%d;\n", i, i);
            continue;
        }
        put("\n");
        put_function_facts(table[i]);
        put("    jvmtiError (JNICALL *%s)(jvmtiEnv *env", text(table[i], "name"));
        put_parameters(list(table[i], "parameters"), true);
        put(");\n");
    }
    put("};\n\n");
}

static void
put_members(const cJSON *const table[256], int slots)
{
    put("struct _jvmtiEnv {\n"
        "    const struct jvmtiInterface_1_ *functions;\n"
        "#ifdef __cplusplus\n");
    for (int i = 1; i <= slots; i++) {
        const cJSON *params;

        if (table[i] == NULL)
            continue;
        params = list(table[i], "parameters");
        put("\n    jvmtiError\n    %s(", text(table[i], "name"));
        put_parameters(params, false);
        put(")\n    {\n        return functions->%s(this", text(table[i], "name"));
        for EACH(param, params)
            if (strcmp(text(param, "name"), "...") != 0)
                put(", %s", text(param, "name"));
        put(");\n    }\n");
    }
    put("#endif\n};\n\n");
}

void
gen_jvmti_h(const struct facts *facts)
{
    const cJSON *table[256];
    int slots = functions_by_slot(facts, table);

    put("%s", opening);
    put_versions(facts);
    put("%s", base_types);
    put_enums(facts);
    put_errors(list(facts->jvmti, "errors"));
    put_event_numbers(list(facts->jvmti, "events"));
    put_struct_names(list(facts->jvmti, "structs"));
    put("/* Callbacks that functions take. */\n");
    for EACH(callback, list(facts->jvmti, "callbacks"))
        put_callback_type(text(callback, "returns"), callback->string,
                          list(callback, "params"));
    put("\n");
    put_event_types(facts);
    put_structs(list(facts->jvmti, "structs"));
    put_capabilities(facts);
    put_table(table, slots);
    put_members(table, slots);
    put("%s", closing);
}
