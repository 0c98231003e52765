# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/handle_natives.c %D%/java.c %D%/jdk.h %D%/known.def \
	%D%/flags.def %D%/profiles.c %D%/releases.def %D%/unsafe.c %D%/unsafe_access.c

# The functions that the JDK's libraries import.
minivm_libminivm_la_SOURCES += %D%/jvm.h %D%/jvm_array.c %D%/jvm_class.c \
	%D%/jvm_library.c %D%/jvm_load.c %D%/jvm_module.c %D%/jvm_pool.c \
	%D%/jvm_reflect.c %D%/jvm_stack.c %D%/jvm_system.c %D%/jvm_verify.c \
	%D%/jvm_virtual.c %D%/jvm_walk.c %D%/flags.c %D%/flags.h %D%/properties.c \
	%D%/properties.h

# Classes of java.base with natives that are the VM's own.
minivm_libminivm_la_SOURCES += %D%/foreign.c %D%/natives.c %D%/perf.c

# java.lang.management.
minivm_libminivm_la_SOURCES += %D%/jmm.h %D%/management.c %D%/management_memory.c \
	%D%/management_thread.c

# Threads, signals, and what other processes may ask for.
minivm_libminivm_la_SOURCES += %D%/jvm_thread.c %D%/signals.c %D%/thread_dump.c \
	%D%/thread_dump.h %D%/thread_snapshot.c %D%/attach.c %D%/attach.h

# The diagnostic commands of jcmd.
minivm_libminivm_la_SOURCES += %D%/diagnostic.c %D%/diagnostic.h \
	%D%/diagnostic_classes.c %D%/diagnostic_line.c %D%/diagnostic_vm.c \
	%D%/class_histogram.c %D%/management_agent.c
