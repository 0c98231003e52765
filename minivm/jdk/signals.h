/* SPDX-License-Identifier: MIT */
/* minivm/jdk/signals.h -- signals that Java sees, thread dumps, threads' natives. */

#ifndef MINIVM_JDK_SIGNALS_H
#define MINIVM_JDK_SIGNALS_H

#include "base/buf.h"
#include "jni/entry.h"

/* The dispatcher is to act as if that signal had come; nothing happens with -Xrs. */
void signals_notify(int number);

/* A dump of all Java threads, as SIGQUIT and jstack print it; stops the world. */
enum { DUMP_HEAP = 1, DUMP_SYNCHRONIZERS = 2 };
void thread_dump(struct thread *self, struct buf *out, unsigned with);
void thread_dump_print(struct thread *self);   /* to standard output, with the heap */

/* ---- management_thread.c; world stopped ---- */
/* What t waits for, or NULL, and the Thread that has it, or NULL. */
struct object *thread_blocker(struct vm *vm, const struct thread *t,
                              struct object **owner);
/* All ownable synchronizers that have an owner, kept by self; mem_free the list. */
struct synchronizers {
    struct synchronizer {
        struct object *object, *owner;
    } *list;
    size_t count;
};
void synchronizers_find(struct thread *self, struct synchronizers *all);
/* Who owns what t waits for, or NULL. */
struct thread *thread_waits_for(struct vm *vm, const struct thread *t,
                                bool monitors_only);
/* Does following owners from t lead back to t? */
bool thread_is_deadlocked(struct vm *vm, struct thread *t, bool monitors_only);

#endif
