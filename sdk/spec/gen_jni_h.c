/* SPDX-License-Identifier: MIT */
/* jni.h, level 21: guards, tags and member names are those that agents know; and
 * functions.h: what minivm's table is made of. */
#include "gen.h"

#include <string.h>

static const char opening[] =
"/* SPDX-License-Identifier: MIT */\n"
"/* jni.h -- Java Native Interface, level 21.  Generated from sdk/spec/jni.json. */\n"
"#ifndef _JAVASOFT_JNI_H_\n"
"#define _JAVASOFT_JNI_H_\n"
"#ifndef _JAVASOFT_JNI_MD_H_\n"
"#define _JAVASOFT_JNI_MD_H_\n"
"#endif\n"
"\n"
"#include <stdarg.h>\n"
"#include <stdio.h>\n"
"\n"
"#ifndef JNIEXPORT\n"
"#define JNIEXPORT __attribute__((visibility(\"default\")))\n"
"#endif\n"
"#ifndef JNIIMPORT\n"
"#define JNIIMPORT __attribute__((visibility(\"default\")))\n"
"#endif\n"
"#define JNICALL\n"
"\n"
"#ifdef __cplusplus\n"
"extern \"C\" {\n"
"#endif\n"
"\n"
"/* Primitive types. */\n"
"typedef unsigned char jboolean;\n"
"typedef signed char jbyte;\n"
"typedef unsigned short jchar;\n"
"typedef short jshort;\n"
"typedef int jint;\n"
"#ifdef _LP64\n"
"typedef long jlong;\n"
"#else\n"
"typedef long long jlong;\n"
"#endif\n"
"typedef float jfloat;\n"
"typedef double jdouble;\n"
"typedef jint jsize;\n"
"\n";

static const char types[] =
"typedef jobject jweak;\n"
"\n"
"struct _jfieldID;\n"
"typedef struct _jfieldID *jfieldID;\n"
"struct _jmethodID;\n"
"typedef struct _jmethodID *jmethodID;\n"
"\n"
"typedef union jvalue {\n"
"    jboolean z;\n"
"    jbyte b;\n"
"    jchar c;\n"
"    jshort s;\n"
"    jint i;\n"
"    jlong j;\n"
"    jfloat f;\n"
"    jdouble d;\n"
"    jobject l;\n"
"} jvalue;\n"
"\n"
"/* What GetObjectRefType answers. */\n"
"typedef enum _jobjectType {\n"
"    JNIInvalidRefType = 0,\n"
"    JNILocalRefType = 1,\n"
"    JNIGlobalRefType = 2,\n"
"    JNIWeakGlobalRefType = 3\n"
"} jobjectRefType;\n"
"\n"
"/* One native method of RegisterNatives. */\n"
"typedef struct {\n"
"    char *name;\n"
"    char *signature;\n"
"    void *fnPtr;\n"
"} JNINativeMethod;\n"
"\n"
"struct JNINativeInterface_;\n"
"struct JNIInvokeInterface_;\n"
"struct JNIEnv_;\n"
"struct JavaVM_;\n"
"#ifdef __cplusplus\n"
"typedef JNIEnv_ JNIEnv;\n"
"typedef JavaVM_ JavaVM;\n"
"#else\n"
"typedef const struct JNINativeInterface_ *JNIEnv;\n"
"typedef const struct JNIInvokeInterface_ *JavaVM;\n"
"#endif\n"
"\n";

