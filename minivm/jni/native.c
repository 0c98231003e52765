/* SPDX-License-Identifier: MIT */
/* minivm/jni/native.c -- JNI "Registering Native Methods"; lookup.c finds the functions
 * of those that are not registered. */

#include "jni/entry.h"
#include "jni/functions.h"

#include "base/events.h"
#include "runtime/exception.h"

void
native_bind(struct thread *self, struct method *m, void *fn)
{
    if (fn)
        EVENT_SEND(EVENT_NATIVE_METHOD_BIND, native_method_bind, self, m, &fn);
    atomic_store_explicit(&m->native, fn, memory_order_release);
}

/* The methods in front of a wrong one stay registered.  The function may be NULL, which
   unbinds the method. */
jint JNICALL
jni_RegisterNatives(JNIEnv *env, jclass clazz, const JNINativeMethod *methods,
                    jint count)
{
    VM_ENTRY(env);
    struct class *c = ref_class(clazz);

    for (jint i = 0; i < count; i++) {
        const char *name = methods[i].name, *signature = methods[i].signature;
        struct method *m = native_find_method(c, name, signature);
        if (!m || !method_is_native(m)) {
            THROW(self, NoSuchMethodError, "Method '%pC.%s%s' %s", c, name, signature,
                  m ? "is not declared as native" : "name or signature does not match");
            return JNI_ERR;
        }
        vm_log_native(m, "Registering JNI", "");
        native_bind(self, m, methods[i].fnPtr);
    }
    return JNI_OK;
}

/* The functions of the class's own native methods are looked up again at their next
   calls. */
jint JNICALL
jni_UnregisterNatives(JNIEnv *env, jclass clazz)
{
    VM_ENTRY(env);
    struct class *c = ref_class(clazz);

    for (uint32_t i = 0; i < c->method_count; i++)
        if (method_is_native(class_method(c, i)))
            native_bind(self, class_method(c, i), NULL);
    return JNI_OK;
}
