/* SPDX-License-Identifier: MIT */
/* minivm/jni/check.c -- -Xcheck:jni: a table of JNI functions that check their
 * arguments first (JNI "Reporting Programming Errors").
 *
 * The functions are generated (checks.h, included at the end).  Each of them calls
 * check_begin, the function proper, and check_end.  It tells check_begin its name and a
 * string with one letter for each argument that is checked:
 *
 *   c class     t throwable   s string    a array    o any object, not NULL
 *   m method id   f field id    n text      ? any reference, or NULL
 *   L array of objects    Z B C S I J F D array of that primitive type
 *
 * What would break the VM ends it with a message; bad style gives a warning.  Both are
 * printed with the Java stack.  Some rules depend on the function: they look at its
 * name. */

#include "diagnostics/fault.h"
#include "jni/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "jni/functions.h"
#include "linking/ids.h"
#include "runtime/string.h"

/* One checked call. */
struct check {
    struct thread *self;
    const char *name;        /* the function's, without jni_ */
    const void *const *args; /* the arguments that are checked */
};

/* So many more local references than announced give no warning yet, as in HotSpot. */
enum { LOCALS_TO_SPARE = 32 };

/* Prints a message with the Java stack.  what is WARNING or FATAL ERROR; format is as
   of printf. */
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

/* Returns true for the functions that may be called while an exception is pending (JNI
   "Exceptions and Error Codes").  name is the JNI function's, as in the other functions
   here. */
static bool
ignores_exceptions(const char *name)
{
    return begins(name, "Exception") || begins(name, "Release")
           || begins(name, "Delete") || !strcmp(name, "MonitorExit")
           || !strcmp(name, "PushLocalFrame") || !strcmp(name, "PopLocalFrame")
           || !strcmp(name, "FatalError");
}

/* Warns of a call in a critical section, with an exception pending, or without a test
   for an exception after a call of a Java method.  self is in the VM.  n->unchecked is
   the last function that called a Java method, if nothing has looked for an exception
   since.  Where no native method is under way, as in a thread that native code has
   attached, only a pending exception is noticed. */
static void
check_state(struct thread *self, const char *name)
{
    struct native_invocation *n = self->native_invocations;

    if (n && begins(name, "Exception"))
        n->unchecked = NULL;
    if (n && n->criticals && !strstr(name, "Critical") && !begins(name, "Exception"))
        printf("Warning: Calling other JNI functions in the scope of Get/Release"
               "PrimitiveArrayCritical or Get/ReleaseStringCritical\n"),
            fflush(stdout);
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

/* Returns true if r is a reference that is not deleted; a local one must be self's.  r
   is not NULL. */
static bool
is_reference(struct thread *self, ref r)
{
    return ref_tag(r) == REF_LOCAL ? ref_is_local(self, r)
                                   : ref_is_valid_global(self->vm, r);
}

/* Returns what is wrong with a reference by the letter of its kind, as the beginning of
   this file lists them, or NULL.  The default case are arrays: a of any kind, L of
   objects, else of the primitive type with that letter. */
static const char *
object_fault(struct thread *self, char kind, ref r)
{
    static const char bad[] = "Bad global or local ref passed to JNI";
    const struct object *o = !r || is_reference(self, r) ? ref_get(r) : NULL;
    const struct class *c = o ? object_class(o) : NULL;

    if (r && !is_reference(self, r))
        return bad;
    switch (kind) {
    case '?': return NULL;
    case 'o': return o ? NULL : "Null object passed to JNI";
    case 'c':
        return c == KC(self->vm, Class) ? NULL
               : c ? "JNI received a class argument that is not a class"
                   : bad;
    case 't':
        return o && object_is_instance(o, KC(self->vm, Throwable))
                   ? NULL
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
        return kind == 'L' || kind == 'a' || c->name->bytes[1] == kind
                   ? NULL
                   : "Array element type mismatch in JNI";
    }
}

/* Returns the letter of the type in the name of a function that calls methods or
   accesses fields of one type, such as I for CallIntMethod; 0 for other functions.  The
   letters LVZBCSIJFD are in the order of the types' names.  name is advanced past Call,
   Get or Set, and past Static or Nonvirtual, to where the type stands. */
static char
type_in_name(const char *name)
{
    /* clang-format off */
    static const char *const types[] = { "Object", "Void", "Boolean", "Byte", "Char",
                                         "Short", "Int", "Long", "Float", "Double" };
    /* clang-format on */

    name += begins(name, "Call") ? 4 : 3;
    name += begins(name, "Static") ? 6 : begins(name, "Nonvirtual") ? 10 : 0;
    for (int i = 0; i < 10; i++)
        if (begins(name, types[i])
            && (begins(name + strlen(types[i]), "Method")
                || !strcmp(name + strlen(types[i]), "Field")))
            return "LVZBCSIJFD"[i];
    return 0;
}

/* Returns true if a member of owner suits the first argument of the call: the object or
   class must have the member, and the function's name must say static if the member is.
   The functions of reflection get the class, and any member suits them. */
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

/* Ends the VM if the id is no method's, or of one that the function cannot call.
   Besides, the result type in the function's name must be the method's, and NewObject
   needs a constructor. */
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

/* Ends the VM if the id is no field's, or of one that the function cannot access. */
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

/* Checks a text: the name that FindClass gets must be encoded correctly, and should be
   no descriptor of a class. */
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
        WARN(c->self,
             "JNI FindClass received a bad class descriptor \"%s\".  A "
             "correct class descriptor has no leading \"L\" or trailing \";\".  "
             "Incorrect descriptors will not be accepted in future releases.",
             text);
}

