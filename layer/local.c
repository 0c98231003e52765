/* SPDX-License-Identifier: MIT */
/*
 * layer/local.c -- rules about local references and the callback that they belong to (JNI
 * "Global and Local References").
 *
 * A local reference ends with its callback, and the VM uses its place again: an agent
 * that kept one has a good reference then, to another object.  So what each callback was
 * given is kept, by the callback's arguments and the results of calls, and also what the
 * thread's last callbacks were given.  A reference that is among these and not among
 * those was kept.
 *
 * While a call of the agent is under way, Java and native methods may run, whose
 * references nobody sees: the agent may use them then, and nothing is said.
 */
#include <limits.h>
#include <string.h>

#include "layer/check.h"

/* Native code may make so many without EnsureLocalCapacity. */
#define ENSURED 16
/* A thread that has got so many more than it has deleted does not care. */
#define GROWN 256
/* Arguments of a thread's first callbacks of each event, and later of one in so many, are
   moved by up to so many places; of the others by one more each second time. */
#define MOVED_FIRST 128
#define MOVED_EACH 64
#define MOVES 6

/* ---- facts, made once ---- */

bool
local_is_reference(const char *type)
{
    static const char *const types[] = { "jobject", "jclass", "jthrowable", "jstring",
                                         "jweak", "jthread", "jthreadGroup" };
    size_t length = strlen(type);

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i], type) == 0)
            return true;
    return length > 5 && type[0] == 'j' && strcmp(type + length - 5, "Array") == 0;
}

/* A bit for each argument of an event, and for each result of a function, that is a
   reference; and for each that is an array of them. */
static unsigned char event_args[INTERPOSE_EVENT_COUNT];
static unsigned char results[INTERPOSE_FUNCTION_COUNT], arrays[INTERPOSE_FUNCTION_COUNT];

/* Is it the type and so many asterisks? */
static bool
points_to_reference(const char *type, size_t stars)
{
    char name[32];
    size_t length = strcspn(type, "*");

    if (strlen(type + length) != stars || length >= sizeof name)
        return false;
    memcpy(name, type, length);
    name[length] = '\0';
    return local_is_reference(name);
}

void
local_start(void)
{
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        for (int k = 0; k < interpose_events[i].count; k++)
            if (local_is_reference(interpose_events[i].params[k].type))
                event_args[i] |= (unsigned char)(1u << k);
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        for (int k = 0; k < interpose_functions[i].count; k++) {
            const struct interpose_param *p = &interpose_functions[i].params[k];

            if (p->is_out && points_to_reference(p->type, 1))
                results[i] |= (unsigned char)(1u << k);
            if (p->is_allocated && p->count_arg >= 0 && points_to_reference(p->type, 2))
                arrays[i] |= (unsigned char)(1u << k);
        }
}

/* ---- what a callback was given ---- */

static struct local_frame *
top(struct check_thread *thread)
{
    return thread->depth <= LOCAL_FRAMES ? &thread->locals[thread->depth] : NULL;
}

static void
give(struct check_thread *thread, void *reference)
{
    struct local_frame *frame = top(thread);

    if (frame != NULL && reference != NULL)
        frame->given++;
    if (frame == NULL || reference == NULL || thread->depth == 0)
        return;
    for (int i = 0; i < LOCAL_GONE; i++)
        if (thread->gone[i].reference == reference)
            thread->gone[i].reference = NULL;
    if (frame->count == LOCAL_REFERENCES)
        frame->is_full = true;
    else
        __atomic_store_n(&frame->references[frame->count++], reference, __ATOMIC_RELAXED);
}

static bool
is_among(void *const *references, int count, const void *reference)
{
    for (int i = 0; i < count; i++)
        if (__atomic_load_n(&references[i], __ATOMIC_RELAXED) == reference)
            return true;
    return false;
}

/* Was it given to a callback that is running? */
static bool
is_current(const struct check_thread *thread, const void *reference)
{
    for (int i = thread->depth; i > 0; i--)
        if (thread->locals[i].is_full
            || is_among(thread->locals[i].references, thread->locals[i].count, reference))
            return true;
    return false;
}

/* The VM gives the same places to the arguments of each callback.  So that one that was
   kept is told from a new one, the agent gets copies, each time behind another number of
   references that it does not know.  That costs time: of the later callbacks of an event
   about half get what the VM gave, in an order that does not repeat itself as the events
   of a program do. */
