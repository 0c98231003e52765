/* SPDX-License-Identifier: MIT */
/* layer/interpose/wrappers.h -- between the generated wrappers and the module. */
#ifndef LAYER_INTERPOSE_WRAPPERS_H
#define LAYER_INTERPOSE_WRAPPERS_H

#include <stdint.h>

#include "layer/interpose/interpose.h"

/* What the wrappers call.  Begin fills in the call; if it is false the VM is not called. */
bool interpose_call_begin(struct interpose_call *call, jvmtiEnv *env);
void interpose_call_end(struct interpose_call *call);
bool interpose_jni_begin(struct interpose_jni_call *call, JNIEnv *env);
void interpose_jni_end(struct interpose_jni_call *call);
int interpose_event_begin(struct interpose_event *event, jvmtiEnv *real, JNIEnv *jni);
void interpose_event_end(struct interpose_event *event);

/* Generated: put wrappers in the place of functions and callbacks that are there. */
void interpose_fill_functions(jvmtiInterface_1 *table);
void interpose_fill_callbacks(jvmtiEventCallbacks *callbacks);
void interpose_fill_jni(struct JNINativeInterface_ *table, int level);

/* env.c: our environment for one of the VM's, made at need; NULL if memory is short. */
struct interpose_env *interpose_env_for(struct interpose_vm *vm, jvmtiEnv *real,
                                        jint version, bool is_new);
/* The same for one that must be there; aborts if it is not. */
struct interpose_env *interpose_env_find(jvmtiEnv *real);

/* jni.c: what the agent gets for the calling thread's JNIEnv; NULL for NULL. */
JNIEnv *interpose_jni_for(struct interpose_vm *vm, struct interpose_thread *thread,
                          JNIEnv *real);
/* Let what GetJNIFunctionTable gives be called with the agent's JNIEnv. */
void interpose_jni_table_wrap(void **table);
jint interpose_get_java_vm(struct interpose_vm *vm, JavaVM **result);

/* heap.c: replace the callbacks of a heap function by ours; false if memory is short. */
bool interpose_heap_adapt(struct interpose_call *call);
/* extension.c: extension functions and events, whose parameters only their users know. */
void interpose_extensions_wrap(struct interpose_call *call);
void interpose_extension_event_adapt(struct interpose_call *call);
/* thread.c: a start function that gets our environments. */
bool interpose_agent_thread_adapt(struct interpose_call *call);

#endif
