/* SPDX-License-Identifier: MIT */
/* minivm/jni/call.h -- what the functions that call Java methods from native code have
 * in common.
 *
 * There are 90 of them (call_instance.c, call_static.c), and NewObject in its three
 * forms (call.c), which makes the object first and then does the same.  Each of the 90
 * goes into jni_call_list or jni_call_array, which moves the thread into the VM, takes
 * the arguments out of the list or array by the method's descriptor, selects the
 * method, runs it, and converts the result.  An exception that Java code throws stays
 * pending, and the result is 0 then. */

#ifndef MINIVM_JNI_CALL_H
#define MINIVM_JNI_CALL_H

#include <stdarg.h>

#include "jni/entry.h"

/* How the method to run follows from the method id: by the class of the receiver, or
   the method itself, with a receiver or without. */
enum call_kind { CALL_VIRTUAL, CALL_NONVIRTUAL, CALL_STATIC };

/* Calls the method with the arguments of a list, whose end the caller has to declare
   (va_end), or of an array.  type is the letter of the result type in the function's
   name: one of ZBCSIJFD, L for Object, V for Void; it says which member of the result
   is set.  An object becomes a local reference.  obj is NULL for a static method.  A
   wrong id throws InternalError, and a receiver that is missing NullPointerException.
   Java code runs. */
jvalue jni_call_list(JNIEnv *env, enum call_kind kind, char type, jobject obj,
                     jmethodID id, va_list list);
jvalue jni_call_array(JNIEnv *env, enum call_kind kind, char type, jobject obj,
                      jmethodID id, const jvalue *args);

/* In a variadic function whose last parameter is id: the result of jni_call_list for
   the arguments behind id. */
#define JNI_CALL_VARIADIC(env, kind, type, obj, id) \
    ({ \
        va_list list_; \
        va_start(list_, id); \
        jvalue result_ = jni_call_list((env), (kind), (type), (obj), (id), list_); \
        va_end(list_); \
        result_; \
    })

#endif
