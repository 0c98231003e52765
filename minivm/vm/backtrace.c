/* SPDX-License-Identifier: MIT */
/* minivm/vm/backtrace.c -- recording stack traces and reading them back. */

#include "vm/exception.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "vm/module.h"
#include "vm/string.h"
#include "vm/vm.h"

/* ---- recording ---- */

/* The frames of fillInStackTrace and of e's constructors are not part of it. */
static struct frame *
first_reported(const struct vm *vm, struct frame *f, const struct object *e)
{
    const struct symbol *fill = symbol_of("fillInStackTrace");
    const struct symbol *init = symbol_of("<init>");

    while (f && f->code->method->name == fill
           && class_is_subclass(f->code->method->class, KC(vm, Throwable)))
        f = frame_older(f);
    while (f && f->code->method->name == init
           && class_is_subclass(f->code->method->class, KC(vm, Throwable))
           && frame_locals(f)[0].ref == e)
        f = frame_older(f);
    return f;
}

static bool
is_hidden(const struct frame *f)
{
    return (f->code->method->flags & METHOD_HIDDEN)
           && !the_vm->options.show_hidden_frames;
}

void
exception_fill_in(struct thread *self, struct object *e)
{
    struct vm *vm = self->vm;
    struct frame *top = first_reported(vm, thread_top_frame(self), e), *f;
    struct object *pcs, *classes, *trace;
    int32_t count = 0, i = 0;
    SCOPE(self);

    REF_FIELD(vm, e, Throwable_backtrace) = NULL;
    REF_FIELD(vm, e, Throwable_stackTrace) = NULL;
    INT_FIELD(vm, e, Throwable_depth) = 0;
    if (!vm->options.stack_trace_in_throwable || !vm->known.object_array)
        return;
    keep(self, e);
    for (f = top; f && count < vm->options.max_stack_trace_depth; f = frame_older(f))
        count += !is_hidden(f);
    pcs = keep(self, array_new_primitive(self, 'J', 2 * count));
    classes = pcs ? keep(self, array_new(self, vm->known.object_array, count)) : NULL;
    trace = classes ? array_new(self, vm->known.object_array, 3) : NULL;
    for (f = top; trace && f && i < count; f = frame_older(f))
        if (!is_hidden(f)) {
            ARRAY_LONGS(pcs)[2 * i] = (int64_t)(uintptr_t)f->code;
            ARRAY_LONGS(pcs)[2 * i + 1] = frame_bci(f);
            ARRAY_REFS(classes)[i++] = f->code->method->class->layout.mirror;
        }
    /* None if a redefinition hid a method meanwhile. */
    if (!trace || i < count)
        return;
    ARRAY_REFS(trace)[0] = pcs;
    ARRAY_REFS(trace)[1] = classes;
    ARRAY_REFS(trace)[2] = top && is_hidden(top) ? classes : NULL;
    REF_FIELD(vm, e, Throwable_backtrace) = trace;
    INT_FIELD(vm, e, Throwable_depth) = count;
}

/* ---- reading ---- */

static const struct object *
recorded(const struct vm *vm, const struct object *e)
{
    const struct object *trace = REF_FIELD(vm, e, Throwable_backtrace);

    return trace ? ARRAY_REFS(trace)[0] : NULL;
}

int32_t
exception_depth(struct thread *self, struct object *e)
{
    const struct object *pcs = recorded(self->vm, e);

    return pcs ? array_length(pcs) / 2 : 0;
}

bool
exception_top(const struct vm *vm, const struct object *e, struct code **code,
              int32_t *bci)
{
    const struct object *trace = REF_FIELD(vm, e, Throwable_backtrace);

    if (!trace || ARRAY_REFS(trace)[2] || array_length(ARRAY_REFS(trace)[0]) == 0)
        return false;
    const struct object *pcs = ARRAY_REFS(trace)[0];
    *code = (struct code *)(uintptr_t)ARRAY_LONGS(pcs)[0];
    *bci = (int32_t)ARRAY_LONGS(pcs)[1];
    return true;
}

/* text NULL: the field stays NULL; false with an exception pending. */
static bool
set_text(struct thread *self, struct object *element, uint32_t field, const char *text)
{
    struct object *s = NULL;

    if (text)
        s = keep(self, string_from_modified(self, text, strlen(text)));
    if (s)
        OBJECT_FIELD(struct object *, element, field) = string_intern(self, s);
    return s || !text;
}

