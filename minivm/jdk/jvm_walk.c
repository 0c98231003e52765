/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_walk.c -- JVM_ functions of java.lang.StackWalker.
 *
 * A walk is lazy: the program gets a Stream of frames and may stop early, so frames are
 * handed to Java in batches.  StackStreamFactory calls JVM_CallStackWalk, which fills
 * the first batch into a buffer of Java's and calls back to doStackWalk, in which the
 * Stream is used up; when the buffer is empty, Java calls JVM_MoreStackWalk for the
 * next batch.  The frames cannot disappear meanwhile, since all of this happens above
 * them on the stack.
 *
 * The position is a struct walk in the C frame of JVM_CallStackWalk.  Java passes its
 * address back (the anchor), which is looked for in the thread's list of walks
 * (self->jdk), since a walk can begin while another is under way; and the first element
 * of the buffer holds the thread while the walk lasts, so that a buffer of another walk
 * is refused.
 *
 * Depending on the mode, a buffer holds classes, or StackFrameInfo objects whose
 * MemberName and bytecode index are set here, or LiveStackFrameInfo objects, which also
 * have the locals, operands and monitors.  As of JDK 25 it holds ClassFrameInfo objects
 * in place of classes, and the others extend that class: its field classOrMemberName is
 * the class or a ResolvedMethodName, and the method's name and descriptor are filled in
 * when somebody asks (JVM_ExpandStackFrameInfo). */

#include "classfile/framemap.h"
#include "jdk/jvm.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "threads/continuation.h"

/* The mode's bits, as in java.lang.StackStreamFactory. */
enum walk_mode {
    WALK_CLASSES_ONLY = 0x2,
    WALK_CALLER_CLASS = 0x4,
    WALK_HIDDEN_FRAMES = 0x20,
    WALK_LIVE_FRAMES = 0x100
};

/* One walk of a thread. */
struct walk {
    struct walk *previous; /* of the same thread */
    struct frame *frame;   /* the one at hand; NULL: the end */
    bool started;          /* frame was handed out already */
};

/* ---- one frame ---- */

/*
 * Returns the Java object that stands for a local or operand without a reference: a
 * LiveStackFrame.PrimitiveSlot of 8 bytes.  NULL with an exception pending.
 */
static struct object *
primitive_slot(struct thread *self, int64_t value)
{
    union slot args[2] = { { .j = value } }, result;

    return java_call_named(self, known_class(self, KNOWN_CLASS_LiveStackFrameInfo),
                           "asPrimitive", "(J)Ljava/lang/LiveStackFrame$PrimitiveSlot;",
                           args, &result)
               ? result.ref
               : NULL;
}

/*
 * Visits a reference in a frame; context is where that of local 0 goes, and operands
 * have negative slots.
 */
static void
store_reference(void *context, int32_t slot, struct object *object)
{
    ((struct object **)context)[slot] = object;
}

/*
 * Returns an Object[] of the frame's locals: references, words of primitives, and 0 for
 * a slot that holds nothing.  A long or double is in its second slot, as HotSpot has
 * it.  NULL with an exception pending.  references has the references by the number of
 * the local; count is max_locals, or 0 for a native method.
 */
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
        java_array_store(array, i,
                         kind == SLOT_REFERENCE ? references[i]
                                                : primitive_slot(self, value));
    }
    return exception_pending(self) ? NULL : array;
}

/*
 * Returns an Object[] of the frame's count operands; references[0] is the oldest one's,
 * and they go down.  NULL with an exception pending.  A slot without a reference is a
 * primitive's.
 */
static struct object *
operand_array(struct thread *self, struct object *const *references,
              const struct frame *f, int32_t count)
{
    struct object *array = java_new_array(self, KC(self->vm, Object), (size_t)count);
    const union slot *slots = frame_operands(f);

    for (int32_t i = 0; array && i < count; i++) {
        struct object *o = references[-i];
        if (!java_array_store(array, (size_t)i,
                              o ? o : primitive_slot(self, slots[i].j)))
            return NULL;
    }
    return array;
}

/* Returns an Object[] of the objects whose monitors the frame has entered. */
static struct object *
monitor_array(struct thread *self, const struct frame *f)
{
    size_t mark = self->handle_count;

    for (uint32_t i = 0; i < self->lock_count; i++)
        if (self->locks[i].frame == f)
            handle_new(self, self->locks[i].object);
    return array_from_handles(self, KC(self->vm, Object), mark);
}

