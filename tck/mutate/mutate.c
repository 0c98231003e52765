/* SPDX-License-Identifier: MIT */
#include "tck/mutate/answer.h"
#include "tck/mutate/input.h"
#include "tck/mutate/members.h"
#include "tck/mutate/mutate.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static JavaVM *mutate_vm;

/* Of the interposition's functions and events, the index in the kit's tables; -1 for none. */
static int function_index[INTERPOSE_FUNCTION_COUNT], event_index[INTERPOSE_EVENT_COUNT];

static struct {
    /* Those of functions, then those of events. */
    enum { WRONG, MISSING, CONFUSED, REFUSED, IN, NARROW, OUT, STUCK, LAST, ORDER, LONGER,
           SWALLOWED, FEWER, MEMBER, HIDES, CALLBACK, LACKS,
           DROPPED, DOUBLED, SPARSE, UNDISABLED, WIDENED, UNHEARD, ARG, OTHER,
           RECORD } kind;
    int subject;          /* index of the function or event */
    jvmtiError error, other;
    unsigned phase;       /* where the function is refused */
    int arg;
    int member;           /* index in mutate_members */
    int cap;
    jvmtiCapabilities lacked;
    char callback[32], change[32];
} fault = { .subject = -1 };

static char log_path[4096], group[64];

/* What has been recorded. */
static struct {
    bool called, out[TCK_MAX_ARGS], error[JVMTI_ERROR_MAX + 1];
} seen_functions[256];
static bool seen_events[JVMTI_MAX_EVENT_TYPE_VAL + 1];

/* Are there many faults at once?  Then this is what each function tells instead of an
   error. */
static bool is_many;
static struct {
    bool changed[JVMTI_ERROR_MAX + 1];
    jvmtiError answer[JVMTI_ERROR_MAX + 1];
} answers_of[256];

/* Async-signal-safe and callback-safe, once. */
void
mutate_reached(void)
{
    static int done;

    if (!__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST))
        close(open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
}

/* Write a line for what came for the first time. */
static void
record(bool *seen, const char *subject, const char *what)
{
    char line[200];
    int fd, length;

    if (__atomic_exchange_n(seen, true, __ATOMIC_RELAXED))
        return;
    length = snprintf(line, sizeof line, "%s %s.%s\n", group, subject, what);
    fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (write(fd, line, (size_t)length) != length)
        fprintf(stderr, "tckmutate: cannot write '%s'\n", log_path);
    close(fd);
}

/* Is the call with this function to be left out? */
static bool
swallows(int function)
{
    if (fault.kind != SWALLOWED || fault.subject != function)
        return false;
    mutate_reached();
    return true;
}

/* Where in a structure the change is made: a member that has one right value. */
static size_t
member_offset(const char *type)
{
    static const struct { const char *type; size_t offset; } members[] = {
        { "jvmtiTimerInfo*", offsetof(jvmtiTimerInfo, kind) },
        { "jvmtiThreadInfo*", offsetof(jvmtiThreadInfo, priority) },
        { "jvmtiThreadGroupInfo*", offsetof(jvmtiThreadGroupInfo, max_priority) },
        { "jvmtiMonitorUsage*", offsetof(jvmtiMonitorUsage, entry_count) },
        { "jvmtiFrameInfo*", offsetof(jvmtiFrameInfo, location) },
        { "jniNativeInterface**", offsetof(jniNativeInterface, GetVersion) }
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].type, type) == 0)
            return members[i].offset;
    return 0;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);

    return a > b && strcmp(text + a - b, end) == 0;
}

static bool
is_reference(const char *type)
{
    return strcmp(type, "jobject*") == 0 || strcmp(type, "jclass*") == 0
        || strcmp(type, "jthread*") == 0 || strcmp(type, "jmethodID*") == 0
        || strcmp(type, "jrawMonitorID*") == 0;
}

