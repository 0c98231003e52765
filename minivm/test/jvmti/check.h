/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/check.h -- what the agents of services.t share. */

#ifndef MINIVM_TEST_JVMTI_CHECK_H
#define MINIVM_TEST_JVMTI_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jvmti.h>

/* One line for services.t; the answer is good. */
static inline bool
check(const char *name, bool good)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    fflush(stdout);
    return good;
}

static inline bool
check_int(const char *name, long long actual, long long expected)
{
    if (actual == expected)
        return check(name, true);
    printf("not ok %s: %lld, expected %lld\n", name, actual, expected);
    fflush(stdout);
    return false;
}

static inline bool
check_text(const char *name, const char *actual, const char *expected)
{
    if (actual != NULL && strcmp(actual, expected) == 0)
        return check(name, true);
    printf("not ok %s: %s, expected %s\n", name, actual != NULL ? actual : "NULL",
           expected);
    fflush(stdout);
    return false;
}

/* An environment of that level with some capabilities; ends the program without. */
static inline jvmtiEnv *
make_env(JavaVM *vm, jint version, const jvmtiCapabilities *capabilities)
{
    jvmtiEnv *ti = NULL;

    if ((*vm)->GetEnv(vm, (void **)&ti, version) != JNI_OK
        || (capabilities != NULL
            && (*ti)->AddCapabilities(ti, capabilities) != JVMTI_ERROR_NONE)) {
        printf("not ok environment\n");
        exit(1);
    }
    return ti;
}

#endif
