/* SPDX-License-Identifier: MIT */
/* minivm/jni/jni_floor.h -- the JNI table, and native method lookup. */

#ifndef MINIVM_JNI_JNI_FLOOR_H
#define MINIVM_JNI_JNI_FLOOR_H

#include <stdio.h>

#include "jni/entry.h"

/* Give the VM the table that all its threads have. */
void jni_init(struct vm *vm);
/* Copy it, and replace what is in it (JVM TI "JNI Function Interception"); callers
   keep others from writing meanwhile. */
void jni_table_read(struct JNINativeInterface_ *to);
void jni_table_write(const struct JNINativeInterface_ *from);

/* Call m with arguments out of an array; result may be NULL.  Exceptions stay
   pending.  is_virtual selects by the receiver's class. */
bool jni_call_method(struct thread *self, struct method *m, struct object *receiver,
                     const jvalue *args, bool is_virtual, union slot *result);

/* The Java methods that run, for messages; the end after one. */
void jni_print_stack(struct thread *self, FILE *to);
_Noreturn void jni_abort(struct thread *self);
/* The table for -Xcheck:jni. */
const struct JNINativeInterface_ *jni_checked_table(void);

/* Bind a native method; fn NULL unbinds. */
void native_bind(struct thread *self, struct method *m, void *fn);

/* Native methods are looked up in agents' libraries last; fn answers NULL when no
   agent has the name. */
void native_set_agent_lookup(void *(*fn)(const char *name));

/* The prefixes of JVM TI "Set Native Method Prefix" in the order in which they are
   applied; fn answers NULL when there are none, else copies that mem_free frees. */
void native_set_prefixes(char **(*fn)(size_t *count));
/* The method that RegisterNatives means by a name: native, or else wrapped under
   prefixes; NULL when there is none. */
struct method *native_find_method(const struct class *c, const char *name,
                                  const char *descriptor);

/* The primitive types: X(Name, type, type of a variadic argument, jvalue member, slot
   member, descriptor). */
#define JNI_PRIMITIVES(X) \
    X(Boolean, jboolean, jint, z, i, 'Z') X(Byte, jbyte, jint, b, i, 'B') \
    X(Char, jchar, jint, c, i, 'C') X(Short, jshort, jint, s, i, 'S') \
    X(Int, jint, jint, i, i, 'I') X(Long, jlong, jlong, j, j, 'J') \
    X(Float, jfloat, jdouble, f, f, 'F') X(Double, jdouble, jdouble, d, d, 'D')

#endif
