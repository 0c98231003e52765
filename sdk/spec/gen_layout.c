/* SPDX-License-Identifier: MIT */
/*
 * layout.c: a program that prints the layout of jni.h and jvmti.h as a compiler sees
 * it.  Compiled with our headers and with a JDK's (LEVEL is then its release), it shows
 * whether the two agree; types are compared while it compiles.
 */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

static const char opening[] =
"/* SPDX-License-Identifier: MIT */\n"
"/* Generated from sdk/spec: prints the layout of the headers of release LEVEL. */\n"
"#include <stddef.h>\n"
"#include <stdio.h>\n"
"#include <string.h>\n"
"\n"
"#include <jvmti.h>\n"
"\n"
"#define TABLE struct jvmtiInterface_1_\n"
"#define JNI struct JNINativeInterface_\n"
"#define INVOKE struct JNIInvokeInterface_\n"
"#define SAME(member, ...) \\\n"
"    _Static_assert(__builtin_types_compatible_p(__typeof__(member), __VA_ARGS__), \\\n"
"                   #member)\n"
"#define MEMBER(type, name, ...) \\\n"
"    SAME(((type *)0)->name, __VA_ARGS__); \\\n"
"    printf(\"%s.%s at %zu\\n\", #type, #name, offsetof(type, name))\n"
"#define SLOT(type, name) \\\n"
"    printf(\"%s.%s at %zu\\n\", #type, #name, offsetof(type, name) / sizeof(void *))\n"
"#define SIZE(type) printf(\"sizeof %s: %zu\\n\", #type, sizeof(type))\n"
"#define VALUE(name) printf(\"%s = %lld\\n\", #name, (long long)(name))\n"
"#define CAPABILITY(name) \\\n"
"    do { \\\n"
"        jvmtiCapabilities set; \\\n"
"        memset(&set, 0, sizeof set); \\\n"
"        set.name = 1; \\\n"
"        print_bit(#name, &set); \\\n"
"    } while (0)\n"
"\n"
"static void\n"
"print_bit(const char *name, const jvmtiCapabilities *set)\n"
"{\n"
"    unsigned char bytes[sizeof *set];\n"
"\n"
"    memcpy(bytes, set, sizeof bytes);\n"
"    for (size_t i = 0; i < 8 * sizeof bytes; i++)\n"
"        if (bytes[i / 8] >> (i % 8) & 1)\n"
"            printf(\"%s: bit %zu\\n\", name, i);\n"
"}\n"
"\n";

/* Write what follows only for releases that have it. */
static void
begin_since(int release)
{
    if (release > 1)
        put("#if LEVEL >= %d\n", release);
}

static void
end_since(int release)
{
    if (release > 1)
        put("#endif\n");
}

static void
put_value(const char *name, int release)
{
    begin_since(release);
    put("    VALUE(%s);\n", name);
    end_since(release);
}

static void
put_constants(const struct facts *facts)
{
    put("static void\nprint_constants(void)\n{\n");
    for EACH(constant, list(facts->jni, "constants"))
        put_value(constant->string, 1);
    for EACH(version, list(facts->jni, "versions")) {
        begin_since(atoi(version->string));
        put("    VALUE(JNI_VERSION_%s);\n", version->string);
        end_since(atoi(version->string));
    }
    for EACH(version, list(facts->jvmti, "versions"))
        put_value(text(version, "name"), since(version));
    for EACH(group, list(facts->jvmti, "enums"))
        for EACH(value, list(group, "values"))
            put_value(value->string, since(group));
    for EACH(error, list(facts->jvmti, "errors"))
        put_value(error->string, since(error));
    for EACH(event, list(facts->jvmti, "events"))
        put_value(text(event, "const"), since(event));
    put("    VALUE(JVMTI_MIN_EVENT_TYPE_VAL);\n"
        "    VALUE(JVMTI_MAX_EVENT_TYPE_VAL);\n"
        "    VALUE(JVMTI_ERROR_MAX);\n");
    for EACH(capability, list(facts->jvmti, "capabilities")) {
        begin_since(since(capability));
        put("    CAPABILITY(%s);\n", text(capability, "name"));
        end_since(since(capability));
    }
    put("    SIZE(jvmtiCapabilities);\n"
        "}\n\n");
}

/* `SAME((TYPE)0, RETURNS (*)(PARAMS));` for a callback type. */
static void
put_callback(const char *type, const char *returns, const cJSON *params, int release)
{
    begin_since(release);
    put("    SAME((%s)0, %s (JNICALL *)(", type, returns);
    if (params->child == NULL)
        put("void");
    put_parameters(params, false);
    put("));\n");
    end_since(release);
}

/* A slot whose callback a later release introduced is reserved in earlier ones. */
static int
event_release(const struct facts *facts, const char *callback)
{
    for EACH(event, list(facts->jvmti, "events"))
        if (strcmp(text(event, "callback_field"), callback) == 0)
            return since(event);
    return 1;
}

