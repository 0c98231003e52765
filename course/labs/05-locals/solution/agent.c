/* SPDX-License-Identifier: MIT */
/* Lab 5: a small debugger. */
#include "lab.h"

static char wanted[600];        /* "Lp/C;" */
static char class_text[600];    /* "p.C" */
static int wanted_line, hits = -1, seen;

/* The first location of the line in a method, or -1. */
static jlocation
location_of(jvmtiEnv *jvmti, jmethodID method, jint line)
{
    jvmtiLineNumberEntry *table = NULL;
    jlocation best = -1;
    jint count = 0;

    if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &table) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        if (table[i].line_number == line
            && (best < 0 || table[i].start_location < best))
            best = table[i].start_location;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return best;
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature = NULL;
    jmethodID *methods = NULL;
    jint count = 0;

    (void)jni;
    (void)thread;
    if (CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && strcmp(signature, wanted) == 0
        && CALL(GetClassMethods, jvmti, klass, &count, &methods))
        for (jint i = 0; i < count; i++) {
            jlocation location = location_of(jvmti, methods[i], wanted_line);

            if (location >= 0)
                CALL(SetBreakpoint, jvmti, methods[i], location);
        }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

static void
say_object(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
           const jvmtiLocalVariableEntry *v)
{
    const char *name = v->name;
    jobject object = NULL;

    if (!CALL(GetLocalObject, jvmti, thread, 0, v->slot, &object))
        return;
    if (object == NULL)
        say("  %s = null", name);
    else if (strcmp(v->signature, "Ljava/lang/String;") == 0) {
        const char *chars = (*jni)->GetStringUTFChars(jni, object, NULL);

        if (chars != NULL) {
            say("  %s = \"%s\"", name, chars);
            (*jni)->ReleaseStringUTFChars(jni, object, chars);
        }
    } else
        say("  %s = object", name);
}

static void
say_variable(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
             const jvmtiLocalVariableEntry *v)
{
    jint i;
    jlong j;
    jfloat f;
    jdouble d;

    switch (v->signature[0]) {
    case 'Z': case 'B': case 'C': case 'S': case 'I':
        if (CALL(GetLocalInt, jvmti, thread, 0, v->slot, &i))
            say("  %s = %d", v->name, (int)i);
        break;
    case 'J':
        if (CALL(GetLocalLong, jvmti, thread, 0, v->slot, &j))
            say("  %s = %lld", v->name, (long long)j);
        break;
    case 'F':
        if (CALL(GetLocalFloat, jvmti, thread, 0, v->slot, &f))
            say("  %s = %g", v->name, (double)f);
        break;
    case 'D':
        if (CALL(GetLocalDouble, jvmti, thread, 0, v->slot, &d))
            say("  %s = %g", v->name, d);
        break;
    default:
        say_object(jvmti, jni, thread, v);
    }
}

static int
compare(const void *a, const void *b)
{
    const jvmtiLocalVariableEntry *x = a, *y = b;

    return x->slot - y->slot;
}

static void
say_variables(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    jvmtiLocalVariableEntry *table = NULL;
    jint count = 0;

    if (!CALL(GetLocalVariableTable, jvmti, method, &count, &table))
        return;
    qsort(table, (size_t)count, sizeof *table, compare);
    for (jint i = 0; i < count; i++) {
        jvmtiLocalVariableEntry *v = &table[i];

        if (location >= v->start_location && location < v->start_location + v->length)
            say_variable(jvmti, jni, thread, v);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)v->name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)v->signature);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)v->generic_signature);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

static void JNICALL
on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    char *name = NULL;

    if (!CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        return;
    say("hit %d %s.%s:%d", ++seen, class_text, name, wanted_line);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    say_variables(jvmti, jni, thread, method, location);
    if (seen == hits)
        CALL(ClearBreakpoint, jvmti, method, location);
}

static void
read_options(const char *options)
{
    char *rest = NULL, *copy = strdup(options != NULL ? options : "");

    for (char *option = copy == NULL ? NULL : strtok_r(copy, ",", &rest);
         option != NULL; option = strtok_r(NULL, ",", &rest)) {
        if (strncmp(option, "line=", 5) == 0)
            wanted_line = atoi(option + 5);
        else if (strncmp(option, "hits=", 5) == 0)
            hits = atoi(option + 5);
        else if (strncmp(option, "class=", 6) == 0) {
            snprintf(class_text, sizeof class_text, "%s", option + 6);
            snprintf(wanted, sizeof wanted, "L%s;", option + 6);
            for (char *c = wanted; *c != '\0'; c++)
                if (*c == '.')
                    *c = '/';
        }
    }
    free(copy);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    read_options(options);
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_generate_breakpoint_events = 1;
    capabilities.can_access_local_variables = 1;
    capabilities.can_get_line_numbers = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.Breakpoint = on_breakpoint;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_CLASS_PREPARE, NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
