/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics.h -- the tables of C bodies that belong to the interpreter.
 *
 * Each is what intrinsics_register_all takes (interp.h), and stands at the end of the
 * file that has its bodies.  Only intrinsics.c reads them.
 */

#ifndef MINIVM_INTERP_INTRINSICS_H
#define MINIVM_INTERP_INTRINSICS_H

#include "interp/interp.h"

extern const struct intrinsic lang_intrinsics[], string_intrinsics[],
    number_intrinsics[], virtual_intrinsics[];

#endif
