# SPDX-License-Identifier: MIT

# The generator is a program of the build machine, so it is no automake program.
gen = %D%/spec/gen
gen_sources = %D%/spec/gen.c %D%/spec/gen_index.c %D%/spec/gen_jni_h.c \
	%D%/spec/gen_jni_checks.c %D%/spec/gen_jvmti_h.c %D%/spec/gen_names.c \
	%D%/spec/gen_layout.c %D%/spec/gen_entries.c %D%/spec/gen_events.c \
	%D%/spec/gen_explain.c %D%/spec/gen_explain_jni.c %D%/spec/gen_calls.c \
	%D%/spec/gen_interpose.c
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

# Opcodes as constants, TF_OP_ALOAD_0 and so on.
BUILT_SOURCES += %D%/include/tiforge/opcodes.h
CLEANFILES += %D%/include/tiforge/opcodes.h
%D%/include/tiforge/opcodes.h: %D%/spec/opcodes.def
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	echo '/* SPDX-License-Identifier: MIT */'; \
	echo '/* tiforge/opcodes.h -- the instruction set (JVMS 6.5).  Generated. */'; \
	echo '#ifndef TIFORGE_OPCODES_H'; echo '#define TIFORGE_OPCODES_H'; echo; \
	echo 'enum tf_opcode {'; \
	sed -n 's/^OPCODE(\(0x[0-9a-f]*\), \([a-z0-9_]*\),.*/\2 \1/p' \
	    $(srcdir)/%D%/spec/opcodes.def | \
	    $(AWK) '{ printf "%s    TF_OP_%s = %s", sep, toupper($$1), $$2; sep = ",\n" } \
	            END { print "" }'; \
	echo '};'; echo; echo '#endif'; } >$@.tmp && mv $@.tmp $@

# libtiforge: for agents, static (what one usually wants: an agent is one file then) and
# shared.  The objects of the static one are position independent and keep their symbols
# to the library that they become a part of.
tiforge_headers = %D%/include/tiforge/agent.h %D%/include/tiforge/buffer.h \
	%D%/include/tiforge/capability.h %D%/include/tiforge/classfile.h \
	%D%/include/tiforge/gate.h %D%/include/tiforge/json.h %D%/include/tiforge/log.h \
	%D%/include/tiforge/monitor.h %D%/include/tiforge/naming.h \
	%D%/include/tiforge/options.h %D%/include/tiforge/output.h \
	%D%/include/tiforge/ring.h %D%/include/tiforge/scope.h \
	%D%/include/tiforge/tiforge.h %D%/include/tiforge/worker.h \
	%D%/include/tiforge/xml.h
libtiforge_sources = %D%/src/agent.c %D%/src/buffer.c %D%/src/capability.c \
	%D%/src/classfile.c %D%/src/classfile_impl.h %D%/src/code_edit.c \
	%D%/src/code_read.c %D%/src/code_write.c %D%/src/constants.c %D%/src/gate.c \
	%D%/src/json.c %D%/src/log.c %D%/src/monitor.c %D%/src/naming.c \
	%D%/src/opcodes.c %D%/src/options.c %D%/src/output.c %D%/src/ring.c \
	%D%/src/scope.c %D%/src/utf8.h %D%/src/worker.c %D%/src/xml.c
tiforgeincludedir = $(pkgincludedir)/tiforge
tiforgeinclude_HEADERS = $(tiforge_headers)
nodist_tiforgeinclude_HEADERS = %D%/include/tiforge/opcodes.h

lib_LTLIBRARIES += %D%/libtiforge.la
sdk_libtiforge_la_SOURCES = $(libtiforge_sources)
nodist_sdk_libtiforge_la_SOURCES = %D%/include/tiforge_names.c
# The places in messages are those of agents.
sdk_libtiforge_la_CPPFLAGS = $(AM_CPPFLAGS) -DTF_NO_PLACE
sdk_libtiforge_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
sdk_libtiforge_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-export-symbols-regex '^(tf|tiforge)_'
lib_LIBRARIES += %D%/libtiforge.a
sdk_libtiforge_a_SOURCES = $(libtiforge_sources)
nodist_sdk_libtiforge_a_SOURCES = %D%/include/tiforge_names.c
sdk_libtiforge_a_CPPFLAGS = $(AM_CPPFLAGS) -DTF_NO_PLACE
sdk_libtiforge_a_CFLAGS = $(AM_CFLAGS) -fPIC
$(sdk_libtiforge_la_OBJECTS) $(sdk_libtiforge_a_OBJECTS): | $(BUILT_SOURCES)

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

# The library's tests: TAP programs, and an agent that rewrites classes.
sdk_unit_tests = %D%/test/text-t %D%/test/options-t %D%/test/threads-t \
	%D%/test/classfile-t %D%/test/vm-t %D%/test/cxx-t
