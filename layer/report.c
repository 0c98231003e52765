/* SPDX-License-Identifier: MIT */
/* layer/report.c -- findings as JSON, SARIF 2.1.0, TAP 13 and JUnit's XML. */
#include "layer/finding.h"

#include <string.h>

#include <tiforge/json.h>
#include <tiforge/output.h>
#include <tiforge/xml.h>

static void
put_json_finding(struct tf_json *json, const struct finding *f)
{
    const struct rule_facts *facts = &rule_facts[f->rule];

    tf_json_open_object(json, NULL);
    tf_json_string(json, "rule", facts->id);
    tf_json_string(json, "severity", severity_names[facts->severity]);
    tf_json_string(json, "function", f->function);
    tf_json_string(json, "message", f->message);
    tf_json_string(json, "section", facts->section);
    tf_json_string(json, "thread", f->thread);
    tf_json_open_array(json, "backtrace");
    for (int i = 0; i < f->frame_count; i++)
        tf_json_string(json, NULL, f->frames[i]);
    tf_json_close(json);
    tf_json_number(json, "count", f->count);
    tf_json_close(json);
}

static void
write_json(FILE *stream, const struct finding *findings)
{
    struct tf_json json;

    tf_json_init(&json, stream);
    json.pretty = true;
    tf_json_open_object(&json, NULL);
    tf_json_open_array(&json, "findings");
    for (const struct finding *f = findings; f != NULL; f = f->next)
        put_json_finding(&json, f);
    tf_json_close(&json);
    tf_json_close(&json);
}

/* ---- SARIF ---- */

static const char *
sarif_level(enum severity severity)
{
    return severity == ERROR ? "error" : severity == WARNING ? "warning" : "note";
}

static void
put_text(struct tf_json *json, const char *key, const char *text)
{
    tf_json_open_object(json, key);
    tf_json_string(json, "text", text);
    tf_json_close(json);
}

static void
put_sarif_rules(struct tf_json *json)
{
    tf_json_open_array(json, "rules");
    for (int i = 0; i < RULE_COUNT; i++) {
        tf_json_open_object(json, NULL);
        tf_json_string(json, "id", rule_facts[i].id);
        put_text(json, "shortDescription", rule_facts[i].sentence);
        put_text(json, "help", rule_facts[i].remedy);
        tf_json_open_object(json, "defaultConfiguration");
        tf_json_string(json, "level", sarif_level(rule_facts[i].severity));
        tf_json_close(json);
        tf_json_close(json);
    }
    tf_json_close(json);
}

/* The line of the agent, which viewers show. */
static void
put_place(struct tf_json *json, const struct finding *f)
{
    char uri[400];

    snprintf(uri, sizeof uri, "%s%s", f->file[0] == '/' ? "file://" : "", f->file);
    tf_json_open_array(json, "locations");
    tf_json_open_object(json, NULL);
    tf_json_open_object(json, "physicalLocation");
    tf_json_open_object(json, "artifactLocation");
    tf_json_string(json, "uri", uri);
    tf_json_close(json);
    tf_json_open_object(json, "region");
    tf_json_number(json, "startLine", f->line);
    tf_json_close(json);
    tf_json_close(json);
    tf_json_close(json);
    tf_json_close(json);
}

static void
put_sarif_result(struct tf_json *json, const struct finding *f)
{
    tf_json_open_object(json, NULL);
    tf_json_string(json, "ruleId", rule_facts[f->rule].id);
    tf_json_number(json, "ruleIndex", f->rule);
    tf_json_string(json, "level", sarif_level(rule_facts[f->rule].severity));
    put_text(json, "message", f->message);
    tf_json_number(json, "occurrenceCount", f->count);
    if (f->file != NULL)
        put_place(json, f);
    if (f->frame_count > 0) {
        tf_json_open_array(json, "stacks");
        tf_json_open_object(json, NULL);
        tf_json_open_array(json, "frames");
        for (int i = 0; i < f->frame_count; i++) {
            tf_json_open_object(json, NULL);
            tf_json_open_object(json, "location");
            put_text(json, "message", f->frames[i]);
            tf_json_close(json);
            tf_json_close(json);
        }
        tf_json_close(json);
        tf_json_close(json);
        tf_json_close(json);
    }
    tf_json_close(json);
}

