/* SPDX-License-Identifier: MIT */
/*
 * layer/table.c -- rules about tables and texts that the agent hands over (JVM TI "Set
 * Event Callbacks"; JNI "Modified UTF-8 Strings", "FindClass").
 */
#include <dlfcn.h>
#include <string.h>

#include "layer/check.h"

static void
check_callbacks(const struct interpose_call *call)
{
    const jvmtiEventCallbacks *callbacks = call->args[0].p;
    jint size = call->args[1].i;

    if (callbacks == NULL)
        return;
    if (size <= 0 || (size_t)size > sizeof *callbacks || size % sizeof(void *) != 0) {
        check_found(RULE_TABLE_CALLBACKS_SIZE, "SetEventCallbacks",
                    "SetEventCallbacks is given a structure of %d bytes; "
                    "jvmtiEventCallbacks has %zu", (int)size, sizeof *callbacks);
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
        if (callback != NULL && dladdr(callback, &info) == 0)
            check_found(RULE_TABLE_CALLBACK_NOWHERE, "SetEventCallbacks",
                        "the callback of %s, %p, points into no library: was the "
                        "structure zeroed?", event->name, callback);
    }
}

/* A buffer on the heap that is shorter than the call says: the VM gets no more than there
   is. */
static void
check_frames(struct interpose_call *call)
{
    const void *buffer = call->args[3].p;
    size_t size = buffer != NULL ? got_size(buffer) : 0;

    if (buffer != NULL && size == 0)
        size = memory_size(buffer);
    if (size == 0 || call->args[2].i <= 0
        || (size_t)call->args[2].i * sizeof(jvmtiFrameInfo) <= size)
        return;
    check_found(RULE_TABLE_BUFFER_SHORT, "GetStackTrace",
                "GetStackTrace is given a buffer for %d frames that has %zu bytes: it "
                "needs %zu", (int)call->args[2].i, size,
                (size_t)call->args[2].i * sizeof(jvmtiFrameInfo));
    call->args[2].i = (jint)(size / sizeof(jvmtiFrameInfo));
}

bool
table_begin(struct interpose_call *call)
{
    if (call->function == INTERPOSE_GetStackTrace)
        check_frames(call);
    if (call->function == INTERPOSE_SetEventCallbacks)
        check_callbacks(call);
    return true;
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

void
table_jni_begin(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];

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
