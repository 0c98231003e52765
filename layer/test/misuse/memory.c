/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/memory.c -- memory of JVM TI, wrongly and rightly. */
#include "layer/test/misuse/misuse.h"

#include <stdlib.h>
#include <string.h>

static void
deallocate(struct misuse *m, void *memory)
{
    misuse_must((*m->jvmti)->Deallocate(m->jvmti, memory), "Deallocate");
}

static unsigned char *
allocate(struct misuse *m, jlong size)
{
    unsigned char *memory;

    misuse_must((*m->jvmti)->Allocate(m->jvmti, size, &memory), "Allocate");
    return memory;
}

/* Has memory in a variable of its own, up to the end of the VM. */
static void JNICALL
keep_to_the_end(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
    static int none;
    unsigned char *volatile memory;

    (void)jni;
    misuse_must((*jvmti)->Allocate(jvmti, 24, (unsigned char **)&memory), "Allocate");
    misuse_signal(arg, 1);
    misuse_await(&none, 1);
    *memory = 0;
}

static void
leak(struct misuse *m)
{
    static int has_begun;
    jthread *threads;
    jint count;

    misuse_thread(m, keep_to_the_end, &has_begun);
    misuse_await(&has_begun, 1);

    misuse_must((*m->jvmti)->GetAllThreads(m->jvmti, &count, &threads), "GetAllThreads");
    if (m->right)
        deallocate(m, threads);
}

/* A function of the agent's own that only calls on, as many agents have one. */
static __attribute__((noinline)) unsigned char *
wrapped(struct misuse *m)
{
    return allocate(m, 16);
}

#define MANY 120
#define NAMES 80

static __attribute__((noinline)) void
lose_numbers(struct misuse *m)
{
    for (int i = 0; i < MANY; i++) {
        unsigned char *numbers = wrapped(m);

        memset(numbers, i, 16);
        if (m->right)
            deallocate(m, numbers);
    }
}

/* Each name goes with the record that alone had its address. */
static __attribute__((noinline)) void
lose_names(struct misuse *m)
{
    struct record {
        struct record *next;
        unsigned char *name;
    } *records = NULL, *next;

    for (int i = 0; i < NAMES; i++) {
        next = malloc(sizeof *next);
        *next = (struct record){ records, wrapped(m) };
        records = next;
    }
    for (; records != NULL; records = next) {
        next = records->next;
        if (m->right)
            deallocate(m, records->name);
        free(records);
    }
}

static void
leak_many(struct misuse *m)
{
    lose_numbers(m);
    lose_names(m);
}

static void
leak_at_dispose(struct misuse *m)
{
    char *value = NULL;

    misuse_must((*m->jvmti)->GetSystemProperty(m->jvmti, "java.vm.name", &value),
                "GetSystemProperty");
    if (m->right)
        deallocate(m, value);
    misuse_must((*m->jvmti)->DisposeEnvironment(m->jvmti), "DisposeEnvironment");
}

static void
deallocate_foreign(struct misuse *m)
{
    char *copy = strdup("text");

    if (m->right)
        free(copy);
    else
        deallocate(m, copy);
}

static void
deallocate_twice(struct misuse *m)
{
    unsigned char *memory = allocate(m, 40);

    deallocate(m, memory);
    if (!m->right)
        deallocate(m, memory);
}

static void
deallocate_interior(struct misuse *m)
{
    char *signature = NULL, *name;
    jclass class = (*m->jni)->FindClass(m->jni, "java/lang/String");

    misuse_must((*m->jvmti)->GetClassSignature(m->jvmti, class, &signature, NULL),
                "GetClassSignature");
    name = signature + 1;
    deallocate(m, m->right ? signature : name);
}

static void
free_it(struct misuse *m)
{
    jvmtiThreadInfo info;

    misuse_must((*m->jvmti)->GetThreadInfo(m->jvmti, m->thread, &info), "GetThreadInfo");
    if (m->right)
        deallocate(m, info.name);
    else
        free(info.name);
}

/* As in C++: std::unique_ptr<char> does the same.  An agent may bring the operators along,
   as one does that is linked with a static libstdc++. */
JNIEXPORT void delete_object(void *pointer) __asm__("_ZdlPv");
JNIEXPORT void delete_array(void *pointer, size_t size) __asm__("_ZdaPvm");

JNIEXPORT void
delete_object(void *pointer)
{
    free(pointer);
}

