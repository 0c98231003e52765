# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/backtrace.c %D%/exception.c %D%/exception.h \
	%D%/frame.c %D%/frame.h %D%/refs.c %D%/refs.h %D%/string.c %D%/string.h %D%/vm.c %D%/vm.h

# Classes, loaders, linking, modules.
minivm_libminivm_la_SOURCES += %D%/access.c %D%/annotation.c %D%/boot.c %D%/class.c \
	%D%/class.h \
	%D%/constraints.c %D%/define.c %D%/ids.c \
	%D%/link.c %D%/link.h %D%/loader.c %D%/loader.h %D%/lookup.c \
	%D%/make.c %D%/module.c %D%/module.h %D%/redefine.c \
	%D%/redefine.h %D%/registry.h \
	%D%/resolve.c %D%/space.c %D%/unload.c %D%/wellknown.c \
	%D%/wellknown.h %D%/known.def

# Threads, safepoints, monitors, allocation.
minivm_libminivm_la_SOURCES += %D%/alloc.c %D%/check.c %D%/check.h \
	%D%/crash.c %D%/crash.h \
	%D%/crash_frames.c %D%/crash_sections.c %D%/exhausted.c %D%/exhausted.h \
	%D%/fault.c %D%/heapdump.c %D%/heapdump.h \
	%D%/monitor.c %D%/monitor_table.c %D%/monitor_table.h %D%/park.c %D%/safepoint.c \
	%D%/start.c %D%/thread.c

# What all of these share.
minivm_libminivm_la_SOURCES += %D%/above.h %D%/monitor.h %D%/safepoint.h %D%/thread.h \
	%D%/vm.h

minivm_libminivm_la_SOURCES += %D%/npe.c %D%/reflect.c %D%/reflect.h
