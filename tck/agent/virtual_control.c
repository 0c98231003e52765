/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/virtual_control.c -- what changes the course of a virtual thread: locals that
 * are set, frames that are popped, early returns, exceptions, other versions of classes.
 *
 * A VM has to do it to a thread that is suspended at an event.  So the thread stops in the
 * handler of a breakpoint, is suspended there, and goes on when it is resumed.
 */
#include "tck/lib/classfile.h"
#include "tck/lib/record.h"
#include "tck/lib/stage.h"
#include "tck/lib/virtual.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TCK_CONTROL(name, id, section, note) \
    TCK_CASE_IN("virtual-control", name, id, section, note, TCK_LIVE, 21)

/* -- a thread at a breakpoint -- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int arrivals;
    bool open;
} gate = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* The first event stops until the gate is opened; later ones go through. */
static void
stop_at_gate(jvmtiEnv *env, JNIEnv *jni, const struct record *record)
{
    (void)env, (void)jni;
    if (record->event != JVMTI_EVENT_BREAKPOINT)
        return;
    pthread_mutex_lock(&gate.lock);
    gate.arrivals++;
    pthread_cond_broadcast(&gate.changed);
    while (!gate.open)
        pthread_cond_wait(&gate.changed, &gate.lock);
    pthread_mutex_unlock(&gate.lock);
}

static void
open_gate(void)
{
    pthread_mutex_lock(&gate.lock);
    gate.open = true;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.lock);
}

/* False when nobody comes in a time that is enough on a loaded machine. */
static bool
wait_at_gate(struct tck *t)
{
    struct timespec end;
    int error = 0, arrivals;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 50;
    pthread_mutex_lock(&gate.lock);
    while (gate.arrivals == 0 && error == 0)
        error = pthread_cond_timedwait(&gate.changed, &gate.lock, &end);
    arrivals = gate.arrivals;
    pthread_mutex_unlock(&gate.lock);
    return tck_same(t, "breakpoints that were reached", 1, arrivals);
}

/*
 * Start a thread at the place and have it go on to the first location of the method,
 * where it is suspended at the event.
 */
static bool
suspended_at_event(struct tck *t, char place, jmethodID method,
                   struct virtual_thread *v)
{
    gate.arrivals = 0;
    gate.open = false;
    if (!virtual_start(t, place, v))
        return false;
    record_start(t, t->jvmti);
    record_set_hook(stop_at_gate);
    if (!tck_want(t, "SetBreakpoint", JVMTI_ERROR_NONE,
                  (*t->jvmti)->SetBreakpoint(t->jvmti, method,
                                             stage_first_location(t, method)))
        || !record_enable(t, t->jvmti, JVMTI_EVENT_BREAKPOINT, v->thread))
        return false;
    virtual_let_go(t, v);
    return wait_at_gate(t)
           && tck_want(t, "SuspendThread", JVMTI_ERROR_NONE,
                       (*t->jvmti)->SuspendThread(t->jvmti, v->thread));
}

/* Let the thread go on and come to its end, whatever has been done to it. */
static bool
go_on(struct tck *t, const struct virtual_thread *v, jmethodID method)
{
    bool ends;

    tck_want(t, "ClearBreakpoint", JVMTI_ERROR_NONE,
             (*t->jvmti)->ClearBreakpoint(t->jvmti, method,
                                          stage_first_location(t, method)));
    open_gate();
    ends = virtual_finish(t, v);
    record_quiet(t);
    return ends && !t->failed;
}

