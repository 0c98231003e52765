/* SPDX-License-Identifier: MIT */
/* Lab 7: counts and paths in the heap. */
#include "lab.h"

#define MAX_CLASSES 200

/* A class of the package. */
struct row {
    char name[200];
    long count, before;
};

/* What was reached: from where, and by which kind of reference. */
struct node {
    long parent;            /* the index of a node, or -1 for a root */
    int row;                /* of its class, or -1 */
    jvmtiHeapReferenceKind kind;
    bool is_ours;           /* the class object of one of our classes */
};

static char package[300], path_class[200];
static struct row rows[MAX_CLASSES];
static int row_count, looks;
static struct node *nodes;
static long node_count, node_room, target;

/* The row of a class by its signature, or -1; makes one if needed.  A dot is in the
   signatures of hidden classes only. */
static int
row_of(const char *signature)
{
    size_t length = strlen(package);
    char name[200];

    if (strncmp(signature + 1, package, length) != 0
        || signature[0] != 'L'
        || strpbrk(signature + 1 + length, "/.") != NULL)
        return -1;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(signature) - length - 2),
             signature + 1 + length);
    for (int i = 0; i < row_count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    if (row_count == MAX_CLASSES)
        return -1;
    memset(&rows[row_count], 0, sizeof *rows);
    strcpy(rows[row_count].name, name);
    return row_count++;
}

/* Classes of the package have the tags 1 to MAX_CLASSES. */
static void
tag_classes(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL;
    jint count = 0;

    if (!CALL(GetLoadedClasses, jvmti, &count, &classes))
        return;
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;

        if (CALL(GetClassSignature, jvmti, classes[i], &signature, NULL)) {
            int row = row_of(signature);

            if (row >= 0)
                CALL(SetTag, jvmti, classes[i], row + 1);
        }
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
}

/* The node of a tag that an object got in this walk. */
static long
node_of(jlong tag)
{
    return tag > MAX_CLASSES ? (long)(tag - MAX_CLASSES - 1) : -1;
}

static jlong
new_node(long parent, int row, jvmtiHeapReferenceKind kind, bool is_ours)
{
    if (node_count == node_room) {
        struct node *more;

        node_room = node_room * 2 + 4096;
        more = realloc(nodes, (size_t)node_room * sizeof *nodes);
        if (more == NULL)
            abort();
        nodes = more;
    }
    nodes[node_count] = (struct node){ parent, row, kind, is_ours };
    return MAX_CLASSES + 1 + node_count++;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    int row = class_tag > 0 && class_tag <= MAX_CLASSES ? (int)class_tag - 1 : -1;
    long parent = -1;

    (void)info;
    (void)referrer_class_tag;
    (void)size;
    (void)length;
    (void)data;
    if (node_of(*tag) >= 0)
        return 0;
    if (referrer_tag != NULL)
        parent = node_of(*referrer_tag);
    /* A class object keeps its own tag, since instances need it: its node is known by
       the kind of the references that leave it. */
    if (*tag > 0)
        return JVMTI_VISIT_OBJECTS;
    if (referrer_tag != NULL && *referrer_tag > 0 && *referrer_tag <= MAX_CLASSES)
        *tag = new_node(-1, row, kind, true);
    else
        *tag = new_node(parent, row, kind, false);
    if (row >= 0) {
        rows[row].count++;
        if (target < 0 && strcmp(rows[row].name, path_class) == 0)
            target = node_of(*tag);
    }
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
untag(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    (void)class_tag;
    (void)size;
    (void)length;
    (void)data;
    *tag = 0;
    return JVMTI_VISIT_OBJECTS;
}

static int
compare(const void *a, const void *b)
{
    return strcmp((*(struct row *const *)a)->name, (*(struct row *const *)b)->name);
}

static void
say_counts(void)
{
    struct row *sorted[MAX_CLASSES];

    for (int i = 0; i < row_count; i++)
        sorted[i] = &rows[i];
    qsort(sorted, (size_t)row_count, sizeof *sorted, compare);
    for (int i = 0; i < row_count; i++)
        if (sorted[i]->count > 0)
            say("live %ld %s", sorted[i]->count, sorted[i]->name);
    for (int i = 0; i < row_count && looks > 1; i++)
        if (sorted[i]->count > sorted[i]->before)
            say("grew %s +%ld", sorted[i]->name, sorted[i]->count - sorted[i]->before);
}

static void
say_path(void)
{
    char text[2300] = "", more[2300];
    const char *root = "other";

    if (target < 0)
        return;
    for (long at = target; at >= 0; at = nodes[at].parent) {
        if (nodes[at].row >= 0) {
            snprintf(more, sizeof more, " %.100s%.2000s", rows[nodes[at].row].name,
                     text);
            strcpy(text, more);
        }
        if (nodes[at].parent >= 0)
            continue;
        if (nodes[at].is_ours && nodes[at].kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD)
            root = "static";
        else if (nodes[at].kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL)
            root = "local";
    }
    say("path %s%s", root, text);
}

static void
look(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiHeapCallbacks callbacks, cleaning;

    tag_classes(jvmti, jni);
    for (int i = 0; i < row_count; i++) {
        rows[i].before = rows[i].count;
        rows[i].count = 0;
    }
    node_count = 0;
    target = -1;
    memset(&callbacks, 0, sizeof callbacks);
    memset(&cleaning, 0, sizeof cleaning);
    callbacks.heap_reference_callback = on_reference;
    cleaning.heap_iteration_callback = untag;
    say("look %d", ++looks);
    if (!CALL(FollowReferences, jvmti, 0, NULL, NULL, &callbacks, NULL))
        return;
    say_counts();
    say_path();
    CALL(IterateThroughHeap, jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &cleaning, NULL);
}

static bool
is_look(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiThreadInfo info;
    jvmtiPhase phase;
    bool is_it;

    if (!CALL(GetPhase, jvmti, &phase) || phase != JVMTI_PHASE_LIVE
        || !CALL(GetThreadInfo, jvmti, thread, &info))
        return false;
    is_it = strcmp(info.name, "look") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return is_it;
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    if (is_look(jvmti, thread))
        look(jvmti, jni);
}

static void
read_options(const char *options)
{
    char *rest = NULL, *copy = strdup(options != NULL ? options : "");

    for (char *option = copy == NULL ? NULL : strtok_r(copy, ",", &rest);
         option != NULL; option = strtok_r(NULL, ",", &rest)) {
        if (strncmp(option, "path=", 5) == 0)
            snprintf(path_class, sizeof path_class, "%s", option + 5);
        else if (strncmp(option, "package=", 8) == 0) {
            snprintf(package, sizeof package, "%s/", option + 8);
            for (char *c = package; *c != '\0'; c++)
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
    capabilities.can_tag_objects = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ThreadStart = on_thread_start;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE,
                 JVMTI_EVENT_THREAD_START, NULL))
        return JNI_ERR;
    return JNI_OK;
}
