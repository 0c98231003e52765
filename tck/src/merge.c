/* SPDX-License-Identifier: MIT */
/*
 * tck/src/merge.c -- reads the reports of earlier runs, and joins those of the shards of
 * a run that was spread over several machines.
 *
 * A merged run is as one that ran all: the same output, reports and exit status.  The
 * shards have to be of the same VM and to be judged by the same level, and no two of
 * them may disagree about an assertion.
 */
#include "tck/src/run.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

cJSON *
report_read(const char *path)
{
    FILE *file = fopen(path, "r");
    cJSON *root;
    char *content;
    long size;

    if (file == NULL)
        bad_input("cannot read '%s': %s", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    content = must(calloc(1, (size_t)size + 1));
    if (fread(content, 1, (size_t)size, file) != (size_t)size)
        bad_input("cannot read '%s'", path);
    fclose(file);
    root = cJSON_Parse(content);
    if (root == NULL || !cJSON_IsArray(cJSON_GetObjectItem(root, "assertions")))
        bad_input("'%s' is not a report of this kit", path);
    free(content);
    return root;
}

/* The member's text; bad_input when there is none. */
static const char *
text_of(const cJSON *object, const char *member, const char *path)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, member));

    if (text == NULL)
        bad_input("'%s': a '%s' is missing", path, member);
    return text;
}

static enum status
status_of(const char *name, const char *path)
{
    for (int status = NOT_RUN; status <= UNEXPECTED_PASS; status++)
        if (strcmp(status_name((enum status)status), name) == 0)
            return (enum status)status;
    bad_input("'%s': there is no status '%s'", path, name);
}

static void
take_assertion(struct run *run, const cJSON *item, const char *path)
{
    const char *id = text_of(item, "id", path);
    const char *reason = cJSON_GetStringValue(cJSON_GetObjectItem(item, "reason"));
    const char *detail = cJSON_GetStringValue(cJSON_GetObjectItem(item, "detail"));
    enum status status = status_of(text_of(item, "status", path), path);
    struct result *result = find_result(run, id);

    if (result == NULL)
        bad_input("'%s': there is no assertion '%s'", path, id);
    if (result->selected && result->status != status)
        bad_input("'%s': '%s' has the status '%s' here, and '%s' in an earlier report",
                  path, id, status_name(status), status_name(result->status));
    result->selected = true;
    result->status = status;
    result->died = cJSON_IsTrue(cJSON_GetObjectItem(item, "died"));
    free(result->detail);
    result->detail = detail == NULL ? NULL : must(strdup(detail));
    if (result->reason == NULL && reason != NULL)
        result->reason = must(strdup(reason));
}

static void
take_report(struct run *run, const char *path)
{
    const cJSON *root = report_read(path), *item;
    const cJSON *level = cJSON_GetObjectItem(root, "level");
    const cJSON *seconds = cJSON_GetObjectItem(root, "seconds");
    const char *vm = text_of(root, "vm", path), *date = text_of(root, "date", path);

    if (!cJSON_IsNumber(level) || !cJSON_IsNumber(seconds))
        bad_input("'%s': a level or a time is missing", path);
    if (run->vm_name == NULL) {
        run->vm_name = must(strdup(vm));
        run->level = level->valueint;
        run->opt.java_text = must(strdup(text_of(root, "command", path)));
        snprintf(run->date, sizeof run->date, "%s", date);
    } else if (strcmp(run->vm_name, vm) != 0 || run->level != level->valueint) {
        bad_input("'%s' is of '%s' at level %d, the report before it of '%s' at level %d",
                  path, vm, level->valueint, run->vm_name, run->level);
    }
    run->seconds += seconds->valuedouble;
    run->interrupted |= cJSON_IsTrue(cJSON_GetObjectItem(root, "interrupted"));
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "assertions"))
        take_assertion(run, item, path);
}

void
merge_reports(struct run *run, char **paths, int count)
{
    for (size_t i = 0; i < run->count; i++)
        run->results[i].selected = false;
    for (int i = 0; i < count; i++)
        take_report(run, paths[i]);
}
