/* SPDX-License-Identifier: MIT */
/* tck/lib/args.c -- arguments with which each function succeeds. */
#include "tck/lib/mech.h"
#include "tck/lib/classfile.h"
#include "tck/lib/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is(const struct mech_call *c, const char *name)
{
    return strcmp(c->function->name, name) == 0;
}

/* -- the thread that a call is about -- */

struct thread_need {
    const char *prefix;   /* of the function's name */
    char place;           /* 'W' and so on; 'U' for unstarted */
    bool suspended;
};

static const struct thread_need thread_needs[] = {
    { "GetLocal", 'V', true },
    { "SetLocal", 'V', true },
    { "NotifyFramePop", 'V', true },
    { "ClearAllFramePops", 'V', true },
    { "PopFrame", 'V', true },
    { "ForceEarlyReturnObject", 'L', true },
    { "ForceEarlyReturnInt", 'I', true },
    { "ForceEarlyReturnLong", 'J', true },
    { "ForceEarlyReturnFloat", 'F', true },
    { "ForceEarlyReturnDouble", 'D', true },
    { "ForceEarlyReturnVoid", 'V', true },
    { "ResumeThread", 'W', true },
    { "RunAgentThread", 'U', false },
    { "", 'W', false }
};

static const struct thread_need *
need_of(const struct mech_call *c)
{
    const struct thread_need *need = thread_needs;

    while (strncmp(c->function->name, need->prefix, strlen(need->prefix)) != 0)
        need++;
    return need;
}

char
mech_place(const struct mech_call *c)
{
    return need_of(c)->place;
}

static jthread
thread_for(struct tck *t, struct mech_call *c)
{
    const struct thread_need *need = need_of(c);

    if (t->phase != TCK_LIVE)
        return NULL;
    c->thread = need->place == 'U' ? stage_unstarted(t, 'V')
        : need->suspended ? stage_suspended(t, need->place)
        : stage_start(t, need->place);
    return c->thread;
}

static jint
slot_for(const struct mech_call *c)
{
    static const struct { const char *suffix; jint slot; } slots[] = {
        { "Object", STAGE_SLOT_STAGE }, { "Int", STAGE_SLOT_INT },
        { "Long", STAGE_SLOT_LONG }, { "Float", STAGE_SLOT_FLOAT },
        { "Double", STAGE_SLOT_DOUBLE }
    };

    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        if (strcmp(c->function->name + strlen("GetLocal"), slots[i].suffix) == 0)
            return slots[i].slot;
    return 0;
}

/* -- callbacks that do nothing -- */

static jvmtiIterationControl JNICALL
heap_object(jlong class_tag, jlong size, jlong *tag_ptr, void *user_data)
{
    (void)class_tag, (void)size, (void)tag_ptr, (void)user_data;
    return JVMTI_ITERATION_ABORT;
}

static jvmtiIterationControl JNICALL
heap_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
          void *user_data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag_ptr, (void)user_data;
    return JVMTI_ITERATION_ABORT;
}

static jvmtiIterationControl JNICALL
stack_reference(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
                jlong thread_tag, jint depth, jmethodID method, jint slot,
                void *user_data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag_ptr, (void)thread_tag;
    (void)depth, (void)method, (void)slot, (void)user_data;
    return JVMTI_ITERATION_ABORT;
}

static jvmtiIterationControl JNICALL
object_reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size,
                 jlong *tag_ptr, jlong referrer_tag, jint index, void *user_data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag_ptr, (void)referrer_tag;
    (void)index, (void)user_data;
    return JVMTI_ITERATION_ABORT;
}

static void JNICALL
agent_thread(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jvmti, (void)jni, (void)arg;
}

/* -- values -- */