/* The call, after which the thread goes on even if it was refused. */
#define MUST_AT_EVENT(call) \
    do { \
        tck_want(t, #call, JVMTI_ERROR_NONE, (*t->jvmti)->call); \
        if (!go_on(t, &v, method)) \
            return; \
    } while (0)

/* The same of what a VM may be unable to do to the frame. */
#define AT_EVENT(call) \
    do { \
        jvmtiError error_ = (*t->jvmti)->call; \
\
        if (error_ == JVMTI_ERROR_OPAQUE_FRAME) \
            tck_skip(t, "the VM is unable to do it to this frame"); \
        else \
            tck_want(t, #call, JVMTI_ERROR_NONE, error_); \
        if (!go_on(t, &v, method) || t->skipped) \
            return; \
    } while (0)

#define NEED_EVENT \
    NEED("can_generate_breakpoint_events"); \
    NEED("can_suspend")

/* -- locals that are set: of the topmost frame of a thread at an event -- */

#define TAKE \
    struct virtual_thread v; \
    jmethodID method = virtual_method(t, "take"); \
\
    NEED("can_access_local_variables"); \
    NEED_EVENT; \
    if (!suspended_at_event(t, 'k', method, &v)) { \
        open_gate(); \
        return; \
    }

TCK_CONTROL(set_int, "SetLocalInt.behaviour.virtual-at-event",
            "Local Variable", 305)
{
    TAKE;
    MUST_AT_EVENT(SetLocalInt(t->jvmti, v.thread, 0, VIRTUAL_SLOT_INT, 77));
    SAME(77, stage_get_long(t, v.stage, "intResult"));
    SAME(22, stage_get_long(t, v.stage, "longResult"));
}

TCK_CONTROL(set_long, "SetLocalLong.behaviour.virtual-at-event",
            "Local Variable", 305)
{
    TAKE;
    MUST_AT_EVENT(SetLocalLong(t->jvmti, v.thread, 0, VIRTUAL_SLOT_LONG, 77000000000));
    SAME(77000000000, stage_get_long(t, v.stage, "longResult"));
    SAME(11, stage_get_long(t, v.stage, "intResult"));
}

TCK_CONTROL(set_float, "SetLocalFloat.behaviour.virtual-at-event",
            "Local Variable", 305)
{
    TAKE;
    MUST_AT_EVENT(SetLocalFloat(t->jvmti, v.thread, 0, VIRTUAL_SLOT_FLOAT, 1.0f));
    SAME(0x3f800000, stage_get_long(t, v.stage, "floatBits"));
}

TCK_CONTROL(set_double, "SetLocalDouble.behaviour.virtual-at-event",
            "Local Variable", 305)
{
    TAKE;
    MUST_AT_EVENT(SetLocalDouble(t->jvmti, v.thread, 0, VIRTUAL_SLOT_DOUBLE, 1.0));
    SAME(0x3ff0000000000000, stage_get_long(t, v.stage, "doubleBits"));
}

TCK_CONTROL(set_object, "SetLocalObject.behaviour.virtual-at-event",
            "Local Variable", 305)
{
    jobject value = stage_string(t);

    TAKE;
    MUST_AT_EVENT(SetLocalObject(t->jvmti, v.thread, 0, VIRTUAL_SLOT_OBJECT, value));
    TRUE((*t->jni)->IsSameObject(
        t->jni, value, stage_get(t, v.stage, "objectResult", "Ljava/lang/Object;")));
}

/* What it may refuse in other frames it has to do if it does not refuse. */
static void
run_set_waiting(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jvmtiError error;
    jint depth, value;

    NEED("can_access_local_variables");
    NEED("can_suspend");
    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    depth = virtual_depth(t, v.thread, virtual_method(t, "hold"));
    error = (*t->jvmti)->SetLocalInt(t->jvmti, v.thread, depth, VIRTUAL_SLOT_INT, 99);
    if (error != JVMTI_ERROR_NONE)
        tck_want(t, "SetLocalInt(virtual thread)", JVMTI_ERROR_OPAQUE_FRAME, error);
    CALL(GetLocalInt, v.thread, depth, VIRTUAL_SLOT_INT, &value);
    SAME(error == JVMTI_ERROR_NONE ? 99 : 11, value);
    if (virtual_finish(t, &v))
        SAME(value, stage_get_long(t, v.stage, "intResult"));
}

TCK_CASE_DATA("virtual-control", set_unmounted,
              "SetLocalInt.error.OPAQUE_FRAME.virtual-unmounted",
              "Set Local Variable - Int", 317, TCK_LIVE, 21, run_set_waiting, "P");
TCK_CASE_DATA("virtual-control", set_mounted,
              "SetLocalInt.error.OPAQUE_FRAME.virtual-mounted",
              "Set Local Variable - Int", 317, TCK_LIVE, 21, run_set_waiting, "M");

/* -- frames that are popped -- */

TCK_CONTROL(pop, "PopFrame.behaviour.virtual-at-event", "Pop Frame", 197)
{
    struct virtual_thread v;
    jmethodID method = virtual_method(t, "take");
    jvmtiError error;

    NEED("can_pop_frame");
    NEED_EVENT;
    if (!suspended_at_event(t, 'k', method, &v)) {
        open_gate();
        return;
    }
    error = (*t->jvmti)->PopFrame(t->jvmti, v.thread);
    if (error == JVMTI_ERROR_OPAQUE_FRAME)
        tck_skip(t, "the VM is unable to do it to this frame");
    else
        tck_want(t, "PopFrame", JVMTI_ERROR_NONE, error);
    open_gate();
    if (!virtual_finish(t, &v) || t->failed || t->skipped)
        return;
    CALL(ClearBreakpoint, method, stage_first_location(t, method));
    record_quiet(t);
    /* The method began anew, and its arguments are those of the first call; hold() has
       counted itself before. */
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_BREAKPOINT, method, NULL));
    SAME(2, stage_get_long(t, v.stage, "entries"));
    SAME(11, stage_get_long(t, v.stage, "intResult"));
    SAME(22, stage_get_long(t, v.stage, "longResult"));
}

