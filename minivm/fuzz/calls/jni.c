/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/jni.c -- a call of JNI.  Its arguments are always what a VM may
 * assume: valid references of the right class, ids of that class, buffers that are
 * large enough.  Values may be out of range where an exception is thrown for that.
 */
#include "fuzz/calls/fuzzer.h"

#include <stdlib.h>
#include <string.h>

/* Not called: what ends the process, prints, or takes references of which the registers
   must know; what ends something that another call begins is called after that one. */
static const char *const left_out[] = {
    "FatalError", "ExceptionDescribe", "RegisterNatives", "UnregisterNatives",
    "DeleteGlobalRef", "DeleteLocalRef", "DeleteWeakGlobalRef", "PopLocalFrame",
    "MonitorExit"
};

static bool
is(const struct jni_function *f, const char *name)
{
    return strcmp(f->name, name) == 0;
}

static bool
begins(const struct jni_function *f, const char *prefix)
{
    return strncmp(f->name, prefix, strlen(prefix)) == 0;
}

static bool
is_left_out(const struct jni_function *f)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (is(f, left_out[i]))
            return true;
    return begins(f, "Release")
           || (is(f, "IsVirtualThread") && stage.jni_version < 0x00150000);
}

/* "jint" is 5, the place in type_names; 0 for references, 9 for void. */
static int
type_of(const char *name)
{
    for (int i = 1; i < 10; i++)
        if (strncasecmp(name[0] == 'j' ? name + 1 : name, type_names[i],
                        strlen(type_names[i])) == 0)
            return i;
    return 0;
}

/* The type that a field or method has to have. */
static int
type_of_member(const struct jni_function *f)
{
    if (strcmp(f->returns, "void") == 0 && f->form == '\0')
        return type_of(f->parameters[f->count - 1].type);
    return type_of(f->returns);
}

static void *
described(struct call *c, int i, void *value, const char *text)
{
    describe(c, i, "%s", text);
    return value;
}

static void *
valid_object(struct call *c, int i, enum kind kind)
{
    int number = pick(c, REGISTERS);

    for (int n = 0; n < REGISTERS; n++, number = (number + 1) % REGISTERS)
        if (c->s->cell[kind][number].state == VALID) {
            describe(c, i, "s->cell[%d][%d].value", (int)kind, number);
            return c->s->cell[kind][number].value;
        }
    if (kind == LOADER)
        return described(c, i, NULL, "NULL");
    return kind == CLASS ? described(c, i, stage.target, "stage.target")
                         : described(c, i, stage.instance, "stage.instance");
}

static jint
jni_int(struct call *c, const struct jni_function *f, const struct parameter *p)
{
    static const jint lengths[] = { 0, 1, 2, 5, 100, -1, INT32_MIN, 3, 4, 16 };

    if (strcmp(p->name, "isStatic") == 0)
        return JNI_FALSE;
    if (strcmp(p->name, "mode") == 0)
        return pick(c, 2) == 0 ? 0 : JNI_ABORT;
    if (strcmp(p->name, "capacity") == 0)
        return pick(c, 40) - 2;
    /* What is read from a buffer has to be in it. */
    if (strcmp(p->name, "len") == 0 && is(f, "NewString"))
        return pick(c, 100);
    if (strcmp(p->name, "len") == 0 && is(f, "DefineClass"))
        return pick(c, 4) == 0 ? pick(c, stage.version_length[0])
                               : stage.version_length[0];
    if (strcmp(p->name, "len") == 0 || strcmp(p->name, "start") == 0
        || strcmp(p->name, "index") == 0)
        return lengths[pick(c, 10)];
    return pick(c, 70000) - 100;
}

