/* SPDX-License-Identifier: MIT */
/*
 * minivm/fuzz/calls/arguments.c -- arguments of JVM TI, by the kind that the facts give
 * a parameter.  Most calls get valid ones only; else one of them is wrong.
 */
#include "fuzz/calls/fuzzer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is(const struct call *c, const char *name)
{
    return strcmp(c->function->name, name) == 0;
}

static bool
begins(const struct call *c, const char *prefix)
{
    return strncmp(c->function->name, prefix, strlen(prefix)) == 0;
}

/* ---- references and ids ---- */

static const char *const kind_names[KINDS] = {
    "thread", "group", "class", "loader", "module", "object", "method", "field",
    "monitor"
};

static void *
from_register(struct call *c, int i, enum kind kind, int number)
{
    describe(c, i, "s->cell[%d][%d].value", (int)kind, number);
    return c->s->cell[kind][number].value;
}

/* A register that is valid or empty, from a random one on. */
static int
valid_register(struct call *c, enum kind kind)
{
    int number = pick(c, REGISTERS);

    for (int n = 0; n < REGISTERS; n++) {
        enum state state = c->s->cell[kind][number].state;

        if (state == VALID || state == WEAK)
            break;
        number = (number + 1) % REGISTERS;
    }
    return number;
}

static bool
is_valid(const struct call *c, enum kind kind, int number)
{
    enum state state = c->s->cell[kind][number].state;

    return state == VALID || state == WEAK;
}

static void *
wild(struct call *c, int i)
{
    uint64_t bits = random_next(&c->random);

    switch (pick(c, 4)) {
    case 0:
        bits &= 0xffff;
        break;
    case 1:
        bits &= 0x7fffffffffff;
        break;
    case 2:
        bits = (bits & 3) << 32 | (bits >> 32 & 0xfffff);
        break;
    default:
        break;
    }
    describe(c, i, "(void *)0x%llxu", (unsigned long long)bits);
    return (void *)(uintptr_t)bits;
}

static void *
wrong_reference(struct call *c, int i, enum kind kind)
{
    enum kind other = (enum kind)pick(c, METHOD);
    int number = pick(c, REGISTERS);

    if (pick(c, 3) == 0) {
        describe(c, i, "NULL");
        return NULL;
    }
    if (kind >= METHOD) {
        if (fuzzer.mode == MODE_WILD && !fuzzer.hotspot && pick(c, 2) == 0)
            return wild(c, i);
        /* The next registers may be stale. */
        if (fuzzer.hotspot && !is_valid(c, kind, number)) {
            describe(c, i, "NULL");
            return NULL;
        }
        return from_register(c, i, kind, number);
    }
    if (pick(c, 2) == 0)
        other = kind;
    if (fuzzer.hotspot && !is_valid(c, other, number)) {
        describe(c, i, "NULL");
        return NULL;
    }
    return from_register(c, i, other, number);
}

static void *
reference(struct call *c, int i, enum kind kind)
{
    int number;

    if (c->spoiled == i)
        return wrong_reference(c, i, kind);
    if (kind == THREAD && pick(c, 8) == 0 && !begins(c, "Suspend")) {
        describe(c, i, "NULL");
        return NULL;                   /* the current one, as a rule */
    }
    number = valid_register(c, kind);
    if (!is_valid(c, kind, number)) {
        describe(c, i, "NULL");
        return NULL;
    }
    return from_register(c, i, kind, number);
}

/* A field goes with its class. */
static void
pair_field(struct call *c, int i)
{
    int number = valid_register(c, FIELD);
    const struct cell *cell = &c->s->cell[FIELD][number];

    if (c->spoiled == i || c->spoiled == i - 1 || cell->state != VALID)
        return;
    c->a[i].p = from_register(c, i, FIELD, number);
    c->a[i - 1].p = cell->owner;
    describe(c, i - 1, "s->cell[%d][%d].owner", (int)FIELD, number);
}

