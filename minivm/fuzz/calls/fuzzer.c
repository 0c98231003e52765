/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/fuzzer.c -- makes up the calls of the streams.
 *
 * What a call is follows from the seed, the stream's number and the call's index alone,
 * so calls can be left out without changing others.  Options, separated by commas:
 *
 *   seed=N calls=N streams=N   calls are those of each stream
 *   mode=plain|wild|jni        see MODES below
 *   hotspot                    leave out what a VM may assume never to happen
 *   only=FILE                  just these: lines "STREAM INDEX", or "STREAM INDEX c"
 *                              with the calls of callbacks during that one
 *   events=FILE                file of lines "STREAM INDEX" that is written: all made
 *   trace=FILE                 write each call as C; see emit.awk
 *   hang=SECONDS
 */
#include "fuzz/calls/fuzzer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fuzzer fuzzer = { .calls = 20000 };

/* ---- numbers that look random ---- */

uint64_t
random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int
pick(struct call *c, int count)
{
    return (int)(random_next(&c->random) >> 33) % count;
}

/* ---- what is traced ---- */

void
trace(struct call *c, const char *format, ...)
{
    va_list args;

    if (fuzzer.trace == NULL)
        return;
    fprintf(fuzzer.trace, "%s\t", c->place);
    va_start(args, format);
    vfprintf(fuzzer.trace, format, args);
    va_end(args);
    fputc('\n', fuzzer.trace);
    fflush(fuzzer.trace);
}

void
describe(struct call *c, int i, const char *format, ...)
{
    va_list args;

    if (fuzzer.trace == NULL)
        return;
    va_start(args, format);
    vsnprintf(c->text[i], sizeof c->text[i], format, args);
    va_end(args);
}

/* ---- calls by the stage: objects, monitors, environments ---- */

static void
manage(struct call *c)
{
    struct stream *s = c->s;
    enum kind kind = (enum kind)pick(c, KINDS);
    int i = pick(c, REGISTERS - 1), variant = pick(c, 10000), what = pick(c, 64);

    if (s->leaf)
        return;
    /* In a callback the thread may hold any lock, so it must not take further ones in
       Java.  A class that is being loaded would also be circular. */
    if (s->callbacks > 0 && (kind < METHOD || (what >= 50 && what < 56)))
        return;
    /* Threads are dear; those in registers have to stay for a while. */
    if (kind == THREAD && pick(c, 16) != 0)
        kind = METHOD;
    if (what < 40) {
        /* Single streams have threads that rest, or else nothing could be repeated. */
        if (kind == THREAD && fuzzer.quiet)
            variant = variant % 9 + 1;
        trace(c, "stage_refresh(s, %d, %d, %d);", kind, i, variant);
        stage_refresh(s, kind, i, variant);
    } else if (what < 46) {
        trace(c, "stage_spoil(s, %d, %d);", kind, i);
        stage_spoil(s, kind, i);
    } else if (what < 50 && s->number < STREAMS) {
        i = 2 + i % 2;
        trace(c, "stage_environment(s, %d);", i);
        stage_environment(s, i);
        if (pick(c, 2) == 0 && s->env[i] != NULL) {
            trace(c, "stage_all_capabilities(s->env[%d]);", i);
            stage_all_capabilities(s->env[i]);
        }
    } else if (what < 56) {
        trace(c, "stage_action(s, %d);", variant);
        stage_action(s, variant);
    } else if (what == 56 && s->jni != NULL && s->callbacks == 0 && !fuzzer.hotspot) {
        trace(c, "/* calls of a thread that is not attached */");
        fuzzer.foreign_random = random_next(&c->random);
        stage_foreign(s, calls_of_foreign);
    } else {
        i = pick(c, ENVIRONMENTS);
        if (s->env[i] == NULL)
            return;
        trace(c, "stage_calm(s->env[%d]);", i);
        stage_calm(s->env[i]);
    }
}

/* ---- one call ---- */

