/* SPDX-License-Identifier: MIT */
/* minivm/vm/redefine.h -- new versions of loaded classes (JVM TI "Redefine Classes").
 *
 * Methods stay, their code changes: a new version has a constant pool of its own and
 * a new struct code for each method.  The old ones live as long as the class, for
 * the frames, backtraces and ids that name them. */

#ifndef MINIVM_VM_REDEFINE_H
#define MINIVM_VM_REDEFINE_H

#include "vm/thread.h"

/* Why a new version is refused, numbered as JVM TI's errors ("Redefine Classes"). */
enum redefine_result {
    REDEFINE_DONE,
    REDEFINE_FORMAT = 60,
    REDEFINE_CIRCULAR,
    REDEFINE_VERIFICATION,
    REDEFINE_METHOD_ADDED,
    REDEFINE_SCHEMA,
    REDEFINE_HIERARCHY = 66,
    REDEFINE_METHOD_DELETED,
    REDEFINE_VERSION,
    REDEFINE_NAME,
    REDEFINE_CLASS_MODIFIERS,
    REDEFINE_METHOD_MODIFIERS,
    REDEFINE_ATTRIBUTE,
    REDEFINE_NO_MEMORY = 110
};

/* A class and what it is to become.  With bytes NULL it is transformed again, from
   the class file that the agents which can retransform saw. */
struct new_version {
    struct class *class;           /* modifiable; its mirror is kept by the caller */
    const uint8_t *bytes;          /* the caller's */
    size_t length;
    struct cpool *pool;            /* the rest is classes_redefine's */
    const struct cpool *same;      /* the current one, if it has the same file */
    bool is_nested;                /* in a hook of a redefinition by the same thread */
};

/* Neither primitive nor an array nor hidden. */
bool class_is_modifiable(const struct class *c);

/*
 * Replace all or, when any is refused, none.  Sends ClassFileLoadHook, loads what
 * verification asks for, and stops the world for the exchange; calls replacing for each
 * class first.  A pending exception is kept.
 */
enum redefine_result classes_redefine(struct thread *self, struct new_version *versions,
                                      size_t count,
                                      void (*replacing)(struct thread *self,
                                                        struct class *c));

#endif
