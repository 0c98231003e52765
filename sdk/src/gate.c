/* SPDX-License-Identifier: MIT */
/* sdk/src/gate.c -- the lowest bit says closed, the rest counts who is inside. */
#include <tiforge/gate.h>

#include <time.h>

#define CLOSED 1u
#define ONE 2u

bool
tf_gate_enter(struct tf_gate *gate)
{
    unsigned state = __atomic_load_n(&gate->state, __ATOMIC_RELAXED);

    do
        if (state & CLOSED)
            return false;
    while (!__atomic_compare_exchange_n(&gate->state, &state, state + ONE, true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
    return true;
}

void
tf_gate_leave(struct tf_gate *gate)
{
    __atomic_fetch_sub(&gate->state, ONE, __ATOMIC_RELEASE);
}

bool
tf_gate_close(struct tf_gate *gate, unsigned milliseconds)
{
    struct timespec pause = { 0, 1000000 };
    unsigned inside = __atomic_fetch_or(&gate->state, CLOSED, __ATOMIC_ACQ_REL);

    while (inside >= ONE && milliseconds-- > 0) {
        nanosleep(&pause, NULL);
        inside = __atomic_load_n(&gate->state, __ATOMIC_ACQUIRE);
    }
    return inside < ONE;
}

void
tf_gate_open(struct tf_gate *gate)
{
    __atomic_fetch_and(&gate->state, ~CLOSED, __ATOMIC_RELEASE);
}
