# SPDX-License-Identifier: MIT

# What stands between an agent and a VM.
interpose_sources = %D%/interpose/env.c %D%/interpose/extension.c \
	%D%/interpose/extension.h %D%/interpose/heap.c %D%/interpose/interpose.h \
	%D%/interpose/jni.c %D%/interpose/thread.c %D%/interpose/vm.c \
	%D%/interpose/wrappers.h
interpose_generated = %D%/interpose_functions.c %D%/interpose_events.c \
	%D%/interpose_extensions.c %D%/interpose_jni.c
BUILT_SOURCES += %D%/interpose_names.h
CLEANFILES += %D%/interpose_names.h $(interpose_generated)
%D%/interpose_names.h $(interpose_generated): $(gen) $(gen_tables)
	$(call generate)
interpose_cppflags = $(AM_CPPFLAGS) -I$(builddir)/%D%

# The rules, from one table.
EXTRA_DIST += %D%/rules.awk %D%/rules.man %D%/rules.txt
BUILT_SOURCES += %D%/check_rules.h
all_local += %D%/rules-explain.txt
nodist_pkgdata_DATA += %D%/rules-explain.txt
CLEANFILES += %D%/check_rules.h %D%/check_rules.c %D%/rules-explain.txt
# $(call rules,PRODUCT): $@ of them.
rules = $(AM_V_GEN)$(MKDIR_P) $(@D) && LC_ALL=C $(AWK) -v product=$(1) \
	-f $(srcdir)/%D%/rules.awk $(srcdir)/%D%/rules.txt >$@.tmp && mv $@.tmp $@
%D%/check_rules.h: %D%/rules.awk %D%/rules.txt
	$(call rules,h)
%D%/check_rules.c: %D%/rules.awk %D%/rules.txt
	$(call rules,c)
%D%/rules-explain.txt: %D%/rules.awk %D%/rules.txt
	$(call rules,explain)

# What each VM finds of each rule, as a table in Markdown; runs the test.
.PHONY: rules-table
rules-table: all
	-$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/test/rules.t >%D%/rules.tap
	LC_ALL=C $(AWK) -v product=table -v results=%D%/rules.tap -f $(srcdir)/%D%/rules.awk \
		$(srcdir)/%D%/rules.txt >%D%/rules-table.md
CLEANFILES += %D%/rules.tap %D%/rules-table.md

# The layer: one file that needs nothing; libtiforge is in it.
checklibdir = $(pkglibdir)/check
checklib_LTLIBRARIES = %D%/libtiforge-check.la
%C%_libtiforge_check_la_SOURCES = %D%/agent.c %D%/arena.c %D%/arena.h %D%/block.c \
	%D%/block.h %D%/callback.c %D%/check.h %D%/class.c %D%/class.h %D%/crash.c \
	%D%/elements.c %D%/error.c %D%/fault.c %D%/field.c %D%/field.h %D%/finding.c \
	%D%/finding.h %D%/got.c %D%/guard.c %D%/guard.h %D%/hooks.c %D%/id.c %D%/kind.c \
	%D%/leak.c %D%/local.c %D%/memory.c %D%/monitor.c %D%/page.c %D%/page.h %D%/phase.c \
	%D%/progress.c %D%/reach.c %D%/reach.h %D%/redefine.c %D%/reference.c %D%/report.c \
	%D%/result.c %D%/signal.c %D%/source.c %D%/source.h %D%/stack.c %D%/stack.h \
	%D%/stress.c %D%/table.c %D%/thread.c %D%/trace.c %D%/trace.h %D%/value.c \
	minivm/base/symbolize.c $(interpose_sources)
nodist_%C%_libtiforge_check_la_SOURCES = %D%/check_rules.c $(interpose_generated)
%C%_libtiforge_check_la_CPPFLAGS = $(interpose_cppflags)
%C%_libtiforge_check_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version
%C%_libtiforge_check_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a -lpthread -lm -ldl
EXTRA_layer_libtiforge_check_la_DEPENDENCIES = sdk/libtiforge.a
$(layer_libtiforge_check_la_OBJECTS): | $(BUILT_SOURCES)

# An agent that breaks one rule, or does the same rightly.
check_LTLIBRARIES += %D%/test/libmisuse.la
%C%_test_libmisuse_la_SOURCES = %D%/test/misuse/callback.c %D%/test/misuse/class.c \
	%D%/test/misuse/correct.c \
	%D%/test/misuse/error.c %D%/test/misuse/id.c %D%/test/misuse/memory.c \
	%D%/test/misuse/misuse.c %D%/test/misuse/misuse.h %D%/test/misuse/monitor.c \
	%D%/test/misuse/phase.c %D%/test/misuse/progress.c %D%/test/misuse/reference.c \
	%D%/test/misuse/table.c %D%/test/misuse/thread.c
%C%_test_libmisuse_la_LDFLAGS = $(test_module_ldflags)
%C%_test_libmisuse_la_LIBADD = -lpthread
$(layer_test_libmisuse_la_OBJECTS): | $(BUILT_SOURCES)
test_scripts += %D%/test/agents.t %D%/test/command.t %D%/test/correct.t \
	%D%/test/faults.t %D%/test/manual.t %D%/test/races.t %D%/test/rules.t \
	%D%/test/stress.t %D%/test/test.t %D%/test/trace.t %D%/test/xcheck.t
long_scripts += %D%/test/faults-long.t %D%/test/sanitized.t
clean_dirs += %D%/test/agents.work %D%/test/command.work %D%/test/correct.work \
	%D%/test/faults-long.work %D%/test/faults.work %D%/test/races.work \
	%D%/test/rules.work %D%/test/sanitized.work %D%/test/stress.work \
	%D%/test/test.work %D%/test/trace.work %D%/test/xcheck.work
EXTRA_DIST += %D%/test/Errors.java %D%/test/Target.java %D%/test/command.sh %D%/test/faults.sh
