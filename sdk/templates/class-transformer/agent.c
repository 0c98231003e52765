/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Changes classes while they are loaded (JVM TI "Class File Load Hook"): each method
 * adds one to a static field that its class gets for it. No call, no lock, no event
 * for a method: what the program pays is one addition. In the end the fields are read.
 *
 * Additions of several threads at the same time may be lost; a counter that must be
 * exact would have to be an AtomicLong.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

#define FIELD_PREFIX "$calls$"

static char *default_include[] = { (char *)"Target*", NULL };
static char **include = default_include;
static char **exclude;
static unsigned long long transformed, refused;
static struct tf_gate gate;
static const struct tf_option options[] = {
    { "include", TF_LIST, &include, NULL, 0, 0, "classes to change", NULL },
    { "exclude", TF_LIST, &exclude, NULL, 0, 0, "classes to leave alone", NULL }
};

/* "p.C" for the "p/C" of a class file. */
static bool
is_wanted(const char *internal_name)
{
    struct tf_buffer name;
    bool wanted;

    tf_buffer_init(&name);
    tf_buffer_modified_utf8(&name, internal_name, strlen(internal_name));
    for (size_t i = 0; i < name.length; i++)
        if (name.bytes[i] == '/')
            name.bytes[i] = '.';
    wanted = tf_name_wanted(include, exclude, tf_buffer_string(&name));
    tf_buffer_release(&name);
    return wanted;
}

/* field++ at the start of a method; the index tells methods of one name apart. */
static void
add_counter(struct tf_class *c, struct tf_member *method, unsigned index)
{
    struct tf_code *code = tf_class_code(c, method);
    struct tf_insn *at;
    struct tf_buffer field;

    if (code == NULL)
        return;
    tf_buffer_init(&field);
    tf_buffer_format(&field, FIELD_PREFIX "%u", index);
    if (!field.failed) {
        const char *name = tf_buffer_string(&field);

        tf_class_add_field(c, TF_ACC_PRIVATE | TF_ACC_STATIC | TF_ACC_SYNTHETIC, name,
                           "J");
        at = code->first;
        tf_emit_field(code, at, TF_OP_GETSTATIC, tf_class_name(c), name, "J");
        tf_emit(code, at, TF_OP_LCONST_1);
        tf_emit(code, at, TF_OP_LADD);
        tf_emit_field(code, at, TF_OP_PUTSTATIC, tf_class_name(c), name, "J");
        tf_code_reserve(code, 4);
    }
    tf_buffer_release(&field);
}

/* The changed class; empty when it stays as it is. */
static void
transform(const unsigned char *bytes, jint length, struct tf_buffer *out)
{
    struct tf_class *c = tf_class_parse(bytes, (size_t)length);
    unsigned index = 0;

    if (c == NULL)
        return;
    /* A field of an interface would have to be public and final. */
    if (tf_class_error(c) == NULL && is_wanted(tf_class_name(c))
        && (tf_class_access(c) & (TF_ACC_INTERFACE | TF_ACC_MODULE)) == 0) {
        for (struct tf_member *m = tf_class_methods(c); m != NULL; m = m->next)
            add_counter(c, m, index++);
        tf_class_write(c, out);
    }
    /* The VM will have its own say about bytes that are no class; ours is a hint. */
    if (tf_class_error(c) != NULL) {
        tf_warning("a class stays as it is: %s", tf_class_error(c));
        __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
    }
    tf_class_free(c);
}

static void JNICALL
on_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
         const char *name, jobject domain, jint length, const unsigned char *bytes,
         jint *new_length, unsigned char **new_bytes)
{
    struct tf_buffer out;
    unsigned char *memory = NULL;

    (void)jni;
    (void)loader;
    (void)domain;
    /* A class that is there already can get no fields. The name may be missing: then
       only the bytes know it. */
    if (redefined != NULL || (name != NULL && !is_wanted(name))
        || !tf_gate_enter(&gate))
        return;
    tf_buffer_init(&out);
    transform(bytes, length, &out);
    /* The new bytes must be memory of JVM TI, which the VM gives back. */
    if (out.length > 0
        && TF_CALL(jvmti, Allocate, (jvmti, (jlong)out.length, &memory))) {
        memcpy(memory, out.bytes, out.length);
        *new_bytes = memory;
        *new_length = (jint)out.length;
        __atomic_fetch_add(&transformed, 1, __ATOMIC_RELAXED);
    }
    tf_buffer_release(&out);
    tf_gate_leave(&gate);
}

/* One line for each method of the class that was called. */
static void
report_class(jvmtiEnv *jvmti, JNIEnv *jni, jclass klass)
{
    jint status = 0, count = 0;
    jmethodID *methods = NULL;

    /* Methods are numbered as in the class file: the order needs a capability. */
    if (!TF_CALL(jvmti, GetClassStatus, (jvmti, klass, &status))
        || (status & JVMTI_CLASS_STATUS_INITIALIZED) == 0
        || !TF_CALL(jvmti, GetClassMethods, (jvmti, klass, &count, &methods)))
        return;
    for (jint i = 0; i < count; i++) {
        struct tf_buffer line;
        char field_name[32];
        jfieldID field;
        jlong calls;

        snprintf(field_name, sizeof field_name, FIELD_PREFIX "%d", (int)i);
        field = TF_TABLE(jni)->GetStaticFieldID(jni, klass, field_name, "J");
        if (field == NULL) {
            TF_TABLE(jni)->ExceptionClear(jni);
            continue;       /* abstract or native */
        }
        tf_buffer_init(&line);
        calls = TF_TABLE(jni)->GetStaticLongField(jni, klass, field);
        tf_buffer_format(&line, "@name@: %lld ", (long long)calls);
        tf_name_method(&line, jvmti, jni, methods[i], TF_METHOD_PARAMETERS);
        puts(tf_buffer_string(&line));
        tf_buffer_release(&line);
    }
    tf_deallocate(jvmti, methods);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jclass *classes = NULL;
    jint count = 0;

    tf_gate_close(&gate, 1000);
    if (!TF_CALL(jvmti, GetLoadedClasses, (jvmti, &count, &classes)))
        return;
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;

        if (TF_CALL(jvmti, GetClassSignature, (jvmti, classes[i], &signature, NULL))
            && signature[0] == 'L') {
            signature[strlen(signature) - 1] = '\0';
            if (is_wanted(signature + 1))
                report_class(jvmti, jni, classes[i]);
        }
        tf_deallocate(jvmti, signature);
    }
    tf_release_references(jvmti, jni, (jobject *)classes, count);
    printf("@name@: %llu classes changed, %llu not\n", transformed, refused);
    fflush(stdout);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required, wanted;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    memset(&required, 0, sizeof required);
    memset(&wanted, 0, sizeof wanted);
    required.can_maintain_original_method_order = 1;
    wanted.can_generate_all_class_hook_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class;
    callbacks.VMDeath = on_vm_death;
    if (!tf_capabilities_add(jvmti, &required, &wanted, NULL)
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                             JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