static const char *
jni_text(struct call *c, int i, const struct jni_function *f)
{
    static const char *const class_names[] = {
        "java/lang/String", "[I", "VictimA", "no/such/Class", "java.lang.Object",
        "[Ljava/lang/Object;", "", "Life", "I", "java/util/ArrayList"
    };
    static const char *const member_names[] = {
        "<init>", "toString", "callInt", "sInt", "fObject", "no", "", "<clinit>",
        "length", "work"
    };
    static const char *const signatures[] = {
        "()V", "()Ljava/lang/String;", "(IJDLjava/lang/Object;)I", "I",
        "Ljava/lang/Object;", "()", "", "()I", "(I)I", "J"
    };
    const char *const *from = begins(f, "FindClass") ? class_names
        : strcmp(f->parameters[i].name, "sig") == 0 ? signatures
        : begins(f, "Get") ? member_names : class_names;
    const char *text = from[pick(c, 10)];

    if (is(f, "DefineClass"))
        text = pick(c, 2) == 0 ? "VictimA" : NULL;
    if (text == NULL)
        return described(c, i, NULL, "NULL");
    describe(c, i, "\"%s\"", text);
    return text;
}

static void *
jni_class(struct call *c, int i, const struct jni_function *f)
{
    if (is(f, "ThrowNew"))
        return described(c, i, stage.throwable, "stage.throwable");
    if (is(f, "NewObjectArray") || is(f, "IsInstanceOf"))
        return pick(c, 2) == 0 ? described(c, i, stage.target, "stage.target")
                               : described(c, i, stage.string_class,
                                           "stage.string_class");
    if (is(f, "GetSuperclass") || is(f, "IsAssignableFrom") || is(f, "GetModule")
        || begins(f, "GetMethodID") || begins(f, "GetFieldID")
        || begins(f, "GetStaticMethodID") || begins(f, "GetStaticFieldID"))
        return valid_object(c, i, CLASS);
    return described(c, i, stage.target, "stage.target");
}

static void *
jni_object(struct call *c, int i, const struct jni_function *f)
{
    const char *name = f->parameters[i].name;
    bool has_member = i + 1 < f->count
                      && (strcmp(f->parameters[i + 1].type, "jfieldID") == 0
                          || strcmp(f->parameters[i + 1].type, "jmethodID") == 0
                          || begins(f, "CallNonvirtual"));

    if (has_member)
        return described(c, i, stage.instance, "stage.instance");
    if (is(f, "FromReflectedMethod"))
        return described(c, i, stage.reflected[0], "stage.reflected[0]");
    if (is(f, "FromReflectedField"))
        return described(c, i, stage.reflected[1], "stage.reflected[1]");
    if (strcmp(name, "loader") == 0)
        return valid_object(c, i, LOADER);
    /* A monitor that is held while the call goes on; no other thread has that one. */
    if (is(f, "MonitorEnter"))
        return described(c, i, stage.arrays[c->s->number % 8],
                         "stage.arrays[s->number % 8]");
    if (is(f, "NewObjectArray"))
        return described(c, i, NULL, "NULL");
    if ((is(f, "SetObjectArrayElement") || begins(f, "Set") || is(f, "IsSameObject")
         || begins(f, "New")) && pick(c, 4) == 0)
        return described(c, i, NULL, "NULL");
    return valid_object(c, i, OBJECT);
}

