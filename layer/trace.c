/* SPDX-License-Identifier: MIT */
/*
 * layer/trace.c -- each call and each event of an agent in a line, for a reader.
 *
 * What the arguments are is written when a call begins, since afterwards a reference may
 * be gone; the line when it ends, with the error, what came out, and the time.  A
 * callback has a line at either end, and what it calls stands between them.  A text that
 * is under way belongs to its thread: calls of one thread end in the opposite order.
 */
#include "layer/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tiforge/buffer.h>
#include <tiforge/json.h>
#include <tiforge/naming.h>

#include <tiforge_names.h>

#include "layer/check.h"

#define DEEPEST 64

static FILE *stream;
static bool is_json;
static long long started;
static char **patterns;
static bool has_classes;        /* among the patterns */

/* What has begun on this thread and not yet ended. */
static __thread struct {
    int depth;
    struct {
        long long begun;
        char *arguments;
        bool is_of_class;       /* that the filter wants */
    } calls[DEEPEST];
} stack;

/* For the summary: functions of JVM TI, of JNI, events. */
static struct sum {
    long count, errors;
    long long nanoseconds;
} function_sums[INTERPOSE_FUNCTION_COUNT], jni_sums[INTERPOSE_JNI_COUNT],
    event_sums[INTERPOSE_EVENT_COUNT];

static long long
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* ---- filter ---- */

/* PATTERN:PATTERN..., each for names of functions and events, or thread=NAME for the
   thread's, or class=NAME for those of classes among the arguments. */
static void
read_filter(const char *filter)
{
    char *copy = strdup(filter), *rest = copy, *word;
    size_t count = 0;

    patterns = calloc(strlen(filter) + 2, sizeof *patterns);
    while (patterns != NULL && (word = strsep(&rest, ":")) != NULL)
        if (*word != '\0') {
            has_classes |= strncmp(word, "class=", 6) == 0;
            patterns[count++] = word;
        }
}

/* Each kind of pattern there is has to fit: one for the name, one for the thread, one for
   a class. */
static bool
is_wanted(const char *name, const char *thread, bool is_of_class)
{
    bool has_name = false, has_thread = false, fits = false, thread_fits = false;

    for (char **p = patterns; p != NULL && *p != NULL; p++)
        if (strncmp(*p, "thread=", 7) == 0) {
            has_thread = true;
            thread_fits |= tf_name_matches(*p + 7, thread);
        } else if (strncmp(*p, "class=", 6) != 0) {
            has_name = true;
            fits |= tf_name_matches(*p, name);
        }
    return (!has_name || fits) && (!has_thread || thread_fits)
        && (!has_classes || is_of_class);
}

static bool
is_wanted_class(const char *name)
{
    for (char **p = patterns; *p != NULL; p++)
        if (strncmp(*p, "class=", 6) == 0 && tf_name_matches(*p + 6, name))
            return true;
    return false;
}

/* Is the value a class that is wanted, or a method of one, or the name of one? */
static bool
is_of_class(const char *type, const char *param, const union interpose_arg *value,
            bool may_ask)
{
    struct tf_buffer name = { 0 };
    char *text, *dot;
    bool fits;

    if (!has_classes || value->p == NULL)
        return false;
    if (strcmp(type, "jclass") == 0 && may_ask)
        tf_name_class(&name, check_jvmti, value->p);
    else if (strcmp(type, "jmethodID") == 0 && may_ask) {
        void *jni = NULL;

        (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2);
        tf_name_method(&name, check_jvmti, jni, value->p, TF_METHOD_SHORT);
    } else if (strncmp(type, "const char", 10) == 0 && strcmp(param, "name") == 0) {
        for (const char *p = value->p; *p != '\0'; p++)
            tf_buffer_format(&name, "%c", *p == '/' ? '.' : *p);
    }
    text = tf_buffer_take(&name);
    dot = text != NULL && strcmp(type, "jmethodID") == 0 ? strrchr(text, '.') : NULL;
    if (dot != NULL)
        *dot = '\0';
    fits = text != NULL && text[0] != '\0' && is_wanted_class(text);
    free(text);
    return fits;
}

/* ---- values ---- */

static void
add_text(struct tf_buffer *out, const char *text)
{
    if (text == NULL) {
        tf_buffer_text(out, "NULL");
        return;
    }
    tf_buffer_text(out, "\"");
    tf_buffer_printable(out, text, strlen(text));
    tf_buffer_text(out, "\"");
}

