/* SPDX-License-Identifier: MIT */
/*
 * interpose_names.h, interpose_functions.c, interpose_events.c, interpose_jni.c: what
 * layer/interpose puts between an agent and a VM.  Each function of JVM TI and of JNI has
 * a wrapper that tells interpose_call_begin and interpose_call_end (JNI: interpose_jni_begin
 * and interpose_jni_end) of the call, each event a callback that does so with
 * interpose_event_begin and interpose_event_end.
 */
#include "gen.h"

#include <string.h>

static bool
is_rest(const cJSON *param)
{
    return strcmp(text(param, "type"), "...") == 0;
}

/* `{ .p = (void *)(uintptr_t)name }` and the like, a value for union interpose_arg. */
static void
put_value(const char *type, const char *name)
{
    char member = representation(type);

    if (strcmp(type, "jvalue") == 0)
        put("{ .p = &%s }", name);
    else
        put("{ .%c = %s%s }", member, member == 'p' ? "(void *)(uintptr_t)" : "", name);
}

/* ---- JVM TI: functions ---- */

/* Call each for the functions of this level and for those of later levels. */
static void
each_function(const struct facts *facts, void each(const cJSON *function))
{
    for EACH(function, list(facts->jvmti, "functions"))
        each(function);
    for EACH(function, list(facts->jvmti, "later"))
        each(function);
}

/* The function is of a level after that of the header, which has reservedN for it. */
static bool
is_later(const cJSON *function)
{
    return cJSON_GetObjectItemCaseSensitive(function, "slot") != NULL;
}

static void
put_casts(const cJSON *function)
{
    int i = 0;

    for EACH(param, list(function, "parameters"))
        if (!is_rest(param)) {
            put(", (%s)args[%d].%c", text(param, "type"), i,
                representation(text(param, "type")));
            i++;
        }
}

static void
put_wrapper(const cJSON *function)
{
    const char *name = text(function, "name");

    put("static jvmtiError JNICALL\nwrap_%s(jvmtiEnv *env", name);
    put_parameters(list(function, "parameters"), true);
    put(")\n{\n    union interpose_arg args[] = { ");
    for EACH(param, list(function, "parameters"))
        if (!is_rest(param)) {
            put_value(text(param, "type"), text(param, "name"));
            put(", ");
        }
    put("{ .j = 0 } };\n"
        "    struct interpose_call call = { .function = INTERPOSE_%s, .args = args, "
        ".caller = __builtin_return_address(0) };\n\n"
        "    if (interpose_call_begin(&call, env))\n", name);
    if (is_later(function)) {
        put("        call.error = ((jvmtiError (JNICALL *)(jvmtiEnv *");
        for EACH(param, list(function, "parameters"))
            put(", %s", text(param, "type"));
        put("))(*call.real)->reserved%d)(call.real", number(function, "number"));
    } else
        put("        call.error = (*call.real)->%s(call.real", name);
    put_casts(function);
    put(");\n    interpose_call_end(&call);\n    return call.error;\n}\n\n");
}

static const struct facts *all_facts;

/* The place of the parameter that stores the count; -1 if none of that name stores. */
static int
count_parameter(const cJSON *function, const char *name)
{
    int i = 0;

    for EACH(param, list(function, "parameters")) {
        if (strcmp(text(param, "name"), name) == 0)
            return strcmp(text(param, "type"), "jint*") == 0 ? i : -1;
        i++;
    }
    return -1;
}

/* The level that brought it, as GetEnv takes it: JVMTI_VERSION_1_1, JVMTI_VERSION_11. */
static unsigned
level_of(const cJSON *row)
{
    unsigned major = 1, minor = 0;

    if (sscanf(text(row, "since"), "%u.%u", &major, &minor) < 1)
        fail("'%s' is since no level", text(row, "name"));
    return 0x30000000u | major << 16 | minor << 8;
}

/* JVM TI "Heap (1.0)": "These functions and data types were introduced in the original
   JVM TI version 1.0 and have been superseded". */
static bool
is_superseded(const cJSON *function)
{
    const char *category = text_or_null(function, "category");

    return category != NULL && strcmp(category, "Heap (1.0)") == 0;
}

/* Each once: a row may have an error for several parameters. */
static void
put_errors(const cJSON *errors)
{
    if (errors == NULL)
        return;
    for EACH(error, errors) {
        bool is_first = true;

        for (const cJSON *e = errors->child; e != error; e = e->next)
            is_first = is_first && strcmp(text(e, "error"), text(error, "error")) != 0;
        if (is_first)
            put("%s, ", text(error, "error"));
    }
}

