/* SPDX-License-Identifier: MIT */
/* tck/src/coverage.c -- what the kit tests, out of the tables and the tests themselves. */
#include "tck/src/run.h"

#include "tck/src/untestable.h"

#include <string.h>

/* A case tests a row when its id is the row's or goes on from there; of several such
 * rows it is the one with the longest id. */
static int
row_of(const char *id)
{
    size_t best = 0;
    int row = -1;

    for (int i = 0; i < tck_row_count; i++) {
        size_t length = strlen(tck_rows[i].id);

        if (length > best && strncmp(id, tck_rows[i].id, length) == 0
            && (id[length] == '\0' || id[length] == '.')) {
            best = length;
            row = i;
        }
    }
    return row;
}

static const char *
untestable_reason(const char *id)
{
    for (int i = 0; untestable[i].id != NULL; i++)
        if (strcmp(untestable[i].id, id) == 0)
            return untestable[i].reason;
    return NULL;
}

static int
print_rows(const struct run *run)
{
    static int cases[4096];
    int tested = 0, reasons = 0, missing = 0;
    int by_class[2][2] = { { 0 } };

    for (size_t i = 0; i < run->count; i++) {
        int row = row_of(run->results[i].id);

        if (row >= 0)
            cases[row]++;
    }
    for (int i = 0; i < tck_row_count; i++) {
        bool required = tck_rows[i].class != 'a';
        const char *reason = untestable_reason(tck_rows[i].id);

        by_class[required][0]++;
        if (cases[i] > 0) {
            tested++;
            by_class[required][1]++;
        } else if (reason != NULL) {
            printf("untestable %s: %s\n", tck_rows[i].id, reason);
            reasons++;
        } else {
            printf("untested %s\n", tck_rows[i].id);
            missing++;
        }
    }
    printf("rows: %d of %d tested, %d untestable, %d missing\n", tested, tck_row_count,
           reasons, missing);
    printf("  required or universal errors: %d of %d, recommended: %d of %d\n",
           by_class[1][1], by_class[1][0], by_class[0][1], by_class[0][0]);
    return missing;
}

static int
count_ids(const struct run *run, const char *part)
{
    int count = 0;

    for (size_t i = 0; i < run->count; i++)
        count += strstr(run->results[i].id, part) != NULL;
    return count;
}

static int
print_phases(const struct run *run)
{
    int forbidden = 0, tested = 0, dead = 0, dead_tested = 0, allowed = 0;

    for (int i = 0; i < tck_mech_count; i++) {
        const struct tck_mech *m = &tck_mechs[i];

        if (strstr(m->id, ".phase.") == NULL)
            continue;
        if (m->fault == FAULT_NONE)
            allowed++;
        else if (m->phase == TCK_DEAD)
            dead_tested++;
        else
            tested++;
    }
    for (int i = 0; i < tck_function_count; i++) {
        for (unsigned phase = TCK_ONLOAD; phase <= TCK_LIVE; phase <<= 1)
            forbidden += (tck_functions[i].phases & phase) == 0;
        dead += tck_functions[i].phases != 15;
    }
    (void)run;
    printf("phases: %d of %d forbidden pairs, %d of %d after VMDeath, %d allowed pairs\n",
           tested, forbidden, dead_tested, dead, allowed);
    return forbidden - tested + dead - dead_tested;
}

static int
print_events(const struct run *run)
{
    int missing = 0, tested = 0;

    for (int i = 0; i < tck_event_count; i++) {
        char prefix[80];
        size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s.event.",
                                         tck_events[i].name);
        int count = 0;

        for (size_t k = 0; k < run->count; k++)
            count += strncmp(run->results[k].id, prefix, length) == 0;
        if (count == 0)
            printf("untested event %s\n", tck_events[i].name);
        missing += count == 0;
        tested += count > 0;
    }
    printf("events: %d of %d, with %d assertions\n", tested, tck_event_count,
           count_ids(run, ".event."));
    return missing;
}

static void
print_capabilities(const struct run *run)
{
    int functions = 0, tested = 0;

    for (int i = 0; i < tck_function_count; i++) {
        char prefix[120];
        size_t length;
        bool found = false;

        if (tck_functions[i].caps[0] < 0)
            continue;
        functions++;
        length = (size_t)snprintf(prefix, sizeof prefix,
                                  "%s.error.MUST_POSSESS_CAPABILITY",
                                  tck_functions[i].name);
        for (size_t k = 0; k < run->count && !found; k++)
            found = strncmp(run->results[k].id, prefix, length) == 0;
        tested += found;
    }
    printf("capabilities: %d of %d functions that need one\n", tested, functions);
}

int
coverage_print(const struct run *run)
{
    static bool noted[4096];
    int missing, notes = 0, behaviours = 0;

    missing = print_rows(run) + print_phases(run) + print_events(run);
    print_capabilities(run);
    for (size_t i = 0; i < run->count; i++) {
        int note = run->results[i].def == NULL ? 0 : run->results[i].def->note;

        if (note > 0 && note < 4096 && !noted[note]) {
            noted[note] = true;
            notes++;
        }
        behaviours += note > 0;
    }
    printf("pointers: %d that may be NULL, %d of which the text is silent\n",
           count_ids(run, ".nullable."), count_ids(run, ".null."));
    printf("behaviours: %d assertions on %d listed behaviours\n", behaviours, notes);
    printf("all: %zu assertions in %zu groups\n", run->count, run->group_count);
    return missing == 0 ? 0 : 1;
}
