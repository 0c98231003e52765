/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/mutate.h -- an agent that, loaded first, puts one fault between the agents
 * after it and the VM, by the interposition of the checking layer (layer/interpose).
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

#include "layer/interpose/interpose.h"
#include "tck/lib/table.h"

/* The fault has been reached. */
void mutate_reached(void);

/* Put the fault in the callbacks of a heap function's call (heap.c).  What it returns
   lasts until the call has ended, and is to be freed then. */
void *mutate_heap_adapt(struct interpose_call *call, const char *callback,
                        const char *change);

#endif
