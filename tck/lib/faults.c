/* SPDX-License-Identifier: MIT */
/* tck/lib/faults.c -- what each fault does to a prepared call. */
#include "tck/lib/mech.h"
#include "tck/lib/stage.h"

#include <string.h>

static bool
is(const struct mech_call *c, const char *name)
{
    return strcmp(c->function->name, name) == 0;
}

/* Put a value where the case wants the fault, or at the first parameter of a type. */
static bool
put(struct mech_call *c, const char *type, void *value)
{
    int arg = c->mech->arg;

    if (arg < 0 || arg >= c->function->nparams
        || strcmp(c->function->params[arg].type, type) != 0)
        arg = mech_param_of_type(c, type);
    c->args[arg].p = value;
    return value != NULL;
}

static bool
put_int(struct mech_call *c, const char *name, jint value)
{
    int arg = mech_param(c, name);

    if (arg < 0)
        arg = c->mech->arg;
    c->args[arg].i = value;
    return true;
}

static bool
put_event(struct mech_call *c, jint number)
{
    int thread = mech_param_of_type(c, "jthread");

    if (thread >= 0)
        c->args[thread].p = NULL;
    return put_int(c, "event_type", number);
}

static bool
spoil_null(struct mech_call *c)
{
    c->args[c->mech->arg].p = NULL;
    return true;
}

static bool
spoil_negative(struct mech_call *c)
{
    if (c->function->params[c->mech->arg].rep == 'j')
        c->args[c->mech->arg].j = -1;
    else
        c->args[c->mech->arg].i = -1;
    return true;
}

static bool
lacking_env(struct tck *t, struct mech_call *c)
{
    jvmtiCapabilities caps;

    c->extra_env = tck_new_env(t);
    if (c->extra_env == NULL)
        return false;
    tck_add_all(t, c->extra_env, c->mech->cap);
    if ((*c->extra_env)->GetCapabilities(c->extra_env, &caps) != JVMTI_ERROR_NONE
        || tck_cap_get(&caps, c->mech->cap)) {
        tck_fail(t, "a new environment has %s without having added it",
                 tck_capabilities[c->mech->cap].name);
        return false;
    }
    c->env = c->extra_env;
    return true;
}

static bool
disposed_env(struct tck *t, struct mech_call *c)
{
    jvmtiEnv *env = tck_new_env(t);

    /* The good call goes to the environment that was there before. */
    c->extra_env = NULL;
    if (env == NULL || !tck_want(t, "DisposeEnvironment", JVMTI_ERROR_NONE,
                                 (*env)->DisposeEnvironment(env)))
        return false;
    c->env = env;
    return true;
}

/* -- lists -- */

static bool
spoil_list(struct tck *t, struct mech_call *c, jobject bad)
{
    int count = mech_param_of_type(c, "jint");

    (void)t;
    if (is(c, "RedefineClasses"))
        c->definitions[0].klass = bad;
    else
        c->list[0] = bad;
    if (strstr(c->function->name, "AllVirtualThreads") != NULL)
        c->args[count].i = 1;
    return bad != NULL;
}

static bool
repair_list(struct tck *t, struct mech_call *c)
{
    if (is(c, "RedefineClasses"))
        c->definitions[0].klass = stage_class(t, "tck/Model");
    else if (is(c, "RetransformClasses"))
        c->list[0] = stage_class(t, "tck/Model");
    else
        c->list[0] = c->thread;
    return true;
}

/* -- monitors -- */

struct holder {
    pthread_t id;
    jvmtiEnv *jvmti;
    JavaVM *vm;
    jrawMonitorID monitor;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool held, go;
};

static struct holder holder = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER
};

static void *
hold_monitor(void *data)
{
    JavaVMAttachArgs args = { JNI_VERSION_1_8, (char *)"holder", NULL };
    JNIEnv *jni;

    (void)data;
    (*holder.vm)->AttachCurrentThreadAsDaemon(holder.vm, (void **)&jni, &args);
    (*holder.jvmti)->RawMonitorEnter(holder.jvmti, holder.monitor);
    pthread_mutex_lock(&holder.lock);
    holder.held = true;
    pthread_cond_broadcast(&holder.changed);
    while (!holder.go)
        pthread_cond_wait(&holder.changed, &holder.lock);
    pthread_mutex_unlock(&holder.lock);
    (*holder.jvmti)->RawMonitorExit(holder.jvmti, holder.monitor);
    (*holder.vm)->DetachCurrentThread(holder.vm);
    return NULL;
}