unit_tests += $(sdk_unit_tests)
sdk_test_text_t_SOURCES = %D%/test/text-t.c %D%/test/tap.h
sdk_test_text_t_LDADD = $(libtiforge_ldadd)
sdk_test_options_t_SOURCES = %D%/test/options-t.c %D%/test/tap.h
sdk_test_options_t_LDADD = $(libtiforge_ldadd)
sdk_test_threads_t_SOURCES = %D%/test/threads-t.c %D%/test/tap.h
sdk_test_threads_t_LDADD = $(libtiforge_ldadd)
sdk_test_classfile_t_SOURCES = %D%/test/classfile-t.c %D%/test/tap.h
sdk_test_classfile_t_LDADD = $(libtiforge_ldadd)
sdk_test_vm_t_SOURCES = %D%/test/vm-t.c %D%/test/fakevm.c %D%/test/fakevm.h \
	%D%/test/tap.h
sdk_test_vm_t_LDADD = $(libtiforge_ldadd)
$(sdk_test_vm_t_OBJECTS): | $(BUILT_SOURCES)
sdk_test_cxx_t_SOURCES = %D%/test/cxx-t.cc %D%/test/tap.h
sdk_test_cxx_t_LDADD = $(libtiforge_ldadd)
libtiforge_ldadd = %D%/libtiforge.a -lpthread -lm

check_LTLIBRARIES += %D%/test/librewriter.la
sdk_test_librewriter_la_SOURCES = %D%/test/rewriter.c
sdk_test_librewriter_la_LDFLAGS = $(test_module_ldflags)
# Not as a libtool library: libtool would put all of the archive in.
sdk_test_librewriter_la_LIBADD = -L%D% -l:libtiforge.a -lpthread -lm
sdk_test_librewriter_la_DEPENDENCIES = %D%/libtiforge.a
check_LTLIBRARIES += %D%/test/libonvm.la
sdk_test_libonvm_la_SOURCES = %D%/test/onvm.c
sdk_test_libonvm_la_LDFLAGS = $(test_module_ldflags)
sdk_test_libonvm_la_LIBADD = $(sdk_test_librewriter_la_LIBADD)
sdk_test_libonvm_la_DEPENDENCIES = %D%/libtiforge.a
$(sdk_test_librewriter_la_OBJECTS) $(sdk_test_libonvm_la_OBJECTS): | $(BUILT_SOURCES)
test_scripts += %D%/test/rewriter.t %D%/test/onvm.t %D%/test/cxx.t
clean_dirs += %D%/test/cxx.work %D%/test/rewriter.work %D%/test/onvm.work
EXTRA_DIST += %D%/test/java/onvm/OnVm.java %D%/test/java/probe/Probe.java \
	%D%/test/java/target/Target.java

# The command, its parts, and what build systems find the kit by.
kit_subst = sed -e 's,@prefix\@,$(prefix),g' -e 's,@bindir\@,$(bindir),g' \
	-e 's,@libdir\@,$(libdir),g' -e 's,@includedir\@,$(includedir),g' \
	-e 's,@datadir\@,$(datadir),g' -e 's,@pkgdatadir\@,$(pkgdatadir),g' \
	-e 's,@VERSION\@,$(VERSION),g'
# The kit may be moved, so what pkg-config reads says where the rest lies from there,
# unless the libraries are to lie elsewhere.
pc_subst = prefix=`case '$(libdir)' in \
	('$(prefix)'/*) echo '$(libdir)/pkgconfig' | \
	    sed -e 's,^$(prefix)/,,' -e 's,[^/][^/]*,..,g' -e 's,^,$${pcfiledir}/,' ;; \
	(*) echo '$(prefix)' ;; esac` && \
	$(kit_subst) -e "s,@pc_prefix\@,$$prefix,g" -e 's,=$(prefix)/,=$${prefix}/,'
kit_made = %D%/command/tiforge %D%/install/tiforge.pc %D%/install/tiforge-config.cmake \
	%D%/install/tiforge-config-version.cmake
all_local += $(kit_made)
CLEANFILES += $(kit_made)
EXTRA_DIST += $(kit_made:=.in) %D%/install/tiforge.m4 %D%/install/tiforge.bash \
	%D%/install/tiforge.zsh %D%/install/tiforge.fish
$(kit_made): %: %.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(if $(filter %.pc,$@),$(pc_subst),$(kit_subst)) $(srcdir)/$@.in >$@.tmp && \
	mv $@.tmp $@

nodist_bin_SCRIPTS = %D%/command/tiforge
commanddir = $(pkgdatadir)/command
dist_command_DATA = %D%/command/new.sh %D%/command/build.sh %D%/command/test.sh %D%/command/faults.sh \
	%D%/command/run.sh %D%/command/check.sh %D%/command/trace.sh \
	%D%/command/doctor.sh %D%/command/tck.sh %D%/command/explain.sh \
	%D%/command/complete.sh
