# SPDX-License-Identifier: MIT

# libFuzzer targets; minivm/test/fuzz.t runs each for a short time.  Without
# --enable-fuzz it builds them itself where it finds clang.  The shared runtime
# has to come first among the libraries, where libFuzzer does not put it.
if FUZZ
noinst_PROGRAMS += %D%/classfile %D%/jimage %D%/zip
%C%_classfile_LDADD = minivm/libminivm.la
%C%_classfile_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
%C%_jimage_LDADD = minivm/libminivm.la
%C%_jimage_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
%C%_zip_LDADD = minivm/libminivm.la
%C%_zip_LDFLAGS = $(AM_LDFLAGS) -static-libsan -fsanitize=fuzzer
endif
EXTRA_DIST += %D%/classfile.c %D%/classfile.seeds %D%/jimage.c %D%/zip.c
