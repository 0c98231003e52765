/* SPDX-License-Identifier: MIT */
/* tck/agent/general.c -- chapters Memory Management, General, Properties. */
#include "tck/lib/stage.h"

#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -- memory -- */

TCK_CASE("general", allocate_zero, "Allocate.behaviour.size-zero", "Allocate", 70)
{
    unsigned char *mem = (unsigned char *)1;

    CALL(Allocate, 0, &mem);
    TRUE(mem == NULL);
}

TCK_CASE("general", allocate_whole,
         "Allocate.behaviour.whole-size-writable", "Allocate",
         72)
{
    unsigned char *mem;

    for (jlong size = 1; size <= 1 << 20; size *= 16) {
        CALL(Allocate, size, &mem);
        TRUE(mem != NULL);
        memset(mem, 0x5a, (size_t)size);
        SAME(0x5a, mem[size - 1]);
        CALL(Deallocate, mem);
    }
}

TCK_CASE("general", allocate_distinct, "Allocate.behaviour.distinct", "Allocate", 72)
{
    unsigned char *a, *b;

    CALL(Allocate, 64, &a);
    CALL(Allocate, 64, &b);
    TRUE(a + 64 <= b || b + 64 <= a);
    CALL(Deallocate, a);
    CALL(Deallocate, b);
}

TCK_CASE("general", deallocate_null, "Deallocate.behaviour.null", "Deallocate", 74)
{
    CALL(Deallocate, NULL);
}

TCK_CASE_IN("general", allocate_onload, "Allocate.behaviour.in-onload", "Allocate", 73,
            TCK_ONLOAD, 11)
{
    unsigned char *mem = NULL;

    CALL(Allocate, 100, &mem);
    TRUE(mem != NULL);
    CALL(Deallocate, mem);
}

TCK_CASE("general", memory_of_other_env, "Deallocate.behaviour.other-environment",
         "Dispose Environment", 543)
{
    jvmtiEnv *env = tck_new_env(t);
    unsigned char *mem = NULL;

    TRUE(env != NULL);
    CALL_ON(env, Allocate, 32, &mem);
    CALL_ON(env, DisposeEnvironment);
    memset(mem, 1, 32);
    CALL(Deallocate, mem);
}

/* -- versions and names -- */

TCK_CASE("general", version_type, "GetVersionNumber.behaviour.interface-type",
         "Get Version Number", 551)
{
    jint version;

    CALL(GetVersionNumber, &version);
    SAME(JVMTI_VERSION_INTERFACE_JVMTI, version & JVMTI_VERSION_MASK_INTERFACE_TYPE);
}

/* What GetEnv knows, since t->told is from the VM's own answer, too. */
TCK_CASE("general", version_major, "GetVersionNumber.behaviour.major",
         "Get Version Number", 770)
{
    const jint micro = JVMTI_VERSION_MASK_MICRO, major = 1 << JVMTI_VERSION_SHIFT_MAJOR;
    jvmtiEnv *env = NULL;
    jint version, next = 0;

    CALL(GetVersionNumber, &version);
    SAME(t->told,
         (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR);
    SAME(JNI_OK, (*t->vm)->GetEnv(t->vm, (void **)&env, version & ~micro));
    CALL_ON(env, DisposeEnvironment);
    if ((*t->vm)->GetEnv(t->vm, (void **)&env, (version & ~micro) + major) == JNI_OK) {
        CALL_ON(env, GetVersionNumber, &next);
        CALL_ON(env, DisposeEnvironment);
        TRUE(next > version);
    }
}

TCK_CASE("general", version_bad, "GetEnv.behaviour.unsupported-version",
         "Accessing Functions", 44)
{
    void *env = NULL;

    SAME(JNI_EVERSION, (*t->vm)->GetEnv(t->vm, &env, 0x37ff0000));
}

TCK_CASE("general", version_old, "GetEnv.behaviour.old-versions", "Accessing Functions",
         47)
{
    static const jint versions[] = {
        JVMTI_VERSION_1_0, JVMTI_VERSION_1_1, JVMTI_VERSION_1_2, JVMTI_VERSION_9,
        JVMTI_VERSION_11
    };

    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        jvmtiEnv *env = NULL;

        SAME(JNI_OK, (*t->vm)->GetEnv(t->vm, (void **)&env, versions[i]));
        TRUE(env != NULL);
        CALL_ON(env, DisposeEnvironment);
    }
}

