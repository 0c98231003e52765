/* SPDX-License-Identifier: MIT */
/*
 * layer/table.c -- rules about tables and texts that the agent hands over (JVM TI "Set
 * Event Callbacks"; JNI "Modified UTF-8 Strings", "FindClass").
 */
#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "layer/check.h"

/* Is there code that no file has?  Compilers and libraries for closures make such. */
static bool
is_made_code(const void *address)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], mode[8];
    unsigned long start, end;
    bool found = false;

    while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL)
        found = sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 && mode[2] == 'x'
            && (uintptr_t)address >= start && (uintptr_t)address < end;
    if (maps != NULL)
        fclose(maps);
    return found;
}

/* Up to the last callback of level 1.0: what is less was not meant. */
#define LEAST_CALLBACKS \
    (offsetof(jvmtiEventCallbacks, VMObjectAlloc) + sizeof(jvmtiEventVMObjectAlloc))

static void
check_callbacks(const struct interpose_call *call)
{
    const jvmtiEventCallbacks *callbacks = call->args[0].p;
    jint size = call->args[1].i;

    if (callbacks == NULL)
        return;
    if (size <= 0 || (size_t)size < LEAST_CALLBACKS || (size_t)size > sizeof *callbacks
        || size % sizeof(void *) != 0) {
        check_found(RULE_TABLE_CALLBACKS_SIZE, "SetEventCallbacks",
                    "SetEventCallbacks is given a structure of %d bytes; "
                    "jvmtiEventCallbacks has %zu%s", (int)size, sizeof *callbacks,
                    size == sizeof callbacks ? ", a pointer to it has so few" : "");
        if (size <= 0)
            return;
    }
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++) {
        const struct interpose_event_facts *event = &interpose_events[i];
        void *callback;
        Dl_info info;

        if (event->name == NULL || event->offset + sizeof callback > (size_t)size)
            continue;
        memcpy(&callback, (const char *)callbacks + event->offset, sizeof callback);
        if (callback != NULL && dladdr(callback, &info) == 0 && !is_made_code(callback))
            check_found(RULE_TABLE_CALLBACK_NOWHERE, "SetEventCallbacks",
                        "the callback of %s, %p, points to no code: was the "
                        "structure zeroed?", event->name, callback);
    }
}

/* Does malloc() say that the block has as much?  Another library may have freed what the
   agent got there, and the agent got the place from it anew. */
static bool
has_usable(const void *buffer, size_t size)
{
    return got_size(buffer) != 0 && malloc_usable_size((void *)buffer) >= size;
}

/* A buffer that is shorter than the call says, on the heap or so that it would reach over
   the end of its function's frame: the VM gets no more than there is. */
static void
check_frames(struct interpose_call *call)
{
    const void *buffer = call->args[3].p;
    size_t size = buffer != NULL ? got_size(buffer) : 0;

    if (buffer != NULL && size == 0)
        size = block_size(buffer);
    if (buffer != NULL && size == 0 && call->args[2].i > 0)
        size = stack_room(buffer, (size_t)call->args[2].i * sizeof(jvmtiFrameInfo));
    if (size == 0 || call->args[2].i <= 0
        || (size_t)call->args[2].i * sizeof(jvmtiFrameInfo) <= size
        || has_usable(buffer, (size_t)call->args[2].i * sizeof(jvmtiFrameInfo)))
        return;
    check_found(RULE_TABLE_BUFFER_SHORT, "GetStackTrace",
                "GetStackTrace is given a buffer for %d frames that has at most %zu bytes: "
                "it needs %zu", (int)call->args[2].i, size,
                (size_t)call->args[2].i * sizeof(jvmtiFrameInfo));
    call->args[2].i = (jint)(size / sizeof(jvmtiFrameInfo));
}

/* Bits that are no capability, some way behind the last one: later levels may have more. */
static void
check_capabilities(const struct interpose_call *call)
{
    const jvmtiCapabilities *given = call->args[0].p;
    uint64_t bits[sizeof *given / sizeof(uint64_t)];

    if (given == NULL)
        return;
    memcpy(bits, given, sizeof bits);
    if (bits[0] >> (interpose_capability_count + 4) != 0 || bits[1] != 0)
        check_found(RULE_TABLE_CAPABILITIES_GARBAGE, "AddCapabilities",
                    "AddCapabilities gets bits that are no capability: was the structure "
                    "zeroed?");
}

/* A table of JNI without one of its functions: what calls that crashes. */
static bool
check_jni_table(struct interpose_call *call)
{
    /* The first places are reserved, and a later level may have more. */
    void *const *functions = call->args[0].p;

    for (int i = INTERPOSE_JNI_GetVersion; functions != NULL && i <= INTERPOSE_JNI_GetModule;
         i++)
        if (functions[i] == NULL && interpose_jni_functions[i].name != NULL) {
            check_found(RULE_TABLE_JNI_EMPTY, "SetJNIFunctionTable",
                        "SetJNIFunctionTable gets a table without JNI's %s",
                        interpose_jni_functions[i].name);
            call->error = JVMTI_ERROR_ILLEGAL_ARGUMENT;
            return false;
        }
    return true;
}

