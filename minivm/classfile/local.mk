# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += \
	%D%/abstract_frame.c %D%/abstract_frame.h \
	%D%/access_flags.c \
	%D%/annotations.c \
	%D%/attributes.c \
	%D%/class_attributes.c \
	%D%/classfile.c %D%/classfile.h \
	%D%/code.c \
	%D%/descriptor.c %D%/descriptor.h \
	%D%/framemap.c %D%/framemap.h \
	%D%/opcode.c %D%/opcode.h \
	%D%/parse.h \
	%D%/pool.c \
	%D%/stackmap.c \
	%D%/verifier.h \
	%D%/verify.c %D%/verify.h \
	%D%/verify_error.c \
	%D%/verify_insn.c \
	%D%/verify_member.c \
	%D%/verify_type.c
EXTRA_DIST += sdk/spec/opcodes.def
