/* SPDX-License-Identifier: MIT */
/*
 * layer/class.c -- rules about class files that hooks give (JVM TI "Class File Load
 * Hook") and about classes that are loaded.
 *
 * The bytes that an agent gives for a class are taken apart at once; what is no class
 * file is told before the VM says NoClassDefFoundError somewhere else.  What the verifier
 * refuses comes as an error that is thrown: the layer's own environment sees exceptions
 * from the first class on that was changed, and tells of a VerifyError or ClassFormatError
 * that is about such a class.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/classfile.h>

#include "layer/class.h"
#include "layer/guard.h"

#define BUCKETS 1024
#define KEPT 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Classes whose bytes an agent has changed, by internal name. */
static struct changed {
    char *name;
    const struct check_agent *agent;
    struct changed *next;
} *changed[BUCKETS];

/* The last bytes that hooks gave, for a retransformation that is refused. */
static struct class_given given[KEPT];
static int next_given;

static struct changed **
bucket(const char *name, size_t length)
{
    unsigned hash = 5381;

    for (size_t i = 0; i < length; i++)
        hash = hash * 33 ^ (unsigned char)name[i];
    return &changed[hash % BUCKETS];
}

static const struct changed *
find_changed(const char *name, size_t length)
{
    const struct changed *c;

    pthread_mutex_lock(&lock);
    c = *bucket(name, length);
    while (c != NULL && (strlen(c->name) != length || strncmp(c->name, name, length) != 0))
        c = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}

static void
note_changed(const char *name, const struct check_agent *agent)
{
    struct changed *c = find_changed(name, strlen(name)) == NULL ? malloc(sizeof *c) : NULL;

    if (c == NULL || (c->name = strdup(name)) == NULL) {
        free(c);
        return;
    }
    c->agent = agent;
    pthread_mutex_lock(&lock);
    c->next = *bucket(name, strlen(name));
    *bucket(name, strlen(name)) = c;
    pthread_mutex_unlock(&lock);
}

static void
keep_bytes(const char *name, const unsigned char *bytes, jint length)
{
    struct class_given g = { strdup(name), malloc(length > 0 ? (size_t)length : 1), length }, old;

    if (g.bytes != NULL && length > 0)
        memcpy(g.bytes, bytes, (size_t)length);
    pthread_mutex_lock(&lock);
    old = given[next_given];
    given[next_given] = g;
    next_given = (next_given + 1) % KEPT;
    pthread_mutex_unlock(&lock);
    free(old.name);
    free(old.bytes);
}

/* ---- loads ---- */

static void JNICALL
on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jthread java_thread, jclass class)
{
    struct interpose_thread *thread = interpose_thread_self();
    const struct interpose_event *event = thread->event;
    struct check_thread *state = thread->state;
    struct stack stack = { 1, { (uintptr_t)state->caller } };
    char *signature = NULL;

    (void)jni, (void)java_thread;
    if (event == NULL || event->facts->number == JVMTI_EVENT_VM_INIT
        || event->facts->number == JVMTI_EVENT_VM_START
        || event->facts->number == JVMTI_EVENT_VM_DEATH || state->caller == NULL)
        return;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    check_found_at(RULE_CLASSES_LOAD_IN_CALLBACK, event->facts->name, &stack, 1,
                   "the callback of %s has class %s loaded", event->facts->name,
                   signature != NULL ? signature : "?");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* ---- errors of the verifier ---- */

static bool
is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || c == '_' || c == '$' || c == '/' || c == '.' || (unsigned char)c >= 0x80;
}

/* The changed class whose name the text begins with, with dots or slashes; a method's name
   may follow it. */
static const struct changed *
find_at(const char *text)
{
    char name[512];
    size_t length = 0;

    while (length < sizeof name - 1 && is_name_character(text[length])) {
        name[length] = text[length] == '.' ? '/' : text[length];
        length++;
    }
    for (size_t n = length; n > 0;) {
        const struct changed *c = find_changed(name, n);

        if (c != NULL)
            return c;
        while (n > 0 && name[--n] != '/')
            continue;
    }
    return NULL;
}

