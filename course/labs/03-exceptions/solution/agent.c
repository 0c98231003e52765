/* SPDX-License-Identifier: MIT */
/* Lab 3: logs exceptions. */
#include "lab.h"

static char *package;       /* "p/"; NULL for all */
static int depth = 1 << 20;

/* The text of a log entry, as far as it is written. */
struct text {
    char *chars;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static void
add(struct text *text, const char *format, ...)
{
    char line[2000];
    va_list args;
    int more;

    va_start(args, format);
    more = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (more < 0)
        return;
    if ((size_t)more >= sizeof line)
        more = sizeof line - 1;
    if (text->length + (size_t)more > text->room) {
        size_t room = 2 * text->room + sizeof line;
        char *chars = realloc(text->chars, room);

        if (chars == NULL)
            return;
        text->chars = chars;
        text->room = room;
    }
    memcpy(text->chars + text->length, line, (size_t)more);
    text->length += (size_t)more;
}

/* The line of a location, or -1. */
static jint
line_of(jvmtiEnv *jvmti, jmethodID method, jlocation location)
{
    jvmtiLineNumberEntry *table = NULL;
    jlocation best = -1;
    jint count = 0, line = -1;

    if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &table) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        if (table[i].start_location <= location && table[i].start_location > best) {
            best = table[i].start_location;
            line = table[i].line_number;
        }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return line;
}

/* Turns "Lp/C;" into "p.C", in place; the result begins behind the L. */
static char *
class_name(char *signature)
{
    for (char *c = signature; *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
        else if (*c == ';')
            *c = '\0';
    return signature + 1;
}

static void
add_place(struct text *text, jvmtiEnv *jvmti, JNIEnv *jni, const char *what,
          jmethodID method, jlocation location)
{
    char *signature = NULL, *name = NULL;
    jclass klass = NULL;

    if (CALL(GetMethodDeclaringClass, jvmti, method, &klass)
        && CALL(GetClassSignature, jvmti, klass, &signature, NULL)
        && CALL(GetMethodName, jvmti, method, &name, NULL, NULL))
        add(text, "%s%s.%s:%d\n", what, class_name(signature), name,
            (int)line_of(jvmti, method, location));
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, klass);
}

static void
add_frames(struct text *text, jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiFrameInfo *frames;
    jint count = 0;

    if (!CALL(GetFrameCount, jvmti, thread, &count))
        return;
    if (count > depth)
        count = depth;
    frames = malloc(((size_t)count + 1) * sizeof *frames);
    if (frames != NULL && count > 0
        && CALL(GetStackTrace, jvmti, thread, 0, count, frames, &count))
        for (jint i = 0; i < count; i++)
            add_place(text, jvmti, jni, "  frame ", frames[i].method,
                      frames[i].location);
    free(frames);
}

/* Is "Lp/C;" a class of the package? */
static bool
is_wanted(const char *signature)
{
    size_t length = package != NULL ? strlen(package) : 0;

    return package == NULL
        || (strncmp(signature + 1, package, length) == 0
            && strchr(signature + 1 + length, '/') == NULL);
}

static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    struct text text = { 0 };
    char *signature = NULL, start[600];

    if (!CALL(GetClassSignature, jvmti, (*jni)->GetObjectClass(jni, exception),
              &signature, NULL))
        return;
    if (is_wanted(signature)) {
        snprintf(start, sizeof start, "throw %s at ", class_name(signature));
        add_place(&text, jvmti, jni, start, method, location);
        if (catch_method == NULL)
            add(&text, "  caught nobody\n");
        else
            add_place(&text, jvmti, jni, "  caught ", catch_method, catch_location);
        add_frames(&text, jvmti, jni, thread);
        if (write(1, text.chars, text.length) < 0)
            perror("write");
    }
    free(text.chars);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, NULL);
}

/* The texts of the options stay in a copy that lives as long as the VM. */
static void
read_options(const char *options)
{
    char *rest = NULL, *copy = strdup(options != NULL ? options : "");

    for (char *option = copy == NULL ? NULL : strtok_r(copy, ",", &rest);
         option != NULL; option = strtok_r(NULL, ",", &rest)) {
        if (strncmp(option, "depth=", 6) == 0)
            depth = atoi(option + 6);
        else if (strncmp(option, "package=", 8) == 0) {
            package = malloc(strlen(option));
            if (package == NULL)
                continue;
            sprintf(package, "%s/", option + 8);
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
    capabilities.can_generate_exception_events = 1;
    capabilities.can_get_line_numbers = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.Exception = on_exception;
    if (!CALL(AddCapabilities, jvmti, &capabilities)
        || !CALL(SetEventCallbacks, jvmti, &callbacks, sizeof callbacks)
        || !CALL(SetEventNotificationMode, jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                 NULL))
        return JNI_ERR;
    return JNI_OK;
}