static void
check_heap_filter(const struct interpose_call *call)
{
    const char *name = interpose_functions[call->function].name;
    jint bits = JVMTI_HEAP_FILTER_TAGGED | JVMTI_HEAP_FILTER_UNTAGGED
        | JVMTI_HEAP_FILTER_CLASS_TAGGED | JVMTI_HEAP_FILTER_CLASS_UNTAGGED;

    if (call->args[0].i & ~bits)
        check_found(RULE_TABLE_HEAP_FILTER, name,
                    "%s gets the heap filter 0x%x, of which 0x%x is no JVMTI_HEAP_FILTER_...",
                    name, (unsigned)call->args[0].i, (unsigned)(call->args[0].i & ~bits));
}

bool
table_begin(struct interpose_call *call)
{
    if (call->function == INTERPOSE_FollowReferences
        || call->function == INTERPOSE_IterateThroughHeap)
        check_heap_filter(call);
    if (call->function == INTERPOSE_AddCapabilities)
        check_capabilities(call);
    if (call->function == INTERPOSE_GetStackTrace)
        check_frames(call);
    if (call->function == INTERPOSE_SetEventCallbacks)
        check_callbacks(call);
    return call->function != INTERPOSE_SetJNIFunctionTable || check_jni_table(call);
}

/* ---- JNI ---- */

/* Where the text is not modified UTF-8 (JVMS 4.4.7); -1 if all of it is. */
static long
find_bad_byte(const unsigned char *text)
{
    long i = 0;

    while (text[i] != 0) {
        int more = text[i] < 0x80             ? 0
            : (text[i] & 0xe0) == 0xc0        ? 1
            : (text[i] & 0xf0) == 0xe0        ? 2
                                              : -1;

        if (more < 0)
            return i;
        for (int k = 1; k <= more; k++)
            if ((text[i + k] & 0xc0) != 0x80)
                return i;
        i += 1 + more;
    }
    return -1;
}

static void
check_class_name(const char *name)
{
    size_t length = strlen(name);

    if (name[0] == '[')
        return;
    if (strchr(name, '.') != NULL)
        check_found(RULE_TABLE_CLASS_NAME, "FindClass",
                    "FindClass is given '%s': packages are separated by '/'", name);
    else if (length > 1 && name[0] == 'L' && name[length - 1] == ';')
        check_found(RULE_TABLE_CLASS_NAME, "FindClass",
                    "FindClass is given the signature '%s': it takes the name without L "
                    "and ;", name);
}

/* The end of the type at the beginning of a descriptor; NULL if there is none. */
static const char *
skip_type(const char *text)
{
    const char *end;

    text += strspn(text, "[");
    if (*text == '\0')
        return NULL;
    if (*text != 'L')
        return strchr("ZBCSIJFD", *text) != NULL ? text + 1 : NULL;
    end = text + strcspn(text, ";.()[");
    return *end == ';' && end > text + 1 ? end + 1 : NULL;
}

/* JVMS 4.3.2, 4.3.3 */
static bool
is_descriptor(const char *text, bool is_of_method)
{
    if (is_of_method) {
        if (*text++ != '(')
            return false;
        while (text != NULL && *text != ')')
            text = skip_type(text);
        if (text == NULL)
            return false;
        text++;
        if (strcmp(text, "V") == 0)
            return true;
    }
    text = skip_type(text);
    return text != NULL && *text == '\0';
}

static void
check_descriptor(const char *function, const char *name, const char *text,
                 bool is_of_method)
{
    if (text != NULL && !is_descriptor(text, is_of_method))
        check_found(RULE_TABLE_DESCRIPTOR, function,
                    "JNI's %s gets for '%s' what is no descriptor of a %s: '%s'", function,
                    name != NULL ? name : "", is_of_method ? "method" : "field", text);
}

static void
check_descriptors(const struct interpose_jni_call *call)
{
    const char *function = interpose_jni_functions[call->function].name;
    const union interpose_arg *args = call->args;
    const JNINativeMethod *natives;

    switch (call->function) {
    case INTERPOSE_JNI_GetMethodID:
    case INTERPOSE_JNI_GetStaticMethodID:
        check_descriptor(function, args[1].p, args[2].p, true);
        break;
    case INTERPOSE_JNI_GetFieldID:
    case INTERPOSE_JNI_GetStaticFieldID:
        check_descriptor(function, args[1].p, args[2].p, false);
        break;
    case INTERPOSE_JNI_RegisterNatives:
        natives = args[1].p;
        for (jint i = 0; natives != NULL && i < args[2].i; i++)
            check_descriptor(function, natives[i].name, natives[i].signature, true);
        break;
    default:
        break;
    }
}

void
table_jni_begin(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];

    check_descriptors(call);
    switch (call->function) {
    case INTERPOSE_JNI_FindClass:
    case INTERPOSE_JNI_NewStringUTF:
    case INTERPOSE_JNI_GetMethodID:
    case INTERPOSE_JNI_GetStaticMethodID:
    case INTERPOSE_JNI_GetFieldID:
    case INTERPOSE_JNI_GetStaticFieldID:
    case INTERPOSE_JNI_ThrowNew:
        break;
    default:
        return;
    }
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->params[i].type, "const char *") == 0 && call->args[i].p != NULL) {
            long bad = find_bad_byte(call->args[i].p);

            if (bad >= 0)
                check_found(RULE_TABLE_NOT_UTF8, f->name,
                            "JNI's %s gets in '%s' what is not modified UTF-8, from byte "
                            "%ld on", f->name, f->params[i].name, bad);
        }
    if (call->function == INTERPOSE_JNI_FindClass && call->args[0].p != NULL)
        check_class_name(call->args[0].p);
}
