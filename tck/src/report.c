/* SPDX-License-Identifier: MIT */
/* tck/src/report.c -- TAP, JUnit XML and JSON. */
#include "tck/src/run.h"

#include <tiforge/json.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    bool is_new;

    if (!ends_with(path, ".tap") && !ends_with(path, ".xml")
        && !ends_with(path, ".json") && !ends_with(path, ".html"))
        bad_input("--report: '%s' ends in none of .tap .xml .json .html", path);
    is_new = access(path, F_OK) != 0;
    file = fopen(path, "a");
    if (file == NULL)
        bad_input("cannot write '%s': %s", path, strerror(errno));
    fclose(file);
    if (is_new)
        unlink(path);
}

/* -- TAP -- */

/* Why a failure may not be the VM's fault, for the end of a line. */
static const char *
class_note(const struct result *result)
{
    switch (result->class) {
    case TCK_ADVISED: return "\n# advised: an implementation is not required to do so";
    case TCK_INFERRED: return "\n# inferred: the text does not state it outright";
    default: return "";
    }
}

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
    case KNOWN_LACK:
        if (!quiet)
            fprintf(out, "not ok %d - %s # TODO %s%s\n", number, result->id,
                    result->status == KNOWN_LACK ? "advised: " : "", result->reason);
        break;
    case UNEXPECTED_PASS:
        fprintf(out, "not ok %d - %s\n# listed as a departure, but it passes: %s\n",
                number, result->id, result->reason);
        break;
    case FAIL:
    case LACK:
        fprintf(out, "not ok %d - %s\n# %s\n# section: %s%s\n", number, result->id,
                detail, result->section, class_note(result));
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

static bool
is_known(const struct result *result)
{
    return result->status == DEPARTURE || result->status == KNOWN_LACK;
}

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

/* JUnit tells what came out wrong from what came to no end. */
static bool
is_error(const struct result *result)
{
    return result->status == NOT_RUN || (result->status == FAIL && result->died);
}

/* What a server for builds sorts failures by: the kind of the assertion, as in its id
   ("error", "phase", "behaviour" ...), or why there is no answer. */
static const char *
failure_type(const struct result *result)
{
    static char kind[32];
    const char *dot = strchr(result->id, '.');

    if (result->died)
        return "died";
    if (result->status != FAIL)
        return status_name(result->status);
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(dot + 1, "."), dot + 1);
    return kind;
}

static void
junit_case(const struct result *result, FILE *out)
{
    fputs("    <testcase classname=\"", out);
    xml_text(result->group, out);
    fputs("\" name=\"", out);
    xml_text(result->id, out);
    fprintf(out, "\" time=\"%.3f\">", result->seconds);
    if (result->status == SKIP || is_known(result)) {
        fputs("<skipped message=\"", out);
        xml_text(result->status == SKIP ? result->detail : result->reason, out);
        fputs("\"/>", out);
    } else if (result->status != PASS) {
        fprintf(out, "<%s type=\"%s\" message=\"", is_error(result) ? "error" : "failure",
                failure_type(result));
        xml_text(result->detail != NULL ? result->detail : status_name(result->status),
                 out);
        fputs("\"/>", out);
    }
    fputs("</testcase>\n", out);
}

static void
report_junit(const struct run *run, FILE *out)
{
    int tests = 0, failures = 0, errors = 0, skipped = 0;

    for (size_t i = 0; i < run->count; i++) {
        const struct result *r = &run->results[i];

        tests += r->selected;
        skipped += r->selected && (r->status == SKIP || is_known(r));
        errors += r->selected && is_error(r);
        failures += r->selected && r->status != PASS && r->status != SKIP
            && !is_known(r) && !is_error(r);
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "  <testsuite name=\"JVM TI\" tests=\"%d\" failures=\"%d\" errors=\"%d\" "
            "skipped=\"%d\" time=\"%.3f\" timestamp=\"%.19s\">\n"
            "    <properties><property name=\"vm\" value=\"", tests, failures, errors,
            skipped, run->seconds, run->date);
    xml_text(run->vm_name, out);
    fprintf(out, "\"/><property name=\"level\" value=\"%d\"/><property name=\"interrupted\" "
            "value=\"%s\"/></properties>\n", run->level,
            run->interrupted ? "true" : "false");
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected)
            junit_case(&run->results[i], out);
    fputs("  </testsuite>\n</testsuites>\n", out);
}

/* -- JSON -- */

static void
json_case(struct tf_json *json, const struct result *result)
{
    tf_json_open_object(json, NULL);
    tf_json_string(json, "id", result->id);
    tf_json_string(json, "group", result->group);
    tf_json_string(json, "section", result->section);
    tf_json_string(json, "class", tck_class_name(result->class));
    tf_json_number(json, "since", result->since);
    tf_json_string(json, "status", status_name(result->status));
    if (result->died)
        tf_json_bool(json, "died", true);
    if (result->detail != NULL && result->detail[0] != '\0')
        tf_json_string(json, "detail", result->detail);
    if (result->reason != NULL)
        tf_json_string(json, "reason", result->reason);
    tf_json_close(json);
}

static void
report_json(const struct run *run, FILE *out)
{
    struct tf_json json;

    tf_json_init(&json, out);
    json.pretty = true;
    tf_json_open_object(&json, NULL);
    tf_json_string(&json, "vm", run->vm_name);
    tf_json_string(&json, "command", run->opt.java_text);
    tf_json_number(&json, "level", run->level);
    tf_json_string(&json, "date", run->date);
    tf_json_double(&json, "seconds", run->seconds);
    tf_json_bool(&json, "interrupted", run->interrupted);
    tf_json_open_array(&json, "assertions");
    for (size_t i = 0; i < run->count; i++)
        if (run->results[i].selected)
            json_case(&json, &run->results[i]);
    tf_json_close(&json);
    tf_json_close(&json);
    fputc('\n', out);
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
    if (fflush(out) != 0 || ferror(out) || fclose(out) != 0)
        bad_input("cannot write '%s': %s", path, strerror(errno));
}
