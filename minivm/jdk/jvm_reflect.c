/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_reflect.c -- JVM_ functions of java.lang.reflect's members. */

#include "jdk/jvm.h"
#include "vm/above.h"
#include "vm/reflect.h"
#include "vm/string.h"

/* ---- declared members ---- */

static bool
is_listed(const struct method *m, bool constructors, bool public_only)
{
    bool is_init = (m->flags & METHOD_INITIALIZER) != 0;

    return (!public_only || m->access_flags & ACC_PUBLIC) && is_init == constructors
           && !(is_init && method_is_static(m)) && !(m->flags & METHOD_DELETED);
}

static jobjectArray
declared_methods(struct thread *self, struct class *c, bool constructors,
                 bool public_only)
{
    struct class *kind = known_class(self, constructors ? KNOWN_CLASS_Constructor
                                                        : KNOWN_CLASS_Method);

    if (c->pool && !class_link(self, c))
        return NULL;
    size_t mark = self->handle_count;
    for (uint32_t i = 0; i < c->method_count; i++)
        if (is_listed(class_method(c, i), constructors, public_only)
            && !keep(self, reflect_method(self, class_method(c, i))))
            return NULL;
    return object_ref(self, java_kept(self, kind, mark));
}

JVM_VALUE(jobjectArray, JVM_GetClassDeclaredMethods,
          (JNIEnv *env, jclass cls, jboolean public_only),
          declared_methods(self, ref_class(cls), false, public_only))
JVM_VALUE(jobjectArray, JVM_GetClassDeclaredConstructors,
          (JNIEnv *env, jclass cls, jboolean public_only),
          declared_methods(self, ref_class(cls), true, public_only))

JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredFields(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls), *kind = known_class(self, KNOWN_CLASS_Field);

    if (c->pool && !class_link(self, c))
        return NULL;
    size_t mark = self->handle_count;
    for (uint32_t i = 0; i < c->field_count; i++)
        if ((!public_only || (c->fields[i].access_flags & ACC_PUBLIC))
            && !keep(self, reflect_field(self, &c->fields[i])))
            return NULL;
    return object_ref(self, java_kept(self, kind, mark));
}

/* ---- calls ---- */

/* The pending exception becomes the target of an InvocationTargetException. */
static void
wrap_in_target_exception(struct thread *self)
{
    SCOPE(self);
    struct object *cause = keep(self, exception_take(self));
    union slot args[2] = { { .ref = NULL }, { .ref = cause } };
    struct object *e =
        java_construct(self, known_class(self, KNOWN_CLASS_InvocationTargetException),
                       "(Ljava/lang/Throwable;)V", args);

    if (e)
        throw_object(self, e);
}

/* The method that receiver runs for m; NULL with what to throw pending. */
static struct method *
select_for(struct thread *self, struct method *m, const struct object *receiver)
{
    if (!receiver)
        return THROW0(self, NullPointerException);
    if (!object_is_instance(receiver, m->class))
        return THROW(self, IllegalArgumentException,
                     "object is not an instance of declaring class");
    if (method_is_private(m) || (m->flags & METHOD_INITIALIZER))
        return m;
    struct method *selected = select_method(self, object_class(receiver), m);
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

    if (array_length(types) != count)
        return THROW(self, IllegalArgumentException, "wrong number of arguments");
    for (int32_t i = 0; i < count; i++) {
        struct class *type = class_of_mirror(ARRAY_REFS(types)[i]);
        struct object *o = ARRAY_REFS(array)[i];
        if (!type->primitive && o && !object_is_instance(o, type))
            return THROW(self, IllegalArgumentException, "argument type mismatch");
        if (!type->primitive)
            args->ref = o;
        else if (!unbox_widened(self, o, type->primitive, args))
            return false;
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
    struct object *reflected = ref_get(method);
    struct method *m = reflected_method(self->vm, reflected);
    struct object *o = method_is_static(m) ? NULL : ref_get(receiver);
    const struct object *types = REF_FIELD(self->vm, reflected, Method_parameterTypes);
    union slot result = { .ref = NULL };

    if (!method_is_static(m))
        m = select_for(self, m, o);
    else if (!class_initialize(self, m->class))
        return NULL;
    if (!m || !invoke(self, m, o, types, ref_get(array), &result)
        || m->return_type == 'V')
        return NULL;
    return object_ref(self, m->return_type == 'L'
                                ? result.ref
                                : box_value(self, m->return_type, result));
}

JNIEXPORT jobject JNICALL
JVM_NewInstanceFromConstructor(JNIEnv *env, jobject ctor, jobjectArray array)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(ctor);
    struct method *m = reflected_method(self->vm, reflected);
    const struct object *types =
        REF_FIELD(self->vm, reflected, Constructor_parameterTypes);

    if (!class_initialize(self, m->class))
        return NULL;
    if (!class_may_have_instances(self, m->class, false))
        return NULL;
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
    SCOPE(self);
    struct object *o = java_new(self, known_class(self, KNOWN_CLASS_Parameter));

    if (!o)
        return NULL;
    if (p->name_index && cf_tag_at(file, p->name_index) != CF_UTF8)
        return THROW(self, IllegalArgumentException,
                     "Wrong type at constant pool index");
    INT_FIELD(vm, o, Parameter_index) = index;
    INT_FIELD(vm, o, Parameter_modifiers) = p->access_flags;
    REF_FIELD(vm, o, Parameter_executable) = executable;
    if (p->name_index) {
        struct object *name = string_intern_symbol(self, cf_utf8(file, p->name_index));
        if (!name)
            return NULL;
        REF_FIELD(vm, o, Parameter_name) = name;
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
    struct class *kind = known_class(self, KNOWN_CLASS_Parameter);
    size_t mark = self->handle_count;
    for (int32_t i = 0; i < code->info->parameter_count; i++)
        if (!keep(self, reflect_parameter(self, reflected, file,
                                          &code->info->parameters[i], i)))
            return NULL;
    return object_ref(self, java_kept(self, kind, mark));
}

/* ---- type annotations, as the class file has them ---- */

static struct object *
method_type_annotations(struct thread *self, const struct code *code)
{
    return code->info ? annotation_bytes(self, code->pool, code->info->type_annotations,
                                         TYPE_ANNOTATIONS)
                      : NULL;
}

JVM_VALUE(jbyteArray, JVM_GetMethodTypeAnnotations, (JNIEnv *env, jobject method),
          object_ref(self, method_type_annotations(
                               self, method_code(reflected_method(self->vm,
                                                                  ref_get(method))))))

static struct object *
field_type_annotations(struct thread *self, const struct field *f)
{
    struct cpool *pool = f->class->pool;
    const struct cf_field *info = field_info(f, pool);

    return info ? annotation_bytes(self, pool, info->type_annotations, TYPE_ANNOTATIONS)
                : NULL;
}

JVM_VALUE(jbyteArray, JVM_GetFieldTypeAnnotations, (JNIEnv *env, jobject field),
          object_ref(self, field_type_annotations(
                               self, reflected_field(self->vm, ref_get(field)))))
