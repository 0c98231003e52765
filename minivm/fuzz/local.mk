# SPDX-License-Identifier: MIT

# The fuzzers: each has a folder here with a program `run`; README.md says what that
# takes and prints.  A new one is a name in this list and, if it is built, its programs
# in fuzz_programs.
fuzzers = calls classes programs readers

fuzz_programs =
fuzz_libraries =
EXTRA_DIST += %D%/README.md %D%/run $(fuzzers:%=%D%/%)

# Of a whole folder automake also takes what the build has put into the folder of the
# same name.
dist-hook:
	for folder in $(fuzzers:%=%D%/%); do \
	    rm -rf $(distdir)/$$folder && cp -R $(srcdir)/$$folder $(distdir)/$$folder && \
	    chmod -R u+w $(distdir)/$$folder || exit; \
	done
	cd $(distdir) && find . \( -name .libs -o -name .deps \) -prune -exec rm -rf {} +
	cd $(distdir) && find . \( -name '*.o' -o -name '*.l[ao]' -o -name '.dirstamp' \) \
	    -exec rm -f {} +
	cd $(distdir) && rm -f $(calls_generated) $(fuzz_programs)

# `make check` runs each for about a minute, `make check-long` for twenty.
test_scripts += %D%/short.t
long_scripts += %D%/long.t
clean_dirs += %D%/short.work %D%/long.work %D%/run.work

# make fuzz SECONDS=N [FUZZERS='NAME...'] [SEED=S] [SHARD=I/N] [KEEP=DIR]
SECONDS = 600
SEED = 1
SHARD = 1/1
KEEP =
FUZZERS = $(fuzzers)
.PHONY: fuzz
fuzz: all $(fuzz_programs) $(fuzz_libraries)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/%D%/run --seconds $(SECONDS) --seed $(SEED) \
	    --shard $(SHARD) $(if $(KEEP),--keep '$(KEEP)') $(FUZZERS)

# readers: libFuzzer targets.  Without --enable-fuzz it builds them itself where it
# finds clang.  The shared runtime has to come first among the libraries, where
# libFuzzer does not put it.
fuzz_programs += %D%/readers/make_seeds
%C%_readers_make_seeds_SOURCES = %D%/readers/make_seeds.c \
	minivm/test/archives.c minivm/test/archives.h
if FUZZ
noinst_PROGRAMS += %D%/readers/classfile %D%/readers/jimage %D%/readers/zip
%C%_readers_classfile_LDADD = minivm/libminivm.la
%C%_readers_classfile_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
%C%_readers_jimage_LDADD = minivm/libminivm.la
%C%_readers_jimage_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
%C%_readers_zip_LDADD = minivm/libminivm.la
%C%_readers_zip_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
endif

# calls: an agent, with all functions and events from the facts.
fuzz_libraries += %D%/calls/libcalls.la
calls_generated = %D%/calls/calls.c %D%/calls/callbacks.c
%C%_calls_libcalls_la_SOURCES = %D%/calls/arguments.c %D%/calls/fuzzer.c \
	%D%/calls/fuzzer.h %D%/calls/jni.c %D%/calls/jvmti.c %D%/calls/stage.c \
	%D%/calls/stage.h %D%/calls/table.h
nodist_%C%_calls_libcalls_la_SOURCES = $(calls_generated)
%C%_calls_libcalls_la_LDFLAGS = $(test_module_ldflags)
$(calls_generated): $(gen) $(gen_tables)
	$(call generate)
CLEANFILES += $(calls_generated)
$(%C%_calls_libcalls_la_OBJECTS): | $(BUILT_SOURCES)

check_PROGRAMS += $(fuzz_programs)
check_LTLIBRARIES += $(fuzz_libraries)
