# SPDX-License-Identifier: MIT

# The generator of facts and mechanical cases runs on the build machine.
tck_gen = %D%/gen/gen
tck_gen_sources = %D%/gen/gen.c %D%/gen/rules.c
tck_gen_headers = %D%/gen/gen.h %D%/gen/rules.h
EXTRA_DIST += $(tck_gen_sources) $(tck_gen_headers)
CLEANFILES += $(tck_gen) %D%/facts.c

$(tck_gen): $(tck_gen_sources) $(tck_gen_headers)
	$(AM_V_GEN)$(MKDIR_P) %D%/gen && cd $(srcdir) && \
	$(CC_FOR_BUILD) $(CFLAGS_FOR_BUILD) -D_GNU_SOURCE -I. -o $(abs_builddir)/$@ \
		$(tck_gen_sources) $(LIBS_FOR_BUILD)

%D%/facts.c: $(tck_gen) $(srcdir)/sdk/spec/jvmti-21.json
	$(AM_V_GEN)$(tck_gen) $(srcdir)/sdk/spec/jvmti-21.json $@.tmp && mv $@.tmp $@

EXTRA_DIST += %D%/gen/inferred
CLEANFILES += %D%/inferred.c
%D%/inferred.c: $(srcdir)/%D%/gen/inferred $(srcdir)/%D%/behaviours.md
	$(AM_V_GEN)$(srcdir)/%D%/gen/inferred $(srcdir)/%D%/behaviours.md >$@.tmp && \
	mv $@.tmp $@

# What a compiler cannot check, since it joins the modules as a string or a number.
EXTRA_DIST += %D%/gen/check-names %D%/behaviours.md
CLEANFILES += %D%/names.checked
all_local += %D%/names.checked
%D%/names.checked: $(srcdir)/%D%/gen/check-names %D%/facts.c $(srcdir)/%D%/behaviours.md \
		$(addprefix $(srcdir)/,$(filter %.c,$(tck_case_sources)))
	$(AM_V_GEN)$(srcdir)/%D%/gen/check-names %D%/facts.c $(srcdir)/%D%/behaviours.md \
		$(addprefix $(srcdir)/,$(filter %.c,$(tck_case_sources))) && touch $@

# All cases: what the agent runs, and what the runner knows them from.
tck_case_sources = \
	%D%/lib/agent.c %D%/lib/args.c %D%/lib/class.c %D%/lib/classfile.c %D%/lib/classfile.h \
	%D%/lib/faults.c %D%/lib/faults.def %D%/lib/mech.c %D%/lib/mech.h \
	%D%/lib/record.c %D%/lib/record.h %D%/lib/stage.c %D%/lib/stage.h \
	%D%/lib/table.h %D%/lib/tck.c %D%/lib/tck.h %D%/lib/virtual.c %D%/lib/virtual.h \
	%D%/agent/capability.c \
	%D%/agent/class.c %D%/agent/event_code.c %D%/agent/event_life.c \
	%D%/agent/event_callback.c %D%/agent/event_compiled.c %D%/agent/event_memory.c \
	%D%/agent/event_scope.c %D%/agent/event_values.c %D%/agent/frame.c %D%/agent/frame.h \
	%D%/agent/frame_notify.c %D%/agent/local_variable.c %D%/agent/general.c %D%/agent/heap.c %D%/agent/heap10.c \
	%D%/agent/heap_values.c %D%/agent/heap_walk.c %D%/agent/heap_walk.h %D%/agent/member.c \
	%D%/agent/module.c %D%/agent/object.c %D%/agent/pool.c %D%/agent/redefine.c \
	%D%/agent/redefine_attribute.c \
	%D%/agent/stack.c %D%/agent/thread.c %D%/agent/thread_group.c %D%/agent/timer.c \
	%D%/agent/virtual.c %D%/agent/virtual_control.c %D%/agent/virtual_event.c \
	%D%/agent/virtual_stack.c %D%/agent/virtual_state.c
