/* SPDX-License-Identifier: MIT */
/*
 * layer/finding.c -- what was found: each place once, with a count.
 *
 * A finding is printed when it is new.  The report is written again whenever there is a
 * new one and at the end, so that it is there after a crash, too.
 */
#include "layer/finding.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/buffer.h>

#include "layer/source.h"

/* So many findings are kept; later ones count only. */
#define MOST 1000

const char *const severity_names[] = { "advice", "warning", "error" };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding *findings, **last = &findings;
static int total, worst = -1;
static bool is_selected[RULE_COUNT], has_selection;

/* A line of a file of suppressions: patterns for the rule, the function and a function
   or library of the stack. */
struct suppression {
    char rule[64], function[96], frame[192];
    struct suppression *next;
};
static struct suppression *suppressions;

bool
finding_read_suppressions(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    int number = 0;

    if (file == NULL) {
        fprintf(stderr, "tiforge: cannot read '%s'\n", path);
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        struct suppression s = { .function = "*", .frame = "*" }, *copy;
        char *hash = strchr(line, '#');

        number++;
        if (hash != NULL)
            *hash = '\0';
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (sscanf(line, "%63s %95s %191s", s.rule, s.function, s.frame) < 1
            || (copy = malloc(sizeof *copy)) == NULL) {
            fprintf(stderr, "tiforge: %s:%d: this is no suppression\n", path, number);
            fclose(file);
            return false;
        }
        *copy = s;
        copy->next = suppressions;
        suppressions = copy;
    }
    fclose(file);
    return true;
}

/* Does the rule have this name, or is it of the family of this name? */
static bool
has_name(const char *id, const char *name, size_t length)
{
    return strncmp(id, name, length) == 0 && (id[length] == '\0' || id[length] == '.');
}

bool
finding_select(const char *names)
{
    while (*names != '\0') {
        size_t length = strcspn(names, ":,");
        bool found = false;

        for (int i = 0; i < RULE_COUNT; i++)
            if (has_name(rule_facts[i].id, names, length))
                is_selected[i] = found = true;
        if (!found) {
            fprintf(stderr, "tiforge: there is no rule '%.*s'\n", (int)length, names);
            return false;
        }
        names += length;
        names += *names != '\0';
    }
    has_selection = true;
    return true;
}

const struct finding *
finding_first(void)
{
    return __atomic_load_n(&findings, __ATOMIC_ACQUIRE);
}

/* ---- keeping ---- */

/* A rule is suppressed by its pattern, that of the function and that of a frame. */
static bool
is_suppressed(const struct finding *f, const struct frame_text *frames)
{
    for (const struct suppression *s = suppressions; s != NULL; s = s->next) {
        bool fits = strcmp(s->frame, "*") == 0;

        for (int i = 0; i < f->text_count && !fits; i++)
            fits = fnmatch(s->frame, frames[i].function, 0) == 0
                || fnmatch(s->frame, frames[i].library, 0) == 0;
        if (fits && fnmatch(s->rule, rule_facts[f->rule].id, 0) == 0
            && fnmatch(s->function, f->function, 0) == 0)
            return true;
    }
    return false;
}

static void
print(const struct finding *f)
{
    const struct rule_facts *facts = &rule_facts[f->rule];
    struct tf_buffer text = { 0 };

    tf_buffer_format(&text, "tiforge check: %s: %s [%s]\n",
                     severity_names[facts->severity], f->message, facts->id);
    for (int i = 0; i < f->frame_count; i++)
        tf_buffer_format(&text, "    at %s\n", f->frames[i]);
    if (f->thread[0] != '\0')
        tf_buffer_format(&text, "    thread \"%s\"\n", f->thread);
    tf_buffer_format(&text, "    section \"%s\"; remedy: %s\n", facts->section, facts->remedy);
    fputs(tf_buffer_string(&text), stderr);
    fflush(stderr);
    tf_buffer_release(&text);
}

/* ---- places ---- */

/* Fill in the frames up to the first one outside of the agent's libraries.  What an agent
   does through helpers stands at the agent's own line. */
static void
name_frames(struct finding *f, const struct stack *stack, struct frame_text *texts)
{
    const char *through;
    int count = 0, helpers;
    size_t used;

    while (count < stack->count && stack_frame(stack->frames[count], &texts[count]))
        count++;
    source_add_lines(stack, texts, count);
    helpers = source_helpers(texts, count);
    through = helpers > 0 ? source_through(&texts[helpers - 1]) : NULL;
    for (int i = helpers; i < count; i++) {
        used = strlen(texts[i].text);
        if (i == helpers && through != NULL)
            snprintf(texts[i].text + used, sizeof texts[i].text - used, ", through %s",
                     through);
        f->frames[f->frame_count] = strdup(texts[i].text);
        if (f->frames[f->frame_count] != NULL)
            f->frame_count++;
    }
    if (count > 0 && texts[helpers].line > 0) {
        f->file = strdup(texts[helpers].file);
        f->line = texts[helpers].line;
    }
    f->text_count = count;
}