static void *
jni_pointer(struct call *c, int i, const struct jni_function *f)
{
    static char address[64];
    const struct parameter *p = &f->parameters[i];
    int type = type_of_member(f);
    bool is_static = strstr(f->name, "Static") != NULL;

    if (strcmp(p->type, "jclass") == 0)
        return jni_class(c, i, f);
    if (strcmp(p->type, "jobject") == 0)
        return jni_object(c, i, f);
    if (strcmp(p->type, "jmethodID") == 0) {
        if (begins(f, "NewObject"))
            return described(c, i, (void *)stage.constructor, "stage.constructor");
        if (is(f, "ToReflectedMethod"))
            type = 5;
        describe(c, i, "stage.methods[%d][%d]", type, is_static);
        return (void *)stage.methods[type][is_static];
    }
    if (strcmp(p->type, "jfieldID") == 0) {
        if (is(f, "ToReflectedField"))
            type = 6;
        describe(c, i, "stage.fields[%d][%d]", type, is_static);
        return (void *)stage.fields[type][is_static];
    }
    if (strcmp(p->type, "jthrowable") == 0)
        return described(c, i, stage.exception, "stage.exception");
    if (strcmp(p->type, "jstring") == 0)
        return described(c, i, stage.string, "stage.string");
    if (strcmp(p->type, "jobjectArray") == 0)
        return described(c, i, stage.object_array, "stage.object_array");
    if (strcmp(p->type, "jarray") == 0) {
        type = 1 + pick(c, 8);
        describe(c, i, "stage.arrays[%d]", type - 1);
        return stage.arrays[type - 1];
    }
    if (strstr(p->type, "Array") != NULL) {
        describe(c, i, "stage.arrays[%d]", type_of(p->type) - 1);
        return stage.arrays[type_of(p->type) - 1];
    }
    if (strcmp(p->type, "const char *") == 0 && !is(f, "NewStringUTF")
        && !is(f, "ThrowNew"))
        return (void *)jni_text(c, i, f);
    if (strcmp(p->type, "const char *") == 0)
        return described(c, i, (void *)"text \xc3\xa9", "\"text \\xc3\\xa9\"");
    if (strcmp(p->type, "const jbyte *") == 0 && is(f, "DefineClass"))
        return described(c, i, stage.version_bytes[0],
                         "(void *)stage.version_bytes[0]");
    if (strcmp(p->type, "void *") == 0 && is(f, "NewDirectByteBuffer"))
        return described(c, i, address, "(void *)buffer");
    return described(c, i, c->buffer, "(void *)buffer");
}

/* What has to come after some calls. */
static void
finish(struct call *c, const struct jni_function *f, const union value *result)
{
    JNIEnv *jni = c->s->jni;
    const char *rest = f->name + 3;
    bool elements = begins(f, "Get") && result->p != NULL
                    && (strstr(rest, "Elements") != NULL
                        || strstr(rest, "Critical") != NULL
                        || is(f, "GetStringChars") || is(f, "GetStringUTFChars"));

    if (is(f, "PushLocalFrame") && result->i == 0) {
        trace(c, "(*jni)->PopLocalFrame(jni, NULL);");
        (*jni)->PopLocalFrame(jni, NULL);
    } else if (is(f, "MonitorEnter") && result->i == 0) {
        trace(c, "(*jni)->MonitorExit(jni, %s);", c->text[0]);
        (*jni)->MonitorExit(jni, c->a[0].p);
    } else if (is(f, "NewGlobalRef")) {
        trace(c, "(*jni)->DeleteGlobalRef(jni, r.p);");
        (*jni)->DeleteGlobalRef(jni, result->p);
    } else if (is(f, "NewWeakGlobalRef")) {
        trace(c, "(*jni)->DeleteWeakGlobalRef(jni, r.p);");
        (*jni)->DeleteWeakGlobalRef(jni, result->p);
    } else if (elements) {
        union value a[CALL_VALUES] = { 0 };

        a[0] = c->a[0];
        a[1] = *result;
        a[2].i = pick(c, 2) == 0 ? 0 : JNI_ABORT;
        for (int i = 0; i < jni_function_count; i++)
            if (begins(&jni_functions[i], "Release")
                && strcmp(jni_functions[i].name + 7, rest) == 0) {
                if (jni_functions[i].count == 3)
                    trace(c, "(*jni)->%s(jni, %s, r.p, %d);", jni_functions[i].name,
                          c->text[0], (int)a[2].i);
                else
                    trace(c, "(*jni)->%s(jni, %s, r.p);", jni_functions[i].name,
                          c->text[0]);
                jni_functions[i].call(jni, a, NULL);
                fuzzer.jni_made[i]++;
            }
    } else if (f->returns[0] == 'j' && result->p != NULL && type_of(f->returns) == 0
               && strcmp(f->returns, "jobjectRefType") != 0
               && strcmp(f->returns, "jsize") != 0
               && strcmp(f->returns, "jmethodID") != 0
               && strcmp(f->returns, "jfieldID") != 0
               && strcmp(f->returns, "jweak") != 0) {
        if (pick(c, 4) == 0 && strcmp(f->returns, "jobject") == 0) {
            int number = pick(c, REGISTERS);

            trace(c, "stage_store(s, %d, %d, r.p, false);", (int)OBJECT, number);
            stage_store(c->s, OBJECT, number, result->p, false);
        } else {
            trace(c, "(*jni)->DeleteLocalRef(jni, r.p);");
            (*jni)->DeleteLocalRef(jni, result->p);
        }
    }
}

