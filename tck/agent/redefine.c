/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/redefine.c -- RedefineClasses and RetransformClasses: every refusal, and
 * what a new version changes and leaves alone.
 */
#include "tck/lib/classfile.h"
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stdlib.h>
#include <string.h>

/* A faulty class file: another version of tck.Redef, or its own with a defect. */
struct defect {
    const char *resource;
    void (*spoil)(struct classfile *file, unsigned char *bytes, jint *size);
    jvmtiError error;
    jvmtiError accept;   /* as good, since both apply; or 0 */
};

static void
spoil_version(struct classfile *file, unsigned char *bytes, jint *size)
{
    (void)file, (void)size;
    bytes[6] = 0;
    bytes[7] = 250;
}

static void
spoil_format(struct classfile *file, unsigned char *bytes, jint *size)
{
    (void)bytes;
    *size = (jint)file->attributes;
}

/* The class becomes its own superclass. */
static void
spoil_super(struct classfile *file, unsigned char *bytes, jint *size)
{
    (void)size;
    memcpy(bytes + file->after_pool + 4, bytes + file->after_pool + 2, 2);
}

/* All that names the class names another one: but for its name it is the same. */
static void
spoil_name(struct classfile *file, unsigned char *bytes, jint *size)
{
    (void)size;
    for (unsigned i = 1; i < file->pool_count; i++)
        if (file->pool[i] != 0 && bytes[file->pool[i]] == 1
            && classfile_utf8_is(file, i, "tck/Redef"))
            memcpy(bytes + file->pool[i] + 3, "tck/Other", 9);
}

/* version() begins with a pop from an empty stack. */
static void
spoil_code(struct classfile *file, unsigned char *bytes, jint *size)
{
    uint32_t length;
    unsigned locals;
    const unsigned char *code = classfile_code(file, "version", "()I", &length, &locals);

    (void)size;
    if (code != NULL)
        bytes[code - file->bytes] = 0x57;
}

static const struct defect
    unsupported_version = { "tck/Redef", spoil_version,
                            JVMTI_ERROR_UNSUPPORTED_VERSION, 0 },
    invalid_format = { "tck/Redef", spoil_format, JVMTI_ERROR_INVALID_CLASS_FORMAT, 0 },
    circular = { "tck/Redef", spoil_super, JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION,
                 JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED },
    fails_verification = { "tck/Redef", spoil_code, JVMTI_ERROR_FAILS_VERIFICATION, 0 },
    names_dont_match = { "tck/Redef", spoil_name, JVMTI_ERROR_NAMES_DONT_MATCH, 0 },
    method_added = { "variants/method-added/tck/Redef", NULL,
                     JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED, 0 },
    method_deleted = { "variants/method-deleted/tck/Redef", NULL,
                       JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED, 0 },
    schema_changed = { "variants/schema/tck/Redef", NULL,
                       JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED, 0 },
    hierarchy_changed = { "variants/hierarchy/tck/Redef", NULL,
                          JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED, 0 },
    attribute_changed = { "variants/attribute/tck/Redef", NULL,
                          JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
                          0 },
    class_modifiers = { "variants/class-modifiers/tck/Redef", NULL,
                        JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED,
                        0 },
    method_modifiers = { "variants/method-modifiers/tck/Redef", NULL,
                         JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,
                         0 };

static unsigned char *
defective(struct tck *t, const struct defect *defect, jint *size)
{
    unsigned char *bytes = stage_bytes(t, defect->resource, size);
    struct classfile *file = malloc(sizeof *file);

    if (bytes != NULL && defect->spoil != NULL && file != NULL
        && classfile_parse(file, bytes, (size_t)*size))
        defect->spoil(file, bytes, size);
    free(file);
    return bytes;
}

static jint
version(struct tck *t)
{
    return (jint)stage_call_long(t, "tck/Redefs", "version", "()I");
}

