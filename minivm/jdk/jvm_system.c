/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_system.c -- JVM_ functions of System, Runtime, Object and their
 * like: time, properties, exit, memory, processors, packages.
 *
 * The end of the process begins in JVM_Halt (Runtime.halt, at the end of Shutdown): it
 * sends the last events by the hook of jdk_set_before_exit, stops the world for good,
 * and calls exit(). */

#include <stdlib.h>
#include <string.h>

#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "linking/boot_path.h"
#include "linking/loader.h"
#include "linking/module.h"
#include "runtime/call.h"
#include "runtime/vm.h"
#include "threads/safepoint.h"

/* ---- time ---- */

/* System.currentTimeMillis. */
JNIEXPORT jlong JNICALL
JVM_CurrentTimeMillis(JNIEnv *env UNUSED, jclass ignored UNUSED)
{
    return os_wall_nanos() / 1000000;
}

/* System.nanoTime. */
JNIEXPORT jlong JNICALL
JVM_NanoTime(JNIEnv *env UNUSED, jclass ignored UNUSED)
{
    return os_nanos();
}

/*
 * VM.getNanoTimeAdjustment: the nanoseconds since 1970 less offset_seconds; -1 when the
 * offset is too far from now for a long of nanoseconds.
 */
JNIEXPORT jlong JNICALL
JVM_GetNanoTimeAdjustment(JNIEnv *env UNUSED, jclass ignored UNUSED,
                          jlong offset_seconds)
{
    static const jlong farthest = INT64_C(0x0100000000);
    int64_t now = os_wall_nanos(), seconds = now / 1000000000;

    if (offset_seconds <= seconds - farthest || offset_seconds >= seconds + farthest)
        return -1;
    return (seconds - offset_seconds) * 1000000000 + now % 1000000000;
}

/* ---- properties ---- */

/* SystemProps.Raw.vmProperties: a String[] of key, value, key, value and so on. */
JNIEXPORT jobjectArray JNICALL
JVM_GetProperties(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct system_property *p = self->vm->options.properties;
    size_t mark = self->handle_count;

    for (; p; p = p->next) {
        handle_new(self, string_from_utf8(self, p->key));
        handle_new(self, string_from_utf8(self, p->value));
    }
    return object_ref(self, strings_from_handles(self, mark));
}

/* RuntimeMXBean.getInputArguments; null when there are none. */
JNIEXPORT jobjectArray JNICALL
JVM_GetVmArguments(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct vm_options *o = &self->vm->options;
    size_t mark = self->handle_count;

    for (size_t i = 0; i < o->vm_arg_count; i++)
        handle_new(self, string_from_utf8(self, o->vm_args[i]));
    return o->vm_arg_count ? object_ref(self, strings_from_handles(self, mark)) : NULL;
}

/* Puts a pair into a java.util.Properties.  Returns false with an exception pending. */
static bool
put_property(struct thread *self, struct object *properties, const char *key,
             const char *value)
{
    union slot args[3] = { { .ref = properties }, { .ref = NULL } }, ignored;
    HANDLE_SCOPE(self);

    args[1].ref = handle_new(self, string_from_utf8(self, key));
    args[2].ref = args[1].ref ? handle_new(self, string_from_utf8(self, value)) : NULL;
    return args[2].ref
           && java_call_named(self, KC(self->vm, Properties), "put",
                              "(Ljava/lang/Object;Ljava/lang/Object;)"
                              "Ljava/lang/Object;",
                              args, &ignored);
}

/*
 * VMSupport.initAgentProperties: the properties that attached tools may ask for besides
 * the system properties.
 */
JNIEXPORT jobject JNICALL
JVM_InitAgentProperties(JNIEnv *env, jobject properties)
{
    VM_ENTRY(env);
    struct object *p = ref_get(properties);
    const struct vm_options *o = &self->vm->options;
    const char *command = property_value(o, "sun.java.command");
    TEXTS(t);

    if (!p)
        return THROW0(self, NullPointerException);
    if (put_property(self, p, "sun.java.command", command ? command : "")
        && put_property(self, p, "sun.jvm.flags", ""))
        put_property(self, p, "sun.jvm.args", own(&t, vm_arguments(o)));
    return properties;
}

