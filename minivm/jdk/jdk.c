/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jdk.c -- the floor's part of a new VM. */

#include "jdk/jdk.h"

#include "jdk/properties.h"

void
jdk_init(struct vm *vm)
{
    properties_init(vm);
}
