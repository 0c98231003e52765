/* SPDX-License-Identifier: MIT */
/* tck/agent/frame.c -- popping frames, early returns, notification of pops. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <string.h>

#define SPIN(result) "(Ltck/Stage;IJFDLjava/lang/Object;)" result

/* A suspended thread in a method of tck.Frames; skips the case where none can be. */
static jthread
in_frames(struct tck *t, char which)
{
    jthread thread;

    if (!tck_has(t, "can_suspend")) {
        tck_skip(t, "the VM does not offer can_suspend");
        return NULL;
    }
    thread = stage_call(t, "tck/Frames", "launch", "(I)Ltck/Stage;", (jint)which);
    stage_adopt(t, thread);
    if (thread != NULL)
        tck_want(t, "SuspendThread", JVMTI_ERROR_NONE,
                 (*t->jvmti)->SuspendThread(t->jvmti, thread));
    return thread;
}

/*
 * Make a call that forces a return or pops a frame.  A VM may be "unable to provide this
 * functionality on this frame": then the case does not apply.
 */
#define UNLESS_OPAQUE(function, ...)                                                   \
    do {                                                                               \
        jvmtiError error_ = (*t->jvmti)->function(t->jvmti, __VA_ARGS__);              \
                                                                                       \
        if (error_ == JVMTI_ERROR_OPAQUE_FRAME)                                        \
            tck_skip(t, "the VM is unable to do it to this frame");                    \
        else                                                                           \
            tck_want(t, #function "(" #__VA_ARGS__ ")", JVMTI_ERROR_NONE, error_);     \
        if (error_ != JVMTI_ERROR_NONE)                                                \
            return;                                                                    \
    } while (0)

static jlong
runs(struct tck *t)
{
    return stage_call_long(t, "tck/Frames", "runs", "()I");
}

static void
await_entries(struct tck *t, jthread thread, jint n)
{
    stage_call_void(t, "tck/Frames", "awaitEntries", "(Ltck/Stage;I)V", thread, n);
}

/* -- PopFrame -- */

TCK_CASE("frame", pop_again, "PopFrame.behaviour.invokes-again", "Pop Frame", 191)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = stage_suspended(t, 'V');
    SAME(1, stage_get_long(t, thread, "entries"));
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    stage_finish(t, thread);
    SAME(2, stage_get_long(t, thread, "entries"));
    /* The arguments are those of the first call. */
    SAME(11, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", pop_frames, "PopFrame.behaviour.one-frame-less", "Pop Frame", 191)
{
    jthread thread;
    jint before, after;

    NEED("can_pop_frame");
    thread = stage_suspended(t, 'V');
    CALL(GetFrameCount, thread, &before);
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    CALL(SuspendThread, thread);
    CALL(GetFrameCount, thread, &after);
    CALL(ResumeThread, thread);
    SAME(before, after);
}

TCK_CASE("frame", pop_arguments, "PopFrame.behaviour.changed-arguments-remain",
         "Pop Frame", 192)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = in_frames(t, 'm');
    SAME(1, stage_call_long(t, "tck/Frames", "seen", "()I"));
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    SAME(42, stage_call_long(t, "tck/Frames", "seen", "()I"));
}

TCK_CASE("frame", pop_locks, "PopFrame.behaviour.locks-released", "Pop Frame", 193)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = in_frames(t, 's');
    SAME(1, stage_call_long(t, "tck/Frames", "locksHeld", "()Z"));
    UNLESS_OPAQUE(PopFrame, thread);
    /* It enters them again when it goes on, and leaves them in the end. */
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    stage_finish(t, thread);
    SAME(1, stage_call_long(t, "tck/Frames", "locksFree", "()Z"));
    SAME(1, runs(t));
}

TCK_CASE("frame", pop_finally, "PopFrame.behaviour.no-finally", "Pop Frame", 194)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = in_frames(t, 'f');
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    SAME(0, runs(t));
    stage_finish(t, thread);
    SAME(101, runs(t));
}

TCK_CASE("frame", pop_silent, "PopFrame.behaviour.no-events", "Pop Frame", 196)
{
    jmethodID m = stage_method(t, "tck/Stage", "spinV", SPIN("V"), true);
    jthread thread;

    NEED("can_pop_frame");
    NEED("can_generate_method_exit_events");
    NEED("can_generate_frame_pop_events");
    thread = stage_suspended(t, 'V');
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    CALL(NotifyFramePop, thread, 0);
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL));
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
    record_quiet(t);
}

