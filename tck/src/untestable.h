/* SPDX-License-Identifier: MIT */
/* tck/src/untestable.h -- rows that no portable agent can provoke, and why. */
#ifndef TCK_SRC_UNTESTABLE_H
#define TCK_SRC_UNTESTABLE_H

static const struct {
    const char *id;
    const char *reason;
} untestable[] = {
    { "ResumeThread.error.INVALID_TYPESTATE",
      "no way is specified to bring a thread's state into disorder" },
    { "GetMethodLocation.error.ABSENT_INFORMATION",
      "code always has a first and a last instruction where locations are bytecodes" },
    { "RedefineClasses.error.UNMODIFIABLE_MODULE",
      "no redefinition is specified to modify a module" },
    { NULL, NULL }
};

#endif