JNIEXPORT void
delete_array(void *pointer, size_t size)
{
    (void)size;
    free(pointer);
}

static void
delete_it(struct misuse *m)
{
    jvmtiThreadInfo info;

    misuse_must((*m->jvmti)->GetThreadInfo(m->jvmti, m->thread, &info), "GetThreadInfo");
    delete_object(malloc(8));
    if (m->right)
        deallocate(m, info.name);
    else
        delete_object(info.name);
}

static void
delete_elements(struct misuse *m)
{
    jthread *threads;
    jint count;

    misuse_must((*m->jvmti)->GetAllThreads(m->jvmti, &count, &threads), "GetAllThreads");
    delete_array(malloc(8), 8);
    if (m->right)
        deallocate(m, threads);
    else
        delete_array(threads, (size_t)count * sizeof *threads);
}

static void
reallocate(struct misuse *m)
{
    char *longer = NULL, *name;

    misuse_must((*m->jvmti)->GetSystemProperty(m->jvmti, "java.vm.name", &name),
                "GetSystemProperty");
    if (m->right) {
        longer = strdup(name);
        deallocate(m, name);
        name = longer;
    }
    longer = realloc(name, 4096);
    misuse_must(longer != NULL && longer[0] != '\0' ? JVMTI_ERROR_NONE
                                                    : JVMTI_ERROR_INTERNAL, "the text");
    free(longer);
}

static void
overrun(struct misuse *m)
{
    const char *text = "four";
    unsigned char *memory = allocate(m, (jlong)strlen(text) + m->right);

    memcpy(memory, text, strlen(text) + 1);
    deallocate(m, memory);
}

static void
use_after_deallocate(struct misuse *m)
{
    volatile unsigned char *memory = allocate(m, 64);

    if (m->right)
        memory[3] = 1;
    deallocate(m, (void *)memory);
    if (!m->right)
        memory[3] = 1;
}

static volatile size_t seen_length;

static void
read_after_deallocate(struct misuse *m)
{
    char *name = NULL;

    misuse_must((*m->jvmti)->GetSystemProperty(m->jvmti, "java.vm.name", &name),
                "GetSystemProperty");
    if (m->right)
        seen_length = strlen(name);
    deallocate(m, name);
    if (!m->right)
        seen_length = strnlen(name, 8);
}

/* A class of the program as it is, in new memory. */
static void JNICALL
on_foreign_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                 const char *name, jobject domain, jint length,
                 const unsigned char *bytes, jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "Target") != 0)
        return;
    *new_bytes = misuse_now->right ? allocate(misuse_now, length)
                                   : malloc((size_t)length);
    memcpy(*new_bytes, bytes, (size_t)length);
    *new_length = length;
}

/* The VM deallocates what it is given. */
static void JNICALL
on_own_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
             const char *name, jobject domain, jint length, const unsigned char *bytes,
             jint *new_length, unsigned char **new_bytes)
{
    (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "Target") != 0)
        return;
    *new_bytes = allocate(misuse_now, length);
    memcpy(*new_bytes, bytes, (size_t)length);
    *new_length = length;
    if (!misuse_now->right)
        (*jvmti)->Deallocate(jvmti, *new_bytes);
}

static void
class_bytes_gone(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = on_own_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void
deallocate_frames(struct misuse *m)
{
    jvmtiStackInfo *stacks;
    jint count;

    misuse_must((*m->jvmti)->GetAllStackTraces(m->jvmti, 8, &stacks, &count),
                "GetAllStackTraces");
    for (jint i = 0; i < count && !m->right; i++)
        if (stacks[i].frame_count > 0)
            deallocate(m, stacks[i].frame_buffer);
    deallocate(m, stacks);
}

/* What a callback gets ends with it. */
static const char *seen_name;
static volatile size_t seen_size;

static void JNICALL
on_named_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
               const char *name, jobject domain, jint length, const unsigned char *bytes,
               jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain, (void)length;
    (void)bytes, (void)new_length, (void)new_bytes;
    if (name == NULL || strcmp(name, "Target") != 0)
        return;
    seen_name = misuse_now->right ? strdup(name) : name;
    seen_size = strlen(name);
}