/* ---- numbers ---- */

static jint
boundary(struct call *c)
{
    static const jint values[] = {
        -1, 0, 1, 2, 7, 8, 255, 65535, 65536, INT32_MAX, INT32_MIN, INT32_MAX - 1, -2
    };

    return values[pick(c, (int)(sizeof values / sizeof *values))];
}

static jint
enum_value(struct call *c, const char *type)
{
    if (strcmp(type, "jvmtiEvent") == 0)
        return (jint)events[pick(c, event_count)].number;
    if (strcmp(type, "jvmtiError") == 0)
        return (jint)all_errors[pick(c, all_error_count)];
    if (strcmp(type, "jvmtiHeapObjectFilter") == 0)
        return 1 + pick(c, 3);
    if (strcmp(type, "jvmtiVerboseFlag") == 0) {
        int flag = pick(c, 3);

        return flag == 0 ? 0 : 1 << flag;
    }
    return pick(c, 2);
}

static jint
int_argument(struct call *c, int i, const struct parameter *p)
{
    bool wrong = c->spoiled == i;

    if (strcmp(p->kind, "enum") == 0)
        return wrong ? boundary(c) : enum_value(c, p->type);
    if (strcmp(p->name, "size_of_callbacks") == 0)
        return !wrong ? (jint)sizeof event_callbacks
               : pick(c, 2) == 0 ? -pick(c, 1000)
               : 8 * pick(c, (int)sizeof event_callbacks / 8);   /* whole pointers */
    /* A count says how long a list is: too high a one would be a wild pointer. */
    if (strcmp(p->kind, "count") == 0)
        return wrong ? (pick(c, 2) ? INT32_MIN : -1 - pick(c, 9)) : pick(c, LIST + 1);
    if (strcmp(p->kind, "max") == 0)
        return wrong ? boundary(c) : pick(c, 4) == 0 ? BUFFER / 16 : pick(c, 9);
    if (strcmp(p->kind, "depth") == 0)
        return wrong ? boundary(c) : pick(c, 8);
    if (strcmp(p->kind, "slot") == 0)
        return wrong ? boundary(c) : pick(c, 12);
    if (strcmp(p->kind, "priority") == 0)
        return wrong ? boundary(c) : 1 + pick(c, 10);
    if (strcmp(p->name, "heap_filter") == 0)
        return wrong ? boundary(c) : pick(c, 32) << 2;
    if (strcmp(p->name, "sampling_interval") == 0)
        return wrong ? boundary(c) : pick(c, 3) << 16;
    if (strcmp(p->type, "jboolean") == 0)
        return pick(c, 2);
    if (is(c, "SetLocalInt"))
        return pick(c, 100);           /* it may be how often a loop runs */
    return pick(c, 4) == 0 ? boundary(c) : pick(c, 100);
}

static jlong
long_argument(struct call *c, int i, const struct parameter *p)
{
    static const jlong values[] = {
        -1, 0, 1, INT64_MAX, INT64_MIN, (jlong)1 << 32, (jlong)1 << 62
    };
    bool wrong = c->spoiled == i;

    if (strcmp(p->name, "millis") == 0)
        return 1;                      /* 0 waits for ever */
    if (wrong)
        return values[pick(c, (int)(sizeof values / sizeof *values))];
    if (strcmp(p->type, "jlocation") == 0)
        return pick(c, 2) == 0 ? 0 : pick(c, 60);
    if (strcmp(p->name, "size") == 0)
        return pick(c, 1000);
    return pick(c, 50);
}

/* ---- text ---- */

