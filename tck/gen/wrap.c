/* SPDX-License-Identifier: MIT */
/* tck/gen/wrap.c -- wrappers of all functions and events, for tck/mutate. */
#include "tck/gen/gen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static FILE *out;

static void
parameters(const cJSON *list, bool types)
{
    const cJSON *param;

    cJSON_ArrayForEach(param, list) {
        const char *type = get_string(param, "type");

        if (strcmp(type, "...") == 0)
            fputs(types ? ", ..." : "", out);
        else if (types)
            fprintf(out, ", %s p_%s", type, get_string(param, "name"));
        else
            fprintf(out, ", p_%s", get_string(param, "name"));
    }
}

static void
function_wrapper(const cJSON *function, int index)
{
    const char *name = get_string(function, "name");
    const cJSON *list = get(function, "parameters"), *param;

    fprintf(out, "static jvmtiError JNICALL\nwrap_%s(jvmtiEnv *env", name);
    parameters(list, true);
    fprintf(out, ")\n{\n    union tck_arg args[] = {");
    cJSON_ArrayForEach(param, list) {
        if (!is_ellipsis(param))
            fprintf(out, " { .%c = %sp_%s },",
                    representation(get_string(param, "type")),
                    representation(get_string(param, "type")) == 'p' ? "(void *)" : "",
                    get_string(param, "name"));
    }
    fprintf(out, " { 0 } };\n    jvmtiError error = mutate_swallows(%d)\n"
            "        ? JVMTI_ERROR_NONE : ", index);
    put_entry(out, "mutate_original", function);
    fputs("(env", out);
    parameters(list, false);
    fprintf(out, ");\n\n    return mutate_result(%d, args, error);\n}\n\n", index);
}

static void
put_wrapper(const cJSON *function)
{
    const char *name = get_string(function, "name");
    const cJSON *later = cJSON_GetObjectItemCaseSensitive(function, "slot");

    if (later != NULL)
        fprintf(out, "    if (table->reserved%d != NULL)\n"
                "        table->reserved%d = (void *)wrap_%s;\n", later->valueint,
                later->valueint, name);
    else
        fprintf(out, "    if (table->%s != NULL)\n        table->%s = wrap_%s;\n", name,
                name, name);
}

static void
event_wrapper(const cJSON *event, int index)
{
    const char *name = get_string(event, "callback_field");
    const cJSON *param;
    bool first = true;
    int position = 0;

    fprintf(out, "static void JNICALL\ncopies_%s(", name);
    cJSON_ArrayForEach(param, get(event, "params")) {
        fprintf(out, "%s%s p_%s", first ? "" : ", ", get_string(param, "type"),
                get_string(param, "name"));
        first = false;
    }
    fprintf(out, ")\n{\n    jvmtiEvent%s call = mutate_callbacks(p_jvmti_env)->%s;\n\n",
            name, name);
    /* Behind the environments. */
    cJSON_ArrayForEach(param, get(event, "params")) {
        if (strchr(get_string(param, "type"), 'E') == NULL)
            fprintf(out, "    mutate_argument(%d, %d, p_jvmti_env, (void *)&p_%s);\n",
                    index, position, get_string(param, "name"));
        position++;
    }
    fprintf(out, "    for (int copies = mutate_copies(%d); copies > 0; copies--)\n"
            "        call(", index);
    first = true;
    cJSON_ArrayForEach(param, get(event, "params")) {
        fprintf(out, "%sp_%s", first ? "" : ", ", get_string(param, "name"));
        first = false;
    }
    fprintf(out, ");\n}\n\n");
}

int
write_wrappers(const char *path)
{
    const cJSON *item;
    int index = 0;

    out = fopen(path, "w");
    if (out == NULL)
        die("cannot write '%s': %s", path, strerror(errno));
    fprintf(out, "/* Generated from the facts table by tck/gen. */\n"
            "#include \"tck/mutate/mutate.h\"\n\n");
    cJSON_ArrayForEach(item, get(facts, "functions"))
        function_wrapper(item, index++);
    index = 0;
    cJSON_ArrayForEach(item, get(facts, "events"))
        event_wrapper(item, index++);
    /* A slot that the VM leaves empty stays empty. */
    fprintf(out, "void\nmutate_fill(jvmtiInterface_1 *table)\n{\n");
    cJSON_ArrayForEach(item, get(facts, "functions"))
        put_wrapper(item);
    fprintf(out, "}\n\nvoid\nmutate_event(jvmtiEventCallbacks *callbacks, int event)"
            "\n{\n    switch (event) {\n");
    index = 0;
    cJSON_ArrayForEach(item, get(facts, "events")) {
        const char *name = get_string(item, "callback_field");

        fprintf(out, "    case %d:\n        if (callbacks->%s != NULL)\n"
                "            callbacks->%s = copies_%s;\n"
                "        break;\n", index++, name, name, name);
    }
    fprintf(out, "    }\n}\n");
    return fclose(out) == 0 ? 0 : 1;
}
