/* SPDX-License-Identifier: MIT */
/* An agent that crashes: its options are WHERE:HOW, as in "MethodEntry:segv". */

#include <jvmti.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static char where[64], how[64];
static jvmtiEnv *jvmti;
static JavaVM *vm;
static JNIEnv *the_jni;
static volatile int sink;
static volatile int zero;

/* ---- how ---- */

/* What follows the call keeps it from being a jump. */
static NOINLINE void
do_segv(void)
{
    *(volatile int *)0x1230 = 1;
    sink++;
}

static NOINLINE int
do_overflow(int depth)
{
    volatile char block[512];

    block[depth % 512] = (char)depth;
    if (depth < 0)
        return 0;
    return do_overflow(depth + 1) + block[(depth + 1) % 512];
}

static NOINLINE void
do_abort(void)
{
    abort();
}

static NOINLINE void
do_free(void)
{
    char *volatile p = malloc(2000), *volatile q = p;

    free(p);
    free(q);
    sink++;
}

static NOINLINE void
do_fpe(void)
{
    sink = sink / zero;
}

static NOINLINE void
do_ill(void)
{
    __asm__ volatile("ud2");
    sink++;
}

static NOINLINE void
do_bus(void)
{
    FILE *f = tmpfile();
    volatile char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(f), 0);

    sink = *map;
}

static NOINLINE void
do_null(void)
{
    void (*volatile nothing)(void) = NULL;

    nothing();
    sink++;
}

static NOINLINE void
do_data(void)
{
    static char data[64] __attribute__((aligned(16)));

    ((void (*)(void))(void *)data)();
    sink++;
}

/* Overwrites where it is to return, and what is above that. */
static NOINLINE void
do_return(void)
{
    volatile unsigned long *at = __builtin_frame_address(0);

    for (int i = 0; i < 6; i++)
        at[i] = 0x4141414141414141;
}

static NOINLINE void
do_pointer(void)
{
    __asm__ volatile("mov $0x10, %rsp\n\tpush %rax");
    sink++;
}

/* An argument that is no pointer. */
static NOINLINE void
do_jvmti(void)
{
    (*jvmti)->GetPhase(jvmti, (jvmtiPhase *)0x1238);
    sink++;
}

static NOINLINE void
do_jni(void)
{
    (*the_jni)->GetStringLength(the_jni, (jstring)0x1240);
    sink++;
}

static NOINLINE void
do_text(void)
{
    (*the_jni)->NewStringUTF(the_jni, (const char *)0x1250);
    sink++;
}

static void
do_kill(void)
{
    kill(getpid(), SIGSEGV);
    sink++;
}

static void
do_hang(void)
{
    /* The test waits for this. */
    fputs("hangs\n", stderr);
    for (;;)
        pause();
}

/* Overwrites what the VM keeps of the thread, behind its JNIEnv. */
static NOINLINE void
do_corrupt(void)
{
    memset((char *)(size_t)the_jni + 8, 0x41, 64);
    do_segv();
    sink++;
}

static NOINLINE void
crash_now(const char *place)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        { "segv", do_segv }, { "abort", do_abort }, { "free", do_free },
        { "fpe", do_fpe }, { "ill", do_ill }, { "bus", do_bus }, { "null", do_null },
        { "data", do_data }, { "return", do_return }, { "pointer", do_pointer },
        { "jvmti", do_jvmti }, { "jni", do_jni }, { "text", do_text },
        { "kill", do_kill }, { "hang", do_hang }, { "corrupt", do_corrupt }
    };

    if (strcmp(place, where) != 0)
        return;
    if (strcmp(how, "overflow") == 0)
        sink = do_overflow(0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, how) == 0)
            ways[i].run();
    fprintf(stderr, "not crashed: %s\n", how);
}

/* ---- where ---- */

static void JNICALL
on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    (void)env;
    (void)thread;
    the_jni = jni;
    crash_now("VMInit");
}

static void JNICALL
on_vm_death(jvmtiEnv *env, JNIEnv *jni)
{
    (void)env;
    (void)jni;
    crash_now("VMDeath");
}

static int
is_target(jmethodID method, const char *wanted)
{
    char *name;
    int is;

    if ((*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return 0;
    is = strcmp(name, wanted) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return is;
}

static void JNICALL
on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)env;
    (void)jni;
    (void)thread;
    if (is_target(method, "target"))
        crash_now("MethodEntry");
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation at,
             jobject exception, jmethodID catcher, jlocation catch_at)
{
    (void)env;
    (void)jni;
    (void)thread;
    (void)at;
    (void)exception;
    (void)catcher;
    (void)catch_at;
    if (is_target(method, "thrower"))
        crash_now("Exception");
}

