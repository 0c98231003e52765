/* SPDX-License-Identifier: MIT */
/* See NativeFamilies.java. */
#include <jni.h>
#include <stdarg.h>
#include <stdio.h>

#define ALL "(ZBCSIJFDLjava/lang/Object;)"

static JNIEnv *env;
static jclass owner, base, derived;
static jobject object, text;
static jmethodID print;

/* A line of Java's standard output. */
static void
say(const char *format, ...)
{
    char line[200];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (*env)->CallStaticVoidMethod(env, owner, print, (*env)->NewStringUTF(env, line));
}

/* Name, member of jvalue, descriptor, and how printf shows it. */
#define TYPES(X) \
    X(Boolean, z, "Z", "%d", int) X(Byte, b, "B", "%d", int) \
    X(Char, c, "C", "%c", int) X(Short, s, "S", "%d", int) X(Int, i, "I", "%d", int) \
    X(Long, j, "J", "%lld", long long) X(Float, f, "F", "%g", double) \
    X(Double, d, "D", "%g", double)

#define TYPE_OF(member) __typeof__(((jvalue *)0)->member)

/* One type: virtual, nonvirtual and static, each in three forms. */
#define CALLS(Name, member, letter, format, shown) \
static TYPE_OF(member) \
list_##Name(int kind, jmethodID id, ...) \
{ \
    TYPE_OF(member) r; \
    va_list args; \
    va_start(args, id); \
    r = kind == 0 ? (*env)->Call##Name##MethodV(env, object, id, args) \
        : kind == 1 \
            ? (*env)->CallNonvirtual##Name##MethodV(env, object, base, id, args) \
            : (*env)->CallStatic##Name##MethodV(env, base, id, args); \
    va_end(args); \
    return r; \
} \
static void \
call_##Name(const char *signature, const jvalue *v) \
{ \
    jmethodID m = (*env)->GetMethodID(env, base, "call" #Name, signature); \
    jmethodID s = (*env)->GetStaticMethodID(env, base, "static" #Name, signature); \
    say(#Name " " format " " format " " format, \
        (shown)(*env)->Call##Name##Method(env, object, m, GIVE(Name, v)), \
        (shown)list_##Name(0, m, GIVE(Name, v)), \
        (shown)(*env)->Call##Name##MethodA(env, object, m, v)); \
    say("  " format " " format " " format, \
        (shown)(*env)->CallNonvirtual##Name##Method(env, object, base, m, \
                                                    GIVE(Name, v)), \
        (shown)list_##Name(1, m, GIVE(Name, v)), \
        (shown)(*env)->CallNonvirtual##Name##MethodA(env, object, base, m, v)); \
    say("  " format " " format " " format, \
        (shown)(*env)->CallStatic##Name##Method(env, base, s, GIVE(Name, v)), \
        (shown)list_##Name(2, s, GIVE(Name, v)), \
        (shown)(*env)->CallStatic##Name##MethodA(env, base, s, v)); \
}
#define GIVE(Name, v) GIVE_##Name(v)
#define GIVE_Boolean(v) \
    v[0].z, v[1].b, v[2].c, v[3].s, v[4].i, v[5].j, v[6].f, v[7].d, v[8].l
#define GIVE_Byte(v) v->b
#define GIVE_Char(v) v->c
#define GIVE_Short(v) v->s
#define GIVE_Int(v) v->i
#define GIVE_Long(v) v->j
#define GIVE_Float(v) v->f
#define GIVE_Double(v) v->d
TYPES(CALLS)

static const char *
chars(jobject o)
{
    return o == NULL ? "null" : (*env)->GetStringUTFChars(env, o, NULL);
}

static jobject
list_Object(int kind, jclass c, jmethodID id, ...)
{
    va_list args;
    jobject r;

    va_start(args, id);
    r = kind == 0 ? (*env)->CallObjectMethodV(env, object, id, args)
        : kind == 1 ? (*env)->CallNonvirtualObjectMethodV(env, object, c, id, args)
        : kind == 2 ? (*env)->CallStaticObjectMethodV(env, c, id, args)
                    : (*env)->NewObjectV(env, c, id, args);
    va_end(args);
    return r;
}

static void
list_Void(int kind, jmethodID id, ...)
{
    va_list args;

    va_start(args, id);
    if (kind == 0)
        (*env)->CallVoidMethodV(env, object, id, args);
    else if (kind == 1)
        (*env)->CallNonvirtualVoidMethodV(env, object, base, id, args);
    else
        (*env)->CallStaticVoidMethodV(env, base, id, args);
    va_end(args);
}

static void
call_Object(void)
{
    const char *signature = "(Ljava/lang/Object;)Ljava/lang/Object;";
    jmethodID m = (*env)->GetMethodID(env, base, "callObject", signature);
    jmethodID s = (*env)->GetStaticMethodID(env, base, "staticObject", signature);
    jvalue v = { .l = text };

    say("%s, %s, %s", chars((*env)->CallObjectMethod(env, object, m, text)),
        chars(list_Object(0, base, m, text)),
        chars((*env)->CallObjectMethodA(env, object, m, &v)));
    say("%s, %s, %s",
        chars((*env)->CallNonvirtualObjectMethod(env, object, base, m, text)),
        chars(list_Object(1, base, m, text)),
        chars((*env)->CallNonvirtualObjectMethodA(env, object, base, m, &v)));
    say("%s, %s, %s", chars((*env)->CallStaticObjectMethod(env, base, s, NULL)),
        chars(list_Object(2, base, s, text)),
        chars((*env)->CallStaticObjectMethodA(env, base, s, &v)));
}

static void
call_Void(void)
{
    jmethodID m = (*env)->GetMethodID(env, base, "callVoid", "(I)V");
    jmethodID s = (*env)->GetStaticMethodID(env, base, "staticVoid", "(I)V");
    jvalue v = { .i = 3 };

    (*env)->CallVoidMethod(env, object, m, 1);
    list_Void(0, m, 2);
    (*env)->CallVoidMethodA(env, object, m, &v);
    (*env)->CallNonvirtualVoidMethod(env, object, base, m, 1);
    list_Void(1, m, 2);
    (*env)->CallNonvirtualVoidMethodA(env, object, base, m, &v);
    (*env)->CallStaticVoidMethod(env, base, s, 1);
    list_Void(2, s, 2);
    (*env)->CallStaticVoidMethodA(env, base, s, &v);
}

/* An instance field read and written, a static one written and read. */
#define FIELDS(Name, member, letter, format, shown) \
static void \
fields_##Name(jvalue v) \
{ \
    jfieldID f = (*env)->GetFieldID(env, base, #member, letter); \
    jfieldID s = (*env)->GetStaticFieldID(env, base, "s" #member, letter); \
    TYPE_OF(member) before = (*env)->Get##Name##Field(env, object, f); \
    (*env)->Set##Name##Field(env, object, f, v.member); \
    (*env)->SetStatic##Name##Field(env, base, s, v.member); \
    say("field " #member " " format " " format " " format, (shown)before, \
        (shown)(*env)->Get##Name##Field(env, object, f), \
        (shown)(*env)->GetStatic##Name##Field(env, base, s)); \
}
TYPES(FIELDS)

static void
fields_Object(void)
{
    jfieldID f = (*env)->GetFieldID(env, base, "l", "Ljava/lang/Object;");
    jfieldID s = (*env)->GetStaticFieldID(env, base, "sl", "Ljava/lang/Object;");
    jobject before = (*env)->GetObjectField(env, object, f);

    (*env)->SetObjectField(env, object, f, text);
    (*env)->SetStaticObjectField(env, base, s, text);
    say("field l %s %s %d", chars(before),
        chars((*env)->GetObjectField(env, object, f)),
        (*env)->IsSameObject(env, text, (*env)->GetStaticObjectField(env, base, s)));
}

#define ARRAYS(Name, member, letter, format, shown) \
static void \
array_##Name(jvalue v) \
{ \
    __typeof__((*env)->New##Name##Array(env, 0)) a = (*env)->New##Name##Array(env, 3); \
    TYPE_OF(member) two[2] = { v.member, v.member }, *all; \
    jboolean thrown; \
    (*env)->Set##Name##ArrayRegion(env, a, 1, 2, two); \
    (*env)->Get##Name##ArrayRegion(env, a, 0, 2, two); \
    all = (*env)->Get##Name##ArrayElements(env, a, NULL); \
    say("array %d %d %d %d", two[0] == 0, two[1] == v.member, all[0] == 0, \
        all[2] == v.member); \
    all[0] = v.member; \
    (*env)->Release##Name##ArrayElements(env, a, all, 0); \
    (*env)->Get##Name##ArrayRegion(env, a, 0, 1, two); \
    (*env)->Get##Name##ArrayRegion(env, a, 2, 2, two); \
    thrown = (*env)->ExceptionCheck(env); \
    (*env)->ExceptionClear(env); \
    say("%d, %d", two[0] == v.member, thrown); \
}
TYPES(ARRAYS)

static void
show_made(jobject made)
{
    jfieldID f = (*env)->GetFieldID(env, derived, "made", "Ljava/lang/String;");

    say("made %s", chars((*env)->GetObjectField(env, made, f)));
}

JNIEXPORT void JNICALL
Java_NativeFamilies_run(JNIEnv *given, jclass c, jclass base_class,
                        jclass derived_class)
{
    jmethodID make;

    env = given;
    owner = c;
    base = base_class;
    derived = derived_class;
    text = (*env)->NewStringUTF(env, "text");
    print = (*env)->GetStaticMethodID(env, owner, "print", "(Ljava/lang/String;)V");
    jvalue v[9] = { { .z = JNI_TRUE }, { .b = -100 }, { .c = 'x' }, { .s = -30000 },
                    { .i = -2000000000 }, { .j = -(1LL << 60) }, { .f = 0.5f },
                    { .d = -1e100 }, { .l = text } };

    make = (*env)->GetMethodID(env, derived, "<init>", ALL "V");
    object = (*env)->NewObject(env, derived, make, GIVE_Boolean(v));
    show_made(object);
    show_made((*env)->NewObjectA(env, derived, make, v));
    show_made(list_Object(3, derived, make, GIVE_Boolean(v)));
    call_Boolean(ALL "Z", v);
#define CALL(Name, signature, index) \
    call_##Name(signature, &v[index]); \
    fields_##Name(v[index]); \
    array_##Name(v[index])
    fields_Boolean(v[0]);
    array_Boolean(v[0]);
    CALL(Byte, "(B)B", 1);
    CALL(Char, "(C)C", 2);
    CALL(Short, "(S)S", 3);
    CALL(Int, "(I)I", 4);
    CALL(Long, "(J)J", 5);
    CALL(Float, "(F)F", 6);
    CALL(Double, "(D)D", 7);
    call_Object();
    fields_Object();
    call_Void();
}
