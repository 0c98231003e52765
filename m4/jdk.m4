# SPDX-License-Identifier: MIT
# tf_JDK: find the JDK to build and test with (needed: class library, launcher, javac),
# and others to compare with (optional).  minivm serves releases 17, 21 and 25, whatever
# it was configured with.  Sets JDK17, JDK21 and JDK25, empty for what there is not; but
# JDK17, which the build and most tests use, is another release when that was asked for
# or there is no 17.

# tf_JDK_IS(DIR, RELEASE): true if DIR is a complete JDK of that release.
AC_DEFUN([tf_JDK_IS],
    [{ test -n "$1" && test -r "$1/release" && test -r "$1/lib/modules" &&
       test -x "$1/bin/javac" && grep -q '^JAVA_VERSION="'"$2"'[[".]]' "$1/release"; }])

# tf_JDK_SEARCH(VARIABLE, RELEASE): the first one in the system's folder of JVMs.
AC_DEFUN([tf_JDK_SEARCH], [
    for tf_dir in /usr/lib/jvm/*; do
        AS_IF([test -z "$$1" && tf_JDK_IS([$tf_dir], [$2])], [$1=`cd "$tf_dir" && pwd -P`])
    done
])

# tf_JDK_OTHER(VARIABLE, RELEASE, GIVEN, HOME): a JDK to compare with.
AC_DEFUN([tf_JDK_OTHER], [
    AC_MSG_CHECKING([for JDK $2])
    $1=
    AS_CASE([$3],
        [no], [],
        [''|yes],
            [AS_IF([tf_JDK_IS([$4], [$2])], [$1=$4], [tf_JDK_SEARCH([$1], [$2])])],
        [AS_IF([tf_JDK_IS([$3], [$2])], [$1=$3],
               [AC_MSG_ERROR(['$3' is no JDK $2 with release, lib/modules and javac])])])
    AC_MSG_RESULT([${$1:-no}])
    AC_SUBST([$1])
])

# tf_JDK_TRY(DIR): takes DIR if nothing was taken and it is a JDK of a release that minivm
# serves.
AC_DEFUN([tf_JDK_TRY], [
    for tf_release in $tf_releases; do
        AS_IF([test -z "$JDK17" && tf_JDK_IS([$1], [$tf_release])],
              [JDK17=`cd "$1" && pwd -P`])
    done
])

AC_DEFUN([tf_JDK], [
    AC_ARG_WITH([jdk], [AS_HELP_STRING([--with-jdk=DIR|17|21|25],
        [JDK to build and test with (default: JAVA_HOME, else the javac on PATH, else
         the first of 17, 25 and 21 that is found)])])
    AC_ARG_WITH([jdk21], [AS_HELP_STRING([--with-jdk21=DIR],
        [JDK 21 to test with, too (default: JAVA21_HOME, else searched for)])])
    AC_ARG_WITH([jdk25], [AS_HELP_STRING([--with-jdk25=DIR],
        [JDK 25 to test with, too (default: JAVA25_HOME, else searched for)])])

    AC_MSG_CHECKING([for a JDK of release 17, 21 or 25])
    JDK17=
    tf_releases='17 25 21'
    AS_CASE([$with_jdk],
        [17|21|25], [
            tf_releases=$with_jdk
            tf_JDK_TRY([$JAVA_HOME])
            tf_JDK_SEARCH([JDK17], [$with_jdk])
        ],
        [''|yes|no], [
            tf_javac=`command -v javac 2>/dev/null`
            AS_IF([test -n "$tf_javac"],
                  [tf_javac=`readlink -f "$tf_javac"`
                   tf_javac=`dirname "$tf_javac"`/..])
            tf_JDK_TRY([$JAVA_HOME])
            tf_JDK_TRY([$tf_javac])
            for tf_wanted in $tf_releases; do
                tf_JDK_SEARCH([JDK17], [$tf_wanted])
            done
        ],
        [tf_JDK_TRY([$with_jdk])
         AS_IF([test -z "$JDK17"],
               [AC_MSG_ERROR(['$with_jdk' is no JDK 17, 21 or 25 with release, lib/modules and javac])])])
    AS_IF([test -z "$JDK17"],
          [AC_MSG_RESULT([no])
           AC_MSG_ERROR([a JDK is missing; on Debian: apt-get install openjdk-17-jdk-headless])])
    AC_MSG_RESULT([$JDK17])
    AC_SUBST([JDK17])

    tf_JDK_OTHER([JDK21], [21], [$with_jdk21], [$JAVA21_HOME])
    tf_JDK_OTHER([JDK25], [25], [$with_jdk25], [$JAVA25_HOME])
])