/*
 * Sets the locals, operands and monitors of a LiveStackFrameInfo.  The arguments of the
 * call that the frame waits for are its callee's.  frame_visit_references has negative
 * numbers for operands, so base points into references behind the room for these.
 * False with an exception pending.
 */
static bool
set_live_values(struct thread *self, struct object *info, struct frame *f)
{
    const struct vm *vm = self->vm;
    const struct method_version *version = f->version;
    uint32_t local_count = version->info ? version->info->max_locals
                                         : 0; /* 0: native */
    struct object **references = mem_calloc(version->frame_slots + version->max_locals,
                                            sizeof *references);
    struct object **base = references + version->frame_slots;
    const struct frame *newer = self->top;

    while (newer && newer->caller != f)
        newer = newer->caller;
    int32_t depth = frame_visit_references(f, newer, store_reference, base);
    struct object *locals = local_array(self, base, f, local_count);
    struct object *operands = locals ? operand_array(self, base - 1, f, depth) : NULL;
    struct object *monitors = operands ? monitor_array(self, f) : NULL;
    mem_free(references);
    if (!monitors)
        return false;
    REF_FIELD(vm, info, LiveStackFrameInfo_locals) = locals;
    REF_FIELD(vm, info, LiveStackFrameInfo_operands) = operands;
    REF_FIELD(vm, info, LiveStackFrameInfo_monitors) = monitors;
    INT_FIELD(vm, info, LiveStackFrameInfo_mode) = 1; /* interpreted */
    return true;
}

/*
 * Sets the fields of a ClassFrameInfo of JDK 25: the class, or for a StackFrameInfo the
 * method, and the method's flags as MemberName has them.  False with an exception
 * pending.
 */
static bool
set_class_frame_info(struct thread *self, struct object *info, struct method *m,
                     bool is_method)
{
    const struct vm *vm = self->vm;
    struct object *what = m->class->layout.mirror;

    if (is_method && !(what = resolved_method_name(self, m)))
        return false;
    REF_FIELD(vm, info, ClassFrameInfo_classOrMemberName) = what;
    INT_FIELD(vm, info, ClassFrameInfo_flags) |= member_name_flags(m);
    return true;
}

/*
 * Sets a StackFrameInfo or LiveStackFrameInfo that Java has made, up to JDK 21 with an
 * empty MemberName.  False with an exception pending.  mode is a set of enum walk_mode.
 * The frame's version is stored for JVM_InitStackTraceElement; the name keeps its
 * class.
 */
static bool
set_frame_info(struct thread *self, struct object *info, struct frame *f, jint mode)
{
    const struct vm *vm = self->vm;
    struct method *m = f->version->method;
    HANDLE_SCOPE(self);

    handle_new(self, info);
    if (KF(vm, ClassFrameInfo_flags)
            ? !set_class_frame_info(self, info, m, true)
            : !member_name_fill(self, REF_FIELD(vm, info, StackFrameInfo_memberName),
                                m))
        return false;
    INT_FIELD(vm, info, StackFrameInfo_bci) = method_is_native(f->version->method)
                                                  ? 0
                                                  : frame_bci(f);
    LONG_FIELD(vm, info, StackFrameInfo_version) = (int64_t)(uintptr_t)f->version;
    return !(mode & WALK_LIVE_FRAMES) || set_live_values(self, info, f);
}

/*
 * Lets element number i of the buffer stand for the class of m, for a walk that asks for
 * no more.  False with an exception pending.
 */
static bool
set_class(struct thread *self, struct object *buffer, jint i, struct method *m)
{
    if (KF(self->vm, ClassFrameInfo_flags))
        return set_class_frame_info(self, ARRAY_REFS(buffer)[i], m, false);
    ARRAY_REFS(buffer)[i] = m->class->layout.mirror;
    return true;
}

/* ---- batches ---- */

/*
 * StackWalker.getCallerClass may not be called from a caller-sensitive method, since it
 * would find that method's caller's caller.  False with UnsupportedOperationException
 * pending.  m is the method of the first frame of a batch.
 */
static bool
check_caller_sensitive(struct thread *self, const struct method *m, jint mode)
{
    if (!(mode & WALK_CALLER_CLASS) || !(mode & WALK_CLASSES_ONLY)
        || !(m->flags & METHOD_CALLER_SENSITIVE))
        return true;
    return THROW(self, UnsupportedOperationException,
                 "StackWalker::getCallerClass "
                 "called from @CallerSensitive '%pM' method",
                 m);
}

/*
 * Returns f or the next older frame that the mode shows: hidden ones, of lambda forms
 * and the like, only on request.
 */
