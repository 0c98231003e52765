/* SPDX-License-Identifier: MIT */
/*
 * Lab 14: a finder of data races, after Eraser (Savage and others, 1997).
 *
 * A location is a field of an object, or a static field.  For each one we keep the set of
 * monitors that all its accesses have had in common so far.  When that becomes empty, and
 * several threads use the location, and one of them writes, nothing protects it.
 *
 * Objects, monitors and threads are named by tags, which we number: a tag stays when
 * references go.
 */
#include "lab.h"

#define BUCKETS 4096
#define MAX_LOCKS 64
#define MAX_USERS 64
#define MAX_THREADS 100000

enum state { EXCLUSIVE, SHARED, MODIFIED };

struct user {
    jlong thread;
    jmethodID method;           /* of its last access */
    long time;                  /* and when that was */
};

struct location {
    jlong object;               /* 0 for a static field */
    jfieldID field;
    enum state state;
    jlong locks[MAX_LOCKS];     /* valid if not EXCLUSIVE */
    int lock_count;
    struct user users[MAX_USERS];
    int user_count;
    bool is_told;
    struct location *next;
};

static jrawMonitorID lock;      /* of all that follows */
static struct location *table[BUCKETS];
static jlong last_tag;
static long now;                        /* counts accesses and starts of threads */
static bool has_ended[MAX_THREADS];     /* by tag */
static long started_at[MAX_THREADS];
static char **reports;
static int report_count;

/* The number of an object, given when it is first asked for. */
static jlong
tag_of(jvmtiEnv *jvmti, jobject object)
{
    jlong tag = 0;

    if (object != NULL && CALL(GetTag, jvmti, object, &tag) && tag == 0) {
        tag = ++last_tag;
        CALL(SetTag, jvmti, object, tag);
    }
    return tag;
}

static struct location *
location_of(jlong object, jfieldID field)
{
    struct location **bucket =
        &table[((size_t)field * 31 + (size_t)object) % BUCKETS], *location;

    for (location = *bucket; location != NULL; location = location->next)
        if (location->object == object && location->field == field)
            return location;
    location = calloc(1, sizeof *location);
    if (location != NULL) {
        location->object = object;
        location->field = field;
        location->next = *bucket;
        *bucket = location;
    }
    return location;
}

/* The monitors that the current thread owns. */
static int
held_locks(jvmtiEnv *jvmti, JNIEnv *jni, jlong *locks)
{
    jobject *monitors = NULL;
    jint count = 0;
    int n = 0;

    if (!CALL(GetOwnedMonitorInfo, jvmti, NULL, &count, &monitors))
        return 0;
    for (jint i = 0; i < count; i++) {
        if (n < MAX_LOCKS)
            locks[n++] = tag_of(jvmti, monitors[i]);
        (*jni)->DeleteLocalRef(jni, monitors[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)monitors);
    return n;
}

/* The thread's entry, put in if need be. */
static struct user *
user_of(struct location *location, jlong thread)
{
    for (int i = 0; i < location->user_count; i++)
        if (location->users[i].thread == thread)
            return &location->users[i];
    if (location->user_count == MAX_USERS)
        return NULL;
    location->users[location->user_count] = (struct user){ .thread = thread };
    return &location->users[location->user_count++];
}

/* Is what the other thread did in order with what `thread` does from now on?  So it is if
   the other has ended, by Thread.join, and if it came before the thread's start. */
static bool
is_ordered(const struct user *other, jlong thread)
{
    return has_ended[other->thread] || other->time < started_at[thread];
}

/* Takes those out of the location that cannot meet the thread any more. */
static void
forget_ordered(struct location *location, jlong thread)
{
    int kept = 0;

    for (int i = 0; i < location->user_count; i++) {
        const struct user *user = &location->users[i];

        if (user->thread == thread || !is_ordered(user, thread))
            location->users[kept++] = *user;
    }
    location->user_count = kept;
    if (kept == 0 || (kept == 1 && location->users[0].thread == thread))
        location->state = EXCLUSIVE;
}

static bool
contains(const jlong *locks, int count, jlong wanted)
{
    for (int i = 0; i < count; i++)
        if (locks[i] == wanted)
            return true;
    return false;
}

/* "C.f" of a field; the caller frees it. */
static char *
field_name(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, jfieldID field)
{
    char *signature = NULL, *name = NULL, *text = NULL;
    jclass owner = NULL;

    if (CALL(GetFieldDeclaringClass, jvmti, klass, field, &owner)
        && CALL(GetClassSignature, jvmti, owner, &signature, NULL)
        && CALL(GetFieldName, jvmti, klass, field, &name, NULL, NULL)
        && asprintf(&text, "%.*s.%s", (int)strlen(signature) - 2, signature + 1, name) < 0)
        text = NULL;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, owner);
    return text;
}

