/* SPDX-License-Identifier: MIT */
/* tck/agent/class.c -- chapter Class. */
#include "tck/lib/classfile.h"
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

#define CLASS "Ljava/lang/Class;"

static jclass
from_kinds(struct tck *t, const char *name)
{
    return stage_call(t, "tck/Kinds", name, "()" CLASS);
}

static jclass
primitive(struct tck *t, char letter)
{
    return stage_call(t, "tck/Kinds", "primitive", "(I)" CLASS, (jint)letter);
}

static void
check_signature(struct tck *t, jclass k, const char *want, const char *want_generic)
{
    char *signature, *generic;

    CALL(GetClassSignature, k, &signature, &generic);
    TEXT(want, signature);
    TEXT(want_generic, generic);
    CALL(Deallocate, (unsigned char *)signature);
    CALL(Deallocate, (unsigned char *)generic);
}

TCK_CASE("class", signature, "GetClassSignature.behaviour.class", "Get Class Signature",
         355)
{
    check_signature(t, stage_class(t, "tck/Kinds$Color"), "Ltck/Kinds$Color;",
                    "Ljava/lang/Enum<Ltck/Kinds$Color;>;");
    check_signature(t, stage_class(t, "tck/Kinds"), "Ltck/Kinds;", NULL);
}

TCK_CASE("class", signature_generic, "GetClassSignature.behaviour.generic",
         "Get Class Signature", 358)
{
    check_signature(t, stage_class(t, "tck/Kinds$Generic"), "Ltck/Kinds$Generic;",
                    "<T:Ljava/lang/Object;>Ltck/Kinds$Bridge<Ljava/lang/String;>;");
}

TCK_CASE("class", signature_array, "GetClassSignature.behaviour.array",
         "Get Class Signature", 355)
{
    check_signature(t, from_kinds(t, "matrix"), "[[Ltck/Kinds;", NULL);
    check_signature(t, stage_call(t, "tck/Values", "array", "()" CLASS), "[I", NULL);
}

TCK_CASE("class", signature_primitive, "GetClassSignature.behaviour.primitive",
         "Get Class Signature", 355)
{
    static const char letters[] = "ZBCSIJFDV";

    for (int i = 0; letters[i] != '\0'; i++) {
        char want[2] = { letters[i], '\0' };

        check_signature(t, primitive(t, letters[i]), want, NULL);
    }
}

TCK_CASE("class", signature_parts, "GetClassSignature.behaviour.null-outputs",
         "Get Class Signature", 357)
{
    char *generic = NULL;

    CALL(GetClassSignature, stage_class(t, "tck/Kinds"), NULL, NULL);
    CALL(GetClassSignature, stage_class(t, "tck/Kinds$Generic"), NULL, &generic);
    TRUE(generic != NULL);
    CALL(Deallocate, (unsigned char *)generic);
}

/* -- status -- */

static jint
status(struct tck *t, jclass k)
{
    jint value = -1;

    tck_want(t, "GetClassStatus", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetClassStatus(t->jvmti, k, &value));
    return value;
}

TCK_CASE("class", status_initialized, "GetClassStatus.behaviour.initialized",
         "Get Class Status", 359)
{
    SAME(JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED
         | JVMTI_CLASS_STATUS_INITIALIZED, status(t, stage_class(t, "tck/Host")));
}

TCK_CASE("class", status_loaded, "GetClassStatus.behaviour.loaded", "Get Class Status",
         359)
{
    SAME(0, status(t, stage_call(t, "tck/Events", "loadOnly", "()" CLASS))
         & (JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR));
}

TCK_CASE("class", status_array,
         "GetClassStatus.behaviour.array", "Get Class Status", 360)
{
    SAME(JVMTI_CLASS_STATUS_ARRAY, status(t, from_kinds(t, "matrix")));
}

TCK_CASE("class", status_primitive, "GetClassStatus.behaviour.primitive",
         "Get Class Status", 360)
{
    SAME(JVMTI_CLASS_STATUS_PRIMITIVE, status(t, primitive(t, 'I')));
    SAME(JVMTI_CLASS_STATUS_PRIMITIVE, status(t, primitive(t, 'V')));
}

