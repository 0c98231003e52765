/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/coverage.c -- the agent: probes into classes, options, output.
 *
 * A class that is loaded gets a static boolean field for each probe, and setting it is
 * all that is left to do while the program runs: no call, no array, no check, one byte
 * stored.  An interface gets an array, for its fields are final.  Classes that are
 * there already cannot get fields (JVM TI "Retransform Classes"): theirs are in a class
 * of their own, defined to the boot loader, where all can see it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coverage.h"

static const char about[] =
    "Measures which lines, branches and methods of a program are executed.";

enum { ON_EXIT = 1, ON_SIGNAL = 2 };

struct config {
    char *file;
    int format;
    char **include, **exclude, **on, **merge, **classes, **sourcepath;
    char *compare;              /* a file of format=data; NULL: none */
    int progress;
    bool append, unload;
    unsigned events;
};

/* A class with probes. */
struct probed {
    struct probed *next;        /* in its bucket */
    struct unit *unit;
    unsigned id;
    enum probe_place place;
    jobject klass;              /* NULL until it is prepared, then it stays; weak with
                                   `unload` */
    jclass holder;
    jfieldID *fields;           /* by probe; one for an array; NULL until needed */
    unsigned char *probes;
};

#define BUCKETS 4096

static struct {
    bool runs;
    struct config config;
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct tf_gate gate;
    /* Entries are added and never taken out, so that they are found without the lock: JNI
       asks for their classes, and is not called with a raw monitor entered. */
    struct probed *buckets[BUCKETS];
    unsigned next_id;
    unsigned left_out;
    struct tf_monitor lock;     /* of is_collecting, notified when it ends */
    bool is_collecting;         /* a thread reads and changes probes and fields */
} agent;

/* -- which classes -- */

static char *
dotted(const char *internal)
{
    struct tf_buffer name = { 0 };

    tf_buffer_modified_utf8(&name, internal, strlen(internal));
    for (size_t i = 0; i < name.length; i++)
        if (name.bytes[i] == '/')
            name.bytes[i] = '.';
    return tf_buffer_take(&name);
}

/* Without include= all but what comes with the VM, proxies among it. */
static bool
is_wanted(const void *argument, const char *internal, bool of_boot_loader)
{
    const struct config *config = argument;
    static char *of_vm[] = { (char *)"java.*", (char *)"jdk.*", (char *)"sun.*",
                             (char *)"com.sun.*", NULL };
    char *name;
    bool wanted;

    if (strncmp(internal, HOLDER, strlen(HOLDER)) == 0
        || (config->include == NULL && of_boot_loader))
        return false;
    name = dotted(internal);
    wanted = name != NULL && tf_name_wanted(config->include, config->exclude, name)
        && (config->include != NULL || tf_name_wanted(NULL, of_vm, name));
    free(name);
    return wanted;
}

/* -- probes -- */

static struct probed **
bucket_of(const char *name)
{
    return &agent.buckets[hash_bytes(HASH_START, name, strlen(name)) % BUCKETS];
}