static void
begin(struct call *c, struct stream *s, uint64_t key)
{
    c->s = s;
    c->random = key;
    c->spoiled = -1;
    random_next(&c->random);
}

static uint64_t
key_of(const struct stream *s, uint64_t index)
{
    uint64_t state = stage.seed * 0x100000001b3u ^ (uint64_t)s->number << 48 ^ index;

    random_next(&state);
    return random_next(&state);
}

void
calls_of_foreign(struct stream *s)
{
    static _Thread_local struct call c;

    begin(&c, s, fuzzer.foreign_random);
    snprintf(c.place, sizeof c.place, "x");
    c.foreign = true;
    for (int i = 0; i < 8; i++)
        call_jvmti(&c);
}

static void
make_call(struct call *c)
{
    struct stream *s = c->s;
    int what = pick(c, 256);

    if (what < (fuzzer.mode == MODE_JNI ? 20 : 6))
        manage(c);
    else if (s->jni != NULL && !s->leaf && what < (fuzzer.mode == MODE_JNI ? 230 : 22))
        call_jni(c);
    else
        call_jvmti(c);
    s->progress++;
}

/* Structures of calls are large; one for each depth of callbacks. */
static struct call *
call_for(struct stream *s)
{
    static _Thread_local struct call *calls[4];
    int depth = s->callbacks & 3;

    if (calls[depth] == NULL && (calls[depth] = calloc(1, sizeof **calls)) == NULL)
        stage_fail("out of memory");
    return calls[depth];
}

static bool
is_chosen(const struct stream *s, uint64_t index)
{
    return fuzzer.only == NULL
           || (index < fuzzer.only_length
               && (fuzzer.only[index] >> s->number & 1) != 0);
}

static bool
has_chosen_callbacks(const struct stream *s, uint64_t index)
{
    return fuzzer.only_callbacks == NULL
           || (index < fuzzer.only_length
               && (fuzzer.only_callbacks[index] >> s->number & 1) != 0);
}

static void
call_number(struct stream *s, uint64_t index)
{
    struct call *c = call_for(s);

    s->index = index;
    s->events = 0;
    begin(c, s, key_of(s, index));
    if (fuzzer.trace != NULL)
        snprintf(c->place, sizeof c->place, "%d", s->number);
    if (fuzzer.made != NULL) {
        fprintf(fuzzer.made, "%d %llu c\n", s->number, (unsigned long long)index);
        fflush(fuzzer.made);
    }
    trace(c, "s->index = %llu, s->events = 0;", (unsigned long long)index);
    make_call(c);
}

bool
sequence_batch(struct stream *s)
{
    for (int i = 0; i < 256; i++) {
        if (s->next >= fuzzer.calls)
            return false;
        if (is_chosen(s, s->next))
            call_number(s, s->next);
        s->next++;
    }
    return true;
}

/* Few events have calls: there are many. */
void
sequence_event(struct stream *s, jvmtiEnv *env, const struct event *event,
               const union value *a)
{
    uint64_t index = s->index;
    struct call *c;

    (void)env, (void)a;
    if (s->number >= STREAMS && s->number < PHASES) {
        s->index++;
        if (fuzzer.only != NULL && !fuzzer.guests)
            return;
    } else if (!has_chosen_callbacks(s, index)) {
        return;
    }
    c = call_for(s);
    begin(c, s, key_of(s, index) ^ (uint64_t)s->events << 40
                ^ (uint64_t)(event != NULL ? event->number : 1) << 32);
    if (pick(c, 16) != 0 && event != NULL)
        return;
    if (fuzzer.trace != NULL)
        snprintf(c->place, sizeof c->place, "%d:%llu:%d", s->number,
                 (unsigned long long)index, s->events);
    for (int i = event == NULL ? 16 : 1 + pick(c, 3); i > 0; i--) {
        begin(c, s, random_next(&c->random));
        make_call(c);
    }
    stage_clear_exception(s);
}

