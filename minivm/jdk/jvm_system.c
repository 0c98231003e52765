/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_system.c -- JVM_ functions of System, Runtime and their like. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/events.h"
#include "base/mem.h"
#include "base/os.h"
#include "interp/interp.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/module.h"
#include "vm/registry.h"
#include "vm/safepoint.h"
#include "vm/string.h"

JNIEXPORT jint JNICALL
JVM_GetInterfaceVersion(void)
{
    return 6;
}

/* ---- time ---- */

JNIEXPORT jlong JNICALL
JVM_CurrentTimeMillis(JNIEnv *env, jclass ignored)
{
    (void)env;
    (void)ignored;
    return os_wall_nanos() / 1000000;
}

JNIEXPORT jlong JNICALL
JVM_NanoTime(JNIEnv *env, jclass ignored)
{
    (void)env;
    (void)ignored;
    return os_nanos();
}

/* Nanoseconds since 1970 less offset_seconds; -1 when the offset is too far away. */
JNIEXPORT jlong JNICALL
JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass ignored, jlong offset_seconds)
{
    static const jlong farthest = INT64_C(0x0100000000);
    struct timespec now;

    (void)env;
    (void)ignored;
    clock_gettime(CLOCK_REALTIME, &now);
    if (offset_seconds <= now.tv_sec - farthest || offset_seconds >= now.tv_sec + farthest)
        return -1;
    return (now.tv_sec - offset_seconds) * 1000000000 + now.tv_nsec;
}

/* ---- properties ---- */

static struct object *
string_array(struct thread *self, int32_t length)
{
    return keep(self, array_new(self, self->vm->known.string_array, length));
}

static bool
put_string(struct thread *self, struct object *array, int32_t index, const char *text)
{
    struct object *s = string_from_utf8(self, text);

    ARRAY_REFS(array)[index] = s;
    return s != NULL;
}

/* Key, value, key, value… */
JNIEXPORT jobjectArray JNICALL
JVM_GetProperties(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct system_property *p;
    int32_t count = 0, i = 0;

    for (p = self->vm->options.properties; p; p = p->next)
        count += !p->internal;
    struct object *result = string_array(self, 2 * count);
    for (p = self->vm->options.properties; result && p; p = p->next) {
        if (p->internal)
            continue;
        if (!put_string(self, result, i, p->key)
            || !put_string(self, result, i + 1, p->value))
            return NULL;
        i += 2;
    }
    return object_ref(self, result);
}

JNIEXPORT jobjectArray JNICALL
JVM_GetVmArguments(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct vm_options *o = &self->vm->options;
    struct object *result;

    if (o->vm_arg_count == 0)
        return NULL;
    result = string_array(self, (int32_t)o->vm_arg_count);
    for (size_t i = 0; result && i < o->vm_arg_count; i++)
        if (!put_string(self, result, (int32_t)i, o->vm_args[i]))
            return NULL;
    return object_ref(self, result);
}

static bool
put_property(struct thread *self, struct object *properties, const char *key,
             const char *value)
{
    struct method *put = class_find_method(
        object_class(properties), symbol_of("put"),
        symbol_of("(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"));
    union slot args[3], ignored;
    SCOPE(self);

    if (!put || !value)
        return true;
    put = select_method(self, object_class(properties), put);
    args[0].ref = properties;
    args[1].ref = keep(self, string_from_utf8(self, key));
    args[2].ref = args[1].ref ? keep(self, string_from_utf8(self, value)) : NULL;
    return args[2].ref && put && java_call(self, put, args, &ignored);
}

/* What attached tools may ask for beside the system properties. */
JNIEXPORT jobject JNICALL
JVM_InitAgentProperties(JNIEnv *env, jobject properties)
{
    VM_ENTRY(env);
    struct object *p = ref_get(properties);
    const struct vm_options *o = &self->vm->options;
    char *args = mem_strdup("");

    if (!p) {
        mem_free(args);
        throw_null_pointer(self);
        return NULL;
    }
    for (size_t i = 0; i < o->vm_arg_count; i++) {
        char *longer = mem_printf("%s%s%s", args, i ? " " : "", o->vm_args[i]);
        mem_free(args);
        args = longer;
    }
    const char *command = property_value(self->vm, "sun.java.command");
    put_property(self, p, "sun.java.command", command ? command : "");
    if (!exception_pending(self))
        put_property(self, p, "sun.jvm.flags", "");
    if (!exception_pending(self))
        put_property(self, p, "sun.jvm.args", args);
    mem_free(args);
    return properties;
}

JNIEXPORT jstring JNICALL
JVM_GetTemporaryDirectory(JNIEnv *env)
{
    VM_ENTRY(env);

    return object_ref(self, string_from_utf8(self, "/tmp"));
}

/* ---- the end ---- */

static void (*before_exit)(struct thread *self);

void
jdk_set_before_exit(void (*fn)(struct thread *self))
{
    before_exit = fn;
}

JNIEXPORT void JNICALL
JVM_BeforeHalt(void)
{
}

/* The world stays stopped: no thread runs Java while the process ends, nor do handlers
   of its end in this thread. */
JNIEXPORT void JNICALL
JVM_Halt(jint code)
{
    struct thread *self = current_thread;
    struct vm *vm = self->vm;

    thread_enter_vm(self);
    vm->is_exiting = true;
    vm->exit_code = code;
    if (before_exit)
        before_exit(self);
    world_stop(self, "exit");
    if (vm->options.exit_hook)
        vm->options.exit_hook(code);
    current_thread = NULL;
    exit(code);
}

/* ---- memory and processors ---- */

