/* SPDX-License-Identifier: MIT */
/*
 * layer/agent.c -- libtiforge-check.so: an agent that loads the one that is checked.
 *
 *     -agentpath:libtiforge-check.so=agent=LIB,report=FILE,options=OPTIONS-OF-LIB
 *
 * It may be given several times, once for each agent.  Under a name of its own, with the
 * settings in the environment, it stands in for the agent that it checks (tiforge test):
 *
 *     TIFORGE_CHECK=agent=LIB,report=found.%p.json java -agentpath:libcopy.so=OPTIONS-OF-LIB
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tiforge/buffer.h>
#include <tiforge/log.h>

#include "layer/finding.h"
#include "layer/page.h"
#include "layer/reach.h"
#include "layer/trace.h"

struct check_options check_options = { .fail_on = ERROR };
jvmtiEnv *check_jvmti;
JavaVM *check_real_vm;

static struct check_agent *agents, **last_agent = &agents;
static bool is_live, is_dying;

/* ---- options ---- */

static bool
set_fail_on(const char *name)
{
    for (int i = ADVICE; i <= ERROR; i++)
        if (strcmp(severity_names[i], name) == 0) {
            check_options.fail_on = i;
            return true;
        }
    tf_error("fail-on is error, warning or advice, not '%s'", name);
    return false;
}

static bool
set_option(const char *key, char *value)
{
    if (strcmp(key, "agent") == 0)
        check_options.agent = value;
    else if (strcmp(key, "report") == 0) {
        if (!report_is_known(value)) {
            tf_error("a report is a file .json, .sarif, .tap or .xml, not '%s'", value);
            return false;
        }
        check_options.report = value;
    } else if (strcmp(key, "status") == 0)
        check_options.status = value;
    else if (strcmp(key, "only") == 0)
        return finding_select(value);
    else if (strcmp(key, "suppress") == 0)
        return finding_read_suppressions(value);
    else if (strcmp(key, "fail-on") == 0)
        return set_fail_on(value);
    else if (strcmp(key, "record") == 0)
        check_options.record = value;
    else if (strcmp(key, "fault") == 0)
        return fault_set(value);
    else if (strcmp(key, "stress") == 0)
        return stress_set(value);
    else if (strcmp(key, "turns") == 0)
        stress_set_turns();
    else if (strcmp(key, "exit-in") == 0)
        return stress_set_exit(value);
    else if (strcmp(key, "watchdog") == 0)
        check_options.watchdog = atoi(value);
    else if (strcmp(key, "poison") == 0)
        check_options.is_poisoning = true;
    else if (strcmp(key, "trace") == 0)
        check_options.trace = value;
    else if (strcmp(key, "filter") == 0)
        check_options.filter = value;
    else if (strcmp(key, "summary") == 0)
        check_options.is_summary = true;
    else {
        tf_error("no option '%s'; there are: agent, report, status, only, suppress,"
                 " fail-on, watchdog, poison, trace, filter, summary, record, fault, stress,"
                 " turns, exit-in, options", key);
        return false;
    }
    return true;
}

/* In the names of files %p is the process: tests start several. */
static char *
with_process(const char *text)
{
    struct tf_buffer out = { 0 };

    for (; *text != '\0'; text++)
        if (text[0] == '%' && text[1] == 'p') {
            tf_buffer_format(&out, "%d", (int)getpid());
            text++;
        } else
            tf_buffer_format(&out, "%c", *text);
    return tf_buffer_take(&out);
}

/* KEY=VALUE,... up to options=, which takes all that follows.  Where TIFORGE_CHECK has the
   settings, all that is given is the agent's.  The text is kept. */
static bool
parse_options(const char *given)
{
    const char *settings = getenv("TIFORGE_CHECK");
    bool is_stand_in = settings != NULL && settings[0] != '\0';
    char *text = is_stand_in ? with_process(settings) : strdup(given);
    char *key, *value, *end;

    check_options.agent = NULL;
    check_options.agent_options = is_stand_in ? strdup(given) : NULL;
    for (key = text; key != NULL && *key != '\0'; key = end) {
        if (strncmp(key, "options=", 8) == 0) {
            check_options.agent_options = key + 8;
            break;
        }
        end = strchr(key, ',');
        if (end != NULL)
            *end++ = '\0';
        value = strchr(key, '=');
        if (value != NULL)
            *value++ = '\0';
        if (!set_option(key, value != NULL ? value : (char *)""))
            return false;
    }
    if (check_options.agent == NULL || check_options.agent[0] == '\0') {
        tf_error("which agent is to be checked?  -agentpath:%s=agent=LIB,options=...",
                 "libtiforge-check.so");
        return false;
    }
    return true;
}

