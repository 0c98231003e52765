# SPDX-License-Identifier: MIT

# Frames, exceptions, strings, references, allocation, and the start of the VM.
minivm_libminivm_la_SOURCES += \
	%D%/above.h %D%/alloc.c %D%/alloc.h %D%/annotation.c %D%/backtrace.c %D%/backtrace.h \
	%D%/boxing.c %D%/boxing.h %D%/call.c %D%/call.h %D%/exception.c \
	%D%/exception.h %D%/frame.c %D%/frame.h %D%/npe.c %D%/ref_table.h \
	%D%/reflect.c %D%/reflect.h %D%/refs.c %D%/refs.h %D%/start.c %D%/start.h \
	%D%/string.c %D%/string.h %D%/vm.c %D%/vm.h %D%/wellknown.c %D%/wellknown.h
