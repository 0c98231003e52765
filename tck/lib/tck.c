/* SPDX-License-Identifier: MIT */
#include "tck/lib/tck.h"

#include "tck/lib/mech.h"
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

struct tck tck;

/* The linker delimits the section that TCK_CASE fills. */
extern const struct tck_case *const __start_tck_cases[];
extern const struct tck_case *const __stop_tck_cases[];
extern const struct tck_setup *const __start_tck_setups[];
extern const struct tck_setup *const __stop_tck_setups[];

static const struct tck_case **all_cases;
static size_t all_count;

/* Results go out with one write each, so that a crash loses none. */
static int out_fd = -1;
static char *done;      /* what an earlier run of the group has written */
static char *selected;  /* ids to run, one a line; NULL: all */

static void
say(const char *format, ...)
{
    char line[4096];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (length < 0)
        return;
    if ((size_t)length > sizeof line - 2)
        length = sizeof line - 2;
    for (int i = 0; i < length; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    line[length++] = '\n';
    if (write(out_fd, line, length) != length) {
        fprintf(stderr, "tck: cannot write the results: %s\n", strerror(errno));
        _exit(EX_IOERR);
    }
}

/* The compiler may lay the section out in any order; run as the source reads. */
static int
by_place(const void *a, const void *b)
{
    const struct tck_case *x = *(const struct tck_case *const *)a;
    const struct tck_case *y = *(const struct tck_case *const *)b;
    int order = strcmp(x->file, y->file);

    if (order == 0)
        order = x->line - y->line;
    return order != 0 ? order : strcmp(x->id, y->id);
}

const struct tck_case *const *
tck_cases(size_t *count)
{
    if (all_cases == NULL) {
        size_t chapters = __stop_tck_cases - __start_tck_cases;

        all_cases = calloc(chapters + tck_mech_count, sizeof *all_cases);
        if (all_cases == NULL)
            abort();
        for (int i = 0; i < tck_mech_count; i++)
            all_cases[all_count++] = mech_case(&tck_mechs[i]);
        for (size_t i = 0; i < chapters; i++)
            all_cases[all_count++] = __start_tck_cases[i];
        qsort(all_cases + tck_mech_count, chapters, sizeof *all_cases, by_place);
    }
    *count = all_count;
    return all_cases;
}

/* A line feed and the file's text, by malloc; NULL when it cannot be read. */
static char *
read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 1, room = 0, got;

    if (file == NULL)
        return NULL;
    do {
        char *more = realloc(text, room += 65536);

        if (more == NULL)
            abort();
        text = more;
        text[0] = '\n';
        got = fread(text + size, 1, room - size - 1, file);
        size += got;
    } while (got > 0);
    text[size] = '\0';
    fclose(file);
    return text;
}

bool
tck_open(const char *path)
{
    done = read_all(path);
    out_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return out_fd >= 0;
}

bool
tck_select(const char *path)
{
    selected = path == NULL ? NULL : read_all(path);
    return path == NULL || selected != NULL;
}

/* Is there a line that reads word, a blank if there is a word, and id? */
static bool
has_line(const char *text, const char *word, const char *id)
{
    char line[300];

    snprintf(line, sizeof line, "\n%s%s\n", word, id);
    return strstr(text, line) != NULL;
}

static bool
is_wanted(const char *id)
{
    return (done == NULL || !has_line(done, "begin ", id))
        && (selected == NULL || has_line(selected, "", id));
}

/* Microseconds since some time in the past. */
static long long
microseconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

static void
run_case(struct tck *t, const struct tck_case *c)
{
    long long start = microseconds();

    if (!is_wanted(c->id))
        return;
    t->current = c;
    t->failed = t->skipped = false;
    say("begin %s", c->id);
    if (c->since > t->level) {
        tck_skip(t, "of level %d, the VM is judged by level %d", c->since, t->level);
    } else if (strncmp(c->group, "virtual", 7) == 0
               && !tck_has(t, "can_support_virtual_threads")) {
        /* Level 21 on an older class library. */
        tck_skip(t, "the VM does not offer can_support_virtual_threads");
    } else {
        if (t->jni != NULL && (*t->jni)->PushLocalFrame(t->jni, 256) != 0)
            tck_fail(t, "PushLocalFrame failed");
        c->run(t, c->data);
        if ((t->failed || t->skipped) && t->phase == TCK_LIVE && strcmp(t->group, "event-life") != 0)
            record_quiet(t);
        stage_release_all(t);
        if (t->jni != NULL) {
            if ((*t->jni)->ExceptionCheck(t->jni)) {
                (*t->jni)->ExceptionClear(t->jni);
                tck_fail(t, "a Java exception was left pending");
            }
            (*t->jni)->PopLocalFrame(t->jni, NULL);
        }
    }
    if (!t->failed && !t->skipped)
        say("ok");
    say("time %lld", microseconds() - start);
    t->current = NULL;
}

void
tck_run_phase(struct tck *t, unsigned phase, JNIEnv *jni)
{
    size_t count;
    const struct tck_case *const *list = tck_cases(&count);

    t->phase = phase;
    t->jni = jni;
    for (const struct tck_setup *const *s = __start_tck_setups; s < __stop_tck_setups;
         s++)
        if ((*s)->phase == phase && strcmp((*s)->group, t->group) == 0)
            (*s)->run(t);
    for (size_t i = 0; i < count; i++)
        if (list[i]->phase == phase && strcmp(list[i]->group, t->group) == 0)
            run_case(t, list[i]);
}

