/* SPDX-License-Identifier: MIT */
/* minivm/jni/check.c -- -Xcheck:jni: a table of JNI functions that look at their
 * arguments first (JNI "Reporting Programming Errors").
 *
 * What would break the VM ends it with a message, what is bad style gives a warning,
 * both with the Java stack.  The functions themselves are generated; each tells what
 * kinds of arguments it has, one letter each. */

#include "jni/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "jni/functions.h"
#include "vm/string.h"

struct check {
    struct thread *self;
    const char *name;              /* of the function */
    const void *const *args;       /* those that are checked */
};

enum { LOCALS_TO_SPARE = 32 };

static void
report(struct thread *self, const char *what, const char *format, ...)
{
    va_list args;

    printf("%s in native method: ", what);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    jni_print_stack(self, stdout);
    fflush(stdout);
}

#define WARN(self, ...) report(self, "WARNING", __VA_ARGS__)
#define FAIL(self, ...) (report(self, "FATAL ERROR", __VA_ARGS__), jni_abort(self))

static bool
begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* ---- exceptions and critical sections ---- */

/* JNI "Exceptions and Error Codes" lists what may be called with one pending. */
static bool
ignores_exceptions(const char *name)
{
    return begins(name, "Exception") || begins(name, "Release")
           || begins(name, "Delete") || !strcmp(name, "MonitorExit")
           || !strcmp(name, "PushLocalFrame") || !strcmp(name, "PopLocalFrame")
           || !strcmp(name, "FatalError");
}

static void
check_state(struct thread *self, const char *name)
{
    struct native_refs *n = self->natives;

    if (n && begins(name, "Exception"))
        n->unchecked = NULL;
    if (n && n->criticals && !strstr(name, "Critical") && !begins(name, "Exception"))
        printf("Warning: Calling other JNI functions in the scope of Get/Release"
               "PrimitiveArrayCritical or Get/ReleaseStringCritical\n"), fflush(stdout);
    if (ignores_exceptions(name))
        return;
    if (self->exception)
        WARN(self, "JNI call made with exception pending");
    else if (n && n->unchecked)
        WARN(self, "JNI call made without checking exceptions when required to from %s",
             n->unchecked);
    if (n)
        n->unchecked = NULL;
}

/* ---- arguments ---- */

static bool
is_reference(struct thread *self, ref r)
{
    return ref_tag(r) == REF_LOCAL ? ref_is_local(self, r)
                                   : ref_is_valid_global(self->vm, r);
}

/* What is wrong with an argument of that kind, or NULL. */
static const char *
object_fault(struct thread *self, char kind, ref r)
{
    static const char bad[] = "Bad global or local ref passed to JNI";
    const struct object *o = !r || is_reference(self, r) ? ref_get(r) : NULL;
    const struct class *c = o ? object_class(o) : NULL;

    if (r && !is_reference(self, r))
        return bad;
    switch (kind) {
    case '?':
        return NULL;
    case 'o':
        return o ? NULL : "Null object passed to JNI";
    case 'c':
        return c == KC(self->vm, Class) ? NULL
               : c ? "JNI received a class argument that is not a class" : bad;
    case 't':
        return o && object_is_instance(o, KC(self->vm, Throwable)) ? NULL
               : "JNI Throw or ThrowNew received a class argument that is not a "
                 "Throwable or Throwable subclass";
    case 's':
        return c == KC(self->vm, String) ? NULL
                                         : "JNI string operation received a non-string";
    default:
        if (!c || !class_is_array(c))
            return "Non-array passed to JNI array operations";
        if (kind == 'L' && !strchr("L[", c->name->bytes[1]))
            return "Object array expected but not received for JNI array operation";
        return kind == 'L' || kind == 'a' || c->name->bytes[1] == kind ? NULL
               : "Array element type mismatch in JNI";
    }
}

/* The type letter of a function for methods or fields of one type; 0: it has none. */
static char
type_in_name(const char *name)
{
    static const char *const types[] = { "Object", "Void", "Boolean", "Byte", "Char",
                                         "Short", "Int", "Long", "Float", "Double" };

    name += begins(name, "Call") ? 4 : 3;
    name += begins(name, "Static") ? 6 : begins(name, "Nonvirtual") ? 10 : 0;
    for (int i = 0; i < 10; i++)
        if (begins(name, types[i]) && (begins(name + strlen(types[i]), "Method")
                                       || !strcmp(name + strlen(types[i]), "Field")))
            return "LVZBCSIJFD"[i];
    return 0;
}

static bool
fits(const struct check *c, const struct class *owner, bool is_static)
{
    struct object *o = ref_get((ref)(uintptr_t)c->args[0]);

    if (strstr(c->name, "Reflected"))
        return true;
    if (is_static != (strstr(c->name, "Static") != NULL))
        return false;
    return is_static || begins(c->name, "NewObject")
               ? class_is_subtype(class_of_mirror(o), (struct class *)owner)
               : object_is_instance(o, (struct class *)owner);
}

static void
check_method(const struct check *c, const void *id)
{
    const struct method *m = method_of_id((uintptr_t)id);
    char type = type_in_name(c->name);

    if (!m || !fits(c, m->class, method_is_static(m))
        || (type && begins(c->name, "Call") && type != m->return_type)
        || (begins(c->name, "NewObject") && strcmp(m->name->bytes, "<init>") != 0))
        FAIL(c->self, "Wrong object class or methodID passed to JNI call");
}

