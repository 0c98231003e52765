/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/coverage.c -- the agent: options, and when it begins and writes.
 *
 * A class that is loaded gets a static boolean field for each probe, and setting it is
 * all that is left to do while the program runs: no call, no array, no check, one byte
 * stored.  An interface gets an array, for its fields are final.  Classes that are
 * there already cannot get fields (JVM TI "Retransform Classes"): theirs are in a class
 * of their own, defined to the boot loader, where all can see it.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/coverage/agent.h"

static const char about[] =
    "Measures which lines, branches and methods of a program are executed.";

enum { ON_EXIT = 1, ON_SIGNAL = 2 };

struct agent agent;

static void JNICALL
on_data_dump(jvmtiEnv *jvmti)
{
    bool detach = false;
    JNIEnv *jni = tf_jni(agent.vm, "coverage", &detach);

    (void)jvmti;
    if (jni == NULL || !tf_gate_enter(&agent.gate))
        return;
    collect_write(&agent.config, jni);
    tf_gate_leave(&agent.gate);
    if (detach)
        (*agent.vm)->DetachCurrentThread(agent.vm);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    tf_gate_close(&agent.gate, 2000);
    if ((agent.config.events & ON_EXIT) != 0)
        collect_write(&agent.config, jni);
}

/* -- start -- */

static bool
is_candidate(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass)
{
    char *signature = NULL;
    jobject loader = NULL;
    jboolean modifiable = JNI_FALSE;
    bool wanted = false;

    if (TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))
        && signature[0] == 'L'
        && TF_CALL(jvmti, IsModifiableClass, (jvmti, klass, &modifiable)) && modifiable
        && TF_CALL(jvmti, GetClassLoader, (jvmti, klass, &loader))) {
        signature[strlen(signature) - 1] = '\0';
        wanted = probed_wanted(&agent.config, signature + 1, loader == NULL);
    }
    if (loader != NULL)
        (*jni)->DeleteLocalRef(jni, loader);
    tf_deallocate(jvmti, signature);
    return wanted;
}

/* Probes for the classes that are there: all at once, or one by one where the VM
   refuses one of them. */
static void
change_loaded(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL, *wanted;
    jint count = 0, found = 0;

    if (!TF_CALL(jvmti, GetLoadedClasses, (jvmti, &count, &classes)))
        return;
    wanted = calloc((size_t)count + 1, sizeof *wanted);
    for (jint i = 0; wanted != NULL && i < count; i++)
        if (is_candidate(jvmti, jni, classes[i]))
            wanted[found++] = classes[i];
    if (found > 0
        && (*jvmti)->RetransformClasses(jvmti, found, wanted) != JVMTI_ERROR_NONE)
        for (jint i = 0; i < found; i++)
            TF_CALL(jvmti, RetransformClasses, (jvmti, 1, &wanted[i]));
    free(wanted);
    tf_release_references(jvmti, jni, (jobject *)classes, count);
}

/* HotSpot runs Java for AddModuleReads.  The first time that loads classes, which it cannot
   do while one of them is being changed; so it is done once before any is. */
static void
prepare_modules(JNIEnv *jni)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jclass holder = object == NULL ? NULL
        : probed_holder(jni, __atomic_fetch_add(&agent.next_id, 1, __ATOMIC_RELAXED), 1,
                      object, NULL);

    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteGlobalRef(jni, holder);
    (*jni)->DeleteLocalRef(jni, object);
}

static bool
begin(jvmtiEnv *jvmti, JNIEnv *jni)
{
    prepare_modules(jni);
    if (!tf_events_enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                          JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH, 0))
        return false;
    if ((agent.config.events & ON_SIGNAL) != 0
        && !tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0))
        return false;
    change_loaded(jvmti, jni);
    return true;
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    begin(jvmti, jni);
}

/* The names of on=, which may be several. */
static bool
parse_on(struct config *config)
{
    static const char *const names[] = { "exit", "signal" };

    for (char **on = config->on; on != NULL && *on != NULL; on++) {
        size_t i = 0;

        while (i < 2 && strcmp(*on, names[i]) != 0)
            i++;
        if (i == 2) {
            tf_error("on: \"%s\" is not one of exit, signal", *on);
            return false;
        }
        config->events |= 1u << i;
    }
    return true;
}