static void
probed_add(struct probed *probed)
{
    struct probed **bucket = bucket_of(probed->unit->name);

    probed->next = __atomic_load_n(bucket, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bucket, &probed->next, probed, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
}

/* The first entry of the bucket; its successors do not change any more. */
static struct probed *
probed_first(struct probed **bucket)
{
    return __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
}

static jobject
class_of(const struct probed *probed)
{
    return __atomic_load_n(&probed->klass, __ATOMIC_ACQUIRE);
}

static void
probed_free(struct probed *probed)
{
    if (probed == NULL)
        return;
    unit_free(probed->unit);
    free(probed->probes);
    free(probed);
}

/* The entry of a loaded class; NULL for one that has none. */
static struct probed *
probed_find(JNIEnv *jni, const char *name, jclass klass)
{
    struct probed *probed = probed_first(bucket_of(name));

    while (probed != NULL
           && (class_of(probed) == NULL || strcmp(probed->unit->name, name) != 0
               || !(*jni)->IsSameObject(jni, class_of(probed), klass)))
        probed = probed->next;
    return probed;
}

static jobject
keep(JNIEnv *jni, jclass klass)
{
    return agent.config.unload ? (*jni)->NewWeakGlobalRef(jni, klass)
                               : (*jni)->NewGlobalRef(jni, klass);
}

/* -- holders -- */

/* Does the class's loader find the holder?  Some ask nobody for unknown names. */
static bool
is_seen(JNIEnv *jni, const char *holder_name, jclass holder, jobject loader)
{
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    char *name = dotted(holder_name);
    jstring text = name == NULL ? NULL : (*jni)->NewStringUTF(jni, name);
    jmethodID for_name = class_class == NULL ? NULL
        : (*jni)->GetStaticMethodID(jni, class_class, "forName",
              "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    jobject found = text == NULL || for_name == NULL ? NULL
        : (*jni)->CallStaticObjectMethod(jni, class_class, for_name, text, JNI_FALSE,
                                         loader);

    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionClear(jni);
        found = NULL;
    }
    free(name);
    return found != NULL && (*jni)->IsSameObject(jni, found, holder);
}

static jobject
module_of(JNIEnv *jni, jclass klass)
{
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");
    jmethodID get = class_class == NULL ? NULL
        : (*jni)->GetMethodID(jni, class_class, "getModule", "()Ljava/lang/Module;");
    jobject module = get == NULL ? NULL : (*jni)->CallObjectMethod(jni, klass, get);

    tf_clear_exception(jni, "getModule");
    return module;
}

/* A class for the probes of a loaded one, which must see it and read its module. */
static jclass
make_holder(JNIEnv *jni, unsigned id, uint32_t count, jclass klass, jobject loader)
{
    TF_SCOPED struct tf_scope scope;
    struct tf_buffer bytes = { 0 };
    char name[64], field[32];
    jclass holder = NULL;

    if (!tf_scope_open(&scope, agent.jvmti, jni, 16))
        return NULL;
    snprintf(name, sizeof name, HOLDER "%u", id);
    probe_name(field, sizeof field, id, 0);
    probe_holder(&bytes, name, id, count);
    if (!bytes.failed)
        holder = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes.bytes,
                                     (jsize)bytes.length);
    tf_buffer_release(&bytes);
    /* Asking for a field initializes it, so that it can be read. */
    if (holder != NULL)
        (*jni)->GetStaticFieldID(jni, holder, field, "Z");
    if (tf_clear_exception(jni, "a class for probes") || holder == NULL
        || (loader != NULL && !is_seen(jni, name, holder, loader)))
        return NULL;
    if (TF_HAS(agent.jvmti, 9, AddModuleReads)) {
        jobject from = module_of(jni, klass), to = module_of(jni, holder);

        if (from == NULL || to == NULL
            || !TF_CALL(agent.jvmti, AddModuleReads, (agent.jvmti, from, to)))
            return NULL;
    }
    return (*jni)->NewGlobalRef(jni, holder);
}

/* -- changing a class -- */

/*
 * A class that has probes is changed once more, by whoever it was: it gets the same
 * fields.  Where its code is another its probes are gone, and what was covered stays.
 */
static void
change_again(struct probed *probed, struct tf_class *c, const void *bytes,
             size_t length, struct tf_buffer *out)
{
    struct unit *unit = unit_of(c, bytes, length);

    if (unit != NULL && unit->hash == probed->unit->hash) {
        if (unit_analyze(unit, c, probed->place, probed->id))
            tf_class_write(c, out);
    } else if (probed->place != PROBES_HOLDER) {
        probe_add_fields(c, probed->place, probed->id, probed->unit->probe_count);
        tf_class_write(c, out);
    }
    unit_free(unit);
}

static bool
change(struct probed *probed, struct tf_class *c, const void *bytes, size_t length,
       struct tf_buffer *out)
{
    probed->unit = unit_of(c, bytes, length);
    if (probed->unit == NULL
        || !unit_analyze(probed->unit, c, probed->place, probed->id))
        return false;
    probed->probes = calloc(probed->unit->probe_count + 1u, 1);
    return probed->probes != NULL && probed->unit->probe_count > 0
        && tf_class_write(c, out);
}

