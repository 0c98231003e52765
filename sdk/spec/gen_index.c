/* SPDX-License-Identifier: MIT */
/* index.txt: the functions and events with their places in the specification, a line
 * each, for programs that write about them. */
#include "gen.h"

void
gen_index(const struct facts *facts)
{
    for EACH (f, list(facts->jvmti, "functions"))
        printf("function|%d|%s|%s|%s\n", number(f, "number"), text(f, "name"),
               text(f, "title"), text(f, "category"));
    for EACH (e, list(facts->jvmti, "events"))
        printf("event|%d|%s|%s|%s\n", number(e, "number"), text(e, "name"),
               text(e, "title"), text(e, "const"));
}