static const char *
text_argument(struct call *c, int i, const struct parameter *p)
{
    static char long_text[70000];
    static const char *const names[] = {
        "java.lang", "", "java/lang", "no.such", "java.vm.version", "java.class.path",
        "java.home", "line.separator", "\xc0\x80\xff", "calls", "a=b", "unnamed_"
    };
    int n;

    if (c->spoiled == i && pick(c, 2) == 0) {
        describe(c, i, "NULL");
        return NULL;
    }
    if (strcmp(p->name, "segment") == 0) {
        describe(c, i, "\"/nonexistent/calls.jar\"");
        return "/nonexistent/calls.jar";
    }
    if (pick(c, 64) == 0) {
        memset(long_text, 'x', sizeof long_text - 1);
        describe(c, i, "long_text()");
        return long_text;
    }
    n = pick(c, (int)(sizeof names / sizeof *names));
    if (n == 8)
        describe(c, i, "\"\\xc0\\x80\\xff\"");
    else
        describe(c, i, "\"%s\"", names[n]);
    return names[n];
}

/* ---- callbacks of heap functions ---- */

static void
in_heap(struct call *c)
{
    unsigned char *memory = NULL;
    jvmtiEnv *env = c->s->env[0];

    if ((random_next(&c->heap_random) & 31) != 0 || env == NULL)
        return;
    (*env)->Allocate(env, 24, &memory);
    (*env)->Deallocate(env, memory);
}

static jint
heap_flags(struct call *c, jlong *tag)
{
    uint64_t r = random_next(&c->heap_random);

    in_heap(c);
    if (tag != NULL && (r & 7) == 0)
        *tag = (jlong)(r >> 8 & 15);
    if (--c->heap_left < 0)
        return JVMTI_VISIT_ABORT;
    return (r & 0x70) == 0 ? 0 : JVMTI_VISIT_OBJECTS;
}

static jvmtiIterationControl
heap_control(struct call *c, jlong *tag)
{
    jint flags = heap_flags(c, tag);

    return (flags & JVMTI_VISIT_ABORT) != 0 ? JVMTI_ITERATION_ABORT
           : flags != 0 ? JVMTI_ITERATION_CONTINUE : JVMTI_ITERATION_IGNORE;
}

static jint JNICALL
on_iteration(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data)
{
    (void)class_tag, (void)size, (void)length;
    return heap_flags(user_data, tag_ptr);
}

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag_ptr,
             jlong *referrer_tag_ptr, jint length, void *user_data)
{
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size;
    (void)referrer_tag_ptr, (void)length;
    return heap_flags(user_data, tag_ptr);
}

static jint JNICALL
on_primitive_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                   jlong class_tag, jlong *tag_ptr, jvalue value,
                   jvmtiPrimitiveType type, void *user_data)
{
    (void)kind, (void)info, (void)class_tag, (void)value, (void)type;
    return heap_flags(user_data, tag_ptr);
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count,
         jvmtiPrimitiveType type, const void *elements, void *user_data)
{
    (void)class_tag, (void)size, (void)count, (void)type, (void)elements;
    return heap_flags(user_data, tag_ptr);
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *value, jint length,
          void *user_data)
{
    volatile jchar last = length > 0 ? value[length - 1] : 0;

    (void)class_tag, (void)size, (void)last;
    return heap_flags(user_data, tag_ptr);
}

static jvmtiIterationControl JNICALL
on_heap_object(jlong class_tag, jlong size, jlong *tag_ptr, void *user_data)
{
    (void)class_tag, (void)size;
    return heap_control(user_data, tag_ptr);
}

static jvmtiIterationControl JNICALL
on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
        void *user_data)
{
    (void)kind, (void)class_tag, (void)size;
    return heap_control(user_data, tag_ptr);
}

static jvmtiIterationControl JNICALL
on_stack_reference(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
                   jlong thread_tag, jint depth, jmethodID method, jint slot,
                   void *user_data)
{
    (void)kind, (void)class_tag, (void)size, (void)thread_tag, (void)depth;
    (void)method, (void)slot;
    return heap_control(user_data, tag_ptr);
}

