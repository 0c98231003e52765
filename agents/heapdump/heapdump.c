/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/heapdump.c -- when a dump is made, and where it goes.
 *
 * Each dump has an environment of its own: its tags, one for every object, go with it,
 * and nobody pays for them in between.
 */
#include "agents/heapdump/growth.h"
#include "agents/heapdump/heapdump.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ON_EXIT = 1, ON_SIGNAL = 2, ON_NOW = 4, ON_OOM = 8 };

static const char about[] =
    "Writes the heap of a Java program: an HPROF file, a histogram, or the objects "
    "that keep the most memory alive";

/* One dump at a time: each stops the world. */
static pthread_mutex_t dumping = PTHREAD_MUTEX_INITIALIZER;

/* -- files -- */

/* The place for a number in a file name: before the extensions. */
static size_t
stem_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strchr(name, '.');

    return dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
}

/* A second dump must not take the place of the first: "heap.hprof", "heap-2.hprof". */
static char *
dump_path(const struct config *config)
{
    size_t stem = stem_length(config->file);
    char *path = NULL;

    if (config->dumps == 0 || strcmp(config->file, "-") == 0
        || strncmp(config->file, "/dev/", 5) == 0)
        return strdup(config->file);
    if (asprintf(&path, "%.*s-%u%s", (int)stem, config->file, config->dumps + 1,
                 config->file + stem) < 0)
        return NULL;
    return path;
}

/* -- a dump -- */

/* Write it, once more if classes came meanwhile. */
static bool
write_dump(struct model *model, const char *path)
{
    static bool (*const formats[])(struct model *, struct output *) = {
        [FORMAT_HPROF] = hprof_write, [FORMAT_HISTOGRAM] = histogram_write,
        [FORMAT_RETAINED] = retained_write, [FORMAT_HTML] = html_write,
        [FORMAT_GROWTH] = growth_write
    };
    const struct config *config = model->config;

    for (int attempt = 0; attempt < 20; attempt++) {
        struct output *out;
        bool written;

        if (!model_add_classes(model)) {
            if (model->no_memory)
                tf_error("out of memory");
            return false;
        }
        out = output_open(path, config->gzip);
        if (out == NULL)
            return false;
        written = formats[config->format](model, out);
        progress_end(&model->progress);
        if (written) {
            unsigned long long length = output_length(out);

            if (!output_commit(out))
                return false;
            if (config->progress != PROGRESS_NO && strcmp(path, "-") != 0)
                fprintf(stderr, "heapdump: wrote %s: %llu bytes%s in %.2f s\n", path,
                        length, config->gzip ? " before compression" : "",
                        seconds_now() - model->started);
            return true;
        }
        output_discard(out);
        if (!model->stale)
            return false;
        model_forget_objects(model);
    }
    tf_error("the program loads classes faster than they can be looked at");
    return false;
}

static bool
dump(struct config *config, JNIEnv *jni)
{
    struct model model;
    char *path;
    bool done = false;

    /* config_of has failed, and said so. */
    if (config == NULL)
        return false;
    pthread_mutex_lock(&dumping);
    path = dump_path(config);
    if (path == NULL || !model_init(&model, jni, config))
        tf_error("no dump was made");
    else
        done = write_dump(&model, path);
    if (done && config->include != NULL && !model_any_wanted(&model))
        tf_warning("no class that is loaded fits include");
    if (path != NULL)
        model_release(&model);
    if (done)
        config->dumps++;
    free(path);
    pthread_mutex_unlock(&dumping);
    return done;
}

/* -- events -- */

static struct config *
config_of(jvmtiEnv *jvmti)
{
    void *config = NULL;

    TF_CALL(jvmti, GetEnvironmentLocalStorage, (jvmti, &config));
    return config;
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    dump(config_of(jvmti), jni);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    dump(config_of(jvmti), jni);
}

/* It brings no JNI environment along (JVM TI "Data Dump Request"). */
static void JNICALL
on_data_dump(jvmtiEnv *jvmti)
{
    struct config *config = config_of(jvmti);
    bool detach;
    JNIEnv *jni = config != NULL ? tf_jni(config->vm, "heapdump", &detach) : NULL;

    if (jni == NULL)
        return;
    dump(config, jni);
    if (detach)
        (*config->vm)->DetachCurrentThread(config->vm);
}

/* At once and on the spot: what fills the heap may be gone a moment later.  Only the
   first time, as the VM's own dump. */
static void JNICALL
on_exhausted(jvmtiEnv *jvmti, JNIEnv *jni, jint flags, const void *reserved,
             const char *description)
{
    struct config *config = config_of(jvmti);

    (void)reserved;
    (void)description;
    if ((flags & JVMTI_RESOURCE_EXHAUSTED_JAVA_HEAP) != 0 && config != NULL
        && (__atomic_fetch_and(&config->events, ~ON_OOM, __ATOMIC_ACQ_REL) & ON_OOM)
            != 0)
        dump(config, jni);
}

/* -- start -- */

/* The names of on=, which may be several. */
static bool
parse_on(struct config *config)
{
    static const char *const names[] = { "exit", "signal", "now", "oom" };

    for (char **on = config->on; on != NULL && *on != NULL; on++) {
        size_t i = 0;

        while (i < 4 && strcmp(*on, names[i]) != 0)
            i++;
        if (i == 4) {
            tf_error("on: \"%s\" is not one of exit, signal, now, oom", *on);
            return false;
        }
        config->events |= 1u << i;
    }
    return true;
}

