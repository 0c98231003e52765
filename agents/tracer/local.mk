# SPDX-License-Identifier: MIT

agents_LTLIBRARIES += %D%/libtracer.la
%C%_libtracer_la_SOURCES = %D%/tracer.c %D%/tracer.h %D%/calltree.c %D%/formats.c \
	%D%/methods.c %D%/recorder.c %D%/store.c
%C%_libtracer_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version
%C%_libtracer_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a -lpthread -lm
EXTRA_%C%_libtracer_la_DEPENDENCIES = sdk/libtiforge.a
$(%C%_libtracer_la_OBJECTS): | $(BUILT_SOURCES)

test_scripts += %D%/tracer.t %D%/speedscope.t
clean_dirs += %D%/tracer.work %D%/speedscope.work %D%/bench.work
EXTRA_DIST += %D%/README.md %D%/bench %D%/test
