/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_pool.c -- JVM_ functions of jdk.internal.reflect.ConstantPool, by
 * which the class library reads the constants that annotations refer to.
 *
 * A ConstantPool object holds its Class, which comes in as the parameter pool; the
 * object itself, the parameter before, is not needed.  An index is one of the class
 * file's constant pool (JVMS 4.4).  After a redefinition the class has several pools,
 * one of each version, which the Java side sees as one after the other: annotation_pool
 * says to which of them an index belongs.
 *
 * A constant with another tag than the function's is refused with
 * IllegalArgumentException. */

#include "jdk/jvm.h"
#include "linking/resolve.h"
#include "runtime/reflect.h"

/* Sets of tags (JVMS 4.4, table 4.4-A): bit n is the tag with number n. */
#define TAG(name) (1u << CF_##name)
#define METHOD_TAGS (TAG(METHODREF) | TAG(INTERFACE_METHODREF))
#define MEMBER_TAGS (TAG(FIELDREF) | METHOD_TAGS)

/*
 * Returns the constant pool that the class of the mirror pool has the constant *index
 * in, and makes *index the constant's number in that pool's class file; the constant
 * must have one of the tags.  Returns NULL with IllegalArgumentException pending.
 */
static struct cpool *
find_constant(struct thread *self, jobject pool, jint *index, uint32_t tags)
{
    struct cpool *cp = annotation_pool(class_of_mirror(ref_get(pool)), index);

    if (*index < 0 || *index >= cp->file->cp_count)
        return THROW(self, IllegalArgumentException,
                     "Constant pool index out of bounds");
    if (!(tags >> cf_tag_at(cp->file, (unsigned)*index) & 1))
        return THROW(self, IllegalArgumentException,
                     "Wrong type at constant pool index");
    return cp;
}

/* Class.getConstantPool: null for arrays and primitive classes. */
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

/* Returns one more than the highest index. */
JNIEXPORT jint JNICALL
JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused UNUSED, jobject pool)
{
    VM_ENTRY(env);
    const struct cpool *current = class_of_mirror(ref_get(pool))->pool;

    return (jint)current->java_index_base + current->file->cp_count;
}

/* ---- classes and members ---- */

/*
 * Returns the class that the CONSTANT_Class index of cp names.  It is resolved, which
 * may fail: NULL with an exception pending.  With only_loaded nothing is loaded, and
 * NULL means that the class is not loaded yet.
 */
static struct class *
class_at(struct thread *self, struct cpool *cp, unsigned index, bool only_loaded)
{
    if (!only_loaded)
        return resolve_class(self, cp, index);
    struct class *c = resolved_class(cp, index);
    return c ? c : class_find_loaded(cp->class->loader, cf_name(cp->file, index));
}

JNIEXPORT jclass JNICALL
JVM_ConstantPoolGetClassAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(CLASS));

    return cp ? class_ref(self, class_at(self, cp, (unsigned)index, false)) : NULL;
}

JNIEXPORT jclass JNICALL
JVM_ConstantPoolGetClassAtIfLoaded(JNIEnv *env, jobject unused UNUSED, jobject pool,
                                   jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(CLASS));

    return cp ? class_ref(self, class_at(self, cp, (unsigned)index, true)) : NULL;
}

/* Returns the index of the class that a member reference names. */
JNIEXPORT jint JNICALL
JVM_ConstantPoolGetClassRefIndexAt(JNIEnv *env, jobject unused UNUSED, jobject pool,
                                   jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, MEMBER_TAGS);

    return cp ? (jint)cp->java_index_base + cp->file->consts[index].ref.a : 0;
}

/*
 * Returns a Method object of the method that the constant index of cp names; NULL with
 * an exception pending.  With only_loaded also NULL, without one, if its class is not
 * loaded.
 */
static jobject
method_at(struct thread *self, struct cpool *cp, jint index, bool only_loaded)
{
    struct cf_member m = cf_member(cp->file, (unsigned)index);
    struct class *c = class_at(self, cp, m.class_index, only_loaded);
    struct method *found = c ? class_own_method(c, m.name, m.descriptor) : NULL;

    if (c && !found)
        return THROW(self, RuntimeException,
                     "Unable to look up method in target class");
    return found ? object_ref(self, reflect_method(self, found)) : NULL;
}

JNIEXPORT jobject JNICALL
JVM_ConstantPoolGetMethodAt(JNIEnv *env, jobject unused UNUSED, jobject pool,
                            jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, METHOD_TAGS);

    return cp ? method_at(self, cp, index, false) : NULL;
}

JNIEXPORT jobject JNICALL
JVM_ConstantPoolGetMethodAtIfLoaded(JNIEnv *env, jobject unused UNUSED, jobject pool,
                                    jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, METHOD_TAGS);

    return cp ? method_at(self, cp, index, true) : NULL;
}