TCK_CASE("general", env_new,
         "GetEnv.behaviour.new-environment-each-time", "Environments",
         38)
{
    jvmtiEnv *a = tck_new_env(t), *b = tck_new_env(t);

    TRUE(a != NULL && b != NULL && a != b && a != t->jvmti);
    CALL_ON(a, DisposeEnvironment);
    CALL_ON(b, DisposeEnvironment);
}

TCK_CASE("general", error_names, "GetErrorName.behaviour.every-error", "Get Error Name",
         552)
{
    for (int i = 0; i < tck_error_count; i++) {
        char *name = NULL;
        int same;

        if (tck_errors[i].number == 73 && t->level < 21)
            continue;   /* UNSUPPORTED_OPERATION came with level 21 */
        CALL(GetErrorName, tck_errors[i].number, &name);
        TRUE(strncmp(name, "JVMTI_ERROR_", 12) == 0);
        same = strcmp(name + 12, tck_errors[i].name);
        if (same != 0) {
            tck_text(t, "GetErrorName", tck_errors[i].name, name + 12);
            return;
        }
        CALL(Deallocate, (unsigned char *)name);
    }
}

TCK_CASE("general", error_name_none,
         "GetErrorName.behaviour.none", "Get Error Name", 554)
{
    char *name = NULL;

    CALL(GetErrorName, JVMTI_ERROR_NONE, &name);
    TEXT("JVMTI_ERROR_NONE", name);
    CALL(Deallocate, (unsigned char *)name);
}

TCK_CASE("general", error_name_gap, "GetErrorName.behaviour.unused-number",
         "Get Error Name", 697)
{
    char *name = NULL;

    WANT(ILLEGAL_ARGUMENT, GetErrorName, (jvmtiError)1, &name);
    WANT(ILLEGAL_ARGUMENT, GetErrorName, (jvmtiError)-1, &name);
    /* A later level may have more of them, but not so many. */
    WANT(ILLEGAL_ARGUMENT, GetErrorName, (jvmtiError)0x7fffffff, &name);
    if (t->told <= 25)
        WANT(ILLEGAL_ARGUMENT, GetErrorName, (jvmtiError)(JVMTI_ERROR_MAX + 1), &name);
}

TCK_CASE("general", location_format, "GetJLocationFormat.behaviour.value",
         "Get JLocation Format", 556)
{
    jvmtiJlocationFormat format = (jvmtiJlocationFormat)-1;

    CALL(GetJLocationFormat, &format);
    TRUE(format == JVMTI_JLOCATION_JVMBCI || format == JVMTI_JLOCATION_MACHINEPC
         || format == JVMTI_JLOCATION_OTHER);
    if (format == JVMTI_JLOCATION_JVMBCI) {
        jmethodID step = stage_method(t, "tck/Events", "step", "(I)I", true);
        jlocation first, last;

        CALL(GetMethodLocation, step, &first, &last);
        /* Of four bytes, each an instruction; -1 where they are not available. */
        if (first != -1 || last != -1) {
            SAME(0, first);
            SAME(3, last);
        }
    }
}

/* -- phase -- */

TCK_CASE_IN("general", phase_onload, "GetPhase.behaviour.onload", "Get Phase", 18,
            TCK_ONLOAD, 11)
{
    jvmtiPhase phase;

    CALL(GetPhase, &phase);
    SAME(JVMTI_PHASE_ONLOAD, phase);
}

