/* SPDX-License-Identifier: MIT */
/*
 * layer/test/misuse/correct.c -- what looks like a mistake and is none: nothing may be
 * said of it (layer/test/correct.t).
 */
#include "layer/test/misuse/misuse.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* ---- a callback that the VM's end does not wait for ---- */

static int in_end, end_is_over, is_dead;
static jrawMonitorID end_lock;

static void JNICALL
do_nothing(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jvmti, (void)jni, (void)arg;
}

/* It goes on when VMDeath has come and gone, with what it would do otherwise. */
static void JNICALL
end_late(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase = JVMTI_PHASE_LIVE;
    static int is_begun;
    jvmtiThreadInfo info;
    char *name;

    if (__atomic_exchange_n(&is_begun, 1, __ATOMIC_RELAXED))
        return;
    misuse_signal(&in_end, 1);
    while (phase != JVMTI_PHASE_DEAD) {
        sched_yield();
        (*jvmti)->GetPhase(jvmti, &phase);
    }
    /* Where the VM has ended this far, the agent's VMDeath has come back. */
    misuse_await(&is_dead, 1);
    if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) == JVMTI_ERROR_NONE)
        (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    (*jvmti)->SetThreadLocalStorage(jvmti, thread, NULL);
    if ((*jvmti)->GetSystemProperty(jvmti, "java.home", &name) == JVMTI_ERROR_NONE)
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->RawMonitorEnter(jvmti, end_lock);
    (*jvmti)->RawMonitorExit(jvmti, end_lock);
    (void)jni;
    misuse_signal(&end_is_over, 1);
}

static void
watch_ends(struct misuse *m)
{
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "end", &end_lock),
                "CreateRawMonitor");
    misuse_callbacks.ThreadEnd = end_late;
    misuse_enable(m, JVMTI_EVENT_THREAD_END);
}

static void
start_thread(struct misuse *m)
{
    misuse_thread(m, do_nothing, NULL);
    misuse_await(&in_end, 1);
}

static void
destroy_lock(struct misuse *m)
{
    (*m->jvmti)->DestroyRawMonitor(m->jvmti, end_lock);
    misuse_signal(&is_dead, 1);
}

static void
await_end(struct misuse *m)
{
    (void)m;
    misuse_await(&end_is_over, 1);
}

/* ---- a thread that the destructor of its data detaches ---- */

static pthread_key_t key;

static void
detach(void *vm)
{
    (*(JavaVM *)vm)->DetachCurrentThread(vm);
}

static void *
attach(void *data)
{
    struct misuse *m = data;
    void *env;

    pthread_setspecific(key, (void *)m->vm);
    (*m->vm)->AttachCurrentThread(m->vm, &env, NULL);
    (*(JNIEnv *)env)->GetVersion(env);
    return NULL;
}

static void
detach_at_end(struct misuse *m)
{
    pthread_t thread;

    pthread_key_create(&key, detach);
    if (pthread_create(&thread, NULL, attach, m) == 0)
        pthread_join(thread, NULL);
}

/* ---- values that a function that failed leaves as they were ---- */

static void
go_up(struct misuse *m)
{
    jclass class = (*m->jni)->GetObjectClass(m->jni, m->thread);
    jobject loader = m->thread;
    char *signature = NULL;
    jint hash;

    /* NULL is no class, and the old loader stays. */
    if ((*m->jvmti)->GetClassLoader(m->jvmti, NULL, &loader) != JVMTI_ERROR_NONE)
        (*m->jvmti)->GetObjectHashCode(m->jvmti, loader, &hash);
    misuse_must((*m->jvmti)->GetClassSignature(m->jvmti, class, &signature, NULL),
                "GetClassSignature");
    (*m->jvmti)->GetSystemProperty(m->jvmti, "there.is.no.such", &signature);
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)signature);
}

/* ---- a start phase that begins earlier than that of other environments ---- */