TCK_CASE("frame", pop_globals, "PopFrame.behaviour.global-state-remains", "Pop Frame",
         195)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = in_frames(t, 'm');
    UNLESS_OPAQUE(PopFrame, thread);
    /* entries, which the popped call has counted, stays counted. */
    SAME(1, stage_get_long(t, thread, "entries"));
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
}

/* -- early returns -- */

static void
returned(struct tck *t, jthread thread)
{
    tck_want(t, "ResumeThread", JVMTI_ERROR_NONE,
             (*t->jvmti)->ResumeThread(t->jvmti, thread));
    /* It ends without having been let go: the spinning loop is over. */
    stage_call_void(t, "tck/Threads", "join", "(Ljava/lang/Thread;)V", thread);
}

TCK_CASE("frame", return_int, "ForceEarlyReturnInt.behaviour.value",
         "Force Early Return", 206)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'I');
    UNLESS_OPAQUE(ForceEarlyReturnInt, thread, -123456);
    returned(t, thread);
    SAME(-123456, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", return_long, "ForceEarlyReturnLong.behaviour.value",
         "Force Early Return - Long", 218)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'J');
    UNLESS_OPAQUE(ForceEarlyReturnLong, thread, 0x123456789abcdef0);
    returned(t, thread);
    SAME(0x123456789abcdef0, stage_get_long(t, thread, "longResult"));
}

static jdouble
double_result(struct tck *t, jthread thread)
{
    jclass k = stage_class(t, "tck/Stage");

    return (*t->jni)->GetDoubleField(
        t->jni, thread, (*t->jni)->GetFieldID(t->jni, k, "doubleResult", "D"));
}

TCK_CASE("frame", return_float, "ForceEarlyReturnFloat.behaviour.value",
         "Force Early Return - Float", 219)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'F');
    UNLESS_OPAQUE(ForceEarlyReturnFloat, thread, -0.5f);
    returned(t, thread);
    TRUE(double_result(t, thread) == -0.5);
}

TCK_CASE("frame", return_double, "ForceEarlyReturnDouble.behaviour.value",
         "Force Early Return - Double", 220)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'D');
    UNLESS_OPAQUE(ForceEarlyReturnDouble, thread, 1e300);
    returned(t, thread);
    TRUE(double_result(t, thread) == 1e300);
}

TCK_CASE("frame", return_object, "ForceEarlyReturnObject.behaviour.value",
         "Force Early Return - Object", 216)
{
    jthread thread, other = stage_unstarted(t, 'V');

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'L');
    UNLESS_OPAQUE(ForceEarlyReturnObject, thread, other);
    returned(t, thread);
    TRUE((*t->jni)->IsSameObject(t->jni, other,
                                 stage_get(t, thread, "objectResult",
                                           "Ljava/lang/Object;")));
}

TCK_CASE("frame", return_null, "ForceEarlyReturnObject.behaviour.null",
         "Force Early Return - Object", 216)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'L');
    UNLESS_OPAQUE(ForceEarlyReturnObject, thread, NULL);
    returned(t, thread);
    TRUE(stage_get(t, thread, "objectResult", "Ljava/lang/Object;") == NULL);
}

TCK_CASE("frame", return_void, "ForceEarlyReturnVoid.behaviour.no-further-instruction",
         "Force Early Return", 207)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = stage_suspended(t, 'V');
    UNLESS_OPAQUE(ForceEarlyReturnVoid, thread);
    returned(t, thread);
    /* The rest of spinV would have stored 11. */
    SAME(0, stage_get_long(t, thread, "longResult"));
    SAME(1, stage_get_long(t, thread, "entries"));
}

TCK_CASE("frame", return_finally, "ForceEarlyReturnVoid.behaviour.no-finally",
         "Force Early Return", 207)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = in_frames(t, 'f');
    UNLESS_OPAQUE(ForceEarlyReturnVoid, thread);
    returned(t, thread);
    SAME(0, runs(t));
}

TCK_CASE("frame", return_locks, "ForceEarlyReturnVoid.behaviour.locks-released",
         "Force Early Return", 208)
{
    jthread thread;

    NEED("can_force_early_return");
    thread = in_frames(t, 's');
    UNLESS_OPAQUE(ForceEarlyReturnVoid, thread);
    returned(t, thread);
    SAME(0, runs(t));
    SAME(1, stage_call_long(t, "tck/Frames", "locksFree", "()Z"));
}

