/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/cpool.h -- the run-time constant pool (JVMS 5.1).
 *
 * Every version of a class has a pool of its own.  It owns the parsed class file, and
 * has an entry for each constant: NULL until the constant is resolved, then what it is
 * resolved to, or the error that every later attempt throws again (JVMS 5.4.3).
 * resolve.h resolves.
 */

#ifndef MINIVM_LINKING_CPOOL_H
#define MINIVM_LINKING_CPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class;
struct classfile;
struct object;
struct thread;

/* References that a constant pool holds.  The collector finds them by the class. */
struct reference_chunk {
    struct reference_chunk *next;
    uint32_t used, capacity;
    struct object *slots[];
};

/* What a constant is resolved to.  The constant's tag says which member counts. */
union resolved {
    /* CLASS */
    struct class *class;
    /* FIELDREF */
    struct field *field;
    /* METHODREF, INTERFACE_METHODREF */
    struct method *method;
    /* STRING, METHOD_TYPE, METHOD_HANDLE, DYNAMIC: the slot of a reference_chunk that
       holds the object. */
    struct object **slot;
    /* Any of them, as the pool stores it.  NULL: not resolved. */
    void *address;
};

/*
 * entries[i] is set once, with release order, and never changed: it is the address of a
 * union resolved.  An entry that failed to resolve points to a struct resolution_error,
 * with the low bit of the pointer set; so may that of an INVOKE_DYNAMIC, which never
 * gets a value.
 */
struct cpool {
    struct class *class;
    struct classfile *file;
    struct cpool *previous; /* that of the version before; kept while the class lives */
    /* The class file before agents that can retransform have changed it, which the pool
       owns; NULL: they did not change it. */
    uint8_t *initial;
    size_t initial_length;
    /* Java code sees indices into the pool: in the bytes of annotations and through
       jdk.internal.reflect.ConstantPool.  This number is added to them, so that they
       tell which version's pool they are of (runtime/annotation.c). */
    uint32_t java_index_base;
    bool has_java_indices; /* Java code has got some */
    /* The objects of resolved constants, and what call sites keep. */
    struct reference_chunk *references;
    void *_Atomic entries[]; /* as many as the class file has constants */
};

/* Returns a pool for file, which it takes over, of class c.  cpool_free frees both. */
struct cpool *cpool_new(struct class *c, struct classfile *file);
void cpool_free(struct cpool *pool);

/* Keeps o alive as long as the class.  Returns the slot that holds it from now on,
   which does not move.  Takes class_mutex. */
struct object **cpool_add_reference(struct thread *self, struct cpool *pool,
                                    struct object *o);

/*
 * Begins the resolution of an entry.  Returns true if the caller has to find out what
 * it is; it ends by cpool_resolution_end then.  Returns false if the entry has its
 * result: it is in *value, or value->address is NULL and the error is pending again.
 */
bool cpool_resolution_begin(struct thread *self, struct cpool *pool, unsigned index,
                            union resolved *value);

/*
 * Ends the resolution of an entry with its result, or with the address NULL and an
 * exception pending.  Returns the result that was first, another thread's or value, which
 * is what the entry is from now on; the address is NULL if value's is.  If another thread
 * has failed meanwhile, the entry stays failed, and value is returned for this call
 * alone.
 */
union resolved cpool_resolution_end(struct thread *self, struct cpool *pool,
                                    unsigned index, union resolved value);

/* Stores the pending exception as the result of an entry, if it is a LinkageError: only
   those are thrown again (JVMS 5.4.3).  A result that is there already stays. */
void cpool_remember_failure(struct thread *self, struct cpool *pool, unsigned index);

/* Return what a constant of that kind (CLASS; FIELDREF; one that is an object) is
   resolved to, or NULL if it is not resolved or has failed.  They never throw, load or
   stop. */
struct class *resolved_class(const struct cpool *pool, unsigned index);
struct field *resolved_field(const struct cpool *pool, unsigned index);
struct object *resolved_object(const struct cpool *pool, unsigned index);

#endif
