/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_reflect.c -- JVM_ functions of java.lang.reflect's members. */

#include "base/mem.h"
#include "interp/interp.h"
#include "jdk/jvm.h"
#include "jdk/widen.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/reflect.h"
#include "vm/string.h"

/* ---- declared members ---- */

/* An array of a well-known class. */
static struct object *
array_of_known(struct thread *self, enum known_class which, int32_t length)
{
    struct class *c = known_class(self, which);
    struct class *array = c ? class_array_of(self, c) : NULL;

    return array ? keep(self, array_new(self, array, length)) : NULL;
}

static bool
is_listed(const struct method *m, bool constructors, bool public_only)
{
    bool is_init = (m->flags & METHOD_INITIALIZER) != 0;

    if (m->flags & METHOD_OVERPASS)
        return false;
    if (public_only && !(m->access_flags & ACC_PUBLIC))
        return false;
    return constructors ? is_init && !method_is_static(m) : !is_init;
}

static jobjectArray
declared_methods(struct thread *self, struct class *c, bool constructors,
                 bool public_only)
{
    enum known_class which =
        constructors ? KNOWN_CLASS_Constructor : KNOWN_CLASS_Method;
    int32_t count = 0, at = 0;

    if (c->pool && !class_link(self, c))
        return NULL;
    for (uint32_t i = 0; i < c->method_count; i++)
        count += is_listed(&c->methods[i], constructors, public_only);
    struct object *result = array_of_known(self, which, count);
    for (uint32_t i = 0; result && i < c->method_count; i++) {
        if (!is_listed(&c->methods[i], constructors, public_only))
            continue;
        struct object *m = reflect_method(self, &c->methods[i]);
        if (!m)
            return NULL;
        ARRAY_REFS(result)[at++] = m;
    }
    return object_ref(self, result);
}

JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredMethods(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);

    return declared_methods(self, ref_class(cls), false, public_only);
}

JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);

    return declared_methods(self, ref_class(cls), true, public_only);
}

JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredFields(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    int32_t count = 0, at = 0;

    if (c->pool && !class_link(self, c))
        return NULL;
    for (uint32_t i = 0; i < c->field_count; i++)
        count += !public_only || (c->fields[i].access_flags & ACC_PUBLIC);
    struct object *result = array_of_known(self, KNOWN_CLASS_Field, count);
    for (uint32_t i = 0; result && i < c->field_count; i++) {
        if (public_only && !(c->fields[i].access_flags & ACC_PUBLIC))
            continue;
        struct object *f = reflect_field(self, &c->fields[i]);
        if (!f)
            return NULL;
        ARRAY_REFS(result)[at++] = f;
    }
    return object_ref(self, result);
}

/* ---- calls ---- */

/* The pending exception becomes the target of an InvocationTargetException. */
static void
wrap_in_target_exception(struct thread *self)
{
    SCOPE(self);
    struct object *cause = keep(self, exception_take(self));
    struct class *c = known_class(self, KNOWN_CLASS_InvocationTargetException);
    struct object *e =
        c && class_initialize(self, c) ? keep(self, object_new(self, c)) : NULL;
    struct method *init =
        c ? class_own_method(c, symbol_of("<init>"),
                             symbol_of("(Ljava/lang/Throwable;)V"))
          : NULL;
    union slot args[2] = { { .ref = e }, { .ref = cause } };

    if (e && init && java_call(self, init, args, NULL))
        throw_object(self, e);
}

/* The method that receiver runs for m; NULL with what to throw pending. */
static struct method *
select_for(struct thread *self, struct method *m, const struct object *receiver)
{
    struct method *selected;

    if (!receiver) {
        THROW0(self, NullPointerException);
        return NULL;
    }
    if (!object_is_instance(receiver, m->class)) {
        THROW(self, IllegalArgumentException,
              "object is not an instance of declaring class");
        return NULL;
    }
    if (method_is_private(m) || (m->flags & METHOD_INITIALIZER))
        return m;
    selected = select_method(self, object_class(receiver), m);
    if (!selected)
        wrap_in_target_exception(self);
    return selected;
}

/* args[0, …) from the objects in array, as the Class objects in types want them. */
static bool
unpack_arguments(struct thread *self, const struct object *types,
                 const struct object *array, union slot *args)
{
    int32_t count = array ? array_length(array) : 0;

    if (array_length(types) != count) {
        THROW(self, IllegalArgumentException, "wrong number of arguments");
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        struct class *type = class_of_mirror(ARRAY_REFS(types)[i]);
        struct object *o = ARRAY_REFS(array)[i];
        if (type->primitive) {
            if (!unbox_widened(self, o, type->primitive, args))
                return false;
        } else if (o && !object_is_instance(o, type)) {
            THROW(self, IllegalArgumentException, "argument type mismatch");
            return false;
        } else {
            args->ref = o;
        }
        args += type->primitive == 'J' || type->primitive == 'D' ? 2 : 1;
    }
    return true;
}

enum { MAX_ARG_SLOTS = 256 };

