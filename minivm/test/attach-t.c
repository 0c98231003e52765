/* SPDX-License-Identifier: MIT */
/* minivm/test/attach-t.c -- the parts of an attach request, as its bytes arrive. */

#include "jdk/attach.h"

#include <string.h>

#include "test/tap.h"

static void
test_whole(void)
{
    char bytes[] = "1\0load\0instrument\0false\0agent.jar=x";
    char *parts[ATTACH_PARTS];
    static const char *const wanted[ATTACH_PARTS] = { "1", "load", "instrument",
                                                      "false", "agent.jar=x" };

    ok(attach_split_request(bytes, sizeof bytes, parts), "a request is whole");
    for (int i = 0; i < ATTACH_PARTS; i++)
        is_string(parts[i], wanted[i], "part %d", i);
}

/* The bytes may come one at a time, and only the last NUL completes the request. */
static void
test_piecemeal(void)
{
    char bytes[] = "1\0jcmd\0VM.version\0\0";
    char *parts[ATTACH_PARTS];
    size_t length = 0;

    while (length < sizeof bytes && !attach_split_request(bytes, length, parts))
        length++;
    is_int(length, sizeof bytes, "nothing is missing but the last NUL");
    ok(attach_split_request(bytes, length, parts), "then it is whole");
    is_string(parts[2], "VM.version", "an argument");
    is_string(parts[3], "", "an empty argument");
    is_string(parts[4], "", "another one");
}

static void
test_longer(void)
{
    char bytes[] = "1\0properties\0\0\0\0and more";
    char *parts[ATTACH_PARTS];

    ok(attach_split_request(bytes, sizeof bytes, parts), "what follows does not count");
    is_string(parts[1], "properties", "the operation");
    ok(!attach_split_request(bytes, 0, parts), "no bytes are no request");
}

int
main(void)
{
    test_whole();
    test_piecemeal();
    test_longer();
    return done_testing();
}