static struct frame *
skip_hidden(struct frame *f, jint mode)
{
    bool all = (mode & WALK_HIDDEN_FRAMES) && !(mode & WALK_CALLER_CLASS);

    while (f && !all && (f->version->method->flags & METHOD_HIDDEN))
        f = frame_older(f);
    return f;
}

/*
 * Stores up to count frames in the buffer, from index start on.  Returns the index
 * behind the last, or -1 with an exception pending.  w->frame is the one that was
 * handed out last, once w->started is true, so a batch begins with the one behind it.
 * The frames that are left over stay for the next batch.
 */
static jint
fill_batch(struct thread *self, struct walk *w, jint mode, jint count, jint start,
           struct object *buffer)
{
    jint end = start;

    while (end - start < count) {
        if (w->started && w->frame)
            w->frame = frame_older(w->frame);
        w->frame = skip_hidden(w->frame, mode);
        w->started = true;
        if (!w->frame)
            break;
        if (end == start
            && !check_caller_sensitive(self, w->frame->version->method, mode))
            return -1;
        if (!(mode & WALK_CLASSES_ONLY)
                ? !set_frame_info(self, ARRAY_REFS(buffer)[end], w->frame, mode)
                : !set_class(self, buffer, end, w->frame->version->method))
            return -1;
        end++;
    }
    return end;
}

/* ---- the walk ---- */

/* Returns the walk of self with that anchor, which Java has from call_stack_walk; NULL if
   there is none. */
static struct walk *
walk_of_anchor(const struct thread *self, jlong anchor)
{
    struct walk *w = self->jdk;

    while (w && w != (struct walk *)(uintptr_t)anchor)
        w = w->previous;
    return w;
}

/* Returns the newest frame of a method in an unmounted continuation, or NULL.  The caller's
   Java code keeps it from being mounted (Continuation.wrapWalk). */
static struct frame *
top_of_continuation(const struct vm *vm, const struct object *object)
{
    const struct continuation *c = continuation_of(vm, object);
    struct frame *f = c && !c->thread ? c->saved.top : NULL;

    while (f && frame_is_entry(f))
        f = f->caller;
    return f;
}

/*
 * Returns true if c is one of the classes that do the walk, whose frames are left out.
 */
static bool
is_walker(const struct vm *vm, const struct class *c)
{
    const struct class *abstract = KC(vm, AbstractStackWalker);

    return c == KC(vm, StackWalker) || c == abstract || c->super == abstract;
}

/*
 * Walks for AbstractStackWalker.callStackWalk: returns what doStackWalk returns.  stream
 * is the AbstractStackWalker; skip is how many frames to leave out first, count how many
 * to fetch for the first batch, and start where in the buffer that begins.  With count 0
 * nothing is fetched here; otherwise fetching nothing is an error, since the caller of
 * the walk has a frame.  In args the anchor, a long, takes two slots, the second of
 * which is unused.
 */
static jobject
call_stack_walk(JNIEnv *env, jobject stream, jint mode, jint skip, jobject continuation,
                jint count, jint start, jobjectArray frames)
{
    VM_ENTRY(env);
    struct object *buffer = ref_get(frames), *unmounted = ref_get(continuation);
    struct walk w = { .previous = self->jdk,
                      .frame = unmounted ? top_of_continuation(self->vm, unmounted)
                                         : thread_top_frame(self) };
    union slot result = { .ref = NULL };
    jint end = start;

    if (!buffer)
        return THROW(self, NullPointerException, "frames_array is NULL");
    while (!unmounted && w.frame
           && is_walker(self->vm, w.frame->version->method->class))
        w.frame = frame_older(w.frame);
    for (jint i = 0; i < skip && w.frame; i++)
        w.frame = frame_older(w.frame);
    if (count > 0 && (end = fill_batch(self, &w, mode, count, start, buffer)) <= start)
        return end < start ? NULL
                           : THROW(self, InternalError, "stack walk: decode failed");
    union slot args[] = { { .ref = ref_get(stream) },
                          { .j = (int64_t)(uintptr_t)&w },
                          { 0 },
                          { .i = skip },
                          { .i = end - start },
                          { .i = start },
                          { .i = end } };
    self->jdk = &w;
    ARRAY_REFS(buffer)[0] = self->current;
    bool done = java_call(self, KM(self->vm, AbstractStackWalker_doStackWalk), args,
                          &result);
    ARRAY_REFS(buffer)[0] = NULL;
    self->jdk = w.previous;
    return done ? object_ref(self, result.ref) : NULL;
}

