/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jmm.h -- the table by which the JDK's libmanagement and
 * libmanagement_ext ask the VM (JMM 3.0).  Order, types and numbers are the JDK's. */

#ifndef MINIVM_JDK_JMM_H
#define MINIVM_JDK_JMM_H

#include "base/buf.h"
#include "jni/entry.h"

enum { JMM_VERSION = 0x20030000, JMM_MAJOR_MASK = 0x7fff0000 };

struct jmm_support {
    unsigned low_memory_detection : 1, compilation_time : 1, contention : 1,
        own_cpu_time : 1, other_cpu_time : 1, monitor_usage : 1, synchronizer_usage : 1,
        allocated_memory : 1, remote_commands : 1;
    unsigned : 23;
};

/* Above the bits of Thread.threadStatus in a ThreadInfo's state. */
enum { JMM_STATE_SUSPENDED = 0x00100000, JMM_STATE_NATIVE = 0x00400000 };

enum jmm_statistic {
    JMM_STAT_PEAK_THREADS = 801, JMM_STAT_CONTENTION_COUNT = 802,
    JMM_STAT_CONTENTION_TIME = 803, JMM_STAT_CONTENTION = 804,
    JMM_STAT_PEAK_POOL = 805,
    JMM_USAGE_THRESHOLD_HIGH = 901, JMM_COLLECTION_THRESHOLD_HIGH = 903
};

enum jmm_global_type {
    JMM_TYPE_BOOLEAN = 1, JMM_TYPE_STRING, JMM_TYPE_LONG, JMM_TYPE_DOUBLE
};

struct jmm_global {
    jstring name;
    jvalue value;
    int type, origin;              /* origin: enum flag_origin */
    unsigned writeable : 1, external : 1, reserved : 30;
    void *reserved1, *reserved2;
};

struct jmm_gc_attribute {
    const char *name;
    char type;
    const char *description;
};

struct jmm_gc_stat {
    jlong index, start_time, end_time;
    jobjectArray usage_before, usage_after;
    jint value_capacity;
    jvalue *values;
    jint value_count;
};

struct jmm_command {
    const char *name, *description, *impact;
    const char *permission_class, *permission_name, *permission_action;
    int argument_count;
    jboolean enabled;
};

struct jmm_command_argument {
    const char *name, *description, *type, *initial;
    jboolean is_mandatory, is_option, is_multiple;
    int position;                  /* of those that are no options; else -1 */
};

/* ---- diagnostic.c: the commands of jcmd and DiagnosticCommandMBean ---- */

enum { DIAGNOSTIC_ARGUMENTS = 21 };     /* at most */

/* values: of the arguments in the order of the table.  Exceptions stay pending. */
#define DIAGNOSTIC_COMMAND(name) \
    void \
    name(struct thread *self UNUSED, const char *const *values UNUSED, \
         struct buf *out UNUSED)

struct diagnostic_command {
    struct jmm_command info;
    struct jmm_command_argument arguments[DIAGNOSTIC_ARGUMENTS]; /* as in the syntax */
    void (*run)(struct thread *self, const char *const *values, struct buf *out);
};

extern const struct diagnostic_command diagnostic_commands[]; /* ended by a NULL name */
const struct diagnostic_command *diagnostic_find(const char *name);
/* diagnostic_vm.c */
DIAGNOSTIC_COMMAND(diagnostic_heap_info);
DIAGNOSTIC_COMMAND(diagnostic_heap_dump);
DIAGNOSTIC_COMMAND(diagnostic_run_finalization);
DIAGNOSTIC_COMMAND(diagnostic_finalizer_info);
DIAGNOSTIC_COMMAND(diagnostic_dynlibs);
DIAGNOSTIC_COMMAND(diagnostic_info);
DIAGNOSTIC_COMMAND(diagnostic_events);
DIAGNOSTIC_COMMAND(diagnostic_set_flag);
DIAGNOSTIC_COMMAND(diagnostic_log);
DIAGNOSTIC_COMMAND(diagnostic_start_debugging);
/* diagnostic_classes.c */
DIAGNOSTIC_COMMAND(diagnostic_class_hierarchy);
DIAGNOSTIC_COMMAND(diagnostic_classloader_stats);
/* diagnostic.c */
DIAGNOSTIC_COMMAND(diagnostic_command_line);
/* Is a BOOLEAN's value true? */
bool diagnostic_is_true(const char *value);
/* The value that -gz of GC.heap_dump has when it was not given. */
extern const char diagnostic_gzip_level[];
void diagnostic_print_syntax(const struct diagnostic_command *c, struct buf *out);

/* management_agent.c */
DIAGNOSTIC_COMMAND(management_agent_start_local);
DIAGNOSTIC_COMMAND(management_agent_start_remote);
DIAGNOSTIC_COMMAND(management_agent_stop);
DIAGNOSTIC_COMMAND(management_agent_status);
#define FOR_EACH_COMMAND(c) \
    for (const struct diagnostic_command *c = diagnostic_commands; c->info.name; c++)

/* Run the commands of text, one to a line; false with an exception pending. */
bool diagnostic_run(struct thread *self, const char *text, struct buf *out);

/* ---- the table ---- */

/* Functions; the type of each stands at its definition. */
struct jmm_interface {
    void *reserved1, *reserved2, *GetVersion, *GetOptionalSupport, *GetThreadInfo,
        *GetMemoryPools, *GetMemoryManagers, *GetMemoryPoolUsage,
        *GetPeakMemoryPoolUsage, *GetOneThreadAllocatedMemory,
        *GetThreadAllocatedMemory, *GetMemoryUsage, *GetLongAttribute,
        *GetBoolAttribute, *SetBoolAttribute, *GetLongAttributes,
        *FindCircularBlockedThreads, *GetThreadCpuTime, *GetVMGlobalNames,
        *GetVMGlobals, *GetInternalThreadTimes, *ResetStatistic, *SetPoolSensor,
        *SetPoolThreshold, *GetPoolCollectionUsage, *GetGCExtAttributeInfo,
        *GetLastGCStat, *GetThreadCpuTimeWithKind, *GetThreadCpuTimesWithKind,
        *DumpHeap0, *FindDeadlocks, *SetVMGlobal, *GetTotalThreadAllocatedMemory,
        *DumpThreads, *SetGCNotificationEnabled, *GetDiagnosticCommands,
        *GetDiagnosticCommandInfo, *GetDiagnosticCommandArgumentsInfo,
        *ExecuteDiagnosticCommand, *SetDiagnosticFrameworkNotificationEnabled;
};

/* A function of the table that answers a value; self is there. */
#define JMM_VALUE(type, function, parameters, value) \
static type JNICALL \
function parameters \
{ \
    VM_ENTRY(env); \
    return value; \
}

/* Each file fills its part of the table. */
void management_fill_threads(struct jmm_interface *t);
void management_fill_memory(struct jmm_interface *t);

/* What ThreadMXBean measures; contention: the time that threads wait. */
extern struct management_switches {
    bool contention, cpu_time, allocated;
} management_switches;

#endif
