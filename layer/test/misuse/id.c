/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/id.c -- ids of methods and fields. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static jmethodID
method_of(struct misuse *m, const char *class_name, const char *name, const char *type)
{
    jclass class = (*m->jni)->FindClass(m->jni, class_name);

    return (*m->jni)->GetMethodID(m->jni, class, name, type);
}

static void
name_method(struct misuse *m)
{
    jmethodID get = method_of(m, "java/lang/Thread", "getName", "()Ljava/lang/String;");
    char *name = NULL;

    (*m->jvmti)->GetMethodName(m->jvmti, m->right ? get : (jmethodID)(uintptr_t)0x12340,
                               &name, NULL, NULL);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
}

static void
name_field(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Integer");
    jfieldID value = (*m->jni)->GetFieldID(m->jni, class, "value", "I");
    char *name = NULL;

    (*m->jvmti)->GetFieldName(m->jvmti, class,
                              m->right ? value : (jfieldID)(uintptr_t)0x12340, &name, NULL,
                              NULL);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
}

/* A jfieldID where a jmethodID is wanted, and the other way round; both are good ids. */
static void
name_other(struct misuse *m, bool is_field_wanted)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Integer");
    jfieldID field = (*m->jni)->GetFieldID(m->jni, class, "value", "I");
    jmethodID method = (*m->jni)->GetMethodID(m->jni, class, "intValue", "()I");
    char *name = NULL;

    if (is_field_wanted)
        (*m->jvmti)->GetFieldName(m->jvmti, class, m->right ? field : (jfieldID)method,
                                  &name, NULL, NULL);
    else
        (*m->jvmti)->GetMethodName(m->jvmti, m->right ? method : (jmethodID)field, &name,
                                   NULL, NULL);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
}

static void
name_field_as_method(struct misuse *m)
{
    name_other(m, false);
}

static void
name_method_as_field(struct misuse *m)
{
    name_other(m, true);
}

static void
name_null(struct misuse *m)
{
    jmethodID get = method_of(m, "java/lang/Thread", "getName", "()Ljava/lang/String;");
    char *name = NULL;

    (*m->jvmti)->GetMethodName(m->jvmti, m->right ? get : NULL, &name, NULL, NULL);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
}

/* ---- a class that goes ---- */

/* Like `new URLClassLoader(new URL[] { new File(path).toURI().toURL() }, null)`. */
static jobject
new_loader(struct misuse *m, const char *path)
{
    JNIEnv *jni = m->jni;
    jclass file_class = (*jni)->FindClass(jni, "java/io/File");
    jclass url_class = (*jni)->FindClass(jni, "java/net/URL");
    jclass loader_class = (*jni)->FindClass(jni, "java/net/URLClassLoader");
    jobject file, uri, url, urls;

    file = (*jni)->NewObject(jni, file_class,
                             (*jni)->GetMethodID(jni, file_class, "<init>",
                                                 "(Ljava/lang/String;)V"),
                             (*jni)->NewStringUTF(jni, path));
    uri = (*jni)->CallObjectMethod(jni, file,
                                   (*jni)->GetMethodID(jni, file_class, "toURI",
                                                       "()Ljava/net/URI;"));
    url = (*jni)->CallObjectMethod(jni, uri,
                                   method_of(m, "java/net/URI", "toURL",
                                             "()Ljava/net/URL;"));
    urls = (*jni)->NewObjectArray(jni, 1, url_class, url);
    return (*jni)->NewObject(jni, loader_class,
                             (*jni)->GetMethodID(jni, loader_class, "<init>",
                                                 "([Ljava/net/URL;Ljava/lang/ClassLoader;)V"),
                             urls, (jobject)NULL);
}

/* The program's class once more, by a loader of its own. */
static jclass
load_target(struct misuse *m, const char *path)
{
    jmethodID load = method_of(m, "java/lang/ClassLoader", "loadClass",
                               "(Ljava/lang/String;)Ljava/lang/Class;");

    return (*m->jni)->CallObjectMethod(m->jni, new_loader(m, path), load,
                                       (*m->jni)->NewStringUTF(m->jni, "Target"));
}

