/* SPDX-License-Identifier: MIT */
/* tck/agent/frame_notify.c -- NotifyFramePop and ClearAllFramePops. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <string.h>

#define SPIN(result) "(Ltck/Stage;IJFDLjava/lang/Object;)" result

/* -- NotifyFramePop -- */

TCK_CASE("frame", notify_suspended, "NotifyFramePop.behaviour.suspended-thread",
         "Notify Frame Pop", 204)
{
    jmethodID m = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 0);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
    SAME(0, record_at(record_find(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL, 0))->a);
}

TCK_CASE("frame", notify_caller, "NotifyFramePop.behaviour.caller-frame",
         "Notify Frame Pop", 202)
{
    jmethodID run = stage_method(t, "tck/Stage", "run", "()V", false);
    jmethodID spin = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 1);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, run, NULL));
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, spin, NULL));
}

/* Record the frames that the case's environment and this other one are told of; false
   where only one can be, and the case is skipped. */
static bool
record_pops_of_both(struct tck *t, jvmtiEnv *env)
{
    jvmtiCapabilities pops = { .can_generate_frame_pop_events = 1 };

    jvmtiError error = (*env)->AddCapabilities(env, &pops);

    if (error == JVMTI_ERROR_NOT_AVAILABLE)
        tck_skip(t, "only one environment can hold can_generate_frame_pop_events");
    else
        tck_want(t, "AddCapabilities", JVMTI_ERROR_NONE, error);
    if (error != JVMTI_ERROR_NONE) {
        (*env)->DisposeEnvironment(env);
        return false;
    }
    record_start(t, t->jvmti);
    record_also(t, env);
    return record_enable(t, t->jvmti, JVMTI_EVENT_FRAME_POP, NULL)
        && record_enable(t, env, JVMTI_EVENT_FRAME_POP, NULL);
}

TCK_CASE("frame", notify_per_env, "NotifyFramePop.behaviour.per-environment",
         "Notify Frame Pop", 205)
{
    jvmtiEnv *env = tck_new_env(t);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    TRUE(env != NULL);
    if (!record_pops_of_both(t, env))
        return;
    thread = stage_suspended(t, 'V');
    CALL(NotifyFramePop, thread, 0);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    SAME(0, record_matches(env, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    CALL_ON(env, DisposeEnvironment);
}

/* Both requests are there before the first frame ends. */
TCK_CASE("frame", notify_two_frames, "NotifyFramePop.behaviour.two-frames",
         "Notify Frame Pop", 775)
{
    jmethodID run = stage_method(t, "tck/Stage", "run", "()V", false);
    jmethodID spin = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 1);
    CALL(NotifyFramePop, thread, 0);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    THE(first, JVMTI_EVENT_FRAME_POP, spin, 0);
    THE(second, JVMTI_EVENT_FRAME_POP, run, 0);
    TRUE(first < second);
}

TCK_CASE("frame", notify_two_threads, "NotifyFramePop.behaviour.two-threads",
         "Notify Frame Pop", 775)
{
    jmethodID spin = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread one, other;
    jint hash_one, hash_other;

    NEED("can_generate_frame_pop_events");
    one = stage_suspended(t, 'V');
    other = stage_suspended(t, 'V');
    hash_one = record_hash(t, one);
    hash_other = record_hash(t, other);
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, one, 0);
    CALL(NotifyFramePop, other, 0);
    stage_finish(t, one);
    stage_finish(t, other);
    record_quiet(t);
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, spin, NULL));
    THE(first, JVMTI_EVENT_FRAME_POP, spin, 0);
    THE(second, JVMTI_EVENT_FRAME_POP, spin, 1);
    SAME(hash_one, first->hash2);
    SAME(hash_other, second->hash2);
}

/* Each has its own request for the same frame. */
TCK_CASE("frame", notify_two_envs, "NotifyFramePop.behaviour.two-environments",
         "Notify Frame Pop", 775)
{
    jvmtiEnv *env = tck_new_env(t);
    jmethodID spin = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    TRUE(env != NULL);
    if (!record_pops_of_both(t, env))
        return;
    thread = stage_suspended(t, 'V');
    CALL(NotifyFramePop, thread, 0);
    CALL_ON(env, NotifyFramePop, thread, 0);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, spin, NULL));
    SAME(1, record_matches(env, JVMTI_EVENT_FRAME_POP, spin, NULL));
    CALL_ON(env, DisposeEnvironment);
}

/* -- ClearAllFramePops, of level 25: the header of this level has no name for it -- */

static void
clear_pops(struct tck *t, jthread thread)
{
    union tck_arg arg = { .p = thread };

    for (int i = 0; i < tck_function_count; i++)
        if (strcmp(tck_functions[i].name, "ClearAllFramePops") == 0)
            tck_want(t, "ClearAllFramePops", JVMTI_ERROR_NONE,
                     tck_functions[i].call(t->jvmti, &arg));
}

TCK_CASE_IN("frame", clear_all, "ClearAllFramePops.behaviour.no-event",
            "Clear Frame Pop", 690, TCK_LIVE, 25)
{
    jthread thread;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 0);
    CALL(NotifyFramePop, thread, 1);
    clear_pops(t, thread);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
}

TCK_CASE_IN("frame", clear_and_ask, "ClearAllFramePops.behaviour.ask-again",
            "Clear Frame Pop", 691, TCK_LIVE, 25)
{
    jmethodID m = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 0);
    clear_pops(t, thread);
    /* It is no second request, which would be DUPLICATE. */
    CALL(NotifyFramePop, thread, 0);
    stage_finish(t, thread);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
}

TCK_CASE_IN("frame", clear_one_thread, "ClearAllFramePops.behaviour.other-thread",
            "Clear Frame Pop", 692, TCK_LIVE, 25)
{
    jthread thread, other;

    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    other = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, thread, 0);
    CALL(NotifyFramePop, other, 0);
    clear_pops(t, thread);
    stage_finish(t, thread);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    stage_finish(t, other);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
}
