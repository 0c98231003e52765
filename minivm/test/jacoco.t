#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The agent of JaCoCo (Debian's libjacoco-java): a program has the same coverage report
# under minivm as under the JDK's own VM.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/${work_name:-jacoco}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
source=$top_srcdir/minivm/test/jacoco
minivm=$(cd "$top_builddir" && pwd)/minivm/minivm
jars=/usr/share/java
path=$jars/org.jacoco.core.jar:$jars/org.jacoco.report.jar:$jars/asm-all.jar

for jar in org.jacoco.agent org.jacoco.core org.jacoco.report asm-all; do
    [ -f "$jars/$jar.jar" ] || {
        echo "1..0 # SKIP no $jars/$jar.jar: install libjacoco-java"
        exit 0
    }
done
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
(cd "$work" && "$home/bin/jar" xf "$jars/org.jacoco.agent.jar" jacocoagent.jar) &&
    "$home/bin/javac" -d "$work/report" -cp "$path" "$source/Report.java" || exit 1
echo 1..4

# covered FOLDER VM JAVA: run, report
covered()
{
    timeout 120 "$3" -Xshare:auto \
        -javaagent:"$work/jacocoagent.jar=destfile=$work/$1.$2.exec" \
        -cp "$work/$1" Coverage >"$work/$1.$2.out" 2>&1
    timeout 120 "$3" -Xshare:auto -cp "$path:$work/report" Report \
        "$work/$1.$2.exec" "$work/$1" "$work/$1.$2.xml" >>"$work/$1.$2.out" 2>&1
}

# counters XML METHOD: its instructions, "missed covered"
counters()
{
    sed "s/.*<method name=\"$2\"[^>]*><counter type=\"INSTRUCTION\" missed=\"\([0-9]*\)\" covered=\"\([0-9]*\)\".*/\1 \2/" "$1"
}

number=0
# Java 8 keeps probes in a static field, later releases in a dynamic constant.
for release in 8 11; do
    number=$((number + 1))
    "$home/bin/javac" -g -nowarn --release $release -d "$work/$release" \
        "$source/Coverage.java" >"$work/$release.build" 2>&1
    covered $release hotspot "$home/bin/java"
    covered $release minivm "$minivm"
    if [ -s "$work/$release.hotspot.xml" ] &&
        cmp "$work/$release.hotspot.out" "$work/$release.minivm.out" &&
        cmp "$work/$release.hotspot.xml" "$work/$release.minivm.xml"; then
        echo "ok $number - the report of class files of release $release"
    else
        echo "not ok $number - the report of class files of release $release"
        sed 's/^/# /' "$work/$release.minivm.out"
    fi
    number=$((number + 1))
    found="$(counters "$work/$release.minivm.xml" never); $(
        counters "$work/$release.minivm.xml" make); $(
        counters "$work/$release.minivm.xml" loops)"
    if [ "$found" = '5 0; 0 2; 0 27' ]; then
        echo "ok $number - instructions missed and covered at release $release"
    else
        echo "not ok $number - instructions missed and covered at release $release: $found"
    fi
done 2>&1