TCK_CASE_IN("general", phase_start, "GetPhase.behaviour.start", "Get Phase", 537,
            TCK_START, 11)
{
    jvmtiPhase phase;

    CALL(GetPhase, &phase);
    SAME(JVMTI_PHASE_START, phase);
}

TCK_CASE("general", phase_live, "GetPhase.behaviour.live", "Get Phase", 537)
{
    jvmtiPhase phase;

    CALL(GetPhase, &phase);
    SAME(JVMTI_PHASE_LIVE, phase);
}

TCK_CASE("general", phase_same, "GetPhase.behaviour.same-in-every-environment",
         "Environments", 42)
{
    jvmtiEnv *env = tck_new_env(t);
    jvmtiPhase phase;

    TRUE(env != NULL);
    CALL_ON(env, GetPhase, &phase);
    CALL_ON(env, DisposeEnvironment);
    SAME(JVMTI_PHASE_LIVE, phase);
}

/* -- environments -- */

TCK_CASE("general", env_storage_initial, "GetEnvironmentLocalStorage.behaviour.initial",
         "Get Environment Local Storage", 550)
{
    jvmtiEnv *env = tck_new_env(t);
    void *data = &data;

    TRUE(env != NULL);
    CALL_ON(env, GetEnvironmentLocalStorage, &data);
    CALL_ON(env, DisposeEnvironment);
    TRUE(data == NULL);
}

TCK_CASE("general", env_storage, "SetEnvironmentLocalStorage.behaviour.value",
         "Set Environment Local Storage", 549)
{
    jvmtiEnv *a = tck_new_env(t), *b = tck_new_env(t);
    void *data;

    TRUE(a != NULL && b != NULL);
    CALL_ON(a, SetEnvironmentLocalStorage, &a);
    CALL_ON(b, SetEnvironmentLocalStorage, &b);
    CALL_ON(a, GetEnvironmentLocalStorage, &data);
    TRUE(data == &a);
    CALL_ON(b, GetEnvironmentLocalStorage, &data);
    TRUE(data == &b);
    CALL_ON(a, SetEnvironmentLocalStorage, NULL);
    CALL_ON(a, GetEnvironmentLocalStorage, &data);
    TRUE(data == NULL);
    CALL_ON(a, DisposeEnvironment);
    CALL_ON(b, DisposeEnvironment);
}

TCK_CASE("general", dispose_monitors, "DisposeEnvironment.behaviour.raw-monitors-stay",
         "Dispose Environment", 544)
{
    jvmtiEnv *env = tck_new_env(t);
    jrawMonitorID monitor;

    TRUE(env != NULL);
    CALL_ON(env, CreateRawMonitor, "of a disposed environment", &monitor);
    CALL_ON(env, RawMonitorEnter, monitor);
    CALL_ON(env, DisposeEnvironment);
    CALL(RawMonitorExit, monitor);
    CALL(RawMonitorEnter, monitor);
    CALL(RawMonitorExit, monitor);
    CALL(DestroyRawMonitor, monitor);
}

TCK_CASE("general", dispose_suspended,
         "DisposeEnvironment.behaviour.threads-stay-suspended",
         "Dispose Environment", 542)
{
    jvmtiEnv *env;
    jthread thread;
    jint state;

    NEED("can_suspend");
    thread = stage_start(t, 'W');
    env = tck_new_env(t);
    TRUE(env != NULL);
    if ((*env)->AddCapabilities(env, &(jvmtiCapabilities){ .can_suspend = 1 })
        == JVMTI_ERROR_NOT_AVAILABLE) {
        tck_skip(t, "only one environment can hold can_suspend");
        CALL_ON(env, DisposeEnvironment);
        return;
    }
    CALL_ON(env, SuspendThread, thread);
    CALL_ON(env, DisposeEnvironment);
    CALL(GetThreadState, thread, &state);
    TRUE((state & JVMTI_THREAD_STATE_SUSPENDED) != 0);
    CALL(ResumeThread, thread);
}

/* -- processors -- */

