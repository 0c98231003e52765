/* SPDX-License-Identifier: MIT */
/*
 * minivm/diagnostics/fault.h -- the signals of fatal errors: SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGABRT, SIGTRAP and SIGSYS.
 *
 * The VM handles these signals for two purposes: to write a report when the process is
 * about to die of one (crash.h), and to turn an access to memory that is not there into
 * a result, where such accesses are expected (fault_guard).  Everything else goes to
 * the handler that was installed before the VM.  Nothing here stops for a safepoint or
 * collects.
 */

#ifndef MINIVM_DIAGNOSTICS_FAULT_H
#define MINIVM_DIAGNOSTICS_FAULT_H

#include "threads/thread.h"

/* Installs the VM's handler for all of these signals, once per process.  The handlers
   that were there stay known, and get the signals that the VM has no use for. */
void fault_init(void);

/* Returns true if the VM's handler is still installed for that signal.  To Java
   (sun.misc.Signal) its handler is the default one. */
bool fault_takes(int number);

/* Restores the handler of SIGABRT that was there before the VM's.  For a process that
   has said why it ends and is about to call abort: it writes no report. */
void fault_end_quietly(void);

/* Lets signals that hit the calling thread use self->signal_stack, unless it has an
   alternate signal stack already.  Without one the overflow of the C stack could not be
   reported.  To be called when the thread begins, in that thread. */
void fault_set_stack(struct thread *self);

/* Takes that back before the thread ends and its stack is freed. */
void fault_drop_stack(struct thread *self);

/*
 * Runs body(self, args) and returns true, or false when body met SIGSEGV or SIGBUS,
 * which end it at that instruction.  What body itself returns is not looked at.  Body
 * must not call anything that holds a lock or allocates.  Serves
 * jdk.internal.misc.Unsafe, which takes any address, also those of mapped files, which
 * may shrink.  Calls do not nest.
 */
bool fault_guard(struct thread *self,
                 bool (*body)(struct thread *self, union slot *args), union slot *args);

#endif