TCK_CASE("frame", return_event, "ForceEarlyReturnInt.behaviour.MethodExit",
         "Force Early Return", 209)
{
    jmethodID m = stage_method(t, "tck/Stage", "spinI", SPIN("I"), true);
    jthread thread;

    NEED("can_force_early_return");
    NEED("can_generate_method_exit_events");
    thread = stage_suspended(t, 'I');
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    UNLESS_OPAQUE(ForceEarlyReturnInt, thread, 77);
    returned(t, thread);
    record_quiet(t);
    THE(r, JVMTI_EVENT_METHOD_EXIT, m, 0);
    SAME(JNI_FALSE, r->a);
    SAME(77, r->value.i);
}

/* What a call in the handler of a breakpoint answered. */
static jvmtiError at_breakpoint;
static int breakpoints;

/* Was it refused as a VM may refuse it? */
static bool
is_opaque(struct tck *t)
{
    if (at_breakpoint == JVMTI_ERROR_OPAQUE_FRAME)
        tck_skip(t, "the VM is unable to do it to this frame");
    return at_breakpoint == JVMTI_ERROR_OPAQUE_FRAME;
}

/* In the method itself, from a breakpoint: the current thread. */
static void
return_at_breakpoint(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    (void)jni;
    if (r->event == JVMTI_EVENT_BREAKPOINT)
        at_breakpoint = (*env)->ForceEarlyReturnInt(env, NULL, 1000);
}

TCK_CASE("frame", return_current, "ForceEarlyReturnInt.behaviour.current-thread",
         "Force Early Return", 212)
{
    jmethodID m = stage_method(t, "tck/Frames", "enterAndLeave", "(I)I", true);
    jlong result;

    NEED("can_force_early_return");
    NEED("can_generate_breakpoint_events");
    at_breakpoint = JVMTI_ERROR_INTERNAL;
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    record_set_hook(return_at_breakpoint);
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    result = stage_call_long(t, "tck/Frames", "enterAndLeave", "(I)I", (jint)1);
    CALL(ClearBreakpoint, m, stage_first_location(t, m));
    record_quiet(t);
    if (is_opaque(t))
        return;
    SAME(JVMTI_ERROR_NONE, at_breakpoint);
    SAME(1000, result);
}

static void
pop_at_breakpoint(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    jthread self = NULL;

    (void)jni;
    if (r->event != JVMTI_EVENT_BREAKPOINT || ++breakpoints > 1)
        return;
    (*env)->GetCurrentThread(env, &self);
    at_breakpoint = (*env)->PopFrame(env, self);
}

/* Allowed since the level 13. */
TCK_CASE_IN("frame", pop_current, "PopFrame.behaviour.current-thread", "Pop Frame", 188,
            TCK_LIVE, 17)
{
    jmethodID m = stage_method(t, "tck/Frames", "enterAndLeave", "(I)I", true);
    jlong result;

    NEED("can_pop_frame");
    NEED("can_generate_breakpoint_events");
    breakpoints = 0;
    at_breakpoint = JVMTI_ERROR_INTERNAL;
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    record_set_hook(pop_at_breakpoint);
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    result = stage_call_long(t, "tck/Frames", "callEnterAndLeave", "(I)I", (jint)7);
    CALL(ClearBreakpoint, m, stage_first_location(t, m));
    record_quiet(t);
    if (is_opaque(t))
        return;
    SAME(JVMTI_ERROR_NONE, at_breakpoint);
    SAME(2, breakpoints);
    SAME(7, result);
}

/*
 * Another thread, from a breakpoint in this one: a VM that took the current thread for it
 * would be able to do it to this frame, too, and would not be unable.
 */
static jthread other_thread;
static char other_type;

static jvmtiError
force_return(jvmtiEnv *env, jthread thread)
{
    switch (other_type) {
    case 'L': return (*env)->ForceEarlyReturnObject(env, thread, NULL);
    case 'I': return (*env)->ForceEarlyReturnInt(env, thread, 1000);
    case 'J': return (*env)->ForceEarlyReturnLong(env, thread, 1000);
    case 'F': return (*env)->ForceEarlyReturnFloat(env, thread, 1000);
    case 'D': return (*env)->ForceEarlyReturnDouble(env, thread, 1000);
    default: return (*env)->ForceEarlyReturnVoid(env, thread);
    }
}

static void
other_at_breakpoint(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    (void)jni;
    if (r->event != JVMTI_EVENT_BREAKPOINT || ++breakpoints > 1)
        return;
    at_breakpoint = other_type == 'P' ? (*env)->PopFrame(env, other_thread)
                                      : force_return(env, other_thread);
}