/* VMSupport.getVMTemporaryDirectory: where the files for attaching are. */
JNIEXPORT jstring JNICALL
JVM_GetTemporaryDirectory(JNIEnv *env)
{
    VM_ENTRY(env);

    return object_ref(self, string_from_utf8(self, "/tmp"));
}

/* ---- what the VM can do, and was asked to ---- */

/* PreviewFeatures: --enable-preview was given. */
JNIEXPORT jboolean JNICALL
JVM_IsPreviewEnabled(void)
{
    return the_vm->options.enable_preview;
}

/* Finalizer: finalizers run, unless --finalization=disabled was given (JEP 421). */
JNIEXPORT jboolean JNICALL
JVM_IsFinalizationEnabled(JNIEnv *env UNUSED)
{
    return !the_vm->options.no_finalization;
}

/* A finalizer has run: an event of the flight recorder, which this VM has not. */
JNIEXPORT void JNICALL
JVM_ReportFinalizationComplete(JNIEnv *env UNUSED, jobject o UNUSED)
{
}

/* Whether the VM makes machine code for calls of C functions.  Without it the class
   library makes them by libffi (foreign.c). */
JNIEXPORT jboolean JNICALL
JVM_IsForeignLinkerSupported(void)
{
    return JNI_FALSE;
}

/*
 * Whether a control group limits the process.  This VM sizes nothing by one, and
 * without it the class library takes the system's values.
 */
JNIEXPORT jboolean JNICALL
JVM_IsContainerized(void)
{
    return JNI_FALSE;
}

/*
 * libinstrument: whether to warn that an agent was loaded into a running VM (JEP 451);
 * not when that was allowed by name.
 */
JNIEXPORT jboolean JNICALL
JVM_PrintWarningAtDynamicAgentLoad(void)
{
    return the_vm->options.dynamic_agents == 0;
}

/* ---- the end ---- */

/*
 * What the end of the process does first.  It is a global variable since the end is the
 * process's, of which a VM is one (jdk_set_before_exit).
 */
static void (*before_exit)(struct thread *self);

void
jdk_set_before_exit(void (*fn)(struct thread *self))
{
    before_exit = fn;
}

/* Called before JVM_Halt; nothing is left to do here. */
JNIEXPORT void JNICALL
JVM_BeforeHalt(void)
{
}

/*
 * Ends the process.  The world stays stopped, so that no thread runs Java meanwhile;
 * nor do handlers of atexit in this thread, which is no longer one of the VM's.
 */
JNIEXPORT void JNICALL
JVM_Halt(jint code)
{
    struct thread *self = current_thread;
    struct vm *vm = self->vm;

    thread_enter_vm(self);
    vm->is_exiting = true;
    if (before_exit)
        before_exit(self);
    world_stop(self, "exit");
    if (vm->options.exit_hook)
        vm->options.exit_hook(code);
    current_thread = NULL;
    exit(code);
}

/* ---- memory and processors ---- */

/* Runtime.gc; -XX:+DisableExplicitGC makes it do nothing. */
JNIEXPORT void JNICALL
JVM_GC(void)
{
    struct thread *self = current_thread;

    if (self->vm->options.no_explicit_gc)
        return;
    thread_enter_vm(self);
    vm_collect(self, "System.gc()", KEEP_SOFT_REFERENCES);
    thread_leave_vm(self);
}

/*
 * GC.maxObjectInspectionAge: the milliseconds since the last collection, which has set
 * SoftReference.clock; before the first one, since the start of the VM.
 */
JNIEXPORT jlong JNICALL
JVM_MaxObjectInspectionAge(void)
{
    const struct vm *vm = the_vm;
    int64_t last = LONG_FIELD(vm, KC(vm, SoftReference)->layout.mirror,
                              SoftReference_clock);

    if (last == 0)
        last = (int64_t)vm->start_wall_millis;
    return os_wall_nanos() / 1000000 - last;
}

/* Runtime.totalMemory. */
JNIEXPORT jlong JNICALL
JVM_TotalMemory(void)
{
    return (jlong)heap_get_usage(the_vm->heap).committed;
}

