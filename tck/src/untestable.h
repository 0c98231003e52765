/* SPDX-License-Identifier: MIT */
/* tck/src/untestable.h -- rows that no portable agent can provoke, and why. */
#ifndef TCK_SRC_UNTESTABLE_H
#define TCK_SRC_UNTESTABLE_H

#define UNMODIFIABLE                                                                   \
    "which modules are unmodifiable is up to the VM, and none may be"

static const struct {
    const char *id;
    const char *reason;
} untestable[] = {
    { "ResumeThread.error.INVALID_TYPESTATE",
      "no way is specified to bring a thread's state into disorder" },
    { "GetMethodLocation.error.ABSENT_INFORMATION",
      "code always has a first and a last instruction where locations are bytecodes" },
    { "GetCurrentThreadCpuTime.error.UNSUPPORTED_OPERATION",
      "the current virtual thread may be supported; its answer has no fixed outcome" },
    { "RedefineClasses.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { "AddModuleReads.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { "AddModuleExports.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { "AddModuleOpens.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { "AddModuleUses.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { "AddModuleProvides.error.UNMODIFIABLE_MODULE", UNMODIFIABLE },
    { NULL, NULL }
};

#endif