static void
put_function_facts(const cJSON *function)
{
    const cJSON *required = list(list(function, "capabilities"), "required");
    int bits[2] = { -1, -1 }, count = 0;

    for EACH(capability, required) {
        if (count == 2)
            fail("'%s' needs too many capabilities", text(function, "name"));
        bits[count++] = capability_bit(all_facts, capability->valuestring);
    }
    count = 0;
    for EACH(param, list(function, "parameters"))
        count += !is_rest(param);
    put("    [INTERPOSE_%s] = {\n        \"%s\", \"%s\", 0x%x, 0x%x, %s, %s, { %d, %d }, %d, {\n",
        text(function, "name"), text(function, "name"), text(function, "title"),
        phase_bits(list(function, "phase")), level_of(function),
        strcmp(text(function, "callback_safe"), "yes") == 0 ? "true" : "false",
        is_superseded(function) ? "true" : "false", bits[0], bits[1], count);
    for EACH(param, list(function, "parameters")) {
        const char *type = text(param, "type"), *size = text_or_null(param, "size");
        const char *direction = text_or_null(param, "dir");
        const cJSON *fields;

        if (is_rest(param))
            continue;
        fields = cJSON_GetObjectItemCaseSensitive(param, "allocated_fields");
        put("            { \"%s\", \"%s\", '%c', \"%s\", %s, %s, %s, %d },\n",
            text(param, "name"), type, representation(type), text(param, "kind"),
            strcmp(direction, "in") != 0 ? "true" : "false",
            strcmp(direction, "allocated-out") == 0 ? "true" : "false",
            fields != NULL || is_true(param, "elements_allocated") ? "true" : "false",
            size != NULL && size[0] == '*' ? count_parameter(function, size + 1) : -1);
    }
    if (count == 0)
        put("            { 0 }\n");
    put("        },\n        (const jvmtiError[]){ ");
    put_errors(cJSON_GetObjectItemCaseSensitive(function, "errors"));
    put("JVMTI_ERROR_NONE } },\n");
}

static void
put_slot(const cJSON *function)
{
    const char *name = text(function, "name");

    if (is_later(function))
        put("    if (table->reserved%d != NULL)\n        table->reserved%d = "
            "(void *)(uintptr_t)wrap_%s;\n", number(function, "number"),
            number(function, "number"), name);
    else
        put("    if (table->%s != NULL)\n        table->%s = wrap_%s;\n", name, name, name);
}

static int last_slot;

static void
put_function_number(const cJSON *function)
{
    put("    INTERPOSE_%s = %d,\n", text(function, "name"), number(function, "number"));
    if (number(function, "number") > last_slot)
        last_slot = number(function, "number");
}

void
gen_interpose_functions_c(const struct facts *facts)
{
    all_facts = facts;
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* interpose_functions.c -- all functions of JVM TI, a wrapper for each.  Generated"
        " from\n * sdk/spec/jvmti-21.json. */\n"
        "#include \"layer/interpose/wrappers.h\"\n\n");
    each_function(facts, put_wrapper);
    put("const struct interpose_function interpose_functions[INTERPOSE_FUNCTION_COUNT] = "
        "{\n");
    each_function(facts, put_function_facts);
    put("};\n\n"
        "/* A slot that the VM leaves empty stays empty. */\n"
        "void\ninterpose_fill_functions(jvmtiInterface_1 *table)\n{\n");
    each_function(facts, put_slot);
    put("}\n\nconst char *const interpose_capabilities[] = {\n");
    for EACH(capability, list(facts->jvmti, "capabilities"))
        if (number(capability, "bit") >= 0)
            put("    [%d] = \"%s\",\n", number(capability, "bit"),
                text(capability, "name"));
    put("};\n\nconst jint interpose_capability_levels[] = {\n");
    for EACH(capability, list(facts->jvmti, "capabilities"))
        if (number(capability, "bit") >= 0)
            put("    [%d] = 0x%x,\n", number(capability, "bit"), level_of(capability));
    put("};\nconst int interpose_capability_count =\n"
        "    (int)(sizeof interpose_capabilities / sizeof interpose_capabilities[0]);\n");
}

/* ---- JVM TI: events ---- */

static bool
has_jni(const cJSON *event)
{
    for EACH(param, list(event, "params"))
        if (strcmp(text(param, "type"), "JNIEnv*") == 0)
            return true;
    return false;
}

