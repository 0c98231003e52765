/* SPDX-License-Identifier: MIT */
/*
 * The parts of the library that need a VM, in one: an agent that writes what it got
 * line by line, for OnVm.java, whose names and lines onvm.t knows.
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <tiforge/tiforge.h>

static JavaVM *java_vm;
static struct tf_worker *worker;
static struct tf_monitor monitor;
static bool woken;
static unsigned collections;

static void
say(const char *what, struct tf_buffer *text)
{
    printf("%s: %s\n", what, tf_buffer_string(text));
    fflush(stdout);
    tf_buffer_clear(text);
}

/* The innermost frames of the current thread, names of each style. */
static void
show_frames(jvmtiEnv *jvmti, JNIEnv *jni)
{
    static const char *const styles[] = { "short", "parameters", "full", "descriptor" };
    struct tf_buffer text;
    jvmtiFrameInfo frames[3];
    jint count;

    tf_buffer_init(&text);
    if (!TF_CALL(jvmti, GetStackTrace, (jvmti, NULL, 0, 3, frames, &count)))
        return;
    for (jint i = 0; i < count; i++) {
        tf_name_frame(&text, jvmti, jni, frames[i].method, frames[i].location);
        say("frame", &text);
    }
    for (int style = TF_METHOD_SHORT; style <= TF_METHOD_DESCRIPTOR; style++) {
        tf_name_method(&text, jvmti, jni, frames[1].method, (enum tf_method_style)style);
        say(styles[style], &text);
    }
    tf_name_thread(&text, jvmti, jni, NULL);
    say("thread", &text);
    tf_buffer_release(&text);
}

static void
show_members(jvmtiEnv *jvmti, jclass klass)
{
    struct tf_buffer text;
    jfieldID *fields = NULL;
    jint count = 0;

    tf_buffer_init(&text);
    tf_name_class(&text, jvmti, klass);
    say("class", &text);
    if (TF_CALL(jvmti, GetClassFields, (jvmti, klass, &count, &fields)))
        for (jint i = 0; i < count; i++) {
            tf_name_field(&text, jvmti, klass, fields[i]);
            say("field", &text);
        }
    tf_deallocate(jvmti, fields);
    tf_buffer_release(&text);
}

/* A thread that the VM does not know becomes one that it does, and leaves again. */
static void *
foreign_thread(void *argument)
{
    jvmtiEnv *jvmti = (jvmtiEnv *)argument;
    struct tf_buffer text;
    bool detach, again;
    JNIEnv *jni = tf_jni(java_vm, "from outside", &detach);

    tf_buffer_init(&text);
    if (jni != NULL && tf_jni(java_vm, "x", &again) == jni) {
        tf_name_thread(&text, jvmti, jni, NULL);
        tf_buffer_format(&text, " %d %d", detach, again);
        (*jni)->FindClass(jni, "no/such/Class");
        tf_log_set_level(TF_LOG_ERROR);
        tf_buffer_format(&text, " %d", tf_clear_exception(jni, "FindClass"));
        tf_buffer_format(&text, " %d", tf_clear_exception(jni, "nothing"));
        tf_log_set_level(TF_LOG_WARNING);
    }
    say("foreign", &text);
    tf_buffer_release(&text);
    if (detach)
        (*java_vm)->DetachCurrentThread(java_vm);
    return NULL;
}

static void
wake(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    struct tf_buffer text;

    (void)argument;
    tf_buffer_init(&text);
    tf_name_thread(&text, jvmti, jni, NULL);
    say("worker", &text);
    tf_buffer_release(&text);
    tf_monitor_enter(&monitor);
    woken = true;
    tf_monitor_notify_all(&monitor);
    tf_monitor_exit(&monitor);
}

static void
wait_for_worker(void)
{
    if (!tf_worker_post(worker, wake, NULL) || !tf_monitor_enter(&monitor))
        return;
    while (!woken && tf_monitor_wait(&monitor, 10000) == TF_WAITED)
        ;
    printf("woken: %d\n", woken);
    tf_monitor_exit(&monitor);
}

