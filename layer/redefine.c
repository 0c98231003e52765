/* SPDX-License-Identifier: MIT */
/*
 * layer/redefine.c -- rules about redefinition (JVM TI "Redefine Classes", "Retransform
 * Classes").
 *
 * When it is refused, the new class file is compared with what the VM tells of the class
 * that is there.
 */
#include <stdio.h>
#include <string.h>

#include <tiforge/buffer.h>
#include <tiforge/classfile.h>

#include <tiforge_names.h>

#include "layer/class.h"

static void
add_text(struct tf_buffer *out, const char *format, const char *one, const char *two)
{
    tf_buffer_text(out, out->length > 0 ? "; " : "");
    tf_buffer_format(out, format, one, two);
}

#define OF_METHODS true
#define OF_FIELDS false

/* One member of the class that is there: is it in the new class file? */
static void
compare_member(struct tf_buffer *out, struct tf_class *c, bool methods, const char *name,
               const char *type, jint modifiers)
{
    const struct tf_member *m = methods ? tf_class_find_method(c, name, type)
                                        : tf_class_find_field(c, name, type);

    if (m == NULL)
        add_text(out, methods ? "method %s%s is gone" : "field %s %s is gone", name, type);
    else if ((m->access & 0xfff) != ((unsigned)modifiers & 0xfff))
        add_text(out, methods ? "method %s%s has other modifiers"
                              : "field %s %s has other modifiers", name, type);
}

/* Names and types of members as a set of lines, for what is new. */
static bool
has_line(const char *lines, const char *name, const char *type)
{
    char line[1024];

    snprintf(line, sizeof line, "\n%s %s\n", name, type);
    return lines != NULL && strstr(lines, line) != NULL;
}

static void
tell_new(struct tf_buffer *out, const struct tf_member *m, bool methods,
         const char *lines)
{
    for (; m != NULL; m = m->next)
        if (!has_line(lines, m->name, m->descriptor))
            add_text(out, methods ? "method %s%s is new" : "field %s %s is new", m->name,
                     m->descriptor);
}

static void
compare_methods(struct tf_buffer *out, struct tf_class *c, jclass class)
{
    struct tf_buffer lines = { 0 };
    jmethodID *methods = NULL;
    jint count = 0;

    tf_buffer_text(&lines, "\n");
    if ((*check_jvmti)->GetClassMethods(check_jvmti, class, &count, &methods)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *type = NULL;
        jint modifiers = 0;

        (*check_jvmti)->GetMethodModifiers(check_jvmti, methods[i], &modifiers);
        if ((*check_jvmti)->GetMethodName(check_jvmti, methods[i], &name, &type, NULL)
            == JVMTI_ERROR_NONE) {
            compare_member(out, c, OF_METHODS, name, type, modifiers);
            tf_buffer_format(&lines, "%s %s\n\n", name, type);
        }
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)name);
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)type);
    }
    tell_new(out, tf_class_methods(c), OF_METHODS, tf_buffer_string(&lines));
    tf_buffer_release(&lines);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)methods);
}

static void
compare_fields(struct tf_buffer *out, struct tf_class *c, jclass class)
{
    struct tf_buffer lines = { 0 };
    jfieldID *fields = NULL;
    jint count = 0;

    tf_buffer_text(&lines, "\n");
    if ((*check_jvmti)->GetClassFields(check_jvmti, class, &count, &fields)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *type = NULL;
        jint modifiers = 0;

        (*check_jvmti)->GetFieldModifiers(check_jvmti, class, fields[i], &modifiers);
        if ((*check_jvmti)->GetFieldName(check_jvmti, class, fields[i], &name, &type, NULL)
            == JVMTI_ERROR_NONE) {
            compare_member(out, c, OF_FIELDS, name, type, modifiers);
            tf_buffer_format(&lines, "%s %s\n\n", name, type);
        }
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)name);
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)type);
    }
    tell_new(out, tf_class_fields(c), OF_FIELDS, tf_buffer_string(&lines));
    tf_buffer_release(&lines);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)fields);
}

/* "Lp/C;" and "p/C"; NULL and NULL for the superclass of Object. */
static bool
is_named(jclass class, const char *name)
{
    char *signature = NULL;
    bool same;

    if (class == NULL || name == NULL)
        return class == NULL && name == NULL;
    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    same = signature != NULL && strlen(signature) == strlen(name) + 2
        && strncmp(signature + 1, name, strlen(name)) == 0;
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    return same;
}

