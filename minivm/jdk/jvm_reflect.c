/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_reflect.c -- JVM_ functions of the members that java.lang.reflect
 * describes: lists of a class's methods and fields, calls, parameters, type
 * annotations.
 *
 * A Method, Constructor or Field object names its member by the class and a slot
 * number; runtime/reflect.h converts in both directions.  A call unpacks the boxed
 * arguments into slots, widening primitives as JLS 5.1.2 allows, and wraps what the
 * method throws into an InvocationTargetException.  The class library has checked
 * access before. */

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "linking/link.h"
#include "linking/select.h"
#include "runtime/above.h"
#include "runtime/boxing.h"
#include "runtime/reflect.h"
#include "runtime/string.h"

/* ---- declared members ---- */

/*
 * Returns true if m belongs into the list of constructors or of methods; static
 * initializers and methods that a redefinition has deleted belong to neither.
 * constructors and public_only say what the list is of.
 */
static bool
is_listed(const struct method *m, bool constructors, bool public_only)
{
    bool is_init = (m->flags & METHOD_INITIALIZER) != 0;

    return (!public_only || m->access_flags & ACC_PUBLIC) && is_init == constructors
           && !(is_init && method_is_static(m)) && !(m->flags & METHOD_DELETED);
}

/*
 * Returns an array of the Method or Constructor objects of c, linked first so that a
 * class that does not verify is reported; NULL with an exception pending.  Arrays and
 * primitive classes have no class file and so no methods, and are not linked.
 */
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
            && !handle_new(self, reflect_method(self, class_method(c, i))))
            return NULL;
    return object_ref(self, array_from_handles(self, kind, mark));
}

/* Class.getDeclaredMethods0. */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredMethods(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);

    return declared_methods(self, ref_class(cls), false, public_only);
}

/* Class.getDeclaredConstructors0. */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass cls, jboolean public_only)
{
    VM_ENTRY(env);

    return declared_methods(self, ref_class(cls), true, public_only);
}

/* Class.getDeclaredFields0. */
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
            && !handle_new(self, reflect_field(self, &c->fields[i])))
            return NULL;
    return object_ref(self, array_from_handles(self, kind, mark));
}

/* ---- calls ---- */

/*
 * Replaces the pending exception by an InvocationTargetException that has it as its
 * target.  If the wrapper cannot be made, the exception of that stays pending.
 */
static void
wrap_in_target_exception(struct thread *self)
{
    HANDLE_SCOPE(self);
    struct object *cause = handle_new(self, exception_take(self));
    union slot args[2] = { { .ref = NULL }, { .ref = cause } };
    struct object *e = java_construct(
        self, known_class(self, KNOWN_CLASS_InvocationTargetException),
        "(Ljava/lang/Throwable;)V", args);

    if (e)
        throw_object(self, e);
}

/*
 * Returns the method that a virtual call of m on receiver executes (JVMS 5.4.6); NULL
 * with an exception pending when receiver is null or not an instance of m's class.
 * When selection fails, as for an abstract method, the error is wrapped, since it is
 * one of the call.
 */
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

/*
 * Stores the objects of array, which may be NULL for none, as arguments from args[0]
 * on, in the types that the Class objects in types stand for.  Returns false with
 * IllegalArgumentException pending.
 */
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

/* The arguments of a method take 255 slots at most (JVMS 4.3.3). */
enum { MAX_ARG_SLOTS = 256 };

/*
 * Calls m, which has been selected, on receiver (NULL when static) with the boxed
 * arguments in array.  Returns false with an exception pending; result may be NULL.
 */
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

/*
 * Method.invoke: returns the boxed result, null for void.  For a static method the
 * class is initialized first; an error of its initializer is not wrapped.
 */
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

/*
 * Constructor.newInstance: allocates an object and runs the constructor on it.  The
 * object counts as made by the VM (JVM TI VMObjectAlloc), since no bytecode has made
 * it.
 */
JNIEXPORT jobject JNICALL
JVM_NewInstanceFromConstructor(JNIEnv *env, jobject ctor, jobjectArray array)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(ctor);
    struct method *m = reflected_method(self->vm, reflected);
    const struct object *types = REF_FIELD(self->vm, reflected,
                                           Constructor_parameterTypes);

    if (!class_initialize(self, m->class))
        return NULL;
    if (!class_may_have_instances(self, m->class, THROW_EXCEPTION))
        return NULL;
    struct object *o = handle_new(self, object_new(self, m->class));
    if (!o || !invoke(self, m, o, types, ref_get(array), NULL))
        return NULL;
    return object_ref(self, object_made_by_vm(self, o));
}

/* ---- parameters ---- */

/*
 * Returns a new java.lang.reflect.Parameter that describes p, the entry of file's
 * MethodParameters with that index; NULL with an exception pending when the entry is
 * malformed.
 */
static struct object *
reflect_parameter(struct thread *self, struct object *executable,
                  const struct classfile *file, const struct cf_parameter *p,
                  int32_t index)
{
    struct vm *vm = self->vm;
    HANDLE_SCOPE(self);
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

/*
 * Executable.getParameters0: null when the method has no MethodParameters (JVMS
 * 4.7.24).
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetMethodParameters(JNIEnv *env, jobject method)
{
    VM_ENTRY(env);
    struct object *reflected = ref_get(method);
    const struct method_version *version = method_version(
        reflected_method(self->vm, reflected));
    const struct classfile *file = version->pool ? version->pool->file : NULL;

    if (!version->info || !version->info->has_parameters)
        return NULL;
    struct class *kind = known_class(self, KNOWN_CLASS_Parameter);
    size_t mark = self->handle_count;
    for (int32_t i = 0; i < version->info->parameter_count; i++)
        if (!handle_new(self, reflect_parameter(self, reflected, file,
                                                &version->info->parameters[i], i)))
            return NULL;
    return object_ref(self, array_from_handles(self, kind, mark));
}

/* ---- type annotations: the bytes of the attributes, for the class library ---- */

/* Returns a byte[] of the RuntimeVisibleTypeAnnotations, or NULL (JVMS 4.7.20). */
static struct object *
method_type_annotations(struct thread *self, const struct method_version *version)
{
    return version->info ? annotation_bytes(
               self, version->pool, version->info->type_annotations, TYPE_ANNOTATIONS)
                         : NULL;
}

/* Executable.getTypeAnnotationBytes0. */
JNIEXPORT jbyteArray JNICALL
JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject method)
{
    VM_ENTRY(env);

    return object_ref(
        self, method_type_annotations(
                  self, method_version(reflected_method(self->vm, ref_get(method)))));
}

/* As method_type_annotations, for a field. */
static struct object *
field_type_annotations(struct thread *self, const struct field *f)
{
    struct cpool *pool = f->class->pool;
    const struct cf_field *info = field_info(f, pool);

    return info ? annotation_bytes(self, pool, info->type_annotations, TYPE_ANNOTATIONS)
                : NULL;
}

/* Field.getTypeAnnotationBytes0. */
JNIEXPORT jbyteArray JNICALL
JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field)
{
    VM_ENTRY(env);

    return object_ref(
        self, field_type_annotations(self, reflected_field(self->vm, ref_get(field))));
}
