/* SPDX-License-Identifier: MIT */
/* Lab 4: counts calls, by MethodEntry or by breakpoints. */
#include "lab.h"

struct entry {
    jmethodID method;
    long count;
    bool wanted;
    char *text;         /* "NAME DESCRIPTOR", in the end */
};

static char wanted[600];        /* "Lp/C;" */
static bool by_breakpoints;
static jrawMonitorID lock;      /* of the table */
static struct entry *table;
static size_t count, room;

/* Is it a method of the class? */
static bool
is_wanted(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    char *signature = NULL;
    jclass klass;
    bool result;

    if (!CALL(GetMethodDeclaringClass, jvmti, method, &klass))
        return false;
    result = CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && strcmp(signature, wanted) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, klass);
    return result;
}

/* The method's row; with the monitor held. */
static struct entry *
find(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].method == method)
            return &table[i];
    if (count == room) {
        struct entry *more = realloc(table, (room = room * 2 + 64) * sizeof *table);
        if (more == NULL)
            exit(1);
        table = more;
    }
    memset(&table[count], 0, sizeof table[count]);
    table[count].method = method;
    table[count].wanted = is_wanted(jvmti, jni, method);
    return &table[count++];
}

static void
count_call(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    find(jvmti, jni, method)->count++;
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL
on_method_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)thread;
    count_call(jvmti, jni, method);
}

static void JNICALL
on_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    (void)thread;
    (void)location;
    count_call(jvmti, jni, method);
}

/* A breakpoint at the beginning of each method. */
static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature = NULL;
    jmethodID *methods = NULL;
    jint n = 0;

    (void)jni;
    (void)thread;
    if (CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && strcmp(signature, wanted) == 0
        && CALL(GetClassMethods, jvmti, klass, &n, &methods))
        for (jint i = 0; i < n; i++) {
            jlocation first, last;

            if ((*jvmti)->GetMethodLocation(jvmti, methods[i], &first, &last)
                == JVMTI_ERROR_NONE && first >= 0)
                CALL(SetBreakpoint, jvmti, methods[i], first);
        }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
}

/* The calls of all methods of the class. */
static long
total(void)
{
    long sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += table[i].wanted ? table[i].count : 0;
    return sum;
}

static bool
set_counting(jvmtiEnv *jvmti, jvmtiEventMode mode)
{
    jvmtiEvent event = by_breakpoints ? JVMTI_EVENT_BREAKPOINT : JVMTI_EVENT_METHOD_ENTRY;

    return CALL(SetEventNotificationMode, jvmti, mode, event, NULL);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    say("vminit %ld", total());
    set_counting(jvmti, JVMTI_ENABLE);
}

static int
compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->text, y->text);
}

static void
name_entry(jvmtiEnv *jvmti, struct entry *e)
{
    char *name = NULL, *descriptor = NULL;

    e->text = NULL;
    if (!e->wanted || !CALL(GetMethodName, jvmti, e->method, &name, &descriptor, NULL)
        || asprintf(&e->text, "%s %s", name, descriptor) < 0)
        e->text = strdup("?");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    set_counting(jvmti, JVMTI_DISABLE);
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    for (size_t i = 0; i < count; i++)
        name_entry(jvmti, &table[i]);
    qsort(table, count, sizeof *table, compare);
    for (size_t i = 0; i < count; i++)
        if (table[i].wanted)
            say("calls %ld %s", table[i].count, table[i].text);
    say("total %ld", total());
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void
read_options(const char *options)
{
    char *rest = NULL, *copy = strdup(options != NULL ? options : "");

    for (char *option = copy == NULL ? NULL : strtok_r(copy, ",", &rest);
         option != NULL; option = strtok_r(NULL, ",", &rest)) {
        if (strcmp(option, "mode=break") == 0)
            by_breakpoints = true;
        else if (strncmp(option, "class=", 6) == 0) {
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
    if (by_breakpoints)
        capabilities.can_generate_breakpoint_events = 1;
    else
        capabilities.can_generate_method_entry_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.MethodEntry = on_method_entry;
    callbacks.Breakpoint = on_breakpoint;
    callbacks.ClassPrepare = on_class_prepare;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(CreateRawMonitor, jvmti, "table", &lock)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
                 NULL)
        || (by_breakpoints
            && !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                     JVMTI_EVENT_CLASS_PREPARE, NULL)))
        return JNI_ERR;
    return JNI_OK;
}