/* The class that is refused, if an agent has changed it: behind one of these words, the
   first of them that the text has.  Others that it names are types of operands and the
   like. */
static const struct changed *
find_refused(const char *text)
{
    static const char *const words[] = { "Location:", "(class: ", "in class file ",
                                         "class ", NULL };

    for (int i = 0; words[i] != NULL; i++) {
        const char *at = strstr(text, words[i]);

        if (at == NULL)
            continue;
        at += strlen(words[i]);
        return find_at(at + strspn(at, " \n"));
    }
    return NULL;
}

/* The text of getMessage, with the first line in front; NULL if there is none. */
static char *
message_of(JNIEnv *jni, jobject exception, jclass class)
{
    jmethodID get = (*jni)->GetMethodID(jni, class, "getMessage", "()Ljava/lang/String;");
    jstring string = get != NULL ? (*jni)->CallObjectMethod(jni, exception, get) : NULL;
    const char *chars;
    char *text = NULL;

    if (string != NULL && (chars = (*jni)->GetStringUTFChars(jni, string, NULL)) != NULL) {
        text = strdup(chars);
        (*jni)->ReleaseStringUTFChars(jni, string, chars);
    }
    (*jni)->DeleteLocalRef(jni, string);
    (*jni)->ExceptionClear(jni);
    return text;
}

/* Is it an error about what is in a class file?  Other LinkageErrors are the program's: a
   member that another class has no more, an initializer that has failed. */
static bool
is_refusal(JNIEnv *jni, jobject exception)
{
    static const char *const names[] = { "java/lang/VerifyError",
                                         "java/lang/ClassFormatError", NULL };
    bool result = false;

    for (int i = 0; names[i] != NULL && !result; i++) {
        jclass class = (*jni)->FindClass(jni, names[i]);

        result = class != NULL && (*jni)->IsInstanceOf(jni, exception, class);
        (*jni)->ExceptionClear(jni);
        (*jni)->DeleteLocalRef(jni, class);
    }
    return result;
}

/* The message has many lines, of which those before the bytes and tables are told. */
static void
tell_refused(const char *error, char *message)
{
    const struct changed *c = find_refused(message);
    char *end = strstr(message, "Current Frame:");

    if (c == NULL)
        return;
    if (end != NULL)
        *end = '\0';
    for (char *p = message; *p != '\0'; p++)
        if (*p == '\n')
            *p = ' ';
    check_found_at(RULE_CLASSES_TRANSFORMED_REFUSED, "ClassFileLoadHook", NULL, 1,
                   "the VM refuses class %s, whose bytes %s has changed: %s: %s", c->name,
                   c->agent->name, error, message);
}

static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    static __thread bool is_inside;
    char *message, *signature = NULL;
    jclass class;

    (void)thread, (void)method, (void)location, (void)catch_method, (void)catch_location;
    if (is_inside)
        return;
    is_inside = true;
    class = (*jni)->GetObjectClass(jni, exception);
    if (is_refusal(jni, exception)
        && (message = message_of(jni, exception, class)) != NULL) {
        (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
        tell_refused(signature != NULL ? signature : "LinkageError", message);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
        free(message);
    }
    (*jni)->DeleteLocalRef(jni, class);
    is_inside = false;
}

/* ---- the layer's own events ---- */

void
class_callbacks(jvmtiEventCallbacks *callbacks)
{
    callbacks->ClassLoad = on_class_load;
    callbacks->Exception = on_exception;
}

static void
enable(jvmtiEvent event)
{
    (*check_jvmti)->SetEventNotificationMode(check_jvmti, JVMTI_ENABLE, event, NULL);
}

/* The agent wants to see class files.  The capability can be had in Agent_OnLoad only;
   an agent that is attached changes classes unobserved. */
static void
watch_classes(void)
{
    jvmtiCapabilities wanted = { .can_generate_exception_events = 1 };

    (*check_jvmti)->AddCapabilities(check_jvmti, &wanted);
}

/* ---- the hook's bytes ---- */

