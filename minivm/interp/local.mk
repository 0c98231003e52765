# SPDX-License-Identifier: MIT

# gcc merges the copies of the dispatch jump unless it is told not to; clang keeps them.
# Handlers begin on lines of the cache of their own: without it a change elsewhere in the
# program moves them, and a loop of Java takes up to a tenth more or less time.  gcc aligns
# only blocks that it takes for frequent; the threshold says that all handlers are.
noinst_LTLIBRARIES += %D%/libloop.la
%C%_libloop_la_SOURCES =
%C%_libloop_la_CFLAGS = $(AM_CFLAGS)
if GCC
%C%_libloop_la_CFLAGS += -fno-gcse -fno-crossjumping \
	-falign-functions=64 -falign-jumps=64 --param=align-threshold=65536
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
