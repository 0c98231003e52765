/* SPDX-License-Identifier: MIT */
/* index.txt: the functions and events with their places in the specification, a line
 * each, for programs that write about them; functions of later levels, too.  The other
 * sections of the specification follow. */
#include "gen.h"

static void
put_function(const cJSON *f)
{
    printf("function|%d|%s|%s|%s\n", number(f, "number"), text(f, "name"),
           text(f, "title"), text(f, "category"));
}

void
gen_index(const struct facts *facts)
{
    for EACH (f, list(facts->jvmti, "functions"))
        put_function(f);
    for EACH (f, list(facts->jvmti, "later"))
        put_function(f);
    for EACH (e, list(facts->jvmti, "events"))
        printf("event|%d|%s|%s|%s\n", number(e, "number"), text(e, "name"),
               text(e, "title"), text(e, "const"));
    for EACH (section, list(facts->jvmti, "sections"))
        printf("section|%s\n", section->valuestring);
    for EACH (s, list(facts->jvmti, "structs"))
        printf("section|%s\n", s->string);
    for EACH (c, list(facts->jvmti, "callbacks"))
        printf("section|%s\n", c->string);
}
