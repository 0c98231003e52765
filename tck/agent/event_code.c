/* SPDX-License-Identifier: MIT */
/* tck/agent/event_code.c -- events of running code: values, and order at a location. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <string.h>

static const char FAIL_SIGNATURE[] = "(Ljava/lang/RuntimeException;)V";
static const char CATCH_SIGNATURE[] = "(Ljava/lang/RuntimeException;)I";

static jmethodID
method(struct tck *t, const char *name, const char *signature)
{
    return stage_method(t, "tck/Events", name, signature, true);
}

static jint
step(struct tck *t)
{
    return (jint)stage_call_long(t, "tck/Events", "step", "(I)I", (jint)21);
}

static jobject
exception(struct tck *t)
{
    jclass k = stage_class(t, "java/lang/IllegalStateException");

    return (*t->jni)->NewObject(t->jni, k,
                                (*t->jni)->GetMethodID(t->jni, k, "<init>", "()V"));
}

/* -- single steps, breakpoints, methods -- */

TCK_CASE("event-code", step_locations, "SingleStep.behaviour.every-location",
         "Single Step", 790)
{
    static const jlocation want[] = { 0, 1, 2, 3 };   /* of Events.step */
    jmethodID m = method(t, "step", "(I)I");
    int at = -1;

    NEED_BYTECODE_INDICES;
    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_SINGLE_STEP);
    step(t);
    record_quiet(t);
    SAME(4, record_matches(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL));
    for (int i = 0; i < 4; i++) {
        at = record_find(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL, at + 1);
        SAME(want[i], record_at(at)->location);
        SAME(record_own_hash(t), record_at(at)->hash2);
    }
}

TCK_CASE("event-code", step_top_frame, "SingleStep.behaviour.location-is-about-to-run",
         "Single Step", 580)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_SINGLE_STEP);
    step(t);
    record_quiet(t);
    TRUE(record_matches(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL) > 0);
    for (int i = 0; i < record_count(); i++) {
        const struct record *r = record_at(i);

        if (r->method == m) {
            TRUE(r->top == m);
            SAME(r->location, r->top_location);
        }
    }
}

TCK_CASE("event-code", step_not_native, "SingleStep.behaviour.none-in-native",
         "Single Step", 579)
{
    jmethodID m = method(t, "notifyPop", "()V");

    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_SINGLE_STEP);
    stage_call_long(t, "tck/Events", "popped", "()I");
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL));
    TRUE(record_matches(t->jvmti, JVMTI_EVENT_SINGLE_STEP, method(t, "popped", "()I"),
                        NULL) > 0);
}

TCK_CASE("event-code", breakpoint_values, "Breakpoint.behaviour.parameters",
         "Breakpoint", 581)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_breakpoint_events");
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    CALL(SetBreakpoint, m, 2);
    step(t);
    CALL(ClearBreakpoint, m, 2);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_BREAKPOINT, m, NULL));
    THE(r, JVMTI_EVENT_BREAKPOINT, m, 0);
    SAME(2, r->location);
    TRUE(r->top == m);
    SAME(2, r->top_location);
    SAME(record_own_hash(t), r->hash2);
}

TCK_CASE("event-code", breakpoint_each_time, "SetBreakpoint.behaviour.each-time",
         "Set Breakpoint", 322)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_breakpoint_events");
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    CALL(SetBreakpoint, m, 0);
    CALL(SetBreakpoint, m, 3);
    for (int i = 0; i < 3; i++)
        step(t);
    CALL(ClearBreakpoint, m, 0);
    CALL(ClearBreakpoint, m, 3);
    record_quiet(t);
    SAME(6, record_matches(t->jvmti, JVMTI_EVENT_BREAKPOINT, m, NULL));
    for (int i = 0; i < 6; i++) {
        THE(r, JVMTI_EVENT_BREAKPOINT, m, i);
        SAME(i % 2 == 0 ? 0 : 3, r->location);
    }
}

TCK_CASE("event-code", breakpoint_cleared, "ClearBreakpoint.behaviour.no-more-events",
         "Clear Breakpoint", 325)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED("can_generate_breakpoint_events");
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    step(t);
    CALL(ClearBreakpoint, m, stage_first_location(t, m));
    step(t);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_BREAKPOINT, m, NULL));
}

