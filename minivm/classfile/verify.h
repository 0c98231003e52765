/* SPDX-License-Identifier: MIT */
/* minivm/classfile/verify.h -- verification by type checking (JVMS 4.10.1). */

#ifndef MINIVM_CLASSFILE_VERIFY_H
#define MINIVM_CLASSFILE_VERIFY_H

#include "classfile/classfile.h"

/*
 * What the verifier asks about other classes.  Each answers 1 for yes, 0 for no
 * and -1 when it failed, with an exception pending; the verifier stops then.  A
 * hook may load classes and so run Java code, the verifier of this very class
 * included.  Names are in internal form and never arrays.
 */
struct verify_hooks {
    void *context;

    /*
     * Whether a value of class from may stand where class to is wanted: to is an
     * interface, or from is to or one of its subclasses.  Not asked when the names
     * are equal or to is java/lang/Object.
     */
    int (*assignable)(void *context, const struct symbol *from,
                      const struct symbol *to);

    /* Whether an array may stand where class to is wanted: to is java/lang/Cloneable
       or java/io/Serializable.  The hook is for loading that class as HotSpot does;
       with NULL the name decides. */
    int (*array_assignable)(void *context, const struct symbol *to);

    /*
     * Whether the member, found from class_name up, is protected and declared in a
     * superclass of the class being verified that is in another run-time package
     * (JVMS 4.10.1.8); a class_name that is no proper superclass answers no.
     */
    int (*protected_elsewhere)(void *context, const struct symbol *class_name,
                               const struct symbol *name,
                               const struct symbol *descriptor, bool is_field);

    /* Whether the class has become verified meanwhile, by a recursion through the
       other hooks; the verifier stops with VERIFY_OK then.  May be NULL. */
    bool (*verified_meanwhile)(void *context);
};

enum verify_status {
    VERIFY_OK,
    VERIFY_ERROR,                      /* VerifyError */
    VERIFY_FORMAT,                     /* ClassFormatError */
    VERIFY_FAILED,                     /* a hook failed */
    VERIFY_NO_MEMORY                   /* OutOfMemoryError */
};

struct verify_result {
    enum verify_status status;
    char *message;                     /* HotSpot's form, with details; or NULL */
    bool fail_over;                    /* the file is of version 50, and libverify may
                                          have a second try */
};

/*
 * Verify every method of cf, whose version is at least 50; older files are for
 * libverify.  Release the result with verify_result_release.
 */
void verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
                  struct verify_result *result);

void verify_result_release(struct verify_result *result);

#endif
