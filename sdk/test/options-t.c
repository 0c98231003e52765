/* SPDX-License-Identifier: MIT */
/* Options of agents. */
#include <stdlib.h>

#include <tiforge/options.h>

#include <unistd.h>

#include "tap.h"

static struct values {
    bool flag;
    long long number, size, duration;
    char *text, *path;
    int choice;
    char **list;
} v;

static const struct tf_option table[] = {
    { "flag", TF_FLAG, &v.flag, NULL, 0, 0, "a flag", NULL },
    { "number", TF_INT, &v.number, NULL, -5, 100, "a number", NULL },
    { "size", TF_SIZE, &v.size, NULL, 0, 0, "a size", NULL },
    { "time", TF_DURATION, &v.duration, NULL, 20, 2 * 3600 * 1000000000LL, "a time", NULL },
    { "text", TF_TEXT, &v.text, NULL, 0, 0, "a text", NULL },
    { "file", TF_PATH, &v.path, NULL, 0, 0, "a path", NULL },
    { "format", TF_CHOICE, &v.choice, "json|xml|text", 0, 0, "a choice", NULL },
    { "include", TF_LIST, &v.list, NULL, 0, 0, "a list", "PATTERNS" }
};
#define COUNT (sizeof table / sizeof *table)

static struct tf_options options;
static struct tf_buffer error;

static enum tf_outcome
parse(const char *text)
{
    tf_options_release(&options);
    tf_buffer_clear(&error);
    memset(&v, 0, sizeof v);
    return tf_options_parse(&options, text, table, COUNT, &error);
}

static void
fails(const char *text, const char *want)
{
    is_int(parse(text), TF_FAILED, text);
    is_text(tf_buffer_string(&error), want, "and why");
}

static void
test_types(void)
{
    char want[32];

    is_int(parse(""), TF_RUN, "no options");
    is_int(parse("flag,number=-3,size=64k,time=20ms,text=a=b,format=text"), TF_RUN,
           "one of each type");
    ok(v.flag, "a flag alone is on");
    is_int(v.number, -3, "a number");
    is_int(v.size, 65536, "a size");
    is_int(v.duration, 20000000, "a duration");
    is_text(v.text, "a=b", "a text with a second =");
    is_int(v.choice, 2, "a choice");
    ok(parse("flag=off") == TF_RUN && !v.flag && parse("flag=yes") == TF_RUN && v.flag,
       "words for on and off");
    ok(parse("number=0x1f,,") == TF_RUN && v.number == 31, "hexadecimal, empty options");
    ok(parse("number=010") == TF_RUN && v.number == 10, "but nothing is octal");
    snprintf(want, sizeof want, "a-%ld%%", (long)getpid());
    ok(parse("file=a-%p%%") == TF_RUN, "a path");
    is_text(v.path, want, "%p and %%");
    ok(parse("file=%t") == TF_RUN && strlen(v.path) == 15 && v.path[8] == '-', "%t");
    tf_options_release(&options);
    memset(&v, 0, sizeof v);
    v.path = (char *)"d%p";
    snprintf(want, sizeof want, "d%ld", (long)getpid());
    is_int(tf_options_parse(&options, "", table, COUNT, &error), TF_RUN, "a default path");
    is_text(v.path, want, "is expanded, too");
}

static void
test_lists(void)
{
    char *standard[] = { (char *)"x", NULL };

    ok(parse("include=a:b,include=c") == TF_RUN, "a list");
    ok(strcmp(v.list[0], "a") == 0 && strcmp(v.list[1], "b") == 0
       && strcmp(v.list[2], "c") == 0 && v.list[3] == NULL, "has all elements");
    tf_options_release(&options);
    v.list = standard;
    ok(tf_options_parse(&options, "include=a", table, COUNT, &error) == TF_RUN
       && strcmp(v.list[0], "a") == 0 && v.list[1] == NULL, "and replaces the default");
}

static void
test_quotes(void)
{
    ok(parse("text='a,b=\\',flag") == TF_RUN && v.flag, "single quotes");
    is_text(v.text, "a,b=\\", "keep everything");
    ok(parse("text=\"a\\\"b,\\\\ \\n\"") == TF_RUN, "double quotes");
    is_text(v.text, "a\"b,\\ \\n", "know two escapes");
    ok(parse("text=x'y z'\"!\"") == TF_RUN, "quotes inside of a value");
    is_text(v.text, "xy z!", "are put together");
    fails("text='a", "option \"text\": a quote does not end");
}

