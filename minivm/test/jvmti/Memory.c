/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Memory.c -- the chapters "Memory Management" and "Capability". */

#include <stdint.h>

#include "check.h"

static jvmtiEnv *ti;

/* Pages of the process, by the kernel's count. */
static long
process_pages(void)
{
    long pages = -1;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f != NULL) {
        if (fscanf(f, "%ld", &pages) != 1)
            pages = -1;
        fclose(f);
    }
    return pages;
}

static void
check_allocation(void)
{
    enum { COUNT = 200 };
    unsigned char *block[COUNT], *none = (unsigned char *)&none;
    unsigned char *huge = none;
    bool good = true, aligned = true;

    check_int("allocate-0", (*ti)->Allocate(ti, 0, &none), JVMTI_ERROR_NONE);
    check("allocate-0-null", none == NULL);
    check_int("allocate-negative", (*ti)->Allocate(ti, -1, &none),
              JVMTI_ERROR_ILLEGAL_ARGUMENT);
    check_int("allocate-huge", (*ti)->Allocate(ti, INT64_MAX / 2, &huge),
              JVMTI_ERROR_OUT_OF_MEMORY);
    check_int("allocate-too-much", (*ti)->Allocate(ti, (jlong)1 << 61, &huge),
              JVMTI_ERROR_OUT_OF_MEMORY);
    check("allocate-failed-stores-nothing", huge == (unsigned char *)&none);
    for (int i = 0; i < COUNT; i++) {
        good &= (*ti)->Allocate(ti, i * 7 + 1, &block[i]) == JVMTI_ERROR_NONE;
        aligned &= (uintptr_t)block[i] % 8 == 0;
        memset(block[i], i, i * 7 + 1);
    }
    check("allocate-many", good);
    check("allocate-aligned", aligned);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < i * 7 + 1; k++)
            good &= block[i][k] == (unsigned char)i;
        good &= (*ti)->Deallocate(ti, block[i]) == JVMTI_ERROR_NONE;
    }
    check("allocate-apart", good);
    check_int("deallocate-null", (*ti)->Deallocate(ti, NULL), JVMTI_ERROR_NONE);
}

/* "Empty lists, arrays, sequences, etc are returned as NULL" (Function Return Values). */
static void
check_empty(JNIEnv *jni)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    const jlong tag = 77;
    void *some = &some;
    jobject *objects = some;
    jlong *tags = some;
    jfieldID *fields = some;
    jclass *interfaces = some;
    jvmtiMonitorStackDepthInfo *depths = some;
    jvmtiStackInfo *traces = some;
    jthread thread;
    jint count = -1;

    (*ti)->GetObjectsWithTags(ti, 1, &tag, &count, &objects, &tags);
    check("no-objects-with-tags", count == 0 && objects == NULL && tags == NULL);
    (*ti)->GetClassFields(ti, object, &count, &fields);
    check("no-fields", count == 0 && fields == NULL);
    (*ti)->GetImplementedInterfaces(ti, object, &count, &interfaces);
    check("no-interfaces", count == 0 && interfaces == NULL);
    objects = some;
    (*ti)->GetOwnedMonitorInfo(ti, NULL, &count, &objects);
    check("no-owned-monitors", count == 0 && objects == NULL);
    (*ti)->GetOwnedMonitorStackDepthInfo(ti, NULL, &count, &depths);
    check("no-owned-monitor-depths", count == 0 && depths == NULL);
    (*ti)->GetCurrentThread(ti, &thread);
    (*ti)->GetThreadListStackTraces(ti, 0, &thread, 1, &traces);
    check("no-traces", traces == NULL);
}

