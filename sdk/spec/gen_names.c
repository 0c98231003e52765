/* SPDX-License-Identifier: MIT */
/* tiforge_names: the table's constants as text, for messages. */
#include "gen.h"

#include <string.h>

static const char opening[] =
"/* SPDX-License-Identifier: MIT */\n"
"/*\n"
" * tiforge_names.h -- names of JVM TI constants.  Generated from sdk/spec/jvmti-21.json.\n"
" *\n"
" * Each function answers a static string, or NULL for a value that level 21 does not\n"
" * define.  None blocks or fails.\n"
" */\n"
"#ifndef TIFORGE_NAMES_H\n"
"#define TIFORGE_NAMES_H\n"
"\n"
"#include <jvmti.h>\n"
"\n"
"#ifdef __cplusplus\n"
"extern \"C\" {\n"
"#endif\n"
"\n"
"/* \"JVMTI_ERROR_NULL_POINTER\" for 100. */\n"
"const char *tiforge_error_name(jvmtiError error);\n"
"\n"
"/* \"VMInit\" for JVMTI_EVENT_VM_INIT: the callback's name in jvmtiEventCallbacks. */\n"
"const char *tiforge_event_name(jvmtiEvent event);\n"
"\n"
"/* \"live\" for JVMTI_PHASE_LIVE, likewise onload, primordial, start, dead. */\n"
"const char *tiforge_phase_name(jvmtiPhase phase);\n"
"\n"
"/* \"GetPhase\" for slot 133 of the function table, counted from 1; NULL if reserved. */\n"
"const char *tiforge_function_name(int slot);\n"
"\n"
"/*\n"
" * Capabilities by position in jvmtiCapabilities, from 0 to\n"
" * TIFORGE_CAPABILITY_COUNT - 1; out of range: NULL, 0, nothing.\n"
" */\n";

static const char closing[] =
"const char *tiforge_capability_name(int index);\n"
"int tiforge_capability_get(const jvmtiCapabilities *capabilities, int index);\n"
"void tiforge_capability_set(jvmtiCapabilities *capabilities, int index, int value);\n"
"\n"
"/*\n"
" * The position of the n-th capability, from 0, that the function or the event of that\n"
" * name requires; -1 when there are no more.  An event requires it to be enabled.\n"
" */\n"
"int tiforge_required_capability(const char *name, int n);\n"
"\n"
"/*\n"
" * The phases in which the function of that name may be called, as in \"onload, live\";\n"
" * NULL if it may be called in any, and if there is no such function.\n"
" */\n"
"const char *tiforge_allowed_phases(const char *name);\n"
"\n"
"#ifdef __cplusplus\n"
"}\n"
"#endif\n"
"\n"
"#endif\n";

void
gen_names_h(const struct facts *facts)
{
    put("%s", opening);
    put("#define TIFORGE_CAPABILITY_COUNT %d\n",
        cJSON_GetArraySize(list(facts->jvmti, "capabilities")));
    put("%s", closing);
}

/* The head of a function that switches over its only parameter. */
static void
put_switch(const char *what, const char *type)
{
    put("const char *\n"
        "tiforge_%s_name(%s %s)\n"
        "{\n"
        "    switch ((int)%s) {\n", what, type, what, what);
}

static void
put_switch_end(void)
{
    put("    default: return NULL;\n"
        "    }\n"
        "}\n\n");
}