/* ---- the VM ---- */

jvmtiPhase
check_phase(void)
{
    jvmtiPhase phase = JVMTI_PHASE_LIVE;

    if (__atomic_load_n(&is_live, __ATOMIC_RELAXED)
        && !__atomic_load_n(&is_dying, __ATOMIC_RELAXED))
        return JVMTI_PHASE_LIVE;
    (*check_jvmti)->GetPhase(check_jvmti, &phase);
    return phase;
}

jvmtiPhase
check_phase_for(jvmtiEnv *real)
{
    jvmtiPhase phase = check_phase();

    if (phase == JVMTI_PHASE_PRIMORDIAL)
        (*real)->GetPhase(real, &phase);
    return phase;
}

bool
check_is_outlived(const struct interpose_thread *thread)
{
    return thread->event != NULL
        && thread->event->facts->number != JVMTI_EVENT_VM_DEATH
        && __atomic_load_n(&is_dying, __ATOMIC_RELAXED);
}

bool
check_is_overtaken(const struct interpose_thread *thread)
{
    struct check_thread *state = thread->state;

    return check_is_outlived(thread)
        || (state->loading == NULL && !__atomic_exchange_n(&state->is_overtaken, true,
                                                           __ATOMIC_RELAXED));
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti, (void)thread;
    id_vm_init(jni);
    kind_vm_init(jni);
    stress_vm_init();
    __atomic_store_n(&is_live, true, __ATOMIC_RELAXED);
}

static void JNICALL
on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti, (void)jni;
    __atomic_store_n(&is_dying, true, __ATOMIC_RELAXED);
}

/* The layer's own environment, made before those of the agents: its VMDeath comes
   first. */
static bool
start_layer(JavaVM *vm)
{
    jvmtiEventCallbacks callbacks = { .VMInit = on_init, .VMDeath = on_death };
    jvmtiPhase phase;
    void *env;

    if (check_jvmti != NULL)
        return true;
    tf_log_set_name("tiforge check");
    if ((*vm)->GetEnv(vm, &env, JVMTI_VERSION_11) != JNI_OK) {
        tf_error("this VM does not have JVM TI 11");
        return false;
    }
    check_real_vm = vm;
    check_jvmti = env;
    stack_start();
    crash_start();
    page_start();
    id_start();
    local_start();
    memory_start();
    reference_start();
    elements_start();
    kind_start();
    error_start();
    class_callbacks(&callbacks);
    progress_callbacks(&callbacks);
    (*check_jvmti)->SetEventCallbacks(check_jvmti, &callbacks, sizeof callbacks);
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_VM_INIT, NULL);
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_VM_DEATH, NULL);
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE,
                                             JVMTI_EVENT_CLASS_LOAD, NULL);
    (*check_jvmti)->GetPhase(check_jvmti, &phase);
    is_live = phase == JVMTI_PHASE_LIVE;
    if (is_live && (*vm)->GetEnv(vm, &env, JNI_VERSION_1_2) == JNI_OK) {
        id_vm_init(env);
        kind_vm_init(env);
    }
    return true;
}

/* ---- the agent ---- */

/* A path as it is; a name as -agentlib takes it, from the JDK or where the dynamic
   linker looks. */
static void *
open_library(const char *name, char **path)
{
    char *folder = NULL, *file;
    void *library;

    if (strchr(name, '/') != NULL) {
        *path = strdup(name);
        return dlopen(name, RTLD_LAZY);
    }
    (*check_jvmti)->GetSystemProperty(check_jvmti, "sun.boot.library.path", &folder);
    if (folder != NULL && asprintf(&file, "%s/lib%s.so", folder, name) >= 0) {
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)folder);
        *path = file;
        library = dlopen(file, RTLD_LAZY);
        if (library != NULL)
            return library;
        free(file);
    }
    if (asprintf(&file, "lib%s.so", name) < 0)
        return NULL;
    *path = file;
    return dlopen(file, RTLD_LAZY);
}