/* A thread that is neither suspended nor current. */
#define UNSUSPENDED(capability) \
    struct virtual_thread v; \
\
    NEED(capability); \
    NEED("can_suspend"); \
    if (!virtual_start(t, *(const char *)data, &v)) \
    return

/* The topmost frame of one that waits is the library's, and may be one that the call cannot
   do anything to, or whose result is of another type: then either error is right. */
static void
want_not_suspended(struct tck *t, const char *call, const void *place, jvmtiError got)
{
    if (*(const char *)place == 'M'
        || (got != JVMTI_ERROR_OPAQUE_FRAME && got != JVMTI_ERROR_TYPE_MISMATCH))
        tck_want(t, call, JVMTI_ERROR_THREAD_NOT_SUSPENDED, got);
}

static void
run_pop_unsuspended(struct tck *t, const void *data)
{
    UNSUSPENDED("can_pop_frame");
    want_not_suspended(t, "PopFrame", data, (*t->jvmti)->PopFrame(t->jvmti, v.thread));
}

static void
run_return_unsuspended(struct tck *t, const void *data)
{
    UNSUSPENDED("can_force_early_return");
    want_not_suspended(t, "ForceEarlyReturnVoid", data,
                       (*t->jvmti)->ForceEarlyReturnVoid(t->jvmti, v.thread));
}

static void
run_set_unsuspended(struct tck *t, const void *data)
{
    UNSUSPENDED("can_access_local_variables");
    WANT(THREAD_NOT_SUSPENDED, SetLocalInt, v.thread,
         virtual_depth(t, v.thread, virtual_method(t, "hold")), VIRTUAL_SLOT_INT, 1);
}

static void
run_notify_unsuspended(struct tck *t, const void *data)
{
    UNSUSPENDED("can_generate_frame_pop_events");
    WANT(THREAD_NOT_SUSPENDED, NotifyFramePop, v.thread,
         virtual_depth(t, v.thread, virtual_method(t, "hold")));
}

static void
run_stop_unsuspended(struct tck *t, const void *data)
{
    jobject exception = (*t->jni)->AllocObject(t->jni,
                                               stage_class(t, "java/lang/Error"));
    UNSUSPENDED("can_signal_thread");
    WANT(THREAD_NOT_SUSPENDED, StopThread, v.thread, exception);
    if (virtual_finish(t, &v))
        TRUE(stage_get(t, v.stage, "thrown", "Ljava/lang/Throwable;") == NULL);
}

#define NOT_SUSPENDED(function, name, section, note, run) \
    TCK_CASE_DATA("virtual-control", name##_unsuspended, \
                  function ".error.THREAD_NOT_SUSPENDED.virtual-unmounted", section, \
                  note, TCK_LIVE, 21, run, "P"); \
    TCK_CASE_DATA("virtual-control", name##_running, \
                  function ".error.THREAD_NOT_SUSPENDED.virtual-mounted", section, \
                  note, TCK_LIVE, 21, run, "M")

NOT_SUSPENDED("PopFrame", pop, "Pop Frame", 188, run_pop_unsuspended);
NOT_SUSPENDED("ForceEarlyReturnVoid", return, "Force Early Return", 212,
              run_return_unsuspended);
NOT_SUSPENDED("SetLocalInt", set, "Set Local Variable - Int", 306, run_set_unsuspended);
NOT_SUSPENDED("NotifyFramePop", notify, "Notify Frame Pop", 204,
              run_notify_unsuspended);