TCK_CASE("event-code", breakpoint_result, "SetBreakpoint.behaviour.program-unchanged",
         "Set Breakpoint", 760)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_breakpoint_events");
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    for (jlocation i = 0; i < 4; i++)
        CALL(SetBreakpoint, m, i);
    SAME(42, step(t));
    for (jlocation i = 0; i < 4; i++)
        CALL(ClearBreakpoint, m, i);
    record_quiet(t);
    SAME(42, step(t));
}

TCK_CASE("event-code", step_then_breakpoint, "Breakpoint.behaviour.after-single-step",
         "Multiple Co-located Events", 574)
{
    jmethodID m = method(t, "step", "(I)I");
    jlocation first;
    int at, before;

    NEED("can_generate_breakpoint_events");
    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_BREAKPOINT);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
    first = stage_first_location(t, m);
    CALL(SetBreakpoint, m, first);
    step(t);
    CALL(ClearBreakpoint, m, first);
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_BREAKPOINT, m, NULL, 0);
    TRUE(at > 0);
    for (before = at - 1; before >= 0 && !record_is_own(record_at(before)); )
        before--;
    TRUE(before >= 0);
    SAME(JVMTI_EVENT_SINGLE_STEP, record_at(before)->event);
    TRUE(record_at(before)->method == m);
    SAME(first, record_at(before)->location);
    SAME(first, record_at(at)->location);
}

TCK_CASE("event-code", entry_first, "MethodEntry.behaviour.first-at-entry",
         "Multiple Co-located Events", 572)
{
    jmethodID m = method(t, "step", "(I)I");
    int entry, first, next;

    NEED("can_generate_method_entry_events");
    NEED("can_generate_single_step_events");
    NEED("can_generate_breakpoint_events");
    RECORDING(JVMTI_EVENT_METHOD_ENTRY);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    step(t);
    CALL(ClearBreakpoint, m, stage_first_location(t, m));
    record_quiet(t);
    entry = record_find(t->jvmti, JVMTI_EVENT_METHOD_ENTRY, m, NULL, 0);
    first = record_find(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL, 0);
    TRUE(entry >= 0 && entry < first);
    next = record_next_own(first + 1);
    TRUE(next > first);
    SAME(JVMTI_EVENT_BREAKPOINT, record_at(next)->event);
}

TCK_CASE("event-code", entry_location, "MethodEntry.behaviour.initial-location",
         "Method Entry", 590)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED("can_generate_method_entry_events");
    RECORDING(JVMTI_EVENT_METHOD_ENTRY);
    step(t);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_ENTRY, m, NULL));
    THE(r, JVMTI_EVENT_METHOD_ENTRY, m, 0);
    TRUE(r->top == m);
    SAME(stage_first_location(t, m), r->top_location);
    SAME(record_own_hash(t), r->hash2);
}

TCK_CASE("event-code", entry_native, "MethodEntry.behaviour.native-method",
         "Method Entry", 590)
{
    jmethodID m = method(t, "notifyPop", "()V");

    NEED("can_generate_method_entry_events");
    RECORDING(JVMTI_EVENT_METHOD_ENTRY);
    stage_call_long(t, "tck/Events", "popped", "()I");
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_ENTRY, m, NULL));
    THE(r, JVMTI_EVENT_METHOD_ENTRY, m, 0);
    TRUE(r->top == m);
    SAME(-1, r->top_location);
}

TCK_CASE("event-code", exit_value, "MethodExit.behaviour.return-value", "Method Exit",
         591)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED("can_generate_method_exit_events");
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    step(t);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL));
    THE(r, JVMTI_EVENT_METHOD_EXIT, m, 0);
    SAME(JNI_FALSE, r->a);
    SAME(42, r->value.i);
    SAME(record_own_hash(t), r->hash2);
}

TCK_CASE("event-code", exit_location, "MethodExit.behaviour.location-before-return",
         "Method Exit", 592)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_method_exit_events");
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    step(t);
    record_quiet(t);
    THE(r, JVMTI_EVENT_METHOD_EXIT, m, 0);
    TRUE(r->top == m);
    SAME(3, r->top_location);
}