static void
change_first(JNIEnv *jni, jclass loaded, jobject loader, struct tf_class *c,
             const void *bytes, size_t length, struct tf_buffer *out)
{
    struct probed *probed = calloc(1, sizeof *probed);
    bool changed;

    if (probed == NULL)
        return;
    probed->id = __atomic_fetch_add(&agent.next_id, 1, __ATOMIC_RELAXED);
    probed->place = loaded != NULL ? PROBES_HOLDER
        : (tf_class_access(c) & TF_ACC_INTERFACE) != 0 ? PROBES_ARRAY : PROBES_FIELDS;
    changed = change(probed, c, bytes, length, out);
    if (changed && loaded != NULL) {
        probed->holder = make_holder(jni, probed->id, probed->unit->probe_count, loaded,
                                     loader);
        probed->klass = probed->holder == NULL ? NULL : keep(jni, loaded);
        changed = probed->klass != NULL;
    }
    if (changed) {
        probed_add(probed);
        return;
    }
    /* Without code there is nothing to cover; all else is a pity. */
    if (probed->unit == NULL || probed->unit->probe_count > 0
        || tf_class_error(c) != NULL) {
        __atomic_fetch_add(&agent.left_out, 1, __ATOMIC_RELAXED);
        tf_info("%s is left out: %s", tf_class_name(c), tf_class_error(c) != NULL
                ? tf_class_error(c) : "its loader does not see the probes");
    }
    tf_buffer_clear(out);
    probed_free(probed);
}

static void JNICALL
on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *bytes,
              jint *new_length, unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };
    struct probed *probed = NULL;
    struct tf_class *c;

    (void)domain;
    /* Classes that are defined without a name have it in the class file only. */
    if (jni == NULL
        || (name != NULL && !is_wanted(&agent.config, name, loader == NULL))
        || !tf_gate_enter(&agent.gate))
        return;
    c = tf_class_parse(bytes, (size_t)length);
    if (c != NULL && tf_class_error(c) == NULL && !filter_skips_class(c)
        && (name != NULL
            || is_wanted(&agent.config, tf_class_name(c), loader == NULL))) {
        if (redefined != NULL)
            probed = probed_find(jni, tf_class_name(c), redefined);
        if (probed != NULL)
            change_again(probed, c, bytes, (size_t)length, &out);
        else
            change_first(jni, redefined, loader, c, bytes, (size_t)length, &out);
    }
    tf_class_free(c);
    /* The new bytes must be memory of JVM TI, which the VM gives back. */
    if (out.length > 0 && !out.failed
        && TF_CALL(jvmti, Allocate, (jvmti, (jlong)out.length, new_bytes))) {
        memcpy(*new_bytes, out.bytes, out.length);
        *new_length = (jint)out.length;
    }
    tf_buffer_release(&out);
    tf_gate_leave(&agent.gate);
}

/* -- from the class file to the class -- */

/* The number in the name of the first probe's field; -1 for other fields. */
static long
marker_of(jvmtiEnv *jvmti, jclass klass, jfieldID field, long *probe)
{
    char *name = NULL;
    long id = -1;

    *probe = -1;
    if (TF_CALL(jvmti, GetFieldName, (jvmti, klass, field, &name, NULL, NULL))) {
        if (strncmp(name, FIRST_FIELD, strlen(FIRST_FIELD)) == 0) {
            id = strtol(name + strlen(FIRST_FIELD), NULL, 10);
            *probe = 0;
        } else if (strncmp(name, FIELD, strlen(FIELD)) == 0)
            *probe = strtol(name + strlen(FIELD), NULL, 10);
    }
    tf_deallocate(jvmti, name);
    return id;
}

static bool
awaits(const char *name)
{
    struct probed *probed = probed_first(bucket_of(name));

    while (probed != NULL
           && (class_of(probed) != NULL || strcmp(probed->unit->name, name) != 0))
        probed = probed->next;
    return probed != NULL;
}

