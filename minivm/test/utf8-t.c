/* SPDX-License-Identifier: MIT */
/* minivm/test/utf8-t.c -- modified UTF-8, and reading and writing bytes. */

#include "base/utf8.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "test/tap.h"

#define TEXT(literal) literal, sizeof literal - 1

static void
test_valid(void)
{
    static const struct {
        const char *what, *bytes;
        size_t length;
        bool valid, shortest;
    } cases[] = {
        { "nothing", TEXT(""), true, true },
        { "ASCII", TEXT("java/lang/Object"), true, true },
        { "0x01 and 0x7f", TEXT("\x01\x7f"), true, true },
        { "a zero byte", TEXT("a\0b"), false, false },
        { "U+0000 in two bytes", TEXT("\xc0\x80"), true, true },
        { "U+0080", TEXT("\xc2\x80"), true, true },
        { "U+07FF", TEXT("\xdf\xbf"), true, true },
        { "U+0800", TEXT("\xe0\xa0\x80"), true, true },
        { "U+FFFF", TEXT("\xef\xbf\xbf"), true, true },
        { "a surrogate", TEXT("\xed\xa0\x80"), true, true },
        { "a pair of surrogates", TEXT("\xed\xa0\xbd\xed\xb8\x80"), true, true },
        { "a four-byte sequence", TEXT("\xf0\x9f\x98\x80"), false, false },
        { "0xff", TEXT("a\xff"), false, false },
        { "a continuation alone", TEXT("\x80"), false, false },
        { "two bytes cut", TEXT("\xc2"), false, false },
        { "three bytes cut", TEXT("\xe2\x82"), false, false },
        { "two bytes broken", TEXT("\xc2" "a"), false, false },
        { "three bytes broken", TEXT("\xe2\x82" "a"), false, false },
        { "'/' in two bytes", TEXT("\xc0\xaf"), true, false },
        { "'/' in three bytes", TEXT("\xe0\x80\xaf"), true, false },
        { "U+07FF in three bytes", TEXT("\xe0\x9f\xbf"), true, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        is_int(mutf8_valid(cases[i].bytes, cases[i].length, false), cases[i].valid,
               "%s %s modified UTF-8", cases[i].what, cases[i].valid ? "is" : "is not");
        is_int(mutf8_valid(cases[i].bytes, cases[i].length, true), cases[i].shortest,
               "%s %s in its shortest form", cases[i].what,
               cases[i].shortest ? "is" : "is not");
    }
}

/* Every unit survives the way there and back. */
static void
test_units(void)
{
    size_t wrong = 0, invalid = 0;

    for (uint32_t unit = 0; unit <= 0xffff; unit++) {
        uint16_t in = (uint16_t)unit, out = 1;
        char bytes[3];
        size_t length = units_mutf8_length(&in, 1, false);
        bool latin1;

        units_to_mutf8(&in, 1, false, bytes);
        invalid += !mutf8_valid(bytes, length, true);
        wrong += mutf8_utf16_length(bytes, length, &latin1) != 1;
        mutf8_to_units(bytes, length, &out, false);
        wrong += out != in;
        wrong += latin1 != (unit < 0x100);
        wrong += utf16_is_latin1(&in, 1) != (unit < 0x100);
    }
    is_int(wrong, 0, "every UTF-16 unit comes back");
    is_int(invalid, 0, "from its shortest form");
}

static void
test_latin1(void)
{
    uint8_t in[256], out[256];
    char bytes[512];
    bool latin1;
    size_t length;

    for (int i = 0; i < 256; i++)
        in[i] = (uint8_t)i;
    length = units_mutf8_length(in, 256, true);
    is_int(length, 127 + 129 * 2, "Latin-1 takes two bytes from 0x80 on, and for 0");
    units_to_mutf8(in, 256, true, bytes);
    ok(mutf8_valid(bytes, length, true), "it is well-formed");
    is_int(mutf8_utf16_length(bytes, length, &latin1), 256, "it has 256 units");
    ok(latin1, "it is known for Latin-1");
    mutf8_to_units(bytes, length, out, true);
    is_bytes(out, 256, in, 256, "it comes back");
}

/* Bytes that are no modified UTF-8 stand for themselves, and none is overrun. */
static void
test_malformed(void)
{
    uint16_t units[8];
    const char *at;
    char *exact;
    bool latin1;

    is_int(mutf8_utf16_length(TEXT("\xff" "a\x80\xe2\x82"), &latin1), 5,
           "stray bytes count one each");
    mutf8_to_units(TEXT("\xff" "a\x80\xe2\x82"), units, false);
    ok(units[0] == 0xff && units[1] == 'a' && units[2] == 0x80 && units[3] == 0xe2
           && units[4] == 0x82,
       "and are their own value");
    /* Heap blocks of the exact size let the sanitizer see an overrun. */
    for (size_t length = 1; length <= 3; length++) {
        exact = mem_alloc(length);
        memcpy(exact, "\xe2\x82\xac", length);
        is_int(mutf8_utf16_length(exact, length, &latin1), length == 3 ? 1 : length,
               "a sequence with %zu of 3 bytes", length);
        mem_free(exact);
    }
    at = "\xe2\x82\xac!";
    is_int(mutf8_next(&at, at + 4), 0x20ac, "next decodes");
    is_int(*at, '!', "and moves on");
}

static void
check_text(char *got, size_t length, const char *want, size_t want_length,
           const char *what)
{
    is_bytes(got, length, want, want_length, "%s", what);
    is_int(got[length], 0, "with a NUL behind");
    mem_free(got);
}

static void
test_standard(void)
{
    size_t n;
    char *got;

    got = utf8_to_mutf8(TEXT("a\0\xc3\xa9\xf0\x9f\x98\x80"), &n);
    check_text(got, n, TEXT("a\xc0\x80\xc3\xa9\xed\xa0\xbd\xed\xb8\x80"),
               "UTF-8 becomes modified UTF-8");
    got = mutf8_to_utf8(TEXT("a\xc0\x80\xc3\xa9\xed\xa0\xbd\xed\xb8\x80"), &n);
    check_text(got, n, TEXT("a\0\xc3\xa9\xf0\x9f\x98\x80"), "and comes back");
    got = utf8_to_mutf8(TEXT("\xff" "a\xf0\x9f\x98" "b\xc0\xaf\xed\xa0\x80"), &n);
    check_text(got, n,
               TEXT("\xef\xbf\xbd" "a\xef\xbf\xbd" "b\xef\xbf\xbd\xef\xbf\xbd"
                    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"),
               "what is broken becomes U+FFFD, as in Java");
    got = mutf8_to_utf8(TEXT("\xed\xb8\x80x\xed\xa0\xbd"), &n);
    check_text(got, n, TEXT("?x?"), "half a pair becomes '?', as in Java");
    got = mutf8_to_utf8(TEXT("\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd"), &n);
    check_text(got, n, TEXT("?\xf0\x9f\x98\x80?"), "so does each beside a pair");
    got = utf8_to_mutf8("", 0, NULL);
    is_string(got, "", "the length need not be asked");
    mem_free(got);
}

static void
test_bytes(void)
{
    static const uint8_t bytes[] = { 0xf1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    uint8_t written[2];
    struct reader r, sub;

    is_int(get_u2(bytes), 0xf102, "u2");
    is_int(get_u4(bytes), 0xf1020304, "u4");
    put_u2(written, 0x0102);
    is_bytes(written, 2, "\1\2", 2, "values are written");

    r = reader_of(bytes, sizeof bytes);
    is_int(reader_u1(&r), 0xf1, "a reader reads u1");
    is_int(reader_u2(&r), 0x0203, "then u2");
    is_int(reader_u4(&r), 0x04050607, "then u4");
    ok(reader_bytes(&r, 0) == bytes + 7 && !r.bad, "no bytes are there always");
    is_int(reader_left(&r), 3, "three are left");
    is_int(reader_u4(&r), 0, "beyond the end is zero");
    ok(r.bad && reader_left(&r) == 0, "and the reader is bad, at the end");
    is_int(reader_u1(&r), 0, "for good");

    r = reader_of(bytes, sizeof bytes);
    reader_bytes(&r, 1);
    sub = reader_sub(&r, 3);
    is_int(reader_u2(&sub), 0x0203, "a part is read");
    is_int(reader_u2(&sub), 0, "to its own end");
    ok(sub.bad && !r.bad, "which is not the whole's");
    is_int(reader_u1(&r), 5, "the whole goes on behind it");
    sub = reader_sub(&r, 6);
    ok(sub.bad && r.bad, "a part that is too long makes both bad");
    r = reader_of(bytes, sizeof bytes);
    ok(reader_bytes(&r, SIZE_MAX) == NULL && r.bad, "no length is too large to check");
    r = reader_of(NULL, 0);
    ok(reader_u1(&r) == 0 && r.bad, "an empty reader");
}

/* One byte that is not plain ASCII is seen wherever it stands in a long text. */
static void
test_long(void)
{
    static const uint8_t bytes[] = { 0, 1, 0x2f, 0x7f, 0x80, 0x81, 0xc1, 0xff };
    size_t wrong = 0;

    for (size_t length = 1; length < 40; length++)
        for (size_t at = 0; at < length; at++)
            for (size_t i = 0; i < sizeof bytes; i++) {
                bool plain = bytes[i] > 0 && bytes[i] < 0x80, latin1;
                size_t size = length + !plain;
                char text[40], back[80];
                uint8_t units[40];

                memset(text, 'n', length);
                text[at] = (char)bytes[i];
                wrong += mutf8_valid(text, length, true) != plain;
                wrong += units_mutf8_length(text, length, true) != size;
                units_to_mutf8(text, length, true, back);
                wrong += !mutf8_valid(back, size, true);
                wrong += mutf8_utf16_length(back, size, &latin1) != length || !latin1;
                mutf8_to_units(back, size, units, true);
                wrong += memcmp(units, text, length) != 0;
            }
    is_int((long)wrong, 0, "a byte that is not plain is seen at every place");
}

int
main(void)
{
    test_valid();
    test_long();
    test_units();
    test_latin1();
    test_malformed();
    test_standard();
    test_bytes();
    return done_testing();
}
