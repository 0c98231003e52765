# SPDX-License-Identifier: MIT
jni_sources = %D%/array.c %D%/call.c %D%/class.c %D%/field.c %D%/lookup.c \
	%D%/reference.c %D%/string.c
minivm_libminivm_la_SOURCES += $(jni_sources) %D%/entry.h %D%/jni_floor.h

# Prototypes of the functions, and their table.
%D%/functions.h: $(gen) $(gen_tables)
	$(call generate)
$(jni_sources:.c=.lo): %D%/functions.h
BUILT_SOURCES += %D%/functions.h
CLEANFILES += %D%/functions.h
