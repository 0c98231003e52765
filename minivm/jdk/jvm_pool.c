/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_pool.c -- JVM_ functions of jdk.internal.reflect.ConstantPool.
 *
 * pool is the Class whose constants are meant. */

#include "jdk/jvm.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/reflect.h"
#include "vm/string.h"

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

/* The version that index, as annotations have it, is about; index becomes the file's. */
static struct cpool *
pool_of(jobject pool, jint *index)
{
    return annotation_pool(class_of_mirror(ref_get(pool)), index);
}

/* Declares self and cp; answers failed unless the constant is there. */
#define POOL_ENTRY(tags, failed) \
    VM_ENTRY(env); \
    struct cpool *cp = pool_of(pool, &index); \
    (void)unused; \
    if (!check(self, cp, index, (tags))) \
        return failed

JNIEXPORT jobject JNICALL
JVM_GetClassConstantPool(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    struct class *c = known_class(self, KNOWN_CLASS_ConstantPool);
    struct object *o;

    if (!ref_class(cls)->pool || !c || !class_initialize(self, c))
        return NULL;
    o = object_new(self, c);
    if (o)
        OBJECT_FIELD(struct object *, o, KF(self->vm, ConstantPool_constantPoolOop)) =
            ref_get(cls);
    return object_ref(self, o);
}

JNIEXPORT jint JNICALL
JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused, jobject pool)
{
    VM_ENTRY(env);

    (void)self;
    (void)unused;
    const struct cpool *current = class_of_mirror(ref_get(pool))->pool;
    return (jint)current->told_from + current->file->cp_count;
}

/* ---- classes and members ---- */

/* The class at index if it is loaded already. */
static struct class *
class_if_loaded(const struct cpool *cp, unsigned index)
{
    struct class *c = resolved_entry(cp, index);

    return c ? c : class_find_loaded(cp->class->loader, cf_name(cp->file, index));
}

static struct class *
class_at(struct thread *self, struct cpool *cp, unsigned index, bool only_loaded)
{
    return only_loaded ? class_if_loaded(cp, index) : resolve_class(self, cp, index);
}

JVM_POOL_GETTER(jclass, ClassAt)
{
    POOL_ENTRY(TAG(CLASS), NULL);

    return class_ref(self, class_at(self, cp, (unsigned)index, false));
}

JVM_POOL_GETTER(jclass, ClassAtIfLoaded)
{
    POOL_ENTRY(TAG(CLASS), NULL);

    return class_ref(self, class_at(self, cp, (unsigned)index, true));
}

JVM_POOL_GETTER(jint, ClassRefIndexAt)
{
    POOL_ENTRY(MEMBER_TAGS, 0);

    return (jint)cp->told_from + cp->file->consts[index].ref.a;
}

static jobject
method_at(struct thread *self, struct cpool *cp, jint index, bool only_loaded)
{
    struct cf_member m = cf_member(cp->file, (unsigned)index);
    struct class *c = class_at(self, cp, m.class_index, only_loaded);
    struct method *found;

    if (!c)
        return NULL;
    found = class_own_method(c, m.name, m.descriptor);
    if (!found) {
        throw_new(self, KNOWN_CLASS_RuntimeException,
                  "Unable to look up method in target class");
        return NULL;
    }
    return object_ref(self, reflect_method(self, found));
}

JVM_POOL_GETTER(jobject, MethodAt)
{
    POOL_ENTRY(TAG(METHODREF) | TAG(INTERFACE_METHODREF), NULL);

    return method_at(self, cp, index, false);
}

JVM_POOL_GETTER(jobject, MethodAtIfLoaded)
{
    POOL_ENTRY(TAG(METHODREF) | TAG(INTERFACE_METHODREF), NULL);

    return method_at(self, cp, index, true);
}

static jobject
field_at(struct thread *self, struct cpool *cp, jint index, bool only_loaded)
{
    struct cf_member m = cf_member(cp->file, (unsigned)index);
    struct class *c = class_at(self, cp, m.class_index, only_loaded);
    struct field *found;

    if (!c)
        return NULL;
    found = class_find_field(c, m.name, m.descriptor);
    if (!found) {
        throw_new(self, KNOWN_CLASS_RuntimeException,
                  "Unable to look up field in target class");
        return NULL;
    }
    return object_ref(self, reflect_field(self, found));
}

JVM_POOL_GETTER(jobject, FieldAt)
{
    POOL_ENTRY(TAG(FIELDREF), NULL);

    return field_at(self, cp, index, false);
}

JVM_POOL_GETTER(jobject, FieldAtIfLoaded)
{
    POOL_ENTRY(TAG(FIELDREF), NULL);

    return field_at(self, cp, index, true);
}

/* ---- names ---- */

static jobjectArray
strings(struct thread *self, const struct symbol *const *symbols, int32_t count)
{
    struct object *result =
        keep(self, array_new(self, self->vm->known.string_array, count));

    for (int32_t i = 0; result && i < count; i++) {
        struct object *s = string_from_symbol(self, symbols[i]);
        if (!s)
            return NULL;
        ARRAY_REFS(result)[i] = s;
    }
    return object_ref(self, result);
}

JVM_POOL_GETTER(jobjectArray, MemberRefInfoAt)
{
    POOL_ENTRY(MEMBER_TAGS, NULL);
    struct cf_member m = cf_member(cp->file, (unsigned)index);
    const struct symbol *symbols[] = { m.class_name, m.name, m.descriptor };

    return strings(self, symbols, 3);
}

JVM_POOL_GETTER(jint, NameAndTypeRefIndexAt)
{
    POOL_ENTRY(MEMBER_TAGS | TAG(DYNAMIC) | TAG(INVOKE_DYNAMIC), 0);

    return (jint)cp->told_from + cp->file->consts[index].ref.b;
}

JVM_POOL_GETTER(jobjectArray, NameAndTypeRefInfoAt)
{
    POOL_ENTRY(TAG(NAME_AND_TYPE), NULL);
    const union cf_const *pair = &cp->file->consts[index];
    const struct symbol *symbols[] = { cf_utf8(cp->file, pair->ref.a),
                                       cf_utf8(cp->file, pair->ref.b) };

    return strings(self, symbols, 2);
}

/* ---- values ---- */

JVM_POOL_GETTER(jint, IntAt)
{
    POOL_ENTRY(TAG(INTEGER), 0);

    return cp->file->consts[index].i;
}

JVM_POOL_GETTER(jlong, LongAt)
{
    POOL_ENTRY(TAG(LONG), 0);

    return cp->file->consts[index].j;
}

JVM_POOL_GETTER(jfloat, FloatAt)
{
    POOL_ENTRY(TAG(FLOAT), 0);

    return cp->file->consts[index].f;
}

JVM_POOL_GETTER(jdouble, DoubleAt)
{
    POOL_ENTRY(TAG(DOUBLE), 0);

    return cp->file->consts[index].d;
}

JVM_POOL_GETTER(jstring, StringAt)
{
    POOL_ENTRY(TAG(STRING), NULL);

    return object_ref(self, resolve_string(self, cp, (unsigned)index));
}

JVM_POOL_GETTER(jstring, UTF8At)
{
    POOL_ENTRY(TAG(UTF8), NULL);

    return object_ref(self, string_from_symbol(self, cf_utf8(cp->file, (unsigned)index)));
}

JVM_POOL_GETTER(jbyte, TagAt)
{
    POOL_ENTRY(UINT32_MAX, 0);

    return (jbyte)cf_tag_at(cp->file, (unsigned)index);
}
