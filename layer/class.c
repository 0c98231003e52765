/* SPDX-License-Identifier: MIT */
/*
 * layer/class.c -- rules about class files (JVM TI "Class File Load Hook", "Redefine
 * Classes").
 *
 * The bytes that an agent gives for a class are taken apart at once; what is no class
 * file is told before the VM says NoClassDefFoundError somewhere else.  What the verifier
 * refuses comes as an error that is thrown: the layer's own environment sees exceptions
 * from the first class on that was changed, and tells of a VerifyError or ClassFormatError
 * that is about such a class.
 *
 * When a redefinition is refused, the new class file is compared with what the VM tells
 * of the class that is there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/buffer.h>
#include <tiforge/classfile.h>

#include <tiforge_names.h>

#include "layer/check.h"
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
static struct given {
    char *name;
    unsigned char *bytes;
    jint length;
} given[KEPT];
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
    struct given g = { strdup(name), malloc(length > 0 ? (size_t)length : 1), length }, old;

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
    jint length = event->args[4].i;
    void *copy;

    event->original = NULL;
    if (event->facts->number != JVMTI_EVENT_CLASS_FILE_LOAD_HOOK || length <= 0
        || event->args[5].p == NULL || (copy = guard_new((size_t)length)) == NULL)
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
    size_t size = bytes != NULL ? memory_size(bytes) : 0;

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

/* ---- redefinition ---- */

static void
add_text(struct tf_buffer *out, const char *format, const char *one, const char *two)
{
    tf_buffer_text(out, out->length > 0 ? "; " : "");
    tf_buffer_format(out, format, one, two);
}

#define OF_METHODS true
#define OF_FIELDS false

/* One member of the class that is there: is it in the new class file? */
static void
compare_member(struct tf_buffer *out, struct tf_class *c, bool methods, const char *name,
               const char *type, jint modifiers)
{
    const struct tf_member *m = methods ? tf_class_find_method(c, name, type)
                                        : tf_class_find_field(c, name, type);

    if (m == NULL)
        add_text(out, methods ? "method %s%s is gone" : "field %s %s is gone", name, type);
    else if ((m->access & 0xfff) != ((unsigned)modifiers & 0xfff))
        add_text(out, methods ? "method %s%s has other modifiers"
                              : "field %s %s has other modifiers", name, type);
}

/* Names and types of members as a set of lines, for what is new. */
static bool
has_line(const char *lines, const char *name, const char *type)
{
    char line[1024];

    snprintf(line, sizeof line, "\n%s %s\n", name, type);
    return lines != NULL && strstr(lines, line) != NULL;
}

static void
tell_new(struct tf_buffer *out, const struct tf_member *m, bool methods,
         const char *lines)
{
    for (; m != NULL; m = m->next)
        if (!has_line(lines, m->name, m->descriptor))
            add_text(out, methods ? "method %s%s is new" : "field %s %s is new", m->name,
                     m->descriptor);
}

static void
compare_methods(struct tf_buffer *out, struct tf_class *c, jclass class)
{
    struct tf_buffer lines = { 0 };
    jmethodID *methods = NULL;
    jint count = 0;

    tf_buffer_text(&lines, "\n");
    if ((*check_jvmti)->GetClassMethods(check_jvmti, class, &count, &methods)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *type = NULL;
        jint modifiers = 0;

        (*check_jvmti)->GetMethodModifiers(check_jvmti, methods[i], &modifiers);
        if ((*check_jvmti)->GetMethodName(check_jvmti, methods[i], &name, &type, NULL)
            == JVMTI_ERROR_NONE) {
            compare_member(out, c, OF_METHODS, name, type, modifiers);
            tf_buffer_format(&lines, "%s %s\n\n", name, type);
        }
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)name);
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)type);
    }
    tell_new(out, tf_class_methods(c), OF_METHODS, tf_buffer_string(&lines));
    tf_buffer_release(&lines);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)methods);
}

static void
compare_fields(struct tf_buffer *out, struct tf_class *c, jclass class)
{
    struct tf_buffer lines = { 0 };
    jfieldID *fields = NULL;
    jint count = 0;

    tf_buffer_text(&lines, "\n");
    if ((*check_jvmti)->GetClassFields(check_jvmti, class, &count, &fields)
        != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *type = NULL;
        jint modifiers = 0;

        (*check_jvmti)->GetFieldModifiers(check_jvmti, class, fields[i], &modifiers);
        if ((*check_jvmti)->GetFieldName(check_jvmti, class, fields[i], &name, &type, NULL)
            == JVMTI_ERROR_NONE) {
            compare_member(out, c, OF_FIELDS, name, type, modifiers);
            tf_buffer_format(&lines, "%s %s\n\n", name, type);
        }
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)name);
        (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)type);
    }
    tell_new(out, tf_class_fields(c), OF_FIELDS, tf_buffer_string(&lines));
    tf_buffer_release(&lines);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)fields);
}

/* "Lp/C;" and "p/C"; NULL and NULL for the superclass of Object. */
static bool
is_named(jclass class, const char *name)
{
    char *signature = NULL;
    bool same;

    if (class == NULL || name == NULL)
        return class == NULL && name == NULL;
    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    same = signature != NULL && strlen(signature) == strlen(name) + 2
        && strncmp(signature + 1, name, strlen(name)) == 0;
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    return same;
}