TCK_CASE("general", processors_least, "GetAvailableProcessors.behaviour.at-least-one",
         "Get Available Processors", 521)
{
    jint count = 0;

    CALL(GetAvailableProcessors, &count);
    TRUE(count >= 1);
}

TCK_CASE("general", processors, "GetAvailableProcessors.behaviour.as-runtime",
         "Get Available Processors", 771)
{
    jlong before = stage_call_long(t, "tck/Values", "processors", "()I"), after;
    jint count = 0;

    CALL(GetAvailableProcessors, &count);
    after = stage_call_long(t, "tck/Values", "processors", "()I");
    /* "This value may change". */
    TRUE(count == before || count == after);
}

/* -- properties -- */

/* The runner starts every VM with -Dtck.given. */
#define GIVEN "tck.given"

TCK_CASE("general", properties_list, "GetSystemProperties.behaviour.recommended-keys",
         "Get System Properties", 731)
{
    static const char *const keys[] = {
        "java.vm.vendor", "java.vm.version", "java.vm.name", "java.vm.info",
        "java.library.path", "java.class.path"
    };
    bool found[6] = { false };
    char **list;
    jint count;

    CALL(GetSystemProperties, &count, &list);
    for (jint i = 0; i < count; i++) {
        for (size_t k = 0; k < 6; k++)
            found[k] = found[k] || strcmp(list[i], keys[k]) == 0;
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list[i]);
    }
    CALL(Deallocate, (unsigned char *)list);
    for (size_t k = 0; k < 6; k++)
        if (!found[k])
            tck_fail(t, "the VM does not have %s, which is strongly recommended", keys[k]);
}

/* How often the list of keys has the one of the command line, or -1. */
static int
count_given(struct tck *t)
{
    char **list;
    jint count;
    int found = 0;

    if (!tck_want(t, "GetSystemProperties", JVMTI_ERROR_NONE,
                  (*t->jvmti)->GetSystemProperties(t->jvmti, &count, &list)))
        return -1;
    for (jint i = 0; i < count; i++) {
        found += strcmp(list[i], GIVEN) == 0;
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list[i]);
    }
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)list);
    return found;
}

TCK_CASE("general", properties_given, "GetSystemProperties.behaviour.of-command-line",
         "Get System Properties", 528)
{
    SAME(1, count_given(t));
}

TCK_CASE_IN("general", properties_onload, "GetSystemProperties.behaviour.in-onload",
            "Get System Properties", 529, TCK_ONLOAD, 11)
{
    SAME(1, count_given(t));
}

TCK_CASE("general", properties_readable, "GetSystemProperty.behaviour.every-key",
         "Get System Property", 530)
{
    char **list, *value;
    jint count;

    CALL(GetSystemProperties, &count, &list);
    TRUE(count > 0);
    for (jint i = 0; i < count; i++) {
        CALL(GetSystemProperty, list[i], &value);
        CALL(Deallocate, (unsigned char *)value);
        CALL(Deallocate, (unsigned char *)list[i]);
    }
    CALL(Deallocate, (unsigned char *)list);
}

/* Whatever GetSystemProperty knows of what Java knows. */
TCK_CASE("general", properties_all, "GetSystemProperties.behaviour.every-readable-key",
         "Get System Properties", 685)
{
    jobjectArray keys = stage_call(t, "tck/Values", "propertyKeys",
                                   "()[Ljava/lang/String;");
    jsize length = (*t->jni)->GetArrayLength(t->jni, keys);
    char **list;
    jint count;

    CALL(GetSystemProperties, &count, &list);
    for (jsize i = 0; i < length; i++) {
        jstring key = (*t->jni)->GetObjectArrayElement(t->jni, keys, i);
        const char *text = (*t->jni)->GetStringUTFChars(t->jni, key, NULL);
        char *value = NULL;
        bool found = false;

        for (jint k = 0; k < count; k++)
            found = found || strcmp(list[k], text) == 0;
        if (!found
            && (*t->jvmti)->GetSystemProperty(t->jvmti, text, &value) == JVMTI_ERROR_NONE)
            tck_fail(t, "the key %s can be read and is not listed", text);
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)value);
        (*t->jni)->ReleaseStringUTFChars(t->jni, key, text);
    }
    for (jint k = 0; k < count; k++)
        CALL(Deallocate, (unsigned char *)list[k]);
    CALL(Deallocate, (unsigned char *)list);
}

