/* SPDX-License-Identifier: MIT */
/* tck/mutate/input.c -- faults in what goes into a function, see input.h. */
#include "tck/mutate/input.h"
#include "tck/mutate/mutate.h"

static JNIEnv *
jni_of(JavaVM *vm)
{
    JNIEnv *jni = NULL;

    return (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_6) == JNI_OK ? jni : NULL;
}

/* Is there a JNI to ask, and is what the agent passed a reference? */
static JNIEnv *
jni_for(struct interpose_call *call, jobject object)
{
    jvmtiPhase phase;
    JNIEnv *jni;

    if (object == NULL
        || (*call->real)->GetPhase(call->real, &phase) != JVMTI_ERROR_NONE
        || phase != JVMTI_PHASE_LIVE)
        return NULL;
    jni = jni_of(call->env->vm->real);
    return jni != NULL && !(*jni)->ExceptionCheck(jni) ? jni : NULL;
}

/* The calling thread is meant, which it was not. */
static bool
change_thread(struct interpose_call *call, union interpose_arg *arg)
{
    JNIEnv *jni = jni_for(call, arg->p);
    jthread self = NULL;

    if (jni == NULL
        || (*call->real)->GetCurrentThread(call->real, &self) != JVMTI_ERROR_NONE
        || (*jni)->IsSameObject(jni, self, arg->p))
        return false;
    arg->p = self;
    return true;
}

static bool
change_reference(struct interpose_call *call, enum mutate_input input,
                 union interpose_arg *arg)
{
    JNIEnv *jni = jni_for(call, input == MUTATE_IN_METHOD ? (jobject)call : arg->p);
    jclass object;

    if (jni == NULL || arg->p == NULL)
        return false;
    object = (*jni)->FindClass(jni, "java/lang/Object");
    arg->p = input == MUTATE_IN_METHOD
                 ? (void *)(*jni)->GetMethodID(jni, object, "hashCode", "()I")
                 : object;
    return true;
}

/* The set without its first capability. */
static bool
change_capabilities(union interpose_arg *arg)
{
    static _Thread_local jvmtiCapabilities changed;

    if (arg->p == NULL)
        return false;
    changed = *(const jvmtiCapabilities *)arg->p;
    arg->p = &changed;
    for (int i = 0; i < tck_capability_count; i++) {
        if (tck_cap_get(&changed, i)) {
            tck_cap_set(&changed, i, false);
            return true;
        }
    }
    return false;
}

/* False: this call has nothing to change. */
static bool
change_input(struct interpose_call *call, enum mutate_input input,
             union interpose_arg *arg)
{
    switch (input) {
    case MUTATE_IN_COUNT: return arg->i > 0 && arg->i-- > 0;
    case MUTATE_IN_HALF:
        /* Both are small, and negative ones are errors. */
        return arg->j > 1 && (arg->j /= 2) > 0;
    case MUTATE_IN_NUMBER: arg->i++; return true;
    case MUTATE_IN_FILTER: return arg->i != 0 && (arg->i = 0) == 0;
    case MUTATE_IN_LONG: arg->j++; return true;
    case MUTATE_IN_FLOAT: arg->f = arg->f == 0 ? 1 : -arg->f; return true;
    case MUTATE_IN_DOUBLE: arg->d = arg->d == 0 ? 1 : -arg->d; return true;
    case MUTATE_IN_THREAD: return change_thread(call, arg);
    case MUTATE_IN_CLASS:
    case MUTATE_IN_OBJECT:
    case MUTATE_IN_METHOD: return change_reference(call, input, arg);
    case MUTATE_IN_TEXT:
        if (arg->p == NULL || *(const char *)arg->p == '\0')
            return false;
        arg->p = (char *)arg->p + 1;
        return true;
    case MUTATE_IN_POINTER:
        arg->p = arg->p == NULL ? NULL : (char *)arg->p + 8;
        return arg->p != NULL;
    case MUTATE_IN_CAPABILITIES: return change_capabilities(arg);
    case MUTATE_IN_NOT: break;
    }
    return false;
}

void
mutate_input(struct interpose_call *call, const struct tck_param *param, int position)
{
    if (change_input(call, mutate_input_of(param), &call->args[position]))
        mutate_reached();
}

void
mutate_narrow(jlong *value)
{
    if (*value == (jint)*value)
        return;
    *value = (jint)*value;
    mutate_reached();
}

/* -- which events are told -- */

/* False: the request is lost, with NONE for an answer. */
bool
mutate_notification(struct interpose_call *call, jvmtiEvent event,
                    enum mutate_notification what)
{
    union interpose_arg *args = call->args;
    bool enables = args[0].i == JVMTI_ENABLE, of_thread = args[2].p != NULL;

    if ((jvmtiEvent)args[1].i != event
        || (what == MUTATE_UNDISABLED ? args[0].i != JVMTI_DISABLE
                                      : !enables || !of_thread))
        return true;
    mutate_reached();
    if (what != MUTATE_WIDENED)
        return false;
    args[2].p = NULL;
    return true;
}
