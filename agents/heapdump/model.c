/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/model.c -- what has to be known before a walk, whose callbacks may
 * ask for nothing (JVM TI "Heap").
 */
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double
seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Told once for so many bytes. */
enum { PROGRESS_BYTES = 1 << 20 };

void
model_met(struct model *model, const char *what, jlong size)
{
    uint64_t before = model->met / PROGRESS_BYTES;

    model->met += (uint64_t)size;
    if (model->met / PROGRESS_BYTES != before)
        progress_tell(&model->progress, what, model->met, model->used);
}

/* How much of the heap is in use, as Java says: some of it may be garbage, which a walk does
   not meet, so the last percents go fast. */
static uint64_t
heap_in_use(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Runtime");
    jmethodID get = class == NULL ? NULL : (*jni)->GetStaticMethodID(
        jni, class, "getRuntime", "()Ljava/lang/Runtime;");
    jmethodID total = get == NULL ? NULL
        : (*jni)->GetMethodID(jni, class, "totalMemory", "()J");
    jmethodID unused = total == NULL ? NULL
        : (*jni)->GetMethodID(jni, class, "freeMemory", "()J");
    jobject runtime = unused == NULL ? NULL
        : (*jni)->CallStaticObjectMethod(jni, class, get);
    jlong used = runtime == NULL ? 0
        : (*jni)->CallLongMethod(jni, runtime, total)
        - (*jni)->CallLongMethod(jni, runtime, unused);

    (*jni)->ExceptionClear(jni);
    (*jni)->DeleteLocalRef(jni, runtime);
    (*jni)->DeleteLocalRef(jni, class);
    return used > 0 ? (uint64_t)used : 0;
}

/* Room for one more of `size` bytes in an array that doubles. */
static bool
make_room(struct model *model, void *array, uint32_t count, uint32_t *capacity,
          size_t size)
{
    void **at = array, *grown;
    uint32_t wanted = *capacity * 2 + 64;

    if (count < *capacity)
        return true;
    grown = realloc(*at, wanted * size);
    if (grown == NULL) {
        model->no_memory = true;
        return false;
    }
    *at = grown;
    *capacity = wanted;
    return true;
}

/* -- strings, each once -- */