/* Two loaders may prepare classes of this name at a time, but each class has one entry. */
static void
set_class(JNIEnv *jni, struct probed *probed, jclass klass)
{
    jobject kept = keep(jni, klass), none = NULL;

    if (__atomic_compare_exchange_n(&probed->klass, &none, kept, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
        return;
    if (agent.config.unload)
        (*jni)->DeleteWeakGlobalRef(jni, kept);
    else
        (*jni)->DeleteGlobalRef(jni, kept);
}

static void
prepared(jvmtiEnv *jvmti, JNIEnv *jni, const char *name, jclass klass)
{
    jfieldID *fields = NULL;
    jint count = 0;
    long id = -1, probe;

    if (!TF_CALL(jvmti, GetClassFields, (jvmti, klass, &count, &fields)))
        return;
    for (jint i = 0; i < count && id < 0; i++)
        id = marker_of(jvmti, klass, fields[i], &probe);
    tf_deallocate(jvmti, fields);
    for (struct probed *probed = probed_first(bucket_of(name)); probed != NULL && id >= 0;
         probed = probed->next)
        if (probed->id == (unsigned)id && class_of(probed) == NULL)
            set_class(jni, probed, klass);
}

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    char *signature = NULL;

    (void)thread;
    if (!tf_gate_enter(&agent.gate))
        return;
    if (TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))
        && signature[0] == 'L') {
        signature[strlen(signature) - 1] = '\0';
        if (awaits(signature + 1))
            prepared(jvmti, jni, signature + 1, klass);
    }
    tf_deallocate(jvmti, signature);
    tf_gate_leave(&agent.gate);
}

/* -- reading the probes -- */

static bool
find_fields(struct probed *probed, jclass owner)
{
    jvmtiEnv *jvmti = agent.jvmti;
    jfieldID *fields = NULL;
    jint count = 0;

    if (probed->fields != NULL)
        return true;
    if (!TF_CALL(jvmti, GetClassFields, (jvmti, owner, &count, &fields)))
        return false;
    probed->fields = calloc(probed->unit->probe_count + 1u, sizeof *probed->fields);
    for (jint i = 0; probed->fields != NULL && i < count; i++) {
        long probe;

        marker_of(jvmti, owner, fields[i], &probe);
        if (probe >= 0 && (unsigned long)probe < probed->unit->probe_count)
            probed->fields[probe] = fields[i];
    }
    tf_deallocate(jvmti, fields);
    return probed->fields != NULL;
}

static void
read_probes(JNIEnv *jni, struct probed *probed)
{
    uint32_t count = probed->unit->probe_count;
    jclass klass = class_of(probed) == NULL ? NULL
        : (*jni)->NewLocalRef(jni, class_of(probed));
    jclass owner = probed->place == PROBES_HOLDER ? probed->holder : klass;

    if (owner == NULL || !find_fields(probed, owner))
        ;
    else if (probed->place == PROBES_ARRAY && probed->fields[0] != NULL) {
        jbooleanArray array = (*jni)->GetStaticObjectField(jni, owner,
                                                           probed->fields[0]);

        /* There is none before the interface is initialized. */
        if (array != NULL)
            (*jni)->GetBooleanArrayRegion(jni, array, 0, (jsize)count, probed->probes);
        (*jni)->DeleteLocalRef(jni, array);
    } else if (probed->place != PROBES_ARRAY)
        for (uint32_t p = 0; p < count; p++)
            if (probed->fields[p] != NULL)
                probed->probes[p] |= (*jni)->GetStaticBooleanField(jni, owner,
                                                                   probed->fields[p]);
    if (klass != NULL)
        (*jni)->DeleteLocalRef(jni, klass);
    unit_cover(probed->unit, probed->probes);
}

/* One thread at a time reads probes; false if the monitor fails. */
static bool
start_collecting(void)
{
    bool failed = false;

    if (!tf_monitor_enter(&agent.lock))
        return false;
    while (agent.is_collecting && !failed)
        failed = tf_monitor_wait(&agent.lock, 0) == TF_WAIT_FAILED;
    agent.is_collecting = true;
    tf_monitor_exit(&agent.lock);
    return !failed;
}

static void
end_collecting(void)
{
    if (!tf_monitor_enter(&agent.lock))
        return;
    agent.is_collecting = false;
    tf_monitor_notify_all(&agent.lock);
    tf_monitor_exit(&agent.lock);
}

/* Copies of all units, with what was executed so far.  A class that was never prepared
   counts as not executed, unless its loading failed and another took its place. */
static bool
collect(JNIEnv *jni, struct units *units)
{
    bool good = true;

    if (!start_collecting())
        return false;
    for (size_t b = 0; b < BUCKETS; b++)
        for (struct probed *probed = probed_first(&agent.buckets[b]);
             probed != NULL && good; probed = probed->next) {
            struct unit *copy;

            read_probes(jni, probed);
            copy = unit_copy(probed->unit);
            good = copy != NULL && units_add(units, copy);
        }
    end_collecting();
    return good;
}

