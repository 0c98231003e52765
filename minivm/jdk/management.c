/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management.c -- java.lang.management: attributes, options, commands. */

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os.h"
#include "jdk/attach.h"
#include "jdk/flags.h"
#include "jdk/jmm.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/string.h"

static struct {
    bool contention, no_cpu_time, no_allocated;
} switches;

bool
management_contention(void)
{
    return switches.contention;
}

struct object *
management_call(struct thread *self, const char *class_name, const char *method,
                const char *descriptor, union slot *args)
{
    struct class *c = class_load_boot(self, class_name);
    struct method *m =
        c && class_initialize(self, c)
            ? class_own_method(c, symbol_of(method), symbol_of(descriptor))
            : NULL;
    union slot result = { .ref = NULL };

    if (!m) {
        if (!exception_pending(self))
            THROW(self, InternalError, "no method %s.%s%s", class_name, method,
                  descriptor);
        return NULL;
    }
    if (!java_call(self, m, args, &result) || m->return_type != 'L')
        return NULL;
    return keep(self, result.ref);
}

static jint JNICALL
get_version(JNIEnv *env)
{
    (void)env;
    return JMM_VERSION;
}

static jint JNICALL
get_optional_support(JNIEnv *env, struct jmm_support *support)
{
    (void)env;
    *support = (struct jmm_support){ .contention = 1, .own_cpu_time = 1,
                                     .other_cpu_time = 1, .monitor_usage = 1,
                                     .synchronizer_usage = 1, .allocated_memory = 1,
                                     .remote_commands = 1 };
    return 0;
}

/* ---- attributes ---- */

struct thread_counts {
    jlong live, daemons;
};

static struct thread_counts
count_threads(struct vm *vm)
{
    struct thread_counts n = { 0, 0 };

    threads_lock(vm);
    FOR_EACH_THREAD(vm, t) {
        n.live += !t->is_hidden && t->object;
        n.daemons += !t->is_hidden && t->object && t->is_daemon;
    }
    threads_unlock(vm);
    return n;
}