static void
watch_names(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = on_named_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void
read_name(struct misuse *m)
{
    seen_size = strnlen(seen_name, 8);
    misuse_must(seen_size == strlen("Target") ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL,
                "the name");
    if (m->right)
        free((void *)seen_name);
}

static void
read_options(struct misuse *m)
{
    if (!m->right)
        seen_size = strnlen(misuse_options, 8);
}

static void
class_bytes_foreign(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = on_foreign_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void JNICALL
on_short_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
               const char *name, jobject domain, jint length,
               const unsigned char *bytes, jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "Target") != 0)
        return;
    /* The last byte is whatever lies behind the memory. */
    *new_bytes = allocate(misuse_now, misuse_now->right ? length : length - 1);
    memcpy(*new_bytes, bytes, (size_t)length - !misuse_now->right);
    *new_length = length;
}

static void
class_bytes_short(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = on_short_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

/* An error leaves name as it is; the layer has to be told to poison it. */
static void
output_after_error(struct misuse *m)
{
    char *name = NULL;
    jvmtiError error = (*m->jvmti)->GetSystemProperty(m->jvmti, "no.such.property",
                                                      &name);

    if (error == JVMTI_ERROR_NONE || !m->right)
        (*m->jvmti)->Deallocate(m->jvmti, (unsigned char *)name);
}

static void
underrun(struct misuse *m)
{
    unsigned char *bytes;

    misuse_must((*m->jvmti)->Allocate(m->jvmti, 32, &bytes), "Allocate");
    ((volatile unsigned char *)bytes)[m->right ? 0 : -1] = 'x';
    (*m->jvmti)->Deallocate(m->jvmti, bytes);
}

/* A number that is read wrongly leads far away from the block. */
static void
read_far(struct misuse *m)
{
    unsigned char *bytes;

    misuse_must((*m->jvmti)->Allocate(m->jvmti, 32, &bytes), "Allocate");
    (void)((volatile unsigned char *)bytes)[m->right ? 31 : 64 << 12];
    (*m->jvmti)->Deallocate(m->jvmti, bytes);
}

static void
free_characters(struct misuse *m)
{
    jstring string = (*m->jni)->NewStringUTF(m->jni, "text");
    const char *text = (*m->jni)->GetStringUTFChars(m->jni, string, NULL);

    if (m->right)
        (*m->jni)->ReleaseStringUTFChars(m->jni, string, text);
    else
        free((void *)text);
}

static void
deallocate_variable(struct misuse *m)
{
    unsigned char *memory, array[64];

    misuse_must((*m->jvmti)->Allocate(m->jvmti, 64, &memory), "Allocate");
    memset(array, 0, sizeof array);
    if (!m->right)
        deallocate(m, array);
    deallocate(m, memory);
}

const struct misuse_case memory_cases[] = {
    { .rule = "memory.deallocate-foreign/stack", .init = deallocate_variable },
    { .rule = "memory.leak", .init = leak },
    { .rule = "memory.leak/many", .init = leak_many },
    { .rule = "memory.leak-at-dispose", .init = leak_at_dispose },
    { .rule = "memory.deallocate-foreign", .init = deallocate_foreign },
    { .rule = "memory.deallocate-twice", .init = deallocate_twice },
    { .rule = "memory.deallocate-interior", .init = deallocate_interior },
    { .rule = "memory.free", .init = free_it },
    { .rule = "memory.overrun", .init = overrun },
    { .rule = "memory.overrun/before", .init = underrun },
    { .rule = "memory.overrun/read", .init = read_far },
    { .rule = "memory.free/delete", .init = delete_it },
    { .rule = "memory.free/delete-array", .init = delete_elements },
    { .rule = "memory.free/realloc", .init = reallocate },
    { .rule = "memory.free/characters", .init = free_characters },
    { .rule = "memory.use-after-deallocate", .init = use_after_deallocate },
    { .rule = "memory.use-after-deallocate/read", .init = read_after_deallocate },
    { .rule = "memory.class-bytes-foreign", .load = class_bytes_foreign },
    { .rule = "memory.class-bytes-foreign/gone", .load = class_bytes_gone },
    { .rule = "memory.deallocate-interior/frames", .init = deallocate_frames },
    { .rule = "memory.argument-kept", .load = watch_names, .death = read_name },
    { .rule = "memory.argument-kept/options", .init = read_options },
    { .rule = "memory.class-bytes-short", .load = class_bytes_short },
    { .rule = "memory.output-after-error", .init = output_after_error },
    { .rule = NULL }
};
