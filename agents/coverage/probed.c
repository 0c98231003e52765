/* SPDX-License-Identifier: MIT */
/*
 * agents/coverage/probed.c -- probes into classes, and from a class file to its class.
 *
 * The hook sees a class file, which has no class yet: so the name of its first probe's
 * field has a number, by which the class is known when it is prepared.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/coverage/agent.h"

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
bool
probed_wanted(const void *argument, const char *internal, bool of_boot_loader)
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
struct probed *
probed_first(struct probed **bucket)
{
    return __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
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
           && (probed_class(probed) == NULL || strcmp(probed->unit->name, name) != 0
               || !(*jni)->IsSameObject(jni, probed_class(probed), klass)))
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
jclass
probed_holder(JNIEnv *jni, unsigned id, uint32_t count, jclass klass, jobject loader)
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
        probed->holder = probed_holder(jni, probed->id, probed->unit->probe_count, loaded,
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

void JNICALL
probed_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *bytes,
              jint *new_length, unsigned char **new_bytes)
{
    struct tf_buffer out = { 0 };
    struct probed *probed = NULL;
    struct tf_class *c;

    (void)domain;
    /* Classes that are defined without a name have it in the class file only. */
    if (jni == NULL
        || (name != NULL && !probed_wanted(&agent.config, name, loader == NULL))
        || !tf_gate_enter(&agent.gate))
        return;
    c = tf_class_parse(bytes, (size_t)length);
    if (c != NULL && tf_class_error(c) == NULL && !filter_skips_class(c)
        && (name != NULL
            || probed_wanted(&agent.config, tf_class_name(c), loader == NULL))) {
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
long
probed_marker(jvmtiEnv *jvmti, jclass klass, jfieldID field, long *probe)
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
           && (probed_class(probed) != NULL || strcmp(probed->unit->name, name) != 0))
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
        id = probed_marker(jvmti, klass, fields[i], &probe);
    tf_deallocate(jvmti, fields);
    for (struct probed *probed = probed_first(bucket_of(name)); probed != NULL && id >= 0;
         probed = probed->next)
        if (probed->id == (unsigned)id && probed_class(probed) == NULL)
            set_class(jni, probed, klass);
}

void JNICALL
probed_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
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
