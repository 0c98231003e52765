/* SPDX-License-Identifier: MIT */
/*
 * calls.c and callbacks.c: the tables of minivm/fuzz/calls, each function with one that
 * calls it, each event with a callback.
 */
#include "gen.h"

#include <string.h>

char
representation(const char *type)
{
    if (strchr(type, '*') != NULL || strcmp(type, "jvmtiEventCallbacks") == 0)
        return 'p';
    if (strcmp(type, "jlong") == 0 || strcmp(type, "jlocation") == 0)
        return 'j';
    if (strcmp(type, "jfloat") == 0)
        return 'f';
    if (strcmp(type, "jdouble") == 0)
        return 'd';
    if (strcmp(type, "jint") == 0 || strcmp(type, "jsize") == 0
        || strcmp(type, "jboolean") == 0 || strcmp(type, "jbyte") == 0
        || strcmp(type, "jchar") == 0 || strcmp(type, "jshort") == 0
        || strcmp(type, "char") == 0 || strcmp(type, "jobjectRefType") == 0
        || strcmp(type, "jvmtiEvent") == 0 || strcmp(type, "jvmtiEventMode") == 0
        || strcmp(type, "jvmtiError") == 0 || strcmp(type, "jvmtiVerboseFlag") == 0
        || strcmp(type, "jvmtiHeapObjectFilter") == 0)
        return 'i';
    return 'p';
}

static bool
is_rest(const cJSON *param)
{
    return strcmp(text(param, "type"), "...") == 0;
}

int
capability_bit(const struct facts *facts, const char *name)
{
    for EACH(capability, list(facts->jvmti, "capabilities"))
        if (strcmp(text(capability, "name"), name) == 0)
            return number(capability, "bit");
    fail("no capability '%s'", name);
}

unsigned
phase_bits(const cJSON *phases)
{
    static const struct { const char *name; unsigned bits; } names[] = {
        { "onload", 1u << 1 }, { "primordial", 1u << 2 }, { "start", 1u << 6 },
        { "live", 1u << 4 }, { "any", 1u << 1 | 1u << 2 | 1u << 6 | 1u << 4 | 1u << 8 }
    };
    unsigned bits = 0;

    for EACH(phase, phases) {
        size_t i = 0;

        while (i < sizeof names / sizeof *names
               && strcmp(names[i].name, phase->valuestring) != 0)
            i++;
        if (i == sizeof names / sizeof *names)
            fail("unknown phase '%s'", phase->valuestring);
        bits |= names[i].bits;
    }
    return bits;
}

static const char *
null_name(const cJSON *param)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(param, "nullable");

    if (cJSON_IsTrue(item))
        return "NULL_ALLOWED";
    if (cJSON_IsFalse(item))
        return "NULL_REFUSED";
    return cJSON_IsString(item) && strcmp(item->valuestring, "unknown") == 0
               ? "NULL_UNKNOWN" : "NULL_NO_POINTER";
}

static void
put_parameter(const char *name, const char *type, const char *kind, char direction,
              const char *null)
{
    put("        { \"%s\", \"%s\", '%c', \"%s\", '%c', %s },\n", name, type,
        representation(type), kind, direction, null);
}

/* ---- JVM TI ---- */

/* Its errors are those of its rows, and those that checks of its parameters give. */

static void
put_jvmti_call(const cJSON *function)
{
    int i = 0;

    put("static jvmtiError\njvmti_%s(jvmtiEnv *env, const union value *a)\n"
        "{\n    (void)a;\n    return (*env)->%s(env", text(function, "name"),
        text(function, "name"));
    for EACH(param, list(function, "parameters"))
        if (!is_rest(param)) {
            put(", (%s)a[%d].%c", text(param, "type"), i,
                representation(text(param, "type")));
            i++;
        }
    put(");\n}\n\n");
}

