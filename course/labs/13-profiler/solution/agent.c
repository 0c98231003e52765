/* SPDX-License-Identifier: MIT */
/*
 * Lab 13: a sampling profiler.
 *
 * Stacks are kept as a tree: a node is a method in the place where it was called, so all
 * stacks that begin alike have the first nodes in common.  The folded text and the flame
 * graph are both walks over this tree.
 */
#include "lab.h"

#define WIDTH 1200.0
#define HEIGHT 16
#define MAX_DEPTH 2000
#define NAMES 4096      /* a power of two */

struct node {
    const char *name;           /* of the table of names; not the node's own */
    long self, total;           /* samples that end here; those of the children, too */
    struct node *first_child, *next;
};

struct name {
    jmethodID method;
    char *text;
    struct name *next;
};

static jrawMonitorID lock;      /* of all that follows */
static struct node root = { .name = "all" };
static struct name *names[NAMES];
static int interval_ms;
static bool stopping, is_sampler_there;

/* ---- The tree ---- */

/* "p.C.m" of a method, or NULL; asked for once for each method. */
static const char *
method_name(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    struct name **bucket = &names[((size_t)method >> 3) & (NAMES - 1)], *name;
    char *signature = NULL, *text = NULL;
    jclass klass = NULL;

    for (name = *bucket; name != NULL; name = name->next)
        if (name->method == method)
            return name->text;
    name = calloc(1, sizeof *name);
    if (name == NULL || !CALL(GetMethodDeclaringClass, jvmti, method, &klass)
        || !CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        || !CALL(GetMethodName, jvmti, method, &text, NULL, NULL)
        || asprintf(&name->text, "%.*s.%s", (int)strlen(signature) - 2, signature + 1,
                    text) < 0) {
        free(name);
        name = NULL;
    } else {
        for (char *c = name->text; *c != '\0'; c++)
            if (*c == '/')
                *c = '.';
        name->method = method;
        name->next = *bucket;
        *bucket = name;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)text);
    (*jni)->DeleteLocalRef(jni, klass);
    return name != NULL ? name->text : NULL;
}

/* The child of that name; children are sorted. */
static struct node *
child_of(struct node *node, const char *name)
{
    struct node **link = &node->first_child, *child;

    while (*link != NULL && strcmp((*link)->name, name) < 0)
        link = &(*link)->next;
    if (*link != NULL && strcmp((*link)->name, name) == 0)
        return *link;
    child = calloc(1, sizeof *child);
    if (child == NULL)
        return NULL;
    child->name = name;
    child->next = *link;
    *link = child;
    return child;
}

/* The frames are innermost first. */
static void
add_stack(jvmtiEnv *jvmti, JNIEnv *jni, const jvmtiFrameInfo *frames, jint count)
{
    struct node *node = &root;

    root.total++;
    for (jint i = count - 1; i >= 0 && node != NULL; i--) {
        const char *name = method_name(jvmti, jni, frames[i].method);

        node = child_of(node, name != NULL ? name : "?");
        if (node != NULL)
            node->total++;
    }
    if (node != NULL)
        node->self++;
}

/* ---- Samples ---- */

static void
take_sample(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;

    if (!CALL(GetAllStackTraces, jvmti, MAX_DEPTH, &stacks, &count))
        return;
    for (jint i = 0; i < count; i++) {
        if ((stacks[i].state & JVMTI_THREAD_STATE_RUNNABLE) != 0
            && stacks[i].frame_count > 0)
            add_stack(jvmti, jni, stacks[i].frame_buffer, stacks[i].frame_count);
        (*jni)->DeleteLocalRef(jni, stacks[i].thread);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)stacks);
}

