/* SPDX-License-Identifier: MIT */
/*
 * wake MICROSECONDS: wakes that often and does nothing, until it is ended.  What a program
 * beside it loses is what the machine's timer and the change of processes cost, which any
 * sampler of that rate has to pay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int
main(int argc, char **argv)
{
    long interval = argc == 2 ? atol(argv[1]) * 1000 : 0;
    struct timespec at;

    if (interval <= 0 || interval >= 1000000000L) {
        fprintf(stderr, "usage: wake MICROSECONDS\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &at);
    for (;;) {
        at.tv_nsec += interval;
        if (at.tv_nsec >= 1000000000L) {
            at.tv_nsec -= 1000000000L;
            at.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
}
