# SPDX-License-Identifier: MIT

# gcc merges the copies of the dispatch jump unless it is told not to; clang keeps them.
noinst_LTLIBRARIES += %D%/libloop.la
%C%_libloop_la_SOURCES =
%C%_libloop_la_CFLAGS = $(AM_CFLAGS)
if GCC
%C%_libloop_la_CFLAGS += -fno-gcse -fno-crossjumping
endif
minivm_libminivm_la_LIBADD += %D%/libloop.la
%C%_libloop_la_SOURCES += %D%/interp.c
minivm_libminivm_la_SOURCES += %D%/calls.c %D%/check.c %D%/emit.c %D%/force.c %D%/force.h \
	%D%/form.c %D%/form.h %D%/handles.c %D%/insn.h %D%/interp.h %D%/intrinsics.c \
	%D%/native.c %D%/ops.def %D%/quick.c %D%/translate.c %D%/translate.h \
	%D%/translate_pool.c %D%/unwind.c
