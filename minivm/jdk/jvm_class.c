/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_class.c -- JVM_ functions of java.lang.Class: what a class is and
 * what its attributes say. */

#include <string.h>

#include "jdk/jvm.h"
#include "vm/reflect.h"
#include "vm/string.h"

enum { WRITTEN_FLAGS = 0x7fff };   /* what a class file can say */

/* NULL for arrays and primitive classes, which have no class file. */
static const struct classfile *
file_of(const struct class *c)
{
    return c->pool ? c->pool->file : NULL;
}

/* The Class[] of what was kept since mark. */
static jobject
kept_classes(struct thread *self, size_t mark)
{
    return object_ref(self, java_kept(self, KC(self->vm, Class), mark));
}

/* Is the class at index of file's pool the file's own? */
static bool
names_itself(const struct classfile *file, unsigned index)
{
    return index != 0 && cf_name(file, index) == file->this_class;
}

/* c's own entry in its InnerClasses attribute, or NULL. */
static const struct cf_inner_class *
own_entry(const struct classfile *file)
{
    for (unsigned i = 0; file && i < file->inner_class_count; i++)
        if (names_itself(file, file->inner_classes[i].inner_class))
            return &file->inner_classes[i];
    return NULL;
}

/* A function of a Class that answers a value, an expression of its struct c. */
#define CLASS_VALUE(type, function, value) \
JNIEXPORT type JNICALL \
function(JNIEnv *env, jclass cls) \
{ \
    VM_ENTRY(env); \
    struct class *c = ref_class(cls); \
    return value; \
}

/* ---- kinds and flags ---- */

JNIEXPORT jstring JNICALL
JVM_InitClassName(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct object *mirror = ref_get(cls);
    TEXTS(t);
    const char *name = own(&t, class_external_name(class_of_mirror(mirror)));
    struct object *s = keep(self, string_from_modified(self, name, strlen(name)));

    s = s ? string_intern(self, s) : NULL;
    if (s)
        __atomic_store_n(&REF_FIELD(self->vm, mirror, Class_name), s, __ATOMIC_RELEASE);
    return object_ref(self, s);
}

JNIEXPORT jobjectArray JNICALL
JVM_GetClassInterfaces(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct class *c = ref_class(cls);
    size_t mark = self->handle_count;

    for (uint32_t i = 0; i < c->interface_count; i++)
        keep(self, c->interfaces[i]->layout.mirror);
    return kept_classes(self, mark);
}

CLASS_VALUE(jboolean, JVM_IsInterface, class_is_interface(c))
CLASS_VALUE(jboolean, JVM_IsArrayClass, class_is_array(c))
CLASS_VALUE(jboolean, JVM_IsPrimitiveClass, c->primitive != 0)
CLASS_VALUE(jboolean, JVM_IsHiddenClass, (c->flags & CLASS_IS_HIDDEN) != 0)
/* A record is final, extends Record and has the attribute (JLS 8.10). */
CLASS_VALUE(jboolean, JVM_IsRecord,
            file_of(c) && file_of(c)->is_record && (c->access_flags & ACC_FINAL)
                && c->super == KC(self->vm, Record))

jint
class_access_flags(const struct class *c)
{
    return c->primitive ? ACC_ABSTRACT | ACC_FINAL | ACC_PUBLIC
                        : c->access_flags & WRITTEN_FLAGS;
}

/* Those of InnerClasses where the class is a member or local one (JVMS 4.7.6); an
   array's are its elements' as far as access goes. */
static jint
class_modifiers(const struct class *c)
{
    const struct cf_inner_class *e = own_entry(file_of(c));

    if (c->primitive)
        return class_access_flags(c);
    if (class_is_array(c))
        return ACC_ABSTRACT | ACC_FINAL
               | (class_modifiers(c->bottom)
                  & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED));
    return (e ? e->access_flags : c->access_flags) & WRITTEN_FLAGS & ~ACC_SUPER;
}

CLASS_VALUE(jint, JVM_GetClassAccessFlags, class_access_flags(c))
CLASS_VALUE(jint, JVM_GetClassModifiers, class_modifiers(c))

/* ---- what the mirror holds ---- */

JNIEXPORT jobjectArray JNICALL
JVM_GetClassSigners(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct object *signers = REF_FIELD(self->vm, ref_get(cls), Class_signers);

    return signers ? object_ref(self, object_clone(self, signers)) : NULL;
}

JNIEXPORT void JNICALL
JVM_SetClassSigners(JNIEnv *env, jclass cls, jobjectArray signers)
{
    VM_ENTRY(env);

    if (file_of(ref_class(cls)))
        REF_FIELD(self->vm, ref_get(cls), Class_signers) = ref_get(signers);
}

CLASS_VALUE(jobject, JVM_GetProtectionDomain,
            object_ref(self,
                       REF_FIELD(self->vm, c->layout.mirror, Class_protectionDomain)))

/* ---- inner classes ---- */

static bool
resolves_to(struct thread *self, struct class *c, unsigned index,
            const struct class *to)
{
    return cf_name(file_of(c), index) == to->name
           && resolve_class(self, c->pool, index) == to;
}