static bool
is_environment(const cJSON *param)
{
    return strcmp(text(param, "type"), "jvmtiEnv*") == 0
        || strcmp(text(param, "type"), "JNIEnv*") == 0;
}

static int
value_count(const cJSON *event)
{
    int count = 0;

    for EACH(param, list(event, "params"))
        count += !is_environment(param);
    return count;
}

/* The rest of a row: the parameters that are values. */
static void
put_event_values(const cJSON *event)
{
    for EACH(param, list(event, "params"))
        if (!is_environment(param))
            put(" { \"%s\", \"%s\", '%c' },", text(param, "name"), text(param, "type"),
                representation(text(param, "type")));
    put("%s } },\n", value_count(event) == 0 ? " { 0 }" : "");
}

static void
put_event_wrapper(const cJSON *event)
{
    const char *field = text(event, "callback_field");
    int count;

    put("static void JNICALL\non_%s(", field);
    put_parameters(list(event, "params"), false);
    put(")\n{\n    union interpose_arg args[] = { ");
    for EACH(param, list(event, "params"))
        if (!is_environment(param)) {
            put_value(text(param, "type"), text(param, "name"));
            put(", ");
        }
    put("{ .j = 0 } };\n"
        "    struct interpose_event event = { .facts = &interpose_events[%s - "
        "JVMTI_MIN_EVENT_TYPE_VAL], .args = args };\n"
        "    int copies = interpose_event_begin(&event, jvmti_env, %s);\n"
        "    jvmtiEvent%s callback = __atomic_load_n(&event.env->callbacks.%s, "
        "__ATOMIC_ACQUIRE);\n\n"
        "    while (callback != NULL && copies-- > 0)\n"
        "        callback(", text(event, "const"), has_jni(event) ? "jni_env" : "NULL",
        field, field);
    count = 0;
    for EACH(param, list(event, "params")) {
        const char *type = text(param, "type");

        if (strcmp(type, "jvmtiEnv*") == 0)
            put("&event.env->functions");
        else if (strcmp(type, "JNIEnv*") == 0)
            put(", event.jni");
        else if (strcmp(type, "jvalue") == 0) {
            put(", %s", text(param, "name"));
            count++;
        } else
            put(", (%s)args[%d].%c", type, count++, representation(type));
    }
    put(");\n    interpose_event_end(&event);\n}\n\n");
}

void
gen_interpose_events_c(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* interpose_events.c -- all events, a callback for each.  Generated from\n"
        " * sdk/spec/jvmti-21.json. */\n"
        "#include \"layer/interpose/wrappers.h\"\n\n"
        "#include <stddef.h>\n\n");
    for EACH(event, list(facts->jvmti, "events"))
        put_event_wrapper(event);
    put("const struct interpose_event_facts interpose_events[INTERPOSE_EVENT_COUNT] = {\n");
    for EACH(event, list(facts->jvmti, "events")) {
        const char *capability = text_or_null(event, "capability");

        put("    [%s - JVMTI_MIN_EVENT_TYPE_VAL] = { \"%s\", \"%s\", %s, 0x%x, 0x%x, %d, %s, "
            "%s, offsetof(jvmtiEventCallbacks, %s), %d, {", text(event, "const"),
            text(event, "name"), text(event, "title"), text(event, "const"),
            phase_bits(list(event, "phase")), level_of(event),
            capability != NULL ? capability_bit(facts, capability) : -1,
            is_true(event, "thread_scoped") ? "true" : "false",
            has_jni(event) ? "true" : "false", text(event, "callback_field"),
            value_count(event));
        put_event_values(event);
    }
    put("};\n\n"
        "void\ninterpose_fill_callbacks(jvmtiEventCallbacks *callbacks)\n{\n");
    for EACH(event, list(facts->jvmti, "events"))
        put("    if (callbacks->%s != NULL)\n        callbacks->%s = on_%s;\n",
            text(event, "callback_field"), text(event, "callback_field"),
            text(event, "callback_field"));
    put("}\n");
}

/* ---- extensions ---- */

#define EXTENSIONS 24
#define EXTENSION_PARAMETERS "uintptr_t w0, uintptr_t w1, uintptr_t w2, uintptr_t w3, " \
    "uintptr_t w4, double d0, double d1, double d2, double d3, double d4, double d5, " \
    "double d6, double d7, uintptr_t w5, uintptr_t w6"
