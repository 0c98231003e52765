# SPDX-License-Identifier: MIT

# gcc merges the copies of the dispatch jump unless it is told not to; clang keeps them.
noinst_LTLIBRARIES += %D%/libloop.la
%C%_libloop_la_SOURCES =
%C%_libloop_la_CFLAGS = $(AM_CFLAGS)
if GCC
%C%_libloop_la_CFLAGS += -fno-gcse -fno-crossjumping
endif
minivm_libminivm_la_LIBADD += %D%/libloop.la
