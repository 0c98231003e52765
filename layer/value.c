/* SPDX-License-Identifier: MIT */
/*
 * layer/value.c -- what Java methods get that an agent calls by JNI ("Calling Instance
 * Methods"): each argument has to be of its parameter's type, which the VM does not look
 * at.
 *
 * Arguments come as an array (Call...MethodA), or as a list of C, of which a copy is
 * read.  Types are compared by name along the superclasses and interfaces of the object:
 * which class loader would find the parameter's class is not asked.
 */
#include <stdio.h>
#include <string.h>

#include "layer/check.h"

/* ---- classes by name ---- */

static bool
has_signature(jclass class, const char *signature, size_t length)
{
    char *own = NULL;
    bool same;

    if ((*check_jvmti)->GetClassSignature(check_jvmti, class, &own, NULL)
        != JVMTI_ERROR_NONE)
        return true;
    same = strlen(own) == length && strncmp(own, signature, length) == 0;
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)own);
    return same;
}

static bool is_a(JNIEnv *jni, jclass class, const char *signature, size_t length);

static bool
implements(JNIEnv *jni, jclass class, const char *signature, size_t length)
{
    jclass *interfaces = NULL;
    jint count = 0;
    bool found = false;

    if ((*check_jvmti)->GetImplementedInterfaces(check_jvmti, class, &count, &interfaces)
        != JVMTI_ERROR_NONE)
        return true;
    for (jint i = 0; i < count; i++) {
        found = found || is_a(jni, interfaces[i], signature, length);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)interfaces);
    return found;
}

/* Is it the class or interface of the signature, or below it?  True where the VM does
   not tell. */
static bool
is_a(JNIEnv *jni, jclass class, const char *signature, size_t length)
{
    jclass super;
    bool found;

    if (has_signature(class, signature, length)
        || implements(jni, class, signature, length))
        return true;
    super = (*jni)->GetSuperclass(jni, class);
    if (super == NULL)
        return false;
    found = is_a(jni, super, signature, length);
    (*jni)->DeleteLocalRef(jni, super);
    return found;
}

/* Of two array types: elements that are objects are taken for right. */
static bool
is_array_of(jclass class, const char *signature, size_t length)
{
    char *own = NULL;
    size_t i = 0;
    bool fits;

    if ((*check_jvmti)->GetClassSignature(check_jvmti, class, &own, NULL)
        != JVMTI_ERROR_NONE)
        return true;
    while (i < length && signature[i] == '[' && own[i] == '[')
        i++;
    /* An Object may be an array, too. */
    fits = i > 0 && (signature[i] == own[i]
                     || (signature[i] == 'L' && own[i] == '['));
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)own);
    return fits;
}

/* An array where one of the interfaces is wanted that all arrays implement (JLS 10.8): the
   VM names none for array classes. */
static bool
is_array_for(jclass class, const char *signature, size_t length)
{
    char *own = NULL;
    bool is_array;

    if (strncmp(signature, "Ljava/lang/Cloneable;", length) != 0
        && strncmp(signature, "Ljava/io/Serializable;", length) != 0)
        return false;
    (*check_jvmti)->GetClassSignature(check_jvmti, class, &own, NULL);
    is_array = own != NULL && own[0] == '[';
    (*check_jvmti)->Deallocate(check_jvmti, (unsigned char *)own);
    return is_array;
}

static bool
fits(JNIEnv *jni, jobject object, const char *signature, size_t length)
{
    jclass class;
    bool result;

    if (object == NULL || strncmp(signature, "Ljava/lang/Object;", length) == 0)
        return true;
    class = (*jni)->GetObjectClass(jni, object);
    result = signature[0] == '[' ? is_array_of(class, signature, length)
                                 : is_a(jni, class, signature, length)
                                     || is_array_for(class, signature, length);
    (*jni)->DeleteLocalRef(jni, class);
    return result;
}

bool
value_fits(JNIEnv *jni, jobject object, const char *signature)
{
    return fits(jni, object, signature, strlen(signature));
}

/* ---- arguments ---- */

/* The length of the type at the beginning of a descriptor. */
static size_t
type_length(const char *descriptor)
{
    size_t length = strspn(descriptor, "[");

    return descriptor[length] == 'L'
        ? (size_t)(strchr(descriptor + length, ';') - descriptor) + 1 : length + 1;
}

/* The next one of a list, as C passes it: small integers as int, float as double. */
static jvalue
next_value(char type, va_list *list)
{
    jvalue value = { .j = 0 };

    switch (type) {
    case 'J': value.j = va_arg(*list, jlong); break;
    case 'F':
    case 'D': value.d = va_arg(*list, jdouble); break;
    case 'L':
    case '[': value.l = va_arg(*list, jobject); break;
    default: value.i = va_arg(*list, jint); break;
    }
    return value;
}

static bool
check_one(const struct interpose_jni_call *call, const char *method, int number,
          const char *type, jvalue value)
{
    const char *name = interpose_jni_functions[call->function].name;
    size_t length = type_length(type);
    char argument[160];

    if (type[0] != 'L' && type[0] != '[')
        return true;
    snprintf(argument, sizeof argument, "argument %d of %s", number, method);
    if (!reference_check(call->real, name, argument, value.l))
        return false;
    if (fits(call->real, value.l, type, length))
        return true;
    check_found(RULE_IDS_ARGUMENT_TYPE, name,
                "JNI's %s calls %s with a %s argument that is no %.*s", name, method,
                number == 1 ? "first" : number == 2 ? "second" : "later", (int)length,
                type);
    return false;
}

bool
value_check(const struct interpose_jni_call *call, const char *method,
            const char *descriptor)
{
    const char *type = descriptor + 1;
    bool is_good = true;
    va_list list;

    if (call->values == NULL && call->rest == NULL)
        return true;
    if (call->rest != NULL)
        va_copy(list, *call->rest);
    for (int i = 0; *type != ')'; i++, type += type_length(type)) {
        jvalue value = call->values != NULL ? call->values[i] : next_value(*type, &list);

        is_good = check_one(call, method, i + 1, type, value) && is_good;
    }
    if (call->rest != NULL)
        va_end(list);
    return is_good;
}