#define EXTENSION_ARGUMENTS "{ { w0, w1, w2, w3, w4, w5, w6 }, " \
    "{ d0, d1, d2, d3, d4, d5, d6, d7 } }"

static void
put_extension(int place)
{
    put("static jvmtiError JNICALL\nextension_%d(jvmtiEnv *env, " EXTENSION_PARAMETERS
        ")\n{\n    const struct extension_args args = " EXTENSION_ARGUMENTS ";\n\n"
        "    return interpose_extension_call(%d, env, &args);\n}\n\n", place, place);
    put("static void JNICALL\nextension_event_%d(jvmtiEnv *env, " EXTENSION_PARAMETERS
        ")\n{\n    struct extension_args args = " EXTENSION_ARGUMENTS ";\n\n"
        "    interpose_extension_event(%d, env, &args);\n}\n\n", place, place);
}

void
gen_interpose_extensions_c(const struct facts *facts)
{
    (void)facts;
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* interpose_extensions.c -- wrappers of extension functions and of callbacks of\n"
        " * extension events.  Generated. */\n"
        "#include \"layer/interpose/extension.h\"\n\n");
    for (int i = 0; i < EXTENSIONS; i++)
        put_extension(i);
    put("const jvmtiExtensionFunction "
        "interpose_extension_functions[INTERPOSE_EXTENSIONS] = {\n");
    for (int i = 0; i < EXTENSIONS; i++)
        put("    (jvmtiExtensionFunction)(uintptr_t)extension_%d,\n", i);
    put("};\n\nconst jvmtiExtensionEvent "
        "interpose_extension_events[INTERPOSE_EXTENSIONS] = {\n");
    for (int i = 0; i < EXTENSIONS; i++)
        put("    (jvmtiExtensionEvent)(uintptr_t)extension_event_%d,\n", i);
    put("};\n");
}

/* ---- JNI ---- */

