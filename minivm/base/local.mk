# SPDX-License-Identifier: MIT

# MALLOC_FAIL: TIFORGE_FAIL_NTH=N in the environment fails every Nth call of mem_try_*.
if MALLOC_FAIL
AM_CPPFLAGS += -DTIFORGE_MALLOC_FAIL
endif

minivm_libminivm_la_SOURCES += \
	%D%/arena.c %D%/arena.h \
	%D%/buf.c %D%/buf.h \
	%D%/bytes.h \
	%D%/events.h \
	%D%/hash.c %D%/hash.h \
	%D%/history.c %D%/history.h \
	%D%/hprof.c %D%/hprof.h \
	%D%/jimage.c %D%/jimage.h \
	%D%/log.c %D%/log.h \
	%D%/mem.c %D%/mem.h \
	%D%/os.c %D%/os.h \
	%D%/report.c %D%/report.h \
	%D%/shared.h \
	%D%/span.c %D%/span.h \
	%D%/symbol.c %D%/symbol.h \
	%D%/symbolize.c %D%/symbolize.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/xlog.c %D%/xlog.h %D%/xlog_config.c %D%/xlog_internal.h %D%/xlog_names.c \
	%D%/zip.c %D%/zip.h