/* Did something come out that can be changed?  New memory has no contents yet. */
static bool
changeable(const struct tck_param *p, void *where)
{
    if (where == NULL)
        return false;
    if (strcmp(p->name, "mem_ptr") == 0 || strcmp(p->type, "void**") == 0)
        return true;
    if (ends_with(p->type, "**"))
        return *(char **)where != NULL
            && (strncmp(p->type, "char", 4) != 0 || **(char **)where != '\0');
    return !is_reference(p->type) || *(void **)where != NULL;
}

/* In memory that was allocated for the result. */
static void
change_memory(const char *type, char *memory)
{
    memory += member_offset(type);
    if (strcmp(type, "jlong**") == 0 || strncmp(type, "char", 4) == 0
        || strncmp(type, "unsigned", 8) == 0 || *(jlong *)memory == 0)
        *memory ^= 1;
    else
        memset(memory, 0, sizeof(void *));
}

static void
change(const struct tck_param *p, void *where)
{
    const char *type = p->type;

    if (strcmp(p->name, "mem_ptr") == 0 || is_reference(type))
        *(void **)where = NULL;
    else if (strcmp(type, "void**") == 0)
        *(char **)where += 8;
    else if (ends_with(type, "**"))
        change_memory(type, *(char **)where);
    /* A nanosecond more would be as true: another unit is not. */
    else if (strcmp(p->name, "nanos_ptr") == 0)
        *(jlong *)where /= 1000;
    /* The micro version is the VM's own affair, the major one is not. */
    else if (strcmp(p->name, "version_ptr") == 0)
        *(jint *)where += 1 << JVMTI_VERSION_SHIFT_MAJOR;
    else if (strcmp(type, "jint*") == 0)
        ++*(jint *)where;
    else if (strcmp(type, "jlong*") == 0 || strcmp(type, "jlocation*") == 0)
        ++*(jlong *)where;
    else if (strcmp(type, "jfloat*") == 0)
        *(jfloat *)where += 1;
    else if (strcmp(type, "jdouble*") == 0)
        *(jdouble *)where += 1;
    else
        ((char *)where)[member_offset(type)] ^= 1;
}

/* A member of the structure, or of the first of an array; false: there is none. */
static bool
change_member(const struct tck_param *p, void *where)
{
    char *memory = ends_with(p->type, "**") ? *(char **)where : where;
    jvmtiFrameInfo *frames;

    memory += mutate_members[fault.member].offset;
    switch (mutate_members[fault.member].kind) {
    case MUTATE_POINTER:
        if (*(void **)memory == NULL)
            return false;
        *(void **)memory = NULL;
        return true;
    case MUTATE_BOOLEAN:
        *(jboolean *)memory ^= 1;
        return true;
    case MUTATE_INT:
        ++*(jint *)memory;
        return true;
    case MUTATE_FEWER:
        return *(jint *)memory > 0 && (*(jint *)memory)-- > 0;
    case MUTATE_LONG:
        ++*(jlong *)memory;
        return true;
    case MUTATE_ZERO:
        *(jlong *)memory = 0;
        return true;
    case MUTATE_FRAME_METHOD:
    case MUTATE_FRAME_LOCATION:
        frames = *(jvmtiFrameInfo **)memory;
        if (frames == NULL || ((jint *)memory)[sizeof(void *) / sizeof(jint)] == 0)
            return false;
        if (mutate_members[fault.member].kind == MUTATE_FRAME_METHOD)
            frames[0].method = NULL;
        else
            frames[0].location++;
        return true;
    }
    return false;
}

/* What came out of a call that succeeded; false: there was nothing to change. */
static bool
change_result(const struct tck_param *p, void *where)
{
    if (!changeable(p, where))
        return false;
    switch (fault.kind) {
    case OUT:
        change(p, where);
        return true;
    case FEWER:
        return *(jint *)where > 0 && (*(jint *)where)-- > 0;
    case HIDES:
        if (!tck_cap_get(where, fault.cap))
            return false;
        tck_cap_set(where, fault.cap, false);
        return true;
    default:
        return change_member(p, where);
    }
}