/*
 * Returns a Field object of the field that the constant index of cp names; NULL with an
 * exception pending.  With only_loaded also NULL, without one, if its class is not
 * loaded.
 */
static jobject
field_at(struct thread *self, struct cpool *cp, jint index, bool only_loaded)
{
    struct cf_member m = cf_member(cp->file, (unsigned)index);
    struct class *c = class_at(self, cp, m.class_index, only_loaded);
    struct field *found = c ? class_find_field(c, m.name, m.descriptor) : NULL;

    if (c && !found)
        return THROW(self, RuntimeException, "Unable to look up field in target class");
    return found ? object_ref(self, reflect_field(self, found)) : NULL;
}

JNIEXPORT jobject JNICALL
JVM_ConstantPoolGetFieldAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(FIELDREF));

    return cp ? field_at(self, cp, index, false) : NULL;
}

JNIEXPORT jobject JNICALL
JVM_ConstantPoolGetFieldAtIfLoaded(JNIEnv *env, jobject unused UNUSED, jobject pool,
                                   jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(FIELDREF));

    return cp ? field_at(self, cp, index, true) : NULL;
}

/* ---- names ---- */

/*
 * Returns a String[] of the class's name, unless that is NULL, the member's name and
 * its descriptor.
 */
static jobjectArray
member_info(struct thread *self, struct cf_member m)
{
    const struct symbol *const symbols[] = { m.class_name, m.name, m.descriptor };
    size_t mark = self->handle_count;

    for (size_t i = m.class_name ? 0 : 1; i < 3; i++)
        handle_new(self, string_from_symbol(self, symbols[i]));
    return object_ref(self, strings_from_handles(self, mark));
}

/* Returns the name and descriptor of a CONSTANT_NameAndType. */
static struct cf_member
name_and_type(const struct classfile *file, jint index)
{
    const union cf_const *pair = &file->consts[index];

    return (struct cf_member){ .name = cf_utf8(file, pair->ref.a),
                               .descriptor = cf_utf8(file, pair->ref.b) };
}

JNIEXPORT jobjectArray JNICALL
JVM_ConstantPoolGetMemberRefInfoAt(JNIEnv *env, jobject unused UNUSED, jobject pool,
                                   jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, MEMBER_TAGS);

    return cp ? member_info(self, cf_member(cp->file, (unsigned)index)) : NULL;
}

JNIEXPORT jobjectArray JNICALL
JVM_ConstantPoolGetNameAndTypeRefInfoAt(JNIEnv *env, jobject unused UNUSED,
                                        jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(NAME_AND_TYPE));

    return cp ? member_info(self, name_and_type(cp->file, index)) : NULL;
}

/* Returns the index of the name and type that a member reference or call site names. */
JNIEXPORT jint JNICALL
JVM_ConstantPoolGetNameAndTypeRefIndexAt(JNIEnv *env, jobject unused UNUSED,
                                         jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index,
                                     MEMBER_TAGS | TAG(DYNAMIC) | TAG(INVOKE_DYNAMIC));

    return cp ? (jint)cp->java_index_base + cp->file->consts[index].ref.b : 0;
}

/* ---- values ---- */

JNIEXPORT jint JNICALL
JVM_ConstantPoolGetIntAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(INTEGER));

    return cp ? cp->file->consts[index].i : 0;
}

JNIEXPORT jlong JNICALL
JVM_ConstantPoolGetLongAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(LONG));

    return cp ? cp->file->consts[index].j : 0;
}

JNIEXPORT jfloat JNICALL
JVM_ConstantPoolGetFloatAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(FLOAT));

    return cp ? cp->file->consts[index].f : 0;
}

JNIEXPORT jdouble JNICALL
JVM_ConstantPoolGetDoubleAt(JNIEnv *env, jobject unused UNUSED, jobject pool,
                            jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(DOUBLE));

    return cp ? cp->file->consts[index].d : 0;
}

JNIEXPORT jstring JNICALL
JVM_ConstantPoolGetStringAt(JNIEnv *env, jobject unused UNUSED, jobject pool,
                            jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(STRING));

    return cp ? object_ref(self, resolve_object(self, cp, (unsigned)index)) : NULL;
}

JNIEXPORT jstring JNICALL
JVM_ConstantPoolGetUTF8At(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, TAG(UTF8));

    return cp ? object_ref(self,
                           string_from_symbol(self, cf_utf8(cp->file, (unsigned)index)))
              : NULL;
}

/* Returns the tag, whatever it is. */
JNIEXPORT jbyte JNICALL
JVM_ConstantPoolGetTagAt(JNIEnv *env, jobject unused UNUSED, jobject pool, jint index)
{
    VM_ENTRY(env);
    struct cpool *cp = find_constant(self, pool, &index, UINT32_MAX);

    return cp ? (jbyte)cf_tag_at(cp->file, (unsigned)index) : 0;
}
