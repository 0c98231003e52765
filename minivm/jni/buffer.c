/* SPDX-License-Identifier: MIT */
/* minivm/jni/buffer.c -- JNI "NIO Support": direct byte buffers. */

#include "jni/entry.h"
#include "jni/functions.h"

#include "linking/initialize.h"
#include "linking/loader.h"
#include "runtime/above.h"
#include "runtime/exception.h"

/* Makes a java.nio.DirectByteBuffer by its constructor (long address, int capacity), as
   of JDK 21 (long address, long capacity): the slot of a long has the int in the half
   where an int is.  Of the slots of the arguments, a long takes two: 1 and 2. */
jobject JNICALL
jni_NewDirectByteBuffer(JNIEnv *env, void *address, jlong capacity)
{
    VM_ENTRY(env);

    if (capacity < 0 || capacity > INT32_MAX)
        return THROW(self, IllegalArgumentException,
                     "JNI NewDirectByteBuffer passed capacity < 0 or greater than "
                     "Integer.MAX_VALUE: %lld",
                     (long long)capacity);
    struct class *c = class_load_boot(self, "java/nio/DirectByteBuffer");
    if (!c || !class_initialize(self, c))
        return NULL;
    struct object *o = handle_new(self, object_new(self, c));
    union slot args[5];
    args[0].ref = o;
    args[1].j = (int64_t)(uintptr_t)address;
    args[3].j = capacity;
    if (!o || !java_call(self, KM(self->vm, DirectByteBuffer_init), args, NULL))
        return NULL;
    return object_ref(self, o);
}

/* Returns true if the object is a direct java.nio.Buffer.  Returns false for NULL, too.
   No class of buffers may be loaded yet: then there is no buffer. */
static bool
is_direct(struct thread *self, jobject buffer)
{
    struct class *c = ref_get(buffer) ? class_load_boot(self, "sun/nio/ch/DirectBuffer")
                                      : NULL;

    return c && KC(self->vm, Buffer) && object_is_instance(ref_get(buffer), c);
}

void *JNICALL
jni_GetDirectBufferAddress(JNIEnv *env, jobject buffer)
{
    VM_ENTRY(env);

    if (!is_direct(self, buffer))
        return NULL;
    return (void *)(uintptr_t)LONG_FIELD(self->vm, ref_get(buffer), Buffer_address);
}

jlong JNICALL
jni_GetDirectBufferCapacity(JNIEnv *env, jobject buffer)
{
    VM_ENTRY(env);

    return is_direct(self, buffer)
               ? INT_FIELD(self->vm, ref_get(buffer), Buffer_capacity)
               : -1;
}