tck_cppflags = $(AM_CPPFLAGS) -I$(srcdir)

noinst_LTLIBRARIES += %D%/libtck.la
tck_libtck_la_SOURCES = $(tck_case_sources)
nodist_tck_libtck_la_SOURCES = %D%/facts.c %D%/inferred.c
tck_libtck_la_CPPFLAGS = $(tck_cppflags)
tck_libtck_la_LDFLAGS = $(test_module_ldflags)

# The agent that puts faults between the kit and the VM.
noinst_LTLIBRARIES += %D%/libtckmutate.la
tck_libtckmutate_la_SOURCES = %D%/mutate/answer.c %D%/mutate/answer.h %D%/mutate/capability.c \
	%D%/mutate/heap.c %D%/mutate/heap.h %D%/mutate/input.c %D%/mutate/input.h \
	%D%/mutate/members.h %D%/mutate/mutate.c %D%/mutate/mutate.h $(interpose_sources)
nodist_tck_libtckmutate_la_SOURCES = %D%/facts.c $(interpose_generated)
tck_libtckmutate_la_CPPFLAGS = $(tck_cppflags) $(interpose_cppflags)
# What the interposition calls has to be there: a call that is not ends the VM, which would
# pass for a fault that was noticed.
tck_libtckmutate_la_LDFLAGS = $(test_module_ldflags) -Wl,-z,defs
tck_libtckmutate_la_LIBADD = -lpthread
$(tck_libtckmutate_la_OBJECTS): | $(BUILT_SOURCES)

noinst_PROGRAMS += %D%/run
tck_run_SOURCES = $(tck_case_sources) %D%/src/catalog.c %D%/src/coverage.c %D%/src/expect.c \
	%D%/src/explained.h %D%/src/fault.c %D%/src/fault.h %D%/src/guard.c %D%/src/html.c \
	%D%/src/merge.c %D%/src/page.h %D%/src/mutation.c %D%/mutate/answer.h %D%/mutate/heap.h \
	%D%/mutate/input.h %D%/mutate/members.h %D%/src/report.c \
	%D%/src/run.c %D%/src/run.h %D%/src/text.c %D%/src/untestable.h %D%/src/vm.c
nodist_tck_run_SOURCES = %D%/facts.c %D%/inferred.c
tck_run_CPPFLAGS = $(tck_cppflags)
tck_run_LDADD = sdk/libtiforge.a $(CJSON_LIBS)

# The Java targets, for release 11; one class without debug attributes, some that no
# class file of that release can say, and other versions of some classes, which the agent
# reads as resources.
tck_java = \
	%D%/java/tck/Events.java %D%/java/tck/Frames.java %D%/java/tck/Graph.java \
	%D%/java/tck/Host.java %D%/java/tck/Kinds.java %D%/java/tck/Loaded.java \
	%D%/java/tck/Model.java %D%/java/tck/Modules.java %D%/java/tck/Prefixed.java \
	%D%/java/tck/Parked.java %D%/java/tck/Plain.java %D%/java/tck/Redef.java %D%/java/tck/Redefs.java \
	%D%/java/tck/Stage.java %D%/java/tck/Threads.java %D%/java/tck/Values.java \
	%D%/java/tck/Virtual.java
tck_bare = %D%/java/tck/Bare.java
tck_java17 = %D%/java/tck/Shape.java
tck_variants = \
	%D%/java/variants/attribute/tck/Redef.java \
	%D%/java/variants/changed/tck/Redef.java \
	%D%/java/variants/class-modifiers/tck/Redef.java \
	%D%/java/variants/hierarchy/tck/Redef.java \
	%D%/java/variants/method-added/tck/Redef.java \
	%D%/java/variants/method-deleted/tck/Redef.java \
	%D%/java/variants/method-modifiers/tck/Redef.java \
	%D%/java/variants/schema/tck/Redef.java %D%/java/variants/smap/tck/Smap.java \
	%D%/java/variants/third/tck/Redef.java
