/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_class.c -- JVM_ functions of java.lang.Class: what a class is and
 * what its attributes say.
 *
 * Most of them read the parsed class file, which the class's constant pool keeps
 * (class->pool->file); arrays and primitive classes have neither, and get null or 0. A
 * function that returns an array of classes or members makes a handle for each element
 * first and then an array of the handles made since a mark, so that no element is lost
 * when the array's allocation collects.
 *
 * Names of other classes in an attribute (nest members, permitted subclasses, inner
 * classes) are resolved here, as JVMS 5.4.3.1 has it, so that these functions may run
 * Java code of class loaders. */

#include <string.h>

#include "jdk/jvm.h"
#include "linking/nest.h"
#include "linking/resolve.h"
#include "runtime/reflect.h"
#include "runtime/string.h"

/* Returns c's class file, or NULL for arrays and primitive classes, which have none. */
static const struct classfile *
file_of(const struct class *c)
{
    return c->pool ? c->pool->file : NULL;
}

/*
 * Returns a Class[] of the objects that handles were made for since handle_count was
 * mark.
 */
static jobject
classes_from_handles(struct thread *self, size_t mark)
{
    return object_ref(self, array_from_handles(self, KC(self->vm, Class), mark));
}

/* ---- kinds and flags ---- */

/*
 * Class.initClassName: returns the interned binary name, and stores it in the mirror's
 * name field, where Class.getName looks first.
 */
JNIEXPORT jstring JNICALL
JVM_InitClassName(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct object *mirror = ref_get(cls);
    TEXTS(t);
    const char *name = own(&t, class_external_name(class_of_mirror(mirror)));
    struct object *s = handle_new(self, string_from_modified(self, name, strlen(name)));

    s = s ? string_intern(self, s) : NULL;
    if (s)
        __atomic_store_n(&REF_FIELD(self->vm, mirror, Class_name), s, __ATOMIC_RELEASE);
    return object_ref(self, s);
}

/*
 * Class.getInterfaces: the direct superinterfaces in the class file's order; for an
 * array Cloneable and Serializable.
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassInterfaces(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct class *c = ref_class(cls);
    size_t mark = self->handle_count;

    for (uint32_t i = 0; i < c->interface_count; i++)
        handle_new(self, c->interfaces[i]->layout.mirror);
    return classes_from_handles(self, mark);
}

JNIEXPORT jboolean JNICALL
JVM_IsInterface(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return class_is_interface(ref_class(cls));
}

JNIEXPORT jboolean JNICALL
JVM_IsArrayClass(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return class_is_array(ref_class(cls));
}

JNIEXPORT jboolean JNICALL
JVM_IsPrimitiveClass(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return ref_class(cls)->primitive != 0;
}

JNIEXPORT jboolean JNICALL
JVM_IsHiddenClass(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return (ref_class(cls)->flags & CLASS_IS_HIDDEN) != 0;
}

/*
 * Class.isRecord: a record class is final, extends Record and has the attribute (JLS
 * 8.10, JVMS 4.7.30).
 */
JNIEXPORT jboolean JNICALL
JVM_IsRecord(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);

    return file && file->is_record && (c->access_flags & ACC_FINAL)
           && c->super == KC(self->vm, Record);
}

/* Class.getClassFileVersion0: minor and major version; for arrays that of their
   elements' class, and the newest for primitive classes. */
JNIEXPORT jint JNICALL
JVM_GetClassFileVersion(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct classfile *file = file_of(ref_class(cls)->bottom);

    return file ? file->minor << 16 | file->major : self->vm->profile->max_class_major;
}

/* Reflection.getClassAccessFlags. */
JNIEXPORT jint JNICALL
JVM_GetClassAccessFlags(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return class_access_flags(ref_class(cls));
}

/* Class.getModifiers. */
JNIEXPORT jint JNICALL
JVM_GetClassModifiers(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return class_modifiers(ref_class(cls));
}

/* ---- what the mirror holds ---- */

/* Class.getSigners: a copy, so that the caller cannot change the class's own. */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassSigners(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct object *signers = REF_FIELD(self->vm, ref_get(cls), Class_signers);

    return signers ? object_ref(self, object_clone(self, signers)) : NULL;
}

/* Class.setSigners; arrays and primitive classes have no signers. */
JNIEXPORT void JNICALL
JVM_SetClassSigners(JNIEnv *env, jclass cls, jobjectArray signers)
{
    VM_ENTRY(env);

    if (file_of(ref_class(cls)))
        REF_FIELD(self->vm, ref_get(cls), Class_signers) = ref_get(signers);
}

