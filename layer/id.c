/* SPDX-License-Identifier: MIT */
/*
 * layer/id.c -- rules about ids: jmethodID and jfieldID (JVM TI "jmethodID", "jfieldID";
 * JNI "Accessing Fields and Methods").
 *
 * JNI takes an id as it comes, and a wrong one makes the VM read memory that has nothing
 * to do with it.  So before each call of JNI with an id the VM is asked for the member:
 * there is none for an id of an unloaded class; else its class, whether it is static and
 * its types are compared with the call.  A VM whose ids are addresses reads them when it is
 * asked, so one that cannot be an address is refused before.
 *
 * Functions of JVM TI look themselves; their answer is told.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "layer/check.h"
#include "layer/field.h"

#define SEEN 65536

/* Ids that were good once, by their hash; a newer one takes the place of an older. */
enum id_kind { FIELD, METHOD };
static uintptr_t seen[2][SEEN];

static uintptr_t *
place_of(const void *id, enum id_kind kind)
{
    return &seen[kind][((uintptr_t)id >> 3) * 2654435761u % SEEN];
}

static bool
was_good(const void *id, enum id_kind kind)
{
    return id != NULL
        && __atomic_load_n(place_of(id, kind), __ATOMIC_RELAXED) == (uintptr_t)id;
}

static void
note_good(const void *id, enum id_kind kind)
{
    __atomic_store_n(place_of(id, kind), (uintptr_t)id, __ATOMIC_RELAXED);
}

/* Can a word be read there, and through that one another?  The kernel tells, without a
   signal.  Where it may not be asked the answer is yes. */
static bool
is_readable(const void *address, int steps)
{
    void *word = NULL;
    struct iovec to = { &word, sizeof word }, from = { (void *)address, sizeof word };

    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)sizeof word)
        return errno != EFAULT;
    return steps == 0 || word == NULL || is_readable(word, steps - 1);
}

/* HotSpot's jmethodID is the address of a Method's address.  Its jfieldID of an instance
   field has one of the lowest two bits, that of a static one is an address.  Other VMs have numbers. */
static bool has_addresses;

void
id_vm_init(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Object");
    jmethodID id = (*jni)->GetMethodID(jni, class, "hashCode", "()I");

    has_addresses = is_readable(id, 1);
    (*jni)->DeleteLocalRef(jni, class);
}

static bool
may_be_method(const void *id)
{
    if (!has_addresses || was_good(id, METHOD))
        return true;
    return !was_good(id, FIELD) && is_readable(id, 1);
}

static bool
may_be_field(const void *id)
{
    if (!has_addresses || ((uintptr_t)id & 3) != 0 || was_good(id, FIELD))
        return true;
    return !was_good(id, METHOD) && is_readable(id, 0);
}

static void
tell_bad(const char *function, const char *param, const void *id, enum id_kind kind)
{
    const char *type = kind == METHOD ? "jmethodID" : "jfieldID";
    enum id_kind other = kind == METHOD ? FIELD : METHOD;

    if (was_good(id, kind))
        check_found(RULE_IDS_UNLOADED, function,
                    "%s gets in '%s' a %s that was good before: its class is unloaded",
                    function, param, type);
    else
        check_found(kind == METHOD ? RULE_IDS_METHOD_INVALID : RULE_IDS_FIELD_INVALID,
                    function, "%s gets in '%s' what is no %s: %s %p", function, param, type,
                    was_good(id, other) ? kind == METHOD ? "the jfieldID" : "the jmethodID"
                    : "the value", id);
}

/* ---- functions of JVM TI ---- */

static int
find_param(const struct interpose_function *f, const char *type)
{
    for (int i = 0; i < f->count; i++)
        if (f->params[i].member == 'p' && strcmp(f->params[i].type, type) == 0)
            return i;
    return -1;
}

/* Of each function: the parameter that is an id, or -1. */
static signed char method_param[INTERPOSE_FUNCTION_COUNT],
    field_param[INTERPOSE_FUNCTION_COUNT];

void
id_start(void)
{
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++) {
        method_param[i] = (signed char)find_param(&interpose_functions[i], "jmethodID");
        field_param[i] = (signed char)find_param(&interpose_functions[i], "jfieldID");
    }
}

bool
id_begin(struct interpose_call *call)
{
    int method = method_param[call->function], field = field_param[call->function];
    const struct interpose_function *f = &interpose_functions[call->function];

    if (method >= 0 && call->args[method].p != NULL && !may_be_method(call->args[method].p)) {
        tell_bad(f->name, f->params[method].name, call->args[method].p, METHOD);
        call->error = JVMTI_ERROR_INVALID_METHODID;
        return false;
    }
    if (field >= 0 && call->args[field].p != NULL && !may_be_field(call->args[field].p)) {
        tell_bad(f->name, f->params[field].name, call->args[field].p, FIELD);
        call->error = JVMTI_ERROR_INVALID_FIELDID;
        return false;
    }
    return true;
}

