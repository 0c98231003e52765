# SPDX-License-Identifier: MIT
# tf_JDK: find JDK 17 (needed: class library, launcher, javac) and JDK 25 (a second
# oracle, optional).  Sets JDK17 and JDK25, the latter empty when there is none.

# tf_JDK_IS(DIR, RELEASE): true if DIR is a complete JDK of that release.
AC_DEFUN([tf_JDK_IS],
    [{ test -n "$1" && test -r "$1/release" && test -r "$1/lib/modules" &&
       test -x "$1/bin/javac" && grep -q '^JAVA_VERSION="$2[[".]]' "$1/release"; }])

# tf_JDK_SEARCH(VARIABLE, RELEASE): the first one in the system's folder of JVMs.
AC_DEFUN([tf_JDK_SEARCH], [
    for tf_dir in /usr/lib/jvm/*; do
        AS_IF([test -z "$$1" && tf_JDK_IS([$tf_dir], [$2])], [$1=`cd "$tf_dir" && pwd -P`])
    done
])

AC_DEFUN([tf_JDK], [
    AC_ARG_WITH([jdk], [AS_HELP_STRING([--with-jdk=DIR],
        [JDK 17 to use (default: JAVA_HOME, else the javac on PATH)])])
    AC_ARG_WITH([jdk25], [AS_HELP_STRING([--with-jdk25=DIR],
        [JDK 25 to compare with (default: JAVA25_HOME, else searched for)])])

    AC_MSG_CHECKING([for JDK 17])
    JDK17=
    AS_CASE([$with_jdk],
        [''|yes|no], [
            tf_javac=`command -v javac 2>/dev/null`
            AS_IF([test -n "$tf_javac"],
                  [tf_javac=`readlink -f "$tf_javac"`
                   tf_javac=`dirname "$tf_javac"`/..])
            AS_IF([tf_JDK_IS([$JAVA_HOME], [17])], [JDK17=$JAVA_HOME],
                  [tf_JDK_IS([$tf_javac], [17])], [JDK17=`cd "$tf_javac" && pwd -P`],
                  [tf_JDK_SEARCH([JDK17], [17])])
        ],
        [AS_IF([tf_JDK_IS([$with_jdk], [17])], [JDK17=$with_jdk],
               [AC_MSG_ERROR(['$with_jdk' is no JDK 17 with release, lib/modules and javac])])])
    AS_IF([test -z "$JDK17"],
          [AC_MSG_RESULT([no])
           AC_MSG_ERROR([JDK 17 is missing; on Debian: apt-get install openjdk-17-jdk-headless])])
    AC_MSG_RESULT([$JDK17])

    AC_MSG_CHECKING([for JDK 25])
    JDK25=
    AS_CASE([$with_jdk25],
        [no], [],
        [''|yes],
            [AS_IF([tf_JDK_IS([$JAVA25_HOME], [25])], [JDK25=$JAVA25_HOME],
                   [tf_JDK_SEARCH([JDK25], [25])])],
        [AS_IF([tf_JDK_IS([$with_jdk25], [25])], [JDK25=$with_jdk25],
               [AC_MSG_ERROR(['$with_jdk25' is no JDK 25 with release, lib/modules and javac])])])
    AC_MSG_RESULT([${JDK25:-no}])
    AC_SUBST([JDK17])
    AC_SUBST([JDK25])
])