static void
run_given(struct tck *t, const void *data)
{
    char *value;

    (void)data;
    CALL(GetSystemProperty, GIVEN, &value);
    TEXT("by the runner", value);
    CALL(Deallocate, (unsigned char *)value);
}

TCK_CASE_DATA("general", property_value, "GetSystemProperty.behaviour.of-command-line",
              "Get System Property", 530, TCK_LIVE, 11, run_given, NULL);
TCK_CASE_DATA("general", property_onload, "GetSystemProperty.behaviour.in-onload",
              "Get System Property", 529, TCK_ONLOAD, 11, run_given, NULL);

/* Of the properties "some may be settable": is this one? */
static jvmtiError path_set;

#define NEED_PATH_SET                                                                  \
    do {                                                                               \
        if (path_set == JVMTI_ERROR_NOT_AVAILABLE) {                                   \
            tck_skip(t, "java.library.path cannot be set");                            \
            return;                                                                    \
        }                                                                              \
        SAME(JVMTI_ERROR_NONE, path_set);                                              \
    } while (0)

TCK_SETUP("general", library_path, TCK_ONLOAD)
{
    path_set = (*t->jvmti)->SetSystemProperty(t->jvmti, "java.library.path",
                                              "/tck/library/path");
}

TCK_CASE_IN("general", property_set, "SetSystemProperty.behaviour.value-is-read-back",
            "Set System Property", 533, TCK_ONLOAD, 11)
{
    char *value = NULL;

    NEED_PATH_SET;
    CALL(GetSystemProperty, "java.library.path", &value);
    TEXT("/tck/library/path", value);
    CALL(Deallocate, (unsigned char *)value);
}

TCK_CASE("general", property_seen, "SetSystemProperty.behaviour.seen-by-java",
         "Set System Property", 774)
{
    jstring java = stage_call(t, "tck/Values", "libraryPath", "()Ljava/lang/String;");
    const char *text = (*t->jni)->GetStringUTFChars(t->jni, java, NULL);

    NEED_PATH_SET;
    TEXT("/tck/library/path", text);
    (*t->jni)->ReleaseStringUTFChars(t->jni, java, text);
}

/* -- JNI functions -- */

/* By the thread itself: the VM's other threads may call it, too. */
static _Thread_local jint calls;
static jint (JNICALL *real_version)(JNIEnv *);

static jint JNICALL
counted_version(JNIEnv *jni)
{
    calls++;
    return real_version(jni);
}

/* Run what follows with GetVersion replaced; put the table back. */
static jniNativeInterface *
replace_version(struct tck *t, jniNativeInterface **original)
{
    jniNativeInterface *table = NULL;

    if (!tck_want(t, "GetJNIFunctionTable", JVMTI_ERROR_NONE,
                  (*t->jvmti)->GetJNIFunctionTable(t->jvmti, original))
        || !tck_want(t, "GetJNIFunctionTable", JVMTI_ERROR_NONE,
                     (*t->jvmti)->GetJNIFunctionTable(t->jvmti, &table)))
        return NULL;
    real_version = (*original)->GetVersion;
    table->GetVersion = counted_version;
    calls = 0;
    return table;
}