/* Of the version that ran, which need not be the class's current one. */
static const struct symbol *
source_file(const struct code *code)
{
    return code->pool ? code->pool->file->source_file : NULL;
}

#define SET_TEXT(name, text) \
    set_text(self, element, KF(vm, StackTraceElement_##name), (text))

bool
exception_element(struct thread *self, struct object *element, struct code *code,
                  int32_t bci)
{
    struct vm *vm = self->vm;
    const struct class *c = code->method->class;
    const struct module *m = c->module && c->module->name ? c->module : NULL;
    const struct object *loader = c->loader ? c->loader->object : NULL;
    const struct symbol *source = source_file(code);
    TEXTS(t);
    SCOPE(self);

    REF_FIELD(vm, element, StackTraceElement_declaringClassObject) = c->layout.mirror;
    if (loader)
        REF_FIELD(vm, element, StackTraceElement_classLoaderName) =
            REF_FIELD(vm, loader, ClassLoader_name);
    INT_FIELD(vm, element, StackTraceElement_lineNumber) = code_line(code, bci);
    return SET_TEXT(moduleName, m ? m->name->bytes : NULL)
           && SET_TEXT(moduleVersion, m && m->version ? m->version->bytes : NULL)
           && SET_TEXT(declaringClass, own(&t, class_external_name(c)))
           && SET_TEXT(methodName, code->method->name->bytes)
           && SET_TEXT(fileName, source ? source->bytes : NULL);
}

bool
exception_elements(struct thread *self, struct object *e, struct object *elements)
{
    SCOPE(self);
    const struct object *pcs = recorded(self->vm, e);

    keep(self, e);
    keep(self, elements);
    for (int32_t i = 0; pcs && i < array_length(pcs) / 2; i++) {
        struct code *code = (struct code *)(uintptr_t)ARRAY_LONGS(pcs)[2 * i];
        if (i >= array_length(elements) || !ARRAY_REFS(elements)[i])
            break;
        if (!exception_element(self, ARRAY_REFS(elements)[i], code,
                               (int32_t)ARRAY_LONGS(pcs)[2 * i + 1]))
            return false;
    }
    return true;
}

/* ---- printing without Java's help ---- */

static void
print_module(struct buf *out, const struct module *m)
{
    if (!m || !m->name)
        return;
    buf_append_string(out, m->name->bytes);
    if (m->version)
        buf_printf(out, "@%s", m->version->bytes);
    buf_append_string(out, "/");
}

void
code_print(struct buf *out, const struct code *code, int32_t bci)
{
    const struct symbol *source = source_file(code);
    int32_t line = code_line(code, bci);
    TEXTS(t);

    buf_printf(out, "\tat %s.%s(", own(&t, class_external_name(code->method->class)),
               code->method->name->bytes);
    print_module(out, code->method->class->module);
    buf_append_string(out, line == -2 ? "Native Method"
                           : source   ? source->bytes
                                      : "Unknown Source");
    if (source && line >= 0)
        buf_printf(out, ":%d", line);
    buf_append_string(out, ")\n");
}

void
exception_print(struct thread *self, struct object *e)
{
    struct vm *vm = self->vm;
    const struct object *text = REF_FIELD(vm, e, Throwable_detailMessage);
    const struct object *cause = REF_FIELD(vm, e, Throwable_cause);
    const struct object *pcs = recorded(vm, e);
    struct buf out = { 0 };
    TEXTS(t);

    buf_append_string(&out, own(&t, text_printf("%pC%s%pF\n", object_class(e),
                                                text ? ": " : "",
                                                text ? string_to_utf8(text) : NULL)));
    for (int32_t i = 0; pcs && i < array_length(pcs) / 2; i++)
        code_print(&out, (struct code *)(uintptr_t)ARRAY_LONGS(pcs)[2 * i],
                   (int32_t)ARRAY_LONGS(pcs)[2 * i + 1]);
    fputs(buf_string(&out), stderr);
    buf_release(&out);
    if (cause && cause != e) {
        fprintf(stderr, "Caused by: ");
        exception_print(self, (struct object *)(uintptr_t)cause);
    }
}
