/* SPDX-License-Identifier: MIT */
/* minivm/jdk/verify_old.c -- the JDK's libverify, which judges class files without
 * stack maps (JVMS 4.10.2). */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/os.h"
#include "jni/entry.h"
#include "vm/above.h"
#include "vm/exception.h"

typedef jboolean verify_fn(JNIEnv *env, jclass c, char *message, jint length,
                           jint major);

/* The library stays loaded: it is looked up once for the process. */
static verify_fn *
find_verifier(const struct vm *vm)
{
    static verify_fn *_Atomic known;
    verify_fn *found = atomic_load_explicit(&known, memory_order_acquire);
    TEXTS(t);

    if (found)
        return found;
    void *library = os_library_open(
        own(&t, mem_printf("%s/lib/libverify.so", vm->options.java_home)), NULL);
    if (library == NULL)
        return NULL;
    *(void **)&found = dlsym(library, "VerifyClassForMajorVersion");
    atomic_store_explicit(&known, found, memory_order_release);
    return found;
}

int
class_verify_by_inference(struct thread *self, struct class *c,
                          const struct classfile *file, char *message, size_t size)
{
    struct verified_file verified = { c, file, self->verified };
    verify_fn *verify = find_verifier(self->vm);
    struct ref_mark mark = ref_mark(self);

    if (verify == NULL) {
        snprintf(message, size, "Could not link verifier");
        return 0;
    }
    jclass mirror = class_ref(self, c);
    if (mirror == NULL)
        return 2;
    self->verified = &verified;
    thread_leave_vm(self);
    int answer = verify(thread_env(self), mirror, message, (jint)size, file->major);
    thread_enter_vm(self);
    self->verified = verified.outer;
    ref_release(self, mark);
    return answer;
}
