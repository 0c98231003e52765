/* SPDX-License-Identifier: MIT */
/* tck/src/untestable.h -- rows that no portable agent can provoke, and why. */
#ifndef TCK_SRC_UNTESTABLE_H
#define TCK_SRC_UNTESTABLE_H

static const struct {
    const char *id;
    const char *reason;
} untestable[] = {
    { NULL, NULL }
};

#endif
