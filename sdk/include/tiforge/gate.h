/* SPDX-License-Identifier: MIT */
/*
 * tiforge/gate.h -- keeps callbacks apart from the end of the agent.
 *
 * Other threads' callbacks may run while VMDeath's does (JVM TI "VM Death Event"), and
 * events that were queued before a mode change are still sent.  Callbacks enter the
 * gate; VMDeath, or a stop by attach, closes it and knows that none is inside any more.
 *
 *     if (!tf_gate_enter(&gate)) return;      static struct tf_gate gate;
 *     ...                                     tf_gate_close(&gate, 1000);
 *     tf_gate_leave(&gate);                   write results, free memory
 */
#ifndef TIFORGE_GATE_H
#define TIFORGE_GATE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed storage is an open gate. */
struct tf_gate {
    unsigned state;
};

/* False when it is closed.  Lock-free; safe in every callback; may be nested. */
bool tf_gate_enter(struct tf_gate *gate);
void tf_gate_leave(struct tf_gate *gate);

/*
 * Close it and wait, at most so many milliseconds, until nobody is inside; false if
 * some still are (they may hang in a call that the dying VM does not finish).  Call it
 * from outside the gate, holding nothing that those inside may want.
 */
bool tf_gate_close(struct tf_gate *gate, unsigned milliseconds);
/* Open it again. */
void tf_gate_open(struct tf_gate *gate);

#ifdef __cplusplus
}
#endif

#endif