/* -- output -- */

/* "OpenJDK 64-Bit Server VM 17.0.1"; the caller's to free(). */
static char *
vm_name(void)
{
    struct tf_buffer name = { 0 };
    char *value;

    for (int i = 0; i < 2; i++)
        if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, i == 0 ? "java.vm.name"
                                              : "java.vm.version", &value)
            == JVMTI_ERROR_NONE) {
            tf_buffer_format(&name, "%s%s", i == 0 ? "" : " ", value);
            tf_deallocate(agent.jvmti, value);
        }
    return tf_buffer_take(&name);
}

/* The page, perhaps beside that of an earlier run. */
static bool
write_page(const struct config *config, const struct report *report,
           struct progress *progress, FILE *out)
{
    struct units units = { 0 };
    struct report old = { 0 };
    char *vm = vm_name();
    bool good = config->compare == NULL || data_read(&units, config->compare);

    if (good && config->compare != NULL) {
        units_sort(&units);
        good = report_build(&old, &units, NULL);
        if (!good)
            tf_error("out of memory");
    }
    good = good && report_html(report, config->compare != NULL ? &old : NULL, vm,
                               config->file, progress, out);
    report_release(&old);
    units_release(&units);
    free(vm);
    return good;
}

static bool
write_units(const struct config *config, struct units *units, struct progress *progress)
{
    struct report report;
    bool good = true;
    struct tf_output *output = tf_output_open(config->file);
    FILE *out;

    if (output == NULL)
        return false;
    out = tf_output_stream(output);
    if (config->format == FORMAT_DATA) {
        struct tf_buffer data = { 0 };

        data_write(units, &data);
        if (data.failed) {
            tf_error("out of memory");
            tf_output_discard(output);
            return false;
        }
        tf_output_write(output, data.bytes, data.length);
        tf_buffer_release(&data);
        return tf_output_commit(output);
    }
    if (!report_build(&report, units, config->sourcepath)) {
        tf_error("out of memory");
        tf_output_discard(output);
        return false;
    }
    switch (config->format) {
    case FORMAT_TEXT: report_text(&report, out); break;
    case FORMAT_LCOV: report_lcov(&report, out); break;
    case FORMAT_JACOCO: report_jacoco(&report, out); break;
    case FORMAT_COBERTURA: report_cobertura(&report, config->sourcepath, out); break;
    default: good = write_page(config, &report, progress, out); break;
    }
    report_release(&report);
    if (!good) {
        tf_output_discard(output);
        return false;
    }
    return tf_output_commit(output);
}

/* Runs that saw other bytes of a class cannot be added up. */
static void
warn_of_versions(const struct units *units)
{
    size_t count = 0;

    for (size_t i = 1; i < units->count; i++)
        count += strcmp(units->list[i - 1]->name, units->list[i]->name) == 0;
    if (count > 0)
        tf_warning("%zu classes have more than one version; each counts", count);
}

/* Add the runs of merge=. */
static bool
add_runs(const struct config *config, struct units *units, struct progress *progress)
{
    uint64_t count = 0;
    bool good = true;

    while (config->merge != NULL && config->merge[count] != NULL)
        count++;
    for (uint64_t i = 0; good && i < count; i++) {
        good = data_read(units, config->merge[i]);
        progress_tell(progress, "adding runs", i + 1, count);
    }
    return good;
}

static bool
write_now(const struct config *config, JNIEnv *jni)
{
    struct units units = { 0 };
    struct progress progress;
    size_t known;
    bool good = collect(jni, &units);

    if (!good)
        tf_error("out of memory");
    progress_begin(&progress, "coverage", config->progress);
    good = good && add_runs(config, &units, &progress);
    if (good && config->append && access(config->file, F_OK) == 0)
        good = data_read(&units, config->file);
    if (good) {
        units_sort(&units);
        known = units.count;
        for (char **folder = config->classes; folder != NULL && *folder != NULL;
             folder++)
            units_add_folder(&units, *folder, known, config, is_wanted);
        units_sort(&units);
        warn_of_versions(&units);
        good = write_units(config, &units, &progress);
    }
    progress_end(&progress);
    if (good)
        progress_wrote("coverage", config->progress, config->file);
    if (good && units.count == 0 && config->include != NULL)
        tf_warning("no class that was loaded fits include");
    units_release(&units);
    if (agent.left_out > 0)
        tf_warning("%u classes are left out", agent.left_out);
    return good;
}