static void
move_arguments(const struct interpose_event *event, unsigned args)
{
    struct check_thread *thread = event->thread->state;
    JNIEnv *jni = event->jni != NULL ? event->thread->jni.real : NULL;
    void *first = NULL;
    unsigned number, places = 0;

    if (jni == NULL || args == 0 || check_phase() != JVMTI_PHASE_LIVE)
        return;
    number = thread->callbacks[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL]++;
    thread->all_callbacks++;
    if (number < MOVED_FIRST || number % MOVED_EACH == 0)
        places = thread->all_callbacks % MOVES;
    else if (__builtin_parity(thread->all_callbacks) == 0)
        return;
    for (int i = 0; args >> i != 0; i++)
        if ((args & 1u << i) && event->args[i].p != NULL)
            first = event->args[i].p;
    if (first == NULL)
        return;
    for (unsigned i = 0; i < places; i++)
        (*jni)->NewLocalRef(jni, first);
    for (int i = 0; args >> i != 0; i++)
        if ((args & 1u << i) && event->args[i].p != NULL)
            event->args[i].p = (*jni)->NewLocalRef(jni, event->args[i].p);
}

void
local_event_begin(const struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    unsigned args = event_args[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL];
    struct local_frame *frame;

    thread->depth++;
    frame = top(thread);
    if (frame == NULL)
        return;
    frame->count = frame->made = frame->pushed = frame->calls = 0;
    frame->given = frame->most = 0;
    frame->ensured = ENSURED;
    frame->is_full = false;
    move_arguments(event, args);
    for (int i = 0; args != 0; i++, args >>= 1)
        if (args & 1)
            give(thread, event->args[i].p);
}

void
local_event_end(const struct interpose_event *event)
{
    struct check_thread *thread = event->thread->state;
    struct local_frame *frame = top(thread);

    if (frame != NULL && frame->pushed > 0)
        check_found_at(RULE_REFERENCE_FRAME_LEFT, event->facts->name, NULL, 1,
                       "the callback of %s returns without PopLocalFrame for a "
                       "PushLocalFrame", event->facts->name);
    for (int i = 0; frame != NULL && i < frame->count; i++)
        if (!is_among(thread->past, LOCAL_PAST, frame->references[i])) {
            __atomic_store_n(&thread->past[thread->next_past], frame->references[i],
                             __ATOMIC_RELAXED);
            thread->next_past = (thread->next_past + 1) % LOCAL_PAST;
        }
    thread->depth--;
}

/* ---- what calls give ---- */

/* The references in structures, which the facts do not tell of (JVM TI: each one's
   description). */
static void
give_fields(struct check_thread *thread, const struct interpose_call *call)
{
    const union interpose_arg *args = call->args;

    switch (call->function) {
    case INTERPOSE_GetThreadInfo:
        give(thread, ((jvmtiThreadInfo *)args[1].p)->thread_group);
        give(thread, ((jvmtiThreadInfo *)args[1].p)->context_class_loader);
        break;
    case INTERPOSE_GetThreadGroupInfo:
        give(thread, ((jvmtiThreadGroupInfo *)args[1].p)->parent);
        break;
    case INTERPOSE_GetObjectMonitorUsage: {
        const jvmtiMonitorUsage *usage = args[1].p;

        give(thread, usage->owner);
        for (jint i = 0; i < usage->waiter_count; i++)
            give(thread, usage->waiters[i]);
        for (jint i = 0; i < usage->notify_waiter_count; i++)
            give(thread, usage->notify_waiters[i]);
        break;
    }
    case INTERPOSE_GetOwnedMonitorStackDepthInfo:
        for (jint i = 0; i < *(jint *)args[1].p; i++)
            give(thread, (*(jvmtiMonitorStackDepthInfo **)args[2].p)[i].monitor);
        break;
    case INTERPOSE_GetAllStackTraces:
        for (jint i = 0; i < *(jint *)args[2].p; i++)
            give(thread, (*(jvmtiStackInfo **)args[1].p)[i].thread);
        break;
    case INTERPOSE_GetThreadListStackTraces:
        for (jint i = 0; i < args[0].i; i++)
            give(thread, (*(jvmtiStackInfo **)args[3].p)[i].thread);
        break;
    default:
        break;
    }
}

void
local_call_begin(struct check_thread *thread)
{
    struct local_frame *frame = top(thread);

    if (frame != NULL)
        frame->calls++;
}

static void
call_ends(struct check_thread *thread)
{
    struct local_frame *frame = top(thread);

    if (frame != NULL)
        frame->calls--;
}

/* A thread of the agent's never returns, so that what it does not delete is kept.  One
   call may give very many, which it is about to delete one after the other. */
static void
check_growth(const struct interpose_thread *thread, struct local_frame *frame, int given,
             const char *function)
{
    const struct check_thread *state = thread->state;

    if (given > frame->most)
        frame->most = given;
    if (given == 0 || state->depth > 0
        || (!thread->is_agent_thread && !state->is_attached_by_agent)
        || frame->given - frame->most <= GROWN)
        return;
    check_found(RULE_REFERENCE_LOCAL_GROWTH, function,
                "a thread of the agent's has got %d local references and not deleted them",
                frame->given);
    frame->given = INT_MIN / 2;
}

