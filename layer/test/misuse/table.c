/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/table.c -- structures and texts that the agent hands over. */
#include "layer/test/misuse/misuse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void
give_callbacks(struct misuse *m)
{
    jvmtiEventCallbacks callbacks[2];

    memset(callbacks, 0, sizeof callbacks);
    (*m->jvmti)->SetEventCallbacks(m->jvmti, callbacks,
                                   m->right ? sizeof callbacks[0] : sizeof callbacks);
}

static void
give_garbage(struct misuse *m)
{
    jvmtiEventCallbacks callbacks;

    memset(&callbacks, 0, sizeof callbacks);
    if (!m->right)
        callbacks.Breakpoint = (jvmtiEventBreakpoint)(uintptr_t)0x5a5a5a5a5a5a;
    (*m->jvmti)->SetEventCallbacks(m->jvmti, &callbacks, sizeof callbacks);
}

static void
find_class(struct misuse *m)
{
    if ((*m->jni)->FindClass(m->jni, m->right ? "java/lang/String" : "java.lang.String")
        == NULL)
        (*m->jni)->ExceptionClear(m->jni);
}

static void
new_string(struct misuse *m)
{
    (*m->jni)->NewStringUTF(m->jni, m->right ? "\xc3\xa4" : "\xe4 ");
}

static void
get_frames(struct misuse *m)
{
    jint length = m->right ? 16 : 2, count = 0;
    jvmtiFrameInfo *frames = malloc((size_t)length * sizeof *frames);

    (*m->jvmti)->GetStackTrace(m->jvmti, m->thread, 0, 16, frames, &count);
    free(frames);
}

static void
give_null(struct misuse *m)
{
    jvmtiPhase phase;

    (*m->jvmti)->GetPhase(m->jvmti, m->right ? &phase : NULL);
}

static void
ask_with_garbage(struct misuse *m)
{
    jvmtiCapabilities wanted;

    memset(&wanted, m->right ? 0 : 0xa5, sizeof wanted);
    (*m->jvmti)->AddCapabilities(m->jvmti, &wanted);
}

static void
find_method(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/Thread");

    (*m->jni)->GetMethodID(m->jni, class, "setName", m->right ? "(Ljava/lang/String;)V"
                                                              : "(Ljava/lang/String)V");
    (*m->jni)->ExceptionClear(m->jni);
}

/* Right are all capabilities that there are, in a structure that was not zeroed: the VM
   need not store all of it. */
static void
ask_with_potential(struct misuse *m)
{
    jvmtiCapabilities all;

    memset(&all, 0xff, sizeof all);
    if (m->right)
        (*m->jvmti)->GetPotentialCapabilities(m->jvmti, &all);
    (*m->jvmti)->AddCapabilities(m->jvmti, &all);
}

static void
give_pointer_size(struct misuse *m)
{
    jvmtiEventCallbacks callbacks = { 0 }, *pointer = &callbacks;

    (*m->jvmti)->SetEventCallbacks(m->jvmti, pointer,
                                   m->right ? sizeof *pointer : sizeof pointer);
}

static jint JNICALL
on_each(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)length, (void)user_data;
    return JVMTI_VISIT_ABORT;
}

static void
have_tags(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_tag_objects);
}

static void
filter_either(struct misuse *m)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_each };

    (*m->jvmti)->IterateThroughHeap(m->jvmti, m->right ? JVMTI_HEAP_FILTER_TAGGED
                                                       : JVMTI_HEAP_OBJECT_EITHER,
                                    NULL, &callbacks, NULL);
}

static void
give_empty_table(struct misuse *m)
{
    jniNativeInterface *own, *changed;

    misuse_must((*m->jvmti)->GetJNIFunctionTable(m->jvmti, &own), "GetJNIFunctionTable");
    misuse_must((*m->jvmti)->GetJNIFunctionTable(m->jvmti, &changed), "GetJNIFunctionTable");
    if (!m->right)
        changed->NewWeakGlobalRef = NULL;
    (*m->jvmti)->SetJNIFunctionTable(m->jvmti, changed);
    (*m->jvmti)->SetJNIFunctionTable(m->jvmti, own);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)own);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)changed);
}

static __attribute__((noinline)) jint
count_frames(struct misuse *m)
{
    jvmtiFrameInfo frames[4];
    jint count = 0;

    (*m->jvmti)->GetStackTrace(m->jvmti, m->thread, 0, m->right ? 4 : 64, frames, &count);
    return count > 0 && frames[0].method != NULL ? count : 0;
}

static volatile jint seen_frames;

static void
give_short_array(struct misuse *m)
{
    seen_frames = count_frames(m);
}

const struct misuse_case table_cases[] = {
    { .rule = "table.buffer-short/stack", .init = give_short_array },
    { .rule = "table.capabilities-garbage", .load = ask_with_garbage },
    { .rule = "table.capabilities-garbage/potential", .load = ask_with_potential },
    { .rule = "table.callbacks-size/pointer", .init = give_pointer_size },
    { .rule = "table.heap-filter", .load = have_tags, .init = filter_either },
    { .rule = "table.jni-empty", .init = give_empty_table },
    { .rule = "table.descriptor", .init = find_method },
    { .rule = "table.callbacks-size", .load = give_callbacks },
    { .rule = "table.callback-nowhere", .load = give_garbage },
    { .rule = "table.buffer-short", .init = get_frames },
    { .rule = "table.class-name", .init = find_class },
    { .rule = "table.not-utf8", .init = new_string },
    { .rule = "error.null-pointer", .init = give_null },
    { .rule = NULL }
};