void
tck_unreached(struct tck *t, const struct tck_case *c, const char *reason)
{
    if (!is_wanted(c->id))
        return;
    t->current = c;
    t->failed = t->skipped = false;
    say("begin %s", c->id);
    tck_skip(t, "%s", reason);
    t->current = NULL;
}

void
tck_abandon(const char *reason)
{
    say("abandon %s", reason);
}

void
tck_finish(void)
{
    say("finished");
}

void
tck_about(int level, const char *name, const char *version)
{
    say("vm %d %s %s", level, name, version);
}

jvmtiEnv *
tck_new_env(struct tck *t)
{
    jvmtiEnv *env = NULL;

    if ((*t->vm)->GetEnv(t->vm, (void **)&env, t->asked) != JNI_OK) {
        tck_fail(t, "GetEnv(0x%x) gave no environment", (unsigned)t->asked);
        return NULL;
    }
    return env;
}

void
tck_add_all(struct tck *t, jvmtiEnv *env, int but)
{
    static const char *const early[] = {
        "can_generate_early_vmstart", "can_generate_early_class_hook_events"
    };
    jvmtiCapabilities caps;

    memset(&caps, 0, sizeof caps);
    if ((*env)->GetPotentialCapabilities(env, &caps) != JVMTI_ERROR_NONE)
        return;
    /* They change when the start phase begins: only a group that asks gets them. */
    if (strcmp(t->group, "phase") != 0)
        for (size_t i = 0; i < 2; i++)
            tck_cap_set(&caps, tck_cap_index(early[i]), false);
    else
        tck_cap_set(&caps, tck_cap_index(early[0]), false);
    if (but >= 0)
        tck_cap_set(&caps, but, false);
    if ((*env)->AddCapabilities(env, &caps) != JVMTI_ERROR_NONE)
        tck_fail(t, "AddCapabilities refused what GetPotentialCapabilities gave");
}

int
tck_cap_index(const char *name)
{
    for (int i = 0; i < tck_capability_count; i++)
        if (strcmp(tck_capabilities[i].name, name) == 0)
            return i;
    fprintf(stderr, "tck: no capability '%s'\n", name);
    abort();
}

int
tck_event_index(jvmtiEvent event)
{
    for (int i = 0; i < tck_event_count; i++)
        if (tck_events[i].number == event)
            return i;
    return -1;
}

bool
tck_has(struct tck *t, const char *capability)
{
    return tck_cap_get(&t->held, tck_cap_index(capability));
}

bool
tck_has_bytecode_indices(struct tck *t)
{
    jvmtiJlocationFormat format = JVMTI_JLOCATION_OTHER;

    return (*t->jvmti)->GetJLocationFormat(t->jvmti, &format) == JVMTI_ERROR_NONE
        && format == JVMTI_JLOCATION_JVMBCI;
}

const char *
tck_error_name(jvmtiError error)
{
    static _Thread_local char text[16];

    for (int i = 0; i < tck_error_count; i++)
        if (tck_errors[i].number == error)
            return tck_errors[i].name;
    snprintf(text, sizeof text, "%d", (int)error);
    return text;
}

void
tck_fail(struct tck *t, const char *format, ...)
{
    char text[2048];
    va_list args;

    /* What does not apply cannot fail: what comes behind a skip may rest on what lacks. */
    if (t->failed || t->skipped || t->current == NULL)
        return;
    t->failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("not ok %s", text);
}

void
tck_skip(struct tck *t, const char *format, ...)
{
    char text[512];
    va_list args;

    if (t->failed || t->skipped || t->current == NULL)
        return;
    t->skipped = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("skip %s", text);
}

/* A capability that the function of the call rests on and the VM does not offer; NULL:
   there is none. */
static const char *
lacking(struct tck *t, const char *call)
{
    size_t length = strcspn(call, "(");

    for (int i = 0; i < tck_function_count; i++) {
        const struct tck_function *f = &tck_functions[i];

        if (strlen(f->name) != length || strncmp(f->name, call, length) != 0)
            continue;
        for (int k = 0; k < 2; k++)
            if (f->caps[k] >= 0 && !tck_cap_get(&t->held, f->caps[k]))
                return tck_capabilities[f->caps[k]].name;
    }
    return NULL;
}

bool
tck_want(struct tck *t, const char *call, jvmtiError want, jvmtiError got)
{
    if (want == got)
        return true;
    if (got == JVMTI_ERROR_MUST_POSSESS_CAPABILITY && lacking(t, call) != NULL) {
        tck_skip(t, "the VM does not offer %s", lacking(t, call));
        return false;
    }
    tck_fail(t, "%s: expected %s, got %s", call, want == JVMTI_ERROR_NONE
             ? "NONE" : tck_error_name(want), tck_error_name(got));
    return false;
}

bool
tck_same(struct tck *t, const char *what, long long want, long long got)
{
    if (want == got)
        return true;
    tck_fail(t, "%s: expected %lld, got %lld", what, want, got);
    return false;
}

bool
tck_text(struct tck *t, const char *what, const char *want, const char *got)
{
    if (want == NULL ? got == NULL : got != NULL && strcmp(want, got) == 0)
        return true;
    tck_fail(t, "%s: expected '%s', got '%s'", what, want == NULL ? "(null)" : want,
             got == NULL ? "(null)" : got);
    return false;
}

bool
tck_true(struct tck *t, const char *what, bool value)
{
    if (!value)
        tck_fail(t, "%s: expected true", what);
    return value;
}
