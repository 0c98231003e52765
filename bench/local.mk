# SPDX-License-Identifier: MIT
EXTRA_DIST += %D%/BusyThreads.java %D%/README.md %D%/agents %D%/check %D%/growth \
	%D%/measure.c %D%/prototype %D%/run %D%/sampler %D%/sizes %D%/virtual \
	%D%/wake.c %D%/workloads
clean_dirs += %D%/run.work %D%/growth.work %D%/check.work %D%/sampler.work

# BENCHFLAGS goes to bench/run, for example BENCHFLAGS=--quick.
BENCHFLAGS =
bench_local = run-benchmarks
.PHONY: run-benchmarks
run-benchmarks: all
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/bench/run $(BENCHFLAGS)

# What samples of the tracer cost; SAMPLERFLAGS goes to bench/sampler.
SAMPLERFLAGS =
.PHONY: bench-sampler
bench-sampler: all
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/bench/sampler $(SAMPLERFLAGS)

# What tiforge check costs; CHECKFLAGS goes to bench/check.
CHECKFLAGS =
.PHONY: bench-check
bench-check: all agents/heapdump/test/libroots.la
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/bench/check $(CHECKFLAGS)