static void
put_phases(const cJSON *phases)
{
    static const char prefix[] = "JVMTI_PHASE_";

    put_switch("phase", "jvmtiPhase");
    for EACH(phase, phases) {
        put("    case %s: return \"", phase->string);
        for (const char *c = phase->string + strlen(prefix); *c != '\0'; c++)
            put("%c", *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        put("\";\n");
    }
    put_switch_end();
}

static void
put_capability_access(const cJSON *capabilities)
{
    put("static const char *const capability_names[] = {\n");
    for EACH(capability, capabilities)
        put("    \"%s\",\n", text(capability, "name"));
    put("};\n\n"
        "const char *\n"
        "tiforge_capability_name(int index)\n"
        "{\n"
        "    if (index < 0 || index >= TIFORGE_CAPABILITY_COUNT)\n"
        "        return NULL;\n"
        "    return capability_names[index];\n"
        "}\n\n"
        "int\n"
        "tiforge_capability_get(const jvmtiCapabilities *capabilities, int index)\n"
        "{\n"
        "    switch (index) {\n");
    for EACH(capability, capabilities)
        put("    case %d: return (int)capabilities->%s;\n", number(capability, "bit"),
            text(capability, "name"));
    put("    default: return 0;\n"
        "    }\n"
        "}\n\n"
        "void\n"
        "tiforge_capability_set(jvmtiCapabilities *capabilities, int index, int value)\n"
        "{\n"
        "    unsigned int bit = value != 0;\n\n"
        "    switch (index) {\n");
    for EACH(capability, capabilities)
        put("    case %d: capabilities->%s = bit; break;\n", number(capability, "bit"),
            text(capability, "name"));
    put("    }\n"
        "}\n");
}

static void
put_required_rows(const struct facts *facts, const cJSON *entries)
{
    for EACH(entry, entries)
        for EACH(required, list(list(entry, "capabilities"), "required"))
            put("    { \"%s\", %d },\n", text(entry, "name"),
                capability_bit(facts, required->valuestring));
}

static void
put_required(const struct facts *facts)
{
    put("\nstatic const struct {\n"
        "    const char *name;\n"
        "    int capability;\n"
        "} required[] = {\n");
    put_required_rows(facts, list(facts->jvmti, "functions"));
    put_required_rows(facts, list(facts->jvmti, "events"));
    put("};\n\n"
        "int\n"
        "tiforge_required_capability(const char *name, int n)\n"
        "{\n"
        "    for (unsigned i = 0; i < sizeof required / sizeof *required; i++)\n"
        "        if (strcmp(required[i].name, name) == 0 && n-- == 0)\n"
        "            return required[i].capability;\n"
        "    return -1;\n"
        "}\n");
}

static void
put_allowed(const cJSON *functions)
{
    put("\nstatic const struct {\n"
        "    const char *name, *phases;\n"
        "} allowed[] = {\n");
    for EACH(function, functions) {
        const cJSON *phases = list(function, "phase");

        if (strcmp(phases->child->valuestring, "any") == 0)
            continue;
        put("    { \"%s\", \"", text(function, "name"));
        for EACH(phase, phases)
            put("%s%s", phase != phases->child ? ", " : "", phase->valuestring);
        put("\" },\n");
    }
    put("};\n\n"
        "const char *\n"
        "tiforge_allowed_phases(const char *name)\n"
        "{\n"
        "    for (unsigned i = 0; i < sizeof allowed / sizeof *allowed; i++)\n"
        "        if (strcmp(allowed[i].name, name) == 0)\n"
        "            return allowed[i].phases;\n"
        "    return NULL;\n"
        "}\n");
}

void
gen_names_c(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* Generated from sdk/spec/jvmti-21.json. */\n"
        "#include <tiforge_names.h>\n\n"
        "#include <string.h>\n\n");
    put_switch("error", "jvmtiError");
    for EACH(error, list(facts->jvmti, "errors"))
        put("    case %s:\n        return \"%s\";\n", error->string, error->string);
    put_switch_end();
    put_switch("event", "jvmtiEvent");
    for EACH(event, list(facts->jvmti, "events"))
        put("    case %s: return \"%s\";\n", text(event, "const"), text(event, "name"));
    put_switch_end();
    put_phases(list(cJSON_GetObjectItemCaseSensitive(list(facts->jvmti, "enums"),
                                                     "jvmtiPhase"), "values"));
    put("const char *\n"
        "tiforge_function_name(int slot)\n"
        "{\n"
        "    switch (slot) {\n");
    for EACH(function, list(facts->jvmti, "functions"))
        put("    case %d: return \"%s\";\n", number(function, "number"),
            text(function, "name"));
    put_switch_end();
    put_capability_access(list(facts->jvmti, "capabilities"));
    put_required(facts);
    put_allowed(list(facts->jvmti, "functions"));
}
