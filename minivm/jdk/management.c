/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management.c -- java.lang.management: attributes, options, commands. */

#include <unistd.h>

#include "base/os.h"
#include "jdk/attach.h"
#include "jdk/flags.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "vm/string.h"

static struct {
    bool contention, cpu_time, allocated;
} switches = { .cpu_time = true, .allocated = true };

bool
management_contention(void)
{
    return switches.contention;
}

static jint JNICALL
get_version(JNIEnv *env UNUSED)
{
    return JMM_VERSION;
}

static jint JNICALL
get_optional_support(JNIEnv *env UNUSED, struct jmm_support *support)
{
    *support = (struct jmm_support){ .contention = 1, .own_cpu_time = 1,
                                     .other_cpu_time = 1, .monitor_usage = 1,
                                     .synchronizer_usage = 1, .allocated_memory = 1,
                                     .remote_commands = 1 };
    return 0;
}

/* ---- attributes ---- */

static jlong
count_threads(struct vm *vm, bool daemons_only)
{
    jlong count = 0;

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t)
        count += thread_is_visible(t) && (t->is_daemon || !daemons_only);
    threads_unlock(vm);
    return count;
}

static void
add_class_bytes(void *context, struct class *c)
{
    if (c->pool)
        *(jlong *)context += (jlong)c->pool->file->length;
}

static jlong
class_bytes(struct vm *vm)
{
    jlong bytes = 0;

    classes_visit(vm, false, add_class_bytes, &bytes);
    return bytes;
}

/* What the VM does not measure is -1, as the interface has it. */
static jlong
long_attribute(struct vm *vm, int attribute)
{
    switch (attribute) {
    case JMM_CLASS_LOADED_COUNT:
        return (jlong)vm->classes_loaded;
    case JMM_CLASS_UNLOADED_COUNT:
        return (jlong)vm->classes_unloaded;
    case JMM_THREAD_TOTAL_COUNT:
        return (jlong)vm->started_threads;
    case JMM_THREAD_LIVE_COUNT:
        return count_threads(vm, false);
    case JMM_THREAD_PEAK_COUNT:
        return vm->peak_threads;
    case JMM_THREAD_DAEMON_COUNT:
        return count_threads(vm, true);
    case JMM_INIT_DONE_TIME_MS:
        return (jlong)vm->start_wall_millis;
    case JMM_GC_TIME_MS:
        return (jlong)(heap_usage_now().nanoseconds / 1000000);
    case JMM_GC_COUNT:
        return (jlong)heap_usage_now().collections;
    case JMM_UPTIME_MS:
        return (os_nanos() - (jlong)vm->start_nanos) / 1000000;
    case JMM_CLASS_LOADED_BYTES:
        return class_bytes(vm);
    case JMM_SHARED_LOADED_COUNT: case JMM_SHARED_UNLOADED_COUNT:
    case JMM_SHARED_LOADED_BYTES: case JMM_SHARED_UNLOADED_BYTES:
    case JMM_METHOD_DATA_BYTES: case JMM_VM_THREAD_COUNT: case JMM_COMPILE_TIME_MS:
        return 0;
    case JMM_PROCESS_ID:
        return getpid();
    case JMM_PHYSICAL_BYTES:
        return (jlong)os_physical_memory();
    case JMM_GC_ATTRIBUTE_COUNT:
        return 1;
    case JMM_GLOBAL_COUNT:
        return VM_FLAG_COUNT;
    default:
        return -1;
    }
}

JMM_VALUE(jlong, get_long_attribute, (JNIEnv *env, jobject o UNUSED, int attribute),
          long_attribute(self->vm, attribute))

static jint JNICALL
get_long_attributes(JNIEnv *env, jobject o UNUSED, const int *attributes, jint count,
                    jlong *results)
{
    VM_ENTRY(env);

    for (jint i = 0; i < count; i++)
        results[i] = long_attribute(self->vm, attributes[i]);
    return count;
}