/* What only the VM knows; false if it is none of that or cannot be asked. */
static bool
add_named(struct tf_buffer *out, const char *type, void *value, bool may_ask)
{
    JNIEnv *jni;
    void *env = NULL;

    if (!may_ask
        || (*check_real_vm)->GetEnv(check_real_vm, &env, JNI_VERSION_1_2) != JNI_OK)
        return false;
    jni = env;
    if (strcmp(type, "jthread") == 0) {
        tf_buffer_text(out, "\"");
        tf_name_thread(out, check_jvmti, jni, value);
        tf_buffer_text(out, "\"");
    } else if (strcmp(type, "jclass") == 0)
        tf_name_class(out, check_jvmti, value);
    else if (strcmp(type, "jmethodID") == 0)
        tf_name_method(out, check_jvmti, jni, value, TF_METHOD_PARAMETERS);
    else
        return false;
    return true;
}

static void
add_integer(struct tf_buffer *out, const char *type, jint value)
{
    const char *name = NULL;

    if (strcmp(type, "jvmtiEvent") == 0)
        name = tiforge_event_name((jvmtiEvent)value);
    else if (strcmp(type, "jvmtiEventMode") == 0)
        name = value == JVMTI_ENABLE ? "ENABLE" : value == JVMTI_DISABLE ? "DISABLE" : NULL;
    else if (strcmp(type, "jvmtiPhase") == 0)
        name = tiforge_phase_name((jvmtiPhase)value);
    if (name != NULL)
        tf_buffer_text(out, name);
    else
        tf_buffer_format(out, "%d", (int)value);
}

static void
add_value(struct tf_buffer *out, const char *type, char member,
          const union interpose_arg *value, bool may_ask)
{
    switch (member) {
    case 'i':
        add_integer(out, type, value->i);
        return;
    case 'j':
        tf_buffer_format(out, "%lld", (long long)value->j);
        return;
    case 'f':
        tf_buffer_format(out, "%g", (double)value->f);
        return;
    case 'd':
        tf_buffer_format(out, "%g", value->d);
        return;
    default:
        break;
    }
    if (value->p == NULL)
        tf_buffer_text(out, "NULL");
    else if (strcmp(type, "const char*") == 0 || strcmp(type, "const char *") == 0)
        add_text(out, value->p);
    else if (strcmp(type, "jrawMonitorID") == 0 && monitor_name(value->p) != NULL)
        add_text(out, monitor_name(value->p));
    else if (!add_named(out, type, value->p, may_ask))
        tf_buffer_format(out, "%p", value->p);
}

/* What a function has stored, if it is a number, a text or a phase. */
static void
add_results(struct tf_buffer *out, const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    const char *before = "; ";

    for (int i = 0; i < f->count; i++) {
        const char *type = f->params[i].type;
        const void *where = call->args[i].p;
        size_t start = out->length;

        if (!f->params[i].is_out || where == NULL)
            continue;
        tf_buffer_format(out, "%s%s=", before, f->params[i].name);
        if (strcmp(type, "jint*") == 0)
            tf_buffer_format(out, "%d", *(const jint *)where);
        else if (strcmp(type, "jvmtiPhase*") == 0)
            add_integer(out, "jvmtiPhase", *(const jint *)where);
        else if (strcmp(type, "jlong*") == 0 || strcmp(type, "jlocation*") == 0)
            tf_buffer_format(out, "%lld", (long long)*(const jlong *)where);
        else if (strcmp(type, "jboolean*") == 0)
            tf_buffer_text(out, *(const jboolean *)where ? "true" : "false");
        else if (strcmp(type, "char**") == 0)
            add_text(out, *(char *const *)where);
        else if (strcmp(type, "jvmtiThreadInfo*") == 0)
            add_text(out, ((const jvmtiThreadInfo *)where)->name);
        else if (f->params[i].is_allocated)
            tf_buffer_format(out, "%p", *(void *const *)where);
        else {
            out->length = start;
            out->bytes[start] = '\0';
            continue;
        }
        before = ", ";
    }
}

/* ---- lines ---- */

static int
nesting(const struct interpose_thread *thread)
{
    int depth = 0;

    for (const struct interpose_event *e = thread->event; e != NULL; e = e->outer)
        depth++;
    return depth;
}