static void
put_jvmti_function(const struct facts *facts, const cJSON *function)
{
    const cJSON *capabilities = list(function, "capabilities");
    const cJSON *required = list(capabilities, "required");
    int bits[2] = { -1, -1 }, count = 0;

    for EACH(capability, required) {
        if (count == 2)
            fail("'%s' needs too many capabilities", text(function, "name"));
        bits[count++] = capability_bit(facts, capability->valuestring);
    }
    count = 0;
    for EACH(param, list(function, "parameters"))
        count += !is_rest(param);
    put("    { \"%s\", 0x%x, %s, %s, { %d, %d },\n      (const jvmtiError[]){ ",
        text(function, "name"), phase_bits(list(function, "phase")),
        strcmp(text(function, "callback_safe"), "no") != 0 ? "true" : "false",
        list(capabilities, "optional")->child != NULL
            || cJSON_GetObjectItemCaseSensitive(capabilities, "event_enabling") != NULL
            ? "true" : "false", bits[0], bits[1]);
    for EACH(row, list(function, "errors"))
        put("%s, ", text(row, "error"));
    for EACH(param, list(function, "parameters"))
        if (text_or_null(param, "error") != NULL)
            put("%s, ", text(param, "error"));
    put("JVMTI_ERROR_NONE },\n      %d, {\n", count);
    for EACH(param, list(function, "parameters")) {
        const char *direction = text(param, "dir");

        if (!is_rest(param))
            put_parameter(text(param, "name"), text(param, "type"), text(param, "kind"),
                          strcmp(direction, "allocated-out") == 0 ? 'a' : direction[0],
                          null_name(param));
    }
    if (count == 0)
        put("        { 0 }\n");
    put("      }, jvmti_%s },\n", text(function, "name"));
}

static void
put_jvmti(const struct facts *facts)
{
    const cJSON *table[256];
    int slots = functions_by_slot(facts, table), count = 0;

    for (int i = 1; i <= slots; i++)
        if (table[i] != NULL)
            put_jvmti_call(table[i]);
    put("const struct jvmti_function jvmti_functions[] = {\n");
    for (int i = 1; i <= slots; i++)
        if (table[i] != NULL) {
            put_jvmti_function(facts, table[i]);
            count++;
        }
    put("};\nconst int jvmti_function_count = %d;\n\n", count);
}

/* ---- JNI ---- */

void
declared_type(const char *declaration, char *type, size_t size)
{
    size_t length = (size_t)(parameter_name(declaration) - declaration);

    while (length > 0 && declaration[length - 1] == ' ')
        length--;
    if (length >= size)
        fail("'%s' is too long", declaration);
    memcpy(type, declaration, length);
    type[length] = '\0';
}

static void
put_jni_arguments(const struct jni_function *function)
{
    for (int i = 0; i < function->count; i++) {
        char type[64];

        declared_type(function->params[i], type, sizeof type);
        put(", (%s)a[%d].%c", type, i, representation(type));
    }
}

/* The arguments of the called method, in one of three forms. */
static void
put_jni_form(char form)
{
    if (form == '.')
        put(", a[VARIADIC_INT].i, a[VARIADIC_LONG].j, a[VARIADIC_DOUBLE].d,"
            " (jobject)a[VARIADIC_OBJECT].p");
    else if (form == 'V')
        put(", args");
    else if (form == 'A')
        put(", values");
}

static void
put_jni_call(const struct jni_function *function)
{
    bool is_void = strcmp(function->returns, "void") == 0;

    if (function->form == 'V')
        put("static void\njni_forward_%s(JNIEnv *jni, const union value *a,"
            " union value *result, ...)\n{\n    va_list args;\n\n"
            "    (void)a, (void)result;\n    va_start(args, result);\n    ",
            function->name);
    else
        put("static void\njni_%s(JNIEnv *jni, const union value *a,"
            " union value *result)\n{\n", function->name);
    if (function->form == 'A')
        put("    const jvalue values[] = {\n"
            "        { .i = a[VARIADIC_INT].i }, { .j = a[VARIADIC_LONG].j },\n"
            "        { .d = a[VARIADIC_DOUBLE].d },"
            " { .l = (jobject)a[VARIADIC_OBJECT].p }\n    };\n\n");
    if (function->form != 'V')
        put("    (void)a, (void)result;\n    ");
    if (!is_void)
        put("result->%c = %s", representation(function->returns),
            strchr(function->returns, '*') != NULL ? "(void *)" : "");
    put("(*jni)->%s(jni", function->name);
    put_jni_arguments(function);
    put_jni_form(function->form);
    put(");\n");
    if (function->form == 'V')
        put("    va_end(args);\n}\n\n"
            "static void\njni_%s(JNIEnv *jni, const union value *a,"
            " union value *result)\n{\n"
            "    jni_forward_%s(jni, a, result, a[VARIADIC_INT].i, a[VARIADIC_LONG].j,"
            " a[VARIADIC_DOUBLE].d, (jobject)a[VARIADIC_OBJECT].p);\n",
            function->name, function->name);
    put("}\n\n");
}

static int jni_functions_put;

