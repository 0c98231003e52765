# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += \
	%D%/allocate.c \
	%D%/blocks.c \
	%D%/gc.c \
	%D%/heap.c \
	%D%/heap.h \
	%D%/internal.h \
	%D%/object.h \
	%D%/reference.c \
	%D%/walk.c
