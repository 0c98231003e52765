# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/entry.h
minivm_libminivm_la_SOURCES += %D%/array.c %D%/call.c %D%/class.c %D%/entry.h \
	%D%/field.c %D%/jni_floor.h %D%/lookup.c %D%/reference.c %D%/string.c
