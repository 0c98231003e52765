/* SPDX-License-Identifier: MIT */
/* Buffers, names without a VM, JSON and XML. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/buffer.h>
#include <tiforge/json.h>
#include <tiforge/naming.h>
#include <tiforge/output.h>
#include <tiforge/xml.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static void
test_buffer(void)
{
    struct tf_buffer b;
    char *text;

    tf_buffer_init(&b);
    is_text(tf_buffer_string(&b), "", "an empty buffer is an empty text");
    tf_buffer_text(&b, "a");
    tf_buffer_format(&b, "%03d", 7);
    is_text(tf_buffer_string(&b), "a007", "text and formatted text");
    for (int i = 0; i < 1000; i++)
        tf_buffer_u1(&b, 'x');
    is_int(b.length, 1004, "it grows");
    tf_buffer_clear(&b);
    tf_buffer_u2(&b, 0x0102);
    tf_buffer_u4(&b, 0x03040506);
    tf_buffer_u8(&b, 0x0708090a0b0c0d0eULL);
    ok(b.length == 14 && memcmp(b.bytes, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 14) == 0,
       "numbers are big-endian");
    tf_buffer_clear(&b);
    text = tf_buffer_take(&b);
    is_text(text, "", "taking an empty buffer gives a text");
    free(text);
}

static void
test_utf8(void)
{
    struct tf_buffer b;

    tf_buffer_init(&b);
    tf_buffer_modified_utf8(&b, "a\xc3\xa4\xe2\x82\xac\xed\xa0\xbd\xed\xb8\x80z", 13);
    is_text(tf_buffer_string(&b), "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z",
            "a surrogate pair becomes one character");
    tf_buffer_clear(&b);
    tf_buffer_modified_utf8(&b, "\xc0\x80", 2);
    ok(b.length == 1 && b.bytes[0] == 0, "C0 80 becomes a zero");
    tf_buffer_clear(&b);
    tf_buffer_modified_utf8(&b, "\xed\xa0\xbdx\xff\xc3", 6);
    is_text(tf_buffer_string(&b), "\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd",
            "lone surrogates and bad bytes are replaced");
    tf_buffer_clear(&b);
    tf_buffer_modified_utf8(&b, "\xf0\x9f\x98\x80", 4);
    is_text(tf_buffer_string(&b), "\xf0\x9f\x98\x80", "standard UTF-8 stays");
    tf_buffer_release(&b);
}

static void
test_printable(void)
{
    static const struct { const char *text, *want, *name; } rows[] = {
        { "p.C\xc3\xa4\xe2\x82\xac", "p.C\xc3\xa4\xe2\x82\xac", "letters stay" },
        { "a\nb\rc\td\033e\177", "a\\nb\\rc\\td\\u001be\\u007f",
          "controls become escapes" },
        { "a\\nb", "a\\\\nb", "a backslash becomes two" },
        { "a\xc0\x80" "b", "a\\u0000b", "a zero is one of them" },
        { "\xc2\x85\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6",
          "\\u0085\\u2028\\u202e\\u2066", "and so is what moves lines and directions" },
        { "\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd", "\xf0\x9f\x98\x80\xef\xbf\xbd",
          "surrogates are as in modified UTF-8" }
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tf_buffer b;

        tf_buffer_init(&b);
        tf_buffer_printable(&b, rows[i].text, strlen(rows[i].text));
        is_text(tf_buffer_string(&b), rows[i].want, rows[i].name);
        tf_buffer_release(&b);
    }
}

static void
type_is(const char *descriptor, bool good, const char *want)
{
    struct tf_buffer b;
    bool answer;

    tf_buffer_init(&b);
    answer = tf_name_type(&b, descriptor);
    is_text(tf_buffer_string(&b), want, descriptor);
    is_int(answer, good, "and is it a type?");
    tf_buffer_release(&b);
}

static void
test_names(void)
{
    char *include[] = { (char *)"p.*", (char *)"q.C", NULL };
    char *exclude[] = { (char *)"*$*", NULL };
    struct tf_buffer b;
    char name[] = "p.q.C";

    type_is("I", true, "int");
    type_is("Ljava/lang/String;", true, "java.lang.String");
    type_is("[[Lp/C$D;", true, "p.C$D[][]");
    type_is("[J", true, "long[]");
    type_is("Lp/C.0x1f;", true, "p.C/0x1f");
    type_is("Lp/C", false, "Lp/C");
    type_is("L;", false, "L;");
    type_is("Q", false, "Q");
    type_is("", false, "");
    type_is("II", false, "intI");
    tf_buffer_init(&b);
    ok(tf_name_parameters(&b, "(I[JLp/C;)V"), "a method descriptor");
    is_text(tf_buffer_string(&b), "(int, long[], p.C)", "its parameters");
    tf_buffer_clear(&b);
    ok(!tf_name_parameters(&b, "(I"), "an unfinished descriptor is none");
    is_text(tf_buffer_string(&b), "(I", "and stays as it is");
    tf_buffer_clear(&b);
    ok(tf_name_method_descriptor(&b, "p.C", "m", "(J)[I"), "a method");
    is_text(tf_buffer_string(&b), "int[] p.C.m(long)", "as it is declared");
    tf_buffer_release(&b);
    tf_name_to_internal(name);
    is_text(name, "p/q/C", "an internal name");
    ok(tf_name_matches("p.*", "p.q.C"), "a star crosses dots");
    ok(tf_name_matches("*.C", "p.q.C") && !tf_name_matches("*.D", "p.q.C"), "a suffix");
    ok(tf_name_matches("p.?.C", "p.q.C") && !tf_name_matches("p.?.C", "p.qq.C"), "?");
    ok(tf_name_matches("a*b*c", "a1b2b3c") && !tf_name_matches("a*b*c", "a1c"),
       "several stars");
    ok(!tf_name_matches("p", "p.q") && tf_name_matches("*", ""), "the ends count");
    ok(tf_name_wanted(include, exclude, "p.C"), "included");
    ok(!tf_name_wanted(include, exclude, "p.C$D"), "included and excluded");
    ok(!tf_name_wanted(include, exclude, "q.D"), "not included");
    ok(tf_name_wanted(NULL, exclude, "q.D"), "everything is included by default");
}

static void
test_json(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct tf_json json;

    tf_json_init(&json, stream);
    tf_json_open_object(&json, NULL);
    tf_json_string(&json, "a\"b", "\\\n\t\x01\xc0\x80 \xed\xa0\xbd\xed\xb8\x80\xff");
    tf_json_open_array(&json, "list");
    tf_json_number(&json, NULL, INT64_MIN);
    tf_json_double(&json, NULL, 0.5);
    tf_json_double(&json, NULL, INFINITY);
    tf_json_decimal(&json, NULL, -1234567, 3);
    tf_json_decimal(&json, NULL, 5, 3);
    tf_json_bool(&json, NULL, true);
    tf_json_null(&json, NULL);
    tf_json_open_object(&json, NULL);
    tf_json_close(&json);
    tf_json_close(&json);
    tf_json_string(&json, "none", NULL);
    tf_json_close(&json);
    fclose(stream);
    is_text(text, "{\"a\\\"b\":\"\\\\\\n\\u0009\\u0001\\u0000 \xf0\x9f\x98\x80\xef\xbf\xbd\","
            "\"list\":[-9223372036854775808,0.5,null,-1234.567,0.005,true,null,{}],"
            "\"none\":null}\n", "JSON");
    free(text);
    stream = open_memstream(&text, &size);
    tf_json_init(&json, stream);
    json.pretty = true;
    tf_json_open_object(&json, NULL);
    tf_json_number(&json, "a", 1);
    tf_json_open_array(&json, "b");
    tf_json_close(&json);
    tf_json_close(&json);
    fclose(stream);
    is_text(text, "{\n  \"a\": 1,\n  \"b\": []\n}\n", "pretty JSON");
    free(text);
}

static void
test_xml(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct tf_xml xml;

    tf_xml_init(&xml, stream, "<!DOCTYPE a>");
    tf_xml_open(&xml, "a");
    tf_xml_attribute(&xml, "name", "<init>\n\"&'\x01");
    tf_xml_attribute_format(&xml, "n", "%d", 7);
    tf_xml_open(&xml, "b");
    tf_xml_close(&xml);
    tf_xml_open(&xml, "c");
    tf_xml_text(&xml, "x<y");
    tf_xml_close(&xml);
    tf_xml_close(&xml);
    fclose(stream);
    is_text(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE a>\n"
            "<a name=\"&lt;init&gt;&#10;&quot;&amp;'\xef\xbf\xbd\" n=\"7\">\n <b/>\n"
            " <c>x&lt;y</c>\n</a>\n", "XML");
    free(text);
}

/* How many entries does a folder have? */
static int
entries(const char *path)
{
    DIR *folder = opendir(path);
    int count = -2;

    while (folder != NULL && readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static bool
content_is(const char *path, const char *want)
{
    char content[64] = "";
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return false;
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    return strcmp(content, want) == 0;
}

static bool nameless_files = true;

/* In place of the C library's: file systems without files that have no name refuse
   O_TMPFILE so. */
int
open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if ((flags & O_TMPFILE) == O_TMPFILE && !nameless_files) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return openat(AT_FDCWD, path, flags, mode);
}

/* A child begins the file and is killed; afterwards `left` entries are in the folder. */
static void
test_killed(const char *folder, const char *path, int left, const char *name)
{
    struct tf_output *output;
    int ready[2];
    char byte;
    pid_t child;

    if (pipe(ready) != 0 || (child = fork()) < 0) {
        ok(false, name);
        return;
    }
    if (child == 0) {
        output = tf_output_open(path);
        tf_output_write(output, "part", 4);
        fflush(tf_output_stream(output));
        (void)!write(ready[1], "x", 1);
        for (;;)
            pause();
    }
    (void)!read(ready[0], &byte, 1);
    output = tf_output_open(path);
    ok(entries(folder) == (left == 0 ? 0 : 2), "a writer leaves another's file alone");
    tf_output_discard(output);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    ok(entries(folder) == left, name);
}

static void
test_output_in(const char *folder, bool nameless)
{
    int meanwhile = nameless ? 0 : 1;
    char path[64], other[96];
    struct tf_output *output;
    FILE *file;

    nameless_files = nameless;
    snprintf(path, sizeof path, "%s/result", folder);
    output = tf_output_open(path);
    ok(tf_output_write(output, "first", 5), "writing");
    fflush(tf_output_stream(output));
    ok(access(path, F_OK) != 0 && entries(folder) == meanwhile,
       "no file under the name yet");
    ok(tf_output_commit(output), "commit");
    ok(content_is(path, "first") && entries(folder) == 1, "the file is there whole");
    output = tf_output_open(path);
    fputs("second", tf_output_stream(output));
    tf_output_discard(output);
    ok(content_is(path, "first") && entries(folder) == 1,
       "what is discarded leaves the old file");
    ok(tf_output_try(path) && content_is(path, "first") && entries(folder) == 1,
       "a try changes nothing");
    output = tf_output_open(path);
    fputs("third", tf_output_stream(output));
    ok(tf_output_commit(output) && content_is(path, "third") && entries(folder) == 1,
       "the new file takes the place of the old one");
    unlink(path);
    test_killed(folder, path, meanwhile, nameless ? "a kill leaves nothing"
                : "a kill leaves a file beside the place");
    snprintf(other, sizeof other, "%s/result.backup.tmp", folder);
    file = fopen(other, "w");
    fclose(file);
    ok(tf_output_try(path) && entries(folder) == 1 && access(other, F_OK) == 0,
       "the next one removes that, and nothing else");
    unlink(other);
}

static void
test_output(void)
{
    char folder[] = "/tmp/tiforge-output-XXXXXX";
    struct tf_output *output;

    if (!ok(mkdtemp(folder) != NULL, "a folder"))
        return;
    test_output_in(folder, true);
    test_output_in(folder, false);
    rmdir(folder);
    tf_log_set_level(TF_LOG_ERROR);
    ok(tf_output_open("/no/such/folder/x") == NULL && !tf_output_try("/no/such/folder/x"),
       "no file in a folder that is not there");
    ok(tf_output_open("/tmp") == NULL, "nor one in the place of a folder");
    output = tf_output_open("/dev/full");
    tf_output_write(output, "x", 1);
    ok(!tf_output_commit(output), "a full disk is an error");
}

int
main(void)
{
    test_buffer();
    test_utf8();
    test_printable();
    test_names();
    test_json();
    test_xml();
    test_output();
    return tap_done();
}