static void
compare_hierarchy(struct tf_buffer *out, struct tf_class *c, JNIEnv *jni, jclass class)
{
    jclass super = (*jni)->GetSuperclass(jni, class), *interfaces = NULL;
    jint count = 0, i = 0;
    bool same = true;

    if (!(tf_class_access(c) & TF_ACC_INTERFACE) && !is_named(super, tf_class_super(c)))
        add_text(out, "the superclass is %s%s", tf_class_super(c), "");
    (*jni)->DeleteLocalRef(jni, super);
    (*check_jvmti)->GetImplementedInterfaces(check_jvmti, class, &count, &interfaces);
    for (; i < count; i++) {
        const char *name = tf_class_interface(c, (unsigned)i);

        same = same && name != NULL && is_named(interfaces[i], name);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    if (!same || tf_class_interface(c, (unsigned)i) != NULL)
        add_text(out, "the interfaces are others%s%s", "", "");
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)interfaces);
}

static void
compare(struct tf_buffer *out, JNIEnv *jni, jclass class, const unsigned char *bytes,
        jint length)
{
    struct tf_class *c = tf_class_parse(bytes, length > 0 ? (size_t)length : 0);

    if (c == NULL)
        return;
    if (tf_class_error(c) != NULL)
        add_text(out, "its bytes are wrong: %s%s", tf_class_error(c), "");
    else {
        if (!is_named(class, tf_class_name(c)))
            add_text(out, "it is class %s%s", tf_class_name(c), "");
        compare_hierarchy(out, c, jni, class);
        compare_methods(out, c, class);
        compare_fields(out, c, class);
    }
    tf_class_free(c);
}

static bool
is_modifiable(jclass class)
{
    jboolean modifiable = JNI_FALSE;

    return (*check_jvmti)->IsModifiableClass(check_jvmti, class, &modifiable)
            == JVMTI_ERROR_NONE && modifiable;
}

static void
tell_class(const struct interpose_call *call, JNIEnv *jni, jclass class,
           const unsigned char *bytes, jint length)
{
    const char *error = tiforge_error_name(call->error);
    const char *function = interpose_functions[call->function].name;
    struct tf_buffer text = { 0 };
    char *signature = NULL;

    if (call->error == JVMTI_ERROR_UNMODIFIABLE_CLASS && is_modifiable(class))
        return;
    if (bytes != NULL && call->error != JVMTI_ERROR_UNMODIFIABLE_CLASS)
        compare(&text, jni, class, bytes, length);
    /* Of several, those that are the same are not why. */
    if (call->args[0].i > 1 && text.length == 0
        && call->error != JVMTI_ERROR_UNMODIFIABLE_CLASS) {
        tf_buffer_release(&text);
        return;
    }
    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    check_found(call->error == JVMTI_ERROR_UNMODIFIABLE_CLASS
                    ? RULE_CLASSES_UNMODIFIABLE : RULE_CLASSES_REDEFINITION_REFUSED,
                function, "%s of class %s is refused, %s%s%s",
                function, signature != NULL ? signature : "?",
                error != NULL ? error + strlen("JVMTI_ERROR_") : "?",
                text.length > 0 ? ": " : "", tf_buffer_string(&text));
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    tf_buffer_release(&text);
}

/* Refused for what is in the class file, and not for the call's other arguments? */
static bool
is_refused(jvmtiError error)
{
    return (error >= JVMTI_ERROR_INVALID_CLASS_FORMAT && error <= JVMTI_ERROR_NAMES_DONT_MATCH)
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED
        || error == JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

void
redefine_end(const struct interpose_call *call)
{
    void *env = NULL;

    if ((call->function != INTERPOSE_RedefineClasses
         && call->function != INTERPOSE_RetransformClasses)
        || !is_refused(call->error) || call->args[1].p == NULL
        || (*check_real_vm)->GetEnv(check_real_vm, &env, JNI_VERSION_1_2) != JNI_OK)
        return;
    for (jint i = 0; i < call->args[0].i; i++) {
        const jvmtiClassDefinition *definitions = call->args[1].p;
        const jclass *classes = call->args[1].p;

        if (call->function == INTERPOSE_RedefineClasses)
            tell_class(call, env, definitions[i].klass, definitions[i].class_bytes,
                       definitions[i].class_byte_count);
        else {
            struct class_given g = class_given_for(classes[i]);

            tell_class(call, env, classes[i], g.bytes, g.length);
        }
    }
}