static void
test_errors(void)
{
    fails("fil=x", "unknown option \"fil\"; there are: flag, number, size, time, text,"
          " file, format, include, help; did you mean \"file\"?");
    fails("colour", "unknown option \"colour\"; there are: flag, number, size, time, "
          "text, file, format, include, help");
    fails("number", "option \"number\": wants a value");
    fails("number=ten", "option \"number\": wants a number, not \"ten\"");
    fails("number=101", "option \"number\": must be from -5 to 100, not \"101\"");
    fails("number=99999999999999999999",
          "option \"number\": wants a number, not \"99999999999999999999\"");
    fails("size=1q", "option \"size\": wants a size such as 64k, 16m or 1g, not \"1q\"");
    fails("size=9999999999g",
          "option \"size\": wants a size such as 64k, 16m or 1g, not \"9999999999g\"");
    fails("time=5", "option \"time\": wants a duration such as 10ms, 2s or 1h, not \"5\"");
    fails("time=3h", "option \"time\": must be from 20ns to 2h, not \"3h\"");
    fails("format=yaml", "option \"format\": must be one of json|xml|text, not \"yaml\"");
    fails("format=js", "option \"format\": must be one of json|xml|text, not \"js\"");
    fails("flag=maybe", "option \"flag\": must be yes or no, not \"maybe\"");
    fails("file=%x", "\"%x\": after % stand p, t or %");
}

static void
test_files(void)
{
    char path[] = "/tmp/tiforge-options-XXXXXX", text[64], want[128];
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");

    fprintf(file, "# a comment, with number=7\nflag\n  number = 1\n");
    fclose(file);
    snprintf(text, sizeof text, "@%s", path);
    is_int(parse(text), TF_FAILED, "no blanks around =");
    file = fopen(path, "w");
    fprintf(file, "# a comment, with number=7\nflag, number=1\r\n\n  text='a\nb' \n");
    fclose(file);
    snprintf(text, sizeof text, "size=1,@%s,size=2", path);
    ok(parse(text) == TF_RUN && v.flag && v.number == 1 && v.size == 2, "options of a file");
    is_text(v.text, "a\nb ", "quotes keep new lines");
    file = fopen(path, "w");
    fprintf(file, "@%s\n", path);
    fclose(file);
    snprintf(want, sizeof want, "\"@%s\": too many files inside of files", path);
    fails(text, want);
    unlink(path);
    snprintf(want, sizeof want, "\"@%s\": No such file or directory", path);
    fails(text, want);
}

static void
test_help(void)
{
    char *list[] = { (char *)"p.*", (char *)"C", NULL };
    struct tf_buffer text;

    is_int(parse("flag,help"), TF_DONE, "help");
    is_int(parse("?"), TF_DONE, "?");
    memset(&v, 0, sizeof v);
    v.number = -6;
    v.size = 3 << 20;
    v.duration = 1500000000;
    v.text = (char *)"abc";
    v.list = list;
    tf_buffer_init(&text);
    tf_options_help(&text, "example", "Does it.", table, COUNT);
    is_text(tf_buffer_string(&text),
            "usage: -agentpath:libexample.so=OPTION,...\n\nDoes it.\n\n"
            "  flag=yes|no              a flag (default: no)\n"
            "  number=NUMBER            a number\n"
            "  size=SIZE                a size (default: 3m)\n"
            "  time=DURATION            a time (default: 1500ms)\n"
            "  text=TEXT                a text (default: abc)\n"
            "  file=FILE                a path\n"
            "  format=json|xml|text     a choice (default: json)\n"
            "  include=PATTERNS         a list (default: p.*:C)\n"
            "  @FILE                    read options from a file\n"
            "  help                     print this\n", "the help text");
    tf_buffer_release(&text);
}

int
main(void)
{
    test_types();
    test_lists();
    test_quotes();
    test_errors();
    test_files();
    test_help();
    tf_options_release(&options);
    tf_buffer_release(&error);
    return tap_done();
}