/* Runtime.freeMemory. */
JNIEXPORT jlong JNICALL
JVM_FreeMemory(void)
{
    struct heap_usage usage = heap_get_usage(the_vm->heap);

    return usage.used < usage.committed ? (jlong)(usage.committed - usage.used) : 0;
}

/* Runtime.maxMemory. */
JNIEXPORT jlong JNICALL
JVM_MaxMemory(void)
{
    return (jlong)heap_get_usage(the_vm->heap).maximum;
}

/* Runtime.availableProcessors. */
JNIEXPORT jint JNICALL
JVM_ActiveProcessorCount(void)
{
    return vm_processor_count(the_vm);
}

/* Whether the class library may read the limits of control groups. */
JNIEXPORT jboolean JNICALL
JVM_IsUseContainerSupport(void)
{
    return JNI_TRUE;
}

/* Whether a long can be compared and swapped without a lock. */
JNIEXPORT jboolean JNICALL
JVM_SupportsCX8(void)
{
    return JNI_TRUE;
}

/* ---- objects and strings ---- */

/* System.identityHashCode. */
JNIEXPORT jint JNICALL
JVM_IHashCode(JNIEnv *env, jobject o)
{
    VM_ENTRY(env);

    return o ? object_identity_hash(ref_get(o)) : 0;
}

/* System.arraycopy by the native interface; the interpreter has the method's body. */
JNIEXPORT void JNICALL
JVM_ArrayCopy(JNIEnv *env, jclass ignored UNUSED, jobject src, jint src_pos,
              jobject dst, jint dst_pos, jint length)
{
    VM_ENTRY(env);
    union slot args[5] = { { .ref = ref_get(src) },
                           { .i = src_pos },
                           { .ref = ref_get(dst) },
                           { .i = dst_pos },
                           { .i = length } };

    java_call_named(self, KC(self->vm, System), "arraycopy",
                    "(Ljava/lang/Object;ILjava/lang/Object;II)V", args, NULL);
}

/* String.intern (JLS 3.10.5). */
JNIEXPORT jstring JNICALL
JVM_InternString(JNIEnv *env, jstring s)
{
    VM_ENTRY(env);
    struct object *o = ref_get(s);

    return o ? object_ref(self, string_intern(self, o)) : NULL;
}

/* ---- packages of the boot loader ---- */

/*
 * BootLoader.getSystemPackageLocation: where the boot loader's package comes from, as
 * "jrt:/java.base" for one of a module and else the path; null when it has no classes.
 */
JNIEXPORT jstring JNICALL
JVM_GetSystemPackage(JNIEnv *env, jstring name)
{
    VM_ENTRY(env);
    struct object *text = ref_get(name);
    const struct symbol *symbol = text ? string_to_symbol(text, DOTS_TO_SLASHES) : NULL;
    const struct package *p = symbol ? package_find(self->vm->boot_loader, symbol)
                                     : NULL;
    const char *source = NULL;
    int32_t path_index;
    TEXTS(t);

    if (!p || !package_source(p, &path_index))
        return NULL;
    if (p->module && p->module->name)
        source = own(&t, mem_printf("jrt:/%s", p->module->name->bytes));
    else if (path_index >= 0)
        source = boot_source(self->vm, path_index);
    return source ? object_ref(self, string_from_utf8(self, source)) : NULL;
}

/*
 * BootLoader.getSystemPackageNames: all packages in which the boot loader has defined
 * classes.  The names are copied under the mutex, and the strings made afterwards,
 * since that may stop.  Symbols are never freed.
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetSystemPackages(JNIEnv *env)
{
    VM_ENTRY(env);
    struct vm *vm = self->vm;
    size_t count = 0, mark = self->handle_count;
    struct ptrmap_entry *e;

    mutex_lock(&vm->class_mutex);
    const struct symbol **names = mem_alloc((vm->boot_loader->packages.count + 1)
                                            * sizeof *names);
    for (size_t at = 0; (e = ptrmap_next(&vm->boot_loader->packages, &at));)
        if (((const struct package *)e->value)->has_classes)
            names[count++] = e->key;
    mutex_unlock(&vm->class_mutex);
    for (size_t i = 0; i < count; i++)
        handle_new(self, string_from_symbol(self, names[i]));
    mem_free(names);
    return object_ref(self, strings_from_handles(self, mark));
}
