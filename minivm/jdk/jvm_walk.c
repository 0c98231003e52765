/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_walk.c -- JVM_ functions of java.lang.StackWalker.
 *
 * JVM_CallStackWalk keeps a struct walk on the C stack and calls back into Java, which
 * may ask for more frames.  Java holds the walk's address; its thread in the first
 * element of the buffer says that the two belong together. */

#include "classfile/framemap.h"
#include "jdk/jvm.h"
#include "vm/above.h"

/* Modes of java.lang.StackStreamFactory. */
enum walk_mode {
    WALK_CLASSES_ONLY = 0x2,
    WALK_CALLER_CLASS = 0x4,
    WALK_HIDDEN_FRAMES = 0x20,
    WALK_LIVE_FRAMES = 0x100
};

struct walk {
    struct walk *previous;             /* of the same thread */
    struct frame *at;                  /* NULL: the end */
    bool started;                      /* at was handed out already */
};

/* ---- one frame ---- */

static struct object *
primitive_slot(struct thread *self, int64_t value)
{
    union slot args[2] = { { .j = value } }, result;

    return java_call_named(self, known_class(self, KNOWN_CLASS_LiveStackFrameInfo),
                           "asPrimitive", "(J)Ljava/lang/LiveStackFrame$PrimitiveSlot;",
                           args, &result)
               ? result.ref : NULL;
}

/* context: where local 0's reference goes; those of operands go below. */
static void
note_reference(void *context, int32_t slot, struct object *object)
{
    ((struct object **)context)[slot] = object;
}

/* Object[] of a frame's locals: references, boxed words of primitives, 0 for what holds
   nothing; wide ones stand in their second slot, as HotSpot has them. */
static struct object *
local_array(struct thread *self, struct object *const *references,
            const struct frame *f, uint32_t count)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), count);
    const union slot *slots = frame_locals(f);

    for (uint32_t i = 0; array && i < count && !exception_pending(self); i++) {
        uint8_t kind = frame_local_kind(f, i);
        int64_t value = kind == SLOT_HALF                        ? slots[i - 1].j
                        : kind == SLOT_INT || kind == SLOT_FLOAT ? (uint32_t)slots[i].i
                                                                 : 0;
        java_put(array, i, kind == SLOT_REFERENCE ? references[i]
                                                  : primitive_slot(self, value));
    }
    return exception_pending(self) ? NULL : array;
}

/* Object[] of its operands, whose references go down: those, or boxed words. */
static struct object *
operand_array(struct thread *self, struct object *const *references,
              const struct frame *f, int32_t count)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), (size_t)count);
    const union slot *slots = frame_operands(f);

    for (int32_t i = 0; array && i < count; i++) {
        struct object *o = references[-i];
        if (!java_put(array, (size_t)i, o ? o : primitive_slot(self, slots[i].j)))
            return NULL;
    }
    return array;
}

static struct object *
monitor_array(struct thread *self, const struct frame *f)
{
    size_t mark = self->handle_count;

    for (uint32_t i = 0; i < self->lock_count; i++)
        if (self->locks[i].frame == f)
            keep(self, self->locks[i].object);
    return java_kept(self, KC(self->vm, Object), mark);
}

/* Locals, operands and monitors of a LiveStackFrameInfo.  The frame keeps what it
   refers to; the arguments of the call that it waits for belong to its callee. */
static bool
fill_live(struct thread *self, struct object *info, struct frame *f)
{
    const struct vm *vm = self->vm;
    const struct code *code = f->code;
    uint32_t local_count = code->info ? code->info->max_locals : 0; /* 0: native */
    struct object **all = mem_calloc(code->frame_slots + code->max_locals, sizeof *all);
    struct object **base = all + code->frame_slots;
    const struct frame *newer = self->top;

    while (newer && newer->caller != f)
        newer = newer->caller;
    int32_t depth = frame_visit_references(f, newer, note_reference, base);
    struct object *locals = local_array(self, base, f, local_count);
    struct object *operands =
        locals ? operand_array(self, base - 1, f, depth) : NULL;
    struct object *monitors = operands ? monitor_array(self, f) : NULL;
    mem_free(all);
    if (!monitors)
        return false;
    REF_FIELD(vm, info, LiveStackFrameInfo_locals) = locals;
    REF_FIELD(vm, info, LiveStackFrameInfo_operands) = operands;
    REF_FIELD(vm, info, LiveStackFrameInfo_monitors) = monitors;
    INT_FIELD(vm, info, LiveStackFrameInfo_mode) = 1; /* interpreted */
    return true;
}

