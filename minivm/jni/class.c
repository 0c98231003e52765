/* SPDX-License-Identifier: MIT */
/* minivm/jni/class.c -- JNI "Class Operations", "Module Operations". */

#include "jni/entry.h"
#include "jni/functions.h"

#include "linking/initialize.h"
#include "linking/loader.h"
#include "linking/module.h"
#include "runtime/above.h"
#include "runtime/exception.h"

/* ---- finding and defining ---- */

/* The name may be NULL: then the class file's is taken.  The bytes stay the
   caller's. */
jclass JNICALL
jni_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes,
                jsize length)
{
    VM_ENTRY(env);
    struct class_definition d = { .bytes = (const uint8_t *)bytes,
                                  .length = (size_t)length };

    if (name && !(d.name = class_symbol(self, name, KNOWN_CLASS_NoClassDefFoundError)))
        return NULL;
    return class_ref(self, class_define(self, ref_loader(loader), &d));
}

/* Returns the class on whose behalf caller's native method runs.  While JNI_OnLoad
   runs, the calling method is the class library's own, which tells the class that loads
   the library.  Returns NULL with an exception pending. */
static struct class *
library_owner(struct thread *self, struct class *caller)
{
    struct method *m;
    union slot result;

    if (!symbol_equals(caller->name, "jdk/internal/loader/NativeLibraries"))
        return caller;
    m = class_own_method(caller, symbol_of("getFromClass"),
                         symbol_of("()Ljava/lang/Class;"));
    if (!m || !java_call(self, m, NULL, &result))
        return NULL;
    return result.ref ? class_of_mirror(result.ref) : caller;
}

/* Returns the loader that FindClass asks: that of the calling native method's class, or
   the system class loader if no Java method runs; before that one exists, the boot
   loader.  Returns NULL with an exception pending. */
static struct loader *
calling_loader(struct thread *self)
{
    struct frame *f = thread_top_frame(self);
    union slot result = { .ref = NULL };

    if (f) {
        struct class *c = library_owner(self, f->version->method->class);
        return c ? c->loader : NULL;
    }
    if (vm_get_phase(self->vm) < VM_PHASE_START)
        return self->vm->boot_loader;
    if (!java_call(self, KM(self->vm, ClassLoader_getSystemClassLoader), NULL, &result))
        return NULL;
    return loader_of(self->vm, result.ref);
}

/* JNI names an array class by its descriptor and any other class by its name.  A
   descriptor is taken for the latter, too, since there are agents that pass one.  The
   class is initialized; an array or primitive class has no initialization.  If there is
   none, NoClassDefFoundError is pending. */
jclass JNICALL
jni_FindClass(JNIEnv *env, const char *name)
{
    VM_ENTRY(env);
    const struct symbol *s = class_symbol(self, name, KNOWN_CLASS_NoClassDefFoundError);

    if (s && s->length > 2 && name[0] == 'L' && name[s->length - 1] == ';')
        s = symbol_intern(name + 1, s->length - 2u);
    struct loader *l = s ? calling_loader(self) : NULL;
    if (!l)
        return NULL;
    struct class *c = class_load(self, l, s, NOT_FOUND_ERROR);
    if (c && !class_is_array(c) && !c->primitive && !class_initialize(self, c))
        return NULL;
    return class_ref(self, c);
}

jclass JNICALL
jni_GetSuperclass(JNIEnv *env, jclass sub)
{
    VM_ENTRY(env);
    const struct class *c = ref_class(sub);

    return class_is_interface(c) ? NULL : class_ref(self, c->super);
}

jboolean JNICALL
jni_IsAssignableFrom(JNIEnv *env, jclass sub, jclass sup)
{
    VM_ENTRY(env);

    return class_is_subtype(ref_class(sub), ref_class(sup));
}

jobject JNICALL
jni_GetModule(JNIEnv *env, jclass clazz)
{
    VM_ENTRY(env);
    struct object *mirror = ref_get(clazz);

    if (!mirror || object_class(mirror) != KC(self->vm, Class))
        return THROW0(self, NullPointerException);
    return object_ref(self, REF_FIELD(self->vm, mirror, Class_module));
}
