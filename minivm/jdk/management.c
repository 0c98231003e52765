/* SPDX-License-Identifier: MIT */
/* minivm/jdk/management.c -- java.lang.management: attributes, options, commands. */

#include <string.h>
#include <unistd.h>

#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"

struct management_switches management_switches = { .cpu_time = true,
                                                   .allocated = true };

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

/* JMM's number and name of an attribute, and its value. */
#define ATTRIBUTE(number, name, value) \
    case number: \
        return (jlong)(value)

/* What the VM does not measure is -1, as the interface has it. */
static jlong
long_attribute(struct vm *vm, int attribute)
{
    switch (attribute) {
    ATTRIBUTE(1, CLASS_LOADED_COUNT, vm->classes_loaded);
    ATTRIBUTE(2, CLASS_UNLOADED_COUNT, vm->classes_unloaded);
    ATTRIBUTE(3, THREAD_TOTAL_COUNT, vm->started_threads);
    ATTRIBUTE(4, THREAD_LIVE_COUNT, count_threads(vm, false));
    ATTRIBUTE(5, THREAD_PEAK_COUNT, vm->peak_threads);
    ATTRIBUTE(6, THREAD_DAEMON_COUNT, count_threads(vm, true));
    ATTRIBUTE(7, INIT_DONE_TIME_MS, vm->start_wall_millis);
    ATTRIBUTE(8, COMPILE_TIME_MS, 0);
    ATTRIBUTE(9, GC_TIME_MS, heap_get_usage(the_vm->heap).nanoseconds / 1000000);
    ATTRIBUTE(10, GC_COUNT, heap_get_usage(the_vm->heap).collections);
    ATTRIBUTE(11, UPTIME_MS, (os_nanos() - (jlong)vm->start_nanos) / 1000000);
    ATTRIBUTE(101, CLASS_LOADED_BYTES, class_bytes(vm));
    ATTRIBUTE(104, GLOBAL_COUNT, VM_FLAG_COUNT);
    ATTRIBUTE(109, VM_THREAD_COUNT, 0);
    ATTRIBUTE(112, METHOD_DATA_BYTES, 0);
    ATTRIBUTE(114, SHARED_CLASS_LOADED_COUNT, 0);
    ATTRIBUTE(115, SHARED_CLASS_UNLOADED_COUNT, 0);
    ATTRIBUTE(116, SHARED_CLASS_LOADED_BYTES, 0);
    ATTRIBUTE(117, SHARED_CLASS_UNLOADED_BYTES, 0);
    ATTRIBUTE(201, OS_PROCESS_ID, getpid());
    ATTRIBUTE(202, OS_MEM_TOTAL_PHYSICAL_BYTES, os_physical_memory());
    ATTRIBUTE(401, GC_EXT_ATTRIBUTE_INFO_SIZE, 1);
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
    struct vm_options *o = &the_vm->options;
    struct management_switches *s = &management_switches;
    /* From VERBOSE_GC on, in JMM's order. */
    bool *const places[] = { &o->verbose_gc, &o->verbose_class, &s->contention,
                             &s->cpu_time, &s->allocated };
    const int first = 21, count = sizeof places / sizeof *places;

    return attribute >= first && attribute < first + count ? places[attribute - first]
                                                           : NULL;
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
    size_t mark = self->handle_count;

    for (size_t i = 0; i < VM_FLAG_COUNT; i++)
        keep(self, string_from_utf8(self, vm_flags[i].name));
    return object_ref(self, java_kept_strings(self, mark));
}

static struct jmm_global
flag_global(struct thread *self, const struct vm_flag *f, struct object *name)
{
    const struct vm_options *o = &self->vm->options;
    jvalue value;

    if (flag_is_text(f))
        value.l = object_ref(self, keep(self, string_from_utf8(self, flag_text(o, f))));
    else if (flag_is_bool(f))
        value = (jvalue){ .z = flag_value(o, f) != 0 };
    else
        value.j = flag_value(o, f);
    return (struct jmm_global){
        .name = object_ref(self, name), .external = 1, .value = value,
        .type = flag_is_text(f)   ? JMM_TYPE_STRING
                : flag_is_bool(f) ? JMM_TYPE_BOOLEAN : JMM_TYPE_LONG,
        .origin = flag_was_given(o, f->name) ? JMM_ORIGIN_COMMAND_LINE
                                             : JMM_ORIGIN_DEFAULT
    };
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
    size_t mark = self->handle_count;

    FOR_EACH_COMMAND(c)
        keep(self, string_from_utf8(self, c->info.name));
    return object_ref(self, java_kept_strings(self, mark));
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
        infos[i] = c->info;
    }
}

static void JNICALL
get_command_arguments(JNIEnv *env, jstring name, struct jmm_command_argument *infos)
{
    VM_ENTRY(env);
    const struct diagnostic_command *c = command_of(self, ref_get(name));

    if (c)
        memcpy(infos, c->arguments, (size_t)c->info.argument_count * sizeof *infos);
}

static jstring JNICALL
execute_command(JNIEnv *env, jstring command)
{
    VM_ENTRY(env);
    const struct object *text = ref_get(command);
    struct object *result = NULL;
    struct buf out = { 0 };
    TEXTS(t);

    if (!text)
        return THROW(self, NullPointerException, "Command line cannot be null.");
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