TCK_CASE("event-code", exit_exception, "MethodExit.behaviour.popped-by-exception",
         "Method Exit", 591)
{
    jmethodID m = method(t, "fail", FAIL_SIGNATURE);

    NEED("can_generate_method_exit_events");
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    stage_call_long(t, "tck/Events", "failAndCatch", CATCH_SIGNATURE, exception(t));
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL));
    THE(r, JVMTI_EVENT_METHOD_EXIT, m, 0);
    SAME(JNI_TRUE, r->a);
    THE(catcher, JVMTI_EVENT_METHOD_EXIT, method(t, "failAndCatch", CATCH_SIGNATURE), 0);
    SAME(JNI_FALSE, catcher->a);
    SAME(1, catcher->value.i);
}

TCK_CASE("event-code", exit_native, "MethodExit.behaviour.native-method", "Method Exit",
         591)
{
    jmethodID m = method(t, "notifyPop", "()V");

    NEED("can_generate_method_exit_events");
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    stage_call_long(t, "tck/Events", "popped", "()I");
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL));
    THE(r, JVMTI_EVENT_METHOD_EXIT, m, 0);
    SAME(JNI_FALSE, r->a);
}

TCK_CASE("event-code", exit_last, "MethodExit.behaviour.last-at-exit",
         "Multiple Co-located Events", 575)
{
    jmethodID m = method(t, "step", "(I)I");
    int exit, last = -1, at = -1;

    NEED("can_generate_method_exit_events");
    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_METHOD_EXIT);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
    step(t);
    record_quiet(t);
    exit = record_find(t->jvmti, JVMTI_EVENT_METHOD_EXIT, m, NULL, 0);
    while ((at = record_find(t->jvmti, JVMTI_EVENT_SINGLE_STEP, m, NULL, at + 1)) >= 0)
        last = at;
    TRUE(last >= 0);
    TRUE(exit > last);
}

/* -- frame pops -- */

static void
ask_for_pop(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    (void)jni;
    if (r->event == JVMTI_EVENT_BREAKPOINT)
        (*env)->NotifyFramePop(env, NULL, 0);
}

static void
run_popped(struct tck *t, jmethodID m,
           void (*ask)(jvmtiEnv *, JNIEnv *, const struct record *), const char *caller,
           const char *signature)
{
    record_start(t, t->jvmti);
    record_set_hook(ask);
    if (record_enable(t, t->jvmti, JVMTI_EVENT_BREAKPOINT, NULL)
        && record_enable(t, t->jvmti, JVMTI_EVENT_FRAME_POP, NULL)
        && tck_want(t, "SetBreakpoint", JVMTI_ERROR_NONE,
                    (*t->jvmti)->SetBreakpoint(
                        t->jvmti, m, stage_first_location(t, m)))) {
        stage_call_long(t, "tck/Events", caller, signature, exception(t));
        (*t->jvmti)->ClearBreakpoint(t->jvmti, m, stage_first_location(t, m));
        /* A further run, without a request, pops no more. */
        stage_call_long(t, "tck/Events", caller, signature, exception(t));
    }
    record_quiet(t);
}

TCK_CASE("event-code", pop_by_return, "FramePop.behaviour.by-return", "Frame Pop", 587)
{
    jmethodID m = method(t, "failAndCatch", CATCH_SIGNATURE);

    NEED("can_generate_frame_pop_events");
    NEED("can_generate_breakpoint_events");
    run_popped(t, m, ask_for_pop, "failAndCatch", CATCH_SIGNATURE);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
    THE(r, JVMTI_EVENT_FRAME_POP, m, 0);
    SAME(JNI_FALSE, r->a);
    TRUE(r->top == m);
}

TCK_CASE("event-code", pop_by_exception, "FramePop.behaviour.by-exception",
         "Frame Pop", 587)
{
    jmethodID m = method(t, "fail", FAIL_SIGNATURE);

    NEED("can_generate_frame_pop_events");
    NEED("can_generate_breakpoint_events");
    run_popped(t, m, ask_for_pop, "failAndCatch", CATCH_SIGNATURE);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
    THE(r, JVMTI_EVENT_FRAME_POP, m, 0);
    SAME(JNI_TRUE, r->a);
}