TCK_CASE("class", status_error, "GetClassStatus.behaviour.failed-initialisation",
         "Get Class Status", 361)
{
    jclass k = NULL;
    jint value;

    stage_call_long(t, "tck/Kinds", "fail", "()Z");
    /* The class cannot be had by initialising it: look among the loaded ones. */
    k = stage_call(t, "java/lang/Class", "forName",
                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;)" CLASS,
                   (*t->jni)->NewStringUTF(t->jni, "tck.Kinds$Failing"), (jint)0,
                   stage_call(t, "tck/Threads", "loader", "()Ljava/lang/ClassLoader;"));
    value = status(t, k);
    TRUE((value & JVMTI_CLASS_STATUS_ERROR) != 0);
    SAME(0, value & JVMTI_CLASS_STATUS_INITIALIZED);
}

/* -- attributes -- */

TCK_CASE("class", source_file, "GetSourceFileName.behaviour.name",
         "Get Source File Name", 362)
{
    char *name;

    NEED("can_get_source_file_name");
    CALL(GetSourceFileName, stage_class(t, "tck/Kinds$Inner"), &name);
    TEXT("Kinds.java", name);
    CALL(Deallocate, (unsigned char *)name);
}

TCK_CASE("class", debug_extension, "GetSourceDebugExtension.behaviour.content",
         "Get Source Debug Extension", 387)
{
    char *text;

    NEED("can_get_source_debug_extension");
    CALL(GetSourceDebugExtension, classfile_smap_class(t), &text);
    TEXT(CLASSFILE_SMAP, text);
    CALL(Deallocate, (unsigned char *)text);
}

static jint
modifiers(struct tck *t, jclass k)
{
    jint value = -1;

    tck_want(t, "GetClassModifiers", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetClassModifiers(t->jvmti, k, &value));
    return value;
}

enum { ACC_PUBLIC = 1, ACC_PRIVATE = 2, ACC_PROTECTED = 4, ACC_STATIC = 8,
       ACC_FINAL = 16, ACC_INTERFACE = 0x200, ACC_ABSTRACT = 0x400,
       ACC_ANNOTATION = 0x2000, ACC_ENUM = 0x4000 };

TCK_CASE("class", modifiers_class, "GetClassModifiers.behaviour.class",
         "Get Class Modifiers", 732)
{
    SAME(ACC_PUBLIC, modifiers(t, stage_class(t, "tck/Kinds"))
         & (ACC_PUBLIC | ACC_FINAL | ACC_INTERFACE | ACC_ABSTRACT));
    SAME(ACC_FINAL, modifiers(t, stage_class(t, "tck/Host"))
         & (ACC_FINAL | ACC_INTERFACE | ACC_ABSTRACT));
    SAME(ACC_ABSTRACT, modifiers(t, stage_class(t, "tck/Kinds$Abstract"))
         & (ACC_PUBLIC | ACC_FINAL | ACC_INTERFACE | ACC_ABSTRACT));
}

TCK_CASE("class", modifiers_interface, "GetClassModifiers.behaviour.interface",
         "Get Class Modifiers", 732)
{
    SAME(ACC_INTERFACE | ACC_ABSTRACT, modifiers(t, stage_class(t, "tck/Kinds$Both"))
         & (ACC_INTERFACE | ACC_ABSTRACT | ACC_FINAL));
    SAME(ACC_ANNOTATION | ACC_INTERFACE, modifiers(t, stage_class(t, "tck/Kinds$Mark"))
         & (ACC_ANNOTATION | ACC_INTERFACE | ACC_ENUM));
    SAME(ACC_ENUM | ACC_FINAL, modifiers(t, stage_class(t, "tck/Kinds$Color"))
         & (ACC_ENUM | ACC_FINAL | ACC_INTERFACE));
}

TCK_CASE("class", modifiers_array, "GetClassModifiers.behaviour.array",
         "Get Class Modifiers", 364)
{
    SAME(ACC_PUBLIC | ACC_FINAL, modifiers(t, from_kinds(t, "matrix"))
         & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_FINAL | ACC_INTERFACE));
    SAME(ACC_FINAL, modifiers(t, from_kinds(t, "privateArray"))
         & (ACC_PUBLIC | ACC_FINAL | ACC_INTERFACE));
}

