/* SPDX-License-Identifier: MIT */
/*
 * tck/src/catalog.c -- all assertions that there are, and what is known of each without a
 * run: class, level, section, behaviour and chapter.
 */
#include "tck/src/run.h"

#include <stdlib.h>
#include <string.h>

struct result *
find_result(struct run *run, const char *id)
{
    for (size_t i = 0; i < run->count; i++)
        if (strcmp(run->results[i].id, id) == 0)
            return &run->results[i];
    return NULL;
}

int
group_index(const struct run *run, const char *group)
{
    for (size_t i = 0; i < run->group_count; i++)
        if (strcmp(run->groups[i], group) == 0)
            return (int)i;
    return -1;
}

static void
add_result(struct run *run, const char *id, const char *group, const char *section,
           const struct tck_case *def)
{
    struct result *result = &run->results[run->count++];

    result->id = id;
    result->group = group;
    result->section = section;
    result->def = def;
    result->class = def == NULL ? TCK_REQUIRED : tck_class_of(def);
    result->since = def == NULL ? 11 : def->since;
}

void
catalog_build(struct run *run)
{
    size_t count;
    const struct tck_case *const *list = tck_cases(&count);

    run->results = must(calloc(2 * count, sizeof *run->results));
    run->groups = must(calloc(count, sizeof *run->groups));
    for (size_t i = 0; i < count; i++) {
        if (group_index(run, list[i]->group) < 0)
            run->groups[run->group_count++] = list[i]->group;
        if (find_result(run, list[i]->id) != NULL) {
            fprintf(stderr, "tck/run: two cases have the id '%s'\n", list[i]->id);
            abort();
        }
        add_result(run, list[i]->id, list[i]->group, list[i]->section, list[i]);
    }
    for (size_t i = 0; i < run->group_count; i++)
        add_result(run, format_text("%s.vm.ends-normally", run->groups[i]),
                   run->groups[i], "Agent Shutdown", NULL);
}

void
catalog_print(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct result *r = &run->results[i];

        if (!r->selected)
            continue;
        if (run->opt.facts)
            printf("%s | %s | %d | %s | %d\n", r->id, tck_class_name(r->class), r->since,
                   r->section, r->def == NULL ? 0 : r->def->note);
        else
            puts(r->id);
    }
}