static void
report(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass, const struct location *location,
       jmethodID one, jmethodID two)
{
    char *field = field_name(jvmti, jni, klass, location->field), *line = NULL;
    char *first = NULL, *second = NULL, **more;

    if (field != NULL && CALL(GetMethodName, jvmti, one, &first, NULL, NULL)
        && CALL(GetMethodName, jvmti, two, &second, NULL, NULL)) {
        bool in_order = strcmp(first, second) < 0;

        if (asprintf(&line, "race %s %s %s", field, in_order ? first : second,
                     in_order ? second : first) < 0)
            line = NULL;
    }
    for (int i = 0; i < report_count && line != NULL; i++)
        if (strcmp(reports[i], line) == 0) {
            free(line);
            line = NULL;
        }
    more = line == NULL ? NULL
        : realloc(reports, ((size_t)report_count + 1) * sizeof *reports);
    if (more != NULL) {
        reports = more;
        reports[report_count++] = line;
    }
    free(field);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)first);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)second);
}

/* The rule itself. */
static void
come(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method, jclass klass,
     jobject object, jfieldID field, bool is_write)
{
    jlong held[MAX_LOCKS], me = tag_of(jvmti, thread);
    int held_count = held_locks(jvmti, jni, held);
    struct location *location = location_of(tag_of(jvmti, object), field);
    struct user *user, *other = NULL;

    if (location == NULL || me >= MAX_THREADS)
        return;
    forget_ordered(location, me);
    user = user_of(location, me);
    if (user == NULL)
        return;
    user->method = method;
    user->time = ++now;
    if (location->user_count == 1)
        return;
    if (location->state == EXCLUSIVE) {
        location->state = SHARED;
        memcpy(location->locks, held, (size_t)held_count * sizeof *held);
        location->lock_count = held_count;
    } else {
        int kept = 0;

        for (int i = 0; i < location->lock_count; i++)
            if (contains(held, held_count, location->locks[i]))
                location->locks[kept++] = location->locks[i];
        location->lock_count = kept;
    }
    if (is_write)
        location->state = MODIFIED;
    for (int i = 0; i < location->user_count; i++)
        if (location->users[i].thread != me)
            other = &location->users[i];
    if (location->state == MODIFIED && location->lock_count == 0 && !location->is_told
        && other != NULL) {
        location->is_told = true;
        report(jvmti, jni, klass, location, method, other->method);
    }
}

/* ---- Events ---- */

static void JNICALL
on_access(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
          jlocation location, jclass klass, jobject object, jfieldID field)
{
    (void)location;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    come(jvmti, jni, thread, method, klass, object, field, false);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL
on_modification(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                jlocation location, jclass klass, jobject object, jfieldID field,
                char type, jvalue value)
{
    (void)location;
    (void)type;
    (void)value;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    come(jvmti, jni, thread, method, klass, object, field, true);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

/* Watches the fields of the program's classes. */
static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    const jint harmless = 0x10 | 0x40;      /* final, volatile */
    jobject loader = NULL;
    jfieldID *fields = NULL;
    jint count = 0;

    (void)jni;
    (void)thread;
    if (!CALL(GetClassLoader, jvmti, klass, &loader) || loader == NULL
        || !CALL(GetClassFields, jvmti, klass, &count, &fields))
        return;
    for (jint i = 0; i < count; i++) {
        jint modifiers = 0;

        if (CALL(GetFieldModifiers, jvmti, klass, fields[i], &modifiers)
            && (modifiers & harmless) == 0
            && CALL(SetFieldAccessWatch, jvmti, klass, fields[i]))
            CALL(SetFieldModificationWatch, jvmti, klass, fields[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
}

static bool
is_live(jvmtiEnv *jvmti)
{
    jvmtiPhase phase;

    return CALL(GetPhase, jvmti, &phase) && phase == JVMTI_PHASE_LIVE;
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jlong tag;

    (void)jni;
    if (!is_live(jvmti))
        return;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    tag = tag_of(jvmti, thread);
    if (tag < MAX_THREADS)
        started_at[tag] = ++now;
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jlong tag;

    (void)jni;
    if (!is_live(jvmti))
        return;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    tag = tag_of(jvmti, thread);
    if (tag < MAX_THREADS)
        has_ended[tag] = true;
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    if (report_count > 0)
        qsort(reports, (size_t)report_count, sizeof *reports, compare);
    for (int i = 0; i < report_count; i++)
        say("%s", reports[i]);
    (*jvmti)->RawMonitorExit(jvmti, lock);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION,
        JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END
    };

    (void)jni;
    (void)thread;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, events[i], NULL);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiEvent events[] = {
        JVMTI_EVENT_VM_INIT, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH
    };
    jvmtiEventCallbacks callbacks;
    jvmtiCapabilities capabilities;
    jvmtiEnv *jvmti;

    (void)options;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return JNI_ERR;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_tag_objects = 1;
    capabilities.can_get_owned_monitor_info = 1;
    capabilities.can_generate_field_access_events = 1;
    capabilities.can_generate_field_modification_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.FieldAccess = on_access;
    callbacks.FieldModification = on_modification;
    callbacks.ThreadStart = on_thread_start;
    callbacks.ThreadEnd = on_thread_end;
    callbacks.VMDeath = on_vm_death;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(CreateRawMonitor, jvmti, "races", &lock)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks))
        return JNI_ERR;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (!CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, events[i], NULL))
            return JNI_ERR;
    return JNI_OK;
}
