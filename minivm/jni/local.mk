# SPDX-License-Identifier: MIT
jni_sources = %D%/array.c %D%/call.c %D%/class.c %D%/field.c %D%/lookup.c \
	%D%/check.c %D%/reference.c %D%/string.c
minivm_libminivm_la_SOURCES += $(jni_sources) %D%/entry.h

# Prototypes of the functions and their table; functions that check.
%D%/functions.h %D%/checks.h: $(gen) $(gen_tables)
	$(call generate)
$(jni_sources:.c=.lo): %D%/functions.h %D%/checks.h
BUILT_SOURCES += %D%/functions.h %D%/checks.h
CLEANFILES += %D%/functions.h %D%/checks.h