static struct heap_usage
heap_usage(const struct vm *vm)
{
    struct heap_usage usage;

    heap_get_usage(vm->heap, &usage);
    return usage;
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
        return count_threads(vm).live;
    case JMM_THREAD_PEAK_COUNT:
        return vm->peak_threads;
    case JMM_THREAD_DAEMON_COUNT:
        return count_threads(vm).daemons;
    case JMM_INIT_DONE_TIME_MS:
        return (jlong)vm->start_wall_millis;
    case JMM_GC_TIME_MS:
        return (jlong)(heap_usage(vm).nanoseconds / 1000000);
    case JMM_GC_COUNT:
        return (jlong)heap_usage(vm).collections;
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

static jlong JNICALL
get_long_attribute(JNIEnv *env, jobject o, int attribute)
{
    VM_ENTRY(env);

    (void)o;
    return long_attribute(self->vm, attribute);
}

static jint JNICALL
get_long_attributes(JNIEnv *env, jobject o, const int *attributes, jint count,
                    jlong *results)
{
    VM_ENTRY(env);

    (void)o;
    for (jint i = 0; i < count; i++)
        results[i] = long_attribute(self->vm, attributes[i]);
    return count;
}

static bool
bool_attribute(const struct vm *vm, int attribute)
{
    switch (attribute) {
    case JMM_VERBOSE_GC:
        return vm->options.verbose_gc;
    case JMM_VERBOSE_CLASS:
        return vm->options.verbose_class;
    case JMM_THREAD_CONTENTION:
        return switches.contention;
    case JMM_THREAD_CPU_TIME:
        return !switches.no_cpu_time;
    case JMM_THREAD_ALLOCATED:
        return !switches.no_allocated;
    default:
        return false;
    }
}

static jboolean JNICALL
get_bool_attribute(JNIEnv *env, int attribute)
{
    return bool_attribute(env_thread(env)->vm, attribute);
}

static jboolean JNICALL
set_bool_attribute(JNIEnv *env, int attribute, jboolean flag)
{
    struct vm *vm = env_thread(env)->vm;
    bool old = bool_attribute(vm, attribute);

    switch (attribute) {
    case JMM_VERBOSE_GC:
        vm->options.verbose_gc = flag;
        break;
    case JMM_VERBOSE_CLASS:
        vm->options.verbose_class = flag;
        break;
    case JMM_THREAD_CONTENTION:
        switches.contention = flag;
        break;
    case JMM_THREAD_CPU_TIME:
        switches.no_cpu_time = !flag;
        break;
    case JMM_THREAD_ALLOCATED:
        switches.no_allocated = !flag;
        break;
    default:
        break;
    }
    return old;
}

/* ---- options (HotSpotDiagnosticMXBean) ---- */

static jobjectArray JNICALL
get_global_names(JNIEnv *env)
{
    VM_ENTRY(env);
    struct object *names =
        keep(self, array_new(self, self->vm->known.string_array, VM_FLAG_COUNT));

    for (int32_t i = 0; names && i < VM_FLAG_COUNT; i++) {
        struct object *s = string_from_utf8(self, vm_flags[i].name);
        if (!s)
            return NULL;
        ARRAY_REFS(names)[i] = s;
    }
    return object_ref(self, names);
}

static void
fill_flag(struct thread *self, const struct vm_flag *f, struct object *name,
          struct jmm_global *g)
{
    const struct vm_options *o = &self->vm->options;
    bool is_bool = f->type == 'Z' || f->type == 'C';

    *g = (struct jmm_global){
        .name = object_ref(self, name), .external = 1,
        .type = is_bool ? JMM_TYPE_BOOLEAN : JMM_TYPE_LONG,
        .origin = flag_was_given(o, f->name) ? JMM_ORIGIN_COMMAND_LINE
                                             : JMM_ORIGIN_DEFAULT
    };
    if (is_bool)
        g->value.z = (jboolean)flag_value(o, f);
    else
        g->value.j = flag_value(o, f);
}

/* names null: all.  An unknown one gets a null name. */
static jint JNICALL
get_globals(JNIEnv *env, jobjectArray names, struct jmm_global *globals, jint count)
{
    VM_ENTRY(env);
    const struct object *array = ref_get(names);
    jint known = 0;

    if (array && array_length(array) < count)
        count = array_length(array);
    for (jint i = 0; i < count && (array || i < VM_FLAG_COUNT); i++) {
        struct object *name = array ? ARRAY_REFS(array)[i]
                                    : keep(self, string_from_utf8(self,
                                                                  vm_flags[i].name));
        if (!name) {
            if (!exception_pending(self))
                THROW0(self, NullPointerException);
            return 0;
        }
        char *text = string_to_utf8(name);
        memset(&globals[i], 0, sizeof globals[i]);
        const struct vm_flag *f = flag_find(text);
        if (f) {
            fill_flag(self, f, name, &globals[i]);
            known++;
        }
        mem_free(text);
    }
    return known;
}

static void JNICALL
set_global(JNIEnv *env, jstring name, jvalue value)
{
    VM_ENTRY(env);
    char *text = ref_get(name) ? string_to_utf8(ref_get(name)) : mem_strdup("null");

    (void)value;
    THROW(self, IllegalArgumentException, "This flag is not writeable: %s", text);
    mem_free(text);
}

/* ---- DiagnosticCommandMBean ---- */

static jobjectArray JNICALL
get_commands(JNIEnv *env)
{
    VM_ENTRY(env);
    int32_t count = 0;

    while (diagnostic_commands[count].name)
        count++;
    struct object *names =
        keep(self, array_new(self, self->vm->known.string_array, count));
    for (int32_t i = 0; names && i < count; i++) {
        struct object *s = string_from_utf8(self, diagnostic_commands[i].name);
        if (!s)
            return NULL;
        ARRAY_REFS(names)[i] = s;
    }
    return object_ref(self, names);
}

/* NULL with an exception pending. */
static const struct diagnostic_command *
command_of(struct thread *self, const struct object *name)
{
    char *text = name ? string_to_utf8(name) : NULL;
    const struct diagnostic_command *c = text ? diagnostic_find(text) : NULL;

    mem_free(text);
    if (!name)
        THROW(self, NullPointerException, "Command name cannot be null.");
    else if (!c)
        THROW(self, IllegalArgumentException, "Unknown diagnostic command");
    return c;
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
    char *text = ref_get(command) ? string_to_utf8(ref_get(command)) : NULL;
    struct object *result = NULL;
    struct buf out;

    if (!text) {
        THROW(self, NullPointerException, "Command line cannot be null.");
        return NULL;
    }
    buf_init(&out);
    if (diagnostic_run(self, text, &out))
        result = string_from_utf8(self, buf_string(&out));
    buf_release(&out);
    mem_free(text);
    return object_ref(self, result);
}

/* ---- what this VM does not have ---- */

static void JNICALL
set_command_notification(JNIEnv *env, jboolean enabled)
{
    (void)env;
    (void)enabled;
}

static jint JNICALL
dump_heap(JNIEnv *env, jstring file, jboolean live)
{
    VM_ENTRY(env);

    (void)file;
    (void)live;
    THROW(self, UnsupportedOperationException, "the VM writes no heap dumps");
    return -1;
}

/* There are no threads of the VM's own but Java threads. */
static jint JNICALL
get_internal_times(JNIEnv *env, jobjectArray names, jlongArray times)
{
    (void)env;
    (void)names;
    (void)times;
    return 0;
}

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
