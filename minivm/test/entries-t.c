/* SPDX-License-Identifier: MIT */
/* The generated entry wrappers, with resolvers that only record what they were asked. */
#include "jvmti/entries.h"

#include <stdarg.h>
#include <string.h>

#include <tiforge_names.h>

#include "jvmti/wrapper.h"
#include "test/tap.h"

struct jvmti_env {
    const struct jvmtiInterface_1_ *functions;
};

static struct jvmti_env environment = { &jvmti_function_table };
static jvmtiEnv *const env = &environment.functions;
static jvmtiCapabilities capabilities;
static unsigned phase;             /* PHASE_ bit that the VM is in */
static char trace[256];            /* what was called, in order */

static void
record(const char *format, ...)
{
    size_t length = strlen(trace);
    va_list args;

    va_start(args, format);
    vsnprintf(trace + length, sizeof trace - length, format, args);
    va_end(args);
}

static void
start(unsigned in_phase)
{
    memset(&capabilities, 0, sizeof capabilities);
    trace[0] = '\0';
    phase = in_phase;
}

jvmtiError
jvmti_check(jvmtiEnv *handle, unsigned phases, struct jvmti_env **result)
{
    record("check ");
    if (handle != env)
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    *result = &environment;
    return (phases & phase) != 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_WRONG_PHASE;
}

bool
jvmti_is_event(jvmtiEvent event)
{
    return tiforge_event_name(event) != NULL;
}

const jvmtiCapabilities *
jvmti_env_capabilities(const struct jvmti_env *e)
{
    (void)e;
    return &capabilities;
}

jvmtiError
jvmti_enter(struct jvmti_call *call)
{
    (void)call;
    record("enter ");
    return JVMTI_ERROR_NONE;
}

void
jvmti_leave(struct jvmti_call *call)
{
    (void)call;
    record("leave ");
}

_Atomic bool schedule_is_on;

void
jvmti_point_slow(void)
{
}

