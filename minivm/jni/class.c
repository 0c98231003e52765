/* SPDX-License-Identifier: MIT */
/* minivm/jni/class.c -- classes, members, exceptions, natives (JNI "Class
 * Operations", "Module Operations", "Exceptions", "Reflection Support"). */

#include "jni/functions.h"
#include "jni/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/module.h"
#include "vm/monitor.h"
#include "vm/reflect.h"
#include "vm/registry.h"
#include "vm/string.h"

JVM_PLAIN(jint, jni_GetVersion, (JNIEnv *env),
          env_thread(env)->vm->profile->jni_version)

/* ---- finding and defining ---- */

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

/* The class whose library is being loaded, while JNI_OnLoad runs. */
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

/* The loader that FindClass asks: the calling native method's, or the system's. */
static struct loader *
calling_loader(struct thread *self)
{
    struct frame *f = thread_top_frame(self);
    union slot result = { .ref = NULL };

    if (f) {
        struct class *c = library_owner(self, f->code->method->class);
        return c ? c->loader : NULL;
    }
    if (vm_get_phase(self->vm) < VM_PHASE_START)
        return self->vm->boot_loader;
    if (!java_call(self, KM(self->vm, ClassLoader_getSystemClassLoader), NULL, &result))
        return NULL;
    return loader_of(self->vm, result.ref);
}

/* A class may also be named by its descriptor, though JNI asks for that of arrays only:
   there are agents that do. */
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
    struct class *c = class_load(self, l, s, true);
    if (c && !class_is_array(c) && !c->primitive && !class_initialize(self, c))
        return NULL;
    return class_ref(self, c);
}

JVM_VALUE(jclass, jni_GetSuperclass, (JNIEnv *env, jclass sub),
          class_is_interface(ref_class(sub)) ? NULL
                                             : class_ref(self, ref_class(sub)->super))

JVM_VALUE(jboolean, jni_IsAssignableFrom, (JNIEnv *env, jclass sub, jclass sup),
          class_is_subtype(ref_class(sub), ref_class(sup)))

jobject JNICALL
jni_GetModule(JNIEnv *env, jclass clazz)
{
    VM_ENTRY(env);
    struct object *mirror = ref_get(clazz);

    if (!mirror || object_class(mirror) != KC(self->vm, Class))
        return THROW0(self, NullPointerException);
    return object_ref(self, REF_FIELD(self->vm, mirror, Class_module));
}

/* ---- methods ---- */

static struct method *
find_method(struct class *c, const struct symbol *name, const struct symbol *descriptor)
{
    struct method *m;

    if (symbol_equals(name, "<init>") || symbol_equals(name, "<clinit>"))
        return class_own_method(c, name, descriptor);
    m = class_find_method(c, name, descriptor);
    return m ? m : class_find_interface_method(c, name, descriptor);
}

/* A class whose member is looked for; NULL with an exception pending. */
static struct class *
ready_class(struct thread *self, jclass clazz)
{
    struct class *c = ref_class(clazz);

    return c->primitive || class_is_array(c) || class_initialize(self, c) ? c : NULL;
}

static jmethodID
method_named(JNIEnv *env, jclass clazz, const char *name, const char *signature,
             bool is_static)
{
    VM_ENTRY(env);
    struct class *c = ready_class(self, clazz);
    const struct symbol *n = symbol_lookup(name, strlen(name));
    const struct symbol *d = symbol_lookup(signature, strlen(signature));

    if (!c)
        return NULL;
    struct method *m = !c->primitive && n && d ? find_method(c, n, d) : NULL;
    if (!m || method_is_static(m) != is_static)
        return THROW(self, NoSuchMethodError, "%s", name);
    return (jmethodID)method_id(m);
}

static jfieldID
field_named(JNIEnv *env, jclass clazz, const char *name, const char *signature,
            bool is_static)
{
    VM_ENTRY(env);
    struct class *c = ready_class(self, clazz);
    const struct symbol *n = symbol_lookup(name, strlen(name));
    const struct symbol *d = symbol_lookup(signature, strlen(signature));

    if (!c)
        return NULL;
    struct field *f = n && d ? class_find_field(c, n, d) : NULL;
    if (!f || field_is_static(f) != is_static)
        return THROW(self, NoSuchFieldError, "%s", name);
    return (jfieldID)field_id(f);
}

