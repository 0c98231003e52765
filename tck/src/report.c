/* SPDX-License-Identifier: MIT */
/* tck/src/report.c -- TAP, JUnit XML and JSON. */
#include "tck/src/run.h"

#include <cjson/cJSON.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);

    return a > b && strcmp(text + a - b, end) == 0;
}

void
report_check(const char *path)
{
    FILE *file;

    if (!ends_with(path, ".tap") && !ends_with(path, ".xml")
        && !ends_with(path, ".json") && !ends_with(path, ".html"))
        bad_input("--report: '%s' ends in none of .tap .xml .json .html", path);
    file = fopen(path, "a");
    if (file == NULL)
        bad_input("cannot write '%s': %s", path, strerror(errno));
    fclose(file);
}

/* -- TAP -- */

static void
tap_line(const struct result *result, int number, bool quiet, FILE *out)
{
    const char *detail = result->detail == NULL ? "" : result->detail;

    switch (result->status) {
    case PASS:
        if (!quiet)
            fprintf(out, "ok %d - %s\n", number, result->id);
        break;
    case SKIP:
        if (!quiet)
            fprintf(out, "ok %d - %s # SKIP %s\n", number, result->id, detail);
        break;
    case DEPARTURE:
        if (!quiet)
            fprintf(out, "not ok %d - %s # TODO %s\n", number, result->id,
                    result->reason);
        break;
    case UNEXPECTED_PASS:
        fprintf(out, "not ok %d - %s\n# listed as a departure, but it passes: %s\n",
                number, result->id, result->reason);
        break;
    case FAIL:
        fprintf(out, "not ok %d - %s\n# %s\n# section: %s\n", number, result->id,
                detail, result->section);
        break;
    case NOT_RUN:
        fprintf(out, "not ok %d - %s\n# not run\n", number, result->id);
        break;
    }
}

void
report_tap(const struct run *run, FILE *out)
{
    bool quiet = run->opt.quiet && out == stdout;
    int number = 0, total = 0;

    for (size_t i = 0; i < run->count; i++)
        total += run->results[i].selected;
    if (!quiet)
        fprintf(out, "TAP version 13\n1..%d\n", total);
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected)
            tap_line(&run->results[i], ++number, quiet, out);
    if (run->interrupted)
        fputs("Bail out! The run was interrupted.\n", out);
}

/* -- JUnit -- */

static void
xml_text(const char *text, FILE *out)
{
    for (; text != NULL && *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if ((unsigned char)*text >= ' ')
                fputc(*text, out);
        }
    }
}

static void
junit_case(const struct result *result, FILE *out)
{
    fputs("    <testcase classname=\"", out);
    xml_text(result->group, out);
    fputs("\" name=\"", out);
    xml_text(result->id, out);
    fputs("\">", out);
    if (result->status == SKIP || result->status == DEPARTURE) {
        fputs("<skipped message=\"", out);
        xml_text(result->status == SKIP ? result->detail : result->reason, out);
        fputs("\"/>", out);
    } else if (result->status != PASS) {
        fputs("<failure message=\"", out);
        xml_text(result->status == FAIL ? result->detail : status_name(result->status),
                 out);
        fputs("\"/>", out);
    }
    fputs("</testcase>\n", out);
}

static void
report_junit(const struct run *run, FILE *out)
{
    int tests = 0, failures = 0, skipped = 0;

    for (size_t i = 0; i < run->count; i++) {
        const struct result *r = &run->results[i];

        tests += r->selected;
        skipped += r->selected && (r->status == SKIP || r->status == DEPARTURE);
        failures += r->selected && (r->status == FAIL || r->status == NOT_RUN
                                    || r->status == UNEXPECTED_PASS);
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"JVM TI\" tests=\"%d\" failures=\"%d\" skipped=\"%d\" "
            "time=\"%.3f\">\n    <properties><property name=\"vm\" value=\"", tests,
            failures, skipped, run->seconds);
    xml_text(run->vm_name, out);
    fprintf(out, "\"/><property name=\"interrupted\" value=\"%s\"/></properties>\n",
            run->interrupted ? "true" : "false");
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected)
            junit_case(&run->results[i], out);
    fputs("  </testsuite>\n</testsuites>\n", out);
}

/* -- JSON -- */

static cJSON *
json_case(const struct result *result)
{
    cJSON *item = cJSON_CreateObject();

    cJSON_AddStringToObject(item, "id", result->id);
    cJSON_AddStringToObject(item, "group", result->group);
    cJSON_AddStringToObject(item, "section", result->section);
    cJSON_AddStringToObject(item, "status", status_name(result->status));
    if (result->detail != NULL && result->detail[0] != '\0')
        cJSON_AddStringToObject(item, "detail", result->detail);
    if (result->reason != NULL)
        cJSON_AddStringToObject(item, "reason", result->reason);
    return item;
}

static void
report_json(const struct run *run, FILE *out)
{
    cJSON *root = cJSON_CreateObject(), *list;
    char *text;

    cJSON_AddStringToObject(root, "vm", run->vm_name);
    cJSON_AddStringToObject(root, "command", run->opt.java_text);
    cJSON_AddNumberToObject(root, "level", run->level);
    cJSON_AddNumberToObject(root, "seconds", run->seconds);
    cJSON_AddBoolToObject(root, "interrupted", run->interrupted);
    list = cJSON_AddArrayToObject(root, "assertions");
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected)
            cJSON_AddItemToArray(list, json_case(&run->results[i]));
    text = must(cJSON_Print(root));
    fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(root);
}

void
report_write(const struct run *run, const char *path)
{
    FILE *out = fopen(path, "w");

    if (out == NULL)
        bad_input("cannot write '%s': %s", path, strerror(errno));
    if (ends_with(path, ".tap"))
        report_tap(run, out);
    else if (ends_with(path, ".xml"))
        report_junit(run, out);
    else if (ends_with(path, ".json"))
        report_json(run, out);
    else
        report_html(run, out);
    if (fclose(out) != 0)
        bad_input("cannot write '%s': %s", path, strerror(errno));
}