static void JNICALL
start_early(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiPhase phase;
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jint status;
    jlong tag = 0;

    misuse_must((*jvmti)->GetPhase(jvmti, &phase), "GetPhase");
    misuse_must(phase == JVMTI_PHASE_START ? JVMTI_ERROR_NONE : JVMTI_ERROR_WRONG_PHASE,
                "the phase");
    misuse_must((*jvmti)->GetClassStatus(jvmti, object, &status), "GetClassStatus");
    (*jvmti)->SetTag(jvmti, object, 7);
    (*jvmti)->GetTag(jvmti, object, &tag);
    misuse_must(tag == 7 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL, "the tag");
    (*jni)->DeleteLocalRef(jni, object);
}

static void
want_early_start(struct misuse *m)
{
    jvmtiCapabilities wanted = { .can_generate_early_vmstart = 1, .can_tag_objects = 1 };

    misuse_must((*m->jvmti)->AddCapabilities(m->jvmti, &wanted), "AddCapabilities");
    misuse_callbacks.VMStart = start_early;
    misuse_enable(m, JVMTI_EVENT_VM_START);
}

/* ---- a reference for each class ---- */

static jobject *kept_classes;

static void
keep_classes(struct misuse *m)
{
    jclass *classes;
    jint count;

    misuse_must((*m->jvmti)->GetLoadedClasses(m->jvmti, &count, &classes),
                "GetLoadedClasses");
    misuse_must((*m->jvmti)->Allocate(m->jvmti, count * (jlong)sizeof *kept_classes,
                                      (unsigned char **)&kept_classes), "Allocate");
    for (jint i = 0; i < count; i++) {
        kept_classes[i] = (*m->jni)->NewGlobalRef(m->jni, classes[i]);
        (*m->jni)->DeleteLocalRef(m->jni, classes[i]);
    }
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)classes);
}

/* ---- a callback in code that was made ---- */

static void JNICALL
on_dump(jvmtiEnv *jvmti)
{
    (void)jvmti;
}

static void
make_callback(struct misuse *m)
{
    misuse_callbacks.DataDumpRequest = on_dump;
#ifdef __x86_64__
    {
        /* mov $on_dump, %r11; jmp *%r11 */
        unsigned char code[13] = { 0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3 };
        uintptr_t address = (uintptr_t)on_dump;
        void *made = mmap(NULL, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        memcpy(code + 2, &address, sizeof address);
        if (made != MAP_FAILED) {
            memcpy(made, code, sizeof code);
            misuse_callbacks.DataDumpRequest = (jvmtiEventDataDumpRequest)(uintptr_t)made;
        }
    }
#endif
    misuse_enable(m, JVMTI_EVENT_DATA_DUMP_REQUEST);
}

/* ---- a thread that waits for another one by suspending itself ---- */

static int is_ready;

static void
can_suspend(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_suspend);
}

static void JNICALL
stop_here(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)jni, (void)arg;
    misuse_signal(&is_ready, 1);
    (*jvmti)->SuspendThread(jvmti, NULL);
    misuse_signal(&is_ready, 2);
}

static void
let_it_go(struct misuse *m)
{
    jthread thread = misuse_thread(m, stop_here, NULL);
    jint state = 0;

    misuse_await(&is_ready, 1);
    while (!(state & JVMTI_THREAD_STATE_SUSPENDED)) {
        sched_yield();
        (*m->jvmti)->GetThreadState(m->jvmti, thread, &state);
    }
    (*m->jvmti)->ResumeThread(m->jvmti, thread);
    misuse_await(&is_ready, 2);
}

/* ---- a monitor that is held from one callback to the next ---- */

static jrawMonitorID collecting;

static void JNICALL
enter_at_start(jvmtiEnv *jvmti)
{
    (*jvmti)->RawMonitorEnter(jvmti, collecting);
}

static void JNICALL
leave_at_finish(jvmtiEnv *jvmti)
{
    (*jvmti)->RawMonitorExit(jvmti, collecting);
}