/* Begins a checked call: checks the thread, its state and the arguments, each by the
   letter in kinds.  Returns what check_end and the two functions for memory need.  The
   thread is in the VM for the checks, and in native code again when this returns.  A
   JNIEnv of another thread ends the process at once: its thread may be anywhere, so
   nothing of it can be looked at. */
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

/* Ends a checked call: notes that an exception has to be tested for, and warns if there
   are more local references than native code has announced. */
static void
check_end(const struct check *c)
{
    struct native_invocation *n = c->self->native_invocations;

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

/* ---- memory that native code gets ----
 *
 * What Get<Type>ArrayElements, GetStringChars and their like return is copied to memory
 * with a mark in front of it and behind it.  The function that releases the memory
 * looks at the marks, and so notices that native code has written beyond the ends, or
 * passes another pointer. */

static const char guard_mark[16] = "minivm JNI guard";

/* What stands in front of the memory; the second mark follows it. */
struct guard {
    void *memory; /* what the function proper returned */
    size_t size;  /* of the memory between the marks */
    char mark[sizeof guard_mark];
};

/* Returns the size of the memory that the function returns for its first argument.  The
   functions of strings give one more character, the NUL. */
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

/* Returns a copy of what the function proper has returned, between two marks.  memory
   is what the function proper has returned; NULL, with an exception pending, is passed
   on.  The copy is what native code gets, and memory is kept for check_guard.  A
   function with Critical in its name begins a critical section. */
static void *
check_give(const struct check *c, const void *memory)
{
    struct native_invocation *n = c->self->native_invocations;

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

/* Returns what the function proper has to release instead of the copy, with the
   contents of the copy if they are to be written back.  Ends the VM if a mark is
   damaged.  memory is what native code passes to the function; mode is that of the
   function, and 0 for strings, whose contents are never written back.  With JNI_COMMIT
   native code goes on using the copy, so that stays.  The mark in front is cleared
   before the copy is freed, so that a second release is noticed, unless the memory has
   another use by then. */
static void *
check_guard(const struct check *c, const void *memory, jint mode)
{
    struct guard *g = (struct guard *)(uintptr_t)memory - 1;
    struct native_invocation *n = c->self->native_invocations;

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

/* Some parameters of the generated functions have the names of types of this file. */
#pragma GCC diagnostic ignored "-Wshadow"
#include "jni/checks.h"

const struct JNINativeInterface_ *
jni_checked_table(void)
{
    return &checked;
}
