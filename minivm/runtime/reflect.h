/* SPDX-License-Identifier: MIT */
/* minivm/runtime/reflect.h -- java.lang.reflect objects from the VM's structures, and
 * back.
 *
 * A Method, Constructor, Field or RecordComponent is a Java object of its own, with the
 * index (slot) of what it stands for in its class.  The JDK's natives and the JNI make
 * and read them.  To make one allocates and loads classes: it stops and collects, and
 * returns NULL with the exception pending when it fails. */

#ifndef MINIVM_RUNTIME_REFLECT_H
#define MINIVM_RUNTIME_REFLECT_H

#include "linking/class.h"

struct vm;

/* The access flags that getModifiers of java.lang.reflect may return (JVMS 4.5,
   4.6). */
enum { REFLECTED_METHOD_FLAGS = 0x1dff, REFLECTED_FIELD_FLAGS = 0x50df };

/* Returns a new java.lang.reflect.Method, or a Constructor when m is <init>.  Loads the
   classes of its descriptor and its exceptions. */
struct object *reflect_method(struct thread *self, struct method *m);

/* Returns a new java.lang.reflect.Field.  Loads the class of its type. */
struct object *reflect_field(struct thread *self, struct field *f);

/* Returns a new java.lang.reflect.RecordComponent for r, which is in the class file of
   pool, a version of the record c (JVMS 4.7.30). */
struct object *reflect_component(struct thread *self, struct class *c,
                                 struct cpool *pool,
                                 const struct cf_record_component *r);

/* Returns the method that a Method or Constructor stands for. */
struct method *reflected_method(const struct vm *vm, const struct object *reflected);

/* Returns the field that a Field stands for. */
struct field *reflected_field(const struct vm *vm, const struct object *reflected);

/* Returns whether f is final and setAccessible cannot make it writable, so that the JDK
   may treat it as a constant (Field.trustedFinal). */
bool field_is_trusted_final(const struct field *f);

/* Returns the declaration of f in the class file of pool, a version of f's class; NULL
   for a field that the VM has added. */
const struct cf_field *field_info(const struct field *f, const struct cpool *pool);

/* ---- annotation.c ---- */

/* The attributes of annotations (JVMS 4.7.16 to 4.7.22). */
enum annotation_kind {
    ANNOTATIONS,
    PARAMETER_ANNOTATIONS,
    TYPE_ANNOTATIONS,
    ANNOTATION_DEFAULT
};

/* Returns a byte[] with that range of pool's class file, an attribute's contents, in
   which the indices of constants are those that annotation_pool knows.  NULL without an
   exception when the attribute is absent. */
struct object *annotation_bytes(struct thread *self, struct cpool *pool,
                                struct cf_range range, enum annotation_kind kind);

/* Returns the constant pool, of a version of c, that a number from annotation_bytes is
   an index of, and changes *index into the index in its class file. */
struct cpool *annotation_pool(const struct class *c, int32_t *index);

/* Chooses the numbers of pool's constants, of a new version of the class; old is the
   pool of the version before it.  The world is stopped. */
void annotation_number_pool(struct cpool *pool, const struct cpool *old);

#endif
