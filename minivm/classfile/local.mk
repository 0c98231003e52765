# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += \
	%D%/attributes.c \
	%D%/classfile.c %D%/classfile.h \
	%D%/code.c \
	%D%/descriptor.c %D%/descriptor.h \
	%D%/flags.c \
	%D%/framemap.c %D%/framemap.h \
	%D%/marks.c \
	%D%/opcode.c %D%/opcode.h \
	%D%/parse.h \
	%D%/pool.c \
	%D%/step.c %D%/step.h
EXTRA_DIST += sdk/spec/opcodes.def
