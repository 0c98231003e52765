/* SPDX-License-Identifier: MIT */
/*
 * tck/lib/stage.h -- Java threads and objects in known situations (tck/java/tck).
 *
 * All references that these functions return are local to the case.
 */
#ifndef TCK_LIB_STAGE_H
#define TCK_LIB_STAGE_H

#include "tck/lib/tck.h"

/*
 * Where a stage thread stands:
 *   'I' 'J' 'F' 'D' 'L' 'V'  in static Stage.spinX(Stage, int, long, float, double,
 *                            Object), of that result type, called from run()
 *   '1'  in run() itself: one frame
 *   'W'  in Object.wait, called from Stage.waitHere()
 *   'N'  in the native method Stage.block(), called from run()
 *   'C'  in static Stage.spinV, called by the native method Stage.callBack()
 */
#define STAGE_SLOT_STAGE 0
#define STAGE_SLOT_INT 1
#define STAGE_SLOT_LONG 2
#define STAGE_SLOT_FLOAT 4
#define STAGE_SLOT_DOUBLE 5
#define STAGE_SLOT_OBJECT 7

/* A thread that has reached its place.  NULL fails the case. */
jthread stage_start(struct tck *t, char place);
/* Same, suspended there.  The case is skipped where the VM does not offer can_suspend. */
jthread stage_suspended(struct tck *t, char place);
/* A Stage that was never started. */
jthread stage_unstarted(struct tck *t, char place);
/* One that has ended. */
jthread stage_ended(struct tck *t);
/* A virtual thread that waits in Object.wait; NULL where there are none. */
jthread stage_virtual(struct tck *t);
/* Have a virtual thread make the call; the case fails where there are none. */
void stage_on_virtual(struct tck *t, void (*call)(JNIEnv *jni, void *data), void *data);

/* Have a Stage that the case has started itself let go at its end. */
void stage_adopt(struct tck *t, jthread thread);

/* Let a thread go on to its end and wait for it; resumes it when it is suspended. */
void stage_finish(struct tck *t, jthread thread);
/* Do it for all that the case has started. */
void stage_release_all(struct tck *t);

/* An attached native thread without Java frames; suspended when asked for. */
jthread stage_bare(struct tck *t, bool suspended);

/* -- values -- */
jclass stage_class(struct tck *t, const char *name);        /* "tck/Model" */
jmethodID stage_method(struct tck *t, const char *klass, const char *name,
                       const char *signature, bool is_static);
/* Where the method's code begins: 0 where locations are indices of bytecodes. */
jlocation stage_first_location(struct tck *t, jmethodID method);
jfieldID stage_field(struct tck *t, const char *klass, const char *name,
                     const char *signature, bool is_static);
jobject stage_string(struct tck *t);
jobject stage_object(struct tck *t);                         /* a new tck.Model */
jclass stage_primitive(struct tck *t);                       /* int.class */
jobject stage_static(struct tck *t, const char *klass, const char *name,
                     const char *signature);                 /* a static field */
jobject stage_call(struct tck *t, const char *klass, const char *name,
                   const char *signature, ...);              /* static, object result */
jlong stage_call_long(struct tck *t, const char *klass, const char *name,
                      const char *signature, ...);
void stage_call_void(struct tck *t, const char *klass, const char *name,
                     const char *signature, ...);
jobject stage_get(struct tck *t, jobject object, const char *name,
                  const char *signature);                    /* instance field */
jlong stage_get_long(struct tck *t, jobject object, const char *name);

/* GetObjectSize, an estimate that "may change during a single invocation": is what a
   callback was told the one from before the call, the one from now, or between them? */
jlong stage_size(struct tck *t, jobject object);
bool stage_size_fits(struct tck *t, jobject object, jlong before, jlong told);

/*
 * Is the thread, whose java.lang.Thread.State is BLOCKED, told to wait for the monitor?
 * That state is not told by the same function, so it may not be seen to wait at once; and
 * what the class library does in a thread may block it before on a monitor of its own.
 */
bool stage_awaits(struct tck *t, jthread thread, jobject monitor);

/*
 * The bytes of a target's class file, by malloc, and their count.  NULL fails the case.
 */
unsigned char *stage_bytes(struct tck *t, const char *klass, jint *count);

#endif
