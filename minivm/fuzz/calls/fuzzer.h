/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/calls/fuzzer.h -- a call that is made up, and how the run goes. */
#ifndef MINIVM_FUZZ_CALLS_FUZZER_H
#define MINIVM_FUZZ_CALLS_FUZZER_H

#include <stdio.h>

#include "fuzz/calls/stage.h"

/*
 * PLAIN: valid references, wrong ones (another kind, NULL, deleted, of unloaded
 * classes), destroyed monitors, disposed environments, numbers out of range: for JVM TI; JNI gets
 * what it may assume.  WILD: also ids and monitors that are any bits, for which minivm
 * promises an error.  JNI: mostly calls of JNI.
 */
enum mode { MODE_PLAIN, MODE_WILD, MODE_JNI };

enum { BUFFER = 16384, LIST = 4 };

struct call {
    struct stream *s;
    uint64_t random;
    int spoiled;                       /* the argument that is wrong, or -1 */
    bool foreign;                      /* of a thread that is not attached */
    bool bad_env;
    int env;                           /* its number in the stream */
    int taken;                         /* the result that is looked at */
    const struct jvmti_function *function;
    union value a[CALL_VALUES];
    char place[48];                    /* for the trace */
    char text[CALL_VALUES][256];       /* arguments in C, for the trace */
    _Alignas(16) unsigned char out[MAX_ARGUMENTS][64];
    _Alignas(16) unsigned char buffer[BUFFER];
    void *list[LIST];
    jlong numbers[LIST];
    jvmtiClassDefinition definitions[LIST];
    jvmtiCapabilities capabilities;
    jvmtiHeapCallbacks heap;
    jvmtiEventCallbacks callbacks;
    uint64_t heap_random;
    int heap_left;                     /* objects until the walk is ended */
};

struct fuzzer {
    uint64_t calls;
    enum mode mode;
    bool hotspot, counts, quiet;
    bool guests;                       /* replayed, too */
    FILE *trace, *made;
    uint64_t *only, *only_callbacks;   /* by index: a bit for each stream */
    uint64_t only_length;
    uint64_t foreign_random;
    _Atomic uint64_t jvmti_made[256], jvmti_done[256], jni_made[256];
};

extern struct fuzzer fuzzer;

uint64_t random_next(uint64_t *state);
int pick(struct call *c, int count);
void trace(struct call *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The C text of argument i. */
void describe(struct call *c, int i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void call_jvmti(struct call *c);
void call_jni(struct call *c);
void calls_of_foreign(struct stream *s);

/* Arguments of a call of JVM TI; false: the call would harm the run itself. */
bool make_arguments(struct call *c);

#endif
