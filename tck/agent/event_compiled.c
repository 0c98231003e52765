/* SPDX-License-Identifier: MIT */
/* tck/agent/event_compiled.c -- what the events of compiled code tell, by value. */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* -- compiled code -- */

TCK_CASE("event-values", compiled_told, "CompiledMethodLoad.behaviour.of-compiled-code",
         "Generate Events", 764)
{
    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    record_quiet(t);
    TRUE(record_count() > 0);
    for (int i = 0; i < record_count(); i++) {
        TRUE(record_at(i)->method != NULL);
        TRUE(record_at(i)->a > 0);
    }
}

TCK_CASE("event-values", compiled_map, "CompiledMethodLoad.behaviour.address-map",
         "Compiled Method Load", 679)
{
    NEED_BYTECODE_INDICES;
    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    record_quiet(t);
    if (record_count() == 0)
        tck_skip(t, "the VM has none to report");
    for (int i = 0; i < record_count(); i++)
        TRUE(!record_at(i)->bad_map);
}

/* Is all of it in memory that may be executed?  It may lie in several mappings. */
static bool
is_code(jlong start, jlong length)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long at = (unsigned long)start, end = (unsigned long)(start + length), from, to;
    char line[512], rights[5];

    /* They are listed by their addresses. */
    while (maps != NULL && at < end && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 && rights[2] == 'x'
            && from <= at && at < to)
            at = to;
    if (maps != NULL)
        fclose(maps);
    return at >= end;
}

TCK_CASE("event-values", code_values, "DynamicCodeGenerated.behaviour.parameters",
         "Dynamic Code Generated", 680)
{
    RECORDING(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    CALL(GenerateEvents, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    record_quiet(t);
    if (record_count() == 0)
        tck_skip(t, "the VM has none to report");
    for (int i = 0; i < record_count(); i++) {
        TRUE(record_at(i)->text[0] != '\0');
        TRUE(record_at(i)->a > 0);
        TRUE(is_code(record_at(i)->b, record_at(i)->a));
    }
}

/* In one request no code is told twice; what is compiled meanwhile comes elsewhere. */
static void
run_once_each(struct tck *t, const void *data)
{
    const jvmtiEvent *event = data;
    int told = 0;

    if (*event == JVMTI_EVENT_COMPILED_METHOD_LOAD)
        NEED("can_generate_compiled_method_load_events");
    RECORDING(*event);
    CALL(GenerateEvents, *event);
    record_quiet(t);
    for (int i = 0; i < record_count(); i++) {
        const struct record *a = record_at(i);

        if (pthread_equal(a->thread, pthread_self()) == 0)
            continue;
        told++;
        for (int k = 0; k < i; k++) {
            const struct record *b = record_at(k);

            TRUE(a->b != b->b || a->a != b->a || a->method != b->method
                 || strcmp(a->text, b->text) != 0 || !record_is_own(b));
        }
    }
    if (told == 0)
        tck_skip(t, "the VM has none to report");
}

static const jvmtiEvent compiled_event = JVMTI_EVENT_COMPILED_METHOD_LOAD,
    code_event = JVMTI_EVENT_DYNAMIC_CODE_GENERATED;

TCK_CASE_DATA("event-values", compiled_once, "CompiledMethodLoad.behaviour.once-each",
              "Generate Events", 765, TCK_LIVE, 11, run_once_each, &compiled_event);
TCK_CASE_DATA("event-values", code_once, "DynamicCodeGenerated.behaviour.once-each",
              "Generate Events", 765, TCK_LIVE, 11, run_once_each, &code_event);

/* Have a method of a class of its own compiled; false: it was not. */
static bool
compile_loaded(struct tck *t)
{
    const struct timespec pause = { 0, 1000000 };
    jclass k = stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
    jmethodID m = (*t->jni)->GetStaticMethodID(t->jni, k, "method", "()I");

    for (int i = 0; i < 3000; i++) {
        for (int n = 0; n < 1000; n++)
            (*t->jni)->CallStaticIntMethod(t->jni, k, m);
        if (record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, m, NULL, 0) >= 0)
            break;
        nanosleep(&pause, NULL);
    }
    (*t->jni)->DeleteLocalRef(t->jni, k);
    return record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD, m, NULL, 0) >= 0;
}

/*
 * Is what was told last, before the record at index, of the same method and address that
 * it is loaded?  Of other methods, too, code may be there: "several methods may be inlined
 * into a single address range".
 */
static bool
was_loaded(int index)
{
    const struct record *r = record_at(index);

    for (int i = index - 1; i >= 0; i--)
        if (record_at(i)->b == r->b && record_at(i)->method == r->method)
            return record_at(i)->event == JVMTI_EVENT_COMPILED_METHOD_LOAD;
    return false;
}

TCK_CASE("event-values", uncompiled, "CompiledMethodUnload.behaviour.of-loaded-code",
         "Compiled Method Unload", 766)
{
    const struct timespec pause = { 0, 5000000 };
    int unloaded = -1, count;

    NEED("can_generate_compiled_method_load_events");
    if (!stage_call_long(t, "tck/Events", "compiled", "()Z")) {
        tck_skip(t, "the VM does not compile, or does not tell");
        return;
    }
    RECORDING(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
         NULL);
    CALL(GenerateEvents, JVMTI_EVENT_COMPILED_METHOD_LOAD);
    if (!compile_loaded(t))
        tck_skip(t, "the VM does not compile what often runs");
    for (int i = 0; i < 500 && unloaded < 0 && !t->skipped; i++) {
        CALL(ForceGarbageCollection);
        nanosleep(&pause, NULL);
        unloaded = record_find(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_UNLOAD, NULL, NULL,
                               0);
    }
    record_quiet(t);
    if (unloaded < 0 && !t->skipped)
        tck_skip(t, "the VM kept what it had compiled");
    count = record_count();
    for (int i = 0; i < count; i++)
        TRUE(record_at(i)->event != JVMTI_EVENT_COMPILED_METHOD_UNLOAD || was_loaded(i));
}
