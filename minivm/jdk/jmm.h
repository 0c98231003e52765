/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jmm.h -- the management interface (JMM) of version 3.0: the table of
 * functions by which java.lang.management and com.sun.management learn of the VM.
 *
 * The JDK's libmanagement and libmanagement_ext get the table from JVM_GetManagement
 * once and keep it.  Each native method of the beans' implementations (sun.management)
 * checks its arguments and calls one function, so the functions trust ids and array
 * lengths.  The order of the table, the structs and all numbers are the JDK's and must
 * not be changed.
 *
 * The functions, jmm_GetVersion and so on, are in management.c, management_memory.c and
 * management_thread.c, with what each does.  They are called in native code and enter
 * the VM; errors are pending exceptions. */

#ifndef MINIVM_JDK_JMM_H
#define MINIVM_JDK_JMM_H

#include "jni/entry.h"

enum {
    JMM_VERSION_3 = 0x20030000,
    JMM_VERSION_4 = 0x20040000,
    JMM_MAJOR_MASK = 0x7fff0000
};

/* What the VM can measure, a bit each. */
struct jmm_support {
    unsigned low_memory_detection : 1, compilation_time : 1, contention : 1,
        own_cpu_time : 1, other_cpu_time : 1, monitor_usage : 1, synchronizer_usage : 1,
        allocated_memory : 1, remote_commands : 1;
    unsigned : 23;
};

/* Bits of a ThreadInfo's state above those of Thread.threadStatus. */
enum { JMM_STATE_SUSPENDED = 0x00100000, JMM_STATE_NATIVE = 0x00400000 };

/* The attributes of GetLongAttribute. */
enum jmm_long_attribute {
    JMM_CLASS_LOADED_COUNT = 1,
    JMM_CLASS_UNLOADED_COUNT = 2,
    JMM_THREAD_TOTAL_COUNT = 3,
    JMM_THREAD_LIVE_COUNT = 4,
    JMM_THREAD_PEAK_COUNT = 5,
    JMM_THREAD_DAEMON_COUNT = 6,
    JMM_INIT_DONE_TIME_MS = 7,
    JMM_COMPILE_TIME_MS = 8,
    JMM_GC_TIME_MS = 9,
    JMM_GC_COUNT = 10,
    JMM_UPTIME_MS = 11,
    JMM_CLASS_LOADED_BYTES = 101,
    JMM_GLOBAL_COUNT = 104,
    JMM_VM_THREAD_COUNT = 109,
    JMM_METHOD_DATA_BYTES = 112,
    JMM_SHARED_CLASS_LOADED_COUNT = 114,
    JMM_SHARED_CLASS_UNLOADED_COUNT = 115,
    JMM_SHARED_CLASS_LOADED_BYTES = 116,
    JMM_SHARED_CLASS_UNLOADED_BYTES = 117,
    JMM_OS_PROCESS_ID = 201,
    JMM_OS_MEM_TOTAL_PHYSICAL_BYTES = 202,
    JMM_GC_EXT_ATTRIBUTE_INFO_SIZE = 401
};

/* The attributes of GetBoolAttribute and SetBoolAttribute. */
enum jmm_bool_attribute {
    JMM_VERBOSE_GC = 21,
    JMM_VERBOSE_CLASS = 22,
    JMM_THREAD_CONTENTION_MONITORING = 23,
    JMM_THREAD_CPU_TIME = 24,
    JMM_THREAD_ALLOCATED_MEMORY = 25
};

/* What ResetStatistic, SetPoolSensor and SetPoolThreshold are about. */
enum jmm_statistic {
    JMM_STAT_PEAK_THREADS = 801,
    JMM_STAT_CONTENTION_COUNT = 802,
    JMM_STAT_CONTENTION_TIME = 803,
    JMM_STAT_CONTENTION = 804,
    JMM_STAT_PEAK_POOL = 805,
    JMM_USAGE_THRESHOLD_HIGH = 901,
    JMM_COLLECTION_THRESHOLD_HIGH = 903
};

/* A -XX option (VMOption); value is the member that type says. */
enum jmm_global_type {
    JMM_TYPE_BOOLEAN = 1,
    JMM_TYPE_STRING,
    JMM_TYPE_LONG,
    JMM_TYPE_DOUBLE
};

struct jmm_global {
    jstring name; /* NULL: there is no such option */
    jvalue value;
    int type, origin; /* enum jmm_global_type, enum flag_origin (flags.h) */
    unsigned writeable : 1, external : 1, reserved : 30;
    void *reserved1, *reserved2;
};

/* A value that a collector's GcInfo has beside those of GarbageCollectorMXBean. */
struct jmm_gc_attribute {
    const char *name;
    char type; /* a descriptor character */
    const char *description;
};

/* The last collection; the caller has made the arrays. */
struct jmm_gc_stat {
    jlong index, start_time, end_time; /* milliseconds since the start of the VM */
    jobjectArray usage_before, usage_after;
    jint value_capacity;
    jvalue *values; /* of the attributes above */
    jint value_count;
};

/* A command of jcmd and DiagnosticCommandMBean, and one of its arguments. */
struct jmm_command {
    const char *name, *description, *impact;
    const char *permission_class, *permission_name, *permission_action;
    int argument_count;
    jboolean enabled;
};