static void
change_other(struct tck *t, const void *data)
{
    jmethodID m = stage_method(t, "tck/Frames", "enterAndLeave", "(I)I", true);
    jlong result;

    other_type = *(const char *)data;
    NEED(other_type == 'P' ? "can_pop_frame" : "can_force_early_return");
    NEED("can_generate_breakpoint_events");
    breakpoints = 0;
    at_breakpoint = JVMTI_ERROR_INTERNAL;
    other_thread = stage_suspended(t, other_type == 'P' ? 'V' : other_type);
    if (other_thread == NULL)
        return;
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    record_set_hook(other_at_breakpoint);
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    result = stage_call_long(t, "tck/Frames", "callEnterAndLeave", "(I)I", (jint)7);
    CALL(ClearBreakpoint, m, stage_first_location(t, m));
    record_quiet(t);
    if (is_opaque(t))
        return;
    SAME(JVMTI_ERROR_NONE, at_breakpoint);
    SAME(1, breakpoints);
    SAME(7, result);
    if (other_type != 'P') {
        returned(t, other_thread);
        return;
    }
    CALL(ResumeThread, other_thread);
    await_entries(t, other_thread, 2);
    stage_finish(t, other_thread);
}

#define RETURN_OTHER(name, function, type)                                             \
    TCK_CASE_DATA("frame", name, function ".behaviour.other-thread",                   \
                  "Force Early Return", 206, TCK_LIVE, 11, change_other, type)

RETURN_OTHER(return_other_object, "ForceEarlyReturnObject", "L");
RETURN_OTHER(return_other_int, "ForceEarlyReturnInt", "I");
RETURN_OTHER(return_other_long, "ForceEarlyReturnLong", "J");
RETURN_OTHER(return_other_float, "ForceEarlyReturnFloat", "F");
RETURN_OTHER(return_other_double, "ForceEarlyReturnDouble", "D");
RETURN_OTHER(return_other_void, "ForceEarlyReturnVoid", "V");
TCK_CASE_DATA("frame", pop_other, "PopFrame.behaviour.other-thread", "Pop Frame", 191,
              TCK_LIVE, 11, change_other, "P");

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

/* -- local variables -- */

TCK_CASE("frame", local_values, "GetLocalInt.behaviour.values", "Local Variable", 304)
{
    jthread thread;
    jint i;
    jlong j;
    jfloat f;
    jdouble d;
    jobject o;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &i);
    CALL(GetLocalLong, thread, 0, STAGE_SLOT_LONG, &j);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &f);
    CALL(GetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, &d);
    CALL(GetLocalObject, thread, 0, STAGE_SLOT_OBJECT, &o);
    SAME(11, i);
    SAME(22, j);
    TRUE(f == 3.5f);
    TRUE(d == 4.25);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, o));
    SAME(JNILocalRefType, (*t->jni)->GetObjectRefType(t->jni, o));
}

TCK_CASE("frame", local_get_long, "GetLocalLong.behaviour.value",
         "Local Variable", 304)
{
    jlong value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalLong, stage_suspended(t, 'V'), 0, STAGE_SLOT_LONG, &value);
    TRUE(value == 22);
}

TCK_CASE("frame", local_get_float, "GetLocalFloat.behaviour.value",
         "Local Variable", 304)
{
    jfloat value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalFloat, stage_suspended(t, 'V'), 0, STAGE_SLOT_FLOAT, &value);
    TRUE(value == 3.5f);
}

TCK_CASE("frame", local_get_double, "GetLocalDouble.behaviour.value",
         "Local Variable", 304)
{
    jdouble value = 0;

    NEED("can_access_local_variables");
    CALL(GetLocalDouble, stage_suspended(t, 'V'), 0, STAGE_SLOT_DOUBLE, &value);
    TRUE(value == 4.25);
}

TCK_CASE("frame", local_small, "GetLocalInt.behaviour.small-types",
         "Get Local Variable - Int", 311)
{
    static const jint want[] = { 1, -5, 'c', -300 };
    jthread thread;

    NEED("can_access_local_variables");
    thread = in_frames(t, 'b');
    for (jint slot = 1; slot <= 4; slot++) {
        jint value;

        CALL(GetLocalInt, thread, 0, slot, &value);
        SAME(want[slot - 1], value);
    }
}