/* JNI "Exceptions": functions that may be called while an exception is pending. */
static bool
is_for_pending(const char *name)
{
    static const char *const names[] = {
        "ExceptionOccurred", "ExceptionDescribe", "ExceptionClear", "ExceptionCheck",
        "DeleteLocalRef", "DeleteGlobalRef", "DeleteWeakGlobalRef", "MonitorExit",
        "PushLocalFrame", "PopLocalFrame", "FatalError"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return strncmp(name, "Release", 7) == 0;
}

static void
put_jni_number(const struct jni_function *function)
{
    put("    INTERPOSE_JNI_%s = %d,\n", function->name, function->slot);
}

/* Does it give a local reference? */
static bool
gives_local(const struct jni_function *function)
{
    const char *type = function->returns;
    size_t length = strlen(type);

    return strcmp(function->name, "NewGlobalRef") != 0
        && (strcmp(type, "jobject") == 0 || strcmp(type, "jclass") == 0
            || strcmp(type, "jstring") == 0 || strcmp(type, "jthrowable") == 0
            || (length > 5 && strcmp(type + length - 5, "Array") == 0));
}

/* How the checks see the arguments of the Java method: the array, or the list, which
   they copy before they read it. */
static void
put_rest(const struct jni_function *function)
{
    switch (function->form) {
    case '.':
        put("    va_list rest;\n\n    va_start(rest, %s);\n    call.rest = &rest;\n",
            parameter_name(function->params[function->count - 1]));
        break;
    case 'V':
        put("    va_list copy;\n\n    va_copy(copy, rest);\n    call.rest = &copy;\n");
        break;
    case 'A':
        put("\n    call.values = rest;\n");
        break;
    default:
        put("\n");
        break;
    }
}

static void
put_jni_wrapper(const struct jni_function *function)
{
    bool is_void = strcmp(function->returns, "void") == 0;
    char member = is_void ? 'p' : representation(function->returns);
    char type[64];

    put("static %s JNICALL\njni_%s(JNIEnv *env", function->returns, function->name);
    for (int i = 0; i < function->count; i++)
        put(", %s", function->params[i]);
    put("%s)\n{\n    union interpose_arg args[] = { ",
        function->form == '.'   ? ", ..."
        : function->form == 'V' ? ", va_list rest"
        : function->form == 'A' ? ", const jvalue *rest"
                                : "");
    for (int i = 0; i < function->count; i++) {
        declared_type(function->params[i], type, sizeof type);
        put_value(type, parameter_name(function->params[i]));
        put(", ");
    }
    put("{ .j = 0 } };\n"
        "    struct interpose_jni_call call = { .function = INTERPOSE_JNI_%s, .args = args, "
        ".caller = __builtin_return_address(0) };\n", function->name);
    put_rest(function);
    put("    if (interpose_jni_begin(&call, env))\n        ");
    if (!is_void)
        put("call.result.%c = %s", member,
            member == 'p' ? "(void *)(uintptr_t)" : "");
    put("(*call.real)->%s%s(call.real", function->name,
        function->form == '.' ? "V" : "");
    for (int i = 0; i < function->count; i++) {
        declared_type(function->params[i], type, sizeof type);
        put(", (%s)args[%d].%c", type, i, representation(type));
    }
    put("%s);\n    interpose_jni_end(&call);\n", function->form != '\0' ? ", rest" : "");
    if (function->form == '.' || function->form == 'V')
        put("    va_end(%s);\n", function->form == '.' ? "rest" : "copy");
    if (!is_void)
        put("    return (%s)call.result.%c;\n", function->returns, member);
    put("}\n\n");
}

static void
put_jni_facts(const struct jni_function *function)
{
    put("    [INTERPOSE_JNI_%s] = { \"%s\", '%c', %s, %s, %d, {", function->name,
        function->name,
        strcmp(function->returns, "void") == 0 ? 'v' : representation(function->returns),
        is_for_pending(function->name) ? "true" : "false",
        gives_local(function) ? "true" : "false", function->count);
    for (int i = 0; i < function->count; i++) {
        char type[64];

        declared_type(function->params[i], type, sizeof type);
        put("%s{ \"%s\", \"%s\", '%c' }", i > 0 ? ", " : " ",
            parameter_name(function->params[i]), type, representation(type));
    }
    put("%s } },\n", function->count == 0 ? " { 0 }" : "");
}

/* The header's table does not have these; layer/interpose/jni.c wraps them by hand. */
static void
put_later_jni_facts(const cJSON *entry)
{
    struct jni_function function = { .slot = number(entry, "slot") };

    snprintf(function.name, sizeof function.name, "%s", text(entry, "name"));
    snprintf(function.returns, sizeof function.returns, "%s", text(entry, "returns"));
    for EACH(param, list(entry, "params"))
        snprintf(function.params[function.count++], sizeof function.params[0], "%s",
                 param->valuestring);
    put_jni_facts(&function);
}

/* Functions that not every supported VM has, whose table is shorter, get a place of their
   own in the wrapper's table only if the VM's level has them. */
static void
put_jni_slot(const struct jni_function *function)
{
    if (function->since > 11)
        put("    if (level >= %d)\n        table->%s = jni_%s;\n", function->since,
            function->name, function->name);
    else
        put("    table->%s = jni_%s;\n", function->name, function->name);
}

void
gen_interpose_jni_c(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* interpose_jni.c -- all functions of JNI, a wrapper for each.  Generated from\n"
        " * sdk/spec/jni.json. */\n"
        "#include \"layer/interpose/wrappers.h\"\n\n"
        "#include <stdarg.h>\n\n");
    each_jni_function(facts, put_jni_wrapper);
    put("const struct interpose_jni_function "
        "interpose_jni_functions[INTERPOSE_JNI_COUNT] = {\n");
    each_jni_function(facts, put_jni_facts);
    for EACH(function, list(facts->jni, "later"))
        put_later_jni_facts(function);
    put("};\n\n"
        "void\ninterpose_fill_jni(struct JNINativeInterface_ *table, int level)\n{\n");
    each_jni_function(facts, put_jni_slot);
    put("}\n");
}

/* ---- names of all ---- */

void
gen_interpose_h(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* interpose_names.h -- a number for each function: its slot.  Generated. */\n"
        "#ifndef LAYER_INTERPOSE_NAMES_H\n#define LAYER_INTERPOSE_NAMES_H\n\n"
        "enum interpose_function_number {\n");
    each_function(facts, put_function_number);
    put("    INTERPOSE_FUNCTION_COUNT = %d\n};\n\nenum interpose_jni_number {\n",
        last_slot + 1);
    each_jni_function(facts, put_jni_number);
    for EACH(function, list(facts->jni, "later")) {
        put("    INTERPOSE_JNI_%s = %d,\n", text(function, "name"),
            number(function, "slot"));
        last_slot = number(function, "slot");
    }
    put("    INTERPOSE_JNI_COUNT = %d\n};\n\n#endif\n", last_slot + 1);
}