static bool
foreign_monitor(struct tck *t, struct mech_call *c)
{
    if (c->monitor_entered)
        (*t->jvmti)->RawMonitorExit(t->jvmti, c->monitor);
    holder.jvmti = t->jvmti;
    holder.vm = t->vm;
    holder.monitor = c->monitor;
    holder.held = holder.go = false;
    if (pthread_create(&holder.id, NULL, hold_monitor, NULL) != 0)
        return false;
    pthread_mutex_lock(&holder.lock);
    while (!holder.held)
        pthread_cond_wait(&holder.changed, &holder.lock);
    pthread_mutex_unlock(&holder.lock);
    return true;
}

static bool
own_monitor(struct tck *t, struct mech_call *c)
{
    if (c->mech->fault == FAULT_FOREIGN_MONITOR) {
        pthread_mutex_lock(&holder.lock);
        holder.go = true;
        pthread_cond_broadcast(&holder.changed);
        pthread_mutex_unlock(&holder.lock);
        pthread_join(holder.id, NULL);
    }
    return !c->monitor_entered
        || tck_want(t, "RawMonitorEnter", JVMTI_ERROR_NONE,
                    (*t->jvmti)->RawMonitorEnter(t->jvmti, c->monitor));
}

static bool
dead_monitor(struct tck *t, struct mech_call *c)
{
    jrawMonitorID monitor;

    return tck_want(t, "CreateRawMonitor", JVMTI_ERROR_NONE,
                    (*t->jvmti)->CreateRawMonitor(t->jvmti, "dead", &monitor))
        && tck_want(t, "DestroyRawMonitor", JVMTI_ERROR_NONE,
                    (*t->jvmti)->DestroyRawMonitor(t->jvmti, monitor))
        && put(c, "jrawMonitorID", monitor);
}

/* -- breakpoints and watches -- */

static jvmtiError
toggle(struct tck *t, struct mech_call *c, bool set)
{
    void *a = c->good[0].p, *b = c->good[1].p;

    if (strstr(c->function->name, "Breakpoint") != NULL)
        return set ? (*t->jvmti)->SetBreakpoint(t->jvmti, a, c->good[1].j)
                   : (*t->jvmti)->ClearBreakpoint(t->jvmti, a, c->good[1].j);
    if (strstr(c->function->name, "Access") != NULL)
        return set ? (*t->jvmti)->SetFieldAccessWatch(t->jvmti, a, b)
                   : (*t->jvmti)->ClearFieldAccessWatch(t->jvmti, a, b);
    return set ? (*t->jvmti)->SetFieldModificationWatch(t->jvmti, a, b)
               : (*t->jvmti)->ClearFieldModificationWatch(t->jvmti, a, b);
}

/* -- slots -- */

static jint
slot_of_other_type(const struct mech_call *c)
{
    const char *type = c->function->name + strlen("GetLocal");

    if (strcmp(type, "Object") == 0)
        return STAGE_SLOT_INT;
    if (strcmp(type, "Long") == 0)
        return STAGE_SLOT_DOUBLE;
    if (strcmp(type, "Double") == 0)
        return STAGE_SLOT_LONG;
    return STAGE_SLOT_OBJECT;
}

static bool
stale_object(struct tck *t, struct mech_call *c)
{
    jobject stale = (*t->jni)->NewGlobalRef(t->jni, stage_object(t));

    (*t->jni)->DeleteGlobalRef(t->jni, stale);
    return put(c, "jobject", stale);
}

static bool
all_capabilities(struct tck *t, struct mech_call *c)
{
    jvmtiCapabilities potential;
    bool all = true;

    c->extra_env = tck_new_env(t);
    if (c->extra_env == NULL
        || !tck_want(t, "GetPotentialCapabilities", JVMTI_ERROR_NONE,
                     (*c->extra_env)->GetPotentialCapabilities(c->extra_env,
                                                               &potential)))
        return false;
    for (int i = 0; i < tck_capability_count; i++) {
        all = all && tck_cap_get(&potential, i);
        tck_cap_set(&c->caps, i, true);
    }
    c->env = c->extra_env;
    if (all)
        tck_skip(t, "every capability can be had");
    return !all;
}

static bool
put_virtual(struct tck *t, struct mech_call *c)
{
    return put(c, "jthread", stage_virtual(t));
}

