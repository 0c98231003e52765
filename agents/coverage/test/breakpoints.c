/* SPDX-License-Identifier: MIT */
/*
 * What the coverage agent was chosen against: a breakpoint at the start of each line,
 * cleared when it is reached.  For the benchmark only; it tells how many were.
 */
#include <string.h>

#include <tiforge/tiforge.h>

static unsigned set, reached;

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    jmethodID *methods = NULL;
    jobject loader = NULL;
    jint count = 0;

    (void)jni, (void)thread;
    if ((*jvmti)->GetClassLoader(jvmti, klass, &loader) != JVMTI_ERROR_NONE
        || loader == NULL
        || (*jvmti)->GetClassMethods(jvmti, klass, &count, &methods) != JVMTI_ERROR_NONE)
        return;
    for (jint m = 0; m < count; m++) {
        jvmtiLineNumberEntry *lines = NULL;
        jint rows = 0;

        if ((*jvmti)->GetLineNumberTable(jvmti, methods[m], &rows, &lines)
            != JVMTI_ERROR_NONE)
            continue;
        for (jint i = 0; i < rows; i++)
            set += (*jvmti)->SetBreakpoint(jvmti, methods[m], lines[i].start_location)
                == JVMTI_ERROR_NONE;
        tf_deallocate(jvmti, lines);
    }
    tf_deallocate(jvmti, methods);
}

static void JNICALL
on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    (void)jni, (void)thread;
    __atomic_fetch_add(&reached, 1, __ATOMIC_RELAXED);
    (*jvmti)->ClearBreakpoint(jvmti, method, location);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti, (void)jni;
    fprintf(stderr, "breakpoints: %u of %u\n", reached, set);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required = { .can_generate_breakpoint_events = 1,
                                   .can_get_line_numbers = 1 };
    jvmtiEventCallbacks callbacks = { .ClassPrepare = on_class_prepare,
                                      .Breakpoint = on_breakpoint,
                                      .VMDeath = on_vm_death };

    return tf_capabilities_add(jvmti, &required, NULL, NULL)
        && TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        && tf_events_enable(jvmti, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_BREAKPOINT,
                            JVMTI_EVENT_VM_DEATH, 0) ? TF_RUN : TF_FAILED;
}

TF_AGENT("breakpoints", JVMTI_VERSION_1_0, start);
