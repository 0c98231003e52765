/* SPDX-License-Identifier: MIT */
/*
 * tiforge/scope.h -- what a callback got from JVM TI and JNI and has to give back.
 *
 *     TF_SCOPED struct tf_scope scope;
 *     char *name, *signature;
 *
 *     if (!tf_scope_open(&scope, jvmti, jni, 16))
 *         return;
 *     tf_scope_own(&scope, &name);
 *     tf_scope_own(&scope, &signature);
 *     if (!TF_CALL(jvmti, GetMethodName, (jvmti, method, &name, &signature, NULL)))
 *         return;
 *
 * TF_SCOPED closes the scope where the block ends, however it ends; it needs GNU C's
 * cleanup attribute.  Elsewhere call tf_scope_close on each way out; in C++ there is
 * tiforge::scope.
 */
#ifndef TIFORGE_SCOPE_H
#define TIFORGE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include <jvmti.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TF_SCOPE_SLOTS 12

struct tf_scope {
    jvmtiEnv *jvmti;
    JNIEnv *jni;            /* NULL when there is no frame to pop */
    size_t count;
    void *variables[TF_SCOPE_SLOTS];
};

#if defined(__GNUC__)
#define TF_SCOPED __attribute__((cleanup(tf_scope_close)))
#endif

/*
 * Open a scope.  With jni and `references` above 0 a frame for that many local
 * references is pushed (JNI "PushLocalFrame"): all local references made inside go when
 * the scope is closed.  Without, the scope is for JVM TI memory only and can be used
 * where JNI cannot.  False when the frame cannot be had; the OutOfMemoryError is
 * cleared and logged, and closing the scope then does nothing.
 */
bool tf_scope_open(struct tf_scope *scope, jvmtiEnv *jvmti, JNIEnv *jni,
                   jint references);

/*
 * Register a pointer variable: it is set to NULL, and what it points to when the scope
 * is closed is given to Deallocate.  The variable has to live as long as the scope.
 * `variable` is the address of a pointer of any object type.  At most TF_SCOPE_SLOTS
 * variables: one more is a mistake in the program and aborts it.
 */
void tf_scope_own(struct tf_scope *scope, void *variable);

/* Deallocate and pop; closing again does nothing. */
void tf_scope_close(struct tf_scope *scope);
/* The same, and a new local reference to `result` in the caller's frame. */
jobject tf_scope_close_keeping(struct tf_scope *scope, jobject result);

/* Deallocate memory of JVM TI (JVM TI "Deallocate"); NULL is fine. */
void tf_deallocate(jvmtiEnv *jvmti, void *memory);
/* Delete `count` local references of an array that JVM TI filled, then the array. */
void tf_release_references(jvmtiEnv *jvmti, JNIEnv *jni, jobject *array, jint count);

#ifdef __cplusplus
}

namespace tiforge {

class scope {
public:
    explicit scope(jvmtiEnv *jvmti, JNIEnv *jni = nullptr, jint references = 0)
        : open_(tf_scope_open(&scope_, jvmti, jni, references)) {}
    ~scope() { tf_scope_close(&scope_); }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    explicit operator bool() const { return open_; }
    template <typename T> void own(T *&variable) { tf_scope_own(&scope_, &variable); }

private:
    tf_scope scope_;
    bool open_;
};

}
#endif

#endif