static bool
spoil_thread(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_NOT_THREAD:
        return put(c, "jthread", stage_string(t));
    case FAULT_UNSTARTED:
        return put(c, "jthread", stage_unstarted(t, 'V'));
    case FAULT_ENDED:
        return put(c, "jthread", stage_ended(t));
    case FAULT_RUNNING:
        return tck_want(t, "ResumeThread", JVMTI_ERROR_NONE,
                        (*t->jvmti)->ResumeThread(t->jvmti, c->thread));
    case FAULT_SUSPENDED:
        return tck_want(t, "SuspendThread", JVMTI_ERROR_NONE,
                        (*t->jvmti)->SuspendThread(t->jvmti, c->thread));
    case FAULT_NATIVE_FRAME:
        return put(c, "jthread", stage_suspended(t, 'N'));
    case FAULT_NATIVE_CALLER:
        return put(c, "jthread", stage_suspended(t, 'C'));
    case FAULT_NO_FRAMES:
        return put(c, "jthread", stage_bare(t, true));
    case FAULT_ONE_FRAME:
        return put(c, "jthread", stage_suspended(t, '1'));
    case FAULT_RESULT_TYPE:
        return put(c, "jthread",
                   stage_suspended(t, is(c, "ForceEarlyReturnInt") ? 'J' : 'I'));
    case FAULT_VIRTUAL_THREAD:
        return put_virtual(t, c);
    case FAULT_STATIC_FRAME:
        return put_int(c, "depth", 0);
    default:
        return put_int(c, "depth", 1000);
    }
}

static bool
spoil_class(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_PRIMITIVE_CLASS:
        return put(c, "jclass", stage_primitive(t));
    case FAULT_ARRAY_CLASS:
        return put(c, "jclass",
                   stage_call(t, "tck/Values", "array", "()Ljava/lang/Class;"));
    case FAULT_BARE_CLASS:
        return put(c, "jclass", stage_class(t, "tck/Bare"));
    default:
        return put(c, "jclass", stage_string(t));
    }
}

static bool
spoil_method(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_NATIVE_METHOD:
        return put(c, "jmethodID", stage_method(t, "tck/Model", "bound", "()I", false));
    case FAULT_BARE_METHOD:
        return put(c, "jmethodID", stage_method(t, "tck/Bare", "plain", "(I)I", true));
    case FAULT_OTHER_FIELD:
        return put(c, "jfieldID", stage_field(t, "tck/Bare", "field", "I", false));
    case FAULT_LOCATION_PAST:
        c->args[1].j = 1000;
        return true;
    default:
        c->args[1].j = -1;
        return true;
    }
}

static bool
spoil_slot(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_SLOT_PAST:
        return put_int(c, "slot", 100);
    case FAULT_SLOT_NEGATIVE:
        return put_int(c, "slot", -1);
    case FAULT_SLOT_WRAPS:
        return put_int(c, "slot", 0x7fffffff);
    case FAULT_SLOT_TYPE:
        return put_int(c, "slot", slot_of_other_type(c));
    default:
        return put(c, "jobject", stage_string(t));
    }
}

static bool
spoil_value(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_TOO_SHALLOW:
        return put_int(c, "start_depth", -1000);
    case FAULT_BAD_ENUM:
        c->args[c->mech->arg].i = 999;
        return true;
    case FAULT_BAD_EVENT:
        return put_int(c, "event_type", 1);
    case FAULT_EVENT_72:
        return put_event(c, 72);
    case FAULT_EVENT_77:
        return put_event(c, 77);
    case FAULT_EVENT_78:
        return put_event(c, 78);
    case FAULT_EVENT_79:
        return put_event(c, 79);
    case FAULT_EVENT_85:
        return put_event(c, 85);
    case FAULT_OTHER_EVENT:
        return put_int(c, "event_type", JVMTI_EVENT_CLASS_LOAD);
    case FAULT_PRIORITY_LOW:
        return put_int(c, "priority", 0);
    case FAULT_PRIORITY_HIGH:
        return put_int(c, "priority", 11);
    case FAULT_NO_INDEX:
        return put_int(c, "extension_event_index", 123456);
    case FAULT_NO_PACKAGE:
        return put(c, "const char*", (void *)"no.such.package");
    case FAULT_NO_FILE:
        return put(c, "const char*", (void *)"/no/such/file.jar");
    case FAULT_NO_PROPERTY:
        return put(c, "const char*", (void *)"tck.no.such.property");
    case FAULT_ZERO_TAG:
        c->tags[0] = 0;
        return true;
    case FAULT_HUGE:
        c->args[0].j = 0x7fffffffffffff00;
        return true;
    default:
        return all_capabilities(t, c);
    }
}