NOT_SUSPENDED("StopThread", stop, "Stop Thread", 128, run_stop_unsuspended);

/* -- early returns -- */

/* A thread at the beginning of a method of tck.Virtual. */
#define ANSWER(place, name) \
    struct virtual_thread v; \
    jmethodID method = virtual_method(t, name); \
\
    NEED("can_force_early_return"); \
    NEED_EVENT; \
    if (!suspended_at_event(t, place, method, &v)) { \
        open_gate(); \
        return; \
    }

/* Nothing of the method has run: the one entry is that of hold(). */
#define NOT_ENTERED SAME(1, stage_get_long(t, v.stage, "entries"))

TCK_CONTROL(return_int, "ForceEarlyReturnInt.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    ANSWER('1', "answerInt");
    AT_EVENT(ForceEarlyReturnInt(t->jvmti, v.thread, 77));
    SAME(77, stage_get_long(t, v.stage, "intResult"));
    NOT_ENTERED;
}

TCK_CONTROL(return_long, "ForceEarlyReturnLong.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    ANSWER('2', "answerLong");
    AT_EVENT(ForceEarlyReturnLong(t->jvmti, v.thread, 77000000000));
    SAME(77000000000, stage_get_long(t, v.stage, "longResult"));
    NOT_ENTERED;
}

TCK_CONTROL(return_float, "ForceEarlyReturnFloat.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    ANSWER('3', "answerFloat");
    AT_EVENT(ForceEarlyReturnFloat(t->jvmti, v.thread, 2.0f));
    SAME(0x40000000, stage_get_long(t, v.stage, "floatBits"));
    NOT_ENTERED;
}

TCK_CONTROL(return_double, "ForceEarlyReturnDouble.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    ANSWER('4', "answerDouble");
    AT_EVENT(ForceEarlyReturnDouble(t->jvmti, v.thread, 2.0));
    SAME(0x4000000000000000, stage_get_long(t, v.stage, "doubleBits"));
    NOT_ENTERED;
}

TCK_CONTROL(return_object, "ForceEarlyReturnObject.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    jobject value = stage_string(t);

    ANSWER('5', "answerObject");
    AT_EVENT(ForceEarlyReturnObject(t->jvmti, v.thread, value));
    TRUE((*t->jni)->IsSameObject(
        t->jni, value, stage_get(t, v.stage, "objectResult", "Ljava/lang/Object;")));
    NOT_ENTERED;
}

TCK_CONTROL(return_void, "ForceEarlyReturnVoid.behaviour.virtual-at-event",
            "Force Early Return", 213)
{
    ANSWER('k', "take");
    AT_EVENT(ForceEarlyReturnVoid(t->jvmti, v.thread));
    SAME(0, stage_get_long(t, v.stage, "intResult"));
    NOT_ENTERED;
}

/* -- exceptions -- */

static jobject
thrown_by(struct tck *t, const struct virtual_thread *v)
{
    return stage_get(t, v->stage, "thrown", "Ljava/lang/Throwable;");
}

TCK_CONTROL(stop, "StopThread.behaviour.virtual-at-event", "Stop Thread", 128)
{
    jobject exception = (*t->jni)->AllocObject(t->jni,
                                               stage_class(t, "java/lang/Error"));

    NEED("can_signal_thread");
    TAKE;
    AT_EVENT(StopThread(t->jvmti, v.thread, exception));
    TRUE((*t->jni)->IsSameObject(t->jni, exception, thrown_by(t, &v)));
}

TCK_CONTROL(stop_mounted, "StopThread.behaviour.virtual-mounted", "Stop Thread", 127)
{
    jobject exception = (*t->jni)->AllocObject(t->jni,
                                               stage_class(t, "java/lang/Error"));
    struct virtual_thread v;
    jvmtiError error;

    NEED("can_signal_thread");
    NEED("can_suspend");
    if (!virtual_suspended(t, 'M', &v))
        return;
    error = (*t->jvmti)->StopThread(t->jvmti, v.thread, exception);
    CALL(ResumeThread, v.thread);
    if (error != JVMTI_ERROR_NONE)
        tck_want(t, "StopThread(mounted)", JVMTI_ERROR_OPAQUE_FRAME, error);
    else
        stage_call_void(t, "tck/Threads", "join", "(Ljava/lang/Thread;)V", v.thread);
    if (virtual_finish(t, &v))
        TRUE((*t->jni)->IsSameObject(
            t->jni, error == JVMTI_ERROR_NONE ? exception : NULL, thrown_by(t, &v)));
}

