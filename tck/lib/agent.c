/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/agent.c -- the agent's entry points: takes the group's cases through the
 * phases of the VM's life.
 *
 * Options: group=NAME,out=FILE,resources=DIR[,level=N][,select=FILE]
 */
#include "tck/lib/mech.h"
#include "tck/lib/tck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool primordial_done;

/* The value of an option, by malloc; NULL when it is missing. */
static char *
option(const char *options, const char *name)
{
    size_t length = strlen(name);

    while (options != NULL && *options != '\0') {
        size_t end = strcspn(options, ",");

        if (strncmp(options, name, length) == 0 && options[length] == '=')
            return strndup(options + length + 1, end - length - 1);
        options += end + (options[end] == ',');
    }
    return NULL;
}

static bool
group_has_phase(const char *group, unsigned phase)
{
    size_t count;
    const struct tck_case *const *list = tck_cases(&count);

    for (size_t i = 0; i < count; i++)
        if (list[i]->phase == phase && strcmp(list[i]->group, group) == 0)
            return true;
    return false;
}

static void JNICALL
on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *data,
              jint *new_length, unsigned char **new_data)
{
    jvmtiPhase phase;

    (void)jni, (void)redefined, (void)loader, (void)name, (void)domain, (void)length;
    (void)data, (void)new_length, (void)new_data;
    /* A VM that refuses to tell the phase has a case of its own to fail. */
    if (primordial_done
        || ((*jvmti)->GetPhase(jvmti, &phase) == JVMTI_ERROR_NONE
            && phase != JVMTI_PHASE_PRIMORDIAL))
        return;
    primordial_done = true;
    tck_run_phase(&tck, TCK_PRIMORDIAL, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE,
                                       JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
}

static void JNICALL
on_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    tck_run_phase(&tck, TCK_START, jni);
}

/*
 * Find out what the VM answers to the latest version that it and the kit know, and by
 * which level it is judged: by that one, unless another was demanded (0: none was).  A
 * VM may offer several levels; one below 21 is asked for as such.
 */
static void
find_level(struct tck *t, int demanded)
{
    static const jint versions[] = { 0x30150000, JVMTI_VERSION_11 };

    for (int i = demanded != 0 && demanded < 21 ? 1 : 0; i < 2 && t->told == 0; i++) {
        jvmtiEnv *env;
        jint version = versions[i];

        if ((*t->vm)->GetEnv(t->vm, (void **)&env, versions[i]) != JNI_OK)
            continue;
        (*env)->GetVersionNumber(env, &version);
        (*env)->DisposeEnvironment(env);
        t->asked = versions[i];
        t->told = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    }
    t->level = demanded != 0 && t->told != 0 ? demanded : t->told;
}

/* Listen for the phases in which the group has cases. */
static void
listen(struct tck *t)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *env;

    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMStart = on_start;
    callbacks.ClassFileLoadHook = on_class_file;
    env = tck_new_env(t);
    if (env == NULL)
        return;
    if (group_has_phase(t->group, TCK_PRIMORDIAL)) {
        jvmtiCapabilities caps;

        memset(&caps, 0, sizeof caps);
        caps.can_generate_all_class_hook_events = 1;
        caps.can_generate_early_class_hook_events = 1;
        if ((*env)->AddCapabilities(env, &caps) == JVMTI_ERROR_NONE)
            (*env)->SetEventNotificationMode(env, JVMTI_ENABLE,
                                             JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    }
    (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
}

/* Tell the runner what VM this is. */
static void
about(struct tck *t)
{
    char *name = NULL, *version = NULL;

    (*t->jvmti)->GetSystemProperty(t->jvmti, "java.vm.name", &name);
    (*t->jvmti)->GetSystemProperty(t->jvmti, "java.vm.version", &version);
    tck_about(t->level, name == NULL ? "unknown" : name, version == NULL ? "" : version);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)name);
    (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)version);
}

static void
skip_unreached(struct tck *t, unsigned phase, const char *reason)
{
    size_t count;
    const struct tck_case *const *list = tck_cases(&count);

    for (size_t i = 0; i < count; i++)
        if (list[i]->phase == phase && strcmp(list[i]->group, t->group) == 0)
            tck_unreached(t, list[i], reason);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    struct tck *t = &tck;
    char *out = option(options, "out"), *level;

    (void)reserved;
    t->vm = vm;
    t->group = option(options, "group");
    t->resources = option(options, "resources");
    if (t->group == NULL || out == NULL || !tck_open(out)) {
        fprintf(stderr, "tck: usage: -agentpath:LIB=group=NAME,out=FILE,resources=DIR\n");
        return 1;
    }
    free(out);
    if (!tck_select(option(options, "select"))) {
        fprintf(stderr, "tck: cannot read the list of selected cases\n");
        return 1;
    }
    level = option(options, "level");
    find_level(t, level == NULL ? 0 : atoi(level));
    free(level);
    if (t->level < 11) {
        tck_abandon("the VM gives no JVM TI environment of level 11");
        return 0;
    }
    t->phase = TCK_ONLOAD;
    t->jvmti = tck_new_env(t);
    tck_add_all(t, t->jvmti, -1);
    (*t->jvmti)->GetCapabilities(t->jvmti, &t->held);
    (*t->jvmti)->CreateRawMonitor(t->jvmti, "early", &mech_early_monitor);
    for (int i = 0; i < 2; i++)
        mech_spare_envs[i] = tck_new_env(t);
    about(t);
    listen(t);
    tck_run_phase(t, TCK_ONLOAD, NULL);
    return 0;
}

/* Host.run(): the live phase. */
JNIEXPORT void JNICALL
Java_tck_Host_run(JNIEnv *jni, jclass klass)
{
    struct tck *t = &tck;

    (void)klass;
    if (!primordial_done)
        skip_unreached(t, TCK_PRIMORDIAL, "no event came in the primordial phase");
    tck_run_phase(t, TCK_LIVE, jni);
    if (!group_has_phase(t->group, TCK_DEAD))
        tck_finish();
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    if (tck.jvmti == NULL || !group_has_phase(tck.group, TCK_DEAD))
        return;
    tck_run_phase(&tck, TCK_DEAD, NULL);
    tck_finish();
}
