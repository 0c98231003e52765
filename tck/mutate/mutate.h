/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/mutate.h -- an agent that, loaded first, puts one fault between the agents
 * after it and the VM.
 *
 * Options: fault=NAME,log=FILE,group=GROUP.  NAME is one of
 *   FUNCTION.wrong.ERROR     INTERNAL where ERROR would come
 *   FUNCTION.missing.ERROR   NONE where ERROR would come
 *   FUNCTION.out.PARAMETER   what comes out there is changed
 *   FUNCTION.swallowed       NONE without the call being made
 *   FUNCTION.fewer.PARAMETER the count that comes out there is one less
 *   FUNCTION.member.PARAMETER/MEMBER   a member of what comes out there, see members.h
 *   GetPotentialCapabilities.hides.CAPABILITY   though it can be had
 *   FUNCTION.callback.CALLBACK/WHAT    of the heap functions, see heap.h
 *   EVENT.dropped            its handler is not called
 *   EVENT.doubled            its handler is called twice
 *   EVENT.arg.PARAMETER      what the handler is given there is changed, or NULL
 *   EVENT.other.PARAMETER    it is another thread, class, object or method
 *   record                   none: the log tells what could be reached
 * The log is made when the fault has been reached.  Instead of faults, record writes a
 * line "GROUP SUBJECT.WHAT" for each thing that came: WHAT is an error, an out
 * parameter, "called" for a function or "sent" for an event.
 */
#ifndef TCK_MUTATE_MUTATE_H
#define TCK_MUTATE_MUTATE_H

#include "tck/lib/table.h"

/* The VM's own functions. */
extern const jvmtiInterface_1 *mutate_original;

/* Is the call with this function to be left out? */
bool mutate_swallows(int function);
/* What the agent is told instead of error; may change what came out. */
jvmtiError mutate_result(int function, const union tck_arg *args, jvmtiError error);
/* The callbacks that the agent has set in env. */
const jvmtiEventCallbacks *mutate_callbacks(jvmtiEnv *env);

/* Change the argument of an event's callback if that is the fault. */
void mutate_argument(int event, int param, jvmtiEnv *env, void *where);

/* The fault has been reached. */
void mutate_reached(void);

/* Put the fault in a heap function's callbacks (heap.c). */
void mutate_heap_functions(jvmtiInterface_1 *table, const char *function,
                           const char *callback, const char *change);

/* How often an event is told that came once. */
int mutate_copies(int event);

/* Generated: put the wrappers in; one around an event's callback, if there is one. */
void mutate_fill(jvmtiInterface_1 *table);
void mutate_event(jvmtiEventCallbacks *callbacks, int event);

#endif