/* Of its four bytes the last one returns. */
TCK_CASE("event-code", pop_location, "FramePop.behaviour.location-before-return",
         "Frame Pop", 589)
{
    jmethodID m = method(t, "step", "(I)I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_frame_pop_events");
    NEED("can_generate_breakpoint_events");
    record_start(t, t->jvmti);
    record_set_hook(ask_for_pop);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    CALL(SetBreakpoint, m, 0);
    step(t);
    CALL(ClearBreakpoint, m, 0);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
    THE(r, JVMTI_EVENT_FRAME_POP, m, 0);
    TRUE(r->top == m);
    SAME(3, r->top_location);
}

TCK_CASE("event-code", pop_duplicate, "NotifyFramePop.behaviour.asks-once",
         "Notify Frame Pop", 202)
{
    jmethodID m = method(t, "failAndCatch", CATCH_SIGNATURE);

    NEED("can_generate_frame_pop_events");
    NEED("can_generate_breakpoint_events");
    run_popped(t, m, ask_for_pop, "failAndCatch", CATCH_SIGNATURE);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, NULL, NULL));
}

/* What the second request for a frame was answered. */
static jvmtiError second_request;

static void
ask_twice(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    ask_for_pop(env, jni, r);
    if (r->event == JVMTI_EVENT_BREAKPOINT)
        second_request = (*env)->NotifyFramePop(env, NULL, 0);
}

TCK_CASE("event-code", pop_asked_twice, "NotifyFramePop.behaviour.second-request",
         "Notify Frame Pop", 700)
{
    jmethodID m = method(t, "failAndCatch", CATCH_SIGNATURE);

    NEED("can_generate_frame_pop_events");
    NEED("can_generate_breakpoint_events");
    run_popped(t, m, ask_twice, "failAndCatch", CATCH_SIGNATURE);
    /* Level 21 has no error for it, 25 has DUPLICATE; whatever those between have. */
    if (second_request != JVMTI_ERROR_DUPLICATE || t->level < 22)
        SAME(t->level >= 25 ? JVMTI_ERROR_DUPLICATE : JVMTI_ERROR_NONE, second_request);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FRAME_POP, m, NULL));
}

/* -- exceptions -- */

TCK_CASE("event-code", exception_values, "Exception.behaviour.parameters", "Exception",
         597)
{
    jmethodID m = method(t, "fail", FAIL_SIGNATURE);
    jobject e = exception(t);

    NEED_BYTECODE_INDICES;
    NEED("can_generate_exception_events");
    RECORDING(JVMTI_EVENT_EXCEPTION);
    stage_call_long(t, "tck/Events", "failAndCatch", CATCH_SIGNATURE, e);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_EXCEPTION, m, NULL));
    THE(r, JVMTI_EVENT_EXCEPTION, m, 0);
    SAME(1, r->location);
    SAME(record_hash(t, e), r->hash);
    TEXT("Ljava/lang/IllegalStateException;", r->text);
    TRUE(r->catch_method == method(t, "failAndCatch", CATCH_SIGNATURE));
}

TCK_CASE("event-code", catch_values, "ExceptionCatch.behaviour.parameters",
         "Exception Catch", 602)
{
    jmethodID m = method(t, "failAndCatch", CATCH_SIGNATURE);
    jobject e = exception(t);

    NEED("can_generate_exception_events");
    RECORDING(JVMTI_EVENT_EXCEPTION_CATCH);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
    stage_call_long(t, "tck/Events", "failAndCatch", CATCH_SIGNATURE, e);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_EXCEPTION_CATCH, m, NULL));
    THE(thrown, JVMTI_EVENT_EXCEPTION, method(t, "fail", FAIL_SIGNATURE), 0);
    THE(r, JVMTI_EVENT_EXCEPTION_CATCH, m, 0);
    SAME(record_hash(t, e), r->hash);
    SAME(thrown->catch_location, r->location);
}

