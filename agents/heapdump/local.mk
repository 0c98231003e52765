# SPDX-License-Identifier: MIT

# One file that needs nothing but zlib: libtiforge is in it.
agents_LTLIBRARIES += %D%/libheapdump.la
%C%_libheapdump_la_SOURCES = %D%/heapdump.c %D%/heapdump.h agents/progress.c \
	agents/progress.h %D%/compare.c \
	%D%/dominators.c %D%/dump.c %D%/dump.h %D%/growth.c %D%/growth.h %D%/histogram.c \
	%D%/html.c %D%/hprof.c %D%/hprof.h %D%/hprof_bytes.c %D%/hprof_meta.c \
	%D%/hprof_roots.c %D%/model.c \
	%D%/output.c %D%/retained.c %D%/threads.c
%C%_libheapdump_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version
%C%_libheapdump_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a $(ZLIB_LIBS) -lpthread -lm
EXTRA_agents_heapdump_libheapdump_la_DEPENDENCIES = sdk/libtiforge.a
$(agents_heapdump_libheapdump_la_OBJECTS): | $(BUILT_SOURCES)

unit_tests += %D%/test/dominators-t
%C%_test_dominators_t_SOURCES = %D%/test/dominators-t.c %D%/dominators.c
# Flags of its own, so that its objects are not those of the library.
%C%_test_dominators_t_CFLAGS = $(AM_CFLAGS)
%C%_test_dominators_t_LDADD =
test_scripts += %D%/heapdump.t %D%/growth.t %D%/pages.t %D%/virtual.t
clean_dirs += %D%/heapdump.work %D%/growth.work %D%/pages.work
clean_dirs += %D%/bench.work %D%/virtual.work
# A library with roots for the program.
check_LTLIBRARIES += %D%/test/libroots.la
%C%_test_libroots_la_SOURCES = %D%/test/roots.c
%C%_test_libroots_la_LDFLAGS = $(test_module_ldflags)
$(%C%_test_libroots_la_OBJECTS): | $(BUILT_SOURCES)
EXTRA_DIST += %D%/README.md %D%/bench %D%/test/Busy.java %D%/test/Chain.java %D%/test/Holders.java %D%/test/Known.java %D%/test/Leak.java \
	%D%/test/Reader.java

# MILLIONS: of objects, 1 by default.
.PHONY: bench-heapdump
bench-heapdump: all agents/heapdump/test/libroots.la
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/%D%/bench $(MILLIONS)