static void
note_class_fields(const struct interpose_call *call)
{
    jint count = *(jint *)call->args[1].p;
    const jfieldID *ids = *(jfieldID **)call->args[2].p;
    void *jni = NULL;

    if (check_may_ask(call->thread))
        (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2);
    for (jint i = 0; i < count; i++) {
        note_good(ids[i], FIELD);
        if (jni != NULL)
            field_given_by_class(jni, call->args[0].p, ids[i]);
        else
            field_note_otherwise(ids[i]);
    }
}

/* Where ids of instance fields are offsets, as HotSpot's are, it takes that of another class
   for the field of this class that is there. */
static void
check_given_class(const struct interpose_call *call, int param)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    const void *id = call->args[param].p;
    struct known_field known;
    void *jni;

    if (param == 0 || strcmp(f->params[param - 1].type, "jclass") != 0
        || field_came_otherwise(id) || !check_may_ask(call->thread)
        || (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2) != JNI_OK)
        return;
    known = field_find(jni, call->args[param].p, call->args[param - 1].p);
    if (known.is_loaded && !known.fits)
        check_found(RULE_IDS_WRONG_CLASS, f->name,
                    "%s gets in '%s' the jfieldID of another class's field", f->name,
                    f->params[param].name);
}

void
id_end(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    int method = method_param[call->function], field = field_param[call->function];

    if (call->function == INTERPOSE_GetClassFields && call->error == JVMTI_ERROR_NONE)
        note_class_fields(call);
    if (method >= 0 && call->error == JVMTI_ERROR_INVALID_METHODID)
        tell_bad(f->name, f->params[method].name, call->args[method].p, METHOD);
    else if (method >= 0 && call->error == JVMTI_ERROR_NONE)
        note_good(call->args[method].p, METHOD);
    if (field >= 0 && call->error == JVMTI_ERROR_INVALID_FIELDID) {
        if (was_good(call->args[field].p, FIELD))
            check_found(RULE_IDS_WRONG_CLASS, f->name,
                        "%s gets in '%s' a jfieldID of another class, or of one that is "
                        "unloaded", f->name, f->params[field].name);
        else
            tell_bad(f->name, f->params[field].name, call->args[field].p, FIELD);
    } else if (field >= 0 && call->error == JVMTI_ERROR_NONE) {
        note_good(call->args[field].p, FIELD);
        check_given_class(call, field);
    }
}

/* ---- members, as the VM tells of them ---- */

struct member {
    jclass class;               /* a local reference */
    char *name, *signature;     /* of the VM */
    bool is_static;
};

static void
release_member(JNIEnv *jni, struct member *m)
{
    (*jni)->DeleteLocalRef(jni, m->class);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)m->name);
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)m->signature);
}

static bool
get_method(jmethodID id, struct member *m)
{
    jint modifiers = 0;

    *m = (struct member){ .class = NULL };
    if ((*check_jvmti)->GetMethodDeclaringClass(check_jvmti, id, &m->class)
            != JVMTI_ERROR_NONE)
        return false;
    if ((*check_jvmti)->GetMethodModifiers(check_jvmti, id, &modifiers)
            != JVMTI_ERROR_NONE
        || (*check_jvmti)->GetMethodName(check_jvmti, id, &m->name, &m->signature, NULL)
            != JVMTI_ERROR_NONE)
        return false;
    m->is_static = (modifiers & 0x8) != 0;
    return true;
}

static bool
get_field(jclass class, jfieldID id, struct member *m)
{
    jint modifiers = 0;

    *m = (struct member){ .class = NULL };
    if ((*check_jvmti)->GetFieldName(check_jvmti, class, id, &m->name, &m->signature, NULL)
            != JVMTI_ERROR_NONE)
        return false;
    if ((*check_jvmti)->GetFieldModifiers(check_jvmti, class, id, &modifiers)
            != JVMTI_ERROR_NONE
        || (*check_jvmti)->GetFieldDeclaringClass(check_jvmti, class, id, &m->class)
            != JVMTI_ERROR_NONE)
        return false;
    m->is_static = (modifiers & 0x8) != 0;
    return true;
}

/* ---- events ---- */

void
id_event_begin(const struct interpose_event *event)
{
    if (event->facts->number == JVMTI_EVENT_FIELD_ACCESS
        || event->facts->number == JVMTI_EVENT_FIELD_MODIFICATION)
        for (int i = 0; i < event->facts->count; i++)
            if (strcmp(event->facts->params[i].type, "jfieldID") == 0)
                field_note_otherwise(event->args[i].p);
}