static uint32_t
hash_of(const char *text)
{
    uint32_t hash = 2166136261u;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static uint32_t *
string_slot(const struct model *model, const char *text)
{
    uint32_t mask = model->string_index_size - 1, at = hash_of(text) & mask;

    while (model->string_index[at] != 0
           && strcmp(model->strings[model->string_index[at]], text) != 0)
        at = (at + 1) & mask;
    return &model->string_index[at];
}

static bool
grow_index(struct model *model)
{
    uint32_t size = model->string_index_size * 2, *old = model->string_index;

    if (model->string_count * 2 < model->string_index_size)
        return true;
    model->string_index = calloc(size, sizeof *model->string_index);
    if (model->string_index == NULL) {
        model->string_index = old;
        model->no_memory = true;
        return false;
    }
    model->string_index_size = size;
    for (uint32_t i = 1; i < model->string_count; i++)
        *string_slot(model, model->strings[i]) = i;
    free(old);
    return true;
}

uint32_t
model_string(struct model *model, const char *text)
{
    uint32_t *slot = string_slot(model, text);

    if (*slot != 0)
        return *slot;
    if (!make_room(model, &model->strings, model->string_count, &model->string_capacity,
                   sizeof *model->strings)
        || !grow_index(model))
        return 0;
    model->strings[model->string_count] = strdup(text);
    if (model->strings[model->string_count] == NULL) {
        model->no_memory = true;
        return 0;
    }
    *string_slot(model, text) = model->string_count;
    return model->string_count++;
}

/* -- objects that get their numbers before the walk -- */

uint64_t
model_object(struct model *model, jobject object)
{
    jlong tag = 0;

    if (object == NULL || !TF_CALL(model->jvmti, GetTag, (model->jvmti, object, &tag)))
        return 0;
    if (tag == 0) {
        tag = (jlong)model->next;
        if (!TF_CALL(model->jvmti, SetTag, (model->jvmti, object, tag)))
            return 0;
        model->known = ++model->next;
    }
    return NUMBER_OF(tag);
}

uint32_t
model_class_number(struct model *model, jclass class)
{
    uint64_t number = 0;
    jlong tag = 0;

    if (class != NULL && TF_CALL(model->jvmti, GetTag, (model->jvmti, class, &tag)))
        number = NUMBER_OF(tag);
    return number < model->class_count ? (uint32_t)number : 0;
}

/* -- classes -- */

static char
hprof_letter(const char *descriptor)
{
    return *descriptor == '[' ? 'L' : *descriptor;
}

static uint32_t
size_of(char type)
{
    return type == 'Z' || type == 'B' ? 1 : type == 'C' || type == 'S' ? 2
        : type == 'I' || type == 'F' ? 4 : 8;
}

/* "Lp/C;" is "p/C" and a hidden class's "Lp/C.1f;" "p/C+1f" in class files and
   dumps. */
static uint32_t
class_name(struct model *model, const char *signature)
{
    size_t length = strlen(signature);
    char *name = strdup(*signature == 'L' ? signature + 1 : signature), *dot;
    uint32_t number;

    if (name == NULL) {
        model->no_memory = true;
        return 0;
    }
    if (*signature == 'L')
        name[length - 2] = '\0';
    dot = strchr(name, '.');
    if (dot != NULL)
        *dot = '+';
    number = model_string(model, name);
    free(name);
    return number;
}

char *
class_java_name(const struct class *class)
{
    struct tf_buffer name;

    tf_buffer_init(&name);
    tf_name_type(&name, class->signature);
    return tf_buffer_take(&name);
}

static bool
add_field(struct model *model, jclass handle, struct class *class, jfieldID id)
{
    struct field *field = &class->fields[class->field_count];
    TF_SCOPED struct tf_scope scope;
    char *name, *descriptor;
    jint modifiers;

    tf_scope_open(&scope, model->jvmti, NULL, 0);
    tf_scope_own(&scope, &name);
    tf_scope_own(&scope, &descriptor);
    if (!TF_CALL(model->jvmti, GetFieldName,
                 (model->jvmti, handle, id, &name, &descriptor, NULL))
        || !TF_CALL(model->jvmti, GetFieldModifiers,
                    (model->jvmti, handle, id, &modifiers)))
        return false;
    field->name = model_string(model, name);
    field->type = hprof_letter(descriptor);
    field->is_static = (modifiers & TF_ACC_STATIC) != 0;
    field->at = field->is_static ? class->statics++ : class->bytes;
    if (!field->is_static)
        class->bytes += size_of(field->type);
    class->field_count++;
    return field->name != 0;
}

static bool
add_fields(struct model *model, jclass handle, struct class *class)
{
    TF_SCOPED struct tf_scope scope;
    jfieldID *ids;
    jint count;

    tf_scope_open(&scope, model->jvmti, NULL, 0);
    tf_scope_own(&scope, &ids);
    if (!TF_CALL(model->jvmti, GetClassFields, (model->jvmti, handle, &count, &ids)))
        return false;
    class->fields = calloc((size_t)count + 1, sizeof *class->fields);
    if (class->fields == NULL) {
        model->no_memory = true;
        return false;
    }
    for (jint i = 0; i < count; i++)
        if (!add_field(model, handle, class, ids[i]))
            return false;
    class->values = calloc((size_t)class->statics + 1, sizeof *class->values);
    return class->values != NULL;
}

static bool
add_interfaces(struct model *model, jclass handle, struct class *class)
{
    jclass *interfaces = NULL;
    jint count;

    if (!TF_CALL(model->jvmti, GetImplementedInterfaces,
                 (model->jvmti, handle, &count, &interfaces)))
        return false;
    class->interfaces = calloc((size_t)count + 1, sizeof *class->interfaces);
    for (jint i = 0; class->interfaces != NULL && i < count; i++)
        class->interfaces[class->interface_count++] =
            model_class_number(model, interfaces[i]);
    tf_release_references(model->jvmti, model->jni, (jobject *)interfaces, count);
    return class->interfaces != NULL;
}

static bool
set_name(struct model *model, jclass handle, struct class *class, uint32_t number)
{
    char *signature, *name;

    if (!TF_CALL(model->jvmti, GetClassSignature,
                 (model->jvmti, handle, &signature, NULL)))
        return false;
    class->signature = strdup(signature);
    tf_deallocate(model->jvmti, signature);
    name = class->signature == NULL ? NULL : class_java_name(class);
    if (name == NULL) {
        model->no_memory = true;
        return false;
    }
    class->name = class_name(model, class->signature);
    class->wanted = tf_name_wanted(model->config->include, model->config->exclude,
                                   name);
    free(name);
    if (class->signature[0] == '[')
        class->element = hprof_letter(class->signature + 1);
    if (strcmp(class->signature, "Ljava/lang/Class;") == 0)
        model->java_class = number;
    return class->name != 0;
}

/*
 * HotSpot has instances in its archives of classes that nobody has linked yet, whose
 * fields JVM TI does not tell (JVM TI "Get Class Fields").  Reflection links a class
 * and does not initialize it.
 */
static void
link_class(struct model *model, jclass handle)
{
    JNIEnv *jni = model->jni;
    jclass class_class = (*jni)->GetObjectClass(jni, handle);
    jmethodID method = (*jni)->GetMethodID(jni, class_class, "getDeclaredFields",
                                           "()[Ljava/lang/reflect/Field;");

    if (method != NULL)
        (*jni)->DeleteLocalRef(jni, (*jni)->CallObjectMethod(jni, handle, method));
    tf_clear_exception(jni, "getDeclaredFields");
    (*jni)->DeleteLocalRef(jni, class_class);
}

static bool
is_prepared(struct model *model, jclass handle, struct class *class)
{
    jint status = 0;

    if (!TF_CALL(model->jvmti, GetClassStatus, (model->jvmti, handle, &status)))
        return false;
    if ((status & JVMTI_CLASS_STATUS_PREPARED) == 0 && class->has_instances
        && class->wanted) {
        link_class(model, handle);
        TF_CALL(model->jvmti, GetClassStatus, (model->jvmti, handle, &status));
        if ((status & JVMTI_CLASS_STATUS_PREPARED) == 0) {
            tf_warning("instances of %s are left out, since it cannot be linked",
                       class->signature);
            class->wanted = false;
        }
    }
    return (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
}

static bool
describe(struct model *model, jclass handle, uint32_t number)
{
    struct class *class = &model->classes[number];
    JNIEnv *jni = model->jni;
    jobject super, loader = NULL;

    if (class->signature == NULL && !set_name(model, handle, class, number))
        return false;
    super = (*jni)->GetSuperclass(jni, handle);
    class->super = model_class_number(model, (jclass)super);
    (*jni)->DeleteLocalRef(jni, super);
    if (!TF_CALL(model->jvmti, GetClassLoader, (model->jvmti, handle, &loader)))
        return false;
    class->loader = model_object(model, loader);
    (*jni)->DeleteLocalRef(jni, loader);
    if (class->element == 0) {
        jboolean is = JNI_FALSE;

        if (!TF_CALL(model->jvmti, IsInterface, (model->jvmti, handle, &is)))
            return false;
        class->is_interface = is;
        if (!is_prepared(model, handle, class))
            return true;
        if (!add_interfaces(model, handle, class) || !add_fields(model, handle, class))
            return false;
    }
    class->prepared = true;
    return true;
}

/* How many fields the interfaces have that class implements, each interface once. */
static uint32_t
count_above(struct model *model, struct class *from)
{
    uint32_t stamp = ++model->stamp, fields = 0, depth = 0;

    for (struct class *class = from; class != &model->classes[0];
         class = &model->classes[class->super])
        model->pending[depth++] = (uint32_t)(class - model->classes);
    while (depth > 0) {
        struct class *class = &model->classes[model->pending[--depth]];

        for (uint32_t i = 0; i < class->interface_count; i++) {
            struct class *above = &model->classes[class->interfaces[i]];

            if (above->stamp == stamp)
                continue;
            above->stamp = stamp;
            fields += above->field_count;
            model->pending[depth++] = class->interfaces[i];
        }
    }
    return fields;
}

/* Numbers and sizes that depend on superclasses; these may be new, too. */
static void
lay_out(struct model *model, struct class *class)
{
    bool is_reference = false, is_final = false;

    class->above = count_above(model, class);
    class->first = 0;
    class->all_bytes = class->bytes;
    for (uint32_t s = class->super; s != 0; s = model->classes[s].super) {
        const struct class *super = &model->classes[s];

        class->first += super->field_count;
        class->all_bytes += super->bytes;
        is_reference |= strcmp(super->signature, "Ljava/lang/ref/Reference;") == 0;
        is_final |= strcmp(super->signature, "Ljava/lang/ref/FinalReference;") == 0;
    }
    class->weak = is_reference && !is_final;
}

static bool
number_classes(struct model *model, jclass *classes, jint count)
{
    for (jint i = 0; i < count; i++) {
        if (model_class_number(model, classes[i]) != 0)
            continue;
        if (!make_room(model, &model->classes, model->class_count,
                       &model->class_capacity, sizeof *model->classes))
            return false;
        if (model->class_count == FIRST_OBJECT) {
            tf_error("too many classes");
            return false;
        }
        memset(&model->classes[model->class_count], 0, sizeof *model->classes);
        if (!TF_CALL(model->jvmti, SetTag,
                     (model->jvmti, classes[i], (jlong)model->class_count)))
            return false;
        model->class_count++;
    }
    return true;
}

bool
model_add_classes(struct model *model)
{
    jclass *classes = NULL;
    jint count = 0;
    bool done;

    model->stale = false;
    if (!TF_CALL(model->jvmti, GetLoadedClasses, (model->jvmti, &count, &classes)))
        return false;
    done = number_classes(model, classes, count);
    for (jint i = 0; done && i < count; i++) {
        uint32_t number = model_class_number(model, classes[i]);

        if (!model->classes[number].prepared)
            done = describe(model, classes[i], number);
    }
    tf_release_references(model->jvmti, model->jni, (jobject *)classes, count);
    free(model->pending);
    model->pending = calloc(model->class_count * 2, sizeof *model->pending);
    if (done && model->pending == NULL) {
        model->no_memory = true;
        return false;
    }
    for (uint32_t i = 1; done && i < model->class_count; i++)
        lay_out(model, &model->classes[i]);
    return done;
}

bool
model_any_wanted(const struct model *model)
{
    for (uint32_t i = 1; i < model->class_count; i++)
        if (model->classes[i].wanted)
            return true;
    return false;
}

const struct field *
model_field(struct model *model, struct class *class, jint index, struct class **owner)
{
    uint32_t at = (uint32_t)index - class->above;

    if (index < 0 || (uint32_t)index < class->above)
        return NULL;
    while (at < class->first)
        class = &model->classes[class->super];
    *owner = class;
    return at - class->first < class->field_count ? &class->fields[at - class->first]
        : NULL;
}

static bool
add_mirror(struct model *model, uint64_t number)
{
    if (!make_room(model, &model->mirrors, model->mirror_count, &model->mirror_capacity,
                   sizeof *model->mirrors))
        return false;
    model->mirrors[model->mirror_count++] = number;
    return true;
}

uint64_t
model_number(struct model *model, struct class *class, jlong *tag, jlong size,
             jint length)
{
    if (*tag == 0) {
        model_met(model, "looking at the objects", size);
        if (class == &model->classes[model->java_class]
            && !add_mirror(model, model->next))
            return 0;
        *tag = (jlong)(model->next++
                       | (class->element ? (uint64_t)(uint32_t)length << NUMBER_BITS
                          : 0));
    }
    return NUMBER_OF(*tag);
}

/* -- the whole -- */

static jint JNICALL
meet(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    struct model *model = data;

    (void)size;
    (void)tag;
    (void)length;
    if (class_tag > 0 && class_tag < model->class_count
        && !model->classes[class_tag].prepared)
        model->classes[class_tag].has_instances = model->stale = true;
    return JVMTI_VISIT_OBJECTS;
}

bool
model_meet_unprepared(struct model *model)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = meet };

    if (!model->has_met)
        TF_CALL(model->jvmti, IterateThroughHeap,
                (model->jvmti, 0, NULL, &callbacks, model));
    model->has_met = true;
    return model->stale;
}