JNIEXPORT void JNICALL
JVM_GC(void)
{
    struct thread *self = current_thread;

    thread_enter_vm(self);
    vm_collect(self, "System.gc()", false);
    thread_leave_vm(self);
}

JNIEXPORT jlong JNICALL
JVM_MaxObjectInspectionAge(void)
{
    const struct vm *vm = the_vm;
    int64_t last = OBJECT_FIELD(int64_t, KC(vm, SoftReference)->layout.mirror,
                                KF(vm, SoftReference_clock));

    if (last == 0)
        last = (int64_t)vm->start_wall_millis;
    return os_wall_nanos() / 1000000 - last;
}

static struct heap_usage
usage_now(void)
{
    struct heap_usage usage;

    heap_get_usage(the_vm->heap, &usage);
    return usage;
}

JNIEXPORT jlong JNICALL
JVM_TotalMemory(void)
{
    return (jlong)usage_now().committed;
}

JNIEXPORT jlong JNICALL
JVM_FreeMemory(void)
{
    struct heap_usage usage = usage_now();

    return usage.used < usage.committed ? (jlong)(usage.committed - usage.used) : 0;
}

JNIEXPORT jlong JNICALL
JVM_MaxMemory(void)
{
    return (jlong)usage_now().maximum;
}

JNIEXPORT jint JNICALL
JVM_ActiveProcessorCount(void)
{
    return os_processor_count();
}

JNIEXPORT jboolean JNICALL
JVM_IsUseContainerSupport(void)
{
    return JNI_TRUE;
}

JNIEXPORT jboolean JNICALL
JVM_SupportsCX8(void)
{
    return JNI_TRUE;
}

/* ---- objects and strings ---- */

JNIEXPORT jint JNICALL
JVM_IHashCode(JNIEnv *env, jobject o)
{
    VM_ENTRY(env);

    (void)self;
    return o ? object_identity_hash(ref_get(o)) : 0;
}

/* The methods that have C bodies are those of Object and System. */
static jobject
call_intrinsic(struct thread *self, const char *class_name, const char *name,
               const char *descriptor, union slot *args)
{
    struct class *c = class_load_boot(self, class_name);
    struct method *m =
        c ? class_own_method(c, symbol_of(name), symbol_of(descriptor)) : NULL;
    union slot result = { .ref = NULL };

    if (!m || !java_call(self, m, args, &result))
        return NULL;
    return object_ref(self, result.ref);
}

JNIEXPORT jobject JNICALL
JVM_Clone(JNIEnv *env, jobject o)
{
    VM_ENTRY(env);
    union slot args[1] = { { .ref = ref_get(o) } };

    return call_intrinsic(self, "java/lang/Object", "clone", "()Ljava/lang/Object;",
                          args);
}

JNIEXPORT void JNICALL
JVM_ArrayCopy(JNIEnv *env, jclass ignored, jobject src, jint src_pos, jobject dst,
              jint dst_pos, jint length)
{
    VM_ENTRY(env);
    struct method *m =
        class_own_method(KC(self->vm, System), symbol_of("arraycopy"),
                         symbol_of("(Ljava/lang/Object;ILjava/lang/Object;II)V"));
    union slot args[5] = { { .ref = ref_get(src) }, { .i = src_pos },
                           { .ref = ref_get(dst) }, { .i = dst_pos }, { .i = length } };

    (void)ignored;
    if (m)
        java_call(self, m, args, NULL);
}

JNIEXPORT jstring JNICALL
JVM_InternString(JNIEnv *env, jstring s)
{
    VM_ENTRY(env);
    struct object *o = ref_get(s);

    return o ? object_ref(self, string_intern(self, o)) : NULL;
}

/* ---- packages of the boot loader ---- */

/* "jrt:/java.base" for a module's package, else the path that it came from. */
static char *
package_source(const struct vm *vm, const struct package *p)
{
    const char *path;

    if (p->module && p->module->name)
        return mem_printf("jrt:/%s", p->module->name->bytes);
    path = p->class_path_index >= 0 ? boot_source(vm, p->class_path_index) : NULL;
    return path ? mem_strdup(path) : NULL;
}

/* Packages that classes were defined in; those of modules count too. */
static bool
has_classes(const struct package *p)
{
    return p->has_classes;
}

JNIEXPORT jstring JNICALL
JVM_GetSystemPackage(JNIEnv *env, jstring name)
{
    VM_ENTRY(env);
    struct object *text = ref_get(name);
    const struct symbol *symbol = text ? string_to_symbol(text, true) : NULL;
    const struct package *p =
        symbol ? package_find(self->vm->boot_loader, symbol) : NULL;
    char *source = p && has_classes(p) ? package_source(self->vm, p) : NULL;
    jstring result = source ? object_ref(self, string_from_utf8(self, source)) : NULL;

    mem_free(source);
    return result;
}

JNIEXPORT jobjectArray JNICALL
JVM_GetSystemPackages(JNIEnv *env)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    struct ptrmap_entry *e;
    size_t count = 0;

    mutex_lock(&vm->class_mutex);
    const struct symbol **names =
        mem_alloc((vm->boot_loader->packages.count + 1) * sizeof *names);
    for (size_t at = 0; (e = ptrmap_next(&vm->boot_loader->packages, &at));)
        if (has_classes(e->value))
            names[count++] = e->key;
    mutex_unlock(&vm->class_mutex);
    struct object *result = string_array(self, (int32_t)count);
    for (size_t i = 0; result && i < count; i++) {
        struct object *s = string_from_symbol(self, names[i]);
        ARRAY_REFS(result)[i] = s;
        if (!s)
            result = NULL;
    }
    mem_free(names);
    return object_ref(self, result);
}