/* A count goes with a list of one element, but for lists of exceptions. */
static jint
int_for(struct tck *t, struct mech_call *c, const char *name)
{
    static const struct { const char *name; jint value; } values[] = {
        { "value", 1 }, { "max_frame_count", 16 }, { "except_count", 0 },
        { "mode", JVMTI_ENABLE }, { "priority", 5 }, { "flag", JVMTI_VERBOSE_OTHER },
        { "error", JVMTI_ERROR_INVALID_THREAD },
        { "object_filter", JVMTI_HEAP_OBJECT_EITHER },
        { "size_of_callbacks", sizeof(jvmtiEventCallbacks) },
        { "sampling_interval", 512 * 1024 },
        { "class_count", 1 }, { "request_count", 1 }, { "thread_count", 1 },
        { "tag_count", 1 }, { "prefix_count", 1 }
    };

    if (is(c, "SetVerboseFlag") && strcmp(name, "value") == 0)
        return JNI_FALSE;
    if (strcmp(name, "event_type") == 0) {
        if (c->mech->fault == FAULT_EVENT_CAPABILITY
            || c->mech->fault == FAULT_EVENT_THREAD)
            return tck_events[c->mech->arg].number;
        return is(c, "GenerateEvents")
            ? c->mech->cap >= 0 ? JVMTI_EVENT_COMPILED_METHOD_LOAD
                                : JVMTI_EVENT_DYNAMIC_CODE_GENERATED
            : JVMTI_EVENT_CLASS_PREPARE;
    }
    if (strcmp(name, "slot") == 0)
        return slot_for(c);
    if (strcmp(name, "depth") == 0)
        return is(c, "GetLocalInstance") ? 1 : 0;
    if (strcmp(name, "extension_event_index") == 0) {
        jvmtiExtensionEventInfo *info;
        jint count, index;

        if ((*t->jvmti)->GetExtensionEvents(t->jvmti, &count, &info)
            != JVMTI_ERROR_NONE || count == 0) {
            tck_skip(t, "the VM has no extension event");
            return 0;
        }
        index = info[0].extension_event_index;
        (*t->jvmti)->Deallocate(t->jvmti, (unsigned char *)info);
        return index;
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i].name, name) == 0)
            return values[i].value;
    return 0;
}

static jlong
long_for(struct tck *t, const struct mech_call *c, const char *name)
{
    if (strcmp(name, "location") == 0)
        return stage_first_location(t, c->args[0].p);
    if (strcmp(name, "size") == 0)
        return 16;
    if (strcmp(name, "tag") == 0 || strcmp(name, "value") == 0)
        return 99;
    if (strcmp(name, "millis") == 0)
        return 1;
    return 0;
}

static const char *
text_for(struct tck *t, struct mech_call *c, const char *name)
{
    if (strcmp(name, "name") == 0)
        return "tck monitor";
    if (strcmp(name, "package_name") == 0)
        return "tck";
    if (strcmp(name, "pkg_name") == 0)
        return "java.lang";
    if (strcmp(name, "prefix") == 0)
        return "tck_prefix_";
    if (strcmp(name, "property") == 0)
        return is(c, "SetSystemProperty") ? "java.library.path" : "tck.given";
    if (strcmp(name, "value_ptr") == 0) {
        char *value = NULL;

        (*t->jvmti)->GetSystemProperty(t->jvmti, "java.library.path", &value);
        c->bytes = (unsigned char *)strdup(value == NULL ? "." : value);
        return (const char *)c->bytes;
    }
    if (strcmp(name, "segment") == 0) {
        c->bytes = malloc(4096);
        snprintf((char *)c->bytes, 4096, "%s/extra.jar", t->resources);
        return (const char *)c->bytes;
    }
    return "";
}

static const char *
class_name(struct tck *t)
{
    return t->phase == TCK_LIVE ? "tck/Model" : "java/lang/String";
}

static jclass
class_for(struct tck *t, struct mech_call *c, const char *name)
{
    if (strcmp(name, "service") == 0)
        return stage_class(t, "java/lang/Runnable");
    if (strcmp(name, "impl_class") == 0)
        return stage_class(t, "java/lang/Thread");
    if (is(c, "GetSourceDebugExtension") && t->phase == TCK_LIVE)
        return classfile_smap_class(t);
    return stage_class(t, class_name(t));
}