static void JNICALL
on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature;

    (void)jni;
    (void)thread;
    if ((*env)->GetClassSignature(env, klass, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    if (strcmp(signature, "LCrash;") == 0)
        crash_now("ClassPrepare");
    (*env)->Deallocate(env, (unsigned char *)signature);
}

static void JNICALL
on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;

    (void)jni;
    if ((*env)->GetThreadInfo(env, thread, &info) == JVMTI_ERROR_NONE
        && strcmp(info.name, "worker") == 0)
        crash_now("ThreadStart");
}

static void JNICALL
on_gc_start(jvmtiEnv *env)
{
    (void)env;
    crash_now("GarbageCollectionStart");
}

static void JNICALL
on_gc_finish(jvmtiEnv *env)
{
    (void)env;
    crash_now("GarbageCollectionFinish");
}

static void JNICALL
on_object_free(jvmtiEnv *env, jlong tag)
{
    (void)env;
    (void)tag;
    crash_now("ObjectFree");
}

static jint JNICALL
on_heap_object(jlong class_tag, jlong size, jlong *tag, jint length, void *user_data)
{
    (void)class_tag;
    (void)size;
    (void)tag;
    (void)length;
    (void)user_data;
    crash_now("heap");
    return 0;
}

static void *
run_unattached(void *arg)
{
    (void)arg;
    crash_now("unattached");
    return NULL;
}

static void *
run_attached(void *arg)
{
    JNIEnv *jni;
    JavaVMAttachArgs args = { JNI_VERSION_1_8, "visitor", NULL };

    (void)arg;
    (*vm)->AttachCurrentThread(vm, (void **)&jni, &args);
    crash_now("attached");
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

static void
run_pthread(void *(*run)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}

static void *
run_detached(void *arg)
{
    (void)arg;
    crash_now("beside");
    return NULL;
}

/* Returns when the thread has crashed: its report has begun. */
static void
run_beside(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, run_detached, NULL);
    pthread_detach(thread);
    while (access("log", F_OK) != 0)
        usleep(1000);
}

JNIEXPORT void JNICALL
Java_Crash_natively(JNIEnv *env, jclass self, jobject tagged)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_heap_object };

    (void)self;
    the_jni = env;
    (*jvmti)->SetTag(jvmti, tagged, 7);
    crash_now("native");
    run_pthread(run_unattached);
    run_pthread(run_attached);
    if (strcmp(where, "beside") == 0)
        run_beside();
    if (strcmp(where, "heap") == 0)
        (*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, NULL);
}

static void
on_own_signal(int number, siginfo_t *info, void *context)
{
    static const char text[] = "the handler before\n";

    (void)number;
    (void)info;
    (void)context;
    if (write(2, text, sizeof text - 1) > 0)
        _exit(42);
}

/* A handler that is installed before the VM's: LD_PRELOAD=libcrash.so. */
__attribute__((constructor)) static void
install(void)
{
    struct sigaction action = { .sa_sigaction = on_own_signal, .sa_flags = SA_SIGINFO };

    if (getenv("CRASH_HANDLER"))
        sigaction(SIGSEGV, &action, NULL);
}

/* One that the program installs later. */
JNIEXPORT void JNICALL
Java_Crash_handle(JNIEnv *env, jclass self)
{
    struct sigaction action = { .sa_sigaction = on_own_signal, .sa_flags = SA_SIGINFO };

    (void)env;
    (void)self;
    sigaction(SIGSEGV, &action, NULL);
}

static void
want(jvmtiEvent event)
{
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *java_vm, char *options, void *reserved)
{
    jvmtiCapabilities capabilities = {
        .can_tag_objects = 1, .can_generate_method_entry_events = 1,
        .can_generate_exception_events = 1, .can_generate_garbage_collection_events = 1,
        .can_generate_object_free_events = 1
    };
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init, .VMDeath = on_vm_death, .MethodEntry = on_method_entry,
        .Exception = on_exception, .ClassPrepare = on_class_prepare,
        .ThreadStart = on_thread_start, .GarbageCollectionStart = on_gc_start,
        .GarbageCollectionFinish = on_gc_finish, .ObjectFree = on_object_free
    };

    (void)reserved;
    vm = java_vm;
    if (sscanf(options, "%63[^:]:%63s", where, how) != 2)
        return JNI_ERR;
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
    crash_now("OnLoad");
    (*jvmti)->AddCapabilities(jvmti, &capabilities);
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    want(JVMTI_EVENT_VM_INIT);
    want(JVMTI_EVENT_VM_DEATH);
    want(JVMTI_EVENT_METHOD_ENTRY);
    want(JVMTI_EVENT_EXCEPTION);
    want(JVMTI_EVENT_CLASS_PREPARE);
    want(JVMTI_EVENT_THREAD_START);
    want(JVMTI_EVENT_GARBAGE_COLLECTION_START);
    want(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
    want(JVMTI_EVENT_OBJECT_FREE);
    return JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *java_vm)
{
    (void)java_vm;
    crash_now("OnUnload");
}