EXTRA_DIST += $(tck_java) $(tck_java17) $(tck_bare) $(tck_variants)
tck_javac = $(JDK17)/bin/javac --release 11 -Xlint:-options

all_local += %D%/classes/stamp
%D%/classes/stamp: $(tck_java) $(tck_java17) $(tck_bare) $(tck_variants)
	$(AM_V_GEN)rm -rf $(@D) && $(MKDIR_P) $(@D) && \
	(cd $(srcdir) && classes=$(abs_builddir)/$(@D) && \
	 $(tck_javac) -g:none -d $$classes $(tck_bare) && \
	 $(tck_javac) -g -cp $$classes -d $$classes $(tck_java) && \
	 $(JDK17)/bin/javac --release 17 -g -d $$classes $(tck_java17) && \
	 for file in $(tck_variants); do \
	    variant=$${file#%D%/java/variants/}; variant=$${variant%%/*}; \
	    $(MKDIR_P) $$classes/variants/$$variant; \
	    $(tck_javac) -g -cp $$classes -d $$classes/variants/$$variant $$file || exit; \
	 done && \
	 $(JDK17)/bin/jar cf $$classes/extra.jar -C $$classes/variants/smap tck) && \
	touch $@

clean_dirs += %D%/classes

EXTRA_DIST += %D%/README.md %D%/junit.rng %D%/other-vms.md %D%/expect/hotspot17.txt \
	%D%/expect/hotspot21.txt %D%/expect/hotspot25.txt
# Agents that show a defect of HotSpot each, and need nothing of this project.
EXTRA_DIST += \
	%D%/reproductions/destroy-unattached.c \
	%D%/reproductions/entry-in-start-phase.c \
	%D%/reproductions/field-modifiers.c \
	%D%/reproductions/huge-slot.c \
	%D%/reproductions/jni-monitor-count.c \
	%D%/reproductions/no-such-event.c \
	%D%/reproductions/no-thread-group.c \
	%D%/reproductions/null-property.c \
	%D%/reproductions/oldest-of-unmounted.c \
	%D%/reproductions/one-thread-events.c \
	%D%/reproductions/redefine-no-class.c \
	%D%/reproductions/sampled-in-start-phase.c \
	%D%/reproductions/wait-in-onload.c \
	%D%/reproductions/waiting-is-blocked.c
test_scripts += %D%/reproductions.t
test_scripts += %D%/facts.t %D%/hotspot17.t %D%/hotspot21.t %D%/hotspot25.t
test_scripts += %D%/minivm.t %D%/minivm-on-21.t %D%/minivm-on-25.t %D%/minivm-bound.t %D%/runner.t
test_scripts += %D%/faults.t %D%/virtual-faults.t %D%/without.t
long_scripts += %D%/without-long.t
EXTRA_DIST += %D%/virtual-faults.txt

# The kit alone, without the VM of this package.
.PHONY: kit
kit: $(BUILT_SOURCES)
	$(MAKE) $(AM_MAKEFLAGS) %D%/run %D%/libtck.la %D%/libtckmutate.la %D%/classes/stamp

# Tests of the tests: every fault, on minivm since it starts fastest, and what was not
# reached there on a VM that has virtual threads and a compiler; takes its time.
MUTATION_VM = $(abs_top_builddir)/minivm/minivm
CLEANFILES += %D%/mutation.log
.PHONY: mutation
mutation: all
	rm -f %D%/mutation.log
	mutate="$(top_builddir)/tck/run --mutate * --jobs 2 --quiet"; set -f; \
	$$mutate --log %D%/mutation.log --java '$(MUTATION_VM)'; status=$$?; \
	test $$status -gt 1 || test -z '$(JDK25)' || { \
	    $$mutate --log %D%/mutation.log --after %D%/mutation.log \
	        --java '$(JDK25)/bin/java'; status=$$?; }; \
	exit $$status