/* -- requests for the end of a frame -- */

/* The thread leaves its carrier and comes back between the request and the end. */
static void
run_notify(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jmethodID method = virtual_method(t, "hold");
    jint depth;

    NEED("can_generate_frame_pop_events");
    NEED("can_suspend");
    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    RECORDING(JVMTI_EVENT_FRAME_POP);
    depth = virtual_depth(t, v.thread, method);
    CALL(NotifyFramePop, v.thread, depth);
    if (!virtual_finish(t, &v))
        return;
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    THE(event, JVMTI_EVENT_FRAME_POP, method, 0);
    SAME(record_hash(t, v.thread), event->hash2);
    SAME(JNI_FALSE, event->a);
}

TCK_CASE_DATA("virtual-control", notify_yielding,
              "NotifyFramePop.behaviour.virtual-across-yields", "Notify Frame Pop", 202,
              TCK_LIVE, 21, run_notify, "y");
TCK_CASE_DATA("virtual-control", notify_mounted,
              "NotifyFramePop.behaviour.virtual-mounted", "Notify Frame Pop", 202,
              TCK_LIVE, 21, run_notify, "M");
TCK_CASE_DATA("virtual-control", notify_pinned,
              "NotifyFramePop.behaviour.virtual-pinned", "Notify Frame Pop", 202,
              TCK_LIVE, 21, run_notify, "X");

/* The text of level 21 has no error for a second request. */
static void
run_notify_twice(struct tck *t, const void *data)
{
    struct virtual_thread v;
    jint depth;

    NEED("can_generate_frame_pop_events");
    NEED("can_suspend");
    if (!virtual_suspended(t, *(const char *)data, &v))
        return;
    depth = virtual_depth(t, v.thread, virtual_method(t, "hold"));
    CALL(NotifyFramePop, v.thread, depth);
    WANT(DUPLICATE, NotifyFramePop, v.thread, depth);
}

TCK_CASE_DATA("virtual-control", notify_twice,
              "NotifyFramePop.error.DUPLICATE.virtual-mounted", "Notify Frame Pop", 0,
              TCK_LIVE, 25, run_notify_twice, "M");
TCK_CASE_DATA("virtual-control", notify_twice_unmounted,
              "NotifyFramePop.error.DUPLICATE.virtual-unmounted", "Notify Frame Pop", 0,
              TCK_LIVE, 25, run_notify_twice, "P");

TCK_CONTROL(notify_exception, "FramePop.behaviour.virtual-by-exception", "Frame Pop",
            202)
{
    struct virtual_thread v;
    jmethodID hold = virtual_method(t, "hold"), middle = virtual_method(t, "middle");

    NEED("can_generate_frame_pop_events");
    NEED("can_signal_thread");
    NEED("can_suspend");
    if (!virtual_suspended(t, 'W', &v))
        return;
    RECORDING(JVMTI_EVENT_FRAME_POP);
    CALL(NotifyFramePop, v.thread, virtual_depth(t, v.thread, middle));
    CALL(NotifyFramePop, v.thread, virtual_depth(t, v.thread, hold));
    CALL(InterruptThread, v.thread);
    CALL(ResumeThread, v.thread);
    stage_call_void(t, "tck/Threads", "join", "(Ljava/lang/Thread;)V", v.thread);
    record_quiet(t);
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
    THE(first, JVMTI_EVENT_FRAME_POP, hold, 0);
    THE(second, JVMTI_EVENT_FRAME_POP, middle, 0);
    TRUE(first < second);
    SAME(JNI_TRUE, first->a);
    SAME(JNI_TRUE, second->a);
    SAME(record_hash(t, v.thread), first->hash2);
}

TCK_CONTROL(notify_native, "NotifyFramePop.error.OPAQUE_FRAME.virtual-pinned",
            "Notify Frame Pop", 203)
{
    struct virtual_thread v;
    jint depth;

    NEED("can_generate_frame_pop_events");
    NEED("can_suspend");
    if (!virtual_suspended(t, 'X', &v))
        return;
    depth = virtual_depth(t, v.thread, virtual_method(t, "callBack"));
    WANT(OPAQUE_FRAME, NotifyFramePop, v.thread, depth);
    CALL(NotifyFramePop, v.thread, depth + 1);
}