static const char *
error_name(jvmtiError error)
{
    for (int i = 0; i < tck_error_count; i++)
        if (tck_errors[i].number == error)
            return tck_errors[i].name;
    return NULL;
}

static void
record_call(int function, const union interpose_arg *args, jvmtiError error)
{
    const struct tck_function *f = &tck_functions[function];

    record(&seen_functions[function].called, f->name, "called");
    if (error != JVMTI_ERROR_NONE) {
        if (error_name(error) != NULL)
            record(&seen_functions[function].error[error], f->name, error_name(error));
        return;
    }
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i].out && changeable(&f->params[i], args[i].p))
            record(&seen_functions[function].out[i], f->name, f->params[i].name);
}

/* What came out of a call that succeeded, by what other calls or elements gave. */
static void
change_answer(struct interpose_call *call, const struct tck_param *param)
{
    static const enum mutate_answer answers[] = {
        [STUCK] = MUTATE_STUCK, [LAST] = MUTATE_LAST, [ORDER] = MUTATE_ORDER,
        [LONGER] = MUTATE_LONGER
    };

    if (fault.kind == NARROW)
        mutate_narrow(call->args[fault.arg].p);
    else
        mutate_answer(call, param, fault.arg, answers[fault.kind]);
}

static jvmtiError
answer_to_error(void)
{
    return fault.kind == WRONG ? JVMTI_ERROR_INTERNAL
        : fault.kind == MISSING ? JVMTI_ERROR_NONE : fault.other;
}

/* One of many faults, which the log then names by function and error. */
static jvmtiError
one_of_many(int function, jvmtiError error)
{
    if (error > JVMTI_ERROR_MAX || !answers_of[function].changed[error])
        return error;
    record(&seen_functions[function].error[error], tck_functions[function].name,
           error_name(error));
    return answers_of[function].answer[error];
}

/* What the agent is told instead of error; may change what came out. */
static jvmtiError
result(struct interpose_call *call, int function, jvmtiError error)
{
    const union interpose_arg *args = call->args;
    const struct tck_param *param = &tck_functions[function].params[fault.arg];

    if (fault.kind == RECORD)
        record_call(function, args, error);
    if (is_many)
        return one_of_many(function, error);
    if (function != fault.subject || fault.kind >= DROPPED)
        return error;
    switch (fault.kind) {
    case WRONG:
    case MISSING:
    case CONFUSED:
        if (error != fault.error)
            return error;
        mutate_reached();
        return answer_to_error();
    case OUT:
    case FEWER:
    case MEMBER:
    case HIDES:
        if (error == JVMTI_ERROR_NONE
            && change_result(param, args[fault.arg].p))
            mutate_reached();
        return error;
    case NARROW:
    case STUCK:
    case LAST:
    case ORDER:
    case LONGER:
        if (error == JVMTI_ERROR_NONE && param->out)
            change_answer(call, param);
        return error;
    default:
        return error;
    }
}

/* -- events -- */

/* How often an event is told that came once. */
static int
copies_of(int event)
{
    static atomic_int sent;

    if (fault.kind == RECORD) {
        record(&seen_events[event], tck_events[event].name, "sent");
        return 1;
    }
    if (fault.kind >= UNDISABLED || (fault.kind == SPARSE && ++sent % 2 != 0))
        return 1;
    mutate_reached();
    return fault.kind == DOUBLED ? 2 : 0;
}

/* Another thread than this one; NULL before the live phase. */
static jthread
other_thread(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    jthread *threads = NULL, other = NULL;
    jint count = 0;

    (*env)->GetAllThreads(env, &count, &threads);
    for (jint i = 0; i < count && other == NULL; i++)
        if (!(*jni)->IsSameObject(jni, threads[i], thread))
            other = threads[i];
    (*env)->Deallocate(env, (unsigned char *)threads);
    return other;
}

