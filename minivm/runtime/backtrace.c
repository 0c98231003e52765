/* SPDX-License-Identifier: MIT */
/* minivm/runtime/backtrace.c -- recording stack traces and reading them back.
 *
 * Throwable.backtrace is an Object[3]:
 *     [0]   a long[] with two elements for each frame: the address of the method
 *           version, and the bytecode index
 *     [1]   an Object[] with the mirrors of the frames' classes, so that these are not
 *           unloaded while the addresses are in use
 *     [2]   not null if a hidden frame was newer than the newest that is recorded */

#include "runtime/backtrace.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "linking/message.h"
#include "linking/module.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- recording ---- */

/* Returns the newest frame of the stack trace: those of fillInStackTrace and of e's
   constructors are not part of it. */
static struct frame *
first_reported(const struct vm *vm, struct frame *f, const struct object *e)
{
    const struct symbol *fill = symbol_of("fillInStackTrace");
    const struct symbol *init = symbol_of("<init>");

    while (f && f->version->method->name == fill
           && class_is_subclass(f->version->method->class, KC(vm, Throwable)))
        f = frame_older(f);
    while (f && f->version->method->name == init
           && class_is_subclass(f->version->method->class, KC(vm, Throwable))
           && frame_locals(f)[0].ref == e)
        f = frame_older(f);
    return f;
}

bool
frame_is_hidden(const struct frame *f)
{
    return (f->version->method->flags & METHOD_HIDDEN)
           && !the_vm->options.show_hidden_frames;
}

/* The frames are counted first, since the arrays have to have their length.  stackTrace
   is NULL until Throwable.getStackTrace makes it from the backtrace. */
void
exception_fill_in(struct thread *self, struct object *e)
{
    struct vm *vm = self->vm;
    struct frame *top = first_reported(vm, thread_top_frame(self), e), *f;
    struct object *pcs, *classes, *trace;
    int32_t count = 0, i = 0;
    HANDLE_SCOPE(self);

    REF_FIELD(vm, e, Throwable_backtrace) = NULL;
    REF_FIELD(vm, e, Throwable_stackTrace) = NULL;
    INT_FIELD(vm, e, Throwable_depth) = 0;
    if (!vm->options.stack_trace_in_throwable || !vm->known.object_array)
        return;
    handle_new(self, e);
    for (f = top; f && count < vm->options.max_stack_trace_depth; f = frame_older(f))
        count += !frame_is_hidden(f);
    pcs = handle_new(self, array_new_primitive(self, 'J', 2 * count));
    classes = pcs ? handle_new(self, array_new(self, vm->known.object_array, count))
                  : NULL;
    trace = classes ? array_new(self, vm->known.object_array, 3) : NULL;
    for (f = top; trace && f && i < count; f = frame_older(f))
        if (!frame_is_hidden(f)) {
            ARRAY_LONGS(pcs)[2 * i] = (int64_t)(uintptr_t)f->version;
            ARRAY_LONGS(pcs)[2 * i + 1] = frame_bci(f);
            ARRAY_REFS(classes)[i++] = f->version->method->class->layout.mirror;
        }
    /* To allocate may have stopped, and a redefinition may have hidden a method: then
       there is no stack trace. */
    if (!trace || i < count)
        return;
    ARRAY_REFS(trace)[0] = pcs;
    ARRAY_REFS(trace)[1] = classes;
    ARRAY_REFS(trace)[2] = top && frame_is_hidden(top) ? classes : NULL;
    REF_FIELD(vm, e, Throwable_backtrace) = trace;
    INT_FIELD(vm, e, Throwable_depth) = count;
}

/* ---- reading ---- */

/* Returns the long[] of the frames, or NULL if none were recorded. */
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
exception_top(const struct vm *vm, const struct object *e,
              struct method_version **version, int32_t *bci)
{
    const struct object *trace = REF_FIELD(vm, e, Throwable_backtrace);

    if (!trace || ARRAY_REFS(trace)[2] || array_length(ARRAY_REFS(trace)[0]) == 0)
        return false;
    const struct object *pcs = ARRAY_REFS(trace)[0];
    *version = (struct method_version *)(uintptr_t)ARRAY_LONGS(pcs)[0];
    *bci = (int32_t)ARRAY_LONGS(pcs)[1];
    return true;
}

/* Stores the interned string of text, which is in modified UTF-8 (NULL: nothing), in
   the field of element at that offset.  False with an exception pending. */