static jmethodID
method_for(struct tck *t)
{
    return t->phase == TCK_LIVE ? stage_method(t, "tck/Model", "sum", "(IJ)I", false)
        /* A constructor: those are not native, whatever the class library is. */
        : stage_method(t, "java/lang/String", "<init>", "()V", false);
}

static jfieldID
field_for(struct tck *t)
{
    return t->phase == TCK_LIVE ? stage_field(t, "tck/Model", "instanceInt", "I", false)
        : stage_field(t, "java/lang/String", "CASE_INSENSITIVE_ORDER",
                      "Ljava/util/Comparator;", true);
}

static jobject
module_of(struct tck *t, const char *klass)
{
    jclass k = stage_class(t, klass);
    jmethodID id = stage_method(t, "java/lang/Class", "getModule",
                                "()Ljava/lang/Module;", false);

    return k == NULL || id == NULL ? NULL
        : (*t->jni)->CallObjectMethod(t->jni, k, id);
}

/* java.base; which modules are modifiable is up to the VM. */
static jobject
modifiable_module(struct tck *t, const struct mech_call *c)
{
    jobject module = module_of(t, "java/lang/Object");
    jboolean yes = JNI_TRUE;

    if (strncmp(c->function->name, "AddModule", 9) == 0 && module != NULL
        && (*t->jvmti)->IsModifiableModule(t->jvmti, module, &yes) == JVMTI_ERROR_NONE
        && !yes)
        tck_skip(t, "java.base is not modifiable");
    return module;
}

static jobject
object_for(struct tck *t, struct mech_call *c, const char *name)
{
    if (strcmp(name, "class_loader") == 0 || strcmp(name, "initiating_loader") == 0)
        return stage_call(t, "java/lang/ClassLoader", "getSystemClassLoader",
                          "()Ljava/lang/ClassLoader;");
    if (strcmp(name, "module") == 0)
        return modifiable_module(t, c);
    if (strcmp(name, "to_module") == 0)
        return module_of(t, "tck/Host");
    if (strcmp(name, "exception") == 0) {
        jclass k = stage_class(t, "java/lang/RuntimeException");

        return k == NULL ? NULL : (*t->jni)->NewObject(
            t->jni, k, (*t->jni)->GetMethodID(t->jni, k, "<init>", "()V"));
    }
    if (strcmp(name, "value") == 0)
        return c->thread;   /* a Stage, as declared */
    return t->phase == TCK_LIVE ? stage_object(t) : stage_string(t);
}

jrawMonitorID mech_early_monitor;
jvmtiEnv *mech_spare_envs[2];

static bool
monitor_for(struct tck *t, struct mech_call *c)
{
    bool enter = is(c, "RawMonitorExit") || is(c, "RawMonitorWait")
        || strncmp(c->function->name, "RawMonitorNotify", 16) == 0;

    if (t->phase == TCK_PRIMORDIAL || t->phase == TCK_START) {
        /* It cannot be created now: the group made one in OnLoad. */
        c->monitor = mech_early_monitor;
    } else if (!tck_want(t, "CreateRawMonitor", JVMTI_ERROR_NONE,
                         (*t->jvmti)->CreateRawMonitor(t->jvmti, "tck", &c->monitor))) {
        return false;
    }
    if (enter) {
        if (!tck_want(t, "RawMonitorEnter", JVMTI_ERROR_NONE,
                      (*t->jvmti)->RawMonitorEnter(t->jvmti, c->monitor)))
            return false;
        c->monitor_entered = true;
    }
    return true;
}

/* -- one argument -- */

static void *
list_for(struct tck *t, struct mech_call *c, const char *type)
{
    if (strcmp(type, "const jthread*") == 0) {
        c->list[0] = thread_for(t, c);
    } else if (strcmp(type, "const jclass*") == 0) {
        c->list[0] = stage_class(t, class_name(t));
    } else if (strcmp(type, "const jlong*") == 0) {
        c->tags[0] = 99;
        return c->tags;
    } else if (strcmp(type, "char**") == 0) {
        c->list[0] = (void *)"tck_prefix_";
    } else if (strcmp(type, "const jvmtiClassDefinition*") == 0) {
        c->bytes = stage_bytes(t, class_name(t), &c->definitions[0].class_byte_count);
        c->definitions[0].klass = stage_class(t, class_name(t));
        c->definitions[0].class_bytes = c->bytes;
        return c->definitions;
    }
    return c->list;
}