/* The agent's own thread. */
static void JNICALL
run_sampler(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    (void)arg;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    while (!stopping) {
        (*jvmti)->RawMonitorWait(jvmti, lock, interval_ms);
        if (!stopping)
            take_sample(jvmti, jni);
    }
    is_sampler_there = false;
    (*jvmti)->RawMonitorNotifyAll(jvmti, lock);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void
start_sampler(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID init = (*jni)->GetMethodID(jni, klass, "<init>", "(Ljava/lang/String;)V");
    jstring name = (*jni)->NewStringUTF(jni, "sampler");
    jthread thread = (*jni)->NewObject(jni, klass, init, name);

    is_sampler_there = thread != NULL
        && CALL(RunAgentThread, jvmti, thread, run_sampler, NULL,
                JVMTI_THREAD_MAX_PRIORITY);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    if (interval_ms > 0)
        start_sampler(jvmti, jni);
    (*jvmti)->RawMonitorExit(jvmti, lock);
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiThreadInfo info;

    if (!CALL(GetThreadInfo, jvmti, thread, &info))
        return;
    if (strcmp(info.name, "sample") == 0) {
        (*jvmti)->RawMonitorEnter(jvmti, lock);
        take_sample(jvmti, jni);
        (*jvmti)->RawMonitorExit(jvmti, lock);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
}

/* ---- Output ---- */

/* A line for each node in which samples ended; path has the names above, parted by ;. */
static void
write_folded(FILE *file, const struct node *node, const char *path)
{
    for (const struct node *c = node->first_child; c != NULL; c = c->next) {
        char *below;

        if (asprintf(&below, "%s%s%s", path, *path != '\0' ? ";" : "", c->name) < 0)
            return;
        if (c->self > 0)
            fprintf(file, "%s %ld\n", below, c->self);
        write_folded(file, c, below);
        free(below);
    }
}

static void
write_escaped(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

static int
depth_of(const struct node *node)
{
    int depth = 0;

    for (const struct node *c = node->first_child; c != NULL; c = c->next)
        if (depth_of(c) > depth)
            depth = depth_of(c);
    return depth + 1;
}

/* The node and what it calls; y is the top of its row, and its callees stand above. */
static void
write_rect(FILE *file, const struct node *node, double x, int y)
{
    double width = WIDTH * (double)node->total / (double)root.total;

    fprintf(file, "<rect x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\" "
            "fill=\"#f%c6\" stroke=\"#fff\"><title>", x, y, width, HEIGHT,
            "6789ab"[strlen(node->name) % 6]);
    write_escaped(file, node->name);
    fprintf(file, " (%ld samples)</title></rect>\n", node->total);
    if (width > 7 * (double)strlen(node->name)) {
        fprintf(file, "<text x=\"%.1f\" y=\"%d\">", x + 3, y + HEIGHT - 4);
        write_escaped(file, node->name);
        fprintf(file, "</text>\n");
    }
    for (const struct node *c = node->first_child; c != NULL; c = c->next) {
        write_rect(file, c, x, y - HEIGHT);
        x += WIDTH * (double)c->total / (double)root.total;
    }
}

static void
write_svg(FILE *file)
{
    int height = depth_of(&root) * HEIGHT;

    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
            "font-family=\"monospace\" font-size=\"11\">\n", WIDTH, height);
    if (root.total > 0)
        write_rect(file, &root, 0, height - HEIGHT);
    fprintf(file, "</svg>\n");
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    FILE *folded = fopen("profile.folded", "w"), *svg = fopen("profile.svg", "w");

    (void)jni;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    stopping = true;
    (*jvmti)->RawMonitorNotifyAll(jvmti, lock);
    while (is_sampler_there)
        (*jvmti)->RawMonitorWait(jvmti, lock, 0);
    if (folded != NULL)
        write_folded(folded, &root, "");
    if (svg != NULL)
        write_svg(svg);
    say("samples %ld", root.total);
    (*jvmti)->RawMonitorExit(jvmti, lock);
    if (folded != NULL)
        fclose(folded);
    if (svg != NULL)
        fclose(svg);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *jvmti;

    (void)reserved;
    if (options != NULL && strncmp(options, "interval=", 9) == 0)
        interval_ms = atoi(options + 9);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.ThreadStart = on_thread_start;
    callbacks.VMDeath = on_vm_death;
    if (!CALL(CreateRawMonitor, jvmti, "profile", &lock)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
