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
minivm_libminivm_la_SOURCES += \
	%D%/bci_map.c %D%/breakpoint.c %D%/calls.c %D%/check.c %D%/continuation.c %D%/debugging.h \
	%D%/emit.c %D%/field_watch.c %D%/force.c %D%/force.h %D%/handlers.def \
	%D%/insn.c %D%/insn.h %D%/interp.h %D%/intrinsics.c %D%/intrinsics.h \
	%D%/intrinsics_lang.c %D%/intrinsics_number.c %D%/intrinsics_string.c \
	%D%/intrinsics_virtual.c %D%/loop.h \
	%D%/method_handles.c %D%/native.c %D%/operand_stack.c %D%/ops.def %D%/osr.c \
	%D%/quicken.c %D%/translate.c %D%/translate_branch.c \
	%D%/translate_pool.c %D%/translation.h \
	%D%/translator.h %D%/unwind.c %D%/version.c