/* ---- calls of JNI ---- */

/* What a function of JNI wants of its id, from its name. */
struct wants {
    bool is_method, is_static, is_new, is_reflected;
    char type;          /* a descriptor's first character; 'V': any method will do */
};

static char
type_of(const char *name)
{
    static const struct { const char *name; char type; } types[] = {
        { "Object", 'L' }, { "Boolean", 'Z' }, { "Byte", 'B' }, { "Char", 'C' },
        { "Short", 'S' }, { "Int", 'I' }, { "Long", 'J' }, { "Float", 'F' },
        { "Double", 'D' }
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(name, types[i].name, strlen(types[i].name)) == 0)
            return types[i].type;
    return 'V';
}

static bool
get_wants(const char *name, struct wants *wants)
{
    static const struct { const char *prefix; struct wants wants; } forms[] = {
        { "CallStatic", { true, true, false, false, 0 } },
        { "CallNonvirtual", { true, false, false, false, 0 } },
        { "Call", { true, false, false, false, 0 } },
        { "NewObject", { true, false, true, false, 'V' } },
        { "ToReflectedMethod", { true, false, false, true, 'V' } },
        { "ToReflectedField", { false, false, false, true, 'V' } },
        { "GetStatic", { false, true, false, false, 0 } },
        { "SetStatic", { false, true, false, false, 0 } },
        { "Get", { false, false, false, false, 0 } },
        { "Set", { false, false, false, false, 0 } },
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t length = strlen(forms[i].prefix);

        if (strncmp(name, forms[i].prefix, length) != 0)
            continue;
        *wants = forms[i].wants;
        if (wants->type == 0)
            wants->type = type_of(name + length);
        return true;
    }
    return false;
}

/* Static or not, and the type, are as the function wants them. */
static bool
check_member(const struct interpose_jni_call *call, const struct wants *wants,
             const struct member *m)
{
    const char *name = interpose_jni_functions[call->function].name;
    const char *what = wants->is_method ? "method" : "field";
    char type = wants->is_method ? strchr(m->signature, ')')[1] : m->signature[0];

    if (m->is_static != wants->is_static && !wants->is_reflected) {
        check_found(RULE_IDS_STATIC_MIXED, name, "JNI's %s gets the id of the %s %s %s",
                    name, m->is_static ? "static" : "instance", what, m->name);
        return false;
    }
    if (type == '[')
        type = 'L';
    if (wants->type == 'V' && type != 'V' && wants->is_method && !wants->is_new
        && !wants->is_reflected)
        check_found(RULE_IDS_RESULT_DROPPED, name, "JNI's %s calls %s, whose result is of "
                    "type %s", name, m->name, strchr(m->signature, ')') + 1);
    if (wants->type != 'V' && wants->type != type) {
        check_found(RULE_IDS_RETURN_TYPE, name, "JNI's %s gets the id of %s %s, whose type "
                    "is %s", name, what, m->name,
                    wants->is_method ? strchr(m->signature, ')') + 1 : m->signature);
        return false;
    }
    return true;
}

static void
tell_wrong_class(const struct interpose_jni_call *call, const struct member *m,
                 const char *what)
{
    const char *name = interpose_jni_functions[call->function].name;
    char *class = NULL;

    if (m->class != NULL)
        (*check_jvmti)->GetClassSignature(check_jvmti, m->class, &class, NULL);
    check_found(RULE_IDS_WRONG_CLASS, name,
                "JNI's %s gets the id of %s %s of class %s, which the %s is not of", name,
                what, m->name, class != NULL ? class : "?",
                strcmp(interpose_jni_functions[call->function].params[0].type, "jclass")
                        == 0 ? "class" : "object");
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)class);
}

/* Is the object, or the class for a static method, of the method's class? */
static bool
is_of_class(const struct interpose_jni_call *call, const struct wants *wants,
            const struct member *m)
{
    JNIEnv *jni = call->real;

    if (wants->is_new)
        return (*jni)->IsSameObject(jni, call->args[0].p, m->class)
            && strcmp(m->name, "<init>") == 0;
    if (wants->is_static || wants->is_reflected)
        return (*jni)->IsAssignableFrom(jni, call->args[0].p, m->class);
    return (*jni)->IsInstanceOf(jni, call->args[0].p, m->class);
}

