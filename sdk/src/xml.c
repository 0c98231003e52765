/* SPDX-License-Identifier: MIT */
/* sdk/src/xml.c -- XML as a stream. */
#include <tiforge/xml.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/buffer.h>
#include <tiforge/log.h>

#include "utf8.h"

void
tf_xml_escape(FILE *stream, const char *text, size_t length)
{
    for (size_t at = 0; at < length; ) {
        char bytes[4];
        uint32_t c;

        at += tf_utf8_next(text + at, length - at, &c);
        switch (c) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        /* As they are, they would become blanks in attributes. */
        case '\t': case '\n': case '\r':
            fprintf(stream, "&#%u;", (unsigned)c);
            break;
        default:
            /* XML 1.0, 2.2: what a document may hold. */
            if (c < 0x20 || c == 0xfffe || c == 0xffff)
                c = 0xfffd;
            fwrite(bytes, 1, tf_utf8_put(bytes, c), stream);
        }
    }
}

_Noreturn static void
misuse(const char *what)
{
    tf_error("XML writer: %s", what);
    abort();
}

static void
end_tag(struct tf_xml *xml)
{
    if (xml->tag_open)
        putc('>', xml->stream);
    xml->tag_open = false;
}

void
tf_xml_init(struct tf_xml *xml, FILE *stream, const char *doctype)
{
    memset(xml, 0, sizeof *xml);
    xml->stream = stream;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    if (doctype != NULL)
        fprintf(stream, "%s\n", doctype);
}

void
tf_xml_open(struct tf_xml *xml, const char *name)
{
    if (xml->depth == TF_XML_DEPTH)
        misuse("nested too deeply");
    end_tag(xml);
    if (xml->depth > 0 && !xml->text)
        fprintf(xml->stream, "\n%*s", xml->depth, "");
    fprintf(xml->stream, "<%s", name);
    xml->names[xml->depth++] = name;
    xml->tag_open = true;
    xml->text = false;
}

void
tf_xml_attribute(struct tf_xml *xml, const char *name, const char *value)
{
    if (!xml->tag_open)
        misuse("an attribute outside of a tag");
    fprintf(xml->stream, " %s=\"", name);
    tf_xml_escape(xml->stream, value, strlen(value));
    putc('"', xml->stream);
}

void
tf_xml_attribute_format(struct tf_xml *xml, const char *name, const char *format, ...)
{
    char value[256];
    va_list args;

    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    tf_xml_attribute(xml, name, value);
}

void
tf_xml_text(struct tf_xml *xml, const char *text)
{
    if (xml->depth == 0)
        misuse("text outside of the root element");
    end_tag(xml);
    tf_xml_escape(xml->stream, text, strlen(text));
    xml->text = true;
}

void
tf_xml_close(struct tf_xml *xml)
{
    if (xml->depth == 0)
        misuse("nothing to close");
    xml->depth--;
    if (xml->tag_open)
        fputs("/>", xml->stream);
    else {
        if (!xml->text)
            fprintf(xml->stream, "\n%*s", xml->depth, "");
        fprintf(xml->stream, "</%s>", xml->names[xml->depth]);
    }
    xml->tag_open = xml->text = false;
    if (xml->depth == 0)
        putc('\n', xml->stream);
}
