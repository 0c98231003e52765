# SPDX-License-Identifier: MIT
minivm_libminivm_la_SOURCES += %D%/handle_natives.c %D%/jdk.h %D%/unsafe.c \
	%D%/jdk17.c %D%/profiles.c %D%/profiles.h %D%/verify_old.c
