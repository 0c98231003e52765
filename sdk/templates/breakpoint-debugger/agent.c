/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Prints the local variables and the stack whenever a place is reached (JVM TI
 * "Breakpoint", "Local Variable"). Breakpoints are set when a class is prepared:
 * earlier its methods are not there, later it may have run.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <inttypes.h>

#include <tiforge/tiforge.h>

static char **at;
static long long hits = 10, depth = 5;
static const struct tf_option options[] = {
    { "at", TF_LIST, &at, NULL, 0, 0, "places, p.C.method or p.C@LINE", "PLACE:PLACE" },
    { "hits", TF_INT, &hits, NULL, 1, 1000000000, "hits after which to stop", NULL },
    { "depth", TF_INT, &depth, NULL, 1, 1000, "frames to print", NULL }
};

static struct tf_gate gate;
static long long count;

/* The value of a variable in the current thread's top frame, by its descriptor
   (JVM TI "Get Local Variable - Object" and so on). */
static bool
add_value(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni,
          const jvmtiLocalVariableEntry *variable)
{
    jint slot = variable->slot, i;
    jlong j;
    jfloat f;
    jdouble d;
    jobject object = NULL;
    jclass klass;
    const char *chars;

    switch (variable->signature[0]) {
    case 'Z': case 'B': case 'C': case 'S': case 'I':
        if (!TF_CALL(jvmti, GetLocalInt, (jvmti, NULL, 0, slot, &i)))
            return false;
        if (variable->signature[0] == 'Z')
            tf_buffer_text(out, i != 0 ? "true" : "false");
        else
            tf_buffer_format(out, "%" PRId32, (int32_t)i);
        return true;
    case 'J':
        if (!TF_CALL(jvmti, GetLocalLong, (jvmti, NULL, 0, slot, &j)))
            return false;
        tf_buffer_format(out, "%" PRId64, (int64_t)j);
        return true;
    case 'F':
        if (!TF_CALL(jvmti, GetLocalFloat, (jvmti, NULL, 0, slot, &f)))
            return false;
        tf_buffer_format(out, "%g", (double)f);
        return true;
    case 'D':
        if (!TF_CALL(jvmti, GetLocalDouble, (jvmti, NULL, 0, slot, &d)))
            return false;
        tf_buffer_format(out, "%g", d);
        return true;
    default:
        break;
    }
    if (!TF_CALL(jvmti, GetLocalObject, (jvmti, NULL, 0, slot, &object)))
        return false;
    if (object == NULL)
        tf_buffer_text(out, "null");
    else if (strcmp(variable->signature, "Ljava/lang/String;") == 0) {
        chars = TF_TABLE(jni)->GetStringUTFChars(jni, (jstring)object, NULL);
        if (chars == NULL) {
            tf_clear_exception(jni, "GetStringUTFChars");
            return false;
        }
        tf_buffer_text(out, "\"");
        tf_buffer_printable(out, chars, strlen(chars));
        tf_buffer_text(out, "\"");
        TF_TABLE(jni)->ReleaseStringUTFChars(jni, (jstring)object, chars);
    } else {
        klass = TF_TABLE(jni)->GetObjectClass(jni, object);
        tf_buffer_text(out, "a ");
        tf_name_class(out, jvmti, klass);
    }
    return true;
}

/* The variables that exist at a location. */
static void
add_variables(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method,
              jlocation location)
{
    jvmtiLocalVariableEntry *table = NULL;
    jint entries = 0;

    /* Classes without debug information have none: not an error. */
    if (TF_TABLE(jvmti)->GetLocalVariableTable(jvmti, method, &entries, &table)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < entries; i++) {
        if (location >= table[i].start_location
            && location < table[i].start_location + table[i].length) {
            tf_buffer_format(out, "@name@:   %s = ", table[i].name);
            if (!add_value(out, jvmti, jni, &table[i]))
                tf_buffer_text(out, "?");
            tf_buffer_text(out, "\n");
        }
        tf_deallocate(jvmti, table[i].name);
        tf_deallocate(jvmti, table[i].signature);
        tf_deallocate(jvmti, table[i].generic_signature);
    }
    tf_deallocate(jvmti, table);
}

static void
add_stack(struct tf_buffer *out, jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiFrameInfo *frames = (jvmtiFrameInfo *)malloc((size_t)depth * sizeof *frames);
    jint frame_count = 0;

    if (frames == NULL
        || !TF_CALL(jvmti, GetStackTrace, (jvmti, NULL, 0, (jint)depth, frames,
                                           &frame_count)))
        frame_count = 0;
    for (jint i = 0; i < frame_count; i++) {
        tf_buffer_text(out, "@name@:   at ");
        tf_name_frame(out, jvmti, jni, frames[i].method, frames[i].location);
        tf_buffer_text(out, "\n");
    }
    free(frames);
}

