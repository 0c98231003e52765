/* SPDX-License-Identifier: MIT */
/*
 * tck/src/explained.h -- faults that no assertion can tell from a sound VM, or that are
 * not reached, and why.  One that is caught all the same is reported as stale, unless
 * it depends on what the VM under test has.
 */
#ifndef TCK_SRC_EXPLAINED_H
#define TCK_SRC_EXPLAINED_H

#include <stdbool.h>

#define VIRTUAL "only a virtual thread gives it, and the VM has none"
#define NO_VIRTUAL "the VM has no virtual threads"
#define UNMODIFIABLE_MODULE "no module of this VM is unmodifiable"

static const struct {
    const char *fault;    /* glob */
    const char *reason;
    bool depends;         /* on the VM */
} explained[] = {
    { "GetObjectHashCode.out.hash_code_ptr",
      "any value does that is the same for the same object", false },
    { "GetJLocationFormat.out.format_ptr",
      "the changed value is another format that an implementation may have", false },
    { "GetMethodLocation.*.ABSENT_INFORMATION", "no call is known to give it", false },
    { "ResumeThread.*.INVALID_TYPESTATE", "no call is known to give it", false },
    { "DynamicCodeGenerated.dropped", "a VM that generates no code sends none", false },
    { "CompiledMethodUnload.dropped", "a VM that keeps its code sends none", false },
    { "SetSystemProperty.in.property", "no property need be settable", false },
    { "*TimerInfo.member.info_ptr/may_skip_*",
      "a clock that may be set is as good as one that may not", false },
    { "GetExtensionFunctions.fewer.extension_count_ptr",
      "nothing else tells which functions there are", false },
    { "DynamicCodeGenerated.arg.*",
      "nothing else tells the name and the bounds of code to a byte", false },
    { "CompiledMethodLoad.arg.code_size", "nothing else tells the end of code to a byte",
      false },
    { "ResourceExhausted.arg.description", "how it reads is not specified", false },
    { "CompiledMethodLoad.sparse", "which methods are compiled is not specified", false },
    { "CompiledMethodLoad.other.method", "which methods are compiled is not specified",
      false },
    { "DynamicCodeGenerated.sparse", "which code is generated is not specified", false },
    { "CompiledMethodUnload.undisabled", "when code is unloaded is not specified", false },
    { "DataDumpRequest.doubled", "how many requests a signal makes is not specified",
      false },
    { "*.UNMODIFIABLE_MODULE", UNMODIFIABLE_MODULE, true },
    { "RunAgentThread.*.UNSUPPORTED_OPERATION*", VIRTUAL, true },
    { "StopThread.*.THREAD_NOT_SUSPENDED*", VIRTUAL, true },
    { "StopThread.*.OPAQUE_FRAME*", VIRTUAL, true },
    { "GetThreadCpuTime.*.UNSUPPORTED_OPERATION", VIRTUAL, true },
    { "GetCurrentThreadCpuTime.*.UNSUPPORTED_OPERATION", VIRTUAL, true },
    { "SuspendAllVirtualThreads.*", NO_VIRTUAL, true },
    { "ResumeAllVirtualThreads.*", NO_VIRTUAL, true },
    { "VirtualThread*", NO_VIRTUAL, true },
    { "GetPotentialCapabilities.hides.can_support_virtual_threads", NO_VIRTUAL, true },
    { "CompiledMethod*.d*", "the VM compiled nothing", true },
    { "CompiledMethod*.sparse", "the VM compiled nothing", true },
    { "CompiledMethod*.undisabled", "the VM compiled nothing", true },
    { "CompiledMethod*.arg.*", "the VM compiled nothing", true },
    { "CompiledMethod*.other.*", "the VM compiled nothing", true },
    { "DynamicCodeGenerated.d*", "the VM generated no code", true },
    { "DynamicCodeGenerated.sparse", "the VM generated no code", true },
    { "DynamicCodeGenerated.undisabled", "the VM generated no code", true },
    { "GetTopThreadGroups.last.groups_ptr", "there is but one", true },
    { "GetMethodLocation.stuck.start_location_ptr",
      "where locations are indices of bytecodes, all methods begin at 0", true },
    { "IsModifiableModule.stuck.*", UNMODIFIABLE_MODULE, true },
    { "GetConstantPool.last.constant_pool_bytes_ptr",
      "an entry that no code uses need not be that of the class file", false },
};

#endif