/* -- other versions of a class -- */

/* tck.Parked with another number than 4711, or as it is; by malloc. */
static unsigned char *
parked_bytes(struct tck *t, jint number, jint *count)
{
    unsigned char *bytes = stage_bytes(t, "tck/Parked", count);
    struct classfile *file = calloc(1, sizeof *file);
    const unsigned char *code;
    uint32_t length;
    unsigned locals;

    if (bytes == NULL || file == NULL || !classfile_parse(file, bytes, (size_t)*count)
        || (code = classfile_code(file, "answer", "(Ljava/lang/Runnable;)I", &length,
                                  &locals))
               == NULL) {
        tck_fail(t, "tck.Parked cannot be read");
    } else {
        for (uint32_t i = 0; i + 2 < length; i++) {
            /* sipush 4711 */
            if (code[i] == 0x11 && code[i + 1] == 4711 >> 8
                && code[i + 2] == (4711 & 0xff)) {
                bytes[code + i + 1 - bytes] = (unsigned char)(number >> 8);
                bytes[code + i + 2 - bytes] = (unsigned char)number;
            }
        }
    }
    free(file);
    return bytes;
}

static bool
redefine_parked(struct tck *t, jint number)
{
    jvmtiClassDefinition definition = { stage_class(t, "tck/Parked"), 0, NULL };
    unsigned char *bytes = parked_bytes(t, number, &definition.class_byte_count);
    jvmtiError error = JVMTI_ERROR_INTERNAL;

    definition.class_bytes = bytes;
    if (!t->failed)
        error = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    free(bytes);
    return tck_want(t, "RedefineClasses(tck.Parked)", JVMTI_ERROR_NONE, error);
}

/* A thread that is on no carrier and has a frame of Parked.answer. */
static bool
parked_in_answer(struct tck *t, struct virtual_thread *v)
{
    if (!redefine_parked(t, 4711) || !virtual_start(t, 'r', v))
        return false;
    virtual_call(t, v, "letGo");
    virtual_call_int(t, v, "awaitEntries", 2);
    virtual_call_int(t, v, "awaitState", 3);
    return !t->failed;
}

static jint
parked_answer(struct tck *t)
{
    return (jint)stage_call_long(t, "tck/Parked", "answer", "()I");
}

TCK_CONTROL(redefined, "RedefineClasses.behaviour.virtual-unmounted",
            "Redefine Classes", 392)
{
    struct virtual_thread v;

    NEED("can_redefine_classes");
    if (!parked_in_answer(t, &v) || !redefine_parked(t, 4712))
        return;
    /* Who calls it now has the new version; who stands in it goes on in the old one. */
    SAME(4712, parked_answer(t));
    if (virtual_finish(t, &v))
        SAME(4711, stage_get_long(t, v.stage, "intResult"));
    redefine_parked(t, 4711);
}

static jmethodID
answer_frame(struct tck *t, const struct virtual_thread *v)
{
    jint depth = virtual_depth(t, v->thread, virtual_method(t, "perform"));
    jmethodID method = NULL;
    jlocation location;

    tck_want(t, "GetFrameLocation", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetFrameLocation(t->jvmti, v->thread, depth - 1, &method,
                                           &location));
    return method;
}

TCK_CONTROL(obsolete, "IsMethodObsolete.behaviour.virtual-unmounted",
            "Obsolete Methods", 413)
{
    struct virtual_thread v;
    jmethodID method = stage_method(t, "tck/Parked", "answer",
                                    "(Ljava/lang/Runnable;)I", true),
              old;
    jboolean is_obsolete;

    NEED("can_redefine_classes");
    if (!parked_in_answer(t, &v))
        return;
    TRUE(answer_frame(t, &v) == method);
    CALL(IsMethodObsolete, method, &is_obsolete);
    SAME(JNI_FALSE, is_obsolete);
    if (!redefine_parked(t, 4712))
        return;
    old = answer_frame(t, &v);
    TRUE(old != method);
    CALL(IsMethodObsolete, old, &is_obsolete);
    SAME(JNI_TRUE, is_obsolete);
    CALL(IsMethodObsolete, method, &is_obsolete);
    SAME(JNI_FALSE, is_obsolete);
    redefine_parked(t, 4711);
}
