/* SPDX-License-Identifier: MIT */
/*
 * checks.h: a checking function for each JNI function, checked_<Name>, for -Xcheck:jni.
 * It calls check_begin of minivm/jni/check.c with the letters of its parameters' kinds,
 * which are explained there, then the function proper, then check_end.
 */
#include "gen.h"

#include <string.h>

static bool
is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Returns true if the parameter of that name may be NULL though it is a reference. */
static bool
is_optional(const struct jni_function *function, const char *name)
{
    static const char *const names[] = { "val", "value", "init", "loader", "result",
                                         "obj1", "obj2", "lobj", "gref", "ref", NULL };
    static const char *const functions[] = { "DeleteLocalRef", "NewWeakGlobalRef",
                                             "IsInstanceOf", "IsVirtualThread", NULL };

    return is_one_of(name, names) || is_one_of(function->name, functions);
}

/* Returns the letter of a parameter's kind; '-' if it is not checked.  The table has, for
   the beginning of a declaration, the letter if the parameter must not be NULL and the
   one if it may be. */
static char
kind_of(const struct jni_function *function, const char *declaration)
{
    static const char *const kinds[] = {
        "jclass ", "cc", "jthrowable ", "tt", "jstring ", "ss", "jarray ", "aa",
        "jobjectArray ", "LL", "jbooleanArray ", "ZZ", "jbyteArray ", "BB",
        "jcharArray ", "CC", "jshortArray ", "SS", "jintArray ", "II",
        "jlongArray ", "JJ",
        "jfloatArray ", "FF", "jdoubleArray ", "DD", "jmethodID ", "mm",
        "jfieldID ", "ff", "jobject ", "o?", "jweak ", "??", "const char *", "n-", NULL
    };
    const char *name = parameter_name(declaration);
    bool optional = is_optional(function, name) || strcmp(name, "msg") == 0
                    || strcmp(name, "utf") == 0;

    if (strcmp(function->name, "GetObjectRefType") == 0 || strcmp(name, "chars") == 0
        || strcmp(function->name, "DefineClass") == 0)
        return '-';
    for (int i = 0; kinds[i] != NULL; i += 2)
        if (strncmp(declaration, kinds[i], strlen(kinds[i])) == 0)
            return kinds[i + 1][optional];
    return '-';
}

static void
put_head(const struct jni_function *function)
{
    put("\nstatic %s JNICALL\nchecked_%s(JNIEnv *env", function->returns,
        function->name);
    for (int i = 0; i < function->count; i++)
        put(", %s", function->params[i]);
    put("%s)\n{\n", function->form == '.'   ? ", ..."
                    : function->form == 'V' ? ", va_list args"
                    : function->form == 'A' ? ", const jvalue *args"
                                            : "");
}

/* Writes a checking function.  If the function proper returns memory (it has a parameter
   isCopy), the caller gets a copy with marks around it (check_give); a function whose name
   begins with Release looks at the marks (check_guard). */
static void
put_checked(const struct jni_function *function)
{
    char kinds[5] = "";
    int last = function->count - 1, count = 0;
    bool gives = last > 0 && strstr(function->params[last], "*isCopy") != NULL;
    bool is_void = strcmp(function->returns, "void") == 0;
    bool varies = function->form == '.';
    const char *second = last > 0 ? parameter_name(function->params[1]) : "";

    put_head(function);
    put("    const void *const arguments[] = { NULL");
    for (int i = 0; i < function->count; i++) {
        char kind = kind_of(function, function->params[i]);
        if (kind == '-')
            continue;
        kinds[count++] = kind;
        put(", %s", parameter_name(function->params[i]));
    }
    put(" };\n"
        "    struct check check = check_begin(env, \"%s\", \"%s\", arguments + 1);\n",
        function->name, kinds);
    if (strncmp(function->name, "Release", 7) == 0)
        put("    %s = check_guard(&check, %s, %s);\n", second, second,
            last > 1 ? parameter_name(function->params[2]) : "0");
    if (varies)
        put("    va_list args;\n    va_start(args, %s);\n",
            parameter_name(function->params[last]));
    put("    ");
    if (!is_void)
        put("%s answer = ", function->returns);
    put("jni_%s%s(env", function->name, varies ? "V" : "");
    for (int i = 0; i < function->count; i++)
        put(", %s", parameter_name(function->params[i]));
    put("%s);\n%s    check_end(&check);\n", function->form != '\0' ? ", args" : "",
        varies ? "    va_end(args);\n" : "");
    if (!is_void)
        put("    return %s;\n", gives ? "check_give(&check, answer)" : "answer");
    put("}\n");
}

static void
put_initializer(const struct jni_function *function)
{
    put("    .%s = checked_%s,\n", function->name, function->name);
}

void
gen_checks_h(const struct facts *facts)
{
    put("/* SPDX-License-Identifier: MIT */\n"
        "/* checks.h -- JNI functions that check.  Generated from jni.json. */\n");
    each_jni_function(facts, put_checked);
    put("\nstatic const struct JNINativeInterface_ checked = {\n");
    each_jni_function(facts, put_initializer);
    put("};\n");
}