void
local_call_end(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_thread *thread = call->thread->state;
    struct local_frame *frame = top(thread);
    int before = frame != NULL ? frame->given : 0;

    call_ends(thread);
    if (call->error != JVMTI_ERROR_NONE || !call->is_made
        || (thread->depth == 0 && !call->thread->is_agent_thread
            && !thread->is_attached_by_agent))
        return;
    for (int i = 0; i < f->count; i++)
        if (call->args[i].p == NULL)
            continue;
        else if (results[call->function] & 1u << i)
            give(thread, *(void **)call->args[i].p);
        else if (arrays[call->function] & 1u << i)
            for (jint k = 0; k < *(jint *)call->args[f->params[i].count_arg].p; k++)
                give(thread, (*(void ***)call->args[i].p)[k]);
    give_fields(thread, call);
    if (frame != NULL)
        check_growth(call->thread, frame, frame->given - before, f->name);
}

/* ---- how many there are ---- */

static void
count_local(const struct interpose_jni_call *call, struct local_frame *frame)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];

    switch (call->function) {
    case INTERPOSE_JNI_DeleteLocalRef:
        frame->made -= frame->made > 0 && call->args[0].p != NULL;
        frame->given -= frame->given > 0 && call->args[0].p != NULL;
        return;
    case INTERPOSE_JNI_EnsureLocalCapacity:
        if (call->result.i == JNI_OK && frame->made + call->args[0].i > frame->ensured)
            frame->ensured = frame->made + call->args[0].i;
        return;
    case INTERPOSE_JNI_PushLocalFrame:
        if (call->result.i != JNI_OK)
            return;
        if (frame->pushed < LOCAL_PUSHED) {
            frame->before[frame->pushed].made = frame->made;
            frame->before[frame->pushed].ensured = frame->ensured;
            frame->before[frame->pushed].given = frame->given;
        }
        frame->pushed++;
        frame->ensured = frame->made + call->args[0].i;
        return;
    case INTERPOSE_JNI_PopLocalFrame:
        frame->pushed -= frame->pushed > 0;
        if (frame->pushed < LOCAL_PUSHED) {
            frame->made = frame->before[frame->pushed].made;
            frame->ensured = frame->before[frame->pushed].ensured;
            frame->given = frame->before[frame->pushed].given;
        }
        break;
    default:
        break;
    }
    if (!f->gives_local || call->result.p == NULL || ++frame->made <= frame->ensured)
        return;
    check_found(RULE_REFERENCE_LOCAL_OVERFLOW, f->name,
                "there are %d local references that the agent made, and capacity for %d "
                "is ensured", frame->made, frame->ensured);
    /* Told once. */
    frame->ensured = 1 << 30;
}

void
local_jni_end(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct check_thread *thread = call->thread->state;
    struct local_frame *frame = top(thread);

    call_ends(thread);
    if (frame == NULL)
        return;
    /* Outside of callbacks those of native methods would be counted, too. */
    if (thread->depth > 0 || thread->is_attached_by_agent || call->thread->is_agent_thread)
        count_local(call, frame);
    if (f->gives_local) {
        give(thread, call->result.p);
        check_growth(call->thread, frame, call->result.p != NULL, f->name);
    }
}

void
local_reset(struct check_thread *thread)
{
    thread->locals[0] = (struct local_frame){ .ensured = ENSURED };
}

/* ---- use ---- */

void
local_deleted(struct check_thread *thread, void *reference, void *caller)
{
    thread->gone[thread->next_gone].reference = reference;
    thread->gone[thread->next_gone].caller = caller;
    thread->next_gone = (thread->next_gone + 1) % LOCAL_GONE;
}

/* Which other thread's callbacks had it?  Those go on meanwhile. */
struct owner {
    const struct check_thread *self;
    const void *reference;
    bool is_found;
};

static void
look_at(struct interpose_thread *thread, void *data)
{
    const struct check_thread *state = thread->state;
    struct owner *owner = data;

    if (state == owner->self)
        return;
    if (is_among(state->past, LOCAL_PAST, owner->reference))
        owner->is_found = true;
    for (int i = 1; i <= LOCAL_FRAMES; i++)
        if (is_among(state->locals[i].references, LOCAL_REFERENCES, owner->reference))
            owner->is_found = true;
}

enum local_fate
local_fate_of(const struct check_thread *thread, const void *reference, void **caller)
{
    struct owner owner = { thread, reference, false };

    *caller = NULL;
    for (int i = 0; i < LOCAL_GONE; i++)
        if (thread->gone[i].reference == reference) {
            *caller = thread->gone[i].caller;
            return LOCAL_DELETED;
        }
    if (is_among(thread->past, LOCAL_PAST, reference))
        return LOCAL_RETURNED;
    interpose_each_thread(look_at, &owner);
    return owner.is_found ? LOCAL_FOREIGN : LOCAL_UNKNOWN;
}

bool
local_was_kept(const struct check_thread *thread, const void *reference)
{
    return thread->depth > 0 && thread->depth <= LOCAL_FRAMES
        && thread->locals[thread->depth].calls <= 1
        && is_among(thread->past, LOCAL_PAST, reference)
        && !is_current(thread, reference);
}