static void JNICALL
on_data_dump(jvmtiEnv *jvmti)
{
    bool detach = false;
    JNIEnv *jni = tf_jni(agent.vm, "coverage", &detach);

    (void)jvmti;
    if (jni == NULL || !tf_gate_enter(&agent.gate))
        return;
    write_now(&agent.config, jni);
    tf_gate_leave(&agent.gate);
    if (detach)
        (*agent.vm)->DetachCurrentThread(agent.vm);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    tf_gate_close(&agent.gate, 2000);
    if ((agent.config.events & ON_EXIT) != 0)
        write_now(&agent.config, jni);
}

/* -- start -- */

static bool
is_candidate(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass)
{
    char *signature = NULL;
    jobject loader = NULL;
    jboolean modifiable = JNI_FALSE;
    bool wanted = false;

    if (TF_CALL(jvmti, GetClassSignature, (jvmti, klass, &signature, NULL))
        && signature[0] == 'L'
        && TF_CALL(jvmti, IsModifiableClass, (jvmti, klass, &modifiable)) && modifiable
        && TF_CALL(jvmti, GetClassLoader, (jvmti, klass, &loader))) {
        signature[strlen(signature) - 1] = '\0';
        wanted = is_wanted(&agent.config, signature + 1, loader == NULL);
    }
    if (loader != NULL)
        (*jni)->DeleteLocalRef(jni, loader);
    tf_deallocate(jvmti, signature);
    return wanted;
}

/* Probes for the classes that are there: all at once, or one by one where the VM
   refuses one of them. */
static void
change_loaded(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL, *wanted;
    jint count = 0, found = 0;

    if (!TF_CALL(jvmti, GetLoadedClasses, (jvmti, &count, &classes)))
        return;
    wanted = calloc((size_t)count + 1, sizeof *wanted);
    for (jint i = 0; wanted != NULL && i < count; i++)
        if (is_candidate(jvmti, jni, classes[i]))
            wanted[found++] = classes[i];
    if (found > 0
        && (*jvmti)->RetransformClasses(jvmti, found, wanted) != JVMTI_ERROR_NONE)
        for (jint i = 0; i < found; i++)
            TF_CALL(jvmti, RetransformClasses, (jvmti, 1, &wanted[i]));
    free(wanted);
    tf_release_references(jvmti, jni, (jobject *)classes, count);
}

/* HotSpot runs Java for AddModuleReads.  The first time that loads classes, which it cannot
   do while one of them is being changed; so it is done once before any is. */
static void
prepare_modules(JNIEnv *jni)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jclass holder = object == NULL ? NULL
        : make_holder(jni, __atomic_fetch_add(&agent.next_id, 1, __ATOMIC_RELAXED), 1,
                      object, NULL);

    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteGlobalRef(jni, holder);
    (*jni)->DeleteLocalRef(jni, object);
}

static bool
begin(jvmtiEnv *jvmti, JNIEnv *jni)
{
    prepare_modules(jni);
    if (!tf_events_enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                          JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH, 0))
        return false;
    if ((agent.config.events & ON_SIGNAL) != 0
        && !tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0))
        return false;
    change_loaded(jvmti, jni);
    return true;
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    begin(jvmti, jni);
}

/* The names of on=, which may be several. */
static bool
parse_on(struct config *config)
{
    static const char *const names[] = { "exit", "signal" };

    for (char **on = config->on; on != NULL && *on != NULL; on++) {
        size_t i = 0;

        while (i < 2 && strcmp(*on, names[i]) != 0)
            i++;
        if (i == 2) {
            tf_error("on: \"%s\" is not one of exit, signal", *on);
            return false;
        }
        config->events |= 1u << i;
    }
    return true;
}

/* By default a file of its own for each process, and texts to the output. */
static bool
choose_file(struct config *config)
{
    static const char *const names[] = { "coverage-%p.cov", "-", "coverage-%p.info",
        "coverage-%p.xml", "coverage-%p.xml", "coverage-%p.html" };
    struct tf_buffer error = { 0 };

    if (config->file == NULL)
        config->file = tf_path_expand(names[config->format], &error);
    tf_buffer_release(&error);
    return config->file != NULL;
}