static bool
set_text(struct thread *self, struct object *element, uint32_t field, const char *text)
{
    struct object *s = NULL;

    if (text)
        s = handle_new(self, string_from_modified(self, text, strlen(text)));
    if (s)
        OBJECT_FIELD(struct object *, element, field) = string_intern(self, s);
    return s || !text;
}

/* Returns the source file of the version that ran, which need not be the current
   one. */
static const struct symbol *
source_file(const struct method_version *version)
{
    return version->pool ? version->pool->file->source_file : NULL;
}

bool
exception_element(struct thread *self, struct object *element,
                  struct method_version *version, int32_t bci)
{
    struct vm *vm = self->vm;
    const struct class *c = version->method->class;
    const struct module *m = c->module && c->module->name ? c->module : NULL;
    const struct object *loader = c->loader ? c->loader->object : NULL;
    const struct symbol *source = source_file(version);
    TEXTS(t);
    HANDLE_SCOPE(self);

    REF_FIELD(vm, element, StackTraceElement_declaringClassObject) = c->layout.mirror;
    if (loader)
        REF_FIELD(vm, element, StackTraceElement_classLoaderName) = REF_FIELD(
            vm, loader, ClassLoader_name);
    INT_FIELD(vm, element, StackTraceElement_lineNumber) = version_line(version, bci);
    return set_text(self, element, KF(vm, StackTraceElement_moduleName),
                    m ? m->name->bytes : NULL)
           && set_text(self, element, KF(vm, StackTraceElement_moduleVersion),
                       m && m->version ? m->version->bytes : NULL)
           && set_text(self, element, KF(vm, StackTraceElement_declaringClass),
                       own(&t, class_external_name(c)))
           && set_text(self, element, KF(vm, StackTraceElement_methodName),
                       version->method->name->bytes)
           && set_text(self, element, KF(vm, StackTraceElement_fileName),
                       source ? source->bytes : NULL);
}

/* It fills in as many elements as there are frames, at most the array's length, and
   stops at an element that is null. */
bool
exception_elements(struct thread *self, struct object *backtrace,
                   struct object *elements)
{
    HANDLE_SCOPE(self);
    const struct object *pcs = backtrace ? ARRAY_REFS(backtrace)[0] : NULL;

    handle_new(self, backtrace);
    handle_new(self, elements);
    for (int32_t i = 0; pcs && i < array_length(pcs) / 2; i++) {
        struct method_version *version = (struct method_version *)(uintptr_t)
            ARRAY_LONGS(pcs)[2 * i];
        if (i >= array_length(elements) || !ARRAY_REFS(elements)[i])
            break;
        if (!exception_element(self, ARRAY_REFS(elements)[i], version,
                               (int32_t)ARRAY_LONGS(pcs)[2 * i + 1]))
            return false;
    }
    return true;
}

/* ---- printing without Java's help ---- */

/* Prints what stands in front of a source file for a class of a named module:
   module@version/. */
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
version_print(struct buf *out, const struct method_version *version, int32_t bci)
{
    const struct symbol *source = source_file(version);
    int32_t line = version_line(version, bci);
    TEXTS(t);

    buf_printf(out, "\tat %s.%s(", own(&t, class_external_name(version->method->class)),
               version->method->name->bytes);
    print_module(out, version->method->class->module);
    buf_append_string(out, line == LINE_NATIVE ? "Native Method"
                           : source            ? source->bytes
                                               : "Unknown Source");
    if (source && line >= 0)
        buf_printf(out, ":%d", line);
    buf_append_string(out, ")\n");
}

/* A cause that is the exception itself means that there is none. */
void
exception_print(struct thread *self, struct object *e)
{
    struct vm *vm = self->vm;
    const struct object *text = REF_FIELD(vm, e, Throwable_detailMessage);
    const struct object *cause = REF_FIELD(vm, e, Throwable_cause);
    const struct object *pcs = recorded(vm, e);
    struct buf out = { 0 };
    TEXTS(t);

    buf_append_string(&out, own(&t, message_printf("%pC%s%pU\n", object_class(e),
                                                   text ? ": " : "", text)));
    for (int32_t i = 0; pcs && i < array_length(pcs) / 2; i++)
        version_print(&out, (struct method_version *)(uintptr_t)ARRAY_LONGS(pcs)[2 * i],
                      (int32_t)ARRAY_LONGS(pcs)[2 * i + 1]);
    fputs(buf_string(&out), stderr);
    buf_release(&out);
    if (cause && cause != e) {
        fprintf(stderr, "Caused by: ");
        exception_print(self, (struct object *)(uintptr_t)cause);
    }
}