static void
put_jni_function(const struct jni_function *function)
{
    put("    { \"%s\", ", function->name);
    put(function->form != '\0' ? "'%c'" : "0", function->form);
    put(", \"%s\", %d, {\n", function->returns, function->count);
    for (int i = 0; i < function->count; i++) {
        char type[64];

        declared_type(function->params[i], type, sizeof type);
        put_parameter(parameter_name(function->params[i]), type, "", 'i',
                      "NULL_NO_POINTER");
    }
    if (function->count == 0)
        put("        { 0 }\n");
    put("      }, jni_%s },\n", function->name);
    jni_functions_put++;
}

/* Functions of later levels are not in a VM's table of 21. */
static void
of_this_level(const struct jni_function *function,
              void each(const struct jni_function *function))
{
    if (function->since <= 21)
        each(function);
}

static void
jni_call_of_level(const struct jni_function *function)
{
    of_this_level(function, put_jni_call);
}

static void
jni_function_of_level(const struct jni_function *function)
{
    of_this_level(function, put_jni_function);
}

/* ---- products ---- */

void
gen_calls_c(const struct facts *facts)
{
    int count = 0;

    put("/* SPDX-License-Identifier: MIT */\n"
        "/* calls.c -- all functions of JVM TI and JNI.  Generated from sdk/spec. */\n"
        "#include \"fuzz/calls/table.h\"\n"
        "\n"
        "#include <stdarg.h>\n"
        "\n");
    put_jvmti(facts);
    each_jni_function(facts, jni_call_of_level);
    put("const struct jni_function jni_functions[] = {\n");
    each_jni_function(facts, jni_function_of_level);
    put("};\nconst int jni_function_count = %d;\n\n", jni_functions_put);
    put("const jvmtiError all_errors[] = {\n");
    for EACH(error, list(facts->jvmti, "errors")) {
        put("    %s,\n", error->string);
        count++;
    }
    put("};\nconst int all_error_count = %d;\n", count);
    count = 0;
    for EACH(capability, list(facts->jvmti, "capabilities"))
        count += number(capability, "bit") >= 0;
    put("const int capability_count = %d;\n", count);
}

static void
put_event(const struct facts *facts, const cJSON *event)
{
    const char *capability = text_or_null(event, "capability");
    int count = 0;

    for EACH(param, list(event, "params"))
        count++;
    put("    { \"%s\", %s, 0x%x, %s, %d, %d, {\n", text(event, "name"),
        text(event, "const"), phase_bits(list(event, "phase")),
        is_true(event, "thread_scoped") ? "true" : "false",
        capability != NULL ? capability_bit(facts, capability) : -1, count - 1);
    for (const cJSON *param = list(event, "params")->child->next; param != NULL;
         param = param->next)
        put_parameter(text(param, "name"), text(param, "type"), "", 'i',
                      "NULL_NO_POINTER");
    if (count == 1)
        put("        { 0 }\n");
    put("      } },\n");
}

static void
put_callback(const cJSON *event, int index)
{
    int i = 0;

    put("static void JNICALL\non_%s(", text(event, "name"));
    put_parameters(list(event, "params"), false);
    put(")\n{\n    const union value a[MAX_ARGUMENTS] = {\n");
    for (const cJSON *param = list(event, "params")->child->next; param != NULL;
         param = param->next) {
        const char *type = text(param, "type");

        if (strcmp(type, "jvalue") != 0)
            put("        [%d] = { .%c = %s%s },\n", i, representation(type),
                strchr(type, '*') != NULL ? "(void *)" : "", text(param, "name"));
        i++;
    }
    put("    };\n\n");
    for (const cJSON *param = list(event, "params")->child; param != NULL;
         param = param->next)
        if (strcmp(text(param, "type"), "jvalue") == 0)
            put("    (void)%s;\n", text(param, "name"));
    put("    event_callback(%s, &events[%d], a);\n}\n\n",
        text(list(event, "params")->child, "name"), index);
}

void
gen_callbacks_c(const struct facts *facts)
{
    int count = 0;

    put("/* SPDX-License-Identifier: MIT */\n"
        "/* callbacks.c -- all events, a callback for each.  Generated from\n"
        " * sdk/spec/jvmti-21.json. */\n"
        "#include \"fuzz/calls/table.h\"\n"
        "\n"
        "const struct event events[] = {\n");
    for EACH(event, list(facts->jvmti, "events")) {
        put_event(facts, event);
        count++;
    }
    put("};\nconst int event_count = %d;\n\n", count);
    count = 0;
    for EACH(event, list(facts->jvmti, "events"))
        put_callback(event, count++);
    put("const jvmtiEventCallbacks event_callbacks = {\n");
    for EACH(event, list(facts->jvmti, "events"))
        put("    .%s = on_%s,\n", text(event, "callback_field"), text(event, "name"));
    put("};\n");
}
