# SPDX-License-Identifier: MIT
EXTRA_DIST += %D%/README.md %D%/agents %D%/growth %D%/measure.c %D%/prototype %D%/run \
	%D%/sizes %D%/workloads
clean_dirs += %D%/run.work %D%/growth.work

# BENCHFLAGS goes to bench/run, for example BENCHFLAGS=--quick.
BENCHFLAGS =
bench_local = run-benchmarks
.PHONY: run-benchmarks
run-benchmarks: all
	$(AM_V_at)$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/bench/run $(BENCHFLAGS)
