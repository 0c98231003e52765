/* SPDX-License-Identifier: MIT */
/* layer/test/misuse/class.c -- class files that agents give to the VM. */
#include "layer/test/misuse/misuse.h"

#include <stdlib.h>
#include <string.h>

static unsigned char *
find(unsigned char *bytes, jint length, const char *wanted, size_t size)
{
    return memmem(bytes, (size_t)length, wanted, size);
}

/* ---- redefinition ---- */

static unsigned char *target;
static jint target_length;

static void JNICALL
keep_target(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
            const char *name, jobject domain, jint length, const unsigned char *bytes,
            jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)domain;
    (void)new_length, (void)new_bytes;
    if (name == NULL || strcmp(name, "Target") != 0 || target != NULL)
        return;
    target = malloc((size_t)length);
    target_length = length;
    memcpy(target, bytes, (size_t)length);
}

/* With another name for its method main; in the thread that the program starts. */
static void JNICALL
redefine(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiClassDefinition definition = { NULL, target_length, target };
    static bool is_done;
    unsigned char *name;

    (void)thread;
    if (target == NULL || is_done)
        return;
    is_done = true;
    name = find(target, target_length, "\0\4main", 6);
    definition.klass = (*jni)->FindClass(jni, "Target");
    if (!misuse_now->right)
        name[2] = 'M';
    (*jvmti)->RedefineClasses(jvmti, 1, &definition);
}

static void
watch_target(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_redefine_classes);
    misuse_callbacks.ClassFileLoadHook = keep_target;
    misuse_callbacks.ThreadStart = redefine;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

/* ---- bytes from the hook ---- */

static void JNICALL
change_part(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
            const char *name, jobject domain, jint length, const unsigned char *bytes,
            jint *new_length, unsigned char **new_bytes)
{
    unsigned char *copy, *code;

    (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "Target$Part") != 0)
        return;
    misuse_must((*jvmti)->Allocate(jvmti, length, &copy), "Allocate");
    memcpy(copy, bytes, (size_t)length);
    /* The code of one(): iconst_1, ireturn; it becomes nop or iconst_2, and ireturn. */
    code = find(copy, length, "\0\0\0\2\4\254", 6);
    code[4] = misuse_now->right ? 5 : 0;
    *new_length = length;
    *new_bytes = copy;
}

static void JNICALL
cut_part(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
         jobject domain, jint length, const unsigned char *bytes, jint *new_length,
         unsigned char **new_bytes)
{
    change_part(jvmti, jni, redefined, loader, name, domain, length, bytes, new_length,
                new_bytes);
    if (*new_bytes != NULL && !misuse_now->right)
        *new_length = length / 2;
}

static void
watch_part(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = change_part;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void
watch_cut(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = cut_part;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

/* ---- loads ---- */

static void
load_class(struct misuse *m)
{
    if (m->right)
        (*m->jni)->FindClass(m->jni, "java/util/concurrent/Phaser");
}

static void JNICALL
on_thread(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    jvmtiPhase phase;

    (void)thread;
    if ((*jvmti)->GetPhase(jvmti, &phase) == JVMTI_ERROR_NONE
        && phase == JVMTI_PHASE_LIVE)
        (*jni)->FindClass(jni, "java/util/concurrent/Phaser");
}

static void
watch_threads(struct misuse *m)
{
    misuse_callbacks.ThreadStart = on_thread;
    misuse_enable(m, JVMTI_EVENT_THREAD_START);
}

static void JNICALL
write_bytes(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
            const char *name, jobject domain, jint length, const unsigned char *bytes,
            jint *new_length, unsigned char **new_bytes)
{
    unsigned char *to = (unsigned char *)bytes, *text;

    (void)jni, (void)redefined, (void)loader, (void)domain;
    if (name == NULL || strcmp(name, "Target") != 0)
        return;
    if (misuse_now->right) {
        misuse_must((*jvmti)->Allocate(jvmti, length, &to), "Allocate");
        memcpy(to, bytes, (size_t)length);
        *new_bytes = to;
        *new_length = length;
    }
    text = find(to, length, "in a thread", 11);
    if (text != NULL)
        text[0] = 'I';
}

static void
watch_written(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = write_bytes;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

/* The bytes of one class while the next one is loaded. */
static void JNICALL
write_later(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
            const char *name, jobject domain, jint length, const unsigned char *bytes,
            jint *new_length, unsigned char **new_bytes)
{
    static unsigned char *kept;

    (void)jvmti, (void)jni, (void)redefined, (void)loader, (void)name, (void)domain;
    (void)new_length, (void)new_bytes;
    if (kept != NULL)
        kept[0] = 0xca;
    if (misuse_now->right)
        free(kept);
    kept = misuse_now->right ? malloc((size_t)length) : (unsigned char *)bytes;
}

static void
watch_kept(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = write_later;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void JNICALL
load_in_hook(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
             const char *name, jobject domain, jint length, const unsigned char *bytes,
             jint *new_length, unsigned char **new_bytes)
{
    (void)jvmti, (void)redefined, (void)loader, (void)domain, (void)length, (void)bytes;
    (void)new_length, (void)new_bytes;
    if (name != NULL && strcmp(name, "Target") == 0)
        (*jni)->FindClass(jni, "java/util/concurrent/Phaser");
}

static void
watch_loads(struct misuse *m)
{
    misuse_callbacks.ClassFileLoadHook = load_in_hook;
    misuse_enable(m, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
}

static void
can_retransform(struct misuse *m)
{
    MISUSE_CAPABILITY(m, can_retransform_classes);
}

static void
retransform_array(struct misuse *m)
{
    jclass class = (*m->jni)->FindClass(m->jni, "[I");
    jboolean modifiable = JNI_TRUE;

    if (m->right)
        (*m->jvmti)->IsModifiableClass(m->jvmti, class, &modifiable);
    if (modifiable)
        (*m->jvmti)->RetransformClasses(m->jvmti, 1, &class);
}

const struct misuse_case class_cases[] = {
    { .rule = "classes.unmodifiable", .load = can_retransform, .init = retransform_array },
    { .rule = "classes.bytes-written", .load = watch_written },
    { .rule = "classes.bytes-written/later", .load = watch_kept },
    { .rule = "classes.load-in-callback/hook", .load = watch_loads, .init = load_class },
    { .rule = "classes.redefinition-refused", .load = watch_target },
    { .rule = "classes.bytes-malformed", .load = watch_cut },
    { .rule = "classes.transformed-refused", .load = watch_part },
    { .rule = "classes.load-in-callback", .load = watch_threads, .init = load_class },
    { .rule = NULL }
};