/* Something of the type that is not what came; false: there is no other. */
static bool
change_to_other(jvmtiEnv *env, const char *type, void *where)
{
    JNIEnv *jni = NULL;
    JavaVM *vm = mutate_vm;
    jclass k;

    if (*(void **)where == NULL || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) != 0)
        return false;
    if (strcmp(type, "jthread") == 0) {
        *(jthread *)where = other_thread(env, jni, *(jthread *)where);
        return true;
    }
    k = (*jni)->FindClass(jni, "java/lang/Object");
    if (strcmp(type, "jmethodID") == 0)
        *(jmethodID *)where = (*jni)->GetMethodID(jni, k, "hashCode", "()I");
    else
        *(jobject *)where = k;
    return true;
}

/* A number is one more, a text begins later, a reference is NULL. */
static bool
change_argument(const char *type, void *where)
{
    if (strcmp(type, "jboolean") == 0 || strcmp(type, "char") == 0)
        *(char *)where ^= 1;
    else if (strcmp(type, "jint") == 0)
        ++*(jint *)where;
    else if (strcmp(type, "jlong") == 0 || strcmp(type, "jlocation") == 0
             || strcmp(type, "jvalue") == 0)
        ++*(jlong *)where;
    else if (*(void **)where == NULL)
        return false;
    else if (strstr(type, "Map") == NULL && strchr(type, '*') != NULL)
        ++*(char **)where;
    else
        *(void **)where = NULL;
    return true;
}

/* The position of the fault's parameter in the callback, behind the environments. */
static int
position_in(const struct interpose_event_facts *facts)
{
    const char *name = tck_events[fault.subject].params[fault.arg].name;

    for (int i = 0; i < facts->count; i++)
        if (strcmp(facts->params[i].name, name) == 0)
            return i;
    return -1;
}

static void
change_event(const struct interpose_event *event)
{
    int i = position_in(event->facts);
    const char *type;
    void *where;

    if (i < 0)
        return;
    type = event->facts->params[i].type;
    /* Of a jvalue there is the address. */
    where = strcmp(type, "jvalue") == 0 ? event->args[i].p : &event->args[i];
    if (fault.kind == ARG ? change_argument(type, where)
                          : change_to_other(event->env->real, type, where))
        mutate_reached();
}

/* -- what the interposition tells of -- */

/* Is the function refused in the phase of this call? */
static bool
refuses(struct interpose_call *call)
{
    jvmtiPhase phase;

    if (fault.kind != REFUSED
        || (*call->real)->GetPhase(call->real, &phase) != JVMTI_ERROR_NONE
        || phase != (jvmtiPhase)fault.phase)
        return false;
    call->error = JVMTI_ERROR_WRONG_PHASE;
    mutate_reached();
    return true;
}

/* Does the VM hear that an event is switched on or off? */
static bool
is_told(struct interpose_call *call)
{
    if (call->function != INTERPOSE_SetEventNotificationMode || fault.kind < UNDISABLED
        || fault.kind > UNHEARD)
        return true;
    return mutate_notification(call, tck_events[fault.subject].number,
                               fault.kind == UNDISABLED ? MUTATE_UNDISABLED
                               : fault.kind == WIDENED ? MUTATE_WIDENED : MUTATE_UNHEARD);
}

bool
interposed_call_begin(struct interpose_call *call)
{
    int function = function_index[call->function];

    if (fault.kind == LACKS)
        return mutate_lacks_begin(call, &fault.lacked);
    if (fault.kind >= DROPPED)
        return is_told(call);
    if (function < 0 || function != fault.subject)
        return true;
    if (swallows(function) || refuses(call))
        return false;
    if (fault.kind == CALLBACK)
        call->data = mutate_heap_adapt(call, fault.callback, fault.change);
    else if (fault.kind == IN)
        mutate_input(call, &tck_functions[function].params[fault.arg], fault.arg);
    else if (fault.kind == NARROW && !tck_functions[function].params[fault.arg].out)
        mutate_narrow(&call->args[fault.arg].j);
    return true;
}

void
interposed_call_end(struct interpose_call *call)
{
    int function = function_index[call->function];

    free(call->data);
    if (fault.kind == LACKS)
        mutate_lacks_end(call, &fault.lacked);
    else if (function >= 0 && call->is_made)
        call->error = result(call, function, call->error);
}