typedef jint JNICALL start_function(JavaVM *vm, char *options, void *reserved);
typedef void JNICALL end_function(JavaVM *vm);

/* The agent's own copy, which ends with its start (JVM TI "Agent Start-Up"). */
static char *
show_options(void)
{
    const char *given =
        check_options.agent_options != NULL ? check_options.agent_options : "";
    size_t size = strlen(given) + 1;
    char *copy = page_new(size);

    if (copy == NULL)
        return strdup(given);
    memcpy(copy, given, size);
    return copy;
}

static jint
load(JavaVM *vm, const char *options, const char *entry)
{
    struct check_agent *agent;
    start_function *start;
    char *agent_options;
    jint result;

    if (!start_layer(vm) || !parse_options(options != NULL ? options : ""))
        return JNI_ERR;
    agent = calloc(1, sizeof *agent);
    if (agent == NULL)
        return JNI_ENOMEM;
    agent->library = open_library(check_options.agent, &agent->path);
    if (agent->library == NULL) {
        tf_error("cannot load '%s': %s", check_options.agent, dlerror());
        return JNI_ERR;
    }
    agent->name = strrchr(agent->path, '/') ? strrchr(agent->path, '/') + 1 : agent->path;
    start = (start_function *)(uintptr_t)dlsym(agent->library, entry);
    if (start == NULL) {
        tf_error("'%s' has no %s", agent->path, entry);
        return JNI_ERR;
    }
    agent->vm = interpose_vm_new(vm, true);
    if (agent->vm == NULL)
        return JNI_ENOMEM;
    agent->vm->state = agent;
    *last_agent = agent;
    last_agent = &agent->next;
    got_redirect(agent);
    /* An agent that is attached again gets other options. */
    if (strcmp(entry, "Agent_OnLoad") == 0)
        error_agent_added(agents, agent);
    progress_start();
    if (check_options.trace != NULL && !trace_start())
        return JNI_ERR;
    finding_write(false);
    agent_options = show_options();
    crash_thread_runs(check_thread_self());
    check_thread_self()->loading = entry;
    progress_enter(check_thread_self(), entry);
    result = start((JavaVM *)&agent->vm->functions, agent_options, NULL);
    if (page_is_ours(agent_options))
        page_hide(agent_options, entry);
    progress_leave(check_thread_self());
    check_thread_self()->loading = NULL;
    return result;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    return load(vm, options, "Agent_OnLoad");
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    return load(vm, options, "Agent_OnAttach");
}

static void
env_at_exit(struct interpose_env *env, void *data)
{
    (void)data;
    phase_env_ended(env);
    callback_env_ended(env);
    error_env_ended(env);
}

/* Memory and references that nothing in the process points to: one search finds all. */
static void
tell_lost(void)
{
    size_t blocks = leak_collect(), references = reference_collect();
    struct reach *reach = reach_new(blocks + references);

    if (reach == NULL)
        return;
    leak_add_to(reach);
    reference_add_to(reach);
    reach_search(reach);
    memory_at_exit();
    leak_at_exit(reach);
    reference_at_exit(reach);
    reach_free(reach);
}

/* Once for each agent: they end in the order in which they came. */
JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    struct check_agent *agent = agents;
    end_function *end;

    (void)vm;
    while (agent != NULL && agent->has_ended)
        agent = agent->next;
    if (agent == NULL)
        return;
    agent->has_ended = true;
    end = (end_function *)(uintptr_t)dlsym(agent->library, "Agent_OnUnload");
    crash_thread_runs(check_thread_self());
    check_thread_self()->loading = "Agent_OnUnload";
    progress_enter(check_thread_self(), "Agent_OnUnload");
    if (end != NULL)
        end((JavaVM *)&agent->vm->functions);
    progress_leave(check_thread_self());
    check_thread_self()->loading = NULL;
    if (agent->next != NULL)
        return;
    page_tell();
    interpose_each_env(env_at_exit, NULL);
    thread_at_exit();
    monitor_at_exit();
    elements_at_exit();
    tell_lost();
    fault_at_exit();
    finding_write(true);
    trace_end();
}