static const char closing[] =
"/* Options of JNI_CreateJavaVM. */\n"
"typedef struct JavaVMOption {\n"
"    char *optionString;\n"
"    void *extraInfo;\n"
"} JavaVMOption;\n"
"\n"
"typedef struct JavaVMInitArgs {\n"
"    jint version;\n"
"    jint nOptions;\n"
"    JavaVMOption *options;\n"
"    jboolean ignoreUnrecognized;\n"
"} JavaVMInitArgs;\n"
"\n"
"/* What AttachCurrentThread takes. */\n"
"typedef struct JavaVMAttachArgs {\n"
"    jint version;\n"
"    char *name;\n"
"    jobject group;\n"
"} JavaVMAttachArgs;\n"
"\n"
"#define JDK1_2\n"
"#define JDK1_4\n"
"\n"
"#ifdef _JNI_IMPLEMENTATION_\n"
"#define _JNI_IMPORT_OR_EXPORT_ JNIEXPORT\n"
"#else\n"
"#define _JNI_IMPORT_OR_EXPORT_ JNIIMPORT\n"
"#endif\n"
"\n"
"/* Exported by the VM. */\n"
"_JNI_IMPORT_OR_EXPORT_ jint JNICALL JNI_GetDefaultJavaVMInitArgs(void *args);\n"
"_JNI_IMPORT_OR_EXPORT_ jint JNICALL JNI_CreateJavaVM(JavaVM **pvm, void **penv,\n"
"                                                     void *args);\n"
"_JNI_IMPORT_OR_EXPORT_ jint JNICALL JNI_GetCreatedJavaVMs(JavaVM **vms, jsize size,\n"
"                                                          jsize *count);\n"
"\n"
"/* Defined by native libraries. */\n"
"JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved);\n"
"JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved);\n"
"\n"
"#ifdef __cplusplus\n"
"}\n"
"#endif\n"
"\n"
"#endif\n";

static void
put_references(const cJSON *references)
{
    put("/* References: a class hierarchy in C++, one type in C. */\n"
        "#ifdef __cplusplus\n");
    for EACH(reference, references) {
        const char *base = text_or_null(reference, "base");

        if (base != NULL)
            put("class _%s : public _%s {};\n", text(reference, "name"), base);
        else
            put("class _%s {};\n", text(reference, "name"));
    }
    for EACH(reference, references)
        put("typedef _%s *%s;\n", text(reference, "name"), text(reference, "name"));
    put("#else\n"
        "struct _jobject;\n");
    for EACH(reference, references) {
        const char *base = text_or_null(reference, "base");

        put("typedef %s %s%s;\n", base != NULL ? base : "struct _jobject",
            base != NULL ? "" : "*", text(reference, "name"));
    }
    put("#endif\n");
}

static void
put_constants(const struct facts *facts)
{
    for EACH(constant, list(facts->jni, "constants"))
        put(constant->valueint < 0 ? "#define %s (%d)\n" : "#define %s %d\n",
            constant->string, constant->valueint);
    for EACH(version, list(facts->jni, "versions"))
        put("#define JNI_VERSION_%s %s\n", version->string, version->valuestring);
    put("\n");
}

/* A C type before an identifier: a star takes no blank. */
static void
put_type(const char *type)
{
    put("%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ");
}

/* The last parameter of a call: `...`, `va_list args` or `const jvalue *args`. */
static void
put_form(char form)
{
    if (form == '.')
        put(", ...");
    else if (form == 'V')
        put(", va_list args");
    else if (form == 'A')
        put(", const jvalue *args");
}

void
put_jni_pointer(const struct jni_function *function, const char *name)
{
    put_type(function->returns);
    put("(JNICALL *%s)(JNIEnv *env", name);
    for (int i = 0; i < function->count; i++)
        put(", %s", function->params[i]);
    put_form(function->form);
    put(")");
}

static void
put_slot(const struct jni_function *function)
{
    if (function->since > 1)
        put("    /* since %d */\n", function->since);
    put("    ");
    put_jni_pointer(function, function->name);
    put("; /* %d */\n", function->slot);
}

static void
put_call(const struct jni_function *function, char form)
{
    put("functions->%s%s(this", function->name, form == '.' ? "V" : "");
    for (int i = 0; i < function->count; i++)
        put(", %s", parameter_name(function->params[i]));
    put("%s)", form != '\0' ? ", args" : "");
}