TCK_CASE("general", jni_replaced, "SetJNIFunctionTable.behaviour.takes-effect",
         "Set JNI Function Table", 463)
{
    jniNativeInterface *original, *table = replace_version(t, &original);
    jint before = (*t->jni)->GetVersion(t->jni), after;

    TRUE(table != NULL);
    CALL(SetJNIFunctionTable, table);
    after = (*t->jni)->GetVersion(t->jni);
    CALL(SetJNIFunctionTable, original);
    SAME(1, calls);
    SAME(before, after);
    (*t->jni)->GetVersion(t->jni);
    SAME(1, calls);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

TCK_CASE("general", jni_copied, "SetJNIFunctionTable.behaviour.copied",
         "Set JNI Function Table", 464)
{
    jniNativeInterface *original, *table = replace_version(t, &original);

    TRUE(table != NULL);
    CALL(SetJNIFunctionTable, table);
    table->GetVersion = real_version;
    (*t->jni)->GetVersion(t->jni);
    CALL(SetJNIFunctionTable, original);
    SAME(1, calls);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

TCK_CASE("general", jni_reflected, "GetJNIFunctionTable.behaviour.reflects-set",
         "Get JNI Function Table", 466)
{
    jniNativeInterface *original, *table = replace_version(t, &original), *now;
    bool same;

    TRUE(table != NULL);
    CALL(SetJNIFunctionTable, table);
    CALL(GetJNIFunctionTable, &now);
    same = now->GetVersion == counted_version && now->FindClass == original->FindClass;
    CALL(SetJNIFunctionTable, original);
    TRUE(same);
    CALL(Deallocate, (unsigned char *)now);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

TCK_CASE("general", jni_copy_is_private, "GetJNIFunctionTable.behaviour.copy",
         "Get JNI Function Table", 467)
{
    jniNativeInterface *original, *table = replace_version(t, &original);

    TRUE(table != NULL);
    (*t->jni)->GetVersion(t->jni);
    SAME(0, calls);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

static void *
version_elsewhere(void *data)
{
    JavaVM *vm = data;
    JNIEnv *jni;
    jint before, counted;

    (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, NULL);
    before = calls;
    (*jni)->GetVersion(jni);
    counted = calls - before;
    (*vm)->DetachCurrentThread(vm);
    return (void *)(intptr_t)counted;
}

TCK_CASE("general", jni_new_threads, "SetJNIFunctionTable.behaviour.later-threads",
         "Set JNI Function Table", 463)
{
    jniNativeInterface *original, *table = replace_version(t, &original);
    pthread_t thread;
    void *counted = NULL;

    TRUE(table != NULL);
    CALL(SetJNIFunctionTable, table);
    SAME(0, pthread_create(&thread, NULL, version_elsewhere, t->vm));
    pthread_join(thread, &counted);
    CALL(SetJNIFunctionTable, original);
    SAME(1, (intptr_t)counted);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

/* A thread that is attached before the table is set, and makes the call afterwards. */
struct attached {
    JavaVM *vm;
    sem_t ready, set;
    jint counted;
};

static void *
version_when_set(void *data)
{
    struct attached *a = data;
    JNIEnv *jni;

    (*a->vm)->AttachCurrentThreadAsDaemon(a->vm, (void **)&jni, NULL);
    sem_post(&a->ready);
    sem_wait(&a->set);
    calls = 0;
    (*jni)->GetVersion(jni);
    a->counted = calls;
    (*a->vm)->DetachCurrentThread(a->vm);
    return NULL;
}

TCK_CASE("general", jni_other_threads, "SetJNIFunctionTable.behaviour.current-threads",
         "Set JNI Function Table", 463)
{
    jniNativeInterface *original, *table = replace_version(t, &original);
    struct attached other = { .vm = t->vm };
    pthread_t thread;

    TRUE(table != NULL);
    sem_init(&other.ready, 0, 0);
    sem_init(&other.set, 0, 0);
    SAME(0, pthread_create(&thread, NULL, version_when_set, &other));
    sem_wait(&other.ready);
    tck_want(t, "SetJNIFunctionTable", JVMTI_ERROR_NONE,
             (*t->jvmti)->SetJNIFunctionTable(t->jvmti, table));
    sem_post(&other.set);
    pthread_join(thread, NULL);
    CALL(SetJNIFunctionTable, original);
    SAME(1, other.counted);
    CALL(Deallocate, (unsigned char *)table);
    CALL(Deallocate, (unsigned char *)original);
}

/* -- extensions -- */

TCK_CASE("general", extension_functions, "GetExtensionFunctions.behaviour.records",
         "Get Extension Functions", 491)
{
    jvmtiExtensionFunctionInfo *info;
    jint count;

    CALL(GetExtensionFunctions, &count, &info);
    for (jint i = 0; i < count; i++) {
        TRUE(info[i].func != NULL);
        TRUE(info[i].id != NULL && strchr(info[i].id, '.') != NULL);
        TRUE(info[i].short_description != NULL);
        for (jint k = 0; k < info[i].param_count; k++) {
            TRUE(info[i].params[k].name != NULL);
            CALL(Deallocate, (unsigned char *)info[i].params[k].name);
        }
        CALL(Deallocate, (unsigned char *)info[i].id);
        CALL(Deallocate, (unsigned char *)info[i].short_description);
        CALL(Deallocate, (unsigned char *)info[i].params);
        CALL(Deallocate, (unsigned char *)info[i].errors);
    }
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("general", extension_events, "GetExtensionEvents.behaviour.records",
         "Get Extension Events", 493)
{
    jvmtiExtensionEventInfo *info;
    jint count;

    CALL(GetExtensionEvents, &count, &info);
    for (jint i = 0; i < count; i++) {
        TRUE(info[i].id != NULL && strchr(info[i].id, '.') != NULL);
        TRUE(info[i].short_description != NULL);
        for (jint k = 0; k < i; k++)
            TRUE(info[k].extension_event_index != info[i].extension_event_index);
    }
    for (jint i = 0; i < count; i++) {
        for (jint k = 0; k < info[i].param_count; k++)
            CALL(Deallocate, (unsigned char *)info[i].params[k].name);
        CALL(Deallocate, (unsigned char *)info[i].id);
        CALL(Deallocate, (unsigned char *)info[i].short_description);
        CALL(Deallocate, (unsigned char *)info[i].params);
    }
    CALL(Deallocate, (unsigned char *)info);
}

/* Only what is listed is an event: no other number can have a callback. */
TCK_CASE("general", extension_all, "GetExtensionEvents.behaviour.every-index",
         "Get Extension Events", 686)
{
    jvmtiExtensionEventInfo *info;
    jint count;

    CALL(GetExtensionEvents, &count, &info);
    for (jint index = 1; index < 256; index++) {
        bool listed = false;

        for (jint i = 0; i < count; i++)
            listed = listed || info[i].extension_event_index == index;
        if (!listed)
            tck_want(t, "SetExtensionEventCallback(an index that is not listed)",
                     JVMTI_ERROR_ILLEGAL_ARGUMENT,
                     (*t->jvmti)->SetExtensionEventCallback(t->jvmti, index, NULL));
    }
    for (jint i = 0; i < count; i++) {
        CALL(SetExtensionEventCallback, info[i].extension_event_index, NULL);
        for (jint k = 0; k < info[i].param_count; k++)
            CALL(Deallocate, (unsigned char *)info[i].params[k].name);
        CALL(Deallocate, (unsigned char *)info[i].id);
        CALL(Deallocate, (unsigned char *)info[i].short_description);
        CALL(Deallocate, (unsigned char *)info[i].params);
    }
    CALL(Deallocate, (unsigned char *)info);
}

TCK_CASE("general", verbose_flags, "SetVerboseFlag.behaviour.every-flag",
         "Set Verbose Flag", 555)
{
    static const jvmtiVerboseFlag flags[] = {
        JVMTI_VERBOSE_OTHER, JVMTI_VERBOSE_GC, JVMTI_VERBOSE_CLASS, JVMTI_VERBOSE_JNI
    };

    for (size_t i = 0; i < 4; i++) {
        CALL(SetVerboseFlag, flags[i], JNI_TRUE);
        CALL(SetVerboseFlag, flags[i], JNI_FALSE);
    }
}
