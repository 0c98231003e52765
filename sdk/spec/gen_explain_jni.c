/* SPDX-License-Identifier: MIT */
/*
 * sdk/spec/gen_explain_jni.c -- the part of explain.txt about types, constants and JNI.
 *
 * An enumeration is one entry, which is found by each of its constants, since one
 * constant is understood beside the others.  A JNI function with several forms
 * (CallIntMethod, ...V, ...A) is one entry, too; advice for a family of JNI functions
 * stands in advice.txt under the name with <Type> in it.
 */
#include "gen.h"

#include <string.h>

/* -- JNI's functions -- */

static const struct facts *current;     /* each_jni_function passes nothing on */

/* "Call<Type>Method" for CallIntMethod; false for a name without a type in it. */
static bool
family_of(const char *name, char *family, size_t size)
{
    const char *found = NULL;
    size_t length = 0;

    for EACH(type, list(current->jni, "types")) {
        const char *at = strstr(name, type->string);

        /* Of two in a name, as in GetObjectArrayElement, the first one. */
        if (at != NULL && (found == NULL || at < found)) {
            found = at;
            length = strlen(type->string);
        }
    }
    if (found == NULL)
        return false;
    snprintf(family, size, "%.*s<Type>%s", (int)(found - name), name, found + length);
    return true;
}

static void
put_jni_advice(const char *name)
{
    char family[128];

    if (!put_advice(current, name) && family_of(name, family, sizeof family))
        (void)put_advice(current, family);
}

static void
explain_jni_function(const struct jni_function *function)
{
    if (function->form == 'V' || function->form == 'A')
        return;
    printf("@%s", function->name);
    if (function->form == '.')
        printf(" %sV %sA", function->name, function->name);
    printf("\n%s: JNI function %d", function->name, function->slot);
    if (function->since > 1)
        printf(", since %d", function->since);
    printf("\n\n    %s %s(JNIEnv *env", function->returns, function->name);
    for (int i = 0; i < function->count; i++)
        printf(",\n        %s", function->params[i]);
    if (function->form == '.')
        printf(",\n        ...)\n\n  With the arguments one by one; %sV takes a va_list, "
               "%sA an array\n  of jvalue.\n", function->name, function->name);
    else
        printf(")\n");
    put_jni_advice(function->name);
}

static void
explain_invocation(const cJSON *function)
{
    const char *name = text(function, "name");

    printf("@%s\n%s: JNI's invocation interface, function %d\n\n    jint %s(JavaVM *vm",
           name, name, number(function, "slot"), name);
    for EACH(param, list(function, "params"))
        printf(",\n        %s", param->valuestring);
    printf(")\n");
    (void)put_advice(current, name);
}

/* -- JNI's types and constants -- */

static void
explain_jni_types(void)
{
    for EACH(type, list(current->jni, "types")) {
        const char *name = type->valuestring;

        if (strcmp(name, "void") == 0 || strcmp(name, "jobject") == 0)
            continue;
        printf("@%s\n%s: JNI type, Java's %s\n", name, name, name + 1);
        (void)put_advice(current, name);
    }
    for EACH(reference, list(current->jni, "references")) {
        const char *name = text(reference, "name");
        const char *base = text_or_null(reference, "base");

        printf("@%s\n%s: JNI type, a reference", name, name);
        if (base != NULL)
            printf("; every %s is a %s", name, base);
        printf("\n");
        if (!put_advice(current, name))
            (void)put_advice(current, "jobject");
    }
}

static void
explain_jni_constants(void)
{
    printf("@JNI");
    for EACH(constant, list(current->jni, "constants"))
        printf(" %s", constant->string);
    for EACH(version, list(current->jni, "versions"))
        printf(" JNI_VERSION_%s", version->string);
    printf("\nJNI: constants\n\n");
    for EACH(constant, list(current->jni, "constants"))
        printf("    %-22s %d\n", constant->string, constant->valueint);
    for EACH(version, list(current->jni, "versions"))
        printf("    JNI_VERSION_%-10s %s\n", version->string, version->valuestring);
    (void)put_advice(current, "JNI");
}

/* -- JVM TI's types and constants -- */

static void
explain_enumeration(const cJSON *enumeration)
{
    const char *typedefed = text_or_null(enumeration, "typedef");
    const char *label = text(enumeration, "label");

    printf("@");
    if (typedefed != NULL)
        printf("%s ", typedefed);
    for EACH(value, list(enumeration, "values"))
        printf("%s%s", value->string + strlen("JVMTI_"), value->next != NULL ? " " : "");
    printf("\n%s: constants of JVM TI", typedefed != NULL ? typedefed : label);
    if (strcmp(text(enumeration, "kind"), "bits") == 0)
        printf(", which are combined by |");
    printf("\n\n");
    for EACH(value, list(enumeration, "values")) {
        const char *written = text(value, "text");

        /* A mask of many bits is written as their names, which is too long here. */
        if (strlen(written) < 24)
            printf("    %-44s %s\n", value->string, written);
        else
            printf("    %-44s 0x%x\n", value->string, (unsigned)number(value, "value"));
    }
    if (typedefed != NULL)
        (void)put_advice(current, typedefed);
}

static void
explain_struct(const cJSON *structure)
{
    const cJSON *fields = list(structure, "fields");

    printf("@%s\n%s: %s of JVM TI\n\n", structure->string, structure->string,
           text(structure, "kind"));
    for EACH(field, fields) {
        const char *type = text_or_null(field, "type");

        printf("    %-26s %s\n", type != NULL ? type : "", text(field, "name"));
    }
    (void)put_advice(current, structure->string);
}

static void
explain_callback(const cJSON *callback)
{
    printf("@%s\n%s: callback of JVM TI, %s\n\n    %s %s(", callback->string,
           callback->string, text(callback, "title"), text(callback, "returns"),
           callback->string);
    for EACH(param, list(callback, "params"))
        printf("%s\n        %s %s", param == list(callback, "params")->child ? "" : ",",
               text(param, "type"), text(param, "name"));
    printf(")\n");
    (void)put_advice(current, callback->string);
}

void
gen_explain_jni(const struct facts *facts)
{
    current = facts;
    for EACH(structure, list(facts->jvmti, "structs"))
        explain_struct(structure);
    for EACH(callback, list(facts->jvmti, "callbacks"))
        explain_callback(callback);
    for EACH(enumeration, list(facts->jvmti, "enums"))
        explain_enumeration(enumeration);
    for EACH(entry, list(facts->jvmti, "entry_points")) {
        printf("@%s\n%s: a function that an agent's library exports\n\n    %s\n",
               entry->string, entry->string, entry->valuestring);
        (void)put_advice(facts, entry->string);
    }
    each_jni_function(facts, explain_jni_function);
    for EACH(function, list(facts->jni, "invocation"))
        explain_invocation(function);
    explain_jni_types();
    explain_jni_constants();
}