/* The method of a class that only the loader has, of which there is a weak reference. */
static jmethodID
load_one(struct misuse *m, const char *path, jweak *weak)
{
    JNIEnv *jni = m->jni;
    jclass class;
    jmethodID method;

    (*jni)->PushLocalFrame(jni, 32);
    class = load_target(m, path);
    method = (*jni)->GetStaticMethodID(jni, class, "main", "([Ljava/lang/String;)V");
    *weak = (*jni)->NewWeakGlobalRef(jni, class);
    (*jni)->PopLocalFrame(jni, NULL);
    return method;
}

static void
await_unloading(struct misuse *m, jweak weak)
{
    for (int i = 0; i < 20 && !(*m->jni)->IsSameObject(m->jni, weak, NULL); i++)
        (*m->jvmti)->ForceGarbageCollection(m->jvmti);
    if (!(*m->jni)->IsSameObject(m->jni, weak, NULL)) {
        fprintf(stderr, "misuse: the class was not unloaded\n");
        exit(3);
    }
    (*m->jni)->DeleteWeakGlobalRef(m->jni, weak);
}

static void
use_unloaded(struct misuse *m)
{
    char *path = NULL, *name = NULL;
    jmethodID method;
    jweak weak;

    misuse_must((*m->jvmti)->GetSystemProperty(m->jvmti, "java.class.path", &path), "path");
    method = load_one(m, path, &weak);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)path);
    await_unloading(m, weak);
    if (!m->right)
        (*m->jvmti)->GetMethodName(m->jvmti, method, &name, NULL, NULL);
}

/* ---- calls that do not fit ---- */

static void
call_other_class(struct misuse *m)
{
    jmethodID length = method_of(m, "java/lang/String", "length", "()I");

    (*m->jni)->CallIntMethod(m->jni,
                             m->right ? (*m->jni)->NewStringUTF(m->jni, "text") : m->thread,
                             length);
}

static void
call_static(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID current = (*jni)->GetStaticMethodID(jni, class, "currentThread",
                                                  "()Ljava/lang/Thread;");

    if (m->right)
        (*jni)->CallStaticObjectMethod(jni, class, current);
    else
        (*jni)->CallObjectMethod(jni, m->thread, current);
}

static void
call_with_other(struct misuse *m)
{
    jmethodID set = method_of(m, "java/lang/Thread", "setName", "(Ljava/lang/String;)V");
    jvalue value = { .l = m->right ? (*m->jni)->NewStringUTF(m->jni, "main") : m->thread };

    (*m->jni)->CallVoidMethodA(m->jni, m->thread, set, &value);
    if (m->right)
        (*m->jni)->CallVoidMethod(m->jni, m->thread, set, value.l);
}

static void
call_for_other(struct misuse *m)
{
    jmethodID get = method_of(m, "java/lang/Thread", "getName", "()Ljava/lang/String;");

    if (m->right)
        (*m->jni)->CallObjectMethod(m->jni, m->thread, get);
    else
        (*m->jni)->CallIntMethod(m->jni, m->thread, get);
}

static void
drop_result(struct misuse *m)
{
    jmethodID get = method_of(m, "java/lang/Thread", "getName", "()Ljava/lang/String;");

    if (m->right)
        (*m->jni)->CallObjectMethod(m->jni, m->thread, get);
    else
        (*m->jni)->CallVoidMethod(m->jni, m->thread, get);
}

static void
store_other(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Throwable");
    jobject object = (*m->jni)->AllocObject(m->jni, class);
    jfieldID field = (*m->jni)->GetFieldID(m->jni, class, "detailMessage",
                                           "Ljava/lang/String;");

    (*m->jni)->SetObjectField(m->jni, object, field,
                              m->right ? (*m->jni)->NewStringUTF(m->jni, "text")
                                       : m->thread);
}

/* On HotSpot both ids say where in an object the field is, and may be the same. */
static void
get_of_other_class(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");
    jclass atomic = (*jni)->FindClass(jni, "java/util/concurrent/atomic/AtomicInteger");
    jfieldID value = (*jni)->GetFieldID(jni, integer, "value", "I");

    (*jni)->GetIntField(jni, (*jni)->AllocObject(jni, m->right ? integer : atomic), value);
}

