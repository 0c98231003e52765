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
#include "agents/heapdump/heapdump.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum {
    STRING = 0x01, LOAD_CLASS = 0x02, STACK_FRAME = 0x04, STACK_TRACE = 0x05,
    SEGMENT = 0x1c, DUMP_END = 0x2c
};
enum {
    ROOT_JNI_GLOBAL = 0x01, ROOT_JNI_LOCAL = 0x02, ROOT_FRAME = 0x03, ROOT_CLASS = 0x05,
    ROOT_MONITOR = 0x07, ROOT_THREAD = 0x08, CLASS = 0x20, INSTANCE = 0x21,
    OBJECT_ARRAY = 0x22, PRIMITIVE_ARRAY = 0x23, ROOT_UNKNOWN = 0xff
};
enum { TYPE_OBJECT = 2, TYPE_INT = 10, ID_SIZE = 8, NO_TRACE = 1, ROOM = 1 << 20 };

/* An instance's record but for its values, and an array's but for its elements. */
enum {
    INSTANCE_HEAD = 1 + ID_SIZE + 4 + ID_SIZE + 4, ARRAY_HEAD = 1 + ID_SIZE + 4 + 4
};

struct hprof {
    struct model *model;
    struct output *out;
    unsigned char *segment;         /* ROOM bytes; what was not written yet */
    size_t used;
    bool alone;                     /* the record is too long and has its own segment */
    const char *broken;             /* what the VM does not keep to */
    bool failed;                    /* to write */
    unsigned char *seen;            /* a bit for each object that was begun */
    size_t seen_size;
    uint64_t begun, left_out, cut;

    /* The object that is being told; 0 for none. */
    uint64_t number;
    struct class *class;
    uint32_t length, written;       /* of an array: its elements, those written */
    bool has_values;
    unsigned char *values;          /* of an instance */
    size_t values_size;
};

/* -- bytes -- */

static void
store(unsigned char *to, uint64_t value, unsigned size)
{
    while (size > 0) {
        to[--size] = (unsigned char)value;
        value >>= 8;
    }
}

static void
write_out(struct hprof *h, const void *bytes, size_t length)
{
    if (!h->failed && !output_bytes(h->out, bytes, length))
        h->failed = true;
}

static void
record_head(struct hprof *h, int tag, uint64_t length)
{
    unsigned char head[9] = { (unsigned char)tag };

    store(head + 5, length, 4);
    write_out(h, head, sizeof head);
}

static void
record(struct hprof *h, int tag, struct tf_buffer *body)
{
    if (body->failed)
        h->model->no_memory = h->failed = true;
    record_head(h, tag, body->length);
    write_out(h, body->bytes, body->length);
    tf_buffer_clear(body);
}

static void
end_segment(struct hprof *h)
{
    if (h->used > 0 && !h->alone)
        record_head(h, SEGMENT, h->used);
    write_out(h, h->segment, h->used);
    h->used = 0;
    h->alone = false;
}

/* Begin a sub-record of so many bytes; all of them have to follow. */
static void
begin(struct hprof *h, uint64_t size)
{
    if (h->alone || h->used + size > ROOM)
        end_segment(h);
    if (size > ROOM) {
        record_head(h, SEGMENT, size);
        h->alone = true;
    }
}

/* Room for size bytes of the sub-record, to be filled at once. */
static unsigned char *
room(struct hprof *h, size_t size)
{
    unsigned char *at;

    if (h->used + size > ROOM) {
        write_out(h, h->segment, h->used);
        h->used = 0;
    }
    at = h->segment + h->used;
    h->used += size;
    return at;
}

static void
put(struct hprof *h, uint64_t value, unsigned size)
{
    store(room(h, size), value, size);
}

static void
put_bytes(struct hprof *h, const unsigned char *bytes, size_t length)
{
    while (length > 0) {
        size_t part = length < ROOM / 2 ? length : ROOM / 2;

        memcpy(room(h, part), bytes, part);
        bytes += part;
        length -= part;
    }
}

/* -- types -- */

