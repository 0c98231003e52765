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
    model_met(data, "counting the objects", size);
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

/* -- the difference to an earlier dump -- */

struct change {
    const char *name;
    uint64_t before, now;
};

static uint64_t
size_of_change(const struct change *c)
{
    return c->now > c->before ? c->now - c->before : c->before - c->now;
}

static int
compare_changes(const void *a, const void *b)
{
    uint64_t x = size_of_change(a), y = size_of_change(b);

    return x != y ? (x < y ? 1 : -1)
        : strcmp(((const struct change *)a)->name, ((const struct change *)b)->name);
}

/* The class of this name among the rows. */
static const struct class *
row_of(struct model *model, struct class **rows, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(model->strings[rows[i]->name], name) == 0)
            return rows[i];
    return NULL;
}

/* A line for each class that has more objects than in the earlier dump, or fewer; two
   classes of the same name are one there, as the file does not tell their loaders. */
static bool
write_changes(struct model *model, struct output *out, struct class **rows,
              uint32_t count)
{
    struct old_dump old;
    struct change *changes;
    uint32_t used = 0;

    if (!old_dump_read(&old, model->config->compare))
        return false;
    changes = calloc((size_t)count + old.count + 1, sizeof *changes);
    for (uint32_t i = 0; changes != NULL && i < count; i++) {
        const char *name = model->strings[rows[i]->name];
        const struct old_class *before = old_dump_find(&old, name);

        changes[used++] = (struct change){ name, before == NULL ? 0 : before->objects,
                                           rows[i]->objects };
    }
    for (uint32_t i = 0; changes != NULL && i < old.count; i++)
        if (old.classes[i].objects > 0
            && row_of(model, rows, count, old.classes[i].name) == NULL)
            changes[used++] = (struct change){ old.classes[i].name,
                                               old.classes[i].objects, 0 };
    if (changes != NULL)
        qsort(changes, used, sizeof *changes, compare_changes);
    output_format(out, "\nChange of #instances since %s\n      change         before"
                  "            now  class name\n"
                  "-------------------------------------------------------\n",
                  model->config->compare);
    for (uint32_t i = 0; i < used && size_of_change(&changes[i]) > 0; i++) {
        struct tf_buffer name = { 0 };

        tf_buffer_printable(&name, changes[i].name, strlen(changes[i].name));
        output_format(out, "%+12lld %14llu %14llu  %s\n",
                      (long long)(changes[i].now - changes[i].before),
                      (unsigned long long)changes[i].before,
                      (unsigned long long)changes[i].now, tf_buffer_string(&name));
        tf_buffer_release(&name);
    }
    free(changes);
    old_dump_release(&old);
    return true;
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
    /* What cannot be read has been told; the histogram is there without it. */
    if (model->config->compare != NULL)
        (void)write_changes(model, out, rows, count);
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
