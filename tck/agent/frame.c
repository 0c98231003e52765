/* SPDX-License-Identifier: MIT */
/* tck/agent/frame.c -- popping frames and early returns. */
#include "tck/agent/frame.h"

#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <string.h>

#define SPIN(result) "(Ltck/Stage;IJFDLjava/lang/Object;)" result

jthread
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

/* Of a method that is not static: its object is among what the operand stack had. */
TCK_CASE("frame", pop_receiver, "PopFrame.behaviour.receiver-again", "Pop Frame", 191)
{
    jthread thread;

    NEED("can_pop_frame");
    thread = in_frames(t, 'i');
    UNLESS_OPAQUE(PopFrame, thread);
    CALL(ResumeThread, thread);
    await_entries(t, thread, 2);
    stage_finish(t, thread);
    SAME(2, stage_get_long(t, thread, "entries"));
    SAME(13, stage_get_long(t, thread, "longResult"));
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

/* The thread is out of the method that held the locks, and lives on: does it hold none? */
static void
left_locks(struct tck *t, jthread thread)
{
    stage_call_void(t, "tck/Frames", "awaitLeft", "()V");
    tck_true(t, "the locks are free",
             stage_call_long(t, "tck/Frames", "locksFree", "()Z"));
    stage_finish(t, thread);
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
    stage_call_void(t, "tck/Frames", "letGo", "(Ltck/Stage;)V", thread);
    left_locks(t, thread);
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

jdouble
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
    CALL(ResumeThread, thread);
    left_locks(t, thread);
    SAME(0, runs(t));
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
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL));
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

/*
 * Run a method of tck.Frames that comes to enterAndLeave(), with a breakpoint there whose
 * handler is the hook; false where the case has ended.
 */
static bool
run_to_breakpoint(struct tck *t, record_hook hook, const char *name, jint argument,
                  jlong *result)
{
    jmethodID m = stage_method(t, "tck/Frames", "enterAndLeave", "(I)I", true);

    breakpoints = 0;
    at_breakpoint = JVMTI_ERROR_INTERNAL;
    record_start(t, t->jvmti);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_BREAKPOINT, NULL))
        return false;
    record_set_hook(hook);
    if (!tck_want(t, "SetBreakpoint", JVMTI_ERROR_NONE,
                  (*t->jvmti)->SetBreakpoint(t->jvmti, m, stage_first_location(t, m))))
        return false;
    *result = stage_call_long(t, "tck/Frames", name, "(I)I", argument);
    tck_want(t, "ClearBreakpoint", JVMTI_ERROR_NONE,
             (*t->jvmti)->ClearBreakpoint(t->jvmti, m, stage_first_location(t, m)));
    record_quiet(t);
    return !is_opaque(t);
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
    jlong result;

    NEED("can_force_early_return");
    NEED("can_generate_breakpoint_events");
    if (!run_to_breakpoint(t, return_at_breakpoint, "enterAndLeave", 1, &result))
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
    jlong result;

    NEED("can_pop_frame");
    NEED("can_generate_breakpoint_events");
    if (!run_to_breakpoint(t, pop_at_breakpoint, "callEnterAndLeave", 7, &result))
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
    jlong result;

    other_type = *(const char *)data;
    NEED(other_type == 'P' ? "can_pop_frame" : "can_force_early_return");
    NEED("can_generate_breakpoint_events");
    other_thread = stage_suspended(t, other_type == 'P' ? 'V' : other_type);
    if (other_thread == NULL)
        return;
    if (!run_to_breakpoint(t, other_at_breakpoint, "callEnterAndLeave", 7, &result))
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
