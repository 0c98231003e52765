/* SPDX-License-Identifier: MIT */
/* tck/agent/module.c -- chapters Module and Class Loader Search. */
#include "tck/lib/stage.h"

#include <stdio.h>
#include <string.h>

#define MODULE "Ljava/lang/Module;"

static jobject
module_of(struct tck *t, const char *klass)
{
    return stage_call(t, "tck/Modules", "of", "(Ljava/lang/Class;)" MODULE,
                      stage_class(t, klass));
}

static jobject
base(struct tck *t)
{
    return module_of(t, "java/lang/Object");
}

static jobject
own(struct tck *t)
{
    return module_of(t, "tck/Host");
}

/* How often the module is among all modules; each of them has to be one. */
static int
listed(struct tck *t, jobject module)
{
    jclass modules = stage_class(t, "java/lang/Module");
    jobject *list = NULL;
    jint count = 0;
    int found = 0;

    tck_want(t, "GetAllModules", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetAllModules(t->jvmti, &count, &list));
    for (jint i = 0; i < count; i++) {
        tck_true(t, "the element is a module", list[i] != NULL
                 && (*t->jni)->IsInstanceOf(t->jni, list[i], modules));
        found += (*t->jni)->IsSameObject(t->jni, list[i], module);
        (*t->jni)->DeleteLocalRef(t->jni, list[i]);
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    return found;
}

TCK_CASE("module", all_named, "GetAllModules.behaviour.named", "Get All Modules", 334)
{
    SAME(1, listed(t, base(t)));
}

TCK_CASE("module", all_unnamed,
         "GetAllModules.behaviour.unnamed", "Get All Modules", 334)
{
    SAME(1, listed(t, own(t)));
}

/* Every class is a member of a module that is listed. */
TCK_CASE("module", all_of_classes, "GetAllModules.behaviour.of-all-classes",
         "Get All Modules", 334)
{
    jobject *list;
    jclass *classes;
    jint count, class_count;
    int missing = 0;

    NEED("can_tag_objects");
    CALL(GetLoadedClasses, &class_count, &classes);
    CALL(GetAllModules, &count, &list);
    for (jint i = 0; i < count; i++)
        CALL(SetTag, list[i], 5504);
    for (jint i = 0; i < class_count; i++) {
        jobject module = stage_call(t, "tck/Modules", "of", "(Ljava/lang/Class;)" MODULE,
                                    classes[i]);
        jlong value = 0;

        CALL(GetTag, module, &value);
        missing += value != 5504;
        (*t->jni)->DeleteLocalRef(t->jni, module);
        (*t->jni)->DeleteLocalRef(t->jni, classes[i]);
    }
    for (jint i = 0; i < count; i++)
        CALL(SetTag, list[i], 0);
    CALL(Deallocate, (unsigned char *)classes);
    CALL(Deallocate, (unsigned char *)list);
    SAME(0, missing);
}

TCK_CASE("module", all_of_boot, "GetAllModules.behaviour.of-boot-layer",
         "Get All Modules", 334)
{
    jobjectArray boot = stage_call(t, "tck/Modules", "ofBootLayer",
                                   "()[Ljava/lang/Module;");
    jsize length = (*t->jni)->GetArrayLength(t->jni, boot);
    jobject *list;
    jint count;
    int missing = 0;

    NEED("can_tag_objects");
    CALL(GetAllModules, &count, &list);
    for (jint i = 0; i < count; i++)
        CALL(SetTag, list[i], 5505);
    for (jsize i = 0; i < length; i++) {
        jobject module = (*t->jni)->GetObjectArrayElement(t->jni, boot, i);
        jlong value = 0;

        CALL(GetTag, module, &value);
        missing += value != 5505;
        (*t->jni)->DeleteLocalRef(t->jni, module);
    }
    for (jint i = 0; i < count; i++)
        CALL(SetTag, list[i], 0);
    CALL(Deallocate, (unsigned char *)list);
    SAME(0, missing);
}

TCK_CASE("module", named_boot, "GetNamedModule.behaviour.bootstrap-loader",
         "Get Named Module", 336)
{
    jobject module = NULL;

    CALL(GetNamedModule, NULL, "java/lang", &module);
    TRUE((*t->jni)->IsSameObject(t->jni, module, base(t)));
}

TCK_CASE("module", named_none, "GetNamedModule.behaviour.unknown-package",
         "Get Named Module", 335)
{
    jobject module = stage_string(t);

    CALL(GetNamedModule, NULL, "no/such/package", &module);
    TRUE(module == NULL);
}

TCK_CASE("module", named_unnamed, "GetNamedModule.behaviour.package-of-unnamed-module",
         "Get Named Module", 335)
{
    jobject module = stage_string(t);
    jobject loader = stage_call(t, "tck/Threads", "loader", "()Ljava/lang/ClassLoader;");

    CALL(GetNamedModule, loader, "tck", &module);
    TRUE(module == NULL);
}

TCK_CASE("module", named_dots, "GetNamedModule.behaviour.internal-form",
         "Get Named Module", 338)
{
    jobject module = stage_string(t);

    CALL(GetNamedModule, NULL, "java.lang", &module);
    TRUE(module == NULL);
}

/* java.base, where the VM lets it be changed: which modules it does is up to it. */
#define NEED_MODIFIABLE_BASE                                                           \
    do {                                                                               \
        jboolean modifiable = JNI_FALSE;                                               \
                                                                                       \
        CALL(IsModifiableModule, base(t), &modifiable);                                \
        if (!modifiable) {                                                             \
            tck_skip(t, "java.base is not modifiable");                                \
            return;                                                                    \
        }                                                                              \
    } while (0)

static bool
base_reads_own(struct tck *t)
{
    return stage_call_long(t, "tck/Modules", "reads", "(" MODULE MODULE ")Z", base(t),
                           own(t)) != 0;
}

TCK_CASE("module", reads, "AddModuleReads.behaviour.canRead", "Add Module Reads", 339)
{
    NEED_MODIFIABLE_BASE;
    /* A module with a class that an agent has transformed reads the unnamed ones (JVM TI
       "Bytecode Instrumentation of code in modules"). */
    if (base_reads_own(t)) {
        tck_skip(t, "java.base reads the unnamed module already");
        return;
    }
    CALL(AddModuleReads, base(t), own(t));
    TRUE(base_reads_own(t));
}

TCK_CASE("module", reads_unnamed, "AddModuleReads.behaviour.unnamed-is-no-op",
         "Add Module Reads", 340)
{
    CALL(AddModuleReads, own(t), base(t));
}

static bool
package_is(struct tck *t, const char *what, const char *package)
{
    return stage_call_long(t, "tck/Modules", what,
                           "(" MODULE "Ljava/lang/String;" MODULE ")Z", base(t),
                           (*t->jni)->NewStringUTF(t->jni, package), own(t)) != 0;
}

/* A package that java.base neither exports nor opens to the kit; false: no case. */
static bool
hidden_package(struct tck *t, char *name, size_t room)
{
    jstring text = stage_call(t, "tck/Modules", "hiddenPackage",
                              "(" MODULE MODULE ")Ljava/lang/String;", base(t), own(t));
    const char *bytes;

    if (text == NULL) {
        tck_skip(t, "the module exports all of its packages");
        return false;
    }
    bytes = (*t->jni)->GetStringUTFChars(t->jni, text, NULL);
    snprintf(name, room, "%s", bytes);
    (*t->jni)->ReleaseStringUTFChars(t->jni, text, bytes);
    return true;
}

typedef jvmtiError JNICALL add_package(jvmtiEnv *jvmti, jobject module, const char *name,
                                       jobject to_module);

/* Add the package of the module, named as Java does; with slashes if the VM does not take
   that, since the text does not say which form it has. */
static jvmtiError
add_in_its_form(struct tck *t, add_package *add, jobject module, const char *package)
{
    char internal[256];
    jvmtiError error = add(t->jvmti, module, package, own(t));

    if (error != JVMTI_ERROR_ILLEGAL_ARGUMENT)
        return error;
    snprintf(internal, sizeof internal, "%s", package);
    for (char *dot = internal; (dot = strchr(dot, '.')) != NULL;)
        *dot = '/';
    return add(t->jvmti, module, internal, own(t));
}

TCK_CASE("module", exports, "AddModuleExports.behaviour.isExported",
         "Add Module Exports", 343)
{
    char package[256];

    NEED_MODIFIABLE_BASE;
    if (!hidden_package(t, package, sizeof package))
        return;
    TRUE(!package_is(t, "exports", package));
    if (!tck_want(t, "AddModuleExports", JVMTI_ERROR_NONE,
                  add_in_its_form(t, (*t->jvmti)->AddModuleExports, base(t), package)))
        return;
    TRUE(package_is(t, "exports", package));
    TRUE(!package_is(t, "opens", package));
}

TCK_CASE("module", opens, "AddModuleOpens.behaviour.isOpen", "Add Module Opens", 345)
{
    char package[256];

    NEED_MODIFIABLE_BASE;
    if (!hidden_package(t, package, sizeof package))
        return;
    TRUE(!package_is(t, "opens", package));
    if (!tck_want(t, "AddModuleOpens", JVMTI_ERROR_NONE,
                  add_in_its_form(t, (*t->jvmti)->AddModuleOpens, base(t), package)))
        return;
    TRUE(package_is(t, "opens", package));
}

TCK_CASE("module", exports_unnamed, "AddModuleExports.behaviour.unnamed-is-no-op",
         "Add Module Exports", 343)
{
    CALL(AddModuleExports, own(t), "tck", base(t));
    CALL(AddModuleOpens, own(t), "tck", base(t));
}

TCK_CASE("module", uses, "AddModuleUses.behaviour.canUse", "Add Module Uses", 347)
{
    jclass service = stage_class(t, "tck/Modules");

    NEED_MODIFIABLE_BASE;
    SAME(0, stage_call_long(t, "tck/Modules", "uses", "(" MODULE "Ljava/lang/Class;)Z",
                            base(t), service));
    CALL(AddModuleUses, base(t), service);
    SAME(1, stage_call_long(t, "tck/Modules", "uses", "(" MODULE "Ljava/lang/Class;)Z",
                            base(t), service));
}

TCK_CASE("module", uses_unnamed, "AddModuleUses.behaviour.unnamed-is-no-op",
         "Add Module Uses", 780)
{
    CALL(AddModuleUses, own(t), stage_class(t, "java/lang/Runnable"));
}

TCK_CASE("module", provides_unnamed, "AddModuleProvides.behaviour.unnamed-is-no-op",
         "Add Module Provides", 781)
{
    CALL(AddModuleProvides, own(t), stage_class(t, "java/lang/Runnable"),
         stage_class(t, "java/lang/Thread"));
}

TCK_CASE("module", provides, "AddModuleProvides.behaviour.ServiceLoader",
         "Add Module Provides", 348)
{
    NEED_MODIFIABLE_BASE;
    CALL(AddModuleProvides, base(t), stage_class(t, "java/util/List"),
         stage_class(t, "java/util/ArrayList"));
    SAME(1, stage_call_long(t, "tck/Modules", "provided", "()Z"));
}

TCK_CASE("module", modifiable_unnamed, "IsModifiableModule.behaviour.unnamed",
         "Is Modifiable Module", 349)
{
    jboolean yes = JNI_FALSE;

    CALL(IsModifiableModule, own(t), &yes);
    SAME(JNI_TRUE, yes);
}

/* -- a module that the VM does not let be changed: which are is up to it -- */

/* A package of the module; "": it has none. */
static const char *
package_of(struct tck *t, jobject module)
{
    static char name[256];
    jstring text = stage_call(t, "tck/Modules", "aPackage",
                              "(" MODULE ")Ljava/lang/String;", module);

    /* The function need not end the text. */
    memset(name, 0, sizeof name);
    (*t->jni)->GetStringUTFRegion(t->jni, text, 0,
                                  (*t->jni)->GetStringLength(t->jni, text), name);
    return name;
}

/* One that has a package. */
static jobject
unmodifiable(struct tck *t)
{
    jobject *list = NULL, found = NULL;
    jint count = 0;

    tck_want(t, "GetAllModules", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetAllModules(t->jvmti, &count, &list));
    for (jint i = 0; i < count && found == NULL; i++) {
        jboolean yes = JNI_TRUE;

        tck_want(t, "IsModifiableModule", JVMTI_ERROR_NONE,
                 (*t->jvmti)->IsModifiableModule(t->jvmti, list[i], &yes));
        if (!yes && package_of(t, list[i])[0] != '\0')
            found = list[i];
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    if (found == NULL)
        tck_skip(t, "every module of the VM is modifiable");
    return found;
}

#define TCK_UNMODIFIABLE(name, function, section)                                      \
    TCK_CASE("module", name, #function ".error.UNMODIFIABLE_MODULE", section, 0)

/* Make the call on an unmodifiable module; there has to be one. */
#define REFUSED(function, ...)                                                         \
    do {                                                                               \
        jobject module = unmodifiable(t);                                              \
                                                                                       \
        if (module != NULL)                                                            \
            WANT(UNMODIFIABLE_MODULE, function, module, __VA_ARGS__);                  \
    } while (0)

static void
refused_package(struct tck *t, const char *call, add_package *add)
{
    jobject module = unmodifiable(t);

    if (module != NULL)
        tck_want(t, call, JVMTI_ERROR_UNMODIFIABLE_MODULE,
                 add_in_its_form(t, add, module, package_of(t, module)));
}

TCK_UNMODIFIABLE(fixed_reads, AddModuleReads, "Add Module Reads")
{
    REFUSED(AddModuleReads, own(t));
}

TCK_UNMODIFIABLE(fixed_exports, AddModuleExports, "Add Module Exports")
{
    refused_package(t, "AddModuleExports", (*t->jvmti)->AddModuleExports);
}

TCK_UNMODIFIABLE(fixed_opens, AddModuleOpens, "Add Module Opens")
{
    refused_package(t, "AddModuleOpens", (*t->jvmti)->AddModuleOpens);
}

TCK_UNMODIFIABLE(fixed_uses, AddModuleUses, "Add Module Uses")
{
    REFUSED(AddModuleUses, stage_class(t, "java/lang/Runnable"));
}

TCK_UNMODIFIABLE(fixed_provides, AddModuleProvides, "Add Module Provides")
{
    REFUSED(AddModuleProvides, stage_class(t, "java/lang/Runnable"),
            stage_class(t, "java/lang/Thread"));
}

/* -- search paths -- */

static const char *
jar(struct tck *t)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/extra.jar", t->resources);
    return path;
}

static bool
finds(struct tck *t, const char *how)
{
    return stage_call_long(t, "tck/Modules", how, "(Ljava/lang/String;)Z",
                           (*t->jni)->NewStringUTF(t->jni, "tck.Smap")) != 0;
}

TCK_CASE("module", search_system, "AddToSystemClassLoaderSearch.behaviour.jar",
         "Add To System Class Loader Search", 526)
{
    jvmtiError error;

    TRUE(!finds(t, "systemFinds"));
    error = (*t->jvmti)->AddToSystemClassLoaderSearch(t->jvmti, jar(t));
    if (error == JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED) {
        tck_skip(t, "the system class loader does not support it in the live phase");
        return;
    }
    SAME(JVMTI_ERROR_NONE, error);
    TRUE(finds(t, "systemFinds"));
}

TCK_CASE("module", search_boot, "AddToBootstrapClassLoaderSearch.behaviour.jar",
         "Add To Bootstrap Class Loader Search", 522)
{
    TRUE(!finds(t, "bootFinds"));
    CALL(AddToBootstrapClassLoaderSearch, jar(t));
    TRUE(finds(t, "bootFinds"));
}

TCK_CASE("module", search_directory,
         "AddToBootstrapClassLoaderSearch.behaviour.directory",
         "Add To Bootstrap Class Loader Search", 698)
{
    WANT(ILLEGAL_ARGUMENT, AddToBootstrapClassLoaderSearch, t->resources);
}

/* What adding a directory in OnLoad was answered. */
static jvmtiError onload_added;

TCK_SETUP("search-onload", search_onload, TCK_ONLOAD)
{
    char directory[4096];

    snprintf(directory, sizeof directory, "%s/variants/smap", t->resources);
    onload_added = (*t->jvmti)->AddToBootstrapClassLoaderSearch(t->jvmti, directory);
}

TCK_CASE_IN("search-onload", search_onload,
            "AddToBootstrapClassLoaderSearch.behaviour.in-onload",
            "Add To Bootstrap Class Loader Search", 733, TCK_ONLOAD, 11)
{
    SAME(JVMTI_ERROR_NONE, onload_added);
}

TCK_CASE("search-onload", search_onload_found,
         "AddToBootstrapClassLoaderSearch.behaviour.directory-in-onload",
         "Add To Bootstrap Class Loader Search", 733)
{
    TRUE(finds(t, "bootFinds"));
}

/* In a VM whose system class loader is tck.Plain. */
TCK_CASE("system-loader", search_unsupported,
         "AddToSystemClassLoaderSearch.error.CLASS_LOADER_UNSUPPORTED",
         "Add To System Class Loader Search", 0)
{
    CALL(AddToBootstrapClassLoaderSearch, jar(t));
    WANT(CLASS_LOADER_UNSUPPORTED, AddToSystemClassLoaderSearch, jar(t));
}
