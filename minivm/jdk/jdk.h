/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jdk.h -- what the VM gives the JDK's class library besides JNI. */

#ifndef MINIVM_JDK_JDK_H
#define MINIVM_JDK_JDK_H

#include "vm/wellknown.h"

struct vm;
struct thread;
struct method;
struct object;

/* The floor's part of a new VM: before the first class, and after initPhase1 (signal
   dispatcher and the like). */
void jdk_init(struct vm *vm);
void jdk_start_services(struct thread *self);

/* What the process's end must do first (JVM_Halt calls it, IN_VM). */
void jdk_set_before_exit(void (*fn)(struct thread *self));

/* Make a MemberName stand for m, reached by an instance of m's class (fill_method of
   MethodHandleNatives).  False with the exception pending. */
bool member_name_fill(struct thread *self, struct object *name, struct method *m);

/* Register the natives that have C bodies; before the first class is loaded. */
void unsafe_register(void);
/* Fill in UnsafeConstants; false with an exception pending. */
bool unsafe_set_constants(struct thread *self);
void handle_natives_register(void);
void reference_natives_register(void);
void perf_register(void);
void jdk_natives_register(void);  /* these and the small tables of other classes */

#endif