/* Many local references in a scope: -Xcheck:jni would warn if they stayed. */
static void
show_scope(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass)
{
    for (int i = 0; i < 1000; i++) {
        TF_SCOPED struct tf_scope scope;
        char *signature, *name;
        jclass *classes;
        jint count;

        if (!tf_scope_open(&scope, jvmti, jni, 16))
            return;
        tf_scope_own(&scope, &signature);
        tf_scope_own(&scope, &name);
        tf_scope_own(&scope, &classes);
        if (!TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))
            || !TF_CALL(jvmti, GetImplementedInterfaces, (jvmti, klass, &count, &classes)))
            return;
        if (i == 999)
            printf("scope: %s %d\n", signature, (int)count);
    }
}

/* Called from Java: static native void look(Class<?> c). */
static void JNICALL
look(JNIEnv *jni, jclass klass, jclass argument)
{
    jvmtiEnv *jvmti = monitor.jvmti;
    pthread_t thread;

    (void)klass;
    show_frames(jvmti, jni);
    show_members(jvmti, argument);
    show_scope(jvmti, jni, argument);
    pthread_create(&thread, NULL, foreign_thread, jvmti);
    pthread_join(thread, NULL);
    wait_for_worker();
    fflush(stdout);
}

/* Called by a thread without a name. */
JNIEXPORT void JNICALL
Java_onvm_OnVm_nameless(JNIEnv *jni, jclass klass)
{
    struct tf_buffer text;

    (void)klass;
    tf_buffer_init(&text);
    tf_name_thread(&text, monitor.jvmti, jni, NULL);
    say("nameless", &text);
    tf_buffer_release(&text);
    fflush(stdout);
}

static void
count_collection(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)jvmti, (void)argument;
    /* What the collector's callback may not do: call JNI. */
    if ((*jni)->FindClass(jni, "java/lang/String") != NULL)
        collections++;
}

static void JNICALL
on_gc_finish(jvmtiEnv *jvmti)
{
    (void)jvmti;
    tf_worker_post(worker, count_collection, NULL);
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    static const JNINativeMethod native = {
        (char *)"look", (char *)"(Ljava/lang/Class;)V", (void *)look
    };
    char *signature = NULL;

    (void)thread;
    if (TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))
        && strcmp(signature, "Lonvm/OnVm;") == 0)
        (*jni)->RegisterNatives(jni, klass, &native, 1);
    tf_deallocate(jvmti, signature);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    printf("start: %d\n", tf_worker_start(worker, jni, "the worker"));
    tf_events_enable(jvmti, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, 0);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    tf_events_disable(jvmti, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, 0);
    printf("stop: %d\n", tf_worker_stop(worker, 10000));
    printf("collections: %s\n", collections >= 3 ? "yes" : "no");
    fflush(stdout);
    tf_worker_free(worker);
    tf_monitor_release(&monitor);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required, wanted, got;
    jvmtiEventCallbacks callbacks;

    java_vm = agent->vm;
    memset(&required, 0, sizeof required);
    memset(&wanted, 0, sizeof wanted);
    required.can_generate_garbage_collection_events = 1;
    wanted.can_get_line_numbers = wanted.can_get_source_file_name = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.GarbageCollectionFinish = on_gc_finish;
    worker = tf_worker_new(jvmti, 64);
    if (worker == NULL || !tf_capabilities_add(jvmti, &required, &wanted, &got)
        || !tf_monitor_init(&monitor, jvmti, "onvm")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                             JVMTI_EVENT_CLASS_PREPARE, 0))
        return TF_FAILED;
    printf("options: '%s', attached %d, jni %d, level 9 %d, lines %d\n", agent->options,
           agent->attached, agent->jni != NULL, TF_HAS(jvmti, 9, GetAllModules),
           tf_capabilities_include(&got, &wanted));
    return TF_RUN;
}

TF_AGENT("onvm", JVMTI_VERSION_1_2, start);