bool
fault_apply(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_NULL:
        return spoil_null(c);
    case FAULT_NULL_LIST:
        c->args[0].i = 1;
        c->args[1].p = NULL;
        return true;
    case FAULT_NULL_FIELD:
        c->definitions[0].class_bytes = NULL;
        return true;
    case FAULT_NEGATIVE:
        return spoil_negative(c);
    case FAULT_CAPABILITY:
    case FAULT_EVENT_CAPABILITY:
        return lacking_env(t, c);
    case FAULT_EVENT_THREAD:
        return put(c, "jthread", stage_start(t, 'W'));
    case FAULT_UNATTACHED:
        return true;
    case FAULT_DISPOSED:
        return disposed_env(t, c);
    case FAULT_LIST_NOT_THREAD:
    case FAULT_LIST_NOT_CLASS:
        return spoil_list(t, c, stage_string(t));
    case FAULT_LIST_PLATFORM:
        return spoil_list(t, c, stage_start(t, 'W'));
    case FAULT_UNMODIFIABLE:
        return spoil_list(t, c, stage_primitive(t));
    case FAULT_NOT_CLASS:
    case FAULT_PRIMITIVE_CLASS:
    case FAULT_ARRAY_CLASS:
    case FAULT_BARE_CLASS:
        return spoil_class(t, c);
    case FAULT_NOT_GROUP:
        return put(c, "jthreadGroup", stage_string(t));
    case FAULT_NOT_MODULE:
    case FAULT_NOT_LOADER:
        return put(c, "jobject", stage_string(t));
    case FAULT_STALE_OBJECT:
        return stale_object(t, c);
    case FAULT_NATIVE_METHOD:
    case FAULT_BARE_METHOD:
    case FAULT_OTHER_FIELD:
    case FAULT_LOCATION_PAST:
    case FAULT_LOCATION_MINUS:
        return spoil_method(t, c);
    case FAULT_DEAD_MONITOR:
        return dead_monitor(t, c);
    case FAULT_FOREIGN_MONITOR:
        return foreign_monitor(t, c);
    case FAULT_FREE_MONITOR:
        return tck_want(t, "RawMonitorExit", JVMTI_ERROR_NONE,
                        (*t->jvmti)->RawMonitorExit(t->jvmti, c->monitor));
    case FAULT_SET_TWICE:
        return tck_want(t, "setting it", JVMTI_ERROR_NONE, toggle(t, c, true));
    case FAULT_NOT_SET:
        return tck_want(t, "clearing it", JVMTI_ERROR_NONE, toggle(t, c, false));
    case FAULT_TOO_DEEP:
        return put_int(c, is(c, "GetStackTrace") ? "start_depth" : "depth", 1000);
    case FAULT_SLOT_PAST:
    case FAULT_SLOT_NEGATIVE:
    case FAULT_SLOT_WRAPS:
    case FAULT_SLOT_TYPE:
    case FAULT_VALUE_TYPE:
        return spoil_slot(t, c);
    case FAULT_NOT_THREAD:
    case FAULT_UNSTARTED:
    case FAULT_ENDED:
    case FAULT_RUNNING:
    case FAULT_SUSPENDED:
    case FAULT_NATIVE_FRAME:
    case FAULT_NATIVE_CALLER:
    case FAULT_NO_FRAMES:
    case FAULT_ONE_FRAME:
    case FAULT_RESULT_TYPE:
    case FAULT_STATIC_FRAME:
    case FAULT_VIRTUAL_THREAD:
        return spoil_thread(t, c);
    default:
        return spoil_value(t, c);
    }
}

bool
fault_undo(struct tck *t, struct mech_call *c)
{
    switch (c->mech->fault) {
    case FAULT_NULL_FIELD:
        c->definitions[0].class_bytes = c->bytes;
        return true;
    case FAULT_CAPABILITY:
    case FAULT_EVENT_CAPABILITY:
        c->env = t->jvmti;
        return true;
    case FAULT_DISPOSED:
        c->env = is(c, "DisposeEnvironment") ? tck_new_env(t) : t->jvmti;
        return c->env != NULL;
    case FAULT_LIST_NOT_THREAD:
    case FAULT_LIST_NOT_CLASS:
    case FAULT_LIST_PLATFORM:
    case FAULT_UNMODIFIABLE:
        return repair_list(t, c);
    case FAULT_RUNNING:
        return tck_want(t, "SuspendThread", JVMTI_ERROR_NONE,
                        (*t->jvmti)->SuspendThread(t->jvmti, c->thread));
    case FAULT_SUSPENDED:
        return tck_want(t, "ResumeThread", JVMTI_ERROR_NONE,
                        (*t->jvmti)->ResumeThread(t->jvmti, c->thread));
    case FAULT_FOREIGN_MONITOR:
    case FAULT_FREE_MONITOR:
        return own_monitor(t, c);
    case FAULT_SET_TWICE:
        return tck_want(t, "clearing it", JVMTI_ERROR_NONE, toggle(t, c, false));
    case FAULT_NOT_SET:
        return tck_want(t, "setting it", JVMTI_ERROR_NONE, toggle(t, c, true));
    case FAULT_ZERO_TAG:
        c->tags[0] = 99;
        return true;
    case FAULT_ALL_CAPABILITIES:
        memset(&c->caps, 0, sizeof c->caps);
        return true;
    default:
        return true;
    }
}
