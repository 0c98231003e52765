/* SPDX-License-Identifier: MIT */
/* minivm/interp/form.h -- which form of a method runs: for steps, breakpoints and
 * watched fields.
 *
 * The plain form knows every bytecode; a breakpoint is a mark in one of its STEPs,
 * kept there for as long as the code lives. */

#ifndef MINIVM_INTERP_FORM_H
#define MINIVM_INTERP_FORM_H

#include "interp/insn.h"
#include "vm/thread.h"

/* Must frames of code that self runs have the plain form? */
bool wants_plain(const struct thread *self, const struct code *code);
/* A form of code, translated when it is not yet; NULL with an exception pending,
   which is not made when self is NULL. */
struct translation *code_form(struct thread *self, struct code *code, bool plain);

/*
 * Let t's frames (of one code, or of all) go on in the plain form where something
 * wants it, and in the newest translation otherwise.  t is self, stopped or in a
 * handshake.  False when memory was short: some frames stayed as they were.
 */
bool frames_take_form(struct thread *t, const struct code *only);

/* The last two are numbered as JVM TI's errors. */
enum watch_change {
    WATCH_CHANGED,
    WATCH_AS_BEFORE,               /* it was there, or not there, already */
    WATCH_NOWHERE = 24,            /* no bytecode begins there */
    WATCH_NO_MEMORY = 110
};

/* A breakpoint at a bytecode of code, which has bytecodes.  Stops the world when the
   first one is set, so that all frames of code meet it. */
enum watch_change code_change_breakpoint(struct thread *self, struct code *code,
                                         uint32_t bci, bool set);
/* All of a class, in all versions, as redefinition does. */
void class_clear_breakpoints(struct thread *self, struct class *c);

/* Set or clear a bit of f->watched: from now on every access reports it, also of code
   that runs already.  Instructions that look at it become quick again when they find it
   0. */
enum watch_change field_change_watch(struct thread *self, struct field *f,
                                     unsigned kind, bool set);

#endif