/* What is given back is used again: forty times 64 megabytes fit into 512. */
static void
check_release(void)
{
    const jlong size = 64 << 20;
    long before = process_pages();
    bool good = before > 0;

    for (int i = 0; i < 40; i++) {
        unsigned char *block;
        good &= (*ti)->Allocate(ti, size, &block) == JVMTI_ERROR_NONE;
        block[0] = block[size - 1] = 1;
        good &= (*ti)->Deallocate(ti, block) == JVMTI_ERROR_NONE;
    }
    check("deallocate", good);
    check("deallocate-releases", process_pages() - before < (512 << 20) / 4096);
}

/* ---- capabilities, as bits ---- */

static int
count_bits(const jvmtiCapabilities *c)
{
    const unsigned char *bytes = (const unsigned char *)c;
    int count = 0;

    for (size_t i = 0; i < sizeof *c; i++)
        count += __builtin_popcount(bytes[i]);
    return count;
}

static bool
is_equal(const jvmtiCapabilities *a, const jvmtiCapabilities *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* In the OnLoad phase, where every capability of an older class library can be had. */
static void
check_capabilities(JavaVM *vm)
{
    jvmtiEnv *env = make_env(vm, JVMTI_VERSION_9, NULL);
    jvmtiEnv *other = make_env(vm, JVMTI_VERSION_9, NULL);
    jvmtiCapabilities all, held, none, one = { .can_tag_objects = 1 };
    jint version = 0;

    (*env)->GetVersionNumber(env, &version);
    bool has_virtual = (version & JVMTI_VERSION_MASK_MAJOR) >= 21 << 16;
    /* What a VM does not know it need not write. */
    memset(&none, 0, sizeof none);
    memset(&all, 0, sizeof all);
    memset(&held, 0, sizeof held);
    check_int("potential", (*env)->GetPotentialCapabilities(env, &all),
              JVMTI_ERROR_NONE);
    check_int("potential-number", count_bits(&all), has_virtual ? 45 : 44);
    check("potential-virtual", all.can_support_virtual_threads == has_virtual);
    check_int("held-at-first", (*env)->GetCapabilities(env, &held), JVMTI_ERROR_NONE);
    check("held-none", is_equal(&held, &none));
    (*env)->AddCapabilities(env, &one);
    (*env)->GetCapabilities(env, &held);
    check("held-one", is_equal(&held, &one));
    check_int("add-all", (*env)->AddCapabilities(env, &all), JVMTI_ERROR_NONE);
    (*env)->GetCapabilities(env, &held);
    check("held-all", is_equal(&held, &all));
    (*other)->GetCapabilities(other, &held);
    check("held-by-one", is_equal(&held, &none));
    check_int("relinquish", (*env)->RelinquishCapabilities(env, &one),
              JVMTI_ERROR_NONE);
    (*env)->GetCapabilities(env, &held);
    check("relinquished-one",
          !held.can_tag_objects && count_bits(&held) == count_bits(&all) - 1);
    check_int("relinquish-again", (*env)->RelinquishCapabilities(env, &one),
              JVMTI_ERROR_NONE);
    (*env)->RelinquishCapabilities(env, &all);
    (*env)->GetCapabilities(env, &held);
    check("relinquished-all", is_equal(&held, &none));
    one.can_tag_objects = 0;
    one.can_support_virtual_threads = 1;
    check_int("add-virtual", (*env)->AddCapabilities(env, &one),
              has_virtual ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_AVAILABLE);
    (*env)->GetCapabilities(env, &held);
    check("added-virtual", is_equal(&held, has_virtual ? &one : &none));
    (*other)->DisposeEnvironment(other);
    (*env)->DisposeEnvironment(env);
}

JNIEXPORT void JNICALL
Java_Memory_run(JNIEnv *jni, jclass c)
{
    check_allocation();
    check_empty(jni);
    check_release();
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities capabilities = {
        .can_tag_objects = 1,
        .can_get_owned_monitor_info = 1,
        .can_get_owned_monitor_stack_depth_info = 1,
    };

    ti = make_env(vm, JVMTI_VERSION_1_1, &capabilities);
    check_capabilities(vm);
    return JNI_OK;
}
