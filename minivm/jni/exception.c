/* SPDX-License-Identifier: MIT */
/* minivm/jni/exception.c -- JNI "Exceptions", of which FatalError is one, and the end
 * of the VM after an error of native code. */

#include "jni/entry.h"
#include "jni/functions.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/events.h"
#include "base/mem.h"
#include "diagnostics/fault.h"
#include "linking/message.h"
#include "linking/select.h"
#include "runtime/above.h"
#include "runtime/backtrace.h"
#include "runtime/exception.h"
#include "runtime/string.h"

jint JNICALL
jni_Throw(JNIEnv *env, jthrowable exception)
{
    VM_ENTRY(env);

    if (!exception)
        return JNI_ERR;
    throw_object(self, ref_get(exception));
    return JNI_OK;
}

/* An exception is pending afterwards: a new one of the class, or the one that has kept
   it from being made.  message may be NULL. */
jint JNICALL
jni_ThrowNew(JNIEnv *env, jclass clazz, const char *message)
{
    VM_ENTRY(env);

    throw_class(self, ref_class(clazz), message ? "%s" : NULL, message);
    return JNI_OK;
}

jthrowable JNICALL
jni_ExceptionOccurred(JNIEnv *env)
{
    VM_ENTRY(env);

    return object_ref(self, self->exception);
}

/* Only asks whether there is an exception, so the thread need not enter the VM. */
jboolean JNICALL
jni_ExceptionCheck(JNIEnv *env)
{
    return env_thread(env)->exception != NULL;
}

/* Clears the pending exception and returns it, or NULL.  JVM TI hears of it, since
   native code counts as having caught it.  The result has no handle. */
static struct object *
clear_exception(struct thread *self)
{
    if (self->exception)
        EVENT_SEND(EVENT_EXCEPTION, exception_clear, self);
    return exception_take(self);
}

void JNICALL
jni_ExceptionClear(JNIEnv *env)
{
    VM_ENTRY(env);

    clear_exception(self);
}

/* Prints the exception as the default handler for uncaught ones does, and clears it.
   ThreadDeath is not printed, as there. */
void JNICALL
jni_ExceptionDescribe(JNIEnv *env)
{
    VM_ENTRY(env);
    struct object *e = handle_new(self, clear_exception(self));
    struct method *m = KM(self->vm, Throwable_printStackTrace);
    union slot args[1] = { { .ref = e } };
    const struct object *name = self->current
                                    ? REF_FIELD(self->vm, self->current, Thread_name)
                                    : NULL;
    TEXTS(t);

    if (!e || object_class(e) == KC(self->vm, ThreadDeath))
        return;
    fflush(stdout);
    fprintf(stderr, "Exception in thread \"%s\" ",
            name ? own(&t, string_to_utf8(name)) : "");
    m = m ? select_method(self, object_class(e), m) : NULL;
    if (!m || !java_call(self, m, args, NULL))
        exception_print(self, e);
    self->exception = NULL;
}

/* ---- the end by an error ---- */

void
jni_print_stack(struct thread *self, FILE *to)
{
    for (struct frame *f = thread_top_frame(self); f; f = frame_older(f)) {
        char *text = message_printf("%pM", f->version->method);
        fprintf(to, "\tat %s\n", text);
        mem_free(text);
    }
}

_Noreturn void
jni_abort(struct thread *self)
{
    if (self->vm->options.abort_hook)
        self->vm->options.abort_hook();
    fault_end_quietly();
    abort();
}

void JNICALL
jni_FatalError(JNIEnv *env, const char *message)
{
    fflush(stdout);
    fprintf(stderr, "FATAL ERROR in native method: %s\n", message ? message : "");
    jni_print_stack(env_thread(env), stderr);
    jni_abort(env_thread(env));
}
