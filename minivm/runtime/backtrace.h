/* SPDX-License-Identifier: MIT */
/* minivm/runtime/backtrace.h -- the stack traces of exceptions, and their texts.
 *
 * Throwable.fillInStackTrace records the frames in a form of the VM's own, since most
 * stack traces are never looked at; Throwable.getStackTrace asks for them as
 * StackTraceElement objects.  The recorded frames are the property of the Throwable. */

#ifndef MINIVM_RUNTIME_BACKTRACE_H
#define MINIVM_RUNTIME_BACKTRACE_H

#include "linking/class.h"

struct buf;
struct frame;
struct vm;

/* Returns true if f, a method's frame, is left out of stack traces, as those of lambda
   forms are. */
bool frame_is_hidden(const struct frame *f);

/* Throwable.fillInStackTrace: records self's frames, newest first, without the frames
   of the exception's own constructors and without hidden ones.  Without memory nothing
   is recorded, and OutOfMemoryError is pending. */
void exception_fill_in(struct thread *self, struct object *throwable);

/* Returns how many frames were recorded. */
int32_t exception_depth(struct thread *self, struct object *throwable);

/* Fills in the StackTraceElement objects of the array elements, newest frame first, by
   the object that exception_fill_in has stored in Throwable.backtrace, or NULL.  False
   with an exception pending. */
bool exception_elements(struct thread *self, struct object *backtrace,
                        struct object *elements);

/* Stores the method version and bytecode index of the newest frame that is recorded in
   the throwable.  False, with nothing stored, when there is none, or when a hidden
   frame was newer.  The backtrace keeps the version's class from being unloaded. */
bool exception_top(const struct vm *vm, const struct object *throwable,
                   struct method_version **version, int32_t *bci);

/* Fills in one StackTraceElement by a method version and a bytecode index.  False with
   an exception pending. */
bool exception_element(struct thread *self, struct object *element,
                       struct method_version *version, int32_t bci);

/* Appends a line of a printed stack trace:
   "\tat Class.method(module@version/File.java:12)\n". */
void version_print(struct buf *out, const struct method_version *version, int32_t bci);

/* Prints the exception with its message, frames and causes to standard error, where no
   Java can do that any more. */
void exception_print(struct thread *self, struct object *throwable);

/* Returns the text of a NullPointerException that the instruction at bci has thrown
   (JEP 358), for mem_free; or NULL when nothing can be said of it. */
char *helpful_null_message(const struct method_version *version, int32_t bci);

#endif
