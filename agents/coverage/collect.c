/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/collect.c -- from the probes of the running program to the result: what
 * they say, what earlier runs and folders add, and the format that is wanted.
 */
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

#include "agents/coverage/agent.h"

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

        probed_marker(jvmti, owner, fields[i], &probe);
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
    jclass klass = probed_class(probed) == NULL ? NULL
        : (*jni)->NewLocalRef(jni, probed_class(probed));
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

bool
collect_write(const struct config *config, JNIEnv *jni)
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
            units_add_folder(&units, *folder, known, config, probed_wanted);
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
