/* SPDX-License-Identifier: MIT */
/* layer/interpose/extension.h -- between extension.c and its generated wrappers. */
#ifndef LAYER_INTERPOSE_EXTENSION_H
#define LAYER_INTERPOSE_EXTENSION_H

#include <stdint.h>

#include "layer/interpose/wrappers.h"

#define INTERPOSE_EXTENSIONS 24

/* Words and doubles after the environment: five words fit the registers of x86-64 beside
   it, the others come from the stack. */
struct extension_args {
    uintptr_t w[7];
    double d[8];
};

jvmtiError interpose_extension_call(int place, jvmtiEnv *env,
                                    const struct extension_args *args);
void interpose_extension_event(int place, jvmtiEnv *real, struct extension_args *args);

/* Generated. */
extern const jvmtiExtensionFunction interpose_extension_functions[];
extern const jvmtiExtensionEvent interpose_extension_events[];

#endif