/* The inline member of JNIEnv_. */
static void
put_member(const struct jni_function *function)
{
    bool is_void = strcmp(function->returns, "void") == 0;

    put("    ");
    put_type(function->returns);
    put("%s(", function->name);
    for (int i = 0; i < function->count; i++)
        put("%s%s", i > 0 ? ", " : "", function->params[i]);
    put_form(function->form);
    put(")\n    {\n        ");
    if (function->form == '.') {
        put("va_list args;\n");
        if (!is_void)
            put("        %s result;\n", function->returns);
        put("        va_start(args, %s);\n        ",
            parameter_name(function->params[function->count - 1]));
        if (!is_void)
            put("result = ");
        put_call(function, function->form);
        put(";\n        va_end(args);\n");
        if (!is_void)
            put("        return result;\n");
    } else {
        if (!is_void)
            put("return ");
        put_call(function, function->form);
        put(";\n");
    }
    put("    }\n");
}

static void
put_env(const struct facts *facts)
{
    put("/* The table behind a JNIEnv; the slot's number follows each member. */\n"
        "struct JNINativeInterface_ {\n");
    for (int i = 0; i < number(facts->jni, "reserved_slots"); i++)
        put("    void *reserved%d;\n", i);
    each_jni_function(facts, put_slot);
    put("};\n\n"
        "struct JNIEnv_ {\n"
        "    const struct JNINativeInterface_ *functions;\n"
        "#ifdef __cplusplus\n");
    each_jni_function(facts, put_member);
    put("#endif\n};\n\n");
}

static void
put_invocation(const cJSON *functions)
{
    put("/* The table behind a JavaVM. */\n"
        "struct JNIInvokeInterface_ {\n"
        "    void *reserved0;\n"
        "    void *reserved1;\n"
        "    void *reserved2;\n");
    for EACH(function, functions) {
        put("    jint (JNICALL *%s)(JavaVM *vm", text(function, "name"));
        for EACH(param, list(function, "params"))
            put(", %s", param->valuestring);
        put("); /* %d */\n", number(function, "slot"));
    }
    put("};\n\n"
        "struct JavaVM_ {\n"
        "    const struct JNIInvokeInterface_ *functions;\n"
        "#ifdef __cplusplus\n");
    for EACH(function, functions) {
        const cJSON *params = list(function, "params");

        put("    jint %s(", text(function, "name"));
        for EACH(param, params)
            put("%s%s", param != params->child ? ", " : "", param->valuestring);
        put(")\n    {\n        return functions->%s(this", text(function, "name"));
        for EACH(param, params)
            put(", %s", parameter_name(param->valuestring));
        put(");\n    }\n");
    }
    put("#endif\n};\n\n");
}

void
gen_jni_h(const struct facts *facts)
{
    put("%s", opening);
    put_constants(facts);
    put_references(list(facts->jni, "references"));
    put("%s", types);
    put_env(facts);
    put_invocation(list(facts->jni, "invocation"));
    put("%s", closing);
}

static void
put_prototype(const struct jni_function *function)
{
    put_type(function->returns);
    put("JNICALL jni_%s(JNIEnv *env", function->name);
    for (int i = 0; i < function->count; i++)
        put(", %s", function->params[i]);
    put_form(function->form);
    put(");\n");
}

static void
put_initializer(const struct jni_function *function)
{
    put("        .%s = jni_%s, \\\n", function->name, function->name);
}

void
gen_functions_h(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* functions.h -- the JNI functions, and the table of them.  Generated from\n"
        " * sdk/spec/jni.json. */\n"
        "#ifndef MINIVM_JNI_FUNCTIONS_H\n"
        "#define MINIVM_JNI_FUNCTIONS_H\n"
        "\n"
        "#include <jni.h>\n"
        "\n");
    each_jni_function(facts, put_prototype);
    put("\n#define JNI_TABLE \\\n    { \\\n");
    each_jni_function(facts, put_initializer);
    put("    }\n\n#endif\n");
}