static void *
pointer_for(struct tck *t, struct mech_call *c, const struct tck_param *p)
{
    const char *type = p->type;

    if (strcmp(type, "jthread") == 0)
        return is(c, "SetEventNotificationMode")
            && (c->mech->fault == FAULT_EVENT_CAPABILITY
                || c->mech->fault == FAULT_EVENT_THREAD)
            ? NULL : thread_for(t, c);
    if (strcmp(type, "jclass") == 0)
        return class_for(t, c, p->name);
    if (strcmp(type, "jmethodID") == 0)
        return method_for(t);
    if (strcmp(type, "jfieldID") == 0)
        return field_for(t);
    if (strcmp(type, "jthreadGroup") == 0)
        return stage_call(t, "tck/Values", "group", "()Ljava/lang/ThreadGroup;");
    if (strcmp(type, "jobject") == 0)
        return object_for(t, c, p->name);
    if (strcmp(type, "jrawMonitorID") == 0)
        return monitor_for(t, c) ? c->monitor : NULL;
    if (strcmp(type, "const char*") == 0)
        return (void *)text_for(t, c, p->name);
    if (strcmp(type, "jvmtiStartFunction") == 0)
        return (void *)agent_thread;
    if (strcmp(type, "jvmtiHeapObjectCallback") == 0)
        return (void *)heap_object;
    if (strcmp(type, "jvmtiHeapRootCallback") == 0)
        return (void *)heap_root;
    if (strcmp(type, "jvmtiStackReferenceCallback") == 0)
        return (void *)stack_reference;
    if (strcmp(type, "jvmtiObjectReferenceCallback") == 0)
        return (void *)object_reference;
    if (strcmp(type, "const jvmtiHeapCallbacks*") == 0)
        return &c->heap;
    if (strcmp(type, "const jvmtiEventCallbacks*") == 0)
        return &c->events;
    if (strcmp(type, "const jvmtiCapabilities*") == 0)
        return &c->caps;
    if (strcmp(type, "jvmtiExtensionEvent") == 0)
        return NULL;
    if (strcmp(type, "unsigned char*") == 0) {   /* Deallocate */
        unsigned char *mem = NULL;

        (*t->jvmti)->Allocate(t->jvmti, 16, &mem);
        return mem;
    }
    if (strcmp(type, "const jniNativeInterface*") == 0) {
        jniNativeInterface *table = NULL;

        (*t->jvmti)->GetJNIFunctionTable(t->jvmti, &table);
        return c->table = table;
    }
    if (strcmp(type, "const void*") == 0)
        return c->tags;
    return list_for(t, c, type);
}

/* What stands before the arguments: state without which no call could succeed. */
static bool
prepare_state(struct tck *t, struct mech_call *c)
{
    jvmtiError error = JVMTI_ERROR_NONE;

    if (is(c, "ClearBreakpoint"))
        error = (*t->jvmti)->SetBreakpoint(t->jvmti, c->args[0].p, c->args[1].j);
    else if (is(c, "ClearFieldAccessWatch"))
        error = (*t->jvmti)->SetFieldAccessWatch(t->jvmti, c->args[0].p, c->args[1].p);
    else if (is(c, "ClearFieldModificationWatch"))
        error = (*t->jvmti)->SetFieldModificationWatch(t->jvmti, c->args[0].p,
                                                       c->args[1].p);
    else if (is(c, "SetSystemProperty")
             && (*t->jvmti)->SetSystemProperty(t->jvmti, c->args[0].p, c->args[1].p)
                 == JVMTI_ERROR_NOT_AVAILABLE)
        tck_skip(t, "java.library.path cannot be set");
    else if (is(c, "DisposeEnvironment"))
        return (c->env = t->phase == TCK_PRIMORDIAL ? mech_spare_envs[0]
                : t->phase == TCK_START ? mech_spare_envs[1] : tck_new_env(t)) != NULL;
    return !t->skipped && tck_want(t, "preparing the call", JVMTI_ERROR_NONE, error);
}

