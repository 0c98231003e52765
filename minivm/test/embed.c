/* SPDX-License-Identifier: MIT */
/* minivm/test/embed.c -- a C program that creates the VM (JNI "The Invocation API").
 *
 * Run by embed.t with the class path as its argument; speaks TAP. */

#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static JavaVM *vm;
static int count;

static void
ok(int good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++count, what);
    fflush(stdout);
}

/* ---- a statically linked agent, "embedded" (JVM TI "Statically Linked Agents") ---- */

static struct {
    int loaded, attached, unloaded, plain;
    char options[2][32];
} agent;

JNIEXPORT jint JNICALL
Agent_OnLoad_embedded(JavaVM *javavm, char *options, void *reserved)
{
    (void)javavm;
    agent.loaded += reserved == NULL;
    snprintf(agent.options[0], sizeof agent.options[0], "%s", options);
    return JNI_OK;
}

JNIEXPORT jint JNICALL
Agent_OnAttach_embedded(JavaVM *javavm, char *options, void *reserved)
{
    JNIEnv *env;

    agent.attached += reserved == NULL && javavm == vm
                      && (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) == JNI_OK;
    snprintf(agent.options[1], sizeof agent.options[1], "%s", options);
    return strcmp(options, "fail") == 0 ? 9 : JNI_OK;
}

JNIEXPORT void JNICALL
Agent_OnUnload_embedded(JavaVM *javavm)
{
    (void)javavm;
    agent.unloaded++;
}

/* These are ignored where the others are there. */
JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *javavm, char *options, void *reserved)
{
    (void)javavm;
    (void)options;
    (void)reserved;
    agent.plain++;
    return JNI_OK;
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *javavm, char *options, void *reserved)
{
    return Agent_OnLoad(javavm, options, reserved);
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *javavm)
{
    (void)javavm;
    agent.plain++;
}

/* Ask the VM of this process, as other processes do, to start an agent. */
static void
attach(const char *name, const char *is_path, const char *options, char answer[128])
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char request[512];
    size_t done = 0;
    ssize_t n;

    answer[0] = '\0';
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.java_pid%d",
             (int)getpid());
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        return;
    int length = snprintf(request, sizeof request, "1%cload%c%s%c%s%c%s%c", 0, 0, name, 0,
                          is_path, 0, options, 0);
    if (write(fd, request, (size_t)length) == length)
        while ((n = read(fd, answer + done, 127 - done)) > 0)
            done += (size_t)n;
    answer[done] = '\0';
    close(fd);
}

static jint
version(void)
{
    JNIEnv *env;

    (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10);
    return (*env)->GetVersion(env);
}

static void
static_agents(void)
{
    char answer[128];

    ok(agent.loaded == 1 && !strcmp(agent.options[0], "a=b,c"),
       "an agent in the program is started by Agent_OnLoad_embedded");
    attach("embedded", "false", "late", answer);
    ok(agent.attached == 1 && !strcmp(agent.options[1], "late")
           && !strcmp(answer, "0\nreturn code: 0\n"),
       "and in the live phase by Agent_OnAttach_embedded");
    attach("/no/such/place/libembedded.so", "true", "fail", answer);
    ok(agent.attached == 2 && !strcmp(answer, "0\nreturn code: 9\n"),
       "also by a path: no library of its name is loaded");
    attach("other", "false", "", answer);
    /* Since JDK 21 that is told by the text only. */
    bool by_text = version() >= 0x00150000;
    ok(!strncmp(answer, by_text ? "0\n" : "-1\n", by_text ? 2 : 3)
           && !strncmp(strchr(answer, '\n'), "\nother was not loaded.\n", 23),
       "others are not there");
    ok(agent.plain == 0, "functions without a name are ignored");
}

static jint
create(JNIEnv **env, char *option, jboolean ignore)
{
    JavaVMOption options[] = { { option, NULL }, { (char *)"-Dembedded=yes", NULL },
                               { (char *)"-agentlib:embedded=a=b,c", NULL },
                               { (char *)"-XX:+StartAttachListener", NULL } };
    JavaVMInitArgs args = { JNI_VERSION_10, 4, options, ignore };

    return JNI_CreateJavaVM(&vm, (void **)env, &args);
}

static void
calls(JNIEnv *env, jclass c)
{
    jmethodID add = (*env)->GetStaticMethodID(env, c, "add", "(IJ)J");
    jmethodID fail = (*env)->GetStaticMethodID(env, c, "fail", "()V");
    jclass state = (*env)->FindClass(env, "java/lang/IllegalStateException");

    ok(add && (*env)->CallStaticLongMethod(env, c, add, 40, (jlong)2) == 42,
       "a static method is called");
    (*env)->CallStaticVoidMethod(env, c, fail);
    jthrowable e = (*env)->ExceptionOccurred(env);
    ok(e != NULL, "its exception is pending");
    (*env)->ExceptionClear(env);
    ok(e && (*env)->IsInstanceOf(env, e, state), "and of the right class");
    ok((*env)->FindClass(env, "no/Such") == NULL && (*env)->ExceptionCheck(env),
       "a missing class throws");
    (*env)->ExceptionClear(env);
}

struct visit {
    jclass c;                      /* global */
    jint detached, version, attached, again, left;
    jboolean is_daemon, is_named;
    int daemon;
};