jvmtiError
jvmti_resolve_thread(struct jvmti_call *call, jthread thread, enum null_policy null,
                     enum target_state state, struct target *result)
{
    (void)call, (void)result;
    record("thread%s%s ", null == NULL_IS_CURRENT ? "?" : null == NULL_IS_NONE ? "*" : "",
           state == TARGET_ALIVE ? "+" : "");
    return thread == NULL && null == NULL_IS_INVALID ? JVMTI_ERROR_INVALID_THREAD
                                                     : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_instance(struct jvmti_call *call, jobject reference,
                       enum null_policy null, enum known_class class, jvmtiError error,
                       struct object **result)
{
    (void)call;
    record("%s%s ", class == KNOWN_CLASS_Object ? "object"
                    : class == KNOWN_CLASS_ThreadGroup ? "group"
                    : class == KNOWN_CLASS_Module ? "module"
                    : class == KNOWN_CLASS_ClassLoader ? "loader" : "unknown",
           null == NULL_IS_NONE ? "*" : "");
    *result = (struct object *)(void *)reference;
    return reference == NULL && null == NULL_IS_INVALID ? error : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_class(struct jvmti_call *call, jclass klass, enum null_policy null,
                    struct class **result)
{
    (void)call;
    record("class%s ", null == NULL_IS_NONE ? "*" : "");
    *result = (struct class *)(void *)klass;
    return klass == NULL && null == NULL_IS_INVALID ? JVMTI_ERROR_INVALID_CLASS
                                                    : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_method(jmethodID method, struct method_version **result)
{
    record("method ");
    *result = NULL;
    return method == NULL ? JVMTI_ERROR_INVALID_METHODID : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_field(struct class *klass, jfieldID field, struct field **result)
{
    record(klass != NULL ? "field " : "field-without-class ");
    *result = NULL;
    return field == NULL ? JVMTI_ERROR_INVALID_FIELDID : JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_resolve_monitor(jrawMonitorID monitor, struct monitor **result)
{
    record("monitor ");
    *result = NULL;
    return monitor == NULL ? JVMTI_ERROR_INVALID_MONITOR : JVMTI_ERROR_NONE;
}

/* No body exists in this build, so a call that passes its checks is NOT_AVAILABLE. */
#define IS(call, error, calls, ...) \
    do { \
        trace[0] = '\0'; \
        is_int(call, error, __VA_ARGS__); \
        is_string(trace, calls, "its steps"); \
    } while (0)

static void
test_order(void)
{
    jvmtiEnv other = NULL;
    jobject value;

    start(PHASE_START);
    IS((*env)->GetLocalObject(&other, NULL, -1, -1, NULL),
       JVMTI_ERROR_INVALID_ENVIRONMENT, "check leave ", "the environment comes first");
    IS((*env)->GetLocalObject(env, NULL, -1, -1, NULL), JVMTI_ERROR_WRONG_PHASE,
       "check leave ", "then the phase");
    start(PHASE_LIVE);
    IS((*env)->GetLocalObject(env, NULL, -1, -1, NULL),
       JVMTI_ERROR_MUST_POSSESS_CAPABILITY, "check leave ", "then the capability");
    capabilities.can_access_local_variables = 1;
    IS((*env)->GetLocalObject(env, NULL, -1, 0, &value), JVMTI_ERROR_ILLEGAL_ARGUMENT,
       "check leave ", "a negative depth");
    IS((*env)->GetLocalObject(env, NULL, 0, -1, &value), JVMTI_ERROR_INVALID_SLOT,
       "check leave ", "a negative slot");
    IS((*env)->GetLocalObject(env, NULL, 0, 0, NULL), JVMTI_ERROR_NULL_POINTER,
       "check leave ", "a missing result pointer");
    IS((*env)->GetLocalObject(env, NULL, 0, 0, &value), JVMTI_ERROR_NOT_AVAILABLE,
       "check enter thread?+ leave ", "NULL is the current thread, which is alive");
    IS((*env)->SetLocalObject(env, NULL, 0, 0, NULL), JVMTI_ERROR_NOT_AVAILABLE,
       "check enter thread?+ object* leave ", "a local may be set to NULL");
}

static void
test_kinds(void)
{
    jboolean flag;
    jint number;
    jlong size;
    char *name;
    jclass klass = (jclass)&number;

    start(PHASE_LIVE);
    IS((*env)->GetFieldName(env, klass, NULL, &name, NULL, NULL),
       JVMTI_ERROR_INVALID_FIELDID, "check enter class field leave ",
       "a field is looked up in its class");
    IS((*env)->GetFieldName(env, NULL, NULL, &name, NULL, NULL),
       JVMTI_ERROR_INVALID_CLASS, "check enter class leave ", "no class, no field");
    IS((*env)->IsMethodNative(env, NULL, &flag), JVMTI_ERROR_INVALID_METHODID,
       "check enter method leave ", "a method id");
    IS((*env)->GetObjectSize(env, NULL, &size), JVMTI_ERROR_INVALID_OBJECT,
       "check enter object leave ", "an object");
    IS((*env)->AddModuleUses(env, NULL, klass), JVMTI_ERROR_NULL_POINTER, "check leave ",
       "a module that is NULL is a NULL pointer");
    IS((*env)->AddModuleUses(env, klass, klass), JVMTI_ERROR_NOT_AVAILABLE,
       "check enter module class leave ", "a module and a class");
    IS((*env)->SetEventNotificationMode(env, (jvmtiEventMode)2, JVMTI_EVENT_VM_INIT,
                                        NULL), JVMTI_ERROR_ILLEGAL_ARGUMENT,
       "check leave ", "a mode that is none");
    IS((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, (jvmtiEvent)72, NULL),
       JVMTI_ERROR_INVALID_EVENT_TYPE, "check leave ", "a reserved event number");
    IS((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL),
       JVMTI_ERROR_NOT_AVAILABLE, "check enter thread*+ leave ",
       "NULL means all threads");
    IS((*env)->GetThreadState(env, NULL, &number), JVMTI_ERROR_NOT_AVAILABLE,
       "check enter thread? leave ", "the state of an ended thread can be asked");
    IS((*env)->RunAgentThread(env, klass, (jvmtiStartFunction)test_order, NULL, 11),
       JVMTI_ERROR_INVALID_PRIORITY, "check leave ", "a priority above the highest");
    IS((*env)->GetErrorName(env, (jvmtiError)1, &name), JVMTI_ERROR_ILLEGAL_ARGUMENT,
       "check leave ", "an error number that is none");
    capabilities.can_suspend = capabilities.can_support_virtual_threads = 1;
    IS((*env)->SuspendAllVirtualThreads(env, 0, NULL), JVMTI_ERROR_NOT_AVAILABLE,
       "check enter leave ", "an empty list may be NULL");
    IS((*env)->SuspendAllVirtualThreads(env, 1, NULL), JVMTI_ERROR_NULL_POINTER,
       "check leave ", "a list of one may not");
}

static void
test_callback_safe(void)
{
    unsigned char *memory;

    start(PHASE_DEAD);
    IS((*env)->RawMonitorEnter(env, NULL), JVMTI_ERROR_INVALID_MONITOR,
       "check monitor ", "callback safe functions do not enter the VM");
    IS((*env)->Allocate(env, -1, &memory), JVMTI_ERROR_ILLEGAL_ARGUMENT, "check ",
       "a negative size");
    IS((*env)->Deallocate(env, NULL), JVMTI_ERROR_NOT_AVAILABLE, "check ",
       "memory may be NULL");
}

static void
test_tables(void)
{
    const struct jvmti_event_info *infos = jvmti_event_infos;
    const struct jvmti_event_info *step =
        &infos[JVMTI_EVENT_SINGLE_STEP - JVMTI_MIN_EVENT_TYPE_VAL];
    static const jvmtiCapabilities none;
    void *const *slots = (void *const *)&jvmti_function_table;
    int filled = 0;

    for (size_t i = 0; i < sizeof jvmti_function_table / sizeof *slots; i++)
        filled += slots[i] != NULL;
    is_int(filled, 150, "every function has a wrapper");
    is_string(step->name, "SingleStep", "an event's name");
    is_int(step->capability, 16, "its capability");
    is_int(step->phases, PHASE_LIVE, "its phases");
    ok(step->thread_scoped, "it can be switched for one thread");
    ok(!infos[JVMTI_EVENT_VM_INIT - JVMTI_MIN_EVENT_TYPE_VAL].thread_scoped,
       "VMInit cannot");
    ok(infos[72 - JVMTI_MIN_EVENT_TYPE_VAL].name == NULL, "a reserved number is none");
    ok(memcmp(&jvmti_implemented_capabilities, &none, sizeof none) == 0,
       "without bodies no capability is offered");
}

int
main(void)
{
    test_order();
    test_kinds();
    test_callback_safe();
    test_tables();
    return done_testing();
}
