/* SPDX-License-Identifier: MIT */
/* layer/class.h -- class files that hooks have given. */
#ifndef LAYER_CLASS_H
#define LAYER_CLASS_H

#include "layer/check.h"

struct class_given {
    char *name;                 /* NULL: none */
    unsigned char *bytes;
    jint length;
};

/* What a hook gave last for a class.  A copy of the row; its memory is kept for as long as
   few others follow. */
struct class_given class_given_for(jclass class);

#endif