static bool
fits_together(const struct config *config)
{
    bool grows = config->format == FORMAT_GROWTH;

    if (grows && config->compare == NULL)
        tf_error("growth: compare names an HPROF file of an earlier dump");
    else if (grows && (config->include != NULL || config->exclude != NULL))
        tf_error("growth: not with include or exclude");
    else if (!grows && config->now != NULL)
        tf_error("now: only with format=growth");
    else
        return true;
    return false;
}

/* Two files, and no program. */
static bool
compare_files(const struct config *config)
{
    struct growth growth;
    struct output *out = NULL;
    bool good = growth_find(&growth, config->compare, config->now);

    if (good)
        out = output_open(config->file, config->gzip);
    good = out != NULL && growth_text(&growth, out, config);
    growth_release(&growth);
    return good && output_commit(out);
}

static enum tf_outcome
parse(struct tf_agent *agent, struct config *config)
{
    const struct tf_option options[] = {
        { "file", TF_PATH, &config->file, NULL, 0, 0,
          "where to write to, - for the output; by default heapdump-%p.hprof, and the "
          "output for text", NULL },
        { "format", TF_CHOICE, &config->format, "hprof|histogram|retained|html|growth", 0,
          0,
          "what to write", NULL },
        { "compare", TF_PATH, &config->compare, NULL, 0, 0,
          "an HPROF file of an earlier dump, to which growth, histogram and html compare",
          NULL },
        { "now", TF_PATH, &config->now, NULL, 0, 0,
          "run nothing: with growth, an HPROF file to compare instead of the program's "
          "heap", NULL },
        { "gzip", TF_FLAG, &config->gzip, NULL, 0, 0, "compress it", NULL },
        { "include", TF_LIST, &config->include, NULL, 0, 0,
          "classes whose instances count", NULL },
        { "exclude", TF_LIST, &config->exclude, NULL, 0, 0,
          "classes whose instances do not count", NULL },
        { "on", TF_LIST, &config->on, NULL, 0, 0,
          "when: exit, signal (SIGQUIT), now, oom; by default exit, and now by attach",
          NULL },
        { "top", TF_INT, &config->top, NULL, 0, 1000000000,
          "rows of a text, 0 for all; by default 50 of retained and 20 of growth", NULL },
        { "min", TF_INT, &config->min, NULL, 0, 100,
          "of growth: percent of the change that a row has at least", NULL },
        PROGRESS_OPTION(&config->progress)
    };
    enum tf_outcome outcome;
    struct tf_buffer error = { 0 };

    config->top = -1;
    config->min = 1;
    outcome = tf_agent_options(agent, about, options, sizeof options / sizeof *options);
    if (outcome != TF_RUN)
        return outcome;
    if (!parse_on(config) || !fits_together(config))
        return TF_FAILED;
    if (config->events == 0)
        config->events = agent->attached ? ON_NOW : ON_EXIT;
    if (config->top < 0)
        config->top = config->format == FORMAT_RETAINED ? 50
            : config->format == FORMAT_GROWTH ? 20 : 0;
    if (config->file == NULL)
        config->file = config->format == FORMAT_HTML
            ? tf_path_expand("heapdump-%p.html", &error)
            : config->format != FORMAT_HPROF ? strdup("-")
            : tf_path_expand(config->gzip ? "heapdump-%p.hprof.gz"
                             : "heapdump-%p.hprof",
                             &error);
    return config->file != NULL ? TF_RUN : TF_FAILED;
}

static bool
listen(struct tf_agent *agent, struct config *config)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities oom = { .can_generate_resource_exhaustion_heap_events = 1 };
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init, .VMDeath = on_vm_death, .DataDumpRequest = on_data_dump,
        .ResourceExhausted = on_exhausted
    };
    unsigned on = config->events;

    return TF_CALL(jvmti, SetEnvironmentLocalStorage, (jvmti, config))
        && ((on & ON_OOM) == 0 || tf_capabilities_add(jvmti, &oom, NULL, NULL))
        && TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        && ((on & ON_NOW) == 0 || agent->attached
            || tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, 0))
        && ((on & ON_EXIT) == 0 || tf_events_enable(jvmti, JVMTI_EVENT_VM_DEATH, 0))
        && ((on & ON_SIGNAL) == 0
            || tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0))
        && ((on & ON_OOM) == 0
            || tf_events_enable(jvmti, JVMTI_EVENT_RESOURCE_EXHAUSTED, 0));
}

/* The configuration lives as long as the environment: for ever when it runs. */
static enum tf_outcome
start(struct tf_agent *agent)
{
    struct config *config = calloc(1, sizeof *config);
    jvmtiCapabilities required = { .can_tag_objects = 1 };
    enum tf_outcome outcome;

    if (config == NULL) {
        tf_error("out of memory");
        return TF_FAILED;
    }
    config->vm = agent->vm;
    outcome = parse(agent, config);
    if (outcome != TF_RUN)
        return outcome;
    if (config->now != NULL)
        return compare_files(config) ? TF_DONE : TF_FAILED;
    /* Asked for early, so that what cannot be is known at the start. */
    if (!tf_output_try(config->file)
        || (config->compare != NULL && !old_dump_try(config->compare))
        || !tf_capabilities_add(agent->jvmti, &required, NULL, NULL)
        || !listen(agent, config))
        return TF_FAILED;
    if (agent->attached && (config->events & ON_NOW) != 0 && !dump(config, agent->jni))
        return TF_FAILED;
    return config->events == ON_NOW && agent->attached ? TF_DONE : TF_RUN;
}

/* FollowReferences came with 1.1. */
TF_AGENT("heapdump", JVMTI_VERSION_1_1, start);
