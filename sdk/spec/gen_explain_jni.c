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

/* -- what the headers declare beside the tables -- */

/* Names that find the entry, the first one with the advice; what it is; its declaration,
   NULL for that of the table's base type. */
static const struct {
    const char *names, *what, *declaration;
} declared[] = {
    { "jthread", "JVM TI type, a thread", NULL },
    { "jthreadGroup", "JVM TI type, a group of threads", NULL },
    { "jlocation", "JVM TI type, a place in a method", NULL },
    { "jrawMonitorID", "JVM TI type, a raw monitor", NULL },
    { "jniNativeInterface", "JVM TI type, JNI's table of functions", NULL },
    { "jvmtiEnv jvmtiInterface_1", "JVM TI type, an environment", NULL },
    { "jvmtiError MAX", "JVM TI type, what each function returns", NULL },
    { "jvmtiEvent MIN_EVENT_TYPE_VAL MAX_EVENT_TYPE_VAL",
      "JVM TI type, which event is meant", NULL },
    { "JNIEnv", "JNI type, a thread's environment",
      "typedef const struct JNINativeInterface_ *JNIEnv" },
    { "JavaVM", "JNI type, the virtual machine",
      "typedef const struct JNIInvokeInterface_ *JavaVM" },
    { "jmethodID", "JNI type, a method or constructor",
      "typedef struct _jmethodID *jmethodID" },
    { "jfieldID", "JNI type, a field", "typedef struct _jfieldID *jfieldID" },
    { "jvalue", "JNI type, a value of any type", "typedef union jvalue jvalue" },
    { "jsize", "JNI type, a number of elements", "typedef jint jsize" },
    { "jweak", "JNI type, a weak global reference", "typedef jobject jweak" },
    { "jobjectRefType JNIInvalidRefType JNILocalRefType JNIGlobalRefType "
      "JNIWeakGlobalRefType", "JNI type, what kind of reference one is",
      "enum { JNIInvalidRefType = 0, JNILocalRefType = 1,\n"
      "           JNIGlobalRefType = 2, JNIWeakGlobalRefType = 3 }" },
    { "JNINativeMethod", "JNI type, a row of RegisterNatives",
      "struct { char *name, *signature; void *fnPtr; }" },
    { "JavaVMInitArgs", "JNI type, what a VM is made with",
      "struct { jint version, nOptions; JavaVMOption *options;\n"
      "             jboolean ignoreUnrecognized; }" },
    { "JavaVMOption", "JNI type, one option of a VM",
      "struct { char *optionString; void *extraInfo; }" },
    { "JavaVMAttachArgs", "JNI type, what a thread is attached with",
      "struct { jint version; char *name; jobject group; }" },
    { "JNIEXPORT JNIIMPORT JNICALL", "JNI, words before what a library exports",
      "JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)" },
    { "JNI_OnLoad", "JNI, a function that a library of native methods may export",
      "jint JNI_OnLoad(JavaVM *vm, void *reserved)" },
    { "JNI_OnUnload", "JNI, a function that a library of native methods may export",
      "void JNI_OnUnload(JavaVM *vm, void *reserved)" },
    { "JNI_CreateJavaVM", "JNI, a function of the VM's library",
      "jint JNI_CreateJavaVM(JavaVM **vm, void **env, void *args)" },
    { "JNI_GetCreatedJavaVMs", "JNI, a function of the VM's library",
      "jint JNI_GetCreatedJavaVMs(JavaVM **vms, jsize size, jsize *count)" },
    { "JNI_GetDefaultJavaVMInitArgs", "JNI, a function of the VM's library",
      "jint JNI_GetDefaultJavaVMInitArgs(void *args)" }
};

static void
explain_declared(const struct facts *facts)
{
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        const char *names = declared[i].names, *declaration = declared[i].declaration;
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(names, " "), names);
        if (declaration == NULL)
            declaration = text(list(facts->jvmti, "base_types"), name);
        printf("@%s\n%s: %s\n\n    %s\n", names, name, declared[i].what, declaration);
        (void)put_advice(facts, name);
    }
}

static void
explain_jvmti_versions(const struct facts *facts)
{
    const size_t prefix = strlen("JVMTI_");

    printf("@VERSION");
    for EACH(version, list(facts->jvmti, "versions"))
        printf(" %s", text(version, "name") + prefix);
    printf("\nJVMTI_VERSION: versions of JVM TI, for GetEnv\n\n");
    for EACH(version, list(facts->jvmti, "versions"))
        printf("    %-22s %s\n", text(version, "name"), text(version, "value"));
    printf("    %-22s %s\n", "JVMTI_VERSION",
           text(list(facts->jvmti, "version"), "identifier_21_hex"));
    (void)put_advice(facts, "JVMTI_VERSION");
}

static void
explain_capabilities_type(const struct facts *facts)
{
    printf("@jvmtiCapabilities\njvmtiCapabilities: struct of JVM TI, a bit each\n\n");
    for EACH(capability, list(facts->jvmti, "capabilities"))
        printf("    unsigned int %s : 1\n", text(capability, "name"));
    (void)put_advice(facts, "jvmtiCapabilities");
}

void
gen_explain_jni(const struct facts *facts)
{
    current = facts;
    explain_declared(facts);
    explain_jvmti_versions(facts);
    explain_capabilities_type(facts);
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