static jvmtiError
redefine(struct tck *t, const char *resource)
{
    jvmtiClassDefinition definition = { stage_class(t, "tck/Redef"), 0, NULL };
    unsigned char *bytes = stage_bytes(t, resource, &definition.class_byte_count);
    jvmtiError error;

    definition.class_bytes = bytes;
    error = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    free(bytes);
    return error;
}

/* Back to what the class file says, whatever the case did. */
static void
restore(struct tck *t)
{
    tck_want(t, "RedefineClasses(original)", JVMTI_ERROR_NONE, redefine(t, "tck/Redef"));
}

#define REDEFINE(resource)                                                             \
    do {                                                                               \
        if (!tck_want(t, "RedefineClasses(" resource ")", JVMTI_ERROR_NONE,            \
                      redefine(t, resource)))                                          \
            return;                                                                    \
    } while (0)

static void
judge(struct tck *t, const char *call, const struct defect *defect, jvmtiError got)
{
    if (got != defect->error && (defect->accept == 0 || got != defect->accept))
        tck_want(t, call, defect->error, got);
    tck_same(t, "version() after the refusal", 1, version(t));
}

static void
run_redefine(struct tck *t, const void *data)
{
    const struct defect *defect = data;
    jvmtiClassDefinition definition = { stage_class(t, "tck/Redef"), 0, NULL };
    unsigned char *bytes;

    NEED("can_redefine_classes");
    bytes = defective(t, defect, &definition.class_byte_count);
    definition.class_bytes = bytes;
    judge(t, "RedefineClasses", defect,
          (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition));
    free(bytes);
    restore(t);
}

/* -- retransformation: the hook supplies the bytes -- */

static const unsigned char *hook_bytes;
static jint hook_size;
static int hook_calls;
static unsigned char *hook_seen;   /* what it was given, by malloc */
static jint hook_seen_size;

static void
see(const unsigned char *data, jint length)
{
    free(hook_seen);
    hook_seen = malloc((size_t)length);
    if (hook_seen != NULL)
        memcpy(hook_seen, data, (size_t)length);
    hook_seen_size = length;
}

/* The first opcode of version() in what the last handler was given; -1 fails the case. */
static int
seen_opcode(struct tck *t)
{
    struct classfile *file = malloc(sizeof *file);
    const unsigned char *code = NULL;
    uint32_t length = 0;
    unsigned locals;
    int opcode;

    if (file != NULL && hook_seen != NULL
        && tck_true(t, "what the hook was given parses",
                    classfile_parse(file, hook_seen, (size_t)hook_seen_size)))
        code = classfile_code(file, "version", "()I", &length, &locals);
    tck_true(t, "the hook was given tck.Redef", code != NULL);
    opcode = code == NULL ? -1 : code[0];
    free(file);
    return opcode;
}

/* Looks and changes nothing. */
static void JNICALL
on_class_file_seen(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                   const char *name, jobject domain, jint length,
                   const unsigned char *data, jint *new_length, unsigned char **new_data)
{
    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
    (void)new_length, (void)new_data;
    if (name != NULL && strcmp(name, "tck/Redef") == 0)
        see(data, length);
}

static void JNICALL
on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *data,
              jint *new_length, unsigned char **new_data)
{
    (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "tck/Redef") != 0)
        return;
    hook_calls++;
    see(data, length);
    if (hook_bytes != NULL
        && (*jvmti)->Allocate(jvmti, hook_size, new_data) == JVMTI_ERROR_NONE) {
        memcpy(*new_data, hook_bytes, (size_t)hook_size);
        *new_length = hook_size;
    }
}

/* The environment that transforms; the next case disposes of it. */
static jvmtiEnv *transforming;

static void
end_transformer(void)
{
    if (transforming != NULL)
        (*transforming)->DisposeEnvironment(transforming);
    transforming = NULL;
    hook_bytes = NULL;
}

