/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/histogram.c -- objects and bytes by class, in the layout of
 * `jcmd GC.class_histogram`.
 */
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    struct class *class = model_class(data, class_tag);

    (void)tag;
    (void)length;
    if (class == NULL)
        return JVMTI_VISIT_ABORT;
    class->objects++;
    class->object_bytes += (uint64_t)size;
    return JVMTI_VISIT_OBJECTS;
}

static int
compare(const void *a, const void *b)
{
    const struct class *x = *(struct class *const *)a, *y = *(struct class *const *)b;

    return x->object_bytes != y->object_bytes
        ? (x->object_bytes < y->object_bytes ? 1 : -1)
        : strcmp(x->signature, y->signature);
}

/* -- modules, by way of Java, for JVM TI has them from level 9 only -- */

/* " (java.base@17)" of the class with this number; "" for the unnamed module, and where
   there are no modules. */
struct modules {
    JNIEnv *jni;
    jmethodID get_module, get_name, get_descriptor, to_text;
};

static jmethodID
find_method(JNIEnv *jni, const char *class_name, const char *name,
            const char *descriptor)
{
    jclass class = (*jni)->FindClass(jni, class_name);
    jmethodID method = class == NULL ? NULL
        : (*jni)->GetMethodID(jni, class, name, descriptor);

    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, class);
    return method;
}

static void
modules_init(struct modules *m, JNIEnv *jni)
{
    m->jni = jni;
    m->get_module = find_method(jni, "java/lang/Class", "getModule",
                                "()Ljava/lang/Module;");
    m->get_name = find_method(jni, "java/lang/Module", "getName",
                              "()Ljava/lang/String;");
    m->get_descriptor = find_method(jni, "java/lang/Module", "getDescriptor",
                                    "()Ljava/lang/module/ModuleDescriptor;");
    m->to_text = find_method(jni, "java/lang/module/ModuleDescriptor",
                             "toNameAndVersion", "()Ljava/lang/String;");
}

static jobject
call(struct modules *m, jobject object, jmethodID method)
{
    jobject result = object == NULL || method == NULL ? NULL
        : (*m->jni)->CallObjectMethod(m->jni, object, method);

    if ((*m->jni)->ExceptionCheck(m->jni)) {
        (*m->jni)->ExceptionClear(m->jni);
        return NULL;
    }
    return result;
}

static void
module_text(struct modules *m, jobject class, char *text, size_t size)
{
    JNIEnv *jni = m->jni;
    jobject module, name;
    struct tf_buffer printable = { 0 };
    const char *chars;

    text[0] = '\0';
    if ((*jni)->PushLocalFrame(jni, 8) != JNI_OK) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    module = call(m, class, m->get_module);
    if (call(m, module, m->get_name) != NULL) {
        name = call(m, call(m, module, m->get_descriptor), m->to_text);
        chars = name == NULL ? NULL : (*jni)->GetStringUTFChars(jni, name, NULL);
        if (chars != NULL) {
            tf_buffer_printable(&printable, chars, strlen(chars));
            snprintf(text, size, " (%s)", tf_buffer_string(&printable));
            tf_buffer_release(&printable);
            (*jni)->ReleaseStringUTFChars(jni, name, chars);
        }
    }
    (*jni)->PopLocalFrame(jni, NULL);
}

/* -- rows -- */

/* As Class.getName says it: "[Ljava.lang.String;", "p.C/0x1f". */
static void
row_name(struct tf_buffer *name, const char *signature)
{
    size_t skipped = *signature == 'L';

    tf_buffer_printable(name, signature + skipped, strlen(signature) - 2 * skipped);
    for (size_t i = 0; i < name->length; i++)
        if (name->bytes[i] == '/')
            name->bytes[i] = '.';
        else if (name->bytes[i] == '.')
            name->bytes[i] = '/';
}

static void
write_row(struct modules *modules, struct output *out, uint32_t row,
          const struct class *class, jclass handle)
{
    struct tf_buffer name = { 0 };
    char module[256] = "";

    row_name(&name, class->signature);
    if (handle != NULL)
        module_text(modules, handle, module, sizeof module);
    output_format(out, "%4u: %13llu %14llu  %s%s\n", row,
                  (unsigned long long)class->objects,
                  (unsigned long long)class->object_bytes, tf_buffer_string(&name),
                  module);
    tf_buffer_release(&name);
}

static void
write_rows(struct model *model, struct output *out, struct class **rows, uint32_t count,
           jclass *handles)
{
    struct modules modules;
    uint64_t objects = 0, bytes = 0;
    uint32_t row = 0;

    modules_init(&modules, model->jni);
    output_format(out, " num     #instances         #bytes  class name (module)\n"
                  "-------------------------------------------------------\n");
    for (uint32_t i = 0; i < count; i++) {
        if (row < (unsigned long long)model->config->top || model->config->top == 0)
            write_row(&modules, out, ++row, rows[i], handles[rows[i] - model->classes]);
        objects += rows[i]->objects;
        bytes += rows[i]->object_bytes;
    }
    output_format(out, "Total %13llu %14llu\n", (unsigned long long)objects,
                  (unsigned long long)bytes);
}

/* Sort the rows and write them, with the classes at hand by their numbers. */
static bool
report(struct model *model, struct output *out, struct class **rows, uint32_t count)
{
    jclass *handles = calloc(model->class_count, sizeof *handles), *classes = NULL;
    jint loaded = 0;

    if (handles == NULL
        || !TF_CALL(model->jvmti, GetLoadedClasses,
                    (model->jvmti, &loaded, &classes))) {
        free(handles);
        return false;
    }
    for (jint i = 0; i < loaded; i++) {
        jlong tag = 0;

        if ((*model->jvmti)->GetTag(model->jvmti, classes[i], &tag) == JVMTI_ERROR_NONE)
            handles[tag] = classes[i];
    }
    qsort(rows, count, sizeof *rows, compare);
    write_rows(model, out, rows, count, handles);
    tf_release_references(model->jvmti, model->jni, (jobject *)classes, loaded);
    free(handles);
    return true;
}

/* Live objects, so what is dead goes first. */
bool
histogram_write(struct model *model, struct output *out)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_object };
    struct class **rows = calloc(model->class_count, sizeof *rows);
    uint32_t count = 0;
    bool done;

    if (rows == NULL) {
        tf_error("out of memory");
        return false;
    }
    done = TF_CALL(model->jvmti, ForceGarbageCollection, (model->jvmti))
        && TF_CALL(model->jvmti, IterateThroughHeap,
                   (model->jvmti, 0, NULL, &callbacks, model))
        && !model->stale;
    if (done) {
        for (uint32_t i = 1; i < model->class_count; i++)
            if (model->classes[i].objects > 0 && model->classes[i].wanted)
                rows[count++] = &model->classes[i];
        done = report(model, out, rows, count);
    }
    free(rows);
    return done;
}