TCK_CASE("event-code", catch_order, "ExceptionCatch.behaviour.after-Exception",
         "Exception Catch", 602)
{
    int thrown, caught;

    NEED("can_generate_exception_events");
    RECORDING(JVMTI_EVENT_EXCEPTION_CATCH);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
    stage_call_long(t, "tck/Events", "failAndCatch", CATCH_SIGNATURE, exception(t));
    record_quiet(t);
    thrown = record_find(t->jvmti, JVMTI_EVENT_EXCEPTION, method(t, "fail", FAIL_SIGNATURE),
                         NULL, 0);
    caught = record_find(t->jvmti, JVMTI_EVENT_EXCEPTION_CATCH,
                         method(t, "failAndCatch", CATCH_SIGNATURE), NULL, 0);
    TRUE(thrown >= 0);
    TRUE(caught > thrown);
}

TCK_CASE("event-code", catch_before_step, "ExceptionCatch.behaviour.before-single-step",
         "Multiple Co-located Events", 573)
{
    jmethodID m = method(t, "failAndCatch", CATCH_SIGNATURE);
    int caught, next;

    NEED("can_generate_exception_events");
    NEED("can_generate_single_step_events");
    RECORDING(JVMTI_EVENT_EXCEPTION_CATCH);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL);
    stage_call_long(t, "tck/Events", "failAndCatch", CATCH_SIGNATURE, exception(t));
    record_quiet(t);
    caught = record_find(t->jvmti, JVMTI_EVENT_EXCEPTION_CATCH, m, NULL, 0);
    TRUE(caught >= 0);
    next = record_next_own(caught + 1);
    TRUE(next > caught);
    TRUE(record_at(next)->method == m);
    SAME(JVMTI_EVENT_SINGLE_STEP, record_at(next)->event);
    SAME(record_at(caught)->location, record_at(next)->location);
}

TCK_CASE("event-code", finally_catches, "ExceptionCatch.behaviour.finally",
         "Exception Catch", 604)
{
    jmethodID m = method(t, "finallyRuns", CATCH_SIGNATURE);

    NEED("can_generate_exception_events");
    RECORDING(JVMTI_EVENT_EXCEPTION_CATCH);
    stage_call_long(t, "tck/Events", "finallyRuns", CATCH_SIGNATURE, exception(t));
    record_quiet(t);
    /* The finally clause, and the catch clause that it throws on to. */
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_EXCEPTION_CATCH, m, NULL));
}

/* What a native thread of the case's own calls: below it there is no Java frame. */
struct lone_call {
    JavaVM *vm;
    jclass klass;
    jmethodID method;
    jobject exception;
};

static void *
call_alone(void *data)
{
    struct lone_call *call = data;
    JavaVMAttachArgs args = { JNI_VERSION_1_8, (char *)"alone", NULL };
    JNIEnv *jni;

    if ((*call->vm)->AttachCurrentThreadAsDaemon(call->vm, (void **)&jni, &args) != JNI_OK)
        return NULL;
    (*jni)->CallStaticVoidMethod(jni, call->klass, call->method, call->exception);
    (*jni)->ExceptionClear(jni);
    (*call->vm)->DetachCurrentThread(call->vm);
    return data;
}

TCK_CASE("event-code", exception_uncaught, "Exception.behaviour.no-catch-clause",
         "Exception", 599)
{
    jmethodID m = method(t, "fail", FAIL_SIGNATURE);
    struct lone_call call = { t->vm, NULL, m, NULL };
    pthread_t thread;
    void *called = NULL;

    NEED("can_generate_exception_events");
    call.klass = (*t->jni)->NewGlobalRef(t->jni, stage_class(t, "tck/Events"));
    call.exception = (*t->jni)->NewGlobalRef(t->jni, exception(t));
    RECORDING(JVMTI_EVENT_EXCEPTION);
    /* The launcher may be Java code that catches what comes out of main(), so the method
       runs in a thread that has no other frame. */
    if (pthread_create(&thread, NULL, call_alone, &call) == 0)
        pthread_join(thread, &called);
    record_quiet(t);
    (*t->jni)->DeleteGlobalRef(t->jni, call.klass);
    (*t->jni)->DeleteGlobalRef(t->jni, call.exception);
    TRUE(called != NULL);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_EXCEPTION, m, NULL));
    THE(r, JVMTI_EVENT_EXCEPTION, m, 0);
    TRUE(r->catch_method == NULL);
    SAME(0, r->catch_location);
}

