/* SPDX-License-Identifier: MIT */
/* minivm/classfile/marks.c -- the JDK's own annotations (JVMS 4.7.16). */

#include <string.h>

#include "classfile/parse.h"

enum { MAX_NESTING = 64 };

static const struct {
    const char *descriptor;
    uint16_t mark;
} known[] = {
    { "Ljdk/internal/vm/annotation/Hidden;", CF_MARK_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Hidden;", CF_MARK_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Compiled;", CF_MARK_LAMBDA_COMPILED },
    { "Ljdk/internal/reflect/CallerSensitive;", CF_MARK_CALLER_SENSITIVE },
    { "Ljdk/internal/vm/annotation/ForceInline;", CF_MARK_FORCE_INLINE },
    { "Ljdk/internal/vm/annotation/DontInline;", CF_MARK_DONT_INLINE },
    { "Ljdk/internal/vm/annotation/IntrinsicCandidate;", CF_MARK_INTRINSIC },
    { "Ljdk/internal/vm/annotation/Stable;", CF_MARK_STABLE },
    { "Ljdk/internal/vm/annotation/Contended;", CF_MARK_CONTENDED },
    { "Ljdk/internal/vm/annotation/ReservedStackAccess;", CF_MARK_RESERVED_STACK },
    { "Ljdk/internal/misc/ScopedMemoryAccess$Scoped;", CF_MARK_SCOPED },
    { "Ljdk/internal/vm/annotation/TrustFinalFields;", CF_MARK_TRUSTED_FINAL },
    { "Ljdk/internal/vm/annotation/ChangesCurrentThread;", CF_MARK_CHANGES_THREAD },
    { "Ljdk/internal/vm/annotation/JvmtiMountTransition;", CF_MARK_MOUNT_TRANSITION },
};

static void skip_annotation(struct reader *r, int depth);

/* Skip an element_value; nonsense sets r->bad. */
static void
skip_value(struct reader *r, int depth)
{
    char tag;

    if (depth > MAX_NESTING) {
        r->bad = true;
        return;
    }
    tag = (char)reader_u1(r);
    if (tag == '[') {
        for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--)
            skip_value(r, depth + 1);
    } else if (tag == '@') {
        reader_skip(r, 2);
        skip_annotation(r, depth + 1);
    } else if (tag == 'e') {
        reader_skip(r, 4);
    } else if (tag != 0 && strchr("BCDFIJSZsc", tag) != NULL) {
        reader_skip(r, 2);
    } else {
        r->bad = true;
    }
}

/* Skip the element-value pairs of an annotation whose type has been read. */
static void
skip_annotation(struct reader *r, int depth)
{
    for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--) {
        reader_skip(r, 2);
        skip_value(r, depth);
    }
}

static uint16_t
mark_of(const struct symbol *descriptor)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (symbol_equals(descriptor, known[i].descriptor))
            return known[i].mark;
    return 0;
}

uint16_t
parse_marks(const struct classfile *cf, struct reader body)
{
    uint16_t marks = 0;

    for (unsigned n = reader_u2(&body); n > 0 && !body.bad; n--) {
        unsigned type = reader_u2(&body);

        if (cf_tag_at(cf, type) == CF_UTF8)
            marks |= mark_of(cf_utf8(cf, type));
        skip_annotation(&body, 0);
    }
    return body.bad ? 0 : marks;
}