JNIEXPORT jobject JNICALL
JVM_GetProtectionDomain(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return object_ref(self, REF_FIELD(self->vm, ref_get(cls), Class_protectionDomain));
}

/* ---- inner classes ---- */

/*
 * Returns true if the CONSTANT_Class at index of c's pool resolves to the class to.
 * Compares the name before it resolves, so that no other class is loaded.  May leave an
 * exception pending.  The result is false if resolution fails.
 */
static bool
resolves_to(struct thread *self, struct class *c, unsigned index,
            const struct class *to)
{
    return cf_name(file_of(c), index) == to->name
           && resolve_class(self, c->pool, index) == to;
}

/*
 * Returns true if outer's InnerClasses attribute has inner as a member (or, unless
 * is_member, as a local class), so that the claims of both class files agree (JLS
 * 13.1).  Returns false with IncompatibleClassChangeError, or what resolution threw,
 * pending.  An entry without an outer class is that of a local or anonymous class.
 */
static bool
check_inner(struct thread *self, struct class *outer, struct class *inner,
            bool is_member)
{
    const struct classfile *file = file_of(outer);

    for (unsigned i = 0; file && i < file->inner_class_count; i++) {
        const struct cf_inner_class *e = &file->inner_classes[i];
        if (e->inner_class == 0 || (e->outer_class != 0) != is_member)
            continue;
        if ((!is_member || resolves_to(self, outer, e->outer_class, outer))
            && resolves_to(self, outer, e->inner_class, inner))
            return true;
        if (exception_pending(self))
            return false;
    }
    return THROW(self, IncompatibleClassChangeError,
                 "%pC and %pC disagree on InnerClasses attribute", outer, inner);
}

/*
 * Class.getDeclaredClasses: the member classes that the InnerClasses attribute of the
 * class has as its own.  The class file of each member has to agree, or
 * IncompatibleClassChangeError is thrown.
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetDeclaredClasses(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);
    size_t mark = self->handle_count;

    for (unsigned i = 0; file && i < file->inner_class_count; i++) {
        const struct cf_inner_class *e = &file->inner_classes[i];
        if (e->inner_class == 0 || !class_file_names_itself(file, e->outer_class))
            continue;
        struct class *inner = resolve_class(self, c->pool, e->inner_class);
        if (!inner || !check_inner(self, c, inner, true))
            return NULL;
        handle_new(self, inner->layout.mirror);
    }
    return classes_from_handles(self, mark);
}

/* Class.getDeclaringClass: null for a top-level, local or anonymous class. */
JNIEXPORT jclass JNICALL
JVM_GetDeclaringClass(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct cf_inner_class *e = class_file_own_entry(file_of(c));

    if (!e || e->outer_class == 0)
        return NULL;
    struct class *outer = resolve_class(self, c->pool, e->outer_class);
    return outer && check_inner(self, outer, c, true) ? class_ref(self, outer) : NULL;
}

/* Returns a String of s; NULL, without an exception, if s is NULL. */
static jstring
symbol_string(struct thread *self, const struct symbol *s)
{
    return s ? object_ref(self, string_from_symbol(self, s)) : NULL;
}

/*
 * Returns the class's simple name in the source; NULL for a top-level or anonymous
 * class.
 */
static const struct symbol *
simple_name(const struct classfile *file)
{
    const struct cf_inner_class *e = class_file_own_entry(file);

    return e && e->inner_name ? cf_utf8(file, e->inner_name) : NULL;
}

/* Class.getSimpleBinaryName: null for a top-level or anonymous class. */
JNIEXPORT jstring JNICALL
JVM_GetSimpleBinaryName(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return symbol_string(self, simple_name(file_of(ref_class(cls))));
}

/* Class.getGenericSignature0: the Signature attribute, or null (JVMS 4.7.9). */
JNIEXPORT jstring JNICALL
JVM_GetClassSignature(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct classfile *file = file_of(ref_class(cls));

    return symbol_string(self, file ? file->signature : NULL);
}

/*
 * Class.getEnclosingMethod: Object[3] of the enclosing class and the method's name and
 * descriptor, which are null when no method encloses the class (JVMS 4.7.7).
 * enclosing_method is the index of a CONSTANT_NameAndType, a being its name and b its
 * descriptor, or 0.
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);

    if (!file || file->enclosing_class == 0)
        return NULL;
    struct class *enclosing = resolve_class(self, c->pool, file->enclosing_class);
    struct object *result = enclosing ? java_new_array(self, KC(self->vm, Object), 3)
                                      : NULL;
    if (!result)
        return NULL;
    ARRAY_REFS(result)[0] = enclosing->layout.mirror;
    if (file->enclosing_method) {
        const union cf_const *p = &file->consts[file->enclosing_method];
        if (!java_array_store(result, 1,
                              string_from_symbol(self, cf_utf8(file, p->ref.a)))
            || !java_array_store(result, 2,
                                 string_from_symbol(self, cf_utf8(file, p->ref.b))))
            return NULL;
    }
    return object_ref(self, result);
}

/* ---- nests, records, sealed classes ---- */

