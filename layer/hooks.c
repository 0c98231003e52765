/* SPDX-License-Identifier: MIT */
/* layer/hooks.c -- what the interposition tells of, handed to the families of rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"
#include "layer/page.h"
#include "layer/trace.h"

/* ---- environments and threads ---- */

void
interposed_env_made(struct interpose_env *env, jint version)
{
    struct check_env *state = calloc(1, sizeof *state);

    if (state == NULL) {
        fprintf(stderr, "tiforge check: out of memory\n");
        abort();
    }
    state->version = version;
    env->state = state;
}

void
interposed_thread_seen(struct interpose_thread *thread)
{
    struct check_thread *state = calloc(1, sizeof *state);

    if (state == NULL) {
        fprintf(stderr, "tiforge check: out of memory\n");
        abort();
    }
    state->thread = thread;
    local_reset(state);
    crash_thread_seen(state);
    thread->state = state;
}

struct check_thread *
check_thread_self(void)
{
    return interpose_thread_self()->state;
}

bool
check_may_ask(const struct interpose_thread *thread)
{
    const struct interpose_event *event = thread->event;
    void *jni = NULL;

    if (thread->restricted > 0 || (event != NULL && !event->facts->has_jni)
        || check_phase() != JVMTI_PHASE_LIVE)
        return false;
    return (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2) == JNI_OK
        && !(*(JNIEnv *)jni)->ExceptionCheck(jni);
}

void
check_thread_name(char *name, size_t size)
{
    jvmtiThreadInfo info;
    JNIEnv *jni;
    void *env;

    name[0] = '\0';
    /* At the exit it is told what was left over, and no thread's doing. */
    if (check_phase() == JVMTI_PHASE_DEAD)
        return;
    if (!check_may_ask(interpose_thread_self())
        || (*check_jvmti)->GetThreadInfo(check_jvmti, NULL, &info) != JVMTI_ERROR_NONE) {
        pthread_getname_np(pthread_self(), name, size);
        return;
    }
    snprintf(name, size, "%s", info.name != NULL ? info.name : "");
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)info.name);
    if ((*check_real_vm)->GetEnv(check_real_vm, &env, JNI_VERSION_1_2) == JNI_OK) {
        jni = env;
        (*jni)->DeleteLocalRef(jni, info.thread_group);
        (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    }
}

struct check_thread *
check_thread_of(jthread thread)
{
    void *data = NULL;

    if ((*check_jvmti)->GetThreadLocalStorage(check_jvmti, thread, &data)
        != JVMTI_ERROR_NONE)
        return NULL;
    return data;
}

/* ---- calls ---- */

bool
interposed_call_begin(struct interpose_call *call)
{
    struct check_thread *thread = call->thread->state;

    page_tell();
    trace_call_begin(call);
    crash_call_begin(thread, interpose_functions[call->function].name, false);
    if (!fault_begin(call)) {
        local_call_begin(thread);
        return false;
    }
    local_call_begin(thread);
    thread->caller = call->caller;
    error_begin(call);
    progress_call_begin(call);
    return reference_call_begin(call) && phase_begin(call) && callback_begin(call)
        && thread_begin(call) && table_begin(call) && id_begin(call)
        && monitor_begin(call) && memory_begin(call);
}

/* What the families have to say of a call that the VM has answered. */
static void
check_answer(struct interpose_call *call)
{
    memory_end(call);
    monitor_end(call);
    thread_end(call);
    phase_end(call);
    id_end(call);
    class_end(call);
    redefine_end(call);
    if (call->function == INTERPOSE_DisposeEnvironment
        && call->error == JVMTI_ERROR_NONE) {
        phase_env_ended(call->env);
        callback_env_ended(call->env);
        error_env_ended(call->env);
        leak_disposed(call->env);
    }
}

void
interposed_call_end(struct interpose_call *call)
{
    if (call->is_made)
        check_answer(call);
    error_end(call);
    local_call_end(call);
    progress_call_end(call->thread->state);
    crash_call_end(call->thread->state, call->error);
    trace_call_end(call);
}

bool
interposed_jni_begin(struct interpose_jni_call *call)
{
    struct check_thread *thread = call->thread->state;

    page_tell();
    trace_jni_begin(call);
    crash_call_begin(thread, interpose_jni_functions[call->function].name, true);
    local_call_begin(thread);
    thread->caller = call->caller;
    __atomic_store_n(&thread->busy_since, progress_now(), __ATOMIC_RELAXED);
    if (!callback_jni_begin(call))
        return false;
    table_jni_begin(call);
    call->data = reference_jni_begin(call) && id_jni_begin(call) ? call : NULL;
    return call->data != NULL;
}

void
interposed_jni_end(struct interpose_jni_call *call)
{
    if (call->data != NULL) {
        callback_jni_end(call);
        reference_jni_end(call);
        elements_end(call);
        id_jni_end(call);
    }
    local_jni_end(call);
    crash_call_end(call->thread->state, 0);
    trace_jni_end(call);
}

int
interposed_event_begin(struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;

    trace_event_begin(event);
    crash_thread_runs(thread);
    event->caller = thread->caller;
    thread->caller = NULL;
    class_bytes_shown(event);
    memory_text_shown(event);
    local_event_begin(event);
    id_event_begin(event);
    progress_event_begin(thread, event);
    callback_event_begin(event);
    stress_event(event);
    return 1;
}

void
interposed_event_end(struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;

    if (event->facts->number == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) {
        class_bytes_seen(event);
        class_bytes_given(event);
        memory_class_bytes(event);
        class_bytes_ended(event);
    }
    if (event->facts->number == JVMTI_EVENT_VM_DEATH)
        thread_at_death();
    callback_event_end(event);
    progress_event_end(thread);
    local_event_end(event);
    thread->caller = event->caller;
    trace_event_end(event);
    memory_text_ended(event);
}