/* Where it is kept, or NULL. */
static bool *
bool_attribute(int attribute)
{
    switch (attribute) {
    case JMM_VERBOSE_GC:
        return &the_vm->options.verbose_gc;
    case JMM_VERBOSE_CLASS:
        return &the_vm->options.verbose_class;
    case JMM_THREAD_CONTENTION:
        return &switches.contention;
    case JMM_THREAD_CPU_TIME:
        return &switches.cpu_time;
    case JMM_THREAD_ALLOCATED:
        return &switches.allocated;
    default:
        return NULL;
    }
}

static jboolean JNICALL
get_bool_attribute(JNIEnv *env UNUSED, int attribute)
{
    const bool *place = bool_attribute(attribute);

    return place && *place;
}

static jboolean JNICALL
set_bool_attribute(JNIEnv *env, int attribute, jboolean flag)
{
    jboolean old = get_bool_attribute(env, attribute);
    bool *place = bool_attribute(attribute);

    if (place)
        *place = flag;
    return old;
}

/* ---- options (HotSpotDiagnosticMXBean) ---- */

static jobjectArray JNICALL
get_global_names(JNIEnv *env)
{
    VM_ENTRY(env);
    struct object *names = java_new_strings(self, VM_FLAG_COUNT);

    for (size_t i = 0; names && i < VM_FLAG_COUNT; i++)
        if (!java_put(names, i, string_from_utf8(self, vm_flags[i].name)))
            return NULL;
    return object_ref(self, names);
}

static struct jmm_global
flag_global(struct thread *self, const struct vm_flag *f, struct object *name)
{
    const struct vm_options *o = &self->vm->options;
    struct jmm_global g = {
        .name = object_ref(self, name), .external = 1,
        .type = flag_is_bool(f) ? JMM_TYPE_BOOLEAN : JMM_TYPE_LONG,
        .origin = flag_was_given(o, f->name) ? JMM_ORIGIN_COMMAND_LINE
                                             : JMM_ORIGIN_DEFAULT
    };

    if (flag_is_bool(f))
        g.value.z = (jboolean)flag_value(o, f);
    else
        g.value.j = flag_value(o, f);
    return g;
}

/* names null: all.  An unknown one gets a null name. */
static jint JNICALL
get_globals(JNIEnv *env, jobjectArray names, struct jmm_global *globals, jint count)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(names);
    jint limit = array ? array_length(array) : VM_FLAG_COUNT, known = 0;

    for (jint i = 0; i < count && i < limit; i++) {
        TEXTS(t);
        struct object *name =
            array ? ARRAY_REFS(array)[i]
                  : keep(self, string_from_utf8(self, vm_flags[i].name));
        if (!name) {
            if (!exception_pending(self))
                THROW0(self, NullPointerException);
            return 0;
        }
        const struct vm_flag *f = flag_find(own(&t, string_to_utf8(name)));
        globals[i] =
            f ? flag_global(self, f, name) : (struct jmm_global){ .name = NULL };
        known += f != NULL;
    }
    return known;
}

static void JNICALL
set_global(JNIEnv *env, jstring name, jvalue value UNUSED)
{
    VM_ENTRY(env);
    const struct object *text = ref_get(name);
    TEXTS(t);

    THROW(self, IllegalArgumentException, "This flag is not writeable: %s",
          text ? own(&t, string_to_utf8(text)) : "null");
}

/* ---- DiagnosticCommandMBean ---- */

static jobjectArray JNICALL
get_commands(JNIEnv *env)
{
    VM_ENTRY(env);
    size_t count = 0;

    while (diagnostic_commands[count].name)
        count++;
    struct object *names = java_new_strings(self, count);
    for (size_t i = 0; names && i < count; i++)
        if (!java_put(names, i, string_from_utf8(self, diagnostic_commands[i].name)))
            return NULL;
    return object_ref(self, names);
}