struct jmm_command_argument {
    const char *name, *description, *type, *initial;
    jboolean is_mandatory, is_option, is_multiple;
    int position; /* among those that are no options; of these -1 */
};

struct jmm_interface {
    void *reserved1, *reserved2;
    jint(JNICALL *GetVersion)(JNIEnv *env);
    jint(JNICALL *GetOptionalSupport)(JNIEnv *env, struct jmm_support *support);
    jint(JNICALL *GetThreadInfo)(JNIEnv *env, jlongArray ids, jint depth,
                                 jobjectArray infos);
    jobjectArray(JNICALL *GetMemoryPools)(JNIEnv *env, jobject manager);
    jobjectArray(JNICALL *GetMemoryManagers)(JNIEnv *env, jobject pool);
    jobject(JNICALL *GetMemoryPoolUsage)(JNIEnv *env, jobject pool);
    jobject(JNICALL *GetPeakMemoryPoolUsage)(JNIEnv *env, jobject pool);
    jlong(JNICALL *GetOneThreadAllocatedMemory)(JNIEnv *env, jlong id);
    void(JNICALL *GetThreadAllocatedMemory)(JNIEnv *env, jlongArray ids,
                                            jlongArray sizes);
    jobject(JNICALL *GetMemoryUsage)(JNIEnv *env, jboolean heap);
    jlong(JNICALL *GetLongAttribute)(JNIEnv *env, jobject o, int attribute);
    jboolean(JNICALL *GetBoolAttribute)(JNIEnv *env, int attribute);
    jboolean(JNICALL *SetBoolAttribute)(JNIEnv *env, int attribute, jboolean flag);
    jint(JNICALL *GetLongAttributes)(JNIEnv *env, jobject o, const int *attributes,
                                     jint count, jlong *results);
    jobjectArray(JNICALL *FindCircularBlockedThreads)(JNIEnv *env);
    jlong(JNICALL *GetThreadCpuTime)(JNIEnv *env, jlong id);
    jobjectArray(JNICALL *GetVMGlobalNames)(JNIEnv *env);
    jint(JNICALL *GetVMGlobals)(JNIEnv *env, jobjectArray names,
                                struct jmm_global *globals, jint count);
    jint(JNICALL *GetInternalThreadTimes)(JNIEnv *env, jobjectArray names,
                                          jlongArray times);
    jboolean(JNICALL *ResetStatistic)(JNIEnv *env, jvalue o, int type);
    void(JNICALL *SetPoolSensor)(JNIEnv *env, jobject pool, int type, jobject sensor);
    jlong(JNICALL *SetPoolThreshold)(JNIEnv *env, jobject pool, int type,
                                     jlong threshold);
    jobject(JNICALL *GetPoolCollectionUsage)(JNIEnv *env, jobject pool);
    jint(JNICALL *GetGCExtAttributeInfo)(JNIEnv *env, jobject manager,
                                         struct jmm_gc_attribute *attributes,
                                         jint count);
    void(JNICALL *GetLastGCStat)(JNIEnv *env, jobject manager,
                                 struct jmm_gc_stat *stat);
    jlong(JNICALL *GetThreadCpuTimeWithKind)(JNIEnv *env, jlong id, jboolean system);
    void(JNICALL *GetThreadCpuTimesWithKind)(JNIEnv *env, jlongArray ids,
                                             jlongArray times, jboolean system);
    jint(JNICALL *DumpHeap0)(JNIEnv *env, jstring file, jboolean live);
    jobjectArray(JNICALL *FindDeadlocks)(JNIEnv *env, jboolean monitors_only);
    void(JNICALL *SetVMGlobal)(JNIEnv *env, jstring name, jvalue value);
    jlong(JNICALL *GetTotalThreadAllocatedMemory)(JNIEnv *env);
    jobjectArray(JNICALL *DumpThreads)(JNIEnv *env, jlongArray ids, jboolean monitors,
                                       jboolean synchronizers, jint depth);
    void(JNICALL *SetGCNotificationEnabled)(JNIEnv *env, jobject manager,
                                            jboolean enabled);
    jobjectArray(JNICALL *GetDiagnosticCommands)(JNIEnv *env);
    void(JNICALL *GetDiagnosticCommandInfo)(JNIEnv *env, jobjectArray names,
                                            struct jmm_command *infos);
    void(JNICALL *GetDiagnosticCommandArgumentsInfo)(
        JNIEnv *env, jstring name, struct jmm_command_argument *infos);
    jstring(JNICALL *ExecuteDiagnosticCommand)(JNIEnv *env, jstring command);
    void(JNICALL *SetDiagnosticFrameworkNotificationEnabled)(JNIEnv *env,
                                                             jboolean enabled);
};

/* Each file stores its functions in the table. */
void management_fill_threads(struct jmm_interface *t);
void management_fill_memory(struct jmm_interface *t);

/*
 * What ThreadMXBean is to measure: the time that threads wait (contention), their
 * processor time, the bytes that they allocate.  It is the process's, as the beans are.
 */
extern struct management_switches {
    bool contention, cpu_time, allocated;
} management_switches;

#endif