static void
watch_collections(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_generate_garbage_collection_events);
    misuse_must((*m->jvmti)->CreateRawMonitor(m->jvmti, "collecting", &collecting),
                "CreateRawMonitor");
    misuse_callbacks.GarbageCollectionStart = enter_at_start;
    misuse_callbacks.GarbageCollectionFinish = leave_at_finish;
    misuse_enable(m, JVMTI_EVENT_GARBAGE_COLLECTION_START);
    misuse_enable(m, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void
collect(struct misuse *m)
{
    (*m->jvmti)->ForceGarbageCollection(m->jvmti);
}

/* ---- an exception that is not lost ---- */

static void JNICALL
throw_again(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    static bool is_done;
    jthrowable exception;

    (void)jvmti, (void)thread;
    if (is_done)
        return;
    is_done = true;
    (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/Error"), "of the agent");
    exception = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    if ((*jni)->FindClass(jni, "not/There") == NULL)
        (*jni)->ExceptionClear(jni);
    (*jni)->Throw(jni, exception);
}

static void
watch_endings(struct misuse *m)
{
    misuse_callbacks.ThreadEnd = throw_again;
    misuse_enable(m, JVMTI_EVENT_THREAD_END);
}

static void
run_nothing(struct misuse *m)
{
    misuse_thread(m, do_nothing, NULL);
}

/* ---- arrays are Cloneable ---- */

static void
pass_array(struct misuse *m)
{
    JNIEnv *jni = m->jni;
    jclass signed_object = (*jni)->FindClass(jni, "java/security/SignedObject");
    jmethodID init = (*jni)->GetMethodID(jni, signed_object, "<init>",
                                         "(Ljava/io/Serializable;Ljava/security/PrivateKey;"
                                         "Ljava/security/Signature;)V");

    /* Without a key it throws; which is not what is tried here. */
    (*jni)->NewObject(jni, signed_object, init, (*jni)->NewByteArray(jni, 4), NULL, NULL);
    (*jni)->ExceptionClear(jni);
}

/* ---- functions of JNI that are put into the VM's table ---- */

static jniNativeInterface *original;
static int globals_made;

static jobject JNICALL
count_global(JNIEnv *jni, jobject object)
{
    __atomic_fetch_add(&globals_made, 1, __ATOMIC_RELAXED);
    return original->NewGlobalRef(jni, object);
}

static void
replace_function(struct misuse *m)
{
    jniNativeInterface *changed;
    jobject global;
    jmethodID get;

    misuse_must((*m->jvmti)->GetJNIFunctionTable(m->jvmti, &original), "the functions");
    misuse_must((*m->jvmti)->GetJNIFunctionTable(m->jvmti, &changed), "the functions");
    changed->NewGlobalRef = count_global;
    misuse_must((*m->jvmti)->SetJNIFunctionTable(m->jvmti, changed), "SetJNIFunctionTable");
    global = (*m->jni)->NewGlobalRef(m->jni, m->thread);
    misuse_must(globals_made > 0 ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL, "the count");
    /* The old functions do in a callback, too, those with many arguments as well. */
    get = original->GetMethodID(m->jni, original->GetObjectClass(m->jni, global), "getName",
                                "()Ljava/lang/String;");
    original->DeleteLocalRef(m->jni, original->CallObjectMethod(m->jni, global, get));
    (*m->jni)->DeleteGlobalRef(m->jni, global);
    misuse_must((*m->jvmti)->SetJNIFunctionTable(m->jvmti, original),
                "SetJNIFunctionTable");
    (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)changed);
}

const struct misuse_case correct_cases[] = {
    { .rule = "correct/jni-functions", .init = replace_function },
    { .rule = "correct/late-callback", .load = watch_ends, .init = start_thread,
      .death = destroy_lock, .unload = await_end },
    { .rule = "correct/destructor", .init = detach_at_end },
    { .rule = "correct/old-values", .init = go_up },
    { .rule = "correct/early-start", .load = want_early_start },
    { .rule = "correct/classes", .init = keep_classes },
    { .rule = "correct/made-code", .load = make_callback },
    { .rule = "correct/suspends-itself", .load = can_suspend, .init = let_it_go },
    { .rule = "correct/held-between", .load = watch_collections, .init = collect },
    { .rule = "correct/thrown", .load = watch_endings, .init = run_nothing },
    { .rule = "correct/array", .init = pass_array },
    { .rule = NULL }
};