static void
put_structs(const struct facts *facts)
{
    put("static void\nprint_structs(void)\n{\n");
    for EACH(item, list(facts->jvmti, "structs")) {
        for EACH(field, list(item, "fields")) {
            const char *name = text(field, "name");
            int release = strcmp(item->string, "jvmtiEventCallbacks") == 0
                              ? event_release(facts, name) : 1;

            begin_since(release);
            put("    MEMBER(%s, %s, %s);\n", item->string, name, text(field, "type"));
            end_since(release);
        }
        put("    SIZE(%s);\n", item->string);
    }
    for EACH(callback, list(facts->jvmti, "callbacks"))
        put_callback(callback->string, text(callback, "returns"),
                     list(callback, "params"), 1);
    for EACH(event, list(facts->jvmti, "events"))
        put_callback(text(event, "callback_typedef"), "void", list(event, "params"),
                     since(event));
    put("}\n\n");
}

static const cJSON *
later_function(const cJSON *later, int slot)
{
    for EACH(function, later)
        if (number(function, "slot") == slot)
            return function;
    return NULL;
}

static void
put_function_table(const struct facts *facts)
{
    const cJSON *table[256];
    int slots = functions_by_slot(facts, table);

    put("static void\nprint_functions(void)\n{\n");
    for (int i = 1; i <= slots; i++) {
        const cJSON *later = later_function(list(facts->jvmti, "later"), i);

        if (table[i] == NULL) {
            if (later != NULL)
                put("#if LEVEL >= %d\n    SLOT(TABLE, %s);\n#else\n", since(later),
                    text(later, "name"));
            put("    SLOT(TABLE, reserved%d);\n", i);
            if (later != NULL)
                put("#endif\n");
            continue;
        }
        if (since(table[i]) > 17)
            put("#if LEVEL < %d\n    SLOT(TABLE, reserved%d);\n#else\n",
                since(table[i]), i);
        put("    SAME(((TABLE *)0)->%s, jvmtiError (JNICALL *)(jvmtiEnv *env",
            text(table[i], "name"));
        put_parameters(list(table[i], "parameters"), true);
        put("));\n    SLOT(TABLE, %s);\n", text(table[i], "name"));
        if (since(table[i]) > 17)
            put("#endif\n");
    }
    put("    SIZE(TABLE);\n}\n\n");
}

static void
put_jni_function(const struct jni_function *function)
{
    begin_since(function->since);
    put("    SAME(((JNI *)0)->%s, ", function->name);
    put_jni_pointer(function, "");
    put(");\n    SLOT(JNI, %s);\n", function->name);
    end_since(function->since);
}

static void
put_jni_table(const struct facts *facts)
{
    put("static void\nprint_jni(void)\n{\n");
    for (int i = 0; i < number(facts->jni, "reserved_slots"); i++)
        put("    SLOT(JNI, reserved%d);\n", i);
    each_jni_function(facts, put_jni_function);
    for EACH(function, list(facts->jni, "later")) {
        begin_since(since(function));
        put("    SLOT(JNI, %s);\n", text(function, "name"));
        end_since(since(function));
    }
    put("    SIZE(JNI);\n");
    for EACH(function, list(facts->jni, "invocation")) {
        put("    SAME(((INVOKE *)0)->%s, jint (JNICALL *)(JavaVM *vm",
            text(function, "name"));
        for EACH(param, list(function, "params"))
            put(", %s", param->valuestring);
        put("));\n    SLOT(INVOKE, %s);\n", text(function, "name"));
    }
    put("    SIZE(INVOKE);\n");
    put("    SIZE(jvalue);\n"
        "    MEMBER(JavaVMInitArgs, version, jint);\n"
        "    MEMBER(JavaVMInitArgs, nOptions, jint);\n"
        "    MEMBER(JavaVMInitArgs, options, JavaVMOption *);\n"
        "    MEMBER(JavaVMInitArgs, ignoreUnrecognized, jboolean);\n"
        "    SIZE(JavaVMInitArgs);\n"
        "    MEMBER(JavaVMOption, optionString, char *);\n"
        "    MEMBER(JavaVMOption, extraInfo, void *);\n"
        "    MEMBER(JavaVMAttachArgs, version, jint);\n"
        "    MEMBER(JavaVMAttachArgs, name, char *);\n"
        "    MEMBER(JavaVMAttachArgs, group, jobject);\n"
        "    MEMBER(JNINativeMethod, name, char *);\n"
        "    MEMBER(JNINativeMethod, signature, char *);\n"
        "    MEMBER(JNINativeMethod, fnPtr, void *);\n"
        "    VALUE(JNIInvalidRefType);\n"
        "    VALUE(JNILocalRefType);\n"
        "    VALUE(JNIGlobalRefType);\n"
        "    VALUE(JNIWeakGlobalRefType);\n"
        "    SAME((jlong)0, long);\n"
        "    SAME((jbyte)0, signed char);\n"
        "    SAME((jboolean)0, unsigned char);\n"
        "    SAME((jchar)0, unsigned short);\n"
        "}\n\n");
}

void
gen_layout_c(const struct facts *facts)
{
    put("%s", opening);
    put_constants(facts);
    put_structs(facts);
    put_function_table(facts);
    put_jni_table(facts);
    put("int\nmain(void)\n{\n"
        "    print_constants();\n"
        "    print_structs();\n"
        "    print_functions();\n"
        "    print_jni();\n"
        "    return 0;\n"
        "}\n");
}