/* Call m, selected already, on receiver (NULL when static). */
static bool
invoke(struct thread *self, struct method *m, struct object *receiver,
       const struct object *types, const struct object *array, union slot *result)
{
    union slot args[MAX_ARG_SLOTS];
    int first = method_is_static(m) ? 0 : 1;

    args[0].ref = receiver;
    if (!unpack_arguments(self, types, array, args + first))
        return false;
    if (java_call(self, m, args, result))
        return true;
    wrap_in_target_exception(self);
    return false;
}

JNIEXPORT jobject JNICALL
JVM_InvokeMethod(JNIEnv *env, jobject method, jobject receiver, jobjectArray array)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(method), *o = NULL;
    struct method *m = reflected_method(self->vm, reflected);
    const struct object *types =
        OBJECT_FIELD(struct object *, reflected, KF(self->vm, Method_parameterTypes));
    union slot result = { .ref = NULL };

    if (method_is_static(m)) {
        if (!class_initialize(self, m->class))
            return NULL;
    } else {
        o = ref_get(receiver);
        m = select_for(self, m, o);
        if (!m)
            return NULL;
    }
    if (!invoke(self, m, o, types, ref_get(array), &result))
        return NULL;
    switch (m->return_type) {
    case 'V':
        return NULL;
    case 'L':
        return object_ref(self, result.ref);
    default:
        return object_ref(self, box_value(self, m->return_type, result));
    }
}

JNIEXPORT jobject JNICALL
JVM_NewInstanceFromConstructor(JNIEnv *env, jobject ctor, jobjectArray array)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(ctor);
    struct method *m = reflected_method(self->vm, reflected);
    const struct object *types = OBJECT_FIELD(struct object *, reflected,
                                              KF(self->vm, Constructor_parameterTypes));

    if (!class_initialize(self, m->class))
        return NULL;
    if ((m->class->access_flags & (ACC_ABSTRACT | ACC_INTERFACE))
        || m->class == KC(self->vm, Class)) {
        char *name = class_external_name(m->class);
        if (m->class == KC(self->vm, Class))
            THROW(self, IllegalAccessException, "%s", name);
        else
            THROW(self, InstantiationException, "%s", name);
        mem_free(name);
        return NULL;
    }
    struct object *o = keep(self, object_new(self, m->class));
    if (!o || !invoke(self, m, o, types, ref_get(array), NULL))
        return NULL;
    return object_ref(self, object_made_by_vm(self, o));
}

/* ---- parameters ---- */

static struct object *
reflect_parameter(struct thread *self, struct object *executable,
                  const struct classfile *file, const struct cf_parameter *p,
                  int32_t index)
{
    struct vm *vm = self->vm;
    struct class *c = known_class(self, KNOWN_CLASS_Parameter);
    struct object *o =
        c && class_initialize(self, c) ? keep(self, object_new(self, c)) : NULL;

    if (!o)
        return NULL;
    OBJECT_FIELD(int32_t, o, KF(vm, Parameter_index)) = index;
    OBJECT_FIELD(int32_t, o, KF(vm, Parameter_modifiers)) = p->access_flags;
    OBJECT_FIELD(struct object *, o, KF(vm, Parameter_executable)) = executable;
    if (p->name_index) {
        struct object *name = string_intern_symbol(self, cf_utf8(file, p->name_index));
        if (!name)
            return NULL;
        OBJECT_FIELD(struct object *, o, KF(vm, Parameter_name)) = name;
    }
    return o;
}

/* NULL when the method has no MethodParameters (JVMS 4.7.24). */
JNIEXPORT jobjectArray JNICALL
JVM_GetMethodParameters(JNIEnv *env, jobject method)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(method);
    const struct code *code = method_code(reflected_method(self->vm, reflected));
    const struct classfile *file = code->pool ? code->pool->file : NULL;

    if (!code->info || !code->info->has_parameters)
        return NULL;
    for (int32_t i = 0; i < code->info->parameter_count; i++) {
        unsigned name = code->info->parameters[i].name_index;
        if (name && cf_tag_at(file, name) != CF_UTF8) {
            THROW(self, IllegalArgumentException, "Wrong type at constant pool index");
            return NULL;
        }
    }
    struct object *result =
        array_of_known(self, KNOWN_CLASS_Parameter, code->info->parameter_count);
    for (int32_t i = 0; result && i < code->info->parameter_count; i++) {
        struct object *p = reflect_parameter(self, reflected, file,
                                             &code->info->parameters[i], i);
        if (!p)
            return NULL;
        ARRAY_REFS(result)[i] = p;
    }
    return object_ref(self, result);
}

/* ---- type annotations, as the class file has them ---- */

JNIEXPORT jbyteArray JNICALL
JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject method)
{
    VM_ENTRY(env);
    const struct code *code = method_code(reflected_method(self->vm, ref_get(method)));

    if (!code->info)
        return NULL;
    return object_ref(self, annotation_bytes(self, code->pool,
                                             code->info->type_annotations,
                                             TYPE_ANNOTATIONS));
}

JNIEXPORT jbyteArray JNICALL
JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field)
{
    VM_ENTRY(env);
    const struct field *f = reflected_field(self->vm, ref_get(field));
    struct cpool *pool = f->class->pool;
    const struct cf_field *info = field_info(f, pool);

    if (!info)
        return NULL;
    return object_ref(
        self, annotation_bytes(self, pool, info->type_annotations, TYPE_ANNOTATIONS));
}