TCK_CASE("frame", local_set_small, "SetLocalInt.behaviour.small-types",
         "Set Local Variable - Int", 318)
{
    jthread thread;

    NEED("can_access_local_variables");
    thread = in_frames(t, 'b');
    CALL(SetLocalInt, thread, 0, 1, 0);
    CALL(SetLocalInt, thread, 0, 2, 100);
    CALL(SetLocalInt, thread, 0, 3, 1000);
    CALL(SetLocalInt, thread, 0, 4, 10000);
    stage_finish(t, thread);
    SAME(11100, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_int, "SetLocalInt.behaviour.program-sees-it",
         "Set Local Variable - Int", 318)
{
    jthread thread;
    jint value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'I');
    CALL(SetLocalInt, thread, 0, STAGE_SLOT_INT, -99);
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &value);
    SAME(-99, value);
    stage_finish(t, thread);
    SAME(-99, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_long, "SetLocalLong.behaviour.program-sees-it",
         "Set Local Variable - Long", 319)
{
    jthread thread;
    jlong value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'J');
    CALL(SetLocalLong, thread, 0, STAGE_SLOT_LONG, -0x123456789abcdef);
    CALL(GetLocalLong, thread, 0, STAGE_SLOT_LONG, &value);
    SAME(-0x123456789abcdef, value);
    stage_finish(t, thread);
    SAME(-0x123456789abcdef, stage_get_long(t, thread, "longResult"));
}

TCK_CASE("frame", local_set_float, "SetLocalFloat.behaviour.program-sees-it",
         "Set Local Variable - Float", 320)
{
    jthread thread;
    jfloat value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'F');
    CALL(SetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, 0.125f);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &value);
    TRUE(value == 0.125f);
    stage_finish(t, thread);
    TRUE(double_result(t, thread) == 0.125);
}

TCK_CASE("frame", local_set_double, "SetLocalDouble.behaviour.program-sees-it",
         "Set Local Variable - Double", 321)
{
    jthread thread;
    jdouble value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'D');
    CALL(SetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, -1e-300);
    CALL(GetLocalDouble, thread, 0, STAGE_SLOT_DOUBLE, &value);
    TRUE(value == -1e-300);
    stage_finish(t, thread);
    TRUE(double_result(t, thread) == -1e-300);
}

TCK_CASE("frame", local_set_object, "SetLocalObject.behaviour.program-sees-it",
         "Set Local Variable - Object", 316)
{
    jthread thread, other = stage_unstarted(t, 'V');
    jobject value;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'L');
    CALL(SetLocalObject, thread, 0, STAGE_SLOT_OBJECT, other);
    CALL(GetLocalObject, thread, 0, STAGE_SLOT_OBJECT, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, other, value));
    stage_finish(t, thread);
    TRUE((*t->jni)->IsSameObject(t->jni, other,
                                 stage_get(t, thread, "objectResult",
                                           "Ljava/lang/Object;")));
}

TCK_CASE("frame", local_null, "GetLocalObject.behaviour.null-value",
         "Get Local Variable - Object", 307)
{
    jthread thread;
    jobject value = stage_object(t);

    NEED("can_access_local_variables");
    thread = in_frames(t, 'o');   /* the text does not say that NULL may be set */
    CALL(GetLocalObject, thread, 0, 1, &value);
    TRUE(value == NULL);
}

TCK_CASE("frame", local_neighbours, "SetLocalLong.behaviour.neighbours-unchanged",
         "Set Local Variable - Long", 312)
{
    jthread thread;
    jint i;
    jfloat f;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(SetLocalLong, thread, 0, STAGE_SLOT_LONG, -1);
    CALL(GetLocalInt, thread, 0, STAGE_SLOT_INT, &i);
    CALL(GetLocalFloat, thread, 0, STAGE_SLOT_FLOAT, &f);
    SAME(11, i);
    TRUE(f == 3.5f);
}

TCK_CASE("frame", local_instance, "GetLocalInstance.behaviour.this",
         "Get Local Instance", 309)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalInstance, thread, 1, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}

TCK_CASE("frame", local_instance_native, "GetLocalInstance.behaviour.native-frame",
         "Get Local Instance", 309)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'N');
    CALL(GetLocalInstance, thread, 0, &value);
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}

TCK_CASE("frame", local_deeper, "GetLocalObject.behaviour.deeper-frame",
         "Local Variable", 304)
{
    jthread thread;
    jobject value = NULL;

    NEED("can_access_local_variables");
    thread = stage_suspended(t, 'V');
    CALL(GetLocalObject, thread, 1, 0, &value);   /* this of run() */
    TRUE((*t->jni)->IsSameObject(t->jni, thread, value));
}