static void
trace_jni(struct call *c, const struct jni_function *f)
{
    char line[4096];
    size_t at = 0;
    const char *type = f->returns;
    char member = type[strlen(type) - 1] == '*' ? 'p'
                  : strcmp(type, "jlong") == 0 ? 'j' : strcmp(type, "jfloat") == 0 ? 'f'
                  : strcmp(type, "jdouble") == 0 ? 'd'
                  : strcmp(type, "jsize") == 0 || strcmp(type, "jobjectRefType") == 0
                    || (type_of(type) != 0) ? 'i' : 'p';

    if (fuzzer.trace == NULL)
        return;
    for (int i = 0; i < f->count; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, ", %s", c->text[i]);
    line[at] = '\0';
    if (f->form != '\0') {
        const char *arguments = "7, 8L, 2.5, stage.string";

        trace(c, f->form == 'A'
              ? "%s%c%s(*jni)->%s(jni%s, (const jvalue[]){ { .i = %d }, { .j = 8 },"
                " { .d = 2.5 }, { .l = stage.string } });"
              : "%s%c%s(*jni)->%s(jni%s, %d, (jlong)8, 2.5, stage.string);",
              strcmp(type, "void") == 0 ? "/*" : "r.", member,
              strcmp(type, "void") == 0 ? "*/ " : " = ", f->name, line,
              (int)c->a[VARIADIC_INT].i);
        (void)arguments;
        return;
    }
    trace(c, "%s%c%s(*jni)->%s(jni%s);", strcmp(type, "void") == 0 ? "/*" : "r.",
          member,
          strcmp(type, "void") == 0 ? "*/ " : member == 'p' ? " = (void *)" : " = ",
          f->name, line);
}

void
call_jni(struct call *c)
{
    JNIEnv *jni = c->s->jni;
    int number = pick(c, jni_function_count);
    const struct jni_function *f = &jni_functions[number];
    union value result = { .j = 0 };

    if (is_left_out(f) || stage.instance == NULL)
        return;
    /* Loaders have locks, of which a thread in a callback may hold another one. */
    if (c->s->callbacks > 0
        && (is(f, "FindClass") || is(f, "DefineClass") || is(f, "MonitorEnter")))
        return;
    stage_clear_exception(c->s);
    for (int i = 0; i < f->count; i++) {
        const struct parameter *p = &f->parameters[i];

        if (p->rep == 'i') {
            c->a[i].i = jni_int(c, f, p);
            describe(c, i, "%d", (int)c->a[i].i);
        } else if (p->rep == 'j') {
            c->a[i].j = pick(c, 66) - 2;
            describe(c, i, "%lld", (long long)c->a[i].j);
        } else if (p->rep == 'f') {
            c->a[i].f = 0.5f;
            describe(c, i, "0.5f");
        } else if (p->rep == 'd') {
            c->a[i].d = -1.5;
            describe(c, i, "-1.5");
        } else {
            c->a[i].p = jni_pointer(c, i, f);
        }
    }
    c->a[VARIADIC_INT].i = pick(c, 5) - 1;
    c->a[VARIADIC_LONG].j = 8;
    c->a[VARIADIC_DOUBLE].d = 2.5;
    c->a[VARIADIC_OBJECT].p = stage.string;
    trace_jni(c, f);
    f->call(jni, c->a, &result);
    fuzzer.jni_made[number]++;
    finish(c, f, &result);
    /* Most of the time; JVM TI has to keep what is pending. */
    if (pick(c, 4) != 0) {
        trace(c, "stage_clear_exception(s);");
        stage_clear_exception(c->s);
    }
}