static jvmtiIterationControl JNICALL
on_object_reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size,
                    jlong *tag_ptr, jlong referrer_tag, jint index, void *user_data)
{
    (void)kind, (void)class_tag, (void)size, (void)referrer_tag, (void)index;
    return heap_control(user_data, tag_ptr);
}

static void JNICALL
on_extension(jvmtiEnv *env, ...)
{
    (void)env;
}

static void *
heap_callbacks(struct call *c, int i)
{
    int which = pick(c, 32);

    memset(&c->heap, 0, sizeof c->heap);
    if ((which & 1) != 0)
        c->heap.heap_iteration_callback = on_iteration;
    if ((which & 2) != 0)
        c->heap.heap_reference_callback = on_reference;
    if ((which & 4) != 0)
        c->heap.primitive_field_callback = on_primitive_field;
    if ((which & 8) != 0)
        c->heap.array_primitive_value_callback = on_array;
    if ((which & 16) != 0)
        c->heap.string_primitive_value_callback = on_string;
    describe(c, i, "heap_callbacks(%d)", which);
    return &c->heap;
}

/* ---- pointers ---- */

static void *
list_argument(struct call *c, int i, enum kind kind)
{
    int at = snprintf(c->text[i], sizeof c->text[i], "(void *[]){");

    for (int n = 0; n < LIST; n++) {
        int number = c->spoiled == i || pick(c, 16) == 0 ? pick(c, REGISTERS)
                                                         : valid_register(c, kind);
        enum kind k = c->spoiled == i && pick(c, 2) == 0 ? OBJECT : kind;

        c->list[n] = fuzzer.hotspot && !is_valid(c, k, number)
                     ? NULL : c->s->cell[k][number].value;
        if (fuzzer.trace != NULL)
            at += snprintf(c->text[i] + at, sizeof c->text[i] - (size_t)at,
                           " s->cell[%d][%d].value,", (int)k, number);
    }
    if (fuzzer.trace != NULL)
        snprintf(c->text[i] + at, sizeof c->text[i] - (size_t)at, " }");
    return c->list;
}

/* Class files: versions of VictimA for one of its classes, or for what is none. */
static void *
definitions(struct call *c, int i)
{
    int at = snprintf(c->text[i], sizeof c->text[i], "(const jvmtiClassDefinition[]){");
    static const int victims[] = { 6, 7, 12 };

    for (int n = 0; n < LIST; n++) {
        jvmtiClassDefinition *d = &c->definitions[n];
        int number = pick(c, 4) == 0 ? valid_register(c, CLASS) : victims[pick(c, 3)];
        int version = pick(c, 4) == 0 ? pick(c, VERSIONS) : pick(c, 2);
        jint length = stage.version_length[version];

        if (c->spoiled == i && pick(c, 2) == 0)
            length = pick(c, 3) == 0 ? -1 : pick(c, length + 1);
        if (fuzzer.hotspot && !is_valid(c, CLASS, number))
            number = 7;
        d->klass = c->s->cell[CLASS][number].value;
        d->class_byte_count = length;
        d->class_bytes = c->spoiled == i && pick(c, 8) == 0
                         ? NULL : stage.version_bytes[version];
        if (fuzzer.trace != NULL && at < (int)sizeof c->text[i])
            at += snprintf(c->text[i] + at, sizeof c->text[i] - (size_t)at,
                           "{s->cell[%d][%d].value,%d,", (int)CLASS, number,
                           (int)length);
        if (fuzzer.trace != NULL && at < (int)sizeof c->text[i])
            at += snprintf(c->text[i] + at, sizeof c->text[i] - (size_t)at,
                           d->class_bytes == NULL ? "NULL},"
                                                  : "stage.version_bytes[%d]},",
                           version);
    }
    if (fuzzer.trace != NULL && at < (int)sizeof c->text[i])
        snprintf(c->text[i] + at, sizeof c->text[i] - (size_t)at, "}");
    return c->definitions;
}