static int
type_code(char type)
{
    static const char letters[] = "L Z C F D B S I J ";
    static const unsigned char codes[] = {
        TYPE_OBJECT, 4, 5, 6, 7, 8, 9, TYPE_INT, 11
    };

    return codes[(strchr(letters, type) - letters) / 2];
}

static unsigned
type_size(char type)
{
    return type == 'Z' || type == 'B' ? 1 : type == 'C' || type == 'S' ? 2
        : type == 'I' || type == 'F' ? 4 : 8;
}

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

/* -- the object that is being told -- */

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
    begin(h, INSTANCE_HEAD + class->all_bytes);
    put(h, INSTANCE, 1);
    put(h, number, ID_SIZE);
    put(h, NO_TRACE, 4);
    put(h, (uint64_t)(class - h->model->classes), ID_SIZE);
    put(h, class->all_bytes, 4);
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
    begin(h, ARRAY_HEAD + (uint64_t)length * size
             + (tag == OBJECT_ARRAY ? ID_SIZE : 1));
    put(h, (uint64_t)tag, 1);
    put(h, h->number, ID_SIZE);
    put(h, NO_TRACE, 4);
    put(h, length, 4);
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
        put(h, 0, ID_SIZE);
}

static void
end_object(struct hprof *h)
{
    if (h->number == 0)
        return;
    if (h->class->element == 0) {
        if (h->class->wanted) {
            instance_head(h, h->number, h->class);
            put_bytes(h, h->values, h->class->all_bytes);
        }
    } else if (is_object_array(h->class)) {
        if (h->class->wanted)
            fill_elements(h, h->length);
    } else if (!h->has_values) {
        if (h->length > 0)
            h->broken = "it does not tell the elements of an array";
        else if (h->class->wanted) {
            array_head(h, PRIMITIVE_ARRAY, 0, 1);
            put(h, (uint64_t)type_code(h->class->element), 1);
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
            put(h, (uint64_t)(class - h->model->classes), ID_SIZE);
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
        store(h->values + (h->class->all_bytes - owner->all_bytes) + field->at, value,
              type_size(field->type));
}

static void
set_element(struct hprof *h, jint index, uint64_t value)
{
    if ((uint32_t)index < h->written)
        h->broken = "it does not tell the elements of an array in their order";
    else if ((uint32_t)index < h->length && h->class->wanted) {
        fill_elements(h, (uint32_t)index);
        put(h, value, ID_SIZE);
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

/* -- roots -- */

static void
put_root(struct hprof *h, int tag, uint64_t to, unsigned numbers, uint32_t first,
         uint32_t second)
{
    begin(h, 1 + ID_SIZE + numbers * 4);
    put(h, (uint64_t)tag, 1);
    put(h, to, ID_SIZE);
    if (numbers > 0)
        put(h, first, 4);
    if (numbers > 1)
        put(h, second, 4);
}

static bool
is_frame(const struct thread *thread, jint depth, jmethodID method)
{
    return depth >= 0 && (uint32_t)depth < thread->frame_count
        && thread->frames[depth].method == method;
}

/*
 * A frame's number in its thread's trace, -1 when the thread went on after that.  HotSpot's
 * walk counts the frames by which a virtual thread yields, which its trace leaves out: so a
 * thread's depths may all be too large by a few.
 */
static uint32_t
frame_number(const struct model *model, uint32_t serial, jint depth, jmethodID method)
{
    enum { MOST = 4 };
    struct thread *thread = &model->threads[serial - 1];

    if (!is_frame(thread, depth - thread->left_out, method))
        for (jint i = 0; i <= MOST; i++)
            if (is_frame(thread, depth - i, method)) {
                thread->left_out = i;
                break;
            }
    return is_frame(thread, depth - thread->left_out, method)
        ? (uint32_t)(depth - thread->left_out) : UINT32_MAX;
}

/* Readers want to know a thread before what its frames refer to.  A thread that has ended
   since its trace was taken may be no object any more: so its root is written when the walk
   tells of the thread, or of its frames. */
static void
put_thread(struct hprof *h, uint32_t serial)
{
    struct thread *thread = &h->model->threads[serial - 1];

    if (!thread->told)
        put_root(h, ROOT_THREAD, thread->number, 2, serial, NO_TRACE + serial);
    thread->told = true;
}

/* Of threads that started after the traces were taken nothing else is known. */
static void
put_frame_root(struct hprof *h, int tag, uint64_t to, jlong thread, jint depth,
               jmethodID method)
{
    uint32_t serial = threads_number(h->model, thread);

    if (serial == 0)
        put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
    else {
        put_thread(h, serial);
        put_root(h, tag, to, 2, serial, frame_number(h->model, serial, depth, method));
    }
}

static void
root(struct hprof *h, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
     uint64_t to)
{
    uint32_t serial;

    end_object(h);
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL:
        begin(h, 1 + 2 * ID_SIZE);
        put(h, ROOT_JNI_GLOBAL, 1);
        put(h, to, ID_SIZE);
        put(h, 0, ID_SIZE);         /* JVM TI does not tell the reference itself */
        break;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL:
        put_frame_root(h, ROOT_JNI_LOCAL, to, info->jni_local.thread_tag,
                       info->jni_local.depth, info->jni_local.method);
        break;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL:
        put_frame_root(h, ROOT_FRAME, to, info->stack_local.thread_tag,
                       info->stack_local.depth, info->stack_local.method);
        break;
    case JVMTI_HEAP_REFERENCE_MONITOR:
        put_root(h, ROOT_MONITOR, to, 0, 0, 0);
        break;
    case JVMTI_HEAP_REFERENCE_THREAD:
        serial = threads_number(h->model, (jlong)to);
        if (serial == 0)
            put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
        else
            put_thread(h, serial);
        break;
    case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS:
        put_root(h, to < FIRST_OBJECT ? ROOT_CLASS : ROOT_UNKNOWN, to, 0, 0, 0);
        break;
    default:
        put_root(h, ROOT_UNKNOWN, to, 0, 0, 0);
        break;
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
    if (referrer_tag == NULL)
        root(h, kind, info, to);
    else if (*referrer_tag > 0 && *referrer_tag < h->model->class_count)
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
        put_bytes(h, from, length);
        return;
    }
    for (uint32_t i = 0; i < length; i++, from += size) {
        uint64_t value = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(&value, from, size);
#else
        memcpy((unsigned char *)&value + 8 - size, from, size);
#endif
        put(h, value, size);
    }
}

static jint JNICALL
on_array(jlong class_tag, jlong object_size, jlong *tag, jint count,
         jvmtiPrimitiveType type, const void *elements, void *data)
{
    struct hprof *h = data;
    unsigned size = type_size((char)type);

    (void)object_size;
    if (tell(h, *tag, class_tag)) {
        if (h->class->wanted) {
            uint32_t length = fitting(h, (uint32_t)count, size);

            array_head(h, PRIMITIVE_ARRAY, length, size);
            put(h, (uint64_t)type_code((char)type), 1);
            put_elements(h, elements, length, size);
        }
        h->has_values = true;
    }
    return go_on(h);
}

/* -- records around the walk -- */

static void
write_head(struct hprof *h)
{
    struct timeval now;
    unsigned char numbers[12];

    gettimeofday(&now, NULL);
    store(numbers, ID_SIZE, 4);
    store(numbers + 4, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000, 8);
    write_out(h, "JAVA PROFILE 1.0.2", 19);
    write_out(h, numbers, sizeof numbers);
}

static void
write_names(struct hprof *h)
{
    struct model *model = h->model;
    struct tf_buffer body = { 0 };

    for (uint32_t i = 1; i < model->string_count; i++) {
        tf_buffer_u8(&body, i);
        tf_buffer_modified_utf8(&body, model->strings[i], strlen(model->strings[i]));
        record(h, STRING, &body);
    }
    for (uint32_t i = 1; i < model->class_count; i++) {
        tf_buffer_u4(&body, i);
        tf_buffer_u8(&body, i);
        tf_buffer_u4(&body, NO_TRACE);
        tf_buffer_u8(&body, model->classes[i].name);
        record(h, LOAD_CLASS, &body);
    }
    tf_buffer_release(&body);
}

static void
write_trace(struct hprof *h, uint32_t serial, uint32_t thread, uint64_t first,
            uint32_t count)
{
    struct tf_buffer body = { 0 };

    tf_buffer_u4(&body, serial);
    tf_buffer_u4(&body, thread);
    tf_buffer_u4(&body, count);
    for (uint32_t i = 0; i < count; i++)
        tf_buffer_u8(&body, first + i);
    record(h, STACK_TRACE, &body);
    tf_buffer_release(&body);
}

/* Trace NO_TRACE is that of all objects, an empty one; those of threads follow. */
static void
write_threads(struct hprof *h)
{
    struct tf_buffer body = { 0 };
    uint64_t id = 1, first = 1;

    write_trace(h, NO_TRACE, 0, 0, 0);
    for (uint32_t i = 0; i < h->model->thread_count; i++, first = id) {
        const struct thread *thread = &h->model->threads[i];

        for (uint32_t j = 0; j < thread->frame_count; j++) {
            const struct frame *frame = &thread->frames[j];

            tf_buffer_u8(&body, id++);
            tf_buffer_u8(&body, frame->name);
            tf_buffer_u8(&body, frame->signature);
            tf_buffer_u8(&body, frame->source);
            tf_buffer_u4(&body, frame->class);
            tf_buffer_u4(&body, (uint32_t)frame->line);
            record(h, STACK_FRAME, &body);
        }
        write_trace(h, NO_TRACE + i + 1, i + 1, first, thread->frame_count);
    }
    tf_buffer_release(&body);
}

static void
class_fields(struct tf_buffer *body, const struct class *class, bool statics)
{
    tf_buffer_u2(body, statics ? class->statics : class->field_count - class->statics);
    for (uint32_t i = 0; i < class->field_count; i++) {
        const struct field *field = &class->fields[i];
        unsigned char value[8];

        if (field->is_static != statics)
            continue;
        tf_buffer_u8(body, field->name);
        tf_buffer_u1(body, (unsigned)type_code(field->type));
        if (statics) {
            store(value, class->values[field->at], type_size(field->type));
            tf_buffer_add(body, value, type_size(field->type));
        }
    }
}

static void
write_class(struct hprof *h, uint32_t number)
{
    const struct class *class = &h->model->classes[number];
    struct tf_buffer body = { 0 };

    tf_buffer_u1(&body, CLASS);
    tf_buffer_u8(&body, number);
    tf_buffer_u4(&body, NO_TRACE);
    tf_buffer_u8(&body, class->super);
    tf_buffer_u8(&body, class->loader);
    tf_buffer_u8(&body, class->signers);
    tf_buffer_u8(&body, class->domain);
    tf_buffer_u8(&body, 0);
    tf_buffer_u8(&body, 0);
    /* Of arrays there is no one size. */
    tf_buffer_u4(&body, class->element != 0 ? 0 : (uint32_t)class->size);
    tf_buffer_u2(&body, class->constant_count);
    for (uint32_t i = 0; i < class->constant_count; i++) {
        tf_buffer_u2(&body, class->constants[i].index);
        tf_buffer_u1(&body, TYPE_OBJECT);
        tf_buffer_u8(&body, class->constants[i].value);
    }
    class_fields(&body, class, true);
    class_fields(&body, class, false);
    if (body.failed)
        h->model->no_memory = h->failed = true;
    else {
        begin(h, body.length);
        put_bytes(h, body.bytes, body.length);
    }
    tf_buffer_release(&body);
}

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
            put(h, 0, 1);
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
            put_thread(h, i + 1);
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
        write_head(&h);
        write_names(&h);
        write_threads(&h);
        done = TF_CALL(model->jvmti, FollowReferences,
                       (model->jvmti, 0, NULL, NULL, &callbacks, &h));
        end_object(&h);
        write_other_threads(&h);
        for (uint32_t i = 1; i < model->class_count; i++)
            write_class(&h, i);
        write_mirrors(&h);
        end_segment(&h);
        record_head(&h, DUMP_END, 0);
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