/* Both classes have one field that is of an object, and of the same type. */
static void
name_of_other_class(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");
    jclass atomic = (*jni)->FindClass(jni, "java/util/concurrent/atomic/AtomicInteger");
    jfieldID *fields;
    jint count, modifiers;

    misuse_must((*m->jvmti)->GetClassFields(m->jvmti, atomic, &count, &fields),
                "GetClassFields");
    for (jint i = 0; i < count; i++) {
        char *name = NULL;

        misuse_must((*m->jvmti)->GetFieldModifiers(m->jvmti, atomic, fields[i], &modifiers),
                    "GetFieldModifiers");
        if ((modifiers & 0x8) == 0
            && (*m->jvmti)->GetFieldName(m->jvmti, m->right ? atomic : integer, fields[i],
                                         &name, NULL, NULL) == JVMTI_ERROR_NONE)
            (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
    }
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)fields);
}

/* Ids of several classes that may be the same, each with its own class or a subclass; and
   of so many that nobody counts them. */
static void
name_each(struct misuse *m)
{
    static const char *const names[] = { "java/lang/Integer", "java/lang/Short",
                                         "java/util/concurrent/atomic/AtomicInteger",
                                         "java/lang/Throwable" };
    JNIEnv *jni = m->jni;
    jclass *classes, below = (*jni)->FindClass(jni, "java/lang/Error");
    jint class_count, count;
    jfieldID *fields;
    char *name;

    for (size_t c = 0; c < sizeof names / sizeof *names; c++) {
        jclass class = (*jni)->FindClass(jni, names[c]);

        misuse_must((*m->jvmti)->GetClassFields(m->jvmti, class, &count, &fields),
                    "GetClassFields");
        for (jint i = 0; i < count; i++) {
            misuse_must((*m->jvmti)->GetFieldName(m->jvmti, c == 3 ? below : class,
                                                  fields[i], &name, NULL, NULL),
                        "GetFieldName");
            (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
        }
        (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)fields);
    }
    misuse_must((*m->jvmti)->GetLoadedClasses(m->jvmti, &class_count, &classes),
                "GetLoadedClasses");
    for (jint c = 0; c < class_count; c++) {
        if ((*m->jvmti)->GetClassFields(m->jvmti, classes[c], &count, &fields)
            != JVMTI_ERROR_NONE)
            continue;
        for (jint i = 0; i < count; i++)
            if ((*m->jvmti)->GetFieldName(m->jvmti, classes[c], fields[i], &name, NULL, NULL)
                == JVMTI_ERROR_NONE)
                (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
        (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)fields);
        (*jni)->DeleteLocalRef(jni, classes[c]);
    }
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)classes);
}

/* A field of a class that is unloaded, and of one that is loaded in its place. */
static void
get_of_each(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    char *path = NULL;

    misuse_must((*m->jvmti)->GetSystemProperty(m->jvmti, "java.class.path", &path), "path");
    for (int i = 0; i < 3; i++) {
        jclass class;
        jfieldID field;
        jweak weak;

        (*jni)->PushLocalFrame(jni, 32);
        class = load_target(m, path);
        field = (*jni)->GetFieldID(jni, class, "number", "I");
        (*jni)->GetIntField(jni, (*jni)->AllocObject(jni, class), field);
        weak = (*jni)->NewWeakGlobalRef(jni, class);
        (*jni)->PopLocalFrame(jni, NULL);
        await_unloading(m, weak);
    }
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)path);
}

const struct misuse_case id_cases[] = {
    { .rule = "ids.result-dropped", .init = drop_result },
    { .rule = "ids.argument-type/field", .init = store_other },
    { .rule = "ids.method-invalid", .init = name_method },
    { .rule = "ids.method-invalid/field", .init = name_field_as_method },
    { .rule = "ids.method-invalid/null", .init = name_null },
    { .rule = "ids.field-invalid", .init = name_field },
    { .rule = "ids.field-invalid/method", .init = name_method_as_field },
    { .rule = "ids.unloaded", .init = use_unloaded },
    { .rule = "ids.wrong-class", .init = call_other_class },
    { .rule = "ids.wrong-class/field", .init = get_of_other_class },
    { .rule = "ids.wrong-class/name", .init = name_of_other_class },
    { .rule = "correct/unloaded-field", .init = get_of_each },
    { .rule = "correct/fields", .init = name_each },
    { .rule = "ids.static-mixed", .init = call_static },
    { .rule = "ids.argument-type", .init = call_with_other },
    { .rule = "ids.return-type", .init = call_for_other },
    { .rule = NULL }
};