static void
compare_hierarchy(struct tf_buffer *out, struct tf_class *c, JNIEnv *jni, jclass class)
{
    jclass super = (*jni)->GetSuperclass(jni, class), *interfaces = NULL;
    jint count = 0, i = 0;
    bool same = true;

    if (!(tf_class_access(c) & TF_ACC_INTERFACE) && !is_named(super, tf_class_super(c)))
        add_text(out, "the superclass is %s%s", tf_class_super(c), "");
    (*jni)->DeleteLocalRef(jni, super);
    (*check_jvmti)->GetImplementedInterfaces(check_jvmti, class, &count, &interfaces);
    for (; i < count; i++) {
        const char *name = tf_class_interface(c, (unsigned)i);

        same = same && name != NULL && is_named(interfaces[i], name);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    if (!same || tf_class_interface(c, (unsigned)i) != NULL)
        add_text(out, "the interfaces are others%s%s", "", "");
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)interfaces);
}

static void
compare(struct tf_buffer *out, JNIEnv *jni, jclass class, const unsigned char *bytes,
        jint length)
{
    struct tf_class *c = tf_class_parse(bytes, length > 0 ? (size_t)length : 0);

    if (c == NULL)
        return;
    if (tf_class_error(c) != NULL)
        add_text(out, "its bytes are wrong: %s%s", tf_class_error(c), "");
    else {
        if (!is_named(class, tf_class_name(c)))
            add_text(out, "it is class %s%s", tf_class_name(c), "");
        compare_hierarchy(out, c, jni, class);
        compare_methods(out, c, class);
        compare_fields(out, c, class);
    }
    tf_class_free(c);
}

static bool
is_modifiable(jclass class)
{
    jboolean modifiable = JNI_FALSE;

    return (*check_jvmti)->IsModifiableClass(check_jvmti, class, &modifiable)
            == JVMTI_ERROR_NONE && modifiable;
}

static void
tell_class(const struct interpose_call *call, JNIEnv *jni, jclass class,
           const unsigned char *bytes, jint length)
{
    const char *error = tiforge_error_name(call->error);
    const char *function = interpose_functions[call->function].name;
    struct tf_buffer text = { 0 };
    char *signature = NULL;

    if (call->error == JVMTI_ERROR_UNMODIFIABLE_CLASS && is_modifiable(class))
        return;
    if (bytes != NULL && call->error != JVMTI_ERROR_UNMODIFIABLE_CLASS)
        compare(&text, jni, class, bytes, length);
    /* Of several, those that are the same are not why. */
    if (call->args[0].i > 1 && text.length == 0
        && call->error != JVMTI_ERROR_UNMODIFIABLE_CLASS) {
        tf_buffer_release(&text);
        return;
    }
    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    check_found(call->error == JVMTI_ERROR_UNMODIFIABLE_CLASS
                    ? RULE_CLASSES_UNMODIFIABLE : RULE_CLASSES_REDEFINITION_REFUSED,
                function, "%s of class %s is refused, %s%s%s",
                function, signature != NULL ? signature : "?",
                error != NULL ? error + strlen("JVMTI_ERROR_") : "?",
                text.length > 0 ? ": " : "", tf_buffer_string(&text));
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    tf_buffer_release(&text);
}

/* The class of a retransformation: what a hook gave for it last.  A copy of the row; its
   memory is kept for as long as few others follow. */
static struct given
find_given(jclass class)
{
    struct given found = { NULL, NULL, 0 };
    char *signature = NULL;

    (*check_jvmti)->GetClassSignature(check_jvmti, class, &signature, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; signature != NULL && i < KEPT; i++) {
        const struct given *g = &given[(next_given + i) % KEPT];

        if (g->name != NULL && g->bytes != NULL
            && strlen(signature) == strlen(g->name) + 2
            && strncmp(signature + 1, g->name, strlen(g->name)) == 0)
            found = *g;
    }
    pthread_mutex_unlock(&lock);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)signature);
    return found;
}

/* Refused for what is in the class file, and not for the call's other arguments? */
static bool
is_refused(jvmtiError error)
{
    return (error >= JVMTI_ERROR_INVALID_CLASS_FORMAT && error <= JVMTI_ERROR_NAMES_DONT_MATCH)
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED
        || error == JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED
        || error == JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

void
class_end(const struct interpose_call *call)
{
    void *env = NULL;

    if (call->function == INTERPOSE_SetEventNotificationMode) {
        if (call->error == JVMTI_ERROR_NONE && call->args[0].i == JVMTI_ENABLE
            && call->args[1].i == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
            watch_classes();
        return;
    }
    if ((call->function != INTERPOSE_RedefineClasses
         && call->function != INTERPOSE_RetransformClasses)
        || !is_refused(call->error) || call->args[1].p == NULL
        || (*check_real_vm)->GetEnv(check_real_vm, &env, JNI_VERSION_1_2) != JNI_OK)
        return;
    for (jint i = 0; i < call->args[0].i; i++) {
        const jvmtiClassDefinition *definitions = call->args[1].p;
        const jclass *classes = call->args[1].p;

        if (call->function == INTERPOSE_RedefineClasses)
            tell_class(call, env, definitions[i].klass, definitions[i].class_bytes,
                       definitions[i].class_byte_count);
        else {
            struct given g = find_given(classes[i]);

            tell_class(call, env, classes[i], g.bytes, g.length);
        }
    }
}
