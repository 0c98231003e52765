/* SPDX-License-Identifier: MIT */
/* Lab 1: an agent that greets.  See handout.md. */
#include "lab.h"

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)vm;
    (void)options;
    (void)reserved;
    /* Your work begins here. */
    return JNI_OK;
}