static bool
check_method(const struct interpose_jni_call *call, const struct wants *wants, int param)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    jmethodID id = call->args[param].p;
    struct member m;
    bool is_good;

    if (!may_be_method(id)) {
        tell_bad(f->name, f->params[param].name, id, METHOD);
        return false;
    }
    is_good = get_method(id, &m);
    if (!is_good)
        tell_bad(f->name, f->params[param].name, id, METHOD);
    else {
        note_good(id, METHOD);
        is_good = check_member(call, wants, &m);
        if (is_good && !is_of_class(call, wants, &m)) {
            tell_wrong_class(call, &m, "method");
            is_good = false;
        }
        if (is_good)
            is_good = value_check(call, m.name, m.signature);
    }
    release_member(call->real, &m);
    return is_good;
}

/* An id is known by what gave it: not every VM looks at its class. */
static bool
check_known_field(const struct interpose_jni_call *call, const struct wants *wants,
                  const struct known_field *known, const void *id)
{
    const char *name = interpose_jni_functions[call->function].name;

    if (known->is_static != wants->is_static && !wants->is_reflected) {
        check_found(RULE_IDS_STATIC_MIXED, name, "JNI's %s gets the id of %s field", name,
                    known->is_static ? "a static" : "an instance");
        return false;
    }
    if (known->fits || field_came_otherwise(id))
        return true;
    if (!known->is_loaded)
        tell_bad(name, "fieldID", id, FIELD);
    else
        check_found(RULE_IDS_WRONG_CLASS, name,
                    "JNI's %s gets the id of %s field of another class", name,
                    known->is_static ? "a static" : "an instance");
    return false;
}

/* What Set...Field gets: the VM does not look at its class. */
static bool
check_stored(const struct interpose_jni_call *call, const struct member *m)
{
    const char *name = interpose_jni_functions[call->function].name;

    if ((call->function != INTERPOSE_JNI_SetObjectField
         && call->function != INTERPOSE_JNI_SetStaticObjectField)
        || value_fits(call->real, call->args[2].p, m->signature))
        return true;
    check_found(RULE_IDS_ARGUMENT_TYPE, name, "JNI's %s stores in field %s what is no %s",
                name, m->name, m->signature);
    return false;
}

/* The field of the class by the VM's own answer. */
static bool
check_asked_field(const struct interpose_jni_call *call, const struct wants *wants,
                  jclass class, int param, bool is_known)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct member m;
    bool is_good = get_field(class, call->args[param].p, &m);

    if (is_good)
        is_good = check_member(call, wants, &m) && check_stored(call, &m);
    else if (is_known)
        check_found(RULE_IDS_WRONG_CLASS, f->name,
                    "JNI's %s gets the id of a field of another class", f->name);
    else
        tell_bad(f->name, f->params[param].name, call->args[param].p, FIELD);
    release_member(call->real, &m);
    return is_good;
}

static bool
check_field(const struct interpose_jni_call *call, const struct wants *wants, int param)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    bool has_class = strcmp(f->params[0].type, "jclass") == 0, is_good;
    const void *id = call->args[param].p;
    JNIEnv *jni = call->real;
    jclass class = has_class ? call->args[0].p
                             : (*jni)->GetObjectClass(jni, call->args[0].p);
    struct known_field known = field_find(jni, call->args[param].p, class);

    if (known.is_there)
        is_good = check_known_field(call, wants, &known, id);
    else {
        is_good = may_be_field(id);
        if (!is_good)
            tell_bad(f->name, f->params[param].name, id, FIELD);
    }
    is_good = is_good && check_asked_field(call, wants, class, param, known.is_there);
    if (!has_class)
        (*jni)->DeleteLocalRef(jni, class);
    return is_good;
}

bool
id_jni_begin(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct wants wants;

    for (int i = 1; i < f->count; i++) {
        bool is_method = strcmp(f->params[i].type, "jmethodID") == 0;

        if (!is_method && strcmp(f->params[i].type, "jfieldID") != 0)
            continue;
        if (call->args[0].p == NULL || call->args[i].p == NULL
            || !get_wants(f->name, &wants) || !check_may_ask(call->thread))
            return true;
        return is_method ? check_method(call, &wants, i) : check_field(call, &wants, i);
    }
    return true;
}

void
id_jni_end(const struct interpose_jni_call *call)
{
    if (call->function == INTERPOSE_JNI_RegisterNatives)
        field_end();
    if (call->result.p == NULL)
        return;
    switch (call->function) {
    case INTERPOSE_JNI_GetMethodID:
    case INTERPOSE_JNI_GetStaticMethodID:
        note_good(call->result.p, METHOD);
        break;
    case INTERPOSE_JNI_FromReflectedField:
        field_note_otherwise(call->result.p);
        break;
    case INTERPOSE_JNI_GetFieldID:
    case INTERPOSE_JNI_GetStaticFieldID:
        note_good(call->result.p, FIELD);
        field_given(call->real, call->args[0].p, call->result.p,
                   call->function == INTERPOSE_JNI_GetStaticFieldID);
        break;
    default:
        break;
    }
}
