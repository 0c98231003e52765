# SPDX-License-Identifier: MIT

# Whole programs, compared with the JDK's own VM.
test_scripts += %D%/programs.t %D%/realprograms.t %D%/schedule.t %D%/stress.t %D%/tsan.t
EXTRA_DIST += %D%/schedule/Calls.java %D%/schedule/Turns.java %D%/schedule/calls.c
clean_dirs += %D%/schedule.work
EXTRA_DIST += %D%/programs
clean_dirs += %D%/programs.work %D%/realprograms.work %D%/tsan.work
# They share the directory of compiled programs.
%D%/stress.log: %D%/programs.log
%D%/tsan.log: %D%/stress.log

# The same with the other JDKs that were found: TEST-on-RELEASE.t runs TEST.t.
release_scripts = \
	%D%/attach-on-21.t %D%/attach-on-25.t \
	%D%/instrument-on-21.t %D%/instrument-on-25.t \
	%D%/jacoco-on-21.t %D%/jacoco-on-25.t \
	%D%/jdb-on-21.t %D%/jdb-on-25.t \
	%D%/limits-on-21.t %D%/limits-on-25.t \
	%D%/options-on-21.t %D%/options-on-25.t \
	%D%/programs-on-21.t %D%/programs-on-25.t \
	%D%/realprograms-on-21.t %D%/realprograms-on-25.t \
	%D%/services-on-21.t %D%/services-on-25.t
test_scripts += $(release_scripts)
clean_dirs += $(release_scripts:.t=.work)
EXTRA_DIST += %D%/on-release.sh

# Virtual threads at random: for a while, and for ten minutes.
test_scripts += %D%/virtual-stress.t
long_scripts += %D%/virtual-stress-long.t
EXTRA_DIST += %D%/virtual-stress
clean_dirs += %D%/virtual-stress.work

# Unit tests: <module>-t.c, each with the TAP functions of tap.h.
check_LTLIBRARIES += %D%/libtap.la
%C%_libtap_la_SOURCES = %D%/tap.c %D%/tap.h
LDADD += %D%/libtap.la
unit_tests += \
	%D%/attach-t \
	%D%/classfile-t \
	%D%/descriptor-t \
	%D%/flags-t \
	%D%/framemap-t \
	%D%/gc-t \
	%D%/hash-t \
	%D%/heap-t \
	%D%/jimage-t \
	%D%/mem-t \
	%D%/os-t \
	%D%/symbolize-t \
	%D%/utf8-t \
	%D%/verify-t \
	%D%/zip-t
%C%_classfile_t_SOURCES = %D%/classfile-t.c $(assembler_and_world)
%C%_framemap_t_SOURCES = %D%/framemap-t.c $(assembler_and_world)
%C%_gc_t_SOURCES = %D%/gc-t.c %D%/heap-fixture.c %D%/heap-fixture.h
%C%_heap_t_SOURCES = %D%/heap-t.c %D%/heap-fixture.c %D%/heap-fixture.h
%C%_jimage_t_SOURCES = %D%/jimage-t.c %D%/archives.c %D%/archives.h
%C%_verify_t_SOURCES = %D%/verify-t.c $(assembler_and_world)
%C%_zip_t_SOURCES = %D%/zip-t.c %D%/archives.c %D%/archives.h

assembler_and_world = %D%/assembler.c %D%/assembler.h %D%/world.c %D%/world.h

# The verifier beside the JDK's, on class files with a fault.
test_scripts += %D%/verdicts.t
check_PROGRAMS += %D%/judge
%C%_judge_SOURCES = %D%/judge.c %D%/world.c %D%/world.h
EXTRA_DIST += %D%/verdicts/Samples.java %D%/verdicts/Verdicts.java
clean_dirs += %D%/verdicts.work

# Threads without Java.
unit_tests += %D%/monitor-t %D%/safepoint-t %D%/thread-t
%C%_monitor_t_SOURCES = %D%/monitor-t.c %D%/thread-fixture.c %D%/thread-fixture.h \
	%D%/heap-fixture.c %D%/heap-fixture.h
%C%_safepoint_t_SOURCES = %D%/safepoint-t.c %D%/thread-fixture.c %D%/thread-fixture.h
%C%_thread_t_SOURCES = %D%/thread-t.c %D%/thread-fixture.c %D%/thread-fixture.h

