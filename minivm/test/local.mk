# SPDX-License-Identifier: MIT

# Whole programs, compared with the JDK's own VM.
test_scripts += %D%/programs.t
EXTRA_DIST += %D%/programs
clean_dirs += %D%/programs.work

# Unit tests: <module>-t.c, each with the TAP functions of tap.h.
check_LTLIBRARIES += %D%/libtap.la
%C%_libtap_la_SOURCES = %D%/tap.c %D%/tap.h
LDADD += %D%/libtap.la
unit_tests += \
	%D%/gc-t \
	%D%/hash-t \
	%D%/heap-t \
	%D%/jimage-t \
	%D%/mem-t \
	%D%/os-t \
	%D%/utf8-t \
	%D%/zip-t
%C%_gc_t_SOURCES = %D%/gc-t.c %D%/heap-fixture.c %D%/heap-fixture.h
%C%_heap_t_SOURCES = %D%/heap-t.c %D%/heap-fixture.c %D%/heap-fixture.h
%C%_jimage_t_SOURCES = %D%/jimage-t.c %D%/archives.c %D%/archives.h
%C%_zip_t_SOURCES = %D%/zip-t.c %D%/archives.c %D%/archives.h

# A short run of the fuzz targets.
test_scripts += %D%/fuzz.t
check_PROGRAMS += %D%/fuzz_seeds
%C%_fuzz_seeds_SOURCES = %D%/fuzz_seeds.c %D%/archives.c %D%/archives.h
clean_dirs += %D%/fuzz.work
