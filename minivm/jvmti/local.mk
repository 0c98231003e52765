# SPDX-License-Identifier: MIT

# entries.c checks and resolves arguments and calls the bodies, see wrapper.h.
jvmti_generated = %D%/entries.h %D%/entries.c
$(jvmti_generated): $(gen) $(gen_tables) %D%/implemented.txt
	$(call generate,$(srcdir)/minivm/jvmti/implemented.txt)
BUILT_SOURCES += $(jvmti_generated)
CLEANFILES += $(jvmti_generated)
EXTRA_DIST += %D%/implemented.txt

minivm_libminivm_la_SOURCES += %D%/wrapper.h