static enum tf_outcome
parse(struct tf_agent *started, struct config *config)
{
    const struct tf_option options[] = {
        { "file", TF_PATH, &config->file, NULL, 0, 0,
          "where to write to, - for the output; by default coverage-%p and a suffix, "
          "and the output for text", NULL },
        { "format", TF_CHOICE, &config->format, FORMATS, 0, 0, "what to write", NULL },
        { "include", TF_LIST, &config->include, NULL, 0, 0,
          "classes to measure; by default those that do not come with the VM", NULL },
        { "exclude", TF_LIST, &config->exclude, NULL, 0, 0, "classes to leave alone",
          NULL },
        { "on", TF_LIST, &config->on, NULL, 0, 0,
          "when to write: exit, signal (SIGQUIT); by default exit", NULL },
        { "merge", TF_LIST, &config->merge, NULL, 0, 0,
          "files of format=data whose runs are added", NULL },
        { "compare", TF_PATH, &config->compare, NULL, 0, 0,
          "a file of format=data of an earlier run, to which html compares", NULL },
        { "append", TF_FLAG, &config->append, NULL, 0, 0,
          "add the run to the file, which is of format=data, if it is there", NULL },
        { "classes", TF_LIST, &config->classes, NULL, 0, 0,
          "folders of class files that count although they were not loaded", NULL },
        { "sourcepath", TF_LIST, &config->sourcepath, NULL, 0, 0,
          "folders of the sources, for the names in lcov and the texts in html", NULL },
        PROGRESS_OPTION(&config->progress),
        { "unload", TF_FLAG, &config->unload, NULL, 0, 0,
          "let go of classes that are not in use, and of what is known about them",
          NULL }
    };
    enum tf_outcome outcome = tf_agent_options(started, about, options,
                                               sizeof options / sizeof *options);
    struct units units = { 0 };

    if (outcome != TF_RUN)
        return outcome;
    if (config->append && config->format != FORMAT_DATA) {
        tf_error("append: only to a file of format=data");
        return TF_FAILED;
    }
    if (config->compare != NULL && config->format != FORMAT_HTML) {
        tf_error("compare: only with format=html");
        return TF_FAILED;
    }
    if (!parse_on(config) || !choose_file(config))
        return TF_FAILED;
    if (config->compare != NULL && !data_read(&units, config->compare))
        outcome = TF_FAILED;
    /* Rather now than after hours. */
    for (char **file = config->merge; file != NULL && *file != NULL; file++)
        if (!data_read(&units, *file))
            outcome = TF_FAILED;
    units_release(&units);
    return outcome;
}

static bool
listen(struct tf_agent *started)
{
    jvmtiEnv *jvmti = started->jvmti;
    jvmtiCapabilities required = { .can_retransform_classes = 1 };
    jvmtiCapabilities wanted = { .can_generate_all_class_hook_events = 1,
                                 .can_retransform_any_class = 1 };
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassPrepare = on_class_prepare,
        .ClassFileLoadHook = on_class_file, .DataDumpRequest = on_data_dump
    };

    return tf_capabilities_add(jvmti, &required, &wanted, NULL)
        && tf_monitor_init(&agent.lock, jvmti, "coverage")
        && TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        && (started->attached ? begin(jvmti, started->jni)
                              : tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, 0));
}

/* Attached where it runs already it writes what there is, as the options say. */
static enum tf_outcome
start(struct tf_agent *started)
{
    struct config config = { 0 };
    enum tf_outcome outcome = parse(started, &config);

    if (outcome != TF_RUN)
        return outcome;
    if (agent.runs) {
        if (!started->attached) {
            tf_error("the agent is given twice");
            return TF_FAILED;
        }
        return write_now(&config, started->jni) ? TF_DONE : TF_FAILED;
    }
    /* A file that cannot be made is better known now than in the end. */
    if (!tf_output_try(config.file))
        return TF_FAILED;
    if (config.events == 0)
        config.events = ON_EXIT;
    agent.config = config;
    agent.vm = started->vm;
    agent.jvmti = started->jvmti;
    agent.runs = listen(started);
    return agent.runs ? TF_RUN : TF_FAILED;
}

/* RetransformClasses came with 1.1. */
TF_AGENT("coverage", JVMTI_VERSION_1_1, start);