static void *
some_capabilities(struct call *c, int i)
{
    unsigned char bytes[sizeof c->capabilities] = { 0 };
    uint64_t bits = random_next(&c->random) & random_next(&c->random);

    memcpy(bytes, &bits, 6);           /* 45 are defined */
    bytes[5] &= 0x1f;
    if (pick(c, 4) != 0)
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] &= ((const unsigned char *)&stage.potential)[k];
    memcpy(&c->capabilities, bytes, sizeof bytes);
    memcpy(&bits, bytes, 8);
    describe(c, i, "capabilities(0x%llx)", (unsigned long long)bits);
    return &c->capabilities;
}

static void *
some_callbacks(struct call *c, int i)
{
    uint64_t bits = c->env == 0 ? UINT64_MAX : random_next(&c->random);
    void **to = (void **)&c->callbacks;

    c->callbacks = event_callbacks;
    for (size_t k = 0; k < sizeof c->callbacks / sizeof *to; k++)
        if ((bits >> k & 1) == 0)
            to[k] = NULL;
    describe(c, i, "callbacks(0x%llx)", (unsigned long long)bits);
    return &c->callbacks;
}

static void *
function_table(struct call *c, int i)
{
    static jniNativeInterface *copy;
    jniNativeInterface *table = NULL;

    if (copy == NULL
        && (*stage.base)->GetJNIFunctionTable(stage.base, &table) == JVMTI_ERROR_NONE)
        copy = table;
    describe(c, i, "function_table()");
    return copy;
}

static void *
pointer_argument(struct call *c, int i, const struct parameter *p)
{
    static const struct { const char *type; void *callback; } callbacks[] = {
        { "jvmtiHeapObjectCallback", (void *)on_heap_object },
        { "jvmtiHeapRootCallback", (void *)on_root },
        { "jvmtiStackReferenceCallback", (void *)on_stack_reference },
        { "jvmtiObjectReferenceCallback", (void *)on_object_reference },
        { "jvmtiExtensionEvent", (void *)on_extension },
        { "jvmtiStartFunction", (void *)stage_agent_thread }
    };

    for (int kind = 0; kind < KINDS; kind++)
        if (strcmp(p->kind, kind_names[kind]) == 0)
            return reference(c, i, (enum kind)kind);
    if (strcmp(p->type, "const char*") == 0)
        return (void *)text_argument(c, i, p);
    if (strcmp(p->type, "unsigned char*") == 0) {
        unsigned char *memory = c->s->memory;

        c->s->memory = NULL;
        describe(c, i, "allocated()");
        return memory;
    }
    if (c->spoiled == i || (p->null == NULL_ALLOWED && pick(c, 4) == 0)) {
        describe(c, i, "NULL");
        return NULL;
    }
    for (size_t k = 0; k < sizeof callbacks / sizeof *callbacks; k++)
        if (strcmp(p->type, callbacks[k].type) == 0) {
            describe(c, i, "%s_callback", p->type);
            return callbacks[k].callback;
        }
    if (strcmp(p->type, "const jthread*") == 0)
        return list_argument(c, i, THREAD);
    if (strcmp(p->type, "const jclass*") == 0)
        return list_argument(c, i, CLASS);
    if (strcmp(p->type, "const jvmtiClassDefinition*") == 0)
        return definitions(c, i);
    if (strcmp(p->type, "const jvmtiHeapCallbacks*") == 0)
        return heap_callbacks(c, i);
    if (strcmp(p->type, "const jvmtiCapabilities*") == 0)
        return some_capabilities(c, i);
    if (strcmp(p->type, "const jvmtiEventCallbacks*") == 0)
        return some_callbacks(c, i);
    if (strcmp(p->type, "const jniNativeInterface*") == 0)
        return function_table(c, i);
    if (strcmp(p->type, "const jlong*") == 0) {
        for (int n = 0; n < LIST; n++)
            c->numbers[n] = pick(c, 17);
        describe(c, i, "(const jlong[]){ %d, %d, %d, %d }", (int)c->numbers[0],
                 (int)c->numbers[1], (int)c->numbers[2], (int)c->numbers[3]);
        return c->numbers;
    }
    if (strcmp(p->type, "char**") == 0) {
        for (int n = 0; n < LIST; n++)
            c->list[n] = (void *)"calls_prefix_";
        describe(c, i, "(char *[]){ \"calls_prefix_\", \"calls_prefix_\","
                 " \"calls_prefix_\", \"calls_prefix_\" }");
        return c->list;
    }
    /* What is left is the agent's own: user_data, thread-local data. */
    describe(c, i, "data()");
    return c;
}

