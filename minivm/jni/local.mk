# SPDX-License-Identifier: MIT
jni_sources = %D%/array.c %D%/buffer.c %D%/call.c %D%/call_instance.c %D%/call_static.c \
	%D%/check.c %D%/class.c %D%/exception.c %D%/field.c %D%/lookup.c %D%/member.c \
	%D%/monitor.c %D%/native.c %D%/reference.c %D%/string.c %D%/table.c
minivm_libminivm_la_SOURCES += $(jni_sources) %D%/call.h %D%/entry.h

# Prototypes of the functions and their table; functions that check.
%D%/functions.h %D%/checks.h: $(gen) $(gen_tables)
	$(call generate)
$(jni_sources:.c=.lo): %D%/functions.h %D%/checks.h
BUILT_SOURCES += %D%/functions.h %D%/checks.h
CLEANFILES += %D%/functions.h %D%/checks.h