# JVM TI and JNI without Java.
unit_tests += %D%/jvmti-t %D%/jni-t
%C%_jvmti_t_SOURCES = %D%/jvmti-t.c %D%/thread-fixture.c %D%/thread-fixture.h

# The class side, in a VM whose library has not started.
unit_tests += %D%/class-t %D%/link-t %D%/loader-t %D%/releases-t %D%/translate-t
booted = %D%/boot-fixture.c %D%/boot-fixture.h %D%/assembler.c %D%/assembler.h
%C%_class_t_SOURCES = %D%/class-t.c $(booted)
%C%_link_t_SOURCES = %D%/link-t.c $(booted)
%C%_loader_t_SOURCES = %D%/loader-t.c $(booted)
%C%_releases_t_SOURCES = %D%/releases-t.c %D%/world.c %D%/world.h
%C%_translate_t_SOURCES = %D%/translate-t.c $(booted)
# It counts the steps of walks over maps.
%C%_loader_t_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ptrmap_next

# Heap dumps.
test_scripts += %D%/heapdump.t %D%/heapdump-virtual.t
EXTRA_DIST += %D%/heapdump
clean_dirs += %D%/heapdump.work %D%/heapdump-virtual.work

# -XX options as tools see them, and the log; the table of flags.
test_scripts += %D%/flags.t %D%/options.t
EXTRA_DIST += %D%/options
clean_dirs += %D%/flags.work %D%/options.work

# What is broken, and how it is reported.
test_scripts += %D%/badinput.t
clean_dirs += %D%/badinput.work

# Agents, compared with the JDK's own VM.
test_scripts += %D%/agents.t
clean_dirs += %D%/agents.work

# Little address space.
test_scripts += %D%/limits.t
clean_dirs += %D%/limits.work

# Agents before there is a VM, and at its end.
test_scripts += %D%/onload.t
EXTRA_DIST += %D%/onload
clean_dirs += %D%/onload.work

# Chapters whose programs check what their agents say.
test_scripts += %D%/services.t
EXTRA_DIST += %D%/jvmti
clean_dirs += %D%/services.work

# What a VM says that cannot start.
test_scripts += %D%/start.t
EXTRA_DIST += %D%/start
clean_dirs += %D%/start.work

# What the report of a crash says.
test_scripts += %D%/crash.t
EXTRA_DIST += %D%/crash
clean_dirs += %D%/crash.work

# Java frames in gdb.
test_scripts += %D%/gdb.t
EXTRA_DIST += %D%/gdb
clean_dirs += %D%/gdb.work

# The JDK's debugger.
test_scripts += %D%/jdb.t
EXTRA_DIST += %D%/jdb
clean_dirs += %D%/jdb.work

# What -Xcheck:jni says.
test_scripts += %D%/checkjni.t
clean_dirs += %D%/checkjni.work

# A C program that creates the VM.
test_scripts += %D%/embed.t
EXTRA_DIST += %D%/embed.c
clean_dirs += %D%/embed.work

# Other processes that ask a running VM.
test_scripts += %D%/attach.t
EXTRA_DIST += %D%/attach
clean_dirs += %D%/attach.work

# Stock agents: the JDK's libinstrument, and JaCoCo's where it is installed.
test_scripts += %D%/instrument.t %D%/jacoco.t
EXTRA_DIST += %D%/instrument %D%/jacoco
clean_dirs += %D%/instrument.work %D%/jacoco.work

# Tests of the tests: which notices that a body of JVM TI is empty?  In a build of its
# own; FUNCTIONS='GetPhase…' names some.  Takes its time.
.PHONY: body-mutation
body-mutation:
	$(MKDIR_P) body-mutation
	cd body-mutation && { test -f Makefile || $(abs_srcdir)/configure -q CC='$(CC)' \
		CFLAGS='$(CFLAGS)' CPPFLAGS='$(CPPFLAGS) -DBODY_MUTATION'; } && $(MAKE) all
	JDK25='$(JDK25)' $(srcdir)/%D%/body-mutation $(abs_srcdir) $(abs_builddir)/body-mutation $(FUNCTIONS)
EXTRA_DIST += %D%/body-mutation
clean_dirs += body-mutation
