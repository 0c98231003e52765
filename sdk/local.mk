# SPDX-License-Identifier: MIT

# The generator is a program of the build machine, so it is no automake program.
gen = %D%/spec/gen
gen_sources = %D%/spec/gen.c %D%/spec/gen_index.c %D%/spec/gen_jni_h.c \
	%D%/spec/gen_jvmti_h.c %D%/spec/gen_names.c %D%/spec/gen_layout.c \
	%D%/spec/gen_entries.c
gen_tables = %D%/spec/jvmti-21.json %D%/spec/jni.json
EXTRA_DIST += $(gen_sources) %D%/spec/gen.h $(gen_tables)
CLEANFILES += $(gen)

$(gen): $(gen_sources) %D%/spec/gen.h
	$(AM_V_GEN)$(MKDIR_P) %D%/spec && cd $(srcdir) && \
	$(CC_FOR_BUILD) $(CFLAGS_FOR_BUILD) -I%D%/spec -o $(abs_builddir)/$@ \
		$(gen_sources) $(LIBS_FOR_BUILD)

# $(call generate,FURTHER-ARGUMENTS): the product that $@ is named after.
generate = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(gen) $(@F) $(srcdir)/%D%/spec/jvmti-21.json $(srcdir)/%D%/spec/jni.json $(1) \
		> $@.tmp && mv $@.tmp $@

generated_headers = %D%/include/jni.h %D%/include/jvmti.h %D%/include/tiforge_names.h
nodist_pkginclude_HEADERS = $(generated_headers)
BUILT_SOURCES += $(generated_headers)
CLEANFILES += $(generated_headers) %D%/include/tiforge_names.c

$(generated_headers) %D%/include/tiforge_names.c %D%/test/layout.c: $(gen) $(gen_tables)
	$(call generate)

noinst_LTLIBRARIES += %D%/libnames.la
nodist_sdk_libnames_la_SOURCES = %D%/include/tiforge_names.c
minivm_libminivm_la_LIBADD += %D%/libnames.la

# The headers against those of the JDKs.
test_scripts += %D%/test/headers.t
check_DATA += %D%/test/layout.c
CLEANFILES += %D%/test/layout.c
clean_dirs += %D%/test/headers.work
EXTRA_DIST += %D%/test/agent.c %D%/test/agent.cc %D%/test/headers-17.txt \
	%D%/test/headers-25.txt
