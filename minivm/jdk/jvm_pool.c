/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_pool.c -- JVM_ functions of jdk.internal.reflect.ConstantPool.
 *
 * pool is the Class whose constants are meant, that of the Java object. */

#include "jdk/jvm.h"
#include "vm/reflect.h"

/* A set of tags, by number. */
#define TAG(name) (1u << CF_##name)
#define MEMBER_TAGS (TAG(FIELDREF) | TAG(METHODREF) | TAG(INTERFACE_METHODREF))

/* Is there a constant of one of those tags at index?  IllegalArgumentException. */
static bool
check(struct thread *self, const struct cpool *pool, jint index, uint32_t tags)
{
    if (index < 0 || index >= pool->file->cp_count)
        THROW(self, IllegalArgumentException, "Constant pool index out of bounds");
    else if (!(tags >> cf_tag_at(pool->file, (unsigned)index) & 1))
        THROW(self, IllegalArgumentException, "Wrong type at constant pool index");
    else
        return true;
    return false;
}

/*
 * A function of the constant at index, which must have one of those tags: value is made
 * of self, cp, the version of the class that index, as annotations have it, is about,
 * and the index in its file.
 */
#define POOL_VALUE(type, function, tags, value) \
JNIEXPORT type JNICALL \
function(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index) \
{ \
    VM_ENTRY(env); \
    struct cpool *cp = annotation_pool(class_of_mirror(ref_get(pool)), &index); \
    return check(self, cp, index, (tags)) ? value : (type)0; \
}

JNIEXPORT jobject JNICALL
JVM_GetClassConstantPool(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct object *o;

    if (!ref_class(cls)->pool)
        return NULL;
    o = java_new(self, known_class(self, KNOWN_CLASS_ConstantPool));
    if (o)
        REF_FIELD(self->vm, o, ConstantPool_constantPoolOop) = ref_get(cls);
    return object_ref(self, o);
}

JNIEXPORT jint JNICALL
JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused UNUSED, jobject pool)
{
    VM_ENTRY(env);
    const struct cpool *current = class_of_mirror(ref_get(pool))->pool;

    return (jint)current->told_from + current->file->cp_count;
}

/* ---- classes and members ---- */

/* Without only_loaded, NULL with an exception pending. */
static struct class *
class_at(struct thread *self, struct cpool *cp, unsigned index, bool only_loaded)
{
    if (!only_loaded)
        return resolve_class(self, cp, index);
    struct class *c = resolved_entry(cp, index);
    return c ? c : class_find_loaded(cp->class->loader, cf_name(cp->file, index));
}

POOL_VALUE(jclass, JVM_ConstantPoolGetClassAt, TAG(CLASS),
           class_ref(self, class_at(self, cp, (unsigned)index, false)))
POOL_VALUE(jclass, JVM_ConstantPoolGetClassAtIfLoaded, TAG(CLASS),
           class_ref(self, class_at(self, cp, (unsigned)index, true)))
POOL_VALUE(jint, JVM_ConstantPoolGetClassRefIndexAt, MEMBER_TAGS,
           (jint)cp->told_from + cp->file->consts[index].ref.a)

/* Two functions, of a member that index names, and of one whose class is loaded. */
#define POOL_MEMBER(Kind, kind, find, tags) \
static jobject \
kind##_at(struct thread *self, struct cpool *cp, jint index, bool only_loaded) \
{ \
    struct cf_member m = cf_member(cp->file, (unsigned)index); \
    struct class *c = class_at(self, cp, m.class_index, only_loaded); \
    struct kind *found = c ? find(c, m.name, m.descriptor) : NULL; \
    if (c && !found) \
        return THROW(self, RuntimeException, \
                     "Unable to look up " #kind " in target class"); \
    return found ? object_ref(self, reflect_##kind(self, found)) : NULL; \
} \
POOL_VALUE(jobject, JVM_ConstantPoolGet##Kind##At, tags, \
           kind##_at(self, cp, index, false)) \
POOL_VALUE(jobject, JVM_ConstantPoolGet##Kind##AtIfLoaded, tags, \
           kind##_at(self, cp, index, true))
POOL_MEMBER(Method, method, class_own_method, TAG(METHODREF) | TAG(INTERFACE_METHODREF))
POOL_MEMBER(Field, field, class_find_field, TAG(FIELDREF))

/* ---- names ---- */

static jobjectArray
member_info(struct thread *self, struct cf_member m)
{
    const struct symbol *const symbols[] = { m.class_name, m.name, m.descriptor };
    size_t mark = self->handle_count;

    for (size_t i = m.class_name ? 0 : 1; i < 3; i++)
        keep(self, string_from_symbol(self, symbols[i]));
    return object_ref(self, java_kept_strings(self, mark));
}

static struct cf_member
name_and_type(const struct classfile *file, jint index)
{
    const union cf_const *pair = &file->consts[index];

    return (struct cf_member){ .name = cf_utf8(file, pair->ref.a),
                               .descriptor = cf_utf8(file, pair->ref.b) };
}

POOL_VALUE(jobjectArray, JVM_ConstantPoolGetMemberRefInfoAt, MEMBER_TAGS,
           member_info(self, cf_member(cp->file, (unsigned)index)))
POOL_VALUE(jobjectArray, JVM_ConstantPoolGetNameAndTypeRefInfoAt, TAG(NAME_AND_TYPE),
           member_info(self, name_and_type(cp->file, index)))
POOL_VALUE(jint, JVM_ConstantPoolGetNameAndTypeRefIndexAt,
           MEMBER_TAGS | TAG(DYNAMIC) | TAG(INVOKE_DYNAMIC),
           (jint)cp->told_from + cp->file->consts[index].ref.b)

/* ---- values ---- */

POOL_VALUE(jint, JVM_ConstantPoolGetIntAt, TAG(INTEGER), cp->file->consts[index].i)
POOL_VALUE(jlong, JVM_ConstantPoolGetLongAt, TAG(LONG), cp->file->consts[index].j)
POOL_VALUE(jfloat, JVM_ConstantPoolGetFloatAt, TAG(FLOAT), cp->file->consts[index].f)
POOL_VALUE(jdouble, JVM_ConstantPoolGetDoubleAt, TAG(DOUBLE), cp->file->consts[index].d)
POOL_VALUE(jstring, JVM_ConstantPoolGetStringAt, TAG(STRING),
           object_ref(self, resolve_object(self, cp, (unsigned)index)))
POOL_VALUE(jstring, JVM_ConstantPoolGetUTF8At, TAG(UTF8),
           object_ref(self,
                      string_from_symbol(self, cf_utf8(cp->file, (unsigned)index))))
POOL_VALUE(jbyte, JVM_ConstantPoolGetTagAt, UINT32_MAX,
           (jbyte)cf_tag_at(cp->file, (unsigned)index))