static void
check_field(const struct check *c, const void *id)
{
    const struct field *f = field_of_id((uintptr_t)id);
    char type = type_in_name(c->name);

    if (!f || !fits(c, f->class, field_is_static(f)))
        FAIL(c->self, strstr(c->name, "Static") ? "Wrong static field ID passed to JNI"
                                                : "Wrong field ID passed to JNI");
    if (type && type != f->type)
        FAIL(c->self, "Field type (%s) mismatch in JNI get/set field operations",
             field_is_static(f) ? "static" : "instance");
}

static void
check_text(const struct check *c, const char *text)
{
    size_t length = text ? strlen(text) : 0;

    if (!text)
        FAIL(c->self, "Null text passed to JNI");
    if (strcmp(c->name, "FindClass") != 0)
        return;
    if (!mutf8_valid(text, length, false))
        FAIL(c->self, "JNI class name is not a valid UTF8 string \"%s\"", text);
    if (length > 1 && text[0] == 'L' && text[length - 1] == ';')
        WARN(c->self, "JNI FindClass received a bad class descriptor \"%s\".  A "
             "correct class descriptor has no leading \"L\" or trailing \";\".  "
             "Incorrect descriptors will not be accepted in future releases.", text);
}

static struct check
check_begin(JNIEnv *env, const char *name, const char *kinds, const void *const *args)
{
    struct check c = { env_thread(env), name, args };
    const char *fault;

    if (c.self != current_thread) {
        if (!current_thread)
            fprintf(stderr,
                    "FATAL ERROR in native method: Using JNIEnv in non-Java thread\n");
        else
            report(current_thread, "FATAL ERROR", "Using JNIEnv in the wrong thread");
        fault_end_quietly();
        abort();
    }
    thread_enter_vm(c.self);
    check_state(c.self, name);
    for (int i = 0; kinds[i]; i++)
        if (kinds[i] == 'm')
            check_method(&c, args[i]);
        else if (kinds[i] == 'f')
            check_field(&c, args[i]);
        else if (kinds[i] == 'n')
            check_text(&c, args[i]);
        else if ((fault = object_fault(c.self, kinds[i], (ref)(uintptr_t)args[i])))
            FAIL(c.self, "%s", fault);
    thread_leave_vm(c.self);
    return c;
}

static void
check_end(const struct check *c)
{
    struct native_refs *n = c->self->natives;

    if (!n)
        return;
    if (begins(c->name, "Call"))
        n->unchecked = c->name;
    size_t live = ref_live(c->self);
    if (live > n->capacity + LOCALS_TO_SPARE) {
        WARN(c->self, "JNI local refs: %zu, exceeds capacity: %zu", live, n->capacity);
        n->capacity = live;
    }
}

/* ---- memory that foreign code gets ---- */

static const char guard_mark[16] = "minivm JNI guard";

struct guard {
    void *memory;                  /* what the plain function gave */
    size_t size;
    char mark[sizeof guard_mark];
};

static size_t
given_size(const struct check *c)
{
    const struct object *o = ref_get((ref)(uintptr_t)c->args[0]);

    if (strstr(c->name, "UTF"))
        return string_modified_length(o) + 1;
    if (strstr(c->name, "String"))
        return ((size_t)string_length(o) + 1) * sizeof(jchar);
    return (size_t)array_length(o) << object_layout(o)->element_shift;
}

/* A copy of what the function gives, with a mark on both sides. */
static void *
check_give(const struct check *c, const void *memory)
{
    struct native_refs *n = c->self->natives;

    if (!memory)
        return NULL;
    thread_enter_vm(c->self);
    size_t size = given_size(c);
    thread_leave_vm(c->self);
    struct guard *g = mem_alloc(sizeof *g + size + sizeof guard_mark);
    *g = (struct guard){ (void *)(uintptr_t)memory, size, "" };
    memcpy(g->mark, guard_mark, sizeof guard_mark);
    memcpy(g + 1, memory, size);
    memcpy((char *)(g + 1) + size, guard_mark, sizeof guard_mark);
    if (n)
        n->criticals += strstr(c->name, "Critical") != NULL;
    return g + 1;
}

/* What the plain function is to release instead of the copy, brought up to date. */
static void *
check_guard(const struct check *c, const void *memory, jint mode)
{
    struct guard *g = (struct guard *)(uintptr_t)memory - 1;
    struct native_refs *n = c->self->natives;

    if (n && n->criticals && strstr(c->name, "Critical") && mode != JNI_COMMIT)
        n->criticals--;
    if (!memory || memcmp(g->mark, guard_mark, sizeof guard_mark)
        || memcmp((char *)(g + 1) + g->size, guard_mark, sizeof guard_mark)) {
        printf("%s: release %s failed bounds check, incorrect pointer returned ? %p\n",
               c->name, strstr(c->name, "String") ? "string" : "array", memory);
        FAIL(c->self, "%s: failed bounds check", c->name);
    }
    if (mode != JNI_COMMIT && mode != JNI_ABORT && mode != 0)
        FAIL(c->self, "Unrecognized array release mode");
    void *original = g->memory;
    if (mode != JNI_ABORT && !strstr(c->name, "String"))
        memcpy(original, memory, g->size);
    if (mode != JNI_COMMIT) {
        memset(g->mark, 0, sizeof g->mark);
        mem_free(g);
    }
    return original;
}

/* Some parameters there are named as types are here. */
#pragma GCC diagnostic ignored "-Wshadow"
#include "jni/checks.h"

const struct JNINativeInterface_ *
jni_checked_table(void)
{
    return &checked;
}