bool
mech_prepare(struct tck *t, struct mech_call *c)
{
    for (int i = 0; i < c->function->nparams; i++) {
        const struct tck_param *p = &c->function->params[i];

        if (p->out)
            c->args[i].p = c->out[i];
        else if (p->rep == 'i')
            c->args[i].i = int_for(t, c, p->name);
        else if (p->rep == 'j')
            c->args[i].j = long_for(t, c, p->name);
        else if (p->rep == 'f')
            c->args[i].f = 1.5f;
        else if (p->rep == 'd')
            c->args[i].d = 2.5;
        else
            c->args[i].p = pointer_for(t, c, p);
        if (t->failed || t->skipped)
            return false;
    }
    return prepare_state(t, c);
}

/* -- undoing -- */

static void
release_state(struct tck *t, struct mech_call *c)
{
    if (!c->made)
        return;
    if (is(c, "SetBreakpoint"))
        (*t->jvmti)->ClearBreakpoint(t->jvmti, c->args[0].p, c->args[1].j);
    else if (is(c, "SetFieldAccessWatch"))
        (*t->jvmti)->ClearFieldAccessWatch(t->jvmti, c->args[0].p, c->args[1].p);
    else if (is(c, "SetFieldModificationWatch"))
        (*t->jvmti)->ClearFieldModificationWatch(t->jvmti, c->args[0].p, c->args[1].p);
    else if (is(c, "SetEventNotificationMode"))
        (*t->jvmti)->SetEventNotificationMode(t->jvmti, JVMTI_DISABLE, c->args[1].i,
                                              c->args[2].p);
    else if (strncmp(c->function->name, "SetNativeMethodPrefix", 21) == 0)
        (*t->jvmti)->SetNativeMethodPrefix(t->jvmti, NULL);
    else if (is(c, "SetEnvironmentLocalStorage"))
        (*t->jvmti)->SetEnvironmentLocalStorage(t->jvmti, NULL);
    else if (is(c, "SetTag") || is(c, "SetThreadLocalStorage"))
        return;   /* the object and the thread end with the case */
    else if (is(c, "SuspendAllVirtualThreads"))
        (*t->jvmti)->ResumeAllVirtualThreads(t->jvmti, 0, NULL);
    else if (is(c, "CreateRawMonitor"))
        (*t->jvmti)->DestroyRawMonitor(t->jvmti, *(jrawMonitorID *)c->out[1]);
}

static void
release_monitor(struct tck *t, struct mech_call *c)
{
    if (c->monitor == NULL || (is(c, "DestroyRawMonitor") && c->made))
        return;
    while ((*t->jvmti)->RawMonitorExit(t->jvmti, c->monitor) == JVMTI_ERROR_NONE)
        continue;
    if (c->monitor != mech_early_monitor)
        (*t->jvmti)->DestroyRawMonitor(t->jvmti, c->monitor);
}

void
mech_release(struct tck *t, struct mech_call *c)
{
    release_state(t, c);
    release_monitor(t, c);
    if (c->made)
        for (int i = 0; i < c->function->nparams; i++)
            if (c->function->params[i].allocated && c->args[i].p == c->out[i])
                (*t->jvmti)->Deallocate(t->jvmti, *(unsigned char **)c->out[i]);
    if (is(c, "DisposeEnvironment") && !c->made && c->env != NULL
        && c->env != t->jvmti)
        (*c->env)->DisposeEnvironment(c->env);
    if (c->extra_env != NULL)
        (*c->extra_env)->DisposeEnvironment(c->extra_env);
    (*t->jvmti)->Deallocate(t->jvmti, c->table);
    free(c->bytes);
}
