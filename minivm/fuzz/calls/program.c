/* SPDX-License-Identifier: MIT */
/* What the calls of a minimised seed are made with; the calls stand below. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One call of JVM TI in environment number n; results go to out. */
#define CALL(n, name, ...) \
    do { \
        memset(out, 0, sizeof out); \
        if (s->env[n] != NULL) \
            said(s, #name, (*s->env[n])->name(s->env[n], ##__VA_ARGS__)); \
    } while (0)
/* A reference or id in a list that came as result i. */
#define PART(i, offset) (*(void **)(*(char **)out[i] + (offset)))

#define JNI JNIEnv *jni = s->jni; (void)jni
#define LOCALS \
    static _Thread_local unsigned char out[MAX_ARGUMENTS][64]; \
    static _Thread_local unsigned char buffer[16384]; \
    union value r; \
    (void)out, (void)buffer, (void)r

static void
said(const struct stream *s, const char *name, jvmtiError error)
{
    fprintf(stderr, "stream %d, %llu: %s %d\n", s->number, (unsigned long long)s->index,
            name, (int)error);
}

static jvmtiIterationControl JNICALL
jvmtiHeapObjectCallback_callback(jlong class_tag, jlong size, jlong *tag, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)data;
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
jvmtiHeapRootCallback_callback(jvmtiHeapRootKind kind, jlong class_tag, jlong size,
                               jlong *tag, void *data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)data;
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
jvmtiStackReferenceCallback_callback(jvmtiHeapRootKind kind, jlong class_tag, jlong size,
                                     jlong *tag, jlong thread_tag, jint depth,
                                     jmethodID method, jint slot, void *data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)thread_tag, (void)depth;
    (void)method, (void)slot, (void)data;
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
jvmtiObjectReferenceCallback_callback(jvmtiObjectReferenceKind kind, jlong class_tag,
                                      jlong size, jlong *tag, jlong referrer, jint index,
                                      void *data)
{
    (void)kind, (void)class_tag, (void)size, (void)tag, (void)referrer, (void)index;
    (void)data;
    return JVMTI_ITERATION_CONTINUE;
}

static void JNICALL
jvmtiExtensionEvent_callback(jvmtiEnv *env, ...)
{
    (void)env;
}

#define jvmtiStartFunction_callback stage_agent_thread

static jint JNICALL
on_iteration(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)length, (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size;
    (void)tag, (void)referrer_tag, (void)length, (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_primitive_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                   jlong class_tag, jlong *tag, jvalue value, jvmtiPrimitiveType type,
                   void *data)
{
    (void)kind, (void)info, (void)class_tag, (void)tag, (void)value, (void)type;
    (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
         const void *elements, void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)count, (void)type, (void)elements;
    (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag, const jchar *value, jint length,
          void *data)
{
    (void)class_tag, (void)size, (void)tag, (void)value, (void)length, (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static inline const jvmtiHeapCallbacks *
heap_callbacks(int which)
{
    static _Thread_local jvmtiHeapCallbacks c;

    memset(&c, 0, sizeof c);
    c.heap_iteration_callback = (which & 1) != 0 ? on_iteration : NULL;
    c.heap_reference_callback = (which & 2) != 0 ? on_reference : NULL;
    c.primitive_field_callback = (which & 4) != 0 ? on_primitive_field : NULL;
    c.array_primitive_value_callback = (which & 8) != 0 ? on_array : NULL;
    c.string_primitive_value_callback = (which & 16) != 0 ? on_string : NULL;
    return &c;
}

static inline const jvmtiCapabilities *
capabilities(uint64_t bits)
{
    static _Thread_local jvmtiCapabilities c;

    memset(&c, 0, sizeof c);
    memcpy(&c, &bits, sizeof bits);
    return &c;
}

static inline const jvmtiEventCallbacks *
callbacks(uint64_t bits)
{
    static _Thread_local jvmtiEventCallbacks c;
    void **to = (void **)&c;

    c = event_callbacks;
    for (size_t i = 0; i < sizeof c / sizeof *to; i++)
        if ((bits >> i & 1) == 0)
            to[i] = NULL;
    return &c;
}

static inline const jniNativeInterface *
function_table(void)
{
    jniNativeInterface *table = NULL;

    (*stage.base)->GetJNIFunctionTable(stage.base, &table);
    return table;
}

static inline unsigned char *
allocated(void)
{
    unsigned char *memory = NULL;

    (*stage.base)->Allocate(stage.base, 16, &memory);
    return memory;
}

static inline void *
data(void)
{
    static char bytes[64];

    return bytes;
}

static inline const char *
long_text(void)
{
    static char text[70000];

    memset(text, 'x', sizeof text - 1);
    return text;
}

void
sequence_end(void)
{
}