static void
write_line(const struct interpose_thread *thread, int depth, const char *kind,
           const char *name, bool of_class, long long at, long long took,
           const char *text)
{
    char thread_name[64];

    check_thread_name(thread_name, sizeof thread_name);
    if (!is_wanted(name, thread_name, of_class))
        return;
    flockfile(stream);
    if (is_json) {
        struct tf_json json;

        tf_json_init(&json, stream);
        tf_json_open_object(&json, NULL);
        tf_json_decimal(&json, "time", at - started, 9);
        tf_json_string(&json, "thread", thread_name);
        tf_json_number(&json, "id", thread->id);
        tf_json_number(&json, "depth", depth);
        tf_json_string(&json, "kind", kind);
        tf_json_string(&json, "name", name);
        tf_json_string(&json, "text", text);
        if (took >= 0)
            tf_json_decimal(&json, "duration", took, 9);
        tf_json_close(&json);
    } else {
        fprintf(stream, "%9.6f [%s] %*s%s", (double)(at - started) / 1e9, thread_name,
                2 * depth, "", text);
        if (took >= 0)
            fprintf(stream, " <%.6f>", (double)took / 1e9);
        fputc('\n', stream);
    }
    funlockfile(stream);
    fflush(stream);
}

/* Begin a call: keep its arguments and the time. */
static void
push(struct tf_buffer *arguments, bool of_class)
{
    if (stack.depth < DEEPEST) {
        stack.calls[stack.depth].is_of_class = of_class;
        stack.calls[stack.depth].arguments = tf_buffer_take(arguments);
        stack.calls[stack.depth].begun = now();
    } else
        tf_buffer_release(arguments);
    stack.depth++;
}

/* End it; NULL if it was too deep.  The text is the caller's to free. */
static char *
pop(long long *begun, long long *took, bool *of_class)
{
    *of_class = false;
    if (--stack.depth >= DEEPEST)
        return NULL;
    *of_class = stack.calls[stack.depth].is_of_class;
    *begun = stack.calls[stack.depth].begun;
    *took = now() - *begun;
    return stack.calls[stack.depth].arguments;
}

static void
add_to(struct sum *sum, bool failed, long long took)
{
    __atomic_fetch_add(&sum->count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->errors, failed, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->nanoseconds, took, __ATOMIC_RELAXED);
}

static void
write_call(const struct interpose_thread *thread, const char *kind, const char *name,
           char *arguments, struct tf_buffer *result, bool of_class, long long begun,
           long long took)
{
    struct tf_buffer text = { 0 };

    tf_buffer_format(&text, "%s%s(%s)%s", strcmp(kind, "jni") == 0 ? "jni " : "", name,
                     arguments != NULL ? arguments : "", tf_buffer_string(result));
    if (!check_options.is_summary)
        write_line(thread, nesting(thread), kind, name, of_class, begun, took,
                   tf_buffer_string(&text));
    tf_buffer_release(&text);
    tf_buffer_release(result);
    free(arguments);
}

/* ---- calls of JVM TI ---- */

void
trace_call_begin(struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct tf_buffer text = { 0 };
    bool may_ask, of_class = false;

    if (stream == NULL)
        return;
    may_ask = check_may_ask(call->thread);
    for (int i = 0; i < f->count; i++) {
        tf_buffer_format(&text, "%s%s=", i > 0 ? ", " : "", f->params[i].name);
        add_value(&text, f->params[i].type, f->params[i].member, &call->args[i], may_ask);
        of_class |= is_of_class(f->params[i].type, f->params[i].name, &call->args[i],
                                may_ask);
    }
    push(&text, of_class);
}

void
trace_call_end(struct interpose_call *call)
{
    struct tf_buffer result = { 0 };
    long long begun = 0, took = 0;
    bool of_class;
    const char *error = tiforge_error_name(call->error);
    char *arguments;

    if (stream == NULL)
        return;
    arguments = pop(&begun, &took, &of_class);
    add_to(&function_sums[call->function], call->error != JVMTI_ERROR_NONE, took);
    if (error != NULL)
        tf_buffer_format(&result, " = %s", error + strlen("JVMTI_ERROR_"));
    else
        tf_buffer_format(&result, " = error %d", (int)call->error);
    if (call->error == JVMTI_ERROR_NONE && call->is_made)
        add_results(&result, call);
    write_call(call->thread, "jvmti", interpose_functions[call->function].name, arguments,
               &result, of_class, begun, took);
}

