/* SPDX-License-Identifier: MIT */
/*
 * tck/mutate/mutate.h -- an agent that, loaded first, puts one fault between the agents
 * after it and the VM, by the interposition of the checking layer (layer/interpose).
 *
 * Options: fault=NAME,log=FILE,group=GROUP.  NAME is one of
 *   FUNCTION.wrong.ERROR     INTERNAL where ERROR would come
 *   FUNCTION.missing.ERROR   NONE where ERROR would come
 *   FUNCTION.confused.ERROR/OTHER   OTHER, which the function gives for something else
 *   FUNCTION.refused.PHASE   WRONG_PHASE in a phase in which it may be called
 *   FUNCTION.in.PARAMETER    what goes in there is changed, see input.h
 *   FUNCTION.narrow.PARAMETER  64 bits are cut to 32, going in or coming out
 *   FUNCTION.out.PARAMETER   what comes out there is changed
 *   FUNCTION.stuck.PARAMETER   what came out there first comes out again
 *   FUNCTION.last.PARAMETER  the last of several elements is the first once more
 *   FUNCTION.order.PARAMETER the first and the last element change places
 *   FUNCTION.longer.PARAMETER  a text goes on after its end
 *   FUNCTION.swallowed       NONE without the call being made
 *   FUNCTION.fewer.PARAMETER the count that comes out there is one less
 *   FUNCTION.member.PARAMETER/MEMBER   a member of what comes out there, see members.h
 *   GetPotentialCapabilities.hides.CAPABILITY   though it can be had
 *   AddCapabilities.lacks.CAPABILITY+...   no fault: the VM does not have them; all: any
 *   FUNCTION.callback.CALLBACK/WHAT    of the heap functions, see heap.h
 *   EVENT.dropped            its handler is not called
 *   EVENT.doubled            its handler is called twice
 *   EVENT.sparse             every second time its handler is not called
 *   EVENT.undisabled         it goes on when it is disabled
 *   EVENT.widened            enabled for one thread, it is for all
 *   EVENT.unheard            it cannot be enabled for one thread, though that gave NONE
 *   EVENT.arg.PARAMETER      what the handler is given there is changed, or NULL
 *   EVENT.other.PARAMETER    it is another thread, class, object or method
 *   record                   none: the log tells what could be reached
 *   @FILE                    those of the first three kinds that FILE names, one a line,
 *                            all at once; the log tells which were reached, as below
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

enum mutate_answer { MUTATE_STUCK, MUTATE_LAST, MUTATE_ORDER, MUTATE_LONGER };
enum mutate_notification { MUTATE_UNDISABLED, MUTATE_WIDENED, MUTATE_UNHEARD };

/* Change what goes into a call, before it is made; false loses the request (input.c). */
void mutate_input(struct interpose_call *call, const struct tck_param *param,
                  int position);
void mutate_narrow(jlong *value);
bool mutate_notification(struct interpose_call *call, jvmtiEvent event,
                         enum mutate_notification what);

/* Change what came out of a call that succeeded (answer.c). */
void mutate_answer(struct interpose_call *call, const struct tck_param *param,
                   int position, enum mutate_answer what);

/* A VM that lacks capabilities, as GetPotentialCapabilities and AddCapabilities tell it
   (capability.c): they are named with '+' between them, or "all".  False refuses the
   call. */
bool mutate_parse_lacked(const char *names, jvmtiCapabilities *lacked);
bool mutate_lacks_begin(struct interpose_call *call, const jvmtiCapabilities *lacked);
void mutate_lacks_end(struct interpose_call *call, const jvmtiCapabilities *lacked);

/* Put the fault in the callbacks of a heap function's call (heap.c).  What it returns
   lasts until the call has ended, and is to be freed then. */
void *mutate_heap_adapt(struct interpose_call *call, const char *callback,
                        const char *change);

#endif