int
interposed_event_begin(struct interpose_event *event)
{
    int index = event_index[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL];

    if (index < 0 || fault.kind < DROPPED || (fault.kind != RECORD && index != fault.subject))
        return 1;
    if (fault.kind == ARG || fault.kind == OTHER)
        change_event(event);
    return copies_of(index);
}

void
interposed_event_end(struct interpose_event *event)
{
    (void)event;
}

bool
interposed_jni_begin(struct interpose_jni_call *call)
{
    (void)call;
    return true;
}

void
interposed_jni_end(struct interpose_jni_call *call)
{
    (void)call;
}

void
interposed_env_made(struct interpose_env *env, jint version)
{
    (void)env, (void)version;
}

void
interposed_thread_seen(struct interpose_thread *thread)
{
    (void)thread;
}

void
interposed_thread_ended(struct interpose_thread *thread)
{
    (void)thread;
}

bool
interposed_detaching(struct interpose_vm *vm, struct interpose_thread *thread)
{
    (void)vm, (void)thread;
    return true;
}

bool
interposed_destroying(struct interpose_thread *thread)
{
    (void)thread;
    return true;
}

void
interposed_env_refused(jint version, jint error)
{
    (void)version, (void)error;
}

void
interposed_vm_call(struct interpose_thread *thread, const char *function)
{
    (void)thread, (void)function;
}

void
interposed_strange_visit(int function, int result)
{
    (void)function, (void)result;
}

void
interposed_attached(struct interpose_vm *vm, struct interpose_thread *thread,
                    bool is_daemon, void *caller)
{
    (void)vm, (void)thread, (void)is_daemon, (void)caller;
}

void
interposed_detached(struct interpose_vm *vm, struct interpose_thread *thread)
{
    (void)vm, (void)thread;
}

/* -- the fault, by its name -- */

static bool
find_error(const char *name, jvmtiError *error)
{
    for (int i = 0; i < tck_error_count; i++) {
        if (strcmp(tck_errors[i].name, name) == 0) {
            *error = tck_errors[i].number;
            return true;
        }
    }
    return false;
}

/* ERROR/OTHER */
static bool
find_errors(char *what)
{
    char *other = strchr(what, '/');

    if (other == NULL)
        return false;
    *other++ = '\0';
    return find_error(what, &fault.error) && find_error(other, &fault.other);
}

static bool
find_phase(const char *name)
{
    fault.phase = strcmp(name, "onload") == 0 ? JVMTI_PHASE_ONLOAD
        : strcmp(name, "primordial") == 0 ? JVMTI_PHASE_PRIMORDIAL : JVMTI_PHASE_START;
    return true;
}

static bool
find_param(const char *name)
{
    const struct tck_function *f = &tck_functions[fault.subject];

    for (fault.arg = 0; fault.arg < f->nparams; fault.arg++)
        if (strcmp(f->params[fault.arg].name, name) == 0)
            return true;
    return false;
}

/* PARAMETER/MEMBER */
static bool
find_member(char *what)
{
    char *member = strchr(what, '/');
    const char *type;
    size_t length;

    if (member == NULL)
        return false;
    *member++ = '\0';
    if (!find_param(what))
        return false;
    type = tck_functions[fault.subject].params[fault.arg].type;
    length = strcspn(type, "*");
    for (size_t i = 0; i < sizeof mutate_members / sizeof mutate_members[0]; i++) {
        if (strlen(mutate_members[i].type) == length
            && strncmp(type, mutate_members[i].type, length) == 0
            && strcmp(member, mutate_members[i].member) == 0) {
            fault.member = (int)i;
            return true;
        }
    }
    return false;
}

static bool
find_event_param(const char *name)
{
    const struct tck_event *e = &tck_events[fault.subject];

    for (fault.arg = 0; fault.arg < e->nparams; fault.arg++)
        if (strcmp(e->params[fault.arg].name, name) == 0)
            return true;
    return false;
}

