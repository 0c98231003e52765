/* SPDX-License-Identifier: MIT */
/*
 * The marking's own agent: stands between the agent of its first option and the VM.  It
 * sends it a ThreadStart in the start phase and a ThreadEnd in the dead phase.  The
 * specification allows these events there, but which threads start so early or end so late
 * differs from VM to VM, so waiting for one would not do.  It says how GetThreadInfo is
 * answered meanwhile.
 *
 * What an agent could know by heart is something else here: GetPhase answers primordial
 * in Agent_OnLoad and dead in VMDeath, and the thread of VMInit has another name.
 *
 * Its options are LIBRARY,NAME-OF-THE-THREAD.
 */
#include "lab.h"

#include <dlfcn.h>

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);

static const struct JNIInvokeInterface_ *real_vm;
static struct JNIInvokeInterface_ vm_functions;
static const jvmtiInterface_1 *real_env;
static jvmtiInterface_1 env_functions;
static jvmtiEnv *student;               /* its environment */
static jvmtiEventCallbacks theirs;      /* its callbacks */
static char *main_name;
static bool is_dead;
/* What GetPhase answers to the calling thread; 0 for the truth. */
static __thread jvmtiPhase phase_for_them;

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID set_name = klass == NULL ? NULL
        : (*jni)->GetMethodID(jni, klass, "setName", "(Ljava/lang/String;)V");
    jstring name = (*jni)->NewStringUTF(jni, main_name);

    if (set_name != NULL && name != NULL)
        (*jni)->CallVoidMethod(jni, thread, set_name, name);
    theirs.VMInit(jvmti, jni, thread);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    phase_for_them = JVMTI_PHASE_DEAD;
    theirs.VMDeath(jvmti, jni);
    phase_for_them = 0;
}

static jvmtiError JNICALL
set_callbacks(jvmtiEnv *jvmti, const jvmtiEventCallbacks *callbacks, jint size)
{
    jvmtiEventCallbacks ours;

    student = jvmti;
    if (callbacks == NULL || size != (jint)sizeof theirs)
        return real_env->SetEventCallbacks(jvmti, callbacks, size);
    ours = theirs = *callbacks;
    if (ours.VMInit != NULL)
        ours.VMInit = on_vm_init;
    if (ours.VMDeath != NULL)
        ours.VMDeath = on_vm_death;
    return real_env->SetEventCallbacks(jvmti, &ours, size);
}

static jvmtiError JNICALL
get_phase(jvmtiEnv *jvmti, jvmtiPhase *phase)
{
    jvmtiError error = real_env->GetPhase(jvmti, phase);

    if (error == JVMTI_ERROR_NONE && phase_for_them != 0)
        *phase = phase_for_them;
    return error;
}

static jvmtiError JNICALL
get_thread_info(jvmtiEnv *jvmti, jthread thread, jvmtiThreadInfo *info)
{
    /* With the VM dead the thread cannot be passed on: there are no references. */
    jvmtiError error = is_dead ? JVMTI_ERROR_WRONG_PHASE
                               : real_env->GetThreadInfo(jvmti, thread, info);

    if (error == JVMTI_ERROR_WRONG_PHASE)
        say("probe: GetThreadInfo is WRONG_PHASE");
    return error;
}

/* An environment begins with a pointer to its functions. */
static jint JNICALL
get_env(JavaVM *vm, void **env, jint version)
{
    jint result = real_vm->GetEnv(vm, env, version);

    if (result == JNI_OK && (version & 0x70000000) == JVMTI_VERSION_INTERFACE_JVMTI) {
        jvmtiEnv *jvmti = *env;

        real_env = *jvmti;
        env_functions = *real_env;
        env_functions.SetEventCallbacks = set_callbacks;
        env_functions.GetThreadInfo = get_thread_info;
        env_functions.GetPhase = get_phase;
        *jvmti = &env_functions;
    }
    return result;
}

static void JNICALL
on_vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jthread thread = NULL;

    if (theirs.ThreadStart == NULL || !CALL(GetCurrentThread, jvmti, &thread))
        return;
    say("probe: ThreadStart in the start phase");
    theirs.ThreadStart(student, jni, thread);
}

/* Sends a ThreadEnd that comes late. */
JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    if (theirs.ThreadEnd == NULL)
        return;
    is_dead = true;
    phase_for_them = JVMTI_PHASE_DEAD;
    say("probe: ThreadEnd in the dead phase");
    theirs.ThreadEnd(student, NULL, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char *rest = options, *path = strsep(&rest, ",");
    void *library = dlopen(path, RTLD_NOW);
    jvmtiEventCallbacks callbacks = { .VMStart = on_vm_start };
    start_fn *start = NULL;
    jvmtiEnv *jvmti;
    jint result;

    if (library == NULL || rest == NULL || (main_name = strdup(rest)) == NULL
        || (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_START,
                 NULL))
        return JNI_ERR;
    *(void **)&start = dlsym(library, "Agent_OnLoad");
    if (start == NULL)
        return JNI_ERR;
    real_vm = *vm;
    vm_functions = *real_vm;
    vm_functions.GetEnv = get_env;
    *vm = &vm_functions;
    phase_for_them = JVMTI_PHASE_PRIMORDIAL;
    result = start(vm, NULL, reserved);
    phase_for_them = 0;
    *vm = real_vm;
    return result;
}
