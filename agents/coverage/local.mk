# SPDX-License-Identifier: MIT

agents_LTLIBRARIES += %D%/libcoverage.la
%C%_libcoverage_la_SOURCES = %D%/coverage.c agents/progress.c \
	agents/progress.h %D%/agent.h %D%/coverage.h %D%/analyze.c \
	%D%/collect.c %D%/data.c %D%/filter.c %D%/folder.c %D%/html.c %D%/probed.c %D%/report.c \
	%D%/xml.c
%C%_libcoverage_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version
%C%_libcoverage_la_LIBADD = -L$(builddir)/sdk -l:libtiforge.a -lpthread -lm
EXTRA_agents_coverage_libcoverage_la_DEPENDENCIES = sdk/libtiforge.a
$(agents_coverage_libcoverage_la_OBJECTS): | $(BUILT_SOURCES)

test_scripts += %D%/coverage.t
clean_dirs += %D%/coverage.work
EXTRA_DIST += %D%/README.md %D%/bench %D%/test

# Not a part of `make bench`: make bench-coverage [RUNS=5].
clean_dirs += %D%/bench.work
.PHONY: bench-coverage
bench-coverage: all
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/%D%/bench $(RUNS)