static jvmtiEnv *
transformer(struct tck *t)
{
    jvmtiEnv *env;
    jvmtiCapabilities caps;
    jvmtiEventCallbacks callbacks;
    jvmtiError error;

    end_transformer();
    version(t);   /* the class is loaded before the hook listens */
    env = transforming = tck_new_env(t);
    if (env == NULL)
        return NULL;
    memset(&caps, 0, sizeof caps);
    caps.can_retransform_classes = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class_file;
    hook_calls = 0;
    hook_bytes = NULL;
    free(hook_seen);
    hook_seen = NULL;
    error = (*env)->AddCapabilities(env, &caps);
    if (error == JVMTI_ERROR_NOT_AVAILABLE)
        tck_skip(t, "only one environment can hold can_retransform_classes");
    if (!tck_want(t, "AddCapabilities(can_retransform_classes)", JVMTI_ERROR_NONE, error)
        || !tck_want(t, "SetEventCallbacks", JVMTI_ERROR_NONE,
                     (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks))
        || !record_enable(t, env, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL))
        return NULL;
    return env;
}

static jvmtiError
retransform(struct tck *t, jvmtiEnv *env)
{
    jclass k = stage_class(t, "tck/Redef");

    return (*env)->RetransformClasses(env, 1, &k);
}

static void
run_retransform(struct tck *t, const void *data)
{
    const struct defect *defect = data;
    unsigned char *bytes;
    jvmtiEnv *env;

    NEED("can_retransform_classes");
    env = transformer(t);
    if (env == NULL)
        return;
    bytes = defective(t, defect, &hook_size);
    hook_bytes = bytes;
    judge(t, "RetransformClasses", defect, retransform(t, env));
    hook_bytes = NULL;
    tck_want(t, "RetransformClasses(unchanged)", JVMTI_ERROR_NONE, retransform(t, env));
    end_transformer();
    free(bytes);
}

#define DEFECT(defect, error, note)                                                    \
    TCK_CASE_DATA("redefine", redefine_##defect, "RedefineClasses.error." error,       \
                  "Redefine Classes", note, TCK_LIVE, 11, run_redefine, &defect);      \
    TCK_CASE_DATA("redefine", retransform_##defect, "RetransformClasses.error." error, \
                  "Retransform Classes", note, TCK_LIVE, 11, run_retransform, &defect)

DEFECT(unsupported_version, "UNSUPPORTED_VERSION", 400);
DEFECT(invalid_format, "INVALID_CLASS_FORMAT", 400);
DEFECT(circular, "CIRCULAR_CLASS_DEFINITION", 400);
DEFECT(fails_verification, "FAILS_VERIFICATION", 400);
DEFECT(names_dont_match, "NAMES_DONT_MATCH", 400);
DEFECT(method_added, "UNSUPPORTED_REDEFINITION_METHOD_ADDED", 396);
DEFECT(method_deleted, "UNSUPPORTED_REDEFINITION_METHOD_DELETED", 396);
DEFECT(schema_changed, "UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED", 396);
DEFECT(hierarchy_changed, "UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED", 396);
DEFECT(attribute_changed, "UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED", 397);
DEFECT(class_modifiers, "UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED", 396);
DEFECT(method_modifiers, "UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED", 396);

/* -- what a new version changes -- */

TCK_CASE("redefine", new_invokes, "RedefineClasses.behaviour.new-invokes",
         "Redefine Classes", 392)
{
    NEED("can_redefine_classes");
    SAME(1, version(t));
    REDEFINE("variants/changed/tck/Redef");
    SAME(2, version(t));
    REDEFINE("variants/third/tck/Redef");
    SAME(3, version(t));
    restore(t);
    SAME(1, version(t));
}

TCK_CASE("redefine", statics_stay, "RedefineClasses.behaviour.statics-unchanged",
         "Redefine Classes", 393)
{
    NEED("can_redefine_classes");
    stage_call_void(t, "tck/Redefs", "setCounter", "(I)V", (jint)71);
    REDEFINE("variants/changed/tck/Redef");
    SAME(71, stage_call_long(t, "tck/Redefs", "counter", "()I"));
    restore(t);
}

