# SPDX-License-Identifier: MIT

agents_LTLIBRARIES += %D%/libtracer.la
%C%_libtracer_la_SOURCES = %D%/tracer.c %D%/tracer.h agents/progress.c \
	agents/progress.h %D%/calltree.c %D%/compare.c %D%/cut.c \
	%D%/formats.c %D%/html.c %D%/instrument.c %D%/methods.c \
	%D%/recorder.c %D%/sampler.c %D%/store.c %D%/text.c \
	%D%/threads.c %D%/timeline.c
%C%_libtracer_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version
%C%_libtracer_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a -lpthread -lm
EXTRA_%C%_libtracer_la_DEPENDENCIES = sdk/libtiforge.a
$(%C%_libtracer_la_OBJECTS): | $(BUILT_SOURCES)

test_scripts += %D%/tracer.t %D%/speedscope.t %D%/pages.t
clean_dirs += %D%/pages.work %D%/tracer.work %D%/speedscope.work %D%/bench.work
EXTRA_DIST += %D%/README.md %D%/bench %D%/test/lib.sh %D%/test/Calls.expected \
	%D%/test/Calls.java %D%/test/Crowd.java %D%/test/Deep.java %D%/test/Hot.java \
	%D%/test/Many.java %D%/test/page.py %D%/test/Phases.java %D%/test/Popped.java \
	%D%/test/Trace.java %D%/test/Unboxes.java %D%/test/Waits.java \
	%D%/test/virtual/Spins.java %D%/test/virtual/Virtual.java

# An agent that pops a frame under the tracer's eyes.
check_LTLIBRARIES += %D%/test/libpopper.la
%C%_test_libpopper_la_SOURCES = %D%/test/popper.c
%C%_test_libpopper_la_LDFLAGS = $(test_module_ldflags)
%C%_test_libpopper_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a -lpthread -lm
%C%_test_libpopper_la_DEPENDENCIES = sdk/libtiforge.a
$(%C%_test_libpopper_la_OBJECTS): | $(BUILT_SOURCES)