TCK_CASE("event-code", exception_in_native, "Exception.behaviour.cleared-in-native",
         "Exception", 598)
{
    jclass k = stage_class(t, "java/lang/IllegalStateException");

    NEED("can_generate_exception_events");
    RECORDING(JVMTI_EVENT_EXCEPTION);
    (*t->jni)->ThrowNew(t->jni, k, "set and cleared in native code");
    (*t->jni)->ExceptionClear(t->jni);
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_EXCEPTION, NULL,
                           "Ljava/lang/IllegalStateException;"));
}

TCK_CASE("event-code", exception_pending, "Universal.behaviour.pending-exception-kept",
         "Exceptions and Functions", 59)
{
    jthrowable e = exception(t), after;
    jint count;
    jmethodID *methods;
    jclass k = stage_class(t, "tck/Model"), *classes;
    jvmtiThreadInfo info;
    char *signature;

    (*t->jni)->Throw(t->jni, e);
    CALL(GetClassMethods, k, &count, &methods);
    CALL(Deallocate, (unsigned char *)methods);
    CALL(GetClassSignature, k, &signature, NULL);
    CALL(Deallocate, (unsigned char *)signature);
    CALL(GetLoadedClasses, &count, &classes);
    CALL(Deallocate, (unsigned char *)classes);
    CALL(GetThreadInfo, NULL, &info);
    CALL(Deallocate, (unsigned char *)info.name);
    CALL(ForceGarbageCollection);
    after = (*t->jni)->ExceptionOccurred(t->jni);
    (*t->jni)->ExceptionClear(t->jni);
    TRUE((*t->jni)->IsSameObject(t->jni, e, after));
}

/* -- fields -- */

static jfieldID
watched(struct tck *t)
{
    return stage_field(t, "tck/Events", "watched", "I", true);
}

static jfieldID
instance_watched(struct tck *t)
{
    return stage_field(t, "tck/Events", "instanceWatched", "I", false);
}

static jobject
target(struct tck *t)
{
    return stage_call(t, "tck/Events", "create", "()Ltck/Events;");
}

TCK_CASE("event-code", access_static, "FieldAccess.behaviour.static-field",
         "Field Access", 583)
{
    jclass k = stage_class(t, "tck/Events");
    jmethodID m = method(t, "readStatic", "()I");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_field_access_events");
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    CALL(SetFieldAccessWatch, k, watched(t));
    stage_call_long(t, "tck/Events", "readStatic", "()I");
    CALL(ClearFieldAccessWatch, k, watched(t));
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_ACCESS, m, NULL));
    THE(r, JVMTI_EVENT_FIELD_ACCESS, m, 0);
    SAME(0, r->location);
    SAME(0, r->hash);
    TRUE(r->field == watched(t));
    TEXT("Ltck/Events;", r->text);
}

TCK_CASE("event-code", access_instance, "FieldAccess.behaviour.instance-field",
         "Field Access", 583)
{
    jclass k = stage_class(t, "tck/Events");
    jmethodID m = method(t, "readInstance", "(Ltck/Events;)I");
    jobject object = target(t);

    NEED_BYTECODE_INDICES;
    NEED("can_generate_field_access_events");
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    CALL(SetFieldAccessWatch, k, instance_watched(t));
    stage_call_long(t, "tck/Events", "readInstance", "(Ltck/Events;)I", object);
    CALL(ClearFieldAccessWatch, k, instance_watched(t));
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_ACCESS, m, NULL));
    THE(r, JVMTI_EVENT_FIELD_ACCESS, m, 0);
    SAME(1, r->location);
    SAME(record_hash(t, object), r->hash);
    TRUE(r->field == instance_watched(t));
    TEXT("Ltck/Events;", r->text);
}