/* ---- calls of JNI ---- */

void
trace_jni_begin(struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct tf_buffer text = { 0 };
    bool may_ask, of_class = false;

    if (stream == NULL)
        return;
    may_ask = check_may_ask(call->thread);
    for (int i = 0; i < f->count; i++) {
        tf_buffer_format(&text, "%s%s=", i > 0 ? ", " : "", f->params[i].name);
        add_value(&text, f->params[i].type, f->params[i].member, &call->args[i], may_ask);
        of_class |= is_of_class(f->params[i].type, f->params[i].name, &call->args[i],
                                may_ask);
    }
    push(&text, of_class);
}

void
trace_jni_end(struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct tf_buffer result = { 0 };
    long long begun = 0, took = 0;
    bool of_class;
    char *arguments;

    if (stream == NULL)
        return;
    arguments = pop(&begun, &took, &of_class);
    add_to(&jni_sums[call->function], false, took);
    if (f->returns != 'v') {
        tf_buffer_text(&result, " = ");
        add_value(&result, "", f->returns, &call->result, false);
    }
    write_call(call->thread, "jni", f->name, arguments, &result, of_class, begun, took);
}

/* ---- events ---- */

void
trace_event_begin(struct interpose_event *event)
{
    const struct interpose_event_facts *f = event->facts;
    struct tf_buffer text = { 0 };
    bool may_ask, of_class = false;

    if (stream == NULL)
        return;
    may_ask = check_may_ask(event->thread);
    tf_buffer_format(&text, "%s(", f->name);
    for (int i = 0; i < f->count; i++) {
        tf_buffer_format(&text, "%s%s=", i > 0 ? ", " : "", f->params[i].name);
        add_value(&text, f->params[i].type, f->params[i].member, &event->args[i],
                  may_ask);
        of_class |= is_of_class(f->params[i].type, f->params[i].name, &event->args[i],
                                may_ask);
    }
    tf_buffer_text(&text, ") {");
    if (!check_options.is_summary)
        write_line(event->thread, nesting(event->thread) - 1, "event", f->name, of_class,
                   now(), -1, tf_buffer_string(&text));
    tf_buffer_clear(&text);
    push(&text, of_class);
}

void
trace_event_end(struct interpose_event *event)
{
    long long begun = 0, took = 0;
    bool of_class;
    char text[80];

    if (stream == NULL)
        return;
    free(pop(&begun, &took, &of_class));
    add_to(&event_sums[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL], false, took);
    snprintf(text, sizeof text, "} %s", event->facts->name);
    if (!check_options.is_summary)
        write_line(event->thread, nesting(event->thread) - 1, "end", event->facts->name,
                   of_class, begun + took, took, text);
}

/* ---- start and end ---- */

bool
trace_start(void)
{
    const char *path = check_options.trace;
    size_t length = strlen(path);

    if (stream != NULL)
        return true;
    stream = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
    if (stream == NULL) {
        fprintf(stderr, "tiforge: cannot write '%s'\n", path);
        return false;
    }
    is_json = length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
    if (check_options.filter != NULL)
        read_filter(check_options.filter);
    started = now();
    return true;
}

static void
write_sum(const char *kind, const char *name, const struct sum *sum)
{
    if (sum->count > 0 && is_wanted(name, "", true))
        fprintf(stream, "%10ld %8ld %12.6f  %s %s\n", sum->count, sum->errors,
                (double)sum->nanoseconds / 1e9, kind, name);
}

void
trace_end(void)
{
    if (stream == NULL || !check_options.is_summary)
        return;
    fprintf(stream, "     calls   errors      seconds  name\n");
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        if (interpose_events[i].name != NULL)
            write_sum("event", interpose_events[i].name, &event_sums[i]);
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        if (interpose_functions[i].name != NULL)
            write_sum("jvmti", interpose_functions[i].name, &function_sums[i]);
    for (int i = 0; i < INTERPOSE_JNI_COUNT; i++)
        if (interpose_jni_functions[i].name != NULL)
            write_sum("jni", interpose_jni_functions[i].name, &jni_sums[i]);
    fflush(stream);
}