/* Another thread: not attached, attached twice, detached. */
static void *
visit(void *arg)
{
    struct visit *v = arg;
    JNIEnv *env = NULL, *second = NULL;
    JavaVMAttachArgs bad = { 0x7fff0000, NULL, NULL };
    JavaVMAttachArgs args = { JNI_VERSION_10, (char *)"visitor", NULL };

    v->detached = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10);
    v->version = (*vm)->AttachCurrentThread(vm, (void **)&env, &bad);
    v->attached = v->daemon
                      ? (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &args)
                      : (*vm)->AttachCurrentThread(vm, (void **)&env, &args);
    if (v->attached != JNI_OK)
        return NULL;
    v->again = (*vm)->AttachCurrentThread(vm, (void **)&second, NULL);
    if (second != env)
        v->again = JNI_ERR;
    v->is_daemon = (*env)->CallStaticBooleanMethod(
        env, v->c, (*env)->GetStaticMethodID(env, v->c, "isDaemon", "()Z"));
    v->is_named = (*env)->CallStaticBooleanMethod(
        env, v->c, (*env)->GetStaticMethodID(env, v->c, "isVisitor", "()Z"));
    v->left = (*vm)->DetachCurrentThread(vm);
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_EDETACHED)
        v->left = JNI_ERR;
    return NULL;
}

static void
threads(JNIEnv *env, jclass c)
{
    for (int daemon = 0; daemon < 2; daemon++) {
        struct visit v = { .c = (*env)->NewGlobalRef(env, c), .daemon = daemon,
                           .left = JNI_ERR };
        pthread_t thread;

        pthread_create(&thread, NULL, visit, &v);
        pthread_join(thread, NULL);
        ok(v.detached == JNI_EDETACHED, "another thread is not attached");
        ok(v.version == JNI_EVERSION, "a version that does not exist is refused");
        ok(v.attached == JNI_OK && v.is_named, "it is attached with its name");
        ok(v.is_daemon == (daemon == 1), "as a daemon or not");
        ok(v.again == JNI_OK, "attaching it again answers the same environment");
        ok(v.left == JNI_OK, "it is detached");
        (*env)->DeleteGlobalRef(env, v.c);
    }
}

/* In a process of its own: a start that fails when threads of the class library run
   already.  Nobody may be told of that VM, and there is no other after it. */
static bool
fails_late(char *path)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        JNIEnv *env;
        jsize n = -1;
        bool good = create(&env, (char *)"--add-modules=not.there", JNI_FALSE)
                    == JNI_ERR;

        good &= JNI_GetCreatedJavaVMs(&vm, 1, &n) == JNI_OK && n == 0;
        /* The second one begins nothing that could print why it fails. */
        fflush(stdout);
        good &= dup2(fileno(tmpfile()), 1) == 1;
        good &= create(&env, path, JNI_FALSE) == JNI_ERR;
        fflush(stdout);
        good &= lseek(1, 0, SEEK_END) == 0;
        _exit(!good);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int
main(int argc, char **argv)
{
    JNIEnv *env = NULL, *other = NULL;
    JavaVM *found = NULL;
    jsize n = -1;
    static char path[4096];

    (void)argc;
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[1]);
    JavaVMInitArgs old = { .version = JNI_VERSION_1_1 };
    ok(JNI_GetDefaultJavaVMInitArgs(&old) == JNI_ERR, "version 1.1 is not supported");
    old.version = JNI_VERSION_10;
    ok(JNI_GetDefaultJavaVMInitArgs(&old) == JNI_OK, "version 10 is");
    ok(JNI_GetCreatedJavaVMs(&found, 1, &n) == JNI_OK && n == 0, "there is no VM yet");
    ok(fails_late(path), "after a start that failed late there is no VM, and no other");
    ok(create(&env, (char *)"-Xunknown", JNI_FALSE) < 0, "an unknown option fails");
    ok(create(&env, path, JNI_FALSE) == JNI_OK && env, "after that a VM is created");
    if (!env)
        return 1;
    ok(JNI_GetCreatedJavaVMs(&found, 1, &n) == JNI_OK && n == 1 && found == vm,
       "it is the one created");
    JavaVM *second = vm;
    ok(create(&other, path, JNI_FALSE) == JNI_EEXIST, "there is no second one");
    vm = second;
    ok((*vm)->GetEnv(vm, (void **)&other, JNI_VERSION_10) == JNI_OK && other == env,
       "GetEnv answers the environment");
    ok((*vm)->GetEnv(vm, (void **)&other, 0x00990000) == JNI_EVERSION && !other,
       "but not for a version that does not exist");
    ok((*vm)->AttachCurrentThread(vm, (void **)&other, NULL) == JNI_OK && other == env,
       "the main thread is attached already");
    jclass c = (*env)->FindClass(env, "Embedded");
    ok(c != NULL, "the class is found");
    if (!c)
        return 1;
    calls(env, c);
    threads(env, c);
    static_agents();
    /* A thread that is no daemon runs on: DestroyJavaVM waits for its line. */
    (*env)->CallStaticVoidMethod(env, c,
                                 (*env)->GetStaticMethodID(env, c, "linger", "()V"));
    ok((*vm)->DestroyJavaVM(vm) == JNI_OK, "DestroyJavaVM waited and is done");
    ok(JNI_GetCreatedJavaVMs(&found, 1, &n) == JNI_OK && n == 0, "no VM is left");
    ok(agent.unloaded == 2 && agent.plain == 0,
       "both successful starts got their Agent_OnUnload_embedded");
    printf("1..%d\n", count);
    return 0;
}