/* The agent sees a copy, and what it writes there comes to nothing. */
void
class_bytes_shown(struct interpose_event *event)
{
    jint length;
    void *copy;

    event->original = NULL;
    if (event->facts->number != JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
        return;
    length = event->args[4].i;
    if (length <= 0 || event->args[5].p == NULL
        || (copy = guard_new((size_t)length)) == NULL)
        return;
    memcpy(copy, event->args[5].p, (size_t)length);
    event->original = event->args[5].p;
    event->args[5].p = copy;
}

void
class_bytes_seen(const struct interpose_event *event)
{
    const char *name = event->args[2].p;
    size_t length = (size_t)event->args[4].i;

    if (event->original != NULL
        && (memcmp(event->args[5].p, event->original, length) != 0
            || guard_check(event->args[5].p, length) != GUARD_WHOLE))
        check_found_at(RULE_CLASSES_BYTES_WRITTEN, "ClassFileLoadHook", NULL, 1,
                       "the callback of ClassFileLoadHook wrote to the bytes of class %s "
                       "that it was given", name != NULL ? name : "?");
}

void
class_bytes_ended(const struct interpose_event *event)
{
    if (event->original != NULL)
        memory_retire(event->args[5].p, (size_t)event->args[4].i, event->facts->name);
}

/* How many of so many bytes there are, as far as it is known where the memory ends. */
static jint
there_is(const unsigned char *bytes, jint length)
{
    size_t size = bytes != NULL ? block_size(bytes) : 0;

    if (bytes != NULL && size == 0)
        size = got_size(bytes);
    return size > 0 && length > 0 && (size_t)length > size ? (jint)size : length;
}

void
class_bytes_given(struct interpose_event *event)
{
    const unsigned char *bytes = *(unsigned char **)event->args[7].p;
    jint length = there_is(bytes, *(jint *)event->args[6].p);
    const char *name = event->args[2].p, *error;
    const struct check_agent *agent = event->env->vm->state;
    struct tf_class *c;

    /* Of memory that is too short, or gone, memory_class_bytes tells. */
    if (bytes == NULL || length < *(jint *)event->args[6].p || memory_is_gone(bytes))
        return;
    c = tf_class_parse(bytes, length > 0 ? (size_t)length : 0);
    error = c != NULL ? tf_class_error(c) : NULL;
    if (error == NULL && c != NULL && name != NULL
        && strcmp(name, tf_class_name(c)) != 0)
        check_found_at(RULE_CLASSES_BYTES_MALFORMED, "ClassFileLoadHook", NULL, 1,
                       "the bytes that %s gives for class %s are of class %s",
                       agent->name, name, tf_class_name(c));
    else if (error != NULL)
        check_found_at(RULE_CLASSES_BYTES_MALFORMED, "ClassFileLoadHook", NULL, 1,
                       "the bytes that %s gives for class %s are wrong: %s",
                       agent->name, name != NULL ? name : "?", error);
    tf_class_free(c);
    if (name == NULL || error != NULL
        || (length == event->args[4].i
            && memcmp(bytes, event->original != NULL ? event->original : event->args[5].p,
                      (size_t)length) == 0))
        return;
    note_changed(name, agent);
    keep_bytes(name, bytes, length);
    enable(JVMTI_EVENT_EXCEPTION);
}

struct class_given
class_given_for(jclass class)
{
    struct class_given found = { NULL, NULL, 0 };
    char *signature = NULL;

    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; signature != NULL && i < KEPT; i++) {
        const struct class_given *g = &given[(next_given + i) % KEPT];

        if (g->name != NULL && g->bytes != NULL
            && strlen(signature) == strlen(g->name) + 2
            && strncmp(signature + 1, g->name, strlen(g->name)) == 0)
            found = *g;
    }
    pthread_mutex_unlock(&lock);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    return found;
}

void
class_end(const struct interpose_call *call)
{
    if (call->function == INTERPOSE_SetEventNotificationMode
        && call->error == JVMTI_ERROR_NONE && call->args[0].i == JVMTI_ENABLE
        && call->args[1].i == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
        watch_classes();
}
