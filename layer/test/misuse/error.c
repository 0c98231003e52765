/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/error.c -- errors that nobody looks at, and what is asked for. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>

static void
ignore(struct misuse *m)
{
    jobject loader = NULL;
    jint hash;
    jvmtiError error = (*m->jvmti)->GetClassLoader(m->jvmti, NULL, &loader);

    if (!m->right || error == JVMTI_ERROR_NONE)
        (*m->jvmti)->GetObjectHashCode(m->jvmti, loader, &hash);
}

static void
have_tags(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_tag_objects);
}

static jvmtiIterationControl JNICALL
on_object(jlong class_tag, jlong size, jlong *tag_ptr, void *user_data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)user_data;
    return JVMTI_ITERATION_ABORT;
}

static jint JNICALL
on_each(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)length, (void)user_data;
    return JVMTI_VISIT_ABORT;
}

static void
walk(struct misuse *m)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_each };

    if (m->right)
        (*m->jvmti)->IterateThroughHeap(m->jvmti, 0, NULL, &callbacks, NULL);
    else
        (*m->jvmti)->IterateOverHeap(m->jvmti, JVMTI_HEAP_OBJECT_EITHER, on_object, NULL);
}

static void
ask_level(struct misuse *m)
{
    jint version = m->right ? JVMTI_VERSION_1_0 : JVMTI_VERSION_11;
    jvmtiPhase phase;
    void *env;

    if ((*m->vm)->GetEnv(m->vm, &env, version) != JNI_OK)
        return;
    (*(jvmtiEnv *)env)->GetPhase(env, &phase);
    (*(jvmtiEnv *)env)->DisposeEnvironment(env);
}

static void
generate(struct misuse *m)
{
    (*m->jvmti)->GenerateEvents(m->jvmti, m->right ? JVMTI_EVENT_DYNAMIC_CODE_GENERATED
                                                   : JVMTI_EVENT_CLASS_LOAD);
}

static void
enable_otherwise(struct misuse *m)
{
    (*m->jvmti)->SetEventNotificationMode(m->jvmti, m->right ? JVMTI_DISABLE : 2,
                                          JVMTI_EVENT_THREAD_END, NULL);
}

/* The test gives the agent twice. */
static void
nothing(struct misuse *m)
{
    (void)m;
}

const struct misuse_case error_cases[] = {
    { .rule = "error.ignored", .init = ignore },
    { .rule = "error.deprecated", .load = have_tags, .init = walk },
    { .rule = "error.level-high", .init = ask_level },
    { .rule = "error.several-copies", .init = nothing },
    { .rule = "error.bad-argument", .init = generate },
    { .rule = "error.bad-argument/mode", .init = enable_otherwise },
    { .rule = NULL }
};
