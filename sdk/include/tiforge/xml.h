/* SPDX-License-Identifier: MIT */
/*
 * tiforge/xml.h -- writes XML 1.0 as a stream: elements in order, attributes right
 * after their element, everything escaped.  Characters that XML cannot have become
 * U+FFFD. Errors of writing stay with the stream (ferror).
 */
#ifndef TIFORGE_XML_H
#define TIFORGE_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TF_XML_DEPTH 64

struct tf_xml {
    FILE *stream;
    int depth;
    bool tag_open, text;
    const char *names[TF_XML_DEPTH];
};

/* Writes the XML declaration and, unless it is NULL, the DOCTYPE's text as it is. */
void tf_xml_init(struct tf_xml *xml, FILE *stream, const char *doctype);
/* name must live until the element is closed. */
void tf_xml_open(struct tf_xml *xml, const char *name);
void tf_xml_attribute(struct tf_xml *xml, const char *name, const char *value);
void tf_xml_attribute_format(struct tf_xml *xml, const char *name, const char *format,
                             ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
void tf_xml_text(struct tf_xml *xml, const char *text);
void tf_xml_close(struct tf_xml *xml);

/* Text escaped for XML and HTML, attributes included, without anything around it. */
void tf_xml_escape(FILE *stream, const char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
