/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/General.c -- the timers beside the kernel's clocks, and the verbose
 * flags by what is printed. */

#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static jvmtiEnv *ti;

static jlong
nanos_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (jlong)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A clock's value lies between what the kernel says before and after. */
static void
check_cpu_time(const char *name, jthread thread, bool own)
{
    jlong before = nanos_of(CLOCK_THREAD_CPUTIME_ID), got = -1, after;
    jvmtiError error = own ? (*ti)->GetCurrentThreadCpuTime(ti, &got)
                           : (*ti)->GetThreadCpuTime(ti, thread, &got);

    after = nanos_of(CLOCK_THREAD_CPUTIME_ID);
    check(name, error == JVMTI_ERROR_NONE && before <= got && got <= after);
}

static void
check_info(const char *name, jvmtiError error, const jvmtiTimerInfo *info,
           jvmtiTimerKind kind)
{
    check(name, error == JVMTI_ERROR_NONE && info->kind == kind
                    && (uint64_t)info->max_value >= INT64_MAX
                    && !info->may_skip_forward && !info->may_skip_backward);
}

JNIEXPORT void JNICALL
Java_General_timers(JNIEnv *jni, jclass c)
{
    volatile long burn = 0;
    jvmtiTimerInfo info;
    jlong first, second;
    jint processors = -1;
    jthread self;

    (*ti)->GetCurrentThread(ti, &self);
    check_cpu_time("current-cpu-time", NULL, true);
    check_cpu_time("thread-cpu-time", self, false);
    check_cpu_time("null-cpu-time", NULL, false);
    while (nanos_of(CLOCK_THREAD_CPUTIME_ID) < 50000000 || burn < 1000000)
        burn++;
    check_cpu_time("current-cpu-time-later", NULL, true);
    memset(&info, 0, sizeof info);
    check_info("current-timer", (*ti)->GetCurrentThreadCpuTimerInfo(ti, &info), &info,
               JVMTI_TIMER_TOTAL_CPU);
    memset(&info, 0, sizeof info);
    check_info("thread-timer", (*ti)->GetThreadCpuTimerInfo(ti, &info), &info,
               JVMTI_TIMER_TOTAL_CPU);
    memset(&info, 0, sizeof info);
    check_info("timer", (*ti)->GetTimerInfo(ti, &info), &info, JVMTI_TIMER_ELAPSED);
    jlong begin = nanos_of(CLOCK_MONOTONIC);
    check_int("time", (*ti)->GetTime(ti, &first), JVMTI_ERROR_NONE);
    usleep(20000);
    (*ti)->GetTime(ti, &second);
    jlong passed = nanos_of(CLOCK_MONOTONIC) - begin;
    check("time-passes", second - first >= 20000000 && second - first <= passed);
    check_int("processors", (*ti)->GetAvailableProcessors(ti, &processors),
              JVMTI_ERROR_NONE);
    jclass runtime = (*jni)->FindClass(jni, "java/lang/Runtime");
    jobject r = (*jni)->CallStaticObjectMethod(
        jni, runtime,
        (*jni)->GetStaticMethodID(jni, runtime, "getRuntime", "()Ljava/lang/Runtime;"));
    check_int("processors-java", processors,
              (*jni)->CallIntMethod(
                  jni, r, (*jni)->GetMethodID(jni, runtime, "availableProcessors",
                                              "()I")));
}

/* ---- verbose flags ---- */

static int console = -1;
static FILE *taken;

JNIEXPORT void JNICALL
Java_General_begin(JNIEnv *jni, jclass c, jboolean verbose)
{
    check_int(verbose ? "set" : "clear",
              (*ti)->SetVerboseFlag(ti, JVMTI_VERBOSE_CLASS, verbose), JVMTI_ERROR_NONE);
    fflush(stdout);
    taken = tmpfile();
    console = dup(1);
    dup2(fileno(taken), 1);
}

JNIEXPORT jboolean JNICALL
Java_General_end(JNIEnv *jni, jclass c, jstring name)
{
    char wanted[100] = "", line[1000];
    jboolean found = JNI_FALSE;

    (*jni)->GetStringUTFRegion(jni, name, 0, (*jni)->GetStringLength(jni, name), wanted);
    fflush(stdout);
    dup2(console, 1);
    close(console);
    rewind(taken);
    while (fgets(line, sizeof line, taken) != NULL)
        found |= strstr(line, wanted) != NULL;
    fclose(taken);
    return found;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    const jvmtiCapabilities wanted = { .can_get_current_thread_cpu_time = 1,
                                       .can_get_thread_cpu_time = 1 };

    ti = make_env(vm, JVMTI_VERSION_1_0, &wanted);
    check("no-options", options != NULL && options[0] == '\0');
    return JNI_OK;
}