static void
write_in_handler(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    jclass k;

    (void)env;
    if (r->event != JVMTI_EVENT_FIELD_ACCESS)
        return;
    k = (*jni)->FindClass(jni, "tck/Events");
    (*jni)->SetStaticIntField(jni, k, (*jni)->GetStaticFieldID(jni, k, "watched", "I"), 8);
}

/* The program reads what the handler has written. */
TCK_CASE("event-code", access_before, "FieldAccess.behaviour.before-read",
         "Field Access", 584)
{
    jclass k = stage_class(t, "tck/Events");
    jlong value;

    NEED("can_generate_field_access_events");
    (*t->jni)->SetStaticIntField(t->jni, k, watched(t), 7);
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    record_set_hook(write_in_handler);
    CALL(SetFieldAccessWatch, k, watched(t));
    value = stage_call_long(t, "tck/Events", "readStatic", "()I");
    CALL(ClearFieldAccessWatch, k, watched(t));
    record_quiet(t);
    SAME(8, value);
}

TCK_CASE("event-code", access_by_jni, "SetFieldAccessWatch.behaviour.jni-access",
         "Set Field Access Watch", 326)
{
    jclass k = stage_class(t, "tck/Events");
    jfieldID f = watched(t);

    NEED("can_generate_field_access_events");
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    CALL(SetFieldAccessWatch, k, f);
    (*t->jni)->GetStaticIntField(t->jni, k, f);
    CALL(ClearFieldAccessWatch, k, f);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_ACCESS, NULL, NULL));
}

TCK_CASE("event-code", write_is_no_access, "SetFieldAccessWatch.behaviour.write",
         "Set Field Access Watch", 327)
{
    jclass k = stage_class(t, "tck/Events");

    NEED("can_generate_field_access_events");
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    CALL(SetFieldAccessWatch, k, watched(t));
    stage_call_void(t, "tck/Events", "writeStatic", "(I)V", (jint)3);
    CALL(ClearFieldAccessWatch, k, watched(t));
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FIELD_ACCESS, NULL, NULL));
}

TCK_CASE("event-code", watch_until_cleared,
         "SetFieldAccessWatch.behaviour.until-cleared",
         "Set Field Access Watch", 329)
{
    jclass k = stage_class(t, "tck/Events");

    NEED("can_generate_field_access_events");
    RECORDING(JVMTI_EVENT_FIELD_ACCESS);
    CALL(SetFieldAccessWatch, k, watched(t));
    for (int i = 0; i < 3; i++)
        stage_call_long(t, "tck/Events", "readStatic", "()I");
    CALL(ClearFieldAccessWatch, k, watched(t));
    stage_call_long(t, "tck/Events", "readStatic", "()I");
    record_quiet(t);
    SAME(3, record_matches(t->jvmti, JVMTI_EVENT_FIELD_ACCESS, NULL, NULL));
}

static jint value_in_handler;

static void
read_in_handler(jvmtiEnv *env, JNIEnv *jni, const struct record *r)
{
    jclass k;

    (void)env;
    if (r->event != JVMTI_EVENT_FIELD_MODIFICATION)
        return;
    k = (*jni)->FindClass(jni, "tck/Events");
    value_in_handler = (*jni)->GetStaticIntField(jni, k,
        (*jni)->GetStaticFieldID(jni, k, "watched", "I"));
}

TCK_CASE("event-code", modification_static, "FieldModification.behaviour.static-field",
         "Field Modification", 585)
{
    jclass k = stage_class(t, "tck/Events");
    jmethodID m = method(t, "writeStatic", "(I)V");

    NEED_BYTECODE_INDICES;
    NEED("can_generate_field_modification_events");
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    CALL(SetFieldModificationWatch, k, watched(t));
    stage_call_void(t, "tck/Events", "writeStatic", "(I)V", (jint)77);
    CALL(ClearFieldModificationWatch, k, watched(t));
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, m, NULL));
    THE(r, JVMTI_EVENT_FIELD_MODIFICATION, m, 0);
    SAME(1, r->location);
    SAME('I', r->type);
    SAME(77, r->b);
    SAME(0, r->hash);
    TRUE(r->field == watched(t));
    TEXT("Ltck/Events;", r->text);
}

