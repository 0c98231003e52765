/* SPDX-License-Identifier: MIT */
/*
 * agents/heapdump/hprof_meta.c -- the records of an HPROF file that are no objects: its
 * head, names, threads with their stacks, and classes with what a walk has told of them.
 */
#include "agents/heapdump/hprof.h"

#include <string.h>
#include <sys/time.h>

void
hprof_head(struct hprof *h)
{
    struct timeval now;
    unsigned char numbers[12];

    gettimeofday(&now, NULL);
    hprof_store(numbers, ID_SIZE, 4);
    hprof_store(numbers + 4, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000, 8);
    hprof_out(h, "JAVA PROFILE 1.0.2", 19);
    hprof_out(h, numbers, sizeof numbers);
}

void
hprof_names(struct hprof *h)
{
    struct model *model = h->model;
    struct tf_buffer body = { 0 };

    for (uint32_t i = 1; i < model->string_count; i++) {
        tf_buffer_u8(&body, i);
        tf_buffer_modified_utf8(&body, model->strings[i], strlen(model->strings[i]));
        hprof_record(h, STRING, &body);
    }
    for (uint32_t i = 1; i < model->class_count; i++) {
        tf_buffer_u4(&body, i);
        tf_buffer_u8(&body, i);
        tf_buffer_u4(&body, NO_TRACE);
        tf_buffer_u8(&body, model->classes[i].name);
        hprof_record(h, LOAD_CLASS, &body);
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
    hprof_record(h, STACK_TRACE, &body);
    tf_buffer_release(&body);
}

/* Trace NO_TRACE is that of all objects, an empty one; those of threads follow. */
void
hprof_threads(struct hprof *h)
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
            hprof_record(h, STACK_FRAME, &body);
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
        tf_buffer_u1(body, (unsigned)hprof_type_code(field->type));
        if (statics) {
            hprof_store(value, class->values[field->at], hprof_type_size(field->type));
            tf_buffer_add(body, value, hprof_type_size(field->type));
        }
    }
}

void
hprof_class(struct hprof *h, uint32_t number)
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
        hprof_begin(h, body.length);
        hprof_put_bytes(h, body.bytes, body.length);
    }
    tf_buffer_release(&body);
}
