/* SPDX-License-Identifier: MIT */
/* Which classes the heap functions tell of, and whether those are prepared. */

#include "check.h"

static jvmtiEnv *ti;

/* By class, whose tag is its place and 1. */
static bool *is_seen;
static jint class_count;
static jclass *classes;

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    if (class_tag > 0)
        is_seen[class_tag - 1] = true;
    return 0;
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    if (kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL && *referrer_tag > 0)
        is_seen[*referrer_tag - 1] = true;
    return JVMTI_VISIT_OBJECTS;
}

static bool
is_prepared(jclass c)
{
    jint status = 0;

    (*ti)->GetClassStatus(ti, c, &status);
    return (status & (JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ARRAY
                      | JVMTI_CLASS_STATUS_PRIMITIVE)) != 0;
}

static void
begin(void)
{
    (*ti)->GetLoadedClasses(ti, &class_count, &classes);
    is_seen = calloc((size_t)class_count, sizeof *is_seen);
    for (jint i = 0; i < class_count; i++)
        (*ti)->SetTag(ti, classes[i], i + 1);
}

/* The first of those seen that is not prepared. */
static jstring
end(JNIEnv *jni)
{
    char *signature = NULL;
    jint seen = 0;

    for (jint i = 0; i < class_count; i++) {
        seen += is_seen[i];
        if (is_seen[i] && signature == NULL && !is_prepared(classes[i]))
            (*ti)->GetClassSignature(ti, classes[i], &signature, NULL);
        (*ti)->SetTag(ti, classes[i], 0);
    }
    jstring text = seen < 100    ? (*jni)->NewStringUTF(jni, "too few")
                   : signature ? (*jni)->NewStringUTF(jni, signature)
                               : NULL;
    free(is_seen);
    (*ti)->Deallocate(ti, (unsigned char *)classes);
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    return text;
}

JNIEXPORT jboolean JNICALL
Java_Prepared_isPrepared(JNIEnv *jni, jclass c, jclass asked)
{
    return is_prepared(asked);
}

JNIEXPORT jstring JNICALL
Java_Prepared_unpreparedInstance(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_object };

    begin();
    (*ti)->IterateThroughHeap(ti, 0, NULL, &callbacks, NULL);
    return end(jni);
}

JNIEXPORT jstring JNICALL
Java_Prepared_unpreparedConstant(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_reference_callback = on_reference };

    begin();
    (*ti)->FollowReferences(ti, 0, NULL, NULL, &callbacks, NULL);
    return end(jni);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    static const jvmtiCapabilities capabilities = { .can_tag_objects = 1 };

    ti = make_env(vm, JVMTI_VERSION_11, &capabilities);
    return JNI_OK;
}