TCK_CASE("event-code", modification_before, "FieldModification.behaviour.before-write",
         "Field Modification", 586)
{
    jclass k = stage_class(t, "tck/Events");

    NEED("can_generate_field_modification_events");
    (*t->jni)->SetStaticIntField(t->jni, k, watched(t), 5);
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    record_set_hook(read_in_handler);
    value_in_handler = -1;
    CALL(SetFieldModificationWatch, k, watched(t));
    stage_call_void(t, "tck/Events", "writeStatic", "(I)V", (jint)6);
    CALL(ClearFieldModificationWatch, k, watched(t));
    record_quiet(t);
    SAME(5, value_in_handler);
    SAME(6, (*t->jni)->GetStaticIntField(t->jni, k, watched(t)));
}

TCK_CASE("event-code", modification_instance,
         "FieldModification.behaviour.instance-field", "Field Modification", 585)
{
    jclass k = stage_class(t, "tck/Events");
    jmethodID m = method(t, "writeInstance", "(Ltck/Events;I)V");
    jobject object = target(t);

    NEED_BYTECODE_INDICES;
    NEED("can_generate_field_modification_events");
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    CALL(SetFieldModificationWatch, k, instance_watched(t));
    stage_call_void(t, "tck/Events", "writeInstance", "(Ltck/Events;I)V", object,
                    (jint)-8);
    CALL(ClearFieldModificationWatch, k, instance_watched(t));
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, m, NULL));
    THE(r, JVMTI_EVENT_FIELD_MODIFICATION, m, 0);
    SAME(2, r->location);
    SAME('I', r->type);
    SAME(-8, r->b);
    SAME(record_hash(t, object), r->hash);
    TRUE(r->field == instance_watched(t));
    TEXT("Ltck/Events;", r->text);
}

TCK_CASE("event-code", modification_by_jni,
         "SetFieldModificationWatch.behaviour.jni-write", "Set Field Modification Watch",
         331)
{
    jclass k = stage_class(t, "tck/Events");
    jfieldID f = watched(t);

    NEED("can_generate_field_modification_events");
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    CALL(SetFieldModificationWatch, k, f);
    (*t->jni)->SetStaticIntField(t->jni, k, f, 12);
    CALL(ClearFieldModificationWatch, k, f);
    record_quiet(t);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, NULL, NULL));
    SAME(12, record_at(record_find(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, NULL, NULL,
                                   0))->b);
}

TCK_CASE("event-code", read_is_no_modification,
         "SetFieldModificationWatch.behaviour.read", "Set Field Modification Watch", 331)
{
    jclass k = stage_class(t, "tck/Events");

    NEED("can_generate_field_modification_events");
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    CALL(SetFieldModificationWatch, k, watched(t));
    stage_call_long(t, "tck/Events", "readStatic", "()I");
    CALL(ClearFieldModificationWatch, k, watched(t));
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, NULL, NULL));
}

TCK_CASE("event-code", modification_array, "FieldModification.behaviour.array-value",
         "Field Modification", 585)
{
    jclass k = stage_class(t, "tck/Events");
    jfieldID f = (*t->jni)->GetStaticFieldID(t->jni, k, "numbers", "[I");
    jintArray value = (*t->jni)->NewIntArray(t->jni, 3);

    NEED("can_generate_field_modification_events");
    RECORDING(JVMTI_EVENT_FIELD_MODIFICATION);
    CALL(SetFieldModificationWatch, k, f);
    (*t->jni)->SetStaticObjectField(t->jni, k, f, value);
    stage_call_void(t, "tck/Events", "writeNumbers", "([I)V", value);
    CALL(ClearFieldModificationWatch, k, f);
    record_quiet(t);
    SAME(2, record_matches(t->jvmti, JVMTI_EVENT_FIELD_MODIFICATION, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        THE(r, JVMTI_EVENT_FIELD_MODIFICATION, NULL, i);
        /* "Signature type of the new value": a reference, or more closely an array. */
        TRUE(r->type == 'L' || r->type == '[');
        SAME(record_hash(t, value), r->b);
        SAME(0, r->hash);
    }
}
