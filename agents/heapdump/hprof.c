/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/hprof.c -- HPROF 1.0.2, big-endian, with ids of 8 bytes.
 *
 * Objects are written while the walk goes on, so that the memory that it takes does not
 * grow with the heap, but for a bit per object.  That relies on a VM that tells all of
 * an object (its references, then its values) in one go, which the specification leaves
 * open; the bits say if one does not, and then there is no dump rather than a wrong
 * one.  Classes come last, for their static fields are known only then.
 */
#include "agents/heapdump/hprof.h"

#include <stdlib.h>
#include <string.h>

/* An instance's record but for its values, and an array's but for its elements. */
enum {
    INSTANCE_HEAD = 1 + ID_SIZE + 4 + ID_SIZE + 4, ARRAY_HEAD = 1 + ID_SIZE + 4 + 4
};

/* -- the object that is being told -- */

static uint64_t
value_bits(char type, jvalue value)
{
    switch (type) {
    case 'Z': case 'B':
        return (uint8_t)value.b;
    case 'C': case 'S':
        return value.c;
    case 'I': case 'F':
        return (uint32_t)value.i;
    default:
        return (uint64_t)value.j;
    }
}

/* Set the bit of an object; false if it was set. */
static bool
note_begun(struct hprof *h, uint64_t number)
{
    size_t at = (number - FIRST_OBJECT) / 8, size = h->seen_size;
    unsigned char bit = (unsigned char)(1u << (number & 7));

    if (at >= size) {
        unsigned char *grown;

        while (at >= size)
            size = size * 2 + 4096;
        grown = realloc(h->seen, size);
        if (grown == NULL) {
            h->model->no_memory = h->failed = true;
            return true;
        }
        memset(grown + h->seen_size, 0, size - h->seen_size);
        h->seen = grown;
        h->seen_size = size;
    }
    if (h->seen[at] & bit)
        return false;
    h->seen[at] |= bit;
    h->begun++;
    return true;
}

static void
instance_head(struct hprof *h, uint64_t number, const struct class *class)
{
    hprof_begin(h, INSTANCE_HEAD + class->all_bytes);
    hprof_put(h, INSTANCE, 1);
    hprof_put(h, number, ID_SIZE);
    hprof_put(h, NO_TRACE, 4);
    hprof_put(h, (uint64_t)(class - h->model->classes), ID_SIZE);
    hprof_put(h, class->all_bytes, 4);
}

/* A segment's length has 32 bits: the longest arrays are cut, as other dumpers do. */
static uint32_t
fitting(struct hprof *h, uint32_t length, unsigned size)
{
    uint32_t most = (UINT32_MAX - ARRAY_HEAD - ID_SIZE) / size;

    if (length <= most)
        return length;
    h->cut++;
    return most;
}

static void
array_head(struct hprof *h, int tag, uint32_t length, unsigned size)
{
    hprof_begin(h, ARRAY_HEAD + (uint64_t)length * size
             + (tag == OBJECT_ARRAY ? ID_SIZE : 1));
    hprof_put(h, (uint64_t)tag, 1);
    hprof_put(h, h->number, ID_SIZE);
    hprof_put(h, NO_TRACE, 4);
    hprof_put(h, length, 4);
}

static bool
is_object_array(const struct class *class)
{
    return class->element == 'L';
}

/* The next elements up to `index` are null. */
static void
fill_elements(struct hprof *h, uint32_t index)
{
    for (; h->written < index; h->written++)
        hprof_put(h, 0, ID_SIZE);
}

static void
end_object(struct hprof *h)
{
    if (h->number == 0)
        return;
    if (h->class->element == 0) {
        if (h->class->wanted) {
            instance_head(h, h->number, h->class);
            hprof_put_bytes(h, h->values, h->class->all_bytes);
        }
    } else if (is_object_array(h->class)) {
        if (h->class->wanted)
            fill_elements(h, h->length);
    } else if (!h->has_values) {
        if (h->length > 0)
            h->broken = "it does not tell the elements of an array";
        else if (h->class->wanted) {
            array_head(h, PRIMITIVE_ARRAY, 0, 1);
            hprof_put(h, (uint64_t)hprof_type_code(h->class->element), 1);
        }
    }
    h->number = 0;
}

static void
begin_values(struct hprof *h)
{
    size_t size = h->class->all_bytes;

    if (size > h->values_size) {
        unsigned char *grown = realloc(h->values, size * 2);

        if (grown == NULL) {
            h->model->no_memory = h->failed = true;
            h->number = 0;
            return;
        }
        h->values = grown;
        h->values_size = size * 2;
    }
    if (size > 0)
        memset(h->values, 0, size);
}