TCK_CASE("redefine", no_initialisation, "RedefineClasses.behaviour.no-initialisation",
         "Redefine Classes", 393)
{
    jclass k = stage_class(t, "tck/Redefs");
    jfieldID f;

    NEED("can_redefine_classes");
    SAME(1, version(t) > 0);
    f = stage_field(t, "tck/Redefs", "initialisations", "I", true);
    REDEFINE("variants/changed/tck/Redef");
    version(t);
    SAME(1, (*t->jni)->GetStaticIntField(t->jni, k, f));
    restore(t);
}

TCK_CASE("redefine", instances_stay, "RedefineClasses.behaviour.instances-unchanged",
         "Redefine Classes", 393)
{
    jobject object;

    NEED("can_redefine_classes");
    object = stage_call(t, "tck/Redefs", "create", "()Ljava/lang/Object;");
    REDEFINE("variants/changed/tck/Redef");
    SAME(6, stage_call_long(t, "tck/Redefs", "get", "(Ljava/lang/Object;)I", object));
    restore(t);
}

TCK_CASE("redefine", tags_stay, "RedefineClasses.behaviour.tags-unchanged",
         "Redefine Classes", 393)
{
    jobject object;
    jclass k = stage_class(t, "tck/Redef");
    jlong tag;

    NEED("can_redefine_classes");
    NEED("can_tag_objects");
    object = stage_call(t, "tck/Redefs", "create", "()Ljava/lang/Object;");
    CALL(SetTag, object, 33);
    CALL(SetTag, k, 34);
    REDEFINE("variants/changed/tck/Redef");
    CALL(GetTag, object, &tag);
    SAME(33, tag);
    CALL(GetTag, k, &tag);
    SAME(34, tag);
    CALL(SetTag, k, 0);
    restore(t);
}

TCK_CASE("redefine", breakpoints_go, "RedefineClasses.behaviour.breakpoints-cleared",
         "Redefine Classes", 394)
{
    jmethodID m = stage_method(t, "tck/Redef", "version", "()I", true);

    NEED("can_redefine_classes");
    NEED("can_generate_breakpoint_events");
    CALL(SetBreakpoint, m, stage_first_location(t, m));
    REDEFINE("variants/changed/tck/Redef");
    m = stage_method(t, "tck/Redef", "version", "()I", true);
    WANT(NOT_FOUND, ClearBreakpoint, m, stage_first_location(t, m));
    restore(t);
}

static jmethodID
stayer_frame(struct tck *t, jthread thread)
{
    jvmtiFrameInfo frames[4];
    jint count = 0;

    tck_want(t, "GetStackTrace", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetStackTrace(t->jvmti, thread, 0, 4, frames, &count));
    return count > 0 ? frames[0].method : NULL;
}

TCK_CASE("redefine", frames_stay, "RedefineClasses.behaviour.active-frames",
         "Redefine Classes", 392)
{
    jthread thread;

    NEED("can_redefine_classes");
    restore(t);
    thread = stage_call(t, "tck/Redefs", "enter", "()Ljava/lang/Thread;");
    REDEFINE("variants/changed/tck/Redef");
    /* The frame finishes the code that it began with. */
    SAME(1, stage_call_long(t, "tck/Redefs", "leave", "(Ljava/lang/Thread;)I", thread));
    thread = stage_call(t, "tck/Redefs", "enter", "()Ljava/lang/Thread;");
    SAME(2, stage_call_long(t, "tck/Redefs", "leave", "(Ljava/lang/Thread;)I", thread));
    restore(t);
}