/* By default a file of its own for each process, and texts to the output. */
static bool
choose_file(struct config *config)
{
    static const char *const names[] = { "coverage-%p.cov", "-", "coverage-%p.info",
        "coverage-%p.xml", "coverage-%p.xml", "coverage-%p.html" };
    struct tf_buffer error = { 0 };

    if (config->file == NULL)
        config->file = tf_path_expand(names[config->format], &error);
    tf_buffer_release(&error);
    return config->file != NULL;
}

static enum tf_outcome
parse(struct tf_agent *started, struct config *config)
{
    const struct tf_option options[] = {
        { "file", TF_PATH, &config->file, NULL, 0, 0,
          "where to write to, - for the output; by default coverage-%p and a suffix, "
          "and the output for text", NULL },
        { "format", TF_CHOICE, &config->format, FORMATS, 0, 0, "what to write", NULL },
        { "include", TF_LIST, &config->include, NULL, 0, 0,
          "classes to measure; by default those that do not come with the VM", NULL },
        { "exclude", TF_LIST, &config->exclude, NULL, 0, 0, "classes to leave alone",
          NULL },
        { "on", TF_LIST, &config->on, NULL, 0, 0,
          "when to write: exit, signal (SIGQUIT); by default exit", NULL },
        { "merge", TF_LIST, &config->merge, NULL, 0, 0,
          "files of format=data whose runs are added", NULL },
        { "compare", TF_PATH, &config->compare, NULL, 0, 0,
          "a file of format=data of an earlier run, to which html compares", NULL },
        { "append", TF_FLAG, &config->append, NULL, 0, 0,
          "add the run to the file, which is of format=data, if it is there", NULL },
        { "classes", TF_LIST, &config->classes, NULL, 0, 0,
          "folders of class files that count although they were not loaded", NULL },
        { "sourcepath", TF_LIST, &config->sourcepath, NULL, 0, 0,
          "folders of the sources, for the names in lcov and the texts in html", NULL },
        PROGRESS_OPTION(&config->progress),
        { "unload", TF_FLAG, &config->unload, NULL, 0, 0,
          "let go of classes that are not in use, and of what is known about them",
          NULL }
    };
    enum tf_outcome outcome = tf_agent_options(started, about, options,
                                               sizeof options / sizeof *options);
    struct units units = { 0 };

    if (outcome != TF_RUN)
        return outcome;
    if (config->append && config->format != FORMAT_DATA) {
        tf_error("append: only to a file of format=data");
        return TF_FAILED;
    }
    if (config->compare != NULL && config->format != FORMAT_HTML) {
        tf_error("compare: only with format=html");
        return TF_FAILED;
    }
    if (!parse_on(config) || !choose_file(config))
        return TF_FAILED;
    if (config->compare != NULL && !data_read(&units, config->compare))
        outcome = TF_FAILED;
    /* Rather now than after hours. */
    for (char **file = config->merge; file != NULL && *file != NULL; file++)
        if (!data_read(&units, *file))
            outcome = TF_FAILED;
    units_release(&units);
    return outcome;
}

static bool
listen(struct tf_agent *started)
{
    jvmtiEnv *jvmti = started->jvmti;
    jvmtiCapabilities required = { .can_retransform_classes = 1 };
    jvmtiCapabilities wanted = { .can_generate_all_class_hook_events = 1,
                                 .can_retransform_any_class = 1 };
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassPrepare = probed_class_prepare,
        .ClassFileLoadHook = probed_class_file, .DataDumpRequest = on_data_dump
    };

    return tf_capabilities_add(jvmti, &required, &wanted, NULL)
        && tf_monitor_init(&agent.lock, jvmti, "coverage")
        && TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        && (started->attached ? begin(jvmti, started->jni)
                              : tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, 0));
}

/* Attached where it runs already it writes what there is, as the options say. */
static enum tf_outcome
start(struct tf_agent *started)
{
    struct config config = { 0 };
    enum tf_outcome outcome = parse(started, &config);

    if (outcome != TF_RUN)
        return outcome;
    if (agent.runs) {
        if (!started->attached) {
            tf_error("the agent is given twice");
            return TF_FAILED;
        }
        return collect_write(&config, started->jni) ? TF_DONE : TF_FAILED;
    }
    /* A file that cannot be made is better known now than in the end. */
    if (!tf_output_try(config.file))
        return TF_FAILED;
    if (config.events == 0)
        config.events = ON_EXIT;
    agent.config = config;
    agent.vm = started->vm;
    agent.jvmti = started->jvmti;
    agent.runs = listen(started);
    return agent.runs ? TF_RUN : TF_FAILED;
}

/* RetransformClasses came with 1.1. */
TF_AGENT("coverage", JVMTI_VERSION_1_1, start);
