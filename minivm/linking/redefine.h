/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/redefine.h -- new versions of loaded classes (JVM TI "Redefine
 * Classes", "Retransform Classes").
 *
 * A struct class and its struct methods stay where they are.  A new version of a class
 * consists of a constant pool of its own and a struct method_version for each method.
 * The old ones live as long as the class, for the frames, backtraces and ids that name
 * them.
 */

#ifndef MINIVM_LINKING_REDEFINE_H
#define MINIVM_LINKING_REDEFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class;
struct cpool;
struct thread;

/* What became of a redefinition.  Each reason to refuse one is an error of JVM TI
   "Redefine Classes". */
enum redefine_result {
    REDEFINE_DONE,
    REDEFINE_FORMAT,           /* the class file is malformed */
    REDEFINE_CIRCULAR,         /* the class would be its own supertype */
    REDEFINE_VERIFICATION,     /* the class file does not verify */
    REDEFINE_METHOD_ADDED,     /* a method was added */
    REDEFINE_SCHEMA,           /* fields were changed */
    REDEFINE_HIERARCHY,        /* the direct supertypes were changed */
    REDEFINE_METHOD_DELETED,   /* a method was deleted */
    REDEFINE_VERSION,          /* the class file's version is not supported */
    REDEFINE_NAME,             /* the class file has another name */
    REDEFINE_CLASS_MODIFIERS,  /* access flags of the class were changed */
    REDEFINE_METHOD_MODIFIERS, /* access flags of a method were changed */
    REDEFINE_ATTRIBUTE, /* NestHost, NestMembers, Record or PermittedSubclasses */
    REDEFINE_NO_MEMORY
};

/* A class and what it is to become. */
struct new_version {
    struct class *class; /* modifiable; the caller keeps its mirror alive */
    /* The new class file, the caller's.  NULL: the class is retransformed, from the
       class file that the agents which can retransform saw first. */
    const uint8_t *bytes;
    size_t length;
    /* The rest is classes_redefine's own. */
    struct cpool *pool;
    const struct cpool *same; /* the current pool, if it has the same class file */
    bool is_nested; /* in a ClassFileLoadHook of a redefinition by this thread */
};

/* Returns true if c can be redefined: it is neither primitive nor an array nor hidden
   (JVM TI "Is Modifiable Class"). */
bool class_is_modifiable(const struct class *c);

/*
 * Gives all of the classes their new versions, or, if one is refused, none.  Sends
 * ClassFileLoadHook, may load classes for verification, and stops the world for the
 * exchange.  In that stop calls replacing for each class before it changes.  Waits
 * while another thread redefines one of the classes.  An exception that is pending
 * before is pending afterwards.
 */
enum redefine_result classes_redefine(struct thread *self, struct new_version *versions,
                                      size_t count,
                                      void (*replacing)(struct thread *self,
                                                        struct class *c));

#endif
