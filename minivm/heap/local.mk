# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += \
	%D%/allocate.c \
	%D%/blocks.c \
	%D%/check.c \
	%D%/gc.c \
	%D%/heap.c \
	%D%/heap.h \
	%D%/internal.h \
	%D%/object.h \
	%D%/reference.c \
	%D%/walk.c

# The heap alone, measured; built with the checks, run by hand.
check_PROGRAMS += bench/heap-bench
bench_heap_bench_SOURCES = bench/heap-bench.c \
	minivm/test/heap-fixture.c minivm/test/heap-fixture.h