nodist_pkgdata_DATA = %D%/explain.txt
all_local += %D%/explain.txt
CLEANFILES += %D%/explain.txt
EXTRA_DIST += %D%/spec/advice.txt %D%/spec/explain-headers.awk
%D%/explain.txt: $(gen) $(gen_tables) %D%/spec/advice.txt %D%/spec/opcodes.def \
		%D%/spec/explain-headers.awk $(tiforge_headers)
	$(call generate,$(srcdir)/%D%/spec/advice.txt)
	$(AM_V_at)sed -n 's/^OPCODE(\(0x[0-9a-f]*\), \([a-z0-9_]*\),.*/\2 \1/p' \
	    $(srcdir)/%D%/spec/opcodes.def | $(AWK) ' \
	    NR == 1 { print "@tf_opcode\ntf_opcode: libtiforge, tiforge/opcodes.h\n\n" \
	        "    enum tf_opcode { TF_OP_NOP ... }" } \
	    { name = "TF_OP_" toupper($$1); \
	        print "@" name "\n" name ": libtiforge, tiforge/opcodes.h\n\n" \
	            "  The instruction " $$1 ", " $$2 " (JVMS 6.5)." }' >>$@
	$(AM_V_at)for header in $(tiforge_headers); do \
	    $(AWK) -f $(srcdir)/%D%/spec/explain-headers.awk "$(srcdir)/$$header" || exit 1; \
	done >$@.headers && cat $@.headers >>$@ && rm $@.headers
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/install/tiforge.pc
cmakedir = $(libdir)/cmake/tiforge
nodist_cmake_DATA = %D%/install/tiforge-config.cmake \
	%D%/install/tiforge-config-version.cmake
aclocaldir = $(datadir)/aclocal
dist_aclocal_DATA = %D%/install/tiforge.m4
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d

# Templates keep their folders.
templates = minimal method-events sampling-profiler heap-walker allocation-sampler \
	class-transformer breakpoint-debugger exception-logger monitor-contention attach
template_common = common/lib.sh common/bounded.sh common/README.md common/ci.yml common/gitignore \
	common/make/Makefile common/autotools/configure.ac common/autotools/Makefile.am \
	common/cmake/CMakeLists.txt
template_files = $(template_common) $(templates:=/about) $(templates:=/agent.c) \
	$(templates:=/agent.t) $(templates:=/Target.java)
EXTRA_DIST += $(addprefix %D%/templates/,$(template_files))

install-data-local: install-kit install-course
install-kit:
	for file in $(template_files); do \
	    $(MKDIR_P) "$(DESTDIR)$(pkgdatadir)/templates/$${file%/*}" && \
	    $(INSTALL_DATA) "$(srcdir)/%D%/templates/$$file" \
	        "$(DESTDIR)$(pkgdatadir)/templates/$$file" || exit 1; \
	done
	$(MKDIR_P) "$(DESTDIR)$(bashcompletiondir)"
	$(INSTALL_DATA) "$(srcdir)/%D%/install/tiforge.bash" \
	    "$(DESTDIR)$(bashcompletiondir)/tiforge"
	$(MKDIR_P) "$(DESTDIR)$(zshcompletiondir)" "$(DESTDIR)$(fishcompletiondir)"
	$(INSTALL_DATA) "$(srcdir)/%D%/install/tiforge.zsh" \
	    "$(DESTDIR)$(zshcompletiondir)/_tiforge"
	$(INSTALL_DATA) "$(srcdir)/%D%/install/tiforge.fish" \
	    "$(DESTDIR)$(fishcompletiondir)/tiforge.fish"
uninstall-local: uninstall-course
	rm -rf "$(DESTDIR)$(pkgdatadir)/templates" \
	    "$(DESTDIR)$(bashcompletiondir)/tiforge" \
	    "$(DESTDIR)$(zshcompletiondir)/_tiforge" \
	    "$(DESTDIR)$(fishcompletiondir)/tiforge.fish" "$(DESTDIR)$(pkglibdir)/tck"
.PHONY: install-kit

# The conformance kit for `tiforge tck`: its runner looks beside itself.
install-exec-local: all
	$(MKDIR_P) "$(DESTDIR)$(pkglibdir)/tck"
	$(LIBTOOL) $(AM_LIBTOOLFLAGS) --mode=install $(INSTALL_PROGRAM) tck/run \
	    "$(DESTDIR)$(pkglibdir)/tck/run"
	$(INSTALL_PROGRAM) tck/.libs/libtck.so tck/.libs/libtckmutate.so \
	    "$(DESTDIR)$(pkglibdir)/tck"
	cd tck && tar cf - classes | (cd "$(DESTDIR)$(pkglibdir)/tck" && tar xf -)

# The command and two projects in `make check`; each template with each language and
# build system in `make installcheck`.
test_scripts += %D%/test/kit.t
clean_dirs += %D%/test/kit.work
EXTRA_DIST += %D%/test/stage %D%/test/installcheck
installcheck-local:
	JAVA_HOME='$(JDK17)' $(srcdir)/%D%/test/installcheck "$(DESTDIR)$(bindir)/tiforge" \
	    $(TEMPLATES)