static void JNICALL
on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    struct tf_scope scope;
    struct tf_buffer text;
    long long hit;

    if (!tf_gate_enter(&gate))
        return;
    hit = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    /* Another thread may have been as fast: then it is cleared,
       JVMTI_ERROR_NOT_FOUND. */
    if (hit >= hits)
        TF_TABLE(jvmti)->ClearBreakpoint(jvmti, method, location);
    if (hit <= hits && tf_scope_open(&scope, jvmti, jni, 64)) {
        tf_buffer_init(&text);
        tf_buffer_format(&text, "@name@: hit %lld in ", hit);
        tf_name_thread(&text, jvmti, jni, thread);
        tf_buffer_text(&text, "\n");
        add_variables(&text, jvmti, jni, method, location);
        add_stack(&text, jvmti, jni);
        fputs(tf_buffer_string(&text), stdout);
        fflush(stdout);
        tf_buffer_release(&text);
        tf_scope_close(&scope);
    }
    tf_gate_leave(&gate);
}

static void
set_breakpoint(jvmtiEnv *jvmti, jmethodID method, jlocation location, const char *place)
{
    jvmtiError error = TF_TABLE(jvmti)->SetBreakpoint(jvmti, method, location);

    if (error == JVMTI_ERROR_NONE)
        printf("@name@: breakpoint at %s, location %" PRId64 "\n", place,
               (int64_t)location);
    else if (error != JVMTI_ERROR_DUPLICATE)
        tf_check(jvmti, error, "SetBreakpoint");
    fflush(stdout);
}

/* The first location of a line in a method, if it has one. */
static void
break_at_line(jvmtiEnv *jvmti, jmethodID method, jint line, const char *place)
{
    jvmtiLineNumberEntry *table = NULL;
    jint entries = 0;

    if (TF_TABLE(jvmti)->GetLineNumberTable(jvmti, method, &entries, &table)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < entries; i++)
        if (table[i].line_number == line) {
            set_breakpoint(jvmti, method, table[i].start_location, place);
            break;
        }
    tf_deallocate(jvmti, table);
}

/* Set the breakpoints of one place; klass is the class that it names. */
static void
set_place(jvmtiEnv *jvmti, jclass klass, const char *place, const char *member)
{
    jmethodID *methods = NULL;
    jint method_count = 0;

    if (!TF_CALL(jvmti, GetClassMethods, (jvmti, klass, &method_count, &methods)))
        return;
    for (jint i = 0; i < method_count; i++) {
        jlocation first = -1, last = -1;
        char *name = NULL;

        if (*member == '@')
            break_at_line(jvmti, methods[i], (jint)atoi(member + 1), place);
        /* Native and abstract methods have no locations. */
        else if (TF_CALL(jvmti, GetMethodName, (jvmti, methods[i], &name, NULL, NULL))
                 && strcmp(name, member + 1) == 0
                 && TF_TABLE(jvmti)->GetMethodLocation(jvmti, methods[i], &first, &last)
                    == JVMTI_ERROR_NONE && first >= 0)
            set_breakpoint(jvmti, methods[i], first, place);
        tf_deallocate(jvmti, name);
    }
    tf_deallocate(jvmti, methods);
}

static void
set_places(jvmtiEnv *jvmti, jclass klass)
{
    struct tf_buffer name;

    tf_buffer_init(&name);
    if (tf_name_class(&name, jvmti, klass))
        for (char **place = at; place != NULL && *place != NULL; place++) {
            const char *member = strchr(*place, '@');

            if (member == NULL)
                member = strrchr(*place, '.');
            if (member != NULL && name.length == (size_t)(member - *place)
                && strncmp(*place, tf_buffer_string(&name), name.length) == 0)
                set_place(jvmti, klass, *place, member);
        }
    tf_buffer_release(&name);
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    (void)jni;
    (void)thread;
    if (!tf_gate_enter(&gate))
        return;
    set_places(jvmti, klass);
    tf_gate_leave(&gate);
}

/* Classes that were there before an attach. */
static void
set_all_places(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL;
    jint class_count = 0, status;

    if (!TF_CALL(jvmti, GetLoadedClasses, (jvmti, &class_count, &classes)))
        return;
    for (jint i = 0; i < class_count; i++)
        if (TF_CALL(jvmti, GetClassStatus, (jvmti, classes[i], &status))
            && (status & JVMTI_CLASS_STATUS_PREPARED) != 0)
            set_places(jvmti, classes[i]);
    tf_release_references(jvmti, jni, (jobject *)classes, class_count);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    tf_gate_close(&gate, 1000);
    printf("@name@: %lld hits\n", count);
    fflush(stdout);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required, wanted;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    if (at == NULL) {
        tf_error("where? give at=p.C.method or at=p.C@LINE");
        return TF_FAILED;
    }
    memset(&required, 0, sizeof required);
    memset(&wanted, 0, sizeof wanted);
    required.can_generate_breakpoint_events = 1;
    required.can_access_local_variables = 1;
    required.can_get_line_numbers = 1;
    wanted.can_get_source_file_name = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.Breakpoint = on_breakpoint;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.VMDeath = on_vm_death;
    if (!tf_capabilities_add(jvmti, &required, &wanted, NULL)
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_CLASS_PREPARE,
                             JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    if (agent->attached)
        set_all_places(jvmti, agent->jni);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
