/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/phase.c -- phases, capabilities and events. */
#include "layer/test/misuse/misuse.h"

#include <stddef.h>
#include <string.h>

static void
count_classes(struct misuse *m)
{
    jclass *classes = NULL;
    jint count = 0;

    (*m->jvmti)->GetLoadedClasses(m->jvmti, &count, &classes);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)classes);
}

static void
when_wrong(struct misuse *m)
{
    if (!m->right)
        count_classes(m);
}

static void
when_right(struct misuse *m)
{
    if (m->right)
        count_classes(m);
}

static jobject kept;
static JNIEnv *kept_jni;

static void
keep(struct misuse *m)
{
    kept = (*m->jni)->NewGlobalRef(m->jni, m->thread);
    kept_jni = m->jni;
}

static void
drop_kept(struct misuse *m)
{
    if (m->right)
        (*m->jni)->DeleteGlobalRef(m->jni, kept);
}

/* The VM is not asked for the reference, which it might no longer know. */
static void
drop_late(struct misuse *m)
{
    if (!m->right)
        (*kept_jni)->ExceptionCheck(kept_jni);
}

static void
dispose(struct misuse *m)
{
    jvmtiPhase phase;

    if (m->right)
        (*m->jvmti)->GetPhase(m->jvmti, &phase);
    misuse_must((*m->jvmti)->DisposeEnvironment(m->jvmti), "DisposeEnvironment");
    if (!m->right)
        (*m->jvmti)->GetPhase(m->jvmti, &phase);
}

/* ---- capabilities ---- */

static void
add_tags(struct misuse *m)
{
    if (m->right)
        MISUSE_CAPABILITY(m, can_tag_objects);
}

static void
get_tag(struct misuse *m)
{
    jlong tag;

    (*m->jvmti)->GetTag(m->jvmti, m->thread, &tag);
}

static void JNICALL
on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)jvmti, (void)jni, (void)thread, (void)method;
}

static void
enable_entry(struct misuse *m)
{
    misuse_callbacks.MethodEntry = on_entry;
    if (m->right)
        MISUSE_CAPABILITY(m, can_generate_method_entry_events);
    (*m->jvmti)->SetEventNotificationMode(m->jvmti, JVMTI_ENABLE,
                                          JVMTI_EVENT_METHOD_ENTRY, NULL);
    (*m->jvmti)->SetEventNotificationMode(m->jvmti, JVMTI_DISABLE,
                                          JVMTI_EVENT_METHOD_ENTRY, NULL);
}

static void
want_all(struct misuse *m)
{
    jvmtiCapabilities wanted;

    if (m->right) {
        misuse_must((*m->jvmti)->GetPotentialCapabilities(m->jvmti, &wanted),
                    "GetPotentialCapabilities");
        memset(&wanted, 0, sizeof wanted);
        wanted.can_get_line_numbers = 1;
    } else
        memset(&wanted, 0xff, sizeof wanted);
    (*m->jvmti)->AddCapabilities(m->jvmti, &wanted);
}

static void
have_tags(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_tag_objects);
}

static void
use_tags(struct misuse *m)
{
    if (m->right)
        get_tag(m);
}

/* ---- events ---- */

static void JNICALL
on_dump(jvmtiEnv *jvmti)
{
    (void)jvmti;
}

static void
enable_without_callback(struct misuse *m)
{
    if (m->right)
        misuse_callbacks.DataDumpRequest = on_dump;
    misuse_enable(m, JVMTI_EVENT_DATA_DUMP_REQUEST);
}

static void
call_back_without_enabling(struct misuse *m)
{
    misuse_callbacks.DataDumpRequest = on_dump;
    if (m->right)
        misuse_enable(m, JVMTI_EVENT_DATA_DUMP_REQUEST);
}

static void
enable_for_thread(struct misuse *m)
{
    (*m->jvmti)->SetEventNotificationMode(m->jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
                                          m->right ? NULL : m->thread);
}

static void
want_exceptions(struct misuse *m)
{
    jvmtiCapabilities wanted = { .can_generate_exception_events = 1 };

    (*m->jvmti)->AddCapabilities(m->jvmti, &wanted);
}

static void
want_early(struct misuse *m)
{
    if (m->right)
        want_exceptions(m);
}

static void
want_late(struct misuse *m)
{
    if (!m->right)
        want_exceptions(m);
}

static void JNICALL
on_early_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass class, jobject loader, const char *name,
               jobject domain, jint length, const unsigned char *bytes, jint *new_length,
               unsigned char **new_bytes)
{
    static bool is_done;
    jvmtiPhase phase;

    (void)class, (void)loader, (void)name, (void)domain, (void)length, (void)bytes;
    (void)new_length, (void)new_bytes;
    (*jvmti)->GetPhase(jvmti, &phase);
    if (is_done || jni == NULL || (misuse_now->right && phase < JVMTI_PHASE_START
                                   && phase != JVMTI_PHASE_LIVE))
        return;
    is_done = true;
    (*jni)->ExceptionCheck(jni);
}

static void
watch_early(struct misuse *m)
{
    jvmtiCapabilities wanted = { .can_generate_early_class_hook_events = 1,
                                 .can_generate_all_class_hook_events = 1 };

    misuse_must((*m->jvmti)->AddCapabilities(m->jvmti, &wanted), "AddCapabilities");
    misuse_callbacks.ClassFileLoadHook = on_early_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

const struct misuse_case phase_cases[] = {
    { .rule = "capability.late", .load = want_early, .init = want_late },
    { .rule = "phase.jni-early", .load = watch_early },
    { .rule = "phase.wrong", .load = when_wrong, .init = when_right },
    { .rule = "phase.after-death", .death = when_right, .unload = when_wrong },
    { .rule = "phase.jni-after-death", .init = keep, .death = drop_kept,
      .unload = drop_late },
    { .rule = "phase.after-dispose", .init = dispose },
    { .rule = "capability.missing", .load = add_tags, .init = get_tag },
    { .rule = "capability.event-missing", .load = enable_entry },
    { .rule = "capability.unavailable", .load = want_all, .init = want_all },
    { .rule = "capability.unused", .load = have_tags, .init = use_tags },
    { .rule = "event.no-callback", .load = enable_without_callback },
    { .rule = "event.never-enabled", .load = call_back_without_enabling },
    { .rule = "event.not-for-a-thread", .init = enable_for_thread },
    { .rule = NULL }
};