/* A place is the agent's innermost frame; of what was lost, those that have called it, too,
   since they are who wanted it. */
static bool
is_same_place(const struct finding *f, const struct stack *stack)
{
    if (f->rule == RULE_MEMORY_LEAK || f->rule == RULE_MEMORY_LEAK_AT_DISPOSE)
        return stack_is_same_place(&f->stack, stack);
    return f->place == source_place(stack);
}

/* The finding of the same rule at the same place; where there is none, with the same
   message. */
static struct finding *
find_same(enum check_rule rule, const struct stack *stack, const char *message)
{
    for (struct finding *f = findings; f != NULL; f = f->next)
        if (f->rule == rule && (f->stack.count > 0) == (stack->count > 0)
            && (stack->count > 0 ? is_same_place(f, stack)
                                 : strcmp(f->message, message) == 0))
            return f;
    return NULL;
}

/* Count one that is known; false if there is none like it. */
static bool
add_to_same(enum check_rule rule, const struct stack *stack, long count,
            const char *message)
{
    struct finding *f;

    pthread_mutex_lock(&lock);
    f = find_same(rule, stack, message);
    if (f != NULL)
        f->count += count;
    pthread_mutex_unlock(&lock);
    return f != NULL;
}

static void
add(enum check_rule rule, const char *function, const struct stack *stack, long count,
    const char *message, const char *thread)
{
    struct frame_text texts[STACK_FRAMES];
    struct finding *f = total < MOST ? calloc(1, sizeof *f) : NULL;

    if (f == NULL)
        return;
    f->rule = rule;
    f->function = function != NULL ? function : "";
    f->message = strdup(message);
    f->stack = *stack;
    f->place = source_place(stack);
    f->count = count;
    name_frames(f, stack, texts);
    snprintf(f->thread, sizeof f->thread, "%s", thread);
    if (f->message == NULL || is_suppressed(f, texts)) {
        for (int i = 0; i < f->frame_count; i++)
            free(f->frames[i]);
        free(f->file);
        free(f->message);
        free(f);
        return;
    }
    *last = f;
    last = &f->next;
    total++;
    if ((int)rule_facts[rule].severity > worst)
        worst = rule_facts[rule].severity;
    print(f);
    if (check_options.report != NULL)
        report_write(check_options.report, findings);
}

static void
write_status(const char *state)
{
    FILE *file = check_options.status != NULL ? fopen(check_options.status, "w") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "%s %s\n", worst < 0 ? "none" : severity_names[worst], state);
    fclose(file);
}

static void
found(enum check_rule rule, const char *function, const struct stack *stack, long count,
      const char *format, va_list args)
{
    char message[1024], thread[64];
    struct callback_pause pause;

    if (has_selection && !is_selected[rule])
        return;
    vsnprintf(message, sizeof message, format, args);
    if (add_to_same(rule, stack, count, message))
        return;
    callback_pause_begin(&pause);
    /* The VM is asked for the name without the lock, which a callback at a safepoint may
       want. */
    check_thread_name(thread, sizeof thread);
    pthread_mutex_lock(&lock);
    add(rule, function, stack, count, message, thread);
    write_status("running");
    pthread_mutex_unlock(&lock);
    callback_pause_end(&pause);
}

void
check_found(enum check_rule rule, const char *function, const char *format, ...)
{
    struct stack stack;
    va_list args;

    stack_take(&stack);
    va_start(args, format);
    found(rule, function, &stack, 1, format, args);
    va_end(args);
}

void
check_found_at(enum check_rule rule, const char *function, const struct stack *stack,
               long count, const char *format, ...)
{
    static const struct stack none;
    va_list args;

    va_start(args, format);
    found(rule, function, stack != NULL ? stack : &none, count, format, args);
    va_end(args);
}

void
finding_write_state(const char *state)
{
    pthread_mutex_lock(&lock);
    if (check_options.report != NULL)
        report_write(check_options.report, findings);
    write_status(state);
    pthread_mutex_unlock(&lock);
}

void
finding_write(bool is_last)
{
    finding_write_state(is_last ? "ended" : "running");
}