/* See to it that this object is the one being told. */
static bool
tell(struct hprof *h, jlong tag, jlong class_tag)
{
    uint64_t number = NUMBER_OF(tag);
    struct class *class;

    if (number == h->number && number != 0)
        return true;
    end_object(h);
    class = model_class(h->model, class_tag);
    if (class == NULL || number < FIRST_OBJECT
        || (!class->prepared && !class->has_instances)) {
        if (class != NULL)
            class->has_instances = true;
        h->model->stale = true;
        return false;
    }
    if (!note_begun(h, number))
        h->broken = "it tells of an object in pieces";
    h->number = number;
    h->class = class;
    h->length = LENGTH_OF(tag);
    h->written = 0;
    h->has_values = false;
    if (!class->wanted)
        h->left_out++;
    if (class->element == 0)
        begin_values(h);
    else if (is_object_array(class)) {
        h->length = fitting(h, h->length, ID_SIZE);
        if (class->wanted) {
            array_head(h, OBJECT_ARRAY, h->length, ID_SIZE);
            hprof_put(h, (uint64_t)(class - h->model->classes), ID_SIZE);
        }
    }
    return h->number != 0;
}

static void
set_field(struct hprof *h, jint index, uint64_t value)
{
    struct class *owner;
    const struct field *field;

    if (!h->class->wanted)
        return;
    field = model_field(h->model, h->class, index, &owner);
    if (field == NULL || field->is_static)
        h->broken = "it tells of a field that the class does not have";
    else
        /* Those of the class come first, then its superclass's, and so on. */
        hprof_store(h->values + (h->class->all_bytes - owner->all_bytes) + field->at, value,
              hprof_type_size(field->type));
}

static void
set_element(struct hprof *h, jint index, uint64_t value)
{
    if ((uint32_t)index < h->written)
        h->broken = "it does not tell the elements of an array in their order";
    else if ((uint32_t)index < h->length && h->class->wanted) {
        fill_elements(h, (uint32_t)index);
        hprof_put(h, value, ID_SIZE);
        h->written++;
    }
}

/* -- what a class refers to -- */

static void
set_static(struct hprof *h, struct class *class, jint index, uint64_t value)
{
    struct class *owner;
    const struct field *field;

    if (!class->prepared) {
        h->model->stale = true;
        return;
    }
    field = model_field(h->model, class, index, &owner);
    if (field == NULL || !field->is_static)
        h->broken = "it tells of a static field that the class does not have";
    else
        owner->values[field->at] = value;
}

static void
add_constant(struct hprof *h, struct class *class, jint index, uint64_t value)
{
    if (class->constant_count == class->constant_capacity) {
        uint32_t capacity = class->constant_capacity * 2 + 4;
        struct constant *grown = realloc(class->constants, capacity * sizeof *grown);

        if (grown == NULL) {
            h->model->no_memory = h->failed = true;
            return;
        }
        class->constants = grown;
        class->constant_capacity = capacity;
    }
    if (class->constant_count < UINT16_MAX)
        class->constants[class->constant_count++] =
            (struct constant){ (uint16_t)index, value };
}

static void
class_refers(struct hprof *h, struct class *class, jvmtiHeapReferenceKind kind,
             const jvmtiHeapReferenceInfo *info, uint64_t to)
{
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD:
        set_static(h, class, info->field.index, to);
        break;
    case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
        add_constant(h, class, info->constant_pool.index, to);
        break;
    case JVMTI_HEAP_REFERENCE_SIGNERS:
        class->signers = to;
        break;
    case JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN:
        class->domain = to;
        break;
    default:
        break;      /* known before, or none of a class dump's parts */
    }
}

/* -- callbacks -- */

static jint
go_on(const struct hprof *h)
{
    return h->failed || h->broken != NULL || h->model->stale ? JVMTI_VISIT_ABORT
        : JVMTI_VISIT_OBJECTS;
}

static void
object_refers(struct hprof *h, jvmtiHeapReferenceKind kind,
              const jvmtiHeapReferenceInfo *info, uint64_t to)
{
    if (kind == JVMTI_HEAP_REFERENCE_FIELD)
        set_field(h, info->field.index, to);
    else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        set_element(h, info->array.index, to);
    else if (kind != JVMTI_HEAP_REFERENCE_CLASS)
        h->model->stale = true;     /* a class that is new */
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    struct hprof *h = data;
    struct class *class = model_class(h->model, class_tag);
    uint64_t to;

    if (class == NULL)
        return JVMTI_VISIT_ABORT;
    class->size = size;
    to = model_number(h->model, class, tag, size, length);
    if (to == 0)
        return JVMTI_VISIT_ABORT;
    if (referrer_tag == NULL) {
        end_object(h);
        hprof_root(h, kind, info, to);
    } else if (*referrer_tag > 0 && *referrer_tag < h->model->class_count)
        class_refers(h, &h->model->classes[*referrer_tag], kind, info, to);
    else if (tell(h, *referrer_tag, referrer_class_tag))
        object_refers(h, kind, info, to);
    return go_on(h);
}