#define GET_ID(kind, type, named, is_static) \
    JVM_PLAIN(type, jni_Get##kind##ID, \
              (JNIEnv *env, jclass clazz, const char *name, const char *signature), \
              named(env, clazz, name, signature, is_static))
GET_ID(Method, jmethodID, method_named, false)
GET_ID(StaticMethod, jmethodID, method_named, true)
GET_ID(Field, jfieldID, field_named, false)
GET_ID(StaticField, jfieldID, field_named, true)

/* ---- reflection ---- */

JVM_VALUE(jmethodID, jni_FromReflectedMethod, (JNIEnv *env, jobject method),
          (jmethodID)method_id(reflected_method(self->vm, ref_get(method))))
JVM_VALUE(jfieldID, jni_FromReflectedField, (JNIEnv *env, jobject field),
          (jfieldID)field_id(reflected_field(self->vm, ref_get(field))))

jobject JNICALL
jni_ToReflectedMethod(JNIEnv *env, jclass clazz UNUSED, jmethodID id,
                      jboolean is_static UNUSED)
{
    VM_ENTRY(env);
    struct method *m = method_of_id((uintptr_t)id);

    return m ? object_ref(self, reflect_method(self, m)) : NULL;
}

jobject JNICALL
jni_ToReflectedField(JNIEnv *env, jclass clazz UNUSED, jfieldID id,
                     jboolean is_static UNUSED)
{
    VM_ENTRY(env);
    struct field *f = field_of_id((uintptr_t)id);

    return f ? object_ref(self, reflect_field(self, f)) : NULL;
}

/* ---- exceptions ---- */

jint JNICALL
jni_Throw(JNIEnv *env, jthrowable exception)
{
    VM_ENTRY(env);
    if (!exception)
        return JNI_ERR;
    throw_object(self, ref_get(exception));
    return JNI_OK;
}

jint JNICALL
jni_ThrowNew(JNIEnv *env, jclass clazz, const char *message)
{
    VM_ENTRY(env);
    throw_class(self, ref_class(clazz), message ? "%s" : NULL, message);
    return JNI_OK;
}

JVM_VALUE(jthrowable, jni_ExceptionOccurred, (JNIEnv *env),
          object_ref(self, self->exception))
JVM_PLAIN(jboolean, jni_ExceptionCheck, (JNIEnv *env),
          env_thread(env)->exception != NULL)

static struct object *
clear_exception(struct thread *self)
{
    if (self->exception)
        EVENT_SEND(EVENT_EXCEPTION, exception_clear, self);
    return exception_take(self);
}

JVM_ACTION(jni_ExceptionClear, (JNIEnv *env), clear_exception(self))

void JNICALL
jni_ExceptionDescribe(JNIEnv *env)
{
    VM_ENTRY(env);
    struct object *e = keep(self, clear_exception(self));
    struct method *m = KM(self->vm, Throwable_printStackTrace);
    union slot args[1] = { { .ref = e } };
    const struct object *name =
        self->object ? REF_FIELD(self->vm, self->object, Thread_name) : NULL;
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

void
jni_print_stack(struct thread *self, FILE *to)
{
    for (struct frame *f = thread_top_frame(self); f; f = frame_older(f)) {
        char *text = text_printf("%pM", f->code->method);
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

/* ---- natives, monitors ---- */

void
native_bind(struct thread *self, struct method *m, void *fn)
{
    if (fn)
        EVENT_SEND(EVENT_NATIVE_METHOD_BIND, native_method_bind, self, m, &fn);
    atomic_store_explicit(&m->native, fn, memory_order_release);
}

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

static jint
enter_or_exit(struct thread *self, struct object *o, bool enter)
{
    if (!o)
        THROW0(self, NullPointerException);
    else if (enter ? monitor_enter(self, o, NULL) : monitor_exit(self, o))
        return JNI_OK;
    return JNI_ERR;
}

JVM_VALUE(jint, jni_MonitorEnter, (JNIEnv *env, jobject obj),
          enter_or_exit(self, ref_get(obj), true))
JVM_VALUE(jint, jni_MonitorExit, (JNIEnv *env, jobject obj),
          enter_or_exit(self, ref_get(obj), false))

jint JNICALL
jni_GetJavaVM(JNIEnv *env, JavaVM **vm)
{
    *vm = (JavaVM *)&env_thread(env)->vm->jni_invoke;
    return JNI_OK;
}
