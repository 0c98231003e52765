/* SPDX-License-Identifier: MIT */
/* The marking's own agent: calls the Agent_OnLoad of the library that its option names,
   without options. */
#include "lab.h"

#include <dlfcn.h>

typedef jint JNICALL start_fn(JavaVM *vm, char *options, void *reserved);

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    void *library = dlopen(options, RTLD_NOW);
    start_fn *start = NULL;

    if (library != NULL)
        *(void **)&start = dlsym(library, "Agent_OnLoad");
    if (start == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return JNI_ERR;
    }
    return start(vm, NULL, reserved);
}
