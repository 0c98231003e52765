# SPDX-License-Identifier: MIT

# libminivm.la has the whole VM; libjvm.so and the unit tests link it.  Folders append
# to minivm_libminivm_la_SOURCES.
noinst_LTLIBRARIES += %D%/libminivm.la
%C%_libminivm_la_SOURCES =
%C%_libminivm_la_LIBADD = $(FFI_LIBS) $(ZLIB_LIBS) $(CJSON_LIBS) -lpthread -ldl -lm -lgcc_eh

minivmdir = $(pkglibdir)/minivm
minivm_LTLIBRARIES = %D%/libjvm.la
%C%_libjvm_la_SOURCES = %D%/invocation.c %D%/option_flag.c \
	%D%/option_reader.h %D%/option_syntax.c %D%/option_table.c %D%/options.c \
	%D%/options.h
%C%_libjvm_la_CPPFLAGS = $(AM_CPPFLAGS) -DCONFIGURED_JDK='"$(JDK17)"'
%C%_libjvm_la_LIBADD = %D%/libminivm.la
%C%_libjvm_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version \
	-Wl,--version-script=$(srcdir)/%D%/libjvm.map

EXTRA_minivm_libjvm_la_DEPENDENCIES = %D%/libjvm.map
EXTRA_DIST += %D%/libjvm.map

# `java -XXaltjvm=DIR` wants a directory with a libjvm.so in it.
all_local += %D%/lib/libjvm.so
%D%/lib/libjvm.so: %D%/libjvm.la
	$(AM_V_at)$(MKDIR_P) %D%/lib && rm -f $@ && $(LN_S) ../.libs/libjvm.so $@
CLEANFILES += %D%/lib/libjvm.so

# gdb reads it with the installed library, once its "auto-load safe-path" has the folder.
minivm_DATA = %D%/gdb/libjvm.so-gdb.py
%D%/gdb/libjvm.so-gdb.py: %D%/gdb/minivm-gdb.py
	$(AM_V_GEN)$(MKDIR_P) %D%/gdb && cp $(srcdir)/%D%/gdb/minivm-gdb.py $@
EXTRA_DIST += %D%/gdb/minivm-gdb.py
CLEANFILES += %D%/gdb/libjvm.so-gdb.py

bin_PROGRAMS += %D%/minivm
%C%_minivm_SOURCES = %D%/launcher.c
%C%_minivm_LDADD =
%C%_minivm_CPPFLAGS = -D_GNU_SOURCE -DJDK='"$(JDK17)"' \
	-DBIN_DIR='"$(bindir)"' -DINSTALLED_DIR='"$(minivmdir)"' \
	-DSANITIZER_RUNTIME='"$(SANITIZER_RUNTIME)"'