TCK_CASE("class", modifiers_primitive, "GetClassModifiers.behaviour.primitive",
         "Get Class Modifiers", 365)
{
    for (const char *letter = "ZBCSIJFDV"; *letter != '\0'; letter++)
        SAME(ACC_PUBLIC | ACC_FINAL, modifiers(t, primitive(t, *letter))
             & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_FINAL | ACC_INTERFACE));
}

/* -- members -- */

static bool
has_method(struct tck *t, const jmethodID *list, jint count, const char *want,
           const char *want_signature)
{
    for (jint i = 0; i < count; i++) {
        char *name, *signature;
        bool same;

        if ((*t->jvmti)->GetMethodName(t->jvmti, list[i], &name, &signature, NULL) != 0)
            return false;
        same = strcmp(name, want) == 0 && strcmp(signature, want_signature) == 0;
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)name);
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)signature);
        if (same)
            return true;
    }
    return false;
}

TCK_CASE("class", methods,
         "GetClassMethods.behaviour.declared", "Get Class Methods", 366)
{
    jmethodID *list;
    jint count;

    CALL(GetClassMethods, stage_class(t, "tck/Loaded"), &count, &list);
    SAME(3, count);
    TRUE(has_method(t, list, count, "<init>", "()V"));
    TRUE(has_method(t, list, count, "<clinit>", "()V"));
    TRUE(has_method(t, list, count, "method", "()I"));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", methods_bridge, "GetClassMethods.behaviour.synthetic",
         "Get Class Methods", 366)
{
    jmethodID *list;
    jint count;

    CALL(GetClassMethods, stage_class(t, "tck/Kinds$Generic"), &count, &list);
    SAME(3, count);
    TRUE(has_method(t, list, count, "get", "(Ljava/lang/String;)Ljava/lang/String;"));
    TRUE(has_method(t, list, count, "get", "(Ljava/lang/Object;)Ljava/lang/Object;"));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", methods_order, "GetClassMethods.behaviour.original-order",
         "Get Class Methods", 369)
{
    static const char *const want[] = {
        "<init>", "sum", "generic", "bound", "touch", "compareTo", "compareTo", "<clinit>"
    };
    jmethodID *list;
    jint count;

    NEED("can_maintain_original_method_order");
    CALL(GetClassMethods, stage_class(t, "tck/Model"), &count, &list);
    SAME(8, count);
    for (jint i = 0; i < count; i++) {
        char *name;

        CALL(GetMethodName, list[i], &name, NULL, NULL);
        TEXT(want[i], name);
        CALL(Deallocate, (unsigned char *)name);
    }
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", methods_none, "GetClassMethods.behaviour.array-and-primitive",
         "Get Class Methods", 367)
{
    jmethodID *list = NULL;
    jint count = -1;

    CALL(GetClassMethods, from_kinds(t, "matrix"), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
    list = NULL;
    CALL(GetClassMethods, primitive(t, 'I'), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", fields, "GetClassFields.behaviour.class-file-order",
         "Get Class Fields", 370)
{
    static const char *const want[] = {
        "staticInt", "STATIC_LONG", "instanceInt", "instanceLong", "text", "list"
    };
    jfieldID *list;
    jint count;

    CALL(GetClassFields, stage_class(t, "tck/Model"), &count, &list);
    SAME(6, count);
    for (jint i = 0; i < count; i++) {
        char *name;

        CALL(GetFieldName, stage_class(t, "tck/Model"), list[i], &name, NULL, NULL);
        TEXT(want[i], name);
        CALL(Deallocate, (unsigned char *)name);
    }
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", fields_none, "GetClassFields.behaviour.array-and-primitive",
         "Get Class Fields", 370)
{
    jfieldID *list = NULL;
    jint count = -1;

    CALL(GetClassFields, from_kinds(t, "matrix"), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
    list = NULL;
    CALL(GetClassFields, primitive(t, 'I'), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
}

/* How often the class is among the list's. */
static int
among(struct tck *t, const jclass *list, jint count, jclass k)
{
    int found = 0;

    for (jint i = 0; i < count; i++) {
        tck_true(t, "each element is a class", list[i] != NULL);
        found += (*t->jni)->IsSameObject(t->jni, list[i], k);
    }
    return found;
}

/* In which order they are listed the text does not say. */
TCK_CASE("class", interfaces, "GetImplementedInterfaces.behaviour.direct",
         "Get Implemented Interfaces", 372)
{
    jclass *list;
    jint count;

    CALL(GetImplementedInterfaces, stage_class(t, "tck/Kinds$Both"), &count, &list);
    SAME(2, count);
    SAME(1, among(t, list, count, stage_class(t, "java/lang/Runnable")));
    SAME(1, among(t, list, count, stage_class(t, "java/lang/Comparable")));
    CALL(Deallocate, (unsigned char *)list);
    CALL(GetImplementedInterfaces, stage_class(t, "tck/Model"), &count, &list);
    SAME(1, count);
    SAME(1, among(t, list, count, stage_class(t, "java/lang/Comparable")));
    CALL(Deallocate, (unsigned char *)list);
    CALL(GetImplementedInterfaces, stage_class(t, "tck/Kinds$Color"), &count, &list);
    SAME(0, count);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", interfaces_array, "GetImplementedInterfaces.behaviour.array",
         "Get Implemented Interfaces", 372)
{
    const jclass none[2] = { from_kinds(t, "matrix"), primitive(t, 'I') };

    for (int i = 0; i < 2; i++) {
        jclass *list = NULL;
        jint count = -1;

        CALL(GetImplementedInterfaces, none[i], &count, &list);
        SAME(0, count);
        CALL(Deallocate, (unsigned char *)list);
    }
}

static jclass
unprepared(struct tck *t)
{
    jclass k = stage_call(t, "tck/Events", "loadOnly", "()" CLASS);

    if ((status(t, k) & JVMTI_CLASS_STATUS_PREPARED) != 0) {
        tck_skip(t, "the VM prepares a class when it loads it");
        return NULL;
    }
    return k;
}

TCK_CASE("class", unprepared_methods, "GetClassMethods.error.CLASS_NOT_PREPARED.klass",
         "Get Class Methods", 368)
{
    jmethodID *list;
    jint count;
    jclass k = unprepared(t);

    if (k == NULL)
        return;
    WANT(CLASS_NOT_PREPARED, GetClassMethods, k, &count, &list);
    (*t->jni)->GetStaticMethodID(t->jni, k, "method", "()I");   /* initialises it */
    CALL(GetClassMethods, k, &count, &list);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", unprepared_fields, "GetClassFields.error.CLASS_NOT_PREPARED.klass",
         "Get Class Fields", 371)
{
    jfieldID *list;
    jint count;
    jclass k = unprepared(t);

    if (k == NULL)
        return;
    WANT(CLASS_NOT_PREPARED, GetClassFields, k, &count, &list);
    (*t->jni)->GetStaticMethodID(t->jni, k, "method", "()I");
    CALL(GetClassFields, k, &count, &list);
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", unprepared_interfaces,
         "GetImplementedInterfaces.error.CLASS_NOT_PREPARED.klass",
         "Get Implemented Interfaces", 373)
{
    jclass *list;
    jint count;
    jclass k = unprepared(t);

    if (k == NULL)
        return;
    WANT(CLASS_NOT_PREPARED, GetImplementedInterfaces, k, &count, &list);
    (*t->jni)->GetStaticMethodID(t->jni, k, "method", "()I");
    CALL(GetImplementedInterfaces, k, &count, &list);
    CALL(Deallocate, (unsigned char *)list);
}

/* -- class file -- */

TCK_CASE("class", version, "GetClassVersionNumbers.behaviour.value",
         "Get Class Version Numbers", 374)
{
    jint minor = -1, major = -1;

    CALL(GetClassVersionNumbers, stage_class(t, "tck/Model"), &minor, &major);
    SAME(0, minor);
    SAME(55, major);
}

/* A class file of release 8, which could have a minor version. */
TCK_CASE("class", version_of_each, "GetClassVersionNumbers.behaviour.each-class",
         "Get Class Version Numbers", 374)
{
    jclass loaders = stage_class(t, "java/security/SecureClassLoader"), k;
    jmethodID make = (*t->jni)->GetMethodID(t->jni, loaders, "<init>", "()V");
    jint minor = -1, major = -1, size = 0;
    unsigned char *bytes = stage_bytes(t, "tck/Loaded", &size);

    TRUE(bytes != NULL);
    bytes[5] = 3;
    bytes[7] = 52;
    k = (*t->jni)->DefineClass(t->jni, "tck/Loaded",
                               (*t->jni)->NewObject(t->jni, loaders, make),
                               (const jbyte *)bytes, size);
    free(bytes);
    CALL(GetClassVersionNumbers, stage_class(t, "tck/Model"), &minor, &major);
    SAME(0, minor);
    SAME(55, major);
    TRUE(k != NULL);
    CALL(GetClassVersionNumbers, k, &minor, &major);
    SAME(3, minor);
    SAME(52, major);
}

/* -- kinds -- */

static jboolean
is_interface(struct tck *t, jclass k)
{
    jboolean yes = 7;

    tck_want(t, "IsInterface", JVMTI_ERROR_NONE,
             (*t->jvmti)->IsInterface(t->jvmti, k, &yes));
    return yes;
}

TCK_CASE("class", interface, "IsInterface.behaviour.kinds", "Is Interface", 381)
{
    SAME(JNI_TRUE, is_interface(t, stage_class(t, "tck/Kinds$Both")));
    SAME(JNI_TRUE, is_interface(t, stage_class(t, "tck/Kinds$Mark")));
    SAME(JNI_FALSE, is_interface(t, stage_class(t, "tck/Kinds")));
    SAME(JNI_FALSE, is_interface(t, stage_class(t, "tck/Kinds$Abstract")));
    SAME(JNI_FALSE, is_interface(t, from_kinds(t, "matrix")));
    SAME(JNI_FALSE, is_interface(t, primitive(t, 'V')));
}

static jboolean
is_array(struct tck *t, jclass k)
{
    jboolean yes = 7;

    tck_want(t, "IsArrayClass", JVMTI_ERROR_NONE,
             (*t->jvmti)->IsArrayClass(t->jvmti, k, &yes));
    return yes;
}

TCK_CASE("class", array, "IsArrayClass.behaviour.kinds", "Is Array Class", 382)
{
    SAME(JNI_TRUE, is_array(t, from_kinds(t, "matrix")));
    SAME(JNI_TRUE, is_array(t, stage_call(t, "tck/Values", "array", "()" CLASS)));
    SAME(JNI_FALSE, is_array(t, stage_class(t, "tck/Kinds")));
    SAME(JNI_FALSE, is_array(t, primitive(t, 'I')));
}

TCK_CASE("class", loader, "GetClassLoader.behaviour.loader", "Get Class Loader", 386)
{
    jobject loader = stage_string(t);

    CALL(GetClassLoader, stage_class(t, "java/lang/String"), &loader);
    TRUE(loader == NULL);
    CALL(GetClassLoader, stage_class(t, "tck/Kinds"), &loader);
    TRUE((*t->jni)->IsSameObject(t->jni, loader,
                                 stage_call(t, "tck/Threads", "loader",
                                            "()Ljava/lang/ClassLoader;")));
    SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, loader));
    loader = stage_string(t);
    CALL(GetClassLoader, primitive(t, 'I'), &loader);
    TRUE(loader == NULL);
}

TCK_CASE("class", loaded,
         "GetLoadedClasses.behaviour.classes", "Get Loaded Classes", 351)
{
    jclass *list;
    jint count;
    jclass hidden = from_kinds(t, "lambdaClass"), matrix = from_kinds(t, "matrix");

    CALL(GetLoadedClasses, &count, &list);
    SAME(1, among(t, list, count, stage_class(t, "java/lang/String")));
    SAME(1, among(t, list, count, stage_class(t, "tck/Kinds")));
    SAME(1, among(t, list, count, matrix));
    SAME(1, among(t, list, count, stage_call(t, "tck/Values", "array", "()" CLASS)));
    SAME(1, among(t, list, count, hidden));
    SAME(0, among(t, list, count, primitive(t, 'I')));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", loader_classes, "GetClassLoaderClasses.behaviour.initiating",
         "Get Classloader Classes", 353)
{
    jobject loader = stage_call(t, "tck/Threads", "loader", "()Ljava/lang/ClassLoader;");
    jclass kinds = stage_class(t, "tck/Kinds"), *list;
    jint count;

    CALL(GetClassLoaderClasses, loader, &count, &list);
    SAME(1, among(t, list, count, kinds));
    SAME(1, among(t, list, count, stage_class(t, "java/lang/Object")));
    CALL(Deallocate, (unsigned char *)list);
    CALL(GetClassLoaderClasses, NULL, &count, &list);
    SAME(1, among(t, list, count, stage_class(t, "java/lang/String")));
    SAME(0, among(t, list, count, kinds));
    CALL(Deallocate, (unsigned char *)list);
}

/* Its own, or -1 when it has none. */
static jlong
tag_of(struct tck *t, jobject object)
{
    jlong value = -1;

    (*t->jvmti)->GetTag(t->jvmti, object, &value);
    return value;
}

/* Give the classes a tag, or take it away; frees the list. */
static void
tag_all(struct tck *t, jclass *list, jint count, jlong value)
{
    for (jint i = 0; i < count; i++) {
        (*t->jvmti)->SetTag(t->jvmti, list[i], value);
        (*t->jni)->DeleteLocalRef(t->jni, list[i]);
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
}

/* How many of the classes have not the tag; frees the list. */
static int
without_tag(struct tck *t, jclass *list, jint count, jlong value)
{
    int missing = 0;

    for (jint i = 0; i < count; i++) {
        missing += tag_of(t, list[i]) != value;
        (*t->jni)->DeleteLocalRef(t->jni, list[i]);
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    return missing;
}

/* The loader NULL, the system's, and its parent: whose classes all are loaded. */
static jobject
a_loader(struct tck *t, int which)
{
    jclass k = stage_class(t, "java/lang/ClassLoader");
    jobject system = stage_call(t, "java/lang/ClassLoader", "getSystemClassLoader",
                                "()Ljava/lang/ClassLoader;");

    return which == 0 ? NULL : which == 1 ? system
        : (*t->jni)->CallObjectMethod(t->jni, system,
            (*t->jni)->GetMethodID(t->jni, k, "getParent", "()Ljava/lang/ClassLoader;"));
}

TCK_CASE("class", loaded_all, "GetLoadedClasses.behaviour.classes-of-loaders",
         "Get Loaded Classes", 351)
{
    jclass *list;
    jint count;

    NEED("can_tag_objects");
    for (int i = 0; i < 3; i++) {
        jclass *all;
        jint all_count;
        int missing;

        CALL(GetClassLoaderClasses, a_loader(t, i), &count, &list);
        CALL(GetLoadedClasses, &all_count, &all);
        tag_all(t, all, all_count, 5501);
        missing = without_tag(t, list, count, 5501);
        CALL(GetLoadedClasses, &all_count, &all);
        tag_all(t, all, all_count, 0);
        SAME(0, missing);
    }
}

/* Is it a class that its defining loader finds by its name?  The initiating loader of an
   array class is the one that was asked for it, whoever has defined the class of its
   elements (JVMS 5.3.3). */
static bool
is_findable(struct tck *t, jclass k)
{
    char *signature = NULL;
    bool findable;

    (*t->jvmti)->GetClassSignature(t->jvmti, k, &signature, NULL);
    /* Of a hidden class the signature has a dot (JVM TI "Get Class Signature"). */
    findable = signature != NULL && signature[0] == 'L'
        && strchr(signature, '.') == NULL;
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)signature);
    return findable;
}

TCK_CASE("class", loader_all, "GetClassLoaderClasses.behaviour.defined-classes",
         "Get Classloader Classes", 353)
{
    jclass *list, *all;
    jint count, all_count;

    NEED("can_tag_objects");
    for (int i = 0; i < 3; i++) {
        jobject wanted = a_loader(t, i), loader;
        int missing = 0;

        CALL(GetLoadedClasses, &all_count, &all);
        CALL(GetClassLoaderClasses, wanted, &count, &list);
        tag_all(t, list, count, 5502);
        for (jint n = 0; n < all_count; n++) {
            CALL(GetClassLoader, all[n], &loader);
            missing += is_findable(t, all[n])
                && tag_of(t, all[n]) != 5502
                && (*t->jni)->IsSameObject(t->jni, loader, wanted);
            (*t->jni)->DeleteLocalRef(t->jni, loader);
        }
        tag_all(t, all, all_count, 0);
        SAME(0, missing);
    }
}

/* A loader of its own has defined one class, whose superclass it was asked for. */
TCK_CASE("class", loader_few, "GetClassLoaderClasses.behaviour.of-a-new-loader",
         "Get Classloader Classes", 353)
{
    jclass k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;"), *list;
    jobject loader;
    jint count;

    CALL(GetClassLoader, k, &loader);
    CALL(GetClassLoaderClasses, loader, &count, &list);
    SAME(1, among(t, list, count, k));
    SAME(1, among(t, list, count, stage_class(t, "java/lang/Object")));
    SAME(0, among(t, list, count, stage_class(t, "tck/Events")));
    CALL(Deallocate, (unsigned char *)list);
}

/* A new loader has been asked for these, so it is recorded as their initiating loader (JVMS
   5.3.3), whoever else has made arrays of their elements. */
TCK_CASE("class", loader_arrays, "GetClassLoaderClasses.behaviour.arrays",
         "Get Classloader Classes", 703)
{
    static const char *const names[] = {
        "[Z", "[B", "[C", "[S", "[I", "[J", "[F", "[D", "[[I", "[Ljava.lang.Object;",
        "[[Ljava.lang.Object;", "[[Ltck.Loaded;"
    };
    enum { COUNT = sizeof names / sizeof names[0] };
    jclass k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    jclass asked[COUNT], *list;
    jobject loader;
    jint count;

    CALL(GetClassLoader, k, &loader);
    for (int i = 0; i < COUNT; i++)
        asked[i] = stage_call(t, "java/lang/Class", "forName",
                              "(Ljava/lang/String;ZLjava/lang/ClassLoader;)" CLASS,
                              (*t->jni)->NewStringUTF(t->jni, names[i]), (jint)0, loader);
    CALL(GetClassLoaderClasses, loader, &count, &list);
    for (int i = 0; i < COUNT; i++)
        SAME(1, among(t, list, count, asked[i]));
    CALL(Deallocate, (unsigned char *)list);
}

TCK_CASE("class", loaded_supers, "GetLoadedClasses.behaviour.closed",
         "Get Loaded Classes", 351)
{
    jclass *all, *again;
    jint all_count, again_count;
    int missing = 0;

    NEED("can_tag_objects");
    CALL(GetLoadedClasses, &all_count, &all);
    CALL(GetLoadedClasses, &again_count, &again);
    tag_all(t, again, again_count, 5503);
    for (jint i = 0; i < all_count; i++) {
        jclass super = (*t->jni)->GetSuperclass(t->jni, all[i]);

        missing += super != NULL && tag_of(t, super) != 5503;
        (*t->jni)->DeleteLocalRef(t->jni, super);
    }
    tag_all(t, all, all_count, 0);
    SAME(0, missing);
}

TCK_CASE("class", loader_hidden, "GetClassLoaderClasses.behaviour.no-hidden-classes",
         "Get Classloader Classes", 354)
{
    jobject loader = stage_call(t, "tck/Threads", "loader", "()Ljava/lang/ClassLoader;");
    jclass hidden = from_kinds(t, "lambdaClass"), *list;
    jint count;
    char *signature;
    bool is_hidden;

    CALL(GetClassSignature, hidden, &signature, NULL);
    is_hidden = strchr(signature, '.') != NULL;
    CALL(Deallocate, (unsigned char *)signature);
    if (!is_hidden) {
        tck_skip(t, "the VM does not make lambdas hidden classes");
        return;
    }
    CALL(GetClassLoaderClasses, loader, &count, &list);
    SAME(0, among(t, list, count, hidden));
    CALL(Deallocate, (unsigned char *)list);
}
