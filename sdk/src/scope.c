/* SPDX-License-Identifier: MIT */
/* sdk/src/scope.c -- giving back what a callback got. */
#include <tiforge/scope.h>

#include <stdlib.h>
#include <string.h>

#include <tiforge/agent.h>
#include <tiforge/log.h>

bool
tf_scope_open(struct tf_scope *scope, jvmtiEnv *jvmti, JNIEnv *jni, jint references)
{
    scope->jvmti = jvmti;
    scope->jni = NULL;
    scope->count = 0;
    if (jni == NULL || references <= 0)
        return true;
    if ((*jni)->PushLocalFrame(jni, references) != JNI_OK) {
        tf_clear_exception(jni, "PushLocalFrame");
        return false;
    }
    scope->jni = jni;
    return true;
}

void
tf_scope_own(struct tf_scope *scope, void *variable)
{
    static const void *const null;

    if (scope->count == TF_SCOPE_SLOTS) {
        tf_error("more than %d variables in one scope", TF_SCOPE_SLOTS);
        abort();
    }
    memcpy(variable, &null, sizeof null);
    scope->variables[scope->count++] = variable;
}

jobject
tf_scope_close_keeping(struct tf_scope *scope, jobject result)
{
    while (scope->count > 0) {
        void *memory;

        /* Whatever type the pointer has, it has a void pointer's representation. */
        memcpy(&memory, scope->variables[--scope->count], sizeof memory);
        tf_deallocate(scope->jvmti, memory);
    }
    if (scope->jni != NULL)
        result = (*scope->jni)->PopLocalFrame(scope->jni, result);
    scope->jni = NULL;
    return result;
}

void
tf_scope_close(struct tf_scope *scope)
{
    tf_scope_close_keeping(scope, NULL);
}

void
tf_deallocate(jvmtiEnv *jvmti, void *memory)
{
    if (memory != NULL)
        (*jvmti)->Deallocate(jvmti, (unsigned char *)memory);
}

void
tf_release_references(jvmtiEnv *jvmti, JNIEnv *jni, jobject *array, jint count)
{
    for (jint i = 0; array != NULL && i < count; i++)
        (*jni)->DeleteLocalRef(jni, array[i]);
    tf_deallocate(jvmti, array);
}
