/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Early.c -- the start of the VM as environments with and without
 * the early capabilities see it. */

#include "check.h"

/* One environment's story: what it was told, a letter each. */
struct story {
    jvmtiEnv *env;
    jvmtiCapabilities capabilities;
    char events[100];
    int classes[9];                /* loaded, by phase */
    bool object_seen, thread_seen, wrong_phase;
};

static const jvmtiCapabilities early_start = { .can_generate_early_vmstart = 1 };
static struct story stories[4];
enum { EARLY, PLAIN, EARLY_HOOK, ONLY_EARLY_HOOK };

static struct story *
story_of(jvmtiEnv *env)
{
    void *data;

    (*env)->GetEnvironmentLocalStorage(env, &data);
    return data;
}

static jvmtiPhase
phase_of(jvmtiEnv *env)
{
    jvmtiPhase phase = 0;

    (*env)->GetPhase(env, &phase);
    return phase;
}

static void
tell(struct story *s, char letter)
{
    size_t length = strlen(s->events);

    if (length < sizeof s->events - 1)
        s->events[length] = letter;
}

static void JNICALL
on_start(jvmtiEnv *env, JNIEnv *jni)
{
    struct story *s = story_of(env);
    tell(s, 'S');
    s->wrong_phase |= phase_of(env) != JVMTI_PHASE_START;
    /* JNI is live. */
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    check("start-jni", object != NULL);
    if (s != &stories[EARLY] && s != &stories[PLAIN])
        return;
    bool is_early = s == &stories[EARLY];
    check_int(is_early ? "early-other-phase" : "late-other-phase",
              phase_of(stories[is_early ? PLAIN : EARLY].env),
              is_early ? JVMTI_PHASE_PRIMORDIAL : JVMTI_PHASE_START);
    jint count;
    jclass *classes;
    jvmtiEnv *other = stories[is_early ? PLAIN : EARLY].env;
    jvmtiError error = (*other)->GetClassMethods(other, object, &count,
                                                 (jmethodID **)&classes);
    check_int(is_early ? "early-other-call" : "late-other-call", error,
              is_early ? JVMTI_ERROR_WRONG_PHASE : JVMTI_ERROR_NONE);
    if (is_early)
        check_int("add-in-start", (*other)->AddCapabilities(other, &early_start),
                  JVMTI_ERROR_WRONG_PHASE);
}

static void JNICALL
on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    struct story *s = story_of(env);
    jvmtiCapabilities potential;

    tell(s, 'I');
    s->wrong_phase |= phase_of(env) != JVMTI_PHASE_LIVE;
    if (s != &stories[PLAIN])
        return;
    (*env)->GetPotentialCapabilities(env, &potential);
    check("not-potential-later", !potential.can_generate_early_vmstart
                                     && !potential.can_generate_early_class_hook_events);
    check_int("add-too-late", (*env)->AddCapabilities(env, &early_start),
              JVMTI_ERROR_NOT_AVAILABLE);
}

static void JNICALL
on_hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
        jobject domain, jint length, const unsigned char *bytes, jint *new_length,
        unsigned char **new_bytes)
{
    struct story *s = story_of(env);
    jvmtiPhase phase = phase_of(env);

    s->classes[phase]++;
    if (name != NULL && !strcmp(name, "java/lang/Object"))
        s->object_seen = length > 100 && bytes[0] == 0xca && bytes[1] == 0xfe;
    if (name != NULL && !strcmp(name, "java/lang/Thread"))
        s->thread_seen = true;
    /* Changed bytes are taken as early as this. */
    if (s == &stories[EARLY_HOOK] && name != NULL && !strcmp(name, "java/util/HashMap")) {
        (*env)->Allocate(env, length, new_bytes);
        memcpy(*new_bytes, bytes, length);
        *new_length = length;
        tell(s, phase == JVMTI_PHASE_PRIMORDIAL ? 'h' : '?');
    }
    if (s == &stories[ONLY_EARLY_HOOK] && phase == JVMTI_PHASE_PRIMORDIAL)
        tell(s, '!');
}

static void JNICALL
on_death(jvmtiEnv *env, JNIEnv *jni)
{
    const struct story *early = &stories[EARLY], *plain = &stories[PLAIN],
                       *hook = &stories[EARLY_HOOK], *only = &stories[ONLY_EARLY_HOOK];

    check_text("early-events", early->events, "SI");
    check_text("plain-events", plain->events, "SI");
    check_text("hook-events", hook->events, "hSI");
    check_text("only-early-hook-events", only->events, "SI");
    for (int i = 0; i < 4; i++)
        check("phases", !stories[i].wrong_phase);
    check("early-hook-object", hook->object_seen);
    check("early-hook-thread", hook->thread_seen);
    check("early-hook-primordial", hook->classes[JVMTI_PHASE_PRIMORDIAL] > 200);
    check("plain-hook-not-primordial", plain->classes[JVMTI_PHASE_PRIMORDIAL] == 0
                                           && !plain->object_seen);
    check("early-start-hook", early->classes[JVMTI_PHASE_PRIMORDIAL] == 0
                                  && early->classes[JVMTI_PHASE_START]
                                         > plain->classes[JVMTI_PHASE_START]);
    check("live-hook", plain->classes[JVMTI_PHASE_LIVE] > 0
                           && plain->classes[JVMTI_PHASE_LIVE]
                                  == early->classes[JVMTI_PHASE_LIVE]
                           && plain->classes[JVMTI_PHASE_LIVE]
                                  == hook->classes[JVMTI_PHASE_LIVE]);
    /* All environments see the same classes from the early start on. */
    check("sums", hook->classes[JVMTI_PHASE_PRIMORDIAL] + hook->classes[JVMTI_PHASE_START]
                      > early->classes[JVMTI_PHASE_START]);
}

static void
make(JavaVM *vm, struct story *s)
{
    static const jvmtiEvent on[] = { JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT,
                                     JVMTI_EVENT_CLASS_FILE_LOAD_HOOK };
    jvmtiEventCallbacks callbacks = { .VMStart = on_start, .VMInit = on_init,
                                      .VMDeath = on_death, .ClassFileLoadHook = on_hook };

    s->env = make_env(vm, JVMTI_VERSION_9, &s->capabilities);
    (*s->env)->SetEnvironmentLocalStorage(s->env, s);
    (*s->env)->SetEventCallbacks(s->env, &callbacks, sizeof callbacks);
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        (*s->env)->SetEventNotificationMode(s->env, JVMTI_ENABLE, on[i], NULL);
    check_int("onload-phase", phase_of(s->env), JVMTI_PHASE_ONLOAD);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities potential;

    stories[EARLY].capabilities.can_generate_early_vmstart = 1;
    stories[EARLY_HOOK].capabilities.can_generate_early_class_hook_events = 1;
    stories[EARLY_HOOK].capabilities.can_generate_all_class_hook_events = 1;
    stories[ONLY_EARLY_HOOK].capabilities.can_generate_early_class_hook_events = 1;
    for (int i = 0; i < 4; i++)
        make(vm, &stories[i]);
    jvmtiEnv *env = stories[PLAIN].env;
    (*env)->GetPotentialCapabilities(env, &potential);
    check("potential", potential.can_generate_early_vmstart
                           && potential.can_generate_early_class_hook_events);
    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    return JNI_OK;
}