static jint JNICALL
on_primitive_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                   jlong class_tag, jlong *tag, jvalue value, jvmtiPrimitiveType type,
                   void *data)
{
    struct hprof *h = data;

    if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
        struct class *class = model_class(h->model, *tag);

        if (class != NULL)
            set_static(h, class, info->field.index, value_bits((char)type, value));
    } else if (tell(h, *tag, class_tag))
        set_field(h, info->field.index, value_bits((char)type, value));
    return go_on(h);
}

/* Elements stand in the order of the machine. */
static void
put_elements(struct hprof *h, const void *elements, uint32_t length, unsigned size)
{
    const unsigned char *from = elements;

    if (size == 1) {
        hprof_put_bytes(h, from, length);
        return;
    }
    for (uint32_t i = 0; i < length; i++, from += size) {
        uint64_t value = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(&value, from, size);
#else
        memcpy((unsigned char *)&value + 8 - size, from, size);
#endif
        hprof_put(h, value, size);
    }
}

static jint JNICALL
on_array(jlong class_tag, jlong object_size, jlong *tag, jint count,
         jvmtiPrimitiveType type, const void *elements, void *data)
{
    struct hprof *h = data;
    unsigned size = hprof_type_size((char)type);

    (void)object_size;
    if (tell(h, *tag, class_tag)) {
        if (h->class->wanted) {
            uint32_t length = fitting(h, (uint32_t)count, size);

            array_head(h, PRIMITIVE_ARRAY, length, size);
            hprof_put(h, (uint64_t)hprof_type_code((char)type), 1);
            put_elements(h, elements, length, size);
        }
        h->has_values = true;
    }
    return go_on(h);
}

/* -- what the walk does not tell -- */

/* Class objects that are no loaded class are instances as others are; the walk tells
   nothing of what is in them. */
static void
write_mirrors(struct hprof *h)
{
    const struct class *class = &h->model->classes[h->model->java_class];

    for (uint32_t i = 0; i < h->model->mirror_count; i++) {
        uint64_t number = h->model->mirrors[i];

        if (!note_begun(h, number) || !class->wanted)
            continue;
        instance_head(h, number, class);
        for (uint32_t j = 0; j < class->all_bytes; j++)
            hprof_put(h, 0, 1);
    }
}

static bool
was_begun(const struct hprof *h, uint64_t number)
{
    size_t at = (number - FIRST_OBJECT) / 8;

    return at < h->seen_size && (h->seen[at] & 1u << (number & 7)) != 0;
}

/* A virtual thread that waits may be an object as others are for the VM, which something
   refers to: its stack is that of a root all the same. */
static void
write_other_threads(struct hprof *h)
{
    for (uint32_t i = 0; i < h->model->thread_count; i++)
        if (was_begun(h, h->model->threads[i].number))
            hprof_thread_root(h, i + 1);
}

/* Each object that got a number was begun, but for threads and loaders that got theirs
   before the walk and were gone then. */
static bool
is_complete(const struct hprof *h)
{
    uint64_t gone = 0;

    for (uint64_t number = FIRST_OBJECT; number < h->model->known; number++)
        gone += !was_begun(h, number);
    return h->begun + gone == h->model->next - FIRST_OBJECT;
}

static void
report_failure(struct hprof *h)
{
    if (h->model->no_memory)
        tf_error("out of memory");
    else if (h->broken != NULL)
        tf_error("no dump can be made on this VM: %s", h->broken);
}

bool
hprof_write(struct model *model, struct output *out)
{
    struct hprof h = { .model = model, .out = out };
    jvmtiHeapCallbacks callbacks = {
        .heap_reference_callback = on_reference,
        .primitive_field_callback = on_primitive_field,
        .array_primitive_value_callback = on_array
    };
    bool done;

    if (model_meet_unprepared(model))
        return false;
    h.segment = malloc(ROOM);
    done = h.segment != NULL && threads_find(model);
    if (done) {
        hprof_head(&h);
        hprof_names(&h);
        hprof_threads(&h);
        done = TF_CALL(model->jvmti, FollowReferences,
                       (model->jvmti, 0, NULL, NULL, &callbacks, &h));
        end_object(&h);
        write_other_threads(&h);
        for (uint32_t i = 1; i < model->class_count; i++)
            hprof_class(&h, i);
        write_mirrors(&h);
        hprof_end_segment(&h);
        hprof_record_head(&h, DUMP_END, 0);
    } else
        model->no_memory = true;
    if (done && !model->stale && !h.failed && h.broken == NULL && !is_complete(&h))
        h.broken = "it does not tell of all objects";
    done = done && !model->stale && !model->no_memory && h.broken == NULL;
    if (!done)
        report_failure(&h);
    if (h.cut > 0)
        tf_warning("%llu arrays are too long for the format and were cut",
                   (unsigned long long)h.cut);
    free(h.segment);
    free(h.seen);
    free(h.values);
    return done;
}
