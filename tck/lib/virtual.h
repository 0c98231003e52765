/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/virtual.h -- virtual threads in known situations (tck/java/tck/Virtual.java).
 *
 * All references that these functions return are local to the case.
 */
#ifndef TCK_LIB_VIRTUAL_H
#define TCK_LIB_VIRTUAL_H

#include "tck/lib/tck.h"

/* A tck.Virtual, and its thread. */
struct virtual_thread {
    jobject stage;
    jthread thread;
};

/*
 * Where it stands.  Its stack is, from the oldest frame of its own: run(), outer() once
 * and as often again as `more` says, middle(), hold(11, 22, 3.5, 4.25, a new Model).
 *   'P'  parked in park(), called by hold(), and on no carrier
 *   'Q'  the same, for a time
 *   'X'  parked there and pinned to its carrier by the native method callBack(), which
 *        middle() calls and which calls hold()
 *   'S'  parked there; outer() has the monitor of the field first, hold() that of second
 *   'M'  running, in hold() itself
 *   'N'  in the native method block(), called by hold()
 *   'B'  in hold(), blocked on the monitor of first, which the calling thread has
 *   'W' 'T'  in Object.wait, called by hold(); 'T' for a time
 *   'Z'  in Thread.sleep, called by hold()
 *   lower case and digits: as 'P', and then hold() calls perform(), which see
 */
#define VIRTUAL_SLOT_THIS 0
#define VIRTUAL_SLOT_INT 1
#define VIRTUAL_SLOT_LONG 2
#define VIRTUAL_SLOT_FLOAT 4
#define VIRTUAL_SLOT_DOUBLE 5
#define VIRTUAL_SLOT_OBJECT 7

/* Each fails the case and answers false when it cannot be done. */
bool virtual_create(struct tck *t, char place, int more, struct virtual_thread *v);
bool virtual_start(struct tck *t, char place, struct virtual_thread *v);
bool virtual_start_deeper(struct tck *t, char place, int more,
                          struct virtual_thread *v);
bool virtual_suspended(struct tck *t, char place, struct virtual_thread *v);
bool virtual_ended(struct tck *t, struct virtual_thread *v);
/* Start a thread that virtual_create made, and wait until it stands at its place. */
bool virtual_begin(struct tck *t, struct virtual_thread *v);

/* Let it go on, and do not wait for what comes of it. */
void virtual_let_go(struct tck *t, const struct virtual_thread *v);
/* The same and wait for its end; resumes it when it is suspended. */
bool virtual_finish(struct tck *t, const struct virtual_thread *v);
/* Let all go that the case has made. */
void virtual_release_all(struct tck *t);

/* Call a method of tck.Virtual that takes nothing, or an int, and returns nothing. */
void virtual_call(struct tck *t, const struct virtual_thread *v, const char *name);
void virtual_call_int(struct tck *t, const struct virtual_thread *v, const char *name,
                      jint value);
/* Its method, of whatever type; NULL fails the case. */
jmethodID virtual_method(struct tck *t, const char *name);
/* The depth of a method's topmost frame; -1 fails the case. */
jint virtual_depth(struct tck *t, jthread thread, jmethodID method);

#endif
