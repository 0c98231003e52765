# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += \
	%D%/descriptor.c %D%/descriptor.h \
	%D%/opcode.c %D%/opcode.h \
	%D%/classfile.h %D%/framemap.h
EXTRA_DIST += sdk/spec/opcodes.def