void
sequence_phase(struct stream *s)
{
    uint64_t calls = fuzzer.calls < 400 ? fuzzer.calls : 400;

    for (int i = 0; i < REGISTERS; i++)
        stage_refresh(s, MONITOR, i, 0);
    for (s->next = 0; s->next < calls; s->next++)
        if (is_chosen(s, s->next))
            call_number(s, s->next);
    stage_clear_exception(s);
}

void
sequence_end(void)
{
    uint64_t jvmti = 0, jni = 0;

    for (int i = 0; i < jvmti_function_count; i++)
        jvmti += fuzzer.jvmti_made[i];
    for (int i = 0; i < jni_function_count; i++)
        jni += fuzzer.jni_made[i];
    fprintf(stderr, "calls: seed %llu: %llu of JVM TI, %llu of JNI\n",
            (unsigned long long)stage.seed, (unsigned long long)jvmti,
            (unsigned long long)jni);
    if (fuzzer.counts)
        for (int i = 0; i < jvmti_function_count; i++)
            fprintf(stderr, "calls: %s %llu done %llu\n", jvmti_functions[i].name,
                    (unsigned long long)fuzzer.jvmti_made[i],
                    (unsigned long long)fuzzer.jvmti_done[i]);
}

/* ---- options ---- */

static void
read_only(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[80];

    if (file == NULL)
        stage_fail("cannot open '%s'", path);
    fuzzer.only_length = fuzzer.calls;
    fuzzer.only = calloc(fuzzer.calls, sizeof *fuzzer.only);
    fuzzer.only_callbacks = calloc(fuzzer.calls, sizeof *fuzzer.only);
    if (fuzzer.only == NULL || fuzzer.only_callbacks == NULL)
        stage_fail("out of memory");
    while (fgets(line, sizeof line, file) != NULL) {
        int stream;
        unsigned long long index;
        char callbacks = '\0';

        if (strncmp(line, "guests", 6) == 0)
            fuzzer.guests = true;
        else if (sscanf(line, "%d %llu %c", &stream, &index, &callbacks) >= 2
                 && index < fuzzer.only_length && stream >= 0 && stream < ALL_STREAMS) {
            fuzzer.only[index] |= (uint64_t)1 << stream;
            if (callbacks == 'c')
                fuzzer.only_callbacks[index] |= (uint64_t)1 << stream;
        }
    }
    fclose(file);
}

static FILE *
create(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        stage_fail("cannot create '%s'", path);
    return file;
}

void
sequence_options(const char *options)
{
    char *copy = strdup(options), *rest = copy, *only = NULL;

    for (char *o; (o = strtok_r(rest, ",", &rest)) != NULL;) {
        char *value = strchr(o, '=');

        if (value != NULL)
            *value++ = '\0';
        else
            value = o + strlen(o);
        if (strcmp(o, "seed") == 0)
            stage.seed = strtoull(value, NULL, 10);
        else if (strcmp(o, "calls") == 0)
            fuzzer.calls = strtoull(value, NULL, 10);
        else if (strcmp(o, "streams") == 0)
            stage.streams = atoi(value);
        else if (strcmp(o, "mode") == 0)
            fuzzer.mode = strcmp(value, "wild") == 0 ? MODE_WILD
                          : strcmp(value, "jni") == 0 ? MODE_JNI : MODE_PLAIN;
        else if (strcmp(o, "hotspot") == 0)
            fuzzer.hotspot = true;
        else if (strcmp(o, "counts") == 0)
            fuzzer.counts = true;
        else if (strcmp(o, "only") == 0)
            only = value;
        else if (strcmp(o, "events") == 0)
            fuzzer.made = create(value);
        else if (strcmp(o, "trace") == 0)
            fuzzer.trace = create(value);
        else if (strcmp(o, "hang") == 0)
            stage.hang_seconds = atof(value);
        else
            stage_fail("unknown option '%s'", o);
    }
    if (stage.streams < 1 || stage.streams > STREAMS)
        stage_fail("there are 1 to %d streams", STREAMS);
    fuzzer.quiet = stage.streams == 1;
    if (only != NULL)
        read_only(only);
    free(copy);
}