TCK_CASE("redefine", obsolete, "IsMethodObsolete.behaviour.active-old-version",
         "Obsolete Methods", 413)
{
    jmethodID before, frame;
    jboolean obsolete;
    jthread thread;

    NEED("can_redefine_classes");
    restore(t);
    before = stage_method(t, "tck/Redef", "stay", "()I", true);
    thread = stage_call(t, "tck/Redefs", "enter", "()Ljava/lang/Thread;");
    TRUE(stayer_frame(t, thread) == before);
    CALL(IsMethodObsolete, before, &obsolete);
    SAME(JNI_FALSE, obsolete);
    REDEFINE("variants/changed/tck/Redef");
    frame = stayer_frame(t, thread);
    TRUE(frame != before);
    CALL(IsMethodObsolete, frame, &obsolete);
    SAME(JNI_TRUE, obsolete);
    CALL(IsMethodObsolete, before, &obsolete);
    SAME(JNI_FALSE, obsolete);
    stage_call_long(t, "tck/Redefs", "leave", "(Ljava/lang/Thread;)I", thread);
    restore(t);
}

TCK_CASE("redefine", ids_stay, "RedefineClasses.behaviour.method-id-names-new-version",
         "Obsolete Methods", 413)
{
    jclass k = stage_class(t, "tck/Redef");
    jmethodID m = stage_method(t, "tck/Redef", "version", "()I", true);

    NEED("can_redefine_classes");
    REDEFINE("variants/changed/tck/Redef");
    TRUE(stage_method(t, "tck/Redef", "version", "()I", true) == m);
    SAME(2, (*t->jni)->CallStaticIntMethod(t->jni, k, m));
    restore(t);
}

TCK_CASE("redefine", same_not_obsolete, "IsMethodObsolete.behaviour.unchanged-method",
         "Obsolete Methods", 414)
{
    jmethodID m = stage_method(t, "tck/Redef", "same", "(I)I", true);
    jboolean obsolete;

    NEED("can_redefine_classes");
    REDEFINE("variants/changed/tck/Redef");
    CALL(IsMethodObsolete, m, &obsolete);
    SAME(JNI_FALSE, obsolete);
    SAME(8, stage_call_long(t, "tck/Redefs", "same", "(I)I", (jint)4));
    restore(t);
}

/* version() answers 3: all else, and stay() with it, is as it was. */
static void
change_version(struct classfile *file, unsigned char *bytes, jint *size)
{
    uint32_t length;
    unsigned locals;
    const unsigned char *code = classfile_code(file, "version", "()I", &length, &locals);

    (void)size;
    if (code != NULL && code[0] == 0x04)        /* iconst_1 */
        bytes[code - file->bytes] = 0x06;       /* iconst_3 */
}

/* An ID of the version that is installed is of no obsolete method in any case; here is one
   of the version that a frame has begun with. */
TCK_CASE("redefine", frame_not_obsolete, "IsMethodObsolete.behaviour.active-unchanged",
         "Obsolete Methods", 414)
{
    static const struct defect none = { "tck/Redef", change_version, 0, 0 };
    jvmtiClassDefinition definition = { stage_class(t, "tck/Redef"), 0, NULL };
    jmethodID before, frame;
    unsigned char *bytes;
    jboolean obsolete;
    jthread thread;
    jvmtiError error;

    NEED("can_redefine_classes");
    restore(t);
    before = stage_method(t, "tck/Redef", "stay", "()I", true);
    bytes = defective(t, &none, &definition.class_byte_count);
    definition.class_bytes = bytes;
    thread = stage_call(t, "tck/Redefs", "enter", "()Ljava/lang/Thread;");
    error = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    frame = stayer_frame(t, thread);
    stage_call_long(t, "tck/Redefs", "leave", "(Ljava/lang/Thread;)I", thread);
    free(bytes);
    SAME(JVMTI_ERROR_NONE, error);
    SAME(3, version(t));
    TRUE(frame == before);
    CALL(IsMethodObsolete, frame, &obsolete);
    SAME(JNI_FALSE, obsolete);
    restore(t);
}