static void
write_sarif(FILE *stream, const struct finding *findings)
{
    struct tf_json json;

    tf_json_init(&json, stream);
    json.pretty = true;
    tf_json_open_object(&json, NULL);
    tf_json_string(&json, "$schema",
                   "https://json.schemastore.org/sarif-2.1.0.json");
    tf_json_string(&json, "version", "2.1.0");
    tf_json_open_array(&json, "runs");
    tf_json_open_object(&json, NULL);
    tf_json_open_object(&json, "tool");
    tf_json_open_object(&json, "driver");
    tf_json_string(&json, "name", "tiforge check");
    put_sarif_rules(&json);
    tf_json_close(&json);
    tf_json_close(&json);
    tf_json_open_array(&json, "results");
    for (const struct finding *f = findings; f != NULL; f = f->next)
        put_sarif_result(&json, f);
    while (json.depth > 0)
        tf_json_close(&json);
}

/* ---- TAP and JUnit: a point for each rule ---- */

/* Does a finding of this severity make the run fail? */
static bool
fails(enum check_rule rule)
{
    return (int)rule_facts[rule].severity >= check_options.fail_on;
}

static const struct finding *
next_of(const struct finding *f, int rule)
{
    while (f != NULL && (int)f->rule != rule)
        f = f->next;
    return f;
}

static void
write_tap(FILE *stream, const struct finding *findings)
{
    fprintf(stream, "TAP version 13\n1..%d\n", RULE_COUNT);
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct finding *f = next_of(findings, i);

        fprintf(stream, "%sok %d - %s\n", f != NULL && fails(i) ? "not " : "", i + 1,
                rule_facts[i].id);
        for (; f != NULL; f = next_of(f->next, i)) {
            fprintf(stream, "# %s: %s (%ld times)\n",
                    severity_names[rule_facts[i].severity], f->message, f->count);
            for (int k = 0; k < f->frame_count; k++)
                fprintf(stream, "#     at %s\n", f->frames[k]);
        }
    }
}

static void
put_failure(struct tf_xml *xml, const struct finding *f)
{
    tf_xml_open(xml, fails(f->rule) ? "failure" : "system-out");
    if (fails(f->rule)) {
        tf_xml_attribute(xml, "type",
                         severity_names[rule_facts[f->rule].severity]);
        tf_xml_attribute(xml, "message", f->message);
    } else {
        tf_xml_text(xml, f->message);
        tf_xml_text(xml, "\n");
    }
    for (int k = 0; k < f->frame_count; k++) {
        tf_xml_text(xml, "at ");
        tf_xml_text(xml, f->frames[k]);
        tf_xml_text(xml, "\n");
    }
    tf_xml_close(xml);
}

static void
write_junit(FILE *stream, const struct finding *findings)
{
    struct tf_xml xml;
    int failures = 0;

    for (int i = 0; i < RULE_COUNT; i++)
        failures += fails(i) && next_of(findings, i) != NULL;
    tf_xml_init(&xml, stream, NULL);
    tf_xml_open(&xml, "testsuite");
    tf_xml_attribute(&xml, "name", "tiforge check");
    tf_xml_attribute_format(&xml, "tests", "%d", RULE_COUNT);
    tf_xml_attribute_format(&xml, "failures", "%d", failures);
    for (int i = 0; i < RULE_COUNT; i++) {
        tf_xml_open(&xml, "testcase");
        tf_xml_attribute(&xml, "classname", "tiforge.check");
        tf_xml_attribute(&xml, "name", rule_facts[i].id);
        for (const struct finding *f = next_of(findings, i); f != NULL;
             f = next_of(f->next, i))
            put_failure(&xml, f);
        tf_xml_close(&xml);
    }
    tf_xml_close(&xml);
    fputc('\n', stream);
}

/* ---- the file ---- */

static const struct form {
    const char *suffix;
    void (*write)(FILE *stream, const struct finding *findings);
} forms[] = {
    { ".json", write_json },
    { ".sarif", write_sarif },
    { ".tap", write_tap },
    { ".xml", write_junit },
};

static const struct form *
form_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].suffix, dot) == 0)
            return &forms[i];
    return NULL;
}

bool
report_is_known(const char *path)
{
    return form_of(path) != NULL;
}

bool
report_write(const char *path, const struct finding *findings)
{
    struct tf_output *output = tf_output_open(path);

    if (output == NULL)
        return false;
    form_of(path)->write(tf_output_stream(output), findings);
    return tf_output_commit(output);
}