/* A StackFrameInfo or LiveStackFrameInfo, whose MemberName Java has made. */
static bool
fill_info(struct thread *self, struct object *info, struct frame *f, jlong mode)
{
    const struct vm *vm = self->vm;
    struct object *name = REF_FIELD(vm, info, StackFrameInfo_memberName);
    SCOPE(self);

    keep(self, info);
    if (!member_name_fill(self, name, f->code->method))
        return false;
    INT_FIELD(vm, info, StackFrameInfo_bci) =
        method_is_native(f->code->method) ? 0 : frame_bci(f);
    LONG_FIELD(vm, info, StackFrameInfo_version) = (int64_t)(uintptr_t)f->code;
    return !(mode & WALK_LIVE_FRAMES) || fill_live(self, info, f);
}

/* ---- batches ---- */

static bool
check_caller_sensitive(struct thread *self, const struct method *m, jlong mode)
{
    if (!(mode & WALK_CALLER_CLASS) || !(mode & WALK_CLASSES_ONLY)
        || !(m->flags & METHOD_CALLER_SENSITIVE))
        return true;
    return THROW(self, UnsupportedOperationException, "StackWalker::getCallerClass "
                 "called from @CallerSensitive '%pM' method", m);
}

static struct frame *
next_shown(struct frame *f, jlong mode)
{
    bool all = (mode & WALK_HIDDEN_FRAMES) && !(mode & WALK_CALLER_CLASS);

    while (f && !all && (f->code->method->flags & METHOD_HIDDEN))
        f = frame_older(f);
    return f;
}

/* Up to count frames into the buffer from start on; the end, or -1 with an exception
   pending. */
static jint
fill(struct thread *self, struct walk *w, jlong mode, jint count, jint start,
     struct object *buffer)
{
    jint end = start;

    while (end - start < count) {
        if (w->started && w->at)
            w->at = frame_older(w->at);
        w->at = next_shown(w->at, mode);
        w->started = true;
        if (!w->at)
            break;
        if (end == start && !check_caller_sensitive(self, w->at->code->method, mode))
            return -1;
        if (mode & WALK_CLASSES_ONLY)
            ARRAY_REFS(buffer)[end] = w->at->code->method->class->layout.mirror;
        else if (!fill_info(self, ARRAY_REFS(buffer)[end], w->at, mode))
            return -1;
        end++;
    }
    return end;
}

/* ---- the walk ---- */

static bool
is_walker(const struct vm *vm, const struct class *c)
{
    const struct class *abstract = KC(vm, AbstractStackWalker);

    return c == KC(vm, StackWalker) || c == abstract || c->super == abstract;
}

JNIEXPORT jobject JNICALL
JVM_CallStackWalk(JNIEnv *env, jobject stream, jlong mode, jint skip, jint count,
                  jint start, jobjectArray frames)
{
    VM_ENTRY(env);
    struct object *buffer = ref_get(frames);
    struct walk w = { .previous = self->jdk, .at = thread_top_frame(self) };
    union slot result = { .ref = NULL };
    jint end = start;

    if (!buffer)
        return THROW(self, NullPointerException, "frames_array is NULL");
    while (w.at && is_walker(self->vm, w.at->code->method->class))
        w.at = frame_older(w.at);
    for (jint i = 0; i < skip && w.at; i++)
        w.at = frame_older(w.at);
    if (count > 0 && (end = fill(self, &w, mode, count, start, buffer)) <= start)
        return end < start ? NULL
                           : THROW(self, InternalError, "stack walk: decode failed");
    union slot args[] = { { .ref = ref_get(stream) }, { .j = (int64_t)(uintptr_t)&w },
                          { 0 }, { .i = skip }, { .i = count }, { .i = start },
                          { .i = end } };
    self->jdk = &w;
    ARRAY_REFS(buffer)[0] = self->object;
    bool done = java_call(self, KM(self->vm, AbstractStackWalker_doStackWalk), args,
                          &result);
    ARRAY_REFS(buffer)[0] = NULL;
    self->jdk = w.previous;
    return done ? object_ref(self, result.ref) : NULL;
}

JNIEXPORT jint JNICALL
JVM_MoreStackWalk(JNIEnv *env, jobject stream UNUSED, jlong mode, jlong anchor,
                  jint count, jint start, jobjectArray frames)
{
    VM_ENTRY(env);
    struct object *buffer = ref_get(frames);
    struct walk *w = self->jdk;

    while (w && w != (struct walk *)(uintptr_t)anchor)
        w = w->previous;
    if (!w || !buffer || ARRAY_REFS(buffer)[0] != self->object) {
        THROW(self, InternalError, "doStackWalk: corrupted buffers");
        return 0;
    }
    jint end = fill(self, w, mode, count, start, buffer);
    return end < 0 ? 0 : end;
}