/* NULL with an exception pending. */
static const struct diagnostic_command *
command_of(struct thread *self, const struct object *name)
{
    TEXTS(t);

    if (!name)
        return THROW(self, NullPointerException, "Command name cannot be null.");
    const struct diagnostic_command *c = diagnostic_find(own(&t, string_to_utf8(name)));
    return c ? c : THROW(self, IllegalArgumentException, "Unknown diagnostic command");
}

static void JNICALL
get_command_info(JNIEnv *env, jobjectArray names, struct jmm_command *infos)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(names);

    for (int32_t i = 0; array && i < array_length(array); i++) {
        const struct diagnostic_command *c = command_of(self, ARRAY_REFS(array)[i]);
        if (!c)
            return;
        infos[i] = (struct jmm_command){
            c->name, c->description, c->impact, c->permission[0], c->permission[1],
            c->permission[2], diagnostic_argument_count(c), JNI_TRUE
        };
    }
}

static void JNICALL
get_command_arguments(JNIEnv *env, jstring name, struct jmm_command_argument *infos)
{
    VM_ENTRY(env);
    const struct diagnostic_command *c = command_of(self, ref_get(name));
    int position = 0;

    for (int i = 0; c && i < diagnostic_argument_count(c); i++) {
        const struct diagnostic_argument *a = &c->arguments[i];
        infos[i] = (struct jmm_command_argument){
            a->name, a->description, a->type, a->initial, a->is_mandatory, a->is_option,
            JNI_FALSE, a->is_option ? -1 : position++
        };
    }
}

static jstring JNICALL
execute_command(JNIEnv *env, jstring command)
{
    VM_ENTRY(env);
    const struct object *text = ref_get(command);
    struct object *result = NULL;
    struct buf out;
    TEXTS(t);

    if (!text)
        return THROW(self, NullPointerException, "Command line cannot be null.");
    buf_init(&out);
    if (diagnostic_run(self, own(&t, string_to_utf8(text)), &out))
        result = string_from_utf8(self, buf_string(&out));
    buf_release(&out);
    return object_ref(self, result);
}

/* ---- what this VM does not have ---- */

static void JNICALL
set_command_notification(JNIEnv *env UNUSED, jboolean enabled UNUSED)
{
}

static jint JNICALL
dump_heap(JNIEnv *env, jstring file UNUSED, jboolean live UNUSED)
{
    VM_ENTRY(env);

    THROW(self, UnsupportedOperationException, "the VM writes no heap dumps");
    return -1;
}

/* There are no threads of the VM's own but Java threads. */
static jint JNICALL
get_internal_times(JNIEnv *env UNUSED, jobjectArray names UNUSED,
                   jlongArray times UNUSED)
{
    return 0;
}

/* The interface of that version, or NULL when this VM has no such. */
JNIEXPORT void *JNICALL
JVM_GetManagement(jint version)
{
    static struct jmm_interface table = {
        .GetVersion = get_version,
        .GetOptionalSupport = get_optional_support,
        .GetLongAttribute = get_long_attribute,
        .GetLongAttributes = get_long_attributes,
        .GetBoolAttribute = get_bool_attribute,
        .SetBoolAttribute = set_bool_attribute,
        .GetVMGlobalNames = get_global_names,
        .GetVMGlobals = get_globals,
        .SetVMGlobal = set_global,
        .GetInternalThreadTimes = get_internal_times,
        .DumpHeap0 = dump_heap,
        .GetDiagnosticCommands = get_commands,
        .GetDiagnosticCommandInfo = get_command_info,
        .GetDiagnosticCommandArgumentsInfo = get_command_arguments,
        .ExecuteDiagnosticCommand = execute_command,
        .SetDiagnosticFrameworkNotificationEnabled = set_command_notification,
    };

    if ((version & JMM_MAJOR_MASK) != (JMM_VERSION & JMM_MAJOR_MASK))
        return NULL;
    management_fill_threads(&table);
    management_fill_memory(&table);
    return &table;
}