static jint JNICALL
forget(jlong class_tag, jlong size, jlong *tag, jint length, void *model)
{
    (void)class_tag;
    (void)size;
    (void)length;
    if (NUMBER_OF(*tag) >= ((const struct model *)model)->known)
        *tag = 0;
    return JVMTI_VISIT_OBJECTS;
}

void
model_forget_objects(struct model *model)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = forget };

    TF_CALL(model->jvmti, IterateThroughHeap,
            (model->jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks, model));
    model->next = model->known;
    model->mirror_count = 0;
    model->met = 0;
    for (uint32_t i = 1; i < model->class_count; i++) {
        struct class *class = &model->classes[i];

        class->objects = class->object_bytes = 0;
        class->constant_count = 0;
        class->signers = class->domain = 0;
        if (class->values != NULL)
            memset(class->values, 0, class->statics * sizeof *class->values);
    }
}

bool
model_init(struct model *model, JNIEnv *jni, const struct config *config)
{
    jvmtiCapabilities required = { .can_tag_objects = 1 };
    jvmtiCapabilities wanted = {
        .can_get_line_numbers = 1, .can_get_source_file_name = 1
    };
    void *env;

    memset(model, 0, sizeof *model);
    model->jni = jni;
    model->config = config;
    model->started = seconds_now();
    progress_begin(&model->progress, "heapdump", config->progress);
    if (model->progress.wanted)
        model->used = heap_in_use(jni);
    model->known = model->next = FIRST_OBJECT;
    model->class_count = model->string_count = 1;
    model->string_index_size = 1024;
    if ((*config->vm)->GetEnv(config->vm, &env, JVMTI_VERSION_1_1) != JNI_OK) {
        tf_error("no environment for a dump");
        return false;
    }
    model->jvmti = env;
    model->string_index = calloc(model->string_index_size, sizeof(uint32_t));
    if (model->string_index == NULL
        || !make_room(model, &model->classes, 0, &model->class_capacity,
                      sizeof *model->classes)) {
        model->no_memory = true;
        return false;
    }
    memset(&model->classes[0], 0, sizeof model->classes[0]);
    return tf_capabilities_add(model->jvmti, &required, &wanted, NULL);
}

static void
release_class(struct class *class)
{
    free(class->signature);
    free(class->interfaces);
    free(class->fields);
    free(class->values);
    free(class->constants);
}

void
model_release(struct model *model)
{
    threads_release(model);
    for (uint32_t i = 1; i < model->class_count; i++)
        release_class(&model->classes[i]);
    for (uint32_t i = 1; i < model->string_count; i++)
        free(model->strings[i]);
    free(model->classes);
    free(model->strings);
    free(model->string_index);
    free(model->pending);
    free(model->mirrors);
    if (model->jvmti != NULL)
        TF_CALL(model->jvmti, DisposeEnvironment, (model->jvmti));
}
