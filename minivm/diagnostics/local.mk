# SPDX-License-Identifier: MIT

# What is told when something goes wrong: faults, crashes, heap dumps, checks.
minivm_libminivm_la_SOURCES += \
	%D%/check.c %D%/check.h %D%/crash.c %D%/crash.h %D%/crash_describe.c %D%/crash_frames.c \
	%D%/crash_sections.c %D%/exhausted.c %D%/exhausted.h %D%/fault.c %D%/fault.h \
	%D%/heapdump.c %D%/heapdump.h %D%/heapdump_classes.c %D%/heapdump_objects.c \
	%D%/heapdump_parts.h %D%/heapdump_roots.c