/*
 * The InnerClasses attributes of outer and inner must agree (JLS 13.1); false with
 * IncompatibleClassChangeError pending.
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

JNIEXPORT jobjectArray JNICALL
JVM_GetDeclaredClasses(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);
    size_t mark = self->handle_count;

    for (unsigned i = 0; file && i < file->inner_class_count; i++) {
        const struct cf_inner_class *e = &file->inner_classes[i];
        if (e->inner_class == 0 || !names_itself(file, e->outer_class))
            continue;
        struct class *inner = resolve_class(self, c->pool, e->inner_class);
        if (!inner || !check_inner(self, c, inner, true))
            return NULL;
        keep(self, inner->layout.mirror);
    }
    return kept_classes(self, mark);
}

JNIEXPORT jclass JNICALL
JVM_GetDeclaringClass(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct cf_inner_class *e = own_entry(file_of(c));

    if (!e || e->outer_class == 0)
        return NULL;
    struct class *outer = resolve_class(self, c->pool, e->outer_class);
    return outer && check_inner(self, outer, c, true) ? class_ref(self, outer) : NULL;
}

/* NULL without exception for none. */
static jstring
symbol_string(struct thread *self, const struct symbol *s)
{
    return s ? object_ref(self, string_from_symbol(self, s)) : NULL;
}

static const struct symbol *
simple_name(const struct classfile *file)
{
    const struct cf_inner_class *e = own_entry(file);

    return e && e->inner_name ? cf_utf8(file, e->inner_name) : NULL;
}

CLASS_VALUE(jstring, JVM_GetSimpleBinaryName,
            symbol_string(self, simple_name(file_of(c))))
CLASS_VALUE(jstring, JVM_GetClassSignature,
            symbol_string(self, file_of(c) ? file_of(c)->signature : NULL))

/* The class, and the method's name and descriptor or nulls (JVMS 4.7.7). */
JNIEXPORT jobjectArray JNICALL
JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = ref_class(cls);
    const struct classfile *file = file_of(c);

    if (!file || file->enclosing_class == 0)
        return NULL;
    struct class *enclosing = resolve_class(self, c->pool, file->enclosing_class);
    struct object *result =
        enclosing ? java_new_array(self, KC(self->vm, Object), 3) : NULL;
    if (!result)
        return NULL;
    ARRAY_REFS(result)[0] = enclosing->layout.mirror;
    if (file->enclosing_method) {
        const union cf_const *p = &file->consts[file->enclosing_method];
        if (!java_put(result, 1, string_from_symbol(self, cf_utf8(file, p->ref.a)))
            || !java_put(result, 2, string_from_symbol(self, cf_utf8(file, p->ref.b))))
            return NULL;
    }
    return object_ref(self, result);
}

/* ---- nests, records, sealed classes ---- */

CLASS_VALUE(jclass, JVM_GetNestHost, class_ref(self, class_nest_host(self, c)))
JVM_VALUE(jboolean, JVM_AreNestMates, (JNIEnv *env, jclass cls, jclass other),
          class_nest_host(self, ref_class(cls))
              == class_nest_host(self, ref_class(other)))

/* A class that cannot be had is no member; only errors of the VM go on. */
static struct class *
try_resolve(struct thread *self, struct class *c, unsigned index)
{
    struct class *found = resolve_class(self, c->pool, index);

    if (found)
        return found;
    SCOPE(self);
    struct object *e = keep(self, exception_take(self));
    struct class *vm_error = class_load_boot(self, "java/lang/VirtualMachineError");
    if (vm_error && object_is_instance(e, vm_error))
        throw_object(self, e);
    return NULL;
}

JNIEXPORT jobjectArray JNICALL
JVM_GetNestMembers(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *host = class_nest_host(self, ref_class(cls));
    const struct classfile *file = file_of(host);
    size_t mark = self->handle_count;

    keep(self, host->layout.mirror);
    for (size_t i = 0; file && i < file->nest_member_count; i++) {
        if (exception_pending(self))
            return NULL;
        struct class *member = try_resolve(self, host, file->nest_members[i]);
        if (member && class_nest_host(self, member) == host)
            keep(self, member->layout.mirror);
    }
    return exception_pending(self) ? NULL : kept_classes(self, mark);
}

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
        if (!keep(self, reflect_component(self, c, pool, &file->components[i])))
            return NULL;
    return object_ref(self, java_kept(self, kind, mark));
}

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
            keep(self, sub->layout.mirror);
    }
    return kept_classes(self, mark);
}

/* ---- annotations, as the class file has them ---- */

#define CLASS_ANNOTATIONS(function, range, kind) \
    CLASS_VALUE(jbyteArray, function, !c->pool ? NULL : \
                object_ref(self, annotation_bytes(self, c->pool, \
                                                  c->pool->file->range, kind)))
CLASS_ANNOTATIONS(JVM_GetClassAnnotations, annotations, ANNOTATIONS)
CLASS_ANNOTATIONS(JVM_GetClassTypeAnnotations, type_annotations, TYPE_ANNOTATIONS)
