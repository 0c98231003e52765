/* SPDX-License-Identifier: MIT */
/*
 * tck/src/text.c -- makes texts that come from a VM fit for the reports.
 *
 * A VM may print any bytes; XML and JSON hold characters only.  And what a VM prints
 * when it crashes has addresses and process ids, by which two reports of the same crash
 * would differ.
 */
#include "tck/src/run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The length of the UTF-8 sequence at text if it is a character that XML 1.0 allows
   (section 2.2) and no control character; else 0. */
static size_t
character(const unsigned char *text)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    unsigned code = text[0] & (0xff >> (length == 1 ? 0 : length + 1));

    if (length == 1)
        return text[0] >= ' ' && text[0] != 0x7f;
    if (text[0] < 0xc0 || text[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)
        || code < 0xa0 || (code & 0xfffe) == 0xfffe)
        return 0;
    return length;
}

char *
readable_text(const char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    char *copy = must(malloc(4 * strlen(text) + 1)), *to = copy;

    while (*from != '\0') {
        size_t length = character(from);

        if (length == 0) {
            to += sprintf(to, "\\x%02x", *from++);
        } else {
            memcpy(to, from, length);
            to += length;
            from += length;
        }
    }
    *to = '\0';
    return copy;
}

/* Where the number ends that has to be hidden, or NULL: an address of four digits and
   more, or what follows "pid" or "tid". */
static const char *
changing_number(const char *text)
{
    const char *end = text;

    if (strncmp(text, "0x", 2) == 0) {
        for (end += 2; isxdigit((unsigned char)*end); end++)
            ;
        return end - text >= 6 ? end : NULL;
    }
    if (strncmp(text, "pid", 3) != 0 && strncmp(text, "tid", 3) != 0)
        return NULL;
    end += 3;
    end += strspn(end, "= :");
    if (!isdigit((unsigned char)*end))
        return NULL;
    while (isdigit((unsigned char)*end))
        end++;
    return end;
}

char *
comparable_text(const char *text, const char *work)
{
    size_t length = strlen(work);
    char *copy = must(malloc(2 * strlen(text) + 1)), *to = copy;

    while (*text != '\0') {
        const char *end = changing_number(text);

        if (strncmp(text, work, length) == 0) {
            *to++ = '.';
            text += length;
        } else if (end != NULL) {
            /* "0x*", "pid=*": all but the digits stays. */
            size_t prefix = *text == '0' ? 2 : 3 + strspn(text + 3, "= :");

            memcpy(to, text, prefix);
            to += prefix;
            *to++ = '*';
            text = end;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return copy;
}