TCK_CASE("redefine", atomic, "RedefineClasses.behaviour.all-or-nothing",
         "Redefine Classes", 399)
{
    jvmtiClassDefinition list[2] = {
        { stage_class(t, "tck/Redef"), 0, NULL }, { stage_class(t, "tck/Bare"), 0, NULL }
    };
    unsigned char *good, *bad;
    jvmtiError error;

    NEED("can_redefine_classes");
    good = stage_bytes(t, "variants/changed/tck/Redef", &list[0].class_byte_count);
    bad = stage_bytes(t, "tck/Model", &list[1].class_byte_count);
    list[0].class_bytes = good;
    list[1].class_bytes = bad;
    error = (*t->jvmti)->RedefineClasses(t->jvmti, 2, list);
    free(good);
    free(bad);
    if (error == JVMTI_ERROR_NONE)
        tck_skip(t, "the VM does not notice that the names differ");
    tck_same(t, "version() after the refusal", 1, version(t));
    restore(t);
}

/* The second one is refused by every VM: nor has the class file its name. */
TCK_CASE("redefine", atomic_array, "RedefineClasses.behaviour.all-or-nothing-array",
         "Redefine Classes", 399)
{
    jvmtiClassDefinition list[2] = {
        { stage_class(t, "tck/Redef"), 0, NULL },
        { stage_call(t, "tck/Values", "array", "()Ljava/lang/Class;"), 0, NULL }
    };
    unsigned char *bytes;
    jvmtiError error;

    NEED("can_redefine_classes");
    bytes = stage_bytes(t, "variants/changed/tck/Redef", &list[0].class_byte_count);
    list[1].class_byte_count = list[0].class_byte_count;
    list[0].class_bytes = list[1].class_bytes = bytes;
    error = (*t->jvmti)->RedefineClasses(t->jvmti, 2, list);
    free(bytes);
    if (error != JVMTI_ERROR_NAMES_DONT_MATCH)
        tck_same(t, "UNMODIFIABLE_CLASS", JVMTI_ERROR_UNMODIFIABLE_CLASS, error);
    tck_same(t, "version() after the refusal", 1, version(t));
    restore(t);
}

TCK_CASE("redefine", zero_classes, "RedefineClasses.behaviour.no-classes",
         "Redefine Classes", 699)
{
    jvmtiClassDefinition none = { NULL, 0, NULL };

    NEED("can_redefine_classes");
    CALL(RedefineClasses, 0, &none);
}

TCK_CASE("redefine", only_hook, "RedefineClasses.behaviour.only-the-hook",
         "Redefine Classes", 395)
{
    NEED("can_redefine_classes");
    version(t);
    RECORDING(JVMTI_EVENT_CLASS_LOAD);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL);
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    REDEFINE("variants/changed/tck/Redef");
    record_quiet(t);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Redef;"));
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_CLASS_PREPARE, NULL, "Ltck/Redef;"));
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL,
                           "tck/Redef"));
    restore(t);
}