static bool
find_capability(const char *name)
{
    for (fault.cap = 0; fault.cap < tck_capability_count; fault.cap++)
        if (strcmp(tck_capabilities[fault.cap].name, name) == 0)
            return true;
    return false;
}

/* What the kind says of its subject. */
static bool
parse_what(char *what)
{
    switch (fault.kind) {
    case WRONG:
    case MISSING:
        return find_error(what, &fault.error);
    case CONFUSED:
        return find_errors(what);
    case REFUSED:
        return find_phase(what);
    case IN:
    case NARROW:
    case OUT:
    case STUCK:
    case LAST:
    case ORDER:
    case LONGER:
    case FEWER:
        return find_param(what);
    case MEMBER:
        return find_member(what);
    case HIDES:
        return find_capability(what);
    case LACKS:
        return mutate_parse_lacked(what, &fault.lacked);
    case CALLBACK:
        return sscanf(what, "%31[^/]/%31s", fault.callback, fault.change) == 2;
    case ARG:
    case OTHER:
        return find_event_param(what);
    default:
        return true;
    }
}

static bool
parse_fault(const char *text)
{
    static const char *const kinds[] = {
        "wrong", "missing", "confused", "refused", "in", "narrow", "out", "stuck", "last",
        "order", "longer", "swallowed", "fewer", "member", "hides", "callback", "lacks",
        "dropped", "doubled", "sparse", "undisabled", "widened", "unheard", "arg", "other"
    };
    char subject[64], kind[16], what[160] = "";
    int found = -1;

    if (strcmp(text, "record") == 0) {
        fault.kind = RECORD;
        return true;
    }
    if (sscanf(text, "%63[^.].%15[^.].%159s", subject, kind, what) < 2)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i], kind) == 0)
            found = (int)i;
    if (found < 0)
        return false;
    fault.kind = found;
    for (int i = 0; fault.kind >= DROPPED && i < tck_event_count; i++)
        if (strcmp(tck_events[i].name, subject) == 0)
            fault.subject = i;
    for (int i = 0; fault.kind < DROPPED && i < tck_function_count; i++)
        if (strcmp(tck_functions[i].name, subject) == 0)
            fault.subject = i;
    return fault.subject >= 0 && parse_what(what);
}

/* A fault a line, of those that give another answer to an error. */
static bool
parse_many(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[240];
    bool good = file != NULL;

    while (good && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        fault.subject = -1;
        good = parse_fault(line) && fault.kind <= CONFUSED;
        if (good) {
            answers_of[fault.subject].changed[fault.error] = true;
            answers_of[fault.subject].answer[fault.error] = answer_to_error();
        }
    }
    if (file != NULL)
        fclose(file);
    is_many = true;
    fault.kind = WRONG;
    fault.subject = -1;
    return good;
}

/* Both tables are made of the same facts. */
static void
find_indices(void)
{
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++) {
        function_index[i] = -1;
        for (int k = 0; k < tck_function_count && interpose_functions[i].name != NULL; k++)
            if (strcmp(tck_functions[k].name, interpose_functions[i].name) == 0)
                function_index[i] = k;
    }
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        event_index[i] = -1;
    for (int k = 0; k < tck_event_count; k++)
        event_index[tck_events[k].number - JVMTI_MIN_EVENT_TYPE_VAL] = k;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    char name[240], path[4096];
    struct interpose_vm *ours;

    (void)reserved;
    if (sscanf(options, "fault=%239[^,],log=%4095[^,],group=%63s", name, path,
               group) != 3 || !(name[0] == '@' ? parse_many(name + 1) : parse_fault(name))) {
        fprintf(stderr, "tckmutate: bad options '%s'\n", options);
        return 1;
    }
    snprintf(log_path, sizeof log_path, "%s", path);
    find_indices();
    mutate_vm = vm;
    ours = interpose_vm_new(vm, false);
    if (ours == NULL)
        return 1;
    /* The agents after this one get their environments from this table. */
    *(const struct JNIInvokeInterface_ **)vm = ours->functions;
    return 0;
}
