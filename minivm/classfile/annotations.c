/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/annotations.c -- annotations that the VM heeds (JVMS 4.7.16).
 *
 * The VM leaves the meaning of annotations to reflection, but a few of the JDK's own
 * speak to the VM.  parse_vm_annotations looks for them and skips all others.
 */

#include <string.h>

#include "classfile/parse.h"

/* How deeply annotations and arrays may be nested in each other's values. */
enum { MAX_NESTING = 64 };

/* To heed another annotation, add a bit to enum cf_vm_annotation and a row here. */
static const struct {
    const char *descriptor;
    uint16_t bit;
} vm_annotations[] = {
    { "Ljdk/internal/vm/annotation/Hidden;", CF_ANNOTATION_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Hidden;", CF_ANNOTATION_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Compiled;", CF_ANNOTATION_LAMBDA_COMPILED },
    { "Ljdk/internal/reflect/CallerSensitive;", CF_ANNOTATION_CALLER_SENSITIVE },
    { "Ljdk/internal/vm/annotation/ForceInline;", CF_ANNOTATION_FORCE_INLINE },
    { "Ljdk/internal/vm/annotation/DontInline;", CF_ANNOTATION_DONT_INLINE },
    { "Ljdk/internal/vm/annotation/IntrinsicCandidate;", CF_ANNOTATION_INTRINSIC },
    { "Ljdk/internal/vm/annotation/Stable;", CF_ANNOTATION_STABLE },
    { "Ljdk/internal/vm/annotation/Contended;", CF_ANNOTATION_CONTENDED },
    { "Ljdk/internal/vm/annotation/ReservedStackAccess;",
      CF_ANNOTATION_RESERVED_STACK },
    { "Ljdk/internal/misc/ScopedMemoryAccess$Scoped;", CF_ANNOTATION_SCOPED },
    { "Ljdk/internal/vm/annotation/TrustFinalFields;", CF_ANNOTATION_TRUSTED_FINAL },
    { "Ljdk/internal/vm/annotation/ChangesCurrentThread;",
      CF_ANNOTATION_CHANGES_THREAD },
    { "Ljdk/internal/vm/annotation/JvmtiMountTransition;",
      CF_ANNOTATION_MOUNT_TRANSITION },
    { "Ljdk/internal/vm/annotation/JvmtiHideEvents;", CF_ANNOTATION_HIDE_EVENTS },
};

static void skip_annotation(struct reader *r, int depth);

/* Skips an element_value (JVMS 4.7.16.1): a letter that tells the kind, then one index
   of a constant, or two, or a nested annotation, or an array of values.  Sets r->bad if
   it is malformed, or nested so deeply that skipping it might use up the C stack
   (MAX_NESTING). */
static void
skip_value(struct reader *r, int depth)
{
    char tag = (char)reader_u1(r);

    if (depth > MAX_NESTING) {
        r->bad = true;
    } else if (tag == '[') {
        for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--)
            skip_value(r, depth + 1);
    } else if (tag == '@') {
        reader_bytes(r, 2);
        skip_annotation(r, depth + 1);
    } else if (tag == 'e') {
        reader_bytes(r, 4);
    } else if (tag != 0 && strchr("BCDFIJSZsc", tag) != NULL) {
        reader_bytes(r, 2);
    } else {
        r->bad = true;
    }
}

/* Skips the element-value pairs of an annotation whose type has been read: each is the
   index of a name and a value. */
static void
skip_annotation(struct reader *r, int depth)
{
    for (unsigned n = reader_u2(r); n > 0 && !r->bad; n--) {
        reader_bytes(r, 2);
        skip_value(r, depth);
    }
}

uint16_t
parse_vm_annotations(const struct classfile *cf, struct reader body)
{
    uint16_t found = 0;

    for (unsigned n = reader_u2(&body); n > 0 && !body.bad; n--) {
        unsigned type = reader_u2(&body);

        for (size_t i = 0; i < sizeof vm_annotations / sizeof vm_annotations[0]; i++)
            if (cf_tag_at(cf, type) == CF_UTF8
                && symbol_equals(cf_utf8(cf, type), vm_annotations[i].descriptor))
                found |= vm_annotations[i].bit;
        skip_annotation(&body, 0);
    }
    return body.bad ? 0 : found;
}