TCK_CASE("redefine", hook_class, "ClassFileLoadHook.behaviour.class-being-redefined",
         "Class File Load Hook", 620)
{
    int at;

    NEED("can_redefine_classes");
    version(t);
    RECORDING(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    REDEFINE("variants/changed/tck/Redef");
    record_quiet(t);
    at = record_find(t->jvmti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Redef", 0);
    TRUE(at >= 0);
    SAME(record_hash(t, stage_class(t, "tck/Redef")), record_at(at)->hash);
    restore(t);
}

/* -- retransformation -- */

TCK_CASE("redefine", retransform_changes, "RetransformClasses.behaviour.hook-changes",
         "Retransform Classes", 390)
{
    unsigned char *bytes;
    jvmtiEnv *env;

    NEED("can_retransform_classes");
    env = transformer(t);
    TRUE(env != NULL);
    bytes = stage_bytes(t, "variants/changed/tck/Redef", &hook_size);
    hook_bytes = bytes;
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    SAME(1, hook_calls);
    SAME(2, version(t));
    hook_bytes = NULL;
    /* Nothing supplied: the initial bytes, not the ones of the last time. */
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    SAME(2, hook_calls);
    SAME(1, version(t));
    end_transformer();
    free(bytes);
}

TCK_CASE("redefine", retransform_initial, "RetransformClasses.behaviour.initial-bytes",
         "Retransform Classes", 388)
{
    unsigned char *bytes;
    jvmtiEnv *env;

    NEED("can_retransform_classes");
    env = transformer(t);
    TRUE(env != NULL);
    bytes = stage_bytes(t, "variants/changed/tck/Redef", &hook_size);
    hook_bytes = bytes;
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    SAME(2, version(t));
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    SAME(2, hook_calls);
    /* The second time too the hook has seen version 1: iconst_1. */
    SAME(0x04, seen_opcode(t));
    hook_bytes = NULL;
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    end_transformer();
    free(bytes);
}

TCK_CASE("redefine", redefined_is_initial,
         "RetransformClasses.behaviour.redefinition-gives-initial-bytes",
         "Retransform Classes", 408)
{
    unsigned char *bytes;
    jvmtiEnv *env;

    NEED("can_retransform_classes");
    NEED("can_redefine_classes");
    env = transformer(t);
    TRUE(env != NULL);
    /* Even if it was transformed from other initial bytes before. */
    bytes = stage_bytes(t, "variants/changed/tck/Redef", &hook_size);
    hook_bytes = bytes;
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    hook_bytes = NULL;
    free(bytes);
    REDEFINE("variants/third/tck/Redef");
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    SAME(3, version(t));
    end_transformer();
    restore(t);
    SAME(1, version(t));
}

TCK_CASE("redefine", redefine_hooked, "RedefineClasses.behaviour.passes-through-hooks",
         "Redefine Classes", 406)
{
    unsigned char *bytes;
    jvmtiEnv *env;

    NEED("can_retransform_classes");
    NEED("can_redefine_classes");
    env = transformer(t);
    TRUE(env != NULL);
    bytes = stage_bytes(t, "variants/third/tck/Redef", &hook_size);
    hook_bytes = bytes;
    REDEFINE("variants/changed/tck/Redef");
    hook_bytes = NULL;
    SAME(1, hook_calls);
    SAME(3, version(t));
    end_transformer();
    free(bytes);
    restore(t);
}

TCK_CASE("redefine", retransform_incapable, "RetransformClasses.behaviour.incapable",
         "Retransform Classes", 389)
{
    jvmtiEnv *env, *incapable;

    NEED("can_retransform_classes");
    env = transformer(t);
    incapable = tck_new_env(t);
    TRUE(env != NULL && incapable != NULL);
    record_start(t, incapable);
    CALL_ON(incapable, SetEventNotificationMode, JVMTI_ENABLE,
            JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    CALL_ON(env, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    CALL_ON(incapable, DisposeEnvironment);
    end_transformer();
    SAME(1, hook_calls);
    SAME(0, record_matches(incapable, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL,
                           "tck/Redef"));
}

TCK_CASE("redefine", retransform_late,
         "RetransformClasses.behaviour.capability-too-late",
         "Retransform Classes", 391)
{
    jvmtiEnv *late;
    jvmtiCapabilities caps;

    NEED("can_retransform_classes");
    late = tck_new_env(t);
    TRUE(late != NULL);
    record_start(t, late);
    CALL_ON(late, SetEventNotificationMode, JVMTI_ENABLE,
            JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    memset(&caps, 0, sizeof caps);
    caps.can_retransform_classes = 1;
    if ((*late)->AddCapabilities(late, &caps) == JVMTI_ERROR_NOT_AVAILABLE) {
        CALL_ON(late, DisposeEnvironment);
        tck_skip(t, "the capability cannot be had once the hook was enabled");
        return;
    }
    CALL_ON(late, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    CALL_ON(late, DisposeEnvironment);
    SAME(0, record_matches(late, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Redef"));
}

TCK_CASE("redefine", hook_chain, "ClassFileLoadHook.behaviour.chain",
         "Class File Load Hook", 622)
{
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_class_file_seen };
    jvmtiEnv *first, *second;
    jvmtiError error;
    unsigned char *bytes;
    int opcode;

    NEED("can_retransform_classes");
    first = transformer(t);
    second = tck_new_env(t);
    TRUE(first != NULL && second != NULL);
    error = (*second)->AddCapabilities(
        second, &(jvmtiCapabilities){ .can_retransform_classes = 1 });
    if (error == JVMTI_ERROR_NOT_AVAILABLE)
        tck_skip(t, "only two environments can hold can_retransform_classes");
    SAME(JVMTI_ERROR_NONE, error);
    CALL_ON(second, SetEventCallbacks, &callbacks, sizeof callbacks);
    CALL_ON(second, SetEventNotificationMode, JVMTI_ENABLE,
            JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    bytes = stage_bytes(t, "variants/third/tck/Redef", &hook_size);
    hook_bytes = bytes;
    CALL_ON(first, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    hook_bytes = NULL;
    /* The second environment is given what the first one made: iconst_3. */
    opcode = seen_opcode(t);
    CALL_ON(second, DisposeEnvironment);
    CALL_ON(first, RetransformClasses, 1, &(jclass){ stage_class(t, "tck/Redef") });
    end_transformer();
    free(bytes);
    SAME(0x06, opcode);
}

/* -- which classes can be changed -- */

TCK_CASE("redefine", modifiable_own, "IsModifiableClass.behaviour.ordinary-class",
         "Is Modifiable Class", 734)
{
    jboolean yes = JNI_FALSE;

    if (!tck_has(t, "can_redefine_classes") && !tck_has(t, "can_retransform_classes")) {
        tck_skip(t, "the VM changes no classes");
        return;
    }
    CALL(IsModifiableClass, stage_class(t, "tck/Redef"), &yes);
    SAME(JNI_TRUE, yes);
}

TCK_CASE("redefine", modifiable_primitive, "IsModifiableClass.behaviour.primitive",
         "Is Modifiable Class", 383)
{
    jboolean yes = JNI_TRUE;

    CALL(IsModifiableClass, stage_primitive(t), &yes);
    SAME(JNI_FALSE, yes);
}

TCK_CASE("redefine", modifiable_array, "IsModifiableClass.behaviour.array",
         "Is Modifiable Class", 383)
{
    jboolean yes = JNI_TRUE;

    CALL(IsModifiableClass, stage_call(t, "tck/Values", "array", "()Ljava/lang/Class;"),
         &yes);
    SAME(JNI_FALSE, yes);
}

TCK_CASE("redefine", modifiable_without, "IsModifiableClass.behaviour.no-capability",
         "Is Modifiable Class", 384)
{
    jboolean held = JNI_FALSE, yes = JNI_FALSE;
    jvmtiEnv *bare = tck_new_env(t), *able = tck_new_env(t);

    TRUE(bare != NULL && able != NULL);
    /* Those with which "all classes are modifiable" t->jvmti may have. */
    (*able)->AddCapabilities(able, &(jvmtiCapabilities){ .can_redefine_classes = 1 });
    (*able)->AddCapabilities(able, &(jvmtiCapabilities){ .can_retransform_classes = 1 });
    CALL_ON(able, IsModifiableClass, stage_class(t, "tck/Redef"), &held);
    CALL_ON(bare, IsModifiableClass, stage_class(t, "tck/Redef"), &yes);
    CALL_ON(able, DisposeEnvironment);
    CALL_ON(bare, DisposeEnvironment);
    SAME(held, yes);
}

TCK_CASE("redefine", redefine_array, "RedefineClasses.behaviour.array-unmodifiable",
         "Is Modifiable Class", 385)
{
    jvmtiClassDefinition definition = {
        stage_call(t, "tck/Values", "array", "()Ljava/lang/Class;"), 0, NULL
    };
    unsigned char *bytes;
    jvmtiError error;

    NEED("can_redefine_classes");
    bytes = stage_bytes(t, "tck/Redef", &definition.class_byte_count);
    definition.class_bytes = bytes;
    error = (*t->jvmti)->RedefineClasses(t->jvmti, 1, &definition);
    free(bytes);
    SAME(JVMTI_ERROR_UNMODIFIABLE_CLASS, error);
}
