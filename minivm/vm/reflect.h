/* SPDX-License-Identifier: MIT */
/* minivm/vm/reflect.h -- java.lang.reflect objects from the VM's structs. */

#ifndef MINIVM_VM_REFLECT_H
#define MINIVM_VM_REFLECT_H

#include "vm/class.h"

struct vm;

/* What java.lang.reflect's getModifiers may answer of access_flags (JVMS 4.5, 4.6). */
enum {
    REFLECTED_METHOD_FLAGS = 0x1dff,
    REFLECTED_FIELD_FLAGS = 0x50df
};

/*
 * A new java.lang.reflect.Method, or Constructor when m is <init>; resolves the
 * types of its descriptor and its exceptions.  NULL with the exception pending.
 */
struct object *reflect_method(struct thread *self, struct method *m);
struct object *reflect_field(struct thread *self, struct field *f);
/* One java.lang.reflect.RecordComponent of the record c. */
struct object *reflect_component(struct thread *self, struct class *c,
                                 struct cpool *pool,
                                 const struct cf_record_component *r);

/* The method that a Method or Constructor, the field that a Field stands for. */
struct method *reflected_method(const struct vm *vm, const struct object *reflected);
struct field *reflected_field(const struct vm *vm, const struct object *reflected);

/* A final field that setAccessible does not make writable, so that the JDK may fold it
   (Field.trustedFinal). */
bool field_is_trusted_final(const struct field *f);

/* The declaration of f in pool, a version of its class. */
const struct cf_field *field_info(const struct field *f, const struct cpool *pool);

/* ---- annotation.c ---- */

enum annotation_kind {
    ANNOTATIONS, PARAMETER_ANNOTATIONS, TYPE_ANNOTATIONS, ANNOTATION_DEFAULT
};

/* A byte[] of that range of pool's file, its constants numbered for Java; NULL without
   exception when it is absent. */
struct object *annotation_bytes(struct thread *self, struct cpool *pool,
                                struct cf_range range, enum annotation_kind kind);
/* The version of c that told Java *index, which becomes the file's. */
struct cpool *annotation_pool(const struct class *c, int32_t *index);
/* Choose the numbers of pool, which comes after old; the world is stopped. */
void annotation_number_pool(struct cpool *pool, const struct cpool *old);

#endif