/*
 * AbstractStackWalker.callStackWalk.  The arguments are those of JDK 21 and later: scope
 * and continuation say where else than on this thread's stack to walk, which only a VM
 * with continuations is asked for.  In the call of JDK 17 these two are missing, so that
 * what follows them comes in their places: count and start, and the buffer of frames
 * where count should be.  All are as wide as a pointer here; the class library's
 * signatures of the mode differ, too, but it is a small number.  As of JDK 25 count is
 * the length of the buffer, which the part in front of start belongs to.
 */
JNIEXPORT jobject JNICALL
JVM_CallStackWalk(JNIEnv *env, jobject stream, jint mode, jint skip, intptr_t scope,
                  intptr_t continuation, intptr_t count, jint start,
                  jobjectArray frames)
{
    if (!KM(env_thread(env)->vm, AbstractStackWalker_setContinuation))
        return call_stack_walk(env, stream, mode, skip, NULL, (jint)scope,
                               (jint)continuation, (jobjectArray)count);
    if (KF(env_thread(env)->vm, ClassFrameInfo_flags))
        count -= start;
    return call_stack_walk(env, stream, mode, skip, (jobject)continuation, (jint)count,
                           start, frames);
}

/*
 * AbstractStackWalker.setContinuation: the walk of unmounted continuations goes on in the
 * one that the one at hand was called from.
 */
JNIEXPORT void JNICALL
JVM_SetStackWalkContinuation(JNIEnv *env, jobject stream UNUSED, jlong anchor,
                             jobjectArray frames UNUSED, jobject continuation)
{
    VM_ENTRY(env);
    struct walk *w = walk_of_anchor(self, anchor);

    if (!w || !continuation)
        THROW(self, InternalError, "doStackWalk: corrupted buffers");
    else
        *w = (struct walk){ w->previous,
                            top_of_continuation(self->vm, ref_get(continuation)),
                            false };
}

/*
 * StackFrameInfo.expandStackFrameInfo of JDK 25: sets the method's name and descriptor,
 * unless they are set.
 */
JNIEXPORT void JNICALL
JVM_ExpandStackFrameInfo(JNIEnv *env, jobject frame_info)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    struct object *info = ref_get(frame_info);
    const struct object *name = REF_FIELD(vm, info, ClassFrameInfo_classOrMemberName);
    const struct method *m = OBJECT_FIELD(struct method *, name,
                                          KF(vm, ResolvedMethodName_vmtarget));
    struct object *s;

    if (!REF_FIELD(vm, info, StackFrameInfo_name)) {
        if (!(s = string_intern_symbol(self, m->name)))
            return;
        REF_FIELD(vm, info, StackFrameInfo_name) = s;
    }
    if (!REF_FIELD(vm, info, StackFrameInfo_type)) {
        if (!(s = string_from_symbol(self, m->descriptor)))
            return;
        REF_FIELD(vm, info, StackFrameInfo_type) = s;
    }
}

/*
 * Fills the next batch for AbstractStackWalker.fetchStackFrames, and returns the index
 * behind the last; 0 with an exception pending.
 */
static jint
more_stack_walk(JNIEnv *env, jint mode, jlong anchor, jint count, jint start,
                jobjectArray frames)
{
    VM_ENTRY(env);
    struct object *buffer = ref_get(frames);
    struct walk *w = walk_of_anchor(self, anchor);

    if (!w || !buffer || ARRAY_REFS(buffer)[0] != self->current) {
        THROW(self, InternalError, "doStackWalk: corrupted buffers");
        return 0;
    }
    jint end = fill_batch(self, w, mode, count, start, buffer);
    return end < 0 ? 0 : end;
}

/*
 * AbstractStackWalker.fetchStackFrames of JDK 25, which also tells how many frames the
 * last batch had; that is missing in the call of the others, so that there, as in
 * JVM_CallStackWalk, each of the following arguments comes one place earlier.  25 gets
 * the number of frames, the others the index behind the last; and its count is the
 * length of the buffer.
 */
JNIEXPORT jint JNICALL
JVM_MoreStackWalk(JNIEnv *env, jobject stream UNUSED, jint mode, jlong anchor,
                  jint last_count, intptr_t count, intptr_t start, jobjectArray frames)
{
    if (!KF(env_thread(env)->vm, ClassFrameInfo_flags))
        return more_stack_walk(env, mode, anchor, last_count, (jint)count,
                               (jobjectArray)start);
    jint end = more_stack_walk(env, mode, anchor, (jint)(count - start), (jint)start,
                               frames);
    return end < (jint)start ? 0 : end - (jint)start;
}
