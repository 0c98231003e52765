/* SPDX-License-Identifier: MIT */
/*
 * minivm/classfile/verify.h -- verification by type checking (JVMS 4.10.1).
 *
 * The verifier checks the code of a parsed class file against its StackMapTables.  It
 * is called when a class is linked (minivm/linking/link.c) or redefined.  It knows
 * names, not classes: whatever depends on other classes it asks the linker by way of
 * struct verify_hooks, and only these hooks may load classes, run Java code, block or
 * collect.
 *
 * Class files below version 50 have no StackMapTable; the JDK's libverify checks them
 * by type inference (JVMS 4.10.2).  The order of the checks, the messages and their
 * details are HotSpot's.
 */

#ifndef MINIVM_CLASSFILE_VERIFY_H
#define MINIVM_CLASSFILE_VERIFY_H

#include "classfile/classfile.h"

/*
 * The questions that the verifier has about other classes.  Those that return an int
 * return 1 for yes, 0 for no, and -1 if they failed and left an exception pending; the
 * verifier stops then.  A hook may load classes and so run any Java code, even code
 * that verifies this class.  Names are in internal form (JVMS 4.2.1) and never those of
 * arrays.
 */
struct verify_hooks {
    void *context;

    /*
     * Whether class `from` is assignable to class `to` (JVMS 4.10.1.2): `to` is an
     * interface or a superclass of `from`.  Not called if the names are equal or if
     * `to` is java/lang/Object.
     */
    int (*assignable)(void *context, const struct symbol *from,
                      const struct symbol *to);

    /*
     * Whether an array is assignable to class `to`, which means that `to` is
     * java/lang/Cloneable or java/io/Serializable.  The hook exists because HotSpot
     * loads the class `to` for this question.  If it is NULL, the name decides.
     */
    int (*array_assignable)(void *context, const struct symbol *to);

    /*
     * Whether the field or method, looked up in class_name and its superclasses, is
     * protected and declared in a superclass of the class being verified that is in
     * another run-time package (JVMS 4.10.1.8).  The result is 0 if class_name is not a
     * proper superclass of that class.
     */
    int (*protected_elsewhere)(void *context, const struct symbol *class_name,
                               const struct symbol *name,
                               const struct symbol *descriptor, bool is_field);

    /* A StackMapTable without entries may have bytes behind its count, as the class
       library's release has it. */
    bool allows_long_empty_map;

    /* Whether the class has been verified in the meantime, by Java code that another
       hook ran.  The verifier stops with VERIFY_OK then.  May be NULL. */
    bool (*verified_meanwhile)(void *context);
};

enum verify_status {
    VERIFY_OK,
    VERIFY_ERROR,    /* VerifyError */
    VERIFY_FORMAT,   /* ClassFormatError */
    VERIFY_FAILED,   /* a hook failed; its exception is pending */
    VERIFY_NO_MEMORY /* OutOfMemoryError */
};

struct verify_result {
    enum verify_status status;
    /* The message of VERIFY_ERROR and VERIFY_FORMAT, with details; else NULL. */
    char *message;
    /* The file is of version 50, and libverify may decide instead (JVMS 4.10). */
    bool fail_over;
};

/*
 * Verify every method of cf, whose version must be at least 50.  Stops at the first
 * that is refused; at the first hook that fails, with VERIFY_FAILED and the hook's
 * exception pending; and with VERIFY_OK once hooks->verified_meanwhile returns true,
 * because Java code that a hook ran has had the class verified.  Fills *result, which
 * is to be released with verify_result_release.  Blocks, calls Java and collects if a
 * hook does.
 */
void verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
                  struct verify_result *result);

/* Free the message. */
void verify_result_release(struct verify_result *result);

#endif
