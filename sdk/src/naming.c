/* SPDX-License-Identifier: MIT */
/* sdk/src/naming.c -- names for people. */
#include <tiforge/naming.h>

#include <stdlib.h>
#include <string.h>

#include <tiforge/agent.h>
#include <tiforge/scope.h>

/* An internal name; the dot of a hidden class (JVM TI "Get Class Signature") is what
   getName() has as a slash. */
static void
add_class_name(struct tf_buffer *out, const char *name, size_t length)
{
    size_t start = out->length;

    tf_buffer_printable(out, name, length);
    for (size_t i = start; i < out->length; i++)
        if (out->bytes[i] == '/')
            out->bytes[i] = '.';
        else if (out->bytes[i] == '.')
            out->bytes[i] = '/';
}

/* One type: how much of the descriptor it takes, 0 if it is none. */
static size_t
add_type(struct tf_buffer *out, const char *descriptor)
{
    static const struct { char letter; const char *name; } primitives[] = {
        { 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
        { 'I', "int" }, { 'J', "long" }, { 'S', "short" }, { 'V', "void" },
        { 'Z', "boolean" }
    };
    size_t dimensions = strspn(descriptor, "["), length = 0;
    const char *type = descriptor + dimensions;

    if (*type == 'L') {
        length = strcspn(type, ";");
        if (type[length] == '\0' || length == 1)
            return 0;
        add_class_name(out, type + 1, length++ - 1);
    } else
        for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
            if (primitives[i].letter == *type) {
                tf_buffer_text(out, primitives[i].name);
                length = 1;
            }
    if (length == 0)
        return 0;
    for (size_t i = 0; i < dimensions; i++)
        tf_buffer_text(out, "[]");
    return dimensions + length;
}

bool
tf_name_type(struct tf_buffer *out, const char *descriptor)
{
    size_t length = add_type(out, descriptor);

    if (length > 0 && descriptor[length] == '\0')
        return true;
    tf_buffer_printable(out, descriptor + length, strlen(descriptor + length));
    return false;
}

/* "(int, long[])": what is left of the descriptor, the return type; NULL if bad. */
static const char *
add_parameters(struct tf_buffer *out, const char *descriptor)
{
    const char *at = descriptor + 1;

    if (*descriptor != '(')
        return NULL;
    tf_buffer_text(out, "(");
    while (*at != ')') {
        size_t length;

        if (at != descriptor + 1)
            tf_buffer_text(out, ", ");
        length = add_type(out, at);
        if (length == 0)
            return NULL;
        at += length;
    }
    tf_buffer_text(out, ")");
    return at + 1;
}

bool
tf_name_parameters(struct tf_buffer *out, const char *descriptor)
{
    size_t start = out->length;

    if (add_parameters(out, descriptor) != NULL)
        return true;
    out->length = start;
    tf_buffer_printable(out, descriptor, strlen(descriptor));
    return false;
}

bool
tf_name_method_descriptor(struct tf_buffer *out, const char *class_name,
                          const char *method, const char *descriptor)
{
    const char *result = strchr(descriptor, ')');
    bool good = result != NULL && tf_name_type(out, result + 1);

    tf_buffer_text(out, " ");
    tf_buffer_text(out, class_name);
    tf_buffer_text(out, ".");
    tf_buffer_printable(out, method, strlen(method));
    return tf_name_parameters(out, descriptor) && good;
}

void
tf_name_to_internal(char *name)
{
    for (; *name != '\0'; name++)
        if (*name == '.')
            *name = '/';
}

bool
tf_name_class(struct tf_buffer *out, jvmtiEnv *jvmti, jclass klass)
{
    char *signature = NULL;

    if (!TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))) {
        tf_buffer_text(out, "?");
        return false;
    }
    tf_name_type(out, signature);
    tf_deallocate(jvmti, signature);
    return true;
}

/* The signature of the declaring class; the caller deallocates it. */
static char *
declaring_signature(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    char *signature = NULL;
    jclass klass;

    if (!TF_CALL(jvmti, GetMethodDeclaringClass, (jvmti, method, &klass)))
        return NULL;
    TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL));
    (*jni)->DeleteLocalRef(jni, klass);
    return signature;
}

bool
tf_name_method(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method,
               enum tf_method_style style)
{
    struct tf_scope scope;
    char *name, *descriptor, *signature;
    bool good = false;

