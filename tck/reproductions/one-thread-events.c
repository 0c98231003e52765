/* SPDX-License-Identifier: MIT */
/*
 * The text lists the events that cannot be enabled for one thread alone.  Seven others
 * are refused as well.
 *
 * Text: Set Event Notification Mode: "The following events cannot be controlled at the
 * thread level"
 * Outcome: HotSpot 17 departs, HotSpot 21 departs, HotSpot 25 departs
 */
#include <jvmti.h>

#include <stdio.h>
#include <string.h>

static const struct {
    jvmtiEvent event;
    const char *name;
} events[] = {
    { JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, "ClassFileLoadHook" },
    { JVMTI_EVENT_NATIVE_METHOD_BIND, "NativeMethodBind" },
    { JVMTI_EVENT_RESOURCE_EXHAUSTED, "ResourceExhausted" },
    { JVMTI_EVENT_VM_OBJECT_ALLOC, "VMObjectAlloc" },
    { JVMTI_EVENT_GARBAGE_COLLECTION_START, "GarbageCollectionStart" },
    { JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, "GarbageCollectionFinish" },
    { JVMTI_EVENT_OBJECT_FREE, "ObjectFree" },
};

static void JNICALL
on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
    int refused = 0;

    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        jvmtiError error = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE,
                                                           events[i].event, thread);

        if (error != JVMTI_ERROR_NONE && refused++ >= 0)
            printf("departs: %s cannot be enabled for a thread: %d\n", events[i].name,
                   error);
        (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, events[i].event, thread);
    }
    if (refused == 0)
        puts("as specified");
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks;
    jvmtiEnv *ti;
    jvmtiCapabilities wanted;

    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_native_method_bind_events = 1;
    wanted.can_generate_resource_exhaustion_heap_events = 1;
    wanted.can_generate_vm_object_alloc_events = 1;
    wanted.can_generate_garbage_collection_events = 1;
    wanted.can_generate_object_free_events = 1;
    if ((*ti)->AddCapabilities(ti, &wanted) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_init;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
}
