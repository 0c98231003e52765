/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/compare.h -- comparing the class files of two versions of a class.
 *
 * redefine.c asks here whether a new version is allowed, and which of its methods are
 * equivalent to the old ones.  Nothing here stops, collects or throws.
 */

#ifndef MINIVM_LINKING_COMPARE_H
#define MINIVM_LINKING_COMPARE_H

#include "linking/class.h"
#include "linking/redefine.h"

/* Returns REDEFINE_DONE if file may become the next version of c, or the first reason
   why not (JVM TI "Redefine Classes" lists what must not change). */
enum redefine_result version_check_allowed(const struct class *c,
                                           const struct classfile *file);

/* Returns true if method m of file is equivalent to version: the bytecodes are the same
   except for constant pool indices, and the constants mean the same (JVM TI "Obsolete
   Methods"). */
bool version_is_equivalent(const struct method_version *version,
                           const struct classfile *file, const struct cf_method *m);

#endif