    tf_scope_open(&scope, jvmti, NULL, 0);
    tf_scope_own(&scope, &name);
    tf_scope_own(&scope, &descriptor);
    tf_scope_own(&scope, &signature);
    signature = declaring_signature(jvmti, jni, method);
    if (signature == NULL
        || !TF_CALL(jvmti, GetMethodName, (jvmti, method, &name, &descriptor, NULL)))
        tf_buffer_text(out, "?");
    else {
        if (style == TF_METHOD_FULL) {
            tf_name_type(out, strchr(descriptor, ')') + 1);
            tf_buffer_text(out, " ");
        }
        if (style == TF_METHOD_DESCRIPTOR)
            tf_buffer_printable(out, signature + 1, strlen(signature) - 2);
        else
            tf_name_type(out, signature);
        tf_buffer_text(out, ".");
        tf_buffer_printable(out, name, strlen(name));
        if (style == TF_METHOD_DESCRIPTOR)
            tf_buffer_printable(out, descriptor, strlen(descriptor));
        else if (style != TF_METHOD_SHORT)
            tf_name_parameters(out, descriptor);
        good = true;
    }
    tf_scope_close(&scope);
    return good;
}

bool
tf_name_field(struct tf_buffer *out, jvmtiEnv *jvmti, jclass klass, jfieldID field)
{
    char *name = NULL;
    bool good = tf_name_class(out, jvmti, klass);

    tf_buffer_text(out, ".");
    if (!TF_CALL(jvmti, GetFieldName, (jvmti, klass, field, &name, NULL, NULL))) {
        tf_buffer_text(out, "?");
        return false;
    }
    tf_buffer_printable(out, name, strlen(name));
    tf_deallocate(jvmti, name);
    return good;
}

jint
tf_line_of(jvmtiEnv *jvmti, jmethodID method, jlocation location)
{
    jvmtiLineNumberEntry *table = NULL;
    jint count = 0, line = 0;
    jlocation best = -1;

    if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &table) != JVMTI_ERROR_NONE)
        return 0;
    /* The table need not be sorted (JVMS 4.7.12). */
    for (jint i = 0; i < count; i++)
        if (table[i].start_location <= location && table[i].start_location >= best) {
            best = table[i].start_location;
            line = table[i].line_number;
        }
    tf_deallocate(jvmti, table);
    return line;
}

bool
tf_name_frame(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method,
              jlocation location)
{
    bool good = tf_name_method(out, jvmti, jni, method, TF_METHOD_SHORT);
    jclass klass = NULL;
    char *source = NULL;
    jint line;

    /* Absent information and absent capabilities are no errors here. */
    if (location == -1)
        tf_buffer_text(out, "(Native Method)");
    else if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &klass)
             != JVMTI_ERROR_NONE
             || (*jvmti)->GetSourceFileName(jvmti, klass, &source) != JVMTI_ERROR_NONE)
        tf_buffer_text(out, "(Unknown Source)");
    else {
        tf_buffer_text(out, "(");
        tf_buffer_printable(out, source, strlen(source));
        line = tf_line_of(jvmti, method, location);
        if (line > 0)
            tf_buffer_format(out, ":%d", (int)line);
        tf_buffer_text(out, ")");
    }
    tf_deallocate(jvmti, source);
    if (klass != NULL)
        (*jni)->DeleteLocalRef(jni, klass);
    return good;
}

bool
tf_name_thread(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;

    memset(&info, 0, sizeof info);
    if (!TF_CALL(jvmti, GetThreadInfo, (jvmti, thread, &info))) {
        tf_buffer_text(out, "?");
        return false;
    }
    if (info.name != NULL && *info.name != '\0')
        tf_buffer_printable(out, info.name, strlen(info.name));
    else
        tf_buffer_text(out, "(no name)");
    tf_deallocate(jvmti, info.name);
    if (info.thread_group != NULL)
        (*jni)->DeleteLocalRef(jni, info.thread_group);
    if (info.context_class_loader != NULL)
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return true;
}

bool
tf_name_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;

    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++retry;
        } else
            return false;
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool
matches_any(char *const *patterns, const char *name)
{
    for (; *patterns != NULL; patterns++)
        if (tf_name_matches(*patterns, name))
            return true;
    return false;
}

bool
tf_name_wanted(char *const *include, char *const *exclude, const char *name)
{
    if (include != NULL && *include != NULL && !matches_any(include, name))
        return false;
    return exclude == NULL || !matches_any(exclude, name);
}
