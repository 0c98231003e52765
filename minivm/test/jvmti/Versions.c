/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Versions.c -- which levels GetEnv serves, and what environments of
 * old levels can do (JVM TI "Agent Start-Up", "Get Version Number"). */

#include "check.h"

static JavaVM *java_vm;

/* An environment of that level, or NULL: JNI_EVERSION. */
static jvmtiEnv *
env_of(jint version)
{
    void *env = NULL;
    jint result = (*java_vm)->GetEnv(java_vm, &env, version);

    if (result != JNI_OK && result != JNI_EVERSION)
        check_int("refused", result, JNI_EVERSION);
    return result == JNI_OK ? env : NULL;
}

/* The answer of GetVersionNumber is release for the release's levels and those before;
   a later level, up to 21, answers 21. */
static void
check_level(const char *name, jint version, jint release)
{
    jint answer = 0, count = -1;
    jobject *modules;
    jvmtiEnv *ti = env_of(version);

    if (ti == NULL) {
        printf("not ok %s: refused\n", name);
        return;
    }
    (*ti)->GetVersionNumber(ti, &answer);
    check_int(name, answer, version <= release ? release : 0x30150000);
    if (version > release)
        return;
    /* The table is the same for all levels. */
    char functions[40];
    snprintf(functions, sizeof functions, "%s-functions", name);
    check(functions, (*ti)->GetAllModules(ti, &count, &modules) == JVMTI_ERROR_NONE
                         && count > 10
                         && (*ti)->Deallocate(ti, (unsigned char *)modules)
                                == JVMTI_ERROR_NONE);
    (*ti)->DisposeEnvironment(ti);
    check_int("disposed", (*ti)->GetVersionNumber(ti, &answer),
              JVMTI_ERROR_INVALID_ENVIRONMENT);
}

JNIEXPORT void JNICALL
Java_Versions_run(JNIEnv *jni, jclass c, jint feature)
{
    const jint newest = feature > 21 ? feature : 21;
    const jint none[] = { 0x30000000, 0x30010300, 0x30020000, 0x30080000,
                          0x300a0000, 0x300c0000, 0x30000000 | (newest + 1) << 16,
                          0x30630000, 0x3fff0000 };
    jint release = 0x30000000 | feature << 16, major;
    char name[20];
    void *env;

    check_level("level-1.0", JVMTI_VERSION_1_0, release);
    check_level("level-1.1", JVMTI_VERSION_1_1, release);
    check_level("level-1.2", JVMTI_VERSION_1_2, release);
    check_level("level-1.2.3", JVMTI_VERSION_1_2 | 3, release);
    check_level("level-9", JVMTI_VERSION_9, release);
    check_level("level-11", JVMTI_VERSION_11, release);
    for (major = 13; major <= newest; major++) {
        snprintf(name, sizeof name, "level-%d", major);
        check_level(name, 0x30000000 | major << 16, release);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        check("no-level", env_of(none[i]) == NULL);
    check("different-environments",
          env_of(JVMTI_VERSION_1_0) != env_of(JVMTI_VERSION_1_0));

    check("jni-1.6", (*java_vm)->GetEnv(java_vm, &env, JNI_VERSION_1_6) == JNI_OK
                         && env == (void *)jni);
    check("jni-10", (*java_vm)->GetEnv(java_vm, &env, JNI_VERSION_10) == JNI_OK
                        && env == (void *)jni);
    check("jni-none", (*java_vm)->GetEnv(java_vm, &env, 0x00630000) == JNI_EVERSION
                          && env == NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    java_vm = vm;
    return JNI_OK;
}