/* ---- the whole ---- */

/* What the call would do to the run: lock it up, or leave locks of the class library
   locked for ever. */
static bool
is_harmless(struct call *c)
{
    const struct jvmti_function *f = c->function;

    if (f->count > 0 && strcmp(f->parameters[0].kind, "thread") == 0
        && (begins(c, "ForceEarlyReturn") || begins(c, "SetLocal") || is(c, "PopFrame")
            || is(c, "StopThread")))
        return !c->s->leaf && stage_may_disturb(c->s, c->a[0].p);
    /* The watchdog is not there in all phases. */
    if (c->s->number >= PHASES && begins(c, "Suspend"))
        return false;
    if (begins(c, "Suspend") && c->s->number >= STREAMS && stage_is_spared(c->s))
        return false;
    /* The class library needs its properties. */
    if (is(c, "SetSystemProperty"))
        return c->a[0].p == NULL || strchr(c->a[0].p, '.') == NULL;
    if (is(c, "RunAgentThread"))
        return c->a[1].p == NULL || c->s->callbacks == 0;
    return true;
}

bool
make_arguments(struct call *c)
{
    const struct jvmti_function *f = c->function;

    c->spoiled = f->count > 0 && pick(c, 3) == 0 ? pick(c, f->count) : -1;
    c->heap_random = random_next(&c->random);
    c->heap_left = pick(c, 8) == 0 ? 1000000 : pick(c, 2000);
    for (int i = 0; i < f->count; i++) {
        const struct parameter *p = &f->parameters[i];

        if (p->direction != 'i') {
            bool null = c->spoiled == i
                        || (p->null == NULL_ALLOWED && pick(c, 4) == 0);

            /* jvmtiFrameInfo and jvmtiError come as arrays, whose length is a count. */
            c->a[i].p = null ? NULL
                        : strcmp(p->type, "jvmtiFrameInfo*") == 0 ? (void *)c->buffer
                        : (void *)c->out[i];
            if (null)
                describe(c, i, "NULL");
            else
                describe(c, i, c->a[i].p == c->buffer ? "(void *)buffer"
                         : "(void *)out[%d]", i);
        } else if (strcmp(p->name, "user_data") == 0) {
            c->a[i].p = c;
            describe(c, i, "NULL");
        } else if (p->rep == 'i') {
            c->a[i].i = int_argument(c, i, p);
            describe(c, i, "%d", (int)c->a[i].i);
        } else if (p->rep == 'j') {
            c->a[i].j = long_argument(c, i, p);
            describe(c, i, c->a[i].j == INT64_MIN ? "INT64_MIN" : "%lld",
                     (long long)c->a[i].j);
        } else if (p->rep == 'f') {
            c->a[i].f = 1.5f;
            describe(c, i, "1.5f");
        } else if (p->rep == 'd') {
            c->a[i].d = 2.5;
            describe(c, i, "2.5");
        } else {
            c->a[i].p = pointer_argument(c, i, p);
        }
        if (i > 0 && strcmp(p->kind, "field") == 0)
            pair_field(c, i);
    }
    return is_harmless(c);
}