/*
 * Class.getNestHost: the class itself when the host that it names cannot be had (JVMS
 * 5.4.4).
 */
JNIEXPORT jclass JNICALL
JVM_GetNestHost(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return class_ref(self, class_nest_host(self, ref_class(cls)));
}

/* Reflection.areNestMates (JVMS 5.4.4). */
JNIEXPORT jboolean JNICALL
JVM_AreNestMates(JNIEnv *env, jclass cls, jclass other)
{
    VM_ENTRY(env);

    return class_nest_host(self, ref_class(cls))
           == class_nest_host(self, ref_class(other));
}

/*
 * Resolves the CONSTANT_Class at index of c's pool for a list of classes that leaves
 * out what cannot be loaded: returns NULL, and of the exceptions only a
 * VirtualMachineError stays pending.  Everything else that resolution throws is
 * dropped.  No exception is pending before.
 */
static struct class *
try_resolve(struct thread *self, struct class *c, unsigned index)
{
    struct class *found = resolve_class(self, c->pool, index);

    if (found)
        return found;
    HANDLE_SCOPE(self);
    struct object *e = handle_new(self, exception_take(self));
    struct class *vm_error = class_load_boot(self, "java/lang/VirtualMachineError");
    if (vm_error && object_is_instance(e, vm_error))
        throw_object(self, e);
    return NULL;
}

/*
 * Class.getNestMembers: the host first, then each class that the host's NestMembers
 * names and whose NestHost names the host (JVMS 4.7.29, 5.4.4).  What cannot be loaded,
 * or names another host, is left out (the specification of Class.getNestMembers).
 */
JNIEXPORT jobjectArray JNICALL
JVM_GetNestMembers(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *host = class_nest_host(self, ref_class(cls));
    const struct classfile *file = file_of(host);
    size_t mark = self->handle_count;

    handle_new(self, host->layout.mirror);
    for (size_t i = 0; file && i < file->nest_member_count; i++) {
        if (exception_pending(self))
            return NULL;
        struct class *member = try_resolve(self, host, file->nest_members[i]);
        if (member && class_nest_host(self, member) == host)
            handle_new(self, member->layout.mirror);
    }
    return exception_pending(self) ? NULL : classes_from_handles(self, mark);
}

/* Class.getRecordComponents; null when the class has no Record attribute. */
JNIEXPORT jobjectArray JNICALL
JVM_GetRecordComponents(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    struct cpool *pool = c->pool;
    const struct classfile *file = file_of(c);

    if (!file || !file->is_record)
        return NULL;
    struct class *kind = known_class(self, KNOWN_CLASS_RecordComponent);
    size_t mark = self->handle_count;
    for (unsigned i = 0; i < file->component_count; i++)
        if (!handle_new(self, reflect_component(self, c, pool, &file->components[i])))
            return NULL;
    return object_ref(self, array_from_handles(self, kind, mark));
}

/* Class.getPermittedSubclasses; null when the class is not sealed (JVMS 4.7.31). */
JNIEXPORT jobjectArray JNICALL
JVM_GetPermittedSubclasses(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);
    size_t mark = self->handle_count;

    if (!file || !file->has_permitted_subclasses)
        return NULL;
    for (unsigned i = 0; i < file->permitted_count; i++) {
        struct class *sub = try_resolve(self, c, file->permitted_subclasses[i]);
        if (exception_pending(self))
            return NULL;
        if (sub && !class_is_array(sub))
            handle_new(self, sub->layout.mirror);
    }
    return classes_from_handles(self, mark);
}

/* ---- annotations: the bytes of the attributes; the class library parses them ---- */

/* Class.getRawAnnotations (JVMS 4.7.16). */
JNIEXPORT jbyteArray JNICALL
JVM_GetClassAnnotations(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);

    return c->pool ? object_ref(
               self,
               annotation_bytes(self, c->pool, c->pool->file->annotations, ANNOTATIONS))
                   : NULL;
}

/* Class.getRawTypeAnnotations (JVMS 4.7.20). */
JNIEXPORT jbyteArray JNICALL
JVM_GetClassTypeAnnotations(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);

    return c->pool ? object_ref(self, annotation_bytes(self, c->pool,
                                                       c->pool->file->type_annotations,
                                                       TYPE_ANNOTATIONS))
                   : NULL;
}
