# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/backtrace.c %D%/exception.c %D%/exception.h \
	%D%/frame.c %D%/frame.h %D%/refs.c %D%/refs.h %D%/string.c %D%/string.h
