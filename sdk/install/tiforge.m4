# SPDX-License-Identifier: MIT
# tiforge.m4 -- agents with autoconf.
#
# TIFORGE_AGENT([ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
# Finds tiforge by pkg-config, and java and javac of JAVA_HOME or on PATH. Sets and
# substitutes TIFORGE_CFLAGS, TIFORGE_LIBS, TIFORGE_LDFLAGS (for a library that exports
# its entry points only), JAVA and JAVAC. Without ACTION-IF-NOT-FOUND it is an error if
# tiforge is missing.
AC_DEFUN([TIFORGE_AGENT], [
    AC_REQUIRE([PKG_PROG_PKG_CONFIG])
    PKG_CHECK_MODULES([TIFORGE], [tiforge], [$1], m4_default([$2],
        [[AC_MSG_ERROR([tiforge is not to be found; `tiforge build` sets PKG_CONFIG_PATH])]]))
    AC_SUBST([TIFORGE_LDFLAGS],
        ["-export-symbols-regex '^Agent_On(Load|Attach|Unload)'"])
    AC_ARG_VAR([JAVA], [Java launcher for the tests])
    AC_ARG_VAR([JAVAC], [Java compiler for the tests])
    AC_PATH_PROG([JAVA], [java], [java], [${JAVA_HOME:+$JAVA_HOME/bin:}$PATH])
    AC_PATH_PROG([JAVAC], [javac], [javac], [${JAVA_HOME:+$JAVA_HOME/bin:}$PATH])
])
